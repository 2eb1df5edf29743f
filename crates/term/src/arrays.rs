//! Constructors of arrays: an element that was stored is read where the index is the same, and looked for below where it cannot be.

use crate::{ArraySort, Op, Sort, Table, Term, Terms, Value};

impl Terms {
    /// What an array has at an index.
    ///
    /// # Panics
    /// If it is not an array, or the index is of another sort.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let mut array = array;
        loop {
            match (self.op(array), self.args(array)) {
                (Op::Store, &[_, at, element]) if at == index => return element,
                (Op::Store, &[below, at, _]) if self.are_different(at, index) => array = below,
                (Op::ConstArray(_), &[element]) => return element,
                (Op::Const, _) => {
                    let Some(Value::Array(table)) = self.value(array) else { break };
                    // A constant is read at a constant; one that is the same everywhere is read anywhere.
                    let element = match self.value(index) {
                        Some(index) => table.get(index).clone(),
                        None if table.entries().len() == 0 => table.others().clone(),
                        None => break,
                    };
                    return self.constant(element);
                }
                _ => break,
            }
        }
        self.intern(Op::Select, &[array, index])
    }
    /// An array with another element at an index.
    ///
    /// # Panics
    /// If the sorts are wrong.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        if let (Op::Select, &[from, at]) = (self.op(element), self.args(element))
            && (from, at) == (array, index)
        {
            return array;
        }
        // What was stored there before is lost.
        let array = match (self.op(array), self.args(array)) {
            (Op::Store, &[below, at, _]) if at == index => below,
            _ => array,
        };
        if let (Some(Value::Array(table)), Some(index), Some(element)) =
            (self.value(array), self.value(index), self.value(element))
        {
            let mut table = table.clone();
            table.set(index.clone(), element.clone());
            return self.constant(Value::Array(table));
        }
        self.intern(Op::Store, &[array, index, element])
    }
    /// The array with one element everywhere.
    ///
    /// # Panics
    /// If the element is of another sort.
    pub fn const_array(&mut self, sort: ArraySort, element: Term) -> Term {
        match self.value(element).cloned() {
            Some(value) if Sort::from(sort.element) == value.sort() => {
                self.constant(Value::Array(Table::constant(sort, value)))
            }
            _ => self.intern(Op::ConstArray(sort), &[element]),
        }
    }
    pub(crate) fn eq_arrays(&mut self, a: Term, b: Term) -> Term {
        match (self.value(a), self.value(b)) {
            // They are different terms.
            (Some(_), Some(_)) => self.bool(false),
            _ => self.intern(Op::Eq, &[a.min(b), a.max(b)]),
        }
    }
    /// Are two indices known to be different?
    fn are_different(&self, a: Term, b: Term) -> bool {
        a != b && self.value(a).is_some() && self.value(b).is_some()
    }
}
