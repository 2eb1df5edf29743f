//! The command line of Indubit.
fn main() {}
