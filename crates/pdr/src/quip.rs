//! Quip (A. Ivrii, A. Gurfinkel, *Pushing to the Top*, FMCAD 2015).
//!
//! | paper | here |
//! |---|---|
//! | Fig. 3, `Quip_Main` | [`Pdr::prove`], as for IC3 |
//! | Fig. 4, `Quip_RecBlockCube` | `rec_block_cube` |
//! | lines 10 and 16, Successor | `witness`: by simulation, since each obligation has its inputs |
//! | `Block` | `Pdr::block`; `Pdr::admit` makes its lemmas include the newest [`respect`](Quip::respect) states of REACH: none by default |
//! | Fig. 5, `Quip_Push` | `Pdr::propagate` with [`Promote::MaxIndSubset`](crate::Promote) |
//! | §IV.C | `bad_lemmas.rs` |
//! | §IV.D | `reach.rs`, `reached_in_one_step`, and random steps in `walk.rs` |
//! | Fig. 2, ResetQ and ResetReach | `forget_obligations`; `Reach::clear`, and `Reach::reduce` for a part |
//! | §V.A, reset-free | `settle`, in place of `Quip_Push` |
//! | §V.B, garbage collection | `collect.rs` |

use crate::frames::LemmaId;
use crate::obligations::{Kind, Obligation, ObligationId};
use crate::prove::{Blocked, Frontier};
use crate::reach::ReachId;
use crate::{Config, INFINITE, Level, Pdr, Predecessor, RelInd, State, States};
use indubit_logic::Cube;
use indubit_run::{Ask, Event, Run};

/// What Quip does beside what makes it Quip.
#[derive(Clone, Copy, Debug)]
pub struct Quip {
    /// Reachable states that generalization respects: the newest so many (§IV.D). 0, the default, respects none: lemmas may be bad, and are marked
    /// so.
    pub respect: u32,
    /// Reachable states that are kept, at least 100: if there are more, half of them are deleted, those that are less active
    /// and older; 0 is no limit (§IV.D).
    pub reach_limit: u32,
    /// Ask whether a step leads from one of the newest so many reachable states into a may-obligation (§IV.D).
    pub one_step: u32,
    /// May-obligations for each must-obligation: while there were more, lemmas are pushed as IC3 does. 0 is no limit.
    pub may_share: u32,
    /// Generalize a lemma again when it is pushed as an obligation, as if it were a cube of states.
    pub regeneralize: bool,
    /// Random steps from each new reachable state, as long as each one shows that a lemma is bad (§IV.D): by [`Pdr::with_walks`], for
    /// oracles that make any.
    pub walk: u32,
    /// Forget reachable states when a depth is done (Fig. 2, rule ResetReach).
    pub reset_reach: bool,
    /// The queue is not emptied when a depth is done, and lemmas are pushed by it alone (§V.A).
    pub reset_free: bool,
    /// Start over without bad lemmas when they are so many in a hundred; 0 is never (§V.B).
    pub collect: u32,
}

impl Default for Quip {
    fn default() -> Quip {
        Quip {
            respect: 0,
            reach_limit: 2000,
            one_step: 0,
            may_share: 8,
            regeneralize: false,
            walk: 0,
            reset_reach: false,
            reset_free: false,
            collect: 0,
        }
    }
}

/// May-obligations are not counted before there are so many must-obligations for them.
const A_FEW: u64 = 50;

impl<O: States> Pdr<O> {
    /// Quip with nothing known yet: it prefers the pushing of lemmas to new ones, and learns from reachable states.
    pub fn quip(oracle: O, config: Config, quip: Quip) -> Pdr<O> {
        Pdr::build(oracle, config, Some((quip, Pdr::rec_block_cube)))
    }

    /// Fig. 4: exclude the bad states from the frontier, and push every lemma that this takes as far as it goes.
    fn rec_block_cube(
        &mut self,
        bad: Predecessor<O::Step>,
        quip: Quip,
        run: &mut Run<'_>,
    ) -> Ask<Frontier<O::Step>> {
        self.obligations.push(self.depth, bad, None);
        while let Some(id) = self.obligations.pop_up_to(self.depth) {
            run.checkpoint()?;
            let obligation = &self.obligations[id];
            let (level, depth, kind) = (obligation.level, obligation.depth, obligation.kind);
            run.event(Event::Obligation { level, depth, queued: self.obligations.n_open() + 1 });
            run.spend(1);
            if kind == Kind::May && self.is_busy_with_lemmas(quip) {
                self.counts.put_off += 1;
                continue;
            }
            self.counts.obligations += 1;
            self.counts.may += u64::from(kind == Kind::May);
            // Lines 5 to 17: REACH contains the initial states.
            let mut reached = self.reached(id)?;
            if reached.is_none() && kind == Kind::May {
                reached = self.reached_in_one_step(id, quip)?;
            }
            if let Some(reached) = reached {
                if kind == Kind::May {
                    let is_step = self.witness(reached, id)?;
                    self.reach.reduce();
                    if !is_step {
                        self.refined();
                    }
                    continue;
                }
                let path = self.path_through(reached, id);
                // A way through REACH need not be a short one.
                if level == 0 || run.within_bound(path.len() as u32 - 1).is_ok() {
                    self.counts.through_reach += u64::from(level > 0);
                    return Ok(Frontier::Reached(path));
                }
            }
            match self.block(id, run)? {
                Blocked::Refined => {
                    self.refined();
                    return Ok(Frontier::Done);
                }
                // Lines 26 to 29.
                Blocked::Not(predecessor) => {
                    self.obligations.requeue(id);
                    self.obligations.push(level - 1, predecessor, Some(id));
                }
                // Lines 19 to 25.
                Blocked::By(lemma) => {
                    if self.config.early
                        && let Some(level) = self.frames.repeated(self.depth)
                    {
                        return Ok(Frontier::Repeated(level));
                    }
                    self.push_on(id, lemma, quip, run);
                }
            }
        }
        Ok(Frontier::Done)
    }
}

impl<O: RelInd> Pdr<O> {
    /// §V.A: the queue has pushed all lemmas, and equal frames are what is left to look for.
    pub(crate) fn settle(&mut self) -> Ask<Option<Level>> {
        match self.frames.repeated(self.frames.top()) {
            None => Ok(None),
            Some(level) if level < self.depth => Ok(Some(level + 1)),
            Some(level) => {
                let before = self.counts.promoted;
                self.settle_above(level);
                let is_proof = self.counts.promoted > before && self.oracle.bad(INFINITE)?.is_none();
                Ok(is_proof.then_some(INFINITE))
            }
        }
    }

    /// Lemmas that support lemmas can take all the time (§I). Then they wait: until obligations that lead to bad have
    /// caught up, the queue is that of IC3. Without resets nobody else would push lemmas, so there they never wait.
    fn is_busy_with_lemmas(&self, quip: Quip) -> bool {
        let must = self.counts.obligations - self.counts.may + A_FEW;
        quip.may_share > 0 && !quip.reset_free && self.counts.may > must * u64::from(quip.may_share)
    }

    /// Lines 20 to 25: the lemma is to be pushed, instead of the obligation that it met.
    fn push_on(&mut self, id: ObligationId, by: LemmaId, quip: Quip, run: &Run<'_>) {
        let is_like_ic3 = self.obligations[id].kind == Kind::Must && self.is_busy_with_lemmas(quip);
        let lemma = self.frames.get(by);
        let level = lemma.level;
        if level == INFINITE || level >= self.depth && !quip.reset_free {
            return;
        }
        let obligation = &self.obligations[id];
        if is_like_ic3 || lemma.cube == obligation.cube {
            // A chain from there would have this many steps: no longer than the bound allows.
            let length = level + 1 + obligation.depth;
            if obligation.kind == Kind::May || run.within_bound(length).is_ok() {
                self.obligations.move_up(id, level + 1);
            }
        } else {
            self.may_enqueue(by);
        }
    }

    /// Rule MayEnqueue: a lemma may hold one level higher, unless it is bad.
    pub(crate) fn may_enqueue(&mut self, id: LemmaId) {
        let lemma = self.frames.get_mut(id);
        if lemma.level != INFINITE && !lemma.is_bad && !std::mem::replace(&mut lemma.is_wanted, true) {
            let (level, cube) = (lemma.level + 1, lemma.cube.clone());
            self.obligations.push_lemma(level, cube);
        }
    }
}

impl<O: States> Pdr<O> {
    /// A reachable state among those of an obligation.
    fn reached(&mut self, id: ObligationId) -> Ask<Option<ReachId>> {
        let Obligation { level, cube, .. } = &self.obligations[id];
        if *level == 0 || self.oracle.meets_init(cube)? {
            let state = self.oracle.initial_state(cube)?;
            return Ok(Some(self.reach.insert_initial(state)));
        }
        Ok(self.reach.intersect(cube, |lit| self.oracle.atom(lit), usize::MAX))
    }

    /// §IV.D: a state of an obligation that is one step after a reachable one.
    fn reached_in_one_step(&mut self, id: ObligationId, quip: Quip) -> Ask<Option<ReachId>> {
        for before in self.reach.newest(quip.one_step as usize) {
            let Some(state) = self.reach.state(before) else { continue };
            if let Some(step) = self.oracle.step_into(state, &self.obligations[id].cube)?
                && let Some(next) = self.oracle.successor(state, &step, &self.obligations[id].cube)?
            {
                return Ok(Some(self.add_reached(next, (before, step))));
            }
        }
        Ok(None)
    }

    /// Lines 9 to 10 and 15 to 17: a may-obligation has a reachable state, so its parent has one, too. False if the step to the
    /// parent turns out to be none, and the oracle has learnt from it.
    fn witness(&mut self, reached: ReachId, id: ObligationId) -> Ask<bool> {
        let obligation = &self.obligations[id];
        let (Some(step), Some(state)) = (obligation.step.clone(), self.reach.state(reached)) else {
            return Ok(true);
        };
        let Some(parent) = obligation.successor else { return Ok(true) };
        let into = &self.obligations[parent].cube;
        let Some(next) = self.oracle.successor(state, &step, into)? else { return Ok(false) };
        let new = self.add_reached(next, (reached, step));
        if let Some((steps, walk)) = self.extras.walk {
            walk(self, new, steps);
        }
        Ok(true)
    }

    fn add_reached(&mut self, state: State, from: (ReachId, O::Step)) -> ReachId {
        self.mark_bad(&state);
        self.reach.insert(state, Some(from))
    }

    /// From an initial state through REACH to the states of an obligation, and on to bad.
    fn path_through(&self, reached: ReachId, id: ObligationId) -> Vec<Predecessor<O::Step>> {
        let (first, steps) = self.reach.path(reached);
        let start = self.reach.state(first).map_or_else(|| Cube::new([]), |s| self.oracle.cube_of(s));
        let mut path: Vec<Predecessor<O::Step>> =
            steps.into_iter().map(|step| Predecessor { cube: Cube::new([]), step }).collect();
        path.extend(self.obligations.chain(id));
        if let Some(first) = path.first_mut() {
            first.cube = start;
        }
        path
    }
}
