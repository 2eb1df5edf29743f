//! Reset functions: their order of evaluation, and the initial state.

use crate::BitSystem;
use indubit_aig::simulate;
use indubit_logic::{Lit, Var};
use std::fmt;

/// A reset function depends on itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclicReset {
    /// The index of a latch on the cycle.
    pub latch: usize,
}

impl fmt::Display for CyclicReset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the reset function of latch {} depends on itself", self.latch)
    }
}

impl std::error::Error for CyclicReset {}

/// How far the depth-first search is with a node; the open ones are the path from its root.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// An order in which latches with reset functions and the gates below them can be evaluated.
///
/// The dependency graph has the fanins of gates and, for latches, the edge to their reset.
#[derive(Clone, Debug)]
pub struct ResetOrder {
    order: Vec<Var>,
}

impl ResetOrder {
    /// The order for `system`, or the latch at which a cycle closes.
    pub fn new(system: &BitSystem) -> Result<ResetOrder, CyclicReset> {
        let mut order = Vec::new();
        if !system.latches().iter().any(|l| l.has_reset_function()) {
            return Ok(ResetOrder { order });
        }
        let aig = system.aig();
        let mut latch_of = vec![u32::MAX; aig.n_vars()];
        for (i, latch) in system.latches().iter().enumerate() {
            latch_of[latch.var.index()] = i as u32;
        }
        let mut marks = vec![Mark::New; aig.n_vars()];
        let mut stack = Vec::new();
        for latch in system.latches().iter().filter(|l| l.has_reset_function()) {
            stack.push(latch.var);
            while let Some(&var) = stack.last() {
                let fanins = match (aig.fanins(var), latch_of[var.index()]) {
                    (Some([a, b]), _) => [Some(a), Some(b)],
                    (None, u32::MAX) => [None, None],
                    (None, i) => {
                        let latch = &system.latches()[i as usize];
                        [latch.has_reset_function().then_some(latch.reset), None]
                    }
                };
                match marks[var.index()] {
                    Mark::Done => {
                        stack.pop();
                    }
                    Mark::Open => {
                        marks[var.index()] = Mark::Done;
                        order.push(var);
                        stack.pop();
                    }
                    Mark::New => {
                        marks[var.index()] = Mark::Open;
                        for fanin in fanins.into_iter().flatten().map(Lit::var) {
                            match marks[fanin.index()] {
                                Mark::New => stack.push(fanin),
                                Mark::Open => return Err(cycle(&latch_of, &marks, &stack, fanin)),
                                Mark::Done => (),
                            }
                        }
                    }
                }
            }
        }
        Ok(ResetOrder { order })
    }

    /// The initial state for given inputs of the first step; `free` chooses for uninitialised latches.
    pub fn initial_state(
        &self,
        system: &BitSystem,
        inputs: &[bool],
        free: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let constant_or_free = |(i, l): (usize, &crate::Latch)| match l.reset {
            Lit::FALSE => false,
            Lit::TRUE => true,
            _ if l.is_uninitialised() => free(i),
            _ => false,
        };
        let mut state: Vec<bool> = system.latches().iter().enumerate().map(constant_or_free).collect();
        if self.order.is_empty() {
            return state;
        }
        let mut values = vec![false; system.aig().n_vars()];
        for (input, &value) in system.inputs().iter().zip(inputs) {
            values[input.lit.var().index()] = value;
        }
        for (latch, &value) in system.latches().iter().zip(&state) {
            values[latch.var.index()] = value;
        }
        for &var in &self.order {
            if let Some([a, b]) = system.aig().fanins(var) {
                values[var.index()] = simulate::value(&values, a) & simulate::value(&values, b);
            } else if let Ok(i) = system.latches().binary_search_by_key(&var, |l| l.var)
                && system.latches()[i].has_reset_function()
            {
                state[i] = simulate::value(&values, system.latches()[i].reset);
                values[var.index()] = state[i];
            }
        }
        state
    }
}

/// A latch on the cycle that closes at `back`: the open nodes on the stack from there upward. There is one,
/// because gates alone are acyclic.
fn cycle(latch_of: &[u32], marks: &[Mark], stack: &[Var], back: Var) -> CyclicReset {
    // A node may wait further down as well; the open occurrence is the last one.
    let from = stack.iter().rposition(|&v| v == back).unwrap_or(0);
    let open = stack[from..].iter().filter(|v| marks[v.index()] == Mark::Open);
    let latch = open.map(|v| latch_of[v.index()]).find(|&i| i != u32::MAX);
    CyclicReset { latch: latch.unwrap_or(0) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resets_chain_through_latches_gates_and_inputs() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let a = system.add_latch("a", None);
        let b = system.add_latch("b", Some(true));
        let c = system.add_latch("c", None);
        let d = system.add_latch("d", None);
        let g = system.aig_mut().and(i, !d);
        system.set_reset(c, g);
        let not_b = !b;
        system.set_reset(d, not_b);
        let order = ResetOrder::new(&system).unwrap();
        assert_eq!(order.initial_state(&system, &[true], |_| true), [true, true, true, false]);
        assert_eq!(order.initial_state(&system, &[false], |_| false), [false, true, false, false]);
        let _ = a;
    }

    #[test]
    fn cycles_are_found() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let a = system.add_latch("a", None);
        let b = system.add_latch("b", None);
        let g = system.aig_mut().and(i, b);
        system.set_reset(a, g);
        let not_a = !a;
        system.set_reset(b, not_a);
        assert!(ResetOrder::new(&system).is_err());
        // A latch reset to its own complement is a cycle too.
        let mut system = BitSystem::new();
        let a = system.add_latch("a", None);
        system.set_reset(a, !a);
        assert_eq!(ResetOrder::new(&system).unwrap_err(), CyclicReset { latch: 0 });
    }

    #[test]
    fn the_latch_named_is_on_the_cycle() {
        // Latch 0 and latch 1 only lead to the cycle of latch 2 and the gate y, which also waits as a fanin of x.
        let mut system = BitSystem::new();
        let latches = [(); 3].map(|()| system.add_latch("", None));
        let aig = system.aig_mut();
        let y = aig.raw_and(latches[2], latches[2]);
        let z = aig.raw_and(latches[1], latches[1]);
        let x = aig.raw_and(y, z);
        system.set_reset(latches[0], x);
        system.set_reset(latches[1], y);
        system.set_reset(latches[2], y);
        assert_eq!(ResetOrder::new(&system).unwrap_err(), CyclicReset { latch: 2 });
    }

    #[test]
    fn shared_fanins_are_not_cycles() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let a = system.add_latch("a", None);
        let b = system.add_latch("b", None);
        let aig = system.aig_mut();
        let x = aig.xor(i, b);
        let y = aig.and(x, i);
        let z = aig.and(!x, y);
        system.set_reset(a, z);
        assert!(ResetOrder::new(&system).is_ok());
    }
}
