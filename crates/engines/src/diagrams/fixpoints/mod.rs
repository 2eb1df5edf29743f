//! Formulas of computation tree logic by sets of states (J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang, *Symbolic Model Checking: 10^20 States and Beyond*, LICS 1990; E. A. Emerson,
//! C.-L. Lei, *Efficient Model Checking in Fragments of the Propositional Mu-Calculus*, LICS 1986): for each node of the formula the states in which it holds, by images backwards.
//!
//! The proof has these sets, or, where a few states are enough, paths from them; how a set goes on is a function of the state for each input.

mod choices;
mod needs;
mod part;
mod sets;
mod walks;

use crate::BranchingEngine;
use indubit_bdd::Bdd;
use indubit_logic::{Clause, Lit};
use indubit_run::{Ask, Run};
use indubit_system::{Bounds, Branching, Choice, CtlProof, Ranked, Stuck};
use needs::Story;
use part::Part;
use sets::Sets;

pub(crate) struct Fixpoints {
    graph: Branching,
    most: usize,
}

impl Fixpoints {
    pub fn new(graph: Branching, most: usize) -> Fixpoints {
        Fixpoints { graph, most }
    }
    fn search(&self, part: &Part, sets: &mut Sets<'_>, run: &mut Run<'_>) -> Ask<(Story, Option<Vec<bool>>)> {
        let mut failing = sets.decide(run)?;
        let mut fails_in = None;
        if let Some((_, state)) = &failing {
            fails_in = part.whole(&self.graph, state, run)?;
            if fails_in.is_none() {
                // What is left of `initially` has no model.
                failing = None;
                (sets.initial, sets.starts) = (Bdd::FALSE, Bdd::FALSE);
            }
        }
        let failing = match failing {
            Some((id, state)) => {
                let one = sets.space.singleton(&state, false)?;
                Some((id, sets.space.hold(one)))
            }
            None => None,
        };
        Ok((needs::explain(sets, failing, run)?, fails_in))
    }
    /// The proof, of what is said of the part.
    fn proof(
        &self,
        part: &Part,
        sets: Sets<'_>,
        story: &Story,
        fails_in: Option<Vec<bool>>,
    ) -> Ask<CtlProof> {
        let graph = &self.graph;
        let reached = if story.rests_on_reached { sets.reached } else { Bdd::TRUE };
        let mut space = sets.space;
        let mut wanted = vec![reached];
        for said in &story.said {
            wanted.extend([said.yes, said.no]);
            wanted.extend(said.choices.iter().flat_map(|chain| chain.inputs.iter().chain(&chain.rank)));
            wanted.extend(said.shoals.iter().flat_map(|shoals| shoals.order.iter().chain(&shoals.absent)));
        }
        space.only(&wanted)?;
        space.raise(|lit| part.origin(lit));
        let mut proof = CtlProof::new(graph);
        let mut gates = space.gates_of(&wanted, &mut proof.with).into_iter();
        let mut take = |n: usize| -> Vec<Lit> { gates.by_ref().take(n).collect() };
        let reached = take(1)[0];
        let positions = part.inputs(graph);
        let mut bounds = Vec::new();
        for said in &story.said {
            let (yes, no) = (take(1)[0], take(1)[0]);
            let mut choices = Vec::new();
            for chain in &said.choices {
                let own = take(chain.inputs.len());
                let inputs = positions.iter().map(|at| at.map_or(Lit::FALSE, |i| own[i])).collect();
                choices.push(Choice { inputs, rank: take(chain.rank.len()) });
            }
            let n_shoals = said.shoals.as_ref().map_or(0, |shoals| shoals.order.len() + shoals.absent.len());
            take(n_shoals);
            let stuck = said.shoals.iter().map(|shoals| {
                let sets: Vec<Bdd> =
                    [said.no].iter().chain(&shoals.order).chain(&shoals.absent).copied().collect();
                let n_signals = shoals.absent.len();
                let mut why = Ranked::new(graph.circuit.aig.n_vars(), Vec::new(), Vec::new(), n_signals);
                let mut lits = space.gates_of(&sets, &mut why.with);
                why.with.add(Clause::new([lits[0]]));
                why.absent = lits.split_off(1 + shoals.order.len());
                why.order = lits.split_off(1);
                Stuck { states: no, why: why.tidied() }
            });
            bounds.push(Bounds { yes, no, choices, stuck: stuck.collect() });
        }
        drop(gates);
        if reached != Lit::TRUE {
            proof.with.add(Clause::new([reached]));
        }
        if let Some(fair) = bounds.pop()
            && !graph.is_total()
        {
            proof.fair = fair;
        }
        proof.operators = graph.operators().map(|id| std::mem::take(&mut bounds[id.index()])).collect();
        proof.fails_in = fails_in;
        Ok(proof)
    }
}

impl BranchingEngine for Fixpoints {
    fn run(&mut self, run: &mut Run<'_>) -> Ask<CtlProof> {
        let part = Part::new(&self.graph);
        let mut sets = Sets::new(&self.graph, &part, self.most, run)?;
        let found = self.search(&part, &mut sets, run);
        run.count("times that variables were sifted", sets.space.n_sifted);
        run.count("nodes of decision diagrams", sets.space.all.n_nodes() as u64);
        let (story, fails_in) = found?;
        self.proof(&part, sets, &story, fails_in)
    }
}
