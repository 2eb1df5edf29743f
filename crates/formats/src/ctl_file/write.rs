//! Formulas of a circuit as the file beside it.

use super::{is_name, is_word};
use crate::ctl_text::{Part, Style, Written, spelled, text};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Name, Signal};
use std::collections::HashMap;

/// Longer files are not written.
const LONGEST: usize = 1 << 26;

/// The formulas of computation tree logic that are claimed of a circuit, as a file, and the circuit as it is beside that file: what formulas speak of has names there, as outputs if it has none as a latch or an
/// input, and bad states are in their section. `None` if there are no such formulas, or one that is too long to be written.
///
/// ```
/// use indubit_formats::{ctl_file, lemmas};
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// for name in ["busy", "odd name"] {
///     model.add_latch(name, Some(false));
/// }
/// lemmas::add_ctl(&mut model, "AG (busy -> A [busy U \"odd name\" & busy])").unwrap();
/// let (model, text) = ctl_file::write(&model).unwrap();
/// assert_eq!(text, "AG (busy -> (A busy U (busy & atom0)))\n");
/// assert_eq!(model.outputs[0].name.as_ref().unwrap().to_string(), "atom0");
/// ```
pub fn write(model: &BitSystem) -> Option<(BitSystem, String)> {
    let claims = model.specs.iter().filter_map(|p| if let Claim::Ctl(f) = &p.claim { Some(f) } else { None });
    let formulas: Vec<_> = claims.collect();
    if formulas.is_empty() {
        return None;
    }
    let mut model = model.clone();
    if model.outputs_are_bad() {
        model.bads.clone_from(&model.outputs);
    }
    let mut names = names(&model);
    let mut lines = String::new();
    for formula in &formulas {
        let mut atoms = Vec::with_capacity(formula.atoms().len());
        for &atom in formula.atoms() {
            let known = names.of.get(&atom).map(|name| name.to_owned());
            let negated = || names.of.get(&!atom).map(|name| format!("~{name}"));
            atoms.push(match known.or_else(negated) {
                Some(name) => name,
                None => {
                    let name = names.add(atom);
                    model.outputs.push(Signal { lit: atom, name: Some((&*name).into()) });
                    name
                }
            });
        }
        let atom = |number: u32| atoms[number as usize].clone();
        let write = |written: Written, parts: &[&str]| spelled(Style::File, written, parts, &atom);
        let line = text(formula, Part::new(formula.root()), LONGEST, write)?;
        if lines.len() + line.len() > LONGEST {
            return None;
        }
        lines.push_str(&line);
        lines.push('\n');
    }
    Some((model, lines))
}

/// Names that are in no other use, by what they stand for.
struct Names {
    of: HashMap<Lit, String>,
    /// All names, whether they can be written or not.
    taken: HashMap<String, Lit>,
    n_made: usize,
}

impl Names {
    /// A name for an edge.
    fn add(&mut self, lit: Lit) -> String {
        loop {
            let name = format!("atom{}", self.n_made);
            self.n_made += 1;
            if !self.taken.contains_key(&name) {
                self.taken.insert(name.clone(), lit);
                self.of.insert(lit, name.clone());
                return name;
            }
        }
    }
}

/// The names of latches, outputs and inputs.
fn names(model: &BitSystem) -> Names {
    let latches = model.latches().iter().map(|latch| (Lit::positive(latch.var), &latch.name));
    let others = model.outputs.iter().chain(model.inputs()).map(|signal| (signal.lit, &signal.name));
    let mut names = Names { of: HashMap::new(), taken: HashMap::new(), n_made: 0 };
    let mut ambiguous = Vec::new();
    let named: Vec<(Lit, String)> = latches
        .chain(others)
        .filter_map(|(lit, name)| Some((lit, name.as_ref().map(Name::to_string)?)))
        .collect();
    let beside = model
        .bads
        .iter()
        .chain(&model.constraints)
        .filter_map(|s| Some((s.lit, s.name.as_ref()?.to_string())));
    for (lit, name) in named.iter().cloned().chain(beside) {
        if names.taken.insert(name.clone(), lit).is_some_and(|other| other != lit) {
            ambiguous.push(name);
        }
    }
    for (lit, name) in named {
        let bytes = name.as_bytes();
        if is_name(bytes) && bytes.iter().all(is_word) && !ambiguous.contains(&name) {
            names.of.entry(lit).or_insert(name);
        }
    }
    names
}
