//! Which passes there are, and in which order they are made.

use crate::{ConeOfInfluence, Latches, Rewrite, Select, Signals, Sweep, TernaryConstants};
use indubit_run::{Ask, Event, Run};
use indubit_system::{BitSystem, Lower, Safety, Stack};
use std::fmt;
use std::str::FromStr;

/// A pass, as it is known on the command line.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The pass with so many times its usual effort. Those that are always quick have none.
    make: fn(u32) -> Box<dyn Lower<From = Safety>>,
}

/// Every pass. One that is not here does not exist: the round-trip suite runs over this table.
pub const PASSES: &[Pass] = &[
    Pass { name: "coi", summary: "cone of influence", make: |_| Box::new(ConeOfInfluence) },
    Pass {
        name: "ternary",
        summary: "constant and equivalent latches by ternary simulation",
        make: |_| Box::new(TernaryConstants),
    },
    Pass { name: "rewrite", summary: "two-level rewriting of gates", make: |_| Box::new(Rewrite) },
    Pass {
        name: "lcorr",
        summary: "latches that are equal in all reachable states, by induction",
        make: |effort| Box::new(Latches { effort }),
    },
    Pass {
        name: "scorr",
        summary: "latches and gates that are equal in all reachable states, by induction",
        make: |effort| Box::new(Signals { effort }),
    },
    Pass {
        name: "fraig",
        summary: "gates that are equal in all states, by SAT",
        make: |effort| Box::new(Sweep { effort }),
    },
];

/// The sequence that is made unless another is wanted.
const STANDARD: &str = "coi,ternary,rewrite,fraig,lcorr,scorr,rewrite";

/// A sequence of passes, each with how many times its usual effort it may spend.
#[derive(Clone)]
pub struct Passes(Vec<(&'static Pass, u32)>);

impl Passes {
    /// No pass.
    pub fn none() -> Passes {
        Passes(Vec::new())
    }
    /// The passes, ready to be made.
    pub fn make(&self) -> Vec<Box<dyn Lower<From = Safety>>> {
        self.0.iter().map(|(pass, effort)| (pass.make)(*effort)).collect()
    }
    /// The same sequence without all occurrences of a pass.
    pub fn without(mut self, name: &str) -> Passes {
        self.0.retain(|(pass, _)| pass.name != name);
        self
    }
}

impl Default for Passes {
    fn default() -> Passes {
        STANDARD.parse().expect("the standard sequence has passes of the table")
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        let name = |&(pass, effort): &(&Pass, u32)| match effort {
            1 => pass.name.to_owned(),
            _ => format!("{}*{effort}", pass.name),
        };
        let names: Vec<String> = self.0.iter().map(name).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Passes {
    type Err = String;
    /// Names separated by commas, or `none`. `scorr*4` may spend four times as much as `scorr`.
    fn from_str(text: &str) -> Result<Passes, String> {
        let find = |name: &str| {
            PASSES.iter().find(|pass| pass.name == name).ok_or_else(|| {
                let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                format!("there is no pass `{name}`: use {}, or none", known.join(", "))
            })
        };
        let parse = |word: &str| match word.split_once('*') {
            None => Ok((find(word)?, 1)),
            Some((name, effort)) => match effort.parse() {
                Ok(effort) if effort > 0 => Ok((find(name)?, effort)),
                _ => Err(format!("`{effort}` is no effort: use a whole number, as in {name}*4")),
            },
        };
        match text {
            "none" => Ok(Passes::none()),
            _ => text.split(',').map(|word| parse(word.trim())).collect::<Result<_, _>>().map(Passes),
        }
    }
}

/// The problem of bad signal `bad` after a sequence of passes, and the way back to `system`.
pub fn prepare(system: &BitSystem, bad: usize, passes: &Passes, run: &mut Run<'_>) -> Ask<(Safety, Stack)> {
    let mut stack = Stack::new();
    let (mut safety, raise) = Select { bad }.lower(system, run)?;
    stack.push(raise);
    for pass in passes.make() {
        run.checkpoint()?;
        let before = safety.size();
        let (smaller, raise) = pass.lower(&safety, run)?;
        run.event(Event::Pass { name: pass.name(), before, after: smaller.size() });
        stack.push(raise);
        safety = smaller;
    }
    Ok((safety, stack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_have_names() {
        assert_eq!(Passes::default().to_string(), STANDARD);
        for text in ["none", "coi", "coi,scorr*4,coi"] {
            assert_eq!(text.parse::<Passes>().unwrap().to_string(), text);
        }
        assert_eq!(Passes::default().without("rewrite").to_string(), "coi,ternary,fraig,lcorr,scorr");
        for text in ["", "magic", "coi,,coi", "coi,none"] {
            assert!(text.parse::<Passes>().unwrap_err().contains("use coi, ternary"), "{text}");
        }
        for text in ["scorr*0", "scorr*-1", "scorr*x", "scorr*"] {
            assert!(text.parse::<Passes>().unwrap_err().contains("as in scorr*4"), "{text}");
        }
        for (pass, info) in PASSES.iter().map(|info| ((info.make)(1), info)) {
            assert_eq!(pass.name(), info.name);
        }
    }
}
