//! Which formulas are inductive, and relative to which?

use super::cycles::components;
use super::moments::Moments;
use super::queries::Queries;
use super::{Standing, Support};
use indubit_run::{Ask, Stop};

/// Of so many lemmas that are inductive only together, it is kept why they are not alone.
const MOST_ALONE: usize = 100;

/// Lemmas, by their position, and what is known about each.
pub(super) struct Induction<M: Moments> {
    pub queries: Queries<M>,
    pub standings: Vec<Standing<M::Trace>>,
}

/// Why a formula is inductive.
pub(super) struct Strengthening<T> {
    /// It is so together with these lemmas.
    pub with: Vec<usize>,
    /// What it needs of them.
    pub support: Support<T>,
}

impl<M: Moments> Induction<M> {
    /// The formulas that `queries` has are the lemmas.
    pub fn new(queries: Queries<M>) -> Induction<M> {
        let standings = (0..queries.len()).map(|_| Standing::Unknown(Stop::Cancelled)).collect();
        Induction { queries, standings }
    }

    /// The lemmas that are proved.
    pub fn proved(&self) -> Vec<usize> {
        let is_proved = |&i: &usize| matches!(self.standings[i], Standing::Proved(_));
        (0..self.standings.len()).filter(is_proved).collect()
    }

    /// What has not been checked is not known.
    pub fn forget_proofs(&mut self, stop: Stop) {
        let is_open =
            |s: &&mut Standing<_>| matches!(s, Standing::Proved(_) | Standing::Unknown(Stop::Cancelled));
        self.standings.iter_mut().filter(is_open).for_each(|s| *s = Standing::Unknown(stop));
    }

    /// Prove as many of the lemmas as can be.
    pub fn prove_lemmas(&mut self) -> Ask<()> {
        let mut proved: Vec<usize> = Vec::new();
        let mut open: Vec<(usize, Option<M::Trace>)> = Vec::new();
        // In their order: φᵢ relative to what was proved among φ₁ … φᵢ₋₁.
        for i in 0..self.standings.len() {
            let standing = decided(self.alone(i, &proved))?;
            match standing {
                Standing::NotInductive(cti) => {
                    let is_kept = open.len() < MOST_ALONE;
                    open.push((i, is_kept.then_some(cti)));
                    continue;
                }
                Standing::Proved(_) => proved.push(i),
                _ => (),
            }
            self.standings[i] = standing;
        }
        // All at once.
        let candidates: Vec<usize> = open.iter().map(|&(i, _)| i).collect();
        let together = match self.queries.max_inductive_subset(candidates, &proved) {
            Err(stop @ Stop::Incomplete(_)) => {
                open.iter().for_each(|&(i, _)| self.standings[i] = Standing::Unknown(stop));
                return Ok(());
            }
            together => together?,
        };
        let all: Vec<usize> = proved.iter().chain(&together).copied().collect();
        let cores: Ask<Vec<Vec<usize>>> =
            together.iter().map(|&i| self.queries.core(i, all.clone())).collect();
        let mut cores = match cores {
            // Whatever it is that they need, they are inductive.
            Err(Stop::Incomplete(_)) => {
                together.iter().map(|i| all.iter().copied().filter(|j| j != i).collect()).collect()
            }
            cores => cores?,
        };
        // Those that need each other, through whatever others, are proved together.
        let position = |i: &usize| together.binary_search(i).ok();
        let edges: Vec<Vec<usize>> =
            cores.iter().map(|core| core.iter().filter_map(position).collect()).collect();
        let components = components(&edges);
        for (i, alone) in open {
            self.standings[i] = match position(&i) {
                Some(at) => {
                    let needs_it_too =
                        |j: &usize| position(j).is_some_and(|j| components[j] == components[at]);
                    let (together_with, relative_to) =
                        std::mem::take(&mut cores[at]).into_iter().partition(needs_it_too);
                    Standing::Proved(Support { relative_to, together_with, alone })
                }
                None => decided(self.alone(i, &all))?,
            };
        }
        Ok(())
    }

    /// What is to be said of a lemma after those that are `proved`.
    fn alone(&mut self, i: usize, proved: &[usize]) -> Ask<Standing<M::Trace>> {
        let queries = &mut self.queries;
        if queries.is_trivial(i) {
            return Ok(Standing::Trivial);
        }
        if let Some(trace) = queries.initiation(i)? {
            return Ok(Standing::FalseInitially(trace));
        }
        if let Some(cti) = queries.consecution(i, proved)? {
            return Ok(Standing::NotInductive(cti));
        }
        let relative_to = queries.core(i, proved.to_vec())?;
        Ok(Standing::Proved(Support { relative_to, together_with: Vec::new(), alone: None }))
    }

    /// Is a formula inductive that holds initially?
    pub fn decide(&mut self, p: usize) -> Ask<Option<Strengthening<M::Trace>>> {
        let proved = self.proved();
        let cti = match self.queries.relative(p, proved.clone())? {
            Ok(support) => return Ok(Some(Strengthening { with: proved, support })),
            Err(cti) => cti,
        };
        // Some that are not inductive may be so together with it.
        let is_open = |&i: &usize| matches!(self.standings[i], Standing::NotInductive(_));
        let mut candidates: Vec<usize> = (0..self.standings.len()).filter(is_open).collect();
        candidates.push(p);
        let mut together = self.queries.max_inductive_subset(candidates, &proved)?;
        if together.pop_if(|last| *last == p).is_none() {
            return Ok(None);
        }
        let all: Vec<usize> = proved.iter().chain(&together).copied().collect();
        let relative_to = self.queries.core(p, all)?.into_iter().filter(|j| proved.contains(j)).collect();
        let mut with = proved;
        with.extend(&together);
        with.sort_unstable();
        let support = Support { relative_to, together_with: together, alone: Some(cti) };
        Ok(Some(Strengthening { with, support }))
    }
}

/// What is too much for the solver is no reason to give up the other lemmas.
fn decided<T>(standing: Ask<Standing<T>>) -> Ask<Standing<T>> {
    match standing {
        Err(stop @ Stop::Incomplete(_)) => Ok(Standing::Unknown(stop)),
        standing => standing,
    }
}

#[cfg(test)]
mod tests {
    use super::super::queries::Formula;
    use super::*;
    use indubit_logic::{Lit, Var};

    /// A solver that refutes everything, and gives up where it meets a literal.
    struct Refuting(Lit);

    impl Moments for Refuting {
        type Trace = ();
        fn solve(&mut self, lits: &[Lit]) -> Ask<bool> {
            if lits.contains(&self.0) { Err(Stop::Incomplete("too hard")) } else { Ok(false) }
        }
        fn solve_with(&mut self, _: &[Lit], lits: &[Lit]) -> Ask<bool> {
            self.solve(lits)
        }
        fn failed(&self, _: Lit) -> bool {
            false
        }
        fn is_true(&self, _: Lit) -> bool {
            false
        }
        fn trace(&self) {}
    }

    #[test]
    fn a_lemma_that_is_too_hard_leaves_the_others_alone() {
        let lits: Vec<Lit> = (1..4).map(|i| Lit::positive(Var::from_index(i))).collect();
        let mut queries = Queries::new(Refuting(!lits[1]), Refuting(lits[1]));
        lits.iter().for_each(|&lit| {
            queries.push(Formula { initially: lit, now: lit, next: lit });
        });
        let mut induction = Induction::new(queries);
        assert_eq!(induction.prove_lemmas(), Ok(()));
        assert_eq!(induction.proved(), [0, 2]);
        assert_eq!(induction.standings[1], Standing::Unknown(Stop::Incomplete("too hard")));
        induction.forget_proofs(Stop::TimeLimit);
        let unknown = |stop| Standing::Unknown(stop);
        assert_eq!(
            induction.standings,
            [unknown(Stop::TimeLimit), unknown(Stop::Incomplete("too hard")), unknown(Stop::TimeLimit)]
        );
    }
}
