//! SMV: modules in the language of NuSMV and nuXmv (the NuSMV user manual, version 2.6, is the reference).
//!
//! | file | what |
//! |---|---|
//! | `lexer.rs`, `expressions.rs`, `parser.rs`, `syntax.rs`, `slips.rs` | text to syntax, and what is meant where there is none |
//! | `flatten.rs`, `elaborate.rs` | modules to instances, names to variables and definitions, types |
//! | `evaluate.rs`, `operators.rs`, `calls.rs`, `values.rs` | expressions to terms |
//! | `checks.rs` | what can go wrong for some values: `case` without a branch, division by zero, indices and ranges |
//! | `assign.rs`, `build.rs`, `specs.rs` | assignments, constraints and specifications to a system |
//! | `write.rs` | any system as a module |
//! | `show.rs`, `formulas.rs`, `lemmas.rs`, `defined.rs` | values and invariants in the words of the model, and back |
//! | `specified.rs`, `written.rs` | specifications by the numbers and texts that NuSMV gives them, and further ones |
//!
//! Nothing below this module knows of SMV: a model is a [`WordSystem`] whose variables have the types of [`values`](self), which only this module sees.

mod assign;
mod build;
mod calls;
mod checks;
mod defined;
mod elaborate;
mod evaluate;
mod expressions;
mod flatten;
mod formulas;
mod lemmas;
mod lexer;
mod operators;
mod parser;
mod show;
mod slips;
mod specified;
mod specs;
mod syntax;
mod values;
mod write;
mod written;

pub use defined::{Definitions, Section};
pub use specified::{Kind, Specification};

use crate::{Error, load};
use elaborate::Names;
use indubit_system::WordSystem;
use indubit_term::Term;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;
use syntax::File;
use values::Encoding;

pub use write::write;

/// A model in SMV.
#[derive(Clone, Debug)]
pub struct Smv {
    /// The transition system.
    pub system: WordSystem,
    /// What the reader has to say about the model.
    pub notes: Vec<String>,
    names: Arc<Names>,
    file: Arc<File>,
    encoding: Encoding,
    /// Comparisons as they stand in the file.
    labels: Arc<FxHashMap<Term, String>>,
}

impl Smv {
    /// Has it constraints by `COMPASSION`, which are part of each of its formulas of temporal logic?
    pub(crate) fn has_compassion(&self) -> bool {
        let is_one = |part: &syntax::Part| matches!(part, syntax::Part::Compassion(..));
        self.file.modules.iter().any(|module| module.parts.iter().any(is_one))
    }
}

/// Does a text look like SMV? It begins with `MODULE`, behind comments.
pub fn is_recognized(bytes: &[u8]) -> bool {
    let word = b"MODULE";
    lexer::beginning(bytes).is_some_and(|at| {
        let rest = &bytes[at..];
        rest.starts_with(word) && rest.get(word.len()).is_none_or(|b| b.is_ascii_whitespace() || *b == b'-')
    })
}

/// Read a model from a file.
pub fn read(path: &Path) -> Result<Smv, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Read a model from a text.
///
/// ```
/// use indubit_formats::smv;
/// let model = smv::parse(b"MODULE main VAR x : {idle, busy}; ASSIGN init(x) := idle; INVARSPEC x = idle;").unwrap();
/// assert_eq!(model.system.properties[0].label(), "x = idle");
/// let error = smv::parse(b"MODULE main VAR x : boolean; INIT y").unwrap_err().to_string();
/// assert!(error.contains("column 35: found `y`, which is not declared"), "{error}");
/// ```
pub fn parse(text: &[u8]) -> Result<Smv, Error> {
    let file = Arc::new(parser::file(text)?);
    let encoding = Encoding { unbounded: flatten::has_unbounded(&file) };
    let built = build::build(text, file.clone(), encoding)?;
    let (system, notes, names) = (built.system, built.notes, Arc::new(built.names));
    Ok(Smv { system, notes, names, file, encoding, labels: Arc::new(built.labels) })
}

#[cfg(test)]
mod tests;
