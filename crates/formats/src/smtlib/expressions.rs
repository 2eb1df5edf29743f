//! Text as nested lists. Comments go to the end of a line; symbols may be in bars, strings in quotes.

use crate::error::{Error, Place, show};

/// A position in [`Expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A symbol without its bars.
    Symbol,
    /// A symbol in bars; reserved words in bars are not reserved.
    Quoted,
    /// `:word`.
    Keyword,
    /// Digits.
    Numeral,
    /// Digits with a point in between.
    Decimal,
    /// `#x…`
    Hexadecimal,
    /// `#b…`
    Binary,
    /// `"…"`
    Text,
    /// `( … )`
    List,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// Where it begins in the text.
    at: u32,
    /// Of an atom: its first and last byte; of a list: its elements.
    first: u32,
    end: u32,
}

/// All expressions of a text.
#[derive(Debug)]
pub(crate) struct Expressions<'t> {
    text: &'t [u8],
    nodes: Vec<Node>,
    elements: Vec<Id>,
    roots: Vec<Id>,
}

impl<'t> Expressions<'t> {
    pub fn parse(text: &'t [u8]) -> Result<Expressions<'t>, Error> {
        if text.len() > u32::MAX as usize {
            return Err(Error::new(Place::None, "a file of more than 4 GB", "a smaller one"));
        }
        let mut all = Expressions { text, nodes: Vec::new(), elements: Vec::new(), roots: Vec::new() };
        // Lists that are open: where each began in `pending`, which has the elements of all of them.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut pending: Vec<Id> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                _ if byte.is_ascii_whitespace() => at += 1,
                b';' => at += text[at..].iter().take_while(|&&b| b != b'\n').count(),
                b'(' => {
                    open.push((at, pending.len()));
                    at += 1;
                }
                b')' => {
                    let Some((start, first)) = open.pop() else {
                        return Err(all.error_at(at, "a command or the end of the file"));
                    };
                    let (from, to) =
                        (all.elements.len() as u32, (all.elements.len() + pending.len() - first) as u32);
                    all.elements.extend(pending.drain(first..));
                    pending.push(all.push(Kind::List, start, from, to));
                    at += 1;
                }
                _ => {
                    let (kind, first, end, after) = all.atom(at)?;
                    pending.push(all.push(kind, at, first as u32, end as u32));
                    at = after;
                }
            }
            if open.is_empty() {
                all.roots.append(&mut pending);
            }
        }
        if let Some(&(start, _)) = open.last() {
            let found = "the end of the file";
            let Place::Line { line, column } = Place::in_text(text, start) else {
                unreachable!("text has lines")
            };
            let expected = format!("`)` for the `(` in line {line}, column {column}");
            return Err(Error::new(Place::in_text(text, text.len()), found, expected));
        }
        Ok(all)
    }
    fn push(&mut self, kind: Kind, at: usize, first: u32, end: u32) -> Id {
        self.nodes.push(Node { kind, at: at as u32, first, end });
        Id(self.nodes.len() as u32 - 1)
    }
    /// The atom at `at`: its kind, its first and last byte, and where the text goes on.
    fn atom(&self, at: usize) -> Result<(Kind, usize, usize, usize), Error> {
        let rest = &self.text[at..];
        match rest[0] {
            b'|' => {
                let length = rest[1..].iter().position(|&b| b == b'|');
                let length = length.ok_or_else(|| self.error_at(at, "a symbol that ends with `|`"))?;
                if rest[1..][..length].contains(&b'\\') {
                    return Err(self.error_at(at, "a symbol without backslash"));
                }
                self.utf8(at + 1, at + 1 + length)?;
                return Ok((Kind::Quoted, at + 1, at + 1 + length, at + length + 2));
            }
            b'"' => {
                let mut end = 1;
                loop {
                    match (rest.get(end), rest.get(end + 1)) {
                        (None, _) => return Err(self.error_at(at, "a string that ends with `\"`")),
                        (Some(b'"'), Some(b'"')) => end += 2,
                        (Some(b'"'), _) => return Ok((Kind::Text, at + 1, at + end, at + end + 1)),
                        _ => end += 1,
                    }
                }
            }
            _ => (),
        }
        let is_end = |b: &u8| b.is_ascii_whitespace() || b"()|\";".contains(b);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        let word = &rest[..length];
        let digits = |w: &[u8]| !w.is_empty() && w.iter().all(u8::is_ascii_digit);
        let kind = match word[0] {
            b':' if length > 1 => Kind::Keyword,
            b'#' if word.get(1) == Some(&b'x')
                && length > 2
                && word[2..].iter().all(u8::is_ascii_hexdigit) =>
            {
                Kind::Hexadecimal
            }
            b'#' if word.get(1) == Some(&b'b')
                && length > 2
                && word[2..].iter().all(|b| b"01".contains(b)) =>
            {
                Kind::Binary
            }
            b'#' => return Err(self.error_at(at, "a bit-vector such as #x1f or #b101")),
            b'0'..=b'9' if digits(word) => Kind::Numeral,
            b'0'..=b'9' => {
                let mut parts = word.splitn(2, |&b| b == b'.');
                if !parts.all(digits) {
                    return Err(
                        self.error_at(at, "a number such as 12 or 1.5, or a symbol in bars such as |1a|")
                    );
                }
                Kind::Decimal
            }
            _ if word.iter().all(|&b| b >= 0x80 || is_symbol(b)) => Kind::Symbol,
            _ => {
                return Err(
                    self.error_at(at, "a symbol; with other characters it is written in bars, as in |a b|")
                );
            }
        };
        self.utf8(at, at + length)?;
        Ok((kind, at, at + length, at + length))
    }
    fn utf8(&self, from: usize, to: usize) -> Result<(), Error> {
        match str::from_utf8(&self.text[from..to]) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.error_at(from + error.valid_up_to(), "a symbol in UTF-8")),
        }
    }
    fn error_at(&self, at: usize, expected: &str) -> Error {
        Error::new(Place::in_text(self.text, at), show(&self.text[at..]), expected)
    }

    pub fn roots(&self) -> &[Id] {
        &self.roots
    }
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }
    pub fn bytes(&self) -> &'t [u8] {
        self.text
    }
    /// Where it begins in the text.
    pub fn offset(&self, id: Id) -> usize {
        self.nodes[id.0 as usize].at as usize
    }
    pub fn kind(&self, id: Id) -> Kind {
        self.nodes[id.0 as usize].kind
    }
    /// Says in which line of the text an expression begins, counted from 1.
    pub fn lines(&self) -> impl Fn(Id) -> usize + '_ {
        let ends: Vec<usize> = (0..self.text.len()).filter(|&at| self.text[at] == b'\n').collect();
        move |id| 1 + ends.partition_point(|&end| end < self.offset(id))
    }
    pub fn place(&self, id: Id) -> Place {
        Place::in_text(self.text, self.offset(id))
    }
    /// The elements of a list; nothing of an atom.
    pub fn list(&self, id: Id) -> &[Id] {
        let node = self.nodes[id.0 as usize];
        if node.kind == Kind::List { &self.elements[node.first as usize..node.end as usize] } else { &[] }
    }
    /// The text of an atom, without bars and quotes; nothing of a list.
    pub fn text(&self, id: Id) -> &'t str {
        let node = self.nodes[id.0 as usize];
        match node.kind {
            Kind::List => "",
            _ => str::from_utf8(&self.text[node.first as usize..node.end as usize]).unwrap_or_default(),
        }
    }
    /// The symbol's name, if it is one.
    pub fn symbol(&self, id: Id) -> Option<&'t str> {
        matches!(self.kind(id), Kind::Symbol | Kind::Quoted).then(|| self.text(id))
    }
    /// Is it this word, not in bars?
    pub fn is_word(&self, id: Id, word: &str) -> bool {
        matches!(self.kind(id), Kind::Symbol | Kind::Keyword) && self.text(id) == word
    }
    /// The value of an attribute of `(! term :attribute value ...)`.
    pub fn attribute(&self, id: Id, keyword: &str) -> Option<Id> {
        let &[head, _, ref attributes @ ..] = self.list(id) else { return None };
        let value = |pair: &[Id]| self.is_word(pair[0], keyword).then_some(pair[1]);
        self.is_word(head, "!").then(|| attributes.windows(2).find_map(value)).flatten()
    }
    /// How it is shown in a message.
    pub fn show(&self, id: Id) -> String {
        let node = self.nodes[id.0 as usize];
        match node.kind {
            Kind::List => match self.list(id).first() {
                Some(&head) if self.kind(head) != Kind::List => {
                    format!("`({} ...)`", shortened(self.text(head)))
                }
                Some(_) => "`((...) ...)`".into(),
                None => "`()`".into(),
            },
            Kind::Text => format!("the string \"{}\"", shortened(self.text(id))),
            _ => format!("`{}`", shortened(self.text(id))),
        }
    }
    /// Here is something else than what was expected.
    pub fn error(&self, id: Id, expected: impl Into<String>) -> Error {
        Error::new(self.place(id), self.show(id), expected)
    }
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/:'`,{}[]".contains(&byte)
}

/// A name in a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut chars = text.chars();
    let mut short: String =
        chars.by_ref().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() {
        short += "...";
    }
    short
}
