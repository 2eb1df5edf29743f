//! Solvers of time frames.

use super::{Backend, BoundedConfig, StateSets};
use crate::InterpolationConfig;
use indubit_interpolate::Interpolator;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Cdcl, Config, Counted, Counts, Facts};

/// What is wanted of a solver. Clauses and assumptions come with the part of the formula that they belong to.
pub trait Answers {
    /// Add the disjunction of `lits` to a part for good.
    fn add_clause(&mut self, part: u32, lits: &[Lit]);
    /// Is there a model of all parts in which all assumptions hold?
    fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool>;
    /// The value of a literal in the last model.
    fn value(&self, lit: Lit) -> bool;
    /// Was the assumption used in the last refutation?
    fn failed(&self, lit: Lit) -> bool;
    /// The value that a literal is known to have in all models.
    fn fixed(&self, lit: Lit) -> Option<bool>;
    /// What the solver took.
    fn counts(&self) -> Counts;
}

/// A solver that does not look at parts.
pub struct Whole(Box<dyn FactsCounted>);

/// What such a solver can do.
trait FactsCounted: Facts + Counted {}
impl<S: Facts + Counted> FactsCounted for S {}

impl Whole {
    /// The solver of these switches, which ends with the run and has its seed.
    pub(super) fn new(config: BoundedConfig, run: &Run<'_>) -> Whole {
        let cadical = |config| Whole(Box::new(Cadical::new(config, run.cancel()).seeded(run.seed)));
        match config.backend {
            Backend::Cadical => cadical(Config::Incremental),
            Backend::CadicalDefault => cadical(Config::Default),
            Backend::Cdcl => Whole(Box::new(Cdcl::new(run.cancel(), run.seed))),
        }
    }
}

impl Answers for Whole {
    fn add_clause(&mut self, _part: u32, lits: &[Lit]) {
        self.0.add_clause(lits);
    }
    fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        let lits: Vec<Lit> = assumptions.iter().map(|&(_, lit)| lit).collect();
        self.0.solve(&lits)
    }
    fn value(&self, lit: Lit) -> bool {
        self.0.value(lit)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.0.failed(lit)
    }
    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.0.fixed(lit)
    }
    fn counts(&self) -> Counts {
        self.0.counts()
    }
}

/// A solver whose refutations give interpolants between parts, which are sets of states.
pub struct Parted {
    interpolator: Interpolator,
    how: InterpolationConfig,
    core: Vec<Lit>,
    pub(super) states: StateSets,
}

impl Parted {
    /// No clauses; ends with the run and has its seed.
    pub(super) fn new(how: InterpolationConfig, states: StateSets, run: &Run<'_>) -> Parted {
        let interpolator = Interpolator::new(run.cancel(), run.seed);
        Parted { interpolator, how, core: Vec::new(), states }
    }
    /// After a refutation: the interpolants at cuts `1..=n_cuts`; `latch` says which latch a variable is that two parts share.
    pub(super) fn interpolants(
        &mut self,
        n_cuts: u32,
        latch: impl Fn(Var) -> usize,
        run: &mut Run<'_>,
    ) -> Ask<Vec<Lit>> {
        let refutation = self.interpolator.refutation().expect("the last query was refuted");
        let leaf = |var: Var| StateSets::latch(latch(var));
        let (system, aig) = (self.how.system, self.states.aig_mut());
        let found = match n_cuts {
            1 => vec![refutation.interpolant(1, system, aig, leaf)?],
            _ => refutation.sequence(n_cuts, system, aig, leaf)?.split_off(1),
        };
        if self.how.compact { self.states.compact(&found, run) } else { Ok(found) }
    }
}

/// Constants stay outside: their variable would be one that all parts share.
impl Answers for Parted {
    fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        let lits: Vec<Lit> = lits.iter().copied().filter(|&l| l != Lit::FALSE).collect();
        self.interpolator.add_clause(part, &lits);
    }
    fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.core.clear();
        let assumptions: Vec<_> = assumptions.iter().copied().filter(|&(_, l)| l != Lit::TRUE).collect();
        let has_model = self.interpolator.ask(&assumptions)?;
        self.core.extend(self.interpolator.refutation().iter().flat_map(|r| r.core()).map(|(_, lit)| lit));
        Ok(has_model)
    }
    fn value(&self, lit: Lit) -> bool {
        if lit.is_const() { lit == Lit::TRUE } else { self.interpolator.value(lit) }
    }
    fn failed(&self, lit: Lit) -> bool {
        self.core.contains(&lit)
    }
    /// What it knows it may know from another part.
    fn fixed(&self, _lit: Lit) -> Option<bool> {
        None
    }
    fn counts(&self) -> Counts {
        self.interpolator.counts()
    }
}
