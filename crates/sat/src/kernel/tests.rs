//! Derivations: every clause that the kernel derives follows from its chain by unit propagation.

use super::policy::{ClauseId, Everything, ProofSink};
use super::theory::NoTheory;
use super::{Kernel, OrderKind, RestartKind, Tuning};
use indubit_logic::{Lit, Var};
use indubit_run::Cancel;
use std::collections::HashMap;

/// Checks each derivation as it comes, as an LRAT checker does.
#[derive(Clone, Default)]
struct Checker {
    clauses: HashMap<ClauseId, Vec<Lit>>,
    n_names: ClauseId,
    refuted: bool,
}

impl Checker {
    fn add(&mut self, lits: &[Lit]) -> ClauseId {
        self.n_names += 1;
        self.clauses.insert(self.n_names, lits.to_vec());
        self.n_names
    }
}

impl ProofSink for Checker {
    const RECORDS: bool = true;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        self.add(lits)
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        let mut falsified: Vec<Lit> = lits.to_vec();
        let (last, units) = chain.split_last().expect("a derivation has a chain");
        for id in units {
            let clause = &self.clauses[id];
            let mut open = clause.iter().filter(|l| !falsified.contains(l));
            let unit = *open.next().expect("a hint before the last is not false yet");
            assert!(open.all(|&l| l == unit), "hint {clause:?} is not a unit under {falsified:?}");
            falsified.push(!unit);
        }
        let conflict = &self.clauses[last];
        assert!(conflict.iter().all(|l| falsified.contains(l)), "{lits:?} does not follow from {conflict:?}");
        self.refuted |= lits.is_empty();
        self.add(lits)
    }
    fn deleted(&mut self, id: ClauseId) {
        self.clauses.remove(&id).expect("a clause is deleted once");
    }
}

#[test]
fn derivations_check() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut n_refuted = 0;
    for round in 0..1500 {
        let order = if round % 2 == 0 { OrderKind::Heap } else { OrderKind::Buckets };
        let restarts = match round % 3 {
            0 => RestartKind::Glue,
            _ => RestartKind::Luby { interval: 1 + round % 7 },
        };
        let tuning = Tuning { order, restarts, eliminate: rng.bool(), seed: round % 3, ..Tuning::default() };
        let mut kernel = Kernel::new(Everything, Checker::default(), NoTheory, tuning);
        let n_vars = rng.u32(4..40);
        for _ in 0..4 {
            kernel.end_query();
            for _ in 0..n_vars + rng.u32(0..3 * n_vars) / 2 {
                let lits: Vec<Lit> =
                    (0..rng.usize(2..4)).map(|_| Var::new(rng.u32(0..n_vars)).lit(rng.bool())).collect();
                kernel.add_clause(&lits);
            }
            let assumptions = [Var::new(rng.u32(0..n_vars)).lit(rng.bool())];
            let plain: &[Lit] = if rng.bool() { &[] } else { &assumptions };
            kernel.grow(n_vars as usize);
            let guard = Lit::positive(Var::new(n_vars));
            kernel.grow(n_vars as usize + 1);
            let temporary: Vec<Lit> =
                (0..rng.usize(1..5)).map(|_| Var::new(rng.u32(0..n_vars)).lit(rng.bool())).collect();
            let mut assumed = plain.to_vec();
            if rng.bool() {
                kernel.add_temporary(guard, &temporary);
                assumed.insert(0, guard);
            }
            let satisfiable = kernel.solve(&assumed, &Cancel::new(), None).unwrap();
            if !satisfiable {
                let conclusion = kernel.conclusion().expect("these assumptions do not contradict each other");
                let clause = &kernel.proof.clauses[&conclusion];
                assert!(clause.iter().all(|&l| assumed.contains(&!l)), "{clause:?} of {assumed:?}");
            }
            kernel.end_query();
            kernel.simplify();
        }
        n_refuted += usize::from(kernel.proof.refuted);
    }
    assert!(n_refuted > 100, "{n_refuted}");
}

#[test]
fn effort_is_limited_and_cancelled() {
    // Nine pigeons in eight holes: hard enough to need many conflicts.
    let (pigeons, holes) = (9u32, 8u32);
    let at = |p: u32, h: u32| Lit::positive(Var::new(p * holes + h));
    let mut kernel = Kernel::new(Everything, super::policy::NoProof, NoTheory, Tuning::default());
    for p in 0..pigeons {
        kernel.add_clause(&(0..holes).map(|h| at(p, h)).collect::<Vec<_>>());
        for other in 0..p {
            for h in 0..holes {
                kernel.add_clause(&[!at(p, h), !at(other, h)]);
            }
        }
    }
    assert!(kernel.clone().solve(&[], &Cancel::new(), Some(50_000)).is_err(), "a limit of ticks");
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(kernel.solve(&[], &cancel, None).is_err(), "a raised flag");
}
