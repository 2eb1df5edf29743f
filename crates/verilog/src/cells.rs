//! What clocks the cells of a design, as Yosys dumps them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A bit of a wire; bits count from the least significant one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bit {
    pub wire: String,
    pub index: u32,
}

/// An edge of a clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Edge {
    pub clock: Bit,
    pub is_rising: bool,
}

/// What the clocks of a design do.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocking {
    /// All clocks, in the order of their names.
    pub clocks: BTreeSet<Bit>,
    /// The edges that properties are sampled by, as far as they have a clock.
    pub sampled: BTreeMap<String, Edge>,
}

/// The ports that take clocks.
const CLOCKS: [&str; 4] = ["CLK", "WR_CLK", "RD_CLK", "TRG"];

/// A cell in a dump.
#[derive(Default)]
struct Cell<'d> {
    kind: &'d str,
    name: &'d str,
    values: HashMap<&'d str, &'d str>,
}

impl Cell<'_> {
    /// A parameter of one bit, which some versions of Yosys write as a number.
    fn is(&self, parameter: &str, bit: char) -> bool {
        self.values.get(parameter).is_some_and(|value| value.trim_start_matches("1'").starts_with(bit))
    }
    fn bits(&self, port: &str) -> Vec<Bit> {
        self.values.get(port).map_or(Vec::new(), |signal| bits(signal))
    }
    fn edge(&self, port: &str, polarity: &str) -> Option<Edge> {
        let clock = self.bits(port).into_iter().next()?;
        Some(Edge { clock, is_rising: self.is(polarity, '1') })
    }
}

/// What a dump of cells says of clocks:
///
/// ```text
/// cell $dff $procdff$17
///   parameter \CLK_POLARITY 1'1
///   connect \CLK \ck [0]
///   connect \Q $formal$a.sv:3$1_CHECK
/// end
/// ```
pub(crate) fn read(dump: &str) -> Clocking {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    for line in dump.lines().map(str::trim) {
        let Some((what, rest)) = line.split_once(' ') else { continue };
        let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match (what, cells.last_mut()) {
            ("cell", _) => cells.push(Cell { kind: first, name: rest, values: HashMap::new() }),
            ("parameter" | "connect", Some(cell)) => {
                cell.values.insert(first.trim_start_matches('\\'), rest);
            }
            _ => {}
        }
    }
    let is_clocked = |cell: &&Cell<'_>| !cell.is("CLK_ENABLE", '0') && !cell.is("TRG_ENABLE", '0');
    let clocks = cells.iter().filter(is_clocked).flat_map(|cell| CLOCKS.map(|port| cell.bits(port)));
    let clocks = clocks.flatten().collect();
    // Older versions of Yosys make registers of what a property says and when; newer ones leave that to the cell.
    let samplers = cells.iter().filter_map(|cell| Some((*cell.values.get("Q")?, cell)));
    let samplers: HashMap<&str, &Cell<'_>> = samplers.filter(|(q, _)| q.contains("$formal$")).collect();
    let edge = |cell: &Cell<'_>| match cell.kind {
        "$check" if cell.is("TRG_ENABLE", '1') => cell.edge("TRG", "TRG_POLARITY"),
        "$assert" | "$assume" | "$cover" | "$live" | "$fair" => ["A", "EN"]
            .iter()
            .find_map(|port| samplers.get(cell.values.get(port)?)?.edge("CLK", "CLK_POLARITY")),
        _ => None,
    };
    let sampled = cells.iter().filter_map(|cell| Some((plain(cell.name).to_owned(), edge(cell)?)));
    Clocking { clocks, sampled: sampled.collect() }
}

fn plain(name: &str) -> &str {
    name.trim_start_matches('\\')
}

/// The bits of wires in a signal: `\clk`, `\ck [1]`, `{ \b \ck [1:0] }`. Constants are none, and of a wire without indices the first bit is named, as clocks are single bits.
fn bits(signal: &str) -> Vec<Bit> {
    let mut bits: Vec<Bit> = Vec::new();
    for word in signal.split_whitespace() {
        let range = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match range {
            Some(range) => {
                let (high, low) = range.split_once(':').unwrap_or((range, range));
                if let (Some(bit), Ok(high), Ok(low)) = (bits.pop(), high.parse::<u32>(), low.parse::<u32>())
                {
                    bits.extend((low..=high).map(|index| Bit { wire: bit.wire.clone(), index }));
                }
            }
            None if word.starts_with(['\\', '$']) => {
                bits.push(Bit { wire: plain(word).to_owned(), index: 0 });
            }
            None => {}
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_read() {
        let dump = "attribute \\src \"a.sv:1.2-3.4\"\ncell $dff $1\n  parameter \\CLK_POLARITY 1'0\n  connect \\CLK \\ck [1]\n  connect \\Q $formal$a.sv:2$1_CHECK\nend\n\
                    cell $assert \\u0.a\n  connect \\A $formal$a.sv:2$1_CHECK\n  connect \\EN 1'1\nend\n\
                    cell $check \\b\n  parameter \\TRG_ENABLE 1\n  parameter \\TRG_POLARITY 1'1\n  connect \\TRG \\clk\nend\n\
                    cell $check \\c\n  parameter \\TRG_ENABLE 1'0\n  connect \\TRG { }\nend\n\
                    cell $memrd $2\n  parameter \\CLK_ENABLE 1'0\n  connect \\CLK \\no\nend\n";
        let bit = |wire: &str, index| Bit { wire: wire.into(), index };
        let (a, b) =
            (Edge { clock: bit("ck", 1), is_rising: false }, Edge { clock: bit("clk", 0), is_rising: true });
        let expected = Clocking {
            clocks: [bit("ck", 1), bit("clk", 0)].into(),
            sampled: [("u0.a".into(), a), ("b".into(), b)].into(),
        };
        assert_eq!(read(dump), expected);
        assert_eq!(bits("{ \\b 1'0 \\ck [1:0] }"), [bit("b", 0), bit("ck", 0), bit("ck", 1)]);
    }
}
