//! What is wrong is named, with its place.

use indubit_formats::{chc, vmt};

#[track_caller]
fn vmt_error(text: &str, expected: &str) {
    let error = vmt::parse(text.as_bytes()).expect_err("the file is wrong").to_string();
    assert_eq!(error, expected);
}

#[track_caller]
fn chc_error(text: &str, expected: &str) {
    let error = chc::parse(text.as_bytes()).expect_err("the file is wrong").to_string();
    assert_eq!(error, expected);
}

const X: &str = "(declare-const x Int) (declare-const x' Int) (declare-const i Int)\n(define-fun s () Int (! x :next x'))\n";

#[test]
fn errors_of_syntax() {
    vmt_error(
        "(exit",
        "line 1, column 6: found the end of the file, expected `)` for the `(` in line 1, column 1",
    );
    vmt_error("(exit))", "line 1, column 7: found `)`, expected a command or the end of the file");
    vmt_error("x", "line 1, column 1: found `x`, expected a command such as (declare-fun x () Int)");
    vmt_error(
        "(declare-const |x Int)",
        "line 1, column 16: found `|x`, expected a symbol that ends with `|`",
    );
    vmt_error(
        "(assert (= 1a 2))",
        "line 1, column 12: found `1a`, expected a number such as 12 or 1.5, or a symbol in bars such as |1a|",
    );
    vmt_error("(assert #xg)", "line 1, column 9: found `#xg)`, expected a bit-vector such as #x1f or #b101");
    vmt_error("(assert \"a)", "line 1, column 9: found `\"a)`, expected a string that ends with `\"`");
    vmt_error(
        "(frobnicate)",
        "line 1, column 1: found `(frobnicate ...)`, expected a command of SMT-LIB that declares, defines or asserts",
    );
}

#[test]
fn errors_of_sorts() {
    let with = |term: &str| format!("{X}(define-fun t () Bool {term})");
    vmt_error(
        &with("(+ x 1)"),
        "line 3, column 23: found `(+ x 1)` of sort Int, expected a term of sort Bool",
    );
    vmt_error(
        &with("(and x true)"),
        "line 3, column 23: found `and` of `x` (sort Int) and `true` (sort Bool), expected Boolean terms",
    );
    vmt_error(
        &with("(= (div x i) 0)"),
        "line 3, column 26: found `div` by `i`, expected division by a constant that is not zero",
    );
    vmt_error(
        &with("(= (/ x 0) 0)"),
        "line 3, column 26: found `/` by zero, expected division by a constant that is not zero",
    );
    vmt_error(
        &with("(= (mod x (- 1 1)) 0)"),
        "line 3, column 26: found `mod` by zero, expected division by a constant that is not zero",
    );
    vmt_error(
        &with("(= z 0)"),
        "line 3, column 26: found `z`, which is not declared, expected a symbol that is declared before, or a function of SMT-LIB",
    );
    vmt_error(
        &with("(x 0)"),
        "line 3, column 24: found `x`, expected a function; this one takes no arguments",
    );
    vmt_error(
        &with("(forall ((y Int)) (= x y))"),
        "line 3, column 23: found `forall`, expected a formula without quantifiers",
    );
    vmt_error(
        &with("(= #b1 #b10)"),
        "line 3, column 23: found `=` of `#b1` (sort (_ BitVec 1)) and `#b10` (sort (_ BitVec 2)), expected terms of one sort",
    );
    vmt_error(
        &with("(= ((_ extract 3 1) #b10) #b1)"),
        "line 3, column 26: found `(_ extract 3 1)` of `#b10` (sort (_ BitVec 2)), expected indices inside the bit-vector, the greater one first",
    );
    vmt_error(
        &with("(select x 0)"),
        "line 3, column 23: found `select` of `x` (sort Int) and `0` (sort Int), expected an array and an index of its sort",
    );
    vmt_error(
        "(declare-fun m () (Array (Array Int Int) Int))",
        "line 1, column 19: found an array as an index, expected a sort: Bool, Int, Real, (_ BitVec n), or (Array INDEX ELEMENT) of these",
    );
    let deep = format!("(declare-fun m () {}Int{})", "(Array Int ".repeat(60_000), ")".repeat(60_000));
    vmt_error(
        &deep,
        "line 1, column 1119: found arrays in arrays, too many times, expected a sort: Bool, Int, Real, (_ BitVec n), or (Array INDEX ELEMENT) of these",
    );
    vmt_error(
        "(declare-fun m () (_ BitVec 0))",
        "line 1, column 29: found `0`, expected a width from 1 to 65536",
    );
    vmt_error(
        "(declare-fun f (Int) Int)",
        "line 1, column 1: found the uninterpreted function `f`, expected functions that are defined (define-fun)",
    );
    vmt_error(
        "(declare-const x Int) (declare-const x Bool)",
        "line 1, column 38: found a second definition of `x`, expected every symbol to be defined once",
    );
}

#[test]
fn errors_of_vmt() {
    let with = |rest: &str| format!("{X}{rest}");
    let init = "(define-fun .i () Bool (! (= x 0) :init true))";
    let trans = "(define-fun .t () Bool (! (= x' 0) :trans true))";
    vmt_error(X, "found the end of the file, expected a formula for initial states, annotated with :init");
    vmt_error(&with(init), "found the end of the file, expected a formula for steps, annotated with :trans");
    vmt_error(
        &with(&format!("(define-fun .i () Bool (! (= x' 0) :init)) {trans}")),
        "line 3, column 36: found :init over `x'`, expected current values only; this is a next value",
    );
    vmt_error(
        &with(&format!("(define-fun .i () Bool (! (= i 0) :init)) {trans}")),
        "line 3, column 35: found :init over `i`, expected state variables only; this variable has no :next",
    );
    vmt_error(
        &with("(define-fun .i () Int (! x :init))"),
        "line 3, column 28: found :init of `x` (sort Int), expected a Boolean term",
    );
    vmt_error(
        &with("(define-fun p () Bool (! (= x 0) :ctl-property 0))"),
        "line 3, column 34: found :ctl-property of `p`, expected properties of kind :invar-property, :live-property or :ltl-property; this one is not supported",
    );
    let property = "(define-fun p () Bool (! (= x' 0) :invar-property 0))";
    vmt_error(
        &with(&format!("{property}{init}{trans}")),
        "line 3, column 35: found a property over the next value `x'`, expected current values and inputs only",
    );
    vmt_error(
        &with("(define-fun p () Bool (! (= x 0) :invar-property x))"),
        "line 3, column 50: found `x`, expected the number of the property",
    );
    vmt_error(
        &with("(define-fun s2 () Int (! i :next x'))"),
        "line 3, column 28: found a second meaning of `i` or `x'`, expected each variable to be current or next once",
    );
    vmt_error(
        &with("(define-fun s2 () Int (! i :next))"),
        "line 3, column 28: found `:next`, expected the next value's name behind :next",
    );
    vmt_error(
        &with("(define-fun s2 () Int (! i :next 5))"),
        "line 3, column 34: found `5`, expected a variable that is declared before, which holds the next value",
    );
    vmt_error(
        &with("(define-fun s2 () Int (! (+ i 1) :next x'))"),
        "line 3, column 34: found :next of `(+ i 1)`, expected a variable that is declared",
    );
    vmt_error(
        &with("(assert (= x 0))"),
        "line 3, column 9: found `(= ...)`, expected `(assert true)`; what holds is said by :init and :trans",
    );
    let twice = "(define-fun p () Bool (! (= x 0) :invar-property 1)) (define-fun q () Bool (! (= x 1) :invar-property 1))";
    vmt_error(
        &with(&format!("{twice}{init}{trans}")),
        "line 3, column 87: found a second property with number 1, expected different numbers",
    );
}

#[test]
fn annotations_that_nobody_knows() {
    let property = |annotation: &str| format!("{X}(define-fun p () Bool (! (> x 0) {annotation}))");
    for (typed, meant) in [
        (":invar-propety", ":invar-property"),
        (":invarproperty", ":invar-property"),
        (":Invar-Property", ":invar-property"),
        (":ini", ":init"),
        (":trasn", ":trans"),
        (":nxt", ":next"),
        (":live-prop", ":live-property"),
        (":lt-property", ":ltl-property"),
        (":name", ":named"),
    ] {
        vmt_error(
            &property(&format!("{typed} 0")),
            &format!(
                "line 3, column 34: found `{typed}`, expected an annotation of VMT; did you mean `{meant}`?"
            ),
        );
    }
    vmt_error(
        &property(":axiom true"),
        "line 3, column 34: found `:axiom`, expected an annotation of VMT (:next, :init, :trans, :invar-property, :live-property, :ltl-property), or one such as :named",
    );
    for value in ["false", "0", "(and)"] {
        let error = vmt::parse(property(&format!(":init {value}")).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("expected no value, or `true`"), "{error}");
    }
    // What SMT-LIB and its solvers have is welcome.
    let harmless =
        property(":named q :pattern ((> x 0)) :weight 3 :qid here :predicate true :invar-property 0");
    let rest = "(define-fun .i () Bool (! (= x 0) :init)) (define-fun .t () Bool (! (= x' 0) :trans))";
    assert_eq!(vmt::parse(format!("{harmless}{rest}").as_bytes()).unwrap().properties.len(), 1);
}

#[test]
fn errors_of_chc() {
    let with = |rest: &str| format!("(declare-fun P (Int) Bool)\n{rest}");
    chc_error(
        &with("(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))"),
        "line 2, column 50: found both `P` and `P` in the body of a clause, expected at most one predicate there; nonlinear clauses are not supported",
    );
    chc_error(
        &with("(assert (forall ((x Int)) (or (P x) (P 0))))"),
        "line 2, column 37: found both `P` and `P` as heads of a clause, expected a Horn clause: one head",
    );
    chc_error(
        &with("(assert (forall ((x Int)) (= (P x) (= x 0))))"),
        "line 2, column 30: found `P` inside a formula that is not a Horn clause, expected clauses of the form (=> (and (P x) constraint) (Q y))",
    );
    chc_error(
        &with("(assert (exists ((x Int)) (P x)))"),
        "line 2, column 9: found `exists`, expected `forall` around clauses only, or `exists` below a negation",
    );
    chc_error(
        &with("(assert (P true))"),
        "line 2, column 12: found `true` of sort Bool, expected a term of sort Int",
    );
    chc_error(
        &with("(assert (P 1 2))"),
        "line 2, column 9: found `P` with 2 arguments, expected 1 arguments",
    );
    chc_error(
        "(declare-fun f (Int) Int)",
        "line 1, column 22: found the uninterpreted function `f`, expected predicates, which are of sort Bool",
    );
    chc_error(
        "(define-sort A () (Array Int Int)) (declare-fun P ((Array A Int)) Bool)",
        "line 1, column 52: found an array as an index, expected a sort: Bool, Int, Real, (_ BitVec n), or (Array INDEX ELEMENT) of these",
    );
    chc_error(
        "(declare-datatype L ((nil)))",
        "line 1, column 1: found `(declare-datatype ...)`, expected sorts Bool, Int, Real, (_ BitVec n) or (Array I E); datatypes are not supported",
    );
    chc_error(
        "(declare-const c Int)",
        "line 1, column 16: found a constant `c` that is to be found, expected predicates only; variables are bound by `forall`",
    );
}

#[test]
fn errors_in_sums_of_sums_name_the_summand() {
    vmt_error(
        &format!("{X}(define-fun t () Bool (= (+ 1 (- x true)) 0))"),
        "line 3, column 36: found `true` of sort Bool, expected a number",
    );
}

#[test]
fn quantifiers_are_refused_where_their_polarity_is_not_known() {
    let p = "(declare-fun P (Int) Bool)\n";
    let quantifier = |body: &str, at: usize| {
        let name = if body.contains("(forall") { "forall" } else { "exists" };
        chc_error(
            &format!("{p}(define-fun f () Bool {body}) (assert (=> f (P 5)))"),
            &format!(
                "line 2, column {at}: found `{name}`, expected `forall` around clauses only, or `exists` below a negation"
            ),
        );
    };
    quantifier("(forall ((x Int)) (> x 0))", 23);
    quantifier("(not (exists ((x Int)) (>= x 0)))", 28);
    // What a file calls `and` may be a negation.
    chc_error(
        &format!("{p}(define-fun and ((a Bool)) Bool (not a)) (assert (and (forall ((x Int)) (P x))))"),
        "line 2, column 55: found `forall`, expected `forall` around clauses only, or `exists` below a negation",
    );
}

#[test]
fn names_of_terms_over_bound_variables_are_not_used() {
    let p = "(declare-fun P (Int) Bool)\n";
    let refused = |text: &str, at: usize| {
        let expected = "names of terms whose variables are not bound around or inside them";
        let found = "`r`, which names a term over bound variables";
        let error = format!("line 3, column {at}: found {found}, expected {expected}");
        chc_error(&format!("{p}{text}"), &error);
    };
    refused("(assert (! (forall ((x Int)) (> x 0)) :named r))\n(assert (=> r (P 5)))", 13);
    refused("(assert (forall ((x Int)) (! (P x) :named r)))\n(assert (=> r false))", 13);
    refused("(define-fun f ((x Int)) Bool (! (> x 0) :named r))\n(assert (=> r (P 5)))", 13);
    // As labels they are welcome, and so are names of closed terms.
    let labels = "(assert (! (forall ((x Int)) (=> (> x 0) (P x))) :named rule)) (assert (! (=> (! (P 0) :named r) false) :named q)) (assert (=> r (P 1)))";
    assert_eq!(chc::parse(format!("{p}{labels}").as_bytes()).unwrap().predicates.len(), 1);
    vmt_error(
        &format!("{X}(define-fun f ((n Int)) Int (! n :named m))\n(define-fun g () Int (! i :next m))"),
        "line 4, column 33: found `m`, expected a variable that is declared before, which holds the next value",
    );
}

#[test]
fn files_that_unfold_without_end_are_refused() {
    let mut text =
        String::from("(declare-const x Int)\n(define-fun f0 ((n Int)) Int (mod (ite (= n 0) x n) 7))\n");
    for i in 1..200 {
        let below = i - 1;
        text += &format!("(define-fun f{i} ((n Int)) Int (+ (f{below} n) (f{below} (f{below} (+ n 1)))))\n");
    }
    let error = vmt::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("expected definitions that unfold to less"), "{error}");
    // Squares of squares: the term is small, the number is not.
    let mut text = String::from("(define-fun n0 () Int 3)\n");
    for i in 1..100 {
        text += &format!("(define-fun n{i} () Int (* n{} n{}))\n", i - 1, i - 1);
    }
    assert!(vmt::parse(text.as_bytes()).is_err());
    let digits = format!("(assert (= {} 1))", "9".repeat(100_000));
    assert!(vmt::parse(digits.as_bytes()).unwrap_err().to_string().contains("digits"));
}
