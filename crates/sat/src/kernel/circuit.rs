//! And-gates, propagated as gates and not as clauses.
//!
//! The three clauses of a gate are in the arena, one after the other, so that each can be the reason of an assignment or
//! a conflict like any other. They are in no watch list: a gate knows its fanins, and the gates that a variable
//! feeds are a list through the gates themselves. That is a quarter of the memory that watches take, nothing is
//! written to it, and IC3 has a copy in each of its frames.

use super::Kernel;
use super::arena::{Arena, ClauseRef};
use super::policy::{Domain, ProofSink};
use super::table::Table;
use super::theory::Theory;
use super::trail::{OUTSIDE, Trail};
use indubit_logic::{Lit, Var};

const NONE: u32 = u32::MAX;
/// In place of the fanins of a leaf.
const LEAF: [Lit; 2] = [Lit::positive(Var::MAX); 2];

/// Where the clauses of a gate `g = a ∧ b` are, from the first: `¬g ∨ a`, `¬g ∨ b`, `g ∨ ¬a ∨ ¬b`. A header comes before
/// the literals of each.
const IMPLIES: [u32; 2] = [0, 3];
const IMPLIED: u32 = 6;

#[derive(Clone, Copy, Debug)]
struct Gate {
    fanins: [Lit; 2],
    /// For each fanin, the next place that the same variable feeds.
    next: [u32; 2],
    /// The first clause.
    clauses: ClauseRef,
}

/// All gates. A *place* is twice a gate, plus the position of the fanin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuit {
    /// By variable.
    gates: Table<Gate>,
    /// By variable, the first place that it feeds.
    heads: Table<u32>,
    pub(super) n_gates: usize,
}

impl Circuit {
    pub(super) fn grow(&mut self, n_vars: usize) {
        self.gates.resize(n_vars, Gate { fanins: LEAF, next: [NONE; 2], clauses: ClauseRef::NONE });
        self.heads.resize(n_vars, NONE);
    }
    /// The fanins of a gate.
    pub(super) fn fanins(&self, var: Var) -> Option<[Lit; 2]> {
        Some(self.gates[var.index()].fanins).filter(|&fanins| fanins != LEAF)
    }
    /// The gates that a variable feeds, each with its other fanin.
    pub(super) fn fanouts(&self, var: Var) -> impl Iterator<Item = (Var, Lit)> {
        let mut place = self.heads[var.index()];
        std::iter::from_fn(move || {
            let gate = Var::new((place != NONE).then_some(place >> 1)?);
            let Gate { fanins, next, .. } = self.gates[gate.index()];
            let position = (place & 1) as usize;
            place = next[position];
            Some((gate, fanins[1 - position]))
        })
    }
    /// Move all clauses to another arena. They are the first to go, so that those of a gate stay together.
    pub(super) fn relocate(&mut self, from: &mut Arena, to: &mut Arena) {
        for gate in self.gates.iter_mut().filter(|gate| gate.clauses != ClauseRef::NONE) {
            let first = from.relocate(gate.clauses, to);
            for offset in [IMPLIES[1], IMPLIED] {
                from.relocate(gate.clauses.after(offset), to);
            }
            gate.clauses = first;
        }
    }
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// `gate` is the conjunction of its fanins. Only between queries, once for a gate; later definitions are
    /// clauses like others.
    pub(crate) fn define_and(&mut self, gate: Var, fanins: [Lit; 2]) {
        let output = Lit::positive(gate);
        let [a, b] = fanins;
        self.require(&[output, a, b]);
        let clauses = [&[!output, a][..], &[!output, b], &[output, !a, !b]];
        if self.circuit.fanins(gate).is_some() {
            for clause in clauses {
                self.add_clause(clause);
            }
            return;
        }
        let references = clauses.map(|clause| self.clauses.arena.alloc(clause, None, 0));
        debug_assert_eq!(references[2], references[0].after(IMPLIED));
        let Circuit { gates, heads, n_gates } = &mut self.circuit;
        let place = |position| gate.index() as u32 * 2 + position;
        let first = std::mem::replace(&mut heads[a.var().index()], place(0));
        gates[gate.index()].next[0] = first;
        let second = std::mem::replace(&mut heads[b.var().index()], place(1));
        let Gate { next, .. } = gates[gate.index()];
        gates[gate.index()] = Gate { fanins, next: [next[0], second], clauses: references[0] };
        *n_gates += 1;
        for clause in references {
            self.enforce(clause);
        }
        self.defined(gate);
    }

    /// A clause that nobody watches yet may follow at level 0 already.
    fn enforce(&mut self, clause: ClauseRef) {
        let lits = self.clauses.arena.lits(clause);
        // True already, or no answer but no is left.
        if self.refutation.inconsistent || lits.iter().any(|&l| self.trail.value(l) > 0) {
            return;
        }
        let mut open = lits.iter().copied().filter(|&l| self.trail.value(l) == 0);
        match (open.next(), open.next()) {
            (None, _) => self.refute_for_good(clause),
            (Some(unit), None) => {
                self.assign(unit, clause);
                if let Some(conflict) = self.propagate() {
                    self.refute_for_good(conflict);
                }
            }
            _ => (),
        }
    }

    /// What follows by gates from `lit`, which has become true: inside the domain, if `PARTIAL`. The clause that became
    /// false, if one did.
    ///
    /// Mostly nothing follows. Which of several reasons that has is hard to foresee for the processor, so that there is one
    /// test for all of them, by a table.
    #[inline]
    pub(super) fn propagate_gates<const PARTIAL: bool>(&mut self, lit: Lit) -> Option<ClauseRef> {
        let backward = self.propagate_backward::<PARTIAL>(lit);
        if backward.is_some() { backward } else { self.propagate_forward::<PARTIAL>(lit) }
    }

    /// From a gate to its fanins.
    #[inline(always)]
    fn propagate_backward<const PARTIAL: bool>(&mut self, lit: Lit) -> Option<ClauseRef> {
        let Gate { fanins: [a, b], clauses, .. } = self.circuit.gates[lit.var().index()];
        // A leaf.
        if clauses == ClauseRef::NONE {
            return None;
        }
        let (value_a, value_b) = (self.trail.code::<PARTIAL>(a), self.trail.code::<PARTIAL>(b));
        // Nothing follows: so it is for three gates in five, and more.
        if !is_in(BACKWARD, lit.is_negated(), value_a, value_b) {
            return None;
        }
        if lit.is_negated() {
            // One fanin is true at least, so that the other one is to be false.
            let clause = clauses.after(IMPLIED);
            match (value_a, value_b) {
                (TRUE, TRUE) => return Some(clause),
                (TRUE, _) => self.assign(!b, clause),
                _ => self.assign(!a, clause),
            }
        } else {
            // Both fanins are to be true. Values are read again, since both may be the same literal, or opposite ones.
            for (fanin, offset) in [a, b].into_iter().zip(IMPLIES) {
                match self.trail.code::<PARTIAL>(fanin) {
                    OPEN => self.assign(fanin, clauses.after(offset)),
                    FALSE => return Some(clauses.after(offset)),
                    _ => (),
                }
            }
        }
        None
    }

    /// From a fanin to all gates that it feeds, and to their other fanins.
    #[inline(always)]
    fn propagate_forward<const PARTIAL: bool>(&mut self, lit: Lit) -> Option<ClauseRef> {
        let mut place = self.circuit.heads[lit.var().index()];
        while place != NONE {
            let (gate, position) = (Var::new(place >> 1), (place & 1) as usize);
            // An eighth to a third of all reads that miss the cache are this one: gates are spread over the memory.
            let Gate { fanins, next, clauses } = self.circuit.gates[gate.index()];
            place = next[position];
            self.counts.ticks += 1;
            let (output, other) = (Lit::positive(gate), fanins[1 - position]);
            let (value, other_value) =
                (self.trail.code::<PARTIAL>(output), self.trail.code::<PARTIAL>(other));
            let is_false = fanins[position] != lit;
            // Nothing follows, or the gate is outside: so it is for three gates in five, and more.
            if !is_in(FORWARD, is_false, value, other_value) {
                continue;
            }
            let clause = clauses.after(if is_false { IMPLIES[position] } else { IMPLIED });
            let implied = match (is_false, value, other_value) {
                // One false fanin is enough.
                (true, OPEN, _) => !output,
                // Both fanins are true.
                (false, OPEN, _) => output,
                // The gate is false, and this fanin is not why.
                (false, FALSE, OPEN) => !other,
                // The gate has the other value already.
                _ => return Some(clause),
            };
            self.assign(implied, clause);
        }
        None
    }
}

impl<D: Domain> Trail<D> {
    /// The value as a number of two bits; what is `OUTSIDE` has one of its own if `PARTIAL`.
    #[inline(always)]
    fn code<const PARTIAL: bool>(&self, lit: Lit) -> u32 {
        let value = self.values[lit.index()];
        (if !PARTIAL && value == OUTSIDE { 0 } else { value }) as u32 & 3
    }
}

const OPEN: u32 = 0;
const TRUE: u32 = 1;
const FALSE: u32 = 3;

/// Cases of a sign and two values, a bit each.
const fn case(sign: bool, a: u32, b: u32) -> u32 {
    1 << ((sign as u32) << 4 | a << 2 | b)
}
fn is_in(cases: u32, sign: bool, a: u32, b: u32) -> bool {
    cases >> (u32::from(sign) << 4 | a << 2 | b) & 1 != 0
}

/// When something follows for the fanins of a gate: it is false and they are nearly true, or it is true and one of them is
/// not. A domain has the fanins of its gates.
const BACKWARD: u32 = case(true, TRUE, TRUE)
    | case(true, TRUE, OPEN)
    | case(true, OPEN, TRUE)
    | case(false, OPEN, OPEN)
    | case(false, OPEN, TRUE)
    | case(false, OPEN, FALSE)
    | case(false, TRUE, OPEN)
    | case(false, TRUE, FALSE)
    | case(false, FALSE, OPEN)
    | case(false, FALSE, TRUE)
    | case(false, FALSE, FALSE);

/// When something follows from a fanin that is false, by the values of the gate and of the other fanin: the gate is not
/// false. And from one that is true: the gate and the other fanin do not agree.
const FORWARD: u32 = 0b1111 << 16 // false; the gate is open
    | 0b1111 << 20 // false; the gate is true
    | case(false, OPEN, TRUE)
    | case(false, FALSE, TRUE)
    | case(false, FALSE, OPEN);
