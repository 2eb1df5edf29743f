//! Cones of influence within one time step.

use crate::Aig;
use indubit_logic::{Lit, Var};

/// Collects transitive fanins; the marks are reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Cone {
    stamp: u32,
    marks: Vec<u32>,
    stack: Vec<Var>,
    vars: Vec<Var>,
}

impl Cone {
    /// An empty cone.
    pub fn new() -> Cone {
        Cone::default()
    }
    /// The nodes that `roots` depend on, the roots included, in topological order, without the constant.
    pub fn collect(&mut self, aig: &Aig, roots: impl IntoIterator<Item = Lit>) -> &[Var] {
        self.clear(aig);
        for root in roots {
            self.add(aig, root);
        }
        self.vars.sort_unstable();
        &self.vars
    }
    /// Empty the cone, ready for [`Cone::add`] on `aig`.
    pub fn clear(&mut self, aig: &Aig) {
        self.vars.clear();
        self.marks.resize(aig.n_vars().max(self.marks.len()), 0);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill(0);
            self.stamp = 1;
        }
        self.marks[Var::CONST.index()] = self.stamp;
    }
    /// Add the cone of one more root.
    pub fn add(&mut self, aig: &Aig, root: Lit) {
        self.add_up_to(aig, root, usize::MAX);
    }
    /// Add the cone of one more root, unless there are more than `max` members: then only a part of it. Is it whole?
    pub fn add_up_to(&mut self, aig: &Aig, root: Lit, max: usize) -> bool {
        self.visit(root.var());
        while let Some(var) = self.stack.pop() {
            if self.vars.len() > max {
                self.stack.clear();
                return false;
            }
            for fanin in aig.fanins(var).into_iter().flatten() {
                self.visit(fanin.var());
            }
        }
        true
    }
    /// Add the cones of whatever `follow` names for a member, until nothing is new.
    pub fn close<I: IntoIterator<Item = Lit>>(&mut self, aig: &Aig, follow: impl Fn(Var) -> I) {
        let mut seen = 0;
        while let Some(&var) = self.vars.get(seen) {
            seen += 1;
            for root in follow(var) {
                self.add(aig, root);
            }
        }
    }
    fn visit(&mut self, var: Var) {
        if self.marks[var.index()] != self.stamp {
            self.marks[var.index()] = self.stamp;
            self.vars.push(var);
            self.stack.push(var);
        }
    }
    /// Is `var` in the cone (or the constant)?
    pub fn contains(&self, var: Var) -> bool {
        self.marks.get(var.index()) == Some(&self.stamp)
    }
    /// The members so far, in the order they were found.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cone_is_the_transitive_fanin() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let ab = aig.and(a, b);
        let abc = aig.and(!ab, c);
        let mut cone = Cone::new();
        assert_eq!(cone.collect(&aig, [!ab]), [a.var(), b.var(), ab.var()]);
        assert!(!cone.contains(c.var()) && cone.contains(Var::CONST));
        assert_eq!(cone.collect(&aig, [abc, Lit::TRUE]).len(), 5);
        assert!(cone.collect(&aig, [Lit::FALSE]).is_empty());
        assert!(!cone.add_up_to(&aig, abc, 2));
        cone.clear(&aig);
        assert!(cone.add_up_to(&aig, abc, 5));
    }
}
