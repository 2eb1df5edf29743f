//! k-induction, asked directly: the k-step queries.
//!
//! `Q = ¬bad ∧ with` is k-inductive if it holds in the first `k` steps of every constrained path (*base*), and if
//! `k` constrained steps with `Q` in a row force `Q` in a constrained step after them (*step*). Then it always holds.
//!
//! **Simple paths.** The step query may also assume that the `k + 1` states of its path are pairwise different, on
//! latches `S` for which the conditions in `simple_path.rs` hold. Suppose that bad can be reached, and take a shortest
//! constrained path `y₀ … yₙ` to it. If `yᵢ` and `yⱼ` with `i < j` agreed on `S`, then `y₀ … yᵢ₋₁` followed by `yᵢ` with the
//! inputs of `yⱼ`, and from there on with the inputs after `yⱼ`, would be a shorter one. So the last `k + 1` states
//! differ on `S`. The cut needs that `yᵢ` with other inputs may still stand there: for `i > 0` it may. For `i = 0` it
//! may unless a reset depends on inputs; then the base is asked for one step more, so that the last `k + 1` states do
//! not include `y₀`.
//!
//! Differences are added on demand, for the pairs that a counterexample to the step repeats.

use crate::audit::Setback;
use crate::frame::{Frame, constant_reset};
use crate::replay::target;
use crate::shape::check_shape;
use crate::solver::{Solver, Solving, Sure};
use crate::{Reason, State, simple_path};
use indubit_aig::{Aig, Cone, Encoder, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::Ask;
use indubit_system::{BitSystem, Influence, Invariant, Property};

/// Is `¬bad ∧ with` `k`-inductive in `model`, where `bad` is what must not be reached for the property? With `simple_path`, on paths whose states differ
/// pairwise on the latches at these positions.
pub fn check_k_induction(
    model: &BitSystem,
    property: &Property,
    with: &Invariant,
    k: u32,
    simple_path: Option<&[usize]>,
    by: impl Into<Solving>,
) -> Ask<Result<(), Reason>> {
    check_by(model, property, with, k, simple_path, &by.into()).or_else(Setback::settle)
}

fn check_by(
    model: &BitSystem,
    property: &Property,
    with: &Invariant,
    k: u32,
    simple_path: Option<&[usize]>,
    by: &Solving,
) -> Sure<Result<(), Reason>> {
    let bad = match target(property) {
        Ok(bad) => bad,
        Err(reason) => return Ok(Err(reason)),
    };
    if let Err(reason) = check_shape(model, with, k) {
        return Ok(Err(reason));
    }
    let goal = Goal { model, bad, with };
    let compared = simple_path.unwrap_or_default();
    if simple_path.is_some()
        && let Err(reason) = simple_path::check(&goal, compared, by)?
    {
        return Ok(Err(reason));
    }
    let mut influence = Influence::new(model);
    let cone = influence.of(goal.roots(compared));
    let latches: Vec<usize> =
        (0..model.latches().len()).filter(|&i| cone.contains(model.latches()[i].var)).collect();
    let inputs = (0..model.inputs().len()).filter(|&i| cone.contains(model.inputs()[i].lit.var())).collect();
    let scope = Scope { latches, inputs };
    let latches = &scope.latches;
    let n_base =
        k.saturating_add(u32::from(simple_path.is_some() && resets_depend_on_inputs(model, latches)));
    if let Some((step, state)) = base(&goal, &scope, n_base, by)? {
        return Ok(Err(Reason::InductionBase { step, state }));
    }
    let compared: Option<Vec<usize>> =
        simple_path.map(|compared| (0..latches.len()).filter(|&i| compared.contains(&latches[i])).collect());
    match step(&goal, &scope, k, compared.as_deref(), by)? {
        Some(state) => Ok(Err(Reason::InductionStep { k, state })),
        None => Ok(Ok(())),
    }
}

/// `Q = ¬bad ∧ with`.
pub(crate) struct Goal<'g> {
    pub(crate) model: &'g BitSystem,
    pub(crate) bad: Lit,
    with: &'g Invariant,
}

impl<'g> Goal<'g> {
    /// `Q`, the constraints and the latches in `compared`, as edges.
    fn roots(&self, compared: &[usize]) -> impl Iterator<Item = Lit> {
        let compared = compared.iter().map(|&i| Lit::positive(self.model.latches()[i].var));
        let constraints = self.model.constraints.iter().map(|c| c.lit);
        self.with.nodes().map(Lit::positive).chain([self.bad]).chain(constraints).chain(compared)
    }
    /// `Q` in one moment.
    fn holds(&self, aig: &mut Aig, frame: &mut Frame<'g>) -> Lit {
        let mut conjuncts = self.with(aig, frame);
        conjuncts.push(!frame.lit(aig, self.bad));
        aig.and_all(conjuncts)
    }
    /// `with` in one moment, as conjuncts.
    pub(crate) fn with(&self, aig: &mut Aig, frame: &mut Frame<'g>) -> Vec<Lit> {
        self.with.build(aig, |aig, node| frame.lit(aig, Lit::positive(node)))
    }
}

/// Does the reset of one of `latches`, which are closed under resets, look at an input?
fn resets_depend_on_inputs(model: &BitSystem, latches: &[usize]) -> bool {
    let mut cone = Cone::new();
    cone.collect(model.aig(), latches.iter().map(|&i| model.latches()[i].reset));
    model.inputs().iter().any(|input| cone.contains(input.lit.var()))
}

/// The latches and inputs of the model that matter, by position.
struct Scope {
    latches: Vec<usize>,
    inputs: Vec<usize>,
}

/// Consecutive moments in one circuit, and what a solver knows of it.
struct Path<'g> {
    goal: &'g Goal<'g>,
    scope: &'g Scope,
    by: &'g Solving,
    aig: Aig,
    /// The latches and inputs of each moment.
    leaves: Vec<Vec<(Var, Lit)>>,
    next: Vec<Lit>,
    solver: Solver,
    encoder: Encoder,
}

impl<'g> Path<'g> {
    fn new(goal: &'g Goal<'g>, scope: &'g Scope, by: &'g Solving) -> Path<'g> {
        let mut aig = Aig::new();
        let next = scope.latches.iter().map(|_| aig.leaf()).collect();
        let solver = by.solver();
        Path { goal, scope, by, aig, leaves: Vec::new(), next, solver, encoder: Encoder::new() }
    }
    fn assert(&mut self, lit: Lit) {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
        self.solver.add_clause(&[lit]);
    }
    /// One more moment, constrained; the edge is `Q` there.
    fn extend(&mut self, prepare: impl FnOnce(&mut Path<'g>, &mut Frame<'g>)) -> Sure<Lit> {
        self.by.checkpoint()?;
        let model = self.goal.model;
        let mut frame = Frame::new(model);
        let mut leaves = Vec::new();
        for (&latch, &lit) in self.scope.latches.iter().zip(&self.next) {
            leaves.push((model.latches()[latch].var, lit));
        }
        for &input in &self.scope.inputs {
            leaves.push((model.inputs()[input].lit.var(), self.aig.leaf()));
        }
        for &(leaf, lit) in &leaves {
            frame.set(leaf, lit);
        }
        self.leaves.push(leaves);
        prepare(self, &mut frame);
        for constraint in frame.constraints(&mut self.aig) {
            self.assert(constraint);
        }
        let holds = self.goal.holds(&mut self.aig, &mut frame);
        self.next = self.scope.latches.iter().map(|&latch| frame.next(&mut self.aig, latch)).collect();
        Ok(holds)
    }
    /// Can the edge be false?
    fn refute(&mut self, lit: Lit) -> Sure<bool> {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
        self.solver.solve(&[!lit])
    }
    /// The values of all nodes in the solver's model, by simulation: the solver does not know every gate.
    fn simulate(&self) -> Vec<bool> {
        let mut values: Vec<bool> =
            (0..self.aig.n_vars()).map(|i| self.solver.value(Lit::positive(Var::from_index(i)))).collect();
        simulate::propagate_bools(&self.aig, &mut values);
        values
    }
    /// Some latches of a moment, as positions in `latches`.
    fn latch_values(
        &self,
        values: &[bool],
        moment: usize,
        which: impl IntoIterator<Item = usize>,
    ) -> Vec<bool> {
        which.into_iter().map(|i| simulate::value(values, self.leaves[moment][i].1)).collect()
    }
    /// They and the inputs that matter, with their names.
    fn state(&self, moment: usize) -> State {
        let model = self.goal.model;
        let mut named = Vec::new();
        let values = self.latch_values(&self.simulate(), moment, 0..self.scope.latches.len());
        for (&latch, value) in self.scope.latches.iter().zip(values) {
            named.push((model.latch_label(latch), value));
        }
        for (&i, &(_, lit)) in self.scope.inputs.iter().zip(&self.leaves[moment][self.scope.latches.len()..])
        {
            if self.encoder.contains(lit.var()) {
                named.push((model.input_label(i), self.solver.value(lit)));
            }
        }
        State(named)
    }
    /// The latches at positions `compared` of `latches` differ in two moments.
    fn assert_different(&mut self, i: usize, j: usize, compared: &[usize]) {
        let mut differ = Vec::new();
        for &latch in compared {
            let (a, b) = (self.leaves[i][latch].1, self.leaves[j][latch].1);
            differ.push(self.aig.xor(a, b));
        }
        let differ = self.aig.or_all(differ);
        self.assert(differ);
    }
}

/// The first of `n` steps from the initial states in which `Q` can be false.
fn base(goal: &Goal<'_>, scope: &Scope, n: u32, by: &Solving) -> Sure<Option<(usize, State)>> {
    let mut path = Path::new(goal, scope, by);
    for (slot, &latch) in path.next.iter_mut().zip(&scope.latches) {
        *slot = constant_reset(goal.model, latch).unwrap_or(*slot);
    }
    for step in 0..n as usize {
        let holds = path.extend(|path, frame| {
            if step == 0 {
                for &latch in &scope.latches {
                    let is_reset = frame.is_reset(&mut path.aig, latch);
                    path.assert(is_reset);
                }
            }
        })?;
        if path.refute(holds)? {
            return Ok(Some((step, path.state(step))));
        }
        path.assert(holds);
    }
    Ok(None)
}

/// The first of `k` good steps that do not force another one.
fn step(
    goal: &Goal<'_>,
    scope: &Scope,
    k: u32,
    compared: Option<&[usize]>,
    by: &Solving,
) -> Sure<Option<State>> {
    let mut path = Path::new(goal, scope, by);
    for _ in 0..k {
        let holds = path.extend(|_, _| ())?;
        path.assert(holds);
    }
    let holds = path.extend(|_, _| ())?;
    while path.refute(holds)? {
        let Some(compared) = compared else { return Ok(Some(path.state(0))) };
        let mut seen = std::collections::HashMap::new();
        let mut repeated = Vec::new();
        let values = path.simulate();
        for moment in 0..=k as usize {
            let state = path.latch_values(&values, moment, compared.iter().copied());
            if let Some(first) = seen.insert(state, moment) {
                repeated.push((first, moment));
            }
        }
        if repeated.is_empty() {
            return Ok(Some(path.state(0)));
        }
        for (i, j) in repeated {
            path.assert_different(i, j, compared);
        }
    }
    Ok(None)
}

#[cfg(test)]
#[path = "k_induction_tests.rs"]
mod tests;
