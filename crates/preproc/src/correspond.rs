//! Sequential signal correspondence: signals that are equal in all reachable states are merged (van Eijk, IEEE TCAD 2000;
//! Mishchenko, Case, Brayton, Jang: Scalable and Scalably-Verifiable Sequential Synthesis, ICCAD 2008).
//!
//! Random runs propose classes of signals that have always agreed. The classes are refined until "members of a class are
//! equal" is an inductive invariant: it holds in the initial states, and in each step that follows one in which it holds
//! and the constraints do. That a step satisfies the constraints itself is not used: so in a run on the reduced problem,
//! each step is known to agree with the original before its constraints are looked at, and merging signals inside of
//! constraints is sound.
//!
//! In the circuit of two steps, candidates are merged already: the first step begins with equal latches and
//! equalities of gates that remain are asserted, and in the second step each is an obligation, proved with those
//! before it taken for granted (speculative reduction). That is sound once a whole round has no failure: the first
//! pair to differ would have been found.
//!
//! The way back adds the equalities to a proof.

use crate::classes::{Classes, Scope};
use crate::effort::Effort;
use crate::patterns::{self, Walk};
use crate::prover::{Answer, Prover};
use crate::rebuild::{Because, rebuild};
use crate::sweep::{prove_in_frame, spread};
use fastrand::Rng;
use indubit_logic::{Lit, Var, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Nodes that a pass may visit.
const EFFORT: u64 = 400_000_000;
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
        correspond(from, Scope::Latches, run)
    }
}

impl Lower for Signals {
    type From = Safety;
    fn name(&self) -> &'static str {
        "scorr"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        correspond(from, Scope::All, run)
    }
}

fn correspond(from: &Safety, scope: Scope, run: &Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
    let mut effort = Effort::new(EFFORT);
    let steps = effort.rounds(2 * from.aig.n_vars(), STEPS, 4);
    let signatures = patterns::reachable(from, steps, &mut effort, run)?;
    let mut classes = Classes::new(from, scope, &signatures.hashes, signatures.negated);
    let initially = |aig: &mut indubit_aig::Aig, latch: &indubit_system::StateVar| {
        latch.init.map_or_else(|| aig.leaf(), Lit::constant)
    };
    prove_in_frame(from, &mut classes, initially, &mut effort, run)?;
    let mut random = Rng::with_seed(run.seed);
    while classes.n_candidates() > 0
        && !Round::new(from, &classes, run).refine(&mut classes, &mut effort, &mut random, run)?
    {
        if effort.is_spent() {
            // An equality may rest on any other: what is not closed under steps is worth nothing.
            classes.retain(|_| false);
        }
    }
    Ok(rebuild(from, &classes.representatives(), Because::Inductive))
}

/// A claim about the second step: the member of a class, what it is there, and what its representative is.
struct Obligation {
    member: Var,
    built: Lit,
    representative: Lit,
}

/// Two steps with candidates merged.
struct Round<'s> {
    from: &'s Safety,
    prover: Prover,
    /// What each node is in the first step.
    first: VarMap<Lit>,
    /// The inputs of the second step, by position.
    inputs: Vec<Lit>,
    obligations: Vec<Obligation>,
}

impl<'s> Round<'s> {
    fn new(from: &'s Safety, classes: &Classes, run: &Run<'_>) -> Round<'s> {
        let mut prover = Prover::new(run);
        let mut first = VarMap::filled(from.aig.n_vars(), Lit::FALSE);
        for &input in &from.inputs {
            first[input] = prover.aig.leaf();
        }
        // Representatives come before those they represent, also among latches.
        for latch in &from.latches {
            first[latch.var] = match classes.representative(latch.var) {
                Some(other) => first.lit(other),
                None => prover.aig.leaf(),
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

        let mut second = VarMap::filled(from.aig.n_vars(), Lit::FALSE);
        let mut obligations = Vec::new();
        let mut claim = |second: &VarMap<Lit>, member: Var, built: Lit| match classes.representative(member) {
            Some(other) => {
                let representative = second.lit(other);
                if representative != built {
                    obligations.push(Obligation { member, built, representative });
                }
                representative
            }
            None => built,
        };
        let inputs: Vec<Lit> = from.inputs.iter().map(|_| prover.aig.leaf()).collect();
        for (&input, &leaf) in from.inputs.iter().zip(&inputs) {
            second[input] = leaf;
        }
        for latch in &from.latches {
            second[latch.var] = claim(&second, latch.var, first.lit(latch.next));
        }
        for (gate, [a, b]) in from.aig.ands() {
            let built = prover.aig.and(second.lit(a), second.lit(b));
            second[gate] = claim(&second, gate, built);
        }
        Round { from, prover, first, inputs, obligations }
    }

    /// Look at every obligation and refine the classes by those that fail. Is the invariant inductive? That needs a round
    /// in which none does.
    fn refine(
        mut self,
        classes: &mut Classes,
        effort: &mut Effort,
        random: &mut Rng,
        run: &Run<'_>,
    ) -> Ask<bool> {
        effort.nodes(4 * self.from.aig.n_vars());
        let before: VarMap<Option<Lit>> = classes.representatives();
        let mut walk = Walk::new(self.from);
        let mut inductive = true;
        for Obligation { member, built, representative } in std::mem::take(&mut self.obligations) {
            run.checkpoint()?;
            if effort.is_spent() {
                return Ok(false);
            }
            if classes.representative(member) != before[member] {
                continue;
            }
            match self.prover.compare(built, representative, effort)? {
                Answer::Equal => (),
                Answer::Unknown => {
                    inductive = false;
                    classes.remove(member);
                }
                Answer::Differ => {
                    inductive = false;
                    let split = self.simulate(&mut walk, classes, random);
                    effort.nodes((2 + STEPS_ON) * self.from.aig.n_vars());
                    if !split {
                        classes.remove(member);
                    }
                }
            }
        }
        Ok(inductive)
    }

    /// Simulate the model that the prover has, and go on from there. Every state on the way satisfies whatever
    /// equalities are inductive, so all that differs anywhere is none of them. Have any classes split?
    fn simulate(&self, walk: &mut Walk<'_>, classes: &mut Classes, random: &mut Rng) -> bool {
        let salt = random.u64(..);
        walk.set(|leaf| spread(&self.prover, self.first[leaf], salt));
        walk.step_with(|_, i| spread(&self.prover, self.inputs[i], salt));
        let mut split = classes.refine(&walk.words, walk.lanes);
        for _ in 0..STEPS_ON {
            walk.step(random);
            if walk.lanes == 0 {
                break;
            }
            split |= classes.refine(&walk.words, walk.lanes);
        }
        split
    }
}
