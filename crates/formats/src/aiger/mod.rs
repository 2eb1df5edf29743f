//! AIGER.
