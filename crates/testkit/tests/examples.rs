//! The `examples/` folder is what the models say.

use indubit_formats::{aiger, chc, vmt};
use indubit_testkit::models::Expected;
use indubit_testkit::{corpus, explicit, live, models};
use std::collections::BTreeSet;
use std::fs;

const ADVICE: &str = "run: cargo run -p indubit-testkit --example make_models";

#[test]
fn the_folder_is_up_to_date() {
    let dir = corpus::examples_dir();
    let mut files = BTreeSet::from(["models.csv".to_owned(), "README.md".to_owned()]);
    for model in models::all() {
        let write = if model.is_binary() { aiger::write_binary } else { aiger::write_ascii };
        let found = fs::read(dir.join(model.file)).unwrap_or_default();
        assert!(found == write(&model.system), "{} is not up to date; {ADVICE}", model.file);
        files.insert(model.file.to_owned());
        if let Some((file, lemmas)) = model.lemma_file() {
            let found = fs::read_to_string(dir.join(&file)).unwrap_or_default();
            assert!(found == lemmas, "{file} is not up to date; {ADVICE}");
            files.insert(file);
        }
    }
    files.extend(models::WORDS.iter().map(|model| model.file.to_owned()));
    // Designs in Verilog are written by hand, and tested where a Yosys is.
    files.insert("verilog".to_owned());
    // So are models in SMV, which the reader's tests read.
    files.insert("smv".to_owned());
    let text = |name| fs::read_to_string(dir.join(name)).unwrap_or_default();
    assert_eq!(text("models.csv"), models::manifest(), "{ADVICE}");
    assert_eq!(text("README.md"), models::readme(), "{ADVICE}");
    let entries = fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert_eq!(entries.collect::<BTreeSet<_>>(), files, "something else is in the folder");
}

/// What a reader makes of the files has the properties and the verdicts of the manifest.
#[test]
fn the_files_have_the_verdicts_of_the_manifest() {
    for example in corpus::examples() {
        let system = aiger::read(&example.path).unwrap();
        let answers = explicit::check(&system).unwrap();
        let labels: Vec<String> = system.properties().iter().map(|p| p.label()).collect();
        assert_eq!(labels, example.properties.iter().map(|p| p.label.clone()).collect::<Vec<_>>());
        for property in &example.properties {
            let found = match answers.get(property.index).map(|a| a.depth()) {
                None => live::expected_verdict(&system, property.index - answers.len()).unwrap(),
                Some(None) => Expected::Safe,
                Some(depth) => Expected::Unsafe { depth },
            };
            assert_eq!(found, property.expected, "{}: {}", example.path.display(), property.label);
        }
    }
    assert_eq!(corpus::examples().len(), models::all().len());
}

#[test]
fn systems_over_words_have_the_properties_of_the_table() {
    for model in models::WORDS {
        let path = corpus::examples_dir().join(model.file);
        let system = match path.extension() {
            Some(e) if e == "vmt" => vmt::read(&path),
            _ => chc::read(&path).map(|chc| chc.system),
        };
        let system = system.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(system.validate(), Ok(()));
        let found: Vec<String> = system.properties.iter().map(|p| p.label()).collect();
        assert_eq!(found, model.expected.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{}", model.file);
    }
}
