//! Formulas about a step, with next values, as formulas about the state after it.

use crate::{Ltl, LtlBuilder, WordSystem};
use indubit_term::{Sort, Term};
use rustc_hash::FxHashSet;

impl WordSystem {
    /// A new variable that says in the next state whether a formula about the step held; in the first state it is true.
    ///
    /// ```
    /// use indubit_system::WordSystem;
    /// use indubit_term::Sort;
    /// let mut system = WordSystem::new();
    /// let x = system.add_state("x", Sort::Int);
    /// let grows = system.terms.lt(x.current, x.next);
    /// let grew = system.remember_step(grows);
    /// assert_eq!(system.terms.name(grew), Some(".step1"));
    /// ```
    pub fn remember_step(&mut self, formula: Term) -> Term {
        let name = format!(".step{}", self.states.len());
        let memory = self.add_state(&name, Sort::Bool);
        self.init = self.terms.and(&[self.init, memory.current]);
        let kept = self.terms.eq(memory.next, formula);
        self.trans = self.terms.and(&[self.trans, kept]);
        memory.current
    }
    /// The same formula over states and inputs: an atom about a step, with next values, is one about the next state, in which it is remembered.
    pub fn about_states(&mut self, formula: &Ltl<Term>) -> Ltl<Term> {
        let nexts: FxHashSet<Term> = self.states.iter().map(|v| v.next).collect();
        let is_step = |terms: &indubit_term::Terms, atom: Term| {
            terms.variables(&[atom]).iter().any(|variable| nexts.contains(variable))
        };
        if !formula.atoms().iter().any(|&atom| is_step(&self.terms, atom)) {
            return formula.clone();
        }
        let mut builder = LtlBuilder::new();
        let root = builder.add(formula, |builder, &atom| {
            if !is_step(&self.terms, atom) {
                return builder.atom(atom);
            }
            let memory = self.remember_step(atom);
            let memory = builder.atom(memory);
            builder.next(memory)
        });
        builder.finish(root)
    }
}
