//! A counterexample for people: the user's names, vectors as numbers, and after the first step only what changes.
//!
//! Signals that cannot influence the property are left out (the waveform has them all), and, where others have names, those that have none. Long lists and long
//! traces are cut, and the cut is announced. Of a lasso the loop is marked, and where it sees what it must see.

use crate::signals::{self, Word, show_value};
use crate::table::{Group, Table};
use indubit_aig::Cone;
use indubit_logic::{Lit, Var};
use indubit_system::{Alias, BitSystem, Claim, Influence, Property, Trace};
use std::collections::HashSet;
use std::fmt::Write;

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Wrap lines at this column.
    pub width: usize,
    /// Show at most this many latches and this many inputs in one step.
    pub signals: usize,
    /// Show at most this many steps: half of them from the beginning, half from the end.
    pub steps: usize,
    /// Show also the signals that cannot influence the property, and those without a name.
    pub all: bool,
    /// The number of the first step.
    pub first: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { width: 100, signals: 40, steps: 60, all: false, first: 0 }
    }
}

impl Options {
    /// Everything, however long.
    pub fn complete() -> Options {
        Options { signals: usize::MAX, steps: usize::MAX, all: true, ..Options::default() }
    }
}

/// The table of `trace`, a counterexample to `property` of `model`.
///
/// ```
/// use indubit_formats::trace_table::{Options, write};
/// use indubit_system::{BitSystem, Trace};
/// let mut model = BitSystem::new();
/// let a = model.add_latch("a", Some(false));
/// model.set_next(a, !a);
/// model.add_bad("raised", a);
/// let trace = Trace::finite(vec![false], vec![vec![], vec![]]);
/// let text = write(&model, &model.properties()[0], &trace, Options::default());
/// assert_eq!(text, "raised (b0) is violated in step 1\n\nstep 0\n  latches  a = 0\nstep 1: raised\n  latches  a = 1\n");
/// ```
pub fn write(model: &BitSystem, property: &Property, trace: &Trace, options: Options) -> String {
    let last = trace.inputs.len().saturating_sub(1);
    let mut text = match trace.loops_to {
        Some(begin) => lasso_headline(property, begin, last),
        None => headline(property, last),
    };
    let mut influence = Influence::new(model);
    let recurring = model.infinitely_often(&property.claim);
    let roots = recurring.as_deref().unwrap_or(property.claim.formulas()).iter().copied();
    let cone = influence.of(roots.chain(model.constraints.iter().map(|c| c.lit)));
    let mut table = Signals::new(model, |var| options.all || cone.contains(var), options);
    table.head(&mut text);
    text.push('\n');
    let seen = first_seen(model, property, trace);
    table.steps(&mut text, trace, |step| match &seen[..] {
        [] => (step == last).then(|| property.label()),
        seen => {
            let here: Vec<&str> = seen.iter().filter(|s| s.1 == Some(step)).map(|s| &s.0[..]).collect();
            (!here.is_empty()).then(|| format!("sees {}", here.join(", ")))
        }
    });
    table.foot(&mut text);
    text
}

/// What is seen infinitely often in a lasso, and in which step of its loop for the first time. Nothing for other traces.
fn first_seen(model: &BitSystem, property: &Property, trace: &Trace) -> Vec<(String, Option<usize>)> {
    let (Some(begin), Some(signals)) = (trace.loops_to, model.infinitely_often(&property.claim)) else {
        return Vec::new();
    };
    let mut seen: Vec<(String, Option<usize>)> =
        signals::recurring(model, property).into_iter().map(|label| (label, None)).collect();
    for (step, values) in signals::replay(model, trace).enumerate().skip(begin) {
        for (seen, &signal) in seen.iter_mut().zip(&signals) {
            if seen.1.is_none() && indubit_aig::simulate::value(&values, signal) {
                seen.1 = Some(step);
            }
        }
    }
    seen
}

pub(crate) fn lasso_headline<F>(property: &Property<F>, begin: usize, last: usize) -> String {
    let steps = if begin == last { format!("step {begin}") } else { format!("steps {begin}-{last}") };
    format!("{} is violated by a run that repeats {steps} for ever\n", property.title())
}

/// The table of any run of `model`, with all signals; `note` says what is remarkable about a step.
pub fn simulation(
    model: &BitSystem,
    trace: &Trace,
    options: Options,
    note: impl Fn(usize) -> Option<String>,
) -> String {
    let mut text = String::new();
    let mut table = Signals::new(model, |_| true, options);
    table.steps(&mut text, trace, note);
    table.foot(&mut text);
    text
}

/// The table of a path of `model`, of the signals that influence some edges of it; `note` says what is remarkable about a step.
pub fn path(
    model: &BitSystem,
    roots: &[Lit],
    trace: &Trace,
    options: Options,
    note: impl Fn(usize) -> Option<String>,
) -> String {
    let mut influence = Influence::new(model);
    let cone = influence.of(roots.iter().copied());
    let mut text = String::new();
    let mut table = Signals::new(model, |var| options.all || cone.contains(var), options);
    table.steps(&mut text, trace, note);
    text
}

/// The table of a step that breaks a formula, or of a state in which it is false: `roots` are what it depends on, and signals that have
/// nothing to do with it in such a step are left out. `broken` stands at the last moment.
pub fn step(model: &BitSystem, roots: &[Lit], trace: &Trace, options: Options, broken: &str) -> String {
    let cone = step_cone(model, roots, trace);
    let mut text = String::new();
    let mut table = Signals::new(model, |var| options.all || cone.contains(var), options);
    table.steps(&mut text, trace, |step| (step == trace.len()).then(|| broken.to_string()));
    text
}

/// A signal or a variable, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name, with its range if it is a vector.
    pub name: String,
    /// `0` and `1`, the most significant bit first; of words as SMT-LIB has it.
    pub value: String,
    /// What a design calls the value.
    pub symbol: Option<String>,
}

/// The latches and the inputs in each moment of what [`step`] shows, for programs.
pub fn step_values(model: &BitSystem, roots: &[Lit], trace: &Trace) -> Vec<[Vec<Shown>; 2]> {
    let cone = step_cone(model, roots, trace);
    values_of(model, trace, |word| word.leaves.iter().any(|&leaf| cone.contains(leaf)))
}

/// All latches and inputs in each step of a trace, for programs.
pub fn values(model: &BitSystem, trace: &Trace) -> Vec<[Vec<Shown>; 2]> {
    values_of(model, trace, |_| true)
}

fn values_of(model: &BitSystem, trace: &Trace, keep: impl Fn(&Word) -> bool) -> Vec<[Vec<Shown>; 2]> {
    let groups = [signals::latches(model), signals::inputs(model)];
    let shown = |word: &Word, values: &[bool]| Shown {
        name: word.label(),
        value: word.value(values).iter().map(|&bit| if bit { '1' } else { '0' }).collect(),
        symbol: None,
    };
    signals::replay(model, trace)
        .map(|values| {
            groups.each_ref().map(|words| {
                words.iter().filter(|word| keep(word)).map(|word| shown(word, &values)).collect()
            })
        })
        .collect()
}

/// What the roots and the constraints depend on in the moments of `trace`: one, or two.
fn step_cone(model: &BitSystem, roots: &[Lit], trace: &Trace) -> Cone {
    let mut cone = Cone::new();
    cone.clear(model.aig());
    let roots = roots.iter().copied().chain(model.constraints.iter().map(|c| c.lit));
    roots.for_each(|root| cone.add(model.aig(), root));
    if !trace.is_empty() {
        let next = model.latches().iter().filter(|l| cone.contains(l.var)).map(|l| l.next);
        let next: Vec<Lit> = next.collect();
        next.into_iter().for_each(|root| cone.add(model.aig(), root));
    }
    cone
}

/// What a trace shows, as its first line.
pub(crate) fn headline<F>(property: &Property<F>, last: usize) -> String {
    let what = match property.claim {
        Claim::Reachable(_) => "reached",
        Claim::Always(_) | Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => "violated",
    };
    // A formula is about infinite runs.
    let by = if let Claim::Ltl(_) = property.claim { " by every run that begins so" } else { "" };
    format!("{} is {what} in step {last}{by}\n", property.title())
}

/// The signals of a model that are shown, in the table.
struct Signals<'m> {
    model: &'m BitSystem,
    words: [Vec<Word>; 2],
    n_left_out: usize,
    n_unnamed: usize,
    table: Table<Vec<bool>>,
}

impl<'m> Signals<'m> {
    /// Those to keep.
    fn new(model: &'m BitSystem, keep: impl Fn(Var) -> bool, options: Options) -> Signals<'m> {
        let mut words = [signals::latches(model), signals::inputs(model)];
        let hides = unnamed_hidden(words.each_ref().map(|words| words.iter().any(|word| word.is_named)));
        let settled = settled(model);
        let (mut n_left_out, mut n_unnamed) = (0, 0);
        for (words, hides) in words.iter_mut().zip(hides) {
            let n = words.len();
            words.retain(|word| word.leaves.iter().any(|&leaf| keep(leaf)));
            n_left_out += n - words.len();
            let n = words.len();
            let is_named = |word: &Word| word.is_named && !settled.contains(&word.base[..]);
            words.retain(|word| options.all || !hides || is_named(word));
            n_unnamed += n - words.len();
        }
        let labels = |words: &[Word]| words.iter().map(Word::label).collect();
        let groups = [Group::new("latches", labels(&words[0])), Group::new("inputs", labels(&words[1]))];
        let table = Table::new(groups, |bits: &Vec<bool>| show_value(bits), "--vcd", options);
        Signals { model, words, n_left_out, n_unnamed, table }
    }
    fn head(&self, text: &mut String) {
        const LISTED: usize = 12;
        let constraints = &self.model.constraints;
        let n = constraints.len();
        if n > 0 {
            let label = |(i, c): (usize, &indubit_system::Signal)| {
                c.name.as_ref().map_or_else(|| format!("c{i}"), ToString::to_string)
            };
            let listed: Vec<String> = constraints.iter().enumerate().take(LISTED).map(label).collect();
            let more = if n > LISTED { format!(", … {} more", n - LISTED) } else { String::new() };
            let _ = writeln!(text, "constraints that hold in every step: {}{more}", listed.join(", "));
        }
    }
    fn steps(&mut self, text: &mut String, trace: &Trace, note: impl Fn(usize) -> Option<String>) {
        let words = &self.words;
        let values =
            |nodes: Vec<bool>| words.each_ref().map(|words| words.iter().map(|w| w.value(&nodes)).collect());
        self.table.set_loop(trace.loops_to);
        self.table.steps(text, signals::replay(self.model, trace), values, note);
    }
    fn foot(&self, text: &mut String) {
        let n = self.n_left_out;
        if n > 0 {
            let signals = if n == 1 { "signal that has" } else { "signals that have" };
            let _ = writeln!(text, "({n} {signals} no influence on the property left out)");
        }
        unnamed(text, self.n_unnamed);
    }
}

/// Are state variables, and inputs, left out that have no name? It depends on whether others of these have: what is known of the state by positions only is shown, unless
/// some of it has names, and inputs that have none do not matter beside a state that has.
pub(crate) fn unnamed_hidden([states, inputs]: [bool; 2]) -> [bool; 2] {
    [states, states || inputs]
}

/// Says how many signals without a name are left out.
pub(crate) fn unnamed(text: &mut String, n: usize) {
    if n > 0 {
        let signals = if n == 1 { "signal" } else { "signals" };
        let _ = writeln!(text, "({n} {signals} without a name left out, see --verbose or --vcd)");
    }
}

/// The inputs that are what registers begin with, by their names: these have that value in the first step.
fn settled(model: &BitSystem) -> HashSet<String> {
    let is_chosen = |alias: &&Alias| alias.of.is_some_and(|leaf| leaf != alias.lit.var());
    let base = |alias: &Alias| {
        let name = alias.name.to_string();
        let base = signals::split_index(&name).map_or(&name[..], |(base, ..)| base);
        [format!("init:{base}"), format!("init:{name}")]
    };
    model.naming.aliases().iter().filter(is_chosen).flat_map(base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of `n` bits with an enable, a sticky bit outside the cone, and a bad at `2^n - 1`.
    fn counter(n: usize) -> BitSystem {
        let mut model = BitSystem::new();
        let enable = model.add_input("enable");
        let bits: Vec<Lit> = (0..n).map(|i| model.add_latch(&format!("count[{i}]"), Some(false))).collect();
        let sticky = model.add_latch("sticky", Some(false));
        model.set_next(sticky, enable);
        let mut carry = enable;
        for &bit in &bits {
            let sum = model.aig_mut().xor(bit, carry);
            carry = model.aig_mut().and(bit, carry);
            model.set_next(bit, sum);
        }
        let full = model.aig_mut().and_all(bits);
        model.add_bad("overflow", full);
        model.add_constraint("", Lit::TRUE);
        model.add_constraint("sane", Lit::TRUE);
        model
    }

    fn trace(n_latches: usize, enables: &str) -> Trace {
        Trace::finite(vec![false; n_latches], enables.bytes().map(|b| vec![b == b'1']).collect())
    }

    #[test]
    fn shows_only_what_changes() {
        let model = counter(2);
        let text = write(&model, &model.properties()[0], &trace(3, "100011"), Options::default());
        assert_eq!(
            text,
            "\
overflow (b0) is violated in step 5
constraints that hold in every step: c0, sane

step 0
  latches  count[1:0] = 00 (0)
  inputs   enable = 1
step 1
  latches  count[1:0] = 01 (1)
  inputs   enable = 0
steps 2-3: nothing changes
step 4
  inputs   enable = 1
step 5: overflow
  latches  count[1:0] = 10 (2)
(1 signal that has no influence on the property left out)
"
        );
        let all = write(&model, &model.properties()[0], &trace(3, "1"), Options::complete());
        assert!(all.contains("sticky = 0") && !all.contains("left out"));
    }

    #[test]
    fn large_models_and_long_traces_stay_readable() {
        let mut model = BitSystem::new();
        let latches: Vec<Lit> = (0..1000).map(|i| model.add_latch(&format!("r{i}x"), Some(false))).collect();
        let any = model.aig_mut().or_all(latches.iter().copied());
        for latch in latches {
            model.set_next(latch, !latch);
        }
        model.add_bad("", any);
        let text = write(&model, &model.properties()[0], &trace(1000, &"0".repeat(0)), Options::default());
        assert!(text.starts_with("b0 is violated"));
        let long = Trace::finite(vec![false; 1000], vec![vec![]; 5000]);
        let text = write(&model, &model.properties()[0], &long, Options::default());
        assert!(text.contains("… 960 more, see --vcd"));
        assert!(text.contains("… 4940 steps left out, see --vcd"));
        assert!(text.contains("step 4999: b0"));
        assert!(text.lines().count() < 500 && text.lines().all(|l| l.chars().count() <= 100));
    }

    #[test]
    fn lassos_show_where_they_repeat_and_what_they_see() {
        let mut model = counter(2);
        let [enable, low] = [model.inputs()[0].lit, Lit::positive(model.latches()[0].var)];
        model.justice.push(indubit_system::Justice { lits: vec![low, !low], name: Some("counts".into()) });
        model.fairness.push(indubit_system::Signal { lit: enable, name: Some("asked".into()) });
        let lasso = Trace { loops_to: Some(2), ..trace(3, "001111") };
        let text = write(&model, &model.properties()[1], &lasso, Options::default());
        assert_eq!(
            text,
            "\
counts (j0) is violated by a run that repeats steps 2-5 for ever
constraints that hold in every step: c0, sane

step 0
  latches  count[1:0] = 00 (0)
  inputs   enable = 0
step 1: nothing changes
-- loop begins --
step 2: sees asked, j0.1
  inputs   enable = 1
step 3: sees j0.0
  latches  count[1:0] = 01 (1)
step 4
  latches  count[1:0] = 10 (2)
step 5
  latches  count[1:0] = 11 (3)
-- back to step 2 --
(1 signal that has no influence on the property left out)
"
        );
        // Where the loop begins is said even if that step is left out.
        let lasso = Trace { loops_to: Some(30), ..trace(3, &"1".repeat(102)) };
        let text = write(&model, &model.properties()[1], &lasso, Options { steps: 20, ..Options::default() });
        assert!(
            text.contains("… 20 steps left out, see --vcd\n-- loop begins --\n… 62 steps left out"),
            "{text}"
        );
        assert!(text.contains("repeats steps 30-101 for ever"));
        let one = Trace { loops_to: Some(0), ..trace(3, "1") };
        assert!(
            write(&model, &model.properties()[1], &one, Options::default()).contains("repeats step 0 for")
        );
    }

    #[test]
    fn a_simulation_shows_everything_and_ends_quietly() {
        let model = counter(2);
        let note = |step| (step == 1).then(|| "look".to_string());
        let text = simulation(&model, &trace(3, "1000"), Options::default(), note);
        assert!(text.starts_with("step 0\n") && text.contains("step 1: look\n") && text.contains("sticky"));
        assert!(text.ends_with("step 3: nothing changes\n"), "{text}");
        assert_eq!(simulation(&model, &trace(3, ""), Options::default(), |_| None), "");
    }

    #[test]
    fn a_step_shows_what_matters_in_it() {
        let model = counter(3);
        let bit = Lit::positive(model.latches()[1].var);
        let cti = Trace::finite(vec![true, false, true, false], vec![vec![true], vec![false]]);
        let text = step(&model, &[bit], &cti, Options::default(), "broken");
        assert_eq!(
            text,
            "\
step 0
  latches  count[2:0] = 101 (5)
  inputs   enable = 1
step 1: broken
  latches  count[2:0] = 110 (6)
  inputs   enable = 0
"
        );
        let state = Trace::finite(cti.initial.clone(), vec![vec![true]]);
        assert_eq!(
            step(&model, &[bit], &state, Options::default(), "here"),
            "step 0: here\n  latches  count[2:0] = 101 (5)\n"
        );
        let shown = |name: &str, value: &str| Shown { name: name.into(), value: value.into(), symbol: None };
        let values = step_values(&model, &[bit], &cti);
        assert_eq!(values[0], [vec![shown("count[2:0]", "101")], vec![shown("enable", "1")]]);
        assert_eq!(values[1][0], [shown("count[2:0]", "110")]);
    }

    #[test]
    fn a_quiet_stretch_before_the_cut_is_closed() {
        let model = counter(3);
        let options = Options { steps: 6, ..Options::default() };
        let text = write(&model, &model.properties()[0], &trace(4, "000000000011"), options);
        assert!(text.contains("steps 1-2: nothing changes\n… 6 steps left out, see --vcd\n"), "{text}");
        assert!(text.contains("step 9: nothing changes\nstep 10\n"), "{text}");
    }
}
