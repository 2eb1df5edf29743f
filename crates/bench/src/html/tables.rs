//! Tables of the page.

use super::plots::colour;
use super::svg::escape;
use crate::matrix::Matrix;
use crate::result::{Ending, Row};
use crate::statistics::{RANGES, Totals, compare, table_one, table_two, totals, virtual_best};

/// A table from cells that are HTML already. The first column is text, the others are numbers.
fn table(class: &str, heading: &[String], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &[String]| -> String {
        cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect()
    };
    let mut text = format!(
        "<div class=\"scroll\"><table class=\"{class}\">\n<thead><tr>{}</tr></thead>\n<tbody>\n",
        cells("th", heading)
    );
    for row in rows {
        text += &format!("<tr>{}</tr>\n", cells("td", row));
    }
    text + "</tbody></table></div>\n"
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

/// A configuration's name with its colour.
fn named(matrix: &Matrix, config: usize) -> String {
    format!("<i class=\"swatch {}\"></i>{}", colour(config), escape(matrix.name(config)))
}

/// 12,345.6
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 && text.contains(|c| ('1'..='9').contains(&c)) { "−" } else { "" };
    if fraction.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{fraction}") }
}

/// +12.3, −4.5, and zero without a sign.
fn signed(value: f64) -> String {
    let text = grouped(value, 1);
    let is_positive = value > 0.0 && text != grouped(0.0, 1);
    if is_positive { format!("+{text}") } else { text }
}

/// All configurations, and the best of all.
pub fn summary(matrix: &Matrix) -> String {
    let heading = [
        "configuration",
        "solved",
        "safe",
        "unsafe",
        "unique",
        "wrong or disputed",
        "failed",
        "time (s)",
        "PAR2 (s)",
        "peak MiB",
    ];
    let row = |name: String, totals: &Totals, is_virtual: bool| {
        let real = |n: usize| if is_virtual { String::new() } else { n.to_string() };
        let wrong = match totals.wrong {
            0 => real(0),
            n => format!("<strong class=\"bad\">{n}</strong>"),
        };
        vec![
            name,
            format!("<b>{}</b> <small>of {}</small>", totals.solved(), totals.run),
            totals.safe.to_string(),
            totals.unsafe_.to_string(),
            real(totals.unique),
            wrong,
            real(totals.failed),
            grouped(totals.seconds, 1),
            grouped(totals.par2, 1),
            totals.peak_mib.map_or(String::new(), |mib| grouped(mib, 0)),
        ]
    };
    let mut rows: Vec<Vec<String>> = (0..matrix.configs.len())
        .map(|c| {
            let command = escape(&matrix.configs[c].1);
            let name = format!("{}<br/><code>{command}</code>", named(matrix, c));
            row(name, &totals(matrix, c), false)
        })
        .collect();
    if matrix.configs.len() > 1 {
        rows.push(row("<i>best of all</i>".into(), &virtual_best(matrix), true));
    }
    table("numbers", &strings(&heading), &rows)
}

/// Each configuration against the base.
pub fn comparison(matrix: &Matrix, base: usize) -> String {
    let heading =
        ["configuration", "solved", "gained", "lost", "time ratio", "solved by both", "PAR2 difference (s)"];
    let rows: Vec<Vec<String>> = (0..matrix.configs.len())
        .filter(|&c| c != base)
        .map(|c| {
            let comparison = compare(matrix, c, base);
            let difference = comparison.gained.len() as i64 - comparison.lost.len() as i64;
            let class = match difference {
                0 => "same",
                d if d > 0 => "good",
                _ => "bad",
            };
            let sign = if difference > 0 { "+" } else { "" };
            vec![
                named(matrix, c),
                format!(
                    "<b class=\"{class}\" data-value=\"{difference}\">{sign}{}</b>",
                    grouped(difference as f64, 0)
                ),
                list(matrix, &comparison.gained),
                list(matrix, &comparison.lost),
                comparison.ratio.map_or("–".into(), |ratio| format!("{ratio:.2}")),
                comparison.n_both.to_string(),
                format!("<span data-value=\"{:.3}\">{}</span>", comparison.par2, signed(comparison.par2)),
            ]
        })
        .collect();
    table("numbers sortable", &strings(&heading), &rows)
}

/// A number that can be unfolded into names.
fn list(matrix: &Matrix, instances: &[usize]) -> String {
    if instances.is_empty() {
        return "0".into();
    }
    let names: Vec<String> = instances.iter().map(|&i| escape(&matrix.instances[i].name)).collect();
    let n = instances.len();
    let names = names.join("<br/>");
    format!("<details data-value=\"{n}\"><summary>{n}</summary><small>{names}</small></details>")
}

/// How many of each family are solved by whom.
pub fn families(matrix: &Matrix) -> String {
    let mut heading = strings(&["family", "instances"]);
    heading.extend((0..matrix.configs.len()).map(|c| named(matrix, c)));
    heading.push("best of all".into());
    let rows: Vec<Vec<String>> = matrix
        .families()
        .into_iter()
        .map(|(family, instances)| {
            let best = instances.iter().filter(|&&i| matrix.best(i).is_some()).count();
            let mut row = vec![escape(family), instances.len().to_string()];
            for c in 0..matrix.configs.len() {
                let solved = instances.iter().filter(|&&i| matrix.solved(i, c).is_some()).count();
                let class = if solved == best { "" } else { " class=\"less\"" };
                row.push(format!("<span{class}>{solved}</span>"));
            }
            row.push(best.to_string());
            row
        })
        .collect();
    table("numbers sortable", &heading, &rows)
}

/// All instances.
pub fn instances(matrix: &Matrix) -> String {
    let mut heading = strings(&["instance", "expected"]);
    heading.extend((0..matrix.configs.len()).map(|c| named(matrix, c)));
    let rows: Vec<Vec<String>> = (0..matrix.instances.len())
        .map(|i| {
            let instance = &matrix.instances[i];
            let mut row = vec![escape(&instance.name)];
            row.push(instance.expected.map_or("", |expected| expected.word()).into());
            row.extend((0..matrix.configs.len()).map(|c| cell(matrix, i, c)));
            row
        })
        .collect();
    table("numbers sortable instances", &heading, &rows)
}

fn cell(matrix: &Matrix, instance: usize, config: usize) -> String {
    let Some(row) = matrix.row(instance, config) else {
        return String::new();
    };
    let is_wrong = matrix.wrong_about(instance).is_some_and(|wrong| wrong.configs.contains(&config));
    let is_fastest = matrix
        .solved(instance, config)
        .is_some_and(|(_, t)| matrix.best(instance).is_some_and(|(_, b)| t <= b));
    let class = match row.ending {
        _ if is_wrong => "result wrong",
        Ending::Verdict(_) if is_fastest => "result solved best",
        Ending::Verdict(_) => "result solved",
        ending if ending.is_failure() => "result failed",
        _ => "result open",
    };
    let word = row.ending.word();
    let shown = match row.ending {
        Ending::Verdict(_) => format!("{word} {:.2}", matrix.time(row)),
        _ => word.into(),
    };
    format!(
        "<span class=\"{class}\" data-value=\"{}\" title=\"{}\">{shown}</span>",
        sort_key(row.ending, matrix.time(row)),
        escape(&details(row))
    )
}

/// What is solved comes first, by time.
fn sort_key(ending: Ending, seconds: f64) -> f64 {
    if ending.verdict().is_some() { seconds } else { 1e6 + seconds }
}

fn details(row: &Row) -> String {
    let mut text = format!("{} after {:.2} s", row.ending.word(), row.seconds);
    if let Some(cpu) = row.cpu_seconds {
        text += &format!(", {cpu:.2} s of CPU");
    }
    if let Some(mib) = row.memory_mib {
        text += &format!(", {mib:.0} MiB");
    }
    if !row.message.is_empty() {
        text += &format!(". {}", row.message);
    }
    for (name, value) in &row.statistics {
        text += &format!("; {name} {value}");
    }
    text
}

/// Table I of Ivrii, Gurfinkel, FMCAD 2015, for all configurations, if one of them counts reachable states; then Table II for each that does.
pub fn reachable_states(matrix: &Matrix, base: usize) -> Option<String> {
    let other = |c: usize| if c == base { usize::from(base == 0) } else { base };
    let counting: Vec<_> = (0..matrix.configs.len())
        .filter(|&c| other(c) < matrix.configs.len())
        .filter_map(|c| Some((c, table_two(matrix, c, other(c))?)))
        .collect();
    if counting.is_empty() {
        return None;
    }
    let heading = ["configuration", "unsafe solved", "unsafe time (s)", "safe solved", "safe time (s)"];
    let rows: Vec<Vec<String>> = (0..matrix.configs.len())
        .map(|c| {
            let cells = table_one(matrix, c)
                .into_iter()
                .flat_map(|cell| [format!("{} ({})", cell.solved, cell.unique), grouped(cell.seconds, 0)]);
            std::iter::once(named(matrix, c)).chain(cells).collect()
        })
        .collect();
    let mut text = table("numbers", &strings(&heading), &rows);
    text += "<p class=\"note\">On the instances that some configuration solves; what a configuration does not solve \
             counts with its time limit. In parentheses: solved by no other.</p>\n";
    for (c, ranges) in counting {
        let mut heading = vec!["reachable states".to_string()];
        heading.extend(RANGES.iter().map(|(name, _)| escape(name)));
        let mut rows = vec![vec![format!("solved by {}", escape(matrix.name(c)))]];
        rows.push(vec![format!("of these not by {}", escape(matrix.name(other(c))))]);
        for (solved, alone) in ranges {
            rows[0].push(solved.to_string());
            rows[1].push(alone.to_string());
        }
        text += &table("numbers", &heading, &rows);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::assert_balanced;
    use super::*;
    use crate::matrix::tests::{SAFE, small};
    use crate::result::tests::row;

    #[test]
    fn tables_are_well_formed() {
        let matrix = small();
        for text in [summary(&matrix), comparison(&matrix, 0), families(&matrix), instances(&matrix)] {
            assert_balanced(&text);
        }
        assert!(comparison(&matrix, 0).contains("<b class=\"bad\" data-value=\"-1\">−1</b>"));
        assert!(families(&matrix).contains("<td>a</td><td>2</td>"));
        assert!(instances(&matrix).contains("title=\"memory after 5.00 s, 5.00 s of CPU\">memory</span>"));
    }

    #[test]
    fn the_tables_of_the_quip_paper_need_its_statistics() {
        assert_eq!(reachable_states(&small(), 0), None);
        let mut quip = row("a", "quip", SAFE, 1.0);
        quip.statistics = vec![("reachable states".into(), 12)];
        let matrix = Matrix::new([row("a", "ic3", SAFE, 2.0), quip]);
        let text = reachable_states(&matrix, 0).unwrap();
        assert_balanced(&text);
        assert!(
            text.contains("of these not by ic3")
                && text.contains("<td>solved by quip</td><td>0</td><td>1</td>")
        );
        assert!(reachable_states(&matrix, 1).unwrap().contains("of these not by ic3"));
    }

    #[test]
    fn thousands() {
        assert_eq!((grouped(1234567.25, 1), grouped(-999.0, 0)), ("1,234,567.2".into(), "−999".into()));
        assert_eq!((signed(0.01), signed(1.0), signed(-1.0)), ("0.0".into(), "+1.0".into(), "−1.0".into()));
        assert_eq!((grouped(0.0, 1), grouped(-0.01, 1)), ("0.0".into(), "0.0".into()));
    }
}
