//! What there is to be seen of functions.

use crate::{Bdd, Diagrams};
use std::collections::HashMap;

impl Diagrams {
    /// How many nodes some functions have together.
    pub fn size(&self, functions: &[Bdd]) -> usize {
        self.marks(functions).into_iter().filter(|&mark| mark).count()
    }
    /// The variables that a function depends on, in ascending order.
    pub fn support(&self, f: Bdd) -> Vec<u32> {
        let mut is_there = vec![false; self.order.len()];
        let marks = self.marks(&[f]);
        for (node, _) in self.nodes.iter().zip(marks).filter(|&(_, mark)| mark) {
            is_there[node.var as usize] = true;
        }
        (0..).zip(is_there).filter(|&(_, there)| there).map(|(var, _)| var).collect()
    }
    /// Where a variable is in the order.
    pub fn position(&self, var: u32) -> u32 {
        self.level[var as usize]
    }
    /// Is a function true for these values of all variables?
    pub fn value(&self, f: Bdd, values: &[bool]) -> bool {
        let mut f = f;
        while !f.is_const() {
            let node = &self.nodes[f.node()];
            let child = if values[node.var as usize] { node.high } else { node.low };
            f = child.xor(f.is_negated());
        }
        f == Bdd::TRUE
    }
    /// Values of some variables for which a function is true, whatever the others are; none if it is false. Variables are false where they can be.
    pub fn pick(&self, f: Bdd) -> Option<Vec<(u32, bool)>> {
        let mut picked = Vec::new();
        let mut f = f;
        while !f.is_const() {
            let level = self.level_of(f);
            let [high, low] = self.children(f, level);
            let value = low == Bdd::FALSE;
            picked.push((self.order[level as usize], value));
            f = if value { high } else { low };
        }
        (f == Bdd::TRUE).then_some(picked)
    }
    /// Make something of functions: `node` makes it of a variable, what it is if that is true, and if it is false; `not` negates. Each node is made once.
    pub fn fold<T: Copy>(
        &self,
        functions: &[Bdd],
        truth: T,
        mut not: impl FnMut(T) -> T,
        mut node: impl FnMut(u32, T, T) -> T,
    ) -> Vec<T> {
        let marks = self.marks(functions);
        let mut indices: Vec<usize> = (0..self.nodes.len()).filter(|&i| marks[i]).collect();
        indices.sort_unstable_by_key(|&i| std::cmp::Reverse(self.level[self.nodes[i].var as usize]));
        let mut made: HashMap<usize, T> = HashMap::from([(0, truth)]);
        let mut edge = |made: &HashMap<usize, T>, f: Bdd| {
            let value = made[&f.node()];
            if f.is_negated() { not(value) } else { value }
        };
        for i in indices {
            let (high, low) = (edge(&made, self.nodes[i].high), edge(&made, self.nodes[i].low));
            made.insert(i, node(self.nodes[i].var, high, low));
        }
        functions.iter().map(|&f| edge(&made, f)).collect()
    }
}
