//! Engines by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indubit::{ClaimKind, Decidable, ENGINES, EngineId, EngineInfo, Proves, engine};

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
        let on_circuits = engine.bits.as_ref().map(|e| e.proves).or(engine.live.as_ref().map(|e| e.proves));
        let on_circuits = on_circuits.or(engine.branching.map(|_| Proves::Ranks));
        on_circuits.filter(|_| is_circuit).or_else(|| K::implementation(engine).map(|e| e.proves))
    }
    /// Why it does not decide such a claim, unless it does.
    pub fn unsupported(self, claim: ClaimKind) -> Option<String> {
        // Formulas of temporal logic become questions of both kinds; an engine for reachability decides some of them.
        let decides = |e: &EngineInfo| claim == ClaimKind::Ltl || e.claims.contains(&claim);
        let engine = self.0.filter(|engine| !decides(engine))?;
        let deciding = ENGINES.iter().filter(|e| decides(e)).map(|e| e.name);
        let deciding: Vec<&str> = deciding.collect();
        Some(format!("{} does not decide {claim} properties, but {} do", engine.name, deciding.join(", ")))
    }
}

/// An engine that can prove such a claim about systems of this kind.
pub fn prover<K: Decidable>(claim: ClaimKind) -> &'static str {
    let proves = |e: &EngineInfo| match claim {
        ClaimKind::Justice | ClaimKind::Ltl => e.live.as_ref().map(|e| e.proves),
        ClaimKind::Ctl => e.branching.map(|_| Proves::Ranks),
        ClaimKind::Always | ClaimKind::Reachable => K::implementation(e).map(|e| e.proves),
    };
    let can = |e: &&EngineInfo| {
        let needed = if claim == ClaimKind::Ltl { ClaimKind::Justice } else { claim };
        e.claims.contains(&needed) && matches!(proves(e), Some(Proves::Invariants | Proves::Ranks))
    };
    let usual = [EngineId::Ic3, EngineId::Ic3ia].map(EngineId::info).into_iter();
    usual.chain(ENGINES).find(can).map_or(PORTFOLIO, |engine| engine.name)
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
