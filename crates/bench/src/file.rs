//! The CSV file that grows while a run goes on, so that an interrupted one is not lost.

use super::config::Config;
use super::reading::mib;
use super::result::{self, Row};
use super::schedule::Limits;
use indubit_console::exit::Failure;
use indubit_console::output::{self, is_stream};
use indubit_console::terminal;
use indubit_formats::{self as formats, load};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rows from a file of results.
pub fn read(path: &Path) -> Result<Vec<Row>, Failure> {
    let refuse = |message: String| {
        Failure::bad_input(format!("{}: {message}", terminal::path(path)))
            .with_hint("this must be a file that `indubit bench --csv` has written")
    };
    let text = String::from_utf8(load(path)?).map_err(|_| refuse("it is not UTF-8".into()))?;
    result::parse(&text).map_err(refuse)
}

/// An open file of results.
pub struct Results {
    path: PathBuf,
    file: Box<dyn Write + Send>,
}

impl Results {
    /// A new file, or with `old` rows one that takes the place of the file they are from: a line that was cut off must
    /// not stay. A file that exists is not replaced otherwise: it may have taken hours.
    pub fn create(path: &Path, old: Option<&[Row]>) -> Result<Results, Failure> {
        let problem = |error: std::io::Error| Failure::from(formats::Error::io(path, "write", &error));
        let mut file: Box<dyn Write + Send> = match old {
            Some(rows) => {
                let mut text = result::heading();
                text.extend(rows.iter().map(Row::line));
                formats::save(path, text.as_bytes())?;
                Box::new(File::options().append(true).open(path).map_err(problem)?)
            }
            None if is_stream(path) => output::create(path)?,
            None => match File::create_new(path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    let message = format!("{}: this file exists already", terminal::path(path));
                    return Err(Failure::bad_input(message)
                        .with_hint("--resume goes on with it; otherwise name another file, or remove it"));
                }
                file => Box::new(file.map_err(problem)?),
            },
        };
        if old.is_none() {
            file.write_all(result::heading().as_bytes()).map_err(problem)?;
        }
        Ok(Results { path: path.to_owned(), file })
    }

    pub fn add(&mut self, row: &Row) -> Result<(), Failure> {
        // In one piece: a line is there or not.
        let written = self.file.write_all(row.line().as_bytes());
        written.map_err(|error| formats::Error::io(&self.path, "write", &error).into())
    }
}

/// Rows that were made otherwise cannot stand beside new ones under the same name.
pub fn compatible(path: &Path, rows: &[Row], configs: &[Config], limits: Limits) -> Result<(), Failure> {
    for row in rows {
        let name = &row.configuration;
        let refuse = |what: String| {
            Failure::bad_input(format!("{}: the results of `{name}` are {what}", terminal::path(path)))
                .with_hint("to go on with a file, name the same configurations and limits; otherwise use another file")
        };
        let (timeout, memory) = (limits.timeout.as_secs_f64(), limits.memory.map(mib));
        if row.memory_limit_mib != memory {
            return Err(refuse("for another memory limit".into()));
        }
        if row.timeout != timeout {
            return Err(refuse(format!("for a time limit of {} s, not {timeout} s", row.timeout)));
        }
        let config = configs.iter().find(|config| config.name == *name);
        if let Some(config) = config.filter(|config| config.command() != row.command) {
            return Err(refuse(format!("of the command `{}`, not `{}`", row.command, config.command())));
        }
    }
    Ok(())
}
