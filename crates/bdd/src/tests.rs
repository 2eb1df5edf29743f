//! Functions against truth tables, with sifting in between.

use crate::{Bdd, Diagrams, Halt};
use indubit_run::Cancel;

const N: u32 = 8;

/// A function, and for each assignment its value.
type Known = (Bdd, Vec<bool>);

fn values(assignment: usize) -> Vec<bool> {
    (0..N).map(|v| assignment >> v & 1 == 1).collect()
}

fn tabled(f: impl Fn(&[bool]) -> bool) -> Vec<bool> {
    (0..1 << N).map(|assignment| f(&values(assignment))).collect()
}

/// The table of a function in which some variables are quantified.
fn some(table: &[bool], vars: &[u32]) -> Vec<bool> {
    let mut table = table.to_vec();
    for &v in vars {
        table = (0..table.len()).map(|i| table[i] || table[i ^ 1 << v]).collect();
    }
    table
}

fn check(all: &Diagrams, (f, table): &Known) {
    for (assignment, &expected) in table.iter().enumerate() {
        assert_eq!(all.value(*f, &values(assignment)), expected, "{assignment}");
    }
}

/// Every node is as it must be, whatever the order is.
fn check_invariants(all: &Diagrams, wanted: &[Bdd]) {
    let marks = all.marks(wanted);
    for (node, _) in all.nodes.iter().zip(marks).filter(|&(_, mark)| mark) {
        let level = all.level[node.var as usize];
        assert!(!node.high.is_negated() && node.high != node.low);
        assert!(all.level_of(node.high) > level && all.level_of(node.low) > level);
    }
    for block in &all.blocks {
        let levels = block.iter().map(|&v| all.level[v as usize]);
        assert!(levels.clone().zip(levels.skip(1)).all(|(a, b)| a + 1 == b));
    }
}

#[test]
fn random_functions_are_what_they_are_said_to_be() {
    let mut rng = fastrand::Rng::with_seed(5);
    for round in 0..60 {
        let mut all = Diagrams::new(&[1, 2, 1, 2, 1, 1], Cancel::new());
        let mut known: Vec<Known> =
            (0..N).map(|v| (all.var(v).unwrap(), tabled(|values| values[v as usize]))).collect();
        for step in 0..60 {
            let (f, of_f) = known[rng.usize(..known.len())].clone();
            let (g, of_g) = known[rng.usize(..known.len())].clone();
            let both = |op: fn(bool, bool) -> bool| -> Vec<bool> {
                of_f.iter().zip(&of_g).map(|(&a, &b)| op(a, b)).collect()
            };
            let vars: Vec<u32> = (0..N).filter(|_| rng.bool()).collect();
            let new = match rng.u32(..7) {
                0 => (all.and(f, g).unwrap(), both(|a, b| a && b)),
                1 => (all.or(f, !g).unwrap(), both(|a, b| a || !b)),
                2 => (all.xor(f, g).unwrap(), both(|a, b| a ^ b)),
                3 => (!f, of_f.iter().map(|&a| !a).collect()),
                4 => {
                    let cube = all.cube(vars.iter().copied()).unwrap();
                    (all.and_exists(f, g, cube).unwrap(), some(&both(|a, b| a && b), &vars))
                }
                5 => {
                    let fixed: Vec<(u32, bool)> = vars.iter().map(|&v| (v, rng.bool())).collect();
                    let cube = all.cube_of(fixed.iter().copied()).unwrap();
                    let set = |i: usize| {
                        fixed.iter().fold(i, |i, &(v, value)| i & !(1 << v) | usize::from(value) << v)
                    };
                    (all.cofactor(f, cube).unwrap(), (0..1 << N).map(|i| of_f[set(i)]).collect())
                }
                _ => {
                    let r = all.restrict(f, g).unwrap();
                    let same = all.xor(r, f).unwrap();
                    assert_eq!(all.and(same, g).unwrap(), Bdd::FALSE);
                    (all.and(r, g).unwrap(), both(|a, b| a && b))
                }
            };
            check(&all, &new);
            let support = all.support(new.0);
            for v in 0..N {
                let depends = (0..1 << N).any(|i: usize| new.1[i] != new.1[i ^ 1 << v]);
                assert_eq!(support.contains(&v), depends);
            }
            known.push(new);
            // Results about nodes that go are forgotten: others will be at their places.
            if step % 6 == 5 {
                let n = known.len();
                let goes = rng.usize(N as usize..n);
                known.swap_remove(goes);
                let wanted: Vec<Bdd> = known.iter().map(|k| k.0).collect();
                all.collect(&wanted);
                assert_eq!(all.n_nodes(), all.size(&wanted));
            }
            if step % 20 == round % 20 {
                let wanted: Vec<Bdd> = known.iter().map(|k| k.0).collect();
                let before = all.size(&wanted);
                all.sift(&wanted).unwrap();
                check_invariants(&all, &wanted);
                assert!(all.size(&wanted) <= before && all.n_nodes() == all.size(&wanted));
                known.iter().for_each(|k| check(&all, k));
            }
        }
        // Equal functions are the same.
        for (f, of_f) in &known {
            for (g, of_g) in &known {
                assert_eq!(f == g, of_f == of_g);
                assert_eq!(*f == !*g, of_f.iter().zip(of_g).all(|(a, b)| a != b));
            }
            match all.pick(*f) {
                None => assert!(of_f.iter().all(|value| !value)),
                Some(picked) => {
                    let agrees = |i: usize| picked.iter().all(|&(v, value)| (i >> v & 1 == 1) == value);
                    assert!((0..1 << N).filter(|&i| agrees(i)).all(|i| of_f[i]));
                }
            }
        }
    }
}

#[test]
fn covers_are_between_two_functions_and_have_no_cube_too_many() {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let mut all = Diagrams::new(&[1; N as usize], Cancel::new());
        let mut random = |all: &mut Diagrams| {
            (0..6).fold(Bdd::TRUE, |f, _| {
                let var = all.var(rng.u32(..N)).unwrap();
                match rng.u32(..3) {
                    0 => all.and(f, !var).unwrap(),
                    1 => all.or(f, var).unwrap(),
                    _ => all.xor(f, var).unwrap(),
                }
            })
        };
        let (f, g) = (random(&mut all), random(&mut all));
        let (least, most) = (all.and(f, g).unwrap(), all.or(f, !g).unwrap());
        let cubes =
            all.cover(least, most, 1 << N).unwrap().expect("there are not more cubes than assignments");
        let functions: Vec<Bdd> =
            cubes.iter().map(|cube| all.cube_of(cube.iter().copied()).unwrap()).collect();
        let union = |all: &mut Diagrams, without: Option<usize>| {
            let others = functions.iter().enumerate().filter(|&(i, _)| Some(i) != without);
            others.fold(Bdd::FALSE, |union, (_, &cube)| all.or(union, cube).unwrap())
        };
        let covered = union(&mut all, None);
        assert_eq!(all.minus(least, covered), Ok(Bdd::FALSE));
        assert_eq!(all.minus(covered, most), Ok(Bdd::FALSE));
        for i in 0..cubes.len() {
            let rest = union(&mut all, Some(i));
            assert_ne!(all.minus(least, rest), Ok(Bdd::FALSE), "{cubes:?} without {i}");
        }
        // As many as there are, and not one fewer.
        assert_eq!(all.cover(least, most, cubes.len()).unwrap().as_ref(), Some(&cubes));
        if !cubes.is_empty() {
            assert_eq!(all.cover(least, most, cubes.len() - 1), Ok(None));
        }
    }
}

#[test]
fn variables_of_a_block_take_each_others_place() {
    let mut all = Diagrams::new(&[2, 2], Cancel::new());
    let [a, b, c, d] = [0, 1, 2, 3].map(|v| all.var(v).unwrap());
    let f = all.xor(a, c).unwrap();
    let later = all.map([(0, 1), (2, 3)]);
    let g = all.xor(b, d).unwrap();
    assert_eq!(all.rename(f, later), Ok(g));
    assert_eq!(all.rename(!f, later), Ok(!g));
}

/// A function whose size depends on the order: pairs that are far apart.
#[test]
fn sifting_finds_a_good_order() {
    let n = 10;
    let mut all = Diagrams::new(&vec![1; 2 * n], Cancel::new());
    let mut f = Bdd::FALSE;
    for i in 0..n as u32 {
        let (a, b) = (all.var(i).unwrap(), all.var(i + n as u32).unwrap());
        let both = all.and(a, b).unwrap();
        f = all.or(f, both).unwrap();
    }
    assert!(all.size(&[f]) > 1000);
    all.sift(&[f]).unwrap();
    assert_eq!(all.size(&[f]), 2 * n);
}

#[test]
fn what_is_full_can_be_asked_again() {
    let mut all = Diagrams::new(&[1; 12], Cancel::new());
    let vars: Vec<Bdd> = (0..12).map(|v| all.var(v).unwrap()).collect();
    all.allow(14);
    let parity = |all: &mut Diagrams| vars.iter().try_fold(Bdd::FALSE, |f, &v| all.xor(f, v));
    assert_eq!(parity(&mut all), Err(Halt::Full));
    all.allow(1000);
    let f = parity(&mut all).unwrap();
    assert_eq!(all.size(&[f]), 12);
    let cancel = Cancel::new();
    cancel.cancel();
    let mut all = Diagrams::new(&[1; 64], cancel);
    let result = (0..64).try_fold(Bdd::FALSE, |f, v| {
        let v = all.var(v)?;
        all.xor(f, v)
    });
    assert!(matches!(result, Ok(_) | Err(Halt::Stop(_))));
    assert!(matches!(all.sift(&[result.unwrap_or(Bdd::TRUE)]), Err(Halt::Stop(_)) | Ok(())));
}
