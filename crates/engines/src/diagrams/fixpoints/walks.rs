//! Evidence for a few states: not all of the set in which an operator holds, but paths from these states on.

use super::choices::Chain;
use crate::diagrams::paths::{Goal, HAS_STEP};
use crate::diagrams::space::Space;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use rustc_hash::FxHashMap;

/// From more states than these no paths are walked.
const MOST_STARTS: usize = 8;
/// Nor longer ones than this.
const MOST_STEPS: usize = 1000;
/// So often a path goes past all signals before there is a look for a way back.
const ROUNDS: usize = 4;

/// A state, the inputs of the step that it takes, and how far it has to go.
pub(super) struct Place {
    pub state: Vec<bool>,
    pub inputs: Vec<bool>,
    pub rank: usize,
}

/// States of a set that see a signal soon: ring by ring those that have so many steps to go, among the set.
pub(super) struct Towards {
    pub seen: Bdd,
    pub inside: Bdd,
    /// These are disjoint.
    pub rings: Vec<Bdd>,
    found: Bdd,
}

/// A state, and the inputs of a step from it.
type Row<'a> = (&'a [bool], &'a [bool]);

impl Towards {
    /// Those that see it at once. The operands are held.
    pub fn new(space: &mut Space<'_>, seen: Bdd, inside: Bdd) -> Ask<Towards> {
        let before = space.preimage(inside, seen)?;
        let ring = space.and(before, inside)?;
        space.hold(ring);
        Ok(Towards { seen, inside, rings: vec![ring], found: ring })
    }
    /// Are these all of the set?
    pub fn is_all(&self) -> bool {
        self.found == self.inside
    }
    /// One more ring. Is there one? What is found is held.
    pub fn more(&mut self, space: &mut Space<'_>) -> Ask<bool> {
        let last = self.rings[self.rings.len() - 1];
        let before = space.preimage(last, Bdd::TRUE)?;
        let before = space.and(before, self.inside)?;
        let ring = space.minus(before, self.found)?;
        if ring == Bdd::FALSE {
            return Ok(false);
        }
        self.rings.push(space.hold(ring));
        let found = space.or(self.found, ring)?;
        self.found = space.hold(found);
        Ok(true)
    }
}

/// A path that is walked: the states, and the inputs between them.
struct Walk {
    states: Vec<Vec<bool>>,
    inputs: Vec<Vec<bool>>,
}

impl Walk {
    fn here(&self) -> &[bool] {
        &self.states[self.states.len() - 1]
    }
    fn go(&mut self, space: &Space<'_>, inputs: Vec<bool>) {
        self.states.push(space.after(self.here(), &inputs));
        self.inputs.push(inputs);
    }
}

impl Space<'_> {
    /// The state after a step.
    pub(super) fn after(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        self.circuit.next_state(&self.circuit.evaluate(state, inputs))
    }
    /// The states of a set, if they are few.
    pub(super) fn few(&mut self, set: Bdd) -> Ask<Option<Vec<Vec<bool>>>> {
        let slot = self.slot();
        let mut left = self.set(slot, set);
        let mut states = Vec::new();
        while let Some((state, _)) = self.pick(left) {
            if states.len() == MOST_STARTS {
                self.release_from(slot);
                return Ok(None);
            }
            let one = self.singleton(&state, false)?;
            let less = self.ask(&[one], |all| all.minus(left, one))?;
            left = self.set(slot, less);
            states.push(state);
        }
        self.release_from(slot);
        Ok(Some(states))
    }
    /// From each of these states down the rings, which are held. No places if that takes too long.
    pub(super) fn descend(
        &mut self,
        starts: &[Vec<bool>],
        rings: &[Bdd],
        run: &mut Run<'_>,
    ) -> Ask<Option<Vec<Place>>> {
        let mut places: Vec<Place> = Vec::new();
        let mut known: FxHashMap<Vec<bool>, ()> = FxHashMap::default();
        for start in starts {
            let Some(mut rank) = rings.iter().position(|&ring| self.contains(ring, start)) else {
                return Ok(None);
            };
            let mut state = start.clone();
            while known.insert(state.clone(), ()).is_none() {
                run.checkpoint()?;
                if places.len() > MOST_STEPS {
                    return Ok(None);
                }
                if rank == 0 {
                    let inputs = vec![false; self.circuit.inputs.len()];
                    places.push(Place { state: state.clone(), inputs, rank });
                    break;
                }
                let inputs = self.step(&state, Bdd::TRUE, rings[rank - 1])?.expect(HAS_STEP);
                let next = self.after(&state, &inputs);
                places.push(Place { state, inputs, rank });
                (state, rank) = (next, rank - 1);
            }
        }
        Ok(Some(places))
    }
    /// From each of these states around in a set, from each of whose states a path stays in it that sees all signals again and again. For each signal all places; none if that takes too long.
    /// The operands are held.
    pub(super) fn circle(
        &mut self,
        starts: &[Vec<bool>],
        inside: Bdd,
        signals: &[Bdd],
        run: &mut Run<'_>,
    ) -> Ask<Option<Vec<Vec<Place>>>> {
        let mut towards = Vec::new();
        for &seen in signals {
            towards.push(Towards::new(self, seen, inside)?);
        }
        let mut walks = Vec::new();
        for start in starts {
            match self.walk(start, &mut towards, run)? {
                Some(walk) => walks.push(walk),
                None => return Ok(None),
            }
        }
        Ok(Some(signals.iter().map(|&seen| self.distances(&walks, seen)).collect()))
    }
    /// Go around until the path closes.
    fn walk(&mut self, start: &[bool], towards: &mut [Towards], run: &mut Run<'_>) -> Ask<Option<Walk>> {
        let mut walk = Walk { states: vec![start.to_vec()], inputs: Vec::new() };
        let mut known: FxHashMap<Vec<bool>, ()> = FxHashMap::default();
        let is_simple = towards.iter().all(|t| t.seen == Bdd::TRUE);
        loop {
            if known.insert(walk.here().to_vec(), ()).is_some() {
                return Ok(Some(walk));
            }
            let begin = walk.here().to_vec();
            for towards in towards.iter_mut() {
                if !self.approach(&mut walk, towards, run)? {
                    return Ok(None);
                }
            }
            if known.len().is_multiple_of(ROUNDS) && !is_simple {
                let goal = self.singleton(&begin, false)?;
                let base = self.slot();
                self.set(base, goal);
                let (mut state, mut rows) = (walk.here().to_vec(), Vec::new());
                let inside = towards[0].inside;
                let is_back = self.go(&mut state, &mut rows, Goal::State(goal), inside, run)?;
                self.release_from(base);
                if is_back {
                    rows.into_iter().for_each(|inputs| walk.go(self, inputs));
                    return Ok(Some(walk));
                }
            }
        }
    }
    /// Go on until a signal was seen. Is the path still short?
    fn approach(&mut self, walk: &mut Walk, towards: &mut Towards, run: &mut Run<'_>) -> Ask<bool> {
        let mut rank = loop {
            run.checkpoint()?;
            match towards.rings.iter().position(|&ring| self.contains(ring, walk.here())) {
                Some(rank) => break rank,
                None => run.spend(1),
            }
            if towards.rings.len() > MOST_STEPS || !towards.more(self)? {
                return Ok(false);
            }
        };
        loop {
            run.checkpoint()?;
            if walk.inputs.len() > MOST_STEPS {
                return Ok(false);
            }
            let (seen, to) = match rank {
                0 => (towards.seen, towards.inside),
                _ => (Bdd::TRUE, towards.rings[rank - 1]),
            };
            let inputs = self.step(walk.here(), seen, to)?.expect(HAS_STEP);
            walk.go(self, inputs);
            if rank == 0 {
                return Ok(true);
            }
            rank -= 1;
        }
    }
    /// For each state of the walks the step that leads soonest to one that sees a signal.
    fn distances(&self, walks: &[Walk], seen: Bdd) -> Vec<Place> {
        let steps = || walks.iter().flat_map(|walk| walk.states.windows(2).zip(&walk.inputs));
        let mut places: Vec<Place> = Vec::new();
        let mut known: FxHashMap<&[bool], usize> = FxHashMap::default();
        let mut before: FxHashMap<&[bool], Vec<Row<'_>>> = FxHashMap::default();
        let place = |state: &[bool], inputs: &[bool], rank| Place {
            state: state.to_vec(),
            inputs: inputs.to_vec(),
            rank,
        };
        let mut order: Vec<&[bool]> = Vec::new();
        for (pair, inputs) in steps() {
            before.entry(&pair[1]).or_default().push((&pair[0], inputs));
            if self.holds(seen, &pair[0], inputs) && !known.contains_key(&pair[0][..]) {
                known.insert(&pair[0], 0);
                order.push(&pair[0]);
                places.push(place(&pair[0], inputs, 0));
            }
        }
        let mut n_done = 0;
        while let Some(&state) = order.get(n_done) {
            let rank = places[n_done].rank + 1;
            n_done += 1;
            for &(previous, inputs) in before.get(state).into_iter().flatten() {
                if !known.contains_key(previous) {
                    known.insert(previous, rank);
                    order.push(previous);
                    places.push(place(previous, inputs, rank));
                }
            }
        }
        places
    }
    /// Places as a set, and where each of it goes on. They are held.
    pub(super) fn places(&mut self, places: &[Place]) -> Ask<(Bdd, Chain)> {
        let base = self.slot();
        let mut states = Vec::new();
        for place in places {
            let one = self.singleton(&place.state, false)?;
            states.push(self.hold(one));
        }
        let all = self.union_in(Bdd::TRUE, states.iter().copied())?;
        let mut column = |is_in: &dyn Fn(&Place) -> bool| {
            let chosen: Vec<Bdd> =
                places.iter().zip(&states).filter(|(place, _)| is_in(place)).map(|(_, &s)| s).collect();
            self.union_in(all, chosen.into_iter())
        };
        let mut inputs = Vec::new();
        for i in 0..places.first().map_or(0, |place| place.inputs.len()) {
            inputs.push(column(&|place| place.inputs[i])?);
        }
        let last = places.iter().map(|place| place.rank).max().unwrap_or(0);
        let mut rank = Vec::new();
        for digit in 0..usize::BITS - last.leading_zeros() {
            rank.push(column(&|place| place.rank >> digit & 1 == 1)?);
        }
        self.release_from(base);
        inputs.iter().chain(&rank).chain([&all]).for_each(|&f| {
            self.hold(f);
        });
        Ok((all, Chain { inputs, rank }))
    }
}
