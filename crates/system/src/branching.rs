//! A circuit as a graph of states in which formulas of computation tree logic are judged, and why one holds or fails there.
//!
//! A state is what the latches hold; a step chooses inputs that the constraints allow. Inputs that an atom of the formula or a reset function depends on are *shown*: they are part
//! of the state, and the step before has chosen them. Paths are infinite and *fair*: they see each fairness signal of the model infinitely often. A state from which there is no fair path is
//! none that counts: no operator looks at it, and if it is initial, nothing is claimed of it.
//!
//! A proof has two sets of states for each temporal operator of the formula, in which it holds and in which it does not, and why. All of it can be checked by queries
//! that choose nothing: where a set claims that there is a step, a [`Choice`] says which inputs it has.

use crate::{BitSystem, Ctl, CtlId, CtlNode, Invariant, Ranked, Safety, StateVar};
use indubit_aig::{Aig, Cone};
use indubit_logic::{Lit, Var};
use std::fmt;

/// A circuit as a graph of states, with a formula about them.
#[derive(Clone, Debug)]
pub struct Branching {
    /// The circuit. All latches are free initially; nothing is bad; its other roots are the atoms of the formula, and then the fairness signals. Its nodes
    /// begin with those of the model, and its latches with those of the model.
    pub circuit: Safety,
    /// Latches that have an initial value, and that value: a constant, or an edge that depends on latches only.
    pub resets: Vec<(Lit, Lit)>,
    /// "The state is initial", which is that all of them have it.
    pub initially: Lit,
    /// The formula. Its atoms are edges that depend on latches only.
    pub formula: Ctl<Lit>,
    /// What fair paths see infinitely often; may depend on inputs.
    pub fairness: Vec<Lit>,
    /// The inputs of the model that are latches here, by their positions: they come after the latches of the model.
    pub shown: Vec<usize>,
}

impl Branching {
    /// The graph of a model that is as its type wants it, and a formula about it.
    pub fn new(model: &BitSystem, formula: &Ctl<Lit>) -> Branching {
        let mut aig = model.aig().clone();
        let with_function = model.latches().iter().filter(|latch| latch.has_reset_function());
        let mut cone = Cone::new();
        cone.collect(&aig, formula.atoms().iter().copied().chain(with_function.map(|latch| latch.reset)));
        let is_shown = |&input: &usize| cone.contains(model.inputs()[input].lit.var());
        let (shown, hidden): (Vec<usize>, Vec<usize>) = (0..model.inputs().len()).partition(is_shown);
        let var = |&input: &usize| model.inputs()[input].lit.var();
        let mut inputs: Vec<Var> = hidden.iter().map(var).collect();
        let latch = |var, next| StateVar { var, next, init: None };
        let mut latches: Vec<StateVar> = model.latches().iter().map(|l| latch(l.var, l.next)).collect();
        for input in &shown {
            let next = aig.leaf();
            inputs.push(next.var());
            latches.push(latch(var(input), next));
        }
        let resets = model.latches().iter().filter(|latch| !latch.is_uninitialised());
        let resets: Vec<(Lit, Lit)> = resets.map(|l| (Lit::positive(l.var), l.reset)).collect();
        let initially = initial(&mut aig, &resets);
        let fairness: Vec<Lit> = model.fairness.iter().map(|signal| signal.lit).collect();
        let constraints = model.constraints.iter().map(|signal| signal.lit).collect();
        let also = formula.atoms().iter().chain(&fairness).copied().collect();
        let circuit = Safety { aig, inputs, latches, bad: Lit::FALSE, also, constraints };
        Branching { circuit, resets, initially, formula: formula.clone(), fairness, shown }
    }
    /// The temporal operators of the formula, each after those it is made of.
    pub fn operators(&self) -> impl DoubleEndedIterator<Item = CtlId> + '_ {
        self.formula.ids().filter(|&id| is_temporal(self.formula.node(id)))
    }
    /// What a path has to see infinitely often, one signal at least: *true* if nothing is asked of it.
    pub fn signals(&self) -> Vec<Lit> {
        if self.fairness.is_empty() { vec![Lit::TRUE] } else { self.fairness.clone() }
    }
    /// Is every path of the circuit fair, and does every state have one, as can be seen at once?
    pub fn is_total(&self) -> bool {
        self.circuit.constraints.is_empty() && self.fairness.is_empty()
    }
    /// The values of the latches of the model, and of all its inputs as far as they are shown, in a state: a row of each.
    pub fn model_state(&self, state: &[bool], n_inputs: usize) -> (Vec<bool>, Vec<Option<bool>>) {
        let n_latches = self.circuit.latches.len() - self.shown.len();
        let mut inputs = vec![None; n_inputs];
        for (&input, &value) in self.shown.iter().zip(&state[n_latches..]) {
            inputs[input] = Some(value);
        }
        (state[..n_latches].to_vec(), inputs)
    }
}

/// "Each of these latches has its initial value."
pub(crate) fn initial(aig: &mut Aig, resets: &[(Lit, Lit)]) -> Lit {
    let each: Vec<Lit> = resets.iter().map(|&(latch, reset)| aig.iff(latch, reset)).collect();
    aig.and_all(each)
}

/// Is a node a temporal operator?
fn is_temporal(node: CtlNode) -> bool {
    matches!(node, CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_))
}

/// Which inputs a step has, and how far it is from where it leads: functions of the state.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Choice {
    /// A value for each input of the circuit.
    pub inputs: Vec<Lit>,
    /// The digits of a number, the least significant first: it gets smaller in the step.
    pub rank: Vec<Lit>,
}

/// States from which no fair path stays among those in which what is inside the operator does not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// These states.
    pub states: Lit,
    /// Why: about the circuit of the graph, from these states on, outside of those that are stuck before these, and of those in which what is inside the operator fails.
    pub why: Ranked,
}

/// What is known of a temporal operator: that it holds in some states, and does not in others. Nothing is said about states that cannot be reached, or from which there is no fair path.
///
/// - `EX p` holds where the choice leads to a fair state in which `p` holds. It does not where no step leads to a fair state in which `p` may hold.
/// - `E [p U q]` holds where `q` does, and the state is fair; and elsewhere, if `p` holds there, the choice leads to states in which it holds, and the rank gets smaller. It does not in a set of states
///   in which `q` does not hold, and from which steps from states in which `p` may hold lead to states of that set again, or to those without a fair path.
/// - `EG p` holds in a set of states in which `p` does; for each fairness signal there is a choice that stays in that set, and in which the signal is seen or the rank gets smaller.
///   It does not where a path is [`Stuck`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It holds in these states.
    pub yes: Lit,
    /// It does not hold in these.
    pub no: Lit,
    /// How `yes` goes on: one choice, or of `EG` one for each of [`Branching::signals`]. None if nothing is in `yes`.
    pub choices: Vec<Choice>,
    /// Why `EG` does not hold: each state of `no` is in one of these sets.
    pub stuck: Vec<Stuck>,
}

impl Default for Bounds {
    /// Nothing is known.
    fn default() -> Bounds {
        Bounds { yes: Lit::FALSE, no: Lit::FALSE, choices: Vec::new(), stuck: Vec::new() }
    }
}

/// Why a formula of computation tree logic holds in all initial states of a [`Branching`], or fails in one.
///
/// Literals are nodes of its circuit, and additional gates of [`with`](CtlProof::with); sets depend on latches only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlProof {
    /// Additional gates; its clauses hold in all states that can be reached, and are inductive.
    pub with: Invariant,
    /// What is known of `EG true`: which states have a fair path.
    pub fair: Bounds,
    /// What is known of each of [`Branching::operators`], in their order.
    pub operators: Vec<Bounds>,
    /// An initial state with a fair path in which the formula does not hold; if there is none, it holds in all.
    pub fails_in: Option<Vec<bool>>,
}

impl CtlProof {
    /// A proof about a graph that says nothing yet, but that all states are fair where that is seen at once.
    pub fn new(of: &Branching) -> CtlProof {
        let mut fair = Bounds::default();
        if of.is_total() {
            fair.yes = Lit::TRUE;
            fair.choices =
                vec![Choice { inputs: vec![Lit::FALSE; of.circuit.inputs.len()], rank: Vec::new() }];
        }
        let operators = vec![Bounds::default(); of.operators().count()];
        CtlProof { with: Invariant::new(of.circuit.aig.n_vars()), fair, operators, fails_in: None }
    }
    /// Does the formula hold?
    pub fn holds(&self) -> bool {
        self.fails_in.is_none()
    }
    /// For each node of the formula the states in which it is known to hold, and in which it is known not to: as gates made by `and`.
    pub fn sets(&self, formula: &Ctl<Lit>, and: impl FnMut(Lit, Lit) -> Lit) -> Vec<[Lit; 2]> {
        let mut operators = self.operators.iter();
        let of_next = |_: usize, _: &[[Lit; 2]], _: &mut dyn FnMut(Lit, Lit) -> Lit| {
            operators.next().map_or([Lit::FALSE; 2], |bounds| [bounds.yes, bounds.no])
        };
        known_sets(formula, formula.nodes().len(), and, of_next)
    }
}

/// For each of the first nodes of a formula the states in which it is known to hold, and in which it is known not to, as gates made by `and`. What is known of a temporal operator says `operator`,
/// from its position, the sets of the nodes before it, and `and`.
pub fn known_sets(
    formula: &Ctl<Lit>,
    n_nodes: usize,
    mut and: impl FnMut(Lit, Lit) -> Lit,
    mut operator: impl FnMut(usize, &[[Lit; 2]], &mut dyn FnMut(Lit, Lit) -> Lit) -> [Lit; 2],
) -> Vec<[Lit; 2]> {
    let mut sets: Vec<[Lit; 2]> = Vec::with_capacity(n_nodes);
    for (i, node) in formula.nodes().iter().take(n_nodes).enumerate() {
        let set = match *node {
            CtlNode::True => [Lit::TRUE, Lit::FALSE],
            CtlNode::Atom(number) => {
                let atom = formula.atoms()[number as usize];
                [atom, !atom]
            }
            CtlNode::Not(a) => {
                let [yes, no] = sets[a.index()];
                [no, yes]
            }
            CtlNode::And(a, b) => {
                let ([yes, no], [also, nor]) = (sets[a.index()], sets[b.index()]);
                [and(yes, also), !and(!no, !nor)]
            }
            CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => {
                operator(i, &sets, &mut and)
            }
        };
        sets.push(set);
    }
    sets
}

/// A proof in a few words.
impl fmt::Display for CtlProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.operators.iter().filter(|b| b.yes != Lit::FALSE || b.no != Lit::FALSE).count();
        let sets = if n == 1 { "operator" } else { "operators" };
        match self.holds() {
            true => write!(f, "sets of states for {n} {sets}"),
            false => write!(f, "an initial state, and sets of states for {n} {sets}"),
        }
    }
}
