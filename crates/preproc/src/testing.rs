//! Small problems for the tests of passes.

use indubit_logic::Lit;
use indubit_run::{Cancel, Run};
use indubit_system::{Lower, Safety, StateVar};

/// Latches with the given initial values; `make` returns their next values, bad and the constraints.
pub(crate) fn safety<const N: usize>(
    init: [Option<bool>; N],
    n_inputs: usize,
    make: impl Fn(&mut Safety, [Lit; N], &[Lit]) -> ([Lit; N], Lit, Vec<Lit>),
) -> Safety {
    let mut safety = Safety::default();
    let inputs: Vec<Lit> = (0..n_inputs).map(|_| safety.aig.leaf()).collect();
    safety.inputs = inputs.iter().map(|l| l.var()).collect();
    let latches = init.map(|_| safety.aig.leaf());
    let (next, bad, constraints) = make(&mut safety, latches, &inputs);
    for i in 0..N {
        safety.latches.push(StateVar { var: latches[i].var(), next: next[i], init: init[i] });
    }
    safety.bad = bad;
    safety.constraints = constraints;
    safety
}

/// The problem after a pass.
pub(crate) fn lowered(pass: &impl Lower<From = Safety>, problem: &Safety) -> Safety {
    let mut run = Run::new(Cancel::new());
    pass.lower(problem, &mut run).unwrap().0
}
