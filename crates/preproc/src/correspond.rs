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
use crate::frame::{Frame, Known, Outcome};
use crate::patterns::{self, Walk};
use crate::prover::Prover;
use crate::rebuild::{Because, rebuild, unchanged};
use crate::sweep::prove_frame;
use fastrand::Rng;
use indubit_logic::{Lit, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Nodes that the pass for latches may visit.
const LATCHES: u64 = 100_000_000;
/// Nodes that the pass for latches and gates may visit.
const SIGNALS: u64 = 300_000_000;
/// Rounds after which a candidate that is too hard takes its class with it.
const PATIENCE: usize = 16;
/// Nodes and ticks for one question about initial states.
const BASE_LIMIT: usize = 10_000;
/// Nodes and ticks for one question. What is found with a low limit is not lost if a higher one takes too long.
const LIMITS: [usize; 3] = [2_000, 20_000, 200_000];
/// Steps of random runs, 64 at a time.
const STEPS: usize = 1024;
/// Steps of the random runs that go on from a step that refutes a candidate.
const STEPS_ON: usize = 8;

/// Merges latches that are equal, and those that are constant. Cheaper than [`Signals`], and what it finds is not lost if
/// that takes too long.
#[derive(Clone, Copy, Debug)]
pub struct Latches {
    /// How many times the usual effort it may spend.
    pub effort: u32,
}

/// Merges latches and gates that are equal, and those that are constant.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// How many times the usual effort it may spend.
    pub effort: u32,
}

impl Lower for Latches {
    type From = Safety;
    fn name(&self) -> &'static str {
        "lcorr"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        correspond(from, Scope::Latches, &LIMITS[1..2], Effort::new(LATCHES, self.effort), run)
    }
}

impl Lower for Signals {
    type From = Safety;
    fn name(&self) -> &'static str {
        "scorr"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        correspond(from, Scope::All, &LIMITS, Effort::new(SIGNALS, self.effort), run)
    }
}

/// With one limit after the other, while there is effort left. Each begins with all candidates: if what the last one
/// found were merged, the equalities that are inductive only together with it would be lost.
fn correspond(
    from: &Safety,
    scope: Scope,
    limits: &[usize],
    mut effort: Effort,
    run: &Run<'_>,
) -> Ask<(Safety, Box<dyn Raise>)> {
    let steps = effort.rounds(2 * from.aig.n_vars(), STEPS, 8);
    if steps < patterns::MIN_PATTERNS {
        return Ok(unchanged(from));
    }
    let signatures = patterns::reachable(from, steps, &mut effort, run)?;
    let mut candidates = Classes::new(from, scope, &signatures.hashes, signatures.negated);
    prove_frame(initial(from, run), &mut candidates, &mut effort, run)?;
    let mut found = VarMap::filled(from.aig.n_vars(), None);
    for &limit in limits {
        let mut induction = Induction::new(from, limit, candidates.clone(), run);
        let outcome = induction.close(&mut effort, run)?;
        if !outcome.spent {
            found = induction.classes.representatives();
        }
        if outcome.spent || !outcome.unknown {
            break;
        }
    }
    if found.0.iter().all(Option::is_none) {
        return Ok(unchanged(from));
    }
    Ok(rebuild(from, &found, Because::Inductive))
}

/// The first step of all runs.
fn initial<'s>(from: &'s Safety, run: &Run<'_>) -> Frame<'s> {
    let mut frame = Frame::new(from, Prover::new(BASE_LIMIT, run));
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
    classes: Classes,
    walk: Walk<'s>,
    random: Rng,
    known: Known,
}

impl<'s> Induction<'s> {
    /// Before the first round.
    fn new(from: &'s Safety, limit: usize, classes: Classes, run: &Run<'_>) -> Induction<'s> {
        let random = Rng::with_seed(run.seed);
        Induction { from, limit, classes, walk: Walk::new(from), random, known: Known::nothing() }
    }

    /// Refine the classes until what is left is inductive, if the effort suffices for that.
    fn close(&mut self, effort: &mut Effort, run: &Run<'_>) -> Ask<Outcome> {
        let mut all = Outcome::default();
        for n_rounds in 0.. {
            if self.classes.n_candidates() == 0 {
                break;
            }
            self.known.patient = n_rounds < PATIENCE;
            let outcome = self.round(effort, run)?;
            all.unknown |= outcome.unknown;
            all.spent |= outcome.spent;
            if all.spent || !outcome.failed && !outcome.believed {
                break;
            }
            // If nothing failed but something was believed, all has to be looked at once more.
            self.known.believed = outcome.failed;
        }
        Ok(all)
    }

    /// Prove in the second of two steps what is assumed in the first, and refine the classes by what fails.
    fn round(&mut self, effort: &mut Effort, run: &Run<'_>) -> Ask<Outcome> {
        effort.nodes(16 * self.from.aig.n_vars());
        let (mut second, first) = self.steps(run);
        let Induction { classes, walk, random, known, .. } = self;
        second.prove(classes, known, effort, run, |second, classes, effort| {
            let salt = random.u64(..);
            walk.set(|leaf| second.prover.spread(first[leaf], salt));
            let mut inputs = second.from.inputs.iter().map(|&input| second.map[input]);
            walk.step_with(|before| inputs.next().map_or(before, |leaf| second.prover.spread(leaf, salt)));
            effort.nodes(2 * first.0.len());
            go_on(walk, random, classes, effort)
        })
    }

    /// Two steps: the second one, its latches and inputs given, and what each node is in the first.
    ///
    /// In the first, candidates are equal and constraints hold.
    fn steps(&self, run: &Run<'_>) -> (Frame<'s>, VarMap<Lit>) {
        let (from, classes) = (self.from, &self.classes);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lowered, safety};

    #[test]
    fn latches_with_equal_inputs_are_merged() {
        // Two registers of the same input; bad if they differ.
        let copies = safety([Some(false), Some(false)], 1, |s, [a, b], input| {
            let differ = s.aig.xor(a, b);
            ([input[0], input[0]], differ, vec![])
        });
        assert_eq!(lowered(&Latches { effort: 1 }, &copies).bad, Lit::FALSE);
        assert_eq!(lowered(&Signals { effort: 1 }, &copies).bad, Lit::FALSE);
    }

    #[test]
    fn a_latch_that_starts_otherwise_stays() {
        for init in [Some(true), None] {
            let other = safety([Some(false), init], 1, |s, [a, b], input| {
                let differ = s.aig.xor(a, b);
                ([input[0], input[0]], differ, vec![])
            });
            assert_eq!(lowered(&Latches { effort: 1 }, &other).latches.len(), 2);
            assert_eq!(lowered(&Signals { effort: 1 }, &other).latches.len(), 2);
        }
    }

    #[test]
    fn gates_need_an_invariant_over_gates() {
        // A ring with one token: "the first and the second" is never true, and only that the others are not either
        // makes that inductive.
        let ring = safety([Some(true), Some(false), Some(false)], 0, |s, [a, b, c], _| {
            let two = [s.aig.and(a, b), s.aig.and(b, c), s.aig.and(c, a)];
            let bad = s.aig.or_all(two);
            ([c, a, b], bad, vec![])
        });
        assert_eq!(lowered(&Latches { effort: 1 }, &ring).latches.len(), 3);
        assert_eq!(lowered(&Signals { effort: 1 }, &ring).bad, Lit::FALSE);
    }

    #[test]
    fn constraints_of_earlier_steps_help_and_those_of_the_same_step_do_not() {
        // One latch remembers the input, one the other input; the constraint makes them equal.
        let tied = safety([Some(false), Some(false)], 2, |s, [a, b], inputs| {
            let equal = s.aig.iff(inputs[0], inputs[1]);
            let differ = s.aig.xor(a, b);
            ([inputs[0], inputs[1]], differ, vec![equal])
        });
        let small = lowered(&Signals { effort: 1 }, &tied);
        assert_eq!((small.bad, small.constraints.len()), (Lit::FALSE, 1));
    }

    #[test]
    fn nothing_is_merged_without_effort_to_prove_it() {
        let copies = safety([Some(false), Some(false)], 1, |s, [a, b], input| {
            let differ = s.aig.xor(a, b);
            ([input[0], input[0]], differ, vec![])
        });
        assert_eq!(lowered(&Signals { effort: 0 }, &copies).latches.len(), 2);
    }
}
