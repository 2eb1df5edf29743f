//! `indubit interpolate`: what follows from the first formula and contradicts the second (a Craig interpolant; *craig_interpolate* in I. Zabrodin's slides, docs/SOURCES.md),
//! or a sequence for more than two.

use crate::args::{Interpolate, System, TextFormat};
use crate::convert::writer;
use crate::exit::{Code, Failure};
use crate::guard;
use crate::terminal::{self, Paint, count, indent, path};
use crate::{output, preflight};
use indubit::BitSystem;
use indubit::aig::{Aig, Cone, Import};
use indubit::formats::{dimacs, invariant_text};
use indubit::interpolate::{self as itp, Answer, Interpolator, Violation};
use indubit::logic::{Clause, Lit, Var};
use indubit::run::{Ask, Cancel, Stop};
use indubit::system::Signal;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Definitions below a formula that are printed without --verbose.
const LISTED: usize = 20;

pub fn run(args: &Interpolate, start: Instant) -> Result<Code, Failure> {
    let cancel = Cancel::new();
    let limits = args.limits.since(start);
    let format = args.format;
    let once = guard::Report::new(Code::Unknown);
    let _guard = once.guard(limits, &cancel, move |stop| {
        let (code, text, details) = unfinished(stop);
        let _ = report(format, code, &text, details);
    })?;
    let write = args.output.as_deref().map(writer).transpose()?;
    let inputs: Vec<&Path> = args.formulas.iter().map(PathBuf::as_path).collect();
    preflight::check(args.output.as_deref().as_slice(), &inputs)?;
    let problem = Problem::read(&args.formulas)?;
    let (code, text, details) = match problem.solve(system(args.system), &cancel) {
        Err(stop) => unfinished(stop),
        Ok(Outcome::Wrong(violation)) => return Err(Failure::internal(violation)),
        Ok(Outcome::Model(model)) => satisfiable(args, &model),
        Ok(Outcome::Interpolants(circuit)) => {
            if let (Some(path), Some(write)) = (&args.output, write) {
                output::save(path, &write(&with_comment(&circuit, args)))?;
            }
            found(args, &problem, &circuit)
        }
    };
    if format == TextFormat::Human && args.output.as_deref().is_some_and(output::is_stdout) {
        // Whoever reads the circuit from there does not want more.
        return once.give(code, || {
            terminal::stderr(&text);
            Ok(())
        });
    }
    once.give(code, || report(format, code, &text, details))
}

fn system(system: System) -> itp::System {
    match system {
        System::Mcmillan => itp::System::McMillan,
        System::Pudlak => itp::System::Pudlak,
        System::InverseMcmillan => itp::System::InverseMcMillan,
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
            return Ok(Outcome::Wrong(wrong(violation)));
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
        let mut last = vec![None; self.numbers.len() + 1];
        let mut is_shared = vec![false; self.numbers.len() + 1];
        for (part, clauses) in self.parts.iter().enumerate() {
            for var in clauses.iter().flat_map(Clause::lits).map(|l| l.var().index()) {
                is_shared[var] |= last[var].replace(part).is_some_and(|other| other != part);
            }
        }
        is_shared.into_iter().filter(|&shared| shared).count()
    }
}

fn wrong(violation: Violation) -> String {
    format!("interpolants that are none: {violation}")
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
    let formulas = |limit: Option<usize>| -> Vec<(String, String)> {
        let text = |s: &Signal| {
            let name = s.name.as_ref().map_or_else(String::new, ToString::to_string);
            (name, invariant_text::formula(&nameless, s.lit, limit))
        };
        circuit.outputs.iter().map(text).collect()
    };
    let n_shared = problem.n_shared();
    let details = || {
        let formulas: Vec<Value> = formulas(None).iter().map(|(_, text)| text.trim_end().into()).collect();
        json!({
            "result": "interpolants",
            "interpolants": formulas,
            "gates": circuit.aig().n_ands(),
            "variables": circuit.inputs().len(),
            "shared_variables": n_shared,
        })
    };
    if args.format == TextFormat::Json {
        return (Code::Done, String::new(), details());
    }
    let limit = (!args.verbose).then_some(LISTED);
    let mut text = if args.quiet { String::new() } else { introduction(args, problem, circuit, n_shared) };
    let mut is_cut = false;
    for (name, formula) in formulas(limit) {
        is_cut |= formula.lines().any(|line| line.starts_with("… "));
        text += &indent(&format!("{name} = {formula}"), if args.quiet { 0 } else { 2 });
    }
    if !args.quiet {
        if is_cut {
            text += "  (--verbose shows all)\n";
        }
        text += &conclusion(args.formulas.len());
        if let Some(output) = args.output.as_deref().filter(|o| !output::is_stream(o)) {
            text += &format!("circuit written to {}\n", path(output));
        }
    }
    (Code::Done, text, Value::Null)
}

fn title(system: System) -> &'static str {
    match system {
        System::Mcmillan => "McMillan's system",
        System::Pudlak => "Pudlák's system",
        System::InverseMcmillan => "the inverse of McMillan's system",
    }
}

/// The formulas' letters: A and B, or A1, A2, ….
fn letter(index: usize, n_parts: usize) -> String {
    match n_parts {
        2 => ["A", "B"][index].into(),
        _ => format!("A{}", index + 1),
    }
}

fn introduction(args: &Interpolate, problem: &Problem, circuit: &BitSystem, n_shared: usize) -> String {
    let mut text = String::new();
    for (index, (file, clauses)) in args.formulas.iter().zip(&problem.parts).enumerate() {
        let letter = letter(index, problem.parts.len());
        text += &format!("{letter} = {}: {}\n", path(file), count(clauses.len(), "clause", "clauses"));
    }
    let what = if args.formulas.len() == 2 { "interpolant" } else { "interpolation sequence" };
    let gates = count(circuit.aig().n_ands(), "gate", "gates");
    text += &format!(
        "{} by {}: {gates} over {} of {} shared\n",
        Paint::for_stdout().good(what),
        title(args.system),
        circuit.inputs().len(),
        count(n_shared, "variable that is", "variables that are"),
    );
    text
}

fn conclusion(n_parts: usize) -> String {
    let conditions = match n_parts {
        2 => "A -> I, I & B is unsatisfiable, and A and B share the variables of I".into(),
        n => format!(
            "A1 -> I1, each Ij & A(j+1) -> I(j+1), I{} & A{n} is unsatisfiable, and variables are shared",
            n - 1
        ),
    };
    format!("checked with another solver: {conditions}\n")
}

/// The circuit with a comment that says what it is.
fn with_comment(circuit: &BitSystem, args: &Interpolate) -> BitSystem {
    let files: Vec<String> = args.formulas.iter().map(|file| path(file)).collect();
    let mut circuit = circuit.clone();
    circuit.comment = format!("interpolants of {} by {}\n", files.join(", "), title(args.system)).into();
    circuit
}

fn report(format: TextFormat, code: Code, text: &str, details: Value) -> Result<(), Failure> {
    match format {
        TextFormat::Human => terminal::stdout(text),
        TextFormat::Json => terminal::json("indubit.interpolate", code, details),
    }
}
