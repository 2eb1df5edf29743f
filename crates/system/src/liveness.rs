//! What an engine for liveness works on.

use crate::Safety;
use indubit_logic::Lit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Something that is so from some step on in each run that could be a counterexample, if the facts before it are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// It is so where all of these literals are true, which rest.
    pub under: Vec<Lit>,
    /// The literal of the state that it is about: there, once true, it stays true.
    pub lit: Lit,
    /// There it is true, since the signal with this number is seen nowhere else.
    pub is_for: Option<usize>,
}

impl Fact {
    /// This literal, once true, stays true.
    pub fn rests(lit: Lit) -> Fact {
        Fact { under: Vec::new(), lit, is_for: None }
    }
    /// This literal, which rests, is true: the signal with this number is seen nowhere else.
    pub fn is(lit: Lit, signal: usize) -> Fact {
        Fact { is_for: Some(signal), ..Fact::rests(lit) }
    }
}

/// A place for the facts about a problem: whoever looks for them first finds them for all who work on it.
#[derive(Clone, Debug, Default)]
pub struct SharedFacts(Arc<(OnceLock<Vec<Fact>>, AtomicBool)>);

/// The task to find the facts, which one has at a time.
#[derive(Debug)]
pub struct Finder<'s>(&'s SharedFacts);

impl SharedFacts {
    /// The facts, once somebody has found them.
    pub fn get(&self) -> Option<&[Fact]> {
        self.0.0.get().map(Vec::as_slice)
    }
    /// The task to find them, unless somebody else has it.
    pub fn find(&self) -> Option<Finder<'_>> {
        let is_free = !self.0.1.swap(true, Ordering::AcqRel);
        is_free.then_some(Finder(self))
    }
}

impl Finder<'_> {
    /// These are the facts.
    pub fn tell(self, found: Vec<Fact>) {
        // One has the task at a time, and who has told it once finds the facts there.
        let _ = self.0.0.0.set(found);
    }
}

impl Drop for Finder<'_> {
    /// Whoever gives up leaves the task to others.
    fn drop(&mut self) {
        self.0.0.1.store(false, Ordering::Release);
    }
}

/// One liveness question: is there an infinite run, with all constraints true in every step, that sees each of the signals
/// infinitely often?
///
/// It is a circuit in which nothing is bad, and whose other roots are the signals. So what the passes of preprocessing do to safety problems
/// they do to liveness problems, too: each keeps the value of every root in every step of every run.
#[derive(Clone, Debug)]
pub struct Liveness {
    circuit: Safety,
    facts: SharedFacts,
}

impl Liveness {
    /// The question whether a run sees each signal in `circuit.also` infinitely often. At least one is there: a run that nothing is asked
    /// of sees *true* infinitely often.
    pub fn new(mut circuit: Safety) -> Liveness {
        debug_assert_eq!(circuit.bad, Lit::FALSE, "nothing is bad where something must happen");
        if circuit.also.is_empty() {
            circuit.also.push(Lit::TRUE);
        }
        Liveness { circuit, facts: SharedFacts::default() }
    }
    /// The same question, whose facts are for others, too.
    pub fn sharing(self, facts: SharedFacts) -> Liveness {
        Liveness { facts, ..self }
    }
    /// The place for its facts.
    pub fn facts(&self) -> &SharedFacts {
        &self.facts
    }
    /// The circuit, in which nothing is bad.
    pub fn circuit(&self) -> &Safety {
        &self.circuit
    }
    /// What a run would have to see infinitely often: one signal or more.
    pub fn signals(&self) -> &[Lit] {
        &self.circuit.also
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_looked_for_by_one_at_a_time() {
        let facts = SharedFacts::default();
        let task = facts.find().expect("nobody looks for them");
        assert!(facts.find().is_none());
        drop(task);
        let task = facts.find().expect("whoever had the task has given up");
        task.tell(vec![Fact::rests(Lit::TRUE)]);
        assert_eq!(facts.get(), Some(&[Fact::rests(Lit::TRUE)][..]));
    }
}
