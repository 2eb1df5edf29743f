//! Values as a model calls them, where that is not how they are encoded.

use crate::trace_table::Shown;
use indubit_system::{WordSystem, WordTrace};
use indubit_term::{BigInt, Term, Value};

/// What a value of a variable is called by its model, where that is not how it is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// An integer.
    Number(BigInt),
    /// One of an enumeration.
    Symbol(String),
    /// A text for people; what it is can be seen from the value.
    Text(String),
    /// What a design calls the value, which has its bits all the same.
    Name(String),
}

impl Told {
    /// As a text.
    pub fn text(self) -> String {
        match self {
            Told::Number(number) => number.to_string(),
            Told::Symbol(text) | Told::Text(text) | Told::Name(text) => text,
        }
    }
}

/// How a model tells values of its variables; `None` if it tells them as they are.
pub type Teller<'t> = dyn Fn(Term, &Value) -> Option<Told> + 't;

/// All state variables and inputs in each step of a trace, for programs.
pub fn values(system: &WordSystem, trace: &WordTrace, tell: &Teller<'_>) -> Vec<[Vec<Shown>; 2]> {
    let name = |var: Term| system.terms.name(var).unwrap_or_default().to_owned();
    let shown = |var: Term, value: &Value| match tell(var, value) {
        Some(Told::Name(symbol)) => Shown { name: name(var), value: value.to_string(), symbol: Some(symbol) },
        told => {
            let value = told.map_or_else(|| value.to_string(), Told::text);
            Shown { name: name(var), value, symbol: None }
        }
    };
    let meant = system.meant_values(trace);
    let rows = meant.iter().zip(&trace.inputs);
    rows.map(|(states, inputs)| {
        let states = system.states.iter().zip(states).map(|(var, value)| shown(var.current, value));
        let inputs = system.inputs.iter().zip(inputs).map(|(&var, value)| shown(var, value));
        [states.collect(), inputs.collect()]
    })
    .collect()
}
