//! By turns: a hard property does not keep the others waiting, and what goes wrong with one is an error of that one.

use indubit::run::{Cancel, Run};
use indubit::term::Sort;
use indubit::{BitSystem, Bits, Decidable, EngineId, Next, Plan, Verdict, WordSystem, Words, check_all};
use indubit_testkit::Word;
use std::collections::BTreeMap;
use std::time::Duration;

/// Far more than any of this takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// The words for all properties, once those that are easy are told: then nobody waits any longer.
fn told<K: Decidable>(system: &K::System, easy: &[usize], plan: Plan) -> BTreeMap<usize, &'static str> {
    let watchdog = Cancel::after(PATIENCE);
    let cancel = watchdog.child();
    let mut run = Run::new(cancel.clone());
    let mut told = BTreeMap::new();
    let properties: Vec<usize> = (0..K::properties(system).len()).collect();
    check_all::<K>(system, &properties, plan, &mut run, &mut |answer| {
        let word = answer.result.as_ref().map_or("error", Verdict::word);
        assert_eq!(told.insert(answer.property, word), None, "property {} is told twice", answer.property);
        if easy.iter().all(|property| told.contains_key(property)) {
            cancel.cancel();
        }
        Next::GoOn
    })
    .unwrap();
    let open: Vec<_> = told.iter().filter(|(_, word)| **word == "unknown").collect();
    assert_eq!(watchdog.reason(), None, "{} were not decided", open.len());
    assert_eq!(told.len(), properties.len());
    told
}

/// Two circuits for a product, of words that are whatever they are: no engine sees in a minute that they say the same.
fn differ(system: &mut BitSystem, a: &Word, b: &Word) -> indubit::logic::Lit {
    let rows = a.times(system.aig_mut(), b);
    let columns = b.times_by_columns(system.aig_mut(), a);
    !rows.equals(system.aig_mut(), &columns)
}

/// Any words in each step.
fn free(system: &mut BitSystem, name: &str, width: usize) -> Word {
    let word = Word::uninitialised(system, name, width);
    let next = Word::inputs(system, &format!("next {name}"), width);
    word.set_next(system, &next);
    word
}

/// One bit of a ring is set, and may go on: that there are never two takes a lemma for each pair.
fn ring(system: &mut BitSystem, length: usize) -> indubit::logic::Lit {
    let bits = Word::latches(system, "ring", length, 1);
    let go = system.add_input("go");
    let next = Word::new((0..length).map(|i| bits.bit((i + length - 1) % length)));
    let next = bits.when(system.aig_mut(), go, &next);
    bits.set_next(system, &next);
    bits.has_two(system.aig_mut())
}

/// A number that counts up to a last one, and stays there.
fn counter(system: &mut BitSystem, width: usize, last: u64) -> Word {
    let count = Word::latches(system, "count", width, 0);
    let is_last = count.is(system.aig_mut(), last);
    let more = count.plus(system.aig_mut(), 1);
    let next = count.or_else(system.aig_mut(), is_last, &more);
    count.set_next(system, &next);
    count
}

#[test]
fn a_hard_property_of_its_own_latches_does_not_starve_the_others() {
    let mut system = BitSystem::new();
    let (a, b) = (free(&mut system, "a", 16), free(&mut system, "b", 16));
    let hard = differ(&mut system, &a, &b);
    let safe = ring(&mut system, 40);
    let count = counter(&mut system, 4, 15);
    let violated = count.is(system.aig_mut(), 6);
    for bad in [hard, safe, violated] {
        system.add_bad("", bad);
    }
    for plan in [EngineId::Ic3.into(), EngineId::Quip.into(), Plan::portfolio(1), Plan::portfolio(2)] {
        let told = told::<Bits>(&system, &[1, 2], plan);
        assert_eq!((told[&0], told[&1], told[&2]), ("unknown", "safe", "unsafe"));
    }
}

/// All are about the same latches, and one query about inputs takes for ever.
#[test]
fn a_hard_query_about_shared_latches_does_not_starve_the_others() {
    let mut system = BitSystem::new();
    let (a, b) = (Word::inputs(&mut system, "a", 16), Word::inputs(&mut system, "b", 16));
    let hard = differ(&mut system, &a, &b);
    let count = counter(&mut system, 4, 12);
    let second = count.is(system.aig_mut(), 2);
    let hard = system.aig_mut().and(hard, second);
    system.add_bad("hard", hard);
    for value in [14, 6, 13] {
        let bad = count.is(system.aig_mut(), value);
        system.add_bad("", bad);
    }
    for plan in [EngineId::Ic3.into(), Plan::portfolio(1), Plan::portfolio(2)] {
        let told = told::<Bits>(&system, &[1, 2, 3], plan);
        assert_eq!((told[&0], told[&1], told[&2], told[&3]), ("unknown", "safe", "unsafe", "safe"));
    }
}

/// Two numbers that go from square to square, whenever they want to: none is twice the other, which no linear invariant says.
#[test]
fn a_hard_property_of_words_does_not_starve_the_others() {
    let mut system = WordSystem::new();
    let names = ["n", "square", "m", "other", "x", "y"];
    let [n, square, m, other, x, y] = names.map(|name| system.add_state(name, Sort::Int));
    let go = system.add_input("go", Sort::Bool);
    let terms = &mut system.terms;
    let (one, two, three, five) = (terms.int(1), terms.int(2), terms.int(3), terms.int(5));
    let init = [(n, three), (square, one), (m, three), (other, one), (x, one), (y, one)];
    let init: Vec<_> = init.into_iter().map(|(var, value)| terms.eq(var.current, value)).collect();
    let stop = terms.not(go);
    let mut trans = Vec::new();
    // The differences of squares are the odd numbers.
    for (odd, square, goes) in [(n, square, go), (m, other, stop)] {
        for (var, by) in [(odd, two), (square, odd.current)] {
            let sum = terms.add(&[var.current, by]);
            let next = terms.ite(goes, sum, var.current);
            trans.push(terms.eq(var.next, next));
        }
    }
    for (var, by) in [(x, one), (y, x.current)] {
        let next = terms.add(&[var.current, by]);
        trans.push(terms.eq(var.next, next));
    }
    let twice = terms.add(&[other.current, other.current]);
    let is_twice = terms.eq(square.current, twice);
    let hard = terms.not(is_twice);
    let (safe, violated) = (terms.ge(y.current, one), terms.le(x.current, five));
    (system.init, system.trans) = (terms.and(&init), terms.and(&trans));
    for (name, holds) in [("hard", hard), ("safe", safe), ("violated", violated)] {
        system.add_invar(name, holds);
    }
    for plan in [EngineId::Ic3ia.into(), EngineId::Ctigar.into(), Plan::portfolio(1), Plan::portfolio(2)] {
        let told = told::<Words>(&system, &[1, 2], plan);
        assert_eq!((told[&0], told[&1], told[&2]), ("unknown", "safe", "unsafe"));
    }
}

/// One of many, each about latches of its own or all about the same.
#[test]
fn one_hard_property_among_two_hundred() {
    for is_apart in [true, false] {
        let mut system = BitSystem::new();
        let (a, b) = (Word::inputs(&mut system, "a", 16), Word::inputs(&mut system, "b", 16));
        let hard = differ(&mut system, &a, &b);
        let shared = counter(&mut system, 5, 20);
        let mut expected = Vec::new();
        for i in 0..200 {
            let (last, value) = if is_apart { (i % 7, i % 5) } else { (20, i / 7) };
            let count = if is_apart { counter(&mut system, 3, last) } else { shared.clone() };
            let mut bad = count.is(system.aig_mut(), value);
            if i == 100 {
                let second = count.is(system.aig_mut(), 2);
                bad = system.aig_mut().and(hard, second);
            }
            system.add_bad("", bad);
            expected.push(match i {
                100 => "unknown",
                _ if value <= last => "unsafe",
                _ => "safe",
            });
        }
        let easy: Vec<usize> = (0..200).filter(|&i| i != 100).collect();
        for plan in [EngineId::Ic3.into(), Plan::portfolio(1), Plan::portfolio(2)] {
            let told = told::<Bits>(&system, &easy, plan);
            assert_eq!(told.into_values().collect::<Vec<_>>(), expected, "{is_apart}");
        }
    }
}
