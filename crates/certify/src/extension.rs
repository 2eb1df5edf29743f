//! Can the witness follow, if images of the model's signals are gates of the witness?
//!
//! The argument behind the five checks takes a trace of the model and builds one of the witness, step by step:
//! inputs and latches that are images take the values of the model, the other latches their reset or next value, the
//! other inputs anything. If an image is a gate, a constant, or stands for two signals, it must come out right as well,
//! by a good choice of what is free:
//!
//! - initially: for each constrained initial state of the model there is a choice of the witness's own inputs and
//!   latches such that these latches are reset and every derived image has the value it stands for;
//! - in a step: for each step of the model, accompanied so far, there is a choice of the witness's own inputs in the
//!   next moment such that every derived image has the value it stands for.
//!
//! `∀x. A(x) → ∃y. B(x, y)` is decided by counterexample-guided expansion: one solver looks for an `x` that defeats all
//! choices seen so far, another one for a choice that answers it.

use crate::State;
use crate::certificate::{Checker, Pair};
use crate::frame::{Frame, latch_at, leaf_label, leaves};
use crate::solver::{Solver, Solving, Sure};
use indubit_aig::{Aig, Encoder, Import};
use indubit_logic::{Lit, Var};

/// A state in which the witness cannot follow, if there is one.
pub(crate) fn check(checker: &mut Checker<'_>) -> Sure<Option<State>> {
    if let Some(state) = initially(checker)? {
        return Ok(Some(state));
    }
    in_a_step(checker)
}

fn initially(checker: &mut Checker<'_>) -> Sure<Option<State>> {
    let mut s = Joint::new(checker);
    let Joint { model, witness, agreement, .. } = &mut s;
    let aig = &mut checker.aig;
    let mut assume = model.constraints(aig);
    for latch in 0..checker.model.latches().len() {
        assume.push(model.is_reset(aig, latch));
    }
    let mut show = agreement.clone();
    for (i, latch) in checker.witness.latches().iter().enumerate() {
        if checker.mapping.owner(latch.var).is_none() {
            show.push(witness.is_reset(aig, i));
        }
    }
    let (a, b) = (aig.and_all(assume), aig.and_all(show));
    let defeat = for_all_exists(aig, a, b, &s.own, &checker.by)?;
    Ok(defeat.map(|value| s.state(checker, value)))
}

fn in_a_step(checker: &mut Checker<'_>) -> Sure<Option<State>> {
    // In s the two agree by substitution; in t the model moves by itself, and the witness follows.
    let mut s: Pair<'_> = checker.pair(|_| None);
    let aig = &mut checker.aig;
    let mut model = Frame::new(checker.model);
    let mut values = Vec::new();
    for (p, leaf) in leaves(checker.model).enumerate() {
        let value = match latch_at(checker.model, p) {
            Some(latch) => s.model.next(aig, latch),
            None => aig.leaf(),
        };
        model.set(leaf, value);
        values.push(value);
    }
    let mut witness = Frame::new(checker.witness);
    let mut own = Vec::new();
    for (q, leaf) in leaves(checker.witness).enumerate() {
        let value = match (checker.mapping.owner(leaf), latch_at(checker.witness, q)) {
            (Some((p, sign)), _) => values[p] ^ sign,
            (None, Some(latch)) => s.witness.next(aig, latch),
            (None, None) => {
                own.push(aig.leaf());
                own[own.len() - 1]
            }
        };
        witness.set(leaf, value);
    }
    let mut assume = s.model.constraints(aig);
    assume.extend(s.witness.constraints(aig));
    assume.extend(s.witness.property(aig));
    assume.extend(model.constraints(aig));
    let show = agreement(checker, &mut witness, &values);
    let aig = &mut checker.aig;
    let (a, b) = (aig.and_all(assume), aig.and_all(show));
    let own: Vec<Var> = own.into_iter().map(Lit::var).collect();
    let defeat = for_all_exists(aig, a, b, &own, &checker.by)?;
    Ok(defeat.map(|value| {
        let leaf_value = |(p, leaf): (usize, Var)| {
            let lit = s.model.lit(&mut checker.aig, Lit::positive(leaf));
            // An image may be a gate, whose value the solver need not have seen.
            lit_is_leaf(&checker.aig, lit).then(|| (leaf_label(checker.model, p), value(lit)))
        };
        State(leaves(checker.model).enumerate().filter_map(leaf_value).collect())
    }))
}

fn lit_is_leaf(aig: &Aig, lit: Lit) -> bool {
    !lit.is_const() && aig.fanins(lit.var()).is_none()
}

/// Model and witness in the same moment, where derived images and what they stand for are different edges.
struct Joint<'c> {
    model: Frame<'c>,
    witness: Frame<'c>,
    /// The leaves that only the witness has.
    own: Vec<Var>,
    values: Vec<Lit>,
    /// Each derived image has the value it stands for.
    agreement: Vec<Lit>,
}

impl<'c> Joint<'c> {
    fn new(checker: &mut Checker<'c>) -> Joint<'c> {
        let mut model = Frame::new(checker.model);
        let mut values = Vec::new();
        for leaf in leaves(checker.model) {
            let value = checker.aig.leaf();
            model.set(leaf, value);
            values.push(value);
        }
        let mut witness = Frame::new(checker.witness);
        let mut own = Vec::new();
        for leaf in leaves(checker.witness) {
            let value = match checker.mapping.owner(leaf) {
                Some((p, sign)) => values[p] ^ sign,
                None => {
                    let value = checker.aig.leaf();
                    own.push(value.var());
                    value
                }
            };
            witness.set(leaf, value);
        }
        let agreement = agreement(checker, &mut witness, &values);
        Joint { model, witness, own, values, agreement }
    }
    fn state(&self, checker: &Checker<'_>, value: impl Fn(Lit) -> bool) -> State {
        let named = self.values.iter().enumerate().map(|(p, &v)| (leaf_label(checker.model, p), value(v)));
        State(named.collect())
    }
}

fn agreement(checker: &mut Checker<'_>, witness: &mut Frame<'_>, values: &[Lit]) -> Vec<Lit> {
    let mapping = checker.mapping;
    let derived = mapping.derived().filter_map(|p| mapping.image(p).map(|image| (values[p], image)));
    let mut equal = Vec::new();
    for (value, image) in derived {
        let image = witness.lit(&mut checker.aig, image);
        equal.push(checker.aig.iff(value, image));
    }
    equal
}

/// An assignment that makes `assume` true and cannot be extended over the leaves `own` to make `show` true, as the
/// value of each edge; `None` if there is none.
fn for_all_exists(
    aig: &mut Aig,
    assume: Lit,
    show: Lit,
    own: &[Var],
    by: &Solving,
) -> Sure<Option<impl Fn(Lit) -> bool + use<>>> {
    let mut is_own = vec![false; aig.n_vars()];
    for leaf in own {
        is_own[leaf.index()] = true;
    }
    let mut cone = indubit_aig::Cone::new();
    let cone: Vec<Var> = cone.collect(aig, [show]).to_vec();
    let inputs: Vec<Var> = cone.into_iter().filter(|&v| aig.fanins(v).is_none()).collect();
    let (choices, given): (Vec<Var>, Vec<Var>) = inputs.into_iter().partition(|v| is_own[v.index()]);
    let mut attack = (by.solver(), Encoder::new());
    assert_true(&mut attack, aig, assume);
    let mut answer = (by.solver(), Encoder::new());
    assert_true(&mut answer, aig, show);
    while attack.0.solve(&[])? {
        let question: Vec<Lit> = given.iter().map(|&v| v.lit(!attack.0.value(Lit::positive(v)))).collect();
        if !answer.0.solve(&question)? {
            let solver = attack.0;
            return Ok(Some(move |lit| solver.value(lit)));
        }
        // From now on the attack must defeat this choice too.
        let mut import = Import::new(aig);
        for &leaf in &given {
            import.set(leaf, Lit::positive(leaf));
        }
        for &leaf in &choices {
            import.set(leaf, Lit::constant(answer.0.value(Lit::positive(leaf))));
        }
        let source = aig.clone();
        let answered = import.lit(&source, aig, show);
        assert_true(&mut attack, aig, !answered);
    }
    Ok(None)
}

fn assert_true(solver: &mut (Solver, Encoder), aig: &Aig, lit: Lit) {
    let (solver, encoder) = solver;
    encoder.encode(aig, lit, |clause| solver.add_clause(clause));
    solver.add_clause(&[lit]);
}
