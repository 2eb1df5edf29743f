//! Another solver, by a pipe: for whoever does not want to take our solver's word, and for theories that ours does not have. Never needed.

use crate::values::read_values;
use indubit_run::{Ask, Cancel, program};
use indubit_term::{Term, Terms, Value};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A program that reads SMT-LIB from its input: `z3`, `cvc5`, `yices-smt2`, `mathsat`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    program: String,
    arguments: Vec<String>,
}

/// What came of asking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know, or something went wrong, as the text says.
    Unknown(String),
}

impl External {
    /// From a command line: the program and its arguments, separated by spaces. `z3` gets those it needs.
    pub fn new(command: &str) -> Option<External> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next()?;
        let mut arguments: Vec<String> = words.collect();
        if arguments.is_empty() && program.rsplit('/').next() == Some("z3") {
            arguments = vec!["-smt2".into(), "-in".into()];
        }
        Some(External { program, arguments })
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.program
    }
    /// Is there such a program?
    pub fn is_installed(&self) -> bool {
        program(&self.program).is_some()
    }
    /// Is there a model of all of these formulas?
    pub fn ask(&self, terms: &Terms, formulas: &[Term], cancel: &Cancel) -> Ask<Opinion> {
        let said = self.say(script(terms, formulas) + "(check-sat)\n(exit)\n", cancel)?;
        Ok(said.map_or_else(Opinion::Unknown, |said| self.opinion(&said).0))
    }
    /// Is there a model of all of these formulas? If so, the values of variables in it: none if they are not given, or are none that we have.
    pub fn ask_values(
        &self,
        terms: &Terms,
        formulas: &[Term],
        vars: &[Term],
        cancel: &Cancel,
    ) -> Ask<(Opinion, Option<Vec<Value>>)> {
        let names: Vec<String> = vars.iter().map(|v| format!("v{}", v.index())).collect();
        let values =
            if names.is_empty() { String::new() } else { format!("(get-value ({}))\n", names.join(" ")) };
        let said = match self.say(script(terms, formulas) + "(check-sat)\n" + &values + "(exit)\n", cancel)? {
            Ok(said) => said,
            Err(why) => return Ok((Opinion::Unknown(why), None)),
        };
        let (opinion, rest) = self.opinion(&said);
        let values = match names.is_empty() {
            true => Some(Vec::new()),
            false => read_values(rest, &names, |i| terms.sort(vars[i])),
        };
        Ok((opinion, values))
    }
    /// What an answer means, and what comes after it.
    fn opinion<'a>(&self, said: &'a str) -> (Opinion, &'a str) {
        let mut rest = said;
        while let Some((line, after)) = rest.split_once('\n').or((!rest.is_empty()).then_some((rest, ""))) {
            rest = after;
            let opinion = match line.trim() {
                "sat" => Opinion::Sat,
                "unsat" => Opinion::Unsat,
                "unknown" => Opinion::Unknown(format!("{} does not know", self.program)),
                // Whoever has refused a formula answers another question.
                line if line.contains("(error") => Opinion::Unknown(format!("{}: {line}", self.program)),
                _ => continue,
            };
            return (opinion, rest);
        }
        let why = said.lines().next().unwrap_or("no answer");
        (Opinion::Unknown(format!("{}: {why}", self.program)), "")
    }
    /// What it answers to a script, or why it does not.
    fn say(&self, script: String, cancel: &Cancel) -> Ask<Result<String, String>> {
        let spawned = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => return Ok(Err(format!("cannot run {}: {error}", self.program))),
        };
        let answer = converse(&mut child, script, cancel);
        // Whether it has ended or not, it has no more to say.
        let _ = child.kill();
        let _ = child.wait();
        answer.map(Ok)
    }
}

/// How often we look whether the run has ended.
const PATIENCE: Duration = Duration::from_millis(2);

/// What it says to a script until it ends, or until the run does. It may read and write as it likes: neither keeps us waiting.
fn converse(child: &mut Child, script: String, cancel: &Cancel) -> Ask<String> {
    let (said, hear) = channel();
    if let (Some(mut input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) {
        // Both end with the program, which may end before it has read everything.
        std::thread::spawn(move || input.write_all(script.as_bytes()));
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = output.read_to_end(&mut text);
            said.send(String::from_utf8_lossy(&text).into_owned())
        });
    }
    loop {
        cancel.checkpoint()?;
        match hear.recv_timeout(PATIENCE) {
            Ok(text) => return Ok(text),
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => return Ok(String::new()),
        }
    }
}

/// Formulas as a script. Names need not be unique in the pool, so variables are numbered.
fn script(terms: &Terms, formulas: &[Term]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    for var in terms.variables(formulas) {
        let _ = writeln!(text, "(declare-fun v{} () {})", var.index(), terms.sort(var));
    }
    let name = |var: Term| Some(format!("v{}", var.index()));
    for &formula in formulas {
        let _ = writeln!(text, "(assert {})", terms.display(formula).sharing().with_names(&name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::Sort;

    #[test]
    fn a_solver_that_is_not_there_has_no_opinion() {
        let mut terms = Terms::new();
        let truth = terms.bool(true);
        let nobody = External::new("no-such-solver-at-all").unwrap();
        assert!(matches!(nobody.ask(&terms, &[truth], &Cancel::new()), Ok(Opinion::Unknown(_))));
        assert_eq!(External::new("  "), None);
    }

    #[test]
    fn a_solver_may_talk_much_and_read_nothing() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..20_000).map(|i| terms.var(&i.to_string(), Sort::Bool)).collect();
        let long = terms.or(&vars);
        let folder = std::env::temp_dir().join(format!("indubit-external-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("talk");
        std::fs::write(&file, "yes comment | head -n 100000\necho unsat\n").unwrap();
        let solver = External::new(&format!("sh {}", file.display())).unwrap();
        assert!(solver.is_installed());
        assert_eq!(solver.ask(&terms, &[long], &Cancel::new()), Ok(Opinion::Unsat));
        std::fs::write(&file, "sleep 1000\n").unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(solver.ask(&terms, &[long], &cancel).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn programs() {}

    #[test]
    fn z3_reads_what_we_write() {
        let mut terms = Terms::new();
        let x = terms.var("an odd |name", Sort::Int);
        let (two, three) = (terms.int(2), terms.int(3));
        let [above, below] = [terms.lt(two, x), terms.lt(x, three)];
        let z3 = External::new("z3").unwrap();
        if z3.is_installed() {
            assert_eq!(z3.ask(&terms, &[above], &Cancel::new()), Ok(Opinion::Sat));
            assert_eq!(z3.ask(&terms, &[above, below], &Cancel::new()), Ok(Opinion::Unsat));
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_answer_after_an_error_is_none() {
        let mut terms = Terms::new();
        let truth = terms.bool(true);
        for answer in ["sat", "unsat"] {
            let path = std::env::temp_dir().join(format!("indubit-{}-{answer}.sh", std::process::id()));
            std::fs::write(&path, format!("cat > /dev/null\necho '(error \"what?\")'\necho {answer}\n"))
                .unwrap();
            let solver = External::new(&format!("sh {}", path.display())).unwrap();
            let opinion = solver.ask(&terms, &[truth], &Cancel::new());
            std::fs::remove_file(&path).unwrap();
            assert_eq!(opinion, Ok(Opinion::Unknown("sh: (error \"what?\")".into())));
        }
    }
}
