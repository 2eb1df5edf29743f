//! What the AIGER tests share: random systems, and what it means for two systems to be the same.

use fastrand::Rng;
use indubit_aig::simulate;
use indubit_formats::aiger;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Name, ResetOrder, Signal};

/// A system with something in every section: leaves and gates interleaved, raw and hashed gates, resets of every
/// kind, names of arbitrary bytes.
pub fn random_system(rng: &mut Rng) -> BitSystem {
    let mut system = BitSystem::new();
    let mut lits = vec![Lit::FALSE];
    let mut latches = Vec::new();
    for _ in 0..rng.usize(0..40) {
        let lit = match rng.u32(0..8) {
            0 => system.push_input(random_name(rng)),
            1 | 2 => {
                let latch = system.push_latch(random_name(rng));
                latches.push(latch);
                latch
            }
            3 => {
                let (a, b) = (pick(rng, &lits), pick(rng, &lits));
                system.aig_mut().and(a, b)
            }
            _ => {
                let (a, b) = (pick(rng, &lits), pick(rng, &lits));
                system.aig_mut().raw_and(a, b)
            }
        };
        lits.push(lit);
    }
    for &latch in &latches {
        system.set_next(latch, pick(rng, &lits));
        let reset = match rng.u32(0..5) {
            0 => Lit::TRUE,
            1 => latch,
            2 => Lit::FALSE,
            _ => pick(rng, &lits),
        };
        system.set_reset(latch, reset);
        if ResetOrder::new(&system).is_err() {
            system.set_reset(latch, Lit::FALSE);
        }
    }
    system.outputs = random_signals(rng, &lits);
    system.bads = random_signals(rng, &lits);
    system.constraints = random_signals(rng, &lits);
    system.fairness = random_signals(rng, &lits);
    for _ in 0..rng.usize(0..3) {
        let lits = (0..rng.usize(0..4)).map(|_| pick(rng, &lits)).collect();
        system.justice.push(Justice { lits, name: random_name(rng) });
    }
    if rng.bool() {
        system.comment = (0..rng.usize(0..20)).map(|_| rng.u8(..)).chain([b'\n']).collect();
    }
    system
}

fn random_signals(rng: &mut Rng, lits: &[Lit]) -> Vec<Signal> {
    let n = if rng.bool() { 0 } else { rng.usize(0..4) };
    (0..n).map(|_| Signal { lit: pick(rng, lits), name: random_name(rng) }).collect()
}

fn random_name(rng: &mut Rng) -> Option<Name> {
    let byte = |rng: &mut Rng| match rng.u8(..) {
        b'\n' | b'\r' => b'x',
        byte => byte,
    };
    rng.bool().then(|| Name::new((0..rng.usize(1..6)).map(|_| byte(rng)).collect::<Vec<u8>>()))
}

/// A random element with a random sign.
pub fn pick(rng: &mut Rng, lits: &[Lit]) -> Lit {
    lits[rng.usize(0..lits.len())] ^ rng.bool()
}

/// All literals that a reader can observe, by section, evaluated in one step.
fn observe(system: &BitSystem, values: &[bool]) -> Vec<bool> {
    let signals = [&system.outputs, &system.bads, &system.constraints, &system.fairness];
    let nexts = system.latches().iter().map(|l| l.next);
    let lits = signals.into_iter().flatten().map(|s| s.lit);
    let justice = system.justice.iter().flat_map(|j| j.lits.iter().copied());
    nexts.chain(lits).chain(justice).map(|lit| simulate::value(values, lit)).collect()
}

/// Fail unless both systems have the same interface, names and comment, and behave alike on random inputs.
pub fn assert_same(a: &BitSystem, b: &BitSystem, rng: &mut Rng) {
    let names = |s: &BitSystem| -> Vec<Option<Name>> {
        let signals = [&s.outputs, &s.bads, &s.constraints, &s.fairness];
        let inputs = s.inputs().iter().map(|i| &i.name);
        let latches = s.latches().iter().map(|l| &l.name);
        let signals = signals.into_iter().flatten().map(|signal| &signal.name);
        inputs.chain(latches).chain(signals).chain(s.justice.iter().map(|j| &j.name)).cloned().collect()
    };
    let shape = |s: &BitSystem| {
        let lens = [s.outputs.len(), s.bads.len(), s.constraints.len(), s.fairness.len()];
        let justice: Vec<usize> = s.justice.iter().map(|j| j.lits.len()).collect();
        let free: Vec<bool> = s.latches().iter().map(|l| l.is_uninitialised()).collect();
        (s.inputs().len(), s.latches().len(), s.aig().n_ands(), lens, justice, free)
    };
    assert_eq!(shape(a), shape(b));
    assert_eq!(names(a), names(b));
    assert_eq!(a.comment, b.comment);
    let resets = [a, b].map(|s| ResetOrder::new(s).expect("acyclic resets"));
    for _ in 0..4 {
        let inputs: Vec<bool> = a.inputs().iter().map(|_| rng.bool()).collect();
        let free: Vec<bool> = a.latches().iter().map(|_| rng.bool()).collect();
        let initial =
            [(a, &resets[0]), (b, &resets[1])].map(|(s, r)| r.initial_state(s, &inputs, |i| free[i]));
        assert_eq!(initial[0], initial[1]);
        let [in_a, in_b] = [a, b].map(|s| observe(s, &s.evaluate(&free, &inputs)));
        assert_eq!(in_a, in_b);
    }
}

/// Both encodings give the system back, and reading one and writing the other changes nothing.
pub fn assert_round_trips(system: &BitSystem, rng: &mut Rng) {
    let (ascii, binary) = (aiger::write_ascii(system), aiger::write_binary(system));
    let [from_ascii, from_binary] = [&ascii, &binary].map(|bytes| aiger::parse(bytes).expect("our own file"));
    assert_same(system, &from_ascii, rng);
    assert_same(system, &from_binary, rng);
    assert_eq!(aiger::write_binary(&from_ascii), binary);
    assert_eq!(aiger::write_binary(&from_binary), binary);
    assert_eq!(aiger::write_ascii(&from_ascii), ascii);
    assert_eq!(aiger::write_ascii(&from_binary), ascii);
}
