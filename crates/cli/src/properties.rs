//! Which properties the user means.

use crate::exit::Failure;
use crate::terminal::printable;
use indubit::formats::model::Model;
use indubit::{BitSystem, Property, PropertyKind, WordSystem};

/// A property of the model, as it is called in all outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// Its position in the model.
    pub index: usize,
    pub subject: Subject,
}

/// What it is a property of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Bits(Property),
    Words { name: String, number: u64 },
}

impl Selected {
    /// `b3`, or `p3` of words.
    pub fn id(&self) -> String {
        match &self.subject {
            Subject::Bits(property) => property.id(),
            Subject::Words { number, .. } => format!("p{number}"),
        }
    }
    /// Its number: its position, or that which the file gives.
    pub fn number(&self) -> u64 {
        match &self.subject {
            Subject::Bits(_) => self.index as u64,
            Subject::Words { number, .. } => *number,
        }
    }
    /// Its name, if it has one.
    pub fn name(&self) -> Option<String> {
        match &self.subject {
            Subject::Bits(property) => property.name.as_ref().map(ToString::to_string),
            Subject::Words { name, .. } => Some(name.clone()),
        }
    }
    /// Its name, or what else it is called.
    pub fn label(&self) -> String {
        self.name().unwrap_or_else(|| self.id())
    }
    /// `overflow (b3)`, or `b3` if it has no name.
    pub fn title(&self) -> String {
        match self.name() {
            Some(name) => format!("{} ({})", printable(&name), self.id()),
            None => self.id(),
        }
    }
    /// What the format calls this kind of property.
    pub fn kind_name(&self) -> &'static str {
        match &self.subject {
            Subject::Bits(property) => kind_name(property.kind),
            Subject::Words { .. } => "invar",
        }
    }
    /// Liveness cannot be checked yet.
    pub fn is_live(&self) -> bool {
        matches!(&self.subject, Subject::Bits(property) if property.kind.bad().is_none())
    }
    /// The index among the bad signals, if it is one.
    pub fn bad(&self) -> Option<usize> {
        match &self.subject {
            Subject::Bits(property) => property.kind.bad(),
            Subject::Words { .. } => None,
        }
    }
    /// Is this text another name for it? Outputs of old files, which are bad states, may be called so: `b3` for `o3`.
    fn is_called(&self, text: &str) -> bool {
        let is_bad = matches!(&self.subject, Subject::Bits(Property { kind: PropertyKind::Output(i), .. }) if text.strip_prefix('b') == Some(&i.to_string()));
        is_bad || self.id() == text || self.name().is_some_and(|name| name == text)
    }
}

/// All properties of a model of bits.
pub fn of_bits(system: &BitSystem) -> Vec<Selected> {
    let properties = system.properties().into_iter().map(Subject::Bits);
    properties.enumerate().map(|(index, subject)| Selected { index, subject }).collect()
}

/// All properties of a model of words.
pub fn of_words(system: &WordSystem) -> Vec<Selected> {
    let properties =
        system.properties.iter().map(|p| Subject::Words { name: p.name.clone(), number: p.number });
    properties.enumerate().map(|(index, subject)| Selected { index, subject }).collect()
}

/// All properties of a model, if there are any.
pub fn of(model: &Model) -> Result<Vec<Selected>, Failure> {
    match model {
        Model::Bits(system) => Some(of_bits(system)).filter(|p| !p.is_empty()).ok_or_else(no_property),
        Model::Words(words) => {
            Some(of_words(words.system())).filter(|p| !p.is_empty()).ok_or_else(no_property_of_words)
        }
    }
}

/// `overflow (b3)`, or `b3` if it has no name.
pub fn title(property: &Property) -> String {
    match &property.name {
        Some(name) => format!("{} ({})", printable(&name.to_string()), property.id()),
        None => property.id(),
    }
}

/// What AIGER calls this kind of property.
pub fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Bad(_) => "bad",
        PropertyKind::Output(_) => "output",
        PropertyKind::Justice(_) => "justice",
    }
}

/// The properties to check: all, or those that were asked for, in that order and each once.
pub fn select(properties: Vec<Selected>, wanted: &[String]) -> Result<Vec<Selected>, Failure> {
    let mut indices: Vec<usize> = Vec::new();
    for text in wanted {
        let index = find(&properties, text)?;
        if properties[index].is_live() {
            let title = properties[index].title();
            let message =
                format!("property {title} is a justice (liveness) property, which cannot be checked yet");
            return Err(Failure::bad_input(message).with_hint("bad-state properties can be checked"));
        }
        if !indices.contains(&index) {
            indices.push(index);
        }
    }
    if wanted.is_empty() {
        return Ok(properties);
    }
    Ok(indices.into_iter().map(|index| properties[index].clone()).collect())
}

/// There is nothing to check.
pub fn no_property() -> Failure {
    Failure::bad_input("the model has no property: no bad state, no output and no justice")
        .with_hint("add a bad-state signal (the B section of AIGER 1.9), or an output that must stay 0")
}

/// The same over words.
fn no_property_of_words() -> Failure {
    Failure::bad_input("the model has no property: no formula is annotated with :invar-property")
        .with_hint("annotate what shall always hold: (define-fun p () Bool (! (>= x 0) :invar-property 0))")
}

/// The property that `text` stands for: a number, an identifier or a name, as long as there is only one such property.
pub fn find(properties: &[Selected], text: &str) -> Result<usize, Failure> {
    let number = text.parse::<u64>().ok();
    let is_meant = |&i: &usize| number == Some(properties[i].number()) || properties[i].is_called(text);
    let found: Vec<usize> = (0..properties.len()).filter(is_meant).collect();
    match found[..] {
        [] => Err(unknown(properties, text)),
        [index] => Ok(index),
        _ => {
            let listed: Vec<String> = found.iter().map(|&i| numbered(&properties[i])).collect();
            let message = format!("`{text}` is ambiguous: it may be {}", listed.join(", or "));
            Err(Failure::bad_input(message)
                .with_hint("use its number or identifier, whichever nothing else is called"))
        }
    }
}

fn numbered(property: &Selected) -> String {
    format!("{}: {}", property.number(), property.title())
}

fn unknown(properties: &[Selected], text: &str) -> Failure {
    const LISTED: usize = 10;
    let mut listed: Vec<String> = properties.iter().take(LISTED).map(numbered).collect();
    if properties.len() > LISTED {
        listed.push(format!("… {} more", properties.len() - LISTED));
    }
    let hint = match properties.len() {
        0 => "the model has no property".into(),
        _ => format!("the model has {}", listed.join(", ")),
    };
    Failure::bad_input(format!("there is no property `{}`", printable(text))).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::Lit;
    use indubit::system::Justice;

    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        for name in ["a", "b0", "", "same", "same", "7"] {
            model.add_bad(name, Lit::FALSE);
        }
        model.justice.push(Justice { lits: vec![], name: Some("live".into()) });
        model
    }

    fn one(text: &str) -> Option<usize> {
        select(of_bits(&model()), &[text.into()]).ok().map(|s| s[0].index)
    }

    #[test]
    fn by_number_identifier_and_name() {
        assert_eq!((one("0"), one("a"), one("2"), one("b2")), (Some(0), Some(0), Some(2), Some(2)));
        assert_eq!((one("b1"), one("b5"), one("5")), (Some(1), Some(5), Some(5)));
        // `b0` is the identifier of one and the name of another; `same` is used twice; only a name is 7.
        assert_eq!((one("b0"), one("same"), one("7"), one("x")), (None, None, Some(5), None));
        // A number that is the name of another one.
        let mut model = model();
        model.add_bad("2", Lit::FALSE);
        let one_of = |text: &str| select(of_bits(&model), &[text.into()]).ok().map(|s| s[0].index);
        assert_eq!((one_of("2"), one_of("b2"), one_of("6")), (None, Some(2), Some(6)));
        // Outputs of an old file.
        let mut old = BitSystem::new();
        old.outputs = vec![indubit::system::Signal { lit: Lit::FALSE, name: None }; 2];
        let one_of = |text: &str| select(of_bits(&old), &[text.into()]).ok().map(|s| s[0].index);
        assert_eq!(
            (one_of("b1"), one_of("o1"), one_of("b2"), one_of("1")),
            (Some(1), Some(1), None, Some(1))
        );
        // Liveness is refused when asked for, by whatever name.
        assert_eq!((one("live"), one("j0"), one("6")), (None, None, None));
    }

    #[test]
    fn words_have_the_numbers_of_their_file() {
        let mut system = WordSystem::new();
        let holds = system.terms.bool(true);
        for (name, number) in [("a", 1), ("b", 3), ("7", 5)] {
            system.properties.push(indubit::system::WordProperty { name: name.into(), number, holds });
        }
        let one = |text: &str| select(of_words(&system), &[text.into()]).ok().map(|s| s[0].index);
        assert_eq!(
            (one("1"), one("p1"), one("3"), one("p3"), one("b")),
            (Some(0), Some(0), Some(1), Some(1), Some(1))
        );
        assert_eq!((one("0"), one("p0"), one("2"), one("7"), one("5")), (None, None, None, Some(2), Some(2)));
        assert_eq!(of_words(&system)[1].title(), "b (p3)");
    }

    #[test]
    fn all_or_some() {
        assert_eq!(select(of_bits(&model()), &[]).unwrap().len(), 7);
        let some = select(of_bits(&model()), &["b4".into(), "a".into(), "4".into()]).unwrap();
        assert_eq!(some.iter().map(|s| s.index).collect::<Vec<_>>(), [4, 0]);
        assert_eq!((some[0].title(), some[0].bad()), ("same (b4)".into(), Some(4)));
        assert!(of(&Model::Bits(BitSystem::new())).is_err());
        assert!(of(&Model::Bits(model())).is_ok_and(|all| all.len() == 7));
    }
}
