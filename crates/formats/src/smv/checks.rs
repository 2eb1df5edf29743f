//! Can it go wrong? Expressions that have no value for some values of their variables, and assignments of what a variable cannot be.
//!
//! Such a condition is decided by trying values: a variable of few values is replaced by each of them, and what is left is simplified. What takes too long, or
//! depends on variables of too many values, of which only a few are tried, remains open, and is told as a note.

use super::elaborate::{Elaborator, VarType};
use super::show::shown;
use super::syntax::ExprId;
use super::values::Encoding;
use crate::Error;
use indubit_term::{BigInt, BigRational, Sort, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// How an expression can fail.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// No condition of a `case` holds.
    Case,
    Division,
    /// An index is not in this range.
    Index(i64, i64),
    /// A word of this width is shifted by more.
    Shift(u32),
    /// A variable gets what it cannot be.
    Range(String),
}

impl Failure {
    /// What is wrong: always, or for some values of the variables.
    fn message(&self, is_always: bool) -> (String, &'static str) {
        let (what, expected) = match self {
            Failure::Case => (
                "a `case` in which no condition holds".into(),
                "conditions for all values, such as `TRUE : …;` at the end",
            ),
            Failure::Division => ("a division by zero".into(), "a divisor that is never 0"),
            Failure::Index(low, high) => {
                (format!("an index that is not in {low}..{high}"), "one that is inside of the array")
            }
            Failure::Shift(width) => (
                format!("a shift of a word of {width} bits by less than 0 or more than {width}"),
                "one by 0 up to the width",
            ),
            Failure::Range(name) => (
                format!("a value that `{name}` cannot have"),
                "values of its type only, as `mod` or a `case` with a condition makes them",
            ),
        };
        let when = if is_always { "" } else { " for some values of the variables" };
        (what + when, expected)
    }
}

/// What may fail, and where.
#[derive(Clone, Debug)]
pub(super) struct Source {
    condition: Term,
    at: usize,
    failure: Failure,
}

/// Can a formula be true?
pub(super) enum Answer {
    No,
    Yes(FxHashMap<Term, Value>),
    Open,
}

/// So many nodes of terms are looked at to decide one condition.
const MOST_WORK: usize = 400_000;

/// A variable of at most so many values is replaced by all of them.
const MOST_TRIED: usize = 1024;

impl Elaborator<'_> {
    /// What is looked at fails where a condition holds.
    pub fn fails_if(&mut self, condition: Term, id: ExprId, failure: Failure) {
        if condition == self.never {
            return;
        }
        self.sources.push(Source { condition, at: self.file.node(id).at, failure });
        self.fails = self.terms.or(&[self.fails, condition]);
    }
    /// Failures so far, and those since they were taken away, where a condition holds.
    pub fn with_failures(&mut self, before: Term, condition: Term) -> Term {
        let inner = std::mem::replace(&mut self.fails, self.never);
        if inner == self.never {
            return before;
        }
        let inner = self.terms.and(&[condition, inner]);
        self.terms.or(&[before, inner])
    }
    /// What was looked at last must not fail.
    pub fn check_failures(&mut self) -> Result<(), Error> {
        let fails = std::mem::replace(&mut self.fails, self.never);
        match self.satisfy(fails) {
            Answer::No => Ok(()),
            answer => {
                let is_so = |source: &&Source| match &answer {
                    Answer::Yes(values) => {
                        let value = |var: Term| match values.get(&var) {
                            Some(value) => value.clone(),
                            None => Value::zero(self.terms.sort(var)),
                        };
                        self.terms.holds(source.condition, &value) == Ok(true)
                    }
                    _ => false,
                };
                let source = self.sources.iter().find(is_so).or(self.sources.last());
                let Some(Source { at, failure, .. }) = source.cloned() else { return Ok(()) };
                self.told(at, &failure, &answer)
            }
        }
    }
    /// Something must not happen. What is not certain has to be excluded by whoever asks: then the answer is false.
    pub fn never_happens(&mut self, condition: Term, id: ExprId, failure: Failure) -> Result<bool, Error> {
        match self.satisfy(condition) {
            Answer::No => Ok(true),
            answer => {
                let at = self.file.node(id).at;
                self.told(at, &failure, &answer)?;
                Ok(false)
            }
        }
    }
    fn told(&mut self, at: usize, failure: &Failure, answer: &Answer) -> Result<(), Error> {
        let (found, expected) = failure.message(matches!(answer, Answer::Yes(values) if values.is_empty()));
        if let Answer::Yes(values) = answer {
            return Err(self.error_at(at, format!("{found}{}", self.example(values)), expected));
        }
        let line = self.line(at);
        let then = match failure {
            Failure::Case => "where no condition holds, the last value is taken",
            Failure::Range(_) => "such a step is taken to be impossible",
            _ => "what the value is then is not said",
        };
        self.notes.push(format!("line {line}: this may be {found}, which could not be excluded; {then}"));
        Ok(())
    }
    /// Some of these values, in the words of the model.
    fn example(&self, values: &FxHashMap<Term, Value>) -> String {
        const MOST: usize = 6;
        let mut told: Vec<(usize, bool, String)> = Vec::new();
        for (term, value) in values {
            let Some(&index) = self.names.by_term.get(term) else { continue };
            let variable = &self.names.variables[index];
            let value = shown(&variable.r#type, self.encoding, value);
            let is_next = *term != variable.current;
            let name = if is_next { format!("next({})", variable.name) } else { variable.name.clone() };
            told.push((index, is_next, format!("{name} = {value}")));
        }
        told.sort_unstable();
        let more = if told.len() > MOST { ", …" } else { "" };
        let told: Vec<String> = told.into_iter().take(MOST).map(|(.., text)| text).collect();
        if told.is_empty() { String::new() } else { format!(", such as {}{more}", told.join(", ")) }
    }
    /// Is a formula true for some values of its variables, each of its type?
    pub fn satisfy(&self, formula: Term) -> Answer {
        match self.terms.as_bool(formula) {
            Some(false) => return Answer::No,
            Some(true) => return Answer::Yes(FxHashMap::default()),
            None => (),
        }
        let (mut terms, copies, formula) = copy(&self.terms, formula);
        let mut tried: FxHashMap<Term, (Vec<Value>, bool)> = FxHashMap::default();
        let (mut constants, mut is_known) = (Vec::new(), false);
        for (&old, &new) in copies.iter().filter(|(_, new)| terms.is_var(**new)) {
            let values = match self.names.by_term.get(&old) {
                Some(&index) => self.names.variables[index].r#type.all(self.encoding, MOST_TRIED),
                None => all_of_sort(terms.sort(new), MOST_TRIED),
            };
            let entry = values.map(|values| (values, true)).unwrap_or_else(|| {
                if !is_known {
                    constants = numbers(&terms, formula);
                    is_known = true;
                }
                (some_of_sort(terms.sort(new), &constants), false)
            });
            tried.insert(new, entry);
        }
        let back: FxHashMap<Term, Term> =
            copies.iter().filter(|(_, new)| terms.is_var(**new)).map(|(old, new)| (*new, *old)).collect();
        match search(&mut terms, formula, &tried) {
            Answer::Yes(values) => Answer::Yes(
                values.into_iter().filter_map(|(var, value)| Some((*back.get(&var)?, value))).collect(),
            ),
            other => other,
        }
    }
}

impl VarType {
    /// All values, if they are not too many.
    fn all(&self, encoding: Encoding, most: usize) -> Option<Vec<Value>> {
        match self {
            VarType::Range(range, None) => {
                range.len().filter(|&n| n <= most as u64)?;
                Some(range.values().map(|v| encoding.value(&v, range)).collect())
            }
            VarType::Range(range, Some(values)) => {
                (values.len() <= most).then(|| values.iter().map(|v| encoding.value(v, range)).collect())
            }
            VarType::Symbols(domain) => (domain.len() <= most).then(|| codes(encoding, domain.len())),
            other => all_of_sort(other.sort(encoding), most),
        }
    }
}

fn codes(encoding: Encoding, n: usize) -> Vec<Value> {
    let range = super::values::Range::new(0.into(), BigInt::from(n.max(1) - 1));
    range.values().map(|v| encoding.value(&v, &range)).collect()
}

fn all_of_sort(sort: Sort, most: usize) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(width) if width < 30 && 1usize << width <= most => {
            Some((0..1u32 << width).map(|v| Value::bits(width, v)).collect())
        }
        _ => None,
    }
}

/// A few values of a sort that has too many.
fn some_of_sort(sort: Sort, numbers: &[BigRational]) -> Vec<Value> {
    let mut values = Vec::new();
    match sort {
        Sort::Int | Sort::Real => {
            for number in numbers {
                for by in [-1, 0, 1] {
                    let value = number + BigRational::from_integer(BigInt::from(by));
                    let value = if sort == Sort::Int { value.floor() } else { value };
                    values.push(Value::number(sort, value));
                }
            }
            values.push(Value::zero(sort));
        }
        Sort::BitVec(width) => {
            let most = (indubit_term::BigUint::from(1u32) << width) - 1u32;
            values.extend([Value::zero(sort), Value::bits(width, 1u32), Value::bits(width, most)]);
        }
        _ => values.push(Value::zero(sort)),
    }
    let mut known = FxHashSet::default();
    values.retain(|value| known.insert(value.clone()));
    values
}

/// Numbers that occur in a formula.
fn numbers(terms: &Terms, formula: Term) -> Vec<BigRational> {
    const MOST: usize = 20;
    let mut found: Vec<BigRational> = terms
        .cone(&[formula])
        .into_iter()
        .filter(|&term| terms.sort(term).is_number())
        .filter_map(|term| terms.value(term)?.as_rational())
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found
}

/// A formula in a pool of its own.
fn copy(theirs: &Terms, formula: Term) -> (Terms, FxHashMap<Term, Term>, Term) {
    let mut terms = Terms::new();
    let mut copies: FxHashMap<Term, Term> = FxHashMap::default();
    for term in theirs.cone(&[formula]) {
        let copy = match (theirs.value(term), theirs.name(term)) {
            (Some(value), _) => terms.constant(value.clone()),
            (None, Some(name)) => terms.var(name, theirs.sort(term)),
            (None, None) => {
                let args: Vec<Term> = theirs.args(term).iter().map(|arg| copies[arg]).collect();
                terms.apply(theirs.op(term), &args).expect("a copy has the sorts of the original")
            }
        };
        copies.insert(term, copy);
    }
    let root = copies[&formula];
    (terms, copies, root)
}

/// A variable that is being tried: the formula before, and which value is next.
struct Trial {
    formula: Term,
    variable: Term,
    next: usize,
}

/// Try values, one variable after the other. What has been refuted once is not tried again.
fn search(terms: &mut Terms, formula: Term, tried: &FxHashMap<Term, (Vec<Value>, bool)>) -> Answer {
    let mut work = 0;
    let mut is_complete = true;
    let mut refuted: FxHashSet<Term> = FxHashSet::default();
    let mut trials: Vec<Trial> = Vec::new();
    let mut current = Some(formula);
    loop {
        if let Some(formula) = current.take() {
            match terms.as_bool(formula) {
                Some(true) => {
                    let value = |t: &Trial| (t.variable, tried[&t.variable].0[t.next - 1].clone());
                    return Answer::Yes(trials.iter().map(value).collect());
                }
                Some(false) => (),
                None if refuted.contains(&formula) => (),
                None => {
                    let variables = terms.variables(&[formula]);
                    // Few values first; a choice between next values is made last.
                    let cheapest = variables.into_iter().min_by_key(|v| {
                        let (values, all) = &tried[v];
                        (!all, values.len())
                    });
                    let Some(variable) = cheapest else {
                        // Without variables it would be a constant, but for what is not computed.
                        return Answer::Open;
                    };
                    is_complete &= tried[&variable].1;
                    trials.push(Trial { formula, variable, next: 0 });
                }
            }
        }
        let Some(trial) = trials.last_mut() else {
            return if is_complete { Answer::No } else { Answer::Open };
        };
        let values = &tried[&trial.variable].0;
        if trial.next == values.len() {
            refuted.insert(trial.formula);
            trials.pop();
            continue;
        }
        let value = values[trial.next].clone();
        trial.next += 1;
        let (formula, variable) = (trial.formula, trial.variable);
        work += terms.cone(&[formula]).len();
        if work > MOST_WORK {
            return Answer::Open;
        }
        let value = terms.constant(value);
        let map: FxHashMap<Term, Term> = [(variable, value)].into_iter().collect();
        current = Some(terms.substitute(formula, &map));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::Op;

    #[test]
    fn values_are_tried_until_one_is_right() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(3));
        let b = terms.var("b", Sort::Bool);
        let five = terms.bits(3, 5u32);
        let small = terms.bv(Op::BvUlt, &[x, five]);
        let large = terms.not(small);
        let formula = terms.and(&[large, b]);
        let values = |n: u32| (0..n).map(|v| Value::bits(3, v)).collect::<Vec<_>>();
        let booleans = all_of_sort(Sort::Bool, 2).unwrap();
        let mut tried = FxHashMap::default();
        tried.insert(b, (booleans, true));
        tried.insert(x, (values(5), true));
        assert!(matches!(search(&mut terms, formula, &tried), Answer::No));
        tried.insert(x, (values(6), true));
        let Answer::Yes(found) = search(&mut terms, formula, &tried) else { panic!("x can be 5") };
        assert_eq!(found[&x], Value::bits(3, 5u32));
        tried.insert(x, (values(2), false));
        assert!(matches!(search(&mut terms, formula, &tried), Answer::Open));
    }
}
