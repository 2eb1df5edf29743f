//! Source files, reduced to the code that ships: without comments, without the contents of strings, without
//! tests. Line numbers stay as they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A source file of a crate.
pub struct Source {
    /// Relative to the workspace: `crates/sat/src/lib.rs`.
    pub path: String,
    /// The code that ships.
    pub code: String,
    /// The number of lines of the whole file.
    pub n_lines: usize,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        let code = without_tests(&without_comments_and_strings(text));
        Source { path: path.to_owned(), code, n_lines: text.lines().count() }
    }
    /// The crate it belongs to: `sat`.
    pub fn crate_name(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }
}

/// A source file or document as it is, comments and tests included.
pub struct Text {
    /// Relative to the workspace: `docs/IC3.md`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// All sources and documents of the repository, those of tests, benchmarks and examples included.
pub fn texts(root: &Path) -> Vec<Text> {
    let mut paths = Vec::new();
    collect(root, &["rs", "md"], &mut paths);
    paths.sort();
    let read = |path: PathBuf| Text {
        path: relative(root, &path),
        text: std::fs::read_to_string(&path).expect("sources and documents are UTF-8"),
    };
    paths.into_iter().map(read).collect()
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).expect("it was found there").to_string_lossy().replace('\\', "/")
}

/// All files under `crates/*/src`, but for modules that are compiled for tests only.
pub fn files(root: &Path) -> Vec<Source> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates are there") {
        collect(&entry.expect("readable").path().join("src"), &["rs"], &mut paths);
    }
    paths.sort();
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("sources are UTF-8");
    let tests: BTreeSet<PathBuf> = paths.iter().flat_map(|p| test_modules(p, &read(p))).collect();
    let shipped = paths.iter().filter(|p| !tests.iter().any(|t| p.starts_with(t)));
    shipped.map(|path| Source::new(&relative(root, path), &read(path))).collect()
}

/// The files with one of these extensions, here and below, but not among what is built or hidden.
fn collect(dir: &Path, extensions: &[&str], paths: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(dir).into_iter().flatten().map(|e| e.expect("readable").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "target" || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, extensions, paths);
        } else if path.extension().is_some_and(|found| extensions.iter().any(|e| found == *e)) {
            paths.push(path);
        }
    }
}

/// The files and folders of modules that a file declares for tests only: `#[cfg(test)] mod name;`.
fn test_modules(path: &Path, text: &str) -> Vec<PathBuf> {
    let parent = path.parent().expect("a file has a folder");
    let stem = path.file_stem().unwrap_or_default();
    let dir = match stem.to_str() {
        Some("lib" | "main" | "mod") => parent.to_owned(),
        _ => parent.join(stem),
    };
    let code = without_comments_and_strings(text);
    let after = code.split("#[cfg(test)]").skip(1);
    let names = after.filter_map(|rest| rest.trim_start().strip_prefix("mod ")?.split_once(';'));
    let names = names.map(|(name, _)| name.trim()).filter(|n| !n.contains(char::is_whitespace));
    names.flat_map(|name| [dir.join(format!("{name}.rs")), dir.join(name)]).collect()
}

/// Blank out comments and the contents of string and character literals; line ends stay.
pub fn without_comments_and_strings(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    while i < chars.len() {
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        let end = if at(i) == '/' && at(i + 1) == '/' {
            (i..chars.len()).find(|&j| chars[j] == '\n').unwrap_or(chars.len())
        } else if at(i) == '/' && at(i + 1) == '*' {
            end_of_block_comment(&chars, i)
        } else if at(i) == '"' {
            end_of_string(&chars, i)
        } else if matches!((at(i), at(i + 1)), ('r' | 'b' | 'c', '"' | '#' | 'r')) && !word_before {
            end_of_prefixed_string(&chars, i)
        } else if at(i) == '\'' {
            end_of_char(&chars, i)
        } else {
            i
        };
        if end == i {
            out.push(chars[i]);
            i += 1;
        } else {
            out.extend(chars[i..end].iter().map(|&c| blank(c)));
            i = end;
        }
    }
    out
}

fn end_of_block_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut i) = (0, start);
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    chars.len()
}

fn end_of_string(chars: &[char], quote: usize) -> usize {
    let mut i = quote + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(chars.len())
}

/// `r"…"`, `br#"…"#`, `b"…"`, `c"…"`; where it is none of these, nothing is taken.
fn end_of_prefixed_string(chars: &[char], start: usize) -> usize {
    let mut i = start;
    while i < chars.len() && matches!(chars[i], 'r' | 'b' | 'c') && i < start + 2 {
        i += 1;
    }
    let raw = chars[start..i].contains(&'r');
    let hashes = chars[i..].iter().take_while(|&&c| c == '#').count();
    match chars.get(i + hashes) {
        Some('"') if raw => {
            let closes = |j: &usize| {
                chars[*j] == '"'
                    && chars[j + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
            };
            (i + hashes + 1..chars.len()).find(closes).map_or(chars.len(), |j| j + 1 + hashes)
        }
        Some('"') if hashes == 0 => end_of_string(chars, i),
        _ => start,
    }
}

/// A character literal; a lifetime is left alone.
fn end_of_char(chars: &[char], quote: usize) -> usize {
    match (chars.get(quote + 1), chars.get(quote + 2)) {
        (Some('\\'), _) => {
            let close = (quote + 3..chars.len()).find(|&j| chars[j] == '\'');
            close.map_or(quote, |j| j + 1)
        }
        (Some(_), Some('\'')) => quote + 3,
        _ => quote,
    }
}

/// Blank out what `#[cfg(test)]` and `#[test]` stand before. The text has no comments and strings any more.
fn without_tests(code: &str) -> String {
    let mut out: Vec<u8> = code.as_bytes().to_vec();
    for marker in ["#[cfg(test)]", "#[test]"] {
        let mut from = 0;
        while let Some(start) = code[from..].find(marker).map(|i| from + i) {
            let end = end_of_item(code.as_bytes(), start + marker.len());
            out[start..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            from = end;
        }
    }
    String::from_utf8(out).expect("whole items were blanked")
}

/// The end of the item that begins here: its closing brace, or a semicolon before any brace.
fn end_of_item(code: &[u8], start: usize) -> usize {
    let mut depth = 0;
    for (i, &byte) in code.iter().enumerate().skip(start) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth -= 1,
            _ => (),
        }
        if depth == 0 && matches!(byte, b'}' | b';') {
            return i + 1;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_characters_are_blanked() {
        let text =
            "a /* x /* y */ z */ b // c\n\"d \\\" e\" f r#\"g \" h\"# i 'j' '\\n' '\"' k<'l> b\"m\" n::r n";
        let code = without_comments_and_strings(text);
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(words, ["a", "b", "f", "i", "k<'l>", "n::r", "n"]);
        assert_eq!(code.chars().count(), text.chars().count());
        assert_eq!(without_comments_and_strings("bar \"x\" r #y").trim_end(), "bar     r #y");
    }

    #[test]
    fn tests_do_not_ship() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { '{'; \"}\" }\n}\nfn c() {}\n\
                    #[cfg(test)]\nmod d;\nfn e() {}\n#[test]\nfn f() -> [u8; 2] { g }\nfn h() {}\n";
        let source = Source::new("crates/x/src/lib.rs", text);
        let names: Vec<&str> = source.code.split("fn ").skip(1).map(|s| &s[..1]).collect();
        assert_eq!(names, ["a", "c", "e", "h"]);
        assert_eq!(source.code.lines().count(), text.lines().count());
        assert_eq!((source.crate_name(), source.n_lines), ("x", 12));
    }

    #[test]
    fn modules_of_tests_are_found() {
        let text = "mod a;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod b { fn c() { d; } }\n";
        let found = test_modules(Path::new("crates/x/src/lib.rs"), text);
        assert_eq!(found, ["crates/x/src/tests.rs", "crates/x/src/tests"].map(PathBuf::from));
        let found = test_modules(Path::new("crates/x/src/y.rs"), text);
        assert_eq!(found[0], PathBuf::from("crates/x/src/y/tests.rs"));
    }
}
