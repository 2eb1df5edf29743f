//! A circuit as functions of diagrams, with images and preimages of sets of states.
//!
//! The step is a conjunction of clusters, and variables are quantified as soon as no later cluster depends on them (R. K. Ranjan, A. Aziz, R. K. Brayton, B. Plessier, C. Pixley, *Efficient BDD
//! Algorithms for FSM Synthesis and Verification*, IWLS 1995).

use indubit_aig::{Aig, Cone};
use indubit_bdd::{Bdd, Cube, Diagrams, Halt};
use indubit_logic::{Clause, Lit, Var};
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Invariant, Safety};

/// Clusters grow up to so many nodes.
const CLUSTER: usize = 3000;
/// With so many nodes variables are sifted for the first time.
const FIRST: usize = 1 << 14;
/// So many times as many nodes one operation may need.
const ROOM: usize = 16;
/// Sets of so few nodes are not made smaller.
const SMALL: usize = 200;
const TOO_MANY_NODES: Stop = Stop::Incomplete("too many nodes of decision diagrams");
const TOO_MANY_STEPS: Stop = Stop::Incomplete("too many steps of decision diagrams");
const TOO_MANY_VARIABLES: Stop = Stop::Incomplete("too many latches and inputs for decision diagrams");
/// Operations recurse over variables, and twice as many as these would need a larger stack.
const MOST_VARIABLES: usize = 4000;

pub(crate) struct Space<'c> {
    pub circuit: &'c Safety,
    pub all: Diagrams,
    /// Functions that are wanted.
    held: Vec<Bdd>,
    /// With so many nodes they are collected, and variables are sifted if that does not help.
    enough: usize,
    /// So many nodes there may be, whatever they are for.
    most: usize,
    /// The variable for the value of each latch; the one after it is for the next value.
    pub(super) latches: Vec<u32>,
    pub(super) inputs: Vec<u32>,
    /// What each variable for a value now is in the circuit.
    leaves: Vec<Lit>,
    pub constraints: Vec<Bdd>,
    clusters: Vec<Bdd>,
    /// In which order clusters are taken, and what is quantified with each.
    forward: Vec<(Bdd, Bdd)>,
    backward: Vec<(Bdd, Bdd)>,
    /// What is quantified at the end.
    before: Bdd,
    after: Bdd,
    to_next: usize,
    to_now: usize,
    /// So many steps may have been taken before an operation begins.
    most_steps: u64,
    /// How often variables were sifted.
    pub n_sifted: u64,
}

impl<'c> Space<'c> {
    /// The circuit, and the functions of some of its nodes, which are held.
    pub fn new(circuit: &'c Safety, roots: &[Lit], most: usize, run: &Run<'_>) -> Ask<(Space<'c>, Vec<Bdd>)> {
        if circuit.latches.len() + circuit.inputs.len() > MOST_VARIABLES {
            return Err(TOO_MANY_VARIABLES);
        }
        let order = order(circuit, roots);
        let position = circuit.latch_positions();
        let sizes: Vec<u32> = order.iter().map(|v| 1 + u32::from(position[v.index()].is_some())).collect();
        let mut all = Diagrams::new(&sizes, run.cancel().clone());
        let mut of_leaf = vec![0; circuit.aig.n_vars()];
        let mut leaves = Vec::new();
        for (leaf, &size) in order.iter().zip(&sizes) {
            of_leaf[leaf.index()] = leaves.len() as u32;
            leaves.extend((0..size).map(|_| Lit::positive(*leaf)));
        }
        let latches: Vec<u32> = circuit.latches.iter().map(|l| of_leaf[l.var.index()]).collect();
        let inputs: Vec<u32> = circuit.inputs.iter().map(|v| of_leaf[v.index()]).collect();
        let to_next = all.map(latches.iter().map(|&v| (v, v + 1)));
        let to_now = all.map(latches.iter().map(|&v| (v + 1, v)));
        all.allow(most.min(FIRST * ROOM));
        let mut space = Space {
            circuit,
            all,
            held: Vec::new(),
            enough: FIRST.min(most / ROOM),
            most,
            latches,
            inputs,
            leaves,
            constraints: Vec::new(),
            clusters: Vec::new(),
            forward: Vec::new(),
            backward: Vec::new(),
            before: Bdd::TRUE,
            after: Bdd::TRUE,
            to_next,
            to_now,
            most_steps: u64::MAX,
            n_sifted: 0,
        };
        let mut wanted: Vec<Lit> = circuit.latches.iter().map(|l| l.next).collect();
        wanted.extend(circuit.constraints.iter().chain(roots));
        let functions = space.functions(&of_leaf, &wanted, run)?;
        let (steps, others) = functions.split_at(circuit.latches.len());
        let (constraints, roots) = others.split_at(circuit.constraints.len());
        space.make_clusters(steps, constraints, run)?;
        space.constraints = constraints.to_vec();
        space.held = [space.before, space.after].into_iter().chain(others.iter().copied()).collect();
        let scheduled = space.forward.iter().chain(&space.backward);
        space.held.extend(scheduled.flat_map(|&(cluster, cube)| [cluster, cube]));
        Ok((space, roots.to_vec()))
    }

    /// An operation, which may need room: its operands, and all that is held, stay. Between operations there is a look at whether there are too many nodes, for then nothing
    /// is lost that is half done.
    pub fn ask<T>(
        &mut self,
        operands: &[Bdd],
        operation: impl Fn(&mut Diagrams) -> Result<T, Halt>,
    ) -> Ask<T> {
        if self.all.n_steps() > self.most_steps {
            return Err(TOO_MANY_STEPS);
        }
        if self.all.n_nodes() > self.enough {
            self.make_room(operands)?;
        }
        let mut is_last = false;
        loop {
            match operation(&mut self.all) {
                Ok(result) => return Ok(result),
                Err(Halt::Stop(stop)) => return Err(stop),
                Err(Halt::Full) if is_last => return Err(TOO_MANY_NODES),
                Err(Halt::Full) if self.all.n_steps() > self.most_steps => return Err(TOO_MANY_STEPS),
                Err(Halt::Full) => {
                    is_last = self.room() >= self.most;
                    self.sift(operands)?;
                    self.enough = (self.enough * 2).min(self.most);
                    self.all.allow(self.room());
                }
            }
        }
    }
    /// Work with at most so many nodes from now on, and as many steps; how many nodes were allowed before.
    pub fn allow(&mut self, most: usize, steps: Option<u64>) -> usize {
        self.most_steps = steps.map_or(u64::MAX, |steps| self.all.n_steps().saturating_add(steps));
        let before = std::mem::replace(&mut self.most, most);
        self.enough = self.enough.min(most);
        self.all.allow(self.room());
        before
    }
    /// So many nodes there may be within an operation.
    fn room(&self) -> usize {
        self.enough.saturating_mul(ROOM).min(self.most)
    }
    /// Drop what is not wanted any more, and find a better order if that is not enough.
    fn make_room(&mut self, operands: &[Bdd]) -> Ask<()> {
        let n_held = self.held.len();
        self.held.extend_from_slice(operands);
        self.all.collect(&self.held);
        self.held.truncate(n_held);
        if self.all.n_nodes() * 2 > self.enough {
            self.sift(operands)?;
            self.enough = self.enough.max(self.all.n_nodes() * 4).min(self.most);
            self.all.allow(self.room());
        }
        Ok(())
    }
    /// Find an order in which what is wanted has fewer nodes.
    fn sift(&mut self, operands: &[Bdd]) -> Ask<()> {
        let n_held = self.held.len();
        self.held.extend_from_slice(operands);
        let sifted = self.all.sift(&self.held);
        self.held.truncate(n_held);
        self.n_sifted += 1;
        match sifted {
            Err(Halt::Stop(stop)) => Err(stop),
            Err(Halt::Full) | Ok(()) => Ok(()),
        }
    }
    /// This function stays.
    pub fn hold(&mut self, f: Bdd) -> Bdd {
        self.held.push(f);
        f
    }
    /// A place for a function that is held until another one [takes it](Self::set).
    pub fn slot(&mut self) -> usize {
        self.held.push(Bdd::TRUE);
        self.held.len() - 1
    }
    /// Hold this function at a place, in place of the one that was there.
    pub fn set(&mut self, slot: usize, f: Bdd) -> Bdd {
        self.held[slot] = f;
        f
    }
    /// What is held since there was this place is held no more.
    pub fn release_from(&mut self, slot: usize) {
        self.held.truncate(slot);
    }
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Ask<Bdd> {
        self.ask(&[f, g], |all| all.and(f, g))
    }
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Ask<Bdd> {
        self.ask(&[f, g], |all| all.or(f, g))
    }
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Ask<Bdd> {
        self.ask(&[f, g], |all| all.minus(f, g))
    }

    /// The functions of literals of the circuit; they are held, along with those of gates on the way.
    fn functions(&mut self, of_leaf: &[u32], wanted: &[Lit], run: &Run<'_>) -> Ask<Vec<Bdd>> {
        let aig = &self.circuit.aig;
        let mut cone = Cone::new();
        cone.collect(aig, wanted.iter().copied());
        let mut is_wanted = vec![false; aig.n_vars()];
        let mut n_uses = vec![0u32; aig.n_vars()];
        wanted.iter().for_each(|l| is_wanted[l.var().index()] = true);
        for (_, fanins) in aig.ands().filter(|&(gate, _)| cone.contains(gate)) {
            fanins.iter().for_each(|l| n_uses[l.var().index()] += 1);
        }
        // A place for each node; what no gate needs any more is given up.
        self.held = vec![Bdd::TRUE; aig.n_vars()];
        self.held[0] = Bdd::FALSE;
        for leaf in self.circuit.inputs.iter().copied().chain(self.circuit.latches.iter().map(|l| l.var)) {
            let var = of_leaf[leaf.index()];
            self.held[leaf.index()] = self.ask(&[], |all| all.var(var))?;
        }
        let value = |held: &[Bdd], lit: Lit| {
            let f = held[lit.var().index()];
            if lit.is_negated() { !f } else { f }
        };
        for (gate, [a, b]) in aig.ands().filter(|&(gate, _)| cone.contains(gate)) {
            run.checkpoint()?;
            let (f, g) = (value(&self.held, a), value(&self.held, b));
            self.held[gate.index()] = self.and(f, g)?;
            for var in [a.var(), b.var()] {
                n_uses[var.index()] -= 1;
                let is_gate = aig.fanins(var).is_some();
                if is_gate && n_uses[var.index()] == 0 && !is_wanted[var.index()] {
                    self.held[var.index()] = Bdd::TRUE;
                }
            }
        }
        let functions: Vec<Bdd> = wanted.iter().map(|&lit| value(&self.held, lit)).collect();
        self.held = functions.clone();
        Ok(functions)
    }

    fn make_clusters(&mut self, steps: &[Bdd], constraints: &[Bdd], run: &Run<'_>) -> Ask<()> {
        let mut parts: Vec<(u32, Bdd)> = Vec::new();
        for (i, &step) in steps.iter().enumerate() {
            run.checkpoint()?;
            let next = self.latches[i] + 1;
            let part = self.ask(&[step], |all| {
                let next = all.var(next)?;
                Ok(!all.xor(next, step)?)
            })?;
            parts.push((next, self.hold(part)));
        }
        parts.sort_unstable_by_key(|&(next, _)| next);
        let mut clusters: Vec<Bdd> = Vec::new();
        for part in parts.into_iter().map(|(_, part)| part).chain(constraints.iter().copied()) {
            if let Some(&last) = clusters.last()
                && self.all.size(&[last]) + self.all.size(&[part]) <= CLUSTER
            {
                let both = self.and(last, part)?;
                if self.all.size(&[both]) <= CLUSTER {
                    clusters.pop();
                    clusters.push(self.hold(both));
                    continue;
                }
            }
            clusters.push(part);
        }
        let now: Vec<u32> = self.latches.iter().chain(&self.inputs).copied().collect();
        let next: Vec<u32> = self.latches.iter().map(|v| v + 1).chain(self.inputs.iter().copied()).collect();
        self.before = self.ask(&[], |all| all.cube(now.iter().copied()))?;
        self.hold(self.before);
        self.after = self.ask(&[], |all| all.cube(next.iter().copied()))?;
        self.hold(self.after);
        self.forward = self.schedule(&clusters, &now)?;
        self.backward = self.schedule(&clusters, &next)?;
        self.clusters = clusters;
        Ok(())
    }
    /// An order of clusters in which variables can be quantified early, and those that are with each.
    fn schedule(&mut self, clusters: &[Bdd], quantified: &[u32]) -> Ask<Vec<(Bdd, Bdd)>> {
        let supports: Vec<Vec<u32>> = clusters.iter().map(|&c| self.all.support(c)).collect();
        let mut is_quantified = vec![false; self.all.n_vars()];
        quantified.iter().for_each(|&v| is_quantified[v as usize] = true);
        let mut n_left = vec![0usize; self.all.n_vars()];
        supports.iter().flatten().for_each(|&v| n_left[v as usize] += 1);
        let mut is_there = is_quantified.clone();
        let mut open: Vec<usize> = (0..clusters.len()).collect();
        let mut schedule = Vec::with_capacity(clusters.len());
        // What no cluster depends on goes at once.
        let mut gone: Vec<u32> = quantified.iter().copied().filter(|&v| n_left[v as usize] == 0).collect();
        while !open.is_empty() {
            let cost = |&c: &usize| {
                let ends = |&&v: &&u32| is_quantified[v as usize] && n_left[v as usize] == 1;
                let n_gone = supports[c].iter().filter(ends).count() as i64;
                let n_new = supports[c].iter().filter(|&&v| !is_there[v as usize]).count() as i64;
                (n_new - n_gone, c)
            };
            let Some(best) = open.iter().copied().min_by_key(cost) else { break };
            open.retain(|&c| c != best);
            for &v in &supports[best] {
                is_there[v as usize] = true;
                n_left[v as usize] -= 1;
                if n_left[v as usize] == 0 && is_quantified[v as usize] {
                    gone.push(v);
                }
            }
            let vars = std::mem::take(&mut gone);
            let cube = self.ask(&[], |all| all.cube(vars.iter().copied()))?;
            schedule.push((clusters[best], self.hold(cube)));
        }
        Ok(schedule)
    }

    /// From now on preimages are only asked for inside a set of states: clusters may say anything elsewhere, and become smaller for it.
    pub fn stay_inside(&mut self, set: Bdd) -> Ask<()> {
        for i in 0..self.backward.len() {
            let (cluster, cube) = self.backward[i];
            let inside = self.ask(&[cluster, set], |all| all.restrict(cluster, set))?;
            if self.all.size(&[inside]) < self.all.size(&[cluster]) {
                self.backward[i] = (self.hold(inside), cube);
            }
        }
        Ok(())
    }

    /// The states after one step from a set.
    pub fn image(&mut self, set: Bdd) -> Ask<Bdd> {
        let mut product = set;
        for i in 0..self.forward.len() {
            let (cluster, cube) = self.forward[i];
            product = self.ask(&[product], |all| all.and_exists(product, cluster, cube))?;
        }
        let (before, to_now) = (self.before, self.to_now);
        let product = self.ask(&[product], |all| all.exists(product, before))?;
        self.ask(&[product], |all| all.rename(product, to_now))
    }
    /// The states from which a step, in which `seen` holds, leads into a set.
    pub fn preimage(&mut self, set: Bdd, seen: Bdd) -> Ask<Bdd> {
        let to_next = self.to_next;
        let mut product = self.ask(&[set, seen], |all| {
            let set = all.rename(set, to_next)?;
            all.and(set, seen)
        })?;
        for i in 0..self.backward.len() {
            let (cluster, cube) = self.backward[i];
            // An input that `seen` depends on goes with the last cluster that does, or at the end.
            product = self.ask(&[product], |all| all.and_exists(product, cluster, cube))?;
        }
        let after = self.after;
        self.ask(&[product], |all| all.exists(product, after))
    }
    /// The steps into a set, as a function of states and inputs: it may be anything where the state is not in `domain`. The operands are held.
    pub fn steps_into(&mut self, set: Bdd, domain: Bdd) -> Ask<Bdd> {
        let base = self.slot();
        let inputs = self.inputs.clone();
        let inputs = self.ask(&[], |all| all.cube(inputs.iter().copied()))?;
        self.hold(inputs);
        let product = self.as_next(set)?;
        let slot = self.slot();
        let mut product = self.set(slot, product);
        for i in 0..=self.backward.len() {
            let (cluster, cube) = self.backward.get(i).copied().unwrap_or((Bdd::TRUE, self.after));
            let cube = self.ask(&[], |all| all.cofactor(cube, inputs))?;
            let inside = self.ask(&[cube], |all| all.restrict(cluster, domain))?;
            let cluster = if self.all.size(&[inside]) < self.all.size(&[cluster]) { inside } else { cluster };
            product = self.ask(&[product, cluster, cube], |all| all.and_exists(product, cluster, cube))?;
            self.set(slot, product);
        }
        self.release_from(base);
        Ok(product)
    }
    /// The states in which `seen` holds for some inputs that the constraints, given as a function, allow.
    pub fn states_of(&mut self, seen: Bdd) -> Ask<Bdd> {
        let cube = self.inputs.clone();
        self.ask(&[seen], |all| {
            let cube = all.cube(cube.iter().copied())?;
            all.exists(seen, cube)
        })
    }
    /// The initial states.
    pub fn initial(&mut self) -> Ask<Bdd> {
        let fixed = self.circuit.latches.iter().zip(&self.latches);
        let fixed: Vec<(u32, bool)> = fixed.filter_map(|(l, &v)| Some((v, l.init?))).collect();
        self.ask(&[], |all| all.cube_of(fixed.iter().copied()))
    }
    /// A state as a set.
    pub fn singleton(&mut self, state: &[bool], next: bool) -> Ask<Bdd> {
        let values = self.latches.iter().map(|&v| v + u32::from(next)).zip(state.iter().copied());
        let values: Vec<(u32, bool)> = values.collect();
        self.ask(&[], |all| all.cube_of(values.iter().copied()))
    }
    /// Is a state in a set?
    pub fn contains(&self, set: Bdd, state: &[bool]) -> bool {
        let mut values = vec![false; self.all.n_vars()];
        self.latches.iter().zip(state).for_each(|(&v, &value)| values[v as usize] = value);
        self.all.value(set, &values)
    }
    /// Is a function true for a state and inputs?
    pub fn holds(&self, f: Bdd, state: &[bool], inputs: &[bool]) -> bool {
        let mut values = vec![false; self.all.n_vars()];
        let leaves = self.latches.iter().zip(state).chain(self.inputs.iter().zip(inputs));
        leaves.for_each(|(&v, &value)| values[v as usize] = value);
        self.all.value(f, &values)
    }
    /// A state and inputs for which a function is true, if there are any.
    pub fn pick(&self, f: Bdd) -> Option<(Vec<bool>, Vec<bool>)> {
        let mut values = vec![false; self.all.n_vars()];
        self.all.pick(f)?.into_iter().for_each(|(v, value)| values[v as usize] = value);
        let of = |vars: &[u32]| vars.iter().map(|&v| values[v as usize]).collect();
        Some((of(&self.latches), of(&self.inputs)))
    }
    /// The step with the values of a state, or of the state after it, as a function of what is left, where a function of that holds.
    pub fn steps_at(&mut self, state: Bdd, within: Bdd) -> Ask<Bdd> {
        let mut product = within;
        for i in 0..self.clusters.len() {
            let cluster = self.clusters[i];
            product = self.ask(&[product, state], |all| {
                let cluster = all.cofactor(cluster, state)?;
                all.and(product, cluster)
            })?;
        }
        Ok(product)
    }
    /// A set of states as one of next states.
    pub fn as_next(&mut self, set: Bdd) -> Ask<Bdd> {
        let to_next = self.to_next;
        self.ask(&[set], |all| all.rename(set, to_next))
    }
    /// Nothing but these sets is wanted any more: variables get the order in which they are smallest.
    pub fn only(&mut self, sets: &[Bdd]) -> Ask<()> {
        self.held = sets.to_vec();
        if self.all.size(sets) > SMALL {
            self.sift(&[])?;
        }
        Ok(())
    }
    /// An invariant is a set of states: as clauses if they are few, which a solver makes more of than of gates, and as a gate otherwise. The set is held.
    pub fn conjoin(&mut self, states: Bdd, to: &mut Invariant) -> Ask<()> {
        match self.cover(!states, !states)? {
            Some(cubes) => {
                for cube in cubes {
                    to.add(Clause::new(self.lits(&cube).map(|lit| !lit)));
                }
            }
            None => {
                let gate = self.gates_of(&[states], to)[0];
                to.add(Clause::new([gate]));
            }
        }
        Ok(())
    }
    /// A function of which only matters what it is in a set of states, as an additional gate. Both are held.
    pub fn gate_within(&mut self, f: Bdd, states: Bdd, of: &mut Invariant) -> Ask<Lit> {
        let (least, most) = self.within(f, states)?;
        let Some(cubes) = self.cover(least, most)? else { return Ok(self.gates_of(&[f], of)[0]) };
        let mut union = Lit::FALSE;
        for cube in cubes {
            let gate = self.lits(&cube).fold(Lit::TRUE, |gate, lit| conjunction(of, gate, lit));
            union = !conjunction(of, !union, !gate);
        }
        Ok(union)
    }
    fn within(&mut self, f: Bdd, states: Bdd) -> Ask<(Bdd, Bdd)> {
        let least = self.and(f, states)?;
        let most = self.ask(&[least, f], |all| all.or(f, !states))?;
        Ok((least, most))
    }
    /// The literals of a cube.
    fn lits(&self, cube: &[(u32, bool)]) -> impl Iterator<Item = Lit> {
        cube.iter().map(|&(var, value)| self.leaves[var as usize] ^ !value)
    }
    /// A function as a union of cubes, no more than it has nodes: at least one function, and at most another one.
    fn cover(&mut self, least: Bdd, at_most: Bdd) -> Ask<Option<Vec<Cube>>> {
        let most = self.all.size(&[least]);
        match self.all.cover(least, at_most, most) {
            Ok(cubes) => Ok(cubes),
            Err(Halt::Full) => Ok(None),
            Err(Halt::Stop(stop)) => Err(stop),
        }
    }
    /// Sets of states as additional gates.
    pub fn gates_of(&self, sets: &[Bdd], of: &mut Invariant) -> Vec<Lit> {
        let node = |var: u32, high: Lit, low: Lit| {
            let var = self.leaves[var as usize];
            let (a, b) = (conjunction(of, var, high), conjunction(of, !var, low));
            !conjunction(of, !a, !b)
        };
        self.all.fold(sets, Lit::TRUE, |lit| !lit, node)
    }
}

fn conjunction(of: &mut Invariant, a: Lit, b: Lit) -> Lit {
    match (a, b) {
        (Lit::TRUE, other) | (other, Lit::TRUE) => other,
        (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
        _ => of.and(a, b),
    }
}

/// The leaves of a circuit in the order in which a walk from the roots through the next values of latches comes by.
fn order(circuit: &Safety, roots: &[Lit]) -> Vec<Var> {
    let position = circuit.latch_positions();
    let mut is_seen = vec![false; circuit.aig.n_vars()];
    let mut order = Vec::new();
    let mut walk = |order: &mut Vec<Var>, root: Lit| leaves_of(&circuit.aig, root.var(), &mut is_seen, order);
    for &root in roots.iter().chain(&circuit.constraints) {
        walk(&mut order, root);
    }
    let mut n_walked = 0;
    let all = circuit.latches.iter().map(|l| l.var).chain(circuit.inputs.iter().copied());
    for leaf in all {
        while n_walked < order.len() {
            let leaf: Var = order[n_walked];
            n_walked += 1;
            if let Some(i) = position[leaf.index()] {
                walk(&mut order, circuit.latches[i as usize].next);
            }
        }
        walk(&mut order, Lit::positive(leaf));
    }
    order
}

fn leaves_of(aig: &Aig, root: Var, is_seen: &mut [bool], leaves: &mut Vec<Var>) {
    let mut stack = vec![root];
    while let Some(var) = stack.pop() {
        if var == Var::CONST || std::mem::replace(&mut is_seen[var.index()], true) {
            continue;
        }
        match aig.fanins(var) {
            Some([a, b]) => stack.extend([b.var(), a.var()]),
            None => leaves.push(var),
        }
    }
}
