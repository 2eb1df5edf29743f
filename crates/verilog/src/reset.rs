//! A reset that is held in the first step, and released after it; of a design with several clocks, until each of them has ticked.

use crate::{Error, Reset};
use indubit_formats::btor2::Btor2;
use indubit_system::WordVar;
use indubit_term::{Sort, Term};

/// The state variable that is true once the design has been reset, if it is to be.
pub(crate) fn hold(model: &mut Btor2, resets: &[Reset], clocks: &[String]) -> Result<Option<Term>, Error> {
    if resets.is_empty() {
        return Ok(None);
    }
    let ticked: Vec<Term> = clocks.iter().filter_map(|clock| ticked(model, clock)).collect();
    let system = &mut model.system;
    let inputs: Vec<String> = (0..system.inputs.len()).map(|i| system.input_name(i).to_owned()).collect();
    let mut held = Vec::new();
    for reset in resets {
        let Some(i) = inputs.iter().position(|name| *name == reset.input) else {
            let message = format!("there is no input `{}` that could be the reset", reset.input);
            let mut names = inputs.clone();
            names.sort();
            return Err(Error::new(message).with_hint(format!("the inputs are {}", names.join(", "))));
        };
        let input = system.inputs[i];
        let is_high = match system.terms.sort(input) {
            Sort::BitVec(1) => {
                let one = system.terms.bits(1, 1u32);
                system.terms.eq(input, one)
            }
            sort => {
                return Err(Error::new(format!(
                    "the reset `{}` is of sort {sort}, and not a single bit",
                    reset.input
                )));
            }
        };
        held.push(if reset.active { is_high } else { system.terms.not(is_high) });
    }
    let WordVar { current, next } = system.add_state(".reset_done", Sort::Bool);
    let not_yet = system.terms.not(current);
    system.init = system.terms.and(&[system.init, not_yet]);
    let is_over = system.terms.and(&ticked);
    let stays = system.terms.or(&[current, is_over]);
    let step = system.terms.eq(next, stays);
    system.trans = system.terms.and(&[system.trans, step]);
    for is_active in held {
        let differs = system.terms.xor(is_active, current);
        system.add_constraint(Some("reset".into()), differs);
    }
    Ok(Some(current))
}

/// Has a clock had both of its edges, this step included? Registers that are sampled by either have seen the reset then.
fn ticked(model: &mut Btor2, clock: &str) -> Option<Term> {
    let system = &mut model.system;
    let named = |(name, term): &(String, Term)| (name == clock).then_some(*term);
    let input = system.inputs.iter().copied().find(|&input| system.terms.name(input) == Some(clock));
    let level = input.or_else(|| model.signals.iter().find_map(named))?;
    let one = system.terms.bits(1, 1u32);
    let high = system.terms.eq(level, one);
    let low = system.terms.not(high);
    let [was_high, was_low, rose, fell] = ["was_high", "was_low", "rose", "fell"]
        .map(|what| system.add_state(&format!(".{clock}.{what}"), Sort::Bool));
    let terms = &mut system.terms;
    let edges = [terms.and(&[was_low.current, high]), terms.and(&[was_high.current, low])];
    let seen = [terms.or(&[rose.current, edges[0]]), terms.or(&[fell.current, edges[1]])];
    for (variable, value) in [(was_high, high), (was_low, low), (rose, seen[0]), (fell, seen[1])] {
        let (initial, step) = (terms.not(variable.current), terms.eq(variable.next, value));
        system.init = terms.and(&[system.init, initial]);
        system.trans = terms.and(&[system.trans, step]);
    }
    Some(terms.and(&seen))
}
