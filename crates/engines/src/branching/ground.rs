//! The graph of states as a circuit that grows with the sets that are found, with a solver for questions about one step.

use indubit_aig::{Aig, Encoder, Import, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Branching, Invariant, Safety};

/// So many literals of a core are tried one by one.
const MOST_DROPS: usize = 60;

pub(super) struct Ground {
    pub graph: Branching,
    /// The circuit of the graph, and behind its nodes those of sets.
    pub circuit: Safety,
    /// What nodes are after the step. Those that depend on inputs then have none.
    after: Import,
    solver: Cadical,
    encoder: Encoder,
    /// Are states of traces reduced to what matters?
    widens: bool,
    pub n_queries: u64,
}

impl Ground {
    pub fn new(graph: Branching, widens: bool, run: &Run<'_>) -> Ground {
        let mut circuit = graph.circuit.clone();
        circuit.also.clear();
        let after = circuit.later();
        let solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        Ground { graph, circuit, after, solver, encoder: Encoder::new(), widens, n_queries: 0 }
    }
    pub fn aig(&mut self) -> &mut Aig {
        &mut self.circuit.aig
    }
    /// What an edge that depends on latches only is after the step.
    pub fn after(&mut self, lit: Lit) -> Lit {
        let source = self.circuit.aig.clone();
        self.after.lit(&source, &mut self.circuit.aig, lit)
    }
    /// "All constraints hold in this step."
    pub fn allowed(&mut self) -> Lit {
        let constraints = self.circuit.constraints.clone();
        self.circuit.aig.and_all(constraints)
    }
    /// A state as literals.
    pub fn literals(&self, state: &[bool]) -> Vec<Lit> {
        self.circuit.latches.iter().zip(state).map(|(l, &value)| Lit::with_value(l.var, value)).collect()
    }
    /// Inputs as literals.
    pub fn input_literals(&self, inputs: &[bool]) -> Vec<Lit> {
        self.circuit.inputs.iter().zip(inputs).map(|(&v, &value)| Lit::with_value(v, value)).collect()
    }
    /// Is a state in a set?
    pub fn holds(&self, set: Lit, state: &[bool]) -> bool {
        if set.is_const() {
            return set == Lit::TRUE;
        }
        let inputs = vec![false; self.circuit.inputs.len()];
        simulate::value(&self.circuit.evaluate(state, &inputs), set)
    }
    /// The state after a step.
    pub fn step(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        self.circuit.next_state(&self.circuit.evaluate(state, inputs))
    }
    /// The states of a run that begins in a state: one more than there are rows.
    pub fn states(&self, initial: &[bool], rows: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let mut states = vec![initial.to_vec()];
        for row in rows {
            states.push(self.step(&states[states.len() - 1], row));
        }
        states
    }
    /// The conjunction of clauses over nodes of the circuit.
    pub fn edge(&mut self, clauses: &Invariant) -> Lit {
        let clauses = clauses.build(&mut self.circuit.aig, |_, v| Lit::positive(v));
        self.circuit.aig.and_all(clauses)
    }
    /// Is there a step in which all of this holds?
    pub fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.n_queries += 1;
        for &lit in assumptions {
            self.encoder.encode(&self.circuit.aig, lit, |clause| self.solver.add_clause(clause));
        }
        self.solver.solve(assumptions)
    }
    /// The state and the inputs of the step that was found.
    pub fn model(&self) -> (Vec<bool>, Vec<bool>) {
        let value = |v: Var| self.encoder.contains(v) && self.solver.value(Lit::positive(v));
        let state = self.circuit.latches.iter().map(|l| value(l.var)).collect();
        (state, self.circuit.inputs.iter().map(|&v| value(v)).collect())
    }
    /// If there is no step in which all of this holds: those of the free literals that suffice for that, few.
    pub fn core(&mut self, fixed: &[Lit], free: &[Lit]) -> Ask<Option<Vec<Lit>>> {
        let mut assumptions = fixed.to_vec();
        assumptions.extend_from_slice(free);
        if self.solve(&assumptions)? {
            return Ok(None);
        }
        let mut core: Vec<Lit> = free.iter().copied().filter(|&lit| self.solver.failed(lit)).collect();
        let mut i = 0;
        let mut n_tried = 0;
        while i < core.len() && n_tried < MOST_DROPS {
            n_tried += 1;
            let mut fewer = fixed.to_vec();
            fewer.extend(core.iter().enumerate().filter(|&(k, _)| k != i).map(|(_, &lit)| lit));
            if self.solve(&fewer)? {
                i += 1;
            } else {
                let kept: Vec<Lit> =
                    core.iter().enumerate().filter(|&(k, _)| k != i).map(|(_, &l)| l).collect();
                core = kept.into_iter().filter(|&lit| self.solver.failed(lit)).collect();
                // What was needed before is still needed.
                i = i.min(core.len());
            }
        }
        Ok(Some(core))
    }
    /// Those literals of a state that suffice for a step with these inputs to be allowed and to see `wanted`.
    pub fn lifted(&mut self, state: &[bool], inputs: &[bool], wanted: Lit) -> Ask<Option<Vec<Lit>>> {
        let allowed = self.allowed();
        let all = self.circuit.aig.and(allowed, wanted);
        let mut fixed = self.input_literals(inputs);
        fixed.push(!all);
        let free = self.literals(state);
        if !self.widens {
            fixed.extend_from_slice(&free);
            return Ok((!self.solve(&fixed)?).then_some(free));
        }
        self.core(&fixed, &free)
    }
}
