//! States from which no fair path stays where it would have to.
//!
//! Set number `k` has a ranked proof that no infinite run sees all signals infinitely often: a run of the circuit that begins anywhere in the set, and in each step keeps the constraints, stays in the
//! invariant, where what is inside the operator is not said to fail, where a fair path is not said to be missing, and out of the sets before. A fair path from the set would be such a
//! run, or come to one of the sets before, and go on from there as a fair path.
//!
//! That such runs do not exist is a justice property of a system that is made here, and its proof is checked as any other. Where its order is made of predicates that stay true, which is what sets make that were
//! taken away one after the other, there is a simpler reason, which speaks of one step instead of two, and of one predicate at a time: see [`Runs::comes_to_rest`].

use crate::evidence::check_proof;
use crate::query::refute;
use crate::solver::Sure;
use crate::{Reason, Solving};
use indubit_aig::{Aig, Import};
use indubit_logic::{Lit, Var};
use indubit_system::{BitSystem, Branching, Justice, Proof, Stuck};

/// The runs that stay where a path that satisfies `EG` has to stay.
pub(super) struct Runs {
    system: BitSystem,
    /// A latch that is true in the first step only.
    first: Lit,
    /// What a fair run sees infinitely often.
    signals: Vec<Lit>,
    /// The number of nodes that the circuit of the graph has.
    n_vars: usize,
}

impl Runs {
    /// In a circuit that begins with that of the graph, and in which all of `kept` holds in each step.
    pub fn new(
        model: &BitSystem,
        graph: &Branching,
        source: &Aig,
        kept: impl IntoIterator<Item = Lit>,
    ) -> Runs {
        let circuit = &graph.circuit;
        let position = circuit.latch_positions();
        let n_own = model.latches().len();
        let label = |latch: usize| match latch.checked_sub(n_own) {
            None => model.latch_label(latch),
            Some(shown) => model.input_label(graph.shown[shown]),
        };
        let mut system = BitSystem::new();
        // Nodes keep their numbers.
        for index in 1..source.n_vars() {
            let var = Var::from_index(index);
            match (source.fanins(var), position.get(index).copied().flatten()) {
                (Some([a, b]), _) => system.aig_mut().raw_and(a, b),
                (None, Some(latch)) => system.add_latch(&label(latch as usize), None),
                (None, None) => system.push_input(None),
            };
        }
        for latch in &circuit.latches {
            system.set_next(Lit::positive(latch.var), latch.next);
        }
        for lit in circuit.constraints.iter().copied().chain(kept).filter(|&lit| lit != Lit::TRUE) {
            system.add_constraint("", lit);
        }
        system.justice.push(Justice { lits: graph.signals(), name: None });
        let first = system.add_latch("first", Some(true));
        system.set_next(first, Lit::FALSE);
        Runs { system, first, signals: graph.signals(), n_vars: circuit.aig.n_vars() }
    }

    /// Is no such run from this set fair? From now on no run comes to it.
    pub fn check(&mut self, stuck: &Stuck, by: &Solving) -> Sure<Result<(), Reason>> {
        debug_assert_eq!(stuck.why.n_vars(), self.n_vars, "shapes are checked first");
        if self.comes_to_rest(stuck, by)? {
            self.system.add_constraint("", !stuck.states);
            return Ok(Ok(()));
        }
        let mut system = self.system.clone();
        let begins = system.aig_mut().implies(self.first, stuck.states);
        system.add_constraint("", begins);
        self.system.add_constraint("", !stuck.states);
        let property = &system.properties()[0];
        let why = stuck.why.carried(system.aig().n_vars(), Lit::positive);
        Ok(check_proof(&system, property, &Proof::Ranked(Box::new(why)), by)?)
    }

    /// Does each predicate of the order stay true, so that a run comes to a point from which on none changes, and is some signal absent in steps in which none does, and stays so? All of it in the
    /// invariant of the proof, in which runs from the set begin, and which they do not leave. Then no such run is fair; if not, there may be another reason.
    fn comes_to_rest(&self, stuck: &Stuck, by: &Solving) -> Sure<bool> {
        let why = &stuck.why;
        let is_plain = why.memory().is_empty() && why.second().is_empty() && why.relation == Lit::TRUE;
        if !is_plain || why.absent.len() != self.signals.len() {
            return Ok(false);
        }
        let mut source = self.system.aig().clone();
        let asked: Vec<Lit> = why.order.iter().chain(&why.absent).copied().collect();
        let (kept, asked) = why.with.build_with(&mut source, |_, var| Lit::positive(var), &asked);
        let (order, absent) = asked.split_at(why.order.len());
        // The moment of a step is the circuit as it is; the one after it has inputs of its own.
        let mut aig = source.clone();
        let mut after = Import::new(&source);
        self.system.inputs().iter().for_each(|input| after.set(input.lit.var(), aig.leaf()));
        self.system.latches().iter().for_each(|latch| after.set(latch.var, latch.next));
        let mut then = |aig: &mut Aig, lit: Lit| after.lit(&source, aig, lit);

        let here: Vec<Lit> = self.system.constraints.iter().map(|c| c.lit).collect();
        let mut begins = here.clone();
        begins.push(stuck.states);
        if refute(&aig, &begins, &kept, by)?.is_some() {
            return Ok(false);
        }
        let mut step = here.clone();
        step.extend(here.iter().map(|&lit| then(&mut aig, lit)));
        step.extend(&kept);
        let goals: Vec<Lit> = kept.iter().map(|&lit| then(&mut aig, lit)).collect();
        if refute(&aig, &step, &goals, by)?.is_some() {
            return Ok(false);
        }
        step.extend(goals);
        let mut rests = step.clone();
        for &predicate in order {
            by.checkpoint()?;
            let later = then(&mut aig, predicate);
            step.push(predicate);
            if refute(&aig, &step, &[later], by)?.is_some() {
                return Ok(false);
            }
            step.pop();
            rests.push(aig.or(predicate, !later));
        }
        let mut goals = vec![aig.or_all(absent.iter().copied())];
        for (&signal, &absent) in self.signals.iter().zip(absent) {
            let later = then(&mut aig, absent);
            let stays = aig.and(!signal, later);
            goals.push(aig.implies(absent, stays));
        }
        Ok(refute(&aig, &rests, &goals, by)?.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::Cancel;
    use indubit_system::Ranked;

    /// Does a run of one latch, which becomes what it is told, come to rest by this order, with each of these signals absent where it is said to be?
    fn comes_to_rest(
        next: impl Fn(Lit) -> Lit,
        order: impl Fn(Lit) -> Vec<Lit>,
        signals: impl Fn(Lit) -> Vec<[Lit; 2]>,
    ) -> bool {
        let mut system = BitSystem::new();
        let latch = system.add_latch("a", None);
        system.set_next(latch, next(latch));
        let (signals, absent): (Vec<Lit>, Vec<Lit>) =
            signals(latch).into_iter().map(|[signal, absent]| (signal, absent)).unzip();
        let n_vars = system.aig().n_vars();
        let mut why = Ranked::new(n_vars, Vec::new(), Vec::new(), signals.len());
        (why.order, why.absent) = (order(latch), absent);
        let runs = Runs { system, first: Lit::FALSE, signals, n_vars };
        let stuck = Stuck { states: Lit::TRUE, why };
        let found = [false, true].map(|paranoid| {
            let by = Solving::new(&Cancel::new()).with_paranoia(paranoid);
            runs.comes_to_rest(&stuck, &by).unwrap_or_else(|_| panic!("nobody ends it"))
        });
        assert_eq!(found[0], found[1]);
        found[0]
    }

    #[test]
    fn runs_that_come_to_rest_and_others() {
        // The latch rises, and the signal is that it has not yet risen.
        let rises = |_| Lit::TRUE;
        assert!(comes_to_rest(rises, |a| vec![a], |a| vec![[!a, a]]));
        assert!(!comes_to_rest(rises, |_| vec![], |a| vec![[!a, a]]), "the order does not say so");
        assert!(!comes_to_rest(rises, |a| vec![a], |a| vec![[a, a]]), "the signal is seen at rest");
        assert!(!comes_to_rest(rises, |a| vec![a], |a| vec![[!a, Lit::FALSE]]), "nothing is absent");
        // It blinks: what rises falls again, and comes back.
        let blinks = |a: Lit| !a;
        assert!(!comes_to_rest(blinks, |a| vec![a], |a| vec![[!a, Lit::TRUE]]));
        assert!(!comes_to_rest(blinks, |_| vec![], |_| vec![[Lit::TRUE, Lit::FALSE]]));
        // In each step one of two signals is absent, but not the same one for ever.
        assert!(!comes_to_rest(blinks, |_| vec![], |a| vec![[a, !a], [!a, a]]));
        // Without signals nothing may go on.
        assert!(!comes_to_rest(blinks, |_| vec![], |_| vec![]));
    }
}
