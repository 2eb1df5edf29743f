//! What the bad states mean that Yosys has written: assertions, assumptions, covers, liveness and fairness.

use crate::places::Source;
use crate::reset::Counting;
use indubit_formats::btor2::Btor2;
use indubit_system::{Claim, Name, Property, PropertyId, WordSystem, WordVar};
use indubit_term::{Sort, Term};
use std::collections::{BTreeMap, HashMap};

/// What a name says that a bad state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Assert,
    Assume,
    Cover,
    LiveFrom,
    LiveGoal,
    FairFrom,
    FairGoal,
}

fn role(name: &str) -> (&str, Role) {
    for (ending, role) in [
        (".assume", Role::Assume),
        (".cover", Role::Cover),
        (".live.from", Role::LiveFrom),
        (".live.goal", Role::LiveGoal),
        (".fair.from", Role::FairFrom),
        (".fair.goal", Role::FairGoal),
    ] {
        if let Some(base) = name.strip_suffix(ending) {
            return (base, role);
        }
    }
    (name, Role::Assert)
}

/// A property before it is one.
struct Found {
    name: String,
    source: Option<Source>,
    /// True where the bad state is.
    bad: Term,
}

/// Make of bad states what they mean, in the order of the source. If there is a reset, they count from its end on.
pub(crate) fn interpret(model: &mut Btor2, counting: &Counting, map: &str) {
    let system = &mut model.system;
    let mut texts = HashMap::new();
    let mut found: BTreeMap<usize, Vec<Found>> = BTreeMap::new();
    for property in std::mem::take(&mut system.properties) {
        let Claim::Always(good) = property.claim else { continue };
        let label = property.label();
        let (name, role) = role(&label);
        let source = property.source.as_ref().and_then(|s| Source::read(&s.to_string(), map));
        let source = source.map(|source| source.settled(&mut texts));
        let bad = system.terms.not(good);
        found.entry(role as usize).or_default().push(Found { name: name.to_owned(), source, bad });
    }
    let mut take = |role: Role| {
        let mut list = found.remove(&(role as usize)).unwrap_or_default();
        list.sort_by(|a, b| (&a.source, &a.name).cmp(&(&b.source, &b.name)));
        list
    };
    for assume in take(Role::Assume) {
        let holds = system.terms.not(assume.bad);
        system.add_constraint(Some(Name::from(&*assume.name)), holds);
    }
    let counts = |system: &mut WordSystem, name: &str, bad: Term| match counting.from(name) {
        Some(done) => system.terms.and(&[done, bad]),
        None => bad,
    };
    let mut properties = Vec::new();
    for (i, assert) in take(Role::Assert).into_iter().enumerate() {
        let bad = counts(system, &assert.name, assert.bad);
        let bad = system.constrained(bad);
        let claim = Claim::Always(system.terms.not(bad));
        properties.push(property(assert.name, assert.source, PropertyId::Bad(i), claim));
    }
    for (i, cover) in take(Role::Cover).into_iter().enumerate() {
        let goal = counts(system, &cover.name, cover.bad);
        let goal = system.constrained(goal);
        properties.push(property(cover.name, cover.source, PropertyId::Cover(i), Claim::Reachable(goal)));
    }
    let (from, goal) = (take(Role::FairFrom), take(Role::FairGoal));
    // Claims list the fairness of the system before their own.
    let mut fair = system.fairness.clone();
    fair.extend(pairs(from, goal).into_iter().map(|(from, goal, _)| served(system, from, goal)));
    let (from, goal) = (take(Role::LiveFrom), take(Role::LiveGoal));
    for (i, (from, goal, about)) in pairs(from, goal).into_iter().enumerate() {
        let from = counts(system, &about.name, from);
        let never = forsaken(system, from, goal, &about.name);
        let claim = Claim::Justice(fair.iter().copied().chain([never]).collect());
        properties.push(property(about.name, about.source, PropertyId::Justice(i), claim));
    }
    // In the order of the source, whatever they are.
    properties.sort_by(|a, b| a.0.cmp(&b.0));
    system.properties = properties.into_iter().map(|(_, property)| property).collect();
}

type Sorted = (Option<Source>, Property<Term>);

fn property(name: String, source: Option<Source>, id: PropertyId, claim: Claim<Term>) -> Sorted {
    let shown = source.as_ref().map(|s| Name::from(&*format!("{}:{}", s.file, s.line)));
    (source, Property { source: shown, ..Property::new(id, &name, claim) })
}

/// What begins and what ends a wait, by name.
fn pairs(from: Vec<Found>, goal: Vec<Found>) -> Vec<(Term, Term, Found)> {
    let mut goals: HashMap<String, Term> = goal.into_iter().map(|found| (found.name, found.bad)).collect();
    from.into_iter().filter_map(|found| Some((found.bad, goals.remove(&found.name)?, found))).collect()
}

/// Seen infinitely often if each `from` is followed by a `goal`: nothing waits.
fn served(system: &mut WordSystem, from: Term, goal: Term) -> Term {
    let WordVar { current, next } = system.add_state(".waits", Sort::Bool);
    let waits = system.terms.or(&[current, from]);
    let not_goal = system.terms.not(goal);
    let waits = system.terms.and(&[waits, not_goal]);
    let (initial, step) = (system.terms.not(current), system.terms.eq(next, waits));
    system.init = system.terms.and(&[system.init, initial]);
    system.trans = system.terms.and(&[system.trans, step]);
    system.terms.not(waits)
}

/// Seen infinitely often if some `from` is never followed by a `goal`: which one, an input says.
fn forsaken(system: &mut WordSystem, from: Term, goal: Term, name: &str) -> Term {
    let chosen = system.add_input(&format!(".{name}.chosen"), Sort::Bool);
    let [waits, is_over] =
        ["waits", "over"].map(|what| system.add_state(&format!(".{name}.{what}"), Sort::Bool));
    let terms = &mut system.terms;
    let (not_goal, not_over) = (terms.not(goal), terms.not(is_over.current));
    let begins = terms.and(&[chosen, from, not_over]);
    let waiting = terms.or(&[waits.current, begins]);
    let still = terms.and(&[waiting, not_goal]);
    // Whoever was served does not wait again.
    let was_served = terms.and(&[waiting, goal]);
    let over = terms.or(&[is_over.current, was_served]);
    let steps = [terms.eq(waits.next, still), terms.eq(is_over.next, over)];
    let initial = [terms.not(waits.current), terms.not(is_over.current)];
    system.trans = system.terms.and(&[&[system.trans], &steps[..]].concat());
    system.init = system.terms.and(&[&[system.init], &initial[..]].concat());
    still
}
