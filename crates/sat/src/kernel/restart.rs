//! When to restart.
//!
//! *Luby* suits many small queries. For few large ones the search alternates, as in CaDiCaL (PERFORMANCE E), between a
//! *focused* mode that restarts as soon as the clauses learnt lately lie on more levels than usual (Biere, Fröhlich,
//! POS 2015), and a *stable* mode with long intervals, in which decisions follow the phases of the longest assignment
//! met so far.

/// When to restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartKind {
    /// Luby's sequence of intervals, anew in each query.
    Luby {
        /// Conflicts of its unit.
        interval: u64,
    },
    /// By the glue of what is learnt, and stable phases between.
    Alternating,
}

/// Conflicts in the first focused phase; it also sets the ticks of later phases.
const FIRST_PHASE: u64 = 1000;
/// Conflicts of the unit of Luby's sequence in stable mode.
const STABLE_INTERVAL: u64 = 1024;
/// Conflicts between two restarts in focused mode at least.
const FOCUSED_INTERVAL: u64 = 2;
/// How much more glue than usual calls for a restart.
const MARGIN: f64 = 1.10;

#[derive(Clone, Debug)]
pub(super) struct Restarts {
    kind: RestartKind,
    fast: Average,
    slow: Average,
    /// How many restarts by Luby's sequence since it began.
    n_luby: u64,
    /// No restart before so many conflicts.
    next: u64,
    stable: bool,
    n_phases: u64,
    /// Ticks at which the phase began, and how many the first one took.
    phase_start: u64,
    phase_ticks: u64,
}

impl Restarts {
    pub(super) fn new(kind: RestartKind) -> Restarts {
        Restarts {
            kind,
            fast: Average::over(33.0),
            slow: Average::over(1e5),
            n_luby: 0,
            next: 0,
            stable: false,
            n_phases: 0,
            phase_start: 0,
            phase_ticks: 0,
        }
    }
    pub(super) fn may_be_stable(&self) -> bool {
        self.kind == RestartKind::Alternating
    }
    pub(super) fn is_stable(&self) -> bool {
        self.stable
    }
    /// How many restarts there were in this query, if Luby's sequence runs anew in each.
    pub(super) fn n_in_query(&self) -> u64 {
        self.n_luby
    }
    /// A query begins.
    pub(super) fn begin(&mut self, conflicts: u64) {
        match self.kind {
            RestartKind::Luby { interval } => {
                self.n_luby = 0;
                self.next = conflicts + interval;
            }
            RestartKind::Alternating => self.next = conflicts + FOCUSED_INTERVAL,
        }
    }
    /// A clause was learnt.
    pub(super) fn learnt(&mut self, glue: u32) {
        if self.kind == RestartKind::Alternating {
            self.fast.update(f64::from(glue));
            self.slow.update(f64::from(glue));
        }
    }
    /// Is it time? If so, the next interval begins.
    pub(super) fn is_due(&mut self, conflicts: u64, ticks: u64) -> bool {
        if conflicts < self.next {
            return false;
        }
        if self.kind == RestartKind::Alternating && self.change_phase(conflicts, ticks) {
            return true;
        }
        let interval = match self.kind {
            RestartKind::Luby { interval } => interval,
            RestartKind::Alternating if self.stable => STABLE_INTERVAL,
            RestartKind::Alternating => {
                let due = self.fast.value() > MARGIN * self.slow.value();
                if due {
                    self.next = conflicts + FOCUSED_INTERVAL;
                }
                return due;
            }
        };
        self.n_luby += 1;
        self.next = conflicts + interval * luby(self.n_luby);
        true
    }
    /// Phases take quadratically more ticks as time passes.
    fn change_phase(&mut self, conflicts: u64, ticks: u64) -> bool {
        if self.n_phases == 0 {
            if conflicts < FIRST_PHASE {
                return false;
            }
            self.phase_ticks = ticks;
        } else if ticks < self.phase_start + self.phase_ticks * self.n_phases * self.n_phases {
            return false;
        }
        self.n_phases += 1;
        self.phase_start = ticks;
        self.stable = !self.stable;
        self.n_luby = 1;
        self.next = conflicts + if self.stable { STABLE_INTERVAL } else { FOCUSED_INTERVAL };
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
