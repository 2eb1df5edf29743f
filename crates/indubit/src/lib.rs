//! indubit
