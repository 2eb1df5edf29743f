//! A trace as a Yosys witness: JSON with the clocks, the signals by their paths, and in each step their bits, those of the first signal last. Signals of which only
//! the first step is of interest, which are registers without an initial value, come behind all others.
//!
//! In a design an assertion with a clock looks at what was there before the clock ticks, and fails when it does; in a model that was elaborated from Verilog it fails in the step it
//! is about. The witness of a trace for such a property has one more step, so that the assertion fails where the design runs.

use super::Ywb;
use crate::btor2::Btor2;
use crate::signals::{is_made_up, split_index};
use indubit_aig::simulate;
use indubit_system::{BitSystem, Clock, Origin, Trace, WordTrace};
use indubit_term::Value;

/// Bits of a signal, and where the values come from.
struct Row {
    origin: Origin,
    is_initial: bool,
    /// In each step, least significant first.
    bits: Vec<Vec<bool>>,
}

/// The witness of a trace of a circuit. What it has no path for, by a map or by a name, is not in it.
pub fn of_bits(model: &BitSystem, trace: &Trace) -> String {
    let origins = match &model.naming.origins[..] {
        [] => named_inputs(model),
        origins => origins.to_vec(),
    };
    let rows = origins.into_iter().map(|(input, origin, is_initial)| {
        let bits = trace.inputs.iter().map(|row| vec![row.get(input).copied().unwrap_or(false)]).collect();
        Row { origin, is_initial, bits }
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.extend(uninitialised(model, trace));
    write(&model.naming.clocks, rows, trace.inputs.len())
}

/// Inputs that have names, as their paths.
fn named_inputs(model: &BitSystem) -> Vec<(usize, Origin, bool)> {
    let named = |i: usize| {
        let input = &model.inputs()[i];
        let label = input.name.as_ref().map(|_| model.input_label(i)).filter(|name| !is_made_up(name))?;
        let (name, is_initial) = match label.strip_prefix("init:") {
            Some(register) => (register, true),
            None => (&label[..], false),
        };
        Some((i, bit(name), is_initial))
    };
    (0..model.inputs().len()).filter_map(named).collect()
}

/// Latches without an initial value, by their names.
fn uninitialised(model: &BitSystem, trace: &Trace) -> Vec<Row> {
    let values = trace.inputs.first().map_or(Vec::new(), |inputs| model.evaluate(&trace.initial, inputs));
    let row = |latch: &indubit_system::Latch| {
        let shown = crate::signals::leaf(model, latch.var, latch.name.as_ref());
        let name = shown.name.map(ToString::to_string).filter(|name| !is_made_up(name))?;
        let bits = vec![vec![simulate::value(&values, shown.lit)]];
        Some(Row { origin: bit(&name), is_initial: true, bits })
    };
    let open = model.latches().iter().filter(|latch| latch.is_uninitialised() && !values.is_empty());
    open.filter_map(row).collect()
}

/// `u0.count[3]` as a bit of a signal.
fn bit(name: &str) -> Origin {
    let (base, offset) = split_index(name).map_or((name, 0), |(base, _, index)| (base, index));
    Origin { path: path(base), offset, width: 1 }
}

/// A name as a path, as the design has it.
fn path(name: &str) -> Vec<String> {
    name.split('.').map(|part| format!("\\{part}")).collect()
}

/// The clock that an input of a design is.
pub fn clock(name: &str, is_falling: bool) -> Clock {
    let edge = if is_falling { "negedge" } else { "posedge" };
    Clock { origin: bit(name), edge: edge.to_owned() }
}

/// The witness of a trace that decides a property, by its label, of a model of BTOR2 that Yosys has written. Without a map, names are paths.
pub fn of_btor2(model: &Btor2, property: &str, trace: &WordTrace) -> String {
    let system = &model.system;
    let mut rows = Vec::new();
    let mut add = |parts: Vec<Origin>, is_initial: bool, values: Vec<&Value>| {
        let bit = |value: &Value, i: u32| match value {
            Value::Bool(bit) => *bit,
            value => value.as_bits().is_some_and(|bits| bits.bit(u64::from(i))),
        };
        let mut from = 0;
        for origin in parts {
            let range = from..from + origin.width;
            from = range.end;
            let bits = values.iter().map(|value| range.clone().map(|i| bit(value, i)).collect()).collect();
            rows.push(Row { origin, is_initial, bits });
        }
    };
    let own = |map: Option<&Vec<Origin>>, variable| match map {
        // Memories are not in a witness.
        _ if system.terms.sort(variable).width().is_none() => Vec::new(),
        Some(parts) => {
            parts.iter().filter(|part| !is_made_up(part.path.last().map_or("", |p| p))).cloned().collect()
        }
        None => named(system, variable),
    };
    let map = model.map.as_deref();
    for (i, &input) in system.inputs.iter().enumerate() {
        let parts = own(map.and_then(|map: &Ywb| map.inputs.get(i)), input);
        add(parts, false, trace.inputs.iter().filter_map(|row| row.get(i)).collect());
    }
    for i in 0..model.states.len() {
        let (has_init, has_next) = (model.inits[i].is_some(), model.nexts[i].is_some());
        let parts = own(map.and_then(|map| map.states.get(i)), system.states[i].current);
        if !has_init || !has_next {
            add(parts, has_next, trace.states.iter().filter_map(|row| row.get(i)).collect());
        }
    }
    let ticks_again = model.late.contains(property) && trace.loops_to.is_none();
    if ticks_again {
        // The inputs stay: that breaks no assumption that held of them.
        rows.iter_mut().for_each(|row| row.bits.extend(row.bits.last().cloned()));
    }
    write(&model.clocks, rows, trace.states.len() + usize::from(ticks_again))
}

/// A bit-vector by its name; nothing of others, and of what only tools have named.
fn named(system: &indubit_system::WordSystem, variable: indubit_term::Term) -> Vec<Origin> {
    let name = system.terms.name(variable).unwrap_or_default();
    let is_open = system.unnamed.contains(&variable) || name.starts_with('.') || is_made_up(name);
    match system.terms.sort(variable).width() {
        Some(width) if !is_open => vec![Origin { path: path(name), offset: 0, width }],
        _ => Vec::new(),
    }
}

fn write(clocks: &[Clock], mut rows: Vec<Row>, n_steps: usize) -> String {
    rows.sort_by(|a, b| (a.is_initial, &a.origin).cmp(&(b.is_initial, &b.origin)));
    // Bits of one signal that follow one another are one.
    let mut joined: Vec<Row> = Vec::new();
    for row in rows {
        match joined.last_mut() {
            Some(last) if last.is_initial == row.is_initial && is_before(&last.origin, &row.origin) => {
                last.origin.width += row.origin.width;
                last.bits.iter_mut().zip(row.bits).for_each(|(bits, more)| bits.extend(more));
            }
            _ => joined.push(row),
        }
    }
    let signals = joined.iter().map(|Row { origin, is_initial, .. }| {
        let Origin { path, offset, width } = origin;
        format!(
            "{{\"path\": {}, \"width\": {width}, \"offset\": {offset}, \"init_only\": {is_initial}}}",
            list(path)
        )
    });
    let clocks = clocks.iter().map(|Clock { origin, edge }| {
        let (path, edge) = (list(&origin.path), quoted(edge));
        format!("{{\"path\": {path}, \"edge\": {edge}, \"offset\": {}}}", origin.offset)
    });
    let steps = (0..n_steps).map(|step| {
        let shown = joined.iter().filter(|row| !row.is_initial || step == 0);
        let bits: Vec<bool> = shown.filter_map(|row| row.bits.get(step)).flatten().copied().collect();
        let bits: String = bits.iter().rev().map(|&bit| if bit { '1' } else { '0' }).collect();
        format!("{{\"bits\": \"{bits}\"}}")
    });
    let (clocks, signals, steps) = (lines(clocks), lines(signals), lines(steps));
    format!(
        "{{\n  \"format\": \"Yosys Witness Trace\",\n  \"generator\": \"Indubit\",\n  \"clocks\": {clocks},\n  \"signals\": {signals},\n  \"steps\": {steps}\n}}\n"
    )
}

/// A path as a list.
fn list(path: &[String]) -> String {
    format!("[{}]", path.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "))
}

/// A text as JSON writes it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A list with a line for each element.
fn lines(elements: impl Iterator<Item = String>) -> String {
    let elements: Vec<String> = elements.map(|element| format!("\n    {element}")).collect();
    if elements.is_empty() { "[]".into() } else { format!("[{}\n  ]", elements.join(",")) }
}

/// Does the second one begin where the first one ends?
fn is_before(first: &Origin, second: &Origin) -> bool {
    first.path == second.path && first.offset.checked_add(first.width) == Some(second.offset)
}
