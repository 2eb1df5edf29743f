//! Formulas of a problem over words, taken apart and copied.

use indubit_term::{Sort, Term, Terms, Value};

/// New variables like these, for time frame `k`.
pub(super) fn copies(terms: &mut Terms, like: &[Term], k: usize) -> Vec<Term> {
    let fresh = |&var: &Term| {
        let name = format!("{}@{k}", terms.name(var).unwrap_or_default());
        let sort = terms.sort(var);
        terms.var(&name, sort)
    };
    like.iter().map(fresh).collect()
}

/// The Boolean subterms of a formula that are no connectives, each once: what it is made of.
pub(super) fn atoms(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    use indubit_term::Op;
    let mut seen = std::collections::HashSet::new();
    let mut found = Vec::new();
    let mut stack: Vec<Term> = roots.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) || terms.value(term).is_some() {
            continue;
        }
        let args = terms.args(term);
        let is_connective = match terms.op(term) {
            Op::Not | Op::And | Op::Or => true,
            Op::Eq => terms.sort(args[0]) == Sort::Bool,
            Op::Ite => true,
            _ => false,
        };
        match is_connective {
            true => stack.extend(args.iter().rev()),
            false => found.push(term),
        }
    }
    found
}

/// An equality of numbers as two inequalities: lemmas are more often about one of them. Anything else as it is.
pub(super) fn halves(terms: &mut Terms, atom: Term) -> Vec<Term> {
    use indubit_term::Op;
    match (terms.op(atom), terms.args(atom)) {
        (Op::Eq, &[a, b]) if terms.sort(a).is_number() => vec![terms.le(a, b), terms.ge(a, b)],
        _ => vec![atom],
    }
}

/// "These variables have these values." Nothing is said of bit-vectors, which are there only if no formula is about them.
pub(super) fn equalities(terms: &mut Terms, vars: &[Term], values: &[Value]) -> Vec<Term> {
    let equal = |(&var, value): (&Term, &Value)| {
        let value = terms.constant(value.clone());
        terms.eq(var, value)
    };
    let has_theory = |(_, value): &(&Term, &Value)| !matches!(value, Value::Bits { .. });
    vars.iter().zip(values).filter(has_theory).map(equal).collect()
}
