//! Clauses of a formula.
//!
//! In an elaborated formula a Boolean variable, the marker, stands for each predicate with its arguments. A clause is
//! a disjunction: markers that occur negated are its body, one that does not is its head, the rest is its constraint.

use crate::Error;
use crate::smtlib::elaborate::{Application, Elaborator, Predicate};
use crate::smtlib::expressions::{Expressions, Id, shortened};
use indubit_term::{Op, Term};
use std::ops::Range;

/// A clause: body and constraint imply head.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The predicate of the body with its arguments.
    pub body: Option<(usize, Vec<Term>)>,
    /// What the variables satisfy.
    pub constraint: Vec<Term>,
    /// What follows; a query has none.
    pub head: Option<(usize, Vec<Term>)>,
}

/// All that a file says.
pub(super) struct Clauses {
    pub terms: indubit_term::Terms,
    pub predicates: Vec<Predicate>,
    pub clauses: Vec<Clause>,
    pub queries: Vec<Query>,
}

/// An assertion that something is not reached.
pub(super) struct Query {
    /// What `:named` calls it.
    pub name: Option<String>,
    /// The line of its command.
    pub line: usize,
    /// The clauses of the assertion; those without a head are the query.
    pub clauses: Range<usize>,
}

/// Does an asserted formula deny something, as it stands? One whose body cannot be true leaves no clause.
pub(super) fn is_denial(e: &Expressions<'_>, formula: Id) -> bool {
    let mut at = formula;
    loop {
        at = match *e.list(at) {
            [head, term, ..] if e.is_word(head, "!") => term,
            [head, .., term] if ["forall", "let", "=>"].iter().any(|word| e.is_word(head, word)) => term,
            [head, _] => return e.is_word(head, "not"),
            _ => return e.is_word(at, "false"),
        }
    }
}

/// A formula may be a conjunction of clauses, and a clause may hold conjunctions of predicates: up to so many clauses.
const MAX_CLAUSES: usize = 10_000;

/// The clauses of an asserted formula.
pub(super) fn clauses_of(
    elaborator: &mut Elaborator<'_, '_>,
    formula: Term,
    at: Id,
    clauses: &mut Vec<Clause>,
) -> Result<(), Error> {
    let mut open: Vec<Vec<Term>> = vec![vec![formula]];
    let mut n_clauses = 0;
    'clauses: while let Some(disjuncts) = open.pop() {
        n_clauses += 1;
        if n_clauses > MAX_CLAUSES {
            return Err(elaborator.error(
                at,
                format!("more than {MAX_CLAUSES} clauses"),
                "a formula with fewer",
            ));
        }
        let disjuncts = flat(elaborator, disjuncts);
        let mut clause = Clause { body: None, constraint: Vec::new(), head: None };
        for (i, &disjunct) in disjuncts.iter().enumerate() {
            let (inner, negated) = match elaborator.terms.op(disjunct) {
                Op::Not => (elaborator.terms.args(disjunct)[0], true),
                _ => (disjunct, false),
            };
            if let Some(&found) = elaborator.markers.get(&inner) {
                let application = elaborator.applications[found].clone();
                take(elaborator, &mut clause, &application, negated)?;
                continue;
            }
            let variables = elaborator.terms.variables(&[disjunct]);
            let Some(marker) = variables.iter().find_map(|v| elaborator.markers.get(v).copied()) else {
                clause.constraint.push(elaborator.terms.not(disjunct));
                continue;
            };
            // A conjunction is as many clauses, each with the other disjuncts.
            let parts = conjuncts(elaborator, disjunct);
            let Some(parts) = parts else {
                let application = &elaborator.applications[marker];
                let name = shortened(&elaborator.predicates[application.predicate].name);
                let found = format!("`{name}` inside a formula that is not a Horn clause");
                let expected = "clauses of the form (=> (and (P x) constraint) (Q y))";
                return Err(elaborator.error(application.at, found, expected));
            };
            for part in parts {
                let mut copy = disjuncts.clone();
                copy[i] = part;
                open.push(copy);
            }
            continue 'clauses;
        }
        // A disjunct that is true makes the clause say nothing.
        let falsum = |&c: &Term| elaborator.terms.as_bool(c) == Some(false);
        if !clause.constraint.iter().any(falsum) {
            clauses.push(clause);
        }
    }
    Ok(())
}

/// Nested disjunctions and negated conjunctions taken apart.
fn flat(elaborator: &mut Elaborator<'_, '_>, disjuncts: Vec<Term>) -> Vec<Term> {
    let mut open = disjuncts;
    open.reverse();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        let terms = &mut elaborator.terms;
        let inner = if terms.op(term) == Op::Not { terms.args(term)[0] } else { term };
        if terms.op(term) == Op::Or {
            open.extend(terms.args(term).to_vec().into_iter().rev());
        } else if inner != term && terms.op(inner) == Op::And {
            for part in terms.args(inner).to_vec().into_iter().rev() {
                open.push(terms.not(part));
            }
        } else {
            found.push(term);
        }
    }
    found
}

/// The conjuncts, if it is a conjunction or a negated disjunction.
fn conjuncts(elaborator: &mut Elaborator<'_, '_>, term: Term) -> Option<Vec<Term>> {
    let terms = &mut elaborator.terms;
    match terms.op(term) {
        Op::And => Some(terms.args(term).to_vec()),
        Op::Not if terms.op(terms.args(term)[0]) == Op::Or => {
            let parts = terms.args(terms.args(term)[0]).to_vec();
            Some(parts.into_iter().map(|part| terms.not(part)).collect())
        }
        _ => None,
    }
}

/// A predicate takes its place in the clause.
fn take(
    elaborator: &Elaborator<'_, '_>,
    clause: &mut Clause,
    application: &Application,
    is_body: bool,
) -> Result<(), Error> {
    let name = |predicate: usize| shortened(&elaborator.predicates[predicate].name);
    let this = name(application.predicate);
    if elaborator.terms.variables(&application.args).iter().any(|v| elaborator.markers.contains_key(v)) {
        let found = format!("a predicate inside the arguments of `{this}`");
        return Err(elaborator.error(application.at, found, "arguments without predicates"));
    }
    let place = if is_body { &mut clause.body } else { &mut clause.head };
    if let Some((other, _)) = place {
        let (found, expected) = match is_body {
            true => (
                format!("both `{}` and `{this}` in the body of a clause", name(*other)),
                "at most one predicate there; nonlinear clauses are not supported",
            ),
            false => (
                format!("both `{}` and `{this}` as heads of a clause", name(*other)),
                "a Horn clause: one head",
            ),
        };
        return Err(elaborator.error(application.at, found, expected));
    }
    *place = Some((application.predicate, application.args.clone()));
    Ok(())
}
