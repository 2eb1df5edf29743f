//! Systems made by hand whose answers are known, and the reference against itself.

use super::*;
use crate::{Word, explicit, random};
use indubit_system::{Justice, Signal};

fn justice(system: &mut BitSystem, lits: impl Into<Vec<Lit>>) {
    system.justice.push(Justice { lits: lits.into(), name: None });
}

fn fairness(system: &mut BitSystem, lit: Lit) {
    system.fairness.push(Signal { lit, name: None });
}

/// For each justice property the length of a shortest lasso and where it loops to, with all that is known about it compared.
fn lassos(system: &BitSystem) -> Vec<Option<(usize, usize)>> {
    let runs = Runs::new(system).unwrap();
    let holds = check(system).unwrap();
    let lasso = |i: usize| {
        let (some, shortest) = (runs.lasso(i), runs.shortest_lasso(i));
        assert_eq!((some.is_none(), shortest.is_none()), (holds[i], holds[i]));
        assert_eq!(runs.reason(i) == Reason::Fails, !holds[i]);
        for lasso in [&some, &shortest].into_iter().flatten() {
            assert!(check_lasso_against_reference(system, i, lasso).is_ok_and(Rounds::is_exact), "{lasso:?}");
        }
        assert!(some?.inputs.len() >= shortest.as_ref()?.inputs.len());
        shortest.map(|lasso| (lasso.inputs.len(), lasso.loops_to.unwrap()))
    };
    (0..system.justice.len()).map(lasso).collect()
}

fn reasons(system: &BitSystem) -> Vec<Reason> {
    let runs = Runs::new(system).unwrap();
    (0..system.justice.len()).map(|i| runs.reason(i)).collect()
}

/// A counter modulo eight without any choice.
fn counter() -> (BitSystem, Word) {
    let mut system = BitSystem::new();
    let count = Word::latches(&mut system, "count", 3, 0);
    let next = count.plus(system.aig_mut(), 1);
    count.set_next(&mut system, &next);
    (system, count)
}

#[test]
fn a_cycle_must_be_closed() {
    let (mut system, count) = counter();
    let five = count.is(system.aig_mut(), 5);
    justice(&mut system, []);
    justice(&mut system, [five]);
    justice(&mut system, [five, !five]);
    let never = Lit::FALSE;
    justice(&mut system, [five, never]);
    assert_eq!(lassos(&system), [Some((8, 0)), Some((8, 0)), Some((8, 0)), None]);
    assert_eq!(reasons(&system)[3], Reason::NeverSeen);
    // What a property does not depend on need not come back.
    assert_eq!(shortest(&system, 0), Ok(Some(1)));
    assert_eq!(shortest(&system, 1), Ok(Some(8)));
}

#[test]
fn a_constraint_can_end_all_runs() {
    let (mut system, count) = counter();
    let five = count.is(system.aig_mut(), 5);
    justice(&mut system, []);
    justice(&mut system, [count.bit(0)]);
    system.add_bad("odd", count.bit(0));
    system.add_constraint("not five", !five);
    assert_eq!(lassos(&system), [None, None]);
    assert_eq!(reasons(&system), [Reason::AllRunsEnd; 2]);
    let runs = Runs::new(&system).unwrap();
    assert_eq!((runs.n_states(), runs.n_dead(), runs.has_infinite_run()), (5, 5, false));
    // A finite run is enough for a bad state.
    assert_eq!(explicit::check(&system).unwrap()[0].depth(), Some(1));
    // A constraint that cannot hold at all leaves nothing, not even a first step.
    system.add_constraint("", Lit::FALSE);
    assert_eq!(lassos(&system), [None, None]);
    assert_eq!(Runs::new(&system).unwrap().n_states(), 0);
}

#[test]
fn dead_ends_can_be_avoided() {
    // `doomed` is set by an input and never cleared; then the constraint asks for the impossible in the step after the next.
    let mut system = BitSystem::new();
    let input = system.add_input("doom");
    let (doomed, dead) = (system.add_latch("doomed", Some(false)), system.add_latch("dead", Some(false)));
    let next = system.aig_mut().or(doomed, input);
    system.set_next(doomed, next);
    system.set_next(dead, doomed);
    system.add_constraint("alive", !dead);
    justice(&mut system, [doomed]);
    justice(&mut system, [input]);
    justice(&mut system, [!input]);
    assert_eq!(lassos(&system), [None, None, Some((1, 0))]);
    assert_eq!(reasons(&system)[..2], [Reason::SeenForAWhile; 2]);
    let runs = Runs::new(&system).unwrap();
    assert_eq!((runs.n_states(), runs.n_dead()), (3, 2));
}

#[test]
fn fairness_is_part_of_every_justice_property() {
    let mut system = BitSystem::new();
    let input = system.add_input("i");
    let stuck = system.add_latch("stuck", Some(false));
    justice(&mut system, []);
    justice(&mut system, [input]);
    system.add_bad("i", input);
    assert_eq!(lassos(&system), [Some((1, 0)), Some((1, 0))]);
    fairness(&mut system, !input);
    assert_eq!(lassos(&system), [Some((1, 0)), Some((2, 0))]);
    fairness(&mut system, stuck);
    assert_eq!(lassos(&system), [None, None]);
    assert_eq!(reasons(&system), [Reason::NeverSeen; 2]);
    // Bad states do not care.
    assert_eq!(explicit::check(&system).unwrap()[0].depth(), Some(0));
}

#[test]
fn signals_must_be_seen_in_the_same_component() {
    let mut system = BitSystem::new();
    let (go, tick) = (system.add_input("go"), system.add_input("tick"));
    let after = system.add_latch("after", Some(false));
    let next = system.aig_mut().or(after, go);
    system.set_next(after, next);
    let (early, late) = (system.aig_mut().and(tick, !after), system.aig_mut().and(tick, after));
    let leaving = system.aig_mut().and(go, !after);
    justice(&mut system, [early]);
    justice(&mut system, [late]);
    justice(&mut system, [early, late]);
    justice(&mut system, [leaving]);
    assert_eq!(lassos(&system), [Some((1, 0)), Some((2, 1)), None, None]);
    assert_eq!(reasons(&system)[2..], [Reason::NeverTogether, Reason::SeenForAWhile]);
}

#[test]
fn a_state_can_stay_and_show_different_signals() {
    let mut system = BitSystem::new();
    let (a, b) = (system.add_input("a"), system.add_input("b"));
    let both = system.aig_mut().and(a, b);
    justice(&mut system, [a, b]);
    justice(&mut system, [a, !a]);
    justice(&mut system, [a, !a, b, !b]);
    assert_eq!(lassos(&system), [Some((1, 0)), Some((2, 0)), Some((2, 0))]);
    // Never at once, but in turns.
    system.add_constraint("one at a time", !both);
    assert_eq!(lassos(&system), [Some((2, 0)); 3]);
    // Three in turns.
    let neither = system.aig_mut().and(!a, !b);
    justice(&mut system, [a, b, neither]);
    assert_eq!(lassos(&system)[3], Some((3, 0)));
}

#[test]
fn resets_are_bound_to_the_inputs_of_the_first_step() {
    let mut system = BitSystem::new();
    let i = system.add_input("i");
    let (a, b) = (system.add_latch("a", None), system.add_latch("b", None));
    system.set_reset(a, i);
    system.set_reset(b, !a);
    let differ = system.aig_mut().xor(a, i);
    let same = system.aig_mut().iff(a, b);
    justice(&mut system, [a]);
    justice(&mut system, [same]);
    // The first step cannot show it, so the loop begins with the second.
    justice(&mut system, [differ]);
    assert_eq!(lassos(&system), [Some((1, 0)), None, Some((2, 0))]);
    // If it has to be shown in each step but the first: `late` is set after that.
    let late = system.add_latch("late", Some(false));
    system.set_next(late, Lit::TRUE);
    let steady = system.aig_mut().and(late, differ);
    let shown = system.aig_mut().or(!late, differ);
    system.add_constraint("", shown);
    justice(&mut system, [steady]);
    assert_eq!(lassos(&system), [Some((2, 1)), None, Some((2, 1)), Some((2, 1))]);
}

#[test]
fn uninitialised_latches_start_with_any_value() {
    let mut system = BitSystem::new();
    let bits = [(); 3].map(|()| system.add_latch("", None));
    for i in 0..3 {
        system.set_next(bits[i], bits[(i + 1) % 3]);
    }
    let aig = system.aig_mut();
    let (all, some) = (aig.and_all(bits), aig.or_all(bits));
    justice(&mut system, [bits[0]]);
    justice(&mut system, [bits[0], !bits[0]]);
    justice(&mut system, [all, !some]);
    assert_eq!(lassos(&system), [Some((1, 0)), Some((3, 0)), None]);
    assert_eq!(reasons(&system)[2], Reason::NeverTogether);
}

#[test]
fn a_saturating_counter_does_not_rise_for_ever() {
    for (bits, steps) in [(1, 2), (3, 8), (5, 32)] {
        let mut system = crate::models::saturation(bits);
        let full = system.latches().iter().map(|l| Lit::positive(l.var)).collect::<Vec<_>>();
        let full = system.aig_mut().and_all(full);
        justice(&mut system, [full]);
        justice(&mut system, []);
        assert_eq!(lassos(&system), [None, Some((steps, steps - 1)), Some((1, 0))]);
    }
    let runs = Runs::new(&crate::models::saturation(16)).unwrap();
    assert_eq!((runs.n_states(), runs.reason(0)), (1 << 16, Reason::SeenForAWhile));
}

#[test]
fn faults_of_lassos() {
    let (mut system, count) = counter();
    let even = system.add_latch("even", Some(true));
    system.set_next(even, !even);
    let four = count.is(system.aig_mut(), 4);
    justice(&mut system, [four]);
    justice(&mut system, [even]);
    system.add_constraint("", Lit::TRUE);
    let lasso = |initial: &[bool], n: usize, loops_to: usize| Trace {
        initial: initial.to_vec(),
        inputs: vec![vec![]; n],
        loops_to: Some(loops_to),
    };
    let start = [false, false, false, true];
    assert!(check_lasso(&system, 0, &lasso(&start, 8, 0)).is_ok_and(Rounds::is_exact));
    assert!(check_lasso(&system, 1, &lasso(&start, 3, 1)).is_ok_and(Rounds::is_exact));
    // Two rounds in one, and one that begins late.
    assert!(check_lasso(&system, 0, &lasso(&start, 16, 0)).is_ok_and(Rounds::is_exact));
    assert!(check_lasso(&system, 0, &lasso(&start, 11, 3)).is_ok_and(Rounds::is_exact));
    let faults = [
        (0, lasso(&start, 8, 8), Fault::Shape),
        (0, Trace::finite(start.to_vec(), vec![vec![]; 8]), Fault::Shape),
        (0, lasso(&start[..3], 8, 0), Fault::Shape),
        (0, lasso(&[false, true, false, true], 8, 0), Fault::Initial { latch: 1 }),
        (0, lasso(&start, 4, 0), Fault::NotSeen { signal: 0 }),
        (0, lasso(&start, 7, 0), Fault::Drifts { signal: 0, round: 1, step: 4 }),
        (1, lasso(&start, 3, 0), Fault::Drifts { signal: 0, round: 1, step: 0 }),
    ];
    for (property, lasso, fault) in faults {
        assert_eq!(check_lasso(&system, property, &lasso), Err(fault), "{lasso:?}");
    }
    // A constraint that holds in the first round only.
    system.constraints[0].lit = system.aig_mut().or(even, !four);
    assert!(check_lasso(&system, 1, &lasso(&start, 2, 0)).is_ok_and(|rounds| rounds.period == 4));
    system.constraints[0].lit = !four;
    let broken = Fault::Constraint { constraint: 0, round: 2, step: 0 };
    assert_eq!(check_lasso(&system, 1, &lasso(&start, 2, 0)), Err(broken));
    let told = check_lasso_against_reference(&system, 1, &lasso(&start, 2, 0)).unwrap_err();
    assert_eq!(
        told,
        "constraint 0 is broken in step 0 of round 2, and the reference says that there is no lasso"
    );
}

/// A lasso on the latches that matter counts, though the state as a whole comes back later.
#[test]
fn only_latches_that_matter_come_back() {
    let (mut system, _) = counter();
    let toggles = system.add_latch("toggles", Some(false));
    system.set_next(toggles, !toggles);
    justice(&mut system, [toggles]);
    let lasso = Trace { initial: vec![false; 4], inputs: vec![vec![]; 2], loops_to: Some(0) };
    assert!(check_lasso(&system, 0, &lasso).is_ok_and(Rounds::is_exact));
    assert_eq!((lassos(&system)[0], shortest(&system, 0)), (Some((8, 0)), Ok(Some(2))));
    // Latches that only seem to matter: then it takes more rounds to see that they do not.
    let bit = Lit::positive(system.latches()[2].var);
    let seems = system.aig_mut().raw_and(bit, Lit::FALSE);
    let seems = system.aig_mut().raw_and(!seems, toggles);
    system.justice[0].lits = vec![seems];
    assert_eq!(check_lasso(&system, 0, &lasso), Ok(Rounds { before: 0, period: 4 }));
}

#[test]
fn refusals() {
    let mut system = BitSystem::new();
    let a = system.add_latch("a", None);
    system.set_reset(a, !a);
    assert_eq!(check(&system), Err(Refusal::CyclicReset));
    let mut system = BitSystem::new();
    for _ in 0..=explicit::MAX_INPUTS {
        system.add_input("");
    }
    assert_eq!(check(&system), Err(Refusal::TooLarge));
    assert_eq!(check(&BitSystem::new()), Ok(vec![]));
    let mut system = BitSystem::new();
    justice(&mut system, []);
    assert_eq!(lassos(&system), [Some((1, 0))]);
}

/// Is there an infinite run that sees all signals infinitely often? By a fixpoint over sets of states (Emerson and Lei, LICS 1986), with no
/// graph and no components: states from which each signal can be reached once more, and then such a state again.
fn fails_by_fixpoint(system: &BitSystem, justice: usize) -> bool {
    let (n_latches, n_inputs) = (system.latches().len(), system.inputs().len());
    let bits = |code: usize, n: usize| (0..n).map(|i| code >> i & 1 == 1).collect::<Vec<bool>>();
    let number = |bits: Vec<bool>| bits.iter().rev().fold(0, |n, &bit| 2 * n + usize::from(bit));
    let value = indubit_aig::simulate::value;
    let signals: Vec<Lit> =
        system.fairness.iter().map(|s| s.lit).chain(system.justice[justice].lits.iter().copied()).collect();
    let mut steps = Vec::new();
    let mut first = Vec::new();
    for state in 0..1 << n_latches {
        for inputs in 0..1 << n_inputs {
            let values = system.evaluate(&bits(state, n_latches), &bits(inputs, n_inputs));
            if system.constraints.iter().all(|c| value(&values, c.lit)) {
                let seen: Vec<bool> = signals.iter().map(|&s| value(&values, s)).collect();
                let to = number(system.next_state(&values));
                steps.push((state, to, seen));
                let begins = |l: &indubit_system::Latch| value(&values, l.reset) == values[l.var.index()];
                if system.latches().iter().all(begins) {
                    first.push(to);
                }
            }
        }
    }
    let mut good = vec![true; 1 << n_latches];
    loop {
        let before = good.clone();
        for signal in (0..signals.len()).map(Some).chain([None]) {
            let shows = |seen: &[bool]| signal.is_none_or(|i| seen[i]);
            let mut reaches = vec![false; 1 << n_latches];
            for (from, _, _) in steps.iter().filter(|(_, to, seen)| shows(seen) && good[*to]) {
                reaches[*from] = true;
            }
            let mut grows = true;
            while std::mem::take(&mut grows) {
                for (from, to, _) in &steps {
                    if reaches[*to] && good[*to] && !reaches[*from] {
                        (reaches[*from], grows) = (true, true);
                    }
                }
            }
            good.iter_mut().zip(reaches).for_each(|(good, reaches)| *good &= reaches);
        }
        if good == before {
            break;
        }
    }
    // A good state after the first step, with any finite run to it.
    let mut open = first;
    let mut known = vec![false; 1 << n_latches];
    while let Some(state) = open.pop() {
        if good[state] {
            return true;
        }
        if !std::mem::replace(&mut known[state], true) {
            open.extend(steps.iter().filter(|(from, ..)| *from == state).map(|(_, to, _)| *to));
        }
    }
    false
}

#[test]
fn two_algorithms_agree_on_random_systems() {
    let config = random::LiveConfig { latches: 1..=6, inputs: 0..=3, ..random::LiveConfig::default() };
    let mut n_failing = 0;
    for seed in 0..600 {
        let system = random::live_system(seed, &config);
        for (i, lasso) in lassos(&system).into_iter().enumerate() {
            assert_eq!(lasso.is_some(), fails_by_fixpoint(&system, i), "seed {seed}, justice {i}");
            n_failing += usize::from(lasso.is_some());
        }
    }
    assert!(n_failing > 200);
}

/// A shortest lasso by trying all inputs of all lengths.
fn shortest_by_trying(system: &BitSystem, justice: usize, limit: usize) -> Option<usize> {
    let n_inputs = system.inputs().len();
    let n_bits = |length: usize| length * n_inputs + system.latches().len();
    let is_lasso = |length: usize, code: usize| {
        let bit = |i: usize| code >> i & 1 == 1;
        let inputs = (0..length).map(|k| (0..n_inputs).map(|i| bit(k * n_inputs + i)).collect()).collect();
        let initial = (0..system.latches().len()).map(|i| bit(length * n_inputs + i)).collect();
        let mut lasso = Trace { initial, inputs, loops_to: None };
        (0..length).any(|loops_to| {
            lasso.loops_to = Some(loops_to);
            check_lasso(system, justice, &lasso).is_ok_and(Rounds::is_exact)
        })
    };
    (1..=limit).find(|&length| (0..1 << n_bits(length)).any(|code| is_lasso(length, code)))
}

/// All latches are made to matter, so that the state as a whole has to come back.
#[test]
fn shortest_lassos_are_shortest() {
    const LIMIT: usize = 4;
    let config = random::LiveConfig {
        latches: 1..=3,
        inputs: 0..=2,
        signals: 0..=2,
        fairness: 1..=1,
        ..random::LiveConfig::default()
    };
    let mut lengths = [0; LIMIT + 1];
    for seed in 0..300 {
        let mut system = random::live_system(seed, &config);
        let mut all = Lit::TRUE;
        for latch in system.latches().to_vec() {
            all = system.aig_mut().raw_and(all, Lit::positive(latch.var));
        }
        let always = system.aig_mut().raw_and(all, Lit::FALSE);
        system.add_constraint("", !always);
        let runs = Runs::new(&system).unwrap();
        for i in 0..system.justice.len() {
            let length = runs.shortest_lasso(i).map(|lasso| lasso.inputs.len());
            let tried = shortest_by_trying(&system, i, LIMIT);
            assert_eq!(length.filter(|&n| n <= LIMIT), tried, "seed {seed}, justice {i}");
            lengths[tried.unwrap_or(0)] += 1;
        }
    }
    assert!(lengths.iter().all(|&n| n > 5), "{lengths:?}");
}

#[test]
fn cases_have_their_verdicts_at_the_positions_of_properties() {
    use crate::models::Expected;
    use indubit_system::ClaimKind;
    let (mut n_fails, mut n) = (0, 0);
    for case in live_cases(0..200) {
        let runs = Runs::new(&case.system).unwrap();
        let n_bads = case.system.bad_signals().len();
        for (property, expected) in case.properties() {
            let claim = case.system.property(property).unwrap().claim;
            assert_eq!(claim.kind(), ClaimKind::Justice);
            let fails = matches!(expected, Expected::Fails { length: Some(_) });
            assert_eq!(fails, runs.violates(property - n_bads));
            assert!(fails || expected == Expected::Holds);
            n_fails += usize::from(fails);
            n += 1;
        }
    }
    assert!(n_fails * 10 > n * 3 && n_fails * 10 < n * 7, "{n_fails} of {n} fail");
}
