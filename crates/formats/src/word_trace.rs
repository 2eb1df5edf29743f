//! Counterexamples over words: a table for people, and lines for programs.

use crate::smtlib::names::Names;
use crate::table::{Group, Table};
use crate::trace_table::{Options, headline};
use crate::word_text;
use indubit_system::{Property, WordSystem, WordTrace};
use indubit_term::{Term, Value};
use std::fmt::Write;

/// What is said of a state instead of the values of its variables.
pub type Place<'p> = dyn Fn(&[Value]) -> String + 'p;

/// The table of `trace`, which decides a property of `system`. After the first step it has only
/// what changes. With `place`, a state is what that says of it.
pub fn table(
    system: &WordSystem,
    property: &Property<Term>,
    trace: &WordTrace,
    place: Option<&Place<'_>>,
    options: Options,
) -> String {
    let last = trace.states.len().saturating_sub(1);
    headline(property, last) + "\n" + &steps(system, &property.label(), trace, place, options)
}

/// The steps of a trace alone, with what is to be said of the last one.
pub fn steps(
    system: &WordSystem,
    note: &str,
    trace: &WordTrace,
    place: Option<&Place<'_>>,
    options: Options,
) -> String {
    let last = trace.states.len().saturating_sub(1);
    let mut text = String::new();
    let names = |vars: Vec<Term>| {
        vars.iter().map(|&v| system.terms.name(v).unwrap_or_default().to_owned()).collect::<Vec<String>>()
    };
    let states = match place {
        Some(_) => Group::new("at", vec![String::new()]),
        None => Group::new("state", names(system.states.iter().map(|v| v.current).collect())),
    };
    let groups = [states, Group::new("inputs", names(system.inputs.clone()))];
    let mut table = Table::new(groups, String::clone, "--witness", options);
    let rows = trace.states.iter().zip(&trace.inputs);
    let shown = |values: &[Value]| values.iter().map(word_text::value).collect::<Vec<String>>();
    let values = |(states, inputs): (&Vec<Value>, &Vec<Value>)| {
        let states = place.map_or_else(|| shown(states), |place| vec![place(states)]);
        [states, shown(inputs)]
    };
    table.steps(&mut text, rows, values, |step| (step == last).then(|| note.to_owned()));
    text
}

/// The trace as text, one expression a line, all values in SMT-LIB's notation:
///
/// ```text
/// (violated |the property| 1)
/// (state 0 (x 0) (y (- 1)))
/// (inputs 0 (i true))
/// (state 1 (x 1) (y (/ 1.0 2.0)))
/// (inputs 1 (i false))
/// ```
///
/// The first line has the property and the step in which it is violated. Names are those that writing the system as VMT
/// gives its variables. A system without inputs has no lines about them.
pub fn write(system: &WordSystem, property: &str, trace: &WordTrace) -> String {
    let mut names = Names::default();
    let mut symbols: [Vec<String>; 2] = Default::default();
    for var in &system.states {
        symbols[0].push(names.add(&system.terms, var.current));
        names.add(&system.terms, var.next);
    }
    symbols[1].extend(system.inputs.iter().map(|&input| names.add(&system.terms, input)));
    let name = indubit_term::Symbol(property);
    let mut text = format!("(violated {name} {})\n", trace.states.len().saturating_sub(1));
    for (step, (states, inputs)) in trace.states.iter().zip(&trace.inputs).enumerate() {
        for (what, symbols, values) in [("state", &symbols[0], states), ("inputs", &symbols[1], inputs)] {
            if what == "inputs" && symbols.is_empty() {
                continue;
            }
            let _ = write!(text, "({what} {step}");
            for (symbol, value) in symbols.iter().zip(values) {
                let _ = write!(text, " ({symbol} {value})");
            }
            text.push_str(")\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::{BigRational, Sort};

    fn example() -> (WordSystem, WordTrace) {
        let mut system = WordSystem::new();
        system.add_state("x", Sort::Int);
        system.add_state("a time", Sort::Real);
        system.add_input("go", Sort::Bool);
        let half = |n: i32| Value::Real(BigRational::new(n.into(), 2.into()));
        let states = vec![
            vec![Value::int(0), half(0)],
            vec![Value::int(-1), half(3)],
            vec![Value::int(-1), half(3)],
            vec![Value::int(7), half(3)],
        ];
        let inputs = [true, true, true, false].map(|go| vec![Value::Bool(go)]).to_vec();
        (system, WordTrace { states, inputs })
    }

    #[test]
    fn people_see_what_changes() {
        let (system, trace) = example();
        let truth = system.terms.clone().bool(true);
        let property =
            Property::new(indubit_system::PropertyId::Invar(0), "p", indubit_system::Claim::Always(truth));
        assert_eq!(
            table(&system, &property, &trace, None, Options::default()),
            "\
p (p0) is violated in step 3

step 0
  state    x = 0  a time = 0
  inputs   go = true
step 1
  state    x = -1  a time = 3/2
step 2: nothing changes
step 3: p
  state    x = 7
  inputs   go = false
"
        );
    }

    #[test]
    fn programs_see_everything() {
        let (system, mut trace) = example();
        trace.states.truncate(2);
        trace.inputs.truncate(2);
        assert_eq!(
            write(&system, "p q", &trace),
            "\
(violated |p q| 1)
(state 0 (x 0) (|a time| 0.0))
(inputs 0 (go true))
(state 1 (x (- 1)) (|a time| (/ 3.0 2.0)))
(inputs 1 (go true))
"
        );
    }
}
