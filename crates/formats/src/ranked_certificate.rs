//! Ranked proofs as witness circuits.
//!
//! Certifaiger reads the signals `q'` of a witness's liveness as predicates of pairs of states: a comment `INTERVENTION n` with lines `c x` says
//! that `x` stands for the value of `c` in the second state. Here `x` are inputs that nothing else reads, one for each predicate of the order and one for each literal that the
//! relation asks about. So what the circuit computes of its own state stays what it is, and only the placeholders look elsewhere.
//! The comment is there even if there is no placeholder: without one, Certifaiger would take next states for placeholders.
//!
//! With `Q` of a [`Ranked`] proof, signal `i` of the witness is true unless `Q(s, t) ∧ absent[i]`. Its property is the invariant, *and* that some signal
//! is absent. Then the disjunction of what is gone is `Q` itself, and the conditions of the proof are those of the certificate: liveness, decrease, closure and
//! consistent (Froleyks, Yu, Bogaerts, Biere, Heljanko, CAV 2026).
//!
//! The order is compared by a chain from its last predicate to its first, each link a majority gate: what `Q` says of the predicates from
//! some place on becomes, with that place, what it says from there on. For a solver that is a ripple comparator. What is to be shown of orders
//! (that they are transitive, that a counter goes up) has proofs that go along such chains, a few clauses a link.

use crate::{aiger, certificate};
use indubit_aig::{Aig, Import};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Justice, Property, Ranked, Signal};
use std::fmt::Write;

/// The witness circuit of a ranked proof of one property.
///
/// # Panics
/// If the property is not justice.
pub(crate) fn build(model: &BitSystem, property: &Property, ranked: &Ranked, file_name: &str) -> BitSystem {
    assert!(matches!(property.claim, Claim::Justice(_)), "a rank says nothing about single steps");
    let (mut witness, mut present) = certificate::copy(model);
    let mut ranks = Ranks::default();
    let conjuncts = ranks.add(&mut witness, model, &mut present, property, ranked);
    let all = witness.aig_mut().and_all(conjuncts);
    witness.bads.push(Signal { lit: !all, name: None });
    let interventions = ranks.connect(&mut witness);
    witness.comment = (certificate::first_line(property.id, file_name) + &interventions).into_bytes();
    witness
}

/// The ranks of a witness circuit.
///
/// Several properties have several relations `Q`, and fairness signals belong to all properties. Let `Q` be the conjunction of all relations, a fairness
/// signal be absent where it is in any of the proofs, and signals be gone if `Q` holds and they are absent. Then
///
/// - *decrease* and *closure* hold of a conjunction if they hold of its parts, and some signal of each property is absent in each state;
/// - *liveness*: what is gone is gone in one of the proofs;
/// - *consistent*: what is gone in one of the proofs is gone in the next step as well, in that proof.
#[derive(Default)]
pub(crate) struct Ranks {
    /// `Q` of each proof.
    relations: Vec<Lit>,
    /// For each fairness signal, where one of the proofs has it absent.
    fairness: Vec<Vec<Lit>>,
    /// The same for the signals of each property.
    justice: Vec<Vec<Lit>>,
    /// What is asked about the second state, and its placeholder.
    interventions: Vec<(Lit, Lit)>,
}

impl Ranks {
    /// Add the memory and the placeholders of a proof to `witness`, a copy of `model`, and return the conjuncts of its invariant.
    pub fn add(
        &mut self,
        witness: &mut BitSystem,
        model: &BitSystem,
        present: &mut Import,
        property: &Property,
        ranked: &Ranked,
    ) -> Vec<Lit> {
        let n_vars = ranked.n_vars();
        let memory: Vec<Lit> = ranked.memory().iter().map(|_| witness.push_latch(None)).collect();
        let [before, second] = [&ranked.order[..], ranked.second()]
            .map(|lits| -> Vec<Lit> { lits.iter().map(|_| witness.push_input(None)).collect() });
        let own: Vec<Lit> = memory.iter().chain(&second).copied().collect();
        let mut lits: Vec<Lit> = ranked.memory().iter().map(|m| m.next).collect();
        lits.extend(
            ranked.order.iter().chain(ranked.second()).chain([&ranked.relation]).chain(&ranked.absent),
        );
        let (mut conjuncts, lits) = ranked.with.build_with(
            witness.aig_mut(),
            |aig, var| match var.index().checked_sub(n_vars) {
                Some(i) => own[i],
                None => present.lit(model.aig(), aig, Lit::positive(var)),
            },
            &lits,
        );
        let mut lits = lits.into_iter();
        let mut take = |n: usize| -> Vec<Lit> { lits.by_ref().take(n).collect() };
        for ((memory, &latch), next) in ranked.memory().iter().zip(&memory).zip(take(memory.len())) {
            witness.set_reset(latch, Lit::constant(memory.initial));
            witness.set_next(latch, next);
        }
        let now = take(before.len());
        self.interventions.extend(now.iter().copied().zip(before.iter().copied()));
        self.interventions.extend(take(second.len()).into_iter().zip(second));
        let relation = take(1)[0];
        let relation = later(witness.aig_mut(), &now, &before, relation);
        self.relations.push(relation);
        let mut absent = take(ranked.absent.len());
        conjuncts.push(witness.aig_mut().or_all(absent.iter().copied()));
        let own = absent.split_off(model.fairness.len().min(absent.len()));
        self.fairness.resize(model.fairness.len(), Vec::new());
        self.fairness.iter_mut().zip(absent).for_each(|(all, absent)| all.push(absent));
        debug_assert!(
            own.len() == property.claim.formulas().len().max(usize::from(self.fairness.is_empty()))
        );
        self.justice.push(own);
        conjuncts
    }

    /// Give `witness` its signals, and return the comment that they need.
    pub fn connect(self, witness: &mut BitSystem) -> String {
        if self.justice.is_empty() {
            return String::new();
        }
        let relation = witness.aig_mut().and_all(self.relations);
        for absent in self.fairness {
            let absent = witness.aig_mut().or_all(absent);
            let gone = witness.aig_mut().and(relation, absent);
            witness.fairness.push(Signal { lit: !gone, name: None });
        }
        for absent in self.justice {
            let lits = absent.into_iter().map(|absent| !witness.aig_mut().and(relation, absent)).collect();
            witness.justice.push(Justice { lits, name: None });
        }
        let numbering = aiger::numbering(witness);
        let mut text = format!("INTERVENTION {}\n", self.interventions.len());
        for (asked, placeholder) in self.interventions {
            let [asked, placeholder] = [asked, placeholder].map(|lit| numbering.lit(lit).code());
            let _ = writeln!(text, "{asked} {placeholder}");
        }
        text
    }
}

/// The first predicate that differs is true now and not before, or none differs and `otherwise`.
fn later(aig: &mut Aig, now: &[Lit], before: &[Lit], otherwise: Lit) -> Lit {
    now.iter().zip(before).rev().fold(otherwise, |rest, (&now, &before)| {
        let up = aig.and(now, !before);
        let down = aig.and(!now, before);
        let stays = aig.and(rest, !down);
        aig.or(up, stays)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Claim as Said;
    use indubit_logic::Clause;
    use indubit_system::{Memory, PropertyId};

    #[test]
    fn placeholders_are_inputs_behind_those_of_the_model() {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let [a, b] = ["a <4>", "b = 2"].map(|n| model.add_latch(n, Some(false)));
        let both = model.aig_mut().and(a, b);
        model.set_next(a, both);
        model.fairness.push(Signal { lit: i, name: Some("fair".into()) });
        model.justice.push(Justice { lits: vec![a, b], name: None });
        let memory = Memory { name: "count >= 1".into(), initial: true, next: a };
        let mut proof = Ranked::new(model.aig().n_vars(), vec![memory], vec![!both], 3);
        let count = proof.memory_lit(0);
        proof.order = vec![a, count];
        proof.relation = proof.second_lit(0);
        proof.absent = vec![Lit::FALSE, b, !b];
        proof.with.add(Clause::new([a, count]));
        let witness = build(&model, &model.properties()[0], &proof, "m.aig");
        assert_eq!((witness.inputs().len(), witness.latches().len()), (1 + 2 + 1, 2 + 1));
        assert_eq!((witness.bads.len(), witness.fairness.len(), witness.justice[0].lits.len()), (1, 1, 2));
        assert!(witness.latches().iter().all(|l| l.name.is_none()));
        let numbering = aiger::numbering(&witness);
        let text = String::from_utf8(witness.comment.clone()).unwrap();
        // Inputs 2 to 8, latches 10 to 14, then gates; the last question is a negated gate.
        let gate = numbering.lit(witness.latches()[0].next).code();
        assert_eq!(text, format!("WITNESS j0 m.aig\nINTERVENTION 3\n10 4\n14 6\n{} 8\n", gate + 1));
        assert_eq!(Said::read(text.as_bytes()).property, Some(PropertyId::Justice(0)));
        // By states: a signal is gone if the order says so, and it is absent.
        let ask = |[a, b, count]: [bool; 3], [a2, count2, second]: [bool; 3]| {
            let values = witness.evaluate(&[a, b, count], &[false, a2, count2, second]);
            let gone = |l: Lit| !indubit_aig::simulate::value(&values, l);
            let signals =
                witness.fairness.iter().map(|f| f.lit).chain(witness.justice[0].lits.iter().copied());
            signals.map(gone).collect::<Vec<bool>>()
        };
        for bits in 0..64u8 {
            let [a, b, count, a2, count2, second] = [0, 1, 2, 3, 4, 5].map(|i| bits >> i & 1 == 1);
            let expected = match (a == a2, count == count2) {
                (false, _) => a,
                (true, false) => count,
                (true, true) => second,
            };
            assert_eq!(ask([a, b, count], [a2, count2, second]), [false, expected && b, expected && !b]);
        }
    }

    #[test]
    fn no_placeholders_are_said_to_be_none() {
        let mut model = BitSystem::new();
        model.justice.push(Justice { lits: vec![], name: None });
        let proof = Ranked::never(model.aig().n_vars(), 0, 1);
        let witness = build(&model, &model.properties()[0], &proof, "");
        assert_eq!(
            (&witness.comment[..], witness.justice[0].lits.len()),
            (&b"WITNESS j0 \nINTERVENTION 0\n"[..], 1)
        );
    }
}
