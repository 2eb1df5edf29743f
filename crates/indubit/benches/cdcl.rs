//! Our general solver against CaDiCaL, on unrollings and on a multiplier miter.
//!
//! `cargo bench -p indubit --bench cdcl [-- NAME…]` takes the first ten instances of `../shared/bench/quick.csv` (or those whose
//! path contains a NAME) that CaDiCaL does not finish with in five seconds of BMC, and asks both solvers the same
//! questions up to the depth that CaDiCaL reached. The miter is generated, so it is there on every machine. Times are
//! processor time.

mod support;

use indubit_logic::Lit;
use indubit_run::Cancel;
use indubit_sat::{Cadical, Cdcl, Config, Counted, Solve};
use std::path::Path;
use support::{Question, cpu_seconds, multiplier_miter, unrolling};

/// Ask all questions; how many were answered within the limit, and in which time.
fn ask<S: Solve>(solver: &mut S, questions: &[Question], limit: f64) -> (usize, f64, Vec<bool>) {
    let start = cpu_seconds();
    let mut answers = Vec::new();
    for question in questions {
        question.clauses.iter().for_each(|c| solver.add_clause(c));
        match solver.solve(&question.assumptions) {
            Ok(answer) => answers.push(answer),
            Err(_) => break,
        }
        if cpu_seconds() - start > limit {
            break;
        }
    }
    (answers.len(), cpu_seconds() - start, answers)
}

struct Ratios {
    log_sum: f64,
    n: u32,
}

fn compare(name: &str, questions: &[Question], ratios: &mut Ratios) {
    let cancel = Cancel::new();
    let mut theirs = Cadical::new(Config::Default, &cancel);
    let (_, their_time, their_answers) = ask(&mut theirs, questions, f64::INFINITY);
    let mut ours = Cdcl::new(&cancel, 0);
    let (n, our_time, our_answers) = ask(&mut ours, questions, 10.0 * their_time);
    assert_eq!(our_answers, their_answers[..our_answers.len()], "{name}: the solvers disagree");
    let ratio = our_time / their_time;
    ratios.log_sum += ratio.ln();
    ratios.n += 1;
    let counts = ours.counts();
    println!(
        "{name:60} {:5} of {:5}  CaDiCaL {their_time:7.2} s  ours {our_time:7.2} s  ratio {ratio:5.2}  conflicts {:8} propagations {:11} ticks {:11} restarts {} decisions {}",
        n,
        questions.len(),
        counts.conflicts,
        counts.propagations,
        counts.ticks,
        counts.restarts,
        counts.decisions
    );
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let chosen = |path: &str| names.is_empty() || names.iter().any(|n| path.contains(n.as_str()));
    let mut ratios = Ratios { log_sum: 0.0, n: 0 };
    if chosen("miter") {
        for width in [7, 8] {
            let questions = multiplier_miter(width);
            compare(&format!("miter of two {width}-bit multipliers"), &questions, &mut ratios);
        }
    }
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let Ok(table) = std::fs::read_to_string(bench.join("quick.csv")) else {
        println!("no instances beside the project: only the miter was measured");
        return;
    };
    let mut ratios = Ratios { log_sum: 0.0, n: 0 };
    let paths = table.lines().skip(1).map(|l| l.split(',').next().unwrap_or_default());
    for path in paths.filter(|p| p.ends_with(".aig") && chosen(p)) {
        if ratios.n == 10 {
            break;
        }
        let mut solver = Cadical::new(Config::Default, &Cancel::new());
        let Some(questions) = unrolling(&bench.join(path), |question| ask_one(&mut solver, question)) else {
            continue;
        };
        compare(path, &questions, &mut ratios);
    }
    println!(
        "geometric mean of the ratios on {} unrollings: {:.2}",
        ratios.n,
        (ratios.log_sum / f64::from(ratios.n)).exp()
    );
}

fn ask_one(solver: &mut Cadical, question: &Question) -> bool {
    question.clauses.iter().for_each(|c: &Vec<Lit>| solver.add_clause(c));
    solver.solve(&question.assumptions) == Ok(true)
}
