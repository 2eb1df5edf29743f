//! Systems written as SMV, and read again.

use crate::support::{random_formula, random_system, random_value};
use crate::vmt::random_ltl;
use fastrand::Rng;
use indubit_formats::{btor2, smv};
use indubit_system::{Claim, Property, PropertyId, WordSystem};
use indubit_term::{Sort, Term, Value};
use std::collections::HashMap;

/// Values for all variables of two systems, where the second one was written from the first: states come first, then inputs, some of which may be states now.
fn values(a: &WordSystem, b: &WordSystem, rng: &mut Rng) -> [HashMap<Term, Value>; 2] {
    let [mut in_a, mut in_b] = [HashMap::new(), HashMap::new()];
    for (x, y) in a.states.iter().zip(&b.states) {
        for (x, y) in [(x.current, y.current), (x.next, y.next)] {
            let value = random_value(rng, a.terms.sort(x));
            in_a.insert(x, value.clone());
            in_b.insert(y, value);
        }
    }
    // Their order among themselves stays.
    let of_state = b.states[a.states.len()..].iter().map(|v| (v.current, Some(v.next)));
    let mut theirs: Vec<(Term, Option<Term>)> = of_state.chain(b.inputs.iter().map(|&i| (i, None))).collect();
    for &input in &a.inputs {
        let value = random_value(rng, a.terms.sort(input));
        let name = a.terms.name(input);
        let at = theirs.iter().position(|&(t, _)| b.terms.name(t) == name).expect("inputs keep these names");
        let (same, next) = theirs.remove(at);
        if let Some(next) = next {
            in_b.insert(next, random_value(rng, b.terms.sort(next)));
        }
        in_a.insert(input, value.clone());
        in_b.insert(same, value);
    }
    assert!(theirs.is_empty(), "nothing else is read");
    [in_a, in_b]
}

fn assert_same(a: &WordSystem, b: &WordSystem, rng: &mut Rng, place: &str) {
    b.validate().expect("what was read is well-formed");
    assert_eq!(a.properties.len(), b.properties.len(), "{place}");
    for _ in 0..20 {
        let [in_a, in_b] = values(a, b, rng);
        let found = |s: &WordSystem, values: &HashMap<Term, Value>| {
            let mut roots = vec![s.init, s.trans];
            for property in &s.properties {
                if let Claim::Always(holds) = property.claim {
                    roots.push(holds);
                }
            }
            s.terms.evaluate_all(&roots, &|v| values[&v].clone()).expect("small numbers")
        };
        assert_eq!(found(a, &in_a), found(b, &in_b), "{place}");
    }
    for (p, q) in a.properties.iter().zip(&b.properties) {
        assert_eq!(p.claim.kind() == q.claim.kind(), !matches!(p.claim, Claim::Justice(_)), "{place}");
    }
}

/// A random system that SMV can say, with constraints and fairness.
fn random(rng: &mut Rng) -> WordSystem {
    let mut system = random_system(rng, true);
    let seen: Vec<Term> =
        system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied()).collect();
    let properties = std::mem::take(&mut system.properties);
    for _ in 0..rng.usize(0..2) {
        let holds = random_formula(rng, &mut system.terms, &seen);
        system.add_constraint(None, holds);
    }
    for property in properties {
        system.add_invar(&property.label(), property.claim.formulas()[0]);
    }
    if rng.bool() {
        let often = random_formula(rng, &mut system.terms, &seen);
        system.fairness.push(often);
    }
    let atoms: Vec<Term> = (0..2).map(|_| random_formula(rng, &mut system.terms, &seen)).collect();
    let claim = Claim::Ltl(random_ltl(rng, &atoms));
    system.properties.push(Property::new(PropertyId::Ltl(7), "F x", claim));
    let signals = system.fairness.iter().copied().chain(atoms).collect();
    system.properties.push(Property::new(PropertyId::Justice(0), "often", Claim::Justice(signals)));
    system
}

#[test]
fn what_is_written_is_read() {
    for seed in 0..400 {
        let rng = &mut Rng::with_seed(seed);
        let system = random(rng);
        let text = smv::write(&system).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let read = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_same(&system, &read.system, rng, &format!("seed {seed}\n{text}"));
        let again = smv::write(&read.system).unwrap();
        let third =
            smv::parse(again.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{again}"));
        let names =
            |s: &WordSystem| (0..s.states.len()).map(|i| s.state_name(i).to_owned()).collect::<Vec<_>>();
        assert_eq!(names(&read.system), names(&third.system), "seed {seed}: names change once");
        assert_same(&read.system, &third.system, rng, &format!("seed {seed}\n{again}"));
    }
}

#[test]
fn names_stay_or_are_quoted() {
    let mut system = WordSystem::new();
    let names = ["x", "count[3]", "u0.full", "next", "a--b", "x", "_1", "\"q\"", "é", "", "max", "FUN"];
    for name in names {
        let state = system.add_state(name, Sort::Bool);
        system.trans = {
            let step = system.terms.eq(state.next, state.current);
            system.terms.and(&[system.trans, step])
        };
    }
    let [x, y] = [system.states[0].current, system.states[1].current];
    let both = system.terms.and(&[x, y]);
    system.add_invar("x", both);
    system.add_invar("x = y", both);
    let text = smv::write(&system).unwrap();
    for expected in [
        "  x : boolean;",
        "  \"count[3]\" : boolean;",
        "  \"u0.full\" : boolean;",
        "  \"next\" : boolean;",
        "  \"a--b\" : boolean;",
        "  x_2 : boolean;",
        "  \"q\" : boolean;",
        "  \"max\" : boolean;",
        "  \"FUN\" : boolean;",
        "INVARSPEC NAME x := _1_2;",
        "INVARSPEC NAME \"x = y\" := _1_2;",
        "  _1_2 := (x & \"count[3]\");",
    ] {
        assert!(text.lines().any(|line| line == expected), "{expected}:\n{text}");
    }
    let read = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.system.states.len(), names.len());
    assert_eq!(read.system.state_name(1), "\"count[3]\"");
    assert_eq!(read.system.properties[1].label(), "\"x = y\"");
}

#[test]
fn what_smv_has_no_type_for_is_named() {
    let mut system = WordSystem::new();
    system.add_state("wide", Sort::BitVec(5000));
    assert_eq!(
        smv::write(&system).unwrap_err(),
        "`wide` is a word of 5000 bits, and SMV has at most 4096 here"
    );
    let mut system = WordSystem::new();
    system.add_state("mem", Sort::array(Sort::Bool, Sort::Int).unwrap());
    assert_eq!(
        smv::write(&system).unwrap_err(),
        "`mem` is an array over Bool, and SMV has those over words and integers"
    );
}

/// A quotient has its divisor in several places of its text: nested ones must not double it each time.
#[test]
fn nested_quotients_stay_short() {
    let n = 40;
    let mut text = String::from("1 sort bitvec 8\n2 sort bitvec 1\n3 state 1 s\n4 one 1\n");
    let mut last = 3;
    for i in 0..n {
        // The divisor is a sum with the quotient before.
        let id = 5 + 2 * i;
        text += &format!("{id} add 1 4 {last}\n{} udiv 1 3 {id}\n", id + 1);
        last = id + 1;
    }
    let id = 5 + 2 * n;
    text += &format!("{id} next 1 3 {last}\n{} eq 2 {last} 4\n{} bad {}\n", id + 1, id + 2, id + 1);
    let model = btor2::parse(text.as_bytes()).unwrap();
    let written = smv::write(&model.system).unwrap();
    assert!(written.len() < 1 << 20, "{}", written.len());
    smv::parse(written.as_bytes()).unwrap();
}

#[test]
fn constraints_of_btor2_are_invar() {
    let model = btor2::parse(b"1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1 s\n5 init 1 4 3\n6 one 1\n7 add 1 4 6\n8 next 1 4 7\n9 input 2 ok\n10 constraint 9\n11 ones 1\n12 eq 2 4 11\n13 bad 12 three\n14 justice 1 12\n").unwrap();
    let text = smv::write(&model.system).unwrap();
    for expected in [
        "VAR\n  s : unsigned word[2];\n  ok : unsigned word[1];\n",
        "  init(s) := 0ud2_0;",
        "INVAR",
        "INVARSPEC NAME three := ",
        "LTLSPEC NAME",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    // An input that only steps mention is one.
    let model = btor2::parse(b"1 sort bitvec 2\n2 state 1 s\n3 input 1 i\n4 next 1 2 3\n5 ones 1\n6 sort bitvec 1\n7 eq 6 2 5\n8 bad 7\n").unwrap();
    let text = smv::write(&model.system).unwrap();
    assert!(text.contains("IVAR\n  i : unsigned word[2];\n") && text.contains("  next(s) := i;"), "{text}");
}
