//! Our general solver against CaDiCaL, on unrollings and on a multiplier miter.
//!
//! `cargo bench -p indubit --bench cdcl [-- NAME…]` takes the first ten instances of a set beside the checkout, `../shared/bench/quick.csv`, if there is one (or
//! those whose path contains a NAME) that CaDiCaL does not finish with in five seconds of BMC, and asks both solvers the same:
//! every depth up to the one that CaDiCaL reached, incrementally, and then that depth alone, anew. The miter is
//! generated, so it is there on every machine. Times are processor time.

mod support;

use indubit_run::Cancel;
use indubit_sat::{Cadical, Cdcl, Config, Counted, Solve};
use std::path::Path;
use support::{Question, cpu_seconds, multiplier_miter, unrolling};

/// A solver that takes longer than the other by more than this factor is not waited for.
const PATIENCE: f64 = 10.0;

/// Ask all questions, until the time limit: the answers, and the time.
fn ask<S: Solve>(solver: &mut S, questions: &[Question], limit: f64) -> (Vec<bool>, f64) {
    let start = cpu_seconds("thread-self");
    let mut answers = Vec::new();
    for question in questions {
        question.clauses.iter().for_each(|c| solver.add_clause(c));
        answers.push(solver.solve(&question.assumptions).expect("nobody cancels"));
        if cpu_seconds("thread-self") - start > limit {
            break;
        }
    }
    (answers, cpu_seconds("thread-self") - start)
}

/// Ratios of times, for their geometric mean.
#[derive(Default)]
struct Ratios {
    log_sum: f64,
    n: u32,
    largest: f64,
}

impl Ratios {
    fn print(&self, what: &str) {
        let mean = (self.log_sum / f64::from(self.n)).exp();
        println!("{what}: geometric mean of {} ratios {mean:.2}, largest {:.2}", self.n, self.largest);
    }
}

fn compare(name: &str, questions: &[Question], ratios: &mut Ratios) {
    let cancel = Cancel::new();
    let (their_answers, theirs) = ask(&mut Cadical::new(Config::Default, &cancel), questions, f64::INFINITY);
    let mut solver = Cdcl::new(&cancel, 0);
    let (our_answers, ours) = ask(&mut solver, questions, PATIENCE * theirs);
    assert_eq!(our_answers, their_answers[..our_answers.len()], "{name}: the solvers disagree");
    let ratio = ours / theirs;
    ratios.log_sum += ratio.ln();
    ratios.n += 1;
    ratios.largest = ratios.largest.max(ratio);
    let (done, all, counts) = (our_answers.len(), questions.len(), solver.counts());
    println!(
        "{name:48} {done:4}/{all:4}  CaDiCaL {theirs:6.2} s  ours {ours:6.2} s  ratio {ratio:5.2}  \
         conflicts {:7} propagations {:10} ticks {:10}",
        counts.conflicts, counts.propagations, counts.ticks
    );
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let chosen = |path: &str| names.is_empty() || names.iter().any(|n| path.contains(n.as_str()));
    if chosen("miter") {
        for width in [7, 8] {
            let name = format!("miter of two {width}-bit multipliers");
            compare(&name, &[multiplier_miter(width)], &mut Ratios::default());
        }
    }
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let Ok(table) = std::fs::read_to_string(bench.join("quick.csv")) else {
        println!("no instances beside the project: only the miter was measured");
        return;
    };
    let (mut incremental, mut alone) = (Ratios::default(), Ratios::default());
    let paths = table.lines().skip(1).map(|l| l.split(',').next().unwrap_or_default());
    for path in paths.filter(|p| p.ends_with(".aig") && chosen(p)) {
        if incremental.n == 10 {
            break;
        }
        let mut solver = Cadical::new(Config::Default, &Cancel::new());
        let is_bad = |question: &Question| {
            question.clauses.iter().for_each(|c| solver.add_clause(c));
            solver.solve(&question.assumptions) == Ok(true)
        };
        let Some(questions) = unrolling(&bench.join(path), is_bad) else { continue };
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".aig");
        compare(name, &questions, &mut incremental);
        let last = Question::alone(&questions);
        compare(&format!("{name}, last depth alone"), &[last], &mut alone);
    }
    incremental.print("unrollings, incrementally");
    alone.print("unrollings, last depth alone");
}
