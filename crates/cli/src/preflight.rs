//! Complaints about output files before a long run rather than after it.

use crate::exit::Failure;
use std::path::{Path, PathBuf};

/// Can files be written to `outputs`, all different from one another and from the `inputs`?
pub fn check(outputs: &[&Path], inputs: &[&Path]) -> Result<(), Failure> {
    for (i, &path) in outputs.iter().enumerate() {
        let refuse =
            |why: &str| Err(Failure::bad_input(format!("{}: cannot write this file: {why}", path.display())));
        if path.is_dir() || path.file_name().is_none() {
            return refuse("it is a directory, not a file");
        }
        if !directory(path).is_dir() {
            return refuse("the directory does not exist");
        }
        // What is no regular file (a pipe, `/dev/null`) can be written several times.
        if path.exists() && !path.is_file() {
            continue;
        }
        if inputs.iter().any(|&input| identity(input) == identity(path)) {
            return refuse("it is read in the same run");
        }
        if outputs[..i].iter().any(|&other| identity(other) == identity(path)) {
            return refuse("two outputs would go to it");
        }
    }
    Ok(())
}

/// The directory that a file is in.
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The same for all spellings of a path, also of a file that does not exist yet.
fn identity(path: &Path) -> PathBuf {
    let absolute = path.canonicalize().or_else(|_| {
        directory(path).canonicalize().map(|directory| directory.join(path.file_name().unwrap_or_default()))
    });
    absolute.unwrap_or_else(|_| path.to_owned())
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
        assert!(!is_fine(&["src/main.rs"], &["src/../src/main.rs"]));
        assert!(!is_fine(&["/"], &[]) && !is_fine(&["src"], &[]) && !is_fine(&["a/.."], &[]));
        assert!(!is_fine(&["no/such/dir/w"], &[]));
        assert!(is_fine(&["/dev/null", "/dev/null"], &["m"]));
    }
}
