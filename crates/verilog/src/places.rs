//! Where properties stand in the source.

use std::collections::HashMap;

/// `fifo.sv:16.5-16.42`, as Yosys writes places: a file, and where something begins and ends there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Source {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl Source {
    /// The place that a comment of BTOR2 has. Several are those of instances around it, the last one its own; `map` is no part of the design.
    pub fn read(comment: &str, map: &str) -> Option<Source> {
        let of_design = |place: &&str| !place.contains(map);
        let place = comment.split('|').map(str::trim).rfind(of_design)?;
        let (file, range) = place.rsplit_once(':')?;
        let begin = range.split_once('-').map_or(range, |(begin, _)| begin);
        let (line, column) = begin.split_once('.').unwrap_or((begin, "1"));
        Some(Source { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
    }
    /// The place of the next word: some versions of Yosys say where the one before it ends.
    pub fn settled(mut self, texts: &mut HashMap<String, Option<Vec<u8>>>) -> Source {
        let load = |file: &String| std::fs::read(file).ok();
        let Some(text) = texts.entry(self.file.clone()).or_insert_with_key(load) else { return self };
        let mut at = 0;
        for _ in 1..self.line {
            match text[at..].iter().position(|&b| b == b'\n') {
                Some(newline) => at += newline + 1,
                None => return self,
            }
        }
        at = (at + self.column.saturating_sub(1)).min(text.len());
        loop {
            let rest = &text[at..];
            if rest.starts_with(b"//") {
                at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                at += rest.windows(2).position(|w| w == b"*/").map_or(rest.len(), |end| end + 2);
            } else if rest.first().is_some_and(u8::is_ascii_whitespace) || matches!(rest, [b';' | b')', ..]) {
                at += 1;
            } else {
                break;
            }
        }
        let before = &text[..at.min(text.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        if at < text.len() && line > self.line {
            (self.line, self.column) = (line, 1);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_yosys() {
        let source =
            Source::read("top.sv:3.5-3.9|sub dir/fifo.sv:16.5-18.42|/tmp/x/map.v:2.12-2.54", "map.v")
                .unwrap();
        assert_eq!((&*source.file, source.line, source.column), ("sub dir/fifo.sv", 16, 5));
        assert_eq!(Source::read("nothing", "map.v"), None);
        let text = b"always @* begin\n  // why\n\n  assert (a);\nend\n".to_vec();
        let mut texts = HashMap::from([("f.sv".to_owned(), Some(text))]);
        let at = |line, column| Source { file: "f.sv".into(), line, column };
        assert_eq!(at(1, 16).settled(&mut texts).line, 4);
        assert_eq!(at(4, 3).settled(&mut texts), at(4, 3));
        assert_eq!(at(9, 3).settled(&mut texts), at(9, 3));
    }
}
