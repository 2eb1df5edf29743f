//! Other model checkers: how they are called, and what in their output is a verdict.

use super::result::Verdict;

/// What in the output says what. Texts are compared without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// A line with one of these means safe; a text that begins with `=` is the whole line.
    pub safe: Vec<String>,
    /// A line with one of these means unsafe.
    pub unsafe_: Vec<String>,
}

/// A peer that users can call by name.
pub struct Preset {
    pub name: &'static str,
    /// The names that the program goes by; the first one that is installed is taken.
    pub programs: &'static [&'static str],
    pub arguments: &'static [&'static str],
    pub safe: &'static [&'static str],
    pub unsafe_: &'static [&'static str],
}

/// ABC reads binary AIGER only (`{aig}`). Latches that start with any value or with 1 are made to start with 0, because its engines expect
/// that, and constraints are folded into the properties: in this order, for `fold` takes any value for 0.
macro_rules! abc {
    ($name:expr, $command:expr) => {
        Preset {
            name: $name,
            programs: &["berkeley-abc", "abc"],
            arguments: &["-q", concat!("read {aig}; logic; undc; strash; zero; fold; ", $command)],
            safe: &["Property proved"],
            unsafe_: &["was asserted in frame"],
        }
    };
}

/// All of them.
pub const PRESETS: &[Preset] = &[
    abc!("abc-pdr", "pdr"),
    abc!("abc-scorr-pdr", "scleanup; dc2; scorr; pdr"),
    abc!("abc-bmc", "bmc3"),
    abc!("abc-int", "int"),
    Preset {
        name: "ric3-ic3",
        programs: &["rIC3"],
        arguments: &["-e", "ic3", "{model}"],
        safe: &["RESULT: safe"],
        unsafe_: &["RESULT: unsafe"],
    },
    Preset {
        name: "ric3-bmc",
        programs: &["rIC3"],
        arguments: &["-e", "bmc", "{model}"],
        safe: &["RESULT: safe"],
        unsafe_: &["RESULT: unsafe"],
    },
    // Clauses are satisfiable if the bad states are unreachable.
    Preset {
        name: "spacer",
        programs: &["z3"],
        arguments: &["{chc}"],
        safe: &["=sat"],
        unsafe_: &["=unsat"],
    },
];

/// The words of a peer that has no rule of its own, as competitions use them; each is a whole line.
const SAFE_WORDS: [&str; 3] = ["safe", "unsat", "0"];
const UNSAFE_WORDS: [&str; 3] = ["unsafe", "sat", "1"];
const UNKNOWN_WORDS: [&str; 2] = ["unknown", "2"];

impl Rule {
    /// What a peer said that has ended by itself. `Err` if it contradicts itself.
    ///
    /// With texts of its own, they decide. Without, the first line that is one of the usual words does. If no line says
    /// anything, the exit code does: 20 is safe and 10 unsafe.
    pub fn read(&self, output: &str, code: i32) -> Result<Option<Verdict>, String> {
        let by_code = match code {
            20 => Some(Verdict::Safe),
            10 => Some(Verdict::Unsafe),
            _ => None,
        };
        if self.safe.is_empty() && self.unsafe_.is_empty() {
            return Ok(word(output).unwrap_or(by_code));
        }
        let lowered = output.to_lowercase();
        let has = |text: &str| match text.strip_prefix('=') {
            Some(line) => lowered.lines().any(|l| l.trim() == line),
            None => lowered.contains(text),
        };
        let says = |texts: &[String]| texts.iter().any(|text| has(&text.to_lowercase()));
        match (says(&self.safe), says(&self.unsafe_)) {
            (true, true) => Err("the output says both safe and unsafe".into()),
            (true, false) => Ok(Some(Verdict::Safe)),
            (false, true) => Ok(Some(Verdict::Unsafe)),
            (false, false) => Ok(by_code),
        }
    }
}

/// The first line that is a word, and what it means.
fn word(output: &str) -> Option<Option<Verdict>> {
    let meaning = |line: &str| {
        let is_in = |words: &[&str]| words.iter().any(|word| line.eq_ignore_ascii_case(word));
        match () {
            () if is_in(&SAFE_WORDS) => Some(Some(Verdict::Safe)),
            () if is_in(&UNSAFE_WORDS) => Some(Some(Verdict::Unsafe)),
            () if is_in(&UNKNOWN_WORDS) => Some(None),
            () => None,
        }
    };
    output.lines().find_map(|line| meaning(line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_words_and_exit_codes() {
        let rule = Rule::default();
        let read = |output, code| rule.read(output, code).unwrap();
        assert_eq!(read("c comment\nunsat\n", 0), Some(Verdict::Safe));
        // The status comes first; a witness behind it may have anything in it.
        assert_eq!(read("1\nb0\n0\n0\n.\n", 0), Some(Verdict::Unsafe));
        assert_eq!(read("2\n", 10), None);
        assert_eq!(
            (read("", 20), read("", 10), read("", 0)),
            (Some(Verdict::Safe), Some(Verdict::Unsafe), None)
        );
        assert_eq!(read("not safe at all", 0), None);
    }

    #[test]
    fn texts_decide() {
        let rule = Rule { safe: vec!["Property proved".into()], unsafe_: vec!["asserted in frame".into()] };
        assert_eq!(rule.read("Property proved.  Time = 1", 0), Ok(Some(Verdict::Safe)));
        assert_eq!(rule.read("Output 0 was asserted in frame 3.", 0), Ok(Some(Verdict::Unsafe)));
        assert_eq!(rule.read("Property UNDECIDED.\nsafe", 0), Ok(None));
        assert!(rule.read("property proved\nasserted in frame 2", 0).is_err());
        let lines = Rule { safe: vec!["=sat".into()], unsafe_: vec!["=unsat".into()] };
        let read = |output| lines.read(output, 0).unwrap();
        assert_eq!(
            (read("sat\n"), read("unsat\n"), read("unknown\n")),
            (Some(Verdict::Safe), Some(Verdict::Unsafe), None)
        );
    }
}
