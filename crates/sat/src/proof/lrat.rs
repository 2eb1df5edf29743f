//! Derivations as an LRAT file (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, CADE 2017), in text.
//!
//! A line is the name of a clause, its literals, a 0, the names of the chain, and another 0; or a name, `d`, the
//! names of clauses that are needed no more, and a 0. The clauses of the formula have the names 1, 2, … in the order of
//! the formula, and derived ones come after them.

use super::{ClauseId, ProofSink};
use indubit_logic::Lit;
use std::io::{self, Write};

/// Writes a proof for a formula as it is found. The writer is the caller's; a buffered one is faster.
///
/// ```
/// use indubit_logic::{Lit, Var};
/// use indubit_run::Cancel;
/// use indubit_sat::proof::Lrat;
/// use indubit_sat::{Cdcl, Solve};
/// let number = |lit: Lit| if lit.is_negated() { -(lit.var().index() as i64) } else { lit.var().index() as i64 };
/// let mut solver = Cdcl::with_proof(&Cancel::new(), 0, Lrat::new(Vec::new(), 3, number));
/// let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
/// solver.add_clause(&[a, b]);
/// solver.add_clause(&[!a]);
/// solver.add_clause(&[!b]);
/// assert_eq!(solver.solve(&[]), Ok(false));
/// let conclusion = solver.conclusion();
/// let text = solver.proof_mut().finish(conclusion).unwrap();
/// assert_eq!(String::from_utf8(std::mem::take(text)).unwrap(), "4 2 0 2 1 0\n5 0 4 3 0\n");
/// ```
#[derive(Debug)]
pub struct Lrat<W, N> {
    out: W,
    number: N,
    n_formula: ClauseId,
    n_given: ClauseId,
    n_derived: ClauseId,
    /// Clauses to be deleted before the next one is derived.
    deleted: Vec<ClauseId>,
    line: Vec<u8>,
    /// Why writing failed; nothing is written after that.
    error: Option<io::Error>,
}

impl<W: Write, N: Fn(Lit) -> i64> Lrat<W, N> {
    /// For a formula of `n_clauses` clauses, all of which will be given in order; `number` is what DIMACS has for a
    /// literal.
    pub fn new(out: W, n_clauses: usize, number: N) -> Lrat<W, N> {
        Lrat {
            out,
            number,
            n_formula: n_clauses as ClauseId,
            n_given: 0,
            n_derived: 0,
            deleted: Vec::new(),
            line: Vec::new(),
            error: None,
        }
    }
    /// The proof ends, with the refutation `conclusion` if there was one. A formula that has the empty clause by itself
    /// gets a proof too. Fails if anything could not be written.
    pub fn finish(&mut self, conclusion: Option<ClauseId>) -> io::Result<&mut W> {
        if let Some(given) = conclusion.filter(|&id| id <= self.n_formula) {
            self.derived(&[], &[given]);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| &mut self.out),
        }
    }
    fn last(&self) -> ClauseId {
        self.n_formula + self.n_derived
    }
    fn write_line(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.line).err();
        }
        self.line.clear();
    }
    fn write_deletions(&mut self) {
        if self.deleted.is_empty() {
            return;
        }
        let head = format!("{} d", self.last());
        self.line.extend_from_slice(head.as_bytes());
        for id in std::mem::take(&mut self.deleted) {
            push(&mut self.line, id as i64);
        }
        self.line.extend_from_slice(b" 0\n");
        self.write_line();
    }
}

fn push(line: &mut Vec<u8>, number: i64) {
    write!(line, " {number}").expect("a vector takes everything");
}

impl<W: Write, N: Fn(Lit) -> i64> ProofSink for Lrat<W, N> {
    const RECORDS: bool = true;
    fn given(&mut self, _: &[Lit]) -> ClauseId {
        self.n_given += 1;
        assert!(self.n_given <= self.n_formula, "more clauses are given than the formula has");
        self.n_given
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        self.write_deletions();
        self.n_derived += 1;
        let id = self.last();
        write!(self.line, "{id}").expect("a vector takes everything");
        for &lit in lits {
            push(&mut self.line, (self.number)(lit));
        }
        self.line.extend_from_slice(b" 0");
        for &id in chain {
            push(&mut self.line, id as i64);
        }
        self.line.extend_from_slice(b" 0\n");
        self.write_line();
        id
    }
    fn deleted(&mut self, id: ClauseId) {
        self.deleted.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Var;

    fn number(lit: Lit) -> i64 {
        lit.var().index() as i64 * if lit.is_negated() { -1 } else { 1 }
    }

    #[test]
    fn deletions_are_gathered_and_names_begin_after_the_formula() {
        let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
        let mut proof = Lrat::new(Vec::new(), 4, number);
        assert_eq!((proof.given(&[a, b]), proof.derived(&[!a, b], &[1, 2])), (1, 5));
        assert_eq!(proof.given(&[!a]), 2);
        proof.deleted(1);
        proof.deleted(5);
        assert_eq!(proof.derived(&[], &[2]), 6);
        let text = String::from_utf8(proof.finish(Some(6)).unwrap().clone()).unwrap();
        assert_eq!(text, "5 -1 2 0 1 2 0\n5 d 1 5 0\n6 0 2 0\n");
    }

    #[test]
    fn the_empty_clause_of_a_formula_is_concluded() {
        let mut proof = Lrat::new(Vec::new(), 1, number);
        let empty = proof.given(&[]);
        assert_eq!(proof.finish(Some(empty)).unwrap(), b"2 0 1 0\n");
    }

    #[test]
    fn a_full_disk_is_told_in_the_end() {
        let mut room = [0u8; 10];
        let mut proof = Lrat::new(&mut room[..], 1, number);
        for _ in 0..5 {
            proof.derived(&[], &[1]);
        }
        assert_eq!(proof.finish(None).unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
