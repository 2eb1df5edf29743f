//! The oracle for words: relative induction over predicates, by an SMT solver.
//!
//! **Implicit abstraction** (A. Cimatti, A. Griggio, S. Mover, S. Tonetta, *IC3 Modulo Theories via Implicit Predicate Abstraction*,
//! TACAS 2014), as retold by S. Wolff in an introduction to IC3 (§4; docs/SOURCES.md). The abstract transition relation is
//! T̂(X, X′) = EQ(X, X̄) ∧ T(X̄, X̄′) ∧ EQ(X̄′, X′), where EQ says that both sides agree on all predicates. Frames and cubes speak of X and X′ by
//! predicates only, so whatever they say of X they say of X̄: the copies need not be made, and a query is about F ∧ T ∧ c′ as for bits. What is
//! abstract is that cubes and lemmas can say no more than predicates do. The atoms of I and P are among the predicates
//! (as Wolff wants it), so that I and P are exact.
//!
//! | Wolff | here |
//! |---|---|
//! | listing 5, lines 45 and 65: ŝ, a predecessor | `predecessor`: all predicates in the model, or those that lifting needs |
//! | line 48, formula (1)–(4) | `concretize` |
//! | line 49, `refine(π)` | the atoms of sequence interpolants; `refinement.rs` |
//! | listing 6, lines 82–83, RC as corrected in docs/SOURCES.md | `refine`: the lifting query fails for the predicates and not for the state |

use super::predicates::{Predicate, Predicates};
use super::problem::{atoms, equalities, halves};
use super::{Refine, WordConfig};
use crate::InterpolationConfig;
use indubit_logic::{Cube, Lit};
use indubit_pdr::{Concretization, INFINITE, Level, Predecessor, Query, RelInd, State};
use indubit_run::{Ask, Cancel, Run, Stop};
use indubit_smt::{Smt, SmtConfig};
use indubit_system::{WordProblem, WordTrace};
use indubit_term::{Op, Sort, Term, Terms, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A state and the inputs of a step from there.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Concrete {
    pub(super) state: Vec<Value>,
    pub(super) inputs: Vec<Value>,
}

/// Answers IC3's questions about a word-level problem, in terms of predicates.
pub struct PredOracle<'s> {
    pub(super) problem: &'s WordProblem,
    pub(super) config: WordConfig,
    pub(super) interpolation: InterpolationConfig,
    pub(super) terms: Terms,
    pub(super) smt: Smt,
    /// Lifts: values of inputs would only be in the way elsewhere.
    lifter: Smt,
    pub(super) predicates: Predicates,
    /// "There is a step", "the state is initial", "the state is bad".
    step: Lit,
    pub(super) init: Lit,
    bad: Lit,
    /// For each level what switches its lemmas on.
    levels: Vec<Lit>,
    /// The lemmas of levels that are not for good, and those that are; for refinement only.
    pub(super) lemmas: Vec<(Cube, Level)>,
    /// How many steps are still refined at once before the next frame is opened.
    pub(super) eager: u32,
    /// Cubes that are known to have no initial state.
    not_initial: Vec<Cube>,
    /// The cube of the last query, and its core if it was inductive.
    queried: Vec<Lit>,
    core: Cube,
    /// A concrete state for each state of PDR's.
    pub(super) concrete: HashMap<State, Arc<Concrete>>,
    pub(super) cancel: Cancel,
    pub(super) seed: u64,
    pub(super) counts: Counts,
}

/// Steps that are looked at and refined at once for each frame. Where numbers are not bounded, each refinement may find another number.
const EAGER: u32 = 200;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    bad: u64,
    relative: u64,
    push: u64,
    inductive: u64,
    initial: u64,
    lifts: u64,
    lifted: u64,
    pub(super) simulations: u64,
    pub(super) lifting_failures: u64,
    pub(super) consecution_failures: u64,
}

impl<'s> PredOracle<'s> {
    /// An oracle without frames, whose solvers end with the run and have its seed. The first predicates are the atoms of I and P, and the
    /// Boolean state variables.
    pub fn new(
        problem: &'s WordProblem,
        config: WordConfig,
        interpolation: InterpolationConfig,
        run: &Run<'_>,
    ) -> PredOracle<'s> {
        let terms = problem.system.terms.clone();
        let solver = || Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed });
        let (mut smt, lifter) = (solver(), solver());
        let step = smt.literal(&terms, 0, problem.system.trans);
        let init = smt.literal(&terms, 0, problem.system.init);
        let bad = smt.literal(&terms, 0, problem.bad);
        let mut oracle = PredOracle {
            problem,
            config,
            interpolation,
            terms,
            smt,
            lifter,
            predicates: Predicates::default(),
            step,
            init,
            bad,
            levels: Vec::new(),
            lemmas: Vec::new(),
            eager: EAGER,
            not_initial: Vec::new(),
            queried: Vec::new(),
            core: Cube::new([]),
            concrete: HashMap::new(),
            cancel: run.cancel().clone(),
            seed: run.seed,
            counts: Counts::default(),
        };
        let mut first: Vec<Term> =
            problem.currents().filter(|&v| oracle.terms.sort(v) == Sort::Bool).collect();
        first.extend(atoms(&oracle.terms, &[problem.system.init, problem.bad]));
        if config.predicates_of_steps {
            first.extend(atoms(&oracle.terms, &[problem.system.trans]));
        }
        oracle.add_predicates(first);
        oracle
    }
    /// The terms, with those of all predicates.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
    /// "No state is in any of these cubes."
    pub fn outside(&self, terms: &mut Terms, cubes: &[Cube]) -> Term {
        let clauses: Vec<Term> = cubes.iter().map(|cube| self.clause(terms, cube)).collect();
        terms.and(&clauses)
    }
    pub(super) fn clause(&self, terms: &mut Terms, cube: &Cube) -> Term {
        let lits: Vec<Term> = cube
            .lits()
            .iter()
            .map(|&lit| match self.predicates.term(lit) {
                (term, true) => term,
                (term, false) => terms.not(term),
            })
            .collect();
        terms.or(&lits)
    }
    /// "The state is in the cube."
    pub(super) fn cube_term(&mut self, cube: &Cube) -> Term {
        let mut terms = std::mem::take(&mut self.terms);
        let clause = self.clause(&mut terms, cube);
        let cube = terms.not(clause);
        self.terms = terms;
        cube
    }

    /// Add those that are new and about the current state alone. How many were there?
    pub(super) fn add_predicates(&mut self, found: impl IntoIterator<Item = Term>) -> usize {
        let before = self.predicates.len();
        let priming = self.problem.priming();
        let state: std::collections::HashSet<Term> = self.problem.currents().collect();
        let found: Vec<Term> = found.into_iter().flat_map(|atom| halves(&mut self.terms, atom)).collect();
        for term in found {
            // A predicate and its negation are one.
            let term = if self.terms.op(term) == Op::Not { self.terms.args(term)[0] } else { term };
            if self.predicates.contains(term)
                || self.terms.value(term).is_some()
                || self.terms.variables(&[term]).iter().any(|v| !state.contains(v))
            {
                continue;
            }
            let primed = self.terms.substitute(term, &priming);
            let now = self.smt.literal(&self.terms, 0, term);
            let next = self.smt.literal(&self.terms, 0, primed);
            self.predicates.push(Predicate { term, now, next });
        }
        self.predicates.len() - before
    }

    /// What the query about `F[level]` assumes.
    fn frame(&self, level: Level) -> Vec<(u32, Lit)> {
        let active = match level {
            0 => std::slice::from_ref(&self.init),
            INFINITE => &[],
            level => &self.levels[level as usize..],
        };
        active.iter().map(|&l| (0, l)).collect()
    }
    fn values(&self, vars: impl Iterator<Item = Term>) -> Vec<Value> {
        vars.map(|var| self.smt.value_of(&self.terms, var)).collect()
    }
    /// The state and the inputs in the last model.
    pub(super) fn model(&self) -> Arc<Concrete> {
        let state = self.values(self.problem.currents());
        let inputs = self.values(self.problem.system.inputs.iter().copied());
        Arc::new(Concrete { state, inputs })
    }
    /// The abstract state in the last model: all predicates with their values.
    fn abstract_state(&self) -> Vec<Lit> {
        let value = |(i, p): (usize, &Predicate)| Predicates::lit(i, self.smt.value(p.now));
        self.predicates.all().iter().enumerate().map(value).collect()
    }

    /// Is the cube known to have no initial state, because a larger one has none?
    fn is_known_not_initial(&self, cube: &Cube) -> bool {
        self.not_initial.iter().any(|known| known.subsumes(cube))
    }
    /// Does the cube have an initial state? If not, remember which of its literals say so.
    fn has_initial_state(&mut self, cube: &Cube) -> Ask<bool> {
        if self.is_known_not_initial(cube) {
            return Ok(false);
        }
        self.counts.initial += 1;
        let mut assumptions = vec![(0, self.init)];
        assumptions.extend(cube.lits().iter().map(|&l| (0, self.predicates.now(l))));
        if self.smt.solve(&assumptions)? {
            return Ok(true);
        }
        let used = cube.lits().iter().filter(|&&l| self.smt.failed(self.predicates.now(l)));
        let core = Cube::new(used.copied());
        self.not_initial.retain(|known| !core.subsumes(known));
        self.not_initial.push(core);
        Ok(false)
    }
    /// `core` with what it takes to have no initial state, if `whole`, of which it is a part, has none.
    fn without_initial_states(&mut self, core: Vec<Lit>, whole: &Cube) -> Ask<Cube> {
        let core = Cube::new(core);
        if !self.has_initial_state(&core)? || self.has_initial_state(whole)? {
            return Ok(core);
        }
        let known = self.not_initial.iter().filter(|known| known.subsumes(whole));
        let best = known.min_by_key(|k| k.lits().iter().filter(|&&l| !core.contains(l)).count());
        let more = best.map_or(&[][..], |best| best.lits());
        Ok(Cube::new(core.lits().iter().chain(more).copied()))
    }

    /// Which part of the cube suffices for a step into `target` (or into bad states), with these inputs? None if the whole does not:
    /// other states that the cube stands for go elsewhere.
    pub(super) fn lift(
        &mut self,
        cube: &[Lit],
        inputs: &[Value],
        target: Option<&[Lit]>,
    ) -> Ask<Option<Vec<Lit>>> {
        self.counts.lifts += 1;
        if self.counts.lifts.is_multiple_of(500) {
            // Values of inputs are new atoms each time.
            let config = SmtConfig { interpolation: false, seed: self.seed };
            self.lifter = Smt::new(&self.cancel, config);
        }
        let vars = self.problem.system.inputs.clone();
        let mut given = equalities(&mut self.terms, &vars, inputs);
        let escape = match target {
            None => self.terms.not(self.problem.bad),
            Some(target) => {
                given.push(self.problem.system.trans);
                let cube = self.cube_term(&Cube::new(target.iter().copied()));
                let primed = self.terms.substitute(cube, &self.problem.priming());
                self.terms.not(primed)
            }
        };
        given.push(escape);
        let mut assumptions: Vec<(u32, Lit)> = Vec::new();
        for term in given {
            assumptions.push((0, self.lifter.literal(&self.terms, 0, term)));
        }
        let mut lits = Vec::with_capacity(cube.len());
        for &lit in cube {
            let (term, negated) = self.predicates.term(lit);
            let now = self.lifter.literal(&self.terms, 0, term) ^ negated;
            lits.push(now);
            assumptions.push((0, now));
        }
        if self.lifter.solve(&assumptions)? {
            return Ok(None);
        }
        self.counts.lifted += 1;
        let kept = cube.iter().zip(&lits).filter(|&(_, &now)| self.lifter.failed(now));
        Ok(Some(kept.map(|(&lit, _)| lit).collect()))
    }

    /// The states in the last model, as many as lead to the same target.
    fn lifted(&mut self, target: Option<&[Lit]>) -> Ask<Predecessor<Arc<Concrete>>> {
        let step = self.model();
        let mut cube = self.abstract_state();
        if self.config.lift
            && let Some(lifted) = self.lift(&cube, &step.inputs, target)?
        {
            cube = lifted;
        }
        Ok(Predecessor { cube: Cube::new(cube), step })
    }

    /// Tell the observer what was counted.
    pub fn report(&self, run: &mut Run<'_>) {
        for (name, value) in [
            ("predicates", self.predicates.len() as u64),
            ("queries for bad states", self.counts.bad),
            ("queries for relative induction", self.counts.relative),
            ("queries for pushing", self.counts.push),
            ("queries that were inductive", self.counts.inductive),
            ("queries for initial states", self.counts.initial),
            ("lifts", self.counts.lifts),
            ("lifts that succeeded", self.counts.lifted),
            ("abstract counterexamples", self.counts.simulations),
            ("refinements by lifting", self.counts.lifting_failures),
            ("refinements by consecution", self.counts.consecution_failures),
        ] {
            run.count(name, value);
        }
        self.smt.report(run);
    }
}

/// The level of the frame that a query at `level` is about.
pub(super) fn before(level: Level) -> Level {
    if level == INFINITE { INFINITE } else { level - 1 }
}

impl RelInd for PredOracle<'_> {
    type Step = Arc<Concrete>;
    type Trace = WordTrace;

    fn extend(&mut self) {
        let active = self.smt.proposition();
        self.levels.push(active);
        self.eager = EAGER;
    }
    fn restart(&mut self) {
        for level in self.levels.drain(1..) {
            self.smt.add_clause(0, &[!level]);
        }
    }
    fn learn(&mut self, cube: &Cube, _from: Level, to: Level) {
        let mut clause: Vec<Lit> = cube.lits().iter().map(|&l| !self.predicates.now(l)).collect();
        if to != INFINITE {
            clause.push(!self.levels[to as usize]);
        }
        self.smt.add_clause(0, &clause);
        if self.config.refine == Refine::Eagerly {
            self.lemmas.push((cube.clone(), to));
        }
    }
    fn meets_init(&mut self, cube: &Cube) -> Ask<bool> {
        self.has_initial_state(cube)
    }
    fn bad(&mut self, level: Level) -> Ask<Option<Predecessor<Arc<Concrete>>>> {
        self.counts.bad += 1;
        let mut assumptions = self.frame(level);
        assumptions.push((0, self.bad));
        if !self.smt.solve(&assumptions)? {
            return Ok(None);
        }
        self.lifted(None).map(Some)
    }
    fn inductive(&mut self, query: Query, level: Level, cube: &Cube) -> Ask<bool> {
        self.queried.clear();
        self.queried.extend_from_slice(cube.lits());
        let mut assumptions = self.frame(before(level));
        assumptions.push((0, self.step));
        assumptions.extend(cube.lits().iter().map(|&l| (0, self.predicates.next(l))));
        let reachable = match query {
            Query::Relative => {
                self.counts.relative += 1;
                let clause: Vec<Lit> = cube.lits().iter().map(|&l| !self.predicates.now(l)).collect();
                self.smt.solve_with(&clause, &assumptions)?
            }
            Query::Push => {
                self.counts.push += 1;
                self.smt.solve(&assumptions)?
            }
        };
        if !reachable {
            self.counts.inductive += 1;
            let used = cube.lits().iter().filter(|&&l| self.smt.failed(self.predicates.next(l)));
            let core = used.copied().collect();
            self.core = self.without_initial_states(core, cube)?;
        }
        Ok(!reachable)
    }
    fn core(&mut self) -> Cube {
        self.core.clone()
    }
    fn predecessor(&mut self) -> Ask<Predecessor<Arc<Concrete>>> {
        let target = std::mem::take(&mut self.queried);
        let found = self.lifted(Some(&target));
        self.queried = target;
        found
    }
    fn state(&self) -> Vec<Lit> {
        self.abstract_state()
    }
    fn after(&self, lit: Lit) -> Option<bool> {
        Some(self.smt.value(self.predicates.next(lit)))
    }
    fn atom(&self, lit: Lit) -> u32 {
        Predicates::number(lit) as u32
    }
    /// Listing 5, lines 48 and 49.
    fn concretize(&mut self, path: &[Predecessor<Arc<Concrete>>]) -> Ask<Concretization<WordTrace>> {
        if self.config.refine == Refine::Lazily && self.refine_steps(path)? {
            return Ok(Concretization::Refined);
        }
        for with_cubes in [self.config.along_cubes, !self.config.along_cubes] {
            match self.simulate(path, with_cubes)? {
                Ok(trace) => return Ok(Concretization::Real(trace)),
                Err(interpolants) => {
                    let found = atoms(&self.terms, &interpolants);
                    if self.add_predicates(found) > 0 {
                        return Ok(Concretization::Refined);
                    }
                }
            }
        }
        if std::mem::replace(&mut self.config.lift, false) {
            // A core may take in states that have no step at all with these inputs, and then the path is none of the abstraction.
            return Ok(Concretization::Refined);
        }
        Err(Stop::Incomplete(
            "an abstract counterexample is spurious, and its interpolants have no new predicates",
        ))
    }
}
