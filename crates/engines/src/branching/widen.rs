//! What a ranked proof says of more states than it was found for: its invariant is reduced to those clauses that its rank needs.

use super::ground::Ground;
use indubit_aig::Cone;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{Branching, Ranked, StateVar};

impl Ground {
    /// The proof with fewer clauses, where all of its steps are among states in which `stays` holds; the same, if it rests on more than an order of predicates, or on inputs.
    pub fn widened(&self, mut why: Ranked, stays: Lit, run: &Run<'_>) -> Ask<Ranked> {
        if why.relation != Lit::TRUE || !why.second().is_empty() || why.with.clauses().is_empty() {
            return Ok(why);
        }
        let Some(mut steps) = Steps::new(self, &why, stays, run) else { return Ok(why) };
        let Some(needed) = steps.needed()? else { return Ok(why) };
        let positions: Vec<usize> =
            (0..steps.clauses.len()).filter(|&i| needed.contains(&steps.clauses[i])).collect();
        why.with = why.with.select(&positions);
        Ok(why)
    }
}

/// A step with the memory of a proof as part of the state.
struct Steps {
    ground: Ground,
    clauses: Vec<Lit>,
    order: Vec<Lit>,
    absent: Vec<Lit>,
    signals: Vec<Lit>,
    /// "The step is allowed, and both of its states stay."
    inside: Lit,
}

impl Steps {
    fn new(ground: &Ground, why: &Ranked, stays: Lit, run: &Run<'_>) -> Option<Steps> {
        let mut circuit = ground.circuit.clone();
        let memory: Vec<Lit> = why.memory().iter().map(|_| circuit.aig.leaf()).collect();
        let n_vars = why.n_vars();
        let mut lits: Vec<Lit> = why.memory().iter().map(|m| m.next).collect();
        lits.extend(why.order.iter().chain(&why.absent));
        let node = |v: indubit_logic::Var| match v.index().checked_sub(n_vars) {
            Some(i) => memory[i],
            None => Lit::positive(v),
        };
        let (clauses, built) = why.with.build_with(&mut circuit.aig, |_, v| node(v), &lits);
        let (next, rest) = built.split_at(memory.len());
        let (order, absent) = rest.split_at(why.order.len());
        for (leaf, &next) in memory.iter().zip(next) {
            circuit.latches.push(StateVar { var: leaf.var(), next, init: None });
        }
        let mut cone = Cone::new();
        cone.collect(&circuit.aig, clauses.iter().chain(order).chain(absent).copied());
        if circuit.inputs.iter().any(|&input| cone.contains(input)) {
            return None;
        }
        let signals = ground.graph.signals();
        let (order, absent) = (order.to_vec(), absent.to_vec());
        let mut ground = Ground::new(Branching { circuit, ..ground.graph.clone() }, true, run);
        let (allowed, after) = (ground.allowed(), ground.after(stays));
        let inside = ground.aig().and_all([allowed, stays, after]);
        Some(Steps { ground, clauses, order, absent, signals, inside })
    }
    /// The clauses without which it would be none; `None` if it is not seen to be one with all of them.
    fn needed(&mut self) -> Ask<Option<Vec<Lit>>> {
        let mut questions: Vec<Vec<Lit>> = Vec::new();
        // The first predicate that changes becomes true.
        let mut same = vec![self.inside];
        for i in 0..self.order.len() {
            let now = self.order[i];
            let after = self.ground.after(now);
            questions.push(same.iter().copied().chain([now, !after]).collect());
            same.push(self.ground.aig().iff(now, after));
        }
        // Some signal is absent, and where nothing changes it is not seen, and still absent.
        questions.push(self.absent.iter().map(|&absent| !absent).collect());
        for (&absent, &signal) in self.absent.iter().zip(&self.signals) {
            if absent != Lit::FALSE {
                let after = self.ground.after(absent);
                questions.push(same.iter().copied().chain([absent, signal]).collect());
                questions.push(same.iter().copied().chain([absent, !after]).collect());
            }
        }
        let mut needed: Vec<Lit> = Vec::new();
        for question in questions {
            let Some(core) = self.ground.core(&question, &self.clauses)? else { return Ok(None) };
            needed.extend(core.into_iter().filter(|lit| !needed.contains(lit)).collect::<Vec<_>>());
        }
        let mut next = 0;
        while next < needed.len() {
            let after = self.ground.after(needed[next]);
            next += 1;
            let Some(core) = self.ground.core(&[self.inside, !after], &self.clauses)? else {
                return Ok(None);
            };
            needed.extend(core.into_iter().filter(|lit| !needed.contains(lit)).collect::<Vec<_>>());
        }
        Ok(Some(needed))
    }
}
