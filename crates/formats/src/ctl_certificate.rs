//! Proofs of formulas of computation tree logic as files: sets of states, as a circuit in AIGER without latches.
//!
//! ```text
//! inputs    one for each latch of the graph, called like it; one for each input of its circuit; one for each memory and each second of a ranked proof
//! R0 ...    clauses of the invariant of all reachable states
//! fair.yes  fair.no    the states known to have a fair path, and known to have none
//! op3.yes   op3.no     the states in which operator 3 of the formula is known to hold, and known to fail
//! op3.choice0.input2   what the step that choice 0 of operator 3 makes has as input 2
//! op3.choice0.rank1    digit 1 of the rank that gets smaller, the least significant is 0
//! op3.stuck0.states    states from which paths are stuck, by a ranked proof:
//! op3.stuck0.order1  .relation  .absent0  .with2  .memory0.initial  .memory0.next  .second1
//! fails  fails0 ...    there is an initial state in which the formula fails: for each latch its value
//! ```
//!
//! All but the inputs are outputs, by these names; what stands behind a space in a name is for people. A set that is left out is empty. Operators are the temporal ones of the formula made of `EX`, `EU` and
//! `EG`, each after those inside it; `fair` is `EG true`. The comment says `WITNESS`, the property and the model, then `CTL` and the formula, and a line for each operator.
//!
//! The latches of the graph are those of the model, and its inputs that atoms or reset functions depend on: these inputs are chosen a step ahead. Inputs of its circuit are the other ones of the model, and
//! then the next values of those that are latches. What the sets have to meet, [`CtlProof`] says.

use crate::certificate::first_line;
use crate::ctl_text::{self, Part, Style, Written, spelled};
use crate::{Error, Place};
use indubit_aig::{Aig, Cone, Import};
use indubit_logic::{Clause, Lit, Var};
use indubit_system::{
    BitSystem, Bounds, Branching, Choice, CtlNode, CtlProof, Invariant, Memory, Property, Ranked, Signal,
    Stuck,
};
use std::collections::BTreeMap;

/// The line of the comment with the formula begins so: no other circuit has it.
const FORMULA: &str = "CTL ";
/// Formulas in the comment are not longer.
const LONGEST: usize = 20_000;

/// Is it the comment of such a circuit?
pub fn is_recognized(comment: &[u8]) -> bool {
    comment.split(|&b| b == b'\n').any(|line| line.starts_with(FORMULA.as_bytes()))
}

/// The circuit of a proof about the graph of a model; `atoms` are what atoms are called, and `file_name` the model.
pub fn write(
    model: &BitSystem,
    graph: &Branching,
    property: &Property,
    proof: &CtlProof,
    atoms: &[String],
    file_name: &str,
) -> BitSystem {
    let mut source = graph.circuit.aig.clone();
    for &[a, b] in proof.with.gates() {
        source.raw_and(a, b);
    }
    let mut writer = Writer { file: BitSystem::new(), leaves: Vec::new() };
    let labels = labels(model, graph);
    let leaves = graph.circuit.latches.iter().map(|l| l.var).chain(graph.circuit.inputs.iter().copied());
    for (var, label) in leaves.zip(labels.iter().flatten()) {
        let leaf = writer.file.add_input(label);
        writer.leaves.push((var, leaf));
    }
    let mut import = Import::new(&source);
    writer.leaves.iter().for_each(|&(var, leaf)| import.set(var, leaf));
    for (i, clause) in proof.with.clauses().iter().enumerate() {
        let lits = clause.lits().iter().map(|&l| import.lit(&source, writer.file.aig_mut(), l));
        let lits: Vec<Lit> = lits.collect();
        let clause = writer.file.aig_mut().or_all(lits);
        writer.output(&format!("R{i}"), clause);
    }
    writer.bounds("fair", &proof.fair, &source, &mut import, &labels[1]);
    for (i, bounds) in proof.operators.iter().enumerate() {
        writer.bounds(&format!("op{i}"), bounds, &source, &mut import, &labels[1]);
    }
    if let Some(state) = &proof.fails_in {
        writer.output("fails", Lit::TRUE);
        for ((i, &value), label) in state.iter().enumerate().zip(&labels[0]) {
            writer.output(&format!("fails{i} {label}"), Lit::constant(value));
        }
    }
    let mut file = writer.file;
    file.comment = comment(graph, property, proof, atoms, file_name).into_bytes();
    file
}

/// What the latches and the inputs of a graph are called.
fn labels(model: &BitSystem, graph: &Branching) -> [Vec<String>; 2] {
    let hidden = (0..model.inputs().len()).filter(|input| !graph.shown.contains(input));
    let latches = (0..model.latches().len()).map(|latch| model.latch_label(latch));
    let latches = latches.chain(graph.shown.iter().map(|&input| model.input_label(input)));
    let inputs = hidden.map(|input| model.input_label(input));
    let inputs = inputs.chain(graph.shown.iter().map(|&input| format!("{}.next", model.input_label(input))));
    [latches.collect(), inputs.collect()]
}

fn comment(
    graph: &Branching,
    property: &Property,
    proof: &CtlProof,
    atoms: &[String],
    file_name: &str,
) -> String {
    let atom = |number: u32| atoms.get(number as usize).cloned().unwrap_or_default();
    let told = |part: Part| {
        let write = |written: Written, parts: &[&str]| spelled(Style::Plain, written, parts, &atom);
        let text = ctl_text::text(&graph.formula, part, LONGEST, write);
        text.unwrap_or_else(|| "too long to be written here".into()).replace(['\n', '\r'], " ")
    };
    let verb = if proof.holds() { "holds" } else { "fails" };
    let mut text = first_line(property.id, file_name);
    text += &format!(
        "{FORMULA}{}\n{verb}; `indubit certify` checks these sets of states\n",
        told(Part::new(graph.formula.root()))
    );
    for (i, id) in graph.operators().enumerate() {
        text += &format!("op{i} {}\n", told(Part::new(id)));
    }
    text + "fair EG true\n"
}

struct Writer {
    file: BitSystem,
    /// The inputs of the file that are latches and inputs of the graph.
    leaves: Vec<(Var, Lit)>,
}

impl Writer {
    fn output(&mut self, name: &str, lit: Lit) {
        self.file.outputs.push(Signal { lit, name: Some(name.into()) });
    }
    fn bounds(&mut self, name: &str, bounds: &Bounds, source: &Aig, import: &mut Import, inputs: &[String]) {
        let mut put = |writer: &mut Writer, name: String, lit: Lit| {
            let lit = import.lit(source, writer.file.aig_mut(), lit);
            writer.output(&name, lit);
        };
        for (what, set) in [("yes", bounds.yes), ("no", bounds.no)] {
            if set != Lit::FALSE {
                put(self, format!("{name}.{what}"), set);
            }
        }
        let choices = if bounds.yes == Lit::FALSE { &[] } else { &bounds.choices[..] };
        for (i, choice) in choices.iter().enumerate() {
            let name = format!("{name}.choice{i}");
            for ((i, &lit), label) in choice.inputs.iter().enumerate().zip(inputs) {
                put(self, format!("{name}.input{i} {label}"), lit);
            }
            for (i, &lit) in choice.rank.iter().enumerate() {
                put(self, format!("{name}.rank{i}"), lit);
            }
        }
        for (i, stuck) in bounds.stuck.iter().enumerate() {
            put(self, format!("{name}.stuck{i}.states"), stuck.states);
        }
        for (i, stuck) in bounds.stuck.iter().enumerate() {
            self.ranked(&format!("{name}.stuck{i}"), &stuck.why, source);
        }
    }
    fn ranked(&mut self, name: &str, ranked: &Ranked, source: &Aig) {
        let memory = ranked.memory().iter().enumerate();
        let mut own: Vec<Lit> =
            memory.map(|(i, m)| self.file.add_input(&format!("{name}.memory{i} {}", m.name))).collect();
        own.extend((0..ranked.second().len()).map(|i| self.file.add_input(&format!("{name}.second{i}"))));
        let n_vars = ranked.n_vars();
        let mut import = Import::new(source);
        self.leaves.iter().for_each(|&(var, leaf)| import.set(var, leaf));
        let mut lits: Vec<Lit> = ranked.memory().iter().map(|m| m.next).collect();
        lits.extend(ranked.second().iter().chain(&ranked.order).chain(&ranked.absent));
        lits.push(ranked.relation);
        let (clauses, lits) = ranked.with.build_with(
            self.file.aig_mut(),
            |aig, var| match var.index().checked_sub(n_vars) {
                Some(i) => own[i],
                None => import.lit(source, aig, Lit::positive(var)),
            },
            &lits,
        );
        for (i, clause) in clauses.into_iter().enumerate() {
            self.output(&format!("{name}.with{i}"), clause);
        }
        let mut lits = lits.into_iter();
        for (i, memory) in ranked.memory().iter().enumerate() {
            self.output(&format!("{name}.memory{i}.initial"), Lit::constant(memory.initial));
        }
        let places = [
            ("memory", ".next", ranked.memory().len()),
            ("second", "", ranked.second().len()),
            ("order", "", ranked.order.len()),
            ("absent", "", ranked.absent.len()),
        ];
        for (what, behind, n) in places {
            for (i, lit) in lits.by_ref().take(n).enumerate() {
                self.output(&format!("{name}.{what}{i}{behind}"), lit);
            }
        }
        lits.for_each(|lit| self.output(&format!("{name}.relation"), lit));
    }
}

/// The proof about a graph that a circuit is.
pub fn read(file: &BitSystem, graph: &Branching) -> Result<CtlProof, Error> {
    let n_own = graph.circuit.latches.len() + graph.circuit.inputs.len();
    if !file.latches().is_empty() || file.inputs().len() < n_own {
        let found = format!("{} inputs and {} latches", file.inputs().len(), file.latches().len());
        return Err(wrong(
            found,
            format!("no latches, and inputs for the {n_own} latches and inputs of the graph"),
        ));
    }
    let mut outputs = BTreeMap::new();
    for Signal { lit, name } in &file.outputs {
        let name = name.as_ref().map(ToString::to_string).unwrap_or_default();
        let role = name.split(' ').next().unwrap_or_default().to_owned();
        if let Some(twice) = outputs.insert(role, *lit).map(|_| name) {
            return Err(wrong(format!("two outputs `{twice}`"), "one of a name"));
        }
    }
    let mut others = BTreeMap::new();
    for Signal { lit, name } in &file.inputs()[n_own..] {
        let name = name.as_ref().map(ToString::to_string).unwrap_or_default();
        let (role, told) = name.split_once(' ').unwrap_or((&name, ""));
        if others.insert(role.to_owned(), (lit.var(), told.to_owned())).is_some() {
            return Err(wrong(format!("two inputs `{role}`"), "one of a name"));
        }
    }
    let mut reader = Reader { file, graph, n_own, outputs, others };
    let proof = reader.proof()?;
    match reader.outputs.keys().next() {
        Some(name) => Err(wrong(format!("an output `{name}`"), "names of parts of a proof, numbered from 0")),
        None => Ok(proof),
    }
}

fn wrong(found: impl Into<String>, expected: impl Into<String>) -> Error {
    Error::new(Place::None, found, expected)
}

struct Reader<'r> {
    file: &'r BitSystem,
    graph: &'r Branching,
    /// The inputs of the file that are those of the graph.
    n_own: usize,
    /// What has not been read yet.
    outputs: BTreeMap<String, Lit>,
    /// Memory, and what is asked about a second state.
    others: BTreeMap<String, (Var, String)>,
}

/// A circuit that begins with that of the graph, and grows.
struct Target {
    aig: Aig,
    import: Import,
    /// For each node of the file, whether it is an input that means something there.
    is_known: Vec<bool>,
}

impl Reader<'_> {
    /// The circuit of the graph, with more leaves.
    fn target(&self, more: &[Var]) -> Target {
        let mut aig = self.graph.circuit.aig.clone();
        let mut import = Import::new(self.file.aig());
        let latches = self.graph.circuit.latches.iter().map(|latch| latch.var);
        let own = latches.chain(self.graph.circuit.inputs.iter().copied());
        for (signal, var) in self.file.inputs()[..self.n_own].iter().zip(own) {
            import.set(signal.lit.var(), Lit::positive(var));
        }
        for &var in more {
            let leaf = aig.leaf();
            import.set(var, leaf);
        }
        let mut is_known = vec![false; self.file.aig().n_vars()];
        let known = self.file.inputs()[..self.n_own].iter().map(|signal| signal.lit.var());
        known.chain(more.iter().copied()).for_each(|var| is_known[var.index()] = true);
        Target { aig, import, is_known }
    }
    /// An output, if it is there.
    fn take(&mut self, name: &str, target: &mut Target) -> Result<Option<Lit>, Error> {
        let Some(lit) = self.outputs.remove(name) else { return Ok(None) };
        let aig = self.file.aig();
        let mut cone = Cone::new();
        let strange =
            |var: &Var| aig.fanins(*var).is_none() && *var != Var::CONST && !target.is_known[var.index()];
        if cone.collect(aig, [lit]).iter().any(strange) {
            return Err(wrong(
                format!("`{name}`, which depends on memory or a second state"),
                "a set of states",
            ));
        }
        Ok(Some(target.import.lit(aig, &mut target.aig, lit)))
    }
    /// Outputs that are numbered from 0.
    fn list(&mut self, name: &str, behind: &str, target: &mut Target) -> Result<Vec<Lit>, Error> {
        let mut list = Vec::new();
        while let Some(lit) = self.take(&format!("{name}{}{behind}", list.len()), target)? {
            list.push(lit);
        }
        Ok(list)
    }

    fn proof(&mut self) -> Result<CtlProof, Error> {
        let mut proof = CtlProof::new(self.graph);
        let mut target = self.target(&[]);
        let clauses = self.list("R", "", &mut target)?;
        proof.fair = self.bounds("fair", self.graph.signals().len(), &mut target)?;
        for (i, id) in self.graph.operators().enumerate() {
            let is_globally = matches!(self.graph.formula.node(id), CtlNode::ExistsGlobally(_));
            let n_choices = if is_globally { self.graph.signals().len() } else { 1 };
            proof.operators[i] = self.bounds(&format!("op{i}"), n_choices, &mut target)?;
        }
        if self.outputs.remove("fails").is_some() {
            let n = self.graph.circuit.latches.len();
            let mut state = Vec::with_capacity(n);
            for i in 0..n {
                match self.outputs.remove(&format!("fails{i}")) {
                    Some(lit) if lit.var() == Var::CONST => state.push(lit == Lit::TRUE),
                    _ => {
                        return Err(wrong(format!("no constant output `fails{i}`"), "a value of each latch"));
                    }
                }
            }
            proof.fails_in = Some(state);
        }
        proof.with = gates(&target.aig, self.graph.circuit.aig.n_vars());
        clauses.into_iter().for_each(|clause| proof.with.add(Clause::new([clause])));
        Ok(proof)
    }
    fn bounds(&mut self, name: &str, n_choices: usize, target: &mut Target) -> Result<Bounds, Error> {
        let yes = self.take(&format!("{name}.yes"), target)?.unwrap_or(Lit::FALSE);
        let no = self.take(&format!("{name}.no"), target)?.unwrap_or(Lit::FALSE);
        let mut bounds = Bounds { yes, no, ..Bounds::default() };
        if bounds.yes != Lit::FALSE {
            for i in 0..n_choices {
                let inputs = self.list(&format!("{name}.choice{i}.input"), "", target)?;
                let rank = self.list(&format!("{name}.choice{i}.rank"), "", target)?;
                bounds.choices.push(Choice { inputs, rank });
            }
        }
        while let Some(states) = self.take(&format!("{name}.stuck{}.states", bounds.stuck.len()), target)? {
            let why = self.ranked(&format!("{name}.stuck{}", bounds.stuck.len()))?;
            bounds.stuck.push(Stuck { states, why });
        }
        Ok(bounds)
    }
    fn ranked(&mut self, name: &str) -> Result<Ranked, Error> {
        let list = |what: &str| -> Vec<(Var, String)> {
            (0..).map_while(|i| self.others.get(&format!("{name}.{what}{i}")).cloned()).collect()
        };
        let (memory, second) = (list("memory"), list("second"));
        let leaves: Vec<Var> = memory.iter().chain(&second).map(|&(var, _)| var).collect();
        let mut target = self.target(&leaves);
        let initial = self.list(&format!("{name}.memory"), ".initial", &mut target)?;
        let next = self.list(&format!("{name}.memory"), ".next", &mut target)?;
        let asked = self.list(&format!("{name}.second"), "", &mut target)?;
        let clauses = self.list(&format!("{name}.with"), "", &mut target)?;
        let order = self.list(&format!("{name}.order"), "", &mut target)?;
        let absent = self.list(&format!("{name}.absent"), "", &mut target)?;
        let relation = self.take(&format!("{name}.relation"), &mut target)?;
        let is_constant = initial.iter().all(|lit| lit.var() == Var::CONST);
        if [initial.len(), next.len()] != [memory.len(); 2] || asked.len() != second.len() || !is_constant {
            let found = format!("`{name}` with memory or a second state that does not fit");
            return Err(wrong(
                found,
                "a constant `.initial` and a `.next` for each memory, and what each second is",
            ));
        }
        let memory = memory.into_iter().zip(initial).zip(next);
        let memory =
            memory.map(|(((_, name), initial), next)| Memory { name, initial: initial == Lit::TRUE, next });
        let n_vars = self.graph.circuit.aig.n_vars();
        let mut ranked = Ranked::new(n_vars, memory.collect(), asked, absent.len());
        ranked.with = gates(&target.aig, n_vars + leaves.len());
        clauses.into_iter().for_each(|clause| ranked.with.add(Clause::new([clause])));
        (ranked.order, ranked.absent) = (order, absent);
        ranked.relation = relation.unwrap_or(Lit::TRUE);
        Ok(ranked)
    }
}

/// The gates of a circuit from one of its nodes on.
fn gates(aig: &Aig, n_vars: usize) -> Invariant {
    let mut gates = Invariant::new(n_vars);
    for (gate, [a, b]) in aig.ands().filter(|(gate, _)| gate.index() >= n_vars) {
        let copy = gates.and(a, b);
        debug_assert_eq!(copy.var(), gate, "there are no leaves behind");
    }
    gates
}

#[cfg(test)]
#[path = "ctl_certificate_tests.rs"]
mod tests;
