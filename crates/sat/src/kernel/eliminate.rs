//! Bounded variable elimination (Eén, Biere, SAT 2005), incrementally.
//!
//! A variable goes if its clauses, resolved with each other, give no more clauses than there were. In unrollings a third to
//! three quarters of the variables are such, and propagation is shorter by as much. The clauses of an eliminated
//! variable are kept aside: a model is extended by them, last eliminated first, and when the variable is mentioned
//! again, by a clause or an assumption, they come back, together with those of all eliminated variables in them.
//! The resolvents follow from them and stay.
//!
//! A variable is tried only when a whole query has passed without a new clause that mentions it: what the latest clauses
//! mention is the frontier of an unrolling, and the next ones will too. Only a query that turns out to be hard tries the frontier
//! as well.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{ClauseId, Domain, ProofSink};
use indubit_logic::{Lit, Var};

/// Variables that occur more often, with one sign, are left alone.
const MAX_OCCURRENCES: usize = 100;
/// And those whose resolvents would be longer.
const MAX_LENGTH: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    #[default]
    Alive,
    /// Not to be eliminated: it was, and then it was mentioned again; or it has turned out to be a fact.
    Frozen,
    /// The entry of the stack that has its clauses.
    Eliminated(u32),
}

/// What has been eliminated, and what might be.
#[derive(Clone, Debug, Default)]
pub(super) struct Eliminated {
    state: Vec<State>,
    /// The number of queries when a clause with the variable was added last.
    touched: Vec<u64>,
    /// The query that assumed the variable last.
    assumed: Vec<u64>,
    /// Variables whose clauses have changed since they were last tried.
    changed: Vec<Var>,
    is_changed: Vec<bool>,
    entries: Vec<Entry>,
    /// Values of eliminated variables in the model.
    model: Vec<bool>,
    /// Ticks of the search when elimination was last tried.
    last_ticks: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    var: Var,
    /// All clauses with the variable, one after the other, and where each ends and what its name is.
    lits: Vec<Lit>,
    clauses: Vec<(u32, ClauseId)>,
}

impl Entry {
    fn clauses(&self) -> impl Iterator<Item = (&[Lit], ClauseId)> {
        let starts = std::iter::once(0).chain(self.clauses.iter().map(|&(end, _)| end as usize));
        starts.zip(&self.clauses).map(|(from, &(end, name))| (&self.lits[from..end as usize], name))
    }
}

impl Eliminated {
    pub(super) fn grow(&mut self, n_vars: usize) {
        self.state.resize(n_vars, State::Alive);
        self.touched.resize(n_vars, 0);
        self.assumed.resize(n_vars, 0);
        self.is_changed.resize(n_vars, false);
        self.model.resize(n_vars, false);
    }
    pub(super) fn contains(&self, var: Var) -> bool {
        matches!(self.state.get(var.index()), Some(State::Eliminated(_)))
    }
    fn change(&mut self, var: Var) {
        if !std::mem::replace(&mut self.is_changed[var.index()], true) {
            self.changed.push(var);
        }
    }
}

/// The given clauses by literal, for one round.
struct Occurrences(Vec<Vec<ClauseRef>>);

impl<D: Domain, P: ProofSink> Kernel<D, P> {
    /// The variables of `lits` are mentioned: they must be there.
    pub(super) fn mention(&mut self, lits: &[Lit], by_clause: bool) {
        if !self.tuning.eliminate {
            return;
        }
        for &lit in lits {
            let var = lit.var();
            if self.eliminated.contains(var) {
                self.restore(var);
            }
            if by_clause {
                self.eliminated.touched[var.index()] = self.counts.queries;
                self.eliminated.change(var);
            }
        }
    }

    /// Bring the clauses of `var` back, and those of all eliminated variables in them.
    fn restore(&mut self, var: Var) {
        let mut entries = Vec::new();
        let mut stack = vec![var];
        while let Some(v) = stack.pop() {
            let state = &mut self.eliminated.state[v.index()];
            let State::Eliminated(entry) = *state else { continue };
            *state = if v == var { State::Frozen } else { State::Alive };
            self.eliminated.change(v);
            let entry = std::mem::replace(
                &mut self.eliminated.entries[entry as usize],
                Entry { var: v, lits: Vec::new(), clauses: Vec::new() },
            );
            stack.extend(entry.lits.iter().map(|l| l.var()).filter(|&w| self.eliminated.contains(w)));
            entries.push(entry);
        }
        for entry in &entries {
            for (lits, name) in entry.clauses() {
                self.add_named(lits, name);
            }
        }
        while self.eliminated.entries.last().is_some_and(|e| e.clauses.is_empty()) {
            self.eliminated.entries.pop();
        }
    }

    /// Give eliminated variables values that satisfy their clauses.
    pub(super) fn extend_model(&mut self) {
        let Kernel { eliminated: Eliminated { entries, model, state, .. }, values, .. } = self;
        for entry in entries.iter().rev().filter(|e| !e.clauses.is_empty()) {
            let positive = Lit::positive(entry.var);
            let holds = |l: &Lit| match state[l.var().index()] {
                State::Eliminated(_) => model[l.var().index()] != l.is_negated(),
                _ => values[l.index()] > 0,
            };
            // A clause that only the variable itself can satisfy, if there is one, says which value.
            let needs_true = entry.clauses().any(|(lits, _)| {
                lits.contains(&positive) && !lits.iter().any(|l| l.var() != entry.var && holds(l))
            });
            model[entry.var.index()] = needs_true;
        }
    }

    /// The value of an eliminated variable in the model.
    pub(crate) fn extended(&self, var: Var) -> bool {
        self.eliminated.model.get(var.index()).copied().unwrap_or(false)
    }
    pub(crate) fn is_eliminated(&self, var: Var) -> bool {
        self.eliminated.contains(var)
    }

    /// Eliminate what can be, at level 0, if the search has cost as much as looking for it; with the `frontier`, also
    /// variables that the latest clauses mention. The variables of `assumptions` stay.
    pub(super) fn eliminate(&mut self, assumptions: &[Lit], frontier: bool) {
        if !self.tuning.eliminate {
            return;
        }
        debug_assert_eq!(self.level(), 0);
        let worth = self.counts.ticks - self.eliminated.last_ticks >= self.given.len() as u64;
        if !worth || self.eliminated.changed.is_empty() || self.guard.is_some() || self.inconsistent {
            return;
        }
        self.eliminated.last_ticks = self.counts.ticks;
        let now = self.counts.queries;
        for lit in assumptions {
            self.eliminated.assumed[lit.var().index()] = now;
        }
        let mut queue = Vec::new();
        let mut later = Vec::new();
        for var in std::mem::take(&mut self.eliminated.changed) {
            let tried = frontier || self.eliminated.touched[var.index()] + 1 < now;
            if tried && self.eliminated.assumed[var.index()] != now {
                self.eliminated.is_changed[var.index()] = false;
                queue.push(var);
            } else {
                later.push(var);
            }
        }
        self.eliminated.changed = later;
        if queue.is_empty() {
            return;
        }
        self.simplify();
        let mut occurrences = self.occurrences();
        let weight = |o: &Occurrences, v: Var| {
            o.0[Lit::positive(v).index()].len() * o.0[(!Lit::positive(v)).index()].len()
        };
        queue.sort_by_cached_key(|&v| weight(&occurrences, v));
        let mut units = Vec::new();
        let mut n_eliminated = 0;
        for _ in 0..3 {
            let before = n_eliminated;
            for &var in &queue {
                if self.eliminated.state[var.index()] == State::Alive && !self.is_assigned(var) {
                    n_eliminated += usize::from(self.try_eliminate(var, &mut occurrences, &mut units));
                }
            }
            if before == n_eliminated {
                break;
            }
        }
        self.drop_learnt_with_eliminated();
        self.sweep();
        for (unit, name) in units {
            self.add_named(&[unit], name);
        }
    }

    fn occurrences(&mut self) -> Occurrences {
        let mut occurrences = vec![Vec::new(); 2 * self.n_vars()];
        for &clause in &self.given {
            for lit in self.arena.lits(clause) {
                occurrences[lit.index()].push(clause);
            }
        }
        Occurrences(occurrences)
    }

    /// Replace the clauses of `var` by their resolvents, if these are not more.
    fn try_eliminate(
        &mut self,
        var: Var,
        occurrences: &mut Occurrences,
        units: &mut Vec<(Lit, ClauseId)>,
    ) -> bool {
        let lit = Lit::positive(var);
        for l in [lit, !lit] {
            let arena = &self.arena;
            occurrences.0[l.index()].retain(|&c| !arena.is_removed(c));
        }
        let n_clauses = [lit, !lit].map(|l| occurrences.0[l.index()].len());
        if n_clauses == [0, 0] || n_clauses.iter().any(|&n| n > MAX_OCCURRENCES) {
            return false;
        }
        let with = [lit, !lit].map(|l| std::mem::take(&mut occurrences.0[l.index()]));
        let mut resolvents: Vec<Lit> = Vec::new();
        let mut found: Vec<(usize, ClauseRef, ClauseRef)> = Vec::new();
        for &c in &with[0] {
            for &d in &with[1] {
                let from = resolvents.len();
                if !self.resolvent(c, d, lit, &mut resolvents) {
                    resolvents.truncate(from);
                    continue;
                }
                found.push((resolvents.len(), c, d));
                if found.len() > n_clauses[0] + n_clauses[1] || resolvents.len() - from > MAX_LENGTH {
                    [occurrences.0[lit.index()], occurrences.0[(!lit).index()]] = with;
                    return false;
                }
            }
        }
        self.set_aside(var, &with);
        let mut from = 0;
        for (to, c, d) in found {
            let lits = &resolvents[from..to];
            let mut name = 0;
            if P::RECORDS {
                let mut chain: Vec<ClauseId> = Vec::new();
                let parents = self.arena.lits(c).iter().chain(self.arena.lits(d));
                chain.extend(parents.filter(|&&l| self.value(l) < 0).map(|l| self.units[l.var().index()]));
                chain.extend([c, d].map(|c| self.arena.name(c)));
                name = self.proof.derived(lits, &chain);
            }
            match *lits {
                // It will be assigned: to eliminate it before that would set its clauses aside with it.
                [unit] => {
                    self.eliminated.state[unit.var().index()] = State::Frozen;
                    units.push((unit, name));
                }
                _ => {
                    let clause = self.install(lits, None, name).expect("not a unit");
                    lits.iter().for_each(|l| occurrences.0[l.index()].push(clause));
                }
            }
            from = to;
        }
        for clause in with.into_iter().flatten() {
            self.arena.remove(clause);
        }
        true
    }

    /// The resolvent of `c` and `d` on `pivot`, without what is false for good, appended to `out`; false if it is
    /// always true.
    fn resolvent(&mut self, c: ClauseRef, d: ClauseRef, pivot: Lit, out: &mut Vec<Lit>) -> bool {
        let from = out.len();
        self.counts.ticks += 1;
        for &lit in self.arena.lits(c).iter().chain(self.arena.lits(d)) {
            let value = self.value(lit);
            if value > 0 || out[from..].contains(&!lit) {
                return false;
            }
            if lit.var() != pivot.var() && value == 0 && !out[from..].contains(&lit) {
                out.push(lit);
            }
        }
        true
    }

    /// Keep the clauses of `var` for models, and in case it is mentioned again.
    fn set_aside(&mut self, var: Var, with: &[Vec<ClauseRef>; 2]) {
        let mut entry = Entry { var, lits: Vec::new(), clauses: Vec::new() };
        for &clause in with.iter().flatten() {
            entry.lits.extend_from_slice(self.arena.lits(clause));
            let name = if P::RECORDS { self.arena.name(clause) } else { 0 };
            entry.clauses.push((entry.lits.len() as u32, name));
            for lit in self.arena.lits(clause) {
                if lit.var() != var {
                    self.eliminated.change(lit.var());
                }
            }
        }
        self.eliminated.state[var.index()] = State::Eliminated(self.eliminated.entries.len() as u32);
        self.eliminated.entries.push(entry);
    }

    fn drop_learnt_with_eliminated(&mut self) {
        for i in 0..self.learnt.len() {
            let clause = self.learnt[i];
            if self.arena.lits(clause).iter().any(|l| self.eliminated.contains(l.var())) {
                self.forget(clause);
            }
        }
    }
}
