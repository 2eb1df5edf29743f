//! A solver that writes down what it is asked.

use super::{AND, CLAUSE, CLONE, END, HEADER, NEW, QUERY, QUERY_WITH, UNASSIGN};
use crate::{Circuit, Solve, SolveWith, Unassign};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Sink};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A solver and, if there is a tape, everything that happens to it there. The stream ends when its last solver is
/// dropped.
///
/// A query that was cut short has no answer and leaves no trace: solvers forget it too.
pub struct Recorded<S> {
    solver: S,
    tape: Option<Tape>,
}

/// A solver's place on a tape.
struct Tape {
    shared: Arc<Shared>,
    solver: u32,
    bytes: Vec<u8>,
}

/// What the solvers of a stream have in common.
struct Shared {
    sink: Sink,
    n_solvers: AtomicU32,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.sink.write(&[END]);
    }
}

impl<S> Recorded<S> {
    /// The first solver of a stream that goes to `sink`, or one that nobody watches.
    pub fn new(solver: S, sink: Option<&Sink>) -> Recorded<S> {
        let tape = sink.map(|sink| {
            sink.write(HEADER.as_bytes());
            let shared = Arc::new(Shared { sink: sink.clone(), n_solvers: AtomicU32::new(0) });
            Tape::begin(shared, &[NEW])
        });
        Recorded { solver, tape }
    }
    /// Another solver of the same stream.
    pub fn beside(&self, solver: S) -> Recorded<S> {
        let tape = self.tape.as_ref().map(|tape| Tape::begin(tape.shared.clone(), &[NEW]));
        Recorded { solver, tape }
    }
    /// The solver itself.
    pub fn solver(&self) -> &S {
        &self.solver
    }
}

impl<S: Clone> Clone for Recorded<S> {
    fn clone(&self) -> Recorded<S> {
        let tape = self.tape.as_ref().map(|tape| {
            let mut birth = vec![CLONE];
            put_number(&mut birth, u64::from(tape.solver));
            Tape::begin(tape.shared.clone(), &birth)
        });
        Recorded { solver: self.solver.clone(), tape }
    }
}

impl Tape {
    fn begin(shared: Arc<Shared>, birth: &[u8]) -> Tape {
        shared.sink.write(birth);
        let solver = shared.n_solvers.fetch_add(1, Ordering::Relaxed);
        Tape { shared, solver, bytes: Vec::new() }
    }
    fn event(&mut self, tag: u8, lists: &[&[Lit]]) {
        self.bytes.clear();
        self.bytes.push(tag);
        put_number(&mut self.bytes, u64::from(self.solver));
        for list in lists {
            put_list(&mut self.bytes, list);
        }
        self.shared.sink.write(&self.bytes);
    }
}

fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_list(bytes: &mut Vec<u8>, list: &[Lit]) {
    put_number(bytes, list.len() as u64);
    let mut last = 0;
    for lit in list {
        let code = i64::from(lit.code());
        let difference = code - std::mem::replace(&mut last, code);
        put_number(bytes, difference.unsigned_abs() << 1 | u64::from(difference < 0));
    }
}

impl<S: Solve> Solve for Recorded<S> {
    fn add_clause(&mut self, lits: &[Lit]) {
        if let Some(tape) = &mut self.tape {
            tape.event(CLAUSE, &[lits]);
        }
        self.solver.add_clause(lits);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        let answer = self.solver.solve(assumptions)?;
        if let Some(tape) = &mut self.tape {
            tape.event(QUERY + u8::from(answer), &[assumptions]);
        }
        Ok(answer)
    }
    fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
}

impl<S: SolveWith> SolveWith for Recorded<S> {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        let answer = self.solver.solve_with(clause, assumptions)?;
        if let Some(tape) = &mut self.tape {
            tape.event(QUERY_WITH + u8::from(answer), &[clause, assumptions]);
        }
        Ok(answer)
    }
}

impl<S: Circuit> Circuit for Recorded<S> {
    fn define_and(&mut self, gate: Var, a: Lit, b: Lit) {
        if let Some(tape) = &mut self.tape {
            tape.event(AND, &[&[Lit::positive(gate), a, b]]);
        }
        self.solver.define_and(gate, a, b);
    }
}

impl<S: Unassign> Unassign for Recorded<S> {
    fn unassign(&mut self, lits: &mut Vec<Lit>) {
        if let Some(tape) = &mut self.tape {
            tape.event(UNASSIGN, &[lits]);
        }
        self.solver.unassign(lits);
    }
}
