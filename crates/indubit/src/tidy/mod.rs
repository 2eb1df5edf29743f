//! Proofs that people can read: an invariant goes without what the proof can do without, if it is small.

pub(crate) mod bits;
mod guesses;
mod needed;
mod whole_words;
pub(crate) mod words;

use indubit_run::{Run, within_time};
use std::time::Duration;

/// How long it may take to make a proof shorter.
const LIMIT: Duration = Duration::from_secs(1);

/// What some tidying finds, if it does so soon.
pub(crate) fn soon<T>(run: &Run<'_>, tidy: impl FnOnce(&Run<'_>) -> Option<T>) -> Option<T> {
    within_time(LIMIT, run.cancel(), |cancel| tidy(&Run::new(cancel.clone()).with_seed(run.seed)))?
}
