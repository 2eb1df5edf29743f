//! The solver for circuits against brute force: answers, cores, partial models, and what can be unassigned in them.

use fastrand::Rng;
use indubit_logic::{Lit, Var};
use indubit_run::Cancel;
use indubit_sat::{Circuit, RelConfig, RelSolver, Solve, SolveWith, Unassign};

/// Variables `0..n_leaves` are leaves; each later one is the conjunction of two earlier edges.
struct Random {
    n_leaves: usize,
    gates: Vec<[Lit; 2]>,
}

impl Random {
    fn new(rng: &mut Rng) -> Random {
        let n_leaves = rng.usize(2..7);
        let mut gates: Vec<[Lit; 2]> = Vec::new();
        for _ in 0..rng.usize(1..25) {
            let n_vars = n_leaves + gates.len();
            gates.push([(); 2].map(|()| Var::from_index(rng.usize(0..n_vars)).lit(rng.bool())));
        }
        Random { n_leaves, gates }
    }
    fn n_vars(&self) -> usize {
        self.n_leaves + self.gates.len()
    }
    /// All values, from those of the leaves.
    fn evaluate(&self, leaves: u32) -> Vec<bool> {
        let mut values: Vec<bool> = (0..self.n_leaves).map(|i| leaves >> i & 1 == 1).collect();
        for gate in &self.gates {
            let value = gate.iter().all(|&l| holds(&values, l));
            values.push(value);
        }
        values
    }
    fn lit(&self, rng: &mut Rng) -> Lit {
        Var::from_index(rng.usize(0..self.n_vars())).lit(rng.bool())
    }
    fn leaf(&self, rng: &mut Rng) -> Lit {
        Var::from_index(rng.usize(0..self.n_leaves)).lit(rng.bool())
    }
    /// Tell the solver about the gates that `lit` depends on and that it has not been told about.
    fn define(&self, solver: &mut RelSolver, told: &mut [bool], lit: Lit) {
        let Some(gate) = lit.var().index().checked_sub(self.n_leaves) else { return };
        if !std::mem::replace(&mut told[gate], true) {
            let [a, b] = self.gates[gate];
            solver.define_and(lit.var(), a, b);
            self.define(solver, told, a);
            self.define(solver, told, b);
        }
    }
}

fn holds(values: &[bool], lit: Lit) -> bool {
    values[lit.var().index()] != lit.is_negated()
}

/// The values of all assignments of the leaves that agree with the model where it is assigned.
fn completions<'c>(circuit: &'c Random, solver: &RelSolver) -> impl Iterator<Item = Vec<bool>> + use<'c> {
    let model: Vec<Option<bool>> =
        (0..circuit.n_leaves).map(|v| solver.assigned(Var::from_index(v))).collect();
    let agrees = move |values: &Vec<bool>| model.iter().zip(values).all(|(m, v)| m.is_none_or(|m| m == *v));
    (0..1 << circuit.n_leaves).map(|leaves| circuit.evaluate(leaves)).filter(agrees)
}

#[test]
fn partial_models_and_cores() {
    let n_rounds = std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let mut rng = Rng::with_seed(3);
    let (mut n_free, mut n_unassigned) = (0, 0);
    for round in 0..n_rounds {
        let circuit = Random::new(&mut rng);
        let config = RelConfig {
            seed: rng.u64(0..3),
            cones: rng.u8(0..4) > 0,
            buckets: rng.bool(),
            justify: rng.u8(0..4) > 0,
            ..RelConfig::default()
        };
        let mut solver = RelSolver::new(&Cancel::new(), config);
        let mut told = vec![false; circuit.gates.len()];
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        // Units are constraints, and may be about gates; longer clauses are lemmas.
        for _ in 0..rng.usize(0..2) {
            clauses.push(vec![circuit.lit(&mut rng)]);
            circuit.define(&mut solver, &mut told, clauses[0][0]);
            solver.add_clause(&clauses[0]);
        }
        let units = clauses.clone();
        for _ in 0..12 {
            if rng.u8(0..3) == 0 {
                let lemma: Vec<Lit> = (0..rng.usize(2..4)).map(|_| circuit.leaf(&mut rng)).collect();
                solver.add_clause(&lemma);
                clauses.push(lemma);
            }
            if rng.u8(0..6) == 0 {
                solver = solver.clone();
            }
            let assumptions: Vec<Lit> = (0..rng.usize(0..4)).map(|_| circuit.lit(&mut rng)).collect();
            for &lit in &assumptions {
                circuit.define(&mut solver, &mut told, lit);
            }
            let temporary: Option<Vec<Lit>> =
                rng.bool().then(|| (0..rng.usize(0..4)).map(|_| circuit.leaf(&mut rng)).collect());
            let answer = match &temporary {
                Some(clause) => solver.solve_with(clause, &assumptions),
                None => solver.solve(&assumptions),
            };
            let wanted: Vec<&Vec<Lit>> = clauses.iter().chain(&temporary).collect();
            let is_model = |values: &[bool], assumed: &[Lit]| {
                wanted.iter().all(|c| c.iter().any(|&l| holds(values, l)))
                    && assumed.iter().all(|&l| holds(values, l))
            };
            let satisfiable = |assumed: &[Lit]| {
                (0..1 << circuit.n_leaves).any(|leaves| is_model(&circuit.evaluate(leaves), assumed))
            };
            assert_eq!(answer, Ok(satisfiable(&assumptions)), "round {round}, {config:?}");
            if answer == Ok(false) {
                let core: Vec<Lit> = assumptions.iter().copied().filter(|&l| solver.failed(l)).collect();
                assert!(!satisfiable(&core), "round {round}: the core is a refutation");
                continue;
            }
            for values in completions(&circuit, &solver) {
                assert!(is_model(&values, &assumptions), "round {round}: every completion is a model");
            }
            let leaves = (0..circuit.n_leaves).map(Var::from_index);
            let mut kept: Vec<Lit> =
                leaves.filter_map(|v| solver.assigned(v).map(|value| Lit::with_value(v, value))).collect();
            n_free += circuit.n_leaves - kept.len();
            let before = kept.len();
            rng.shuffle(&mut kept);
            solver.unassign(&mut kept);
            n_unassigned += before - kept.len();
            assert_eq!(
                kept.len(),
                (0..circuit.n_leaves).filter(|&v| solver.assigned(Var::from_index(v)).is_some()).count()
            );
            for values in completions(&circuit, &solver) {
                let targets = assumptions.iter().chain(units.iter().flatten());
                assert!(targets.copied().all(|l| holds(&values, l)), "round {round}: the step is the same");
            }
        }
    }
    assert!(n_free > n_rounds && n_unassigned > n_rounds / 4, "{n_free} {n_unassigned}");
}
