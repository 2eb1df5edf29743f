//! Verdicts and traces in the phrasing that scripts for NuSMV and nuXmv look for.

use indubit::formats::model::WordModel;
use indubit::formats::word_text;
use indubit::term::{Term, Value};
use indubit::{Property, PropertyId, WordTrace};
use std::fmt::Write;

/// `-- invariant … is true`.
pub fn verdict(property: &Property<Term>, is_true: bool) -> String {
    let what = match property.id {
        PropertyId::Invar(_) => "invariant",
        _ => "specification",
    };
    format!("-- {what} {}  is {is_true}\n", property.label())
}

/// A trace as blocks of what changes.
pub fn trace(model: &WordModel, trace: &WordTrace, number: usize, description: &str, kind: &str) -> String {
    let system = model.system();
    let mut text = format!("Trace Description: {description} \nTrace Type: {kind} \n");
    let n_steps = trace.states.len();
    // A lasso is shown up to the state that it goes back to.
    let last = n_steps + usize::from(trace.loops_to.is_some());
    let at = |step: usize| if step < n_steps { step } else { trace.loops_to.unwrap_or(0) };
    for step in 0..last {
        if trace.loops_to == Some(step) {
            text += "  -- Loop starts here\n";
        }
        let before = step.checked_sub(1).map(at);
        if let Some(before) = before.filter(|_| !system.inputs.is_empty()) {
            let _ = writeln!(text, "  -> Input: {number}.{} <-", step + 1);
            let earlier = before.checked_sub(1).map(|row| &trace.inputs[row]);
            let names = (0..system.inputs.len()).map(|i| (system.input_name(i), system.inputs[i]));
            changed(&mut text, model, names, &trace.inputs[before], earlier);
        }
        let _ = writeln!(text, "  -> State: {number}.{} <-", step + 1);
        let names = (0..system.states.len()).map(|i| (system.state_name(i), system.states[i].current));
        changed(&mut text, model, names, &trace.states[at(step)], before.map(|row| &trace.states[row]));
    }
    text
}

fn changed<'n>(
    text: &mut String,
    model: &WordModel,
    names: impl Iterator<Item = (&'n str, Term)>,
    now: &[Value],
    before: Option<&Vec<Value>>,
) {
    for (i, (name, variable)) in names.enumerate() {
        let is_shown = !name.starts_with('.') && !model.system().unnamed.contains(&variable);
        if is_shown && before.is_none_or(|before| before[i] != now[i]) {
            let _ = writeln!(text, "    {name} = {}", value(model, variable, &now[i]));
        }
    }
}

fn value(model: &WordModel, variable: Term, value: &Value) -> String {
    match (model.tell(variable, value), value) {
        (Some(told), _) => told.text(),
        (None, Value::Bool(b)) => if *b { "TRUE" } else { "FALSE" }.into(),
        (None, value) => word_text::value(value),
    }
}
