//! What a proof cannot do without.

use crate::prove::Inductive;
use crate::prove::decider::Decider;
use crate::prove::moments::Which;
use crate::prove::queries::{Formula, Queries};
use indubit_run::{Ask, Run};
use indubit_system::Claim;
use std::cmp::Reverse;

/// The positions of candidates that prove some claims together, without those that can go, the heavy ones first: one of them goes if the largest inductive part of the others (Houdini; C.
/// Flanagan, K. R. M. Leino, FME 2001) still implies the claims. `None` if they prove nothing. If they are known to be lemmas, all of them hold initially.
pub(super) fn needed<K: Inductive>(
    system: &K::System,
    candidates: &K::Lemmas,
    are_lemmas: bool,
    claims: &[&Claim<K::Formula>],
    decider: &Decider,
    weight: impl Fn(usize) -> usize,
    run: &Run<'_>,
) -> Ask<Option<Vec<usize>>> {
    let moments = |which| K::moments(system, candidates, decider, which, run);
    let mut queries = Queries::new(moments(Which::INITIAL), moments(Which::STEP));
    let initially = K::lemmas_at(&mut queries.initial, 0, candidates);
    let [now, next] = [0, 1].map(|k| K::lemmas_at(&mut queries.step, k, candidates));
    let mut all = Vec::new();
    for ((initially, now), next) in initially.into_iter().zip(now).zip(next) {
        let i = queries.push(Formula { initially, now, next });
        if are_lemmas || queries.initiation(i)?.is_none() {
            all.push(i);
        }
    }
    let any = || moments(Which::ANY);
    let mut implications = Vec::with_capacity(claims.len());
    for claim in claims {
        let lemmas = |any: &mut K::Moments<'_>| K::lemmas_at(any, 0, candidates);
        let goal = |any: &mut K::Moments<'_>| K::goal_at(any, 0, claim);
        let Some(implication) = Queries::of_implication(any(), any(), lemmas, goal) else { return Ok(None) };
        implications.push(implication);
    }
    let mut imply = |kept: &[usize]| -> Ask<bool> {
        for (queries, goal) in &mut implications {
            if queries.consecution(*goal, kept)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let mut kept = queries.max_inductive_subset(all, &[])?;
    if !imply(&kept)? {
        return Ok(None);
    }
    let mut order = kept.clone();
    order.sort_by_key(|&i| Reverse((weight(i), i)));
    for i in order {
        let fewer: Vec<usize> = kept.iter().copied().filter(|&j| j != i).collect();
        if fewer.len() == kept.len() {
            continue;
        }
        let fewer = queries.max_inductive_subset(fewer, &[])?;
        if imply(&fewer)? {
            kept = fewer;
        }
    }
    Ok(Some(kept))
}
