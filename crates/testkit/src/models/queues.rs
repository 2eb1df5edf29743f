//! Data on its way: queues, protocols, flow control.

use super::{Expected::Safe, Model, violated};
use crate::Word;
use indubit_logic::Lit;
use indubit_system::BitSystem;

const CAPACITY: usize = 4;

/// A queue of four bits with pointers and a count, which takes no more items once the count is `full_at`; and an
/// observer that picks one item on its way in and checks it on its way out.
fn queue(full_at: u64) -> BitSystem {
    let mut system = BitSystem::new();
    let [push, pop, data, watch] = ["push", "pop", "data", "watch"].map(|name| system.add_input(name));
    let memory = Word::latches(&mut system, "memory", CAPACITY, 0);
    let write = Word::latches(&mut system, "write", 2, 0);
    let read = Word::latches(&mut system, "read", 2, 0);
    let count = Word::latches(&mut system, "count", 3, 0);
    let watching = system.add_latch("watching", Some(false));
    let value = system.add_latch("value", Some(false));
    let ahead = Word::latches(&mut system, "ahead", 3, 0);
    let aig = system.aig_mut();

    let (full, empty) = (count.is(aig, full_at), count.is(aig, 0));
    let (pushes, pops) = (aig.and(push, !full), aig.and(pop, !empty));
    let next_memory = Word::new((0..CAPACITY).map(|i| {
        let here = write.is(aig, i as u64);
        let stores = aig.and(pushes, here);
        aig.ite(stores, data, memory.bit(i))
    }));
    let next_write = write.count(aig, pushes, Lit::FALSE);
    let next_read = read.count(aig, pops, Lit::FALSE);
    let next_count = count.count(aig, pushes, pops);
    let front: Vec<Lit> = (0..CAPACITY)
        .map(|i| {
            let here = read.is(aig, i as u64);
            aig.and(here, memory.bit(i))
        })
        .collect();
    let front = aig.or_all(front);

    // The observed item has `ahead` others before it.
    let picks = aig.and_all([pushes, watch, !watching]);
    let is_first = ahead.is(aig, 0);
    let leaves = aig.and_all([watching, pops, is_first]);
    let stays = aig.and(watching, !leaves);
    let next_watching = aig.or(stays, picks);
    let next_value = aig.ite(picks, data, value);
    let before_it = count.count(aig, Lit::FALSE, pops);
    let moves_up = aig.and(watching, pops);
    let next_ahead = ahead.count(aig, Lit::FALSE, moves_up).when(aig, picks, &before_it);

    let overflow = count.exceeds(aig, CAPACITY as u64);
    let distance = write.sub(aig, &read);
    let agree = distance.equals(aig, &count.low(2));
    let differs = aig.xor(front, value);
    let corrupted = aig.and(leaves, differs);
    memory.set_next(&mut system, &next_memory);
    write.set_next(&mut system, &next_write);
    read.set_next(&mut system, &next_read);
    count.set_next(&mut system, &next_count);
    ahead.set_next(&mut system, &next_ahead);
    system.set_next(watching, next_watching);
    system.set_next(value, next_value);
    system.add_bad("overflow", overflow);
    system.add_bad("pointers_disagree", !agree);
    system.add_bad("corrupted", corrupted);
    system
}

pub(super) fn fifo() -> Model {
    let about = "
A first-in-first-out queue for four bits, with a read pointer, a write pointer and a count. The count never exceeds
four and always agrees with the pointers. An observer picks any one item on its way in (`watch`), counts how many
are ahead of it, and checks on its way out that it is the same bit. All safe; the last one needs an invariant that
says where in the memory the observed item is.";
    Model::new("fifo.aag", about, queue(CAPACITY as u64), [Safe; 3])
}

pub(super) fn fifo_bug() -> Model {
    let about = "
The same queue with the classical mistake: it believes to be full at five items instead of four. The fifth item
overwrites the first: the count overflows after five pushes, and a watched item can come out as another one. The
pointers still agree with the count, modulo four.";
    let expected = [violated(5), Safe, violated(5)];
    Model::new("fifo_bug.aag", about, queue(CAPACITY as u64 + 1), expected)
}

pub(super) fn alternating_bit() -> Model {
    let mut system = BitSystem::new();
    let action = Word::inputs(&mut system, "action", 3);
    let data = system.add_input("data");
    let latch = |system: &mut BitSystem, name: &str| system.add_latch(name, Some(false));
    let [sender_bit, sender_data] = ["sender_bit", "sender_data"].map(|n| latch(&mut system, n));
    let [message, message_bit, message_data] =
        ["message", "message_bit", "message_data"].map(|n| latch(&mut system, n));
    let [ack, ack_bit] = ["ack", "ack_bit"].map(|n| latch(&mut system, n));
    let [receiver_bit, delivered] = ["receiver_bit", "delivered"].map(|n| latch(&mut system, n));
    let aig = system.aig_mut();
    let [sends, loses_message, receives, receives_copy, loses_ack, takes_ack] =
        [0, 1, 2, 3, 4, 5].map(|i| action.is(aig, i));

    // The receiver accepts a message with the bit it waits for, and acknowledges whatever comes.
    let arrives = aig.or(receives, receives_copy);
    let arrives = aig.and(arrives, message);
    let expected = aig.iff(message_bit, receiver_bit);
    let accepts = aig.and(arrives, expected);
    // The sender goes on to the next message once its own bit is acknowledged.
    let comes_back = aig.and(takes_ack, ack);
    let acknowledged = aig.iff(ack_bit, sender_bit);
    let goes_on = aig.and(comes_back, acknowledged);

    let gone = aig.or(loses_message, receives);
    let stays = aig.and(message, !gone);
    let next = [
        (sender_bit, aig.xor(sender_bit, goes_on)),
        (sender_data, aig.ite(goes_on, data, sender_data)),
        (message, aig.or(stays, sends)),
        (message_bit, aig.ite(sends, sender_bit, message_bit)),
        (message_data, aig.ite(sends, sender_data, message_data)),
        (ack, {
            let gone = aig.or(loses_ack, takes_ack);
            let stays = aig.and(ack, !gone);
            aig.or(stays, arrives)
        }),
        (ack_bit, aig.ite(arrives, message_bit, ack_bit)),
        (receiver_bit, aig.xor(receiver_bit, accepts)),
        (delivered, {
            let still = aig.and(delivered, !goes_on);
            aig.or(still, accepts)
        }),
    ];
    let twice = aig.and(accepts, delivered);
    let differs = aig.xor(message_data, sender_data);
    let wrong = aig.and(accepts, differs);
    let never = aig.and(goes_on, !delivered);
    for (latch, next) in next {
        system.set_next(latch, next);
    }
    system.add_bad("delivered_twice", twice);
    system.add_bad("wrong_data", wrong);
    system.add_bad("lost", never);
    let about = "
The alternating-bit protocol over channels that hold one message and one acknowledgement, lose them and deliver
copies. `action` chooses what happens next: send, lose the message, receive it, receive it and leave a copy, lose
the acknowledgement, take it. `delivered` is an observer: has the sender's current message been accepted? Nothing
is delivered twice, nothing is wrong, nothing is lost. In the binary format.";
    Model::new("alternating_bit.aig", about, system, [Safe; 3])
}

pub(super) fn credits() -> Model {
    let mut system = BitSystem::new();
    let (send, ack) = (system.add_input("send"), system.add_input("ack"));
    let credits = Word::latches(&mut system, "credits", 3, 4);
    let in_flight = Word::latches(&mut system, "in_flight", 3, 0);
    let aig = system.aig_mut();
    let (broke, nothing) = (credits.is(aig, 0), in_flight.is(aig, 0));
    let polite = aig.implies(send, !broke);
    let honest = aig.implies(ack, !nothing);
    let next_credits = credits.count(aig, ack, send);
    let next_in_flight = in_flight.count(aig, send, ack);
    let overflow = [&credits, &in_flight].map(|w| w.exceeds(aig, 4));
    let overflow = aig.or(overflow[0], overflow[1]);
    let total = credits.add(aig, &in_flight, Lit::FALSE);
    let conserved = total.is(aig, 4);
    credits.set_next(&mut system, &next_credits);
    in_flight.set_next(&mut system, &next_in_flight);
    system.add_bad("overflow", overflow);
    system.add_bad("credit_lost", !conserved);
    system.add_constraint("sends_only_with_credit", polite);
    system.add_constraint("acks_only_what_is_in_flight", honest);
    let about = "
Flow control by credits: a sender has four, spends one for each packet and gets it back with the acknowledgement.
Two constraints describe the environment: nothing is sent without a credit, nothing is acknowledged that is not in
flight. Neither counter exceeds four, but only because of the constraints: without them an acknowledgement out of
nowhere makes a counter wrap round in the first step.";
    Model::new("credits.aag", about, system, [Safe; 2])
}
