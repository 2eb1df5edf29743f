//! The models of the `examples/` folder, built in memory.
//!
//! They are small on purpose: each shows one thing, and [`explicit`](crate::explicit) search can judge all of
//! them. `cargo run -p indubit-testkit --example make_models` writes the folder from here, and a test sees to it
//! that the two agree. For building a system of your own, the puzzles in `models/puzzles.rs` are a good place to start reading:
//! inputs and latches as [`Word`](crate::Word)s, gates between them, then properties and constraints.

mod corners;
mod counters;
mod live;
mod puzzles;
mod queues;
mod sharing;
mod words;

pub use live::saturation;
pub use words::{WORDS, WordModel};

use crate::shrink;
use indubit_system::BitSystem;
use std::fmt::Write;

/// What is known about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It holds.
    Safe,
    /// It is violated.
    Unsafe {
        /// The number of transitions of a shortest counterexample, where that is known.
        depth: Option<u32>,
    },
    /// It is about infinite behaviour, and holds.
    Holds,
    /// It is about infinite behaviour, and fails.
    Fails {
        /// The number of steps of a shortest lasso until it closes, where that is known: [`live::shortest`](crate::live::shortest).
        length: Option<u32>,
    },
    /// Nothing is known, or several properties have different verdicts.
    Unknown,
}

/// One model of the `examples/` folder.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of its file, `.aag` for ASCII and `.aig` for binary.
    pub file: &'static str,
    /// What it is, in a paragraph; also the comment in the file.
    pub about: &'static str,
    /// The model.
    pub system: BitSystem,
    /// One a property, in the order of [`BitSystem::properties`].
    pub expected: Vec<Expected>,
    /// Lemmas with which `indubit prove` proves it, for those that show how that is done.
    pub lemmas: Option<&'static str>,
}

impl Model {
    fn new(
        file: &'static str,
        about: &'static str,
        system: BitSystem,
        expected: impl Into<Vec<Expected>>,
    ) -> Model {
        // Without the gates that nobody reads, such as the last carry of an adder.
        let mut system = shrink::compact(&system);
        system.comment = format!("{}\n", about.trim()).into_bytes();
        Model { file, about: about.trim(), system, expected: expected.into(), lemmas: None }
    }
    fn with_lemmas(mut self, lemmas: &'static str) -> Model {
        self.lemmas = Some(lemmas);
        self
    }
    /// The name of the file of its lemmas, and the file.
    pub fn lemma_file(&self) -> Option<(String, &'static str)> {
        let stem = self.file.split('.').next().unwrap_or(self.file);
        self.lemmas.map(|lemmas| (format!("{stem}.lemmas"), lemmas.trim_start()))
    }
    /// Is its file in the binary format?
    pub fn is_binary(&self) -> bool {
        self.file.ends_with(".aig")
    }
}

fn violated(depth: u32) -> Expected {
    Expected::Unsafe { depth: Some(depth) }
}

/// All models, in the order of the README.
pub fn all() -> Vec<Model> {
    vec![
        sharing::arbiter_bug(),
        sharing::token_ring(),
        sharing::peterson(),
        sharing::mutex_broken(),
        sharing::arbiter(),
        sharing::traffic_light(),
        queues::fifo(),
        queues::fifo_bug(),
        queues::alternating_bit(),
        queues::credits(),
        counters::saturating_counter(),
        counters::slow_counter(),
        counters::gray_counter(),
        counters::lfsr(),
        counters::stalled_shift(),
        counters::running_sum(),
        counters::program1(),
        counters::program2(),
        puzzles::jugs(),
        puzzles::river(),
        corners::two_bit(),
        corners::uninitialised(),
        corners::reset_function(),
        corners::microwave(),
        corners::starvation(),
        live::lossy_channel(),
        live::lossy_channel_unfair(),
        live::arbiter_fair(),
        live::arbiter_starving(),
        live::philosophers(),
        live::philosophers_deadlock(),
        live::saturating_for_good(),
    ]
}

/// The manifest `models.csv`: a line for each property.
pub fn manifest() -> String {
    let mut text = String::from("path,property,expected,depth\n");
    for model in all() {
        for (property, expected) in model.system.properties().iter().zip(&model.expected) {
            let (verdict, depth) = verdict(*expected);
            let _ = writeln!(text, "{},{},{verdict},{depth}", model.file, property.label());
        }
    }
    text
}

fn verdict(expected: Expected) -> (&'static str, String) {
    match expected {
        Expected::Safe => ("safe", String::new()),
        Expected::Unsafe { depth } => ("unsafe", depth.map_or_else(String::new, |d| d.to_string())),
        Expected::Holds => ("holds", String::new()),
        Expected::Fails { length } => ("fails", length.map_or_else(String::new, |n| n.to_string())),
        Expected::Unknown => ("unknown", String::new()),
    }
}

const README: &str = "\
# Models of our own

Small models with known verdicts, in AIGER: `.aag` is ASCII, `.aig` binary. Each file says in its comment section
what it is. `models.csv` lists every property with its verdict and, if it is violated, the number of steps of a
shortest counterexample; the tests compare that with an exhaustive search. A counterexample to a justice property is a
lasso, and its steps are counted until the latches that the property depends on have the values they had before.

The files, the manifest and this page are written by a program that builds the models in memory
(`crates/testkit/src/models`):

    cargo run -p indubit-testkit --example make_models

Edit the models there. A test compares this folder with what the program writes.
";

/// The page `README.md`: a paragraph and the properties of each model.
pub fn readme() -> String {
    let mut text = String::from(README);
    for model in all() {
        let _ = write!(text, "\n## {}\n\n{}\n\n", model.file, model.about);
        if let Some((file, _)) = model.lemma_file() {
            let _ = writeln!(
                text,
                "Lemmas: [`{file}`]({file}), for `indubit prove {} --lemmas {file}`.\n",
                model.file
            );
        }
        for (property, expected) in model.system.properties().iter().zip(&model.expected) {
            let _ = writeln!(text, "- `{}`: {}", property.label(), said(*expected));
        }
    }
    text.push_str(WORDS_README);
    for model in WORDS {
        let _ = write!(text, "\n## {}\n\n{}\n\n", model.file, model.about);
        for (property, expected) in model.expected {
            let _ = writeln!(text, "- `{property}`: {}", said(*expected));
        }
    }
    text
}

const WORDS_README: &str = "
# Systems over words

Integers, reals and bit-vectors, in VMT (`.vmt`) and as Horn clauses (`.smt2`). These files are written by hand; each explains
itself in its comments.
";

fn said(expected: Expected) -> String {
    match expected {
        Expected::Safe => "safe".to_owned(),
        Expected::Unsafe { depth: Some(0) } => "unsafe, at once".to_owned(),
        Expected::Unsafe { depth: Some(1) } => "unsafe, after 1 step".to_owned(),
        Expected::Unsafe { depth: Some(depth) } => format!("unsafe, after {depth} steps"),
        Expected::Unsafe { depth: None } => "unsafe".to_owned(),
        Expected::Holds => "holds".to_owned(),
        Expected::Fails { length: Some(1) } => "fails, by a lasso of 1 step".to_owned(),
        Expected::Fails { length: Some(length) } => format!("fails, by a lasso of {length} steps"),
        Expected::Fails { length: None } => "fails".to_owned(),
        Expected::Unknown => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Word, explicit, live};
    use indubit_logic::Lit;
    use std::collections::HashSet;

    #[test]
    fn explicit_search_agrees_with_every_expected_verdict() {
        for model in all() {
            let answers = explicit::check(&model.system).unwrap();
            let found = answers.iter().map(|a| match a.depth() {
                None => Expected::Safe,
                Some(depth) => violated(depth),
            });
            let justice = 0..model.system.justice.len();
            let justice = justice.map(|i| live::expected_verdict(&model.system, i).unwrap());
            assert_eq!(found.chain(justice).collect::<Vec<_>>(), model.expected, "{}", model.file);
            assert_eq!(model.system.properties().len(), model.expected.len(), "{}", model.file);
        }
    }

    #[test]
    fn models_are_small_named_and_distinct() {
        let models = all();
        assert!(models.len() >= 12);
        assert_eq!(models.iter().map(|m| m.file).collect::<HashSet<_>>().len(), models.len());
        for model in &models {
            let system = &model.system;
            assert!(system.latches().len() <= 16 && system.inputs().len() <= 8, "{}", model.file);
            assert!(system.inputs().iter().all(|s| s.name.is_some()), "{}", model.file);
            assert!(system.latches().iter().all(|l| l.name.is_some()), "{}", model.file);
            assert!(system.properties().iter().all(|p| p.name.is_some()), "{}", model.file);
            assert!(model.about.lines().all(|l| l.chars().count() <= 120), "{}", model.file);
        }
        assert!(models.iter().any(Model::is_binary));
    }

    /// Where a model says that its constraints matter, they do.
    #[test]
    fn without_its_constraints_the_verdict_changes() {
        for file in ["credits.aag", "river.aag", "slow_counter.aag"] {
            let mut system = all().into_iter().find(|m| m.file == file).unwrap().system;
            let before = explicit::check(&system).unwrap();
            system.constraints.clear();
            assert_ne!(explicit::check(&system).unwrap(), before, "{file}");
        }
    }
    /// Is the property k-inductive? The system may start anywhere, a counter waits for `k` good steps, and only
    /// then a bad one counts.
    fn is_inductive(file: &str, property: &str, k: u64) -> bool {
        let mut system = all().into_iter().find(|m| m.file == file).unwrap().system;
        let index = system.properties().iter().position(|p| p.label() == property).unwrap();
        let bad = system.bad_signals()[index].lit;
        for latch in system.latches().to_vec() {
            system.set_reset(Lit::positive(latch.var), Lit::positive(latch.var));
        }
        let count = Word::latches(&mut system, "count", 5, 0);
        let aig = system.aig_mut();
        let ready = count.is(aig, k);
        let next = count.count(aig, !ready, Lit::FALSE);
        let (now, early) = (aig.and(bad, ready), aig.and(bad, !ready));
        count.set_next(&mut system, &next);
        (system.bads, system.outputs) = (Vec::new(), Vec::new());
        system.add_bad("", now);
        system.add_constraint("", !early);
        explicit::check(&system).unwrap()[0].is_safe()
    }

    /// What the descriptions say about induction.
    #[test]
    fn claims_about_induction_are_true() {
        let inductive = [
            ("saturating_counter.aag", "above_twelve"),
            ("lfsr.aag", "stuck_at_zero"),
            ("credits.aag", "credit_lost"),
        ];
        for (file, property) in inductive {
            assert!(is_inductive(file, property, 1), "{file}");
        }
        let not_inductive = [
            ("peterson.aag", "both_critical"),
            ("token_ring.aag", "two_busy"),
            ("arbiter.aag", "grants_0_and_1"),
            ("arbiter.aag", "request_ignored"),
            ("fifo.aag", "corrupted"),
            ("alternating_bit.aig", "lost"),
            ("running_sum.aag", "y_below_one"),
            ("two_bit.aag", "both"),
            ("gray_counter.aig", "two_bits_change"),
            ("lfsr.aag", "five_zeros"),
        ];
        for (file, property) in not_inductive {
            assert!(!is_inductive(file, property, 1), "{file}");
        }
        assert!(is_inductive("gray_counter.aig", "two_bits_change", 2));
        assert!((2..8).any(|k| is_inductive("lfsr.aag", "five_zeros", k)));
        // There are 32 states, so a depth that fails after 31 steps fails for ever.
        assert!((1..=31).all(|k| !is_inductive("stalled_shift.aag", "comes_out", k)));
    }
}
