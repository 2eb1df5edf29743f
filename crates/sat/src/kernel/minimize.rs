//! Minimisation: literals of a learnt clause that follow from the others are dropped (Sörensson, Biere, SAT 2009).

use super::Kernel;
use super::analyze::Seen;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::Var;

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Drop literals of the learnt clause that follow from the others.
    pub(super) fn minimize(&mut self) {
        let mut kept = 1;
        let mut derived = std::mem::take(&mut self.scratch.derived);
        for i in 1..self.scratch.learnt.len() {
            let lit = self.scratch.learnt[i];
            if !self.is_redundant(lit.var(), &mut derived) {
                self.scratch.learnt[kept] = lit;
                kept += 1;
            }
        }
        self.scratch.learnt.truncate(kept);
        if P::RECORDS {
            self.derive_first(&mut derived);
        }
        self.scratch.derived = derived;
    }

    /// Does the assignment of `root` follow from other literals of the clause? Depth first, without recursion:
    /// each entry of the stack is a variable and how many literals of its reason have been looked at.
    fn is_redundant(&mut self, root: Var, derived: &mut Vec<Var>) -> bool {
        // A decision follows from nothing.
        if self.trail.reason(root) == ClauseRef::NONE {
            return false;
        }
        let mut stack = std::mem::take(&mut self.scratch.stack);
        stack.push((root, 0));
        while let Some(&(var, looked_at)) = stack.last() {
            let reason = self.reason_of(var);
            self.counts.ticks += 1;
            let Kernel { clauses, scratch, trail, .. } = self;
            let lits = clauses.arena.lits(reason);
            // The next literal of the reason that is not known to follow from the clause. Facts follow from anything.
            let next = (looked_at..lits.len()).find(|&i| {
                let v = lits[i].var();
                let known = matches!(scratch.seen(v), Seen::Source | Seen::Removable);
                v != var && !known && trail.level_of(v) > 0
            });
            let Some(i) = next else {
                // All do, and so does `var`. The root has a mark, as a literal of the clause, and keeps it.
                if P::RECORDS {
                    derived.push(var);
                }
                stack.pop();
                if var != root {
                    scratch.mark(var, Seen::Removable);
                }
                continue;
            };
            let v = lits[i].var();
            // It does not: then nothing on the stack can be shown to follow, now or for other literals of the clause.
            if scratch.seen(v) == Seen::Failed || trail.reason(v) == ClauseRef::NONE {
                for (failed, _) in stack.drain(..).filter(|&(f, _)| f != root) {
                    scratch.mark(failed, Seen::Failed);
                }
                scratch.stack = stack;
                return false;
            }
            // Not known yet: look at its reason first.
            stack.last_mut().expect("looked at above").1 = i + 1;
            stack.push((v, 0));
        }
        self.scratch.stack = stack;
        true
    }

    /// Facts come first in the chain, then what was dropped and what that took, in the order in which it was
    /// assigned, then the literals of the conflict's level.
    fn derive_first(&mut self, derived: &mut Vec<Var>) {
        let Kernel { clauses, scratch, trail, proof, .. } = self;
        derived.sort_unstable_by_key(|&v| proof.position(v));
        let mut chain = std::mem::take(&mut scratch.facts);
        for var in derived.drain(..) {
            let reason = trail.reason(var);
            for lit in clauses.arena.lits(reason) {
                let fact = lit.var();
                // Facts that are in the chain already have a mark.
                if trail.level_of(fact) == 0 && scratch.seen(fact) == Seen::No {
                    scratch.mark(fact, Seen::Failed);
                    chain.push(proof.unit(fact));
                }
            }
            chain.push(clauses.arena.name(reason));
        }
        chain.append(&mut scratch.chain);
        scratch.chain = chain;
    }
}
