//! What holds for want of runs is hardly what the user meant.

use super::ledger::Shared;
use crate::args::Check;
use crate::kinds::Presented;
use crate::terminal;
use indubit::Vacuity;
use indubit::run::{Cancel, Run, within_time};
use std::time::Duration;

/// How long that may take: it is advice, and not worth waiting for.
const SHORTLY: Duration = Duration::from_secs(1);
/// Runs of so many steps are enough for a model not to be suspicious.
const STEPS: usize = 64;

/// Say so if there are no initial states, or no runs beyond some step.
pub fn warn<K: Presented>(args: &Check, system: &K::System, ledger: &Shared, cancel: &Cancel) {
    let found = within_time(SHORTLY, cancel, |cancel| {
        indubit::vacuity::<K>(system, STEPS, args.other(), &Run::new(cancel.clone()))
    });
    let Some(Ok(Some(vacuity))) = found else { return };
    let model = terminal::path(&args.model);
    let text = match vacuity {
        Vacuity::NoInitialState => format!(
            "{model}: there is no initial state, so nothing can be reached: what holds initially, or the constraints, exclude all of them"
        ),
        Vacuity::NoRunBeyond(step) => format!(
            "{model}: no run goes on after step {step}: the constraints, or the steps that there are, allow none; what comes later is not looked at"
        ),
    };
    ledger.lock().warn(&text);
}
