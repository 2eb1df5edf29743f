//! `indubit sat`: a formula in CNF, with a checked answer.

use crate::args::Limits;
use crate::exit::{Code, Failure};
use crate::guard::Report;
use crate::{output, preflight, terminal};
use clap::{Args, ValueEnum};
use indubit::certify::{Audited, Numbering, Setback};
use indubit::formats::{Error, dimacs};
use indubit::logic::{Lit, Var};
use indubit::run::{Ask, Cancel, Stop};
use indubit::sat::proof::{Lrat, NoProof, ProofSink};
use indubit::sat::{Cadical, Config, Counted, Counts, Solve};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  indubit sat formula.cnf                           a model, or that there is none
  indubit sat formula.cnf --proof formula.lrat      with a proof if there is none
  indubit certify formula.cnf formula.lrat          check such a proof, whoever made it

The output is that of SAT competitions: a line `s SATISFIABLE` with a model in lines `v`, a line `s UNSATISFIABLE`, or
`s UNKNOWN` when a limit or a signal ended the search; comments in lines `c`. A variable that occurs in no clause is left
out of the model: it may have either value. A model is checked against the formula before it is printed. That there
is none has been derived, and each step of the derivation checked, by the time it is printed (with --solver cadical it
has not, and a comment says so). A proof file is there only if there is no model, and complete.

Exit codes, as in SAT competitions: 10 satisfiable, 20 unsatisfiable, 0 unknown; but 2 for bad input or usage, or a
proof that could not be written, and 70 for an internal error.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Solver {
    /// Ours; its refutations are checked
    Cdcl,
    /// CaDiCaL
    Cadical,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Sat {
    /// The formula: DIMACS CNF
    #[arg(value_name = "FORMULA")]
    pub formula: PathBuf,
    /// The solver
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Solver::Cdcl)]
    pub solver: Solver,
    /// If there is no model, write the proof: LRAT as text (--solver cdcl only)
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Seed of the solver's random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: Limits,
    /// Print the line `s` only
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(args: &Sat, start: Instant) -> Result<Code, Failure> {
    if args.solver == Solver::Cadical && args.proof.is_some() {
        return Err(Failure::bad_input("--proof is not possible with --solver cadical")
            .with_hint("our own solver, --solver cdcl, writes proofs"));
    }
    preflight::check(args.proof.as_deref().as_slice(), &[&args.formula])?;
    let cancel = Cancel::new();
    let once = Report::new(Code::Done);
    let _guard = once.guard(args.limits.since(start), &cancel, |stop| {
        let _ = terminal::stdout(&unknown(stop));
    })?;
    let formula = Formula::read(&args.formula)?;
    let (text, code, error) = match formula.solve(args, &cancel)? {
        Err(stop) => (unknown(stop), Code::Done, None),
        Ok(answer) => {
            let code = if answer.model.is_some() { Code::Unsafe } else { Code::Unsatisfiable };
            (answer.text(args), code, answer.error)
        }
    };
    once.give(code, || terminal::stdout(&text))?;
    error.map_or(Ok(code), Err)
}

fn unknown(stop: Stop) -> String {
    format!("c {stop}\ns UNKNOWN\n")
}

/// A formula whose variables are numbered as they occur.
struct Formula {
    numbering: Numbering,
    clauses: Vec<Vec<Lit>>,
}

/// What a solver has found, checked.
struct Answer {
    /// As the file has its literals.
    model: Option<Vec<i64>>,
    counts: Counts,
    /// Why the proof is missing.
    error: Option<Failure>,
}

impl Formula {
    fn read(path: &Path) -> Result<Formula, Failure> {
        let cnf = dimacs::read(path).map_err(Failure::formula)?;
        let mut numbering = Numbering::new();
        let clauses =
            cnf.clauses.iter().map(|c| c.lits().iter().map(|&l| numbering.lit(l)).collect()).collect();
        Ok(Formula { numbering, clauses })
    }

    fn solve(&self, args: &Sat, cancel: &Cancel) -> Result<Ask<Answer>, Failure> {
        match (&args.proof, args.solver) {
            (_, Solver::Cadical) => self.ask_cadical(args.seed, cancel),
            (None, Solver::Cdcl) => self.ask_ours(args.seed, cancel, NoProof, |_| Ok(())),
            (Some(path), Solver::Cdcl) => {
                let out = BufWriter::new(output::Draft::new(path)?);
                let proof = Lrat::new(out, self.clauses.len(), |lit| self.number(lit));
                self.ask_ours(args.seed, cancel, proof, |solver| {
                    let conclusion = solver.conclusion();
                    let written = solver.proof_mut().finish(conclusion);
                    written.map_err(|error| Error::io(path, "write", &error))?.get_mut().keep()
                })
            }
        }
    }

    fn ask_cadical(&self, seed: u64, cancel: &Cancel) -> Result<Ask<Answer>, Failure> {
        let mut solver = Cadical::new(Config::Default, cancel).seeded(seed);
        self.clauses.iter().for_each(|c| solver.add_clause(c));
        let satisfiable = match solver.solve(&[]) {
            Ok(satisfiable) => satisfiable,
            Err(stop) => return Ok(Err(stop)),
        };
        let model = if satisfiable { Some(self.model(|lit| solver.value(lit))?) } else { None };
        Ok(Ok(Answer { model, counts: solver.counts(), error: None }))
    }

    fn ask_ours<P: ProofSink>(
        &self,
        seed: u64,
        cancel: &Cancel,
        sink: P,
        finish: impl FnOnce(&mut Audited<P>) -> Result<(), Failure>,
    ) -> Result<Ask<Answer>, Failure> {
        let mut solver = Audited::with_proof(cancel, seed, sink);
        solver.add_clauses(self.clauses.iter().map(Vec::as_slice));
        let satisfiable = match solver.solve(&[]) {
            Ok(satisfiable) => satisfiable,
            Err(Setback::Stop(stop)) => return Ok(Err(stop)),
            Err(Setback::Solver(error)) => return Err(Failure::internal(error)),
        };
        let (model, error) = match satisfiable {
            true => (Some(self.model(|lit| solver.value(lit))?), None),
            false => (None, finish(&mut solver).err()),
        };
        Ok(Ok(Answer { model, counts: solver.counts(), error }))
    }

    /// The solver's values in the order of the file's variables, if they satisfy every clause.
    fn model(&self, value: impl Fn(Lit) -> bool) -> Result<Vec<i64>, Failure> {
        let vars = 0..self.numbering.vars().len();
        let model: Vec<Lit> =
            vars.map(Var::from_index).map(|var| Lit::with_value(var, value(Lit::positive(var)))).collect();
        let holds = |lit: &Lit| model[lit.var().index()] == *lit;
        if !self.clauses.iter().all(|clause| clause.iter().any(holds)) {
            return Err(Failure::internal("the solver's model does not satisfy the formula"));
        }
        let mut numbers: Vec<i64> = model.into_iter().map(|lit| self.number(lit)).collect();
        numbers.sort_unstable_by_key(|n| n.abs());
        Ok(numbers)
    }

    /// What the file has for a literal.
    fn number(&self, lit: Lit) -> i64 {
        let lit = self.numbering.original(lit);
        lit.var().index() as i64 * if lit.is_negated() { -1 } else { 1 }
    }
}

impl Answer {
    fn text(&self, args: &Sat) -> String {
        let mut text = String::new();
        let counts = &self.counts;
        if !args.quiet {
            let numbers = [
                ("conflicts", counts.conflicts),
                ("decisions", counts.decisions),
                ("propagations", counts.propagations),
                ("restarts", counts.restarts),
                ("eliminated variables", counts.eliminated),
                ("ticks", counts.ticks),
            ];
            // CaDiCaL does not tell everything.
            for (name, value) in numbers.iter().filter(|n| args.solver == Solver::Cdcl || n.1 > 0) {
                text += &format!("c {name} {value}\n");
            }
            let how = match (args.solver, &self.model) {
                (_, Some(_)) => "the model satisfies the formula",
                (Solver::Cdcl, None) => "every step of the refutation has been checked",
                (Solver::Cadical, None) => "nothing: the refutation has not been checked",
            };
            text += &format!("c checked: {how}\n");
        }
        match &self.model {
            None => text + "s UNSATISFIABLE\n",
            Some(_) if args.quiet => text + "s SATISFIABLE\n",
            Some(model) => text + "s SATISFIABLE\n" + &dimacs::model_lines(model.iter().copied()),
        }
    }
}
