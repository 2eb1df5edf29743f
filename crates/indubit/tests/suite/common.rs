//! What the suites over random systems share.

use indubit::logic::Lit;
use indubit::run::{Cancel, Event, Observer, Run, Source, Stop};
use indubit::{
    BitSystem, Bits, ClaimKind, ENGINES, EngineId, EngineInfo, Evidence, Inductive, Kind, NOT_INDUCTIVE,
    Property, Supported, Switch, Verdict, WordSystem, Words,
};
use indubit_testkit::{explicit, random, random_words};

/// How many random systems: `INDUBIT_RANDOM`, or a number that takes seconds.
fn n_systems(default: u64) -> u64 {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first of them: `INDUBIT_SEED`, to look at systems that nobody has seen.
fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The seeds of a suite.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = first_seed();
    first..first + n_systems(default)
}

/// The random circuits of a suite, with their seeds.
pub fn systems(default: u64) -> impl Iterator<Item = (u64, BitSystem)> {
    seeds(default).map(|seed| (seed, Bits::random(seed)))
}

/// A random circuit with up to so many bad signals, larger than those that explicit search can do.
pub fn large_system(seed: u64, bads: usize) -> BitSystem {
    let config = random::Config {
        inputs: 4..=12,
        latches: 20..=40,
        gates: 100..=300,
        bads: 1..=bads,
        constraints: 0..=1,
        decorations: false,
    };
    random::system(seed, &config)
}

/// A kind of systems that can be drawn at random, and searched without a solver.
pub trait Searched: Inductive {
    /// The random system with this seed.
    fn random(seed: u64) -> Self::System;
    /// Some covers more, by chance.
    fn add_covers(system: &mut Self::System, seed: u64);
    /// For each property, how long a shortest run to a step is that decides it, if there is one. None if the system is too large.
    fn shortest(system: &Self::System) -> Option<Vec<Option<u32>>>;
}

impl Searched for Bits {
    fn random(seed: u64) -> BitSystem {
        random::system(seed, &random::Config::default())
    }
    fn add_covers(system: &mut BitSystem, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut any = |system: &BitSystem| Lit::from_code(rng.u32(..2 * system.aig().n_vars() as u32));
        for i in 0..seed % 4 {
            let [a, b, c] = [0; 3].map(|_| any(system));
            let goal = if i == 0 { a } else { system.aig_mut().and_all([a, b, c]) };
            system.add_cover("", goal);
        }
    }
    fn shortest(system: &BitSystem) -> Option<Vec<Option<u32>>> {
        let goals: Option<Vec<_>> = system.properties().iter().map(|p| p.claim.target()).collect();
        let answers = explicit::reach(system, goals?).ok()?;
        Some(answers.into_iter().map(explicit::Answer::depth).collect())
    }
}

impl Searched for Words {
    fn random(seed: u64) -> WordSystem {
        random_words::system(&mut fastrand::Rng::with_seed(seed))
    }
    fn add_covers(system: &mut WordSystem, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..seed % 3 {
            let goal = random_words::formula(system, &mut rng);
            system.add_cover("", goal);
        }
    }
    fn shortest(system: &WordSystem) -> Option<Vec<Option<u32>>> {
        let lengths = random_words::shortest(system).into_iter();
        Some(lengths.map(|length| length.map(|n| n as u32)).collect())
    }
}

/// The engines for a kind of systems.
pub fn engines<K: Supported>() -> impl Iterator<Item = &'static EngineInfo> {
    let decides = |e: &&EngineInfo| e.claims.contains(&ClaimKind::Always) && K::implementation(e).is_some();
    ENGINES.iter().filter(decides)
}

/// Is it there to prove, and not only to find bugs? Over words, BMC proves what ends.
pub fn is_prover(engine: &EngineInfo) -> bool {
    engine.id != EngineId::Bmc
}

/// Does it ask only whether the property is inductive? Then it finds counterexamples of at most one step.
pub fn is_one_step(engine: &EngineInfo) -> bool {
    engine.id == EngineId::Induction
}

/// Over bits, does it go through the lengths one by one, and so find a shortest counterexample?
pub fn is_bounded(engine: &EngineInfo) -> bool {
    use EngineId::{Avy, Bmc, Fsis, Isb, Itp, Kind, Naive};
    [Bmc, Kind, Itp, Isb, Avy, Fsis, Naive].contains(&engine.id)
}

/// A verdict without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is no such run.
    Proof,
    /// There is one of so many steps.
    Trace(u32),
    /// It is not known; the bound is.
    Unknown(Stop, Option<u32>),
}

/// What a verdict says about runs.
pub fn found<K: Kind>(verdict: &Verdict<K>) -> Found {
    match (verdict, verdict.evidence()) {
        (_, Some(Evidence::Proof(_))) => Found::Proof,
        (_, Some(Evidence::Trace(trace))) => Found::Trace(K::length(trace) as u32),
        (Verdict::Unknown { stop, safe_up_to }, None) => Found::Unknown(*stop, *safe_up_to),
        (_, Some(Evidence::Ctl(_))) => panic!("{verdict:?} is not about runs"),
        (_, None) => panic!("{verdict:?} is decided without evidence"),
    }
}

/// Does an engine on circuits, or on what becomes one, say what search says? The bound is the one it was given.
pub fn agrees(engine: &EngineInfo, bound: Option<u32>, found: Found, truth: Option<u32>) -> bool {
    match (found, truth) {
        (Found::Proof, None) => true,
        (Found::Trace(length), Some(depth)) if is_bounded(engine) => length == depth,
        (Found::Trace(length), Some(depth)) => length >= depth,
        (Found::Unknown(Stop::Bound, safe_up_to), depth) => {
            bound == safe_up_to && depth.is_none_or(|depth| Some(depth) > bound)
        }
        (Found::Unknown(Stop::Incomplete(NOT_INDUCTIVE), Some(1)), depth) => {
            is_one_step(engine) && depth.is_none_or(|depth| depth > 1)
        }
        // Bounded engines may see that the constraints end every trace.
        (Found::Unknown(Stop::Incomplete(_), _), None) => !is_prover(engine),
        _ => false,
    }
}

/// Is it at least nothing wrong?
pub fn is_right(found: Found, truth: Option<u32>) -> bool {
    match found {
        Found::Proof => truth.is_none(),
        Found::Trace(length) => truth.is_some_and(|shortest| length >= shortest),
        Found::Unknown(_, safe_up_to) => safe_up_to.is_none_or(|k| truth.is_none_or(|shortest| k < shortest)),
    }
}

/// Do a verdict, its word and the shape of its evidence fit the claim?
pub fn fits<K: Kind>(verdict: &Verdict<K>, property: &Property<K::Formula>) -> bool {
    let claim = &property.claim;
    match (verdict.truth(), verdict.evidence()) {
        (Some(truth), Some(evidence)) => {
            evidence.truth(claim) == Some(truth) && verdict.word() == claim.words()[usize::from(!truth)]
        }
        (None, None) => verdict.word() == "unknown",
        _ => false,
    }
}

/// Ends a run that takes far more steps than any small system needs: a bug that keeps an engine from ending is
/// to fail a test, not to hang it.
pub struct Patience {
    pub cancel: Cancel,
    left: u32,
}

impl Patience {
    pub fn new() -> Patience {
        Patience { cancel: Cancel::new(), left: 3_000_000 }
    }
    /// A run that it watches.
    pub fn run(&mut self) -> Run<'_> {
        Run::new(self.cancel.clone()).observed_by(self)
    }
}

impl Observer for Patience {
    fn event(&mut self, _: Source, _: &Event) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.cancel.cancel(),
        }
    }
}

/// Values for a switch, chosen by chance.
pub fn setting(switch: &Switch, rng: &mut fastrand::Rng) -> String {
    let mut choices: Vec<&str> = switch.choices.split(", ").filter(|c| !c.contains(' ')).collect();
    // A limit, to which these systems keep if it is not too small.
    if switch.name == "bdd-nodes" {
        choices = vec!["10000", "40000"];
    } else if choices.len() < 2 {
        choices.extend(["0", "1", "2", "5", "30", "200"]);
    }
    format!("{}={}", switch.name, choices[rng.usize(..choices.len())])
}
