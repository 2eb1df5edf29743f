//! What programs rely on: the schema of the JSON report, levels of events, warnings, shells.

use crate::common::{MIXED, Ran, Scratch, counter, example};
use serde_json::{Value, json};

/// A validator for what our schema uses of JSON Schema; what it does not know is an error.
fn validate(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    let members = value.as_object();
    for (keyword, rule) in schema.as_object().ok_or("a schema is an object")? {
        let is_good = match (keyword.as_str(), rule) {
            ("$schema" | "$id" | "$defs" | "title" | "description", _) => true,
            ("$ref", Value::String(path)) => {
                let target = root.pointer(path.trim_start_matches('#')).ok_or("a broken reference")?;
                validate(root, target, value, place)?;
                true
            }
            ("type", Value::String(kind)) => is(kind),
            ("type", Value::Array(kinds)) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
            ("const", rule) => rule == value,
            ("enum", Value::Array(values)) => values.contains(value),
            ("anyOf", Value::Array(schemas)) => {
                schemas.iter().any(|s| validate(root, s, value, place).is_ok())
            }
            ("required", Value::Array(names)) => {
                members.is_none_or(|m| names.iter().all(|name| m.contains_key(name.as_str().unwrap())))
            }
            ("properties", Value::Object(schemas)) => {
                for (name, member) in members.into_iter().flatten() {
                    if let Some(schema) = schemas.get(name) {
                        validate(root, schema, member, &format!("{place}.{name}"))?;
                    }
                }
                true
            }
            ("additionalProperties", rule) => {
                let known = schema["properties"].as_object();
                for (name, member) in members.into_iter().flatten() {
                    match rule {
                        _ if known.is_some_and(|known| known.contains_key(name)) => (),
                        Value::Bool(false) => return Err(format!("{place}: {name} is not in the schema")),
                        rule => validate(root, rule, member, &format!("{place}.{name}"))?,
                    }
                }
                true
            }
            ("items", rule) => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{place}[{i}]"))?;
                }
                true
            }
            _ => return Err(format!("{place}: the keyword {keyword} is not known")),
        };
        if !is_good {
            return Err(format!("{place}: {value} is not {keyword} {rule}"));
        }
    }
    Ok(())
}

#[test]
fn reports_obey_their_schema() {
    let path = example("../docs/check.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let scratch = Scratch::new();
    let mixed = scratch.write("m.aag", MIXED);
    let certificate = scratch.path("c.aig");
    let hard = scratch.write("hard.aig", counter(60));
    let json = ["--format", "json"].map(std::ffi::OsStr::new);
    let [f, j] = json;
    let runs: Vec<Ran> = vec![
        indubit!["check", &example("fifo_bug.aag"), f, j],
        indubit!["check", &mixed, "--certificate", &certificate, f, j],
        indubit!["check", &hard, "--timeout", "0.3", f, j],
        indubit!["check", &example("program1.aag"), "--engine", "induction", f, j],
        indubit!["check", &example("stalled_shift.aag"), "--engine", "kind", "--passes", "coi", f, j],
        indubit!["check", &example("fifo.aag"), "--cover", "count = 4", "--cover", "count = 5", f, j],
        indubit!["check", &example("buffer_overflow.vmt"), f, j],
        indubit!["check", &example("counter.smt2"), f, j],
        indubit!["check", &example("arbiter_starving.aag"), f, j],
        indubit!["check", &example("arbiter_fair.aag"), "--ctl", "AG EF owner[0] & AF waits[0]", f, j],
        indubit!["check", &example("arbiter_fair.aag"), "--ctl", "EF AX waits[0] | AG owner[0]", f, j],
        indubit![
            "check",
            &example("smv/mutex.smv"),
            "--ctl",
            "AG (a.place = idle -> EF a.place != idle)",
            f,
            j
        ],
        indubit!["prove", &example("program2.vmt"), "--lemmas", &example("program2.lemmas"), f, j],
    ];
    for ran in runs {
        let report = ran.json();
        assert_eq!(validate(&schema, &schema, &report, "$"), Ok(()), "{}", report["path"]);
        // It is strict enough to notice.
        let mut wrong = report.clone();
        wrong["properties"][0]["verdict"] = json!("perhaps");
        assert!(validate(&schema, &schema, &wrong, "$").is_err());
        let mut wrong = report.clone();
        wrong["properties"][0].as_object_mut().unwrap().remove("claim");
        assert!(validate(&schema, &schema, &wrong, "$").is_err());
        let mut wrong = report;
        wrong["more"] = json!(1);
        assert!(validate(&schema, &schema, &wrong, "$").is_err());
    }
}

#[test]
fn levels_of_events() {
    let scratch = Scratch::new();
    let path = scratch.path("e");
    let names = |level: Option<&str>| {
        let level: Vec<&str> = level.map_or(vec![], |level| vec!["--events-level", level]);
        let model = example("fifo_bug.aag");
        let words = ["check".as_ref(), model.as_os_str(), "--events".as_ref(), path.as_os_str()];
        let words = words.into_iter().chain(level.iter().map(std::ffi::OsStr::new));
        crate::common::indubit(words).with_code(10);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        for (before, line) in lines.iter().zip(&lines[1..]) {
            if before["event"] == "count" {
                let same = |key: &str| line[key] == before["property"];
                assert!(
                    line["event"] == "count" && same("property")
                        || line["event"] == "verdict" && same("index")
                );
            }
            if matches!(line["event"].as_str(), Some("bound" | "frames" | "engine")) {
                assert!(line["property"].is_u64() && line.get("member").is_some(), "{line}");
            }
        }
        lines.iter().map(|l| l["event"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(names(Some("verdicts")), ["start", "model", "verdict", "verdict", "verdict", "end"]);
    let steps =
        |names: &[String]| names.iter().filter(|n| ["obligation", "lemma"].contains(&n.as_str())).count();
    for level in [None, Some("progress")] {
        let names = names(level);
        assert!(names.iter().any(|n| n == "frames") && steps(&names) == 0, "{names:?}");
    }
    assert!(steps(&names(Some("steps"))) > 0);
    indubit!["check", &example("fifo.aag"), "--events-level", "steps"].with_code(2);
}

/// Three properties share the time: the easy ones are decided, and told in the order of the model.
#[test]
fn a_hard_circuit_does_not_keep_others_waiting() {
    let scratch = Scratch::new();
    let mut model = indubit::formats::aiger::parse(&counter(60)).unwrap();
    model.add_bad("never", indubit::logic::Lit::FALSE);
    let latch = model.add_latch("late", Some(false));
    model.set_next(latch, indubit::logic::Lit::TRUE);
    model.add_bad("soon", latch);
    let model = scratch.write("m.aig", indubit::formats::aiger::write_binary(&model));
    for engine in ["portfolio", "ic3", "bmc"] {
        let ran = indubit!["check", &model, "--engine", engine, "--timeout", "3", "--quiet"].with_code(10);
        assert_eq!(ran.stdout, "unknown full\nsafe never\nunsafe soon\n", "{engine}");
    }
}

#[test]
fn warnings_of_vacuity() {
    let scratch = Scratch::new();
    // The latch rises in step 1, and the constraint says that it never does.
    let ends = scratch.write("m.aag", "aag 1 0 1 0 0 1 1\n2 1\n0\n3\n");
    let ran = indubit!["check", &ends, "--format", "json"].with_code(0);
    let warning = "no run goes on after step 0: the constraints, or the steps that there are, allow none";
    assert!(ran.stderr.starts_with("warning: ") && ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(ran.json()["warnings"][0].as_str().unwrap().contains(warning));
    let sums = std::fs::read_to_string(example("sums.vmt")).unwrap();
    let free = scratch
        .write("f.vmt", sums.replace("(and (= x.next (+ x 1)) (= y.next (+ y x)))", "(= x.next (+ x 1))"));
    let ran = indubit!["check", &free, "--timeout", "20"].with_code(10);
    assert!(
        ran.stderr.contains("no step says what the next value of `y` is: it can be anything"),
        "{}",
        ran.stderr
    );
    let misspelt = scratch.write("t.vmt", sums.replace(":trans true", ":tras true"));
    let ran = indubit!["check", &misspelt].with_code(2);
    assert!(ran.stderr.contains("found `:tras`, expected an annotation of VMT"), "{}", ran.stderr);
    let clauses = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n(check-sat)\n";
    let ran = indubit!["check", &scratch.write("q.smt2", clauses)].with_code(0);
    assert!(ran.stderr.contains("there is no query, a clause whose head is false"), "{}", ran.stderr);
}

/// The formulas of a JSON report are lemmas.
#[test]
fn invariants_of_reports_are_read_back() {
    let scratch = Scratch::new();
    for model in ["peterson.aag", "fifo.aag", "bakery.vmt"] {
        let model = example(model);
        let report = indubit!["check", &model, "--format", "json"].with_code(0).json();
        for property in report["properties"].as_array().unwrap() {
            let formulas = property["evidence"]["invariant"].as_array().unwrap();
            let lines: Vec<&str> = formulas.iter().map(|f| f.as_str().unwrap()).collect();
            let lemmas = scratch.write("l", lines.join("\n"));
            let id = property["id"].as_str().unwrap();
            let ran =
                indubit!["prove", &model, "--lemmas", &lemmas, "--property", id, "--quiet"].with_code(0);
            assert_eq!(ran.stdout, format!("safe {}\n", property["name"].as_str().unwrap()));
        }
    }
}

#[test]
fn steps_of_reports_have_names_and_values() {
    let report = indubit!["check", &example("buffer_overflow.vmt"), "--property", "0", "--format", "json"]
        .with_code(10)
        .json();
    let steps = report["properties"][0]["evidence"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[0]["states"][0], json!({"name": "capacity", "value": "1"}));
    assert_eq!(steps[0]["inputs"][0], json!({"name": "put", "value": "true"}));
    assert_eq!(steps[2]["states"][1], json!({"name": "items", "value": "2"}));
}

#[test]
fn reports_say_where_loops_begin_and_what_comes_to_rest() {
    let report = |model: &str, code| {
        let report = indubit!["check", &example(model), "--format", "json"].with_code(code).json();
        report["properties"].as_array().unwrap().clone()
    };
    let properties = report("arbiter_starving.aag", 10);
    for lasso in properties.iter().filter(|p| p["verdict"] == "fails") {
        let steps = lasso["evidence"]["steps"].as_array().unwrap().len() as u64;
        // The step that closes the loop counts.
        assert_eq!(lasso["length"], steps);
        assert!(lasso["evidence"]["loop"].as_u64().unwrap() < steps);
    }
    let holds = properties.iter().find(|p| p["verdict"] == "holds").unwrap();
    assert!(!holds["evidence"]["ranks"].as_array().unwrap().is_empty());
    let ranks = &report("saturation.aag", 0)[0]["evidence"]["ranks"];
    assert_eq!((&ranks[0], &ranks[15]), (&json!("count[15]"), &json!("count[0]")));
    assert_eq!(report("fifo_bug.aag", 10)[0]["evidence"].get("loop"), Some(&Value::Null));
}

#[test]
fn shells_manuals_and_typing_errors() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(indubit!["completions", shell].with_code(0).stdout.contains("events-level"), "{shell}");
    }
    indubit!["completions", "tcl"].with_code(2);
    indubit!["man", &scratch.path("")].with_code(0);
    let files = scratch.files();
    for page in ["indubit.1", "indubit-check.1", "indubit-prove.1"] {
        assert!(files.iter().any(|f| f == page), "{page}: {files:?}");
    }
    assert!(std::fs::read_to_string(scratch.path("indubit-check.1")).unwrap().contains("cover"));
    let ran = indubit!["chek"].with_code(2);
    assert_eq!(
        ran.stderr,
        "error: `chek` is neither a command nor a file\nhint: did you mean `indubit check`?\n"
    );
}
