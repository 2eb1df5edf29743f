//! Reading CHC.

use super::clause::{Clauses, Query, clauses_of, is_denial};
use super::system::Chc;
use crate::smtlib::elaborate::{Elaborator, Meaning, Predicate};
use crate::smtlib::expressions::{Expressions, shortened};
use crate::smtlib::script::Command;
use crate::{Error, load};
use indubit_term::Sort;
use std::path::Path;

/// Read clauses from a file.
pub fn read(path: &Path) -> Result<Chc, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Read clauses from the contents of a file.
///
/// ```
/// use indubit_formats::chc;
/// let mut chc = chc::parse(
///     b"(set-logic HORN)
///       (declare-fun inv (Int) Bool)
///       (assert (forall ((x Int)) (=> (= x 0) (inv x))))
///       (assert (forall ((x Int) (y Int)) (=> (and (inv x) (= y (+ x 1))) (inv y))))
///       (assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))",
/// )?;
/// let system = &mut chc.system;
/// let (x, zero) = (system.states[0].current, system.terms.int(0));
/// let invariant = system.terms.ge(x, zero);
/// assert_eq!(chc.model(&chc.system.terms, invariant), "(define-fun inv ((x Int)) Bool (>= x 0))\n");
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<Chc, Error> {
    let expressions = Expressions::parse(bytes)?;
    let mut elaborator = Elaborator::new(&expressions);
    elaborator.quantifiers = true;
    let (mut clauses, mut queries) = (Vec::new(), Vec::new());
    let line = expressions.lines();
    for &root in expressions.roots() {
        match elaborator.command(root)? {
            Command::Done | Command::Defined(_) => (),
            Command::Function { name, parameters, sort, .. } => {
                if elaborator.sort(sort)? != Sort::Bool {
                    let found = format!("the uninterpreted function `{}`", shortened(name));
                    return Err(elaborator.error(sort, found, "predicates, which are of sort Bool"));
                }
                let sorts = expressions.list(parameters).iter().map(|&s| elaborator.sort(s));
                let sorts = sorts.collect::<Result<_, _>>()?;
                let number = elaborator.predicates.len();
                elaborator.predicates.push(Predicate { name: name.to_owned(), sorts });
                elaborator.symbols.insert(name, Meaning::Predicate(number));
            }
            Command::Assert(id) => {
                let formula = elaborator.asserted(id)?;
                let formula = elaborator.coerce(id, formula, Sort::Bool)?;
                let first = clauses.len();
                clauses_of(&mut elaborator, formula, id, &mut clauses)?;
                let own = &clauses[first..];
                if own.iter().any(|c| c.head.is_none()) || own.is_empty() && is_denial(&expressions, id) {
                    let name = expressions.attribute(id, ":named").and_then(|name| expressions.symbol(name));
                    let clauses = first..clauses.len();
                    queries.push(Query { name: name.map(str::to_owned), line: line(root), clauses });
                }
            }
            Command::Exit => break,
        }
    }
    let Elaborator { terms, predicates, .. } = elaborator;
    Ok(Chc::new(Clauses { terms, predicates, clauses, queries }))
}
