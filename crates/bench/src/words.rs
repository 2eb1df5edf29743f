//! Command lines as text: into words and back, with the quotes of a shell and nothing else of it.

/// The words of `text`: separated by white space; `'…'` keeps everything, `"…"` and a bare backslash as in a shell.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escape = match quote {
            None => c == '\\',
            // Between double quotes a backslash is one unless it protects something.
            Some('"') => c == '\\' && matches!(chars.peek(), Some('"' | '\\')),
            Some(_) => false,
        };
        match quote {
            _ if is_escape => match chars.next() {
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return Err("it ends with a backslash".into()),
            },
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                // Two quotes with nothing between them are an empty word.
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a quote ({open}) is not closed"));
    }
    words.extend(word);
    Ok(words)
}

/// Text that [`split`] takes apart into these words.
pub fn join<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word.as_ref())).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command() {
        let words = |text| split(text).unwrap();
        assert_eq!(words("  a b\t c "), ["a", "b", "c"]);
        assert_eq!(words("abc -c 'read {model}; pdr' x"), ["abc", "-c", "read {model}; pdr", "x"]);
        assert_eq!(words(r#"a"b c"d '' "" \  "x\"y\z""#), ["ab cd", "", "", " ", "x\"y\\z"]);
        assert_eq!(words(""), [""; 0]);
        assert!(split("a 'b").is_err() && split("a \"b").is_err() && split("a\\").is_err());
    }

    #[test]
    fn there_and_back() {
        for word in ["a", "", "a b", "it's", "'", "\\", "\"q\"", "--x=y", "{model}", "ü;&|"] {
            let pair = [word, "z"];
            assert_eq!(split(&join(&pair)).unwrap(), pair, "{}", join(&pair));
        }
        assert_eq!(join(&["--engine", "ic3"]), "--engine ic3");
    }
}
