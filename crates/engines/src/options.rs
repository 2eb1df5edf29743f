//! Everything about engines that can be switched, by name: each idea can be turned off, so that its worth can be measured.

use crate::{
    Backend, BmcConfig, BranchingConfig, Cores, Inner, InterpolationConfig, Invariants, LiveConfig,
    OracleConfig, PbaConfig, Query, Refine, SWITCHES, Stabilize, Until, WordConfig,
};
use indubit_interpolate::System;
use indubit_pdr::{Config, Generalize, Order, Promote, Quip};
use indubit_smt::External;

/// How engines go about their work.
#[derive(Clone, Debug)]
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
    /// Engines for liveness.
    pub live: LiveConfig,
    /// Computation tree logic, state by state.
    pub branching: BranchingConfig,
    /// So many nodes decision diagrams may have.
    pub most_nodes: u32,
    /// Predicates of engines for words.
    pub words: WordConfig,
    /// Who answers `bmc` and `kind` over words, where our solver has no theory.
    pub other: Option<External>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            pdr: Config::default(),
            quip: Quip::default(),
            oracle: OracleConfig::default(),
            bmc: BmcConfig::default(),
            interpolation: InterpolationConfig::default(),
            pba: PbaConfig::default(),
            live: LiveConfig::default(),
            branching: BranchingConfig::default(),
            most_nodes: 5_000_000,
            words: WordConfig::default(),
            other: None,
        }
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
        match switch.set(self, value) {
            true => Ok(()),
            false => Err(format!("`{value}` is no value of {name}; expected {}", switch.choices)),
        }
    }
}

/// Something that can be typed.
pub(crate) trait Value: Sized {
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
    const CHOICES: &'static str = "ic3, quip, kind, itp, isb, avy, fsis, naive, bdd";
    fn parse(text: &str) -> Option<Inner> {
        Inner::named(text)
    }
    fn show(&self) -> String {
        self.name().into()
    }
}

impl Value for Invariants {
    const CHOICES: &'static str = "ic3, quip, pba, itp, isb, avy, fsis, naive, bdd";
    fn parse(text: &str) -> Option<Invariants> {
        Invariants::named(text)
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
names!(Stabilize, "off, latches, gates",
    "off" => Stabilize::Off, "latches" => Stabilize::Latches, "gates" => Stabilize::Gates);
names!(Cores, "accumulate, fresh", "accumulate" => Cores::Accumulate, "fresh" => Cores::Fresh);
names!(Until, "counterexample, growth", "counterexample" => Until::Counterexample, "growth" => Until::Growth);

names!(Refine, "paths, lazily, eagerly",
    "paths" => Refine::Paths, "lazily" => Refine::Lazily, "eagerly" => Refine::Eagerly);
names!(System, "mcmillan, pudlak, inverse",
    "mcmillan" => System::McMillan, "pudlak" => System::Pudlak, "inverse" => System::InverseMcMillan);
