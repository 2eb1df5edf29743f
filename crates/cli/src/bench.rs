//! `indubit bench`: what it asks of us about our own arguments and formats.

use crate::args::{Check, Cli, Command, Effort};
use crate::convert::{Kept, converted};
use crate::exit::Failure;
use clap::Parser;
use indubit::{ENGINES, Options, SWITCHES, Switch, is_in_portfolio};
use indubit_bench::Host;
use std::path::Path;

pub struct Program;

impl Host for Program {
    fn validate(&self, name: &str, arguments: &[String]) -> Result<(), Failure> {
        parsed(name, arguments)?.effort.validate()
    }
    fn other_settings(&self, name: &str, arguments: &[String]) -> Result<Vec<String>, Failure> {
        Ok(other_values(&parsed(name, arguments)?.effort))
    }
    fn convert(&self, input: &Path, property: Option<&str>, output: &Path) -> Result<Vec<u8>, Failure> {
        converted(
            crate::kinds::read(input)?,
            Kept { property, ..Kept::default() },
            indubit::system::ARRAY_BITS,
            output,
        )
    }
}

/// The call that a configuration stands for.
fn parsed(name: &str, arguments: &[String]) -> Result<Box<Check>, Failure> {
    let fixed = ["indubit", "check", "model.aig", "--format", "json", "--timeout", "1", "--memory", "1"];
    let words = fixed.into_iter().chain(arguments.iter().map(String::as_str));
    match Cli::try_parse_from(words) {
        Ok(Cli { command: Some(Command::Check(check)), .. }) => Ok(check),
        Ok(_) => Err(Failure::bad_input(format!("configuration `{name}`: it is no call of `check`"))),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Err(Failure::bad_input(format!("configuration `{name}`: {first}")).with_hint(
                "the arguments are those of `indubit check`; the format and the limits are set by bench",
            ))
        }
    }
}

/// For each option of the engine every value that it could have instead, numbers aside.
fn other_values(effort: &Effort) -> Vec<String> {
    let mut options = Options::default();
    for setting in &effort.option {
        options.set(setting).expect("it has been set before, when it was parsed");
    }
    let of_switch = |switch: &'static Switch| {
        let present = switch.get(&options);
        let values = switch.choices.split(", ").filter(|choice| !choice.contains(' '));
        values.filter(move |&value| value != present).map(|value| format!("{}={value}", switch.name))
    };
    let is_heeded = |switch: &&Switch| match effort.engine.0 {
        Some(engine) => switch.is_for(engine.id),
        None => ENGINES.iter().any(|engine| is_in_portfolio(engine.id) && switch.is_for(engine.id)),
    };
    SWITCHES.iter().filter(is_heeded).flat_map(of_switch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(Into::into).collect()
    }

    #[test]
    fn every_other_value_of_every_option() {
        let of_any = Program.other_settings("x", &words("--option joins=on")).unwrap();
        let has = |setting: &str| of_any.iter().any(|s| s == setting);
        assert!(has("joins=off") && has("activity=off") && has("generalize=mic"));
        assert!(!has("joins=on") && !has("activity=on"));
        assert!(of_any.len() > SWITCHES.len() / 2);
        for setting in &of_any {
            assert!(Program.validate("x", &words(&format!("--option {setting}"))).is_ok(), "{setting}");
        }
        let of_quip = Program.other_settings("quip", &words("--engine quip")).unwrap();
        let has = |setting: &str| of_quip.iter().any(|s| s == setting);
        assert!(has("reset-free=on") && !has("drop-recurring=off") && !has("unroll-facts=off"));
    }

    #[test]
    fn arguments_that_check_does_not_take() {
        assert!(Program.validate("x", &words("--engine ic3 --seed 1 --paranoid")).is_ok());
        for (arguments, expected) in [
            ("--engine magic", "configuration `x`: invalid value 'magic'"),
            ("--timeout 7", "cannot be used multiple times"),
            ("--no-such-switch", "unexpected argument"),
            ("--engine bmc --option joins=on", "it does nothing for the engine bmc"),
        ] {
            let error = format!("{:?}", Program.validate("x", &words(arguments)).unwrap_err());
            assert!(error.contains(expected), "{arguments}: {error}");
        }
    }
}
