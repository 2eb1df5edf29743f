//! `indubit check` from outside: verdicts, exit codes, formats, files.

use crate::common::{MIXED, Scratch, command, example};
use std::io::Read;

/// The examples with what is known about them: path, property, expected verdict, depth.
fn manifest() -> Vec<[String; 4]> {
    let text = std::fs::read_to_string(example("models.csv")).unwrap();
    let row = |line: &str| {
        let fields: Vec<String> = line.split(',').map(Into::into).collect();
        fields.try_into().expect("four fields")
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn every_example_has_its_verdict_under_its_name() {
    let rows = manifest();
    let mut models: Vec<&String> = rows.iter().map(|r| &r[0]).collect();
    models.dedup();
    assert!(models.len() >= 12);
    for model in models {
        let ran = indubit!["check", &example(model), "--format", "json", "--paranoid"];
        let report = ran.json();
        let expected: Vec<&[String; 4]> = rows.iter().filter(|r| r[0] == *model).collect();
        let properties = report["properties"].as_array().unwrap();
        assert_eq!(properties.len(), expected.len(), "{model}");
        for [_, name, verdict, _] in expected {
            let property = properties.iter().find(|p| p["name"] == **name).expect(name);
            assert_eq!(property["verdict"], **verdict, "{model} {name}");
        }
        let has = |v: &str| properties.iter().any(|p| p["verdict"] == v);
        let code = if has("unsafe") || has("fails") { 10 } else { 0 };
        assert_eq!(ran.code, code, "{model}");
        assert_eq!(report["exit_code"], code);
    }
}

#[test]
fn people_see_names_evidence_and_what_was_checked() {
    let model = example("fifo_bug.aag");
    let ran = indubit!["check", &model, "--engine", "ic3"].with_code(10);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.ends_with("fifo_bug.aag: 4 inputs, 16 latches, 145 gates, 3 properties"), "{first}");
    for text in [
        "\nunsafe      overflow (b0)  (ic3, ",
        "\n  overflow (b0) is violated in step ",
        "count[2:0] = 000 (0)",
        "\nsafe        pointers_disagree (b1)  (preprocessing, ",
        "inductive invariant (",
        "\n3 properties: 1 safe, 2 unsafe",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("checked: 1 proof by SAT and 2 traces by simulation against "), "{last}");
    // In a pipe: neither colours nor progress.
    assert!(!ran.stdout.contains('\x1b') && ran.stderr.is_empty(), "{}", ran.stderr);
}

#[test]
fn quiet_and_verbose() {
    let model = example("arbiter_bug.aag");
    let ran = indubit!["check", &model, "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unsafe two_grants\nsafe turn_out_of_range\n");
    // Programs get all that they get otherwise.
    let report = indubit!["check", &model, "--quiet", "--format", "json"].with_code(10).json();
    let evidence = |i: usize| &report["properties"][i]["evidence"];
    assert!(evidence(0)["steps"].is_array() && evidence(1)["invariant"].is_array(), "{report}");
    let ran = indubit!["check", &model, "--verbose"].with_code(10);
    assert!(ran.stdout.contains("  pass coi: inputs ") && ran.stdout.contains("  statistics:\n"));
}

#[test]
fn k_induction_says_k() {
    // With more passes there is nothing left for it to do.
    let ran =
        indubit!["check", &example("stalled_shift.aag"), "--engine", "kind", "--passes", "coi"].with_code(0);
    assert!(ran.stdout.contains("-inductive on paths that repeat no state"), "{}", ran.stdout);
    let model = example("stalled_shift.aag");
    let report = indubit!["check", &model, "--engine", "kind", "--passes", "coi", "--format", "json"].json();
    let evidence = &report["properties"][0]["evidence"];
    assert_eq!((&evidence["kind"], &evidence["simple_path"]), (&"k-inductive".into(), &true.into()));
    assert!(evidence["k"].as_u64().unwrap() > 1);
}

#[test]
fn traces_end_with_the_first_bad_step() {
    let report = indubit!["check", &example("arbiter_bug.aag"), "--property", "0", "--format", "json"].json();
    assert_eq!(report["properties"][0]["length"], 5);
}

#[test]
fn liveness_is_never_silence() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    let ran = indubit!["check", &model].with_code(10);
    assert!(ran.stdout.contains("\nfails       often (j0)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("often (j0) is violated by a run that repeats steps 0-1 for ever"));
    assert!(ran.stdout.contains("3 properties: 1 safe, 1 unsafe, 1 fails"));
    let ran = indubit!["check", &example("starvation.aag")].with_code(0);
    assert!(ran.stdout.contains("\nholds "), "{}", ran.stdout);
    let why = "ic3 does not decide justice properties, but klive, rlive, fair, l2s, lasso, bdd do";
    for name in ["often", "j0", "2"] {
        let quiet = indubit!["check", &model, "--property", name, "--quiet"].with_code(10);
        assert_eq!(quiet.stdout, "fails often\n");
        let ran = indubit!["check", &model, "--engine", "ic3", "--property", name].with_code(30);
        let text = format!("unsupported often (j0)\n  not checked: {why}\n");
        assert!(ran.stdout.contains(&text), "{}", ran.stdout);
        assert!(ran.stdout.ends_with("checked: nothing, for there is no verdict\n"), "{}", ran.stdout);
        let report = indubit!["check", &model, "--engine", "ic3", "--property", name, "--format", "json"]
            .with_code(30);
        let report = report.json();
        let property = &report["properties"][0];
        assert_eq!((&report["verdict"], &property["verdict"]), (&"unknown".into(), &"unsupported".into()));
        let quiet = indubit!["check", &model, "--engine", "ic3", "--property", name, "--quiet"].with_code(30);
        assert_eq!(quiet.stdout, "unknown often\n");
    }
    // The advice is an engine that decides it.
    let ran =
        indubit!["check", &example("starvation.aag"), "--engine", "lasso", "--bound", "3"].with_code(30);
    assert!(ran.stdout.contains("or --engine klive, which can prove (lasso cannot)"), "{}", ran.stdout);
    // An engine for liveness leaves what can be reached to others.
    let ran = indubit!["check", &model, "--engine", "lasso", "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unknown never\nunknown raised\nfails often\n");
}

#[test]
fn properties_by_number_identifier_and_name() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    for name in ["0", "b0", "never"] {
        let ran = indubit!["check", &model, "--property", name, "--quiet"].with_code(0);
        assert_eq!(ran.stdout, "safe never\n");
    }
    let ran = indubit!["check", &model, "--property", "raised", "--property", "0", "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "safe never\nunsafe raised\n");
    let ran = indubit!["check", &model, "--property", "7"].with_code(2);
    assert!(
        ran.stderr
            .starts_with("error: there is no property `7`\nhint: the model has 0: never (b0), 1: raised")
    );
}

#[test]
fn one_file_for_each_of_several_properties() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    let [witness, certificate, vcd] = ["w.wit", "c.aag", "v"].map(|n| scratch.path(n));
    indubit!["check", &model, "--witness", &witness, "--certificate", &certificate, "--vcd", &vcd]
        .with_code(10);
    assert_eq!(scratch.files(), ["c.b0.aag", "m.aag", "v.b1", "v.j0", "w.b1.wit", "w.j0.wit"]);
    assert_eq!(std::fs::read_to_string(scratch.path("w.b1.wit")).unwrap(), "1\nb1\n0\n\n\n.\n");
    assert!(std::fs::read_to_string(scratch.path("v.b1")).unwrap().starts_with("$version Indubit"));
    let text = std::fs::read_to_string(scratch.path("c.b0.aag")).unwrap();
    assert!(text.starts_with("aag ") && text.contains("WITNESS b0 "), "{text}");
    // One property alone: the file itself.
    let ran =
        indubit!["check", &model, "--property", "1", "--witness", &witness, "--format", "json"].with_code(10);
    assert_eq!(ran.json()["properties"][0]["files"]["witness"], witness.to_str().unwrap());
    assert!(scratch.files().contains(&"w.wit".to_string()));
}

#[test]
fn what_check_writes_certify_accepts() {
    let scratch = Scratch::new();
    for model in
        ["fifo_bug.aag", "uninitialised.aag", "reset_function.aag", "microwave.aag", "stalled_shift.aag"]
    {
        for engine in ["ic3", "kind"] {
            let model = example(model);
            let [witness, certificate] = ["w", "c.aig"].map(|n| scratch.path(n));
            let report = indubit![
                "check",
                &model,
                "--witness",
                &witness,
                "--certificate",
                &certificate,
                "--engine",
                engine,
                "--format",
                "json"
            ]
            .json();
            for property in report["properties"].as_array().unwrap() {
                let files = property["files"].as_object().unwrap();
                assert_eq!(files.len(), 1, "{property:#}");
                for file in files.values() {
                    let ran = indubit!["certify", &model, file.as_str().unwrap()].with_code(0);
                    let id = property["id"].as_str().unwrap();
                    assert!(ran.stdout.starts_with("valid: ") && ran.stdout.contains(id), "{}", ran.stdout);
                }
            }
        }
    }
}

#[test]
fn json_has_everything() {
    let model = example("fifo_bug.aag");
    let report =
        indubit!["check", &model, "--engine", "ic3", "--format", "json", "--seed", "3", "--bound", "99"];
    assert!(report.stderr.is_empty());
    let report = report.json();
    assert_eq!((&report["format"], &report["version"]), (&"indubit.check".into(), &1.into()));
    assert_eq!(
        (&report["verdict"], &report["seed"], &report["bound"]),
        (&"unsafe".into(), &3.into(), &99.into())
    );
    let violated = &report["properties"][0];
    assert_eq!(
        (&violated["id"], &violated["name"], &violated["kind"]),
        (&"b0".into(), &"overflow".into(), &"bad".into())
    );
    assert_eq!(violated["length"], 5);
    assert!(violated["evidence"]["witness"].as_str().unwrap().starts_with("1\nb0\n"));
    let safe = &report["properties"][1];
    assert!(!safe["evidence"]["invariant"].as_array().unwrap().is_empty());
    assert!(safe["statistics"]["frames"].is_u64() && safe["passes"][0]["name"] == "coi");
}

#[test]
fn hwmcc_is_one_line() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    assert_eq!(indubit!["check", &model, "--format", "hwmcc"].with_code(10).stdout, "sat\n");
    let ran = indubit!["check", &model, "--format", "hwmcc", "--property", "0"].with_code(0);
    assert_eq!(ran.stdout, "unsat\n");
    let model = example("running_sum.aag");
    let ran =
        indubit!["check", &model, "--format", "hwmcc", "--engine", "bmc", "--bound", "3", "--passes", "coi"];
    let ran = ran.with_code(30);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.ends_with(": unknown (bound reached), no counterexample up to 3\n"), "{}", ran.stderr);
    // A safe property beside a liveness property: not everything is safe.
    let text = MIXED
        .replace("aag 1 0 1 0 0 2", "aag 1 0 1 0 0 1")
        .replace("0\n2\n1\n", "0\n1\n")
        .replace("b1 raised\n", "");
    let model = scratch.write("half.aag", text);
    let certificate = scratch.path("cert");
    assert_eq!(indubit!["check", &model, "--format", "hwmcc"].with_code(10).stdout, "sat\n");
    let ic3 = ["check", "--engine", "ic3", "--format"];
    let ran = indubit![ic3[0], &model, ic3[1], ic3[2], ic3[3], "hwmcc", "--certificate", &certificate];
    let ran = ran.with_code(30);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.starts_with("often (j0): not checked: ic3 does not decide justice"), "{}", ran.stderr);
    // There is no verdict that a certificate could be for.
    assert!(!certificate.exists() && scratch.files().len() == 2);
    let ran = indubit![ic3[0], &model, ic3[1], ic3[2], ic3[3], "sby"].with_code(0);
    assert_eq!(ran.stdout, "2\n");
    assert!(ran.stderr.starts_with("often (j0): not checked"));
}

#[test]
fn the_competition_call_writes_its_files() {
    let scratch = Scratch::new();
    let [witness, certificate] = ["cex", "cert"].map(|n| scratch.path(n));
    let ran = indubit![&example("jugs.aag"), &witness, &certificate].with_code(10);
    assert_eq!(ran.stdout, "sat\n");
    assert_eq!(scratch.files(), ["cex"]);
    indubit!["certify", &example("jugs.aag"), &witness].with_code(0);
    let ran = indubit![&example("peterson.aag"), &witness, &certificate, "--timeout", "1m"].with_code(0);
    assert_eq!(ran.stdout, "unsat\n");
    assert_eq!(scratch.files(), ["cert", "cex"]);
    indubit!["certify", &example("peterson.aag"), &certificate].with_code(0);
    // Several bad signals: the run ends with the first violated one, whose witness needs no name of its own.
    let ran = indubit![&example("fifo_bug.aag"), &witness, &certificate].with_code(10);
    assert_eq!(ran.stdout, "sat\n");
    assert_eq!(scratch.files(), ["cert", "cex"]);
}

#[test]
fn the_competition_gets_one_certificate_for_all_properties() {
    let scratch = Scratch::new();
    let [witness, certificate] = ["cex", "cert"].map(|n| scratch.path(n));
    // A shift register: one property is inductive, the other needs the last two steps.
    let mut shift = indubit::BitSystem::new();
    let input = shift.add_input("i");
    let bits = [(); 3].map(|()| shift.add_latch("", Some(false)));
    let mut before = shift.aig_mut().and(input, !input);
    for bit in bits {
        shift.set_next(bit, before);
        before = bit;
    }
    shift.add_bad("last", bits[2]);
    shift.add_bad("never", indubit::logic::Lit::FALSE);
    let shift = scratch.write("shift.aig", indubit::formats::aiger::write_binary(&shift));
    let model = example("arbiter.aag");
    for (model, engine, n_properties) in [(&model, "ic3", 7), (&shift, "kind", 2)] {
        let ran = indubit![model, &witness, &certificate, "--engine", engine].with_code(0);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("unsat\n", ""));
        assert_eq!(scratch.files(), ["cert", "shift.aig"]);
        let ran = indubit!["certify", model, &certificate, "--format", "json"].with_code(0);
        assert_eq!(ran.json()["properties"].as_array().unwrap().len(), n_properties);
    }
    // One of them alone is named by its certificate.
    let ran =
        indubit!["check", &model, "--property", "1", "--format", "hwmcc", "--certificate", &certificate];
    assert_eq!(ran.with_code(0).stdout, "unsat\n");
    let ran = indubit!["certify", &model, &certificate, "--format", "json"].with_code(0);
    assert_eq!(ran.json()["properties"].as_array().unwrap().len(), 1);
}

#[test]
fn the_competition_is_warned_of_certificates_that_it_cannot_check() {
    let scratch = Scratch::new();
    let [witness, certificate] = ["cex", "cert"].map(|n| scratch.path(n));
    let model = example("stalled_shift.aag");
    let ran = indubit![&model, &witness, &certificate, "--engine", "kind", "--passes", "coi"].with_code(0);
    assert_eq!(ran.stdout, "unsat\n");
    assert!(ran.stderr.starts_with("warning: ") && ran.stderr.contains("on simple paths"), "{}", ran.stderr);
    // Two of them have no common certificate.
    let mut twice = indubit::formats::aiger::read(&model).unwrap();
    let bad = twice.bads[0].clone();
    twice.bads.push(bad);
    let twice = scratch.write("twice.aig", indubit::formats::aiger::write_binary(&twice));
    let ran = indubit![&twice, &witness, &certificate, "--engine", "kind", "--passes", "coi"].with_code(0);
    assert!(ran.stderr.contains("there is one for each property"), "{}", ran.stderr);
    assert_eq!(scratch.files(), ["cert", "cert.b0", "cert.b1", "twice.aig"]);
}

/// A file that the shell has opened for standard output is not ours to replace.
#[cfg(unix)]
#[test]
fn evidence_on_standard_output() {
    let scratch = Scratch::new();
    let model = example("fifo_bug.aag");
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let log = scratch.write("log", "precious\n");
        let appended = std::fs::File::options().append(true).open(&log).unwrap();
        let options = ["--witness", name, "--quiet"].map(std::ffi::OsStr::new);
        let arguments = ["check".as_ref(), model.as_os_str()].into_iter().chain(options);
        let output = command(arguments).stdout(appended).output().unwrap();
        assert_eq!(output.status.code(), Some(10), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&log).unwrap();
        let (before, after) = text.split_once("1\nb0\n").expect(&text);
        assert_eq!(before, "precious\nunsafe overflow\n");
        assert!(after.contains("\nsafe pointers_disagree\n") && after.contains("\n1\nb2\n"), "{after}");
        assert_eq!(scratch.files(), ["log"]);
    }
    // Events as well, and they go through a pipe.
    let ran = indubit!["check", &model, "--events", "-", "--format", "hwmcc"].with_code(10);
    assert!(ran.stdout.starts_with("{\"v\":1") && ran.stdout.contains("\nsat\n"), "{}", ran.stdout);
    let ran = indubit!["convert", &model, "-"].with_code(0);
    assert!(ran.stdout.starts_with("aag "));
}

#[test]
fn sby_reads_the_witness_and_a_zero() {
    let ran = indubit!["check", &example("jugs.aag"), "--format", "sby"].with_code(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines[0], lines[1], *lines.last().unwrap()), ("1", "b0", "."));
    assert_eq!(indubit!["check", &example("peterson.aag"), "--format", "sby"].with_code(0).stdout, "0\n");
    let model = example("peterson.aag");
    let ran = indubit!["check", &model, "--format", "sby", "--engine", "bmc", "--bound", "2"];
    assert_eq!(ran.with_code(0).stdout, "2\n");
    // Bad input is an error even here.
    indubit!["check", "no/such/model.aig", "--format", "sby"].with_code(2);
}

#[test]
fn sby_asks_about_justice_as_it_asks_suprove() {
    // In mode live it says so before the model, and before what the user has it say.
    let ask = |name: &str, engine: &str| {
        indubit!["check", "--format", "sby", "+simple_liveness", "--engine", engine, &example(name)]
    };
    for engine in ["portfolio", "klive"] {
        assert_eq!(ask("arbiter_fair.aag", engine).with_code(0).stdout, "0\n");
    }
    let scratch = Scratch::new();
    let ran = ask("arbiter_starving.aag", "portfolio").with_code(0);
    assert!(ran.stdout.starts_with("1\nj") && ran.stdout.ends_with("\n.\n"), "{}", ran.stdout);
    let lasso = scratch.write("trace.aiw", &ran.stdout);
    indubit!["certify", &example("arbiter_starving.aag"), &lasso].with_code(0);
    // Bad states do not count, and nothing may be proved by having nothing to prove.
    let ran = ask("jugs.aag", "portfolio").with_code(2);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("no justice property"), "{}", ran.stderr);
}

#[test]
fn unknown_says_what_is_known_and_what_to_do() {
    let ran =
        indubit!["check", &example("slow_counter.aag"), "--engine", "bmc", "--bound", "7"].with_code(30);
    assert!(
        ran.stdout.contains("  no counterexample up to 7 steps; the bound was reached\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("next: try a larger --bound, or --engine ic3"));
    assert!(ran.stdout.ends_with("checked: nothing, for there is no verdict\n"));
}

#[test]
fn events_are_json_lines() {
    let scratch = Scratch::new();
    let path = scratch.path("run.jsonl");
    indubit!["check", &example("fifo_bug.aag"), "--events", &path, "--events-level", "steps"].with_code(10);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert!(lines.iter().all(|l| l["v"] == 1 && l["t"].is_f64() && l["event"].is_string()));
    assert!(lines.windows(2).all(|w| w[0]["t"].as_f64() <= w[1]["t"].as_f64()));
    let names: Vec<&str> = lines.iter().map(|l| l["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[1], *names.last().unwrap()), ("start", "model", "end"));
    for name in ["property", "pass", "engine", "bound", "frames", "obligation", "lemma", "count", "checking"]
    {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(names.iter().filter(|&&n| n == "verdict").count(), 3);
    assert_eq!(lines.last().unwrap()["exit_code"], 10);
    let first = lines.iter().find(|l| l["event"] == "property").unwrap();
    assert_eq!(
        (&first["index"], &first["id"], &first["name"]),
        (&0.into(), &"b0".into(), &"overflow".into())
    );
    // The last line is there also after bad input.
    indubit!["check", "no/such/file", "--events", &path].with_code(2);
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("\"event\":\"end\",\"exit_code\":2}\n"));
}

#[test]
fn several_of_one_engine_with_different_seeds() {
    let model = example("fifo_bug.aag");
    let ran =
        indubit!["check", &model, "--engine", "fsis", "--threads", "3", "--passes", "coi"].with_code(10);
    assert!(ran.stdout.contains("overflow (b0)  (fsis, "), "{}", ran.stdout);
    assert!(ran.stdout.contains("3 properties: 1 safe, 2 unsafe"), "{}", ran.stdout);
}

#[test]
fn equal_seeds_give_equal_runs() {
    let model = example("fifo.aag");
    let run = || indubit!["check", &model, "--engine", "ic3", "--seed", "5", "--format", "json"].json();
    let [a, b] = [run(), run()];
    let facts = |r: &serde_json::Value| {
        let properties = r["properties"].as_array().unwrap();
        properties.iter().map(|p| (p["evidence"].clone(), p["statistics"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(facts(&a), facts(&b));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let model = example("fifo_bug.aag");
    let mut child = command(["check".as_ref(), "--verbose".as_ref(), model.as_os_str()]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(10), "{stderr}");
    assert_eq!(stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let model = example("peterson.aag");
    let output = command(["check".as_ref(), model.as_os_str()]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write to standard output"));
    // The verdict is not lost with its file; the exit code says that the file is missing.
    let ran = indubit!["check", &model, "--certificate", "/dev/full"].with_code(2);
    assert!(ran.stderr.starts_with("error: /dev/full: cannot write this file"), "{}", ran.stderr);
    assert!(ran.stdout.contains("\nsafe        both_critical (b0)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  certificate not written to /dev/full\n"), "{}", ran.stdout);
    let ran = indubit!["check", &model, "--certificate", "/dev/full", "--format", "json"].with_code(2);
    let report = ran.json();
    assert_eq!((&report["verdict"], &report["exit_code"]), (&"safe".into(), &2.into()));
    assert_eq!(report["properties"][0]["missing"]["certificate"], "/dev/full");
    // For a competition, a verdict without its certificate is none.
    for model in ["peterson.aag", "jugs.aag", "arbiter.aag"] {
        for format in ["hwmcc", "sby"] {
            let model = example(model);
            let files = ["--witness", "/dev/full", "--certificate", "/dev/full", "--format", format];
            let files = files.map(std::ffi::OsStr::new);
            let arguments = ["check".as_ref(), model.as_os_str()].into_iter().chain(files);
            let ran = crate::common::indubit(arguments).with_code(2);
            assert!(ran.stdout.is_empty() && ran.stderr.starts_with("error: /dev/full"), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_model_from_standard_input() {
    let model = std::fs::File::open(example("arbiter_bug.aag")).unwrap();
    let output = command(["check", "-", "--format", "hwmcc"]).stdin(model).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(10), &b"sat\n"[..]));
}

/// The portfolio tells who is at work, and what it took even if nobody has found anything.
#[test]
fn a_portfolio_without_an_answer() {
    let scratch = Scratch::new();
    let events = scratch.path("events.jsonl");
    let ran = indubit![
        "check",
        &example("fifo.aag"),
        "--property",
        "corrupted",
        "--bound",
        "0",
        "--passes",
        "none",
        "--format",
        "json",
        "--events",
        &events
    ];
    let property = &ran.with_code(30).json()["properties"][0];
    assert_eq!((&property["verdict"], &property["safe_up_to"]), (&"unknown".into(), &0.into()));
    assert!(property["statistics"]["lemmas"].is_u64(), "{property}");
    let events = std::fs::read_to_string(&events).unwrap();
    assert!(events.lines().any(|line| line.contains("\"engine\"") && line.contains("quip")), "{events}");
}
