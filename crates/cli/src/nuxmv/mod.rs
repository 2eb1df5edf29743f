//! `indubit nuxmv`: the commands that scripts for NuSMV and nuXmv have, and their phrasing of verdicts and traces.
//!
//! A command that prepares a model (`go`, `go_msat`, `build_boolean_model`, …) has nothing to do here; it only asks for a model. Everything that is said has been checked as `indubit check` does.
//!
//! | file | what |
//! |---|---|
//! | `words.rs`, `commands.rs`, `settings.rs` | lines as commands, the table of commands, variables that scripts set |
//! | `session.rs`, `prompt.rs` | what a session knows, how commands are run, and where lines come from |
//! | `specs.rs`, `checking.rs` | properties: which there are, and deciding them |
//! | `walk.rs`, `traces.rs`, `model.rs` | simulation, traces, and what there is to say about the model as a whole |
//! | `show.rs` | states and traces as text |

mod checking;
mod commands;
mod model;
mod prompt;
mod session;
mod settings;
mod show;
mod specs;
mod traces;
mod walk;
mod words;

use crate::exit::{Code, Failure};
use crate::guard::{Guard, Interrupts};
use clap::Args;
use commands::What;
use prompt::Lines;
use session::Session;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use words::Given;

const EXAMPLES: &str = "\
Examples:
  indubit nuxmv model.smv                       check all specifications
  indubit nuxmv -bmc -bmc_length 20 model.smv   search up to 20 steps for violations
  indubit nuxmv -int model.smv                  a prompt: go_msat, check_invar_ic3, check_ltlspec_ic3, help, quit
  indubit nuxmv -source commands.txt model.smv  a script
  echo 'go; check_property' | indubit nuxmv -int model.smv

Verdicts are told as `-- invariant x >= 0  is true` and `-- specification  G ( F x = 0)  is false`, traces state by state with what changes. At the prompt, Tab
completes, Ctrl-C ends a command, Ctrl-D the session.";

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
    /// Search for violations up to a bound only (also: -bmc)
    #[arg(long)]
    pub bmc: bool,
    /// That bound (also: -bmc_length N) [default: 10]
    #[arg(long = "bmc_length", value_name = "N")]
    pub bmc_length: Option<u32>,
    /// Check only the property with this number (also: -n N)
    #[arg(long = "n", value_name = "N", value_parser = clap::value_parser!(u32))]
    pub number: Option<u32>,
    /// List the properties (also: -lp)
    #[arg(long = "lp")]
    pub list: bool,
    /// Look for states without a successor first (also: -ctt)
    #[arg(long = "ctt")]
    pub total: bool,
    /// Say how many states can be reached (also: -r)
    #[arg(long = "reachable")]
    pub reachable: bool,
    /// Leave out formulas of CTL (also: -is)
    #[arg(long = "is")]
    pub no_ctl: bool,
    /// Leave out COMPUTE (also: -ic)
    #[arg(long = "ic")]
    pub no_compute: bool,
    /// Leave out formulas of LTL (also: -ils)
    #[arg(long = "ils")]
    pub no_ltl: bool,
    /// Leave out invariants (also: -ii)
    #[arg(long = "ii")]
    pub no_invar: bool,
    /// Programs to run on the model first, which is refused
    #[arg(long = "pre", value_name = "PROGRAMS", hide = true)]
    pub preprocessors: Option<String>,
    /// Threads that work on a property
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
}

/// Options that users of NuSMV type with one dash, as we have them.
const SPELLED: &[(&str, &str)] = &[
    ("-int", "--int"),
    ("-source", "--source"),
    ("-load", "--source"),
    ("-dcx", "--dcx"),
    ("-bmc", "--bmc"),
    ("-bmc_length", "--bmc_length"),
    ("-n", "--n"),
    ("-lp", "--lp"),
    ("-ctt", "--ctt"),
    ("-r", "--reachable"),
    ("-is", "--is"),
    ("-ic", "--ic"),
    ("-ils", "--ils"),
    ("-ii", "--ii"),
    ("-help", "--help"),
    ("-pre", "--pre"),
    ("-cpp", "--pre=cpp"),
];

/// Options about another program's search or its words, and how many values each has. They are left out.
const LEFT_OUT: &[(&str, usize)] = &[
    ("-AG", 0),
    ("-coi", 0),
    ("-df", 0),
    ("-disable_daggifier", 0),
    ("-disable_sexp2bdd_caching", 0),
    ("-dynamic", 0),
    ("-f", 0),
    ("-flt", 0),
    ("-ips", 0),
    ("-iwl95preorder", 0),
    ("-mono", 0),
    ("-noaffinity", 0),
    ("-quiet", 0),
    ("-reorder", 0),
    ("-s", 0),
    ("-time", 0),
    ("-bdd_soh", 1),
    ("-cp", 1),
    ("-i", 1),
    ("-iwls95", 1),
    ("-m", 1),
    ("-o", 1),
    ("-ojeba", 1),
    ("-rin", 1),
    ("-sat_solver", 1),
    ("-sin", 1),
    ("-t", 1),
    ("-thresh", 1),
    ("-v", 1),
];

/// The words of a command line as we have them: those of NuSMV are spelled with one dash, and some say nothing to us.
pub fn spelled(words: Vec<OsString>) -> Vec<OsString> {
    let mut ours = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if let Some((_, long)) = SPELLED.iter().find(|spelled| spelled.0 == text) {
            ours.push((*long).into());
        } else if let Some((_, n_values)) = LEFT_OUT.iter().find(|left| left.0 == text) {
            (0..*n_values).for_each(|_| drop(words.next()));
        } else {
            ours.push(word);
        }
    }
    ours
}

pub fn run(args: &Nuxmv) -> Result<Code, Failure> {
    // At a prompt, Ctrl-C ends a command; else it ends the process.
    let is_prompt = args.interactive && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let lines = if is_prompt { Lines::edited() } else { Lines::Plain };
    let _guard = if is_prompt { None } else { Some(Guard::for_signals()?) };
    let mut session = Session::new(lines, is_prompt.then(Interrupts::new));
    session.n_threads = args.threads.max(1);
    if args.dcx {
        session.settings.unset("counter_examples");
    }
    if let Some(programs) = &args.preprocessors {
        session.settings.set("pp_list", programs).map_err(Failure::bad_input)?;
    }
    if let Some(length) = args.bmc_length {
        session.settings.set("bmc_length", &length.to_string()).map_err(Failure::bad_input)?;
    }
    if let Some(path) = &args.model {
        match session.read(path) {
            Err(failure) if is_prompt => failure.print(),
            read => read?,
        }
    }
    if let Some(path) = &args.source {
        if let Err(why) = session.source(path)? {
            return Err(Failure::bad_input(why));
        }
        if !args.interactive {
            return Ok(session.code());
        }
    }
    if args.interactive {
        session.converse()?;
        return Ok(session.code());
    }
    if args.model.is_none() {
        return Err(Failure::bad_input("there is no model")
            .with_hint("indubit nuxmv MODEL.smv, or -int for a prompt"));
    }
    batch(&mut session, args)?;
    Ok(session.code())
}

/// A run without commands: what they would be.
fn batch(session: &mut Session, args: &Nuxmv) -> Result<(), Failure> {
    if args.list {
        return session.line("show_property");
    }
    if args.total {
        session.line("check_fsm")?;
    }
    match (args.number, args.bmc) {
        (Some(number), false) => session.line(&format!("check_property -n {number}"))?,
        (Some(number), true) => {
            let given = Given::new(&["-n".into(), number.to_string()], "n:").map_err(Failure::bad_input)?;
            let is_invar = session.selected(What::Invar, &given).is_ok();
            let what = if is_invar { "check_invar_bmc" } else { "check_ltlspec_bmc" };
            session.line(&format!("{what} -n {number}"))?;
        }
        (None, true) => {
            if !args.no_ltl {
                session.line("check_ltlspec_bmc")?;
            }
            if !args.no_invar {
                session.line("check_invar_bmc")?;
            }
        }
        (None, false) => {
            let kinds =
                [('c', args.no_ctl), ('q', args.no_compute), ('l', args.no_ltl), ('i', args.no_invar)];
            let letters: String = kinds.iter().filter(|kind| !kind.1).map(|kind| kind.0).collect();
            if !letters.is_empty() {
                session.line(&format!("check_property -{letters}"))?;
            }
        }
    }
    if args.reachable {
        session.line("print_reachable_states")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_nusmv_are_ours() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let ours = spelled(words("indubit nuxmv -v 1 -dynamic -bmc -bmc_length 5 -m sift model.smv"));
        assert_eq!(ours, words("indubit nuxmv --bmc --bmc_length 5 model.smv"));
    }
}
