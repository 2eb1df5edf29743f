//! Verdicts, states and traces in the phrasing that scripts for NuSMV and nuXmv look for.

use indubit::WordTrace;
use indubit::formats::model::WordModel;
use indubit::formats::smv::{Definitions, Section};
use indubit::formats::word_text;
use indubit::term::{Term, Value};
use std::fmt::Write;

/// The ways to show a trace, by the numbers that NuSMV gives them.
pub const PLUGINS: &[(u32, &str)] = &[
    (0, "BASIC TRACE EXPLAINER - shows changes only"),
    (1, "BASIC TRACE EXPLAINER - shows all variables"),
    (2, "TRACE TABLE PLUGIN - symbols on column"),
    (4, "TRACE XML DUMP PLUGIN - an xml document"),
    (6, "TRACE XML EMBEDDED DUMP PLUGIN - an xml element"),
    (7, "Empty Trace Plugin"),
];

/// How a model is shown: the order of its variables, and its definitions.
pub struct Shown<'m> {
    model: &'m WordModel,
    /// The positions of state variables, what never changes first.
    states: Vec<usize>,
    inputs: Vec<usize>,
    definitions: Option<&'m Definitions>,
}

/// A name and a value.
type Line = (String, String);

/// Which part of a trace, and how.
#[derive(Clone, Copy)]
pub struct Slice {
    /// The first and the last state, counted from 1.
    pub from: usize,
    pub to: Option<usize>,
    pub plugin: u32,
}

impl Default for Slice {
    fn default() -> Slice {
        Slice { from: 1, to: None, plugin: 0 }
    }
}

/// What a trace is called.
pub struct Title<'t> {
    pub number: usize,
    pub description: &'t str,
    pub kind: &'t str,
}

impl<'m> Shown<'m> {
    /// With definitions, if they are to be shown.
    pub fn new(model: &'m WordModel, definitions: Option<&'m Definitions>) -> Shown<'m> {
        let system = model.system();
        let is_frozen = |i: &usize| section(model, system.states[*i].current) == Some(Section::Frozen);
        let all = (0..system.states.len()).filter(|&i| is_visible(model, system.states[i].current));
        let (mut states, others): (Vec<usize>, Vec<usize>) = all.partition(is_frozen);
        states.extend(others);
        let inputs = (0..system.inputs.len()).filter(|&i| is_visible(model, system.inputs[i])).collect();
        Shown { model, states, inputs, definitions }
    }
    /// The variables of a state and their values, and definitions.
    pub fn state(&self, values: &[Value]) -> Vec<Line> {
        let system = self.model.system();
        let line = |&i: &usize| {
            (system.state_name(i).to_owned(), value(self.model, system.states[i].current, &values[i]))
        };
        let mut lines: Vec<Line> = self.states.iter().map(line).collect();
        if let Some(definitions) = self.definitions {
            let trace = WordTrace::finite(vec![values.to_vec()], vec![zeros(self.model)]);
            let defined = definitions.values(&trace.values_at(system, 0));
            lines.extend(definitions.names().map(str::to_owned).zip(defined));
        }
        lines
    }
    /// The inputs of a step and their values.
    pub fn inputs(&self, values: &[Value]) -> Vec<Line> {
        let system = self.model.system();
        let line =
            |&i: &usize| (system.input_name(i).to_owned(), value(self.model, system.inputs[i], &values[i]));
        self.inputs.iter().map(line).collect()
    }
    /// A part of a trace, in one of the ways.
    pub fn trace(&self, trace: &WordTrace, title: &Title<'_>, slice: Slice) -> String {
        let rows = self.rows(trace);
        match slice.plugin {
            2 => self.table(&rows, slice),
            4 => format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", xml(&rows, trace, title, slice)),
            6 => xml(&rows, trace, title, slice),
            7 => String::new(),
            plugin => blocks(&rows, trace, title, slice, plugin == 1),
        }
    }
    /// The states of a trace, a lasso up to the state that it goes back to, each with the inputs that led to it.
    fn rows(&self, trace: &WordTrace) -> Vec<(Vec<Line>, Vec<Line>)> {
        let n_steps = trace.states.len();
        let at = |step: usize| if step < n_steps { step } else { trace.loops_to.unwrap_or(0) };
        let row = |step: usize| {
            let inputs = step.checked_sub(1).map_or(Vec::new(), |before| self.inputs(&trace.inputs[before]));
            (inputs, self.state(&trace.states[at(step)]))
        };
        (0..n_steps + usize::from(trace.loops_to.is_some())).map(row).collect()
    }
    fn table(&self, rows: &[(Vec<Line>, Vec<Line>)], slice: Slice) -> String {
        let Some((_, first)) = rows.first() else { return String::new() };
        let inputs = rows.get(1).map_or(&[][..], |row| &row.0);
        let names: Vec<&str> = first.iter().chain(inputs).map(|line| &*line.0).collect();
        let mut text = format!("Name\t{}\t\n", names.join("\t"));
        for (i, (inputs, state)) in within(rows, slice) {
            if !inputs.is_empty() {
                let values: Vec<&str> = inputs.iter().map(|line| &*line.1).collect();
                let _ = writeln!(text, "I{}\t{}{}\t", i + 1, "-\t".repeat(state.len()), values.join("\t"));
            }
            let values: Vec<&str> = state.iter().map(|line| &*line.1).collect();
            let _ = writeln!(
                text,
                "S{}\t{}\t{}",
                i + 1,
                values.join("\t"),
                "-\t".repeat(names.len() - state.len())
            );
        }
        text
    }
}

/// The rows of a slice, with their positions.
fn within<T>(rows: &[T], slice: Slice) -> impl Iterator<Item = (usize, &T)> {
    let to = slice.to.unwrap_or(rows.len());
    rows.iter().enumerate().filter(move |(i, _)| (slice.from..=to).contains(&(i + 1)))
}

fn blocks(
    rows: &[(Vec<Line>, Vec<Line>)],
    trace: &WordTrace,
    title: &Title<'_>,
    slice: Slice,
    everything: bool,
) -> String {
    let Title { number, description, kind } = title;
    let mut text = format!("Trace Description: {description} \nTrace Type: {kind} \n");
    let (mut last_inputs, mut last_state): (&[Line], &[Line]) = (&[], &[]);
    for (i, (inputs, state)) in within(rows, slice) {
        if !inputs.is_empty() {
            let _ = writeln!(text, "  -> Input: {number}.{} <-", i + 1);
            changed(&mut text, inputs, if everything { &[] } else { last_inputs });
            last_inputs = inputs;
        }
        if trace.loops_to == Some(i) {
            text += "  -- Loop starts here\n";
        }
        let _ = writeln!(text, "  -> State: {number}.{} <-", i + 1);
        changed(&mut text, state, if everything { &[] } else { last_state });
        last_state = state;
    }
    text
}

/// What is not as it was.
fn changed(text: &mut String, now: &[Line], before: &[Line]) {
    for (i, line) in now.iter().enumerate() {
        if before.get(i) != Some(line) {
            let _ = writeln!(text, "    {} = {}", line.0, line.1);
        }
    }
}

fn xml(rows: &[(Vec<Line>, Vec<Line>)], trace: &WordTrace, title: &Title<'_>, slice: Slice) -> String {
    let kind = if title.kind == "Simulation" { 1 } else { 0 };
    let description = escaped(title.description);
    let mut text =
        format!("<counter-example type=\"{kind}\" id=\"{}\" desc=\"{description}\" >\n", title.number);
    let values = |text: &mut String, lines: &[Line]| {
        for (name, value) in lines {
            let _ = writeln!(text, "\t\t\t<value variable=\"{}\">{}</value>", escaped(name), escaped(value));
        }
    };
    for (i, (_, state)) in within(rows, slice) {
        let _ = writeln!(text, "\t<node>\n\t\t<state id=\"{}\">", i + 1);
        values(&mut text, state);
        text += "\t\t</state>\n";
        if let Some((inputs, _)) = rows.get(i + 1).filter(|row| !row.0.is_empty()) {
            let _ = writeln!(text, "\t\t<input id=\"{}\">", i + 2);
            values(&mut text, inputs);
            text += "\t\t</input>\n";
        }
        text += "\t</node>\n";
    }
    let loops = trace.loops_to.map_or(String::new(), |state| format!(" {} ", state + 1));
    let _ = writeln!(text, "\t<loops>{loops}</loops>\n</counter-example>");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn zeros(model: &WordModel) -> Vec<Value> {
    let system = model.system();
    system.inputs.iter().map(|&input| Value::zero(system.terms.sort(input))).collect()
}

/// Has a variable a name that somebody gave it?
pub fn is_visible(model: &WordModel, variable: Term) -> bool {
    let system = model.system();
    let name = system.terms.name(variable).unwrap_or_default();
    !name.starts_with('.') && !system.unnamed.contains(&variable)
}

/// The section of SMV that a variable is declared in.
pub fn section(model: &WordModel, variable: Term) -> Option<Section> {
    match model {
        WordModel::Smv(model) => model.section(variable),
        _ => None,
    }
}

fn value(model: &WordModel, variable: Term, value: &Value) -> String {
    match (model.tell(variable, value), value) {
        (Some(told), _) => told.text(),
        (None, Value::Bool(b)) => if *b { "TRUE" } else { "FALSE" }.into(),
        (None, value) => word_text::value(value),
    }
}
