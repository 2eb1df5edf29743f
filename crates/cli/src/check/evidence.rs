//! Evidence as it is printed, prepared outside of any lock: it may take a while.

use super::outcome::{Answer, Branches, Cti, Evidence, Proof, Trace};
use crate::args::{Check, Format};
use crate::kinds::{Explained, Presented, Subject, steps_json};
use indubit::certify::Solving;
use indubit::formats::ctl_tree::{Reason, Why};
use indubit::formats::trace_table::{self, Options};
use indubit::system::{CtlProof, Product, Shape};
use indubit::{ClaimKind, Property, PropertyId, Support, Verdict};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Lemmas that a terminal gets to see, and lemmas and values that a JSON object carries.
const LEMMAS_FOR_PEOPLE: usize = 16;
const LEMMAS_INLINE: usize = 1000;
const VALUES_INLINE: usize = 100_000;
/// Nodes of the tree that says why a formula holds or fails.
const NODES_FOR_PEOPLE: usize = 12;
const NODES_INLINE: usize = 1000;

/// How much of the evidence is wanted as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    None,
    /// What fits a few screens.
    Readable,
    /// What fits into a JSON object.
    Inline,
    Everything,
}

impl Detail {
    pub fn of(args: &Check) -> Detail {
        match args.format {
            // --quiet is about what people read.
            Format::Json => Detail::Inline,
            Format::Hwmcc | Format::Sby | Format::Chc => Detail::None,
            Format::Human if args.quiet => Detail::None,
            Format::Human if args.verbose => Detail::Everything,
            Format::Human => Detail::Readable,
        }
    }
    /// How a table is made, if one is wanted.
    fn options(self) -> Option<trace_table::Options> {
        match self {
            Detail::None | Detail::Inline => None,
            Detail::Readable => Some(trace_table::Options::default()),
            Detail::Everything => Some(trace_table::Options::complete()),
        }
    }
}

/// The answer that a verdict is.
pub fn answer<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    verdict: &Verdict<K>,
    support: Option<Support<K::Trace>>,
    detail: Detail,
    by: &Solving,
) -> Answer {
    let sets = match verdict.evidence() {
        Some(indubit::Evidence::Ctl(proof)) => Some(proof),
        _ => None,
    };
    let evidence = match (verdict, verdict.trace(), verdict.proof()) {
        _ if let Some(proof) = sets => {
            Evidence::Branches(of_branches::<K>(model, property, proof, detail, by))
        }
        (_, Some(trace), _) => Evidence::Trace(of_trace::<K>(model, property, trace, detail)),
        (_, _, Some(proof)) => Evidence::Proof(of_proof::<K>(model, property, proof, support, detail)),
        (&Verdict::Unknown { stop, safe_up_to }, ..) => {
            return Answer::Unknown { stop, safe_up_to, cti: None };
        }
        _ => return Answer::Internal { message: "a verdict without evidence".into(), kept: Vec::new() },
    };
    Answer::Decided { word: verdict.word(), is_true: verdict.truth() == Some(true), evidence }
}

fn of_proof<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    proof: &K::Proof,
    support: Option<Support<K::Trace>>,
    detail: Detail,
) -> Proof {
    if let Some(watched) = watched::<K>(model, property, proof) {
        return of_proof::<K>(&watched.model, &watched.property, proof, support, detail);
    }
    let text = match detail {
        Detail::None | Detail::Inline => String::new(),
        Detail::Readable => K::text(model, property, proof, Some(LEMMAS_FOR_PEOPLE)),
        Detail::Everything => K::text(model, property, proof, None),
    };
    // What is cut does not say whether two proofs are the same.
    let whole = match is_cut(&text) {
        true => hash_of(&K::text(model, property, proof, None)),
        false => hash_of(&text),
    };
    let formulas = (detail == Detail::Inline).then(|| K::formulas(model, proof, LEMMAS_INLINE)).flatten();
    let ranks = (detail == Detail::Inline).then(|| K::ranks(model, property, proof, LEMMAS_INLINE)).flatten();
    Proof {
        shape: K::shape(proof),
        n_clauses: K::n_clauses(proof),
        text,
        whole,
        formulas,
        ranks,
        checked: K::checked(proof),
        support: support.map(|s| s.map(drop)),
    }
}

/// What a proof of a claim in temporal logic is about.
pub struct Watched<K: Presented> {
    /// The model together with what watches it.
    pub model: K::Model,
    /// The position of the property there that was proved.
    pub index: usize,
    /// That property.
    pub property: Property<K::Formula>,
}

/// What a proof is about, if that is not the model itself.
pub fn watched<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    proof: &K::Proof,
) -> Option<Watched<K>> {
    if property.claim.kind() != ClaimKind::Ltl {
        return None;
    }
    let system = Product::<K>::of(K::system(model))?.system;
    let wanted = match (K::shape(proof), property.id) {
        (Shape::Ranked { .. }, id) => id,
        (_, PropertyId::Ltl(number)) => PropertyId::LtlSafety(number),
        (_, id) => id,
    };
    let mut properties = K::properties(&system);
    let index = properties.iter().position(|p| p.id == wanted)?;
    let property = properties.swap_remove(index);
    Some(Watched { model: K::with_system(model, system), index, property })
}

/// Is this text shorter than what it is about?
pub fn is_cut(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("… "))
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn of_trace<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    trace: &K::Trace,
    detail: Detail,
) -> Trace {
    let table = detail.options().map_or(String::new(), |options| K::table(model, property, trace, options));
    let steps = match detail {
        Detail::Inline => {
            let steps = K::steps(model, trace);
            let n_values: usize = steps.iter().flatten().map(Vec::len).sum();
            if n_values <= VALUES_INLINE { steps_json(&steps) } else { Value::Null }
        }
        _ => Value::Null,
    };
    let mut checked = format!("replay by {}", K::BY_REPLAY);
    if property.claim.kind() == ClaimKind::Ltl && K::loops_to(trace).is_none() {
        checked += ", and a step from every state";
    }
    Trace {
        length: K::length(trace),
        loops_to: K::loops_to(trace),
        witness: K::witness(model, property, trace),
        table,
        steps,
        checked,
    }
}

fn of_branches<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    proof: &CtlProof,
    detail: Detail,
    by: &Solving,
) -> Branches {
    let mut told = Branches {
        is_vacuous: false,
        summary: proof.to_string(),
        text: String::new(),
        tree: Value::Null,
        start: Value::Null,
        checked: "sets of states by SAT",
    };
    let most = match detail {
        Detail::None => return told,
        Detail::Readable => NODES_FOR_PEOPLE,
        Detail::Inline | Detail::Everything => NODES_INLINE,
    };
    // What is told beside the verdict may be left out if there is no time for it.
    match K::why(model, property, proof, most, by) {
        Ok(Explained::Vacuous) => told.is_vacuous = true,
        Ok(Explained::Why(tree)) => {
            if let Some(options) = detail.options() {
                let table = |trace: &K::Trace, options: Options, note: &dyn Fn(usize) -> Option<String>| {
                    K::path(model, property, trace, options, note)
                };
                told.text = tree.text(&table, options);
            } else {
                let mut left = VALUES_INLINE;
                told.tree = why_json::<K>(model, &tree.why, &mut left);
                told.start = steps_json(&K::steps(model, &tree.start));
            }
        }
        Ok(Explained::Nothing) | Err(_) => (),
    }
    told
}

fn why_json<K: Presented>(model: &K::Model, why: &Why<K::Trace>, left: &mut usize) -> Value {
    let mut list = |parts: &[Why<K::Trace>]| {
        parts.iter().map(|part| why_json::<K>(model, part, left)).collect::<Value>()
    };
    let mut node = json!({
        "formula": why.formula,
        "holds": why.holds,
        "step": why.step,
        "reason": "state",
        "what": null,
        "gates": null,
        "loop": null,
        "steps": null,
        "parts": [],
    });
    match &why.reason {
        Reason::State => (),
        Reason::LeftOut => node["reason"] = "left out".into(),
        Reason::Parts(parts) => {
            node["reason"] = "parts".into();
            node["parts"] = list(parts);
        }
        Reason::Sets { what, gates, .. } => {
            node["reason"] = "sets".into();
            node["what"] = (*what).into();
            node["gates"] = (*gates).into();
        }
        Reason::Path { trace, loops_to, parts, .. } => {
            node["reason"] = "path".into();
            node["loop"] = loops_to.map(|begin| begin + why.step).into();
            node["parts"] = list(parts);
            let steps = K::steps(model, trace);
            let n_values: usize = steps.iter().flatten().map(Vec::len).sum();
            if n_values <= *left {
                *left -= n_values;
                node["steps"] = steps_json(&steps);
            }
        }
    }
    node
}

/// A step that breaks a formula, or a state in which it is false; `broken` is said of its last moment.
pub fn cti<K: Presented>(
    model: &K::Model,
    subject: Subject<'_, K>,
    trace: &K::Trace,
    broken: &str,
    detail: Detail,
) -> Cti {
    let (table, steps) = K::step(model, subject, trace, broken, detail.options().unwrap_or_default());
    let table = if detail.options().is_some() { table } else { String::new() };
    let json = if detail == Detail::None { Value::Null } else { steps_json(&steps) };
    Cti { is_step: K::length(trace) > 0, table, json }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::Clause;
    use indubit::{BitSystem, Bits, Invariant};

    /// What is beyond the lemmas that are shown makes a difference, too.
    #[test]
    fn proofs_that_are_cut_are_told_apart() {
        let mut system = BitSystem::new();
        let latches: Vec<_> = (0..20).map(|i| system.add_latch(&format!("l{i:02}"), Some(false))).collect();
        system.add_bad("bad", latches[0]);
        let property = &system.properties()[0];
        let shown = |last: usize| {
            let mut invariant = Invariant::new(system.aig().n_vars());
            for &latch in latches[..LEMMAS_FOR_PEOPLE].iter().chain([&latches[last]]) {
                invariant.add(Clause::new([!latch]));
            }
            let proof = indubit::Proof::Inductive(invariant);
            of_proof::<Bits>(&system, property, &proof, None, Detail::Readable)
        };
        let [one, other, same] = [18, 19, 18].map(shown);
        assert!(is_cut(&one.text) && one.text == other.text, "{}", one.text);
        assert!(one.whole != other.whole && one.whole == same.whole);
    }
}
