//! Arrays by variable, by literal or by word of a clause, read without looking at their length.
//!
//! The kernel reads hundreds of such entries for each decision, and the tests of their bounds were a seventh of all its
//! instructions. *The contract:* an index belongs to a variable that `Kernel::grow` has made room for, in every array at
//! once, or to a clause that the arena has made. Everything that comes from outside passes one of the kernel's
//! entries, which grow or compare first; inside, literals only move from one place to another. Builds with debug
//! assertions, and so all tests, check every access.

#![expect(unsafe_code, reason = "the tests of bounds would be a seventh of all instructions")]

use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A vector that trusts its indices.
#[derive(Clone, Debug)]
pub(crate) struct Table<T>(Vec<T>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(Vec::new())
    }
}

impl<T> Table<T> {
    /// The entries from `at` on, `len` of them.
    pub(crate) fn part(&self, at: usize, len: usize) -> &[T] {
        debug_assert!(at + len <= self.0.len());
        // SAFETY: the contract above; the caller read `len` where the arena wrote it with the entries.
        unsafe { self.0.get_unchecked(at..at + len) }
    }
    /// The entries from `at` on, `len` of them, to be changed.
    pub(crate) fn part_mut(&mut self, at: usize, len: usize) -> &mut [T] {
        debug_assert!(at + len <= self.0.len());
        // SAFETY: as in `part`.
        unsafe { self.0.get_unchecked_mut(at..at + len) }
    }
}

impl<T> Index<usize> for Table<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, at: usize) -> &T {
        debug_assert!(at < self.0.len());
        // SAFETY: the contract above.
        unsafe { self.0.get_unchecked(at) }
    }
}

impl<T> IndexMut<usize> for Table<T> {
    #[inline(always)]
    fn index_mut(&mut self, at: usize) -> &mut T {
        debug_assert!(at < self.0.len());
        // SAFETY: the contract above.
        unsafe { self.0.get_unchecked_mut(at) }
    }
}

impl<T> Deref for Table<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}
