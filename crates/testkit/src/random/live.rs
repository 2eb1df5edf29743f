//! Random systems with justice properties, small enough for the reference in [`live`](crate::live).
//!
//! In random circuits nearly everything that happens once happens again and again. So the state is also made of what makes
//! liveness hold for a reason: counters that saturate, tokens that go round, latches that stabilise, phases that follow each other, requests
//! that wait, fuses that end all runs. Each such block says what it shows infinitely often and what only for a while, and signals are
//! mostly drawn from that.

use super::Random;
use crate::explicit;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Signal};
use std::ops::RangeInclusive;

/// What a random system with justice properties may consist of.
#[derive(Clone, Debug)]
pub struct LiveConfig {
    /// How many inputs.
    pub inputs: RangeInclusive<usize>,
    /// How many latches.
    pub latches: RangeInclusive<usize>,
    /// How many random gates, beside those that blocks and properties need.
    pub gates: RangeInclusive<usize>,
    /// How many justice properties; a few systems have none all the same.
    pub justice: RangeInclusive<usize>,
    /// How many signals one of them has.
    pub signals: RangeInclusive<usize>,
    /// How many fairness signals, in about half of the systems.
    pub fairness: RangeInclusive<usize>,
    /// How many bad signals beside them, in about half of the systems.
    pub bads: RangeInclusive<usize>,
    /// How many constraints, in about half of the systems.
    pub constraints: RangeInclusive<usize>,
}

impl Default for LiveConfig {
    /// At most 8 latches and 4 inputs, and one to three justice properties of up to three signals.
    fn default() -> LiveConfig {
        LiveConfig {
            inputs: 0..=4,
            latches: 1..=8,
            gates: 0..=8,
            justice: 1..=3,
            signals: 0..=3,
            fairness: 1..=2,
            bads: 1..=2,
            constraints: 1..=2,
        }
    }
}

/// The random system with this seed: equal seeds and configurations give equal systems.
pub fn live_system(seed: u64, config: &LiveConfig) -> BitSystem {
    // Not the systems that the generator for safety makes of the same seed.
    let random = Random::new(!seed);
    let mut live = Live {
        random,
        often: Vec::new(),
        rarely: Vec::new(),
        apart: Vec::new(),
        fuses: Vec::new(),
        begin: Vec::new(),
    };
    live.random.add_leaves(&config.inputs, &config.latches);
    for _ in 0..live.random.count(&config.gates) {
        live.random.gate();
    }
    live.state();
    live.resets();
    live.constraints(config);
    live.properties(config);
    live.random.system
}

struct Live {
    random: Random,
    /// What blocks may show infinitely often.
    often: Vec<Lit>,
    /// What blocks show for a while only, whatever the rest does.
    rarely: Vec<Lit>,
    /// What may be shown infinitely often, but not both.
    apart: Vec<[Lit; 2]>,
    /// What comes true once and for all, and may be forbidden.
    fuses: Vec<Lit>,
    /// Initial values without which a block would make no sense.
    begin: Vec<(Lit, bool)>,
}

impl Live {
    fn state(&mut self) {
        let latches = self.random.system.latches().iter();
        let latches: Vec<Lit> = latches.map(|l| Lit::positive(l.var)).collect();
        let mut rest = &latches[..];
        while !rest.is_empty() {
            let size = self.random.rng.usize(1..=rest.len().min(4));
            let (block, after) = rest.split_at(size);
            rest = after;
            self.random.blocks.push(block.to_vec());
            match (self.random.rng.u32(0..20), block) {
                (0..5, _) => self.saturating_counter(block),
                (5..8, _) => self.token(block),
                (8..11, _) => self.stabilising(block),
                (11..13, &[waits, watched, answered, ..]) => self.request(waits, watched, answered),
                (13..15, &[phase, ..]) => self.phases(phase),
                (15, _) => self.random.counter(block),
                (16, _) => self.random.shift_register(block),
                (17, _) => self.random.copies(block),
                (18, _) => self.random.stuck(block),
                _ => {
                    for &latch in block {
                        let next = self.random.any();
                        self.random.system.set_next(latch, next);
                    }
                }
            }
        }
    }
    /// Often an input: what happens is up to the environment.
    fn event(&mut self) -> Lit {
        match self.random.rng.u32(0..4) {
            0 | 1 => self.choice(),
            2 => self.random.any(),
            _ => Lit::TRUE,
        }
    }
    /// An input in either polarity; a latch, if there are no inputs.
    fn choice(&mut self) -> Lit {
        let lit = self.random.an_input().or_else(|| self.random.a_latch());
        lit.unwrap_or(Lit::TRUE) ^ self.random.rng.bool()
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.random.system.aig_mut().and(a, b)
    }

    /// It counts up to its highest value and stays there; sometimes something makes it begin again.
    fn saturating_counter(&mut self, block: &[Lit]) {
        let tick = self.event();
        let full = self.random.system.aig_mut().and_all(block.iter().copied());
        let rises = self.and(tick, !full);
        let again = if self.random.one_in(4) { self.choice() } else { Lit::FALSE };
        let again = self.and(again, full);
        let mut carry = rises;
        for &bit in block {
            let aig = self.random.system.aig_mut();
            let sum = aig.xor(bit, carry);
            carry = aig.and(bit, carry);
            let next = aig.and(sum, !again);
            self.random.system.set_next(bit, next);
            self.begin.push((bit, false));
        }
        let kind = if again == Lit::FALSE { &mut self.rarely } else { &mut self.often };
        kind.extend([rises, !full]);
        self.often.push(full);
        if again == Lit::FALSE {
            self.apart.push([full, !full]);
        } else {
            self.often.push(again);
        }
        self.fuses.push(full);
    }
    /// One of the latches is set, and sometimes the next one takes over.
    fn token(&mut self, block: &[Lit]) {
        let passes = self.event();
        for (i, &bit) in block.iter().enumerate() {
            let before = block[(i + block.len() - 1) % block.len()];
            let next = self.random.system.aig_mut().ite(passes, before, bit);
            self.random.system.set_next(bit, next);
            self.begin.push((bit, i == 0));
        }
        self.often.extend(block);
        if let &[a, b, ..] = block
            && self.random.one_in(4)
        {
            // With one token, never.
            let both = self.and(a, b);
            self.rarely.push(both);
        }
    }
    /// Each is set, or cleared, for good.
    fn stabilising(&mut self, block: &[Lit]) {
        for &bit in block {
            let (event, sets) = (self.event(), self.random.rng.bool());
            let stable = bit ^ !sets;
            let changes = self.and(event, !stable);
            let next = self.random.system.aig_mut().or(stable, event) ^ !sets;
            self.random.system.set_next(bit, next);
            self.begin.push((bit, !sets));
            self.rarely.push(changes);
            self.often.extend([stable, !stable]);
            self.apart.push([stable, !stable]);
            self.fuses.push(stable);
        }
    }
    /// A request waits until it is served; an observer picks one, once, and waits for the answer.
    fn request(&mut self, waits: Lit, watched: Lit, answered: Lit) {
        let (asks, serves, picks) = (self.event(), self.event(), self.event());
        let served = self.and(waits, serves);
        let unanswered = self.and(watched, !answered);
        let is_answer = self.and(unanswered, served);
        let picked = self.and(waits, picks);
        let aig = self.random.system.aig_mut();
        let wanted = aig.or(waits, asks);
        let next = [(waits, aig.and(wanted, !served)), (watched, aig.or(watched, picked))];
        let answer = (answered, aig.or(answered, is_answer));
        for (latch, next) in next.into_iter().chain([answer]) {
            self.random.system.set_next(latch, next);
            self.begin.push((latch, false));
        }
        self.often.extend([waits, served, unanswered, !serves]);
        self.apart.push([unanswered, answered]);
        self.rarely.push(is_answer);
    }
    /// Before and after: what is seen again and again on one side is not on the other.
    fn phases(&mut self, phase: Lit) {
        let event = self.event();
        let (a, b) = (self.random.any(), self.random.any());
        let next = self.random.system.aig_mut().or(phase, event);
        self.random.system.set_next(phase, next);
        self.begin.push((phase, false));
        let sides = [self.and(a, !phase), self.and(b, phase)];
        self.often.extend(sides);
        self.apart.push(sides);
    }

    /// Resets of every kind, but most blocks begin as they are meant to.
    fn resets(&mut self) {
        self.random.resets();
        if self.random.one_in(4) {
            return;
        }
        let fixed: Vec<Lit> = self.random.system.latches().iter().map(|l| l.reset).collect();
        let fixed: Vec<bool> =
            fixed.into_iter().map(|reset| reset.is_const() || self.random.one_in(3)).collect();
        for (latch, value) in std::mem::take(&mut self.begin) {
            let i = self.random.system.latches().iter().position(|l| l.var == latch.var());
            if i.is_some_and(|i| fixed[i]) && !self.random.one_in(6) {
                self.random.system.set_reset(latch, Lit::constant(value));
            }
        }
    }
    fn pick(&mut self, from: fn(&Live) -> &Vec<Lit>) -> Option<Lit> {
        let n = from(self).len();
        let i = self.random.rng.usize(0..n.max(1));
        from(self).get(i).copied()
    }
    fn constraints(&mut self, config: &LiveConfig) {
        if self.random.rng.bool() {
            return;
        }
        for _ in 0..self.random.count(&config.constraints) {
            let fuse = self.pick(|live| &live.fuses);
            let lit = match (self.random.rng.u32(0..10), fuse) {
                // All runs end, or all that do not keep away from it.
                (0, Some(fuse)) => !fuse,
                (1 | 2, Some(fuse)) => {
                    let when = self.choice();
                    !self.and(fuse, when)
                }
                (3, _) => self.random.constraint(),
                (4..6, _) => !self.random.state_cube(),
                _ => {
                    let input = self.choice();
                    let other = self.random.any();
                    self.random.system.aig_mut().or(input, other)
                }
            };
            self.random.system.add_constraint("", lit);
            // What has no first step has been seen often enough.
            let is_empty =
                explicit::reachable_states(&self.random.system).is_ok_and(|states| states.is_empty());
            if is_empty && !self.random.one_in(4) {
                self.random.system.constraints.pop();
            }
        }
    }

    /// Mostly one that is true in some step: of those that never are, few will do.
    fn signal(&mut self, draw: fn(&mut Live) -> Lit) -> Lit {
        loop {
            let lit = draw(self);
            let answers = explicit::reach(&self.random.system, vec![lit]);
            if answers.is_ok_and(|answers| !answers[0].is_safe()) || self.random.one_in(5) {
                return lit;
            }
        }
    }
    fn any_signal(&mut self) -> Lit {
        let (often, rarely) = (self.pick(|live| &live.often), self.pick(|live| &live.rarely));
        match (self.random.rng.u32(0..20), often, rarely) {
            (0..9, Some(often), _) => often,
            (9..12, _, Some(rarely)) => rarely,
            (12, Some(often), _) if !self.random.system.inputs().is_empty() => {
                let with = self.choice();
                self.and(often, with)
            }
            (13, ..) => {
                // A latch changes.
                let i = self.random.rng.usize(0..self.random.system.latches().len());
                let latch = &self.random.system.latches()[i];
                let (now, next) = (Lit::positive(latch.var), latch.next);
                self.random.system.aig_mut().xor(now, next)
            }
            (14, ..) => self.random.state_cube(),
            (15..18, ..) => self.choice(),
            (18, ..) => self.random.block_value(),
            _ => self.random.any(),
        }
    }
    /// Mostly something that can happen again and again: fairness that cannot be kept decides everything.
    fn any_fair_signal(&mut self) -> Lit {
        let often = self.pick(|live| &live.often);
        match (self.random.rng.u32(0..8), often) {
            (0..4, _) => self.choice(),
            (4..6, Some(often)) => often,
            _ => self.any_signal(),
        }
    }
    fn properties(&mut self, config: &LiveConfig) {
        // Fairness without anything that it could be about.
        let in_vain = self.random.one_in(16);
        if in_vain || self.random.rng.bool() {
            for _ in 0..self.random.count(&config.bads) {
                let lit = self.random.bad();
                self.random.system.add_bad("", lit);
            }
        }
        if in_vain || self.random.rng.bool() {
            for _ in 0..self.random.count(&config.fairness) {
                let lit = self.signal(Live::any_fair_signal);
                self.random.system.fairness.push(Signal { lit, name: None });
            }
        }
        for _ in 0..if in_vain { 0 } else { self.random.count(&config.justice) } {
            let n_signals = self.random.count(&config.signals);
            let mut lits: Vec<Lit> = (0..n_signals).map(|_| self.signal(Live::any_signal)).collect();
            let i = self.random.rng.usize(0..self.apart.len().max(1));
            if n_signals > 1
                && self.random.one_in(3)
                && let Some(pair) = self.apart.get(i)
            {
                lits[..2].copy_from_slice(pair);
            }
            self.random.system.justice.push(Justice { lits, name: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{Reason, Runs};
    use indubit_system::{Latch, ResetOrder};
    use std::collections::BTreeMap;

    /// The mixture of 2,000 systems, measured: each verdict has its share, for every reason, and every corner is visited.
    #[test]
    fn the_mixture_is_healthy() {
        let systems: Vec<BitSystem> =
            (0..2000).map(|seed| live_system(seed, &LiveConfig::default())).collect();
        let mut reasons: BTreeMap<Reason, usize> = BTreeMap::new();
        let mut loops: Vec<usize> = Vec::new();
        let (mut n, mut n_by_fairness, mut n_with_dead_ends) = (0, 0, 0);
        for system in &systems {
            let runs = Runs::new(system).unwrap();
            let mut unfair = system.clone();
            unfair.fairness.clear();
            let unfair = Runs::new(&unfair).unwrap();
            n_with_dead_ends += usize::from(runs.n_dead() > 0 && runs.has_infinite_run());
            for i in 0..system.justice.len() {
                n += 1;
                *reasons.entry(runs.reason(i)).or_default() += 1;
                n_by_fairness += usize::from(unfair.violates(i) && !runs.violates(i));
                loops.extend(runs.shortest_lasso(i).map(|lasso| lasso.inputs.len()));
            }
        }
        let share = |k: usize| k as f64 / n as f64;
        let at_least = |k: usize| loops.iter().filter(|&&steps| steps >= k).count();
        let lengths = [2, 3, 5, 8, 12].map(at_least);
        let summary =
            format!("{n} properties: {reasons:?}, {n_by_fairness} by fairness, long lassos {lengths:?}");
        let fails = share(reasons[&Reason::Fails]);
        assert!(fails > 0.3 && fails < 0.7, "{summary}");
        for (reason, least) in [
            (Reason::AllRunsEnd, 0.04),
            (Reason::NeverSeen, 0.08),
            (Reason::SeenForAWhile, 0.15),
            (Reason::NeverTogether, 0.04),
        ] {
            assert!(share(reasons[&reason]) > least, "{summary}");
        }
        assert!(share(reasons[&Reason::AllRunsEnd] + reasons[&Reason::NeverSeen]) < 0.3, "{summary}");
        assert!(share(n_by_fairness) > 0.03, "{summary}");
        assert!(share(lengths[1]) > 0.1 && share(lengths[2]) > 0.03 && lengths[4] > 10, "{lengths:?}");
        let count = |f: &dyn Fn(&BitSystem) -> bool| systems.iter().filter(|s| f(s)).count();
        let latches = |f: fn(&Latch) -> bool| count(&|s| s.latches().iter().any(f));
        assert!(n_with_dead_ends > 80, "{n_with_dead_ends} with dead ends");
        let n_resets = [latches(Latch::is_uninitialised), latches(Latch::has_reset_function)];
        assert!(n_resets.iter().all(|&n| n > 200), "{n_resets:?} {summary}");
        assert!(latches(|l| l.reset == Lit::TRUE) > 500);
        assert!(count(&|s| !s.constraints.is_empty()) > 400);
        assert!(count(&|s| s.justice.iter().any(|j| j.lits.is_empty())) > 200);
        assert!(count(&|s| s.justice.len() > 1 && !s.bads.is_empty()) > 200);
        assert!(count(&|s| s.justice.is_empty() && !s.fairness.is_empty()) > 50);
        assert!(count(&|s| s.inputs().is_empty()) > 50);
    }

    #[test]
    fn equal_seeds_give_equal_systems_and_resets_are_acyclic() {
        for seed in 0..300 {
            let [a, b] = [0; 2].map(|_| live_system(seed, &LiveConfig::default()));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            assert!(ResetOrder::new(&a).is_ok());
            assert_eq!(a.validate(), Ok(()));
        }
    }
}
