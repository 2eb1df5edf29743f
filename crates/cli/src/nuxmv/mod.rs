//! `indubit nuxmv`: the commands that scripts for NuSMV and nuXmv have, and their phrasing of verdicts and traces.
//!
//! A command that prepares a model (`go`, `go_msat`, `build_boolean_model`, …) has nothing to do here; it only asks for a model. Everything that is said has been checked as `indubit check` does.

mod session;
mod show;
mod words;

use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::terminal;
use clap::Args;
use indubit::run::Cancel;
use session::Session;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  indubit nuxmv model.smv                       check all specifications
  indubit nuxmv -int model.smv                  a prompt: go_msat, check_invar_ic3, check_ltlspec_ic3, help, quit
  indubit nuxmv -source commands.txt model.smv  a script
  echo 'go; check_property' | indubit nuxmv -int model.smv

Verdicts are told as `-- invariant x >= 0  is true` and `-- specification G (F x = 0)  is false`, traces state by state with what changes.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Nuxmv {
    /// The model, in SMV
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,
    /// Commands from standard input, with a prompt if that is a terminal (also: -int)
    #[arg(long = "int")]
    pub interactive: bool,
    /// Commands from a file (also: -source FILE)
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,
    /// Leave out counterexamples (also: -dcx)
    #[arg(long)]
    pub dcx: bool,
    /// Threads that work on a property
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
}

/// The options that users of NuSMV type with one dash, as we have them.
pub fn spelled(word: std::ffi::OsString) -> std::ffi::OsString {
    match word.to_str() {
        Some("-int") => "--int".into(),
        Some("-source") => "--source".into(),
        Some("-dcx") => "--dcx".into(),
        _ => word,
    }
}

pub fn run(args: &Nuxmv) -> Result<Code, Failure> {
    let _guard = Guard::for_signals()?;
    let mut session = Session::new(Cancel::new());
    (session.quiet, session.n_threads) = (args.dcx, args.threads.max(1));
    if let Some(path) = &args.model {
        session.read(path)?;
    }
    if let Some(path) = &args.source {
        if let Err(why) = session.source(path)? {
            return Err(Failure::bad_input(why));
        }
        return Ok(session.code());
    }
    if !args.interactive {
        if args.model.is_none() {
            return Err(Failure::bad_input("there is no model")
                .with_hint("indubit nuxmv MODEL.smv, or -int for a prompt"));
        }
        session.line("check_property")?;
        return Ok(session.code());
    }
    let stdin = std::io::stdin();
    let is_prompted = stdin.is_terminal();
    let mut line = Vec::new();
    while !session.is_over {
        if is_prompted {
            terminal::stdout("indubit > ")?;
        }
        line.clear();
        match stdin.lock().read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => session.line(&String::from_utf8_lossy(&line))?,
            Err(error) => return Err(Failure::bad_input(format!("standard input: {error}"))),
        }
    }
    Ok(session.code())
}
