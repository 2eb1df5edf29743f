//! One certificate for several properties.
//!
//! A competition asks for one witness circuit for a model, however many bad signals it has: its property has to imply that
//! none of them is ever true. [`build`](crate::certificate::build) makes a circuit for each proof, and these share
//! the inputs and latches of the model. Their union is what is wanted: the model once, beside it the latches with
//! which each of them remembers the past, and the conjunction of their properties. Each of the five conditions
//! is a conjunction over the parts, and each part satisfies them by itself:
//!
//! - *reset* and *transition* speak of the model's latches, which are untouched;
//! - *safety*: a part implies that its own bad signal is false;
//! - *base* and *inductive*: a part looks at the model and at its own latches only, and all parts have the same
//!   constraints.
//!
//! What is asked of ranks is no such conjunction, since fairness belongs to all properties; `Ranks` in `ranked_certificate.rs` says why several of them
//! fit into one circuit all the same.

use crate::certificate;
use crate::ranked_certificate::Ranks;
use indubit_aig::Import;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Proof, Property, Signal};

/// The witness circuit of the proofs for these properties of `model`; `file_name` is how the comment calls
/// the model. `None` if one of them is on simple paths, which have no witness circuit, or does not decide such a claim.
pub fn build(model: &BitSystem, proofs: &[(&Property, &Proof)], file_name: &str) -> Option<BitSystem> {
    let has_circuit = |(property, proof): &(&Property, &Proof)| match proof {
        Proof::Ranked(_) => matches!(property.claim, Claim::Justice(_)),
        Proof::KInductive { simple_path: Some(_), .. } => false,
        Proof::Inductive(_) | Proof::KInductive { .. } => property.claim.is_about_reachability(),
    };
    if proofs.is_empty() || !proofs.iter().all(has_circuit) {
        return None;
    }
    let (mut all, mut present) = certificate::copy(model);
    let mut property = Vec::new();
    let mut ranks = Ranks::default();
    for &(goal, proof) in proofs {
        match (proof, goal.claim.target()) {
            // The part would be the model again: say what it adds.
            (
                Proof::Inductive(invariant) | Proof::KInductive { k: 0 | 1, with: invariant, .. },
                Some(bad),
            ) => {
                property.push(!present.lit(model.aig(), all.aig_mut(), bad));
                let node = |aig: &mut _, v| present.lit(model.aig(), aig, Lit::positive(v));
                property.extend(invariant.build(all.aig_mut(), node));
            }
            (Proof::Ranked(ranked), _) => {
                property.extend(ranks.add(&mut all, model, &mut present, goal, ranked));
            }
            (Proof::Inductive(_) | Proof::KInductive { .. }, _) => {
                let part = certificate::build(model, goal, proof, file_name);
                property.push(add(&mut all, &part, model.latches().len()));
            }
        }
    }
    let property = all.aig_mut().and_all(property);
    all.bads.push(Signal { lit: !property, name: None });
    let interventions = ranks.connect(&mut all);
    all.comment = (certificate::first_line("all", file_name) + &interventions).into_bytes();
    Some(all)
}

/// Add `part`, which shares all inputs and the first `n_shared` latches, and return its property.
fn add(all: &mut BitSystem, part: &BitSystem, n_shared: usize) -> Lit {
    let mut import = Import::new(part.aig());
    for (theirs, ours) in part.inputs().iter().zip(all.inputs()) {
        import.set(theirs.lit.var(), ours.lit);
    }
    let (shared, own) = part.latches().split_at(n_shared);
    for (theirs, ours) in shared.iter().zip(all.latches()) {
        import.set(theirs.var, Lit::positive(ours.var));
    }
    for latch in own {
        import.set(latch.var, all.push_latch(None));
    }
    for latch in own {
        let lit = import.lit(part.aig(), all.aig_mut(), Lit::positive(latch.var));
        let next = import.lit(part.aig(), all.aig_mut(), latch.next);
        let reset = import.lit(part.aig(), all.aig_mut(), latch.reset);
        all.set_next(lit, next);
        all.set_reset(lit, reset);
    }
    let bads: Vec<Lit> =
        part.bads.iter().map(|bad| !import.lit(part.aig(), all.aig_mut(), bad.lit)).collect();
    all.aig_mut().and_all(bads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Claim;
    use indubit_logic::Clause;
    use indubit_system::Invariant;

    #[test]
    fn parts_share_the_model_and_keep_their_past() {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let a = model.add_latch("a", Some(false));
        let b = model.add_latch("b", Some(true));
        model.set_next(a, b);
        model.set_next(b, a);
        let both = model.aig_mut().and(a, b);
        model.add_bad("both", both);
        model.add_bad("never", Lit::FALSE);
        model.add_bad("three", both);
        model.add_constraint("c", !i);
        let mut with = Invariant::new(model.aig().n_vars());
        with.add(Clause::new([a, b]));
        let inductive = Proof::Inductive(with.clone());
        let k = |k, simple_path| Proof::KInductive { k, with: with.clone(), simple_path };
        let properties = model.properties();
        let proofs = [&inductive, &k(1, None), &k(3, None)];
        let proofs: Vec<(&Property, &Proof)> = properties.iter().zip(proofs).collect();
        let all = build(&model, &proofs, "m\nx").unwrap();
        // Two moments of (valid, i, a, b).
        assert_eq!((all.inputs().len(), all.latches().len()), (1, 2 + 2 * 4));
        assert_eq!((all.bads.len(), all.constraints.len()), (1, 1));
        assert_eq!(all.comment, b"WITNESS all m x\n");
        assert_eq!(Claim::read(&all.comment), Claim::default());
        // At first: no past, and a = 0, b = 1, i = 0.
        let initial: Vec<bool> = all.latches().iter().map(|l| l.reset == Lit::TRUE).collect();
        for (state, is_bad) in [([false, true], false), ([true, true], true), ([false, false], true)] {
            let mut values = initial.clone();
            values[..2].copy_from_slice(&state);
            let nodes = all.evaluate(&values, &[false]);
            let bad = all.bads[0].lit;
            // Only the initial state may have no past.
            assert_eq!(nodes[bad.var().index()] ^ bad.is_negated(), is_bad, "{state:?}");
        }
        let simple = k(2, Some(vec![]));
        assert!(build(&model, &[(&properties[0], &inductive), (&properties[1], &simple)], "m").is_none());
    }
}
