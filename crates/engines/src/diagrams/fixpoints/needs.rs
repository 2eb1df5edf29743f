//! What has to be said of which operators, from the formula inwards: of each the states in which it is to be known that it holds, and those in which it is to be known that it does not.
//!
//! For a few states paths say that an operator holds in them; for more it is the whole set, with inputs as functions of the state. That an operator does not hold is said of all states in which it
//! does not.

use super::choices::Chain;
use super::sets::{Gone, Sets};
use super::walks::Towards;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use indubit_system::{CtlId, CtlNode};

/// What is said of an operator, as sets that are held.
pub(super) struct Said {
    pub yes: Bdd,
    pub no: Bdd,
    pub choices: Vec<Chain>,
    pub shoals: Option<Shoals>,
}

/// Why no fair path stays: sets that are never left again, each with one more of those that were taken away, and where each signal is absent.
pub(super) struct Shoals {
    pub order: Vec<Bdd>,
    pub absent: Vec<Bdd>,
}

impl Said {
    fn nothing() -> Said {
        Said { yes: Bdd::FALSE, no: Bdd::FALSE, choices: Vec::new(), shoals: None }
    }
}

/// What has to be said, and what is said of it.
pub(super) struct Needs<'s, 'p> {
    sets: &'s mut Sets<'p>,
    /// For each node the states in which it is to be known that it holds, and that it does not; at the end those with a fair path.
    needed: Vec<[Bdd; 2]>,
    /// Does something rest on the reached states?
    rests_on_reached: bool,
}

/// All that is said.
pub(super) struct Story {
    /// For each node of the formula, and at the end for the states with a fair path.
    pub said: Vec<Said>,
    /// Is it about reached states only?
    pub rests_on_reached: bool,
}

/// Why the formula holds, or fails in a state, where a node is false that it implies.
pub(super) fn explain(sets: &mut Sets<'_>, failing: Option<(CtlId, Bdd)>, run: &mut Run<'_>) -> Ask<Story> {
    let n_nodes = sets.formula.nodes().len();
    let needed = vec![[Bdd::FALSE; 2]; n_nodes + 1];
    let mut needs = Needs { sets, needed, rests_on_reached: false };
    match failing {
        Some((id, state)) => {
            needs.need(id, false, state)?;
            needs.need_fair(state)?;
        }
        None => {
            let starts = needs.sets.starts;
            for id in needs.sets.conjuncts() {
                needs.need(id, true, starts)?;
            }
            let (initial, fair) = (needs.sets.initial, needs.sets.fair.states);
            let unfair = needs.sets.space.minus(initial, fair)?;
            needs.add(n_nodes, false, unfair)?;
        }
    }
    let mut said: Vec<Said> = (0..=n_nodes).map(|_| Said::nothing()).collect();
    for id in needs.sets.formula.ids().rev() {
        run.checkpoint()?;
        said[id.index()] = needs.meet(id, run)?;
    }
    said[n_nodes] = needs.meet_fair(run)?;
    Ok(Story { said, rests_on_reached: needs.rests_on_reached })
}

impl Needs<'_, '_> {
    fn need(&mut self, id: CtlId, holds: bool, states: Bdd) -> Ask<()> {
        self.add(id.index(), holds, states)
    }
    /// It is to be known that these have a fair path.
    fn need_fair(&mut self, states: Bdd) -> Ask<()> {
        let n_nodes = self.needed.len() - 1;
        self.add(n_nodes, true, states)
    }
    /// It is to be known of all reached states without a fair path that they have none.
    fn need_unfair(&mut self) -> Ask<()> {
        let (reached, fair) = (self.sets.reached, self.sets.fair.states);
        let unfair = self.sets.space.minus(reached, fair)?;
        let n_nodes = self.needed.len() - 1;
        self.add(n_nodes, false, unfair)
    }
    fn add(&mut self, index: usize, holds: bool, states: Bdd) -> Ask<()> {
        let needed = self.needed[index][usize::from(holds)];
        let more = self.sets.space.or(needed, states)?;
        self.needed[index][usize::from(holds)] = self.sets.space.hold(more);
        Ok(())
    }
    /// Say what is needed of a node.
    fn meet(&mut self, id: CtlId, run: &mut Run<'_>) -> Ask<Said> {
        let [no, yes] = self.needed[id.index()];
        match self.sets.formula.node(id) {
            CtlNode::True | CtlNode::Atom(_) => Ok(Said::nothing()),
            CtlNode::Not(a) => {
                self.need(a, false, yes)?;
                self.need(a, true, no)?;
                Ok(Said::nothing())
            }
            CtlNode::And(a, b) => {
                self.need(a, true, yes)?;
                self.need(b, true, yes)?;
                let states = self.sets.states(a);
                let here = self.sets.space.minus(no, states)?;
                self.need(a, false, here)?;
                let there = self.sets.space.and(no, states)?;
                self.need(b, false, there)?;
                Ok(Said::nothing())
            }
            node => {
                let mut said = Said::nothing();
                if yes != Bdd::FALSE {
                    self.say_yes(id, node, yes, &mut said, run)?;
                }
                if no != Bdd::FALSE {
                    self.say_no(id, node, &mut said)?;
                }
                Ok(said)
            }
        }
    }
    fn meet_fair(&mut self, run: &mut Run<'_>) -> Ask<Said> {
        let mut said = Said::nothing();
        if self.sets.is_total {
            return Ok(said);
        }
        let [no, yes] = self.needed[self.needed.len() - 1];
        let fair = self.sets.fair.states;
        if yes != Bdd::FALSE {
            self.around(fair, yes, &mut said, run)?;
        }
        if no != Bdd::FALSE {
            let (reached, gone) = (self.sets.reached, self.sets.fair.gone.clone());
            self.stuck(fair, reached, &gone, &mut said)?;
        }
        Ok(said)
    }
    fn say_yes(&mut self, id: CtlId, node: CtlNode, yes: Bdd, said: &mut Said, run: &mut Run<'_>) -> Ask<()> {
        match node {
            CtlNode::ExistsNext(a) => {
                let inner = self.sets.states(a);
                let target = self.sets.target(inner)?;
                self.sets.space.hold(target);
                let states = self.sets.states(id);
                let rings = [target, states];
                let after = self.step(&rings, yes, said, run)?;
                self.need(a, true, after)?;
                self.need_fair(after)
            }
            CtlNode::ExistsUntil(a, b) => {
                let rings =
                    self.sets.known[id.index()].as_ref().map_or(Vec::new(), |known| known.rings.clone());
                let (before, after) = self.descend(&rings, yes, said, run)?;
                self.need(a, true, before)?;
                self.need(b, true, after)?;
                self.need_fair(after)
            }
            CtlNode::ExistsGlobally(a) => {
                let states = self.sets.states(id);
                self.around(states, yes, said, run)?;
                let all = said.yes;
                self.need(a, true, all)
            }
            _ => Ok(()),
        }
    }
    /// Say how states of the second ring come to the first one in one step; into which states.
    fn step(&mut self, rings: &[Bdd; 2], yes: Bdd, said: &mut Said, run: &mut Run<'_>) -> Ask<Bdd> {
        let space = &mut self.sets.space;
        let [target, states] = *rings;
        if let Some(starts) = space.few(yes)? {
            let mut places = Vec::new();
            let mut after = Vec::new();
            for state in starts {
                run.checkpoint()?;
                let Some(inputs) = space.step(&state, Bdd::TRUE, target)? else { continue };
                let next = space.after(&state, &inputs);
                let next = space.singleton(&next, false)?;
                after.push(space.hold(next));
                places.push(super::walks::Place { state, inputs, rank: 0 });
            }
            let (all, chain) = space.places(&places)?;
            said.yes = all;
            said.choices = vec![chain];
            return space.union_in(Bdd::TRUE, after.into_iter());
        }
        let steps = space.steps_into(target, states)?;
        space.hold(steps);
        let inputs = space.choose(steps, states)?;
        said.choices = vec![Chain { inputs, rank: Vec::new() }];
        said.yes = self.in_reached(states)?;
        Ok(target)
    }
    /// Say how states come down the rings: where they pass, and where they end.
    fn descend(&mut self, rings: &[Bdd], yes: Bdd, said: &mut Said, run: &mut Run<'_>) -> Ask<(Bdd, Bdd)> {
        let space = &mut self.sets.space;
        if let Some(starts) = space.few(yes)?
            && let Some(places) = space.descend(&starts, rings, run)?
        {
            let (all, chain) = space.places(&places)?;
            said.yes = all;
            said.choices = vec![chain];
            let end = space.and(all, rings[0])?;
            space.hold(end);
            let before = space.minus(all, end)?;
            return Ok((space.hold(before), end));
        }
        // No further than necessary.
        let slot = space.slot();
        let mut left = space.set(slot, yes);
        let mut n_rings = 0;
        while left != Bdd::FALSE && n_rings < rings.len() {
            let less = space.minus(left, rings[n_rings])?;
            left = space.set(slot, less);
            n_rings += 1;
        }
        let rings = &rings[..n_rings];
        let before = space.union_in(Bdd::TRUE, rings[1..].iter().copied())?;
        let all = space.or(before, rings[0])?;
        space.hold(all);
        let first = vec![Bdd::FALSE; space.inputs.len()];
        said.choices = vec![space.chain(first, rings, run)?];
        said.yes = self.in_reached(all)?;
        Ok((before, rings[0]))
    }
    /// Say how a fair path stays in a set.
    fn around(&mut self, inside: Bdd, yes: Bdd, said: &mut Said, run: &mut Run<'_>) -> Ask<()> {
        let signals = self.sets.signals.clone();
        let space = &mut self.sets.space;
        if let Some(starts) = space.few(yes)?
            && let Some(places) = space.circle(&starts, inside, &signals, run)?
        {
            for places in places {
                let (all, chain) = space.places(&places)?;
                said.yes = all;
                said.choices.push(chain);
            }
            return Ok(());
        }
        for seen in signals {
            let mut towards = Towards::new(space, seen, inside)?;
            while !towards.is_all() && towards.more(space)? {
                run.checkpoint()?;
                run.spend(1);
            }
            let steps = space.steps_into(inside, towards.rings[0])?;
            let steps = space.and(steps, seen)?;
            space.hold(steps);
            let first = space.choose(steps, towards.rings[0])?;
            said.choices.push(space.chain(first, &towards.rings, run)?);
        }
        said.yes = self.in_reached(inside)?;
        Ok(())
    }
    fn say_no(&mut self, id: CtlId, node: CtlNode, said: &mut Said) -> Ask<()> {
        let (states, reached, fair) = (self.sets.states(id), self.sets.reached, self.sets.fair.states);
        self.need_unfair()?;
        match node {
            CtlNode::ExistsNext(a) => {
                said.no = self.in_reached(!states)?;
                let inner = self.sets.states(a);
                let count = self.sets.space.and(reached, fair)?;
                let without = self.sets.space.minus(count, inner)?;
                self.need(a, false, without)
            }
            CtlNode::ExistsUntil(a, b) => {
                said.no = self.in_reached(!states)?;
                let outside = self.sets.space.minus(reached, states)?;
                self.sets.space.hold(outside);
                let ends = self.sets.space.and(outside, fair)?;
                self.need(b, false, ends)?;
                let inner = self.sets.states(a);
                let breaks = self.sets.space.minus(outside, inner)?;
                self.need(a, false, breaks)
            }
            CtlNode::ExistsGlobally(a) => {
                let inner = self.sets.states(a);
                let target = self.sets.target(inner)?;
                self.sets.space.hold(target);
                let gone =
                    self.sets.known[id.index()].as_ref().map_or(Vec::new(), |known| known.gone.clone());
                self.stuck(states, target, &gone, said)?;
                let without = self.sets.space.minus(reached, inner)?;
                self.need(a, false, without)
            }
            _ => Ok(()),
        }
    }
    /// Say that no fair path stays in `inside` outside of `states`: in the order in which states were taken away.
    fn stuck(&mut self, states: Bdd, inside: Bdd, gone: &[Gone], said: &mut Said) -> Ask<()> {
        let reached = self.sets.reached;
        self.rests_on_reached = true;
        let n_signals = self.sets.signals.len();
        let space = &mut self.sets.space;
        let outside = space.minus(reached, states)?;
        space.hold(outside);
        // What was not inside is as if it had been taken away first.
        let mut gone = gone.to_vec();
        let never = space.minus(outside, inside)?;
        match gone.first_mut() {
            Some(first) => {
                let more = space.or(first.states, never)?;
                first.states = space.hold(more);
            }
            None => gone.push(Gone { states: outside, signal: 0 }),
        }
        let order = space.unions(outside, gone.iter().map(|gone| gone.states))?;
        let mut absent = Vec::new();
        for signal in 0..n_signals {
            let here: Vec<Bdd> =
                gone.iter().filter(|gone| gone.signal == signal).map(|gone| gone.states).collect();
            absent.push(space.union_in(outside, here.into_iter())?);
        }
        said.no = self.in_reached(outside)?;
        said.shoals = Some(Shoals { order, absent });
        Ok(())
    }
    /// A set, as simple as it can be where nothing depends on what it is outside of the reached states. It is held.
    fn in_reached(&mut self, set: Bdd) -> Ask<Bdd> {
        self.rests_on_reached = true;
        let reached = self.sets.reached;
        self.sets.space.union_in(reached, std::iter::once(set))
    }
}
