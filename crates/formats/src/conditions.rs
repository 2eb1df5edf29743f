//! Conditions on states of which an invariant holds, as short formulas.
//!
//! What the invariant says is true is left out, and of functions with few inputs the shortest formula is looked for; it says the same in all states in
//! which the invariant holds. What is still long is summed up, unless everything is wanted.

use crate::invariant_text::Printer;
use crate::minimize::{Cube, MOST_INPUTS, Table, cover};
use indubit_aig::Cone;
use indubit_logic::{Lit, Var};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Formulas of more characters than this are summed up.
const LONGEST_LINE: usize = 100;
/// So many clauses of an invariant are looked at.
const MOST_CLAUSES: usize = 1000;

/// What is taken to be true where conditions are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Nodes that have a known value.
    known: HashMap<Var, bool>,
    /// Edges that are true.
    edges: Vec<Lit>,
}

impl Context {
    /// Has this node a known value?
    pub fn is_known(&self, var: Var) -> bool {
        self.known.contains_key(&var)
    }
}

/// A condition in some context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Constant(bool),
    /// The formula, and lines that define what it mentions.
    Formula {
        text: String,
        definitions: String,
    },
    /// What it is about: it is too long.
    Long(String),
}

/// Writes conditions.
pub(crate) struct Conditions {
    pub printer: Printer,
    /// Long formulas are summed up.
    pub sums_up: bool,
}

impl Conditions {
    /// The context in which all of these are true, too.
    pub fn assume(&mut self, context: &Context, edges: &[Lit]) -> Context {
        let mut context = context.clone();
        let room = (MOST_CLAUSES + edges.len()).saturating_sub(context.edges.len());
        context.edges.extend(edges.iter().rev().take(room));
        loop {
            let before = context.known.len();
            let mut open = std::mem::take(&mut context.edges);
            let (mut kept, mut opened) = (Vec::new(), HashSet::new());
            while let Some(lit) = open.pop() {
                let lit = self.reduced(&context, lit);
                if lit.is_const() || !opened.insert(lit) {
                    continue;
                }
                match self.printer.fanins(lit.var()) {
                    // A conjunction that is true is so in all its parts.
                    Some(parts) if !lit.is_negated() => open.extend(parts),
                    Some(_) => kept.push(lit),
                    None => {
                        context.known.insert(lit.var(), !lit.is_negated());
                    }
                }
            }
            context.edges = kept;
            if context.known.len() == before {
                return context;
            }
        }
    }

    /// The edge with the values of nodes that are known.
    pub fn reduced(&mut self, context: &Context, root: Lit) -> Lit {
        if context.known.is_empty() {
            return root;
        }
        let mut cone = Cone::new();
        let mut vars = cone.collect(&self.printer.aig, [root]).to_vec();
        vars.sort_unstable();
        let mut map: HashMap<Var, Lit> = HashMap::new();
        for var in vars {
            let lit = match (context.known.get(&var), self.printer.fanins(var)) {
                (Some(&value), _) => Lit::FALSE ^ value,
                (None, Some([a, b])) => {
                    let [a, b] = [a, b].map(|l| map.get(&l.var()).map_or(l, |&m| m ^ l.is_negated()));
                    self.printer.aig.and(a, b)
                }
                (None, None) => Lit::positive(var),
            };
            map.insert(var, lit);
        }
        map.get(&root.var()).map_or(root, |&m| m ^ root.is_negated())
    }

    /// What an edge is in a context.
    pub fn condition(&mut self, context: &Context, root: Lit) -> Condition {
        let root = self.reduced(context, root);
        if root.is_const() {
            return Condition::Constant(root == Lit::TRUE);
        }
        let mut texts: Vec<String> = self.printer.short(root).into_iter().collect();
        if let Some((leaves, must, may)) = self.tables(context, root) {
            if must.is_false() || may.not().is_false() {
                return Condition::Constant(!must.is_false());
            }
            let [yes, no] = [cover(&must, &may), cover(&may.not(), &must.not())];
            texts.extend(yes.map(|cubes| self.cubes(&leaves, &cubes, true)));
            texts.extend(no.map(|cubes| self.cubes(&leaves, &cubes, false)));
        }
        let longest = if self.sums_up { LONGEST_LINE } else { usize::MAX };
        let shortest = texts.into_iter().min_by_key(|text| text.chars().count());
        match shortest.filter(|text| text.chars().count() <= longest) {
            Some(text) => Condition::Formula { text, definitions: String::new() },
            None if self.sums_up => Condition::Long(self.printer.summary(root)),
            None => {
                let whole = self.printer.defined(root, None);
                let (text, definitions) = whole.split_once('\n').unwrap_or((&whole, ""));
                Condition::Formula { text: text.into(), definitions: definitions.into() }
            }
        }
    }

    /// The leaves of an edge, where it must be true and where it may be, if there are few of them.
    fn tables(&mut self, context: &Context, root: Lit) -> Option<(Vec<Var>, Table, Table)> {
        let leaves = self.leaves(root)?;
        let is_root = self.table(&leaves, root);
        let mut cares = Table::constant(leaves.len(), true);
        for i in 0..context.edges.len() {
            let edge = self.reduced(context, context.edges[i]);
            let own = self.leaves(edge).filter(|own| own.iter().all(|leaf| leaves.contains(leaf)));
            if own.is_some() {
                cares = cares.and(&self.table(&leaves, edge));
            }
        }
        let (must, may) = (is_root.and(&cares), is_root.not().and(&cares).not());
        Some((leaves, must, may))
    }

    fn leaves(&self, root: Lit) -> Option<Vec<Var>> {
        let mut cone = Cone::new();
        let mut leaves = BTreeSet::new();
        for &var in cone.collect(&self.printer.aig, [root]) {
            if var.index() > 0 && self.printer.fanins(var).is_none() {
                leaves.insert(var);
                if leaves.len() > MOST_INPUTS {
                    return None;
                }
            }
        }
        Some(leaves.into_iter().collect())
    }

    fn table(&self, leaves: &[Var], root: Lit) -> Table {
        let mut cone = Cone::new();
        let mut vars = cone.collect(&self.printer.aig, [root]).to_vec();
        vars.sort_unstable();
        let mut tables: HashMap<Var, Table> = HashMap::new();
        let never = Table::constant(leaves.len(), false);
        let value = |tables: &HashMap<Var, Table>, lit: Lit| {
            let table = tables.get(&lit.var()).unwrap_or(&never);
            if lit.is_negated() { table.not() } else { table.clone() }
        };
        for var in vars {
            let table = match (self.printer.fanins(var), leaves.binary_search(&var)) {
                (Some([a, b]), _) => value(&tables, a).and(&value(&tables, b)),
                (None, Ok(i)) => Table::input(leaves.len(), i),
                (None, Err(_)) => never.clone(),
            };
            tables.insert(var, table);
        }
        value(&tables, root)
    }

    /// The disjunction of cubes, or its negation.
    fn cubes(&self, leaves: &[Var], cubes: &[Cube], sign: bool) -> String {
        let [inner, outer] = if sign { [" & ", " | "] } else { [" | ", " & "] };
        let cube = |cube: &Cube| {
            let literal = |&(leaf, value): &(usize, bool)| {
                let lit = leaves[leaf].lit(value != sign);
                self.printer.labels.get(&lit.var()).map_or_else(|| "?".into(), |label| label.of(lit))
            };
            let literals: Vec<String> = cube.iter().map(literal).collect();
            match cubes.len() > 1 && literals.len() > 1 {
                true => format!("({})", literals.join(inner)),
                false => literals.join(inner),
            }
        };
        cubes.iter().map(cube).collect::<Vec<_>>().join(outer)
    }

    /// The edges whose disjunction this is.
    pub fn disjuncts(&self, root: Lit) -> Vec<Lit> {
        let mut open = vec![root];
        let mut lits = Vec::new();
        while let Some(lit) = open.pop() {
            let is_named = self.printer.labels.contains_key(&lit.var());
            match self.printer.fanins(lit.var()).filter(|_| lit.is_negated() && !is_named) {
                Some([a, b]) => open.extend([!b, !a]),
                None if lits.contains(&lit) => (),
                None => lits.push(lit),
            }
        }
        lits
    }
}
