//! Queries of the kind that IC3 asks all day need no memory from the system once a solver has warmed up.

use fastrand::Rng;
use indubit_logic::{Lit, Var};
use indubit_run::Cancel;
use indubit_sat::{Circuit, Counted, RelConfig, RelSolver, Solve, SolveWith, Unassign};

/// Two counters, one ahead of the other: deep enough for queries to be decided by search.
fn circuit(solver: &mut RelSolver, n_bits: u32) -> Vec<Lit> {
    let mut next_var = n_bits;
    let mut and = |a: Lit, b: Lit| {
        let gate = Var::new(next_var);
        next_var += 1;
        solver.define_and(gate, a, b);
        Lit::positive(gate)
    };
    let latch = |i: u32| Lit::positive(Var::new(i));
    let mut carry = latch(0);
    let mut next = vec![!carry];
    for i in 1..n_bits {
        let (both, none) = (and(latch(i), carry), and(!latch(i), !carry));
        next.push(and(!both, !none));
        carry = both;
    }
    next
}

#[test]
fn no_query_allocates() {
    let n_bits = 24;
    let mut solver = RelSolver::new(&Cancel::new(), RelConfig::default());
    let next = circuit(&mut solver, n_bits);
    let mut rng = Rng::with_seed(1);
    let bit = |rng: &mut Rng| rng.u32(0..n_bits) as usize;
    for _ in 0..30 {
        let lemma: Vec<Lit> = (0..3).map(|_| Lit::positive(Var::from_index(bit(&mut rng)))).collect();
        solver.add_clause(&lemma);
    }
    let queries: Vec<(Vec<Lit>, Vec<Lit>)> = (0..300)
        .map(|_| {
            let sign = |lit: Lit, rng: &mut Rng| lit ^ rng.bool();
            let assumptions = (0..rng.usize(1..12)).map(|_| sign(next[bit(&mut rng)], &mut rng)).collect();
            let latch = |rng: &mut Rng| Lit::positive(Var::from_index(bit(rng)));
            (assumptions, (0..rng.usize(0..5)).map(|_| sign(latch(&mut rng), &mut rng)).collect())
        })
        .collect();
    let mut model: Vec<Lit> = Vec::with_capacity(n_bits as usize);
    let mut round = |solver: &mut RelSolver| {
        let (mut n_sat, mut n_failed) = (0, 0);
        for (assumptions, clause) in &queries {
            let answer = match clause.is_empty() {
                true => solver.solve(assumptions),
                false => solver.solve_with(clause, assumptions),
            };
            if answer.expect("nothing cancels it") {
                n_sat += 1;
                model.clear();
                let value = |v: u32| Some(Lit::with_value(Var::new(v), solver.assigned(Var::new(v))?));
                model.extend((0..n_bits).filter_map(value));
                solver.unassign(&mut model);
            } else {
                n_failed += assumptions.iter().filter(|&&l| solver.failed(l)).count();
            }
        }
        (n_sat, n_failed)
    };
    for _ in 0..20 {
        round(&mut solver);
    }
    let conflicts = solver.counts().conflicts;
    let mut found = (0, 0);
    let measured = allocation_counter::measure(|| found = round(&mut solver));
    assert!(found.0 > 50 && found.0 < 250 && found.1 > 50, "queries of both kinds: {found:?}");
    assert!(solver.counts().conflicts > conflicts, "some need search");
    assert_eq!(measured.count_total, 0, "{measured:?}");
}
