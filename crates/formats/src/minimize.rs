//! Short formulas of functions with few inputs: irredundant disjunctions of cubes, with freedom where nobody looks.
//!
//! S. Minato, *Fast Generation of Prime-Irredundant Covers from Binary Decision Diagrams*, IEICE Transactions 1993, here over truth tables.

/// Functions of more inputs than this have no table.
pub(crate) const MOST_INPUTS: usize = 14;
/// Disjunctions of more cubes than this are no short formulas.
const MOST_CUBES: usize = 24;

/// The rows of a table in which the input with this number is true, for those within a word.
const ROWS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The values of a function for all values of its inputs: the first six change within a word, the others between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table(Vec<u64>);

/// A conjunction of inputs, by number, and of negated ones.
pub(crate) type Cube = Vec<(usize, bool)>;

impl Table {
    /// A constant, as a function of so many inputs.
    pub fn constant(n_inputs: usize, value: bool) -> Table {
        Table(vec![if value { !0 } else { 0 }; 1 << n_inputs.saturating_sub(6)])
    }
    /// One of so many inputs.
    pub fn input(n_inputs: usize, input: usize) -> Table {
        let n_words = 1usize << n_inputs.saturating_sub(6);
        let word = |i: usize| match ROWS.get(input) {
            Some(&rows) => rows,
            None if i >> (input - 6) & 1 == 1 => !0,
            None => 0,
        };
        Table((0..n_words).map(word).collect())
    }
    pub fn and(&self, other: &Table) -> Table {
        Table(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
    pub fn not(&self) -> Table {
        Table(self.0.iter().map(|a| !a).collect())
    }
    pub fn is_false(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

/// Cubes whose disjunction is true where `must` is and nowhere but where `may` is, if there are not too many; `must` implies `may`.
pub(crate) fn cover(must: &Table, may: &Table) -> Option<Vec<Cube>> {
    let n_inputs = 6 + must.0.len().trailing_zeros() as usize;
    let mut cubes = cubes(&must.0, &may.0, n_inputs)?.0;
    cubes.iter_mut().for_each(|cube| cube.sort_unstable());
    cubes.sort_by_key(Vec::len);
    Some(cubes)
}

/// The cubes, and the table of their disjunction.
fn cubes(must: &[u64], may: &[u64], n_inputs: usize) -> Option<(Vec<Cube>, Vec<u64>)> {
    if must.iter().all(|&word| word == 0) {
        return Some((Vec::new(), vec![0; must.len()]));
    }
    if may.iter().all(|&word| word == !0) {
        return Some((vec![Vec::new()], vec![!0; must.len()]));
    }
    // A table that depends on no input is one of these.
    let input = n_inputs.checked_sub(1)?;
    let [[must0, must1], [may0, may1]] = [halves(must, input), halves(may, input)];
    let without = |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(a, b)| a & !b).collect() };
    let (cubes0, done0) = cubes(&without(&must0, &may1), &may0, input)?;
    let (cubes1, done1) = cubes(&without(&must1, &may0), &may1, input)?;
    let open: Vec<u64> =
        without(&must0, &done0).iter().zip(without(&must1, &done1)).map(|(a, b)| a | b).collect();
    let both: Vec<u64> = may0.iter().zip(&may1).map(|(a, b)| a & b).collect();
    let (mut all, done) = cubes(&open, &both, input)?;
    for (cubes, value) in [(cubes0, false), (cubes1, true)] {
        all.extend(cubes.into_iter().map(|mut cube| {
            cube.push((input, value));
            cube
        }));
    }
    let or = |a: &[u64]| -> Vec<u64> { a.iter().zip(&done).map(|(a, b)| a | b).collect() };
    let (done0, done1) = (or(&done0), or(&done1));
    let done = match ROWS.get(input) {
        Some(rows) => done0.iter().zip(&done1).map(|(a, b)| a & !rows | b & rows).collect(),
        None => [done0, done1].concat(),
    };
    (all.len() <= MOST_CUBES).then_some((all, done))
}

/// The function where an input is false, and where it is true: it does not depend on that input any more.
fn halves(table: &[u64], input: usize) -> [Vec<u64>; 2] {
    match ROWS.get(input) {
        Some(rows) => {
            let shift = 1 << input;
            let low = table.iter().map(|word| word & !rows | (word & !rows) << shift).collect();
            let high = table.iter().map(|word| word & rows | (word & rows) >> shift).collect();
            [low, high]
        }
        None => {
            let (low, high) = table.split_at(table.len() / 2);
            [low.to_vec(), high.to_vec()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(cubes: &[Cube], n_inputs: usize) -> Table {
        let conjunction = |cube: &Cube| {
            cube.iter().fold(Table::constant(n_inputs, true), |table, &(input, value)| {
                let input = Table::input(n_inputs, input);
                table.and(&if value { input } else { input.not() })
            })
        };
        let none = Table::constant(n_inputs, false);
        cubes.iter().map(conjunction).fold(none, |a, b| a.not().and(&b.not()).not())
    }

    #[test]
    fn covers_are_between_their_bounds() {
        fastrand::seed(7);
        let mut n_found = 0;
        for round in 0..400 {
            let n_inputs = 1 + round % 9;
            // A few random cubes, and some rows that do not matter.
            let random = |n: usize| -> Vec<Cube> {
                let cube = || (0..3).map(|_| (fastrand::usize(..n_inputs), fastrand::bool())).collect();
                (0..n).map(|_| cube()).collect()
            };
            let (must, free) = (table_of(&random(4), n_inputs), table_of(&random(2), n_inputs));
            let (must, may) = (must.and(&free.not()), must.not().and(&free.not()).not());
            let Some(cubes) = cover(&must, &may) else { continue };
            n_found += 1;
            let found = table_of(&cubes, n_inputs);
            assert!(must.and(&found.not()).is_false() && found.and(&may.not()).is_false());
            // None of them can be left out.
            for i in 0..cubes.len() {
                let mut fewer = cubes.clone();
                fewer.remove(i);
                assert!(!must.and(&table_of(&fewer, n_inputs).not()).is_false());
            }
        }
        assert!(n_found > 300, "{n_found}");
    }

    #[test]
    fn constants_and_freedom() {
        let [a, b] = [0, 1].map(|i| Table::input(2, i));
        let [no, yes] = [false, true].map(|value| Table::constant(2, value));
        assert_eq!(cover(&no, &no), Some(vec![]));
        assert_eq!(cover(&yes, &yes), Some(vec![vec![]]));
        // Where b is true, a & b is a.
        assert_eq!(cover(&a.and(&b), &a.and(&b).not().and(&b).not()), Some(vec![vec![(0, true)]]));
    }
}
