//! Sets of states as binary decision diagrams (J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang, *Symbolic Model Checking: 10^20 States and Beyond*, LICS
//! 1990): all that can be reached, and what of it lies on fair cycles.
//!
//! Where a few dozen latches are entangled, so that lemmas are long, this is often the shorter way.

mod census;
mod fair_cycles;
mod fixpoints;
mod paths;
mod reach;
mod space;

pub use census::{Census, DeadEnds};
pub(crate) use fair_cycles::FairCycles;
pub(crate) use fixpoints::Fixpoints;
pub(crate) use reach::Reachability;
