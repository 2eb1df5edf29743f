//! Random models in SMV, as texts, against a search of all their states by an interpreter that shares nothing with the reader, the product or the engines.

use crate::common::{self, Patience};
use indubit::formats::smv;
use indubit::run::{Cancel, Run};
use indubit::{Claim, Next, Plan, Words, check_all, deadlock};
use indubit_testkit::smv::{Case, case};

/// The verdicts of all specifications.
fn told(system: &indubit::WordSystem, place: &str) -> Vec<bool> {
    let properties: Vec<usize> = (0..system.properties.len()).collect();
    let mut patience = Patience::new();
    let mut told = vec![None; properties.len()];
    check_all::<Words>(system, &properties, Plan::portfolio(1), &mut patience.run(), &mut |answer| {
        let verdict = answer.result.unwrap_or_else(|error| panic!("{place}: {error}"));
        told[answer.property] = verdict.truth();
        Next::GoOn
    })
    .unwrap_or_else(|error| panic!("{place}: {error}"));
    told.into_iter().map(|truth| truth.unwrap_or_else(|| panic!("{place}: not decided"))).collect()
}

#[test]
fn verdicts_are_those_of_the_interpreter() {
    let (mut n_of, mut n_models) = ([[0; 2]; 2], 0);
    for seed in common::seeds(120) {
        let Some(Case { text, violated, .. }) = case(seed) else { continue };
        let place = format!("seed {seed}\n{text}");
        let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(model.system.properties.len(), violated.len(), "{place}");
        let truths = told(&model.system, &place);
        let expected: Vec<bool> = violated.iter().map(|violated| !violated).collect();
        assert_eq!(truths, expected, "{place}");
        for (property, truth) in model.system.properties.iter().zip(truths) {
            n_of[usize::from(matches!(property.claim, Claim::Ltl(_)))][usize::from(truth)] += 1;
        }
        n_models += 1;
    }
    println!("{n_models} models; INVARSPEC violated and not: {:?}, LTLSPEC: {:?}", n_of[0], n_of[1]);
    assert!(n_of.iter().flatten().all(|&n| n > 10) || common::seeds(120).count() < 120, "{n_of:?}");
}

/// What is written of a model that was read is the same model.
#[test]
fn written_models_have_the_same_verdicts() {
    for seed in common::seeds(40) {
        let Some(Case { text, violated, .. }) = case(seed) else { continue };
        let model =
            smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}\n{text}: {error}"));
        let text = smv::write(&model.system).unwrap_or_else(|why| panic!("seed {seed}\n{text}: {why}"));
        let place = format!("seed {seed}\n{text}");
        let again = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{place}: {error}"));
        let expected: Vec<bool> = violated.iter().map(|violated| !violated).collect();
        assert_eq!(told(&again.system, &place), expected, "{place}");
    }
}

#[test]
fn deadlocks_are_found_where_there_are_some() {
    let mut n_of = [0, 0];
    for seed in common::seeds(300) {
        let Some(Case { text, deadlocks, .. }) = case(seed) else { continue };
        let model =
            smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}\n{text}: {error}"));
        let found = deadlock(&model.system, 64, None, &Run::new(Cancel::new())).expect("nobody stops it");
        assert_eq!(found.is_some(), deadlocks, "seed {seed}\n{text}");
        n_of[usize::from(deadlocks)] += 1;
    }
    assert!(n_of.iter().all(|&n| n > 10) || common::seeds(300).count() < 300, "{n_of:?}");
}
