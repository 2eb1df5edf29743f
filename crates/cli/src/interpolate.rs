//! `indubit interpolate`: what follows from the first formula and contradicts the second (a Craig interpolant; *craig_interpolate* in I. Zabrodin's slides, docs/SOURCES.md),
//! or a sequence for more than two.

use crate::args::{Limits, TextFormat};
use crate::convert::writer;
use crate::exit::{Code, Failure};
use crate::guard;
use crate::terminal::{self, Paint, count, indent, path};
use crate::{output, preflight};
use clap::{Args, ValueEnum};
use indubit::BitSystem;
use indubit::aig::{Aig, Cone, Import};
use indubit::formats::{dimacs, invariant_text};
use indubit::interpolate::{self as itp, Answer, Interpolator};
use indubit::logic::{Clause, Lit, Var};
use indubit::run::{Ask, Cancel, Stop};
use indubit::system::Signal;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  indubit interpolate a.cnf b.cnf                  I with A -> I, I & B unsatisfiable, over shared variables
  indubit interpolate a.cnf b.cnf --system pudlak
  indubit interpolate a1.cnf a2.cnf a3.cnf         I1, I2 with A1 -> I1, I1 & A2 -> I2, I2 & A3 unsatisfiable
  indubit interpolate a.cnf b.cnf --output i.aag   inputs x1, x2, ... after the variables, output I

All conditions are checked with another solver before anything is printed.

Exit codes: 0 there it is, 10 the formulas have a common model (it is printed), so there is none, 30 a limit was
reached, 2 bad input or usage, 70 internal error.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum System {
    /// McMillan's: the strongest of the three
    Mcmillan,
    /// Pudlák's: symmetric in its formulas
    Pudlak,
    /// The inverse of McMillan's: the weakest of the three
    InverseMcmillan,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Interpolate {
    /// The formulas: DIMACS CNF; equal numbers are the same variable
    #[arg(value_name = "CNF", required = true, num_args = 2..)]
    pub formulas: Vec<PathBuf>,
    /// The interpolation system
    #[arg(long, value_enum, default_value_t = System::Mcmillan)]
    pub system: System,
    /// Write the interpolants as a circuit: AIGER, .aag (ASCII) or .aig (binary); - is ASCII on standard output, and then the report is on standard error
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
    /// Print the formulas only, or the model
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print formulas in full, however long
    #[arg(long, short)]
    pub verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

/// Definitions below a formula that are printed without --verbose.
const LISTED: usize = 20;

pub fn run(args: &Interpolate, start: Instant) -> Result<Code, Failure> {
    let cancel = Cancel::new();
    let format = args.format;
    let report =
        move |(code, text, details): Report| format.print("indubit.interpolate", code, &text, details);
    let once = guard::Report::new(Code::Unknown);
    let _guard = once.guard(args.limits.since(start), &cancel, move |stop| {
        let _ = report(unfinished(stop));
    })?;
    let write = args.output.as_deref().map(writer).transpose()?;
    let inputs: Vec<&Path> = args.formulas.iter().map(PathBuf::as_path).collect();
    preflight::check(args.output.as_deref().as_slice(), &inputs)?;
    let problem = Problem::read(&args.formulas)?;
    let answer = match problem.solve(args.system.known().0, &cancel) {
        Err(stop) => unfinished(stop),
        Ok(Outcome::Wrong(violation)) => return Err(Failure::internal(violation)),
        Ok(Outcome::Model(model)) => satisfiable(args, &model),
        Ok(Outcome::Interpolants(mut circuit)) => {
            let files: Vec<String> = args.formulas.iter().map(|file| path(file)).collect();
            let by = args.system.known().1;
            circuit.comment = format!("interpolants of {} by {by}\n", files.join(", ")).into();
            if let (Some(path), Some(write)) = (&args.output, write) {
                output::save(path, &write(&circuit))?;
            }
            found(args, &problem, &circuit)
        }
    };
    once.give(answer.0, || {
        // Whoever reads the circuit from there does not want more.
        if format == TextFormat::Human && args.output.as_deref().is_some_and(output::is_stdout) {
            terminal::stderr(&answer.1);
            return Ok(());
        }
        report(answer)
    })
}

impl System {
    /// What the library has for it, and its name.
    fn known(self) -> (itp::System, &'static str) {
        match self {
            System::Mcmillan => (itp::System::McMillan, "McMillan's system"),
            System::Pudlak => (itp::System::Pudlak, "Pudlák's system"),
            System::InverseMcmillan => (itp::System::InverseMcMillan, "the inverse of McMillan's system"),
        }
    }
}

/// The formulas over variables 1, 2, … without gaps: a file may name any variable, and solvers have an array of them.
struct Problem {
    parts: Vec<Vec<Clause>>,
    /// The file's number of variable 1, 2, ….
    numbers: Vec<Var>,
}

enum Outcome {
    /// A circuit with an output for each interpolant. It has been checked.
    Interpolants(Box<BitSystem>),
    /// A common model, as DIMACS literals. It has been checked.
    Model(Vec<i64>),
    /// A bug of ours.
    Wrong(String),
}

impl Problem {
    fn read(paths: &[PathBuf]) -> Result<Problem, Failure> {
        let read = |path: &PathBuf| dimacs::read(path).map(|cnf| cnf.clauses);
        let parts: Result<Vec<Vec<Clause>>, _> = paths.iter().map(read).collect();
        let mut parts = parts.map_err(Failure::formula)?;
        let mut numbers: Vec<Var> = parts.iter().flatten().flat_map(Clause::lits).map(|l| l.var()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let renamed = |lit: &Lit| {
            let at = numbers.binary_search(&lit.var()).expect("every variable has a number");
            Var::from_index(at + 1).lit(lit.is_negated())
        };
        for clause in parts.iter_mut().flatten() {
            *clause = Clause::new(clause.lits().iter().map(renamed));
        }
        Ok(Problem { parts, numbers })
    }

    fn solve(&self, system: itp::System, cancel: &Cancel) -> Ask<Outcome> {
        let mut interpolator = Interpolator::new(cancel, 0);
        for (part, clauses) in (0..).zip(&self.parts) {
            clauses.iter().for_each(|clause| interpolator.add_clause(part, clause.lits()));
        }
        let refutation = match interpolator.solve(&[])? {
            Answer::Model(model) => return Ok(self.model(|lit| model.value(lit))),
            Answer::Refutation(refutation) => refutation,
        };
        let mut aig = Aig::new();
        for _ in &self.numbers {
            aig.leaf();
        }
        let itself = |var: Var| var.lit(false);
        let n_parts = self.parts.len();
        let sequence = refutation.sequence(n_parts as u32, system, &mut aig, itself)?;
        if let Err(violation) = itp::check(&self.parts, &aig, itself, &sequence, cancel)? {
            return Ok(Outcome::Wrong(format!("interpolants that are none: {violation}")));
        }
        Ok(Outcome::Interpolants(Box::new(self.circuit(&aig, &sequence[1..n_parts]))))
    }

    fn model(&self, value: impl Fn(Lit) -> bool) -> Outcome {
        let holds = |clause: &Clause| clause.lits().iter().any(|&l| value(l));
        if !self.parts.iter().flatten().all(holds) {
            return Outcome::Wrong("the model does not satisfy all clauses".into());
        }
        let signed = |(number, var): (&Var, usize)| {
            let number = number.index() as i64;
            if value(Var::from_index(var).lit(false)) { number } else { -number }
        };
        Outcome::Model(self.numbers.iter().zip(1..).map(signed).collect())
    }

    /// The interpolants with what they need, and with the file's names.
    fn circuit(&self, aig: &Aig, interpolants: &[Lit]) -> BitSystem {
        let mut circuit = BitSystem::new();
        let mut import = Import::new(aig);
        let mut cone = Cone::new();
        let nodes = cone.collect(aig, interpolants.iter().copied());
        for &leaf in nodes.iter().filter(|&&var| aig.fanins(var).is_none()) {
            let name = format!("x{}", self.numbers[leaf.index() - 1].index());
            import.set(leaf, circuit.add_input(&name));
        }
        for (index, &interpolant) in interpolants.iter().enumerate() {
            let lit = import.lit(aig, circuit.aig_mut(), interpolant);
            let name = if interpolants.len() == 1 { "I".into() } else { format!("I{}", index + 1) };
            circuit.outputs.push(Signal { lit, name: Some(name.as_str().into()) });
        }
        circuit
    }

    /// How many variables occur in more than one formula.
    fn n_shared(&self) -> usize {
        let mut n_parts = vec![0; self.numbers.len() + 1];
        for clauses in &self.parts {
            let vars: HashSet<Var> = clauses.iter().flat_map(Clause::lits).map(|l| l.var()).collect();
            vars.into_iter().for_each(|var| n_parts[var.index()] += 1);
        }
        n_parts.into_iter().filter(|&n| n > 1).count()
    }
}

type Report = (Code, String, Value);

fn unfinished(stop: Stop) -> Report {
    let text = format!("{}: no interpolant yet ({stop})\n", Paint::for_stdout().open("unknown"));
    (Code::Unknown, text, json!({"result": "unknown", "stop": stop.to_string()}))
}

fn satisfiable(args: &Interpolate, model: &[i64]) -> Report {
    let mut text = String::new();
    if !args.quiet {
        let verdict = Paint::for_stdout().bad("satisfiable");
        text = format!("{verdict}: the formulas have a common model, so there is no interpolant\n");
    }
    text += &dimacs::model_lines(model.iter().copied());
    (Code::Unsafe, text, json!({"result": "satisfiable", "model": model}))
}

fn found(args: &Interpolate, problem: &Problem, circuit: &BitSystem) -> Report {
    // Without outputs, which would give their names to gates.
    let mut nameless = circuit.clone();
    nameless.outputs.clear();
    let formula = |s: &Signal, limit| invariant_text::formula(&nameless, s.lit, limit);
    let (n_gates, n_variables) = (circuit.aig().n_ands(), circuit.inputs().len());
    let n_shared = problem.n_shared();
    if args.format == TextFormat::Json {
        let formulas = circuit.outputs.iter().map(|s| formula(s, None).trim_end().to_owned());
        let details = json!({
            "result": "interpolants",
            "interpolants": formulas.collect::<Vec<_>>(),
            "gates": n_gates,
            "variables": n_variables,
            "shared_variables": n_shared,
        });
        return (Code::Done, String::new(), details);
    }
    let mut formulas = String::new();
    for signal in &circuit.outputs {
        let name = signal.name.as_ref().map_or_else(String::new, ToString::to_string);
        formulas += &format!("{name} = {}", formula(signal, (!args.verbose).then_some(LISTED)));
    }
    if args.quiet {
        return (Code::Done, indent(&formulas, 0), Value::Null);
    }
    let n_parts = problem.parts.len();
    let (what, conditions) = match n_parts {
        2 => ("interpolant", "A -> I, I & B is unsatisfiable, and A and B share the variables of I".into()),
        n => {
            let last = format!("I{} & A{n} is unsatisfiable", n - 1);
            let conditions =
                format!("A1 -> I1, each Ij & A(j+1) -> I(j+1), {last}, and variables are shared");
            ("interpolation sequence", conditions)
        }
    };
    let mut text = String::new();
    for (index, (file, clauses)) in args.formulas.iter().zip(&problem.parts).enumerate() {
        let letter = if n_parts == 2 { ["A", "B"][index].into() } else { format!("A{}", index + 1) };
        text += &format!("{letter} = {}: {}\n", path(file), count(clauses.len(), "clause", "clauses"));
    }
    text += &format!(
        "{} by {}: {} over {n_variables} of {} shared\n{}",
        Paint::for_stdout().good(what),
        args.system.known().1,
        count(n_gates, "gate", "gates"),
        count(n_shared, "variable that is", "variables that are"),
        indent(&formulas, 2)
    );
    if formulas.lines().any(|line| line.starts_with("… ")) {
        text += "  (--verbose shows all)\n";
    }
    text += &format!("checked with another solver: {conditions}\n");
    if let Some(output) = args.output.as_deref().filter(|o| !output::is_stream(o)) {
        text += &format!("circuit written to {}\n", path(output));
    }
    (Code::Done, text, Value::Null)
}
