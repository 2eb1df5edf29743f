//! Writing VMT.

use super::temporal;
use crate::ltl_text::{self, Written, assuming};
use crate::smtlib::names::Names;
use indubit_system::{Claim, Ltl, Property, PropertyId, WordSystem};
use indubit_term::Term;
use std::fmt::Write;

/// The system as VMT. Variables that have the same name get different ones. What VMT cannot say is left out: covers, and formulas of branching time.
///
/// There is no fairness in VMT: it is an assumption of each formula of temporal logic. Justice is such a formula, `! (G F a & G F b)`.
///
/// Writing to memory cannot fail.
pub fn write(system: &WordSystem) -> String {
    let terms = &system.terms;
    let mut names = Names::default();
    let mut text = String::new();
    let states = system.states.iter().flat_map(|v| [v.current, v.next]);
    let mut symbols: Vec<String> = Vec::new();
    for variable in states.chain(system.inputs.iter().copied()) {
        let symbol = names.add(terms, variable);
        line(&mut text, format_args!("(declare-fun {symbol} () {})", terms.sort(variable)));
        symbols.push(symbol);
    }
    for (i, var) in system.states.iter().enumerate() {
        let (current, next) = (&symbols[2 * i], &symbols[2 * i + 1]);
        let name = names.fresh(&format!(".sv{i}"));
        let sort = terms.sort(var.current);
        line(&mut text, format_args!("(define-fun {name} () {sort} (! {current} :next {next}))"));
    }
    state_formula(&mut text, &mut names, system, ".init", system.init, ":init true");
    state_formula(&mut text, &mut names, system, ".trans", system.trans, ":trans true");
    let numbers = numbers(&system.properties);
    for (property, number) in system.properties.iter().zip(numbers) {
        let label = property.label();
        let temporal = match &property.claim {
            Claim::Always(holds) => {
                state_formula(
                    &mut text,
                    &mut names,
                    system,
                    &label,
                    *holds,
                    &format!(":invar-property {number}"),
                );
                continue;
            }
            Claim::Ltl(formula) => assuming(&system.fairness, Some(formula)),
            Claim::Justice(signals) => assuming(signals, None),
            Claim::Reachable(_) | Claim::Ctl(_) => continue,
        };
        let symbol = names.fresh(&label);
        let (formula, kind) = match temporal::settles(&temporal) {
            Some(settled) => (ltl(&names, system, &settled), "live"),
            None => (ltl(&names, system, &temporal), "ltl"),
        };
        line(
            &mut text,
            format_args!("(define-fun {symbol} () Bool (! {formula} :{kind}-property {number}))"),
        );
    }
    text
}

/// The numbers that properties have in the file: their own if all of them have one, in this order; else their positions, for a reader goes by numbers.
fn numbers(properties: &[Property<Term>]) -> Vec<u64> {
    let own = |property: &Property<Term>| match property.id {
        PropertyId::Invar(number) => Some(number),
        PropertyId::Ltl(number) => Some(number as u64),
        _ => None,
    };
    let given: Option<Vec<u64>> = properties.iter().map(own).collect();
    match given.filter(|numbers| numbers.is_sorted_by(|a, b| a < b)) {
        Some(numbers) => numbers,
        None => (0..properties.len() as u64).collect(),
    }
}

/// A definition of a formula about states or steps.
fn state_formula(
    text: &mut String,
    names: &mut Names,
    system: &WordSystem,
    name: &str,
    term: Term,
    annotation: &str,
) {
    let symbol = names.fresh(name);
    let name = |t: Term| names.get(t);
    let term = system.terms.display(term).with_names(&name).sharing();
    line(text, format_args!("(define-fun {symbol} () Bool (! {term} {annotation}))"));
}

/// A formula of temporal logic, with `let` for what occurs more than once.
fn ltl(names: &Names, system: &WordSystem, formula: &Ltl<Term>) -> String {
    let name = |t: Term| names.get(t);
    let write = |written: Written, parts: &[&str]| {
        let operator = match written {
            Written::Constant(value) => return value.to_string(),
            Written::Atom(number) => {
                let atom = system.terms.display(formula.atoms()[number as usize]);
                return atom.with_names(&name).sharing().to_string();
            }
            Written::Not => "not",
            Written::And => "and",
            Written::Or => "or",
            Written::Implies => "=>",
            Written::Iff => "=",
            Written::Next => "ltl.X",
            Written::Finally => "ltl.F",
            Written::Globally => "ltl.G",
            Written::Until => "ltl.U",
            Written::Release => "ltl.R",
            Written::Yesterday => "ltl.Y",
            Written::WeakYesterday => "ltl.Z",
            Written::Once => "ltl.O",
            Written::Historically => "ltl.H",
            Written::Since => "ltl.S",
            Written::Triggered => "ltl.T",
        };
        format!("({operator} {})", parts.join(" "))
    };
    let mut shared: Vec<String> = Vec::new();
    let share = |text: String| {
        shared.push(text);
        // No other symbol begins so: see `Names::fresh`.
        format!("_ltl{}", shared.len() - 1)
    };
    let body = ltl_text::text(formula, usize::MAX, write, share).expect("there is no limit");
    let mut text = String::new();
    for (i, part) in shared.iter().enumerate() {
        let _ = writeln!(text, "(let ((_ltl{i} {part}))");
    }
    text + &body + &")".repeat(shared.len())
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("memory takes everything");
}
