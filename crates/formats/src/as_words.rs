//! A circuit as a system over words, which are all Boolean, so that it can be written as VMT, CHC, BTOR2 or SMV.

use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Property, PropertyId, WordSystem};
use indubit_term::{Sort, Term};

/// The circuit as a system over Booleans, with its properties. Constraints hold before every step, and a property is violated
/// only where they hold, too. An error says what has no form over words.
///
/// ```
/// use indubit_formats::{as_words, vmt};
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// let a = model.add_latch("a", Some(false));
/// model.set_next(a, !a);
/// model.add_bad("raised", a);
/// let words = as_words::as_words(&model).expect("no reset function");
/// assert!(vmt::write(&words).contains("(define-fun raised () Bool (! (not a) :invar-property 0))"));
/// ```
pub fn as_words(system: &BitSystem) -> Result<WordSystem, &'static str> {
    let mut words = WordSystem::new();
    let falsum = words.terms.bool(false);
    let mut nodes: Vec<Term> = vec![falsum; system.aig().n_vars()];
    for (i, input) in system.inputs().iter().enumerate() {
        nodes[input.lit.var().index()] = words.add_input(&system.input_label(i), Sort::Bool);
    }
    for (i, latch) in system.latches().iter().enumerate() {
        nodes[latch.var.index()] = words.add_state(&system.latch_label(i), Sort::Bool).current;
    }
    let edge = |words: &mut WordSystem, nodes: &[Term], lit: Lit| {
        let term = nodes[lit.var().index()];
        if lit.is_negated() { words.terms.not(term) } else { term }
    };
    for (gate, fanins) in system.aig().ands() {
        let both = fanins.map(|lit| edge(&mut words, &nodes, lit));
        nodes[gate.index()] = words.terms.and(&both);
    }
    let constraints: Vec<Term> = system.constraints.iter().map(|c| edge(&mut words, &nodes, c.lit)).collect();
    let (mut init, mut trans) = (Vec::new(), Vec::new());
    for (latch, state) in system.latches().iter().zip(words.states.clone()) {
        if !latch.is_uninitialised() {
            let reset = edge(&mut words, &nodes, latch.reset);
            init.push(words.terms.eq(state.current, reset));
        }
        let next = edge(&mut words, &nodes, latch.next);
        trans.push(words.terms.eq(state.next, next));
    }
    (words.init, words.trans) = (words.terms.and(&init), words.terms.and(&trans));
    for (constraint, &holds) in system.constraints.iter().zip(&constraints) {
        words.add_constraint(constraint.name.clone(), holds);
    }
    words.fairness = system.fairness.iter().map(|f| edge(&mut words, &nodes, f.lit)).collect();
    for (index, property) in system.properties().into_iter().enumerate() {
        let mut term = |lit: &Lit| edge(&mut words, &nodes, *lit);
        let about_runs = match &property.claim {
            Claim::Ltl(formula) => Some(Claim::Ltl(formula.map(&mut term))),
            Claim::Ctl(formula) => Some(Claim::Ctl(formula.map(&mut term))),
            Claim::Justice(_) => {
                let signals = system.infinitely_often(&property.claim).unwrap_or_default();
                Some(Claim::Justice(signals.iter().map(&mut term).collect()))
            }
            Claim::Always(_) | Claim::Reachable(_) => None,
        };
        if let Some(claim) = about_runs {
            words.properties.push(Property::new(property.id, &property.label(), claim));
        }
        let Some(target) = property.claim.target() else { continue };
        let mut seen = constraints.clone();
        seen.push(edge(&mut words, &nodes, target));
        let seen = words.terms.and(&seen);
        let (id, claim) = match property.claim {
            Claim::Reachable(_) => (property.id, Claim::Reachable(seen)),
            _ => (PropertyId::Invar(index as u64), Claim::Always(words.terms.not(seen))),
        };
        words.properties.push(Property::new(id, &property.label(), claim));
    }
    let mentioned = words.terms.variables(&[words.init]);
    match mentioned.iter().any(|var| words.inputs.contains(var)) {
        true => Err("a reset function depends on an input, and initial states over words do not"),
        false => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::Value;

    #[test]
    fn runs_are_the_same() {
        let mut model = BitSystem::new();
        let (i, c) = (model.add_input("i"), model.add_input("c"));
        let [a, b] = [Some(false), None].map(|init| model.add_latch("", init));
        let both = model.aig_mut().and(a, i);
        model.set_next(a, !b);
        model.set_next(b, both);
        model.add_constraint("c", c);
        model.add_bad("bad", both);
        let words = as_words(&model).unwrap();
        assert_eq!(words.validate(), Ok(()));
        let bits = |n: u32| [n & 1 == 1, n & 2 == 2];
        for n in 0..16 {
            let (state, inputs) = (bits(n), bits(n >> 2));
            let values = model.evaluate(&state, &inputs);
            let next = model.next_state(&values);
            let value = |var: Term| {
                let at = |list: Vec<Term>| list.iter().position(|v| *v == var);
                let found = at(words.states.iter().map(|v| v.current).collect()).map(|p| state[p]);
                let found = found.or(at(words.states.iter().map(|v| v.next).collect()).map(|p| next[p]));
                Value::Bool(found.or(at(words.inputs.clone()).map(|p| inputs[p])).unwrap())
            };
            let holds = |term: Term| words.terms.holds(term, &value).unwrap();
            assert_eq!(holds(words.trans), inputs[1]);
            assert_eq!(holds(words.init), !state[0]);
            assert_eq!(holds(words.properties[0].claim.formulas()[0]), !(inputs[1] && state[0] && inputs[0]));
        }
        model.set_reset(a, i);
        assert!(as_words(&model).is_err());
    }
}
