//! Incremental proofs over words.
//!
//! A lemma is about states alone. A property may be about inputs, too: what it says of all inputs is no formula that could be
//! assumed of a state, so then it has to follow from the lemmas.

use super::induction::{Induction, Strengthening};
use super::queries::{Moments, Queries};
use super::word_moments::{Decider, WordMoments};
use super::{NOT_INDUCTIVE_RELATIVE, PROVE, Standing, Support};
use crate::check::Error;
use crate::words::{check_proof, verify};
use indubit_engines::WordVerdict;
use indubit_logic::Lit;
use indubit_run::{Ask, Event, Run, Stop};
use indubit_smt::External;
use indubit_system::{Verdict, WordMalformed, WordProof, WordProperty, WordSystem, WordTrace};
use indubit_term::{Sort, Term, Terms};

/// An incremental proof of properties of a system over words.
pub struct WordIncremental<'s> {
    system: &'s WordSystem,
    terms: Terms,
    candidates: Vec<Term>,
    decider: Decider,
    induction: Induction<WordMoments>,
}

impl<'s> WordIncremental<'s> {
    /// Prove as many of the lemmas as can be: formulas over current state variables, in `terms`. Where our solver has no theory, `other`
    /// is asked.
    ///
    /// If the run ends early, the others are [`Standing::Unknown`].
    ///
    /// # Panics
    /// If `terms` are not those of the system, with more.
    pub fn new(
        system: &'s WordSystem,
        terms: &Terms,
        candidates: &[Term],
        other: Option<&External>,
        run: &mut Run<'_>,
    ) -> Result<WordIncremental<'s>, Error> {
        assert!(terms.extends(&system.terms), "lemmas are about the system");
        system.validate().map_err(Error::MalformedWords)?;
        candidates
            .iter()
            .try_for_each(|&lemma| well_formed(system, terms, lemma))
            .map_err(Error::MalformedWords)?;
        let base: Vec<Term> = [system.init, system.trans].into_iter().chain(candidates.to_vec()).collect();
        let holds = system.properties.iter().map(|p| p.holds);
        let all: Vec<Term> = base.iter().copied().chain(holds).collect();
        // One property that is beyond ours does not keep us from the others.
        let decider = Decider::of(terms, &all, other).or_else(|_| Decider::of(terms, &base, other))?;
        let initial = WordMoments::initial(system, terms, &decider, run);
        let mut queries = Queries::new(initial, WordMoments::step(system, terms, &decider, run));
        for &lemma in candidates {
            queries.push_term(lemma);
        }
        let (terms, candidates) = (terms.clone(), candidates.to_vec());
        let mut this =
            WordIncremental { system, terms, candidates, decider, induction: Induction::new(queries) };
        let proved = this.induction.prove_lemmas();
        match proved.and_then(|()| this.check_lemmas(run)) {
            Ok(Ok(())) => (),
            Ok(Err(error)) => return Err(error),
            Err(stop) => this.induction.forget_proofs(stop),
        }
        Ok(this)
    }

    /// What is known about each lemma.
    pub fn standings(&self) -> &[Standing<WordTrace>] {
        &self.induction.standings
    }

    /// Does another solver decide, since ours has no theory?
    pub fn is_by_another(&self) -> bool {
        self.decider.other().is_some()
    }

    /// The lemmas that are proved.
    pub fn proved(&self) -> Vec<Term> {
        self.induction.proved().into_iter().map(|i| self.candidates[i]).collect()
    }

    /// The independent check that lemmas are an inductive invariant: there is nothing bad for them to exclude.
    fn check_lemmas(&self, run: &mut Run<'_>) -> Ask<Result<(), Error>> {
        let proved = self.proved();
        if proved.is_empty() {
            return Ok(Ok(()));
        }
        run.event(Event::Checking { what: "proof" });
        let mut subject = WordSystem { terms: self.terms.clone(), ..self.system.clone() };
        let holds = subject.terms.bool(true);
        subject.properties = vec![WordProperty { name: String::new(), number: 0, holds }];
        let mut terms = subject.terms.clone();
        let invariant = terms.and(&proved);
        let proof = WordProof::Inductive { terms, invariant };
        let checked = check_proof(&subject, 0, &proof, self.decider.other(), run.cancel())?;
        Ok(checked.map_err(|reason| Error::RejectedWords { reason, claimed: Box::new(Verdict::Safe(proof)) }))
    }

    /// Prove a property (a position in [`WordSystem::properties`]) with the lemmas. What it rests on is there if it is proved.
    pub fn check(
        &mut self,
        property: usize,
        run: &mut Run<'_>,
    ) -> Result<(WordVerdict, Option<Support<WordTrace>>), Error> {
        let Some(chosen) = self.system.properties.get(property) else {
            return Err(Error::NoSuchProperty { index: property, available: self.system.properties.len() });
        };
        if !self.decider.has(&self.terms, chosen.holds) {
            return Err(Error::Unsupported { term: self.terms.display(chosen.holds).short().to_string() });
        }
        run.event(Event::Property { index: property, name: &chosen.name });
        run.event(Event::Engine { name: PROVE });
        let n_before = self.induction.queries.n_asked;
        let found = self.decide(chosen.holds, run);
        let n_asked = self.induction.queries.n_asked - n_before;
        run.event(Event::Count { name: "queries of induction", value: n_asked });
        let (verdict, support) = match found {
            Ok(found) => found,
            Err(stop) => (Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }, None),
        };
        let verdict = verify(self.system, property, verdict, self.decider.other(), run)?;
        let support = support.filter(|_| matches!(verdict, Verdict::Safe(_)));
        Ok((verdict, support))
    }

    fn decide(&mut self, holds: Term, run: &mut Run<'_>) -> Ask<(WordVerdict, Option<Support<WordTrace>>)> {
        let queries = &mut self.induction.queries;
        let p = queries.push_term(holds);
        if let Some(trace) = queries.initiation(p)? {
            return Ok((Verdict::Unsafe(trace), None));
        }
        run.event(Event::Bound { safe_up_to: 0 });
        let found = match self.system.stranger(&self.terms, holds).is_some() {
            false => self.induction.decide(p)?.map(|found| (Some(holds), found)),
            true => self.implied(holds, run)?.map(|found| (None, found)),
        };
        if let Some((goal, Strengthening { with, support })) = found {
            let mut terms = self.terms.clone();
            let parts: Vec<Term> = with.into_iter().map(|i| self.candidates[i]).chain(goal).collect();
            let invariant = terms.and(&parts);
            return Ok((Verdict::Safe(WordProof::Inductive { terms, invariant }), Some(support)));
        }
        let mut first = WordMoments::initial(self.system, &self.terms, &self.decider, run);
        first.follow(self.system);
        let violated = !first.next(holds);
        if first.solve(&[violated])? {
            return Ok((Verdict::Unsafe(first.trace()), None));
        }
        run.event(Event::Bound { safe_up_to: 1 });
        Err(Stop::Incomplete(NOT_INDUCTIVE_RELATIVE))
    }

    /// Do the lemmas imply a formula?
    fn implied(&mut self, holds: Term, run: &Run<'_>) -> Ask<Option<Strengthening<WordTrace>>> {
        let (mut queries, p) =
            Queries::of_implication(self.system, &self.terms, &self.decider, &self.candidates, holds, run);
        let with = self.induction.proved();
        let found = queries.relative(p, with.clone())?;
        self.induction.queries.n_asked += queries.n_asked;
        Ok(found.ok().map(|support| Strengthening { with, support }))
    }
}

/// Is it a formula over current state variables?
fn well_formed(system: &WordSystem, terms: &Terms, lemma: Term) -> Result<(), WordMalformed> {
    if terms.sort(lemma) != Sort::Bool {
        return Err(WordMalformed::NotBoolean("a lemma"));
    }
    match system.stranger(terms, lemma) {
        Some(var) => {
            let variable = terms.name(var).unwrap_or_default().to_owned();
            Err(WordMalformed::Mentions { formula: "a lemma", variable })
        }
        None => Ok(()),
    }
}

/// Is there an initial state? If not, every property holds, and that says nothing. Where nobody has a theory for it, there may be one.
pub fn word_has_initial_state(system: &WordSystem, other: Option<&External>, run: &Run<'_>) -> Ask<bool> {
    match Decider::of(&system.terms, &[system.init], other) {
        Ok(decider) => WordMoments::initial(system, &system.terms, &decider, run).solve(&[]),
        Err(_) => Ok(true),
    }
}

/// A counterexample to induction (CTI): a step of the system from a state in which `lemmas` and the property hold to one in which the
/// property does not. If the property is about inputs, only a state in which the lemmas hold and it does not. None if there is
/// no such thing, or no theory for it.
///
/// Nothing says that its first state can be reached.
///
/// # Panics
/// If there is no such property.
pub fn word_counterexample_to_induction(
    system: &WordSystem,
    property: usize,
    terms: &Terms,
    lemmas: &[Term],
    other: Option<&External>,
    run: &Run<'_>,
) -> Ask<Option<WordTrace>> {
    let holds = system.properties[property].holds;
    let mut formulas = lemmas.to_vec();
    formulas.extend([system.init, system.trans, holds]);
    let Ok(decider) = Decider::of(terms, &formulas, other) else { return Ok(None) };
    let one = system.stranger(terms, holds).is_some();
    let make = if one { WordMoments::any } else { WordMoments::step };
    let mut moments = make(system, terms, &decider, run);
    let mut assumed: Vec<Lit> = lemmas.iter().map(|&lemma| moments.now(lemma)).collect();
    match one {
        true => assumed.push(!moments.now(holds)),
        false => assumed.extend([moments.now(holds), !moments.next(holds)]),
    }
    Ok(moments.solve(&assumed)?.then(|| moments.trace()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests;
