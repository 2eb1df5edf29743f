//! Writes the `examples/` folder: every model in its format, the manifest and the README.
//!
//!     cargo run -p indubit-testkit --example make_models

use indubit_formats::aiger;
use indubit_testkit::{corpus, models};
use std::fs;
use std::io::Result;

fn main() -> Result<()> {
    let dir = corpus::examples_dir();
    fs::create_dir_all(&dir)?;
    for model in models::all() {
        let write = if model.is_binary() { aiger::write_binary } else { aiger::write_ascii };
        fs::write(dir.join(model.file), write(&model.system))?;
        if let Some((file, lemmas)) = model.lemma_file() {
            fs::write(dir.join(file), lemmas)?;
        }
    }
    fs::write(dir.join("models.csv"), models::manifest())?;
    fs::write(dir.join("README.md"), models::readme())?;
    println!("wrote {} models to {}", models::all().len(), dir.display());
    Ok(())
}
