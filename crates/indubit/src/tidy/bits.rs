//! Invariants without what follows from the rest: people read them, and others check them.
//!
//! Preprocessing states what it rests on in full, and much of that is in the engine's lemmas, too. Each clause is made as simple as its own literals allow. A clause that the others imply can
//! go: what is left holds in the same states. Then lemmas go that no claim needs.

use super::needed::needed;
use crate::prove::decider::Decider;
use indubit_aig::Encoder;
use indubit_run::{Ask, Cancel, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_smt::Theory;
use indubit_system::{BitSystem, Bits, Claim, Invariant, Proof};
use std::cmp::Reverse;

/// Longer invariants are not read by people, and larger models take longer than that is worth.
const MOST_CLAUSES: usize = 200;
const MOST_NODES: usize = 50_000;
/// Each lemma is asked about in steps, if there are not too many of them for the size of the circuit: a fraction of the time that there is.
const MOST_LEMMAS: usize = 60;
const MOST_WORK: usize = 30_000;

/// A proof of some claims with an invariant that says nothing twice, and nothing that it can do without, if it is small.
pub(crate) fn shorter(system: &BitSystem, claims: &[&Claim], proof: &Proof, run: &Run<'_>) -> Option<Proof> {
    if let Proof::Ranked(ranked) = proof {
        let n_more = ranked.with.n_vars().saturating_sub(system.aig().n_vars());
        let mut simple = ranked.clone();
        simple.with = without_implied(system, &ranked.with, n_more, run.cancel()).ok()?;
        return Some(Proof::Ranked(Box::new(simple.tidied())));
    }
    let mut shorter = without_implied(system, proof.invariant(), 0, run.cancel()).ok()?;
    if let (Proof::Inductive(_), Some(needed)) = (proof, needed_of(system, claims, &shorter, run)) {
        shorter = needed;
    }
    let shorter = shorter.without_repetitions();
    Some(proof.clone().map(|_| shorter, |latches| latches, |ranked| ranked))
}

/// What of an invariant some claims need, if that is not too much to find out.
fn needed_of(
    system: &BitSystem,
    claims: &[&Claim],
    invariant: &Invariant,
    run: &Run<'_>,
) -> Option<Invariant> {
    let n = invariant.clauses().len();
    let is_large = n > MOST_LEMMAS || n * system.aig().n_vars() > MOST_WORK;
    if is_large || invariant.n_vars() != system.aig().n_vars() {
        return None;
    }
    let size = |i: usize| invariant.clauses()[i].lits().len();
    let decider = Decider::Ours(Theory::Bits);
    let kept = needed::<Bits>(system, invariant, true, claims, &decider, size, run).ok()??;
    Some(invariant.select(&kept))
}

/// The invariant, which may speak of latches that a proof adds, without clauses that the others imply: first those go that need gates of their own, then long ones.
fn without_implied(
    system: &BitSystem,
    invariant: &Invariant,
    n_memory: usize,
    cancel: &Cancel,
) -> Ask<Invariant> {
    let n_vars = system.aig().n_vars() + n_memory;
    // One that is about another system is for the checker to refuse.
    if invariant.n_vars() != n_vars || n_vars > MOST_NODES || invariant.clauses().len() > MOST_CLAUSES {
        return Ok(invariant.clone());
    }
    let invariant = invariant.simplified(system.aig());
    let clauses = invariant.clauses();
    let mut aig = system.aig().clone();
    (0..n_memory).for_each(|_| {
        aig.leaf();
    });
    let edges = invariant.build(&mut aig, |_, var| var.lit(false));
    let mut solver = Cadical::new(Config::Unsat, cancel);
    let mut encoder = Encoder::new();
    for &edge in &edges {
        encoder.encode(&aig, edge, |clause| solver.add_clause(clause));
    }
    let n_gates =
        |i: usize| clauses[i].lits().iter().filter(|l| l.var().index() >= invariant.n_vars()).count();
    let mut order: Vec<usize> = (0..clauses.len()).collect();
    order.sort_by_key(|&i| Reverse((n_gates(i), clauses[i].lits().len(), i)));
    let mut is_kept = vec![true; clauses.len()];
    for i in order {
        let others = (0..clauses.len()).filter(|&j| j != i && is_kept[j]).map(|j| edges[j]);
        let assumptions: Vec<_> = others.chain([!edges[i]]).collect();
        is_kept[i] = solver.solve(&assumptions)?;
    }
    let kept: Vec<usize> = (0..clauses.len()).filter(|&i| is_kept[i]).collect();
    Ok(invariant.select(&kept))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_logic::Clause;

    #[test]
    fn implied_clauses_go() {
        let mut system = BitSystem::new();
        let [a, b] = ["a", "b"].map(|name| system.add_latch(name, Some(false)));
        let both = system.aig_mut().and(a, b);
        let mut invariant = Invariant::new(system.aig().n_vars());
        let gate = invariant.and(a, !b);
        invariant.add(Clause::new([!both]));
        invariant.add(Clause::new([!a, !b]));
        invariant.add(Clause::new([!a, gate]));
        let shorter = without_implied(&system, &invariant, 0, &Cancel::new()).unwrap();
        assert_eq!(shorter.clauses(), [Clause::new([!both])]);
        let alone = invariant.filtered(|c| c.lits().contains(&gate));
        assert_eq!(without_implied(&system, &alone, 0, &Cancel::new()).unwrap().clauses().len(), 1);
    }
}
