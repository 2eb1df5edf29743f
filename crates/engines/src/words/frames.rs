//! Time frames of a word-level problem: the same [`Bounded`] and [`Interpolate`] as for bits, so the engines on top are the same.

use super::problem::{WordProblem, copies};
use crate::InterpolationConfig;
use crate::bounded::{Bounded, Cuts, Interpolate};
use indubit_logic::Lit;
use indubit_run::{Ask, Event, Run};
use indubit_smt::{Smt, SmtConfig};
use indubit_system::{Start, WordProof, WordTrace};
use indubit_term::{Term, Terms, Value};
use std::collections::HashMap;

/// Time frames in a solver for terms.
///
/// A step is the constraint of the frame it leads to, so that a frame that nothing is asserted of may be a dead end.
pub struct Words<'s> {
    problem: &'s WordProblem,
    terms: Terms,
    smt: Smt,
    start: Start,
    cuts: Cuts,
    how: InterpolationConfig,
    frames: Vec<Frame>,
    /// Compares sets of states.
    sets: Smt,
    /// The part that a literal's definition is in.
    parts: HashMap<Lit, u32>,
}

struct Frame {
    states: Vec<Term>,
    inputs: Vec<Term>,
    bad: Lit,
    constraint: Lit,
}

impl<'s> Words<'s> {
    /// No frames yet; the solver ends with the run and has its seed.
    pub fn new(
        problem: &'s WordProblem,
        start: Start,
        cuts: Cuts,
        how: InterpolationConfig,
        run: &Run<'_>,
    ) -> Words<'s> {
        Words::with_terms(problem, problem.system.terms.clone(), start, cuts, how, run)
    }
    /// The same with terms that have more than those of the problem.
    pub(super) fn with_terms(
        problem: &'s WordProblem,
        terms: Terms,
        start: Start,
        cuts: Cuts,
        how: InterpolationConfig,
        run: &Run<'_>,
    ) -> Words<'s> {
        let config = SmtConfig { interpolation: cuts != Cuts::None, seed: run.seed };
        Words {
            problem,
            terms,
            smt: Smt::new(run.cancel(), config),
            start,
            cuts,
            how,
            frames: Vec::new(),
            sets: Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed }),
            parts: HashMap::new(),
        }
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
    /// A formula over current state variables and inputs in frame `k`, in a part.
    fn at(&mut self, k: usize, part: u32, formula: Term) -> Lit {
        let frame = &self.frames[k];
        let system = &self.problem.system;
        let mut map: HashMap<Term, Term> = self.problem.currents().zip(frame.states.iter().copied()).collect();
        map.extend(system.inputs.iter().copied().zip(frame.inputs.iter().copied()));
        if let Some(next) = self.frames.get(k + 1) {
            map.extend(self.problem.nexts().zip(next.states.iter().copied()));
        }
        let instance = self.terms.substitute(formula, &map);
        self.literal(part, instance)
    }
    fn literal(&mut self, part: u32, formula: Term) -> Lit {
        let lit = self.smt.literal(&self.terms, part, formula);
        self.parts.entry(lit).or_insert(part);
        self.parts.entry(!lit).or_insert(part);
        lit
    }
    fn part_of(&self, lit: Lit) -> u32 {
        self.parts.get(&lit).copied().unwrap_or(0)
    }
    /// A gate over literals, in the last of their parts.
    fn gate(&mut self, lits: [Lit; 2], is_or: bool) -> Lit {
        let part = lits.iter().map(|&l| self.part_of(l)).max().unwrap_or(0);
        let gate = self.smt.proposition();
        let [a, b] = lits.map(|l| l ^ is_or);
        let out = gate ^ is_or;
        self.smt.add_clause(part, &[!out, a]);
        self.smt.add_clause(part, &[!out, b]);
        self.smt.add_clause(part, &[out, !a, !b]);
        self.parts.insert(gate, part);
        self.parts.insert(!gate, part);
        gate
    }
    fn values(&self, vars: &[Term]) -> Vec<Value> {
        vars.iter().map(|&var| self.smt.value_of(&self.terms, var)).collect()
    }
    /// Tell the observer what this took.
    pub fn report(&self, run: &mut Run<'_>) {
        self.smt.report(run);
        run.event(Event::Count { name: "terms", value: self.terms.n_terms() as u64 });
    }
}

impl Bounded for Words<'_> {
    type Formula = Lit;
    type Trace = WordTrace;

    fn extend(&mut self) -> usize {
        let k = self.frames.len();
        let like: Vec<Term> = self.problem.currents().collect();
        let states = copies(&mut self.terms, &like, k);
        let inputs = copies(&mut self.terms, &self.problem.system.inputs, k);
        self.frames.push(Frame { states, inputs, bad: Lit::FALSE, constraint: Lit::TRUE });
        let constraint = match (k.checked_sub(1), self.start) {
            (Some(before), _) => self.at(before, self.part(before), self.problem.system.trans),
            (None, Start::Initial) => self.at(0, 0, self.problem.system.init),
            (None, Start::Anywhere) => Lit::TRUE,
        };
        self.frames[k].constraint = constraint;
        self.frames[k].bad = self.at(k, self.part(k), self.problem.bad);
        k
    }
    fn bad(&self, k: usize) -> Lit {
        self.frames[k].bad
    }
    fn constraint(&self, k: usize) -> Lit {
        self.frames[k].constraint
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate([a, b], false)
    }
    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate([a, b], true)
    }
    fn proposition(&mut self) -> Lit {
        self.smt.proposition()
    }
    fn differ(&mut self, i: usize, j: usize) -> Lit {
        let pairs: Vec<(Term, Term)> =
            self.frames[i].states.iter().copied().zip(self.frames[j].states.iter().copied()).collect();
        let equal: Vec<Term> = pairs.into_iter().map(|(a, b)| self.terms.eq(a, b)).collect();
        let same = self.terms.and(&equal);
        !self.literal(self.part(i.max(j)), same)
    }
    fn assert(&mut self, disjunction: &[(Lit, bool)]) {
        let lits: Vec<Lit> = disjunction.iter().map(|&(lit, positive)| lit ^ !positive).collect();
        let part = lits.iter().map(|&l| self.part_of(l)).max().unwrap_or(0);
        self.smt.add_clause(part, &lits);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        let assumptions: Vec<(u32, Lit)> = assumptions.iter().map(|&l| (self.part_of(l), l)).collect();
        self.smt.solve(&assumptions)
    }
    fn in_core(&self, assumption: Lit) -> bool {
        self.smt.failed(assumption)
    }
    fn first_true(&self, formulas: &[Lit]) -> Option<usize> {
        formulas.iter().position(|&l| self.smt.value(l))
    }
    fn repeated_states(&self) -> Vec<(usize, usize)> {
        let mut first: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut pairs = Vec::new();
        for (j, frame) in self.frames.iter().enumerate() {
            match first.entry(self.values(&frame.states)) {
                std::collections::hash_map::Entry::Occupied(i) => pairs.push((*i.get(), j)),
                std::collections::hash_map::Entry::Vacant(slot) => {
                    slot.insert(j);
                }
            }
        }
        pairs
    }
    fn trace(&self, last: usize) -> WordTrace {
        let rows = |of: fn(&Frame) -> &[Term]| self.frames[..=last].iter().map(|f| self.values(of(f))).collect();
        WordTrace { states: rows(|f| &f.states), inputs: rows(|f| &f.inputs) }
    }
}

impl Interpolate for Words<'_> {
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
    fn within(&mut self, k: usize, states: Term) -> Lit {
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

