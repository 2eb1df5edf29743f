//! Making a failing trace small (Zeller, Hildebrandt, TSE 2002): fewer calls, then fewer literals, then usual numbers.

use crate::trace::Trace;
use indubit_sat::Tuning;

/// The smallest trace found that still fails.
pub fn shrink(trace: &Trace, fails: impl Fn(&Trace) -> bool) -> Trace {
    let mut best = trace.clone();
    loop {
        let before = best.to_string();
        drop_calls(&mut best, &fails);
        drop_literals(&mut best, &fails);
        use_defaults(&mut best, &fails);
        if best.to_string() == before {
            return best;
        }
    }
}

fn drop_calls(best: &mut Trace, fails: &impl Fn(&Trace) -> bool) {
    let mut size = best.ops.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < best.ops.len() {
            let mut candidate = best.clone();
            candidate.ops.drain(at..(at + size).min(best.ops.len()));
            if fails(&candidate) {
                *best = candidate;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
}

fn drop_literals(best: &mut Trace, fails: &impl Fn(&Trace) -> bool) {
    for op in 0..best.ops.len() {
        for list in 0..best.ops[op].lists().len() {
            let mut at = 0;
            while at < best.ops[op].lists()[list].len() {
                let mut candidate = best.clone();
                candidate.ops[op].lists()[list].remove(at);
                if fails(&candidate) {
                    *best = candidate;
                } else {
                    at += 1;
                }
            }
        }
    }
}

fn use_defaults(best: &mut Trace, fails: &impl Fn(&Trace) -> bool) {
    let usual = Tuning::default();
    let edits: [fn(&mut Tuning, &Tuning); 12] = [
        |t, u| t.order = u.order,
        |t, u| t.restarts = u.restarts,
        |t, u| (t.eliminate, t.eliminate_after) = (u.eliminate, u.eliminate_after),
        |t, u| t.seed = u.seed,
        |t, u| t.reduce = u.reduce,
        |t, u| t.glue = u.glue,
        |t, u| t.waste = u.waste,
        |t, u| t.part = u.part,
        |t, u| t.poll = u.poll,
        |t, u| t.simplify = u.simplify,
        |t, u| t.subsume = u.subsume,
        |t, u| t.justify = u.justify,
    ];
    for edit in edits {
        let mut candidate = best.clone();
        edit(&mut candidate.tuning, &usual);
        if candidate.to_string() != best.to_string() && fails(&candidate) {
            *best = candidate;
        }
    }
}
