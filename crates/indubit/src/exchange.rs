//! What the members of a team that work on one property have in common: what holds in all reachable states, and preprocessing.
//!
//! What is in the [`Pool`] are inductive invariants of the problem as it was selected, which is the same for all members. A member offers its
//! lemmas raised there, and once what its passes rest on. So everything in the pool is, together with all that was there before, an
//! inductive invariant. Whoever has taken a lemma adds all up to the last one it has seen to its proof.

use indubit_logic::{Clause, Lit};
use indubit_preproc::{Passes, Prepared};
use indubit_run::Lemmas;
use indubit_system::{Conclusion, Invariant, Proof, Raise, Ranked};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Shared by all members.
pub(crate) struct Pool {
    offers: Mutex<Vec<Offer>>,
    /// For each member, how many offers its lemmas may rest on.
    taken: Vec<AtomicUsize>,
    /// The first member's passes, and what they have made of the problem.
    prepared: OnceLock<(String, Arc<Prepared>)>,
}

struct Offer {
    by: usize,
    invariant: Invariant,
}

impl Pool {
    pub fn new(n_members: usize) -> Pool {
        let taken = (0..n_members).map(|_| AtomicUsize::new(0)).collect();
        Pool { offers: Mutex::default(), taken, prepared: OnceLock::new() }
    }
    /// Has the first member prepared the problem?
    pub fn is_prepared(&self) -> bool {
        self.prepared.get().is_some()
    }
    fn offers(&self) -> MutexGuard<'_, Vec<Offer>> {
        // A member that panicked has pushed an offer or it has not.
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A member's place in the team.
#[derive(Clone)]
pub(crate) struct Seat {
    pub pool: Arc<Pool>,
    pub member: usize,
    /// Does it take what others offer?
    pub takes: bool,
}

impl Seat {
    /// What the first member has prepared, if it has, by the same passes.
    pub fn prepared(&self, passes: &Passes) -> Option<Arc<Prepared>> {
        let (by, prepared) = self.pool.prepared.get()?;
        (*by == passes.to_string()).then(|| prepared.clone())
    }
    /// The problem is prepared. That of the first member is for everybody.
    pub fn publish(&self, passes: &Passes, prepared: &Arc<Prepared>) {
        if self.member == 0 {
            // It does so once.
            let _ = self.pool.prepared.set((passes.to_string(), prepared.clone()));
        }
    }
    /// Exchanges the lemmas of an engine.
    pub fn exchange(&self, prepared: &Arc<Prepared>) -> Exchange {
        let (seat, prepared) = (self.clone(), prepared.clone());
        Exchange { seat, prepared, known: HashSet::new(), n_selected: None, is_silent: false, n_seen: 0 }
    }
    /// The conclusion of the engine about the problem as it was selected, with all that it rests on.
    pub fn complete(&self, conclusion: Conclusion) -> Conclusion {
        let n_taken = self.pool.taken[self.member].load(Ordering::Relaxed);
        let conjoin_all = |invariant: &mut Invariant| {
            for offer in &self.pool.offers()[..n_taken] {
                offer.invariant.conjoin_to(invariant, Lit::positive);
            }
        };
        let complete = |mut invariant: Invariant| {
            conjoin_all(&mut invariant);
            invariant.without_repetitions()
        };
        let ranked = |mut ranked: Ranked| {
            conjoin_all(&mut ranked.with);
            ranked
        };
        match conclusion {
            Conclusion::Safe(proof) if n_taken > 0 => {
                Conclusion::Safe(proof.map(complete, |latches| latches, ranked))
            }
            conclusion => conclusion,
        }
    }
}

/// The lemmas of a member at work, between its own problem and the pool.
pub(crate) struct Exchange {
    seat: Seat,
    prepared: Arc<Prepared>,
    /// The lemmas that were offered or taken, over the member's own problem.
    known: HashSet<Clause>,
    /// How many nodes the problem has as it was selected, once something was offered.
    n_selected: Option<usize>,
    /// It has nothing more to offer.
    is_silent: bool,
    /// How many offers it has looked at.
    n_seen: usize,
}

impl Exchange {
    /// What the passes rest on: that goes with the first lemmas.
    fn reasons(&self) -> Invariant {
        let nothing = Invariant::new(self.prepared.safety.aig.n_vars());
        self.prepared.back.passes.proof(Proof::Inductive(nothing)).invariant().clone()
    }
}

impl Lemmas for Exchange {
    fn offer(&mut self, lemmas: &mut dyn Iterator<Item = Clause>) {
        let passes = &self.prepared.back.passes;
        let new: Vec<Clause> = lemmas.filter(|lemma| self.known.insert(lemma.clone())).collect();
        let Some(raised) = new.iter().map(|lemma| passes.clause_up(lemma)).collect::<Option<Vec<_>>>() else {
            // Later lemmas may rest on the one that has no meaning elsewhere.
            self.is_silent = true;
            return;
        };
        let raised: Vec<Clause> = raised.iter().filter_map(Clause::simplified).collect();
        if raised.is_empty() || self.is_silent {
            return;
        }
        let mut invariant = match self.n_selected {
            Some(n_vars) => Invariant::new(n_vars),
            None => self.reasons(),
        };
        self.n_selected = Some(invariant.n_vars());
        raised.into_iter().for_each(|lemma| invariant.add(lemma));
        self.seat.pool.offers().push(Offer { by: self.seat.member, invariant });
    }
    fn take(&mut self) -> Vec<Clause> {
        if !self.seat.takes {
            return Vec::new();
        }
        let passes = &self.prepared.back.passes;
        let mut found = Vec::new();
        let offers = self.seat.pool.offers();
        for offer in offers[self.n_seen..].iter().filter(|offer| offer.by != self.seat.member) {
            // Clauses over gates that an invariant brings along have no meaning elsewhere.
            let n_vars = offer.invariant.n_vars();
            let is_plain = |c: &&Clause| c.lits().iter().all(|l| l.var().index() < n_vars);
            let lowered = |c: &Clause| passes.clause_down(c)?.simplified();
            found.extend(offer.invariant.clauses().iter().filter(is_plain).filter_map(lowered));
        }
        self.n_seen = offers.len();
        drop(offers);
        found.retain(|lemma| self.known.insert(lemma.clone()));
        if !found.is_empty() {
            self.seat.pool.taken[self.seat.member].store(self.n_seen, Ordering::Relaxed);
        }
        found
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use crate::check::decide_and_verify;
    use crate::path::Context;
    use crate::{EngineId, Strategy};
    use indubit_preproc::{PASSES, Select, prepare};
    use indubit_run::{Cancel, Run};
    use indubit_system::Bits;

    /// One member proves a property and offers its invariant; another one, after other passes, begins with that. What it
    /// finds is checked, and never refused.
    #[test]
    fn lemmas_cross_different_preprocessing() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut n_taken = 0;
        for seed in 0..300 {
            let system = indubit_testkit::random::system(seed, &Default::default());
            let mut any = || -> Passes { PASSES[rng.usize(..PASSES.len())].name.parse().unwrap() };
            let pool = Arc::new(Pool::new(2));
            let [first, second] = [0, 1].map(|member| Seat { pool: pool.clone(), member, takes: true });
            let mut run = Run::new(Cancel::new()).with_paranoia(true);
            let target = system.properties()[0].claim.target().unwrap();
            let prepared = prepare(&system, &Select::one(target), &any(), &mut run).unwrap();
            let ic3 = EngineId::Ic3.info().bits.as_ref().unwrap();
            let conclusion = (ic3.make)(prepared.safety.clone(), &Default::default()).run(&mut run);
            let Conclusion::Safe(Proof::Inductive(invariant)) = conclusion else { continue };
            first.exchange(&Arc::new(prepared)).offer(&mut invariant.clauses().iter().cloned());
            let context = Context::<Bits>::new(&system).unwrap();
            for engine in [EngineId::Ic3, EngineId::Quip, EngineId::Kind] {
                let strategy = Strategy { passes: any(), ..engine.into() };
                run.bound = Some(20);
                let found = decide_and_verify(&context, 0, &strategy, Some(&second), &mut run);
                let found = found.unwrap_or_else(|error| panic!("seed {seed}, {engine}: {error}"));
                assert_ne!(found.truth(), Some(false), "seed {seed}, {engine}");
                n_taken += usize::from(pool.taken[1].swap(0, Ordering::Relaxed) > 0);
            }
        }
        assert!(n_taken > 20, "{n_taken}");
    }
}
