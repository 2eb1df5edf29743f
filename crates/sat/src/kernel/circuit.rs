//! And-gates, propagated as gates and not as clauses.
//!
//! The three clauses of a gate are in the arena, one after the other, so that each can be the reason of an assignment or
//! a conflict like any other. They are in no watch list: a gate knows its fanins, and the gates that a variable
//! feeds are a list through the gates themselves. That is a quarter of the memory that watches take, nothing is
//! written to it, and IC3 has a copy in each of its frames.

use super::Kernel;
use super::arena::{Arena, ClauseRef};
use super::policy::{Domain, ProofSink};
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
    gates: Vec<Gate>,
    /// By variable, the first place that it feeds.
    heads: Vec<u32>,
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

impl<D: Domain, P: ProofSink> Kernel<D, P> {
    /// `gate` is the conjunction of its fanins. Only between queries, once for a gate; later definitions are
    /// clauses like others.
    pub(crate) fn define_and(&mut self, gate: Var, fanins: [Lit; 2]) {
        let output = Lit::positive(gate);
        let [a, b] = fanins;
        let clauses = [&[!output, a][..], &[!output, b], &[output, !a, !b]];
        if self.circuit.fanins(gate).is_some() {
            for clause in clauses {
                self.add_clause(clause);
            }
            return;
        }
        let references = clauses.map(|clause| self.arena.alloc(clause, None, 0));
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
        let lits = self.arena.lits(clause);
        if self.inconsistent || lits.iter().any(|&l| self.value(l) > 0) {
            return;
        }
        let mut open = lits.iter().copied().filter(|&l| self.value(l) == 0);
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

    /// What follows by gates from `lit`, which has become true: inside the domain, if `partial`. The clause that became
    /// false, if one did.
    pub(super) fn propagate_gates(&mut self, lit: Lit, partial: bool) -> Option<ClauseRef> {
        let Gate { fanins: [a, b], clauses, .. } = self.circuit.gates[lit.var().index()];
        if clauses != ClauseRef::NONE {
            if lit.is_negated() {
                match (self.value(a), self.value(b)) {
                    (1, 1) => return Some(clauses.after(IMPLIED)),
                    (1, 0) => self.assign(!b, clauses.after(IMPLIED)),
                    (0, 1) => self.assign(!a, clauses.after(IMPLIED)),
                    _ => (),
                }
            } else {
                for (fanin, offset) in [a, b].into_iter().zip(IMPLIES) {
                    match self.value(fanin) {
                        0 => self.assign(fanin, clauses.after(offset)),
                        1 => (),
                        _ => return Some(clauses.after(offset)),
                    }
                }
            }
        }
        let mut place = self.circuit.heads[lit.var().index()];
        while place != NONE {
            let (gate, position) = (Var::new(place >> 1), (place & 1) as usize);
            let Gate { fanins, next, clauses } = self.circuit.gates[gate.index()];
            place = next[position];
            if partial && !self.domain.contains(gate) {
                continue;
            }
            self.counts.ticks += 1;
            let output = Lit::positive(gate);
            if fanins[position] != lit {
                match self.value(output) {
                    0 => self.assign(!output, clauses.after(IMPLIES[position])),
                    1 => return Some(clauses.after(IMPLIES[position])),
                    _ => (),
                }
                continue;
            }
            let other = fanins[1 - position];
            match (self.value(other), self.value(output)) {
                (1, 0) => self.assign(output, clauses.after(IMPLIED)),
                (1, -1) => return Some(clauses.after(IMPLIED)),
                (0, -1) => self.assign(!other, clauses.after(IMPLIED)),
                _ => (),
            }
        }
        None
    }
}
