//! All reachable states of a model without unbounded numbers.

use indubit_engines::Census;
use indubit_logic::Lit;
use indubit_preproc::Select;
use indubit_run::{Ask, Run};
use indubit_system::{ARRAY_BITS, Blasted, Lower, Safety, Trace, WordSystem, blast};
use indubit_term::{BigUint, BlastError, Term, Value};

/// The reachable states.
#[derive(Clone, Debug)]
pub struct States {
    /// How many.
    pub n_states: BigUint,
    /// After how many steps nothing was new, the first states counted as one.
    pub n_rings: usize,
    /// So many of them as were wanted.
    pub listed: Vec<Vec<Value>>,
}

/// States without successor.
#[derive(Clone, Debug)]
pub struct DeadEnds {
    /// One of them, reachable or not.
    pub anywhere: Option<Vec<Value>>,
    /// A reachable one.
    pub reachable: Option<Vec<Value>>,
}

/// The reachable states, told apart by variables that are visible; at most so many are listed.
pub fn reachable_states(
    system: &WordSystem,
    is_visible: &dyn Fn(Term) -> bool,
    most: usize,
    run: &mut Run<'_>,
) -> Result<Ask<States>, BlastError> {
    with_census(system, is_visible, run, |census, as_words| {
        let listed = census.states(most)?.into_iter().map(as_words).collect();
        Ok(States { n_states: census.n_states()?, n_rings: census.n_rings(), listed })
    })
}

/// States from which no step leads on.
pub fn dead_ends(system: &WordSystem, run: &mut Run<'_>) -> Result<Ask<DeadEnds>, BlastError> {
    with_census(system, &|_| true, run, |census, as_words| {
        let found = census.dead_ends()?;
        Ok(DeadEnds { anywhere: found.anywhere.map(as_words), reachable: found.reachable.map(as_words) })
    })
}

fn with_census<T>(
    system: &WordSystem,
    is_visible: &dyn Fn(Term) -> bool,
    run: &mut Run<'_>,
    ask: impl FnOnce(&mut Census<'_>, &dyn Fn(Vec<bool>) -> Vec<Value>) -> Ask<T>,
) -> Result<Ask<T>, BlastError> {
    let blasted = blast(system, ARRAY_BITS)?;
    let visible: Vec<usize> = (0..system.states.len())
        .filter(|&i| is_visible(system.states[i].current))
        .flat_map(|i| blasted.latches_of(i).iter().copied())
        .collect();
    Ok(whole(&blasted, run).and_then(|circuit| {
        let mut census = Census::new(&circuit, &visible, run)?;
        ask(&mut census, &|state| as_words(&blasted, state))
    }))
}

/// The circuit with all its latches.
fn whole(blasted: &Blasted, run: &mut Run<'_>) -> Ask<Safety> {
    let latches = blasted.system.latches().iter();
    let all = latches.map(|latch| Lit::positive(latch.var)).collect();
    Ok(Select::infinitely_often(all).lower(&blasted.system, run)?.0)
}

fn as_words(blasted: &Blasted, mut state: Vec<bool>) -> Vec<Value> {
    state.truncate(blasted.system.latches().len());
    let inputs = vec![vec![false; blasted.system.inputs().len()]];
    let trace = Trace::finite(state, inputs);
    blasted.trace(0, &trace).states.swap_remove(0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_run::Cancel;

    fn model(text: &str) -> WordSystem {
        indubit_formats::smv::parse(text.as_bytes()).unwrap().system
    }

    #[test]
    fn states_of_words() {
        let text = "MODULE main\nIVAR go : boolean;\nVAR x : 0..3; s : {idle, busy};\nASSIGN next(x) := go ? (x + 1) mod 4 : x; init(s) := idle;\nTRANS x = 2 -> next(s) = idle\nINVAR x < 3";
        let system = model(text);
        let mut run = Run::new(Cancel::new());
        let states = reachable_states(&system, &|_| true, 100, &mut run).unwrap().unwrap();
        assert_eq!((states.n_states, states.n_rings, states.listed.len()), (6u32.into(), 2, 6));
        let found = dead_ends(&system, &mut run).unwrap().unwrap();
        assert!(found.anywhere.is_none() && found.reachable.is_none());
    }

    #[test]
    fn dead_ends_of_words() {
        let mut run = Run::new(Cancel::new());
        let text =
            "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0;\nTRANS x != 3 & next(x) = (x + 1) mod 3\n";
        let found = dead_ends(&model(text), &mut run).unwrap().unwrap();
        assert!(found.anywhere.is_some() && found.reachable.is_none());
        let text = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0;\nTRANS x != 3 & next(x) = x + 1\n";
        assert!(dead_ends(&model(text), &mut run).unwrap().unwrap().reachable.is_some());
        let text = "MODULE main\nVAR x : integer;\nASSIGN init(x) := 0;\n";
        assert!(dead_ends(&model(text), &mut run).is_err());
    }
}
