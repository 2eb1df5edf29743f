//! Recording solver queries and replaying them, from outside.

use crate::common::{Scratch, example};

#[test]
fn what_ic3_asks_can_be_asked_again() {
    let scratch = Scratch::new();
    let queries = scratch.path("fifo.queries");
    // Several properties are several streams in one file.
    indubit!["check", &example("fifo.aag"), "--engine", "ic3", "--record", &queries].with_code(0);
    assert!(std::fs::read(&queries).unwrap().starts_with(b"indubit queries 1\n"));
    let solvers = ["--solver", "rel", "--solver", "cdcl", "--solver", "cadical"];
    let mut words = vec!["replay", queries.to_str().unwrap(), "--csv"];
    words.extend(solvers);
    for switches in
        [&[][..], &["--no-cones", "--no-justify"], &["--no-buckets", "--no-flips", "--no-subsume"]]
    {
        let ran = crate::common::indubit(words.iter().chain(switches)).with_code(0);
        let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(rows.len(), 4, "{}", ran.stdout);
        assert_eq!((rows[0][2], rows[0][5]), ("queries", "differ"));
        for row in &rows[1..] {
            assert_eq!((&row[2..5], row[5]), (&rows[1][2..5], "0"), "{}", ran.stdout);
            assert_ne!(row[2], "0");
        }
    }
    let ran = indubit!["replay", &queries, &queries, "--solver", "rel", "--solver", "cadical"].with_code(0);
    assert!(ran.stdout.contains("times rel (geometric mean"), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_recorded_or_replayed() {
    let scratch = Scratch::new();
    let queries = scratch.path("q");
    let ran = indubit!["check", &example("fifo.aag"), "--engine", "bmc", "--record", &queries].with_code(2);
    assert!(ran.stderr.contains("bmc has no stream of queries"), "{}", ran.stderr);
    let model = example("fifo.aag");
    let ran =
        indubit!["check", &model, "--engine", "ic3", "--threads", "2", "--record", &queries].with_code(2);
    assert!(ran.stderr.contains("of one engine, and not of several"), "{}", ran.stderr);
    assert!(scratch.files().is_empty());
    indubit!["check", &example("fifo.aag"), "--engine", "ic3", "--record", &queries].with_code(0);
    let mut bytes = std::fs::read(&queries).unwrap();
    bytes.pop();
    let short = scratch.write("short", &bytes);
    let ran = indubit!["replay", &short].with_code(2);
    assert!(ran.stderr.contains("the recording was cut off"), "{}", ran.stderr);
    let other = scratch.write("other", "aag 0 0 0 0 0\n");
    let ran = indubit!["replay", &other].with_code(2);
    assert!(ran.stderr.contains("expected the line `indubit queries 1` at byte 0"), "{}", ran.stderr);
    indubit!["replay", &scratch.path("missing")].with_code(2);
}

#[test]
fn another_answer_than_the_recorded_one_is_an_error() {
    let scratch = Scratch::new();
    // A solver, the clause 1, and the assumption 1, which is said to have no model.
    let bytes = [b"indubit queries 1\n".as_slice(), &[1, 4, 0, 1, 4, 5, 0, 1, 4, 0]].concat();
    let ran = indubit!["replay", &scratch.write("wrong", bytes)].with_code(70);
    assert!(ran.stderr.contains("1 answers differ from the recorded ones"), "{}", ran.stderr);
}
