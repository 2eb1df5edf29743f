use super::*;
use crate::solver::by_either;
use crate::{check, check_certificate};
use indubit_formats::{aiger, certificate, certificate_all};
use indubit_logic::{Clause, Var};
use indubit_system::{Bits, Evidence, Invariant, Justice, Memory, Proof, Ranked, Signal};

fn ranked(model: &BitSystem, n_signals: usize) -> Ranked {
    Ranked::new(model.aig().n_vars(), vec![], vec![], n_signals)
}

/// What is said about a proof of the last property, and about its certificate.
pub(super) fn verdict(model: &BitSystem, proof: &Ranked) -> Result<(), Reason> {
    let property = model.properties().pop().unwrap();
    let evidence: Evidence<Bits> = Evidence::Proof(Proof::Ranked(Box::new(proof.clone())));
    by_either(|by| check(model, &property, &evidence, by))
}

fn failing(model: &BitSystem, proof: &Ranked) -> Option<Check> {
    match verdict(model, proof) {
        Ok(()) => None,
        Err(Reason::Check { check, .. }) => Some(check),
        Err(reason) => panic!("{reason}"),
    }
}

/// A counter that stops at its end. It goes up only so often. Its bits, the highest first.
fn counter(n: usize) -> (BitSystem, Vec<Lit>) {
    let mut model = BitSystem::new();
    let enable = model.add_input("enable");
    let bits: Vec<Lit> = (0..n).map(|i| model.add_latch(&format!("count[{i}]"), Some(false))).collect();
    let full = model.aig_mut().and_all(bits.iter().copied());
    let mut carry = model.aig_mut().and(enable, !full);
    model.justice.push(Justice { lits: vec![carry], name: Some("goes up".into()) });
    for &bit in &bits {
        let sum = model.aig_mut().xor(bit, carry);
        carry = model.aig_mut().and(bit, carry);
        model.set_next(bit, sum);
    }
    (model, bits.into_iter().rev().collect())
}

fn by_order(model: &BitSystem, order: &[Lit]) -> Ranked {
    let mut proof = ranked(model, 1);
    proof.order = order.to_vec();
    proof.absent = vec![Lit::TRUE];
    proof
}

#[test]
fn a_counter_goes_up_only_so_often() {
    let (model, bits) = counter(3);
    assert_eq!(failing(&model, &by_order(&model, &bits)), None);
    // The wrong order, a rank that is too small, and none.
    let reversed: Vec<Lit> = bits.iter().rev().copied().collect();
    assert_eq!(failing(&model, &by_order(&model, &reversed)), Some(Check::Decrease));
    assert_eq!(failing(&model, &by_order(&model, &bits[1..])), Some(Check::Decrease));
    assert_eq!(failing(&model, &by_order(&model, &bits[..2])), Some(Check::Liveness));
    assert_eq!(failing(&model, &by_order(&model, &[])), Some(Check::Liveness));
    let down: Vec<Lit> = bits.iter().map(|&l| !l).collect();
    assert_eq!(failing(&model, &by_order(&model, &down)), Some(Check::Decrease));
    let refusal = verdict(&model, &by_order(&model, &bits[1..])).unwrap_err().to_string();
    assert!(
        refusal.starts_with("the decrease check of the witness circuit fails: its rank does not go down in every step (for example with"),
        "{refusal}"
    );
    // Nothing is absent.
    let mut proof = by_order(&model, &bits);
    proof.absent = vec![Lit::FALSE];
    assert_eq!(failing(&model, &proof), Some(Check::Base));
}

#[test]
fn large_ranks_take_no_time() {
    // Seconds would be minutes here without `transitive.rs`, and with tests beside it.
    let (model, bits) = counter(600);
    let evidence: Evidence<Bits> = Evidence::Proof(Proof::Ranked(Box::new(by_order(&model, &bits))));
    let by = &indubit_run::Cancel::new();
    assert_eq!(check(&model, &model.properties()[0], &evidence, by), Ok(Ok(())));
}

/// Stages that are reached one after the other, when the input says so, and never left; and a latch that changes in each step. One signal is that the next stage is reached.
fn stages(n: usize) -> (BitSystem, Vec<Lit>, Lit) {
    let mut model = BitSystem::new();
    let go = model.add_input("go");
    let stages: Vec<Lit> = (0..n).map(|i| model.add_latch(&format!("stage[{i}]"), Some(false))).collect();
    let blinks = model.add_latch("blinks", Some(false));
    model.set_next(blinks, !blinks);
    let mut before = Lit::TRUE;
    let mut reached = Vec::new();
    for &stage in &stages {
        let here = model.aig_mut().and(before, go);
        let next = model.aig_mut().or(stage, here);
        model.set_next(stage, next);
        reached.push(model.aig_mut().and(next, !stage));
        before = stage;
    }
    let reached = model.aig_mut().or_all(reached);
    model.justice.push(Justice { lits: vec![reached], name: None });
    (model, stages, blinks)
}

#[test]
fn predicates_that_stay_true() {
    let (mut model, stages, blinks) = stages(5);
    assert_eq!(failing(&model, &by_order(&model, &stages)), None);
    let reversed: Vec<Lit> = stages.iter().rev().copied().collect();
    assert_eq!(failing(&model, &by_order(&model, &reversed)), None);
    // Some stages are missing, or one goes the other way, or one changes for ever.
    for i in 0..5 {
        let mut order = stages.clone();
        order.remove(i);
        assert_eq!(failing(&model, &by_order(&model, &order)), Some(Check::Liveness), "{i}");
        for wrong in [!stages[i], blinks, !blinks] {
            let mut order = stages.clone();
            order[i] = wrong;
            assert_eq!(failing(&model, &by_order(&model, &order)), Some(Check::Decrease), "{i}");
        }
    }
    // A signal that is seen at one stage for ever: before the first, at one between, after the last.
    for i in 0..=5 {
        let from = if i == 0 { Lit::TRUE } else { stages[i - 1] };
        let signal = model.aig_mut().and(from, stages.get(i).map_or(Lit::TRUE, |&next| !next));
        model.justice[0].lits = vec![signal];
        assert_eq!(failing(&model, &by_order(&model, &stages)), Some(Check::Liveness), "{i}");
        assert_eq!(failing(&model, &by_order(&model, &reversed)), Some(Check::Liveness), "{i}");
    }
    // Each of two signals is absent in every other step, so both are seen for ever.
    model.justice[0].lits = vec![blinks, !blinks];
    let mut proof = ranked(&model, 2);
    proof.order = stages;
    proof.absent = vec![!blinks, blinks];
    assert_eq!(failing(&model, &proof), Some(Check::Consistent));
    proof.order = vec![];
    assert_eq!(failing(&model, &proof), Some(Check::Consistent));
}

/// A predicate that falls only when one before it rises.
#[test]
fn predicates_that_stay_true_in_order() {
    let (mut model, stages, _) = stages(2);
    let low = model.add_latch("low", Some(false));
    // It is set by the input, and begins anew at each stage.
    let new_stage = model.justice[0].lits[0];
    let go = model.inputs()[0].lit;
    let set = model.aig_mut().or(low, !go);
    let next = model.aig_mut().and(set, !new_stage);
    model.set_next(low, next);
    let rises = model.aig_mut().and(next, !low);
    model.justice[0].lits = vec![rises];
    let [first, second] = stages[..] else { unreachable!("there are two") };
    assert_eq!(failing(&model, &by_order(&model, &[first, second, low])), None);
    assert_eq!(failing(&model, &by_order(&model, &[first, low, second])), Some(Check::Decrease));
    assert_eq!(failing(&model, &by_order(&model, &[second, low])), Some(Check::Decrease));
    assert_eq!(failing(&model, &by_order(&model, &[first, second])), Some(Check::Liveness));
}

/// A relation in place of the order: may the first state come after the second?
fn by_relation(n: usize, relation: impl Fn(&mut Ranked, &[Lit], &[Lit]) -> Lit) -> Option<Check> {
    let (model, bits) = counter(n);
    let mut proof = Ranked::new(model.aig().n_vars(), vec![], bits.clone(), 1);
    let second: Vec<Lit> = (0..n).map(|i| proof.second_lit(i)).collect();
    proof.relation = relation(&mut proof, &bits, &second);
    proof.absent = vec![Lit::TRUE];
    failing(&model, &proof)
}

#[test]
fn relations_between_states() {
    let at_least = |proof: &mut Ranked, now: &[Lit], then: &[Lit]| {
        let [up, down, low] =
            [[now[0], !then[0]], [!now[0], then[0]], [!now[1], then[1]]].map(|[a, b]| proof.with.and(a, b));
        let stays = proof.with.and(!down, !low);
        let neither = proof.with.and(!up, !stays);
        !neither
    };
    assert_eq!(by_relation(2, at_least), None);
    // All but a step of one: what may be behind a state is not behind the next one.
    let not_next = |proof: &mut Ranked, now: &[Lit], then: &[Lit]| {
        let lows = [proof.with.and(now[1], !then[1]), proof.with.and(!now[1], then[1])];
        let highs = [proof.with.and(now[0], !then[0]), proof.with.and(!now[0], then[0])];
        let same_high = proof.with.and(!highs[0], !highs[1]);
        let [from_even, from_odd] = [proof.with.and(lows[1], same_high), proof.with.and(lows[0], highs[1])];
        proof.with.and(!from_even, !from_odd)
    };
    assert_eq!(by_relation(2, not_next), Some(Check::Closure));
}

/// `p` never falls once the input has been seen. In fair runs, which see it, `p` is not false for ever.
fn fair() -> (BitSystem, Lit) {
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let p = model.add_latch("p", Some(false));
    let next = model.aig_mut().or(p, i);
    model.set_next(p, next);
    model.fairness.push(Signal { lit: i, name: None });
    model.justice.push(Justice { lits: vec![!p], name: None });
    (model, p)
}

#[test]
fn fairness_comes_first() {
    let (model, p) = fair();
    let mut proof = ranked(&model, 2);
    proof.order = vec![p];
    proof.absent = vec![!p, p];
    assert_eq!(failing(&model, &proof), None);
    proof.absent = vec![p, !p];
    assert_eq!(failing(&model, &proof), Some(Check::Liveness));
    proof.absent = vec![!p, p];
    proof.order = vec![];
    assert_eq!(failing(&model, &proof), Some(Check::Liveness));
    let mut without = model.clone();
    without.fairness.clear();
    proof.order = vec![p];
    let refusal = verdict(&without, &proof).unwrap_err();
    assert_eq!(refusal.to_string(), "the rank is about 2 signals, the property has 1");
}

#[test]
fn what_is_gone_must_stay_gone() {
    // A bit that toggles is seen, and its absence is.
    let mut model = BitSystem::new();
    let a = model.add_latch("a", Some(false));
    model.set_next(a, !a);
    model.justice.push(Justice { lits: vec![a, !a], name: None });
    let mut proof = ranked(&model, 2);
    proof.absent = vec![!a, a];
    assert_eq!(failing(&model, &proof), Some(Check::Consistent));
}

#[test]
fn memory_counts() {
    // Two tokens, each used once.
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let [a, b] = ["a", "b"].map(|n| model.add_latch(n, Some(true)));
    let [uses_b, uses_a] = [model.aig_mut().and(i, b), model.aig_mut().and_all([i, a, !b])];
    let (next_a, next_b) = (model.aig_mut().and(a, !uses_a), model.aig_mut().and(b, !uses_b));
    model.set_next(a, next_a);
    model.set_next(b, next_b);
    let used = model.aig_mut().or(uses_a, uses_b);
    model.justice.push(Justice { lits: vec![used], name: None });
    let memory = ["count >= 1", "count >= 2"].map(|name| Memory {
        name: name.into(),
        initial: false,
        next: Lit::FALSE,
    });
    let mut proof = Ranked::new(model.aig().n_vars(), memory.to_vec(), vec![], 1);
    let [once, twice] = [0, 1].map(|i| proof.memory_lit(i));
    let first = proof.with.and(!once, !used);
    proof.set_next(0, !first);
    let again = proof.with.and(once, used);
    let second = proof.with.and(!twice, !again);
    proof.set_next(1, !second);
    proof.order = vec![once, twice];
    proof.absent = vec![Lit::TRUE];
    // After two of them there is no token.
    assert_eq!(failing(&model, &proof), Some(Check::Liveness));
    for [x, y] in [[!once, !b], [once, b], [!twice, !a], [twice, a]] {
        proof.with.add(Clause::new([x, y]));
    }
    assert_eq!(failing(&model, &proof), None);
    let mut wrong = proof.clone();
    wrong.order.truncate(1);
    assert_eq!(failing(&model, &wrong), Some(Check::Liveness));
    let mut wrong = proof.clone();
    wrong.set_next(1, !first);
    assert_eq!(failing(&model, &wrong), Some(Check::Inductive));
}

#[test]
fn runs_that_must_end() {
    // The constraint allows two steps only.
    let mut model = BitSystem::new();
    let [a, b] = ["a", "b"].map(|n| model.add_latch(n, Some(false)));
    model.set_next(a, Lit::TRUE);
    model.set_next(b, a);
    model.add_constraint("", !b);
    model.justice.push(Justice { lits: vec![], name: None });
    assert_eq!(failing(&model, &by_order(&model, &[a, b])), None);
    let witness = certificate::build(
        &model,
        &model.properties()[0],
        &Proof::Ranked(Box::new(by_order(&model, &[a, b]))),
        "",
    );
    assert_eq!(by_either(|by| check_certificate(&model, &witness, by)), Ok(()));
    model.constraints.clear();
    assert_eq!(failing(&model, &by_order(&model, &[a, b])), Some(Check::Liveness));
}

#[test]
fn malformed_ranks_are_refused_and_do_not_panic() {
    let (model, bits) = counter(2);
    let good = by_order(&model, &bits);
    let refusal = |change: &dyn Fn(&mut Ranked)| {
        let mut proof = Ranked::new(
            model.aig().n_vars(),
            vec![Memory { name: "m".into(), initial: false, next: Lit::FALSE }],
            vec![bits[0]],
            1,
        );
        (proof.order, proof.absent) = (good.order.clone(), good.absent.clone());
        change(&mut proof);
        verdict(&model, &proof).unwrap_err().to_string()
    };
    let far = Lit::positive(Var::new(1000));
    assert!(refusal(&|p| p.order.push(far)).starts_with("its order, in a rank, is node"));
    assert!(refusal(&|p| p.relation = far).contains("its relation"));
    assert!(refusal(&|p| p.set_next(0, far)).contains("a next value of its memory"));
    assert!(refusal(&|p| p.absent[0] = far).contains("absent"));
    assert!(refusal(&|p| p.absent.push(Lit::TRUE)).contains("2 signals, the property has 1"));
    assert!(
        refusal(&|p| p.order.push(p.second_lit(0))).contains("its order, in a rank, looks at another state")
    );
    let gate = |p: &mut Ranked| p.with.and(p.second_lit(0), bits[0]);
    assert!(refusal(&|p| p.absent[0] = gate(p)).contains("looks at another state"));
    assert!(
        refusal(&|p| {
            let g = gate(p);
            p.with.add(Clause::new([g]))
        })
        .contains("the invariant of a rank")
    );
    assert!(refusal(&|p| *p = Ranked::new(3, vec![], vec![], 1)).contains("about 3 nodes"));
    assert!(refusal(&|p| p.with = Invariant::new(2)).contains("the invariant is about 2 nodes"));
    // Of the wrong kind.
    let property = &model.properties()[0];
    let nothing: Evidence<Bits> = Evidence::Proof(Proof::Inductive(Invariant::new(model.aig().n_vars())));
    assert_eq!(
        by_either(|by| check(&model, property, &nothing, by)).unwrap_err().to_string(),
        "the proof has no rank for justice property goes up (j0)"
    );
    let mut safe = model.clone();
    safe.justice.clear();
    safe.add_bad("", Lit::FALSE);
    assert!(verdict(&safe, &good).unwrap_err().to_string().contains("what must never happen"));
}

#[test]
fn interventions_of_others() {
    // Certifaiger's examples, in our words: a counter of two bits, whose low bit rises twice; next states, or inputs, stand for the other state.
    let model = aiger::parse(b"aag 10 1 2 0 7 0 0 1 0\n2\n4 15 0\n6 19 0\n1\n20\n8 2 5\n10 2 7\n12 4 11\n14 9 13\n16 4 10\n18 7 17\n20 5 15\n").unwrap();
    let by_next = "aag 15 1 2 0 12 0 0 1 0\n2\n4 15 0\n6 19 0\n1\n31\n8 2 5\n10 2 7\n12 4 11\n14 9 13\n16 4 10\n18 7 17\n20 5 15\n22 7 19\n24 6 18\n26 5 15\n28 25 26\n30 23 29\n";
    let by_input = "aag 17 3 2 0 12 0 0 1 0\n2\n4\n6\n8 19 0\n10 23 0\n1\n35\n12 2 9\n14 2 11\n16 8 15\n18 13 17\n20 8 14\n22 11 21\n24 9 19\n26 11 6\n28 10 7\n30 9 4\n32 29 30\n34 27 33\n";
    let found = |text: String| {
        let witness = aiger::parse(text.as_bytes()).unwrap();
        by_either(|by| check_certificate(&model, &witness, by)).map_err(|reason| reason.to_string())
    };
    assert_eq!(found(by_next.into()), Ok(()));
    assert_eq!(found(format!("{by_input}l0 < 4\nl1 < 6\n")), Ok(()));
    assert_eq!(found(format!("{by_input}c\nINTERVENTION 2\n8 4\n10 6\n")), Ok(()));
    // A negated placeholder has the negated value.
    assert_eq!(found(format!("{by_input}c\nINTERVENTION 2\n9 5\n11 7\n")), Ok(()));
    let refusal = |text: &str| found(format!("{by_input}{text}")).unwrap_err();
    assert!(refusal("").contains("check of the witness circuit fails"));
    assert!(refusal("c\nINTERVENTION 0\n").contains("check of the witness circuit fails"));
    assert!(refusal("c\nINTERVENTION 2\n8 6\n10 4\n").contains("check of the witness circuit fails"));
    assert_eq!(refusal("c\nINTERVENTION 2\n8 4\n"), "the intervention comment announces 2 lines and has 1");
    assert_eq!(refusal("c\nINTERVENTION x\n"), "`INTERVENTION x` in the intervention comment is malformed");
    assert_eq!(refusal("c\nINTERVENTION 1\n8\n"), "`8` in the intervention comment is malformed");
    assert_eq!(refusal("l0 < 99\n"), "the intervention uses literal 99, which the witness does not have");
    assert_eq!(refusal("c\nINTERVENTION 1\n8 0\n"), "the intervention replaces a constant");
}

#[test]
fn signals_that_only_one_of_the_two_has() {
    // Certifaiger's example for more signals than the model has: two states, each with a loop, and a signal for both.
    let model = aiger::parse(b"aag 10 1 2 0 7 0 0 1\n2\n4 8\n6 17\n2\n19\n21\n8 1 1\n10 4 7\n12 4 6\n14 2 5\n16 13 15\n18 8 10\n20 8 12\n").unwrap();
    let witness = b"aag 11 1 2 0 8 0 0 1\n2\n4 8\n6 17\n3\n19\n21\n22\n8 1 1\n10 4 7\n12 4 6\n14 2 5\n16 13 15\n18 8 10\n20 8 12\n22 11 13\n";
    let witness = aiger::parse(witness).unwrap();
    assert_eq!(by_either(|by| check_certificate(&model, &witness, by)), Ok(()));
    // What is true for ever is claimed not to be, by a signal that the model does not have. (Certifaiger accepts it.)
    let model = aiger::parse(b"aag 1 1 0 0 0 0 0 1\n2\n1\n2\n").unwrap();
    let said = |witness: &[u8]| {
        let witness = aiger::parse(witness).unwrap();
        by_either(|by| check_certificate(&model, &witness, by)).unwrap_err().to_string()
    };
    assert_eq!(
        said(b"aag 1 1 0 0 0 0 0 1\n2\n2\n1\n0\n"),
        "the witness circuit has more signals than j0, and one of those may be the only one that is gone"
    );
    assert_eq!(
        said(b"aag 1 1 0 0 0 0 0 1 1\n2\n1\n1\n0\n"),
        "the witness circuit has more signals than j0, and one of those may be the only one that is gone"
    );
    // Without a signal for it, it would have to be false.
    assert!(said(b"aag 1 1 0 0 0 0 0 1\n2\n0\n").contains("check of the witness circuit fails"));
    assert_eq!(said(b"aag 1 1 0 0 0\n2\n"), "the proof has no rank for justice property j0");
    let never = aiger::parse(b"aag 1 1 0 0 0 0 0 1\n2\n1\n0\n").unwrap();
    let empty = aiger::parse(b"aag 1 1 0 0 0\n2\n").unwrap();
    assert_eq!(by_either(|by| check_certificate(&never, &empty, by)), Ok(()));
    // A property without signals is no property that anything proves.
    let ends = aiger::parse(b"aag 1 1 0 0 0 0 0 1\n2\n0\n").unwrap();
    for witness in [&ends, &empty] {
        assert!(by_either(|by| check_certificate(&ends, witness, by)).is_err());
    }
    // Nor is fairness that the witness has, without a property of its own that would need it.
    let fair = aiger::parse(b"aag 1 1 0 0 0 0 0 1 1\n2\n0\n2\n").unwrap();
    let none = aiger::parse(b"aag 1 1 0 0 0 0 0 0 1\n2\n1\n").unwrap();
    assert!(by_either(|by| check_certificate(&fair, &none, by)).is_err());
}

#[test]
fn one_certificate_for_everything() {
    // Fairness is shared: in the first property it is what is gone while `p` is false.
    let (mut model, p) = fair();
    let i = model.inputs()[0].lit;
    let [q, r] = ["q", "r"].map(|n| model.add_latch(n, Some(false)));
    let next = model.aig_mut().or(q, p);
    model.set_next(q, next);
    model.set_next(r, q);
    model.justice.push(Justice { lits: vec![i, !r], name: None });
    let early = model.aig_mut().and(r, !p);
    model.add_bad("early", early);
    let properties = model.properties();
    let mut invariant = Invariant::new(model.aig().n_vars());
    invariant.add(Clause::new([!q, p]));
    invariant.add(Clause::new([!r, q]));
    let mut first = ranked(&model, 2);
    (first.order, first.absent) = (vec![p], vec![!p, p]);
    let mut second = ranked(&model, 3);
    // While `p` is false the input is not seen; and then `q` and `r` follow.
    (second.order, second.absent) = (vec![p, q, r], vec![!p, Lit::FALSE, p]);
    let second = second.strengthened(&invariant);
    let proofs =
        [Proof::Inductive(invariant), Proof::Ranked(Box::new(first)), Proof::Ranked(Box::new(second))];
    for (property, proof) in properties.iter().zip(&proofs) {
        let evidence: Evidence<Bits> = Evidence::Proof(proof.clone());
        assert_eq!(by_either(|by| check(&model, property, &evidence, by)), Ok(()), "{}", property.id);
    }
    let pairs: Vec<(&Property, &Proof)> = properties.iter().zip(&proofs).collect();
    let all = certificate_all::build(&model, &pairs, "m").unwrap();
    let all = aiger::parse(&aiger::write_binary(&all)).unwrap();
    assert_eq!(by_either(|by| check_certificate(&model, &all, by)), Ok(()));
    assert_eq!((all.justice.len(), all.fairness.len(), all.bads.len()), (2, 1, 1));
    // Each for itself is nothing for another one.
    let mut wrong = all.clone();
    wrong.justice.swap(0, 1);
    assert!(by_either(|by| check_certificate(&model, &wrong, by)).is_err());
    let mut wrong = all.clone();
    wrong.justice.pop();
    assert!(by_either(|by| check_certificate(&model, &wrong, by)).is_err());
    // A rank is no answer to what must never happen.
    assert!(certificate_all::build(&model, &[(&properties[0], &proofs[1])], "").is_none());
    assert!(certificate_all::build(&model, &[(&properties[1], &proofs[0])], "").is_none());
}

/// A gate that stands for something in the second state is not what it is made of. Here a relation that is one step of a counter modulo 3 back is not transitive, but
/// would be if the gate were: what the model sees for ever would be gone.
#[test]
fn a_gate_may_stand_for_what_is_asked() {
    let model = "aag 3 0 2 0 1 0 0 1\n2 6 0\n4 2 0\n2\n2\n4\n6 3 5\n";
    let witness = "aag 15 2 2 0 11 0 0 1\n2\n4\n6 10 0\n8 6 0\n2\n29\n31\n10 7 9\n12 3 5\n14 6 12\n16 7 13\n18 15 17\n\
        20 8 2\n22 9 3\n24 21 23\n26 25 19\n28 1 1\n30 26 1\nc\nMAPPING 2\n6 2\n8 4\nINTERVENTION 3\n6 2\n8 4\n0 28\n";
    let [model, witness] = [model, witness].map(|text| aiger::parse(text.as_bytes()).unwrap());
    let checked = by_either(|by| check_certificate(&model, &witness, by));
    assert!(matches!(checked, Err(Reason::Check { check: Check::Closure, .. })), "{checked:?}");
}

/// Where a step changes nothing of what is looked up, nothing is seen; and where it does, something is gone all the same. What is at rest says nothing then.
#[test]
fn what_is_gone_in_a_step_that_rests_nowhere() {
    let (model, stages, _) = stages(1);
    let mut proof = Ranked::new(model.aig().n_vars(), vec![], stages, 1);
    assert_eq!(proof.relation, Lit::TRUE);
    proof.absent = vec![Lit::TRUE];
    assert_eq!(failing(&model, &proof), Some(Check::Liveness));
}

/// A signal that the witness lacks counts as gone in each step, also in those that change what is looked up.
#[test]
fn a_signal_that_the_witness_lacks_is_never_true() {
    let (mut model, stages, _) = stages(1);
    let proof = Proof::Ranked(Box::new(by_order(&model, &stages)));
    let witness = certificate::build(&model, &model.properties()[0], &proof, "");
    assert_eq!(by_either(|by| check_certificate(&model, &witness, by)), Ok(()));
    let reached = model.justice[0].lits[0];
    model.justice[0].lits.push(reached);
    let checked = by_either(|by| check_certificate(&model, &witness, by));
    assert!(matches!(checked, Err(Reason::Check { check: Check::Liveness, .. })), "{checked:?}");
}
