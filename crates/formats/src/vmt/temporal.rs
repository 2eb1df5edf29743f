//! Formulas of linear temporal logic in VMT.
//!
//! Operators are functions of truth values, `ltl.G` and the like; VMT-LIB (Cimatti, Griggio, Tonetta, *The VMT-LIB language and tools*, SMT 2022) has those about the future, and tools that
//! read it those about the past, too. While a file is read an operator with its arguments is a marker, as predicates of clauses are; afterwards markers and the Boolean operators
//! around them become a formula, and what has no marker in it is an atom.

use crate::Error;
use crate::smtlib::elaborate::{Elaborator, Meaning, Predicate};
use crate::smtlib::expressions::Id;
use indubit_system::{Ltl, LtlBuilder, LtlId, LtlNode};
use indubit_term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an operator makes of its arguments.
#[derive(Clone, Copy)]
enum Make {
    One(fn(&mut LtlBuilder<Term>, LtlId) -> LtlId),
    Two(fn(&mut LtlBuilder<Term>, LtlId, LtlId) -> LtlId),
}

/// The operators.
const OPERATORS: [(&str, Make); 11] = [
    ("ltl.X", Make::One(LtlBuilder::next)),
    ("ltl.F", Make::One(LtlBuilder::finally)),
    ("ltl.G", Make::One(LtlBuilder::globally)),
    ("ltl.U", Make::Two(LtlBuilder::until)),
    ("ltl.R", Make::Two(LtlBuilder::release)),
    ("ltl.Y", Make::One(LtlBuilder::yesterday)),
    ("ltl.Z", Make::One(LtlBuilder::weak_yesterday)),
    ("ltl.O", Make::One(LtlBuilder::once)),
    ("ltl.H", Make::One(LtlBuilder::historically)),
    ("ltl.S", Make::Two(LtlBuilder::since)),
    ("ltl.T", Make::Two(LtlBuilder::triggered)),
];

/// Is it what an operator is called?
pub(crate) fn is_operator(name: &str) -> bool {
    OPERATORS.iter().any(|(operator, _)| *operator == name)
}

/// The operators are known from now on.
pub(super) fn declare(elaborator: &mut Elaborator<'_, '_>) {
    for (number, (name, make)) in OPERATORS.into_iter().enumerate() {
        let n_args = if matches!(make, Make::One(_)) { 1 } else { 2 };
        elaborator.predicates.push(Predicate { name: name.to_owned(), sorts: vec![Sort::Bool; n_args] });
        elaborator.symbols.insert(name, Meaning::Predicate(number));
    }
}

/// Does a command declare an operator, as files do that a solver has printed? It says nothing new.
pub(super) fn is_declaration(elaborator: &Elaborator<'_, '_>, command: Id) -> bool {
    let e = elaborator.e;
    match *e.list(command) {
        [word, name, sorts, sort] if e.is_word(word, "declare-fun") && e.is_word(sort, "Bool") => {
            let meant = elaborator.predicates.iter().find(|p| e.symbol(name) == Some(&p.name));
            let sorts = e.list(sorts);
            meant.is_some_and(|p| p.sorts.len() == sorts.len()) && sorts.iter().all(|&s| e.is_word(s, "Bool"))
        }
        _ => false,
    }
}

/// The first temporal operator in a term, by its name.
pub(super) fn operator_in<'e>(elaborator: &'e Elaborator<'_, '_>, term: Term) -> Option<&'e str> {
    let variables = elaborator.terms.variables(&[term]);
    let marker = variables.iter().find_map(|v| elaborator.markers.get(v))?;
    Some(&elaborator.predicates[elaborator.applications[*marker].predicate].name)
}

/// The formula that a term is, with its markers.
pub(super) fn formula(elaborator: &mut Elaborator<'_, '_>, root: Term, at: Id) -> Result<Ltl<Term>, Error> {
    if !elaborator.is_closed(root) {
        let found = "a temporal operator over a parameter of a definition";
        return Err(elaborator.error(at, found, "temporal operators over variables of the system"));
    }
    let terms = &elaborator.terms;
    // All that the formula is made of. What it is made of is older than itself, operators included.
    let (mut open, mut parts) = (vec![root], FxHashSet::default());
    while let Some(term) = open.pop() {
        if parts.insert(term) {
            open.extend(operands(elaborator, term));
        }
    }
    let mut parts: Vec<Term> = parts.into_iter().collect();
    parts.sort_unstable();
    let mut is_temporal: FxHashSet<Term> = FxHashSet::default();
    for &part in &parts {
        let inner = operands(elaborator, part);
        if elaborator.markers.contains_key(&part) || inner.iter().any(|t| is_temporal.contains(t)) {
            is_temporal.insert(part);
        }
    }
    // Atoms are what is outermost and not temporal.
    let mut builder = LtlBuilder::new();
    let mut values: FxHashMap<Term, LtlId> = FxHashMap::default();
    for &part in &parts {
        if !is_temporal.contains(&part) {
            continue;
        }
        let args: Vec<LtlId> = operands(elaborator, part)
            .into_iter()
            .map(|term| *values.entry(term).or_insert_with(|| atom(terms, &mut builder, term)))
            .collect();
        let value = match elaborator.markers.get(&part) {
            Some(&application) => {
                let predicate = elaborator.applications[application].predicate;
                match (OPERATORS[predicate].1, &args[..]) {
                    (Make::One(make), &[a]) => make(&mut builder, a),
                    (Make::Two(make), &[a, b]) => make(&mut builder, a, b),
                    _ => unreachable!("the arguments were counted where the operator was applied"),
                }
            }
            None => match (terms.op(part), &args[..]) {
                (Op::Not, &[a]) => builder.not(a),
                (Op::And, [first, rest @ ..]) => rest.iter().fold(*first, |all, &a| builder.and(all, a)),
                (Op::Or, [first, rest @ ..]) => rest.iter().fold(*first, |all, &a| builder.or(all, a)),
                (Op::Eq, &[a, b]) if terms.sort(terms.args(part)[0]) == Sort::Bool => builder.iff(a, b),
                (op, _) => {
                    let found = format!("`{}` of a temporal formula", op.name());
                    return Err(elaborator.error(at, found, "Boolean operators around temporal ones"));
                }
            },
        };
        values.insert(part, value);
    }
    let value = values.get(&root).copied();
    let value = value.unwrap_or_else(|| atom(terms, &mut builder, root));
    Ok(builder.finish(value))
}

fn atom(terms: &Terms, builder: &mut LtlBuilder<Term>, term: Term) -> LtlId {
    if let Some(value) = terms.as_bool(term) {
        return builder.constant(value);
    }
    // A negation is one of the formula.
    match terms.op(term) {
        Op::Not => {
            let inner = builder.atom(terms.args(term)[0]);
            builder.not(inner)
        }
        _ => builder.atom(term),
    }
}

/// What a term is made of, behind a marker as well.
fn operands(elaborator: &Elaborator<'_, '_>, term: Term) -> Vec<Term> {
    match elaborator.markers.get(&term) {
        Some(&application) => elaborator.applications[application].args.clone(),
        None => elaborator.terms.args(term).to_vec(),
    }
}

/// `p`, if a formula is `F G p`, or `! G F ! p`, and `p` is about now.
pub(super) fn settles(formula: &Ltl<Term>) -> Option<Ltl<Term>> {
    // What is negated how often, and under which operators.
    let (mut id, mut positive, mut operators) = (formula.root(), true, Vec::new());
    loop {
        match formula.node(id) {
            LtlNode::Not(inner) => (id, positive) = (inner, !positive),
            LtlNode::Until(always, later) if formula.node(always) == LtlNode::True => {
                operators.push(positive);
                id = later;
            }
            LtlNode::Atom(number) if operators == [true, false] => {
                let mut builder = LtlBuilder::new();
                let atom = builder.atom(formula.atoms()[number as usize]);
                let p = if positive { atom } else { builder.not(atom) };
                return Some(builder.finish(p));
            }
            _ => return None,
        }
    }
}

/// `F G p`.
pub(super) fn settling(p: Term) -> Ltl<Term> {
    let mut builder = LtlBuilder::new();
    let atom = builder.atom(p);
    let always = builder.globally(atom);
    let some_time = builder.finally(always);
    builder.finish(some_time)
}
