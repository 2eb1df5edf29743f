//! Proofs over words: initiation, consecution and safety, or k steps, as queries for a solver that knows nothing of how the proof was found.

use crate::query::refute;
use crate::{Setback, Solving, WordReason};
use indubit_aig::Aig;
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};
use indubit_smt::{External, Opinion, Smt, SmtConfig, unsupported};
use indubit_system::{WordProof, WordSystem};
use indubit_term::{Blaster, Sort, Term, Terms};
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
    let Queries { terms, queries } = match Queries::new(system, property, proof) {
        Ok(queries) => queries,
        Err(reason) => return Ok(Err(reason)),
    };
    for (otherwise, formulas) in queries {
        match is_refuted(&terms, &formulas, cancel)? {
            Ok(true) => (),
            Ok(false) => return Ok(Err(otherwise)),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(()))
}

/// The same questions for another solver. What it does not know it says, and that is no reason to reject the proof.
pub fn ask_another(
    system: &WordSystem,
    property: usize,
    proof: &WordProof,
    other: &External,
    cancel: &Cancel,
) -> Ask<Result<Vec<String>, WordReason>> {
    let Queries { terms, queries } = match Queries::new(system, property, proof) {
        Ok(queries) => queries,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut doubts = Vec::new();
    for (otherwise, formulas) in queries {
        match other.ask(&terms, &formulas, cancel)? {
            Opinion::Unsat => (),
            Opinion::Sat => return Ok(Err(otherwise)),
            Opinion::Unknown(why) => doubts.push(why),
        }
    }
    Ok(Ok(doubts))
}

/// Is there no model of all of these formulas? Numbers are for our solver for words, bits for a SAT solver.
fn is_refuted(terms: &Terms, formulas: &[Term], cancel: &Cancel) -> Ask<Result<bool, WordReason>> {
    let Some(term) = unsupported(terms, formulas) else {
        let mut smt = Smt::new(cancel, SmtConfig { interpolation: false, seed: SEED });
        formulas.iter().for_each(|&formula| smt.assert(terms, 0, formula));
        return Ok(Ok(!smt.solve(&[])?));
    };
    let Some((aig, assumed)) = circuit(terms, formulas) else {
        return Ok(Err(WordReason::Unsupported(terms.display(term).short().to_string())));
    };
    match refute(&aig, &assumed, &[Lit::FALSE], &Solving::new(cancel)) {
        Ok(counterexample) => Ok(Ok(counterexample.is_none())),
        Err(Setback::Stop(stop)) => Err(stop),
        Err(Setback::Solver(error)) => Ok(Err(WordReason::Solver(error))),
    }
}

/// Formulas without numbers as a circuit.
fn circuit(terms: &Terms, formulas: &[Term]) -> Option<(Aig, Vec<Lit>)> {
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    for var in terms.variables(formulas) {
        let width = match terms.sort(var) {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
            Sort::Int | Sort::Real => return None,
        };
        blaster.set(var, (0..width).map(|_| aig.leaf()).collect());
    }
    let lits: Option<Vec<Lit>> = formulas.iter().map(|&f| blaster.literal(terms, &mut aig, f).ok()).collect();
    Some((aig, lits?))
}

/// What has to be refuted, and what is wrong with the proof otherwise.
struct Queries {
    terms: Terms,
    queries: Vec<(WordReason, Vec<Term>)>,
}

impl Queries {
    fn new(system: &WordSystem, property: usize, proof: &WordProof) -> Result<Queries, WordReason> {
        system.validate().map_err(WordReason::Malformed)?;
        let holds = system.properties.get(property).ok_or(WordReason::NoProperty(property))?.holds;
        match proof {
            WordProof::Inductive { terms, invariant } => {
                if !terms.extends(&system.terms) {
                    return Err(WordReason::OtherTerms);
                }
                Queries::of_invariant(system, terms.clone(), *invariant, holds)
            }
            WordProof::KInductive { k, simple_path } => {
                Ok(Queries::of_k_steps(system, holds, (*k).max(1), *simple_path))
            }
        }
    }

    fn of_invariant(
        system: &WordSystem,
        mut terms: Terms,
        invariant: Term,
        holds: Term,
    ) -> Result<Queries, WordReason> {
        let state: HashSet<Term> = system.states.iter().map(|v| v.current).collect();
        if let Some(&stray) = terms.variables(&[invariant]).iter().find(|v| !state.contains(v)) {
            return Err(WordReason::Stray(terms.display(stray).to_string()));
        }
        let after = terms.substitute(invariant, &system.to_next());
        let [not_now, not_after, bad] = [invariant, after, holds].map(|t| terms.not(t));
        let queries = vec![
            (WordReason::NotInvariant("holds initially"), vec![system.init, not_now]),
            (WordReason::NotInvariant("is kept by every step"), vec![invariant, system.trans, not_after]),
            (WordReason::NotInvariant("implies the property"), vec![invariant, bad]),
        ];
        Ok(Queries { terms, queries })
    }

    fn of_k_steps(system: &WordSystem, holds: Term, k: u32, simple_path: bool) -> Queries {
        let mut terms = system.terms.clone();
        let mut paths = Paths::new(system);
        for _ in 0..=k {
            paths.extend(&mut terms);
        }
        let good: Vec<Term> = (0..=k as usize).map(|i| paths.at(&mut terms, i, holds)).collect();
        let steps: Vec<Term> = (0..k as usize).map(|i| paths.at(&mut terms, i, system.trans)).collect();
        let init = paths.at(&mut terms, 0, system.init);
        let mut queries = Vec::new();
        for step in 0..k as usize {
            let mut formulas = vec![init, terms.not(good[step])];
            formulas.extend(&steps[..step]);
            queries.push((WordReason::InductionBase { step }, formulas));
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
        queries.push((WordReason::InductionStep { k }, formulas));
        Queries { terms, queries }
    }
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
