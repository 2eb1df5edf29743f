//! The spine, written once: a question, a conclusion, an independent check, a verdict.

use crate::circuit;
use crate::exchange::{Pool, Seat};
use crate::path::{Context, Decidable, Path, Way};
use crate::plan::{Member, Plan, Strategy, Team};
use crate::race::{Racer, race};
use crate::temporal::Temporal;
use crate::tidy;
use crate::verdict::{Error, Verdict};
use crate::workers::caught;
use indubit_certify::Solving;
use indubit_engines::{Implementation, Options};
use indubit_run::{Ask, Event, Run, Stop};
use indubit_smt::TOO_MANY_SPLITS;
use indubit_system::{Conclusion, Evidence, Property};
use std::sync::Arc;

/// So many times an engine may try it, if integers are too much for a query: luck plays a part there.
const ATTEMPTS: u64 = 5;

/// Latches that preprocessing has found to be equal to others, and so left out, may take very many steps until they are what they were.
const TOO_LONG: &str = "a loop was found, but it takes too many steps until the whole state repeats";

/// Decide property number `property` (a position in [`Kind::properties`](indubit_system::Kind::properties)) by a plan: an engine, one with
/// switches, or a portfolio, which is the default.
///
/// The verdict speaks of `system` itself, and its evidence has been checked against it. Running out of time,
/// memory or patience, also during that check, is [`Verdict::Unknown`], with the bound that was reached.
pub fn check<K: Decidable>(
    system: &K::System,
    property: usize,
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    K::validate(system).map_err(Error::Malformed)?;
    let plan = plan.into();
    if let Some(temporal) = Temporal::new(system, &[property]) {
        return temporal.check(property, &plan, run);
    }
    let context = Context::with_arrays(system, plan.array_bits)?;
    let team = K::team(&context, &plan);
    check_one(&context, property, &team, run)
}

/// Decide a property by a team.
pub(crate) fn check_one<K: Path>(
    context: &Context<'_, K>,
    property: usize,
    team: &Team,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    let claim = context.property(property)?.claim.kind();
    // Who decides other claims only is no help where ours has no theory.
    let mut own = team.clone();
    own.members.retain(|member| member.claims.contains(&claim));
    let team = K::fit(context, property, &own)?;
    // What others know about this property is for this one.
    let is_part = run.source().property == Some(property);
    let bounds = if is_part { run.bounds().clone() } else { Arc::default() };
    let before = run.turn_to(Some(property), bounds);
    run.event(Event::Begin);
    // Those that can, and whether they do so by a circuit.
    let members: Vec<(&Member, bool)> = (team.members.iter())
        .filter_map(|member| {
            let way = K::way(context, property, member.strategy.engine)?;
            Some((member, matches!(way, Way::Circuit(..))))
        })
        .collect();
    let result = match (&members[..], team.members.first()) {
        ([], None) => Err(Error::unsupported(&context.properties[property])),
        ([], Some(member)) => Err(Error::Unfit { engine: member.strategy.engine.name }),
        ([(member, _)], _) => caught(|| decide_and_verify(context, property, &member.strategy, None, run))
            .unwrap_or_else(|message| Err(Error::Panicked { message })),
        ([(first, is_prepared), ..], _) => {
            let pool = Arc::new(Pool::new(members.len()));
            let wanted = is_prepared.then(|| first.strategy.passes.to_string());
            let racers = members.iter().enumerate().map(|(index, &(member, is_prepared))| {
                let seat = Seat { pool: pool.clone(), member: index, takes: member.takes_lemmas };
                let passes = is_prepared.then(|| member.strategy.passes.to_string());
                Racer {
                    weight: member.weight,
                    waits: index > 0 && is_prepared && passes == wanted,
                    decide: Box::new(move |own: &mut Run<'_>| {
                        decide_and_verify(context, property, &member.strategy, Some(&seat), own)
                    }),
                }
            });
            race(racers.collect(), team.n_threads, &|| pool.is_prepared(), run)
        }
    };
    run.turn_to(before.0, before.1);
    result
}

/// Decide a property by one strategy, and check what it concludes.
pub(crate) fn decide_and_verify<K: Path>(
    context: &Context<'_, K>,
    property: usize,
    strategy: &Strategy,
    seat: Option<&Seat>,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    let chosen = context.property(property)?;
    let Some(way) = K::way(context, property, strategy.engine) else {
        return Err(Error::Unfit { engine: strategy.engine.name });
    };
    let conclusion = match way {
        Way::Circuit(circuit, engine) => {
            let Some(question) = circuit::question(circuit, property) else {
                return Err(Error::unsupported(chosen));
            };
            circuit::decide(circuit, &question, strategy, engine, seat, run)
                .and_then(|conclusion| K::raise(context, property, conclusion, run))
        }
        Way::Graph(graph, make) => {
            run.begin_engine(strategy.engine.name);
            let proof = make(*graph, &strategy.options).run(run);
            let evidence = proof.map(|proof| Evidence::Ctl(Box::new(proof)));
            return verify_evidence(context, property, evidence, None, run);
        }
        Way::Direct(problem, engine) => {
            Ok(K::raise_direct(&problem, run_direct::<K>(&problem, strategy, engine, run)))
        }
    };
    verify(context, property, conclusion, strategy.options.other.as_ref(), run)
}

/// The conclusion of an engine about a problem as it is, with other seeds where integers are too much for a query.
fn run_direct<K: Path>(
    problem: &K::Problem,
    strategy: &Strategy,
    engine: &Implementation<K>,
    run: &mut Run<'_>,
) -> Conclusion<K> {
    run.begin_engine(strategy.engine.name);
    let seed = run.seed;
    let mut conclusion = (engine.make)(problem.clone(), &strategy.options).run(run);
    for attempt in 1..ATTEMPTS {
        if !matches!(conclusion, Conclusion::Unknown { stop: Stop::Incomplete(TOO_MANY_SPLITS), .. }) {
            break;
        }
        run.seed = seed.wrapping_add(1000 * attempt);
        let mut options: Options = strategy.options.clone();
        if attempt % 2 == 1 {
            // Predicates with large coefficients may be what is too much.
            (options.words.equalities, options.words.congruences) = (false, false);
        }
        conclusion = (engine.make)(problem.clone(), &options).run(run);
    }
    run.seed = seed;
    conclusion
}

/// Check what was concluded about a property. Whoever gave up, or was made to, knows nothing but the bound.
pub(crate) fn verify<K: Path>(
    context: &Context<'_, K>,
    property: usize,
    conclusion: Ask<Conclusion<K>>,
    other: Option<&indubit_smt::External>,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    let evidence = match conclusion {
        Ok(Conclusion::Safe(proof)) => Ok(Evidence::Proof(proof)),
        Ok(Conclusion::Unsafe(trace)) => Ok(Evidence::Trace(trace)),
        Ok(Conclusion::Unknown { stop, safe_up_to }) => return unknown(stop, safe_up_to, run),
        Err(stop) => Err(stop),
    };
    verify_evidence(context, property, evidence, other, run)
}

/// What is known by whoever gave up, or was made to.
fn unknown<K: Path>(stop: Stop, safe_up_to: Option<u32>, run: &Run<'_>) -> Result<Verdict<K>, Error<K>> {
    Ok(Verdict::Unknown { stop, safe_up_to: safe_up_to.max(run.safe_up_to()) })
}

/// Check evidence about a property.
fn verify_evidence<K: Path>(
    context: &Context<'_, K>,
    property: usize,
    evidence: Ask<Evidence<K>>,
    other: Option<&indubit_smt::External>,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    let evidence = match evidence {
        Ok(evidence) => evidence,
        Err(stop) => return unknown(stop, None, run),
    };
    run.event(Event::Checking { what: evidence.kind() });
    let by = Solving::new(run.cancel()).with_paranoia(run.paranoid).with_other(other.cloned());
    let chosen = context.property(property)?;
    let (shorter, evidence) = match evidence {
        Evidence::Trace(trace) => {
            if K::loops_to(&trace).is_some() {
                // Few engines for liveness go through the lengths one by one.
                if let Err(stop) = run.within_bound(K::length(&trace) as u32) {
                    return unknown(stop, None, run);
                }
            }
            (None, Evidence::Trace(K::trimmed(context.system, chosen, trace)))
        }
        Evidence::Proof(proof) => {
            (tidy::soon(run, |own| K::shorter(context, property, &proof, own)), Evidence::Proof(proof))
        }
        Evidence::Ctl(proof) => (None, Evidence::Ctl(proof)),
    };
    if let Some(shorter) = shorter {
        let shorter = Evidence::Proof(shorter);
        let checked = certified(context.system, chosen, shorter, &by);
        debug_assert!(!matches!(checked, Err(Error::Rejected { .. })), "what is left of a proof is none");
        if let Ok(known @ (Verdict::Holds { .. } | Verdict::Fails { .. })) = checked {
            return Ok(known);
        }
    }
    match certified(context.system, chosen, evidence, &by) {
        Ok(Verdict::Unknown { stop, .. }) => unknown(stop, None, run),
        known => known,
    }
}

/// What evidence says about a property, if it is checked and found to be true.
pub(crate) fn certified<K: Path>(
    system: &K::System,
    property: &Property<K::Formula>,
    evidence: Evidence<K>,
    by: &Solving,
) -> Result<Verdict<K>, Error<K>> {
    match indubit_certify::check(system, property, &evidence, by) {
        Ok(Ok(())) => Ok(decided(property, evidence)),
        Ok(Err(reason)) if K::is_too_long(&reason) => {
            Ok(Verdict::Unknown { stop: Stop::Incomplete(TOO_LONG), safe_up_to: None })
        }
        Ok(Err(reason)) => Err(Error::Rejected { reason, claimed: Box::new(evidence) }),
        Err(stop) => Ok(Verdict::Unknown { stop, safe_up_to: None }),
    }
}

/// What checked evidence says about a claim.
pub(crate) fn decided<K: Path>(property: &Property<K::Formula>, evidence: Evidence<K>) -> Verdict<K> {
    match evidence.truth(&property.claim) {
        Some(true) => Verdict::Holds { claim: property.claim.kind(), evidence },
        Some(false) => Verdict::Fails { claim: property.claim.kind(), evidence },
        None => Verdict::Unknown {
            stop: Stop::Incomplete("such evidence says nothing about such a claim"),
            safe_up_to: None,
        },
    }
}
