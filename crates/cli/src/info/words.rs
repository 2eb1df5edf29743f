//! What is in a model of words.

use crate::properties::Listed;
use crate::size::Size;
use crate::terminal::{self, Paint, count};
use indubit::WordSystem;
use indubit::formats::model::WordModel;
use indubit::term::{Sort, Term};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Predicates of which a terminal gets to see the arguments.
const PREDICATES_FOR_PEOPLE: usize = 20;

/// How many variables there are of each sort.
fn sorts(system: &WordSystem, vars: impl Iterator<Item = Term>) -> BTreeMap<Sort, usize> {
    let mut counts = BTreeMap::new();
    vars.for_each(|var| *counts.entry(system.terms.sort(var)).or_default() += 1);
    counts
}

/// The state variables and inputs that a property mentions.
fn mentions(system: &WordSystem, index: usize) -> [usize; 2] {
    let vars = system.terms.variables(system.properties[index].claim.formulas());
    let n_inputs = vars.iter().filter(|var| system.inputs.contains(var)).count();
    [vars.len() - n_inputs, n_inputs]
}

pub fn human(path: &Path, model: &WordModel, paint: Paint) -> String {
    let system = model.system();
    let size = Size::of_words(model.system());
    let mut text = format!("{}: {}\n", paint.bold(&terminal::path(path)), size.parts().join(", "));
    let mut line = |heading: &str, value: String| text += &format!("{heading:<12} {value}\n");
    let list = |vars: Vec<Term>| {
        let sorts = sorts(system, vars.into_iter());
        sorts.iter().map(|(sort, n)| format!("{n} {sort}")).collect::<Vec<_>>().join(", ")
    };
    match model {
        WordModel::Vmt(_) => line("format", "VMT: a transition system".into()),
        WordModel::Chc(chc) => {
            let predicates = count(chc.predicates.len(), "predicate", "predicates");
            line("format", format!("CHC: Horn clauses over {predicates}"));
            let listed = chc.predicates.iter().take(PREDICATES_FOR_PEOPLE);
            listed.for_each(|predicate| line("predicate", terminal::printable(&predicate.to_string())));
            match chc.predicates.len().saturating_sub(PREDICATES_FOR_PEOPLE) {
                0 => (),
                more => line("", format!("… {more} more (--format json has all)")),
            }
        }
    }
    if !system.states.is_empty() {
        line("states", list(system.states.iter().map(|v| v.current).collect()));
    }
    if !system.inputs.is_empty() {
        line("inputs", list(system.inputs.clone()));
    }
    let properties = Listed::all(&system.properties);
    if properties.is_empty() {
        return text + "no property: nothing to check\n";
    }
    text += &format!("\n{}\n", count(properties.len(), "property", "properties"));
    for property in &properties {
        let [states, inputs] = mentions(system, property.index);
        let parts = [count(states, "state variable", "state variables"), count(inputs, "input", "inputs")];
        let parts = paint.dim(&format!("speaks of {}", parts.join(", ")));
        text += &format!("{:>4}  {}  {parts}\n", property.number(), paint.bold(&property.title()));
    }
    text
}

pub fn json(path: &Path, model: &WordModel) -> String {
    let system = model.system();
    let variables = |vars: Vec<Term>| -> Vec<Value> {
        let entry =
            |var: Term| json!({"name": system.terms.name(var), "sort": system.terms.sort(var).to_string()});
        vars.into_iter().map(entry).collect()
    };
    let properties = Listed::all(&system.properties).into_iter().map(|property| {
        let [states, inputs] = mentions(system, property.index);
        json!({
            "index": property.index,
            "id": property.id.to_string(),
            "name": property.name,
            "kind": property.kind(),
            "claim": property.claim.to_string(),
            "line": property.line,
            "mentions": {"states": states, "inputs": inputs},
        })
    });
    let (format, predicates) = match model {
        WordModel::Vmt(_) => ("vmt", None),
        WordModel::Chc(chc) => {
            ("chc", Some(chc.predicates.iter().map(|p| p.name.clone()).collect::<Vec<_>>()))
        }
    };
    let arguments: Option<Vec<Value>> = match model {
        WordModel::Vmt(_) => None,
        WordModel::Chc(chc) => {
            let argument = |(name, sort): &(String, Sort)| json!({"name": name, "sort": sort.to_string()});
            Some(chc.predicates.iter().map(|p| p.parameters.iter().map(argument).collect()).collect())
        }
    };
    let document = json!({
        "format": "indubit.info",
        "version": 1,
        "path": path.display().to_string(),
        "language": format,
        "predicates": predicates,
        "arguments": arguments,
        "sizes": Size::of_words(model.system()).json(),
        "states": variables(system.states.iter().map(|v| v.current).collect()),
        "inputs": variables(system.inputs.clone()),
        "properties": properties.collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}
