//! What engines count shows what they do: each idea is at work when it is switched on.

#[path = "../common/mod.rs"]
mod common;
mod interpolants;
mod quip;
mod strengthening;
mod tally;
