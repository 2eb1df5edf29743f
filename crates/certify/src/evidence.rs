//! What stands behind a verdict.

use crate::ranks::no_rank;
use crate::replay::{first_violation, follow_finite};
use crate::shape::{check_ranked, check_shape};
use crate::word_proof::{DOUBTS, check_word_proof};
use crate::word_replay::{check_word_trace, first_word_violation, follow_finite_words, follow_words};
use crate::{Reason, Solving, WordReason, ask_another, check_certificate, check_k_induction, check_trace};
use crate::{ctl, lasso, ltl, totality};
use indubit_formats::{aiger, certificate, certificate_all};
use indubit_logic::Lit;
use indubit_run::{Ask, Stop};
use indubit_system::{
    BitSystem, Bits, Claim, Evidence, Invariant, Kind, Proof, Property, PropertyId, Shape, Signal, Trace,
    Watchable, WordProof, WordSystem, WordTrace, Words, blast, close_lasso, lasso_limit,
};
use indubit_term::{MAX_ARRAY_BITS, Term};
use std::fmt::{Debug, Display};

/// Kinds of systems about which evidence can be checked.
pub trait Certify: Watchable {
    /// Why evidence was refused.
    type Reason: Clone + Debug + Display + Send;

    /// Does the evidence decide the property of a system, which need not be well-formed?
    fn check(
        system: &Self::System,
        property: &Property<Self::Formula>,
        evidence: &Evidence<Self>,
        by: &Solving,
    ) -> Ask<Result<(), Self::Reason>>;
    /// The values of some formulas in each step of a run of the system, in all steps of which its constraints hold; if it is a lasso, it sees the fairness of the system while it repeats. What is asked is a property of it.
    fn follow(
        system: &Self::System,
        property: &Property<Self::Formula>,
        formulas: &[Self::Formula],
        trace: &Self::Trace,
    ) -> Result<Vec<Vec<bool>>, Self::Reason>;
    /// Is every finite run of that kind the beginning of one that goes on for ever, and sees the fairness of the system infinitely often? `false` if that is not known.
    fn goes_on(system: &Self::System, by: &Solving) -> Ask<bool>;
    /// What kind of proof it is.
    fn shape(proof: &Self::Proof) -> Shape;
    /// Evidence does not fit the model, as the text says.
    fn misfit(text: String) -> Self::Reason;
    /// Is it only that a solver made a mistake, which says nothing about the evidence?
    fn is_mistake(reason: &Self::Reason) -> bool;
    /// May the evidence be right all the same, and only too long to see that?
    fn is_too_long(_: &Self::Reason) -> bool {
        false
    }
    /// The trace up to the first step that decides the property: people want the bug and no more. A trace without such a step stays
    /// as it is, to be refused.
    fn trimmed(system: &Self::System, property: &Property<Self::Formula>, trace: Self::Trace) -> Self::Trace;
}

/// Does the evidence decide the property? Whether that makes it true or false, [`Evidence::truth`] says.
pub fn check<K: Certify>(
    system: &K::System,
    property: &Property<K::Formula>,
    evidence: &Evidence<K>,
    by: impl Into<Solving>,
) -> Ask<Result<(), K::Reason>> {
    K::check(system, property, evidence, &by.into())
}

/// If no state of a lasso repeats as a whole, so often its loop is repeated for what matters to close: latches may change places in it.
const MOST_ROUNDS: usize = 4;

impl Certify for Bits {
    type Reason = Reason;

    /// A proof is checked as the certificate that would be written for it.
    fn check(
        system: &BitSystem,
        property: &Property,
        evidence: &Evidence<Bits>,
        by: &Solving,
    ) -> Ask<Result<(), Reason>> {
        if let Err(what) = system.validate() {
            return Ok(Err(Reason::Misfit(format!("the model is malformed: {what}"))));
        }
        if let Claim::Ltl(formula) = &property.claim {
            return ltl::check::<Bits>(system, property, formula, evidence, by);
        }
        if let Claim::Ctl(formula) = &property.claim {
            return ctl::check(system, property, formula, evidence, by);
        }
        match evidence {
            Evidence::Trace(trace) => Ok(check_trace(system, property, trace)),
            Evidence::Proof(proof) => check_proof(system, property, proof, by),
            Evidence::Ctl(_) => Ok(Err(says_nothing::<Bits>(property))),
        }
    }
    fn follow(
        system: &BitSystem,
        property: &Property,
        formulas: &[Lit],
        trace: &Trace,
    ) -> Result<Vec<Vec<bool>>, Reason> {
        match trace.loops_to {
            Some(_) => lasso::follow(system, property, formulas, trace),
            None => follow_finite(system, formulas, trace),
        }
    }
    /// Without constraints there is a step from each state.
    fn goes_on(system: &BitSystem, _: &Solving) -> Ask<bool> {
        let is_true = |signal: &Signal| signal.lit == Lit::TRUE;
        Ok(system.constraints.iter().chain(&system.fairness).all(is_true))
    }
    fn shape(proof: &Proof) -> Shape {
        proof.shape()
    }
    fn misfit(text: String) -> Reason {
        Reason::Misfit(text)
    }
    fn is_mistake(reason: &Reason) -> bool {
        matches!(reason, Reason::Solver(_))
    }
    fn is_too_long(reason: &Reason) -> bool {
        matches!(reason, Reason::NotClosed { .. })
    }
    fn trimmed(system: &BitSystem, property: &Property, mut trace: Trace) -> Trace {
        if let Claim::Ltl(_) = property.claim {
            return trace;
        }
        if let Some(begin) = trace.loops_to {
            let closed = close_lasso(system, property, &trace, lasso_limit(system));
            if closed != trace {
                return closed;
            }
            let round = trace.inputs.get(begin..).unwrap_or_default().to_vec();
            let mut longer = trace.clone();
            for _ in 0..MOST_ROUNDS {
                if check_trace(system, property, &longer).is_ok() {
                    return longer;
                }
                longer.inputs.extend(round.iter().cloned());
            }
            return trace;
        }
        if let Ok(step) = first_violation(system, property, &trace) {
            trace.inputs.truncate(step + 1);
        }
        trace
    }
}

/// Evidence of another kind than a claim wants.
pub(crate) fn says_nothing<K: Certify>(about: &Property<K::Formula>) -> K::Reason {
    K::misfit(format!("the evidence says nothing about {}", about.title()))
}

/// Does a proof about runs decide a property that is about runs?
pub(crate) fn check_proof(
    model: &BitSystem,
    property: &Property,
    proof: &Proof,
    by: &Solving,
) -> Ask<Result<(), Reason>> {
    let subject = certificate::subject(model, property);
    let is_live = matches!(property.claim, Claim::Justice(_));
    let fits = match proof {
        Proof::Ranked(ranked) => check_ranked(model, property, ranked),
        Proof::Inductive(_) | Proof::KInductive { .. } if is_live => Err(no_rank(property)),
        Proof::Inductive(invariant) => check_shape(model, invariant, 1),
        Proof::KInductive { k, with, .. } => check_shape(model, with, *k),
    };
    if let Err(reason) = fits {
        return Ok(Err(reason));
    }
    if let Proof::KInductive { k, with, simple_path: Some(latches) } = proof {
        return check_k_induction(model, property, with, *k, Some(latches), by);
    }
    // What is checked is what someone who reads the file would get, not what we believe to write.
    let file = aiger::write_binary(&certificate::build(model, property, proof, ""));
    match aiger::parse(&file) {
        Ok(witness) => check_certificate(&subject, &witness, by),
        Err(error) => Ok(Err(error.into())),
    }
}

/// Check that one inductive invariant excludes all of these edges of a circuit: as the one certificate for all of them.
pub fn check_together(
    model: &BitSystem,
    bads: &[Lit],
    invariant: &Invariant,
    by: impl Into<Solving>,
) -> Ask<Result<(), Reason>> {
    if let Err(what) = model.validate() {
        return Ok(Err(Reason::Misfit(format!("the model is malformed: {what}"))));
    }
    if let Err(reason) = check_shape(model, invariant, 1) {
        return Ok(Err(reason));
    }
    let subject = model.with_bads(bads.iter().map(|&lit| Signal { lit, name: None }).collect());
    // Said once, the invariant is there for all of them.
    let nothing = Proof::Inductive(Invariant::new(model.aig().n_vars()));
    let all = Proof::Inductive(invariant.clone());
    let properties = subject.properties();
    let proofs = properties.iter().map(|p| (p, if p.id == PropertyId::Bad(0) { &all } else { &nothing }));
    let Some(circuit) = certificate_all::build(&subject, &proofs.collect::<Vec<_>>(), "") else {
        return Ok(Err(Reason::NoEvidence("there is nothing to prove".into())));
    };
    match aiger::parse(&aiger::write_binary(&circuit)) {
        Ok(witness) => check_certificate(&subject, &witness, by.into()),
        Err(error) => Ok(Err(error.into())),
    }
}

/// Ranked proofs, and those of computation tree logic, are about the circuit of the system, which is made here once more.
fn check_circuit(
    system: &WordSystem,
    property: &Property<Term>,
    evidence: &Evidence<Bits>,
    by: &Solving,
) -> Ask<Result<(), WordReason>> {
    if let Err(what) = system.validate() {
        return Ok(Err(WordReason::Malformed(what)));
    }
    let circuit = match blast(system, MAX_ARRAY_BITS) {
        Ok(circuit) => circuit.system,
        Err(error) => return Ok(Err(WordReason::Misfit(error.to_string()))),
    };
    let is_own = |own: &Property<Term>| own.id == property.id && own.claim == property.claim;
    let properties = || circuit.properties().into_iter().find(|p| p.id == property.id);
    let Some(property) = Words::properties(system).iter().any(is_own).then(properties).flatten() else {
        let title = property.title();
        return Ok(Err(WordReason::Misfit(format!("the system does not claim what {title} says"))));
    };
    let checked = Bits::check(&circuit, &property, evidence, by)?;
    Ok(checked.map_err(|reason| WordReason::Misfit(reason.to_string())))
}

impl Certify for Words {
    type Reason = WordReason;

    fn check(
        system: &WordSystem,
        property: &Property<Term>,
        evidence: &Evidence<Words>,
        by: &Solving,
    ) -> Ask<Result<(), WordReason>> {
        if let Claim::Ltl(formula) = &property.claim {
            return ltl::check::<Words>(system, property, formula, evidence, by);
        }
        let is_branching = matches!(property.claim, Claim::Ctl(_));
        match (evidence, &by.other) {
            (Evidence::Ctl(proof), _) if is_branching => {
                check_circuit(system, property, &Evidence::Ctl(proof.clone()), by)
            }
            (Evidence::Ctl(_), _) => Ok(Err(says_nothing::<Words>(property))),
            _ if is_branching => Ok(Err(says_nothing::<Words>(property))),
            (Evidence::Proof(WordProof::Ranked(ranked)), _) => {
                let proof = Proof::Ranked(ranked.clone());
                check_circuit(system, property, &Evidence::Proof(proof), by)
            }
            (Evidence::Trace(trace), _) => Ok(check_word_trace(system, property, trace)),
            (Evidence::Proof(proof), None) => check_word_proof(system, property, proof, &by.cancel),
            (Evidence::Proof(proof), Some(other)) => {
                match ask_another(system, property, proof, other, &by.cancel)? {
                    Ok(doubts) if doubts.is_empty() => Ok(Ok(())),
                    Ok(_) => Err(Stop::Incomplete(DOUBTS)),
                    Err(reason) => Ok(Err(reason)),
                }
            }
        }
    }
    fn follow(
        system: &WordSystem,
        property: &Property<Term>,
        formulas: &[Term],
        trace: &WordTrace,
    ) -> Result<Vec<Vec<bool>>, WordReason> {
        match trace.loops_to {
            Some(_) => follow_words(system, property, formulas, trace),
            None => follow_finite_words(system, formulas, trace),
        }
    }
    fn goes_on(system: &WordSystem, by: &Solving) -> Ask<bool> {
        totality::goes_on(system, by)
    }
    fn shape(proof: &WordProof) -> Shape {
        proof.shape()
    }
    fn misfit(text: String) -> WordReason {
        WordReason::Misfit(text)
    }
    fn is_mistake(_: &WordReason) -> bool {
        false
    }
    fn is_too_long(reason: &WordReason) -> bool {
        matches!(reason, WordReason::NotClosed { .. })
    }
    fn trimmed(system: &WordSystem, property: &Property<Term>, mut trace: WordTrace) -> WordTrace {
        if let Some(step) = first_word_violation(system, property, &trace) {
            trace.states.truncate(step + 1);
            trace.inputs.truncate(step + 1);
        }
        trace
    }
}
