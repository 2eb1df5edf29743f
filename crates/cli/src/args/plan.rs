//! From arguments to a plan.

use super::{Effort, Engine};
use crate::exit::Failure;
use indubit::{Plan, Portfolio, SWITCHES, Strategy};
use std::num::NonZeroUsize;

impl Effort {
    /// Does the engine heed all of its switches?
    pub fn validate(&self) -> Result<(), Failure> {
        let Engine::One(engine) = self.engine else { return Ok(()) };
        for setting in &self.option {
            let name = setting.split('=').next().unwrap_or_default();
            let switch = SWITCHES.iter().find(|switch| switch.name == name);
            if let Some(switch) = switch.filter(|switch| !switch.engines.contains(&engine.name)) {
                let message = format!("--option {setting}: the engine {} has no such option", engine.name);
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
    /// The engine, or so many of it, or the portfolio, with its switches.
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
            Engine::One(engine) => {
                let mut strategy = Strategy::from(engine);
                set(&mut strategy);
                match self.n_copies() {
                    1 => strategy.into(),
                    n => Portfolio::of_one(strategy, n).into(),
                }
            }
            Engine::Portfolio => {
                let cores = std::thread::available_parallelism().ok();
                let n_threads = self.threads.or(cores).map_or(1, NonZeroUsize::get);
                let mut portfolio = Portfolio::for_cores(n_threads);
                portfolio.members.iter_mut().map(|m| &mut m.strategy).for_each(set);
                portfolio.into()
            }
        }
    }
}
