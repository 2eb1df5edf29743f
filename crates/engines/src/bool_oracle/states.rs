//! Single states: steps are simulated, or asked for.

use super::simulator::{pack, unpack};
use super::{BoolOracle, Inputs};
use indubit_logic::{Cube, Lit};
use indubit_pdr::{INFINITE, State, States, Walks};
use indubit_run::Ask;
use indubit_system::StateVar;

impl States for BoolOracle<'_> {
    fn initial_state(&mut self, cube: &Cube) -> Ask<State> {
        // Gates have the same value in all initial states.
        let initial = |atom: &StateVar| atom.init.unwrap_or_else(|| cube.contains(Lit::positive(atom.var)));
        Ok(pack(self.atoms.all().iter().map(initial)))
    }
    fn successor(&mut self, state: &State, step: &Inputs, _into: &Cube) -> Ask<Option<State>> {
        let (broken, next) = self.simulator.step(&self.safety, &self.atoms, state, step);
        self.heed_all(&broken);
        Ok(broken.is_empty().then_some(next))
    }
    fn step_into(&mut self, state: &State, cube: &Cube) -> Ask<Option<Inputs>> {
        self.prime(INFINITE, cube);
        let mut assumptions = self.primed.clone();
        let latches = self.safety.latches.iter().zip(unpack(state));
        assumptions.extend(latches.map(|(latch, value)| Lit::with_value(latch.var, value)));
        let solver = self.solvers.at_mut(INFINITE);
        solver.encode_all(&self.safety, &self.primed);
        if !self.solvers.solve(INFINITE, None, &assumptions)? {
            return Ok(None);
        }
        let model = self.solvers.at(INFINITE).sat.solver();
        let value = |&input| model.assigned(input).unwrap_or(false);
        Ok(Some(self.safety.inputs.iter().map(value).collect()))
    }
    fn cube_of(&self, state: &State) -> Cube {
        let atoms = self.atoms.all().iter().zip(unpack(state));
        Cube::new(atoms.map(|(atom, value)| Lit::with_value(atom.var, value)))
    }
}

impl Walks for BoolOracle<'_> {
    fn random_step(&mut self, state: &State) -> Option<(Inputs, State)> {
        self.simulator.random_step(&self.safety, &self.atoms, state)
    }
}
