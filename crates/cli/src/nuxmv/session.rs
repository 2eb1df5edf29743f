//! What a session knows, and how its commands are run.

use super::commands::{Action, COMMANDS, Command, How, What, find, similar};
use super::prompt::Lines;
use super::settings::Settings;
use super::specs::Spec;
use super::words::{Given, commands};
use crate::exit::{Code, Failure};
use crate::guard::Interrupts;
use crate::kinds::{self, Model};
use crate::{output, terminal};
use indubit::WordTrace;
use indubit::formats::model::WordModel;
use indubit::formats::smv::Definitions;
use indubit::run::Cancel;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Scripts may call scripts, but not for ever.
const DEEPEST: usize = 20;

/// What came of a command: nothing more to say, or what is wrong.
pub type Done = Result<(), String>;

/// A trace of the session.
pub struct Stored {
    pub trace: WordTrace,
    pub description: &'static str,
    pub kind: &'static str,
}

/// A session: a model, what is known about it, and variables that scripts set.
pub struct Session {
    pub model: Option<WordModel>,
    path: Option<PathBuf>,
    defined: Option<Definitions>,
    pub specs: Vec<Spec>,
    pub traces: Vec<Stored>,
    /// The trace of the simulation, counted from 0, and the state of it that is the current one.
    pub current: Option<(usize, usize)>,
    pub settings: Settings,
    pub n_threads: usize,
    /// Where lines come from, and choices between states.
    pub lines: Lines,
    /// Raised to end the command that is at work.
    pub cancel: Cancel,
    /// At a prompt, Ctrl-C ends a command and not the session.
    interrupts: Option<Interrupts>,
    pub random: fastrand::Rng,
    history: Vec<String>,
    start: Instant,
    depth: usize,
    /// What a command says that writes to a file.
    kept: Option<String>,
    /// Is the session over?
    pub is_over: bool,
    /// Has any command failed?
    has_failed: bool,
}

impl Session {
    pub fn new(lines: Lines, interrupts: Option<Interrupts>) -> Session {
        Session {
            model: None,
            path: None,
            defined: None,
            specs: Vec::new(),
            traces: Vec::new(),
            current: None,
            settings: Settings::new(),
            n_threads: 1,
            lines,
            cancel: Cancel::new(),
            interrupts,
            random: fastrand::Rng::with_seed(0),
            history: Vec::new(),
            start: Instant::now(),
            depth: 0,
            kept: None,
            is_over: false,
            has_failed: false,
        }
    }

    /// Read a model.
    pub fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let refused = |what: &str| {
            let message =
                format!("{}: this is {what}, and the commands of nuXmv are for SMV", path.display());
            Err(Failure::bad_input(message).with_hint("`indubit check` decides it"))
        };
        let model = match kinds::read(path)? {
            Model::Words(model @ WordModel::Smv(_)) => model,
            Model::Words(_) => return refused("a model in another language"),
            Model::Bits(_) => return refused("a circuit"),
        };
        self.forget();
        if let WordModel::Smv(smv) = &model {
            self.specs = smv.specifications().into_iter().map(Spec::new).collect();
            self.defined = Some(smv.definitions());
        }
        (self.model, self.path) = (Some(model), Some(path.to_owned()));
        Ok(())
    }
    fn forget(&mut self) {
        (self.model, self.defined, self.current) = (None, None, None);
        self.specs.clear();
        self.traces.clear();
    }

    /// All that a line says.
    pub fn line(&mut self, line: &str) -> Result<(), Failure> {
        let all = match commands(line) {
            Ok(all) => all,
            Err(why) => return self.fail("", &why),
        };
        if self.depth == 0 && !all.is_empty() {
            self.history.push(line.trim().to_owned());
        }
        if self.depth == 0 && self.interrupts.is_some() {
            // Whoever was interrupted before begins anew.
            self.cancel = Cancel::new();
        }
        let watching = match &self.interrupts {
            Some(interrupts) if self.depth == 0 => Some(interrupts.watch(&self.cancel)?),
            _ => None,
        };
        for words in all {
            if self.is_over {
                break;
            }
            if let Err(why) = self.command(&words)? {
                self.fail(&words[0], &why)?;
            }
            if self.cancel.reason().is_some() {
                break;
            }
        }
        drop(watching);
        self.teach();
        Ok(())
    }
    /// Everything that is wrong is said, and a script goes on unless it wants to end then.
    fn fail(&mut self, command: &str, why: &str) -> Result<(), Failure> {
        self.has_failed = true;
        let place = if command.is_empty() { String::new() } else { format!("{command}: ") };
        terminal::stderr(&format!("{place}{why}\n"));
        if self.settings.is_on("on_failure_script_quits") && (self.depth > 0 || !self.lines.is_edited()) {
            self.is_over = true;
        }
        Ok(())
    }
    /// Print something, or keep it for the file that the command writes.
    pub fn say(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.kept {
            Some(kept) => {
                kept.push_str(text);
                Ok(())
            }
            None => terminal::stdout(text),
        }
    }
    fn command(&mut self, words: &[String]) -> Result<Done, Failure> {
        let Some(command) = find(&words[0]) else {
            let close = similar(COMMANDS.iter().map(|c| c.0), &words[0]);
            let advice = match &close[..] {
                [] => "`help` lists the commands".into(),
                close => format!("did you mean {}?", close.join(" or ")),
            };
            return Ok(Err(format!("there is no such command ({advice})")));
        };
        let given = match Given::new(&words[1..], &command.known()) {
            Ok(given) => given,
            // What cannot be done is not done with any options.
            Err(_) if matches!(command.2, Action::Refused(_)) => Given::default(),
            Err(why) => return Ok(Err(why)),
        };
        if given.has('h') {
            self.say(&command.usage())?;
            return Ok(Ok(()));
        }
        let is_check = matches!(command.2, Action::Check(..));
        if is_check {
            self.note_tuning(command.0, command.1, &given);
        }
        let is_bounded = matches!(command.2, Action::Check(_, How::Bounded | How::OneBound));
        let file = match given.value('o') {
            Some(file) if is_bounded => {
                terminal::stderr(&format!(
                    "{}: problems are not written as DIMACS, so not to {file}\n",
                    command.0
                ));
                None
            }
            file => file.map(PathBuf::from),
        };
        if file.is_some() {
            self.kept = Some(String::new());
        }
        let done = self.act(command, &given);
        let kept = self.kept.take();
        // Whoever could not do anything writes nothing.
        let is_something = |kept: &String| !kept.is_empty() || matches!(done, Ok(Ok(())));
        if let (Some(file), Some(kept)) = (file, kept.filter(is_something))
            && let Err(failure) = output::save(&file, kept.as_bytes())
        {
            failure.print();
            return Ok(Err(format!("{} was not written", file.display())));
        }
        done
    }
    fn act(&mut self, command: &Command, given: &Given) -> Result<Done, Failure> {
        match command.2 {
            Action::Read => return self.read_again(given.value('i').map(PathBuf::from)),
            Action::Prepare => {
                if self.model.is_none() && self.settings.input_file().is_some() {
                    return self.read_again(None);
                }
                return Ok(self.need_model());
            }
            Action::Nothing => terminal::stderr(&format!("{}: {}\n", command.0, command.3)),
            Action::Refused(why) => return Ok(Err(why.into())),
            Action::Reset => self.forget(),
            Action::Process => return self.check(What::All, How::Best, &Given::default()),
            Action::Check(what, how) => return self.check(what, how, given),
            Action::ShowProperty => return self.show_property(given),
            Action::AddProperty => return self.add_property(given),
            Action::ConvertProperty => return self.convert_properties(given),
            Action::Pick => return self.pick_state(given),
            Action::Simulate => return self.simulate(given),
            Action::GotoState => return self.goto_state(given),
            Action::CurrentState => return self.print_current_state(given),
            Action::ShowTraces => return self.show_traces(given),
            Action::ShowPlugins => return self.show_plugins(),
            Action::ShowVars => return self.show_vars(given),
            Action::ReachableStates => return self.print_reachable_states(given),
            Action::CheckFsm => return self.check_fsm(),
            Action::FsmStats => return self.print_fsm_stats(),
            Action::Set => return self.set(given),
            Action::Unset => given.rest.iter().for_each(|name| self.settings.unset(name)),
            Action::Echo => {
                let end = if given.has('n') { "" } else { "\n" };
                self.say(&format!("{}{end}", given.rest.join(" ")))?;
            }
            Action::Help => return self.help(given),
            Action::History => {
                let lines = self.history.iter().enumerate();
                let text: String = lines.map(|(i, line)| format!("{}\t{line}\n", i + 1)).collect();
                self.say(&text)?;
            }
            Action::Source => match &given.rest[..] {
                [path] => return self.source(Path::new(path)),
                _ => return Ok(Err("which file?".into())),
            },
            Action::Time => {
                let seconds = self.start.elapsed().as_secs_f64();
                self.say(&format!("elapse: {seconds:.2} seconds, total: {seconds:.2} seconds\n"))?;
            }
            Action::Quit => self.is_over = true,
        }
        Ok(Ok(()))
    }
    fn read_again(&mut self, path: Option<PathBuf>) -> Result<Done, Failure> {
        let Some(path) = path.or_else(|| self.settings.input_file()).or_else(|| self.path.clone()) else {
            return Ok(Err("which model? -i FILE".into()));
        };
        Ok(self.read(&path).map_err(|failure| {
            failure.print();
            "the model was not read".into()
        }))
    }
    fn set(&mut self, given: &Given) -> Result<Done, Failure> {
        match &given.rest[..] {
            [] => {
                let text = self.settings.list();
                self.say(&text)?;
            }
            [name, value @ ..] => match self.settings.set(name, &value.join(" ")) {
                Ok(Some(doubt)) => terminal::stderr(&format!("set: {doubt}\n")),
                Ok(None) => (),
                Err(why) => return Ok(Err(why)),
            },
        }
        Ok(Ok(()))
    }
    fn help(&mut self, given: &Given) -> Result<Done, Failure> {
        if given.rest.is_empty() {
            let is_there = |c: &&Command| !matches!(c.2, Action::Refused(_));
            let lines = COMMANDS.iter().filter(is_there).map(|c| format!("{:28} {}\n", c.0, c.purpose()));
            let text: String = lines.collect();
            self.say(&text)?;
        }
        for name in &given.rest {
            match find(name) {
                Some(command) => self.say(&command.usage())?,
                None => return Ok(Err(format!("there is no command `{name}`"))),
            }
        }
        Ok(Ok(()))
    }

    /// The commands of a file.
    pub fn source(&mut self, path: &Path) -> Result<Done, Failure> {
        if self.depth >= DEEPEST {
            return Ok(Err("scripts call each other too deeply".into()));
        }
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) => return Ok(Err(format!("{}: {error}", path.display()))),
        };
        self.depth += 1;
        for line in String::from_utf8_lossy(&text).lines() {
            if self.is_over || self.cancel.reason().is_some() {
                break;
            }
            self.line(line)?;
        }
        self.depth -= 1;
        Ok(Ok(()))
    }
    /// Tell the prompt what there is to complete.
    fn teach(&mut self) {
        if self.lines.is_edited() {
            let names = names(self);
            self.lines.learn(names);
        }
    }
    /// Lines until there are no more.
    pub fn converse(&mut self) -> Result<(), Failure> {
        self.teach();
        while !self.is_over {
            match self.lines.read("indubit > ")? {
                Some(line) => self.line(&line)?,
                None => break,
            }
        }
        Ok(())
    }

    /// That there is a model.
    pub fn need_model(&self) -> Done {
        match &self.model {
            Some(_) => Ok(()),
            None => Err("there is no model yet: read_model -i FILE".into()),
        }
    }
    /// The definitions, if traces show them.
    pub fn definitions(&self) -> Option<&Definitions> {
        self.defined.as_ref().filter(|_| self.settings.is_on("traces_show_defines"))
    }
    /// All definitions.
    pub fn all_definitions(&self) -> Option<&Definitions> {
        self.defined.as_ref()
    }
    /// How the process ends.
    pub fn code(&self) -> Code {
        if self.has_failed { Code::BadInput } else { Code::Done }
    }
}

/// What can be completed.
fn names(session: &Session) -> super::prompt::Names {
    let mut variables = Vec::new();
    if let Some(model) = &session.model {
        let system = model.system();
        let all = system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied());
        let visible = all.filter(|&variable| super::show::is_visible(model, variable));
        variables.extend(visible.filter_map(|variable| system.terms.name(variable).map(str::to_owned)));
        variables.extend(session.defined.iter().flat_map(|all| all.names().map(str::to_owned)));
    }
    let properties = session.specs.iter().filter_map(|spec| spec.says.name.clone()).collect();
    super::prompt::Names { variables, properties, settings: session.settings.names() }
}
