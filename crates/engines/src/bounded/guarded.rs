//! Time frames in which every latch has a switch, so that a refutation tells which latches it needs.
//!
//! A state variable is a new leaf in each frame. It is tied to its initial value, or to what its next-state function was in the
//! frame before, by clauses that its selector guards:
//!
//! ```text
//! s_l → (x_{l,0} ↔ init_l)        s_l → (x_{l,k+1} ↔ next_{l,k})
//! ```
//!
//! With all selectors assumed the frames are those of the problem. A latch whose selector is off is free in all frames: these
//! are the frames of the abstraction M_a (`pba.rs`). The selectors among the failed assumptions of a refutation are its
//! V_a. A latch that is [kept](Guarded::keep) is there for good: its selector is asserted, and from the next frame on the
//! latch is substituted, as in [`BitFrames`](crate::BitFrames).

use super::{Answers, BoundedConfig, Cnf, Whole};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{Safety, Start, Trace, Unroller};

/// Frames from the initial states on, and a solver that knows what was asked about.
pub(crate) struct Guarded<'s> {
    safety: &'s Safety,
    unroller: Unroller,
    encoder: Cnf,
    solver: Whole,
    /// One a latch.
    latches: Vec<Guard>,
    /// For each node the latch whose leaf it is, and what ties it down.
    links: Vec<Option<Link>>,
    /// Nodes whose links, and those of what they depend on, the solver knows.
    is_linked: Vec<bool>,
    /// The selectors assumed in the last question, with their latches.
    assumed: Vec<(usize, Lit)>,
}

#[derive(Clone, Copy)]
struct Guard {
    selector: Lit,
    is_kept: bool,
    /// Does any clause mention the selector?
    is_used: bool,
}

/// In which order selectors are assumed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Forward,
    Backward,
}

#[derive(Clone, Copy)]
struct Link {
    latch: usize,
    value: Lit,
}

impl<'s> Guarded<'s> {
    /// No frames yet.
    pub(crate) fn new(safety: &'s Safety, config: BoundedConfig, run: &Run<'_>) -> Guarded<'s> {
        let mut unroller = Unroller::new(safety, Start::Initial).with_two_levels(config.two_level);
        let guard = |_| Guard { selector: unroller.aig_mut().leaf(), is_kept: false, is_used: false };
        Guarded {
            safety,
            latches: safety.latches.iter().map(guard).collect(),
            unroller,
            encoder: Cnf::new(config),
            solver: Whole::new(config, run),
            links: Vec::new(),
            is_linked: Vec::new(),
            assumed: Vec::new(),
        }
    }
    /// Add a time frame; returns its index.
    pub(crate) fn extend(&mut self) -> usize {
        let is_first = self.unroller.frames().is_empty();
        for (i, latch) in self.safety.latches.iter().enumerate() {
            // A free initial value is a leaf that nothing ties down.
            let is_free = is_first && latch.init.is_none();
            if !is_free && !self.latches[i].is_kept {
                let (leaf, value) = self.unroller.cut(i);
                self.links.resize(leaf.var().index() + 1, None);
                self.links[leaf.var().index()] = Some(Link { latch: i, value });
                self.encoder.expect(self.unroller.aig(), value);
            }
        }
        self.unroller.extend(self.safety);
        self.unroller.frames().len() - 1
    }
    /// "The constraints hold in frame `k`."
    pub(crate) fn constraint(&self, k: usize) -> Lit {
        self.unroller.frames()[k].constraint
    }
    /// "Frame `k` is bad."
    pub(crate) fn bad(&self, k: usize) -> Lit {
        self.unroller.frames()[k].bad
    }
    /// Both hold.
    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.unroller.aig_mut().and(a, b)
    }
    /// One of the two holds, or both.
    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.unroller.aig_mut().or(a, b)
    }
    /// Can `target` be true where the latches that `is_on` names, and those that are kept, do what they should, and all others
    /// what they like?
    pub(crate) fn solve(&mut self, target: Lit, is_on: impl Fn(usize) -> bool) -> Ask<bool> {
        self.ask(target, is_on, Order::Forward)
    }
    /// A refutation of `target` that needs no other latches than `core` (increasing) and those that are kept: the latches that it
    /// needs. A solver's core prefers assumptions that come early, so each order leaves out others.
    pub(crate) fn smaller_core(&mut self, target: Lit, core: &[usize], order: Order) -> Ask<Vec<usize>> {
        let found = self.ask(target, |i| core.binary_search(&i).is_ok(), order)?;
        debug_assert!(!found, "the core was enough");
        Ok(self.core())
    }
    fn ask(&mut self, target: Lit, is_on: impl Fn(usize) -> bool, order: Order) -> Ask<bool> {
        self.encode(target);
        let free = |&(_, guard): &(usize, &Guard)| guard.is_used && !guard.is_kept;
        let assumed = self.latches.iter().enumerate().filter(free).map(|(i, g)| (i, g.selector ^ !is_on(i)));
        self.assumed = match order {
            Order::Forward => assumed.collect(),
            Order::Backward => assumed.rev().collect(),
        };
        let assumed = std::iter::once(target).chain(self.assumed.iter().map(|a| a.1));
        let assumptions: Vec<(u32, Lit)> = assumed.map(|lit| (0, lit)).collect();
        self.solver.solve(&assumptions)
    }
    /// The latches that the last refutation needs beside those that are kept, increasing.
    pub(crate) fn core(&self) -> Vec<usize> {
        let needed = |&&(_, lit): &&(usize, Lit)| !lit.is_negated() && self.solver.failed(lit);
        let mut core: Vec<usize> = self.assumed.iter().filter(needed).map(|a| a.0).collect();
        core.sort_unstable();
        core
    }
    /// From now on this latch does what it should, in every question.
    pub(crate) fn keep(&mut self, latch: usize) {
        let guard = &mut self.latches[latch];
        if !std::mem::replace(&mut guard.is_kept, true) {
            self.solver.add_clause(0, &[guard.selector]);
        }
    }
    /// Assert `lit`: a constraint, or what follows from the latches that are kept.
    pub(crate) fn assert(&mut self, lit: Lit) {
        self.encode(lit);
        self.solver.add_clause(0, &[lit]);
    }
    /// The path through frames `0..=last` in the last model, after a question with all latches on.
    pub(crate) fn trace(&self, last: usize) -> Trace {
        let mut trace = self.unroller.trace(last, |leaf| self.solver.value(leaf));
        // A latch that the question did not depend on has any value in the model.
        for (value, latch) in trace.initial.iter_mut().zip(&self.safety.latches) {
            *value = latch.init.unwrap_or(*value);
        }
        trace
    }
    /// Tell the solver about the cone of `lit`, and about all that it is tied to in earlier frames.
    fn encode(&mut self, lit: Lit) {
        self.links.resize(self.unroller.aig().n_vars(), None);
        self.is_linked.resize(self.unroller.aig().n_vars(), false);
        let mut roots = vec![lit];
        while let Some(root) = roots.pop() {
            let (aig, solver) = (self.unroller.aig(), &mut self.solver);
            self.encoder.encode(aig, root, |clause| solver.add_clause(0, clause));
            let mut stack: Vec<Var> = vec![root.var()];
            while let Some(var) = stack.pop() {
                if std::mem::replace(&mut self.is_linked[var.index()], true) {
                    continue;
                }
                stack.extend(aig.fanins(var).into_iter().flatten().map(|l| l.var()));
                if let Some(Link { latch, value }) = self.links[var.index()] {
                    let guard = &mut self.latches[latch];
                    guard.is_used = true;
                    let (off, leaf) = (!guard.selector, Lit::positive(var));
                    solver.add_clause(0, &[off, !leaf, value]);
                    solver.add_clause(0, &[off, leaf, !value]);
                    roots.push(value);
                }
            }
        }
    }
    /// Tell the observer what this took.
    pub(crate) fn report(&self, run: &mut Run<'_>) {
        run.count("nodes of the unrolling", self.unroller.aig().n_vars() as u64);
        run.count("conflicts in the unrolling", self.solver.counts().conflicts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::Cancel;
    use indubit_system::StateVar;

    /// A token goes round `a → b → a`, and `c` reads an input; bad if `a` and `b` are set (or not, after three
    /// steps, if `c` is).
    fn token() -> Safety {
        let mut safety = Safety::default();
        let [a, b, c, i] = [(); 4].map(|()| safety.aig.leaf());
        for (var, next, init) in [(a, b, Some(true)), (b, a, Some(false)), (c, i, None)] {
            safety.latches.push(StateVar { var: var.var(), next, init });
        }
        safety.inputs.push(i.var());
        let both = safety.aig.and(a, b);
        let any = safety.aig.or(c, !i);
        safety.bad = safety.aig.and(both, any);
        safety
    }

    #[test]
    fn the_core_has_the_latches_that_matter() {
        let safety = token();
        let run = Run::new(Cancel::new());
        for gates in [false, true] {
            let config = BoundedConfig { gates, ..BoundedConfig::default() };
            let mut frames = Guarded::new(&safety, config, &run);
            for k in 0..4 {
                assert_eq!(frames.extend(), k);
                let bad = frames.bad(k);
                // Free latches can be bad at once; `b` alone can from the second step on.
                assert_eq!(frames.solve(bad, |_| false), Ok(k != 0 || !frames.latches[1].is_kept));
                assert_eq!(frames.solve(bad, |i| i == 1), Ok(k != 0));
                assert_eq!(frames.solve(bad, |_| true), Ok(false));
                let core = frames.core();
                assert!(!core.is_empty() && !core.contains(&2), "{core:?}");
            }
            frames.keep(0);
            frames.keep(1);
            let bad = frames.bad(3);
            assert_eq!(frames.solve(bad, |_| false), Ok(false));
            assert_eq!(frames.core(), []);
            // Kept latches are substituted: nothing is left of them.
            let k = frames.extend();
            assert_eq!(frames.solve(frames.bad(k), |_| false), Ok(false));
        }
    }

    #[test]
    fn with_all_latches_on_a_model_is_a_trace() {
        let mut safety = token();
        safety.bad = Lit::positive(safety.latches[1].var);
        let run = Run::new(Cancel::new());
        let mut frames = Guarded::new(&safety, BoundedConfig::default(), &run);
        let k = [(); 2].map(|()| frames.extend())[1];
        assert_eq!(frames.solve(frames.bad(k), |_| true), Ok(true));
        let trace = frames.trace(k);
        assert_eq!((&trace.initial[..2], trace.len()), (&[true, false][..], 1));
    }
}
