//! What came out of one configuration on one instance: a row of the CSV file.

use super::csv::{self, Table};

/// What a model checker can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Safe,
    Unsafe,
}

impl Verdict {
    /// `safe` or `unsafe`, of liveness `holds` or `fails`; everything else says nothing.
    pub fn parse(word: &str) -> Option<Verdict> {
        match word {
            "safe" | "holds" => Some(Verdict::Safe),
            "unsafe" | "fails" => Some(Verdict::Unsafe),
            _ => None,
        }
    }
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a verdict, which may be wrong.
    Verdict(Verdict),
    /// By itself, without a verdict: a bound, an incomplete method, a property that is not supported.
    Unknown,
    /// By the time limit.
    Timeout,
    /// By the memory limit.
    Memory,
    /// It complained, or nobody understands what it said.
    Error,
    /// A signal ended it, which was not ours.
    Crash,
    /// It went on after its limit, and was killed.
    Hang,
}

impl Ending {
    const ALL: [Ending; 8] = [
        Ending::Verdict(Verdict::Safe),
        Ending::Verdict(Verdict::Unsafe),
        Ending::Unknown,
        Ending::Timeout,
        Ending::Memory,
        Ending::Error,
        Ending::Crash,
        Ending::Hang,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Ending::Verdict(verdict) => verdict.word(),
            Ending::Unknown => "unknown",
            Ending::Timeout => "timeout",
            Ending::Memory => "memory",
            Ending::Error => "error",
            Ending::Crash => "crash",
            Ending::Hang => "hang",
        }
    }
    fn parse(word: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.word() == word)
    }
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Ending::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }
    /// Something went wrong that is no limit.
    pub fn is_failure(self) -> bool {
        matches!(self, Ending::Error | Ending::Crash | Ending::Hang)
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the instance is called: its path, and its property if it has one.
    pub instance: String,
    /// What it is grouped with.
    pub family: String,
    /// What the set says.
    pub expected: Option<Verdict>,
    /// What the configuration is called.
    pub configuration: String,
    /// What it runs.
    pub command: String,
    pub ending: Ending,
    /// From the start of the process to its end.
    pub seconds: f64,
    /// Of the processor, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// The largest resident memory that was seen, in MiB, where the system tells.
    pub memory_mib: Option<f64>,
    /// The time limit in seconds.
    pub timeout: f64,
    /// The memory limit in MiB.
    pub memory_limit_mib: Option<f64>,
    /// If it ended by itself.
    pub exit_code: Option<i32>,
    /// What it counted.
    pub statistics: Vec<(String, u64)>,
    /// What it said, if it failed.
    pub message: String,
}

const COLUMNS: [&str; 14] = [
    "instance",
    "family",
    "expected",
    "configuration",
    "result",
    "seconds",
    "cpu_seconds",
    "memory_mib",
    "timeout",
    "memory_limit_mib",
    "exit_code",
    "command",
    "statistics",
    "message",
];

/// The first line of the file.
pub fn heading() -> String {
    csv::line(&COLUMNS)
}

impl Row {
    /// Its line.
    pub fn line(&self) -> String {
        let optional = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.3}"));
        let statistics: Vec<String> = self.statistics.iter().map(|(name, n)| format!("{name}={n}")).collect();
        csv::line(&[
            self.instance.clone(),
            self.family.clone(),
            self.expected.map_or(String::new(), |e| e.word().into()),
            self.configuration.clone(),
            self.ending.word().into(),
            format!("{:.3}", self.seconds),
            optional(self.cpu_seconds),
            optional(self.memory_mib),
            self.timeout.to_string(),
            optional(self.memory_limit_mib),
            self.exit_code.map_or(String::new(), |code| code.to_string()),
            self.command.clone(),
            statistics.join("; "),
            self.message.clone(),
        ])
    }

    /// Did it have less than half of a processor, and long enough for that to matter?
    pub fn is_starved(&self) -> bool {
        self.seconds >= 1.0 && self.cpu_seconds.is_some_and(|cpu| cpu < self.seconds / 2.0)
    }
    /// The value of a statistic.
    pub fn statistic(&self, name: &str) -> Option<u64> {
        self.statistics.iter().find(|(n, _)| n == name).map(|&(_, value)| value)
    }
}

/// All rows of a file of results. A last line that was cut off does not count.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let table = Table::parse(complete)?;
    let mut positions = [0; COLUMNS.len()];
    for (position, name) in positions.iter_mut().zip(COLUMNS) {
        *position = table.column(name).ok_or_else(|| format!("line 1: the column `{name}` is missing"))?;
    }
    table.rows.iter().map(|(line, fields)| row(&positions.map(|p| fields[p].as_str()), *line)).collect()
}

fn row(fields: &[&str; COLUMNS.len()], line: usize) -> Result<Row, String> {
    let &[instance, family, expected, configuration, result, numbers @ .., command, statistics, message] =
        fields;
    let [seconds, cpu, memory, timeout, memory_limit, code] = numbers;
    let wrong = |what: &str, text: &str| format!("line {line}: `{text}` is no {what}");
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err(wrong("number of seconds or MiB", text)),
    };
    let optional = |text: &str| if text.is_empty() { Ok(None) } else { number(text).map(Some) };
    Ok(Row {
        instance: instance.into(),
        family: family.into(),
        expected: Verdict::parse(expected),
        configuration: configuration.into(),
        command: command.into(),
        ending: Ending::parse(result).ok_or_else(|| wrong("result", result))?,
        seconds: number(seconds)?,
        cpu_seconds: optional(cpu)?,
        memory_mib: optional(memory)?,
        timeout: number(timeout)?,
        memory_limit_mib: optional(memory_limit)?,
        exit_code: match code {
            "" => None,
            code => Some(code.parse().map_err(|_| wrong("exit code", code))?),
        },
        statistics: statistics
            .split("; ")
            .filter(|s| !s.is_empty())
            .map(statistic)
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("list of statistics", statistics))?,
        message: message.into(),
    })
}

fn statistic(text: &str) -> Option<(String, u64)> {
    let (name, value) = text.rsplit_once('=')?;
    Some((name.into(), value.parse().ok()?))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row with nothing special in it.
    pub fn row(instance: &str, configuration: &str, ending: Ending, seconds: f64) -> Row {
        Row {
            instance: instance.into(),
            family: instance.split('/').next().unwrap().into(),
            expected: None,
            configuration: configuration.into(),
            command: format!("indubit check {{model}} --engine {configuration}"),
            ending,
            seconds,
            cpu_seconds: Some(seconds),
            memory_mib: None,
            timeout: 20.0,
            memory_limit_mib: None,
            exit_code: Some(0),
            statistics: Vec::new(),
            message: String::new(),
        }
    }

    #[test]
    fn rows_there_and_back() {
        let mut rows = Vec::new();
        for (i, ending) in Ending::ALL.into_iter().enumerate() {
            let mut row = row(&format!("f/{i},\"x\".aig"), "ic3 --seed 1", ending, i as f64 + 0.125);
            row.statistics = vec![("lemmas kept".into(), 7), ("a=b".into(), u64::MAX)];
            row.memory_mib = (i % 2 == 0).then_some(1.5);
            row.exit_code = (i % 3 == 0).then_some(-1);
            row.memory_limit_mib = (i % 4 == 0).then_some(512.0);
            row.expected = Some(Verdict::Unsafe);
            row.message = "error: \"no\", never".into();
            rows.push(row);
        }
        let mut text = heading();
        text.extend(rows.iter().map(Row::line));
        assert_eq!(parse(&text).unwrap(), rows);
        // A run was killed while it wrote.
        assert_eq!(parse(&text[..text.len() - 3]).unwrap(), rows[..7]);
        assert_eq!(rows[0].statistic("lemmas kept"), Some(7));
    }

    #[test]
    fn other_tables_are_refused() {
        assert!(parse("path,expected\n").unwrap_err().contains("`instance` is missing"));
        let good = heading() + &row("a", "b", Ending::Timeout, 1.0).line();
        for (old, new) in
            [("timeout,1.000", "late,1.000"), (",1.000,", ",-1,"), (",1.000,", ",nan,"), (",0,", ",x,")]
        {
            assert!(good.contains(old), "{good}");
            assert!(parse(&good.replacen(old, new, 1)).unwrap_err().starts_with("line 2: "));
        }
        assert!(parse("").is_err());
    }
}
