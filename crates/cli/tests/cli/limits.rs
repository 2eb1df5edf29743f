//! Limits and signals: the run ends, with what is known, and leaves nothing half-written.

use crate::common::{Ran, Scratch, command, counter};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// More than any machine should need; what is tested is that the run ends because of the limit at all.
const GENEROUS: Duration = Duration::from_secs(20);

#[track_caller]
fn bound(stdout: &str) -> u32 {
    let (_, rest) = stdout.split_once("no counterexample up to ").expect("a bound");
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_time_limit() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(40));
    for (engine, timeout) in [("bmc", "0.5"), ("kind", "500ms"), ("ic3", "0.01m")] {
        let start = Instant::now();
        let ran = indubit!["check", &model, "--engine", engine, "--timeout", timeout].with_code(30);
        assert!(start.elapsed() < GENEROUS);
        assert!(ran.stdout.contains("; stopped by the time limit\n"), "{}", ran.stdout);
        assert!(bound(&ran.stdout) > 3, "{}", ran.stdout);
    }
    // In time for nothing at all.
    let ran = indubit!["check", &model, "--timeout", "0", "--format", "json"].with_code(30);
    assert_eq!(ran.json()["properties"][0]["stop"], "time");
}

#[test]
fn many_unknown_properties_are_not_told_one_by_one() {
    let scratch = Scratch::new();
    let mut model = indubit::formats::aiger::parse(&counter(60)).unwrap();
    model.bads = vec![model.bads[0].clone(); 30];
    let model = scratch.write("m.aig", indubit::formats::aiger::write_binary(&model));
    let ran = indubit!["check", &model, "--engine", "bmc", "--timeout", "0.5"].with_code(30);
    let n_blocks = ran.stdout.matches("next: try").count();
    assert_eq!(n_blocks, 1, "{}", ran.stdout);
    let rest = |line: &str| {
        let more = line.strip_suffix(" more, for the same reason (the table at the end lists them)")?;
        more.strip_prefix("unknown     ")?.parse::<usize>().ok()
    };
    let n_left_out: usize = ran.stdout.lines().filter_map(rest).sum();
    assert_eq!(n_blocks + n_left_out, 30, "{}", ran.stdout);
    assert!(ran.stdout.contains("\n30 properties: 30 unknown"), "{}", ran.stdout);
    let ran = indubit!["check", &model, "--engine", "bmc", "--timeout", "0.5", "--quiet"].with_code(30);
    assert_eq!(ran.stdout.lines().count(), 30);
}

#[test]
fn the_memory_limit() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(60));
    let ran =
        indubit!["check", &model, "--engine", "bmc", "--memory", "24", "--format", "json"].with_code(30);
    let property = &ran.json()["properties"][0];
    assert_eq!((&property["verdict"], &property["stop"]), (&"unknown".into(), &"memory".into()));
    assert!(property["safe_up_to"].as_u64().unwrap() > 3);
}

fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").arg(name).arg(pid.to_string()).status().unwrap().success());
}

/// Start a long run, send a signal once it is under way.
fn interrupted(name: &str, model: &Path) -> Ran {
    let arguments = ["check".as_ref(), model.as_os_str(), "--engine".as_ref(), "bmc".as_ref()];
    let mut child = command(arguments).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    // The model has been read; let it find out something.
    std::thread::sleep(Duration::from_millis(400));
    signal(name, child.id());
    let start = Instant::now();
    std::io::Read::read_to_string(&mut stdout, &mut first).unwrap();
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < GENEROUS);
    ran.stdout = first;
    ran
}

#[test]
fn signals_end_a_run_with_its_bound() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(40));
    for name in ["-TERM", "-INT"] {
        let ran = interrupted(name, &model).with_code(30);
        assert!(ran.stdout.contains("; interrupted\n") && bound(&ran.stdout) > 3, "{}", ran.stdout);
        assert_eq!(ran.stderr, "");
    }
}

/// A pipe that nobody writes or reads: the main thread hangs in it, and the watchdog must report in its place.
fn pipe(scratch: &Scratch, name: &str) -> std::path::PathBuf {
    let path = scratch.path(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

#[test]
fn a_model_that_never_comes_ends_with_the_limit() {
    let scratch = Scratch::new();
    let model = pipe(&scratch, "m.aig");
    let events = scratch.path("events");
    let ran =
        indubit!["check", &model, "--timeout", "0.2", "--format", "json", "--events", &events].with_code(30);
    assert_eq!((&ran.json()["verdict"], &ran.json()["model"]), (&"unknown".into(), &serde_json::Value::Null));
    assert!(ran.stderr.contains("still being read (time limit)"));
    assert!(std::fs::read_to_string(&events).unwrap().ends_with("\"exit_code\":30}\n"));
    indubit!["certify", &model, &model, "--timeout", "0.2"].with_code(30);
}

#[test]
fn a_run_that_does_not_listen_is_reported_by_the_watchdog() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", crate::common::MIXED);
    // The certificate of the first property is written, the witness of the second one hangs: its verdict does not
    // get lost, but the exit code says that a file is missing.
    let witness = pipe(&scratch, "w.b1");
    let certificate = scratch.path("c.aig");
    let base = witness.with_extension("");
    let ran = indubit![
        "check",
        &model,
        "--engine",
        "ic3",
        "--witness",
        &base,
        "--certificate",
        &certificate,
        "--timeout",
        "0.5"
    ];
    let ran = ran.with_code(2);
    for text in [
        "\nsafe        never (b0)",
        "\nunsafe      raised (b1)",
        "\n  witness not written to ",
        "\nunsupported often (j0)",
        "\nchecked: 1 proof by SAT and 1 trace by simulation against ",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    assert!(
        ran.stderr.starts_with("error: ")
            && ran.stderr.contains("w.b1: cannot write this file: not done in time")
    );
    assert_eq!(scratch.files(), ["c.b0.aig", "m.aag", "w.b1"]);
    let ran = indubit!["check", &model, "--witness", &base, "--timeout", "0.5", "--format", "sby"];
    // Here the witness has no name of its own, and does not hang.
    assert!(ran.with_code(0).stdout.starts_with("1\nb1\n"));
}

#[test]
fn events_that_nobody_reads_end_with_the_limit() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", crate::common::MIXED);
    let events = pipe(&scratch, "events");
    let ran = indubit!["check", &model, "--events", &events, "--timeout", "0.2"].with_code(30);
    assert!(ran.stderr.contains("nobody read the events"), "{}", ran.stderr);
}

/// The limit, the grace of the run, the grace of the report, and time for a busy machine.
const SOON: Duration = Duration::from_secs(5);

#[test]
fn a_run_ends_soon_after_its_limit_and_leaves_no_file() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(60));
    let [w, c, v] = ["w", "c", "v"].map(|n| scratch.path(n));
    for engine in ["bmc", "kind", "ic3"] {
        let start = Instant::now();
        let options = ["--timeout", "1", "--engine", engine].map(std::ffi::OsStr::new);
        let files = [&w, &c, &v].map(|p| p.as_os_str());
        let [w, c, v] = files;
        let arguments =
            ["check".as_ref(), model.as_os_str(), "--witness".as_ref(), w, "--certificate".as_ref(), c];
        let arguments = arguments.into_iter().chain(["--vcd".as_ref(), v]).chain(options);
        crate::common::indubit(arguments).with_code(30);
        assert!(start.elapsed() < SOON, "{engine}: {:?}", start.elapsed());
        assert_eq!(scratch.files(), ["m.aig"]);
    }
}

#[test]
fn nobody_reads_what_is_printed() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", crate::common::many(5000));
    let arguments = ["check".as_ref(), model.as_os_str(), "--timeout".as_ref(), "1".as_ref()];
    for by_signal in [false, true] {
        let mut child = command(&arguments[..if by_signal { 2 } else { 4 }]).spawn().unwrap();
        // The pipe fills up, and the run waits for its reader.
        std::thread::sleep(Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none());
        let start = Instant::now();
        if by_signal {
            signal("-INT", child.id());
        }
        let code = child.wait().unwrap().code();
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert_eq!(code, Some(30));
    }
}

#[test]
fn an_interrupted_conversion_leaves_the_old_file_or_the_new_one() {
    let scratch = Scratch::new();
    let mut model = indubit::BitSystem::new();
    let mut last = model.add_input("");
    for _ in 0..300_000 {
        let other = model.add_input("");
        last = model.aig_mut().and(last, other);
    }
    model.add_bad("", last);
    let model = scratch.write("m.aig", indubit::formats::aiger::write_binary(&model));
    let out = scratch.write("out.aag", "old");
    for delay in [0, 10, 20, 40, 60, 80] {
        let arguments = ["convert".as_ref(), model.as_os_str(), out.as_os_str()];
        let mut child = command(arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        signal("-TERM", child.id());
        child.wait().unwrap();
        assert_eq!(scratch.files(), ["m.aig", "out.aag"]);
        let text = std::fs::read(&out).unwrap();
        assert!(text == b"old" || indubit::formats::aiger::parse(&text).is_ok());
    }
    // One that never gets its model ends as well.
    let never = pipe(&scratch, "never.aig");
    let mut child = command(["convert".as_ref(), never.as_os_str(), out.as_os_str()]).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    signal("-INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(30));
}

#[test]
fn limits_hold_for_certify() {
    let scratch = Scratch::new();
    let model = crate::common::example("peterson.aag");
    let certificate = scratch.path("c.aig");
    indubit!["check", &model, "--certificate", &certificate].with_code(0);
    let ran = indubit!["certify", &model, &certificate, "--timeout", "1m", "--memory", "1G"].with_code(0);
    assert!(ran.stdout.starts_with("valid: both_critical (b0) is safe\nchecked: witness circuit"));
}
