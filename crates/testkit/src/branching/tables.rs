//! Sets of states as gates.

use super::Set;
use indubit_logic::{Lit, Var};
use indubit_system::Invariant;
use std::collections::HashMap;

/// Makes gates of sets: as multiplexers over the bits of a state, each once.
pub(super) struct Tables<'t> {
    bits: &'t [Var],
    pub with: &'t mut Invariant,
    known: HashMap<Set, Lit>,
}

impl<'t> Tables<'t> {
    /// The first bit of a state is the lowest one of its number.
    pub fn new(bits: &'t [Var], with: &'t mut Invariant) -> Tables<'t> {
        Tables { bits, with, known: HashMap::new() }
    }
    /// The gate that is true in these states.
    pub fn set(&mut self, set: &[bool]) -> Lit {
        if set.iter().all(|&member| member == set[0]) {
            return Lit::constant(set[0]);
        }
        if let Some(&lit) = self.known.get(set) {
            return lit;
        }
        // A set that does not depend on a bit has equal halves, and is as large as they are.
        let (low, high) = set.split_at(set.len() / 2);
        let bit = Lit::positive(self.bits[set.len().ilog2() as usize - 1]);
        let (low, high) = (self.set(low), self.set(high));
        let mut lit = low;
        if low != high {
            let (above, below) = (self.and(bit, high), self.and(!bit, low));
            lit = !self.and(!above, !below);
        }
        self.known.insert(set.to_vec(), lit);
        lit
    }
    /// The gates for the digits of a number that depends on the state, the least significant first.
    pub fn number(&mut self, n_digits: u32, numbers: &[u32]) -> Vec<Lit> {
        let digit = |i: u32| -> Set { numbers.iter().map(|number| number >> i & 1 == 1).collect() };
        (0..n_digits).map(|i| self.set(&digit(i))).collect()
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            _ => self.with.and(a, b),
        }
    }
}
