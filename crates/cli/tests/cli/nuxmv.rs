//! The commands of NuSMV and nuXmv, and temporal logic, from outside.

use crate::common::{Ran, Scratch, command, example};
use std::path::{Path, PathBuf};

fn smv(name: &str) -> PathBuf {
    example("smv").join(name)
}

/// What a script says about a model.
fn script(text: &str, model: &Path) -> Ran {
    let scratch = Scratch::new();
    indubit!["nuxmv", "-source", &scratch.write("script", text), model]
}

const TOY: &str = "MODULE main
IVAR go : boolean;
VAR x : 0..3; s : {idle, busy}; p : sub(s = busy);
FROZENVAR f : boolean;
DEFINE big := x > 1;
ASSIGN
  init(x) := 0; next(x) := go ? (x + 1) mod 4 : x;
  init(s) := idle; next(s) := {idle, busy};
INVARSPEC NAME bound := x <= 3;
INVARSPEC x < 3;
LTLSPEC NAME live := G F x = 0;
LTLSPEC G (x = 0 -> (s = idle | !big) U x = 1 | G x = 0)
CTLSPEC AG EF x = 0;
COMPUTE MIN [x = 0, x = 3];
MODULE sub(q)
VAR z : boolean;
ASSIGN init(z) := FALSE; next(z) := q;
INVARSPEC z -> z;
";

#[test]
fn the_lines_of_lectures_run_as_printed() {
    let text = "go_msat\ncheck_invar_ic3\ncheck_ltlspec_ic3; show_property\n";
    for program in ["program1.smv", "program2.smv"] {
        let ran = script(text, &smv(program)).with_code(0);
        let verdicts = "-- invariant y >= 1  is true\n-- specification  G y >= 1  is true\n";
        assert!(ran.stdout.starts_with(verdicts), "{}", ran.stdout);
        let listed = "001 :y >= 1 \n  [Invar          True           N/A    y_positive]\n";
        assert!(ran.stdout.contains(listed), "{}", ran.stdout);
    }
}

/// Numbers, texts and the order of properties are NuSMV's.
#[test]
fn properties_are_listed_as_nusmv_does() {
    let scratch = Scratch::new();
    let model = scratch.write("toy.smv", TOY);
    let ran = script("show_property", &model).with_code(0);
    assert_eq!(
        ran.stdout.lines().skip(2).collect::<Vec<_>>(),
        [
            "000 :AG (EF x = 0) ",
            "  [CTL            Unchecked      N/A    N/A]",
            "001 :MIN [ x = 0 , x = 3 ]  ",
            "  [Quantitative   Unchecked      N/A    N/A]",
            "002 : G ( F x = 0) ",
            "  [LTL            Unchecked      N/A    live]",
            "003 : G (x = 0 -> (((s = idle | !big) U x = 1) |  G x = 0)) ",
            "  [LTL            Unchecked      N/A    N/A]",
            "004 :(z -> z) IN p",
            "  [Invar          Unchecked      N/A    N/A]",
            "005 :x <= 3 ",
            "  [Invar          Unchecked      N/A    bound]",
            "006 :x < 3 ",
            "  [Invar          Unchecked      N/A    N/A]",
        ]
    );
    let text = "check_invar; check_ltlspec -n 3; add_property -l -p \"F z IN p\" -n rises; show_property -t; show_property -f -i\nshow_property -P rises; show_property -s; show_property -F xml -n 5\n";
    let ran = indubit!["nuxmv", "-dcx", "-source", &scratch.write("s", text), &model].with_code(0);
    for line in [
        "-- invariant (z -> z) IN p is true\n",
        "-- invariant x <= 3  is true\n",
        "-- invariant x < 3  is false\n",
        "-- specification  G (x = 0 -> (((s = idle | !big) U x = 1) |  G x = 0))  is true\n",
        "006 :x < 3 \n  [Invar          False          N/A    N/A]\n",
        "007 : F z IN p\n  [LTL            Unchecked      N/A    rises]\n",
        "Current number of stored properties: 8\n",
        "    <name>bound</name>\n    <index>5</index>\n",
        "    <status>TRUE</status>\n",
    ] {
        assert!(ran.stdout.contains(line), "{line:?} is missing:\n{}", ran.stdout);
    }
    let text = "check_invar -n 2\ncheck_ltlspec -P liev\ncheck_invar -n 99\ncheck_property -n 1\ncheck_ctlspec\nadd_property -p TRUE\n";
    let ran = script(text, &model).with_code(2);
    for line in [
        "check_invar: property 2 is of kind LTL, not Invar\n",
        "check_ltlspec: there is no property `liev` (did you mean live?)\n",
        "check_invar: there is no property 99: they are numbered from 0 to 6\n",
        "check_property: MIN [ x = 0 , x = 3 ]: numbers of steps (COMPUTE) are not computed\n",
        "add_property: of which kind is it? -l LTL, -i invariant, or -c CTL\n",
    ] {
        assert!(ran.stderr.contains(line), "{line:?} is missing:\n{}", ran.stderr);
    }
    assert_eq!(ran.stdout, "-- specification AG (EF x = 0)  is true\n");
    let text = "check_ctlspec -p \"AG (x = 1 -> AX x = 1)\"; check_ctlspec -p \"EF AG x = 1\"; check_property -c\nshow_traces 1\n";
    let ran = script(text, &model).with_code(0);
    for line in [
        "-- specification AG (x = 1 -> AX x = 1)  is false\n-- as demonstrated by the following execution sequence\n",
        "Trace Description: CTL Counterexample \n",
        "-- specification EF (AG x = 1)  is false\n",
        "-- specification AG (EF x = 0)  is true\n",
    ] {
        assert!(ran.stdout.contains(line), "{line:?} is missing:\n{}", ran.stdout);
    }
}

#[test]
fn traces_tell_what_changes() {
    let ran = indubit!["nuxmv", &smv("counter.smv")].with_code(0);
    assert!(ran.stdout.contains("-- invariant count != 9  is false\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(".10 <-\n    count = 9\n    last = 8\n"), "{}", ran.stdout);
    let ran = indubit!["nuxmv", "-dcx", &smv("counter.smv")].with_code(0);
    assert!(ran.stdout.contains("is false\n") && !ran.stdout.contains("State"), "{}", ran.stdout);
    let ran =
        script("check_ltlspec -p \"G F count = 9\" ; show_traces\nsimulate -k 2 -v\n", &smv("counter.smv"))
            .with_code(0);
    assert!(ran.stdout.contains("-- specification  G ( F count = 9)  is false\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  -- Loop starts here\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Trace Type: Simulation"), "{}", ran.stdout);
}

#[test]
fn traces_in_many_ways() {
    let scratch = Scratch::new();
    let model = scratch.write("toy.smv", TOY);
    let file = scratch.path("trace.xml");
    let text = format!(
        "check_invar -n 6\nshow_traces -t\nshow_traces 1.2:3\nshow_traces -p 4 -o \"{}\"\nshow_traces -p 2 1\nshow_traces -d -v 1.1:1\nshow_plugins\nset default_trace_plugin 1\ncheck_invar -n 6\n",
        file.display()
    );
    let ran = script(&text, &model).with_code(0);
    for part in [
        "Trace Description: AG alpha Counterexample \nTrace Type: Counterexample \n  -> State: 1.1 <-\n    f = FALSE\n    x = 0\n    s = idle\n    p.z = FALSE\n    big = FALSE\n  -> Input: 1.2 <-\n    go = TRUE\n  -> State: 1.2 <-\n    x = 1\n",
        "There are 1 traces currently available.\n",
        "  -> Input: 1.2 <-\n    go = TRUE\n  -> State: 1.2 <-\n    f = FALSE\n",
        "Name\tf\tx\ts\tp.z\tbig\tgo\t\nS1\tFALSE\t0\tidle\tFALSE\tFALSE\t-\t\nI2\t-\t-\t-\t-\t-\tTRUE\t\n",
        "  -> State: 1.1 <-\n    f = FALSE\n    x = 0\n    s = idle\n    p.z = FALSE\n[D]  0\t BASIC",
        "  -> State: 2.2 <-\n    f = FALSE\n    x = 1\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing:\n{}", ran.stdout);
    }
    let xml = std::fs::read_to_string(file).unwrap();
    assert!(
        xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<counter-example type=\"0\" id=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains("\t\t\t<value variable=\"p.z\">FALSE</value>\n") && xml.contains("<input id=\"2\">"),
        "{xml}"
    );
    let ran = script(
        "show_traces\ncheck_invar -n 6\nshow_traces 7\nshow_traces 1.9:9\nshow_traces x\nshow_traces -p 5\n",
        &model,
    )
    .with_code(2);
    for line in [
        "there are no traces",
        "there is no trace 7",
        "trace 1 has the states 1.1 to 1.4",
        "which trace?",
        "no way 5",
    ] {
        assert!(ran.stderr.contains(line), "{line:?} is missing:\n{}", ran.stderr);
    }
}

#[test]
fn simulation_by_chance_and_by_choice() {
    let scratch = Scratch::new();
    let model = scratch.write("toy.smv", TOY);
    let text = "pick_state -c \"f\" -v\nsimulate -t \"next(x) = (x + 1) mod 4\" -k 3\nprint_current_state -v\nsimulate -c \"x = 1\" -k 1\ngoto_state 1.2\npick_state -s 1.3\nsimulate -r -p -k 1\nshow_traces -t\n";
    let ran = script(text, &model).with_code(0);
    for part in [
        "  -> State: 1.1 <-\n    f = TRUE\n    x = 0\n    s = idle\n    p.z = FALSE\n    big = FALSE\n",
        "********  Simulation Starting From State 1.1   ********\n",
        "Current state is 1.4\nf = TRUE\nx = 3\n",
        "No future state exists: trace not built.\nSimulation stopped at step 1.\n",
        "The current state for new trace is:\n-> State 2.2 <-\n    f = TRUE\n    x = 1\n",
        "********  Simulation Starting From State 3.3   ********\n",
        "There are 3 traces currently available.\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing:\n{}", ran.stdout);
    }
    let lines = "pick_state -i\n7\n1\nsimulate -i -k 1\n0\nprint_current_state\n";
    let lines = std::fs::File::open(scratch.write("lines", lines)).unwrap();
    let arguments = ["nuxmv".as_ref(), "-int".as_ref(), model.as_os_str()];
    let ran = Ran::from(command(arguments).stdin(lines).output().unwrap()).with_code(0);
    for part in [
        "\n***************  AVAILABLE STATES  *************\n  \n  ================= State =================\n  0) -------------------------\n  f = ",
        "\nChoose a state from the above (0-1): A number from 0 to 1 is wanted",
        "\nChosen state is: 1\n",
        "    This state is reachable through:\n    0) -------------------------\n    go = ",
        "Choose a state from the above (0-3): \nChosen state is: 0\nCurrent state is 1.2\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing:\n{}", ran.stdout);
    }
    let text = "pick_state -c \"x = 3\"\npick_state -c \"y\"\nprint_current_state\ngoto_state 4.1\nsimulate -c \"go\"\npick_state -i\n";
    let ran = script(text, &model).with_code(2);
    for line in [
        "pick_state: the set of initial states is empty",
        "found `y`, which is not declared",
        "there is no current state",
        "there is no state 4.1",
        "found the input `go` in `a condition on states`",
        "pick_state: nobody has chosen",
    ] {
        assert!(ran.stderr.contains(line), "{line:?} is missing:\n{}", ran.stderr);
    }
}

#[test]
fn states_are_counted() {
    let scratch = Scratch::new();
    let model = scratch.write("toy.smv", TOY);
    let ran = script("print_reachable_states; check_fsm; print_fsm_stats", &model).with_code(0);
    // Four values of x and two of each of s, z and f; x needs three steps.
    let line = "system diameter: 4\nreachable states: 32 (2^5) out of 32 (2^5)\n";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("The transition relation is total: No deadlock state exists\n"),
        "{}",
        ran.stdout
    );
    let text = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0;\nTRANS x != 2 & next(x) = (x + 1) mod 4\n";
    let stuck = scratch.write("stuck.smv", text);
    let ran = indubit!["nuxmv", "-ctt", "-r", &stuck].with_code(0);
    for part in [
        "not deadlock-free.\nA deadlock state is:\nx = 2\n",
        "system diameter: 3\nreachable states: 3 (2^1.58496) out of 4 (2^2)\n",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing:\n{}", ran.stdout);
    }
    let ran = script("print_reachable_states -v", &stuck).with_code(0);
    assert!(ran.stdout.contains("  ------- State    1 ------\n  x = "), "{}", ran.stdout);
    let ran = script("check_fsm\nprint_reachable_states\n", &smv("program1.smv")).with_code(2);
    assert_eq!(ran.stderr.matches("if there are finitely many").count(), 2, "{}", ran.stderr);
}

/// Over numbers a run that violates a formula need not end in a loop: the search for one ends all the same.
#[test]
fn bounded_search_over_numbers() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : integer; up : boolean;\nASSIGN init(x) := 0; next(x) := up ? x + 1 : x;\nLTLSPEC G x < 3;\nLTLSPEC G x >= 0;\n";
    let ran = script("check_ltlspec_bmc -k 4 -n 0", &scratch.write("stays.smv", text)).with_code(0);
    assert!(ran.stdout.starts_with("-- specification  G x < 3  is false\n"), "{}", ran.stdout);
    let grows = scratch.write("grows.smv", text.replace("up ? x + 1 : x", "x + 1"));
    let ran = script("check_ltlspec_bmc -k 4 -n 0; check_ltlspec_ic3 -n 0", &grows).with_code(0);
    let told =
        "-- specification  G x < 3  is false\n-- as demonstrated by the following execution sequence\n";
    assert_eq!(ran.stdout.matches(told).count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("  -> State: 1.4 <-\n    x = 3\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("-- Loop starts here"), "{}", ran.stdout);
    let ends = scratch.write("ends.smv", text.replace("up ? x + 1 : x", "x + 1") + "TRANS x < 90\n");
    let ran = script("check_ltlspec_bmc -k 4 -n 0", &ends).with_code(2);
    assert!(ran.stderr.contains("G x < 3: a finite run violates it"), "{}", ran.stderr);
    let ran = script("check_ltlspec_bmc -k 1 -n 1", &grows).with_code(0);
    assert_eq!(
        ran.stdout,
        "-- no counterexample found with bound 0\n-- no counterexample found with bound 1\n"
    );
}

#[test]
fn bounded_search() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : 0..7;\nASSIGN init(x) := 0; next(x) := x < 5 ? x + 1 : 5;\nINVARSPEC x <= 6;\nINVARSPEC x < 3;\nLTLSPEC G F x = 5;\nLTLSPEC G (x = 0 -> F x = 6);\nLTLSPEC G x < 4;\nLTLSPEC G x < 6;\n";
    let model = scratch.write("b.smv", text);
    let none =
        |k: u32| (0..=k).map(|k| format!("-- no counterexample found with bound {k}\n")).collect::<String>();
    let ran = indubit!["nuxmv", "-bmc", "-bmc_length", "4", "-dcx", &model].with_code(0);
    assert!(ran.stdout.starts_with(&format!("{}-- spec", none(4))), "{}", ran.stdout);
    // A run of four steps violates it, whatever comes after.
    assert!(ran.stdout.contains("-- specification  G x < 4  is false\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("-- invariant x <= 6  is true\n-- invariant x < 3  is false\n"),
        "{}",
        ran.stdout
    );
    let text = "check_ltlspec_bmc_onepb -k 3 -n 0\ncheck_ltlspec_bmc -k 0 -n 0\ncheck_ltlspec_bmc -k 6 -n 1\ncheck_ltlspec_klive -n 0\ncheck_invar_bmc -a falsification -k 1 -n 5\n";
    let ran = indubit!["nuxmv", "-dcx", "-source", &scratch.write("s", text), &model].with_code(0);
    assert_eq!(
        ran.stdout,
        "-- no counterexample found with bound 3\n-- no counterexample found with bound 0\n-- specification  G (x = 0 ->  F x = 6)  is false\n-- specification  G ( F x = 5)  is true\n-- no proof or counterexample found with bound 0\n-- no proof or counterexample found with bound 1\n"
    );
    let ran = script("check_ltlspec_bmc -l 2\ncheck_ltlspec_bmc -k x\n", &model).with_code(2);
    assert!(
        ran.stderr.contains("not only with -l 2") && ran.stderr.contains("-k wants a number"),
        "{}",
        ran.stderr
    );
}

/// Every command works or says why not.
#[test]
fn scripts_set_variables_and_files() {
    let scratch = Scratch::new();
    let model = scratch.write("toy.smv", TOY);
    let text = format!(
        "set input_file \"{}\"\nset verbose_level 0; set on_failure_script_quits\nset counter_examples 0\ngo\nflatten_hierarchy; encode_variables; build_flat_model; build_model -f; build_boolean_model\ndynamic_var_ordering -e sift\ncheck_invar -s forward -n 6\nshow_property -o {}\nshow_vars -s; show_vars -D\necho done; time; help pick_state; history\nquit\necho not here\n",
        model.display(),
        scratch.path("properties.txt").display()
    );
    let ran = indubit!["nuxmv", "-v", "1", "-source", &scratch.write("s", text)].with_code(0);
    for part in
        ["-- invariant x < 3  is false\n", "  x : 0..3\n", "  big\ndone\n", "usage: pick_state [-r] [-v]"]
    {
        assert!(ran.stdout.contains(part), "{part:?} is missing:\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("State: ") && !ran.stdout.contains("not here"), "{}", ran.stdout);
    let listed = std::fs::read_to_string(scratch.path("properties.txt")).unwrap();
    assert!(listed.contains("[Invar          False          N/A    N/A]"), "{listed}");
    let write = format!("write_flat_model -o {}", scratch.path("flat.smv").display());
    for (command, why) in [
        (&*write, "`indubit convert MODEL FILE`"),
        ("check_pslspec_bmc -k 3", "PSL is not read"),
        ("gen_ltlspec_bmc -k 3", "DIMACS"),
        ("read_aiger_model -i x.aig", "`indubit check FILE`"),
        ("set pp_list cpp", "run cpp on the file first"),
        ("pick_state", "there is no model yet"),
        ("show_traces -A", "there is no model yet"),
        ("simulate -k", "-k wants a value"),
        ("nonsense", "`help` lists the commands"),
    ] {
        let ran = indubit!["nuxmv", "-source", &scratch.write("c", command)].with_code(2);
        assert!(ran.stderr.contains(why), "{command}: {}", ran.stderr);
    }
    assert!(!scratch.path("flat.smv").exists());
}

#[test]
fn what_is_wrong_is_said() {
    let scratch = Scratch::new();
    let ran = indubit!["nuxmv", "-source", &scratch.write("s", "chek_invar; go -z\necho on\n")].with_code(2);
    assert!(ran.stderr.contains("did you mean check_invar?"), "{}", ran.stderr);
    assert!(ran.stderr.contains("go: there is no option -z"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "on\n");
    let quits = scratch.write("q", "set on_failure_script_quits\ngo\necho on\n");
    let ran = indubit!["nuxmv", "-source", &quits].with_code(2);
    assert!(ran.stderr.contains("there is no model yet") && ran.stdout.is_empty(), "{}", ran.stderr);
    let ran = indubit!["nuxmv", "-cpp", &smv("mutex.smv")].with_code(2);
    assert!(ran.stderr.contains("run cpp on the file first"), "{}", ran.stderr);
    let ran = indubit!["nuxmv", &example("arbiter.aag")].with_code(2);
    assert!(ran.stderr.contains("this is a circuit"), "{}", ran.stderr);
}

#[test]
fn formulas_of_temporal_logic() {
    let fair = example("arbiter_fair.aag");
    let served = "G (waits[0] -> F owner[0])";
    let ran = indubit!["check", &fair, "--ltl", served, "--ltl", "G !(owner[0] & owner[1])", "--quiet"]
        .with_code(0);
    assert_eq!(ran.stdout, format!("holds {served}\nholds G !(owner[0] & owner[1])\n"));
    let starving = example("arbiter_starving.aag");
    let ran = indubit!["check", &starving, "--ltl", "G F owner[2]", "--format", "json"].with_code(10);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["properties"][0]["claim"], "ltl", "{}", ran.stdout);
    let ran = indubit!["check", &fair, "--ltl", "G ("].with_code(2);
    assert!(ran.stderr.contains("expected a formula"), "{}", ran.stderr);
    // The certificate is about what convert writes.
    let scratch = Scratch::new();
    let (product, certificate) = (scratch.path("product.aag"), scratch.path("certificate.aag"));
    let formula = ["--ltl", "G !(owner[0] & owner[1])"];
    indubit!["check", &fair, formula[0], formula[1], "--engine", "ic3", "--certificate", &certificate]
        .with_code(0);
    indubit!["convert", &fair, &product, formula[0], formula[1]].with_code(0);
    indubit!["certify", &product, &certificate].with_code(0);
}

/// Formulas that are added have numbers of their own: none is taken for another.
#[test]
fn formulas_of_the_file_and_others() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR b : boolean;\nASSIGN init(b) := FALSE; next(b) := !b;\nINVARSPEC TRUE;\nLTLSPEC F G b;\n";
    let model = scratch.write("toggle.smv", text);
    let ran = indubit!["check", &model, "--ltl", "G F b", "--quiet"].with_code(0);
    assert_eq!(ran.stdout, "holds G F b\n");
    let script = scratch.write("s", "check_ltlspec -p \"G F b\"\ncheck_ltlspec\n");
    let ran = indubit!["nuxmv", "-dcx", "-source", &script, &model].with_code(0);
    let verdicts: Vec<bool> = ran.stdout.lines().map(|line| line.ends_with("is true")).collect();
    assert_eq!(verdicts, [true, false, true], "{}", ran.stdout);
    let ran = indubit!["convert", &model, &scratch.path("m.smt2"), "--ltl", "G F b"].with_code(2);
    assert!(ran.stderr.contains("which CHC does not have"), "{}", ran.stderr);
    let fair = scratch.write("fair.smv", format!("{text}COMPASSION (TRUE, b);\n"));
    let ran = indubit!["check", &fair, "--ltl", "F b"].with_code(2);
    assert!(ran.stderr.contains("COMPASSION"), "{}", ran.stderr);
    // The commands know of it.
    let script = scratch.write("s", "check_ltlspec -p \"G F b\"\n");
    let ran = indubit!["nuxmv", "-source", &script, &fair].with_code(0);
    assert_eq!(ran.stdout, "-- specification  G ( F b)  is true\n");
}
