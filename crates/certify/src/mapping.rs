//! Which signals of the model a witness circuit simulates, and by which of its own.
//!
//! As Certifaiger reads it: a comment line `MAPPING n` followed by `n` lines `witness_literal model_literal`; else
//! symbols of the witness's inputs and latches with a `=` and the model's literal; else the first inputs and the
//! first latches correspond. Literals are AIGER's, with inputs, latches and gates numbered consecutively and in order, as
//! in every binary file. (An ASCII witness that numbers its gates otherwise and maps one of them is read as if it
//! did not: it may be refused, but nothing is believed that does not hold.)
//!
//! The simulated signals are inputs and latches of the model. A mapped gate of the model would lose its meaning
//! to whatever the witness says, so it is refused.

use crate::Reason;
use crate::frame::{latch_at, leaf_label, leaves};
use crate::pairs::{Nodes, Pairs};
use indubit_logic::{Lit, Var, VarMap};
use indubit_system::BitSystem;

/// For the inputs and latches of the model their images in the witness.
pub(crate) struct Mapping {
    /// By position among the model's leaves: the edge of the witness.
    images: Vec<Option<Lit>>,
    /// For a leaf of the witness the position of the first leaf of the model it simulates, and whether
    /// as its negation.
    owners: VarMap<Option<(usize, bool)>>,
}

impl Mapping {
    /// The mapping that `witness` declares for `model`.
    pub fn read(model: &BitSystem, witness: &BitSystem) -> Result<Mapping, Reason> {
        let mut mapping = Mapping {
            images: vec![None; leaves(model).count()],
            owners: VarMap::filled(witness.aig().n_vars(), None),
        };
        let Some(pairs) = Pairs::MAPPING.read(witness)? else {
            mapping.map_in_order(model, witness);
            return Ok(mapping);
        };
        let nodes = Nodes::new(witness);
        for (from, to) in pairs {
            let Some(node) = nodes.lit(from) else {
                return misfit(format!("the mapping uses literal {from}, which the witness does not have"));
            };
            let position = (to / 2) as usize;
            if position == 0 || position > mapping.images.len() {
                let what = "is not an input or latch of the model";
                return misfit(format!("the mapping is for literal {to}, which {what}"));
            }
            let image = node ^ (to % 2 == 1);
            if mapping.images[position - 1].is_some_and(|other| other != image) {
                let label = leaf_label(model, position - 1);
                return misfit(format!("the mapping gives two images to {label} of the model"));
            }
            mapping.add(position - 1, image, witness);
        }
        Ok(mapping)
    }
    fn map_in_order(&mut self, model: &BitSystem, witness: &BitSystem) {
        for (i, input) in witness.inputs().iter().enumerate().take(model.inputs().len()) {
            self.add(i, input.lit, witness);
        }
        for (i, latch) in witness.latches().iter().enumerate().take(model.latches().len()) {
            self.add(model.inputs().len() + i, Lit::positive(latch.var), witness);
        }
    }
    fn add(&mut self, position: usize, image: Lit, witness: &BitSystem) {
        self.images[position] = Some(image);
        let is_leaf = !image.is_const() && witness.aig().fanins(image.var()).is_none();
        if is_leaf && self.owners[image.var()].is_none() {
            self.owners[image.var()] = Some((position, image.is_negated()));
        }
    }
    /// The image of the leaf of the model at `position`.
    pub fn image(&self, position: usize) -> Option<Lit> {
        self.images[position]
    }
    /// The leaf of the model that a leaf of the witness stands for, and whether as its negation.
    pub fn owner(&self, leaf: Var) -> Option<(usize, bool)> {
        self.owners[leaf]
    }
    /// Has the leaf of the model a leaf of the witness for itself?
    pub fn is_free(&self, position: usize) -> bool {
        self.images[position].is_some_and(|i| self.owners[i.var()].is_some_and(|(p, _)| p == position))
    }
    /// The leaves of the model whose image is not theirs alone: a gate, a constant, or a leaf that simulates
    /// another one already. The witness may be unable to give them every value.
    pub fn derived(&self) -> impl Iterator<Item = usize> {
        (0..self.images.len()).filter(|&p| self.images[p].is_some() && !self.is_free(p))
    }
    /// `K` in the model: the mapped latches, with their positions among the leaves.
    pub fn model_latches<'a>(&'a self, model: &'a BitSystem) -> impl Iterator<Item = (usize, usize)> + 'a {
        let mapped = (0..self.images.len()).filter(|&p| self.images[p].is_some());
        mapped.filter_map(|p| latch_at(model, p).map(|latch| (p, latch)))
    }
    /// `K` in the witness: the latches that are images.
    pub fn witness_latches<'a>(&'a self, witness: &'a BitSystem) -> impl Iterator<Item = usize> + 'a {
        (0..witness.latches().len()).filter(|&i| self.owners[witness.latches()[i].var].is_some())
    }
}

fn misfit<T>(text: String) -> Result<T, Reason> {
    Err(Reason::Misfit(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs 2, 4, latches 6, 8, gate 10.
    fn system() -> BitSystem {
        let mut system = BitSystem::new();
        let [i, j] = ["", ""].map(|n| system.add_input(n));
        system.add_latch("", None);
        system.add_latch("", None);
        system.aig_mut().and(i, j);
        system
    }

    fn images(witness: &BitSystem) -> Result<Vec<Option<u32>>, String> {
        let mapping = Mapping::read(&system(), witness).map_err(|r| r.to_string())?;
        Ok(mapping.images.iter().map(|i| i.map(Lit::code)).collect())
    }

    #[test]
    fn in_order_by_default() {
        assert_eq!(images(&system()), Ok(vec![Some(2), Some(4), Some(6), Some(8)]));
        let mut small = BitSystem::new();
        small.add_latch("no mapping", None);
        assert_eq!(images(&small), Ok(vec![None, None, Some(2), None]));
    }

    #[test]
    fn symbols() {
        let mut witness = system();
        witness.name_input(1, "clk = 6 rising".into());
        witness.name_latch(0, "=5".into());
        witness.name_latch(1, "a = b".into());
        // Witness latch 6 is the negation of model literal 4.
        assert_eq!(images(&witness), Ok(vec![None, Some(7), Some(4), None]));
        let mapping = Mapping::read(&system(), &witness).unwrap();
        assert_eq!(mapping.owner(Var::new(3)), Some((1, true)));
        assert_eq!(mapping.model_latches(&system()).collect::<Vec<_>>(), [(2, 0)]);
        assert_eq!(mapping.witness_latches(&witness).collect::<Vec<_>>(), [0]);
        witness.name_latch(1, "= 10".into());
        assert!(images(&witness).unwrap_err().contains("literal 10, which is not an input or latch"));
    }

    #[test]
    fn comments() {
        let commented = |text: &str| {
            let mut witness = system();
            witness.name_input(0, "= 4".into());
            witness.comment = text.into();
            witness
        };
        let witness = commented("x\nMAPPING 3\r\n11 6 rest\r\n2 2\n2 4\n");
        assert_eq!(images(&witness), Ok(vec![Some(2), Some(2), Some(11), None]));
        let mapping = Mapping::read(&system(), &witness).unwrap();
        assert_eq!(mapping.derived().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(images(&commented("MAPPING 0")), Ok(vec![None; 4]));
        assert!(images(&commented("MAPPING 2\n2 2\n4 2\n")).unwrap_err().contains("two images"));
        assert!(images(&commented("MAPPING 2\n2 2")).unwrap_err().contains("announces 2 lines and has 1"));
        assert!(images(&commented("MAPPING x")).unwrap_err().contains("malformed"));
        assert!(images(&commented("MAPPING 1\n2\n")).unwrap_err().contains("`2`"));
        assert!(images(&commented("MAPPING 1\n2 0\n")).unwrap_err().contains("literal 0"));
        assert!(images(&commented("MAPPING 1\n12 2\n")).unwrap_err().contains("literal 12"));
        assert!(images(&commented("MAPPING 4000000000\n")).is_err());
    }
}
