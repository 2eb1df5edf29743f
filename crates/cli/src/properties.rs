//! Which properties the user means, and what they are called in all outputs.

use crate::exit::Failure;
use crate::kinds::Presented;
use crate::terminal::{extend, printable};
use indubit::formats::Error;
use indubit::{ClaimKind, Property, PropertyId};
use serde_json::{Value, json};

/// A property of the model, as it is called in all outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its position in the model.
    pub index: usize,
    pub id: PropertyId,
    pub name: Option<String>,
    /// The line of its source, if that is known.
    pub line: Option<usize>,
    /// Where it stands in what the file was made of.
    pub source: Option<String>,
    pub claim: ClaimKind,
}

impl Listed {
    pub fn all<F>(properties: &[Property<F>]) -> Vec<Listed> {
        let listed = |(index, p): (usize, &Property<F>)| Listed {
            index,
            id: p.id,
            name: p.name.as_ref().map(ToString::to_string),
            line: p.line,
            source: p.source.as_ref().map(ToString::to_string),
            claim: p.claim.kind(),
        };
        properties.iter().enumerate().map(listed).collect()
    }
    /// Its number: its position, or that which the file gives.
    pub fn number(&self) -> u64 {
        match self.id {
            PropertyId::Invar(number) => number,
            // One that is added has no line.
            PropertyId::Ltl(number) | PropertyId::Ctl(number) if self.line.is_some() => number as u64,
            _ => self.index as u64,
        }
    }
    /// Its name, or what else it is called.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.id.to_string())
    }
    /// `overflow (b3)`, or `b3` if it has no name.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{} ({})", printable(name), self.id),
            None => self.id.to_string(),
        }
    }
    /// Where it is, for people: in the source of the file, or in the file.
    pub fn place(&self) -> Option<String> {
        let source = self.source.as_ref().map(|source| printable(source));
        source.or_else(|| self.line.map(|line| format!("line {line}")))
    }
    /// What formats call this kind of property.
    pub fn kind(&self) -> &'static str {
        match self.id {
            PropertyId::Bad(_) => "bad",
            PropertyId::Output(_) => "output",
            PropertyId::Justice(_) => "justice",
            PropertyId::Invar(_) => "invar",
            PropertyId::Cover(_) => "cover",
            PropertyId::Ltl(_) | PropertyId::LtlSafety(_) => "ltl",
            PropertyId::Ctl(_) => "ctl",
        }
    }
    /// For programs: what it is called, and more.
    pub fn json_with(&self, details: Value) -> Value {
        let (id, claim) = (self.id.to_string(), self.claim.to_string());
        let mut object =
            json!({"index": self.index, "id": id, "name": self.name, "kind": self.kind(), "claim": claim});
        extend(&mut object, details);
        object
    }
    /// Is this text another name for it? Outputs of old files, which are bad states, may be called so: `b3` for `o3`.
    fn is_called(&self, text: &str) -> bool {
        let is_bad = matches!(self.id, PropertyId::Output(i) if PropertyId::Bad(i).to_string() == text);
        is_bad || self.id.to_string() == text || self.name.as_deref() == Some(text)
    }
}

/// The properties to check, in the order of the model: those that were asked for, the covers, and those that were added, or all.
pub fn select(
    all: Vec<Listed>,
    wanted: &[String],
    covers_only: bool,
    added: &[usize],
) -> Result<Vec<Listed>, Failure> {
    if all.is_empty() {
        return Err(no_property());
    }
    let mut indices = Vec::new();
    for text in wanted {
        indices.push(find(&all, text)?);
    }
    indices.extend(added);
    let is_all = wanted.is_empty() && added.is_empty();
    let is_wanted = |p: &Listed| match p.id {
        PropertyId::Cover(_) => is_all || covers_only || indices.contains(&p.index),
        _ => (is_all && !covers_only) || indices.contains(&p.index),
    };
    Ok(all.into_iter().filter(is_wanted).collect())
}

/// Add a cover to a model: its position.
pub fn add_cover<K: Presented>(model: &mut K::Model, text: &str) -> Result<usize, Failure> {
    K::add_cover(model, text).map_err(|error| {
        Failure::bad_input(format!("--cover '{}': {error}", printable(text)))
            .with_hint("a cover is the name of a signal, or a formula as in `indubit prove --help`")
    })?;
    Ok(K::properties(K::system(model)).len() - 1)
}

/// Add a claim in temporal logic to a model: its position.
pub fn add_ltl<K: Presented>(model: &mut K::Model, text: &str) -> Result<usize, Failure> {
    K::add_ltl(model, text).map_err(|error| no_formula("--ltl", text, &error, "G (request -> F granted)"))?;
    Ok(K::properties(K::system(model)).len() - 1)
}

/// Add a claim in computation tree logic to a model: its position.
pub fn add_ctl<K: Presented>(model: &mut K::Model, text: &str) -> Result<usize, Failure> {
    K::add_ctl(model, text)
        .map_err(|error| no_formula("--ctl", text, &error, "AG (request -> AF granted)"))?;
    Ok(K::properties(K::system(model)).len() - 1)
}

fn no_formula(option: &str, text: &str, error: &Error, example: &str) -> Failure {
    Failure::bad_input(format!("{option} '{}': {error}", printable(text))).with_hint(format!(
        "for example '{example}'; what is about one step is a formula as in `indubit prove --help`"
    ))
}

/// There is nothing to check.
pub fn no_property() -> Failure {
    Failure::bad_input("the model has no property: nothing is said to be bad, to hold always, or to happen for ever").with_hint(
        "AIGER: a bad-state signal (the B section), an output that must stay 0, or justice; BTOR2: `bad` or `justice`; SMV: INVARSPEC or LTLSPEC; \
         VMT: (define-fun p () Bool (! (>= x 0) :invar-property 0)), :live-property or :ltl-property; Verilog: assert; \
         or ask whether something can be reached: --cover NAME; or what must happen: --ltl FORMULA",
    )
}

/// The property that `text` stands for: a number, an identifier or a name, as long as there is only one such property.
pub fn find(properties: &[Listed], text: &str) -> Result<usize, Failure> {
    let number = text.parse::<u64>().ok();
    let is_meant = |p: &&Listed| number == Some(p.number()) || p.is_called(text);
    let found: Vec<&Listed> = properties.iter().filter(is_meant).collect();
    match found[..] {
        [] => Err(unknown(properties, text)),
        [property] => Ok(property.index),
        _ => {
            let listed: Vec<String> = found.iter().map(|p| numbered(p)).collect();
            let message = format!("`{text}` is ambiguous: it may be {}", listed.join(", or "));
            Err(Failure::bad_input(message)
                .with_hint("use its number or identifier, whichever nothing else is called"))
        }
    }
}

fn numbered(property: &Listed) -> String {
    format!("{}: {}", property.number(), property.title())
}

fn unknown(properties: &[Listed], text: &str) -> Failure {
    const LISTED: usize = 10;
    let mut listed: Vec<String> = properties.iter().take(LISTED).map(numbered).collect();
    if properties.len() > LISTED {
        listed.push(format!("… {} more", properties.len() - LISTED));
    }
    let hint = match properties.len() {
        0 => "the model has no property".into(),
        _ => {
            format!("the model has {}; --cover asks whether something else can be reached", listed.join(", "))
        }
    };
    Failure::bad_input(format!("there is no property `{}`", printable(text))).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::Lit;
    use indubit::system::Justice;
    use indubit::{BitSystem, Claim, WordSystem};

    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        for name in ["a", "b0", "", "same", "same", "7"] {
            model.add_bad(name, Lit::FALSE);
        }
        model.justice.push(Justice { lits: vec![], name: Some("live".into()) });
        model
    }

    fn listed(model: &BitSystem) -> Vec<Listed> {
        Listed::all(&model.properties())
    }

    #[test]
    fn by_number_identifier_and_name() {
        let one = |text: &str| find(&listed(&model()), text).ok();
        assert_eq!((one("0"), one("a"), one("2"), one("b2")), (Some(0), Some(0), Some(2), Some(2)));
        assert_eq!((one("b1"), one("b5"), one("5")), (Some(1), Some(5), Some(5)));
        // `b0` is the identifier of one and the name of another; `same` is used twice; only a name is 7.
        assert_eq!((one("b0"), one("same"), one("7"), one("x")), (None, None, Some(5), None));
        assert_eq!((one("live"), one("j0"), one("6")), (Some(6), Some(6), Some(6)));
        // A number that is the name of another one.
        let mut model = model();
        model.add_bad("2", Lit::FALSE);
        let one_of = |text: &str| find(&listed(&model), text).ok();
        assert_eq!((one_of("2"), one_of("b2"), one_of("6")), (None, Some(2), Some(6)));
        // Outputs of an old file.
        let mut old = BitSystem::new();
        old.outputs = vec![indubit::system::Signal { lit: Lit::FALSE, name: None }; 2];
        let one_of = |text: &str| find(&listed(&old), text).ok();
        assert_eq!(
            (one_of("b1"), one_of("o1"), one_of("b2"), one_of("1")),
            (Some(1), Some(1), None, Some(1))
        );
    }

    #[test]
    fn words_have_the_numbers_of_their_file() {
        let mut system = WordSystem::new();
        let holds = system.terms.bool(true);
        for (name, number) in [("a", 1), ("b", 3), ("7", 5)] {
            let id = PropertyId::Invar(number);
            system.properties.push(Property::new(id, name, Claim::Always(holds)));
        }
        let listed = Listed::all(&system.properties);
        let one = |text: &str| find(&listed, text).ok();
        assert_eq!(
            (one("1"), one("p1"), one("3"), one("p3"), one("b")),
            (Some(0), Some(0), Some(1), Some(1), Some(1))
        );
        assert_eq!((one("0"), one("p0"), one("2"), one("7"), one("5")), (None, None, None, Some(2), Some(2)));
        assert_eq!(listed[1].title(), "b (p3)");
    }

    #[test]
    fn all_or_some_in_the_order_of_the_model() {
        let indices = |model: &BitSystem, wanted: &[&str], covers: bool| -> Vec<usize> {
            let wanted: Vec<String> = wanted.iter().map(|&w| w.into()).collect();
            select(listed(model), &wanted, covers, &[]).unwrap().iter().map(|p| p.index).collect()
        };
        let mut model = model();
        assert_eq!(indices(&model, &[], false).len(), 7);
        assert_eq!(indices(&model, &["b4", "a", "4"], false), [0, 4]);
        model.add_cover("seen", Lit::TRUE);
        assert_eq!(indices(&model, &[], true), [7]);
        assert_eq!(indices(&model, &["a"], true), [0, 7]);
        assert!(select(listed(&BitSystem::new()), &[], false, &[]).is_err());
    }
}
