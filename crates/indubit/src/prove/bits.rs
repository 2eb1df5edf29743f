//! Incremental proofs over bits.

use super::bit_moments::{BitMoments, property};
use super::induction::{Induction, Strengthening};
use super::queries::{Formula, Moments, Queries};
use super::{NOT_INDUCTIVE_RELATIVE, PROVE, Standing, Support};
use crate::check::{Error, verify};
use indubit_certify::Solving;
use indubit_logic::{Clause, Lit};
use indubit_run::{Ask, Event, Run, Stop};
use indubit_system::{BitSystem, Invariant, Proof, Trace, Verdict};

/// An incremental proof of properties of a model.
pub struct Incremental<'s> {
    system: &'s BitSystem,
    candidates: Invariant,
    induction: Induction<BitMoments<'s>>,
}

impl<'s> Incremental<'s> {
    /// Prove as many of the lemmas as can be; each clause of `candidates` is one.
    ///
    /// If the run ends early, the others are [`Standing::Unknown`].
    pub fn new(
        system: &'s BitSystem,
        candidates: &Invariant,
        run: &mut Run<'_>,
    ) -> Result<Incremental<'s>, Error> {
        system.validate().map_err(Error::Malformed)?;
        let mut queries = Queries::new(BitMoments::initial(system, run), BitMoments::step(system, run));
        extend(&mut queries, candidates);
        let induction = Induction::new(queries);
        let mut this = Incremental { system, candidates: candidates.clone(), induction };
        let proved = this.induction.prove_lemmas().map(|()| this.proved());
        match proved.and_then(|proved| check_lemmas(system, proved, run)) {
            Ok(Ok(())) => (),
            Ok(Err(error)) => return Err(error),
            Err(stop) => this.induction.forget_proofs(stop),
        }
        Ok(this)
    }

    /// What is known about each lemma.
    pub fn standings(&self) -> &[Standing] {
        &self.induction.standings
    }

    /// The lemmas that are proved.
    pub fn proved(&self) -> Invariant {
        self.lemmas(&self.induction.proved(), None)
    }

    /// The lemmas at these positions, and the property.
    fn lemmas(&self, positions: &[usize], bad: Option<usize>) -> Invariant {
        let mut all = Invariant::new(self.system.aig().n_vars());
        self.candidates.select(positions).conjoin_to(&mut all, Lit::positive);
        if let Some(bad) = bad {
            all.add(Clause::new([!self.system.bad_signals()[bad].lit]));
        }
        all
    }

    /// Prove a property (a position in [`BitSystem::properties`]) with the lemmas. What it rests on is there if it is proved.
    pub fn check(&mut self, property: usize, run: &mut Run<'_>) -> Result<(Verdict, Option<Support>), Error> {
        let Some(chosen) = self.system.property(property) else {
            return Err(Error::NoSuchProperty { index: property, available: self.system.n_properties() });
        };
        run.event(Event::Property { index: property, name: &chosen.label() });
        run.event(Event::Engine { name: PROVE });
        let Some(bad) = chosen.kind.bad() else { return Err(Error::Liveness { id: chosen.id() }) };
        let n_before = self.induction.queries.n_asked;
        let found = self.decide(bad, run);
        let n_asked = self.induction.queries.n_asked - n_before;
        run.event(Event::Count { name: "queries of induction", value: n_asked });
        let (verdict, support) = match found {
            Ok(found) => found,
            Err(stop) => (Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }, None),
        };
        let verdict = verify(self.system, &chosen, property, verdict, run)?;
        let support = support.filter(|_| matches!(verdict, Verdict::Safe(_)));
        Ok((verdict, support))
    }

    fn decide(&mut self, bad: usize, run: &mut Run<'_>) -> Ask<(Verdict, Option<Support>)> {
        let queries = &mut self.induction.queries;
        extend(queries, &property(self.system, bad));
        let p = queries.len() - 1;
        if let Some(trace) = queries.initiation(p)? {
            return Ok((Verdict::Unsafe(trace), None));
        }
        run.event(Event::Bound { safe_up_to: 0 });
        if let Some(Strengthening { with, support }) = self.induction.decide(p)? {
            let proof = Proof::Inductive(self.lemmas(&with, Some(bad)));
            return Ok((Verdict::Safe(proof), Some(support)));
        }
        let mut first = BitMoments::initial(self.system, run);
        first.follow();
        let violated = first.lit(1, self.system.bad_signals()[bad].lit);
        if first.solve(&[violated])? {
            return Ok((Verdict::Unsafe(first.trace()), None));
        }
        run.event(Event::Bound { safe_up_to: 1 });
        Err(Stop::Incomplete(NOT_INDUCTIVE_RELATIVE))
    }
}

/// Each clause of an invariant is a formula more.
fn extend(queries: &mut Queries<BitMoments<'_>>, formulas: &Invariant) {
    let initially = queries.initial.clauses(0, formulas);
    let [now, next] = [0, 1].map(|k| queries.step.clauses(k, formulas));
    for ((initially, now), next) in initially.into_iter().zip(now).zip(next) {
        queries.push(Formula { initially, now, next });
    }
}

/// The independent check that lemmas are an inductive invariant: there is no bad signal for them to exclude.
fn check_lemmas(system: &BitSystem, lemmas: Invariant, run: &mut Run<'_>) -> Ask<Result<(), Error>> {
    if lemmas.is_trivial() {
        return Ok(Ok(()));
    }
    let mut subject = system.with_bads(&[]);
    subject.add_bad("", Lit::FALSE);
    run.event(Event::Checking { what: "proof" });
    let claimed = Verdict::Safe(Proof::Inductive(lemmas));
    let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
    let checked = indubit_certify::check(&subject, 0, &claimed, by)?;
    Ok(match checked {
        Ok(_) => Ok(()),
        Err(reason) => Err(Error::Rejected { reason, claimed: Box::new(claimed) }),
    })
}

/// Is there an initial state, one in which the constraints hold? If not, every property holds, and that says nothing.
pub fn has_initial_state(system: &BitSystem, run: &Run<'_>) -> Ask<bool> {
    BitMoments::initial(system, run).solve(&[])
}

/// A counterexample to induction (CTI): a step of the model from a state in which `lemmas` and the property hold to one in which the
/// property does not. None if it is inductive relative to `lemmas`.
///
/// It has two moments, and the constraints hold in both. Nothing says that its first state can be reached.
///
/// # Panics
/// If there is no such safety property.
pub fn counterexample_to_induction(
    system: &BitSystem,
    property: usize,
    lemmas: &Invariant,
    run: &Run<'_>,
) -> Ask<Option<Trace>> {
    let bad = system.property(property).and_then(|p| p.kind.bad()).expect("a safety property");
    let bad = system.bad_signals()[bad].lit;
    let mut step = BitMoments::step(system, run);
    let mut assumed = step.clauses(0, lemmas);
    assumed.extend([!step.lit(0, bad), step.lit(1, bad)]);
    Ok(step.solve(&assumed)?.then(|| step.trace()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests;
