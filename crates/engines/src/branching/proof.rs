//! What was found, as a proof: only that of each operator which the verdict rests on.

use super::Search;
use indubit_aig::{Aig, Cone};
use indubit_logic::{Clause, Lit, Var};
use indubit_system::{Bounds, CtlNode, CtlProof, Invariant, Ranked, Stuck};
use std::collections::HashMap;

/// Which sets of an operator are needed: where it holds, and where it does not.
type Needed = [bool; 2];

impl Search<'_> {
    pub(super) fn proof(mut self, fails_in: Option<Vec<bool>>) -> CtlProof {
        let needed = self.needed(fails_in.is_none());
        let mut proof = CtlProof::new(&self.ground.graph);
        proof.fails_in = fails_in;
        let nodes = self.ground.graph.formula.nodes().to_vec();
        let operators: Vec<usize> = (0..nodes.len()).filter(|&i| self.place[i].is_some()).collect();
        let ids: Vec<_> = self.ground.graph.formula.ids().collect();
        let mut found: Vec<Bounds> = Vec::with_capacity(operators.len() + 1);
        for (place, &i) in operators.iter().enumerate() {
            let (inside, goal) = match nodes[i] {
                CtlNode::ExistsGlobally(p) => (Some(self.bounds(p)[1]), None),
                CtlNode::ExistsUntil(_, q) => {
                    let (yes_q, yes_fair) = (self.bounds(q)[0], self.fair_bounds()[0]);
                    (None, Some(self.ground.aig().and(yes_q, yes_fair)))
                }
                _ => (None, None),
            };
            let [yes, no] = self.bounds(ids[i]);
            found.push(self.bounds_at(place, needed[place], [yes, no], inside, goal));
        }
        let fair = self.fair();
        if !self.is_total {
            let sets = self.fair_bounds();
            found.push(self.bounds_at(fair, needed[fair], sets, None, None));
        }
        let n_vars = self.ground.graph.circuit.aig.n_vars();
        let mut gates = Gates::new(&self.ground.circuit.aig, n_vars, &found);
        proof.with = std::mem::replace(&mut gates.with, Invariant::new(n_vars));
        let mut exported = found.into_iter().map(|bounds| gates.bounds(bounds)).collect::<Vec<_>>();
        if !self.is_total {
            proof.fair = exported.pop().unwrap_or_default();
        }
        proof.operators = exported;
        proof
    }

    /// What the verdict needs of each operator.
    fn needed(&self, holds: bool) -> Vec<Needed> {
        let formula = &self.ground.graph.formula;
        let mut wanted: Vec<Needed> = vec![[false; 2]; formula.nodes().len()];
        // All of it rests on which states are fair.
        let mut needed: Vec<Needed> = vec![[false; 2]; self.known.len()];
        needed[self.fair()] = [true; 2];
        wanted[formula.root().index()][usize::from(!holds)] = true;
        for i in (0..wanted.len()).rev() {
            let own = wanted[i];
            if let Some(place) = self.place[i] {
                needed[place] = own;
            }
            let mut want = |child: indubit_system::CtlId, what: Needed| {
                let [yes, no] = &mut wanted[child.index()];
                (*yes, *no) = (*yes || what[0], *no || what[1]);
            };
            match formula.nodes()[i] {
                CtlNode::True | CtlNode::Atom(_) => (),
                CtlNode::Not(a) => want(a, [own[1], own[0]]),
                CtlNode::ExistsNext(a) | CtlNode::ExistsGlobally(a) => want(a, own),
                CtlNode::And(a, b) | CtlNode::ExistsUntil(a, b) => {
                    want(a, own);
                    want(b, own);
                }
            }
        }
        needed
    }

    /// What is known of an operator, where `inside` are the states in which what is inside of it fails, and `goal` those in which nothing is left to do.
    fn bounds_at(
        &mut self,
        place: usize,
        needed: Needed,
        [yes, no]: [Lit; 2],
        inside: Option<Lit>,
        goal: Option<Lit>,
    ) -> Bounds {
        let mut bounds = Bounds::default();
        if needed[0] && yes != Lit::FALSE {
            let (n_signals, n_inputs) = (self.ground.graph.signals().len(), self.ground.circuit.inputs.len());
            let aig = &mut self.ground.circuit.aig;
            bounds.yes = yes;
            bounds.choices = self.known[place].choices(n_signals, n_inputs, goal.is_some(), aig);
            if let Some(goal) = goal {
                for choice in &mut bounds.choices {
                    choice.rank.iter_mut().for_each(|digit| *digit = aig.and(!goal, *digit));
                }
            }
        }
        if needed[1] && no != Lit::FALSE {
            bounds.no = no;
            if let Some(states) = inside.filter(|&states| states != Lit::FALSE) {
                // No path stays where it cannot begin.
                let n_signals = self.ground.graph.signals().len();
                let mut why = Ranked::never(self.ground.circuit.aig.n_vars(), 0, n_signals);
                why.with.add(Clause::new([]));
                bounds.stuck.push(Stuck { states, why });
            }
            bounds.stuck.append(&mut self.known[place].stuck);
        }
        bounds
    }
}

/// The gates behind the nodes of the graph, as additional gates of a proof.
struct Gates<'a> {
    aig: &'a Aig,
    n_vars: usize,
    with: Invariant,
    map: HashMap<Var, Lit>,
}

impl<'a> Gates<'a> {
    fn new(aig: &'a Aig, n_vars: usize, found: &[Bounds]) -> Gates<'a> {
        let mut lits = Vec::new();
        for bounds in found {
            lits.extend([bounds.yes, bounds.no]);
            lits.extend(bounds.choices.iter().flat_map(|c| c.inputs.iter().chain(&c.rank)));
            lits.extend(bounds.stuck.iter().map(|s| s.states));
        }
        let mut with = Invariant::new(n_vars);
        let map = imported(aig, n_vars, &lits, &mut with);
        Gates { aig, n_vars, with, map }
    }
    fn lit(&self, lit: Lit) -> Lit {
        match lit.var().index() < self.n_vars {
            true => lit,
            false => self.map[&lit.var()] ^ lit.is_negated(),
        }
    }
    fn bounds(&self, mut bounds: Bounds) -> Bounds {
        bounds.yes = self.lit(bounds.yes);
        bounds.no = self.lit(bounds.no);
        for choice in &mut bounds.choices {
            choice.inputs.iter_mut().chain(&mut choice.rank).for_each(|lit| *lit = self.lit(*lit));
        }
        for stuck in &mut bounds.stuck {
            stuck.states = self.lit(stuck.states);
            stuck.why = self.ranked(&stuck.why);
        }
        bounds
    }
    /// A proof about the circuit as it was when it was found, as one about the graph.
    fn ranked(&self, why: &Ranked) -> Ranked {
        let n_known = why.n_vars();
        let lits = why.memory().iter().map(|m| m.next).chain(why.second().iter().copied());
        let lits = lits.chain(why.order.iter().chain([&why.relation]).chain(&why.absent).copied());
        let nodes = why.with.nodes().map(Lit::positive);
        let lits: Vec<Lit> = lits.chain(nodes).filter(|l| l.var().index() < n_known).collect();
        let ranked = why.rebased(self.n_vars, Vec::new(), |with| {
            let map = imported(self.aig, self.n_vars, &lits, with);
            move |v: Var| map.get(&v).copied().unwrap_or(Lit::positive(v))
        });
        ranked.tidied()
    }
}

/// Make the gates that these literals depend on, and that are no nodes of the graph, in `with`.
fn imported(aig: &Aig, n_vars: usize, lits: &[Lit], with: &mut Invariant) -> HashMap<Var, Lit> {
    let mut cone = Cone::new();
    cone.collect(aig, lits.iter().copied());
    let mut vars: Vec<Var> = cone.vars().iter().copied().filter(|v| v.index() >= n_vars).collect();
    vars.sort_unstable();
    let mut map: HashMap<Var, Lit> = HashMap::new();
    for var in vars {
        let Some([a, b]) = aig.fanins(var) else { continue };
        let at = |lit: Lit| map.get(&lit.var()).map_or(lit, |&l| l ^ lit.is_negated());
        let (a, b) = (at(a), at(b));
        map.insert(var, with.and(a, b));
    }
    map
}
