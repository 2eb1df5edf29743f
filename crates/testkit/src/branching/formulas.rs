//! Random formulas of computation tree logic, and random systems for them.

use super::Reference;
use crate::random;
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Ctl, CtlBuilder, CtlId, Property, PropertyId};
use std::ops::Range;

/// A random formula over these atoms, with about so many operators.
pub fn random_formula<A: Clone + PartialEq>(rng: &mut Rng, atoms: &[A], n_operators: usize) -> Ctl<A> {
    let mut builder = CtlBuilder::new();
    let mut parts: Vec<CtlId> = atoms.iter().map(|atom| builder.atom(atom.clone())).collect();
    parts.push(builder.constant(true));
    for i in 0..n_operators {
        // What was made last is used soon, so that operators are nested.
        let pick = |rng: &mut Rng| match rng.bool() && i > 0 {
            true => parts[parts.len() - 1],
            false => parts[rng.usize(..parts.len())],
        };
        let (a, b) = (pick(rng), pick(rng));
        let (from, width) = (rng.u32(..2), rng.u32(..2));
        let to = from + width;
        parts.push(match rng.usize(..24) {
            0 => builder.not(a),
            1 => builder.and(a, b),
            2 => builder.or(a, b),
            3 => builder.implies(a, b),
            4 => builder.iff(a, b),
            5 | 6 => builder.exists_next(a),
            7 => builder.all_next(a),
            8 | 9 => builder.exists_until(a, b),
            10 => builder.all_until(a, b),
            11 => builder.exists_finally(a),
            12 | 13 => builder.all_finally(a),
            14 | 15 => builder.exists_globally(a),
            16 | 17 => builder.all_globally(a),
            18 => builder.exists_finally_within(from, to, a),
            19 => builder.all_finally_within(from, to, a),
            20 => builder.exists_globally_within(from, to, a),
            21 => builder.all_globally_within(from, to, a),
            22 => builder.exists_until_within(from, to, a, b),
            _ => builder.all_until_within(from, to, a, b),
        });
    }
    builder.finish(parts[parts.len() - 1])
}

/// A random system with one claim in computation tree logic.
pub struct Case {
    /// The seed that it comes from.
    pub seed: u64,
    /// The system.
    pub system: BitSystem,
    /// The formula, which is its only property.
    pub formula: Ctl<Lit>,
    /// The exact answer.
    pub reference: Reference,
}

impl Case {
    /// The one with this seed.
    pub fn new(seed: u64) -> Case {
        let mut rng = Rng::with_seed(seed ^ 0x6374_6c00);
        let mut system = match rng.u32(..3) {
            0 => {
                let config = random::Config {
                    inputs: 0..=2,
                    latches: 1..=4,
                    gates: 0..=8,
                    constraints: 0..=1,
                    decorations: true,
                    ..random::Config::default()
                };
                random::system(seed, &config)
            }
            _ => {
                let config = random::LiveConfig {
                    inputs: 0..=2,
                    latches: 1..=4,
                    gates: 0..=6,
                    constraints: 0..=1,
                    ..random::LiveConfig::default()
                };
                random::live_system(seed, &config)
            }
        };
        (system.bads, system.outputs, system.justice) = Default::default();
        let leaves = system.latches().iter().map(|latch| Lit::positive(latch.var));
        let mut pool: Vec<Lit> = leaves.collect();
        let n_latches = pool.len();
        pool.extend(system.aig().ands().map(|(gate, _)| Lit::positive(gate)));
        pool.extend(system.inputs().iter().map(|input| input.lit));
        // Often about latches only: an atom that sees inputs makes states of them.
        let atom = |rng: &mut Rng| {
            let among = if rng.bool() { pool.len() } else { n_latches };
            pool[rng.usize(..among)] ^ rng.bool()
        };
        let atoms: Vec<Lit> = (0..rng.usize(1..=3)).map(|_| atom(&mut rng)).collect();
        let n_operators = rng.usize(1..=6);
        let formula = random_formula(&mut rng, &atoms, n_operators);
        let claim = Claim::Ctl(formula.clone());
        system.specs = vec![Property::new(PropertyId::Ctl(0), "claim", claim)];
        let reference = Reference::new(&system, &formula).expect("random systems are small");
        Case { seed, system, formula, reference }
    }
    /// The claim.
    pub fn property(&self) -> &Property {
        &self.system.specs[0]
    }
}

/// The random systems with these seeds.
pub fn cases(seeds: Range<u64>) -> impl Iterator<Item = Case> {
    seeds.map(Case::new)
}
