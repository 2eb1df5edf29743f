//! The sizes of a model, whatever it is made of.

use crate::terminal::{count, extend};
use indubit::term::Term;
use indubit::{BitSystem, WordSystem};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Size {
    /// What there is so many of: for programs, one and many of them in words, and the number.
    counts: Vec<(&'static str, &'static str, &'static str, usize)>,
    pub properties: usize,
    /// The files beside the model that names come from.
    pub maps: Vec<String>,
    /// The file beside a circuit that formulas come from.
    pub formulas: Option<String>,
}

impl Size {
    pub fn of_bits(system: &BitSystem) -> Size {
        let counts = vec![
            ("inputs", "input", "inputs", system.inputs().len()),
            ("latches", "latch", "latches", system.latches().len()),
            ("gates", "gate", "gates", system.aig().n_ands()),
            ("constraints", "constraint", "constraints", system.constraints.len()),
        ];
        let (maps, formulas) = (system.naming.maps.clone(), system.formulas_from.clone());
        Size { counts, properties: system.n_properties(), maps, formulas }
    }
    pub fn of_words(system: &WordSystem) -> Size {
        let claims = system.properties.iter().flat_map(|p| p.claim.formulas()).copied();
        let roots: Vec<Term> = claims.chain([system.init, system.trans]).collect();
        let counts = vec![
            ("states", "state variable", "state variables", system.states.len()),
            ("inputs", "input", "inputs", system.inputs.len()),
            ("terms", "term", "terms", system.terms.cone(&roots).len()),
        ];
        Size { counts, properties: system.properties.len(), maps: Vec::new(), formulas: None }
    }
    pub fn with_maps(self, maps: &[String]) -> Size {
        Size { maps: maps.to_vec(), ..self }
    }
    /// `3 inputs, 2 latches, 7 gates`, one by one. Constraints are rare: none is not worth a word.
    pub fn parts(&self) -> Vec<String> {
        let shown = self.counts.iter().filter(|(key, .., n)| *key != "constraints" || *n > 0);
        shown.map(|&(_, one, many, n)| count(n, one, many)).collect()
    }
    /// So many values a step of a run has: inputs, and over words state variables.
    pub fn n_values(&self) -> usize {
        self.counts.iter().filter(|(key, ..)| ["inputs", "states"].contains(key)).map(|(.., n)| n).sum()
    }
    pub fn json(&self) -> Value {
        let mut object: Value = self.counts.iter().map(|&(key, .., n)| (key, Value::from(n))).collect();
        extend(&mut object, json!({"properties": self.properties}));
        if let Some(formulas) = &self.formulas {
            extend(&mut object, json!({"formulas": formulas}));
        }
        object
    }
}
