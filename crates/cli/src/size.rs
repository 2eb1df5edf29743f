//! The sizes of a model, whatever it is made of.

use crate::terminal::{count, extend};
use indubit::term::Term;
use indubit::{BitSystem, WordSystem};
use serde_json::{Value, json};

/// What there is so many of.
#[derive(Clone, Copy, Debug)]
struct Count {
    key: &'static str,
    one: &'static str,
    many: &'static str,
    n: usize,
    /// None of them is not worth a word.
    is_rare: bool,
}

/// The sizes of a model.
#[derive(Clone, Debug)]
pub struct Size {
    counts: Vec<Count>,
    pub properties: usize,
}

impl Size {
    pub fn of_bits(system: &BitSystem) -> Size {
        let count = |key, one, n| Count { key, one, many: key, n, is_rare: key == "constraints" };
        Size {
            counts: vec![
                count("inputs", "input", system.inputs().len()),
                count("latches", "latch", system.latches().len()),
                count("gates", "gate", system.aig().n_ands()),
                count("constraints", "constraint", system.constraints.len()),
            ],
            properties: system.n_properties(),
        }
    }
    pub fn of_words(system: &WordSystem) -> Size {
        let count = |key, one, many, n| Count { key, one, many, n, is_rare: false };
        let roots = system
            .properties
            .iter()
            .flat_map(|p| p.claim.formulas())
            .copied()
            .chain([system.init, system.trans]);
        let roots: Vec<Term> = roots.collect();
        Size {
            counts: vec![
                count("states", "state variable", "state variables", system.states.len()),
                count("inputs", "input", "inputs", system.inputs.len()),
                count("terms", "term", "terms", system.terms.cone(&roots).len()),
            ],
            properties: system.properties.len(),
        }
    }
    /// `3 inputs, 2 latches, 7 gates`, one by one.
    pub fn parts(&self) -> Vec<String> {
        let shown = self.counts.iter().filter(|c| !c.is_rare || c.n > 0);
        shown.map(|c| count(c.n, c.one, c.many)).collect()
    }
    /// So many values a step of a run has: inputs, and over words state variables.
    pub fn n_values(&self) -> usize {
        self.counts.iter().filter(|c| ["inputs", "states"].contains(&c.key)).map(|c| c.n).sum()
    }
    /// For programs.
    pub fn json(&self) -> Value {
        let mut object = Value::Object(self.counts.iter().map(|c| (c.key.to_owned(), c.n.into())).collect());
        extend(&mut object, json!({"properties": self.properties}));
        object
    }
}
