//! The user's model at the bit level.

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

/// What kind of property, and its index among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// A bad-state property `b<i>`.
    Bad(usize),
    /// An output of an old file that stands for a bad state, `o<i>`.
    Output(usize),
    /// A justice property `j<i>`.
    Justice(usize),
}

impl PropertyKind {
    /// The index of its bad signal, if it is a safety property.
    pub fn bad(self) -> Option<usize> {
        match self {
            PropertyKind::Bad(i) | PropertyKind::Output(i) => Some(i),
            PropertyKind::Justice(_) => None,
        }
    }
}

/// One property of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its kind and index there.
    pub kind: PropertyKind,
    /// Its symbol.
    pub name: Option<Name>,
}

impl Property {
    /// The identifier in AIGER's own terms: `b0`, `o0`, `j0`.
    pub fn id(&self) -> String {
        match self.kind {
            PropertyKind::Bad(i) => format!("b{i}"),
            PropertyKind::Output(i) => format!("o{i}"),
            PropertyKind::Justice(i) => format!("j{i}"),
        }
    }
    /// The symbol if there is one, else the identifier.
    pub fn label(&self) -> String {
        self.name.as_ref().map_or_else(|| self.id(), Name::to_string)
    }
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
    /// The comment section, as in the file, without the leading `c` line.
    pub comment: Vec<u8>,
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
    /// a file with justice only means justice only.
    pub fn outputs_are_bad(&self) -> bool {
        self.bads.is_empty() && self.justice.is_empty()
    }
    /// The bad-state signals: the `B` section, or the outputs of an old file.
    pub fn bad_signals(&self) -> &[Signal] {
        if self.outputs_are_bad() { &self.outputs } else { &self.bads }
    }
    /// All properties, safety first. Their positions are the numbers that users write.
    pub fn properties(&self) -> Vec<Property> {
        (0..self.n_properties()).filter_map(|i| self.property(i)).collect()
    }
    /// How many properties there are.
    pub fn n_properties(&self) -> usize {
        self.bad_signals().len() + self.justice.len()
    }
    /// The property at a position of [`properties`](Self::properties).
    pub fn property(&self, index: usize) -> Option<Property> {
        let bads = self.bad_signals();
        if let Some(signal) = bads.get(index) {
            let kind = if self.outputs_are_bad() { PropertyKind::Output } else { PropertyKind::Bad };
            return Some(Property { kind: kind(index), name: signal.name.clone() });
        }
        let index = index - bads.len();
        let justice = self.justice.get(index)?;
        Some(Property { kind: PropertyKind::Justice(index), name: justice.name.clone() })
    }
    /// The model with only the given bad signal (as a `B` section) and the constraints: what a
    /// certificate for one of several properties is about.
    pub fn with_single_bad(&self, index: usize) -> BitSystem {
        self.with_bads(&[index])
    }
    /// The model with only the given bad signals (as a `B` section) and the constraints.
    pub fn with_bads(&self, indices: &[usize]) -> BitSystem {
        let mut some = self.clone();
        some.bads = indices.iter().map(|&index| self.bad_signals()[index].clone()).collect();
        some.outputs.clear();
        some.justice.clear();
        some.fairness.clear();
        some
    }
    /// The name of input `index`, or `i<index>`.
    pub fn input_label(&self, index: usize) -> String {
        self.inputs[index].name.as_ref().map_or_else(|| format!("i{index}"), Name::to_string)
    }
    /// The name of latch `index`, or `l<index>`.
    pub fn latch_label(&self, index: usize) -> String {
        self.latches[index].name.as_ref().map_or_else(|| format!("l{index}"), Name::to_string)
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
        assert_eq!(system.properties()[0].id(), "o0");
        system.justice.push(Justice { lits: vec![a], name: None });
        assert_eq!(system.properties().iter().map(Property::id).collect::<Vec<_>>(), ["j0"]);
        system.add_bad("", a);
        let ids: Vec<_> = system.properties().iter().map(Property::id).collect();
        assert_eq!(ids, ["b0", "j0"]);
        let single = system.with_single_bad(0);
        assert_eq!(single.properties().len(), 1);
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
