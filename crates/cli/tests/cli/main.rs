//! The command line from outside.

#![allow(clippy::unwrap_used)] // a test may panic

#[macro_use]
mod common;

mod bad_input;
mod bench;
mod btor2;
mod check;
mod commands;
mod covers;
mod ctl;
mod formulas;
mod interpolate;
#[cfg(unix)]
mod limits;
mod nusmv;
mod nuxmv;
mod programs;
mod prove;
mod replay;
mod sat;
mod sby;
mod smv;
mod verilog;
mod verilog_clocks;
mod words;
