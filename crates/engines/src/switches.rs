//! The one table of switches: which engines heed which, over bits and over words.

use crate::options::Value;
use crate::{Backend, Cores, EngineId, Inner, Invariants, Options, Query, Refine, Stabilize, Until};
use EngineId::*;
use indubit_interpolate::System;
use indubit_pdr::{Generalize, Order, Promote};
use indubit_system::{Bits, Kind, Words};

/// One switch, as the command line lists it.
pub struct Switch {
    /// What users type before `=`.
    pub name: &'static str,
    /// What it does, and where it was published.
    pub help: &'static str,
    /// What users type after `=`.
    pub choices: &'static str,
    /// The engines that heed it over bits.
    pub bits: &'static [EngineId],
    /// The engines that heed it over words.
    pub words: &'static [EngineId],
    set: fn(&mut Options, &str) -> bool,
    get: fn(&Options) -> String,
}

/// Values that take an oracle which only bits have: interpolants of one query.
const BITS_ONLY: &[(&str, &str)] = &[("generalize", "interpolant")];

/// Kinds of systems for which switches say who heeds them.
pub trait Switched: Kind {
    /// The engines that heed a switch with this value.
    fn heeding(switch: &Switch, value: &str) -> &'static [EngineId];
}

impl Switched for Bits {
    fn heeding(switch: &Switch, _: &str) -> &'static [EngineId] {
        switch.bits
    }
}

impl Switched for Words {
    fn heeding(switch: &Switch, value: &str) -> &'static [EngineId] {
        if BITS_ONLY.contains(&(switch.name, value)) { NONE } else { switch.words }
    }
}

impl Switch {
    /// Does this engine heed it, over bits or over words?
    pub fn is_for(&self, engine: EngineId) -> bool {
        self.bits.contains(&engine) || self.words.contains(&engine)
    }
    /// Set it; false if the value is none of its choices.
    pub fn set(&self, options: &mut Options, value: &str) -> bool {
        (self.set)(options, value)
    }
    /// The present value.
    pub fn get(&self, options: &Options) -> String {
        (self.get)(options)
    }
}

const NONE: &[EngineId] = &[];
// Over bits.
/// Those with IC3's loop over obligations; PBA, and engines for liveness, pass its switches on.
const LOOP: &[EngineId] = &[Ic3, Quip, Pba, Klive, Rlive, Fair, L2s, Iictl];
const IC3: &[EngineId] = &[Ic3, Pba, Klive, Rlive, Fair, L2s, Iictl];
const SHARING: &[EngineId] = &[Ic3, Quip];
/// Those that drop literals one by one.
const DROPPING: &[EngineId] = &[Ic3, Quip, Fsis, Pba, Avy, Klive, Rlive, Fair, L2s, Iictl];
/// Those that may block a state that stands in the way.
const JOINING: &[EngineId] = &[Ic3, Quip, Fsis, Pba, Klive, Rlive, Fair, L2s, Iictl];
/// Those whose lemmas may be about gates.
const GATES: &[EngineId] = &[Ic3, Quip, Fsis, Pba, Klive, L2s];
/// Those with our oracle.
const ORACLE: &[EngineId] = &[Ic3, Quip, Fsis, Naive, Pba, Avy, Klive, Rlive, Fair, L2s, Iictl];
/// Those with our oracle that lift predecessors.
const LIFTING: &[EngineId] = &[Ic3, Quip, Fsis, Naive, Pba, Klive, Rlive, Fair, L2s, Iictl];
const SOLVED: &[EngineId] = &[Bmc, Kind, Induction, Pba, Lasso, Iictl];
const FACTS: &[EngineId] = &[Bmc, Kind, Induction, Lasso, Iictl];
const UNROLLING: &[EngineId] = &[Bmc, Kind, Induction, Pba, Itp, Isb, Avy, Lasso, Iictl];
const PBA: &[EngineId] = &[Pba];
/// Those that prove liveness.
const RANKING: &[EngineId] = &[Klive, Rlive, Fair, L2s, Iictl];
/// Those of them that ask what can be reached.
const REACHING: &[EngineId] = &[Klive, Rlive, Fair, Iictl];
const L2S: &[EngineId] = &[L2s];
const FAIR: &[EngineId] = &[Fair, Iictl];
const BDD: &[EngineId] = &[EngineId::Bdd];
const CTL: &[EngineId] = &[Iictl];
const INTERPOLATING: &[EngineId] = &[Itp, Isb, Avy];
// Over both.
const QUIP: &[EngineId] = &[Quip];
const BMC: &[EngineId] = &[Bmc];
const DEPTHS: &[EngineId] = &[Bmc, Kind];
const ITP: &[EngineId] = &[Itp];
// Over words.
/// Those over predicates.
const PREDICATES: &[EngineId] = &[Ic3ia, Ctigar, Quip];
/// Those that refine abstract counterexamples as a whole.
const PATHS: &[EngineId] = &[Ic3ia, Quip];
const IC3_OF_WORDS: &[EngineId] = &[Ic3ia, Ctigar];
const CTIGAR: &[EngineId] = &[Ctigar];
const INTERPOLATING_WORDS: &[EngineId] = &[Itp, Isb, Ic3ia, Ctigar, Quip];

fn put<T: Value>(place: &mut T, text: &str) -> bool {
    match T::parse(text) {
        Some(value) => {
            *place = value;
            true
        }
        None => false,
    }
}

macro_rules! switches {
    ($($bits:ident $words:ident $name:literal $type:ty, $($field:ident).+, $help:literal;)+) => {
        /// Every switch.
        pub const SWITCHES: &[Switch] = &[$(Switch {
            name: $name,
            help: $help,
            choices: <$type as Value>::CHOICES,
            bits: $bits,
            words: $words,
            set: |options, text| put::<$type>(&mut options.$($field).+, text),
            get: |options| options.$($field).+.show(),
        }),+];
    };
}

switches! {
    CTL NONE "widen-traces" bool, branching.widen_traces, "what a path or a lasso shows holds of all states that the same inputs lead on (Hassan, Bradley, Somenzi, CAV 2012)";
    CTL NONE "widen-proofs" bool, branching.widen_proofs, "what an invariant shows holds of all states that its necessary clauses allow (Hassan, Bradley, Somenzi, CAV 2012)";
    CTL NONE "steps-ahead" bool, branching.steps_ahead, "a goal with EX in it is looked for as a state with the inputs of a step, not state by state";
    CTL NONE "strolls" bool, branching.strolls, "look for states in which something holds of paths at the ends of random paths, before others";
    CTL NONE "known-lassos" bool, branching.known_lassos, "look for a path to where EG is known to hold before a new lasso";
    CTL NONE "sweep-gates" bool, branching.sweep_gates, "merge gates that are equal whatever latches and inputs are (Kuehlmann, Paruthi, Krohm, Ganai, IEEE TCAD 2002), before anything else";
    LOOP PREDICATES "generalize" Generalize, pdr.generalize, "how a blocked cube becomes a lemma (Bradley, VMCAI 2011; Hassan, Bradley, Somenzi, FMCAD 2013; Su, Yang, Ci 2025)";
    LOOP PREDICATES "order" Order, pdr.order, "which obligation of the lowest level comes first; usual is deepest for ic3, shortest for quip";
    LOOP PREDICATES "max-ctgs" u32, pdr.max_ctgs, "states that may be blocked to drop one literal";
    LOOP PREDICATES "ctg-depth" u32, pdr.max_depth, "generalizations within generalizations";
    JOINING PREDICATES "joins" bool, pdr.joins, "intersect a cube with the state that stands in its way (Bradley, VMCAI 2011)";
    DROPPING PREDICATES "activity" bool, pdr.by_activity, "drop literals first that are rare in recent lemmas";
    LOOP PREDICATES "parents" bool, pdr.parents, "drop literals last that are in a lemma of the frame before (Xia et al., CAV 2023)";
    LOOP PREDICATES "predict" bool, pdr.predict, "try such a lemma with one more literal (Su, Yang, Ci, DAC 2024)";
    DROPPING PREDICATES "failed-drops" bool, pdr.failed_drops, "remember steps that refuted a candidate";
    LOOP PREDICATES "shrink" bool, pdr.shrink, "lemmas that move up leave literals behind";
    LOOP PREDICATES "skip-unchanged" bool, pdr.skip_unchanged, "do not push what cannot have become inductive";
    LOOP PREDICATES "promote" Promote, pdr.promote, "lemmas for good, F-infinity; usual is single for ic3, max-ind-subset for quip (Een, Mishchenko, Brayton, FMCAD 2011; Ivrii, Gurfinkel, FMCAD 2015)";
    LOOP PREDICATES "early" bool, pdr.early, "look for equal frames after each lemma";
    IC3 IC3_OF_WORDS "drop-recurring" bool, pdr.drop_recurring, "put off obligations that keep coming back";
    IC3 IC3_OF_WORDS "restart" Option<u64>, pdr.restart, "empty the queue after so many obligations";
    SHARING NONE "share-frames" bool, pdr.share_frames, "several properties: the lemmas for one are there for the next, and not only those for good";
    QUIP QUIP "respect" u32, quip.respect, "reachable states that generalization respects, the newest so many";
    QUIP QUIP "may-share" u32, quip.may_share, "may-obligations for each must-obligation; 0 is no limit";
    QUIP QUIP "regeneralize" bool, quip.regeneralize, "generalize lemmas again when they are pushed";
    QUIP QUIP "reach-limit" u32, quip.reach_limit, "reachable states that are kept, at least 100; 0 is no limit";
    QUIP QUIP "one-step" u32, quip.one_step, "reachable states that are asked for a step into a may-obligation, the newest so many";
    QUIP NONE "walk" u32, quip.walk, "random steps from each new reachable state, as long as they show bad lemmas";
    QUIP QUIP "reset-reach" bool, quip.reset_reach, "forget reachable states when a depth is done";
    QUIP QUIP "reset-free" bool, quip.reset_free, "keep the queue when a depth is done";
    QUIP QUIP "collect" u32, quip.collect, "start over without bad lemmas when they are so many in a hundred; 0 is never";
    DROPPING NONE "cores-by-activity" bool, oracle.cores_by_activity, "cores prefer literals of recent lemmas";
    LIFTING NONE "lifts-by-activity" bool, oracle.lifts_by_activity, "lifting drops literals of recent lemmas last";
    GATES NONE "internal-signals" bool, oracle.internal_signals, "gates that depend on latches only can be in lemmas (Dureja et al., FMCAD 2021)";
    LIFTING NONE "whole-states" bool, oracle.lifting.whole_states, "a predecessor is one state, and is not lifted";
    LIFTING NONE "lift-flips" bool, oracle.lifting.flips, "lift by inspecting watches";
    LIFTING NONE "lift-ternary" bool, oracle.lifting.ternary, "lift by ternary simulation (Een, Mishchenko, Brayton, FMCAD 2011)";
    LIFTING NONE "lift-core" bool, oracle.lifting.core, "lift by an unsatisfiable core (Chockler et al., FMCAD 2011)";
    LOOP NONE "lift-constraints" bool, oracle.lifting.constraints, "without lazy-constraints: lifting keeps all constraints, not only those that a counterexample broke";
    IC3 NONE "lift-targets" bool, oracle.lifting.targets, "lifting keeps all of the target, not only what a counterexample got wrong";
    LOOP NONE "lazy-constraints" bool, oracle.lazy_constraints, "solvers learn a constraint when a counterexample broke it";
    LOOP NONE "clones" bool, oracle.clones, "a new frame's solver is a clone of the infinite one";
    LOOP NONE "one-solver" Option<u64>, oracle.one_solver, "one solver answers for all frames of a problem with at least so many gates";
    ORACLE NONE "cones" bool, oracle.solver.cones, "queries decide and propagate in their cones only";
    ORACLE NONE "buckets" bool, oracle.solver.buckets, "decisions from buckets instead of an exact heap";
    ORACLE NONE "justify" bool, oracle.solver.justify, "models assign only what is needed";
    LOOP NONE "subsume" bool, oracle.solver.subsume, "solvers forget subsumed clauses";
    SOLVED NONE "unroll-solver" Backend, bmc.frames.backend, "who answers about time frames";
    UNROLLING NONE "unroll-two-level" bool, bmc.frames.two_level, "time frames are simplified by two levels of gates (Brummayer, Biere, MEMICS 2006)";
    UNROLLING NONE "unroll-gates" bool, bmc.frames.gates, "gates with one reader get no variable (Een, Biere, SAT 2005)";
    FACTS NONE "unroll-facts" bool, bmc.frames.facts, "what the solver knows is constant in later time frames";
    DEPTHS DEPTHS "bmc-query" Query, bmc.query, "a counterexample of length k (exact), of length k when all shorter ones are excluded (facts), or of any length up to k (up-to); in kind, the base case (Biere et al., TACAS 1999)";
    BMC BMC "bmc-step" u32, bmc.step, "how many lengths bmc asks about at once";
    PBA NONE "pba-engine" Inner, pba.engine, "who verifies the abstraction";
    PBA NONE "pba-cores" Cores, pba.cores, "latches once kept stay, or each round has the core of its own question (McMillan, Amla, TACAS 2003)";
    PBA NONE "pba-shrink" u32, pba.shrink, "how often a core is asked about again, as long as that makes it smaller";
    PBA NONE "pba-until" Until, pba.until, "after a spurious counterexample, its length is refuted (McMillan, Amla, TACAS 2003), or only the lengths until more latches are kept";
    PBA NONE "pba-step" u32, pba.step, "after a spurious counterexample, at least so many lengths more are refuted";
    PBA NONE "pba-effort" Option<u64>, pba.effort, "steps of the other engine on the first abstraction; half as many again when that was not enough";
    RANKING NONE "stabilize" Stabilize, live.stabilize, "signals that come to rest are looked for among latches, or gates, too, and only steps in which they rest count (Claessen, Sörensson, FMCAD 2012)";
    FAIR NONE "fair-count" u32, live.count, "after each wall, k-liveness tries to show that all signals are seen at most so often across no wall; 0 is off (Ivrii, Nevo, Baumgartner, FMCAD 2018)";
    REACHING NONE "live-quip" bool, live.quip, "Quip, and not IC3, decides what can be reached";
    L2S NONE "l2s-engine" Invariants, live.engine, "who decides the safety problem that liveness becomes";
    BDD NONE "bdd-nodes" u32, most_nodes, "so many nodes decision diagrams may have before it gives up";
    INTERPOLATING INTERPOLATING_WORDS "interpolation" System, interpolation.system, "the interpolation system, from strong to weak (McMillan, CAV 2003; Pudlák 1997; D'Silva et al., VMCAI 2010)";
    INTERPOLATING NONE "compact" bool, interpolation.compact, "equal gates of interpolants are merged (Mishchenko et al., FRAIGs, 2005)";
    ITP ITP "itp-from-all" bool, interpolation.from_all, "steps are taken from all states so far, and not from the last interpolant";
    ITP ITP "itp-leap" bool, interpolation.leap, "the bound grows by the steps that were taken, and not by one";
    NONE PATHS "lift-predicates" bool, words.lift, "predecessors are lifted by cores, as ctigar does";
    NONE CTIGAR "refine" Refine, words.refine, "a step that the abstraction is too coarse for is refined at once, or when it is part of an abstract counterexample (Birgmeier, Bradley, Weissenbacher, CAV 2014)";
    NONE CTIGAR "refine-consecution" bool, words.consecution, "at once: also where no step leads into the one state that an abstract state was made of";
    NONE PREDICATES "along-cubes" bool, words.along_cubes, "an abstract counterexample is simulated along its abstract states, and not only by its length";
    NONE PREDICATES "equalities" bool, words.equalities, "linear equalities that hold at a location are predicates from the start, too (Karr, 1976)";
    NONE PREDICATES "congruences" bool, words.congruences, "congruences of integers that hold in all reachable states are predicates from the start, too (Granger, 1989)";
    NONE PREDICATES "predicates-of-steps" bool, words.predicates_of_steps, "the atoms of the transition relation are predicates from the start, too";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pba_may_use_every_engine_that_proves() {
        let others = crate::ENGINES.iter().filter(|e| Inner::named(e.name).is_some()).map(|e| e.name);
        assert_eq!(others.collect::<Vec<_>>().join(", "), Inner::CHOICES);
    }

    #[test]
    fn every_switch_can_be_read_back_and_refuses_nonsense() {
        for switch in SWITCHES {
            let mut options = Options::default();
            let value = switch.get(&options);
            options.set(&format!("{}={value}", switch.name)).unwrap();
            assert_eq!(switch.get(&options), value);
            let error = options.set(&format!("{}=nonsense", switch.name)).unwrap_err();
            assert!(error.contains(switch.choices), "{error}");
            for choice in switch.choices.split(", ").filter(|c| !c.contains(' ')) {
                options.set(&format!("{}={choice}", switch.name)).unwrap();
                assert_eq!(switch.get(&options), choice);
            }
        }
        assert!(Options::default().set("magic=on").unwrap_err().contains("generalize, "));
    }
}
