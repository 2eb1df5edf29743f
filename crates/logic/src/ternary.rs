//! Three-valued logic: false, true, unknown.

use std::fmt;
use std::ops::{BitAnd, BitXor, Not};

/// A value of Kleene's strong three-valued logic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
#[repr(u8)]
pub enum Ternary {
    /// Known to be false.
    False,
    /// Known to be true.
    True,
    /// Either.
    #[default]
    Unknown,
}

impl Ternary {
    /// The known value, if it is known.
    pub const fn known(self) -> Option<bool> {
        match self {
            Ternary::False => Some(false),
            Ternary::True => Some(true),
            Ternary::Unknown => None,
        }
    }
    /// The least precise value that covers both.
    pub fn join(self, other: Ternary) -> Ternary {
        if self == other { self } else { Ternary::Unknown }
    }
}

impl From<bool> for Ternary {
    fn from(value: bool) -> Ternary {
        if value { Ternary::True } else { Ternary::False }
    }
}

impl From<Option<bool>> for Ternary {
    fn from(value: Option<bool>) -> Ternary {
        value.map_or(Ternary::Unknown, Ternary::from)
    }
}

impl Not for Ternary {
    type Output = Ternary;
    fn not(self) -> Ternary {
        match self {
            Ternary::False => Ternary::True,
            Ternary::True => Ternary::False,
            Ternary::Unknown => Ternary::Unknown,
        }
    }
}

impl BitXor<bool> for Ternary {
    type Output = Ternary;
    fn bitxor(self, flip: bool) -> Ternary {
        if flip { !self } else { self }
    }
}

impl BitAnd for Ternary {
    type Output = Ternary;
    fn bitand(self, other: Ternary) -> Ternary {
        use Ternary::{False, True, Unknown};
        match (self, other) {
            (False, _) | (_, False) => False,
            (True, True) => True,
            _ => Unknown,
        }
    }
}

impl fmt::Display for Ternary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ternary::False => "0",
            Ternary::True => "1",
            Ternary::Unknown => "x",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Ternary::{self, False, True, Unknown};

    /// Each operator must agree with the set of Boolean results over all completions.
    #[test]
    fn operators_are_exact_on_completions() {
        let values = |t: Ternary| t.known().map_or(vec![false, true], |b| vec![b]);
        let collect = |bits: Vec<bool>| bits.iter().map(|&b| b.into()).reduce(Ternary::join).unwrap();
        for a in [False, True, Unknown] {
            assert_eq!(!a, collect(values(a).iter().map(|x| !x).collect()));
            for b in [False, True, Unknown] {
                let all = values(a).iter().flat_map(|&x| values(b).into_iter().map(move |y| x & y)).collect();
                assert_eq!(a & b, collect(all));
            }
        }
    }
}
