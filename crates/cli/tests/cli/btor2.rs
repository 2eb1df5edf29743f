//! Bit-vectors and arrays from outside: BTOR2.

use crate::common::{Scratch, example};

/// A counter that overflows, and one that must not stop, as BTOR2.
const COUNTER: &str = "\
1 sort bitvec 3
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 input 2 go
7 inc 1 4
8 ite 1 6 7 4
9 next 1 4 8
10 constd 1 5
11 eq 2 4 10
12 bad 11 is_five ; counter.sv:7.3-7.20
13 ult 2 4 3
14 bad 13 negative
15 justice 1 -6 stops
16 justice 1 13 never
";

#[test]
fn btor2_from_reading_to_evidence() {
    let scratch = Scratch::new();
    let model = scratch.write("counter.btor2", COUNTER);
    let ran = indubit!["check", &model, "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unsafe is_five\nsafe negative\nfails stops\nholds never\n");
    let ran = indubit!["check", &model].with_code(10);
    for text in ["is_five (b0), counter.sv:7.3-7.20", "count = 5", "-- loop begins --"] {
        assert!(ran.stdout.contains(text), "{text}\n{}", ran.stdout);
    }
    for (property, first) in
        [("is_five", "sat\nb0\n#0\n@0\n0 1 go@0\n"), ("stops", "sat\nj0\n#0\n@0\n0 0 go@0\n.\n")]
    {
        let witness = scratch.path("cex.wit");
        indubit!["check", &model, "--property", property, "--witness", &witness, "--quiet"].with_code(10);
        let text = std::fs::read_to_string(&witness).unwrap();
        assert!(text.starts_with(first), "{text}");
        indubit!["certify", &model, &witness].with_code(0);
        let wrong = scratch.write("wrong.wit", text.replace("0 1 go@2", "0 0 go@2").replace("j0", "j1"));
        indubit!["certify", &model, &wrong].with_code(1);
    }
    assert_eq!(
        indubit!["check", &model, "--property", "negative", "--format", "hwmcc"].with_code(0).stdout,
        "unsat\n"
    );
    // There and back, by AIGER and by VMT.
    for name in ["m.btor2", "m.vmt", "m.aag"] {
        let other = scratch.path(name);
        let arguments = ["--property", "is_five"].map(str::to_owned);
        indubit!["convert", &model, &other, &arguments[0], &arguments[1]].with_code(0);
        let ran = indubit!["check", &other, "--quiet"].with_code(10);
        assert_eq!(ran.stdout, "unsafe is_five\n", "{name}");
    }
}

/// A counter up to 6 that begins anew, and two bits that go together.
const SAFE: &str = "1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 constd 1 6
7 ugte 2 4 6
8 inc 1 4
9 ite 1 7 3 8
10 next 1 4 9
11 constd 1 9
12 eq 2 4 11
13 bad 12 nine
14 input 2 go
15 state 2 a
16 zero 2
17 state 2 b
18 init 2 15 16
19 init 2 17 16
20 next 2 15 14
21 next 2 17 14
22 xor 2 15 17
23 bad 22 apart ; pair.sv:3
";

#[test]
fn certificates_in_btor2() {
    let scratch = Scratch::new();
    let model = scratch.write("safe.btor2", SAFE);
    let [witness, certificate] = ["cex", "proof.btor2"].map(|n| scratch.path(n));
    for engine in ["ic3", "kind"] {
        let ran = indubit![&model, &witness, &certificate, "--engine", engine].with_code(0);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("unsat\n", ""));
        let ran = indubit!["certify", &model, &certificate].with_code(0);
        assert!(ran.stdout.contains("nine (b0), apart (b1) are safe"), "{}", ran.stdout);
        assert!(ran.stdout.contains("reset, transition, safety, base, inductive, by SMT"), "{}", ran.stdout);
    }
    // The word level's call has no certificate.
    assert_eq!(indubit![&model, &witness].with_code(0).stdout, "unsat\n");
    assert!(!witness.exists());
    // One of several is about the model without the others, whose lines keep their numbers.
    indubit!["check", &model, "--certificate", &certificate, "--quiet"].with_code(0);
    let [single, own] = ["single.btor2", "proof.b1.btor2"].map(|n| scratch.path(n));
    indubit!["convert", &model, &single, "--property", "apart"].with_code(0);
    assert_eq!(std::fs::read_to_string(&single).unwrap(), SAFE.replace("13 bad 12 nine\n", ""));
    for model in [&single, &model] {
        let ran = indubit!["certify", model, &own].with_code(0);
        assert!(ran.stdout.contains("is safe"), "{}", ran.stdout);
    }
    // What it says of another model is refused.
    let other = scratch.write("other.btor2", SAFE.replace("21 next 2 17 14", "21 next 2 17 -14"));
    let ran = indubit!["certify", &other, &own].with_code(1);
    assert!(ran.stdout.contains("the transition check of the certificate fails"), "{}", ran.stdout);
    // There is none for justice.
    let live = scratch.write("live.btor2", COUNTER);
    let ran = indubit!["check", &live, "--property", "never", "--certificate", &certificate].with_code(2);
    assert!(ran.stderr.contains("no certificates for justice in BTOR2"), "{}", ran.stderr);
}

#[test]
fn large_arrays_become_bits_if_they_are_wanted() {
    let scratch = Scratch::new();
    let text = "1 sort bitvec 13\n2 sort bitvec 16\n3 sort array 1 2\n4 zero 2\n5 state 3 memory\n6 init 3 5 4\n7 zero 1\n8 one 2\n9 write 3 5 7 8\n10 next 3 5 9\n11 one 1\n12 read 2 5 11\n13 sort bitvec 1\n14 neq 13 12 4\n15 bad 14 touched\n";
    let model = scratch.write("memory.btor2", text);
    for engine in ["ic3", "portfolio"] {
        let ran = indubit!["check", &model, "--engine", engine].with_code(2);
        for part in ["the array `memory` has 131072 bits", "--array-bits 131072"] {
            assert!(ran.stderr.contains(part), "{}", ran.stderr);
        }
    }
    let circuit = scratch.path("memory.aig");
    let ran = indubit!["convert", &model, &circuit].with_code(2);
    assert!(ran.stderr.contains("--array-bits"), "{}", ran.stderr);
    let wide = ["--array-bits", "131072"];
    let ran = indubit!["check", &model, wide[0], wide[1], "--quiet"].with_code(0);
    assert_eq!(ran.stdout, "safe touched\n");
    indubit!["convert", &model, &circuit, wide[0], wide[1]].with_code(0);
    indubit!["check", &example("fifo.aag"), wide[0], wide[1]].with_code(2);
    indubit!["check", &model, wide[0], "5000000"].with_code(2);
}
