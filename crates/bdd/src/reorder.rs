//! Sifting: each block of variables goes through all places in the order, and stays where there are the fewest nodes.

use crate::table::Node;
use crate::{Bdd, Diagrams, Halt};

/// So many nodes, as a percentage of those at the beginning, a block may cost on its way.
const GROWTH: usize = 120;
/// Blocks that are sifted at most: those with the most nodes.
const MOST_BLOCKS: usize = 300;

impl Diagrams {
    /// Only these functions are still wanted. Variables get an order in which those have fewer nodes.
    pub fn sift(&mut self, wanted: &[Bdd]) -> Result<(), Halt> {
        self.collect(wanted);
        let mut refs = self.references(wanted);
        let mut first: Vec<(usize, u32)> =
            self.blocks.iter().map(|block| (self.n_nodes_of(block), block[0])).collect();
        first.sort_unstable_by_key(|&(n, var)| (std::cmp::Reverse(n), var));
        let result = first.into_iter().take(MOST_BLOCKS).filter(|&(n, _)| n > 0).try_for_each(|(_, var)| {
            self.cancel.checkpoint()?;
            self.effort += self.n_nodes as u64;
            self.sift_block(var, &mut refs);
            Ok(())
        });
        self.cache.clear();
        result
    }
    fn n_nodes_of(&self, block: &[u32]) -> usize {
        block.iter().map(|&var| self.tables[var as usize].n_nodes).sum()
    }
    /// How often each node is a child, or wanted.
    fn references(&self, wanted: &[Bdd]) -> Vec<u32> {
        let mut refs = vec![0u32; self.nodes.len()];
        let marks = self.marks(wanted);
        let children = self.nodes.iter().zip(&marks).filter(|&(_, &mark)| mark);
        for f in children.flat_map(|(node, _)| [node.high, node.low]).chain(wanted.iter().copied()) {
            refs[f.node()] = refs[f.node()].saturating_add(1);
        }
        refs
    }
    /// Let the block with this first variable go to the nearer end, then to the other one, and back to the best place.
    fn sift_block(&mut self, var: u32, refs: &mut Vec<u32>) {
        let Some(mut at) = self.blocks.iter().position(|block| block[0] == var) else { return };
        let (last, most) = (self.blocks.len() - 1, self.n_nodes * GROWTH / 100 + 16);
        let (mut best, mut fewest) = (at, self.n_nodes);
        let towards_end = at > last / 2;
        for forward in [towards_end, !towards_end] {
            while if forward { at < last } else { at > 0 } {
                let left = if forward { at } else { at - 1 };
                self.swap_blocks(left, refs);
                at = if forward { at + 1 } else { at - 1 };
                if self.n_nodes < fewest {
                    (best, fewest) = (at, self.n_nodes);
                }
                if self.n_nodes > most {
                    break;
                }
            }
        }
        while at != best {
            let left = if at < best { at } else { at - 1 };
            self.swap_blocks(left, refs);
            at = if at < best { at + 1 } else { at - 1 };
        }
    }
    /// The block at this place and the one after it change places.
    fn swap_blocks(&mut self, at: usize, refs: &mut Vec<u32>) {
        let (n_left, n_right) = (self.blocks[at].len() as u32, self.blocks[at + 1].len() as u32);
        let first = self.level[self.blocks[at][0] as usize];
        // Each variable of the right one goes before all of the left one.
        for right in 0..n_right {
            for step in 0..n_left {
                self.swap(first + n_left + right - step - 1, refs);
            }
        }
        self.blocks.swap(at, at + 1);
    }
    /// The variable at this level and the one after it change places. Nodes stay the functions that they are: those of the upper variable that depend on the lower one
    /// become nodes of that one.
    fn swap(&mut self, level: u32, refs: &mut Vec<u32>) {
        let [upper, lower] = [level, level + 1].map(|l| self.order[l as usize]);
        let of_lower = |all: &Diagrams, f: Bdd| all.nodes[f.node()].var == lower;
        let mut moved = Vec::new();
        if self.tables[lower as usize].n_nodes > 0 {
            let is_below = |nodes: &[Node], f: Bdd| nodes[f.node()].var == lower;
            moved = self.tables[upper as usize].split(&mut self.nodes, |nodes, node| {
                is_below(nodes, node.high) || is_below(nodes, node.low)
            });
        }
        let mut unwanted = Vec::new();
        for index in moved {
            let node = self.nodes[index as usize];
            let cofactors = |f: Bdd| match of_lower(self, f) {
                true => self.children(f, level + 1),
                false => [f, f],
            };
            let ([f11, f10], [f01, f00]) = (cofactors(node.high), cofactors(node.low));
            let high = self.referenced(upper, f11, f01, refs);
            let low = self.referenced(upper, f10, f00, refs);
            for child in [node.high, node.low] {
                refs[child.node()] -= 1;
                if refs[child.node()] == 0 {
                    unwanted.push(child.node() as u32);
                }
            }
            let node = &mut self.nodes[index as usize];
            (node.var, node.high, node.low) = (lower, high, low);
            self.tables[lower as usize].insert(&mut self.nodes, index);
        }
        // Nobody refers to nodes of the lower variable any more but those from above. What such a node had below it is still referenced by what has taken its place, so nothing
        // else can be unwanted now.
        for index in unwanted {
            self.tables[lower as usize].remove(&mut self.nodes, index);
            let node = self.nodes[index as usize];
            refs[node.high.node()] -= 1;
            refs[node.low.node()] -= 1;
            self.discard(index);
        }
        self.order.swap(level as usize, level as usize + 1);
        self.level[upper as usize] = level + 1;
        self.level[lower as usize] = level;
    }
    /// A node of a variable that one more node has as a child.
    fn referenced(&mut self, var: u32, high: Bdd, low: Bdd, refs: &mut Vec<u32>) -> Bdd {
        if high == low {
            refs[high.node()] += 1;
            return high;
        }
        let negated = high.is_negated();
        let (high, low) = (high.xor(negated), low.xor(negated));
        let index = self.tables[var as usize].find(&self.nodes, high, low).unwrap_or_else(|| {
            let index = self.add(var, high, low);
            if refs.len() < self.nodes.len() {
                refs.resize(self.nodes.len(), 0);
            }
            refs[index as usize] = 0;
            refs[high.node()] += 1;
            refs[low.node()] += 1;
            index
        });
        refs[index as usize] += 1;
        Bdd(index << 1).xor(negated)
    }
}
