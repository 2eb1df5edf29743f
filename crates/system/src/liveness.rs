//! What an engine for liveness works on.

use crate::Safety;
use indubit_logic::Lit;

/// One liveness question: is there an infinite run, with all constraints true in every step, that sees each of the signals
/// infinitely often?
///
/// It is a circuit in which nothing is bad, and whose other roots are the signals. So what the passes of preprocessing do to safety problems
/// they do to liveness problems, too: each keeps the value of every root in every step of every run.
#[derive(Clone, Debug)]
pub struct Liveness {
    circuit: Safety,
}

impl Liveness {
    /// The question whether a run sees each signal in `circuit.also` infinitely often. At least one is there: a run that nothing is asked
    /// of sees *true* infinitely often.
    pub fn new(mut circuit: Safety) -> Liveness {
        debug_assert_eq!(circuit.bad, Lit::FALSE, "nothing is bad where something must happen");
        if circuit.also.is_empty() {
            circuit.also.push(Lit::TRUE);
        }
        Liveness { circuit }
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
