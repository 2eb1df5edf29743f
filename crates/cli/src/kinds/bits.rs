//! Models of bits, as they are shown.

use super::{Explained, Presented, Proved, Subject, explained, sets};
use crate::size::Size;
use indubit::certify::{Solving, certify_file};
use indubit::formats::lemmas::{self, Lemma};
use indubit::formats::seen::{self, Seen};
use indubit::formats::trace_table::{self, Options, Shown};
use indubit::formats::{
    self, aiger, certificate, certificate_all, ctl_tree, invariant_text, ranked_text, vcd, witness, yosys,
};
use indubit::logic::Lit;
use indubit::run::Ask;
use indubit::system::CtlProof;
use indubit::{BitSystem, Bits, Claim, Invariant, Proof, Property, Trace};
use std::path::Path;

/// A circuit as a file of this name: ASCII or binary, as its extension says.
pub fn written(circuit: &BitSystem, path: &Path) -> Vec<u8> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("aag") => aiger::write_ascii(circuit),
        _ => aiger::write_binary(circuit),
    }
}

impl Presented for Bits {
    type Model = BitSystem;
    const IS_WORDS: bool = false;
    const BY_QUERIES: &'static str = "SAT";
    const BY_REPLAY: &'static str = "simulation";
    const KEPT: &'static str = "aag";
    const ADVICE: &'static str = " (numbers are unsigned: signed(x) reads x in two's complement)";

    fn system(model: &BitSystem) -> &BitSystem {
        model
    }
    fn size(model: &BitSystem) -> Size {
        Size::of_bits(model)
    }
    fn suspicions(model: &BitSystem) -> Vec<String> {
        model.naming.misfits.clone()
    }
    fn read_lemmas(path: &Path, model: &BitSystem) -> Result<(Vec<Lemma>, Invariant), formats::Error> {
        lemmas::read(path, model).map(|read| (read.lemmas, read.candidates))
    }
    fn only(lemmas: &Invariant, which: &[usize]) -> Invariant {
        lemmas.select(which)
    }
    fn add_cover(model: &mut BitSystem, text: &str) -> Result<(), formats::Error> {
        lemmas::add_cover(model, text)
    }
    fn with_system(_: &BitSystem, system: BitSystem) -> BitSystem {
        system
    }
    fn add_ltl(model: &mut BitSystem, text: &str) -> Result<(), formats::Error> {
        lemmas::add_ltl(model, text)
    }
    fn add_ctl(model: &mut BitSystem, text: &str) -> Result<(), formats::Error> {
        lemmas::add_ctl(model, text)
    }

    fn broken(property: &Property) -> String {
        property.label()
    }
    fn text(model: &BitSystem, property: &Property, proof: &Proof, most: Option<usize>) -> String {
        match proof {
            Proof::Ranked(ranked) => ranked_text::write(model, property, ranked, most),
            _ => invariant_text::write(model, proof.invariant(), most),
        }
    }
    fn formulas(model: &BitSystem, proof: &Proof, most: usize) -> Option<Vec<String>> {
        let invariant = proof.invariant();
        if invariant.clauses().len() > most || matches!(proof, Proof::Ranked(_)) {
            return None;
        }
        let text = lemmas::write(model, invariant, "");
        Some(text.lines().map(str::to_owned).collect())
    }
    fn ranks(model: &BitSystem, property: &Property, proof: &Proof, most: usize) -> Option<Vec<String>> {
        match proof {
            Proof::Ranked(ranked) if ranked.order.len() <= most => {
                Some(ranked_text::ranks(model, property, ranked))
            }
            _ => None,
        }
    }
    fn n_clauses(proof: &Proof) -> usize {
        proof.invariant().clauses().len()
    }
    fn checked(proof: &Proof) -> &'static str {
        match proof {
            Proof::KInductive { simple_path: Some(_), .. } => "k-step queries by SAT",
            _ => "witness circuit by SAT",
        }
    }
    fn table(model: &BitSystem, property: &Property, trace: &Trace, options: Options) -> String {
        trace_table::write(model, property, trace, options)
    }
    fn run_table(
        model: &BitSystem,
        trace: &Trace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        trace_table::simulation(model, trace, options, note)
    }
    fn seen(model: &BitSystem, trace: &Trace) -> Vec<Seen> {
        seen::bits(model, trace)
    }
    fn steps(model: &BitSystem, trace: &Trace) -> Vec<[Vec<Shown>; 2]> {
        trace_table::values(model, trace)
    }
    fn step(
        model: &BitSystem,
        subject: Subject<'_, Bits>,
        trace: &Trace,
        broken: &str,
        options: Options,
    ) -> (String, Vec<[Vec<Shown>; 2]>) {
        let roots: Vec<Lit> = match subject {
            Subject::Property(property) => property.claim.formulas().to_vec(),
            Subject::Lemma(lemmas, i) => {
                let mut own = Invariant::new(model.aig().n_vars());
                lemmas.select(&[i]).conjoin_to(&mut own, Lit::positive);
                own.nodes().map(Lit::positive).collect()
            }
        };
        let table = trace_table::step(model, &roots, trace, Options { all: false, ..options }, broken);
        (table, trace_table::step_values(model, &roots, trace))
    }

    fn why(
        model: &BitSystem,
        property: &Property,
        proof: &CtlProof,
        most: usize,
        by: &Solving,
    ) -> Ask<Explained<Trace>> {
        let Claim::Ctl(formula) = &property.claim else { return Ok(Explained::Nothing) };
        explained(model, property, (proof, most), by, &ctl_tree::atoms(model, formula))
    }
    fn sets(
        model: &BitSystem,
        property: &Property,
        proof: &CtlProof,
        model_name: &str,
        path: &Path,
    ) -> Option<Vec<u8>> {
        let Claim::Ctl(formula) = &property.claim else { return None };
        sets(model, property, proof, &ctl_tree::atoms(model, formula), (model_name, path))
    }
    fn path(
        model: &BitSystem,
        property: &Property,
        trace: &Trace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        let fair = model.fairness.iter().chain(&model.constraints).map(|signal| signal.lit);
        let roots: Vec<Lit> = property.claim.formulas().iter().copied().chain(fair).collect();
        trace_table::path(model, &roots, trace, options, note)
    }

    fn witness(_: &BitSystem, property: &Property, trace: &Trace) -> String {
        witness::write(property.id, trace)
    }
    fn waveform(model: &BitSystem, title: &str, trace: &Trace) -> String {
        vcd::write(model, title, trace)
    }
    fn yosys_witness(model: &BitSystem, _: &Property, trace: &Trace) -> Option<String> {
        Some(yosys::witness::of_bits(model, trace))
    }
    fn certificate(
        model: &BitSystem,
        proofs: &[Proved<'_, Bits>],
        model_name: &str,
        path: &Path,
    ) -> Result<Vec<u8>, String> {
        let circuit = match proofs {
            [(property, proof)] => Some(certificate::build(model, property, proof, model_name)),
            _ => certificate_all::build(model, proofs, model_name),
        };
        let circuit = circuit.ok_or("a proof is on simple paths, for which there is no witness circuit")?;
        Ok(written(&circuit, path))
    }
    fn check_certificate(model: &BitSystem, certificate: &[u8], by: Solving) -> Ask<Result<(), String>> {
        let checked = certify_file(model, certificate, by)?;
        Ok(checked.map(drop).map_err(|reason| reason.to_string()))
    }
    fn invariant(model: &BitSystem, proofs: &[(usize, &Proof)], title: &str) -> Option<String> {
        lemmas::write_proofs(model, proofs.iter().map(|(_, proof)| *proof), title)
    }
}
