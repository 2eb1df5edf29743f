//! Commands that check properties.

use super::commands::{How, What};
use super::session::{Done, Session, Stored};
use super::show::{Shown, Slice, Title};
use super::words::Given;
use crate::exit::Failure;
use crate::kinds::{Explained, Presented};
use crate::terminal;
use indubit::certify::Solving;
use indubit::formats::model::WordModel;
use indubit::formats::smv::Kind;
use indubit::run::{Run, Stop};
use indubit::system::CtlProof;
use indubit::{
    EngineId, Evidence, FINITE_RUN, Plan, Verdict, WordSystem, WordTrace, Words, check, is_circuit,
};

/// Paths that may be joined to one trace.
const PATHS: usize = 100;

/// Over numbers, what a run goes on with is searched for so many steps beyond twice the bound.
const FARTHER: u32 = 10;

/// What a command asks for.
struct Asked {
    how: How,
    bound: Option<u32>,
    /// Is only a violation searched for?
    is_falsification: bool,
}

impl Session {
    pub fn check(&mut self, what: What, how: How, given: &Given) -> Result<Done, Failure> {
        let is_bounded = matches!(how, How::Bounded | How::OneBound);
        let (selected, bound) = match (self.selected(what, given), given.number('k')) {
            (Ok(selected), Ok(bound)) => (selected, bound),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
        let bound =
            if is_bounded { Some(bound.unwrap_or(self.settings.number("bmc_length"))) } else { bound };
        if is_bounded && what == What::Ltl {
            let wanted = given.value('l').or(self.settings.get("bmc_loopback")).unwrap_or("*");
            if wanted != "*" {
                let why = format!(
                    "loops are searched for wherever they may begin (-l \"*\"), not only with -l {wanted}"
                );
                return Ok(Err(why));
            }
        }
        let is_falsification = given.value('a') == Some("falsification");
        let asked = Asked { how, bound, is_falsification };
        let mut done = Ok(());
        for index in selected {
            if let Err(why) = self.check_one(index, &asked)? {
                done = Err(why);
            }
            if self.cancel.reason().is_some() {
                return Ok(Err("interrupted".into()));
            }
        }
        Ok(done)
    }
    fn check_one(&mut self, index: usize, asked: &Asked) -> Result<Done, Failure> {
        let (Some(model), spec) = (&self.model, &self.specs[index]) else { return Ok(self.need_model()) };
        let formula = spec.text().trim_end().to_owned();
        let kind = spec.says.kind;
        let Some(property) = spec.says.property else {
            let what = match kind {
                Kind::Ctl => "formulas of CTL are not decided in a model with COMPASSION",
                _ => "numbers of steps (COMPUTE) are not computed",
            };
            return Ok(Err(format!("{}: {what}", formula.trim_start())));
        };
        let system = model.system();
        if kind == Kind::Ctl && !is_circuit::<Words>(system, indubit::system::ARRAY_BITS) {
            let what = "formulas of CTL are decided over finitely many states";
            return Ok(Err(format!("{}: {what}", formula.trim_start())));
        }
        let mut run = Run::new(self.cancel.child()).with_bound(asked.bound);
        let found = match (asked.how, kind) {
            (How::Bounded | How::OneBound, Kind::Ltl) => self.bounded_ltl(system, property, asked.bound),
            _ => check::<Words>(system, property, plan(asked, kind, system, self.n_threads), &mut run)
                .map_err(|error| error.to_string()),
        };
        let verdict = match found {
            Ok(verdict) => verdict,
            Err(why) => return Ok(Err(format!("{}: {why}", formula.trim_start()))),
        };
        let mut text = match (verdict.truth(), &verdict) {
            (Some(is_true), _) => spec.verdict_line(is_true),
            (None, Verdict::Unknown { safe_up_to, stop }) => {
                unknown(asked, kind, *safe_up_to, *stop, &formula)
            }
            (None, _) => String::new(),
        };
        let mut number = None;
        let trace = match (verdict.trace(), verdict.evidence()) {
            _ if !self.settings.is_on("counter_examples") => None,
            (Some(trace), _) => Some(trace.clone()),
            (None, Some(Evidence::Ctl(proof))) if !proof.holds() => self.branch(model, property, proof),
            _ => None,
        };
        if let Some(trace) = &trace {
            let description = match (asked.how, kind) {
                (_, Kind::Ctl) => "CTL Counterexample",
                (How::Bounded | How::OneBound, _) => "BMC Counterexample",
                (_, Kind::Ltl) => "LTL Counterexample",
                _ => "AG alpha Counterexample",
            };
            let title = Title { number: self.traces.len() + 1, description, kind: "Counterexample" };
            let shown = Shown::new(model, self.definitions());
            let slice = Slice { plugin: self.settings.number("default_trace_plugin"), ..Slice::default() };
            text += "-- as demonstrated by the following execution sequence\n";
            text += &shown.trace(trace, &title, slice);
            number = Some(title.number);
            self.traces.push(Stored { trace: trace.clone(), description, kind: "Counterexample" });
        }
        let spec = &mut self.specs[index];
        if verdict.truth().is_some() {
            (spec.verdict, spec.trace) = (verdict.truth(), number);
        }
        self.say(&text)?;
        Ok(Ok(()))
    }
    /// The path that shows best why a formula of CTL fails: what fails may be that there is no path, and then the path ends where that is so.
    fn branch(&self, model: &WordModel, property: usize, proof: &CtlProof) -> Option<WordTrace> {
        let property = model.system().properties.get(property)?;
        let by = Solving::new(&self.cancel);
        let Ok(Explained::Why(tree)) = Words::why(model, property, proof, PATHS, &by) else { return None };
        let mut joined = tree.start.clone();
        for (path, loops_to) in tree.paths() {
            let before = joined.states.len() - 1;
            joined.states.truncate(before);
            joined.inputs.truncate(before);
            joined.states.extend(path.states.iter().cloned());
            joined.inputs.extend(path.inputs.iter().cloned());
            joined.loops_to = loops_to.map(|begin| before + begin);
        }
        Some(joined)
    }
    /// A lasso up to a bound. A run without a loop may violate a formula in fewer steps than a lasso has: then what it goes on with is searched for without a bound. Over numbers, where
    /// there may be no end to that, it is a counterexample if all runs go on for ever, and else the search has a bound.
    fn bounded_ltl(
        &self,
        system: &WordSystem,
        property: usize,
        bound: Option<u32>,
    ) -> Result<Verdict<Words>, String> {
        let ask = |plan: Plan, bound: Option<u32>| {
            let mut run = Run::new(self.cancel.child()).with_bound(bound);
            check::<Words>(system, property, plan, &mut run).map_err(|error| error.to_string())
        };
        let lasso = ask(EngineId::Lasso.into(), bound)?;
        match lasso {
            // Preprocessing leaves state out. A loop was found that takes more steps than the bound until all of the state is what it was.
            Verdict::Unknown { stop: Stop::Bound, safe_up_to: Some(k) } if Some(k) < bound => {
                return ask(EngineId::Lasso.into(), None);
            }
            Verdict::Unknown { .. } => (),
            decided => return Ok(decided),
        }
        // Such an engine has nothing to say about most formulas, and that is no failure.
        match ask(EngineId::Bmc.into(), bound) {
            Ok(Verdict::Unknown { stop: Stop::Incomplete(FINITE_RUN), .. }) => {
                if is_circuit::<Words>(system, indubit::system::ARRAY_BITS) {
                    return ask(Plan::portfolio(self.n_threads), None);
                }
                let farther = bound.unwrap_or_default().saturating_mul(2).saturating_add(FARTHER);
                match ask(EngineId::Lasso.into(), Some(farther))? {
                    Verdict::Unknown { stop: Stop::Bound, .. } => {
                        Err(format!("{FINITE_RUN}: none of up to {farther} steps repeats"))
                    }
                    decided => Ok(decided),
                }
            }
            Ok(decided) if decided.truth().is_some() => Ok(decided),
            _ => Ok(lasso),
        }
    }
    /// Options that a command understands, and that change nothing.
    pub fn note_tuning(&self, command: &str, own: &str, given: &Given) {
        for letter in given.letters().filter(|&letter| !own.contains(letter) && letter != 'h') {
            terminal::stderr(&format!(
                "{command}: -{letter} is about another program's search, and changes nothing\n"
            ));
        }
    }
}

/// Who is asked.
fn plan(asked: &Asked, kind: Kind, system: &WordSystem, n_threads: usize) -> Plan {
    let is_bits = is_circuit::<Words>(system, indubit::system::ARRAY_BITS);
    match (asked.how, kind, is_bits) {
        (How::Ic3, Kind::Invariant, true) => EngineId::Ic3.into(),
        (How::Ic3, Kind::Invariant, false) => EngineId::Ic3ia.into(),
        (How::KLiveness, Kind::Ltl, true) => EngineId::Klive.into(),
        (How::Bounded | How::OneBound, _, _) if asked.is_falsification => EngineId::Bmc.into(),
        (How::Bounded | How::OneBound, _, _) => EngineId::Kind.into(),
        _ => Plan::portfolio(n_threads),
    }
}

/// What is said where nothing was decided.
fn unknown(asked: &Asked, kind: Kind, safe_up_to: Option<u32>, stop: Stop, formula: &str) -> String {
    let is_bounded = matches!(asked.how, How::Bounded | How::OneBound);
    // No loop has no steps.
    let is_nothing = stop == Stop::Bound && asked.bound == Some(0);
    match (safe_up_to.or(is_nothing.then_some(0)), is_bounded && stop != Stop::Cancelled) {
        (Some(reached), true) => {
            let what = if kind == Kind::Invariant { "proof or counterexample" } else { "counterexample" };
            let line = |k: u32| format!("-- no {what} found with bound {k}\n");
            match asked.how {
                How::OneBound => line(reached),
                _ => (0..=reached).map(line).collect(),
            }
        }
        _ => format!("-- {} is unknown: {stop}\n", formula.trim_start()),
    }
}
