//! Several parties share one thing: mutual exclusion, rings, arbiters, crossings.

use super::{Expected::Safe, Model, violated};
use crate::Word;
use indubit_logic::Lit;
use indubit_system::BitSystem;

/// Two processes that take turns by a scheduler's choice: inputs `moves` (which one) and `go` (does an idle one
/// ask, does a critical one leave), program counters and flags.
struct TwoProcesses {
    system: BitSystem,
    moves: Lit,
    go: Lit,
    pc: [Word; 2],
    flag: [Lit; 2],
}

impl TwoProcesses {
    fn new() -> TwoProcesses {
        let mut system = BitSystem::new();
        let (moves, go) = (system.add_input("moves"), system.add_input("go"));
        let pc = [0, 1].map(|i| Word::latches(&mut system, &format!("pc{i}"), 2, 0));
        let flag = [0, 1].map(|i| system.add_latch(&format!("flag{i}"), Some(false)));
        TwoProcesses { system, moves, go, pc, flag }
    }
    /// Does process `me` move, and is it at this place of its program?
    fn moves_at(&mut self, me: usize, place: u64) -> Lit {
        let aig = self.system.aig_mut();
        let here = self.pc[me].is(aig, place);
        aig.and(self.moves ^ (me == 0), here)
    }
    /// Process `me` goes to the next place under this condition, from the last one to the first.
    fn advance(&mut self, me: usize, condition: Lit) {
        let pc = self.pc[me].clone();
        let next = pc.count(self.system.aig_mut(), condition, Lit::FALSE);
        pc.set_next(&mut self.system, &next);
    }
    /// Place 3 is the critical section: both there is bad.
    fn finish(mut self) -> BitSystem {
        let aig = self.system.aig_mut();
        let both = [0, 1].map(|i| self.pc[i].is(aig, 3));
        let both = aig.and(both[0], both[1]);
        self.system.add_bad("both_critical", both);
        self.system
    }
}

pub(super) fn peterson() -> Model {
    let mut two = TwoProcesses::new();
    let turn = two.system.add_latch("turn", Some(false));
    let mut next_turn = turn;
    for me in [0, 1] {
        let [idle, raised, waiting, critical] = [0, 1, 2, 3].map(|place| two.moves_at(me, place));
        let (go, flag, others_flag) = (two.go, two.flag[me], two.flag[1 - me]);
        let aig = two.system.aig_mut();
        let asks = aig.and(idle, go);
        let my_turn = turn ^ (me == 0);
        let may_enter = aig.or(!others_flag, my_turn);
        let enters = aig.and(waiting, may_enter);
        let leaves = aig.and(critical, go);
        let moved = aig.or_all([asks, raised, enters, leaves]);
        let kept = aig.and(flag, !leaves);
        let next_flag = aig.or(kept, asks);
        next_turn = aig.ite(raised, Lit::constant(me == 0), next_turn);
        two.system.set_next(flag, next_flag);
        two.advance(me, moved);
    }
    two.system.set_next(turn, next_turn);
    let about = "
Peterson's mutual exclusion of two processes. A process at place 0 of its program (`pc0`, `pc1`) is idle; then it
raises its flag, gives the turn away, waits until the other's flag is down or the turn is its own, and is in the
critical section at place 3. The scheduler (`moves`) chooses who takes the next step. Safe, and the property alone
is not inductive: an invariant must tie flags, turn and places together.";
    Model::new("peterson.aag", about, two.finish(), [Safe])
}

pub(super) fn mutex_broken() -> Model {
    let mut two = TwoProcesses::new();
    for me in [0, 1] {
        let [idle, tests, sets, critical] = [0, 1, 2, 3].map(|place| two.moves_at(me, place));
        let (go, flag, others_flag) = (two.go, two.flag[me], two.flag[1 - me]);
        let aig = two.system.aig_mut();
        let asks = aig.and(idle, go);
        let passes = aig.and(tests, !others_flag);
        let leaves = aig.and(critical, go);
        let moved = aig.or_all([asks, passes, sets, leaves]);
        let kept = aig.and(flag, !leaves);
        let next_flag = aig.or(kept, sets);
        two.system.set_next(flag, next_flag);
        two.advance(me, moved);
    }
    let about = "
A mutual exclusion that does not exclude: a process first tests the other's flag (place 1) and raises its own one
step later (place 2). Both can pass the test before either has raised its flag. The counterexample shows the race.";
    Model::new("mutex_broken.aag", about, two.finish(), [violated(6)])
}

pub(super) fn token_ring() -> Model {
    const N: usize = 3;
    let mut system = BitSystem::new();
    let request = Word::inputs(&mut system, "request", N);
    let done = system.add_input("done");
    let token = Word::latches(&mut system, "token", N, 1);
    let busy = Word::latches(&mut system, "busy", N, 0);
    let aig = system.aig_mut();
    let starts: Vec<Lit> = (0..N)
        .map(|i| {
            let idle = aig.and(token.bit(i), !busy.bit(i));
            aig.and(idle, request.bit(i))
        })
        .collect();
    let passes: Vec<Lit> =
        (0..N).map(|i| aig.and_all([token.bit(i), !busy.bit(i), !request.bit(i)])).collect();
    let next_token = Word::new((0..N).map(|i| {
        let kept = aig.and(token.bit(i), !passes[i]);
        aig.or(kept, passes[(i + N - 1) % N])
    }));
    let next_busy = Word::new((0..N).map(|i| {
        let goes_on = aig.and(busy.bit(i), !done);
        aig.or(goes_on, starts[i])
    }));
    let two = busy.has_two(aig);
    token.set_next(&mut system, &next_token);
    busy.set_next(&mut system, &next_busy);
    system.add_bad("two_busy", two);
    let about = "
A ring of three stations and one token. The station with the token begins to work if it has a request, and passes
the token on if it has none; a busy station keeps it until it is done. Never are two stations busy. The invariant
is short and says why: there is only one token, and while a station is busy no other one has it.";
    Model::new("token_ring.aag", about, system, [Safe])
}

/// Who of the requesting clients comes first, counting round from the client with priority.
pub(super) fn round_robin(system: &mut BitSystem, request: &Word, priority: &[Lit]) -> Word {
    let (n, aig) = (request.width(), system.aig_mut());
    Word::new((0..n).map(|i| {
        let from = (0..n).map(|start| {
            let before = (0..n).map(|k| (start + k) % n).take_while(|&j| j != i);
            let nobody_before: Vec<Lit> = before.map(|j| !request.bit(j)).collect();
            let nobody_before = aig.and_all(nobody_before);
            aig.and(priority[start], nobody_before)
        });
        let from: Vec<Lit> = from.collect();
        let first = aig.or_all(from);
        aig.and(request.bit(i), first)
    }))
}

pub(super) fn arbiter() -> Model {
    const N: usize = 4;
    let mut system = BitSystem::new();
    let request = Word::inputs(&mut system, "req", N);
    let grant = Word::latches(&mut system, "gnt", N, 0);
    let priority = Word::latches(&mut system, "priority", N, 1);
    let asked = system.add_latch("asked", Some(false));
    let winner = round_robin(&mut system, &request, priority.bits());
    let aig = system.aig_mut();
    let some = request.any(aig);
    let rotated = Word::new((0..N).map(|i| winner.bit((i + N - 1) % N)));
    let next_priority = priority.when(aig, some, &rotated);
    let nobody = grant.any(aig);
    let ignored = aig.and(asked, !nobody);
    let pairs: Vec<(usize, usize, Lit)> = (0..N)
        .flat_map(|i| (i + 1..N).map(move |j| (i, j)))
        .map(|(i, j)| (i, j, aig.and(grant.bit(i), grant.bit(j))))
        .collect();
    grant.set_next(&mut system, &winner);
    priority.set_next(&mut system, &next_priority);
    system.set_next(asked, some);
    for (i, j, both) in pairs {
        system.add_bad(&format!("grants_{i}_and_{j}"), both);
    }
    system.add_bad("request_ignored", ignored);
    let about = "
A round-robin arbiter for four clients. `priority` has one bit set: who is served first if he asks; after a grant
it moves to the next client. Six properties say that no two clients are granted at once, one for each pair, and a
seventh that a request is never ignored. All hold because `priority` keeps exactly one bit, which none of them says.";
    Model::new("arbiter.aag", about, system, [Safe; 7])
}

pub(super) fn arbiter_bug() -> Model {
    const N: usize = 3;
    let mut system = BitSystem::new();
    let request = Word::inputs(&mut system, "req", N);
    let lock = system.add_input("lock");
    let grant = Word::latches(&mut system, "gnt", N, 0);
    let turn = Word::latches(&mut system, "turn", 2, 0);
    let timer = Word::latches(&mut system, "timer", 2, 0);
    let priority = [0, 1, 2].map(|i| turn.is(system.aig_mut(), i));
    let winner = round_robin(&mut system, &request, &priority);
    let aig = system.aig_mut();
    let granted = grant.any(aig);
    let locked = aig.and(lock, granted);
    let expired = timer.is(aig, 3);
    let holds = aig.and(locked, !expired);
    // The bug: when the lock expires, the new grant is added to the old one instead of replacing it.
    let times_out = aig.and(locked, expired);
    let both = Word::new(grant.bits().iter().zip(winner.bits()).map(|(&a, &b)| aig.or(a, b)));
    let next_grant = winner.when(aig, times_out, &both).when(aig, holds, &grant);
    let counted = timer.plus(aig, 1);
    let next_timer = Word::constant(2, 0).when(aig, holds, &counted);
    let after_winner = Word::constant(2, 0).when(aig, winner.bit(0), &Word::constant(2, 1));
    let after_winner = after_winner.when(aig, winner.bit(1), &Word::constant(2, 2));
    let served = winner.any(aig);
    let serves = aig.and(served, !holds);
    let next_turn = turn.when(aig, serves, &after_winner);
    let two = grant.has_two(aig);
    let off = turn.is(aig, 3);
    grant.set_next(&mut system, &next_grant);
    timer.set_next(&mut system, &next_timer);
    turn.set_next(&mut system, &next_turn);
    system.add_bad("two_grants", two);
    system.add_bad("turn_out_of_range", off);
    let about = "
A round-robin arbiter for three clients with a lock: while `lock` is up, the client that has the grant keeps it, but
for at most three more steps (`timer`). The bug is in the rare case: when the lock expires, the next client's grant
is added to the old one instead of replacing it. A shortest counterexample has five steps and tells the story: a
request, a grant, a lock that runs into its timer, and another client that asks at just that moment.";
    Model::new("arbiter_bug.aag", about, system, [violated(5), Safe])
}

pub(super) fn traffic_light() -> Model {
    let mut system = BitSystem::new();
    let car = ["car_ns", "car_ew"].map(|name| system.add_input(name));
    let phase = Word::latches(&mut system, "phase", 2, 0);
    let timer = Word::latches(&mut system, "timer", 3, 0);
    let lights = ["ns_green", "ns_yellow", "ew_green", "ew_yellow"];
    let lights: Vec<Lit> =
        lights.iter().enumerate().map(|(i, name)| system.add_latch(name, Some(i == 0))).collect();
    let aig = system.aig_mut();
    let yellow = phase.bit(0);
    // Green stays for four ticks at least and until somebody waits on the other road, yellow for two ticks.
    let other_waits = aig.ite(phase.bit(1), car[0], car[1]);
    let (two, four) = (timer.is(aig, 1), timer.is(aig, 4));
    let green_ends = aig.and(four, other_waits);
    let ends = aig.ite(yellow, two, green_ends);
    let next_phase = phase.count(aig, ends, Lit::FALSE);
    let ticking = timer.count(aig, !four, Lit::FALSE);
    let next_timer = ticking.when(aig, ends, &Word::constant(3, 0));
    let next_lights = [0, 1, 2, 3].map(|i| next_phase.is(aig, i));
    let go = [0, 2].map(|i| aig.or(lights[i], lights[i + 1]));
    let collision = aig.and(go[0], go[1]);
    let dark = aig.and(!go[0], !go[1]);
    let overrun = timer.exceeds(aig, 4);
    phase.set_next(&mut system, &next_phase);
    timer.set_next(&mut system, &next_timer);
    for (light, next) in lights.into_iter().zip(next_lights) {
        system.set_next(light, next);
    }
    system.add_bad("both_roads_open", collision);
    system.add_bad("all_dark", dark);
    system.add_bad("timer_overrun", overrun);
    let about = "
Traffic lights at a crossing of two roads. Green lasts at least four ticks and until a car waits on the other road,
yellow lasts two. The lamps are registers of their own, driven by the phase. Never are both roads open, never are
all lamps dark, and the timer never runs past four.";
    Model::new("traffic_light.aag", about, system, [Safe; 3])
}
