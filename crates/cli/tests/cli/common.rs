//! What the tests of the command line share: running it, scratch directories, models.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

static N_SCRATCHES: AtomicU32 = AtomicU32::new(0);

/// A directory that vanishes at the end of the test.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch::under(&std::env::temp_dir())
    }
    /// One for programs that do not see the directory of temporary files.
    pub fn in_target() -> Scratch {
        Scratch::under(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }
    fn under(directory: &Path) -> Scratch {
        let n = N_SCRATCHES.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("indubit-cli-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }
    /// The names of all files, hidden ones too, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A command that is ready to be started, with everything piped.
pub fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_indubit"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What came out of a run.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
    /// What it printed, if it ended with this code.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("one JSON object on standard output")
    }
}

/// Run it.
pub fn indubit<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    Ran::from(command(arguments).output().unwrap())
}

/// `indubit!["check", &path, "--quiet"]` with arguments of several types.
macro_rules! indubit {
    ($($argument:expr),* $(,)?) => {
        $crate::common::indubit([$(::std::ffi::OsStr::new($argument)),*])
    };
}

/// A model of ours.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// A counter of `n` bits that counts when its input says so; bad when all bits are set, after 2^n - 1 steps.
pub fn counter(n: usize) -> Vec<u8> {
    let mut model = indubit::BitSystem::new();
    let mut carry = model.add_input("enable");
    let bits: Vec<_> = (0..n).map(|i| model.add_latch(&format!("count[{i}]"), Some(false))).collect();
    for &bit in &bits {
        let sum = model.aig_mut().xor(bit, carry);
        carry = model.aig_mut().and(bit, carry);
        model.set_next(bit, sum);
    }
    let full = model.aig_mut().and_all(bits);
    model.add_bad("full", full);
    indubit::formats::aiger::write_binary(&model)
}

/// A model with `n` properties that are easy to prove.
pub fn many(n: usize) -> Vec<u8> {
    let mut model = indubit::BitSystem::new();
    let input = model.add_input("i");
    let latch = model.add_latch("l", Some(false));
    let next = model.aig_mut().and(latch, input);
    model.set_next(latch, next);
    for i in 0..n {
        model.add_bad(&format!("property_{i}"), latch);
    }
    indubit::formats::aiger::write_binary(&model)
}

/// Safe, unsafe in step 1, and liveness: all in one model.
pub const MIXED: &str = "\
aag 1 0 1 0 0 2 0 1
2 3
0
2
1
2
l0 toggle
b0 never
b1 raised
j0 often
";
