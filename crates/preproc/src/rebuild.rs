//! What most passes share: rebuild a problem with some nodes replaced, keep only what matters, and carry
//! evidence back along the renaming.

use indubit_aig::Aig;
use indubit_logic::{Clause, Lit, Var, VarMap};
use indubit_system::{Invariant, Proof, Raise, Safety, Stack, StateVar, Trace};

/// Why nodes may be replaced.
pub(crate) enum Because {
    /// They equal their replacements, whatever latches and inputs are.
    Fact,
    /// An inductive invariant says so, which holds initially and after each step that satisfies the constraints.
    Invariant(Invariant),
    /// That all of them equal their replacements is such an invariant.
    Inductive,
}

/// `from` with latches and gates in `replaced` replaced: latches by constants or by literals of latches that are not
/// replaced themselves, gates also by inputs and by smaller gates that are not; hashed anew, and reduced to the cone
/// of influence.
pub(crate) fn rebuild(
    from: &Safety,
    replaced: &VarMap<Option<Lit>>,
    because: Because,
) -> (Safety, Box<dyn Raise>) {
    let substituted = substitute(from, replaced);
    let because = match because {
        Because::Fact => Invariant::new(from.aig.n_vars()),
        Because::Invariant(invariant) => invariant,
        Because::Inductive => substituted.equalities(from.aig.n_vars()),
    };
    finish(from, substituted, because)
}

/// The same problem with gates replaced by what equals them, whatever latches and inputs are; and what has become of each node that is still there.
pub(crate) fn merged(from: &Safety, replaced: &VarMap<Option<Lit>>) -> (Safety, VarMap<Option<Lit>>) {
    let substituted = substitute(from, replaced);
    let (small, to_small) = substituted.safety.reduced();
    let mut down = VarMap::filled(from.aig.n_vars(), None);
    for var in (0..from.aig.n_vars()).map(Var::from_index) {
        down[var] = to_small.get(substituted.map[var]);
    }
    (small, down)
}

/// `from` as it is, and a way back that changes nothing: for a pass that has found nothing.
pub(crate) fn unchanged(from: &Safety) -> (Safety, Box<dyn Raise>) {
    (from.clone(), Box::new(Stack::new()))
}

/// `from` with each gate made by `and`, and reduced to the cone of influence.
///
/// `and` returns a literal that equals the conjunction, and makes no other gate than that: so every gate after the pass is
/// some gate before.
pub(crate) fn rewrite(from: &Safety, and: impl FnMut(&mut Aig, Lit, Lit) -> Lit) -> (Safety, Box<dyn Raise>) {
    let nothing = VarMap::filled(from.aig.n_vars(), None);
    finish(from, substitute_with(from, &nothing, and), Invariant::new(from.aig.n_vars()))
}

fn finish(from: &Safety, substituted: Substituted, because: Invariant) -> (Safety, Box<dyn Raise>) {
    let (small, to_small) = substituted.safety.reduced();
    let down = |v: Var| to_small.get(substituted.map[v]);

    let up = small.origins(from, down);
    let position = |vars: &mut dyn Iterator<Item = Var>| {
        let mut position = vec![None; small.aig.n_vars()];
        for (i, var) in vars.enumerate() {
            position[var.index()] = Some(i);
        }
        position
    };
    let latch_at = position(&mut small.latches.iter().map(|l| l.var));
    let input_at = position(&mut small.inputs.iter().copied());
    let initial = |latch: &StateVar| match down(latch.var) {
        Some(lit) if !lit.is_const() => match latch_at[lit.var().index()] {
            Some(i) => Initial::Latch { position: i, negated: lit.is_negated() },
            None => Initial::Value(latch.init.unwrap_or(false)),
        },
        _ => Initial::Value(latch.init.unwrap_or(false)),
    };
    let mut position_before = vec![usize::MAX; from.aig.n_vars()];
    for (i, latch) in from.latches.iter().enumerate() {
        position_before[latch.var.index()] = i;
    }
    let renaming = Renaming {
        initial: from.latches.iter().map(initial).collect(),
        inputs: from.inputs.iter().map(|&v| down(v).and_then(|l| input_at[l.var().index()])).collect(),
        latches: small.latches.iter().map(|l| position_before[up[l.var].var().index()]).collect(),
        down: (0..from.aig.n_vars()).map(|v| down(Var::from_index(v))).collect(),
        up,
        because,
    };
    (small, Box::new(renaming))
}

/// The whole problem with replacements applied and structural hashing.
struct Substituted {
    safety: Safety,
    /// What became of each node.
    map: VarMap<Lit>,
    /// Replacements that do not follow from the others by structure.
    essential: Vec<(Var, Lit)>,
}

impl Substituted {
    /// "Replaced nodes equal their replacements." Those that follow from others need not be said.
    fn equalities(&self, n_vars: usize) -> Invariant {
        let mut invariant = Invariant::new(n_vars);
        for &(var, by) in &self.essential {
            let var = Lit::positive(var);
            if !by.is_const() {
                invariant.add(Clause::new([var, !by]));
                invariant.add(Clause::new([!var, by]));
            } else {
                invariant.add(Clause::new([var ^ (by == Lit::FALSE)]));
            }
        }
        invariant
    }
}

fn substitute(from: &Safety, replaced: &VarMap<Option<Lit>>) -> Substituted {
    substitute_with(from, replaced, Aig::and)
}

fn substitute_with(
    from: &Safety,
    replaced: &VarMap<Option<Lit>>,
    mut and: impl FnMut(&mut Aig, Lit, Lit) -> Lit,
) -> Substituted {
    let mut aig = Aig::new();
    let mut map = VarMap::filled(from.aig.n_vars(), Lit::FALSE);
    let mut essential = Vec::new();
    let inputs: Vec<Var> = from
        .inputs
        .iter()
        .map(|&v| {
            map[v] = aig.leaf();
            map[v].var()
        })
        .collect();
    let (gone, kept): (Vec<&StateVar>, Vec<&StateVar>) =
        from.latches.iter().partition(|l| replaced[l.var].is_some());
    for latch in &kept {
        map[latch.var] = aig.leaf();
    }
    for latch in gone {
        let by = replaced[latch.var].expect("partitioned by this");
        map[latch.var] = map.lit(by);
        essential.push((latch.var, by));
    }
    for (gate, [a, b]) in from.aig.ands() {
        let built = and(&mut aig, map.lit(a), map.lit(b));
        map[gate] = match replaced[gate] {
            Some(by) if map.lit(by) != built => {
                essential.push((gate, by));
                map.lit(by)
            }
            _ => built,
        };
    }
    let latch = |l: &&StateVar| StateVar { var: map[l.var].var(), next: map.lit(l.next), init: l.init };
    let latches = kept.iter().map(latch).collect();
    let constraints = normal_constraints(from.constraints.iter().map(|&c| map.lit(c)));
    let also = from.also.iter().map(|&l| map.lit(l)).collect();
    let safety = Safety { aig, inputs, latches, bad: map.lit(from.bad), also, constraints };
    Substituted { safety, map, essential }
}

/// True constraints say nothing; equal ones say it twice.
fn normal_constraints(constraints: impl Iterator<Item = Lit>) -> Vec<Lit> {
    let mut constraints: Vec<Lit> = constraints.filter(|&c| c != Lit::TRUE).collect();
    constraints.sort_unstable();
    constraints.dedup();
    constraints
}

/// Where the initial value of a latch before the pass comes from.
enum Initial {
    /// From a latch after the pass.
    Latch { position: usize, negated: bool },
    /// It is this.
    Value(bool),
}

/// The way back along a renaming of nodes.
struct Renaming {
    /// Every node after the pass as a literal of the problem before.
    up: VarMap<Lit>,
    /// Every node before the pass as a literal of the problem after, if it is still there.
    down: Vec<Option<Lit>>,
    /// Inductive in the problem before, and implies that replaced latches equal their replacement.
    because: Invariant,
    initial: Vec<Initial>,
    /// For each input before, its position after, if it is still there.
    inputs: Vec<Option<usize>>,
    /// For each latch after, its position before.
    latches: Vec<usize>,
}

impl Renaming {
    fn invariant(&self, small: &Invariant) -> Invariant {
        let mut raised = self.because.clone();
        small.conjoin_to(&mut raised, |v| self.up[v]);
        raised
    }
    fn latches(&self, small: &[usize]) -> Vec<usize> {
        let mut raised: Vec<usize> = small.iter().map(|&i| self.latches[i]).collect();
        raised.sort_unstable();
        raised
    }
}

impl Raise for Renaming {
    fn trace(&self, trace: Trace) -> Trace {
        let initial = |i: &Initial| match *i {
            Initial::Latch { position, negated } => trace.initial[position] ^ negated,
            Initial::Value(value) => value,
        };
        let row = |row: &Vec<bool>| self.inputs.iter().map(|i| i.is_some_and(|i| row[i])).collect();
        Trace {
            initial: self.initial.iter().map(initial).collect(),
            inputs: trace.inputs.iter().map(row).collect(),
            loops_to: trace.loops_to,
        }
    }
    fn proof(&self, proof: Proof) -> Proof {
        let n_vars = self.because.n_vars();
        proof.map(
            |invariant| self.invariant(&invariant),
            |latches| self.latches(&latches),
            |ranked| ranked.carried(n_vars, |v| self.up[v]).strengthened(&self.because),
        )
    }
    fn up(&self, node: Var) -> Option<Lit> {
        Some(self.up[node])
    }
    fn down(&self, node: Var) -> Option<Lit> {
        self.down[node.index()]
    }
}
