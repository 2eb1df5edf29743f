//! Which variable to decide next: activities (VSIDS), by an exact heap or by buckets.
//!
//! *Buckets* (Su et al., "Deeply Optimizing the SAT Solver for the IC3 Algorithm", 2025): a standing heap of all
//! variables, assigned or not, gives each a position, and bucket `b` collects variables whose position has bit length
//! `b`, so that buckets stand for the layers of 1, 1, 2, 4, 8, … variables. Taking the newest of the first non-empty bucket is O(1), and so is putting a variable back when it
//! becomes unassigned. Entries may be stale: whoever takes one checks that it is still unassigned.

use super::heap::VarHeap;
use super::table::Table;
use indubit_logic::Var;

const LIMIT: f64 = 1e100;

/// How decisions are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderKind {
    /// Buckets; the exact heap once a query turns out to be hard.
    Buckets,
    /// The exact heap always.
    Heap,
}

#[derive(Clone, Debug)]
pub(crate) struct Order {
    kind: OrderKind,
    /// Is the heap used in this query?
    exact: bool,
    activity: Table<f64>,
    increment: f64,
    decay: f64,
    /// All variables.
    ranking: VarHeap,
    buckets: Vec<Vec<Var>>,
    /// No bucket below this one has entries.
    first: usize,
    /// Candidates, if `exact`.
    heap: VarHeap,
}

impl Order {
    pub(crate) fn new(kind: OrderKind, decay: f64) -> Order {
        Order {
            kind,
            exact: kind == OrderKind::Heap,
            activity: Table::default(),
            increment: 1.0,
            decay,
            ranking: VarHeap::default(),
            buckets: vec![Vec::new(); 33],
            first: 33,
            heap: VarHeap::default(),
        }
    }
    pub(crate) fn grow(&mut self, n_vars: usize) {
        let old = self.activity.len();
        self.activity.resize(n_vars.max(old), 0.0);
        self.heap.grow(n_vars);
        if self.kind == OrderKind::Buckets {
            self.ranking.grow(n_vars);
            for var in (old..n_vars).map(Var::from_index) {
                self.ranking.insert(var, &self.activity);
            }
        }
    }
    /// Forget all candidates: a new query begins, with buckets if the kind says so.
    pub(crate) fn restart_query(&mut self) {
        self.clear();
        self.exact = self.kind == OrderKind::Heap;
    }
    /// From here on the exact heap; the caller offers the candidates again.
    pub(crate) fn become_exact(&mut self) {
        self.clear();
        self.exact = true;
    }
    /// Has `var` ever taken part in a conflict?
    pub(crate) fn is_active(&self, var: Var) -> bool {
        self.activity[var.index()] > 0.0
    }
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }
    fn clear(&mut self) {
        if self.exact {
            self.heap.clear();
        }
        for bucket in &mut self.buckets[self.first.min(33)..] {
            bucket.clear();
        }
        self.first = 33;
    }
    /// `var` may be decided.
    pub(crate) fn offer(&mut self, var: Var) {
        if self.exact {
            self.heap.insert(var, &self.activity);
        } else {
            let bucket = (u32::BITS - self.ranking.position(var).leading_zeros()) as usize;
            self.buckets[bucket].push(var);
            self.first = self.first.min(bucket);
        }
    }
    /// The next candidate; it may have been assigned meanwhile.
    pub(crate) fn take(&mut self) -> Option<Var> {
        if self.exact {
            return self.heap.pop(&self.activity);
        }
        while self.first < self.buckets.len() {
            if let Some(var) = self.buckets[self.first].pop() {
                return Some(var);
            }
            self.first += 1;
        }
        None
    }
    /// `var` took part in a conflict.
    pub(crate) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > LIMIT {
            self.activity.iter_mut().for_each(|a| *a /= LIMIT);
            self.increment /= LIMIT;
        }
        if self.exact {
            self.heap.raised(var, &self.activity);
        }
        if self.kind == OrderKind::Buckets {
            self.ranking.raised(var, &self.activity);
        }
    }
    /// A conflict has been dealt with.
    pub(crate) fn decay(&mut self) {
        self.increment /= self.decay;
    }
}
