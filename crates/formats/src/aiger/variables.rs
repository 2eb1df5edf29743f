//! What the variables of an ASCII file stand for.

use indubit_logic::{Lit, Var};
use rustc_hash::FxHashMap;

/// What a variable of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definition {
    Undefined,
    /// A node of the system.
    Node(Lit),
    /// The gate with this position in the file; it has no node yet.
    Gate(u32),
}

/// A table from the file's variables to their definitions.
///
/// A file may use a few variables out of a billion, so a table of all of them is made only if the file is long
/// enough to define that many.
pub(super) enum Variables {
    Dense(Vec<Definition>),
    Sparse(FxHashMap<Var, Definition>),
}

impl Variables {
    /// Only the constant is defined.
    pub(super) fn new(max_var: u32, n_bytes: usize) -> Variables {
        let max_var = max_var as usize;
        let mut variables = if max_var <= n_bytes {
            Variables::Dense(vec![Definition::Undefined; max_var + 1])
        } else {
            Variables::Sparse(FxHashMap::default())
        };
        variables.set(Var::CONST, Definition::Node(Lit::FALSE));
        variables
    }
    pub(super) fn get(&self, var: Var) -> Definition {
        match self {
            Variables::Dense(table) => table[var.index()],
            Variables::Sparse(table) => table.get(&var).copied().unwrap_or(Definition::Undefined),
        }
    }
    pub(super) fn set(&mut self, var: Var, definition: Definition) {
        match self {
            Variables::Dense(table) => table[var.index()] = definition,
            Variables::Sparse(table) => {
                table.insert(var, definition);
            }
        }
    }
    /// The system's literal for a literal of the file, once all gates have nodes; `None` if it is undefined.
    pub(super) fn lit(&self, lit: Lit) -> Option<Lit> {
        match self.get(lit.var()) {
            Definition::Node(node) => Some(node ^ lit.is_negated()),
            Definition::Undefined | Definition::Gate(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_behave_alike() {
        let (var, node) = (Var::new(7), Lit::positive(Var::new(1)));
        for mut variables in [Variables::new(9, 100), Variables::new(1 << 29, 100)] {
            assert_eq!(variables.lit(Lit::TRUE), Some(Lit::TRUE));
            assert_eq!(variables.get(var), Definition::Undefined);
            variables.set(var, Definition::Gate(3));
            assert_eq!(variables.lit(var.lit(true)), None);
            variables.set(var, Definition::Node(node));
            assert_eq!(variables.lit(var.lit(true)), Some(!node));
        }
    }
}
