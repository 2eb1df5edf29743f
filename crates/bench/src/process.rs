//! What the system tells about a process and those it started: processor time and memory (Linux).

use indubit_run::memory_of;
use std::time::Duration;

/// A clock tick of `/proc/PID/stat`: the unit that Linux uses towards programs, whatever the kernel's own is.
const TICK: Duration = Duration::from_millis(10);

/// A look at a process and its descendants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// It has ended, and nobody has asked for its exit code yet.
    pub is_over: bool,
    /// Processor time, that of children that have ended included.
    pub cpu: Duration,
    /// Resident memory now; pages that several processes share count for each.
    pub resident: u64,
    /// The largest resident memory of the process itself.
    pub peak: u64,
}

/// Look at a process, `None` if it is gone or the system does not tell.
pub fn sample(pid: u32) -> Option<Sample> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (is_over, ticks) = parse_stat(&stat)?;
    let memory = memory_of(&pid.to_string()).unwrap_or_default();
    let mut sum = Sample {
        is_over,
        cpu: TICK.saturating_mul(ticks.try_into().unwrap_or(u32::MAX)),
        resident: memory.resident,
        peak: memory.peak,
    };
    for child in children(pid) {
        if let Some(of_child) = sample(child) {
            sum.cpu += of_child.cpu;
            sum.resident += of_child.resident;
        }
    }
    Some(sum)
}

/// Has it ended, and how many ticks did it run, with children that it has waited for?
fn parse_stat(stat: &str) -> Option<(bool, u64)> {
    // The name of the program is in parentheses, and may have anything in it.
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_whitespace().collect();
    let is_over = matches!(*fields.first()?, "Z" | "X");
    let times = fields.get(11..15)?.iter().map(|t| t.parse::<u64>().ok());
    times.sum::<Option<u64>>().map(|ticks| (is_over, ticks))
}

/// Every thread has its own children.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let of_thread = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).ok();
    let lists = threads.flatten().filter_map(of_thread);
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_behind_a_strange_name() {
        let stat = "12 (a) b) R) S 1 1 1 0 -1 4194304 100 0 0 0 7 5 2 1 20 0 1 0 100 1 1\n";
        assert_eq!(parse_stat(stat), Some((false, 15)));
        assert_eq!(parse_stat("12 (x) Z 1 1"), None);
        assert_eq!(parse_stat(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process() {
        let sample = sample(std::process::id()).unwrap();
        assert!(!sample.is_over && sample.resident > 100_000 && sample.peak >= 100_000, "{sample:?}");
        assert_eq!(super::sample(u32::MAX), None);
    }
}
