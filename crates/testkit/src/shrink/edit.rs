//! The single edits, and which ones a model admits.

use indubit_logic::{Lit, Var};
use indubit_system::BitSystem;

/// One change to a model. Indices are those of the model that the edit was listed for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edit {
    /// Put this edge in place of a node: a constant, a fanin of the gate, an earlier latch.
    Replace(Var, Lit),
    /// Make a latch an input.
    Free(Var),
    /// Another next state for the latch with this index.
    Next(usize, Lit),
    /// Another initial value for the latch with this index.
    Reset(usize, Lit),
    /// Remove a signal.
    Drop(Section, usize),
    /// Put another edge in place of a signal.
    Signal(Section, usize, Lit),
    /// Forget all symbols.
    Anonymous,
    /// Forget the comment.
    NoComment,
}

/// Where a signal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Output,
    Bad,
    Constraint,
    Fairness,
    /// Justice properties as a whole.
    Justice,
    /// The signals of the justice property with this index.
    Within(usize),
}

/// A kind of edits that are tried together, the most promising first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    DropSignals,
    FixLatches(bool),
    FreeLatches,
    FreezeLatches,
    FixInputs(bool),
    FixGates(bool),
    SkipGates(usize),
    ConstantNext(bool),
    SkipNext(usize),
    Resets(Reset),
    ConstantSignals(bool),
    SkipSignals(usize),
    MergeLatches(bool),
    Text,
}

/// What to try for the resets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reset {
    Constant(bool),
    Uninitialised,
    /// A fanin of its gate, the reset of its latch.
    Behind(usize),
}

/// All kinds, in the order of a round.
pub(super) const KINDS: [Kind; 27] = [
    Kind::DropSignals,
    Kind::FixLatches(false),
    Kind::FixLatches(true),
    Kind::FreeLatches,
    Kind::FreezeLatches,
    Kind::ConstantNext(false),
    Kind::ConstantNext(true),
    Kind::SkipNext(0),
    Kind::SkipNext(1),
    Kind::FixInputs(false),
    Kind::FixInputs(true),
    Kind::FixGates(false),
    Kind::FixGates(true),
    Kind::SkipGates(0),
    Kind::SkipGates(1),
    Kind::Resets(Reset::Constant(false)),
    Kind::Resets(Reset::Constant(true)),
    Kind::Resets(Reset::Uninitialised),
    Kind::Resets(Reset::Behind(0)),
    Kind::Resets(Reset::Behind(1)),
    Kind::ConstantSignals(false),
    Kind::ConstantSignals(true),
    Kind::SkipSignals(0),
    Kind::SkipSignals(1),
    Kind::MergeLatches(false),
    Kind::MergeLatches(true),
    Kind::Text,
];

/// How many latches are compared pairwise.
const MERGE_LIMIT: usize = 20;

/// All edits of one kind that the model admits.
pub(super) fn candidates(system: &BitSystem, kind: Kind) -> Vec<Edit> {
    let latches = || system.latches().iter().enumerate();
    let gates = || system.aig().ands();
    // What is behind an edge, with its sign: a fanin of its gate, the next state or the reset of its latch.
    let skip = |lit: Lit, side: usize| {
        let latch = || latches().find(|(_, l)| l.var == lit.var()).map(|(_, l)| [l.next, l.reset]);
        Some(system.aig().fanins(lit.var()).or_else(latch)?[side] ^ lit.is_negated())
    };
    // A reset may skip only to what it depends on already, or there might be a cycle.
    let skip_reset = |lit: Lit, side: usize| match system.aig().fanins(lit.var()) {
        Some(fanins) => Some(fanins[side] ^ lit.is_negated()),
        None => skip(lit, 1),
    };
    match kind {
        Kind::DropSignals => {
            let justice = (0..system.justice.len()).map(|i| Edit::Drop(Section::Justice, i));
            justice.chain(signals(system).map(|(section, i, _)| Edit::Drop(section, i))).collect()
        }
        Kind::FixLatches(value) => {
            latches().map(|(_, l)| Edit::Replace(l.var, Lit::constant(value))).collect()
        }
        Kind::FreeLatches => latches().map(|(_, l)| Edit::Free(l.var)).collect(),
        Kind::FreezeLatches => latches().map(|(i, l)| Edit::Next(i, Lit::positive(l.var))).collect(),
        Kind::ConstantNext(value) => latches().map(|(i, _)| Edit::Next(i, Lit::constant(value))).collect(),
        Kind::SkipNext(side) => {
            latches().filter_map(|(i, l)| Some(Edit::Next(i, skip(l.next, side)?))).collect()
        }
        Kind::FixInputs(value) => {
            let inputs = system.inputs().iter();
            inputs.map(|s| Edit::Replace(s.lit.var(), Lit::constant(value))).collect()
        }
        Kind::FixGates(value) => gates().map(|(g, _)| Edit::Replace(g, Lit::constant(value))).collect(),
        Kind::SkipGates(side) => gates().map(|(g, fanins)| Edit::Replace(g, fanins[side])).collect(),
        Kind::Resets(Reset::Constant(value)) => {
            latches().map(|(i, _)| Edit::Reset(i, Lit::constant(value))).collect()
        }
        Kind::Resets(Reset::Uninitialised) => {
            latches().map(|(i, l)| Edit::Reset(i, Lit::positive(l.var))).collect()
        }
        Kind::Resets(Reset::Behind(side)) => {
            latches().filter_map(|(i, l)| Some(Edit::Reset(i, skip_reset(l.reset, side)?))).collect()
        }
        Kind::ConstantSignals(value) => {
            signals(system).map(|(section, i, _)| Edit::Signal(section, i, Lit::constant(value))).collect()
        }
        Kind::SkipSignals(side) => {
            let skipped = |(section, i, lit)| Some(Edit::Signal(section, i, skip(lit, side)?));
            signals(system).filter_map(skipped).collect()
        }
        Kind::MergeLatches(complement) => {
            // Quadratic: only once the model is small. Towards smaller nodes, so that chains end.
            let latches = &system.latches()[..system.latches().len().min(MERGE_LIMIT)];
            let pairs =
                latches.iter().enumerate().flat_map(|(i, l)| latches[..i].iter().map(move |k| (l, k)));
            pairs.map(|(l, k)| Edit::Replace(l.var, k.var.lit(complement))).collect()
        }
        Kind::Text => vec![Edit::Anonymous, Edit::NoComment],
    }
}

/// All signals with their place.
fn signals(system: &BitSystem) -> impl Iterator<Item = (Section, usize, Lit)> {
    let plain = [
        (Section::Output, &system.outputs),
        (Section::Bad, &system.bads),
        (Section::Constraint, &system.constraints),
        (Section::Fairness, &system.fairness),
    ];
    let plain = plain.into_iter().flat_map(|(section, signals)| {
        signals.iter().enumerate().map(move |(i, signal)| (section, i, signal.lit))
    });
    let justice = system.justice.iter().enumerate();
    let within = justice.flat_map(|(i, justice)| {
        justice.lits.iter().enumerate().map(move |(k, &lit)| (Section::Within(i), k, lit))
    });
    plain.chain(within)
}
