//! The clock of the benchmarks.

/// Processor time so far of a thread: `thread-self`, or `self/task/ID`.
pub fn cpu_seconds(thread: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    let nanoseconds: f64 = stat.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
