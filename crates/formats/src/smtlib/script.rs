//! Commands that all formats share: declarations and definitions.

use super::elaborate::{Elaborator, Meaning};
use super::expressions::{Id, Kind, shortened};
use crate::Error;

/// What a command means for the format that reads it.
pub(crate) enum Command<'t> {
    /// It has been dealt with.
    Done,
    /// A term was defined under a name, without parameters.
    Defined(&'t str),
    /// `(declare-fun name (sorts) sort)` with parameters.
    Function { name: &'t str, parameters: Id, sort: Id, at: Id },
    /// `(assert term)`.
    Assert(Id),
    /// Nothing follows.
    Exit,
}

/// Commands that say nothing about a system.
const IGNORED: &[&str] = &[
    "set-logic",
    "set-info",
    "set-option",
    "get-model",
    "get-info",
    "get-unsat-core",
    "get-proof",
    "get-value",
    "echo",
];

impl<'t> Elaborator<'_, 't> {
    pub fn command(&mut self, id: Id) -> Result<Command<'t>, Error> {
        let e = self.e;
        let list = e.list(id);
        let Some(name) = list.first().and_then(|&head| e.symbol(head)) else {
            return Err(e.error(id, "a command such as (declare-fun x () Int)"));
        };
        let shape = |expected: &str| Err(e.error(id, expected));
        match (name, list) {
            ("declare-fun", &[_, symbol, parameters, sort]) => {
                let symbol_name = self.new_name(symbol)?;
                if e.kind(parameters) != Kind::List {
                    return Err(e.error(parameters, "a list of sorts"));
                }
                if !e.list(parameters).is_empty() {
                    return Ok(Command::Function { name: symbol_name, parameters, sort, at: id });
                }
                if self.quantifiers && e.is_word(sort, "Bool") {
                    // In a system of clauses it is a predicate without arguments.
                    return Ok(Command::Function { name: symbol_name, parameters, sort, at: id });
                }
                self.declare(symbol_name, symbol, sort)
            }
            ("declare-fun", _) => shape("(declare-fun name (sorts) sort)"),
            ("declare-const", &[_, symbol, sort]) => {
                let name = self.new_name(symbol)?;
                self.declare(name, symbol, sort)
            }
            ("declare-const", _) => shape("(declare-const name sort)"),
            ("define-fun", &[_, symbol, parameters, sort, body]) => {
                self.define(symbol, Some(parameters), sort, body)
            }
            ("define-const", &[_, symbol, sort, body]) => self.define(symbol, None, sort, body),
            ("define-fun" | "define-const", _) => shape("(define-fun name (parameters) sort term)"),
            ("define-sort", &[_, symbol, parameters, sort]) => {
                let name = e.symbol(symbol).ok_or_else(|| e.error(symbol, "a symbol"))?;
                if e.kind(parameters) != Kind::List || !e.list(parameters).is_empty() {
                    return Err(e.error(parameters, "`()`; sorts with parameters are not supported"));
                }
                let sort = self.sort(sort)?;
                self.sorts.insert(name, sort);
                Ok(Command::Done)
            }
            ("define-sort", _) => shape("(define-sort name () sort)"),
            // The first of several questions would be about some of the clauses only.
            ("assert", _) if self.is_asked => {
                Err(self.error(id, "an assertion after (check-sat)", "one (check-sat) at the end"))
            }
            ("assert", &[_, term]) => Ok(Command::Assert(term)),
            ("assert", _) => shape("(assert term)"),
            ("exit", _) => Ok(Command::Exit),
            ("check-sat", _) => {
                self.is_asked = true;
                Ok(Command::Done)
            }
            _ if IGNORED.contains(&name) => Ok(Command::Done),
            ("declare-datatype" | "declare-datatypes", _) => {
                shape("sorts Bool, Int, Real, (_ BitVec n) or (Array I E); datatypes are not supported")
            }
            ("declare-sort", _) => {
                shape("sorts Bool, Int, Real, (_ BitVec n) or (Array I E); other ones are not supported")
            }
            ("define-fun-rec" | "define-funs-rec", _) => shape("a definition without recursion"),
            _ => shape("a command of SMT-LIB that declares, defines or asserts"),
        }
    }
    fn declare(&mut self, name: &'t str, symbol: Id, sort: Id) -> Result<Command<'t>, Error> {
        let sort = self.sort(sort)?;
        if self.quantifiers {
            let found = format!("a constant `{}` that is to be found", shortened(name));
            return Err(self.error(symbol, found, "predicates only; variables are bound by `forall`"));
        }
        let variable = self.terms.var(name, sort);
        self.symbols.insert(name, Meaning::Term(variable));
        Ok(Command::Done)
    }
    fn define(
        &mut self,
        symbol: Id,
        parameters: Option<Id>,
        sort: Id,
        body: Id,
    ) -> Result<Command<'t>, Error> {
        let name = self.new_name(symbol)?;
        let sort = self.sort(sort)?;
        let n_applications = self.applications.len();
        let (names, parameters) = match parameters {
            Some(parameters) => self.bind_parameters(parameters)?,
            None => Default::default(),
        };
        let term = self.term(body)?;
        let term = self.coerce(body, term, sort)?;
        self.unbind(&names);
        if self.quantifiers && self.applications.len() > n_applications {
            let found = format!("a predicate in the definition of `{}`", shortened(name));
            return Err(self.error(symbol, found, "predicates in clauses only"));
        }
        let is_constant = parameters.is_empty();
        let meaning =
            if is_constant { Meaning::Term(term) } else { Meaning::Function { parameters, body: term } };
        // The body may have named a part of itself the same.
        self.new_name(symbol)?;
        self.symbols.insert(name, meaning);
        Ok(if is_constant { Command::Defined(name) } else { Command::Done })
    }
}
