//! Values as a model calls them, where that is not how they are encoded.

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
}

impl Told {
    /// As a text.
    pub fn text(self) -> String {
        match self {
            Told::Number(number) => number.to_string(),
            Told::Symbol(text) | Told::Text(text) => text,
        }
    }
}

/// How a model tells values of its variables; `None` if it tells them as they are.
pub type Teller<'t> = dyn Fn(Term, &Value) -> Option<Told> + 't;
