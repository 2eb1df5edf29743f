//! Random systems from a seed, small enough for [`explicit`](crate::explicit) search.
//!
//! Gates drawn at random alone give shallow systems: nearly every bad state is hit within two steps or cut off
//! for ever. So the state is made of blocks that real designs have (counters, shift registers, rings, equal and
//! stuck latches) beside random functions, and bad signals like to be cubes of state bits. The test below
//! watches over the mixture: both verdicts, deep counterexamples, resets and constraints of every kind.

mod live;

pub use live::{LiveConfig, live_system};

use fastrand::Rng;
use indubit_aig::Import;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Name, Signal};
use std::ops::RangeInclusive;

/// What a random system may consist of.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many inputs.
    pub inputs: RangeInclusive<usize>,
    /// How many latches.
    pub latches: RangeInclusive<usize>,
    /// How many random gates, beside those that blocks and properties need.
    pub gates: RangeInclusive<usize>,
    /// How many bad signals.
    pub bads: RangeInclusive<usize>,
    /// How many constraints.
    pub constraints: RangeInclusive<usize>,
    /// Also what a safety check ignores: plain outputs, justice, fairness, symbols, a comment. For the tests of
    /// readers and writers.
    pub decorations: bool,
}

impl Default for Config {
    /// At most 8 latches and 4 inputs, one to three bad signals, constraints in about half of the systems.
    fn default() -> Config {
        Config {
            inputs: 0..=4,
            latches: 1..=8,
            gates: 0..=14,
            bads: 1..=3,
            constraints: 0..=2,
            decorations: false,
        }
    }
}

/// The random system with this seed: equal seeds and configurations give equal systems.
pub fn system(seed: u64, config: &Config) -> BitSystem {
    let mut random = Random::new(seed);
    random.add_leaves(&config.inputs, &config.latches);
    let n_gates = random.count(&config.gates);
    for _ in 0..n_gates {
        random.gate();
    }
    random.state();
    random.resets();
    let n_bads = random.count(&config.bads);
    for _ in 0..n_bads {
        let lit = random.bad();
        random.system.add_bad("", lit);
    }
    if random.rng.bool() {
        let n_constraints = random.count(&config.constraints);
        for _ in 0..n_constraints {
            let lit = random.constraint();
            random.system.add_constraint("", lit);
        }
    }
    if config.decorations {
        random.decorate();
    } else if random.one_in(10) {
        // An old file: its outputs are the bad signals.
        random.system.outputs = std::mem::take(&mut random.system.bads);
    }
    random.system
}

/// Systems beside each other in one: each with its own inputs and latches, and all their properties, those of the first one first. Constraints
/// of one would end the runs of the others: that is for systems without.
pub fn beside(parts: &[BitSystem]) -> BitSystem {
    let mut all = BitSystem::new();
    let mut goals = Vec::new();
    for part in parts {
        let mut import = Import::new(part.aig());
        for input in part.inputs() {
            import.set(input.lit.var(), all.push_input(None));
        }
        let latches: Vec<Lit> = part.latches().iter().map(|_| all.push_latch(None)).collect();
        for (latch, &lit) in part.latches().iter().zip(&latches) {
            import.set(latch.var, lit);
        }
        for (latch, &lit) in part.latches().iter().zip(&latches) {
            let [next, reset] = [latch.next, latch.reset].map(|l| import.lit(part.aig(), all.aig_mut(), l));
            all.set_next(lit, next);
            all.set_reset(lit, reset);
        }
        for constraint in &part.constraints {
            let lit = import.lit(part.aig(), all.aig_mut(), constraint.lit);
            all.add_constraint("", lit);
        }
        for goal in part.properties().iter().filter_map(|p| p.claim.target()) {
            goals.push(import.lit(part.aig(), all.aig_mut(), goal));
        }
    }
    goals.into_iter().for_each(|goal| all.add_bad("", goal));
    all
}

struct Random {
    rng: Rng,
    system: BitSystem,
    /// What a gate or a next-state function may read.
    pool: Vec<Lit>,
    /// The latches, in blocks that move together.
    blocks: Vec<Vec<Lit>>,
}

impl Random {
    fn new(seed: u64) -> Random {
        Random { rng: Rng::with_seed(seed), system: BitSystem::new(), pool: Vec::new(), blocks: Vec::new() }
    }
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }
    fn count(&mut self, range: &RangeInclusive<usize>) -> usize {
        self.rng.usize(range.clone())
    }
    /// Any signal so far, in either polarity; rarely a constant.
    fn any(&mut self) -> Lit {
        if self.pool.is_empty() || self.one_in(40) {
            return Lit::constant(self.rng.bool());
        }
        let i = self.rng.usize(0..self.pool.len());
        self.pool[i] ^ self.rng.bool()
    }
    fn an_input(&mut self) -> Option<Lit> {
        let inputs = self.system.inputs();
        (!inputs.is_empty()).then(|| inputs[self.rng.usize(0..inputs.len())].lit)
    }
    fn a_latch(&mut self) -> Option<Lit> {
        let latches = self.system.latches();
        (!latches.is_empty()).then(|| Lit::positive(latches[self.rng.usize(0..latches.len())].var))
    }

    /// Inputs and latches, sometimes mixed as no reader would number them.
    fn add_leaves(&mut self, inputs: &RangeInclusive<usize>, latches: &RangeInclusive<usize>) {
        let (n_inputs, n_latches) = (self.count(inputs), self.count(latches));
        let mut is_latch = vec![false; n_inputs];
        is_latch.resize(n_inputs + n_latches, true);
        if self.one_in(4) {
            self.rng.shuffle(&mut is_latch);
        }
        for is_latch in is_latch {
            let lit = if is_latch { self.system.push_latch(None) } else { self.system.push_input(None) };
            self.pool.push(lit);
        }
    }

    /// One more gate: mostly hashed, sometimes a copy of an earlier gate, sometimes one that is constant.
    fn gate(&mut self) {
        let (a, b, c) = (self.any(), self.any(), self.any());
        let aig = self.system.aig_mut();
        let gate = match self.rng.u32(0..20) {
            0..10 => aig.and(a, b),
            10..13 => aig.xor(a, b),
            13..15 => aig.ite(a, b, c),
            15 => aig.raw_and(a, a),
            16 => aig.raw_and(a, !a),
            17 => aig.raw_and(a, Lit::TRUE),
            _ => {
                let fanins = aig.fanins(a.var()).unwrap_or([a, b]);
                aig.raw_and(fanins[0], fanins[1])
            }
        };
        self.pool.push(gate);
    }

    /// Next-state functions, block by block.
    fn state(&mut self) {
        let latches: Vec<Lit> = self.system.latches().iter().map(|l| Lit::positive(l.var)).collect();
        let mut rest = &latches[..];
        while !rest.is_empty() {
            let longest = rest.len().min(5);
            let size = if self.rng.bool() { longest } else { self.rng.usize(1..=longest) };
            let (block, after) = rest.split_at(size);
            rest = after;
            self.blocks.push(block.to_vec());
            match self.rng.u32(0..10) {
                0..4 => self.counter(block),
                4 => self.shift_register(block),
                5 => self.ring(block),
                6 => self.copies(block),
                7 => self.stuck(block),
                _ => {
                    for &latch in block {
                        let next = self.any();
                        self.system.set_next(latch, next);
                    }
                }
            }
        }
    }
    /// Often always on, so that the block is deterministic.
    fn enable(&mut self) -> Lit {
        if self.rng.bool() { Lit::TRUE } else { self.any() }
    }
    fn counter(&mut self, block: &[Lit]) {
        let mut carry = self.enable();
        // With a clear signal, or wrapping round at a number that is not a power of two, states above it are
        // unreachable.
        let wrap = match self.rng.u32(0..6) {
            0 => self.any(),
            1 | 2 => {
                let at: Vec<Lit> = block.iter().map(|&b| b ^ self.one_in(3)).collect();
                self.system.aig_mut().and_all(at)
            }
            _ => Lit::FALSE,
        };
        for &bit in block {
            let aig = self.system.aig_mut();
            let sum = aig.xor(bit, carry);
            let next = aig.and(sum, !wrap);
            carry = aig.and(bit, carry);
            self.system.set_next(bit, next);
        }
        self.pool.push(carry);
    }
    fn shift_register(&mut self, block: &[Lit]) {
        let (enable, mut data) = (self.enable(), self.any());
        for &bit in block {
            let next = self.system.aig_mut().ite(enable, data, bit);
            self.system.set_next(bit, next);
            data = bit;
        }
    }
    fn ring(&mut self, block: &[Lit]) {
        let enable = self.enable();
        for (i, &bit) in block.iter().enumerate() {
            let next = self.system.aig_mut().ite(enable, block[(i + 1) % block.len()], bit);
            self.system.set_next(bit, next);
        }
    }
    /// Latches with one and the same next state, some of them complemented.
    fn copies(&mut self, block: &[Lit]) {
        let next = self.any();
        for &bit in block {
            let flip = self.one_in(4);
            self.system.set_next(bit, next ^ flip);
        }
    }
    /// Latches that read only themselves: they hold, toggle, or fall into a constant.
    fn stuck(&mut self, block: &[Lit]) {
        for &bit in block {
            let next = [bit, !bit, Lit::FALSE, Lit::TRUE][self.rng.usize(0..4)];
            self.system.set_next(bit, next);
        }
    }

    /// Initial values of every kind. A reset function reads only latches before its own in some random order
    /// and gates over such latches, so there is no cycle.
    fn resets(&mut self) {
        let mut order: Vec<Lit> = self.system.latches().iter().map(|l| Lit::positive(l.var)).collect();
        self.rng.shuffle(&mut order);
        let style = self.rng.u32(0..4);
        let mut sources: Vec<Lit> = self.system.inputs().iter().map(|s| s.lit).collect();
        for latch in order {
            let reset = match (style, self.rng.u32(0..10)) {
                (0 | 1, _) | (_, 0..5) => Lit::FALSE,
                (_, 5 | 6) => Lit::TRUE,
                (_, 7) => latch,
                (2, _) => Lit::constant(self.rng.bool()),
                _ if sources.is_empty() => latch,
                _ => {
                    let mut pick = || sources[self.rng.usize(0..sources.len())] ^ self.rng.bool();
                    let (a, b) = (pick(), pick());
                    match self.rng.u32(0..3) {
                        0 => a,
                        1 => self.system.aig_mut().and(a, b),
                        _ => self.system.aig_mut().xor(a, b),
                    }
                }
            };
            self.system.set_reset(latch, reset);
            sources.push(latch);
        }
    }

    /// A cube of a few latches: the deeper kind of bad state.
    fn state_cube(&mut self) -> Lit {
        let n = self.rng.usize(2..=6);
        let lits: Vec<Lit> = (0..n).filter_map(|_| self.a_latch()).collect();
        let mut cube: Vec<Lit> = Vec::new();
        for lit in lits {
            // Repeated latches keep their first polarity, or the cube would be empty.
            if cube.iter().all(|l| l.var() != lit.var()) {
                cube.push(lit ^ self.rng.bool());
            }
        }
        self.system.aig_mut().and_all(cube)
    }
    /// A whole block has a certain value, with more ones than zeros: most latches start with 0.
    fn block_value(&mut self) -> Lit {
        if self.blocks.is_empty() {
            return self.any();
        }
        let block = self.blocks[self.rng.usize(0..self.blocks.len())].clone();
        let value: Vec<Lit> = block.into_iter().map(|b| b ^ self.one_in(3)).collect();
        self.system.aig_mut().and_all(value)
    }
    fn bad(&mut self) -> Lit {
        match self.rng.u32(0..24) {
            0 => Lit::constant(self.one_in(4)),
            1 => self.an_input().unwrap_or(Lit::FALSE) ^ self.rng.bool(),
            2 | 3 => self.a_latch().unwrap_or(Lit::TRUE) ^ self.rng.bool(),
            4 | 5 => self.any(),
            6..9 => {
                let (a, b) = (self.any(), self.state_cube());
                self.system.aig_mut().and(a, b)
            }
            9 => {
                // Two latches that may be copies of each other.
                let (a, b) = (self.a_latch().unwrap_or(Lit::TRUE), self.a_latch().unwrap_or(Lit::TRUE));
                self.system.aig_mut().xor(a, b)
            }
            10..14 => {
                let (a, b) = (self.block_value(), self.block_value());
                self.system.aig_mut().and(a, b)
            }
            14..20 => self.block_value(),
            _ => self.state_cube(),
        }
    }
    fn constraint(&mut self) -> Lit {
        let (a, b) = (self.any(), self.any());
        let input = self.an_input().unwrap_or(a) ^ self.rng.bool();
        match self.rng.u32(0..12) {
            0 => input,
            1 | 2 => {
                let other = self.an_input().unwrap_or(b) ^ self.rng.bool();
                self.system.aig_mut().or(input, other)
            }
            3..6 => self.system.aig_mut().or(input, b),
            6..9 => !self.state_cube(),
            9 => self.a_latch().unwrap_or(Lit::TRUE) ^ self.rng.bool(),
            10 => self.system.aig_mut().or(a, b),
            _ => Lit::constant(self.rng.bool()),
        }
    }

    fn name(&mut self) -> Option<Name> {
        let n = self.rng.u32(0..100);
        match self.rng.u32(0..6) {
            0 | 1 => None,
            2 => Some(Name::new(vec![b'x', 0xff, b' ', 0xc3, n as u8 | 0x80])),
            3 => Some(Name::new(format!("top.unit {n}"))),
            _ => Some(Name::new(format!("word[{n}]"))),
        }
    }
    fn signal(&mut self) -> Signal {
        Signal { lit: self.any(), name: self.name() }
    }
    /// Everything else that a file can hold.
    fn decorate(&mut self) {
        for i in 0..self.system.inputs().len() {
            if let Some(name) = self.name() {
                self.system.name_input(i, name);
            }
        }
        for i in 0..self.system.latches().len() {
            if let Some(name) = self.name() {
                self.system.name_latch(i, name);
            }
        }
        for i in 0..self.system.bads.len() {
            self.system.bads[i].name = self.name();
        }
        for i in 0..self.system.constraints.len() {
            self.system.constraints[i].name = self.name();
        }
        self.system.outputs = (0..self.rng.usize(0..3)).map(|_| self.signal()).collect();
        self.system.fairness = (0..self.rng.usize(0..3)).map(|_| self.signal()).collect();
        let justice = |random: &mut Random| {
            let lits = (0..random.rng.usize(0..4)).map(|_| random.any()).collect();
            Justice { lits, name: random.name() }
        };
        self.system.justice = (0..self.rng.usize(0..3)).map(|_| justice(self)).collect();
        if self.rng.bool() {
            self.system.comment = b"random\nsystem\n".to_vec();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::{self, Answer};
    use indubit_system::{Latch, ResetOrder};

    fn share(part: usize, whole: usize) -> f64 {
        part as f64 / whole as f64
    }

    /// The mixture of 2,000 systems, measured: each verdict has its share, and every corner is visited.
    #[test]
    fn the_mixture_is_healthy() {
        let systems: Vec<BitSystem> = (0..2000).map(|seed| system(seed, &Config::default())).collect();
        let answers: Vec<Answer> = systems.iter().flat_map(|s| explicit::check(s).unwrap()).collect();
        let n = answers.len();
        let at_least = |k: u32| answers.iter().filter(|a| a.depth() >= Some(k)).count();
        let n_unsafe = at_least(0);
        assert!(share(n_unsafe, n) > 0.3 && share(n_unsafe, n) < 0.7, "{n_unsafe} of {n} unsafe");
        assert!(share(at_least(3), n) > 0.05, "{} of {n} with depth 3 or more", at_least(3));
        assert!(share(at_least(5), n) > 0.03, "{} of {n} with depth 5 or more", at_least(5));
        assert!(at_least(10) > 5, "{} with depth 10 or more", at_least(10));
        let count = |f: &dyn Fn(&BitSystem) -> bool| systems.iter().filter(|s| f(s)).count();
        let latches = |f: fn(&Latch) -> bool| count(&|s| s.latches().iter().any(f));
        let dead = count(&|s| explicit::reachable_states(s).unwrap().is_empty());
        assert!((20..400).contains(&dead), "{dead} without a legal first step");
        assert!(latches(Latch::is_uninitialised) > 200 && latches(Latch::has_reset_function) > 200);
        assert!(latches(|l| l.reset == Lit::TRUE) > 500);
        assert!(count(&|s| !s.constraints.is_empty()) > 400);
        assert!(count(&|s| s.outputs_are_bad()) > 100);
        assert!(count(&|s| s.inputs().is_empty()) > 50);
        // Safe for a reason: without their resets the systems would not all be safe still.
        let anywhere = |s: &BitSystem| {
            let mut free = s.clone();
            for l in s.latches() {
                free.set_reset(Lit::positive(l.var), Lit::positive(l.var));
            }
            explicit::check(&free).unwrap()
        };
        let n_reasons = systems.iter().flat_map(|s| {
            let pairs = explicit::check(s).unwrap().into_iter().zip(anywhere(s));
            pairs.filter(|(here, there)| here.is_safe() && !there.is_safe()).collect::<Vec<_>>()
        });
        let n_reasons = n_reasons.count();
        assert!(share(n_reasons, n) > 0.15, "{n_reasons} of {n} safe because of where they start");
    }

    #[test]
    fn equal_seeds_give_equal_systems_and_resets_are_acyclic() {
        for seed in 0..300 {
            let config = Config { decorations: seed % 2 == 0, ..Config::default() };
            let (a, b) = (system(seed, &config), system(seed, &config));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            assert!(ResetOrder::new(&a).is_ok());
            assert!(a.inputs().len() <= 4 && (1..=8).contains(&a.latches().len()));
        }
    }

    #[test]
    fn systems_beside_each_other_do_not_change() {
        let config = Config { latches: 1..=5, inputs: 0..=2, constraints: 0..=0, ..Config::default() };
        for seed in 0..100 {
            let parts = [0, 1].map(|i| system(2 * seed + i, &config));
            let answers: Vec<Answer> = parts.iter().flat_map(|part| explicit::check(part).unwrap()).collect();
            assert_eq!(explicit::check(&beside(&parts)).unwrap(), answers);
        }
    }

    #[test]
    fn decorations_are_there() {
        let config = Config { decorations: true, ..Config::default() };
        let systems: Vec<BitSystem> = (0..100).map(|seed| system(seed, &config)).collect();
        assert!(systems.iter().any(|s| !s.justice.is_empty() && !s.fairness.is_empty()));
        assert!(systems.iter().any(|s| s.justice.iter().any(|j| j.lits.is_empty())));
        assert!(systems.iter().any(|s| s.inputs().iter().any(|i| i.name.is_some())));
    }
}
