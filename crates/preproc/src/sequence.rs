//! Which passes there are, and in which order they are made.

use crate::{ConeOfInfluence, Fold, Latches, Rewrite, Select, Signals, Sweep, TernaryConstants};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Pass as Passed, Run};
use indubit_system::{BitSystem, Lower, Proof, Raise, Safety, SharedFacts, Stack, Trace};
use std::fmt;
use std::str::FromStr;

/// A pass, as it is known on the command line.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    make: Make,
}

/// How a pass is made.
#[derive(Clone, Copy)]
enum Make {
    /// It takes what it takes, which is not much.
    Whole(fn() -> Box<dyn Lower<From = Safety>>),
    /// With so many times its usual effort.
    Effort(fn(u32) -> Box<dyn Lower<From = Safety>>),
}

impl Pass {
    fn with_effort(&self, effort: u32) -> Box<dyn Lower<From = Safety>> {
        match self.make {
            Make::Whole(make) => make(),
            Make::Effort(make) => make(effort),
        }
    }
}

/// Every pass. One that is not here does not exist: the round-trip suite runs over this table.
pub const PASSES: &[Pass] = &[
    Pass { name: "coi", summary: "cone of influence", make: Make::Whole(|| Box::new(ConeOfInfluence)) },
    Pass {
        name: "ternary",
        summary: "constant and equivalent latches by ternary simulation",
        make: Make::Whole(|| Box::new(TernaryConstants)),
    },
    Pass {
        name: "rewrite",
        summary: "two-level rewriting of gates",
        make: Make::Whole(|| Box::new(Rewrite)),
    },
    Pass {
        name: "lcorr",
        summary: "latches that are equal in all reachable states, by induction",
        make: Make::Effort(|effort| Box::new(Latches { effort })),
    },
    Pass {
        name: "scorr",
        summary: "latches and gates that are equal in all reachable states, by induction",
        make: Make::Effort(|effort| Box::new(Signals { effort })),
    },
    Pass {
        name: "fraig",
        summary: "gates that are equal in all states, by SAT",
        make: Make::Effort(|effort| Box::new(Sweep { effort })),
    },
    Pass {
        name: "fold",
        summary: "constraints become part of the bad signal, by an additional latch",
        make: Make::Whole(|| Box::new(Fold)),
    },
];

/// The sequence that is made unless another is wanted.
const STANDARD: &str = "coi,ternary,rewrite,try,fraig,lcorr,scorr,rewrite";

/// The name of an attempt in a sequence.
const TRY: &str = "try";

/// A step of a sequence, with how many times its usual effort it may spend.
#[derive(Clone, Copy)]
enum Step {
    Pass(&'static Pass, u32),
    Try(u32),
}

/// A step of a sequence, ready to be made.
pub enum Stage {
    /// A pass.
    Lower(Box<dyn Lower<From = Safety>>),
    /// The engine may see what it can do before more is spent on preprocessing: most problems are easy.
    Try {
        /// How many times the usual effort it may spend.
        effort: u32,
    },
}

/// A sequence of passes, and of attempts between them.
#[derive(Clone)]
pub struct Passes(Vec<Step>);

impl Passes {
    /// No pass.
    pub fn none() -> Passes {
        Passes(Vec::new())
    }
    /// The steps of the sequence.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        self.0.iter().map(|step| match *step {
            Step::Pass(pass, effort) => Stage::Lower(pass.with_effort(effort)),
            Step::Try(effort) => Stage::Try { effort },
        })
    }
    /// The sequence with these steps only.
    pub fn only(mut self, names: &[&str]) -> Passes {
        self.0.retain(|step| names.contains(&step.name()));
        self
    }
    /// The sequence without all occurrences of a step.
    pub fn without(mut self, name: &str) -> Passes {
        self.0.retain(|step| step.name() != name);
        self
    }
}

impl Step {
    fn name(&self) -> &'static str {
        match self {
            Step::Pass(pass, _) => pass.name,
            Step::Try(_) => TRY,
        }
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
        let name = |step: &Step| match *step {
            Step::Pass(_, 1) | Step::Try(1) => step.name().to_owned(),
            Step::Pass(_, effort) | Step::Try(effort) => format!("{}*{effort}", step.name()),
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
        match text {
            "none" => Ok(Passes::none()),
            _ => text.split(',').map(|word| step(word.trim())).collect::<Result<_, _>>().map(Passes),
        }
    }
}

/// The step with a name, and maybe with an effort.
fn step(word: &str) -> Result<Step, String> {
    let (name, effort) = match word.split_once('*') {
        None => (word, 1),
        Some((name, effort)) => match effort.parse() {
            Ok(effort) if effort > 0 => (name, effort),
            _ => return Err(format!("`{effort}` is no effort: use a whole number, as in {name}*4")),
        },
    };
    if name == TRY {
        return Ok(Step::Try(effort));
    }
    match PASSES.iter().find(|pass| pass.name == name) {
        Some(Pass { make: Make::Whole(_), .. }) if effort > 1 => {
            Err(format!("{name} cannot spend more or less than it does: use {name}"))
        }
        Some(pass) => Ok(Step::Pass(pass, effort)),
        None => {
            let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
            Err(format!("there is no pass `{name}`: use {}, {TRY}, or none", known.join(", ")))
        }
    }
}

/// A problem on its way to an engine, and the way back to the user's model.
pub struct Prepared {
    /// What has become of the problem.
    pub safety: Safety,
    /// The way back.
    pub back: WayBack,
    /// What engines for liveness find out about the problem when nothing more becomes of it.
    pub facts: SharedFacts,
}

/// The way back to the user's model.
pub struct WayBack {
    /// From what the passes made of the problem to the problem as it was selected, which is the same whatever the passes are.
    pub passes: Stack,
    /// From there to the user's model.
    pub selection: Box<dyn Raise>,
}

impl Raise for WayBack {
    fn trace(&self, trace: Trace) -> Trace {
        self.selection.trace(self.passes.trace(trace))
    }
    fn proof(&self, proof: Proof) -> Proof {
        self.selection.proof(self.passes.proof(proof))
    }
    fn up(&self, node: Var) -> Option<Lit> {
        let selected = self.passes.up(node)?;
        self.selection.up(selected.var()).map(|l| l ^ selected.is_negated())
    }
    fn down(&self, node: Var) -> Option<Lit> {
        let selected = self.selection.down(node)?;
        self.passes.down(selected.var()).map(|l| l ^ selected.is_negated())
    }
}

impl Prepared {
    /// The problem of one bad signal, or of several.
    pub fn select(system: &BitSystem, select: &Select, run: &mut Run<'_>) -> Ask<Prepared> {
        let (safety, selection) = select.lower(system, run)?;
        let back = WayBack { passes: Stack::new(), selection };
        Ok(Prepared { safety, back, facts: SharedFacts::default() })
    }
    /// Make a pass.
    pub fn lower(&mut self, pass: &dyn Lower<From = Safety>, run: &mut Run<'_>) -> Ask<()> {
        run.checkpoint()?;
        let before = self.safety.size();
        let (smaller, raise) = pass.lower(&self.safety, run)?;
        run.passed(Passed { name: pass.name(), before, after: smaller.size() });
        self.back.passes.push(raise);
        self.safety = smaller;
        Ok(())
    }
}

/// The problem of one bad signal, or of several, after all passes of a sequence, without any attempt.
pub fn prepare(system: &BitSystem, select: &Select, passes: &Passes, run: &mut Run<'_>) -> Ask<Prepared> {
    let mut prepared = Prepared::select(system, select, run)?;
    for stage in passes.stages() {
        if let Stage::Lower(pass) = stage {
            prepared.lower(&*pass, run)?;
        }
    }
    Ok(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_have_names() {
        assert_eq!(Passes::default().to_string(), STANDARD);
        for text in ["none", "coi", "coi,try*2,scorr*4,coi"] {
            assert_eq!(text.parse::<Passes>().unwrap().to_string(), text);
        }
        assert_eq!(
            Passes::default().without("rewrite").without("try").to_string(),
            "coi,ternary,fraig,lcorr,scorr"
        );
        for text in ["", "magic", "coi,,coi", "coi,none"] {
            assert!(text.parse::<Passes>().unwrap_err().contains("use coi, ternary"), "{text}");
        }
        for text in ["scorr*0", "scorr*-1", "scorr*x", "scorr*"] {
            assert!(text.parse::<Passes>().unwrap_err().contains("as in scorr*4"), "{text}");
        }
        for (pass, info) in PASSES.iter().map(|info| (info.with_effort(1), info)) {
            assert_eq!(pass.name(), info.name);
        }
    }
}
