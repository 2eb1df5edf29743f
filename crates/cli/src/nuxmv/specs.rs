//! The properties of a session: numbers, names and what is known about them, as NuSMV lists them.

use super::commands::{What, similar};
use super::session::{Done, Session};
use super::words::Given;
use crate::exit::Failure;
use indubit::formats::model::WordModel;
use indubit::formats::smv::{Kind, Specification};
use std::fmt::Write;

/// A property, and what is known about it.
pub struct Spec {
    pub says: Specification,
    pub verdict: Option<bool>,
    /// The number of the trace that decides it.
    pub trace: Option<usize>,
}

impl Spec {
    pub fn new(says: Specification) -> Spec {
        Spec { says, verdict: None, trace: None }
    }
    /// The formula, with the instance that it stands in: `z IN a`. A blank stands behind it if that is `main`.
    pub fn text(&self) -> String {
        let inside = &self.says.inside;
        if inside.is_empty() {
            format!("{} ", self.says.text)
        } else {
            format!("{} IN {inside}", self.says.text)
        }
    }
    /// `-- invariant … is true`.
    pub fn verdict_line(&self, is_true: bool) -> String {
        let what = if self.says.kind == Kind::Invariant { "invariant" } else { "specification" };
        format!("-- {what} {} is {is_true}\n", self.text())
    }
    fn kind(&self) -> &'static str {
        match self.says.kind {
            Kind::Ctl => "CTL",
            Kind::Compute => "Quantitative",
            Kind::Ltl => "LTL",
            Kind::Invariant => "Invar",
        }
    }
    fn status(&self) -> &'static str {
        match self.verdict {
            None => "Unchecked",
            Some(true) => "True",
            Some(false) => "False",
        }
    }
    fn trace_number(&self) -> String {
        self.trace.map_or_else(|| "N/A".into(), |number| number.to_string())
    }
}

/// The kinds of properties that letters stand for; none if no letter is there.
fn kinds(given: &Given) -> Result<Vec<Kind>, String> {
    if given.has('s') {
        return Err("PSL is not read".into());
    }
    let letters = [('c', Kind::Ctl), ('q', Kind::Compute), ('l', Kind::Ltl), ('i', Kind::Invariant)];
    Ok(letters.into_iter().filter(|&(letter, _)| given.has(letter)).map(|(_, kind)| kind).collect())
}

impl Session {
    /// The positions of the properties that a command is about; a formula is added as one.
    pub fn selected(&mut self, what: What, given: &Given) -> Result<Vec<usize>, String> {
        self.need_model()?;
        let kind = match what {
            What::Invar => Some(Kind::Invariant),
            What::Ltl => Some(Kind::Ltl),
            What::Ctl => Some(Kind::Ctl),
            What::Compute => Some(Kind::Compute),
            What::All => None,
        };
        if let Some(text) = given.value('p') {
            let among = if kind.is_some() { Vec::new() } else { kinds(given)? };
            return match kind.or(among.first().copied()) {
                Some(Kind::Compute) => Err("numbers of steps (COMPUTE) are not computed".into()),
                Some(kind) => self.add(kind, text).map(|position| vec![position]),
                None => Err("of which kind is the formula? -l LTL, -i invariant, -c CTL".into()),
            };
        }
        if let Some(position) = self.single(given)? {
            return match kind.filter(|&kind| kind != self.specs[position].says.kind) {
                Some(kind) => {
                    let is = self.specs[position].kind();
                    Err(format!("property {position} is of kind {is}, not {}", named(kind)))
                }
                None => Ok(vec![position]),
            };
        }
        let wanted = match kind {
            Some(kind) => vec![kind],
            None => kinds(given)?,
        };
        let is_wanted = |spec: &Spec| wanted.is_empty() || wanted.contains(&spec.says.kind);
        Ok((0..self.specs.len()).filter(|&i| is_wanted(&self.specs[i])).collect())
    }
    /// The property that `-n` or `-P` says.
    fn single(&self, given: &Given) -> Result<Option<usize>, String> {
        if let Some(number) = given.number('n')? {
            let index = number as usize;
            return match self.specs.len() {
                n if index < n => Ok(Some(index)),
                0 => Err(format!("there is no property {index}: the model has none")),
                n => Err(format!("there is no property {index}: they are numbered from 0 to {}", n - 1)),
            };
        }
        let Some(name) = given.value('P') else { return Ok(None) };
        let called = |spec: &Spec| spec.says.name.as_deref() == Some(name);
        match self.specs.iter().position(called) {
            Some(position) => Ok(Some(position)),
            None => {
                let names = self.specs.iter().filter_map(|spec| spec.says.name.as_deref());
                let close = similar(names, name);
                let advice = match &close[..] {
                    [] => "`show_property` lists those there are".into(),
                    close => format!("did you mean {}?", close.join(" or ")),
                };
                Err(format!("there is no property `{name}` ({advice})"))
            }
        }
    }
    /// Add a property.
    fn add(&mut self, kind: Kind, text: &str) -> Result<usize, String> {
        let Some(WordModel::Smv(model)) = &mut self.model else { return Err("there is no model".into()) };
        // Some scripts end a formula as in a file.
        let text = text.trim().trim_end_matches(';');
        let added = model.add_specification(kind, text).map_err(|error| error.to_string())?;
        self.specs.push(Spec::new(added));
        Ok(self.specs.len() - 1)
    }
    /// `add_property`.
    pub fn add_property(&mut self, given: &Given) -> Result<Done, Failure> {
        let kinds = match self.need_model().and_then(|()| kinds(given)) {
            Ok(kinds) => kinds,
            Err(why) => return Ok(Err(why)),
        };
        Ok(match (&kinds[..], given.value('p')) {
            ([Kind::Compute], _) => Err("numbers of steps (COMPUTE) are not computed".into()),
            (&[kind], Some(text)) => {
                let name = given.value('n');
                let is_there = |spec: &Spec| name.is_some() && spec.says.name.as_deref() == name;
                match self.specs.iter().position(is_there) {
                    Some(position) => Err(format!("property {position} has that name already")),
                    None => self.add(kind, text).map(|position| {
                        self.specs[position].says.name = name.map(str::to_owned);
                    }),
                }
            }
            (_, None) => Err("which formula? -p FORMULA".into()),
            _ => Err("of which kind is it? -l LTL, -i invariant, or -c CTL".into()),
        })
    }
    /// `convert_property_to_invar`: what always holds is an invariant.
    pub fn convert_properties(&mut self, given: &Given) -> Result<Done, Failure> {
        let positions = match self.selected(What::All, given) {
            Ok(positions) => positions,
            Err(why) => return Ok(Err(why)),
        };
        for position in positions {
            let Spec { says, .. } = &self.specs[position];
            let inside = if says.inside.is_empty() { String::new() } else { format!(" IN {}", says.inside) };
            let body = says.text.strip_prefix(" G ").or_else(|| says.text.strip_prefix("AG "));
            let Some(formula) = body.map(|body| format!("{body}{inside}")) else { continue };
            // What is temporal below `G` is no invariant, and is left alone.
            let Ok(added) = self.add(Kind::Invariant, &formula) else { continue };
            self.say(&format!("-- invariant {} is property {added}\n", self.specs[added].text()))?;
        }
        Ok(Ok(()))
    }
    /// `show_property`.
    pub fn show_property(&mut self, given: &Given) -> Result<Done, Failure> {
        if let Err(why) = self.need_model() {
            return Ok(Err(why));
        }
        if given.has('s') {
            self.say(&format!("Current number of stored properties: {}\n", self.specs.len()))?;
            return Ok(Ok(()));
        }
        let (single, kinds) = match (self.single(given), kinds(given)) {
            (Ok(single), Ok(kinds)) => (single, kinds),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
        let mut states = Vec::new();
        for (letter, verdict) in [('u', None), ('t', Some(true)), ('f', Some(false))] {
            if given.has(letter) {
                states.push(verdict);
            }
        }
        let is_shown = |(i, spec): &(usize, &Spec)| {
            single.is_none_or(|single| single == *i)
                && (kinds.is_empty() || kinds.contains(&spec.says.kind))
                && (states.is_empty() || states.contains(&spec.verdict))
        };
        let shown = self.specs.iter().enumerate().filter(is_shown);
        let text = match given.value('F') {
            None | Some("tabular") => listed(shown),
            Some("xml") => xml(shown),
            Some("help") => "The formats are: tabular xml\n".into(),
            Some(other) => return Ok(Err(format!("there is no format `{other}`: tabular or xml"))),
        };
        self.say(&text)?;
        Ok(Ok(()))
    }
}

fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Ctl => "CTL",
        Kind::Compute => "COMPUTE",
        Kind::Ltl => "LTL",
        Kind::Invariant => "Invar",
    }
}

fn listed<'s>(specs: impl Iterator<Item = (usize, &'s Spec)>) -> String {
    let mut text = String::from(
        "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****\n--------------------------  PROPERTY LIST  -------------------------\n",
    );
    for (i, spec) in specs {
        let (kind, status, trace) = (spec.kind(), spec.status(), spec.trace_number());
        let name = spec.says.name.as_deref().unwrap_or("N/A");
        let _ = writeln!(text, "{i:03} :{}\n  [{kind:<15}{status:<15}{trace:<7}{name}]", spec.text());
    }
    text
}

fn xml<'s>(specs: impl Iterator<Item = (usize, &'s Spec)>) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<properties xmlns=\"http://es.fbk.eu\"\nxmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\nxsi:schemaLocation=\"http://es.fbk.eu/xsd properties.xsd\">\n",
    );
    for (i, spec) in specs {
        let name = spec.says.name.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "\n  <property>\n    <name>{name}</name>\n    <index>{i}</index>\n    <formula><![CDATA[\n{}\n]]>\n</formula>\n    <type>{}</type>\n    <status>{}</status>\n    <bound>-1</bound>\n    <trace>{}</trace>\n </property>",
            spec.text(),
            spec.kind(),
            spec.status().to_uppercase(),
            spec.trace.unwrap_or(0)
        );
    }
    text + "\n</properties>\n"
}
