//! Plots: how many instances are solved in how much time, and two configurations against one another (as Fig. 6 of
//! A. Ivrii, A. Gurfinkel, *Pushing to the Top*, FMCAD 2015: logarithmic, with diagonals that mark an order of magnitude).

use super::svg::{Anchor, LogAxis, Svg, seconds};
use crate::matrix::Matrix;
use crate::result::{Row, Verdict};
use crate::statistics::SHORTEST;

/// There are so many colours; then they begin again, with other dashes.
const N_COLOURS: usize = 8;
const N_DASHES: usize = 4;

/// The classes of a configuration's colour and dashes.
pub fn colour(config: usize) -> String {
    format!("c{} d{}", config % N_COLOURS, config / N_COLOURS % N_DASHES)
}

/// The highest time that is drawn.
fn limit(matrix: &Matrix) -> f64 {
    matrix.longest().max(10.0 * SHORTEST)
}

/// For each configuration a line: the n-th point is the time of its n-th fastest instance.
pub fn cactus(matrix: &Matrix) -> String {
    let (width, height) = (940.0, 420.0);
    let [left, right, top, bottom] = [64.0, width - 18.0, 14.0, height - 46.0];
    let axis = LogAxis::new(SHORTEST, limit(matrix), bottom, top);
    let times: Vec<Vec<(f64, usize)>> = (0..matrix.configs.len()).map(|c| sorted_times(matrix, c)).collect();
    let longest = times.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let x = |n: usize| left + (right - left) * n as f64 / longest as f64;
    let mut svg = Svg::new(width, height, "Instances solved by each configuration, over time");
    for decade in axis.decades() {
        svg.line("grid", [left, axis.at(decade)], [right, axis.at(decade)]);
        svg.words("tick", [left - 8.0, axis.at(decade) + 4.0], Anchor::End, &seconds(decade));
    }
    for n in ticks(longest) {
        svg.line("grid", [x(n), top], [x(n), bottom]);
        svg.words("tick", [x(n), bottom + 18.0], Anchor::Middle, &n.to_string());
    }
    svg.line("limit", [left, axis.at(axis.high())], [right, axis.at(axis.high())]);
    svg.line("axis", [left, bottom], [right, bottom]);
    svg.line("axis", [left, top], [left, bottom]);
    svg.words("label", [(left + right) / 2.0, height - 8.0], Anchor::Middle, "instances solved");
    svg.upright("label", [14.0, (top + bottom) / 2.0], "time for each, at most");
    for (c, times) in times.iter().enumerate() {
        let points: Vec<[f64; 2]> =
            times.iter().enumerate().map(|(n, &(t, _))| [x(n + 1), axis.at(t)]).collect();
        svg.path(&format!("curve {}", colour(c)), &points);
        for (n, (point, &(t, i))) in points.iter().zip(times).enumerate() {
            let title =
                format!("{}: {} in {t:.2} s (number {})", matrix.name(c), matrix.instances[i].name, n + 1);
            svg.circle(&format!("dot {}", colour(c)), *point, 2.6, &title);
        }
    }
    svg.finish()
}

/// What a configuration solves, with times, the fastest first.
fn sorted_times(matrix: &Matrix, config: usize) -> Vec<(f64, usize)> {
    let solved = (0..matrix.instances.len()).filter_map(|i| Some((matrix.solved(i, config)?.1, i)));
    let mut times: Vec<(f64, usize)> = solved.collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times
}

/// About eight round numbers up to `longest`.
fn ticks(longest: usize) -> Vec<usize> {
    let mut steps = (0..).flat_map(|e| [1, 2, 5].map(|m| m * 10usize.pow(e)));
    let step = steps.find(|step| longest / step <= 8).expect("steps grow without end");
    (0..=longest).step_by(step).collect()
}

/// A point of a scatter plot.
struct Point {
    instance: usize,
    verdict: Verdict,
    /// Across and up; `None` if it is not solved.
    times: [Option<f64>; 2],
}

/// `across` against `up`, with a caption that counts.
pub fn scatter(matrix: &Matrix, across: usize, up: usize) -> String {
    let size = 400.0;
    let [left, right, top, bottom] = [62.0, size - 12.0, 12.0, size - 54.0];
    // What is not solved lies on a line of its own beyond the limit.
    let beyond = 16.0;
    let axes = [
        LogAxis::new(SHORTEST, limit(matrix), left, right - beyond),
        LogAxis::new(SHORTEST, limit(matrix), bottom, top + beyond),
    ];
    let [ax, ay] = axes;
    let (name_x, name_y) = (matrix.name(across), matrix.name(up));
    let mut svg = Svg::new(size, size, &format!("Time of {name_x} against time of {name_y}"));
    for decade in ax.decades() {
        svg.line("grid", [ax.at(decade), top], [ax.at(decade), bottom]);
        svg.line("grid", [left, ay.at(decade)], [right, ay.at(decade)]);
        svg.words("tick", [ax.at(decade), bottom + 17.0], Anchor::Middle, &seconds(decade));
        svg.words("tick", [left - 7.0, ay.at(decade) + 4.0], Anchor::End, &seconds(decade));
    }
    svg.line("limit", [right, top], [right, bottom]);
    svg.line("limit", [left, top], [right, top]);
    svg.line("axis", [left, bottom], [right, bottom]);
    svg.line("axis", [left, top], [left, bottom]);
    diagonals(&mut svg, ax, ay);
    svg.words("label", [(left + right) / 2.0, size - 14.0], Anchor::Middle, name_x);
    svg.upright("label", [13.0, (top + bottom) / 2.0], name_y);
    let points = points(matrix, across, up);
    for point in &points {
        let [tx, ty] = point.times;
        let at = [tx.map_or(right, |t| ax.at(t)), ty.map_or(top, |t| ay.at(t))];
        let told = |config: usize| matrix.row(point.instance, config).map_or(String::new(), told);
        let name = &matrix.instances[point.instance].name;
        let title = format!("{name}\n{name_x}: {}\n{name_y}: {}", told(across), told(up));
        match point.verdict {
            Verdict::Safe => svg.circle("point safe", at, 3.4, &title),
            Verdict::Unsafe => svg.triangle("point unsafe", at, 4.2, &title),
        }
    }
    format!(
        "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
        svg.finish(),
        caption(&points, name_x, name_y)
    )
}

/// `safe in 1.20 s`.
fn told(row: &Row) -> String {
    format!("{} after {:.2} s", row.ending.word(), row.seconds)
}

/// Equal times, and times that differ by factors of ten.
fn diagonals(svg: &mut Svg, ax: LogAxis, ay: LogAxis) {
    let (low, high) = (ax.low(), ax.high());
    svg.line("diagonal", [ax.at(low), ay.at(low)], [ax.at(high), ay.at(high)]);
    let mut factor = 10.0;
    while low * factor < high {
        svg.line("decade", [ax.at(low), ay.at(low * factor)], [ax.at(high / factor), ay.at(high)]);
        svg.line("decade", [ax.at(low * factor), ay.at(low)], [ax.at(high), ay.at(high / factor)]);
        factor *= 10.0;
    }
}

/// What at least one of two solves, of what both were run on.
fn points(matrix: &Matrix, across: usize, up: usize) -> Vec<Point> {
    let point = |instance: usize| {
        matrix.row(instance, across)?;
        matrix.row(instance, up)?;
        let solved = [matrix.solved(instance, across), matrix.solved(instance, up)];
        let (verdict, _) = solved[0].or(solved[1])?;
        Some(Point { instance, verdict, times: solved.map(|s| s.map(|(_, t)| t)) })
    };
    (0..matrix.instances.len()).filter_map(point).collect()
}

/// How many are faster, and how many only one solves.
fn caption(points: &[Point], name_x: &str, name_y: &str) -> String {
    let count = |is: &dyn Fn(&Point) -> bool| points.iter().filter(|p| is(p)).count();
    let faster = |a: usize, b: usize| {
        count(
            &|p: &Point| matches!((p.times[a], p.times[b]), (Some(s), Some(t)) if s.max(SHORTEST) < t.max(SHORTEST)),
        )
    };
    let only = |a: usize, b: usize| count(&|p: &Point| p.times[a].is_some() && p.times[b].is_none());
    let part = |name: &str, a: usize, b: usize| {
        format!(
            "<b>{}</b> is faster on {} and alone on {}",
            super::svg::escape(name),
            faster(a, b),
            only(a, b)
        )
    };
    format!("{}; {}", part(name_x, 0, 1), part(name_y, 1, 0))
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::assert_balanced;
    use super::*;
    use crate::matrix::tests::small;

    #[test]
    fn plots_are_well_formed() {
        let matrix = small();
        let text = cactus(&matrix);
        assert_balanced(&text);
        assert_eq!((text.matches("<polyline").count(), text.matches("<circle").count()), (2, 5));
        let text = scatter(&matrix, 0, 1);
        assert_balanced(&text);
        // One safe, two unsafe; nobody solves the fourth.
        assert_eq!((text.matches("point safe").count(), text.matches("point unsafe").count()), (1, 2));
        assert!(
            text.contains(
                "<b>ic3</b> is faster on 0 and alone on 1; <b>bmc</b> is faster on 1 and alone on 0"
            )
        );
        assert!(text.contains("bmc: timeout after 20.00 s"));
    }

    #[test]
    fn nothing_solved_is_a_plot_too() {
        let matrix = Matrix::new([]);
        assert_balanced(&cactus(&matrix));
    }

    #[test]
    fn round_numbers() {
        assert_eq!(ticks(1), [0, 1]);
        assert_eq!(ticks(104), [0, 20, 40, 60, 80, 100]);
        assert_eq!(ticks(8).len(), 9);
    }
}
