//! The same path for systems over words: an engine, and the independent check of its evidence. What has only bits goes the way of bits.

use crate::check::{Error, Plan, check};
use crate::race::{Racer, race};
use indubit_certify::{check_word_proof, check_word_trace};
use indubit_engines::{Options, WORDS, WordInfo, WordProblem, WordVerdict};
use indubit_preproc::blast;
use indubit_run::{Event, Run, Stop};
use indubit_system::{Proof, Verdict, WordProof, WordSystem};

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
}

impl<S: Into<WordStrategy>> From<S> for WordPlan {
    fn from(strategy: S) -> WordPlan {
        WordPlan { members: vec![(1, strategy.into())], n_threads: 1 }
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
            with(1, "kind", &[]),
            with(1, "itp", &[]),
        ];
        WordPlan { members: members.into_iter().flatten().collect(), n_threads: n_threads.max(1) }
    }
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
    let problem = WordProblem::new(system, property);
    if let Some(term) = problem.unsupported() {
        return Err(Error::Unsupported { term });
    }
    match &plan.members[..] {
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

/// The same for a system of Booleans and bit-vectors, by a plan for bits: it becomes a circuit, and what is found out about that is raised and
/// checked against the words. None if there are numbers in it.
pub fn check_finite(
    system: &WordSystem,
    property: usize,
    plan: &Plan,
    run: &mut Run<'_>,
) -> Option<Result<WordVerdict, Error>> {
    let blasted = blast(system).ok()?;
    let verdict = match check(&blasted.system, property, plan.clone(), run) {
        Ok(verdict) => verdict,
        Err(error) => return Some(Err(error)),
    };
    let unknown = |why| Verdict::Unknown { stop: Stop::Incomplete(why), safe_up_to: run.safe_up_to() };
    let verdict = match verdict {
        Verdict::Unsafe(trace) => Verdict::Unsafe(blasted.trace(&trace)),
        Verdict::Unknown { stop, safe_up_to } => Verdict::Unknown { stop, safe_up_to },
        Verdict::Safe(Proof::Inductive(invariant)) => {
            let mut terms = system.terms.clone();
            match blasted.invariant(system, &mut terms, &invariant) {
                Some(invariant) => Verdict::Safe(WordProof::Inductive { terms, invariant }),
                None => unknown("the proof is about inputs, and words have no such invariant"),
            }
        }
        Verdict::Safe(Proof::KInductive { .. }) => unknown("a proof by k-induction about bits is none about words"),
    };
    Some(verify(system, property, verdict, run))
}

fn check_one(
    problem: &WordProblem,
    property: usize,
    strategy: &WordStrategy,
    run: &mut Run<'_>,
) -> Result<WordVerdict, Error> {
    run.event(Event::Engine { name: strategy.engine.name });
    let verdict = (strategy.engine.make)(problem.clone(), &strategy.options).run(run);
    verify(&problem.system, property, verdict, run)
}

/// Check the evidence for a verdict about the system.
fn verify(
    system: &WordSystem,
    property: usize,
    verdict: WordVerdict,
    run: &mut Run<'_>,
) -> Result<WordVerdict, Error> {
    let what = match &verdict {
        Verdict::Safe(_) => "proof",
        Verdict::Unsafe(_) => "trace",
        Verdict::Unknown { .. } => return Ok(verdict),
    };
    run.event(Event::Checking { what });
    let checked = match &verdict {
        Verdict::Safe(proof) => match check_word_proof(system, property, proof, run.cancel()) {
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
