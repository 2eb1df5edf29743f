//! `indubit simulate`: a run of the model on random or given inputs.

use crate::args::{DesignArgs, more_verilog};
use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::kinds::{Model, Presented};
use crate::terminal::{self, Paint, printable, printable_lines};
use crate::{output, preflight};
use clap::Args;
use indubit::formats::seen::Seen;
use indubit::formats::{load, stimulus, trace_table};
use indubit::run::{Cancel, Run};
use indubit::system::ResetOrder;
use indubit::{BitSystem, Bits, Claim, Property, Trace, Words};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  indubit simulate model.aig                              20 random steps
  indubit simulate model.aig --steps 100 --seed 7 --vcd out.vcd
  indubit simulate model.aig --stimulus inputs.stim       one line of 0 and 1 a step, then a dot

Random runs obey the constraints: where random inputs break them, a solver chooses others, and the run ends where there are none. Over words
a solver chooses each step. Latches without an initial value start randomly, with a stimulus at 0. The exit code is 0 also when a bad state
was reached: a simulation decides nothing.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Simulate {
    /// The model: AIGER (ASCII or binary), BTOR2, Verilog (by Yosys), SMV, VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// More files of a design in Verilog
    #[arg(value_name = "MORE", value_parser = more_verilog)]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub design: DesignArgs,
    /// Random inputs (the default without --stimulus)
    #[arg(long, conflicts_with = "stimulus")]
    pub random: bool,
    /// The number of steps of a random run; of a stimulus, use at most so many [default: 20; all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: Option<u32>,
    /// Seed of the random values
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Inputs from a file in AIGER's stimulus format, for models of bits
    #[arg(long, value_name = "FILE")]
    pub stimulus: Option<PathBuf>,
    /// Write a waveform
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Print what became true only, not the table
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print all steps and all signals, however many
    #[arg(long, short)]
    pub verbose: bool,
}

/// Steps of a random run if nothing else was asked for.
const STEPS: usize = 20;
/// More input values than this do not fit into memory with ease.
const MOST_VALUES: usize = 1 << 30;

pub fn run(args: &Simulate) -> Result<Code, Failure> {
    if args.design.show(&args.model, &args.more)? {
        return Ok(Code::Done);
    }
    let _guard = Guard::for_signals()?;
    let inputs: Vec<&Path> = [&args.model].into_iter().chain(&args.stimulus).map(PathBuf::as_path).collect();
    preflight::check(args.vcd.as_deref().as_slice(), &inputs)?;
    match args.design.read(&args.model, &args.more)? {
        Model::Bits(system) => {
            // Without constraints any inputs will do.
            let is_given = args.stimulus.is_some() || system.constraints.is_empty();
            let trace = if is_given { Some(bit_trace(args, &system)?) } else { None };
            show::<Bits>(args, &system, trace)
        }
        Model::Words(model) => {
            if args.stimulus.is_some() {
                let message = "--stimulus is for models of bits, and this is one of words";
                return Err(Failure::bad_input(message).with_hint("leave it out: a solver chooses the steps"));
            }
            show::<Words>(args, &model, None)
        }
    }
}

/// Show a run: the one that is given, or a random one that a solver finds.
fn show<K: Presented>(args: &Simulate, model: &K::Model, given: Option<K::Trace>) -> Result<Code, Failure> {
    let (trace, is_stuck) = match given {
        Some(trace) => (trace, false),
        None => {
            let n_steps = args.steps.map_or(STEPS, |n| n as usize);
            refuse_too_many(n_steps, K::size(model).n_values())?;
            let run = Run::new(Cancel::new()).with_seed(args.seed);
            let found = indubit::simulate::<K>(K::system(model), n_steps, None, &run).map_err(|error| {
                Failure::bad_input(format!("{}: {error}", args.model.display())).with_hint(
                    "a simulation needs a solver for the model, and ours is for linear arithmetic or bits",
                )
            })?;
            let found = found.map_err(|stop| Failure::bad_input(format!("no run was found: {stop}")))?;
            let Some(found) = found else {
                let message = format!("{}: there is no initial state", args.model.display());
                return Err(Failure::bad_input(message)
                    .with_hint("what holds initially, or the constraints, exclude all states"));
            };
            (found.trace, found.is_stuck)
        }
    };
    let properties = K::properties(K::system(model));
    let seen = K::seen(model, &trace);
    let note = |step: usize| -> Option<String> {
        let Seen { broken, hit } = seen.get(step)?;
        let mut notes: Vec<String> =
            broken.iter().map(|name| format!("{} violated", printable(name))).collect();
        notes.extend(hit.iter().map(|&p| printable(&properties[p].title())));
        (!notes.is_empty()).then(|| notes.join(", "))
    };
    if let Some(path) = &args.vcd {
        let title = args.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
        output::save(path, K::waveform(model, &title, &trace).as_bytes())?;
    }
    let mut text = String::new();
    if !args.quiet {
        let options = match args.verbose {
            true => trace_table::Options::complete(),
            false => trace_table::Options { all: true, ..trace_table::Options::default() },
        };
        text += &printable_lines(&K::run_table(model, &trace, options, &note));
        text.push('\n');
    }
    text += &summary(&properties, &seen, is_stuck, Paint::for_stdout());
    if let Some(path) = &args.vcd {
        text += &format!("vcd written to {}\n", terminal::path(path));
    }
    terminal::stdout(&text)?;
    Ok(Code::Done)
}

/// Refuse what does not fit into memory.
fn refuse_too_many(n_steps: usize, n_values: usize) -> Result<(), Failure> {
    let most = MOST_VALUES / n_values.max(8);
    if n_steps <= most {
        return Ok(());
    }
    let message = format!("{n_steps} steps of {n_values} inputs are too many for one run");
    Err(Failure::bad_input(message).with_hint(format!("--steps can be up to {most} here")))
}

fn summary<F>(properties: &[Property<F>], seen: &[Seen], is_stuck: bool, paint: Paint) -> String {
    let mut text = format!("{}\n", terminal::count(seen.len(), "step", "steps"));
    if is_stuck {
        let last = seen.len().saturating_sub(1);
        text += &format!(
            "{} the constraints, or the steps that there are, allow nothing after step {last}\n",
            paint.open("no way to go on:")
        );
    }
    let end = seen.iter().position(|step| !step.broken.is_empty());
    if let Some((step, Seen { broken, .. })) = end.map(|end| (end, &seen[end])) {
        for name in broken {
            text += &format!("{} {} in step {step}\n", paint.open("constraint violated:"), printable(name));
        }
    }
    let mut any_bad = false;
    for (i, property) in properties.iter().enumerate() {
        let Some(step) = seen.iter().position(|step| step.hit.contains(&i)) else { continue };
        let name = printable(&property.title());
        let is_cover = matches!(property.claim, Claim::Reachable(_));
        any_bad |= !is_cover;
        let what = if is_cover { "reached:" } else { "bad state:" };
        text += &match end {
            Some(end) if end <= step => {
                format!("{what} {name} in step {step}, which does not count after a violated constraint\n")
            }
            _ if is_cover => format!("{} {name} in step {step}\n", paint.good(what)),
            _ => format!("{} {name} in step {step}\n", paint.bad(what)),
        };
    }
    let has_bads = properties.iter().any(|p| matches!(p.claim, Claim::Always(_)));
    if has_bads && !any_bad {
        text += "no bad state was reached\n";
    }
    text
}

/// Inputs and initial state of a circuit, given or at random.
fn bit_trace(args: &Simulate, system: &BitSystem) -> Result<Trace, Failure> {
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
            refuse_too_many(n_steps, n_inputs)?;
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
    Ok(Trace::finite(initial, inputs))
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
        let trace = Trace::finite(vec![false], vec![vec![false], vec![true], vec![false]]);
        let seen = Bits::seen(&system, &trace);
        assert_eq!(
            summary(&system.properties(), &seen, false, Paint::plain()),
            "3 steps\nconstraint violated: c0 in step 1\n\
             bad state: risen (b0) in step 2, which does not count after a violated constraint\n"
        );
        assert!(seen[0].hit.is_empty() && seen[2].hit == [0]);
        // What is covered is no bad state.
        system.bads.clear();
        system.add_cover("risen", a);
        let seen = Bits::seen(&system, &trace);
        assert_eq!(
            summary(&system.properties(), &seen, false, Paint::plain()),
            "3 steps\nconstraint violated: c0 in step 1\n\
             reached: risen (cover0) in step 2, which does not count after a violated constraint\n"
        );
    }
}
