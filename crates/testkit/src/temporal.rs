//! The exact answer about claims in temporal logic of a small system, and random formulas.
//!
//! The reference is the textbook's: a node is a state, inputs, and for each operator about the future the truth of what it says of the next step, guessed and later compared with what comes; all
//! parts of the formula have exact truth values in it (Lichtenstein, Pnueli, POPL 1985). The formula is violated iff a node in which it is false, and that can begin a run, has a way into a
//! cycle that sees every fairness and fulfils every *until*. Nothing is shared with the product that engines work on: that one promises, in one direction only.

use crate::explicit::Refusal;
use fastrand::Rng;
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Ltl, LtlBuilder, LtlId, LtlNode};
use std::collections::HashMap;

/// So many bits a node may have.
const MOST_BITS: usize = 16;

/// A node: what is known, and the truth of all parts of the formula.
struct Node {
    guesses: u64,
    next_state: Vec<bool>,
    past: u64,
    parts: Vec<bool>,
    fair: Vec<bool>,
}

/// What a formula is about in a system.
struct Search<'s> {
    system: &'s BitSystem,
    formula: &'s Ltl<Lit>,
    /// The operators about the future, and those about the past.
    future: Vec<LtlId>,
    before: Vec<LtlId>,
}

/// Is there an infinite run that is fair and does not satisfy the formula?
pub fn is_violated(system: &BitSystem, formula: &Ltl<Lit>) -> Result<bool, Refusal> {
    let of = |wanted: fn(LtlNode) -> bool| formula.ids().filter(|&id| wanted(formula.node(id))).collect();
    let future: Vec<LtlId> = of(|node| matches!(node, LtlNode::Next(_) | LtlNode::Until(..)));
    let before: Vec<LtlId> = of(|node| matches!(node, LtlNode::Yesterday(_) | LtlNode::Since(..)));
    let n_bits = system.latches().len() + system.inputs().len() + future.len() + before.len();
    if n_bits > MOST_BITS {
        return Err(Refusal::TooLarge);
    }
    Ok(Search { system, formula, future, before }.finds())
}

fn bits(n: usize, number: u64) -> Vec<bool> {
    (0..n).map(|i| number >> i & 1 == 1).collect()
}

impl Search<'_> {
    /// The node with these inputs and guesses, if the constraints allow it; initially, only if the state is one of those a run begins with.
    fn node(&self, state: &[bool], past: u64, inputs: u64, guesses: u64, initially: bool) -> Option<Node> {
        let (system, formula) = (self.system, self.formula);
        let values = system.evaluate(state, &bits(system.inputs().len(), inputs));
        let holds = |lit: Lit| simulate::value(&values, lit);
        let resets = system.latches().iter().zip(state);
        if !system.constraints.iter().all(|c| holds(c.lit))
            || initially && !resets.into_iter().all(|(latch, &value)| holds(latch.reset) == value)
        {
            return None;
        }
        let bit = |known: &[LtlId], number: u64, id: LtlId| {
            known.iter().position(|&other| other == id).is_some_and(|i| number >> i & 1 == 1)
        };
        let mut parts: Vec<bool> = Vec::new();
        for id in formula.ids() {
            let of = |id: LtlId| parts[id.index()];
            parts.push(match formula.node(id) {
                LtlNode::True => true,
                LtlNode::Atom(i) => holds(formula.atoms()[i as usize]),
                LtlNode::Not(a) => !of(a),
                LtlNode::And(a, b) => of(a) && of(b),
                LtlNode::Next(_) => bit(&self.future, guesses, id),
                LtlNode::Until(a, b) => of(b) || of(a) && bit(&self.future, guesses, id),
                LtlNode::Yesterday(_) => bit(&self.before, past, id),
                LtlNode::Since(a, b) => of(b) || of(a) && bit(&self.before, past, id),
            });
        }
        let mut later = 0;
        for (i, &id) in self.before.iter().enumerate() {
            let remembered = match formula.node(id) {
                LtlNode::Yesterday(a) => parts[a.index()],
                _ => parts[id.index()],
            };
            later |= u64::from(remembered) << i;
        }
        let mut fair: Vec<bool> = system.fairness.iter().map(|f| holds(f.lit)).collect();
        for &id in &self.future {
            if let LtlNode::Until(_, b) = formula.node(id) {
                fair.push(!parts[id.index()] || parts[b.index()]);
            }
        }
        if fair.is_empty() {
            fair.push(true);
        }
        Some(Node { guesses, next_state: system.next_state(&values), past: later, parts, fair })
    }

    /// All nodes of a state.
    fn nodes(&self, state: &[bool], past: u64, initially: bool) -> Vec<(u64, Node)> {
        let n_inputs = self.system.inputs().len();
        let all = (0..1u64 << n_inputs).flat_map(|i| (0..1u64 << self.future.len()).map(move |g| (i, g)));
        let node = |(i, g)| Some((g << n_inputs | i, self.node(state, past, i, g, initially)?));
        all.filter_map(node).collect()
    }

    /// Does the second node come after the first one, as that guessed?
    fn is_guessed(&self, now: &Node, then: &Node) -> bool {
        self.future.iter().enumerate().all(|(i, &id)| {
            let comes = match self.formula.node(id) {
                LtlNode::Next(a) => then.parts[a.index()],
                _ => then.parts[id.index()],
            };
            (now.guesses >> i & 1 == 1) == comes
        })
    }

    fn finds(&self) -> bool {
        let n_latches = self.system.latches().len();
        let mut known: HashMap<(Vec<bool>, u64, u64), usize> = HashMap::new();
        let (mut nodes, mut steps): (Vec<Node>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for number in 0..1u64 << n_latches {
            let state = bits(n_latches, number);
            for (key, node) in self.nodes(&state, 0, true) {
                if !node.parts[self.formula.root().index()] {
                    known.insert((state.clone(), 0, key), nodes.len());
                    nodes.push(node);
                }
            }
        }
        let n_initial = nodes.len();
        let mut done = 0;
        while done < nodes.len() {
            let (state, past) = (nodes[done].next_state.clone(), nodes[done].past);
            let mut own = Vec::new();
            for (key, node) in self.nodes(&state, past, false) {
                if self.is_guessed(&nodes[done], &node) {
                    let fresh = nodes.len();
                    let id = *known.entry((state.clone(), past, key)).or_insert(fresh);
                    if id == fresh {
                        nodes.push(node);
                    }
                    own.push(id);
                }
            }
            steps.push(own);
            done += 1;
        }
        // All that is known can be reached: is there a cycle that is fair? What cannot see some fairness again goes (Emerson, Lei, LICS 1986).
        let mut is_left = vec![true; nodes.len()];
        loop {
            let n_before = is_left.iter().filter(|&&left| left).count();
            for fairness in 0..nodes.first().map_or(0, |node| node.fair.len()) {
                let mut sees = vec![false; nodes.len()];
                loop {
                    let good = |&next: &usize| is_left[next] && (nodes[next].fair[fairness] || sees[next]);
                    let more: Vec<usize> = (0..nodes.len())
                        .filter(|&i| is_left[i] && !sees[i] && steps[i].iter().any(good))
                        .collect();
                    if more.is_empty() {
                        break;
                    }
                    more.into_iter().for_each(|i| sees[i] = true);
                }
                is_left.iter_mut().zip(sees).for_each(|(left, sees)| *left &= sees);
            }
            let n_left = is_left.iter().filter(|&&left| left).count();
            if n_left == n_before || n_left == 0 {
                return n_left > 0 && n_initial > 0;
            }
        }
    }
}

/// A random formula over these atoms, with about so many operators.
pub fn random_formula<A: Clone + PartialEq>(rng: &mut Rng, atoms: &[A], n_operators: usize) -> Ltl<A> {
    let mut builder = LtlBuilder::new();
    let mut parts: Vec<LtlId> = atoms.iter().map(|atom| builder.atom(atom.clone())).collect();
    parts.push(builder.constant(true));
    for i in 0..n_operators {
        // What was made last is used soon, so that operators are nested.
        let pick = |rng: &mut Rng| match rng.bool() && i > 0 {
            true => parts[parts.len() - 1],
            false => parts[rng.usize(..parts.len())],
        };
        let (a, b) = (pick(rng), pick(rng));
        let (from, width) = (rng.u32(..2), rng.u32(..2));
        parts.push(match rng.usize(..22) {
            0 => builder.not(a),
            1 => builder.and(a, b),
            2 => builder.or(a, b),
            3 => builder.implies(a, b),
            4 => builder.iff(a, b),
            5 => builder.next(a),
            6 => builder.until(a, b),
            7 => builder.release(a, b),
            8 | 9 => builder.finally(a),
            10..=12 => builder.globally(a),
            13 => builder.yesterday(a),
            14 => builder.weak_yesterday(a),
            15 => builder.since(a, b),
            16 => builder.triggered(a, b),
            17 => builder.once(a),
            18 => builder.historically(a),
            19 => builder.finally_within(from, from + width, a),
            20 => builder.globally_within(from, from + width, a),
            _ => builder.once_within(from, from + width, a),
        });
    }
    builder.finish(parts[parts.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latch_that_toggles() {
        let mut system = BitSystem::new();
        let a = system.add_latch("a", Some(false));
        system.set_next(a, !a);
        let violated = |make: &dyn Fn(&mut LtlBuilder<Lit>, LtlId) -> LtlId| {
            let mut builder = LtlBuilder::new();
            let atom = builder.atom(a);
            let root = make(&mut builder, atom);
            is_violated(&system, &builder.finish(root)).unwrap()
        };
        assert!(violated(&|_, a| a));
        assert!(!violated(&|b, a| b.next(a)));
        assert!(!violated(&|b, a| {
            let some_time = b.finally(a);
            b.globally(some_time)
        }));
        assert!(violated(&|b, a| {
            let always = b.globally(a);
            b.finally(always)
        }));
        assert!(!violated(&|b, a| {
            let (not, before) = (b.not(a), b.yesterday(a));
            let next = b.implies(a, not);
            let alternates = b.implies(before, next);
            b.globally(alternates)
        }));
    }
}
