//! The writers: one text for both formats, except for what binary leaves out.
//!
//! Variables are renumbered to inputs, latches, gates, and a gate's larger literal comes first, so that the same
//! system gives the same file whether it came from ASCII or from binary. The header is as short as it can be:
//! a file without bads, constraints, justice and fairness is one of version 1.0.

use indubit_logic::{Lit, Var, VarMap};
use indubit_system::{BitSystem, Latch, Name, Signal};

/// The system in ASCII.
///
/// A line break within a name would end it, and becomes a space. A comment gets a line end if it has none.
pub fn write_ascii(system: &BitSystem) -> Vec<u8> {
    let mut writer = Writer::new(system);
    writer.header(b"aag");
    for input in system.inputs() {
        writer.literal_line(input.lit);
    }
    for latch in system.latches() {
        writer.literal(Lit::positive(latch.var));
        writer.out.push(b' ');
        writer.next_and_reset(latch);
    }
    writer.sections();
    for (gate, fanins) in system.aig().ands() {
        writer.literal(Lit::positive(gate));
        for fanin in writer.larger_first(fanins) {
            writer.out.push(b' ');
            writer.number(fanin as usize);
        }
        writer.out.push(b'\n');
    }
    writer.symbols();
    writer.comment();
    writer.out
}

/// The system in binary.
///
/// Names and comments as in [`write_ascii`].
pub fn write_binary(system: &BitSystem) -> Vec<u8> {
    let mut writer = Writer::new(system);
    writer.header(b"aig");
    for latch in system.latches() {
        writer.next_and_reset(latch);
    }
    writer.sections();
    for (gate, fanins) in system.aig().ands() {
        let lhs = writer.numbering[gate].code();
        let [left, right] = writer.larger_first(fanins);
        writer.delta(lhs - left);
        writer.delta(left - right);
    }
    writer.symbols();
    writer.comment();
    writer.out
}

/// The literal of each node in the files that [`write_ascii`] and [`write_binary`] make.
pub fn numbering(system: &BitSystem) -> VarMap<Lit> {
    let mut numbering = VarMap::filled(system.aig().n_vars(), Lit::FALSE);
    let inputs = system.inputs().iter().map(|i| i.lit.var());
    let latches = system.latches().iter().map(|l| l.var);
    let ands = system.aig().ands().map(|(gate, _)| gate);
    for (index, var) in inputs.chain(latches).chain(ands).enumerate() {
        numbering[var] = Lit::positive(Var::from_index(index + 1));
    }
    numbering
}

struct Writer<'a> {
    system: &'a BitSystem,
    /// The file's literal for each node.
    numbering: VarMap<Lit>,
    n_ands: usize,
    out: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(system: &'a BitSystem) -> Writer<'a> {
        let numbering = numbering(system);
        Writer { system, numbering, n_ands: system.aig().n_ands(), out: Vec::new() }
    }

    fn header(&mut self, tag: &[u8]) {
        let system = self.system;
        let (n_inputs, n_latches) = (system.inputs().len(), system.latches().len());
        let max_var = n_inputs + n_latches + self.n_ands;
        let mandatory = [max_var, n_inputs, n_latches, system.outputs.len(), self.n_ands];
        let optional =
            [system.bads.len(), system.constraints.len(), system.justice.len(), system.fairness.len()];
        let n_optional = optional.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
        self.out.extend_from_slice(tag);
        for &number in mandatory.iter().chain(&optional[..n_optional]) {
            self.out.push(b' ');
            self.number(number);
        }
        self.out.push(b'\n');
    }
    /// The end of a latch's line; a reset to 0 is the default and left out.
    fn next_and_reset(&mut self, latch: &Latch) {
        self.literal(latch.next);
        if latch.reset != Lit::FALSE {
            self.out.push(b' ');
            self.literal(latch.reset);
        }
        self.out.push(b'\n');
    }
    fn sections(&mut self) {
        let system = self.system;
        for signals in [&system.outputs, &system.bads, &system.constraints] {
            self.signals(signals);
        }
        for justice in &system.justice {
            self.number(justice.lits.len());
            self.out.push(b'\n');
        }
        for &lit in system.justice.iter().flat_map(|j| &j.lits) {
            self.literal_line(lit);
        }
        self.signals(&system.fairness);
    }
    fn signals(&mut self, signals: &[Signal]) {
        for signal in signals {
            self.literal_line(signal.lit);
        }
    }
    fn symbols(&mut self) {
        let system = self.system;
        self.names(b'i', system.inputs().iter().map(|i| &i.name));
        self.names(b'l', system.latches().iter().map(|l| &l.name));
        self.names(b'o', system.outputs.iter().map(|s| &s.name));
        self.names(b'b', system.bads.iter().map(|s| &s.name));
        self.names(b'c', system.constraints.iter().map(|s| &s.name));
        self.names(b'j', system.justice.iter().map(|j| &j.name));
        self.names(b'f', system.fairness.iter().map(|s| &s.name));
    }
    fn names<'n>(&mut self, kind: u8, names: impl Iterator<Item = &'n Option<Name>>) {
        for (index, name) in names.enumerate() {
            if let Some(name) = name.as_ref().filter(|name| !name.bytes().is_empty()) {
                self.out.push(kind);
                self.number(index);
                self.out.push(b' ');
                let without_breaks = |&b: &u8| if matches!(b, b'\n' | b'\r') { b' ' } else { b };
                self.out.extend(name.bytes().iter().map(without_breaks));
                self.out.push(b'\n');
            }
        }
    }
    fn comment(&mut self) {
        let comment = &self.system.comment;
        if !comment.is_empty() {
            self.out.extend_from_slice(b"c\n");
            self.out.extend_from_slice(comment);
            if !comment.ends_with(b"\n") {
                self.out.push(b'\n');
            }
        }
    }

    fn larger_first(&self, fanins: [Lit; 2]) -> [u32; 2] {
        let [a, b] = fanins.map(|lit| self.numbering.lit(lit).code());
        [a.max(b), a.min(b)]
    }
    fn literal(&mut self, lit: Lit) {
        self.number(self.numbering.lit(lit).index());
    }
    fn literal_line(&mut self, lit: Lit) {
        self.literal(lit);
        self.out.push(b'\n');
    }
    fn number(&mut self, mut number: usize) {
        let start = self.out.len();
        loop {
            self.out.push(b'0' + (number % 10) as u8);
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.out[start..].reverse();
    }
    /// Groups of seven bits, low ones first; the top bit of a byte says that more follow.
    fn delta(&mut self, mut delta: u32) {
        while delta > 0x7f {
            self.out.push(delta as u8 | 0x80);
            delta >>= 7;
        }
        self.out.push(delta as u8);
    }
}
