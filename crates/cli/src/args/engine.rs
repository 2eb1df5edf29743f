//! Engines by their names, for bits and for words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use indubit::{ENGINES, EngineInfo, WORD_ENGINES, WordInfo};

/// The engine that is several.
pub const PORTFOLIO: &str = "portfolio";
pub const PORTFOLIO_SUMMARY: &str = "several engines at once: the first checked answer wins";

/// One engine, or the portfolio.
#[derive(Clone, Copy)]
pub enum Engine {
    Portfolio,
    /// For bits, for words, or for both under one name.
    One {
        bits: Option<&'static EngineInfo>,
        words: Option<&'static WordInfo>,
    },
}

impl Engine {
    pub fn name(self) -> &'static str {
        let Engine::One { bits, words } = self else { return PORTFOLIO };
        bits.map(|e| e.name).or(words.map(|e| e.name)).unwrap_or(PORTFOLIO)
    }
    /// Can it prove safety?
    pub fn proves(self) -> bool {
        let Engine::One { bits, words } = self else { return true };
        bits.map(|e| e.proves).or(words.map(|e| e.proves)).unwrap_or(true)
    }
    /// Does it record its solver queries?
    pub fn records(self) -> bool {
        matches!(self, Engine::One { bits: Some(engine), .. } if engine.records)
    }
    /// Can it work on bits?
    pub fn is_for_bits(self) -> bool {
        !matches!(self, Engine::One { bits: None, .. })
    }
    /// Can it work on words?
    pub fn is_for_words(self) -> bool {
        !matches!(self, Engine::One { words: None, .. })
    }
}

/// The names that there are.
pub fn names() -> PossibleValuesParser {
    let several = PossibleValue::new(PORTFOLIO).help(PORTFOLIO_SUMMARY);
    let names = ENGINES.iter().map(|e| PossibleValue::new(e.name).help(e.summary));
    let only_words = WORD_ENGINES.iter().filter(|e| indubit::engine(e.name).is_none());
    let only_words = only_words.map(|e| PossibleValue::new(e.name).help(e.summary));
    PossibleValuesParser::new([several].into_iter().chain(names).chain(only_words))
}

/// Engines by these names.
pub fn parser() -> impl TypedValueParser<Value = Engine> {
    names().map(|name| match (indubit::engine(&name), indubit::word_engine(&name)) {
        (None, None) => Engine::Portfolio,
        (bits, words) => Engine::One { bits, words },
    })
}
