//! Pairs of literals that a witness circuit declares: in its comment, else in its symbols.

use crate::Reason;
use crate::frame::leaves;
use indubit_logic::{Lit, Var};
use indubit_system::{BitSystem, Name};

/// Where pairs of some kind stand.
pub(crate) struct Pairs {
    /// How the comment begins, before the number of pairs, each on a line of its own.
    keyword: &'static str,
    /// What stands in the symbol of an input or latch, the first of a pair, before the second one.
    symbol: char,
    /// What they are called.
    name: &'static str,
}

impl Pairs {
    pub const MAPPING: Pairs = Pairs { keyword: "MAPPING ", symbol: '=', name: "mapping" };
    pub const INTERVENTION: Pairs = Pairs { keyword: "INTERVENTION ", symbol: '<', name: "intervention" };

    /// The pairs, if any are declared.
    pub fn read(&self, witness: &BitSystem) -> Result<Option<Vec<(u32, u32)>>, Reason> {
        let symbols = || Some(self.in_symbols(witness)).filter(|pairs| !pairs.is_empty());
        Ok(self.in_comment(&witness.comment)?.or_else(symbols))
    }
    fn in_comment(&self, comment: &[u8]) -> Result<Option<Vec<(u32, u32)>>, Reason> {
        let Pairs { keyword, name, .. } = self;
        let mut lines = comment.split(|&b| b == b'\n').map(String::from_utf8_lossy);
        let Some(first) = lines.find(|line| line.starts_with(keyword)) else {
            return Ok(None);
        };
        let malformed = |line: &str| Reason::Misfit(format!("`{line}` in the {name} comment is malformed"));
        let n: u32 = first[keyword.len()..].trim().parse().map_err(|_| malformed(&first))?;
        let mut pairs = Vec::new();
        for _ in 0..n {
            // What comes after the last line end is no line.
            let Some(line) = lines.next().filter(|line| !line.is_empty()) else {
                let text = format!("the {name} comment announces {n} lines and has {}", pairs.len());
                return Err(Reason::Misfit(text));
            };
            let numbers: Vec<u32> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
            let [from, to, ..] = numbers[..] else { return Err(malformed(line.trim_end())) };
            pairs.push((from, to));
        }
        Ok(Some(pairs))
    }
    /// Information may stand before the sign and after the number.
    fn in_symbols(&self, witness: &BitSystem) -> Vec<(u32, u32)> {
        let inputs = witness.inputs().iter().map(|i| &i.name);
        let names = inputs.chain(witness.latches().iter().map(|l| &l.name));
        let literal = |name: &Name| {
            let name = name.to_string();
            let (_, rest) = name.split_once(self.symbol)?;
            let digits = rest.trim_start();
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[..end].parse::<u32>().ok()
        };
        let pair = |(i, name): (usize, &Option<Name>)| Some((2 * (i as u32 + 1), literal(name.as_ref()?)?));
        names.enumerate().filter_map(pair).collect()
    }
}

/// The nodes of a circuit in AIGER's numbering.
pub(crate) struct Nodes(Vec<Var>);

impl Nodes {
    pub fn new(system: &BitSystem) -> Nodes {
        let gates = system.aig().ands().map(|(gate, _)| gate);
        Nodes(std::iter::once(Var::CONST).chain(leaves(system)).chain(gates).collect())
    }
    /// What a literal of the file is.
    pub fn lit(&self, literal: u32) -> Option<Lit> {
        self.0.get((literal / 2) as usize).map(|node| node.lit(literal % 2 == 1))
    }
}
