//! Lines of a script as commands and their words.

/// A command and its arguments.
pub type Words = Vec<String>;

/// The commands of a line: they are separated by `;`, words by blanks, and `"…"` keeps what is in it together. `#` and `--` begin a comment.
pub fn commands(line: &str) -> Result<Vec<Words>, String> {
    let mut commands = vec![Words::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let end = |word: &mut Option<String>, commands: &mut Vec<Words>| {
            if let (Some(word), Some(last)) = (word.take(), commands.last_mut()) {
                last.push(word);
            }
        };
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ';') => {
                end(&mut word, &mut commands);
                commands.push(Words::new());
            }
            (None, '#') if word.is_none() => break,
            (None, '-') if word.is_none() && rest.peek() == Some(&'-') => break,
            (None, c) if c.is_whitespace() => end(&mut word, &mut commands),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("a text that begins with {quote} does not end"));
    }
    if let (Some(word), Some(last)) = (word, commands.last_mut()) {
        last.push(word);
    }
    commands.retain(|command| !command.is_empty());
    Ok(commands)
}

/// What stands behind a command: options with their values, and the rest.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Given {
    options: Vec<(char, Option<String>)>,
    /// What is no option.
    pub rest: Vec<String>,
}

impl Given {
    /// The words behind a command, which has these options: a letter, with `:` behind it if there is a value. Letters may share a dash, and a value may stand at its letter:
    /// `-rv`, `-k10`.
    pub fn new(words: &[String], known: &str) -> Result<Given, String> {
        let mut given = Given::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
            let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty() && !is_number(l)) else {
                given.rest.push(word.clone());
                continue;
            };
            for (at, letter) in letters.char_indices() {
                let place = known.find(letter).filter(|_| letter != ':');
                let place = place.ok_or_else(|| format!("there is no option -{letter}"))?;
                if !known[place + 1..].starts_with(':') {
                    given.options.push((letter, None));
                    continue;
                }
                let attached = &letters[at + letter.len_utf8()..];
                let value = match attached {
                    "" => words.next().ok_or_else(|| format!("-{letter} wants a value"))?.clone(),
                    attached => attached.to_owned(),
                };
                given.options.push((letter, Some(value)));
                break;
            }
        }
        Ok(given)
    }
    /// The options that are there.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.options.iter().map(|(letter, _)| *letter)
    }
    /// Is this option there?
    pub fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(l, _)| *l == letter)
    }
    /// The value of an option.
    pub fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(l, _)| *l == letter)?.1.as_deref()
    }
    /// The value of an option that is a number.
    pub fn number(&self, letter: char) -> Result<Option<u32>, String> {
        let parse = |text: &str| text.parse().map_err(|_| format!("-{letter} wants a number, not `{text}`"));
        self.value(letter).map(parse).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        let text = "go_msat; check_invar_ic3 -p \"x >= 0; y\"  # and so on\n";
        assert_eq!(commands(text).unwrap(), [vec!["go_msat"], vec!["check_invar_ic3", "-p", "x >= 0; y"]]);
        assert_eq!(commands(" -- nothing").unwrap(), Vec::<Words>::new());
        assert_eq!(commands("a-b --c").unwrap(), [["a-b"]]);
        assert!(commands("echo \"a").is_err());
    }

    #[test]
    fn options_have_values() {
        let words = |text: &str| commands(text).unwrap().concat();
        let given = Given::new(&words("-n 3 -v file"), "n:v").unwrap();
        assert_eq!(
            (given.number('n'), given.has('v'), &given.rest[..]),
            (Ok(Some(3)), true, &["file".to_owned()][..])
        );
        assert_eq!(Given::new(&words("-n"), "n:v"), Err("-n wants a value".into()));
        assert_eq!(Given::new(&words("-x"), "n:v"), Err("there is no option -x".into()));
        assert!(Given::new(&words("-n x"), "n:").unwrap().number('n').is_err());
        let given = Given::new(&words("-vk10 -l -2 1.2"), "k:l:v").unwrap();
        assert_eq!((given.number('k'), given.has('v'), given.value('l')), (Ok(Some(10)), true, Some("-2")));
        assert_eq!(given.rest, ["1.2"]);
    }
}
