//! Comma-separated values (RFC 4180): quoted fields, a heading with the names of the columns.
//!
//! What we write has no line break inside a field, so that of a file whose last line was cut off the others are good.

/// A heading and rows of the same length.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with the line that it begins in.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl Table {
    /// The table in `text`, or what is wrong in which line.
    pub fn parse(text: &str) -> Result<Table, String> {
        let mut records = records(text.strip_prefix('\u{feff}').unwrap_or(text))?.into_iter();
        let (_, columns) =
            records.next().ok_or("line 1: a heading with the names of the columns is missing")?;
        let mut rows = Vec::new();
        for (line, fields) in records {
            if fields.len() != columns.len() {
                let (n, expected) = (fields.len(), columns.len());
                return Err(format!("line {line}: {n} fields, but the heading has {expected}"));
            }
            rows.push((line, fields));
        }
        Ok(Table { columns, rows })
    }

    /// The position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The records of `text` with the lines that they begin in. Empty lines are none.
fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>, String> {
    let mut records = Vec::new();
    let mut fields: Vec<String> = Vec::new();
    let mut field = String::new();
    let (mut line, mut begin) = (1, 1);
    // Was the field quoted, and is the quote still open?
    let (mut was_quoted, mut is_open) = (false, false);
    let mut chars = text.chars().peekable();
    loop {
        let c = chars.next();
        match c {
            None if is_open => return Err(format!("line {begin}: a quoted field does not end")),
            Some('"') if is_open => match chars.next_if_eq(&'"') {
                Some(quote) => field.push(quote),
                None => is_open = false,
            },
            Some(c) if is_open => {
                line += usize::from(c == '\n');
                field.push(c);
            }
            Some('"') if field.is_empty() && !was_quoted => (was_quoted, is_open) = (true, true),
            Some(',') => {
                fields.push(std::mem::take(&mut field));
                was_quoted = false;
            }
            Some('\r') if chars.peek() == Some(&'\n') => (),
            Some('\n') | None => {
                if !fields.is_empty() || !field.is_empty() || was_quoted {
                    fields.push(std::mem::take(&mut field));
                    records.push((begin, std::mem::take(&mut fields)));
                }
                was_quoted = false;
                line += 1;
                begin = line;
                if c.is_none() {
                    return Ok(records);
                }
            }
            Some(_) if was_quoted => {
                return Err(format!("line {line}: a quoted field goes on after its quote"));
            }
            Some(c) => field.push(c),
        }
    }
}

/// One line. Line breaks and other control characters become spaces.
pub fn line<S: AsRef<str>>(fields: &[S]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field.as_ref())).collect();
    fields.join(",") + "\n"
}

fn quoted(field: &str) -> String {
    let field: String = field.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match field.contains(['"', ',']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_commas_and_line_ends() {
        let table = Table::parse("path,note\r\na.aig,\"x, \"\"y\"\"\nz\"\n\nb,\n\"\",q").unwrap();
        assert_eq!(table.columns, ["path", "note"]);
        let row = |line, a: &str, b: &str| (line, vec![a.to_string(), b.to_string()]);
        assert_eq!(table.rows, [row(2, "a.aig", "x, \"y\"\nz"), row(5, "b", ""), row(6, "", "q")]);
        assert_eq!((table.column("note"), table.column("x")), (Some(1), None));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, expected) in [
            ("", "line 1: a heading"),
            ("a,b\n1\n", "line 2: 1 fields, but the heading has 2"),
            ("a\n1\n\"2", "line 3: a quoted field does not end"),
            ("a\n\"1\"2\n", "line 2: a quoted field goes on"),
        ] {
            let error = Table::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn there_and_back() {
        let fields = ["", "a b", "x,y", "\"", "it \"is\", so"];
        let text = line(&["1", "2", "3", "4", "5"]) + &line(&fields);
        assert_eq!(Table::parse(&text).unwrap().rows[0].1, fields);
        assert_eq!(line(&["a\nb\tc"]), "a b c\n");
        // One field that is empty is a line of its own all the same.
        assert_eq!(Table::parse(&(line(&["a"]) + "\"\"\n")).unwrap().rows.len(), 1);
    }
}
