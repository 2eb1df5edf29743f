//! The summary on standard output.

use super::matrix::{Clock, Matrix};
use super::statistics::{Totals, compare, totals, virtual_best};
use indubit_console::terminal::{Paint, count, printable};

/// At most so many instances are listed by name.
const LISTED: usize = 20;

/// What is wrong, first; then a table of all configurations; then each of them against the base.
pub fn summary(matrix: &Matrix, base: usize, paint: Paint) -> String {
    let mut text = shouts(matrix, paint);
    let limit = matrix.timeout().map_or(String::new(), |timeout| format!(", {timeout} s each"));
    let clock = match matrix.clock {
        Clock::Wall => String::new(),
        clock => format!(", {}", clock.word()),
    };
    let n_instances = count(matrix.instances.len(), "instance", "instances");
    text += &format!(
        "{n_instances}, {}{limit}{clock}\n\n",
        count(matrix.configs.len(), "configuration", "configurations")
    );
    let mut lines = vec![
        ["configuration", "run", "solved", "safe", "unsafe", "unique", "failed", "time", "PAR2", "MiB"]
            .map(String::from),
    ];
    lines.extend((0..matrix.configs.len()).map(|c| line(matrix.name(c), &totals(matrix, c), false)));
    if matrix.configs.len() > 1 {
        lines.push(line("best of all", &virtual_best(matrix), true));
    }
    text += &align(&lines, paint);
    if matrix.configs.len() > 1 {
        let base_name = printable(matrix.name(base));
        let mut lines = vec![[format!("against {base_name}"), "gained".into(), "lost".into()].to_vec()];
        lines[0].extend(["time ratio", "solved by both", "PAR2"].map(String::from));
        for c in (0..matrix.configs.len()).filter(|&c| c != base) {
            let comparison = compare(matrix, c, base);
            lines.push(vec![
                printable(matrix.name(c)),
                format!("+{}", comparison.gained.len()),
                format!("-{}", comparison.lost.len()),
                comparison.ratio.map_or("–".into(), |ratio| format!("{ratio:.2}")),
                comparison.n_both.to_string(),
                format!("{:+.1}", tenths(comparison.par2)),
            ]);
        }
        text += &format!("\n{}", align(&lines, paint));
    }
    text + &starved(matrix) + &failures(matrix)
}

/// Runs that had to wait for a processor: their times, and maybe their verdicts, say little.
fn starved(matrix: &Matrix) -> String {
    let rows = (0..matrix.configs.len()).flat_map(|c| matrix.rows(c)).map(|(_, row)| row);
    match rows.filter(|row| row.is_starved()).count() {
        0 => String::new(),
        n => format!(
            "\nnote: {} had less than half of a processor: was something else running?\n",
            count(n, "run", "runs")
        ),
    }
}

/// Wrong verdicts.
fn shouts(matrix: &Matrix, paint: Paint) -> String {
    let wrong = matrix.wrong();
    let mut text = String::new();
    for one in &wrong {
        text += &format!("{}  {}\n", paint.bad("WRONG"), printable(&matrix.explain(one)));
    }
    if !wrong.is_empty() {
        text.push('\n');
    }
    text
}

fn line(name: &str, totals: &Totals, is_virtual: bool) -> [String; 10] {
    let real = |n: usize| if is_virtual { String::new() } else { n.to_string() };
    [
        printable(name),
        totals.run.to_string(),
        totals.solved().to_string(),
        totals.safe.to_string(),
        totals.unsafe_.to_string(),
        real(totals.unique),
        real(totals.failed),
        format!("{:.1}", totals.seconds),
        format!("{:.1}", totals.par2),
        totals.peak_mib.map_or(String::new(), |mib| format!("{mib:.0}")),
    ]
}

/// Rounded, and never a negative zero.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

/// Columns under one another: the first to the left, numbers to the right.
fn align<R: AsRef<[String]>>(lines: &[R], paint: Paint) -> String {
    let length = |text: &String| text.chars().count();
    let n_columns = lines.first().map_or(0, |line| line.as_ref().len());
    let widths: Vec<usize> = (0..n_columns)
        .map(|i| lines.iter().map(|line| length(&line.as_ref()[i])).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for (n, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line
            .as_ref()
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(i, (cell, &width))| {
                    if i == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        let cells = cells.join("  ");
        let cells = cells.trim_end();
        text += &if n == 0 { paint.bold(cells) } else { cells.into() };
        text.push('\n');
    }
    text
}

/// What failed, with what was said.
fn failures(matrix: &Matrix) -> String {
    let all: Vec<String> = (0..matrix.configs.len())
        .flat_map(|c| matrix.rows(c))
        .filter(|(_, row)| row.ending.is_failure())
        .map(|(_, row)| {
            format!("{} {} {}: {}", row.configuration, row.ending.word(), row.instance, row.message)
        })
        .collect();
    let mut text = String::new();
    for failure in all.iter().take(LISTED) {
        text += &format!("\nfailed  {}", printable(failure));
    }
    if all.len() > LISTED {
        text += &format!("\nfailed  {} more", all.len() - LISTED);
    }
    if all.is_empty() { text } else { text + "\n" }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::tests::{SAFE, UNSAFE, small};
    use super::super::result::Ending;
    use super::super::result::tests::row;
    use super::*;

    #[test]
    fn a_table_for_people() {
        let text = summary(&small(), 0, Paint::plain());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "4 instances, 2 configurations, 20 s each");
        assert_eq!(lines[2], "configuration  run  solved  safe  unsafe  unique  failed  time  PAR2  MiB");
        assert_eq!(lines[3], "ic3              4       3     1       2       1       0  10.0  50.0");
        assert_eq!(lines[5], "best of all      4       3     1       2                   4.0  44.0");
        assert_eq!(lines[7], "against ic3  gained  lost  time ratio  solved by both   PAR2");
        assert_eq!(lines[8], "bmc              +0    -1        0.50               2  +33.0");
    }

    #[test]
    fn what_is_wrong_comes_first_and_failures_last() {
        let mut failed = row("b", "x", Ending::Crash, 1.0);
        failed.message = "ended by signal 11".into();
        let matrix = Matrix::new([row("a", "x", SAFE, 1.0), row("a", "y", UNSAFE, 1.0), failed]);
        let text = summary(&matrix, 0, Paint::plain());
        assert!(text.starts_with("WRONG  a: x says safe, y says unsafe\n\n2 instances"), "{text}");
        assert!(text.ends_with("\nfailed  x crash b: ended by signal 11\n"), "{text}");
        assert!(!text.contains("note:"));
    }

    #[test]
    fn runs_that_had_to_wait_are_told() {
        let with_cpu = |name, cpu| {
            let mut row = row(name, "x", SAFE, 4.0);
            row.cpu_seconds = Some(cpu);
            row
        };
        let matrix = Matrix::new([with_cpu("a", 3.9), with_cpu("b", 1.9), row("c", "x", SAFE, 4.0)]);
        let text = summary(&matrix, 0, Paint::plain());
        assert!(
            text.ends_with("\nnote: 1 run had less than half of a processor: was something else running?\n")
        );
    }
}
