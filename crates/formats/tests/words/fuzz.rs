//! Mutated files: whatever is in them, reading ends soon, with a system or an error, in little memory.
//!
//! `INDUBIT_FUZZ` sets the number of files. A failure names the seed, and `INDUBIT_FUZZ_SEED` starts there.

use crate::support::random_system;
use fastrand::Rng;
use indubit_formats::{chc, vmt};
use std::time::{Duration, Instant};

/// Words that break readers.
const NASTY: &[&str] = &[
    "0",
    "1",
    "-1",
    "4294967295",
    "99999999999999999999999999",
    "65536",
    "1.5",
    "#b",
    "#x",
    "#b1",
    "()",
    "(",
    ")",
    "|",
    "\"",
    ";",
    "_",
    "!",
    "let",
    "forall",
    "exists",
    "(_ bv1 1)",
    "(_ extract 0 0)",
    "Int",
    "Bool",
    "Real",
    "(_ BitVec 65536)",
    "((x Int))",
    "not",
    "and",
    "+",
    "*",
    "div",
    "true",
    ":next",
    ":init",
    ":named",
    "state",
    "x",
    "((_ repeat 65536)",
    "/",
    "concat",
    "((_ sign_extend 4294967295)",
    "=>",
];

#[test]
fn mutated_files_are_read_or_refused() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let (n_files, first) = (number("INDUBIT_FUZZ", 6_000), number("INDUBIT_FUZZ_SEED", 0));
    let mut n_read = 0;
    for seed in first..first + n_files {
        let rng = &mut Rng::with_seed(seed);
        let system = random_system(rng, true);
        let is_vmt = rng.bool();
        let mut file = if is_vmt { vmt::write(&system) } else { chc::write(&system) }.into_bytes();
        for _ in 0..rng.usize(1..4) {
            mutate(&mut file, rng, NASTY);
        }
        let start = Instant::now();
        let read = std::panic::catch_unwind(|| match is_vmt {
            true => vmt::parse(&file),
            false => chc::parse(&file).map(|chc| chc.system),
        });
        let text = String::from_utf8_lossy(&file);
        let read = read.unwrap_or_else(|_| panic!("seed {seed}: panic on {text}"));
        assert!(start.elapsed() < Duration::from_secs(5), "seed {seed}: {:?}", start.elapsed());
        match read {
            Ok(system) => {
                n_read += 1;
                system.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                let written = vmt::write(&system);
                vmt::parse(written.as_bytes())
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{written}"));
                let written = chc::write(&system);
                chc::parse(written.as_bytes())
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{written}"));
            }
            Err(error) => assert!(error.to_string().len() < 500, "seed {seed}: {error}"),
        }
    }
    assert!(n_files < 1000 || n_read > n_files / 50, "only {n_read} of {n_files} were read");
    if let Some(resident) = peak_memory() {
        assert!(resident < 1 << 30, "{resident} bytes resident");
    }
}

/// A change of a file, by words that are nasty or its own.
pub fn mutate(file: &mut Vec<u8>, rng: &mut Rng, nasty: &[&str]) {
    if file.is_empty() {
        return;
    }
    let at = rng.usize(0..file.len());
    let word = |file: &[u8], at: usize| {
        let is_end = |b: &u8| b.is_ascii_whitespace() || b"()".contains(b);
        let start = file[..at].iter().rposition(is_end).map_or(0, |i| i + 1);
        let end = file[at..].iter().position(is_end).map_or(file.len(), |i| at + i);
        start..end.max(start)
    };
    match rng.u32(0..8) {
        0 => file[at] = rng.u8(..),
        1 => file.truncate(at),
        2 => drop(file.remove(at)),
        3 | 4 => {
            let nasty = nasty[rng.usize(0..nasty.len())];
            file.splice(word(file, at), nasty.bytes());
        }
        5 | 6 => {
            // Another word of the file.
            let other = word(file, rng.usize(0..file.len()));
            let other = file[other].to_vec();
            file.splice(word(file, at), other);
        }
        _ => {
            // A part of the file once more, or gone.
            let end = (at + rng.usize(0..200)).min(file.len());
            let part = file[at..end].to_vec();
            if rng.bool() {
                file.drain(at..end);
            }
            let target = rng.usize(0..=file.len());
            file.splice(target..target, part);
        }
    }
}

/// The most memory that this process has had, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}
