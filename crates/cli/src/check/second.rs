//! Who is asked about proofs over words besides our own solver.

use crate::kinds::Presented;
use crate::terminal::count;
use indubit::Property;
use indubit::run::{Cancel, Stop, within_time};
use indubit::smt::External;
use std::time::Duration;

/// What `--smt` says: this one, as long as it takes, or nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondOpinion(pub Option<External>);

/// Asked where it is installed and the user says nothing.
const USUAL: &str = "z3";
/// How long that may take for a proof.
const SHORTLY: Duration = Duration::from_secs(5);

/// Somebody who is asked.
#[derive(Clone)]
pub struct Second {
    solver: External,
    /// Not for longer than this, and if nothing comes of it, nobody hears of it.
    limit: Option<Duration>,
}

/// What somebody says of a proof that ours has checked.
pub enum Said {
    Agrees,
    /// Nothing, and why, if the user wants to know.
    Nothing(Option<String>),
    Disagrees(String),
}

impl SecondOpinion {
    /// From the command of a solver, or `none`.
    pub fn parse(text: &str) -> Result<SecondOpinion, String> {
        if text == "none" {
            return Ok(SecondOpinion(None));
        }
        let solver = External::new(text).ok_or("expected the command of a solver, such as z3, or none")?;
        match solver.is_installed() {
            true => Ok(SecondOpinion(Some(solver))),
            false => Err(format!("there is no program `{}`", solver.name())),
        }
    }
    pub fn who(wish: Option<&SecondOpinion>) -> Option<Second> {
        let (solver, limit) = match wish {
            Some(SecondOpinion(solver)) => (solver.clone()?, None),
            None => (External::new(USUAL).filter(External::is_installed)?, Some(SHORTLY)),
        };
        Some(Second { solver, limit })
    }
}

impl Second {
    pub fn ask<K: Presented>(
        &self,
        model: &K::Model,
        property: &Property<K::Formula>,
        proof: &K::Proof,
        cancel: &Cancel,
    ) -> Said {
        let ask = |cancel: &Cancel| K::ask_another(model, property, proof, &self.solver, cancel);
        let asked = match self.limit {
            Some(limit) => within_time(limit, cancel, ask).unwrap_or(Err(Stop::TimeLimit)),
            None => ask(cancel),
        };
        let name = self.solver.name();
        let doubt = match asked {
            Ok(Ok(doubts)) => match doubts.first() {
                None => return Said::Agrees,
                Some(doubt) => format!("{} not confirmed: {doubt}", count(doubts.len(), "query", "queries")),
            },
            Ok(Err(reason)) => {
                return Said::Disagrees(format!(
                    "{name} does not agree with the check of the proof: {reason}"
                ));
            }
            Err(stop) => format!("not confirmed by {name}: {stop}"),
        };
        Said::Nothing(self.limit.is_none().then_some(doubt))
    }
}

/// Who answers queries about proofs, in the summary.
pub fn by_queries<K: Presented>(model: &K::Model, second: Option<&Second>) -> String {
    match second {
        Some(second) if !K::is_decidable(model) => second.solver.name().into(),
        Some(second) => format!("{} and {}", K::BY_QUERIES, second.solver.name()),
        None => K::BY_QUERIES.into(),
    }
}
