//! Formulas of computation tree logic by sets of states (J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang, *Symbolic Model Checking: 10^20 States and Beyond*, LICS 1990; E. A. Emerson,
//! C.-L. Lei, *Efficient Model Checking in Fragments of the Propositional Mu-Calculus*, LICS 1986): for each node of the formula the states in which it holds, by images backwards.
//!
//! The proof has these sets, or, where a few states are enough, paths from them; how a set goes on is a function of the state for each input.

mod choices;
mod needs;
mod sets;
mod walks;

use super::space::Space;
use crate::BranchingEngine;
use choices::Chain;
use indubit_bdd::Bdd;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{Bounds, Branching, Choice, CtlProof, Ranked, Stuck};
use needs::{Shoals, Story};
use sets::Sets;

pub(crate) struct Fixpoints {
    graph: Branching,
    most: usize,
}

impl Fixpoints {
    pub fn new(graph: Branching, most: usize) -> Fixpoints {
        Fixpoints { graph, most }
    }
}

/// Why the formula holds, or the state in which it does not.
fn search(sets: &mut Sets<'_>, run: &mut Run<'_>) -> Ask<(Story, Option<Vec<bool>>)> {
    let Some((id, state)) = sets.decide(run)? else {
        return Ok((needs::explain(sets, None, run)?, None));
    };
    let one = sets.space.singleton(&state, false)?;
    sets.space.hold(one);
    Ok((needs::explain(sets, Some((id, one)), run)?, Some(state)))
}

/// The proof, of what is said.
fn proof(graph: &Branching, sets: Sets<'_>, story: &Story, fails_in: Option<Vec<bool>>) -> Ask<CtlProof> {
    let reached = if story.rests_on_reached { sets.reached } else { Bdd::TRUE };
    let mut space = sets.space;
    let mut sets_said = Vec::new();
    for said in &story.said {
        sets_said.extend([said.yes, said.no]);
        sets_said.extend(said.choices.iter().flat_map(|chain| chain.inputs.iter().chain(&chain.rank)));
    }
    let shoals = story.said.iter().flat_map(|said| &said.shoals);
    let others = shoals.flat_map(|shoals| shoals.order.iter().chain(&shoals.absent));
    let wanted: Vec<Bdd> = [reached].iter().chain(&sets_said).chain(others).copied().collect();
    space.only(&wanted)?;
    let mut proof = CtlProof::new(graph);
    space.conjoin(reached, &mut proof.with)?;
    let mut gates = space.gates_of(&sets_said, &mut proof.with).into_iter();
    let mut take = |n: usize| -> Vec<Lit> { gates.by_ref().take(n).collect() };
    let n_vars = graph.circuit.aig.n_vars();
    let mut bounds = Vec::new();
    for said in &story.said {
        let (yes, no) = (take(1)[0], take(1)[0]);
        let choice =
            |chain: &Chain| Choice { inputs: take(chain.inputs.len()), rank: take(chain.rank.len()) };
        let choices = said.choices.iter().map(choice).collect();
        let mut stuck = |shoals: &Shoals| -> Ask<Stuck> {
            Ok(Stuck { states: no, why: shoals.ranked(said.no, &mut space, n_vars)? })
        };
        let stuck = said.shoals.iter().map(&mut stuck).collect::<Ask<_>>()?;
        bounds.push(Bounds { yes, no, choices, stuck });
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

impl Shoals {
    /// As a proof about runs from these states on.
    fn ranked(&self, states: Bdd, space: &mut Space<'_>, n_vars: usize) -> Ask<Ranked> {
        let mut why = Ranked::new(n_vars, Vec::new(), Vec::new(), self.absent.len());
        space.conjoin(states, &mut why.with)?;
        let mut gate = |&set: &Bdd| space.gate_within(set, states, &mut why.with);
        why.order = self.order.iter().map(&mut gate).collect::<Ask<_>>()?;
        why.absent = self.absent.iter().map(&mut gate).collect::<Ask<_>>()?;
        Ok(why)
    }
}

impl BranchingEngine for Fixpoints {
    fn run(&mut self, run: &mut Run<'_>) -> Ask<CtlProof> {
        let (graph, back) = self.graph.reduced();
        let mut sets = Sets::new(&graph, self.most, run)?;
        let found = search(&mut sets, run);
        run.count("times that variables were sifted", sets.space.n_sifted);
        run.count("nodes of decision diagrams", sets.space.all.n_nodes() as u64);
        let (story, fails_in) = found?;
        Ok(back.proof(&proof(&graph, sets, &story, fails_in)?))
    }
}
