//! The tests can fail: bugs planted into engines for liveness are caught by the independent checker.
//!
//! What engines take for facts about the end of runs decides which steps count, which states they search, and what their proofs are made of: counters that begin anew, shoals that are
//! closed, walls, copies. So wrong facts are planted, and wrong ranks and loops into what the engines say.

use crate::common;
use indubit::certify::Certify;
use indubit::run::{Cancel, Run};
use indubit::system::{Conclusion, Fact, Liveness, Raise, SharedFacts};
use indubit::{BitSystem, Bits, ENGINES, Evidence, Proof, certify};
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, prepare};
use indubit_testkit::live::{expected_verdict, live_cases};
use indubit_testkit::models::Expected;

/// A property of a system, and what is true of it.
struct Question<'s> {
    system: &'s BitSystem,
    justice: usize,
    holds: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// A verdict whose evidence was accepted.
    Right,
    Wrong,
    /// The evidence was refused.
    Refused,
    Unknown,
}

impl Question<'_> {
    fn position(&self) -> usize {
        self.system.bad_signals().len() + self.justice
    }
    fn prepared(&self, run: &mut Run<'_>) -> Prepared {
        let property = &self.system.properties()[self.position()];
        let signals = self.system.infinitely_often(&property.claim).unwrap();
        let passes = "coi".parse().unwrap();
        prepare(self.system, &Select::infinitely_often(signals), &passes, run).unwrap()
    }
    /// What the checker says of a conclusion about the system.
    fn checked(&self, conclusion: Conclusion) -> Found {
        let (evidence, says_holds): (Evidence<Bits>, bool) = match conclusion {
            Conclusion::Safe(proof) => (Evidence::Proof(proof), true),
            Conclusion::Unsafe(trace) => (Evidence::Trace(trace), false),
            Conclusion::Unknown { .. } => return Found::Unknown,
        };
        let property = &self.system.properties()[self.position()];
        let by = certify::Solving::new(&Cancel::new());
        match certify::check(self.system, property, &evidence, &by).unwrap() {
            Ok(()) if says_holds == self.holds => Found::Right,
            Ok(()) => Found::Wrong,
            Err(_) => Found::Refused,
        }
    }
}

/// What each engine says with these facts, or its own.
fn conclusions(question: &Question<'_>, facts: Option<Vec<Fact>>) -> Vec<(&'static str, Conclusion)> {
    let engines = ENGINES.iter().filter_map(|engine| Some((engine.name, engine.live.as_ref()?)));
    let provers = engines.filter(|(name, _)| *name != "lasso");
    let decided = provers.map(|(name, engine)| {
        let mut run = Run::new(Cancel::new());
        let prepared = question.prepared(&mut run);
        let cell = SharedFacts::default();
        if let Some(facts) = &facts {
            cell.find().unwrap().tell(facts.clone());
        }
        let problem = Liveness::new(prepared.safety.clone()).sharing(cell);
        // A wrong fact may keep an engine from ending.
        let part = run.part(3_000, |own| (engine.make)(problem, &Default::default()).run(own));
        let conclusion = match prepared.back.conclusion(part.result) {
            // As for everyone who asks: a loop may close for what the engine sees of the system alone.
            Conclusion::Unsafe(trace) => {
                let property = &question.system.properties()[question.position()];
                Conclusion::Unsafe(Bits::trimmed(question.system, property, trace))
            }
            other => other,
        };
        (name, conclusion)
    });
    decided.collect()
}

/// Every justice property of random systems.
fn for_each_question(n: u64, mut work: impl FnMut(u64, &Question<'_>)) {
    for case in live_cases(common::seeds(n)) {
        for justice in 0..case.system.justice.len() {
            let Ok(expected) = expected_verdict(&case.system, justice) else { continue };
            let holds = expected == Expected::Holds;
            work(case.seed, &Question { system: &case.system, justice, holds });
        }
    }
}

#[test]
fn wrong_facts_prove_nothing_wrong() {
    let mut n_refused = 0;
    for_each_question(60, |seed, question| {
        for (name, conclusion) in conclusions(question, None) {
            let found = question.checked(conclusion);
            assert!(matches!(found, Found::Right | Found::Unknown), "seed {seed}, {name}: {found:?}");
        }
        let mut rng = fastrand::Rng::with_seed(seed);
        let latches = question.prepared(&mut Run::new(Cancel::new())).safety.latches;
        if latches.is_empty() {
            return;
        }
        let mut any = || Lit::with_value(latches[rng.usize(..latches.len())].var, rng.bool());
        let [rests, is] = [any(), any()];
        for facts in [
            vec![Fact::rests(rests)],
            vec![Fact::rests(is), Fact::is(is, 0)],
            vec![Fact::rests(is), Fact { under: vec![is], ..Fact::rests(rests) }],
            vec![Fact::rests(is), Fact { under: vec![!is], ..Fact::is(rests, 0) }, Fact::is(is, 0)],
        ] {
            for (name, conclusion) in conclusions(question, Some(facts.clone())) {
                let found = question.checked(conclusion);
                assert_ne!(found, Found::Wrong, "seed {seed}, {name}, {facts:?}");
                n_refused += usize::from(found == Found::Refused);
            }
        }
    });
    assert!(n_refused > 20, "{n_refused}");
}

#[test]
fn wrong_ranks_and_loops_are_refused() {
    let (mut n_ranks, mut n_loops) = (0, 0);
    for_each_question(60, |seed, question| {
        for (name, conclusion) in conclusions(question, None) {
            let mut planted = Vec::new();
            match conclusion {
                Conclusion::Safe(Proof::Ranked(ranked)) => {
                    for i in 0..ranked.order.len() {
                        let (mut without, mut upside_down) = (ranked.clone(), ranked.clone());
                        without.order.remove(i);
                        upside_down.order[i] = !upside_down.order[i];
                        planted.extend([without, upside_down]);
                    }
                    for planted in planted {
                        let found = question.checked(Conclusion::Safe(Proof::Ranked(planted)));
                        assert_ne!(found, Found::Wrong, "seed {seed}, {name}");
                        n_ranks += usize::from(found == Found::Refused);
                    }
                }
                Conclusion::Unsafe(lasso) => {
                    for begin in 0..lasso.inputs.len() {
                        let moved = indubit::Trace { loops_to: Some(begin), ..lasso.clone() };
                        let found = question.checked(Conclusion::Unsafe(moved));
                        assert_ne!(found, Found::Wrong, "seed {seed}, {name}");
                        n_loops += usize::from(found == Found::Refused);
                    }
                }
                _ => (),
            }
        }
    });
    assert!(n_ranks > 20 && n_loops > 20, "{n_ranks} {n_loops}");
}
