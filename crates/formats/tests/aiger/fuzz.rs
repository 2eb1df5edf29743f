//! Mutated AIGER files: whatever is in a file, reading it ends soon, with a system or an error, in little memory.
//!
//! `INDUBIT_FUZZ` sets the number of files (by default as many as take a second). A failure names the seed
//! of the file, and `INDUBIT_FUZZ_SEED` starts there.

use crate::support::{assert_round_trips, random_system};
use fastrand::Rng;
use indubit_formats::aiger;
use std::time::{Duration, Instant};

#[test]
fn mutated_files_are_read_or_refused() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let (n_files, first) = (number("INDUBIT_FUZZ", 20_000), number("INDUBIT_FUZZ_SEED", 0));
    let mut n_read = 0;
    for seed in first..first + n_files {
        let rng = &mut Rng::with_seed(seed);
        let system = random_system(rng);
        let is_ascii = rng.bool();
        let mut file = if is_ascii { aiger::write_ascii(&system) } else { aiger::write_binary(&system) };
        for _ in 0..rng.usize(1..4) {
            mutate(&mut file, rng);
        }
        let start = Instant::now();
        let read = std::panic::catch_unwind(|| aiger::parse(&file));
        let elapsed = start.elapsed();
        let read =
            read.unwrap_or_else(|_| panic!("seed {seed}: panic on {:?}", String::from_utf8_lossy(&file)));
        assert!(elapsed < Duration::from_secs(2), "seed {seed}: {elapsed:?}");
        match read {
            // What was accepted is a proper system. Those with a million unused inputs cost too much time here.
            Ok(system) if system.inputs().len() < 1000 => {
                n_read += 1;
                assert_round_trips(&normalised(&system), rng);
            }
            Ok(_) => n_read += 1,
            Err(error) => assert!(error.to_string().len() < 400, "seed {seed}: {error}"),
        }
    }
    // Both outcomes are worth testing.
    assert!(
        n_files < 1000 || (n_files / 50..n_files / 2).contains(&n_read),
        "{n_read} of {n_files} were read"
    );
    if let Some([reserved, resident]) = peak_memory() {
        assert!(resident < 400 << 20, "{resident} bytes resident");
        assert!(reserved < 4 << 30, "{reserved} bytes reserved");
    }
}

/// Without what a file cannot keep: a comment's missing line end, a carriage return at the end of a name.
fn normalised(system: &indubit_system::BitSystem) -> indubit_system::BitSystem {
    aiger::parse(&aiger::write_ascii(system)).expect("our own file")
}

/// Numbers that break readers.
const NASTY: [&str; 14] = [
    "",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "127",
    "128",
    "1048576",
    "1073741822",
    "2147483648",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999999",
];

fn mutate(file: &mut Vec<u8>, rng: &mut Rng) {
    if file.is_empty() {
        return;
    }
    let at = rng.usize(0..file.len());
    match rng.u32(0..9) {
        0 => file[at] ^= 1 << rng.u32(0..8),
        1 => file[at] = rng.u8(..),
        2 => file.truncate(at),
        3 => file.insert(at, rng.u8(..)),
        4 => drop(file.remove(at)),
        5 => edit_number(file, at, rng),
        6 => {
            // A lie in the header.
            let header = file.iter().position(|&b| b == b'\n').unwrap_or(file.len());
            edit_number(file, rng.usize(0..=header).min(file.len() - 1), rng);
        }
        _ => {
            // Delete, repeat or move a line.
            let start = file[..at].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
            let end =
                file[at..].iter().position(|&b| b == b'\n').map_or(file.len(), |newline| at + newline + 1);
            let line: Vec<u8> = file[start..end].to_vec();
            let kind = rng.u32(0..3);
            if kind != 0 {
                file.drain(start..end);
            }
            if kind != 1 {
                let target = rng.usize(0..=file.len());
                file.splice(target..target, line);
            }
        }
    }
}

/// Replace the number at or around `at` by a nasty one, or change it a little.
fn edit_number(file: &mut Vec<u8>, at: usize, rng: &mut Rng) {
    let is_not_digit = |b: &u8| !b.is_ascii_digit();
    let start = file[..at].iter().rposition(is_not_digit).map_or(0, |i| i + 1);
    let end = file[at..].iter().position(is_not_digit).map_or(file.len(), |i| at + i);
    let old = std::str::from_utf8(&file[start..end]).ok().and_then(|n| n.parse::<u64>().ok());
    let new = match old {
        Some(old) if rng.bool() => old.wrapping_add(rng.u64(0..5)).wrapping_sub(2).to_string(),
        _ => NASTY[rng.usize(0..NASTY.len())].to_string(),
    };
    file.splice(start..end, new.into_bytes());
}

/// The most address space and memory that this process has had, where the system tells.
fn peak_memory() -> Option<[u64; 2]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
    };
    Some([field("VmPeak:")?, field("VmHWM:")?])
}
