//! From a run that is over to a row: what the verdict is, and what to keep of the output.

use super::config::{Config, Tool};
use super::job::{Ended, Reason};
use super::result::{Ending, Row, Verdict};
use super::schedule::Limits;
use super::set::Instance;
use serde_json::Value;
use std::process::ExitStatus;

/// What is kept of a complaint.
const LONGEST_MESSAGE: usize = 500;
const MIB: f64 = (1u64 << 20) as f64;

/// The row of a run that could not even begin.
pub fn not_started(config: &Config, instance: &Instance, limits: Limits, message: String) -> Row {
    Row {
        instance: instance.name.clone(),
        family: instance.family.clone(),
        expected: instance.expected,
        configuration: config.name.clone(),
        command: config.command(),
        ending: Ending::Error,
        seconds: 0.0,
        cpu_seconds: None,
        memory_mib: None,
        timeout: limits.timeout.as_secs_f64(),
        memory_limit_mib: limits.memory.map(mib),
        exit_code: None,
        statistics: Vec::new(),
        message,
    }
}

/// The row for what has ended.
pub fn row(config: &Config, instance: &Instance, limits: Limits, ended: &Ended) -> Row {
    let is_late = ended.seconds > limits.timeout.as_secs_f64();
    let said = match &ended.status {
        Err(reason) => Said::killed(*reason),
        Ok(status) => match (&config.tool, status.code()) {
            (_, None) => Said { message: signal(status), ..Said::ending(Ending::Crash) },
            (Tool::Indubit(_), Some(code)) => report(&ended.stdout, code, is_late),
            (Tool::Peer { rule, .. }, Some(code)) => {
                match rule.read(&format!("{}\n{}", ended.stdout, ended.stderr), code) {
                    Ok(Some(verdict)) => Said::ending(Ending::Verdict(verdict)),
                    Ok(None) => Said::ending(Ending::Unknown),
                    Err(message) => Said { message, ..Said::ending(Ending::Error) },
                }
            }
        },
    };
    // An answer that comes a little late counts for nobody: not for peers, who are killed, and so not for us.
    let (ending, late) = match is_late && said.ending.verdict().is_some() {
        true => (Ending::Timeout, format!("said {} after the time limit", said.ending.word())),
        false => (said.ending, String::new()),
    };
    let complaint = match ending {
        _ if ending.is_failure() && ended.stderr.trim().is_empty() => ended.stdout.as_str(),
        Ending::Unknown if matches!(config.tool, Tool::Peer { .. }) => ended.stdout.as_str(),
        Ending::Unknown => ended.stderr.as_str(),
        _ if ending.is_failure() => ended.stderr.as_str(),
        _ => "",
    };
    let parts = [said.message.clone(), late, tail(complaint)].into_iter().filter(|part| !part.is_empty());
    let peak_bytes = ended.peak_bytes.max(said.peak_bytes);
    Row {
        ending,
        seconds: rounded(ended.seconds),
        cpu_seconds: ended.cpu_seconds.map(rounded),
        memory_mib: peak_bytes.map(mib),
        exit_code: ended.status.ok().and_then(|status| status.code()),
        statistics: said.statistics,
        ..not_started(config, instance, limits, parts.collect::<Vec<_>>().join(": "))
    }
}

/// Bytes in MiB, as rows have them.
pub fn mib(bytes: u64) -> f64 {
    rounded(bytes as f64 / MIB)
}

/// As the file has it, so that everything can be made again from the file.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// What a tool said of itself.
struct Said {
    ending: Ending,
    statistics: Vec<(String, u64)>,
    peak_bytes: Option<u64>,
    message: String,
}

impl Said {
    fn ending(ending: Ending) -> Said {
        Said { ending, statistics: Vec::new(), peak_bytes: None, message: String::new() }
    }
    fn killed(reason: Reason) -> Said {
        let (ending, message) = match reason {
            Reason::Time => (Ending::Timeout, ""),
            Reason::Memory => (Ending::Memory, ""),
            Reason::Output => (Ending::Error, "killed because it wrote without end"),
            Reason::Hang => (Ending::Hang, "killed because it did not end at its time limit"),
        };
        Said { message: message.into(), ..Said::ending(ending) }
    }
}

/// What the report of `indubit check --format json` says.
fn report(stdout: &str, code: i32, is_late: bool) -> Said {
    let Ok(report) = serde_json::from_str::<Value>(stdout) else {
        return Said { message: format!("exit code {code} and no report"), ..Said::ending(Ending::Error) };
    };
    let none = Vec::new();
    let properties = report["properties"].as_array().unwrap_or(&none);
    let stopped_by = |reason: &str| properties.iter().any(|p| p["stop"] == reason);
    let ending = match report["verdict"].as_str().unwrap_or_default() {
        word if Verdict::parse(word).is_some() => {
            Ending::Verdict(Verdict::parse(word).expect("it is a verdict"))
        }
        "unknown" if stopped_by("time") => Ending::Timeout,
        "unknown" if stopped_by("memory") => Ending::Memory,
        // The model was still being read.
        "unknown" if is_late && report["model"].is_null() => Ending::Timeout,
        "unknown" => Ending::Unknown,
        _ => Ending::Error,
    };
    let message = match ending {
        Ending::Error => properties.iter().find_map(|p| p["message"].as_str()).unwrap_or_default(),
        _ => "",
    };
    Said {
        ending,
        statistics: statistics(properties),
        peak_bytes: report["peak_memory"].as_u64(),
        message: message.into(),
    }
}

/// Sums over all properties, and the bound up to which there is no counterexample of any.
fn statistics(properties: &[Value]) -> Vec<(String, u64)> {
    let mut sums: Vec<(String, u64)> = Vec::new();
    for (name, value) in properties.iter().filter_map(|p| p["statistics"].as_object()).flatten() {
        let value = value.as_u64().unwrap_or(0);
        match sums.iter_mut().find(|(n, _)| n == name) {
            Some((_, sum)) => *sum = sum.saturating_add(value),
            None => sums.push((name.clone(), value)),
        }
    }
    if let Some(bound) = properties.iter().filter_map(|p| p["safe_up_to"].as_u64()).min() {
        sums.push(("no counterexample up to".into(), bound));
    }
    sums
}

/// The end of what was said, on one line.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(" | ");
    let n = text.chars().count();
    match n > LONGEST_MESSAGE {
        true => format!("…{}", text.chars().skip(n - LONGEST_MESSAGE).collect::<String>()),
        false => text,
    }
}

#[cfg(unix)]
fn signal(status: &ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    status.signal().map_or(String::new(), |signal| format!("ended by signal {signal}"))
}

#[cfg(not(unix))]
fn signal(_status: &ExitStatus) -> String {
    String::new()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Rule;
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;

    fn read(tool: Tool, status: Result<i32, Reason>, stdout: &str, stderr: &str, seconds: f64) -> Row {
        let config = Config { name: "c".into(), tool };
        let instance = Instance {
            name: "i".into(),
            path: "i".into(),
            property: None,
            family: "f".into(),
            expected: None,
        };
        let ended = Ended {
            status: status.map(ExitStatus::from_raw),
            seconds,
            cpu_seconds: None,
            peak_bytes: Some(1 << 20),
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        let limits = Limits { timeout: Duration::from_secs(10), memory: Some(1 << 30), jobs: 1 };
        row(&config, &instance, limits, &ended)
    }

    const REPORT: &str = r#"{"verdict": "unknown", "model": {}, "peak_memory": 3145728, "properties": [
        {"verdict": "safe", "stop": null, "safe_up_to": null, "statistics": {"lemmas": 2}},
        {"verdict": "unknown", "stop": "time", "safe_up_to": 4, "statistics": {"lemmas": 3, "frames": 1}}]}"#;

    fn ours(report: &str, seconds: f64) -> Row {
        read(Tool::Indubit(Vec::new()), Ok(0), report, "", seconds)
    }

    #[test]
    fn reports_of_ours() {
        let row = ours(REPORT, 10.1);
        assert_eq!((row.ending, row.memory_mib), (Ending::Timeout, Some(3.0)));
        assert_eq!(row.statistic("lemmas"), Some(5));
        assert_eq!(row.statistic("no counterexample up to"), Some(4));
        assert_eq!(ours(&REPORT.replace("time", "memory"), 1.0).ending, Ending::Memory);
        assert_eq!(ours(&REPORT.replace("time", "bound"), 1.0).ending, Ending::Unknown);
        let safe = REPORT.replacen("unknown", "safe", 1);
        assert_eq!(ours(&safe, 9.9).ending, Ending::Verdict(Verdict::Safe));
        // Too late is too late.
        assert_eq!(ours(&safe, 10.2).ending, Ending::Timeout);
        assert_eq!(
            ours(r#"{"verdict": "unknown", "model": null, "properties": []}"#, 10.5).ending,
            Ending::Timeout
        );
    }

    #[test]
    fn failures_keep_what_was_said() {
        let row = read(Tool::Indubit(Vec::new()), Ok(2 << 8), "", "error: no model\nhint: look\n", 0.1);
        assert_eq!((row.ending, row.exit_code), (Ending::Error, Some(2)));
        assert_eq!(row.message, "exit code 2 and no report: error: no model | hint: look");
        let row = read(Tool::Indubit(Vec::new()), Ok(11), "", "", 0.1);
        assert_eq!((row.ending, row.message.as_str()), (Ending::Crash, "ended by signal 11"));
        let row = read(Tool::Indubit(Vec::new()), Err(Reason::Hang), "", "", 15.0);
        assert_eq!((row.ending, row.exit_code), (Ending::Hang, None));
        assert!(tail(&"x".repeat(2000)).chars().count() == LONGEST_MESSAGE + 1);
    }

    #[test]
    fn peers() {
        let peer = |code: i32, stdout| {
            read(
                Tool::Peer { words: vec!["p".into()], rule: Rule::default() },
                Ok(code << 8),
                stdout,
                "",
                1.0,
            )
        };
        assert_eq!(peer(20, "").ending, Ending::Verdict(Verdict::Safe));
        let row = peer(3, "no idea\n");
        assert_eq!((row.ending, row.message.as_str()), (Ending::Unknown, "no idea"));
    }
}
