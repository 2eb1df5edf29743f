//! A delta debugger: makes a failing model small while it keeps failing.
//!
//! After Zeller and Hildebrandt (TSE 2002), with edits in place of lines: drop a property, a constraint, or one of the
//! signals of a justice property, fix
//! or free or freeze a latch, fix an input, replace a gate by a constant or by one of its fanins, simplify a
//! reset. A pass lists all edits of one kind and tries them in chunks, from half of them down to single ones.
//! An edit is kept if the model still fails *and* its `Size` went down, so the loop ends; it ends when no
//! single edit is possible any more.

mod edit;
mod rebuild;

use edit::{Edit, KINDS, candidates};
use indubit_logic::Lit;
use indubit_system::{BitSystem, ResetOrder};
use rebuild::{Style, rebuild};

/// The smallest model found that still fails, rebuilt with only the nodes it needs.
///
/// `fails` must be deterministic; it is also asked about models with fewer properties, inputs or latches, so it
/// must not take an index for granted. If `system` itself does not fail, it is returned as it is.
pub fn shrink(system: &BitSystem, mut fails: impl FnMut(&BitSystem) -> bool) -> BitSystem {
    // Edits may close a cycle of reset functions: then it is not a model any more, unless it was none before.
    let is_model = |s: &BitSystem| ResetOrder::new(s).is_ok();
    let was_model = is_model(system);
    let mut fails = |s: &BitSystem| (!was_model || is_model(s)) && fails(s);
    let mut best = system.clone();
    if !fails(&best) {
        return best;
    }
    loop {
        let before = Size::of(&best);
        for style in Style::STRICTEST_FIRST {
            let rebuilt = rebuild(&best, &[], style);
            if fails(&rebuilt) {
                best = KINDS.into_iter().fold(rebuilt, |base, kind| pass(base, kind, style, &mut fails));
            }
        }
        if Size::of(&best) >= before {
            return best;
        }
    }
}

/// A model with only those inputs, latches and gates that its properties, constraints and outputs depend on.
pub fn compact(system: &BitSystem) -> BitSystem {
    rebuild(system, &[], Style::Needed)
}

/// Try all edits of one kind on `base`, in chunks of decreasing size.
fn pass(
    base: BitSystem,
    kind: edit::Kind,
    style: Style,
    fails: &mut impl FnMut(&BitSystem) -> bool,
) -> BitSystem {
    let mut open = candidates(&base, kind);
    let mut accepted: Vec<Edit> = Vec::new();
    let mut best = base.clone();
    let mut size = open.len().div_ceil(2);
    while size > 0 && !open.is_empty() {
        let mut rest = Vec::new();
        for chunk in open.chunks(size) {
            // Later edits win where two concern the same thing, so that `accepted` stays as it was.
            let edits = [chunk, &accepted[..]].concat();
            let candidate = rebuild(&base, &edits, style);
            if Size::of(&candidate) < Size::of(&best) && fails(&candidate) {
                (best, accepted) = (candidate, edits);
            } else {
                rest.extend_from_slice(chunk);
            }
        }
        open = rest;
        size /= 2;
    }
    best
}

/// How large a model is; compared lexicographically, latches first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    latches: usize,
    gates: usize,
    inputs: usize,
    /// Properties, constraints, outputs, fairness.
    signals: usize,
    /// How involved next states, resets and signals are: a constant is simpler than a leaf, than a gate.
    edges: usize,
    /// Bytes of symbols and of the comment.
    text: usize,
}

impl Size {
    fn of(system: &BitSystem) -> Size {
        let edge = |lit: Lit| match system.aig().fanins(lit.var()) {
            Some(_) => 4,
            None if lit.is_const() => lit.code() as usize,
            None => 2 + lit.is_negated() as usize,
        };
        // An uninitialised latch is simpler than one with a reset function, a frozen one than one that moves.
        let latch = |l: &indubit_system::Latch| {
            let reset = if l.is_uninitialised() { 2 } else { 2 * edge(l.reset) };
            let next = if l.next == Lit::positive(l.var) { 1 } else { 2 * edge(l.next) };
            reset + next
        };
        let mut signals: Vec<Lit> = Vec::new();
        let sections = [&system.outputs, &system.bads, &system.constraints, &system.fairness];
        signals.extend(sections.into_iter().flatten().map(|s| s.lit));
        signals.extend(system.justice.iter().flat_map(|j| &j.lits));
        let symbols = system.inputs().iter().chain(sections.into_iter().flatten()).map(|s| &s.name);
        let symbols = symbols.chain(system.latches().iter().map(|l| &l.name));
        let symbols = symbols.chain(system.justice.iter().map(|j| &j.name));
        Size {
            latches: system.latches().len(),
            gates: system.aig().n_ands(),
            inputs: system.inputs().len(),
            signals: signals.len() + system.justice.len(),
            edges: system.latches().iter().map(latch).sum::<usize>()
                + signals.iter().map(|&s| edge(s)).sum::<usize>(),
            text: symbols.flatten().map(|n| 1 + n.bytes().len()).sum::<usize>() + system.comment.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{explicit, live, random};

    fn depths(system: &BitSystem) -> Vec<Option<u32>> {
        explicit::check(system).unwrap().iter().map(|a| a.depth()).collect()
    }

    #[test]
    fn what_does_not_fail_is_left_alone() {
        let system = random::system(3, &random::Config::default());
        let same = shrink(&system, |_| false);
        assert_eq!(format!("{same:?}"), format!("{system:?}"));
    }

    /// "Some bad signal is true at once" needs no more than a constant.
    #[test]
    fn a_failure_of_properties_alone_shrinks_to_nothing_else() {
        let config = random::Config { decorations: true, ..random::Config::default() };
        for seed in 0..40 {
            let system = random::system(seed, &config);
            let fails = |s: &BitSystem| depths(s).contains(&Some(0));
            if !fails(&system) {
                continue;
            }
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert_eq!((small.latches().len(), small.inputs().len(), small.aig().n_vars()), (0, 0, 1));
            assert_eq!(small.bads.len() + small.outputs.len(), 1);
            assert!(small.constraints.is_empty() && small.justice.is_empty() && small.comment.is_empty());
        }
    }

    /// A counterexample of exactly three steps needs a few latches, and hardly any gates, whatever it came from.
    #[test]
    fn deep_counterexamples_shrink_to_their_core() {
        let mut n = 0;
        for seed in 0..400 {
            let system = random::system(seed, &random::Config::default());
            let fails = |s: &BitSystem| depths(s).contains(&Some(3));
            if !fails(&system) {
                continue;
            }
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert!(small.latches().len() <= 3, "seed {seed}: {small:?}");
            assert!(small.aig().n_ands() <= 8, "seed {seed}: {small:?}");
            assert!(small.constraints.len() <= 1);
            n += 1;
        }
        assert!(n >= 5);
    }

    /// A planted failure: a (wrong) engine that ignores constraints shows in a model with little more than one.
    #[test]
    fn an_engine_that_ignores_constraints_is_pinned_down() {
        let wrong = |s: &BitSystem| {
            let mut unconstrained = s.clone();
            unconstrained.constraints.clear();
            depths(&unconstrained)
        };
        let fails = |s: &BitSystem| wrong(s) != depths(s);
        let systems = (0..).map(|seed| random::system(seed, &random::Config::default()));
        for system in systems.filter(fails).take(20) {
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert_eq!((small.constraints.len(), small.bad_signals().len()), (1, 1));
            assert_eq!((small.latches().len(), small.inputs().len(), small.aig().n_vars()), (0, 0, 1));
        }
    }

    /// A planted failure in a reset function that reads an input.
    #[test]
    fn an_engine_that_misreads_resets_is_pinned_down() {
        let wrong = |s: &BitSystem| {
            let mut simplified = s.clone();
            for l in s.latches().iter().filter(|l| l.has_reset_function()) {
                simplified.set_reset(Lit::positive(l.var), Lit::positive(l.var));
            }
            depths(&simplified)
        };
        let fails = |s: &BitSystem| wrong(s) != depths(s);
        let systems = (0..).map(|seed| random::system(seed, &random::Config::default()));
        for system in systems.filter(fails).take(20) {
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert!(small.latches().len() <= 2 && small.aig().n_ands() <= 2, "{small:?}");
        }
    }

    /// What fails because of its shape (a gate with equal fanins) is not simplified away.
    #[test]
    fn failures_of_the_shape_survive() {
        let shape = |s: &BitSystem| s.aig().ands().any(|(_, [a, b])| a == b);
        let systems = (0..).map(|seed| random::system(seed, &random::Config::default()));
        for system in systems.filter(shape).take(20) {
            let small = shrink(&system, shape);
            assert!(shape(&small));
            assert_eq!(
                (small.latches().len(), small.inputs().len(), small.aig().n_ands()),
                (0, 0, 1),
                "{small:?}"
            );
        }
    }

    fn holds(system: &BitSystem) -> Vec<bool> {
        live::check(system).unwrap()
    }

    /// A justice property that fails needs no signal, and no fairness.
    #[test]
    fn failing_justice_shrinks_to_the_empty_set() {
        let fails = |s: &BitSystem| holds(s).contains(&false);
        let systems = (0..).map(|seed| random::live_system(seed, &random::LiveConfig::default()));
        for system in systems.filter(fails).take(20) {
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert_eq!((small.justice.len(), small.fairness.len()), (1, 0));
            assert!(
                small.justice[0].lits.is_empty() && small.bads.is_empty() && small.constraints.is_empty()
            );
            assert_eq!((small.latches().len(), small.inputs().len(), small.aig().n_vars()), (0, 0, 1));
        }
    }

    /// One that holds though each signal alone can be seen infinitely often is left with two, and with little to keep them apart.
    #[test]
    fn signals_that_are_never_seen_together_stay_together() {
        let fails = |s: &BitSystem| {
            let runs = live::Runs::new(s).unwrap();
            (0..s.justice.len()).any(|i| runs.reason(i) == live::Reason::NeverTogether)
        };
        let systems = (0..).map(|seed| random::live_system(seed, &random::LiveConfig::default()));
        for system in systems.filter(fails).take(20) {
            let small = shrink(&system, fails);
            assert!(fails(&small));
            assert_eq!((small.justice.len(), small.bads.len()), (1, 0));
            assert_eq!(small.justice[0].lits.len() + small.fairness.len(), 2, "{small:?}");
            assert!(small.latches().len() <= 2 && small.aig().n_ands() <= 3, "{small:?}");
        }
    }

    /// Planted failures: engines that forget fairness, or all signals but the last.
    #[test]
    fn an_engine_that_forgets_signals_is_pinned_down() {
        let without_fairness = |s: &BitSystem| {
            let mut wrong = s.clone();
            wrong.fairness.clear();
            holds(&wrong)
        };
        let with_last_signal = |s: &BitSystem| {
            let mut wrong = s.clone();
            wrong.justice.iter_mut().for_each(|j| j.lits = j.lits.last().copied().into_iter().collect());
            holds(&wrong)
        };
        type Engine = fn(&BitSystem) -> Vec<bool>;
        let engines: [(Engine, [usize; 2]); 2] = [(without_fairness, [0, 1]), (with_last_signal, [2, 0])];
        for (wrong, [n_signals, n_fairness]) in engines {
            let fails = |s: &BitSystem| wrong(s) != holds(s);
            let systems = (0..).map(|seed| random::live_system(seed, &random::LiveConfig::default()));
            for system in systems.filter(fails).take(10) {
                let small = shrink(&system, fails);
                assert!(fails(&small));
                assert_eq!((small.justice.len(), small.fairness.len()), (1, n_fairness), "{small:?}");
                assert_eq!(small.justice[0].lits.len(), n_signals, "{small:?}");
                assert_eq!((small.latches().len(), small.inputs().len(), small.aig().n_vars()), (0, 0, 1));
            }
        }
    }
}
