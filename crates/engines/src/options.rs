//! Everything about engines that can be switched, by name: each idea can be turned off, so that its worth can be measured.

use crate::{Backend, BmcConfig, OracleConfig};
use indubit_pdr::{Config, Generalize, Order, Promote, Quip};

/// How engines go about their work.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The loop of IC3 and Quip.
    pub pdr: Config,
    /// What Quip adds to it.
    pub quip: Quip,
    /// Its queries.
    pub oracle: OracleConfig,
    /// BMC, and what k-induction shares with it.
    pub bmc: BmcConfig,
}

/// One switch, as the command line lists it.
pub struct Switch {
    /// What users type before `=`.
    pub name: &'static str,
    /// What it does, and where it was published.
    pub help: &'static str,
    /// What users type after `=`.
    pub choices: &'static str,
    set: fn(&mut Options, &str) -> bool,
    get: fn(&Options) -> String,
}

impl Switch {
    /// The present value.
    pub fn get(&self, options: &Options) -> String {
        (self.get)(options)
    }
}

impl Options {
    /// Set a switch by `NAME=VALUE`; an error says what there is instead.
    pub fn set(&mut self, setting: &str) -> Result<(), String> {
        let (name, value) = setting.split_once('=').ok_or("expected NAME=VALUE")?;
        let Some(switch) = SWITCHES.iter().find(|s| s.name == name) else {
            let names: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
            return Err(format!("there is no option `{name}`; there are {}", names.join(", ")));
        };
        match (switch.set)(self, value) {
            true => Ok(()),
            false => Err(format!("`{value}` is no value of {name}; expected {}", switch.choices)),
        }
    }
}

/// Something that can be typed.
trait Value: Sized {
    const CHOICES: &'static str;
    fn parse(text: &str) -> Option<Self>;
    fn show(&self) -> String;
}

impl Value for bool {
    const CHOICES: &'static str = "on, off";
    fn parse(text: &str) -> Option<bool> {
        match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }
    }
    fn show(&self) -> String {
        if *self { "on".into() } else { "off".into() }
    }
}

impl Value for u32 {
    const CHOICES: &'static str = "a number";
    fn parse(text: &str) -> Option<u32> {
        text.parse().ok()
    }
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for Option<u64> {
    const CHOICES: &'static str = "off, or a number";
    fn parse(text: &str) -> Option<Option<u64>> {
        if text == "off" { Some(None) } else { text.parse().ok().map(Some) }
    }
    fn show(&self) -> String {
        self.map_or("off".into(), |n| n.to_string())
    }
}

/// A closed set of names.
macro_rules! names {
    ($type:ty, $choices:literal, $($name:literal => $value:path),+) => {
        impl Value for $type {
            const CHOICES: &'static str = $choices;
            fn parse(text: &str) -> Option<$type> {
                match text {
                    $($name => Some($value),)+
                    _ => None,
                }
            }
            fn show(&self) -> String {
                match self {
                    $($value => $name.into(),)+
                }
            }
        }
    };
}

names!(Generalize, "core, mic, ctg, extended-ctg, dynamic",
    "core" => Generalize::Core, "mic" => Generalize::Mic, "ctg" => Generalize::Ctg,
    "extended-ctg" => Generalize::ExtendedCtg, "dynamic" => Generalize::Dynamic);
names!(Order, "usual, deepest, shortest",
    "usual" => Order::Usual, "deepest" => Order::Deepest, "shortest" => Order::Shortest);
names!(Promote, "off, single, max-ind-subset",
    "off" => Promote::Off, "single" => Promote::Single, "max-ind-subset" => Promote::MaxIndSubset);
names!(Backend, "cadical, cadical-default, cdcl",
    "cadical" => Backend::Cadical, "cadical-default" => Backend::CadicalDefault, "cdcl" => Backend::Cdcl);

fn put<T: Value>(place: &mut T, text: &str) -> bool {
    match T::parse(text) {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

macro_rules! switches {
    ($($name:literal $type:ty, $($field:ident).+, $help:literal;)+) => {
        /// Every switch.
        pub const SWITCHES: &[Switch] = &[$(Switch {
            name: $name,
            help: $help,
            choices: <$type as Value>::CHOICES,
            set: |options, text| put::<$type>(&mut options.$($field).+, text),
            get: |options| options.$($field).+.show(),
        }),+];
    };
}

switches! {
    "generalize" Generalize, pdr.generalize, "how a blocked cube becomes a lemma (Bradley, VMCAI 2011; Hassan, Bradley, Somenzi, FMCAD 2013; Su, Yang, Ci 2025)";
    "order" Order, pdr.order, "which obligation of the lowest level comes first; usual is deepest for ic3, shortest for quip";
    "max-ctgs" u32, pdr.max_ctgs, "states that may be blocked to drop one literal";
    "ctg-depth" u32, pdr.max_depth, "generalizations within generalizations";
    "joins" bool, pdr.joins, "intersect a cube with the state that stands in its way (Bradley, VMCAI 2011)";
    "activity" bool, pdr.by_activity, "drop literals first that are rare in recent lemmas";
    "parents" bool, pdr.parents, "drop literals last that are in a lemma of the frame before (Xia et al., CAV 2023)";
    "predict" bool, pdr.predict, "try such a lemma with one more literal (Su, Yang, Ci, DAC 2024)";
    "failed-drops" bool, pdr.failed_drops, "remember steps that refuted a candidate";
    "shrink" bool, pdr.shrink, "lemmas that move up leave literals behind";
    "skip-unchanged" bool, pdr.skip_unchanged, "do not push what cannot have become inductive";
    "promote" Promote, pdr.promote, "lemmas for good: F-infinity (Een, Mishchenko, Brayton, FMCAD 2011; Ivrii, Gurfinkel, FMCAD 2015)";
    "early" bool, pdr.early, "look for equal frames after each lemma";
    "drop-recurring" bool, pdr.drop_recurring, "put off obligations that keep coming back";
    "restart" Option<u64>, pdr.restart, "empty the queue after so many obligations";
    "respect" u32, quip.respect, "quip: reachable states that generalization respects, the newest so many";
    "may-share" u32, quip.may_share, "quip: may-obligations for each must-obligation; 0 is no limit";
    "regeneralize" bool, quip.regeneralize, "quip: generalize lemmas again when they are pushed";
    "reach-limit" u32, quip.reach_limit, "quip: reachable states that are kept, at least 100; 0 is no limit";
    "one-step" u32, quip.one_step, "quip: reachable states that are asked for a step into a may-obligation, the newest so many";
    "walk" u32, quip.walk, "quip: random steps from each new reachable state";
    "reset-free" bool, quip.reset_free, "quip: keep the queue when a depth is done";
    "collect" u32, quip.collect, "quip: start over without bad lemmas when they are so many in a hundred; 0 is never";
    "cores-by-activity" bool, oracle.cores_by_activity, "cores prefer literals of recent lemmas";
    "lifts-by-activity" bool, oracle.lifts_by_activity, "lifting drops literals of recent lemmas last";
    "internal-signals" bool, oracle.internal_signals, "gates that depend on latches only can be in lemmas (Dureja et al., FMCAD 2021)";
    "lift-flips" bool, oracle.lifting.flips, "lift by inspecting watches";
    "lift-ternary" bool, oracle.lifting.ternary, "lift by ternary simulation (Een, Mishchenko, Brayton, FMCAD 2011)";
    "lift-core" bool, oracle.lifting.core, "lift by an unsatisfiable core (Chockler et al., FMCAD 2011)";
    "lift-constraints" bool, oracle.lifting.constraints, "lifting keeps all constraints, not only those that a counterexample broke";
    "lift-targets" bool, oracle.lifting.targets, "lifting keeps all of the target, not only what a counterexample got wrong";
    "lazy-constraints" bool, oracle.lazy_constraints, "solvers learn a constraint when a counterexample broke it";
    "clones" bool, oracle.clones, "a new frame's solver is a clone of the infinite one";
    "one-solver" Option<u64>, oracle.one_solver, "one solver answers for all frames of a problem with at least so many gates";
    "cones" bool, oracle.solver.cones, "queries decide and propagate in their cones only";
    "buckets" bool, oracle.solver.buckets, "decisions from buckets instead of an exact heap";
    "justify" bool, oracle.solver.justify, "models assign only what is needed";
    "subsume" bool, oracle.solver.subsume, "solvers forget subsumed clauses";
    "unroll-solver" Backend, bmc.frames.backend, "who answers bmc and kind";
    "unroll-two-level" bool, bmc.frames.two_level, "time frames are simplified by two levels of gates (Brummayer, Biere, MEMICS 2006)";
    "unroll-gates" bool, bmc.frames.gates, "gates with one reader get no variable (Een, Biere, SAT 2005)";
    "unroll-facts" bool, bmc.frames.facts, "what the solver knows is constant in later time frames";
    "bmc-step" u32, bmc.step, "how many lengths bmc asks about at once";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_can_be_read_back_and_refuses_nonsense() {
        for switch in SWITCHES {
            let mut options = Options::default();
            let value = switch.get(&options);
            options.set(&format!("{}={value}", switch.name)).unwrap();
            assert_eq!(switch.get(&options), value);
            let error = options.set(&format!("{}=nonsense", switch.name)).unwrap_err();
            assert!(error.contains(switch.choices), "{error}");
            for choice in switch.choices.split(", ").filter(|c| !c.contains(' ')) {
                options.set(&format!("{}={choice}", switch.name)).unwrap();
                assert_eq!(switch.get(&options), choice);
            }
        }
        assert!(Options::default().set("magic=on").unwrap_err().contains("generalize, "));
    }
}
