//! Affine hulls: the points of a space that satisfy a set of linear equations.

use indubit_smt::Rational;
use indubit_term::BigRational;

/// `coefficients · x = constant`: which coordinates, with integer coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    pub(super) coefficients: Vec<(usize, BigRational)>,
    pub(super) constant: BigRational,
}

/// The smallest affine space that has some points.
#[derive(Clone, Debug)]
pub(super) struct Hull {
    point: Vec<Rational>,
    /// The directions in which there are others, each with its first coordinate that is not 0. That one is 1 there, and 0 in all others.
    directions: Vec<(usize, Vec<Rational>)>,
}

impl Hull {
    /// One point.
    pub(super) fn new(point: Vec<Rational>) -> Hull {
        Hull { point, directions: Vec::new() }
    }
    /// Make it large enough for another point. Was it not?
    pub(super) fn join(&mut self, point: &[Rational]) -> bool {
        let mut direction: Vec<Rational> = point.iter().zip(&self.point).map(|(a, b)| a - b).collect();
        for (pivot, other) in &self.directions {
            subtract(&mut direction, other, *pivot);
        }
        let Some(pivot) = direction.iter().position(|c| !c.is_zero()) else { return false };
        let scale = direction[pivot].recip();
        direction.iter_mut().for_each(|c| *c *= &scale);
        for (_, other) in &mut self.directions {
            subtract(other, &direction, pivot);
        }
        self.directions.push((pivot, direction));
        true
    }
    /// Equations whose solutions it is: each says what one coordinate is, by those that have directions of their own.
    pub(super) fn equations(&self) -> Vec<Equation> {
        let is_pivot = |j: usize| self.directions.iter().any(|&(pivot, _)| pivot == j);
        (0..self.point.len()).filter(|&j| !is_pivot(j)).map(|j| self.equation(j)).collect()
    }
    fn equation(&self, j: usize) -> Equation {
        let mut coefficients = vec![(j, Rational::ONE)];
        let mut constant = self.point[j].clone();
        for (pivot, direction) in self.directions.iter().filter(|(_, d)| !d[j].is_zero()) {
            coefficients.push((*pivot, -direction[j].clone()));
            constant -= &(&direction[j] * &self.point[*pivot]);
        }
        let common = coefficients.iter().fold(Rational::ONE, |lcm, (_, c)| lcm.lcm(&c.denominator()));
        let integer = |c: &Rational| (c * &common).to_big();
        Equation {
            coefficients: coefficients.iter().map(|(at, c)| (*at, integer(c))).collect(),
            constant: integer(&constant),
        }
    }
}

/// Make a coordinate 0 by a direction in which it is 1.
fn subtract(from: &mut [Rational], direction: &[Rational], pivot: usize) {
    if from[pivot].is_zero() {
        return;
    }
    let factor = -from[pivot].clone();
    from.iter_mut().zip(direction).for_each(|(c, d)| c.add_product(&factor, d));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(equation: &Equation, point: &[Rational]) -> bool {
        let sum: BigRational = equation.coefficients.iter().map(|(at, c)| c * point[*at].to_big()).sum();
        sum == equation.constant
    }

    #[test]
    fn equations_hold_for_the_points_and_what_they_span_and_for_nothing_else() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let n = rng.usize(1..6);
            let mut random =
                || (0..n).map(|_| Rational::new(rng.i64(-4..5), rng.i64(1..4))).collect::<Vec<_>>();
            let points: Vec<Vec<Rational>> = (0..n.min(4)).map(|_| random()).collect();
            let other = random();
            let mut hull = Hull::new(points[0].clone());
            let n_joined = points[1..].iter().filter(|p| hull.join(p)).count();
            let equations = hull.equations();
            assert_eq!(equations.len(), n - n_joined);
            let middle: Vec<Rational> =
                points[0].iter().zip(&points[points.len() - 1]).map(|(a, b)| a + b).collect();
            let middle: Vec<Rational> = middle.iter().map(|c| c * &Rational::new(1, 2)).collect();
            for point in points.iter().chain([&middle]) {
                assert!(equations.iter().all(|e| holds(e, point)));
                assert!(!hull.clone().join(point));
            }
            assert_eq!(hull.join(&other), !equations.iter().all(|e| holds(e, &other)));
        }
    }
}
