//! What a session knows, and what its commands do.

use super::show;
use super::words::{Given, commands};
use crate::exit::{Code, Failure};
use crate::kinds::{self, Model};
use crate::{output, terminal};
use indubit::formats::lemmas;
use indubit::formats::model::WordModel;
use indubit::run::{Cancel, Run};
use indubit::term::Term;
use indubit::{
    Claim, EngineId, Plan, Property, PropertyId, Verdict, WordSystem, WordTrace, Words, check, is_circuit,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Scripts may call scripts, but not for ever.
const DEEPEST: usize = 20;
/// How far bounded commands go if nobody says how far.
const BOUND: u32 = 10;
/// How many steps a simulation has if nobody says how many.
const STEPS: u32 = 10;

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Invar,
    Ltl,
    Ctl,
    All,
}

/// How.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Best,
    Ic3,
    KLiveness,
    Bounded,
}

/// What a command does.
#[derive(Clone, Copy)]
enum Action {
    Read,
    /// It prepares what needs no preparation here; the model must be there.
    Prepare,
    Reset,
    Check(What, How),
    ShowProperty,
    Pick,
    Simulate,
    ShowTraces,
    Set,
    Unset,
    Echo,
    Help,
    Source,
    Time,
    Quit,
}

/// A command: its name, its options, what it is for.
struct Command(&'static str, &'static str, Action, &'static str);

const SELECT: &str = "n:P:p:k:o:";
/// Options of commands that check, which say how NuSMV and nuXmv search. They are understood, and change nothing here.
const TUNING: &str = "e:t:j:m:a:s:u:l:O:dgqvh";

const COMMANDS: &[Command] = &[
    Command("read_model", "i:", Action::Read, "read a model: -i FILE"),
    Command("flatten_hierarchy", "d", Action::Prepare, "nothing is left to do when a model has been read"),
    Command("encode_variables", "i:n:", Action::Prepare, "as flatten_hierarchy"),
    Command("build_flat_model", "f", Action::Prepare, "as flatten_hierarchy"),
    Command("build_model", "fm:", Action::Prepare, "as flatten_hierarchy"),
    Command("build_boolean_model", "fi:", Action::Prepare, "as flatten_hierarchy"),
    Command("bmc_setup", "f", Action::Prepare, "as flatten_hierarchy"),
    Command("go", "fh", Action::Prepare, "as flatten_hierarchy"),
    Command("go_bmc", "fh", Action::Prepare, "as flatten_hierarchy"),
    Command("go_msat", "fh", Action::Prepare, "as flatten_hierarchy"),
    Command("reset", "", Action::Reset, "forget the model"),
    Command(
        "check_invar",
        SELECT,
        Action::Check(What::Invar, How::Best),
        "check invariants: -n N, -P NAME, -p FORMULA",
    ),
    Command("check_invar_ic3", SELECT, Action::Check(What::Invar, How::Ic3), "check invariants by IC3"),
    Command(
        "check_invar_bmc",
        SELECT,
        Action::Check(What::Invar, How::Bounded),
        "search up to -k N steps for a violation",
    ),
    Command("check_invar_bmc_inc", SELECT, Action::Check(What::Invar, How::Bounded), "as check_invar_bmc"),
    Command("msat_check_invar_bmc", SELECT, Action::Check(What::Invar, How::Bounded), "as check_invar_bmc"),
    Command(
        "check_ltlspec",
        SELECT,
        Action::Check(What::Ltl, How::Best),
        "check formulas of LTL: -n N, -P NAME, -p FORMULA",
    ),
    Command("check_ltlspec_ic3", SELECT, Action::Check(What::Ltl, How::Best), "as check_ltlspec"),
    Command(
        "check_ltlspec_klive",
        SELECT,
        Action::Check(What::Ltl, How::KLiveness),
        "check formulas of LTL by k-liveness",
    ),
    Command(
        "check_ltlspec_bmc",
        SELECT,
        Action::Check(What::Ltl, How::Bounded),
        "search up to -k N steps for a lasso",
    ),
    Command("check_ltlspec_bmc_inc", SELECT, Action::Check(What::Ltl, How::Bounded), "as check_ltlspec_bmc"),
    Command("check_ltlspec_sbmc", SELECT, Action::Check(What::Ltl, How::Bounded), "as check_ltlspec_bmc"),
    Command("check_ltlspec_sbmc_inc", SELECT, Action::Check(What::Ltl, How::Bounded), "as check_ltlspec_bmc"),
    Command("msat_check_ltlspec_bmc", SELECT, Action::Check(What::Ltl, How::Bounded), "as check_ltlspec_bmc"),
    Command("check_ctlspec", "n:P:p:o:", Action::Check(What::Ctl, How::Best), "check formulas of CTL"),
    Command(
        "check_property",
        "n:P:p:o:cli",
        Action::Check(What::All, How::Best),
        "check all: -i invariants, -l SELECT, -c CTL only",
    ),
    Command("show_property", "", Action::ShowProperty, "the properties, and what is known about them"),
    Command(
        "pick_state",
        "rvaic:",
        Action::Pick,
        "begin a simulation in an initial state: -r at random, -v show it",
    ),
    Command(
        "simulate",
        "k:rvaipc:",
        Action::Simulate,
        "go on with the simulation for -k N steps; -v shows it",
    ),
    Command("show_traces", "a", Action::ShowTraces, "the last trace, a trace by its number, or all (-a)"),
    Command("set", "", Action::Set, "set a variable of the session, or show all"),
    Command("unset", "", Action::Unset, "forget a variable of the session"),
    Command("echo", "n", Action::Echo, "print its words"),
    Command("help", "", Action::Help, "the commands there are"),
    Command("source", "", Action::Source, "run the commands of a file"),
    Command("time", "", Action::Time, "how long the session has gone on"),
    Command("quit", "sx", Action::Quit, "end the session"),
];

/// A trace of the session.
struct Shown {
    trace: WordTrace,
    description: &'static str,
    kind: &'static str,
}

/// A session: a model, what is known about it, and variables that scripts set.
pub struct Session {
    model: Option<WordModel>,
    path: Option<PathBuf>,
    /// For each property, if it was checked, whether it holds.
    verdicts: Vec<Option<bool>>,
    traces: Vec<Shown>,
    variables: Vec<(String, String)>,
    /// Are counterexamples left out (`-dcx`)?
    pub quiet: bool,
    pub n_threads: usize,
    cancel: Cancel,
    seed: u64,
    start: Instant,
    depth: usize,
    /// Is the session over?
    pub is_over: bool,
    /// Has any command failed?
    pub has_failed: bool,
}

type Done = Result<(), String>;

impl Session {
    pub fn new(cancel: Cancel) -> Session {
        Session {
            model: None,
            path: None,
            verdicts: Vec::new(),
            traces: Vec::new(),
            variables: Vec::new(),
            quiet: false,
            n_threads: 1,
            cancel,
            seed: 0,
            start: Instant::now(),
            depth: 0,
            is_over: false,
            has_failed: false,
        }
    }

    /// Read a model.
    pub fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let model = match kinds::read(path)? {
            Model::Words(model) => model,
            Model::Bits(_) => {
                let message =
                    format!("{}: this is a circuit, and the commands of nuXmv are for SMV", path.display());
                return Err(Failure::bad_input(message).with_hint("`indubit check` decides it"));
            }
        };
        self.verdicts = vec![None; model.system().properties.len()];
        (self.model, self.path) = (Some(model), Some(path.to_owned()));
        self.traces.clear();
        Ok(())
    }

    /// All that a line says.
    pub fn line(&mut self, line: &str) -> Result<(), Failure> {
        let all = match commands(line) {
            Ok(all) => all,
            Err(why) => return self.fail("", &why),
        };
        for words in all {
            if self.is_over {
                break;
            }
            if let Err(why) = self.command(&words)? {
                self.fail(&words[0], &why)?;
            }
        }
        Ok(())
    }

    /// Everything that is wrong is said, and a script goes on unless it wants to end then.
    fn fail(&mut self, command: &str, why: &str) -> Result<(), Failure> {
        self.has_failed = true;
        let place = if command.is_empty() { String::new() } else { format!("{command}: ") };
        terminal::stderr(&format!("{place}{why}\n"));
        if self.is_set("on_failure_script_quits") {
            self.is_over = true;
        }
        Ok(())
    }

    fn is_set(&self, name: &str) -> bool {
        self.variables.iter().any(|(n, value)| n == name && !["0", "FALSE", "no"].contains(&value.as_str()))
    }

    fn command(&mut self, words: &[String]) -> Result<Done, Failure> {
        let Some(Command(_, options, action, _)) = COMMANDS.iter().find(|c| c.0 == words[0]) else {
            let names = COMMANDS.iter().map(|c| c.0);
            let close = names.filter(|name| is_similar(name, &words[0])).collect::<Vec<_>>();
            let advice = if close.is_empty() {
                "`help` lists the commands".into()
            } else {
                format!("did you mean {}?", close.join(" or "))
            };
            return Ok(Err(format!("there is no such command ({advice})")));
        };
        let checks = matches!(action, Action::Check(..));
        let known = if checks { format!("{options}{TUNING}") } else { (*options).to_owned() };
        let given = match Given::new(&words[1..], &known) {
            Ok(given) => given,
            Err(why) => return Ok(Err(why)),
        };
        for letter in given.letters().filter(|&letter| !options.contains(letter)) {
            terminal::stderr(&format!(
                "{}: -{letter} is about another program's search, and changes nothing\n",
                words[0]
            ));
        }
        match action {
            Action::Read => {
                let path = given.value('i').map(PathBuf::from).or(self.path.clone());
                let Some(path) = path else { return Ok(Err("which model? -i FILE".into())) };
                return match self.read(&path) {
                    Ok(()) => Ok(Ok(())),
                    Err(failure) => {
                        failure.print();
                        Ok(Err("the model was not read".into()))
                    }
                };
            }
            Action::Prepare => return Ok(self.system().map(drop)),
            Action::Reset => {
                (self.model, self.verdicts) = (None, Vec::new());
                self.traces.clear();
            }
            Action::Check(what, how) => return self.check(*what, *how, &given),
            Action::ShowProperty => return self.show_property(),
            Action::Pick => return self.walk(&given, 1),
            Action::Simulate => {
                let steps = match given.number('k') {
                    Ok(steps) => steps.unwrap_or(STEPS),
                    Err(why) => return Ok(Err(why)),
                };
                return self.walk(&given, steps as usize + 1);
            }
            Action::ShowTraces => return self.show_traces(&given),
            Action::Set => match &given.rest[..] {
                [] => {
                    let all: String =
                        self.variables.iter().map(|(n, v)| format!("{n} \t\"{v}\"\n")).collect();
                    terminal::stdout(&all)?;
                }
                [name, value @ ..] => {
                    self.variables.retain(|(n, _)| n != name);
                    self.variables.push((name.clone(), value.join(" ")));
                }
            },
            Action::Unset => self.variables.retain(|(n, _)| !given.rest.contains(n)),
            Action::Echo => {
                let end = if given.has('n') { "" } else { "\n" };
                terminal::stdout(&format!("{}{end}", given.rest.join(" ")))?;
            }
            Action::Help => {
                let shown = |c: &&Command| given.rest.is_empty() || given.rest.iter().any(|name| name == c.0);
                let lines = COMMANDS.iter().filter(shown).map(|c| format!("{:24} {}\n", c.0, c.3));
                terminal::stdout(&lines.collect::<String>())?;
            }
            Action::Source => match &given.rest[..] {
                [path] => return self.source(Path::new(path)),
                _ => return Ok(Err("which file?".into())),
            },
            Action::Time => {
                let seconds = self.start.elapsed().as_secs_f64();
                terminal::stdout(&format!("elapse: {seconds:.2} seconds, total: {seconds:.2} seconds\n"))?;
            }
            Action::Quit => self.is_over = true,
        }
        Ok(Ok(()))
    }

    /// The commands of a file.
    pub fn source(&mut self, path: &Path) -> Result<Done, Failure> {
        if self.depth >= DEEPEST {
            return Ok(Err("scripts call each other too deeply".into()));
        }
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return Ok(Err(format!("{}: {error}", path.display()))),
        };
        self.depth += 1;
        for line in text.lines() {
            if self.is_over {
                break;
            }
            self.line(line)?;
        }
        self.depth -= 1;
        Ok(Ok(()))
    }

    fn system(&self) -> Result<&WordSystem, String> {
        match &self.model {
            Some(model) => Ok(model.system()),
            None => Err("there is no model yet: read_model -i FILE".into()),
        }
    }

    /// The positions of the properties that a command is about; a formula is added as one.
    fn selected(&mut self, what: What, given: &Given) -> Result<Vec<usize>, String> {
        self.system()?;
        let Some(model) = &mut self.model else { return Ok(Vec::new()) };
        if let Some(text) = given.value('p') {
            match what {
                What::Ltl => lemmas::add_word_ltl(model, text).map_err(|error| error.to_string())?,
                What::Invar | What::All => add_invariant(model, text)?,
                What::Ctl => return Err("formulas of CTL are not decided yet".into()),
            }
            self.verdicts.push(None);
            return Ok(vec![self.verdicts.len() - 1]);
        }
        let properties = &model.system().properties;
        if let Some(number) = given.number('n')? {
            let index = number as usize;
            return match properties.get(index) {
                Some(_) => Ok(vec![index]),
                None => Err(format!("there is no property {index}: the model has {}", properties.len())),
            };
        }
        if let Some(name) = given.value('P') {
            let found = properties.iter().position(|p| p.label() == name);
            return found.map(|i| vec![i]).ok_or_else(|| format!("there is no property `{name}`"));
        }
        let wanted = |p: &Property<Term>| match (what, p.id) {
            (What::Invar, PropertyId::Invar(_)) | (What::Ltl, PropertyId::Ltl(_)) => true,
            (What::Ctl, PropertyId::Ctl(_)) => true,
            (What::All, id) => match (given.has('i'), given.has('l'), given.has('c')) {
                (false, false, false) => true,
                (i, l, c) => {
                    i && matches!(id, PropertyId::Invar(_))
                        || l && matches!(id, PropertyId::Ltl(_))
                        || c && matches!(id, PropertyId::Ctl(_))
                }
            },
            _ => false,
        };
        Ok((0..properties.len()).filter(|&i| wanted(&properties[i])).collect())
    }

    fn check(&mut self, what: What, how: How, given: &Given) -> Result<Done, Failure> {
        let (selected, bound) = match (self.selected(what, given), given.number('k')) {
            (Ok(selected), Ok(bound)) => (selected, bound),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
        let mut done = Ok(());
        for index in selected {
            let Some(model) = &self.model else { break };
            let system = model.system();
            let property = &system.properties[index];
            if let Claim::Ctl(_) = property.claim {
                done = Err(format!("{}: formulas of CTL are not decided yet", property.label()));
                continue;
            }
            let is_live = matches!(property.claim, Claim::Ltl(_));
            let bits = is_circuit::<Words>(system, indubit::system::ARRAY_BITS);
            let plan: Plan = match (how, is_live, bits) {
                (How::Ic3, false, true) => EngineId::Ic3.into(),
                (How::Ic3, false, false) => EngineId::Ic3ia.into(),
                (How::KLiveness, true, true) => EngineId::Klive.into(),
                (How::Bounded, false, _) => EngineId::Bmc.into(),
                (How::Bounded, true, _) => EngineId::Lasso.into(),
                _ => Plan::portfolio(self.n_threads),
            };
            let limit = if how == How::Bounded { Some(bound.unwrap_or(BOUND)) } else { bound };
            let mut run = Run::new(self.cancel.child()).with_bound(limit);
            let verdict = match check::<Words>(system, index, plan, &mut run) {
                Ok(verdict) => verdict,
                Err(error) => {
                    done = Err(format!("{}: {error}", property.label()));
                    continue;
                }
            };
            let text = match (&verdict, verdict.trace()) {
                (Verdict::Unknown { safe_up_to: Some(k), .. }, _) if how == How::Bounded => {
                    format!("-- no counterexample found with bound {k}\n")
                }
                (Verdict::Unknown { stop, .. }, _) => {
                    format!("-- {} is unknown: {stop}\n", property.label())
                }
                (verdict, None) => show::verdict(property, verdict.truth() == Some(true)),
                (verdict, Some(trace)) => {
                    let mut text = show::verdict(property, verdict.truth() == Some(true));
                    let description = if is_live { "LTL Counterexample" } else { "Counterexample" };
                    if !self.quiet {
                        text += "-- as demonstrated by the following execution sequence\n";
                        text +=
                            &show::trace(model, trace, self.traces.len() + 1, description, "Counterexample");
                        self.traces.push(Shown { trace: trace.clone(), description, kind: "Counterexample" });
                    }
                    text
                }
            };
            self.verdicts[index] = verdict.truth();
            match given.value('o') {
                Some(file) => output::save(Path::new(file), text.as_bytes())?,
                None => terminal::stdout(&text)?,
            }
        }
        Ok(done)
    }

    fn show_property(&self) -> Result<Done, Failure> {
        let system = match self.system() {
            Ok(system) => system,
            Err(why) => return Ok(Err(why)),
        };
        let mut text = String::from(
            "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****\n--------------------------  PROPERTY LIST  -------------------------\n",
        );
        for (index, (property, verdict)) in system.properties.iter().zip(&self.verdicts).enumerate() {
            let kind = match property.id {
                PropertyId::Ltl(_) => "LTL",
                PropertyId::Ctl(_) => "CTL",
                _ => "Invar",
            };
            let status = match verdict {
                None => "Unchecked",
                Some(true) => "True",
                Some(false) => "False",
            };
            text += &format!("{index:03} :{} \n  [{kind:<15}{status:<15}N/A    N/A]\n", property.label());
        }
        terminal::stdout(&text)?;
        Ok(Ok(()))
    }

    /// A random run.
    fn walk(&mut self, given: &Given, n_states: usize) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.system().map(drop)) };
        if given.has('i') || given.has('c') || given.has('a') {
            let why = "states are chosen at random: -i, -a and -c are not there yet";
            return Ok(Err(why.into()));
        }
        self.seed += 1;
        let run = Run::new(self.cancel.child()).with_seed(self.seed);
        let found = match indubit::simulate::<Words>(model.system(), n_states, None, &run) {
            Ok(Ok(Some(found))) => found,
            Ok(Ok(None)) => return Ok(Err("there is no initial state".into())),
            Ok(Err(stop)) => return Ok(Err(stop.to_string())),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let (description, kind) = ("Simulation Trace", "Simulation");
        if given.has('v') || given.has('p') {
            let shown = show::trace(model, &found.trace, self.traces.len() + 1, description, kind);
            terminal::stdout(&shown)?;
        }
        if found.is_stuck {
            terminal::stdout("-- the last state has no successor: the transition relation is not total\n")?;
        }
        self.traces.push(Shown { trace: found.trace, description, kind });
        Ok(Ok(()))
    }

    fn show_traces(&self, given: &Given) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.system().map(drop)) };
        let numbers: Vec<usize> = match (&given.rest[..], given.has('a')) {
            (_, true) => (0..self.traces.len()).collect(),
            ([], false) => self.traces.len().checked_sub(1).into_iter().collect(),
            (some, false) => some.iter().filter_map(|n| n.parse::<usize>().ok()?.checked_sub(1)).collect(),
        };
        if numbers.is_empty() {
            return Ok(Err("there are no traces".into()));
        }
        for number in numbers {
            let Some(Shown { trace, description, kind }) = self.traces.get(number) else {
                return Ok(Err(format!("there is no trace {}", number + 1)));
            };
            terminal::stdout(&show::trace(model, trace, number + 1, description, kind))?;
        }
        Ok(Ok(()))
    }

    /// How the process ends.
    pub fn code(&self) -> Code {
        if self.has_failed { Code::BadInput } else { Code::Done }
    }
}

/// The property that a formula holds in every state.
fn add_invariant(model: &mut WordModel, text: &str) -> Result<(), String> {
    let read = lemmas::parse_words(text.as_bytes(), model).map_err(|error| error.to_string())?;
    let [holds] = read.candidates[..] else { return Err("one formula is wanted".into()) };
    let system = model.system_mut();
    system.terms = read.terms;
    system.add_invar(text, holds);
    Ok(())
}

/// Is one of these meant where the other was typed?
fn is_similar(a: &str, b: &str) -> bool {
    strsim::damerau_levenshtein(a, b) <= if b.len() < 5 { 1 } else { 2 }
}
