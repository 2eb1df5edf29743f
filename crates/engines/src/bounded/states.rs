//! Sets of states as edges of one hashed circuit over the latches.

use indubit_aig::{Aig, Cone, GateEncoder, Import};
use indubit_logic::{Clause, Lit, Var};
use indubit_preproc::{Rewrite, Sweep};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Invariant, Lower, Raise, Safety, Stack};

/// Sets of states, and a solver that compares them.
///
/// All sets share the circuit and the solver, which learns a cone when it is first asked about, so to test another set against
/// all that came before takes what is new in it and no more.
pub struct StateSets {
    aig: Aig,
    initial: Lit,
    encoder: GateEncoder,
    solver: Cadical,
}

/// Fewer nodes than that are left as they are.
const WORTH_COMPACTING: usize = 100;
/// The most literals in a clause of an invariant that is read off a set; more are left to a gate.
const MAX_CLAUSE: usize = 64;

impl StateSets {
    /// Over the latches of a problem; the solver ends with the run.
    pub fn new(safety: &Safety, run: &Run<'_>) -> StateSets {
        let mut aig = Aig::new();
        for _ in &safety.latches {
            aig.leaf();
        }
        let inits = safety.latches.iter().map(|latch| latch.init).enumerate();
        let initial = aig.and_all(inits.filter_map(|(i, init)| Some(Self::latch(i) ^ !init?)));
        StateSets {
            aig,
            initial,
            encoder: GateEncoder::new(),
            solver: Cadical::new(Config::Incremental, run.cancel()),
        }
    }
    /// "Latch number `i` is set."
    pub fn latch(i: usize) -> Lit {
        Lit::positive(Var::from_index(i + 1))
    }
    /// The position of the latch that a literal is about.
    pub fn position(lit: Lit) -> usize {
        lit.var().index() - 1
    }
    /// The circuit.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }
    /// The circuit, for more sets.
    pub fn aig_mut(&mut self) -> &mut Aig {
        &mut self.aig
    }
    /// The initial states.
    pub fn initial(&self) -> Lit {
        self.initial
    }
    /// The states of both sets.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.aig.and_two_level(a, b)
    }
    /// How many gates a set has.
    pub fn size(&self, states: Lit) -> usize {
        let mut cone = Cone::new();
        cone.collect(&self.aig, [states]).iter().filter(|&&v| self.aig.fanins(v).is_some()).count()
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
    }
    /// Is there a state in all of these sets?
    pub fn intersect(&mut self, sets: &[Lit]) -> Ask<bool> {
        sets.iter().for_each(|&l| self.encode(l));
        self.solver.solve(sets)
    }
    /// Is each of the states in one of these sets?
    pub fn is_covered(&mut self, states: Lit, by: &[Lit]) -> Ask<bool> {
        let all: Vec<Lit> = by.iter().map(|&l| !l).chain([states]).collect();
        Ok(!self.intersect(&all)?)
    }
    /// These sets with fewer gates: gates that are equal are merged, as the passes do it for models. An interpolant repeats
    /// itself as its refutation does.
    pub fn compact(&mut self, sets: &[Lit], run: &mut Run<'_>) -> Ask<Vec<Lit>> {
        let mut cone = Cone::new();
        let nodes = cone.collect(&self.aig, sets.iter().copied());
        if nodes.len() < WORTH_COMPACTING {
            return Ok(sets.to_vec());
        }
        let latches: Vec<Var> = nodes.iter().copied().filter(|&v| self.aig.fanins(v).is_none()).collect();
        let mut circuit = Safety::default();
        let mut import = Import::new(&self.aig);
        for &latch in &latches {
            let input = circuit.aig.leaf();
            circuit.inputs.push(input.var());
            import.set(latch, input);
        }
        let mut edges = sets.iter().map(|&set| import.lit(&self.aig, &mut circuit.aig, set));
        circuit.bad = edges.next().expect("there are nodes");
        circuit.also = edges.collect();
        let mut back = Stack::new();
        let passes: [&dyn Lower<From = Safety>; 3] = [&Rewrite, &Sweep { effort: 1 }, &Rewrite];
        for pass in passes {
            let (smaller, raise) = pass.lower(&circuit, run)?;
            circuit = smaller;
            back.push(raise);
        }
        let mut import = Import::new(&circuit.aig);
        for &input in &circuit.inputs {
            let before = back.up(input).expect("an input was an input");
            // They were the first nodes, in this order.
            import.set(input, latches[before.var().index() - 1].lit(before.is_negated()));
        }
        Ok(circuit.bads().map(|edge| import.lit(&circuit.aig, &mut self.aig, edge)).collect())
    }
    /// The latches that a set is about.
    pub fn support(&self, states: Lit) -> impl Iterator<Item = Lit> {
        let mut cone = Cone::new();
        let nodes = cone.collect(&self.aig, [states]).iter().copied();
        let leaves = nodes.filter(|&v| self.aig.fanins(v).is_none()).map(Lit::positive);
        leaves.collect::<Vec<_>>().into_iter()
    }
    /// A state is not in the set: those of its literals that are reason enough.
    pub fn reason_outside(&mut self, states: Lit, state: Vec<Lit>) -> Ask<Vec<Lit>> {
        let assumptions: Vec<Lit> = state.iter().copied().chain([states]).collect();
        let is_outside = !self.intersect(&assumptions)?;
        debug_assert!(is_outside, "the state is not in the set");
        Ok(state.into_iter().filter(|&l| self.solver.failed(l)).collect())
    }
    /// A set in another circuit, over these edges instead of the latches.
    pub fn instance(&self, states: Lit, latches: &[Lit], target: &mut Aig) -> Lit {
        let mut import = Import::new(&self.aig);
        for (i, &latch) in latches.iter().enumerate() {
            import.set(Self::latch(i).var(), latch);
        }
        import.lit(&self.aig, target, states)
    }
    /// The set as an invariant: a clause for each operand of the conjunction that it is.
    pub fn invariant(&self, states: Lit, safety: &Safety) -> Invariant {
        let mut invariant = Invariant::new(safety.aig.n_vars());
        let mut cone = Cone::new();
        let mut known = vec![Lit::FALSE; self.aig.n_vars()];
        for (i, latch) in safety.latches.iter().enumerate() {
            known[i + 1] = Lit::positive(latch.var);
        }
        let clauses = self.clauses(states);
        for &var in cone.collect(&self.aig, clauses.iter().flatten().copied()) {
            if let Some([a, b]) = self.aig.fanins(var) {
                let [a, b] = [a, b].map(|l| known[l.var().index()] ^ l.is_negated());
                known[var.index()] = invariant.and(a, b);
            }
        }
        for clause in clauses {
            let lits = clause.into_iter().map(|l| known[l.var().index()] ^ l.is_negated());
            invariant.add(Clause::new(lits));
        }
        invariant
    }
    /// The operands of a conjunction, each as the operands of the disjunction that it is.
    fn clauses(&self, states: Lit) -> Vec<Vec<Lit>> {
        let operands = self.operands(states, usize::MAX);
        let clause = |&lit: &Lit| self.operands(!lit, MAX_CLAUSE).into_iter().map(|l| !l).collect();
        operands.iter().filter(|&&l| l != Lit::TRUE).map(clause).collect()
    }
    /// The operands of a conjunction of conjunctions, as far as there are no more than `max` of them.
    fn operands(&self, lit: Lit, max: usize) -> Vec<Lit> {
        let mut lits = vec![lit];
        let mut at = 0;
        while let Some(&lit) = lits.get(at) {
            match self.aig.fanins(lit.var()) {
                Some([a, b]) if !lit.is_negated() && lits.len() < max => {
                    lits[at] = a;
                    lits.push(b);
                }
                _ => at += 1,
            }
        }
        lits.sort_unstable();
        lits.dedup();
        lits
    }
}
