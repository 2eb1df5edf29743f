//! Check every property of a model of bits, within a time limit, and print verdicts with their evidence.
//!
//! `cargo run -p indubit --example bits -- examples/fifo_bug.aag`

use indubit::formats::{aiger, invariant_text, trace_table};
use indubit::run::{Cancel, Run};
use indubit::{Bits, Evidence, Plan, check};
use std::path::PathBuf;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fifo_bug.aag");
    let path = std::env::args().nth(1).map_or_else(|| PathBuf::from(default), PathBuf::from);
    let model = aiger::read(&path)?;
    for (index, property) in model.properties().iter().enumerate() {
        // If the time is up, the verdict is "unknown", with the bound that was reached.
        let mut run = Run::new(Cancel::after(Duration::from_secs(10)));
        let verdict = check::<Bits>(&model, index, Plan::default(), &mut run)?;
        println!("{}: {verdict}", property.title());
        match verdict.evidence() {
            Some(Evidence::Trace(trace)) => {
                println!("{}", trace_table::write(&model, property, trace, trace_table::Options::default()));
            }
            Some(Evidence::Proof(proof)) => {
                println!("{}", invariant_text::write(&model, proof.invariant(), Some(10)));
            }
            // There is no formula of computation tree logic in these models.
            Some(Evidence::Ctl(_)) | None => (),
        }
    }
    Ok(())
}
