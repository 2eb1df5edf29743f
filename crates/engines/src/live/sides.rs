//! Facts on one side of a literal at rest.
//!
//! At the end of a run a literal at rest is true for ever or false for ever. So facts can be looked for on either side, where more of them are true; and where
//! they leave no step in which some signal is seen, no counterexample ends, which is a fact about the other side. (FAIR looks for walls within a side of
//! those it has: A. R. Bradley, F. Somenzi, Z. Hassan, Y. Zhang, *An Incremental Approach to Model Checking Progress Properties*, FMCAD 2011.)

use super::stabilize::{Candidate, Search, Side, TICKS_PER_FACT};
use super::watch::different;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_sat::Solve;
use indubit_system::{Fact, Safety};

/// More effort than that is not taken for sides, but for facts that are found there.
const MOST_TICKS: u64 = 10_000_000;

impl Search {
    /// Look for facts on both sides of each literal at rest, until none has a side where no counterexample ends.
    pub(super) fn look_at_sides(
        &mut self,
        circuit: &mut Safety,
        mut candidates: Vec<Candidate>,
        run: &mut Run<'_>,
    ) -> Ask<()> {
        let for_found = TICKS_PER_FACT * self.found.len() as u64;
        self.most = (self.effort() + MOST_TICKS).saturating_sub(for_found);
        while self.unseen.is_none() {
            if !self.close_side(circuit, &candidates, run)? {
                break;
            }
            candidates = self.run(circuit, candidates, run)?;
        }
        Ok(())
    }

    /// Find a side where no counterexample ends.
    fn close_side(&mut self, circuit: &mut Safety, candidates: &[Candidate], run: &mut Run<'_>) -> Ask<bool> {
        let mut any = false;
        for lit in self.open.clone() {
            for side in [lit, !lit] {
                if self.is_tired() || self.unseen.is_some() {
                    return Ok(any);
                }
                if let Some(signal) = self.unseen_at(circuit, side, candidates, run)? {
                    self.assert(circuit, !side);
                    self.steps.retain(|step| step.value(!side));
                    self.tell(Fact::is(!side, signal));
                    self.open.retain(|other| other.var() != lit.var());
                    any = true;
                    break;
                }
            }
        }
        Ok(any)
    }

    /// The signal that is not seen on a side, as facts there show, if there is one. Else they are forgotten.
    fn unseen_at(
        &mut self,
        circuit: &mut Safety,
        side: Lit,
        candidates: &[Candidate],
        run: &mut Run<'_>,
    ) -> Ask<Option<usize>> {
        let (n_found, open, steps) = (self.found.len(), self.open.clone(), self.steps.clone());
        self.steps.retain(|step| step.value(side));
        let active = circuit.aig.leaf();
        self.encode(circuit, side);
        self.open.retain(|other| other.var() != side.var());
        self.side = Some(Side { lit: side, active });
        // Each side has its own steps, and what is known there its own clauses.
        self.n_nodes += (steps.len() * circuit.aig.n_vars() / 64) as u64;
        for signal in different(&circuit.also) {
            if self.unseen.is_none() && !self.solve(&[circuit.also[signal]])? {
                self.unseen = Some(signal);
            }
        }
        if self.unseen.is_none() {
            self.run(circuit, candidates.to_vec(), run)?;
        }
        self.side = None;
        self.open = open;
        self.solver.add_clause(&[!active]);
        let unseen = self.unseen.take();
        if unseen.is_none() {
            self.found.truncate(n_found);
            // What was found here keeps to what is known elsewhere, too.
            self.steps.extend(steps.into_iter().filter(|step| step.value(!side)));
        } else {
            self.steps = steps;
        }
        Ok(unseen)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::super::stabilize::{Stabilize, stabilizing};
    use super::*;
    use indubit_aig::Aig;
    use indubit_run::Cancel;
    use indubit_system::{Liveness, StateVar};

    /// A latch that keeps its value, and one that only rises where that is true, and only falls where it is not; the facts if a signal is watched.
    fn facts(signal: impl Fn(&mut Aig, [Lit; 3]) -> Lit) -> (Lit, Vec<Fact>) {
        let mut aig = Aig::new();
        let [keeps, moves, input] = [(); 3].map(|()| aig.leaf());
        let (risen, fallen) = (aig.or(moves, input), aig.and(moves, input));
        let next = aig.ite(keeps, risen, fallen);
        let signal = signal(&mut aig, [keeps, moves, next]);
        let latch = |now: Lit, next| StateVar { var: now.var(), next, init: None };
        let latches = vec![latch(keeps, keeps), latch(moves, next)];
        let inputs = vec![input.var()];
        let circuit =
            Safety { aig, inputs, latches, bad: Lit::FALSE, also: vec![signal], constraints: Vec::new() };
        let run = &mut Run::new(Cancel::new());
        (keeps, stabilizing(&Liveness::new(circuit), Stabilize::Latches, run).unwrap())
    }
    fn is_known(facts: &[Fact], lit: Lit) -> bool {
        facts.iter().any(|fact| *fact == Fact::is(lit, 0))
    }

    #[test]
    fn what_changes_once_on_each_side_rests() {
        let (keeps, facts) = facts(|aig, [_, moves, next]| aig.xor(moves, next));
        // There is nothing to be seen where it rises; and then it only falls, so nothing is under that any more.
        assert!(is_known(&facts, keeps) || is_known(&facts, !keeps), "{facts:?}");
        assert!(facts.iter().any(|fact| fact.under.len() == 1), "{facts:?}");
        let last = facts.last().unwrap();
        assert!(last.under.is_empty() && last.lit.var() != keeps.var(), "{facts:?}");
    }

    #[test]
    fn what_is_seen_on_both_sides_says_nothing_of_them() {
        let (keeps, facts) = facts(|_, [_, moves, _]| moves);
        assert!(facts.iter().all(|fact| fact.under.is_empty()), "{facts:?}");
        assert!(!is_known(&facts, keeps) && !is_known(&facts, !keeps), "{facts:?}");
    }
}
