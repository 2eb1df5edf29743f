//! Incremental proofs (seed 001): lemmas φ₁ … φₖ, each inductive relative to those before it, and then the property.
//!
//! Lemmas that are not inductive in their order may be so together, as for the seed's program `M₂`: the largest subset of them that is
//! inductive relative to what is proved is found by dropping, again and again, all that some step from all of them breaks (Flanagan, Leino,
//! *Houdini*, FME 2001; MaxIndSubset of seed 004 for clauses of IC3). It does not depend on the order in which they are dropped.
//!
//! A lemma may mention inputs: it then says something about a state and the inputs that come with it, and is kept if it holds in the
//! next state whatever comes there. Constraints hold in both moments of a step.
//!
//! What is found is believed only after the independent check: of the lemmas that were proved, and of the property with them.

mod moments;

use crate::check::{Error, verify};
use indubit_certify::Solving;
use indubit_logic::{Clause, Lit};
use indubit_run::{Ask, Event, Run, Stop};
use indubit_system::{BitSystem, Invariant, Proof, Trace, Verdict};
use moments::{Moments, property};

/// Why an incremental proof ends without a verdict.
pub const NOT_INDUCTIVE_RELATIVE: &str = "the property is not inductive relative to the lemmas";

/// The name of this way to prove, where engines have theirs.
pub const PROVE: &str = "prove";

/// Among so many lemmas, those that are needed are found one by one.
const FEW: usize = 12;
/// Of so many lemmas that are inductive only together, it is kept why they are not alone.
const MOST_ALONE: usize = 100;

/// What is known about a lemma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds in every state of any model: it says nothing.
    Trivial,
    /// It is proved.
    Proved(Support),
    /// It is false in an initial state, this one.
    FalseInitially(Trace),
    /// It is not inductive relative to all that is proved: a step from a state in which it holds, and all that is proved, to one in
    /// which it does not. That is no run from an initial state.
    NotInductive(Trace),
    /// There was no time.
    Unknown(Stop),
}

/// What a lemma, or the property, is inductive relative to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Support {
    /// Lemmas that were proved before, by position.
    pub relative_to: Vec<usize>,
    /// Lemmas that are proved only together with it.
    pub together_with: Vec<usize>,
    /// A step that breaks it, from a state in which all holds that was proved before. None if there is no such step, and
    /// not kept for each of very many lemmas.
    pub alone: Option<Trace>,
}

/// An incremental proof of properties of a model.
pub struct Incremental<'s> {
    system: &'s BitSystem,
    candidates: Invariant,
    standings: Vec<Standing>,
    queries: Queries<'s>,
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
        let queries = Queries::new(system, candidates, run);
        let unknown = Standing::Unknown(Stop::Cancelled);
        let standings = vec![unknown; candidates.clauses().len()];
        let mut this = Incremental { system, candidates: candidates.clone(), standings, queries };
        let proved = this.prove_lemmas().map(|()| this.lemmas(&this.proved_positions(), None));
        let checked = proved.and_then(|proved| check_lemmas(system, proved, run));
        match checked {
            Ok(Ok(())) => (),
            Ok(Err(error)) => return Err(error),
            // What has not been checked is not known.
            Err(stop) => {
                let is_proved = |s: &&mut Standing| matches!(s, Standing::Proved(_) | Standing::Unknown(_));
                this.standings.iter_mut().filter(is_proved).for_each(|s| *s = Standing::Unknown(stop));
            }
        }
        Ok(this)
    }

    /// What is known about each lemma.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The lemmas that are proved.
    pub fn proved(&self) -> Invariant {
        self.lemmas(&self.proved_positions(), None)
    }

    fn proved_positions(&self) -> Vec<usize> {
        let is_proved = |&i: &usize| matches!(self.standings[i], Standing::Proved(_));
        (0..self.standings.len()).filter(is_proved).collect()
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

    fn prove_lemmas(&mut self) -> Ask<()> {
        let queries = &mut self.queries;
        let mut proved: Vec<usize> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut alone: Vec<Option<Trace>> = Vec::new();
        // In their order: φᵢ relative to what was proved among φ₁ … φᵢ₋₁.
        for i in 0..self.standings.len() {
            if queries.now[i] == Lit::TRUE {
                self.standings[i] = Standing::Trivial;
            } else if let Some(trace) = queries.initiation(i)? {
                self.standings[i] = Standing::FalseInitially(trace);
            } else if let Some(cti) = queries.consecution(i, &proved)? {
                open.push(i);
                alone.push((alone.len() < MOST_ALONE).then_some(cti));
            } else {
                let relative_to = queries.core(i, proved.clone())?;
                self.standings[i] = Standing::Proved(Support { relative_to, ..Support::default() });
                proved.push(i);
            }
        }
        // All at once.
        let together = queries.max_inductive_subset(open.clone(), &proved)?;
        let all: Vec<usize> = proved.iter().chain(&together).copied().collect();
        for (i, alone) in open.into_iter().zip(alone) {
            self.standings[i] = match together.binary_search(&i) {
                Ok(_) => {
                    let (relative_to, together_with) =
                        queries.core(i, all.clone())?.into_iter().partition(|j| proved.contains(j));
                    Standing::Proved(Support { relative_to, together_with, alone })
                }
                Err(_) => match queries.consecution(i, &all)? {
                    Some(cti) => Standing::NotInductive(cti),
                    None => unreachable!("it would be in the largest inductive subset"),
                },
            };
        }
        Ok(())
    }

    /// Prove a property (a position in [`BitSystem::properties`]) with the lemmas. What it rests on is there if it is proved.
    pub fn check(&mut self, property: usize, run: &mut Run<'_>) -> Result<(Verdict, Option<Support>), Error> {
        let Some(chosen) = self.system.property(property) else {
            return Err(Error::NoSuchProperty { index: property, available: self.system.n_properties() });
        };
        run.event(Event::Property { index: property, name: &chosen.label() });
        run.event(Event::Engine { name: PROVE });
        let Some(bad) = chosen.kind.bad() else { return Err(Error::Liveness { id: chosen.id() }) };
        let n_before = self.queries.n_asked;
        let found = self.decide(bad, run);
        run.event(Event::Count { name: "queries of induction", value: self.queries.n_asked - n_before });
        let (verdict, support) = match found {
            Ok(found) => found,
            Err(stop) => (Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }, None),
        };
        let verdict = verify(self.system, &chosen, property, verdict, run)?;
        let support = support.filter(|_| matches!(verdict, Verdict::Safe(_)));
        Ok((verdict, support))
    }

    fn decide(&mut self, bad: usize, run: &mut Run<'_>) -> Ask<(Verdict, Option<Support>)> {
        let mut proved = self.proved_positions();
        let p = self.queries.push(&property(self.system, bad));
        if let Some(trace) = self.queries.initiation(p)? {
            return Ok((Verdict::Unsafe(trace), None));
        }
        run.event(Event::Bound { safe_up_to: 0 });
        let Some(cti) = self.queries.consecution(p, &proved)? else {
            let relative_to = self.queries.core(p, proved.clone())?;
            let alone = self.queries.consecution(p, &[])?;
            let proof = Proof::Inductive(self.lemmas(&proved, Some(bad)));
            return Ok((
                Verdict::Safe(proof),
                Some(Support { relative_to, together_with: Vec::new(), alone }),
            ));
        };
        // Some that are not inductive may be so together with the property.
        let is_open = |&i: &usize| matches!(self.standings[i], Standing::NotInductive(_));
        let mut candidates: Vec<usize> = (0..self.standings.len()).filter(is_open).collect();
        candidates.push(p);
        let mut together = self.queries.max_inductive_subset(candidates, &proved)?;
        if together.pop_if(|last| *last == p).is_some() {
            let all: Vec<usize> = proved.iter().chain(&together).copied().collect();
            let relative_to = self.queries.core(p, all)?.into_iter().filter(|j| proved.contains(j)).collect();
            proved.extend(&together);
            proved.sort_unstable();
            let proof = Proof::Inductive(self.lemmas(&proved, Some(bad)));
            let support = Support { relative_to, together_with: together, alone: Some(cti) };
            return Ok((Verdict::Safe(proof), Some(support)));
        }
        let mut first = Moments::initial(self.system, run);
        first.follow();
        let violated = first.lit(1, self.system.bad_signals()[bad].lit);
        if first.solve(&[violated])? {
            return Ok((Verdict::Unsafe(first.trace()), None));
        }
        run.event(Event::Bound { safe_up_to: 1 });
        Err(Stop::Incomplete(NOT_INDUCTIVE_RELATIVE))
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
    let mut step = Moments::step(system, run);
    let mut assumed = step.clauses(0, lemmas);
    assumed.extend([!step.lit(0, bad), step.lit(1, bad)]);
    Ok(step.solve(&assumed)?.then(|| step.trace()))
}

/// Initiation and consecution of formulas, by their position.
struct Queries<'s> {
    initial: Moments<'s>,
    step: Moments<'s>,
    /// Each formula initially, now and in the next moment.
    initially: Vec<Lit>,
    now: Vec<Lit>,
    next: Vec<Lit>,
    n_asked: u64,
}

impl<'s> Queries<'s> {
    fn new(system: &'s BitSystem, formulas: &Invariant, run: &Run<'_>) -> Queries<'s> {
        let (initial, step) = (Moments::initial(system, run), Moments::step(system, run));
        let [initially, now, next] = [const { Vec::new() }; 3];
        let mut queries = Queries { initial, step, initially, now, next, n_asked: 0 };
        queries.extend(formulas);
        queries
    }
    fn extend(&mut self, formulas: &Invariant) {
        self.initially.extend(self.initial.clauses(0, formulas));
        self.now.extend(self.step.clauses(0, formulas));
        self.next.extend(self.step.clauses(1, formulas));
    }
    /// One formula more; its position.
    fn push(&mut self, formula: &Invariant) -> usize {
        self.extend(formula);
        self.now.len() - 1
    }
    /// `I ⇒ φ`, or an initial state in which it is false.
    fn initiation(&mut self, i: usize) -> Ask<Option<Trace>> {
        self.n_asked += 1;
        Ok(self.initial.solve(&[!self.initially[i]])?.then(|| self.initial.trace()))
    }
    /// `⋀ given ∧ φ ∧ T ⇒ φ'`, or a step that breaks it.
    fn consecution(&mut self, i: usize, given: &[usize]) -> Ask<Option<Trace>> {
        self.n_asked += 1;
        let mut assumed: Vec<Lit> = given.iter().map(|&j| self.now[j]).collect();
        assumed.extend([self.now[i], !self.next[i]]);
        Ok(self.step.solve(&assumed)?.then(|| self.step.trace()))
    }
    /// What of `given` the consecution of φ needs, where it holds: none of few can be left out.
    fn core(&mut self, i: usize, mut given: Vec<usize>) -> Ask<Vec<usize>> {
        given.retain(|&j| j != i);
        self.consecution(i, &given)?;
        given.retain(|&j| self.step.failed(self.now[j]));
        let candidates = if given.len() <= FEW { given.clone() } else { Vec::new() };
        for j in candidates {
            let fewer: Vec<usize> = given.iter().copied().filter(|&other| other != j).collect();
            if self.consecution(i, &fewer)?.is_none() {
                given = fewer;
            }
        }
        Ok(given)
    }
    /// The largest subset of the formulas `all`, which are in order, that is inductive relative to `given`.
    fn max_inductive_subset(&mut self, mut all: Vec<usize>, given: &[usize]) -> Ask<Vec<usize>> {
        loop {
            self.n_asked += 1;
            let assumed: Vec<Lit> = given.iter().chain(&all).map(|&j| self.now[j]).collect();
            let broken: Vec<Lit> = all.iter().map(|&j| !self.next[j]).collect();
            if all.is_empty() || !self.step.solve_with(&broken, &assumed)? {
                return Ok(all);
            }
            all.retain(|&j| self.step.is_true(self.next[j]));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests;
