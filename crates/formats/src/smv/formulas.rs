//! Invariants as expressions of SMV.
//!
//! What is said of one variable of few values is said by these values: `state in {idle, busy}`, `x <= 3`, and not by the bits that they are encoded in. A
//! clause or a conjunction is sorted by variables for that. Comparisons that the model has are written as there. What cannot be said so is written
//! as SMT-LIB over the encoding, in a comment.

use super::Smv;
use super::elaborate::VarType;
use super::show::{plain, real, shown, word};
use super::values::Range;
use crate::word_text;
use indubit_term::{BigInt, BigRational, Op, Sort, Sum, Term, Terms, Value};

/// Values of one variable are looked at if they are not more than this.
const MOST_VALUES: u64 = 256;

/// An expression of more terms is not looked at.
const MOST_TERMS: usize = 3000;

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Implies,
    Or,
    And,
    Comparison,
    Sum,
    Atom,
}

struct Text {
    text: String,
    bond: Bond,
}

fn text(bond: Bond, text: impl Into<String>) -> Option<Text> {
    Some(Text { text: text.into(), bond })
}

impl Text {
    fn within(self, least: Bond) -> String {
        if self.bond < least { format!("({})", self.text) } else { self.text }
    }
}

impl Smv {
    /// An invariant for people, as [`word_text::write`] does it, in the language of the model.
    pub fn text(&self, terms: &Terms, invariant: Term, limit: Option<usize>) -> String {
        let mut lines: Vec<String> =
            terms.conjuncts(invariant).into_iter().map(|conjunct| self.line(terms, conjunct)).collect();
        lines.sort_by_cached_key(|line| (line.chars().count(), line.clone()));
        lines.dedup();
        // What only says that variables have values of their types is true.
        lines.retain(|line| line != "TRUE");
        if lines.is_empty() {
            return "TRUE\n".into();
        }
        word_text::listed(lines, limit)
    }
    /// An invariant as lemmas, one a line, if SMV can say all of it.
    pub fn lemmas(&self, terms: &Terms, invariant: Term) -> Option<String> {
        let text = self.text(terms, invariant, None);
        text.lines().all(|line| !line.starts_with("--")).then_some(text)
    }
    fn line(&self, terms: &Terms, conjunct: Term) -> String {
        let is_small = terms.cone(&[conjunct]).len() <= MOST_TERMS;
        let printer = Printer { model: self, terms };
        match is_small.then(|| printer.formula(conjunct, false)).flatten() {
            Some(text) => text.text,
            None => format!("-- {}", terms.display(conjunct).sharing().to_string().replace('\n', " ")),
        }
    }
}

struct Printer<'m> {
    model: &'m Smv,
    terms: &'m Terms,
}

impl Printer<'_> {
    /// A formula, or its negation.
    fn formula(&self, term: Term, negated: bool) -> Option<Text> {
        self.made(term, negated).or_else(|| self.labelled(term, negated))
    }
    /// A formula, or its negation, by what it is made of.
    fn made(&self, term: Term, negated: bool) -> Option<Text> {
        if let Some(value) = self.terms.as_bool(term) {
            return text(Bond::Atom, if value != negated { "TRUE" } else { "FALSE" });
        }
        let args = self.terms.args(term);
        if self.terms.op(term) == Op::Not {
            return self.formula(args[0], !negated);
        }
        if let Some(set) = self.about_one(&[term], negated, true) {
            return Some(set);
        }
        match (self.terms.op(term), negated) {
            (Op::And, false) | (Op::Or, true) => self.junction(args, negated, true),
            (Op::Or, false) | (Op::And, true) => self.junction(args, negated, false),
            (Op::Var, _) => self.not(text(Bond::Atom, self.name(term)?)?, negated),
            (Op::Eq, _) if self.terms.sort(args[0]) == Sort::Bool => {
                let (a, b) = (self.formula(args[0], false)?, self.formula(args[1], negated)?);
                text(Bond::Implies, format!("{} <-> {}", a.within(Bond::Or), b.within(Bond::Or)))
            }
            (Op::Eq | Op::Le | Op::Lt, _) if self.terms.sort(args[0]).is_number() => {
                self.numbers(term, negated)
            }
            (Op::Eq | Op::BvUlt | Op::BvSlt, _) => self.comparison(term, negated),
            (Op::Select, _) => self.not(self.word(term, false)?, negated),
            _ => None,
        }
    }
    fn not(&self, inner: Text, negated: bool) -> Option<Text> {
        if negated { text(Bond::Atom, format!("!{}", inner.within(Bond::Atom))) } else { Some(inner) }
    }
    /// A name that SMV reads, which those made by the reader are not.
    fn name(&self, variable: Term) -> Option<String> {
        self.model.type_of(variable)?;
        self.terms.name(variable).map(str::to_owned)
    }
    /// A conjunction or a disjunction, what is about one variable together. With two parts or more a disjunction may be an implication.
    fn junction(&self, args: &[Term], negated: bool, is_and: bool) -> Option<Text> {
        let mut groups: Vec<(Option<Term>, Vec<Term>)> = Vec::new();
        for &arg in args {
            let variable = self.only_variable(arg);
            match groups.iter_mut().find(|(other, _)| variable.is_some() && *other == variable) {
                Some((_, group)) => group.push(arg),
                None => groups.push((variable, vec![arg])),
            }
        }
        let mut parts: Vec<String> = Vec::new();
        for (variable, group) in groups {
            let bond = if is_and { Bond::And } else { Bond::Comparison };
            let part = match variable.and_then(|_| self.about_one(&group, negated, is_and)) {
                Some(part) => part,
                None => {
                    for &arg in &group[..group.len() - 1] {
                        parts.push(self.formula(arg, negated)?.within(bond));
                    }
                    self.formula(*group.last()?, negated)?
                }
            };
            match (&*part.text, is_and) {
                ("TRUE", true) | ("FALSE", false) => (),
                ("FALSE", true) | ("TRUE", false) => return text(Bond::Atom, part.text),
                _ => parts.push(part.within(bond)),
            }
        }
        match (&parts[..], is_and) {
            ([], _) => text(Bond::Atom, if is_and { "TRUE" } else { "FALSE" }),
            // What a variable alone is bound like is not known any more; comparisons are the least.
            ([only], _) => text(Bond::Comparison, only.clone()),
            (_, true) => text(Bond::And, parts.join(" & ")),
            (_, false) => text(Bond::Or, parts.join(" | ")),
        }
    }
    /// The variable that a formula is about, if there is only one, and it has few values.
    fn only_variable(&self, formula: Term) -> Option<Term> {
        let &[variable] = &self.terms.variables(&[formula])[..] else { return None };
        self.values(variable).map(|_| variable)
    }
    /// The values of a range or an enumeration, and how they are written.
    fn values(&self, variable: Term) -> Option<Vec<Value>> {
        let encoding = self.model.encoding;
        match self.model.type_of(variable)? {
            VarType::Range(range, None) => {
                range.len().filter(|&n| n <= MOST_VALUES)?;
                Some(range.values().map(|v| encoding.value(&v, range)).collect())
            }
            VarType::Range(range, Some(values)) => (values.len() as u64 <= MOST_VALUES)
                .then(|| values.iter().map(|v| encoding.value(v, range)).collect()),
            VarType::Symbols(domain) => {
                let range = super::values::Encoding::codes(domain);
                range.len().filter(|&n| n <= MOST_VALUES)?;
                Some(range.values().map(|v| encoding.value(&v, &range)).collect())
            }
            _ => None,
        }
    }
    /// All or some of these formulas, or of their negations, as a set of values of the one variable that they are about.
    fn about_one(&self, formulas: &[Term], negated: bool, is_and: bool) -> Option<Text> {
        let variable = self.only_variable(formulas[0])?;
        let values = self.values(variable)?;
        let mut holds = Vec::new();
        for value in &values {
            let here =
                |var: Term| if var == variable { value.clone() } else { Value::zero(self.terms.sort(var)) };
            let mut each = formulas.iter().map(|&f| self.terms.holds(f, &here).ok().map(|h| h != negated));
            holds.push(match is_and {
                true => each.try_fold(true, |all, one| Some(all & one?))?,
                false => each.try_fold(false, |any, one| Some(any | one?))?,
            });
        }
        let r#type = self.model.type_of(variable)?;
        let name = self.name(variable)?;
        let show = |i: usize| shown(r#type, self.model.encoding, &values[i]);
        let chosen: Vec<usize> = (0..values.len()).filter(|&i| holds[i]).collect();
        let others: Vec<usize> = (0..values.len()).filter(|&i| !holds[i]).collect();
        let is_ordered = matches!(r#type, VarType::Range(..));
        let last = values.len() - 1;
        let is_run = |run: &[usize]| run.last().zip(run.first()).is_some_and(|(l, f)| l - f + 1 == run.len());
        let said = match (&chosen[..], &others[..]) {
            ([], _) => return text(Bond::Atom, "FALSE"),
            (_, []) => return text(Bond::Atom, "TRUE"),
            ([only], _) => format!("{name} = {}", show(*only)),
            (_, [only]) => format!("{name} != {}", show(*only)),
            ([0, .., high], _) if is_ordered && is_run(&chosen) => format!("{name} <= {}", show(*high)),
            ([low, .., high], _) if is_ordered && is_run(&chosen) && *high == last => {
                format!("{name} >= {}", show(*low))
            }
            ([low, .., high], _) if is_ordered && is_run(&chosen) => {
                format!("{name} in {}..{}", show(*low), show(*high))
            }
            _ => {
                let list: Vec<String> = chosen.iter().map(|&i| show(i)).collect();
                format!("{name} in {{{}}}", list.join(", "))
            }
        };
        text(Bond::Comparison, said)
    }
    /// A comparison of bit-vectors, which are integers or words.
    fn comparison(&self, term: Term, negated: bool) -> Option<Text> {
        let (op, args) = (self.terms.op(term), self.terms.args(term));
        let (mut a, mut b) = (args[0], args[1]);
        let mut relation = match (op, negated) {
            (Op::Eq, false) => "=",
            (Op::Eq, true) => "!=",
            (_, false) => "<",
            (_, true) => ">=",
        };
        if self.terms.value(a).is_some() {
            (a, b) = (b, a);
            relation = match relation {
                "<" => ">",
                ">=" => "<=",
                same => same,
            };
        }
        let sides = |signed: bool| Some((self.integer(a, signed)?, self.integer(b, signed)?));
        let integers = match op {
            Op::BvUlt => sides(false),
            Op::BvSlt => sides(true),
            _ => sides(false).or_else(|| sides(true)),
        };
        if let Some((a, b)) = integers {
            return text(Bond::Comparison, format!("{a} {relation} {b}"));
        }
        if let Some(found) = self.symbols(a, b, relation) {
            return Some(found);
        }
        if let Some(found) = self.labelled(term, negated) {
            return Some(found);
        }
        if let Some(bit) = self.bit_of_integer(a, b, relation) {
            return Some(bit);
        }
        let signed = op == Op::BvSlt;
        let one_bit = self.terms.sort(a) == Sort::BitVec(1) && op == Op::Eq;
        let (x, y) = (self.word(a, signed)?, self.word(b, signed)?);
        if let (true, Some(Value::Bits { value, .. })) = (one_bit, self.terms.value(b)) {
            let is_set = (value.bits() == 1) == (relation == "=");
            return self.not(text(Bond::Atom, format!("bool({})", x.text))?, !is_set);
        }
        text(Bond::Comparison, format!("{} {relation} {}", x.within(Bond::Sum), y.within(Bond::Sum)))
    }
    /// Two variables of one enumeration.
    fn symbols(&self, a: Term, b: Term, relation: &str) -> Option<Text> {
        match (self.model.type_of(a)?, self.model.type_of(b)?) {
            (VarType::Symbols(x), VarType::Symbols(y)) if x == y && matches!(relation, "=" | "!=") => {
                text(Bond::Comparison, format!("{} {relation} {}", self.name(a)?, self.name(b)?))
            }
            _ => None,
        }
    }
    /// A term that is an integer of a range.
    fn integer(&self, term: Term, signed: bool) -> Option<String> {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Const => match self.terms.value(term)? {
                value @ Value::Bits { width, .. } => {
                    Some(self.model.encoding.integer(value, &Range::of_words(*width, signed)).to_string())
                }
                _ => None,
            },
            Op::Var => match self.model.type_of(term)? {
                VarType::Range(range, _) if range.is_signed() == signed => self.name(term),
                _ => None,
            },
            Op::SignExtend(_) if signed => self.integer(args[0], true).filter(|_| !self.is_constant(args[0])),
            Op::Concat => {
                let is_zero =
                    self.terms.value(args[0]).is_some_and(|v| v.as_bits().is_some_and(|v| v.bits() == 0));
                if is_zero {
                    self.integer(args[1], false).filter(|_| !self.is_constant(args[1]))
                } else {
                    None
                }
            }
            _ => None,
        }
    }
    fn is_constant(&self, term: Term) -> bool {
        self.terms.value(term).is_some()
    }
    /// A bit of an integer of many values.
    fn bit_of_integer(&self, a: Term, b: Term, relation: &str) -> Option<Text> {
        let Op::Extract { high, low } = self.terms.op(a) else { return None };
        let variable = self.terms.args(a)[0];
        let VarType::Range(range, _) = self.model.type_of(variable)? else { return None };
        let bits = self.terms.value(b)?.as_bits()?.clone();
        let name = self.name(variable)?;
        // Whole periods do not change a bit.
        let base = match range.is_signed() {
            true => format!("({name} + {})", BigInt::from(1) << range.width()),
            false => name,
        };
        let modulus = BigInt::from(1) << (high - low + 1);
        let part = match low {
            0 => base,
            low => format!("{base} / {}", BigInt::from(1) << low),
        };
        text(Bond::Comparison, format!("{part} mod {modulus} {relation} {bits}"))
    }
    /// A term that is a word.
    fn word(&self, term: Term, signed: bool) -> Option<Text> {
        let args = self.terms.args(term);
        let between = |sign: &str| {
            let (a, b) = (self.word(args[0], false)?, self.word(args[1], false)?);
            text(Bond::Implies, format!("{} {sign} {}", a.within(Bond::Atom), b.within(Bond::Atom)))
        };
        let made = match self.terms.op(term) {
            Op::Const => {
                return match self.terms.value(term)? {
                    Value::Bits { width, value } => text(Bond::Atom, word(*width, value, signed)),
                    other => text(Bond::Atom, plain(other)),
                };
            }
            Op::Var => match self.model.type_of(term)? {
                VarType::Word { signed: own, .. } if *own == signed => {
                    return text(Bond::Atom, self.name(term)?);
                }
                VarType::Word { .. } => {
                    let function = if signed { "signed" } else { "unsigned" };
                    return text(Bond::Atom, format!("{function}({})", self.name(term)?));
                }
                VarType::Array(..) | VarType::Boolean => return text(Bond::Atom, self.name(term)?),
                _ => return None,
            },
            Op::Extract { high, low } => match self.terms.is_var(args[0]) {
                true if matches!(self.model.type_of(args[0])?, VarType::Word { .. }) => {
                    text(Bond::Atom, format!("{}[{high}:{low}]", self.name(args[0])?))?
                }
                true => return None,
                false => text(Bond::Atom, format!("({})[{high}:{low}]", self.word(args[0], false)?.text))?,
            },
            Op::SignExtend(by) => {
                let inner = self.word(args[0], true)?;
                let extended = format!("extend({}, {by})", inner.text);
                return text(Bond::Atom, if signed { extended } else { format!("unsigned({extended})") });
            }
            Op::Select => {
                let (array, index) = (self.word(args[0], false)?, self.word(args[1], false)?);
                text(Bond::Atom, format!("READ({}, {})", array.text, index.text))?
            }
            Op::Ite => {
                let (c, a, b) =
                    (self.formula(args[0], false)?, self.word(args[1], false)?, self.word(args[2], false)?);
                text(Bond::Atom, format!("({} ? {} : {})", c.within(Bond::And), a.text, b.text))?
            }
            Op::BvNot => text(Bond::Atom, format!("!{}", self.word(args[0], false)?.within(Bond::Atom)))?,
            Op::BvNeg => text(Bond::Implies, format!("-{}", self.word(args[0], false)?.within(Bond::Atom)))?,
            Op::BvAnd => between("&")?,
            Op::BvOr => between("|")?,
            Op::BvXor => between("xor")?,
            Op::BvAdd => between("+")?,
            Op::BvMul => between("*")?,
            Op::Concat => between("::")?,
            _ => return None,
        };
        match signed {
            true => text(Bond::Atom, format!("signed({})", made.text)),
            false => Some(made),
        }
    }
    /// A comparison of sums of unbounded integers, or reals.
    fn numbers(&self, atom: Term, negated: bool) -> Option<Text> {
        let is_equality = self.terms.op(atom) == Op::Eq;
        let found = self.terms.comparison(atom, negated && !is_equality)?;
        let relation = if is_equality && negated { "!=" } else { found.relation };
        let (left, right) = (self.sum(&found.left)?, self.sum(&found.right)?);
        text(Bond::Comparison, format!("{left} {relation} {right}"))
    }
    fn sum(&self, sum: &Sum) -> Option<String> {
        let (zero, one) = (BigRational::default(), BigRational::from_integer(1.into()));
        let mut said = String::new();
        let sign = |said: &mut String, number: &BigRational| {
            said.push_str(match (said.is_empty(), *number < zero) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            if *number < zero { -number } else { number.clone() }
        };
        for (base, factor) in &sum.monomials {
            let size = sign(&mut said, factor);
            let is_real_of = self.terms.op(*base) == Op::ToReal;
            let base = if is_real_of { self.terms.args(*base)[0] } else { *base };
            let is_number =
                matches!(self.model.type_of(base)?, VarType::Integer | VarType::Real | VarType::Range(..));
            let name = self.name(base).filter(|_| is_number)?;
            if size != one {
                said.push_str(&real(&size));
                said.push_str(" * ");
            }
            said.push_str(&name);
        }
        if sum.constant != zero || said.is_empty() {
            let size = sign(&mut said, &sum.constant);
            said.push_str(&real(&size));
        }
        Some(said)
    }
    /// What the model says itself, in its words.
    fn labelled(&self, term: Term, negated: bool) -> Option<Text> {
        let label = self.model.labels.get(&term)?;
        self.not(text(Bond::Implies, label.clone())?, negated)
    }
}
