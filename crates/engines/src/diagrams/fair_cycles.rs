//! Fair cycles (E. A. Emerson, C.-L. Lei, *Efficient Model Checking in Fragments of the Propositional Mu-Calculus*, LICS 1986): of all states that can be reached, those are taken away from
//! which some signal cannot be seen any more by a run among those that are left, until there are none, or each has a way to each signal.
//!
//! What is taken away is a proof. A run among the states that were left does not leave a set that is taken away, and the signal is not seen there; it can only come to states
//! that were taken away before. So the sets are a rank, which never rises (the shoals of Froleyks et al., CAV 2026), and where it stays the same a signal is absent.

use super::paths::Goal;
use super::reach::Reached;
use super::space::Space;
use crate::Engine;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Liveness, Proof, Ranked, Trace};

pub(crate) struct FairCycles {
    problem: Liveness,
    most: usize,
}

/// States from which a signal is not seen any more, unless a run goes to sets before this one.
struct Gone {
    states: Bdd,
    signal: usize,
}

/// What a search comes to: a lasso, or all states and in which order they were taken away.
enum Found {
    Lasso(Trace),
    Sets(Bdd, Vec<Gone>),
}

impl FairCycles {
    pub fn new(problem: Liveness, most: usize) -> FairCycles {
        FairCycles { problem, most }
    }
    fn search(&self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let circuit = self.problem.circuit();
        let (mut space, signals) = Space::new(circuit, self.problem.signals(), self.most, run)?;
        let found = self.decide(&mut space, &signals, run);
        run.count("times that variables were sifted", space.n_sifted);
        run.count("nodes of decision diagrams", space.all.n_nodes() as u64);
        Ok(match found? {
            Found::Lasso(lasso) => Conclusion::Unsafe(lasso),
            Found::Sets(states, gone) => {
                Conclusion::Safe(Proof::Ranked(Box::new(self.proof(space, states, &gone)?)))
            }
        })
    }
    fn decide(&self, space: &mut Space<'_>, signals: &[Bdd], run: &mut Run<'_>) -> Ask<Found> {
        let Reached { rings, states, .. } = space.reach(Bdd::FALSE, &mut None, run)?;
        run.count("steps to all states", rings.len() as u64 - 1);
        space.stay_inside(states)?;
        let mut gone: Vec<Gone> = Vec::new();
        let slot = space.slot();
        let mut left = space.set(slot, states);
        let mut n_unchanged = 0;
        for signal in (0..signals.len()).cycle() {
            if left == Bdd::FALSE || n_unchanged == signals.len() {
                break;
            }
            let with = space.with_way_to(signals[signal], left, run)?;
            n_unchanged += 1;
            if with != left {
                let states = space.minus(left, with)?;
                gone.push(Gone { states: space.hold(states), signal });
                left = space.set(slot, with);
                n_unchanged = 0;
            }
        }
        run.count("sets without a signal", gone.len() as u64);
        Ok(match left {
            Bdd::FALSE => Found::Sets(space.hold(states), gone),
            _ => Found::Lasso(lasso(space, &rings, left, signals, run)?),
        })
    }
    /// The sets that are gone, one after the other together with those before, never are left again.
    fn proof(&self, mut space: Space<'_>, states: Bdd, gone: &[Gone]) -> Ask<Ranked> {
        let n_signals = self.problem.signals().len();
        let mut sets = vec![states];
        sets.extend(space.unions(states, gone.iter().map(|set| set.states))?);
        for signal in 0..n_signals {
            let here = gone.iter().filter(|set| set.signal == signal).map(|set| set.states);
            sets.push(space.union_in(states, here)?);
        }
        let n_vars = self.problem.circuit().aig.n_vars();
        let mut proof = Ranked::new(n_vars, Vec::new(), Vec::new(), n_signals);
        space.only(&sets)?;
        space.conjoin(states, &mut proof.with)?;
        for (i, &set) in sets[1..].iter().enumerate() {
            let lit = space.gate_within(set, states, &mut proof.with)?;
            match i.checked_sub(gone.len()) {
                None => proof.order.push(lit),
                Some(signal) => proof.absent[signal] = lit,
            }
        }
        Ok(proof.tidied())
    }
}

impl Space<'_> {
    /// The union of sets, as simple as it can be where nothing depends on what it is outside of `states`. It is held.
    pub fn union_in(&mut self, states: Bdd, sets: impl Iterator<Item = Bdd>) -> Ask<Bdd> {
        let mut union = Bdd::FALSE;
        for set in sets {
            union = self.or(union, set)?;
        }
        let simple = self.ask(&[union, states], |all| all.restrict(union, states))?;
        Ok(self.hold(simple))
    }
    /// The unions of sets, each with those before it, as [`union_in`](Self::union_in) makes them.
    pub fn unions(&mut self, states: Bdd, sets: impl Iterator<Item = Bdd>) -> Ask<Vec<Bdd>> {
        let mut unions = Vec::new();
        let mut all = Bdd::FALSE;
        for set in sets {
            all = self.or(all, set)?;
            self.hold(all);
            unions.push(self.union_in(states, std::iter::once(all))?);
        }
        Ok(unions)
    }
    /// The states of a set from which a run among them comes to a step that sees a signal and stays in the set.
    pub fn with_way_to(&mut self, signal: Bdd, set: Bdd, run: &mut Run<'_>) -> Ask<Bdd> {
        let base = self.slot();
        let before = self.preimage(set, signal)?;
        let mut new = self.and(before, set)?;
        let mut found = new;
        while new != Bdd::FALSE {
            run.checkpoint()?;
            run.spend(1);
            self.set(base, found);
            let before = self.preimage(new, Bdd::TRUE)?;
            let before = self.and(before, set)?;
            new = self.minus(before, found)?;
            found = self.ask(&[found, new], |all| all.or(found, new))?;
        }
        self.release_from(base);
        Ok(found)
    }
}

/// A run to one of these states, from each of which there is a way among them to a step that sees each signal, and around.
fn lasso(space: &mut Space<'_>, rings: &[Bdd], fair: Bdd, signals: &[Bdd], run: &mut Run<'_>) -> Ask<Trace> {
    let mut first = (0, Bdd::FALSE);
    for (k, &ring) in rings.iter().enumerate() {
        first = (k, space.and(ring, fair)?);
        if first.1 != Bdd::FALSE {
            break;
        }
    }
    let (mut state, _) = space.pick(first.1).expect("a fair state was reached");
    let mut trace = space.path(&rings[..first.0], state.clone())?;
    loop {
        let (begin, start) = (trace.inputs.len(), state.clone());
        for &signal in signals {
            let has_way = space.go(&mut state, &mut trace.inputs, Goal::Seen(signal), fair, run)?;
            assert!(has_way, "each fair state has a way to each signal");
        }
        let base = space.slot();
        let goal = space.singleton(&start, false)?;
        space.set(base, goal);
        let is_back = space.go(&mut state, &mut trace.inputs, Goal::State(goal), fair, run)?;
        space.release_from(base);
        if is_back {
            trace.loops_to = Some(begin);
            return Ok(trace);
        }
        // There is no way back, so the states that can still be reached are fewer: it ends.
    }
}

impl Engine for FairCycles {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        self.search(run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to: None })
    }
}
