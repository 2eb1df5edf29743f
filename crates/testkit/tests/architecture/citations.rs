//! Comments and documents cite only what a reader can find: papers by author and year, or files of this repository.

use crate::source::Text;

/// What in a text cites a collection of notes that is not in the repository, as `path:line: what (why)`.
pub fn check(text: &Text) -> Vec<String> {
    let mut findings = Vec::new();
    for (i, line) in text.text.lines().enumerate() {
        if let Some(citation) = private(line) {
            let why = "not in the repository; cite author, title and year, docs/SOURCES.md has them";
            findings.push(format!("{}:{}: `{citation}` ({why})", text.path, i + 1));
        }
    }
    findings
}

/// A citation of a text by its number in our notes, or of a page of notes.
fn private(line: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: Vec<&str> = line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let is_number =
        |word: &str| word.len() == 3 && word.starts_with("00") && word.ends_with(char::is_numeric);
    let is_section = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase());
    let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
    let found = pairs.filter(|&(first, second)| match first {
        "seed" | "Seed" | "seeds" | "Seeds" => is_number(second),
        // Split, so that this file is none of those that are found.
        _ if first == concat!("PERFOR", "MANCE") => is_section(second) || second == "md",
        _ => false,
    });
    let whole = words.iter().find(|&&word| word == concat!("ERR", "ATA")).map(|&word| word.to_owned());
    found.map(|(first, second)| format!("{first} {second}")).next().or(whole)
}

#[test]
fn citations_of_our_notes_are_noticed() {
    let check = |path: &str, text: &str| check(&Text { path: path.to_owned(), text: text.to_owned() });
    let notes = concat!("PERFOR", "MANCE");
    let bad = [
        concat!("//! The loop (se", "ed 000, listing 3)."),
        concat!("/// Se", "ed 004, rule Push."),
        concat!("As se", "eds 003 and 004 say."),
        &format!("// Buckets ({notes} A4)."),
        &format!("see {notes}.md"),
        concat!("It is a slip (ERR", "ATA)."),
    ];
    for line in bad {
        for path in
            ["crates/pdr/src/lib.rs", "crates/sat/tests/x.rs", "docs/IC3.md", "crates/cli/src/bench/x.rs"]
        {
            let found = check(path, &format!("fine\n{line}\n"));
            assert_eq!(found.len(), 1, "{path}: {line}");
            assert!(found[0].starts_with(&format!("{path}:2: `")), "{found:?}");
        }
    }
    let good = [
        "//! solver rel seed 0 reduce 0",
        "check --seed 7; panic!(\"seed {seed}: {what}\"); seed 1000; equal seeds give equal runs",
        "performance: a seed is a number; errata of a paper; 6s004",
        "Ivrii, Gurfinkel, FMCAD 2015, rule Push; Wolff, listing 3 (docs/SOURCES.md)",
    ];
    for line in good {
        assert_eq!(check("crates/sat/src/lib.rs", line), [""; 0], "{line}");
    }
}
