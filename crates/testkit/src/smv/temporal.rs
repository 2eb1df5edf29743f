//! Formulas of linear temporal logic as trees, with all operators that SMV has.

use super::model::{Expr, Model};
use fastrand::Rng;

/// A formula.
#[derive(Clone, Debug)]
pub enum Formula {
    /// What holds in a state and the inputs of its step.
    Atom(Expr),
    /// An operator before a formula.
    One(One, Box<Formula>),
    /// An operator between two.
    Two(Two, Box<Formula>, Box<Formula>),
    /// An operator with bounds.
    Within(Bounded, usize, usize, Box<Formula>),
}

/// Operators before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum One {
    Not,
    X,
    F,
    G,
    Y,
    Z,
    O,
    H,
}

/// Operators between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Two {
    And,
    Or,
    Implies,
    Iff,
    Xor,
    U,
    V,
    S,
    T,
}

/// Operators with bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Bounded {
    F,
    G,
    O,
    H,
}

impl Formula {
    /// As SMV writes it.
    pub fn text(&self) -> String {
        match self {
            Formula::Atom(atom) => atom.text(),
            Formula::One(One::Not, a) => format!("!({})", a.text()),
            Formula::One(op, a) => format!("{op:?} ({})", a.text()),
            Formula::Two(op, a, b) => {
                let sign = match op {
                    Two::And => "&".to_owned(),
                    Two::Or => "|".to_owned(),
                    Two::Implies => "->".to_owned(),
                    Two::Iff => "<->".to_owned(),
                    Two::Xor => "xor".to_owned(),
                    temporal => format!("{temporal:?}"),
                };
                format!("(({}) {sign} ({}))", a.text(), b.text())
            }
            Formula::Within(op, from, to, a) => format!("{op:?} [{from},{to}] ({})", a.text()),
        }
    }
}

/// A random formula.
pub(super) fn random(rng: &mut Rng, model: &Model) -> Formula {
    let size = rng.usize(1..6);
    part(rng, model, size)
}

fn part(rng: &mut Rng, model: &Model, size: usize) -> Formula {
    if size == 0 {
        return Formula::Atom(model.atom(rng));
    }
    match rng.u8(..10) {
        0..=4 => {
            let op = [One::Not, One::X, One::F, One::G, One::F, One::G, One::Y, One::Z, One::O, One::H]
                [rng.usize(..10)];
            Formula::One(op, Box::new(part(rng, model, size - 1)))
        }
        5 => {
            let op = [Bounded::F, Bounded::G, Bounded::O, Bounded::H][rng.usize(..4)];
            let from = rng.usize(..3);
            Formula::Within(op, from, from + rng.usize(..3), Box::new(part(rng, model, size - 1)))
        }
        _ => {
            let ops = [Two::And, Two::Or, Two::Implies, Two::Iff, Two::Xor, Two::U, Two::V, Two::S, Two::T];
            let op = ops[rng.usize(..ops.len())];
            let left = rng.usize(..size);
            let (a, b) = (part(rng, model, left), part(rng, model, size - 1 - left));
            Formula::Two(op, Box::new(a), Box::new(b))
        }
    }
}
