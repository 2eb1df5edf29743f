//! Bit-blasting of systems: words become latches and inputs, relations become functions and constraints.
//!
//! Where a step says what a next value is (`x' = f` in a conjunct of `trans`, with `f` over current values and
//! inputs), it is the latch's function. Other next values are inputs, and what else `trans` says of a step is remembered in
//! a latch `.ok`, which is a constraint *after* the step: the last state of a counterexample needs no successor. Initial
//! values that are constants are resets; what else `init` says is a constraint while a latch `.first` is set.
//!
//! **The way back.** With `J` an invariant of the circuit, `J` without `.first` and with `.ok`, or `init` and `J` with both,
//! is an invariant of the words: a step that satisfies `trans` leads to a state with `.ok` and without `.first`.

use crate::{
    BitSystem, Claim, Invariant, Property, Signal, Trace, WordSystem, WordTrace, close_lasso, lasso_limit,
};
use indubit_aig::Cone;
use indubit_logic::{Lit, Var};
use indubit_term::{
    ArraySort, BlastError, Blaster, Element, MAX_ARRAY_BITS, MOST_GATES, Scalar, Sort, Term, Terms, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A system over words as a circuit. It has the same properties, in their order.
#[derive(Clone, Debug)]
pub struct Blasted {
    /// The circuit.
    pub system: BitSystem,
    /// For each state variable and each input its sort, and the positions of its latches or inputs.
    states: Vec<(Sort, Vec<usize>)>,
    inputs: Vec<(Sort, Vec<usize>)>,
    first: Option<usize>,
    ok: Option<usize>,
}

/// An array becomes latches if it has no more bits than this, unless somebody wants more.
pub const ARRAY_BITS: u64 = 1 << 16;

/// The circuit of a system of Booleans, bit-vectors, and arrays of these of at most so many bits each; an error names what is something else.
pub fn blast(words: &WordSystem, array_bits: u64) -> Result<Blasted, BlastError> {
    let limit = array_bits.min(MAX_ARRAY_BITS);
    let mut terms = words.terms.clone();
    let mut system = BitSystem::new();
    let mut blaster = Blaster::new();
    let (mut states, mut inputs) = (Vec::new(), Vec::new());
    for (i, &input) in words.inputs.iter().enumerate() {
        let names = bit_names(&terms, input, words.input_name(i), limit)?;
        let first = system.inputs().len();
        let bits: Vec<Lit> = names.iter().map(|name| system.add_input(name)).collect();
        inputs.push((terms.sort(input), (first..first + bits.len()).collect()));
        blaster.set(input, bits);
    }
    for (i, state) in words.states.iter().enumerate() {
        let names = bit_names(&terms, state.current, words.state_name(i), limit)?;
        let first = system.latches().len();
        let bits: Vec<Lit> = names.iter().map(|name| system.add_latch(name, None)).collect();
        states.push((terms.sort(state.current), (first..first + bits.len()).collect()));
        blaster.set(state.current, bits);
    }
    let mut roots = vec![words.init, words.trans];
    roots.extend(words.properties.iter().flat_map(|p| p.claim.formulas()));
    // Claims of justice say themselves what is fair, and those in linear time become such; only those in branching time ask the system.
    let asks = words.properties.iter().any(|p| matches!(p.claim, Claim::Ctl(_)));
    let fairness: &[Term] = if asks { &words.fairness } else { &[] };
    roots.extend(fairness);
    let n_gates = Blaster::n_gates(&words.terms, &roots);
    if n_gates > MOST_GATES {
        return Err(BlastError::TooMany(n_gates));
    }
    // Constraints are what they are, in the last step, too.
    let (functions, relation) = words.functions(&mut terms);
    for (i, state) in words.states.iter().enumerate() {
        let bits = match functions.get(&state.next) {
            Some(&function) => blaster.bits(&terms, system.aig_mut(), function)?.to_vec(),
            None => {
                let names = bit_names(&terms, state.next, &format!("{}.next", words.state_name(i)), limit)?;
                let bits: Vec<Lit> = names.iter().map(|name| system.add_input(name)).collect();
                blaster.set(state.next, bits.clone());
                bits
            }
        };
        let current = blaster.get(state.current).expect("it was set").to_vec();
        current.iter().zip(bits).for_each(|(&latch, next)| system.set_next(latch, next));
    }
    let mut ok = None;
    if terms.as_bool(relation) != Some(true) {
        let holds = blaster.literal(&terms, system.aig_mut(), relation)?;
        ok = Some(system.latches().len());
        let latch = system.add_latch(".ok", Some(true));
        system.set_next(latch, holds);
        system.add_constraint(".trans", latch);
    }
    for constraint in &words.constraints {
        let holds = blaster.literal(&terms, system.aig_mut(), constraint.holds)?;
        let name = constraint.name.as_ref().map_or(String::new(), |name| name.to_string());
        system.add_constraint(&name, holds);
    }
    let currents: FxHashSet<Term> = words.states.iter().map(|v| v.current).collect();
    let (resets, rest) = terms.definitions(words.init, &currents, |value| value);
    for (variable, value) in &resets {
        let bits = blaster.bits(&terms, system.aig_mut(), *value)?.to_vec();
        let latches = blaster.get(*variable).expect("it was set");
        latches.iter().zip(bits).for_each(|(&latch, reset)| system.set_reset(latch, reset));
    }
    let mut first = None;
    if terms.as_bool(rest) != Some(true) {
        let holds = blaster.literal(&terms, system.aig_mut(), rest)?;
        first = Some(system.latches().len());
        let latch = system.add_latch(".first", Some(true));
        system.set_next(latch, Lit::FALSE);
        let holds = system.aig_mut().implies(latch, holds);
        system.add_constraint(".init", holds);
    }
    for &often in fairness {
        let lit = blaster.literal(&terms, system.aig_mut(), often)?;
        system.fairness.push(Signal { lit, name: None });
    }
    for Property { id, name, line, source, claim } in words.properties.clone() {
        let mut literal = |formula: Term| blaster.literal(&terms, system.aig_mut(), formula);
        let claim = match claim {
            Claim::Always(good) => Claim::Always(literal(good)?),
            Claim::Reachable(goal) => Claim::Reachable(literal(goal)?),
            Claim::Justice(often) => {
                // What is fair is asked in any case, and first.
                let own = often.strip_prefix(fairness).unwrap_or(&often);
                Claim::Justice(own.iter().map(|&often| literal(often)).collect::<Result<_, _>>()?)
            }
            Claim::Ltl(formula) => Claim::Ltl(formula.try_map(|&atom| literal(atom))?),
            Claim::Ctl(formula) => Claim::Ctl(formula.try_map(|&atom| literal(atom))?),
        };
        system.specs.push(Property { id, name, line, source, claim });
    }
    Ok(Blasted { system, states, inputs, first, ok })
}

/// One name a bit, least significant first.
fn bit_names(terms: &Terms, variable: Term, name: &str, limit: u64) -> Result<Vec<String>, BlastError> {
    match terms.sort(variable) {
        Sort::Bool => Ok(vec![name.to_owned()]),
        Sort::BitVec(width) => Ok((0..width).map(|bit| format!("{name}[{bit}]")).collect()),
        sort @ Sort::Array(array) => {
            let (Some(n_indices), Some(n_bits)) = (array.n_indices(), array.n_bits().filter(|&n| n <= limit))
            else {
                let term = terms.display(variable).short().to_string();
                return Err(BlastError::TooLarge { term, sort, limit });
            };
            let width = n_bits / n_indices;
            Ok((0..n_bits).map(|bit| format!("{name}{}", place(array, width, bit))).collect())
        }
        sort => Err(BlastError::Number { term: terms.display(variable).short().to_string(), sort }),
    }
}

/// The place of a bit in an array whose elements are so wide, by its indices.
fn place(array: ArraySort, width: u64, bit: u64) -> String {
    let (index, bit) = (bit / width, bit % width);
    match array.element {
        Element::Scalar(Scalar::Bool) => format!("[{index}]"),
        Element::Scalar(_) => format!("[{index}][{bit}]"),
        Element::Array(inner) => {
            let width = Sort::from(inner.element).n_bits().expect("the whole array has been counted");
            format!("[{index}]{}", place(*inner, width, bit))
        }
    }
}

/// A bit of a variable as a formula.
fn bit_of(terms: &mut Terms, variable: Term, bit: u64) -> Term {
    match terms.sort(variable) {
        Sort::BitVec(_) => {
            let (bit, one) = (bit as u32, terms.bits(1, 1u32));
            let bit = terms.extract(bit, bit, variable);
            terms.eq(bit, one)
        }
        Sort::Array(array) => {
            let width = Sort::from(array.element).n_bits().expect("it became bits");
            let index = match array.index {
                Scalar::BitVec(n) => terms.bits(n, bit / width),
                _ => terms.bool(bit / width == 1),
            };
            let element = terms.select(variable, index);
            bit_of(terms, element, bit % width)
        }
        _ => variable,
    }
}

impl Blasted {
    /// The positions of the latches that a state variable has become.
    pub fn latches_of(&self, state: usize) -> &[usize] {
        &self.states[state].1
    }
    /// A trace of the circuit that decides its property at a position, as one of the words. A lasso is one if its whole state repeats soon enough.
    pub fn trace(&self, property: usize, trace: &Trace) -> WordTrace {
        let trace = &match (trace.loops_to, self.system.property(property)) {
            (Some(_), Some(property)) => {
                close_lasso(&self.system, &property, trace, lasso_limit(&self.system))
            }
            _ => trace.clone(),
        };
        let word = |(sort, positions): &(Sort, Vec<usize>), bits: &[bool]| {
            Value::of_bits(*sort, positions.iter().map(|&p| bits[p]))
                .expect("what was blasted is made of bits")
        };
        let mut words = WordTrace { loops_to: trace.loops_to, ..WordTrace::default() };
        let mut state = trace.initial.clone();
        for inputs in &trace.inputs {
            words.states.push(self.states.iter().map(|s| word(s, &state)).collect());
            words.inputs.push(self.inputs.iter().map(|i| word(i, inputs)).collect());
            state = self.system.next_state(&self.system.evaluate(&state, inputs));
        }
        words
    }
    /// An invariant of the circuit as one of the words, over current values and inputs, in `terms`: those of `words`, or a copy of
    /// them. `None` if it speaks of next values that no function says.
    pub fn invariant(&self, words: &WordSystem, terms: &mut Terms, invariant: &Invariant) -> Option<Term> {
        let mut cases = vec![self.formula(words, terms, invariant, false)?];
        if self.first.is_some() {
            let initial = self.formula(words, terms, invariant, true)?;
            cases.push(terms.and(&[words.init, initial]));
        }
        Some(terms.or(&cases))
    }
    /// The invariant where `.ok` holds and `.first` is as given.
    fn formula(
        &self,
        words: &WordSystem,
        terms: &mut Terms,
        invariant: &Invariant,
        first: bool,
    ) -> Option<Term> {
        let mut nodes: FxHashMap<Var, Term> = FxHashMap::default();
        nodes.insert(Lit::FALSE.var(), terms.bool(false));
        for (state, (_, positions)) in words.states.iter().zip(&self.states) {
            for (bit, &position) in positions.iter().enumerate() {
                nodes.insert(self.system.latches()[position].var, bit_of(terms, state.current, bit as u64));
            }
        }
        for (&input, (_, positions)) in words.inputs.iter().zip(&self.inputs) {
            for (bit, &position) in positions.iter().enumerate() {
                nodes.insert(self.system.inputs()[position].lit.var(), bit_of(terms, input, bit as u64));
            }
        }
        for (latch, value) in [(self.first, first), (self.ok, true)] {
            if let Some(latch) = latch {
                nodes.insert(self.system.latches()[latch].var, terms.bool(value));
            }
        }
        let edge = |nodes: &FxHashMap<Var, Term>, terms: &mut Terms, lit: Lit| {
            let term = *nodes.get(&lit.var())?;
            Some(if lit.is_negated() { terms.not(term) } else { term })
        };
        let aig = self.system.aig();
        let mut cone = Cone::new();
        let gates = cone.collect(aig, invariant.nodes().map(Lit::positive)).to_vec();
        let own = gates.iter().filter_map(|&gate| aig.fanins(gate).map(|fanins| (gate, fanins)));
        let more = invariant.gates().iter().enumerate();
        let more = more.map(|(i, &fanins)| (Var::from_index(invariant.n_vars() + i), fanins));
        let mut gates: Vec<(Var, [Lit; 2])> = own.chain(more).collect();
        gates.sort_unstable_by_key(|(gate, _)| *gate);
        for (gate, [a, b]) in gates {
            // A gate over a next value has no term; that matters only if a clause needs it.
            if let (Some(a), Some(b)) = (edge(&nodes, terms, a), edge(&nodes, terms, b)) {
                let both = terms.and(&[a, b]);
                nodes.insert(gate, both);
            }
        }
        let mut clauses = Vec::new();
        for clause in invariant.clauses() {
            let lits: Option<Vec<Term>> = clause.lits().iter().map(|&l| edge(&nodes, terms, l)).collect();
            clauses.push(terms.or(&lits?));
        }
        Some(terms.and(&clauses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use indubit_logic::Clause;
    use indubit_term::Op;

    const SORTS: [Sort; 3] = [Sort::Bool, Sort::BitVec(2), Sort::BitVec(1)];

    #[test]
    fn fairness_is_asked_once() {
        let mut words = WordSystem::new();
        let [a, b] = ["a", "b"].map(|name| words.add_state(name, Sort::Bool).current);
        words.fairness = vec![a];
        words.properties.push(Property::new(crate::PropertyId::Justice(0), "j", Claim::Justice(vec![a, b])));
        let asked = |words: &WordSystem| {
            let system = blast(words, ARRAY_BITS).unwrap().system;
            (system.fairness.len(), system.infinitely_often(&system.specs[0].claim).unwrap())
        };
        let (n_fair, before) = asked(&words);
        let mut builder = crate::CtlBuilder::new();
        let possible = builder.atom(b);
        let claim = Claim::Ctl(builder.finish(possible));
        words.properties.push(Property::new(crate::PropertyId::Ctl(0), "c", claim));
        assert_eq!((n_fair, before.len(), asked(&words)), (0, 2, (1, before)));
    }

    fn random_formula(rng: &mut Rng, terms: &mut Terms, variables: &[Term]) -> Term {
        use Op::*;
        let mut pool = variables.to_vec();
        pool.extend([terms.bits(2, rng.u32(..)), terms.bits(1, rng.u32(..))]);
        let ops = [
            Not,
            And,
            Or,
            Eq,
            Eq,
            Ite,
            BvNot,
            BvAnd,
            BvXor,
            BvAdd,
            BvUlt,
            BvSlt,
            Extract { high: 1, low: 1 },
        ];
        for _ in 0..rng.usize(1..30) {
            let op = ops[rng.usize(0..ops.len())];
            let args: Vec<Term> = (0..rng.usize(1..4)).map(|_| pool[rng.usize(0..pool.len())]).collect();
            pool.extend(terms.apply(op, &args));
        }
        let formulas = pool.iter().rev().copied().filter(|&t| terms.sort(t) == Sort::Bool).take(4);
        let formulas: Vec<Term> = formulas.collect();
        if rng.u32(0..4) > 0 { terms.and(&formulas) } else { terms.or(&formulas) }
    }

    fn random_system(rng: &mut Rng) -> WordSystem {
        let mut system = WordSystem::new();
        for i in 0..rng.usize(1..4) {
            system.add_state(&format!("x{i}"), SORTS[rng.usize(0..3)]);
        }
        system.add_input("i", SORTS[rng.usize(0..3)]);
        let current: Vec<Term> = system.states.iter().map(|v| v.current).collect();
        let seen: Vec<Term> = current.iter().copied().chain(system.inputs.iter().copied()).collect();
        let all: Vec<Term> = seen.iter().copied().chain(system.states.iter().map(|v| v.next)).collect();
        system.init = random_formula(rng, &mut system.terms, &current);
        system.trans = random_formula(rng, &mut system.terms, &all);
        let holds = random_formula(rng, &mut system.terms, &seen);
        system.add_invar("p", holds);
        system
    }

    fn holds(system: &WordSystem, formula: Term, values: &FxHashMap<Term, Value>) -> bool {
        system.terms.holds(formula, &|v| values[&v].clone()).expect("bits only")
    }

    /// A random run of the circuit that satisfies its constraints is a run of the words, and the other way round.
    #[test]
    fn runs_of_words_and_circuit_are_the_same() {
        let (mut n_good, mut n_functional) = (0, 0);
        for seed in 0..3000 {
            let rng = &mut Rng::with_seed(seed);
            let words = random_system(rng);
            let blasted = blast(&words, ARRAY_BITS).expect("bits only");
            let system = &blasted.system;
            assert_eq!(system.validate(), Ok(()));
            n_functional += usize::from(blasted.ok.is_none());
            let initial = system.latches().iter().map(|l| match l.reset.is_const() {
                true => l.reset == Lit::TRUE,
                false => rng.bool(),
            });
            let initial: Vec<bool> = initial.collect();
            let rows = (0..3).map(|_| system.inputs().iter().map(|_| rng.bool()).collect());
            let trace = Trace::finite(initial, rows.collect());
            // What the circuit says about each step.
            let mut state = trace.initial.clone();
            let mut verdicts = Vec::new();
            for inputs in &trace.inputs {
                let values = system.evaluate(&state, inputs);
                let value = |lit: Lit| indubit_aig::simulate::value(&values, lit);
                verdicts.push((
                    system.constraints.iter().all(|c| value(c.lit)),
                    !value(system.specs[0].claim.formulas()[0]),
                ));
                state = system.next_state(&values);
            }
            // What the words say.
            let run = blasted.trace(0, &trace);
            let row = |step: usize| -> FxHashMap<Term, Value> {
                let states = words.states.iter().map(|v| v.current).zip(run.states[step].iter().cloned());
                states.chain(words.inputs.iter().copied().zip(run.inputs[step].iter().cloned())).collect()
            };
            let mut possible = true;
            for (step, &(constraints, bad)) in verdicts.iter().enumerate() {
                let now = row(step);
                if step == 0 {
                    possible = holds(&words, words.init, &now);
                } else {
                    let mut both = row(step - 1);
                    both.extend(words.states.iter().map(|v| (v.next, now[&v.current].clone())));
                    possible &= holds(&words, words.trans, &both);
                }
                let so_far = verdicts[..=step].iter().all(|v| v.0);
                assert_eq!(so_far, possible, "seed {seed}, step {step}: {constraints}");
                n_good += usize::from(possible && step > 0);
                assert_eq!(bad, !holds(&words, words.properties[0].claim.formulas()[0], &now), "seed {seed}");
            }
        }
        assert!(n_good > 100 && n_functional > 100, "{n_good} {n_functional}");
    }

    #[test]
    fn invariants_come_back_over_words() {
        // A counter of two bits that skips 3; initially it is less than 2.
        let mut words = WordSystem::new();
        let x = words.add_state("x", Sort::BitVec(2));
        let [zero, one, two] = [0u32, 1, 2].map(|n| words.terms.bits(2, n));
        words.init = words.terms.bv(Op::BvUlt, &[x.current, two]);
        let (last, more) = (words.terms.eq(x.current, two), words.terms.bv(Op::BvAdd, &[x.current, one]));
        let next = words.terms.ite(last, zero, more);
        words.trans = words.terms.eq(x.next, next);
        let blasted = blast(&words, ARRAY_BITS).unwrap();
        assert!(blasted.first.is_some() && blasted.ok.is_none());
        let latches: Vec<Lit> = blasted.system.latches().iter().map(|l| Lit::positive(l.var)).collect();
        let mut invariant = Invariant::new(blasted.system.aig().n_vars());
        invariant.add(Clause::new([!latches[0], !latches[1]]));
        let mut terms = words.terms.clone();
        let term = blasted.invariant(&words, &mut terms, &invariant).unwrap();
        let values: Vec<bool> =
            (0..4u32).map(|n| terms.holds(term, &|_| Value::bits(2, n)).unwrap()).collect();
        assert_eq!(values, [true, true, true, false]);
        // Numbers are refused by name.
        words.add_state("n", Sort::Int);
        assert_eq!(blast(&words, ARRAY_BITS).unwrap_err().to_string(), "`n` of sort Int is not made of bits");
    }
}
