//! Counters, registers and sums.

use super::{Expected::Safe, Model, violated};
use crate::Word;
use indubit_logic::Lit;
use indubit_system::BitSystem;

pub(super) fn saturating_counter() -> Model {
    let mut system = BitSystem::new();
    let (up, down) = (system.add_input("up"), system.add_input("down"));
    let count = Word::latches(&mut system, "count", 4, 0);
    let aig = system.aig_mut();
    let (top, bottom) = (count.is(aig, 12), count.is(aig, 0));
    let (rises, falls) = (aig.and_all([up, !down, !top]), aig.and_all([down, !up, !bottom]));
    let next = count.count(aig, rises, falls);
    let above = count.exceeds(aig, 12);
    count.set_next(&mut system, &next);
    system.add_bad("above_twelve", above);
    system.add_bad("full", top);
    let about = "
A counter that goes up and down and stays between 0 and 12. It never exceeds 12, which is inductive as it stands; it
does reach 12, after twelve steps up and not earlier.";
    Model::new("saturating_counter.aag", about, system, [Safe, violated(12)])
}

pub(super) fn slow_counter() -> Model {
    let mut system = BitSystem::new();
    let tick = system.add_input("tick");
    let count = Word::latches(&mut system, "count", 4, 0);
    let ticked = system.add_latch("ticked", Some(false));
    let aig = system.aig_mut();
    let next = count.count(aig, tick, Lit::FALSE);
    let thirteen = count.is(aig, 13);
    let rest = !aig.and(tick, ticked);
    count.set_next(&mut system, &next);
    system.set_next(ticked, tick);
    system.add_bad("thirteen", thirteen);
    system.add_constraint("rests_after_a_tick", rest);
    let about = "
A counter under a constraint: never two ticks in a row. It reaches thirteen all the same, but only after twenty-five
steps instead of thirteen: a deep counterexample for so small a model.";
    Model::new("slow_counter.aag", about, system, [violated(25)])
}

pub(super) fn gray_counter() -> Model {
    let mut system = BitSystem::new();
    let step = system.add_input("step");
    let binary = Word::latches(&mut system, "binary", 4, 0);
    let gray = Word::latches(&mut system, "gray", 4, 0);
    let last = Word::latches(&mut system, "last", 4, 0);
    let aig = system.aig_mut();
    let next = binary.count(aig, step, Lit::FALSE);
    let halved = Word::new(next.bits()[1..].iter().copied().chain([Lit::FALSE]));
    let next_gray = next.xor(aig, &halved);
    let changed = gray.xor(aig, &last);
    let jump = changed.has_two(aig);
    binary.set_next(&mut system, &next);
    gray.set_next(&mut system, &next_gray);
    last.set_next(&mut system, &gray);
    system.add_bad("two_bits_change", jump);
    let about = "
A counter whose value is also kept in Gray code. From one step to the next at most one bit of the Gray code changes.
The property is not inductive, since it does not say that the registers belong together; but two good steps in a
row make them so: it is 2-inductive. In the binary format.";
    Model::new("gray_counter.aig", about, system, [Safe])
}

pub(super) fn lfsr() -> Model {
    let mut system = BitSystem::new();
    let state = Word::latches(&mut system, "state", 5, 1);
    let zeros = Word::latches(&mut system, "zeros", 3, 0);
    let aig = system.aig_mut();
    let out = state.bit(4);
    let feedback = aig.xor(out, state.bit(2));
    let shifted = Word::new([feedback].into_iter().chain(state.bits()[..4].iter().copied()));
    let enough = zeros.is(aig, 7);
    let counted = zeros.count(aig, !enough, Lit::FALSE);
    let next_zeros = counted.when(aig, out, &Word::constant(3, 0));
    let stuck = !state.any(aig);
    let long = zeros.exceeds(aig, 4);
    state.set_next(&mut system, &shifted);
    zeros.set_next(&mut system, &next_zeros);
    system.add_bad("stuck_at_zero", stuck);
    system.add_bad("five_zeros", long);
    let about = "
A linear feedback shift register of five bits (x^5 + x^3 + 1) and a counter of the zeros that came out in a row. The
register never becomes zero, which is inductive. So there are never five zeros in a row either, and that takes
k-induction or a proper invariant: the counter has to be tied to the register.";
    Model::new("lfsr.aag", about, system, [Safe, Safe])
}

pub(super) fn stalled_shift() -> Model {
    let mut system = BitSystem::new();
    let (toggle, hold) = (system.add_input("toggle"), system.add_input("hold"));
    let (left, right) = (system.add_latch("left", Some(false)), system.add_latch("right", Some(true)));
    let stage = Word::latches(&mut system, "stage", 3, 0);
    let aig = system.aig_mut();
    let next_left = aig.xor(left, toggle);
    let next_right = aig.xor(right, toggle);
    let enters = aig.and(left, right);
    let shifted = Word::new([enters, stage.bit(0), stage.bit(1)]);
    let next = shifted.when(aig, hold, &stage);
    system.set_next(left, next_left);
    system.set_next(right, next_right);
    stage.set_next(&mut system, &next);
    system.add_bad("comes_out", stage.bit(2));
    let about = "
Two switches that are thrown together, one up and one down, so never both up; and a shift register that would be fed
if they were. Nothing comes out. Plain k-induction never proves it: an unreachable state with something in the
register can be held for any number of steps before it comes out. With paths that do not repeat a state it succeeds,
and so does an invariant.";
    Model::new("stalled_shift.aag", about, system, [Safe])
}

/// The sum of two's complement numbers, or the largest or smallest number if it does not fit.
fn saturating_sum(system: &mut BitSystem, a: &Word, b: &Word) -> Word {
    let (width, aig) = (a.width(), system.aig_mut());
    let (a, b) = (a.widen_signed(width + 1), b.widen_signed(width + 1));
    let sum = a.add(aig, &b, Lit::FALSE);
    let (sign, top) = (sum.bit(width), sum.bit(width - 1));
    let overflow = aig.xor(sign, top);
    let limit = Word::new((1..width).map(|_| !sign).chain([sign]));
    sum.low(width).when(aig, overflow, &limit)
}

/// The loop `x, y := x + summand, y + x`, while `go` is given; bad if y is below one.
fn sums(summand: impl FnOnce(&Word) -> Word) -> BitSystem {
    let mut system = BitSystem::new();
    let go = system.add_input("go");
    let x = Word::latches(&mut system, "x", 4, 1);
    let y = Word::latches(&mut system, "y", 4, 1);
    let summand = summand(&y);
    let (next_x, next_y) = (saturating_sum(&mut system, &x, &summand), saturating_sum(&mut system, &y, &x));
    let aig = system.aig_mut();
    let (next_x, next_y) = (x.when(aig, go, &next_x), y.when(aig, go, &next_y));
    let positive = y.any(aig);
    let positive = aig.and(positive, !y.bit(3));
    x.set_next(&mut system, &next_x);
    y.set_next(&mut system, &next_y);
    system.add_bad("y_below_one", !positive);
    system
}

pub(super) fn running_sum() -> Model {
    let about = "
The loop `x, y := x + 1, y + x` from x = y = 1, in two's complement of four bits with saturation: y never drops below
one. The property is not inductive, because it says nothing about x; with the lemma that x is not negative it is. The
textbook example of an incremental proof.";
    Model::new("running_sum.aag", about, sums(|_| Word::constant(4, 1)), [Safe])
}

pub(super) fn coupled_sums() -> Model {
    let about = "
The loop `x, y := x + y, y + x`, otherwise like the one before. Now that x is not negative is not inductive either: it
needs the property as much as the property needs it. The textbook example of what an incremental proof without the
property cannot do.";
    Model::new("coupled_sums.aag", about, sums(Word::clone), [Safe])
}
