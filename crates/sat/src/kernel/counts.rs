//! Effort, counted: unlike seconds, counts repeat exactly.

/// What effort is measured in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Watches visited and clauses read: the unit of effort.
    pub ticks: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Restarts.
    pub restarts: u64,
    /// Variables eliminated, those that came back included.
    pub eliminated: u64,
    /// Queries.
    pub queries: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.ticks += other.ticks;
        self.conflicts += other.conflicts;
        self.decisions += other.decisions;
        self.propagations += other.propagations;
        self.restarts += other.restarts;
        self.queries += other.queries;
    }
}

impl std::ops::SubAssign for Counts {
    fn sub_assign(&mut self, other: Counts) {
        self.ticks -= other.ticks;
        self.conflicts -= other.conflicts;
        self.decisions -= other.decisions;
        self.propagations -= other.propagations;
        self.restarts -= other.restarts;
        self.queries -= other.queries;
    }
}
