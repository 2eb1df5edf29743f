//! Trees of proofs that were made by hand.

use super::*;
use crate::lemmas;
use crate::trace_table;
use indubit_system::{Branching, Choice, Claim, CtlProof, Trace};

/// A latch that an input sets for good.
fn model() -> BitSystem {
    let mut model = BitSystem::new();
    let go = model.add_input("go");
    let done = model.add_latch("done", Some(false));
    let next = model.aig_mut().or(done, go);
    model.set_next(done, next);
    model
}

/// What a proof says about the initial state.
fn tree(text: &str, prove: impl Fn(&Branching, &mut CtlProof, Lit)) -> Tree<Trace> {
    let mut model = model();
    lemmas::add_ctl(&mut model, text).unwrap();
    let done = Lit::positive(model.latches()[0].var);
    let Claim::Ctl(formula) = &model.properties()[0].claim.clone() else { panic!("not CTL") };
    let graph = Branching::new(&model, formula);
    let mut proof = CtlProof::new(&graph);
    prove(&graph, &mut proof, done);
    let names = atoms(&model, formula);
    explain(&graph, &proof, &[false], 1, 20, &|number| names[number as usize].clone()).unwrap()
}

fn told(tree: &Tree<Trace>) -> String {
    let model = model();
    let table = |trace: &Trace, options: Options, note: &dyn Fn(usize) -> Option<String>| {
        let roots = [Lit::positive(model.latches()[0].var)];
        trace_table::path(&model, &roots, trace, options, note)
    };
    tree.text(&table, Options::default())
}

fn choice(go: Lit, rank: Vec<Lit>) -> Vec<Choice> {
    vec![Choice { inputs: vec![go], rank }]
}

#[test]
fn a_path_is_followed_to_its_goal() {
    let tree = tree("EF done", |_, proof, done| {
        proof.operators[0].yes = Lit::TRUE;
        proof.operators[0].choices = choice(Lit::TRUE, vec![!done]);
    });
    assert_eq!(
        told(&tree),
        "\
in an initial state, for example:
EF done holds in step 0: there is a step
  step 0
    latches  done = 0
    inputs   go = 1
  step 1: done holds
    latches  done = 1
"
    );
    assert_eq!(tree.paths().iter().map(|(trace, _)| trace.inputs.len()).collect::<Vec<_>>(), [2]);
}

#[test]
fn a_path_that_goes_on_for_ever_repeats() {
    let tree = tree("AX AF done", |graph, proof, done| {
        // `EX EG !done`, both of which the same set says.
        assert_eq!(graph.operators().count(), 2);
        for bounds in &mut proof.operators {
            bounds.yes = !done;
            bounds.choices = choice(Lit::FALSE, Vec::new());
        }
        proof.fails_in = Some(vec![false]);
    });
    assert_eq!(
        told(&tree),
        "\
AX (AF done) fails in step 0: there is a step
  step 0
    latches  done = 0
    inputs   go = 0
  step 1: nothing changes
  AF done fails in step 1: there is a path that goes on for ever
    -- loop begins --
    step 1
      latches  done = 0
      inputs   go = 0
    -- back to step 1 --
"
    );
}

#[test]
fn where_there_is_no_path_there_are_sets() {
    let tree = tree("done | AG (EF done)", |graph, proof, done| {
        let mut bounds = proof.operators.iter_mut();
        assert_eq!(graph.operators().count(), 2);
        let possible = bounds.next().unwrap();
        possible.yes = Lit::TRUE;
        possible.choices = choice(Lit::TRUE, vec![!done]);
        bounds.next().unwrap().no = Lit::TRUE;
    });
    assert_eq!(
        told(&tree),
        "\
in an initial state, for example:
step 0
  latches  done = 0
  inputs   go = 0
!done -> (AG (EF done)) holds in step 0:
  AG (EF done) holds in step 0: a set of states that no such path leaves (0 gates)
    where EF done holds is known from sets of states (0 gates)
"
    );
    assert!(tree.paths().is_empty());
}

#[test]
fn what_the_state_says_needs_no_more() {
    let tree = tree("AG done", |_, proof, _| {
        proof.operators[0].yes = Lit::TRUE;
        proof.operators[0].choices = choice(Lit::FALSE, Vec::new());
        proof.fails_in = Some(vec![false]);
    });
    assert_eq!(
        told(&tree),
        "step 0\n  latches  done = 0\n  inputs   go = 0\nAG done fails in step 0:\n  done fails in step 0\n"
    );
}
