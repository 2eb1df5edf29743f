//! An invariant for people: one lemma a line, with the user's names, the shortest first.
//!
//! A clause of one literal is an assignment (`busy = 0`), two clauses that make two literals equal or different
//! are one lemma (`a = b`, `a != b`), everything else a disjunction (`!grant0 | !grant1`). A clause that is a conjunction
//! comes apart into its conjuncts. Other gates are written out as formulas; those that would be long get a name
//! and a definition below.

use crate::signals::{Bit, leaf, split_index};
use indubit_aig::{Aig, Cone};
use indubit_logic::{Lit, Var};
use indubit_system::{BitSystem, Invariant};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// Formulas of more leaves than this get a name.
const LONGEST_FORMULA: usize = 12;
/// A clause is compared with so many others.
const MOST_COMPARED: usize = 1000;
/// So many names say what a formula is about.
const MOST_NAMES: usize = 6;

/// The text of `invariant`, an invariant of `model`; at most `limit` lemmas and `limit` definitions if there
/// is one. The trivial invariant is the line `true`.
///
/// ```
/// use indubit_formats::invariant_text::write;
/// use indubit_logic::Clause;
/// use indubit_system::{BitSystem, Invariant};
/// let mut model = BitSystem::new();
/// let [a, b] = ["grant0", "grant1"].map(|n| model.add_latch(n, Some(false)));
/// let mut invariant = Invariant::new(model.aig().n_vars());
/// invariant.add(Clause::new([!a, !b]));
/// assert_eq!(write(&model, &invariant, None), "!grant0 | !grant1\n");
/// ```
pub fn write(model: &BitSystem, invariant: &Invariant, limit: Option<usize>) -> String {
    Printer::new(model).invariant(invariant, limit)
}

/// The number of lemmas in the text of an invariant, over bits or words: those that are printed and those that are left out. Definitions of
/// gates, which follow, do not count.
pub fn n_lemmas(text: &str) -> usize {
    let is_lemma = |line: &&str| !line.starts_with("where gate") && *line != "… more definitions";
    let count = |line: &str| match line.strip_prefix("… ").and_then(|l| l.strip_suffix(" more lemmas")) {
        Some(more) => more.parse().unwrap_or(1),
        None => 1,
    };
    text.lines().take_while(is_lemma).map(count).sum()
}

/// The text of one edge of the circuit of `model`: a formula, and below it the definitions of gates that got a name,
/// at most `limit` of them if there is one.
///
/// ```
/// use indubit_formats::invariant_text::formula;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// let [a, b, c] = ["a", "b", "c"].map(|n| model.add_input(n));
/// let either = model.aig_mut().or(a, !b);
/// let root = model.aig_mut().and(either, c);
/// assert_eq!(formula(&model, root, None), "c & (a | !b)\n");
/// ```
pub fn formula(model: &BitSystem, root: Lit, limit: Option<usize>) -> String {
    Printer::new(model).defined(root, limit)
}

/// An invariant for programs: the definitions of gates that got a name, each after those it mentions, and then the lemmas.
/// `labels` says how nodes of the model are written, and `prefix` how the names of gates begin.
pub(crate) fn definitions_and_lemmas(
    model: &BitSystem,
    invariant: &Invariant,
    labels: HashMap<Var, Label>,
    prefix: &str,
) -> (Vec<(String, String)>, Vec<String>) {
    let mut printer = Printer::with_labels(model, labels, prefix);
    let clauses = printer.import(invariant);
    let lemmas = lemmas(printer.clauses(clauses));
    let lemmas = lemmas.iter().map(|lemma| printer.lemma(lemma)).collect();
    let mut definitions = BTreeMap::new();
    let mut next = 0;
    while let Some(&var) = printer.pending.get(next) {
        next += 1;
        // Operands of a gate come before it.
        definitions.insert(var, (printer.gate_name(var), printer.body(Lit::positive(var))));
    }
    (definitions.into_values().collect(), lemmas)
}

/// A line of the text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lemma {
    False,
    Unit(Lit),
    /// The two have equal values.
    Equal(Lit, Lit),
    Clause(Vec<Lit>),
}

impl Lemma {
    fn size(&self) -> usize {
        match self {
            Lemma::False => 0,
            Lemma::Unit(_) => 1,
            Lemma::Equal(..) => 2,
            Lemma::Clause(lits) => lits.len(),
        }
    }
}

/// Pairs of clauses that make an equivalence merged, the rest as it is, sorted by size.
fn lemmas(clauses: BTreeSet<Vec<Lit>>) -> Vec<Lemma> {
    let mut lemmas: Vec<Lemma> = Vec::new();
    for clause in &clauses {
        match clause[..] {
            [] => lemmas.push(Lemma::False),
            [a] => lemmas.push(Lemma::Unit(a)),
            // `a | b` and `!a | !b`; literals are sorted by variable, so the partner is spelled like this.
            [a, b] if clauses.contains(&vec![!a, !b]) => {
                if !a.is_negated() {
                    lemmas.push(Lemma::Equal(a, !b));
                }
            }
            _ => lemmas.push(Lemma::Clause(clause.clone())),
        }
    }
    lemmas.sort_by_key(Lemma::size);
    lemmas
}

/// The clauses without what others say: of two clauses the longer one, and literals that clauses of one literal make false.
fn needed(clauses: BTreeSet<Vec<Lit>>) -> BTreeSet<Vec<Lit>> {
    let mut units: HashSet<Lit> = HashSet::new();
    let mut left: Vec<Vec<Lit>> = clauses.iter().cloned().collect();
    loop {
        let before = units.len();
        units.extend(left.iter().filter(|clause| clause.len() == 1).map(|clause| clause[0]));
        if units.len() == before {
            break;
        }
        if units.iter().any(|&lit| units.contains(&!lit)) {
            return clauses;
        }
        for clause in left.iter_mut().filter(|clause| clause.len() > 1) {
            clause.retain(|&lit| !units.contains(&!lit));
        }
        // What is empty now contradicts the others; then they are better shown as they are.
        if left.iter().any(Vec::is_empty) {
            return clauses;
        }
        left.retain(|clause| clause.len() == 1 || !clause.iter().any(|lit| units.contains(lit)));
    }
    left.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<Lit>> = Vec::new();
    for clause in left {
        let is_part = |other: &&Vec<Lit>| other.iter().all(|lit| clause.contains(lit));
        if kept.iter().take(MOST_COMPARED).find(is_part).is_none() {
            kept.push(clause);
        }
    }
    kept.into_iter().collect()
}

/// What a node is called, or its negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub text: String,
    pub negated: bool,
}

impl Label {
    /// The text of an edge of the node.
    pub fn of(&self, lit: Lit) -> String {
        format!("{}{}", if lit.is_negated() == self.negated { "" } else { "!" }, self.text)
    }
}

/// Writes formulas.
pub(crate) struct Printer {
    /// The model's nodes, then the gates of the invariant, simplified.
    pub aig: Aig,
    pub labels: HashMap<Var, Label>,
    /// Formulas that are too long are summed up instead of defined.
    pub sums_up: bool,
    /// The names of gates begin like this.
    prefix: String,
    /// Number of leaves of a gate's formula, saturating just above the longest.
    sizes: HashMap<Var, usize>,
    /// Gates that got a name and still need a definition, and those that have been mentioned.
    pending: Vec<Var>,
    mentioned: HashSet<Var>,
}

impl Printer {
    pub fn new(model: &BitSystem) -> Printer {
        let mut labels = HashMap::new();
        let label = |lit: Lit, text: String| Label { text, negated: lit.is_negated() };
        for (i, input) in model.inputs().iter().enumerate() {
            let Bit { name, lit, .. } = leaf(model, input.lit.var(), input.name.as_ref());
            let text = name.map_or_else(|| format!("i{i}"), |n| quote(&n.to_string()));
            labels.insert(input.lit.var(), label(lit, text));
        }
        for (i, latch) in model.latches().iter().enumerate() {
            let Bit { name, lit, .. } = leaf(model, latch.var, latch.name.as_ref());
            // What is called so may be another edge.
            let name = name.filter(|_| lit.var() == latch.var);
            let text = name.map_or_else(|| format!("l{i}"), |n| quote(&n.to_string()));
            labels.insert(
                latch.var,
                label(Lit::positive(latch.var) ^ (lit == !Lit::positive(latch.var)), text),
            );
        }
        // Other names are those of gates, if nothing else is.
        let edges = [&model.outputs, &model.bads, &model.constraints].into_iter().flatten();
        let edges = edges.filter(|s| !s.lit.is_negated()).filter_map(|s| Some((s.lit, s.name.as_ref()?)));
        let aliases = model.naming.aliases().iter().map(|alias| (alias.lit, &alias.name));
        for (lit, name) in aliases.chain(edges).filter(|(lit, _)| !lit.is_const()) {
            labels.entry(lit.var()).or_insert_with(|| label(lit, quote(&name.to_string())));
        }
        Printer::with_labels(model, labels, "gate")
    }

    fn with_labels(model: &BitSystem, labels: HashMap<Var, Label>, prefix: &str) -> Printer {
        Printer {
            aig: model.aig().clone(),
            labels,
            sums_up: false,
            prefix: prefix.into(),
            sizes: HashMap::new(),
            pending: Vec::new(),
            mentioned: HashSet::new(),
        }
    }

    /// The text of an invariant; at most `limit` lemmas and `limit` definitions if there is one.
    pub fn invariant(&mut self, invariant: &Invariant, limit: Option<usize>) -> String {
        let limit = limit.unwrap_or(usize::MAX);
        let clauses = self.import(invariant);
        let lemmas = lemmas(needed(self.clauses(clauses)));
        let mut text = String::new();
        if lemmas.is_empty() {
            text.push_str("true\n");
        }
        for lemma in lemmas.iter().take(limit) {
            let line = self.lemma(lemma);
            text.push_str(&line);
            text.push('\n');
        }
        if lemmas.len() > limit {
            let _ = writeln!(text, "… {} more lemmas", lemmas.len() - limit);
        }
        self.definitions(&mut text, limit);
        text
    }

    /// The text of one edge and, below it, the definitions of gates that got a name.
    pub fn defined(&mut self, root: Lit, limit: Option<usize>) -> String {
        self.pending.clear();
        self.mentioned.clear();
        let mut text = match root {
            Lit::TRUE => "true".into(),
            Lit::FALSE => "false".into(),
            _ if self.labels.contains_key(&root.var()) => self.formula(root, false),
            _ => self.body(root),
        };
        text.push('\n');
        self.definitions(&mut text, limit.unwrap_or(usize::MAX));
        text
    }

    /// The text of an edge if it is one formula that is not long.
    pub fn short(&mut self, root: Lit) -> Option<String> {
        let is_short = self.labels.contains_key(&root.var()) || self.size(root.var()) <= LONGEST_FORMULA;
        is_short.then(|| self.formula(root, false))
    }

    /// What an edge is about: `answered, owner (31 gates)`.
    pub fn summary(&self, root: Lit) -> String {
        let mut cone = Cone::new();
        let vars = cone.collect(&self.aig, [root]);
        let n_gates = vars.iter().filter(|&&v| self.aig.fanins(v).is_some()).count();
        let mut leaves: Vec<Var> =
            vars.iter().copied().filter(|&v| v.index() > 0 && self.aig.fanins(v).is_none()).collect();
        leaves.sort_unstable();
        let mut names: Vec<&str> = Vec::new();
        for name in leaves.iter().filter_map(|leaf| self.labels.get(leaf)).map(|label| &label.text[..]) {
            // Bits of a word go by its name.
            let base = split_index(name).map_or(name, |(base, ..)| base);
            if !names.contains(&base) {
                names.push(base);
            }
        }
        let more = names.len().saturating_sub(MOST_NAMES);
        let more = if more > 0 { format!(", … {more} more") } else { String::new() };
        let gates = if n_gates == 1 { "gate" } else { "gates" };
        names.truncate(MOST_NAMES);
        format!("{}{more} ({n_gates} {gates})", names.join(", "))
    }

    fn gate_name(&self, var: Var) -> String {
        format!("{}{}", self.prefix, var.index())
    }

    fn lemma(&mut self, lemma: &Lemma) -> String {
        match lemma {
            Lemma::False => "false".into(),
            Lemma::Unit(lit) => match self.labels.get(&lit.var()) {
                Some(label) => format!("{} = {}", label.text, u8::from(lit.is_negated() == label.negated)),
                None => self.formula(*lit, false),
            },
            Lemma::Equal(a, b) => {
                let upright = self.upright(*b);
                let (sign, b) = if upright == *b { ("=", upright) } else { ("!=", upright) };
                format!("{} {sign} {}", self.formula(*a, true), self.formula(b, true))
            }
            Lemma::Clause(lits) => {
                let lits: Vec<String> = lits.iter().map(|&l| self.formula(l, true)).collect();
                lits.join(" | ")
            }
        }
    }

    /// The clauses of the invariant over nodes of the printer's circuit.
    fn import(&mut self, invariant: &Invariant) -> Vec<Vec<Lit>> {
        let mut gates: Vec<Lit> = Vec::with_capacity(invariant.gates().len());
        let resolve = |gates: &[Lit], lit: Lit| match lit.var().index().checked_sub(invariant.n_vars()) {
            Some(gate) => gates[gate] ^ lit.is_negated(),
            None => lit,
        };
        for &[a, b] in invariant.gates() {
            let gate = self.aig.and(resolve(&gates, a), resolve(&gates, b));
            gates.push(gate);
        }
        let clauses = invariant.clauses().iter();
        clauses.map(|c| c.lits().iter().map(|&l| resolve(&gates, l)).collect()).collect()
    }

    /// The clauses without duplicates and tautologies; disjunctions in a clause belong to it, and a clause that is
    /// a conjunction becomes several.
    fn clauses(&self, mut open: Vec<Vec<Lit>>) -> BTreeSet<Vec<Lit>> {
        let mut clauses = BTreeSet::new();
        let mut opened = HashSet::new();
        while let Some(clause) = open.pop() {
            let mut lits = BTreeSet::new();
            let mut rest = clause;
            while let Some(lit) = rest.pop() {
                let is_short = lits.len() + rest.len() < LONGEST_FORMULA;
                match self.fanins(lit.var()).filter(|_| lit.is_negated() && is_short && self.is_plain(lit)) {
                    Some([a, b]) => rest.extend([!a, !b]),
                    None if lit == Lit::FALSE => (),
                    None => {
                        lits.insert(lit);
                    }
                }
            }
            if lits.iter().any(|&l| l == Lit::TRUE || lits.contains(&!l)) {
                continue;
            }
            let unit = lits.first().copied().filter(|&l| lits.len() == 1 && !l.is_negated());
            match unit.filter(|&l| self.is_plain(l)).and_then(|l| self.fanins(l.var())) {
                Some([a, b]) => {
                    if opened.insert(unit) {
                        open.extend([vec![a], vec![b]]);
                    }
                }
                None => {
                    clauses.insert(lits.into_iter().collect());
                }
            }
        }
        clauses
    }

    pub fn fanins(&self, var: Var) -> Option<[Lit; 2]> {
        self.aig.fanins(var)
    }

    /// Is it neither named nor better shown as an exclusive or?
    fn is_plain(&self, lit: Lit) -> bool {
        !self.labels.contains_key(&lit.var()) && self.xor(lit.var()).is_none()
    }

    /// The operands if the gate is an exclusive or.
    fn xor(&self, var: Var) -> Option<(Lit, Lit)> {
        let [p, q] = self.fanins(var)?;
        let [a, b] = self.fanins(p.var())?;
        self.are_xor(p, q).then_some((a, b))
    }

    /// The operands of the conjunction that a gate is, with nested conjunctions opened, but not too many.
    fn conjuncts(&self, var: Var) -> Vec<Lit> {
        let mut open: Vec<Lit> = self.fanins(var).into_iter().flatten().rev().collect();
        let mut lits = Vec::new();
        while let Some(lit) = open.pop() {
            let nested = !lit.is_negated() && self.is_plain(lit) && lits.len() + open.len() < LONGEST_FORMULA;
            match self.fanins(lit.var()).filter(|_| nested) {
                Some(fanins) => open.extend(fanins.into_iter().rev()),
                None if lits.contains(&lit) => (),
                None => lits.push(lit),
            }
        }
        lits
    }

    /// The number of leaves that the formula of `var` would have, at most one more than the longest.
    fn size(&mut self, root: Var) -> usize {
        let mut stack = vec![root];
        while let Some(&var) = stack.last() {
            let known = |sizes: &HashMap<Var, usize>, v: Var| sizes.get(&v).copied();
            if known(&self.sizes, var).is_some() {
                stack.pop();
                continue;
            }
            let size = if self.labels.contains_key(&var) && var != root {
                Some(1)
            } else {
                match self.fanins(var) {
                    None => Some(1),
                    Some([a, b]) => match (known(&self.sizes, a.var()), known(&self.sizes, b.var())) {
                        (Some(a), Some(b)) => Some((a + b).min(LONGEST_FORMULA + 1)),
                        (x, y) => {
                            stack.extend(x.is_none().then_some(a.var()));
                            stack.extend(y.is_none().then_some(b.var()));
                            None
                        }
                    },
                }
            };
            if let Some(size) = size {
                self.sizes.insert(var, size);
                stack.pop();
            }
        }
        self.sizes[&root]
    }

    /// A literal as a formula, in parentheses if it is not atomic and `nested`.
    fn formula(&mut self, lit: Lit, nested: bool) -> String {
        let sign = if lit.is_negated() { "!" } else { "" };
        if lit.is_const() {
            return if lit == Lit::TRUE { "1".into() } else { "0".into() };
        }
        if let Some(label) = self.labels.get(&lit.var()) {
            return label.of(lit);
        }
        if self.size(lit.var()) > LONGEST_FORMULA && self.sums_up {
            return format!("{sign}(a condition over {})", self.summary(lit));
        }
        if self.size(lit.var()) > LONGEST_FORMULA {
            if self.mentioned.insert(lit.var()) {
                self.pending.push(lit.var());
            }
            return format!("{sign}{}", self.gate_name(lit.var()));
        }
        let body = self.body(lit);
        if nested { format!("({body})") } else { body }
    }

    fn body(&mut self, lit: Lit) -> String {
        if let Some((a, b)) = self.xor(lit.var()) {
            return self.comparison(a, b, !lit.is_negated());
        }
        let (sign, flip) = if lit.is_negated() { (" | ", true) } else { (" & ", false) };
        let mut lits = self.conjuncts(lit.var());
        let mut parts = Vec::new();
        while !lits.is_empty() {
            let lit = lits.remove(0);
            // `!(a & b)` and `!(!a & !b)` together say that a and b differ.
            let partner = lits.iter().position(|&other| self.are_xor(lit, other));
            match (partner, self.fanins(lit.var())) {
                (Some(partner), Some([a, b])) => {
                    lits.remove(partner);
                    parts.push(format!("({})", self.comparison(a, b, !flip)));
                }
                _ => parts.push(self.formula(lit ^ flip, true)),
            }
        }
        parts.join(sign)
    }

    fn are_xor(&self, p: Lit, q: Lit) -> bool {
        let named = |l: Lit| self.labels.contains_key(&l.var());
        if !p.is_negated() || !q.is_negated() || named(p) || named(q) {
            return false;
        }
        match (self.fanins(p.var()), self.fanins(q.var())) {
            (Some([a, b]), Some(other)) => other == [!a, !b] || other == [!b, !a],
            _ => false,
        }
    }

    /// An edge or its negation, whichever is written without a sign.
    fn upright(&self, lit: Lit) -> Lit {
        lit.var().lit(self.labels.get(&lit.var()).is_some_and(|label| label.negated))
    }

    /// `a != b` or `a = b`, without negations.
    fn comparison(&mut self, a: Lit, b: Lit, differ: bool) -> String {
        let differ = differ ^ (self.upright(a) != a) ^ (self.upright(b) != b);
        let sign = if differ { "!=" } else { "=" };
        let [a, b] = [a, b].map(|l| self.formula(self.upright(l), true));
        format!("{a} {sign} {b}")
    }

    /// The definitions of the gates that were called by name.
    fn definitions(&mut self, text: &mut String, limit: usize) {
        let mut n_defined = 0;
        let mut next = 0;
        while next < self.pending.len() {
            if n_defined == limit {
                let _ = writeln!(text, "… more definitions");
                return;
            }
            let var = self.pending[next];
            let body = self.body(Lit::positive(var));
            let word = if next == 0 { "where" } else { "  and" };
            let _ = writeln!(text, "{word} {} = {body}", self.gate_name(var));
            next += 1;
            n_defined += 1;
        }
    }
}

/// A name that would be mistaken for a formula gets quotes.
fn quote(name: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "|&!=\"".contains(c);
    if name.is_empty() || name.contains(odd) { format!("{name:?}") } else { name.into() }
}

#[cfg(test)]
#[path = "invariant_text_tests.rs"]
mod tests;
