//! Random ranks, and random changes of their certificates, against a search for fair runs in all states.

use super::tests::verdict;
use crate::check_certificate;
use crate::solver::by_either;
use indubit_formats::certificate;
use indubit_logic::{Clause, Lit, Var};
use indubit_system::{BitSystem, Justice, Memory, Proof, Ranked, Signal};
use indubit_testkit::random;

/// Is there a run that sees all signals infinitely often? By looking at all states.
fn has_fair_run(model: &BitSystem, signals: &[Lit]) -> bool {
    let (n_latches, n_inputs) = (model.latches().len(), model.inputs().len());
    let bits = |x: usize, n: usize| (0..n).map(|i| x >> i & 1 == 1).collect::<Vec<bool>>();
    let number = |state: &[bool]| state.iter().enumerate().fold(0, |n, (i, &b)| n | usize::from(b) << i);
    let (mut next, mut values) = (Vec::new(), Vec::new());
    for moment in 0..1usize << (n_latches + n_inputs) {
        let nodes = model.evaluate(&bits(moment, n_latches), &bits(moment >> n_latches, n_inputs));
        let value = |lit: Lit| nodes[lit.var().index()] ^ lit.is_negated();
        let is_allowed = model.constraints.iter().all(|c| value(c.lit));
        let is_initial = model.latches().iter().all(|l| value(Lit::positive(l.var)) == value(l.reset));
        next.push(number(&model.next_state(&nodes)));
        values.push((is_allowed, is_initial, signals.iter().map(|&s| value(s)).collect::<Vec<bool>>()));
    }
    let n = next.len();
    let follows = |from: usize, to: usize| next[from] == to & ((1 << n_latches) - 1);
    let closure = |mut set: Vec<bool>, within: &[bool], backwards: bool| {
        let mut open: Vec<usize> = (0..n).filter(|&m| set[m]).collect();
        while let Some(m) = open.pop() {
            for o in 0..n {
                let is_edge = if backwards { follows(o, m) } else { follows(m, o) };
                if is_edge && within[o] && !set[o] {
                    set[o] = true;
                    open.push(o);
                }
            }
        }
        set
    };
    let allowed: Vec<bool> = values.iter().map(|v| v.0).collect();
    let initial = values.iter().map(|v| v.0 && v.1).collect();
    let mut fair = closure(initial, &allowed, false);
    // Those that can reach, in a step and more, each signal among themselves, for ever.
    loop {
        let before = fair.clone();
        for i in 0..signals.len() {
            let goal = closure((0..n).map(|m| fair[m] && values[m].2[i]).collect(), &fair, true);
            fair = (0..n).map(|m| fair[m] && (0..n).any(|o| goal[o] && follows(m, o))).collect();
        }
        if fair == before {
            return fair.contains(&true);
        }
    }
}

#[test]
fn random_ranks_never_prove_a_falsehood() {
    let config = random::Config {
        inputs: 0..=2,
        latches: 1..=4,
        gates: 0..=8,
        bads: 1..=3,
        ..random::Config::default()
    };
    let mut rng = Random(7);
    let mut n = [0; 3];
    for seed in 0..400 {
        let mut model = random::system(seed, &config);
        let signals: Vec<Lit> = model.bad_signals().iter().map(|b| b.lit).collect();
        (model.bads, model.outputs) = (vec![], vec![]);
        let (fairness, own) = signals.split_at(rng.below(signals.len()));
        model.fairness = fairness.iter().map(|&lit| Signal { lit, name: None }).collect();
        model.justice = vec![Justice { lits: own.to_vec(), name: None }];
        let is_violated = has_fair_run(&model, &signals);
        n[0] += usize::from(is_violated);
        for _ in 0..12 {
            let proof = random_rank(&model, &signals, &mut rng);
            let accepted = verdict(&model, &proof).is_ok();
            assert!(!(accepted && is_violated), "seed {seed}: {proof:?}");
            n[1] += usize::from(accepted);
            // The file with a signal, an intervention or a next state changed proves no falsehood, either.
            let property = &model.properties()[0];
            let mut witness = certificate::build(&model, property, &Proof::Ranked(Box::new(proof)), "");
            damage(&mut witness, &mut rng);
            let accepted = by_either(|by| check_certificate(&model, &witness, by)).is_ok();
            assert!(!(accepted && is_violated), "seed {seed}: damaged");
            n[2] += usize::from(accepted);
        }
    }
    assert!(n[0] > 100 && n[1] > 200 && n[2] > 50, "{n:?}");
}

fn random_rank(model: &BitSystem, signals: &[Lit], rng: &mut Random) -> Ranked {
    let memory: Vec<Memory> = (0..rng.below(2))
        .map(|_| Memory { name: "m".into(), initial: rng.below(2) == 0, next: Lit::FALSE })
        .collect();
    let mut pool: Vec<Lit> = model.latches().iter().map(|l| Lit::positive(l.var)).collect();
    pool.extend(signals);
    let second: Vec<Lit> = (0..rng.below(3)).map(|_| rng.pick(&pool)).collect();
    let mut proof = Ranked::new(model.aig().n_vars(), memory, second, signals.len());
    for i in 0..proof.memory().len() {
        pool.push(proof.memory_lit(i));
        let seen = proof.with.and(!proof.memory_lit(i), !rng.pick(&pool));
        proof.set_next(i, !seen);
    }
    proof.order = (0..rng.below(4)).map(|_| rng.pick(&pool)).collect();
    for (i, &signal) in signals.iter().enumerate() {
        proof.absent[i] = [Lit::TRUE, Lit::FALSE, !signal, rng.pick(&pool)][rng.below(4)];
    }
    if rng.below(2) == 0 {
        for _ in 0..2 {
            proof.with.add(Clause::new([rng.pick(&pool), rng.pick(&pool)]));
        }
    }
    if !proof.second().is_empty() {
        let now = rng.pick(&pool);
        proof.relation = !proof.with.and(now, proof.second_lit(0) ^ (rng.below(2) == 0));
    }
    proof
}

fn damage(witness: &mut BitSystem, rng: &mut Random) {
    let any = Lit::positive(Var::from_index(rng.below(witness.aig().n_vars()))) ^ (rng.below(2) == 0);
    match rng.below(6) {
        0 => witness.justice[0].lits.push(any),
        1 => witness.fairness.push(Signal { lit: any, name: None }),
        2 => witness.justice[0].lits = vec![any],
        3 => drop(witness.justice.pop()),
        4 => witness.comment.clear(),
        _ => witness.bads.clear(),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
    fn pick(&mut self, lits: &[Lit]) -> Lit {
        lits[self.below(lits.len())] ^ (self.below(2) == 0)
    }
}
