//! Reading and writing whole files.
//!
//! [`save`] is the one way a file is written: an interrupted run leaves the old contents or the new ones, never
//! half of them.

use crate::Error;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Distinguishes the temporary files of one process.
static N_SAVED: AtomicU32 = AtomicU32::new(0);

/// The contents of a file.
pub fn load(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| Error::io(path, "read", &error))
}

/// Write a file as one step: into a temporary file beside it, which then takes its name.
///
/// A link is followed. What exists and is no regular file (a pipe, a terminal, `/dev/null`) cannot be replaced
/// and is written directly. An existing file keeps its permissions, and one that is read-only is refused. The
/// data is not forced onto the disk: this protects against interrupted runs, not against power cuts.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    try_save(path, bytes).map_err(|error| Error::io(path, "write", &error))
}

fn try_save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let Some(old) = old else {
        return replace(path, bytes, None);
    };
    if old.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !old.is_file() {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    if old.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    replace(&fs::canonicalize(path)?, bytes, Some(old.permissions()))
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let (temporary, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| match permissions {
        Some(permissions) => file.set_permissions(permissions),
        None => Ok(()),
    });
    drop(file);
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is the one to report; a leftover file is harmless.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// A new hidden file in the directory of `path`, so that the renaming stays within one file system.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    loop {
        let number = N_SAVED.fetch_add(1, Ordering::Relaxed);
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{number}.tmp", process::id()));
        let temporary = path.with_file_name(hidden);
        match File::options().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // Left behind by another process with our number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh directory that vanishes at the end of the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("indubit-save-{name}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }
        fn entries(&self) -> usize {
            fs::read_dir(&self.0).unwrap().count()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn saving_creates_and_replaces() {
        let scratch = Scratch::new("replace");
        let path = scratch.0.join("file");
        save(&path, b"one").unwrap();
        save(&path, b"two").unwrap();
        assert_eq!(load(&path).unwrap(), b"two");
        assert_eq!(scratch.entries(), 1);
    }

    #[test]
    fn refusals_name_the_file_and_leave_nothing() {
        let scratch = Scratch::new("refuse");
        let message = save(&scratch.0, b"x").unwrap_err().to_string();
        assert!(message.ends_with("cannot write this file: it is a directory, not a file"), "{message}");
        let message = save(&scratch.0.join("no/file"), b"x").unwrap_err().to_string();
        assert!(
            message.ends_with("no/file: cannot write this file: the directory does not exist"),
            "{message}"
        );
        let message = load(&scratch.0.join("none")).unwrap_err().to_string();
        assert!(message.ends_with("none: cannot read this file: there is no such file"), "{message}");
        let message = load(&scratch.0).unwrap_err().to_string();
        assert!(message.ends_with("cannot read this file: it is a directory, not a file"), "{message}");
        let path = scratch.0.join("file");
        save(&path, b"one").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let message = save(&path, b"two").unwrap_err().to_string();
        assert!(message.ends_with("file: cannot write this file: permission denied"), "{message}");
        assert_eq!(load(&path).unwrap(), b"one");
        assert_eq!(scratch.entries(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_written_directly() {
        let scratch = Scratch::new("links");
        let (path, link) = (scratch.0.join("file"), scratch.0.join("link"));
        fs::write(&path, b"one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        save(&link, b"two").unwrap();
        assert_eq!(load(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        save(Path::new("/dev/null"), b"three").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
