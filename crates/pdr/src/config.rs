//! Switches of the loop, so that the worth of each idea can be measured again (docs/IC3.md).

/// How a blocked cube becomes a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generalize {
    /// The core of the query that blocked it, and no more.
    Core,
    /// Clauses of an interpolant between what the frame before reaches and what leads to the same successor (docs/IC3.md): by
    /// [`Pdr::with_interpolants`](crate::Pdr::with_interpolants), for oracles that have any.
    Interpolant,
    /// Drop literals one by one (Bradley, VMCAI 2011).
    Mic,
    /// And block the states that stand in the way of dropping one: counterexamples to generalization (Hassan, Bradley,
    /// Somenzi, FMCAD 2013).
    Ctg,
    /// And the predecessors of those (Su, Yang, Ci, Huang, "Extended CTG Generalization and Dynamic Adjustment of Generalization
    /// Strategies in IC3", 2025).
    ExtendedCtg,
    /// More of it the more often an obligation comes back (the same paper).
    Dynamic,
}

/// When a lemma is tried for `F∞`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promote {
    /// [`Promote::Single`] for IC3, [`Promote::MaxIndSubset`] for Quip.
    Usual,
    /// Never.
    Off,
    /// When it arrives at the highest frame, on its own together with what is in `F∞` already.
    Single,
    /// All lemmas are pushed beyond the frontier until a frame repeats: the largest set that is inductive (Ivrii, Gurfinkel,
    /// FMCAD 2015, rules Push and MaxIndSubset).
    MaxIndSubset,
}

/// Which obligation of the lowest level comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The deepest for IC3, the shortest for Quip.
    Usual,
    /// The one with most steps to bad, and then the shortest.
    Deepest,
    /// The one with fewest literals (Ivrii, Gurfinkel, §IV.B): lemmas are pushed before obligations are met that they might meet.
    Shortest,
}

/// What the loop does beside what makes it right.
#[derive(Clone, Debug)]
pub struct Config {
    /// Orders literals that nothing else distinguishes.
    pub seed: u64,
    /// Which obligation comes first.
    pub order: Order,
    /// Generalization of blocked cubes.
    pub generalize: Generalize,
    /// States that may be blocked for one dropped literal.
    pub max_ctgs: u32,
    /// How deep generalizations for the sake of generalizations go.
    pub max_depth: u32,
    /// Intersect the cube with the state in the way, if that cannot be blocked.
    pub joins: bool,
    /// Literals that are rare in recent lemmas are dropped first.
    pub by_activity: bool,
    /// Literals of a lemma of the frame before that excludes the cube as well are dropped last (Xia et al., CAV 2023).
    pub parents: bool,
    /// Before literals are dropped, such a lemma is tried with one more literal (Su, Yang, Ci, DAC 2024).
    pub predict: bool,
    /// Remember steps that refuted a candidate: they may refute the next one.
    pub failed_drops: bool,
    /// A lemma that moves up leaves the literals behind that the query did not need.
    pub shrink: bool,
    /// Do not try to push a lemma again if its frame is the same as at the last time.
    pub skip_unchanged: bool,
    /// Lemmas for good.
    pub promote: Promote,
    /// Look for equal frames after each lemma, and not only after pushing.
    pub early: bool,
    /// Put an obligation off that has come back so often: it is found again if it still matters.
    pub drop_recurring: bool,
    /// Empty the queue and choose other literals after so many obligations at a level, and then after twice as many.
    pub restart: Option<u64>,
    /// Keep the frames when another bad signal is aimed at.
    pub share_frames: bool,
}

impl Config {
    pub(crate) fn is_deepest_first(&self, is_quip: bool) -> bool {
        match self.order {
            Order::Usual => !is_quip,
            Order::Deepest => true,
            Order::Shortest => false,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 0,
            order: Order::Usual,
            generalize: Generalize::Dynamic,
            max_ctgs: 3,
            max_depth: 1,
            joins: false,
            by_activity: true,
            parents: true,
            predict: false,
            failed_drops: true,
            shrink: true,
            skip_unchanged: true,
            promote: Promote::Usual,
            early: true,
            drop_recurring: true,
            restart: None,
            share_frames: false,
        }
    }
}
