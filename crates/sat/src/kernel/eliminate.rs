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
use super::arena::{Arena, ClauseRef};
use super::clauses::Clauses;
use super::policy::{ClauseId, Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::{Lit, Var};
use indubit_run::Cancel;

/// Variables that occur more often, with one sign, are left alone,
const MAX_OCCURRENCES: usize = 100;
/// and those with a longer resolvent.
const MAX_LENGTH: usize = 100;
/// How often the variables next to eliminated ones are tried again in a round.
const MAX_PASSES: usize = 5;
/// A round costs about so many ticks for each clause; the search since the last one must have cost as much.
const TICKS_PER_CLAUSE: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    #[default]
    Alive,
    /// Not to be eliminated: it was, and then it was mentioned again.
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
    /// The last query in which the variable had to stay: it was assumed, or turned out to be a fact.
    held: Vec<u64>,
    /// Variables whose clauses have changed since they were last tried.
    changed: Vec<Var>,
    is_changed: Vec<bool>,
    entries: Vec<Entry>,
    /// Values of eliminated variables in the model.
    model: Vec<bool>,
    /// Ticks of the search when elimination was last tried.
    last_ticks: u64,
    /// By literal, for resolving.
    mark: Vec<bool>,
    round: Round,
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
        self.held.resize(n_vars, 0);
        self.is_changed.resize(n_vars, false);
        self.model.resize(n_vars, false);
        self.mark.resize(2 * n_vars, false);
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
#[derive(Clone, Debug, Default)]
struct Occurrences {
    /// Where each literal's clauses begin and end in `flat`.
    ranges: Vec<(u32, u32)>,
    flat: Vec<ClauseRef>,
    /// Clauses that were made during the round.
    made: Vec<Vec<ClauseRef>>,
    with_made: Vec<Lit>,
}

impl Occurrences {
    /// Begin a round with these clauses.
    fn fill(&mut self, n_vars: usize, given: &[ClauseRef], arena: &Arena) {
        for lit in self.with_made.drain(..) {
            self.made[lit.index()].clear();
        }
        self.made.resize(2 * n_vars, Vec::new());
        self.ranges.clear();
        self.ranges.resize(2 * n_vars, (0, 0));
        let each = || given.iter().flat_map(|&c| arena.lits(c).iter().map(move |l| (l.index(), c)));
        each().for_each(|(lit, _)| self.ranges[lit].1 += 1);
        let mut end = 0;
        for range in &mut self.ranges {
            let n = range.1;
            *range = (end, end);
            end += n;
        }
        self.flat.clear();
        self.flat.resize(end as usize, ClauseRef::NONE);
        for (lit, clause) in each() {
            let end = &mut self.ranges[lit].1;
            self.flat[*end as usize] = clause;
            *end += 1;
        }
    }
    /// The clauses of `lit` that are still there, into `out`.
    fn of(&self, lit: Lit, arena: &Arena, out: &mut Vec<ClauseRef>) {
        let (from, to) = self.ranges[lit.index()];
        let all = self.flat[from as usize..to as usize].iter().chain(&self.made[lit.index()]);
        out.clear();
        out.extend(all.filter(|&&c| !arena.is_removed(c)));
    }
    fn upper_bound(&self, lit: Lit) -> usize {
        let (from, to) = self.ranges[lit.index()];
        (to - from) as usize + self.made[lit.index()].len()
    }
    fn add(&mut self, lits: &[Lit], clause: ClauseRef) {
        for &lit in lits {
            let made = &mut self.made[lit.index()];
            if made.is_empty() {
                self.with_made.push(lit);
            }
            made.push(clause);
        }
    }
}

/// Memory that rounds reuse.
#[derive(Clone, Debug, Default)]
struct Round {
    occurrences: Occurrences,
    /// The clauses with the variable, and with its negation.
    with: [Vec<ClauseRef>; 2],
    /// The literals of all resolvents, and for each where it ends and its parents.
    lits: Vec<Lit>,
    resolvents: Vec<(usize, ClauseRef, ClauseRef)>,
    units: Vec<(Lit, ClauseId)>,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
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
        let Kernel { eliminated: Eliminated { entries, model, state, .. }, trail, .. } = self;
        for entry in entries.iter().rev().filter(|e| !e.clauses.is_empty()) {
            let positive = Lit::positive(entry.var);
            let holds = |l: &Lit| match state[l.var().index()] {
                State::Eliminated(_) => model[l.var().index()] != l.is_negated(),
                _ => trail.value(*l) > 0,
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
    ///
    /// A round that is cancelled ends early; what it has done stays.
    pub(super) fn eliminate(&mut self, assumptions: &[Lit], frontier: bool, cancel: &Cancel) {
        if !self.tuning.eliminate {
            return;
        }
        debug_assert_eq!(self.trail.level(), 0);
        let spent = self.counts.ticks - self.eliminated.last_ticks;
        let worth = spent >= TICKS_PER_CLAUSE * self.clauses.given.len() as u64;
        if !worth
            || self.eliminated.changed.is_empty()
            || self.temporary.guard.is_some()
            || self.refutation.inconsistent
        {
            return;
        }
        let now = self.counts.queries;
        for lit in assumptions {
            self.eliminated.held[lit.var().index()] = now;
        }
        let mut queue = self.take_changed(frontier);
        if queue.is_empty() {
            return;
        }
        self.simplify();
        let mut round = std::mem::take(&mut self.eliminated.round);
        round.occurrences.fill(self.n_vars(), &self.clauses.given, &self.clauses.arena);
        for _ in 0..MAX_PASSES {
            let occurrences = &round.occurrences;
            let n = |l: Lit| occurrences.upper_bound(l);
            queue.sort_by_cached_key(|&v| (n(Lit::positive(v)) * n(!Lit::positive(v)), v));
            for var in queue.drain(..) {
                let Eliminated { state, held, .. } = &self.eliminated;
                let stays = state[var.index()] != State::Alive || held[var.index()] == now;
                if !stays && !self.is_assigned(var) && !cancel.is_raised() {
                    self.try_eliminate(var, &mut round);
                }
            }
            queue = self.take_changed(frontier);
            if queue.is_empty() {
                break;
            }
        }
        queue.into_iter().for_each(|var| self.eliminated.change(var));
        self.drop_learnt_with_eliminated();
        self.sweep();
        for (unit, name) in round.units.drain(..) {
            self.add_named(&[unit], name);
        }
        self.eliminated.round = round;
        self.eliminated.last_ticks = self.counts.ticks;
    }

    /// The variables to try: not those that are assumed, and those that the latest clauses mention only with the `frontier`.
    fn take_changed(&mut self, frontier: bool) -> Vec<Var> {
        let now = self.counts.queries;
        let Eliminated { changed, is_changed, touched, held, .. } = &mut self.eliminated;
        let mut taken = Vec::new();
        changed.retain(|&var| {
            let v = var.index();
            let take = (frontier || touched[v] + 1 < now) && held[v] != now;
            if take {
                is_changed[v] = false;
                taken.push(var);
            }
            !take
        });
        taken
    }

    /// Replace the clauses of `var` by their resolvents, if these are not more.
    fn try_eliminate(&mut self, var: Var, round: &mut Round) {
        let lit = Lit::positive(var);
        let Round { occurrences, with, lits, resolvents, units } = round;
        occurrences.of(lit, &self.clauses.arena, &mut with[0]);
        occurrences.of(!lit, &self.clauses.arena, &mut with[1]);
        let [n, m] = [with[0].len(), with[1].len()];
        if n + m == 0 || n.max(m) > MAX_OCCURRENCES {
            return;
        }
        lits.clear();
        resolvents.clear();
        for &c in &with[0] {
            let fits = self.resolvents(c, &with[1], lit, n + m, lits, resolvents);
            self.clauses.arena.lits(c).iter().for_each(|l| self.eliminated.mark[l.index()] = false);
            if !fits {
                return;
            }
        }
        self.counts.eliminated += 1;
        self.set_aside(var, with);
        let mut from = 0;
        for &(to, c, d) in &*resolvents {
            let lits = &lits[from..to];
            let name = self.name_resolvent(lits, c, d);
            match *lits {
                [unit] => {
                    // It will be assigned, so it is not to be eliminated before.
                    self.eliminated.held[unit.var().index()] = self.counts.queries;
                    units.push((unit, name));
                }
                _ => {
                    let clause = self.install(lits, name).expect("not a unit");
                    occurrences.add(lits, clause);
                }
            }
            from = to;
        }
        for &clause in with.iter().flatten() {
            self.clauses.arena.remove(clause);
        }
    }

    fn name_resolvent(&mut self, lits: &[Lit], c: ClauseRef, d: ClauseRef) -> ClauseId {
        if !P::RECORDS {
            return 0;
        }
        let mut chain: Vec<ClauseId> = Vec::new();
        let parents = self.clauses.arena.lits(c).iter().chain(self.clauses.arena.lits(d));
        chain.extend(parents.filter(|&&l| self.trail.value(l) < 0).map(|l| self.proof.unit(l.var())));
        chain.extend([c, d].map(|c| self.clauses.arena.name(c)));
        self.proof.sink.derived(lits, &chain)
    }

    /// Resolve `c` with each of `others` on `pivot`; what is always true or false for good is left out. Are all of them
    /// short, and at most `limit` in total? Leaves marks on the literals of `c`.
    fn resolvents(
        &mut self,
        c: ClauseRef,
        others: &[ClauseRef],
        pivot: Lit,
        limit: usize,
        lits: &mut Vec<Lit>,
        found: &mut Vec<(usize, ClauseRef, ClauseRef)>,
    ) -> bool {
        let Kernel {
            eliminated: Eliminated { mark, .. }, clauses: Clauses { arena, .. }, trail, counts, ..
        } = self;
        for &lit in arena.lits(c) {
            mark[lit.index()] = lit != pivot;
            if trail.value(lit) > 0 {
                return true;
            }
        }
        for &d in others {
            counts.ticks += 1;
            let other = arena.lits(d);
            if other.iter().any(|&l| trail.value(l) > 0 || mark[(!l).index()]) {
                continue;
            }
            let from = lits.len();
            lits.extend(arena.lits(c).iter().filter(|&&l| l != pivot && trail.value(l) == 0));
            lits.extend(other.iter().filter(|&&l| l != !pivot && trail.value(l) == 0 && !mark[l.index()]));
            found.push((lits.len(), c, d));
            if found.len() > limit || lits.len() - from > MAX_LENGTH {
                return false;
            }
        }
        true
    }

    /// Keep the clauses of `var` for models, and in case it is mentioned again.
    fn set_aside(&mut self, var: Var, with: &[Vec<ClauseRef>; 2]) {
        let mut entry = Entry { var, lits: Vec::new(), clauses: Vec::new() };
        for &clause in with.iter().flatten() {
            entry.lits.extend_from_slice(self.clauses.arena.lits(clause));
            let name = if P::RECORDS { self.clauses.arena.name(clause) } else { 0 };
            entry.clauses.push((entry.lits.len() as u32, name));
            for lit in self.clauses.arena.lits(clause) {
                if lit.var() != var {
                    self.eliminated.change(lit.var());
                }
            }
        }
        self.eliminated.state[var.index()] = State::Eliminated(self.eliminated.entries.len() as u32);
        self.eliminated.entries.push(entry);
    }

    fn drop_learnt_with_eliminated(&mut self) {
        for i in 0..self.clauses.learnt.len() {
            let clause = self.clauses.learnt[i];
            if self.clauses.arena.lits(clause).iter().any(|l| self.eliminated.contains(l.var())) {
                self.forget(clause);
            }
        }
    }
}
