//! The maps that stand beside a model: `model.ywa` and `model.aim` beside `model.aig`, `model.ywb` beside `model.btor2`.
//!
//! A map is used as a whole or not at all: everything in it is compared with the model before any name of it is. Where the model has a symbol, the map does not
//! replace it.

use super::aim::{self, What};
use super::json::{joined, misfit, source};
use super::symbols::{interpret, is_of_yosys};
use super::ywa::{self, Ywa};
use super::ywb::{self, Ywb};
use crate::aiger::numbering;
use crate::btor2::Btor2;
use crate::signals::{is_made_up, split_index};
use crate::{Error, load};
use indubit_logic::{Lit, Var};
use indubit_system::{Alias, BitSystem, Name, PropertyId, WordSystem};
use indubit_term::Term;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Use the maps beside an AIGER model.
pub fn name_bits(path: &Path, model: &mut BitSystem) {
    for (extension, apply) in
        [("aim", with_aim as fn(&[u8], &mut BitSystem) -> Result<(), Error>), ("ywa", with_ywa)]
    {
        let Some(map) = beside(path, extension) else { continue };
        let label = label(&map);
        match load(&map).and_then(|bytes| apply(&bytes, model)) {
            Ok(()) => model.naming.maps.push(label),
            Err(error) => model.naming.misfits.push(unused(&label, &error)),
        }
    }
    if !model.naming.maps.is_empty() {
        interpret(model, true);
    }
}

/// Use the map beside a BTOR2 model.
pub fn name_btor2(path: &Path, model: &mut Btor2) {
    let Some(map) = beside(path, "ywb") else { return };
    let label = label(&map);
    match load(&map).and_then(|bytes| ywb::parse(&bytes)).and_then(|ywb| with_ywb(ywb, model)) {
        Ok(()) => model.maps.push(label),
        Err(error) => model.notes.push(unused(&label, &error)),
    }
}

fn beside(path: &Path, extension: &str) -> Option<PathBuf> {
    let map = path.with_extension(extension);
    (path.extension().is_some() && map != path && map.is_file()).then_some(map)
}

fn label(map: &Path) -> String {
    map.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn unused(label: &str, error: &Error) -> String {
    format!("the map {label} does not fit the model, and none of its names is used: {error}")
}

/// What a map calls the inputs, latches or outputs of a model.
#[derive(Default)]
struct Names {
    /// By position: the sign or prefix, the name, and the bit of it.
    all: HashMap<usize, Vec<(&'static str, String, u32)>>,
    bits: HashMap<String, BTreeSet<u32>>,
}

impl Names {
    fn add(&mut self, position: usize, prefix: &'static str, name: String, offset: u32) {
        self.bits.entry(name.clone()).or_default().insert(offset);
        self.all.entry(position).or_default().push((prefix, name, offset));
    }
    /// The symbols for those that have none. Those that have one must have it from where the map is from.
    fn symbols<'m>(
        &self,
        what: &str,
        symbols: impl ExactSizeIterator<Item = Option<&'m Name>>,
    ) -> Result<Vec<(usize, Name)>, Error> {
        let n = symbols.len();
        if let Some(&beyond) = self.all.keys().find(|&&position| position >= n) {
            return Err(misfit(format!("{what} {beyond}"), format!("one of the {n} that the model has")));
        }
        let mut missing = Vec::new();
        for (position, symbol) in symbols.enumerate() {
            let Some(names) = self.all.get(&position) else { continue };
            match symbol {
                None => missing.push((position, self.symbol(names))),
                Some(symbol) => {
                    let text = symbol.to_string();
                    let mut known = text.split(' ').map(|word| word.trim_start_matches('!'));
                    let is_same = |known: &str, (prefix, name, _): &(&str, String, u32)| {
                        let known = if *prefix == "init:" {
                            known.strip_prefix("init:").unwrap_or(known)
                        } else {
                            known
                        };
                        known == name || split_index(known).is_some_and(|(base, ..)| base == name)
                    };
                    let public: Vec<_> = names.iter().filter(|(_, name, _)| !is_made_up(name)).collect();
                    if !public.is_empty() && !known.any(|word| public.iter().any(|name| is_same(word, name)))
                    {
                        let found = format!("`{}` as the name of {what} {position}", public[0].1);
                        return Err(misfit(found, format!("what the model calls it, `{text}`")));
                    }
                }
            }
        }
        Ok(missing)
    }
    /// As Yosys writes symbols: all names in alphabetical order. Of what has other bits than the first one it is known that it is a vector.
    fn symbol(&self, names: &[(&'static str, String, u32)]) -> Name {
        let one =
            |(prefix, name, offset): &(&str, String, u32)| format!("{prefix}{}", self.bit(name, *offset));
        let mut names: Vec<String> = names.iter().map(one).collect();
        names.sort();
        names.dedup();
        Name::new(names.join(" "))
    }
    fn bit(&self, name: &str, offset: u32) -> String {
        let is_vector = self.bits.get(name).is_some_and(|bits| bits.iter().any(|&bit| bit > 0));
        if is_vector { format!("{name}[{offset}]") } else { name.to_owned() }
    }
}

fn input_symbols(model: &BitSystem) -> impl ExactSizeIterator<Item = Option<&Name>> {
    model.inputs().iter().map(|input| input.name.as_ref())
}

fn with_aim(bytes: &[u8], model: &mut BitSystem) -> Result<(), Error> {
    let (mut inputs, mut latches, mut outputs, mut wires) =
        (Names::default(), Names::default(), Names::default(), Names::default());
    for entry in aim::parse(bytes)? {
        let (position, offset, name) = (entry.position, entry.offset, entry.name.to_owned());
        let latch = model.latches().get(position);
        match entry.what {
            What::Input => inputs.add(position, "", name, offset),
            What::Init => inputs.add(position, "init:", name, offset),
            What::Latch => latches.add(position, "", name, offset),
            What::InvertedLatch if latch.is_some_and(|latch| latch.reset != Lit::FALSE) => {
                let expected = "a latch that begins with 0, as all do that Yosys has negated";
                return Err(misfit(format!("invlatch {position}"), expected));
            }
            What::InvertedLatch => latches.add(position, "!", name, offset),
            What::Output => outputs.add(position, "", name, offset),
            What::Wire => wires.add(position, "", name, offset),
            What::Later => {
                if !latch.is_some_and(|latch| latch.reset == Lit::FALSE && latch.next == Lit::TRUE) {
                    let expected = "a latch that is 0 in the first step and 1 after that";
                    return Err(misfit(format!("ninitff {position}"), expected));
                }
            }
        }
    }
    let input_names = inputs.symbols("input", input_symbols(model))?;
    let latch_names = latches.symbols("latch", model.latches().iter().map(|latch| latch.name.as_ref()))?;
    let output_names = outputs.symbols("output", model.outputs.iter().map(|output| output.name.as_ref()))?;
    let aliases = edges(&wires, model)?;
    input_names.into_iter().for_each(|(i, name)| model.name_input(i, name));
    latch_names.into_iter().for_each(|(i, name)| model.name_latch(i, name));
    output_names.into_iter().for_each(|(i, name)| model.outputs[i].name = Some(name));
    let kept = model.naming.aliases().iter().cloned();
    let all = kept.chain(aliases).collect();
    model.naming.set_aliases(all);
    Ok(())
}

/// The edges that wires are. Literals are those of the file, which are in order if Yosys has written it.
fn edges(wires: &Names, model: &BitSystem) -> Result<Vec<Alias>, Error> {
    if wires.all.is_empty() || !is_of_yosys(model) {
        return Ok(Vec::new());
    }
    let numbers = numbering(model);
    let mut nodes = vec![Lit::FALSE; model.aig().n_vars()];
    for node in (0..nodes.len()).map(Var::from_index) {
        nodes[numbers[node].var().index()] = Lit::positive(node);
    }
    let mut literals: Vec<&usize> = wires.all.keys().collect();
    literals.sort_unstable();
    let mut aliases = Vec::new();
    for &literal in literals {
        let Some(&node) = nodes.get(literal / 2) else {
            return Err(misfit(format!("wire {literal}"), format!("literals below {}", 2 * nodes.len())));
        };
        for (_, name, offset) in wires.all[&literal].iter().filter(|(_, name, _)| !is_made_up(name)) {
            let name = Name::new(wires.bit(name, *offset));
            aliases.push(Alias { name, lit: node ^ (literal % 2 == 1), of: None });
        }
    }
    Ok(aliases)
}

fn with_ywa(bytes: &[u8], model: &mut BitSystem) -> Result<(), Error> {
    let Ywa { n_inputs, n_latches, inputs, clocks, asserts, assumes } = ywa::parse(bytes)?;
    let sizes = [
        ("inputs", n_inputs, model.inputs().len()),
        ("latches", n_latches, model.latches().len()),
        // A model without assertions may have a bad state all the same: some tools want one.
        ("assertions", asserts.len(), if asserts.is_empty() { 0 } else { model.bads.len() }),
        ("assumptions", assumes.len(), model.constraints.len()),
    ];
    if let Some((what, n, m)) = sizes.into_iter().find(|(_, n, m)| n != m) {
        return Err(misfit(format!("{n} {what}"), format!("{m}, as many as the model has")));
    }
    let mut names = Names::default();
    for (input, origin, is_initial) in &inputs {
        let prefix = if *is_initial { "init:" } else { "" };
        names.add(*input, prefix, joined(&origin.path), origin.offset);
    }
    let missing = names.symbols("input", input_symbols(model))?;
    missing.into_iter().for_each(|(i, name)| model.name_input(i, name));
    let named = |paths: Vec<Vec<String>>| paths.into_iter().map(|path| (joined(&path), source(&path)));
    for (i, (name, source)) in named(asserts).enumerate() {
        // A place says more than a name that was made of it.
        match source {
            Some(source) => drop(model.naming.sources.insert(PropertyId::Bad(i), Name::new(source))),
            None => drop(model.bads[i].name.get_or_insert(Name::new(name))),
        }
    }
    for (constraint, (name, source)) in model.constraints.iter_mut().zip(named(assumes)) {
        constraint.name.get_or_insert(Name::new(source.unwrap_or(name)));
    }
    model.naming.origins = inputs;
    model.naming.clocks = clocks;
    Ok(())
}

fn with_ywb(map: Ywb, model: &mut Btor2) -> Result<(), Error> {
    let system = &model.system;
    let n_bads = system.properties.iter().filter(|p| matches!(p.id, PropertyId::Bad(_))).count();
    // What an initial value is in the first step may be a constraint behind those of the file.
    let n_constraints = system.constraints.len().min(map.assumes.len());
    let sizes = [
        ("inputs", map.inputs.len(), model.inputs.len()),
        ("states", map.states.len(), model.states.len()),
        ("assertions", map.asserts.len(), n_bads),
        ("assumptions", map.assumes.len(), n_constraints),
    ];
    if let Some((what, n, m)) = sizes.into_iter().find(|(_, n, m)| n != m) {
        return Err(misfit(format!("{n} {what}"), format!("{m}, as many as the model has")));
    }
    let currents = system.states.iter().map(|v| v.current);
    for (variable, parts) in system.inputs.iter().copied().zip(&map.inputs).chain(currents.zip(&map.states)) {
        fits(system, variable, parts)?;
    }
    let whole = |parts: &[indubit_system::Origin]| match parts {
        [part] if !is_made_up(&joined(&part.path)) => Some(joined(&part.path)),
        _ => None,
    };
    let system = &mut model.system;
    for (i, parts) in map.states.iter().enumerate() {
        let var = system.states[i];
        if let (true, Some(name)) = (system.unnamed.contains(&var.current), whole(parts)) {
            system.unnamed.remove(&var.current);
            system.terms.rename(var.current, &name);
            system.terms.rename(var.next, &format!("{name}.next"));
        }
    }
    for (i, parts) in map.inputs.iter().enumerate() {
        let input = system.inputs[i];
        if let (true, Some(name)) = (system.unnamed.contains(&input), whole(parts)) {
            system.unnamed.remove(&input);
            system.terms.rename(input, &name);
        }
    }
    for (constraint, path) in system.constraints.iter_mut().zip(&map.assumes) {
        constraint.name.get_or_insert_with(|| Name::new(source(path).unwrap_or_else(|| joined(path))));
    }
    let bads = system.properties.iter_mut().filter(|p| matches!(p.id, PropertyId::Bad(_)));
    for (property, path) in bads.zip(&map.asserts) {
        match source(path) {
            Some(place) => drop(property.source.get_or_insert(Name::new(place))),
            None => drop(property.name.get_or_insert(Name::new(joined(path)))),
        }
    }
    model.clocks.clone_from(&map.clocks);
    model.map = Some(Box::new(map));
    Ok(())
}

/// Has a variable as many bits as the map says, and its name?
fn fits(system: &WordSystem, variable: Term, parts: &[indubit_system::Origin]) -> Result<(), Error> {
    let width = system.terms.sort(variable).width();
    let said: u64 = parts.iter().map(|part| u64::from(part.width)).sum();
    let name = system.terms.name(variable).unwrap_or_default();
    if !parts.is_empty() && width.is_some_and(|width| u64::from(width) != said) {
        return Err(misfit(
            format!("{said} bits of `{}`", joined(&parts[0].path)),
            format!("those of `{name}`"),
        ));
    }
    Ok(())
}
