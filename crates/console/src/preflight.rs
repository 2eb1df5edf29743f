//! Complaints about output files before a long run rather than after it.

use crate::exit::Failure;
use crate::output::is_stream;
use indubit_formats as formats;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Can files be written to `outputs`, all different from one another and from the `inputs`?
pub fn check<I: AsRef<Path>>(outputs: &[&Path], inputs: &[I]) -> Result<(), Failure> {
    distinct(outputs, inputs)?;
    outputs.iter().filter(|path| !is_stream(path)).try_for_each(|path| Ok(formats::can_save(path)?))
}

/// Are `outputs` files, all different from one another and from the `inputs`?
pub fn distinct<P: AsRef<Path>, I: AsRef<Path>>(outputs: &[P], inputs: &[I]) -> Result<(), Failure> {
    let mut directories = Directories::default();
    let inputs: HashSet<PathBuf> = inputs.iter().map(|input| directories.identity(input.as_ref())).collect();
    let mut others: HashSet<PathBuf> = HashSet::new();
    for path in outputs {
        let path = path.as_ref();
        let refuse =
            |why: &str| Err(Failure::bad_input(format!("{}: cannot write this file: {why}", path.display())));
        // A pipe, `/dev/null` or standard output can be written several times.
        if is_stream(path) {
            continue;
        }
        if path.is_dir() || path.file_name().is_none() {
            return refuse("it is a directory, not a file");
        }
        if !directory(path).is_dir() {
            return refuse("the directory does not exist");
        }
        let identity = directories.identity(path);
        if inputs.contains(&identity) {
            return refuse("it is read in the same run");
        }
        if !others.insert(identity) {
            return refuse("two outputs would go to it");
        }
    }
    Ok(())
}

/// The directory that a file is in.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Directories without links and detours. There may be thousands of files, mostly in the same one.
#[derive(Default)]
struct Directories(HashMap<PathBuf, PathBuf>);

impl Directories {
    /// One path for all its spellings, also of a file that does not exist yet.
    fn identity(&mut self, path: &Path) -> PathBuf {
        if let Ok(absolute) = path.canonicalize() {
            return absolute;
        }
        let directory = directory(path);
        if !self.0.contains_key(directory) {
            let absolute = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
            self.0.insert(directory.to_owned(), absolute);
        }
        self.0[directory].join(path.file_name().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_fine(outputs: &[&str], inputs: &[&str]) -> bool {
        let outputs: Vec<&Path> = outputs.iter().map(Path::new).collect();
        let inputs: Vec<&Path> = inputs.iter().map(Path::new).collect();
        check(&outputs, &inputs).is_ok()
    }

    #[test]
    fn impossible_outputs_are_refused() {
        assert!(is_fine(&["w", "c"], &["m"]));
        assert!(!is_fine(&["w", "./w"], &["m"]));
        assert!(!is_fine(&["./src/../m"], &["m"]));
        assert!(!is_fine(&["src/lib.rs"], &["src/../src/lib.rs"]));
        assert!(!is_fine(&["/"], &[]) && !is_fine(&["src"], &[]) && !is_fine(&["a/.."], &[]));
        assert!(!is_fine(&["no/such/dir/w"], &[]));
        assert!(is_fine(&["/dev/null", "/dev/null", "-", "-", "/dev/stdout"], &["m"]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn directories_that_take_no_file_are_refused() {
        assert!(!is_fine(&["/proc/self/x.aig"], &[]));
    }
}
