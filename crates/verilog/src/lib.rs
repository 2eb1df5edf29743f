//! Verilog and SystemVerilog: designs are elaborated by Yosys, and become word systems with the names and lines of their assertions.
//!
//! - [`Design`]: what is to be elaborated, and how it is reset.
//! - [`Yosys`]: the program, wherever one is found.
//! - [`elaborate`]: both together: the script that [`Design::shown`] shows is run, and what it writes is read.
//!
//! Assertions, assumptions, covers and liveness come as bad states of BTOR2 whose names say what they are; `properties` makes of them what they mean.

mod cells;
mod design;
mod elaborate;
mod enumerations;
mod error;
mod places;
mod properties;
mod reset;
mod yosys;

pub use design::{Design, Reader, Reset, is_verilog};
pub use elaborate::elaborate;
pub use error::Error;
pub use yosys::Yosys;
