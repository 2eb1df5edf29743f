//! What is known of an operator: lists of steps that were found, from which sets, choices and ranks are made.

use indubit_aig::Aig;
use indubit_logic::Lit;
use indubit_system::{Choice, SharedFacts, Stuck};

/// A set of states from which a step with these inputs goes on.
pub(super) struct Entry {
    pub cube: Vec<Lit>,
    pub inputs: Vec<bool>,
}

/// Steps that stay where `EG` holds: a lasso, or a path to what was found before.
pub(super) struct Group {
    /// One a step.
    pub entries: Vec<Entry>,
    /// Where the loop begins, and the step of the loop in which each signal is seen; a path has none.
    pub around: Option<(usize, Vec<usize>)>,
}

/// What is known of an operator.
pub(super) struct Known {
    /// It holds in these states; of `EU` where its goal does, too.
    pub yes: Lit,
    /// It does not in these.
    pub no: Lit,
    /// How `EX` and `EU` go on: of `EU` each leads to the goal, or to those before it.
    pub entries: Vec<Entry>,
    /// How `EG` goes on.
    pub groups: Vec<Group>,
    /// Why `EG` does not hold.
    pub stuck: Vec<Stuck>,
    /// Do goals of `EU` that are a step away have to be decided state by state?
    pub is_step_by_step: bool,
    /// Have paths at random been tried?
    pub has_strolled: bool,
    /// What rests at the end of each run in which `EG` could hold. That stays so when fewer states are left.
    pub facts: SharedFacts,
}

impl Known {
    pub fn nothing() -> Known {
        Known {
            yes: Lit::FALSE,
            no: Lit::FALSE,
            entries: Vec::new(),
            groups: Vec::new(),
            stuck: Vec::new(),
            is_step_by_step: false,
            has_strolled: false,
            facts: SharedFacts::default(),
        }
    }
    /// How it goes on to see a signal: the first entry that a state is in counts, and leads to one before it, or sees the signal.
    fn towards(&self, signal: usize) -> Vec<&Entry> {
        let mut order = Vec::new();
        for group in &self.groups {
            let begin = match &group.around {
                Some((begin, sees)) => {
                    let length = group.entries.len() - begin;
                    // From the step that sees it backwards around the loop.
                    let back = (0..length).map(|i| begin + (sees[signal] - begin + length - i) % length);
                    order.extend(back.map(|k| &group.entries[k]));
                    *begin
                }
                None => group.entries.len(),
            };
            order.extend(group.entries[..begin].iter().rev());
        }
        order
    }
    /// The choices where it holds, of which there is one for each signal if there are groups.
    pub fn choices(&self, n_signals: usize, n_inputs: usize, is_ranked: bool, aig: &mut Aig) -> Vec<Choice> {
        if !self.groups.is_empty() {
            return (0..n_signals).map(|j| choice(&self.towards(j), n_inputs, true, aig)).collect();
        }
        vec![choice(&self.entries.iter().collect::<Vec<_>>(), n_inputs, is_ranked, aig)]
    }
}

/// In each state the inputs, and the position, of the first entry that it is in.
fn choice(entries: &[&Entry], n_inputs: usize, is_ranked: bool, aig: &mut Aig) -> Choice {
    // Where the goal is reached, the number is 0.
    let n_digits = if is_ranked { (usize::BITS - entries.len().leading_zeros()) as usize } else { 0 };
    let mut inputs = vec![Lit::FALSE; n_inputs];
    let mut rank = vec![Lit::FALSE; n_digits];
    for (i, entry) in entries.iter().enumerate().rev() {
        let here = aig.and_all(entry.cube.iter().copied());
        let mut put = |place: &mut Lit, value: bool| {
            *place = if value { aig.or(here, *place) } else { aig.and(!here, *place) };
        };
        for (place, &value) in inputs.iter_mut().zip(&entry.inputs) {
            put(place, value);
        }
        for (digit, place) in rank.iter_mut().enumerate() {
            put(place, (i + 1) >> digit & 1 == 1);
        }
    }
    Choice { inputs, rank }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_a_loop_the_step_that_sees_comes_first() {
        let entry = |i: usize| Entry { cube: Vec::new(), inputs: vec![i & 1 == 1, i & 2 == 2, i & 4 == 4] };
        let mut known = Known::nothing();
        // A stem of one step, and a loop of three; signal 0 is seen in step 2, signal 1 in step 1.
        known.groups.push(Group { entries: (0..4).map(entry).collect(), around: Some((1, vec![2, 1])) });
        let steps = |signal| -> Vec<usize> {
            let number = |e: &&Entry| e.inputs.iter().rev().fold(0, |n, &b| 2 * n + usize::from(b));
            known.towards(signal).iter().map(number).collect()
        };
        assert_eq!((steps(0), steps(1)), (vec![2, 1, 3, 0], vec![1, 3, 2, 0]));
    }

    #[test]
    fn the_first_entry_counts() {
        let mut aig = Aig::new();
        let (a, b) = (aig.leaf(), aig.leaf());
        let entries =
            [Entry { cube: vec![a], inputs: vec![true] }, Entry { cube: vec![b], inputs: vec![false] }];
        let choice = choice(&entries.iter().collect::<Vec<_>>(), 1, true, &mut aig);
        assert_eq!(choice.inputs, [a]);
        // 1 where `a` holds, 2 where only `b` does.
        assert_eq!(choice.rank[0], a);
        let only_b = aig.and(!a, b);
        assert_eq!(choice.rank[1], only_b);
    }
}
