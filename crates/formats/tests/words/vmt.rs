//! VMT files.

use crate::support::{assert_same, random_system};
use fastrand::Rng;
use indubit_formats::vmt;
use indubit_system::{Claim, Ltl, LtlBuilder, Property, PropertyId};
use indubit_term::{Sort, Term};

#[test]
fn what_is_written_is_read() {
    for seed in 0..500 {
        let rng = &mut Rng::with_seed(seed);
        let system = random_system(rng, true);
        let text = vmt::write(&system);
        let read = vmt::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_same(&system, &read, rng);
        let names = |s: &indubit_system::WordSystem| -> Vec<String> {
            s.properties.iter().map(|p| p.title()).collect()
        };
        assert_eq!(names(&system), names(&read));
        // Names that cannot stay change once.
        let again = vmt::write(&read);
        assert_same(&system, &vmt::parse(again.as_bytes()).expect("our own file"), rng);
    }
}

#[test]
fn a_file_with_everything() {
    let system = vmt::parse(
        br#"; a comment with ( and |
(set-info :source "a string with "" and ( in it")
(define-sort Word () (_ BitVec 8))
(declare-fun |x y| () Int) (declare-fun |x y'| () Int)
(declare-const w Word) (declare-const w.next Word)
(declare-fun i () Bool)
(define-fun inc ((n Int) (by Int)) Int (+ n by))
(define-fun .sv0 () Int (! |x y| :next |x y'|))
(define-fun .sv1 () Word (! w :pattern (a b "c") :next w.next))
(define-fun .init () Bool (! (and (= |x y| 0) (! (= w #x0f) :named low)) :init))
(define-fun .init2 () Bool (! (not (= w (_ bv255 8))) :init true))
(define-fun .trans () Bool (! (let ((|x y| (inc |x y| 1)) (z |x y|))
  (and (= |x y'| (ite i |x y| z)) (= w.next ((_ rotate_left 1) w)))) :trans true))
(define-fun second () Bool (! (<= 0 |x y|) :invar-property 7))
(define-fun first () Bool (! (or low (bvult w #xf1)) :invar-property 2))
(assert true)
(exit)
this is not looked at, but must be well-formed
"#,
    )
    .unwrap();
    assert_eq!((system.states.len(), system.inputs.len()), (2, 1));
    assert_eq!(system.state_name(0), "x y");
    assert_eq!(system.terms.sort(system.states[1].next), Sort::BitVec(8));
    let names: Vec<String> = system.properties.iter().map(|p| p.title()).collect();
    assert_eq!(names, ["first (p2)", "second (p7)"]);
    let text = system.terms.display(system.trans).to_string();
    assert!(text.contains("(ite i (+ |x y| 1) |x y|)"), "{text}");
}

#[test]
fn properties_without_numbers_get_free_ones() {
    let mut text =
        String::from("(declare-const x Int) (declare-const y Int) (define-fun s () Int (! x :next y))\n");
    text += "(define-fun i () Bool (! true :init)) (define-fun t () Bool (! true :trans))\n";
    for (name, number) in [("a", "3"), ("b", ""), ("c", "0"), ("d", "true"), ("e", "1")] {
        text += &format!("(define-fun {name} () Bool (! (> x 0) :invar-property {number}))\n");
    }
    let system = vmt::parse(text.as_bytes()).unwrap();
    let found: Vec<String> = system.properties.iter().map(|p| p.title()).collect();
    assert_eq!(found, ["c (p0)", "e (p1)", "b (p2)", "a (p3)", "d (p4)"]);
    assert_eq!(system.properties[0].line, Some(5));
}

#[test]
fn sums_of_sums_are_sums() {
    let head = "(declare-const x Int) (declare-const y Int) (declare-const r Real) (define-fun s () Int (! x :next y))
(define-fun i () Bool (! true :init))\n";
    let property = |term: &str| {
        let text = format!(
            "{head}(define-fun t () Bool (! true :trans)) (define-fun p () Bool (! {term} :invar-property 0))"
        );
        let system = vmt::parse(text.as_bytes()).unwrap();
        system.terms.display(system.properties[0].claim.formulas()[0]).to_string()
    };
    for (nested, flat) in [
        ("(= (+ (+ x 1) (- x 2 r) (- (- r x))) 0.0)", "(= (* 3.0 (to_real x)) (+ (* 2.0 r) 1.0))"),
        ("(>= (- (- 3 x) (- (- x) (+ 1 1))) 4)", "(>= 5 4)"),
        ("(>= (- (- (+ x x))) 4)", "(>= x 2)"),
        ("(>= (- (- (+ x x)) 1) 4)", "(<= (* 2 x) (- 5))"),
    ] {
        assert_eq!(property(nested), property(flat), "{nested}");
    }
    // The file's own `-` is something else.
    let own = format!(
        "{head}(define-fun - ((a Int)) Int (* 2 a)) (define-fun t () Bool (! (= y (+ (- x) 1)) :trans))"
    );
    let system = vmt::parse(own.as_bytes()).unwrap();
    assert_eq!(system.terms.display(system.trans).to_string(), "(= (+ (* 2 x) 1) y)");
    for left in [true, false] {
        let mut text = String::from(head);
        let mut sum = String::from("x");
        for i in 0..3000 {
            text += &format!("(declare-const i{i} Int)");
            let op = if i % 3 == 0 { "-" } else { "+" };
            sum = if left { format!("({op} {sum} i{i})") } else { format!("({op} i{i} {sum})") };
        }
        text += &format!("(define-fun t () Bool (! (= y {sum}) :trans))");
        let system = vmt::parse(text.as_bytes()).unwrap();
        assert_eq!(system.inputs.len(), 3000);
        assert!(system.terms.size() < 100_000, "{}", system.terms.size());
    }
}

#[test]
fn a_function_of_the_same_arguments_is_made_once() {
    let mut text = String::from(
        "(declare-const x Int) (declare-const y Int) (define-fun s () Int (! x :next y)) (define-fun i () Bool (! true :init))\n",
    );
    text += "(define-fun f ((a Int)) Bool (and";
    (0..1000).for_each(|i| text += &format!(" (> (+ a {i}) (mod a {}))", i + 2));
    text += "))\n(define-fun t () Bool (! (and";
    (0..20_000).for_each(|_| text += " (f x)");
    text += ") :trans))";
    assert!(vmt::parse(text.as_bytes()).is_ok());
}

#[test]
fn deep_files_are_no_problem() {
    let mut text =
        String::from("(declare-const x Int) (declare-const y Int) (define-fun s () Int (! x :next y))\n");
    text += "(define-fun i () Bool (! true :init)) (define-fun t () Bool (! ";
    let n = 50_000;
    for _ in 0..n {
        text += "(let ((x (ite (= (mod x 3) 1) y (+ x 1)))) ";
    }
    text += "(= x 0)";
    text += &")".repeat(n);
    text += " :trans))";
    assert!(vmt::parse(text.as_bytes()).is_ok());
    let nots = format!("(assert {} true {})", "(not ".repeat(100_000), ")".repeat(100_000));
    assert!(vmt::parse(nots.as_bytes()).unwrap_err().to_string().contains(":init"));
    let open = "(".repeat(1_000_000);
    assert!(vmt::parse(open.as_bytes()).unwrap_err().to_string().contains("expected `)`"));
}

const TEMPORAL: &str = "(declare-fun ltl.F (Bool) Bool)
(declare-fun x () Bool) (declare-fun x' () Bool) (declare-fun i () Bool)
(define-fun .x () Bool (! x :next x'))
(define-fun .init () Bool (! x :init)) (define-fun .trans () Bool (! true :trans))
";

fn temporal(formula: &str, kind: &str) -> Result<Property<Term>, String> {
    let text = format!("{TEMPORAL}(define-fun p () Bool (! {formula} :{kind}-property 4))");
    let system = vmt::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    system.validate().map_err(|error| error.to_string())?;
    Ok(system.properties[0].clone())
}

#[test]
fn what_runs_do_is_a_formula() {
    // `:live-property p` is `F G p`.
    let live = temporal("(and x i)", "live").unwrap();
    assert_eq!((live.id, live.title()), (PropertyId::Ltl(4), "p (ltl4)".into()));
    let same = temporal("(ltl.F (ltl.G (and x i)))", "ltl").unwrap();
    assert_eq!(live.claim, same.claim);
    let of = |make: fn(&mut LtlBuilder<Term>, [Term; 2]) -> indubit_system::LtlId| {
        let Claim::Ltl(formula) = temporal("(ltl.U x i)", "ltl").unwrap().claim else { panic!("a formula") };
        let mut builder = LtlBuilder::new();
        let root = make(&mut builder, [formula.atoms()[0], formula.atoms()[1]]);
        Claim::Ltl(builder.finish(root))
    };
    // Boolean operators, `let` and definitions around temporal ones.
    let text = "(let ((g (ltl.G (=> x (ltl.R i x))))) (= g (not (ltl.O i))))";
    let expected = of(|b, [x, i]| {
        let (x, i) = (b.atom(x), b.atom(i));
        let released = b.release(i, x);
        let kept = b.implies(x, released);
        let (always, once) = (b.globally(kept), b.once(i));
        let never = b.not(once);
        b.iff(always, never)
    });
    let Claim::Ltl(found) = temporal(text, "ltl").unwrap().claim else { panic!("a formula") };
    let Claim::Ltl(expected) = expected else { panic!("a formula") };
    let atoms = |formula: &Ltl<Term>| {
        let mut atoms = formula.atoms().to_vec();
        atoms.sort_unstable();
        atoms
    };
    assert_eq!(atoms(&found), atoms(&expected));
    // Constants are no atoms.
    let Claim::Ltl(truth) = temporal("(ltl.G (or true x))", "ltl").unwrap().claim else {
        panic!("a formula")
    };
    assert!(truth.atoms().is_empty(), "{truth:?}");
}

#[test]
fn next_values_in_formulas_are_remembered() {
    let text = format!("{TEMPORAL}(define-fun p () Bool (! (ltl.G (= x x')) :ltl-property))");
    let system = vmt::parse(text.as_bytes()).unwrap();
    assert_eq!(system.validate(), Ok(()));
    assert_eq!((system.states.len(), system.state_name(1)), (2, ".step1"));
    let Claim::Ltl(formula) = &system.properties[0].claim else { panic!("a formula") };
    assert_eq!(formula.atoms(), [system.states[1].current]);
}

#[test]
fn temporal_operators_stand_in_formulas_only() {
    for (definition, expected) in [
        (
            "(define-fun q () Bool (! (ltl.G x) :trans))",
            "found `ltl.G` in :trans, expected temporal operators in :ltl-property only",
        ),
        (
            "(define-fun q () Bool (! (ltl.G x) :invar-property))",
            "found `ltl.G` in a formula about one state",
        ),
        (
            "(define-fun q () Bool (! (ltl.U x) :ltl-property))",
            "found `ltl.U` with 1 arguments, expected 2 arguments",
        ),
        (
            "(define-fun g ((a Bool)) Bool (ltl.G a)) (define-fun q () Bool (! (g x) :ltl-property))",
            "found a temporal operator over a parameter",
        ),
        (
            "(define-fun q () Bool (! (= #b01 (bvadd (ite (ltl.G x) #b01 #b10) (ite i #b01 #b11))) :ltl-property))",
            "of a temporal formula, expected Boolean operators around temporal ones",
        ),
        ("(define-fun q () Bool (! (ltl.W x i) :ltl-property))", "found `ltl.W`, which is not declared"),
        ("(declare-fun yn () Bool) (define-fun .y () Bool (! (ltl.G x) :next yn))", "found :next of `ltl.G"),
        (
            "(define-fun q () Bool (! (ltl.G x) :ltl-property 18446744073709551615))",
            "expected the number of the property",
        ),
    ] {
        let error = vmt::parse(format!("{TEMPORAL}{definition}").as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{definition}: {error}");
    }
}

/// A random formula over some atoms, by all operators.
pub fn random_ltl(rng: &mut Rng, atoms: &[Term]) -> Ltl<Term> {
    let mut builder = LtlBuilder::new();
    let mut parts: Vec<_> = atoms.iter().map(|&atom| builder.atom(atom)).collect();
    for _ in 0..rng.usize(1..12) {
        let (a, b) = (parts[rng.usize(0..parts.len())], parts[rng.usize(0..parts.len())]);
        let b = &mut (&mut builder, b);
        parts.push(match rng.u8(0..17) {
            0 => b.0.not(a),
            1 => b.0.and(a, b.1),
            2 => b.0.or(a, b.1),
            3 => b.0.implies(a, b.1),
            4 => b.0.iff(a, b.1),
            5 => b.0.next(a),
            6 => b.0.finally(a),
            7 => b.0.globally(a),
            8 => b.0.until(a, b.1),
            9 => b.0.release(a, b.1),
            10 => b.0.yesterday(a),
            11 => b.0.weak_yesterday(a),
            12 => b.0.once(a),
            13 => b.0.historically(a),
            14 => b.0.since(a, b.1),
            15 => b.0.triggered(a, b.1),
            _ => b.0.finally_within(1, 2, a),
        });
    }
    builder.finish(*parts.last().expect("there is an atom"))
}

#[test]
fn formulas_are_written_and_read() {
    for seed in 0..500 {
        let rng = &mut Rng::with_seed(seed);
        let mut system = random_system(rng, true);
        let booleans: Vec<Term> = [system.init]
            .into_iter()
            .chain(system.properties.iter().map(|p| p.claim.formulas()[0]))
            .collect();
        system.properties.clear();
        for number in 0..2 {
            let claim = Claim::Ltl(random_ltl(rng, &booleans));
            system.properties.push(Property::new(PropertyId::Ltl(number), &format!("f{number}"), claim));
        }
        system.properties.push(Property::new(
            PropertyId::Justice(0),
            "often",
            Claim::Justice(booleans.clone()),
        ));
        let text = vmt::write(&system);
        let read = vmt::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(read.properties.len(), 3, "seed {seed}");
        for (ours, theirs) in system.properties.iter().zip(&read.properties).take(2) {
            assert_eq!(
                (ours.title(), ours.claim.kind()),
                (theirs.title(), theirs.claim.kind()),
                "seed {seed}"
            );
        }
        let again = vmt::write(&read);
        let third =
            vmt::parse(again.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{again}"));
        assert_eq!(third.properties.len(), 3, "seed {seed}");
    }
}
