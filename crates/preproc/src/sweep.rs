//! SAT sweeping: gates that compute the same function of latches and inputs are merged (Kuehlmann, Paruthi, Krohm,
//! Ganai, IEEE TCAD 2002; Mishchenko, Chatterjee, Jiang, Brayton: FRAIGs, 2005).
//!
//! Random patterns propose candidates, and each is proved or refuted by SAT, from the leaves up, in a circuit in which
//! those proved before are merged already. A model that refutes one candidate is simulated and refutes others. What is
//! merged is equal in every state with every input: no invariant is needed on the way back.

use crate::classes::{Classes, Scope};
use crate::effort::Effort;
use crate::patterns::{self, Walk};
use crate::prover::{Answer, Prover};
use crate::rebuild::{Because, rebuild};
use fastrand::Rng;
use indubit_aig::Aig;
use indubit_logic::{Lit, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety, StateVar};

/// Nodes that the pass may visit.
const EFFORT: u64 = 300_000_000;
/// Random patterns, in words of 64.
const PATTERNS: usize = 256;

/// Merges gates that are equal whatever latches and inputs are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sweep;

impl Lower for Sweep {
    type From = Safety;
    fn name(&self) -> &'static str {
        "fraig"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        let mut effort = Effort::new(EFFORT);
        let times = effort.rounds(2 * from.aig.n_vars(), PATTERNS, 4);
        let signatures = patterns::anywhere(from, times, &mut effort, run)?;
        let mut classes = Classes::new(from, Scope::Gates, &signatures.hashes, signatures.negated);
        prove_in_frame(from, &mut classes, |aig, _| aig.leaf(), &mut effort, run)?;
        Ok(rebuild(from, &classes.representatives(), Because::Fact))
    }
}

/// Prove candidates in one time frame in which latches are what `latch` makes of them (a leaf or a constant). On return,
/// all that is left in `classes` is equal there, whatever the inputs are and whether the constraints hold or not.
pub(crate) fn prove_in_frame(
    from: &Safety,
    classes: &mut Classes,
    latch: impl Fn(&mut Aig, &StateVar) -> Lit,
    effort: &mut Effort,
    run: &Run<'_>,
) -> Ask<()> {
    let mut prover = Prover::new(run);
    let mut map = VarMap::filled(from.aig.n_vars(), Lit::FALSE);
    for &input in &from.inputs {
        map[input] = prover.aig.leaf();
    }
    for state in &from.latches {
        map[state.var] = latch(&mut prover.aig, state);
    }
    for state in &from.latches {
        if classes.representative(state.var).is_some_and(|r| map.lit(r) != map[state.var]) {
            classes.remove(state.var);
        }
    }
    let mut walk = Walk::new(from);
    let mut random = Rng::with_seed(run.seed);
    for (gate, [a, b]) in from.aig.ands() {
        if effort.is_spent() {
            // What has not been looked at is not known.
            classes.retain(|var| var < gate);
            break;
        }
        effort.nodes(1);
        let built = prover.aig.and(map.lit(a), map.lit(b));
        map[gate] = loop {
            let Some(other) = classes.representative(gate).map(|r| map.lit(r)).filter(|&r| r != built) else {
                break built;
            };
            run.checkpoint()?;
            match prover.compare(built, other, effort)? {
                Answer::Equal => break other,
                Answer::Unknown => classes.remove(gate),
                Answer::Differ => {
                    let salt = random.u64(..);
                    walk.set(|leaf| spread(&prover, map[leaf], salt));
                    effort.nodes(from.aig.n_vars());
                    if !classes.refine(&walk.words, u64::MAX) {
                        classes.remove(gate);
                    }
                }
            }
        };
    }
    Ok(())
}

/// 64 values of a leaf of the circuit, or of a constant, that agree with the prover's model: where that leaves it open they
/// are random (by `salt`, and the same for the same leaf), so that one model refutes many candidates.
pub(crate) fn spread(prover: &Prover, lit: Lit, salt: u64) -> u64 {
    let value = if lit.is_const() { Some(false) } else { prover.leaf(lit.var()) };
    let random = || Rng::with_seed(salt.wrapping_add(lit.var().index() as u64)).u64(..);
    value.map_or_else(random, |value| u64::from(value).wrapping_neg())
        ^ u64::from(lit.is_negated()).wrapping_neg()
}
