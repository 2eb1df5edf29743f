//! The parts of plots: SVG elements, and logarithmic axes of time.

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c if c.is_control() && c != '\n' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A plot that is being drawn. Classes give the colours: the page's style has a light and a dark set of them.
pub struct Svg {
    text: String,
}

/// Which part of a text is at its position.
#[derive(Clone, Copy)]
pub enum Anchor {
    Middle,
    End,
}

impl Svg {
    /// A drawing of this size, which shrinks with the window; `label` is for those who cannot see it.
    pub fn new(width: f64, height: f64, label: &str) -> Svg {
        let label = escape(label);
        Svg { text: format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n") }
    }
    pub fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from, to);
        self.text += &format!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>\n"
        );
    }
    pub fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.text += &format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.join(" "));
    }
    /// A circle that says `title` when the pointer is on it.
    pub fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, title: &str) {
        let title = escape(title);
        self.text += &format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{title}</title></circle>\n"
        );
    }
    /// A triangle, likewise.
    pub fn triangle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, title: &str) {
        let title = escape(title);
        let points = [[x, y - radius], [x - radius, y + radius * 0.8], [x + radius, y + radius * 0.8]];
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.text +=
            &format!("<polygon class=\"{class}\" points=\"{points}\"><title>{title}</title></polygon>\n");
    }
    pub fn words(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let words = escape(words);
        self.text += &format!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n"
        );
    }
    /// Words that are read from below.
    pub fn upright(&mut self, class: &str, [x, y]: [f64; 2], words: &str) {
        let words = escape(words);
        self.text += &format!(
            "<text class=\"{class}\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{words}</text>\n"
        );
    }
    pub fn finish(self) -> String {
        self.text + "</svg>\n"
    }
}

/// Seconds on a logarithmic scale, between two positions of the drawing.
#[derive(Clone, Copy, Debug)]
pub struct LogAxis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// From `low` seconds at position `from` to `high` seconds at `to`.
    pub fn new(low: f64, high: f64, from: f64, to: f64) -> LogAxis {
        LogAxis { low, high: high.max(low * 10.0), from, to }
    }
    /// The position of a time; one that is outside goes to the border.
    pub fn at(&self, seconds: f64) -> f64 {
        let share = (seconds.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        self.from + share * (self.to - self.from)
    }
    pub fn low(&self) -> f64 {
        self.low
    }
    pub fn high(&self) -> f64 {
        self.high
    }
    /// The powers of ten on the axis.
    pub fn decades(&self) -> Vec<f64> {
        let first = self.low.log10().ceil() as i32;
        let last = self.high.log10().floor() as i32;
        (first..=last).map(|exponent| 10f64.powi(exponent)).collect()
    }
}

/// `0.01 s`, `10 s`.
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 1.0 => format!("{v:.0} s"),
        v => format!("{v} s"),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Panics unless every element that begins ends where it should. `void` elements of HTML have no end.
    #[track_caller]
    pub fn assert_balanced(text: &str) {
        const VOID: [&str; 3] = ["meta", "input", "br"];
        let mut open: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some(begin) = rest.find('<') {
            rest = &rest[begin + 1..];
            let end = rest.find('>').expect("a tag ends");
            let (tag, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if tag.starts_with('!') || tag.ends_with('/') {
                continue;
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "in {text}"),
                None => {
                    let name = tag.split_whitespace().next().expect("a tag has a name");
                    if matches!(name, "script" | "style") {
                        rest = &rest[rest.find("</").expect("it ends")..];
                    }
                    if !VOID.contains(&name) {
                        open.push(name);
                    }
                }
            }
        }
        assert_eq!(open, [""; 0]);
    }

    #[test]
    fn elements_are_balanced_and_text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0, "a \"plot\" of <x>");
        svg.line("grid", [0.0, 0.0], [1.0, 1.0]);
        svg.path("c0", &[[0.0, 0.0], [1.0, 1.0]]);
        svg.circle("safe", [1.0, 1.0], 2.0, "a & b");
        svg.triangle("unsafe", [1.0, 1.0], 2.0, "</title>");
        svg.words("label", [1.0, 1.0], Anchor::Middle, "it's");
        svg.upright("label", [1.0, 1.0], "up");
        let text = svg.finish();
        assert_balanced(&text);
        assert!(text.contains("&lt;/title&gt;") && text.contains("it&#39;s"));
    }

    #[test]
    fn logarithmic_axes() {
        let axis = LogAxis::new(0.01, 100.0, 0.0, 400.0);
        assert_eq!(axis.decades(), [0.01, 0.1, 1.0, 10.0, 100.0]);
        assert!((axis.at(1.0) - 200.0).abs() < 1e-9);
        assert_eq!((axis.at(0.0), axis.at(1e9)), (0.0, 400.0));
        // Even a limit below the lowest time gives an axis.
        assert!(LogAxis::new(0.01, 0.001, 0.0, 1.0).at(0.05) > 0.0);
        assert_eq!((seconds(0.01), seconds(100.0)), ("0.01 s".into(), "100 s".into()));
    }
}
