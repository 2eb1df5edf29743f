//! The one table of engines: what each is called, what it works on, what it can do, and how it is made.

use crate::branching::Iictl;
use crate::diagrams::{FairCycles, Fixpoints, Reachability};
use crate::ic3::{Ic3, SharedIc3};
use crate::live::{Fair, KLiveness, LassoSearch, LivenessToSafety, Rlive};
use crate::strengthening::Strengthening;
use crate::words::{Ic3ia, Unrolling};
use crate::{Bmc, BranchingEngine, Engine, Options, Shared, avy, induction, isb, itp, k_induction, pba};
use indubit_run::Run;
use indubit_system::{Bits, Branching, ClaimKind, Kind, Liveness, Words};
use std::fmt;

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineId {
    /// IC3.
    Ic3,
    /// Quip.
    Quip,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    Kind,
    /// Proof-based abstraction.
    Pba,
    /// Interpolation.
    Itp,
    /// Interpolation sequences.
    Isb,
    /// IC3 with interpolation sequences.
    Avy,
    /// The inductive checks.
    Induction,
    /// Inductive strengthening with generalization.
    Fsis,
    /// Inductive strengthening without it.
    Naive,
    /// k-liveness.
    Klive,
    /// Depth-first search with shoals.
    Rlive,
    /// Skeletons and walls.
    Fair,
    /// Bounded search for lassos.
    Lasso,
    /// Liveness to safety.
    L2s,
    /// Decision diagrams.
    Bdd,
    /// IC3 for computation tree logic.
    Iictl,
    /// IC3 over predicates.
    Ic3ia,
    /// IC3 over predicates, guided by counterexamples to induction.
    Ctigar,
}

impl EngineId {
    /// Its row in the table.
    pub fn info(self) -> &'static EngineInfo {
        ENGINES.iter().find(|e| e.id == self).expect("every engine is in the table")
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

/// An engine as users know it.
pub struct EngineInfo {
    /// Which one it is.
    pub id: EngineId,
    /// What users type.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// The claims that it decides.
    pub claims: &'static [ClaimKind],
    /// How it works on circuits, if it does.
    pub bits: Option<Implementation<Bits>>,
    /// How it works on words, if it does.
    pub words: Option<Implementation<Words>>,
    /// How it decides liveness of circuits, if it does.
    pub live: Option<Implementation<Bits, Liveness>>,
    /// How it decides formulas of computation tree logic about circuits, if it does.
    pub branching: Option<Branch>,
}

/// Makes an engine for a formula of computation tree logic.
pub type Branch = fn(Branching, &Options) -> Box<dyn BranchingEngine>;

/// What an engine can prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// Nothing: it finds bugs.
    Nothing,
    /// That something is never reached, by an inductive invariant.
    Invariants,
    /// That something is never reached, by what several steps say; an invariant that could be written need not be there.
    Steps,
    /// That something is not seen for ever, by a rank.
    Ranks,
}

/// Makes an engine for several targets of one problem.
pub type Share<K, P = <K as Kind>::Problem> = fn(P, &Options, &Run<'_>) -> Box<dyn Shared<K>>;

/// An engine for one kind of systems and one kind of problems, with what it can do there.
pub struct Implementation<K: Kind, P = <K as Kind>::Problem> {
    /// What it proves.
    pub proves: Proves,
    /// Does it record its solver queries if the run wants that?
    pub records: bool,
    /// Does it spend effort in many small steps, so that a limit on effort ends it soon?
    pub has_small_steps: bool,
    /// Is it about the problem as the user has it, so that preprocessing is left out unless it is asked for?
    pub as_given: bool,
    /// Can another solver answer in place of ours, where ours has no theory?
    pub asks_others: bool,
    /// An engine for several targets of one problem, if it knows how to share what it learns. Its solvers end with the run.
    pub share: Option<Share<K, P>>,
    /// An engine for a problem.
    pub make: fn(P, &Options) -> Box<dyn Engine<K>>,
}

impl<K: Kind, P> Implementation<K, P> {
    const fn new(proves: Proves, make: fn(P, &Options) -> Box<dyn Engine<K>>) -> Implementation<K, P> {
        Implementation {
            proves,
            records: false,
            has_small_steps: false,
            as_given: false,
            asks_others: false,
            share: None,
            make,
        }
    }
    /// An engine with our relative-induction oracle on bits: it records queries and has small steps.
    const fn of_oracle(make: fn(P, &Options) -> Box<dyn Engine<K>>) -> Implementation<K, P> {
        let plain = Implementation::new(Proves::Invariants, make);
        Implementation { records: true, has_small_steps: true, ..plain }
    }
}

/// Kinds of systems that engines are there for.
pub trait Supported: Kind {
    /// How an engine works on systems of this kind, if it does.
    fn implementation(engine: &EngineInfo) -> Option<&Implementation<Self>>;
}

impl Supported for Bits {
    fn implementation(engine: &EngineInfo) -> Option<&Implementation<Bits>> {
        engine.bits.as_ref()
    }
}

impl Supported for Words {
    fn implementation(engine: &EngineInfo) -> Option<&Implementation<Words>> {
        engine.words.as_ref()
    }
}

/// What a run to a step, or a proof that there is none, decides.
const REACHABILITY: &[ClaimKind] = &[ClaimKind::Always, ClaimKind::Reachable];

/// What a lasso decides, or a proof that there is none.
const LIVENESS: &[ClaimKind] = &[ClaimKind::Justice];

const fn sharing(of: Implementation<Bits>, share: Share<Bits>) -> Implementation<Bits> {
    Implementation { share: Some(share), ..of }
}

/// Every engine. One that is not here does not exist: the conformance suite runs over this table.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        id: EngineId::Ic3,
        name: "ic3",
        summary: "property-directed reachability: one step at a time, no unrolling",
        paper: "A. R. Bradley, SAT-Based Model Checking without Unrolling, VMCAI 2011; \
                N. Een, A. Mishchenko, R. Brayton, Efficient Implementation of Property Directed Reachability, FMCAD 2011",
        claims: REACHABILITY,
        bits: Some(sharing(
            Implementation::of_oracle(|problem, options| Box::new(Ic3::new(problem, options))),
            |problem, options, run| Box::new(SharedIc3::new(Ic3::new(problem, options), run)),
        )),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Quip,
        name: "quip",
        summary: "IC3 that pushes lemmas before it learns new ones, with reachable states to tell good lemmas from bad",
        paper: "A. Ivrii, A. Gurfinkel, Pushing to the Top, FMCAD 2015",
        claims: REACHABILITY,
        bits: Some(sharing(
            Implementation::of_oracle(|problem, options| Box::new(Ic3::quip(problem, options))),
            |problem, options, run| Box::new(SharedIc3::new(Ic3::quip(problem, options), run)),
        )),
        words: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Ic3ia::quip(problem, options))
        })),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Ic3ia,
        name: "ic3ia",
        summary: "IC3 over predicates, which spurious counterexamples give more of",
        paper: "A. Cimatti, A. Griggio, S. Mover, S. Tonetta, IC3 Modulo Theories via Implicit Predicate Abstraction, TACAS 2014",
        claims: REACHABILITY,
        bits: None,
        words: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Ic3ia::new(problem, options))
        })),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Ctigar,
        name: "ctigar",
        summary: "IC3 over predicates, which single steps give more of",
        paper: "J. Birgmeier, A. R. Bradley, G. Weissenbacher, Counterexample to Induction-Guided Abstraction-Refinement, CAV 2014",
        claims: REACHABILITY,
        bits: None,
        words: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Ic3ia::ctigar(problem, options))
        })),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Bmc,
        name: "bmc",
        summary: "bounded model checking: unroll until a counterexample appears",
        paper: "A. Biere, A. Cimatti, E. Clarke, Y. Zhu, Symbolic Model Checking without BDDs, TACAS 1999",
        claims: REACHABILITY,
        bits: Some(Implementation::new(Proves::Nothing, |problem, options| {
            Box::new(Bmc::new(problem, options.bmc))
        })),
        words: Some(Implementation {
            asks_others: true,
            ..Implementation::new(Proves::Steps, |problem, options| {
                Box::new(Unrolling::bmc(problem, options))
            })
        }),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Kind,
        name: "kind",
        summary: "k-induction, with simple-path constraints when they are needed",
        paper: "M. Sheeran, S. Singh, G. Stålmarck, Checking Safety Properties Using Induction and a SAT-Solver, FMCAD 2000; \
                N. Een, N. Sörensson, Temporal Induction by Incremental SAT Solving, BMC 2003",
        claims: REACHABILITY,
        bits: Some(Implementation::new(Proves::Steps, |problem, options| {
            Box::new(k_induction::KInduction::new(problem, options.bmc))
        })),
        words: Some(Implementation {
            asks_others: true,
            ..Implementation::new(Proves::Steps, |problem, options| {
                Box::new(Unrolling::k_induction(problem, options))
            })
        }),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Pba,
        name: "pba",
        summary: "proof-based abstraction: keep the latches that refute counterexamples up to a length, and prove the rest",
        paper: "K. L. McMillan, N. Amla, Automatic Abstraction without Counterexamples, TACAS 2003",
        claims: REACHABILITY,
        bits: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(pba::Pba::new(problem, options))
        })),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Itp,
        name: "itp",
        summary: "interpolation: what a step reaches is kept apart from what can reach a bad state in k steps",
        paper: "K. L. McMillan, Interpolation and SAT-Based Model Checking, CAV 2003",
        claims: REACHABILITY,
        bits: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(itp::Itp::new(problem, options.interpolation, options.bmc.frames))
        })),
        words: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Unrolling::itp(problem, options))
        })),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Isb,
        name: "isb",
        summary: "interpolation sequences: one refutation of k steps says what each step reaches",
        paper: "Y. Vizel, O. Grumberg, Interpolation-Sequence Based Model Checking, FMCAD 2009",
        claims: REACHABILITY,
        bits: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(isb::Isb::new(problem, options.interpolation, options.bmc.frames))
        })),
        words: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Unrolling::isb(problem, options))
        })),
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Avy,
        name: "avy",
        summary: "IC3 whose frames are strengthened by interpolation sequences",
        paper: "Y. Vizel, A. Gurfinkel, Interpolating Property Directed Reachability, CAV 2014",
        claims: REACHABILITY,
        bits: Some(Implementation::of_oracle(|problem, options| Box::new(avy::Avy::new(problem, options)))),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Induction,
        name: "induction",
        summary: "is the property inductive as it stands? If not, a counterexample to induction shows what it does not say",
        paper: "Z. Manna, A. Pnueli, Temporal Verification of Reactive Systems: Safety, Springer 1995",
        claims: REACHABILITY,
        bits: Some(Implementation {
            as_given: true,
            ..Implementation::new(Proves::Invariants, |problem, options| {
                Box::new(induction::Induction::new(problem, options.bmc.frames))
            })
        }),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Fsis,
        name: "fsis",
        summary: "inductive strengthening: counterexamples to induction are generalized to inductive lemmas, without frames",
        paper: "A. R. Bradley, Z. Manna, Checking Safety by Inductive Generalization of Counterexamples to Induction, FMCAD 2007",
        claims: REACHABILITY,
        bits: Some(Implementation::of_oracle(|problem, options| {
            Box::new(Strengthening::fsis(problem, options))
        })),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Naive,
        name: "naive",
        summary: "inductive strengthening: counterexamples to induction are removed one by one, as an exercise",
        paper: "L. Geatti, Incremental Inductive Verification, lecture slides (University of Udine)",
        claims: REACHABILITY,
        bits: Some(Implementation::of_oracle(|problem, options| {
            Box::new(Strengthening::naive(problem, options))
        })),
        words: None,
        live: None,
        branching: None,
    },
    EngineInfo {
        id: EngineId::Klive,
        name: "klive",
        summary: "k-liveness: nothing that must not happen for ever happens more than k times, signals that stabilize aside",
        paper: "K. Claessen, N. Sörensson, A Liveness Checking Algorithm that Counts, FMCAD 2012",
        claims: LIVENESS,
        bits: None,
        words: None,
        live: Some(Implementation {
            proves: Proves::Ranks,
            ..Implementation::of_oracle(|problem, options| Box::new(KLiveness::new(problem, options)))
        }),
        branching: None,
    },
    EngineInfo {
        id: EngineId::Rlive,
        name: "rlive",
        summary: "depth-first search from one time to the next, around the shoals from which there is no next time",
        paper: "Y. Xia, A. Cimatti, A. Griggio, J. Li, Avoiding the Shoals: A New Approach to Liveness Checking, CAV 2024",
        claims: LIVENESS,
        bits: None,
        words: None,
        live: Some(Implementation {
            proves: Proves::Ranks,
            ..Implementation::of_oracle(|problem, options| Box::new(Rlive::new(problem, options)))
        }),
        branching: None,
    },
    EngineInfo {
        id: EngineId::Fair,
        name: "fair",
        summary: "FAIR: a step for each signal is connected to a cycle, or a wall says why not",
        paper: "A. R. Bradley, F. Somenzi, Z. Hassan, Y. Zhang, An Incremental Approach to Model Checking Progress Properties, FMCAD 2011; \
                A. Ivrii, Z. Nevo, J. Baumgartner, k-FAIR = k-LIVENESS + FAIR, FMCAD 2018",
        claims: LIVENESS,
        bits: None,
        words: None,
        live: Some(Implementation {
            proves: Proves::Ranks,
            ..Implementation::of_oracle(|problem, options| Box::new(Fair::new(problem, options)))
        }),
        branching: None,
    },
    EngineInfo {
        id: EngineId::L2s,
        name: "l2s",
        summary: "liveness to safety: a state that was copied is not seen again, as any engine for safety can prove",
        paper: "A. Biere, C. Artho, V. Schuppan, Liveness Checking as Safety Checking, FMICS 2002",
        claims: LIVENESS,
        bits: None,
        words: None,
        live: Some(Implementation::new(Proves::Ranks, |problem, options| {
            Box::new(LivenessToSafety::new(problem, options))
        })),
        branching: None,
    },
    EngineInfo {
        id: EngineId::Lasso,
        name: "lasso",
        summary: "bounded search for lassos: the shortest counterexample to liveness",
        paper: "A. Biere, A. Cimatti, E. Clarke, Y. Zhu, Symbolic Model Checking without BDDs, TACAS 1999; \
                A. Biere, K. Heljanko, T. Junttila, T. Latvala, V. Schuppan, Linear Encodings of Bounded LTL Model Checking, LMCS 2006",
        claims: LIVENESS,
        bits: None,
        words: Some(Implementation {
            asks_others: true,
            ..Implementation::new(Proves::Nothing, |problem, options| {
                Box::new(Unrolling::bmc(problem, options))
            })
        }),
        live: Some(Implementation::new(Proves::Nothing, |problem, options| {
            Box::new(LassoSearch::new(problem, options.bmc.frames))
        })),
        branching: None,
    },
    EngineInfo {
        id: EngineId::Bdd,
        name: "bdd",
        summary: "decision diagrams: all states that can be reached, and those of them on fair cycles",
        paper: "J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang, Symbolic Model Checking: 10^20 States and Beyond, LICS 1990; \
                E. A. Emerson, C.-L. Lei, Efficient Model Checking in Fragments of the Propositional Mu-Calculus, LICS 1986",
        claims: &[ClaimKind::Always, ClaimKind::Reachable, ClaimKind::Justice, ClaimKind::Ctl],
        bits: Some(Implementation::new(Proves::Invariants, |problem, options| {
            Box::new(Reachability::new(problem, options.most_nodes as usize))
        })),
        words: None,
        live: Some(Implementation::new(Proves::Ranks, |problem, options| {
            Box::new(FairCycles::new(problem, options.most_nodes as usize))
        })),
        branching: Some(|graph, options| Box::new(Fixpoints::new(graph, options.most_nodes as usize))),
    },
    EngineInfo {
        id: EngineId::Iictl,
        name: "iictl",
        summary: "computation tree logic: states that are not decided are, one by one, by IC3 and engines for liveness, and what that proves says more",
        paper: "Z. Hassan, A. R. Bradley, F. Somenzi, Incremental, Inductive CTL Model Checking, CAV 2012",
        claims: &[ClaimKind::Ctl],
        bits: None,
        words: None,
        live: None,
        branching: Some(|graph, options| Box::new(Iictl::new(graph, options))),
    },
];

/// The engine with this name.
pub fn find(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|e| e.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_there_once_and_for_something() {
        for (i, engine) in ENGINES.iter().enumerate() {
            assert_eq!(engine.id.info().name, engine.name);
            assert_eq!(find(engine.name).map(|found| found.id), Some(engine.id));
            assert!(ENGINES[..i].iter().all(|other| other.id != engine.id && other.name != engine.name));
            assert!(
                [
                    engine.bits.is_some(),
                    engine.words.is_some(),
                    engine.live.is_some(),
                    engine.branching.is_some()
                ]
                .contains(&true)
            );
        }
        assert!(find("magic").is_none());
    }
}
