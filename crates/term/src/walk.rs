//! Going over terms: cones, variables, substitution. Arguments have smaller numbers than what they are in, so the
//! terms below some roots, in the order of their numbers, are in an order for computing from the leaves up.

use crate::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use std::hash::BuildHasher;

impl Terms {
    /// All terms below the roots, with the roots, arguments first.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        self.cone_above(roots, |_| false)
    }
    /// All terms below the roots, with the roots, arguments first. What is below a term where `stop` holds does not count, unless it is below
    /// another one.
    pub fn cone_above(&self, roots: &[Term], stop: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut found: Vec<Term> = Vec::new();
        found.extend(roots.iter().filter(|&&root| seen.insert(root)));
        let mut open = 0;
        while let Some(&term) = found.get(open) {
            open += 1;
            if !stop(term) {
                found.extend(self.args(term).iter().filter(|&&arg| seen.insert(arg)));
            }
        }
        found.sort_unstable();
        found
    }
    /// The variables below the roots, in the order in which they were made.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut cone = self.cone(roots);
        cone.retain(|&term| self.is_var(term));
        cone
    }
    /// The term with other terms in the place of some (of any: variables or not), simplified. What is put in
    /// is not looked into again.
    ///
    /// # Panics
    /// If a term is replaced by one of another sort.
    pub fn substitute<S: BuildHasher>(&mut self, term: Term, map: &HashMap<Term, Term, S>) -> Term {
        self.substitute_all(&[term], map)[0]
    }
    /// These terms with other terms in the place of some (of any: variables or not), simplified. What is put in is not looked into again.
    ///
    /// # Panics
    /// If a term is replaced by one of another sort.
    pub fn substitute_all<S: BuildHasher>(
        &mut self,
        roots: &[Term],
        map: &HashMap<Term, Term, S>,
    ) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut args: Vec<Term> = Vec::new();
        for term in self.cone_above(roots, |term| map.contains_key(&term)) {
            if let Some(&image) = map.get(&term) {
                assert_eq!(self.sort(term), self.sort(image), "a term is replaced by one of its sort");
                done.insert(term, image);
                continue;
            }
            args.clear();
            args.extend(self.args(term).iter().map(|arg| done[arg]));
            let image = if args == self.args(term) { term } else { self.build(self.op(term), &args) };
            done.insert(term, image);
        }
        roots.iter().map(|root| done[root]).collect()
    }
    /// Terms of another pool as terms of this one. `image` says what some of them are here; variables that it does not know become new ones of
    /// the same name.
    ///
    /// # Panics
    /// If an image is of another sort than its original.
    pub fn copy(&mut self, other: &Terms, roots: &[Term], image: impl Fn(Term) -> Option<Term>) -> Vec<Term> {
        let mut copies: FxHashMap<Term, Term> = FxHashMap::default();
        for term in other.cone_above(roots, |term| image(term).is_some()) {
            let copy = match (image(term), other.value(term), other.name(term)) {
                (Some(known), ..) => known,
                (None, Some(value), _) => self.constant(value.clone()),
                (None, None, Some(name)) => self.var(name, other.sort(term)),
                (None, None, None) => {
                    let args: Vec<Term> = other.args(term).iter().map(|arg| copies[arg]).collect();
                    self.build(other.op(term), &args)
                }
            };
            assert_eq!(other.sort(term), self.sort(copy), "a copy has the sort of the original");
            copies.insert(term, copy);
        }
        roots.iter().map(|root| copies[root]).collect()
    }
    /// The conjuncts of a term, those of conjunctions below conjunctions included.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if self.op(term) == crate::Op::And {
                open.extend(self.args(term).iter().rev());
            } else if self.as_bool(term) != Some(true) {
                found.push(term);
            }
        }
        found
    }
}
