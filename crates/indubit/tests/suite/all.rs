//! All properties in one run, by every plan: each is told once, and what is told is what search says.

use crate::common::{self, Found, Patience, Searched, agrees, engines, fits, found, is_bounded, is_right};
use indubit::formats::as_words::as_words;
use indubit::run::{Cancel, Run, Stop};
use indubit::system::{ClaimKind, Justice};
use indubit::{
    Answer, BitSystem, Bits, EngineId, EngineInfo, Error, Kind, Next, Plan, Strategy, Verdict, Who,
    WordSystem, Words, check_all,
};
use indubit_testkit::random;
use std::time::Duration;

/// Engines that unroll go no further.
const BOUND: u32 = 24;
/// So long anybody may work on words.
const LONGEST: Duration = Duration::from_secs(20);

/// A system, and for each property the length of a shortest run that decides it; outside for one that nobody decides.
struct Sample<K: Searched> {
    name: String,
    system: K::System,
    truths: Vec<Option<Option<u32>>>,
}

/// Who is asked.
struct Asked {
    name: String,
    plan: Plan,
    /// The only one, if there is only one.
    engine: Option<&'static EngineInfo>,
}

fn alone(engine: &'static EngineInfo) -> Asked {
    let mut strategy = Strategy::from(engine);
    // They are to have something to do.
    strategy.passes = "coi,ternary".parse().expect("these passes exist");
    Asked { name: engine.name.to_owned(), plan: strategy.into(), engine: Some(engine) }
}

fn portfolios() -> impl Iterator<Item = Asked> {
    let portfolio = |n| Asked { name: format!("a portfolio on {n}"), plan: Plan::portfolio(n), engine: None };
    [1, 2, 3].into_iter().map(portfolio)
}

/// What is told about all properties of a system: each once.
fn told<K: Searched>(place: &str, system: &K::System, plan: Plan, run: &mut Run<'_>) -> Vec<Answer<K>> {
    let properties: Vec<usize> = (0..K::properties(system).len()).collect();
    let mut told: Vec<Answer<K>> = Vec::new();
    let result = check_all::<K>(system, &properties, plan, run, &mut |answer| {
        told.push(answer);
        Next::GoOn
    });
    assert!(result.is_ok(), "{place}: {result:?}");
    told.sort_by_key(|answer| answer.property);
    let once: Vec<usize> = told.iter().map(|answer| answer.property).collect();
    assert_eq!(once, properties, "{place}");
    told
}

/// Ask about all properties of a sample. How many were decided.
fn asked<K: Searched>(
    sample: &Sample<K>,
    asked: Asked,
    expected: impl Fn(Found, Option<u32>) -> bool,
) -> usize {
    let place = format!("{}: {}", sample.name, asked.name);
    let bound = asked.engine.filter(|engine| is_bounded(engine)).map(|_| BOUND);
    let mut patience = Patience::new();
    // Over words an engine may go on for ever, or as long as there are paths without a loop; it is not wrong then.
    if K::NAME == <Words as Kind>::NAME {
        patience.cancel = Cancel::after(LONGEST);
    }
    let mut run = patience.run().with_bound(bound);
    let answers = told::<K>(&place, &sample.system, asked.plan, &mut run);
    let properties = K::properties(&sample.system);
    let mut n_decided = 0;
    for ((answer, truth), property) in answers.iter().zip(&sample.truths).zip(&properties) {
        let place = format!("{place}, {}", property.title());
        match (&answer.result, truth) {
            (Ok(verdict), &Some(truth)) => {
                let is_expected = expected(found(verdict), truth) && fits(verdict, property);
                assert!(is_expected, "{place}: {verdict:?}, not {truth:?}");
                n_decided += usize::from(verdict.truth().is_some());
                assert!(answer.record.engine.is_some(), "{place}: who has decided it?");
            }
            (Err(Error::Unsupported { .. }), None) => (),
            // Justice has a suite of its own; an engine for reachability alone does not decide it.
            (Ok(verdict), None) => {
                let decides_it = |engine: &EngineInfo| engine.claims.contains(&ClaimKind::Justice);
                assert!(
                    asked.engine.is_none_or(decides_it) && fits(verdict, property),
                    "{place}: {verdict:?}"
                );
            }
            (result, truth) => panic!("{place}: {result:?}, not {truth:?}"),
        }
    }
    n_decided
}

/// Decided, and right.
fn is_decided(found: Found, truth: Option<u32>) -> bool {
    is_right(found, truth) && !matches!(found, Found::Unknown(..))
}

/// Circuits whose properties are about mostly the same latches, with all kinds of claims.
fn overlapping(seed: u64) -> Option<Sample<Bits>> {
    let mut system = Bits::random(seed);
    Bits::add_covers(&mut system, seed);
    let mut truths: Vec<_> = Bits::shortest(&system)?.into_iter().map(Some).collect();
    if seed.is_multiple_of(3) && !system.outputs_are_bad() {
        truths.insert(system.bads.len(), None);
        system.justice.push(Justice { lits: vec![system.bads[0].lit], name: None });
    }
    Some(Sample { name: format!("seed {seed}"), system, truths })
}

/// Three circuits that have nothing to do with each other: nothing is shared.
fn apart(seed: u64) -> Option<Sample<Bits>> {
    let config = random::Config { constraints: 0..=0, bads: 1..=1, ..random::Config::default() };
    let parts = [0, 1, 2].map(|i| random::system(3 * seed + i, &config));
    let truths = parts.iter().map(Bits::shortest).collect::<Option<Vec<_>>>()?.concat();
    let system = random::beside(&parts);
    Some(Sample {
        name: format!("three of seed {seed}"),
        system,
        truths: truths.into_iter().map(Some).collect(),
    })
}

/// A circuit as a system over words.
fn over_words(sample: Sample<Bits>) -> Option<Sample<Words>> {
    let system: WordSystem = as_words(&sample.system).ok()?;
    Some(Sample { name: format!("{}, as words", sample.name), system, truths: sample.truths })
}

#[test]
fn all_circuits_by_all_plans() {
    let mut n_decided = 0;
    for sample in common::seeds(60).flat_map(|seed| [overlapping(seed), apart(seed)]).flatten() {
        for engine in engines::<Bits>() {
            let bound = is_bounded(engine).then_some(BOUND);
            n_decided += asked(&sample, alone(engine), |found, truth| agrees(engine, bound, found, truth));
        }
        for portfolio in portfolios() {
            n_decided += asked(&sample, portfolio, is_decided);
        }
    }
    assert!(n_decided > 100 || common::seeds(60).count() < 60, "{n_decided}");
}

/// Systems over words that become circuits: what is found is about words.
#[test]
fn all_circuits_of_words_by_all_plans() {
    let mut n_decided = 0;
    let samples = common::seeds(40).flat_map(|seed| [overlapping(seed), apart(seed)]).flatten();
    for sample in samples.filter_map(over_words) {
        for engine in engines::<Bits>() {
            n_decided += asked(&sample, alone(engine), is_right);
        }
        for portfolio in portfolios() {
            n_decided += asked(&sample, portfolio, is_decided);
        }
    }
    assert!(n_decided > 100 || common::seeds(40).count() < 40, "{n_decided}");
}

/// Systems over numbers.
#[test]
fn all_words_by_all_plans() {
    let (mut n_decided, mut n_late) = (0, 0);
    for seed in common::seeds(20) {
        let mut system = Words::random(seed);
        Words::add_covers(&mut system, seed);
        let Some(truths) = Words::shortest(&system) else { continue };
        let truths = truths.into_iter().map(Some).collect();
        let sample = Sample::<Words> { name: format!("seed {seed} of words"), system, truths };
        for engine in engines::<Words>() {
            n_decided += asked(&sample, alone(engine), is_right);
        }
        for portfolio in portfolios() {
            let n = asked(&sample, portfolio, is_right);
            n_late += usize::from(n < sample.truths.len());
            n_decided += n;
        }
    }
    eprintln!("portfolios that had no time for all properties: {n_late}");
    assert!(n_late <= 1 + common::seeds(20).count() / 50, "{n_late}");
    assert!(n_decided > 100 || common::seeds(20).count() < 20, "{n_decided}");
}

/// One engine takes the properties in turn, each for so much effort: the lemmas for one are there for the next, those for good or all of them.
#[test]
fn engines_that_share_frames_say_the_same() {
    for (seed, system) in common::systems(300) {
        let Some(truths) = Bits::shortest(&system) else { continue };
        for engine in [EngineId::Ic3, EngineId::Quip] {
            let mut strategy = Strategy::from(engine);
            strategy.passes = "coi,ternary".parse().expect("these passes exist");
            strategy.options.pdr.share_frames = seed % 2 == 1;
            let mut patience = Patience::new();
            let mut run = patience.run().with_paranoia(true);
            let place = format!("seed {seed}, {engine}");
            for (answer, &truth) in
                told::<Bits>(&place, &system, strategy.into(), &mut run).iter().zip(&truths)
            {
                let verdict = answer.result.as_ref().expect("certified");
                assert!(is_decided(found(verdict), truth), "{place}: {verdict:?}, not {truth:?}");
            }
        }
    }
}

#[test]
fn a_run_that_has_ended_tells_all_as_unknown() {
    let sample = [overlapping(2), apart(1)].map(|sample| sample.expect("a small system"));
    for Sample { name, system, .. } in sample {
        let plans = engines::<Bits>().map(alone).chain(portfolios());
        for asked in plans {
            let cancel = Cancel::new();
            cancel.out_of_time();
            for answer in told::<Bits>(&name, &system, asked.plan, &mut Run::new(cancel)) {
                let stop = Stop::TimeLimit;
                assert!(
                    matches!(answer.result, Ok(Verdict::Unknown { stop: s, .. }) if s == stop),
                    "{name}, {}: {:?}",
                    asked.name,
                    answer.result
                );
            }
        }
    }
}

/// Three properties that have nothing to do with each other, or the same.
fn three(is_apart: bool) -> BitSystem {
    let mut system = BitSystem::new();
    let all = [0; 3].map(|_| system.add_latch("", Some(false)));
    for latch in all {
        system.set_next(latch, !latch);
        system.add_bad("", if is_apart { latch } else { all[0] });
    }
    system
}

#[test]
fn who_has_heard_enough_hears_no_more() {
    for is_apart in [false, true] {
        for asked in
            [alone(EngineId::Ic3.info()), alone(EngineId::Bmc.info())].into_iter().chain(portfolios())
        {
            let mut n_told = 0;
            let mut patience = Patience::new();
            let mut run = patience.run();
            check_all::<Bits>(&three(is_apart), &[0, 1, 2], asked.plan, &mut run, &mut |_| {
                n_told += 1;
                if n_told == 2 { Next::Enough } else { Next::GoOn }
            })
            .expect("there are such properties");
            assert_eq!(n_told, 2, "{}", asked.name);
        }
    }
}

#[test]
fn who_asks_twice_is_told_once() {
    for is_apart in [false, true] {
        for asked in
            [alone(EngineId::Ic3.info()), alone(EngineId::Bmc.info())].into_iter().chain(portfolios())
        {
            let mut told = Vec::new();
            let properties = [2, 0, 2, 2, 1, 0];
            let mut run = Run::new(Cancel::new());
            check_all::<Bits>(&three(is_apart), &properties, asked.plan, &mut run, &mut |answer| {
                let verdict = answer.result.expect("certified");
                told.push((answer.property, verdict.word()));
                Next::GoOn
            })
            .expect("there are such properties");
            told.sort_unstable();
            assert_eq!(told, [(0, "unsafe"), (1, "unsafe"), (2, "unsafe")], "{}", asked.name);
        }
    }
}

#[test]
fn what_is_no_property_is_refused_and_who_is_nobody_decides_nothing() {
    let system = three(true);
    let mut run = Run::new(Cancel::new());
    let missing = check_all::<Bits>(&system, &[0, 3], EngineId::Ic3, &mut run, &mut |_| Next::GoOn);
    assert!(matches!(missing, Err(Error::NoSuchProperty { index: 3, available: 3 })));
    let nothing = check_all::<Bits>(&system, &[], EngineId::Ic3, &mut run, &mut |_| Next::GoOn);
    assert!(nothing.is_ok());
    let nobody = Plan::new(Who::These(Vec::new()), 2);
    for answer in told::<Bits>("nobody", &system, nobody, &mut run) {
        assert!(matches!(answer.result, Err(Error::Unsupported { .. })), "{:?}", answer.result);
    }
}
