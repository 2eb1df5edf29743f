//! The right answers: by enumeration while there are few variables, by a new CaDiCaL for each question if there are more.

use crate::trace::Number;
use indubit_logic::{Lit, Var};
use indubit_run::Cancel;
use indubit_sat::{Cadical, Config, Solve};

/// Enumeration up to here: 64 words of assignments.
const FEW: usize = 12;

pub fn lit(number: Number) -> Lit {
    Var::new(number.unsigned_abs()).lit(number < 0)
}

pub fn lits(numbers: &[Number]) -> Vec<Lit> {
    numbers.iter().map(|&n| lit(n)).collect()
}

/// Everything that was asserted.
#[derive(Clone, Default)]
pub struct Formula {
    pub clauses: Vec<Vec<Number>>,
    pub gates: Vec<[Number; 3]>,
}

impl Formula {
    pub fn add_gate(&mut self, gate: [Number; 3]) {
        let [g, a, b] = gate;
        self.clauses.extend([vec![-g, a], vec![-g, b], vec![g, -a, -b]]);
        self.gates.push(gate);
    }

    /// Is there a model of the formula, the clauses in `more`, and the units?
    pub fn is_satisfiable(&self, more: &[Vec<Number>], units: &[Number]) -> bool {
        let clauses = || self.clauses.iter().chain(more);
        let n_vars = clauses().flatten().chain(units).map(|n| n.unsigned_abs() as usize).max().unwrap_or(0);
        if n_vars > FEW {
            let mut solver = Cadical::new(Config::Default, &Cancel::new());
            clauses().for_each(|c| solver.add_clause(&lits(c)));
            return solver.solve(&lits(units)).expect("nobody cancels it");
        }
        let n_words = 1usize << n_vars.saturating_sub(6);
        (0..n_words).any(|word| {
            let holds =
                |&n: &Number| values(n.unsigned_abs() as usize - 1, word) ^ if n < 0 { !0 } else { 0 };
            let mut models = !0u64;
            for clause in clauses() {
                models &= clause.iter().map(holds).fold(0, |any, v| any | v);
            }
            units.iter().map(holds).fold(models, |all, v| all & v) != 0
        })
    }
}

/// The values of a variable in the 64 assignments of a word.
fn values(var: usize, word: usize) -> u64 {
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match var {
        0..6 => WITHIN[var],
        _ => (word as u64 >> (var - 6) & 1).wrapping_neg(),
    }
}
