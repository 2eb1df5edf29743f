//! Values of arrays: what is at some indices, and what is at all others.

use crate::{ArraySort, Sort, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// An array as a value.
///
/// Invariant: no index is in the table whose element is that of all others; and where indices can be counted, no element is at more indices than
/// that of all others, nor a smaller one at as many. So equal arrays have equal tables.
///
/// ```
/// use indubit_term::{Sort, Table, Value};
/// let Some(Sort::Array(sort)) = Sort::array(Sort::BitVec(1), Sort::Bool) else { unreachable!() };
/// let mut a = Table::constant(sort, false.into());
/// a.set(Value::bits(1, 0u32), true.into());
/// let mut b = Table::constant(sort, true.into());
/// b.set(Value::bits(1, 1u32), false.into());
/// assert_eq!(a, b);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Table {
    sort: ArraySort,
    others: Box<Value>,
    entries: Arc<BTreeMap<Value, Value>>,
}

impl Table {
    /// The array with this element at every index.
    pub fn constant(sort: ArraySort, element: Value) -> Table {
        Table { sort, others: Box::new(element), entries: Arc::default() }
    }
    /// The array with these elements, in the order of indices.
    pub(crate) fn of_all(sort: ArraySort, elements: Vec<Value>) -> Table {
        let zero = Value::zero(sort.element.into());
        let mut table = Table::constant(sort, zero.clone());
        let entries = elements.into_iter().enumerate().filter(|(_, element)| *element != zero);
        let entries = entries.map(|(i, element)| (table.nth(i as u64), element)).collect();
        table.entries = Arc::new(entries);
        table.settle();
        table
    }
    /// Its sort.
    pub fn sort(&self) -> ArraySort {
        self.sort
    }
    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.others)
    }
    /// Another element at an index.
    pub fn set(&mut self, index: Value, element: Value) {
        let entries = Arc::make_mut(&mut self.entries);
        if element == *self.others {
            entries.remove(&index);
        } else {
            entries.insert(index, element);
        }
        self.settle();
    }
    /// The element of all indices that [`entries`](Self::entries) does not have.
    pub fn others(&self) -> &Value {
        &self.others
    }
    /// The indices with other elements, and these.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }
    /// If half of all indices have entries, the element of the others may be another one.
    fn settle(&mut self) {
        let n_entries = self.entries.len() as u64;
        let Some(n_indices) = self.sort.n_indices().filter(|n| n_entries >= n - n_entries) else { return };
        let mut counts: HashMap<&Value, u64> = HashMap::new();
        counts.insert(&self.others, n_indices - n_entries);
        self.entries.values().for_each(|element| *counts.entry(element).or_default() += 1);
        let most = counts.values().copied().max().unwrap_or_default();
        let candidates = counts.iter().filter(|(_, n)| **n == most).map(|(element, _)| *element);
        let Some(others) = candidates.min().filter(|&best| *best != *self.others).cloned() else { return };
        let all: Vec<Value> = (0..n_indices).map(|i| self.nth(i)).collect();
        let mut entries: BTreeMap<Value, Value> =
            all.into_iter().map(|index| (index.clone(), self.get(&index).clone())).collect();
        entries.retain(|_, element| *element != others);
        (self.others, self.entries) = (Box::new(others), Arc::new(entries));
    }
    /// An index by its number, where they can be counted.
    pub(crate) fn nth(&self, number: u64) -> Value {
        match Sort::from(self.sort.index) {
            Sort::BitVec(width) => Value::bits(width, number),
            _ => Value::Bool(number == 1),
        }
    }
}

/// As SMT-LIB writes it: one element everywhere, others stored.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|_| f.write_str("(store "))?;
        write!(f, "((as const {}) {})", Sort::Array(self.sort), self.others)?;
        self.entries.iter().try_for_each(|(index, element)| write!(f, " {index} {element})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arrays_have_equal_tables() {
        let Some(Sort::Array(sort)) = Sort::array(Sort::BitVec(2), Sort::BitVec(1)) else { unreachable!() };
        let rng = &mut fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let mut elements = [rng.u8(0..2); 4];
            let mut table = Table::constant(sort, Value::bits(1, elements[0]));
            for _ in 0..rng.usize(0..8) {
                let (index, element) = (rng.usize(0..4), rng.u8(0..2));
                elements[index] = element;
                table.set(Value::bits(2, index), Value::bits(1, element));
            }
            let mut again = Table::constant(sort, Value::bits(1, rng.u8(0..2)));
            for index in [2usize, 0, 3, 1] {
                assert_eq!(*table.get(&Value::bits(2, index)), Value::bits(1, elements[index]));
                again.set(Value::bits(2, index), Value::bits(1, elements[index]));
            }
            assert_eq!(table, again);
        }
        let mut table = Table::constant(sort, Value::bits(1, 1u32));
        table.set(Value::bits(2, 2u32), Value::bits(1, 0u32));
        assert_eq!(table.to_string(), "(store ((as const (Array (_ BitVec 2) (_ BitVec 1))) #b1) #b10 #b0)");
    }
}
