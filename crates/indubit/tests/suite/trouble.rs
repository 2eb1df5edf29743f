//! What goes wrong with one property is an error of that one, and what goes wrong with a member of a team does not keep the others from working.

use crate::common::{Found, Patience, Searched, found};
use indubit::formats::as_words::as_words;
use indubit::run::{Cancel, Run, Stop};
use indubit::system::{Conclusion, Safety};
use indubit::{
    Answer, BitSystem, Bits, ClaimKind, EngineId, EngineInfo, Error, Implementation, Kind, Member, Next,
    Options, Plan, Proof, Proves, Strategy, Who, WordSystem, Words, check, check_all,
};
use indubit_engines::{Engine, Shared};
use indubit_testkit::Word;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const fn implementation<K: Kind>(make: fn(K::Problem, &Options) -> Box<dyn Engine<K>>) -> Implementation<K> {
    Implementation {
        proves: Proves::Invariants,
        records: false,
        has_small_steps: false,
        as_given: false,
        asks_others: false,
        share: None,
        make,
    }
}

const fn engine(
    name: &'static str,
    bits: Option<Implementation<Bits>>,
    words: Option<Implementation<Words>>,
) -> EngineInfo {
    let claims = &[ClaimKind::Always, ClaimKind::Reachable];
    EngineInfo {
        id: EngineId::Ic3,
        name,
        summary: "",
        paper: "",
        claims,
        bits,
        words,
        live: None,
        branching: None,
    }
}

fn ic3(problem: Safety, options: &Options) -> Box<dyn Engine> {
    (EngineId::Ic3.info().bits.as_ref().unwrap().make)(problem, options)
}

fn share_by_ic3(problem: Safety, options: &Options, run: &Run<'_>) -> Box<dyn Shared> {
    let share = EngineId::Ic3.info().bits.as_ref().and_then(|bits| bits.share).unwrap();
    share(problem, options, run)
}

/// IC3 that cannot stand five latches.
static FRAGILE: EngineInfo = engine(
    "fragile",
    Some(implementation(|problem: Safety, options| {
        assert_ne!(problem.latches.len(), 5, "five latches");
        ic3(problem, options)
    })),
    None,
);

/// IC3 that cannot stand to share what it knows about the second of several properties.
static SELFISH: EngineInfo = engine(
    "selfish",
    Some(Implementation {
        share: Some(|problem, options, run| Box::new(Selfish(share_by_ic3(problem, options, run)))),
        ..implementation(ic3)
    }),
    None,
);

/// IC3 that works for ever on the first of several properties, and on any alone.
static STUBBORN: EngineInfo = engine(
    "stubborn",
    Some(Implementation {
        share: Some(|problem, options, run| Box::new(Stubborn(share_by_ic3(problem, options, run)))),
        ..implementation(|_, _| Box::new(Endless))
    }),
    None,
);

struct Stubborn(Box<dyn Shared>);

impl Shared for Stubborn {
    fn run(&mut self, target: usize, run: &mut Run<'_>) -> Conclusion {
        match run.source().property {
            Some(0) => Endless.run(run),
            _ => self.0.run(target, run),
        }
    }
    fn proof(&self) -> Proof {
        self.0.proof()
    }
    fn report(&self, run: &mut Run<'_>) {
        self.0.report(run);
    }
}

struct Selfish(Box<dyn Shared>);

impl Shared for Selfish {
    fn run(&mut self, target: usize, run: &mut Run<'_>) -> Conclusion {
        assert_ne!(target, 1, "the second");
        self.0.run(target, run)
    }
    fn proof(&self) -> Proof {
        self.0.proof()
    }
    fn report(&self, run: &mut Run<'_>) {
        self.0.report(run);
    }
}

/// Works until it is made to stop, and finds nothing.
static ENDLESS: EngineInfo = engine("endless", None, Some(implementation(|_, _| Box::new(Endless))));

struct Endless;

impl<K: Kind> Engine<K> for Endless {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion<K> {
        loop {
            if let Err(stop) = run.checkpoint() {
                return Conclusion::Unknown { stop, safe_up_to: None };
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn member(engine: &'static EngineInfo) -> Member {
    let strategy = Strategy { passes: "coi".parse().unwrap(), ..engine.into() };
    Member { strategy, weight: 1, takes_lemmas: true, claims: engine.claims }
}

fn these(engines: &[&'static EngineInfo], n_threads: usize) -> Plan {
    Plan::new(Who::These(engines.iter().map(|engine| member(engine)).collect()), n_threads)
}

fn told<K: Searched>(system: &K::System, plan: Plan) -> Vec<Answer<K>> {
    let mut told: Vec<Answer<K>> = Vec::new();
    let all: Vec<usize> = (0..K::properties(system).len()).collect();
    let mut patience = Patience::new();
    // Who proves nothing ends, too.
    let mut run = patience.run().with_bound(Some(30));
    check_all::<K>(system, &all, plan, &mut run, &mut |answer| {
        told.push(answer);
        Next::GoOn
    })
    .unwrap();
    told.sort_by_key(|answer| answer.property);
    let once: Vec<usize> = told.iter().map(|answer| answer.property).collect();
    assert_eq!(once, all);
    told
}

fn says<K: Searched>(answer: &Answer<K>) -> Result<Found, String> {
    answer.result.as_ref().map(found).map_err(|error| error.to_string())
}

/// A number of so many bits that goes up to 6 and begins anew.
fn counter(system: &mut BitSystem, width: usize) -> Word {
    let count = Word::latches(system, "", width, 0);
    let is_last = count.is(system.aig_mut(), 6);
    let more = count.plus(system.aig_mut(), 1);
    let next = Word::constant(width, 0).or_else(system.aig_mut(), is_last, &more);
    count.set_next(system, &next);
    count
}

/// Numbers of 3, 5, 4 and 6 bits: the second and the third have no 7, the others have a 3.
fn apart() -> BitSystem {
    let mut system = BitSystem::new();
    for (width, value) in [(3, 3), (5, 7), (4, 7), (6, 3)] {
        let bad = counter(&mut system, width).is(system.aig_mut(), value);
        system.add_bad("", bad);
    }
    system
}

/// Four properties of one number.
fn together() -> BitSystem {
    let mut system = BitSystem::new();
    let count = counter(&mut system, 4);
    for value in [3, 7, 8, 3] {
        let bad = count.is(system.aig_mut(), value);
        system.add_bad("", bad);
    }
    system
}

#[test]
fn a_panic_is_an_error_of_its_property() {
    // BMC cannot decide the one that the other engine cannot stand.
    let teams = [1, 2].map(|n| these(&[&FRAGILE, EngineId::Bmc.info()], n));
    let alone = [1, 3].map(|n| Plan::new(Who::One(Box::new(member(&FRAGILE).strategy)), n));
    for plan in alone.into_iter().chain(teams) {
        let told = told::<Bits>(&apart(), plan.clone());
        assert_eq!(says(&told[0]), Ok(Found::Trace(3)));
        assert!(
            matches!(&told[1].result, Err(Error::Panicked { message }) if message.contains("five latches"))
        );
        assert_eq!((says(&told[2]), says(&told[3])), (Ok(Found::Proof), Ok(Found::Trace(3))));
        // So it is with a single one.
        let mut run = Run::new(Cancel::new()).with_bound(Some(30));
        let single = check::<Bits>(&apart(), 1, plan, &mut run);
        assert!(matches!(single, Err(Error::Panicked { .. })), "{single:?}");
    }
}

#[test]
fn a_panic_of_one_member_does_not_keep_another_from_deciding() {
    for n_threads in [1, 2] {
        let plan = these(&[&FRAGILE, EngineId::Ic3.info()], n_threads);
        let told = told::<Bits>(&apart(), plan);
        let found: Vec<_> = told.iter().map(says).collect();
        assert_eq!(found, [Found::Trace(3), Found::Proof, Found::Proof, Found::Trace(3)].map(Ok));
    }
    // It does not go unnoticed.
    let mut run = Run::new(Cancel::new());
    let plan = these(&[&FRAGILE, EngineId::Ic3.info()], 1);
    assert_eq!(found(&check::<Bits>(&apart(), 1, plan, &mut run).unwrap()), Found::Proof);
    assert_eq!(run.record().counts.last(), Some(&("members that panicked", 1)));
}

#[test]
fn a_panic_of_the_engine_that_shares_is_one_of_the_property_it_worked_on() {
    let told_by = |plan| {
        let told = told::<Bits>(&together(), plan);
        assert_eq!((says(&told[0]), says(&told[2])), (Ok(Found::Trace(3)), Ok(Found::Proof)));
        assert_eq!(says(&told[3]), Ok(Found::Trace(3)));
        says(&told[1])
    };
    let alone = told_by(these(&[&SELFISH], 1));
    assert!(alone.as_ref().is_err_and(|error| error.contains("the second")), "{alone:?}");
    // It is none if others decide it.
    for n_threads in [1, 2] {
        assert_eq!(told_by(these(&[&SELFISH, EngineId::Quip.info()], n_threads)), Ok(Found::Proof));
    }
}

/// Where nobody else is there to do it, the others are decided by what is shared, and not each alone.
#[test]
fn who_is_stuck_with_one_shares_what_it_learns_of_the_others() {
    let watchdog = Cancel::after(Duration::from_secs(120));
    let cancel = watchdog.child();
    let mut told = Vec::new();
    let plan = these(&[&STUBBORN], 1);
    check_all::<Bits>(&together(), &[0, 1, 2, 3], plan, &mut Run::new(cancel.clone()), &mut |answer| {
        told.push((answer.property, says(&answer)));
        if told.len() == 3 {
            cancel.cancel();
        }
        Next::GoOn
    })
    .unwrap();
    assert_eq!(watchdog.reason(), None);
    told.sort_by_key(|(property, _)| *property);
    let found: Vec<_> = told.into_iter().map(|(_, found)| found).collect();
    let unknown = Found::Unknown(Stop::Cancelled, None);
    assert_eq!(found, [unknown, Found::Proof, Found::Proof, Found::Trace(3)].map(Ok));
}

/// Who listens may panic, too: then nobody waits for workers that have not ended.
#[test]
fn a_panic_of_who_listens_ends_all() {
    let mut system = apart();
    // One that goes on for ever.
    let words = [0; 2].map(|_| Word::inputs(&mut system, "", 16));
    let rows = words[0].times(system.aig_mut(), &words[1]);
    let columns = words[1].times_by_columns(system.aig_mut(), &words[0]);
    let equal = rows.equals(system.aig_mut(), &columns);
    system.add_bad("", !equal);
    for plan in [EngineId::Ic3.into(), EngineId::Bmc.into(), Plan::portfolio(1), Plan::portfolio(3)] {
        let watchdog = Cancel::after(Duration::from_secs(120));
        let mut run = Run::new(watchdog.child());
        let attempt = || check_all::<Bits>(&system, &[4, 0, 1], plan, &mut run, &mut |_| panic!("enough"));
        assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err());
        assert_eq!(watchdog.reason(), None);
    }
}

/// Nobody prepares a circuit if the first one works on words.
#[test]
fn nobody_waits_for_what_nobody_prepares() {
    let system = as_words(&apart()).unwrap();
    for n_threads in [1, 2] {
        let watchdog = Cancel::after(Duration::from_secs(120));
        let plan = these(&[&ENDLESS, EngineId::Ic3.info(), EngineId::Quip.info()], n_threads);
        let verdict = check::<Words>(&system, 0, plan, &mut Run::new(watchdog.child())).unwrap();
        assert_eq!((found(&verdict), watchdog.reason()), (Found::Trace(3), None));
    }
}

#[test]
fn who_does_not_work_on_such_systems_leaves_it_to_the_others() {
    let mut system = WordSystem::new();
    let x = system.add_state("x", indubit::term::Sort::Int);
    let [zero, one] = [0, 1].map(|n| system.terms.int(n));
    system.init = system.terms.eq(x.current, zero);
    let more = system.terms.add(&[x.current, one]);
    system.trans = system.terms.eq(x.next, more);
    let holds = system.terms.ge(x.current, zero);
    let fails = system.terms.le(x.current, one);
    system.add_invar("", holds);
    system.add_invar("", fails);
    let (pba, ic3ia) = (EngineId::Pba.info(), EngineId::Ic3ia.info());
    for n_threads in [1, 2] {
        let told = told::<Words>(&system, these(&[pba, ic3ia], n_threads));
        assert_eq!((says(&told[0]), says(&told[1])), (Ok(Found::Proof), Ok(Found::Trace(2))));
        for answer in self::told::<Words>(&system, these(&[pba, EngineId::Avy.info()], n_threads)) {
            assert!(matches!(answer.result, Err(Error::Unfit { engine: "pba" })), "{:?}", answer.result);
        }
    }
}

/// What is known when the time is over is told, with the time that it took.
#[test]
fn the_end_of_a_run_tells_what_is_known() {
    let system = as_words(&apart()).unwrap();
    let begin = std::time::Instant::now();
    let cancel = Cancel::after(Duration::from_millis(700));
    let mut worked = Duration::ZERO;
    check_all::<Words>(&system, &[0, 1], these(&[&ENDLESS], 1), &mut Run::new(cancel), &mut |answer| {
        assert_eq!(says(&answer), Ok(Found::Unknown(Stop::TimeLimit, None)));
        worked += answer.worked;
        Next::GoOn
    })
    .unwrap();
    // Turns of both, one after the other, and the last one up to the end.
    assert!(worked > Duration::from_millis(500) && worked <= begin.elapsed(), "{worked:?}");
}
