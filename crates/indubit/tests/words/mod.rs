//! Every engine for words on random systems, against exhaustive search; what they say has passed the independent check.

use crate::common;
use indubit::run::{Cancel, Event, Ignore, Observer, Run, Stop};
use indubit::{Verdict, WORD_ENGINES, WordStrategy, check_words, word_engine};
use indubit_testkit::random_words;

/// Long enough for the deepest random system.
const BOUND: u32 = 150;

fn agree(seed: u64, strategy: &WordStrategy) -> [u64; 3] {
    let system = random_words::system(&mut fastrand::Rng::with_seed(seed));
    let name = strategy.engine.name;
    let mut told = [0; 3];
    for (property, &expected) in random_words::shortest(&system).iter().enumerate() {
        let mut observer = common::Patience::new();
        let mut run =
            Run::new(observer.cancel.clone(), &mut observer).with_bound(Some(BOUND)).with_seed(seed);
        let verdict = check_words(&system, property, &strategy.clone().into(), &mut run)
            .unwrap_or_else(|error| panic!("{name}, seed {seed}, property {property}: {error}"));
        let at = match (&verdict, expected) {
            (Verdict::Safe(_), None) => 0,
            (Verdict::Unsafe(trace), Some(shortest)) => {
                assert!(trace.states.len() > shortest, "{name}, seed {seed}: shorter than is possible");
                1
            }
            (Verdict::Unknown { safe_up_to, .. }, expected) => {
                let known = safe_up_to.is_none_or(|k| expected.is_none_or(|n| k < n as u32));
                assert!(
                    known,
                    "{name}, seed {seed}: no counterexample up to {safe_up_to:?}, but {expected:?}"
                );
                2
            }
            _ => panic!("{name}, seed {seed}, property {property}: {verdict:?}, expected {expected:?}"),
        };
        told[at] += 1;
    }
    told
}

#[test]
fn every_engine_agrees_with_exhaustive_search() {
    let seeds = common::seeds(60);
    for engine in WORD_ENGINES {
        let mut told = [0; 3];
        for seed in seeds.clone() {
            let one = agree(seed, &engine.into());
            (0..3).for_each(|i| told[i] += one[i]);
        }
        let [safe, violated, unknown] = told;
        println!("{}: {safe} safe, {violated} unsafe, {unknown} unknown", engine.name);
        assert!(violated > 0 && (safe > 0 || !engine.proves));
        // Integers may be too much for an interpolant, rarely.
        assert!(!engine.proves || unknown * 10 <= safe + violated, "{}: {unknown} unknown", engine.name);
    }
}

/// Adds up what is counted under a name.
struct Counted(&'static str, u64);

impl Observer for Counted {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Count { name, value } = event
            && *name == self.0
        {
            self.1 += value;
        }
    }
}

/// Seed 000 §4.3 says that eager refinement prevents the first scenario, and that nobody has shown it. It does not.
#[test]
fn eager_refinement_leaves_steps_into_states_that_no_step_leads_into() {
    let mut strategy = WordStrategy::from(word_engine("ctigar").unwrap());
    strategy.options.set("refine=eagerly").unwrap();
    let mut counted = Counted("refinements by consecution", 0);
    for seed in 0..100 {
        let system = random_words::system(&mut fastrand::Rng::with_seed(seed));
        let mut run = Run::new(Cancel::new(), &mut counted).with_bound(Some(20));
        check_words(&system, 0, &strategy.clone().into(), &mut run).unwrap();
    }
    assert!(counted.1 > 0);
}

#[test]
fn a_cancelled_run_ends() {
    let system = random_words::system(&mut fastrand::Rng::with_seed(1));
    for engine in WORD_ENGINES {
        let cancel = Cancel::new();
        cancel.cancel();
        let mut observer = Ignore;
        let mut run = Run::new(cancel, &mut observer);
        let verdict = check_words(&system, 0, &engine.into(), &mut run);
        assert!(matches!(verdict, Ok(Verdict::Unknown { stop: Stop::Cancelled, .. })), "{}", engine.name);
    }
}
