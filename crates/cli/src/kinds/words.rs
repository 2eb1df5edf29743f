//! Models of words, as they are shown.

use super::{Presented, Subject};
use crate::simulate::Seen;
use crate::size::Size;
use indubit::certify;
use indubit::formats::lemmas::{self, Lemma};
use indubit::formats::model::WordModel;
use indubit::formats::trace_table::{Options, Shown};
use indubit::formats::{self, vcd, word_trace};
use indubit::run::{Ask, Cancel};
use indubit::smt::External;
use indubit::system::Shape;
use indubit::term::{Term, Value};
use indubit::{Claim, Property, WordLemmas, WordProof, WordSystem, WordTrace, Words};
use std::collections::HashMap;
use std::path::Path;

impl Presented for Words {
    type Model = WordModel;
    const BY_QUERIES: &'static str = "SMT";
    const BY_REPLAY: &'static str = "evaluation";
    const KEPT: &'static str = "smt2";
    const ADVICE: &'static str = "";

    fn system(model: &WordModel) -> &WordSystem {
        model.system()
    }
    fn size(model: &WordModel) -> Size {
        Size::of_words(model.system())
    }
    fn suspicions(model: &WordModel) -> Vec<String> {
        let system = model.system();
        let mut suspicions = Vec::new();
        if matches!(model, WordModel::Chc(chc) if chc.n_queries == 0) {
            suspicions.push(
                "there is no query, a clause whose head is false: nothing is asked, and the answer is `safe` whatever the clauses say"
                    .into(),
            );
        }
        let free = system.unconstrained();
        if let (Some(&first), WordModel::Vmt(_)) = (free.first(), model) {
            let more = if free.len() > 1 { format!(" and {} more", free.len() - 1) } else { String::new() };
            suspicions.push(format!(
                "no step says what the next value of `{}`{more} is: it can be anything (what never changes has a step `(= x.next x)`)",
                system.state_name(first)
            ));
        }
        suspicions
    }
    fn read_lemmas(path: &Path, model: &WordModel) -> Result<(Vec<Lemma>, WordLemmas), formats::Error> {
        let lemmas::WordLemmas { lemmas, terms, candidates } = lemmas::read_words(path, model)?;
        Ok((lemmas, WordLemmas { terms, formulas: candidates }))
    }
    fn only(lemmas: &WordLemmas, which: &[usize]) -> WordLemmas {
        let formulas = which.iter().map(|&i| lemmas.formulas[i]).collect();
        WordLemmas { terms: lemmas.terms.clone(), formulas }
    }
    fn add_cover(model: &mut WordModel, text: &str) -> Result<(), formats::Error> {
        lemmas::add_word_cover(model, text)
    }

    fn text(model: &WordModel, proof: &WordProof, most: Option<usize>) -> String {
        match proof {
            WordProof::Inductive { terms, invariant } => model.text(terms, *invariant, most),
            WordProof::KInductive { .. } | WordProof::Ends { .. } => "true\n".into(),
        }
    }
    fn formulas(model: &WordModel, proof: &WordProof, most: usize) -> Option<Vec<String>> {
        let is_small = proof.n_lemmas() <= most;
        is_small.then(|| Words::text(model, proof, None).lines().map(str::to_owned).collect())
    }
    fn n_clauses(proof: &WordProof) -> usize {
        proof.n_lemmas()
    }
    fn shape(proof: &WordProof) -> Shape {
        proof.shape()
    }
    fn checked(proof: &WordProof) -> &'static str {
        match proof {
            WordProof::Inductive { .. } => "queries by SMT",
            WordProof::KInductive { .. } | WordProof::Ends { .. } => "k-step queries by SMT",
        }
    }
    fn ask_another(
        model: &WordModel,
        property: &Property<Term>,
        proof: &WordProof,
        other: &External,
        cancel: &Cancel,
    ) -> Ask<Result<Vec<String>, String>> {
        let asked = certify::ask_another(model.system(), property, proof, other, cancel)?;
        Ok(asked.map_err(|reason| reason.to_string()))
    }
    fn table(model: &WordModel, property: &Property<Term>, trace: &WordTrace, options: Options) -> String {
        model.table(property, trace, options)
    }
    fn run_table(
        model: &WordModel,
        trace: &WordTrace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        model.run_table(trace, options, note)
    }
    fn seen(model: &WordModel, trace: &WordTrace) -> Vec<Seen> {
        let system = model.system();
        let vars: Vec<Term> =
            system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied()).collect();
        let step = |(states, inputs): (&Vec<Value>, &Vec<Value>)| {
            let values: HashMap<Term, &Value> =
                vars.iter().copied().zip(states.iter().chain(inputs)).collect();
            let value = |var: Term| match values.get(&var) {
                Some(&value) => value.clone(),
                None => Value::zero(system.terms.sort(var)),
            };
            let is_hit = |p: &usize| match system.properties[*p].claim {
                Claim::Always(good) => system.terms.holds(good, &value) == Ok(false),
                Claim::Reachable(goal) => system.terms.holds(goal, &value) == Ok(true),
                Claim::Justice(_) => false,
            };
            Seen { broken: Vec::new(), hit: (0..system.properties.len()).filter(is_hit).collect() }
        };
        trace.states.iter().zip(&trace.inputs).map(step).collect()
    }
    fn steps(model: &WordModel, trace: &WordTrace) -> Vec<[Vec<Shown>; 2]> {
        let system = model.system();
        let list = |values: &[Value], name: &dyn Fn(usize) -> String| -> Vec<Shown> {
            let named = |(i, value): (usize, &Value)| Shown { name: name(i), value: value.to_string() };
            values.iter().enumerate().map(named).collect()
        };
        let step = |(states, inputs): (&Vec<Value>, &Vec<Value>)| {
            let states = list(states, &|i| system.state_name(i).to_owned());
            [states, list(inputs, &|i| system.input_name(i).to_owned())]
        };
        trace.states.iter().zip(&trace.inputs).map(step).collect()
    }
    fn step(
        model: &WordModel,
        _: Subject<'_, Words>,
        trace: &WordTrace,
        broken: &str,
        options: Options,
    ) -> (String, Vec<[Vec<Shown>; 2]>) {
        (model.step(trace, broken, options), Words::steps(model, trace))
    }

    fn witness(model: &WordModel, property: &Property<Term>, trace: &WordTrace) -> String {
        word_trace::write(model.system(), &property.label(), trace)
    }
    fn waveform(model: &WordModel, title: &str, trace: &WordTrace) -> String {
        vcd::write_words(model.system(), title, trace)
    }
    fn invariant(model: &WordModel, proofs: &[(usize, &WordProof)], _: &str) -> Option<String> {
        model.definitions(proofs)
    }
}
