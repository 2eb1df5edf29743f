//! Writing VMT.

use crate::smtlib::names::Names;
use indubit_system::{Claim, PropertyId, WordSystem};
use indubit_term::Term;
use std::fmt::Write;

/// The system as VMT. Variables that have the same name get different ones.
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
    let mut formula = |name: &str, term: Term, annotation: &str| {
        let symbol = names.fresh(name);
        let name = |t: Term| names.get(t);
        let term = terms.display(term).with_names(&name).sharing();
        line(&mut text, format_args!("(define-fun {symbol} () Bool (! {term} {annotation}))"));
    };
    formula(".init", system.init, ":init true");
    formula(".trans", system.trans, ":trans true");
    for (i, property) in system.properties.iter().enumerate() {
        let Claim::Always(holds) = property.claim else { continue };
        let number = if let PropertyId::Invar(number) = property.id { number } else { i as u64 };
        formula(&property.label(), holds, &format!(":invar-property {number}"));
    }
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(text, "{arguments}").expect("memory takes everything");
}
