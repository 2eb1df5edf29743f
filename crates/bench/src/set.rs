//! The instances: from tables, directories, or named one by one.

use super::csv::Table;
use super::result::Verdict;
use indubit_console::exit::Failure;
use indubit_console::terminal;
use indubit_formats as formats;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A model, or one property of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it is called in every output: the path as the set has it, and `#property`.
    pub name: String,
    /// The model.
    pub path: PathBuf,
    /// Only this property.
    pub property: Option<String>,
    /// What it is grouped with: the column `family`, or the directory.
    pub family: String,
    /// The column `expected`.
    pub expected: Option<Verdict>,
}

/// Which rows of a table count.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// These columns have these values.
    pub columns: Vec<(String, String)>,
    /// The name of the instance contains one of these, if there are any.
    pub texts: Vec<String>,
}

/// The instances of all sets, each of them once.
pub fn read(sets: &[PathBuf], filter: &Filter) -> Result<Vec<Instance>, Failure> {
    let mut instances = Vec::new();
    for set in sets {
        if set.is_dir() {
            let mut files = Vec::new();
            models_below(set, &mut files)?;
            instances.extend(files.into_iter().map(single));
        } else if set.extension().is_some_and(|e| e == "csv") {
            instances.extend(table(set, filter)?);
        } else {
            instances.push(single(set.clone()));
        }
    }
    if !filter.texts.is_empty() {
        instances.retain(|instance| filter.texts.iter().any(|text| instance.name.contains(text.as_str())));
    }
    if instances.is_empty() {
        return Err(Failure::bad_input("there is no instance in the set").with_hint(
            "a set is a CSV file with a column `path`, a directory with .aag and .aig files, or a model",
        ));
    }
    let mut names = HashSet::new();
    for instance in &instances {
        let shown = terminal::printable(&instance.name);
        if !names.insert(&instance.name) {
            return Err(Failure::bad_input(format!("the instance {shown} is in the set twice")));
        }
        if !instance.path.is_file() {
            let path = terminal::path(&instance.path);
            return Err(Failure::bad_input(format!("the instance {shown} has no model: {path} is no file"))
                .with_hint("paths in a CSV file are relative to its directory"));
        }
    }
    Ok(instances)
}

/// A model that was named by its path.
fn single(path: PathBuf) -> Instance {
    let name = path.display().to_string();
    Instance { family: directory_of(&name), name, path, property: None, expected: None }
}

fn directory_of(name: &str) -> String {
    name.rsplit_once('/').map_or(".", |(directory, _)| directory).into()
}

/// All AIGER files in a directory and those below, sorted.
fn models_below(directory: &Path, models: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let problem = |error: std::io::Error| Failure::from(formats::Error::io(directory, "read", &error));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(problem)? {
        paths.push(entry.map_err(problem)?.path());
    }
    paths.sort();
    for path in paths {
        // A link to a directory may lead round in circles.
        if path.is_dir() && !path.is_symlink() {
            models_below(&path, models)?;
        } else if path.is_file() && path.extension().is_some_and(|e| e == "aig" || e == "aag") {
            models.push(path);
        }
    }
    Ok(())
}

fn table(path: &Path, filter: &Filter) -> Result<Vec<Instance>, Failure> {
    let shown = terminal::path(path);
    let refuse = |message: String| Failure::bad_input(format!("{shown}: {message}"));
    let text = String::from_utf8(formats::load(path)?).map_err(|_| refuse("it is not UTF-8".into()))?;
    let table = Table::parse(&text).map_err(refuse)?;
    let paths = table.column("path").ok_or_else(|| refuse("line 1: the column `path` is missing".into()))?;
    let [expected, property, family] = ["expected", "property", "family"].map(|name| table.column(name));
    let mut wanted = Vec::new();
    for (name, value) in &filter.columns {
        let column =
            table.column(name).ok_or_else(|| refuse(format!("line 1: the column `{name}` is missing")))?;
        wanted.push((column, value));
    }
    let directory = path.parent().unwrap_or(Path::new(""));
    let rows =
        table.rows.iter().filter(|(_, row)| wanted.iter().all(|&(column, value)| row[column] == *value));
    Ok(rows
        .map(|(_, row)| {
            let field =
                |column: Option<usize>| column.map(|c| row[c].clone()).filter(|text| !text.is_empty());
            let relative = &row[paths];
            let property = field(property);
            Instance {
                name: property.as_ref().map_or(relative.clone(), |property| format!("{relative}#{property}")),
                path: directory.join(relative),
                property,
                family: field(family).unwrap_or_else(|| directory_of(relative)),
                expected: field(expected).and_then(|word| Verdict::parse(&word)),
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
    }

    #[test]
    fn a_table_with_properties() {
        let all = read(&[examples().join("models.csv")], &Filter::default()).unwrap();
        let first = &all[0];
        assert_eq!(first.name, "arbiter_bug.aag#two_grants");
        assert_eq!((first.property.as_deref(), first.expected), (Some("two_grants"), Some(Verdict::Unsafe)));
        assert_eq!(first.family, ".");
        // What holds is safe.
        assert_eq!(all.last().unwrap().expected, Some(Verdict::Safe));
        let columns = vec![("expected".into(), "unsafe".into())];
        let some =
            read(&[examples().join("models.csv")], &Filter { columns, texts: vec!["fifo".into()] }).unwrap();
        assert_eq!(some.len(), 2);
    }

    #[test]
    fn directories_and_files() {
        let all = read(&[examples()], &Filter::default()).unwrap();
        assert!(all.len() > 20 && all.windows(2).all(|w| w[0].path < w[1].path));
        assert!(all[0].family.ends_with("examples"));
        let one = read(&[examples().join("fifo.aag")], &Filter::default()).unwrap();
        assert_eq!(one.len(), 1);
    }

    #[test]
    fn sets_that_make_no_sense() {
        let no_filter = Filter::default();
        let error = |sets: &[PathBuf], filter: &Filter| format!("{:?}", read(sets, filter).unwrap_err());
        let fifo = examples().join("fifo.aag");
        assert!(error(&[fifo.clone(), fifo], &no_filter).contains("twice"));
        assert!(error(&["no/such.aig".into()], &no_filter).contains("is no file"));
        let filter = Filter { columns: vec![("track".into(), "x".into())], texts: Vec::new() };
        assert!(error(&[examples().join("models.csv")], &filter).contains("the column `track` is missing"));
        let filter = Filter { columns: Vec::new(), texts: vec!["nothing like it".into()] };
        assert!(error(&[examples()], &filter).contains("no instance"));
    }
}
