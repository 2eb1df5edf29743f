//! Certificates in BTOR2: a proof as a model that moves as the user's does and has an inductive property, which Cerbtora checks.
//!
//! A certificate is the model, line by line and with its numbers, but for its properties and symbols: that it moves as the model does is seen at a glance. The
//! symbol of each input and of each state is `=` and the line of the model that it stands for. There is one bad state: a bad state of the model, or that the
//! invariant does not hold. Bad states are never negated numbers, which Cerbtora does not take.
//!
//! **What it is about.** All bad states of the model; or one of several, as the comment at the end says, `; WITNESS b3 model.btor2`: then it is about the
//! model without the others, which [`subject`] is. Justice has no certificates in BTOR2.
//!
//! **k-induction** is as in [`certificate`](crate::certificate): the last `k - 1` steps are remembered in states of the certificate, `history` makes them.
//!
//! **Initial values that depend on inputs** are what a state `.first` of the system is for, which becomes one of the certificate; that they are the initial values
//! while it is true is part of the property.

use super::Btor2;
use super::line::Line;
use super::write::Writer;
use crate::certificate::{Claim as About, first_line};
use crate::{Error, Place};
use indubit_system::{Claim, Property, PropertyId, WordProof};
use indubit_term::{ArraySort, Scalar, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Proofs of properties of a model as one certificate; `file_name` is how its comment calls the model. An error says why there is none.
pub fn write(
    model: &Btor2,
    proofs: &[(&Property<Term>, &WordProof)],
    file_name: &str,
) -> Result<String, String> {
    let Some(file) = &model.file else {
        return Err("a certificate is about a file in BTOR2, and the model comes from something else".into());
    };
    let system = &model.system;
    let copied = Copied::of(file);
    let (mut invariants, mut depth) = (Vec::new(), 1);
    for (property, proof) in proofs {
        match proof {
            _ if matches!(property.claim, Claim::Justice(_)) => {
                return Err("there are no certificates for justice in BTOR2; \
                     as AIGER, which `indubit convert` writes, the model has one"
                    .into());
            }
            WordProof::Inductive { terms, invariant } => invariants.push((terms, *invariant)),
            WordProof::KInductive { k, simple_path: false } => depth = depth.max(*k),
            proof => {
                return Err(format!(
                    "the proof is {}, for which there is no certificate; --engine ic3 finds one that has",
                    proof.shape()
                ));
            }
        }
    }
    let Some((mut terms, invariant)) = system.conjunction(&invariants) else {
        return Err("the proof is about other terms than those of the model".into());
    };
    let late = system.constraints.iter().skip(copied.n_constraints).map(|c| c.holds);
    let mut good: Vec<Term> = [invariant].into_iter().chain(late).collect();
    let mut own = first(model, &mut terms);
    if depth > 1 {
        let claims: Vec<Term> = proofs.iter().filter_map(|(p, _)| p.claim.always(&mut terms)).collect();
        history(model, &mut terms, depth, &claims, &mut good, &mut own);
    }
    let good = terms.and(&good);
    // The bad states of the file as they stand there, and what else must not be reached.
    let (mut bads, mut others) = (Vec::new(), Vec::new());
    for (property, _) in proofs {
        match property.id {
            PropertyId::Bad(i) if i < copied.bads.len() => bads.push(copied.bads[i].clone()),
            _ => others.extend(property.claim.always(&mut terms)),
        }
    }
    let good = terms.and(&[&[good], &others[..]].concat());
    let mut writer = copied.writer(model, &terms);
    for state in &own {
        let value = state.init.map(|value| writer.node(value)).transpose()?;
        let (id, sort) = (writer.variable("state", state.var)?, writer.sort(terms.sort(state.var))?);
        if let Some(value) = value {
            writer.line(format_args!("init {sort} {id} {value}"));
        }
    }
    for state in &own {
        let (value, sort) = (writer.node(state.next)?, writer.sort(terms.sort(state.var))?);
        let id = writer.nodes[&state.var];
        writer.line(format_args!("next {sort} {id} {value}"));
    }
    let (sort, good) = (writer.sort(Sort::Bool)?, writer.node(good)?);
    let mut bad = writer.line(format_args!("not {sort} {good}"));
    for node in bads {
        bad = writer.line(format_args!("or {sort} {bad} {node}"));
    }
    writer.line(format_args!("bad {bad}"));
    if writer.has_constant_arrays {
        return Err("the invariant speaks of constant arrays, for which BTOR2 has no word".into());
    }
    let about = match proofs {
        [(property, _)] => property.id.to_string(),
        _ => "all".into(),
    };
    let _ = write!(writer.text, "; {}", first_line(about, file_name));
    Ok(writer.text)
}

/// The model without other properties than this one, if that is a bad state of its file: its lines with their numbers.
pub fn subject(model: &Btor2, property: PropertyId) -> Option<Vec<u8>> {
    let PropertyId::Bad(wanted) = property else { return None };
    let (mut text, mut n_bads) = (Vec::new(), 0);
    for line in model.file.as_ref()?.split_inclusive(|&b| b == b'\n') {
        let mut words = Line::new(0, line);
        let tag = words.next().and_then(|_| words.next()).map(|word| word.bytes);
        let is_kept = match tag {
            Some(b"bad") => {
                n_bads += 1;
                n_bads - 1 == wanted
            }
            Some(b"justice" | b"fair") => false,
            _ => true,
        };
        if is_kept {
            text.extend_from_slice(line);
        }
    }
    (wanted < n_bads).then_some(text)
}

/// The property that a certificate says it is about, if it does.
pub fn property(certificate: &[u8]) -> Option<PropertyId> {
    let comments = certificate.split(|&b| b == b'\n').filter_map(|line| line.trim_ascii().strip_prefix(b";"));
    let comments: Vec<&[u8]> = comments.map(<[u8]>::trim_ascii).collect();
    About::read(&comments.join(&b'\n')).property
}

/// The lines of the model that inputs and states of a certificate stand for, by their positions; others are its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    /// Of its inputs.
    pub inputs: Vec<Option<u64>>,
    /// Of its states.
    pub states: Vec<Option<u64>>,
}

/// What the symbols of a certificate say. If they say nothing, its first inputs and states stand for those of the model, in their order.
pub fn images(certificate: &[u8], model: &Btor2) -> Result<Images, Error> {
    let mut images = Images::default();
    for (i, text) in certificate.split(|&b| b == b'\n').enumerate() {
        let mut line = Line::new(i + 1, text);
        let (Some(_), Some(tag)) = (line.next(), line.next()) else { continue };
        let list = match tag.bytes {
            b"input" => &mut images.inputs,
            b"state" => &mut images.states,
            _ => continue,
        };
        let symbol = line.next().and_then(|_sort| line.next());
        list.push(match symbol.filter(|symbol| symbol.bytes.len() > 1 && symbol.bytes[0] == b'=') {
            None => None,
            Some(symbol) => {
                let digits: String = symbol.text().chars().skip(1).take_while(char::is_ascii_digit).collect();
                let expected = "`=` and the number of an input or a state of the model";
                Some(digits.parse().map_err(|_| symbol.error(expected))?)
            }
        });
    }
    if images.inputs.iter().chain(&images.states).all(Option::is_none) {
        let zip = |own: &mut Vec<Option<u64>>, theirs: &[u64]| {
            own.iter_mut().zip(theirs).for_each(|(image, &line)| *image = Some(line));
        };
        zip(&mut images.inputs, &model.inputs);
        zip(&mut images.states, &model.states);
    }
    let (mut seen, known) = (FxHashSet::default(), [&model.inputs, &model.states]);
    for line in images.inputs.iter().chain(&images.states).flatten() {
        let what = match (seen.insert(*line), known.iter().any(|lines| lines.contains(line))) {
            (_, false) => format!("`={line}`, which is neither an input nor a state of the model"),
            (false, _) => format!("`={line}` twice"),
            (true, true) => continue,
        };
        return Err(Error::new(Place::None, what, "one image at most of each input and state of the model"));
    }
    Ok(images)
}

/// The lines of a model that its certificate has, too, and what is known of them.
#[derive(Default)]
struct Copied {
    text: String,
    last: u64,
    sorts: FxHashMap<Sort, u64>,
    /// The nodes of the bad states, as they are written.
    bads: Vec<String>,
    n_constraints: usize,
}

impl Copied {
    /// Of a file that has been read.
    fn of(file: &[u8]) -> Copied {
        let mut copied = Copied::default();
        let mut sorts: FxHashMap<&[u8], Sort> = FxHashMap::default();
        for text in file.split(|&b| b == b'\n') {
            let mut line = Line::new(0, text);
            let words: Vec<&[u8]> = std::iter::from_fn(|| line.next()).map(|word| word.bytes).collect();
            let [id, tag, rest @ ..] = &words[..] else { continue };
            let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<u64>().ok();
            copied.last = number(id).unwrap_or(copied.last);
            let scalar = |word: &&[u8]| match sorts.get(*word) {
                Some(Sort::BitVec(width)) => Some(Scalar::BitVec(*width)),
                _ => None,
            };
            let mut kept = words.len();
            match (*tag, rest) {
                (b"bad", [node, ..]) => {
                    copied.bads.push(String::from_utf8_lossy(node).into_owned());
                    continue;
                }
                (b"justice" | b"fair" | b"output", _) => continue,
                (b"constraint", _) => copied.n_constraints += 1,
                (b"sort", [b"bitvec", width, ..]) => {
                    let width = number(width).and_then(|width| u32::try_from(width).ok());
                    sorts.extend(width.map(|width| (*id, Sort::BitVec(width))));
                }
                (b"sort", [b"array", index, element, ..]) => {
                    if let (Some(index), Some(element)) = (scalar(index), scalar(element)) {
                        sorts.insert(id, Sort::Array(ArraySort { index, element: element.into() }));
                    }
                }
                // Without their symbols.
                (b"input" | b"state", _) => kept = 3,
                _ => (),
            }
            if let (b"sort", Some(&sort)) = (*tag, sorts.get(id)) {
                copied.sorts.entry(sort).or_insert(copied.last);
            }
            for (i, word) in words.iter().take(kept).enumerate() {
                let _ =
                    write!(copied.text, "{}{}", if i > 0 { " " } else { "" }, String::from_utf8_lossy(word));
            }
            if matches!(*tag, b"input" | b"state") {
                let _ = write!(copied.text, " ={}", String::from_utf8_lossy(id));
            }
            copied.text.push('\n');
        }
        copied
    }
    /// To go on behind them.
    fn writer<'t>(self, model: &Btor2, terms: &'t Terms) -> Writer<'t> {
        let mut writer = Writer::new(terms);
        (writer.text, writer.last, writer.sorts) = (self.text, self.last, self.sorts);
        let states = model.system.states.iter().map(|v| v.current).zip(model.states.iter().copied());
        writer.nodes.extend(states);
        writer.nodes.extend(model.system.inputs.iter().copied().zip(model.inputs.iter().copied()));
        writer
    }
}

/// A state, and its initial and next values as far as there are any.
type Function = (Term, (Option<Term>, Option<Term>));

/// A state of the certificate that is none of the model.
struct Own {
    var: Term,
    init: Option<Term>,
    next: Term,
}

/// The state that says that this is the first step, if the system has one.
fn first(model: &Btor2, terms: &mut Terms) -> Vec<Own> {
    let more = model.system.states.iter().skip(model.states.len());
    more.map(|v| Own { var: v.current, init: Some(terms.bool(true)), next: terms.bool(false) }).collect()
}

/// The last `k - 1` steps, remembered in states of the certificate, for claims that are k-inductive all together: adds what holds of them to `good`.
///
/// The construction and why it is right stand at `History` in `certificate.rs`: (Q) the claims hold at present and with the constraints in every valid moment; (F) every valid
/// moment is followed by the one after it; (V) only the oldest ones are not valid; (R) the oldest one is initial, unless all are valid.
fn history(
    model: &Btor2,
    terms: &mut Terms,
    k: u32,
    claims: &[Term],
    good: &mut Vec<Term>,
    own: &mut Vec<Own>,
) {
    let system = &model.system;
    let first = own.first().map(|own| (own.init, Some(own.next)));
    let functions = model.inits.iter().copied().zip(model.nexts.iter().copied()).chain(first);
    let functions: Vec<Function> = system.states.iter().map(|v| v.current).zip(functions).collect();
    let constraints = system.constraints.iter().map(|c| c.holds);
    let holds: Vec<Term> = claims.iter().copied().chain(constraints).collect();
    // Only what claims and constraints depend on is remembered.
    let of_state: FxHashMap<Term, (Option<Term>, Option<Term>)> = functions.iter().copied().collect();
    let mut leaves = terms.variables(&holds);
    let mut seen: FxHashSet<Term> = leaves.iter().copied().collect();
    let mut open = 0;
    while let Some(leaf) = leaves.get(open) {
        open += 1;
        if let Some(&(init, next)) = of_state.get(leaf) {
            let roots: Vec<Term> = init.into_iter().chain(next).collect();
            leaves.extend(terms.variables(&roots).into_iter().filter(|&var| seen.insert(var)));
        }
    }
    let states: Vec<Function> = functions.into_iter().filter(|(var, _)| seen.contains(var)).collect();
    let resets: Vec<Term> =
        states.iter().filter_map(|&(var, (init, _))| init.map(|init| terms.eq(var, init))).collect();
    let initial = terms.and(&resets);
    let nexts: Vec<(Term, Term)> = states.iter().filter_map(|&(var, (_, next))| Some((var, next?))).collect();
    let roots: Vec<Term> =
        [initial].into_iter().chain(holds).chain(nexts.iter().map(|&(_, next)| next)).collect();
    let n_holds = roots.len() - 1 - nexts.len();
    let (truth, falsum) = (terms.bool(true), terms.bool(false));
    let mut later: FxHashMap<Term, Term> = leaves.iter().map(|&leaf| (leaf, leaf)).collect();
    let (mut later_valid, mut later_initial) = (truth, initial);
    good.extend(claims);
    for _ in 1..k {
        let valid = terms.var("", Sort::Bool);
        own.push(Own { var: valid, init: Some(falsum), next: later_valid });
        let mut moment: FxHashMap<Term, Term> = FxHashMap::default();
        for &leaf in &leaves {
            let copy = terms.var("", terms.sort(leaf));
            own.push(Own { var: copy, init: None, next: later[&leaf] });
            moment.insert(leaf, copy);
        }
        let then = terms.substitute_all(&roots, &moment);
        let mut all = then[1..=n_holds].to_vec();
        for (&(var, _), &next) in nexts.iter().zip(&then[1 + n_holds..]) {
            all.push(terms.eq(later[&var], next));
        }
        let all = terms.and(&all);
        let (not_valid, implied) = (terms.not(valid), terms.implies(valid, all));
        let is_oldest = terms.and(&[later_valid, not_valid]);
        good.extend([implied, terms.implies(valid, later_valid), terms.implies(is_oldest, later_initial)]);
        (later, later_valid, later_initial) = (moment, valid, then[0]);
    }
}
