//! Binary decision diagrams (R. E. Bryant, *Graph-Based Algorithms for Boolean Function Manipulation*, 1986): Boolean functions in a form in which equal ones are
//! the same, and in which variables are quantified.
//!
//! - [`Diagrams`]: all functions, which share what they have in common. Edges may be complemented (K. S. Brace, R. L. Rudell, R. E. Bryant, *Efficient Implementation of a BDD
//!   Package*, DAC 1990).
//! - [`Bdd`]: one of them, a number.
//! - `reorder`: sifting (R. Rudell, *Dynamic Variable Ordering for Ordered Binary Decision Diagrams*, ICCAD 1993), by blocks of variables that stay together.
//!
//! Nothing is counted: whoever asks for nodes to be [collected](Diagrams::collect), or variables to be [sifted](Diagrams::sift), says which functions are still wanted. An
//! operation ends with [`Halt::Full`] when there are as many nodes as [are allowed](Diagrams::allow); then its operands are as they were, and it can be asked again.
//!
//! ```
//! use indubit_bdd::Diagrams;
//! use indubit_run::Cancel;
//! let mut all = Diagrams::new(&[1, 1, 1], Cancel::new());
//! let [a, b, c] = [0, 1, 2].map(|v| all.var(v).unwrap());
//! let both = all.and(a, b).unwrap();
//! let f = all.or(both, c).unwrap();
//! assert_eq!(all.exists(f, c).unwrap(), indubit_bdd::Bdd::TRUE);
//! assert_eq!(all.pick(!f).unwrap(), [(0, false), (2, false)]);
//! ```

mod cache;
mod cover;
mod diagrams;
mod look;
mod operations;
mod reorder;
mod table;
#[cfg(test)]
mod tests;

pub use cover::Cube;
pub use diagrams::Diagrams;

use indubit_run::Stop;
use std::ops::Not;

/// A function: the number of its node, and whether it is the negation of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(u32);

impl Bdd {
    /// *True*.
    pub const TRUE: Bdd = Bdd(0);
    /// *False*.
    pub const FALSE: Bdd = Bdd(1);

    /// Is it *true* or *false*?
    pub fn is_const(self) -> bool {
        self.0 < 2
    }
    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }
    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// The function, or its negation.
    fn xor(self, negated: bool) -> Bdd {
        Bdd(self.0 ^ u32::from(negated))
    }
    fn regular(self) -> Bdd {
        Bdd(self.0 & !1)
    }
}

impl Not for Bdd {
    type Output = Bdd;

    fn not(self) -> Bdd {
        Bdd(self.0 ^ 1)
    }
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// There are as many nodes as are allowed.
    Full,
    /// The run has ended.
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}
