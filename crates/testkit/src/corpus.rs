//! The files of the `examples/` folder and of a folder of benchmarks, with their expected verdicts.
//!
//! The benchmarks are other people's models and no part of the project: where the folder is absent, there is
//! nothing to iterate over, and a test does less.

use crate::models::Expected;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// A property of a file in `examples/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The file.
    pub path: PathBuf,
    /// The property's label: [`Property::label`](indubit_system::Property::label).
    pub property: String,
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

/// Every property of every file in `examples/`, from the manifest `models.csv`.
pub fn examples() -> Result<Vec<Example>> {
    let dir = examples_dir();
    let table = Table::read(&dir.join("models.csv"))?;
    let [path, property, expected, depth] = table.columns(["path", "property", "expected", "depth"])?;
    let row = |row: &Vec<String>| {
        let depth = match row[depth].as_str() {
            "" => None,
            digits => {
                Some(digits.parse().map_err(|_| table.bad(format!("depth `{digits}` is not a number")))?)
            }
        };
        let expected = table.expected(&row[expected], depth)?;
        Ok(Example { path: dir.join(&row[path]), property: row[property].clone(), expected })
    };
    table.rows.iter().map(row).collect()
}

/// The folder of benchmarks, if there is one beside the project.
pub fn benchmarks_dir() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    dir.is_dir().then_some(dir)
}

/// The instances of a list such as `smoke.csv`; none if there is no folder of benchmarks or no such list in it.
///
/// Instances whose file is absent are left out.
pub fn benchmarks(list: &str) -> Result<Vec<Benchmark>> {
    let Some(dir) = benchmarks_dir().filter(|dir| dir.join(list).is_file()) else {
        return Ok(Vec::new());
    };
    let table = Table::read(&dir.join(list))?;
    let [path, track, expected] = table.columns(["path", "track", "expected"])?;
    let row = |row: &Vec<String>| {
        let expected = table.expected(&row[expected], None)?;
        Ok(Benchmark { path: dir.join(&row[path]), track: row[track].clone(), expected })
    };
    let all: Vec<Benchmark> = table.rows.iter().map(row).collect::<Result<_>>()?;
    Ok(all.into_iter().filter(|b| b.path.is_file()).collect())
}

/// A table of comma-separated values with a header.
struct Table {
    path: PathBuf,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(path: &Path) -> Result<Table> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        let mut rows = parse_csv(&text).into_iter();
        let table =
            Table { path: path.to_owned(), header: rows.next().unwrap_or_default(), rows: rows.collect() };
        match table.rows.iter().position(|row| row.len() != table.header.len()) {
            None => Ok(table),
            Some(i) => Err(table.bad(format!(
                "record {} has {} fields, the header has {}",
                i + 1,
                table.rows[i].len(),
                table.header.len()
            ))),
        }
    }
    fn bad(&self, message: String) -> Error {
        Error::new(ErrorKind::InvalidData, format!("{}: {message}", self.path.display()))
    }
    /// The positions of the named columns.
    fn columns<const N: usize>(&self, names: [&str; N]) -> Result<[usize; N]> {
        let mut positions = [0; N];
        for (position, name) in positions.iter_mut().zip(names) {
            let found = self.header.iter().position(|h| h == name);
            *position = found.ok_or_else(|| self.bad(format!("there is no column `{name}`")))?;
        }
        Ok(positions)
    }
    fn expected(&self, word: &str, depth: Option<u32>) -> Result<Expected> {
        match word {
            "safe" => Ok(Expected::Safe),
            "unsafe" => Ok(Expected::Unsafe { depth }),
            "liveness" => Ok(Expected::Liveness),
            "unknown" | "mixed" | "" => Ok(Expected::Unknown),
            _ => Err(self.bad(format!("`{word}` is not a verdict"))),
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
        let examples = examples().unwrap();
        assert!(examples.len() >= 12);
        assert!(examples.iter().all(|e| e.path.is_file()));
        assert!(examples.iter().any(|e| e.expected == Expected::Unsafe { depth: Some(5) }));
    }

    /// Whatever folder of benchmarks is there can be listed; without one there is nothing to list.
    #[test]
    fn benchmarks_are_listed_where_there_are_some() {
        let smoke = benchmarks("smoke.csv").unwrap();
        if benchmarks_dir().is_none() {
            assert_eq!(smoke, []);
        }
        assert!(smoke.iter().all(|b| !b.track.is_empty() && b.path.is_file()));
        assert_eq!(benchmarks("no such list").unwrap(), []);
    }
}
