//! Inductive strengthening (*Incremental Inductive Verification*, slides after L. Geatti, docs/SOURCES.md): what the slides say of their examples,
//! and what each algorithm counts.

use super::tally;
use crate::common::{Found, Patience, found};
use indubit::{Bits, EngineId, check};
use indubit_testkit::models::{self, Expected};
use std::collections::HashMap;

/// The verdict about the first property of one of our models, and what was counted.
fn ran(file: &str, engine: EngineId, settings: &[&str]) -> (Found, HashMap<&'static str, u64>) {
    let model = models::all().into_iter().find(|m| m.file == file).expect("a model of ours");
    let mut patience = Patience::new();
    let mut run = patience.run();
    let verdict = check::<Bits>(&model.system, 0, tally::strategy(engine, settings), &mut run);
    let mut counts = HashMap::new();
    tally::add(&mut counts, run.take_record());
    (found(&verdict.expect("certified")), counts)
}

/// M₁ and M₂ of the slides: FSIS finds lemmas for both. In M₂ none is inductive without the property, but all are relative to it.
#[test]
fn the_programs_of_the_slides() {
    for file in ["running_sum.aag", "program1.aag", "program2.aag"] {
        let (verdict, of_fsis) = ran(file, EngineId::Fsis, &[]);
        assert_eq!(verdict, Found::Proof, "{file}");
        assert!(of_fsis["lemmas"] > 0, "{file}: {of_fsis:?}");
        let (verdict, of_naive) = ran(file, EngineId::Naive, &[]);
        assert_eq!(verdict, Found::Proof, "{file}");
        assert_eq!(of_naive["lemmas"], 0);
        let ctis = "counterexamples to induction";
        assert!(of_fsis[ctis] <= of_naive[ctis], "{file}: {of_fsis:?}, {of_naive:?}");
    }
}

/// As on the slides, with a state at a time: more CTIs, and the same verdict.
#[test]
fn whole_states_need_more_of_them() {
    let mut more = 0;
    for file in ["running_sum.aag", "saturating_counter.aag", "two_bit.aag", "peterson.aag", "jugs.aag"] {
        let (lifted, few) = ran(file, EngineId::Naive, &[]);
        let (whole, many) = ran(file, EngineId::Naive, &["whole-states=on"]);
        assert_eq!(std::mem::discriminant(&lifted), std::mem::discriminant(&whole), "{file}");
        let ctis = "counterexamples to induction";
        assert!(few[ctis] <= many[ctis], "{file}: {few:?}, {many:?}");
        more += u32::from(few[ctis] < many[ctis]);
    }
    assert!(more >= 3);
}

/// A counterexample is a chain of CTIs, and a shortest one.
#[test]
fn counterexamples_are_shortest() {
    let mut n_unsafe = 0;
    for model in models::all() {
        let Some(Expected::Unsafe { depth: Some(depth) }) = model.expected.first() else { continue };
        for engine in [EngineId::Naive, EngineId::Fsis] {
            let (verdict, _) = ran(model.file, engine, &[]);
            assert_eq!(verdict, Found::Trace(*depth), "{}: {engine}", model.file);
            n_unsafe += 1;
        }
    }
    assert!(n_unsafe >= 10);
}
