//! Sides and labels.
//!
//! Cut `j` puts the parts below `j` on side A and the others on side B. What occurs in parts `first..=last` is on one
//! side of most cuts, and on both sides of the cuts `first + 1 ..= last`.
//!
//! In a labelled interpolation system (D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant Strength*, VMCAI 2010)
//! each literal has a label: `a` if its variable is on side A only, `b` if it is on side B only; for the others the system
//! decides. Ours label all occurrences of a variable alike.

use crate::lemma::Range;
use std::ops::RangeInclusive;

/// How shared variables are labelled. From one refutation, McMillan's interpolant implies Pudlák's, which implies that
/// of the inverse of McMillan's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum System {
    /// `b`: the strongest of the three (McMillan, *Interpolation and SAT-Based Model Checking*, CAV 2003).
    #[default]
    McMillan,
    /// Both: symmetric in A and B (Pudlák 1997; also Huang 1995, Krajíček 1997).
    Pudlak,
    /// `a`: the weakest of the three, the dual of McMillan's.
    InverseMcMillan,
}

impl System {
    /// Every system there is, the strongest first.
    pub const ALL: [System; 3] = [System::McMillan, System::Pudlak, System::InverseMcMillan];
}

/// The side of a cut on which something is; also the label of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    A,
    B,
    Both,
}

/// The first and the last part in which something occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    first: u32,
    last: u32,
}

impl Span {
    /// It occurs nowhere.
    pub(crate) const NOWHERE: Span = Span { first: u32::MAX, last: 0 };

    /// It occurs in one part.
    pub(crate) fn part(part: u32) -> Span {
        Span { first: part, last: part }
    }
    /// It occurs in these parts.
    pub(crate) fn new(range: Range) -> Span {
        Span { first: range.first, last: range.last }
    }
    /// Where it occurs, if it does.
    pub(crate) fn range(self) -> Option<Range> {
        (self != Span::NOWHERE).then_some(Range { first: self.first, last: self.last })
    }
    /// It occurs also where `other` does.
    pub(crate) fn join(&mut self, other: Span) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
    /// Where it is at a cut. For what occurs nowhere one side is as good as the other.
    pub(crate) fn side(self, cut: u32) -> Side {
        match self {
            Span { last, .. } if last < cut => Side::A,
            Span { first, .. } if first >= cut => Side::B,
            _ => Side::Both,
        }
    }
    /// Those of `cuts` that have it on both sides.
    pub(crate) fn cuts(self, cuts: &RangeInclusive<u32>) -> RangeInclusive<u32> {
        self.first.saturating_add(1).max(*cuts.start())..=self.last.min(*cuts.end())
    }
    /// The label at a cut of a variable that occurs here.
    pub(crate) fn label(self, cut: u32, system: System) -> Side {
        match (self.side(cut), system) {
            (Side::Both, System::McMillan) => Side::B,
            (Side::Both, System::InverseMcMillan) => Side::A,
            (side, _) => side,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_cuts() {
        let mut span = Span::NOWHERE;
        span.join(Span::part(3));
        assert_eq!([3, 4].map(|cut| span.side(cut)), [Side::B, Side::A]);
        assert!(span.cuts(&(0..=9)).is_empty());
        span.join(Span::part(1));
        assert_eq!([1, 2, 3, 4].map(|cut| span.side(cut)), [Side::B, Side::Both, Side::Both, Side::A]);
        assert_eq!((span.cuts(&(0..=9)), span.cuts(&(3..=3))), (2..=3, 3..=3));
        assert_eq!(System::ALL.map(|s| span.label(2, s)), [Side::B, Side::Both, Side::A]);
        assert_eq!(System::ALL.map(|s| span.label(4, s)), [Side::A; 3]);
        assert_eq!(System::default(), System::McMillan);
    }
}
