//! The page: tables and plots in one file, without anything from elsewhere.

mod plots;
mod svg;
mod tables;

use super::matrix::Matrix;
use indubit_console::terminal::count;
use svg::escape;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// With more configurations than this, plots of all pairs would be too many: each is compared with the base only.
const LARGEST_FOR_ALL_PAIRS: usize = 4;

pub fn page(matrix: &Matrix, base: usize, title: &str, is_complete: bool) -> String {
    let mut body = header(matrix, title, is_complete);
    body += &wrong(matrix);
    body += &section("Summary", "", &tables::summary(matrix));
    let several = matrix.configs.len() > 1;
    if several {
        let note = "Time ratio: geometric mean of the time divided by that of the base, over what both solve; \
                    times below 10 ms count as 10 ms. PAR2: unsolved instances count twice the time limit. A click on a \
                    heading sorts.";
        let heading = format!("Against {}", escape(matrix.name(base)));
        body += &section(&heading, note, &tables::comparison(matrix, base));
    }
    let note = "The further to the right, the more is solved; the lower, the faster. Points have names.";
    body += &section("Solved over time", note, &format!("{}{}", legend(matrix), plots::cactus(matrix)));
    if several {
        let note = "Each point is an instance that at least one of the two solves: <i class=\"mark safe\">●</i> safe, \
                    <i class=\"mark unsafe\">▲</i> unsafe. Points below the diagonal are in favour of the configuration on \
                    the vertical axis. Diagonals mark orders of magnitude; on the outer lines lies what is not solved.";
        let figures: String = pairs(matrix.configs.len(), base)
            .into_iter()
            .map(|(x, y)| plots::scatter(matrix, x, y))
            .collect();
        body += &section("One against another", note, &format!("<div class=\"plots\">{figures}</div>\n"));
    }
    if let Some(text) = tables::reachable_states(matrix, base) {
        let note = "As Tables I and II of A. Ivrii and A. Gurfinkel, Pushing to the Top, FMCAD 2015.";
        body += &section("Reachable states", note, &text);
    }
    body += &section("Families", "Solved of each.", &tables::families(matrix));
    let search = "<input id=\"search\" type=\"search\" placeholder=\"filter instances\" aria-label=\"filter instances\"/>\n";
    let note = "A click on a heading sorts. Seconds of what is solved; the fastest is bold; the rest is in the titles.";
    body += &section("Instances", note, &format!("{search}{}", tables::instances(matrix)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(title),
    )
}

fn header(matrix: &Matrix, title: &str, is_complete: bool) -> String {
    let mut facts = vec![
        count(matrix.instances.len(), "instance", "instances"),
        count(matrix.configs.len(), "configuration", "configurations"),
    ];
    facts.extend(matrix.timeout().map(|timeout| format!("{timeout} s each")));
    facts.push(matrix.clock.word().into());
    facts.push(format!("Indubit {}", env!("CARGO_PKG_VERSION")));
    if !is_complete {
        facts.push("<strong class=\"bad\">interrupted, not complete</strong>".into());
    }
    format!("<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n", escape(title), facts.join(" · "))
}

/// Wrong verdicts, before anything else.
fn wrong(matrix: &Matrix) -> String {
    let wrong = matrix.wrong();
    if wrong.is_empty() {
        return String::new();
    }
    let items: String = wrong.iter().map(|w| format!("<li>{}</li>\n", escape(&matrix.explain(w)))).collect();
    let n = count(wrong.len(), "instance", "instances");
    format!("<section class=\"alarm\">\n<h2>Wrong verdicts on {n}</h2>\n<ul>\n{items}</ul>\n</section>\n")
}

fn section(heading: &str, note: &str, contents: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!("<p class=\"note\">{note}</p>\n") };
    format!("<section>\n<h2>{heading}</h2>\n{note}{contents}</section>\n")
}

fn legend(matrix: &Matrix) -> String {
    let items: String = (0..matrix.configs.len())
        .map(|c| {
            format!("<span><i class=\"swatch {}\"></i>{}</span>\n", plots::colour(c), escape(matrix.name(c)))
        })
        .collect();
    format!("<p class=\"legend\">\n{items}</p>\n")
}

/// Which configurations are drawn against which: across, up.
fn pairs(n: usize, base: usize) -> Vec<(usize, usize)> {
    match n <= LARGEST_FOR_ALL_PAIRS {
        true => (0..n).flat_map(|x| (x + 1..n).map(move |y| (x, y))).collect(),
        false => (0..n).filter(|&y| y != base).map(|y| (base, y)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::tests::{SAFE, UNSAFE, small};
    use super::super::result::tests::row;
    use super::svg::tests::assert_balanced;
    use super::*;

    #[test]
    fn the_page_is_well_formed_and_needs_nothing_else() {
        let text = page(&small(), 0, "<set> & more", true);
        assert_balanced(&text);
        assert!(text.contains("<title>&lt;set&gt; &amp; more</title>"));
        for elsewhere in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!text.contains(elsewhere), "{elsewhere}");
        }
        assert!(!text.contains("Wrong verdicts") && !text.contains("not complete"));
    }

    #[test]
    fn wrong_verdicts_are_on_top() {
        let matrix = Matrix::new([row("<a>", "x", SAFE, 1.0), row("<a>", "y", UNSAFE, 1.0)]);
        let text = page(&matrix, 0, "t", false);
        assert_balanced(&text);
        assert!(text.find("Wrong verdicts on 1 instance").unwrap() < text.find("Summary").unwrap());
        assert!(text.contains("interrupted") && !text.contains("<a>"));
        assert_balanced(&page(&Matrix::new([row("a", "x", SAFE, 1.0)]), 0, "t", true));
    }

    #[test]
    fn pairs_of_configurations() {
        assert_eq!(pairs(3, 0), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairs(5, 1), [(1, 0), (1, 2), (1, 3), (1, 4)]);
    }
}
