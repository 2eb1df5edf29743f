//! A ranked proof for people: what comes to rest, in which order, and what is not seen after that.
//!
//! The predicates of the order are formulas over the user's names, the most significant first: each can become true only once while those above it stay as they are. So
//! from some point on nothing of that happens any more. Predicates that end with the same alternatives, `waits | gone` and `!owner | gone`, are shown as `waits` and `!owner` below a
//! line that says *unless gone*. Counters that a proof adds (`count >= 2`) are not among them but say how often something is still seen. Other
//! memory goes by its name in double quotes, or as `seen(x)` if it is a signal that was seen; and a value in another state has a prime.
//!
//! Everything is said of states in which the invariant holds: what is constant there is left out, and formulas are as short as they can be.

use crate::conditions::{Condition, Conditions, Context};
use crate::invariant_text::{self, Printer};
use crate::signals::recurring;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Property, Ranked};
use std::fmt::Write;

/// The text of a ranked proof of `property`, a justice property of `model`. If there is a `limit`, so many predicates and lemmas at most, and long
/// formulas are summed up.
///
/// ```
/// use indubit_formats::ranked_text::write;
/// use indubit_logic::Lit;
/// use indubit_system::{BitSystem, Justice, Ranked};
/// let mut model = BitSystem::new();
/// let go = model.add_input("go");
/// let done = model.add_latch("done", Some(false));
/// let next = model.aig_mut().or(done, go);
/// model.set_next(done, next);
/// let start = model.aig_mut().and(go, !done);
/// model.justice.push(Justice { lits: vec![start], name: Some("starts".into()) });
/// let mut proof = Ranked::new(model.aig().n_vars(), vec![], vec![], 1);
/// proof.order = vec![done];
/// proof.absent = vec![Lit::TRUE];
/// assert_eq!(
///     write(&model, &model.properties()[0], &proof, None),
///     "in every run this becomes true at most once:\n  done\nafter that, starts is not seen any more\n"
/// );
/// ```
pub fn write(model: &BitSystem, property: &Property, proof: &Ranked, limit: Option<usize>) -> String {
    let mut seen = Extended::new(model, property, proof, limit.is_some());
    let mut text = String::new();
    let (mut lines, end) = seen.order();
    let is_ordered = lines.iter().any(|line| line.is_predicate);
    match lines.iter().filter(|line| line.is_predicate).count() {
        0 => lines.clear(),
        1 => text.push_str("in every run this becomes true at most once:\n"),
        n => {
            let _ = writeln!(
                text,
                "in every run these {n} come to rest: each becomes true at most once while those above it stay as they are:"
            );
        }
    }
    let most = limit.unwrap_or(usize::MAX);
    lines.iter().take(most).for_each(|line| indent(&mut text, &line.text));
    let n_cut = lines.iter().skip(most).filter(|line| line.is_predicate).count();
    if n_cut > 0 {
        let _ = writeln!(text, "  … {n_cut} more");
    }
    if seen.relation != Lit::TRUE {
        let equal = if is_ordered { "where all of that is equal, " } else { "" };
        let _ = writeln!(
            text,
            "{equal}each state has this with all those before it (with a prime), and what repeats with those after it, too:"
        );
        // The other state is not one of which the invariant is known.
        let (line, definitions) = seen.text(&Context::default(), seen.relation);
        indent(&mut text, &format!("{line}\n{definitions}"));
    }
    seen.gone(&mut text, is_ordered || seen.relation != Lit::TRUE, &end);
    let invariant = match proof.with.is_trivial() {
        true => String::new(),
        false => seen.invariant.invariant(&proof.with, limit),
    };
    remembered(&mut text, &invariant, &seen.names);
    if !matches!(&invariant[..], "" | "true\n") {
        text.push_str("that rests on an invariant:\n");
        indent(&mut text, &invariant);
    }
    text
}

/// The predicates of the order of a ranked proof, for programs: those that are not constant, each a line; long formulas are summed up.
pub fn ranks(model: &BitSystem, property: &Property, proof: &Ranked) -> Vec<String> {
    let mut seen = Extended::new(model, property, proof, true);
    let order = seen.order.clone();
    let base = seen.base.clone();
    let conditions = order.into_iter().map(|lit| (lit, seen.conditions.condition(&base, lit)));
    let conditions: Vec<(Lit, Condition)> = conditions.collect();
    let changing = conditions.into_iter().filter(|(_, c)| !matches!(c, Condition::Constant(_)));
    changing.map(|(lit, _)| seen.text(&base, lit).0).collect()
}

/// What is remembered beside counters, as far as it has been mentioned.
fn remembered(text: &mut String, invariant: &str, names: &[String]) {
    const LISTED: usize = 12;
    let is_said = |name: &&String| text.contains(&name[..]) || invariant.contains(&name[..]);
    let mut names: Vec<&str> = names.iter().filter(is_said).map(|name| &name[..]).collect();
    if !names.is_empty() {
        let more =
            if names.len() > LISTED { format!(", … {} more", names.len() - LISTED) } else { String::new() };
        names.truncate(LISTED);
        let _ = writeln!(text, "the proof remembers {}{more}", names.join(", "));
    }
}

/// `2` for `count >= 2`.
fn counted(name: &str) -> Option<u64> {
    name.strip_prefix("count >= ")?.parse().ok()
}

/// `2` for `seen 2`.
fn watched(name: &str) -> Option<usize> {
    name.strip_prefix("seen ")?.parse().ok()
}

fn indent(text: &mut String, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(text, "  {line}");
    }
}

/// A line of the order: a predicate, or what those below it are about.
struct Line {
    text: String,
    is_predicate: bool,
}

/// What there is to be said below the order.
struct End {
    /// What is taken to be so there.
    context: Context,
    /// Some states are excluded.
    is_excluding: bool,
    /// It has been said what is not seen in those: there is no need to do so again.
    is_else: bool,
    /// The order does not say when signals have been seen for the last time.
    is_later: bool,
}

/// The model with what the proof adds to it, so that all of it has names, and the parts of the proof there.
struct Extended<'p> {
    proof: &'p Ranked,
    conditions: Conditions,
    /// For the invariant: what it adds comes behind the nodes of the model.
    invariant: Printer,
    /// What the invariant says.
    base: Context,
    order: Vec<Lit>,
    relation: Lit,
    absent: Vec<Lit>,
    /// The names of signals, and those of memory that counts nothing.
    labels: Vec<String>,
    names: Vec<String>,
}

impl<'p> Extended<'p> {
    fn new(model: &BitSystem, property: &Property, proof: &'p Ranked, sums_up: bool) -> Extended<'p> {
        let labels = recurring(model, property);
        let mut system = model.clone();
        let mut names = Vec::new();
        for memory in proof.memory() {
            let name = match watched(&memory.name).and_then(|i| labels.get(i)) {
                Some(label) => format!("seen({label})"),
                None => memory.name.clone(),
            };
            let at = system.add_latch(&name, Some(memory.initial));
            if counted(&memory.name).is_none() {
                names.push(at.var());
            }
        }
        // What is asked about another state may be anything; it is shown as it would be here, with a prime.
        let mut first = system.clone();
        for _ in proof.second() {
            first.add_input("");
        }
        let (_, asked) = proof.with.build_with(first.aig_mut(), |_, v| Lit::positive(v), proof.second());
        for lit in asked {
            let formula = invariant_text::formula(&first, lit, Some(0));
            let name = formula.lines().next().unwrap_or_default();
            let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_.[]<>".contains(c));
            system.add_input(&if is_plain { format!("{name}'") } else { format!("({name})'") });
        }
        let mut invariant = Printer::new(&system);
        invariant.sums_up = sums_up;
        let mut conditions = Conditions { printer: Printer::new(&system), sums_up };
        let mut lits = proof.order.clone();
        lits.push(proof.relation);
        lits.extend(&proof.absent);
        let (clauses, lits) =
            proof.with.build_with(&mut conditions.printer.aig, |_, v| Lit::positive(v), &lits);
        let (order, rest) = lits.split_at(proof.order.len());
        let (order, relation, absent) = (order.to_vec(), rest[0], rest[1..].to_vec());
        let base = conditions.assume(&Context::default(), &clauses);
        let names = names
            .iter()
            .filter_map(|var| invariant.labels.get(var))
            .map(|label| label.text.clone())
            .collect();
        Extended { proof, conditions, invariant, base, order, relation, absent, labels, names }
    }

    /// The text of an edge, and definitions below it.
    fn text(&mut self, context: &Context, lit: Lit) -> (String, String) {
        match self.conditions.condition(context, lit) {
            Condition::Constant(value) => (value.to_string(), String::new()),
            Condition::Formula { text, definitions } => (text, definitions),
            Condition::Long(summary) => (format!("a condition over {summary}"), String::new()),
        }
    }

    /// The name of the memory that a literal is.
    fn memory(&self, lit: Lit) -> Option<&'p str> {
        let place = lit.var().index().checked_sub(self.proof.n_vars())?;
        Some(&self.proof.memory().get(place)?.name)
    }
    /// What a predicate counts to, if it is part of a counter.
    fn counter(&self, lit: Lit) -> Option<u64> {
        counted(self.memory(lit).filter(|_| !lit.is_negated())?)
    }

    /// The order: what comes to rest, but for counters and signals that were seen at the end of it.
    fn order(&mut self) -> (Vec<Line>, End) {
        let is_seen = |lit: Lit| self.memory(lit).is_some_and(|name| watched(name).is_some());
        let is_last = |lit: &&Lit| is_seen(**lit) || self.counter(**lit).is_some();
        let n_last = self.order.iter().rev().take_while(is_last).count();
        let (order, last) = self.order.split_at(self.order.len() - n_last);
        let order = order.to_vec();
        let is_later = last.iter().any(|&lit| is_seen(lit) && !self.base.is_known(lit.var()));
        let disjuncts: Vec<Vec<Lit>> = order.iter().map(|&lit| self.conditions.disjuncts(lit)).collect();
        let mut lines: Vec<Line> = Vec::new();
        // What is excluded by now, and whether it has been said for all of it what is not seen then.
        let (mut excluded, mut is_explained): (Vec<Lit>, bool) = (Vec::new(), true);
        let mut context = self.base.clone();
        let mut said: Vec<String> = Vec::new();
        for (i, &lit) in order.iter().enumerate() {
            let own = &disjuncts[i];
            let later = &disjuncts[i + 1..];
            let is_shared = |d: &Lit| !later.is_empty() && later.iter().all(|other| other.contains(d));
            let added: Vec<Lit> =
                own.iter().copied().filter(|d| is_shared(d) && !excluded.contains(d)).collect();
            let rest: Vec<Lit> =
                own.iter().copied().filter(|d| !excluded.contains(d) && !added.contains(d)).collect();
            if !added.is_empty() && !rest.is_empty() {
                let (text, next, is_gone) = self.unless(&context, &added);
                lines.push(Line { text, is_predicate: false });
                is_explained &= is_gone;
                excluded.extend(added);
                context = next;
            }
            // A predicate that is true wherever it is not excluded is true.
            let (text, definitions) = match self.conditions.condition(&context, lit) {
                Condition::Constant(true) => continue,
                Condition::Constant(false) if excluded.is_empty() => continue,
                Condition::Constant(false) => self.text(&self.base.clone(), lit),
                Condition::Formula { text, .. } if said.contains(&text) => continue,
                Condition::Formula { text, definitions } => {
                    said.push(text.clone());
                    (text, definitions)
                }
                Condition::Long(_) => self.text(&context, lit),
            };
            lines.push(Line { text: format!("{text}\n{definitions}"), is_predicate: true });
        }
        let is_excluding = !excluded.is_empty();
        let is_else = is_excluding && is_explained;
        let context = if is_else { context } else { self.base.clone() };
        (lines, End { context, is_excluding, is_else, is_later })
    }

    /// The line that excludes states, what is so in the others, and whether it says why they need not be looked at.
    fn unless(&mut self, context: &Context, lits: &[Lit]) -> (String, Context, bool) {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        let none = self.conditions.printer.aig.and_all(negated.iter().copied());
        let (text, _) = self.text(context, !none);
        let within = self.conditions.assume(context, &[!none]);
        let is_gone = |lit: &Lit, all: &mut Conditions| {
            lits.iter().all(|&d| {
                let within = all.assume(&within, &[d]);
                all.condition(&within, *lit) == Condition::Constant(true)
            })
        };
        let gone = self.absent.iter().position(|lit| is_gone(lit, &mut self.conditions));
        let next = self.conditions.assume(context, &negated);
        let then = gone.and_then(|i| self.labels.get(i));
        let then = then.map_or(String::new(), |label| format!(" (then {label} is not seen in the end)"));
        (format!("unless {text}{then}:"), next, gone.is_some())
    }

    /// Which signals are not seen any more.
    fn gone(&mut self, text: &mut String, is_ordered: bool, end: &End) {
        let mut after = match (is_ordered, end.is_later) {
            (_, true) => "in the end, ".to_string(),
            (true, false) => "after that, ".into(),
            (false, false) => String::new(),
        };
        if end.is_else {
            after.insert_str(0, "otherwise, ");
        }
        let counts = self.order.iter().filter_map(|&l| self.counter(l)).max();
        let times = |n: u64| if n == 1 { "once".into() } else { format!("{n} times") };
        let what = match counts {
            Some(n) if self.labels.len() == 1 => format!("is seen at most {} more", times(n)),
            Some(n) => {
                let first = if is_ordered { "after that, " } else { "" };
                // Nothing is counted in what is excluded.
                let first = if end.is_excluding { format!("otherwise, {first}") } else { first.into() };
                let _ = writeln!(text, "{first}all signals are seen at most {} more", times(n));
                after = if end.is_later { "in the end, ".into() } else { "then ".into() };
                "is not seen any more".into()
            }
            None if after.is_empty() => "is never seen".to_string(),
            None => "is not seen any more".to_string(),
        };
        let mut conditions = Vec::new();
        for (i, &absent) in self.absent.clone().iter().enumerate() {
            let reduced = self.conditions.reduced(&end.context, absent);
            let is_unseen = self.memory(reduced).and_then(watched) == Some(i) && reduced.is_negated();
            conditions.push((i, is_unseen, self.conditions.condition(&end.context, absent)));
        }
        let label = |i: usize| self.labels.get(i).map_or("?", |label| &label[..]);
        conditions.retain(|(.., condition)| *condition != Condition::Constant(false));
        if conditions.iter().any(|(.., condition)| *condition == Condition::Constant(true)) {
            // One signal is enough.
            conditions.retain(|(.., condition)| *condition == Condition::Constant(true));
        } else if conditions.len() > 1 && conditions.iter().all(|(_, is_unseen, _)| *is_unseen) {
            // Which one it is differs from run to run, and is what the proof remembers.
            let labels: Vec<&str> = conditions.iter().map(|&(i, ..)| label(i)).collect();
            let _ = writeln!(text, "{after}one of {} {what}", labels.join(", "));
            return;
        }
        for (i, _, condition) in &conditions {
            let label = label(*i);
            let (place, below) = match condition {
                Condition::Formula { text, definitions } => (format!(" where {text}"), &definitions[..]),
                Condition::Long(summary) => (format!(" under a condition over {summary}"), ""),
                Condition::Constant(_) => (String::new(), ""),
            };
            let _ = writeln!(text, "{after}{label} {what}{place}");
            indent(text, below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Clause;
    use indubit_system::{Justice, Memory, Signal};

    fn model() -> (BitSystem, [Lit; 3]) {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let [a, b] = ["a", "b"].map(|n| model.add_latch(n, Some(false)));
        model.justice.push(Justice { lits: vec![i, a], name: Some("live".into()) });
        model.fairness.push(Signal { lit: b, name: Some("fair".into()) });
        (model, [i, a, b])
    }

    fn memory(names: &[&str]) -> Vec<Memory> {
        names.iter().map(|n| Memory { name: (*n).into(), initial: false, next: Lit::FALSE }).collect()
    }

    #[test]
    fn what_stabilizes_and_what_is_still_seen() {
        let (model, [_, a, b]) = model();
        let memory = memory(&["seen j0.1", "count >= 1", "count >= 2"]);
        let mut proof = Ranked::new(model.aig().n_vars(), memory, vec![], 3);
        let [seen, once, twice] = [0, 1, 2].map(|i| proof.memory_lit(i));
        let both = proof.with.and(a, !b);
        proof.order = vec![both, b, once, twice];
        proof.absent = vec![b, Lit::FALSE, !b];
        proof.with.add(Clause::new([!seen, a]));
        proof.with.add(Clause::new([!twice, once]));
        assert_eq!(
            write(&model, &model.properties()[0], &proof, None),
            "\
in every run these 2 come to rest: each becomes true at most once while those above it stay as they are:
  a & !b
  b
after that, all signals are seen at most 2 times more
then fair is not seen any more where b
then j0.1 is not seen any more where !b
the proof remembers \"seen j0.1\"
that rests on an invariant:
  a | !\"seen j0.1\"
  \"count >= 1\" | !\"count >= 2\"
"
        );
        let short = write(&model, &model.properties()[0], &proof, Some(1));
        assert!(short.contains("  a & !b\n  … 1 more\n") && short.contains("  … 1 more lemmas\n"), "{short}");
    }

    #[test]
    fn relations_have_primes() {
        let (model, [i, a, b]) = model();
        let mut proof = Ranked::new(model.aig().n_vars(), vec![], vec![a, b], 3);
        let gate = proof.with.and(i, a);
        proof.set_second(1, !gate);
        let rising = proof.with.and(!proof.second_lit(0), a);
        proof.relation = proof.with.and(rising, proof.second_lit(1));
        proof.absent[1] = Lit::TRUE;
        assert_eq!(
            write(&model, &model.properties()[0], &proof, None),
            "\
each state has this with all those before it (with a prime), and what repeats with those after it, too:
  \"(!i | !a)'\" & a & !a'
after that, j0.0 is not seen any more
"
        );
    }

    #[test]
    fn what_never_happens() {
        let (model, _) = model();
        let proof = Ranked::never(model.aig().n_vars(), 2, 3);
        assert_eq!(write(&model, &model.properties()[0], &proof, None), "j0.1 is never seen\n");
        let mut ends = BitSystem::new();
        ends.justice.push(Justice { lits: vec![], name: None });
        let mut proof = Ranked::new(ends.aig().n_vars(), memory(&["count >= 1"]), vec![], 1);
        proof.order = vec![proof.memory_lit(0)];
        proof.absent = vec![Lit::TRUE];
        assert_eq!(
            write(&ends, &ends.properties()[0], &proof, None),
            "another step is seen at most once more\n"
        );
    }

    /// Three latches below another one that says when a signal is over.
    fn excluding() -> (BitSystem, Ranked) {
        let mut model = BitSystem::new();
        let [over, a, b, c] = ["over", "a", "b", "c"].map(|n| model.add_latch(n, Some(false)));
        model.justice.push(Justice { lits: vec![a], name: Some("live".into()) });
        model.fairness.push(Signal { lit: b, name: Some("fair".into()) });
        let mut proof = Ranked::new(model.aig().n_vars(), memory(&["seen 0", "seen 1"]), vec![], 2);
        let [fair, live] = [0, 1].map(|i| proof.memory_lit(i));
        let [first, second] = [a, !b].map(|lit| !proof.with.and(!over, !lit));
        // The rest of it contradicts itself.
        let both = proof.with.and(b, c);
        let never = proof.with.and(both, !b);
        let third = !proof.with.and(!second, !never);
        proof.order = vec![over, first, third, fair, live];
        let here = [fair, live].map(|seen| proof.with.and(!over, !seen));
        proof.absent = vec![here[0], !proof.with.and(!here[1], !over)];
        proof.with.add(Clause::new([!fair, !live]));
        (model, proof)
    }

    #[test]
    fn alternatives_that_predicates_share_are_said_once() {
        let (model, mut proof) = excluding();
        let order = "\
in every run these 3 come to rest: each becomes true at most once while those above it stay as they are:
  over
  unless over (then live is not seen in the end):
  a
  !b
";
        let property = &model.properties()[0];
        assert_eq!(
            write(&model, property, &proof, Some(16)),
            format!(
                "{order}otherwise, in the end, one of fair, live is not seen any more\n\
                 the proof remembers seen(fair), seen(live)\n\
                 that rests on an invariant:\n  !seen(fair) | !seen(live)\n"
            )
        );
        assert_eq!(
            ranks(&model, property, &proof),
            ["over", "over | a", "over | !b", "seen(fair)", "seen(live)"]
        );
        // What is never seen is constant, and then one signal is enough.
        proof.with.add(Clause::new([!proof.memory_lit(0)]));
        assert_eq!(
            write(&model, property, &proof, None),
            format!(
                "{order}otherwise, in the end, fair is not seen any more\n\
                 the proof remembers seen(fair)\n\
                 that rests on an invariant:\n  seen(fair) = 0\n"
            )
        );
        assert_eq!(ranks(&model, property, &proof), ["over", "over | a", "over | !b", "seen(live)"]);
    }

    #[test]
    fn long_conditions_are_summed_up() {
        let mut model = BitSystem::new();
        let bits: Vec<Lit> = (0..20).map(|i| model.add_latch(&format!("word[{i}]"), None)).collect();
        let a = model.add_latch("a", None);
        model.justice.push(Justice { lits: vec![a], name: Some("live".into()) });
        let mut parity = a;
        for &bit in &bits {
            parity = model.aig_mut().xor(parity, bit);
        }
        let mut proof = Ranked::new(model.aig().n_vars(), vec![], vec![], 1);
        proof.order = vec![parity];
        proof.absent = vec![!parity];
        let property = &model.properties()[0];
        assert_eq!(
            write(&model, property, &proof, Some(16)),
            "\
in every run this becomes true at most once:
  a condition over word, a (60 gates)
after that, live is not seen any more under a condition over word, a (60 gates)
"
        );
        assert!(write(&model, property, &proof, None).contains("where gate"));
    }
}
