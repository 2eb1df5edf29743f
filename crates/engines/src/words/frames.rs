//! Time frames of a word-level problem: the same [`Bounded`] and [`Interpolate`] as for bits, so the engines on top are the same.

use super::problem::copies;
use crate::InterpolationConfig;
use crate::bounded::{Bounded, Cuts, Interpolate};
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_smt::{External, Piped, Smt, SmtConfig, TermSolver};
use indubit_system::{Start, WordProblem, WordProof, WordTrace};
use indubit_term::{Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// Time frames in a solver for terms.
///
/// A step is the constraint of the frame it leads to, so that a frame that nothing is asserted of may be a dead end.
pub struct WordFrames<'s> {
    problem: &'s WordProblem,
    terms: Terms,
    smt: Box<dyn TermSolver>,
    start: Start,
    cuts: Cuts,
    how: InterpolationConfig,
    frames: Vec<Frame>,
    /// Where steps are not cut: what next values are, and what else a step says.
    functions: FxHashMap<Term, Term>,
    relation: Term,
    /// Where steps are not cut: what initial values are, and what else initial states satisfy.
    resets: FxHashMap<Term, Term>,
    initial: Term,
    /// Compares sets of states.
    sets: Smt,
}

/// A formula about time frames, in a part. Two parts may have the same literal, but what is asserted in one is not asserted in the other.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    lit: Lit,
    part: u32,
}

struct Frame {
    states: Vec<Term>,
    inputs: Vec<Term>,
    bad: Placed,
    constraint: Placed,
}

impl<'s> WordFrames<'s> {
    /// No frames yet; the solver ends with the run and has its seed.
    pub fn new(
        problem: &'s WordProblem,
        start: Start,
        cuts: Cuts,
        how: InterpolationConfig,
        run: &Run<'_>,
    ) -> WordFrames<'s> {
        WordFrames::with_terms(problem, problem.system.terms.clone(), start, cuts, how, run)
    }
    /// No frames yet; `terms` are those of the problem, and more.
    pub(super) fn with_terms(
        problem: &'s WordProblem,
        terms: Terms,
        start: Start,
        cuts: Cuts,
        how: InterpolationConfig,
        run: &Run<'_>,
    ) -> WordFrames<'s> {
        let config = SmtConfig { interpolation: cuts != Cuts::None, seed: run.seed };
        let mut terms = terms;
        let (mut functions, mut relation) = (FxHashMap::default(), problem.system.trans);
        let (mut resets, mut initial) = (FxHashMap::default(), problem.system.init);
        if cuts == Cuts::None {
            (functions, relation) = terms.definitions(relation, &problem.nexts().collect(), |_| true);
            if start == Start::Initial {
                (resets, initial) = terms.definitions(initial, &problem.currents().collect(), |_| true);
            }
        }
        WordFrames {
            problem,
            functions,
            relation,
            resets,
            initial,
            terms,
            smt: Box::new(Smt::new(run.cancel(), config)),
            start,
            cuts,
            how,
            frames: Vec::new(),
            sets: Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed }),
        }
    }
    /// Let another solver answer, if there is one.
    pub(super) fn asking(mut self, other: Option<&External>, run: &Run<'_>) -> WordFrames<'s> {
        if let Some(other) = other {
            self.smt = Box::new(Piped::new(other.clone(), run.cancel()));
        }
        self
    }
    /// The terms, to add more.
    pub(super) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }
    /// The terms, with what was added to them.
    pub(super) fn into_terms(self) -> Terms {
        self.terms
    }
    /// The part of what is about frame `k` alone.
    fn part(&self, k: usize) -> u32 {
        match self.cuts {
            Cuts::None => 0,
            Cuts::First => k.min(1) as u32,
            Cuts::All => k as u32,
        }
    }
    /// What variables are in frame `k`, and after its step.
    fn instance(&self, k: usize) -> FxHashMap<Term, Term> {
        let frame = &self.frames[k];
        let system = &self.problem.system;
        let mut map: FxHashMap<Term, Term> =
            self.problem.currents().zip(frame.states.iter().copied()).collect();
        map.extend(system.inputs.iter().copied().zip(frame.inputs.iter().copied()));
        if let Some(next) = self.frames.get(k + 1) {
            map.extend(self.problem.nexts().zip(next.states.iter().copied()));
        }
        map
    }
    /// A formula over current state variables and inputs in frame `k`, and next ones, in a part.
    fn at(&mut self, k: usize, part: u32, formula: Term) -> Placed {
        let map = self.instance(k);
        let instance = self.terms.substitute(formula, &map);
        self.literal(part, instance)
    }
    /// The state of frame `k`: new variables, but for what is a function of the frame before, or a constant. So constants and equal
    /// terms are the same across frames.
    fn states_of(&mut self, k: usize) -> Vec<Term> {
        let like: Vec<Term> = self.problem.currents().collect();
        let mut states = copies(&mut self.terms, &like, k);
        let (defined, map): (Vec<Option<Term>>, _) = match k.checked_sub(1) {
            None => {
                let fresh = like.iter().copied().zip(states.iter().copied()).collect();
                (like.iter().map(|var| self.resets.get(var).copied()).collect(), fresh)
            }
            Some(before) => {
                let nexts = self.problem.nexts();
                (nexts.map(|var| self.functions.get(&var).copied()).collect(), self.instance(before))
            }
        };
        for (state, definition) in states.iter_mut().zip(defined) {
            if let Some(definition) = definition {
                *state = self.terms.substitute(definition, &map);
            }
        }
        states
    }
    fn literal(&mut self, part: u32, formula: Term) -> Placed {
        Placed { lit: self.smt.literal(&self.terms, part, formula), part }
    }
    /// A gate over formulas, in the last of their parts.
    fn gate(&mut self, of: [Placed; 2], is_or: bool) -> Placed {
        let part = of[0].part.max(of[1].part);
        let lit = self.smt.proposition(&mut self.terms);
        let [a, b] = of.map(|formula| formula.lit ^ is_or);
        let out = lit ^ is_or;
        self.smt.add_clause(part, &[!out, a]);
        self.smt.add_clause(part, &[!out, b]);
        self.smt.add_clause(part, &[out, !a, !b]);
        Placed { lit, part }
    }
    fn values(&self, terms: &[Term]) -> Ask<Vec<Value>> {
        let leaf = |var: Term| self.smt.value_of(&self.terms, var);
        // Terms of a well-formed system have values, and divisors are constants.
        self.terms
            .evaluate_all(terms, &leaf)
            .map_err(|_| Stop::Incomplete("the numbers of a trace are too large"))
    }
    /// Tell the observer what this took.
    pub fn report(&self, run: &mut Run<'_>) {
        self.smt.report(run);
        run.count("terms", self.terms.n_terms() as u64);
    }
}

impl Bounded for WordFrames<'_> {
    type Formula = Placed;
    type Trace = WordTrace;

    fn extend(&mut self) -> usize {
        let k = self.frames.len();
        let states = self.states_of(k);
        let inputs = copies(&mut self.terms, &self.problem.system.inputs, k);
        let nothing = Placed { lit: Lit::TRUE, part: self.part(k) };
        self.frames.push(Frame { states, inputs, bad: nothing, constraint: nothing });
        let constraint = match (k.checked_sub(1), self.start) {
            (Some(before), _) => self.at(before, self.part(before), self.relation),
            (None, Start::Initial) => self.at(0, 0, self.initial),
            (None, Start::Anywhere) => nothing,
        };
        self.frames[k].constraint = constraint;
        self.frames[k].bad = self.at(k, self.part(k), self.problem.bad);
        k
    }
    fn bad(&self, k: usize) -> Placed {
        self.frames[k].bad
    }
    fn constraint(&self, k: usize) -> Placed {
        self.frames[k].constraint
    }
    fn and(&mut self, a: Placed, b: Placed) -> Placed {
        self.gate([a, b], false)
    }
    fn or(&mut self, a: Placed, b: Placed) -> Placed {
        self.gate([a, b], true)
    }
    fn proposition(&mut self) -> Placed {
        Placed { lit: self.smt.proposition(&mut self.terms), part: 0 }
    }
    fn differ(&mut self, i: usize, j: usize) -> Placed {
        let pairs: Vec<(Term, Term)> =
            self.frames[i].states.iter().copied().zip(self.frames[j].states.iter().copied()).collect();
        let equal: Vec<Term> = pairs.into_iter().map(|(a, b)| self.terms.eq(a, b)).collect();
        let same = self.terms.and(&equal);
        let same = self.literal(self.part(i.max(j)), same);
        Placed { lit: !same.lit, ..same }
    }
    fn assert(&mut self, disjunction: &[(Placed, bool)]) {
        let lits: Vec<Lit> = disjunction.iter().map(|&(formula, positive)| formula.lit ^ !positive).collect();
        let part = disjunction.iter().map(|(formula, _)| formula.part).max().unwrap_or(0);
        self.smt.add_clause(part, &lits);
    }
    fn solve(&mut self, assumptions: &[Placed]) -> Ask<bool> {
        let assumptions: Vec<(u32, Lit)> = assumptions.iter().map(|f| (f.part, f.lit)).collect();
        self.smt.solve(&mut self.terms, &assumptions)
    }
    fn in_core(&self, assumption: Placed) -> bool {
        self.smt.failed(assumption.lit)
    }
    fn first_true(&self, formulas: &[Placed]) -> Option<usize> {
        formulas.iter().position(|f| self.smt.value(&self.terms, f.lit))
    }
    fn repeated_states(&self) -> Vec<(usize, usize)> {
        let mut first: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut pairs = Vec::new();
        for (j, frame) in self.frames.iter().enumerate() {
            // States that we cannot tell are all different ones.
            let Ok(values) = self.values(&frame.states) else { continue };
            match first.entry(values) {
                std::collections::hash_map::Entry::Occupied(i) => pairs.push((*i.get(), j)),
                std::collections::hash_map::Entry::Vacant(slot) => {
                    slot.insert(j);
                }
            }
        }
        pairs
    }
    fn trace(&self, last: usize) -> Ask<WordTrace> {
        let rows = |of: fn(&Frame) -> &[Term]| -> Ask<Vec<Vec<Value>>> {
            self.frames[..=last].iter().map(|f| self.values(of(f))).collect()
        };
        Ok(WordTrace::finite(rows(|f| &f.states)?, rows(|f| &f.inputs)?))
    }
}

impl Interpolate for WordFrames<'_> {
    type States = Term;
    type Proof = WordProof;

    fn initial(&self) -> Term {
        self.problem.system.init
    }
    fn intersection(&mut self, a: Term, b: Term) -> Term {
        self.terms.and(&[a, b])
    }
    fn union(&mut self, a: Term, b: Term) -> Term {
        self.terms.or(&[a, b])
    }
    fn size(&self, states: Term) -> usize {
        self.terms.cone(&[states]).len()
    }
    fn is_covered(&mut self, states: Term, by: &[Term]) -> Ask<bool> {
        let mut assumptions = vec![(0, self.sets.literal(&self.terms, 0, states))];
        for &set in by {
            assumptions.push((0, !self.sets.literal(&self.terms, 0, set)));
        }
        Ok(!self.sets.solve(&assumptions)?)
    }
    fn within(&mut self, k: usize, states: Term) -> Placed {
        self.at(k, self.part(k), states)
    }
    fn interpolants(&mut self, _run: &mut Run<'_>) -> Ask<Vec<Term>> {
        let last = self.part(self.frames.len() - 1);
        let found = self.smt.interpolants(&mut self.terms, 1..=last, self.how.system)?;
        let mut back: HashMap<Term, Term> = HashMap::new();
        for frame in &self.frames {
            back.extend(frame.states.iter().copied().zip(self.problem.currents()));
        }
        Ok(found.into_iter().map(|states| self.terms.substitute(states, &back)).collect())
    }
    fn proof(&self, states: Term) -> WordProof {
        WordProof::Inductive { terms: self.terms.clone(), invariant: states }
    }
}
