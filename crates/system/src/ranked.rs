//! Ranked proofs: why no run sees each of some signals infinitely often.
//!
//! S. Froleyks, E. Yu, B. Bogaerts, A. Biere, K. Heljanko, *Liveness Proofs for Hardware Model Checking*, CAV 2026, have one shape for all of
//! them: a circuit that simulates the system, an invariant of it, and relations on pairs of its states. Here the circuit is the system with
//! memory, and the relation is an order of its states by predicates, with another relation where that says nothing.

use crate::{Invariant, Safety};
use indubit_logic::{Lit, Var, VarMap};

/// A latch that a proof adds to a system: it watches the run and never influences it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// What it remembers, in a few words.
    pub name: String,
    /// Its initial value.
    pub initial: bool,
    /// Its next value.
    pub next: Lit,
}

/// Why no run sees each of some signals infinitely often.
///
/// Literals are nodes of the system; from [`n_vars`](Ranked::n_vars) on the [memory](Ranked::memory); then the values of
/// [`second`](Ranked::second) in another state, which only [`relation`](Ranked::relation) mentions; then additional gates of
/// [`with`](Ranked::with).
///
/// The signals are those of [`BitSystem::infinitely_often`](crate::BitSystem::infinitely_often), in its order: fairness first, then the property's own.
///
/// `Q(s, t)`, to be read as *`s` may come after `t`*, holds of two states if the first predicate of `order` that differs between them is true in `s`, or
/// if none differs and `relation(s, t)` holds. Signal `i` is *gone* in a step from `s` to `t` if `Q(s, t)` and `absent[i]` in `s`. In steps of the system with memory, where
/// the constraints hold,
///
/// - `with` is an invariant, and from now on only states in which it holds are considered;
/// - some signal is absent in each state;
/// - *decrease*: after a step from `s` to `t`, `Q(t, s)`;
/// - *closure*: after a step from `s` to `t`, `Q(s, u)` implies `Q(t, u)`;
/// - *liveness*: a signal that is gone is false;
/// - *consistent*: a signal that is gone in one of two consecutive steps of which `Q` holds is gone in the next one.
///
/// A run that goes on for ever in a finite system comes to a point from which on every step is part of a cycle. By decrease and closure `Q(s, t)` holds of each such step, so
/// some signal is gone, for good, and is not seen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    n_vars: usize,
    memory: Vec<Memory>,
    second: Vec<Lit>,
    /// The invariant, and all additional gates.
    pub with: Invariant,
    /// Predicates of states, the most significant first.
    pub order: Vec<Lit>,
    /// A relation between two states; *true* if the order says it all.
    pub relation: Lit,
    /// For each signal, when it is the one that is absent.
    pub absent: Vec<Lit>,
}

impl Ranked {
    /// A proof about a system with `n_vars` nodes that says nothing yet about any of so many signals.
    pub fn new(n_vars: usize, memory: Vec<Memory>, second: Vec<Lit>, n_signals: usize) -> Ranked {
        let with = Invariant::new(n_vars + memory.len() + second.len());
        let (relation, absent) = (Lit::TRUE, vec![Lit::FALSE; n_signals]);
        Ranked { n_vars, memory, second, with, order: Vec::new(), relation, absent }
    }
    /// One signal is never seen.
    pub fn never(n_vars: usize, signal: usize, n_signals: usize) -> Ranked {
        let mut proof = Ranked::new(n_vars, Vec::new(), Vec::new(), n_signals);
        proof.absent[signal] = Lit::TRUE;
        proof
    }
    /// The number of nodes of the system.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
    /// The latches that are added to the system.
    pub fn memory(&self) -> &[Memory] {
        &self.memory
    }
    /// Where the added latch number `i` is.
    pub fn memory_lit(&self, i: usize) -> Lit {
        Lit::positive(Var::from_index(self.n_vars + i))
    }
    /// Set what an added latch becomes.
    pub fn set_next(&mut self, i: usize, next: Lit) {
        self.memory[i].next = next;
    }
    /// What `relation` asks about another state.
    pub fn second(&self) -> &[Lit] {
        &self.second
    }
    /// Where the value of `second()[i]` in the other state is.
    pub fn second_lit(&self, i: usize) -> Lit {
        Lit::positive(Var::from_index(self.n_vars + self.memory.len() + i))
    }
    /// Set what is asked about another state.
    pub fn set_second(&mut self, i: usize, lit: Lit) {
        self.second[i] = lit;
    }
    /// Make the nodes of `circuit` from `n_vars` on, where the system with `n_vars` nodes is the first part of it, be gates here; `leaf` says
    /// what new leaves are, and anything else that is not to stay what it is.
    pub fn import(&mut self, circuit: &Safety, leaf: impl Fn(Var) -> Option<Lit>) -> VarMap<Lit> {
        let mut map = VarMap::filled(circuit.aig.n_vars(), Lit::FALSE);
        for i in 0..circuit.aig.n_vars() {
            let var = Var::from_index(i);
            map[var] = match (leaf(var), circuit.aig.fanins(var)) {
                (Some(lit), _) => lit,
                (None, Some([a, b])) if i >= self.n_vars || map.lit(a) != a || map.lit(b) != b => {
                    simplified_and(&mut self.with, map.lit(a), map.lit(b))
                }
                // A leaf that nobody knows is one that nothing depends on, or that stays false where the proof is about.
                (None, None) if i >= self.n_vars => Lit::FALSE,
                (None, _) => Lit::positive(var),
            };
        }
        map
    }
    /// The proof about another system with `n_vars` nodes, where `node` says what the nodes of this one are there.
    pub fn carried(&self, n_vars: usize, node: impl Fn(Var) -> Lit) -> Ranked {
        self.rebased(n_vars, Vec::new(), |_| node)
    }
    /// As [`carried`](Self::carried), with more memory in front of what there is. `node` may make gates first.
    pub fn rebased<N: Fn(Var) -> Lit>(
        &self,
        n_vars: usize,
        added: Vec<Memory>,
        node: impl FnOnce(&mut Invariant) -> N,
    ) -> Ranked {
        let first_own = n_vars + added.len();
        let memory: Vec<Memory> = added.into_iter().chain(self.memory.iter().cloned()).collect();
        let n_added = first_own - n_vars;
        let mut proof = Ranked::new(n_vars, memory, self.second.clone(), self.absent.len());
        let of_system = node(&mut proof.with);
        let node = |v: Var| match v.index().checked_sub(self.n_vars) {
            Some(i) => Lit::positive(Var::from_index(first_own + i)),
            None => of_system(v),
        };
        let mut lits: Vec<Lit> = self.memory.iter().map(|m| m.next).collect();
        lits.extend(self.second.iter().chain(&self.order).chain([&self.relation]).chain(&self.absent));
        let mut mapped = self.with.conjoin_with(&mut proof.with, node, &lits).into_iter();
        let mut take = |n: usize| -> Vec<Lit> { mapped.by_ref().take(n).collect() };
        for (memory, next) in proof.memory[n_added..].iter_mut().zip(take(self.memory.len())) {
            memory.next = next;
        }
        proof.second = take(self.second.len());
        proof.order = take(self.order.len());
        proof.relation = take(1)[0];
        proof.absent = take(self.absent.len());
        // A predicate that never changes, or not before one like it does, orders nothing.
        let mut seen = Vec::new();
        proof.order.retain(|&l| !l.is_const() && !std::mem::replace(seen_at(&mut seen, l.var()), true));
        proof
    }
    /// The proof, which may now use an inductive invariant of the system.
    pub fn strengthened(mut self, by: &Invariant) -> Ranked {
        by.conjoin_to(&mut self.with, Lit::positive);
        self
    }
    /// The proof without gates that nothing needs.
    pub fn tidied(&self) -> Ranked {
        self.carried(self.n_vars, Lit::positive)
    }
}

fn simplified_and(target: &mut Invariant, a: Lit, b: Lit) -> Lit {
    match (a, b) {
        (Lit::TRUE, other) | (other, Lit::TRUE) => other,
        (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
        _ if a == b => a,
        _ if a == !b => Lit::FALSE,
        _ => target.and(a, b),
    }
}

/// A flag for each variable.
fn seen_at(seen: &mut Vec<bool>, var: Var) -> &mut bool {
    if seen.len() <= var.index() {
        seen.resize(var.index() + 1, false);
    }
    &mut seen[var.index()]
}
