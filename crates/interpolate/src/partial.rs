//! Partial interpolants, clause by clause, for all cuts in one pass over the proof.
//!
//! For a cut and a clause C with a derivation, the partial interpolant I satisfies, where `C|x` are the literals of C
//! with label x or both labels,
//!
//! - A ∧ ¬C|a → I and B ∧ ¬C|b → ¬I, and I has only variables that A and B share.
//!
//! The empty clause's is the interpolant. By the rules of labelled interpolation (D'Silva et al., VMCAI 2010, Definition 7),
//! a clause of A has the disjunction of its literals labelled b only, a clause of B the conjunction of the negations of those
//! labelled a only; a resolution on x combines with ∨ if x is labelled a, with ∧ if b, and with a choice by x if both.
//!
//! **What follows from A alone is a clause of A.** A derived clause that rests on one side of a cut only is treated there as
//! if it had been given, which is right because that side implies it. So a clause that rests on parts `first..=last`
//! needs stored partial interpolants at the cuts between these parts only; at the others they are read off the clause,
//! and how it was derived does not matter. Lemmas of a theory rest on the parts that their atoms need (`lemma`). A derived clause may have more literals than its derivation needs, even of
//! variables that its side does not have; these are left out, since the clause follows without them.
//!
//! **Sequences.** Let cut 1 be X | YZ, and cut 2, one part later, XY | Z. By induction over the derivation of C,
//!
//! - I₁ ∧ Y ∧ ¬σ → I₂, where σ are the literals of C that are not labelled a only at cut 1, nor b only at cut 2.
//!
//! For clauses given in X, Y or Z this is propositional, and for lemmas of a theory it is what `lemma` asks of them. A resolution on x keeps it if x is not labelled (a, b), (a, both) or
//! (both, b) at the two cuts: and it is not, since in each of the three systems a label only moves from b over both to a
//! from cut to cut. A derived clause that is treated as given at one of the cuts keeps it by the two implications above
//! for the other one. For the empty clause, σ is empty: the interpolants of all cuts are a sequence, if the system is the same
//! (path interpolation in Gurfinkel, Rollini, Sharygina, *Interpolation Properties and SAT-Based Model Checking*, ATVA 2013).

use crate::label::{Side, Span, System};
use crate::lemma::{self, Lemmas, Range};
use crate::replay::Replay;
use crate::rules::Rules;
use indubit_aig::Aig;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};
use indubit_sat::proof::{ClauseId, Log, Origin};
use indubit_sat::theory::Certificate;
use std::ops::RangeInclusive;

/// A unit clause of a part: an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) lit: Lit,
    pub(crate) part: u32,
}

/// What a refutation ends with: a clause, each literal of which is the negation of a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// A clause of the log.
    Clause(ClauseId),
    /// A unit itself.
    Unit(Unit),
}

/// Interpolants at several cuts, as edges of a graph of their own.
pub struct Interpolants {
    /// One for each cut.
    pub roots: Vec<Lit>,
    /// The graph.
    pub aig: Aig,
    /// The variables that occur, with their leaves.
    pub variables: Vec<(Var, Lit)>,
    /// The formulas of the theory that occur, by their numbers, with their leaves.
    pub formulas: Vec<(usize, Lit)>,
}

/// The interpolants at `cuts` of a refutation that ends with `end`, resolved with `units`, one for each of its literals.
pub(crate) fn interpolants(
    log: &Log,
    end: End,
    units: &[Unit],
    cuts: &RangeInclusive<u32>,
    system: System,
    lemmas: &mut impl Lemmas,
    cancel: &Cancel,
) -> Ask<Interpolants> {
    let mut pass = Pass::new(log, end, cuts, system);
    pass.locate(end, units);
    pass.place(lemmas)?;
    for index in 0..pass.proof.ids.len() {
        cancel.checkpoint()?;
        pass.add(index, lemmas)?;
    }
    let roots = pass.finish(end, units);
    Ok(pass.rules.into_interpolants(roots))
}

/// The clauses that the refutation rests on, in order.
struct Trimmed<'l> {
    log: &'l Log,
    ids: Vec<ClauseId>,
    /// By name: the position in `ids`, of those that are there.
    positions: Vec<u32>,
    nodes: Vec<Node>,
    cuts: &'l RangeInclusive<u32>,
    /// The partial interpolants of each node at those cuts that have it on both sides.
    stored: Vec<Lit>,
}

struct Node {
    /// The parts that it was derived from.
    span: Span,
    /// Where its partial interpolants begin.
    at: usize,
}

impl Trimmed<'_> {
    fn lits(&self, index: usize) -> &[Lit] {
        self.log.clause(self.ids[index])
    }

    /// The partial interpolant of a clause at a cut: a stored one, or read off the clause if one side implies it.
    fn at_cut(&self, index: usize, cut: u32, rules: &mut Rules) -> Lit {
        let Node { span, at, .. } = self.nodes[index];
        match span.side(cut) {
            Side::Both => self.stored[at + (cut - span.cuts(self.cuts).start()) as usize],
            side => rules.given(self.lits(index), side, cut),
        }
    }
}

struct Pass<'l> {
    proof: Trimmed<'l>,
    rules: Rules,
    replay: Replay,
}

impl<'l> Pass<'l> {
    fn new(log: &'l Log, end: End, cuts: &'l RangeInclusive<u32>, system: System) -> Pass<'l> {
        let ids = match end {
            End::Clause(id) => log.support(id),
            End::Unit(_) => Vec::new(),
        };
        let mut positions = vec![0; ids.last().map_or(0, |&last| last as usize + 1)];
        (0..).zip(&ids).for_each(|(position, &id)| positions[id as usize] = position);
        let lits = ids.iter().flat_map(|&id| log.clause(id)).copied();
        let last = if let End::Unit(unit) = end { Some(unit.lit) } else { None };
        let n_vars = lits.chain(last).map(|l| l.var().index() + 1).max().unwrap_or(0);
        let nodes = Vec::with_capacity(ids.len());
        let proof = Trimmed { log, ids, positions, nodes, cuts, stored: Vec::new() };
        Pass { proof, rules: Rules::new(system, n_vars), replay: Replay::new(n_vars) }
    }

    /// Find out where variables occur: in the clauses and units that are used, whatever else there is.
    fn locate(&mut self, end: End, units: &[Unit]) {
        let Trimmed { log, ids, .. } = &self.proof;
        for &id in ids {
            if let Origin::Given { part } = log.origin(id) {
                self.rules.occur(log.clause(id), part);
            }
        }
        let last = if let End::Unit(unit) = end { Some(unit) } else { None };
        for unit in units.iter().chain(&last) {
            self.rules.occur(&[unit.lit], unit.part);
        }
    }

    /// Find out where atoms are to be counted that only lemmas have.
    fn place(&mut self, lemmas: &mut impl Lemmas) -> Ask<()> {
        let Pass { proof: Trimmed { log, ids, .. }, rules, .. } = self;
        let in_lemmas = ids.iter().filter(|&&id| matches!(log.origin(id), Origin::Lemma { .. }));
        let mut atoms: Vec<Var> = in_lemmas.flat_map(|&id| log.clause(id)).map(|l| l.var()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        let known: Vec<(Var, Range)> =
            atoms.iter().filter_map(|&var| Some((var, rules.span(var).range()?))).collect();
        atoms.retain(|&var| rules.span(var).range().is_none());
        let ranges = lemmas.place(&known, &atoms)?;
        for (&var, range) in atoms.iter().zip(ranges) {
            rules.place(var, Span::new(range));
        }
        Ok(())
    }

    /// Add the node of a lemma.
    fn add_lemma(&mut self, index: usize, certificate: Certificate, lemmas: &mut impl Lemmas) -> Ask<()> {
        let Pass { proof, rules, .. } = self;
        let lits = proof.log.clause(proof.ids[index]);
        let span = lemma::span(lits.iter().map(|l| rules.span(l.var())));
        let at = proof.stored.len();
        for cut in span.cuts(proof.cuts) {
            let is_a = |lit: Lit| rules.label(lit, cut) == Side::A;
            let contribution = lemmas.contribution(lits, certificate, &is_a)?;
            proof.stored.push(rules.contributed(contribution));
        }
        proof.nodes.push(Node { span, at });
        Ok(())
    }

    /// Add the node of a clause; those it rests on have theirs.
    fn add(&mut self, index: usize, lemmas: &mut impl Lemmas) -> Ask<()> {
        if let Origin::Lemma { certificate } = self.proof.log.origin(self.proof.ids[index]) {
            return self.add_lemma(index, certificate, lemmas);
        }
        let Pass { proof, rules, replay } = self;
        let id = proof.ids[index];
        let chain = match proof.log.origin(id) {
            Origin::Given { part } => {
                proof.nodes.push(Node { span: Span::part(part), at: 0 });
                return Ok(());
            }
            Origin::Derived { chain } => chain,
            Origin::Lemma { .. } => unreachable!("lemmas have been dealt with"),
        };
        let position = |used: &ClauseId| proof.positions[*used as usize] as usize;
        let mut span = Span::NOWHERE;
        chain.iter().for_each(|used| span.join(proof.nodes[position(used)].span));
        if span.cuts(proof.cuts).is_empty() {
            proof.nodes.push(Node { span, at: 0 });
            return Ok(());
        }
        replay.derive(proof.log.clause(id), chain.iter().map(position), |i| proof.lits(i));
        span = proof.nodes[replay.start].span;
        replay.steps.iter().for_each(|&(used, _)| span.join(proof.nodes[used].span));
        let at = proof.stored.len();
        for cut in span.cuts(proof.cuts) {
            let start = proof.at_cut(replay.start, cut, rules);
            proof.stored.push(start);
        }
        for &(used, lit) in &replay.steps {
            for (offset, cut) in span.cuts(proof.cuts).enumerate() {
                let other = proof.at_cut(used, cut, rules);
                let running = &mut proof.stored[at + offset];
                *running = rules.resolved(lit, cut, other, *running);
            }
        }
        proof.nodes.push(Node { span, at });
        Ok(())
    }

    /// Resolve the end with the units.
    fn finish(&mut self, end: End, units: &[Unit]) -> Vec<Lit> {
        let Pass { proof, rules, .. } = self;
        let last = proof.nodes.len().wrapping_sub(1);
        let (lits, span) = match &end {
            End::Clause(_) => (proof.lits(last), proof.nodes[last].span),
            End::Unit(unit) => (std::slice::from_ref(&unit.lit), Span::part(unit.part)),
        };
        let units: Vec<Unit> = units.iter().copied().filter(|u| lits.contains(&!u.lit)).collect();
        debug_assert_eq!(units.len(), lits.len(), "a unit for each literal");
        let mut whole = span;
        units.iter().for_each(|u| whole.join(Span::part(u.part)));
        let at = |cut: u32| {
            match whole.side(cut) {
                Side::A => return Lit::FALSE,
                Side::B => return Lit::TRUE,
                Side::Both => (),
            }
            let mut running = match end {
                End::Clause(_) => proof.at_cut(last, cut, rules),
                End::Unit(_) => rules.given(lits, span.side(cut), cut),
            };
            for unit in &units {
                let other = rules.given(&[unit.lit], Span::part(unit.part).side(cut), cut);
                running = rules.resolved(unit.lit, cut, other, running);
            }
            running
        };
        proof.cuts.clone().map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lemma::NoLemmas;
    use indubit_sat::proof::ProofSink;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|n| Var::new(n.unsigned_abs()).lit(*n < 0)).collect()
    }

    /// A derived clause may have literals that its derivation does not need, of variables that its side does not have.
    #[test]
    fn literals_that_were_not_derived_do_not_count() {
        let mut log = Log::new();
        let [a, b] = [[1].as_slice(), &[-1, 2]].map(|c| log.given(&lits(c)));
        let weak = log.derived(&lits(&[2, 5]), &[a, b]);
        log.part = 1;
        let rest = [[-5].as_slice(), &[-2, 3], &[-3]].map(|c| log.given(&lits(c)));
        let end = End::Clause(log.derived(&[], &[rest[0], weak, rest[1], rest[2]]));
        for system in System::ALL {
            let found =
                interpolants(&log, end, &[], &(0..=2), system, &mut NoLemmas, &Cancel::new()).unwrap();
            assert_eq!(found.variables.iter().map(|(var, _)| *var).collect::<Vec<_>>(), [Var::new(2)]);
            assert_eq!(found.roots, [Lit::TRUE, found.variables[0].1, Lit::FALSE]);
        }
    }

    #[test]
    fn a_raised_flag_unwinds() {
        let mut log = Log::new();
        let end = End::Clause(log.given(&[]));
        let cancel = Cancel::new();
        let ask = || interpolants(&log, end, &[], &(1..=1), System::McMillan, &mut NoLemmas, &cancel);
        assert!(ask().is_ok());
        cancel.cancel();
        assert!(ask().is_err());
    }
}
