//! SMV: our examples are read, and mutated files are read or refused.

use crate::fuzz::{mutate, peak_memory};
use fastrand::Rng;
use indubit_formats::lemmas;
use indubit_formats::model::WordModel;
use indubit_formats::smv;
use std::path::Path;
use std::time::{Duration, Instant};

/// Words that break readers, and words of the language.
const NASTY: &[&str] = &[
    "0",
    "1",
    "-1",
    "4294967295",
    "99999999999999999999999999",
    "65536",
    "1.5",
    "f'1/3",
    "1e9",
    "0ud4_7",
    "0sb1_1",
    "0h_ffff",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ":=",
    "..",
    ".",
    ",",
    "?",
    "--",
    "/--",
    "!",
    "&",
    "|",
    "->",
    "<->",
    "=",
    "!=",
    "<",
    "+",
    "-",
    "*",
    "/",
    "mod",
    "<<",
    "::",
    "union",
    "in",
    "xor",
    "case",
    "esac",
    "next(",
    "init(",
    "TRUE",
    "FALSE",
    "self",
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "FAIRNESS",
    "COMPASSION(",
    "INVARSPEC",
    "LTLSPEC",
    "SPEC",
    "ISA",
    "CONSTANTS",
    "boolean",
    "integer",
    "real",
    "word[8]",
    "signed word[3]",
    "array 0..3 of",
    "array word[4] of",
    "array integer of",
    "process",
    "0..99999999",
    "-5..5",
    "{1,",
    "G",
    "F",
    "F [0,9]",
    "X",
    "U",
    "EG",
    "A [",
    "BU 0..3",
    "toint(",
    "count(",
    "READ(",
    "WRITE(",
    "CONSTARRAY(typeof(",
    "extend(",
    "x",
    "y",
    "running",
];

/// Our examples, and a text with what they lack.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smv");
    let entries = std::fs::read_dir(folder).expect("examples are a part of the project");
    let mut texts: Vec<(String, String)> = entries
        .map(|entry| entry.expect("a readable directory").path())
        .map(|path| {
            (path.display().to_string(), std::fs::read_to_string(&path).expect("an example is a text"))
        })
        .collect();
    texts.sort();
    let rest = "MODULE main VAR x : word[6]; y : signed word[4]; a : array 0..3 of 0..5; m : array word[3] of word[4]; p : process cell(a[1], self); z : {1, 2, red, -4};
        CONSTANTS blue; FROZENVAR f : -3..9; IVAR i : array 1..2 of boolean; DEFINE d := [1, 2, 3]; e := x[3:1] :: 0ub1_0; INVAR f < 8 & i[1] = i[1]
        ASSIGN a[0] := 3; init(x) := 0ud6_3 << 2; next(x) := case y < 0sd4_2 : x + extend(e, 2); TRUE : uwconst(7, 6) xor x; esac; next(z) := {1, red} union {2};
        TRANS next(m) = WRITE(m, x[2:0], 0ud4_5) INIT m = CONSTARRAY(typeof(m), 0ud4_0) COMPASSION (z = red, f = 3);
        INVARSPEC READ(m, 0ud3_1) = 0ud4_0 | a[toint(x[1:0])] >= d[2] ; LTLSPEC G (z = red -> F [0, 4] next(f) = f & O x = 0ud6_3) ; SPEC AG EF z = 2 & A [p.running BU 1..3 count(i[1], i[2]) = 2];
        MODULE cell(v, up) ASSIGN next(v) := (v + 1) mod 6; FAIRNESS running ISA more MODULE more DEFINE w := up.f / 2;";
    texts.push(("rest".into(), rest.into()));
    texts
}

#[test]
fn our_examples_are_read() {
    for (name, text) in texts().into_iter().filter(|(name, _)| name != "rest") {
        let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(model.notes.is_empty() && !model.system.properties.is_empty(), "{name}: {:?}", model.notes);
    }
}

#[test]
fn mutated_files_are_read_or_refused() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let (n_files, first) = (number("INDUBIT_FUZZ", 6_000), number("INDUBIT_FUZZ_SEED", 0));
    let texts = texts();
    let mut n_read = 0;
    for seed in first..first + n_files {
        let rng = &mut Rng::with_seed(seed);
        let mut file = texts[rng.usize(0..texts.len())].1.clone().into_bytes();
        for _ in 0..rng.usize(1..4) {
            mutate(&mut file, rng, NASTY);
        }
        let start = Instant::now();
        let read = std::panic::catch_unwind(|| smv::parse(&file));
        let text = String::from_utf8_lossy(&file);
        let read = read.unwrap_or_else(|_| panic!("seed {seed}: panic on {text}"));
        assert!(start.elapsed() < Duration::from_secs(10), "seed {seed}: {:?}\n{text}", start.elapsed());
        match read {
            Ok(model) => {
                n_read += 1;
                model.system.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                // What it says of itself can be said again.
                let terms = &model.system.terms;
                let init = model.system.init;
                let written = model.text(terms, init, None);
                let model = WordModel::Smv(model);
                lemmas::parse_words(written.as_bytes(), &model)
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{written}\n{text}"));
            }
            Err(error) => assert!(error.to_string().len() < 600, "seed {seed}: {error}"),
        }
    }
    assert!(n_files < 1000 || n_read > n_files / 50, "only {n_read} of {n_files} were read");
    if let Some(resident) = peak_memory() {
        assert!(resident < 1 << 30, "{resident} bytes resident");
    }
}
