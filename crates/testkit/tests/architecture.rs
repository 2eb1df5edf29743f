//! The architecture, enforced: who may depend on whom, and what is deliberately absent.
//!
//! Who may depend on whom is read from the table in `docs/ARCHITECTURE.md`, so that the document stays true. What
//! must not occur in the sources is in `architecture/rules.rs`, and what must not be cited in `architecture/citations.rs`; a failure
//! names the file, the line and the rule.

#[path = "architecture/citations.rs"]
mod citations;
#[path = "architecture/crates.rs"]
mod crates;
#[path = "architecture/rules.rs"]
mod rules;
#[path = "architecture/source.rs"]
mod source;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

fn no_findings(findings: Vec<String>) {
    assert!(findings.is_empty(), "the architecture is violated:\n{}\n", findings.join("\n"));
}

#[test]
fn crates_depend_only_on_what_they_may() {
    let document =
        std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the document is there");
    no_findings(crates::check(&crates::table(&document), &crates::metadata(&root())));
}

#[test]
fn the_checker_shares_nothing_with_what_it_checks() {
    let graph = crates::metadata(&root());
    let below = crates::closure(&graph, "indubit-certify");
    for forbidden in ["indubit-pdr", "indubit-engines", "indubit-preproc"] {
        assert!(!below.contains(forbidden), "certify depends on {forbidden}");
    }
    assert!(below.contains("indubit-system"), "the closure is computed");
}

#[test]
fn sources_keep_the_rules() {
    let files = source::files(&root());
    assert!(files.len() > 50, "only {} source files found", files.len());
    no_findings(files.iter().flat_map(rules::check).collect());
}

#[test]
fn citations_stand_alone() {
    let texts = source::texts(&root());
    let has = |path: &str| texts.iter().any(|text| text.path == path);
    assert!(has("README.md") && has("docs/SOURCES.md") && has("crates/testkit/tests/architecture.rs"));
    no_findings(texts.iter().flat_map(citations::check).collect());
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let manifests = std::fs::read_dir(root().join("crates")).expect("the crates are there");
    let mut n = 0;
    for manifest in manifests.map(|e| e.expect("readable").path().join("Cargo.toml")) {
        let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
        assert!(takes_workspace_lints(&text), "{}: no `[lints] workspace = true`", manifest.display());
        n += 1;
    }
    assert!(n >= 12);
}

fn takes_workspace_lints(manifest: &str) -> bool {
    let mut section = "";
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        section == "[lints]" && line.split_whitespace().collect::<String>() == "workspace=true"
    })
}

#[test]
fn missing_lints_are_noticed() {
    assert!(takes_workspace_lints("[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n"));
    assert!(!takes_workspace_lints("[package]\nname = \"a\"\n"));
    assert!(!takes_workspace_lints("[lints]\n[dependencies]\nworkspace = true\n"));
}
