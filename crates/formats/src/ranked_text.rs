//! A ranked proof for people: what comes to rest, in which order, and what is not seen after that.
//!
//! The predicates of the order are formulas over the user's names, the most significant first: each can become true only once while those above it stay as they are. So
//! from some point on nothing of that happens any more. Counters that a proof adds (`count >= 2`) are not among them but say how often something is still seen. What
//! else a proof remembers goes by its name in double quotes, and a value in another state has a prime.

use crate::invariant_text;
use crate::signals::recurring;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Property, Ranked};
use std::fmt::Write;

/// The text of a ranked proof of `property`, a justice property of `model`; at most `limit` predicates, lemmas and definitions if there is one.
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
    let most = limit.unwrap_or(usize::MAX);
    let mut text = String::new();
    let seen = Extended::new(model, proof);
    let is_counter = |lit: &Lit| seen.counter(*lit).is_some();
    let order: Vec<Lit> = seen.order.iter().copied().filter(|l| !is_counter(l)).collect();
    match order.len() {
        0 => (),
        1 => text.push_str("in every run this becomes true at most once:\n"),
        n => {
            let _ = writeln!(
                text,
                "in every run these {n} come to rest: each becomes true at most once while those above it stay as they are:"
            );
        }
    }
    for &lit in order.iter().take(most) {
        indent(&mut text, &seen.formula(lit, limit));
    }
    if order.len() > most {
        let _ = writeln!(text, "  … {} more", order.len() - most);
    }
    if seen.relation != Lit::TRUE {
        let equal = if order.is_empty() { "" } else { "where all of that is equal, " };
        let _ = writeln!(
            text,
            "{equal}each state has this with all those before it (with a prime), and what repeats with those after it, too:"
        );
        indent(&mut text, &seen.formula(seen.relation, limit));
    }
    let after = if order.is_empty() && seen.relation == Lit::TRUE { "" } else { "after that, " };
    let labels = recurring(model, property);
    let counts = seen.order.iter().filter_map(|&l| seen.counter(l)).max();
    let what = match counts {
        None if after.is_empty() => "is never seen".to_string(),
        None => "is not seen any more".to_string(),
        Some(1) => "is seen at most once more".to_string(),
        Some(n) => format!("is seen at most {n} times more"),
    };
    for (label, &absent) in labels.iter().zip(&seen.absent).filter(|(_, absent)| **absent != Lit::FALSE) {
        if absent == Lit::TRUE {
            let _ = writeln!(text, "{after}{label} {what}");
            continue;
        }
        let formula = seen.formula(absent, limit);
        let (first, rest) = formula.split_once('\n').unwrap_or((&formula, ""));
        let _ = writeln!(text, "{after}{label} {what} where {first}");
        indent(&mut text, rest);
    }
    remembered(&mut text, proof);
    if !proof.with.is_trivial() {
        text.push_str("that rests on an invariant:\n");
        indent(&mut text, &invariant_text::write(&seen.system, &proof.with, limit));
    }
    text
}

/// What is remembered beside counters.
fn remembered(text: &mut String, proof: &Ranked) {
    const LISTED: usize = 12;
    let names = proof.memory().iter().map(|m| &m.name[..]).filter(|name| counted(name).is_none());
    let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    if !names.is_empty() {
        let more =
            if names.len() > LISTED { format!(", … {} more", names.len() - LISTED) } else { String::new() };
        let listed = names[..names.len().min(LISTED)].join(", ");
        let _ = writeln!(text, "the proof remembers {listed}{more}");
    }
}

/// `2` for `count >= 2`.
fn counted(name: &str) -> Option<u64> {
    name.strip_prefix("count >= ")?.parse().ok()
}

fn indent(text: &mut String, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(text, "  {line}");
    }
}

/// The model with what the proof adds to it, so that all of it has names, and the parts of the proof there.
struct Extended<'p> {
    proof: &'p Ranked,
    system: BitSystem,
    /// The same with the gates of the proof: what formulas are about.
    built: BitSystem,
    order: Vec<Lit>,
    relation: Lit,
    absent: Vec<Lit>,
}

impl<'p> Extended<'p> {
    fn new(model: &BitSystem, proof: &'p Ranked) -> Extended<'p> {
        let mut system = model.clone();
        for memory in proof.memory() {
            system.add_latch(&memory.name, Some(memory.initial));
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
        let mut built = system.clone();
        let mut lits = proof.order.clone();
        lits.push(proof.relation);
        lits.extend(&proof.absent);
        let (_, lits) = proof.with.build_with(built.aig_mut(), |_, v| Lit::positive(v), &lits);
        let (order, rest) = lits.split_at(proof.order.len());
        let (order, relation, absent) = (order.to_vec(), rest[0], rest[1..].to_vec());
        Extended { proof, system, built, order, relation, absent }
    }
    fn formula(&self, lit: Lit, limit: Option<usize>) -> String {
        invariant_text::formula(&self.built, lit, limit)
    }
    /// What a predicate counts to, if it is part of a counter.
    fn counter(&self, lit: Lit) -> Option<u64> {
        let place = lit.var().index().checked_sub(self.proof.n_vars()).filter(|_| !lit.is_negated())?;
        counted(&self.proof.memory().get(place)?.name)
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
after that, fair is seen at most 2 times more where b
after that, j0.1 is seen at most 2 times more where !b
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
}
