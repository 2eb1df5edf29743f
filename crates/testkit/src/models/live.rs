//! Liveness: what happens again and again, and what never happens for ever.
//!
//! "From some point on, it waits for ever" is not of the form that a justice property has. So there is an observer in most of these models:
//! once in a run it may pick a request, and it sees the first answer. A counterexample is a run in which it waits for ever.

use super::{
    Expected::{self, Holds, Safe},
    Model,
};
use crate::Word;
use crate::models::sharing::round_robin;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Signal};

fn fails(length: u32) -> Expected {
    Expected::Fails { length: Some(length) }
}

fn add_justice(system: &mut BitSystem, name: &str, lits: impl Into<Vec<Lit>>) {
    system.justice.push(Justice { lits: lits.into(), name: Some(name.into()) });
}

fn add_fairness(system: &mut BitSystem, name: &str, lit: Lit) {
    system.fairness.push(Signal { lit, name: Some(name.into()) });
}

/// Picks a request once, if the input `watch` has its number, and waits for its answer. For each one, whether it is waiting for that.
struct Observer {
    watch: Word,
    watched: Word,
    answered: Lit,
}

impl Observer {
    /// For so many requesters. Its input comes here, its latches after it.
    fn new(system: &mut BitSystem, n: usize) -> Observer {
        // One number more than there are: nothing is picked.
        let width = (usize::BITS - n.leading_zeros()) as usize;
        let watch = Word::inputs(system, "watch", width);
        let watched = Word::latches(system, "watched", n, 0);
        let answered = system.add_latch("answered", Some(false));
        Observer { watch, watched, answered }
    }
    /// With what each requester does in a step: it begins to wait or is waiting, and it is answered.
    fn set_next(&self, system: &mut BitSystem, waits: &Word, answers: &Word) {
        let aig = system.aig_mut();
        let none = !self.watched.any(aig);
        let picks: Vec<Lit> = (0..waits.width())
            .map(|i| {
                let chosen = self.watch.is(aig, i as u64);
                aig.and_all([none, chosen, waits.bit(i), !answers.bit(i)])
            })
            .collect();
        let answer: Vec<Lit> =
            (0..waits.width()).map(|i| aig.and(self.watched.bit(i), answers.bit(i))).collect();
        let answer = aig.or_all(answer);
        let next_answered = aig.or(self.answered, answer);
        let next = Word::new((0..waits.width()).map(|i| aig.or(self.watched.bit(i), picks[i])));
        self.watched.set_next(system, &next);
        system.set_next(self.answered, next_answered);
    }
    /// It waits for the answer to this request.
    fn waits(&self, system: &mut BitSystem, i: usize) -> Lit {
        system.aig_mut().and(self.watched.bit(i), !self.answered)
    }
    /// A justice property for each requester: it waits for ever.
    fn add_properties(&self, system: &mut BitSystem, name: &str) {
        for i in 0..self.watched.width() {
            let waits = self.waits(system, i);
            add_justice(system, &format!("{name}_{i}"), [waits]);
        }
    }
}

/// A sender and a receiver over channels that may lose everything.
fn channel(fair: bool) -> BitSystem {
    let mut system = BitSystem::new();
    let [new, lose_message, lose_answer] =
        ["new", "lose_message", "lose_answer"].map(|name| system.add_input(name));
    let [waiting, bit, expects] = ["waiting", "bit", "expects"].map(|n| system.add_latch(n, Some(false)));
    let observer = Observer::new(&mut system, 1);
    let aig = system.aig_mut();
    // In each step the message is sent once more, and the receiver says once more what it has.
    let arrives = aig.and(waiting, !lose_message);
    let expected = aig.iff(bit, expects);
    let accepts = aig.and(arrives, expected);
    let is_known = !expected;
    let acknowledged = aig.and_all([waiting, is_known, !lose_answer]);
    let begins = aig.or(waiting, new);
    let next_waiting = aig.and(begins, !acknowledged);
    let (next_bit, next_expects) = (aig.xor(bit, acknowledged), aig.xor(expects, accepts));
    let out_of_step = aig.and(!waiting, is_known);
    system.set_next(waiting, next_waiting);
    system.set_next(bit, next_bit);
    system.set_next(expects, next_expects);
    observer.set_next(&mut system, &Word::new([begins]), &Word::new([acknowledged]));
    system.add_bad("out_of_step", out_of_step);
    let waits = observer.waits(&mut system, 0);
    add_justice(&mut system, "never_acknowledged", [waits]);
    if fair {
        add_fairness(&mut system, "messages_come_through", !lose_message);
        add_fairness(&mut system, "answers_come_through", !lose_answer);
    }
    system
}

pub(super) fn lossy_channel() -> Model {
    let about = "
A sender and a receiver over channels that lose messages and answers, with an alternating bit: in each step the sender
sends once more what has not been acknowledged, and the receiver says once more which bit it has. Fairness: messages
come through again and again, and so do answers. Then every message is acknowledged: no run goes on for ever while a
message that was picked by `watch` waits. The bad state, that sender and receiver are out of step, has nothing to do
with fairness.";
    Model::new("lossy_channel.aag", about, channel(true), [Safe, Holds])
}

pub(super) fn lossy_channel_unfair() -> Model {
    let about = "
The same channels without fairness: all messages may be lost, and the sender waits for ever. The lasso is a message that
is sent, and lost in each step from then on.";
    Model::new("lossy_channel_unfair.aag", about, channel(false), [Safe, fails(2)])
}

/// An arbiter for three clients: round robin, or always the first who waits.
fn arbiter(round: bool) -> BitSystem {
    const N: usize = 3;
    let mut system = BitSystem::new();
    let ask = Word::inputs(&mut system, "ask", N);
    let release = system.add_input("release");
    let waits = Word::latches(&mut system, "waits", N, 0);
    let owner = Word::latches(&mut system, "owner", N, 0);
    let priority = if round { Word::latches(&mut system, "priority", N, 1) } else { Word::constant(N, 1) };
    let observer = Observer::new(&mut system, N);
    let winner = round_robin(&mut system, &waits, priority.bits());
    let aig = system.aig_mut();
    let busy = owner.any(aig);
    let granted = Word::new(winner.bits().iter().map(|&w| aig.and(w, !busy)).collect::<Vec<_>>());
    let keeps = aig.and(busy, !release);
    let next_owner = Word::new((0..N).map(|i| {
        let kept = aig.and(owner.bit(i), keeps);
        aig.or(kept, granted.bit(i))
    }));
    let asked = Word::new((0..N).map(|i| aig.or(waits.bit(i), ask.bit(i))));
    let next_waits = Word::new((0..N).map(|i| aig.and(asked.bit(i), !granted.bit(i))));
    let two = owner.has_two(aig);
    if round {
        let grants = granted.any(aig);
        let rotated = Word::new((0..N).map(|i| granted.bit((i + N - 1) % N)));
        let next_priority = priority.when(aig, grants, &rotated);
        priority.set_next(&mut system, &next_priority);
    }
    waits.set_next(&mut system, &next_waits);
    owner.set_next(&mut system, &next_owner);
    observer.set_next(&mut system, &waits, &granted);
    system.add_bad("two_owners", two);
    observer.add_properties(&mut system, "starves");
    add_fairness(&mut system, "released", release);
    system
}

pub(super) fn arbiter_fair() -> Model {
    let about = "
A round-robin arbiter for three clients and one resource. A client that asks waits until the resource is its own, and
keeps it until `release`, which comes again and again: that is the fairness. Nobody starves: when a client has been
served, it is behind all others.";
    Model::new("arbiter_fair.aag", about, arbiter(true), [Safe, Holds, Holds, Holds])
}

pub(super) fn arbiter_starving() -> Model {
    let about = "
An arbiter with fixed priorities: of the clients that wait, the first one is served. Client 0 is always served, the
others starve if those before them ask again and again. The lasso shows how: the observer picks a waiting client, and
from then on the resource goes to a client before it, round after round.";
    Model::new("arbiter_starving.aag", about, arbiter(false), [Safe, Holds, fails(4), fails(4)])
}

const PHILOSOPHERS: usize = 3;

pub(super) fn philosophers_deadlock() -> Model {
    const N: usize = PHILOSOPHERS;
    let mut system = BitSystem::new();
    let moves = Word::inputs(&mut system, "moves", 2);
    // 0 thinks, 1 is hungry, 2 has the left fork, 3 eats.
    let places = [0, 1, 2].map(|i| Word::latches(&mut system, &format!("philosopher{i}"), 2, 0));
    let observer = Observer::new(&mut system, N);
    let aig = system.aig_mut();
    let [hungry, has_left, eats] =
        [1, 2, 3].map(|place| Word::new(places.iter().map(|p| p.is(aig, place)).collect::<Vec<_>>()));
    let turn = Word::new((0..N).map(|i| moves.is(aig, i as u64)));
    // Fork i is to the left of philosopher i, and to the right of the one before.
    let taken =
        Word::new((0..N).map(|i| aig.or_all([has_left.bit(i), eats.bit(i), eats.bit((i + N - 1) % N)])));
    let mut next = Vec::new();
    for (i, place) in places.iter().enumerate() {
        let (left, right) = (taken.bit(i), taken.bit((i + 1) % N));
        let waits_for_left = aig.and(hungry.bit(i), left);
        let waits_for_right = aig.and(has_left.bit(i), right);
        let stays = aig.or(waits_for_left, waits_for_right);
        let steps = aig.and(turn.bit(i), !stays);
        next.push(place.count(aig, steps, Lit::FALSE));
    }
    let waits = Word::new((0..N).map(|i| aig.or(hungry.bit(i), has_left.bit(i))));
    let deadlock = aig.and_all(has_left.bits().iter().copied());
    let neighbours: Vec<Lit> = (0..N).map(|i| aig.and(eats.bit(i), eats.bit((i + 1) % N))).collect();
    let neighbours = aig.or_all(neighbours);
    for (place, next) in places.iter().zip(&next) {
        place.set_next(&mut system, next);
    }
    observer.set_next(&mut system, &waits, &eats);
    system.add_bad("neighbours_eat", neighbours);
    observer.add_properties(&mut system, "starves");
    add_justice(&mut system, "deadlock", [deadlock]);
    for i in 0..N {
        add_fairness(&mut system, &format!("moves_{i}"), turn.bit(i));
    }
    let about = "
Three philosophers at a round table with three forks, each of whom takes the left fork first and then the right one. The
scheduler (`moves`) chooses who takes the next step, and by fairness it is everybody's turn again and again. When all
have taken their left forks, nobody eats any more; the lasso leads there. Also without such a deadlock a philosopher may
starve, for the fork may be there only when it is the neighbour's turn.";
    let expected = [Safe, fails(9), fails(9), fails(9), fails(9)];
    Model::new("philosophers_deadlock.aag", about, system, expected)
}

pub(super) fn philosophers() -> Model {
    const N: usize = PHILOSOPHERS;
    let mut system = BitSystem::new();
    let moves = Word::inputs(&mut system, "moves", 2);
    let hungry = Word::latches(&mut system, "hungry", N, 0);
    let eats = Word::latches(&mut system, "eats", N, 0);
    // Who of philosophers i and i + 1 goes first: the latter if it is set (Chandy, Misra, TOPLAS 1984). Not all the same at
    // first, or they would wait in a circle.
    let behind = Word::latches(&mut system, "behind", N, 1);
    let observer = Observer::new(&mut system, N);
    let aig = system.aig_mut();
    let turn = Word::new((0..N).map(|i| moves.is(aig, i as u64)));
    let mut begins = Vec::new();
    for i in 0..N {
        let (before, after) = ((i + N - 1) % N, (i + 1) % N);
        // A neighbour with both forks is in the way, and so is one that is hungry and goes first.
        let first_after = aig.and(hungry.bit(after), behind.bit(i));
        let first_before = aig.and(hungry.bit(before), !behind.bit(before));
        let in_the_way = aig.or_all([eats.bit(before), eats.bit(after), first_before, first_after]);
        begins.push(aig.and_all([turn.bit(i), hungry.bit(i), !in_the_way]));
    }
    let begins = Word::new(begins);
    let ends = Word::new((0..N).map(|i| aig.and(turn.bit(i), eats.bit(i))));
    let mut next: Vec<[Lit; 3]> = Vec::new();
    for i in 0..N {
        let thinks = aig.and(!hungry.bit(i), !eats.bit(i));
        let gets_hungry = aig.and(turn.bit(i), thinks);
        let stays_hungry = aig.and(hungry.bit(i), !begins.bit(i));
        let stays = aig.and(eats.bit(i), !ends.bit(i));
        // Who has eaten lets both neighbours go first.
        let kept = aig.or(behind.bit(i), ends.bit(i));
        next.push([
            aig.or(gets_hungry, stays_hungry),
            aig.or(stays, begins.bit(i)),
            aig.and(kept, !ends.bit((i + 1) % N)),
        ]);
    }
    let neighbours: Vec<Lit> = (0..N).map(|i| aig.and(eats.bit(i), eats.bit((i + 1) % N))).collect();
    let neighbours = aig.or_all(neighbours);
    for (k, word) in [&hungry, &eats, &behind].into_iter().enumerate() {
        word.set_next(&mut system, &Word::new(next.iter().map(|bits| bits[k])));
    }
    observer.set_next(&mut system, &hungry, &begins);
    system.add_bad("neighbours_eat", neighbours);
    observer.add_properties(&mut system, "starves");
    for i in 0..N {
        add_fairness(&mut system, &format!("moves_{i}"), turn.bit(i));
    }
    let about = "
Three philosophers who are polite: of two neighbours that are hungry one goes first, and who has eaten lets both
neighbours go first from then on. Who goes before whom is never a circle, because who has eaten is behind all others. If
it is everybody's turn again and again, nobody starves.";
    Model::new("philosophers.aag", about, system, [Safe, Holds, Holds, Holds])
}

/// A counter of so many bits that rises when `tick` is true and stays at its highest value. That it rises infinitely often is a justice property,
/// which holds; but the counter rises `2^bits - 1` times, and nothing else in the state tells how often that has been.
pub fn saturation(bits: usize) -> BitSystem {
    let mut system = BitSystem::new();
    let tick = system.add_input("tick");
    let count = Word::latches(&mut system, "count", bits, 0);
    let aig = system.aig_mut();
    let full = aig.and_all(count.bits().iter().copied());
    let rises = aig.and(tick, !full);
    let next = count.count(aig, rises, Lit::FALSE);
    count.set_next(&mut system, &next);
    add_justice(&mut system, "rises_for_ever", [rises]);
    system
}

pub(super) fn saturating_for_good() -> Model {
    let about = "
A counter of sixteen bits that rises with `tick` and stays at its highest value, so it does not rise infinitely often.
It does rise 65535 times: who counts how often a thing can happen counts for long. Who sees that the count, read from
the highest bit down, only ever goes up is done at once.";
    Model::new("saturation.aag", about, saturation(16), [Holds])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{explicit, live};

    fn model(file: &str) -> BitSystem {
        crate::models::all().into_iter().find(|m| m.file == file).unwrap().system
    }

    /// Where a model says that fairness matters, it does.
    #[test]
    fn without_fairness_what_holds_fails() {
        for file in ["starvation.aag", "lossy_channel.aag", "arbiter_fair.aag", "philosophers.aag"] {
            let mut system = model(file);
            assert!(live::check(&system).unwrap().iter().all(|&holds| holds), "{file}");
            // Each of them is needed.
            for i in 0..system.fairness.len() {
                let mut unfair = system.clone();
                unfair.fairness.remove(i);
                assert!(live::check(&unfair).unwrap().contains(&false), "{file} without fairness {i}");
            }
            system.fairness.clear();
            assert!(live::check(&system).unwrap().iter().all(|&holds| !holds), "{file}");
        }
    }

    /// Who goes before whom is never a circle among the polite, and if it were, they would starve.
    #[test]
    fn polite_philosophers_do_not_wait_in_a_circle() {
        let mut system = model("philosophers.aag");
        let is_behind =
            |l: &&indubit_system::Latch| l.name.as_ref().unwrap().to_string().starts_with("behind");
        let behind: Vec<Lit> =
            system.latches().iter().filter(is_behind).map(|l| Lit::positive(l.var)).collect();
        assert_eq!(behind.len(), PHILOSOPHERS);
        let aig = system.aig_mut();
        let circles = [aig.and_all(behind.iter().copied()), aig.and_all(behind.iter().map(|&b| !b))];
        let answers = explicit::reach(&system, circles.to_vec()).unwrap();
        assert!(answers.iter().all(|answer| answer.is_safe()));
        behind.iter().for_each(|&latch| system.set_reset(latch, Lit::TRUE));
        assert_eq!(live::check(&system).unwrap(), [false; PHILOSOPHERS]);
    }

    /// Without the deadlock a philosopher may starve all the same.
    #[test]
    fn a_philosopher_may_starve_without_a_deadlock() {
        let mut system = model("philosophers_deadlock.aag");
        let deadlock = system.justice.pop().unwrap().lits[0];
        system.add_constraint("no_deadlock", !deadlock);
        assert_eq!(live::check(&system).unwrap(), [false; PHILOSOPHERS]);
    }
}
