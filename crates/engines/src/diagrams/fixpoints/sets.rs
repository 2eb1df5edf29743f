//! The states in which each node of a formula holds, from the inside out.
//!
//! Sets are exact among the states that can be reached, and of no account elsewhere. If those are too many to be found, all states count as reached.

use crate::diagrams::space::Space;
use indubit_bdd::Bdd;
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Branching, Ctl, CtlId, CtlNode, FormulaNode};

/// The search for all states that can be reached may take so many steps of diagrams.
const MOST_STEPS: u64 = 60_000_000;
/// It may have this part of all nodes.
const REACH_PART: usize = 16;

/// What is known of a node of the formula.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// The states in which it holds; some of them if it is not exact.
    pub states: Bdd,
    pub is_exact: bool,
    /// Of `EU` the states that have so many steps to go, those of none first.
    pub rings: Vec<Bdd>,
    /// Of `EG` the states that were taken away, in this order.
    pub gone: Vec<Gone>,
}

impl Known {
    fn exact(states: Bdd) -> Known {
        Known { states, is_exact: true, rings: Vec::new(), gone: Vec::new() }
    }
}

/// States from which a signal is not seen any more, unless a path goes to sets before this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone {
    pub states: Bdd,
    pub signal: usize,
}

/// When enough is known of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When all is.
    Exact,
    /// When it holds in some initial state.
    Some,
    /// When it holds in all initial states.
    All,
}

/// The sets of a formula.
pub(super) struct Sets<'p> {
    pub space: Space<'p>,
    pub formula: &'p Ctl<Lit>,
    /// The functions of its atoms.
    atoms: Vec<Bdd>,
    /// What fair paths see, as functions of states and inputs.
    pub signals: Vec<Bdd>,
    pub is_total: bool,
    /// The initial states, and those of them that have a fair path.
    pub initial: Bdd,
    pub starts: Bdd,
    /// All states that count as reached.
    pub reached: Bdd,
    /// The states with a fair path.
    pub fair: Known,
    /// What is known of each node, if anything is.
    pub known: Vec<Option<Known>>,
}

impl<'p> Sets<'p> {
    /// With the reached states, and those that have a fair path.
    pub fn new(graph: &'p Branching, most: usize, run: &mut Run<'_>) -> Ask<Sets<'p>> {
        let mut wanted = graph.circuit.also.clone();
        wanted.push(graph.initially);
        let (mut space, roots) = Space::new(&graph.circuit, &wanted, most, run)?;
        let (atoms, others) = roots.split_at(graph.formula.atoms().len());
        let (signals, initially) = others.split_at(graph.fairness.len());
        let signals = if signals.is_empty() { vec![Bdd::TRUE] } else { signals.to_vec() };
        let initial = space.states_of(initially[0])?;
        space.hold(initial);
        let mut sets = Sets {
            space,
            formula: &graph.formula,
            atoms: atoms.to_vec(),
            signals,
            is_total: graph.is_total(),
            initial,
            starts: initial,
            reached: Bdd::TRUE,
            fair: Known::exact(Bdd::TRUE),
            known: vec![None; graph.formula.nodes().len()],
        };
        sets.reach(most, run)?;
        if !sets.is_total {
            sets.fair = sets.globally(Bdd::TRUE, run)?;
            let starts = sets.space.and(initial, sets.fair.states)?;
            sets.starts = sets.space.hold(starts);
        }
        Ok(sets)
    }
    /// The states that can be reached, if they are found soon enough.
    fn reach(&mut self, most: usize, run: &mut Run<'_>) -> Ask<()> {
        let before = self.space.allow(most / REACH_PART, Some(MOST_STEPS));
        let slot = self.space.slot();
        let found = self.forward(slot, run);
        self.space.allow(before, None);
        match found {
            Ok(states) => {
                self.reached = self.space.set(slot, states);
                self.space.stay_inside(states)?;
            }
            Err(Stop::Incomplete(_)) => self.space.release_from(slot),
            Err(stop) => return Err(stop),
        }
        Ok(())
    }
    fn forward(&mut self, slot: usize, run: &mut Run<'_>) -> Ask<Bdd> {
        let mut new = self.initial;
        let mut states = self.space.set(slot, new);
        let frontier = self.space.slot();
        let mut n_rings = 0u64;
        while new != Bdd::FALSE {
            run.checkpoint()?;
            run.spend(1);
            self.space.set(frontier, new);
            let image = self.space.image(new)?;
            self.space.set(frontier, image);
            new = self.space.minus(image, states)?;
            self.space.set(frontier, new);
            states = self.space.or(states, new)?;
            self.space.set(slot, states);
            n_rings += 1;
        }
        run.count("steps to all states", n_rings.saturating_sub(1));
        self.space.release_from(frontier);
        Ok(states)
    }

    /// Does the formula hold in all initial states from which there is a fair path? If not, a node that is true wherever the formula is, and such a state in which it is false.
    pub fn decide(&mut self, run: &mut Run<'_>) -> Ask<Option<(CtlId, Vec<bool>)>> {
        for id in self.conjuncts() {
            self.evaluate_below(id, run)?;
            let failing = match self.formula.node(id) {
                CtlNode::Not(a) if matches!(self.formula.node(a), CtlNode::ExistsUntil(..)) => {
                    let known = self.operator(a, Until::Some, run)?;
                    self.space.and(self.starts, known)?
                }
                _ => {
                    let holds = self.operator(id, Until::All, run)?;
                    self.space.minus(self.starts, holds)?
                }
            };
            if let Some((state, _)) = self.space.pick(failing) {
                return Ok(Some((id, state)));
            }
        }
        Ok(None)
    }
    /// The formula as a conjunction.
    pub fn conjuncts(&self) -> Vec<CtlId> {
        let (mut conjuncts, mut stack) = (Vec::new(), vec![self.formula.root()]);
        while let Some(id) = stack.pop() {
            match self.formula.node(id) {
                CtlNode::And(a, b) => stack.extend([b, a]),
                _ if !conjuncts.contains(&id) => conjuncts.push(id),
                _ => (),
            }
        }
        conjuncts
    }
    /// Find the exact sets of all that a node is made of; if it is a negation, of all that is inside of it.
    fn evaluate_below(&mut self, id: CtlId, run: &mut Run<'_>) -> Ask<()> {
        let mut is_part = vec![false; id.index() + 1];
        is_part[id.index()] = true;
        for i in self.formula.ids().rev().skip_while(|&i| i > id) {
            if is_part[i.index()] {
                self.formula.node(i).children().for_each(|child| is_part[child.index()] = true);
            }
        }
        let inner = match self.formula.node(id) {
            CtlNode::Not(a) => a,
            _ => id,
        };
        for i in self.formula.ids().take(id.index()) {
            if is_part[i.index()] && i != inner {
                self.operator(i, Until::Exact, run)?;
            }
        }
        Ok(())
    }
    /// The states in which a node holds whose parts are known.
    fn operator(&mut self, id: CtlId, until: Until, run: &mut Run<'_>) -> Ask<Bdd> {
        if let Some(known) = &self.known[id.index()]
            && known.is_exact
        {
            return Ok(known.states);
        }
        let known = match self.formula.node(id) {
            CtlNode::True => Known::exact(Bdd::TRUE),
            CtlNode::Atom(number) => {
                let (atom, reached) = (self.atoms[number as usize], self.reached);
                let simple = self.space.ask(&[atom, reached], |all| all.restrict(atom, reached))?;
                Known::exact(self.space.hold(simple))
            }
            CtlNode::Not(a) => {
                self.operator(a, Until::Exact, run)?;
                Known::exact(!self.states(a))
            }
            CtlNode::And(a, b) => {
                let (a, b) = (self.states(a), self.states(b));
                let both = self.space.and(a, b)?;
                Known::exact(self.space.hold(both))
            }
            CtlNode::ExistsNext(a) => {
                let base = self.space.slot();
                let target = self.target(self.states(a))?;
                self.space.set(base, target);
                let before = self.before(target)?;
                Known::exact(self.space.set(base, before))
            }
            CtlNode::ExistsUntil(a, b) => self.until(self.states(a), self.states(b), until, run)?,
            CtlNode::ExistsGlobally(a) => {
                let base = self.space.slot();
                let inside = self.target(self.states(a))?;
                self.space.set(base, inside);
                self.globally(inside, run)?
            }
        };
        let states = known.states;
        self.known[id.index()] = Some(known);
        Ok(states)
    }
    /// The states in which a node holds, which is known.
    pub fn states(&self, id: CtlId) -> Bdd {
        self.known[id.index()].as_ref().map_or(Bdd::FALSE, |known| known.states)
    }
    /// The reached states of a set that have a fair path.
    pub fn target(&mut self, set: Bdd) -> Ask<Bdd> {
        let fair = self.space.and(set, self.fair.states)?;
        self.space.and(fair, self.reached)
    }
    /// The reached states with a step into a set.
    fn before(&mut self, set: Bdd) -> Ask<Bdd> {
        let before = self.space.preimage(set, Bdd::TRUE)?;
        self.space.and(before, self.reached)
    }
    /// `E [a U b]`, ring by ring.
    fn until(&mut self, a: Bdd, b: Bdd, until: Until, run: &mut Run<'_>) -> Ask<Known> {
        let inside = self.space.and(a, self.reached)?;
        self.space.hold(inside);
        let target = self.target(b)?;
        self.space.hold(target);
        let slot = self.space.slot();
        let mut found = self.space.set(slot, target);
        let (mut rings, mut new) = (vec![target], target);
        let mut is_exact = false;
        while !self.is_enough(until, found)? {
            run.checkpoint()?;
            run.spend(1);
            let before = self.space.preimage(new, Bdd::TRUE)?;
            let before = self.space.and(before, inside)?;
            new = self.space.minus(before, found)?;
            if new == Bdd::FALSE {
                is_exact = true;
                break;
            }
            rings.push(self.space.hold(new));
            found = self.space.or(found, new)?;
            self.space.set(slot, found);
        }
        Ok(Known { states: found, is_exact, rings, gone: Vec::new() })
    }
    fn is_enough(&mut self, until: Until, found: Bdd) -> Ask<bool> {
        let starts = self.starts;
        Ok(match until {
            Until::Exact => false,
            Until::Some => self.space.and(starts, found)? != Bdd::FALSE,
            Until::All => self.space.minus(starts, found)? == Bdd::FALSE,
        })
    }
    /// The states of a set with a step into it, if all have one into it or `gone`. The operands are held.
    fn with_step(&mut self, set: Bdd, gone: Option<Bdd>) -> Ask<Bdd> {
        if let Some(gone) = gone
            && self.signals.len() == 1
        {
            // Only those with a step into what is gone can have none that stays.
            let base = self.space.slot();
            let near = self.space.preimage(gone, Bdd::TRUE)?;
            let near = self.space.and(near, set)?;
            self.space.set(base, near);
            if self.space.all.size(&[near]) * 2 < self.space.all.size(&[set]) {
                let staying = self.space.preimage(set, near)?;
                let lost = self.space.minus(near, staying)?;
                self.space.release_from(base);
                return self.space.minus(set, lost);
            }
            self.space.release_from(base);
        }
        let before = self.space.preimage(set, Bdd::TRUE)?;
        self.space.and(before, set)
    }
    /// The states of a set from which a fair path stays in it (Emerson, Lei). The set is held.
    fn globally(&mut self, inside: Bdd, run: &mut Run<'_>) -> Ask<Known> {
        let mut gone = Vec::new();
        let slot = self.space.slot();
        let inside = self.space.and(inside, self.reached)?;
        let mut left = self.space.set(slot, inside);
        let mut n_unchanged = 0;
        for signal in (0..self.signals.len()).cycle() {
            if left == Bdd::FALSE || n_unchanged == self.signals.len() {
                break;
            }
            let with = match self.signals[signal] {
                Bdd::TRUE => {
                    run.checkpoint()?;
                    run.spend(1);
                    self.with_step(left, gone.last().map(|last: &Gone| last.states))?
                }
                seen => self.space.with_way_to(seen, left, run)?,
            };
            n_unchanged += 1;
            if with != left {
                let next = self.space.slot();
                self.space.set(next, with);
                let states = self.space.minus(left, with)?;
                gone.push(Gone { states: self.space.hold(states), signal });
                left = self.space.set(slot, with);
                n_unchanged = 0;
            }
        }
        Ok(Known { gone, ..Known::exact(left) })
    }
}
