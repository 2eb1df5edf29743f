//! Who may depend on whom.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Which third-party crates a crate may use. Fewer is better: each is built by every user.
const THIRD_PARTY: &[(&str, &[&str])] = &[
    ("term", &["num-bigint", "num-integer", "num-rational", "num-traits", "rustc-hash"]),
    ("system", &["rustc-hash"]),
    ("formats", &["rustc-hash", "serde_json"]),
    ("sat", &["cadical-sys"]),
    ("smt", &["num-bigint", "num-integer", "num-rational", "num-traits", "rustc-hash"]),
    ("preproc", &["fastrand", "rustc-hash"]),
    ("pdr", &["fastrand", "rustc-hash"]),
    ("engines", &["fastrand", "rustc-hash"]),
    ("certify", &["rustc-hash"]),
    ("indubit", &["fastrand"]),
    ("console", &["serde_json", "signal-hook", "terminal_size"]),
    ("bench", &["clap", "serde_json", "signal-hook"]),
    ("verilog", &["rustc-hash"]),
    ("cli", &["clap", "clap_complete", "clap_mangen", "fastrand", "rustyline", "serde_json", "strsim"]),
    ("testkit", &["fastrand"]),
];

/// For each crate of the project the crates of the project that it may depend on, by short names, in the order of
/// the document. Development dependencies are free: tests may reach across.
pub type Table = Vec<(String, Vec<String>)>;

/// The table below the heading "Crates": rows of the form `` | `name` | what it holds | a, b | ``. The last
/// column may also be a dash, or "all above".
pub fn table(document: &str) -> Table {
    let lines = document.lines().skip_while(|line| *line != "## Crates").skip(1);
    let section = lines.take_while(|line| !line.starts_with("## "));
    let mut table: Table = Vec::new();
    for row in section.filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, .., dependencies] = cells[..] else { continue };
        let dependencies = match dependencies {
            "–" => Vec::new(),
            "all above" => table.iter().map(|(name, _)| name.clone()).collect(),
            list => list.split(',').map(|d| d.trim().to_owned()).collect(),
        };
        table.push((name.trim_matches('`').to_owned(), dependencies));
    }
    table
}

/// For each package of the workspace the names of its dependencies.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The workspace as cargo sees it.
pub fn metadata(root: &Path) -> Graph {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    graph(&serde_json::from_slice(&output.stdout).expect("cargo writes JSON"))
}

fn graph(metadata: &Value) -> Graph {
    let text = |v: &Value| v.as_str().expect("a name").to_owned();
    let list = |v: &Value| v.as_array().expect("a list").clone();
    let normal = |d: &&Value| d["kind"].is_null() || d["kind"] == "build";
    let dependencies =
        |p: &Value| list(&p["dependencies"]).iter().filter(normal).map(|d| text(&d["name"])).collect();
    list(&metadata["packages"]).iter().map(|p| (text(&p["name"]), dependencies(p))).collect()
}

/// The name of a package of the project, from the short name in the table.
fn package(short: &str) -> String {
    if short == "indubit" { short.to_owned() } else { format!("indubit-{short}") }
}

/// What in the graph the table does not allow, and what is wrong with the table itself.
pub fn check(table: &Table, graph: &Graph) -> Vec<String> {
    let mut findings = Vec::new();
    for (i, (name, ours)) in table.iter().enumerate() {
        for later in ours.iter().filter(|&d| !table[..i].iter().any(|(above, _)| above == d)) {
            findings
                .push(format!("docs/ARCHITECTURE.md: {name} may depend on {later}, which is not above it"));
        }
    }
    for (name, dependencies) in graph {
        let Some((short, ours)) = table.iter().find(|(short, _)| package(short) == *name) else {
            findings.push(format!("{name}: a crate that the table in docs/ARCHITECTURE.md does not know"));
            continue;
        };
        let theirs = THIRD_PARTY.iter().filter(|(crate_name, _)| crate_name == short);
        let mut allowed: BTreeSet<String> = ours.iter().map(|short| package(short)).collect();
        allowed.extend(theirs.flat_map(|(_, theirs)| theirs.iter().map(|&t| t.to_owned())));
        for dependency in dependencies.difference(&allowed) {
            let place = if dependency.starts_with("indubit") { "docs/ARCHITECTURE.md" } else { "crates.rs" };
            findings
                .push(format!("{name} depends on {dependency}, which the table in {place} does not allow"));
        }
    }
    findings
}

/// All packages of the workspace that `name` depends on, directly or not.
pub fn closure(graph: &Graph, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        for dependency in graph.get(&next).into_iter().flatten() {
            if found.insert(dependency.clone()) {
                open.push(dependency.clone());
            }
        }
    }
    found
}

#[test]
fn forbidden_dependencies_are_noticed() {
    let document = "\
## Before
| `x` | not a crate | y |
## Crates
| crate | holds | may depend on |
|---|---|---|
| `logic` | literals | – |
| `system` | systems | logic |
| `pdr` | frames | logic, later |
| `indubit` | the front door | all above |
## After
| `z` | not a crate | y |
";
    let table = table(document);
    assert_eq!(table.len(), 4);
    assert_eq!(table[3].1, ["logic", "system", "pdr"]);
    let metadata = serde_json::json!({ "packages": [
        { "name": "indubit-pdr", "dependencies": [
            { "name": "indubit-logic", "kind": null },
            { "name": "indubit-system", "kind": null },
            { "name": "indubit-testkit", "kind": "dev" },
            { "name": "fastrand", "kind": null },
        ] },
        { "name": "indubit-system", "dependencies": [{ "name": "indubit-sat", "kind": "build" }] },
        { "name": "indubit-logic", "dependencies": [{ "name": "rayon", "kind": null }] },
        { "name": "indubit-news", "dependencies": [] },
    ] });
    let graph = graph(&metadata);
    let findings = check(&table, &graph);
    assert_eq!(findings.len(), 5, "{findings:#?}");
    assert!(findings[0].ends_with("pdr may depend on later, which is not above it"));
    assert!(findings[1].starts_with("indubit-logic depends on rayon"));
    assert!(findings[2].starts_with("indubit-news: a crate"));
    assert!(findings[3].starts_with("indubit-pdr depends on indubit-system"));
    assert!(findings[4].starts_with("indubit-system depends on indubit-sat"));
    let below = closure(&graph, "indubit-pdr");
    assert!(below.contains("indubit-sat") && !below.contains("indubit-testkit"));
}
