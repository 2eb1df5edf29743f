//! Random formulas over terms, with every function that becomes clauses: models are evaluated exactly, refutations are asked of z3 where
//! there is one, and otherwise of all points of a small box. Interpolants are asked of a solver made anew, and of z3.
//!
//! `INDUBIT_RANDOM=10000 cargo test --release -p indubit-smt --test terms` takes so many formulas, and a fifth as many refutations in parts.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{first_seed, n_wanted};
use fastrand::Rng;
use indubit_interpolate::System;
use indubit_run::{Cancel, Stop};
use indubit_smt::{External, Opinion, Smt, SmtConfig};
use indubit_term::{BigRational, Op, Sort, Term, Terms, Value};
use std::collections::{HashMap, HashSet};

/// Functions of the theories that are not arithmetic by constants alone, with the sorts of their arguments.
const FORMULAS: &[(&str, &[Sort])] = &[
    ("not", &[Sort::Bool]),
    ("and", &[Sort::Bool, Sort::Bool]),
    ("or", &[Sort::Bool, Sort::Bool, Sort::Bool]),
    ("=>", &[Sort::Bool, Sort::Bool]),
    ("xor", &[Sort::Bool, Sort::Bool]),
    ("=", &[Sort::Bool, Sort::Bool]),
    ("distinct", &[Sort::Bool, Sort::Bool]),
    ("ite", &[Sort::Bool, Sort::Bool, Sort::Bool]),
    ("is_int", &[Sort::Real]),
    ("=", &[Sort::Int, Sort::Int]),
    ("<=", &[Sort::Int, Sort::Int]),
    ("<", &[Sort::Int, Sort::Int]),
    (">", &[Sort::Int, Sort::Int]),
    ("distinct", &[Sort::Int, Sort::Int, Sort::Int]),
    ("=", &[Sort::Real, Sort::Real]),
    ("<=", &[Sort::Real, Sort::Real]),
    ("<", &[Sort::Real, Sort::Real]),
    (">=", &[Sort::Real, Sort::Real]),
    ("distinct", &[Sort::Real, Sort::Real, Sort::Real]),
];
const NUMBERS: &[(&str, &[Sort])] = &[
    ("+", &[Sort::Int, Sort::Int]),
    ("-", &[Sort::Int, Sort::Int]),
    ("-", &[Sort::Int]),
    ("abs", &[Sort::Int]),
    ("ite", &[Sort::Bool, Sort::Int, Sort::Int]),
    ("to_int", &[Sort::Real]),
    ("+", &[Sort::Real, Sort::Real]),
    ("-", &[Sort::Real, Sort::Real]),
    ("ite", &[Sort::Bool, Sort::Real, Sort::Real]),
    ("to_real", &[Sort::Int]),
];

/// Terms to choose from, and what they are made of.
struct Pool {
    rng: Rng,
    terms: Terms,
    variables: Vec<Term>,
    of_sort: HashMap<Sort, Vec<Term>>,
}

impl Pool {
    fn new(seed: u64) -> Pool {
        let (mut rng, mut terms) = (Rng::with_seed(seed), Terms::new());
        let sorts = [Sort::Bool, Sort::Bool, Sort::Int, Sort::Int, Sort::Int, Sort::Real, Sort::Real];
        let names = ["p", "q", "i", "j", "k", "r", "s"];
        let n_skipped = rng.usize(..3);
        let mut variables: Vec<Term> = names.iter().zip(sorts).map(|(n, s)| terms.var(n, s)).collect();
        (0..n_skipped).for_each(|_| _ = variables.remove(rng.usize(..variables.len())));
        let mut pool = Pool { rng, terms, variables: variables.clone(), of_sort: HashMap::new() };
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            let value = pool.value(sort);
            let constant = pool.terms.constant(value);
            pool.of_sort.insert(sort, vec![constant]);
        }
        variables.into_iter().for_each(|var| pool.add(var));
        pool
    }
    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.bool()),
            Sort::Int => Value::int(self.rng.i32(-5..6)),
            _ => Value::Real(BigRational::new(self.rng.i32(-8..9).into(), self.rng.i32(1..4).into())),
        }
    }
    fn add(&mut self, term: Term) {
        self.of_sort.get_mut(&self.terms.sort(term)).unwrap().push(term);
    }
    /// One of the terms, of late ones more likely.
    fn any(&mut self, sort: Sort) -> Term {
        let list = &self.of_sort[&sort];
        let first = if self.rng.bool() { list.len() / 2 } else { 0 };
        list[self.rng.usize(first..list.len())]
    }
    fn call(&mut self, functions: &[(&str, &[Sort])]) -> Term {
        let (name, sorts) = functions[self.rng.usize(..functions.len())];
        let args: Vec<Term> = sorts.iter().map(|&sort| self.any(sort)).collect();
        self.terms.call(name, &[], &args).unwrap().unwrap()
    }
    /// A number times, or divided by, a constant.
    fn scaled(&mut self) -> Term {
        let sort = if self.rng.u8(..4) == 0 { Sort::Real } else { Sort::Int };
        let number = self.any(sort);
        let mut by = self.rng.i32(-5..5);
        by += i32::from(by >= 0);
        let by = match sort {
            Sort::Int => self.terms.int(by),
            _ => self.terms.constant(Value::Real(BigRational::new(by.into(), 2.into()))),
        };
        let functions: &[&str] =
            if sort == Sort::Int { &["*", "div", "mod", "div", "mod"] } else { &["*", "/"] };
        let name = functions[self.rng.usize(..functions.len())];
        self.terms.call(name, &[], &[number, by]).unwrap().unwrap()
    }
    /// A formula over new and old terms.
    fn formula(&mut self) -> Term {
        for _ in 0..self.rng.usize(1..12) {
            let term = match self.rng.u8(..5) {
                0 => self.scaled(),
                1 | 2 => self.call(NUMBERS),
                _ => self.call(FORMULAS),
            };
            self.add(term);
        }
        let formula = self.call(FORMULAS);
        self.add(formula);
        formula
    }
    /// Is there a model? Most formulas are about small numbers, so that there is a refutation at times.
    fn bounds(&mut self) -> Vec<Term> {
        let numbers: Vec<Term> =
            self.variables.iter().copied().filter(|&v| self.terms.sort(v).is_number()).collect();
        let mut bounds = Vec::new();
        for var in numbers {
            let sort = self.terms.sort(var);
            let [low, high] =
                [-3, 3].map(|bound| Value::number(sort, BigRational::from_integer(bound.into())));
            let [low, high] = [low, high].map(|bound| self.terms.constant(bound));
            bounds.extend([self.terms.le(low, var), self.terms.le(var, high)]);
        }
        bounds
    }
    fn holds(&self, formulas: &[Term], values: &HashMap<Term, Value>) -> bool {
        let value = |var: Term| values[&var].clone();
        formulas.iter().all(|&f| self.terms.evaluate(f, &value) == Ok(Value::Bool(true)))
    }
    /// A model among all points with integers, halves for reals, between -3 and 3.
    fn in_box(&self, formulas: &[Term]) -> Option<HashMap<Term, Value>> {
        let used = self.terms.variables(formulas);
        let domain = |var: &Term| -> Vec<Value> {
            match self.terms.sort(*var) {
                Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Sort::Int => (-3..4).map(Value::int).collect(),
                _ => (-6..7).map(|n| Value::Real(BigRational::new(n.into(), 2.into()))).collect(),
            }
        };
        let domains: Vec<Vec<Value>> = used.iter().map(domain).collect();
        let n_points: usize = domains.iter().map(Vec::len).product();
        // A share of a large box, always the same.
        let every = n_points.div_ceil(5000) | 1;
        (0..n_points).step_by(every).find_map(|mut point| {
            let mut values = HashMap::new();
            for (&var, domain) in used.iter().zip(&domains) {
                values.insert(var, domain[point % domain.len()].clone());
                point /= domain.len();
            }
            self.holds(formulas, &values).then_some(values)
        })
    }
    fn text(&self, formulas: &[Term]) -> String {
        formulas.iter().map(|&f| format!("(assert {})\n", self.terms.display(f))).collect()
    }
}

/// z3, if it is installed.
fn z3() -> Option<External> {
    let z3 = External::new("z3 -smt2 -in -t:5000")?;
    let mut terms = Terms::new();
    let truth = terms.bool(true);
    match z3.ask(&terms, &[truth], &Cancel::new()) {
        Ok(Opinion::Unknown(why)) if why.starts_with("cannot run") => None,
        _ => Some(z3),
    }
}

/// Somebody else does not contradict; does he know?
fn agrees(z3: &External, pool: &Pool, formulas: &[Term], expected: Opinion, what: &str) -> bool {
    let opinion = z3.ask(&pool.terms, formulas, &Cancel::new()).unwrap();
    if let Opinion::Unknown(why) = &opinion {
        assert!(!why.contains("error"), "{what}: {why}\n{}", pool.text(formulas));
        return false;
    }
    assert_eq!(opinion, expected, "{what}\n{}", pool.text(formulas));
    true
}

#[test]
fn models_and_refutations() {
    let (z3, wanted) = (z3(), n_wanted(300));
    let (mut n_sat, mut n_unsat, mut n_gave_up, mut n_unknown) = (0, 0, 0, 0);
    let mut seed = first_seed();
    while n_sat + n_unsat + n_gave_up < wanted {
        seed += 1;
        let mut pool = Pool::new(seed);
        let mut smt = Smt::new(&Cancel::new(), SmtConfig { interpolation: pool.rng.bool(), seed });
        let mut asserted = if pool.rng.u8(..4) > 0 { pool.bounds() } else { Vec::new() };
        asserted.iter().for_each(|&bound| smt.assert(&pool.terms, 0, bound));
        for round in 0..6 {
            let what = format!("seed {seed}, round {round}");
            let (formula, assumed) = (pool.formula(), pool.formula());
            smt.assert(&pool.terms, 0, formula);
            asserted.push(formula);
            let lit = smt.literal(&pool.terms, 0, assumed);
            let mut asked = asserted.clone();
            let answer = if pool.rng.bool() {
                asked.push(assumed);
                smt.solve(&[(0, lit)])
            } else {
                smt.solve(&[])
            };
            match answer {
                Ok(true) => {
                    let vars = pool.terms.variables(&[&asked[..], &[assumed]].concat());
                    let values: HashMap<Term, Value> =
                        vars.iter().map(|&v| (v, smt.value_of(&pool.terms, v))).collect();
                    assert!(pool.holds(&asked, &values), "{what}: {values:?}\n{}", pool.text(&asked));
                    // What nobody asks about has its value, too.
                    assert_eq!(smt.value(lit), pool.holds(&[assumed], &values), "{what}");
                    n_sat += 1;
                    if let Some(z3) = z3.as_ref().filter(|_| n_sat % 8 == 0) {
                        n_unknown += usize::from(!agrees(z3, &pool, &asked, Opinion::Sat, &what));
                    }
                }
                Ok(false) => {
                    n_unsat += 1;
                    let model = if z3.is_none() || n_unsat % 8 == 0 { pool.in_box(&asked) } else { None };
                    assert_eq!(model, None, "{what}\n{}", pool.text(&asked));
                    if let Some(z3) = &z3 {
                        n_unknown += usize::from(!agrees(z3, &pool, &asked, Opinion::Unsat, &what));
                    }
                    if asked.len() == asserted.len() {
                        break;
                    }
                }
                Err(Stop::Incomplete(_)) => n_gave_up += 1,
                Err(stop) => panic!("{what}: {stop}"),
            }
        }
    }
    assert!(n_sat * 5 > wanted && n_unsat * 8 > wanted, "{n_sat} and {n_unsat} of {wanted}");
    assert!(n_gave_up * 20 < wanted && n_unknown * 20 < wanted, "{n_gave_up} and {n_unknown} of {wanted}");
}

#[test]
fn interpolants() {
    let (z3, wanted) = (z3(), n_wanted(200) / 5);
    let (mut n_found, mut n_gave_up, mut n_words) = (0, 0, 0);
    let mut seed = first_seed() ^ (1 << 40);
    while n_found < wanted {
        seed += 1;
        let mut pool = Pool::new(seed);
        let n_parts = pool.rng.u32(2..5);
        let mut smt = Smt::new(&Cancel::new(), SmtConfig { interpolation: true, seed });
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); n_parts as usize];
        let bounds = pool.bounds();
        let formulas: Vec<Term> = (0..8).map(|_| pool.formula()).collect();
        for formula in bounds.into_iter().chain(formulas) {
            let part = pool.rng.u32(..n_parts);
            smt.assert(&pool.terms, part, formula);
            parts[part as usize].push(formula);
        }
        if smt.solve(&[]) != Ok(false) {
            continue;
        }
        for system in System::ALL {
            let what = format!("seed {seed}, {system:?}");
            let Ok(found) = smt.interpolants(&mut pool.terms, 0..=n_parts, system) else {
                n_gave_up += 1;
                continue;
            };
            n_found += 1;
            let (truth, falsum) = (pool.terms.bool(true), pool.terms.bool(false));
            assert_eq!((found[0], found[n_parts as usize]), (truth, falsum), "{what}");
            for cut in 0..n_parts as usize {
                let (before, after) = parts.split_at(cut);
                let [before, after]: [HashSet<Term>; 2] =
                    [before, after].map(|side| pool.terms.variables(&side.concat()).into_iter().collect());
                let used = pool.terms.variables(&[found[cut]]);
                assert!(used.iter().all(|v| before.contains(v) && after.contains(v)), "{what}, cut {cut}");
                n_words += usize::from(!used.is_empty());
                let mut step = parts[cut].clone();
                step.extend([found[cut], pool.terms.not(found[cut + 1])]);
                let mut fresh = Smt::new(&Cancel::new(), SmtConfig { interpolation: false, seed: 7 });
                step.iter().for_each(|&formula| fresh.assert(&pool.terms, 0, formula));
                assert_ne!(fresh.solve(&[]), Ok(true), "{what}, step {cut}\n{}", pool.text(&step));
                assert_eq!(pool.in_box(&step), None, "{what}, step {cut}\n{}", pool.text(&step));
                if let Some(z3) = z3.as_ref().filter(|_| pool.terms.op(step[step.len() - 1]) != Op::Const) {
                    agrees(z3, &pool, &step, Opinion::Unsat, &what);
                }
            }
        }
    }
    assert!(n_gave_up * 10 < n_found && n_words * 4 > n_found, "{n_gave_up}, {n_words} of {n_found}");
}
