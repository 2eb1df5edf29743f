//! The files of the `examples/` folder and of a folder of benchmarks, with their expected verdicts.
//!
//! The benchmarks are other people's models and no part of the project: where the folder is absent, there is
//! nothing to iterate over, and a test does less.

use crate::models::Expected;
use std::path::{Path, PathBuf};

/// A file in `examples/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The file.
    pub path: PathBuf,
    /// Its properties, in the order of [`BitSystem::properties`](indubit_system::BitSystem::properties).
    pub properties: Vec<ExampleProperty>,
}

/// A property of a file in `examples/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleProperty {
    /// Its position in the file.
    pub index: usize,
    /// Its label: [`Property::label`](indubit_system::Property::label).
    pub label: String,
    /// What is known about it.
    pub expected: Expected,
}

/// An instance of a list of benchmarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// The file.
    pub path: PathBuf,
    /// What kind of model it is, for example `aiger-safety`.
    pub track: String,
    /// What is known about it.
    pub expected: Expected,
}

/// The `examples/` folder.
pub fn examples_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The files in `examples/`, from the manifest `models.csv`.
///
/// # Panics
/// If the manifest is absent or malformed: it belongs to the project, so the test that asked is to fail.
pub fn examples() -> Vec<Example> {
    let dir = examples_dir();
    let table = Table::read(&dir.join("models.csv"));
    let [path, property, expected, depth] = table.columns(["path", "property", "expected", "depth"]);
    let mut examples: Vec<Example> = Vec::new();
    for row in &table.rows {
        let path = dir.join(&row[path]);
        if examples.last().is_none_or(|e| e.path != path) {
            examples.push(Example { path, properties: Vec::new() });
        }
        let depth = match row[depth].as_str() {
            "" => None,
            digits => Some(digits.parse().unwrap_or_else(|_| table.bad(&format!("`{digits}` as a depth")))),
        };
        let expected = table.expected(&row[expected], depth);
        let properties = &mut examples.last_mut().expect("pushed above").properties;
        properties.push(ExampleProperty { index: properties.len(), label: row[property].clone(), expected });
    }
    examples
}

/// The folder of benchmarks, if there is one beside the project.
pub fn benchmarks_dir() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    dir.is_dir().then_some(dir)
}

/// The instances of a list such as `smoke.csv`; none if there is no folder of benchmarks or no such list in it.
///
/// Instances whose file is absent are left out.
///
/// # Panics
/// If the list is there and malformed.
pub fn benchmarks(list: &str) -> Vec<Benchmark> {
    let Some(dir) = benchmarks_dir().filter(|dir| dir.join(list).is_file()) else {
        return Vec::new();
    };
    let table = Table::read(&dir.join(list));
    let [path, track, expected] = table.columns(["path", "track", "expected"]);
    let all = table.rows.iter().map(|row| Benchmark {
        path: dir.join(&row[path]),
        track: row[track].clone(),
        expected: table.expected(&row[expected], None),
    });
    all.filter(|b| b.path.is_file()).collect()
}

/// A table of comma-separated values with a header; all records have as many fields as the header.
struct Table {
    path: PathBuf,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(path: &Path) -> Table {
        let text = std::fs::read_to_string(path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut rows = parse_csv(&text).into_iter();
        let header = rows.next().unwrap_or_default();
        let table = Table { path: path.to_owned(), header, rows: rows.collect() };
        if let Some(i) = table.rows.iter().position(|row| row.len() != table.header.len()) {
            table.bad(&format!("another number of fields than the header in record {}", i + 1))
        }
        table
    }
    fn bad(&self, found: &str) -> ! {
        panic!("{}: found {found}", self.path.display())
    }
    /// The positions of the named columns.
    fn columns<const N: usize>(&self, names: [&str; N]) -> [usize; N] {
        let position = |name: &str| self.header.iter().position(|h| h == name);
        names.map(|name| position(name).unwrap_or_else(|| self.bad(&format!("no column `{name}`"))))
    }
    fn expected(&self, word: &str, depth: Option<u32>) -> Expected {
        match word {
            "safe" => Expected::Safe,
            "unsafe" => Expected::Unsafe { depth },
            "holds" => Expected::Holds,
            "fails" => Expected::Fails { length: depth },
            "unknown" | "mixed" | "" => Expected::Unknown,
            _ => self.bad(&format!("`{word}` as a verdict")),
        }
    }
}

/// The records of a text of comma-separated values. Fields may be quoted; a quoted field may hold commas, line
/// ends, and quotes written twice. Empty lines are skipped.
pub fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let (mut record, mut field) = (Vec::new(), String::new());
    let (mut quoted, mut was_quoted) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted => quoted = false,
            _ if quoted => field.push(c),
            '"' if field.is_empty() => (quoted, was_quoted) = (true, true),
            ',' => record.push(std::mem::take(&mut field)),
            '\r' if chars.peek() == Some(&'\n') => (),
            '\n' => {
                if !record.is_empty() || !field.is_empty() || was_quoted {
                    record.push(std::mem::take(&mut field));
                    records.push(std::mem::take(&mut record));
                }
                was_quoted = false;
            }
            _ => field.push(c),
        }
    }
    if !record.is_empty() || !field.is_empty() || was_quoted {
        record.push(field);
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_quoted() {
        let text = "a,b,c\r\n1,\"x, \"\"y\"\"\nz\",\n\n\"\"\n,last";
        let expected: [&[&str]; 4] = [&["a", "b", "c"], &["1", "x, \"y\"\nz", ""], &[""], &["", "last"]];
        assert_eq!(parse_csv(text), expected);
        assert!(parse_csv("").is_empty());
    }

    #[test]
    fn examples_are_listed_and_exist() {
        let examples = examples();
        assert!(examples.len() >= 12);
        assert!(examples.iter().all(|e| e.path.is_file() && !e.properties.is_empty()));
        let bug = examples.iter().find(|e| e.path.ends_with("arbiter_bug.aag")).unwrap();
        let violated = Expected::Unsafe { depth: Some(5) };
        let first = ExampleProperty { index: 0, label: "two_grants".into(), expected: violated };
        assert_eq!(bug.properties[0], first);
        assert_eq!((bug.properties[1].index, bug.properties[1].expected), (1, Expected::Safe));
    }

    /// Whatever folder of benchmarks is there can be listed; without one there is nothing to list.
    #[test]
    fn benchmarks_are_listed_where_there_are_some() {
        let smoke = benchmarks("smoke.csv");
        if benchmarks_dir().is_none() {
            assert_eq!(smoke, []);
        }
        assert!(smoke.iter().all(|b| !b.track.is_empty() && b.path.is_file()));
        assert_eq!(benchmarks("no such list"), []);
    }
}
