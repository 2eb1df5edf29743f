//! Paths at random. What a goal like that of `EF AG p` asks for is as a rule found where a system comes to rest: a long path ends there, and that the goal is in its last state is decided
//! sooner than which of all states that can be reached it is in. And a state that is far away, as the end of a game is, is often on such a path when a search from step to step is still at the beginning.

use super::Search;
use super::ground::Ground;
use super::until::ATTEMPT;
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{CtlId, CtlNode, FormulaNode, Trace};

/// So many paths are tried.
const PATHS: u64 = 40;
/// After so many that do not come to rest there are no more.
const RESTLESS: usize = 2;
/// So many steps a path has at most.
const MOST_STEPS: usize = 400;
/// So often 64 inputs are tried for a step to another state; then a solver is asked for one.
const ATTEMPTS: usize = 8;

/// What a node of a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    State,
    Steps,
    Paths,
}

impl Search<'_> {
    /// What a node is about, with all that it is made of.
    pub(super) fn about(&self, id: CtlId) -> About {
        let formula = &self.ground.graph.formula;
        let mut about = vec![About::State; id.index() + 1];
        for i in formula.ids().take(id.index() + 1) {
            let inside = formula.node(i).children().map(|child| about[child.index()]).max();
            let own = match formula.node(i) {
                CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => About::Paths,
                CtlNode::ExistsNext(_) => About::Steps,
                CtlNode::True | CtlNode::Atom(_) | CtlNode::Not(_) | CtlNode::And(..) => About::State,
            };
            about[i.index()] = inside.map_or(own, |inside| inside.max(own));
        }
        about[id.index()]
    }
    /// A path from a state, through states in which `p` may hold, to one in which `q` does.
    pub(super) fn stroll(
        &mut self,
        (p, q): (CtlId, CtlId),
        state: &[bool],
        run: &mut Run<'_>,
    ) -> Ask<Option<Trace>> {
        let is_plain = self.about(q) == About::State;
        let differs = self.ground.differs();
        let mut n_restless = 0;
        for path in 0..PATHS {
            run.checkpoint()?;
            let ([_, no_p], [_, no_q], [_, no_fair]) = (self.bounds(p), self.bounds(q), self.fair_bounds());
            // A goal that is seen in a state ends the path.
            let goes_on = if is_plain { self.ground.aig().or(no_q, no_fair) } else { Lit::TRUE };
            let stays = self.ground.aig().and(goes_on, !no_p);
            let mut rng = fastrand::Rng::with_seed(run.seed.wrapping_add(path));
            let (rows, last) = self.ground.wander(state, stays, differs, &mut rng, run)?;
            if rows.is_empty() {
                return Ok(None);
            }
            // What holds of paths from there takes as long to decide as where this one began.
            if rows.len() == MOST_STEPS {
                n_restless += 1;
                if n_restless == RESTLESS {
                    return Ok(None);
                }
                continue;
            }
            if is_plain && self.ground.holds(goes_on, &last) {
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
    /// "The step leads to another state."
    fn differs(&mut self) -> Lit {
        let aig = &mut self.circuit.aig;
        let changes: Vec<Lit> =
            self.circuit.latches.iter().map(|l| aig.xor(Lit::positive(l.var), l.next)).collect();
        aig.or_all(changes)
    }
    /// The inputs of a path at random, and its last state: each step leads to another state, from one in which `stays` holds. It ends where that does not hold, where there is no such step, and where
    /// it is long.
    fn wander(
        &mut self,
        state: &[bool],
        stays: Lit,
        differs: Lit,
        rng: &mut fastrand::Rng,
        run: &Run<'_>,
    ) -> Ask<(Vec<Vec<bool>>, Vec<bool>)> {
        let (mut rows, mut here) = (Vec::new(), state.to_vec());
        let allowed = self.allowed();
        while rows.len() < MOST_STEPS && self.holds(stays, &here) {
            run.checkpoint()?;
            let inputs = match self.guess(&here, [allowed, differs], rng) {
                Some(inputs) => inputs,
                None => {
                    let mut step = self.literals(&here);
                    step.extend([allowed, differs]);
                    if !self.solve(&step)? {
                        break;
                    }
                    self.model().1
                }
            };
            here = self.step(&here, &inputs);
            rows.push(inputs);
        }
        Ok((rows, here))
    }
    /// Inputs at random for which all of this holds in a state, if some are found.
    fn guess(&self, state: &[bool], wanted: [Lit; 2], rng: &mut fastrand::Rng) -> Option<Vec<bool>> {
        let mut words = vec![0; self.circuit.aig.n_vars()];
        for (latch, &value) in self.circuit.latches.iter().zip(state) {
            words[latch.var.index()] = if value { u64::MAX } else { 0 };
        }
        for _ in 0..ATTEMPTS {
            for input in &self.circuit.inputs {
                words[input.index()] = rng.u64(..);
            }
            simulate::propagate(&self.circuit.aig, &mut words);
            let good = wanted.iter().fold(u64::MAX, |word, &lit| word & simulate::word(&words, lit));
            if good != 0 {
                let lane = good.trailing_zeros();
                return Some(self.circuit.inputs.iter().map(|v| words[v.index()] >> lane & 1 == 1).collect());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branching::testing::with_counter;
    use indubit_system::CtlBuilder;

    #[test]
    fn what_formulas_are_about() {
        let about = |formula: fn(&mut CtlBuilder<Lit>, CtlId) -> CtlId| {
            let mut found = None;
            with_counter(formula, |search, _| found = Some(search.about(search.ground.graph.formula.root())));
            found.unwrap()
        };
        assert_eq!(about(|b, a| b.not(a)), About::State);
        assert_eq!(about(|b, a| b.exists_next(a)), About::Steps);
        assert_eq!(about(|b, a| b.exists_finally(a)), About::Paths);
        assert_eq!(
            about(|b, a| {
                let can = b.exists_globally(a);
                b.exists_next(can)
            }),
            About::Paths
        );
    }

    #[test]
    fn paths_end_where_there_is_no_other_state() {
        with_counter(
            |b, a| b.exists_finally(a),
            |mut search, run| {
                let differs = search.ground.differs();
                for seed in 0..20 {
                    let mut rng = fastrand::Rng::with_seed(seed);
                    let (rows, last) =
                        search.ground.wander(&[false; 4], Lit::TRUE, differs, &mut rng, run).unwrap();
                    // Each of the twelve steps is the only one.
                    assert_eq!((rows.len(), &last[..]), (12, &[false, false, true, true][..]));
                    assert!(rows.iter().all(|row| row == &[true, false, true]));
                    // A set that is not left ends them sooner.
                    let stays = !Lit::positive(search.ground.circuit.latches[2].var);
                    let (rows, last) =
                        search.ground.wander(&[false; 4], stays, differs, &mut rng, run).unwrap();
                    assert_eq!((rows.len(), &last[..]), (4, &[false, false, true, false][..]));
                }
            },
        );
    }

    #[test]
    fn a_state_that_is_far_away_is_come_by() {
        with_counter(
            |b, a| b.exists_finally(a),
            |mut search, run| {
                let root = search.ground.graph.formula.root();
                let CtlNode::ExistsUntil(p, q) = search.ground.graph.formula.node(root) else {
                    panic!("it is EF")
                };
                let trace = search.stroll((p, q), &[false; 4], run).unwrap().expect("all paths come there");
                assert_eq!(trace.inputs.len(), 13);
            },
        );
    }
}
