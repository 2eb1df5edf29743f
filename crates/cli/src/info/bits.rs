//! What is in a circuit.

use super::About;
use crate::properties::Listed;
use crate::terminal::{count, extend, printable};
use indubit::BitSystem;
use indubit::logic::Lit;
use indubit::system::{Influence, Latch};
use serde_json::{Value, json};

pub fn about(system: &BitSystem) -> About {
    let [inputs, latches, gates] = [system.inputs().len(), system.latches().len(), system.aig().n_ands()];
    let n = |f: fn(&&Latch) -> bool| system.latches().iter().filter(f).count();
    let resets = [
        ("0", n(|l| l.reset == Lit::FALSE)),
        ("1", n(|l| l.reset == Lit::TRUE)),
        ("uninitialised", n(|l| l.is_uninitialised())),
        ("function", n(|l| l.has_reset_function())),
    ];
    let names = system.inputs().iter().map(|s| &s.name).chain(system.latches().iter().map(|l| &l.name));
    let named = names.flatten().count();
    let sections = [
        ("output", "outputs", system.outputs.len()),
        ("bad", "bads", system.bads.len()),
        ("constraint", "constraints", system.constraints.len()),
        ("justice", "justice", system.justice.len()),
        ("fairness", "fairness", system.fairness.len()),
    ];
    let mut details = json!({"inputs": inputs, "latches": latches, "gates": gates});
    extend(&mut details, sections.iter().map(|&(_, key, n)| (key.to_owned(), Value::from(n))).collect());
    let resets_json: Value = resets.iter().map(|&(kind, n)| (kind.to_owned(), Value::from(n))).collect();
    let properties = properties(system);
    let cones = properties.iter().map(|(p, [inputs, latches, gates])| {
        p.json_with(json!({"cone": {"inputs": inputs, "latches": latches, "gates": gates}}))
    });
    extend(
        &mut details,
        json!({
            "resets": resets_json,
            "names": named,
            "maps": system.naming.maps,
            "formulas": system.formulas_from,
            "comment_bytes": system.comment.len(),
            "properties": cones.collect::<Vec<_>>(),
        }),
    );
    let mut lines = Vec::new();
    let resets = resets.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| match *kind {
        "function" => format!("{n} by a function"),
        kind @ ("0" | "1") => format!("{n} to {kind}"),
        kind => format!("{n} {kind}"),
    });
    let resets: Vec<String> = resets.collect();
    if !resets.is_empty() {
        lines.push(("resets", resets.join(", ")));
    }
    let sections = sections.iter().filter(|(.., n)| *n > 0).map(|&(one, many, n)| count(n, one, many));
    let sections: Vec<String> = sections.collect();
    lines.push(("sections", if sections.is_empty() { "none".into() } else { sections.join(", ") }));
    lines.push(("names", format!("{named} of {} inputs and latches", inputs + latches)));
    lines.extend(super::maps(&system.naming.maps, &system.naming.misfits));
    if let Some(file) = &system.formulas_from {
        lines.push(("formulas", format!("of {}", printable(file))));
    }
    if !system.comment.is_empty() {
        let comment = String::from_utf8_lossy(&system.comment);
        let first: String = printable(comment.lines().next().unwrap_or_default()).chars().take(80).collect();
        let more = if comment.lines().count() > 1 { " …" } else { "" };
        lines.push(("comment", format!("{first}{more}")));
    }
    let shown = properties.iter().map(|(property, cone)| {
        let note = match property.kind() {
            "output" => ", an output that must stay 0",
            "justice" => ", justice",
            "ltl" => ", LTL",
            "ctl" => ", CTL",
            _ => "",
        };
        (property.number(), property.title(), note, format!("depends on {}", parts(*cone)))
    });
    About { sizes: parts([inputs, latches, gates]), lines, properties: shown.collect(), details }
}

/// The properties, with so many inputs, latches and gates that they depend on.
fn properties(system: &BitSystem) -> Vec<(Listed, [usize; 3])> {
    let mut cones = Influence::new(system);
    let all = system.properties();
    let cones = all.iter().map(|property| {
        let is_live = property.claim.target().is_none();
        let constraints = system.constraints.iter().map(|c| c.lit);
        let fairness = system.fairness.iter().map(|f| f.lit).filter(|_| is_live);
        cones.size(constraints.chain(fairness).chain(property.claim.formulas().iter().copied()))
    });
    Listed::all(&all).into_iter().zip(cones).collect()
}

fn parts([inputs, latches, gates]: [usize; 3]) -> String {
    let gates = count(gates, "gate", "gates");
    format!("{}, {}, {gates}", count(inputs, "input", "inputs"), count(latches, "latch", "latches"))
}
