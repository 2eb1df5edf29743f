//! Is a lasso a counterexample? By the definition: round after round, one step at a time.

use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Trace};
use std::collections::HashMap;
use std::fmt;

/// What is wrong with a lasso. Rounds of the loop are counted from 0; the steps before it belong to the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is a finite trace, loops to a step that it does not have, or has values for other inputs and latches.
    Shape,
    /// A latch does not begin as its reset says.
    Initial {
        /// The latch.
        latch: usize,
    },
    /// A constraint is broken.
    Constraint {
        /// Which one.
        constraint: usize,
        /// In which round.
        round: usize,
        /// In which step.
        step: usize,
    },
    /// A signal is not true in any step of the loop.
    NotSeen {
        /// Which one: those of fairness first.
        signal: usize,
    },
    /// A signal has another value than in the same step of the first round: what is said to repeat does not.
    Drifts {
        /// Which one: those of fairness first.
        signal: usize,
        /// In which round.
        round: usize,
        /// In which step.
        step: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Shape => f.write_str("this is no lasso of the system"),
            Fault::Initial { latch } => write!(f, "latch {latch} begins otherwise"),
            Fault::Constraint { constraint, round, step } => {
                write!(f, "constraint {constraint} is broken in step {step} of round {round}")
            }
            Fault::NotSeen { signal } => write!(f, "signal {signal} is never true in the loop"),
            Fault::Drifts { signal, round, step } => {
                write!(f, "signal {signal} has another value in step {step} of round {round}")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// When the latches that matter have the values of an earlier round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// How many rounds come before those that repeat.
    pub before: usize,
    /// After how many rounds they repeat.
    pub period: usize,
}

impl Rounds {
    /// At once, as a lasso says it?
    pub fn is_exact(self) -> bool {
        self == Rounds { before: 0, period: 1 }
    }
}

/// Is the run that a lasso stands for, its loop repeated for ever, a counterexample to a justice property?
///
/// A run is decided by its inputs, so it comes round after some rounds, whatever the lasso says, and until then everything is
/// looked at. The signals must have the values that they have in the first round.
pub fn check_lasso(system: &BitSystem, justice: usize, lasso: &Trace) -> Result<Rounds, Fault> {
    let n_inputs = system.inputs().len();
    let fits = lasso.initial.len() == system.latches().len()
        && lasso.inputs.iter().all(|row| row.len() == n_inputs)
        && lasso.loops_to.is_some_and(|step| step < lasso.inputs.len());
    let Some(loops_to) = lasso.loops_to.filter(|_| fits) else { return Err(Fault::Shape) };
    let values = system.evaluate(&lasso.initial, &lasso.inputs[0]);
    let begins = system.latches().iter().map(|l| simulate::value(&values, l.reset));
    // An uninitialised latch is its own reset.
    if let Some(latch) = begins.zip(&lasso.initial).position(|(reset, &value)| reset != value) {
        return Err(Fault::Initial { latch });
    }
    let signals: Vec<Lit> =
        system.fairness.iter().map(|s| s.lit).chain(system.justice[justice].lits.iter().copied()).collect();
    let matters = latches_that_matter(system, &signals);
    let project = |state: &[bool]| -> Vec<bool> { matters.iter().map(|&i| state[i]).collect() };

    let mut state = lasso.initial.clone();
    let mut first_round: Vec<Vec<bool>> = Vec::new();
    let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
    for round in 0.. {
        let begin = if round == 0 { 0 } else { loops_to };
        for (step, inputs) in lasso.inputs.iter().enumerate().skip(begin) {
            if step == loops_to
                && let Some(before) = known.insert(project(&state), round)
            {
                return Ok(Rounds { before, period: round - before });
            }
            let values = system.evaluate(&state, inputs);
            let is_true = |lit: Lit| simulate::value(&values, lit);
            if let Some(constraint) = system.constraints.iter().position(|c| !is_true(c.lit)) {
                return Err(Fault::Constraint { constraint, round, step });
            }
            let shows: Vec<bool> = signals.iter().map(|&s| is_true(s)).collect();
            if round == 0 {
                first_round.push(shows);
            } else if let Some(signal) = (0..signals.len()).find(|&i| shows[i] != first_round[step][i]) {
                return Err(Fault::Drifts { signal, round, step });
            }
            state = system.next_state(&values);
        }
        let in_loop = &first_round[loops_to..];
        if let Some(signal) = (0..signals.len()).find(|&i| in_loop.iter().all(|shows| !shows[i])) {
            return Err(Fault::NotSeen { signal });
        }
    }
    unreachable!("there are finitely many states, so one of them comes back")
}

/// The latches that the signals and the constraints depend on, now or later.
fn latches_that_matter(system: &BitSystem, signals: &[Lit]) -> Vec<usize> {
    let mut seen = vec![false; system.aig().n_vars()];
    let mut open: Vec<Lit> =
        signals.iter().copied().chain(system.constraints.iter().map(|c| c.lit)).collect();
    let mut matter = Vec::new();
    while let Some(lit) = open.pop() {
        if std::mem::replace(&mut seen[lit.var().index()], true) {
            continue;
        }
        if let Some(fanins) = system.aig().fanins(lit.var()) {
            open.extend(fanins);
        } else if let Some(i) = system.latches().iter().position(|l| l.var == lit.var()) {
            matter.push(i);
            open.push(system.latches()[i].next);
        }
    }
    matter
}
