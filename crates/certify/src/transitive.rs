//! Is a relation between states transitive, whatever the states are? A look along its circuit, without a solver.
//!
//! `Q(x, y)` is a circuit over the first state in which placeholders have values of the second one. With three states there are three copies of it:
//! `Q(t, s)`, `Q(s, u)` and `Q(t, u)`. Each gate is *carried* if it is true in the third whenever it is in the other two, and its negation is carried if the same is so
//! with false. The relation is transitive if its root is carried.
//!
//! Gates are looked at from the leaves to the root. Signals that do not look at the second state have the same value in the first and the third copy, and
//! placeholders in the second and the third, so these are carried. For any other gate a few levels of the circuit below it are evaluated in all three copies, for all
//! values of what is below, as far as they respect what is carried there. Comparisons are chains of such gates, and so a comparison of thousands of bits takes no
//! more than that many small tables, where a solver has to find its way along the chain (measured on 4,096 predicates: 0.4 s, and 3 to 80 s with CaDiCaL).
//!
//! If the answer is no, that means nothing: the relation may be transitive for another reason.

use indubit_aig::{Aig, Cone};
use indubit_logic::{Lit, Var};

/// Tables have at most `2^WIDEST` rows.
const WIDEST: usize = 12;

/// How many levels of the circuit are looked at.
const DEPTHS: [usize; 3] = [2, 3, 4];

/// Larger relations are left to a solver.
const MOST_GATES: usize = 200_000;

/// The copies `(t, s)`, `(s, u)`, `(t, u)`, by the first and the second state: 0 is `s`, 1 is `t`, 2 is `u`.
const COPIES: [(u8, u8); 3] = [(1, 0), (0, 2), (1, 2)];

/// Is `root` transitive, if each pair is what is asked about the second state and what stands for it in `aig`?
pub(crate) fn holds(aig: &Aig, interventions: &[(Lit, Lit)], root: Lit) -> bool {
    let n_vars = aig.n_vars();
    let mut sweep = Sweep {
        aig,
        second: vec![None; n_vars],
        is_relation: vec![false; n_vars],
        carried: vec![[true; 2]; n_vars],
    };
    for &(asked, placeholder) in interventions {
        sweep.second[placeholder.var().index()] = Some(asked ^ placeholder.is_negated());
        sweep.is_relation[placeholder.var().index()] = true;
    }
    let mut cone = Cone::new();
    let gates = cone.collect(aig, [root]);
    let mut n_gates = 0;
    for &gate in gates {
        let Some([a, b]) = aig.fanins(gate).filter(|_| sweep.second[gate.index()].is_none()) else {
            continue;
        };
        if sweep.is_relation[a.var().index()] || sweep.is_relation[b.var().index()] {
            sweep.is_relation[gate.index()] = true;
            sweep.carried[gate.index()] = [false; 2];
            sweep.carried[gate.index()] = [false, true].map(|negated| sweep.is_carried(gate.lit(negated)));
            n_gates += 1;
        }
        if n_gates > MOST_GATES {
            return false;
        }
    }
    sweep.carried[root.var().index()][usize::from(root.is_negated())]
}

struct Sweep<'a> {
    aig: &'a Aig,
    /// What a placeholder stands for.
    second: Vec<Option<Lit>>,
    /// Does the node look at the second state?
    is_relation: Vec<bool>,
    /// Is the node carried, and its negation?
    carried: Vec<[bool; 2]>,
}

/// A value in a table: what a signal is in one state, or what a gate of the relation is in one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    InState(Var, u8),
    InCopy(Var, u8),
}

impl Sweep<'_> {
    /// The value of an edge in a copy.
    fn value(&self, lit: Lit, copy: u8) -> (Value, bool) {
        let (first, second) = COPIES[usize::from(copy)];
        match self.second[lit.var().index()] {
            Some(asked) => (Value::InState(asked.var(), second), asked.is_negated() ^ lit.is_negated()),
            None if self.is_relation[lit.var().index()] => (Value::InCopy(lit.var(), copy), lit.is_negated()),
            None => (Value::InState(lit.var(), first), lit.is_negated()),
        }
    }
    fn is_carried(&self, lit: Lit) -> bool {
        let knows = |l: Lit| self.carried[l.var().index()][usize::from(l.is_negated())];
        // A conjunction of what is carried is carried.
        let by_fanins =
            !lit.is_negated() && self.aig.fanins(lit.var()).is_some_and(|f| f.into_iter().all(knows));
        by_fanins || DEPTHS.iter().any(|&depth| self.table(lit, depth) == Some(true))
    }
    /// Is an edge carried, as far as the circuit down to a depth says? `None` if the table would be too wide.
    fn table(&self, root: Lit, depth: usize) -> Option<bool> {
        // The gates that are evaluated, and below them those that are not.
        let mut gates: Vec<Var> = vec![root.var()];
        let mut seen = 0;
        for _ in 0..depth {
            let level = seen..gates.len();
            seen = gates.len();
            for i in level {
                for fanin in self.aig.fanins(gates[i]).into_iter().flatten().map(Lit::var) {
                    let is_gate = self.is_relation[fanin.index()] && self.second[fanin.index()].is_none();
                    if is_gate && !gates.contains(&fanin) {
                        gates.push(fanin);
                    }
                }
            }
        }
        let below = gates.split_off(seen);
        // Operands come before what is made of them.
        gates.sort_unstable();
        let mut columns: Vec<Value> = Vec::new();
        for &gate in &below {
            columns.extend([0, 1, 2].map(|copy| Value::InCopy(gate, copy)));
        }
        for &gate in &gates {
            for fanin in self.aig.fanins(gate).into_iter().flatten() {
                for (value, _) in [0, 1, 2].map(|copy| self.value(fanin, copy)) {
                    if matches!(value, Value::InState(..)) && !columns.contains(&value) {
                        columns.push(value);
                    }
                }
            }
        }
        if columns.len() > WIDEST {
            return None;
        }
        let n_columns = columns.len();
        columns.extend(gates.iter().flat_map(|&gate| [0, 1, 2].map(|copy| Value::InCopy(gate, copy))));
        let place = |(value, negated): (Value, bool)| {
            let place = columns.iter().position(|&column| column == value);
            (place.expect("operands are in the table"), negated)
        };
        let fanins: Vec<[(usize, bool); 2]> = gates
            .iter()
            .flat_map(|&gate| {
                let fanins = self.aig.fanins(gate).expect("these are gates");
                [0, 1, 2].map(|copy| fanins.map(|lit| place(self.value(lit, copy))))
            })
            .collect();
        // What is carried, by the columns of its three copies; the edge in question is the last one.
        let gate = |lit: Lit| {
            ([0, 1, 2].map(|copy| place((Value::InCopy(lit.var(), copy), false)).0), lit.is_negated())
        };
        let known = gates.iter().chain(&below).filter(|&&v| v != root.var()).flat_map(|&v| {
            [v.lit(false), v.lit(true)]
                .into_iter()
                .filter(move |l| self.carried[v.index()][usize::from(l.is_negated())])
        });
        let known: Vec<([usize; 3], bool)> = known.map(gate).collect();
        let question = gate(root);
        let mut words = vec![0u64; columns.len()];
        let broken = |words: &[u64], (places, negated): ([usize; 3], bool)| {
            let [x, y, z] = places.map(|p| if negated { !words[p] } else { words[p] });
            x & y & !z
        };
        for row in 0..(1usize << n_columns).div_ceil(64) {
            for (i, word) in words.iter_mut().enumerate().take(n_columns) {
                *word = match COUNTING.get(i) {
                    Some(&pattern) => pattern,
                    None => (row >> (i - COUNTING.len()) & 1) as u64 * u64::MAX,
                };
                // The constant is the same in each state.
                if matches!(columns[i], Value::InState(Var::CONST, _)) {
                    *word = 0;
                }
            }
            for (i, operands) in fanins.iter().enumerate() {
                let [x, y] = operands.map(|(p, negated)| if negated { !words[p] } else { words[p] });
                words[n_columns + i] = x & y;
            }
            let is_possible = known.iter().fold(u64::MAX, |rows, &k| rows & !broken(&words, k));
            if is_possible & broken(&words, question) != 0 {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The rows of six columns that count.
const COUNTING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A relation of two bits (`first`, placeholders of the second), made by `build`.
    fn transitive(build: impl Fn(&mut Aig, [Lit; 2], [Lit; 2]) -> Lit) -> [bool; 2] {
        let mut aig = Aig::new();
        let now = [aig.leaf(), aig.leaf()];
        let then = [aig.leaf(), aig.leaf()];
        let root = build(&mut aig, now, then);
        // By all states.
        let at = |x: usize, y: usize| {
            let mut values = vec![false; aig.n_vars()];
            for i in 0..2 {
                values[now[i].var().index()] = x >> i & 1 == 1;
                values[then[i].var().index()] = y >> i & 1 == 1;
            }
            indubit_aig::simulate::propagate_bools(&aig, &mut values);
            indubit_aig::simulate::value(&values, root)
        };
        let states = (0..64).map(|i| (i & 3, i >> 2 & 3, i >> 4));
        let truth = states.into_iter().all(|(s, t, u)| !(at(t, s) && at(s, u)) || at(t, u));
        [holds(&aig, &[(now[0], then[0]), (now[1], then[1])], root), truth]
    }

    #[test]
    fn orders_are_transitive() {
        let lexicographic = |aig: &mut Aig, now: [Lit; 2], then: [Lit; 2]| {
            let low = aig.or(now[0], !then[0]);
            let down = aig.and(!now[1], then[1]);
            let stays = aig.and(low, !down);
            let up = aig.and(now[1], !then[1]);
            aig.or(up, stays)
        };
        assert_eq!(transitive(lexicographic), [true; 2]);
        assert_eq!(transitive(|aig, now, then| !lexicographic(aig, now, then)), [true; 2]);
        let equal = |aig: &mut Aig, now: [Lit; 2], then: [Lit; 2]| {
            let both = [0, 1].map(|i| aig.iff(now[i], then[i]));
            aig.and_all(both)
        };
        assert_eq!(transitive(equal), [true; 2]);
        assert_eq!(transitive(|aig, now, then| !equal(aig, now, then)), [false; 2]);
        assert_eq!(transitive(|_, now, _| now[0]), [true; 2]);
        assert_eq!(transitive(|_, _, then| !then[1]), [true; 2]);
        assert_eq!(transitive(|aig, now, then| aig.or(now[0], then[1])), [false; 2]);
        assert_eq!(transitive(|aig, now, then| aig.xor(now[0], then[0])), [false; 2]);
    }

    #[test]
    fn what_is_found_is_so_for_random_relations() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % n
        };
        let mut found = [0; 2];
        for _ in 0..4000 {
            let choices: Vec<[usize; 2]> = (0..2 + random(6)).map(|_| [random(1000), random(1000)]).collect();
            let [is_found, is_so] = transitive(|aig, now, then| {
                let mut nodes = vec![now[0], now[1], then[0], then[1]];
                for &[a, b] in &choices {
                    let pick = |c: usize| nodes[c / 2 % nodes.len()] ^ (c % 2 == 1);
                    let gate = aig.and(pick(a), pick(b));
                    nodes.push(gate);
                }
                nodes[nodes.len() - 1] ^ choices[0][0].is_multiple_of(3)
            });
            assert!(is_so || !is_found);
            found[0] += usize::from(is_found);
            found[1] += usize::from(is_so);
        }
        assert!(found[0] * 10 > found[1] * 8, "{found:?}");
    }
}
