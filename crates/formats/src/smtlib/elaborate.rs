//! Expressions as terms.
//!
//! An explicit stack of tasks takes the place of recursion. A polarity travels down with them, so that a quantifier is
//! accepted exactly where it can become free variables: `forall` in a positive place, `exists` in a negative one. What
//! is used in several places, a definition or a term with a name, has no polarity of its own: no quantifier there.

use super::expressions::{Expressions, Id, Kind, shortened};
use super::literal;
use crate::{Error, Place};
use indubit_term::{Sort, SortError, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a symbol of the file stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A variable, or a definition without parameters.
    Term(Term),
    /// What `:named` stands behind; it may mention variables that are bound where it is.
    Named(Term),
    /// A definition with parameters: variables that the body mentions.
    Function { parameters: Vec<Term>, body: Term },
    /// A predicate to be found, by its number.
    Predicate(usize),
}

/// A predicate of a CHC file.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub name: String,
    pub sorts: Vec<Sort>,
}

/// A predicate with arguments: in terms a Boolean variable, its marker, stands for it.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub predicate: usize,
    pub args: Vec<Term>,
    pub at: Id,
}

/// An attribute of a term: `(! term :keyword value)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Annotation<'t> {
    pub term: Term,
    pub keyword: &'t str,
    pub value: Option<Id>,
    pub at: Id,
}

pub(crate) struct Elaborator<'e, 't> {
    pub e: &'e Expressions<'t>,
    pub terms: Terms,
    pub symbols: FxHashMap<&'t str, Meaning>,
    pub sorts: FxHashMap<&'t str, Sort>,
    pub predicates: Vec<Predicate>,
    pub applications: Vec<Application>,
    pub annotations: Vec<Annotation<'t>>,
    /// May quantifiers become free variables?
    pub quantifiers: bool,
    /// For each marker the number of its application.
    pub markers: FxHashMap<Term, usize>,
    /// Parameters of definitions and variables of quantifiers.
    bound: FxHashSet<Term>,
    /// Terms that mention no variable of these.
    closed: FxHashSet<Term>,
    known: FxHashMap<(usize, Vec<Term>), Term>,
    /// What functions of the file make of their arguments.
    calls: FxHashMap<(&'t str, Vec<Term>), Term>,
    scope: FxHashMap<&'t str, Vec<Term>>,
    max_size: usize,
    /// The question has been asked.
    pub is_asked: bool,
}

/// Is the term asserted, denied, or neither?
type Polarity = Option<bool>;

/// A term that is added or, if it is negative, subtracted.
type Summand = (Id, bool);

enum Task<'t> {
    Evaluate(Id, Polarity),
    Apply {
        at: Id,
        n_args: usize,
    },
    /// A sum of so many terms, each of them added or subtracted.
    Sum {
        at: Id,
        summands: Vec<Summand>,
    },
    Bind {
        at: Id,
        polarity: Polarity,
    },
    Unbind(Vec<&'t str>),
    Annotate(Id),
}

/// What a text of so many bytes may unfold to.
pub(crate) fn most_terms(n_bytes: usize) -> usize {
    1_000_000 + 32 * n_bytes
}

impl<'e, 't> Elaborator<'e, 't> {
    pub fn new(e: &'e Expressions<'t>) -> Elaborator<'e, 't> {
        Elaborator::with_terms(e, Terms::new())
    }
    /// More terms than these.
    pub fn with_terms(e: &'e Expressions<'t>, terms: Terms) -> Elaborator<'e, 't> {
        Elaborator {
            e,
            symbols: FxHashMap::default(),
            sorts: FxHashMap::default(),
            predicates: Vec::new(),
            applications: Vec::new(),
            annotations: Vec::new(),
            quantifiers: false,
            markers: FxHashMap::default(),
            bound: FxHashSet::default(),
            closed: FxHashSet::default(),
            known: FxHashMap::default(),
            calls: FxHashMap::default(),
            scope: FxHashMap::default(),
            max_size: terms.size() + most_terms(e.n_bytes()),
            terms,
            is_asked: false,
        }
    }
    pub fn error(&self, at: Id, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(self.e.place(at), found, expected)
    }
    /// The name that a definition introduces, and which is new.
    pub fn new_name(&self, id: Id) -> Result<&'t str, Error> {
        let name = self.e.symbol(id).ok_or_else(|| self.e.error(id, "a symbol"))?;
        if self.symbols.contains_key(name) {
            let found = format!("a second definition of `{}`", shortened(name));
            return Err(self.error(id, found, "every symbol to be defined once"));
        }
        Ok(name)
    }
    pub fn sort(&self, id: Id) -> Result<Sort, Error> {
        literal::sort(self.e, id, &self.sorts)
    }
    /// The value as a term of this sort; an integer is also a real.
    pub fn coerce(&mut self, at: Id, term: Term, sort: Sort) -> Result<Term, Error> {
        let term = if sort == Sort::Real { self.terms.as_real(term) } else { term };
        if self.terms.sort(term) != sort {
            let found = format!("`{}` of sort {}", self.terms.display(term).short(), self.terms.sort(term));
            return Err(self.error(at, found, format!("a term of sort {sort}")));
        }
        Ok(term)
    }
    /// Bind names to new variables, as parameters and quantifiers do: `((x Int) (y Bool))`.
    pub fn bind_parameters(&mut self, list: Id) -> Result<(Vec<&'t str>, Vec<Term>), Error> {
        let (mut names, mut variables) = (Vec::new(), Vec::new());
        if self.e.kind(list) != Kind::List {
            return Err(self.e.error(list, "a list of variables with their sorts"));
        }
        for &pair in self.e.list(list) {
            let (&[name, sort], e) = (self.e.list(pair), self.e) else {
                return Err(self.e.error(pair, "a variable with its sort, as in (x Int)"));
            };
            let name = e.symbol(name).ok_or_else(|| e.error(name, "a symbol"))?;
            let sort = self.sort(sort)?;
            variables.push(self.terms.var(name, sort));
            names.push(name);
        }
        self.bound.extend(&variables);
        for (&name, &variable) in names.iter().zip(&variables) {
            self.scope.entry(name).or_default().push(variable);
        }
        Ok((names, variables))
    }
    pub fn unbind(&mut self, names: &[&'t str]) {
        for name in names {
            self.scope.get_mut(name).expect("the name was bound").pop();
        }
    }

    /// The term that an expression stands for, wherever it is used: without quantifiers.
    pub fn term(&mut self, root: Id) -> Result<Term, Error> {
        self.elaborate(root, None)
    }
    /// The formula that is asserted: variables of its quantifiers become free.
    pub fn asserted(&mut self, root: Id) -> Result<Term, Error> {
        self.elaborate(root, Some(true))
    }
    fn elaborate(&mut self, root: Id, polarity: Polarity) -> Result<Term, Error> {
        let mut tasks = vec![Task::Evaluate(root, polarity)];
        let mut values: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Evaluate(id, polarity) => self.evaluate(id, polarity, &mut tasks, &mut values)?,
                Task::Apply { at, n_args } => {
                    let args = values.split_off(values.len() - n_args);
                    values.push(self.apply(at, &args)?);
                }
                Task::Sum { at, summands } => {
                    let args = values.split_off(values.len() - summands.len());
                    values.push(self.sum(at, &summands, &args)?);
                }
                Task::Bind { at, polarity } => {
                    let &[_, bindings, body] = self.e.list(at) else { unreachable!("a let has three parts") };
                    let bindings = self.e.list(bindings);
                    let bound = values.split_off(values.len() - bindings.len());
                    let name = |&pair: &Id| self.e.text(self.e.list(pair)[0]);
                    let names: Vec<&'t str> = bindings.iter().map(name).collect();
                    for (&name, term) in names.iter().zip(bound) {
                        self.scope.entry(name).or_default().push(term);
                    }
                    tasks.extend([Task::Unbind(names), Task::Evaluate(body, polarity)]);
                }
                Task::Unbind(names) => self.unbind(&names),
                Task::Annotate(at) => self.annotate(at, *values.last().expect("the term was evaluated"))?,
            }
            if self.terms.size() > self.max_size {
                let expected = "definitions that unfold to less, and sums of sums that are shorter when they are written as one, given the length of the file";
                return Err(self.error(root, "a very large number of terms", expected));
            }
        }
        Ok(values.pop().expect("every task leaves its value"))
    }
    fn evaluate(
        &mut self,
        id: Id,
        polarity: Polarity,
        tasks: &mut Vec<Task<'t>>,
        values: &mut Vec<Term>,
    ) -> Result<(), Error> {
        let e = self.e;
        if let Some(value) = literal::literal(e, id)? {
            values.push(self.terms.constant(value));
            return Ok(());
        }
        let list = e.list(id);
        let Some(&head) = list.first() else {
            if e.symbol(id).is_none() {
                return Err(e.error(id, "a term"));
            }
            values.push(self.apply(id, &[])?);
            return Ok(());
        };
        let arity =
            |n: usize, expected: &str| if list.len() == n { Ok(()) } else { Err(e.error(id, expected)) };
        match e.text(head) {
            _ if e.kind(head) != Kind::Symbol => self.evaluate_call(id, polarity, tasks),
            "let" => {
                arity(3, "(let ((name term) ...) term)")?;
                tasks.push(Task::Bind { at: id, polarity });
                for &pair in e.list(list[1]).iter().rev() {
                    match *e.list(pair) {
                        [name, term] if e.symbol(name).is_some() => tasks.push(Task::Evaluate(term, None)),
                        _ => return Err(e.error(pair, "a name with a term, as in (x (+ y 1))")),
                    }
                }
                if e.kind(list[1]) == Kind::List {
                    Ok(())
                } else {
                    Err(e.error(list[1], "a list of names with terms"))
                }
            }
            "forall" | "exists" => {
                arity(3, "a list of variables and a term")?;
                let universal = e.is_word(head, "forall");
                if !self.quantifiers || polarity != Some(universal) {
                    let found = format!("`{}`", e.text(head));
                    let expected = if self.quantifiers {
                        "`forall` around clauses only, or `exists` below a negation"
                    } else {
                        "a formula without quantifiers"
                    };
                    return Err(self.error(id, found, expected));
                }
                let (names, _) = self.bind_parameters(list[1])?;
                tasks.extend([Task::Unbind(names), Task::Evaluate(list[2], polarity)]);
                Ok(())
            }
            "!" => {
                if list.len() < 2 {
                    return Err(e.error(id, "(! term :attribute value ...)"));
                }
                tasks.extend([Task::Annotate(id), Task::Evaluate(list[1], polarity)]);
                Ok(())
            }
            "_" => {
                let value = literal::indexed_constant(e, id)?;
                let value =
                    value.ok_or_else(|| e.error(id, "a term; an indexed function needs arguments"))?;
                values.push(self.terms.constant(value));
                Ok(())
            }
            "as" => match *list {
                [_, name, sort] if e.symbol(name).is_some() => {
                    let sort = self.sort(sort)?;
                    let term = self.apply(name, &[])?;
                    values.push(self.coerce(id, term, sort)?);
                    Ok(())
                }
                _ => Err(e.error(id, "(as symbol sort)")),
            },
            "match" | "lambda" | "par" => Err(e.error(id, "a term over Bool, Int, Real and bit-vectors")),
            _ => self.evaluate_call(id, polarity, tasks),
        }
    }
    /// A function with arguments: these first.
    fn evaluate_call(&mut self, id: Id, polarity: Polarity, tasks: &mut Vec<Task<'t>>) -> Result<(), Error> {
        let e = self.e;
        let &[head, ref args @ ..] = e.list(id) else { unreachable!("the list is not empty") };
        let is_indexed = matches!(*e.list(head), [word, _, _, ..] if e.is_word(word, "_"));
        if e.symbol(head).is_none() && !is_indexed && self.constant_array(head).is_none() {
            let is_as = e.list(head).first().is_some_and(|&word| e.is_word(word, "as"));
            return Err(e.error(head, if is_as { "(as const SORT), an array" } else { "a function" }));
        }
        let flip = match e.symbol(head) {
            _ if self.scope_has(head) => return Err(e.error(head, "a function; this is bound to a term")),
            // The file may call functions of its own so.
            Some(name) if self.symbols.contains_key(name) => [None; 2],
            Some("and" | "or") => [polarity; 2],
            Some("not") => [polarity.map(|p| !p); 2],
            Some("=>") => [polarity.map(|p| !p), polarity],
            _ => [None; 2],
        };
        if args.iter().any(|&arg| self.is_sum(arg)) && self.is_sum(id) {
            let summands = self.summands(id);
            let inner =
                summands.iter().rev().map(|&(summand, _)| Task::Evaluate(summand, None)).collect::<Vec<_>>();
            tasks.push(Task::Sum { at: id, summands });
            tasks.extend(inner);
            return Ok(());
        }
        tasks.push(Task::Apply { at: id, n_args: args.len() });
        for (i, &arg) in args.iter().enumerate().rev() {
            tasks.push(Task::Evaluate(arg, flip[usize::from(i + 1 == args.len())]));
        }
        Ok(())
    }
    /// Is it `(+ ...)` or `(- ...)`, and these are what they are in SMT-LIB?
    fn is_sum(&self, id: Id) -> bool {
        match *self.e.list(id) {
            [head, _, ..] => {
                let name = self.e.symbol(head).filter(|&name| matches!(name, "+" | "-"));
                name.is_some_and(|name| !self.symbols.contains_key(name)) && !self.scope_has(head)
            }
            _ => false,
        }
    }
    /// What is added up in a sum and in sums that it is made of. Each of these would be a term as long as the sum, so that
    /// `(+ (+ (+ a b) c) d)` would take space for the square of its length.
    fn summands(&self, id: Id) -> Vec<Summand> {
        let mut found = Vec::new();
        let mut open = vec![(id, false)];
        while let Some((id, negative)) = open.pop() {
            match *self.e.list(id) {
                [head, ref args @ ..] if self.is_sum(id) => {
                    let minus = self.e.symbol(head) == Some("-");
                    let is_subtracted = |i: usize| minus && (i > 0 || args.len() == 1);
                    open.extend(
                        args.iter().enumerate().rev().map(|(i, &arg)| (arg, negative != is_subtracted(i))),
                    );
                }
                _ => found.push((id, negative)),
            }
        }
        found
    }
    fn sum(&mut self, at: Id, summands: &[Summand], values: &[Term]) -> Result<Term, Error> {
        for (&(id, _), &value) in summands.iter().zip(values) {
            if !self.terms.sort(value).is_number() {
                let found =
                    format!("`{}` of sort {}", self.terms.display(value).short(), self.terms.sort(value));
                return Err(self.error(id, found, "a number"));
            }
        }
        let of_sign = |wanted: bool| -> Vec<Term> {
            summands.iter().zip(values).filter(|((_, n), _)| *n == wanted).map(|(_, &value)| value).collect()
        };
        let [mut args, negative] = [false, true].map(of_sign);
        if args.is_empty() {
            args.push(self.terms.int(0));
        }
        let mut call = |name, args: &[Term]| {
            let sum = self.terms.call(name, &[], args).map_err(|error| self.sorts_differ(at, error))?;
            Ok(sum.expect("a function of SMT-LIB"))
        };
        let sum = call("+", &args)?;
        if negative.is_empty() {
            return Ok(sum);
        }
        call("-", &[&[sum], &negative[..]].concat())
    }
    fn scope_has(&self, head: Id) -> bool {
        self.e.symbol(head).and_then(|name| self.scope.get(name)).is_some_and(|bound| !bound.is_empty())
    }
    /// A symbol, with arguments if `at` is a list.
    fn apply(&mut self, at: Id, args: &[Term]) -> Result<Term, Error> {
        let e = self.e;
        let head = e.list(at).first().copied().unwrap_or(at);
        if let Some(sort) = self.constant_array(head) {
            let Sort::Array(array) = self.sort(sort)? else {
                return Err(e.error(sort, "the sort of an array"));
            };
            let args = self.arguments(at, "as const", args, &[array.element.into()])?;
            return Ok(self.terms.const_array(array, args[0]));
        }
        let Some(name) = e.symbol(head) else {
            let [_, name, indices @ ..] = e.list(head) else { unreachable!("the head was checked") };
            let function = e.symbol(*name).ok_or_else(|| e.error(*name, "the name of a function"))?;
            let indices: Vec<u32> =
                indices.iter().map(|&i| literal::index(e, i)).collect::<Result<_, _>>()?;
            let result =
                self.terms.call(function, &indices, args).map_err(|error| self.sorts_differ(at, error))?;
            return result.ok_or_else(|| e.error(*name, "a function with indices, such as (_ extract 7 0)"));
        };
        if e.list(at).is_empty()
            && let Some(&bound) = self.scope.get(name).and_then(|bound| bound.last())
        {
            return Ok(bound);
        }
        match self.symbols.get(name).cloned() {
            Some(Meaning::Term(term)) if args.is_empty() => Ok(term),
            Some(Meaning::Named(term)) if args.is_empty() => {
                if self.is_closed(term) {
                    return Ok(term);
                }
                let found = format!("`{}`, which names a term over bound variables", shortened(name));
                Err(self.error(
                    head,
                    found,
                    "names of terms whose variables are not bound around or inside them",
                ))
            }
            Some(Meaning::Term(_) | Meaning::Named(_)) => {
                Err(e.error(head, "a function; this one takes no arguments"))
            }
            Some(Meaning::Function { parameters, body }) => {
                let sorts: Vec<Sort> = parameters.iter().map(|&p| self.terms.sort(p)).collect();
                let args = self.arguments(at, name, args, &sorts)?;
                let key = (name, args);
                if let Some(&known) = self.calls.get(&key) {
                    return Ok(known);
                }
                let map: FxHashMap<Term, Term> = parameters.into_iter().zip(key.1.iter().copied()).collect();
                let term = self.terms.substitute(body, &map);
                self.calls.insert(key, term);
                Ok(term)
            }
            Some(Meaning::Predicate(predicate)) => {
                let sorts = self.predicates[predicate].sorts.clone();
                let args = self.arguments(at, name, args, &sorts)?;
                Ok(self.application(predicate, args, at))
            }
            None => {
                let result =
                    self.terms.call(name, &[], args).map_err(|error| self.sorts_differ(at, error))?;
                result.ok_or_else(|| {
                    let found = format!("`{}`, which is not declared", shortened(name));
                    self.error(head, found, "a symbol that is declared before, or a function of SMT-LIB")
                })
            }
        }
    }
    /// The sort in `(as const SORT)`, the array with one element everywhere.
    fn constant_array(&self, head: Id) -> Option<Id> {
        match *self.e.list(head) {
            [word, name, sort] if self.e.is_word(word, "as") && self.e.is_word(name, "const") => Some(sort),
            _ => None,
        }
    }
    fn sorts_differ(&self, at: Id, error: SortError) -> Error {
        self.error(at, error.found, error.expected)
    }
    /// Arguments of these sorts.
    fn arguments(&mut self, at: Id, name: &str, args: &[Term], sorts: &[Sort]) -> Result<Vec<Term>, Error> {
        if args.len() != sorts.len() {
            let found = format!("`{}` with {} arguments", shortened(name), args.len());
            return Err(self.error(at, found, format!("{} arguments", sorts.len())));
        }
        let places = self.e.list(at);
        (0..args.len()).map(|i| self.coerce(places[i + 1], args[i], sorts[i])).collect()
    }
    fn application(&mut self, predicate: usize, args: Vec<Term>, at: Id) -> Term {
        let key = (predicate, args);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let marker = self.terms.var(&self.predicates[predicate].name, Sort::Bool);
        self.markers.insert(marker, self.applications.len());
        self.applications.push(Application { predicate, args: key.1.clone(), at });
        self.known.insert(key, marker);
        marker
    }
    /// Does the term mention no variable of a quantifier or a definition? If it does, reading ends, so `closed` need not
    /// be right about it.
    pub fn is_closed(&mut self, term: Term) -> bool {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if self.bound.contains(&term) {
                return false;
            }
            if self.closed.insert(term) {
                open.extend(self.terms.args(term));
                if let Some(&application) = self.markers.get(&term) {
                    open.extend(&self.applications[application].args);
                }
            }
        }
        true
    }
    /// The declared variable that a symbol stands for.
    pub fn variable(&self, id: Id) -> Option<Term> {
        match self.e.symbol(id).and_then(|name| self.symbols.get(name)) {
            Some(&(Meaning::Term(term) | Meaning::Named(term))) => {
                (self.terms.is_var(term) && !self.bound.contains(&term)).then_some(term)
            }
            _ => None,
        }
    }
    fn annotate(&mut self, at: Id, term: Term) -> Result<(), Error> {
        let e = self.e;
        let mut rest = &e.list(at)[2..];
        while let Some((&keyword, after)) = rest.split_first() {
            if e.kind(keyword) != Kind::Keyword {
                return Err(e.error(keyword, "an attribute such as :named"));
            }
            rest = after;
            let value = rest.first().copied().filter(|&v| e.kind(v) != Kind::Keyword);
            rest = &rest[usize::from(value.is_some())..];
            if e.text(keyword) == ":named" {
                let value = value.ok_or_else(|| e.error(keyword, "a name behind :named"))?;
                let name = self.new_name(value)?;
                self.symbols.insert(name, Meaning::Named(term));
            } else {
                self.annotations.push(Annotation { term, keyword: e.text(keyword), value, at: keyword });
            }
        }
        Ok(())
    }
}

/// The whole file.
pub(crate) const WHOLE: Place = Place::None;
