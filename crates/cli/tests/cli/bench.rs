//! `indubit bench` from outside: engines and made-up peers on our own examples.

use crate::common::{Ran, Scratch, command, counter, example};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn bench(arguments: &[&OsStr]) -> Ran {
    let first = [OsStr::new("bench"), OsStr::new("--quiet")];
    crate::common::indubit(first.iter().chain(arguments))
}

/// `bench![..]` with arguments of several types.
macro_rules! bench {
    ($($argument:expr),* $(,)?) => { bench(&[$(OsStr::new($argument)),*]) };
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// A program in `scratch`.
fn script(scratch: &Scratch, name: &str, body: &str) -> PathBuf {
    scratch.write(name, body)
}

/// `NAME=sh SCRIPT {model}`.
fn peer(name: &str, script: &Path) -> String {
    format!("{name}=sh '{}' {{model}}", script.display())
}

#[test]
fn two_engines_on_the_examples_with_all_outputs() {
    let scratch = Scratch::new();
    let [csv, json, html, again] = ["r.csv", "r.json", "r.html", "again.html"].map(|name| scratch.path(name));
    let set = example("models.csv");
    let filter = ["--where", "expected=unsafe", "--only", "fifo", "--only", "microwave", "--timeout", "30"];
    let mut arguments = vec![set.as_os_str(), OsStr::new("--engines"), OsStr::new("ic3,bmc")];
    arguments.extend(filter.map(OsStr::new));
    for (option, path) in [("--csv", &csv), ("--json", &json), ("--html", &html)] {
        arguments.extend([OsStr::new(option), path.as_os_str()]);
    }
    let ran = bench(&arguments).with_code(0);
    assert!(ran.stdout.starts_with("3 instances, 2 configurations, 30 s each\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\nbmc              3       3     0       3       0       0 "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\nagainst ic3 "), "{}", ran.stdout);
    let rows = read(&csv);
    assert_eq!(rows.lines().count(), 7);
    assert!(rows.contains("fifo_bug.aag#overflow,.,unsafe,ic3,unsafe,"), "{rows}");
    let report: serde_json::Value = serde_json::from_str(&read(&json)).unwrap();
    assert_eq!((&report["complete"], &report["configurations"][0]["solved"]), (&true.into(), &3.into()));
    let result = &report["instances"][0]["results"]["ic3"];
    assert!(result["statistics"]["frames"].as_u64().is_some(), "{result}");
    if cfg!(target_os = "linux") {
        assert!(result["memory_mib"].as_f64().unwrap() > 1.0, "{result}");
    }
    let page = read(&html);
    assert!(page.contains("<svg") && page.contains("microwave.aag#heats"));
    // The same page from the file, without running anything.
    let ran = bench!["--from", &csv, "--html", &again, "--title", "models.csv"].with_code(0);
    assert!(ran.stdout.starts_with("3 instances, 2 configurations, 30 s each\n"));
    assert!(read(&again) == page);
    let ran = bench!["--from", &csv, "--cpu-time"].with_code(0);
    assert!(
        ran.stdout.starts_with("3 instances, 2 configurations, 30 s each, processor time\n"),
        "{}",
        ran.stdout
    );
    // A file that has taken hours is not overwritten.
    let ran = bench(&arguments).with_code(2);
    assert!(
        ran.stderr.contains("this file exists already") && ran.stderr.contains("--resume"),
        "{}",
        ran.stderr
    );
    assert_eq!(read(&csv), rows);
}

#[test]
fn resuming_runs_only_what_is_missing() {
    let scratch = Scratch::new();
    let csv = scratch.path("r.csv");
    let [fifo, jugs] = ["fifo.aag", "jugs.aag"].map(example);
    let engines = ["--engines", "ic3", "--csv"];
    let [option, names, to] = engines;
    bench![&fifo, option, names, to, &csv].with_code(0);
    // As if it had been killed in the middle of a line.
    let first = read(&csv);
    std::fs::write(&csv, format!("{first}half a li")).unwrap();
    let ran = bench![&fifo, &jugs, option, names, to, &csv, "--resume"].with_code(0);
    assert!(ran.stdout.starts_with("2 instances, 1 configuration, 60 s each\n"), "{}", ran.stdout);
    let rows = read(&csv);
    assert!(rows.starts_with(&first) && rows.lines().count() == 3, "{rows}");
    // Nothing is missing any more.
    bench![&fifo, &jugs, option, names, to, &csv, "--resume"].with_code(0);
    assert_eq!(read(&csv), rows);
    // Other limits, or another meaning of the name, would be a comparison of unlike things.
    let ran = bench![&fifo, option, names, to, &csv, "--resume", "--timeout", "7"].with_code(2);
    assert!(ran.stderr.contains("for a time limit of 60 s, not 7 s"), "{}", ran.stderr);
    let ran = bench![&fifo, "--config", "ic3=--seed 7", to, &csv, "--resume"].with_code(2);
    assert!(ran.stderr.contains("of the command `indubit check {model} --engine ic3`"), "{}", ran.stderr);
    let ran = bench![&fifo, option, names, to, &example("models.csv"), "--resume"].with_code(2);
    assert!(ran.stderr.contains("the column `instance` is missing"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_peer_that_lies_is_noticed() {
    let scratch = Scratch::new();
    let liar = script(&scratch, "liar.sh", "echo safe\n");
    let [csv, html] = ["r.csv", "r.html"].map(|name| scratch.path(name));
    // Against what is expected.
    let set = scratch.write("set.csv", "path,expected\nm.aag,unsafe\n");
    std::fs::copy(example("fifo_bug.aag"), scratch.path("m.aag")).unwrap();
    let ran =
        bench![&set, "--engines", "ic3", "--peer", &peer("liar", &liar), "--csv", &csv, "--html", &html];
    let ran = ran.with_code(70);
    let shout = "WRONG  m.aag: liar says safe (unsafe was expected)\n";
    assert!(ran.stdout.starts_with(shout), "{}", ran.stdout);
    assert!(ran.stderr.contains(shout), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nliar             1       0 "), "{}", ran.stdout);
    assert!(read(&html).contains("Wrong verdicts on 1 instance"));
    bench!["--from", &csv].with_code(70);
    // Nothing is expected, but they disagree.
    let ran =
        bench![&scratch.path("m.aag"), "--engines", "ic3", "--peer", &peer("liar", &liar)].with_code(70);
    assert!(ran.stdout.contains("m.aag: ic3 says unsafe, liar says safe\n"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn peers_of_all_kinds() {
    let scratch = Scratch::new();
    let model = example("fifo.aag");
    // By texts of its own, by exit codes, with the model in binary, without a verdict, too late, killed, too large.
    let texts = script(&scratch, "texts.sh", "echo 'this one is Proved.'\nexit 3\n");
    let code = script(&scratch, "code.sh", "exit 20\n");
    let binary =
        script(&scratch, "binary.sh", "head -c 4 \"$1\" | grep -q 'aig ' && echo unsat $2 >&2 && exit 20\n");
    let mute = script(&scratch, "mute.sh", "echo 'what is that?'\n");
    let late = script(&scratch, "late.sh", "sleep 60 & sleep 60\necho safe\n");
    let crash = script(&scratch, "crash.sh", "echo ouch >&2\nkill -SEGV $$\n");
    let binary = format!("binary=sh {} {{aig}} {{timeout}}", binary.display());
    let peers = [
        peer("texts", &texts),
        peer("code", &code),
        binary,
        peer("mute", &mute),
        peer("late", &late),
        peer("crash", &crash),
    ];
    let csv = scratch.path("r.csv");
    let mut arguments = vec![model.as_os_str(), OsStr::new("--csv"), csv.as_os_str()];
    arguments.extend(peers.iter().flat_map(|peer| [OsStr::new("--peer"), OsStr::new(peer)]));
    arguments.extend(["--peer-safe", "texts=proved.", "--timeout", "2", "--jobs", "2"].map(OsStr::new));
    let start = Instant::now();
    let ran = bench(&arguments).with_code(0);
    assert!(start.elapsed() < Duration::from_secs(30));
    let rows = read(&csv);
    for (name, result) in [
        ("texts", "safe"),
        ("code", "safe"),
        ("binary", "safe"),
        ("mute", "unknown"),
        ("late", "timeout"),
        ("crash", "crash"),
    ] {
        assert!(rows.contains(&format!(",{name},{result},")), "{name}: {rows}");
    }
    assert!(rows.contains("ended by signal 11: ouch") && rows.contains("what is that?"), "{rows}");
    assert!(ran.stdout.contains("\nfailed  crash crash "), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn a_peer_gets_one_property_if_the_instance_is_one() {
    let scratch = Scratch::new();
    // Says how many bad states the file has.
    let peer = "n=sh -c 'head -n 1 \"$0\" | grep -q \"^aig [0-9]* [0-9]* [0-9]* 0 [0-9]* 1\" && echo unsafe' {model}";
    let set = example("models.csv");
    let ran = bench![&set, "--only", "fifo_bug.aag#corrupted", "--peer", peer].with_code(0);
    assert!(ran.stdout.contains("\nn                1       1 "), "{}", ran.stdout);
    assert_eq!(scratch.files(), [""; 0]);
}

#[test]
fn limits_and_ablations() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(40));
    let arguments = ["--ablate", "bmc", "--switch", "--bound 3", "--switch", "--seed 1", "--timeout", "0.5"];
    let mut all = vec![model.as_os_str()];
    all.extend(arguments.map(OsStr::new));
    let json = scratch.path("r.json");
    all.extend([OsStr::new("--json"), json.as_os_str()]);
    let ran = bench(&all).with_code(0);
    assert!(ran.stdout.contains("\nagainst bmc "), "{}", ran.stdout);
    let report: serde_json::Value = serde_json::from_str(&read(&json)).unwrap();
    let results = &report["instances"][0]["results"];
    assert_eq!(results["bmc"]["result"], "timeout");
    assert!(results["bmc"]["seconds"].as_f64().unwrap() < 6.0);
    assert!(results["bmc"]["statistics"]["no counterexample up to"].as_u64().unwrap() > 3);
    assert_eq!(results["bmc --bound 3"]["result"], "unknown");
    assert_eq!(report["configurations"][2]["command"], "indubit check {model} --engine bmc --seed 1");
}

#[test]
fn failures_of_ours_are_told() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", "no model");
    let ran = bench![&model, "--engines", "ic3"].with_code(0);
    assert!(ran.stdout.contains("\nfailed  ic3 error "), "{}", ran.stdout);
    assert!(ran.stdout.contains("m.aig:1:1"), "{}", ran.stdout);
}

#[test]
fn mistakes_are_refused_before_anything_runs() {
    let scratch = Scratch::new();
    let fifo = example("fifo.aag");
    for (arguments, expected) in [
        (&["--config", "x=--engine magic"][..], "configuration `x`: invalid value 'magic'"),
        (&["--peer", "x=no-such-program {model}"], "there is no program `no-such-program`"),
        (&["--where", "x"], "expected a column"),
        (&["--csv", "no/such/directory.csv"], "the directory does not exist"),
        (&["--resume"], "--csv"),
        (&["--switch=--paranoid"], "--ablate"),
        (&["--from", "r.csv"], "cannot be used with"),
    ] {
        let arguments: Vec<&OsStr> =
            std::iter::once(fifo.as_os_str()).chain(arguments.iter().map(OsStr::new)).collect();
        let ran = bench(&arguments).with_code(2);
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
    let ran = bench![&scratch.path("no.csv")].with_code(2);
    assert!(ran.stderr.contains("no.csv: cannot read this file"), "{}", ran.stderr);
    let empty = scratch.write("empty.csv", "path\n");
    assert!(bench![&empty].with_code(2).stderr.contains("there is no instance"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_is_known_and_leaves_nobody_behind() {
    let scratch = Scratch::new();
    let pid = scratch.path("pid");
    let body = format!("sleep 600 & echo $! > '{0}.new'; mv '{0}.new' '{0}'; wait", pid.display());
    let slow = script(&scratch, "slow.sh", &body);
    let [csv, html, json] = ["r.csv", "r.html", "r.json"].map(|name| scratch.path(name));
    let fifo = example("fifo.aag");
    let peer = peer("slow", &slow);
    let mut child = command([
        OsStr::new("bench"),
        fifo.as_os_str(),
        OsStr::new("--engines"),
        OsStr::new("ic3"),
        OsStr::new("--peer"),
        OsStr::new(&peer),
        OsStr::new("--jobs"),
        OsStr::new("1"),
        OsStr::new("--csv"),
        csv.as_os_str(),
        OsStr::new("--html"),
        html.as_os_str(),
        OsStr::new("--json"),
        json.as_os_str(),
    ])
    .spawn()
    .unwrap();
    let start = Instant::now();
    while !pid.exists() {
        assert!(start.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap()).with_code(30);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(
        ran.stderr.contains("1 of 2, ") && ran.stderr.contains("solved: ic3 1, slow 0"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.ends_with("interrupted: the results are not complete\n"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nic3              1       1 "), "{}", ran.stdout);
    assert_eq!(read(&csv).lines().count(), 2);
    assert!(read(&html).contains("interrupted, not complete"));
    assert!(read(&json).contains("\"complete\": false"));
    // What the peer has started is gone as well, or nobody has asked for its exit code yet.
    if cfg!(target_os = "linux") {
        let path = format!("/proc/{}/stat", read(&pid).trim());
        let start = Instant::now();
        while std::fs::read_to_string(&path).is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(start.elapsed() < Duration::from_secs(60), "still there");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
