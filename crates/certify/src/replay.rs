//! Counterexamples, replayed by simulation.
//!
//! A trace violates a bad-state property iff `c U (c ∧ b)`: the bad signal is true in some step, and all
//! constraints are true up to and including it. What violates a justice property stands in `lasso.rs`.

use crate::{Reason, lasso};
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Property, PropertyId, Signal, Trace};

/// Does `trace` start in an initial state of `model`, satisfy the constraints in every step, and end in one in which
/// the property is violated? Of a justice property: is it a lasso that closes and sees all signals while it repeats?
///
/// A reset function is evaluated in the first step, on the trace's own values.
pub fn check_trace(model: &BitSystem, property: &Property, trace: &Trace) -> Result<(), Reason> {
    if let Some(signals) = model.infinitely_often(&property.claim) {
        return lasso::check(model, property, &signals, trace);
    }
    let last = trace.len();
    let goal = |step: usize, bad: bool| bad && step == last;
    replay(model, property, trace, goal).map(|_| ())
}

/// The first step in which the property is violated, if `trace` is a counterexample up to there. What comes
/// after it does not matter. A justice property is violated from the first step on that repeats what was before: for
/// a finite trace, as from a witness, that is found here.
pub(crate) fn first_violation(
    model: &BitSystem,
    property: &Property,
    trace: &Trace,
) -> Result<usize, Reason> {
    let Some(signals) = model.infinitely_often(&property.claim) else {
        return replay(model, property, trace, |_, bad| bad);
    };
    let begin = trace.loops_to.map_or_else(|| lasso::find_loop(model, property, &signals, trace), Ok)?;
    let closed = Trace { loops_to: Some(begin), ..trace.clone() };
    lasso::check(model, property, &signals, &closed).map(|()| begin)
}

fn replay(
    model: &BitSystem,
    property: &Property,
    trace: &Trace,
    is_goal: impl Fn(usize, bool) -> bool,
) -> Result<usize, Reason> {
    let bad = target(property)?;
    if trace.loops_to.is_some() {
        let text = "the trace goes on for ever, and property";
        return Err(Reason::Misfit(format!("{text} {} is violated by one that ends", named(property))));
    }
    let mut replay = Replay::new(model, trace)?;
    for step in 0..trace.inputs.len() {
        let values = replay.step()?;
        if is_goal(step, simulate::value(&values, bad)) {
            return Ok(step);
        }
    }
    Err(Reason::NotViolated { property: named(property), step: trace.len() })
}

/// The values of some edges in each step of a finite run in which the constraints hold.
pub(crate) fn follow_finite(
    model: &BitSystem,
    edges: &[Lit],
    trace: &Trace,
) -> Result<Vec<Vec<bool>>, Reason> {
    let mut replay = Replay::new(model, trace)?;
    let mut rows = Vec::new();
    for _ in 0..trace.inputs.len() {
        let values = replay.step()?;
        rows.push(edges.iter().map(|&edge| simulate::value(&values, edge)).collect());
    }
    Ok(rows)
}

/// A simulation of a trace that fits, step by step, as long as the constraints hold.
pub(crate) struct Replay<'r> {
    model: &'r BitSystem,
    trace: &'r Trace,
    step: usize,
    /// The state before the next step.
    pub state: Vec<bool>,
}

impl<'r> Replay<'r> {
    pub fn new(model: &'r BitSystem, trace: &'r Trace) -> Result<Replay<'r>, Reason> {
        check_shape(model, trace)?;
        Ok(Replay { model, trace, step: 0, state: trace.initial.clone() })
    }
    /// The values of all nodes in the next step, which there must be.
    pub fn step(&mut self) -> Result<Vec<bool>, Reason> {
        let (model, step) = (self.model, self.step);
        let values = model.evaluate(&self.state, &self.trace.inputs[step]);
        if step == 0 {
            check_resets(model, &values)?;
        }
        let violated = |c: &Signal| !simulate::value(&values, c.lit);
        if let Some(i) = model.constraints.iter().position(violated) {
            let constraint = named_signal(format!("c{i}"), &model.constraints[i]);
            return Err(Reason::Constraint { constraint, step });
        }
        self.state = model.next_state(&values);
        self.step += 1;
        Ok(values)
    }
}

/// The edge whose reachability decides a property.
pub(crate) fn target(property: &Property) -> Result<Lit, Reason> {
    let text = "what is about single steps says nothing about justice property";
    property.claim.target().ok_or_else(|| Reason::Misfit(format!("{text} {}", named(property))))
}

/// The property of the model with this identifier.
pub(crate) fn find(model: &BitSystem, id: PropertyId) -> Result<Property, Reason> {
    let found = model.properties().into_iter().find(|property| property.id == id);
    found.ok_or_else(|| Reason::Misfit(format!("the model has no property {id}")))
}

/// `b3`, or `b3 (overflow)`.
pub(crate) fn named(property: &Property) -> String {
    let id = property.id.to_string();
    property.name.as_ref().map_or_else(|| id.clone(), |name| format!("{id} ({name})"))
}

/// `c3`, or `c3 (no_overflow)`.
pub(crate) fn named_signal(id: String, signal: &Signal) -> String {
    signal.name.as_ref().map_or_else(|| id.clone(), |name| format!("{id} ({name})"))
}

fn check_shape(model: &BitSystem, trace: &Trace) -> Result<(), Reason> {
    let misfit = |text: String| Err(Reason::Misfit(text));
    let (n_latches, n_inputs) = (model.latches().len(), model.inputs().len());
    if trace.initial.len() != n_latches {
        let n = trace.initial.len();
        return misfit(format!("the trace has {n} initial values, the model {n_latches} latches"));
    }
    if trace.inputs.is_empty() {
        return misfit("the trace has no step".into());
    }
    match trace.inputs.iter().position(|row| row.len() != n_inputs) {
        Some(step) => {
            let n = trace.inputs[step].len();
            misfit(format!("step {step} of the trace has {n} input values, the model {n_inputs} inputs"))
        }
        None => Ok(()),
    }
}

fn check_resets(model: &BitSystem, values: &[bool]) -> Result<(), Reason> {
    for (i, latch) in model.latches().iter().enumerate() {
        let value = values[latch.var.index()];
        if value != simulate::value(values, latch.reset) {
            return Err(Reason::NotInitial { latch: model.latch_label(i), value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_system::Justice;

    /// `a` is reset to the input, `b` is free, `c` starts with 1; `c` must not fall, which it does when `a & !i`.
    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let a = model.add_latch("a", None);
        model.add_latch("b", None);
        let c = model.add_latch("c", Some(true));
        model.set_reset(a, i);
        let falls = model.aig_mut().and(a, !i);
        model.set_next(c, !falls);
        model.add_bad("fell", !c);
        let quiet = model.aig_mut().or(c, !i);
        model.add_constraint("quiet", quiet);
        model.add_constraint("", Lit::TRUE);
        model
    }

    fn trace(initial: &str, inputs: &str) -> Trace {
        let bits = |s: &str| s.bytes().map(|b| b == b'1').collect::<Vec<_>>();
        Trace::finite(bits(initial), inputs.split(' ').map(bits).collect())
    }

    fn refusal(trace: &Trace) -> String {
        check_trace(&model(), &model().properties()[0], trace).unwrap_err().to_string()
    }

    #[test]
    fn good_traces_pass() {
        let model = model();
        let property = &model.properties()[0];
        assert_eq!(check_trace(&model, property, &trace("101", "1 0 0")), Ok(()));
        assert_eq!(check_trace(&model, property, &trace("111", "1 1 0 0")), Ok(()));
        // Bad too early for the one, early enough for the other; constraints do not matter afterwards.
        assert_eq!(first_violation(&model, property, &trace("101", "1 0 0 1")), Ok(2));
    }

    #[test]
    fn refusals_are_precise() {
        assert_eq!(refusal(&trace("001", "1 0 0")), "latch a starts with 0, which is not its reset value");
        assert_eq!(refusal(&trace("100", "1 0 0")), "latch c starts with 0, which is not its reset value");
        assert_eq!(refusal(&trace("101", "1 0 1")), "constraint c0 (quiet) is violated in step 2");
        assert_eq!(
            refusal(&trace("101", "1 1 1")),
            "property b0 (fell) is not violated up to step 2, the last one"
        );
        assert!(refusal(&trace("101", "1 0 0 1")).contains("step 3"));
        assert_eq!(refusal(&trace("10", "1")), "the trace has 2 initial values, the model 3 latches");
        assert_eq!(
            refusal(&trace("101", "1 01")),
            "step 1 of the trace has 2 input values, the model 1 inputs"
        );
        assert_eq!(refusal(&Trace::finite(vec![true; 3], vec![])), "the trace has no step");
    }

    #[test]
    fn properties_that_are_not_there() {
        let mut model = model();
        let message = |m: &BitSystem, id| find(m, id).unwrap_err().to_string();
        assert_eq!(message(&model, PropertyId::Bad(1)), "the model has no property b1");
        assert_eq!(message(&model, PropertyId::Output(0)), "the model has no property o0");
        model.justice.push(Justice { lits: vec![], name: None });
        let justice = find(&model, PropertyId::Justice(0)).unwrap();
        assert_eq!(
            check_trace(&model, &justice, &trace("101", "1 0 0")).unwrap_err().to_string(),
            "the trace is finite, and property j0 is violated by one that goes on for ever"
        );
    }

    #[test]
    fn outputs_of_old_files_are_bads() {
        let mut model = model();
        model.outputs = std::mem::take(&mut model.bads);
        assert_eq!(check_trace(&model, &model.properties()[0], &trace("101", "1 0 0")), Ok(()));
    }
}
