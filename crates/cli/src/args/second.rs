//! Who is asked about proofs over words besides our own solver.

use indubit::smt::External;
use std::time::Duration;

/// What `--smt` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondOpinion {
    /// Nobody.
    None,
    /// This one, as long as it takes.
    Of(External),
}

/// Asked where it is installed and the user says nothing.
const USUAL: &str = "z3";
/// How long that may take for a proof.
const SHORTLY: Duration = Duration::from_secs(5);

/// Somebody who is asked.
#[derive(Clone, Debug)]
pub struct Second {
    pub solver: External,
    /// Not for longer than this, and if nothing comes of it, nobody hears of it.
    pub limit: Option<Duration>,
}

impl SecondOpinion {
    /// From the command of a solver, or `none`.
    pub fn parse(text: &str) -> Result<SecondOpinion, String> {
        if text == "none" {
            return Ok(SecondOpinion::None);
        }
        let solver = External::new(text).ok_or("expected the command of a solver, such as z3, or none")?;
        match solver.is_installed() {
            true => Ok(SecondOpinion::Of(solver)),
            false => Err(format!("there is no program `{}`", solver.name())),
        }
    }
    /// Who is asked.
    pub fn who(wish: Option<&SecondOpinion>) -> Option<Second> {
        match wish {
            Some(SecondOpinion::None) => None,
            Some(SecondOpinion::Of(solver)) => Some(Second { solver: solver.clone(), limit: None }),
            None => {
                let usual = External::new(USUAL).filter(External::is_installed)?;
                Some(Second { solver: usual, limit: Some(SHORTLY) })
            }
        }
    }
}
