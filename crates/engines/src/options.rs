//! Everything about engines that can be switched, by name: each idea can be turned off, so that its worth can be measured.

use crate::{
    Backend, BmcConfig, Cores, Inner, InterpolationConfig, OracleConfig, PbaConfig, Query, Refine, Until,
    WordConfig,
};
use indubit_interpolate::System;
use indubit_pdr::{Config, Generalize, Order, Promote, Quip};
use indubit_smt::External;

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
    /// Engines that interpolate.
    pub interpolation: InterpolationConfig,
    /// PBA; its time frames are those of BMC.
    pub pba: PbaConfig,
    /// Predicates of engines for words.
    pub words: WordConfig,
    /// Who answers `bmc` and `kind` over words, where our solver has no theory.
    pub other: Option<External>,
}

/// One switch, as the command line lists it.
pub struct Switch {
    /// What users type before `=`.
    pub name: &'static str,
    /// What it does, and where it was published.
    pub help: &'static str,
    /// What users type after `=`.
    pub choices: &'static str,
    /// The engines that heed it.
    pub engines: &'static [&'static str],
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

impl Value for Inner {
    const CHOICES: &'static str = "ic3, quip, kind, itp, isb, avy, fsis, naive";
    fn parse(text: &str) -> Option<Inner> {
        Inner::named(text)
    }
    fn show(&self) -> String {
        self.name().into()
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

names!(Generalize, "core, interpolant, mic, ctg, extended-ctg, dynamic",
    "core" => Generalize::Core, "interpolant" => Generalize::Interpolant, "mic" => Generalize::Mic, "ctg" => Generalize::Ctg,
    "extended-ctg" => Generalize::ExtendedCtg, "dynamic" => Generalize::Dynamic);
names!(Order, "usual, deepest, shortest",
    "usual" => Order::Usual, "deepest" => Order::Deepest, "shortest" => Order::Shortest);
names!(Promote, "usual, off, single, max-ind-subset",
    "usual" => Promote::Usual, "off" => Promote::Off, "single" => Promote::Single, "max-ind-subset" => Promote::MaxIndSubset);
names!(Backend, "cadical, cadical-default, cdcl",
    "cadical" => Backend::Cadical, "cadical-default" => Backend::CadicalDefault, "cdcl" => Backend::Cdcl);
names!(Query, "facts, exact, up-to",
    "facts" => Query::Facts, "exact" => Query::Exact, "up-to" => Query::UpTo);
names!(Cores, "accumulate, fresh", "accumulate" => Cores::Accumulate, "fresh" => Cores::Fresh);
names!(Until, "counterexample, growth", "counterexample" => Until::Counterexample, "growth" => Until::Growth);

names!(Refine, "paths, lazily, eagerly",
    "paths" => Refine::Paths, "lazily" => Refine::Lazily, "eagerly" => Refine::Eagerly);
names!(System, "mcmillan, pudlak, inverse",
    "mcmillan" => System::McMillan, "pudlak" => System::Pudlak, "inverse" => System::InverseMcMillan);

fn put<T: Value>(place: &mut T, text: &str) -> bool {
    match T::parse(text) {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

const IC3: &[&str] = &["ic3", "pba"];
/// Those with IC3's loop over obligations, Quip or not.
const LOOP: &[&str] = &["ic3", "quip", "pba", "ic3ia", "ctigar"];
const NOT_QUIP: &[&str] = &["ic3", "pba", "ic3ia", "ctigar"];
/// Those that drop literals one by one, over predicates, too.
const DROPPING: &[&str] = &["ic3", "quip", "fsis", "pba", "avy", "ic3ia", "ctigar"];
const QUIP: &[&str] = &["quip"];
const BOTH: &[&str] = &["ic3", "quip", "pba"];
const SHARING: &[&str] = &["ic3", "quip"];
/// Those that drop literals one by one.
const MIC: &[&str] = &["ic3", "quip", "fsis", "pba", "avy"];
/// Those with our oracle.
const ORACLE: &[&str] = &["ic3", "quip", "fsis", "naive", "pba", "avy"];
const BMC: &[&str] = &["bmc"];
const SOLVED: &[&str] = &["bmc", "kind", "induction", "pba"];
const FACTS: &[&str] = &["bmc", "kind", "induction"];
const DEPTHS: &[&str] = &["bmc", "kind"];
const UNROLLING: &[&str] = &["bmc", "kind", "induction", "pba", "itp", "isb", "avy"];
const PBA: &[&str] = &["pba"];
const ITP: &[&str] = &["itp"];
/// Those over predicates.
const PREDICATES: &[&str] = &["ic3ia", "ctigar"];
const IC3IA: &[&str] = &["ic3ia"];
const CTIGAR: &[&str] = &["ctigar"];
const INTERPOLATING: &[&str] = &["itp", "isb", "avy"];
const SYSTEMS: &[&str] = &["itp", "isb", "avy", "ic3ia", "ctigar"];

macro_rules! switches {
    ($($engines:ident $name:literal $type:ty, $($field:ident).+, $help:literal;)+) => {
        /// Every switch.
        pub const SWITCHES: &[Switch] = &[$(Switch {
            name: $name,
            help: $help,
            choices: <$type as Value>::CHOICES,
            engines: $engines,
            set: |options, text| put::<$type>(&mut options.$($field).+, text),
            get: |options| options.$($field).+.show(),
        }),+];
    };
}

switches! {
    LOOP "generalize" Generalize, pdr.generalize, "how a blocked cube becomes a lemma (Bradley, VMCAI 2011; Hassan, Bradley, Somenzi, FMCAD 2013; Su, Yang, Ci 2025)";
    LOOP "order" Order, pdr.order, "which obligation of the lowest level comes first; usual is deepest for ic3, shortest for quip";
    LOOP "max-ctgs" u32, pdr.max_ctgs, "states that may be blocked to drop one literal";
    LOOP "ctg-depth" u32, pdr.max_depth, "generalizations within generalizations";
    DROPPING "joins" bool, pdr.joins, "intersect a cube with the state that stands in its way (Bradley, VMCAI 2011)";
    DROPPING "activity" bool, pdr.by_activity, "drop literals first that are rare in recent lemmas";
    LOOP "parents" bool, pdr.parents, "drop literals last that are in a lemma of the frame before (Xia et al., CAV 2023)";
    LOOP "predict" bool, pdr.predict, "try such a lemma with one more literal (Su, Yang, Ci, DAC 2024)";
    DROPPING "failed-drops" bool, pdr.failed_drops, "remember steps that refuted a candidate";
    LOOP "shrink" bool, pdr.shrink, "lemmas that move up leave literals behind";
    LOOP "skip-unchanged" bool, pdr.skip_unchanged, "do not push what cannot have become inductive";
    LOOP "promote" Promote, pdr.promote, "lemmas for good, F-infinity; usual is single for ic3, max-ind-subset for quip (Een, Mishchenko, Brayton, FMCAD 2011; Ivrii, Gurfinkel, FMCAD 2015)";
    LOOP "early" bool, pdr.early, "look for equal frames after each lemma";
    NOT_QUIP "drop-recurring" bool, pdr.drop_recurring, "put off obligations that keep coming back";
    NOT_QUIP "restart" Option<u64>, pdr.restart, "empty the queue after so many obligations";
    SHARING "share-frames" bool, pdr.share_frames, "several properties: the lemmas for one are there for the next, and not only those for good";
    QUIP "respect" u32, quip.respect, "reachable states that generalization respects, the newest so many";
    QUIP "may-share" u32, quip.may_share, "may-obligations for each must-obligation; 0 is no limit";
    QUIP "regeneralize" bool, quip.regeneralize, "generalize lemmas again when they are pushed";
    QUIP "reach-limit" u32, quip.reach_limit, "reachable states that are kept, at least 100; 0 is no limit";
    QUIP "one-step" u32, quip.one_step, "reachable states that are asked for a step into a may-obligation, the newest so many";
    QUIP "walk" u32, quip.walk, "random steps from each new reachable state, as long as they show bad lemmas";
    QUIP "reset-reach" bool, quip.reset_reach, "forget reachable states when a depth is done";
    QUIP "reset-free" bool, quip.reset_free, "keep the queue when a depth is done";
    QUIP "collect" u32, quip.collect, "start over without bad lemmas when they are so many in a hundred; 0 is never";
    MIC "cores-by-activity" bool, oracle.cores_by_activity, "cores prefer literals of recent lemmas";
    ORACLE "lifts-by-activity" bool, oracle.lifts_by_activity, "lifting drops literals of recent lemmas last";
    MIC "internal-signals" bool, oracle.internal_signals, "gates that depend on latches only can be in lemmas (Dureja et al., FMCAD 2021)";
    ORACLE "whole-states" bool, oracle.lifting.whole_states, "a predecessor is one state, and is not lifted";
    ORACLE "lift-flips" bool, oracle.lifting.flips, "lift by inspecting watches";
    ORACLE "lift-ternary" bool, oracle.lifting.ternary, "lift by ternary simulation (Een, Mishchenko, Brayton, FMCAD 2011)";
    ORACLE "lift-core" bool, oracle.lifting.core, "lift by an unsatisfiable core (Chockler et al., FMCAD 2011)";
    BOTH "lift-constraints" bool, oracle.lifting.constraints, "without lazy-constraints: lifting keeps all constraints, not only those that a counterexample broke";
    IC3 "lift-targets" bool, oracle.lifting.targets, "lifting keeps all of the target, not only what a counterexample got wrong";
    BOTH "lazy-constraints" bool, oracle.lazy_constraints, "solvers learn a constraint when a counterexample broke it";
    BOTH "clones" bool, oracle.clones, "a new frame's solver is a clone of the infinite one";
    BOTH "one-solver" Option<u64>, oracle.one_solver, "one solver answers for all frames of a problem with at least so many gates";
    ORACLE "cones" bool, oracle.solver.cones, "queries decide and propagate in their cones only";
    ORACLE "buckets" bool, oracle.solver.buckets, "decisions from buckets instead of an exact heap";
    ORACLE "justify" bool, oracle.solver.justify, "models assign only what is needed";
    BOTH "subsume" bool, oracle.solver.subsume, "solvers forget subsumed clauses";
    SOLVED "unroll-solver" Backend, bmc.frames.backend, "who answers about time frames";
    UNROLLING "unroll-two-level" bool, bmc.frames.two_level, "time frames are simplified by two levels of gates (Brummayer, Biere, MEMICS 2006)";
    UNROLLING "unroll-gates" bool, bmc.frames.gates, "gates with one reader get no variable (Een, Biere, SAT 2005)";
    FACTS "unroll-facts" bool, bmc.frames.facts, "what the solver knows is constant in later time frames";
    DEPTHS "bmc-query" Query, bmc.query, "a counterexample of length k (exact), of length k when all shorter ones are excluded (facts), or of any length up to k (up-to); in kind, the base case (Biere et al., TACAS 1999)";
    BMC "bmc-step" u32, bmc.step, "how many lengths bmc asks about at once";
    PBA "pba-engine" Inner, pba.engine, "who verifies the abstraction";
    PBA "pba-cores" Cores, pba.cores, "latches once kept stay, or each round has the core of its own question (McMillan, Amla, TACAS 2003)";
    PBA "pba-shrink" u32, pba.shrink, "how often a core is asked about again, as long as that makes it smaller";
    PBA "pba-until" Until, pba.until, "after a spurious counterexample, its length is refuted (McMillan, Amla, TACAS 2003), or only the lengths until more latches are kept";
    PBA "pba-step" u32, pba.step, "after a spurious counterexample, at least so many lengths more are refuted";
    PBA "pba-effort" Option<u64>, pba.effort, "steps of the other engine on the first abstraction; half as many again when that was not enough";
    SYSTEMS "interpolation" System, interpolation.system, "the interpolation system, from strong to weak (McMillan, CAV 2003; Pudlák 1997; D'Silva et al., VMCAI 2010)";
    INTERPOLATING "compact" bool, interpolation.compact, "equal gates of interpolants are merged (Mishchenko et al., FRAIGs, 2005)";
    ITP "itp-from-all" bool, interpolation.from_all, "steps are taken from all states so far, and not from the last interpolant";
    ITP "itp-leap" bool, interpolation.leap, "the bound grows by the steps that were taken, and not by one";
    IC3IA "lift-predicates" bool, words.lift, "predecessors are lifted by cores, as ctigar does";
    CTIGAR "refine" Refine, words.refine, "a step that the abstraction is too coarse for is refined at once, or when it is part of an abstract counterexample (Birgmeier, Bradley, Weissenbacher, CAV 2014)";
    CTIGAR "refine-consecution" bool, words.consecution, "at once: also where no step leads into the one state that an abstract state was made of";
    PREDICATES "along-cubes" bool, words.along_cubes, "an abstract counterexample is simulated along its abstract states, and not only by its length";
    PREDICATES "equalities" bool, words.equalities, "linear equalities that hold at a location are predicates from the start, too (Karr, 1976)";
    PREDICATES "congruences" bool, words.congruences, "congruences of integers that hold in all reachable states are predicates from the start, too (Granger, 1989)";
    PREDICATES "predicates-of-steps" bool, words.predicates_of_steps, "the atoms of the transition relation are predicates from the start, too";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pba_may_use_every_engine_that_proves() {
        let others = crate::ALL.iter().filter(|e| Inner::named(e.name).is_some()).map(|e| e.name);
        assert_eq!(others.collect::<Vec<_>>().join(", "), Inner::CHOICES);
    }

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
