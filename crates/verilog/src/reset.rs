//! A reset that is held in the first step, and released after it; of a design with several clocks, until each of them has ticked.

use crate::cells::{Bit, Clocking, Edge};
use crate::{Error, Reset};
use indubit_formats::btor2::Btor2;
use indubit_system::WordVar;
use indubit_term::{Sort, Term};
use std::collections::{HashMap, HashSet};

/// From when on properties count.
#[derive(Default)]
pub(crate) struct Counting {
    /// The reset is over, if there is one.
    done: Option<Term>,
    /// What is sampled by a clock comes from a step in which it was over, by the names of properties.
    sampled: HashMap<String, Term>,
}

impl Counting {
    /// What has to be true so that the property of this name counts.
    pub fn from(&self, name: &str) -> Option<Term> {
        self.sampled.get(name).copied().or(self.done)
    }
}

/// Hold the resets of a design, if it has some.
pub(crate) fn hold(model: &mut Btor2, resets: &[Reset], clocking: &Clocking) -> Result<Counting, Error> {
    if resets.is_empty() {
        return Ok(Counting::default());
    }
    let system = &mut model.system;
    let inputs: Vec<String> = (0..system.inputs.len()).map(|i| system.input_name(i).to_owned()).collect();
    let mut held = Vec::new();
    let mut lines = HashSet::new();
    for reset in resets {
        let Some(i) = inputs.iter().position(|name| *name == reset.input) else {
            let message = format!("there is no input `{}` that could be the reset", reset.input);
            // What has no name in the design is nobody's reset.
            let is_of_design =
                |&i: &usize| !system.unnamed.contains(&system.inputs[i]) && !inputs[i].contains('$');
            let mut names: Vec<&str> =
                (0..inputs.len()).filter(is_of_design).map(|i| &inputs[i][..]).collect();
            names.sort_unstable();
            return Err(Error::new(message).with_hint(format!("the inputs are {}", names.join(", "))));
        };
        let input = system.inputs[i];
        let is_high = match system.terms.sort(input) {
            Sort::BitVec(1) => {
                let one = system.terms.bits(1, 1u32);
                system.terms.eq(input, one)
            }
            sort => {
                return Err(Error::new(format!(
                    "the reset `{}` is of sort {sort}, and not a single bit",
                    reset.input
                )));
            }
        };
        lines.insert(input);
        held.push(if reset.active { is_high } else { system.terms.not(is_high) });
    }
    let mut watched = HashMap::new();
    let mut ticked = Vec::new();
    for clock in &clocking.clocks {
        let (level, name) = level(model, clock)?;
        // Whoever waits for a clock that the reset stops waits for ever, and then nothing counts.
        let is_stopped = depends(model, level, &lines);
        if is_stopped {
            model.notes.push(format!(
                "the clock `{name}` depends on the reset, which does not wait for it: registers with this clock may begin with any value"
            ));
        }
        let clock_of = watch(model, level, &name);
        if !is_stopped {
            ticked.push(clock_of.has_ticked(model, &name));
        }
        watched.insert(clock, clock_of);
    }
    let is_over = model.system.terms.and(&ticked);
    let done = remembered(model, ".reset_done", is_over).before;
    for is_active in held {
        let differs = model.system.terms.xor(is_active, done);
        model.system.add_constraint(Some("reset".into()), differs);
    }
    let mut sampled = HashMap::new();
    if !clocking.sampled.is_empty() {
        let was_done = remembered(model, ".reset_was_done", done).before;
        let mut armed: HashMap<&Edge, Term> = HashMap::new();
        for (property, edge) in &clocking.sampled {
            let Some(clock) = watched.get(&edge.clock) else { continue };
            let term = *armed.entry(edge).or_insert_with(|| {
                let [rise, fall] = clock.edges;
                let after = model.system.terms.and(&[was_done, if edge.is_rising { rise } else { fall }]);
                let way = if edge.is_rising { "rise" } else { "fall" };
                remembered(model, &format!(".{}.{way}.sampled", edge.clock.wire), after).now
            });
            sampled.insert(property.clone(), term);
        }
    }
    Ok(Counting { done: Some(done), sampled })
}

/// Was it true in an earlier step; and was it, this step included?
struct Remembered {
    before: Term,
    now: Term,
}

/// A state variable that remembers that something has been true.
fn remembered(model: &mut Btor2, name: &str, what: Term) -> Remembered {
    let WordVar { current, next } = model.system.add_state(name, Sort::Bool);
    let system = &mut model.system;
    let now = system.terms.or(&[current, what]);
    let (initial, step) = (system.terms.not(current), system.terms.eq(next, now));
    system.init = system.terms.and(&[system.init, initial]);
    system.trans = system.terms.and(&[system.trans, step]);
    Remembered { before: current, now }
}

/// A clock, and what it does in a step.
struct Watched {
    /// It rises, it falls.
    edges: [Term; 2],
}

fn watch(model: &mut Btor2, level: Term, name: &str) -> Watched {
    let system = &mut model.system;
    let one = system.terms.bits(1, 1u32);
    let high = system.terms.eq(level, one);
    let low = system.terms.not(high);
    let [was_high, was_low] =
        ["was_high", "was_low"].map(|what| system.add_state(&format!(".{name}.{what}"), Sort::Bool));
    let terms = &mut system.terms;
    let edges = [terms.and(&[was_low.current, high]), terms.and(&[was_high.current, low])];
    for (variable, value) in [(was_high, high), (was_low, low)] {
        let (initial, step) = (terms.not(variable.current), terms.eq(variable.next, value));
        system.init = terms.and(&[system.init, initial]);
        system.trans = terms.and(&[system.trans, step]);
    }
    Watched { edges }
}

impl Watched {
    /// Has it had both of its edges, this step included? Registers that are sampled by either have seen the reset then.
    fn has_ticked(&self, model: &mut Btor2, name: &str) -> Term {
        let [rise, fall] = self.edges;
        let rose = remembered(model, &format!(".{name}.rose"), rise).now;
        let fell = remembered(model, &format!(".{name}.fell"), fall).now;
        model.system.terms.and(&[rose, fell])
    }
}

/// The value of a clock, and what it is called.
fn level(model: &mut Btor2, clock: &Bit) -> Result<(Term, String), Error> {
    let system = &mut model.system;
    let named = |(name, term): &(String, Term)| (*name == clock.wire).then_some(*term);
    let states = system.states.iter().map(|v| v.current);
    let is_called = |&variable: &Term| system.terms.name(variable) == Some(&clock.wire);
    let input = system.inputs.iter().copied().find(is_called);
    let wire = input.or_else(|| model.signals.iter().find_map(named));
    let wire = wire.or_else(|| states.clone().find(is_called).map(|state| system.meant(state)));
    match wire.map(|wire| (wire, system.terms.sort(wire))) {
        Some((wire, Sort::BitVec(1))) if clock.index == 0 => Ok((wire, clock.wire.clone())),
        Some((wire, Sort::BitVec(width))) if clock.index < width => {
            let bit = system.terms.extract(clock.index, clock.index, wire);
            Ok((bit, format!("{}[{}]", clock.wire, clock.index)))
        }
        _ => Err(Error::new(format!("the clock `{}` is not found in what Yosys has made of the design", clock.wire))
            .with_hint("the reset is held until each clock has ticked: without --reset, and with an initial value for each register, nothing has to be known of clocks")),
    }
}

/// Clocks never stop: an infinite run sees each of those that are inputs high, and low, infinitely often. Whoever makes a clock by logic may stop it.
pub(crate) fn keep_ticking(model: &mut Btor2, clocking: &Clocking) {
    for clock in &clocking.clocks {
        let system = &mut model.system;
        let is_input = system.inputs.iter().any(|&input| system.terms.name(input) == Some(&clock.wire));
        let Some((level, _)) = level(model, clock).ok().filter(|_| is_input) else { continue };
        let terms = &mut model.system.terms;
        let one = terms.bits(1, 1u32);
        let high = terms.eq(level, one);
        let low = terms.not(high);
        model.system.fairness.extend([high, low]);
    }
}

/// Does a signal depend on one of these inputs, in this step or by what registers have stored?
fn depends(model: &Btor2, signal: Term, on: &HashSet<Term>) -> bool {
    let terms = &model.system.terms;
    let nexts: HashMap<Term, Option<Term>> =
        model.system.states.iter().map(|v| v.current).zip(model.nexts.iter().copied()).collect();
    let mut seen = HashSet::new();
    let mut open = vec![signal];
    while let Some(term) = open.pop() {
        for variable in terms.variables(&[term]) {
            if on.contains(&variable) {
                return true;
            }
            if seen.insert(variable) {
                open.extend(nexts.get(&variable).copied().flatten());
            }
        }
    }
    false
}
