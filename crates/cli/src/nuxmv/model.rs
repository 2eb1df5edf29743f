//! What there is to say about a model as a whole: its variables, its states, and those without a successor.

use super::session::{Done, Session};
use super::show::{Shown, is_visible, section};
use super::words::Given;
use crate::exit::Failure;
use indubit::formats::model::WordModel;
use indubit::formats::smv::Section;
use indubit::run::Run;
use indubit::system::{ARRAY_BITS, blast};
use indubit::term::{BigUint, Term, Value};
use indubit::{dead_ends, reachable_states};
use std::collections::BTreeMap;
use std::fmt::Write;

/// More states are not listed.
const MOST_LISTED: usize = 10_000;

const RULE: &str = "##########################################################\n";
const LONG_RULE: &str = "######################################################################\n";

impl Session {
    /// `show_vars`.
    pub fn show_vars(&mut self, given: &Given) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.need_model()) };
        if given.has('D') {
            let names = self.all_definitions().into_iter().flat_map(|all| all.names());
            let text: String = names.map(|name| format!("  {name}\n")).collect();
            self.say(&text)?;
            return Ok(Ok(()));
        }
        let kinds =
            [('i', Section::Ivar, "Input"), ('s', Section::Var, "State"), ('f', Section::Frozen, "Frozen")];
        let is_all = kinds.iter().all(|(letter, ..)| !given.has(*letter));
        let mut text = String::new();
        let mut list = String::new();
        let (mut bits, mut n_selected) = (Vec::new(), 0);
        for (letter, wanted, name) in kinds {
            let variables = variables(model, wanted);
            let mut types: BTreeMap<String, usize> = BTreeMap::new();
            let mut n_bits = Some(0);
            for &variable in &variables {
                *types.entry(model.type_name(variable)).or_default() += 1;
                n_bits = n_bits.and_then(|n| Some(n + model.system().terms.sort(variable).n_bits()?));
            }
            bits.push((name.to_lowercase(), n_bits));
            if !given.has('t') {
                let _ = writeln!(text, "Number of {name} Variables: {}", variables.len());
            }
            let is_selected = is_all || given.has(letter);
            if is_selected || !given.has('t') {
                types.iter().for_each(|(r#type, n)| text += &format!("    {n}: {}\n", r#type));
            }
            if is_selected {
                n_selected += variables.len();
                for &variable in &variables {
                    let name = model.system().terms.name(variable).unwrap_or_default();
                    let _ = write!(list, "  {name} : {}\n  \n", model.type_name(variable));
                }
            }
        }
        let total: Option<u64> = bits.iter().map(|(_, n)| *n).sum();
        let last = match total {
            Some(total) => {
                let parts = bits.iter().rev().filter_map(|(name, n)| Some(format!("{} {name}", (*n)?)));
                format!("Number of bits: {total} ({})\n", parts.collect::<Vec<_>>().join(", "))
            }
            None => String::new(),
        };
        self.say(&match (given.has('t'), given.has('V')) {
            (true, _) => format!("Number of all selected variables: {n_selected}\n{text}"),
            (_, true) => list,
            _ => format!("{text}{list}{last}"),
        })?;
        Ok(Ok(()))
    }
    /// `print_reachable_states`.
    pub fn print_reachable_states(&mut self, given: &Given) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.need_model()) };
        if given.has('f') {
            return Ok(Err("reachable states are not written as a formula (-f)".into()));
        }
        let most = if given.has('v') { MOST_LISTED } else { 0 };
        let mut run = Run::new(self.cancel.child());
        let is_shown = |variable: Term| is_visible(model, variable);
        let states = match reachable_states(model.system(), &is_shown, most, &mut run) {
            Ok(Ok(states)) => states,
            Ok(Err(stop)) => return Ok(Err(stop.to_string())),
            Err(error) => {
                return Ok(Err(format!("states can be counted if there are finitely many: {error}")));
            }
        };
        let all = n_all(model);
        let mut text = format!(
            "{LONG_RULE}system diameter: {}\nreachable states: {} ({}) out of {} ({})\n",
            states.n_rings,
            short(&states.n_states),
            power(&states.n_states),
            short(&all),
            power(&all)
        );
        let shown = Shown::new(model, self.all_definitions().filter(|_| given.has('d')));
        for (i, state) in states.listed.iter().enumerate() {
            let _ = writeln!(text, "  ------- State {:4} ------", i + 1);
            shown.state(state).iter().for_each(|(name, value)| text += &format!("  {name} = {value}\n"));
        }
        if given.has('v') {
            text += "  -------------------------\n";
            if states.n_states > BigUint::from(states.listed.len()) {
                let _ = writeln!(text, "  (the others are not listed)");
            }
        }
        self.say(&(text + LONG_RULE))?;
        Ok(Ok(()))
    }
    /// `check_fsm`.
    pub fn check_fsm(&mut self) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.need_model()) };
        let mut run = Run::new(self.cancel.child());
        let found = match dead_ends(model.system(), &mut run) {
            Ok(Ok(found)) => found,
            Ok(Err(stop)) => return Ok(Err(stop.to_string())),
            Err(error) => {
                return Ok(Err(format!("states can be looked at if there are finitely many: {error}")));
            }
        };
        let lines = |state: &[Value]| -> String {
            let lines = Shown::new(model, None).state(state);
            lines.into_iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
        };
        let body = match (&found.anywhere, &found.reachable) {
            (None, _) => "The transition relation is total: No deadlock state exists\n".to_owned(),
            (Some(state), None) => format!(
                "The transition relation is not total. A state without\nsuccessors is:\n{}However, all the states without successors are\nnon-reachable, so the machine is deadlock-free.\n",
                lines(state)
            ),
            (Some(state), Some(reachable)) => format!(
                "The transition relation is not total. A state without\nsuccessors is:\n{}The transition relation is not deadlock-free.\nA deadlock state is:\n{}",
                lines(state),
                lines(reachable)
            ),
        };
        self.say(&format!("\n{RULE}{body}{RULE}"))?;
        Ok(Ok(()))
    }
    /// `print_fsm_stats`.
    pub fn print_fsm_stats(&mut self) -> Result<Done, Failure> {
        let Some(model) = &self.model else { return Ok(self.need_model()) };
        let system = model.system();
        let mut text = format!(
            "Statistics on the model.\nstate variables: {}\ninput variables: {}\n",
            system.states.len(),
            system.inputs.len()
        );
        if let Ok(blasted) = blast(system, ARRAY_BITS) {
            let circuit = &blasted.system;
            let (latches, inputs) = (circuit.latches().len(), circuit.inputs().len());
            let gates = circuit.aig().ands().count();
            let _ = writeln!(
                text,
                "latches of the circuit: {latches}\ninputs of the circuit: {inputs}\ngates of the circuit: {gates}"
            );
        }
        self.say(&text)?;
        Ok(Ok(()))
    }
}

/// The variables of a section.
fn variables(model: &WordModel, wanted: Section) -> Vec<Term> {
    let system = model.system();
    let all = system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied());
    all.filter(|&variable| is_visible(model, variable) && section(model, variable) == Some(wanted)).collect()
}

/// How many states there would be if all of them could be reached.
fn n_all(model: &WordModel) -> BigUint {
    let WordModel::Smv(smv) = model else { return BigUint::from(0u32) };
    let states = [Section::Var, Section::Frozen].into_iter().flat_map(|section| variables(model, section));
    states.filter_map(|variable| smv.n_values(variable)).product()
}

/// Up to six digits, as `%g` of C has them.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 6 {
        return digits;
    }
    let rounded: f64 =
        format!("{}.{}", &digits[..1], &digits[1..digits.len().min(18)]).parse().unwrap_or(0.0);
    let mut exponent = digits.len() - 1;
    let mut mantissa = format!("{rounded:.5}");
    if mantissa.starts_with("10") {
        (mantissa, exponent) = ("1.00000".into(), exponent + 1);
    }
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    format!("{mantissa}e+{exponent:02}")
}

/// `2^2.58496`.
fn power(number: &BigUint) -> String {
    let shift = number.bits().saturating_sub(60);
    let head = u64::try_from(number >> shift).unwrap_or(0);
    if head == 0 {
        return "2^-inf".into();
    }
    let log = (head as f64).log2() + shift as f64;
    let before = (log.max(1.0).log10().floor() as usize) + 1;
    let text = format!("{log:.*}", 6usize.saturating_sub(before));
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("2^{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text = |n: u64| (short(&n.into()), power(&n.into()));
        assert_eq!(text(6), ("6".into(), "2^2.58496".into()));
        assert_eq!(text(8), ("8".into(), "2^3".into()));
        assert_eq!(text(1), ("1".into(), "2^0".into()));
        assert_eq!(text(1_080_443), ("1.08044e+06".into(), "2^20.0432".into()));
        assert_eq!(text(1 << 20), ("1.04858e+06".into(), "2^20".into()));
        assert_eq!(short(&9_999_999u64.into()), "1e+07");
        assert_eq!(power(&(BigUint::from(3u32) << 2000)), "2^2001.58");
    }
}
