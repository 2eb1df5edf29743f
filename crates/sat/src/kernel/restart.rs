//! When to restart.
//!
//! *Luby* suits many small queries. For few large ones, *Glue* restarts as soon as the clauses learnt lately lie on more
//! levels than usual (Biere, Fröhlich, "Evaluating CDCL Restart Schemes", POS 2015). CaDiCaL alternates that with long stable phases; on
//! unrollings and miters, which are what our kernel is asked to refute, these only cost conflicts.

/// When to restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartKind {
    /// Luby's sequence of intervals, anew in each query.
    Luby {
        /// Conflicts of its unit.
        interval: u64,
    },
    /// By the glue of what is learnt.
    Glue,
}

/// Conflicts between two restarts by glue at least.
const MIN_INTERVAL: u64 = 2;
/// How much more glue than usual calls for a restart.
const MARGIN: f64 = 1.10;

#[derive(Clone, Debug)]
pub(super) struct Restarts {
    kind: RestartKind,
    fast: Average,
    slow: Average,
    /// How many restarts there were in this query.
    n_in_query: u64,
    /// No restart before so many conflicts.
    next: u64,
}

impl Restarts {
    pub(super) fn new(kind: RestartKind) -> Restarts {
        Restarts { kind, fast: Average::over(33.0), slow: Average::over(1e5), n_in_query: 0, next: 0 }
    }
    /// How many restarts there were in this query.
    pub(super) fn n_in_query(&self) -> u64 {
        self.n_in_query
    }
    /// A query begins.
    pub(super) fn begin(&mut self, conflicts: u64) {
        self.n_in_query = 0;
        self.next = conflicts
            + match self.kind {
                RestartKind::Luby { interval } => interval,
                RestartKind::Glue => MIN_INTERVAL,
            };
    }
    /// A clause was learnt.
    pub(super) fn learnt(&mut self, glue: u32) {
        if self.kind == RestartKind::Glue {
            self.fast.update(f64::from(glue));
            self.slow.update(f64::from(glue));
        }
    }
    /// Is it time? If so, the next interval begins.
    pub(super) fn is_due(&mut self, conflicts: u64) -> bool {
        if conflicts < self.next {
            return false;
        }
        let interval = match self.kind {
            RestartKind::Luby { interval } => interval * luby(self.n_in_query + 1),
            RestartKind::Glue if self.fast.value() > MARGIN * self.slow.value() => MIN_INTERVAL,
            RestartKind::Glue => return false,
        };
        self.n_in_query += 1;
        self.next = conflicts + interval;
        true
    }
}

/// An exponential moving average, corrected for its start.
#[derive(Clone, Debug)]
struct Average {
    sum: f64,
    weight: f64,
    keep: f64,
}

impl Average {
    fn over(n: f64) -> Average {
        Average { sum: 0.0, weight: 0.0, keep: 1.0 - 1.0 / n }
    }
    fn update(&mut self, value: f64) {
        self.sum = self.keep * self.sum + (1.0 - self.keep) * value;
        self.weight = self.keep * self.weight + (1.0 - self.keep);
    }
    fn value(&self) -> f64 {
        self.sum / self.weight.max(f64::MIN_POSITIVE)
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, …, from index 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Average;

    #[test]
    fn luby() {
        let sequence: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
    #[test]
    fn averages_are_corrected_for_their_start() {
        let mut average = Average::over(100.0);
        average.update(8.0);
        assert_eq!(average.value(), 8.0);
        average.update(4.0);
        assert!((average.value() - 6.0).abs() < 0.02);
    }
}
