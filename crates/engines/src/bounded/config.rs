//! Switches of the time frames, so that the worth of each idea can be measured again (docs/BMC.md).

/// How time frames are built and asked about.
#[derive(Clone, Copy, Debug)]
pub struct BoundedConfig {
    /// The solver.
    pub backend: Backend,
    /// Gates are simplified by their operands' fanins when frames are built.
    pub two_level: bool,
    /// The solver gets wide conjunctions, multiplexers and exclusive ors instead of binary gates.
    pub gates: bool,
    /// What the solver knows for certain becomes a constant in the frames to come.
    pub facts: bool,
}

impl Default for BoundedConfig {
    fn default() -> BoundedConfig {
        BoundedConfig { backend: Backend::Cadical, two_level: true, gates: true, facts: true }
    }
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// CaDiCaL with options for growing formulas.
    Cadical,
    /// CaDiCaL as it comes.
    CadicalDefault,
    /// Our own solver.
    Cdcl,
}
