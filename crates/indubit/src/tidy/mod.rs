//! Proofs that people can read: an invariant goes without what the proof can do without, if it is small.

pub(crate) mod bits;
pub(crate) mod words;
