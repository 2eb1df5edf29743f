//! The CDCL kernel: one search, compiled for each policy.
//!
//! | file | idea |
//! |---|---|
//! | `policy` | which variables count, whether derivations are recorded |
//! | `arena` | clauses in one array |
//! | `order`, `heap` | decisions |
//! | `propagate` | two watched literals, binary clauses inside the watch |
//! | `analyze` | first unique implication point, minimisation, cores |
//! | `search` | decisions, assumptions |
//! | `restart` | when to restart |
//! | `circuit` | and-gates, propagated as gates and not as clauses |
//! | `justify` | models that stop where the circuit needs nothing more |
//! | `flip` | unassigning leaves in a model |
//! | `eliminate` | bounded variable elimination |
//! | `reduce` | forgetting learnt clauses, simplification, compaction |
//! | `subsume` | forgetting given clauses that others make redundant |
//! | `theory` | what literals mean beyond clauses |
//! | `tuning` | what can be chosen |
//! | `counts` | what effort is measured in |
//!
//! Invariants between calls: the trail holds only level 0, fully propagated; each clause of two or more literals is
//! watched by its first two; a clause with a true literal at level 0 may be dropped at any time.

mod analyze;
mod arena;
mod circuit;
mod counts;
mod eliminate;
mod flip;
mod heap;
mod justify;
mod order;
pub(crate) mod policy;
mod propagate;
mod reduce;
mod restart;
mod search;
mod subsume;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod theory;
mod tuning;

pub use counts::Counts;
pub use order::OrderKind;
pub use restart::RestartKind;
pub use tuning::Tuning;

use arena::{Arena, ClauseRef};
use circuit::Circuit;
use indubit_logic::{Lit, Var};
use order::Order;
use policy::{ClauseId, Domain, ProofSink};
use restart::Restarts;
use table::Table;
use theory::{NoTheory, Theory};

/// A clause in a watch list.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// A literal of the clause; in a binary clause the other one.
    blocker: Lit,
    /// The clause, shifted by one; the lowest bit says that it is binary.
    tagged: u32,
}

impl Watch {
    fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Watch {
        Watch { blocker, tagged: clause.word() << 1 | u32::from(binary) }
    }
    fn is_binary(self) -> bool {
        self.tagged & 1 == 1
    }
    fn clause(self) -> ClauseRef {
        ClauseRef::from_word(self.tagged >> 1)
    }
}

/// The value of what is unassigned and not in the domain of the query: a bit that can be masked, on the side of true.
const OUTSIDE: i8 = 2;

/// How and why a variable was assigned.
#[derive(Clone, Copy, Debug)]
struct Assigned {
    level: u32,
    reason: ClauseRef,
}

#[derive(Clone)]
pub(crate) struct Kernel<D, P, T = NoTheory> {
    pub(crate) domain: D,
    pub(crate) proof: P,
    pub(crate) theory: T,
    consulted: theory::Consulted,
    tuning: Tuning,
    /// By literal: 1 true, -1 false, 0 unassigned, `OUTSIDE` unassigned and not in the domain.
    values: Table<i8>,
    assigned: Table<Assigned>,
    phase: Table<bool>,
    trail: Vec<Lit>,
    /// Where each decision level begins on the trail.
    levels: Vec<u32>,
    /// What of the trail has been propagated.
    head: usize,
    /// By literal: the clauses to look at when it becomes false.
    watches: Table<Vec<Watch>>,
    /// By literal: can there be any? Most have none, and this is the smaller array to look at.
    watched: Table<bool>,
    arena: Arena,
    /// In a partial domain, where gates come from.
    circuit: Circuit,
    /// Clauses that were given, but for those that define gates.
    given: Vec<ClauseRef>,
    /// For the first of them, a literal of each that was true in a model; see `justify`.
    witnesses: Table<Lit>,
    learnt: Vec<ClauseRef>,
    /// The literal that switches the temporary clause on; always an assumption.
    pub(crate) guard: Option<Lit>,
    /// The temporary clause and what was learnt from it: gone with the query.
    temporary: Vec<ClauseRef>,
    /// The temporary clause is false at level 0.
    refuted_temporary: bool,
    order: Order,
    /// No assignment satisfies the clauses.
    inconsistent: bool,
    /// In a kernel that records: where each assigned variable stands on the trail.
    positions: Vec<u32>,
    /// In a kernel that records: the name of the unit clause for each variable assigned at level 0.
    units: Vec<ClauseId>,
    scratch: analyze::Scratch,
    core: Vec<Lit>,
    /// In a kernel that records: the clause that the last refutation ends with, made of negated assumptions.
    conclusion: Option<ClauseId>,
    pub(crate) counts: Counts,
    restarts: Restarts,
    eliminated: eliminate::Eliminated,
    /// Conflicts at which learnt clauses are reduced next.
    reduce_at: u64,
    /// How many facts the clauses were last simplified by.
    n_simplified: usize,
    /// How many given clauses there were when subsumed ones were last looked for.
    n_subsumed: usize,
    /// Members of the domain before this position are assigned.
    cursor: usize,
    /// How far the model is justified.
    cursors: justify::Cursors,
    /// False gates of level 0 that are justified by other levels only.
    open_facts: Vec<Var>,
    /// What of level 0 has been looked at for such gates.
    n_facts: usize,
    /// Do activities decide in this query?
    by_activity: bool,
}

fn first_phase(seed: u64, var: u64) -> bool {
    let mixed = (var + 1).wrapping_mul(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    pub(crate) fn new(domain: D, proof: P, theory: T, mut tuning: Tuning) -> Kernel<D, P, T> {
        // A partial model cannot be extended to what was eliminated.
        tuning.eliminate &= !D::PARTIAL;
        // An atom is more than its clauses.
        tuning.eliminate &= !T::ACTIVE;
        Kernel {
            domain,
            proof,
            theory,
            consulted: theory::Consulted::default(),
            tuning,
            values: Table::default(),
            assigned: Table::default(),
            phase: Table::default(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            watches: Table::default(),
            watched: Table::default(),
            arena: Arena::new(P::RECORDS, tuning.waste, tuning.part),
            given: Vec::new(),
            witnesses: Table::default(),
            circuit: Circuit::default(),
            learnt: Vec::new(),
            guard: None,
            temporary: Vec::new(),
            refuted_temporary: false,
            order: Order::new(tuning.order, tuning.decay),
            inconsistent: false,
            positions: Vec::new(),
            units: Vec::new(),
            scratch: analyze::Scratch::default(),
            core: Vec::new(),
            conclusion: None,
            counts: Counts::default(),
            restarts: Restarts::new(tuning.restarts),
            eliminated: eliminate::Eliminated::default(),
            reduce_at: 12 * tuning.reduce,
            n_simplified: 0,
            n_subsumed: 0,
            cursor: 0,
            cursors: justify::Cursors::default(),
            open_facts: Vec::new(),
            n_facts: 0,
            by_activity: true,
        }
    }
    pub(crate) fn n_vars(&self) -> usize {
        self.assigned.len()
    }
    /// Make sure that variables `0..n_vars` exist.
    pub(crate) fn grow(&mut self, n_vars: usize) {
        if n_vars <= self.n_vars() {
            return;
        }
        self.values.resize(2 * n_vars, if D::PARTIAL { OUTSIDE } else { 0 });
        self.watches.resize_with(2 * n_vars, Vec::new);
        self.watched.resize(2 * n_vars, false);
        self.assigned.resize(n_vars, Assigned { level: 0, reason: ClauseRef::NONE });
        let seed = self.tuning.seed;
        let n_old = self.phase.len();
        self.phase.extend((n_old..n_vars).map(|v| first_phase(seed, v as u64)));
        self.scratch.grow(n_vars);
        if P::RECORDS {
            self.units.resize(n_vars, 0);
            self.positions.resize(n_vars, 0);
        }
        if self.tuning.eliminate {
            self.eliminated.grow(n_vars);
        }
        self.order.grow(n_vars);
        self.domain.grow(n_vars);
        if D::PARTIAL {
            self.circuit.grow(n_vars);
        }
    }
    /// An entry for literals from outside: see the contract of `table`.
    fn require(&self, lits: &[Lit]) {
        let n_vars = self.n_vars();
        assert!(lits.iter().all(|l| l.var().index() < n_vars), "variables are made before they are used");
    }
    /// The assumptions that the last refutation used.
    pub(crate) fn core(&self) -> &[Lit] {
        &self.core
    }
    /// In a kernel that records, after a refutation: the clause it ends with, made of negated assumptions (the guard
    /// among them). None if two assumptions contradict each other without any clause.
    pub(crate) fn conclusion(&self) -> Option<ClauseId> {
        self.conclusion
    }
    /// 1 true, negative false, 0 unassigned.
    fn value(&self, lit: Lit) -> i8 {
        if D::PARTIAL { self.values[lit.index()] & !OUTSIDE } else { self.values[lit.index()] }
    }
    /// The same as propagation sees it, which takes what is `OUTSIDE` for true if it is `PARTIAL`.
    fn seen_value<const PARTIAL: bool>(&self, lit: Lit) -> i8 {
        if PARTIAL { self.values[lit.index()] } else { self.value(lit) }
    }
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        lit.index() < self.values.len() && self.value(lit) > 0
    }
    pub(crate) fn is_assigned(&self, var: Var) -> bool {
        var.index() < self.assigned.len() && self.value(Lit::positive(var)) != 0
    }
    /// The value of `lit` at level 0, if it has one there.
    pub(crate) fn fixed(&self, lit: Lit) -> Option<bool> {
        (self.is_assigned(lit.var()) && self.level_of(lit.var()) == 0).then(|| self.is_true(lit))
    }
    fn level_of(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }
    pub(crate) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Add the disjunction of `lits`. Only between queries.
    ///
    /// Literals that are false at level 0 are dropped, a clause that is true there is not added.
    pub(crate) fn add_clause(&mut self, lits: &[Lit]) -> Option<ClauseRef> {
        debug_assert_eq!(self.level(), 0);
        if self.inconsistent {
            return None;
        }
        if let Some(max) = lits.iter().map(|l| l.var().index()).max() {
            self.grow(max + 1);
        }
        self.mention(lits, true);
        let name = self.proof.given(lits);
        self.add_named(lits, name)
    }

    /// Add a clause that has a name already.
    fn add_named(&mut self, lits: &[Lit], mut name: ClauseId) -> Option<ClauseRef> {
        if self.inconsistent {
            return None;
        }
        let mut buffer = std::mem::take(&mut self.scratch.clause);
        buffer.clear();
        buffer.extend_from_slice(lits);
        buffer.sort_unstable();
        buffer.dedup();
        let tautology = buffer.windows(2).any(|w| w[0] == !w[1]);
        let satisfied = tautology || buffer.iter().any(|&l| self.value(l) > 0);
        let added = if satisfied {
            None
        } else {
            name = self.drop_false(&mut buffer, name);
            self.install(&buffer, None, name)
        };
        self.scratch.clause = buffer;
        added
    }

    /// Take the literals that are false at level 0 out of a clause; the name of what is left.
    fn drop_false(&mut self, clause: &mut Vec<Lit>, name: ClauseId) -> ClauseId {
        if clause.iter().all(|&l| self.value(l) >= 0) {
            return name;
        }
        let mut chain: Vec<ClauseId> = Vec::new();
        if P::RECORDS {
            let dropped = clause.iter().filter(|&&l| self.value(l) < 0);
            chain.extend(dropped.map(|l| self.units[l.var().index()]));
            chain.push(name);
        }
        clause.retain(|&l| self.values[l.index()] >= 0);
        if P::RECORDS { self.proof.derived(clause, &chain) } else { 0 }
    }

    /// Put a clause of literals that are unassigned at level 0 into place; units are propagated at once.
    fn install(&mut self, lits: &[Lit], glue: Option<u32>, name: ClauseId) -> Option<ClauseRef> {
        match *lits {
            [] => {
                self.inconsistent = true;
                self.conclusion = Some(name);
                None
            }
            [unit] => {
                if P::RECORDS {
                    self.units[unit.var().index()] = name;
                }
                self.assign(unit, ClauseRef::NONE);
                if let Some(conflict) = self.propagate() {
                    self.refute_for_good(conflict);
                }
                None
            }
            _ => {
                let clause = self.arena.alloc(lits, glue, name);
                if glue.is_some() {
                    self.learnt.push(clause)
                } else {
                    self.given.push(clause)
                }
                self.attach(clause);
                Some(clause)
            }
        }
    }
    fn attach(&mut self, clause: ClauseRef) {
        let lits = self.arena.lits(clause);
        let (a, b, binary) = (lits[0], lits[1], lits.len() == 2);
        for (lit, other) in [(a, b), (b, a)] {
            self.watches[lit.index()].push(Watch::new(other, clause, binary));
            self.watched[lit.index()] = true;
        }
    }
    fn detach(&mut self, clause: ClauseRef) {
        let lits = self.arena.lits(clause);
        for lit in [lits[0], lits[1]] {
            let list = &mut self.watches[lit.index()];
            let at = list.iter().position(|w| w.clause() == clause).expect("a clause is in its watch lists");
            list.swap_remove(at);
        }
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let level = self.level();
        self.assigned[lit.var().index()] = Assigned { level, reason };
        if P::RECORDS {
            self.positions[lit.var().index()] = self.trail.len() as u32;
        }
        self.trail.push(lit);
    }
    /// Undo everything above `level`.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.level() <= level {
            return;
        }
        let keep = self.levels[level as usize] as usize;
        for i in (keep..self.trail.len()).rev() {
            let lit = self.trail[i];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phase[lit.var().index()] = !lit.is_negated();
            let all = !D::PARTIAL && !self.justifies();
            if (all || (self.by_activity && self.order.is_active(lit.var())))
                && (!T::ACTIVE || self.theory.decides(lit.var()))
            {
                self.order.offer(lit.var());
            }
        }
        self.cursor = 0;
        self.unjustify();
        self.trail.truncate(keep);
        self.levels.truncate(level as usize);
        self.head = keep;
        if T::ACTIVE {
            self.consulted.n_told = self.consulted.n_told.min(keep);
            self.theory.backtrack(keep);
        }
    }
}
