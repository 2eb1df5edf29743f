//! Variables in the order in which they are met.
//!
//! A short file can name a large variable. Whatever has a table of variables is to be as large as the file, not as the
//! number.

use indubit_logic::{Lit, Var};
use rustc_hash::FxHashMap;

/// Gives the variables that occur the numbers 0, 1, 2, …
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    numbers: FxHashMap<Var, Var>,
    vars: Vec<Var>,
}

impl Numbering {
    /// No variable has occurred.
    pub fn new() -> Numbering {
        Numbering::default()
    }
    /// The literal by its variable's number, which is a new one at the first time.
    pub fn lit(&mut self, lit: Lit) -> Lit {
        let next = Var::from_index(self.vars.len());
        let var = *self.numbers.entry(lit.var()).or_insert(next);
        if var == next {
            self.vars.push(lit.var());
        }
        var.lit(lit.is_negated())
    }
    /// The literal that has this number.
    pub fn original(&self, lit: Lit) -> Lit {
        self.vars[lit.var().index()].lit(lit.is_negated())
    }
    /// All variables, in the order of their numbers.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }
}
