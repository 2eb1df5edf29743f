//! What must hold before states may be taken to differ on some latches only.
//!
//! Let `S` be the latches on which a proof compares states, and `with` its strengthening. Two conditions:
//!
//! 1. `with` holds initially and after every constrained step from where it holds, in each case with any
//!    inputs. So it holds along every path, also with the inputs of a step exchanged.
//! 2. Where `with` holds, `S` and the inputs determine the constraints, bad, and the next values of `S`: two states
//!    that agree on `S`, with the same inputs, agree on all of these.
//!
//! Then a path can be cut between two states that agree on `S` and go on from the first as it went on from the
//! second: it stays legal, keeps agreeing on `S`, and ends bad if the other one did (see `k_induction.rs`).

use crate::Reason;
use crate::frame::Frame;
use crate::k_induction::Goal;
use crate::query::refute;
use crate::solver::{Solving, Sure};
use indubit_aig::Aig;
use indubit_logic::Lit;

/// May states be compared on the latches at positions `compared`?
pub(crate) fn check(goal: &Goal<'_>, compared: &[usize], by: &Solving) -> Sure<Result<(), Reason>> {
    let n_latches = goal.model.latches().len();
    if compared.iter().any(|&latch| latch >= n_latches) {
        return Ok(Err(Reason::Misfit("states are compared on latches that the model does not have".into())));
    }
    if !holds_initially(goal, by)? || !is_kept(goal, by)? {
        return Ok(Err(Reason::SimplePath("its strengthening is not inductive by itself")));
    }
    if !is_closed(goal, compared, by)? {
        return Ok(Err(Reason::SimplePath(
            "the latches on which states are compared do not determine what follows",
        )));
    }
    Ok(Ok(()))
}

fn holds_initially(goal: &Goal<'_>, by: &Solving) -> Sure<bool> {
    let mut aig = Aig::new();
    let mut now = free(goal, &mut aig);
    let reset: Vec<Lit> = (0..goal.model.latches().len()).map(|i| now.is_reset(&mut aig, i)).collect();
    let with = goal.with(&mut aig, &mut now);
    Ok(refute(&aig, &reset, &with, by)?.is_none())
}

fn is_kept(goal: &Goal<'_>, by: &Solving) -> Sure<bool> {
    let mut aig = Aig::new();
    let mut now = free(goal, &mut aig);
    let mut then = now.after(&mut aig, |_| true);
    let mut assume = goal.with(&mut aig, &mut now);
    assume.extend(now.constraints(&mut aig));
    let show = goal.with(&mut aig, &mut then);
    Ok(refute(&aig, &assume, &show, by)?.is_none())
}

fn is_closed(goal: &Goal<'_>, compared: &[usize], by: &Solving) -> Sure<bool> {
    let mut aig = Aig::new();
    let mut one = free(goal, &mut aig);
    let mut other = free(goal, &mut aig);
    let shared = compared.iter().map(|&i| goal.model.latches()[i].var);
    for leaf in shared.chain(goal.model.inputs().iter().map(|i| i.lit.var())) {
        let lit = one.lit(&mut aig, Lit::positive(leaf));
        other.set(leaf, lit);
    }
    let mut assume = goal.with(&mut aig, &mut one);
    assume.extend(goal.with(&mut aig, &mut other));
    assume.extend(one.constraints(&mut aig));
    let mut show = other.constraints(&mut aig);
    let next = compared.iter().map(|&i| goal.model.latches()[i].next);
    for lit in next.chain([goal.bad]) {
        let (a, b) = (one.lit(&mut aig, lit), other.lit(&mut aig, lit));
        show.push(aig.iff(a, b));
    }
    Ok(refute(&aig, &assume, &show, by)?.is_none())
}

/// A moment about which nothing is known.
fn free<'g>(goal: &Goal<'g>, aig: &mut Aig) -> Frame<'g> {
    let mut frame = Frame::new(goal.model);
    let latches = goal.model.latches().iter().map(|l| l.var);
    for leaf in latches.chain(goal.model.inputs().iter().map(|i| i.lit.var())) {
        frame.set(leaf, aig.leaf());
    }
    frame
}
