//! Which properties the user means.

use crate::exit::Failure;
use crate::terminal::printable;
use indubit::{BitSystem, Property, PropertyKind};

/// A property of the model, as it is called in all outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// Its position in [`BitSystem::properties`].
    pub index: usize,
    /// Its kind and index there, and its symbol.
    pub property: Property,
}

impl Selected {
    /// `b3`.
    pub fn id(&self) -> String {
        self.property.id()
    }
    /// `overflow (b3)`, or `b3` if it has no name.
    pub fn title(&self) -> String {
        title(&self.property)
    }
    /// The index among the bad signals; `None` for a justice property.
    pub fn bad(&self) -> Option<usize> {
        match self.property.kind {
            PropertyKind::Bad(i) | PropertyKind::Output(i) => Some(i),
            PropertyKind::Justice(_) => None,
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
pub fn select(system: &BitSystem, wanted: &[String]) -> Result<Vec<Selected>, Failure> {
    let properties = system.properties();
    if properties.is_empty() {
        return Err(no_property());
    }
    let mut indices: Vec<usize> = Vec::new();
    for text in wanted {
        let index = find(&properties, text)?;
        if matches!(properties[index].kind, PropertyKind::Justice(_)) {
            let title = title(&properties[index]);
            let message =
                format!("property {title} is a justice (liveness) property, which cannot be checked yet");
            return Err(Failure::bad_input(message).with_hint("bad-state properties can be checked"));
        }
        if !indices.contains(&index) {
            indices.push(index);
        }
    }
    if wanted.is_empty() {
        indices = (0..properties.len()).collect();
    }
    Ok(indices.into_iter().map(|index| Selected { index, property: properties[index].clone() }).collect())
}

/// There is nothing to check.
pub fn no_property() -> Failure {
    Failure::bad_input("the model has no property: no bad state, no output and no justice")
        .with_hint("add a bad-state signal (the B section of AIGER 1.9), or an output that must stay 0")
}

/// The property that `text` stands for: a number, an identifier or a name, as long as there is only one such property.
/// Outputs of old files, which are bad states, may be called so: `b3` for `o3`.
pub fn find(properties: &[Property], text: &str) -> Result<usize, Failure> {
    let number = text.parse::<usize>().ok();
    let is_meant = |(i, p): (usize, &Property)| {
        let is_bad =
            matches!(p.kind, PropertyKind::Output(i) if text.strip_prefix('b') == Some(&i.to_string()));
        number == Some(i)
            || is_bad
            || p.id() == text
            || p.name.as_ref().is_some_and(|n| n.to_string() == text)
    };
    let found: Vec<usize> = (0..properties.len()).filter(|&i| is_meant((i, &properties[i]))).collect();
    match found[..] {
        [] => Err(unknown(properties, text)),
        [index] => Ok(index),
        _ => {
            let listed: Vec<String> =
                found.iter().map(|&i| format!("{i}: {}", title(&properties[i]))).collect();
            let message = format!("`{text}` is ambiguous: it may be {}", listed.join(", or "));
            Err(Failure::bad_input(message)
                .with_hint("use its number or identifier, whichever nothing else is called"))
        }
    }
}

fn unknown(properties: &[Property], text: &str) -> Failure {
    const LISTED: usize = 10;
    let listed = properties.iter().take(LISTED).enumerate().map(|(i, p)| format!("{i}: {}", title(p)));
    let mut listed: Vec<String> = listed.collect();
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
        select(&model(), &[text.into()]).ok().map(|s| s[0].index)
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
        let one_of = |text: &str| select(&model, &[text.into()]).ok().map(|s| s[0].index);
        assert_eq!((one_of("2"), one_of("b2"), one_of("6")), (None, Some(2), Some(6)));
        // Outputs of an old file.
        let mut old = BitSystem::new();
        old.outputs = vec![indubit::system::Signal { lit: Lit::FALSE, name: None }; 2];
        let one_of = |text: &str| select(&old, &[text.into()]).ok().map(|s| s[0].index);
        assert_eq!(
            (one_of("b1"), one_of("o1"), one_of("b2"), one_of("1")),
            (Some(1), Some(1), None, Some(1))
        );
        // Liveness is refused when asked for, by whatever name.
        assert_eq!((one("live"), one("j0"), one("6")), (None, None, None));
    }

    #[test]
    fn all_or_some() {
        assert_eq!(select(&model(), &[]).unwrap().len(), 7);
        let some = select(&model(), &["b4".into(), "a".into(), "4".into()]).unwrap();
        assert_eq!(some.iter().map(|s| s.index).collect::<Vec<_>>(), [4, 0]);
        assert_eq!((some[0].title(), some[0].bad()), ("same (b4)".into(), Some(4)));
        assert!(select(&BitSystem::new(), &[]).is_err());
    }
}
