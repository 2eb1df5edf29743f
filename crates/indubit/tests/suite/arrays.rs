//! Random systems over bit-vectors and arrays, written as BTOR2 and read again: all engines agree with search, and every trace passes as a witness.

use crate::common::{self, engines, found, is_bounded, is_right};
use indubit::certify::certify_word_file;
use indubit::formats::btor2::{self, Btor2};
use indubit::formats::model::WordModel;
use indubit::run::{Cancel, Run};
use indubit::system::Evidence;
use indubit::{Bits, Plan, Strategy, Verdict, WordProof, Words, check};
use indubit_testkit::{random_arrays, random_words};

/// Engines that unroll go no further.
const BOUND: u32 = 24;

#[test]
fn engines_agree_with_search() {
    let (mut n_proved, mut n_witnesses, mut n_certificates) = (0, 0, 0);
    for seed in common::seeds(60) {
        let system = random_arrays::system(&mut fastrand::Rng::with_seed(seed));
        let text = btor2::write(&system).expect("bits only");
        let model =
            btor2::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let truths = random_words::shortest(&system);
        // Constant arrays with several elements become states of their own; what can be reached stays the same.
        if model.system.states.len() == system.states.len() {
            assert_eq!(truths, random_words::shortest(&model.system), "seed {seed}\n{text}");
        }
        let plans = engines::<Bits>()
            .map(|engine| (engine.name, Plan::from(Strategy::from(engine.id)), Some(engine)));
        for (name, plan, engine) in plans.chain([("portfolio", Plan::portfolio(1), None)]) {
            let bound = engine.filter(|engine| is_bounded(engine)).map(|_| BOUND);
            for (property, truth) in truths.iter().enumerate() {
                let place = format!("seed {seed}, {name}, property {property}\n{text}");
                let mut run = Run::new(Cancel::new()).with_bound(bound);
                let verdict = check::<Words>(&model.system, property, plan.clone(), &mut run)
                    .unwrap_or_else(|error| panic!("{place}: {error}"));
                let truth = truth.map(|n| n as u32);
                assert!(is_right(found(&verdict), truth), "{place}: {verdict:?}, not {truth:?}");
                assert!(engine.is_some() || verdict.truth().is_some(), "{place}: {verdict:?}");
                match &verdict {
                    Verdict::Fails { evidence: Evidence::Trace(trace), .. } => {
                        let witness =
                            btor2::witness::write(&model, &model.system.properties[property], trace);
                        let (_, read) =
                            btor2::witness::parse(witness.as_bytes(), &model).expect("a witness of ours");
                        assert_eq!(read, *trace, "{place}\n{witness}");
                        n_witnesses += 1;
                    }
                    Verdict::Holds { evidence: Evidence::Proof(proof), .. } => {
                        n_proved += 1;
                        n_certificates += usize::from(is_certified(&model, property, proof, &place));
                    }
                    _ => (),
                }
            }
        }
    }
    assert!(
        (n_proved > 100 && n_witnesses > 100 && n_certificates > 100) || common::seeds(60).count() < 60,
        "{n_proved} {n_witnesses} {n_certificates}"
    );
}

/// Does a proof become a certificate? If so, it passes its check.
fn is_certified(model: &Btor2, property: usize, proof: &WordProof, place: &str) -> bool {
    let own = &model.system.properties[property];
    let text = match btor2::certificate::write(model, &[(own, proof)], "model") {
        Ok(text) => text,
        Err(why) => {
            let is_simple = matches!(proof, WordProof::KInductive { simple_path: true, .. });
            assert!(is_simple || why.contains("constant arrays"), "{place}: {why}");
            return false;
        }
    };
    let words = WordModel::Btor2(Box::new(model.clone()));
    let checked = certify_word_file(&words, text.as_bytes(), &Cancel::new()).expect("it ends");
    assert!(checked.is_ok(), "{place}: {checked:?}\n{text}");
    true
}
