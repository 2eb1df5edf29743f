//! Doing what a trace says, and checking every answer.

use crate::oracle::{Formula, lits};
use crate::subject::Subject;
use crate::trace::{Number, Op, Trace};
use indubit_logic::{Lit, Var};
use indubit_run::Stop;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a replay has met, so that a test can see that it met enough.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    pub models: usize,
    pub refutations: usize,
    pub limits: usize,
    pub cancellations: usize,
    pub clones: usize,
    pub unassigned: usize,
    pub eliminated: usize,
}

impl Met {
    pub fn add(&mut self, other: Met) {
        self.models += other.models;
        self.refutations += other.refutations;
        self.limits += other.limits;
        self.cancellations += other.cancellations;
        self.clones += other.clones;
        self.unassigned += other.unassigned;
        self.eliminated += other.eliminated;
    }
}

/// What goes wrong when the trace is replayed; a panic is wrong too.
pub fn replay(trace: &Trace) -> Result<Met, String> {
    catch_unwind(AssertUnwindSafe(|| Replay::run(trace))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
        Err(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or("a panic".into()))
    })
}

/// A solver and what it has been told.
struct Copy {
    subject: Subject,
    formula: Formula,
    limited: bool,
    /// The last call found a model of this query: temporary clause and assumptions.
    model_of: Option<(Vec<Number>, Vec<Number>)>,
}

struct Replay {
    copies: Vec<Copy>,
    current: usize,
    /// Someone may have raised the flag, which all clones share.
    cancelled: bool,
    met: Met,
}

impl Replay {
    fn run(trace: &Trace) -> Result<Met, String> {
        let first = Copy {
            subject: Subject::new(trace),
            formula: Formula::default(),
            limited: false,
            model_of: None,
        };
        let mut replay = Replay { copies: vec![first], current: 0, cancelled: false, met: Met::default() };
        for (i, op) in trace.ops.iter().enumerate() {
            replay.step(op).map_err(|what| format!("call {i} ({op}): {what}"))?;
        }
        replay.met.eliminated = replay.copies[0].subject.eliminated() as usize;
        Ok(replay.met)
    }

    fn step(&mut self, op: &Op) -> Result<(), String> {
        let copy = &mut self.copies[self.current];
        match op {
            Op::Clause(clause) => {
                copy.subject.add_clause(clause);
                copy.formula.clauses.push(clause.clone());
                copy.model_of = None;
            }
            Op::And(gate) => {
                copy.subject.define_and(*gate);
                copy.formula.add_gate(*gate);
                copy.model_of = None;
            }
            Op::Unassign(vars) => self.met.unassigned += copy.unassign(vars)?,
            Op::Limit(ticks) => {
                copy.limited = ticks.is_some();
                copy.subject.limit(*ticks);
            }
            Op::Clone => {
                if let Some(subject) = copy.subject.try_clone() {
                    let clone = Copy {
                        subject,
                        formula: copy.formula.clone(),
                        limited: copy.limited,
                        model_of: copy.model_of.clone(),
                    };
                    self.copies.push(clone);
                    self.current = self.copies.len() - 1;
                    self.met.clones += 1;
                }
            }
            Op::Switch(which) => self.current = which % self.copies.len(),
            Op::Cancel(after) => {
                copy.subject.cancel_after(*after);
                self.cancelled = true;
            }
            Op::Solve { temporary, assumptions } => self.solve(temporary.as_deref(), assumptions)?,
        }
        Ok(())
    }

    fn solve(&mut self, temporary: Option<&[Number]>, assumptions: &[Number]) -> Result<(), String> {
        let copy = &mut self.copies[self.current];
        let was_raised = copy.subject.cancel().is_raised();
        let answer = copy.subject.solve(temporary, assumptions);
        let query = || (temporary.unwrap_or_default().to_vec(), assumptions.to_vec());
        copy.model_of = (answer == Ok(true)).then(query);
        let refuted = (answer == Ok(false)).then_some((temporary.is_some(), assumptions));
        let known = |clause: &[Lit]| copy.formula.gave(clause, temporary);
        copy.subject.audit(known, refuted)?;
        match answer {
            Ok(_) if was_raised => Err(format!("{answer:?} though the flag was raised")),
            Ok(true) => {
                self.met.models += 1;
                copy.check_model(temporary, assumptions)
            }
            Ok(false) => {
                self.met.refutations += 1;
                copy.check_core(temporary, assumptions)
            }
            Err(Stop::Incomplete(_)) if copy.limited => {
                self.met.limits += 1;
                Ok(())
            }
            Err(Stop::Cancelled) if self.cancelled && copy.subject.cancel().is_raised() => {
                self.met.cancellations += 1;
                Ok(())
            }
            Err(stop) => Err(format!("gave up without reason: {stop}")),
        }
    }
}

impl Formula {
    /// Is this one of the clauses, or the temporary one with its guard?
    fn gave(&self, clause: &[Lit], temporary: Option<&[Number]>) -> bool {
        let guarded = temporary.map(|t| [lits(t), vec![Var::CONST.lit(true)]].concat());
        guarded.as_deref() == Some(clause) || self.clauses.iter().any(|c| lits(c) == clause)
    }
}

impl Copy {
    /// A refutation is one, and so is its core alone, which is made of assumptions.
    fn check_core(&self, temporary: Option<&[Number]>, assumptions: &[Number]) -> Result<(), String> {
        let temporary: Vec<Vec<Number>> = temporary.map(<[_]>::to_vec).into_iter().collect();
        if self.formula.is_satisfiable(&temporary, assumptions) {
            return Err("no model was found, and there is one".into());
        }
        let core: Vec<Number> = assumptions.iter().copied().filter(|&l| self.subject.failed(l)).collect();
        if self.formula.is_satisfiable(&temporary, &core) {
            return Err(format!("{core:?} is not a core"));
        }
        let foreign = |l: &Number| !assumptions.contains(l) && self.subject.failed(*l);
        match assumptions.iter().map(|l| -l).find(foreign) {
            Some(lit) => Err(format!("{lit} failed, and it was not assumed")),
            None => Ok(()),
        }
    }

    /// The model satisfies everything. Where it is partial it is extended first: leaves get any value, and gates
    /// theirs by definition, which must be the one they have if they have one.
    fn check_model(&self, temporary: Option<&[Number]>, assumptions: &[Number]) -> Result<(), String> {
        let formula = &self.formula;
        let units: Vec<Vec<Number>> = assumptions.iter().map(|&l| vec![l]).collect();
        let clauses = formula.clauses.iter().chain(&units).map(Vec::as_slice).chain(temporary);
        let clauses: Vec<&[Number]> = clauses.collect();
        let n_vars = clauses.iter().copied().flatten().map(|l| l.unsigned_abs()).max().unwrap_or(0);
        for var in 1..=n_vars as Number {
            let value = self.subject.value(var);
            if self.subject.value(-var) == value || self.subject.assigned(var).is_some_and(|a| a != value) {
                return Err(format!("{var} has no clear value"));
            }
        }
        let assigned = |gate| self.subject.assigned(gate);
        let values = self.completed(n_vars as Number, |leaf| self.subject.value(leaf), assigned)?;
        match clauses.iter().find(|c| !c.iter().any(|&l| holds(&values, l))) {
            Some(clause) => Err(format!("the model {values:?} violates {clause:?}")),
            None => Ok(()),
        }
    }

    /// All values, from those of the leaves. Gates that have been assigned must have them already.
    fn completed(
        &self,
        n_vars: Number,
        leaf: impl Fn(Number) -> bool,
        assigned: impl Fn(Number) -> Option<bool>,
    ) -> Result<Vec<bool>, String> {
        let mut values: Vec<bool> = (1..=n_vars).map(leaf).collect();
        for &[gate, a, b] in &self.formula.gates {
            let value = holds(&values, a) && holds(&values, b);
            if assigned(gate).is_some_and(|assigned| assigned != value) {
                return Err(format!("gate {gate} has another value than its definition"));
            }
            values[gate as usize - 1] = value;
        }
        Ok(values)
    }

    /// What does not matter really does not: whatever values it gets, the gates that the query is about and its
    /// assumptions keep theirs. How much was it?
    fn unassign(&mut self, vars: &[Number]) -> Result<usize, String> {
        let Some((temporary, assumptions)) = self.model_of.take() else {
            return Ok(0);
        };
        let mut mentioned: Vec<Number> = self.formula.clauses.iter().flatten().map(|l| l.abs()).collect();
        mentioned.extend(temporary.iter().chain(&assumptions).map(|l| l.abs()));
        let n_vars = mentioned.into_iter().max().unwrap_or(0);
        let is_leaf = |v: &Number| *v <= n_vars && self.formula.gates.iter().all(|g| g[0] != *v);
        let before: Vec<bool> = (1..=n_vars).map(|v| self.subject.value(v)).collect();
        let leaves = vars.iter().copied().filter(is_leaf);
        let leaves: Vec<Number> = leaves.map(|v| if holds(&before, v) { v } else { -v }).collect();
        let Some(left) = self.subject.unassign(&leaves) else {
            return Ok(0);
        };
        let free: Vec<Number> = leaves.iter().filter(|l| !left.contains(l)).map(|l| l.abs()).collect();
        let inside = self.domain(&temporary, &assumptions);
        let assigned = |gate| self.subject.assigned(gate).filter(|_| inside.contains(&gate));
        // Every change of one, of all together, and of none.
        for changed in free.iter().map(|&v| vec![v]).chain([free.clone(), Vec::new()]) {
            let values = self
                .completed(n_vars, |leaf| holds(&before, leaf) != changed.contains(&leaf), assigned)
                .map_err(|what| format!("{what}, if {changed:?} change, which were unassigned"))?;
            if let Some(lost) = assumptions.iter().find(|&&l| !holds(&values, l)) {
                return Err(format!("assumption {lost} depends on {changed:?}, which were unassigned"));
            }
        }
        Ok(free.len())
    }
}

impl Copy {
    /// What a query is about: the cones of all clauses but definitions, and of its literals.
    fn domain(&self, temporary: &[Number], assumptions: &[Number]) -> BTreeSet<Number> {
        let is_definition = |c: &Vec<Number>| {
            self.formula.gates.iter().any(|&[g, a, b]| *c == [-g, a] || *c == [-g, b] || *c == [g, -a, -b])
        };
        let clauses = self.formula.clauses.iter().filter(|c| !is_definition(c)).flatten();
        let query = assumptions.iter().chain(temporary);
        let mut inside: BTreeSet<Number> = clauses.chain(query).map(|l| l.abs()).collect();
        // Gates come after their fanins.
        for [gate, a, b] in self.formula.gates.iter().rev() {
            if inside.contains(gate) {
                inside.extend([a.abs(), b.abs()]);
            }
        }
        inside
    }
}

fn holds(values: &[bool], lit: Number) -> bool {
    values[lit.unsigned_abs() as usize - 1] == (lit > 0)
}
