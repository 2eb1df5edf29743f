//! Paths at random. What a goal like that of `EF AG p` asks for is as a rule found where a system comes to rest, or goes around: a long path ends there, and that the goal is in its last state is decided
//! sooner than which of all states that can be reached it is in.

use super::Search;
use super::ground::Ground;
use super::until::ATTEMPT;
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{CtlId, CtlNode, Trace};

/// So many paths are tried.
const PATHS: u64 = 40;
/// So many of those that do not come to rest count.
const RESTLESS: usize = 2;
/// So many steps a path has at most.
const MOST_STEPS: usize = 400;
/// So often 64 inputs are tried for a step to another state.
const ATTEMPTS: usize = 24;

impl Search<'_> {
    /// Does what a node says depend on more than one step?
    pub(super) fn is_about_paths(&self, id: CtlId) -> bool {
        let formula = &self.ground.graph.formula;
        let mut is_part = vec![false; id.index() + 1];
        is_part[id.index()] = true;
        for i in formula.ids().rev().skip_while(|&i| i > id) {
            if !is_part[i.index()] {
                continue;
            }
            match formula.node(i) {
                CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => return true,
                CtlNode::Not(a) | CtlNode::ExistsNext(a) => is_part[a.index()] = true,
                CtlNode::And(a, b) => (is_part[a.index()], is_part[b.index()]) = (true, true),
                CtlNode::True | CtlNode::Atom(_) => (),
            }
        }
        false
    }
    /// A path from a state, through states in which `p` may hold, to one in which `q` does.
    pub(super) fn stroll(
        &mut self,
        (p, q): (CtlId, CtlId),
        state: &[bool],
        run: &mut Run<'_>,
    ) -> Ask<Option<Trace>> {
        let mut n_restless = 0;
        for path in 0..PATHS {
            run.checkpoint()?;
            let [_, no_p] = self.bounds(p);
            let mut rng = fastrand::Rng::with_seed(run.seed.wrapping_add(path));
            let (rows, last) = self.ground.wander(state, !no_p, &mut rng, run)?;
            if rows.is_empty() {
                return Ok(None);
            }
            n_restless += usize::from(rows.len() == MOST_STEPS);
            if rows.len() == MOST_STEPS && n_restless > RESTLESS {
                continue;
            }
            // What takes long to decide at one end may be plain at another one.
            let is_goal: Ask<bool> = run.part_beside(|own| {
                own.part(ATTEMPT, |own| Ok(self.is_fair(&last, own)? && self.decide(q, &last, own)?)).result
            });
            run.checkpoint()?;
            if is_goal == Ok(true) {
                let mut inputs = rows;
                inputs.push(vec![false; self.ground.circuit.inputs.len()]);
                return Ok(Some(Trace { initial: state.to_vec(), inputs, loops_to: None }));
            }
        }
        Ok(None)
    }
}

impl Ground {
    /// The inputs of a path at random, and its last state: each step leads to another state, from one in which `stays` holds.
    fn wander(
        &self,
        state: &[bool],
        stays: Lit,
        rng: &mut fastrand::Rng,
        run: &Run<'_>,
    ) -> Ask<(Vec<Vec<bool>>, Vec<bool>)> {
        let (mut rows, mut here) = (Vec::new(), state.to_vec());
        let mut words = vec![0; self.circuit.aig.n_vars()];
        'steps: while rows.len() < MOST_STEPS && self.holds(stays, &here) {
            run.checkpoint()?;
            for (latch, &value) in self.circuit.latches.iter().zip(&here) {
                words[latch.var.index()] = if value { u64::MAX } else { 0 };
            }
            for _ in 0..ATTEMPTS {
                for input in &self.circuit.inputs {
                    words[input.index()] = rng.u64(..);
                }
                simulate::propagate(&self.circuit.aig, &mut words);
                let allowed =
                    self.circuit.constraints.iter().fold(u64::MAX, |w, &c| w & simulate::word(&words, c));
                let moves = self.circuit.latches.iter().zip(&here).fold(0, |w, (latch, &value)| {
                    w | simulate::word(&words, latch.next) ^ if value { u64::MAX } else { 0 }
                });
                let good = allowed & moves;
                if good != 0 {
                    let lane = good.trailing_zeros();
                    let bit = |word: u64| word >> lane & 1 == 1;
                    rows.push(self.circuit.inputs.iter().map(|v| bit(words[v.index()])).collect());
                    here = self.circuit.latches.iter().map(|l| bit(simulate::word(&words, l.next))).collect();
                    continue 'steps;
                }
            }
            break;
        }
        Ok((rows, here))
    }
}
