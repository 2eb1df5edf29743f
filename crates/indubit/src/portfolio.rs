//! Several strategies at once on one property, in a [race](crate::race): the first checked answer wins.
//!
//! Those that want the same preprocessing as the first one begin with what it has prepared, when it has. Lemmas that hold for
//! good are exchanged on a [market](crate::market).

use crate::check::{Error, Strategy, check_one};
use crate::market::{Market, Stall};
use crate::race::{Racer, race};
use indubit_run::Run;
use indubit_system::{BitSystem, Property, Verdict};
use std::sync::Arc;

/// Strategies for one property.
#[derive(Clone)]
pub struct Portfolio {
    /// The most promising one first.
    pub members: Vec<Member>,
    /// How many are at work at the same time.
    pub n_threads: usize,
}

/// A strategy in a portfolio.
#[derive(Clone)]
pub struct Member {
    /// What it does.
    pub strategy: Strategy,
    /// How long its turns are, compared with those of others.
    pub weight: u32,
    /// Does it use lemmas of others? They may lead it astray just where the others are.
    pub takes_lemmas: bool,
}

/// However many threads are wanted, no more members than that: each has the problem in its own solvers, and more of the same
/// with other seeds hardly helps.
const MOST: usize = 64;

impl Portfolio {
    /// Quip first, which solves most, and then what differs most from it. For each thread more than there are of these, one of
    /// them in another way, or with another seed.
    pub fn for_cores(n_threads: usize) -> Portfolio {
        let with = |weight: u32, name: &str, settings: &[&str]| {
            let engine = indubit_engines::find(name)?;
            let mut strategy = Strategy::from(engine);
            if !engine.proves {
                // Whoever looks for bugs only is to begin at once, with what takes next to no time.
                strategy.passes = strategy.passes.without("lcorr").without("scorr");
            }
            settings.iter().try_for_each(|s| strategy.options.set(s)).ok()?;
            Some(Member { strategy, weight, takes_lemmas: true })
        };
        // On its own: with little preprocessing, and without lemmas of others.
        let apart = |member: Option<Member>| {
            let mut member = member?;
            let passes = member.strategy.passes;
            member.strategy.passes = passes.without("try").without("fraig").without("lcorr").without("scorr");
            Some(Member { takes_lemmas: false, ..member })
        };
        let members = [
            with(1, "quip", &[]),
            with(3, "bmc", &[]),
            with(4, "ic3", &[]),
            apart(with(1, "ic3", &[])),
            with(1, "kind", &[]),
        ];
        let more = [
            with(1, "ic3", &["internal-signals=on"]),
            with(1, "ic3", &["cores-by-activity=on"]),
            with(1, "bmc", &["bmc-step=10"]),
            with(1, "quip", &["order=deepest"]),
            apart(with(1, "ic3", &["generalize=ctg"])),
            with(1, "quip", &["cores-by-activity=on"]),
            with(1, "ic3", &["restart=1000"]),
        ];
        let n_threads = n_threads.clamp(1, MOST);
        let n_more = n_threads.saturating_sub(members.len());
        let members = members.into_iter().chain(more.into_iter().cycle().take(n_more)).flatten().collect();
        Portfolio { members, n_threads }
    }

    /// The same strategy so many times, with a seed for each (Bradley, Manna, FMCAD 2007: with other random choices, each is likely to
    /// analyse another part of the state space).
    pub fn of_one(strategy: Strategy, n_threads: usize) -> Portfolio {
        let n_threads = n_threads.clamp(1, MOST);
        let member = Member { strategy, weight: 1, takes_lemmas: true };
        Portfolio { members: vec![member; n_threads], n_threads }
    }

    /// The strategy that decides several properties as far as it can share what it learns: IC3, which gets through more easy ones
    /// than Quip (docs/RESULTS.md); the first one if it is not there.
    pub(crate) fn sharing(&self) -> &Strategy {
        let ic3 = self.members.iter().find(|member| member.strategy.engine.name == "ic3");
        &ic3.unwrap_or(&self.members[0]).strategy
    }

    /// Decide a property: what the first member says whose answer was checked.
    pub(crate) fn check(
        &self,
        system: &BitSystem,
        chosen: &Property,
        property: usize,
        run: &mut Run<'_>,
    ) -> Result<Verdict, Error> {
        let market = Arc::new(Market::new(self.members.len()));
        let passes: Vec<String> = self.members.iter().map(|m| m.strategy.passes.to_string()).collect();
        let racer = |(index, member): (usize, &'_ Member)| {
            let stall = Stall { market: market.clone(), member: index, takes: member.takes_lemmas };
            let strategy = member.strategy.clone();
            Racer {
                weight: member.weight,
                waits: index > 0 && passes[index] == passes[0],
                decide: Box::new(move |own: &mut Run<'_>| {
                    check_one(system, chosen, property, &strategy, Some(&stall), own)
                }),
            }
        };
        let racers = self.members.iter().enumerate().map(racer).collect();
        race(racers, self.n_threads, &|| market.is_open(), run)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_run::{Cancel, Event, Observer};
    use indubit_testkit::models;

    /// Hears who wins, and how many passes it has made.
    #[derive(Default)]
    struct Winner {
        name: &'static str,
        n_passes: usize,
    }

    impl Observer for Winner {
        fn event(&mut self, event: &Event<'_>) {
            match *event {
                Event::Engine { name } => self.name = name,
                Event::Pass { .. } => self.n_passes += 1,
                _ => (),
            }
        }
    }

    #[test]
    fn what_the_first_one_prepares_is_for_the_others_too() {
        let system = models::all().into_iter().find(|m| m.file == "peterson.aag").unwrap().system;
        for n_threads in [1, 2] {
            // BMC proves nothing, so the other one wins.
            let member = |name| Member {
                strategy: crate::engine(name).unwrap().into(),
                weight: 1,
                takes_lemmas: true,
            };
            let portfolio = Portfolio { members: vec![member("bmc"), member("ic3")], n_threads };
            let mut winner = Winner::default();
            let mut run = Run::new(Cancel::new(), &mut winner);
            let property = system.property(0).unwrap();
            let verdict = portfolio.check(&system, &property, 0, &mut run).unwrap();
            assert!(matches!(verdict, Verdict::Safe(_)));
            assert_eq!((winner.name, winner.n_passes), ("ic3", 0));
        }
    }

    #[test]
    fn one_strategy_with_several_seeds() {
        let system = models::all().into_iter().find(|m| m.file == "fifo.aag").unwrap().system;
        for engine in ["fsis", "kind"] {
            let portfolio = Portfolio::of_one(crate::engine(engine).unwrap().into(), 3);
            assert_eq!((portfolio.members.len(), portfolio.n_threads), (3, 3));
            let mut winner = Winner::default();
            let mut run = Run::new(Cancel::new(), &mut winner).with_bound(Some(20));
            let property = system.property(0).unwrap();
            let verdict = portfolio.check(&system, &property, 0, &mut run).unwrap();
            assert!(matches!(verdict, Verdict::Safe(_)), "{engine}: {verdict:?}");
        }
    }

    #[test]
    fn as_many_members_as_threads() {
        for n_threads in [1, 2, 5, 7, 20, 100_000] {
            let members = Portfolio::for_cores(n_threads).members;
            assert_eq!(members.len(), n_threads.clamp(5, MOST));
            assert_eq!(members[0].strategy.engine.name, "quip");
        }
    }
}
