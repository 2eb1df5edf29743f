//! What engines count shows what they do: each idea is at work when it is switched on.

mod interpolants;
mod quip;
mod strengthening;
mod tally;
