//! Switches of the oracle, so that the worth of each idea can be measured again (docs/SOLVER.md).

use super::lift::Lifting;
use indubit_sat::RelConfig;

/// How the oracle goes about its queries.
#[derive(Clone, Copy, Debug)]
pub struct OracleConfig {
    /// The solvers.
    pub solver: RelConfig,
    /// A new frame's solver is a clone of the one for the infinite level, instead of being built from nothing.
    pub clones: bool,
    /// One solver answers for all frames if the problem has at least so many gates.
    pub one_solver: Option<u64>,
    /// Solvers learn a constraint when a counterexample breaks it, and not at once. Then lifting does, too.
    pub lazy_constraints: bool,
    /// Gates that depend on latches only can be in cubes, too.
    pub internal_signals: bool,
    /// Steps from bad states do not count in queries about `F∞`: its lemmas are claimed only if no bad state is left there.
    pub good_steps: bool,
    /// How predecessors are lifted.
    pub lifting: Lifting,
    /// Literals that occurred in many recent lemmas are assumed first, so that cores keep them; otherwise literals come
    /// in their natural order.
    pub cores_by_activity: bool,
    /// Lifting drops such literals last.
    pub lifts_by_activity: bool,
}

impl Default for OracleConfig {
    fn default() -> OracleConfig {
        OracleConfig {
            solver: RelConfig::default(),
            clones: true,
            one_solver: Some(30_000),
            lazy_constraints: true,
            internal_signals: false,
            good_steps: false,
            lifting: Lifting::default(),
            cores_by_activity: false,
            lifts_by_activity: false,
        }
    }
}
