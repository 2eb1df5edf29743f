//! Other programs that may be installed.

use std::path::{Path, PathBuf};

/// Where the program of this name is: as a path, or in one of the directories of `PATH`.
pub fn program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Path::new(name).is_file().then(|| name.into());
    }
    let directories = std::env::var_os("PATH")?;
    std::env::split_paths(&directories).map(|directory| directory.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn by_name_and_by_path() {
        let shell = program("sh").unwrap();
        assert_eq!(program(shell.to_str().unwrap()), Some(shell));
        assert!(program("no-such-program-at-all").is_none() && program("no/such").is_none());
    }
}
