//! Proofs over words: initiation, consecution and safety, or k steps, as queries for a solver that knows nothing of how the proof was found.

use crate::WordReason;
use indubit_run::{Ask, Cancel};
use indubit_smt::{Smt, SmtConfig, unsupported};
use indubit_system::{WordProof, WordSystem};
use indubit_term::{Term, Terms};
use std::collections::{HashMap, HashSet};

/// Not a seed that an engine would have.
const SEED: u64 = 0x636f_6e74_726f_6c73;

/// Does `proof` show that property number `property` holds in all reachable states?
pub fn check_word_proof(
    system: &WordSystem,
    property: usize,
    proof: &WordProof,
    cancel: &Cancel,
) -> Ask<Result<(), WordReason>> {
    if let Err(what) = system.validate() {
        return Ok(Err(WordReason::Malformed(what)));
    }
    let Some(goal) = system.properties.get(property) else { return Ok(Err(WordReason::NoProperty(property))) };
    match proof {
        WordProof::Inductive { terms, invariant } => {
            if !terms.extends(&system.terms) {
                return Ok(Err(WordReason::OtherTerms));
            }
            check_invariant(system, terms.clone(), *invariant, goal.holds, cancel)
        }
        WordProof::KInductive { k, simple_path } => {
            check_k_steps(system, goal.holds, (*k).max(1), *simple_path, cancel)
        }
    }
}

/// Is there no model of all of these formulas?
fn is_refuted(terms: &Terms, formulas: &[Term], cancel: &Cancel) -> Ask<Result<bool, WordReason>> {
    if let Some(term) = unsupported(terms, formulas) {
        return Ok(Err(WordReason::Unsupported(terms.display(term).short().to_string())));
    }
    let mut smt = Smt::new(cancel, SmtConfig { interpolation: false, seed: SEED });
    formulas.iter().for_each(|&formula| smt.assert(terms, 0, formula));
    Ok(Ok(!smt.solve(&[])?))
}

fn check_invariant(
    system: &WordSystem,
    mut terms: Terms,
    invariant: Term,
    holds: Term,
    cancel: &Cancel,
) -> Ask<Result<(), WordReason>> {
    let state: HashSet<Term> = system.states.iter().map(|v| v.current).collect();
    if let Some(&stray) = terms.variables(&[invariant]).iter().find(|v| !state.contains(v)) {
        return Ok(Err(WordReason::Stray(terms.display(stray).to_string())));
    }
    let after = terms.substitute(invariant, &system.to_next());
    let [not_now, not_after, bad] = [invariant, after, holds].map(|t| terms.not(t));
    for (what, formulas) in [
        ("holds initially", &[system.init, not_now][..]),
        ("is kept by every step", &[invariant, system.trans, not_after]),
        ("implies the property", &[invariant, bad]),
    ] {
        match is_refuted(&terms, formulas, cancel)? {
            Ok(true) => (),
            Ok(false) => return Ok(Err(WordReason::NotInvariant(what))),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(()))
}

fn check_k_steps(
    system: &WordSystem,
    holds: Term,
    k: u32,
    simple_path: bool,
    cancel: &Cancel,
) -> Ask<Result<(), WordReason>> {
    let mut terms = system.terms.clone();
    let mut paths = Paths::new(system);
    for _ in 0..=k {
        paths.extend(&mut terms);
    }
    let good: Vec<Term> = (0..=k as usize).map(|i| paths.at(&mut terms, i, holds)).collect();
    let steps: Vec<Term> = (0..k as usize).map(|i| paths.at(&mut terms, i, system.trans)).collect();
    let init = paths.at(&mut terms, 0, system.init);
    for step in 0..k as usize {
        let mut formulas = vec![init, terms.not(good[step])];
        formulas.extend(&steps[..step]);
        match is_refuted(&terms, &formulas, cancel)? {
            Ok(true) => (),
            Ok(false) => return Ok(Err(WordReason::InductionBase { step })),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    let mut formulas = steps;
    formulas.extend(&good[..k as usize]);
    formulas.push(terms.not(good[k as usize]));
    if simple_path {
        for (i, j) in (0..=k as usize).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let same = paths.same(&mut terms, i, j);
            formulas.push(terms.not(same));
        }
    }
    Ok(match is_refuted(&terms, &formulas, cancel)? {
        Ok(true) => Ok(()),
        Ok(false) => Err(WordReason::InductionStep { k }),
        Err(reason) => Err(reason),
    })
}

/// States one after the other, with inputs.
struct Paths<'s> {
    system: &'s WordSystem,
    frames: Vec<(Vec<Term>, Vec<Term>)>,
}

impl<'s> Paths<'s> {
    fn new(system: &'s WordSystem) -> Paths<'s> {
        Paths { system, frames: Vec::new() }
    }
    fn extend(&mut self, terms: &mut Terms) {
        let step = self.frames.len();
        let mut copy = |vars: Vec<Term>| -> Vec<Term> {
            let copy = |var: Term| {
                let name = format!("{}@{step}", terms.name(var).unwrap_or_default());
                let sort = terms.sort(var);
                terms.var(&name, sort)
            };
            vars.into_iter().map(copy).collect()
        };
        let states = copy(self.system.states.iter().map(|v| v.current).collect());
        let inputs = copy(self.system.inputs.clone());
        self.frames.push((states, inputs));
    }
    /// A formula about step `i`, and the state after it.
    fn at(&self, terms: &mut Terms, i: usize, formula: Term) -> Term {
        let (states, inputs) = &self.frames[i];
        let mut map: HashMap<Term, Term> = HashMap::new();
        for (j, var) in self.system.states.iter().enumerate() {
            map.insert(var.current, states[j]);
            if let Some((after, _)) = self.frames.get(i + 1) {
                map.insert(var.next, after[j]);
            }
        }
        map.extend(self.system.inputs.iter().copied().zip(inputs.iter().copied()));
        terms.substitute(formula, &map)
    }
    fn same(&self, terms: &mut Terms, i: usize, j: usize) -> Term {
        let pairs = self.frames[i].0.iter().zip(&self.frames[j].0);
        let equal: Vec<Term> = pairs.map(|(&a, &b)| terms.eq(a, b)).collect();
        terms.and(&equal)
    }
}
