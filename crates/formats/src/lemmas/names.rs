//! What a name in a file of lemmas stands for: a signal of the model, a vector of signals, or a part of one.

use super::lexer::spell;
use crate::invariant_text::Label;
use crate::signals::{self, Word};
use indubit_logic::{Lit, Var};
use indubit_system::{Alias, BitSystem, Name, Signal};
use std::collections::HashMap;

/// The letters of the sections that have names.
const SECTIONS: [char; 5] = ['l', 'i', 'o', 'b', 'c'];

/// The named signals of a model.
pub(crate) struct Names<'m> {
    model: &'m BitSystem,
    /// By their symbol; a symbol may be used more than once.
    signals: HashMap<&'m [u8], Vec<Lit>>,
    /// By the symbol without indices.
    vectors: HashMap<Vec<u8>, Vec<Word>>,
}

/// Why a name stands for nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unclear {
    /// There is no such signal; these have similar names.
    Unknown(Vec<String>),
    /// There are several, which can be written so.
    Ambiguous(Vec<String>),
    /// The vector has only the bits from the first to the second index.
    OutOfRange(u32, u32),
}

impl Unclear {
    /// What was found where a name stands, and what is expected there, which `names` could also say.
    pub fn told(self, found: String, names: &str) -> (String, String) {
        match self {
            Unclear::Unknown(similar) => {
                let advice = match &similar[..] {
                    [] => "`indubit simulate` shows all names".into(),
                    names => format!("is it {}?", names.join(" or ")),
                };
                (found, format!("{names} ({advice})"))
            }
            Unclear::Ambiguous(which) => (
                format!("{found}, which names several signals"),
                format!("one of them: {}", which.join(" or ")),
            ),
            Unclear::OutOfRange(high, low) => (found, format!("bits from {high} down to {low}")),
        }
    }
}

/// A bit, or several, least significant first.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Bit(Lit),
    Bits(Vec<Lit>),
}

impl<'m> Names<'m> {
    pub fn new(model: &'m BitSystem) -> Names<'m> {
        let mut names = Names { model, signals: HashMap::new(), vectors: HashMap::new() };
        for section in SECTIONS {
            for index in 0..names.section(section).len() {
                let lit = names.at(section, index).expect("an index of the section");
                let is_renamed = matches!(section, 'l' | 'i') && !model.naming.of(lit.var()).is_empty();
                if let Some(name) = names.name(section, index).filter(|_| !is_renamed) {
                    names.signals.entry(name.bytes()).or_default().push(lit);
                }
            }
        }
        for alias in model.naming.aliases() {
            names.signals.entry(alias.name.bytes()).or_default().push(alias.lit);
        }
        let edges = [('o', &model.outputs), ('b', &model.bads), ('c', &model.constraints)];
        let edges = edges.into_iter().flat_map(|(letter, list)| signals::edges(letter, list));
        let leaves = signals::latches(model).into_iter().chain(signals::inputs(model));
        let words = leaves.chain(signals::other_names(model)).chain(edges);
        for word in words.filter(|word| word.range.is_some()) {
            let same = names.vectors.entry(word.base.clone().into_bytes()).or_default();
            if !same.contains(&word) {
                same.push(word);
            }
        }
        names
    }

    fn section(&self, letter: char) -> Section<'m> {
        match letter {
            'l' => Section::Latches(self.model),
            'i' => Section::Signals(self.model.inputs()),
            'o' => Section::Signals(&self.model.outputs),
            'b' => Section::Signals(&self.model.bads),
            _ => Section::Signals(&self.model.constraints),
        }
    }
    fn name(&self, letter: char, index: usize) -> Option<&'m Name> {
        match self.section(letter) {
            Section::Latches(model) => model.latches()[index].name.as_ref(),
            Section::Signals(signals) => signals[index].name.as_ref(),
        }
    }
    /// The signal at a position of a section.
    pub fn at(&self, letter: char, index: usize) -> Option<Lit> {
        let section = self.section(letter);
        (index < section.len()).then(|| match section {
            Section::Latches(model) => Lit::positive(model.latches()[index].var),
            Section::Signals(signals) => signals[index].lit,
        })
    }

    /// How an edge is written by its position, whatever signals are called.
    fn position(&self, lit: Lit) -> Option<String> {
        let all = SECTIONS.into_iter().flat_map(|l| (0..self.section(l).len()).map(move |i| (l, i)));
        let find = |lit: Lit| all.clone().find(|&(l, i)| self.at(l, i) == Some(lit));
        let position = |sign: &str, (l, i): (char, usize)| format!("{sign}@{l}{i}");
        find(lit).map(|at| position("", at)).or_else(|| find(!lit).map(|at| position("!", at)))
    }

    /// What a name stands for, or the part of a vector.
    pub fn find(&self, name: &[u8], range: Option<(u32, u32)>) -> Result<Meaning, Unclear> {
        if let Some((high, low)) = range {
            return self.vector(name).and_then(|word| part(word, high, low)).map(Meaning::Bits);
        }
        if let Some(found) = self.signals.get(name) {
            return match found.iter().all(|lit| *lit == found[0]) {
                true => Ok(Meaning::Bit(found[0])),
                false => {
                    Err(Unclear::Ambiguous(found.iter().filter_map(|&lit| self.position(lit)).collect()))
                }
            };
        }
        if self.vectors.contains_key(name) {
            let word = self.vector(name)?;
            return Ok(Meaning::Bits(word.bits.iter().rev().copied().collect()));
        }
        if let Some((base, index)) = split_index(name).filter(|(base, _)| self.vectors.contains_key(*base)) {
            return self
                .vector(base)
                .and_then(|word| part(word, index, index))
                .map(|bits| Meaning::Bit(bits[0]));
        }
        let position = str::from_utf8(name).ok().and_then(|text| {
            let letter = text.chars().next().filter(|c| SECTIONS.contains(c))?;
            let digits = &text[1..];
            (digits == "0" || !digits.starts_with(['0', '+'])).then_some(())?;
            self.at(letter, digits.parse().ok()?)
        });
        position.map(Meaning::Bit).ok_or_else(|| Unclear::Unknown(self.similar(name)))
    }

    fn vector(&self, base: &[u8]) -> Result<&Word, Unclear> {
        match self.vectors.get(base).map(Vec::as_slice) {
            None => Err(Unclear::Unknown(self.similar(base))),
            Some([word]) => Ok(word),
            // The same name in several sections, or with several kinds of brackets.
            Some(words) if words.iter().all(|w| w.bits == words[0].bits) => Ok(&words[0]),
            Some(words) => {
                let bit = |word: &Word| self.position(*word.bits.last().expect("a vector has bits"));
                let bits =
                    words.iter().filter_map(bit).map(|position| format!("{position} for its last bit"));
                Err(Unclear::Ambiguous(bits.collect()))
            }
        }
    }

    /// A few names that differ in a letter or two.
    fn similar(&self, name: &[u8]) -> Vec<String> {
        let names = self.signals.keys().copied().chain(self.vectors.keys().map(Vec::as_slice));
        similar(name, names).into_iter().map(spell).collect()
    }

    /// How the nodes of the model that are signals are written, so that [`find`](Self::find) finds them again.
    pub fn spellings(&self) -> HashMap<Var, Label> {
        let mut spellings = HashMap::new();
        let is_found = |name: &[u8], lit: Lit| self.find(name, None) == Ok(Meaning::Bit(lit));
        let label = |lit: Lit, text: String| Label { text, negated: lit.is_negated() };
        for Alias { name, lit, .. } in self.model.naming.aliases() {
            if !lit.is_const() && is_found(name.bytes(), *lit) {
                spellings.entry(lit.var()).or_insert_with(|| label(*lit, spell(name.bytes())));
            }
        }
        for section in SECTIONS {
            for index in 0..self.section(section).len() {
                let Some(lit) = self.at(section, index).filter(|lit| !lit.is_negated() && !lit.is_const())
                else {
                    continue;
                };
                let usual = self.name(section, index).filter(|name| is_found(name.bytes(), lit));
                let position = format!("{section}{index}");
                let is_leaf = matches!(section, 'l' | 'i');
                let spelled = match usual {
                    Some(name) => spell(name.bytes()),
                    None if !is_leaf => continue,
                    None if is_found(position.as_bytes(), lit) => position,
                    None => format!("@{position}"),
                };
                spellings.entry(lit.var()).or_insert_with(|| label(lit, spelled));
            }
        }
        spellings
    }
}

enum Section<'m> {
    Latches(&'m BitSystem),
    Signals(&'m [Signal]),
}

impl Section<'_> {
    fn len(&self) -> usize {
        match self {
            Section::Latches(model) => model.latches().len(),
            Section::Signals(signals) => signals.len(),
        }
    }
}

/// Bits `high` to `low` of a vector, least significant first.
fn part(word: &Word, high: u32, low: u32) -> Result<Vec<Lit>, Unclear> {
    let (first, last) = word.range.expect("a vector has a range");
    if high > first || low < last {
        return Err(Unclear::OutOfRange(first, last));
    }
    Ok((low..=high).map(|i| word.bits[(first - i) as usize]).collect())
}

/// A few of these names that differ from `name` in a letter or two.
pub(crate) fn similar<'n>(name: &[u8], names: impl Iterator<Item = &'n [u8]>) -> Vec<&'n [u8]> {
    // Two letters that changed places count twice.
    let most = name.len().div_ceil(3).min(name.len().saturating_sub(1));
    let mut found: Vec<(usize, &[u8])> =
        names.filter_map(|other| Some((distance(name, other, most)?, other))).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// `name[7]` as (`name`, 7).
pub(super) fn split_index(name: &[u8]) -> Option<(&[u8], u32)> {
    let rest = name.strip_suffix(b"]")?;
    let open = rest.iter().rposition(|&b| b == b'[')?;
    Some((&rest[..open], str::from_utf8(&rest[open + 1..]).ok()?.parse().ok()?))
}

/// How many letters have to be changed, added or removed, if that is not more than `most`.
fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().filter(|&d| d <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> (BitSystem, Vec<Lit>) {
        let mut model = BitSystem::new();
        let names = ["c[0]", "c[1]", "c[2]", "b<0>", "b<1>", "same", "same", "l1", "", "top.request"];
        let lits = names.iter().map(|name| model.add_latch(name, None)).collect();
        (model, lits)
    }

    #[test]
    fn names_positions_vectors_and_parts() {
        let (mut model, l) = model();
        let go = model.add_input("go");
        let gate = model.aig_mut().and(l[0], go);
        model.add_bad("c[7]", gate);
        let names = Names::new(&model);
        let find = |name: &str, range| names.find(name.as_bytes(), range);
        assert_eq!(find("c[1]", None), Ok(Meaning::Bit(l[1])));
        assert_eq!(find("c", None), Ok(Meaning::Bits(vec![l[0], l[1], l[2]])));
        assert_eq!(find("c", Some((2, 1))), Ok(Meaning::Bits(vec![l[1], l[2]])));
        assert_eq!(find("c", Some((3, 1))), Err(Unclear::OutOfRange(2, 0)));
        assert_eq!(find("c[3]", None), Err(Unclear::OutOfRange(2, 0)));
        assert_eq!(find("b[1]", None), Ok(Meaning::Bit(l[4])));
        assert_eq!((find("i0", None), find("b0", None)), (Ok(Meaning::Bit(go)), Ok(Meaning::Bit(gate))));
        // A symbol comes before a position.
        assert_eq!((find("l1", None), names.at('l', 1)), (Ok(Meaning::Bit(l[7])), Some(l[1])));
        assert_eq!(find("c[7]", None), Ok(Meaning::Bit(gate)));
        assert_eq!(find("same", None), Err(Unclear::Ambiguous(vec!["@l5".into(), "@l6".into()])));
        assert_eq!(find("top.requets", None), Err(Unclear::Unknown(vec!["top.request".into()])));
        assert_eq!(find("l99", None), Err(Unclear::Unknown(vec![])));
        assert_eq!((names.at('l', 99), names.at('c', 0)), (None, None));
    }

    #[test]
    fn the_same_vector_in_two_sections() {
        let mut model = BitSystem::new();
        let bits = ["v[0]", "v[1]"].map(|name| model.add_latch(name, None));
        let output = |lit, name: &str| Signal { lit, name: Some(name.into()) };
        model.outputs = vec![output(bits[0], "v[0]"), output(bits[1], "v[1]")];
        assert_eq!(Names::new(&model).find(b"v", None), Ok(Meaning::Bits(bits.to_vec())));
        model.outputs[1].lit = !bits[1];
        let ambiguous = Names::new(&model).find(b"v", None);
        assert!(matches!(&ambiguous, Err(Unclear::Ambiguous(which)) if which.len() == 2), "{ambiguous:?}");
    }

    #[test]
    fn spellings_are_found_again() {
        let (model, l) = model();
        let names = Names::new(&model);
        let spellings = names.spellings();
        let spelled: Vec<&str> = l.iter().map(|lit| &*spellings[&lit.var()].text).collect();
        assert_eq!(
            spelled,
            ["c[0]", "c[1]", "c[2]", "\"b<0>\"", "\"b<1>\"", "l5", "l6", "l1", "l8", "top.request"]
        );
    }
}
