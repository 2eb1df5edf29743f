//! Formulas over words that a person might have written as lemmas: what the design itself compares its registers with, and the property.

use indubit_system::WordSystem;
use indubit_term::{Op, Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// More guesses are not made: each is asked about.
const MOST: usize = 200;
/// So many registers are compared with each other,
const MOST_REGISTERS: usize = 8;
/// and so many inputs of the property are looked at with either value.
const MOST_INPUTS: usize = 3;

/// Bounds and values of what formulas of the system compare with constants, registers that are equal, truth values, and the property, with its inputs and without; and all of them once more
/// under the condition that most of an invariant is under. Each may be wrong.
pub(super) fn guesses(system: &WordSystem, terms: &mut Terms, invariant: Term, holds: Term) -> Vec<Term> {
    let states: HashSet<Term> = system.states.iter().map(|v| v.current).collect();
    let mut found = BTreeSet::new();
    let trans = if has_words(system, terms) { system.trans } else { system.init };
    for term in terms.cone(&[invariant, system.init, trans, holds]) {
        if terms.variables(&[term]).iter().any(|var| !states.contains(var)) {
            continue;
        }
        match (terms.op(term), terms.args(term)) {
            (Op::Le | Op::Lt | Op::Eq, &[sum, bound]) if terms.sort(sum).is_number() => found.extend([
                terms.ge(sum, bound),
                terms.le(sum, bound),
                terms.gt(sum, bound),
                terms.lt(sum, bound),
                terms.eq(sum, bound),
            ]),
            (Op::BvUlt | Op::Eq, &[a, b]) if matches!(terms.sort(a), Sort::BitVec(_)) => {
                if let Some((word, bound)) = compared(terms, a, b) {
                    let below = terms.bv(Op::BvUlt, &[word, bound]);
                    let above = terms.bv(Op::BvUlt, &[bound, word]);
                    let equal = terms.eq(word, bound);
                    found.extend([below, above, equal, terms.not(below), terms.not(above), terms.not(equal)]);
                }
            }
            (Op::Var, _) if terms.sort(term) == Sort::Bool => found.extend([term, terms.not(term)]),
            _ => (),
        }
    }
    if has_words(system, terms) {
        found.extend(equal_registers(terms, &states, invariant));
        found.extend(without_inputs(system, terms, holds));
        if let Some(elsewhere) = usual_condition(terms, invariant) {
            let everywhere: Vec<Term> = found.iter().copied().collect();
            found.extend(everywhere.into_iter().map(|guess| terms.or(&[elsewhere, guess])));
        }
    }
    found.retain(|&guess| terms.as_bool(guess).is_none());
    if found.len() > MOST { Vec::new() } else { found.into_iter().collect() }
}

/// Are there bit-vectors among the state variables?
fn has_words(system: &WordSystem, terms: &Terms) -> bool {
    system.states.iter().any(|v| matches!(terms.sort(v.current), Sort::BitVec(_)))
}

/// A word and the constant that it is compared with.
fn compared(terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    match [a, b].map(|side| terms.value(side).is_some()) {
        [false, true] => Some((a, b)),
        [true, false] => Some((b, a)),
        _ => None,
    }
}

/// Registers that an invariant is about, as equal to each other.
fn equal_registers(terms: &mut Terms, states: &HashSet<Term>, invariant: Term) -> Vec<Term> {
    let mut registers: Vec<Term> = terms.variables(&[invariant]).into_iter().collect();
    registers.retain(|var| states.contains(var) && matches!(terms.sort(*var), Sort::BitVec(_)));
    registers.sort_unstable();
    registers.truncate(MOST_REGISTERS);
    let mut equal = Vec::new();
    for (i, &a) in registers.iter().enumerate() {
        for &b in &registers[..i] {
            if terms.sort(a) == terms.sort(b) {
                equal.push(terms.eq(a, b));
            }
        }
    }
    equal
}

/// A formula, and what it says for each value of its inputs of one bit, if it has few.
fn without_inputs(system: &WordSystem, terms: &mut Terms, holds: Term) -> Vec<Term> {
    let mut all = vec![holds];
    let inputs = terms.variables(&[holds]);
    let inputs: Vec<Term> = system.inputs.iter().copied().filter(|input| inputs.contains(input)).collect();
    let is_bit = |&input: &Term| matches!(terms.sort(input), Sort::Bool | Sort::BitVec(1));
    if inputs.is_empty() || inputs.len() > MOST_INPUTS || !inputs.iter().all(is_bit) {
        return all;
    }
    for values in 0..1_u32 << inputs.len() {
        let mut map = HashMap::new();
        for (i, &input) in inputs.iter().enumerate() {
            let bit = values >> i & 1;
            let value = match terms.sort(input) {
                Sort::Bool => terms.bool(bit == 1),
                _ => terms.bits(1, bit),
            };
            map.insert(input, value);
        }
        all.push(terms.substitute(holds, &map));
    }
    all
}

/// The literal that is in most clauses of an invariant, if there is one: usually "the reset is not over".
fn usual_condition(terms: &Terms, invariant: Term) -> Option<Term> {
    let clauses = terms.conjuncts(invariant);
    let mut n_with: BTreeMap<Term, usize> = BTreeMap::new();
    for &clause in clauses.iter().filter(|&&clause| terms.op(clause) == Op::Or) {
        for &lit in terms.args(clause) {
            *n_with.entry(lit).or_default() += 1;
        }
    }
    let (&lit, &n) = n_with.iter().max_by_key(|&(_, &n)| n)?;
    (n >= 2 && 2 * n >= clauses.len()).then_some(lit)
}
