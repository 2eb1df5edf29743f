//! Lassos over words, as a question about reachability: the state is copied in some step and is there once more later, and all signals have been seen since (Biere, Artho, Schuppan, FMICS 2002).
//!
//! State variables whose next values no step restricts need not be the same: the step back may give them any value.
//!
//! Where there are numbers, a run that goes on for ever need not be a lasso: that none is found says nothing.

use crate::{WordProblem, WordSystem, WordTrace};
use indubit_term::{Sort, Term, Value};

/// What was added to a system in order to search it for lassos: variables and inputs after its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    n_states: usize,
    n_inputs: usize,
}

/// Is there a lasso that sees each of these signals while it repeats?
pub(crate) fn problem(original: &WordSystem, signals: &[Term]) -> WordProblem {
    let copied = Copied { n_states: original.states.len(), n_inputs: original.inputs.len() };
    let mut system = original.clone();
    let (saved, save) =
        (system.add_state("lasso.saved", Sort::Bool), system.add_input("lasso.save", Sort::Bool));
    let not_saved = system.terms.not(saved.current);
    let saving = system.terms.and(&[save, not_saved]);
    let since = system.terms.or(&[save, saved.current]);
    let (mut init, mut trans) = (vec![system.init, not_saved], vec![system.trans]);
    trans.push(system.terms.eq(saved.next, since));
    let mut closed = vec![saved.current];
    // What no step says anything of may be what it was, whatever it is.
    let free = original.unconstrained();
    for i in (0..copied.n_states).filter(|i| !free.contains(i)) {
        let now = system.states[i].current;
        let copy = system.add_state(&format!("lasso.{}", original.state_name(i)), system.terms.sort(now));
        let (made, kept) = (system.terms.eq(copy.next, now), system.terms.eq(copy.next, copy.current));
        trans.push(system.terms.implies(saving, made));
        let keeps = system.terms.not(saving);
        trans.push(system.terms.implies(keeps, kept));
        closed.push(system.terms.eq(copy.current, now));
    }
    for (i, &signal) in signals.iter().enumerate() {
        let seen = system.add_state(&format!("lasso.seen{i}"), Sort::Bool);
        init.push(system.terms.not(seen.current));
        let either = system.terms.or(&[seen.current, signal]);
        let next = system.terms.and(&[since, either]);
        trans.push(system.terms.eq(seen.next, next));
        closed.push(seen.current);
    }
    (system.init, system.trans) = (system.terms.and(&init), system.terms.and(&trans));
    let bad = system.terms.and(&closed);
    WordProblem { system, bad, copied: Some(copied) }
}

impl Copied {
    /// The lasso that a run to a state which closes it stands for.
    pub fn lasso(self, trace: &WordTrace) -> Option<WordTrace> {
        let is_saved = |row: &Vec<Value>| row.get(self.n_states) == Some(&Value::Bool(true));
        let begin = trace.states.iter().position(is_saved)?.checked_sub(1)?;
        let last = trace.states.len().checked_sub(1)?;
        let first = |rows: &[Vec<Value>], n: usize| -> Vec<Vec<Value>> {
            rows.iter().take(last).map(|row| row[..n].to_vec()).collect()
        };
        let (states, inputs) = (first(&trace.states, self.n_states), first(&trace.inputs, self.n_inputs));
        Some(WordTrace { states, inputs, loops_to: Some(begin) })
    }
}
