//! Lemmas about bits as lemmas about words: where each bit of one word is what the same bit of another one is, the words are equal.
//!
//! A circuit has no words, so engines learn of `busy -> data = copy` two clauses for each bit. Together they say the same as the one.

use indubit_term::{Op, Term, Terms, Value};
use std::collections::{BTreeMap, HashSet};

/// What is left of a clause without two bits, and the words that these are of.
type Place = (Vec<Term>, Term, Term);

/// Clauses that say the same, with words in place of their bits where each bit has its two clauses.
pub(super) fn whole_words(terms: &mut Terms, clauses: Vec<Term>) -> Vec<Term> {
    // For each bit of the first word: the clause with which it implies the bit of the second one, and that with which it is implied.
    let mut places: BTreeMap<Place, Vec<[Option<usize>; 2]>> = BTreeMap::new();
    for (i, &clause) in clauses.iter().enumerate() {
        let lits = if terms.op(clause) == Op::Or { terms.args(clause) } else { &[] };
        let bits: Vec<Option<Bit>> = lits.iter().map(|&lit| bit(terms, lit)).collect();
        for (from, to) in pairs(terms, &bits) {
            let ([Some(x), Some(y)], rest) = ([bits[from], bits[to]], without(lits, [from, to])) else {
                continue;
            };
            let (first, second) = (x.word.min(y.word), x.word.max(y.word));
            let place = places.entry((rest, first, second)).or_default();
            place.resize(terms.width(first) as usize, [None; 2]);
            place[x.index as usize][usize::from(x.word == second)] = Some(i);
        }
    }
    let mut gone = HashSet::new();
    let mut equal = Vec::new();
    for ((mut rest, x, y), bits) in places {
        let clauses: Option<Vec<usize>> = bits.into_iter().flatten().collect();
        if let Some(clauses) = clauses.filter(|clauses| clauses.len() > 2) {
            gone.extend(clauses);
            rest.push(terms.eq(x, y));
            equal.push(terms.or(&rest));
        }
    }
    let others = clauses.into_iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, clause)| clause);
    others.chain(equal).collect()
}

/// A literal that says what one bit of a word is.
#[derive(Clone, Copy)]
struct Bit {
    word: Term,
    index: u32,
    is_set: bool,
}

fn bit(terms: &Terms, lit: Term) -> Option<Bit> {
    let (atom, negated) = if terms.op(lit) == Op::Not { (terms.args(lit)[0], true) } else { (lit, false) };
    let (Op::Eq, &[a, b]) = (terms.op(atom), terms.args(atom)) else { return None };
    let (extract, value) = if terms.value(a).is_some() { (b, a) } else { (a, b) };
    let Op::Extract { high, low } = terms.op(extract) else { return None };
    let one = matches!(terms.value(value)?, Value::Bits { value, .. } if value.bit(0));
    (high == low).then(|| Bit { word: terms.args(extract)[0], index: low, is_set: one != negated })
}

/// The positions of a bit that is not set, and of the same bit of another word of that size that is.
fn pairs(terms: &Terms, bits: &[Option<Bit>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (from, x) in bits.iter().enumerate() {
        for (to, y) in bits.iter().enumerate() {
            let (Some(x), Some(y)) = (x, y) else { continue };
            let are_alike = x.index == y.index && x.word != y.word;
            if are_alike && !x.is_set && y.is_set && terms.width(x.word) == terms.width(y.word) {
                pairs.push((from, to));
            }
        }
    }
    pairs
}

fn without(lits: &[Term], positions: [usize; 2]) -> Vec<Term> {
    let rest = lits.iter().enumerate().filter(|(i, _)| !positions.contains(i));
    let mut rest: Vec<Term> = rest.map(|(_, &lit)| lit).collect();
    rest.sort_unstable();
    rest
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_term::Sort;

    #[test]
    fn two_clauses_a_bit_are_one_of_the_words() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::BitVec(4)));
        let busy = terms.var("busy", Sort::Bool);
        let one = terms.bits(1, 1_u32);
        let mut clauses = Vec::new();
        for i in 0..4 {
            let [x, y, z] = [x, y, z].map(|word| terms.extract(i, i, word));
            let [x, y, z] = [x, y, z].map(|bit| terms.eq(bit, one));
            let (no_x, no_y) = (terms.not(x), terms.not(y));
            clauses.extend([
                terms.or(&[busy, no_x, y]),
                terms.or(&[no_y, x, busy]),
                terms.or(&[busy, no_x, z]),
            ]);
        }
        let of_z: Vec<Term> = clauses.iter().copied().skip(2).step_by(3).collect();
        let equal = terms.eq(x, y);
        let said = terms.or(&[busy, equal]);
        let found = whole_words(&mut terms, clauses.clone());
        assert_eq!(found, of_z.iter().copied().chain([said]).collect::<Vec<_>>());
        // One clause less, and one bit may differ.
        clauses.remove(1);
        assert_eq!(whole_words(&mut terms, clauses.clone()), clauses);
    }
}
