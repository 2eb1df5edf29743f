//! What a model declares, for those who list it: sections and numbers of values of variables, and the values of definitions in a state.

use super::Smv;
use super::elaborate::VarType;
use super::evaluate::Context;
use super::show::shown;
use super::values::{Encoding, Val};
use indubit_term::{BigUint, Term, Terms, Value};
use rustc_hash::FxHashSet;

pub use super::syntax::Section;

impl Smv {
    /// The section that a variable is declared in; none if the reader has made it up.
    pub fn section(&self, variable: Term) -> Option<Section> {
        self.names.by_term.get(&variable).map(|&index| self.names.variables[index].section)
    }
    /// How many values a variable can have, if these are finitely many.
    pub fn n_values(&self, variable: Term) -> Option<BigUint> {
        let two = BigUint::from(2u32);
        match self.type_of(variable)? {
            VarType::Boolean => Some(two),
            VarType::Range(_, Some(values)) => Some(values.len().into()),
            VarType::Range(range, None) => BigUint::try_from(&range.high - &range.low + 1).ok(),
            VarType::Symbols(domain) => Some(domain.len().into()),
            VarType::Word { width, .. } => Some(two.pow(*width)),
            VarType::Array(sort, _) => Some(two.pow(u32::try_from(sort.n_bits()?).ok()?)),
            VarType::Integer | VarType::Real | VarType::Elements(..) => None,
        }
    }
    /// The definitions whose values a state has; those of sets, of arrays, and those that speak of inputs or next values are left out.
    pub fn definitions(&self) -> Definitions {
        let mut elaborator = self.elaborator(b"");
        let states: FxHashSet<Term> = self.system.states.iter().map(|v| v.current).collect();
        let mut all = Vec::new();
        for index in 0..self.names.definitions.len() {
            let definition = &self.names.definitions[index];
            if definition.is_parameter {
                continue;
            }
            let cx = Context { scope: definition.scope, next: false };
            // The reader has looked at all of them, so that nothing is wrong with one.
            let Ok(()) = elaborator.prepare(definition.body, cx) else { continue };
            let Ok(value) = elaborator.definition(index, false) else { continue };
            let Some((term, r#type)) = typed(value, &elaborator.terms) else { continue };
            if elaborator.terms.variables(&[term]).iter().all(|variable| states.contains(variable)) {
                all.push(Defined { name: definition.name.clone(), term, r#type });
            }
        }
        Definitions { terms: elaborator.terms, all, encoding: self.encoding }
    }
}

/// Definitions that have a value in each state.
#[derive(Clone, Debug)]
pub struct Definitions {
    terms: Terms,
    all: Vec<Defined>,
    encoding: Encoding,
}

#[derive(Clone, Debug)]
struct Defined {
    name: String,
    term: Term,
    r#type: VarType,
}

impl Definitions {
    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|defined| &*defined.name)
    }
    /// Their values in a state, in the words of the model; none at all if one of them is not one value.
    pub fn values(&self, state: &dyn Fn(Term) -> Value) -> Vec<String> {
        let roots: Vec<Term> = self.all.iter().map(|defined| defined.term).collect();
        let values = self.terms.evaluate_all(&roots, state).unwrap_or_default();
        let shown = |(defined, value): (&Defined, &Value)| shown(&defined.r#type, self.encoding, value);
        self.all.iter().zip(&values).map(shown).collect()
    }
}

/// A value as a term, and the type that says how it is shown.
fn typed(value: Val, terms: &Terms) -> Option<(Term, VarType)> {
    let term = value.term()?;
    let r#type = match value {
        Val::Bool(_) => VarType::Boolean,
        Val::Number(number) => match number.range {
            Some(range) => VarType::Range(range, None),
            None => VarType::Integer,
        },
        Val::Real(_) => VarType::Real,
        Val::Symbol(symbol) => VarType::Symbols(symbol.domain),
        Val::Word { signed, .. } => VarType::Word { signed, width: terms.width(term) },
        Val::Array { .. } | Val::Elements(..) | Val::Set(_) => return None,
    };
    Some((term, r#type))
}
