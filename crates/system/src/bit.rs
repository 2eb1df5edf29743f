//! The user's model at the bit level.

use crate::{Claim, Naming, Property, PropertyId};
use indubit_aig::{Aig, simulate};
use indubit_logic::{Lit, Var};
use std::fmt;

/// A symbol from the user's file: any bytes, shown as text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Box<[u8]>);

impl Name {
    /// The name with these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Name {
        Name(bytes.into().into_boxed_slice())
    }
    /// The bytes as they stand in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// An edge of the circuit with an optional name: an output, a bad state, a constraint or a fairness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The edge.
    pub lit: Lit,
    /// Its symbol.
    pub name: Option<Name>,
}

/// A state bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The leaf that stands for its current value.
    pub var: Var,
    /// Its value in the next step.
    pub next: Lit,
    /// Its initial value: a constant, any edge (a reset function), or its own literal for *uninitialised*.
    pub reset: Lit,
    /// Its symbol.
    pub name: Option<Name>,
}

impl Latch {
    /// May it start with either value, independently of everything else?
    pub fn is_uninitialised(&self) -> bool {
        self.reset == Lit::positive(self.var)
    }
    /// Is its initial value a function of other signals?
    pub fn has_reset_function(&self) -> bool {
        !self.reset.is_const() && !self.is_uninitialised()
    }
}

/// A justice property: a counterexample sees each of its signals infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    /// The signals.
    pub lits: Vec<Lit>,
    /// Its symbol.
    pub name: Option<Name>,
}

/// A finite-state system as a circuit: inputs, latches, and every section of AIGER 1.9.
///
/// Invariant: the leaves of the circuit are exactly the inputs and the latches, each once; every edge
/// refers to an existing node; reset functions are acyclic. Readers guarantee it; for systems built in memory
/// [`validate`](BitSystem::validate) tells, and a check begins with it.
///
/// ```
/// use indubit_system::BitSystem;
/// // Two bits that swap for ever: never both set.
/// let mut system = BitSystem::new();
/// let (a, b) = (system.add_latch("a", Some(true)), system.add_latch("b", Some(false)));
/// system.set_next(a, b);
/// system.set_next(b, a);
/// let both = system.aig_mut().and(a, b);
/// system.add_bad("both", both);
/// assert_eq!(system.properties()[0].label(), "both");
/// ```
#[derive(Clone, Debug, Default)]
pub struct BitSystem {
    aig: Aig,
    inputs: Vec<Signal>,
    latches: Vec<Latch>,
    /// Plain outputs; in old files they are the bad states.
    pub outputs: Vec<Signal>,
    /// Bad-state signals.
    pub bads: Vec<Signal>,
    /// Invariant constraints.
    pub constraints: Vec<Signal>,
    /// Justice properties.
    pub justice: Vec<Justice>,
    /// Fairness constraints.
    pub fairness: Vec<Signal>,
    /// Properties that AIGER has no section for: covers.
    pub specs: Vec<Property>,
    /// The comment section, as in the file, without the leading `c` line.
    pub comment: Vec<u8>,
    /// What is known about names besides the symbols. Whatever a symbol is, it stays in the file as it is.
    pub naming: Naming,
    /// The file of formulas beside the model that says what is claimed, if there is one. Outputs are signals then and nothing else.
    pub formulas_from: Option<String>,
}

impl BitSystem {
    /// The empty system.
    pub fn new() -> BitSystem {
        BitSystem::default()
    }
    /// The circuit.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }
    /// The circuit, to build gates in it. Leaves come from [`add_input`](Self::add_input) and
    /// [`add_latch`](Self::add_latch) only.
    pub fn aig_mut(&mut self) -> &mut Aig {
        &mut self.aig
    }
    /// The inputs; their literals are positive leaves.
    pub fn inputs(&self) -> &[Signal] {
        &self.inputs
    }
    /// The latches.
    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }
    /// A new input with a name (empty: none).
    pub fn add_input(&mut self, name: &str) -> Lit {
        self.push_input((!name.is_empty()).then(|| name.into()))
    }
    /// A new input.
    pub fn push_input(&mut self, name: Option<Name>) -> Lit {
        let lit = self.aig.leaf();
        self.inputs.push(Signal { lit, name });
        lit
    }
    /// A new latch that keeps its value until [`set_next`](Self::set_next) says otherwise, with a name
    /// (empty: none) and an initial value (`None`: uninitialised).
    pub fn add_latch(&mut self, name: &str, initial: Option<bool>) -> Lit {
        let lit = self.push_latch((!name.is_empty()).then(|| name.into()));
        if let Some(value) = initial {
            self.set_reset(lit, Lit::constant(value));
        }
        lit
    }
    /// A new uninitialised latch that keeps its value.
    pub fn push_latch(&mut self, name: Option<Name>) -> Lit {
        let lit = self.aig.leaf();
        self.latches.push(Latch { var: lit.var(), next: lit, reset: lit, name });
        lit
    }
    fn latch_mut(&mut self, latch: Lit) -> &mut Latch {
        match self.latches.binary_search_by_key(&latch.var(), |l| l.var) {
            Ok(found) if !latch.is_negated() => &mut self.latches[found],
            _ => panic!("{latch:?} is not a literal that add_latch returned"),
        }
    }
    /// What `latch` becomes in the next step.
    ///
    /// # Panics
    /// If `latch` is not a literal that [`add_latch`](Self::add_latch) returned, as it returned it.
    pub fn set_next(&mut self, latch: Lit, next: Lit) {
        self.latch_mut(latch).next = next;
    }
    /// What `latch` is initially: a constant, another edge, or itself for *uninitialised*.
    ///
    /// # Panics
    /// As [`set_next`](Self::set_next).
    pub fn set_reset(&mut self, latch: Lit, reset: Lit) {
        self.latch_mut(latch).reset = reset;
    }
    /// Set the symbol of the input with this index.
    pub fn name_input(&mut self, index: usize, name: Name) {
        self.inputs[index].name = Some(name);
    }
    /// Set the symbol of the latch with this index.
    pub fn name_latch(&mut self, index: usize, name: Name) {
        self.latches[index].name = Some(name);
    }
    /// A new bad-state property.
    pub fn add_bad(&mut self, name: &str, lit: Lit) {
        self.bads.push(Signal { lit, name: (!name.is_empty()).then(|| name.into()) });
    }
    /// A new constraint: only steps in which it holds count.
    pub fn add_constraint(&mut self, name: &str, lit: Lit) {
        self.constraints.push(Signal { lit, name: (!name.is_empty()).then(|| name.into()) });
    }

    /// Do outputs stand for bad states? Yes in a file without bad states *and* without justice properties;
    /// a file with justice only means justice only. No if a [file of formulas](Self::formulas_from) says what is claimed.
    pub fn outputs_are_bad(&self) -> bool {
        self.bads.is_empty() && self.justice.is_empty() && self.formulas_from.is_none()
    }
    /// The bad-state signals: the `B` section, or the outputs of an old file.
    pub fn bad_signals(&self) -> &[Signal] {
        if self.outputs_are_bad() { &self.outputs } else { &self.bads }
    }
    /// All properties: bad states first, then justice, then the others. Their positions are the numbers that users write.
    pub fn properties(&self) -> Vec<Property> {
        (0..self.n_properties()).filter_map(|i| self.property(i)).collect()
    }
    /// How many properties there are.
    pub fn n_properties(&self) -> usize {
        self.bad_signals().len() + self.justice.len() + self.specs.len()
    }
    /// The property at a position of [`properties`](Self::properties).
    pub fn property(&self, index: usize) -> Option<Property> {
        let bads = self.bad_signals();
        if let Some(Signal { lit, name }) = bads.get(index) {
            let id = if self.outputs_are_bad() { PropertyId::Output } else { PropertyId::Bad };
            let (id, claim) = (id(index), Claim::Always(!*lit));
            let source = self.naming.sources.get(&id).cloned();
            return Some(Property { id, name: name.clone(), line: None, source, claim });
        }
        let index = index - bads.len();
        if let Some(Justice { lits, name }) = self.justice.get(index) {
            let (id, claim) = (PropertyId::Justice(index), Claim::Justice(lits.clone()));
            let source = self.naming.sources.get(&id).cloned();
            return Some(Property { id, name: name.clone(), line: None, source, claim });
        }
        self.specs.get(index - self.justice.len()).cloned()
    }
    /// A new cover: can this become true?
    pub fn add_cover(&mut self, name: &str, goal: Lit) {
        let n_covers = self.specs.iter().filter(|p| matches!(p.id, PropertyId::Cover(_))).count();
        self.specs.push(Property::new(PropertyId::Cover(n_covers), name, Claim::Reachable(goal)));
    }
    /// This model with its properties in the sections of AIGER as far as there is one for them: in another order, it may be.
    pub fn in_sections(mut self) -> BitSystem {
        for property in std::mem::take(&mut self.specs) {
            let name = property.name.clone();
            match property.claim {
                Claim::Always(good) => self.bads.push(Signal { lit: !good, name }),
                Claim::Justice(lits) => self.justice.push(Justice { lits, name }),
                Claim::Reachable(_) | Claim::Ltl(_) | Claim::Ctl(_) => self.specs.push(property),
            }
        }
        self
    }
    /// This model with no other property than that some edges never become true, as its `B` section, and the constraints: what a
    /// certificate for one of several properties is about.
    pub fn with_bads(&self, bads: Vec<Signal>) -> BitSystem {
        let (aig, inputs, latches) = (self.aig.clone(), self.inputs.clone(), self.latches.clone());
        let (constraints, comment) = (self.constraints.clone(), self.comment.clone());
        // Its properties have other identifiers.
        let mut naming = self.naming.clone();
        naming.sources.clear();
        BitSystem { aig, inputs, latches, bads, constraints, comment, naming, ..BitSystem::new() }
    }
    /// This model with no other property than that no run sees each of some signals infinitely often, with its fairness and its constraints.
    pub fn with_justice(&self, justice: Vec<Justice>) -> BitSystem {
        BitSystem { justice, fairness: self.fairness.clone(), ..self.with_bads(Vec::new()) }
    }
    /// What a counterexample to a justice property sees infinitely often: the fairness signals of the model in order, then the signals of
    /// the property in order. One at least: a run that nothing is asked of sees *true* infinitely often. `None` for other claims.
    pub fn infinitely_often(&self, claim: &Claim) -> Option<Vec<Lit>> {
        let Claim::Justice(own) = claim else { return None };
        let mut signals: Vec<Lit> = self.fairness.iter().map(|f| f.lit).chain(own.iter().copied()).collect();
        if signals.is_empty() {
            signals.push(Lit::TRUE);
        }
        Some(signals)
    }
    /// The same with one property, which is in no section of a file.
    pub fn with_spec(&self, property: Property) -> BitSystem {
        BitSystem { specs: vec![property], ..self.with_justice(Vec::new()) }
    }
    /// What a certificate or a witness for one property is about, if it is about reachability.
    pub fn with_single_property(&self, property: &Property) -> Option<BitSystem> {
        let lit = property.claim.target()?;
        Some(self.with_bads(vec![Signal { lit, name: property.name.clone() }]))
    }
    /// The name of input `index`, or `i<index>`.
    pub fn input_label(&self, index: usize) -> String {
        let Signal { lit, name } = &self.inputs[index];
        let symbol = self.naming.symbol(lit.var()).or_else(|| name.as_ref().map(Name::to_string));
        symbol.unwrap_or_else(|| format!("i{index}"))
    }
    /// The name of latch `index`, with `!` if it holds the negation of what is called so, or `l<index>`.
    pub fn latch_label(&self, index: usize) -> String {
        let Latch { var, name, .. } = &self.latches[index];
        let symbol = self.naming.symbol(*var).or_else(|| name.as_ref().map(Name::to_string));
        symbol.unwrap_or_else(|| format!("l{index}"))
    }

    /// The values of all nodes in one step, from the state and the inputs.
    pub fn evaluate(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values = vec![false; self.aig.n_vars()];
        for (latch, &value) in self.latches.iter().zip(state) {
            values[latch.var.index()] = value;
        }
        for (input, &value) in self.inputs.iter().zip(inputs) {
            values[input.lit.var().index()] = value;
        }
        simulate::propagate_bools(&self.aig, &mut values);
        values
    }
    /// The next state, from the values of all nodes.
    pub fn next_state(&self, values: &[bool]) -> Vec<bool> {
        self.latches.iter().map(|l| simulate::value(values, l.next)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_bads_only_without_bads_and_justice() {
        let mut system = BitSystem::new();
        let a = system.add_input("a");
        system.outputs.push(Signal { lit: a, name: None });
        let ids = |system: &BitSystem| -> Vec<String> {
            system.properties().iter().map(|p| p.id.to_string()).collect()
        };
        assert_eq!(ids(&system), ["o0"]);
        system.justice.push(Justice { lits: vec![a], name: None });
        assert_eq!(ids(&system), ["j0"]);
        system.add_bad("", a);
        system.add_cover("seen", a);
        assert_eq!(ids(&system), ["b0", "j0", "cover0"]);
        let single = |i: usize| system.with_single_property(&system.properties()[i]);
        assert_eq!(single(0).map(|s| ids(&s)), Some(vec!["b0".into()]));
        assert!(single(1).is_none());
        let cover = single(2).unwrap();
        assert_eq!((cover.properties()[0].title(), cover.bads[0].lit), ("seen (b0)".into(), a));
    }

    #[test]
    fn fairness_comes_before_the_signals_of_a_property() {
        let mut system = BitSystem::new();
        let [a, b] = ["a", "b"].map(|n| system.add_input(n));
        assert_eq!(system.infinitely_often(&Claim::Justice(vec![])), Some(vec![Lit::TRUE]));
        system.fairness.push(Signal { lit: b, name: None });
        assert_eq!(system.infinitely_often(&Claim::Justice(vec![])), Some(vec![b]));
        assert_eq!(system.infinitely_often(&Claim::Justice(vec![a, !a])), Some(vec![b, a, !a]));
        assert_eq!(system.infinitely_often(&Claim::Always(a)), None);
        system.add_bad("", a);
        let single = system.with_justice(vec![Justice { lits: vec![a], name: None }]);
        assert_eq!((single.n_properties(), single.fairness.len()), (1, 1));
    }

    #[test]
    fn stepping() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let l = system.add_latch("l", Some(false));
        let x = system.aig_mut().xor(i, l);
        system.set_next(l, x);
        let values = system.evaluate(&[true], &[true]);
        assert_eq!(system.next_state(&values), [false]);
        assert_eq!((system.input_label(0), system.latch_label(0)), ("i".into(), "l".into()));
    }
}
