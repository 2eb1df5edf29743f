//! Tests of sets of states as files.

use super::*;
use crate::{aiger, ctl_tree, lemmas};
use indubit_system::{Claim, PropertyId};

/// A latch that counts requests modulo two, and one that remembers the last one; `req` is an atom, so it is shown, `noise` is not.
fn model(formula: &str) -> BitSystem {
    let mut model = BitSystem::new();
    let [req, noise] = ["req", "noise"].map(|name| model.add_input(name));
    let [odd, last] = ["odd", "last one"].map(|name| model.add_latch(name, Some(false)));
    let next = model.aig_mut().xor(odd, req);
    let quiet = model.aig_mut().and(req, !noise);
    model.set_next(odd, next);
    model.set_next(last, quiet);
    lemmas::add_ctl(&mut model, formula).unwrap();
    model
}

fn graph(model: &BitSystem) -> (Branching, Property, Vec<String>) {
    let property = model.properties().pop().unwrap();
    let Claim::Ctl(formula) = &property.claim else { panic!("not CTL") };
    let atoms = ctl_tree::atoms(model, formula);
    (Branching::new(model, formula), property, atoms)
}

/// A proof that has everything in it, though it proves nothing.
fn proof(graph: &Branching) -> CtlProof {
    let mut proof = CtlProof::new(graph);
    let [odd, last, req] = [0, 1, 2].map(|i| Lit::positive(graph.circuit.latches[i].var));
    let both = proof.with.and(odd, last);
    let neither = proof.with.and(!odd, !last);
    proof.with.add(Clause::new([!both]));
    let choice = Choice { inputs: vec![both, Lit::TRUE], rank: vec![odd, !neither] };
    for (bounds, id) in proof.operators.iter_mut().zip(graph.operators()) {
        *bounds = Bounds { yes: !both, no: both, choices: vec![choice.clone()], stuck: Vec::new() };
        if let CtlNode::ExistsGlobally(_) = graph.formula.node(id) {
            let n_vars = graph.circuit.aig.n_vars();
            let memory = Memory { name: "seen it".into(), initial: true, next: Lit::FALSE };
            let mut why = Ranked::new(n_vars, vec![memory], vec![req], 1);
            let [seen, then] = [why.memory_lit(0), why.second_lit(0)];
            let input = Lit::positive(graph.circuit.inputs[0]);
            let next = why.with.and(seen, input);
            why.set_next(0, !next);
            why.relation = why.with.and(next, then);
            why.order = vec![odd, seen];
            why.absent = vec![next];
            why.with.add(Clause::new([!why.relation]));
            bounds.stuck = vec![Stuck { states: neither, why: why.clone() }, Stuck { states: both, why }];
        }
    }
    proof.fails_in = Some(vec![false, true, false]);
    proof
}

/// The values of all that a proof chooses or claims, in all states.
fn sets(proof: &CtlProof, graph: &Branching) -> Vec<Vec<bool>> {
    let mut aig = graph.circuit.aig.clone();
    for &[a, b] in proof.with.gates() {
        aig.raw_and(a, b);
    }
    let mut lits: Vec<Lit> =
        proof.with.clauses().iter().map(|c| aig.or_all(c.lits().iter().copied())).collect();
    for bounds in std::iter::once(&proof.fair).chain(&proof.operators) {
        lits.extend([bounds.yes, bounds.no]);
        lits.extend(bounds.choices.iter().flat_map(|c| c.inputs.iter().chain(&c.rank)));
        lits.extend(bounds.stuck.iter().map(|stuck| stuck.states));
    }
    let states = 0..1_usize << graph.circuit.latches.len();
    let values = |state: usize| {
        let mut values = vec![false; aig.n_vars()];
        for (i, latch) in graph.circuit.latches.iter().enumerate() {
            values[latch.var.index()] = state >> i & 1 == 1;
        }
        indubit_aig::simulate::propagate_bools(&aig, &mut values);
        lits.iter().map(|&lit| indubit_aig::simulate::value(&values, lit)).collect()
    };
    states.map(values).collect()
}

#[test]
fn proofs_come_back_as_they_were() {
    let model = model("E [req U \"last one\"] & AF odd");
    let (graph, property, atoms) = graph(&model);
    let proof = proof(&graph);
    let file = write(&model, &graph, &property, &proof, &atoms, "model.aag");
    assert!(is_recognized(&file.comment));
    // Gates that are there already are used: from the second time on nothing changes.
    let again = read(&file, &graph).unwrap();
    assert_eq!(sets(&again, &graph), sets(&proof, &graph));
    for bytes in [aiger::write_ascii(&file), aiger::write_binary(&file)] {
        assert_eq!(read(&aiger::parse(&bytes).unwrap(), &graph), Ok(again.clone()));
    }
    let second = write(&model, &graph, &property, &again, &atoms, "model.aag");
    assert_eq!(read(&second, &graph), Ok(again.clone()));
    let text = String::from_utf8(aiger::write_ascii(&file)).unwrap();
    for line in [
        "i0 odd",
        "i2 req",
        "i3 noise",
        "i4 req.next",
        "i5 op1.stuck0.memory0 seen it",
        "i6 op1.stuck0.second0",
        "o0 R0",
        "WITNESS ctl0 model.aag",
        "op0 E [req U \"last one\"]",
        "op1 EG !odd",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}:\n{text}");
    }
    assert!(text.contains(" op0.choice0.input0 noise\n") && text.contains(" op0.choice0.rank1\n"));
    assert_eq!(crate::certificate::Claim::read(&file.comment).property, Some(PropertyId::Ctl(0)));
    // What holds says nothing of a state.
    let holds = CtlProof { fails_in: None, ..again };
    let file = write(&model, &graph, &property, &holds, &atoms, "");
    assert_eq!(read(&file, &graph), Ok(holds));
}

#[test]
fn what_fits_no_proof_is_refused() {
    let model = model("AF (odd & req)");
    let (graph, property, atoms) = graph(&model);
    let file = write(&model, &graph, &property, &proof(&graph), &atoms, "");
    let error = |change: &dyn Fn(&mut BitSystem)| {
        let mut file = file.clone();
        change(&mut file);
        read(&file, &graph).unwrap_err().to_string()
    };
    let rename = |from: &'static str, to: &'static str| {
        error(&move |file: &mut BitSystem| {
            let own =
                file.outputs.iter_mut().find(|o| o.name.as_ref().is_some_and(|n| n.to_string() == from));
            own.unwrap().name = Some(to.into());
        })
    };
    assert!(rename("R0", "R1").contains("an output `R1`"));
    assert!(rename("op0.yes", "op1.yes").contains("an output `op0.choice0"));
    assert!(rename("op0.no", "op0.yes").contains("two outputs"));
    assert!(rename("op0.stuck0.relation", "op0.no.more").contains("an output `op0.no.more`"));
    assert!(rename("op0.stuck0.absent0", "R1").contains("depends on memory"));
    assert!(rename("op0.stuck0.memory0.next", "op0.no2").contains("memory"));
    assert!(
        error(&|file| file.outputs.retain(|o| !o.name.as_ref().unwrap().to_string().starts_with("fails1")))
            .contains("`fails1`")
    );
    assert!(error(&|file| *file = BitSystem::new()).contains("inputs for the"));
}

#[test]
fn mutations_are_no_panic() {
    let model = model("AF (odd & req)");
    let (graph, property, atoms) = graph(&model);
    let text = aiger::write_ascii(&write(&model, &graph, &property, &proof(&graph), &atoms, "m"));
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut n_read = 0;
    for _ in 0..2000 {
        let mut mutated = text.clone();
        for _ in 0..=random(3) {
            let at = random(mutated.len());
            mutated[at] = text[random(text.len())];
        }
        if let Ok(file) = aiger::parse(&mutated) {
            n_read += usize::from(read(&file, &graph).is_ok());
        }
    }
    assert!(n_read > 10, "{n_read}");
}
