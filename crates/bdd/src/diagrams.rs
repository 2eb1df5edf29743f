//! All nodes, and how they are made and collected.

use crate::cache::Cache;
use crate::table::{NONE, Node, Table};
use crate::{Bdd, Halt};
use indubit_run::Cancel;

/// All functions.
///
/// Invariant: no two nodes of a variable have equal children, no node has two equal children, and the variables of the children come later in the order.
#[derive(Debug)]
pub struct Diagrams {
    pub(crate) nodes: Vec<Node>,
    pub(crate) free: u32,
    pub(crate) n_nodes: usize,
    /// The nodes of each variable.
    pub(crate) tables: Vec<Table>,
    /// Where each variable is in the order, and the order.
    pub(crate) level: Vec<u32>,
    pub(crate) order: Vec<u32>,
    /// The variables that stay together, in the order of their first ones.
    pub(crate) blocks: Vec<Vec<u32>>,
    pub(crate) cache: Cache,
    /// What variables are replaced by, for each map that was asked for.
    pub(crate) maps: Vec<Vec<u32>>,
    most: usize,
    steps: u32,
    pub(crate) effort: u64,
    pub(crate) cancel: Cancel,
}

/// So often an operation looks whether the run has ended.
const STEPS: u32 = 1 << 12;

impl Diagrams {
    /// Variables in blocks of these sizes, in this order. Those of a block stay together.
    pub fn new(blocks: &[u32], cancel: Cancel) -> Diagrams {
        let n_vars: u32 = blocks.iter().sum();
        let mut first = 0;
        let block = |&size: &u32| {
            first += size;
            (first - size..first).collect()
        };
        let constant = Node { var: n_vars, next: NONE, high: Bdd::TRUE, low: Bdd::TRUE };
        Diagrams {
            nodes: vec![constant],
            free: NONE,
            n_nodes: 0,
            tables: vec![Table::new(); n_vars as usize],
            level: (0..=n_vars).collect(),
            order: (0..n_vars).collect(),
            blocks: blocks.iter().map(block).collect(),
            cache: Cache::new(),
            maps: Vec::new(),
            most: usize::MAX,
            steps: 0,
            effort: 0,
            cancel,
        }
    }
    /// So many nodes are allowed from now on.
    pub fn allow(&mut self, most: usize) {
        self.most = most;
    }
    /// How many nodes there are, wanted or not.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }
    /// How many steps all operations took together, and nodes that sifting went past: their effort, whatever the time is.
    pub fn n_steps(&self) -> u64 {
        self.effort + u64::from(self.steps)
    }
    /// The number of variables.
    pub fn n_vars(&self) -> usize {
        self.order.len()
    }
    /// A variable.
    pub fn var(&mut self, var: u32) -> Result<Bdd, Halt> {
        self.make(var, Bdd::TRUE, Bdd::FALSE)
    }
    /// The conjunction of variables: for [`exists`](Self::exists) and [`and_exists`](Self::and_exists).
    pub fn cube(&mut self, vars: impl IntoIterator<Item = u32>) -> Result<Bdd, Halt> {
        self.cube_of(vars.into_iter().map(|var| (var, true)))
    }
    /// The conjunction of variables and of negated variables.
    pub fn cube_of(&mut self, values: impl IntoIterator<Item = (u32, bool)>) -> Result<Bdd, Halt> {
        let mut values: Vec<(u32, bool)> = values.into_iter().collect();
        values.sort_unstable_by_key(|&(var, _)| std::cmp::Reverse(self.level[var as usize]));
        let mut cube = Bdd::TRUE;
        for (var, value) in values {
            cube = match value {
                true => self.make(var, cube, Bdd::FALSE)?,
                false => self.make(var, Bdd::FALSE, cube)?,
            };
        }
        Ok(cube)
    }
    /// If `var` then `high`, else `low`, whose variables come later.
    pub(crate) fn make(&mut self, var: u32, high: Bdd, low: Bdd) -> Result<Bdd, Halt> {
        if high == low {
            return Ok(high);
        }
        let negated = high.is_negated();
        let (high, low) = (high.xor(negated), low.xor(negated));
        if let Some(index) = self.tables[var as usize].find(&self.nodes, high, low) {
            return Ok(Bdd(index << 1).xor(negated));
        }
        if self.n_nodes >= self.most {
            return Err(Halt::Full);
        }
        let index = self.add(var, high, low);
        self.cache.suit(self.n_nodes);
        Ok(Bdd(index << 1).xor(negated))
    }
    /// A node that there is not yet.
    pub(crate) fn add(&mut self, var: u32, high: Bdd, low: Bdd) -> u32 {
        let node = Node { var, next: NONE, high, low };
        let index = match self.free {
            NONE => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
            free => {
                self.free = self.nodes[free as usize].next;
                self.nodes[free as usize] = node;
                free
            }
        };
        self.tables[var as usize].insert(&mut self.nodes, index);
        self.n_nodes += 1;
        index
    }
    /// A node that is in no table any more.
    pub(crate) fn discard(&mut self, index: u32) {
        self.nodes[index as usize].next = std::mem::replace(&mut self.free, index);
        self.n_nodes -= 1;
    }
    /// An operation goes one step further.
    pub(crate) fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps >= STEPS {
            self.steps = 0;
            self.effort += u64::from(STEPS);
            self.cancel.checkpoint()?;
        }
        Ok(())
    }
    /// The level of the first variable of a function; that of constants is the last.
    pub(crate) fn level_of(&self, f: Bdd) -> u32 {
        self.level[self.nodes[f.node()].var as usize]
    }
    /// What a function is if the variable at a level is true, and if it is false.
    pub(crate) fn children(&self, f: Bdd, level: u32) -> [Bdd; 2] {
        let node = &self.nodes[f.node()];
        if self.level[node.var as usize] != level {
            return [f, f];
        }
        [node.high.xor(f.is_negated()), node.low.xor(f.is_negated())]
    }
    /// Only these functions are still wanted: what they do not need is gone after that.
    pub fn collect(&mut self, wanted: &[Bdd]) {
        let marks = self.marks(wanted);
        for var in 0..self.tables.len() {
            for index in self.tables[var].take(&self.nodes) {
                match marks[index as usize] {
                    true => self.tables[var].insert(&mut self.nodes, index),
                    false => self.discard(index),
                }
            }
        }
        self.cache.keep(|f| f.is_const() || marks[f.node()]);
    }
    /// For each node whether some of these functions needs it.
    pub(crate) fn marks(&self, wanted: &[Bdd]) -> Vec<bool> {
        let mut marks = vec![false; self.nodes.len()];
        let mut stack: Vec<usize> = wanted.iter().map(|f| f.node()).collect();
        while let Some(index) = stack.pop() {
            if index != 0 && !std::mem::replace(&mut marks[index], true) {
                let node = &self.nodes[index];
                stack.extend([node.high.node(), node.low.node()]);
            }
        }
        marks
    }
}
