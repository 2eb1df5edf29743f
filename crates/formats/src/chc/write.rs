//! Writing CHC.

use crate::smtlib::names::Names;
use indubit_system::{Claim, WordSystem};
use indubit_term::Term;
use std::fmt::Write;

/// The system as clauses over one predicate, `state`, with a query for each property: they have a model if all
/// properties hold.
pub fn write(system: &WordSystem) -> String {
    let terms = &system.terms;
    let mut names = Names::default();
    names.reserve(&["state"]);
    let current: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let next: Vec<Term> = system.states.iter().map(|v| v.next).collect();
    for &variable in current.iter().chain(&next).chain(&system.inputs) {
        names.add(terms, variable);
    }
    let name = |t: Term| names.get(t);
    let sorts: Vec<String> = current.iter().map(|&v| terms.sort(v).to_string()).collect();
    let state = |variables: &[Term]| {
        let args: Vec<String> = variables.iter().filter_map(|&v| names.get(v)).collect();
        if args.is_empty() { "state".to_owned() } else { format!("(state {})", args.join(" ")) }
    };
    let mut text = format!("(set-logic HORN)\n(declare-fun state ({}) Bool)\n", sorts.join(" "));
    let mut clause = |variables: &[&[Term]], body: String, head: &str| {
        let bound = variables.iter().copied().flatten();
        let bound: Vec<String> =
            bound.map(|&v| format!("({} {})", names.get(v).unwrap_or_default(), terms.sort(v))).collect();
        let text = &mut text;
        let written = match bound.is_empty() {
            true => writeln!(text, "(assert (=> {body} {head}))"),
            false => writeln!(text, "(assert (forall ({}) (=> {body} {head})))", bound.join(" ")),
        };
        written.expect("memory takes everything");
    };
    let formula = |t: Term| terms.display(t).with_names(&name).sharing().to_string();
    clause(&[&current], formula(system.init), &state(&current));
    let step = format!("(and {} {})", state(&current), formula(system.trans));
    clause(&[&current, &next, &system.inputs], step, &state(&next));
    for property in &system.properties {
        let Claim::Always(holds) = property.claim else { continue };
        let violated = format!("(and {} (not {}))", state(&current), formula(holds));
        clause(&[&current, &system.inputs], violated, "false");
    }
    text.push_str("(check-sat)\n");
    text
}
