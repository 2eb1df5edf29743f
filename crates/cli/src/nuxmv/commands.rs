//! The commands of NuSMV and nuXmv: what each does here, its options, and what it is for.

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Invar,
    Ltl,
    Ctl,
    Compute,
    All,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By the portfolio.
    Best,
    Ic3,
    KLiveness,
    /// Up to a bound.
    Bounded,
    /// The same, with one line about the bound.
    OneBound,
}

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Read,
    /// It prepares what needs no preparation here; the model must be there.
    Prepare,
    /// It is about another program's ways, and nothing is to be done.
    Nothing,
    /// It cannot be done, for this reason.
    Refused(&'static str),
    Reset,
    /// Everything that the model claims, as in a run without commands.
    Process,
    Check(What, How),
    ShowProperty,
    AddProperty,
    ConvertProperty,
    Pick,
    Simulate,
    GotoState,
    CurrentState,
    ShowTraces,
    ShowPlugins,
    ShowVars,
    ReachableStates,
    CheckFsm,
    FsmStats,
    Set,
    Unset,
    Echo,
    Help,
    History,
    Source,
    Time,
    Quit,
}

/// A command: its name, its options (a letter, and `:` if it has a value), what it does, and what it is for.
pub struct Command(pub &'static str, pub &'static str, pub Action, pub &'static str);

use Action::{Check, Nothing, Prepare, Refused};

/// Options of commands that check: which property.
const SELECT: &str = "n:P:p:o:k:";
const BOUNDED: &str = "n:P:p:o:k:l:a:";
/// Options of commands that check which say how NuSMV and nuXmv search. They are understood, and change nothing here.
const TUNING: &str = "edgqvrcNisSLt:j:m:u:O:x:I:a:";

const NOT_WRITTEN: &str = "parts of a model are not written; `indubit convert MODEL FILE` writes a model as SMV, AIGER, BTOR2 or VMT";
const NOT_AIGER: &str =
    "the commands of nuXmv are for SMV here; `indubit check FILE` decides a model in AIGER";
const NO_DIMACS: &str = "problems are not written as DIMACS";
const NO_PSL: &str = "PSL is not read; LTLSPEC says the same for many formulas";
const NO_DIAGRAMS: &str = "no decision diagrams are kept between commands";
const NO_TRACES: &str = "traces are not read back or run again; `indubit replay` does so with witnesses";

const PREPARES: &str = "nothing is left to do when a model has been read";
const BY_BEST: &str = "check formulas of LTL: all, or -n N, -P NAME, -p FORMULA";
const BY_BMC: &str = "search for a counterexample (a lasso) of up to -k N steps";
const INVAR_BY_BMC: &str = "prove invariants by induction over up to -k N steps, or find a violation; -a falsification only does the latter";

/// All commands there are.
pub const COMMANDS: &[Command] = &[
    Command("read_model", "i:", Action::Read, "read a model: -i FILE, or else the file of `set input_file`"),
    Command("flatten_hierarchy", "d", Prepare, PREPARES),
    Command("encode_variables", "i:n:", Prepare, PREPARES),
    Command("build_flat_model", "f", Prepare, PREPARES),
    Command("build_model", "fm:", Prepare, PREPARES),
    Command("build_boolean_model", "fi:", Prepare, PREPARES),
    Command("build_simplified_property", "", Prepare, PREPARES),
    Command("bmc_setup", "f", Prepare, PREPARES),
    Command("go", "fh", Prepare, PREPARES),
    Command("go_bmc", "fh", Prepare, PREPARES),
    Command("go_msat", "fh", Prepare, PREPARES),
    Command("compute_reachable", "k:t:", Prepare, PREPARES),
    Command("reset", "", Action::Reset, "forget the model, and what is known about it"),
    Command("process_model", "fi:m:r", Action::Process, "check all that the model claims"),
    Command(
        "check_invar",
        "n:P:p:o:",
        Check(What::Invar, How::Best),
        "check invariants: all, or -n N, -P NAME, -p FORMULA",
    ),
    Command(
        "check_invar_ic3",
        SELECT,
        Check(What::Invar, How::Ic3),
        "check invariants by IC3; -k N is the most frames",
    ),
    Command("check_invar_bmc", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("check_invar_bmc_inc", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("check_invar_bmc_itp", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("msat_check_invar_bmc", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("msat_check_invar_inc_coi", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("check_invar_inc_coi_bmc", BOUNDED, Check(What::Invar, How::Bounded), INVAR_BY_BMC),
    Command("check_invar_inc_coi_bdd", SELECT, Check(What::Invar, How::Best), "as check_invar"),
    Command("check_invar_guided", SELECT, Check(What::Invar, How::Best), "as check_invar"),
    Command("check_invar_local", SELECT, Check(What::Invar, How::Best), "as check_invar"),
    Command("check_invar_cegar_predabs", SELECT, Check(What::Invar, How::Best), "as check_invar"),
    Command("check_ltlspec", "n:P:p:o:", Check(What::Ltl, How::Best), BY_BEST),
    Command("check_ltlspec_ic3", SELECT, Check(What::Ltl, How::Best), BY_BEST),
    Command("check_ltlspec_inc_coi_bdd", SELECT, Check(What::Ltl, How::Best), BY_BEST),
    Command(
        "check_ltlspec_klive",
        SELECT,
        Check(What::Ltl, How::KLiveness),
        "check formulas of LTL by k-liveness; -k N is the largest k",
    ),
    Command("check_ltlspec_bmc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("check_ltlspec_bmc_inc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("check_ltlspec_bmc_onepb", BOUNDED, Check(What::Ltl, How::OneBound), BY_BMC),
    Command("check_ltlspec_sbmc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("check_ltlspec_sbmc_inc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("check_ltlspec_inc_coi_bmc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("msat_check_ltlspec_bmc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("msat_check_ltlspec_sbmc_inc", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command("msat_check_ltlspec_inc_coi", BOUNDED, Check(What::Ltl, How::Bounded), BY_BMC),
    Command(
        "check_ctlspec",
        "n:P:p:o:",
        Check(What::Ctl, How::Best),
        "check formulas of CTL: all, or -n N, -P NAME, -p FORMULA",
    ),
    Command(
        "check_compute",
        "n:P:p:o:",
        Check(What::Compute, How::Best),
        "numbers of steps by COMPUTE, which are not computed",
    ),
    Command(
        "check_property",
        "n:P:p:o:cliqs",
        Check(What::All, How::Best),
        "check all properties: those of CTL (-c), LTL (-l), invariants (-i), or one (-n N, -P NAME, -p FORMULA)",
    ),
    Command("check_pslspec", "n:P:p:o:k:l:", Refused(NO_PSL), ""),
    Command("check_pslspec_bmc", "n:P:p:o:k:l:", Refused(NO_PSL), ""),
    Command("check_pslspec_bmc_inc", "n:P:p:o:k:l:", Refused(NO_PSL), ""),
    Command("check_pslspec_sbmc", "n:P:p:o:k:l:", Refused(NO_PSL), ""),
    Command("check_pslspec_sbmc_inc", "n:P:p:o:k:l:", Refused(NO_PSL), ""),
    Command(
        "show_property",
        "n:P:o:F:cliqsutfvm",
        Action::ShowProperty,
        "the properties: of CTL (-c), LTL (-l), COMPUTE (-q), invariants (-i); unchecked (-u), true (-t), false (-f); -n N, -P NAME, -F xml; -s says how many",
    ),
    Command(
        "add_property",
        "cliqsp:n:",
        Action::AddProperty,
        "add a property: -l LTL, -i invariant or -c CTL, -p FORMULA, -n NAME",
    ),
    Command(
        "convert_property_to_invar",
        "n:P:p:",
        Action::ConvertProperty,
        "add invariants for the formulas `G p` of LTL and `AG p` of CTL",
    ),
    Command(
        "pick_state",
        "rvaic:s:",
        Action::Pick,
        "begin a simulation: in any initial state, at random (-r), in one of your choice (-i), where a condition holds (-c), or with a copy of a trace up to a state (-s 1.2); -v shows it",
    ),
    Command("msat_pick_state", "rvaic:s:", Action::Pick, "as pick_state"),
    Command("bmc_pick_state", "rvaic:s:", Action::Pick, "as pick_state"),
    Command(
        "simulate",
        "k:rvaipc:t:",
        Action::Simulate,
        "go on with the simulation for -k N steps: at random (-r), by your choice (-i), where a condition on states (-c) or on steps (-t) holds; -p shows what changes, -v everything",
    ),
    Command("msat_simulate", "k:rvaipc:t:", Action::Simulate, "as simulate"),
    Command("bmc_simulate", "k:rvaipc:t:", Action::Simulate, "as simulate"),
    Command("bmc_inc_simulate", "k:rvaipc:t:", Action::Simulate, "as simulate"),
    Command(
        "goto_state",
        "",
        Action::GotoState,
        "begin a new trace with a copy of another one up to a state: goto_state 1.2",
    ),
    Command("print_current_state", "v", Action::CurrentState, "where the simulation is; -v shows the state"),
    Command(
        "show_traces",
        "vatdAmp:o:",
        Action::ShowTraces,
        "the last trace, one by its number (2), a part of it (2.1:3), or all (-a); -t says how many, -v shows all values, -p N chooses one of show_plugins, -d leaves out definitions",
    ),
    Command("show_plugins", "n:a", Action::ShowPlugins, "the ways to show a trace"),
    Command(
        "show_vars",
        "sfivtVDmo:",
        Action::ShowVars,
        "the variables: of states (-s), frozen (-f), inputs (-i), definitions (-D); their number only (-t), their names only (-V)",
    ),
    Command(
        "print_reachable_states",
        "vdfo:",
        Action::ReachableStates,
        "how many states can be reached, and in how many steps; -v lists them",
    ),
    Command("check_fsm", "mo:", Action::CheckFsm, "look for states without a successor"),
    Command("print_fsm_stats", "hmpo:", Action::FsmStats, "the size of the model"),
    Command("set", "", Action::Set, "set a variable of the session, show one, or show all"),
    Command("unset", "", Action::Unset, "forget a variable of the session"),
    Command("echo", "n", Action::Echo, "print its words"),
    Command("help", "a", Action::Help, "the commands there are, or what one of them is for"),
    Command("history", "", Action::History, "the commands so far"),
    Command("source", "psx", Action::Source, "run the commands of a file"),
    Command("time", "", Action::Time, "how long the session has gone on"),
    Command("usage", "", Action::Time, "as time"),
    Command("print_usage", "", Action::Time, "as time"),
    Command("quit", "sx", Action::Quit, "end the session"),
    Command("dynamic_var_ordering", "de:f:h", Nothing, "the order of variables is nobody's business here"),
    Command("set_bdd_parameters", "s", Nothing, "decision diagrams have no parameters here"),
    Command("clean_sexp2bdd_cache", "", Nothing, NO_DIAGRAMS),
    Command("print_bdd_stats", "f", Refused(NO_DIAGRAMS), ""),
    Command("print_clusterinfo", "mo:", Refused(NO_DIAGRAMS), ""),
    Command("print_iwls95options", "", Refused(NO_DIAGRAMS), ""),
    Command(
        "print_fair_states",
        "v",
        Refused("fair states are not computed; check_ltlspec takes fairness into account"),
        "",
    ),
    Command(
        "print_fair_transitions",
        "vf:o:",
        Refused("fair states are not computed; check_ltlspec takes fairness into account"),
        "",
    ),
    Command(
        "print_formula",
        "vf",
        Refused("states that satisfy a formula are not listed; check_invar -p shows one"),
        "",
    ),
    Command("show_dependencies", "ak:e:", Refused("dependencies are not listed"), ""),
    Command("get_internal_status", "", Refused("there is no such status here"), ""),
    Command("alias", "", Refused("commands have one name here"), ""),
    Command("unalias", "", Refused("commands have one name here"), ""),
    Command("which", "", Refused("files are looked for where they are said to be"), ""),
    Command("compute", "", Refused("numbers of steps (COMPUTE) are not computed"), ""),
    Command("gen_invar_bmc", "n:P:p:k:o:", Refused(NO_DIMACS), ""),
    Command("gen_ltlspec_bmc", "n:P:p:k:l:o:", Refused(NO_DIMACS), ""),
    Command("gen_ltlspec_bmc_onepb", "n:P:p:k:l:o:", Refused(NO_DIMACS), ""),
    Command("gen_ltlspec_sbmc", "n:P:p:k:l:o:", Refused(NO_DIMACS), ""),
    Command(
        "bmc_simulate_check_feasible_constraints",
        "q:c:",
        Refused("simulate -c says whether there is such a step"),
        "",
    ),
    Command("execute_traces", "vm:o:e:a", Refused(NO_TRACES), ""),
    Command("execute_partial_traces", "vm:o:e:ar", Refused(NO_TRACES), ""),
    Command("read_trace", "i:us", Refused(NO_TRACES), ""),
    Command("write_boolean_model", "o:", Refused(NOT_WRITTEN), ""),
    Command("write_flat_model", "o:Am", Refused(NOT_WRITTEN), ""),
    Command("write_flat_model_udg", "o:", Refused(NOT_WRITTEN), ""),
    Command("write_coi_model", "o:n:p:P:cliqsCg", Refused(NOT_WRITTEN), ""),
    Command("write_simplified_model_rel", "o:n:p:P:cliqsCg", Refused(NOT_WRITTEN), ""),
    Command("write_simplified_model_func", "o:n:p:P:cliqsCg", Refused(NOT_WRITTEN), ""),
    Command("write_order", "o:b", Refused("there is no order of variables to write"), ""),
    Command("write_aiger_model", "p:bf:", Refused("`indubit convert MODEL FILE.aig` writes AIGER"), ""),
    Command("write_vmt_model", "n:P:o:", Refused("`indubit convert MODEL FILE.vmt` writes VMT"), ""),
    Command("read_aiger_model", "i:m:", Refused(NOT_AIGER), ""),
    Command("read_rtlil_model", "i:m:", Refused("`indubit check FILE.v` reads Verilog"), ""),
    Command("read_vmt_model", "i:", Refused("`indubit check FILE.vmt` reads VMT"), ""),
    Command("dump_fsm", "o:itIfFsrSe:", Refused(NO_DIAGRAMS), ""),
    Command("dump_expr", "e:f:o:", Refused(NO_DIAGRAMS), ""),
    Command("hrc_dump_model", "f:o:d", Refused(NOT_WRITTEN), ""),
    Command("hrc_write_model", "o:d", Refused(NOT_WRITTEN), ""),
    Command(
        "check_ltlspec_on_trace",
        "n:P:p:il:",
        Refused("formulas are checked of models, not of traces"),
        "",
    ),
    Command(
        "check_ltlspec_simplify",
        "n:P:p:k:",
        Refused("formulas need no simplification first: check_ltlspec"),
        "",
    ),
    Command(
        "check_ltlspec_compositional",
        "n:P:p:k:",
        Refused("formulas are not taken apart: check_ltlspec"),
        "",
    ),
    Command(
        "build_abstract_model",
        "m:n:i:",
        Refused("abstractions are made when they are needed: check_invar_ic3"),
        "",
    ),
    Command("go_time", "f", Refused("clocks (@TIME_DOMAIN continuous) are not read"), ""),
    Command("timed_check_invar", "n:P:p:k:a:", Refused("clocks (@TIME_DOMAIN continuous) are not read"), ""),
    Command(
        "timed_check_ltlspec",
        "n:P:p:k:a:",
        Refused("clocks (@TIME_DOMAIN continuous) are not read"),
        "",
    ),
];

/// The command with this name.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.0 == name)
}

impl Command {
    /// All options that it understands; those beyond its own change nothing.
    pub fn known(&self) -> String {
        match self.2 {
            Check(..) => {
                let mut tuning = TUNING.chars().peekable();
                let mut known = self.1.to_owned();
                while let Some(letter) = tuning.next() {
                    let value = tuning.next_if_eq(&':').map_or("", |_| ":");
                    if !self.1.contains(letter) {
                        known.push(letter);
                        known.push_str(value);
                    }
                }
                known + "h"
            }
            _ if self.1.contains('h') => self.1.to_owned(),
            _ => format!("{}h", self.1),
        }
    }
    /// `usage: pick_state [-r] [-c VALUE] …`, and what it is for.
    pub fn usage(&self) -> String {
        let mut text = format!("usage: {}", self.0);
        let mut letters = self.1.chars().peekable();
        while let Some(letter) = letters.next() {
            let value = letters.next_if_eq(&':').map_or("", |_| " VALUE");
            text += &format!(" [-{letter}{value}]");
        }
        format!("{text}\n  {}\n", self.purpose())
    }
    /// What it is for.
    pub fn purpose(&self) -> String {
        match self.2 {
            Refused(why) => format!("not here: {why}"),
            _ => self.3.to_owned(),
        }
    }
}

/// What somebody may have meant who typed something else.
pub fn similar<'n>(names: impl Iterator<Item = &'n str>, typed: &str) -> Vec<&'n str> {
    let most = if typed.len() < 5 { 1 } else { 2 };
    names.filter(|name| strsim::damerau_levenshtein(name, typed) <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_options_are_letters() {
        for (i, command) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..i].iter().all(|other| other.0 != command.0), "{}", command.0);
            assert!(command.1.chars().all(|c| c.is_ascii_alphabetic() || c == ':'), "{}", command.0);
            assert!(!command.purpose().is_empty(), "{}", command.0);
            let known = command.known();
            let n = |c: char| known.chars().filter(|&other| other == c).count();
            assert!(known.chars().all(|c| c == ':' || n(c) == 1), "{}: {known}", command.0);
        }
    }

    #[test]
    fn what_was_meant() {
        assert_eq!(similar(COMMANDS.iter().map(|c| c.0), "chek_invar"), ["check_invar"]);
        assert!(find("simulate").is_some_and(|c| c.usage().starts_with("usage: simulate [-k VALUE] [-r]")));
    }
}
