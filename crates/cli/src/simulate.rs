//! `indubit simulate`: a run of the model on random or given inputs.

use crate::args::Simulate;
use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::kinds::{self, Model};
use crate::output;
use crate::preflight;
use crate::terminal::{self, Paint, printable, printable_lines};
use indubit::formats::{load, stimulus, trace_table, vcd};
use indubit::logic::Lit;
use indubit::system::{ResetOrder, Signal};
use indubit::{BitSystem, Trace};
use std::collections::BTreeMap;
use std::path::Path;

/// Steps of a random run if nothing else was asked for.
const STEPS: usize = 20;
/// More input values than this do not fit into memory with ease.
const MOST_VALUES: usize = 1 << 30;

pub fn run(args: &Simulate) -> Result<Code, Failure> {
    let _guard = Guard::for_signals()?;
    let inputs: Vec<&Path> =
        [Some(&args.model), args.stimulus.as_ref()].into_iter().flatten().map(|p| &**p).collect();
    preflight::check(&args.vcd.iter().map(|p| &**p).collect::<Vec<_>>(), &inputs)?;
    let Model::Bits(system) = kinds::read(&args.model)? else {
        return Err(Failure::bad_input("not yet"));
    };
    let trace = trace(args, &system)?;
    let seen = Seen::new(&system, &trace);
    if let Some(path) = &args.vcd {
        let title = args.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
        output::save(path, vcd::write(&system, &title, &trace).as_bytes())?;
    }
    let mut text = String::new();
    if !args.quiet {
        let options = match args.verbose {
            true => trace_table::Options::complete(),
            false => trace_table::Options { all: true, ..trace_table::Options::default() },
        };
        text += &printable_lines(&trace_table::simulation(&system, &trace, options, |step| seen.note(step)));
        text.push('\n');
    }
    text += &seen.summary(&system, trace.inputs.len(), Paint::for_stdout());
    if let Some(path) = &args.vcd {
        text += &format!("vcd written to {}\n", terminal::path(path));
    }
    terminal::stdout(&text)?;
    Ok(Code::Done)
}

/// Inputs and initial state.
fn trace(args: &Simulate, system: &BitSystem) -> Result<Trace, Failure> {
    let mut random = fastrand::Rng::with_seed(args.seed);
    let n_inputs = system.inputs().len();
    let wanted = args.steps.map(|n| n as usize);
    let inputs = match &args.stimulus {
        Some(path) => {
            let rows = stimulus::parse(&load(path)?, n_inputs).map_err(|error| error.with_path(path))?;
            let mut rows = Some(rows).filter(|r| !r.is_empty()).ok_or_else(|| {
                Failure::bad_input(format!("{}: the stimulus has no step", path.display()))
                    .with_hint("write one line of 0 and 1, one for each input, for each step, and then a dot")
            })?;
            rows.truncate(wanted.unwrap_or(usize::MAX));
            rows
        }
        None => {
            let n_steps = wanted.unwrap_or(STEPS);
            if n_steps.saturating_mul(n_inputs.max(8)) > MOST_VALUES {
                let most = MOST_VALUES / n_inputs.max(8);
                let message = format!("{n_steps} steps of {n_inputs} inputs are too many for one run");
                return Err(
                    Failure::bad_input(message).with_hint(format!("--steps can be up to {most} here"))
                );
            }
            let row = |_| (0..n_inputs).map(|_| random.bool()).collect();
            (0..n_steps).map(row).collect::<Vec<Vec<bool>>>()
        }
    };
    let free: Vec<bool> = match args.stimulus {
        Some(_) => vec![false; system.latches().len()],
        None => system.latches().iter().map(|_| random.bool()).collect(),
    };
    let order = ResetOrder::new(system).map_err(|error| Failure::bad_input(error.to_string()))?;
    let initial = order.initial_state(system, &inputs[0], |latch| free[latch]);
    Ok(Trace { initial, inputs })
}

/// What became true, or ceased to hold, for the first time.
#[derive(Default)]
struct Seen {
    /// The first step of each bad signal.
    bads: BTreeMap<usize, usize>,
    /// The first step in which each constraint is violated.
    constraints: BTreeMap<usize, usize>,
    notes: BTreeMap<usize, Vec<String>>,
}

impl Seen {
    fn new(system: &BitSystem, trace: &Trace) -> Seen {
        let mut seen = Seen::default();
        let mut state = trace.initial.clone();
        for (step, inputs) in trace.inputs.iter().enumerate() {
            let values = system.evaluate(&state, inputs);
            let is_true = |lit: Lit| values[lit.var().index()] ^ lit.is_negated();
            for (i, constraint) in system.constraints.iter().enumerate() {
                if !is_true(constraint.lit) {
                    seen.constraints.entry(i).or_insert(step);
                    seen.add_note(step, format!("{} violated", label('c', i, constraint)));
                }
            }
            for (i, bad) in system.bad_signals().iter().enumerate() {
                if is_true(bad.lit) {
                    seen.bads.entry(i).or_insert(step);
                    seen.add_note(step, label(letter(system), i, bad));
                }
            }
            state = system.next_state(&values);
        }
        seen
    }

    fn add_note(&mut self, step: usize, note: String) {
        self.notes.entry(step).or_default().push(note);
    }

    fn note(&self, step: usize) -> Option<String> {
        self.notes.get(&step).map(|notes| notes.join(", "))
    }

    /// The first step that is no part of any trace, because a constraint is violated in it.
    fn end(&self) -> Option<usize> {
        self.constraints.values().copied().min()
    }

    fn summary(&self, system: &BitSystem, n_steps: usize, paint: Paint) -> String {
        let mut text = format!("{}\n", terminal::count(n_steps, "step", "steps"));
        for (&i, &step) in &self.constraints {
            let name = label('c', i, &system.constraints[i]);
            text += &format!("{} {name} in step {step}\n", paint.open("constraint violated:"));
        }
        for (&i, &step) in &self.bads {
            let name = label(letter(system), i, &system.bad_signals()[i]);
            text += &match self.end() {
                Some(end) if end <= step => {
                    format!(
                        "bad state: {name} in step {step}, which does not count after a violated constraint\n"
                    )
                }
                _ => format!("{} {name} in step {step}\n", paint.bad("bad state:")),
            };
        }
        if self.bads.is_empty() && !system.bad_signals().is_empty() {
            text += "no bad state was reached\n";
        }
        text
    }
}

fn letter(system: &BitSystem) -> char {
    if system.outputs_are_bad() { 'o' } else { 'b' }
}

fn label(letter: char, index: usize, signal: &Signal) -> String {
    match &signal.name {
        Some(name) => format!("{} ({letter}{index})", printable(&name.to_string())),
        None => format!("{letter}{index}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_states_after_a_violated_constraint_do_not_count() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let a = system.add_latch("a", Some(false));
        system.set_next(a, i);
        system.add_bad("risen", a);
        system.add_constraint("", !i);
        let trace = Trace { initial: vec![false], inputs: vec![vec![false], vec![true], vec![false]] };
        let seen = Seen::new(&system, &trace);
        assert_eq!(
            seen.summary(&system, 3, Paint::plain()),
            "3 steps\nconstraint violated: c0 in step 1\n\
             bad state: risen (b0) in step 2, which does not count after a violated constraint\n"
        );
        assert_eq!((seen.note(0), seen.note(2)), (None, Some("risen (b0)".into())));
    }
}
