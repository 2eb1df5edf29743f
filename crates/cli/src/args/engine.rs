//! Engines by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indubit::{Decidable, ENGINES, EngineId, EngineInfo, Proves, engine};

/// The engine that is several.
pub const PORTFOLIO: &str = "portfolio";
pub const PORTFOLIO_SUMMARY: &str = "several engines at once: the first checked answer wins";

/// One engine, or the portfolio.
#[derive(Clone, Copy, Default)]
pub struct Engine(pub Option<&'static EngineInfo>);

impl Engine {
    pub fn name(self) -> &'static str {
        self.0.map_or(PORTFOLIO, |engine| engine.name)
    }
    /// What it proves of a system, if it works on it at all: as a circuit if it is for bits and the system is one.
    pub fn proves<K: Decidable>(self, is_circuit: bool) -> Option<Proves> {
        let Some(engine) = self.0 else { return Some(Proves::Invariants) };
        let bits = engine.bits.as_ref().filter(|_| is_circuit).map(|e| e.proves);
        bits.or_else(|| K::implementation(engine).map(|e| e.proves))
    }
}

/// An engine that can prove something about systems of this kind.
pub fn prover<K: Decidable>() -> &'static str {
    let proves = |e: &&EngineInfo| K::implementation(e).is_some_and(|e| e.proves == Proves::Invariants);
    let usual = [EngineId::Ic3, EngineId::Ic3ia].map(EngineId::info).into_iter();
    usual.chain(ENGINES).find(proves).map_or(PORTFOLIO, |engine| engine.name)
}

/// The names that there are.
pub fn names() -> PossibleValuesParser {
    let several = PossibleValue::new(PORTFOLIO).help(PORTFOLIO_SUMMARY);
    let names = ENGINES.iter().map(|e| PossibleValue::new(e.name).help(e.summary));
    PossibleValuesParser::new([several].into_iter().chain(names))
}

/// An engine by its name.
pub fn parser() -> impl TypedValueParser<Value = Engine> {
    names().map(|name| Engine(engine(&name)))
}
