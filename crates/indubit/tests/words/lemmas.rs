//! Lemmas over random systems of words: what engines prove can be printed, read and proved again; random lemmas are proved only if they hold;
//! and counterexamples to induction are what they claim to be.

use crate::common;
use indubit::certify::check_word_trace;
use indubit::formats::lemmas::{self, WordLemmas};
use indubit::formats::model::WordModel;
use indubit::run::{Cancel, Ignore, Run};
use indubit::term::{Term, Terms, Value};
use indubit::{
    Standing, Verdict, WORD_ENGINES, WordIncremental, WordProof, WordSystem, WordTrace, check_words,
    word_counterexample_to_induction,
};
use indubit_testkit::random_words;
use std::collections::HashMap;

fn proved_with(model: &WordModel, property: usize, text: &str) -> bool {
    let read = lemmas::parse_words(text.as_bytes(), model).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let WordLemmas { terms, candidates, .. } = &read;
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer);
    let mut proof =
        WordIncremental::new(model.system(), terms, candidates, None, &mut run).expect("certified");
    matches!(proof.check(property, &mut run).expect("certified").0, Verdict::Safe(_))
}

#[test]
fn what_engines_prove_is_proved_again() {
    let provers: Vec<_> = WORD_ENGINES.iter().filter(|e| e.proves && e.name != "kind").collect();
    let mut n_proved = 0;
    for seed in common::seeds(60) {
        let system = random_words::system(&mut fastrand::Rng::with_seed(seed));
        let engine = provers[seed as usize % provers.len()];
        for property in 0..system.properties.len() {
            let mut observer = common::Patience::new();
            let mut run = Run::new(observer.cancel.clone(), &mut observer);
            let verdict = check_words(&system, property, &engine.into(), &mut run).expect("certified");
            let Verdict::Safe(proof @ WordProof::Inductive { .. }) = verdict else { continue };
            let WordProof::Inductive { terms, invariant } = &proof else { continue };
            let model = WordModel::Vmt(system.clone());
            let definition = model.definitions(property, &proof).expect("there is an invariant");
            for text in [model.text(terms, *invariant, None), definition] {
                assert!(proved_with(&model, property, &text), "seed {seed}, property {property}\n{text}");
            }
            n_proved += 1;
        }
    }
    assert!(n_proved > 20, "{n_proved}");
}

/// Does a formula hold in a moment of a trace, or (a relation) between two?
fn holds(system: &WordSystem, terms: &Terms, formula: Term, trace: &WordTrace, k: usize) -> bool {
    let mut values: HashMap<Term, &Value> = HashMap::new();
    for (i, var) in system.states.iter().enumerate() {
        values.insert(var.current, &trace.states[k][i]);
        if let Some(next) = trace.states.get(k + 1) {
            values.insert(var.next, &next[i]);
        }
    }
    values.extend(system.inputs.iter().copied().zip(&trace.inputs[k]));
    terms.holds(formula, &|var| values[&var].clone()).expect("all variables have values")
}

#[test]
fn random_lemmas_stand_as_they_should() {
    let mut n = [0; 3];
    for seed in common::seeds(200) {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut system = random_words::system(rng);
        let n_properties = system.properties.len();
        let candidates: Vec<Term> =
            (0..rng.usize(1..9)).map(|_| random_words::formula(&mut system, rng)).collect();
        let terms = system.terms.clone();
        let mut observer = Ignore;
        let mut run = Run::new(Cancel::new(), &mut observer);
        let mut proof =
            WordIncremental::new(&system, &terms, &candidates, None, &mut run).expect("certified");
        let proved = proof.proved();
        // The truth about lemmas, as properties.
        let mut all = system.clone();
        for &holds in &candidates {
            let property = all.properties[0].clone();
            all.properties.push(indubit::system::WordProperty { holds, ..property });
        }
        let truths = random_words::shortest(&all);
        let in_moment = |formula, trace: &WordTrace, k| holds(&system, &terms, formula, trace, k);
        let is_step = |cti: &WordTrace, broken: Term| {
            let holds_now = |&formula: &Term| in_moment(formula, cti, 0);
            cti.states.len() == 2
                && proved.iter().chain([&system.trans, &broken]).all(holds_now)
                && !in_moment(broken, cti, 1)
        };
        for (i, (standing, &lemma)) in proof.standings().iter().zip(&candidates).enumerate() {
            let truth = truths[n_properties + i];
            let agrees = match standing {
                Standing::Trivial => truth.is_none(),
                Standing::Proved(_) => truth.is_none(),
                Standing::FalseInitially(trace) => {
                    truth == Some(0) && in_moment(system.init, trace, 0) && !in_moment(lemma, trace, 0)
                }
                Standing::NotInductive(cti) => truth != Some(0) && is_step(cti, lemma),
                Standing::Unknown(stop) => panic!("seed {seed}: {stop}"),
            };
            assert!(agrees, "seed {seed}, lemma {i}: {standing:?}, but {truth:?}");
            n[match standing {
                Standing::Proved(_) => 0,
                Standing::NotInductive(_) => 1,
                _ => 2,
            }] += 1;
        }
        for (index, &truth) in truths[..n_properties].iter().enumerate() {
            let (verdict, support) = proof.check(index, &mut run).expect("certified");
            let agrees = match &verdict {
                Verdict::Safe(_) => truth.is_none() && support.is_some(),
                Verdict::Unsafe(trace) => {
                    truth == Some(trace.states.len() - 1) && check_word_trace(&system, index, trace).is_ok()
                }
                Verdict::Unknown { safe_up_to, .. } => {
                    let cti = word_counterexample_to_induction(&system, index, &terms, &proved, None, &run);
                    let cti = cti.expect("not cancelled").expect("it is not inductive");
                    *safe_up_to == Some(1)
                        && truth.is_none_or(|depth| depth > 1)
                        && is_step(&cti, system.properties[index].holds)
                }
            };
            assert!(agrees, "seed {seed}: {verdict:?}, but {truth:?}");
        }
    }
    assert!(n.iter().all(|&n| n > 20), "{n:?}");
}
