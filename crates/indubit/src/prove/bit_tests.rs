use super::*;
use indubit_formats::lemmas;
use indubit_run::{Cancel, Ignore};

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

fn standings(system: &BitSystem, text: &str) -> (Vec<Standing>, Verdict, Option<Support>) {
    let candidates = lemmas::parse(text.as_bytes(), system).unwrap().candidates;
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer).with_paranoia(true);
    let mut proof = Incremental::new(system, &candidates, &mut run).unwrap();
    let (verdict, support) = proof.check(0, &mut run).unwrap();
    (proof.standings().to_vec(), verdict, support)
}

fn relative(standing: &Standing) -> (&[usize], &[usize]) {
    match standing {
        Standing::Proved(support) => (&support.relative_to, &support.together_with),
        other => panic!("not proved: {other:?}"),
    }
}

#[test]
fn in_order_out_of_order_and_together() {
    // p0 needs p1 needs p2 and p3, which need each other; p4 is by itself.
    let system = bits(["1", "23", "3", "2", "4"]);
    let (found, verdict, support) = standings(&system, "p4\np2\np3\np1\n");
    assert_eq!(relative(&found[0]), (&[][..], &[][..]));
    assert_eq!(relative(&found[1]), (&[][..], &[2][..]));
    assert_eq!(relative(&found[2]), (&[][..], &[1][..]));
    // It came after them, but they were not proved by then; they do not need it.
    assert_eq!(relative(&found[3]), (&[1, 2][..], &[][..]));
    assert!(matches!(verdict, Verdict::Safe(Proof::Inductive(_))));
    let support = support.unwrap();
    assert_eq!((&support.relative_to[..], &support.together_with[..]), (&[3][..], &[][..]));
    assert!(support.alone.is_some());
    // A later one that was proved counts for an earlier one.
    let (found, ..) = standings(&system, "p2 -> p3 | p4\np4");
    assert_eq!(relative(&found[0]), (&[1][..], &[][..]));
}

#[test]
fn together_with_the_property() {
    let system = bits(["1", "0", "3", "2", "4"]);
    let (found, verdict, support) = standings(&system, "p1\np2");
    assert!(found.iter().all(|s| matches!(s, Standing::NotInductive(_))));
    assert!(matches!(verdict, Verdict::Safe(_)));
    let support = support.unwrap();
    assert_eq!((&support.relative_to[..], &support.together_with[..]), (&[][..], &[0][..]));
}

#[test]
fn what_fails_is_told() {
    let system = bits(["1", "2", "3", "4", "4"]);
    let (found, verdict, support) = standings(&system, "p0 | !p0\n!p1\np3\np0 & p1");
    assert_eq!(found[0], Standing::Trivial);
    assert!(
        matches!(&found[1], Standing::FalseInitially(trace) if trace.initial == [true; 5] && trace.is_empty())
    );
    let Standing::NotInductive(cti) = &found[2] else { panic!("{:?}", found[2]) };
    assert_eq!((cti.initial[3], cti.initial[4], cti.inputs.len()), (true, false, 2));
    assert!(matches!(&found[3], Standing::NotInductive(cti) if cti.initial[..3] == [true, true, false]));
    let stop = Stop::Incomplete(NOT_INDUCTIVE_RELATIVE);
    assert_eq!((verdict, support), (Verdict::Unknown { stop, safe_up_to: Some(1) }, None));
    // With all of them it works, and without any the first step is the reason.
    let (_, verdict, _) = standings(&system, "p4\np3\np2\np1");
    assert!(matches!(verdict, Verdict::Safe(_)));
    let mut observer = Ignore;
    let run = Run::new(Cancel::new(), &mut observer);
    let nothing = Invariant::new(system.aig().n_vars());
    let cti = counterexample_to_induction(&system, 0, &nothing, &run).unwrap().unwrap();
    assert_eq!((cti.initial[0], cti.initial[1]), (true, false));
}

#[test]
fn counterexamples_of_no_and_of_one_step_are_found() {
    let mut system = bits(["1", "1", "2", "3", "4"]);
    let p1 = Lit::positive(system.latches()[1].var);
    system.set_reset(p1, Lit::FALSE);
    assert!(matches!(standings(&system, "").1, Verdict::Unsafe(trace) if trace.len() == 1));
    let p0 = Lit::positive(system.latches()[0].var);
    system.set_reset(p0, Lit::FALSE);
    assert!(matches!(standings(&system, "p4").1, Verdict::Unsafe(trace) if trace.is_empty()));
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
    let (found, verdict, support) = standings(&system, "!go | !stop\na != b\na");
    assert_eq!((relative(&found[0]), relative(&found[1])), ((&[][..], &[][..]), (&[][..], &[][..])));
    assert!(matches!(&found[2], Standing::FalseInitially(trace) if trace.initial == [false, true]));
    assert!(matches!(verdict, Verdict::Safe(_)));
    assert_eq!(support.unwrap().relative_to, [1]);
}

#[test]
fn an_ended_run_is_no_verdict() {
    let system = bits(["1", "2", "3", "4", "4"]);
    let candidates = lemmas::parse(b"p4", &system).unwrap().candidates;
    let cancel = Cancel::new();
    cancel.out_of_time();
    let mut observer = Ignore;
    let mut run = Run::new(cancel, &mut observer);
    let mut proof = Incremental::new(&system, &candidates, &mut run).unwrap();
    assert_eq!(proof.standings(), [Standing::Unknown(Stop::TimeLimit)]);
    let (verdict, _) = proof.check(0, &mut run).unwrap();
    assert_eq!(verdict, Verdict::Unknown { stop: Stop::TimeLimit, safe_up_to: None });
    assert!(matches!(proof.check(7, &mut run), Err(Error::NoSuchProperty { .. })));
}
