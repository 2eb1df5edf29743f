//! The checks that make the signals of a witness circuit a proof of justice properties.
//!
//! Justice and fairness of the witness are about pairs of states: `q'_st` says that a signal is *gone* in `s`, seen from `t`. Which literals
//! are looked up in the second state is its *intervention*: a comment `INTERVENTION n` with lines `c x`, or symbols `< x` at `c`, say that `x` stands for the value of `c`
//! there; else each literal that is the next value of a latch stands for that latch. A property of the witness is the disjunction of what is gone of its signals and of fairness, and `Q'` the
//! conjunction of its properties. Beside what is in `certificate.rs`, where `C'` and `P'` hold in all states,
//!
//! | check | formula |
//! |---|---|
//! | liveness | `F'_st ∧ C_s ∧ C_t → (q'_st → q_s)` for each signal, `q_s` being that it is false in the model |
//! | decrease | `F'_st → Q'_ts` |
//! | closure | `F'_st ∧ Q'_su → Q'_tu` |
//! | consistent | `F'_st ∧ F'_tu ∧ Q'_st ∧ Q'_tu → (q'_st → q'_tu)` for each signal of the witness |
//!
//! (Froleyks, Yu, Bogaerts, Biere, Heljanko, CAV 2026, as Certifaiger has them.) The witness of a run that goes on for ever comes to a point from which on each step `s → t` is part of a cycle.
//! From `Q'` of a step backwards (decrease), closure along the rest of the cycle gives `Q'_st`. So something of each property is gone in that step, stays gone by
//! consistency, and is never true again in the model.
//!
//! **Signals that only one of the two has.** They correspond by position, and one that the witness lacks counts as gone (Certifaiger does the same): liveness then says
//! that it is never true. One that the model lacks could be what is gone for good, which would prove anything. So where it is gone in a step, one that the model has
//! must be as well. A property without signals asks for a signal that is always true.
//!
//! What has been shown is used: by decrease a relation that is transitive (see `transitive.rs`) is closed, and decrease holds in consistent.
//!
//! **Long orders.** What single predicates do in a step of the witness (`F'`, with `C'` and `P'` in both states) is shown first (see `rises.rs`), and assumed about such steps in all four checks. If by that
//! all that is looked up is the same in `s` and `t` wherever `q'_st` or `Q'_st` holds, then `q'_st` is `q'_ss`, and consistent and liveness are about one step in which
//! nothing that is looked up changes: `q'_ss → q_s`, and `q'_ss → q'_tt`, since the same is so of the step from `t` to `u`. The cases of that are one place in the order each,
//! and each is asked with what it says of two predicates and no more. A case that cannot be shown in this way means nothing: the check is made as a whole then.

use crate::certificate::{Check, Checker, Pair};
use crate::frame::{Frame, leaves};
use crate::pairs::{Nodes, Pairs};
use crate::query::{Counterexample, Query, refute};
use crate::rises::{Rise, cases, lemmas, rises};
use crate::solver::Sure;
use crate::{Reason, State, transitive};
use indubit_aig::{Aig, Import};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Property};

/// Are the ranks of the witness proofs of the justice properties of the model?
pub(crate) fn check(checker: &mut Checker<'_>) -> Sure<Result<(), Reason>> {
    if checker.model.justice.is_empty() {
        return Ok(Ok(()));
    }
    let ranks = match Ranks::read(checker.witness) {
        Ok(ranks) => ranks,
        Err(reason) => return Ok(Err(reason)),
    };
    let wanted = match wanted(checker.model, checker.witness) {
        Ok(wanted) => wanted,
        Err(reason) => return Ok(Err(reason)),
    };
    let shown = ranks.rises(checker)?;
    let rests = ranks.rests(checker, &shown)?;
    let mut failed = None;
    for check in [Check::Decrease, Check::Liveness, Check::Closure, Check::Consistent] {
        failed = match check {
            Check::Liveness => ranks.liveness(checker, &wanted, &shown, rests)?,
            check => ranks.run(checker, check, &shown, rests)?,
        }
        .map(|state| Reason::Check { check, state });
        if failed.is_some() {
            // Without a property there, all that can be said is that its signals are never true.
            let lacks = wanted.iter().find(|w| w.is_absent && check == Check::Liveness);
            failed = lacks.map(|w| no_rank(&w.property)).or(failed);
            break;
        }
    }
    if failed.is_none()
        && let Some(property) = ranks.only_added(checker, &wanted)?
    {
        let text = format!(
            "the witness circuit has more signals than {}, and one of those may be the only one that is gone",
            property.title()
        );
        failed = Some(Reason::Misfit(text));
    }
    Ok(failed.map_or(Ok(()), Err))
}

/// There is nothing that would prove a justice property.
pub(crate) fn no_rank(property: &Property) -> Reason {
    Reason::Misfit(format!("the proof has no rank for justice property {}", property.title()))
}

/// A justice property of the model, and what the witness has for it.
struct Wanted {
    property: Property,
    /// Each signal in the model, and the one for it in the witness.
    signals: Vec<(Lit, Option<Lit>)>,
    /// Signals that only the witness has.
    added: Vec<Lit>,
    /// Has the witness no such property?
    is_absent: bool,
}

fn wanted(model: &BitSystem, witness: &BitSystem) -> Result<Vec<Wanted>, Reason> {
    let mut all = Vec::new();
    let justice = model.properties().into_iter().filter(|p| matches!(p.claim, Claim::Justice(_)));
    for (i, property) in justice.enumerate() {
        let own = witness.justice.get(i).map_or(&[][..], |j| &j.lits[..]);
        let fairness = witness.fairness.iter().map(|f| f.lit);
        let n_fairness = model.fairness.len();
        let n_own = match property.claim.formulas().len() {
            0 if n_fairness == 0 => 1,
            n => n,
        };
        // In the places of the model: those of fairness, then its own.
        let ours = (0..n_fairness).map(|i| witness.fairness.get(i).map(|f| f.lit));
        let ours = ours.chain((0..n_own).map(|i| own.get(i).copied()));
        let theirs = model.infinitely_often(&property.claim).unwrap_or_default();
        let signals: Vec<(Lit, Option<Lit>)> = theirs.into_iter().zip(ours).collect();
        let added = fairness.skip(n_fairness).chain(own.iter().copied().skip(n_own)).collect();
        let is_absent = i >= witness.justice.len();
        // Nothing would say that one of its signals is gone.
        if is_absent && signals.iter().all(|(_, ours)| ours.is_some()) {
            return Err(no_rank(&property));
        }
        all.push(Wanted { property, signals, added, is_absent });
    }
    Ok(all)
}

/// The signals of a witness, as predicates of pairs of states.
struct Ranks<'w> {
    witness: &'w BitSystem,
    /// What is looked up in the second state, and what stands for it in the circuit.
    interventions: Vec<(Lit, Lit)>,
}

impl<'w> Ranks<'w> {
    fn read(witness: &'w BitSystem) -> Result<Ranks<'w>, Reason> {
        let Some(pairs) = Pairs::INTERVENTION.read(witness)? else {
            let next = witness.latches().iter().filter(|l| !l.next.is_const());
            let interventions = next.map(|l| (Lit::positive(l.var), l.next)).collect();
            return Ok(Ranks { witness, interventions });
        };
        let nodes = Nodes::new(witness);
        let known = |literal: u32| {
            let unknown =
                || format!("the intervention uses literal {literal}, which the witness does not have");
            nodes.lit(literal).ok_or_else(|| Reason::Misfit(unknown()))
        };
        let mut interventions = Vec::new();
        for (asked, placeholder) in pairs {
            let pair = (known(asked)?, known(placeholder)?);
            if pair.1.is_const() {
                return Err(Reason::Misfit("the intervention replaces a constant".into()));
            }
            interventions.push(pair);
        }
        Ok(Ranks { witness, interventions })
    }

    /// The signals, where the circuit is in the first state and what is replaced in the second.
    fn seen(&self, checker: &mut Checker<'_>, first: &mut Frame<'_>, second: &mut Frame<'_>) -> Seen<'w> {
        let asked = self.asked(checker, second);
        self.seen_with(checker, first, &asked)
    }
    /// The same where the second state is the first one.
    fn seen_by_itself(&self, checker: &mut Checker<'_>, state: &mut Frame<'_>) -> Seen<'w> {
        let asked = self.asked(checker, state);
        self.seen_with(checker, state, &asked)
    }
    /// What is asked about the second state.
    fn asked(&self, checker: &mut Checker<'_>, second: &mut Frame<'_>) -> Vec<Lit> {
        self.interventions.iter().map(|&(asked, _)| second.lit(&mut checker.aig, asked)).collect()
    }
    fn seen_with(&self, checker: &mut Checker<'_>, first: &mut Frame<'_>, asked: &[Lit]) -> Seen<'w> {
        let mut import = Import::new(self.witness.aig());
        for leaf in leaves(self.witness) {
            import.set(leaf, first.lit(&mut checker.aig, Lit::positive(leaf)));
        }
        for (&(_, placeholder), &value) in self.interventions.iter().zip(asked) {
            import.set(placeholder.var(), value ^ placeholder.is_negated());
        }
        Seen { witness: self.witness, import }
    }

    /// What the second state is asked about, in the first state and in the second.
    fn predicates(&self, checker: &mut Checker<'_>, s: &mut Frame<'_>, t: &mut Frame<'_>) -> Vec<[Lit; 2]> {
        let (before, after) = (self.asked(checker, s), self.asked(checker, t));
        before.into_iter().zip(after).map(|(before, after)| [before, after]).collect()
    }
    /// What can be shown of single predicates in each step of the witness.
    fn rises(&self, checker: &mut Checker<'_>) -> Sure<Vec<Rise>> {
        let [mut s, mut t] = self.steps(checker);
        let mut assume = kept(checker, &mut s);
        assume.extend(kept(checker, &mut t));
        let predicates = self.predicates(checker, &mut s, &mut t);
        rises(&mut checker.aig, &assume, &predicates, &checker.by)
    }
    /// `assume → show` in a step of the witness, of which something was shown: by cases, if each predicate stays true.
    fn decide(
        &self,
        checker: &mut Checker<'_>,
        (s, t): (&mut Frame<'_>, &mut Frame<'_>),
        shown: &[Rise],
        mut assume: Vec<Lit>,
        show: &[Lit],
    ) -> Sure<Option<Counterexample>> {
        let predicates = self.predicates(checker, s, t);
        let lemmas = lemmas(&mut checker.aig, shown, &predicates);
        assume.extend(&lemmas);
        let Some(mut query) = Query::new(&checker.aig, &assume, show, checker.by.solver()) else {
            return Ok(None);
        };
        // As clauses they are assumed; as gates they are links of the chain that compares two states, along which units go.
        lemmas.into_iter().for_each(|lemma| query.assume_any(&checker.aig, &[lemma]));
        Ok(query.has_model(&checker.aig, &[])?.then(|| query.into_model()))
    }
    /// Where a signal is gone in a step, and where all are that `Q'` asks for, nothing changes of what the second state is asked about: is that so, by what was shown?
    /// Then `q'_st` is `q'_ss`, which of an order is a matter of one state.
    fn rests(&self, checker: &mut Checker<'_>, shown: &[Rise]) -> Sure<bool> {
        let [mut s, mut t] = self.steps(checker);
        let predicates = self.predicates(checker, &mut s, &mut t);
        if predicates.is_empty() || shown.len() < predicates.len() {
            return Ok(false);
        }
        let mut assume = kept(checker, &mut s);
        assume.extend(kept(checker, &mut t));
        let mut seen = self.seen(checker, &mut s, &mut t);
        let gone: Vec<Lit> = self.signals().map(|lit| seen.gone(checker, lit)).collect();
        let all = seen.all(checker);
        let aig = &mut checker.aig;
        let same: Vec<Lit> = predicates.iter().map(|&[before, after]| aig.iff(before, after)).collect();
        for gone in [any(aig, &gone), all] {
            assume.push(gone);
            if self.decide(checker, (&mut s, &mut t), shown, assume.clone(), &same)?.is_some() {
                return Ok(false);
            }
            assume.pop();
        }
        Ok(true)
    }
    /// `assume → show` in a step in which nothing changes of what the second state is asked about, where in each case no more than that is said of a few predicates. If not, this means nothing.
    fn decide_at_rest(
        &self,
        checker: &mut Checker<'_>,
        (s, t): (&mut Frame<'_>, &mut Frame<'_>),
        shown: &[Rise],
        assume: &[Lit],
        show: &[Lit],
    ) -> Sure<bool> {
        let predicates = self.predicates(checker, s, t);
        let mut assume = assume.to_vec();
        let cases = match shown.iter().all(|&rise| rise == Rise::Stays) {
            true => cases(&predicates),
            false => {
                let aig = &mut checker.aig;
                assume.extend(predicates.iter().map(|&[before, after]| aig.iff(before, after)));
                vec![Vec::new()]
            }
        };
        let Some(mut query) = Query::new(&checker.aig, &assume, show, checker.by.solver_for_many()) else {
            return Ok(true);
        };
        for case in &cases {
            checker.by.checkpoint()?;
            if query.has_model(&checker.aig, case)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// All signals of the witness.
    fn signals(&self) -> impl Iterator<Item = Lit> + use<'w> {
        let fairness = self.witness.fairness.iter().map(|f| f.lit);
        fairness.chain(self.witness.justice.iter().flat_map(|j| j.lits.iter().copied()))
    }

    fn liveness(
        &self,
        checker: &mut Checker<'_>,
        wanted: &[Wanted],
        shown: &[Rise],
        rests: bool,
    ) -> Sure<Option<State>> {
        let mut s = checker.pair(|_| None);
        let mut t = step(checker, &mut s);
        let mut assume = Vec::new();
        for moment in [&mut s, &mut t] {
            assume.extend(moment.model.constraints(&mut checker.aig));
            assume.extend(kept(checker, &mut moment.witness));
        }
        let mut show = |checker: &mut Checker<'_>, seen: &mut Seen<'_>| -> Vec<Lit> {
            let signals = wanted.iter().flat_map(|w| &w.signals);
            signals
                .map(|&(theirs, ours)| {
                    let theirs = s.model.lit(&mut checker.aig, theirs);
                    let gone = ours.map_or(Lit::TRUE, |ours| seen.gone(checker, ours));
                    checker.aig.implies(gone, !theirs)
                })
                .collect()
        };
        // What is true of a signal that the witness lacks says nothing about rest.
        if rests && wanted.iter().flat_map(|w| &w.signals).all(|(_, ours)| ours.is_some()) {
            let mut seen = self.seen_by_itself(checker, &mut s.witness);
            let show = show(checker, &mut seen);
            let step = (&mut s.witness, &mut t.witness);
            if self.decide_at_rest(checker, step, shown, &assume, &show)? {
                return Ok(None);
            }
        }
        let mut seen = self.seen(checker, &mut s.witness, &mut t.witness);
        let show = show(checker, &mut seen);
        let step = (&mut s.witness, &mut t.witness);
        let found = self.decide(checker, step, shown, assume, &show)?;
        Ok(found.map(|found| checker.pair_state(&mut s, &found)))
    }

    /// A property of which something may be gone that the model does not have, and nothing else.
    fn only_added<'a>(&self, checker: &mut Checker<'_>, wanted: &'a [Wanted]) -> Sure<Option<&'a Property>> {
        for Wanted { property, signals, added, .. } in wanted {
            if added.is_empty() {
                continue;
            }
            let [mut s, mut t] = self.steps(checker);
            let mut assume = kept(checker, &mut s);
            assume.extend(kept(checker, &mut t));
            let mut seen = self.seen(checker, &mut s, &mut t);
            let own: Vec<Lit> = signals
                .iter()
                .map(|(_, ours)| ours.map_or(Lit::TRUE, |ours| seen.gone(checker, ours)))
                .collect();
            let own = checker.aig.or_all(own);
            let added: Vec<Lit> = added.iter().map(|&lit| seen.gone(checker, lit)).collect();
            let show: Vec<Lit> = added.into_iter().map(|gone| checker.aig.implies(gone, own)).collect();
            if refute(&checker.aig, &assume, &show, &checker.by)?.is_some() {
                return Ok(Some(property));
            }
        }
        Ok(None)
    }

    fn run(
        &self,
        checker: &mut Checker<'_>,
        check: Check,
        shown: &[Rise],
        rests: bool,
    ) -> Sure<Option<State>> {
        let [mut s, mut t] = self.steps(checker);
        let mut assume = kept(checker, &mut s);
        assume.extend(kept(checker, &mut t));
        let back = self.seen(checker, &mut t, &mut s).all(checker);
        let mut show = Vec::new();
        match check {
            // By decrease, that is what a transitive relation has anyway.
            Check::Closure if self.is_transitive() => return Ok(None),
            Check::Closure => {
                let mut u = self.any(checker);
                assume.extend(kept(checker, &mut u));
                assume.push(self.seen(checker, &mut s, &mut u).all(checker));
                show.push(self.seen(checker, &mut t, &mut u).all(checker));
            }
            Check::Consistent => {
                if rests {
                    let [mut before, mut after] =
                        [&mut s, &mut t].map(|state| self.seen_by_itself(checker, state));
                    let stays = self.signals().map(|lit| {
                        let (before, after) = (before.gone(checker, lit), after.gone(checker, lit));
                        checker.aig.implies(before, after)
                    });
                    let stays: Vec<Lit> = stays.collect();
                    if self.decide_at_rest(checker, (&mut s, &mut t), shown, &assume, &stays)? {
                        return Ok(None);
                    }
                }
                assume.push(back);
                let mut u = t.after(&mut checker.aig, |_| true);
                assume.extend(kept(checker, &mut u));
                let mut first = self.seen(checker, &mut s, &mut t);
                let mut second = self.seen(checker, &mut t, &mut u);
                assume.push(first.all(checker));
                assume.push(second.all(checker));
                assume.push(self.seen(checker, &mut u, &mut t).all(checker));
                for lit in self.signals() {
                    let (before, after) = (first.gone(checker, lit), second.gone(checker, lit));
                    show.push(checker.aig.implies(before, after));
                }
            }
            _ => show.push(back),
        }
        let found = self.decide(checker, (&mut s, &mut t), shown, assume, &show)?;
        Ok(found.map(|found| checker.witness_state(&mut s, &found)))
    }

    /// Is `Q'` transitive, whatever the states are? A quick look; if it says no, that means nothing.
    fn is_transitive(&self) -> bool {
        let source = self.witness.aig();
        let mut aig = source.clone();
        let mut import = Import::new(source);
        for leaf in leaves(self.witness) {
            import.set(leaf, Lit::positive(leaf));
        }
        // A gate may stand for what is asked: what it is made of does not count then.
        let mut interventions = Vec::with_capacity(self.interventions.len());
        for &(asked, placeholder) in &self.interventions {
            let value = aig.leaf();
            import.set(placeholder.var(), value ^ placeholder.is_negated());
            interventions.push((asked, value));
        }
        let all = all(self.witness, &mut aig, |aig, lit| !import.lit(source, aig, lit));
        transitive::holds(&aig, &interventions, all)
    }

    /// Any state of the witness, and one after it.
    fn steps(&self, checker: &mut Checker<'_>) -> [Frame<'w>; 2] {
        let mut s = self.any(checker);
        let t = s.after(&mut checker.aig, |_| true);
        [s, t]
    }
    fn any(&self, checker: &mut Checker<'_>) -> Frame<'w> {
        let mut frame = Frame::new(self.witness);
        for leaf in leaves(self.witness) {
            frame.set(leaf, checker.aig.leaf());
        }
        frame
    }
}

/// The signals of a witness in one pair of states.
struct Seen<'w> {
    witness: &'w BitSystem,
    import: Import,
}

impl Seen<'_> {
    /// `q'`: the signal is gone.
    fn gone(&mut self, checker: &mut Checker<'_>, signal: Lit) -> Lit {
        !self.import.lit(self.witness.aig(), &mut checker.aig, signal)
    }
    /// `Q'`: something is gone of each property.
    fn all(&mut self, checker: &mut Checker<'_>) -> Lit {
        all(self.witness, &mut checker.aig, |aig, lit| !self.import.lit(self.witness.aig(), aig, lit))
    }
}

/// `Q'`: something is gone of each property.
fn all(witness: &BitSystem, aig: &mut Aig, mut gone: impl FnMut(&mut Aig, Lit) -> Lit) -> Lit {
    let mut properties = Vec::new();
    for justice in &witness.justice {
        let signals = witness.fairness.iter().map(|f| f.lit).chain(justice.lits.iter().copied());
        let gone: Vec<Lit> = signals.map(|lit| gone(aig, lit)).collect();
        properties.push(any(aig, &gone));
    }
    aig.and_all(properties)
}

/// A disjunction. What all have in common, such as the relation in our own certificates, is said once.
fn any(aig: &mut Aig, lits: &[Lit]) -> Lit {
    let conjuncts = |aig: &Aig, lit: Lit| aig.fanins(lit.var()).filter(|_| !lit.is_negated());
    let first = lits.first().and_then(|&lit| conjuncts(aig, lit)).unwrap_or_default();
    for common in first {
        let others: Option<Vec<Lit>> = lits
            .iter()
            .map(|&lit| match conjuncts(aig, lit)? {
                [a, b] if a == common => Some(b),
                [a, b] if b == common => Some(a),
                _ => None,
            })
            .collect();
        if let Some(others) = others {
            let others = aig.or_all(others);
            return aig.and(common, others);
        }
    }
    aig.or_all(lits.iter().copied())
}

/// `C'` and `P'`.
fn kept(checker: &mut Checker<'_>, frame: &mut Frame<'_>) -> Vec<Lit> {
    let mut kept = frame.constraints(&mut checker.aig);
    kept.extend(frame.property(&mut checker.aig));
    kept
}

/// The moment after `s`: a step of the witness, and the model as far as it is an image of that.
fn step<'c>(checker: &mut Checker<'c>, s: &mut Pair<'c>) -> Pair<'c> {
    let aig = &mut checker.aig;
    let mut t = Pair { model: Frame::new(checker.model), witness: s.witness.after(aig, |_| true) };
    for (p, leaf) in leaves(checker.model).enumerate() {
        let value = match checker.mapping.image(p) {
            Some(image) => t.witness.lit(aig, image),
            None => aig.leaf(),
        };
        t.model.set(leaf, value);
    }
    t
}

#[cfg(test)]
#[path = "ranks_random_tests.rs"]
mod random_tests;
#[cfg(test)]
#[path = "ranks_tests.rs"]
mod tests;
