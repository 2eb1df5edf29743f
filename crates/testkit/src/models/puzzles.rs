//! Puzzles: the counterexample is the solution.

use super::{Model, violated};
use crate::Word;
use indubit_logic::Lit;
use indubit_system::BitSystem;

pub(super) fn jugs() -> Model {
    let mut system = BitSystem::new();
    // What happens in a step is an input, what the jugs hold is the state.
    let action = Word::inputs(&mut system, "action", 3);
    let small = Word::latches(&mut system, "small", 2, 0);
    let big = Word::latches(&mut system, "big", 3, 0);

    // Pouring moves as much as fits: the sum stays the same.
    let aig = system.aig_mut();
    let sum = small.widen(4).add(aig, &big.widen(4), Lit::FALSE);
    let fills_big = sum.exceeds(aig, 5);
    let big_after = sum.when(aig, fills_big, &Word::constant(4, 5));
    let small_rest = sum.sub(aig, &big_after);
    let fills_small = sum.exceeds(aig, 3);
    let small_after = sum.when(aig, fills_small, &Word::constant(4, 3));
    let big_rest = sum.sub(aig, &small_after);

    // One action at a time; 0 and 7 do nothing.
    let actions: [(u64, Word, Word); 6] = [
        (1, Word::constant(2, 3), big.clone()),
        (2, small.clone(), Word::constant(3, 5)),
        (3, Word::constant(2, 0), big.clone()),
        (4, small.clone(), Word::constant(3, 0)),
        (5, small_rest.low(2), big_after.low(3)),
        (6, small_after.low(2), big_rest.low(3)),
    ];
    let (mut next_small, mut next_big) = (small.clone(), big.clone());
    for (code, small, big) in actions {
        let chosen = action.is(aig, code);
        next_small = next_small.when(aig, chosen, &small);
        next_big = next_big.when(aig, chosen, &big);
    }
    let four = big.is(aig, 4);
    small.set_next(&mut system, &next_small);
    big.set_next(&mut system, &next_big);
    system.add_bad("four_in_the_big_jug", four);
    let about = "
Two jugs that hold three and five units, a tap and a sink. An action fills a jug (1 small, 2 big), empties it (3, 4), or
pours all that fits into the other one (5 small to big, 6 big to small). Is there a way to measure four units? The
\"bad\" state is the goal, so the counterexample is the recipe: six actions.";
    Model::new("jugs.aag", about, system, [violated(6)])
}

pub(super) fn river() -> Model {
    let mut system = BitSystem::new();
    let cargo = Word::inputs(&mut system, "cargo", 2);
    let farmer = system.add_latch("farmer", Some(false));
    let others = ["wolf", "goat", "cabbage"].map(|name| system.add_latch(name, Some(false)));
    let [wolf, goat, cabbage] = others;
    let aig = system.aig_mut();
    let next = [0, 1, 2].map(|i| {
        let chosen = cargo.is(aig, i as u64 + 1);
        let same_bank = aig.iff(others[i], farmer);
        let crosses = aig.and(chosen, same_bank);
        aig.xor(others[i], crosses)
    });
    let alone = aig.xor(goat, farmer);
    let [with_wolf, with_cabbage] = [wolf, cabbage].map(|other| aig.iff(goat, other));
    let company = aig.or(with_wolf, with_cabbage);
    let eaten = aig.and(alone, company);
    let across = aig.and_all([farmer, wolf, goat, cabbage]);
    system.set_next(farmer, !farmer);
    for (item, next) in others.into_iter().zip(next) {
        system.set_next(item, next);
    }
    system.add_bad("all_across", across);
    system.add_constraint("nothing_is_eaten", !eaten);
    let about = "
A farmer has to take a wolf, a goat and a cabbage over a river, in a boat that carries one of them (`cargo`: 0 none, 1
wolf, 2 goat, 3 cabbage). Left alone, the wolf eats the goat and the goat the cabbage. That nothing is eaten is a
constraint and has to hold in every step up to the last; the \"bad\" state is the goal. Seven crossings.";
    Model::new("river.aag", about, system, [violated(7)])
}
