//! What single predicates of an order do in a step: lemmas for the checks of ranks.
//!
//! A rank that decision diagrams or facts about stabilizing signals give is a long order of predicates, each of which stays true once it is, or does so while those before it
//! do not change. Whether a relation made of all of them goes down in a step is one question about two copies of all of them, for which a solver finds no such structure by itself.
//! So each predicate is asked about alone first: a question about its own cone. What was shown is assumed in the checks, which ask for
//! all that they have to show as before. A predicate of which nothing was shown makes them harder, and no other.

use crate::query::Query;
use crate::solver::{Solving, Sure};
use indubit_aig::Aig;
use indubit_logic::Lit;

/// What has been shown of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rise {
    /// In each step where it is true, it stays so.
    Stays,
    /// In each step that changes none before it, and where it is true, it stays so.
    StaysInOrder,
}

/// What can be shown of the first predicates in each step that satisfies `assume`; each is given as what it is before the step and after it.
pub(crate) fn rises(aig: &mut Aig, assume: &[Lit], predicates: &[[Lit; 2]], by: &Solving) -> Sure<Vec<Rise>> {
    let mut shown = Vec::new();
    let mut kind = Rise::Stays;
    let mut same = Lit::TRUE;
    // Models of all that is assumed. If there is no such step, each says what anyone likes of it.
    let Some(mut query) = Query::new(aig, assume, &[Lit::FALSE], by.solver_for_many()) else {
        return Ok(vec![Rise::Stays; predicates.len()]);
    };
    for &[before, after] in predicates {
        by.checkpoint()?;
        // In most orders all are of one kind.
        if kind == Rise::Stays && query.has_model(aig, &[before, !after])? {
            kind = Rise::StaysInOrder;
        }
        if kind == Rise::StaysInOrder && query.has_model(aig, &[same, before, !after])? {
            break;
        }
        shown.push(kind);
        query.assume_any(aig, &lemma(kind, same, [before, after]));
        let unchanged = aig.iff(before, after);
        same = aig.and(same, unchanged);
    }
    Ok(shown)
}

/// What was shown, said of a step in which the first predicates are these before and after it.
pub(crate) fn lemmas(aig: &mut Aig, shown: &[Rise], predicates: &[[Lit; 2]]) -> Vec<Lit> {
    let mut same = Lit::TRUE;
    let mut lemmas = Vec::with_capacity(shown.len());
    for (&kind, &[before, after]) in shown.iter().zip(predicates) {
        lemmas.push(aig.or_all(lemma(kind, same, [before, after])));
        if shown.contains(&Rise::StaysInOrder) {
            let unchanged = aig.iff(before, after);
            same = aig.and(same, unchanged);
        }
    }
    lemmas
}

fn lemma(kind: Rise, same: Lit, [before, after]: [Lit; 2]) -> Vec<Lit> {
    match kind {
        Rise::Stays => vec![!before, after],
        Rise::StaysInOrder => vec![!same, !before, after],
    }
}

/// What holds of the states of a step that changes none of the predicates, in one case at least: the first of them that is true comes right after one that is not, or is the first of
/// all; or the last one is false. A case says no more than that of the predicates.
pub(crate) fn cases(predicates: &[[Lit; 2]]) -> Vec<Vec<Lit>> {
    let mut cases = Vec::new();
    let mut last = Vec::new();
    for predicate in predicates {
        cases.push([&last[..], predicate].concat());
        last = predicate.iter().map(|&lit| !lit).collect();
    }
    cases.push(last);
    cases
}
