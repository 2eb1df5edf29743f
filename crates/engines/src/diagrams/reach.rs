//! Reachability: from the initial states step by step, until nothing is new or something is bad.

use super::space::Space;
use crate::Engine;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Invariant, Proof, Safety, Trace};

pub(crate) struct Reachability {
    problem: Safety,
    most: usize,
}

impl Reachability {
    pub fn new(problem: Safety, most: usize) -> Reachability {
        Reachability { problem, most }
    }
    fn search(&self, safe_up_to: &mut Option<u32>, run: &mut Run<'_>) -> Ask<Conclusion> {
        let circuit = &self.problem;
        let (mut space, roots) = Space::new(circuit, &[circuit.bad], self.most, run)?;
        let bad = space.allowed(roots[0])?;
        let reached = space.reach(bad, safe_up_to, run);
        run.count("times that variables were sifted", space.n_sifted);
        run.count("nodes of decision diagrams", space.all.n_nodes() as u64);
        let reached = reached?;
        if reached.is_target {
            return Ok(Conclusion::Unsafe(space.trace(&reached.rings, bad)?));
        }
        let mut invariant = Invariant::new(circuit.aig.n_vars());
        space.only(&[reached.states])?;
        space.conjoin(reached.states, &mut invariant)?;
        Ok(Conclusion::Safe(Proof::Inductive(invariant)))
    }
}

impl Engine for Reachability {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let mut safe_up_to = None;
        let found = self.search(&mut safe_up_to, run);
        found.unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to })
    }
}

/// What a search from the initial states has come to.
pub(crate) struct Reached {
    /// The states that are new after 0, 1, 2, … steps.
    pub rings: Vec<Bdd>,
    /// All of them.
    pub states: Bdd,
    /// Is the target in the last ring?
    pub is_target: bool,
}

impl Space<'_> {
    /// A function of a state and inputs, where the constraints hold. It is held.
    pub fn allowed(&mut self, f: Bdd) -> Ask<Bdd> {
        let mut allowed = f;
        for i in 0..self.constraints.len() {
            let constraint = self.constraints[i];
            allowed = self.and(allowed, constraint)?;
        }
        Ok(self.hold(allowed))
    }
    /// Go from the initial states until a state in which `target` can be true is reached, or all are. What is found is held.
    pub fn reach(&mut self, target: Bdd, safe_up_to: &mut Option<u32>, run: &mut Run<'_>) -> Ask<Reached> {
        let target = self.states_of(target)?;
        self.hold(target);
        let slot = self.slot();
        let mut new = self.initial()?;
        let mut states = self.set(slot, new);
        self.hold(new);
        let mut rings = Vec::new();
        loop {
            rings.push(new);
            let k = rings.len() as u32 - 1;
            run.within_bound(k)?;
            run.checkpoint()?;
            if self.and(new, target)? != Bdd::FALSE {
                return Ok(Reached { rings, states, is_target: true });
            }
            if target != Bdd::FALSE {
                *safe_up_to = Some(k);
                run.publish_bound(k);
            }
            run.spend(1);
            let image = self.image(new)?;
            new = self.minus(image, states)?;
            if new == Bdd::FALSE {
                return Ok(Reached { rings, states, is_target: false });
            }
            self.hold(new);
            states = self.or(states, new)?;
            self.set(slot, states);
        }
    }
    /// A run through rings to a state and inputs for which `target` is true.
    fn trace(&mut self, rings: &[Bdd], target: Bdd) -> Ask<Trace> {
        let last = rings.last().copied().unwrap_or(Bdd::FALSE);
        let end = self.and(last, target)?;
        let (state, inputs) = self.pick(end).expect("the target is in the last ring");
        let mut trace = self.path(&rings[..rings.len() - 1], state)?;
        trace.inputs.push(inputs);
        Ok(trace)
    }
}
