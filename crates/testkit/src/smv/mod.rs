//! Random models in SMV, as texts, and the exact answers to what they are asked.
//!
//! A model is made as a tree of its own (`model`), which is written as a text and looked at by a small interpreter: all states, all steps, all runs. The answers about formulas of
//! temporal logic come from a search in the graph of states (`search`) that gives every operator its meaning directly. Nothing is shared with the reader of SMV, the product or the engines.

mod model;
mod search;
mod temporal;

pub use model::{Expr, Model, Value};
pub use search::Answers;
pub use temporal::{Bounded, Formula, One, Two};

use fastrand::Rng;

/// A text, and the answers to its specifications, in their order: is it violated?
#[derive(Clone, Debug)]
pub struct Case {
    /// The file.
    pub text: String,
    /// Of each `INVARSPEC` and then of each `LTLSPEC`.
    pub violated: Vec<bool>,
    /// Has a reachable state no successor?
    pub deadlocks: bool,
}

/// A random model with specifications; `None` if it would have too many states, or none.
pub fn case(seed: u64) -> Option<Case> {
    let rng = &mut Rng::with_seed(seed);
    let model = model::random(rng);
    let answers = Answers::new(&model)?;
    let mut text = model.text();
    let mut violated = Vec::new();
    for _ in 0..rng.usize(1..3) {
        let is_step = rng.u8(..4) == 0;
        let holds = model.condition(rng, 3, is_step);
        violated.push(answers.is_broken(&holds, model.is_about_steps(&holds)));
        text += &format!("INVARSPEC {};\n", holds.text());
    }
    for _ in 0..3 {
        let formula = temporal::random(rng, &model);
        let Some(answer) = answers.is_violated(&formula) else { continue };
        violated.push(answer);
        text += &format!("LTLSPEC {};\n", formula.text());
    }
    Some(Case { text, violated, deadlocks: answers.deadlocks() })
}
