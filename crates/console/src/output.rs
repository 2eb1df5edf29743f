//! Where a file that was asked for goes: into a file, or to whoever reads a stream.
//!
//! `-` and the names of open descriptors (`/dev/stdout`, `/proc/self/fd/3`) are streams, also if the shell has
//! redirected them into a file: that file is not ours to replace.

use crate::exit::Failure;
use indubit_formats::{self as formats, descriptor};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Is it standard output by a name of its?
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || descriptor(path) == Some(1)
}

/// Standard output or standard error by a name of theirs.
fn standard(path: &Path) -> Option<Box<dyn Write + Send>> {
    match descriptor(path) {
        _ if is_stdout(path) => Some(Box::new(io::stdout())),
        Some(2) => Some(Box::new(io::stderr())),
        _ => None,
    }
}

/// Is it something that cannot be replaced, and takes several outputs one after the other?
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
        || descriptor(path).is_some()
        || (path.exists() && !path.is_file() && !path.is_dir())
}

/// Write all of it.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    match standard(path) {
        Some(mut stream) => stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|error| formats::Error::io(path, "write", &error).into()),
        None => Ok(formats::save(path, bytes)?),
    }
}

/// Begin to write, replacing an old file.
pub fn create(path: &Path) -> Result<Box<dyn Write + Send>, Failure> {
    if let Some(stream) = standard(path) {
        return Ok(stream);
    }
    let file = match descriptor(path) {
        Some(_) => File::options().append(true).open(path),
        None => File::create(path),
    };
    match file {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(formats::Error::io(path, "write", &error).into()),
    }
}

/// A file that is written piece by piece, and kept only if it becomes complete; a stream gets the pieces at once.
pub enum Draft {
    /// It has what was written.
    Stream(Box<dyn Write + Send>),
    /// It is not in its place yet.
    File(formats::Draft),
}

impl Draft {
    /// Begin to write to a file or stream of this name.
    pub fn new(path: &Path) -> Result<Draft, Failure> {
        Ok(match standard(path) {
            Some(stream) => Draft::Stream(stream),
            None => Draft::File(formats::Draft::new(path)?),
        })
    }
    /// It is complete.
    pub fn keep(&mut self) -> Result<(), Failure> {
        match self {
            Draft::Stream(_) => Ok(()),
            Draft::File(file) => Ok(file.keep()?),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Draft::Stream(stream) => stream.write(bytes),
            Draft::File(file) => file.write(bytes),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Draft::Stream(stream) => stream.flush(),
            Draft::File(file) => file.flush(),
        }
    }
}
