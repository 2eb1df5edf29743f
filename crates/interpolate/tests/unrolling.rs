//! Real unrollings, frame by frame in one solver: part `j` is step `j`, the last part has the bad states.

#![allow(clippy::unwrap_used)] // a test may panic

use indubit_aig::{Aig, simulate};
use indubit_interpolate::{Answer, Interpolator, Refutation, System, check};
use indubit_logic::{Clause, Lit, Var};
use indubit_run::Cancel;
use indubit_system::BitSystem;
use indubit_testkit::models;

const DEPTH: u32 = 7;

/// Time frames: node `n` of the model in frame `k` is variable `k * n_nodes + n`.
struct Unrolling<'s> {
    system: &'s BitSystem,
    n_frames: u32,
    parts: Vec<Vec<Clause>>,
    interpolator: Interpolator,
    /// A leaf for each variable, in their order: variable `v` is node `v + 1`.
    aig: Aig,
}

impl<'s> Unrolling<'s> {
    fn new(system: &'s BitSystem) -> Unrolling<'s> {
        let interpolator = Interpolator::new(&Cancel::new(), 0);
        let mut aig = Aig::new();
        for _ in 0..DEPTH as usize * system.aig().n_vars() {
            aig.leaf();
        }
        Unrolling { system, n_frames: 0, parts: Vec::new(), interpolator, aig }
    }
    fn lit(&self, frame: u32, lit: Lit) -> Lit {
        Var::from_index(frame as usize * self.system.aig().n_vars() + lit.var().index()).lit(lit.is_negated())
    }
    fn add(&mut self, part: u32, lits: &[Lit]) {
        self.parts[part as usize].push(Clause::new(lits.iter().copied()));
        self.interpolator.add_clause(part, lits);
    }
    fn equal(&mut self, part: u32, a: Lit, b: Lit) {
        self.add(part, &[!a, b]);
        self.add(part, &[a, !b]);
    }

    /// Add a frame: its circuit and constraints are in its own part, the step to it is in the part before.
    fn extend(&mut self) {
        let (system, frame) = (self.system, self.n_frames);
        self.parts.push(Vec::new());
        self.n_frames += 1;
        self.add(frame, &[self.lit(frame, Lit::TRUE)]);
        for (gate, [a, b]) in system.aig().ands() {
            let [gate, a, b] = [Lit::positive(gate), a, b].map(|l| self.lit(frame, l));
            self.add(frame, &[!gate, a]);
            self.add(frame, &[!gate, b]);
            self.add(frame, &[gate, !a, !b]);
        }
        for constraint in &system.constraints {
            self.add(frame, &[self.lit(frame, constraint.lit)]);
        }
        for latch in system.latches() {
            let now = self.lit(frame, Lit::positive(latch.var));
            match frame.checked_sub(1) {
                Some(before) => self.equal(before, now, self.lit(before, latch.next)),
                None if latch.is_uninitialised() => (),
                None => self.equal(0, now, self.lit(0, latch.reset)),
            }
        }
    }
}

/// The sequence over the model's own latches.
fn over_latches(
    system: &BitSystem,
    aig: &mut Aig,
    refutation: &Refutation<'_>,
    n_parts: u32,
    how: System,
) -> Vec<Lit> {
    let n_nodes = system.aig().n_vars();
    let latch = |var: Var| {
        let node = Var::from_index(var.index() % n_nodes);
        assert!(system.latches().iter().any(|l| l.var == node), "only the state is shared");
        node.lit(false)
    };
    refutation.sequence(n_parts, how, aig, latch).unwrap()
}

/// Formula `j` holds after `j` steps of every run.
fn covers_random_runs(system: &BitSystem, aig: &Aig, sequence: &[Lit], rng: &mut fastrand::Rng) {
    let mut state: Vec<bool> = Vec::new();
    for latch in system.latches() {
        state.push(if latch.is_uninitialised() { rng.bool() } else { latch.reset == Lit::TRUE });
    }
    for formula in &sequence[..sequence.len() - 1] {
        let mut values = vec![false; aig.n_vars()];
        for (latch, &value) in system.latches().iter().zip(&state) {
            values[latch.var.index()] = value;
        }
        simulate::propagate_bools(aig, &mut values);
        assert!(simulate::value(&values, *formula));
        let inputs: Vec<bool> = system.inputs().iter().map(|_| rng.bool()).collect();
        let values = system.evaluate(&state, &inputs);
        if !system.constraints.iter().all(|c| simulate::value(&values, c.lit)) {
            return;
        }
        state = system.next_state(&values);
    }
}

#[test]
fn sequences_of_the_examples() {
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut n_sequences, mut n_models) = (0, 0);
    for model in models::all() {
        let system = &model.system;
        if system.latches().iter().any(|l| l.has_reset_function()) {
            continue;
        }
        for bad in system.bad_signals() {
            let mut unrolling = Unrolling::new(system);
            for k in 0..DEPTH {
                unrolling.extend();
                let bad = unrolling.lit(k, bad.lit);
                let Answer::Refutation(refutation) = unrolling.interpolator.solve(&[(k, bad)]).unwrap()
                else {
                    n_models += 1;
                    break;
                };
                let mut parts = unrolling.parts.clone();
                parts[k as usize].push(Clause::new([bad]));
                for how in System::ALL {
                    let leaf = |var: Var| Var::from_index(var.index() + 1).lit(false);
                    let sequence = refutation.sequence(k + 1, how, &mut unrolling.aig, leaf).unwrap();
                    let checked = check(&parts, &unrolling.aig, leaf, &sequence, &Cancel::new()).unwrap();
                    assert_eq!(checked, Ok(()), "{} at depth {k} by {how:?}", model.file);
                    let mut aig = system.aig().clone();
                    let sequence = over_latches(system, &mut aig, &refutation, k + 1, how);
                    (0..20).for_each(|_| covers_random_runs(system, &aig, &sequence, &mut rng));
                    n_sequences += 1;
                }
            }
        }
    }
    assert!(n_sequences > 300 && n_models > 3, "{n_sequences} sequences, {n_models} counterexamples");
}
