//! Build a system over integers, ask what it can and what it cannot do, and print verdicts as they come.
//!
//! `cargo run -p indubit --example words`

use indubit::run::{Cancel, Run};
use indubit::term::Sort;
use indubit::{Next, Plan, WordSystem, Words, check_all};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A tank: each step adds the inflow, which is 0 to 2, and takes away 1 if there is more than 5.
    let mut model = WordSystem::new();
    let level = model.add_state("level", Sort::Int);
    let inflow = model.add_input("inflow", Sort::Int);
    let [zero, one, two, five, seven] = [0, 1, 2, 5, 7].map(|n| model.terms.int(n));
    let terms = &mut model.terms;
    let (is_high, more) = (terms.gt(level.current, five), terms.add(&[level.current, inflow]));
    let less = terms.sub(level.current, one);
    let next = terms.ite(is_high, less, more);
    let step = [terms.eq(level.next, next), terms.ge(inflow, zero), terms.le(inflow, two)];
    (model.init, model.trans) = (terms.eq(level.current, zero), terms.and(&step));
    let (fits, is_full) = (terms.le(level.current, seven), terms.eq(level.current, seven));
    model.add_invar("fits", fits);
    model.add_cover("can be full", is_full);

    let mut run = Run::new(Cancel::after(Duration::from_secs(10)));
    let properties: Vec<usize> = (0..model.properties.len()).collect();
    check_all::<Words>(&model, &properties, Plan::default(), &mut run, &mut |answer| {
        let name = model.properties[answer.property].label();
        match answer.result {
            Ok(verdict) => println!("{name}: {verdict}"),
            Err(error) => println!("{name}: {error}"),
        }
        Next::GoOn
    })?;
    Ok(())
}
