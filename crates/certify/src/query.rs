//! One implication over a circuit, decided by structure if possible and by a solver if not.

use crate::solver::{Solver, Solving, Sure};
use indubit_aig::{Aig, Cone, Encoder};
use indubit_logic::{Lit, VarMap};

/// Longer disjunctions are left to their gates.
const LONGEST_CLAUSE: usize = 256;

/// An assignment to the part of a circuit that a query was about.
pub(crate) struct Counterexample {
    solver: Solver,
    encoder: Encoder,
}

impl Counterexample {
    /// The value of an edge, unless the query did not depend on it.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match lit {
            Lit::FALSE => Some(false),
            Lit::TRUE => Some(true),
            _ => self.encoder.contains(lit.var()).then(|| self.solver.value(lit)),
        }
    }
}

/// Does the conjunction of `assume` imply the conjunction of `show`? If not, here is a counterexample.
///
/// Conjunctions on either side are taken apart, so an obligation that is literally among the assumptions is met
/// without a solver. An assumed disjunction becomes one clause.
pub(crate) fn refute(aig: &Aig, assume: &[Lit], show: &[Lit], by: &Solving) -> Sure<Option<Counterexample>> {
    match Query::new(aig, assume, show, by.solver()) {
        Some(mut query) => Ok(query.has_model(aig, &[])?.then_some(query.0)),
        None => Ok(None),
    }
}

/// The same question, to be asked case by case.
pub(crate) struct Query(Counterexample);

impl Query {
    /// Is there an assignment that makes all of `assume` true and not all of `show`? None if it is clear at once that there is not.
    pub fn new(aig: &Aig, assume: &[Lit], show: &[Lit], solver: Solver) -> Option<Query> {
        let clauses = clauses(aig, assume, show)?;
        // Gates after their operands: a solver decides on the last ones first, and those are next to what is asked.
        let mut cone = Cone::new();
        cone.collect(aig, clauses.iter().flatten().copied());
        let mut query = Query(Counterexample { solver, encoder: Encoder::new() });
        for &var in cone.vars() {
            query.encode(aig, Lit::positive(var));
        }
        for clause in &clauses {
            query.assume_any(aig, clause);
        }
        Some(query)
    }
    fn encode(&mut self, aig: &Aig, lit: Lit) {
        let Counterexample { solver, encoder } = &mut self.0;
        encoder.encode(aig, lit, |clause| solver.add_clause(clause));
    }
    /// From now on one of these holds.
    pub fn assume_any(&mut self, aig: &Aig, lits: &[Lit]) {
        lits.iter().for_each(|&lit| self.encode(aig, lit));
        self.0.solver.add_clause(lits);
    }
    /// Is there such an assignment in which all of these hold?
    pub fn has_model(&mut self, aig: &Aig, case: &[Lit]) -> Sure<bool> {
        case.iter().for_each(|&lit| self.encode(aig, lit));
        self.0.solver.solve(case)
    }
    /// The assignment that was found last.
    pub fn into_model(self) -> Counterexample {
        self.0
    }
}

/// Clauses that say that all of `assume` holds and not all of `show`; none if that cannot be.
fn clauses(aig: &Aig, assume: &[Lit], show: &[Lit]) -> Option<Vec<Vec<Lit>>> {
    let mut known = VarMap::filled(aig.n_vars(), None);
    let mut units = Vec::new();
    let mut open = assume.to_vec();
    while let Some(lit) = open.pop() {
        match known[lit.var()] {
            _ if lit == Lit::TRUE => continue,
            _ if lit == Lit::FALSE => return None,
            Some(sign) if sign == lit.is_negated() => continue,
            Some(_) => return None,
            None => known[lit.var()] = Some(lit.is_negated()),
        }
        match aig.fanins(lit.var()) {
            Some(fanins) if !lit.is_negated() => open.extend(fanins),
            _ => units.push(lit),
        }
    }
    let mut goals = Vec::new();
    let mut seen = VarMap::filled(aig.n_vars(), [false; 2]);
    let mut open = show.to_vec();
    while let Some(lit) = open.pop() {
        let seen = std::mem::replace(&mut seen[lit.var()][usize::from(lit.is_negated())], true);
        if seen || lit == Lit::TRUE || known[lit.var()] == Some(lit.is_negated()) {
            continue;
        }
        match aig.fanins(lit.var()) {
            Some(fanins) if !lit.is_negated() => open.extend(fanins),
            _ => goals.push(lit),
        }
    }
    if goals.is_empty() {
        return None;
    }
    let mut clauses: Vec<Vec<Lit>> = units.into_iter().map(|unit| disjunction(aig, unit)).collect();
    clauses.push(goals.iter().map(|&g| !g).collect());
    Some(clauses)
}

/// The literal as a disjunction: a negated AND is one of the negations of its operands.
fn disjunction(aig: &Aig, root: Lit) -> Vec<Lit> {
    let mut lits = Vec::new();
    let mut open = vec![root];
    while let Some(lit) = open.pop() {
        match aig.fanins(lit.var()) {
            Some([a, b]) if lit.is_negated() => open.extend([!a, !b]),
            _ => lits.push(lit),
        }
        if lits.len() + open.len() > LONGEST_CLAUSE {
            return vec![root];
        }
    }
    lits
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::Cancel;

    fn holds(aig: &Aig, assume: &[Lit], show: &[Lit]) -> bool {
        let [believed, audited] = [false, true].map(|paranoid| {
            refute(aig, assume, show, &Solving::new(&Cancel::new()).with_paranoia(paranoid))
                .unwrap()
                .is_none()
        });
        assert_eq!(believed, audited);
        believed
    }

    #[test]
    fn implications() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let ab = aig.and(a, b);
        let abc = aig.and(ab, c);
        let x = aig.xor(a, b);
        assert!(holds(&aig, &[abc], &[c, ab, a]));
        assert!(holds(&aig, &[a, !a], &[c]));
        assert!(holds(&aig, &[Lit::FALSE], &[c]));
        assert!(holds(&aig, &[c], &[]));
        assert!(holds(&aig, &[!ab, a], &[!b]));
        assert!(holds(&aig, &[!abc, a, b], &[!c, x, Lit::TRUE].map(|l| if l == x { !x } else { l })));
        assert!(!holds(&aig, &[!abc, a], &[!c]));
        assert!(!holds(&aig, &[], &[Lit::FALSE]));
        let found = refute(&aig, &[x, a], &[b, !c], &(&Cancel::new()).into()).unwrap().unwrap();
        assert_eq!(
            (found.value(a), found.value(b), found.value(Lit::TRUE)),
            (Some(true), Some(false), Some(true))
        );
    }

    #[test]
    fn long_disjunctions_keep_their_meaning() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..600).map(|_| aig.leaf()).collect();
        let any = aig.or_all(leaves.iter().copied());
        let mut assume: Vec<Lit> = leaves[1..].iter().map(|&l| !l).collect();
        assume.push(any);
        assert!(holds(&aig, &assume, &leaves[..1]));
        assert!(!holds(&aig, &assume[1..], &leaves[..1]));
    }
}
