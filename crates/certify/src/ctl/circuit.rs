//! The circuit of a graph in moments of time, inside one hashed circuit.

use indubit_aig::{Aig, Cone, Import};
use indubit_logic::{Lit, Var};
use indubit_system::{Branching, Choice, CtlProof};

/// A graph together with the gates of a proof about it, and the circuit that queries are about.
pub(super) struct Circuit<'g> {
    graph: &'g Branching,
    /// The circuit of the graph, with the gates of the proof and of the sets of states behind it: the literals of the proof are literals here.
    source: Aig,
    /// What queries are about.
    pub aig: Aig,
    /// States and inputs that are any.
    leaves: Vec<(Var, Lit)>,
}

/// The signals of a circuit in one moment.
pub(super) struct Moment(Import);

impl<'g> Circuit<'g> {
    /// And the clauses of the invariant, and what is known of each node of the formula, as literals of its source.
    pub fn new(graph: &'g Branching, proof: &CtlProof) -> (Circuit<'g>, Vec<Lit>, Vec<[Lit; 2]>) {
        let mut source = graph.circuit.aig.clone();
        for &[a, b] in proof.with.gates() {
            source.raw_and(a, b);
        }
        let clauses = proof.with.clauses().iter();
        let clauses = clauses.map(|clause| source.or_all(clause.lits().iter().copied())).collect();
        let sets = proof.sets(&graph.formula, |a, b| source.and(a, b));
        let mut aig = Aig::new();
        let latches = graph.circuit.latches.iter().map(|latch| latch.var);
        let leaves = latches.chain(graph.circuit.inputs.iter().copied()).map(|var| (var, aig.leaf()));
        let leaves = leaves.collect();
        (Circuit { graph, source, aig, leaves }, clauses, sets)
    }
    /// The circuit of the graph, with more gates behind it.
    pub fn source(&self) -> &Aig {
        &self.source
    }
    /// For each latch, and then for each input, what it is in the moment that a query begins with.
    pub fn leaves(&self) -> impl Iterator<Item = Lit> {
        self.leaves.iter().map(|&(_, lit)| lit)
    }
    /// Any state, and any inputs.
    pub fn now(&self) -> Moment {
        let mut import = Import::new(&self.source);
        self.leaves.iter().for_each(|&(var, lit)| import.set(var, lit));
        Moment(import)
    }
    /// The same state, with the inputs of a choice.
    pub fn chosen(&mut self, now: &mut Moment, choice: &Choice) -> Moment {
        let Moment(mut import) = self.now();
        for (&input, &lit) in self.graph.circuit.inputs.iter().zip(&choice.inputs) {
            import.set(input, self.lit(now, lit));
        }
        Moment(import)
    }
    /// An edge in a moment.
    pub fn lit(&mut self, moment: &mut Moment, lit: Lit) -> Lit {
        moment.0.lit(&self.source, &mut self.aig, lit)
    }
    /// Edges in a moment.
    pub fn lits(&mut self, moment: &mut Moment, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().map(|&lit| self.lit(moment, lit)).collect()
    }
    /// Some edges that depend on states only, in the moment after this one.
    pub fn after(&mut self, moment: &mut Moment, lits: &[Lit]) -> Vec<Lit> {
        let mut cone = Cone::new();
        cone.collect(&self.source, lits.iter().copied());
        let mut next = Import::new(&self.source);
        let graph = self.graph;
        for latch in graph.circuit.latches.iter().filter(|latch| cone.contains(latch.var)) {
            next.set(latch.var, self.lit(moment, latch.next));
        }
        self.lits(&mut Moment(next), lits)
    }
    /// Is a number smaller than another one with as many digits, the least significant first?
    pub fn is_less(&mut self, number: &[Lit], than: &[Lit]) -> Lit {
        let aig = &mut self.aig;
        number.iter().zip(than).fold(Lit::FALSE, |less, (&digit, &other)| {
            let same = aig.iff(digit, other);
            let (smaller, still) = (aig.and(!digit, other), aig.and(same, less));
            aig.or(smaller, still)
        })
    }
}
