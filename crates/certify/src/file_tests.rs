use super::*;
use crate::check;
use crate::solver::by_either;
use indubit_system::{Evidence, Justice, Proof, Ranked, Trace};
use indubit_testkit::{explicit, random};

/// A counter of two bits with enable, and the high bit delayed. `b0` is violated, `b1` is never true, and `b2` holds since
/// the high bit falls only together with the low one: 2-inductive.
fn model() -> BitSystem {
    let mut model = BitSystem::new();
    let enable = model.add_input("enable");
    let [a, b, c] = ["a", "b", "c"].map(|n| model.add_latch(n, Some(false)));
    let d = model.add_latch("d", Some(false));
    let next = model.aig_mut().xor(a, enable);
    model.set_next(a, next);
    let carry = model.aig_mut().and(a, enable);
    let next = model.aig_mut().xor(b, carry);
    model.set_next(b, next);
    model.set_next(c, b);
    model.set_next(d, c);
    let full = model.aig_mut().and(a, b);
    model.add_bad("full", full);
    model.add_bad("never", Lit::FALSE);
    let behind = model.aig_mut().and_all([d, !c, b]);
    model.add_bad("behind", behind);
    model
}

fn proof(k: u32, simple_path: bool) -> Evidence<Bits> {
    let with = Invariant::new(model().aig().n_vars());
    let simple_path = simple_path.then(|| (0..model().latches().len()).collect());
    Evidence::Proof(Proof::KInductive { k, with, simple_path })
}

fn property(i: usize) -> Property {
    model().properties()[i].clone()
}

fn run(i: usize, evidence: &Evidence<Bits>) -> Result<(), Reason> {
    by_either(|by| check(&model(), &property(i), evidence, by))
}

fn from_file(evidence: &[u8]) -> Result<Checked<Bits>, Reason> {
    by_either(|by| certify_file(&model(), evidence, by))
}

#[test]
fn verdicts() {
    let trace = explicit::counterexample(&model(), 0).unwrap().unwrap();
    assert_eq!(run(0, &Evidence::Trace(trace.clone())), Ok(()));
    assert!(run(1, &Evidence::Trace(trace)).is_err());
    assert_eq!(run(1, &proof(1, false)), Ok(()));
    assert_eq!(run(2, &proof(2, false)), Ok(()));
    assert_eq!(run(2, &proof(2, true)), Ok(()));
    assert!(run(2, &proof(1, false)).is_err());
    assert!(run(0, &proof(2, false)).is_err() && run(0, &proof(2, true)).is_err());
}

#[test]
fn proofs_about_another_system_are_refused_and_do_not_panic() {
    let mut wrong = Invariant::new(4);
    wrong.add(Clause::new([Lit::TRUE]));
    assert!(run(1, &Evidence::Proof(Proof::Inductive(wrong.clone()))).is_err());
    assert!(
        run(1, &Evidence::Proof(Proof::KInductive { k: 2, with: wrong, simple_path: Some(vec![0]) }))
            .is_err()
    );
    assert!(run(1, &proof(0, false)).is_err());
}

#[test]
fn witness_files() {
    let trace = explicit::counterexample(&model(), 0).unwrap().unwrap();
    let step = trace.len();
    let text = witness::write(property(0).id, &trace);
    let violated = Checked::Violated(vec![Violation { property: property(0), step, repeats: false }]);
    assert_eq!(from_file(text.as_bytes()), Ok(violated.clone()));
    // Longer than need be, with unknown values and comments, and Windows line ends.
    let longer =
        format!("c x\n{}", text.replace("0000\n", "xx00\n").replace(".\n", "x\n.\n")).replace('\n', "\r\n");
    assert_eq!(from_file(longer.as_bytes()), Ok(violated));
    let refusal = |text: &str| from_file(text.as_bytes()).unwrap_err().to_string();
    assert!(refusal("1\nb0b1\n0000\n1\n1\n1\n1\n.\n").starts_with("property b1 (never) is not violated"));
    assert!(refusal("1\nb0\n1000\n1\n.\n").starts_with("latch a starts with 1"));
    assert!(refusal("0\nb0\n.\n").contains("only claims"));
    assert!(refusal("2\nb0\n.\n").contains("nothing is known"));
    assert!(refusal("").contains("an empty file"));
    assert!(refusal("hello").contains("line 1"));
}

/// The same, with enough counting as justice: the low bit is seen infinitely often, and so is its absence, in fair runs.
fn live_model() -> BitSystem {
    let mut model = model();
    let [enable, low] = [model.inputs()[0].lit, Lit::positive(model.latches()[0].var)];
    model.justice.push(Justice { lits: vec![low, !low], name: Some("counts".into()) });
    model.fairness.push(Signal { lit: enable, name: None });
    model
}

#[test]
fn witnesses_of_justice() {
    let model = live_model();
    let property = model.properties()[3].clone();
    // After eight steps of counting everything is as it was after the fourth.
    let lasso = Trace { initial: vec![false; 4], inputs: vec![vec![true]; 8], loops_to: Some(4) };
    assert_eq!(by_either(|by| check::<Bits>(&model, &property, &Evidence::Trace(lasso.clone()), by)), Ok(()));
    let text = witness::write(property.id, &lasso);
    assert_eq!(text, format!("1\nj0\n0000\n{}.\n", "1\n".repeat(8)));
    let found = |text: &str| by_either(|by| certify_file(&model, text.as_bytes(), by));
    // The loop is where two bits repeat: the property has nothing to do with the others.
    let violation = Violation { property: property.clone(), step: 0, repeats: true };
    assert_eq!(found(&text), Ok(Checked::Violated(vec![violation])));
    let refusal = |text: &str| found(text).unwrap_err().to_string();
    // Its end is missing, one way and the other.
    assert!(refusal("1\nj0\n0000\n1\n.\n").contains("nothing repeats"));
    assert!(refusal("1\nj0\n0000\n1\n1\n").contains("found the end of the file"));
    assert!(refusal("1\nj1\n0000\n1\n1\n.\n").contains("a justice property of the model, at most `j0`"));
    assert_eq!(
        refusal("1\nj0\n0000\n0\n.\n"),
        "fairness f0 is never true in the loop, which begins in step 0"
    );
    // Both kinds of properties in one witness.
    let Ok(Checked::Violated(both)) = found(&text.replace("j0", "b0j0")) else { panic!("a witness of both") };
    assert_eq!(both.iter().map(|v| v.step).collect::<Vec<_>>(), [3, 0]);
}

#[test]
fn certificate_files() {
    let holds = |i, method| Ok(Checked::Holds { properties: vec![property(i)], method });
    let written = |i, verdict: &Evidence<Bits>| {
        let Evidence::Proof(proof) = verdict else { unreachable!() };
        certificate::build(&model(), &property(i), proof, "model.aag")
    };
    let circuit = written(2, &proof(2, false));
    assert_eq!(from_file(&aiger::write_binary(&circuit)), holds(2, Method::WitnessCircuit));
    assert_eq!(from_file(&aiger::write_ascii(&circuit)), holds(2, Method::WitnessCircuit));
    let simple = written(2, &proof(2, true));
    assert_eq!(from_file(&aiger::write_ascii(&simple)), holds(2, Method::KSteps { k: 2 }));
    // Against the wrong property, or against all: b0 can be violated.
    for comment in ["WITNESS b0 model.aag", "WITNESS b9 model.aag", ""] {
        let mut wrong = circuit.clone();
        wrong.comment = comment.into();
        assert!(from_file(&aiger::write_ascii(&wrong)).is_err(), "{comment}");
    }
    let mut unnamed = simple.clone();
    unnamed.comment = String::from_utf8(simple.comment.clone()).unwrap().replace("WITNESS", "").into_bytes();
    assert!(from_file(&aiger::write_ascii(&unnamed)).unwrap_err().to_string().contains("does not say which"));
    // The depth that it claims is checked.
    let mut shallow = simple.clone();
    shallow.comment = String::from_utf8(simple.comment).unwrap().replace("k=2", "k=1").into_bytes();
    assert!(from_file(&aiger::write_ascii(&shallow)).is_err());
    assert!(from_file(b"aag 1 1 0 1 0\n2\n9\n").unwrap_err().to_string().contains("line 3"));
    let mut other = BitSystem::new();
    other.comment = simple_comment();
    assert!(from_file(&aiger::write_ascii(&other)).unwrap_err().to_string().contains("other inputs"));
}

#[test]
fn certificates_of_justice() {
    // Beside the bad signals, the counter is seen to go from 0 only once, since it is not allowed to come back.
    let mut model = model();
    let enable = model.inputs()[0].lit;
    let done = model.add_latch("done", Some(false));
    let next = model.aig_mut().or(done, enable);
    model.set_next(done, next);
    let starts = model.aig_mut().and(enable, !done);
    model.justice.push(Justice { lits: vec![starts], name: Some("starts".into()) });
    let property = model.properties().remove(3);
    let mut ranked = Ranked::new(model.aig().n_vars(), vec![], vec![], 1);
    (ranked.order, ranked.absent) = (vec![done], vec![Lit::TRUE]);
    let circuit = certificate::build(&model, &property, &Proof::Ranked(Box::new(ranked)), "m.aig");
    let found = |circuit: &BitSystem| by_either(|by| certify_file(&model, &aiger::write_ascii(circuit), by));
    let holds = Checked::Holds { properties: vec![property], method: Method::WitnessCircuit };
    assert_eq!(found(&circuit), Ok(holds));
    let mut without = circuit.clone();
    without.justice.clear();
    assert_eq!(
        found(&without).unwrap_err().to_string(),
        "the proof has no rank for justice property starts (j0)"
    );
    let mut damaged = circuit.clone();
    damaged.comment = b"WITNESS j0 m.aig\nINTERVENTION 2\n2 4\n".to_vec();
    assert_eq!(
        found(&damaged).unwrap_err().to_string(),
        "the intervention comment announces 2 lines and has 1"
    );
    // If it does not say what it is about, it has to be about everything, and the first bad signal can be true.
    let mut unnamed = circuit;
    unnamed.comment = unnamed.comment["WITNESS j0 m.aig\n".len()..].to_vec();
    assert!(found(&unnamed).unwrap_err().to_string().contains("the safety check"));
}

fn simple_comment() -> Vec<u8> {
    b"WITNESS b2 m\nINDUBIT k-induction simple-path k=2 latches=0\n".to_vec()
}

#[test]
fn models_without_safety_properties() {
    let mut model = BitSystem::new();
    let a = model.add_input("a");
    model.justice.push(Justice { lits: vec![a], name: None });
    let refusal = by_either(|by| certify_file(&model, b"aag 0 0 0 0 0\n", by)).unwrap_err();
    assert!(refusal.to_string().contains("justice"));
    let verdict: Evidence<Bits> = Evidence::Trace(Trace::finite(vec![], vec![vec![true]]));
    assert!(by_either(|by| check(&model, &model.properties()[0], &verdict, by)).is_err());
    let verdict: Evidence<Bits> = Evidence::Proof(Proof::Inductive(Invariant::new(model.aig().n_vars())));
    assert!(by_either(|by| check(&model, &model.properties()[0], &verdict, by)).is_err());
}

#[test]
fn flipped_bits_in_certificates_never_prove_a_falsehood() {
    // The certificate of a safe system with one edge negated or one reset changed either still proves it or is
    // refused; the same file for an unsafe system with the same shape is always refused.
    let config = random::Config { bads: 1..=1, ..random::Config::default() };
    let mut n_refused = 0;
    for seed in 0..150 {
        let model = random::system(seed, &config);
        let safe = explicit::check(&model).unwrap()[0].is_safe();
        let proof = Proof::KInductive { k: 2, with: Invariant::new(model.aig().n_vars()), simple_path: None };
        let good = certificate::build(&model, &model.properties()[0], &proof, "m");
        for latch in 0..good.latches().len() {
            let mut bad = good.clone();
            let lit = Lit::positive(good.latches()[latch].var);
            let latch = good.latches()[latch].clone();
            match seed % 3 {
                0 => bad.set_next(lit, !latch.next),
                1 => bad.set_reset(lit, if latch.reset == Lit::TRUE { Lit::FALSE } else { Lit::TRUE }),
                _ => bad.bads = vec![Signal { lit, name: None }],
            }
            let accepted = by_either(|by| check_certificate(&model, &bad, by)).is_ok();
            assert!(safe || !accepted, "seed {seed}");
            n_refused += usize::from(!accepted);
        }
    }
    assert!(n_refused > 100, "{n_refused}");
}
