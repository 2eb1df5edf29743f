//! Proofs over words: initiation, consecution and safety, or k steps, as queries for a solver that knows nothing of how the proof was found.

use crate::Solving;
use crate::WordReason;
use crate::ltl;
use crate::word_paths::{From, Paths};
use indubit_run::{Ask, Cancel, Stop};
use indubit_sat::Config;
use indubit_smt::{External, Opinion, TOO_MANY_SPLITS, Theory};
use indubit_system::{Claim, Property, WordProof, WordSystem, Words};
use indubit_term::{Term, Terms};

/// Not a seed that an engine would have.
const SEED: u64 = 0x636f_6e74_726f_6c73;
/// So many of them are tried.
const ATTEMPTS: u64 = 5;

/// Does `proof` decide a property: that it holds in all reachable states, or that a cover is in none?
pub(crate) fn check_word_proof(
    system: &WordSystem,
    property: &Property<Term>,
    proof: &WordProof,
    cancel: &Cancel,
) -> Ask<Result<(), WordReason>> {
    check(system, property, proof, &mut Judge { other: None, doubts: Vec::new(), cancel })
}

/// The questions that check a proof, for another solver: why it does not know, where it does not. That is no reason to reject the proof.
pub fn ask_another(
    system: &WordSystem,
    property: &Property<Term>,
    proof: &WordProof,
    other: &External,
    cancel: &Cancel,
) -> Ask<Result<Vec<String>, WordReason>> {
    if let WordProof::Ranked(_) = proof {
        return Err(Stop::Incomplete("a ranked proof is checked on the circuit of the system"));
    }
    let mut judge = Judge { other: Some(other), doubts: Vec::new(), cancel };
    let checked = match property.claim {
        // It is about the system with what watches it.
        Claim::Ltl(_) => match ltl::question::<Words>(system, property, proof) {
            Ok((product, question)) => check(&product, &question, proof, &mut judge)?,
            Err(reason) => Err(reason),
        },
        _ => check(system, property, proof, &mut judge)?,
    };
    Ok(checked.map(|()| judge.doubts))
}

/// Who answers.
pub(crate) struct Judge<'j> {
    /// Somebody else than our solver.
    other: Option<&'j External>,
    doubts: Vec<String>,
    cancel: &'j Cancel,
}

impl<'j> Judge<'j> {
    pub fn new(by: &'j Solving) -> Judge<'j> {
        Judge { other: by.other.as_ref(), doubts: Vec::new(), cancel: &by.cancel }
    }
    /// Is there a question to which it had no answer?
    pub fn has_doubts(&self) -> bool {
        !self.doubts.is_empty()
    }
    /// Is there no model of all of these formulas?
    fn refutes(&mut self, terms: &Terms, formulas: &[Term]) -> Ask<Result<bool, WordReason>> {
        let Some(other) = self.other else { return is_refuted(terms, formulas, self.cancel) };
        Ok(Ok(match other.ask(terms, formulas, self.cancel)? {
            Opinion::Unsat => true,
            Opinion::Sat => false,
            Opinion::Unknown(why) => {
                self.doubts.push(why);
                true
            }
        }))
    }
}

fn check(
    system: &WordSystem,
    property: &Property<Term>,
    proof: &WordProof,
    judge: &mut Judge<'_>,
) -> Ask<Result<(), WordReason>> {
    if let Err(what) = system.validate() {
        return Ok(Err(WordReason::Malformed(what)));
    }
    let mut terms = match proof {
        WordProof::Inductive { terms, .. } if !terms.extends(&system.terms) => {
            return Ok(Err(WordReason::OtherTerms));
        }
        WordProof::Inductive { terms, .. } => terms.clone(),
        WordProof::KInductive { .. } | WordProof::Ends { .. } | WordProof::Ranked(_) => system.terms.clone(),
    };
    let Some(holds) = property.claim.always(&mut terms) else { return Ok(Err(WordReason::Liveness)) };
    match proof {
        WordProof::Inductive { invariant, .. } => check_invariant(system, terms, *invariant, holds, judge),
        WordProof::KInductive { k, simple_path } => {
            check_k_steps(system, terms, holds, (*k).max(1), *simple_path, judge)
        }
        WordProof::Ends { last } => check_ends(system, terms, holds, *last as usize, judge),
        WordProof::Ranked(_) => Ok(Err(WordReason::Liveness)),
    }
}

/// Is there no model of all of these formulas?
fn is_refuted(terms: &Terms, formulas: &[Term], cancel: &Cancel) -> Ask<Result<bool, WordReason>> {
    let theory = match Theory::of(terms, formulas) {
        Ok(theory) => theory,
        Err(term) => return Ok(Err(WordReason::Unsupported(terms.display(term).short().to_string()))),
    };
    let mut answer = Ok(true);
    // Luck plays a part where integers are split.
    for seed in SEED..SEED + ATTEMPTS {
        let mut solver = theory.solver(Config::Unsat, seed, cancel);
        for &formula in formulas {
            let holds = solver.literal(terms, 0, formula);
            solver.add_clause(0, &[holds]);
        }
        answer = solver.solve(&mut terms.clone(), &[]);
        if answer != Err(Stop::Incomplete(TOO_MANY_SPLITS)) {
            break;
        }
    }
    answer.map(|has_model| Ok(!has_model))
}

fn check_invariant(
    system: &WordSystem,
    mut terms: Terms,
    invariant: Term,
    holds: Term,
    judge: &mut Judge<'_>,
) -> Ask<Result<(), WordReason>> {
    let gap = gap(system, &mut terms, &[invariant], &[holds], judge)?;
    Ok(gap.and_then(|gap| gap.map_or(Ok(()), |(gap, _)| Err(WordReason::NotInvariant(gap.what())))))
}

/// What an inductive proof lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// A lemma does not hold initially.
    Initial,
    /// A lemma is not kept.
    Kept,
    /// A claim does not follow.
    Implied,
}

impl Gap {
    /// What there should be.
    pub fn what(self) -> &'static str {
        match self {
            Gap::Initial => "holds initially",
            Gap::Kept => "is kept by every step",
            Gap::Implied => "implies the property",
        }
    }
}

/// Do lemmas, over `terms` that are those of the system and more, make an inductive proof of all claims? If not, which lemma or claim is it?
pub(crate) fn check_lemmas(
    system: &WordSystem,
    mut terms: Terms,
    lemmas: &[Term],
    claims: &[Term],
    by: &Solving,
) -> Ask<Result<Option<(Gap, usize)>, WordReason>> {
    let mut judge = Judge::new(by);
    match gap(system, &mut terms, lemmas, claims, &mut judge)? {
        Ok(None) if judge.has_doubts() => Err(Stop::Incomplete(DOUBTS)),
        result => Ok(result),
    }
}

/// Why a proof that another solver was to check has no verdict.
pub(crate) const DOUBTS: &str = "the other solver could not check the proof";

fn gap(
    system: &WordSystem,
    terms: &mut Terms,
    lemmas: &[Term],
    claims: &[Term],
    judge: &mut Judge<'_>,
) -> Ask<Result<Option<(Gap, usize)>, WordReason>> {
    // Lemmas are about states in which the constraints hold.
    let excuses: Vec<Term> = system.constraints.iter().map(|c| terms.not(c.holds)).collect();
    let excused = |&lemma: &Term| terms.or(&[&[lemma], &excuses[..]].concat());
    let lemmas: &[Term] = &lemmas.iter().map(excused).collect::<Vec<Term>>();
    let invariant = terms.and(lemmas);
    if let Some(stray) = system.unknown(terms, invariant) {
        return Ok(Err(WordReason::Stray(terms.display(stray).to_string())));
    }
    // What it says of inputs, it says of those of the next step, whatever they are.
    let mut to_next = system.to_next();
    for &input in &system.inputs {
        let (name, sort) = (terms.name(input).unwrap_or_default().to_owned(), terms.sort(input));
        to_next.insert(input, terms.var(&name, sort));
    }
    let after = terms.substitute_all(lemmas, &to_next);
    for (gap, premises, goals) in [
        (Gap::Initial, &[system.init][..], lemmas),
        (Gap::Kept, &[invariant, system.trans], &after),
        (Gap::Implied, &[invariant], claims),
    ] {
        match unproved(terms, premises, goals, judge)? {
            Ok(None) => (),
            Ok(Some(which)) => return Ok(Ok(Some((gap, which)))),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(None))
}

/// The first of the goals that the premises do not imply.
pub(crate) fn unproved(
    terms: &mut Terms,
    premises: &[Term],
    goals: &[Term],
    judge: &mut Judge<'_>,
) -> Ask<Result<Option<usize>, WordReason>> {
    let [first @ .., _] = goals else { return Ok(Ok(None)) };
    // One query for all of them, and more only to say which one it is.
    let all = terms.and(goals);
    for (i, &goal) in [all].iter().chain(first).enumerate() {
        let not = terms.not(goal);
        match (judge.refutes(terms, &[premises, &[not]].concat())?, i) {
            (Ok(true), 0) => return Ok(Ok(None)),
            (Ok(true), _) | (Ok(false), 0) => (),
            (Ok(false), _) => return Ok(Ok(Some(i - 1))),
            (Err(reason), _) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(Some(first.len())))
}

fn check_k_steps(
    system: &WordSystem,
    mut terms: Terms,
    holds: Term,
    k: u32,
    simple_path: bool,
    judge: &mut Judge<'_>,
) -> Ask<Result<(), WordReason>> {
    let k = k as usize;
    let runs = Paths::of_length(system, k, From::Initial, &mut terms);
    if let Err(reason) = check_first_steps(&runs, &mut terms, holds, k, judge)? {
        return Ok(Err(reason));
    }
    let paths = Paths::of_length(system, k, From::Anywhere, &mut terms);
    let mut formulas = paths.steps(&mut terms, k);
    formulas.extend((0..k).map(|i| paths.at(&mut terms, i, holds)));
    let last = paths.at(&mut terms, k, holds);
    formulas.push(terms.not(last));
    if simple_path {
        for (i, j) in (0..=k).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let same = paths.same(&mut terms, i, j);
            formulas.push(terms.not(same));
        }
    }
    Ok(match judge.refutes(&terms, &formulas)? {
        Ok(true) => Ok(()),
        Ok(false) => Err(WordReason::InductionStep { k: k as u32 }),
        Err(reason) => Err(reason),
    })
}

fn check_ends(
    system: &WordSystem,
    mut terms: Terms,
    holds: Term,
    last: usize,
    judge: &mut Judge<'_>,
) -> Ask<Result<(), WordReason>> {
    let paths = Paths::of_length(system, last + 1, From::Initial, &mut terms);
    let runs = match check_first_steps(&paths, &mut terms, holds, last + 1, judge)? {
        Ok(runs) => runs,
        Err(reason) => return Ok(Err(reason)),
    };
    Ok(judge.refutes(&terms, &runs)?.and_then(|ends| match ends {
        true => Ok(()),
        false => Err(WordReason::GoesOn { last }),
    }))
}

/// The property holds in the first so many states of each run. Returns the formulas for runs with as many steps.
fn check_first_steps(
    paths: &Paths<'_>,
    terms: &mut Terms,
    holds: Term,
    n_states: usize,
    judge: &mut Judge<'_>,
) -> Ask<Result<Vec<Term>, WordReason>> {
    // Our solver keeps what it has learned about runs from one step to the next.
    let theory = Theory::of(terms, &[paths.system.init, paths.system.trans, holds]).ok();
    let theory = theory.filter(|_| judge.other.is_none());
    let mut incremental = theory.map(|theory| theory.solver(Config::Incremental, SEED, judge.cancel));
    let mut runs = vec![paths.at(terms, 0, paths.system.init)];
    for step in 0..n_states {
        let good = paths.at(terms, step, holds);
        let bad = terms.not(good);
        let refuted = match &mut incremental {
            Some(solver) => {
                let [run, bad] = [runs[step], bad].map(|formula| solver.literal(terms, 0, formula));
                solver.add_clause(0, &[run]);
                let refuted = !solver.solve(terms, &[(0, bad)])?;
                if refuted {
                    solver.add_clause(0, &[!bad]);
                }
                refuted
            }
            None => match judge.refutes(terms, &[&runs[..], &[bad]].concat())? {
                Ok(refuted) => refuted,
                Err(reason) => return Ok(Err(reason)),
            },
        };
        if !refuted {
            return Ok(Err(WordReason::InductionBase { step }));
        }
        runs.push(paths.at(terms, step, paths.system.trans));
    }
    Ok(Ok(runs))
}

#[cfg(test)]
#[path = "word_proof_tests.rs"]
mod tests;
