//! Proofs that are wrong, each for one reason, beside the proof that is right.

use super::*;
use indubit_formats::vmt;
use indubit_system::WordMalformed;
use indubit_testkit::{random_arrays, random_words};

/// A system over variables `x`, `y` and `z` of one sort and an input `i`: property 0, and formulas to make proofs of.
fn system(sort: &str, init: &str, trans: &str, formulas: &[&str]) -> WordSystem {
    let mut text = format!("(declare-const i {sort})\n");
    for name in ["x", "y", "z"] {
        text += &format!("(declare-const {name} {sort}) (declare-const {name}' {sort})\n");
        text += &format!("(define-fun .{name} () {sort} (! {name} :next {name}'))\n");
    }
    text += &format!("(define-fun .init () Bool (! {init} :init))\n");
    text += &format!("(define-fun .trans () Bool (! {trans} :trans))\n");
    for (i, formula) in formulas.iter().enumerate() {
        text += &format!("(define-fun f{i} () Bool (! {formula} :invar-property {i}))\n");
    }
    vmt::parse(text.as_bytes()).unwrap()
}

fn judge(system: &WordSystem, proof: &WordProof) -> Result<(), WordReason> {
    check_word_proof(system, &system.properties[0], proof, &Cancel::new()).expect("nobody cancels")
}

/// Formula number `index` of the system as an invariant.
fn inductive(system: &WordSystem, index: usize) -> WordProof {
    WordProof::Inductive {
        terms: system.terms.clone(),
        invariant: system.properties[index].claim.formulas()[0],
    }
}

fn k_inductive(k: u32, simple_path: bool) -> WordProof {
    WordProof::KInductive { k, simple_path }
}

const INITIATION: &str = "holds initially";
const CONSECUTION: &str = "is kept by every step";
const SAFETY: &str = "implies the property";

#[test]
fn invariants_over_numbers() {
    for sort in ["Int", "Real"] {
        let system = system(
            sort,
            "(and (= x 0) (= y 1))",
            "(and (= x' (+ x y)) (= y' (+ y 1)))",
            &[
                "(>= x 0)",
                "(and (>= x 0) (>= y 0))",
                "(and (>= x 1) (>= y 1))",
                "(>= y 1)",
                "(>= (+ x i) 0)",
                "(and (>= x 0) (>= y 0) (or (>= i 0) (<= i 5)))",
            ],
        );
        assert_eq!(judge(&system, &inductive(&system, 1)), Ok(()));
        for (index, what) in [(0, CONSECUTION), (2, INITIATION), (3, SAFETY)] {
            assert_eq!(judge(&system, &inductive(&system, index)), Err(WordReason::NotInvariant(what)));
        }
        // What is said of inputs holds of those of every step, whatever they are.
        assert_eq!(judge(&system, &inductive(&system, 4)), Err(WordReason::NotInvariant(INITIATION)));
        assert_eq!(judge(&system, &inductive(&system, 5)), Ok(()));
        let mut terms = system.terms.clone();
        let (next, y) = (system.states[0].next, system.states[1].current);
        let invariant = terms.ge(next, y);
        let stray = WordProof::Inductive { terms, invariant };
        assert_eq!(judge(&system, &stray), Err(WordReason::Stray("|x'|".into())));
    }
}

#[test]
fn invariants_over_bits() {
    let system = system(
        "(_ BitVec 3)",
        "(= x #b000)",
        "(= x' (bvadd x #b010))",
        &["(not (= x #b101))", "(= ((_ extract 0 0) x) #b0)", "(= ((_ extract 0 0) x) #b1)", "true"],
    );
    assert_eq!(judge(&system, &inductive(&system, 1)), Ok(()));
    for (index, what) in [(0, CONSECUTION), (2, INITIATION), (3, SAFETY)] {
        assert_eq!(judge(&system, &inductive(&system, index)), Err(WordReason::NotInvariant(what)));
    }
}

#[test]
fn invariants_of_something_else() {
    let good = system("Int", "(= x 0)", "(= x' x)", &["(>= x 0)", "(= (* x y) 0)"]);
    let proof = inductive(&good, 0);
    assert_eq!(judge(&good, &proof), Ok(()));
    let other = system("Int", "(= x 1)", "(= x' x)", &["(>= x 0)"]);
    assert_eq!(judge(&other, &proof), Err(WordReason::OtherTerms));
    let product = judge(&good, &inductive(&good, 1));
    assert_eq!(product, Err(WordReason::Unsupported("(* x y)".into())));
    let mut broken = good.clone();
    broken.properties.clear();
    broken.add_invar("number", good.states[0].current);
    assert_eq!(judge(&broken, &proof), Err(WordReason::Malformed(WordMalformed::NotBoolean("property"))));
}

#[test]
fn too_few_steps() {
    for sort in ["Int", "Real", "(_ BitVec 2)"] {
        let (zero, good) = match sort {
            "(_ BitVec 2)" => ("#b00", "(not (= x #b11))"),
            _ => ("0", "(>= x 0)"),
        };
        let init = format!("(and (= x {zero}) (= y {zero}) (= z {zero}))");
        // Three good states in a row say what z is.
        let system = system(sort, &init, "(and (= x' y) (= y' z) (= z' z))", &[good]);
        assert_eq!(judge(&system, &k_inductive(3, false)), Ok(()));
        for k in [1, 2] {
            for simple_path in [false, true] {
                let reason = Err(WordReason::InductionStep { k });
                assert_eq!(judge(&system, &k_inductive(k, simple_path)), reason, "{sort}");
            }
        }
    }
}

#[test]
fn paths_that_are_not_simple() {
    // 1 and 2 alternate for ever, unreachable, or go on to 3.
    let trans = "(or (= x x' 0) (and (= x 1) (= x' 2)) (and (= x 2) (or (= x' 1) (= x' 3))))";
    let keep = "(= y' y 0) (= z' z 0)";
    let alternating = system("Int", "(= x 0)", &format!("(and {trans} {keep})"), &["(not (= x 3))"]);
    assert_eq!(judge(&alternating, &k_inductive(3, true)), Ok(()));
    for (k, simple_path) in [(2, true), (3, false), (6, false)] {
        let reason = Err(WordReason::InductionStep { k });
        assert_eq!(judge(&alternating, &k_inductive(k, simple_path)), reason);
    }
    // Different states without end.
    let falling = system("Int", "(and (= x 0) (= y 0))", "(and (= x' (+ x y)) (= y' y))", &["(>= x 0)"]);
    for k in [1, 4] {
        assert_eq!(judge(&falling, &k_inductive(k, true)), Err(WordReason::InductionStep { k }));
    }
}

#[test]
fn violations_in_the_first_steps() {
    let bits = ("(_ BitVec 3)", "(= x #b000)", "(= x' (bvadd x #b001))", "(not (= x #b010))");
    let numbers = ("Int", "(= x 0)", "(= x' (+ x 1))", "(not (= x 2))");
    for (sort, init, trans, good) in [bits, numbers] {
        let system = system(sort, init, trans, &[good]);
        for proof in [k_inductive(3, false), k_inductive(3, true), WordProof::Ends { last: 2 }] {
            assert_eq!(judge(&system, &proof), Err(WordReason::InductionBase { step: 2 }), "{proof:?}");
        }
        assert_eq!(judge(&system, &k_inductive(2, false)), Err(WordReason::InductionStep { k: 2 }));
    }
}

#[test]
fn runs_that_go_on() {
    let bits =
        ("(_ BitVec 3)", "(= x #b000)", "(and (bvult x #b011) (= x' (bvadd x #b001)))", "(bvule x #b011)");
    let numbers = ("Int", "(= x 0)", "(and (< x 3) (= x' (+ x 1)))", "(<= x 3)");
    for (sort, init, trans, good) in [bits, numbers] {
        let system = system(sort, init, trans, &[good]);
        for last in [3, 4] {
            assert_eq!(judge(&system, &WordProof::Ends { last }), Ok(()));
        }
        for last in [0, 2] {
            let reason = Err(WordReason::GoesOn { last: last as usize });
            assert_eq!(judge(&system, &WordProof::Ends { last }), reason);
        }
    }
}

#[test]
fn next_values_that_are_said_twice() {
    let judged = |trans: &str, good: &str, proof: WordProof| {
        judge(&system("(_ BitVec 3)", "(and (= x #b000) (= y x))", trans, &[good]), &proof)
    };
    // The second one is a condition, of the same variable or of another one.
    let trans = "(and (= x' (bvadd x #b001)) (= x' y'))";
    assert_eq!(judged(trans, "(= x y)", k_inductive(1, false)), Ok(()));
    let base = Err(WordReason::InductionBase { step: 7 });
    assert_eq!(judged(trans, "(not (= x #b111))", k_inductive(8, false)), base);
    for trans in ["(and (= x' (bvadd x #b001)) (= x' x))", "(and (= x' x) (= (bvadd x #b001) x'))"] {
        assert_eq!(judged(trans, "(= x #b000)", WordProof::Ends { last: 0 }), Ok(()));
    }
    // A value that is said of itself is none, and one of another next value is none yet.
    let own = "(= x' (bvand x' #b011))";
    assert_eq!(judged(own, "(not (= x #b100))", k_inductive(1, false)), Ok(()));
    let step = Err(WordReason::InductionBase { step: 1 });
    assert_eq!(judged(own, "(not (= x #b010))", k_inductive(2, false)), step);
}

/// Steps of random systems over bit-vectors and arrays: a violation in the first of them is found where it is, and nothing that is violated later is proved.
#[test]
fn random_steps_never_prove_a_falsehood() {
    let (mut n_accepted, mut n_early) = (0, 0);
    for seed in 0..150 {
        let system = random_arrays::system(&mut fastrand::Rng::with_seed(seed));
        for (property, truth) in system.properties.iter().zip(random_words::shortest(&system)) {
            let proofs = [1, 2, 4].map(|k| (k, k_inductive(k as u32, seed % 2 == 1)));
            let ends = [(2, WordProof::Ends { last: 1 }), (4, WordProof::Ends { last: 3 })];
            for (n_first, proof) in proofs.into_iter().chain(ends) {
                let checked = check_word_proof(&system, property, &proof, &Cancel::new()).unwrap();
                let place = format!("seed {seed}, {}: {proof:?}", property.id);
                match truth {
                    Some(step) if step < n_first => {
                        assert_eq!(checked, Err(WordReason::InductionBase { step }), "{place}");
                        n_early += 1;
                    }
                    Some(_) => assert!(checked.is_err(), "{place}"),
                    None => n_accepted += usize::from(checked.is_ok()),
                }
            }
        }
    }
    assert!(n_accepted > 20 && n_early > 20, "{n_accepted} {n_early}");
}
