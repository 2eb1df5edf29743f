//! All results, by instance and configuration: what is wrong, and what is solved.
//!
//! A verdict is wrong if it differs from the expected one. If nothing is expected and configurations disagree, one of
//! them is wrong, nobody knows which: the instance counts for none of them.

use super::result::{Row, Verdict};
use std::collections::HashMap;

/// An instance, as the rows describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub name: String,
    pub family: String,
    pub expected: Option<Verdict>,
}

/// Which time is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// From start to end.
    #[default]
    Wall,
    /// What the processor spent on it; from start to end where the system did not tell.
    Processor,
}

impl Clock {
    pub fn word(self) -> &'static str {
        match self {
            Clock::Wall => "wall-clock time",
            Clock::Processor => "processor time",
        }
    }
}

/// Instances × configurations, each in the order in which they first occur.
#[derive(Debug, Default)]
pub struct Matrix {
    pub instances: Vec<Name>,
    /// Names of configurations, with their commands.
    pub configs: Vec<(String, String)>,
    /// Which time counts. Limits are on the wall clock all the same.
    pub clock: Clock,
    /// `None` if it has not been run.
    cells: Vec<Vec<Option<Row>>>,
}

/// A verdict that cannot be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub instance: usize,
    /// The configurations with such verdicts; if nothing is expected, all that have one.
    pub configs: Vec<usize>,
}

impl Matrix {
    /// From rows in any order; of two rows for the same pair the last one counts.
    pub fn new(rows: impl IntoIterator<Item = Row>) -> Matrix {
        let mut matrix = Matrix::default();
        let mut instances: HashMap<String, usize> = HashMap::new();
        for row in rows {
            let i = *instances.entry(row.instance.clone()).or_insert_with(|| {
                let (name, family) = (row.instance.clone(), row.family.clone());
                matrix.instances.push(Name { name, family, expected: row.expected });
                matrix.cells.push(Vec::new());
                matrix.instances.len() - 1
            });
            let known = matrix.configs.iter().position(|(name, _)| *name == row.configuration);
            let c = known.unwrap_or_else(|| {
                matrix.configs.push((row.configuration.clone(), row.command.clone()));
                matrix.configs.len() - 1
            });
            let expected = &mut matrix.instances[i].expected;
            *expected = expected.or(row.expected);
            let cells = &mut matrix.cells[i];
            if cells.len() <= c {
                cells.resize(c + 1, None);
            }
            cells[c] = Some(row);
        }
        matrix
    }

    /// Put the configurations into this order; those that are not named follow.
    pub fn in_order(mut self, names: &[String]) -> Matrix {
        let rank = |name: &str| names.iter().position(|n| n == name).unwrap_or(names.len());
        let mut order: Vec<usize> = (0..self.configs.len()).collect();
        order.sort_by_key(|&c| (rank(&self.configs[c].0), c));
        self.configs = order.iter().map(|&c| self.configs[c].clone()).collect();
        for cells in &mut self.cells {
            *cells = order.iter().map(|&c| cells.get_mut(c).and_then(Option::take)).collect();
        }
        self
    }

    /// Compare times by this clock.
    pub fn by(mut self, clock: Clock) -> Matrix {
        self.clock = clock;
        self
    }

    /// How long a run took.
    pub fn time(&self, row: &Row) -> f64 {
        match self.clock {
            Clock::Wall => row.seconds,
            Clock::Processor => row.cpu_seconds.unwrap_or(row.seconds),
        }
    }

    /// The result of a configuration on an instance.
    pub fn row(&self, instance: usize, config: usize) -> Option<&Row> {
        self.cells[instance].get(config)?.as_ref()
    }

    /// All results of a configuration.
    pub fn rows(&self, config: usize) -> impl Iterator<Item = (usize, &Row)> {
        (0..self.instances.len()).filter_map(move |i| Some((i, self.row(i, config)?)))
    }

    pub fn name(&self, config: usize) -> &str {
        &self.configs[config].0
    }

    /// The position of the configuration of that name.
    pub fn config(&self, name: &str) -> Option<usize> {
        self.configs.iter().position(|(n, _)| n == name)
    }

    fn verdict(&self, instance: usize, config: usize) -> Option<Verdict> {
        self.row(instance, config)?.ending.verdict()
    }

    /// What is wrong about an instance, if anything.
    pub fn wrong_about(&self, instance: usize) -> Option<Wrong> {
        let said: Vec<(usize, Verdict)> =
            (0..self.configs.len()).filter_map(|c| Some((c, self.verdict(instance, c)?))).collect();
        let configs: Vec<usize> = match self.instances[instance].expected {
            Some(expected) => said.iter().filter(|&&(_, v)| v != expected).map(|&(c, _)| c).collect(),
            None if said.windows(2).any(|w| w[0].1 != w[1].1) => said.iter().map(|&(c, _)| c).collect(),
            None => Vec::new(),
        };
        (!configs.is_empty()).then_some(Wrong { instance, configs })
    }

    /// Everything that is wrong.
    pub fn wrong(&self) -> Vec<Wrong> {
        (0..self.instances.len()).filter_map(|i| self.wrong_about(i)).collect()
    }

    /// The verdict that counts and its time.
    pub fn solved(&self, instance: usize, config: usize) -> Option<(Verdict, f64)> {
        let row = self.row(instance, config)?;
        let verdict = row.ending.verdict()?;
        let is_wrong = self.wrong_about(instance).is_some_and(|wrong| wrong.configs.contains(&config));
        (!is_wrong).then_some((verdict, self.time(row)))
    }

    /// Solved by this one, not solved by any other, all of which were run.
    pub fn is_unique(&self, instance: usize, config: usize) -> bool {
        let others = || (0..self.configs.len()).filter(|&c| c != config);
        self.configs.len() > 1
            && self.solved(instance, config).is_some()
            && others().all(|c| self.row(instance, c).is_some() && self.solved(instance, c).is_none())
    }

    /// The verdict of whoever solved it, and the best time.
    pub fn best(&self, instance: usize) -> Option<(Verdict, f64)> {
        let all = (0..self.configs.len()).filter_map(|c| self.solved(instance, c));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The families, sorted, each with its instances.
    pub fn families(&self) -> Vec<(&str, Vec<usize>)> {
        let mut families: std::collections::BTreeMap<&str, Vec<usize>> = std::collections::BTreeMap::new();
        for (i, instance) in self.instances.iter().enumerate() {
            families.entry(&instance.family).or_default().push(i);
        }
        families.into_iter().collect()
    }

    /// The time limit, if it is the same for all.
    pub fn timeout(&self) -> Option<f64> {
        let mut all = self.cells.iter().flatten().flatten().map(|row| row.timeout);
        let first = all.next()?;
        all.all(|timeout| timeout == first).then_some(first)
    }

    /// The largest time limit.
    pub fn longest(&self) -> f64 {
        self.cells.iter().flatten().flatten().map(|row| row.timeout).fold(0.0, f64::max)
    }

    /// What a wrong verdict is about, for people.
    pub fn explain(&self, wrong: &Wrong) -> String {
        let said: Vec<String> = wrong
            .configs
            .iter()
            .filter_map(|&c| {
                Some(format!("{} says {}", self.name(c), self.verdict(wrong.instance, c)?.word()))
            })
            .collect();
        let instance = &self.instances[wrong.instance];
        let expected = instance.expected.map_or("", |expected| match expected {
            Verdict::Safe => " (safe was expected)",
            Verdict::Unsafe => " (unsafe was expected)",
        });
        format!("{}: {}{expected}", instance.name, said.join(", "))
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::result::Ending;
    use super::super::result::tests::row;
    use super::*;

    pub const SAFE: Ending = Ending::Verdict(Verdict::Safe);
    pub const UNSAFE: Ending = Ending::Verdict(Verdict::Unsafe);

    /// Two configurations on four instances; `b/3` is solved by nobody.
    pub fn small() -> Matrix {
        Matrix::new([
            row("a/1", "ic3", SAFE, 1.0),
            row("a/1", "bmc", Ending::Timeout, 20.0),
            row("a/2", "ic3", UNSAFE, 8.0),
            row("a/2", "bmc", UNSAFE, 2.0),
            row("b/3", "ic3", Ending::Timeout, 20.0),
            row("b/3", "bmc", Ending::Memory, 5.0),
            row("b/4", "ic3", UNSAFE, 1.0),
            row("b/4", "bmc", UNSAFE, 1.0),
        ])
    }

    #[test]
    fn solved_and_unique() {
        let matrix = small();
        assert_eq!(matrix.instances.len(), 4);
        assert_eq!(matrix.solved(0, 0), Some((Verdict::Safe, 1.0)));
        assert!(matrix.is_unique(0, 0) && !matrix.is_unique(1, 0) && !matrix.is_unique(0, 1));
        assert_eq!(matrix.best(1), Some((Verdict::Unsafe, 2.0)));
        assert_eq!(matrix.best(2), None);
        assert_eq!(matrix.families(), [("a", vec![0, 1]), ("b", vec![2, 3])]);
        assert_eq!(matrix.wrong(), []);
        assert_eq!(matrix.timeout(), Some(20.0));
    }

    #[test]
    fn nothing_is_unique_that_others_have_not_tried() {
        let matrix = Matrix::new([row("a", "x", SAFE, 1.0), row("b", "y", SAFE, 1.0)]);
        assert!(!matrix.is_unique(0, 0));
        assert_eq!((matrix.row(0, 1), matrix.row(1, 0)), (None, None));
    }

    #[test]
    fn wrong_verdicts_do_not_count() {
        let mut expected = [row("a", "x", SAFE, 1.0), row("a", "y", UNSAFE, 1.0)];
        for row in &mut expected {
            row.expected = Some(Verdict::Unsafe);
        }
        let matrix = Matrix::new(expected);
        assert_eq!(matrix.wrong(), [Wrong { instance: 0, configs: vec![0] }]);
        assert_eq!((matrix.solved(0, 0), matrix.solved(0, 1).is_some()), (None, true));
        assert_eq!(matrix.explain(&matrix.wrong()[0]), "a: x says safe (unsafe was expected)");

        let matrix = Matrix::new([row("a", "x", SAFE, 1.0), row("a", "y", UNSAFE, 1.0)]);
        assert_eq!(matrix.wrong(), [Wrong { instance: 0, configs: vec![0, 1] }]);
        assert_eq!((matrix.solved(0, 0), matrix.solved(0, 1)), (None, None));
        assert_eq!(matrix.explain(&matrix.wrong()[0]), "a: x says safe, y says unsafe");
    }

    #[test]
    fn configurations_can_be_put_in_order() {
        let matrix = small().in_order(&["bmc".into(), "ic3".into()]);
        assert_eq!((matrix.name(0), matrix.name(1)), ("bmc", "ic3"));
        assert_eq!(matrix.solved(0, 1), Some((Verdict::Safe, 1.0)));
        // Another clock: the row has both times.
        let mut parallel = row("a", "x", SAFE, 1.0);
        parallel.cpu_seconds = Some(3.5);
        let matrix = Matrix::new([parallel]);
        assert_eq!(matrix.solved(0, 0), Some((Verdict::Safe, 1.0)));
        assert_eq!(matrix.by(Clock::Processor).solved(0, 0), Some((Verdict::Safe, 3.5)));
        // The last row counts.
        let matrix = Matrix::new([row("a", "x", SAFE, 1.0), row("a", "x", SAFE, 2.0)]);
        assert_eq!(matrix.solved(0, 0), Some((Verdict::Safe, 2.0)));
    }
}
