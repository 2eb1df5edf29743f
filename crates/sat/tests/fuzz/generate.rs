//! Random traces. Most are small enough for enumeration; the numbers of the kernel are such that it restarts, forgets,
//! compacts and simplifies on them too.

use crate::trace::{Kind, Number, Op, Trace};
use fastrand::Rng;
use indubit_sat::{OrderKind, RestartKind, Tuning};

/// The trace with this seed.
pub fn trace(seed: u64) -> Trace {
    let mut rng = Rng::with_seed(seed);
    let kinds =
        [Kind::Rel, Kind::Rel, Kind::Rel, Kind::Whole, Kind::Proof, Kind::Proof, Kind::Cdcl, Kind::Cadical];
    let kind = kinds[rng.usize(0..kinds.len())];
    let tuning = tuning(kind, &mut rng);
    let large = rng.u32(0..12) == 0;
    let n_vars = if large { rng.i32(15..=60) } else { rng.i32(2..=10) };
    let n_known = rng.i32(1..=n_vars);
    let mut writer = Writer { n_known, n_vars, kind, large, rng, ops: Vec::new() };
    writer.write();
    Trace { kind, tuning, ops: writer.ops }
}

fn tuning(kind: Kind, rng: &mut Rng) -> Tuning {
    let order = if rng.bool() { OrderKind::Buckets } else { OrderKind::Heap };
    // Only over everything are variables eliminated.
    let eliminate = matches!(kind, Kind::Cdcl | Kind::Proof) && rng.bool();
    let usual = Tuning { order, eliminate, seed: rng.u64(0..3), justify: true, ..Tuning::default() };
    if rng.u32(0..4) == 0 {
        return usual;
    }
    let interval = rng.u64(1..4);
    Tuning {
        restarts: if rng.bool() { RestartKind::Glue } else { RestartKind::Luby { interval } },
        decay: [0.5, 0.9, 0.95][rng.usize(0..3)],
        eliminate_after: rng.u64(0..5),
        reduce: rng.u64(0..3),
        glue: [0, 0, 0, 2][rng.usize(0..4)],
        part: [3, 99][rng.usize(0..2)],
        waste: [0, 0, 8, 64][rng.usize(0..4)],
        poll: [0, 1, 10][rng.usize(0..3)],
        simplify: rng.u64(1..4),
        subsume: rng.usize(1..4),
        justify: rng.u32(0..4) > 0,
        ..usual
    }
}

struct Writer {
    kind: Kind,
    large: bool,
    n_vars: Number,
    /// Variables up to this one can be mentioned; those after it may still become gates.
    n_known: Number,
    rng: Rng,
    ops: Vec<Op>,
}

impl Writer {
    fn write(&mut self) {
        let n_ops = if self.large { self.rng.usize(5..40) } else { self.rng.usize(2..60) };
        for _ in 0..n_ops {
            self.op();
        }
        if !self.ops.iter().any(|op| matches!(op, Op::Solve { .. })) {
            self.solve();
        }
    }

    fn op(&mut self) {
        match self.rng.u32(0..100) {
            // Near the threshold of random 3-CNF, where the search has something to do.
            0..5 if self.large => (0..self.rng.i32(0..=self.n_known)).for_each(|_| self.parity()),
            0..30 if self.large => (0..self.rng.i32(0..=self.n_known)).for_each(|_| self.clause()),
            0..45 => self.clause(),
            45..60 => self.new_variable(),
            60..90 => self.solve(),
            90..93 => {
                let ticks = self.rng.u64(0..30);
                self.ops.push(Op::Limit(Some(ticks).filter(|_| self.rng.bool())));
            }
            93..95 if self.kind != Kind::Cadical => self.ops.push(Op::Clone),
            95..99 => {
                let which = self.rng.usize(0..4);
                self.ops.push(Op::Switch(which));
            }
            99 if self.rng.u32(0..4) == 0 => {
                let after = self.rng.u64(0..12);
                self.ops.push(Op::Cancel(after));
            }
            _ => self.solve(),
        }
    }

    /// A gate over known variables, or another leaf.
    fn new_variable(&mut self) {
        if self.n_known == self.n_vars {
            return self.clause();
        }
        let fanins = [self.literal(), self.literal()];
        self.n_known += 1;
        if self.rng.u32(0..3) > 0 {
            self.ops.push(Op::And([self.n_known, fanins[0], fanins[1]]));
        }
    }

    fn literal(&mut self) -> Number {
        self.rng.i32(1..=self.n_known) * if self.rng.bool() { 1 } else { -1 }
    }

    /// Mostly three literals; duplicates and tautologies happen by themselves.
    fn literals(&mut self) -> Vec<Number> {
        let n = match self.rng.u32(0..40) {
            _ if self.large && self.rng.u32(0..30) > 0 => 3,
            0 if self.rng.u32(0..6) == 0 => 0,
            0..2 => 1,
            2..14 => 2,
            14..34 => 3,
            _ => self.rng.usize(4..8),
        };
        (0..n).map(|_| self.literal()).collect()
    }

    fn clause(&mut self) {
        let lits = self.literals();
        self.ops.push(Op::Clause(lits));
    }

    /// The sum of three variables: a few of these need many conflicts.
    fn parity(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.literal());
        for clause in [[a, b, c], [a, -b, -c], [-a, b, -c], [-a, -b, c]] {
            self.ops.push(Op::Clause(clause.to_vec()));
        }
    }

    fn last_assumptions(&self) -> Option<Vec<Number>> {
        self.ops.iter().rev().find_map(|op| match op {
            Op::Solve { assumptions, .. } => Some(assumptions.clone()),
            _ => None,
        })
    }

    fn solve(&mut self) {
        let n = [0, 1, 2, 3, 6][self.rng.usize(0..5)];
        let mut assumptions: Vec<Number> = (0..n).map(|_| self.literal()).collect();
        if self.rng.bool()
            && let Some(last) = self.last_assumptions()
        {
            // As in a generalization: the same but for one, and what it follows from stays in the solver.
            let at = self.rng.usize(0..=last.len());
            assumptions.truncate(1);
            let rest = last[at..].iter().skip(1);
            assumptions = last[..at].iter().chain(&assumptions).chain(rest).copied().collect();
        }
        let temporary = self.rng.bool().then(|| self.literals());
        self.ops.push(Op::Solve { temporary, assumptions });
        if matches!(self.kind, Kind::Rel | Kind::Whole) && self.rng.u32(0..3) == 0 {
            let mut vars: Vec<Number> = (1..=self.n_known).filter(|_| self.rng.bool()).collect();
            self.rng.shuffle(&mut vars);
            self.ops.push(Op::Unassign(vars));
        }
    }
}
