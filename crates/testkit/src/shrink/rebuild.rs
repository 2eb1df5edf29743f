//! A model with edits applied, built anew.

use super::edit::{Edit, Section};
use indubit_logic::{Lit, Var, VarMap};
use indubit_system::{BitSystem, Justice, Latch, Name, Signal};

/// How much of the model's shape is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Only what properties and constraints depend on, simplified and hashed.
    Hashed,
    /// Only what properties and constraints depend on, gate by gate.
    Needed,
    /// Everything that no edit removed, gate by gate.
    Everything,
}

impl Style {
    /// A model whose failure depends on its shape may not fail in the first of these.
    pub(super) const STRICTEST_FIRST: [Style; 3] = [Style::Hashed, Style::Needed, Style::Everything];
}

/// The signals of a justice property, as far as they are left, and its name.
type Set = (Vec<Option<Lit>>, Option<Name>);

/// What the edits make of the model, still in terms of its own nodes.
struct Edited {
    replace: VarMap<Option<Lit>>,
    free: VarMap<bool>,
    latches: Vec<Latch>,
    /// Outputs, bads, constraints, fairness.
    signals: [Vec<Option<Signal>>; 4],
    justice: Vec<Option<Set>>,
    symbols: bool,
    comment: bool,
}

impl Edited {
    fn new(system: &BitSystem, edits: &[Edit]) -> Edited {
        let slots = |j: &Justice| (j.lits.iter().copied().map(Some).collect(), j.name.clone());
        let all = |signals: &[Signal]| signals.iter().cloned().map(Some).collect::<Vec<_>>();
        let mut edited = Edited {
            replace: VarMap::filled(system.aig().n_vars(), None),
            free: VarMap::filled(system.aig().n_vars(), false),
            latches: system.latches().to_vec(),
            signals: [&system.outputs, &system.bads, &system.constraints, &system.fairness].map(|s| all(s)),
            justice: system.justice.iter().map(slots).map(Some).collect(),
            symbols: true,
            comment: true,
        };
        for &edit in edits {
            edited.apply(edit);
        }
        edited
    }
    fn apply(&mut self, edit: Edit) {
        match edit {
            Edit::Replace(var, by) => self.replace[var] = Some(by),
            Edit::Free(var) => self.free[var] = true,
            Edit::Next(i, next) => self.latches[i].next = next,
            Edit::Reset(i, reset) => self.latches[i].reset = reset,
            Edit::Drop(Section::Justice, i) => self.justice[i] = None,
            Edit::Drop(Section::Within(property), i) => {
                if let Some((lits, _)) = &mut self.justice[property] {
                    lits[i] = None;
                }
            }
            Edit::Drop(section, i) => self.signals[position(section)][i] = None,
            Edit::Signal(Section::Within(property), i, by) => {
                if let Some((lits, _)) = &mut self.justice[property]
                    && let Some(lit) = &mut lits[i]
                {
                    *lit = by;
                }
            }
            Edit::Signal(section, i, lit) => {
                if let Some(signal) = &mut self.signals[position(section)][i] {
                    signal.lit = lit;
                }
            }
            Edit::Anonymous => self.symbols = false,
            Edit::NoComment => self.comment = false,
        }
    }
    fn name(&self, name: &Option<Name>) -> Option<Name> {
        name.clone().filter(|_| self.symbols)
    }
    /// What stands in place of an edge. Ends, because a node is replaced by an earlier one only.
    fn resolve(&self, mut lit: Lit) -> Lit {
        while let Some(by) = self.replace[lit.var()] {
            lit = by ^ lit.is_negated();
        }
        lit
    }
    /// The edges that properties and constraints are made of.
    fn roots(&self) -> impl Iterator<Item = Lit> {
        let signals = self.signals.iter().flatten().flatten().map(|s| s.lit);
        signals.chain(self.justice.iter().flatten().flat_map(|(lits, _)| lits.iter().copied().flatten()))
    }
    /// The nodes that the roots depend on, now or later or initially.
    fn needed(&self, system: &BitSystem) -> VarMap<bool> {
        let mut needed = VarMap::filled(system.aig().n_vars(), false);
        let mut stack: Vec<Lit> = self.roots().collect();
        while let Some(lit) = stack.pop() {
            let var = self.resolve(lit).var();
            if std::mem::replace(&mut needed[var], true) {
                continue;
            }
            if let Some(fanins) = system.aig().fanins(var) {
                stack.extend(fanins);
            } else if let Ok(i) = self.latches.binary_search_by_key(&var, |l| l.var)
                && !self.free[var]
            {
                stack.extend([self.latches[i].next, self.latches[i].reset]);
            }
        }
        needed
    }
}

fn position(section: Section) -> usize {
    match section {
        Section::Output => 0,
        Section::Bad => 1,
        Section::Constraint => 2,
        Section::Fairness => 3,
        Section::Justice | Section::Within(_) => unreachable!("justice properties are kept apart"),
    }
}

/// Apply `edits` to `system`, later ones winning over earlier ones, and build the result in the given style.
pub(super) fn rebuild(system: &BitSystem, edits: &[Edit], style: Style) -> BitSystem {
    let built = build(system, &Edited::new(system, edits), style);
    match style {
        // Simplification leaves gates behind that nothing reads any more.
        Style::Hashed => build(&built, &Edited::new(&built, &[]), style),
        _ => built,
    }
}

fn build(system: &BitSystem, edited: &Edited, style: Style) -> BitSystem {
    let needed = edited.needed(system);
    let mut built = BitSystem::new();
    let mut map = VarMap::filled(system.aig().n_vars(), Lit::FALSE);
    let mut latches = Vec::new();
    for var in (1..system.aig().n_vars()).map(Var::from_index) {
        if edited.replace[var].is_some() || !(needed[var] || style == Style::Everything) {
            continue;
        }
        map[var] = if let Some([a, b]) = system.aig().fanins(var) {
            let (a, b) = (map.lit(edited.resolve(a)), map.lit(edited.resolve(b)));
            match style {
                Style::Hashed => built.aig_mut().and(a, b),
                _ => built.aig_mut().raw_and(a, b),
            }
        } else if let Ok(i) = edited.latches.binary_search_by_key(&var, |l| l.var) {
            let latch = &edited.latches[i];
            if edited.free[var] {
                built.push_input(edited.name(&latch.name))
            } else {
                latches.push(latch);
                built.push_latch(edited.name(&latch.name))
            }
        } else {
            let input = system.inputs().iter().find(|s| s.lit.var() == var);
            built.push_input(input.and_then(|s| edited.name(&s.name)))
        };
    }
    let edge = |lit: Lit| map.lit(edited.resolve(lit));
    for latch in latches {
        built.set_next(map[latch.var], edge(latch.next));
        built.set_reset(map[latch.var], edge(latch.reset));
    }
    let signal = |s: &Signal| Signal { lit: edge(s.lit), name: edited.name(&s.name) };
    let section = |signals: &Vec<Option<Signal>>| signals.iter().flatten().map(signal).collect();
    [built.outputs, built.bads, built.constraints, built.fairness] = edited.signals.each_ref().map(section);
    let lits = |slots: &[Option<Lit>]| slots.iter().flatten().map(|&l| edge(l)).collect();
    let justice = edited.justice.iter().flatten();
    built.justice =
        justice.map(|(slots, name)| Justice { lits: lits(slots), name: edited.name(name) }).collect();
    if edited.comment {
        built.comment = system.comment.clone();
    }
    built
}
