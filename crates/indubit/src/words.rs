//! The same path for systems over words: an engine, and the independent check of its evidence. What has only bits goes the way of bits.

use crate::all::{Next, check_all};
use crate::check::{Error, Plan, Strategy};
use crate::race::{Racer, race};
use crate::tidy_words::tidy_words;
use indubit_certify::{WordReason, ask_another, check_word_proof, check_word_trace};
use indubit_engines::{Limited, Options, WORDS, WordInfo, WordProblem, WordVerdict};
use indubit_preproc::{Blasted, Passes, blast};
use indubit_run::{Ask, Cancel, Event, Ignore, Run, Stop, within_time};
use indubit_smt::{External, TOO_MANY_SPLITS};
use indubit_system::{Proof, Verdict, WordProof, WordSystem};
use std::time::Duration;

/// How a property of a system over words is to be decided.
#[derive(Clone)]
pub struct WordStrategy {
    /// The engine.
    pub engine: &'static WordInfo,
    /// Its switches.
    pub options: Options,
}

impl From<&'static WordInfo> for WordStrategy {
    fn from(engine: &'static WordInfo) -> WordStrategy {
        WordStrategy { engine, options: Options::default() }
    }
}

/// Strategies for one property: the first checked answer wins.
#[derive(Clone)]
pub struct WordPlan {
    /// The most promising one first, each with the length of its turns, compared with those of others.
    pub members: Vec<(u32, WordStrategy)>,
    /// How many are at work at the same time.
    pub n_threads: usize,
    /// Who is asked where our solver has no theory: by `bmc` and `kind`, and about their proofs.
    pub other: Option<External>,
}

impl<S: Into<WordStrategy>> From<S> for WordPlan {
    fn from(strategy: S) -> WordPlan {
        WordPlan { members: vec![(1, strategy.into())], n_threads: 1, other: None }
    }
}

impl WordPlan {
    /// IC3 over predicates first, and then what differs from it.
    pub fn for_cores(n_threads: usize) -> WordPlan {
        let with = |weight: u32, name: &str, settings: &[&str]| {
            let mut strategy = WordStrategy::from(word_engine(name)?);
            settings.iter().try_for_each(|s| strategy.options.set(s)).ok()?;
            Some((weight, strategy))
        };
        let members = [
            with(1, "ic3ia", &[]),
            with(2, "bmc", &[]),
            with(2, "ctigar", &[]),
            with(1, "quip", &[]),
            with(1, "kind", &[]),
            with(1, "itp", &[]),
        ];
        let members = members.into_iter().flatten().collect();
        WordPlan { members, n_threads: n_threads.max(1), other: None }
    }
}

/// What a property of the system is about, as text, that our solver for words has no theory for.
///
/// # Panics
/// If there is no such property.
pub fn unsupported(system: &WordSystem, property: usize) -> Option<String> {
    let formulas = [system.init, system.trans, system.properties[property].holds];
    let term = indubit_smt::unsupported(&system.terms, &formulas)?;
    Some(system.terms.display(term).short().to_string())
}

/// An engine for words by its name.
pub fn word_engine(name: &str) -> Option<&'static WordInfo> {
    WORDS.iter().find(|engine| engine.name == name)
}

/// Decide property number `property` of a system over words. A verdict other than "unknown" has passed the independent check.
pub fn check_words(
    system: &WordSystem,
    property: usize,
    plan: &WordPlan,
    run: &mut Run<'_>,
) -> Result<WordVerdict, Error> {
    system.validate().map_err(Error::MalformedWords)?;
    let available = system.properties.len();
    if property >= available {
        return Err(Error::NoSuchProperty { index: property, available });
    }
    run.event(Event::Property { index: property, name: &system.properties[property].name });
    let problem = WordProblem::new(system, property);
    let mut members = plan.members.clone();
    if let Some(term) = unsupported(system, property) {
        members.retain(|(_, strategy)| ["bmc", "kind"].contains(&strategy.engine.name));
        if plan.other.is_none() || members.is_empty() {
            return Err(Error::Unsupported { term });
        }
        members.iter_mut().for_each(|(_, strategy)| strategy.options.other = plan.other.clone());
    }
    match &members[..] {
        [(_, strategy)] => check_one(&problem, property, strategy, run),
        members => {
            let racer = |(weight, strategy): &(u32, WordStrategy)| {
                let (strategy, problem) = (strategy.clone(), &problem);
                let decide = move |own: &mut Run<'_>| check_one(problem, property, &strategy, own);
                Racer { weight: *weight, waits: false, decide: Box::new(decide) }
            };
            race(members.iter().map(racer).collect(), plan.n_threads, &|| false, run)
        }
    }
}

/// How long the first attempts at each of several properties are.
const TURNS: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(4)];

/// Decide properties as [`check_words`] does, and tell each verdict as soon as it is there, in any order: a hard one does not keep the
/// others waiting. Those for which there is no time are not told.
pub fn check_all_words(
    system: &WordSystem,
    properties: &[usize],
    plan: &WordPlan,
    run: &mut Run<'_>,
    tell: &mut dyn FnMut(usize, Result<WordVerdict, Error>) -> Next,
) {
    let mut open = properties.to_vec();
    for turn in TURNS.into_iter().map(Some).chain([None]) {
        let turn = turn.filter(|_| open.len() > 1);
        for property in std::mem::take(&mut open) {
            let result = match turn {
                None => Some(check_words(system, property, plan, run)),
                Some(turn) => attempt(turn, run, |own| check_words(system, property, plan, own)),
            };
            let next = match result {
                Some(result) => tell(property, result),
                None => {
                    open.push(property);
                    Next::GoOn
                }
            };
            if next == Next::Enough || run.checkpoint().is_err() {
                return;
            }
        }
    }
}

/// What is found out within so much time.
fn attempt<T>(time: Duration, run: &mut Run<'_>, decide: impl FnOnce(&mut Run<'_>) -> T) -> Option<T> {
    let cancel = run.cancel().clone();
    let (seed, bound, paranoid) = (run.seed, run.bound, run.paranoid);
    let found = within_time(time, &cancel, |cancel| {
        let mut limited = Limited::new(run, cancel, usize::MAX);
        let mut own =
            Run::new(cancel.clone(), &mut limited).with_seed(seed).with_bound(bound).with_paranoia(paranoid);
        let result = decide(&mut own);
        (result, limited.counts)
    });
    let (result, counts) = found?;
    counts.into_iter().for_each(|(name, value)| run.event(Event::Count { name, value }));
    Some(result)
}

/// So many times an engine may try it, if integers are too much for a query: luck plays a part there.
const ATTEMPTS: u64 = 5;

fn check_one(
    problem: &WordProblem,
    property: usize,
    strategy: &WordStrategy,
    run: &mut Run<'_>,
) -> Result<WordVerdict, Error> {
    run.event(Event::Engine { name: strategy.engine.name });
    let seed = run.seed;
    let mut verdict = (strategy.engine.make)(problem.clone(), &strategy.options).run(run);
    for attempt in 1..ATTEMPTS {
        if !matches!(verdict, Verdict::Unknown { stop: Stop::Incomplete(TOO_MANY_SPLITS), .. }) {
            break;
        }
        run.seed = seed.wrapping_add(1000 * attempt);
        let mut options = strategy.options.clone();
        // Predicates with large coefficients may be what is too much.
        let settings = ["equalities=off", "congruences=off"].into_iter().filter(|_| attempt % 2 == 1);
        settings.for_each(|setting| options.set(setting).expect("these switches exist"));
        verdict = (strategy.engine.make)(problem.clone(), &options).run(run);
    }
    run.seed = seed;
    let verdict = verify(&problem.system, property, verdict, strategy.options.other.as_ref(), run)?;
    Ok(tidied(&problem.system, property, verdict, run.cancel()))
}

/// How long it may take to make a proof shorter.
const TIDYING: Duration = Duration::from_secs(1);

/// The verdict with a proof that says less, if that is found soon. Both proofs are checked.
fn tidied(system: &WordSystem, property: usize, verdict: WordVerdict, cancel: &Cancel) -> WordVerdict {
    let Verdict::Safe(proof) = &verdict else { return verdict };
    let shorter = within_time(TIDYING, cancel, |cancel| {
        let shorter = tidy_words(system, property, proof, cancel)?;
        let checked = check_word_proof(system, property, &shorter, cancel);
        debug_assert!(!matches!(checked, Ok(Err(_))), "what is left is no proof");
        matches!(checked, Ok(Ok(()))).then_some(shorter)
    });
    match shorter.flatten() {
        Some(shorter) => Verdict::Safe(shorter),
        None => verdict,
    }
}

/// Check the evidence for a verdict about the system; proofs by another solver, if ours has no theory.
pub(crate) fn verify(
    system: &WordSystem,
    property: usize,
    verdict: WordVerdict,
    other: Option<&External>,
    run: &mut Run<'_>,
) -> Result<WordVerdict, Error> {
    let what = match &verdict {
        Verdict::Safe(_) => "proof",
        Verdict::Unsafe(_) => "trace",
        Verdict::Unknown { .. } => return Ok(verdict),
    };
    run.event(Event::Checking { what });
    let checked = match &verdict {
        Verdict::Safe(proof) => match check_proof(system, property, proof, other, run.cancel()) {
            Ok(checked) => checked,
            Err(stop) => return Ok(Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }),
        },
        Verdict::Unsafe(trace) => check_word_trace(system, property, trace),
        Verdict::Unknown { .. } => Ok(()),
    };
    match checked {
        Ok(()) => Ok(verdict),
        Err(reason) => Err(Error::RejectedWords { reason, claimed: Box::new(verdict) }),
    }
}

pub(crate) fn check_proof(
    system: &WordSystem,
    property: usize,
    proof: &WordProof,
    other: Option<&External>,
    cancel: &Cancel,
) -> Ask<Result<(), WordReason>> {
    let Some(other) = other else { return check_word_proof(system, property, proof, cancel) };
    match ask_another(system, property, proof, other, cancel)? {
        Ok(doubts) if doubts.is_empty() => Ok(Ok(())),
        Ok(_) => Err(Stop::Incomplete("the other solver could not check the proof")),
        Err(reason) => Ok(Err(reason)),
    }
}

/// A system of Booleans and bit-vectors is a circuit, which has all engines for bits.
pub struct Circuit<'s> {
    words: &'s WordSystem,
    blasted: Blasted,
}

/// What k steps prove of the circuit, they shall prove of the words: passes must not use what is known of reachable states, or leave latches out.
fn k_steps_of_words(strategy: &mut Strategy) {
    if strategy.engine.name == "kind" {
        strategy.passes = Passes::default().only(&["rewrite", "fraig"]);
    }
}

/// A proof of the circuit speaks of what words cannot say: inputs, or several steps.
const NO_PROOF_OVER_WORDS: &str = "the proof of the circuit is none over words";

impl<'s> Circuit<'s> {
    /// The circuit of a system; `None` if there are numbers in it.
    pub fn new(words: &'s WordSystem) -> Option<Circuit<'s>> {
        blast(words).ok().map(|blasted| Circuit { words, blasted })
    }
    /// Decide properties of the system as [`crate::check_all`] does it. What is found is about words again, and has been checked there, too.
    pub fn check_all(
        &self,
        properties: &[usize],
        plan: impl Into<Plan>,
        run: &mut Run<'_>,
        tell: &mut dyn FnMut(usize, Result<WordVerdict, Error>) -> Next,
    ) {
        let cancel = run.cancel().clone();
        let mut raise = |property, result: Result<Verdict, Error>| {
            let mut observer = Ignore;
            let mut run = Run::new(cancel.clone(), &mut observer);
            tell(property, result.and_then(|verdict| self.raise(property, verdict, &mut run)))
        };
        let mut plan = plan.into();
        match &mut plan {
            Plan::One(strategy) => k_steps_of_words(strategy),
            Plan::Portfolio(portfolio) => {
                portfolio.members.iter_mut().for_each(|member| k_steps_of_words(&mut member.strategy));
            }
        }
        check_all(&self.blasted.system, properties, plan, run, &mut raise);
    }
    /// The verdict about words, checked.
    fn raise(&self, property: usize, verdict: Verdict, run: &mut Run<'_>) -> Result<WordVerdict, Error> {
        let nothing = Verdict::Unknown { stop: Stop::Incomplete(NO_PROOF_OVER_WORDS), safe_up_to: None };
        let words = self.words;
        let verdict = match verdict {
            Verdict::Unknown { stop, safe_up_to } => Verdict::Unknown { stop, safe_up_to },
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.blasted.trace(&trace)),
            Verdict::Safe(Proof::KInductive { k, simple_path, .. }) => {
                let safe = Verdict::Safe(WordProof::KInductive { k, simple_path: simple_path.is_some() });
                return match verify(words, property, safe, None, run) {
                    Err(Error::RejectedWords { .. }) => Ok(nothing),
                    result => result,
                };
            }
            Verdict::Safe(Proof::Inductive(invariant)) => {
                let mut terms = words.terms.clone();
                let raised = self.blasted.invariant(words, &mut terms, &invariant);
                let Some(raised) = raised else { return Ok(nothing) };
                // The invariant of a circuit is inductive together with its property.
                let holds = words.properties[property].holds;
                let speaks_of_inputs = words.stranger(&terms, holds).is_some();
                let invariant = if speaks_of_inputs { raised } else { terms.and(&[raised, holds]) };
                let proof = WordProof::Inductive { terms, invariant };
                return match verify(words, property, Verdict::Safe(proof), None, run) {
                    Err(Error::RejectedWords { .. }) if speaks_of_inputs => Ok(nothing),
                    result => result.map(|verdict| tidied(words, property, verdict, run.cancel())),
                };
            }
        };
        verify(words, property, verdict, None, run)
    }
}
