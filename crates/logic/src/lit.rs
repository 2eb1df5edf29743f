//! Variables and literals.

use std::fmt;
use std::ops::{BitXor, Index, IndexMut, Not};

/// A variable: a dense index. Variable 0 is the constant *false* wherever a circuit is involved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Var(u32);

impl Var {
    /// The constant *false*.
    pub const CONST: Var = Var(0);
    /// The largest variable whose literals fit into 32 bits and into DIMACS numbering.
    pub const MAX: Var = Var((1 << 30) - 2);

    /// The variable with this index.
    pub const fn new(index: u32) -> Var {
        debug_assert!(index <= Self::MAX.0);
        Var(index)
    }
    /// The variable with this index; the caller's collection is bounded by [`Var::MAX`].
    pub fn from_index(index: usize) -> Var {
        debug_assert!(index <= Self::MAX.0 as usize);
        Var(index as u32)
    }
    /// The index as an array subscript.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
    /// The positive literal, or the negative one if `negated`.
    pub const fn lit(self, negated: bool) -> Lit {
        Lit(self.0 << 1 | negated as u32)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// A literal, coded as `2 * variable + negated` exactly as in AIGER: 0 is *false*, 1 is *true*.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Lit(u32);

impl Lit {
    /// The constant *false*.
    pub const FALSE: Lit = Lit(0);
    /// The constant *true*.
    pub const TRUE: Lit = Lit(1);

    /// The literal with this code (`2 * variable + negated`).
    pub const fn from_code(code: u32) -> Lit {
        Lit(code)
    }
    /// `2 * variable + negated`.
    pub const fn code(self) -> u32 {
        self.0
    }
    /// The code as an array subscript.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
    /// The positive literal of `var`.
    pub const fn positive(var: Var) -> Lit {
        var.lit(false)
    }
    /// The literal's variable.
    pub const fn var(self) -> Var {
        Var(self.0 >> 1)
    }
    /// Is it the negation of its variable?
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// Is it one of the two constants?
    pub const fn is_const(self) -> bool {
        self.0 <= 1
    }
    /// The literal of `var` that is true when `var` has this value.
    pub const fn with_value(var: Var, value: bool) -> Lit {
        var.lit(!value)
    }
    /// The constant literal for this value.
    pub const fn constant(value: bool) -> Lit {
        Lit(value as u32)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// `lit ^ true` is the complement, `lit ^ false` the literal itself.
impl BitXor<bool> for Lit {
    type Output = Lit;
    fn bitxor(self, flip: bool) -> Lit {
        Lit(self.0 ^ flip as u32)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated() { "!" } else { "" };
        write!(f, "{sign}v{}", self.0 >> 1)
    }
}

/// A dense table indexed by variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VarMap<T>(pub Vec<T>);

impl<T: Clone> VarMap<T> {
    /// A table for `n_vars` variables, each with `value`.
    pub fn filled(n_vars: usize, value: T) -> VarMap<T> {
        VarMap(vec![value; n_vars])
    }
}

impl VarMap<Lit> {
    /// Follow the map through a literal, keeping its sign.
    pub fn lit(&self, lit: Lit) -> Lit {
        self[lit.var()] ^ lit.is_negated()
    }
}

impl<T> Index<Var> for VarMap<T> {
    type Output = T;
    fn index(&self, var: Var) -> &T {
        &self.0[var.index()]
    }
}

impl<T> IndexMut<Var> for VarMap<T> {
    fn index_mut(&mut self, var: Var) -> &mut T {
        &mut self.0[var.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_codes_follow_aiger() {
        let v = Var::new(3);
        assert_eq!(v.lit(false).code(), 6);
        assert_eq!(v.lit(true).code(), 7);
        assert_eq!(!v.lit(true), v.lit(false));
        assert_eq!(Lit::with_value(v, true), v.lit(false));
        assert_eq!(Lit::constant(true), Lit::TRUE);
        assert_eq!(!Lit::FALSE, Lit::TRUE);
        assert_eq!(v.lit(false) ^ true, v.lit(true));
    }
}
