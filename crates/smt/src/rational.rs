//! Exact rational numbers with a fast path for small ones.
//!
//! A number is two machine words as long as numerator and denominator fit, and a [`BigRational`] otherwise. Every operation
//! on small numbers is checked; what overflows goes through large numbers, and what is small again becomes small again, so
//! that each number has one representation.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// An exact rational number.
#[derive(Clone, PartialEq, Eq)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq)]
enum Repr {
    /// Numerator and denominator without a common factor.
    Small(i64, NonZeroU64),
    /// Does not fit above.
    Big(Box<BigRational>),
}

const ONE: NonZeroU64 = NonZeroU64::MIN;

/// The greatest common divisor; of 0 and n it is n.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

fn gcd_wide(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd(a, b));
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational(Repr::Small(0, ONE));
    /// 1.
    pub const ONE: Rational = Rational(Repr::Small(1, ONE));

    /// `numerator / denominator`.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn new(numerator: i64, denominator: i64) -> Rational {
        assert_ne!(denominator, 0, "a denominator is not 0");
        let (n, d) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let common = gcd(n, d);
        let n = i128::from(n / common);
        Rational::lowest(if (numerator < 0) != (denominator < 0) { -n } else { n }, u128::from(d / common))
    }
    /// A fraction that may have common factors.
    fn reduced(numerator: i128, denominator: u128) -> Rational {
        let common = gcd_wide(numerator.unsigned_abs(), denominator);
        Rational::lowest(numerator / common as i128, denominator / common)
    }
    /// A fraction without common factors.
    fn lowest(numerator: i128, denominator: u128) -> Rational {
        match (i64::try_from(numerator), u64::try_from(denominator)) {
            (Ok(n), Ok(d)) => Rational(Repr::Small(n, NonZeroU64::new(d).expect("a denominator is not 0"))),
            _ => {
                let (n, d) = (BigInt::from(numerator), BigInt::from(denominator));
                Rational(Repr::Big(Box::new(BigRational::new_raw(n, d))))
            }
        }
    }
    /// As a large number, whatever its size.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(n, d) => BigRational::new_raw(BigInt::from(*n), BigInt::from(d.get())),
            Repr::Big(big) => (**big).clone(),
        }
    }
    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }
    /// Is it 1?
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, ONE))
    }
    /// Has it no fractional part?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == ONE,
            Repr::Big(big) => big.is_integer(),
        }
    }
    /// Add `a · b`.
    #[inline]
    pub fn add_product(&mut self, a: &Rational, b: &Rational) {
        if let (Repr::Small(sum, ONE), Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&mut self.0, &a.0, &b.0)
            && let Some(result) = a.checked_mul(*b).and_then(|product| sum.checked_add(product))
        {
            *sum = result;
            return;
        }
        *self += &(a * b);
    }
    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(n, _) => n.signum() as i32,
            Repr::Big(big) => {
                if big.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }
    /// Below 0?
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }
    /// Above 0?
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }
    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }
    /// The largest integer that is not larger.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small(_, ONE) => self.clone(),
            Repr::Small(n, d) => Rational::lowest(i128::from(*n).div_euclid(i128::from(d.get())), 1),
            Repr::Big(big) => Rational::from(big.floor()),
        }
    }
    /// The smallest integer that is not smaller.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }
    /// The numerator of the reduced fraction, as an integer.
    pub fn numerator(&self) -> Rational {
        match &self.0 {
            Repr::Small(n, _) => Rational(Repr::Small(*n, ONE)),
            Repr::Big(big) => Rational::from(big.numer().clone()),
        }
    }
    /// The denominator of the reduced fraction, as an integer.
    pub fn denominator(&self) -> Rational {
        match &self.0 {
            Repr::Small(_, d) => Rational::lowest(i128::from(d.get()), 1),
            Repr::Big(big) => Rational::from(big.denom().clone()),
        }
    }
    /// 1 / self.
    ///
    /// # Panics
    /// If it is 0.
    pub fn recip(&self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => {
                assert_ne!(*n, 0, "nothing is divided by 0");
                let numerator = i128::from(d.get()) * i128::from(n.signum());
                Rational::lowest(numerator, u128::from(n.unsigned_abs()))
            }
            Repr::Big(big) => Rational::from(big.recip()),
        }
    }
    /// The greatest common divisor of two integers, not negative.
    pub fn gcd(&self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => {
                Rational::lowest(i128::from(gcd(a.unsigned_abs(), b.unsigned_abs())), 1)
            }
            _ => {
                debug_assert!(self.is_integer() && other.is_integer());
                Rational::from(self.to_big().numer().gcd(other.to_big().numer()))
            }
        }
    }
    /// The least common multiple of two integers, not negative.
    pub fn lcm(&self, other: &Rational) -> Rational {
        if self.is_zero() || other.is_zero() {
            return Rational::ZERO;
        }
        (&(self / &self.gcd(other)) * other).abs()
    }
    fn big(&self, other: &Rational, operation: impl Fn(BigRational, BigRational) -> BigRational) -> Rational {
        Rational::from(operation(self.to_big(), other.to_big()))
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Rational(Repr::Small(n, ONE))
    }
}

impl From<BigInt> for Rational {
    fn from(n: BigInt) -> Rational {
        Rational::from(BigRational::new_raw(n, BigInt::one()))
    }
}

impl From<BigRational> for Rational {
    /// The fraction must be reduced, as those of `num-rational` are.
    fn from(big: BigRational) -> Rational {
        match (big.numer().to_i64(), big.denom().to_u64().and_then(NonZeroU64::new)) {
            (Some(n), Some(d)) => Rational(Repr::Small(n, d)),
            _ => Rational(Repr::Big(Box::new(big))),
        }
    }
}

impl From<&Rational> for BigRational {
    fn from(n: &Rational) -> BigRational {
        n.to_big()
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => match a.checked_add(*b) {
                Some(sum) => Rational(Repr::Small(sum, ONE)),
                None => Rational::lowest(i128::from(*a) + i128::from(*b), 1),
            },
            (Repr::Small(a, d), Repr::Small(b, e)) => {
                let (d, e) = (i128::from(d.get()), i128::from(e.get()));
                // Each product is below 2^127, their sum may not be.
                let sum = (i128::from(*a) * e).checked_add(i128::from(*b) * d);
                match (sum, d.checked_mul(e)) {
                    (Some(n), Some(d)) => Rational::reduced(n, d as u128),
                    _ => self.big(other, |a, b| a + b),
                }
            }
            _ => self.big(other, |a, b| a + b),
        }
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => match a.checked_mul(*b) {
                Some(product) => Rational(Repr::Small(product, ONE)),
                None => Rational::lowest(i128::from(*a) * i128::from(*b), 1),
            },
            (Repr::Small(a, d), Repr::Small(b, e)) => {
                let d = u128::from(d.get()) * u128::from(e.get());
                Rational::reduced(i128::from(*a) * i128::from(*b), d)
            }
            _ => self.big(other, |a, b| a * b),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) => match n.checked_neg() {
                Some(n) => Rational(Repr::Small(n, *d)),
                None => Rational::lowest(-i128::from(*n), u128::from(d.get())),
            },
            Repr::Big(big) => Rational::from(-(**big).clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) => match a.checked_sub(*b) {
                Some(difference) => Rational(Repr::Small(difference, ONE)),
                None => Rational::lowest(i128::from(*a) - i128::from(*b), 1),
            },
            _ => self + &-other,
        }
    }
}

impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (_, Repr::Small(1, ONE)) => self.clone(),
            (_, Repr::Small(-1, ONE)) => -self,
            (Repr::Small(a, ONE), Repr::Small(b, ONE)) if *b != 0 => Rational::new(*a, *b),
            _ => self * &other.recip(),
        }
    }
}

macro_rules! by_value {
    ($($operation:ident $name:ident),*) => {$(
        impl $operation for Rational {
            type Output = Rational;
            fn $name(self, other: Rational) -> Rational {
                (&self).$name(&other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign<&Rational> for Rational {
    #[inline]
    fn add_assign(&mut self, other: &Rational) {
        if let (Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&mut self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl MulAssign<&Rational> for Rational {
    #[inline]
    fn mul_assign(&mut self, other: &Rational) {
        if let (Repr::Small(a, ONE), Repr::Small(b, ONE)) = (&mut self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            *a = product;
            return;
        }
        *self = &*self * other;
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a, d), Repr::Small(b, e)) if d == e => a.cmp(b),
            (Repr::Small(a, d), Repr::Small(b, e)) => {
                (i128::from(*a) * i128::from(e.get())).cmp(&(i128::from(*b) * i128::from(d.get())))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small(n, d) => (n, d).hash(state),
            Repr::Big(big) => big.hash(state),
        }
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n, ONE) => write!(f, "{n}"),
            Repr::Small(n, d) => write!(f, "{n}/{d}"),
            Repr::Big(big) => write!(f, "{big}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    /// Small ones, ones at the limits, and ones beyond.
    fn random(rng: &mut fastrand::Rng) -> Rational {
        let mut integer = || match rng.u8(..6) {
            0 => rng.i64(-3..4),
            1 => rng.i64(-1000..1000),
            2 => i64::MAX - rng.i64(0..3),
            3 => i64::MIN + rng.i64(0..3),
            4 => 1 << rng.u32(..63),
            _ => rng.i64(..),
        };
        let (n, d) = (integer(), integer());
        let small = if d == 0 { Rational::from(n) } else { Rational::new(n, d) };
        if integer() % 4 == 0 { &small * &Rational::from(integer()) } else { small }
    }

    #[test]
    fn agrees_with_large_numbers() {
        assert_eq!(size_of::<Rational>(), 16);
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let (a, b) = (random(&mut rng), random(&mut rng));
            let (x, y) = (a.to_big(), b.to_big());
            assert_eq!(Rational::from(x.clone()), a, "one representation");
            assert_eq!(&a + &b, Rational::from(&x + &y));
            assert_eq!(&a - &b, Rational::from(&x - &y));
            assert_eq!(&a * &b, Rational::from(&x * &y));
            let mut c = random(&mut rng);
            let expected = Rational::from(c.to_big() + &x * &y);
            c.add_product(&a, &b);
            assert_eq!(c, expected);
            let (mut sum, mut product) = (a.clone(), a.clone());
            sum += &b;
            product *= &b;
            assert_eq!((sum, product), (&a + &b, &a * &b));
            assert_eq!(-&a, Rational::from(-x.clone()));
            assert_eq!(a.floor(), Rational::from(x.floor()));
            assert_eq!(a.ceil(), Rational::from(x.ceil()));
            assert_eq!(a.is_integer(), x.is_integer());
            assert_eq!(a.cmp(&b), x.cmp(&y));
            assert_eq!(a.numerator().to_big() / a.denominator().to_big(), x);
            assert_eq!(a.signum(), x.signum().to_integer().to_i32().unwrap());
            if !y.is_zero() {
                assert_eq!(&a / &b, Rational::from(&x / &y));
                assert_eq!(b.recip(), Rational::from(y.recip()));
            }
            let (m, n) = (a.floor(), b.floor());
            assert_eq!(
                m.gcd(&n).to_big().to_integer(),
                m.to_big().to_integer().gcd(&n.to_big().to_integer())
            );
            assert_eq!(
                m.lcm(&n).to_big().to_integer(),
                m.to_big().to_integer().lcm(&n.to_big().to_integer())
            );
        }
    }
}
