//! Lemmas as people write them: one formula a line, over the names of a model.
//!
//! ```text
//! # x and y are numbers in two's complement.
//! def x := signed(x)
//! natural: x >= 0
//! signed(y) >= 1
//! !grant[0] | !grant[1]
//! state = 3 -> busy & "odd name"
//! ```
//!
//! **Lines.** `NAME: FORMULA` or `FORMULA` is a lemma. `def NAME := FORMULA` gives a name to a formula or a number, for the lines below; it
//! may be that of a signal, which it hides. `#` and `--` begin a comment.
//!
//! **Names** are those of latches, inputs, outputs, bad signals and constraints. `count` is all of `count[3]` … `count[0]` as a number, and
//! `count[3:2]` a part of it. Names with other characters than letters, digits and `_ . $ / \` are in double quotes or backquotes.
//! Signals without a name are `l3` (latch), `i0` (input), `o0`, `b0`, `c0` by their position, from 0; `@l3` is one even if another signal is
//! called `l3`.
//!
//! **Operators**, from those that bind least: `<->`, `->`, `|` (`or`), `^` (`xor`), `&` (`and`), comparisons `= != < <= > >=`, `+` and `-`, and `!`
//! (`not`). Numbers are unsigned; `signed(x)` reads a vector in two's complement. Arithmetic is exact and does not wrap around.
//!
//! [`read`] makes candidates for an invariant of it, [`write()`] writes an invariant so that it can be read back.
//!
//! # Models of words
//!
//! ```text
//! even: x mod 2 = 0
//! 2*x + y <= z - 3
//! r < 3/2 and (if urgent then r else s) >= 0.5
//! p: |an odd name| -> jobs >= 1
//! ```
//!
//! Lines, precedence and comments are the same, and [`read_words`] reads whatever [`word_text`](crate::word_text) prints of Booleans,
//! integers and reals. What is more:
//!
//! - `*`, `/`, `div` and `mod` bind more than `+` and less than the minus in front of something: `-x mod 2` is `(-x) mod 2`. `div` and `mod` are
//!   names where none of the two can stand. Numbers are exact, of up to 1000 digits; integers beside reals are reals. `floor(r)`;
//!   `if C then A else B`, where B goes on as long as it can.
//! - Names are those of state variables, as current values. In bars they may be anything, and `/` is in none without. `|` begins
//!   such a name where an operand is expected, and is the operator elsewhere.
//! - Bit-vectors are numbers, as vectors of bits are above; `x[3]` and `x[7:4]` are parts of `x` if no variable is called so. A constant may stand beside
//!   them, an integer variable may not.
//! - Of clauses with one predicate, the names are those of its arguments. With several, a lemma is `PREDICATE: FORMULA`, and says what holds
//!   of its arguments; then there are no definitions.
//! - An operand may be an expression of SMT-LIB that begins with `and`, `or`, `let` or a comparison, or is the negation of one.
//! - A text that begins with `(define-fun` is SMT-LIB as a whole: see `definitions.rs`.
//! - About a model in SMV, formulas are expressions of SMV: see `smv/lemmas.rs`.

mod circuit;
mod definitions;
mod lexer;
mod lines;
mod names;
mod parser;
mod places;
mod sum;
pub mod temporal;
mod terms;
mod vectors;
mod words;

use crate::invariant_text;
use crate::model::WordModel;
use crate::{Error, Place, load};
use circuit::Bits;
use indubit_logic::{Clause, Lit};
use indubit_system::{BitSystem, Claim, Formula, Invariant, Proof, Property, PropertyId};
use indubit_term::{Term, Terms};
pub(crate) use lexer::spell_word;
pub(crate) use names::{Meaning, Names, similar};
use parser::Parser;
use places::Places;
use std::fmt::Write;
use std::path::Path;
use temporal::Logic;
use terms::Words;
use words::Circuit;

/// More than formulas written by people or found by engines take, and less than memory.
const MOST_GATES: usize = 1 << 24;

/// A lemma as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// What the user calls it.
    pub name: Option<String>,
    /// The formula, without its name and comment.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The lemmas of a file.
#[derive(Clone, Debug)]
pub struct Lemmas {
    /// In the order of the file.
    pub lemmas: Vec<Lemma>,
    /// One clause a lemma, in that order.
    pub candidates: Invariant,
}

/// The lemmas in a file, about `model`.
pub fn read(path: &Path, model: &BitSystem) -> Result<Lemmas, Error> {
    parse(&load(path)?, model).map_err(|error| error.with_path(path))
}

/// The lemmas in a text, about `model`.
///
/// ```
/// use indubit_formats::lemmas;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// for name in ["go", "count[0]", "count[1]"] {
///     model.add_latch(name, Some(false));
/// }
/// let lemmas = lemmas::parse(b"small: count <= 2  # never 3\n", &model).unwrap();
/// assert_eq!((lemmas.lemmas[0].name.as_deref(), &*lemmas.lemmas[0].text), (Some("small"), "count <= 2"));
/// let error = lemmas::parse(b"cuont = 1 -> go", &model).unwrap_err();
/// assert!(error.to_string().ends_with("expected the name of a signal or a definition (is it count?)"));
/// ```
pub fn parse(text: &[u8], model: &BitSystem) -> Result<Lemmas, Error> {
    let names = Names::new(model);
    let mut parser = Parser::new(Bits::new(&names, Circuit::new(model.aig().clone(), MOST_GATES)));
    let (lemmas, roots) = lines::read(without_mark(text), &mut parser)?;
    Ok(Lemmas { lemmas, candidates: candidates(model, &parser.target.circuit, &roots) })
}

/// The text without the mark of its byte order.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The lemmas of a file about a model of words.
#[derive(Clone, Debug)]
pub struct WordLemmas {
    /// In the order of the file.
    pub lemmas: Vec<Lemma>,
    /// The terms of the model's system, and more.
    pub terms: Terms,
    /// One formula a lemma, in that order, over current state variables.
    pub candidates: Vec<Term>,
}

/// The lemmas in a file, about a model of words.
pub fn read_words(path: &Path, model: &WordModel) -> Result<WordLemmas, Error> {
    parse_words(&load(path)?, model).map_err(|error| error.with_path(path))
}

/// The lemmas in a text, about a model of words.
///
/// ```
/// use indubit_formats::{lemmas, model::WordModel};
/// use indubit_system::WordSystem;
/// use indubit_term::Sort;
/// let mut system = WordSystem::new();
/// let [x, y] = ["x", "y"].map(|name| system.add_state(name, Sort::Int).current);
/// let read = lemmas::parse_words(b"even: x mod 2 = 0\n2*x <= y + 1", &WordModel::Vmt(system.clone())).unwrap();
/// assert_eq!((read.lemmas[0].name.as_deref(), read.lemmas[1].line), (Some("even"), 2));
/// assert!(read.terms.extends(&system.terms) && read.terms.variables(&read.candidates) == [x, y]);
/// let error = lemmas::parse_words(b"x & y = 1", &WordModel::Vmt(system)).unwrap_err();
/// assert!(error.to_string().contains("found `x`, of sort Int, expected a formula"));
/// ```
pub fn parse_words(text: &[u8], model: &WordModel) -> Result<WordLemmas, Error> {
    let text = without_mark(text);
    if let WordModel::Smv(model) = model
        && !definitions::are_definitions(text)
    {
        let (lemmas, terms, candidates) = model.formulas(text, false)?;
        return Ok(WordLemmas { lemmas, terms, candidates });
    }
    let mut terms = model.system().terms.clone();
    let places = Places::of_lemmas(model, &mut terms);
    if definitions::are_definitions(text) {
        let (lemmas, candidates) = definitions::read(text, &places, &mut terms)?;
        return Ok(WordLemmas { lemmas, terms, candidates });
    }
    let mut parser = Parser::new(Words::new(&places, terms, text.len()));
    let (lemmas, candidates) = lines::read(text, &mut parser)?;
    Ok(WordLemmas { lemmas, terms: parser.target.terms, candidates })
}

/// Add a cover to a model: a formula in the language of lemmas, with a name before a colon if it is to have one of its own.
///
/// ```
/// use indubit_formats::lemmas;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// let a = model.add_latch("a", Some(false));
/// lemmas::add_cover(&mut model, "seen: !a").unwrap();
/// assert_eq!(model.properties()[0].title(), "seen (cover0)");
/// assert_eq!(model.properties()[0].claim.target(), Some(!a));
/// ```
pub fn add_cover(model: &mut BitSystem, text: &str) -> Result<(), Error> {
    let names = Names::new(model);
    let mut parser = Parser::new(Bits::new(&names, Circuit::new(model.aig().clone(), MOST_GATES)));
    let (lemma, root) = one(lines::read(text.as_bytes(), &mut parser)?)?;
    let aig = parser.target.circuit.aig;
    *model.aig_mut() = aig;
    model.add_cover(&lemma.name.unwrap_or(lemma.text), root);
    Ok(())
}

/// Add a cover to a model of words, as [`add_cover`] does. It may be about inputs, too; of clauses with several predicates it is about the one
/// before the colon.
pub fn add_word_cover(model: &mut WordModel, text: &str) -> Result<(), Error> {
    if let WordModel::Smv(smv) = model {
        let (lemmas, terms, goals) = smv.formulas(text.as_bytes(), true)?;
        let (lemma, goal) = one((lemmas, goals))?;
        smv.system.terms = terms;
        smv.system.add_cover(&lemma.name.unwrap_or(lemma.text), goal);
        return Ok(());
    }
    let mut terms = model.system().terms.clone();
    let places = Places::of_covers(model, &mut terms);
    let is_named = places.spots.len() == 1;
    let mut parser = Parser::new(Words::new(&places, terms, text.len()));
    let (lemma, goal) = one(lines::read(text.as_bytes(), &mut parser)?)?;
    let terms = parser.target.terms;
    let name = match lemma.name {
        Some(name) if is_named => name,
        Some(place) => format!("{place}: {}", lemma.text),
        None => lemma.text,
    };
    let system = model.system_mut();
    system.terms = terms;
    system.add_cover(&name, goal);
    Ok(())
}

/// Add a claim in temporal logic to a model: a formula as [`temporal`] reads it.
pub fn add_ltl(model: &mut BitSystem, text: &str) -> Result<(), Error> {
    let formula = over_bits(model, text)?;
    let id = PropertyId::Ltl(next_number(&model.specs, ltl_number));
    model.specs.push(Property::new(id, text.trim(), Claim::Ltl(formula)));
    Ok(())
}

/// Add a claim in computation tree logic to a model, as [`add_ltl`] does.
pub fn add_ctl(model: &mut BitSystem, text: &str) -> Result<(), Error> {
    let formula = over_bits(model, text)?;
    let id = PropertyId::Ctl(next_number(&model.specs, ctl_number));
    model.specs.push(Property::new(id, text.trim(), Claim::Ctl(formula)));
    Ok(())
}

/// Add a claim in temporal logic to a model of words, as [`add_ltl`] does. It may be about inputs, too.
pub fn add_word_ltl(model: &mut WordModel, text: &str) -> Result<(), Error> {
    let formula = over_words(model, text)?;
    let properties = &mut model.system_mut().properties;
    let id = PropertyId::Ltl(next_number(properties, ltl_number));
    properties.push(Property::new(id, text.trim(), Claim::Ltl(formula)));
    Ok(())
}

/// Add a claim in computation tree logic to a model of words, as [`add_word_ltl`] does.
pub fn add_word_ctl(model: &mut WordModel, text: &str) -> Result<(), Error> {
    let formula = over_words(model, text)?;
    let properties = &mut model.system_mut().properties;
    let id = PropertyId::Ctl(next_number(properties, ctl_number));
    properties.push(Property::new(id, text.trim(), Claim::Ctl(formula)));
    Ok(())
}

/// A formula of a temporal logic over edges of the circuit, which has more gates then.
fn over_bits<N: Logic>(model: &mut BitSystem, text: &str) -> Result<Formula<Lit, N>, Error> {
    let names = Names::new(model);
    let mut parser = Parser::new(Bits::new(&names, Circuit::new(model.aig().clone(), MOST_GATES)));
    let read = |atom: &str| step(lines::read(atom.as_bytes(), &mut parser)?);
    let formula =
        temporal::understood(text, read, |lit| (lit.var() == Lit::TRUE.var()).then_some(*lit == Lit::TRUE))?;
    let aig = parser.target.circuit.aig;
    *model.aig_mut() = aig;
    Ok(formula)
}

/// A formula of a temporal logic over terms, of which there are more then.
fn over_words<N: Logic>(model: &mut WordModel, text: &str) -> Result<Formula<Term, N>, Error> {
    let truth = model.system_mut().terms.bool(true);
    let lie = model.system_mut().terms.bool(false);
    let constant = |term: &Term| (*term == truth || *term == lie).then_some(*term == truth);
    if let WordModel::Smv(smv) = model {
        if smv.has_compassion() {
            let found = "a formula that is not in the file, about a model with COMPASSION";
            return Err(Error::new(Place::None, found, "one in the file, which knows of that"));
        }
        let read = |atom: &str| {
            let (lemmas, terms, goals) = smv.formulas(atom.as_bytes(), true)?;
            smv.system.terms = terms;
            step((lemmas, goals))
        };
        return temporal::understood(text, read, constant);
    }
    let mut terms = model.system().terms.clone();
    let places = Places::of_covers(model, &mut terms);
    let mut parser = Parser::new(Words::new(&places, terms, text.len()));
    let read = |atom: &str| step(lines::read(atom.as_bytes(), &mut parser)?);
    let formula = temporal::understood(text, read, constant)?;
    let terms = parser.target.terms;
    model.system_mut().terms = terms;
    Ok(formula)
}

fn ltl_number(id: PropertyId) -> Option<usize> {
    if let PropertyId::Ltl(number) = id { Some(number) } else { None }
}

pub(crate) fn ctl_number(id: PropertyId) -> Option<usize> {
    if let PropertyId::Ctl(number) = id { Some(number) } else { None }
}

/// A number that no formula of a logic has: those of SMV have the numbers of all specifications.
pub(crate) fn next_number<F>(properties: &[Property<F>], number: fn(PropertyId) -> Option<usize>) -> usize {
    properties.iter().filter_map(|p| Some(number(p.id)? + 1)).max().unwrap_or(0)
}

/// The only formula of a text, about one step.
fn step<F>(read: (Vec<Lemma>, Vec<F>)) -> Result<F, Error> {
    one(read).map(|(_, formula)| formula)
}

/// The only formula of a text.
fn one<F>((mut lemmas, mut formulas): (Vec<Lemma>, Vec<F>)) -> Result<(Lemma, F), Error> {
    match (lemmas.pop(), formulas.pop(), lemmas.len()) {
        (Some(lemma), Some(formula), 0) => Ok((lemma, formula)),
        _ => Err(Error::new(Place::None, "no formula, or several", "one formula")),
    }
}

/// One clause for each root: what has been built on top of the model's circuit are additional gates.
fn candidates(model: &BitSystem, circuit: &Circuit, roots: &[Lit]) -> Invariant {
    let mut candidates = Invariant::new(model.aig().n_vars());
    for (gate, [a, b]) in circuit.aig.ands().filter(|(gate, _)| gate.index() >= model.aig().n_vars()) {
        let copy = candidates.and(a, b);
        debug_assert_eq!(copy.var(), gate, "formulas have no leaves of their own");
    }
    roots.iter().for_each(|&root| candidates.add(Clause::new([root])));
    candidates
}

/// An invariant of `model` as lemmas, one a line, after the definitions of what they have in common; `title` is the comment in the first line.
pub fn write(model: &BitSystem, invariant: &Invariant, title: &str) -> String {
    let names = Names::new(model);
    let spellings = names.spellings();
    // No signal begins like this, so none is hidden by a definition.
    let mut prefix = String::from("gate");
    while spellings.values().any(|label| label.text.starts_with(&prefix)) {
        prefix.push('_');
    }
    let (definitions, lemmas) = invariant_text::definitions_and_lemmas(model, invariant, spellings, &prefix);
    let mut text = String::new();
    for line in title.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for (name, formula) in definitions {
        let _ = writeln!(text, "def {name} := {formula}");
    }
    for lemma in lemmas {
        let _ = writeln!(text, "{lemma}");
    }
    text
}

/// The invariants of proofs as one file of lemmas, as [`write()`] does it; `None` if one of them has none.
pub fn write_proofs<'p>(
    model: &BitSystem,
    proofs: impl IntoIterator<Item = &'p Proof>,
    title: &str,
) -> Option<String> {
    let mut all = Invariant::new(model.aig().n_vars());
    for proof in proofs {
        match proof {
            Proof::Inductive(_) | Proof::KInductive { k: 1, simple_path: None, .. } => {
                proof.invariant().conjoin_to(&mut all, Lit::positive);
            }
            Proof::KInductive { .. } | Proof::Ranked(_) => return None,
        }
    }
    Some(write(model, &all, title))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod word_tests;
