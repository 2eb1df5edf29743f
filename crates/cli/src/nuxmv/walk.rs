//! Simulation: picking a first state, going on from one, and going back.

use super::session::{Done, Session, Stored};
use super::show::{Shown, Slice, Title, is_visible};
use super::traces::label;
use super::words::Given;
use crate::exit::Failure;
use indubit::formats::model::WordModel;
use indubit::run::Run;
use indubit::term::{Term, Terms, Value};
use indubit::{Choice, Condition, Steps, Wanted, WordTrace};
use std::fmt::Write;

const DESCRIPTION: &str = "Simulation Trace";
const KIND: &str = "Simulation";

/// A command that somebody ended, or that went wrong.
enum Ended {
    Why(String),
    Failure(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Ended {
        Ended::Failure(failure)
    }
}

impl From<String> for Ended {
    fn from(why: String) -> Ended {
        Ended::Why(why)
    }
}

fn done(result: Result<(), Ended>) -> Result<Done, Failure> {
    match result {
        Ok(()) => Ok(Ok(())),
        Err(Ended::Why(why)) => Ok(Err(why)),
        Err(Ended::Failure(failure)) => Err(failure),
    }
}

/// A condition that has been read.
type Read = Option<(Terms, Condition)>;

impl Session {
    /// `pick_state`.
    pub fn pick_state(&mut self, given: &Given) -> Result<Done, Failure> {
        done(self.pick(given))
    }
    fn pick(&mut self, given: &Given) -> Result<(), Ended> {
        self.need_model()?;
        match given.value('s') {
            Some(text) => self.copy(text)?,
            None => {
                let condition = self.condition(given, true)?;
                match self.choose(None, condition, given)? {
                    Some(choice) => self.begin(choice.state),
                    None => {
                        return Err("the set of initial states is empty: no state can be chosen"
                            .to_owned()
                            .into());
                    }
                }
            }
        }
        if given.has('v') {
            self.show_current_trace(1, false)?;
        }
        Ok(())
    }
    /// `simulate`.
    pub fn simulate(&mut self, given: &Given) -> Result<Done, Failure> {
        done(self.go_on(given))
    }
    fn go_on(&mut self, given: &Given) -> Result<(), Ended> {
        self.need_model()?;
        let n_steps = given.number('k')?.unwrap_or(self.settings.number("default_simulation_steps"));
        let condition = self.condition(given, false)?;
        if self.current.is_none() {
            let anywhere = Given::default();
            match self.choose(None, None, &anywhere)? {
                Some(choice) => self.begin(choice.state),
                None => {
                    return Err("the set of initial states is empty: no state can be chosen"
                        .to_owned()
                        .into());
                }
            }
        }
        let Some((trace, from)) = self.current else { return Ok(()) };
        self.say(&format!(
            "********  Simulation Starting From State {}.{}   ********\n",
            trace + 1,
            from + 1
        ))?;
        if given.has('i') {
            for step in 1..=n_steps {
                let state = self.current_state().unwrap_or_default();
                match self.choose(Some(&state), condition.clone(), given)? {
                    Some(choice) => self.extend(choice),
                    None => {
                        self.say(&stopped(step))?;
                        break;
                    }
                }
            }
        } else if let Some(step) = self.run_on(n_steps, condition, given.has('r'))? {
            self.say(&stopped(step))?;
        }
        if given.has('v') || given.has('p') {
            self.show_current_trace(from + 1, given.has('v'))?;
        }
        Ok(())
    }
    /// Go on without questions; in which step there was nothing to go on with.
    fn run_on(&mut self, n_steps: u32, condition: Read, by_chance: bool) -> Result<Option<u32>, Ended> {
        let Some(model) = self.model.take() else { return Ok(None) };
        let is_shown = |variable: Term| is_visible(&model, variable);
        let run = Run::new(self.cancel.child());
        let walk = || -> Result<Option<u32>, String> {
            let wanted = Wanted { condition, is_visible: &is_shown };
            let mut steps =
                Steps::new(model.system(), false, wanted, &run).map_err(|error| error.to_string())?;
            for step in 1..=n_steps {
                let state = self.current_state().unwrap_or_default();
                let mut random = self.random.clone();
                let chance = by_chance.then_some(&mut random);
                let found = steps.choices(&state, 1, chance).map_err(|stop| stop.to_string())?;
                self.random = random;
                match found.into_iter().next() {
                    Some(choice) => self.extend_in(&model, choice),
                    None => return Ok(Some(step)),
                }
            }
            Ok(None)
        };
        let walked = walk();
        self.model = Some(model);
        Ok(walked?)
    }
    /// The condition that `-c` or `-t` says.
    fn condition(&self, given: &Given, is_first: bool) -> Result<Read, Ended> {
        let Some(WordModel::Smv(model)) = &self.model else { return Ok(None) };
        let (text, is_step) = match (given.value('c'), given.value('t')) {
            (Some(_), Some(_)) => return Err("either -c or -t".to_owned().into()),
            (Some(text), None) => (text, false),
            (None, Some(text)) => (text, !is_first),
            (None, None) => return Ok(None),
        };
        let (terms, formula) = model.condition(text, is_step).map_err(|error| error.to_string())?;
        Ok(Some((terms, if is_step { Condition::Step(formula) } else { Condition::State(formula) })))
    }
    /// A state to begin with, or one after a state: any, by chance, or by somebody's choice.
    fn choose(
        &mut self,
        from: Option<&[Value]>,
        mut condition: Read,
        given: &Given,
    ) -> Result<Option<Choice>, Ended> {
        let most = self.settings.number("shown_states").max(1) as usize;
        loop {
            let wanted = if given.has('i') { most + 1 } else { 1 };
            let choices = self.choices(from, condition.clone(), wanted, given.has('r'))?;
            if !given.has('i') {
                return Ok(choices.into_iter().next());
            }
            if choices.len() <= most {
                return self.ask(choices, from.is_some(), given.has('a'));
            }
            let prompt = format!("There are more than {most} states. Type a condition on states: ");
            self.prompt(&prompt)?;
            let Some(line) = self.lines.ask(&prompt)? else {
                return Err("nobody has chosen".to_owned().into());
            };
            let Some(WordModel::Smv(model)) = &self.model else { return Ok(None) };
            match model.condition(line.trim(), false) {
                Ok((terms, formula)) => condition = Some((terms, Condition::State(formula))),
                Err(error) => self.say(&format!("{error}\n"))?,
            }
        }
    }
    fn choices(
        &mut self,
        from: Option<&[Value]>,
        condition: Read,
        most: usize,
        by_chance: bool,
    ) -> Result<Vec<Choice>, Ended> {
        let Some(model) = &self.model else { return Ok(Vec::new()) };
        let is_shown = |variable: Term| is_visible(model, variable);
        let run = Run::new(self.cancel.child());
        let wanted = Wanted { condition, is_visible: &is_shown };
        let steps = Steps::new(model.system(), from.is_none(), wanted, &run);
        let mut steps = steps.map_err(|error| error.to_string())?;
        let chance = by_chance.then_some(&mut self.random);
        Ok(steps.choices(from.unwrap_or_default(), most, chance).map_err(|stop| stop.to_string())?)
    }
    /// A prompt, where the terminal does not show it by itself.
    fn prompt(&mut self, text: &str) -> Result<(), Failure> {
        if self.lines.is_edited() { Ok(()) } else { self.say(text) }
    }
    /// Which of these somebody chooses.
    fn ask(
        &mut self,
        mut choices: Vec<Choice>,
        is_step: bool,
        everything: bool,
    ) -> Result<Option<Choice>, Ended> {
        let Some(model) = &self.model else { return Ok(None) };
        if choices.is_empty() {
            return Ok(None);
        }
        let shown = Shown::new(model, None);
        let text = listed(&shown, &mut choices, is_step, everything);
        let last = choices.len() - 1;
        self.say(&text)?;
        if last == 0 {
            let prompt = "\nThere's only one available state. Press Return to Proceed.";
            self.prompt(prompt)?;
            if self.lines.ask(prompt.trim_start())?.is_none() {
                return Err("nobody has chosen".to_owned().into());
            }
            self.say("\nChosen state is: 0\n")?;
            return Ok(choices.pop());
        }
        loop {
            let prompt = format!("Choose a state from the above (0-{last}): ");
            self.prompt(&format!("\n{prompt}"))?;
            let Some(line) = self.lines.ask(&prompt)? else {
                return Err("nobody has chosen".to_owned().into());
            };
            match line.trim().parse::<usize>() {
                Ok(number) if number <= last => {
                    self.say(&format!("\nChosen state is: {number}\n"))?;
                    return Ok(Some(choices.swap_remove(number)));
                }
                _ if line.trim() == "quit" => return Err("nobody has chosen".to_owned().into()),
                _ => self.say(&format!("A number from 0 to {last} is wanted; `quit` chooses none.\n"))?,
            }
        }
    }
    /// A new trace of one state.
    fn begin(&mut self, state: Vec<Value>) {
        let Some(model) = &self.model else { return };
        let trace = WordTrace::finite(vec![state], vec![no_inputs(model)]);
        self.current = Some((self.traces.len(), 0));
        self.traces.push(Stored { trace, description: DESCRIPTION, kind: KIND });
    }
    fn extend(&mut self, choice: Choice) {
        if let Some(model) = self.model.take() {
            self.extend_in(&model, choice);
            self.model = Some(model);
        }
    }
    /// One state more.
    fn extend_in(&mut self, model: &WordModel, choice: Choice) {
        let Some((trace, state)) = &mut self.current else { return };
        let trace = &mut self.traces[*trace].trace;
        trace.inputs[*state] = choice.inputs;
        trace.inputs.push(no_inputs(model));
        trace.states.push(choice.state);
        *state += 1;
    }
    fn current_state(&self) -> Option<Vec<Value>> {
        let (trace, state) = self.current?;
        self.traces.get(trace)?.trace.states.get(state).cloned()
    }
    /// A new trace that is another one up to a state, which is the current one then.
    fn copy(&mut self, text: &str) -> Result<(), Ended> {
        let (number, state) =
            label(text).ok_or_else(|| format!("`{text}` is no state: 1.2 is the second one of trace 1"))?;
        let stored = self.traces.get(number.wrapping_sub(1)).map(|stored| &stored.trace);
        let Some(trace) = stored.filter(|trace| (1..=trace.states.len()).contains(&state)) else {
            return Err(format!("there is no state {text}").into());
        };
        let trace = WordTrace::finite(trace.states[..state].to_vec(), trace.inputs[..state].to_vec());
        self.current = Some((self.traces.len(), state - 1));
        self.traces.push(Stored { trace, description: DESCRIPTION, kind: KIND });
        Ok(())
    }
    /// `goto_state`.
    pub fn goto_state(&mut self, given: &Given) -> Result<Done, Failure> {
        let [state] = &given.rest[..] else { return Ok(Err("which state? goto_state 1.2".into())) };
        if let Err(why) = self.need_model() {
            return Ok(Err(why));
        }
        if let Err(ended) = self.copy(state) {
            return done(Err(ended));
        }
        let (Some((trace, state)), Some(lines)) = (self.current, self.current_lines()) else {
            return Ok(Ok(()));
        };
        let mut text =
            format!("The current state for new trace is:\n-> State {}.{} <-\n", trace + 1, state + 1);
        lines.iter().for_each(|(name, value)| text += &format!("    {name} = {value}\n"));
        self.say(&text)?;
        Ok(Ok(()))
    }
    /// `print_current_state`.
    pub fn print_current_state(&mut self, given: &Given) -> Result<Done, Failure> {
        let (Some((trace, state)), Some(lines)) = (self.current, self.current_lines()) else {
            return Ok(Err("there is no current state: pick_state chooses one".into()));
        };
        let mut text = format!("Current state is {}.{}\n", trace + 1, state + 1);
        if given.has('v') {
            lines.iter().for_each(|(name, value)| text += &format!("{name} = {value}\n"));
        }
        self.say(&text)?;
        Ok(Ok(()))
    }
    fn current_lines(&self) -> Option<Vec<(String, String)>> {
        let shown = Shown::new(self.model.as_ref()?, None);
        Some(shown.state(&self.current_state()?))
    }
    fn show_current_trace(&mut self, from: usize, everything: bool) -> Result<(), Failure> {
        let (Some((number, _)), Some(model)) = (self.current, &self.model) else { return Ok(()) };
        let title = Title { number: number + 1, description: DESCRIPTION, kind: KIND };
        let plugin = if everything { 1 } else { self.settings.number("default_trace_plugin") };
        let slice = Slice { from, plugin, ..Slice::default() };
        let text = Shown::new(model, self.definitions()).trace(&self.traces[number].trace, &title, slice);
        self.say(&text)
    }
}

fn stopped(step: u32) -> String {
    format!("No future state exists: trace not built.\nSimulation stopped at step {step}.\n")
}

fn no_inputs(model: &WordModel) -> Vec<Value> {
    let system = model.system();
    system.inputs.iter().map(|&input| Value::zero(system.terms.sort(input))).collect()
}

/// The choices with their numbers; those that lead to one state stand together, and are put in that order. Of a state only what differs from the one before is shown.
fn listed(shown: &Shown<'_>, choices: &mut Vec<Choice>, is_step: bool, everything: bool) -> String {
    type Lines = Vec<(String, String)>;
    let mut groups: Vec<(Lines, Vec<(Lines, Choice)>)> = Vec::new();
    for choice in choices.drain(..) {
        let state = shown.state(&choice.state);
        let inputs = if is_step { shown.inputs(&choice.inputs) } else { Vec::new() };
        match groups.iter_mut().find(|(other, _)| *other == state) {
            Some((_, ways)) => ways.push((inputs, choice)),
            None => groups.push((state, vec![(inputs, choice)])),
        }
    }
    let mut text = String::from("\n***************  AVAILABLE STATES  *************\n");
    let mut last: Lines = Vec::new();
    for (state, ways) in groups {
        text += "  \n  ================= State =================\n";
        let has_inputs = ways.iter().any(|(inputs, _)| !inputs.is_empty());
        if !has_inputs {
            let _ = writeln!(text, "  {}) -------------------------", choices.len());
        }
        for (i, line) in state.iter().enumerate() {
            if everything || last.get(i) != Some(line) {
                let _ = writeln!(text, "  {} = {}", line.0, line.1);
            }
        }
        if has_inputs {
            text += "    \n    This state is reachable through:\n";
        }
        let mut last_inputs: Lines = Vec::new();
        for (inputs, choice) in ways {
            if has_inputs {
                let _ = writeln!(text, "    {}) -------------------------", choices.len());
                for (i, line) in inputs.iter().enumerate() {
                    if everything || last_inputs.get(i) != Some(line) {
                        let _ = writeln!(text, "    {} = {}", line.0, line.1);
                    }
                }
                last_inputs = inputs;
            }
            choices.push(choice);
        }
        text += "  \n";
        last = state;
    }
    text
}
