//! All states of a circuit that can be reached: how many there are, how far away, which ones, and which have no successor.

use super::space::Space;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use indubit_system::Safety;
use indubit_term::BigUint;
use std::cell::RefCell;

/// The diagrams may have so many nodes.
const MOST_NODES: usize = 1 << 24;

/// The reachable states of a circuit. A state counts if some inputs satisfy the constraints in it.
pub struct Census<'c> {
    space: Space<'c>,
    /// The latches by whose values states are told apart.
    visible: Vec<usize>,
    /// The states in which some inputs satisfy the constraints.
    allowed: Bdd,
    reached: Bdd,
    n_rings: usize,
}

/// States in which the constraints hold and from which no step leads to another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadEnds {
    /// One of them, reachable or not.
    pub anywhere: Option<Vec<bool>>,
    /// A reachable one.
    pub reachable: Option<Vec<bool>>,
}

impl<'c> Census<'c> {
    /// Go through all states, which are told apart by the values of the latches at these positions.
    pub fn new(circuit: &'c Safety, visible: &[usize], run: &Run<'_>) -> Ask<Census<'c>> {
        let (mut space, _) = Space::new(circuit, &[], MOST_NODES, run)?;
        let allowed = space.allowed(Bdd::TRUE)?;
        let allowed = space.states_of(allowed)?;
        space.hold(allowed);
        let slots = [(); 4].map(|()| space.slot());
        let visible = visible.to_vec();
        let mut census = Census { space, visible, allowed, reached: Bdd::FALSE, n_rings: 0 };
        let initial = census.space.initial()?;
        let mut new = census.space.and(initial, allowed)?;
        let (mut seen, mut n_steps) = (Bdd::FALSE, 0);
        while new != Bdd::FALSE {
            run.checkpoint()?;
            census.space.set(slots[0], new);
            let reached = census.space.or(census.reached, new)?;
            census.reached = census.space.set(slots[1], reached);
            n_steps += 1;
            let now = census.space.shadow(reached, &census.visible)?;
            if now != seen {
                seen = census.space.set(slots[2], now);
                census.n_rings = n_steps;
            }
            let image = census.space.image(new)?;
            census.space.set(slots[3], image);
            let image = census.space.and(image, allowed)?;
            new = census.space.minus(image, census.reached)?;
        }
        Ok(census)
    }
    /// How many states there are.
    pub fn n_states(&mut self) -> Ask<BigUint> {
        let seen = self.space.shadow(self.reached, &self.visible)?;
        Ok(self.space.count(seen, self.visible.len()))
    }
    /// After how many steps nothing was new, the first states counted as one.
    pub fn n_rings(&self) -> usize {
        self.n_rings
    }
    /// The states, by the values of all latches, if they are not more than `most`: else so many of them. Of those that are told apart by nothing, one.
    pub fn states(&mut self, most: usize) -> Ask<Vec<Vec<bool>>> {
        let slot = self.space.slot();
        let mut left = self.space.set(slot, self.reached);
        let mut states = Vec::new();
        while states.len() < most {
            let Some((state, _)) = self.space.pick(left) else { break };
            let like = self.space.like(&state, &self.visible)?;
            left = self.space.minus(left, like)?;
            self.space.set(slot, left);
            states.push(state);
        }
        self.space.release_from(slot);
        Ok(states)
    }
    /// States without successor.
    pub fn dead_ends(&mut self) -> Ask<DeadEnds> {
        let alive = self.space.preimage(self.allowed, Bdd::TRUE)?;
        let stuck = self.space.minus(self.allowed, alive)?;
        let slot = self.space.slot();
        self.space.set(slot, stuck);
        let reachable = self.space.and(stuck, self.reached)?;
        self.space.release_from(slot);
        let state = |f: Bdd| self.space.pick(f).map(|(state, _)| state);
        let reachable = state(reachable);
        Ok(DeadEnds { anywhere: reachable.clone().or_else(|| state(stuck)), reachable })
    }
}

impl Space<'_> {
    /// The states that differ from those of a set at most in latches that are not visible.
    fn shadow(&mut self, set: Bdd, visible: &[usize]) -> Ask<Bdd> {
        let mut is_visible = vec![false; self.latches.len()];
        visible.iter().for_each(|&i| is_visible[i] = true);
        let hidden: Vec<u32> =
            self.latches.iter().zip(is_visible).filter(|(_, visible)| !visible).map(|(&v, _)| v).collect();
        self.ask(&[set], |all| {
            let cube = all.cube(hidden.iter().copied())?;
            all.exists(set, cube)
        })
    }
    /// All states whose visible latches are those of a state.
    fn like(&mut self, state: &[bool], visible: &[usize]) -> Ask<Bdd> {
        let values: Vec<(u32, bool)> = visible.iter().map(|&i| (self.latches[i], state[i])).collect();
        self.ask(&[], |all| all.cube_of(values.iter().copied()))
    }
    /// How many values of so many variables make a function true that depends on no others.
    fn count(&self, f: Bdd, n_visible: usize) -> BigUint {
        let n_vars = self.all.n_vars();
        let whole = BigUint::from(1u32) << n_vars;
        let counts = RefCell::new(vec![whole.clone()]);
        let add = |count: BigUint| {
            counts.borrow_mut().push(count);
            counts.borrow().len() - 1
        };
        let complement = |i: usize| {
            let count = &whole - &counts.borrow()[i];
            add(count)
        };
        let node = |_: u32, high: usize, low: usize| {
            let count = (&counts.borrow()[high] + &counts.borrow()[low]) >> 1;
            add(count)
        };
        let root = self.all.fold(&[f], 0, complement, node)[0];
        counts.borrow()[root].clone() >> (n_vars - n_visible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Lit;
    use indubit_run::Cancel;
    use indubit_system::StateVar;

    /// Two bits count to 2 and stay there; the third one is free, and there is no step from 2 when it is set.
    fn circuit() -> Safety {
        let mut safety = Safety::default();
        let [low, high, free] = [(); 3].map(|()| safety.aig.leaf());
        let input = safety.aig.leaf();
        safety.inputs.push(input.var());
        let grow = safety.aig.and(!low, !high);
        let to_two = safety.aig.or(low, high);
        let mut latch = |lit: Lit, next, init| safety.latches.push(StateVar { var: lit.var(), next, init });
        latch(low, grow, Some(false));
        latch(high, to_two, Some(false));
        latch(free, input, None);
        let stuck = safety.aig.and(high, free);
        safety.constraints.push(!stuck);
        safety
    }

    #[test]
    fn states_are_counted_and_listed() {
        let (circuit, run) = (circuit(), Run::new(Cancel::new()));
        let mut census = Census::new(&circuit, &[0, 1, 2], &run).unwrap();
        assert_eq!((census.n_states(), census.n_rings()), (Ok(5u32.into()), 3));
        assert_eq!(census.states(10).unwrap().len(), 5);
        assert_eq!(census.states(2).unwrap().len(), 2);
        assert_eq!(census.dead_ends().unwrap(), DeadEnds::default());
        let mut census = Census::new(&circuit, &[0, 1], &run).unwrap();
        assert_eq!((census.n_states(), census.states(10).unwrap().len()), (Ok(3u32.into()), 3));
    }

    #[test]
    fn dead_ends_are_found() {
        let (mut circuit, run) = (circuit(), Run::new(Cancel::new()));
        // From 2 there is no step at all now: a state with both bits is not allowed.
        circuit.latches[0].next = Lit::TRUE;
        let both =
            circuit.aig.and(Lit::positive(circuit.latches[0].var), Lit::positive(circuit.latches[1].var));
        circuit.constraints.push(!both);
        let dead = Census::new(&circuit, &[0, 1, 2], &run).unwrap().dead_ends().unwrap();
        assert!(dead.reachable.is_some_and(|state| state[..2] == [true, false]));
        assert!(dead.anywhere.is_some());
    }
}
