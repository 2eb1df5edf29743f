//! What must not occur in the sources, and where the exceptions are.

use crate::source::Source;

/// A rule: none of the words occurs outside the places where they may.
struct Rule {
    /// What is forbidden, as code. A word at the edge of a pattern is matched as a whole word.
    words: &'static [&'static str],
    /// Beginnings of paths (after `crates/`) in which it is allowed.
    except: &'static [&'static str],
    /// If not empty, the rule is only about these.
    only: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        words: &["println!", "print!", "eprintln!", "eprint!", "stdout(", "stderr("],
        // Those of another solver, which is a child process.
        except: &["console/", "bench/", "cli/", "smt/src/external.rs"],
        only: &[],
        why: "only the command line prints; libraries emit events",
    },
    Rule {
        words: &["dbg!", "todo!", "unimplemented!"],
        except: &[],
        only: &[],
        why: "nothing unfinished is committed",
    },
    Rule {
        words: &[
            "std::fs",
            "std::net",
            "std::process",
            "fs::",
            "net::",
            "process::",
            "File::",
            "OpenOptions",
            "stdin(",
            "TcpStream",
            "Command::new",
        ],
        // The watchdog reads how much memory the process has; another solver is another process, and so is Yosys.
        except: &[
            "formats/",
            "console/",
            "bench/",
            "verilog/",
            "cli/",
            "testkit/",
            "run/src/watchdog.rs",
            "smt/src/external.rs",
        ],
        only: &[],
        why: "only formats, Yosys and the command line touch the world outside",
    },
    Rule {
        words: &["thread::spawn", "thread::scope", "thread::Builder", "thread::sleep", "JoinHandle", "rayon"],
        except: &[
            "run/src/watchdog.rs",
            "run/src/timer.rs",
            "indubit/src/workers.rs",
            "indubit/src/race.rs",
            "indubit/src/all.rs",
            "indubit/src/temporal.rs",
            "smt/src/external.rs",
        ],
        only: &[],
        why: "the portfolio, one watchdog, timers and pipes; nobody else starts threads",
    },
    Rule {
        words: &["unsafe", "allow(unsafe_code)"],
        except: &["sat/src/kernel/"],
        only: &[],
        why: "memory safety is argued in one place",
    },
    Rule {
        words: &["Rc<", "Rc::", "rc::"],
        except: &[],
        only: &[],
        why: "everything can be sent to another thread",
    },
    Rule {
        words: &["Instant", "SystemTime", "std::time", "elapsed("],
        except: &[],
        only: &["sat/", "pdr/", "engines/", "preproc/", "certify/", "logic/", "aig/", "system/"],
        why: "effort is not measured by the clock, so that runs can be reproduced from a seed",
    },
];

/// Longer files hide a second idea; 600 lines is where a reader loses the first.
const MAX_LINES: usize = 600;

/// What in a file breaks a rule, as `path:line: what (why)`.
pub fn check(source: &Source) -> Vec<String> {
    let place = source.path.strip_prefix("crates/").unwrap_or(&source.path);
    let starts = |places: &[&str]| places.iter().any(|p| place.starts_with(p));
    let mut findings = Vec::new();
    for rule in RULES.iter().filter(|r| !starts(r.except) && (r.only.is_empty() || starts(r.only))) {
        for (i, line) in source.code.lines().enumerate() {
            if let Some(word) = rule.words.iter().find(|word| occurs(line, word)) {
                findings.push(format!("{}:{}: `{word}` ({})", source.path, i + 1, rule.why));
            }
        }
    }
    if source.n_lines > MAX_LINES {
        let why = format!("{} lines; a file has one idea and at most {MAX_LINES} lines", source.n_lines);
        findings.push(format!("{}:{}: {why}", source.path, MAX_LINES + 1));
    }
    findings
}

/// Does the pattern occur in the line, not as part of a longer word?
fn occurs(line: &str, pattern: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(pattern).any(|(i, _)| {
        let before = line[..i].chars().next_back();
        let after = line[i + pattern.len()..].chars().next();
        let joined_before = is_word(before) && is_word(pattern.chars().next());
        let joined_after = is_word(after) && is_word(pattern.chars().next_back());
        !joined_before && !joined_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path, text))
    }

    #[test]
    fn every_rule_can_fail() {
        let bad = [
            "println!(\"x\");",
            "eprint!(\"x\");",
            "std::io::stdout();",
            "dbg!(x);",
            concat!("todo", "!()"),
            concat!("unimplemented", "!()"),
            "use std::fs;",
            "fs::read(p)",
            "use std::process::Command;",
            "File::open(p)",
            "std::thread::spawn(f);",
            "thread::sleep(d);",
            "unsafe { f() }",
            "unsafe fn f() {}",
            "Rc<u8>",
            "use std::rc::Rc;",
            "Rc::new(1)",
            "use std::time::Instant;",
            "Instant::now()",
        ];
        for line in bad {
            let found = findings("crates/sat/src/lib.rs", &format!("fn f() {{\n{line}\n}}\n"));
            assert!(!found.is_empty(), "{line}");
            assert!(found[0].starts_with("crates/sat/src/lib.rs:2: `"), "{found:?}");
        }
        let long = "\n".repeat(601);
        assert!(findings("crates/sat/src/lib.rs", &long)[0].contains("601 lines"));
    }

    #[test]
    fn exceptions_and_innocent_words_pass() {
        let good = [
            ("cli", "println!(\"x\"); std::fs::read(p); unreachable!()"),
            ("formats", "File::open(p)"),
            ("run", "let unsafe_count = 1; Arc<u8>; Arc::new(1); std::thread::current(); offs::x"),
            ("run", "use std::time::Instant;"),
            ("sat", "// println!\nlet x = \"todo!\"; /* unsafe */ MyFile::x; Verdict::Unsafe"),
            ("sat", "fn f() {}\n#[cfg(test)]\nmod tests {\n fn g() { println!(\"x\"); }\n}\n"),
        ];
        for (name, text) in good {
            assert_eq!(findings(&format!("crates/{name}/src/lib.rs"), text), [""; 0], "{text}");
        }
        let watchdog = "std::thread::spawn(f); std::fs::read(p)";
        assert_eq!(findings("crates/run/src/watchdog.rs", watchdog), [""; 0]);
        assert_eq!(findings("crates/run/src/cancel.rs", watchdog).len(), 2);
    }
}
