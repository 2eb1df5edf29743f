//! A reset that is held in the first step, and released after it.

use crate::{Error, Reset};
use indubit_formats::btor2::Btor2;
use indubit_system::WordVar;
use indubit_term::{Sort, Term};

/// The state variable that is true once the design has been reset, if it is to be.
pub(crate) fn hold(model: &mut Btor2, resets: &[Reset]) -> Result<Option<Term>, Error> {
    if resets.is_empty() {
        return Ok(None);
    }
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
    system.trans = system.terms.and(&[system.trans, next]);
    for is_active in held {
        let differs = system.terms.xor(is_active, current);
        system.add_constraint(Some("reset".into()), differs);
    }
    Ok(Some(current))
}
