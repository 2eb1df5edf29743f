//! Lemmas over random systems: what engines prove can be written, read and proved again; random lemmas are proved only if they hold; and
//! counterexamples to induction are what they claim to be.

use crate::common::{self, Found, Searched, engines, fits, found, is_prover};
use indubit::aig::simulate;
use indubit::formats::model::WordModel;
use indubit::formats::{aiger, lemmas};
use indubit::logic::{Clause, Lit};
use indubit::run::{Cancel, Run, Stop};
use indubit::term::{Term, Value};
use indubit::{
    BitSystem, Bits, Claim, EngineId, Incremental, Invariant, NOT_INDUCTIVE, Proof, Standing, Strategy,
    Trace, WordLemmas, WordProof, WordSystem, WordTrace, Words, check, counterexample_to_induction,
};
use indubit_testkit::{corpus, explicit, random_words};
use std::collections::HashMap;

/// A kind of systems whose lemmas can be drawn, written, and looked at in a state, without a solver.
trait Stated: Searched {
    /// Some formulas, which need not hold.
    fn random_lemmas(system: &mut Self::System, rng: &mut fastrand::Rng) -> Self::Lemmas;
    /// What people read if a property has such a proof, in all forms that can be read again; nothing if it has no invariant.
    fn texts(system: &Self::System, property: usize, proof: &Self::Proof) -> Vec<String>;
    fn read(system: &Self::System, text: &str) -> Self::Lemmas;
    /// For each lemma, how long a shortest run to a step is in which it is false, if there is one.
    fn refutations(system: &Self::System, lemmas: &Self::Lemmas) -> Vec<Option<u32>>;
    /// Does it begin in an initial state?
    fn is_initial(system: &Self::System, trace: &Self::Trace) -> bool;
    /// Is it a step of the model, or a single state?
    fn is_step(system: &Self::System, trace: &Self::Trace) -> bool;
    /// Is it true in a moment of a trace that a lemma holds?
    fn holds(
        system: &Self::System,
        lemmas: &Self::Lemmas,
        lemma: usize,
        trace: &Self::Trace,
        k: usize,
    ) -> bool;
    /// Is it true in a moment of a trace that nothing happens that would decide the claim?
    fn is_quiet(system: &Self::System, claim: &Claim<Self::Formula>, trace: &Self::Trace, k: usize) -> bool;
}

/// The values of all nodes in moment `k`.
fn values(system: &BitSystem, trace: &Trace, k: usize) -> Vec<bool> {
    let mut state = trace.initial.clone();
    for inputs in &trace.inputs[..k] {
        state = system.next_state(&system.evaluate(&state, inputs));
    }
    system.evaluate(&state, &trace.inputs[k])
}

impl Stated for Bits {
    /// Clauses over any nodes, inputs among them.
    fn random_lemmas(system: &mut BitSystem, rng: &mut fastrand::Rng) -> Invariant {
        let n_vars = system.aig().n_vars();
        let mut candidates = Invariant::new(n_vars);
        for _ in 0..rng.usize(1..12) {
            let n_lits = rng.usize(1..4);
            let lit = |_| Lit::from_code(rng.u32(2..2 * n_vars.max(2) as u32));
            candidates.add(Clause::new((0..n_lits).map(lit)));
        }
        candidates
    }
    fn texts(system: &BitSystem, _: usize, proof: &Proof) -> Vec<String> {
        match proof {
            Proof::Inductive(invariant) => vec![lemmas::write(system, invariant, "")],
            Proof::KInductive { .. } | Proof::Ranked(_) => Vec::new(),
        }
    }
    fn read(system: &BitSystem, text: &str) -> Invariant {
        let read = lemmas::parse(text.as_bytes(), system);
        read.unwrap_or_else(|error| panic!("{error}\n{text}")).candidates
    }
    fn refutations(system: &BitSystem, lemmas: &Invariant) -> Vec<Option<u32>> {
        let refute = |i| explicit::refute(system, &lemmas.select(&[i])).expect("a small system");
        (0..lemmas.clauses().len()).map(|i| refute(i).map(|trace| trace.len() as u32)).collect()
    }
    fn is_initial(system: &BitSystem, trace: &Trace) -> bool {
        let values = values(system, trace, 0);
        system.latches().iter().all(|l| simulate::value(&values, l.reset) == values[l.var.index()])
    }
    fn is_step(system: &BitSystem, trace: &Trace) -> bool {
        (0..trace.inputs.len()).all(|k| {
            let values = values(system, trace, k);
            system.constraints.iter().all(|c| simulate::value(&values, c.lit))
        })
    }
    fn holds(system: &BitSystem, lemmas: &Invariant, lemma: usize, trace: &Trace, k: usize) -> bool {
        let mut aig = system.aig().clone();
        let edges = lemmas.select(&[lemma]).build(&mut aig, |_, var| Lit::positive(var));
        let mut values = values(system, trace, k);
        values.resize(aig.n_vars(), false);
        simulate::propagate_bools(&aig, &mut values);
        edges.iter().all(|&edge| simulate::value(&values, edge))
    }
    fn is_quiet(system: &BitSystem, claim: &Claim, trace: &Trace, k: usize) -> bool {
        claim.target().is_none_or(|target| !simulate::value(&values(system, trace, k), target))
    }
}

/// Does a formula hold in a moment of a trace, or (a relation) between two?
fn word_holds(system: &WordSystem, lemmas: &WordLemmas, formula: Term, trace: &WordTrace, k: usize) -> bool {
    let mut values: HashMap<Term, &Value> = HashMap::new();
    for (i, var) in system.states.iter().enumerate() {
        values.insert(var.current, &trace.states[k][i]);
        if let Some(next) = trace.states.get(k + 1) {
            values.insert(var.next, &next[i]);
        }
    }
    values.extend(system.inputs.iter().copied().zip(&trace.inputs[k]));
    lemmas.terms.holds(formula, &|var| values[&var].clone()).expect("all variables have values")
}

fn of_words(system: &WordSystem) -> WordLemmas {
    WordLemmas { terms: system.terms.clone(), formulas: Vec::new() }
}

impl Stated for Words {
    fn random_lemmas(system: &mut WordSystem, rng: &mut fastrand::Rng) -> WordLemmas {
        let formulas = (0..rng.usize(1..9)).map(|_| random_words::formula(system, rng)).collect();
        WordLemmas { formulas, ..of_words(system) }
    }
    fn texts(system: &WordSystem, property: usize, proof: &WordProof) -> Vec<String> {
        let WordProof::Inductive { terms, invariant } = proof else { return Vec::new() };
        let model = WordModel::Vmt(system.clone());
        let definition = model.definitions(&[(property, proof)]).expect("there is an invariant");
        vec![model.text(terms, *invariant, None), definition]
    }
    fn read(system: &WordSystem, text: &str) -> WordLemmas {
        let read = lemmas::parse_words(text.as_bytes(), &WordModel::Vmt(system.clone()));
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        WordLemmas { terms: read.terms, formulas: read.candidates }
    }
    fn refutations(system: &WordSystem, lemmas: &WordLemmas) -> Vec<Option<u32>> {
        let mut all = WordSystem { terms: lemmas.terms.clone(), properties: Vec::new(), ..system.clone() };
        lemmas.formulas.iter().for_each(|&lemma| all.add_invar("lemma", lemma));
        Words::shortest(&all).expect("a small system")
    }
    fn is_initial(system: &WordSystem, trace: &WordTrace) -> bool {
        word_holds(system, &of_words(system), system.init, trace, 0)
    }
    fn is_step(system: &WordSystem, trace: &WordTrace) -> bool {
        (1..trace.states.len()).all(|k| word_holds(system, &of_words(system), system.trans, trace, k - 1))
    }
    fn holds(system: &WordSystem, lemmas: &WordLemmas, lemma: usize, trace: &WordTrace, k: usize) -> bool {
        word_holds(system, lemmas, lemmas.formulas[lemma], trace, k)
    }
    fn is_quiet(system: &WordSystem, claim: &Claim<Term>, trace: &WordTrace, k: usize) -> bool {
        let is_seen = |formula: Term| word_holds(system, &of_words(system), formula, trace, k);
        match *claim {
            Claim::Always(good) => is_seen(good),
            Claim::Reachable(goal) => !is_seen(goal),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => true,
        }
    }
}

/// Write the invariant of each property that an engine decides by a proof, and prove it again. How many there were.
fn round_trip<K: Stated>(place: &str, system: &K::System, strategy: &Strategy) -> usize {
    let mut n_proved = 0;
    for (property, _) in K::properties(system).iter().enumerate() {
        let mut patience = common::Patience::new();
        let verdict = check::<K>(system, property, strategy.clone(), &mut patience.run());
        let Some(proof) = verdict.as_ref().ok().and_then(|verdict| verdict.proof()) else { continue };
        let texts = K::texts(system, property, proof);
        for text in &texts {
            let mut run = Run::new(Cancel::new());
            let again = Incremental::<K>::new(system, K::read(system, text), None, &mut run);
            let (again, _) = again.expect("certified").check(property, &mut run).expect("certified");
            assert_eq!(found(&again), Found::Proof, "{place}, property {property}\n{text}");
        }
        n_proved += usize::from(!texts.is_empty());
    }
    n_proved
}

#[test]
fn what_engines_prove_is_proved_again() {
    let has_invariants = |e: &&indubit::EngineInfo| is_prover(e) && e.id != EngineId::Kind;
    let provers: Vec<_> = engines::<Bits>().filter(has_invariants).collect();
    let mut n_proved = 0;
    for (seed, mut system) in common::systems(300) {
        Bits::add_covers(&mut system, seed);
        let mut strategy = Strategy::from(provers[seed as usize % provers.len()]);
        if seed % 2 == 0 {
            strategy.passes = "coi,ternary".parse().expect("these passes exist");
        }
        let place = format!("seed {seed}\n{}", String::from_utf8_lossy(&aiger::write_ascii(&system)));
        n_proved += round_trip::<Bits>(&place, &system, &strategy);
    }
    assert!(n_proved > 30, "{n_proved}");
    let provers: Vec<_> = engines::<Words>().filter(has_invariants).collect();
    let mut n_proved = 0;
    for seed in common::seeds(60) {
        let mut system = Words::random(seed);
        Words::add_covers(&mut system, seed);
        let strategy = Strategy::from(provers[seed as usize % provers.len()]);
        n_proved += round_trip::<Words>(&format!("seed {seed}"), &system, &strategy);
    }
    assert!(n_proved > 20, "{n_proved}");
}

#[test]
fn what_engines_prove_of_our_examples_is_proved_again() {
    let mut n_proved = 0;
    for example in corpus::examples() {
        let system = aiger::read(&example.path).expect("our own example");
        let place = example.path.display().to_string();
        for engine in [EngineId::Ic3, EngineId::Quip] {
            let mut strategy = Strategy::from(engine);
            n_proved += round_trip::<Bits>(&place, &system, &strategy);
            strategy.passes = "coi".parse().expect("this pass exists");
            n_proved += round_trip::<Bits>(&place, &system, &strategy);
        }
    }
    assert!(n_proved > 100, "{n_proved}");
}

/// Is it a step of the model from where all lemmas at `given` hold and the claim is not decided to where it is?
fn breaks_claim<K: Stated>(
    system: &K::System,
    (lemmas, given): (&K::Lemmas, &[usize]),
    claim: &Claim<K::Formula>,
    cti: &K::Trace,
) -> bool {
    K::length(cti) == 1
        && K::is_step(system, cti)
        && given.iter().all(|&i| K::holds(system, lemmas, i, cti, 0))
        && K::is_quiet(system, claim, cti, 0)
        && !K::is_quiet(system, claim, cti, 1)
}

#[test]
fn counterexamples_to_induction_are_steps_of_the_model() {
    let mut n_steps = 0;
    for (seed, mut system) in common::systems(300) {
        Bits::add_covers(&mut system, seed);
        let mut run = Run::new(Cancel::new());
        let nothing = Invariant::new(system.aig().n_vars());
        for (index, property) in system.properties().iter().enumerate() {
            let verdict = check::<Bits>(&system, index, EngineId::Induction, &mut run).expect("certified");
            let cti = counterexample_to_induction::<Bits>(&system, index, None, None, &run);
            let cti = cti.expect("not cancelled");
            let is_breaking =
                cti.map(|cti| breaks_claim::<Bits>(&system, (&nothing, &[]), &property.claim, &cti));
            let expected = match found(&verdict) {
                Found::Proof => is_breaking.is_none(),
                Found::Trace(_) => is_breaking != Some(false),
                Found::Unknown(stop, _) => {
                    stop == Stop::Incomplete(NOT_INDUCTIVE) && is_breaking == Some(true)
                }
            };
            assert!(expected, "seed {seed}: {is_breaking:?}");
            n_steps += usize::from(is_breaking.is_some());
        }
    }
    assert!(n_steps > 50, "{n_steps}");
}

/// How many lemmas there are of each standing: trivial, proved, false initially, not inductive.
fn standings<K: Stated>(seeds: std::ops::Range<u64>) -> [usize; 4] {
    let mut n = [0; 4];
    for seed in seeds {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut system = K::random(seed);
        K::add_covers(&mut system, seed);
        let lemmas = K::random_lemmas(&mut system, rng);
        let mut run = Run::new(Cancel::new());
        let proof = Incremental::<K>::new(&system, lemmas.clone(), None, &mut run);
        let mut proof = proof.expect("certified");
        let proved = proof.proved();
        let truths = K::refutations(&system, &lemmas);
        for (i, (standing, truth)) in proof.standings().iter().zip(truths).enumerate() {
            let holds = |i: usize, trace: &K::Trace, k| K::holds(&system, &lemmas, i, trace, k);
            let (at, agrees) = match standing {
                Standing::Trivial => (0, truth.is_none()),
                Standing::Proved(_) => (1, truth.is_none()),
                Standing::FalseInitially(trace) => {
                    (2, truth == Some(0) && K::is_initial(&system, trace) && !holds(i, trace, 0))
                }
                Standing::NotInductive(cti) => {
                    let is_step = K::length(cti) == 1 && K::is_step(&system, cti);
                    let is_strong = proved.iter().chain([&i]).all(|&j| holds(j, cti, 0));
                    (3, truth != Some(0) && is_step && is_strong && !holds(i, cti, 1))
                }
                Standing::Unknown(stop) => panic!("seed {seed} of {}: {stop}", K::NAME),
            };
            assert!(agrees, "seed {seed} of {}, lemma {i}: {standing:?}, but {truth:?}", K::NAME);
            n[at] += 1;
        }
        let Some(truths) = K::shortest(&system) else { continue };
        for (index, (property, truth)) in K::properties(&system).iter().zip(truths).enumerate() {
            let (verdict, support) = proof.check(index, &mut run).expect("certified");
            // What evidence says was checked by `check`.
            let agrees = match found(&verdict) {
                Found::Proof => truth.is_none() && support.is_some(),
                Found::Trace(length) => truth == Some(length) && support.is_none(),
                Found::Unknown(_, safe_up_to) => {
                    let known = (&lemmas, &proved[..]);
                    let cti = counterexample_to_induction::<K>(&system, index, Some(known), None, &run);
                    let cti = cti.expect("not cancelled").expect("it is not inductive");
                    safe_up_to == Some(1)
                        && truth.is_none_or(|depth| depth > 1)
                        && breaks_claim::<K>(&system, known, &property.claim, &cti)
                }
            };
            let place = format!("seed {seed} of {}, property {index}", K::NAME);
            assert!(agrees && fits(&verdict, property), "{place}: {verdict:?}, but {truth:?}");
        }
    }
    n
}

#[test]
fn random_lemmas_stand_as_they_should() {
    let of_bits = standings::<Bits>(common::seeds(300));
    assert!(of_bits.iter().all(|&n| n > 10), "{of_bits:?}");
    let [trivial, proved, initially, not_inductive] = standings::<Words>(common::seeds(100));
    assert!(proved > 20 && not_inductive > 20 && trivial + initially > 20);
}
