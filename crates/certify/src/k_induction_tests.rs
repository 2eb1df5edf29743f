use super::*;
use crate::check_certificate;
use crate::solver::by_either;
use indubit_formats::certificate;
use indubit_logic::Clause;
use indubit_run::Cancel;
use indubit_system::Proof;
use indubit_testkit::{explicit, random};

fn plain(model: &BitSystem, k: u32) -> Result<(), Reason> {
    by_either(|by| {
        check_k_induction(model, &model.properties()[0], &Invariant::new(model.aig().n_vars()), k, None, by)
    })
}

fn simple(model: &BitSystem, k: u32) -> Result<(), Reason> {
    let all: Vec<usize> = (0..model.latches().len()).collect();
    let none = Invariant::new(model.aig().n_vars());
    by_either(|by| check_k_induction(model, &model.properties()[0], &none, k, Some(&all), by))
}

/// Is it k-inductive together with `with`, by the witness circuit?
fn circuit(model: &BitSystem, with: &Invariant, k: u32) -> Result<(), Reason> {
    let proof = Proof::KInductive { k, with: with.clone(), simple_path: None };
    let witness = certificate::build(model, &model.properties()[0], &proof, "model.aag");
    by_either(|by| check_certificate(&certificate::subject(model, &model.properties()[0]), &witness, by))
}

/// A shift register of `n` latches that feeds on an uninitialised bit that holds still; the last differs from
/// the first only if some pair in between does. `n`-inductive and no less.
fn shift(n: usize) -> BitSystem {
    let mut model = BitSystem::new();
    let bits: Vec<Lit> = (0..n).map(|i| model.add_latch(&format!("s[{i}]"), None)).collect();
    for pair in bits.windows(2) {
        model.set_next(pair[1], pair[0]);
        model.set_reset(pair[1], pair[0]);
    }
    let differ = model.aig_mut().xor(bits[0], bits[n - 1]);
    model.add_bad("differ", differ);
    model
}

#[test]
fn depth_is_exact() {
    for n in 2..=6 {
        let model = shift(n);
        for k in 1..=6 {
            let expected = k as usize >= n - 1;
            assert_eq!(plain(&model, k).is_ok(), expected, "{n} {k}");
            assert_eq!(
                circuit(&model, &Invariant::new(model.aig().n_vars()), k).is_ok(),
                expected,
                "{n} {k}"
            );
        }
    }
    let refusal = plain(&shift(3), 1).unwrap_err().to_string();
    assert!(
        refusal.starts_with("1 good step does not force another one (for example with s[0] = "),
        "{refusal}"
    );
}

#[test]
fn reset_functions_constraints_and_inputs() {
    // p and q start with the input and follow it under the constraint that it equals p or p just changed.
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let p = model.add_latch("p", None);
    let q = model.add_latch("q", None);
    let r = model.add_latch("r", None);
    model.set_reset(p, i);
    model.set_reset(q, p);
    model.set_reset(r, !q);
    model.set_next(p, i);
    model.set_next(q, p);
    model.set_next(r, !q);
    let same = model.aig_mut().iff(i, p);
    model.add_constraint("still", same);
    let wrong = model.aig_mut().iff(q, r);
    model.add_bad("wrong", wrong);
    let none = Invariant::new(model.aig().n_vars());
    assert!(explicit::check(&model).unwrap()[0].is_safe());
    for k in 1..=5 {
        assert_eq!(plain(&model, k).is_ok(), circuit(&model, &none, k).is_ok(), "{k}");
    }
    assert!(plain(&model, 3).is_ok());
    // Without the constraint it is false.
    model.constraints.clear();
    assert!(matches!(plain(&model, 3), Err(Reason::InductionStep { k: 3, .. })));
    assert!(matches!(plain(&model, 5), Err(Reason::InductionBase { step: 3, .. })));
    assert!(matches!(circuit(&model, &none, 5), Err(Reason::Check { .. })));
}

#[test]
fn simple_paths_are_needed() {
    // A counter that runs 0, 1, 2, 0 ... and, from 4, stays in a loop of unreachable states before 7 is reached.
    let mut model = BitSystem::new();
    let bits: Vec<Lit> = (0..3).map(|i| model.add_latch(&format!("n[{i}]"), Some(false))).collect();
    let choice = model.add_input("go");
    let [a, b, c] = bits[..] else { unreachable!() };
    let aig = model.aig_mut();
    // c = 1: 4 <-> 5 for ever, or 5 -> 7 if `go`.
    let jump = aig.and_all([c, a, !b, choice]);
    let a_low = aig.and_all([!a, !b, !c]);
    let a_high = aig.and_all([c, !a]);
    let a_next = aig.or_all([a_low, a_high, jump]);
    let b_low = aig.and_all([a, !b, !c]);
    let b_next = aig.or_all([b_low, jump]);
    model.set_next(a, a_next);
    model.set_next(b, b_next);
    model.set_next(c, c);
    let seven = model.aig_mut().and_all([a, b, c]);
    model.add_bad("seven", seven);
    assert!((1..12).all(|k| plain(&model, k).is_err()));
    assert!((1..12).any(|k| simple(&model, k).is_ok()));
}

#[test]
fn a_reset_that_reads_an_input_needs_a_longer_base() {
    // a starts with the input and keeps its value; bad is `a` with the input down. The counterexample repeats its
    // state, since in the first step the input cannot be down.
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let a = model.add_latch("a", None);
    model.set_reset(a, i);
    let bad = model.aig_mut().and(a, !i);
    model.add_bad("", bad);
    assert!(!explicit::check(&model).unwrap()[0].is_safe());
    for k in 1..=4 {
        assert!(matches!(simple(&model, k), Err(Reason::InductionBase { step: 1, .. })), "{k}");
    }
}

#[test]
fn random_systems() {
    let config = random::Config { bads: 1..=1, ..random::Config::default() };
    let (mut n_proved, mut n_simple) = (0, 0);
    for seed in 0..600 {
        let model = random::system(seed, &config);
        let safe = explicit::check(&model).unwrap()[0].is_safe();
        let mut with = Invariant::new(model.aig().n_vars());
        if seed % 3 == 0 {
            // Something that may or may not help.
            let lit = Lit::positive(model.latches()[0].var);
            let gate = with.and(lit, model.bad_signals()[0].lit);
            with.add(Clause::new([!gate, !lit]));
        }
        for k in 1..=4 {
            let all: Vec<usize> = (0..model.latches().len()).collect();
            let run = |simple| {
                by_either(|by| check_k_induction(&model, &model.properties()[0], &with, k, simple, by))
                    .is_ok()
            };
            let (plain, simple) = (run(None), run(Some(&all[..])));
            assert_eq!(plain, circuit(&model, &with, k).is_ok(), "seed {seed} k {k}");
            // On simple paths `with` must be inductive by itself, and that this one seldom is.
            assert!(simple || !plain || !with.is_trivial(), "seed {seed} k {k}");
            // Some of the latches may not be enough, but never prove what is false.
            let some = run(Some(&all[..all.len() / 2]));
            assert!(safe || !some, "seed {seed} k {k}");
            assert!(safe || !simple, "seed {seed} k {k}");
            n_proved += usize::from(plain);
            n_simple += usize::from(simple);
        }
    }
    assert!(n_proved > 300 && n_simple > 300, "{n_proved} {n_simple}");
}

#[test]
fn malformed_proofs_are_refused() {
    let model = shift(2);
    let run = |with: &Invariant, k| {
        let property = &model.properties()[0];
        by_either(|by| check_k_induction(&model, property, with, k, None, by)).unwrap_err().to_string()
    };
    let good = Invariant::new(model.aig().n_vars());
    assert_eq!(run(&good, 0), "0-induction proves nothing");
    assert!(run(&Invariant::new(3), 1).contains("about 3 nodes"));
}

#[test]
fn a_cancelled_check_unwinds() {
    let cancel = Cancel::new();
    cancel.cancel();
    let model = shift(3);
    let none = Invariant::new(model.aig().n_vars());
    assert_eq!(
        check_k_induction(&model, &model.properties()[0], &none, 1, None, &cancel),
        Err(indubit_run::Stop::Cancelled)
    );
}

#[test]
fn states_may_be_compared_on_what_determines_the_rest() {
    // `keep` holds its value and is bad with the input; it starts with the complement of `one`, which is stuck. The
    // noise reads the input and is masked by `one`.
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let one = model.add_latch("one", Some(true));
    let keep = model.add_latch("keep", None);
    let noise = model.add_latch("noise", Some(false));
    model.set_reset(keep, !one);
    model.set_next(noise, !i);
    let masked = model.aig_mut().and(!noise, !one);
    let either = model.aig_mut().or(masked, keep);
    let bad = model.aig_mut().and(either, i);
    model.add_bad("bad", bad);
    let mut stuck = Invariant::new(model.aig().n_vars());
    stuck.add(Clause::new([one]));
    let none = Invariant::new(model.aig().n_vars());
    let run = |with: &Invariant, latches: &[usize]| {
        by_either(|by| check_k_induction(&model, &model.properties()[0], with, 1, Some(latches), by))
    };
    assert_eq!(run(&stuck, &[1]), Ok(()));
    // On all latches the noise makes states differ; without knowing that `one` is stuck, `keep` does not suffice.
    assert!(matches!(run(&stuck, &[0, 1, 2]), Err(Reason::InductionStep { .. })));
    assert!(matches!(run(&none, &[1]), Err(Reason::SimplePath(_))));
    assert!(matches!(run(&stuck, &[2]), Err(Reason::SimplePath(_))));
    assert!(matches!(run(&stuck, &[7]), Err(Reason::Misfit(_))));
    let mut wrong = Invariant::new(model.aig().n_vars());
    wrong.add(Clause::new([noise]));
    assert!(matches!(run(&wrong, &[1]), Err(Reason::SimplePath(_))));
}
