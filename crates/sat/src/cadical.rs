//! CaDiCaL behind the capability traits.

use crate::{Circuit, Counted, Counts, Facts, Solve, SolveWith};
use cadical_sys::{CaDiCal, Status, Terminator};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Stop};
use std::cell::RefCell;

/// What the solver is to be good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Few large queries: CaDiCaL's defaults.
    Default,
    /// Many queries about a large formula that grows, most of them easy (BMC): little is done at the beginning of
    /// each query or because of a few conflicts.
    Incremental,
    /// Refutations, for checking proofs: CaDiCaL's configuration for unsatisfiable formulas.
    Unsat,
}

/// What [`Config::Incremental`] changes. Each query would begin with eight tries to satisfy everything by luck, and with
/// local search; both cost passes over the formula and never refute anything. Inprocessing would begin
/// after 100 conflicts, and elimination after 2000.
const INCREMENTAL: &[(&str, i32)] = &[("lucky", 0), ("walk", 0), ("inprobeint", 1000), ("elimint", 5000)];

/// CaDiCaL, with the cancel flag as its terminator.
///
/// Variables get a number inside the solver when they are first mentioned, so a solver that is told only a
/// small cone of a large circuit decides only that cone.
pub struct Cadical {
    // `val` and `failed` only read, but the binding wants `&mut`: the cell is borrowed for one call.
    solver: RefCell<CaDiCal>,
    cancel: Cancel,
    /// The solver's number of each variable; 0 for those not mentioned yet.
    number: Vec<i32>,
    n_numbers: i32,
}

struct Poll(Cancel);

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        self.0.is_raised()
    }
}

impl Cadical {
    /// An empty solver that unwinds when `cancel` is raised.
    pub fn new(config: Config, cancel: &Cancel) -> Cadical {
        let mut solver = CaDiCal::new();
        let name = match config {
            Config::Default | Config::Incremental => "default",
            Config::Unsat => "unsat",
        };
        assert!(solver.configure(name), "CaDiCaL knows this configuration");
        for &(option, value) in if config == Config::Incremental { INCREMENTAL } else { &[] } {
            assert!(solver.set(option, value), "CaDiCaL knows this option");
        }
        // Bounded variable addition would make variables of its own beside ours.
        assert!(solver.set("factor", 0), "CaDiCaL knows this option");
        solver.connect_terminator(Poll(cancel.clone()));
        Cadical { solver: RefCell::new(solver), cancel: cancel.clone(), number: Vec::new(), n_numbers: 0 }
    }
    /// Give it a seed for its random choices, before anything else is asked of it.
    pub fn seeded(mut self, seed: u64) -> Cadical {
        let seed = (seed % i32::MAX as u64) as i32;
        assert!(self.solver.get_mut().set("seed", seed), "CaDiCaL knows this option");
        self
    }
    /// The solver's literal, made if it is new.
    fn literal(&mut self, lit: Lit) -> i32 {
        let var = lit.var().index();
        if var >= self.number.len() {
            self.number.resize(var + 1, 0);
        }
        if self.number[var] == 0 {
            self.n_numbers += 1;
            self.number[var] = self.n_numbers;
        }
        if lit.is_negated() { -self.number[var] } else { self.number[var] }
    }
    /// The solver's number of a variable, if it has been mentioned.
    fn known(&self, lit: Lit) -> Option<i32> {
        self.number.get(lit.var().index()).copied().filter(|&n| n != 0)
    }
    fn solve_assuming(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        for &lit in assumptions {
            let literal = self.literal(lit);
            self.solver.get_mut().assume(literal);
        }
        match self.solver.get_mut().solve() {
            Status::SATISFIABLE => Ok(true),
            Status::UNSATISFIABLE => Ok(false),
            Status::UNKNOWN => Err(self.cancel.reason().unwrap_or(Stop::Incomplete("the solver gave up"))),
        }
    }
}

impl Solve for Cadical {
    fn add_clause(&mut self, lits: &[Lit]) {
        for &lit in lits {
            let literal = self.literal(lit);
            self.solver.get_mut().add(literal);
        }
        self.solver.get_mut().add(0);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        self.solve_assuming(assumptions)
    }
    fn value(&self, lit: Lit) -> bool {
        // CaDiCaL answers ±number of the variable: only the sign of the positive literal is safe to read.
        let positive = self.known(lit).is_some_and(|n| self.solver.borrow_mut().val(n) > 0);
        positive ^ lit.is_negated()
    }
    fn failed(&self, lit: Lit) -> bool {
        let signed = |n: i32| if lit.is_negated() { -n } else { n };
        self.known(lit).is_some_and(|n| self.solver.borrow_mut().failed(signed(n)))
    }
}

impl SolveWith for Cadical {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        for &lit in clause {
            let literal = self.literal(lit);
            self.solver.get_mut().constrain(literal);
        }
        self.solver.get_mut().constrain(0);
        self.solve_assuming(assumptions)
    }
}

impl Facts for Cadical {
    fn fixed(&self, lit: Lit) -> Option<bool> {
        let sign = self.solver.borrow().fixed(self.known(lit)?);
        (sign != 0).then_some((sign > 0) ^ lit.is_negated())
    }
}

impl Circuit for Cadical {}

impl Counted for Cadical {
    /// Its ticks are cache lines, of search only; it does not tell restarts and queries.
    fn counts(&self) -> Counts {
        let count = |name| u64::try_from(self.solver.borrow().get_statistic_value(name)).unwrap_or(0);
        Counts {
            ticks: count("ticks"),
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
            ..Counts::default()
        }
    }
}
