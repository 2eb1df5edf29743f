//! IC3 with implicit predicate abstraction, CTIGAR, and Quip over predicates: the loop of the `pdr` crate over another oracle.

use super::congruences::congruences;
use super::equalities::equalities;
use super::{PredOracle, Refine, WordConfig};
use crate::{Engine, Options};
use indubit_pdr::{Config, Generalize, Outcome, Pdr, Quip};
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, WordProblem, WordProof, Words};
use indubit_term::{Term, Terms};

/// Finds predicates before IC3 begins.
type Search = fn(&WordProblem, &mut Terms, &Run<'_>) -> Ask<Vec<Term>>;

pub(crate) struct Ic3ia {
    problem: WordProblem,
    options: Options,
    quip: Option<Quip>,
}

impl Ic3ia {
    /// IC3 with implicit predicate abstraction (Cimatti et al., TACAS 2014): spurious counterexamples are refined as a whole.
    pub(crate) fn new(problem: WordProblem, options: &Options) -> Ic3ia {
        let mut options = options.clone();
        options.words = WordConfig { refine: Refine::Paths, ..options.words };
        Ic3ia { problem, options, quip: None }
    }
    /// CTIGAR (Birgmeier, Bradley, Weissenbacher, CAV 2014): single steps are refined, and predecessors are lifted.
    pub(crate) fn ctigar(problem: WordProblem, options: &Options) -> Ic3ia {
        let mut options = options.clone();
        options.words.lift = true;
        Ic3ia { problem, options, quip: None }
    }
    /// Quip (Ivrii, Gurfinkel, FMCAD 2015) over predicates.
    pub(crate) fn quip(problem: WordProblem, options: &Options) -> Ic3ia {
        Ic3ia { quip: Some(options.quip), ..Ic3ia::new(problem, options) }
    }
    /// Do the options ask for what [`PredOracle`] cannot do?
    fn asks_too_much(&self) -> bool {
        self.options.pdr.generalize == Generalize::Interpolant || self.quip.is_some_and(|quip| quip.walk > 0)
    }
}

impl Engine<Words> for Ic3ia {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion<Words> {
        if self.asks_too_much() {
            let stop = Stop::Incomplete("lemmas from interpolants and random walks are for bits only");
            return Conclusion::Unknown { stop, safe_up_to: None };
        }
        let config = Config { seed: run.seed, ..self.options.pdr.clone() };
        let mut oracle = PredOracle::new(&self.problem, self.options.words, self.options.interpolation, run);
        let WordConfig { equalities: equal, congruences: congruent, .. } = self.options.words;
        for (is_wanted, search) in [(equal, equalities as Search), (congruent, congruences)] {
            match is_wanted.then(|| search(&self.problem, &mut oracle.terms, run)).transpose() {
                Ok(found) => _ = oracle.add_predicates(found.into_iter().flatten()),
                Err(stop) => return Conclusion::Unknown { stop, safe_up_to: None },
            }
        }
        let pdr = match self.quip {
            Some(quip) => Pdr::quip(oracle, config, quip),
            None => Pdr::new(oracle, config),
        };
        let mut pdr = pdr.with_refinement();
        let outcome = pdr.prove(run);
        pdr.report(run);
        pdr.oracle().report(run);
        match outcome {
            Ok(Outcome::Counterexample(trace)) => Conclusion::Unsafe(trace),
            Ok(Outcome::Invariant(cubes)) => {
                let mut terms = pdr.oracle().terms().clone();
                let invariant = pdr.oracle().outside(&mut terms, &cubes);
                Conclusion::Safe(WordProof::Inductive { terms, invariant })
            }
            Err(stop) => Conclusion::Unknown { stop, safe_up_to: pdr.safe_up_to() },
        }
    }
}
