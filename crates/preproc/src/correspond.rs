//! Sequential signal correspondence: signals that are equal in all reachable states are merged (van Eijk, IEEE TCAD 2000;
//! Mishchenko, Case, Brayton, Jang: Scalable and Scalably-Verifiable Sequential Synthesis, ICCAD 2008).
//!
//! Random runs propose classes of signals that have always agreed. The classes are refined until "members of a class are
//! equal" is an inductive invariant: it holds in the initial states, and in each step that follows one in which it holds
//! and the constraints do. That a step satisfies the constraints itself is not used: so in a run on the reduced problem,
//! each step is known to agree with the original before its constraints are looked at, and merging signals inside of
//! constraints is sound.
//!
//! In the circuit of two steps, candidates are merged in the first already: it begins with equal latches, and equalities
//! of gates that remain are asserted. In the second they are proved from the latches up.
//!
//! Most rounds change little. Cones that were equal before and have not changed are believed to be still, though
//! assertions elsewhere may be gone, until a round finds nothing else to do: then there is one more in which all are
//! compared.
//!
//! The way back adds the equalities to a proof.

use crate::classes::{Classes, Scope};
use crate::effort::Effort;
use crate::frame::{Frame, Known};
use crate::patterns::{self, Walk};
use crate::prover::Prover;
use crate::rebuild::{Because, rebuild};
use crate::sweep::prove_frame;
use fastrand::Rng;
use indubit_logic::{Lit, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety, Stack};

/// Nodes that a pass may visit.
const EFFORT: u64 = 250_000_000;
/// Nodes and ticks for one question. What is found with a low limit is not lost if a higher one takes too long.
const LIMITS: [usize; 3] = [1_000, 10_000, 100_000];
/// Steps of random runs, 64 at a time.
const STEPS: usize = 1024;
/// Steps of the random runs that go on from a step that refutes a candidate.
const STEPS_ON: usize = 8;

/// Merges latches that are equal, and those that are constant. Cheaper than [`Signals`], and what it finds is not lost if
/// that takes too long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Latches;

/// Merges latches and gates that are equal, and those that are constant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signals;

impl Lower for Latches {
    type From = Safety;
    fn name(&self) -> &'static str {
        "lcorr"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        correspond(from, Scope::Latches, &LIMITS[1..2], run)
    }
}

impl Lower for Signals {
    type From = Safety;
    fn name(&self) -> &'static str {
        "scorr"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        correspond(from, Scope::All, &LIMITS, run)
    }
}

/// With one limit after the other, while there is effort left.
fn correspond(from: &Safety, scope: Scope, limits: &[usize], run: &Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
    let mut effort = Effort::new(EFFORT);
    let mut stack = Stack::new();
    let mut safety = from.clone();
    for &limit in limits {
        let (classes, unknown) = closed(&safety, scope, limit, &mut effort, run)?;
        if classes.n_candidates() > 0 {
            let (smaller, raise) = rebuild(&safety, &classes.representatives(), Because::Inductive);
            safety = smaller;
            stack.push(raise);
        }
        if effort.is_spent() || !unknown {
            break;
        }
    }
    Ok((safety, Box::new(stack)))
}

/// Classes of which it is an inductive invariant that members are equal. Were some candidates given up because of the
/// limit?
fn closed(
    from: &Safety,
    scope: Scope,
    limit: usize,
    effort: &mut Effort,
    run: &Run<'_>,
) -> Ask<(Classes, bool)> {
    let steps = effort.rounds(2 * from.aig.n_vars(), STEPS, 8);
    let signatures = patterns::reachable(from, steps, effort, run)?;
    let mut classes = Classes::new(from, scope, &signatures.hashes, signatures.negated);
    let unknown = prove_frame(initial(from, limit, run), &mut classes, effort, run)?.unknown;
    let random = Rng::with_seed(run.seed);
    let mut induction =
        Induction { from, limit, walk: Walk::new(from), random, known: Known::default(), unknown };
    while !induction.round(&mut classes, effort, run)? {}
    Ok((classes, induction.unknown))
}

/// The first step of all runs.
fn initial<'s>(from: &'s Safety, limit: usize, run: &Run<'_>) -> Frame<'s> {
    let mut frame = Frame::new(from, Prover::new(limit, run));
    for &input in &from.inputs {
        frame.map[input] = frame.prover.leaf(input.index() as u64);
    }
    for latch in &from.latches {
        let leaf = || frame.prover.leaf(latch.var.index() as u64);
        frame.map[latch.var] = latch.init.map_or_else(leaf, Lit::constant);
    }
    frame
}

/// The search for equalities that are inductive.
struct Induction<'s> {
    from: &'s Safety,
    limit: usize,
    walk: Walk<'s>,
    random: Rng,
    known: Known,
    /// Has some candidate been too hard?
    unknown: bool,
}

impl<'s> Induction<'s> {
    /// Prove in the second of two steps what is assumed in the first, and refine the classes by what fails. Is the rest
    /// inductive?
    fn round(&mut self, classes: &mut Classes, effort: &mut Effort, run: &Run<'_>) -> Ask<bool> {
        if classes.n_candidates() == 0 {
            return Ok(true);
        }
        effort.nodes(16 * self.from.aig.n_vars());
        let (mut second, first) = self.steps(classes, run);
        let Induction { walk, random, known, unknown, .. } = self;
        let outcome = second.prove(classes, known, effort, run, |second, classes, effort| {
            let salt = random.u64(..);
            walk.set(|leaf| second.prover.spread(first[leaf], salt));
            let mut inputs = second.from.inputs.iter().map(|&input| second.map[input]);
            walk.step_with(|before| inputs.next().map_or(before, |leaf| second.prover.spread(leaf, salt)));
            effort.nodes(2 * first.0.len());
            go_on(walk, random, classes, effort)
        })?;
        *unknown |= outcome.unknown;
        if outcome.spent {
            // An equality may rest on any other: what is not closed under steps is worth nothing.
            classes.retain(|_| false);
            return Ok(true);
        }
        // If nothing failed but something was believed, all has to be looked at once more.
        known.believed = outcome.failed;
        Ok(!outcome.failed && !outcome.believed)
    }

    /// Two steps: the second one, its latches and inputs given, and what each node is in the first.
    ///
    /// In the first, candidates are equal and constraints hold.
    fn steps(&self, classes: &Classes, run: &Run<'_>) -> (Frame<'s>, VarMap<Lit>) {
        let from = self.from;
        let mut prover = Prover::new(self.limit, run);
        let mut first = VarMap::filled(from.aig.n_vars(), Lit::FALSE);
        for &input in &from.inputs {
            first[input] = prover.leaf(2 * input.index() as u64);
        }
        // Representatives come before those they represent, also among latches.
        for latch in &from.latches {
            first[latch.var] = match classes.representative(latch.var) {
                Some(other) => first.lit(other),
                None => prover.leaf(2 * latch.var.index() as u64),
            };
        }
        for (gate, [a, b]) in from.aig.ands() {
            let built = prover.aig.and(first.lit(a), first.lit(b));
            first[gate] = match classes.representative(gate).map(|r| first.lit(r)) {
                Some(other) if other != built => {
                    prover.assert_equal(built, other);
                    other
                }
                _ => built,
            };
        }
        for &constraint in &from.constraints {
            prover.assert(first.lit(constraint));
        }
        let mut second = Frame::new(from, prover);
        for &input in &from.inputs {
            second.map[input] = second.prover.leaf(2 * input.index() as u64 + 1);
        }
        for latch in &from.latches {
            second.map[latch.var] = first.lit(latch.next);
        }
        (second, first)
    }
}

/// Refine the classes by the states of a walk, and by those it comes to, while that helps. All of them satisfy whatever
/// equalities are inductive, because the first ones do; so all that differs anywhere is none of them. Have any classes
/// split?
fn go_on(walk: &mut Walk<'_>, random: &mut Rng, classes: &mut Classes, effort: &mut Effort) -> bool {
    let mut n_splits = 0;
    while classes.refine(&walk.words, walk.lanes) {
        n_splits += 1;
        if n_splits > STEPS_ON {
            break;
        }
        walk.step(random);
        effort.nodes(walk.words.len());
    }
    n_splits > 0
}
