//! Names and types: from modules to instances, and from names in an instance to what they stand for.
//!
//! An instance is a module with its parameters bound to expressions of the instance around it, which are looked at there. Nothing is copied as text: a definition
//! is made a term once for each instance, and used as often as one likes.

use super::checks::Source;
use super::evaluate::Context;
use super::slips;
use super::syntax::{Expr, ExprId, File, Section, Type, Word};
use super::values::{Constant, Domain, Encoding, Number, Range, Symbol, Val};
use crate::lemmas::similar;
use crate::{Error, Place};
use indubit_system::WordSystem;
use indubit_term::{ArraySort, BigInt, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Terms beyond this are too many.
const MOST_TERMS: usize = 1 << 24;

/// Values that are compared or chosen from beyond this are too many.
const MOST_WORK: u64 = 1 << 23;

/// An enumeration has at most so many values.
const MOST_VALUES: usize = 4096;

/// An array has at most so many elements, and a model so many variables.
pub(super) const MOST_VARIABLES: usize = 1 << 17;

/// What a variable can be.
#[derive(Clone, Debug)]
pub(super) enum VarType {
    Boolean,
    Integer,
    Real,
    /// An integer of a range; of an enumeration of integers only these.
    Range(Range, Option<Arc<Vec<BigInt>>>),
    Symbols(Domain),
    Word {
        signed: bool,
        width: u32,
    },
    /// An array that is a term, and whether its elements are signed words.
    Array(ArraySort, bool),
    /// An array of single elements.
    Elements(i64, usize, Box<VarType>),
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub r#type: VarType,
    pub section: Section,
    pub current: Term,
    pub next: Term,
}

/// A variable, or an array of them.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    One(usize),
    Many(i64, Arc<Vec<Tree>>),
    /// Its type is not known yet.
    Open,
}

/// What a name of an instance stands for.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Variable(Tree),
    /// A definition, or a parameter.
    Definition(usize),
    Instance(usize),
}

/// What an expression that is a path of names stands for.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Variable(Tree),
    Definition(usize),
    Instance(usize),
    /// `running` of an instance.
    Running(usize),
    Constant(Word),
}

/// A definition of an instance, or what is given for one of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    pub at: usize,
    pub body: ExprId,
    /// The instance in which the body is looked at.
    pub scope: usize,
    pub is_parameter: bool,
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub module: usize,
    /// `a.b`, and nothing for `main`.
    pub path: String,
    pub parent: Option<usize>,
    pub depth: usize,
    /// The instance around it, or itself, that is a process; 0 if there is none.
    pub process: usize,
    pub names: FxHashMap<Word, Entry>,
}

/// What all names of a model stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub instances: Vec<Instance>,
    pub variables: Vec<Variable>,
    /// Variables by their current and their next values.
    pub by_term: FxHashMap<Term, usize>,
    pub definitions: Vec<Definition>,
    /// Symbols of enumerations, and of `CONSTANTS`.
    pub constants: FxHashSet<Word>,
    /// Instances that are processes, and `main` if there are any.
    pub processes: Vec<usize>,
    /// Which process runs.
    pub selector: Option<Symbol>,
}

/// A model on its way to a system.
pub(super) struct Elaborator<'t> {
    pub text: &'t [u8],
    pub file: Arc<File>,
    pub terms: Terms,
    pub encoding: Encoding,
    pub names: Names,
    pub system: WordSystem,
    /// Values of definitions, and when they fail; the second part of the key is for next values.
    pub known: FxHashMap<(usize, bool), (Val, Term)>,
    /// When what has been looked at fails.
    pub fails: Term,
    pub never: Term,
    pub sources: Vec<Source>,
    pub notes: Vec<String>,
    pub open: u32,
    /// How many values have been compared or chosen from: arrays of arrays can be large with few words.
    pub work: u64,
    pub n_choices: usize,
    /// Comparisons of `main`, by what they are.
    pub labels: FxHashMap<Term, ExprId>,
}

impl<'t> Elaborator<'t> {
    pub fn new(text: &'t [u8], file: Arc<File>, encoding: Encoding) -> Elaborator<'t> {
        let system = WordSystem::new();
        let mut terms = system.terms.clone();
        let never = terms.bool(false);
        let (names, known, sources, notes, labels) = Default::default();
        let (fails, open, work, n_choices) = (never, 0, 0, 0);
        Elaborator {
            text,
            file,
            terms,
            encoding,
            names,
            system,
            known,
            fails,
            never,
            sources,
            notes,
            open,
            work,
            n_choices,
            labels,
        }
    }
    pub fn is_full(&self) -> bool {
        self.terms.size() > MOST_TERMS || self.work > MOST_WORK
    }

    // Messages.

    pub fn place(&self, at: usize) -> Place {
        Place::in_text(self.text, at)
    }
    pub fn error(&self, id: ExprId, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(self.place(self.file.node(id).at), found, expected)
    }
    pub fn error_at(&self, at: usize, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(self.place(at), found, expected)
    }
    /// The line of a place.
    pub fn line(&self, at: usize) -> usize {
        self.place(at).line()
    }
    /// The error that a value is of the wrong type.
    pub fn wrong(&self, id: ExprId, value: &Val, expected: &str) -> Error {
        let hint = match value {
            Val::Number(Number { range: Some(range), .. })
                if expected == "a Boolean" && range.low == range.high =>
            {
                match i32::try_from(&range.low) {
                    Ok(0) => "; FALSE is not 0",
                    Ok(1) => "; TRUE is not 1",
                    _ => "",
                }
            }
            _ => "",
        };
        let found = format!("{}, {}", self.shown(id), value.kind(&self.terms));
        self.error(id, found, format!("{expected}{hint}"))
    }
    /// The text of an expression, in one line.
    pub fn source(&self, id: ExprId) -> String {
        let node = self.file.node(id);
        let text = self.text.get(node.start..node.end).unwrap_or_default();
        let mut line = String::new();
        for piece in String::from_utf8_lossy(text).lines() {
            // Comments are no part of it.
            let piece = piece.split("--").next().unwrap_or_default();
            for word in piece.split_whitespace() {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
        }
        line
    }
    /// The same in backquotes, if it is not too long.
    pub fn shown(&self, id: ExprId) -> String {
        const LONGEST: usize = 60;
        let line = self.source(id);
        match line.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("`{}...`", &line[..cut]),
            None => format!("`{line}`"),
        }
    }
    pub fn path_of(&self, instance: usize) -> String {
        let path = &self.names.instances[instance].path;
        if path.is_empty() { "`main`".into() } else { format!("`{path}`") }
    }
    /// The error that a name stands for nothing.
    pub fn undeclared(&self, id: ExprId, scope: usize) -> Error {
        let (name, scope) = match self.file.expr(id) {
            Expr::Name(name) => (name.clone(), Some(scope)),
            Expr::Dot(base, field) => match self.target(*base, scope) {
                Ok(Some(Target::Instance(instance))) => (field.clone(), Some(instance)),
                Err(error) => return error,
                Ok(None) if matches!(self.file.expr(*base), Expr::Name(_)) => {
                    return self.undeclared(*base, scope);
                }
                _ => return self.error(id, self.shown(id), "the name of an instance before the dot"),
            },
            _ => (Arc::from(self.source(id)), None),
        };
        let known: Vec<&Word> = match (scope, self.file.expr(id)) {
            (Some(scope), Expr::Name(_)) => {
                self.names.instances[scope].names.keys().chain(&self.names.constants).collect()
            }
            (Some(scope), _) => self.names.instances[scope].names.keys().collect(),
            (None, _) => Vec::new(),
        };
        let close = similar(name.as_bytes(), known.iter().map(|name| name.as_bytes()));
        let advice = match close.first() {
            _ if slips::word(&name).is_some() => slips::word(&name).unwrap_or_default(),
            Some(close) => format!("; did you mean `{}`?", String::from_utf8_lossy(close)),
            None if name.contains('-') => "; a difference has spaces around its minus".into(),
            None => String::new(),
        };
        let expected = format!("the name of a variable, a definition or a constant{advice}");
        self.error(id, format!("`{name}`, which is not declared"), expected)
    }

    // Names.

    /// What a path of names stands for; `None` if it is no path, or stands for nothing.
    pub fn target(&self, id: ExprId, scope: usize) -> Result<Option<Target>, Error> {
        self.target_within(id, scope, 0)
    }
    fn target_within(&self, id: ExprId, scope: usize, depth: u32) -> Result<Option<Target>, Error> {
        if depth > 1000 {
            return Err(self.error(id, "a parameter that stands for itself", "a value or an instance"));
        }
        match self.file.expr(id) {
            Expr::Itself => Ok(Some(Target::Instance(scope))),
            Expr::Name(name) => match self.names.instances[scope].names.get(name) {
                Some(entry) => self.entry(entry, depth).map(Some),
                None if &**name == "running" => Ok(Some(Target::Running(scope))),
                None if self.names.constants.contains(name) => Ok(Some(Target::Constant(name.clone()))),
                None => Ok(None),
            },
            Expr::Dot(base, field) => match self.target_within(*base, scope, depth + 1)? {
                Some(Target::Instance(instance)) => match self.names.instances[instance].names.get(field) {
                    Some(entry) => self.entry(entry, depth).map(Some),
                    None if &**field == "running" => Ok(Some(Target::Running(instance))),
                    None => Ok(None),
                },
                _ => Ok(None),
            },
            Expr::Index(base, index) => {
                match (self.target_within(*base, scope, depth + 1)?, self.literal(*index, scope)) {
                    (Some(Target::Variable(Tree::Many(low, items))), Some(index)) => {
                        let place =
                            i64::try_from(&index).ok().and_then(|index| usize::try_from(index - low).ok());
                        match place.and_then(|place| items.get(place)) {
                            Some(tree) => Ok(Some(Target::Variable(tree.clone()))),
                            None => {
                                let last = low + items.len() as i64 - 1;
                                let expected = format!("an index from {low} to {last}");
                                Err(self.error(id, self.shown(id), expected))
                            }
                        }
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }
    /// A parameter that is given a path is what that stands for.
    fn entry(&self, entry: &Entry, depth: u32) -> Result<Target, Error> {
        match entry {
            Entry::Variable(tree) => Ok(Target::Variable(tree.clone())),
            Entry::Instance(instance) => Ok(Target::Instance(*instance)),
            Entry::Definition(index) => {
                let definition = &self.names.definitions[*index];
                let is_path = matches!(
                    self.file.expr(definition.body),
                    Expr::Name(_) | Expr::Dot(..) | Expr::Index(..) | Expr::Itself
                );
                if definition.is_parameter && is_path {
                    // What is not found is looked at where it stands, and told there.
                    let found = self.target_within(definition.body, definition.scope, depth + 1)?;
                    return Ok(found.unwrap_or(Target::Definition(*index)));
                }
                Ok(Target::Definition(*index))
            }
        }
    }
    /// A constant index, as far as it is one without looking at values.
    fn literal(&self, id: ExprId, scope: usize) -> Option<BigInt> {
        let (mut id, mut scope) = (id, scope);
        for _ in 0..100 {
            match self.file.expr(id) {
                Expr::Int(value) => return Some(value.clone()),
                Expr::Minus(inner) => match self.file.expr(*inner) {
                    Expr::Int(value) => return Some(-value),
                    _ => return None,
                },
                Expr::Name(_) | Expr::Dot(..) => match self.target_within(id, scope, 500) {
                    Ok(Some(Target::Definition(index))) => {
                        let definition = &self.names.definitions[index];
                        (id, scope) = (definition.body, definition.scope);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }
    /// The value of a variable, or of an array of them.
    pub fn tree_value(&mut self, id: ExprId, tree: &Tree, next: bool) -> Result<Val, Error> {
        match tree {
            Tree::One(index) => {
                let variable = &self.names.variables[*index];
                if next && variable.section == Section::Ivar {
                    let found = format!("the next value of `{}`, an input", variable.name);
                    return Err(self.error(id, found, "next values of state variables only"));
                }
                let term = if next { variable.next } else { variable.current };
                Ok(variable.r#type.value(term))
            }
            Tree::Many(low, items) => {
                let values: Result<Vec<Val>, Error> =
                    items.iter().map(|item| self.tree_value(id, item, next)).collect();
                Ok(Val::Elements(*low, Arc::new(values?)))
            }
            Tree::Open => Err(self.error(id, self.shown(id), "a constant: types do not depend on variables")),
        }
    }
    /// The enumeration of one symbol.
    pub fn single(&self, name: Word) -> Domain {
        Arc::new(vec![Constant::Name(name)])
    }
    /// Does the process run that an instance belongs to?
    pub fn running(&mut self, instance: usize) -> Term {
        let process = self.names.instances[instance].process;
        let place = self.names.processes.iter().position(|&p| p == process);
        match (self.names.selector.clone(), place) {
            (Some(selector), Some(place)) => self.encoding.is_at(&mut self.terms, &selector, place),
            _ => self.terms.bool(true),
        }
    }

    // Types.

    /// The type that is written somewhere.
    pub fn var_type(&mut self, at: usize, r#type: &Type, scope: usize) -> Result<VarType, Error> {
        let cx = Context { scope, next: false };
        Ok(match r#type {
            Type::Boolean => VarType::Boolean,
            Type::Integer => VarType::Integer,
            Type::Real => VarType::Real,
            Type::Range(low, high) => VarType::Range(self.bounds(*low, *high, cx)?, None),
            Type::Word { signed, width } => VarType::Word { signed: *signed, width: self.width(*width, cx)? },
            Type::Enumeration(elements) => self.enumeration(elements, cx)?,
            Type::Array(low, high, element) => {
                let range = self.bounds(*low, *high, cx)?;
                let n = range.len().and_then(|n| usize::try_from(n).ok()).filter(|&n| n <= MOST_VARIABLES);
                let (Some(n), Ok(first)) = (n, i64::try_from(&range.low)) else {
                    let found = format!("an array from {} to {}", range.low, range.high);
                    return Err(self.error(*low, found, format!("at most {MOST_VARIABLES} elements")));
                };
                VarType::Elements(first, n, Box::new(self.var_type(at, element, scope)?))
            }
            Type::WordArray(width, element) => {
                let index = Sort::BitVec(self.width(*width, cx)?);
                self.array_type(at, index, element, scope)?
            }
            Type::IntegerArray(element) => self.array_type(at, Sort::Int, element, scope)?,
        })
    }
    fn array_type(&mut self, at: usize, index: Sort, element: &Type, scope: usize) -> Result<VarType, Error> {
        let (element, signed) = match self.var_type(at, element, scope)? {
            VarType::Boolean => (Sort::Bool, false),
            VarType::Integer => (Sort::Int, false),
            VarType::Real => (Sort::Real, false),
            VarType::Word { signed, width } => (Sort::BitVec(width), signed),
            VarType::Array(sort, signed) => (Sort::Array(sort), signed),
            VarType::Range(..) | VarType::Symbols(_) | VarType::Elements(..) => {
                let expected = "Booleans, words, integers, reals or such arrays as elements of an array over words or integers";
                return Err(self.error_at(at, "an array of a finite type", expected));
            }
        };
        match Sort::array(index, element) {
            Some(Sort::Array(sort)) => Ok(VarType::Array(sort, signed)),
            _ => Err(self.error_at(at, "arrays in arrays, too many times", "fewer of them in each other")),
        }
    }
    fn bounds(&mut self, low: ExprId, high: ExprId, cx: Context) -> Result<Range, Error> {
        let (first, last) = (self.constant(low, cx)?, self.constant(high, cx)?);
        if first > last {
            return Err(self.error(low, format!("the range {first}..{last}"), "one that is not empty"));
        }
        let range = Range::new(first, last);
        if range.width() > super::lexer::MOST_BITS {
            return Err(self.error(low, "a range of very large numbers", "a smaller one, or `integer`"));
        }
        Ok(range)
    }
    fn enumeration(&mut self, elements: &[ExprId], cx: Context) -> Result<VarType, Error> {
        let file = self.file.clone();
        let mut domain: Vec<Constant> = Vec::new();
        let mut seen: FxHashSet<Constant> = FxHashSet::default();
        for &element in elements {
            let mut found = Vec::new();
            match file.expr(element) {
                Expr::Name(name) if self.names.constants.contains(name) => {
                    found.push(Constant::Name(name.clone()))
                }
                Expr::Bool(_) => {
                    let expected = "symbols and integers; the type of TRUE and FALSE is `boolean`";
                    return Err(self.error(element, self.shown(element), expected));
                }
                Expr::Range(low, high) => {
                    let range = self.bounds(*low, *high, cx)?;
                    if range.len().is_none_or(|n| n > MOST_VALUES as u64) {
                        return Err(self.error(
                            element,
                            "a long range in an enumeration",
                            format!("at most {MOST_VALUES} values"),
                        ));
                    }
                    found.extend(range.values().map(Constant::Int));
                }
                _ => found.push(Constant::Int(self.constant(element, cx)?)),
            }
            for constant in found {
                if !seen.insert(constant.clone()) {
                    return Err(self.error(
                        element,
                        format!("{} twice in one enumeration", self.shown(element)),
                        "each value once",
                    ));
                }
                domain.push(constant);
            }
            if domain.len() > MOST_VALUES {
                return Err(self.error(
                    element,
                    "a long enumeration",
                    format!("at most {MOST_VALUES} values"),
                ));
            }
        }
        let integers: Option<Vec<BigInt>> =
            domain.iter().map(|c| if let Constant::Int(i) = c { Some(i.clone()) } else { None }).collect();
        let Some(mut integers) = integers else { return Ok(VarType::Symbols(Arc::new(domain))) };
        integers.sort_unstable();
        let range = Range::new(integers[0].clone(), integers[integers.len() - 1].clone());
        let is_full = range.len() == Some(integers.len() as u64);
        Ok(VarType::Range(range, (!is_full).then(|| Arc::new(integers))))
    }
}

impl VarType {
    /// The value that a term of this type is.
    pub fn value(&self, term: Term) -> Val {
        match self {
            VarType::Boolean => Val::Bool(term),
            VarType::Integer => Val::Number(Number { term, range: None }),
            VarType::Real => Val::Real(term),
            VarType::Range(range, _) => Val::Number(Number { term, range: Some(range.clone()) }),
            VarType::Symbols(domain) => Val::Symbol(Symbol { term, domain: domain.clone() }),
            VarType::Word { signed, .. } => Val::Word { term, signed: *signed },
            VarType::Array(_, signed) => Val::Array { term, signed: *signed },
            VarType::Elements(..) => unreachable!("an array of elements is no single variable"),
        }
    }
    pub fn sort(&self, encoding: Encoding) -> Sort {
        match self {
            VarType::Boolean => Sort::Bool,
            VarType::Integer => Sort::Int,
            VarType::Real => Sort::Real,
            VarType::Range(range, _) => encoding.sort(Some(range)),
            VarType::Symbols(domain) => encoding.sort(Some(&Encoding::codes(domain))),
            VarType::Word { width, .. } => Sort::BitVec(*width),
            VarType::Array(sort, _) => Sort::Array(*sort),
            VarType::Elements(..) => unreachable!("an array of elements is no single variable"),
        }
    }
}
