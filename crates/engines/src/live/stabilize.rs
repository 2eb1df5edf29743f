//! Signals that stabilize (K. Claessen, N. Sörensson, *A Liveness Checking Algorithm that Counts*, FMCAD 2012, section V).
//!
//! A literal that no step makes false again once it is true changes at most once. If that is so in steps in which others like it do not change, it
//! changes finitely often, once those have stopped. So there is an order of literals, in which they were found, such that in each run all of them
//! have stopped changing at some time; and the first of them that changes in a step becomes true.

use indubit_aig::{Encoder, Import, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Liveness, Safety};

/// Which signals are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilize {
    /// None.
    Off,
    /// Latches.
    Latches,
    /// Latches, and then gates that depend on latches only.
    Gates,
}

/// More gates than that are not looked at.
const MOST_GATES: usize = 5_000;
/// How many steps are remembered that show what does not stabilize.
const MOST_STEPS: usize = 512;

/// Literals of a problem that stabilize, in an order in which they do: each becomes true for good once those before it do not change.
pub(super) fn stabilizing(problem: &Liveness, which: Stabilize, run: &mut Run<'_>) -> Ask<Vec<Lit>> {
    let found = search(problem, which, run)?;
    run.count("signals that stabilize", found.len() as u64);
    Ok(found)
}

fn search(problem: &Liveness, which: Stabilize, run: &Run<'_>) -> Ask<Vec<Lit>> {
    let mut found = Vec::new();
    if which == Stabilize::Off {
        return Ok(found);
    }
    // With gates for what signals become.
    let circuit = &mut problem.circuit().clone();
    let latches: Vec<Candidate> =
        circuit.latches.iter().map(|l| Candidate { now: Lit::positive(l.var), next: l.next }).collect();
    let mut search = Search::new(circuit, run);
    search.run(circuit, latches, &mut found, run)?;
    if which == Stabilize::Gates {
        let gates = gates(circuit);
        search.run(circuit, gates, &mut found, run)?;
    }
    Ok(found)
}

/// "None of these changes in this step", as a new gate of the circuit.
pub(super) fn unchanged(circuit: &mut Safety, lits: &[Lit]) -> Lit {
    let source = circuit.aig.clone();
    let mut import = Import::new(&source);
    for latch in &circuit.latches {
        import.set(latch.var, latch.next);
    }
    let aig = &mut circuit.aig;
    let same: Vec<Lit> = lits
        .iter()
        .map(|&lit| {
            let next = import.lit(&source, aig, lit);
            aig.iff(lit, next)
        })
        .collect();
    aig.and_all(same)
}

/// A signal, and what it is one step later.
#[derive(Clone, Copy)]
struct Candidate {
    now: Lit,
    next: Lit,
}

/// Gates that depend on latches only.
fn gates(circuit: &mut Safety) -> Vec<Candidate> {
    let n_vars = circuit.aig.n_vars();
    let mut of_state = vec![false; n_vars];
    circuit.latches.iter().for_each(|l| of_state[l.var.index()] = true);
    let mut gates = Vec::new();
    for (gate, [a, b]) in circuit.aig.ands() {
        let known = |l: Lit| l.is_const() || of_state[l.var().index()];
        if known(a) && known(b) {
            of_state[gate.index()] = true;
            gates.push(Lit::positive(gate));
        }
    }
    gates.truncate(MOST_GATES);
    let source = circuit.aig.clone();
    let mut import = Import::new(&source);
    for latch in &circuit.latches {
        import.set(latch.var, latch.next);
    }
    let next = |now: Lit| Candidate { now, next: import.lit(&source, &mut circuit.aig, now) };
    gates.into_iter().map(next).collect()
}

/// One step of a circuit in a solver, in which nothing changes that is known to stabilize.
struct Search {
    solver: Cadical,
    encoder: Encoder,
    /// Inputs of the step after, if there are constraints that look at them.
    leaves: Vec<Var>,
}

impl Search {
    fn new(circuit: &mut Safety, run: &Run<'_>) -> Search {
        let mut solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        let mut encoder = Encoder::new();
        // The constraints hold before the step and after it.
        let source = circuit.aig.clone();
        let mut import = Import::new(&source);
        if !circuit.constraints.is_empty() {
            circuit.latches.iter().for_each(|latch| import.set(latch.var, latch.next));
            for &input in &circuit.inputs {
                import.set(input, circuit.aig.leaf());
            }
        }
        for &constraint in &circuit.constraints {
            let after = import.lit(&source, &mut circuit.aig, constraint);
            for lit in [constraint, after] {
                encoder.encode(&circuit.aig, lit, |clause| solver.add_clause(clause));
                solver.add_clause(&[lit]);
            }
        }
        let aig = &circuit.aig;
        let leaves = (1..aig.n_vars()).map(Var::from_index).filter(|&v| aig.fanins(v).is_none()).collect();
        Search { solver, encoder, leaves }
    }

    /// Look at all candidates until none is left that stabilizes: in one direction and the other, since what comes to rest first may be at either end.
    fn run(
        &mut self,
        circuit: &mut Safety,
        mut candidates: Vec<Candidate>,
        found: &mut Vec<Lit>,
        run: &Run<'_>,
    ) -> Ask<()> {
        // Steps that have shown that something does not stabilize: for each candidate, does it change, and what was it?
        let mut steps: Vec<Vec<[bool; 2]>> = Vec::new();
        loop {
            let n_before = found.len();
            candidates.reverse();
            steps.iter_mut().for_each(|step| step.reverse());
            let mut i = 0;
            while i < candidates.len() {
                run.checkpoint()?;
                let candidate = candidates[i];
                match self.stable(circuit, candidate, &mut steps, i, &candidates)? {
                    Some(lit) => {
                        let unchanged = circuit.aig.iff(candidate.now, candidate.next);
                        self.encoder.encode(&circuit.aig, unchanged, |c| self.solver.add_clause(c));
                        self.solver.add_clause(&[unchanged]);
                        found.push(lit);
                        // It does not change in steps that count from now on.
                        steps.retain(|step| step[i][0] == step[i][1]);
                        candidates.remove(i);
                        steps.iter_mut().for_each(|step| {
                            step.remove(i);
                        });
                    }
                    None => i += 1,
                }
            }
            if found.len() == n_before {
                return Ok(());
            }
        }
    }

    /// The literal of a candidate that no step makes false, if there is one.
    fn stable(
        &mut self,
        circuit: &Safety,
        candidate: Candidate,
        steps: &mut Vec<Vec<[bool; 2]>>,
        position: usize,
        candidates: &[Candidate],
    ) -> Ask<Option<Lit>> {
        let Candidate { now, next } = candidate;
        for sign in [false, true] {
            // A step that has made it false is enough to know that it does not stay true.
            if steps.iter().any(|step| step[position] == [!sign, sign]) {
                continue;
            }
            for lit in [now, next] {
                self.encoder.encode(&circuit.aig, lit, |c| self.solver.add_clause(c));
            }
            if !self.solve(&[now ^ sign, !next ^ sign])? {
                return Ok(Some(now ^ sign));
            }
            if steps.len() == MOST_STEPS {
                steps.remove(0);
            }
            steps.push(self.step(circuit, candidates));
        }
        Ok(None)
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        if assumptions.contains(&Lit::FALSE) {
            return Ok(false);
        }
        let assumptions: Vec<Lit> = assumptions.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        self.solver.solve(&assumptions)
    }

    /// What the candidates are before and after the step in the model.
    fn step(&self, circuit: &Safety, candidates: &[Candidate]) -> Vec<[bool; 2]> {
        let mut values = vec![false; circuit.aig.n_vars()];
        for &leaf in &self.leaves {
            values[leaf.index()] = self.encoder.contains(leaf) && self.solver.value(Lit::positive(leaf));
        }
        simulate::propagate_bools(&circuit.aig, &mut values);
        candidates.iter().map(|c| [c.now, c.next].map(|lit| simulate::value(&values, lit))).collect()
    }
}
