//! Which formulas are inductive, and relative to which?

use super::cycles::components;
use super::queries::{Moments, Queries};
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
        let is_proved = |s: &&mut Standing<_>| matches!(s, Standing::Proved(_) | Standing::Unknown(_));
        self.standings.iter_mut().filter(is_proved).for_each(|s| *s = Standing::Unknown(stop));
    }

    /// Prove as many of the lemmas as can be.
    pub fn prove_lemmas(&mut self) -> Ask<()> {
        let queries = &mut self.queries;
        let mut proved: Vec<usize> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut alone: Vec<Option<M::Trace>> = Vec::new();
        // In their order: φᵢ relative to what was proved among φ₁ … φᵢ₋₁.
        for i in 0..self.standings.len() {
            if queries.is_trivial(i) {
                self.standings[i] = Standing::Trivial;
            } else if let Some(trace) = queries.initiation(i)? {
                self.standings[i] = Standing::FalseInitially(trace);
            } else if let Some(cti) = queries.consecution(i, &proved)? {
                open.push(i);
                alone.push((alone.len() < MOST_ALONE).then_some(cti));
            } else {
                let relative_to = queries.core(i, proved.clone())?;
                let support = Support { relative_to, together_with: Vec::new(), alone: None };
                self.standings[i] = Standing::Proved(support);
                proved.push(i);
            }
        }
        // All at once.
        let together = queries.max_inductive_subset(open.clone(), &proved)?;
        let all: Vec<usize> = proved.iter().chain(&together).copied().collect();
        let cores: Ask<Vec<Vec<usize>>> = together.iter().map(|&i| queries.core(i, all.clone())).collect();
        let mut cores = cores?;
        // Those that need each other, through whatever others, are proved together.
        let position = |i: &usize| together.binary_search(i).ok();
        let edges: Vec<Vec<usize>> =
            cores.iter().map(|core| core.iter().filter_map(position).collect()).collect();
        let components = components(&edges);
        for (i, alone) in open.into_iter().zip(alone) {
            self.standings[i] = match together.binary_search(&i) {
                Ok(at) => {
                    let needs_it_too =
                        |j: &usize| position(j).is_some_and(|j| components[j] == components[at]);
                    let (together_with, relative_to) =
                        std::mem::take(&mut cores[at]).into_iter().partition(needs_it_too);
                    Standing::Proved(Support { relative_to, together_with, alone })
                }
                Err(_) => match queries.consecution(i, &all)? {
                    Some(cti) => Standing::NotInductive(cti),
                    None => unreachable!("it would be in the largest inductive subset"),
                },
            };
        }
        Ok(())
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
