//! Corners of the format: resets, old files, liveness; and the example of a textbook.

use super::{
    Expected::{Holds, Safe},
    Model, violated,
};
use crate::Word;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Signal};

pub(super) fn two_bit() -> Model {
    let mut system = BitSystem::new();
    let choose = system.add_input("choose");
    let (x1, x2) = (system.add_latch("x1", Some(false)), system.add_latch("x2", Some(false)));
    let aig = system.aig_mut();
    let (goes, stays) = (aig.and(x2, choose), aig.and(x2, !choose));
    let (next_x1, next_x2) = (aig.or(x1, goes), aig.or(x1, stays));
    let both = aig.and(x1, x2);
    system.set_next(x1, next_x1);
    system.set_next(x2, next_x2);
    system.add_bad("both", both);
    let about = "
The two-bit machine with which property directed reachability is taught: from 00 to 00, from 01 to 01 or 10, from 10
and 11 to 11; it starts in 00. The property, not both bits, holds but is not inductive: 10 satisfies it and goes to 11.
A strengthening has to exclude first 10 and then 01, which leads to it.";
    Model::new("two_bit.aag", about, system, [Safe])
}

pub(super) fn uninitialised() -> Model {
    let mut system = BitSystem::new();
    let ring = Word::uninitialised(&mut system, "ring", 3);
    let seen = system.add_latch("seen", Some(false));
    let turns = Word::latches(&mut system, "turns", 2, 0);
    let aig = system.aig_mut();
    let rotated = Word::new([ring.bit(1), ring.bit(2), ring.bit(0)]);
    let next_seen = aig.or(seen, ring.bit(0));
    let round = turns.is(aig, 3);
    let next_turns = turns.count(aig, !round, Lit::FALSE);
    let some = ring.any(aig);
    let differs = aig.xor(seen, some);
    let missed = aig.and(round, differs);
    let all = ring.is(aig, 7);
    ring.set_next(&mut system, &rotated);
    system.set_next(seen, next_seen);
    turns.set_next(&mut system, &next_turns);
    system.add_bad("missed", missed);
    system.add_bad("all_ones", all);
    let about = "
A ring of three latches without initial value, rotating past a detector. Whatever the ring starts with, after one turn
the detector has seen a one if and only if there is one. That all three are ones is possible from the start: an
uninitialised latch may have either value, so this one is violated in step 0.";
    Model::new("uninitialised.aag", about, system, [Safe, violated(0)])
}

pub(super) fn reset_function() -> Model {
    let mut system = BitSystem::new();
    let (step, strap) = (system.add_input("step"), system.add_input("strap"));
    let up = Word::uninitialised(&mut system, "up", 3);
    let down = Word::uninitialised(&mut system, "down", 3);
    let mode = system.add_latch("mode", None);
    let first = system.add_latch("first", Some(true));
    let aig = system.aig_mut();
    let next_up = up.count(aig, step, Lit::FALSE);
    let next_down = down.count(aig, Lit::FALSE, step);
    let mirrored = up.equals(aig, &down.complement());
    let differs = aig.xor(mode, strap);
    let missed = aig.and(first, differs);
    up.set_next(&mut system, &next_up);
    down.set_next(&mut system, &next_down);
    down.set_reset(&mut system, &up.complement());
    system.set_reset(mode, strap);
    system.set_next(first, Lit::FALSE);
    system.add_bad("not_mirrored", !mirrored);
    system.add_bad("strap_missed", missed);
    system.add_bad("strap_changes", differs);
    let about = "
Initial values that are functions of other signals, as files have them since the competition of 2025. `up` starts
anywhere and `down` as its complement, so they stay mirror images while one counts up and the other down. `mode` starts
with the value of the input `strap` in the first step: they agree in that step, and may differ in the next.";
    Model::new("reset_function.aag", about, system, [Safe, Safe, violated(1)])
}

pub(super) fn microwave() -> Model {
    let mut system = BitSystem::new();
    let [handle, start, stop] = ["handle", "start", "stop"].map(|name| system.add_input(name));
    let (open, heating) = (system.add_latch("open", Some(true)), system.add_latch("heating", Some(false)));
    let aig = system.aig_mut();
    let next_open = aig.xor(open, handle);
    let on = aig.or(heating, start);
    let next_heating = aig.and_all([on, !next_open, !stop]);
    let leak = aig.and(open, heating);
    system.set_next(open, next_open);
    system.set_next(heating, next_heating);
    // A file of version 1.0 has outputs only, and they are the bad states.
    for (name, lit) in [("heats_while_open", leak), ("heats", heating)] {
        system.outputs.push(Signal { lit, name: Some(name.into()) });
    }
    let about = "
A microwave oven in the old version 1.0 of the format, which has no section for bad states: there, outputs stand for
them. The oven never heats while its door is open; it does heat, which the second output shows.";
    Model::new("microwave.aag", about, system, [Safe, violated(1)])
}

pub(super) fn starvation() -> Model {
    let mut system = BitSystem::new();
    let requests = Word::inputs(&mut system, "req", 2);
    let claim = system.add_input("claim");
    let waiting = system.add_latch("waiting", Some(false));
    let claimed = system.add_latch("claimed", Some(false));
    let failed = system.add_latch("failed", Some(false));
    let aig = system.aig_mut();
    let (strong, weak) = (requests.bit(0), requests.bit(1));
    let asks = aig.or(waiting, weak);
    let served = aig.and(asks, !strong);
    let next_waiting = aig.and(asks, !served);
    // Once, the observer may claim that the weak client waits and is never served from now on.
    let claims = aig.and_all([claim, waiting, !claimed, !failed]);
    let refuted = aig.and(claimed, served);
    let standing = aig.or(claimed, claims);
    let next_claimed = aig.and(standing, !served);
    let next_failed = aig.or(failed, refuted);
    system.set_next(waiting, next_waiting);
    system.set_next(claimed, next_claimed);
    system.set_next(failed, next_failed);
    system.outputs.push(Signal { lit: served, name: Some("served".into()) });
    system.justice.push(Justice { lits: vec![claimed, waiting], name: Some("starved".into()) });
    system.fairness.push(Signal { lit: !strong, name: Some("strong_pauses".into()) });
    let about = "
A liveness property: two clients, one with fixed priority; is the weak one starved? A counterexample would be an
infinite run in which the claim that it is never served stands for ever, while, by the fairness constraint, the strong
client pauses again and again. There is none. The file has an output, but because it has a justice property the output
is not a property.";
    Model::new("starvation.aag", about, system, [Holds])
}
