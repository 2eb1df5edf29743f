//! Avy: IC3 whose frames are strengthened by interpolation sequences (Y. Vizel, A. Gurfinkel, *Interpolating Property Directed
//! Reachability*, CAV 2014), as retold by S. Wolff in an introduction to IC3 (§4.4; docs/SOURCES.md).
//!
//! | Wolff, listing 7 | here |
//! |---|---|
//! | `sat(F₀ ∧ T ∧ … ∧ Fₖ ∧ T ∧ ¬P)` | [`Avy::extend_frontier`]: bounded model checking within the frames |
//! | `J₁, …, Jₖ` | [`Interpolate::interpolants`] |
//! | `Fᵢ := cnf(…)` | [`strengthen`], by IC3's own generalization |
//!
//! The listing's disjunction over j ≥ i is a slip: a frame contains what is reached in i steps or fewer, so it may exclude a state only
//! if that is neither in Jᵢ nor in the frame before. Once Fᵢ₋₁ has been strengthened, Fᵢ₋₁ ∧ T leads into Jᵢ or into Fᵢ₋₁ only: what Jᵢ
//! and Fᵢ₋₁ exclude has no predecessor there, so its exclusion is inductive relative to Fᵢ₋₁, and
//! IC3 generalizes it as any other, though without blocking other states on the way: that would take states from Fᵢ₋₁ that Fᵢ still
//! has, and what is said of Fᵢ₋₁ above would not hold any more. So the frames stay clauses, and monotone, and no normal form is ever
//! computed.

use crate::bounded::{BitFrames, Bounded, Cuts, Interpolate, Parted, StateSets};
use crate::ic3::{conclusion, seeded};
use crate::interpolation::Progress;
use crate::{BoolOracle, Engine, Options};
use indubit_aig::GateEncoder;
use indubit_logic::{Cube, Lit, Var};
use indubit_pdr::{Level, Outcome, Pdr};
use indubit_run::{Ask, Run};
use indubit_sat::{Cdcl, Solve};
use indubit_system::{Conclusion, Safety, Start, Trace};

/// Interpolating property-directed reachability for one problem.
pub(crate) struct Avy {
    safety: Safety,
    options: Options,
    /// By node: the position of the latch that it is.
    positions: Vec<Option<u32>>,
}

impl Avy {
    /// Nothing has been asked yet.
    pub(crate) fn new(safety: Safety, options: &Options) -> Avy {
        let mut options = options.clone();
        // Both sides have to mean the same step: from a state that satisfies all constraints, over latches.
        options.oracle.lazy_constraints = false;
        options.oracle.internal_signals = false;
        Avy { positions: safety.latch_positions(), safety, options }
    }

    /// Listing 1, with the frontier extended by listing 7.
    fn prove(
        &self,
        pdr: &mut Pdr<BoolOracle<'_>>,
        progress: &mut Progress,
        run: &mut Run<'_>,
    ) -> Ask<Outcome<Trace>> {
        loop {
            run.within_bound(pdr.depth())?;
            if let Some(trace) = self.extend_frontier(pdr, progress, run)? {
                return Ok(Outcome::Counterexample(trace));
            }
            if let Some(outcome) = pdr.advance(run)? {
                return Ok(outcome);
            }
        }
    }

    /// Listing 7: remove all bad states from the frontier at once. A trace is a counterexample.
    fn extend_frontier(
        &self,
        pdr: &mut Pdr<BoolOracle<'_>>,
        progress: &mut Progress,
        run: &mut Run<'_>,
    ) -> Ask<Option<Trace>> {
        if !pdr.is_frontier_bad()? {
            return Ok(None);
        }
        let k = pdr.depth();
        let mut frames = self.unroll(pdr, k, run)?;
        let bad = frames.bad(k as usize);
        if frames.solve(&[bad])? {
            return Ok(Some(frames.trace(k as usize)?));
        }
        let interpolants = frames.interpolants(run)?;
        progress.found(&frames, &interpolants);
        for (level, states) in (1..).zip(interpolants) {
            self.strengthen(pdr, level, states, frames.states(), run)?;
        }
        debug_assert!(!pdr.is_frontier_bad()?, "the interpolants exclude all bad states");
        Ok(None)
    }

    /// Steps from the initial states, each within its frame.
    fn unroll(&self, pdr: &Pdr<BoolOracle<'_>>, k: Level, run: &Run<'_>) -> Ask<BitFrames<'_, Parted>> {
        let (how, config) = (self.options.interpolation, self.options.bmc.frames);
        let mut frames = BitFrames::interpolating(&self.safety, Start::Initial, Cuts::All, how, config, run);
        for level in 0..=k {
            run.checkpoint()?;
            let i = frames.extend_constrained();
            if level > 0 {
                for cube in pdr.excluded_at(level) {
                    frames.assert_in(i, cube.lits().iter().map(|&l| (self.position(l), l.is_negated())));
                }
            }
        }
        Ok(frames)
    }
    fn position(&self, lit: Lit) -> usize {
        self.positions[lit.var().index()].expect("lemmas are over latches") as usize
    }
    /// A literal of a cube as a set of states.
    fn states_of(&self, lit: Lit) -> Lit {
        StateSets::latch(self.position(lit)) ^ lit.is_negated()
    }

    /// Exclude from `F[level]` what neither `states`, an interpolant, nor `F[level-1]` has.
    fn strengthen(
        &self,
        pdr: &mut Pdr<BoolOracle<'_>>,
        level: Level,
        states: Lit,
        sets: &mut StateSets,
        run: &mut Run<'_>,
    ) -> Ask<()> {
        let before = self.excluded_before(pdr, level);
        let mut rest = Rest::new(sets, states, &before, run);
        let clause = |cube: &Cube| -> Vec<Lit> { cube.lits().iter().map(|&l| !self.states_of(l)).collect() };
        pdr.excluded_at(level).for_each(|cube| rest.solver.add_clause(&clause(cube)));
        while rest.solver.solve(&[])? {
            run.checkpoint()?;
            let excluded = rest.excluded(&before);
            let latches: Vec<Lit> = sets.support(states).map(|l| l ^ !rest.solver.value(l)).collect();
            let core = sets.reason_outside(states, latches)?;
            let lits = core.iter().chain(excluded).map(|&l| self.latch_of(l));
            let found = pdr.exclude(&Cube::new(lits), level, run)?;
            let lemma = found.expect("what the interpolant and the frame before exclude is not reached");
            rest.solver.add_clause(&clause(&lemma));
        }
        Ok(())
    }
    /// The literal of a cube that a literal of sets of states is.
    fn latch_of(&self, lit: Lit) -> Lit {
        self.safety.latches[StateSets::position(lit)].var.lit(lit.is_negated())
    }
    /// Cubes that `F[level-1]` excludes and `F[level]` may not, as sets of states.
    fn excluded_before(&self, pdr: &Pdr<BoolOracle<'_>>, level: Level) -> Vec<Vec<Lit>> {
        if level == 1 {
            // Whatever contradicts the initial states.
            let inits = self.safety.latches.iter().map(|l| l.init).enumerate();
            return inits.filter_map(|(i, init)| Some(vec![StateSets::latch(i) ^ init?])).collect();
        }
        let cubes = pdr.excluded_last_at(level - 1);
        cubes.map(|cube| cube.lits().iter().map(|&l| self.states_of(l)).collect()).collect()
    }
}

/// The states of a frame that are to be excluded from it.
struct Rest {
    solver: Cdcl,
    /// For each cube that the frame before excludes a variable that implies it; one of them is true.
    selectors: Vec<Lit>,
}

impl Rest {
    /// What is neither in the set nor in the frame before, which excludes just these cubes.
    fn new(sets: &StateSets, states: Lit, before: &[Vec<Lit>], run: &Run<'_>) -> Rest {
        let mut solver = Cdcl::new(run.cancel(), run.seed);
        let aig = sets.aig();
        GateEncoder::new().encode(aig, states, |clause| solver.add_clause(clause));
        solver.add_clause(&[!states]);
        let first = aig.n_vars();
        let selectors: Vec<Lit> =
            (first..first + before.len()).map(|v| Lit::positive(Var::from_index(v))).collect();
        for (&selector, cube) in selectors.iter().zip(before) {
            cube.iter().for_each(|&l| solver.add_clause(&[!selector, l]));
        }
        solver.add_clause(&selectors);
        Rest { solver, selectors }
    }
    /// A cube of those that the frame before excludes that the state of the model is in: the shortest one.
    fn excluded<'c>(&self, before: &'c [Vec<Lit>]) -> &'c [Lit] {
        let selected = self.selectors.iter().zip(before).filter(|&(&s, _)| self.solver.value(s));
        selected.map(|(_, cube)| cube).min_by_key(|cube| cube.len()).expect("one of them is selected")
    }
}

impl Engine for Avy {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let (oracle, config) = seeded(&self.options, run.seed);
        let mut pdr = Pdr::new(BoolOracle::with_config(&self.safety, run, &oracle), config).with_exchange();
        let mut progress = Progress::default();
        let outcome = self.prove(&mut pdr, &mut progress, run);
        progress.report(run);
        pdr.report(run);
        pdr.oracle().report(run);
        conclusion(outcome, &pdr, self.safety.aig.n_vars())
    }
}
