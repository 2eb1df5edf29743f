//! What the names of a model mean, as far as its symbols do not say it.

use crate::{Name, PropertyId};
use indubit_logic::{Lit, Var};
use std::collections::HashMap;

/// One name of an edge, of several that it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// What it is called.
    pub name: Name,
    /// The edge with the value that the user means: of a latch that holds the negation of a register, the negation of the latch.
    pub lit: Lit,
    /// The input or latch whose symbol says so; it is called by its aliases, and not by its symbol.
    pub of: Option<Var>,
}

/// Where bits are in the design that a model was made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The names of instances, and that of the signal, as the design has them.
    pub path: Vec<String>,
    /// The first of the bits.
    pub offset: u32,
    /// How many there are.
    pub width: u32,
}

/// A clock of the design that a model was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Which signal it is.
    pub origin: Origin,
    /// `posedge` or `negedge`.
    pub edge: String,
}

/// What is known about the names of a circuit besides its symbols.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// Those of a leaf are together, in the order of the leaves, the others behind them.
    aliases: Vec<Alias>,
    /// Where properties stand in what the file was made of.
    pub sources: HashMap<PropertyId, Name>,
    /// The files beside the model that some names come from.
    pub maps: Vec<String>,
    /// Why such files were not used.
    pub misfits: Vec<String>,
    /// Where inputs, by their position, are in the design, and whether only their value in the first step is of interest there.
    pub origins: Vec<(usize, Origin, bool)>,
    /// The clocks of the design.
    pub clocks: Vec<Clock>,
}

impl Naming {
    /// All aliases: of each leaf that has some, in the order of the leaves, and then of other edges.
    pub fn aliases(&self) -> &[Alias] {
        &self.aliases
    }
    /// These are all aliases. The first one of a leaf is what it is called in output.
    pub fn set_aliases(&mut self, mut aliases: Vec<Alias>) {
        aliases.sort_by_key(|alias| (alias.of.is_none(), alias.of));
        self.aliases = aliases;
    }
    /// The aliases of an input or a latch.
    pub fn of(&self, leaf: Var) -> &[Alias] {
        let begin = self.aliases.partition_point(|alias| alias.of.is_some_and(|of| of < leaf));
        let rest = &self.aliases[begin..];
        &rest[..rest.partition_point(|alias| alias.of == Some(leaf))]
    }
    /// The symbol that a leaf is to have where there is nothing but symbols: `!x` for the negation of x.
    pub fn symbol(&self, leaf: Var) -> Option<String> {
        let alias = self.of(leaf).first()?;
        Some(if alias.lit == !Lit::positive(leaf) {
            format!("!{}", alias.name)
        } else {
            alias.name.to_string()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_a_leaf_are_found() {
        let alias = |name: &str, var: u32, negated: bool, is_leaf: bool| {
            let var = Var::new(var);
            Alias { name: name.into(), lit: var.lit(negated), of: is_leaf.then_some(var) }
        };
        let mut naming = Naming::default();
        naming.set_aliases(vec![
            alias("gate", 2, false, false),
            alias("b", 7, true, true),
            alias("a", 3, false, true),
            alias("c", 7, true, true),
        ]);
        let names =
            |var: u32| naming.of(Var::new(var)).iter().map(|a| a.name.to_string()).collect::<Vec<_>>();
        assert_eq!((names(7), names(3), names(2)), (vec!["b".into(), "c".into()], vec!["a".into()], vec![]));
        assert_eq!(naming.symbol(Var::new(7)).as_deref(), Some("!b"));
        assert_eq!(naming.symbol(Var::new(3)).as_deref(), Some("a"));
        assert_eq!(naming.symbol(Var::new(2)), None);
    }
}
