//! What holds for want of runs is hardly what the user meant.

use super::ledger::Shared;
use crate::args::Check;
use crate::kinds::Presented;
use crate::terminal;
use indubit::Vacuity;
use indubit::formats::trace_table::Shown;
use indubit::run::{Cancel, Run, within_time};
use std::time::Duration;

/// How long that may take: it is advice, and not worth waiting for.
const SHORTLY: Duration = Duration::from_secs(1);
/// Runs of so many steps are enough for a model not to be suspicious.
const STEPS: usize = 64;

/// Say so if there are no initial states, or no runs beyond some step. Was there anything to say?
pub fn warn<K: Presented>(args: &Check, system: &K::System, ledger: &Shared, cancel: &Cancel) -> bool {
    let found = within_time(SHORTLY, cancel, |cancel| {
        indubit::vacuity::<K>(system, STEPS, args.other(), &Run::new(cancel.clone()))
    });
    let Some(Ok(Some(vacuity))) = found else { return false };
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
    true
}

/// Variables of a state that are named in a warning.
const NAMED: usize = 12;

/// Say so if some run comes to a state without successor, in a language in which that is a mistake more often than not.
pub fn warn_of_deadlock<K: Presented>(args: &Check, model: &K::Model, ledger: &Shared, cancel: &Cancel) {
    let found = within_time(SHORTLY, cancel, |cancel| {
        K::deadlock(model, STEPS, args.other(), &Run::new(cancel.clone()))
    });
    let Some(Ok(Some(trace))) = found else { return };
    let steps = K::steps(model, &trace);
    let Some([states, _]) = steps.last() else { return };
    // What the reader has made up is no part of the model.
    let own: Vec<&Shown> = states.iter().filter(|shown| !shown.name.starts_with('.')).collect();
    let values: Vec<String> =
        own.iter().take(NAMED).map(|shown| format!("{} = {}", shown.name, shown.value)).collect();
    let text = format!(
        "{}: the steps are not total: in step {} a run is in a state without successor, {}{}; formulas of LTLSPEC and CTLSPEC are about runs that go on for ever",
        terminal::path(&args.model),
        steps.len() - 1,
        terminal::printable(&values.join(", ")),
        terminal::and_more(own.len().saturating_sub(NAMED)),
    );
    ledger.lock().warn(&text);
}
