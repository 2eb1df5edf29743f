//! A solver that knows which part of the formula a clause or an assumption belongs to.

use crate::partial::{End, Unit};
use crate::refutation::Refutation;
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};
use indubit_sat::proof::Log;
use indubit_sat::theory::{NoTheory, Theory};
use indubit_sat::{Cdcl, Counted, Counts, Solve};

/// An incremental solver for a formula in parts 0, 1, 2, …; some may be empty. More clauses can be added after
/// a query, to any part, and every refutation gives interpolants.
///
/// The log of derivations keeps what has been learnt in all queries, so this is for as many queries as one unrolling
/// takes rather than for hundreds of thousands. With a theory `T`, interpolants are taken [modulo](Refutation::modulo) it.
pub struct Interpolator<T = NoTheory> {
    solver: Cdcl<Log, T>,
    cancel: Cancel,
    lits: Vec<Lit>,
    /// How the last query was refuted, and the assumptions that this took.
    refuted: Option<(End, Vec<Unit>)>,
}

/// What a query found.
pub enum Answer<'i, T = NoTheory> {
    /// Clauses and assumptions hold together.
    Model(Model<'i, T>),
    /// They do not.
    Refutation(Refutation<'i>),
}

/// An assignment in which clauses and assumptions hold.
pub struct Model<'i, T = NoTheory> {
    solver: &'i Cdcl<Log, T>,
}

impl<T: Theory> Model<'_, T> {
    /// The value of a literal. A variable that nothing mentions has either value.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
}

impl Interpolator {
    /// No clauses. The seed chooses the solver's first phases; queries end when `cancel` is raised.
    pub fn new(cancel: &Cancel, seed: u64) -> Interpolator {
        Interpolator::with_solver(Cdcl::with_proof(cancel, seed, Log::new()), cancel)
    }
}

impl<T: Theory> Interpolator<T> {
    /// On a solver of the caller's. Clauses that it has already belong to the parts that its log had at the time.
    pub fn with_solver(solver: Cdcl<Log, T>, cancel: &Cancel) -> Interpolator<T> {
        Interpolator { solver, cancel: cancel.clone(), lits: Vec::new(), refuted: None }
    }
    /// Add the disjunction of `lits` to a part.
    ///
    /// # Panics
    /// If the part is one of the last two of `u32`, which the log has other uses for.
    pub fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        assert!(part < u32::MAX - 1, "parts are counted from 0");
        self.solver.proof_mut().part = part;
        self.solver.add_clause(lits);
    }
    /// Is there a model of all parts in which all `assumptions` hold? Each assumption belongs to a part, as a unit clause
    /// would.
    pub fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<Answer<'_, T>> {
        let is_model = self.ask(assumptions)?;
        Ok(match self.refutation() {
            Some(refutation) if !is_model => Answer::Refutation(refutation),
            _ => Answer::Model(Model { solver: &self.solver }),
        })
    }
    /// Is there a model of all parts in which all `assumptions` hold? For whoever comes back later for [`value`](Interpolator::value) or [`refutation`](Interpolator::refutation).
    pub fn ask(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.refuted = None;
        self.lits.clear();
        self.lits.extend(assumptions.iter().map(|&(_, lit)| lit));
        if self.solver.solve(&self.lits)? {
            return Ok(true);
        }
        let mut units: Vec<Unit> = assumptions.iter().map(|&(part, lit)| Unit { lit, part }).collect();
        // The first part that assumes a literal has it.
        units.sort_by_key(|u| (u.lit, u.part));
        units.dedup_by_key(|u| u.lit);
        let find = |lit: Lit| {
            let at = units.binary_search_by_key(&lit, |u| u.lit);
            units[at.expect("a refutation ends with negated assumptions")]
        };
        let (end, open) = match self.solver.conclusion() {
            Some(id) => (End::Clause(id), self.solver.proof().clause(id)),
            None => {
                let unit = find(self.solver.core().next().expect("two assumptions contradict each other"));
                (End::Unit(unit), &[unit.lit][..])
            }
        };
        let units = open.iter().map(|&l| find(!l)).collect();
        self.refuted = Some((end, units));
        Ok(false)
    }
    /// The value of a literal in the model, if the last query found one.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
    /// Why the last query found no model, if it found none.
    pub fn refutation(&self) -> Option<Refutation<'_>> {
        let (end, units) = self.refuted.as_ref()?;
        let units = units.clone();
        Some(Refutation { log: self.solver.proof(), end: *end, units, cancel: &self.cancel })
    }
    /// The solver.
    pub fn solver(&self) -> &Cdcl<Log, T> {
        &self.solver
    }
    /// The theory, to say something to it between queries.
    pub fn theory_mut(&mut self) -> &mut T {
        self.solver.theory_mut()
    }
    /// What the solver took.
    pub fn counts(&self) -> Counts {
        self.solver.counts()
    }
}
