//! Reading and writing whole files.
//!
//! [`save`] is the one way a file is written, at once or as a [`Draft`]: an interrupted run leaves the old contents or the new ones, never
//! half of them. What a save in progress has written so far is a temporary file, and every temporary file is in a
//! registry until it is gone: [`abandon`] removes them all, for a process that ends in the middle of its work.

use crate::Error;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Distinguishes the temporary files of one process.
static N_SAVED: AtomicU32 = AtomicU32::new(0);
static TEMPORARIES: Registry = Registry::new();

/// What is read of something that does not say how long it is: a pipe or a device may have no end.
const LONGEST_STREAM: u64 = 1 << 30;

/// The contents of a file; `-` is standard input.
///
/// A regular file may have any length; of anything else (a pipe, a device) up to 1 GiB is read.
pub fn load(path: &Path) -> Result<Vec<u8>, Error> {
    load_up_to(path, LONGEST_STREAM).map_err(|error| Error::io(path, "read", &error))
}

fn load_up_to(path: &Path, longest_stream: u64) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return read_up_to(io::stdin().lock(), 0, longest_stream);
    }
    let file = File::open(path)?;
    let length = file.metadata().map_or(0, |m| if m.is_file() { m.len() } else { 0 });
    read_up_to(file, length, longest_stream)
}

/// Read all of something that is so long, or that does not say how long it is.
fn read_up_to(source: impl Read, length: u64, longest_stream: u64) -> io::Result<Vec<u8>> {
    let longest = length.max(longest_stream);
    let mut bytes = Vec::new();
    // Reading still reports what is wrong if there is no room for so much.
    let _ = bytes.try_reserve_exact(usize::try_from(length).unwrap_or(0));
    source.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        let text = format!("it is no regular file, and it goes on after {longest} bytes");
        return Err(io::Error::other(text));
    }
    Ok(bytes)
}

/// Write a file as one step: into a temporary file beside it, which then takes its name.
///
/// A link is followed. What exists and is no regular file (a pipe, a terminal, `/dev/null`), or stands for an open
/// [`descriptor`], is not replaced but written to. An existing file keeps its permissions, and one that is read-only is refused. The
/// data is not forced onto the disk: this protects against interrupted runs, not against power cuts.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    try_save(path, bytes).map_err(|error| Error::io(path, "write", &error))
}

/// Would [`save`] be able to begin? Leaves everything as it is. A disk may still be full when it comes to it.
pub fn can_save(path: &Path) -> Result<(), Error> {
    let probe = || match target(path)? {
        Target::Direct => Ok(()),
        Target::Replace(path, _) => TEMPORARIES.create_beside(&path).map(drop),
    };
    probe().map_err(|error| Error::io(path, "write", &error))
}

/// Remove the temporary files of all saves in progress. No other save begins or ends after this: whoever tries
/// waits for ever. So this is for the last moment of a process that ends while other threads may be saving.
pub fn abandon() {
    std::mem::forget(TEMPORARIES.remove_all());
}

/// The number of the open descriptor that a path like `/dev/stdout`, `/dev/fd/3` or `/proc/self/fd/3` stands for.
///
/// The shell may have redirected it into a regular file. Such a file must not be replaced: it belongs to whoever
/// opened it, and may have something else in it.
pub fn descriptor(path: &Path) -> Option<u32> {
    const LONGEST_CHAIN: usize = 40;
    let ours = fs::canonicalize("/dev/fd").ok()?;
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        let name = path.file_name()?.to_owned();
        let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = fs::canonicalize(directory).ok()?;
        if directory == ours {
            return name.to_str()?.parse().ok();
        }
        path = directory.join(fs::read_link(directory.join(&name)).ok()?);
    }
    None
}

/// How a file has to be written.
enum Target {
    /// Into what is there, after what it has.
    Direct,
    /// By a new file that takes this name, with these permissions.
    Replace(PathBuf, Option<fs::Permissions>),
}

fn target(path: &Path) -> io::Result<Target> {
    let old = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Target::Replace(path.to_owned(), None));
        }
        Err(error) => return Err(error),
    };
    if old.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !old.is_file() || descriptor(path).is_some() {
        return Ok(Target::Direct);
    }
    if old.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(Target::Replace(fs::canonicalize(path)?, Some(old.permissions())))
}

/// A file that is written piece by piece, and is there as a whole or not at all: until [`Draft::keep`] what has been
/// written is a temporary file, as with [`save`], which goes if the draft is dropped.
pub struct Draft {
    path: PathBuf,
    written: Written,
}

enum Written {
    Direct(File),
    Beside { temporary: Temporary<'static>, target: PathBuf, permissions: Option<fs::Permissions> },
}

impl Draft {
    /// Begin to write.
    pub fn new(path: &Path) -> Result<Draft, Error> {
        Draft::begin(path).map_err(|error| Error::io(path, "write", &error))
    }
    fn begin(path: &Path) -> io::Result<Draft> {
        let written = match target(path)? {
            Target::Direct => Written::Direct(File::options().append(true).open(path)?),
            Target::Replace(target, permissions) => {
                let temporary = TEMPORARIES.create_beside(&target)?;
                Written::Beside { temporary, target, permissions }
            }
        };
        Ok(Draft { path: path.to_owned(), written })
    }
    /// It is complete.
    pub fn keep(&mut self) -> Result<(), Error> {
        self.rename().map_err(|error| Error::io(&self.path, "write", &error))
    }
    fn rename(&mut self) -> io::Result<()> {
        let Written::Beside { temporary, target, permissions } = &mut self.written else { return Ok(()) };
        if let Some(permissions) = permissions.take() {
            temporary.file.set_permissions(permissions)?;
        }
        fs::rename(&temporary.path, target)
    }
    fn file(&mut self) -> &mut File {
        match &mut self.written {
            Written::Direct(file) => file,
            Written::Beside { temporary, .. } => &mut temporary.file,
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

fn try_save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(bytes)?;
    draft.rename()
}

/// The temporary files there are. Invariant: a file is listed before anyone else can see it, and until it is gone.
struct Registry(Mutex<Vec<PathBuf>>);

impl Registry {
    const fn new() -> Registry {
        Registry(Mutex::new(Vec::new()))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        // Every change of the list is one call, so it is right also after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new hidden file in the directory of `path`, so that the renaming stays within one file system. Its name
    /// is short whatever that of `path` is: file systems limit it.
    fn create_beside(&self, path: &Path) -> io::Result<Temporary<'_>> {
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        loop {
            let number = N_SAVED.fetch_add(1, Ordering::Relaxed);
            let temporary = path.with_file_name(format!(".indubit-{}-{number}.tmp", process::id()));
            let mut live = self.lock();
            match File::options().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    live.push(temporary.clone());
                    return Ok(Temporary { path: temporary, file, registry: self });
                }
                // Left behind by another process with our number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
                Err(error) => return Err(error),
            }
        }
    }

    /// While the result lives, there is no temporary file and none is made.
    fn remove_all(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        let mut live = self.lock();
        for path in live.drain(..) {
            // It may have taken its name already.
            let _ = fs::remove_file(path);
        }
        live
    }
}

/// A temporary file. It is gone, or has taken its name, when this is dropped.
struct Temporary<'r> {
    path: PathBuf,
    file: File,
    registry: &'r Registry,
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        let mut live = self.registry.lock();
        if let Some(i) = live.iter().position(|p| *p == self.path) {
            live.swap_remove(i);
            // Not there after a successful save. After a failed one, that error is the one to report.
            let _ = fs::remove_file(&self.path);
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

    #[test]
    fn long_names_and_streams() {
        let scratch = Scratch::new("long");
        let path = scratch.0.join("n".repeat(250));
        can_save(&path).unwrap();
        assert_eq!(scratch.entries(), 0);
        save(&path, b"12345").unwrap();
        // A regular file says how long it is.
        assert_eq!(load_up_to(&path, 2).unwrap(), b"12345");
        assert!(can_save(&scratch.0).is_err() && can_save(&scratch.0.join("no/file")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn streams_without_end_are_refused() {
        let error = load_up_to(Path::new("/dev/zero"), 1000).unwrap_err().to_string();
        assert_eq!(error, "it is no regular file, and it goes on after 1000 bytes");
        assert_eq!(load_up_to(Path::new("/dev/null"), 0).unwrap(), b"");
    }

    #[test]
    fn temporaries_can_be_removed_at_any_time() {
        let scratch = Scratch::new("registry");
        let registry = Registry::new();
        let path = scratch.0.join("file");
        let mut one = registry.create_beside(&path).unwrap();
        one.file.write_all(b"half").unwrap();
        let two = registry.create_beside(&path).unwrap();
        assert_eq!((scratch.entries(), registry.lock().len()), (2, 2));
        drop(two);
        assert_eq!((scratch.entries(), registry.lock().len()), (1, 1));
        drop(registry.remove_all());
        assert_eq!(scratch.entries(), 0);
        // Too late to take its name, and nothing is left.
        assert!(fs::rename(&one.path, &path).is_err());
        drop(one);
        assert_eq!((scratch.entries(), registry.lock().len()), (0, 0));
        // One that has taken its name is not removed.
        let three = registry.create_beside(&path).unwrap();
        fs::rename(&three.path, &path).unwrap();
        drop(registry.remove_all());
        drop(three);
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
        // An open descriptor, redirected into a file or not, is written to.
        use std::os::fd::AsRawFd;
        let open = File::options().append(true).open(&path).unwrap();
        let name = format!("/dev/fd/{}", open.as_raw_fd());
        let linked = scratch.0.join("descriptor");
        std::os::unix::fs::symlink(&name, &linked).unwrap();
        assert_eq!(descriptor(&linked), u32::try_from(open.as_raw_fd()).ok());
        assert_eq!((descriptor(&path), descriptor(&link)), (None, None));
        can_save(&linked).unwrap();
        save(&linked, b", three").unwrap();
        assert_eq!(load(&path).unwrap(), b"two, three");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
