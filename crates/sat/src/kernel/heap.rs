//! A binary max-heap of variables by activity, with positions.

use super::table::Table;
use indubit_logic::Var;

const OUT: u32 = u32::MAX;

/// Invariant: no variable has a higher activity than its parent, up to bumps that [`VarHeap::raised`] has not been
/// told about yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct VarHeap {
    heap: Table<Var>,
    position: Table<u32>,
}

impl VarHeap {
    pub(crate) fn grow(&mut self, n_vars: usize) {
        if self.position.len() < n_vars {
            self.position.resize(n_vars, OUT);
        }
    }
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.position[var.index()] != OUT
    }
    pub(crate) fn position(&self, var: Var) -> u32 {
        self.position[var.index()]
    }
    pub(crate) fn insert(&mut self, var: Var, activity: &Table<f64>) {
        if !self.contains(var) {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1, activity);
        }
    }
    /// The activity of a member went up.
    pub(crate) fn raised(&mut self, var: Var, activity: &Table<f64>) {
        if self.contains(var) {
            self.up(self.position[var.index()] as usize, activity);
        }
    }
    pub(crate) fn pop(&mut self, activity: &Table<f64>) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("not empty");
        self.position[top.index()] = OUT;
        if last != top {
            self.heap[0] = last;
            self.position[last.index()] = 0;
            self.down(0, activity);
        }
        Some(top)
    }
    pub(crate) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.position[var.index()] = OUT;
        }
    }
    fn up(&mut self, mut i: usize, activity: &Table<f64>) {
        let var = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if activity[self.heap[parent].index()] >= activity[var.index()] {
                break;
            }
            self.place(i, self.heap[parent]);
            i = parent;
        }
        self.place(i, var);
    }
    fn down(&mut self, mut i: usize, activity: &Table<f64>) {
        let var = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len()
                && activity[self.heap[child + 1].index()] > activity[self.heap[child].index()]
            {
                child += 1;
            }
            if activity[self.heap[child].index()] <= activity[var.index()] {
                break;
            }
            self.place(i, self.heap[child]);
            i = child;
        }
        self.place(i, var);
    }
    fn place(&mut self, i: usize, var: Var) {
        self.heap[i] = var;
        self.position[var.index()] = i as u32;
    }
}
