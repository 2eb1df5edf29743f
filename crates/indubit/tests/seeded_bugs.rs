//! The tests can fail: bugs planted into IC3's oracle are caught by what guards it (explicit search, the
//! independent checker, or P1–P4 after each level). A planted bug may also keep IC3 from ending, so runs have a
//! number of queries they may ask.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use indubit::run::{Ask, Cancel, Run, Stop};
use indubit::system::Lower;
use indubit::{BitSystem, Invariant, Proof, Trace, Verdict, certify};
use indubit_engines::BoolOracle;
use indubit_logic::{Cube, Lit};
use indubit_pdr::{Concretization, Config, INFINITE, Level, Outcome, Pdr, Predecessor, Query, RelInd};
use indubit_preproc::Select;
use indubit_testkit::explicit;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    /// No bug: nothing must be caught.
    None,
    /// The unsatisfiable core loses a literal.
    CoreTooSmall,
    /// A lemma is learned one level higher than was proved.
    LearnTooHigh,
    /// Lifting drops a literal that matters.
    LiftTooMuch,
    /// A frame claims to be free of bad states.
    BadOverlooked,
}

struct Seeded<'s> {
    oracle: BoolOracle<'s>,
    bug: Bug,
    n_levels: Level,
    n_queries: u32,
}

impl RelInd for Seeded<'_> {
    type Step = <BoolOracle<'static> as RelInd>::Step;
    type Trace = Trace;

    fn extend(&mut self) {
        self.n_levels += 1;
        self.oracle.extend();
    }
    fn restart(&mut self) {
        self.n_levels = 1;
        self.oracle.restart();
    }
    fn learn(&mut self, cube: &Cube, from: Level, to: Level) {
        let higher = self.bug == Bug::LearnTooHigh && to != INFINITE && to + 1 < self.n_levels;
        self.oracle.learn(cube, from, to + Level::from(higher));
    }
    fn meets_init(&mut self, cube: &Cube) -> Ask<bool> {
        self.oracle.meets_init(cube)
    }
    fn bad(&mut self, level: Level) -> Ask<Option<Predecessor<Self::Step>>> {
        match self.bug {
            Bug::BadOverlooked if level == 2 => Ok(None),
            _ => self.oracle.bad(level),
        }
    }
    fn inductive(&mut self, query: Query, level: Level, cube: &Cube) -> Ask<bool> {
        self.n_queries += 1;
        if self.n_queries > 3000 {
            return Err(Stop::Incomplete("too many queries"));
        }
        self.oracle.inductive(query, level, cube)
    }
    fn core(&mut self) -> Cube {
        let core = self.oracle.core();
        match (self.bug, core.lits()) {
            (Bug::CoreTooSmall, &[first, _, ..]) => core.without(first),
            _ => core,
        }
    }
    fn predecessor(&mut self) -> Ask<Predecessor<Self::Step>> {
        let mut found = self.oracle.predecessor()?;
        if self.bug == Bug::LiftTooMuch
            && let Some(&lit) = found.cube.lits().last()
        {
            found.cube = found.cube.without(lit);
        }
        Ok(found)
    }
    fn state(&self) -> Vec<Lit> {
        self.oracle.state()
    }
    fn after(&self, lit: Lit) -> Option<bool> {
        self.oracle.after(lit)
    }
    fn atom(&self, lit: Lit) -> u32 {
        self.oracle.atom(lit)
    }
    fn concretize(&mut self, path: &[Predecessor<Self::Step>]) -> Ask<Concretization<Trace>> {
        self.oracle.concretize(path)
    }
}

/// What IC3 with this bug says about the first bad signal, raised to `system`.
fn verdict(system: &BitSystem, bug: Bug) -> Verdict {
    let mut observer = common::Patience::new();
    let mut run = Run::new(observer.cancel.clone(), &mut observer).with_paranoia(true);
    let (safety, raise) = Select::one(0).lower(system, &mut run).unwrap();
    let oracle = BoolOracle::new(&safety, &run);
    let mut pdr = Pdr::new(Seeded { oracle, bug, n_levels: 0, n_queries: 0 }, Config::default());
    match pdr.prove(&mut run) {
        Ok(Outcome::Counterexample(trace)) => Verdict::Unsafe(raise.trace(trace)),
        Ok(Outcome::Invariant(lemmas)) => {
            let mut invariant = Invariant::new(safety.aig.n_vars());
            lemmas.iter().for_each(|cube| invariant.add(!cube));
            Verdict::Safe(raise.proof(Proof::Inductive(invariant)))
        }
        Err(stop) => Verdict::Unknown { stop, safe_up_to: pdr.safe_up_to() },
    }
}

/// Which guard notices something wrong, if any does.
fn caught(system: &BitSystem, bug: Bug) -> Option<&'static str> {
    let truth = explicit::check(system).unwrap()[0];
    let attempt = std::panic::AssertUnwindSafe(|| verdict(system, bug));
    let Ok(verdict) = std::panic::catch_unwind(attempt) else { return Some("P1 to P4") };
    let claim = match &verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown { .. } => return Some("it does not end"),
    };
    if certify::check(system, 0, &verdict, &Cancel::new()).unwrap().is_err() {
        return Some("the independent checker");
    }
    (claim != truth.is_safe()).then_some("explicit search")
}

#[test]
fn planted_bugs_are_caught() {
    std::panic::set_hook(Box::new(|_| ())); // the panics below are expected and many
    let systems: Vec<BitSystem> = common::systems(250).map(|(_, system)| system).collect();
    for bug in [Bug::None, Bug::CoreTooSmall, Bug::LearnTooHigh, Bug::LiftTooMuch, Bug::BadOverlooked] {
        let guards: Vec<_> = systems.iter().filter_map(|s| caught(s, bug)).collect();
        assert_eq!(guards.is_empty(), bug == Bug::None, "{bug:?} was caught by {guards:?}");
    }
}
