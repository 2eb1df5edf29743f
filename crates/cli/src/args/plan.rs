//! From arguments to a plan.

use super::{Check, Effort, Engine, Format, SecondOpinion};
use crate::exit::Failure;
use indubit::smt::External;
use indubit::{ENGINES, PROVE, Plan, Portfolio, SWITCHES, Strategy, WordPlan, WordStrategy};
use std::num::NonZeroUsize;
use std::path::Path;

/// The engine whose proofs need more than an invariant.
const K_INDUCTION: &str = "kind";
/// The engine that proves only what ends.
const BMC: &str = "bmc";

impl Check {
    /// Can the engine do what is asked of it?
    pub fn validate(&self) -> Result<(), Failure> {
        self.effort.validate()?;
        let name = self.effort.engine.name();
        if self.record.is_some() && !self.effort.engine.records() {
            let message = format!("the engine {name} has no stream of queries to record");
            let recording: Vec<&str> = ENGINES.iter().filter(|e| e.records).map(|e| e.name).collect();
            let hint = format!("--record works with --engine {}", recording.join(", "));
            return Err(Failure::bad_input(message).with_hint(hint));
        }
        if self.record.is_some() && self.effort.n_copies() > 1 {
            let message = "--record is for the queries of one engine, and not of several at once".to_owned();
            return Err(Failure::bad_input(message).with_hint("leave out --threads"));
        }
        if (self.invariant.is_some() || self.print_model) && name == K_INDUCTION {
            let message = "--invariant or --model: what kind proves is k-inductive, and need not have an invariant that can be written";
            return Err(Failure::bad_input(message).with_hint("--engine ic3 finds one, over words ic3ia"));
        }
        if self.lemmas.as_deref().is_some_and(|lemmas| lemmas == self.model && lemmas == Path::new("-")) {
            let message = "the model and the lemmas cannot both come from standard input";
            return Err(Failure::bad_input(message).with_hint("give one of them as a file"));
        }
        Ok(())
    }
    /// Is the invariant part of the answer on standard output?
    pub fn prints_model(&self) -> bool {
        let is_stdout = self.invariant.as_deref() == Some(Path::new("-"));
        self.format == Format::Chc && (self.print_model || is_stdout)
    }
    /// What answers.
    pub fn engine_name(&self) -> &'static str {
        if self.lemmas.is_some() { PROVE } else { self.effort.engine.name() }
    }
    /// Who decides what our solver for words has no theory for.
    pub fn other(&self) -> Option<&External> {
        if let Some(SecondOpinion::Of(solver)) = &self.smt { Some(solver) } else { None }
    }
    /// The plan of its effort, with proofs that have an invariant if that is wanted.
    pub fn plan(&self) -> Plan {
        let mut plan = self.effort.plan();
        if let Plan::Portfolio(portfolio) = &mut plan
            && (self.invariant.is_some() || self.prints_model())
        {
            portfolio.members.retain(|member| member.strategy.engine.name != K_INDUCTION);
        }
        plan
    }
    /// The same for words.
    pub fn word_plan(&self) -> WordPlan {
        let mut plan = self.effort.word_plan();
        plan.other = self.other().cloned();
        let several = !matches!(self.effort.engine, Engine::One { .. });
        if several && (self.invariant.is_some() || self.prints_model()) {
            // BMC may see that all runs end, which is no invariant either.
            plan.members.retain(|(_, strategy)| ![K_INDUCTION, BMC].contains(&strategy.engine.name));
        }
        plan
    }
}

impl Effort {
    /// Does the engine heed all of its switches?
    pub fn validate(&self) -> Result<(), Failure> {
        let Engine::One { .. } = self.engine else { return Ok(()) };
        let engine = self.engine.name();
        for setting in &self.option {
            let name = setting.split('=').next().unwrap_or_default();
            let switch = SWITCHES.iter().find(|switch| switch.name == name);
            if let Some(switch) = switch.filter(|switch| !switch.engines.contains(&engine)) {
                let message = format!("--option {setting}: the engine {engine} has no such option");
                let hint = format!("it is one of {}", switch.engines.join(" and "));
                return Err(Failure::bad_input(message).with_hint(hint));
            }
        }
        Ok(())
    }
    /// How many of the engine work at the same time, if it is one.
    pub fn n_copies(&self) -> usize {
        self.threads.map_or(1, NonZeroUsize::get)
    }
    /// How many threads a portfolio has.
    fn n_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().ok();
        self.threads.or(cores).map_or(1, NonZeroUsize::get)
    }
    /// The engine for words, or so many of it, or all of them, with its switches.
    fn word_plan(&self) -> WordPlan {
        let mut plan = match self.engine {
            Engine::One { words: Some(engine), .. } => {
                let n = self.n_copies();
                WordPlan { members: vec![(1, WordStrategy::from(engine)); n], n_threads: n, other: None }
            }
            _ => WordPlan::for_cores(self.n_threads()),
        };
        for (_, strategy) in &mut plan.members {
            for setting in &self.option {
                strategy.options.set(setting).expect("it has been set before, when it was parsed");
            }
        }
        plan
    }
    /// The engine for bits, or so many of it, or the portfolio, with its switches.
    pub fn plan(&self) -> Plan {
        let set = |strategy: &mut Strategy| {
            if let Some(passes) = &self.passes {
                strategy.passes = passes.clone();
            }
            for setting in &self.option {
                strategy.options.set(setting).expect("it has been set before, when it was parsed");
            }
        };
        match self.engine {
            Engine::One { bits: Some(engine), .. } => {
                let mut strategy = Strategy::from(engine);
                set(&mut strategy);
                match self.n_copies() {
                    1 => strategy.into(),
                    n => Portfolio::of_one(strategy, n).into(),
                }
            }
            _ => {
                let mut portfolio = Portfolio::for_cores(self.n_threads());
                portfolio.members.iter_mut().map(|m| &mut m.strategy).for_each(set);
                portfolio.into()
            }
        }
    }
}
