//! Where the members of a portfolio exchange what holds in all reachable states, and share preprocessing.
//!
//! Goods are inductive invariants of the problem as it was selected, which is the same for all members. A member offers its lemmas
//! raised there, and once what its passes rest on. So everything on the market is, together with all that was there before, an
//! inductive invariant. Whoever has taken a lemma adds all goods up to the last one it has seen to its proof.

use indubit_logic::{Clause, Lit};
use indubit_preproc::{Passes, Prepared};
use indubit_run::Trade;
use indubit_system::{Invariant, Proof, Raise, Verdict};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Shared by all members.
pub(crate) struct Market {
    goods: Mutex<Vec<Good>>,
    /// For each member, how many goods its lemmas may rest on.
    taken: Vec<AtomicUsize>,
    /// The first member's passes, and what they have made of the problem.
    prepared: OnceLock<(String, Arc<Prepared>)>,
}

struct Good {
    by: usize,
    invariant: Invariant,
}

impl Market {
    pub(crate) fn new(n_members: usize) -> Market {
        let taken = (0..n_members).map(|_| AtomicUsize::new(0)).collect();
        Market { goods: Mutex::default(), taken, prepared: OnceLock::new() }
    }
    /// Has the first member prepared the problem?
    pub(crate) fn is_open(&self) -> bool {
        self.prepared.get().is_some()
    }
    fn goods(&self) -> MutexGuard<'_, Vec<Good>> {
        // A member that panicked has pushed a good or it has not.
        self.goods.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A member's place on the market.
pub(crate) struct Stall {
    pub(crate) market: Arc<Market>,
    pub(crate) member: usize,
    /// Does it take what others offer?
    pub(crate) takes: bool,
}

impl Stall {
    /// What the first member has prepared, if it has, by the same passes.
    pub(crate) fn prepared(&self, passes: &Passes) -> Option<Arc<Prepared>> {
        let (by, prepared) = self.market.prepared.get()?;
        (*by == passes.to_string()).then(|| prepared.clone())
    }
    /// The problem is prepared. That of the first member is for everybody.
    pub(crate) fn publish(&self, passes: &Passes, prepared: &Arc<Prepared>) {
        if self.member == 0 {
            // It does so once.
            let _ = self.market.prepared.set((passes.to_string(), prepared.clone()));
        }
    }
    /// Exchanges the lemmas of an engine.
    pub(crate) fn trader(&self, prepared: &Arc<Prepared>) -> Trader {
        Trader {
            market: self.market.clone(),
            member: self.member,
            takes: self.takes,
            prepared: prepared.clone(),
            known: HashSet::new(),
            n_selected: None,
            is_silent: false,
            n_seen: 0,
        }
    }
    /// The verdict of the engine about the problem as it was selected, with all that it rests on.
    pub(crate) fn complete(&self, verdict: Verdict) -> Verdict {
        let n_taken = self.market.taken[self.member].load(Ordering::Relaxed);
        let complete = |mut invariant: Invariant| {
            for good in &self.market.goods()[..n_taken] {
                good.invariant.conjoin_to(&mut invariant, Lit::positive);
            }
            invariant.without_repetitions()
        };
        match verdict {
            Verdict::Safe(proof) if n_taken > 0 => Verdict::Safe(proof.map(complete, |latches| latches)),
            verdict => verdict,
        }
    }
}

/// A member at work.
pub(crate) struct Trader {
    market: Arc<Market>,
    member: usize,
    takes: bool,
    prepared: Arc<Prepared>,
    /// The lemmas that were offered or taken, over the member's own problem.
    known: HashSet<Clause>,
    /// How many nodes the problem has as it was selected, once something was offered.
    n_selected: Option<usize>,
    /// It has nothing more to offer.
    is_silent: bool,
    /// How many goods it has looked at.
    n_seen: usize,
}

impl Trader {
    /// What the passes rest on: that goes with the first lemmas.
    fn reasons(&self) -> Invariant {
        let nothing = Invariant::new(self.prepared.safety.aig.n_vars());
        match self.prepared.back.passes.proof(Proof::Inductive(nothing)) {
            Proof::Inductive(reasons) | Proof::KInductive { with: reasons, .. } => reasons,
        }
    }
}

impl Trade for Trader {
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
        self.market.goods().push(Good { by: self.member, invariant });
    }
    fn take(&mut self) -> Vec<Clause> {
        if !self.takes {
            return Vec::new();
        }
        let passes = &self.prepared.back.passes;
        let mut found = Vec::new();
        let goods = self.market.goods();
        for good in goods[self.n_seen..].iter().filter(|good| good.by != self.member) {
            // Clauses over gates that an invariant brings along have no meaning elsewhere.
            let n_vars = good.invariant.n_vars();
            let is_plain = |c: &&Clause| c.lits().iter().all(|l| l.var().index() < n_vars);
            let lowered = |c: &Clause| passes.clause_down(c)?.simplified();
            found.extend(good.invariant.clauses().iter().filter(is_plain).filter_map(lowered));
        }
        self.n_seen = goods.len();
        drop(goods);
        found.retain(|lemma| self.known.insert(lemma.clone()));
        if !found.is_empty() {
            self.market.taken[self.member].store(self.n_seen, Ordering::Relaxed);
        }
        found
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use crate::check::{Strategy, check_one};
    use indubit_preproc::{PASSES, Select, prepare};
    use indubit_run::{Cancel, Ignore, Run};

    /// One member proves a property and offers its invariant; another one, after other passes, begins with that. What it
    /// finds is checked, and never refused.
    #[test]
    fn lemmas_cross_different_preprocessing() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut n_taken = 0;
        for seed in 0..300 {
            let system = indubit_testkit::random::system(seed, &Default::default());
            let property = system.property(0).unwrap();
            let mut any = || -> Passes { PASSES[rng.usize(..PASSES.len())].name.parse().unwrap() };
            let market = Arc::new(Market::new(2));
            let [first, second] = [0, 1].map(|member| Stall { market: market.clone(), member, takes: true });
            let mut observer = Ignore;
            let mut run = Run::new(Cancel::new(), &mut observer).with_paranoia(true);
            let prepared = prepare(&system, &Select::one(0), &any(), &mut run).unwrap();
            let ic3 = crate::engine("ic3").unwrap();
            let verdict = (ic3.make)(prepared.safety.clone(), &Default::default()).run(&mut run);
            let Verdict::Safe(Proof::Inductive(invariant)) = verdict else { continue };
            first.trader(&Arc::new(prepared)).offer(&mut invariant.clauses().iter().cloned());
            for engine in ["ic3", "quip", "kind"] {
                let strategy = Strategy { passes: any(), ..crate::engine(engine).unwrap().into() };
                run.bound = Some(20);
                let found = check_one(&system, &property, 0, &strategy, Some(&second), &mut run);
                let found = found.unwrap_or_else(|error| panic!("seed {seed}, {engine}: {error}"));
                assert!(!matches!(found, Verdict::Unsafe(_)), "seed {seed}, {engine}");
                n_taken += usize::from(market.taken[1].swap(0, Ordering::Relaxed) > 0);
            }
        }
        assert!(n_taken > 20, "{n_taken}");
    }
}
