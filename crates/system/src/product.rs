//! Systems that watch themselves: what is claimed in temporal logic becomes a question about what is seen infinitely often, or ever.
//!
//! For each claim a tableau is added (Lichtenstein, Pnueli, POPL 1985; as circuits Clarke, Grumberg, Hamaguchi, CAV 1994) for the *negation* of its formula, in negation normal form, and by
//! implication only, as for alternating automata. Of each future operator there is an input, its *promise*: that it holds in the next step. A latch remembers what was promised, and that must be
//! *kept*. Who breaks a promise is no longer *alive*. Formulas about the past are latches. So a run violates the formula iff there are promises such that
//! it stays alive, and each *until* that is promised for ever comes true infinitely often.
//!
//! Conjuncts of the negation that are `G F p`, `G p`, `F p` and `F G p`, where `p` is about now and before, need no promises. If the negation is never released from anything (it
//! is co-safe; Kupferman, Vardi, 2001), a finite run suffices in which nothing is left promised: then there is a question about reachability, too, and whoever
//! proves that this is never seen has proved the claim. The other way round it is not so: such a run may have no infinite continuation that is fair.

use crate::{BitSystem, Bits, Claim, Kind, Ltl, LtlId, LtlNode, Property, PropertyId, Trace, WordSystem};
use crate::{FormulaNode, WordTrace, Words};
use indubit_logic::Lit;
use indubit_term::{Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Kinds of systems that Boolean state can be added to.
pub trait Watchable: Kind {
    /// A truth value.
    fn constant(system: &mut Self::System, value: bool) -> Self::Formula;
    /// The negation.
    fn not(system: &mut Self::System, a: &Self::Formula) -> Self::Formula;
    /// The conjunction.
    fn and(system: &mut Self::System, a: &Self::Formula, b: &Self::Formula) -> Self::Formula;
    /// A new input.
    fn add_choice(system: &mut Self::System, name: &str) -> Self::Formula;
    /// A new bit of state with this initial value.
    fn add_bit(system: &mut Self::System, name: &str, initial: bool) -> Self::Formula;
    /// What a bit of state becomes in a step.
    fn set_bit(system: &mut Self::System, bit: &Self::Formula, next: &Self::Formula);
    /// The properties that are no section of a file.
    fn specs(system: &mut Self::System) -> &mut Vec<Property<Self::Formula>>;
    /// That no run which is fair sees each of these infinitely often.
    fn never_always(system: &mut Self::System, signals: Vec<Self::Formula>) -> Claim<Self::Formula>;
    /// That this is never seen where the constraints hold.
    fn never(system: &mut Self::System, bad: &Self::Formula) -> Claim<Self::Formula>;
    /// A run of a system with more state and inputs, as one of this system.
    fn restrict(system: &Self::System, trace: &Self::Trace) -> Self::Trace;
}

impl Watchable for Bits {
    fn constant(_: &mut BitSystem, value: bool) -> Lit {
        Lit::constant(value)
    }
    fn not(_: &mut BitSystem, a: &Lit) -> Lit {
        !*a
    }
    fn and(system: &mut BitSystem, a: &Lit, b: &Lit) -> Lit {
        system.aig_mut().and(*a, *b)
    }
    fn add_choice(system: &mut BitSystem, name: &str) -> Lit {
        system.add_input(name)
    }
    fn add_bit(system: &mut BitSystem, name: &str, initial: bool) -> Lit {
        system.add_latch(name, Some(initial))
    }
    fn set_bit(system: &mut BitSystem, bit: &Lit, next: &Lit) {
        system.set_next(*bit, *next);
    }
    fn specs(system: &mut BitSystem) -> &mut Vec<Property> {
        &mut system.specs
    }
    fn never_always(_: &mut BitSystem, signals: Vec<Lit>) -> Claim {
        Claim::Justice(signals)
    }
    fn never(_: &mut BitSystem, bad: &Lit) -> Claim {
        Claim::Always(!*bad)
    }
    fn restrict(system: &BitSystem, trace: &Trace) -> Trace {
        let first = |row: &Vec<bool>, n: usize| row[..n.min(row.len())].to_vec();
        let (n_latches, n_inputs) = (system.latches().len(), system.inputs().len());
        Trace {
            initial: first(&trace.initial, n_latches),
            inputs: trace.inputs.iter().map(|row| first(row, n_inputs)).collect(),
            loops_to: trace.loops_to,
        }
    }
}

impl Watchable for Words {
    fn constant(system: &mut WordSystem, value: bool) -> Term {
        system.terms.bool(value)
    }
    fn not(system: &mut WordSystem, a: &Term) -> Term {
        system.terms.not(*a)
    }
    fn and(system: &mut WordSystem, a: &Term, b: &Term) -> Term {
        system.terms.and(&[*a, *b])
    }
    fn add_choice(system: &mut WordSystem, name: &str) -> Term {
        system.add_input(name, Sort::Bool)
    }
    fn add_bit(system: &mut WordSystem, name: &str, initial: bool) -> Term {
        let bit = system.add_state(name, Sort::Bool).current;
        let start = if initial { bit } else { system.terms.not(bit) };
        system.init = system.terms.and(&[system.init, start]);
        bit
    }
    fn set_bit(system: &mut WordSystem, bit: &Term, next: &Term) {
        let variable = system.states.iter().rfind(|v| v.current == *bit).expect("it was added");
        let step = system.terms.eq(variable.next, *next);
        system.trans = system.terms.and(&[system.trans, step]);
    }
    fn specs(system: &mut WordSystem) -> &mut Vec<Property<Term>> {
        &mut system.properties
    }
    fn never_always(system: &mut WordSystem, signals: Vec<Term>) -> Claim<Term> {
        let mut all = system.fairness.clone();
        all.extend(signals);
        if all.is_empty() {
            all.push(system.terms.bool(true));
        }
        Claim::Justice(all)
    }
    fn never(system: &mut WordSystem, bad: &Term) -> Claim<Term> {
        let bad = system.constrained(*bad);
        Claim::Always(system.terms.not(bad))
    }
    fn restrict(system: &WordSystem, trace: &WordTrace) -> WordTrace {
        fn first<T: Clone>(rows: &[Vec<T>], n: usize) -> Vec<Vec<T>> {
            rows.iter().map(|row| row[..n.min(row.len())].to_vec()).collect()
        }
        WordTrace {
            states: first(&trace.states, system.states.len()),
            inputs: first(&trace.inputs, system.inputs.len()),
            loops_to: trace.loops_to,
        }
    }
}

/// A system that watches itself for the formulas it is claimed to satisfy. State and inputs of its own come after those of the system.
#[derive(Clone, Debug)]
pub struct Product<K: Kind> {
    /// The system. Its properties are those of the original, in their order, with claims of [justice](Claim::Justice) for those in temporal logic, and then some about reachability.
    pub system: K::System,
    /// For a property in temporal logic, by its position: the position of one about reachability that implies it.
    safety: FxHashMap<usize, usize>,
}

impl<K: Watchable> Product<K> {
    /// The product of a system, if it has claims in temporal logic. It is the same at each time.
    pub fn of(original: &K::System) -> Option<Product<K>> {
        let properties = K::properties(original);
        let has_formula = |p: &Property<K::Formula>| matches!(p.claim, Claim::Ltl(_));
        if !properties.iter().any(has_formula) {
            return None;
        }
        let mut system = original.clone();
        let (mut more, mut safety) = (Vec::new(), FxHashMap::default());
        for (position, property) in properties.iter().enumerate() {
            let Claim::Ltl(formula) = &property.claim else { continue };
            let (live, reach) = Tableau::<K>::new(&mut system, formula, &property.id.to_string()).claims();
            // Those in sections of a file, which have none in temporal logic, come first.
            let specs = K::specs(&mut system);
            let first = properties.len() - specs.len();
            specs[position - first].claim = live;
            if let (Some(claim), PropertyId::Ltl(number)) = (reach, property.id) {
                safety.insert(position, properties.len() + more.len());
                more.push(Property { id: PropertyId::LtlSafety(number), claim, ..property.clone() });
            }
        }
        K::specs(&mut system).extend(more);
        Some(Product { system, safety })
    }
    /// The position of a property about reachability that implies the one in temporal logic at this position, if there is one.
    pub fn safety(&self, property: usize) -> Option<usize> {
        self.safety.get(&property).copied()
    }
    /// The position of the property of the original that this one is about.
    pub fn original(&self, property: usize) -> usize {
        let found = self.safety.iter().find(|(_, safety)| **safety == property);
        found.map_or(property, |(original, _)| *original)
    }
}

/// A part of a formula: a node, as it stands or negated.
type Part = (LtlId, bool);

/// A tableau under construction: how a formula about infinite runs is seen to fail.
struct Tableau<'s, K: Watchable> {
    system: &'s mut K::System,
    formula: &'s Ltl<K::Formula>,
    name: &'s str,
    /// Does a node say anything about later steps?
    is_future: Vec<bool>,
    /// The value of each part, as far as it is needed. Of what is about the future: if it is true, and what is promised is kept, the part holds.
    values: FxHashMap<Part, K::Formula>,
    n_bits: usize,
    /// Inputs: what is promised of the next step.
    promises: Vec<K::Formula>,
    /// What must hold in each step.
    kept: Vec<K::Formula>,
    /// What must be seen infinitely often.
    signals: Vec<K::Formula>,
    /// What must have been seen at the end of a finite run.
    goals: Vec<K::Formula>,
    /// Is a finite run enough?
    is_finite: bool,
}

impl<'s, K: Watchable> Tableau<'s, K> {
    fn new(system: &'s mut K::System, formula: &'s Ltl<K::Formula>, name: &'s str) -> Tableau<'s, K> {
        let mut is_future: Vec<bool> = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            let own = matches!(node, LtlNode::Next(_) | LtlNode::Until(..));
            is_future.push(own || node.children().any(|child| is_future[child.index()]));
        }
        let (values, n_bits, is_finite) = (FxHashMap::default(), 0, true);
        let (promises, kept, signals, goals) = Default::default();
        Tableau {
            system,
            formula,
            name,
            is_future,
            values,
            n_bits,
            promises,
            kept,
            signals,
            goals,
            is_finite,
        }
    }

    /// What the claim says about the system: that no run is seen to violate it, and that no finite one is, if that is all there is to see.
    fn claims(mut self) -> (Claim<K::Formula>, Option<Claim<K::Formula>>) {
        let root = self.upright((self.formula.root(), false));
        if self.formula.node(root.0) == LtlNode::True && !root.1 {
            // It is true of every run.
            let never = self.constant(false);
            let reach = K::never(self.system, &never);
            return (K::never_always(self.system, vec![never]), Some(reach));
        }
        if let Some(bad) = self.finally(root).filter(|&bad| self.is_past(bad)) {
            // `G p`: one bad step is all.
            let bad = self.value(bad);
            let seen = self.once(&bad);
            let reach = K::never(self.system, &bad);
            return (K::never_always(self.system, vec![seen]), Some(reach));
        }
        let mut initially = Vec::new();
        for part in self.conjuncts(root) {
            if !self.conjunct(part) {
                initially.push(part);
            }
        }
        if !initially.is_empty() {
            let (later, truth) = (self.bit("later", false), self.constant(true));
            K::set_bit(self.system, &later, &truth);
            for part in initially {
                let value = self.value(part);
                let holds = self.or(&later, &value);
                self.kept.push(holds);
            }
        }
        if !self.kept.is_empty() {
            let alive = self.bit("alive", true);
            let mut still = alive.clone();
            for holds in std::mem::take(&mut self.kept) {
                still = K::and(self.system, &still, &holds);
            }
            K::set_bit(self.system, &alive, &still);
            self.goals.push(still.clone());
            self.signals.push(still);
        }
        let live = K::never_always(self.system, self.signals);
        if !self.is_finite {
            return (live, None);
        }
        let mut bad = K::constant(self.system, true);
        for goal in &self.goals {
            bad = K::and(self.system, &bad, goal);
        }
        for promise in &self.promises {
            let open = K::not(self.system, promise);
            bad = K::and(self.system, &bad, &open);
        }
        (live, Some(K::never(self.system, &bad)))
    }

    /// A conjunct of the negation that needs no promises. What is left holds in the first step.
    fn conjunct(&mut self, part: Part) -> bool {
        if let Some(often) =
            self.globally(part).and_then(|part| self.finally(part)).filter(|&p| self.is_past(p))
        {
            // `G F p`.
            let often = self.value(often);
            self.signals.push(often);
            self.is_finite = false;
        } else if let Some(always) = self.globally(part).filter(|&p| self.is_past(p)) {
            // `G p`.
            let always = self.value(always);
            self.kept.push(always);
            self.is_finite = false;
        } else if let Some(once) = self.finally(part).filter(|&p| self.is_past(p)) {
            // `F p`.
            let now = self.value(once);
            let seen = self.once(&now);
            self.signals.push(seen.clone());
            self.goals.push(seen);
        } else if let Some(rests) =
            self.finally(part).and_then(|part| self.globally(part)).filter(|&p| self.is_past(p))
        {
            // `F G p`: from some step on, which is chosen.
            let now = self.value(rests);
            let (settled, choice) = (self.bit("settled", false), self.choice("settles"));
            let next = self.or(&settled, &choice);
            K::set_bit(self.system, &settled, &next);
            let holds = self.implies(&settled, &now);
            self.kept.push(holds);
            self.signals.push(settled);
            self.is_finite = false;
        } else {
            return false;
        }
        true
    }

    /// Is it about now and before only?
    fn is_past(&self, part: Part) -> bool {
        !self.is_future[part.0.index()]
    }
    /// The part without negations at its top.
    fn upright(&self, mut part: Part) -> Part {
        while let LtlNode::Not(inner) = self.formula.node(part.0) {
            part = (inner, !part.1);
        }
        part
    }
    /// `p`, if the part is `F p`.
    fn finally(&self, part: Part) -> Option<Part> {
        self.eventuality(part, true)
    }
    /// `p`, if the part is `G p`.
    fn globally(&self, part: Part) -> Option<Part> {
        self.eventuality(part, false)
    }
    fn eventuality(&self, part: Part, is_positive: bool) -> Option<Part> {
        let (id, sign) = self.upright(part);
        match self.formula.node(id) {
            LtlNode::Until(a, b) if sign == is_positive && self.formula.node(a) == LtlNode::True => {
                Some(self.upright((b, sign)))
            }
            _ => None,
        }
    }
    fn conjuncts(&self, root: Part) -> Vec<Part> {
        let (mut open, mut found) = (vec![root], Vec::new());
        while let Some(part) = open.pop() {
            let (id, sign) = self.upright(part);
            match self.formula.node(id) {
                LtlNode::And(a, b) if sign => open.extend([(b, true), (a, true)]),
                _ => found.push((id, sign)),
            }
        }
        found
    }

    /// The value of a part. No function recurses over the depth of a formula.
    fn value(&mut self, part: Part) -> K::Formula {
        let (mut open, mut wanted) = (vec![part], BTreeSet::new());
        while let Some((id, sign)) = open.pop() {
            // What is about the past has one value, and its negation.
            let part = (id, sign || self.is_past((id, sign)));
            if self.values.contains_key(&part) || !wanted.insert(part) {
                continue;
            }
            let sign = part.1 != matches!(self.formula.node(id), LtlNode::Not(_));
            open.extend(self.formula.node(id).children().map(|child| (child, sign)));
        }
        for part in wanted {
            let value = self.build(part);
            self.values.insert(part, value);
        }
        self.known(part)
    }
    fn known(&mut self, (id, sign): Part) -> K::Formula {
        if sign || !self.is_past((id, sign)) {
            return self.values[&(id, sign)].clone();
        }
        let value = self.values[&(id, true)].clone();
        K::not(self.system, &value)
    }
    /// The value of a part whose own parts have one.
    fn build(&mut self, (id, sign): Part) -> K::Formula {
        match self.formula.node(id) {
            LtlNode::True => self.constant(true),
            LtlNode::Atom(number) => self.formula.atoms()[number as usize].clone(),
            LtlNode::Not(a) => self.known((a, !sign)),
            LtlNode::And(a, b) => {
                let (a, b) = (self.known((a, sign)), self.known((b, sign)));
                if sign { K::and(self.system, &a, &b) } else { self.or(&a, &b) }
            }
            LtlNode::Yesterday(a) => {
                let a = self.known((a, sign));
                let before = self.bit("before", !sign);
                K::set_bit(self.system, &before, &a);
                before
            }
            LtlNode::Since(a, b) => {
                let (a, b) = (self.known((a, sign)), self.known((b, sign)));
                let before = self.bit("since", !sign);
                let value = self.or_until(sign, &a, &b, &before);
                K::set_bit(self.system, &before, &value);
                value
            }
            LtlNode::Next(a) => {
                let (a, (promise, due)) = (self.known((a, sign)), self.promise());
                let holds = self.implies(&due, &a);
                self.kept.push(holds);
                promise
            }
            LtlNode::Until(a, b) => {
                let (a, b) = (self.known((a, sign)), self.known((b, sign)));
                let (promise, due) = self.promise();
                let value = self.or_until(sign, &a, &b, &promise);
                let holds = self.implies(&due, &value);
                self.kept.push(holds);
                if sign {
                    let often = self.implies(&due, &b);
                    self.signals.push(often);
                } else {
                    self.is_finite = false;
                }
                value
            }
        }
    }
    /// `b | a & rest`, or its dual.
    fn or_until(&mut self, sign: bool, a: &K::Formula, b: &K::Formula, rest: &K::Formula) -> K::Formula {
        if sign {
            let goes_on = K::and(self.system, a, rest);
            self.or(b, &goes_on)
        } else {
            let goes_on = self.or(a, rest);
            K::and(self.system, b, &goes_on)
        }
    }
    /// An input that promises something of the next step, and what was promised of this one.
    fn promise(&mut self) -> (K::Formula, K::Formula) {
        let (promise, due) = (self.choice("promise"), self.bit("due", false));
        K::set_bit(self.system, &due, &promise);
        self.promises.push(promise.clone());
        (promise, due)
    }
    /// This, now or before.
    fn once(&mut self, now: &K::Formula) -> K::Formula {
        let before = self.bit("seen", false);
        let seen = self.or(&before, now);
        K::set_bit(self.system, &before, &seen);
        seen
    }
    fn bit(&mut self, what: &str, initial: bool) -> K::Formula {
        let name = self.fresh(what);
        K::add_bit(self.system, &name, initial)
    }
    fn choice(&mut self, what: &str) -> K::Formula {
        let name = self.fresh(what);
        K::add_choice(self.system, &name)
    }
    fn fresh(&mut self, what: &str) -> String {
        self.n_bits += 1;
        format!("{}.{what}{}", self.name, self.n_bits)
    }
    fn constant(&mut self, value: bool) -> K::Formula {
        K::constant(self.system, value)
    }
    fn or(&mut self, a: &K::Formula, b: &K::Formula) -> K::Formula {
        let (a, b) = (K::not(self.system, a), K::not(self.system, b));
        let neither = K::and(self.system, &a, &b);
        K::not(self.system, &neither)
    }
    fn implies(&mut self, a: &K::Formula, b: &K::Formula) -> K::Formula {
        let not_a = K::not(self.system, a);
        self.or(&not_a, b)
    }
}
