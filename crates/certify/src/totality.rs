//! Does every run of a system over words go on for ever?
//!
//! That is so if each state and inputs in which the constraints hold have a step to others in which they hold. For what comes after the step functions of what is before it are chosen: the definitions
//! that the step itself has, and where it has none, the first of a few values that will do. How they are chosen does not matter: what is asked, of a solver if it is not evident, is
//! whether the step is possible with them, whatever the state. If it is, all runs go on by induction; if not, nothing is known.

use crate::Solving;
use crate::word_proof::{Judge, unproved};
use indubit_run::{Ask, Stop};
use indubit_system::WordSystem;
use indubit_term::{Op, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many values are tried for a variable that no function determines.
const MOST_VALUES: usize = 16;

/// Does every run, in whose last step the constraints hold, go on for ever, and fairly? `false` if that is not known.
pub(crate) fn goes_on(system: &WordSystem, by: &Solving) -> Ask<bool> {
    if system.validate().is_err() {
        return Ok(false);
    }
    let mut terms = system.terms.clone();
    if !system.fairness.iter().all(|&often| terms.as_bool(often) == Some(true)) {
        return Ok(false);
    }
    let mut later = system.to_next();
    for &input in &system.inputs {
        let (name, sort) = (terms.name(input).unwrap_or_default().to_owned(), terms.sort(input));
        later.insert(input, terms.var(&name, sort));
    }
    let now: Vec<Term> = system.constraints.iter().map(|c| c.holds).collect();
    let mut step = vec![system.trans];
    step.extend(terms.substitute_all(&now, &later));
    let step = terms.and(&step);
    let variables = system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied());
    let pairs: Vec<(Term, Term)> = variables.map(|now| (now, later[&now])).collect();
    let chosen = chosen(&mut terms, step, &pairs);
    // Whatever is left open may have any value.
    let possible = terms.substitute(step, &chosen);
    let mut judge = Judge::new(by);
    match unproved(&mut terms, &now, &[possible], &mut judge) {
        Ok(Ok(None)) => Ok(!judge.has_doubts()),
        Ok(_) | Err(Stop::Incomplete(_)) => Ok(false),
        Err(stop) => Err(stop),
    }
}

/// Values for the second variable of each pair, by which a step may be possible; the first one is what it was before.
fn chosen(terms: &mut Terms, step: Term, pairs: &[(Term, Term)]) -> FxHashMap<Term, Term> {
    let mut open: FxHashSet<Term> = pairs.iter().map(|pair| pair.1).collect();
    let (mut chosen, mut rest) = terms.definitions(step, &open, |_| true);
    open.retain(|variable| !chosen.contains_key(variable));
    for &(before, variable) in pairs {
        if !open.remove(&variable) {
            continue;
        }
        // What is said of this one alone.
        let is_about = |terms: &Terms, part: Term| {
            let variables = terms.variables(&[part]);
            variables.contains(&variable) && !variables.iter().any(|v| open.contains(v))
        };
        let parts: Vec<Term> =
            terms.conjuncts(rest).into_iter().filter(|&part| is_about(terms, part)).collect();
        let wanted = terms.and(&parts);
        let zero = terms.constant(Value::zero(terms.sort(variable)));
        let mut values = vec![before, zero];
        for term in terms.cone(&[wanted]) {
            if terms.op(term) != Op::Eq || values.len() >= MOST_VALUES {
                continue;
            }
            let (solved, _) = terms.definitions(term, &FxHashSet::from_iter([variable]), |_| true);
            if let Some(&value) = solved.get(&variable)
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
        let mut value = before;
        for &other in values.iter().rev() {
            let will_do = terms.substitute(wanted, &FxHashMap::from_iter([(variable, other)]));
            value = terms.ite(will_do, other, value);
        }
        rest = terms.substitute(rest, &FxHashMap::from_iter([(variable, value)]));
        chosen.insert(variable, value);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_formats::smv;
    use indubit_run::Cancel;
    use indubit_testkit::smv::{Case, case};

    fn is_total(text: &str) -> bool {
        let text = format!("MODULE main {text}");
        let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        goes_on(&model.system, &Solving::new(&Cancel::new())).expect("nobody stops it")
    }

    #[test]
    fn models_with_a_step_from_everywhere() {
        for text in [
            "VAR x : integer; ASSIGN next(x) := x + 1;",
            "VAR x : real; y : integer; ASSIGN next(x) := x / 2.0 + 1.0;",
            "VAR x : integer; IVAR up : boolean; ASSIGN next(x) := up ? {x, x + 1} : 0; FAIRNESS TRUE",
            // What is in a range stays there; what nothing determines may be anything in it.
            "VAR x : integer; s : {a, b, c}; r : 0..4; n : 2..5; IVAR i : 0..3; ASSIGN next(s) := s = a ? {b, c} : a; next(r) := (r + 1) mod 5; next(x) := x + i;",
            // The constraint is kept.
            "VAR x : integer; ASSIGN next(x) := x + 1; INVAR x > 0",
            // A relation: one of these values is always possible.
            "VAR x : integer; TRANS next(x) = x + 1 | next(x) = x - 1;",
            "VAR x : integer; TRANS x > 3 & next(x) = 0 | x <= 3 & next(x) = x + 2;",
            "VAR x : integer; y : integer; TRANS next(x) = next(y) + 1; ASSIGN next(y) := y;",
        ] {
            assert!(is_total(text), "{text}");
        }
    }

    #[test]
    fn models_that_may_end() {
        for text in [
            "VAR x : integer; ASSIGN next(x) := x + 1; INVAR x < 10",
            "VAR x : integer; ASSIGN next(x) := x + 1; TRANS x < 10",
            "VAR x : integer; TRANS next(x) > x & next(x) < x + 1",
            "VAR x : integer; r : 0..4; ASSIGN next(x) := x; TRANS next(r) = r + 1",
            "VAR x : integer; IVAR i : integer; ASSIGN next(x) := x + i; TRANS i > x",
            "VAR x : integer; y : integer; ASSIGN next(x) := x + 1; next(y) := y; INVAR x <= y",
            // All of them go on, but not fairly.
            "VAR x : integer; ASSIGN next(x) := x + 1; FAIRNESS x = 3",
        ] {
            assert!(!is_total(text), "{text}");
        }
    }
    /// Against the states of random models, one by one: where all runs go on, no reachable state is without successor.
    #[test]
    fn no_deadlock_is_overlooked() {
        let mut n_of = [[0; 2]; 2];
        for seed in 0..200 {
            let Some(Case { text, deadlocks, .. }) = case(seed) else { continue };
            // Ranges are numbers beside a number.
            let text = text + "\nVAR beside_all : integer;\n";
            let mut model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            model.system.fairness.clear();
            let goes_on = goes_on(&model.system, &Solving::new(&Cancel::new())).expect("nobody stops it");
            assert!(!(goes_on && deadlocks), "seed {seed}: {text}");
            n_of[usize::from(goes_on)][usize::from(deadlocks)] += 1;
        }
        println!("{n_of:?}");
        assert!(n_of[1][0] > 20 && n_of[0][1] > 10, "{n_of:?}");
    }
}
