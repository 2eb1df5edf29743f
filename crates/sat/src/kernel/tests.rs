//! Derivations: every clause that the kernel derives follows from its chain by unit propagation.

use super::policy::{ClauseId, Everything, ProofSink};
use super::theory::{Certificate, Completion, NoTheory, Theory};
use super::{Kernel, OrderKind, RestartKind, Tuning};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};
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
    fn lemma(&mut self, lits: &[Lit], _: Certificate) -> ClauseId {
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
                let clause = &kernel.proof.sink.clauses[&conclusion];
                assert!(clause.iter().all(|&l| assumed.contains(&!l)), "{clause:?} of {assumed:?}");
            }
            kernel.end_query();
            kernel.simplify();
        }
        n_refuted += usize::from(kernel.proof.sink.refuted);
    }
    assert!(n_refuted > 100, "{n_refuted}");
}

/// Clauses that the kernel does not know, with variables of their own; they are told when there is nothing left to decide.
#[derive(Clone, Default)]
struct Hidden {
    clauses: Vec<Vec<Lit>>,
    /// The search decides what comes before.
    n_known: usize,
    trail: Vec<Lit>,
    n_lemmas: usize,
}

impl Theory for Hidden {
    const ACTIVE: bool = true;
    fn decides(&self, var: Var) -> bool {
        var.index() < self.n_known
    }
    fn holds(&self, _: Lit) -> Option<bool> {
        None
    }
    fn assign(&mut self, lit: Lit, position: usize, _: bool) {
        self.trail.truncate(position);
        self.trail.push(lit);
    }
    fn backtrack(&mut self, position: usize) {
        self.trail.truncate(position);
    }
    fn propagate(&mut self, _: &mut Vec<Lit>, _: &mut Vec<Lit>, _: &mut u64) -> Ask<Option<Certificate>> {
        Ok(None)
    }
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) -> Certificate {
        unreachable!("nothing is implied")
    }
    fn complete(&mut self, clause: &mut Vec<Lit>, _: &mut u64) -> Ask<Completion> {
        for hidden in &self.clauses {
            if hidden.iter().any(|l| self.trail.contains(l)) {
                continue;
            }
            let is_false = |l: &Lit| self.trail.contains(&!*l);
            let mut open = hidden.iter().copied().filter(|l| !is_false(l));
            let (first, second) = (open.next(), open.next());
            if let (Some(lit), Some(_)) = (first, second) {
                return Ok(Completion::Split(lit));
            }
            clause.extend(first.into_iter().chain(hidden.iter().copied().filter(is_false)));
            self.n_lemmas += usize::from(first.is_some());
            return Ok(if first.is_some() { Completion::Lemma(0) } else { Completion::Conflict(0) });
        }
        Ok(Completion::Model)
    }
}

#[test]
fn lemmas_are_learnt_and_derivations_check() {
    let mut rng = fastrand::Rng::with_seed(6);
    let (mut n_lemmas, mut n_refuted) = (0, 0);
    for round in 0..600 {
        let (n_known, n_vars) = (rng.u32(3..7), 10);
        let mut clause = |n: u32| -> Vec<Lit> {
            let mut vars: Vec<u32> = (0..n).collect();
            rng.shuffle(&mut vars);
            vars[..rng.usize(1..4).min(vars.len())].iter().map(|&v| Var::new(v).lit(rng.bool())).collect()
        };
        let hidden = Hidden {
            clauses: (0..20).map(|_| clause(n_vars)).filter(|c| c.len() > 1).collect(),
            n_known: n_known as usize,
            ..Hidden::default()
        };
        let mut all = hidden.clauses.clone();
        let tuning = Tuning { justify: true, seed: round % 3, ..Tuning::default() };
        let mut plain = Kernel::new(Everything, super::policy::NoProof, hidden.clone(), tuning);
        let mut recorded = Kernel::new(Everything, Checker::default(), hidden, tuning);
        for _ in 0..5 {
            plain.end_query();
            recorded.end_query();
            let added = clause(n_known);
            plain.add_clause(&added);
            recorded.add_clause(&added);
            all.push(added);
            let assumed = [Var::new(0).lit(round % 2 == 0), Var::new(1).lit(round % 4 < 2)];
            plain.grow(n_vars as usize);
            recorded.grow(n_vars as usize);
            let holds = |model: u32, l: &Lit| (model >> l.var().index() & 1 == 1) != l.is_negated();
            let expected = (0..1 << n_vars).any(|model| {
                assumed.iter().all(|l| holds(model, l))
                    && all.iter().all(|c| c.iter().any(|l| holds(model, l)))
            });
            assert_eq!(plain.solve(&assumed, &Cancel::new(), None), Ok(expected), "round {round}");
            assert_eq!(recorded.solve(&assumed, &Cancel::new(), None), Ok(expected), "round {round}");
            n_refuted += usize::from(!expected);
        }
        n_lemmas += plain.theory.n_lemmas;
    }
    assert!(n_lemmas > 500 && n_refuted > 500, "{n_lemmas} and {n_refuted}");
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
