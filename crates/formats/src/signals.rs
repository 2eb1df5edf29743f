//! The user's signals as a person thinks of them: bits that form a vector are one word.
//!
//! `count[0]`, `count[1]`, … (also with `<0>` or `(0)`) become `count[1:0]` when the bits of one section of
//! the model (inputs, latches, …) have distinct and consecutive indices. Everything else stays a single bit. An input or a latch with several names
//! goes by the first of its aliases, with the value that is meant by it.

use indubit_aig::simulate;
use indubit_logic::{Lit, Var};
use indubit_system::{Alias, BitSystem, Name, Property, Signal, Trace};
use std::collections::{HashMap, HashSet};

/// One signal of one or several bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The name without a range.
    pub base: String,
    /// The first and the last index (most significant first) of a vector.
    pub range: Option<(u32, u32)>,
    /// The bits, most significant first; at least one.
    pub bits: Vec<Lit>,
    /// What the bits stand for: inputs and latches, whose values may be those of other edges.
    pub leaves: Vec<Var>,
    /// Is it called as the user calls it? Otherwise by its position, or as a tool has it.
    pub is_named: bool,
}

impl Word {
    /// The name with its range: `count[3:0]`.
    pub fn label(&self) -> String {
        match self.range {
            Some((high, low)) => format!("{}[{high}:{low}]", self.base),
            None => self.base.clone(),
        }
    }
    /// The values of the bits, most significant first, from the values of all nodes.
    pub fn value(&self, values: &[bool]) -> Vec<bool> {
        self.bits.iter().map(|&b| simulate::value(values, b)).collect()
    }
}

/// The inputs as words.
pub(crate) fn inputs(model: &BitSystem) -> Vec<Word> {
    group('i', model.inputs().iter().map(|s| leaf(model, s.lit.var(), s.name.as_ref())))
}

/// The latches as words.
pub(crate) fn latches(model: &BitSystem) -> Vec<Word> {
    group('l', model.latches().iter().map(|l| leaf(model, l.var, l.name.as_ref())))
}

/// What an input or a latch is called, and the edge that is called so.
pub(crate) fn leaf<'m>(model: &'m BitSystem, var: Var, symbol: Option<&'m Name>) -> Bit<'m> {
    match model.naming.of(var).first() {
        Some(alias) => Bit { name: Some(&alias.name), lit: alias.lit, leaf: var },
        None => Bit { name: symbol, lit: Lit::positive(var), leaf: var },
    }
}

/// Other named edges as words; without a name they are called by `letter` and their position.
pub(crate) fn edges(letter: char, signals: &[Signal]) -> Vec<Word> {
    group(letter, signals.iter().map(|s| Bit { name: s.name.as_ref(), lit: s.lit, leaf: s.lit.var() }))
}

/// All names that inputs and latches have besides those that they are shown by, and those of other edges, as words.
pub(crate) fn other_names(model: &BitSystem) -> Vec<Word> {
    let naming = &model.naming;
    let is_other = |alias: &&Alias| alias.of.is_none_or(|leaf| !std::ptr::eq(&naming.of(leaf)[0], *alias));
    // A map may say of an edge what a symbol says, too.
    let mut known = HashSet::new();
    let is_new = |alias: &&Alias| known.insert((alias.name.clone(), alias.lit));
    let aliases = naming.aliases().iter().filter(is_other).filter(is_new);
    group('n', aliases.map(|a| Bit { name: Some(&a.name), lit: a.lit, leaf: a.of.unwrap_or(a.lit.var()) }))
}

/// Has a tool made up this name? Yosys begins such names, or what they have behind the names of instances, with `$`, and gives them to properties and free
/// values in `_witness_`.
pub(crate) fn is_made_up(name: &str) -> bool {
    name.starts_with('$') || name.contains(".$") || name.split('.').any(|part| part == "_witness_")
}

/// A bit that belongs to a word, or is one.
#[derive(Clone, Copy)]
pub(crate) struct Bit<'m> {
    pub name: Option<&'m Name>,
    pub lit: Lit,
    pub leaf: Var,
}

fn group<'m>(letter: char, signals: impl Iterator<Item = Bit<'m>>) -> Vec<Word> {
    let signals: Vec<(String, Bit<'m>)> = signals
        .enumerate()
        .map(|(i, bit)| (bit.name.map_or_else(|| format!("{letter}{i}"), Name::to_string), bit))
        .collect();
    let mut vectors: HashMap<(&str, char), Vec<(u32, Bit<'m>)>> = HashMap::new();
    for (name, bit) in &signals {
        if let Some((base, bracket, index)) = split_index(name) {
            vectors.entry((base, bracket)).or_default().push((index, *bit));
        }
    }
    for bits in vectors.values_mut() {
        bits.sort_by_key(|b| std::cmp::Reverse(b.0));
    }
    let is_vector = |bits: &[(u32, Bit<'m>)]| bits.len() > 1 && bits.windows(2).all(|w| w[0].0 == w[1].0 + 1);
    // The vector stands where its first bit stands.
    let mut words = Vec::new();
    for (name, bit) in &signals {
        let vector = split_index(name).map(|(base, bracket, _)| (base, bracket));
        let is_named = bit.name.is_some() && !is_made_up(name);
        match vector.and_then(|key| vectors.get_mut(&key).map(|bits| (key.0, bits))) {
            Some((_, bits)) if bits.is_empty() => (),
            Some((base, bits)) if is_vector(bits) => {
                let range = Some((bits[0].0, bits[bits.len() - 1].0));
                let (bits, leaves) = bits.drain(..).map(|(_, bit)| (bit.lit, bit.leaf)).unzip();
                words.push(Word { base: base.into(), range, bits, leaves, is_named });
            }
            _ => {
                let (bits, leaves) = (vec![bit.lit], vec![bit.leaf]);
                words.push(Word { base: name.clone(), range: None, bits, leaves, is_named });
            }
        }
    }
    words
}

/// `name[7]` as (`name`, `[`, 7).
pub(crate) fn split_index(name: &str) -> Option<(&str, char, u32)> {
    let (open, rest) = [('[', ']'), ('<', '>'), ('(', ')')]
        .into_iter()
        .find_map(|(open, close)| name.strip_suffix(close).map(|rest| (open, rest)))?;
    let (base, digits) = rest.rsplit_once(open)?;
    let plain = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit());
    let canonical = plain && (digits == "0" || !digits.starts_with('0'));
    let base = base.trim_end();
    if !canonical || base.is_empty() { None } else { Some((base, open, digits.parse().ok()?)) }
}

/// A value for people: a bit as it is, small vectors in binary and decimal, others in hexadecimal.
pub(crate) fn show_value(bits: &[bool]) -> String {
    let digit = |b: &bool| if *b { '1' } else { '0' };
    if bits.len() == 1 {
        return digit(&bits[0]).to_string();
    }
    let number = bits.iter().try_fold(0u64, |n, &b| n.checked_mul(2).map(|n| n | u64::from(b)));
    match number {
        Some(n) if bits.len() <= 4 => format!("{} ({n})", bits.iter().map(digit).collect::<String>()),
        Some(n) if n < 10 => format!("{n}"),
        Some(n) => format!("0x{n:x} ({n})"),
        None => {
            let nibble = |c: &[bool]| c.iter().fold(0, |n, &b| 2 * n + u32::from(b));
            let (first, rest) = bits.split_at(bits.len() % 4);
            let chunks = std::iter::once(first).filter(|c| !c.is_empty()).chain(rest.chunks(4));
            let hex: String = chunks.filter_map(|c| char::from_digit(nibble(c), 16)).collect();
            format!("0x{}", hex.trim_start_matches('0'))
        }
    }
}

/// What the signals of [`BitSystem::infinitely_often`] are called, in their order: `granted` or `f0`, and then `j0.1`, or as the property if it has only one.
pub(crate) fn recurring(model: &BitSystem, property: &Property) -> Vec<String> {
    let fair = model.fairness.iter().enumerate();
    let fair = fair.map(|(i, f)| f.name.as_ref().map_or_else(|| format!("f{i}"), Name::to_string));
    let n_own = property.claim.formulas().len();
    let mut labels: Vec<String> = fair.collect();
    labels.extend((0..n_own).map(|i| match n_own {
        1 => property.label(),
        _ => format!("{}.{i}", property.id),
    }));
    if labels.is_empty() {
        labels.push("another step".into());
    }
    labels
}

/// The values of all nodes in each step of a trace.
pub(crate) fn replay<'a>(
    model: &'a BitSystem,
    trace: &'a Trace,
) -> impl ExactSizeIterator<Item = Vec<bool>> + 'a {
    let mut state = trace.initial.clone();
    trace.inputs.iter().map(move |inputs| {
        let values = model.evaluate(&state, inputs);
        state = model.next_state(&values);
        values
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Vec<String> {
        let mut model = BitSystem::new();
        for name in names {
            model.add_input(name);
        }
        inputs(&model).iter().map(Word::label).collect()
    }

    #[test]
    fn vectors_are_grouped() {
        assert_eq!(labels(&["c[0]", "x", "c[1]", "c[2]"]), ["c[2:0]", "x"]);
        assert_eq!(labels(&["a<1>", "a<0>", "a[0]", "a[1]"]), ["a[1:0]", "a[1:0]"]);
        assert_eq!(labels(&["m[3][0]", "m[3][1]", "m[2][0]"]), ["m[3][1:0]", "m[2][0]"]);
        assert_eq!(labels(&["addr (3)", "addr (2)"]), ["addr[3:2]"]);
    }

    #[test]
    fn what_is_no_vector_stays() {
        assert_eq!(labels(&["c[0]", "c[2]", ""]), ["c[0]", "c[2]", "i2"]);
        assert_eq!(labels(&["c[0]", "c[0]", "c[1]"]), ["c[0]", "c[0]", "c[1]"]);
        assert_eq!(labels(&["c[0]", "c[999999999]", "[1]", "[0]", "c[01]"]).len(), 5);
        assert_eq!(labels(&["d[x]", "d[]", "d[99999999999]", "d"]).len(), 4);
    }

    #[test]
    fn most_significant_bit_first() {
        let mut model = BitSystem::new();
        let low = model.add_latch("n[0]", None);
        let high = model.add_latch("n[1]", None);
        assert_eq!(latches(&model)[0].bits, [high, low]);
    }

    #[test]
    fn values_are_readable() {
        let bits = |s: &str| s.bytes().map(|b| b == b'1').collect::<Vec<_>>();
        assert_eq!(show_value(&bits("1")), "1");
        assert_eq!(show_value(&bits("0101")), "0101 (5)");
        assert_eq!(show_value(&bits("00000101")), "5");
        assert_eq!(show_value(&bits("00111111")), "0x3f (63)");
        assert_eq!(show_value(&bits(&format!("1{}", "0".repeat(69)))), format!("0x2{}", "0".repeat(17)));
        assert_eq!(show_value(&[false; 70]), "0");
    }
}
