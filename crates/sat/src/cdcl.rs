//! Our kernel over everything: for formulas that are no circuit, or whose whole matters, and for proofs.

use crate::kernel::policy::{ClauseId, Everything, NoProof, ProofSink};
use crate::kernel::theory::{Certificate, Completion, NoTheory, Theory};
use crate::kernel::{Kernel, Tuning};
use crate::{Circuit, Counted, Counts, Facts, Solve, SolveWith};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};

/// A general incremental solver, which tells `P` how clauses come about, modulo the theory `T`.
#[derive(Clone)]
pub struct Cdcl<P = NoProof, T = NoTheory> {
    kernel: Kernel<Everything, Renamed<P>, Shifted<T>>,
    cancel: Cancel,
    max_ticks: Option<u64>,
    /// With a theory, queries between two looks for clauses that are true for good.
    simplify: u64,
    assumed: Vec<Lit>,
    buffer: Vec<Lit>,
}

/// Variable 0 of the kernel switches temporary clauses on; the caller's come after it.
const GUARD: Lit = Lit::positive(Var::new(0));

fn shift(lit: Lit) -> Lit {
    Var::from_index(lit.var().index() + 1).lit(lit.is_negated())
}

/// The caller's literal; none for the guard.
fn unshift(lit: Lit) -> Option<Lit> {
    Some(Var::from_index(lit.var().index().checked_sub(1)?).lit(lit.is_negated()))
}

/// A sink that is told the caller's literals.
#[derive(Clone)]
struct Renamed<P> {
    sink: P,
    buffer: Vec<Lit>,
}

impl<P> Renamed<P> {
    fn rename(&mut self, lits: &[Lit]) {
        let temporary = |lit: Lit| Cdcl::<P>::TEMPORARY.var().lit(lit.is_negated());
        self.buffer.clear();
        self.buffer.extend(lits.iter().map(|&lit| unshift(lit).unwrap_or(temporary(lit))));
    }
}

impl<P: ProofSink> ProofSink for Renamed<P> {
    const RECORDS: bool = P::RECORDS;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        if !P::RECORDS {
            return 0;
        }
        self.rename(lits);
        self.sink.given(&self.buffer)
    }
    fn lemma(&mut self, lits: &[Lit], certificate: Certificate) -> ClauseId {
        self.rename(lits);
        self.sink.lemma(&self.buffer, certificate)
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        self.rename(lits);
        self.sink.derived(&self.buffer, chain)
    }
    fn deleted(&mut self, id: ClauseId) {
        self.sink.deleted(id)
    }
}

/// A theory that is told the caller's literals.
#[derive(Clone)]
struct Shifted<T>(T);

impl<T: Theory> Theory for Shifted<T> {
    const ACTIVE: bool = T::ACTIVE;
    fn decides(&self, var: Var) -> bool {
        unshift(Lit::positive(var)).is_none_or(|lit| self.0.decides(lit.var()))
    }
    fn holds(&self, lit: Lit) -> Option<bool> {
        self.0.holds(unshift(lit)?)
    }
    fn assign(&mut self, lit: Lit, position: usize, for_good: bool) {
        if let Some(lit) = unshift(lit) {
            self.0.assign(lit, position, for_good)
        }
    }
    fn backtrack(&mut self, position: usize) {
        self.0.backtrack(position)
    }
    fn propagate(
        &mut self,
        implied: &mut Vec<Lit>,
        clause: &mut Vec<Lit>,
        ticks: &mut u64,
    ) -> Ask<Option<Certificate>> {
        let conflict = self.0.propagate(implied, clause, ticks)?;
        implied.iter_mut().chain(clause).for_each(|l| *l = shift(*l));
        Ok(conflict)
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Certificate {
        let certificate = self.0.explain(unshift(lit).expect("no theory implies the guard"), clause);
        clause.iter_mut().for_each(|l| *l = shift(*l));
        certificate
    }
    fn complete(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Ask<Completion> {
        let completion = self.0.complete(clause, ticks)?;
        clause.iter_mut().for_each(|l| *l = shift(*l));
        Ok(match completion {
            Completion::Split(lit) => Completion::Split(shift(lit)),
            other => other,
        })
    }
}

impl Cdcl {
    /// No clauses, nothing recorded. The seed chooses first phases.
    pub fn new(cancel: &Cancel, seed: u64) -> Cdcl {
        Cdcl::with_proof(cancel, seed, NoProof)
    }
}

impl<P, T> Cdcl<P, T> {
    /// In derivations, the literal that switches the temporary clause on: an assumption of each query that has one.
    pub const TEMPORARY: Lit = Lit::positive(Var::MAX);
}

impl<P: ProofSink, T: Theory> Cdcl<P, T> {
    /// No clauses, modulo a theory; derivations go to `sink`.
    pub fn with_theory(cancel: &Cancel, tuning: Tuning, sink: P, theory: T) -> Cdcl<P, T> {
        let sink = Renamed { sink, buffer: Vec::new() };
        let mut kernel = Kernel::new(Everything, sink, Shifted(theory), tuning);
        kernel.grow(1);
        let simplify = tuning.simplify;
        Cdcl {
            kernel,
            cancel: cancel.clone(),
            max_ticks: None,
            simplify,
            assumed: Vec::new(),
            buffer: Vec::new(),
        }
    }
    /// The theory.
    pub fn theory(&self) -> &T {
        &self.kernel.theory.0
    }
    /// The theory, to say something to it between queries.
    pub fn theory_mut(&mut self) -> &mut T {
        &mut self.kernel.theory.0
    }
    /// The value of a literal in the model, if it has one there.
    pub fn assigned(&self, lit: Lit) -> Option<bool> {
        let lit = shift(lit);
        self.kernel.is_assigned(lit.var()).then(|| self.kernel.is_true(lit))
    }
}

impl<P: ProofSink> Cdcl<P> {
    /// No clauses; derivations go to `sink`.
    pub fn with_proof(cancel: &Cancel, seed: u64, sink: P) -> Cdcl<P> {
        Cdcl::tuned(cancel, Tuning { seed, ..Tuning::large() }, sink)
    }
    /// No clauses, and other numbers than the usual ones; derivations go to `sink`.
    pub fn tuned(cancel: &Cancel, tuning: Tuning, sink: P) -> Cdcl<P> {
        Cdcl::with_theory(cancel, tuning, sink, NoTheory)
    }
}

impl<P: ProofSink, T: Theory> Cdcl<P, T> {
    /// From now on, give up on a query after about this many ticks.
    pub fn limit(&mut self, max_ticks: Option<u64>) {
        self.max_ticks = max_ticks;
    }
    /// What derivations go to.
    pub fn proof(&self) -> &P {
        &self.kernel.proof.sink.sink
    }
    /// What derivations go to, to say something to it between queries.
    pub fn proof_mut(&mut self) -> &mut P {
        &mut self.kernel.proof.sink.sink
    }
    /// After a refutation that was recorded: the clause it ends with, all of whose literals are negated assumptions.
    /// None if two assumptions contradict each other, whatever the clauses are.
    pub fn conclusion(&self) -> Option<ClauseId> {
        self.kernel.conclusion()
    }
    /// The assumptions that the last refutation used.
    pub fn core(&self) -> impl Iterator<Item = Lit> {
        self.kernel.core().iter().filter_map(|&l| unshift(l))
    }
    fn query(&mut self, guard: Option<Lit>, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        if T::ACTIVE && guard.is_none() && self.kernel.counts.queries.is_multiple_of(self.simplify) {
            self.kernel.simplify();
        }
        self.assumed.clear();
        self.assumed.extend(guard.into_iter().chain(assumptions.iter().map(|&l| shift(l))));
        let max = self.assumed.iter().map(|l| l.var().index()).max().unwrap_or(0);
        self.kernel.grow(max + 1);
        self.kernel.solve(&self.assumed, &self.cancel, self.max_ticks)
    }
    fn shifted(&mut self, lits: &[Lit]) -> Vec<Lit> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(lits.iter().map(|&l| shift(l)));
        buffer
    }
}

impl<P: ProofSink, T: Theory> Solve for Cdcl<P, T> {
    fn add_clause(&mut self, lits: &[Lit]) {
        self.kernel.end_query();
        let lits = self.shifted(lits);
        self.kernel.add_clause(&lits);
        self.buffer = lits;
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.kernel.end_query();
        self.query(None, assumptions)
    }
    fn value(&self, lit: Lit) -> bool {
        let lit = shift(lit);
        match self.kernel.is_assigned(lit.var()) && !self.kernel.is_eliminated(lit.var()) {
            true => self.kernel.is_true(lit),
            false => self.kernel.extended(lit.var()) != lit.is_negated(),
        }
    }
    fn failed(&self, lit: Lit) -> bool {
        self.kernel.core().contains(&shift(lit))
    }
}

impl<P: ProofSink, T: Theory> SolveWith for Cdcl<P, T> {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.kernel.end_query();
        let clause = self.shifted(clause);
        let max = clause.iter().map(|l| l.var().index()).max().unwrap_or(0);
        self.kernel.grow(max + 1);
        self.kernel.add_temporary(GUARD, &clause);
        self.buffer = clause;
        self.query(Some(GUARD), assumptions)
    }
}

impl<P: ProofSink, T: Theory> Facts for Cdcl<P, T> {
    fn fixed(&self, lit: Lit) -> Option<bool> {
        let lit = shift(lit);
        if self.kernel.is_eliminated(lit.var()) { None } else { self.kernel.fixed(lit) }
    }
}

impl<P: ProofSink, T: Theory> Circuit for Cdcl<P, T> {}

impl<P, T> Counted for Cdcl<P, T> {
    fn counts(&self) -> Counts {
        self.kernel.counts
    }
}
