//! How properties are to be decided: which engines, with which switches, on how many threads.

use crate::{bits, words};
use indubit_engines::{EngineId, EngineInfo, Options, Proves, Supported};
use indubit_preproc::Passes;
use indubit_smt::External;
use indubit_system::{ARRAY_BITS, ClaimKind};

/// An engine with its switches, and what is made of the problem before.
#[derive(Clone)]
pub struct Strategy {
    /// The engine.
    pub engine: &'static EngineInfo,
    /// Its switches.
    pub options: Options,
    /// What is made of a circuit before. Systems over words are taken as they are.
    pub passes: Passes,
}

impl From<&'static EngineInfo> for Strategy {
    fn from(engine: &'static EngineInfo) -> Strategy {
        let as_given = engine.bits.as_ref().is_some_and(|e| e.as_given);
        let passes = if as_given { Passes::none() } else { Passes::default() };
        Strategy { engine, options: Options::default(), passes }
    }
}

impl From<EngineId> for Strategy {
    fn from(engine: EngineId) -> Strategy {
        engine.info().into()
    }
}

/// A strategy beside others.
#[derive(Clone)]
pub struct Member {
    /// What it does.
    pub strategy: Strategy,
    /// How long its turns are, compared with those of others.
    pub weight: u32,
    /// Does it use lemmas of others? They may lead it astray just where the others are.
    pub takes_lemmas: bool,
    /// The claims that it is asked about: all that its engine decides, or some of them.
    pub claims: &'static [ClaimKind],
}

/// How properties are to be decided. The default is a portfolio on all cores.
///
/// ```
/// use indubit::{EngineId, Plan};
/// let portfolio = Plan::default();
/// let bmc = Plan::from(EngineId::Bmc);
/// assert!(portfolio.n_threads >= 1 && bmc.n_threads == 1);
/// ```
#[derive(Clone)]
pub struct Plan {
    /// Who works on it.
    pub who: Who,
    /// How many are at work at the same time.
    pub n_threads: usize,
    /// Proofs need an inductive invariant: engines that may have other proofs are left out of a portfolio.
    pub wants_invariants: bool,
    /// Who decides over words where our solver has no theory.
    pub other: Option<External>,
    /// Switches for all who work on it, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Preprocessing for all who work on it, if it is not the usual.
    pub passes: Option<Passes>,
    /// Arrays of at most so many bits become latches, so that engines for bits work on systems over words that have them.
    pub array_bits: u64,
}

/// Who works on a property.
#[derive(Clone)]
pub enum Who {
    /// Engines that differ, as they suit the kind of the system.
    Portfolio,
    /// One strategy; with several threads, as often with different seeds (Bradley, Manna, FMCAD 2007: with other random choices, each is
    /// likely to analyse another part of the state space).
    One(Box<Strategy>),
    /// These, the most promising one first.
    These(Vec<Member>),
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::new(Who::Portfolio, std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl<S: Into<Strategy>> From<S> for Plan {
    fn from(strategy: S) -> Plan {
        Plan::new(Who::One(Box::new(strategy.into())), 1)
    }
}

impl Plan {
    /// Somebody, on so many threads.
    pub fn new(who: Who, n_threads: usize) -> Plan {
        Plan {
            who,
            n_threads,
            wants_invariants: false,
            other: None,
            settings: Vec::new(),
            passes: None,
            array_bits: ARRAY_BITS,
        }
    }
    /// A portfolio on so many threads.
    pub fn portfolio(n_threads: usize) -> Plan {
        Plan::new(Who::Portfolio, n_threads)
    }
    /// The members, where `portfolio` says who they are if that is what is wanted. They work on problems of a kind.
    pub(crate) fn team<K: Supported>(
        &self,
        portfolio: &[Entry],
        more: &[Entry],
        liveness: &[Entry],
        sharing: EngineId,
    ) -> Team {
        let n_threads = self.n_threads.clamp(1, MOST);
        let mut members: Vec<Member> = match &self.who {
            Who::These(members) => members.clone(),
            Who::One(strategy) => {
                let (strategy, claims) = ((**strategy).clone(), strategy.engine.claims);
                vec![Member { strategy, weight: 1, takes_lemmas: true, claims }; n_threads]
            }
            Who::Portfolio => {
                let n_more = if more.is_empty() { 0 } else { n_threads.saturating_sub(portfolio.len()) };
                let entries = portfolio.iter().chain(more.iter().cycle().take(n_more));
                let for_ever = liveness.iter().map(Entry::member);
                let for_ever = for_ever.map(|member| Member { claims: &[ClaimKind::Justice], ..member });
                let branching = BRANCHING.iter().map(Entry::member);
                let branching = branching.map(|member| Member { claims: &[ClaimKind::Ctl], ..member });
                entries.map(Entry::member).chain(for_ever).chain(branching).collect()
            }
        };
        if self.wants_invariants && matches!(self.who, Who::Portfolio) {
            let proves = |m: &Member| K::implementation(m.strategy.engine).map(|engine| engine.proves);
            members.retain(|m| proves(m) != Some(Proves::Steps));
        }
        for member in &mut members {
            if let Some(passes) = &self.passes {
                member.strategy.passes = passes.clone();
            }
            for setting in &self.settings {
                // Whoever made the plan has looked whether there is such a switch; for some members it may do nothing.
                let _ = member.strategy.options.set(setting);
            }
        }
        let sharing = members.iter().position(|m| m.strategy.engine.id == sharing).unwrap_or(0);
        Team { members, n_threads, sharing, other: self.other.clone() }
    }
}

/// Can this engine be a member of a portfolio?
pub fn is_in_portfolio(engine: EngineId) -> bool {
    let tables = [bits::TABLES, words::TABLES, &[BRANCHING]].into_iter().flatten();
    tables.copied().flatten().any(|entry| entry.engine == engine)
}

/// For computation tree logic.
const BRANCHING: &[Entry] = &[Entry::new(1, EngineId::Bdd, &[]), Entry::new(1, EngineId::Iictl, &[])];

/// However many threads are wanted, no more members than that: each has the problem in its own solvers, and more of the same
/// with other seeds hardly helps.
pub(crate) const MOST: usize = 64;

/// Those who work on a property, for a kind of systems.
#[derive(Clone)]
pub struct Team {
    /// The most promising one first.
    pub(crate) members: Vec<Member>,
    pub(crate) n_threads: usize,
    /// The one that decides several properties as far as it can share what it learns.
    pub(crate) sharing: usize,
    /// Who decides where our solver has no theory.
    pub(crate) other: Option<External>,
}

impl Team {
    /// Is there only one, on one thread, the same at each time?
    pub(crate) fn is_one(&self) -> bool {
        self.members.len() == 1
    }
}

/// A member of a portfolio, as a row of a table.
pub(crate) struct Entry {
    pub weight: u32,
    pub engine: EngineId,
    pub settings: &'static [&'static str],
    /// On its own: with little preprocessing, and without lemmas of others.
    pub apart: bool,
}

impl Entry {
    pub const fn new(weight: u32, engine: EngineId, settings: &'static [&'static str]) -> Entry {
        Entry { weight, engine, settings, apart: false }
    }
    pub const fn apart(self) -> Entry {
        Entry { apart: true, ..self }
    }
    fn member(&self) -> Member {
        let mut strategy = Strategy::from(self.engine);
        let EngineInfo { bits, live, .. } = self.engine.info();
        let proves = bits.as_ref().map(|e| e.proves).or(live.as_ref().map(|e| e.proves));
        let finds_bugs_only = proves == Some(Proves::Nothing);
        if finds_bugs_only {
            // Whoever looks for bugs only is to begin at once, with what takes next to no time.
            strategy.passes = strategy.passes.without("lcorr").without("scorr");
        }
        if self.apart {
            strategy.passes =
                strategy.passes.without("try").without("fraig").without("lcorr").without("scorr");
        }
        for setting in self.settings {
            strategy.options.set(setting).expect("the tables of portfolios have switches that exist");
        }
        let claims = strategy.engine.claims;
        Member { strategy, weight: self.weight, takes_lemmas: !self.apart, claims }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use crate::path::{Context, Path};
    use crate::{Bits, Words};
    use indubit_system::{BitSystem, WordSystem};
    use indubit_term::Sort;

    fn of_bits(plan: &Plan) -> Team {
        Bits::team(&Context::new(&BitSystem::new()).unwrap(), plan)
    }
    /// The team for a system over integers, which is no circuit.
    fn of_words(plan: &Plan) -> Team {
        let mut system = WordSystem::new();
        system.add_state("x", Sort::Int);
        Words::team(&Context::new(&system).unwrap(), plan)
    }
    /// Those who decide what can be reached.
    fn ids(team: &Team) -> Vec<EngineId> {
        let reach = team.members.iter().filter(|m| m.claims.contains(&ClaimKind::Always));
        reach.map(|m| m.strategy.engine.id).collect()
    }

    #[test]
    fn as_many_members_as_threads() {
        for n_threads in [1, 2, 5, 7, 20, 100_000] {
            let team = of_bits(&Plan::portfolio(n_threads));
            assert_eq!(ids(&team).len(), n_threads.clamp(5, MOST));
            assert_eq!(
                team.members.len() - ids(&team).len(),
                crate::bits::liveness(&BitSystem::new()).len() + BRANCHING.len()
            );
            assert_eq!((ids(&team)[0], team.n_threads), (EngineId::Quip, n_threads.min(MOST)));
            assert_eq!(ids(&team)[team.sharing], EngineId::Ic3);
            assert_eq!(ids(&of_words(&Plan::portfolio(n_threads)))[0], EngineId::Ic3ia);
        }
        let team = of_bits(&Plan::new(Who::One(Box::new(EngineId::Fsis.into())), 3));
        assert_eq!((ids(&team), team.n_threads), (vec![EngineId::Fsis; 3], 3));
    }

    #[test]
    fn who_may_have_no_invariant_is_left_out() {
        let plan = Plan { wants_invariants: true, ..Plan::portfolio(1) };
        let (bits, words) = (ids(&of_bits(&plan)), ids(&of_words(&plan)));
        assert_eq!(bits, [EngineId::Quip, EngineId::Bmc, EngineId::Ic3, EngineId::Ic3]);
        assert_eq!(words, [EngineId::Ic3ia, EngineId::Ctigar, EngineId::Quip, EngineId::Itp]);
        // What was asked for by name is there.
        assert_eq!(
            ids(&of_bits(&Plan { wants_invariants: true, ..EngineId::Kind.into() })),
            [EngineId::Kind]
        );
    }

    #[test]
    fn what_is_set_for_all_is_set_for_each() {
        let passes: Passes = "coi".parse().unwrap();
        let settings = vec!["activity=off".to_owned()];
        let team = of_bits(&Plan { settings, passes: Some(passes.clone()), ..Plan::portfolio(9) });
        for member in &team.members {
            assert_eq!(member.strategy.passes.to_string(), passes.to_string());
            assert!(!member.strategy.options.pdr.by_activity);
        }
    }
}
