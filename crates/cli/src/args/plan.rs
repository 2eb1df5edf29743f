//! From arguments to a plan.

use super::{Check, Effort, Format};
use crate::exit::Failure;
use indubit::smt::External;
use indubit::{
    Bits, ENGINES, EngineId, EngineInfo, PROVE, Plan, Proves, SWITCHES, Strategy, Switch, Switched, Who,
    Words, is_in_portfolio,
};
use std::num::NonZeroUsize;
use std::path::Path;

impl Check {
    /// Can the engine do what is asked of it?
    pub fn validate(&self) -> Result<(), Failure> {
        self.effort.validate()?;
        let name = self.effort.engine.name();
        let records = |engine: &EngineInfo| engine.bits.as_ref().is_some_and(|bits| bits.records);
        if self.record.is_some() && !self.effort.engine.0.is_some_and(records) {
            let message = format!("the engine {name} has no stream of queries to record");
            let recording: Vec<&str> = ENGINES.iter().filter(|e| records(e)).map(|e| e.name).collect();
            let hint = format!("--record works with --engine {}", recording.join(", "));
            return Err(Failure::bad_input(message).with_hint(hint));
        }
        if self.record.is_some() && self.effort.n_threads() > 1 {
            let message = "--record is for the queries of one engine, and not of several at once".to_owned();
            return Err(Failure::bad_input(message).with_hint("leave out --threads"));
        }
        let is_by_steps =
            |engine: &EngineInfo| engine.bits.as_ref().is_some_and(|bits| bits.proves == Proves::Steps);
        if (self.invariant.is_some() || self.print_model) && self.effort.engine.0.is_some_and(is_by_steps) {
            let message = format!(
                "--invariant or --model: what {name} proves is k-inductive, and need not have an invariant that can be written"
            );
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
        self.smt.as_ref()?.0.as_ref()
    }
    /// The plan of its effort, with proofs that have an invariant if that is wanted.
    pub fn plan(&self) -> Plan {
        let effort = &self.effort;
        let who = effort.engine.0.map_or(Who::Portfolio, |engine| Who::One(Box::new(Strategy::from(engine))));
        Plan {
            wants_invariants: self.invariant.is_some() || self.prints_model(),
            other: self.other().cloned(),
            settings: effort.option.clone(),
            passes: effort.passes.clone(),
            array_bits: effort.arrays.limit(),
            ..Plan::new(who, effort.n_threads())
        }
    }
}

impl Effort {
    /// Does the engine heed all of its switches, over bits or over words?
    pub fn validate(&self) -> Result<(), Failure> {
        self.refuse_settings(|switch, value, engine| {
            Bits::heeding(switch, value).contains(&engine) || Words::heeding(switch, value).contains(&engine)
        })
    }
    /// Does the engine heed all of its switches, over this kind of systems?
    pub fn validate_for<K: Switched>(&self) -> Result<(), Failure> {
        self.refuse_settings(|switch, value, engine| K::heeding(switch, value).contains(&engine))
    }
    /// Refuse settings that nobody heeds.
    fn refuse_settings(&self, is_heeded: impl Fn(&Switch, &str, EngineId) -> bool) -> Result<(), Failure> {
        for setting in &self.option {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let Some(switch) = SWITCHES.iter().find(|switch| switch.name == name) else { continue };
            let heeds = |engine: &EngineInfo| is_heeded(switch, value, engine.id);
            let refused = match self.engine.0 {
                Some(engine) => !heeds(engine),
                None => !ENGINES.iter().filter(|engine| is_in_portfolio(engine.id)).any(heeds),
            };
            if refused {
                let engine = self.engine.name();
                let message = format!("--option {setting}: it does nothing for the engine {engine} here");
                let heeding: Vec<&str> = ENGINES.iter().filter(|e| heeds(e)).map(|e| e.name).collect();
                let list = self.engine.0.map_or(String::new(), |engine| format!(" {}", engine.name));
                let hint = match &heeding[..] {
                    [] => "no engine for models of this kind has it: leave it out".into(),
                    names => format!(
                        "it is one of {}; `indubit engines --options{list}` lists what there is",
                        names.join(" and ")
                    ),
                };
                return Err(Failure::bad_input(message).with_hint(hint));
            }
        }
        Ok(())
    }
    /// How many are at work at the same time: of a portfolio as many as there are cores, of one engine one, unless the user says otherwise.
    fn n_threads(&self) -> usize {
        let cores = std::thread::available_parallelism().ok().filter(|_| self.engine.0.is_none());
        self.threads.or(cores).map_or(1, NonZeroUsize::get)
    }
}
