//! The path of systems over words. What has only bits goes the way of circuits, and comes back.

use crate::path::{Context, Path, Way, way_of_circuit};
use crate::plan::{Entry, Plan, Team};
use crate::verdict::Error;
use crate::{bits, tidy};
use indubit_engines::{EngineId, EngineInfo, Proves};
use indubit_preproc::Passes;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{
    BitSystem, Bits, Blasted, ClaimKind, Conclusion, Evidence, Invariant, Proof, Property, WordProblem,
    WordProof, WordSystem, Words, blast,
};
use indubit_term::{BlastError, Term, Terms};

/// IC3 over predicates first, and then what differs from it.
const PORTFOLIO: &[Entry] = &[
    Entry::new(1, EngineId::Ic3ia, &[]),
    Entry::new(2, EngineId::Bmc, &[]),
    Entry::new(2, EngineId::Ctigar, &[]),
    Entry::new(1, EngineId::Quip, &[]),
    Entry::new(1, EngineId::Kind, &[]),
    Entry::new(1, EngineId::Itp, &[]),
];

/// Lassos are all that is known about numbers for ever.
const LIVENESS: &[Entry] = &[Entry::new(1, EngineId::Lasso, &[])];

/// All who may be in a portfolio of them.
pub(crate) const TABLES: &[&[Entry]] = &[PORTFOLIO, LIVENESS];

/// A proof of the circuit speaks of what words cannot say: inputs, or several steps.
const NO_PROOF_OVER_WORDS: &str = "the proof of the circuit is none over words";

impl Path for Words {
    type Lemmas = WordLemmas;

    fn circuit(system: &WordSystem, array_bits: u64) -> Option<Blasted> {
        blast(system, array_bits).ok()
    }
    fn team(context: &Context<'_, Words>, plan: &Plan) -> Team {
        let Some(circuit) = Words::shared_circuit(context) else {
            return plan.team::<Words>(PORTFOLIO, &[], LIVENESS, EngineId::Ic3ia);
        };
        let mut team = plan.team::<Bits>(bits::PORTFOLIO, bits::MORE, bits::liveness(circuit), bits::SHARING);
        for member in &mut team.members {
            // What k steps prove of the circuit, they shall prove of the words: passes must not use what is known of reachable states, or
            // leave latches out.
            if member.strategy.engine.bits.as_ref().is_some_and(|bits| bits.proves == Proves::Steps) {
                member.strategy.passes = Passes::default().only(&["rewrite", "fraig"]);
            }
        }
        team
    }
    fn fit(context: &Context<'_, Words>, property: usize, team: &Team) -> Result<Team, Error<Words>> {
        let mut team = team.clone();
        let Some(term) = unsupported(context.system, property) else { return Ok(team) };
        let is_direct = |engine: &'static EngineInfo| {
            matches!(Words::way(context, property, engine), Some(Way::Direct(..)))
        };
        team.members.retain_mut(|member| {
            let engine = member.strategy.engine;
            if !is_direct(engine) {
                return true;
            }
            member.strategy.options.other = team.other.clone();
            team.other.is_some() && engine.words.as_ref().is_some_and(|words| words.asks_others)
        });
        if !team.members.is_empty() {
            return Ok(team);
        }
        Err(match blast(context.system, context.array_bits) {
            Err(error @ (BlastError::TooLarge { .. } | BlastError::TooMany(_))) => {
                let array = match error {
                    BlastError::TooLarge { sort, .. } => sort.n_bits(),
                    _ => None,
                };
                Error::TooLarge { why: error.to_string(), array }
            }
            _ => Error::NoTheory { term },
        })
    }
    fn way<'c>(
        context: &'c Context<'_, Words>,
        property: usize,
        engine: &'static EngineInfo,
    ) -> Option<Way<'c, Words>> {
        let claim = &context.properties.get(property)?.claim;
        let of_circuit = |circuit: &'c Blasted| way_of_circuit(&circuit.system, property, engine);
        if let Some(way) = context.circuit.as_ref().and_then(of_circuit) {
            return Some(way);
        }
        let problem = WordProblem::new(context.system, claim)?;
        Some(Way::Direct(Box::new(problem), engine.words.as_ref()?))
    }
    fn shared_circuit<'c>(context: &'c Context<'_, Words>) -> Option<&'c BitSystem> {
        context.circuit.as_ref().map(|circuit| &circuit.system)
    }
    fn raise_direct(problem: &WordProblem, conclusion: Conclusion<Words>) -> Conclusion<Words> {
        problem.raised(conclusion)
    }
    fn raise(
        context: &Context<'_, Words>,
        index: usize,
        conclusion: Conclusion,
        run: &Run<'_>,
    ) -> Ask<Conclusion<Words>> {
        let nothing = Conclusion::Unknown { stop: Stop::Incomplete(NO_PROOF_OVER_WORDS), safe_up_to: None };
        let (Some(circuit), words) = (&context.circuit, context.system) else { return Ok(nothing) };
        let property = &context.properties[index];
        let proof = match conclusion {
            Conclusion::Unknown { stop, safe_up_to } => return Ok(Conclusion::Unknown { stop, safe_up_to }),
            Conclusion::Unsafe(trace) => return Ok(Conclusion::Unsafe(circuit.trace(index, &trace))),
            Conclusion::Safe(proof) => proof,
        };
        let raised = match &proof {
            Proof::KInductive { k, simple_path, .. } => {
                WordProof::KInductive { k: *k, simple_path: simple_path.is_some() }
            }
            Proof::Ranked(ranked) => return Ok(Conclusion::Safe(WordProof::Ranked(ranked.clone()))),
            Proof::Inductive(invariant) if is_by_itself(context, property, invariant, run)? => {
                return Ok(Conclusion::Safe(WordProof::KInductive { k: 1, simple_path: false }));
            }
            Proof::Inductive(_) => {
                let tidied = {
                    let claim = &circuit.system.properties()[index].claim;
                    tidy::soon(run, |own| tidy::bits::shorter(&circuit.system, &[claim], &proof, own))
                };
                let invariant = tidied.as_ref().unwrap_or(&proof).invariant();
                let mut terms = words.terms.clone();
                let Some(raised) = circuit.invariant(words, &mut terms, invariant) else {
                    return Ok(nothing);
                };
                let Some(holds) = property.claim.always(&mut terms) else { return Ok(nothing) };
                // The invariant of a circuit is inductive together with its property, unless only one of them is about inputs.
                if words.stranger(&terms, holds).is_none() {
                    let invariant = terms.and(&[raised, holds]);
                    return Ok(Conclusion::Safe(WordProof::Inductive { terms, invariant }));
                }
                WordProof::Inductive { terms, invariant: raised }
            }
        };
        // Steps of the circuit need not be steps of the words: then it is no proof, and no bug either.
        let evidence = Evidence::Proof(raised.clone());
        let checked = indubit_certify::check::<Words>(words, property, &evidence, run.cancel())?;
        Ok(if checked.is_ok() { Conclusion::Safe(raised) } else { nothing })
    }
    fn check_together(_: &Context<'_, Words>, _: &[usize], _: &Proof, _: &Run<'_>) -> Option<WordProof> {
        None
    }
    fn shorter(
        context: &Context<'_, Words>,
        property: usize,
        proof: &WordProof,
        run: &Run<'_>,
    ) -> Option<WordProof> {
        tidy::words::shorter(context.system, &context.properties[property].claim, proof, run)
    }
}

/// Is there next to nothing in an invariant, and is the property inductive by itself?
fn is_by_itself(
    context: &Context<'_, Words>,
    property: &Property<Term>,
    invariant: &Invariant,
    run: &Run<'_>,
) -> Ask<bool> {
    if invariant.clauses().len() > 1 || property.claim.kind() != ClaimKind::Always {
        return Ok(false);
    }
    let evidence = Evidence::Proof(WordProof::KInductive { k: 1, simple_path: false });
    let by_itself = tidy::soon(run, |own| {
        indubit_certify::check::<Words>(context.system, property, &evidence, own.cancel()).ok()?.ok()
    });
    run.checkpoint()?;
    Ok(by_itself.is_some())
}

/// Formulas over current state variables that somebody has at hand.
#[derive(Clone, Debug)]
pub struct WordLemmas {
    /// The terms of the system, and more.
    pub terms: Terms,
    /// The formulas.
    pub formulas: Vec<Term>,
}

/// What a property of the system is about, as text, that our solver for words has no theory for.
///
/// # Panics
/// If there is no such property.
pub fn unsupported(system: &WordSystem, property: usize) -> Option<String> {
    let mut formulas = vec![system.init, system.trans];
    formulas.extend(system.properties[property].claim.formulas());
    let term = indubit_smt::unsupported(&system.terms, &formulas)?;
    Some(system.terms.display(term).short().to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_logic::Clause;
    use indubit_run::Cancel;
    use indubit_system::Invariant;
    use indubit_term::{Op, Sort};
    use std::time::Duration;

    /// That products distribute over sums takes a solver for ever; whether that is worth saying must not.
    #[test]
    fn an_invariant_that_is_hard_to_tidy_is_raised_as_it_is() {
        let mut system = WordSystem::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| system.add_state(name, Sort::BitVec(32)).current);
        let terms = &mut system.terms;
        let sum = terms.bv(Op::BvAdd, &[x, y]);
        let (product, xz, yz) =
            (terms.bv(Op::BvMul, &[sum, z]), terms.bv(Op::BvMul, &[x, z]), terms.bv(Op::BvMul, &[y, z]));
        let sum = terms.bv(Op::BvAdd, &[xz, yz]);
        let holds = terms.eq(product, sum);
        system.add_invar("distributive", holds);
        let context = Context::<Words>::new(&system).unwrap();
        let circuit = &context.circuit.as_ref().unwrap().system;
        let bad = circuit.properties()[0].claim.target().unwrap();
        let mut invariant = Invariant::new(circuit.aig().n_vars());
        invariant.add(Clause::new([!bad]));
        let watchdog = Cancel::after(Duration::from_secs(60));
        let conclusion = Conclusion::Safe(Proof::Inductive(invariant));
        let raised = Words::raise(&context, 0, conclusion, &Run::new(watchdog.child())).unwrap();
        assert!(matches!(raised, Conclusion::Safe(_)) && !bad.is_const());
        assert_eq!(watchdog.reason(), None);
    }
}
