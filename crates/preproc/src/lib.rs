//! Preprocessing: each pass makes a problem smaller and knows the way back.
//!
//! [`Select`] turns one bad signal of the user's model into a [`Safety`] problem; the passes shrink it.
//! [`prepare`] runs the standard sequence and returns the stack of ways back.

mod classes;
mod coi;
mod correspond;
mod effort;
mod frame;
mod patterns;
mod prover;
mod rebuild;
mod rewrite;
mod select;
mod sweep;
mod ternary;

pub use coi::ConeOfInfluence;
pub use correspond::{Latches, Signals};
pub use rewrite::Rewrite;
pub use select::Select;
pub use sweep::Sweep;
pub use ternary::TernaryConstants;

use indubit_run::{Ask, Event, Run};
use indubit_system::{BitSystem, Lower, Safety, Stack};

/// The standard sequence of passes on problems.
pub fn passes() -> Vec<Box<dyn Lower<From = Safety>>> {
    vec![
        Box::new(ConeOfInfluence),
        Box::new(TernaryConstants),
        Box::new(Rewrite),
        Box::new(Latches),
        Box::new(Signals),
        Box::new(Sweep),
    ]
}

/// The problem of bad signal `bad` after all passes, and the way back to `system`.
pub fn prepare(system: &BitSystem, bad: usize, run: &mut Run<'_>) -> Ask<(Safety, Stack)> {
    let mut stack = Stack::new();
    let (mut safety, raise) = Select { bad }.lower(system, run)?;
    stack.push(raise);
    for pass in passes() {
        run.checkpoint()?;
        let before = safety.size();
        let (smaller, raise) = pass.lower(&safety, run)?;
        run.event(Event::Pass { name: pass.name(), before, after: smaller.size() });
        stack.push(raise);
        safety = smaller;
    }
    Ok((safety, stack))
}
