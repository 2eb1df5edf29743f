//! Incremental proofs: what is said of lemmas, of properties with them, and of models without runs.

mod bits;
mod vacuous;
mod words;

use indubit::run::{Cancel, Run, Stop};
use indubit::{
    Error, Incremental, Inductive, NOT_INDUCTIVE_RELATIVE, Standing, Support, Vacuity, Verdict,
    counterexample_to_induction, vacuity,
};

/// What is said of lemmas, and of a property.
struct Said<K: Inductive> {
    standings: Vec<Standing<K::Trace>>,
    verdict: Verdict<K>,
    support: Option<Support<K::Trace>>,
}

fn prove<K: Inductive>(system: &K::System, lemmas: K::Lemmas, property: usize) -> Said<K> {
    let mut run = Run::new(Cancel::new()).with_paranoia(true);
    let mut proof = Incremental::<K>::new(system, lemmas, None, &mut run).unwrap();
    let (verdict, support) = proof.check(property, &mut run).unwrap();
    Said { standings: proof.standings().to_vec(), verdict, support }
}

impl<K: Inductive> Said<K> {
    /// Is it decided by a proof?
    fn is_proved(&self) -> bool {
        self.verdict.proof().is_some()
    }
    /// Is it not inductive, and has no counterexample of at most one step?
    fn is_open(&self) -> bool {
        let stop = Stop::Incomplete(NOT_INDUCTIVE_RELATIVE);
        matches!(self.verdict, Verdict::Unknown { stop: s, safe_up_to: Some(1) } if s == stop)
            && self.support.is_none()
    }
    /// What the property is inductive relative to, and together with.
    fn supported(&self) -> (&[usize], &[usize]) {
        let support = self.support.as_ref().unwrap();
        (&support.relative_to, &support.together_with)
    }
    /// What lemma `i` is inductive relative to, and together with.
    fn relative(&self, i: usize) -> (&[usize], &[usize]) {
        match &self.standings[i] {
            Standing::Proved(support) => (&support.relative_to, &support.together_with),
            _ => panic!("not proved: {:?}", self.standings[i]),
        }
    }
}

/// What an ended run says of a lemma, and of properties.
fn nothing_is_known<K: Inductive>(system: &K::System, lemmas: K::Lemmas) {
    let cancel = Cancel::new();
    cancel.out_of_time();
    let mut run = Run::new(cancel);
    let mut proof = Incremental::<K>::new(system, lemmas, None, &mut run).unwrap();
    assert!(matches!(proof.standings(), [Standing::Unknown(Stop::TimeLimit)]));
    let (verdict, _) = proof.check(0, &mut run).unwrap();
    assert!(matches!(verdict, Verdict::Unknown { stop: Stop::TimeLimit, safe_up_to: None }));
    assert!(matches!(proof.check(7, &mut run), Err(Error::NoSuchProperty { .. })));
}
