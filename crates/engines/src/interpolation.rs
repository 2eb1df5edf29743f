//! What the engines that interpolate have in common.

use crate::bounded::Interpolate;
use indubit_interpolate::System;
use indubit_run::{Run, Stop};
use indubit_system::{Conclusion, Kind};

/// How interpolation is used.
#[derive(Clone, Copy, Debug)]
pub struct InterpolationConfig {
    /// The interpolation system.
    pub system: System,
    /// Equal gates of interpolants are merged.
    pub compact: bool,
    /// ITP: the inner loop goes on from all states that were reached, and not only from those of the last interpolant.
    pub from_all: bool,
    /// ITP: the next bound is larger by as many steps as the inner loop has made, and not by one.
    pub leap: bool,
}

impl Default for InterpolationConfig {
    fn default() -> InterpolationConfig {
        InterpolationConfig { system: System::McMillan, compact: true, from_all: false, leap: true }
    }
}

/// How a search ends.
pub(crate) enum Found<T, P> {
    Trace(T),
    Proof(P),
}

impl<K: Kind> From<Found<K::Trace, K::Proof>> for Conclusion<K> {
    fn from(found: Found<K::Trace, K::Proof>) -> Conclusion<K> {
        match found {
            Found::Trace(trace) => Conclusion::Unsafe(trace),
            Found::Proof(proof) => Conclusion::Safe(proof),
        }
    }
}

/// What is counted and known along the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) safe_up_to: Option<u32>,
    n_interpolants: u64,
    n_gates: u64,
    largest: u64,
}

impl Progress {
    /// There is no counterexample of length `k`, or of a smaller one.
    pub(crate) fn refuted(&mut self, k: u32, run: &mut Run<'_>) {
        if self.safe_up_to < Some(k) {
            self.safe_up_to = Some(k);
            run.publish_bound(k);
            run.spend(1);
        }
    }
    /// Count interpolants.
    pub(crate) fn found<B: Interpolate>(&mut self, frames: &B, interpolants: &[B::States]) {
        for &states in interpolants {
            let size = frames.size(states) as u64;
            self.n_interpolants += 1;
            self.n_gates += size;
            self.largest = self.largest.max(size);
        }
    }
    /// Tell the observer what was counted.
    pub(crate) fn report(&self, run: &mut Run<'_>) {
        for (name, value) in [
            ("interpolants", self.n_interpolants),
            ("gates of all interpolants", self.n_gates),
            ("gates of the largest interpolant", self.largest),
        ] {
            run.count(name, value);
        }
    }
    /// The verdict of a run that was ended.
    pub(crate) fn unknown<K: Kind>(&self, stop: Stop) -> Conclusion<K> {
        Conclusion::Unknown { stop, safe_up_to: self.safe_up_to }
    }
}
