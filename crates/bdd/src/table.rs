//! The nodes of one variable, found by their children.

use crate::Bdd;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// If the variable is true then `high`, else `low`. The edge to `high` is never complemented, so that equal functions are the same node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub var: u32,
    /// The next node in the same bucket, or in the list of free ones.
    pub next: u32,
    pub high: Bdd,
    pub low: Bdd,
}

/// Buckets of nodes that are chained by [`Node::next`].
#[derive(Clone, Debug)]
pub(crate) struct Table {
    buckets: Vec<u32>,
    pub n_nodes: usize,
}

impl Table {
    pub fn new() -> Table {
        Table { buckets: vec![NONE; 16], n_nodes: 0 }
    }
    fn bucket(&self, high: Bdd, low: Bdd) -> usize {
        let key = u64::from(high.0) << 32 | u64::from(low.0);
        let hash = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 40) as usize & (self.buckets.len() - 1)
    }
    pub fn find(&self, nodes: &[Node], high: Bdd, low: Bdd) -> Option<u32> {
        let mut at = self.buckets[self.bucket(high, low)];
        while at != NONE {
            let node = &nodes[at as usize];
            if node.high == high && node.low == low {
                return Some(at);
            }
            at = node.next;
        }
        None
    }
    pub fn insert(&mut self, nodes: &mut [Node], index: u32) {
        if self.n_nodes >= self.buckets.len() && self.buckets.len() < 1 << 24 {
            let all = self.take(nodes);
            self.buckets = vec![NONE; self.buckets.len() * 4];
            for old in all {
                self.link(nodes, old);
            }
        }
        self.link(nodes, index);
    }
    fn link(&mut self, nodes: &mut [Node], index: u32) {
        let node = &mut nodes[index as usize];
        let bucket = self.bucket(node.high, node.low);
        node.next = std::mem::replace(&mut self.buckets[bucket], index);
        self.n_nodes += 1;
    }
    /// A node, which is in the table, is in it no more.
    pub fn remove(&mut self, nodes: &mut [Node], index: u32) {
        let gone = nodes[index as usize];
        let bucket = self.bucket(gone.high, gone.low);
        let mut at = self.buckets[bucket];
        if at == index {
            self.buckets[bucket] = gone.next;
        } else {
            while at != NONE {
                let next = nodes[at as usize].next;
                if next == index {
                    nodes[at as usize].next = gone.next;
                    break;
                }
                at = next;
            }
        }
        self.n_nodes -= 1;
    }
    /// The nodes for which this is true are in the table no more.
    pub fn split(&mut self, nodes: &mut [Node], goes: impl Fn(&[Node], &Node) -> bool) -> Vec<u32> {
        // A table that was larger once is not walked through for a few nodes.
        if self.buckets.len() > 64 && self.n_nodes * 8 < self.buckets.len() {
            let all = self.take(nodes);
            self.buckets = vec![NONE; (all.len() * 2).next_power_of_two().max(16)];
            for old in all {
                self.link(nodes, old);
            }
        }
        let mut gone = Vec::new();
        for bucket in &mut self.buckets {
            let (mut at, mut last) = (*bucket, NONE);
            while at != NONE {
                let node = nodes[at as usize];
                if goes(nodes, &node) {
                    gone.push(at);
                    match last {
                        NONE => *bucket = node.next,
                        last => nodes[last as usize].next = node.next,
                    }
                } else {
                    last = at;
                }
                at = node.next;
            }
        }
        self.n_nodes -= gone.len();
        gone
    }
    /// All nodes; the table is empty after that.
    pub fn take(&mut self, nodes: &[Node]) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.n_nodes);
        for bucket in &mut self.buckets {
            let mut at = std::mem::replace(bucket, NONE);
            while at != NONE {
                all.push(at);
                at = nodes[at as usize].next;
            }
        }
        self.n_nodes = 0;
        all
    }
}
