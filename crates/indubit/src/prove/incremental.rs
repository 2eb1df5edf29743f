//! Lemmas and properties of a model, proved one after the other.

use super::decider::Decider;
use super::induction::{Induction, Strengthening};
use super::moments::{Inductive, Moments, Which};
use super::queries::{Formula, Queries};
use super::{Standing, Support};
use crate::check::verify;
use crate::path::Context;
use crate::verdict::{Error, Verdict};
use indubit_certify::Solving;
use indubit_logic::Lit;
use indubit_run::{Ask, Event, Run, Stop};
use indubit_smt::External;
use indubit_system::{Claim, Conclusion, Evidence};
use std::sync::Arc;

/// Why an incremental proof ends without a verdict.
pub const NOT_INDUCTIVE_RELATIVE: &str = "the property is not inductive relative to the lemmas";

/// The name of this way to prove, where engines have theirs.
pub const PROVE: &str = "prove";

/// An incremental proof of properties of a model.
pub struct Incremental<'s, K: Inductive> {
    context: Context<'s, K>,
    lemmas: K::Lemmas,
    decider: Decider,
    induction: Induction<K::Moments<'s>>,
}

impl<'s, K: Inductive> Incremental<'s, K> {
    /// Prove as many of the lemmas as can be. Where our solver has no theory, `other` is asked.
    ///
    /// If the run ends early, the others are [`Standing::Unknown`].
    pub fn new(
        system: &'s K::System,
        lemmas: K::Lemmas,
        other: Option<&External>,
        run: &mut Run<'_>,
    ) -> Result<Incremental<'s, K>, Error<K>> {
        let context = Context::new(system)?;
        K::validate_lemmas(system, &lemmas).map_err(Error::Malformed)?;
        let claims: Vec<&Claim<K::Formula>> = context.properties.iter().map(|p| &p.claim).collect();
        // One property that is beyond ours does not keep us from the others.
        let decider = K::decider(system, &lemmas, &claims, other)
            .or_else(|_| K::decider(system, &lemmas, &[], other))?;
        let moments = |which| K::moments(system, &lemmas, &decider, which, run);
        let mut queries = Queries::new(moments(Which::INITIAL), moments(Which::STEP));
        let initially = K::lemmas_at(&mut queries.initial, 0, &lemmas);
        let [now, next] = [0, 1].map(|k| K::lemmas_at(&mut queries.step, k, &lemmas));
        for ((initially, now), next) in initially.into_iter().zip(now).zip(next) {
            queries.push(Formula { initially, now, next });
        }
        let mut this = Incremental { context, lemmas, decider, induction: Induction::new(queries) };
        let proved = this.induction.prove_lemmas();
        match proved.and_then(|()| this.check_lemmas(run)) {
            Ok(Ok(())) => (),
            Ok(Err(error)) => return Err(error),
            Err(stop) => this.induction.forget_proofs(stop),
        }
        Ok(this)
    }

    /// What is known about each lemma.
    pub fn standings(&self) -> &[Standing<K::Trace>] {
        &self.induction.standings
    }

    /// The positions of the lemmas that are proved.
    pub fn proved(&self) -> Vec<usize> {
        self.induction.proved()
    }

    /// Does another solver decide, since ours has no theory?
    pub fn is_by_another(&self) -> bool {
        self.decider.other().is_some()
    }

    /// The independent check that lemmas are an inductive invariant: there is nothing bad for them to exclude.
    fn check_lemmas(&self, run: &mut Run<'_>) -> Ask<Result<(), Error<K>>> {
        let proved = self.induction.proved();
        if proved.is_empty() {
            return Ok(Ok(()));
        }
        run.event(Event::Checking { what: "proof" });
        let proof = K::proof(self.context.system, &self.lemmas, &proved, None);
        let nothing = K::nothing(&proof);
        let evidence = Evidence::Proof(proof);
        let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
        let by = by.with_other(self.decider.other().cloned());
        let checked = indubit_certify::check(self.context.system, &nothing, &evidence, by)?;
        Ok(checked.map_err(|reason| Error::Rejected { reason, claimed: Box::new(evidence) }))
    }

    /// Prove a property, by its position, with the lemmas. What it rests on is there if it is proved.
    #[allow(clippy::type_complexity)] // a verdict, and what it rests on
    pub fn check(
        &mut self,
        property: usize,
        run: &mut Run<'_>,
    ) -> Result<(Verdict<K>, Option<Support<K::Trace>>), Error<K>> {
        let chosen = self.context.property(property)?;
        if !chosen.claim.is_about_reachability() {
            return Err(Error::unsupported(chosen));
        }
        let claim = chosen.claim.clone();
        K::has_theory(&self.decider, &self.lemmas, &claim)?;
        let before = run.turn_to(Some(property), Arc::default());
        run.event(Event::Begin);
        run.begin_engine(PROVE);
        let n_before = self.induction.queries.n_asked;
        let found = self.decide(&claim, run);
        run.count("queries of induction", self.induction.queries.n_asked - n_before);
        let (conclusion, support) = match found {
            Ok((conclusion, support)) => (Ok(conclusion), support),
            Err(stop) => (Err(stop), None),
        };
        let verdict = verify(&self.context, property, conclusion, self.decider.other(), run);
        run.turn_to(before.0, before.1);
        let verdict = verdict?;
        let support = support.filter(|_| verdict.proof().is_some());
        Ok((verdict, support))
    }

    #[allow(clippy::type_complexity)] // a conclusion, and what it rests on
    fn decide(
        &mut self,
        claim: &Claim<K::Formula>,
        run: &mut Run<'_>,
    ) -> Ask<(Conclusion<K>, Option<Support<K::Trace>>)> {
        let system = self.context.system;
        let queries = &mut self.induction.queries;
        let goal = |moments: &mut K::Moments<'s>, k| {
            K::goal_at(moments, k, claim).ok_or(Stop::Incomplete("the claim is not about reachability"))
        };
        let initially = goal(&mut queries.initial, 0)?;
        let (now, next) = (goal(&mut queries.step, 0)?, goal(&mut queries.step, 1)?);
        let p = queries.push(Formula { initially, now, next });
        if let Some(trace) = queries.initiation(p)? {
            return Ok((Conclusion::Unsafe(trace), None));
        }
        run.publish_bound(0);
        let found = match K::must_follow(system, claim) {
            false => self.induction.decide(p)?.map(|found| (Some(claim), found)),
            true => self.implied(claim, run)?.map(|found| (None, found)),
        };
        if let Some((claim, Strengthening { with, support })) = found {
            let proof = K::proof(system, &self.lemmas, &with, claim);
            return Ok((Conclusion::Safe(proof), Some(support)));
        }
        let mut first = K::moments(system, &self.lemmas, &self.decider, Which::first(1), run);
        let violated = !goal(&mut first, 1)?;
        if first.solve(&[violated])? {
            return Ok((Conclusion::Unsafe(first.trace()), None));
        }
        run.publish_bound(1);
        Err(Stop::Incomplete(NOT_INDUCTIVE_RELATIVE))
    }

    /// Do the lemmas imply a claim?
    fn implied(&mut self, claim: &Claim<K::Formula>, run: &Run<'_>) -> Ask<Option<Strengthening<K::Trace>>> {
        let any = || K::moments(self.context.system, &self.lemmas, &self.decider, Which::ANY, run);
        let lemmas = |moments: &mut K::Moments<'s>| K::lemmas_at(moments, 0, &self.lemmas);
        let goal = |moments: &mut K::Moments<'s>| K::goal_at(moments, 0, claim);
        let Some((mut queries, p)) = Queries::of_implication(any(), any(), lemmas, goal) else {
            return Ok(None);
        };
        let with = self.induction.proved();
        let found = queries.relative(p, with.clone())?;
        self.induction.queries.n_asked += queries.n_asked;
        Ok(found.ok().map(|support| Strengthening { with, support }))
    }
}

/// What makes every property hold, and so says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// There is no initial state.
    NoInitialState,
    /// No run has more than so many steps.
    NoRunBeyond(usize),
}

/// Does the system have runs of so many steps, or are there none beyond some step? Where nobody has a theory for it, there may be some.
pub fn vacuity<K: Inductive>(
    system: &K::System,
    steps: usize,
    other: Option<&External>,
    run: &Run<'_>,
) -> Ask<Option<Vacuity>> {
    let nothing = K::no_lemmas(system);
    let Ok(decider) = K::decider(system, &nothing, &[], other) else { return Ok(None) };
    // Lengths that double: most models have runs of any length, and the last question answers for all.
    let (mut shortest, mut longest) = (0, None);
    let mut k = 0;
    loop {
        match K::moments(system, &nothing, &decider, Which::first(k), run).solve(&[])? {
            true => shortest = k,
            false => longest = Some(k),
        }
        k = match longest {
            None if k < steps => (2 * k).clamp(1, steps),
            None => return Ok(None),
            Some(0) => return Ok(Some(Vacuity::NoInitialState)),
            Some(none) if none - shortest <= 1 => return Ok(Some(Vacuity::NoRunBeyond(shortest))),
            Some(none) => (shortest + none) / 2,
        };
    }
}

/// A counterexample to induction (CTI): a step of the model from a state in which `lemmas` and the property hold to one in which the
/// property does not. If the property has to follow from the lemmas, only a state in which they hold and it does not. None if there is
/// no such thing, or no theory for it.
///
/// Constraints hold in both moments. Nothing says that the first state can be reached.
pub fn counterexample_to_induction<K: Inductive>(
    system: &K::System,
    property: usize,
    lemmas: Option<(&K::Lemmas, &[usize])>,
    other: Option<&External>,
    run: &Run<'_>,
) -> Ask<Option<K::Trace>> {
    let properties = K::properties(system);
    let Some(claim) = properties.get(property).map(|p| &p.claim) else { return Ok(None) };
    let nothing = K::no_lemmas(system);
    let (lemmas, positions) = lemmas.unwrap_or((&nothing, &[]));
    let Ok(decider) = K::decider(system, lemmas, &[claim], other) else { return Ok(None) };
    let is_state = K::must_follow(system, claim);
    let which = if is_state { Which::ANY } else { Which::STEP };
    let mut moments = K::moments(system, lemmas, &decider, which, run);
    let known = K::lemmas_at(&mut moments, 0, lemmas);
    let mut assumed: Vec<Lit> = positions.iter().map(|&i| known[i]).collect();
    let Some(now) = K::goal_at(&mut moments, 0, claim) else { return Ok(None) };
    match is_state {
        true => assumed.push(!now),
        false => {
            let Some(next) = K::goal_at(&mut moments, 1, claim) else { return Ok(None) };
            assumed.extend([now, !next]);
        }
    }
    Ok(moments.solve(&assumed)?.then(|| moments.trace()))
}
