//! What is in a model of words.

use super::About;
use crate::properties::Listed;
use crate::size::Size;
use crate::terminal::{count, printable};
use indubit::WordSystem;
use indubit::formats::chc::ChcPredicate;
use indubit::formats::model::WordModel;
use indubit::term::{Sort, Term};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Predicates of which a terminal gets to see the arguments.
const PREDICATES_FOR_PEOPLE: usize = 20;

/// How many variables there are of each sort, or of each type that the model has instead.
fn sorts(model: &WordModel, vars: &[Term]) -> String {
    let mut counts: BTreeMap<(Sort, String), usize> = BTreeMap::new();
    let sort = |var: Term| (model.system().terms.sort(var), model.type_name(var));
    vars.iter().for_each(|&var| *counts.entry(sort(var)).or_default() += 1);
    counts.iter().map(|((_, name), n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
}

/// The state variables and inputs that a property mentions.
fn mentions(system: &WordSystem, index: usize) -> [usize; 2] {
    let vars = system.terms.variables(system.properties[index].claim.formulas());
    let n_inputs = vars.iter().filter(|var| system.inputs.contains(var)).count();
    [vars.len() - n_inputs, n_inputs]
}

pub fn about(model: &WordModel) -> About {
    let system = model.system();
    let size = Size::of_words(system);
    let states: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let mut lines = Vec::new();
    let (mut predicates, mut arguments) = (None, None);
    let language = match model {
        WordModel::Vmt(_) => "vmt",
        WordModel::Chc(_) => "chc",
        WordModel::Smv(_) => "smv",
        WordModel::Btor2(model) if model.file.is_some() => "btor2",
        WordModel::Btor2(_) => "verilog",
    };
    match model {
        WordModel::Vmt(_) => lines.push(("format", "VMT: a transition system".into())),
        WordModel::Btor2(model) => {
            lines.push((
                "format",
                match language {
                    "verilog" => "Verilog, by Yosys: bit-vectors and arrays".into(),
                    _ => "BTOR2: bit-vectors and arrays".into(),
                },
            ));
            lines.extend(super::maps(&model.maps, &model.notes));
        }
        WordModel::Smv(_) => lines.push(("format", "SMV: modules in the language of NuSMV and nuXmv".into())),
        WordModel::Chc(chc) => {
            let n = count(chc.predicates.len(), "predicate", "predicates");
            lines.push(("format", format!("CHC: Horn clauses over {n}")));
            let listed = chc.predicates.iter().take(PREDICATES_FOR_PEOPLE);
            lines.extend(listed.map(|predicate| ("predicate", printable(&predicate.to_string()))));
            match chc.predicates.len().saturating_sub(PREDICATES_FOR_PEOPLE) {
                0 => (),
                more => lines.push(("", format!("… {more} more (--format json has all)"))),
            }
            let argument = |(name, sort): &(String, Sort)| json!({"name": name, "sort": sort.to_string()});
            let of_one = |p: &ChcPredicate| p.parameters.iter().map(argument).collect::<Value>();
            predicates = Some(chc.predicates.iter().map(|p| p.name.clone()).collect::<Vec<_>>());
            arguments = Some(chc.predicates.iter().map(of_one).collect::<Vec<_>>());
        }
    }
    for (heading, vars) in [("states", &states), ("inputs", &system.inputs)] {
        if !vars.is_empty() {
            lines.push((heading, sorts(model, vars)));
        }
    }
    let listed = Listed::all(&system.properties);
    let shown = listed.iter().map(|property| {
        let [states, inputs] = mentions(system, property.index);
        let states = count(states, "state variable", "state variables");
        let dependence = format!("speaks of {states}, {}", count(inputs, "input", "inputs"));
        (property.number(), property.title(), "", dependence)
    });
    let properties = listed.iter().map(|property| {
        let [states, inputs] = mentions(system, property.index);
        property.json_with(json!({"line": property.line, "source": property.source, "mentions": {"states": states, "inputs": inputs}}))
    });
    let variable = |&var: &Term| json!({"name": system.terms.name(var), "sort": model.type_name(var)});
    let details = json!({
        "language": language,
        "predicates": predicates,
        "arguments": arguments,
        "sizes": size.json(),
        "states": states.iter().map(variable).collect::<Vec<_>>(),
        "inputs": system.inputs.iter().map(variable).collect::<Vec<_>>(),
        "properties": properties.collect::<Vec<_>>(),
    });
    About { sizes: size.parts().join(", "), lines, properties: shown.collect(), details }
}
