//! VMT files.

use crate::support::{assert_same, random_system};
use fastrand::Rng;
use indubit_formats::vmt;
use indubit_term::Sort;

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
