//! Numbers that compare configurations: solved, unique, PAR2, geometric means of ratios of times; Tables I and II of
//! A. Ivrii, A. Gurfinkel, *Pushing to the Top*, FMCAD 2015.

use super::matrix::Matrix;
use super::result::Verdict;

/// Shorter times are taken as this: below it there is more noise than work.
pub const SHORTEST: f64 = 0.01;

/// One configuration by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Instances that it was run on.
    pub run: usize,
    pub safe: usize,
    pub unsafe_: usize,
    pub unique: usize,
    pub wrong: usize,
    /// Errors, crashes, hangs.
    pub failed: usize,
    /// For what was solved.
    pub seconds: f64,
    /// For what was solved, plus twice the time limit for everything that was not.
    pub par2: f64,
    pub peak_mib: Option<f64>,
}

impl Totals {
    pub fn solved(&self) -> usize {
        self.safe + self.unsafe_
    }
    /// One more instance: its verdict and time, or how long it was tried in vain.
    fn add(&mut self, solved: Option<(Verdict, f64)>, timeout: f64) {
        let Some((verdict, seconds)) = solved else {
            self.par2 += 2.0 * timeout;
            return;
        };
        match verdict {
            Verdict::Safe => self.safe += 1,
            Verdict::Unsafe => self.unsafe_ += 1,
        }
        self.seconds += seconds;
        self.par2 += seconds;
    }
}

pub fn totals(matrix: &Matrix, config: usize) -> Totals {
    let mut totals = Totals::default();
    for (i, row) in matrix.rows(config) {
        totals.run += 1;
        totals.failed += usize::from(row.ending.is_failure());
        totals.unique += usize::from(matrix.is_unique(i, config));
        totals.wrong += usize::from(matrix.wrong_about(i).is_some_and(|w| w.configs.contains(&config)));
        totals.peak_mib = match (totals.peak_mib, row.memory_mib) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        totals.add(matrix.solved(i, config), row.timeout);
    }
    totals
}

/// What the best of all configurations would do on each instance.
pub fn virtual_best(matrix: &Matrix) -> Totals {
    let mut totals = Totals { run: matrix.instances.len(), ..Totals::default() };
    for i in 0..matrix.instances.len() {
        totals.add(matrix.best(i), matrix.longest());
    }
    totals
}

/// A configuration against a base, on the instances that both were run on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Solved by it and not by the base.
    pub gained: Vec<usize>,
    /// Solved by the base and not by it.
    pub lost: Vec<usize>,
    /// Solved by both.
    pub n_both: usize,
    /// The geometric mean of its time divided by the base's, over what both solve.
    pub ratio: Option<f64>,
    /// Its PAR2 minus that of the base.
    pub par2: f64,
}

pub fn compare(matrix: &Matrix, config: usize, base: usize) -> Comparison {
    let mut comparison = Comparison::default();
    let mut ratios = Vec::new();
    for (i, row) in matrix.rows(config) {
        let Some(base_row) = matrix.row(i, base) else { continue };
        let (ours, theirs) = (matrix.solved(i, config), matrix.solved(i, base));
        comparison.par2 += ours.map_or(2.0 * row.timeout, |(_, s)| s);
        comparison.par2 -= theirs.map_or(2.0 * base_row.timeout, |(_, s)| s);
        match (ours, theirs) {
            (Some((_, ours)), Some((_, theirs))) => ratios.push(ours.max(SHORTEST) / theirs.max(SHORTEST)),
            (Some(_), None) => comparison.gained.push(i),
            (None, Some(_)) => comparison.lost.push(i),
            (None, None) => (),
        }
    }
    comparison.n_both = ratios.len();
    comparison.ratio = geometric_mean(&ratios);
    comparison
}

/// `None` of nothing.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

/// A cell of Table I: solved, those of them that nobody else solves, and the time for everything of this kind that
/// somebody solves; what it does not solve itself counts with the time it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolvedAndTime {
    pub solved: usize,
    pub unique: usize,
    pub seconds: f64,
}

/// A row of Table I: unsafe, then safe.
pub fn table_one(matrix: &Matrix, config: usize) -> [SolvedAndTime; 2] {
    let mut cells = [SolvedAndTime::default(); 2];
    for (i, row) in matrix.rows(config) {
        let Some((verdict, _)) = matrix.best(i) else { continue };
        let cell = &mut cells[usize::from(verdict == Verdict::Safe)];
        let solved = matrix.solved(i, config);
        cell.solved += usize::from(solved.is_some());
        cell.unique += usize::from(matrix.is_unique(i, config));
        cell.seconds += solved.map_or(row.timeout, |(_, seconds)| seconds);
    }
    cells
}

/// The ranges of Table II by their last number of reachable states, with one more for all above.
pub const RANGES: [(&str, u64); 6] = [
    ("0–10", 10),
    ("11–100", 100),
    ("101–1K", 1_000),
    ("1K–10K", 10_000),
    ("10K–50K", 50_000),
    ("> 50K", u64::MAX),
];

/// Table II for a configuration that counts reachable states: for each range what it solves with so many, and how many of these
/// `other` does not solve. `None` if it does not count them.
pub fn table_two(matrix: &Matrix, config: usize, other: usize) -> Option<[(usize, usize); RANGES.len()]> {
    let mut table = [(0, 0); RANGES.len()];
    let mut is_counted = false;
    for (i, row) in matrix.rows(config) {
        let states = row.statistic("reachable states");
        is_counted |= states.is_some();
        // What preprocessing has decided took none.
        let states = states.unwrap_or(0);
        if matrix.solved(i, config).is_none() {
            continue;
        }
        let range = RANGES.iter().position(|&(_, last)| states <= last).expect("the last range has no end");
        table[range].0 += 1;
        table[range].1 += usize::from(matrix.row(i, other).is_some() && matrix.solved(i, other).is_none());
    }
    is_counted.then_some(table)
}

#[cfg(test)]
mod tests {
    use super::super::matrix::tests::{SAFE, UNSAFE, small};
    use super::super::result::Ending;
    use super::super::result::tests::row;
    use super::*;

    #[test]
    fn totals_of_one_configuration() {
        let matrix = small();
        let ic3 = totals(&matrix, 0);
        assert_eq!((ic3.run, ic3.solved(), ic3.safe, ic3.unsafe_, ic3.unique), (4, 3, 1, 2, 1));
        assert_eq!((ic3.seconds, ic3.par2), (10.0, 50.0));
        let bmc = totals(&matrix, 1);
        assert_eq!((bmc.solved(), bmc.unique, bmc.par2, bmc.failed), (2, 0, 83.0, 0));
        let best = virtual_best(&matrix);
        assert_eq!((best.solved(), best.seconds, best.par2), (3, 4.0, 44.0));
    }

    #[test]
    fn comparison_with_a_base() {
        let comparison = compare(&small(), 1, 0);
        assert_eq!((comparison.gained.len(), comparison.lost, comparison.n_both), (0, vec![0], 2));
        // 2/8 and 1/1.
        assert_eq!(comparison.ratio, Some(0.5));
        assert_eq!(comparison.par2, 33.0);
    }

    #[test]
    fn means() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[0.5, 2.0]).unwrap() - 1.0).abs() < 1e-12);
        assert!((geometric_mean(&[1.0, 10.0, 100.0]).unwrap() - 10.0).abs() < 1e-12);
        // Times below the noise are equal.
        let matrix = Matrix::new([row("a", "x", SAFE, 0.0), row("a", "y", SAFE, 0.009)]);
        assert_eq!(compare(&matrix, 0, 1).ratio, Some(1.0));
    }

    #[test]
    fn the_tables_of_the_quip_paper() {
        let mut rows = vec![
            row("1", "ic3", SAFE, 1.0),
            row("2", "ic3", Ending::Timeout, 20.0),
            row("3", "ic3", UNSAFE, 2.0),
            row("4", "ic3", Ending::Timeout, 20.0),
        ];
        for (name, ending, seconds, states) in [
            ("1", SAFE, 2.0, 10),
            ("2", SAFE, 3.0, 11),
            ("3", Ending::Timeout, 20.0, 5000),
            ("4", Ending::Timeout, 20.0, 60_000),
        ] {
            let mut quip = row(name, "quip", ending, seconds);
            quip.statistics = vec![("lemmas".into(), 1), ("reachable states".into(), states)];
            rows.push(quip);
        }
        let matrix = Matrix::new(rows);
        let cell = |solved, unique, seconds| SolvedAndTime { solved, unique, seconds };
        assert_eq!(table_one(&matrix, 0), [cell(1, 1, 2.0), cell(1, 0, 21.0)]);
        assert_eq!(table_one(&matrix, 1), [cell(0, 0, 20.0), cell(2, 1, 5.0)]);
        assert_eq!(table_two(&matrix, 0, 1), None);
        assert_eq!(table_two(&matrix, 1, 0).unwrap()[..3], [(1, 0), (1, 1), (0, 0)]);
    }
}
