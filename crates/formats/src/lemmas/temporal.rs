//! Formulas of temporal logic over what the language of lemmas says of a step: `G (request -> F count = 3)`.
//!
//! Operators, from those that bind least: `->` (to the right), `<->`, `|` (`or`), `^` (`xor`), `&` (`and`), then `U` (until), `V` or `R` (release), `S` (since), `T` (triggered), and before a
//! formula `!` (`not`), `X` (next), `F` (some time), `G` (always), `Y` (in the step before, and there is one), `Z` (in the step before, if there is one), `O` (once), `H` (historically).
//! `F [1,3]`, and so `G`, `O` and `H`, count steps. All else is a formula about one step; a signal that is called like an operator is in double quotes.
//!
//! Of branching time the operators are `AX EX AF EF AG EG` before a formula, of which `AF`, `EF`, `AG` and `EG` may count steps, and `A [p U q]` and `E [p U q]`, with `R` or `V` (release) and `W` (weak
//! until) as well. All else is the same.

use crate::{Error, Place};
use indubit_system::{
    Ctl, CtlBuilder, CtlNode, Formula, FormulaBuilder, FormulaNode, Ltl, LtlBuilder, LtlNode, NodeId,
};

/// So deep formulas may be nested.
const DEEPEST: usize = 200;
/// So many steps a bound may count.
const LONGEST: u32 = 1000;

/// A logic, by its own operators.
pub(super) trait Logic: FormulaNode {
    /// Words that begin a formula.
    const PREFIX: &[&str];
    /// Words that stand between two formulas.
    const INFIX: &[&str];
    /// An operand that begins with one of our words, which has been taken.
    fn operand(word: &str, parser: &mut Parser<'_, Self>) -> Result<NodeId, Error>;
    /// Formulas with what binds more than `&` between them.
    fn chain(parser: &mut Parser<'_, Self>) -> Result<NodeId, Error>;
}

impl Logic for LtlNode {
    const PREFIX: &[&str] = &["X", "F", "G", "Y", "Z", "O", "H"];
    const INFIX: &[&str] = &["U", "V", "R", "S", "T"];

    fn operand(word: &str, parser: &mut Parser<'_, LtlNode>) -> Result<NodeId, Error> {
        let bounds = if ["F", "G", "O", "H"].contains(&word) { parser.bounds()? } else { None };
        let inner = parser.unary()?;
        let builder = &mut parser.builder;
        Ok(match (word, bounds) {
            ("X", _) => builder.next(inner),
            ("Y", _) => builder.yesterday(inner),
            ("Z", _) => builder.weak_yesterday(inner),
            ("F", None) => builder.finally(inner),
            ("G", None) => builder.globally(inner),
            ("O", None) => builder.once(inner),
            ("F", Some((from, to))) => builder.finally_within(from, to, inner),
            ("G", Some((from, to))) => builder.globally_within(from, to, inner),
            ("O", Some((from, to))) => builder.once_within(from, to, inner),
            (_, None) => builder.historically(inner),
            (_, Some((from, to))) => builder.historically_within(from, to, inner),
        })
    }
    fn chain(parser: &mut Parser<'_, LtlNode>) -> Result<NodeId, Error> {
        let mut formula = parser.unary()?;
        while let Some(operator) = parser.takes(Self::INFIX) {
            let other = parser.unary()?;
            formula = match operator {
                "U" => parser.builder.until(formula, other),
                "S" => parser.builder.since(formula, other),
                "T" => parser.builder.triggered(formula, other),
                _ => parser.builder.release(formula, other),
            };
        }
        Ok(formula)
    }
}

impl Logic for CtlNode {
    const PREFIX: &[&str] = &["AX", "EX", "AF", "EF", "AG", "EG", "A", "E"];
    const INFIX: &[&str] = &["U", "R", "V", "W"];

    fn operand(word: &str, parser: &mut Parser<'_, CtlNode>) -> Result<NodeId, Error> {
        if let "A" | "E" = word {
            let example = || format!("`[`, as in {word} [p U q]");
            parser.takes(&["["]).ok_or_else(|| parser.unexpected(&example()))?;
            let first = parser.implication()?;
            let operator = parser.takes(Self::INFIX);
            let operator = operator
                .ok_or_else(|| parser.unexpected("an operator, or U, R or W between two formulas"))?;
            let second = parser.implication()?;
            parser.takes(&["]"]).ok_or_else(|| parser.unexpected("an operator or `]`"))?;
            let make = match (word, operator) {
                ("A", "U") => CtlBuilder::all_until,
                (_, "U") => CtlBuilder::exists_until,
                ("A", "W") => CtlBuilder::all_weak_until,
                (_, "W") => CtlBuilder::exists_weak_until,
                ("A", _) => CtlBuilder::all_release,
                (_, _) => CtlBuilder::exists_release,
            };
            return Ok(make(&mut parser.builder, first, second));
        }
        let bounds = if word.ends_with('X') { None } else { parser.bounds()? };
        let inner = parser.unary()?;
        let builder = &mut parser.builder;
        Ok(match (word, bounds) {
            ("AX", _) => builder.all_next(inner),
            ("EX", _) => builder.exists_next(inner),
            ("AF", None) => builder.all_finally(inner),
            ("EF", None) => builder.exists_finally(inner),
            ("AG", None) => builder.all_globally(inner),
            ("AF", Some((from, to))) => builder.all_finally_within(from, to, inner),
            ("EF", Some((from, to))) => builder.exists_finally_within(from, to, inner),
            ("AG", Some((from, to))) => builder.all_globally_within(from, to, inner),
            (_, None) => builder.exists_globally(inner),
            (_, Some((from, to))) => builder.exists_globally_within(from, to, inner),
        })
    }
    fn chain(parser: &mut Parser<'_, CtlNode>) -> Result<NodeId, Error> {
        parser.unary()
    }
}

/// A formula whose atoms are texts in the language of lemmas.
///
/// ```
/// use indubit_formats::lemmas::temporal;
/// let formula = temporal::parse("G (request & x + 1 < 3 -> F [1,2] granted)").unwrap();
/// assert_eq!(formula.atoms(), ["request", "x + 1 < 3", "granted"]);
/// assert!(temporal::parse("F").unwrap_err().to_string().contains("expected a formula"));
/// ```
pub fn parse(text: &str) -> Result<Ltl<String>, Error> {
    let (builder, root): (LtlBuilder<Atom>, _) = parsed(text)?;
    Ok(builder.finish(root).map(|atom| atom.text.clone()))
}

/// A formula of branching time whose atoms are texts in the language of lemmas.
///
/// ```
/// use indubit_formats::lemmas::temporal;
/// let formula = temporal::parse_ctl("AG (request & x + 1 < 3 -> A [busy U granted])").unwrap();
/// assert_eq!(formula.atoms(), ["request", "x + 1 < 3", "busy", "granted"]);
/// assert!(temporal::parse_ctl("A p U q").unwrap_err().to_string().contains("as in A [p U q]"));
/// ```
pub fn parse_ctl(text: &str) -> Result<Ctl<String>, Error> {
    let (builder, root): (CtlBuilder<Atom>, _) = parsed(text)?;
    Ok(builder.finish(root).map(|atom| atom.text.clone()))
}

/// A formula whose atoms mean something: what `read` makes of their texts, and which of these are constant.
pub(super) fn understood<F: Clone + PartialEq, N: Logic>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<F, Error>,
    constant: impl Fn(&F) -> Option<bool>,
) -> Result<Formula<F, N>, Error> {
    let (builder, root): (FormulaBuilder<Atom, N>, _) = parsed(text)?;
    let formula =
        builder.finish(root).try_map(|atom| read(&atom.text).map_err(|error| atom.in_formula(error)))?;
    let mut builder = FormulaBuilder::new();
    let root = builder.add(&formula, |builder, atom| match constant(atom) {
        Some(value) => builder.constant(value),
        None => builder.atom(atom.clone()),
    });
    Ok(builder.finish(root))
}

fn parsed<N: Logic>(text: &str) -> Result<(FormulaBuilder<Atom, N>, NodeId), Error> {
    let tokens = tokens::<N>(text)?;
    let mut parser = Parser { text, tokens, at: 0, builder: FormulaBuilder::new(), depth: 0 };
    let root = parser.implication()?;
    match parser.peek() {
        None => Ok((parser.builder, root)),
        Some(_) => Err(parser.unexpected("an operator, or the end of the formula")),
    }
}

/// What is about one step, and where it stands first; equal texts are one atom.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    text: String,
    begin: usize,
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.text == other.text
    }
}

impl Atom {
    /// An error about the text, with its place in the whole formula.
    fn in_formula(&self, error: Error) -> Error {
        match (error.place(), error.found(), error.expected()) {
            (Place::Line { line: 1, column }, Some(found), Some(expected)) => {
                Error::new(Place::Line { line: 1, column: column + self.begin }, found, expected)
            }
            _ => error,
        }
    }
}

/// A piece of text: a name, a number, an operator, a parenthesis.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    begin: usize,
}

fn tokens<N: Logic>(text: &str) -> Result<Vec<Token<'_>>, Error> {
    let is_word = |c: char| c.is_alphanumeric() || "_.$/\\@".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((begin, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = begin + c.len_utf8();
        // After an operand a bar is an operator; before one it begins a name.
        let after_operand = tokens.last().is_some_and(|t: &Token<'_>| ends_operand::<N>(t.text));
        if is_word(c) {
            while let Some(&(at, c)) = rest.peek().filter(|(_, c)| is_word(*c)) {
                end = at + c.len_utf8();
                rest.next();
            }
        } else if "\"`".contains(c) || c == '|' && !after_operand {
            match rest.by_ref().find(|(_, other)| *other == c) {
                Some((at, c)) => end = at + c.len_utf8(),
                None => return Err(Error::new(place(begin), "a name that does not end", "its last quote")),
            }
        } else {
            let known = ["<->", "->", "&&", "||", "<=", ">=", "!=", ":="];
            if let Some(operator) = known.iter().find(|operator| text[begin..].starts_with(**operator)) {
                end = begin + operator.len();
                rest.by_ref().take(operator.len() - 1).for_each(drop);
            }
        }
        tokens.push(Token { text: &text[begin..end], begin });
    }
    Ok(tokens)
}

fn place(offset: usize) -> Place {
    Place::Line { line: 1, column: offset + 1 }
}

fn ends_operand<N: Logic>(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || "_.$/\\@".contains(c));
    let is_operator =
        N::PREFIX.contains(&text) || N::INFIX.contains(&text) || ["and", "or", "not", "xor"].contains(&text);
    is_word && !is_operator
        || [")", "]"].contains(&text)
        || text.len() > 1 && text.starts_with(['"', '`', '|'])
}

/// A precedence parser.
pub(super) struct Parser<'t, N> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    builder: FormulaBuilder<Atom, N>,
    depth: usize,
}

impl<'t, N: Logic> Parser<'t, N> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(|token| token.text)
    }
    fn takes(&mut self, wanted: &[&str]) -> Option<&'t str> {
        let found = self.peek().filter(|text| wanted.contains(text))?;
        self.at += 1;
        Some(found)
    }
    fn unexpected(&self, wanted: &str) -> Error {
        let end = self.text.len();
        let (offset, found) = self
            .tokens
            .get(self.at)
            .map_or((end, "the end".to_owned()), |token| (token.begin, format!("`{}`", token.text)));
        Error::new(place(offset), found, wanted)
    }

    fn implication(&mut self) -> Result<NodeId, Error> {
        // To the right: collected first, so that a long chain needs no depth.
        let mut parts = vec![self.equivalence()?];
        while self.takes(&["->"]).is_some() {
            parts.push(self.equivalence()?);
        }
        let last = parts.pop().expect("there is one at least");
        Ok(parts.into_iter().rev().fold(last, |after, before| self.builder.implies(before, after)))
    }
    fn equivalence(&mut self) -> Result<NodeId, Error> {
        let mut formula = self.disjunction()?;
        while self.takes(&["<->"]).is_some() {
            let other = self.disjunction()?;
            formula = self.builder.iff(formula, other);
        }
        Ok(formula)
    }
    fn disjunction(&mut self) -> Result<NodeId, Error> {
        let mut formula = self.difference()?;
        while self.takes(&["|", "||", "or"]).is_some() {
            let other = self.difference()?;
            formula = self.builder.or(formula, other);
        }
        Ok(formula)
    }
    fn difference(&mut self) -> Result<NodeId, Error> {
        let mut formula = self.conjunction()?;
        while self.takes(&["^", "xor"]).is_some() {
            let other = self.conjunction()?;
            let same = self.builder.iff(formula, other);
            formula = self.builder.not(same);
        }
        Ok(formula)
    }
    fn conjunction(&mut self) -> Result<NodeId, Error> {
        let mut formula = N::chain(self)?;
        while self.takes(&["&", "&&", "and"]).is_some() {
            let other = N::chain(self)?;
            formula = self.builder.and(formula, other);
        }
        Ok(formula)
    }
    fn unary(&mut self) -> Result<NodeId, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new(
                Place::None,
                "a formula that is nested too deeply",
                format!("at most {DEEPEST} levels"),
            ));
        }
        let formula = self.operand();
        self.depth -= 1;
        formula
    }
    fn operand(&mut self) -> Result<NodeId, Error> {
        let begin = self.at;
        if let Some(word) = self.takes(N::PREFIX) {
            return N::operand(word, self);
        }
        if self.peek() == Some("(") && self.is_temporal(self.at) {
            self.at += 1;
            let formula = self.implication()?;
            return match self.takes(&[")"]) {
                Some(_) => Ok(formula),
                None => Err(self.unexpected("an operator or `)`")),
            };
        }
        if self.takes(&["!", "not"]).is_some() {
            if self.peek().is_some_and(|next| N::PREFIX.contains(&next)) || self.is_temporal(self.at) {
                let inner = self.unary()?;
                return Ok(self.builder.not(inner));
            }
            self.at = begin;
        }
        self.atom()
    }
    /// `[1,3]`.
    fn bounds(&mut self) -> Result<Option<(u32, u32)>, Error> {
        if self.takes(&["["]).is_none() {
            return Ok(None);
        }
        let from = self.number()?;
        self.takes(&[","]).ok_or_else(|| self.unexpected("`,` between two numbers of steps"))?;
        let to = self.number()?;
        self.takes(&["]"]).ok_or_else(|| self.unexpected("`]` after two numbers of steps"))?;
        Ok(Some((from, to)))
    }
    fn number(&mut self) -> Result<u32, Error> {
        let number = self.peek().and_then(|text| text.parse::<u32>().ok()).filter(|&n| n <= LONGEST);
        let number =
            number.ok_or_else(|| self.unexpected(&format!("a number of steps, at most {LONGEST}")))?;
        self.at += 1;
        Ok(number)
    }
    /// Is there a temporal operator between the parenthesis here, or after negations, and the one that closes it?
    fn is_temporal(&self, at: usize) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[at..] {
            match token.text {
                "(" => depth += 1,
                ")" if depth <= 1 => return false,
                ")" => depth -= 1,
                "!" | "not" if depth == 0 => (),
                text if depth == 0 => return N::PREFIX.contains(&text),
                text if N::PREFIX.contains(&text) || N::INFIX.contains(&text) => return true,
                _ => (),
            }
        }
        false
    }
    /// What the language of lemmas says, up to the next operator of ours.
    fn atom(&mut self) -> Result<NodeId, Error> {
        const OURS: [&str; 12] = ["->", "<->", "|", "||", "or", "^", "xor", "&", "&&", "and", ")", "]"];
        let begin = self.at;
        let mut depth = 0usize;
        while let Some(text) = self.peek() {
            match text {
                "(" | "[" => depth += 1,
                ")" | "]" if depth > 0 => depth -= 1,
                _ if depth == 0 && (OURS.contains(&text) || N::INFIX.contains(&text)) => break,
                _ => (),
            }
            self.at += 1;
        }
        if begin == self.at {
            return Err(self.unexpected("a formula"));
        }
        let last = self.tokens[self.at - 1];
        let begin = self.tokens[begin].begin;
        let text = self.text[begin..last.begin + last.text.len()].to_owned();
        Ok(self.builder.atom(Atom { text, begin }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) {
        let parsed = |text| parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed(a), parsed(b), "{a} and {b}");
    }

    #[test]
    fn precedence() {
        same("a & F b -> c U d", "(a & (F b)) -> (c U d)");
        same("G a -> F b -> c", "(G a) -> ((F b) -> c)");
        same("F x = 3 | X y < 2 & Y a", "(F x = 3) | ((X y < 2) & (Y a))");
        same("! F a U b", "(!(F a)) U b");
        same("F a <-> G b -> O c", "((F a) <-> (G b)) -> (O c)");
        same("a U b S c", "(a U b) S c");
        same("G F a", "G (F a)");
        same("!!G a", "G a");
        same("F [0,1] a", "a | X a");
    }

    #[test]
    fn atoms_are_left_to_the_language_of_lemmas() {
        let atoms = |text: &str| parse(text).unwrap().atoms().to_vec();
        assert_eq!(atoms("F (a + b) * 2 < 3"), ["(a + b) * 2 < 3"]);
        assert_eq!(atoms("G !a = b"), ["!a = b"]);
        assert_eq!(atoms("G (!(a & b) | F \"G\")"), ["!(a & b)", "\"G\""]);
        assert_eq!(atoms("F |odd name| | |G|"), ["|odd name|", "|G|"]);
        assert_eq!(atoms("F count[3:2] = 1 & mem[2] = 7"), ["count[3:2] = 1", "mem[2] = 7"]);
    }

    #[test]
    fn branching_time() {
        let parsed = |text: &str| parse_ctl(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (a, b) in [
            ("a -> AF b -> c", "a -> ((AF b) -> c)"),
            ("AG a & EF b | c", "((AG a) & (EF b)) | c"),
            ("a -> AF b <-> EG c", "a -> ((AF b) <-> (EG c))"),
            ("!EX a & b", "(!(EX a)) & b"),
            ("AG AF a", "AG (AF a)"),
            ("E [a | AX b U c -> EF d]", "E [(a | (AX b)) U (c -> (EF d))]"),
            ("A [E [a U b] W (AX c)] ^ d", "(A [(E [a U b]) W AX c]) ^ d"),
            ("A [a V b]", "A [a R b]"),
            ("EF [0,1] AX a", "AX a | EX AX a"),
        ] {
            assert_eq!(parsed(a), parsed(b), "{a} and {b}");
        }
        let atoms = |text: &str| parsed(text).atoms().to_vec();
        assert_eq!(atoms("E [count[3:2] = 1 U mem[2] < 7]"), ["count[3:2] = 1", "mem[2] < 7"]);
        assert_eq!(atoms("AG (!(a & b) | AF \"AF\" & X)"), ["!(a & b)", "\"AF\"", "X"]);
        let error = |text: &str| parse_ctl(text).unwrap_err().to_string();
        assert!(error("A p U q").contains("as in A [p U q]"));
        assert!(error("E [p]").contains("U, R or W"));
        assert!(error("E [p U q").contains("expected an operator or `]`"));
        assert!(error("AG").contains("expected a formula"));
        assert!(error(&"E [".repeat(10_000)).contains("nested too deeply"));
        assert!(
            parse("AG p").is_ok_and(|formula| formula.atoms() == ["AG p"]),
            "left to the language of lemmas"
        );
    }

    #[test]
    fn mistakes_are_told() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("G (F a").contains("expected an operator or `)`"));
        assert!(error("F [2] a").contains("`,` between"));
        assert!(error("F [2,99999] a").contains("at most 1000"));
        assert!(error("a U").contains("expected a formula"));
        assert!(error("G a)").contains("the end of the formula"));
        assert!(error("F \"a").contains("its last quote"));
        assert!(error(&"!F ".repeat(10_000)).contains("nested too deeply"));
        assert!(error(&"(F ".repeat(10_000)).contains("nested too deeply"));
    }
}
