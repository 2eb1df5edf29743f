use crate::{Checked, Method, certify_word_file};
use indubit_formats::btor2::{self, Btor2, certificate};
use indubit_formats::model::WordModel;
use indubit_run::Cancel;
use indubit_system::{Property, WordProof};
use indubit_term::Term;

/// A counter of three bits that goes from 0 to 4 and begins again, while `i` is not 0; the input has to be 1 or 2.
const MODEL: &str = "1 sort bitvec 3
2 sort bitvec 1
3 zero 1
4 input 1 i
5 state 1 count
6 init 1 5 3
7 constd 1 4
8 eq 2 5 7
9 inc 1 5
10 ite 1 8 3 9
11 next 1 5 10
12 eq 2 4 3
13 constraint -12
14 constd 1 3
15 ult 2 4 14
16 constraint 15
17 constd 1 6
18 eq 2 5 17
19 bad 18 six
20 justice 1 12
";

/// The same without what is asked of it, and with other numbers.
const CERTIFICATE: &str = "1 sort bitvec 3
2 sort bitvec 1
3 zero 1
14 state 1 =5_count
16 init 1 14 3
17 constd 1 4
18 eq 2 14 17
19 inc 1 14
20 ite 1 18 3 19
21 next 1 14 20
22 ugt 2 14 17
23 bad 22
";

fn model(text: &str) -> WordModel {
    WordModel::Btor2(Box::new(read(text)))
}

fn read(text: &str) -> Btor2 {
    btor2::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn certify(text: &str, evidence: &str) -> Result<usize, String> {
    let checked = certify_word_file(&model(text), evidence.as_bytes(), &Cancel::new()).expect("it ends");
    match checked {
        Ok(Checked::Holds { properties, method: Method::WitnessCircuit }) => Ok(properties.len()),
        Ok(other) => panic!("{other:?}"),
        Err(reason) => Err(reason.to_string()),
    }
}

fn refused(evidence: &str, expected: &str) {
    let reason = certify(MODEL, evidence).expect_err(evidence);
    assert!(reason.contains(expected), "{reason}\n{evidence}");
}

#[test]
fn certificates_of_others() {
    assert_eq!(certify(MODEL, CERTIFICATE), Ok(1));
    // Without a mapping the first states are the same.
    assert_eq!(certify(MODEL, &CERTIFICATE.replace(" =5_count", "")), Ok(1));
    // A state of its own that counts down beside the other one.
    let beside = CERTIFICATE.replace("23 bad 22\n", "")
        + "23 state 1\n24 init 1 23 17\n25 eq 2 23 3\n26 dec 1 23\n
27 ite 1 25 17 26\n28 next 1 23 27\n29 add 1 14 23\n30 neq 2 29 17\n31 bad 22\n32 bad 30\n";
    assert_eq!(certify(MODEL, &beside), Ok(1));
}

#[test]
fn each_check_refuses_something() {
    refused(&CERTIFICATE.replace("16 init 1 14 3", "15 one 1\n16 init 1 14 15"), "the reset check");
    refused(&CERTIFICATE.replace("19 inc", "19 dec"), "the transition check");
    refused(&CERTIFICATE.replace("22 ugt 2 14 17", "22 ugt 2 14 14"), "the safety check");
    refused(&CERTIFICATE.replace("22 ugt 2 14 17", "22 ugte 2 14 3"), "the base check");
    let weak = "22 constd 1 6\n23 eq 2 14 22\n24 bad 23\n";
    refused(&CERTIFICATE.replace("22 ugt 2 14 17\n23 bad 22\n", weak), "the inductive check");
    // A constraint of its own that the model does not have.
    refused(
        &CERTIFICATE.replace("23 bad 22", "23 bad 22\n24 eq 2 14 3\n25 constraint 24"),
        "the transition check",
    );
}

#[test]
fn what_does_not_fit() {
    refused(&CERTIFICATE.replace("=5", "=9"), "`=9`, which is neither an input nor a state");
    refused(&CERTIFICATE.replace("=5", "=x"), "found `=x_count`, expected `=` and the number");
    refused(&CERTIFICATE.replace("23 bad 22", "23 input 1 =5\n24 bad 22"), "`=5` twice");
    let narrow = "1 sort bitvec 1\n2 state 1 =5\n3 bad 2\n";
    refused(narrow, "line 2 of the certificate is of sort (_ BitVec 1), and line 5 of the model");
    // A state that is not what it is has no initial value: anything would follow.
    let circular =
        CERTIFICATE.replace("23 bad 22\n", "") + "23 state 2\n24 not 2 23\n25 init 2 23 24\n26 bad 24\n";
    refused(&circular, "the initial value of line 23 of the certificate depends on itself");
    // A mistake in the file itself.
    refused("1 sort bitvec 0\n", "a width from 1");
    // A certificate of one property says nothing about another one.
    let two = MODEL.replace("20 justice", "21 constd 1 2\n22 eq 2 5 21\n23 bad 22 two\n24 justice");
    assert_eq!(certify(&two, &format!("{CERTIFICATE}; WITNESS b0 model.btor2\n")), Ok(1));
    assert!(certify(&two, &format!("{CERTIFICATE}; WITNESS b1 model.btor2\n")).is_err());
    assert!(certify(&two, CERTIFICATE).is_err());
}

/// The proofs as a certificate, which is checked.
fn written(text: &str, proofs: &[&WordProof]) -> Result<usize, String> {
    let model = read(text);
    let proofs: Vec<(&Property<Term>, &WordProof)> =
        model.system.properties.iter().zip(proofs.iter().copied()).collect();
    let text_of = certificate::write(&model, &proofs, "a model")?;
    let found = certify(text, &text_of);
    assert!(!text_of.contains("bad -"), "{text_of}");
    found
}

const STEPS: fn(u32) -> WordProof = |k| WordProof::KInductive { k, simple_path: false };

#[test]
fn proofs_become_certificates() {
    let model = read(MODEL);
    let mut terms = model.system.terms.clone();
    let count = model.system.states[0].current;
    let five = terms.bits(3, 5u32);
    let invariant = terms.bv(indubit_term::Op::BvUlt, &[count, five]);
    let inductive = WordProof::Inductive { terms: terms.clone(), invariant };
    assert_eq!(written(MODEL, &[&inductive]), Ok(1));
    let wrong = WordProof::Inductive { invariant: terms.not(invariant), terms };
    assert!(written(MODEL, &[&wrong]).unwrap_err().contains("base"));
    // 5, which is never reached, goes on to 6, and nothing comes before it.
    assert!(written(MODEL, &[&STEPS(1)]).unwrap_err().contains("inductive"));
    assert_eq!(written(MODEL, &[&STEPS(2)]), Ok(1));
    let error = written(MODEL, &[&WordProof::KInductive { k: 1, simple_path: true }]).unwrap_err();
    assert!(error.contains("--engine ic3"), "{error}");
    assert!(written(MODEL, &[&inductive, &inductive]).unwrap_err().contains("justice"));
}

/// `x` toggles, and `y`, `z`, `w` are what it was one, two, three steps ago; where they begin, an input says.
const DEEP: &str = "1 sort bitvec 1
2 input 1 start
3 state 1 x
4 init 1 3 2
5 not 1 3
6 next 1 3 5
7 state 1 y
8 not 1 2
9 init 1 7 8
10 next 1 7 3
11 state 1 z
12 init 1 11 2
13 next 1 11 7
14 state 1 w
15 init 1 14 8
16 next 1 14 11
17 eq 1 7 11
18 bad 17 middle
19 eq 1 11 14
20 bad 19 last
21 input 1 other
22 constraint 21
";

#[test]
fn the_past_is_remembered() {
    // As many steps as it takes for what `x` was to arrive.
    assert!(written(DEEP, &[&STEPS(1)]).unwrap_err().contains("inductive"));
    assert_eq!(written(DEEP, &[&STEPS(2)]), Ok(1));
    assert!(written(DEEP, &[&STEPS(1), &STEPS(1)]).unwrap_err().contains("inductive"));
    assert_eq!(written(DEEP, &[&STEPS(2), &STEPS(3)]), Ok(2));
    // Too many do no harm.
    assert_eq!(written(DEEP, &[&STEPS(5), &STEPS(1)]), Ok(2));
    // Where `w` begins, it is wrong.
    let wrong = DEEP.replace("15 init 1 14 8", "15 init 1 14 2");
    assert!(written(&wrong, &[&STEPS(2), &STEPS(3)]).unwrap_err().contains("base"));
}

#[test]
fn arrays() {
    let text = "1 sort bitvec 2
2 sort bitvec 4
3 sort array 1 2
4 zero 2
5 state 3 memory
6 init 3 5 4
7 input 1 at
8 input 1 what
9 uext 2 8 2
10 write 3 5 7 9
11 next 3 5 10
12 zero 1
13 read 2 5 12
14 constd 2 9
15 sort bitvec 1
16 eq 15 13 14
17 bad 16 nine
";
    assert!(written(text, &[&STEPS(1)]).is_ok());
    let model = read(text);
    let mut terms = model.system.terms.clone();
    let memory = model.system.states[0].current;
    let zero = terms.bits(2, 0u32);
    let element = terms.select(memory, zero);
    let four = terms.bits(4, 4u32);
    let invariant = terms.bv(indubit_term::Op::BvUlt, &[element, four]);
    let proof = WordProof::Inductive { terms, invariant };
    assert_eq!(written(text, &[&proof]), Ok(1));
}

#[test]
fn one_of_several_is_about_the_model_without_the_others() {
    let model = read(DEEP);
    let single = certificate::subject(&model, indubit_system::PropertyId::Bad(1)).expect("there are two");
    let single = String::from_utf8(single).expect("it is text");
    assert_eq!(single, DEEP.replace("18 bad 17 middle\n", ""));
    assert_eq!(certificate::subject(&model, indubit_system::PropertyId::Bad(2)), None);
    let property = &model.system.properties[1];
    let text = certificate::write(&model, &[(property, &STEPS(3))], "m").expect("there is one");
    assert_eq!((certify(&single, &text), certify(DEEP, &text)), (Ok(1), Ok(1)));
}
