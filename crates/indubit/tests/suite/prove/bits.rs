use super::*;
use indubit::formats::lemmas;
use indubit::logic::Lit;
use indubit::{BitSystem, Bits, Proof};

/// Five bits in a row, all set initially; a bit becomes what `next` says of them. Bad if bit 0 is not set.
fn bits(next: [&str; 5]) -> BitSystem {
    let mut system = BitSystem::new();
    let bits: Vec<Lit> = (0..5).map(|i| system.add_latch(&format!("p{i}"), Some(true))).collect();
    for (bit, text) in bits.iter().zip(next) {
        let all = text.bytes().map(|digit| bits[usize::from(digit - b'0')]);
        let all = system.aig_mut().and_all(all);
        system.set_next(*bit, all);
    }
    system.add_bad("p0_is_down", !bits[0]);
    system
}

fn with(system: &BitSystem, text: &str) -> Said<Bits> {
    prove(system, lemmas::parse(text.as_bytes(), system).unwrap().candidates, 0)
}

#[test]
fn in_order_out_of_order_and_together() {
    // p0 needs p1 needs p2 and p3, which need each other; p4 is by itself.
    let system = bits(["1", "23", "3", "2", "4"]);
    let said = with(&system, "p4\np2\np3\np1\n");
    assert_eq!(said.relative(0), (&[][..], &[][..]));
    assert_eq!(said.relative(1), (&[][..], &[2][..]));
    assert_eq!(said.relative(2), (&[][..], &[1][..]));
    // It came after them, but they were not proved by then; they do not need it.
    assert_eq!(said.relative(3), (&[1, 2][..], &[][..]));
    assert!(matches!(said.verdict.proof(), Some(Proof::Inductive(_))));
    assert_eq!((said.verdict.truth(), said.supported()), (Some(true), (&[3][..], &[][..])));
    assert!(said.support.unwrap().alone.is_some());
    // A later one that was proved counts for an earlier one.
    assert_eq!(with(&system, "p2 -> p3 | p4\np4").relative(0), (&[1][..], &[][..]));
}

#[test]
fn together_with_the_property() {
    let system = bits(["1", "0", "3", "2", "4"]);
    let said = with(&system, "p1\np2");
    assert!(said.standings.iter().all(|s| matches!(s, Standing::NotInductive(_))));
    assert!(said.is_proved());
    assert_eq!(said.supported(), (&[][..], &[0][..]));
}

#[test]
fn what_fails_is_told() {
    let system = bits(["1", "2", "3", "4", "4"]);
    let said = with(&system, "p0 | !p0\n!p1\np3\np0 & p1");
    let found = &said.standings;
    assert_eq!(found[0], Standing::Trivial);
    assert!(
        matches!(&found[1], Standing::FalseInitially(trace) if trace.initial == [true; 5] && trace.is_empty())
    );
    let Standing::NotInductive(cti) = &found[2] else { panic!("{:?}", found[2]) };
    assert_eq!((cti.initial[3], cti.initial[4], cti.inputs.len()), (true, false, 2));
    assert!(matches!(&found[3], Standing::NotInductive(cti) if cti.initial[..3] == [true, true, false]));
    assert!(said.is_open());
    // With all of them it works, and without any the first step is the reason.
    assert!(with(&system, "p4\np3\np2\np1").is_proved());
    let run = Run::new(Cancel::new());
    let cti = counterexample_to_induction::<Bits>(&system, 0, None, None, &run).unwrap().unwrap();
    assert_eq!((cti.initial[0], cti.initial[1]), (true, false));
}

#[test]
fn counterexamples_of_no_and_of_one_step_are_found() {
    let mut system = bits(["1", "1", "2", "3", "4"]);
    let p1 = Lit::positive(system.latches()[1].var);
    system.set_reset(p1, Lit::FALSE);
    assert_eq!(with(&system, "").verdict.trace().unwrap().len(), 1);
    let p0 = Lit::positive(system.latches()[0].var);
    system.set_reset(p0, Lit::FALSE);
    assert!(with(&system, "p4").verdict.trace().unwrap().is_empty());
}

/// Reset functions, uninitialised latches, constraints, and lemmas about inputs.
#[test]
fn everything_that_a_model_can_have() {
    let mut system = BitSystem::new();
    let (go, stop) = (system.add_input("go"), system.add_input("stop"));
    let (a, b) = (system.add_latch("a", None), system.add_latch("b", None));
    system.set_reset(b, !a);
    let swap = system.aig_mut().and(go, !stop);
    let (next_a, next_b) = (system.aig_mut().ite(swap, b, a), system.aig_mut().ite(swap, a, b));
    system.set_next(a, next_a);
    system.set_next(b, next_b);
    let both = system.aig_mut().and(go, stop);
    system.add_constraint("not_both", !both);
    let bad = system.aig_mut().and_all([a, b, go]);
    system.add_bad("bad", bad);
    let said = with(&system, "!go | !stop\na != b\na");
    assert_eq!((said.relative(0), said.relative(1)), ((&[][..], &[][..]), (&[][..], &[][..])));
    assert!(matches!(&said.standings[2], Standing::FalseInitially(trace) if trace.initial == [false, true]));
    assert!(said.is_proved());
    assert_eq!(said.support.unwrap().relative_to, [1]);
}

#[test]
fn lemmas_about_another_circuit_are_refused() {
    let [system, other] = [["1", "2", "3", "4", "4"], ["1", "23", "34", "4", "4"]].map(bits);
    for (system, other) in [(&system, &other), (&other, &system)] {
        let lemmas = lemmas::parse(b"p4", other).unwrap().candidates;
        let refused = Incremental::<Bits>::new(system, lemmas, None, &mut Run::new(Cancel::new())).err();
        assert!(refused.unwrap().to_string().contains("about a circuit of"));
    }
}

#[test]
fn an_ended_run_is_no_verdict() {
    let system = bits(["1", "2", "3", "4", "4"]);
    nothing_is_known::<Bits>(&system, lemmas::parse(b"p4", &system).unwrap().candidates);
}

/// A cover is decided by the same steps as a bad state, the other way round.
#[test]
fn covers() {
    // p0 stays up because p1 does.
    let mut system = bits(["1", "1", "3", "4", "0"]);
    let [p0, p1, p2] = [0, 1, 2].map(|i| Lit::positive(system.latches()[i].var));
    system.add_cover("p0_goes_down", !p0);
    system.add_cover("p1_is_up", p1);
    system.set_reset(p2, Lit::FALSE);
    system.add_cover("p2_is_up", p2);
    let p1_is_up = lemmas::parse(b"p1", &system).unwrap().candidates;
    let said = prove::<Bits>(&system, p1_is_up.clone(), 1);
    assert_eq!((said.verdict.word(), said.verdict.truth()), ("unreachable", Some(false)));
    assert_eq!(said.supported(), (&[0][..], &[][..]));
    let cti = said.support.unwrap().alone.unwrap();
    assert_eq!((cti.initial[0], cti.initial[1], cti.len()), (true, false, 1));
    assert!(prove::<Bits>(&system, Bits::no_lemmas(&system), 1).is_open());
    for (property, length) in [(2, 0), (3, 1)] {
        let said = prove::<Bits>(&system, p1_is_up.clone(), property);
        assert_eq!(said.verdict.to_string(), format!("reached in step {length}"));
    }
    let run = Run::new(Cancel::new());
    let cti = |lemmas| counterexample_to_induction::<Bits>(&system, 1, lemmas, None, &run).unwrap();
    let step = cti(None).unwrap();
    assert_eq!((step.initial[0], step.initial[1], step.len()), (true, false, 1));
    assert_eq!(cti(Some((&p1_is_up, &[0]))), None);
}
