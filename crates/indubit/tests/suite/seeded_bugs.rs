//! The tests can fail: bugs planted into IC3's oracle are caught by what guards it (explicit search, the
//! independent checker, or P1–P4 after each level). A planted bug may also keep IC3 from ending, so runs have a
//! number of queries they may ask.

use crate::common::{self, Searched};
use indubit::run::{Ask, Cancel, Stop};
use indubit::system::Lower;
use indubit::{BitSystem, Bits, Evidence, Invariant, Proof, Trace, certify};
use indubit_engines::BoolOracle;
use indubit_logic::{Cube, Lit};
use indubit_pdr::{Concretization, Config, INFINITE, Level, Outcome, Pdr, Predecessor, Query, RelInd};
use indubit_preproc::Select;

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

/// What IC3 with this bug says about the first property, raised to `system`.
fn claimed(system: &BitSystem, bug: Bug) -> Ask<Evidence<Bits>> {
    let mut patience = common::Patience::new();
    let mut run = patience.run().with_paranoia(true);
    let target = system.property(0).unwrap().claim.target().unwrap();
    let (safety, raise) = Select::one(target).lower(system, &mut run).unwrap();
    let oracle = BoolOracle::new(&safety, &run);
    let mut pdr = Pdr::new(Seeded { oracle, bug, n_levels: 0, n_queries: 0 }, Config::default());
    Ok(match pdr.prove(&mut run)? {
        Outcome::Counterexample(trace) => Evidence::Trace(raise.trace(trace)),
        Outcome::Invariant(lemmas) => {
            let mut invariant = Invariant::new(safety.aig.n_vars());
            lemmas.iter().for_each(|cube| invariant.add(!cube));
            Evidence::Proof(raise.proof(Proof::Inductive(invariant)))
        }
    })
}

/// Which guard notices something wrong, if any does.
fn caught(system: &BitSystem, bug: Bug) -> Option<&'static str> {
    let truth = Bits::shortest(system).unwrap()[0];
    let attempt = std::panic::AssertUnwindSafe(|| claimed(system, bug));
    let Ok(claimed) = std::panic::catch_unwind(attempt) else { return Some("P1 to P4") };
    let Ok(evidence) = claimed else { return Some("it does not end") };
    let property = system.property(0).unwrap();
    if certify::check(system, &property, &evidence, &Cancel::new()).unwrap().is_err() {
        return Some("the independent checker");
    }
    (evidence.truth(&property.claim) != Some(truth.is_none())).then_some("explicit search")
}

#[test]
fn planted_bugs_are_caught() {
    // The panics of this thread are expected and many; those of other tests are to be seen.
    const QUIET: &str = "planted bugs";
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() != Some(QUIET) {
            usual(info);
        }
    }));
    let quiet = std::thread::Builder::new().name(QUIET.into()).spawn(guards_of_each_bug).unwrap();
    for (bug, guards) in quiet.join().unwrap() {
        assert_eq!(guards.is_empty(), bug == Bug::None, "{bug:?} was caught by {guards:?}");
    }
}

fn guards_of_each_bug() -> Vec<(Bug, Vec<&'static str>)> {
    let systems: Vec<BitSystem> = common::systems(250).map(|(_, system)| system).collect();
    let bugs = [Bug::None, Bug::CoreTooSmall, Bug::LearnTooHigh, Bug::LiftTooMuch, Bug::BadOverlooked];
    bugs.map(|bug| (bug, systems.iter().filter_map(|s| caught(s, bug)).collect())).into()
}
