//! An invariant for people: one lemma a line, with the user's names, the shortest first.
//!
//! A clause of one literal is an assignment (`busy = 0`), two clauses that make two literals equal or different
//! are one lemma (`a = b`, `a != b`), everything else a disjunction (`!grant0 | !grant1`). Gates in a lemma are
//! written out as formulas; those that would be long get a name and a definition below.

use indubit_logic::{Lit, Var};
use indubit_system::{BitSystem, Invariant, Name};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// Formulas of more leaves than this get a name.
const LONGEST_FORMULA: usize = 12;

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
    let limit = limit.unwrap_or(usize::MAX);
    let lemmas = lemmas(invariant);
    let mut printer = Printer::new(model, invariant);
    let mut text = String::new();
    if lemmas.is_empty() {
        text.push_str("true\n");
    }
    for lemma in lemmas.iter().take(limit) {
        let line = printer.lemma(lemma);
        text.push_str(&line);
        text.push('\n');
    }
    if lemmas.len() > limit {
        let _ = writeln!(text, "… {} more lemmas", lemmas.len() - limit);
    }
    printer.definitions(&mut text, limit);
    text
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

/// The clauses without duplicates and tautologies, pairs that make an equivalence merged, sorted by size.
fn lemmas(invariant: &Invariant) -> Vec<Lemma> {
    let mut clauses: BTreeSet<Vec<Lit>> = BTreeSet::new();
    for clause in invariant.clauses() {
        let lits: BTreeSet<Lit> = clause.lits().iter().copied().filter(|&l| l != Lit::FALSE).collect();
        if !lits.iter().any(|&l| l == Lit::TRUE || lits.contains(&!l)) {
            clauses.insert(lits.into_iter().collect());
        }
    }
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

struct Printer<'a> {
    model: &'a BitSystem,
    invariant: &'a Invariant,
    labels: HashMap<Var, String>,
    /// Number of leaves of a gate's formula, saturating just above the longest.
    sizes: HashMap<Var, usize>,
    /// Gates that got a name and still need a definition, and those that have been mentioned.
    pending: Vec<Var>,
    mentioned: HashSet<Var>,
}

impl<'a> Printer<'a> {
    fn new(model: &'a BitSystem, invariant: &'a Invariant) -> Printer<'a> {
        let mut labels = HashMap::new();
        // Outputs and the like name a gate as well, if nothing else does.
        let edges = [('o', &model.outputs), ('b', &model.bads), ('c', &model.constraints)];
        for signal in edges.iter().flat_map(|(_, signals)| signals.iter()).filter(|s| !s.lit.is_negated()) {
            if let Some(name) = &signal.name {
                labels.entry(signal.lit.var()).or_insert_with(|| quote(&name.to_string()));
            }
        }
        let label = |name: &Option<Name>, letter: char, i: usize| {
            name.as_ref().map_or_else(|| format!("{letter}{i}"), |n| quote(&n.to_string()))
        };
        for (i, input) in model.inputs().iter().enumerate() {
            labels.insert(input.lit.var(), label(&input.name, 'i', i));
        }
        for (i, latch) in model.latches().iter().enumerate() {
            labels.insert(latch.var, label(&latch.name, 'l', i));
        }
        Printer {
            model,
            invariant,
            labels,
            sizes: HashMap::new(),
            pending: Vec::new(),
            mentioned: HashSet::new(),
        }
    }

    fn lemma(&mut self, lemma: &Lemma) -> String {
        match lemma {
            Lemma::False => "false".into(),
            Lemma::Unit(lit) => match self.labels.get(&lit.var()) {
                Some(name) => format!("{name} = {}", u8::from(!lit.is_negated())),
                None => self.formula(*lit, false),
            },
            Lemma::Equal(a, b) => {
                let (sign, b) = if b.is_negated() { ("!=", !*b) } else { ("=", *b) };
                format!("{} {sign} {}", self.formula(*a, true), self.formula(b, true))
            }
            Lemma::Clause(lits) => {
                let lits: Vec<String> = lits.iter().map(|&l| self.formula(l, true)).collect();
                lits.join(" | ")
            }
        }
    }

    fn fanins(&self, var: Var) -> Option<[Lit; 2]> {
        match var.index().checked_sub(self.invariant.n_vars()) {
            Some(i) => self.invariant.gates().get(i).copied(),
            None => self.model.aig().fanins(var),
        }
    }

    /// The operands if the gate is an exclusive or.
    fn xor(&self, var: Var) -> Option<(Lit, Lit)> {
        let [p, q] = self.fanins(var)?;
        if !p.is_negated() || !q.is_negated() {
            return None;
        }
        let ([a, b], [c, d]) = (self.fanins(p.var())?, self.fanins(q.var())?);
        ((c, d) == (!a, !b) || (c, d) == (!b, !a)).then_some((a, b))
    }

    /// The operands of the conjunction that a gate is, with nested conjunctions opened, but not too many.
    fn conjuncts(&self, var: Var) -> Vec<Lit> {
        let mut open: Vec<Lit> = self.fanins(var).into_iter().flatten().rev().collect();
        let mut lits = Vec::new();
        while let Some(lit) = open.pop() {
            let nested = !lit.is_negated()
                && !self.labels.contains_key(&lit.var())
                && self.xor(lit.var()).is_none()
                && lits.len() + open.len() < LONGEST_FORMULA;
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
        if let Some(name) = self.labels.get(&lit.var()) {
            return format!("{sign}{name}");
        }
        if self.size(lit.var()) > LONGEST_FORMULA {
            if self.mentioned.insert(lit.var()) {
                self.pending.push(lit.var());
            }
            return format!("{sign}{}", gate_name(lit.var()));
        }
        let body = self.body(lit);
        if nested { format!("({body})") } else { body }
    }

    fn body(&mut self, lit: Lit) -> String {
        if let Some((a, b)) = self.xor(lit.var()) {
            let differ = !lit.is_negated() ^ a.is_negated() ^ b.is_negated();
            let sign = if differ { "!=" } else { "=" };
            let [a, b] = [a, b].map(|l| self.formula(Lit::positive(l.var()), true));
            return format!("{a} {sign} {b}");
        }
        let (sign, flip) = if lit.is_negated() { (" | ", true) } else { (" & ", false) };
        let lits = self.conjuncts(lit.var());
        let lits: Vec<String> = lits.into_iter().map(|l| self.formula(l ^ flip, true)).collect();
        lits.join(sign)
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
            let _ = writeln!(text, "{word} {} = {body}", gate_name(var));
            next += 1;
            n_defined += 1;
        }
    }
}

fn gate_name(var: Var) -> String {
    format!("gate{}", var.index())
}

/// A name that would be mistaken for a formula gets quotes.
fn quote(name: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "|&!=\"".contains(c);
    if name.is_empty() || name.contains(odd) { format!("{name:?}") } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Clause;

    fn model() -> (BitSystem, [Lit; 4]) {
        let mut model = BitSystem::new();
        let lits = ["a", "b", "c", "d e"].map(|n| model.add_latch(n, None));
        (model, lits)
    }

    fn text(model: &BitSystem, clauses: &[&[Lit]]) -> String {
        let mut invariant = Invariant::new(model.aig().n_vars());
        for clause in clauses {
            invariant.add(Clause::new(clause.iter().copied()));
        }
        write(model, &invariant, None)
    }

    #[test]
    fn lemmas_are_merged_and_sorted() {
        let (model, [a, b, c, d]) = model();
        let clauses: &[&[Lit]] = &[
            &[c, !a, b],
            &[!a, b],
            &[!d],
            &[b, a, b],
            &[a, !b],
            &[c, !d],
            &[!c, d],
            &[c, !c],
            &[!b, !a],
            &[c, Lit::FALSE],
            &[Lit::TRUE, a],
        ];
        assert_eq!(text(&model, clauses), "c = 1\n\"d e\" = 0\na != b\na = b\nc = \"d e\"\n!a | b | c\n");
        assert_eq!(text(&model, &[]), "true\n");
        assert_eq!(text(&model, &[&[]]), "false\n");
        assert_eq!(text(&model, &[&[!a, !c]]), "!a | !c\n");
    }

    #[test]
    fn gates_are_formulas() {
        let (mut model, [a, b, c, d]) = model();
        let g = model.aig_mut().and(a, !b);
        let named = model.aig_mut().and(a, b);
        model.add_bad("both", named);
        let x = model.aig_mut().xor(c, d);
        assert_eq!(text(&model, &[&[!g, c]]), "c | (!a | b)\n");
        assert_eq!(text(&model, &[&[g, c]]), "c | (a & !b)\n");
        assert_eq!(text(&model, &[&[!named]]), "both = 0\n");
        assert_eq!(text(&model, &[&[x]]), "c != \"d e\"\n");
        assert_eq!(text(&model, &[&[!x, a]]), "a | (c = \"d e\")\n");
        let mut invariant = Invariant::new(model.aig().n_vars());
        let h = invariant.and(g, c);
        let k = invariant.and(!h, d);
        invariant.add(Clause::new([k]));
        assert_eq!(write(&model, &invariant, None), "(!a | b | !c) & \"d e\"\n");
    }

    #[test]
    fn long_formulas_get_names_and_long_invariants_a_note() {
        let mut model = BitSystem::new();
        let latches: Vec<Lit> = (0..40).map(|_| model.add_latch("", None)).collect();
        let all = model.aig_mut().and_all(latches.iter().copied());
        let clauses: Vec<Vec<Lit>> = latches.iter().map(|&l| vec![l, all]).collect();
        let mut invariant = Invariant::new(model.aig().n_vars());
        for clause in clauses {
            invariant.add(Clause::new(clause));
        }
        let text = write(&model, &invariant, Some(5));
        assert!(text.starts_with("l0 | gate"), "{text}");
        assert!(text.contains("… 35 more lemmas\nwhere gate"), "{text}");
        // A chain that shares everything must not be written out exponentially often.
        let mut chain = latches[0];
        for i in 0..200 {
            let left = model.aig_mut().and(chain, latches[i % 40]);
            let right = model.aig_mut().and(!chain, latches[(i + 1) % 40]);
            chain = model.aig_mut().or(left, right);
        }
        let mut invariant = Invariant::new(model.aig().n_vars());
        invariant.add(Clause::new([chain]));
        let text = write(&model, &invariant, None);
        assert!(text.len() < 60_000, "{}", text.len());
    }
}
