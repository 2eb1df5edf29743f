//! Interpolants between what a frame reaches and what reaches an obligation.
//!
//! A is a step from the frame, B a step from its end into the obligation's successor, or a bad signal there. Two time frames are in
//! one solver: node `n` after the first step is variable `n_vars + n`, and what both parts share is the state in between. That state
//! only becomes a cube in the end: with the cube alone as B, a refutation ends with a clause over the cube that A implies, and in each
//! labelled system that clause is the interpolant. It would be the unsatisfiable core by another name.

use super::BoolOracle;
use super::atoms::Atoms;
use indubit_aig::{Aig, Encoder};
use indubit_interpolate::{Answer, Interpolator, System};
use indubit_logic::{Cube, Lit, Var};
use indubit_pdr::{Interpolants, Level};
use indubit_run::{Ask, Cancel};
use indubit_sat::{Cdcl, Solve};
use indubit_system::StateVar;
use std::collections::HashMap;

/// The part of the step from the frame, and its time frame.
const A: u32 = 0;
/// The part of the step after it.
const B: u32 = 1;

/// Clauses of an interpolant that are read off it, beside the one that is wanted.
const MAX_CLAUSES: usize = 10;

impl Interpolants for BoolOracle<'_> {
    fn interpolant(
        &mut self,
        level: Level,
        lemmas: &mut dyn Iterator<Item = &Cube>,
        states: &Cube,
        into: Option<&Cube>,
    ) -> Ask<Vec<Cube>> {
        let (aig, cancel) = (&self.safety.aig, self.solvers.cancel());
        let mut parts = Parts::new(aig, cancel, self.solvers.seed());
        for &constraint in self.solvers.constraints() {
            [A, B].into_iter().for_each(|part| parts.add(part, [constraint].into_iter()));
        }
        match into {
            Some(cube) => cube.lits().iter().for_each(|&lit| parts.add(B, [self.next(lit)].into_iter())),
            None => parts.add(B, [self.bad].into_iter()),
        }
        if level == 1 {
            let init = self.safety.latches.iter().filter_map(|l| Some(Lit::with_value(l.var, l.init?)));
            init.for_each(|lit| parts.add(A, [lit].into_iter()));
        }
        let mut exclude = |cube: &Cube| parts.add(A, cube.lits().iter().map(|&lit| !lit));
        exclude(states);
        lemmas.for_each(exclude);
        let Some(mut interpolant) = parts.separate(&self.safety.latches, cancel)? else {
            return Ok(Vec::new());
        };
        // Without some constraints or parts of the target, not all the states need to lead there.
        let Some(core) = interpolant.exclude(aig, states.lits())? else { return Ok(Vec::new()) };
        let Some(core) = self.atoms.without_initial_states(core, states.lits()) else {
            return Ok(Vec::new());
        };
        interpolant.note(&core);
        let mut cubes = vec![Cube::new(core)];
        cubes.extend(interpolant.others(aig, &self.atoms)?);
        Ok(cubes)
    }
}

/// Both parts.
struct Parts<'a> {
    aig: &'a Aig,
    interpolator: Interpolator,
    encoders: [Encoder; 2],
    clause: Vec<Lit>,
}

impl<'a> Parts<'a> {
    fn new(aig: &'a Aig, cancel: &Cancel, seed: u64) -> Parts<'a> {
        let interpolator = Interpolator::new(cancel, seed);
        Parts { aig, interpolator, encoders: [Encoder::new(), Encoder::new()], clause: Vec::new() }
    }
    /// The disjunction of literals of the circuit holds in a part.
    fn add(&mut self, part: u32, lits: impl Iterator<Item = Lit> + Clone) {
        lits.clone().for_each(|lit| self.encode(part, lit));
        let n_vars = self.aig.n_vars();
        self.clause.clear();
        self.clause.extend(lits.map(|lit| at(n_vars, part, lit)));
        self.interpolator.add_clause(part, &self.clause);
    }
    fn encode(&mut self, part: u32, root: Lit) {
        let n_vars = self.aig.n_vars();
        let (clause, interpolator) = (&mut self.clause, &mut self.interpolator);
        self.encoders[part as usize].encode(self.aig, root, |lits| {
            clause.clear();
            clause.extend(lits.iter().map(|&lit| at(n_vars, part, lit)));
            interpolator.add_clause(part, clause);
        });
    }
    /// The step leads from A to B: clauses for each latch that B depends on. If the parts have no common state, an interpolant.
    fn separate(mut self, latches: &[StateVar], cancel: &Cancel) -> Ask<Option<Interpolant>> {
        let n_vars = self.aig.n_vars();
        let mut graph = Aig::new();
        let mut leaves: HashMap<Var, Lit> = HashMap::new();
        let mut shared: Vec<Var> = Vec::new();
        for latch in latches {
            if !self.encoders[B as usize].contains(latch.var) {
                continue;
            }
            self.encode(A, latch.next);
            let after = at(n_vars, B, Lit::positive(latch.var));
            self.interpolator.add_clause(A, &[!after, latch.next]);
            self.interpolator.add_clause(A, &[after, !latch.next]);
            leaves.insert(after.var(), graph.leaf());
            shared.push(latch.var);
        }
        let Answer::Refutation(refutation) = self.interpolator.solve(&[])? else { return Ok(None) };
        let root = refutation.interpolant(1, System::McMillan, &mut graph, |var| leaves[&var])?;
        Ok(Some(Interpolant::new(self.aig, &graph, root, shared, cancel)))
    }
}

/// A literal in the time frame of a part.
fn at(n_vars: usize, part: u32, lit: Lit) -> Lit {
    Var::from_index(part as usize * n_vars + lit.var().index()).lit(lit.is_negated())
}

/// A formula over the state that is read as clauses, each as the cube that it excludes.
struct Interpolant {
    solver: Cdcl,
    root: Lit,
    /// The latches in it.
    latches: Vec<Var>,
    /// Turns those clauses on that were read already.
    read: Lit,
    encoder: Encoder,
}

impl Interpolant {
    /// Latches are variables as they are nodes of the circuit; leaf `i` of the graph is the one in `latches`, and gates of the
    /// graph come behind the circuit.
    fn new(circuit: &Aig, graph: &Aig, root: Lit, latches: Vec<Var>, cancel: &Cancel) -> Interpolant {
        let n_vars = circuit.n_vars();
        let rename = |lit: Lit| {
            let node = lit.var().index();
            let var = match node.checked_sub(1) {
                None => lit.var(),
                Some(leaf) => latches.get(leaf).copied().unwrap_or_else(|| Var::from_index(n_vars + node)),
            };
            var.lit(lit.is_negated())
        };
        let mut solver = Cdcl::new(cancel, 0);
        Encoder::new().encode(graph, root, |clause| {
            solver.add_clause(&clause.iter().map(|&lit| rename(lit)).collect::<Vec<_>>());
        });
        let read = Lit::positive(Var::from_index(n_vars + graph.n_vars()));
        Interpolant { solver, root: rename(root), latches, read, encoder: Encoder::new() }
    }

    /// A subset of the cube that is still outside of the interpolant, if all of the cube is.
    fn exclude(&mut self, circuit: &Aig, cube: &[Lit]) -> Ask<Option<Vec<Lit>>> {
        for &lit in cube {
            self.encoder.encode(circuit, lit, |clause| self.solver.add_clause(clause));
        }
        let mut assumptions = cube.to_vec();
        assumptions.push(self.root);
        if self.solver.solve(&assumptions)? {
            return Ok(None);
        }
        Ok(Some(cube.iter().copied().filter(|&lit| self.solver.failed(lit)).collect()))
    }
    /// Take note of what was excluded.
    fn note(&mut self, cube: &[Lit]) {
        let clause: Vec<Lit> = cube.iter().map(|&lit| !lit).chain([!self.read]).collect();
        self.solver.add_clause(&clause);
    }
    /// A state outside of the interpolant that nothing noted excludes.
    fn outside(&mut self) -> Ask<Option<Vec<Lit>>> {
        if !self.solver.solve(&[!self.root, self.read])? {
            return Ok(None);
        }
        let value = |&var: &Var| Lit::with_value(var, self.solver.value(Lit::positive(var)));
        Ok(Some(self.latches.iter().map(value).collect()))
    }
    /// A few more cubes outside of it, each without initial states.
    fn others(&mut self, circuit: &Aig, atoms: &Atoms) -> Ask<Vec<Cube>> {
        let mut cubes = Vec::new();
        for _ in 0..MAX_CLAUSES {
            let Some(state) = self.outside()? else { break };
            let core = self.exclude(circuit, &state)?.expect("the state is outside");
            match atoms.without_initial_states(core, &state) {
                Some(core) => {
                    self.note(&core);
                    cubes.push(Cube::new(core));
                }
                None => self.note(&state),
            }
        }
        Ok(cubes)
    }
}
