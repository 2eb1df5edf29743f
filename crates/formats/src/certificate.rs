//! Certificates: a proof as a Certifaiger witness circuit.
//!
//! The witness circuit `W` of a model `M` is a circuit whose first inputs and latches are those of `M`, in order
//! (so no mapping is written, and no user's name is copied: a `=` in it would be read as a mapping), that moves
//! as `M` does on them, and whose one property `P'` is inductive and implies the property of `M`. The conditions are
//! those of Yu, Froleyks, Biere, Heljanko, *Towards Compositional Hardware Model Checking Certification*, FMCAD
//! 2023, with reset functions and constraints: reset, transition, safety, base, inductive.
//!
//! **What a certificate is about.** [`subject`]: a model with only one property, a bad signal or a justice property, is certified as
//! it is; of any other model, the one with that single property ([`BitSystem::with_single_property`], [`BitSystem::with_justice`]). The first line
//! of the comment names the property in the user's own model: `WITNESS b3 model.aig`.
//!
//! **Inductive invariant** `Inv`: `W` is `M` with `P' = ¬bad ∧ Inv`.
//!
//! **k-induction** of `Q = ¬bad ∧ with`: the last `k - 1` steps are remembered in latches; the construction and its proof stand
//! at `History` in the source.
//!
//! **Ranked proofs** of justice properties add memory, and inputs that stand for another state; the construction stands in `ranked_certificate.rs`.
//!
//! **k-induction with simple paths** has no such circuit of reasonable size. Its file is `M` with the bad signals
//! `bad` and `¬with` and a comment that says so ([`Claim::simple_path`]); our checker asks the k-step queries instead.

use crate::ranked_certificate;
use indubit_aig::{Aig, Import};
use indubit_logic::{Lit, Var};
use indubit_system::{
    self as system, BitSystem, Influence, Invariant, Justice, Proof, Property, PropertyId, Signal,
};
use std::borrow::Cow;

const SIMPLE_PATH: &str = "INDUBIT k-induction simple-path k=";

/// The model that a certificate for `property` is about: `model` itself if this is its only property and nothing else is asked of runs,
/// else the model with this single property, as a bad state or as justice.
///
/// A justice property without signals, in a model without fairness, has one that is always true: there is no other way to say in a
/// certificate that no run goes on for ever.
pub fn subject<'m>(model: &'m BitSystem, property: &Property) -> Cow<'m, BitSystem> {
    let is_alone = model.n_properties() == 1;
    match &property.claim {
        system::Claim::Justice(own) => {
            let mut lits = own.clone();
            if lits.is_empty() && model.fairness.is_empty() {
                lits.push(Lit::TRUE);
            }
            match &model.justice[..] {
                [single] if is_alone && single.lits == lits => Cow::Borrowed(model),
                _ => Cow::Owned(model.with_justice(vec![Justice { lits, name: property.name.clone() }])),
            }
        }
        system::Claim::Always(_)
        | system::Claim::Reachable(_)
        | system::Claim::Ltl(_)
        | system::Claim::Ctl(_) => {
            let is_bad = matches!(model.bad_signals(), [bad] if property.claim.target() == Some(bad.lit));
            match model.with_single_property(property) {
                Some(single) if !(is_alone && is_bad && model.fairness.is_empty()) => Cow::Owned(single),
                _ => Cow::Borrowed(model),
            }
        }
    }
}

/// The witness circuit of `proof` that the target of `property` is never true in `model`, or that no run sees its signals infinitely often;
/// `file_name` is how the comment calls the model.
///
/// # Panics
/// If such a proof never decides such a claim: justice needs a ranked one, and nothing else has one.
pub fn build(model: &BitSystem, property: &Property, proof: &Proof, file_name: &str) -> BitSystem {
    if let Proof::Ranked(ranked) = proof {
        return ranked_certificate::build(model, property, ranked, file_name);
    }
    let bad = property.claim.target().expect("it is about reachability");
    let with = proof.invariant();
    let (mut witness, import) = copy(model);
    let mut present = Frame { source: model.aig(), import };
    let goal = Goal { bad, with };
    let history = match *proof {
        Proof::KInductive { k, simple_path: None, .. } if k > 1 => {
            Some(History::new(model, &goal, k, &mut witness))
        }
        _ => None,
    };
    let mut conjuncts = goal.conjuncts(&mut present, &mut witness);
    if let Some(history) = history {
        history.connect(&mut present, &mut conjuncts, &mut witness);
    }
    if let Proof::KInductive { simple_path: Some(_), .. } = proof {
        // The checker needs `with` by itself; the first conjunct is `¬bad`.
        witness.bads.push(Signal { lit: !conjuncts.remove(0), name: None });
    }
    let all = witness.aig_mut().and_all(conjuncts);
    witness.bads.push(Signal { lit: !all, name: None });
    witness.comment = comment(property.id, proof, file_name).into_bytes();
    witness
}

/// The inputs, latches and constraints of a model, without names, and where its nodes are.
pub(crate) fn copy(model: &BitSystem) -> (BitSystem, Import) {
    let mut witness = BitSystem::new();
    let mut present = Import::new(model.aig());
    for input in model.inputs() {
        present.set(input.lit.var(), witness.push_input(None));
    }
    let latches: Vec<Lit> = model.latches().iter().map(|_| witness.push_latch(None)).collect();
    for (latch, &lit) in model.latches().iter().zip(&latches) {
        present.set(latch.var, lit);
    }
    for (latch, &lit) in model.latches().iter().zip(&latches) {
        let next = present.lit(model.aig(), witness.aig_mut(), latch.next);
        let reset = present.lit(model.aig(), witness.aig_mut(), latch.reset);
        witness.set_next(lit, next);
        witness.set_reset(lit, reset);
    }
    for constraint in &model.constraints {
        let lit = present.lit(model.aig(), witness.aig_mut(), constraint.lit);
        witness.constraints.push(Signal { lit, name: None });
    }
    (witness, present)
}

/// The first line of the comment: what the certificate is about.
pub(crate) fn first_line(about: impl std::fmt::Display, file_name: &str) -> String {
    format!("WITNESS {about} {}\n", file_name.replace(['\n', '\r'], " "))
}

fn comment(property: PropertyId, proof: &Proof, file_name: &str) -> String {
    let mut text = first_line(property, file_name);
    if let Proof::KInductive { k, simple_path: Some(latches), .. } = proof {
        let latches: Vec<String> = latches.iter().map(usize::to_string).collect();
        text += &format!(
            "{SIMPLE_PATH}{k} latches={}\n\
             This is no Certifaiger witness: the property is {k}-inductive on paths that repeat no state.\n\
             `indubit certify` checks it with {k}-step queries.\n",
            latches.join(",")
        );
    }
    text
}

/// What the comment of a certificate says about it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Claim {
    /// The property of the model.
    pub property: Option<PropertyId>,
    /// No witness circuit, but a property that is k-inductive on simple paths: the depth, and the positions of the
    /// latches on which states are compared.
    pub simple_path: Option<(u32, Vec<usize>)>,
}

impl Claim {
    /// The claim in a comment section.
    pub fn read(comment: &[u8]) -> Claim {
        let mut claim = Claim::default();
        for line in comment.split(|&b| b == b'\n') {
            let line = String::from_utf8_lossy(line);
            if let Some(rest) = line.strip_prefix("WITNESS ") {
                claim.property = claim.property.or_else(|| read_property(rest));
            } else if let Some(rest) = line.strip_prefix(SIMPLE_PATH) {
                claim.simple_path = claim.simple_path.or_else(|| read_simple_path(rest));
            }
        }
        claim
    }
}

/// `3 latches=0,2,5`
fn read_simple_path(text: &str) -> Option<(u32, Vec<usize>)> {
    let (k, latches) = text.trim().split_once(" latches=")?;
    let latches = latches.split(',').filter(|l| !l.is_empty()).map(str::parse).collect::<Result<_, _>>();
    Some((k.parse().ok()?, latches.ok()?))
}

fn read_property(text: &str) -> Option<PropertyId> {
    let word = text.split_whitespace().next()?;
    if let Some(index) = word.strip_prefix("ctl") {
        return index.parse().ok().map(PropertyId::Ctl);
    }
    let index = word.get(1..)?.parse().ok()?;
    match word.as_bytes()[0] {
        b'b' => Some(PropertyId::Bad(index)),
        b'o' => Some(PropertyId::Output(index)),
        b'j' => Some(PropertyId::Justice(index)),
        _ => None,
    }
}

/// One copy of the model's signals in the witness.
struct Frame<'m> {
    source: &'m Aig,
    import: Import,
}

impl<'m> Frame<'m> {
    fn new(model: &'m BitSystem) -> Frame<'m> {
        Frame { source: model.aig(), import: Import::new(model.aig()) }
    }
    fn lit(&mut self, witness: &mut BitSystem, lit: Lit) -> Lit {
        self.import.lit(self.source, witness.aig_mut(), lit)
    }
}

/// `Q = ¬bad ∧ with`.
struct Goal<'p> {
    bad: Lit,
    with: &'p Invariant,
}

impl Goal<'_> {
    /// The nodes of the model that it mentions.
    fn roots(&self) -> impl Iterator<Item = Lit> {
        self.with.nodes().map(Lit::positive).chain([self.bad])
    }
    /// The conjuncts in one copy of the model; the first is `¬bad`.
    fn conjuncts(&self, frame: &mut Frame<'_>, witness: &mut BitSystem) -> Vec<Lit> {
        let mut conjuncts = vec![!frame.lit(witness, self.bad)];
        let node = |aig: &mut Aig, v| frame.import.lit(frame.source, aig, Lit::positive(v));
        conjuncts.extend(self.with.build(witness.aig_mut(), node));
        conjuncts
    }
}

/// The last `k - 1` steps of a model, remembered in latches, for a property `Q` that is k-inductive.
///
/// Moment `i` (1 ≤ i < k) is the state and the inputs `i` steps ago, and `valid[i]` says that there was such a step.
/// The present is moment 0. In a step moment `i` becomes moment `i + 1`; the copies are uninitialised, and no
/// moment is valid at first. The property of the witness circuit is, with `F` for "follows in one step", `C` for the
/// constraints and `R` for "is initial":
///
/// - (Q) `Q` holds at present, and `Q ∧ C` in every valid moment;
/// - (F) every valid moment `i` is followed by moment `i - 1`;
/// - (V) `valid[i + 1]` implies `valid[i]`;
/// - (R) the oldest valid moment is initial, unless all are valid.
///
/// *Reset* and *transition* hold since inputs, latches and constraints of the model are untouched, *safety*
/// since `Q` implies `¬bad`. *Base*: no moment is valid, and the present is initial and constrained, so `Q` holds as
/// the first of the `k` base cases. *Inductive*: (F), (V) and (R) and the past part of (Q) move from `i` to
/// `i + 1`, and the new moment 1 is what the present was: it satisfied `Q` and the constraints, it is followed by
/// the new present, and it was initial if nothing before it was valid. The new present satisfies `Q`: if all
/// moments were valid, they and the old present are `k` good steps in a row; else it is within `k - 1` steps of an
/// initial state, all constrained.
///
/// Only the cone of influence of `Q` and the constraints is remembered, and (F) and (R) speak of its latches
/// only. Closed under next states and resets, the cone is a system by itself, and every path of it extends to
/// a path of the model; so `Q` is k-inductive in one iff it is in the other.
struct History<'m, 'p> {
    model: &'m BitSystem,
    goal: Goal<'p>,
    /// The model's latches that are remembered.
    latches: Vec<usize>,
    /// The remembered leaves: inputs and latches.
    leaves: Vec<Var>,
    moments: Vec<Moment>,
}

struct Moment {
    valid: Lit,
    /// The copies of the remembered leaves.
    copies: Vec<Lit>,
}

impl<'m, 'p> History<'m, 'p> {
    fn new(model: &'m BitSystem, goal: &Goal<'p>, k: u32, witness: &mut BitSystem) -> History<'m, 'p> {
        let roots = goal.roots().chain(model.constraints.iter().map(|c| c.lit));
        let mut influence = Influence::new(model);
        let cone = influence.of(roots);
        let latches: Vec<usize> =
            (0..model.latches().len()).filter(|&i| cone.contains(model.latches()[i].var)).collect();
        let inputs = model.inputs().iter().map(|i| i.lit.var()).filter(|&v| cone.contains(v));
        let leaves: Vec<Var> = inputs.chain(latches.iter().map(|&i| model.latches()[i].var)).collect();
        let moments = (1..k)
            .map(|_| {
                let valid = witness.push_latch(None);
                witness.set_reset(valid, Lit::FALSE);
                Moment { valid, copies: leaves.iter().map(|_| witness.push_latch(None)).collect() }
            })
            .collect();
        History { model, goal: Goal { ..*goal }, latches, leaves, moments }
    }

    /// Let time pass, and add (Q), (F), (V), (R) to `property`.
    fn connect(mut self, present: &mut Frame<'_>, property: &mut Vec<Lit>, witness: &mut BitSystem) {
        let present_leaves: Vec<Lit> =
            self.leaves.iter().map(|&v| present.lit(witness, Lit::positive(v))).collect();
        let present_initial = self.initial(present, witness);
        let mut later = (Lit::TRUE, present_leaves, present_initial);
        for Moment { valid, copies } in std::mem::take(&mut self.moments) {
            let (later_valid, later_leaves, later_initial) = &later;
            witness.set_next(valid, *later_valid);
            // A frame is as large as the model: there is only one at a time.
            let frame = &mut Frame::new(self.model);
            for ((&leaf, &copy), &next) in self.leaves.iter().zip(&copies).zip(later_leaves) {
                frame.import.set(leaf, copy);
                witness.set_next(copy, next);
            }
            let mut holds = self.goal.conjuncts(frame, witness);
            for constraint in &self.model.constraints {
                holds.push(frame.lit(witness, constraint.lit));
            }
            let first_latch = self.leaves.len() - self.latches.len();
            for (&latch, &value) in self.latches.iter().zip(&later_leaves[first_latch..]) {
                let next = frame.lit(witness, self.model.latches()[latch].next);
                holds.push(witness.aig_mut().iff(value, next));
            }
            let holds = witness.aig_mut().and_all(holds);
            property.push(witness.aig_mut().implies(valid, holds));
            property.push(witness.aig_mut().implies(valid, *later_valid));
            let is_oldest = witness.aig_mut().and(*later_valid, !valid);
            property.push(witness.aig_mut().implies(is_oldest, *later_initial));
            let initial = self.initial(frame, witness);
            later = (valid, copies, initial);
        }
    }

    /// Every remembered latch has its reset value.
    fn initial(&self, frame: &mut Frame<'_>, witness: &mut BitSystem) -> Lit {
        let mut equal = Vec::new();
        for &latch in &self.latches {
            let latch = &self.model.latches()[latch];
            if !latch.is_uninitialised() {
                let value = frame.lit(witness, Lit::positive(latch.var));
                let reset = frame.lit(witness, latch.reset);
                equal.push(witness.aig_mut().iff(value, reset));
            }
        }
        witness.aig_mut().and_all(equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Clause;

    /// `a` toggles, `b` follows it, `c` is on its own.
    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        model.add_input("= 4");
        let a = model.add_latch("a", Some(false));
        let b = model.add_latch("b", Some(true));
        let c = model.add_latch("c", None);
        model.set_next(a, !a);
        model.set_next(b, a);
        model.set_next(c, b);
        let equal = model.aig_mut().iff(a, b);
        model.add_bad("equal", equal);
        model.add_constraint("always", Lit::TRUE);
        model
    }

    fn with(model: &BitSystem) -> Invariant {
        let mut with = Invariant::new(model.aig().n_vars());
        let [a, b] = [0, 1].map(|i| Lit::positive(model.latches()[i].var));
        let g = with.and(a, b);
        with.add(Clause::new([!g]));
        with.add(Clause::new([a, b]));
        with
    }

    #[test]
    fn a_model_with_one_property_is_not_the_subject_of_another_one() {
        let model = model();
        let own = model.properties().remove(0);
        assert!(matches!(subject(&model, &own), Cow::Borrowed(_)));
        let other = Property { claim: indubit_system::Claim::Always(Lit::TRUE), ..own };
        assert_eq!(subject(&model, &other).bad_signals()[0].lit, Lit::FALSE);
    }

    #[test]
    fn an_invariant_strengthens_the_property() {
        let model = model();
        let witness = build(&model, &model.properties()[0], &Proof::Inductive(with(&model)), "dir/a\nb.aig");
        assert_eq!((witness.inputs().len(), witness.latches().len(), witness.bads.len()), (1, 3, 1));
        assert!(witness.inputs()[0].name.is_none() && witness.latches().iter().all(|l| l.name.is_none()));
        assert_eq!(witness.comment, b"WITNESS b0 dir/a b.aig\n");
        let claim = Claim::read(&witness.comment);
        assert_eq!(claim, Claim { property: Some(PropertyId::Bad(0)), simple_path: None });
        for state in 0..8u8 {
            let bits = [0, 1, 2].map(|i| state >> i & 1 == 1);
            let values = witness.evaluate(&bits, &[false]);
            let bad = indubit_aig::simulate::value(&values, witness.bads[0].lit);
            assert_eq!(bad, bits[0] == bits[1]);
            assert_eq!(witness.next_state(&values), [!bits[0], bits[0], bits[1]]);
        }
    }

    #[test]
    fn a_history_remembers_the_cone_only() {
        let model = model();
        let none = Invariant::new(model.aig().n_vars());
        let proof = |k, simple_path| Proof::KInductive { k, with: none.clone(), simple_path };
        assert_eq!(build(&model, &model.properties()[0], &proof(1, None), "m").latches().len(), 3);
        // Two moments of (valid, a, b): the input and c do not matter.
        let witness = build(&model, &model.properties()[0], &proof(3, None), "m");
        assert_eq!((witness.inputs().len(), witness.latches().len()), (1, 3 + 2 * 3));
        let simple = build(&model, &model.properties()[0], &proof(3, Some(vec![0, 2])), "m");
        assert_eq!((simple.latches().len(), simple.bads.len()), (3, 2));
        assert_eq!(Claim::read(&simple.comment).simple_path, Some((3, vec![0, 2])));
    }

    #[test]
    fn the_subject_is_the_model_if_it_has_one_property() {
        let mut model = model();
        assert!(matches!(subject(&model, &model.properties()[0]), Cow::Borrowed(_)));
        model.fairness.push(Signal { lit: Lit::TRUE, name: None });
        assert!(matches!(subject(&model, &model.properties()[0]), Cow::Owned(_)));
        model.fairness.clear();
        model.add_bad("", Lit::FALSE);
        assert_eq!(subject(&model, &model.properties()[1]).bads[0].lit, Lit::FALSE);
    }

    #[test]
    fn the_subject_of_justice_has_no_bad_states() {
        let mut model = BitSystem::new();
        let a = model.add_input("a");
        model.justice.push(Justice { lits: vec![a], name: None });
        assert!(matches!(subject(&model, &model.properties()[0]), Cow::Borrowed(_)));
        model.fairness.push(Signal { lit: a, name: None });
        assert!(matches!(subject(&model, &model.properties()[0]), Cow::Borrowed(_)));
        model.justice.push(Justice { lits: vec![], name: None });
        model.add_bad("", a);
        let second = subject(&model, &model.properties()[2]);
        assert_eq!((second.bads.len(), second.justice[0].lits.len(), second.fairness.len()), (0, 0, 1));
        // That no run goes on for ever is said with a signal that is always true.
        let mut ends = BitSystem::new();
        ends.justice.push(Justice { lits: vec![], name: None });
        assert_eq!(subject(&ends, &ends.properties()[0]).justice[0].lits, [Lit::TRUE]);
    }

    #[test]
    fn claims_of_others() {
        let claim = |text: &str| Claim::read(text.as_bytes());
        assert_eq!(claim("hi\nWITNESS o12 m.aig shasum 9f\n").property, Some(PropertyId::Output(12)));
        assert_eq!(claim("WITNESS j0 x").property, Some(PropertyId::Justice(0)));
        assert_eq!(claim("WITNESS \nWITNESS x1\nWITNESS b\nWITNESS é1"), Claim::default());
        assert_eq!(claim("INDUBIT k-induction simple-path k=x"), Claim::default());
    }
}
