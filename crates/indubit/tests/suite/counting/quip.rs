//! What Quip has and IC3 has not (Ivrii, Gurfinkel, FMCAD 2015) is at work, each part of it when it is switched on.

/// What Quip counts on random systems; the verdicts are compared elsewhere.
fn counted(settings: &[&str]) -> impl Fn(&str) -> u64 {
    super::tally::counted(indubit::EngineId::Quip, settings)
}

#[test]
fn lemmas_are_pushed_and_tested_against_reachable_states() {
    let n = counted(&[]);
    assert!(n("may-obligations") > 0);
    assert!(n("reachable states") > 0);
    assert!(n("ways from reachable states to bad") > 0);
    assert!(0 < n("bad lemmas") && n("bad lemmas") < n("lemmas"));
    assert!(n("lemmas promoted") > 0);
    assert_eq!((n("collections of bad lemmas"), n("reachable states deleted")), (0, 0));
}

#[test]
fn fewer_lemmas_are_bad_if_they_respect_reachable_states() {
    let [heeded, ignored] = [counted(&["respect=1000"]), counted(&[])];
    assert!(heeded("bad lemmas") * ignored("lemmas") < ignored("bad lemmas") * heeded("lemmas"));
}

#[test]
fn bad_lemmas_are_collected() {
    assert!(counted(&["collect=1"])("collections of bad lemmas") > 0);
}

#[test]
fn reachable_states_are_forgotten() {
    let n = counted(&["reset-reach=on"]);
    assert!(n("reachable states deleted") > 0);
    assert!(n("reachable states kept") < n("reachable states"));
}

#[test]
fn reachable_states_are_found_by_steps_forward() {
    let [usual, one_step, walk] = [&[][..], &["one-step=50"], &["walk=20"]].map(counted);
    assert!(one_step("reachable states") != usual("reachable states"));
    assert!(walk("reachable states") > usual("reachable states"));
}

#[test]
fn without_resets_lemmas_are_pushed_by_the_queue_alone() {
    let [usual, reset_free] = [&[][..], &["reset-free=on"]].map(counted);
    assert!(reset_free("may-obligations") > usual("may-obligations"));
    assert_eq!(reset_free("lemmas pushed"), 0);
}
