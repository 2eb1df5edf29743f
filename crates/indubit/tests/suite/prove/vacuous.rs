use super::*;
use indubit::logic::Lit;
use indubit::term::Sort;
use indubit::{BitSystem, Bits, WordSystem, Words};
use indubit_testkit::Word;

/// A number that counts up from 0. There is no run beyond some number, if there is one.
fn count_of_bits(last: Option<u64>) -> BitSystem {
    let mut system = BitSystem::new();
    let count = Word::latches(&mut system, "count", 4, 0);
    let next = count.plus(system.aig_mut(), 1);
    count.set_next(&mut system, &next);
    if let Some(last) = last {
        let beyond = count.exceeds(system.aig_mut(), last);
        system.add_constraint("not beyond", !beyond);
    }
    system.add_bad("never", Lit::FALSE);
    system
}

fn count_of_words(last: Option<u64>) -> WordSystem {
    let mut system = WordSystem::new();
    let x = system.add_state("x", Sort::Int);
    let [zero, one] = [0, 1].map(|n| system.terms.int(n));
    system.init = system.terms.eq(x.current, zero);
    let more = system.terms.add(&[x.current, one]);
    system.trans = system.terms.eq(x.next, more);
    if let Some(last) = last {
        let last = system.terms.int(last as i64);
        let goes_on = system.terms.lt(x.current, last);
        system.trans = system.terms.and(&[system.trans, goes_on]);
    }
    system
}

fn says<K: Inductive>(system: &K::System, steps: usize) -> Option<Vacuity> {
    vacuity::<K>(system, steps, None, &Run::new(Cancel::new())).unwrap()
}

#[test]
fn runs_that_end_do_so_after_their_last_step() {
    for last in 0..7 {
        let (bits, words) = (count_of_bits(Some(last as u64)), count_of_words(Some(last as u64)));
        for steps in 0..10 {
            let expected = (last < steps).then_some(Vacuity::NoRunBeyond(last));
            assert_eq!(says::<Bits>(&bits, steps), expected, "{last} of {steps}");
            assert_eq!(says::<Words>(&words, steps), expected, "{last} of {steps}");
        }
    }
}

#[test]
fn runs_that_go_on_are_not_vacuous() {
    for steps in [0, 1, 2, 5, 20] {
        assert_eq!(says::<Bits>(&count_of_bits(None), steps), None);
        assert_eq!(says::<Words>(&count_of_words(None), steps), None);
    }
}

#[test]
fn a_model_without_initial_states_is_vacuous() {
    let mut bits = count_of_bits(None);
    let first = Lit::positive(bits.latches()[0].var);
    bits.add_constraint("", first);
    let mut words = count_of_words(Some(3));
    words.init = words.terms.bool(false);
    for steps in [0, 1, 5] {
        assert_eq!(says::<Bits>(&bits, steps), Some(Vacuity::NoInitialState));
        assert_eq!(says::<Words>(&words, steps), Some(Vacuity::NoInitialState));
    }
    // Reset functions may contradict a constraint, too.
    let mut bits = BitSystem::new();
    let (a, b) = (bits.add_latch("a", None), bits.add_latch("b", None));
    bits.set_reset(b, !a);
    let both = bits.aig_mut().iff(a, b);
    bits.add_constraint("", both);
    assert_eq!(says::<Bits>(&bits, 5), Some(Vacuity::NoInitialState));
}

#[test]
fn what_nobody_has_a_theory_for_may_have_runs() {
    let mut system = count_of_words(None);
    let x = system.states[0];
    let square = system.terms.mul(x.current, x.current);
    system.trans = system.terms.eq(x.next, square);
    assert_eq!(says::<Words>(&system, 5), None);
}

#[test]
fn an_ended_run_does_not_know() {
    let cancel = Cancel::new();
    cancel.cancel();
    let run = Run::new(cancel);
    assert_eq!(vacuity::<Bits>(&count_of_bits(None), 5, None, &run), Err(Stop::Cancelled));
    assert_eq!(vacuity::<Words>(&count_of_words(None), 5, None, &run), Err(Stop::Cancelled));
}
