//! What of a graph of states can matter to its formula, and proofs about that as proofs about all of it.

use crate::branching::initial;
use crate::{Bounds, Branching, Choice, CtlProof, Invariant, Ranked, Safety, Stuck};
use indubit_aig::simulate;
use indubit_logic::{Lit, Var, VarMap};

/// The way back from [`Branching::reduced`].
#[derive(Clone, Debug)]
pub struct BranchingCone {
    whole: Branching,
    /// What each node is in the whole graph, if it is one there.
    up: VarMap<Lit>,
    /// Gates that are none there, or only one that depends on inputs when it does not depend on them here: each after those it is made of.
    gates: Vec<(Var, [Lit; 2])>,
    /// For each latch and each input of the whole graph its position, if it is still there.
    latches: Vec<Option<usize>>,
    inputs: Vec<Option<usize>>,
}

impl Branching {
    /// Only what atoms, constraints and fairness depend on now or later, and what the initial values of that depend on.
    pub fn reduced(&self) -> (Branching, BranchingCone) {
        match self.reduced_by(|_| Ok::<_, std::convert::Infallible>(None)) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }
    /// The same, of a circuit that is made smaller: as one in which gates have been replaced by others that they equal, whatever latches and inputs are, with what has become of each node that
    /// is still there. Latches and inputs are not replaced, and stay in their order.
    pub fn reduced_by<E>(
        &self,
        merge: impl FnOnce(&Safety) -> Result<Option<(Safety, VarMap<Option<Lit>>)>, E>,
    ) -> Result<(Branching, BranchingCone), E> {
        // Initial values are roots like others, as soon as their latches are there.
        let mut circuit = self.circuit.clone();
        let resets = loop {
            let cone = circuit.cone_of_influence();
            let resets: Vec<(Lit, Lit)> =
                self.resets.iter().filter(|(latch, _)| cone.contains(latch.var())).copied().collect();
            let is_open = |l: &Lit| !l.is_const() && !cone.contains(l.var());
            let open: Vec<Lit> = resets.iter().map(|&(_, reset)| reset).filter(is_open).collect();
            if open.is_empty() {
                break resets;
            }
            circuit.also.extend(open);
        };
        circuit.also.extend(resets.iter().map(|&(_, reset)| reset));
        let (cone, import) = circuit.reduced();
        let (mut small, merged) = match merge(&cone)? {
            Some((small, merged)) => (small, Some(merged)),
            None => (cone, None),
        };
        let get = |lit: Lit| match (import.get(lit)?, &merged) {
            (lit, Some(merged)) if !lit.is_const() => Some(merged[lit.var()]? ^ lit.is_negated()),
            (lit, _) => Some(lit),
        };
        let down = |lit: Lit| get(lit).expect("it is in the cone of a root");
        let up = small.origins(&circuit, |var| get(Lit::positive(var)));
        // A latch that only looked as if it mattered is gone.
        let resets = resets.into_iter().filter(|&(latch, _)| get(latch).is_some());
        let resets: Vec<(Lit, Lit)> = resets.map(|(latch, reset)| (down(latch), down(reset))).collect();
        small.also.truncate(self.circuit.also.len());
        let of = |leaf: Var| get(Lit::positive(leaf));
        let inputs: Vec<Option<usize>> = self
            .circuit
            .inputs
            .iter()
            .map(|&v| {
                let leaf = of(v)?;
                small.inputs.iter().position(|&own| own == leaf.var())
            })
            .collect();
        let latches: Vec<Option<usize>> = self
            .circuit
            .latches
            .iter()
            .map(|l| {
                let leaf = of(l.var)?;
                small.latches.binary_search_by_key(&leaf.var(), |own| own.var).ok()
            })
            .collect();
        let whole = self.clone();
        let n_latches = self.circuit.latches.len() - self.shown.len();
        let shown: Vec<usize> = (self.shown.iter().zip(&latches[n_latches..]))
            .filter_map(|(&input, place)| place.map(|_| input))
            .collect();
        let initially = initial(&mut small.aig, &resets);
        let gates = gates_of_states(&small, &self.circuit, &up);
        let graph = Branching {
            resets,
            initially,
            formula: self.formula.map(|&atom| down(atom)),
            fairness: self.fairness.iter().map(|&signal| down(signal)).collect(),
            shown,
            circuit: small,
        };
        Ok((graph, BranchingCone { whole, up, gates, latches, inputs }))
    }
}

/// For each node: does it depend on inputs, by what it is made of?
fn input_dependence(circuit: &Safety) -> Vec<bool> {
    let mut depends = vec![false; circuit.aig.n_vars()];
    circuit.inputs.iter().for_each(|input| depends[input.index()] = true);
    for (gate, fanins) in circuit.aig.ands() {
        depends[gate.index()] = fanins.iter().any(|lit| depends[lit.var().index()]);
    }
    depends
}

/// Gates that have to be made anew in the whole graph: simplification has shown that they depend on the state only, or there are none like them.
fn gates_of_states(small: &Safety, whole: &Safety, up: &VarMap<Lit>) -> Vec<(Var, [Lit; 2])> {
    let (here, there) = (input_dependence(small), input_dependence(whole));
    let is_none = |gate: Var| match up.0.get(gate.index()) {
        Some(lit) => !here[gate.index()] && there[lit.var().index()],
        None => true,
    };
    small.aig.ands().filter(|&(gate, _)| is_none(gate)).collect()
}

impl BranchingCone {
    /// What all nodes are in the whole graph, with more gates there.
    fn up(&self, with: &mut Invariant) -> VarMap<Lit> {
        let mut up = self.up.clone();
        for &(gate, [a, b]) in &self.gates {
            let made = with.and(up.lit(a), up.lit(b));
            match gate.index() < up.0.len() {
                true => up[gate] = made,
                false => up.0.push(made),
            }
        }
        up
    }
    /// A proof about the reduced graph as one about the whole graph.
    pub fn proof(&self, proof: &CtlProof) -> CtlProof {
        let mut lits = Vec::new();
        let all = || std::iter::once(&proof.fair).chain(&proof.operators);
        for bounds in all() {
            lits.extend([bounds.yes, bounds.no]);
            for choice in &bounds.choices {
                lits.extend(choice.inputs.iter().chain(&choice.rank));
            }
            lits.extend(bounds.stuck.iter().map(|stuck| stuck.states));
        }
        let n_vars = self.whole.circuit.aig.n_vars();
        let mut with = Invariant::new(n_vars);
        let up = self.up(&mut with);
        let mut raised = proof.with.conjoin_with(&mut with, |v| up[v], &lits).into_iter();
        let mut next = || raised.next().unwrap_or(Lit::FALSE);
        let mut bounds = all().map(|bounds| {
            let (yes, no) = (next(), next());
            let mut choices = Vec::new();
            for choice in &bounds.choices {
                let inputs: Vec<Lit> = choice.inputs.iter().map(|_| next()).collect();
                let rank = choice.rank.iter().map(|_| next()).collect();
                let input = |place: &Option<usize>| place.map_or(Lit::FALSE, |i| inputs[i]);
                choices.push(Choice { inputs: self.inputs.iter().map(input).collect(), rank });
            }
            let why = |why: &Ranked| {
                let raised = why.rebased(n_vars, Vec::new(), |with| {
                    let up = self.up(with);
                    move |v: Var| up[v]
                });
                raised.tidied()
            };
            let stuck = bounds.stuck.iter().map(|s| Stuck { states: next(), why: why(&s.why) }).collect();
            Bounds { yes, no, choices, stuck }
        });
        let fair = bounds.next().unwrap_or_default();
        let operators = bounds.collect();
        let fails_in = proof.fails_in.as_ref().map(|state| self.initial(state));
        CtlProof { with, fair, operators, fails_in }
    }
    /// An initial state of the whole graph in which the latches that matter have the values of an initial state.
    fn initial(&self, state: &[bool]) -> Vec<bool> {
        let circuit = &self.whole.circuit;
        let value = |place: &Option<usize>| place.is_some_and(|i| state[i]);
        let mut whole: Vec<bool> = self.latches.iter().map(value).collect();
        let inputs = vec![false; circuit.inputs.len()];
        let position = circuit.latch_positions();
        // Initial values may depend on those of other latches, and those on others.
        for _ in 0..=self.whole.resets.len() {
            let values = circuit.evaluate(&whole, &inputs);
            let mut has_changed = false;
            for &(latch, reset) in &self.whole.resets {
                let Some(i) = position[latch.var().index()].map(|i| i as usize) else { continue };
                let value = simulate::value(&values, reset);
                has_changed |= std::mem::replace(&mut whole[i], value) != value;
            }
            if !has_changed {
                break;
            }
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitSystem, CtlBuilder, Signal};

    #[test]
    fn what_does_not_matter_is_gone_and_comes_back() {
        let mut model = BitSystem::new();
        let (a, b) = (model.add_input("a"), model.add_input("b"));
        let p = model.add_latch("p", Some(false));
        let q = model.add_latch("q", None);
        let r = model.add_latch("r", None);
        // The initial value of what matters depends on `q`, and that of what does not on what matters.
        model.set_next(p, a);
        model.set_reset(p, !q);
        model.set_next(r, b);
        model.set_reset(r, p);
        let mut builder = CtlBuilder::new();
        let atom = builder.atom(p);
        let next = builder.exists_next(atom);
        let graph = Branching::new(&model, &builder.finish(next));
        let (small, back) = graph.reduced();
        assert_eq!((small.circuit.latches.len(), small.circuit.inputs.len()), (2, 1));
        let mut proof = CtlProof::new(&small);
        proof.fails_in = Some(vec![true, false]);
        let [first, second] = [0, 1].map(|i| Lit::positive(small.circuit.latches[i].var));
        proof.operators[0].yes = proof.with.and(first, !second);
        proof.operators[0].choices = vec![Choice { inputs: vec![first], rank: Vec::new() }];
        let raised = back.proof(&proof);
        assert_eq!(raised.fails_in, Some(vec![true, false, true]));
        // Behind gates for initial states, which nothing mentions.
        assert_eq!(raised.with.gates().last(), Some(&[p, !q]));
        let last = Var::from_index(raised.with.n_vars() + raised.with.gates().len() - 1);
        assert_eq!(raised.operators[0].yes, Lit::positive(last));
        assert_eq!(raised.operators[0].choices[0].inputs, [p, Lit::FALSE]);
        assert_eq!(raised.fair.choices[0].inputs.len(), 2);
        model.fairness.push(Signal { lit: b, name: None });
        let (small, _) = Branching::new(&model, &graph.formula).reduced();
        assert_eq!(small.circuit.inputs.len(), 2);
    }
}
