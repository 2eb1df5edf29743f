//! Symbols for variables that are written, each different.

use crate::vmt::is_operator;
use indubit_system::Property;
use indubit_term::{Symbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Different symbols for variables whose names may be the same.
#[derive(Debug, Default)]
pub(crate) struct Names {
    of: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
}

impl Names {
    /// These symbols are not given away.
    pub fn reserve(&mut self, names: &[&str]) {
        self.taken.extend(names.iter().map(|name| Symbol(name).to_string()));
    }
    /// A symbol that is not taken, as close to the name as can be.
    pub fn fresh(&mut self, name: &str) -> String {
        let mut n = 1;
        let mut candidate = name.to_owned();
        // `_l0` is what shared terms are called.
        let is_shared = |name: &str| name.starts_with("_l");
        loop {
            let symbol = Symbol(&candidate).to_string();
            if !is_shared(&candidate) && is_no_function(&candidate) && self.taken.insert(symbol.clone()) {
                return symbol;
            }
            candidate = if is_shared(name) { format!("x{name}.{n}") } else { format!("{name}.{n}") };
            n += 1;
        }
    }
    /// Give a variable its symbol.
    pub fn add(&mut self, terms: &Terms, variable: Term) -> String {
        let symbol = self.fresh(terms.name(variable).expect("a variable has a name"));
        self.of.insert(variable, symbol.clone());
        symbol
    }
    /// The symbol of a variable.
    pub fn get(&self, variable: Term) -> Option<String> {
        self.of.get(&variable).cloned()
    }
}

/// Would other tools take the name for a function of SMT-LIB?
pub(crate) fn is_no_function(name: &str) -> bool {
    !matches!(name, "select" | "store") && !is_operator(name) && Terms::new().call(name, &[], &[]) == Ok(None)
}

/// Properties of one name get different ones: `p` and `p (2)`.
pub(crate) fn tell_apart(properties: &mut [Property<Term>]) {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for property in properties {
        let label = property.label();
        let numbered = (2..).map(|n| format!("{label} ({n})"));
        let is_new = |name: &String| taken.insert(name.clone());
        let name = std::iter::once(label.clone()).chain(numbered).find(is_new).expect("numbers do not end");
        if name != label {
            property.name = Some((*name).into());
        }
    }
}
