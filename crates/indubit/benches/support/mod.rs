//! Formulas to measure solvers with.

mod clock;

pub use clock::cpu_seconds;

use indubit_aig::{Aig, Encoder};
use indubit_logic::Lit;
use indubit_run::{Cancel, Run};
use indubit_system::{Start, Unroller};
use indubit_testkit::Word;
use std::path::Path;

/// What an incremental solver is told and asked.
pub struct Question {
    /// More clauses.
    pub clauses: Vec<Vec<Lit>>,
    /// Under which assumptions to solve.
    pub assumptions: Vec<Lit>,
}

impl Question {
    /// The last question with everything it rests on.
    pub fn alone(questions: &[Question]) -> Question {
        Question {
            clauses: questions.iter().flat_map(|q| q.clauses.iter().cloned()).collect(),
            assumptions: questions.last().map(|q| q.assumptions.clone()).unwrap_or_default(),
        }
    }
}

/// BMC's questions about the first bad signal of a model, as many as `is_bad` answers in five seconds. None if it
/// finds a bug or the model ends sooner.
pub fn unrolling(path: &Path, mut is_bad: impl FnMut(&Question) -> bool) -> Option<Vec<Question>> {
    let system = indubit_formats::aiger::read(path).ok()?;
    let mut run = Run::new(Cancel::new());
    let bad = system.property(0)?.claim.target()?;
    let safety = indubit_preproc::prepare(
        &system,
        &indubit_preproc::Select::one(bad),
        &indubit_preproc::Passes::default(),
        &mut run,
    )
    .ok()?
    .safety;
    let mut unroller = Unroller::new(&safety, Start::Initial);
    let mut encoder = Encoder::new();
    let mut questions = Vec::new();
    let mut last: Option<Lit> = None;
    let start = cpu_seconds("thread-self");
    loop {
        let frame = unroller.extend(&safety);
        let (constraint, bad) = (frame.constraint, frame.bad);
        let mut clauses: Vec<Vec<Lit>> = last.iter().map(|&bad| vec![!bad]).collect();
        for lit in [constraint, bad] {
            encoder.encode(unroller.aig(), lit, |c| clauses.push(c.to_vec()));
        }
        clauses.push(vec![constraint]);
        last = Some(bad);
        let question = Question { clauses, assumptions: vec![bad] };
        if is_bad(&question) || questions.len() > 2000 {
            return None;
        }
        questions.push(question);
        if cpu_seconds("thread-self") - start > 5.0 {
            return Some(questions);
        }
    }
}

/// Are two multipliers of `width` bits different? One adds the rows with carries rippling, the other saves carries
/// and adds columns, with its operands swapped.
pub fn multiplier_miter(width: usize) -> Question {
    let mut aig = Aig::new();
    let [a, b] = [0; 2].map(|_| Word::new((0..width).map(|_| aig.leaf())));
    let (rows, columns) = (a.times(&mut aig, &b), b.times_by_columns(&mut aig, &a));
    let miter = !rows.equals(&mut aig, &columns);
    let mut clauses = Vec::new();
    Encoder::new().encode(&aig, miter, |c| clauses.push(c.to_vec()));
    clauses.push(vec![miter]);
    Question { clauses, assumptions: Vec::new() }
}
