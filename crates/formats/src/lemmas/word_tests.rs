use super::*;
use crate::{chc, word_text};
use indubit_system::{WordProof, WordSystem};
use indubit_term::{BigRational, Op, Sort, Value};

const INTS: [&str; 4] = ["x", "y", "mod", "x-1"];
const REALS: [&str; 3] = ["r", "s", "if"];
const BOOLS: [&str; 4] = ["a", "b", "an odd name", "c|d"];

fn system() -> WordSystem {
    let mut system = WordSystem::new();
    for (names, sort) in [(&INTS[..], Sort::Int), (&REALS[..], Sort::Real), (&BOOLS[..], Sort::Bool)] {
        for name in names {
            system.add_state(name, sort);
        }
    }
    for (name, width) in [("v", 3), ("w", 3), ("one", 1), ("v[1]", 2)] {
        system.add_state(name, Sort::BitVec(width));
    }
    system.add_input("go", Sort::Bool);
    system
}

fn model() -> WordModel {
    WordModel::Vmt(system())
}

/// Values of state variables, by their names.
struct State<'s>(&'s WordSystem, Vec<Value>);

impl State<'_> {
    fn random<'s>(system: &'s WordSystem, random: &mut fastrand::Rng) -> State<'s> {
        let value = |term: Term, random: &mut fastrand::Rng| match system.terms.sort(term) {
            Sort::Bool => Value::Bool(random.bool()),
            Sort::Int => Value::int(random.i64(-6..7)),
            Sort::Real => Value::Real(BigRational::new(random.i64(-9..10).into(), random.i64(1..4).into())),
            Sort::BitVec(width) => Value::bits(width, random.u32(..)),
            sort @ Sort::Array(_) => Value::zero(sort),
        };
        State(system, system.states.iter().map(|v| value(v.current, random)).collect())
    }
    fn get(&self, name: &str) -> &Value {
        let is_called = |i: &usize| self.0.state_name(*i) == name;
        &self.1[(0..self.1.len()).find(is_called).unwrap()]
    }
    fn int(&self, name: &str) -> i64 {
        i64::try_from(self.get(name).as_int().unwrap()).unwrap()
    }
    fn bool(&self, name: &str) -> bool {
        self.get(name).as_bool().unwrap()
    }
    fn real(&self, name: &str) -> BigRational {
        self.get(name).as_rational().unwrap()
    }
    fn bits(&self, name: &str) -> i64 {
        i64::try_from(self.get(name).as_bits().unwrap()).unwrap()
    }
    fn holds(&self, terms: &Terms, formula: Term) -> bool {
        let position = |term: Term| self.0.states.iter().position(|v| v.current == term).unwrap();
        terms.holds(formula, &|term| self.1[position(term)].clone()).unwrap()
    }
}

/// Does the last lemma mean what the function says?
#[track_caller]
fn means(text: &str, expected: fn(&State<'_>) -> bool) {
    let system = system();
    let read = parse_words(text.as_bytes(), &WordModel::Vmt(system.clone()));
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(read.terms.extends(&system.terms));
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..400 {
        let state = State::random(&system, &mut random);
        let found = state.holds(&read.terms, *read.candidates.last().unwrap());
        assert_eq!(found, expected(&state), "{text}: {:?}", state.1);
    }
}

fn signed(x: i64) -> i64 {
    if x >= 4 { x - 8 } else { x }
}

#[test]
fn formulas_mean_what_they_say() {
    means("a and not b | |an odd name|", |s| s.bool("a") && !s.bool("b") || s.bool("an odd name"));
    means("a||b", |s| s.bool("a") || s.bool("b"));
    means("a | |an odd name| | \"c|d\"", |s| s.bool("a") || s.bool("an odd name") || s.bool("c|d"));
    means("a xor b -> a = b", |s| s.bool("a") == s.bool("b"));
    means("2*x - y*3 <= -(x + 1) * 2", |s| 2 * s.int("x") - 3 * s.int("y") <= -2 * (s.int("x") + 1));
    means("x * y > 4", |s| s.int("x") * s.int("y") > 4);
    means("x mod 3 = 1 & mod mod 2 = 0", |s| s.int("x").rem_euclid(3) == 1 && s.int("mod") % 2 == 0);
    means("-x mod 3 = 1", |s| (-s.int("x")).rem_euclid(3) == 1);
    means("x div -2 * 2 = y - |x-1|", |s| s.int("x").div_euclid(-2) * 2 == s.int("y") - s.int("x-1"));
    means("r <= 3/2", |s| s.real("r") <= BigRational::new(3.into(), 2.into()));
    means("r/2 + x > 1.5", |s| {
        let x = BigRational::from_integer(s.int("x").into());
        s.real("r") / BigRational::from_integer(2.into()) + x > BigRational::new(3.into(), 2.into())
    });
    means("floor(r - s) = x", |s| {
        (s.real("r") - s.real("s")).floor() == BigRational::from_integer(s.int("x").into())
    });
    means("(if a then x else if b then y else 0) >= 0", |s| {
        let value = if s.bool("a") {
            s.int("x")
        } else if s.bool("b") {
            s.int("y")
        } else {
            0
        };
        value >= 0
    });
    means("if a then b else if x > 0 then a else !b", |s| {
        if s.bool("a") {
            s.bool("b")
        } else if s.int("x") > 0 {
            s.bool("a")
        } else {
            !s.bool("b")
        }
    });
    means("x != y <-> a", |s| (s.int("x") != s.int("y")) == s.bool("a"));
    means("def s := x + y + x\ndef t := s - x\ntwice: t + t > 0x5", |s| s.int("x") + s.int("y") >= 3);
    means("(or (not a) (let ((u (+ x 1))) (> u y))) & b", |s| {
        (!s.bool("a") || s.int("x") + 1 > s.int("y")) && s.bool("b")
    });
    means("(not (and a b))", |s| !(s.bool("a") && s.bool("b")));
}

#[test]
fn vectors_are_numbers() {
    means("v < w", |s| s.bits("v") < s.bits("w"));
    means("v = 5", |s| s.bits("v") == 5);
    means("v <= 9", |_| true);
    means("v > -1 & v != 8", |_| true);
    means("signed(v) < 0", |s| signed(s.bits("v")) < 0);
    means(
        "if a then v[0] else w <= 3",
        |s| if s.bool("a") { s.bits("v") % 2 == 1 } else { s.bits("w") <= 3 },
    );
    means("def s := v - w\nsigned(s) < 0", |s| s.bits("v") < s.bits("w"));
    means("signed(x) < 3 & signed(-x) < 3", |s| s.int("x") < 3 && -s.int("x") < 3);
    means("signed(v) < w", |s| signed(s.bits("v")) < s.bits("w"));
    means("v + 1 <= w", |s| s.bits("v") < s.bits("w"));
    means("v - w >= -2 & -signed(v) < 4", |s| s.bits("v") - s.bits("w") >= -2 && -signed(s.bits("v")) < 4);
    means("v + w + v - 3 = 11 - (v - w)", |s| 3 * s.bits("v") == 14);
    means("2*v * w = v + 30", |s| 2 * s.bits("v") * s.bits("w") == s.bits("v") + 30);
    means("signed(v) * w < -5", |s| signed(s.bits("v")) * s.bits("w") < -5);
    means("v mod 3 + w div 2 = 3", |s| s.bits("v") % 3 + s.bits("w") / 2 == 3);
    means("v[2:1] = 2 & w[0]", |s| s.bits("v") / 2 == 2 && s.bits("w") % 2 == 1);
    // The name comes first.
    means("v[1] = 3", |s| s.bits("v[1]") == 3);
    means("one & a = one", |s| s.bits("one") == 1 && s.bool("a"));
    means("(if a then v else -1) < w", |s| if s.bool("a") { s.bits("v") < s.bits("w") } else { true });
    means("signed(one) = -1", |s| s.bits("one") == 1);
}

#[test]
fn errors_have_a_place_and_advice() {
    for (text, expected) in [
        (
            "a\nx & a",
            "line 2, column 1: found `x`, of sort Int, expected a formula; compare it, as in x != 0",
        ),
        ("x + 1", "found `x + 1`, of sort Int, expected a formula"),
        ("r + x", "found `r + x`, of sort Real, expected a formula"),
        ("x + a = 1", "column 5: found `a`, of sort Bool, expected a number"),
        ("a = 1", "column 5: found `1`, of sort Int, expected a formula, like what it is compared with"),
        ("a < b", "column 1: found `a`, of sort Bool, expected a number"),
        ("-a = b", "column 2: found `a`, of sort Bool, expected a number"),
        (
            "v + x = 1",
            "column 5: found `x`, of sort Int, expected a bit-vector, or an integer that is a constant",
        ),
        ("v = 1.5", "found `1.5`, of sort Real, expected a bit-vector"),
        ("v & a", "found `v`, of sort (_ BitVec 3), expected a formula"),
        ("v + w | a", "found `v + w`, a sum of bit-vectors, expected a formula"),
        ("v div w = 1", "found `div` of bit-vectors by `w`, expected a number without sign"),
        ("v / 2 = 1", "found `/` of bit-vectors"),
        ("x mod 0 = 1", "expected division by a constant that is not zero"),
        ("x mod y = 1", "found `mod` by `y`"),
        ("r mod 2 = 1", "(sort Real)"),
        ("yy > 0", "found `yy`, expected the name of a state variable or a definition (is it y?)"),
        ("zebra > 0", "(there are x, y, |mod|, |x-1|, r, s, |if|, a, ...)"),
        ("go -> a", "found `go`, an input, expected current values of state variables only"),
        ("x.next > 0", "found `x.next`, a next value, expected current values"),
        ("v[3]", "found `v[3]`, expected bits from 2 down to 0"),
        ("x[3]", "a part of something of sort Int"),
        ("signed v > 0", "expected a bit-vector in parentheses"),
        // Its width is nobody's business.
        ("signed(v * w) > 0", "expected a bit-vector in parentheses"),
        ("def s := v * w\nsigned(s) > 0", "expected a bit-vector in parentheses"),
        ("def v := w\nv[0]", "line 2, column 1: found `v[0]`, a part of what a definition hides"),
        ("def v := w\nv[1:0] = 1", "found `v[1:0]`, a part of what a definition hides"),
        ("def x := y\n(= x 7)", "line 2, column 1: found `(= x 7)`, expected formulas in infix"),
        ("abs(x) > 0", "found the function abs"),
        ("floor(x, y) > 0", "found the function floor"),
        ("if a then x", "column 12: found the end of the line, expected `else` for the `if` in column 1"),
        ("(if a) then x else y", "column 6: found `)`, expected `then` for the `if` in column 2"),
        ("a then b", "expected a `if` before `then`"),
        ("(a, b)", "expected a comma between arguments of a function only"),
        ("a b", "expected an operator between two formulas: & | ^ -> <-> = != < <= > >= + - * / div mod"),
        ("|an odd", "expected a name that ends with `|` in the same line"),
        ("3x > 0", "a name that begins with a digit is written in bars"),
        ("1. > 0", "expected a number"),
        ("a & ?", "is written in bars or quotes, as in |odd name|"),
        ("@l0", "expected a formula"),
        ("()", "expected a variable, a number or a formula"),
        ("a & (or a q)", "line 1, column 11: found `q`, which is not declared"),
        ("(or a go)", "column 1: found `go`, an input"),
        ("(or a", "expected a `)` that closes it"),
    ] {
        let found = parse_words(text.as_bytes(), &model()).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
    let mut twice = WordSystem::new();
    twice.add_state("x", Sort::Bool);
    twice.add_state("x", Sort::Bool);
    let error = parse_words(b"x", &WordModel::Vmt(twice)).unwrap_err().to_string();
    assert!(error.contains("found `x`, the name of several variables"), "{error}");
}

/// A random formula or number over the variables of the system.
struct Random<'r> {
    variables: Vec<Term>,
    random: &'r mut fastrand::Rng,
}

impl Random<'_> {
    fn variable(&mut self, terms: &Terms, sort: Sort) -> Term {
        let fitting: Vec<Term> = self.variables.iter().copied().filter(|&v| terms.sort(v) == sort).collect();
        fitting[self.random.usize(..fitting.len())]
    }
    /// A comparison of bit-vectors, or a bit.
    fn about_vectors(&mut self, t: &mut Terms) -> Term {
        let is_vector = |&&v: &&Term| matches!(t.sort(v), Sort::BitVec(_));
        let vectors: Vec<Term> = self.variables.iter().filter(is_vector).copied().collect();
        let a = vectors[self.random.usize(..vectors.len())];
        let width = t.width(a);
        let same: Vec<Term> = vectors.into_iter().filter(|&v| t.width(v) == width).collect();
        let b = match self.random.bool() {
            true => same[self.random.usize(..same.len())],
            false => t.bits(width, self.random.u32(..1 << width)),
        };
        let pair = if self.random.bool() { [a, b] } else { [b, a] };
        match self.random.u32(..4) {
            0 => t.bv(Op::BvUlt, &pair),
            1 => t.bv(Op::BvSlt, &pair),
            2 => t.eq(a, b),
            _ => {
                // There is a variable `v[1]`, which hides a bit of `v`.
                let at = if t.name(a) == Some("v") { 0 } else { self.random.u32(..width) };
                let (bit, value) = (t.extract(at, at, a), t.bits(1, self.random.u32(..2)));
                t.eq(bit, value)
            }
        }
    }
    fn term(&mut self, t: &mut Terms, sort: Sort, depth: usize) -> Term {
        let number = if self.random.bool() { Sort::Int } else { Sort::Real };
        let constant = self.random.i64(-4..5);
        if depth == 0 {
            return match (sort, self.random.u32(..4)) {
                (Sort::Int, 0) => t.int(constant),
                (Sort::Real, 0) => t.real(BigRational::new(constant.into(), self.random.i64(1..4).into())),
                _ => self.variable(t, sort),
            };
        }
        let mut below = |sort: Sort, t: &mut Terms| {
            let depth = self.random.usize(..depth);
            self.term(t, sort, depth)
        };
        if sort == Sort::Bool {
            let pair = [below(sort, t), below(sort, t)];
            let numbers = [below(number, t), below(number, t)];
            return match self.random.u32(..10) {
                9 => self.about_vectors(t),
                0 | 1 => t.and(&pair),
                2 | 3 => t.or(&pair),
                4 => t.eq(pair[0], pair[1]),
                5 => t.not(pair[0]),
                6 => t.le(numbers[0], numbers[1]),
                7 => t.lt(numbers[0], numbers[1]),
                _ => t.eq(numbers[0], numbers[1]),
            };
        }
        let pair = [below(sort, t), below(sort, t)];
        let (condition, other) =
            (below(Sort::Bool, t), below(if sort == Sort::Int { Sort::Real } else { Sort::Int }, t));
        match (self.random.u32(..9), sort) {
            (0 | 1, _) => t.add(&pair),
            (2, _) => t.sub(pair[0], pair[1]),
            (3, _) => t.mul(pair[0], pair[1]),
            (4, _) => t.ite(condition, pair[0], pair[1]),
            (5, Sort::Int) => t.to_int(other),
            (6 | 7, Sort::Int) if constant != 0 => {
                let divisor = t.int(constant);
                let op = if self.random.bool() { Op::Div } else { Op::Mod };
                t.apply(op, &[pair[0], divisor]).unwrap()
            }
            (5, _) => t.to_real(other),
            (6, _) => t.scale(&BigRational::new(constant.into(), 3.into()), pair[0]),
            _ => t.neg(pair[0]),
        }
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let system = system();
    let mut random = fastrand::Rng::with_seed(11);
    let mut n_long = 0;
    for i in 0..4000 {
        let mut terms = system.terms.clone();
        let variables = system.states.iter().map(|v| v.current).collect();
        let mut draw = Random { variables, random: &mut random };
        let formula = if i % 200 == 0 {
            // Names that SMT-LIB has not.
            draw.variables.retain(|&v| !matches!(terms.name(v), Some("mod" | "c|d")));
            let mut parts: Vec<Term> = (0..400).map(|_| draw.term(&mut terms, Sort::Bool, 6)).collect();
            parts.retain(|&part| matches!(terms.op(part), Op::And | Op::Eq));
            terms.or(&parts)
        } else {
            draw.term(&mut terms, Sort::Bool, 6)
        };
        let text = word_text::write(&terms, formula, None);
        n_long += usize::from(text.contains("(let ") || text.contains("(or "));
        let read = parse_words(text.as_bytes(), &WordModel::Vmt(system.clone()));
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        for _ in 0..8 {
            let state = State::random(&system, &mut random);
            let found = read.candidates.iter().all(|&c| state.holds(&read.terms, c));
            assert_eq!(found, state.holds(&terms, formula), "{text}");
        }
    }
    assert!(n_long > 10, "some are too long for infix");
}

#[test]
fn nesting_and_size_are_no_matter() {
    let parse = |text: &str| parse_words(text.as_bytes(), &model());
    let deep = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(100_000), close.repeat(100_000))
    };
    assert!(parse(&deep("!(", "a", ")")).is_ok());
    assert!(parse(&deep("not (", "a", ")")).is_ok());
    assert!(parse(&deep("x - (", "y", ")")).is_err());
    assert!(parse(&(deep("x - (", "y", ")") + " = 0")).is_ok());
    assert!(parse(&(deep("v - (", "w", ")") + " = 0")).is_ok());
    assert!(parse(&deep("if a then b else (", "b", ")")).is_ok());
    assert!(parse(&deep("(or a ", "b", ")")).is_ok());
    assert!(parse(&"(".repeat(100_000)).is_err());
    assert!(parse(&"if ".repeat(100_000)).is_err());
    assert!(parse(&format!("{}a", "a -> !b ^ ".repeat(100_000))).is_ok());
    assert!(parse(&format!("x = {}", "9".repeat(100_000))).is_err());
    assert!(parse(&format!("x = {}", "9".repeat(1_000))).is_ok());
    assert!(parse(&format!("v = {}", "9".repeat(1_000))).is_ok());
    // Each line doubles a number, or a vector, or multiplies.
    for (start, step) in [
        ("x", "n + n + y"),
        ("v", "n + n + v"),
        ("v", "n * n"),
        ("x", "n * n"),
        ("x", "3 * n"),
        ("r", "n / 3"),
        ("x", "n * (n + 1)"),
    ] {
        let mut text = format!("def n0 := {start}\n");
        for i in 0..20_000 {
            text += &format!("def n{} := {}\n", i + 1, step.replace('n', &format!("n{i}")));
        }
        match parse(&text) {
            Ok(read) => assert!(read.terms.size() < 1_000_000 + 32 * text.len()),
            Err(error) => assert!(error.to_string().contains("too large"), "{error}"),
        }
    }
    assert!(parse("").unwrap().lemmas.is_empty());
    assert!(parse_words(b"\xff\xfe > 0", &model()).is_err());
    assert!(parse_words(b"|\xff| > 0", &model()).is_err());
    assert!(parse_words(b"(define-fun \xff () Bool true)", &model()).is_err());
}

#[test]
fn random_bytes_are_no_panic() {
    let seeds: &[&[u8]] = &[
        b"def u := signed(v) + 1 # c",
        b"n: v[2:0] <= w -> a <-> |an odd name| ^ (if a then x else y mod 2) > 3/2*r - 0x1f",
        b"(or a (let ((_l0 (+ x 1))) (< _l0 y))) & floor(r) div 3 != -1.5",
        b"(define-fun p () Bool (and (> x 0) a))\n(define-fun f ((u Int)) Int (+ u 1))",
    ];
    let mut random = fastrand::Rng::with_seed(3);
    let model = model();
    for _ in 0..20_000 {
        let mut text = seeds[random.usize(..seeds.len())].to_vec();
        for _ in 0..=random.usize(..4) {
            let at = random.usize(..text.len());
            match random.u32(..4) {
                0 => text[at] = random.u8(..),
                1 => drop(text.remove(at)),
                2 => text.insert(at, b"()[]:=<>!&|-+\"\n*0/,"[random.usize(..19)]),
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                break;
            }
        }
        if let Ok(read) = parse_words(&text, &model) {
            assert_eq!(read.lemmas.len(), read.candidates.len());
        }
    }
}

#[test]
fn definitions_are_lemmas() {
    let text = b"; from a solver
        (define-fun limit () Int 3)
        (define-fun below ((u Int)) Bool (< u limit))
        (define-fun first () Bool (and a (below x)))

        (define-fun second () Bool (=> first b))";
    let system = system();
    let read = parse_words(text, &WordModel::Vmt(system.clone())).unwrap();
    let lemma = |name: &str, text: &str, line| Lemma { name: Some(name.into()), text: text.into(), line };
    assert_eq!(
        read.lemmas,
        [lemma("first", "a", 4), lemma("first", "x <= 2", 4), lemma("second", "(a and x <= 2) -> b", 6)]
    );
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..100 {
        let state = State::random(&system, &mut random);
        let found: Vec<bool> = read.candidates.iter().map(|&c| state.holds(&read.terms, c)).collect();
        let (a, below) = (state.bool("a"), state.int("x") < 3);
        assert_eq!(found, [a, below, !(a && below) || state.bool("b")]);
    }
    for (text, expected) in [
        ("(define-fun p () Bool go)", "found `go`, an input"),
        ("(define-fun p () Bool (> x.next 0))", "found `x.next`, a next value"),
        ("(define-fun p () Bool q)", "found `q`, which is not declared"),
        ("(define-fun x () Bool a)", "a second definition of `x`"),
        (
            "(define-fun p () Bool a)\n(assert a)",
            "line 2, column 1: found `(assert ...)`, expected definitions only",
        ),
        ("(define-fun p () Bool a)\n(declare-fun q () Bool)", "expected definitions only"),
        ("(define-fun p () Bool a) b", "expected definitions only"),
        (
            "(define-fun state ((x Int)) Bool (> x 0))",
            "found other parameters of `state`, expected 15 of them",
        ),
        (
            "(define-fun State ((x Int)) Bool (> x 0))",
            "column 13: found a definition of `State` that nothing uses, expected lemmas that use it, or the name of a predicate: state",
        ),
        ("(define-fun p () Bool (forall ((z Int)) (> z x)))", "without quantifiers"),
    ] {
        let found = parse_words(text.as_bytes(), &WordModel::Vmt(system.clone())).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
    // In their order, and one that is wrong leaves the others as they are.
    let text = b"(define-fun p () Bool (and (> y 1) (and b (not b)) true (>= x 0)))";
    let read = parse_words(text, &model()).unwrap();
    let texts: Vec<&str> = read.lemmas.iter().map(|l| &*l.text).collect();
    assert_eq!(texts, ["y >= 2", "b", "not b", "x >= 0"]);
    for text in [
        "sat\n(model (define-fun p () Bool a))",
        "sat ((define-fun p () Bool a))",
        "(model (define-fun p () Bool a))",
        "( (define-fun p () Bool a) )",
        "(define-const p Bool a)",
    ] {
        assert_eq!(parse_words(text.as_bytes(), &model()).unwrap().lemmas.len(), 1, "{text}");
    }
}

#[test]
fn written_invariants_are_read_back() {
    let system = system();
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..300 {
        let mut terms = system.terms.clone();
        let variables = system.states.iter().map(|v| v.current).collect();
        let invariant = Random { variables, random: &mut random }.term(&mut terms, Sort::Bool, 7);
        let proof = WordProof::Inductive { terms, invariant };
        let model = WordModel::Vmt(system.clone());
        let text = model.definitions(&[(0, &proof)]).unwrap();
        let read = parse_words(text.as_bytes(), &model).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let WordProof::Inductive { terms, .. } = proof else { unreachable!() };
        for _ in 0..8 {
            let state = State::random(&system, &mut random);
            let found = read.candidates.iter().all(|&c| state.holds(&read.terms, c));
            assert_eq!(found, state.holds(&terms, invariant), "{text}");
        }
    }
}

const PLACES: &[u8] = b"(set-logic HORN)
    (declare-fun p-1 (Int Bool) Bool)
    (declare-fun q (Int Real) Bool)
    (declare-fun end () Bool)
    (assert (forall ((n Int) (b Bool)) (=> (= n 0) (p-1 n b))))
    (assert (forall ((n Int) (b Bool) (r Real)) (=> (and (p-1 n b) b) (q (+ n 1) r))))
    (assert (forall ((m Int) (r Real)) (=> (and (q m r) (> r 1.0)) (p-1 m true))))
    (assert (forall ((m Int) (r Real)) (=> (and (q m r) (> m 9)) end)))
    (assert (=> end false))";

#[test]
fn lemmas_about_predicates() {
    let chc = chc::parse(PLACES).unwrap();
    let model = WordModel::Chc(chc.clone());
    let read = parse_words(b"|p-1|: n >= 0 | b\nq: m >= 1 & r < 3/2\nend: false", &model).unwrap();
    assert_eq!(
        read.lemmas.iter().map(|l| l.name.as_deref()).collect::<Vec<_>>(),
        [Some("p-1"), Some("q"), Some("end")]
    );
    // What is read says of each predicate what was written about it, and nothing of others.
    let mut terms = read.terms.clone();
    let all = terms.and(&read.candidates);
    let text = chc.text(&terms, all, None);
    assert_eq!(text, "|p-1|: b or n >= 0\nq: m >= 1\nq: r < 3/2\nend: false\n");
    let back = parse_words(text.as_bytes(), &model).unwrap();
    let definitions = parse_words(chc.model(&terms, all).as_bytes(), &model).unwrap();
    assert_eq!(
        definitions.lemmas.iter().map(|l| &*l.text).collect::<Vec<_>>(),
        ["b or n >= 0", "m >= 1", "r < 3/2", "false"]
    );
    assert_eq!(definitions.lemmas[1].name.as_deref(), Some("q"));
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        let state = State::random(&chc.system, &mut random);
        let value = |read: &WordLemmas| read.candidates.iter().all(|&c| state.holds(&read.terms, c));
        assert_eq!((value(&read), value(&read)), (value(&back), value(&definitions)), "{:?}", state.1);
    }
    for (text, expected) in [
        (
            "n >= 0",
            "found `n >= 0`, expected a predicate in front of its lemma, as in PREDICATE: FORMULA; it is one of |p-1|, q or end",
        ),
        ("pp: n >= 0", "found `pp`, expected a predicate"),
        ("q: n >= 0", "found `n`, expected the name of an argument or a definition (there are m and r)"),
        ("end: n >= 0", "(there are none here)"),
        ("def z := 1", "found a definition, expected lemmas only"),
        (
            "(define-fun q ((m Int)) Bool true)",
            "found other parameters of `q`, expected 2 of them, of sorts Int Real",
        ),
        ("(define-fun z () Bool true)", "found a definition of `z` that nothing uses"),
        ("(define-fun end () Bool true)(define-fun end () Bool true)", "a second definition of `end`"),
    ] {
        let found = parse_words(text.as_bytes(), &model).unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
    let nothing = terms.bool(true);
    let read = parse_words(chc.text(&terms, nothing, None).as_bytes(), &model).unwrap();
    assert_eq!(read.candidates, [nothing]);
}

#[test]
fn one_predicate_needs_no_name() {
    // The fact adds a location where everything starts.
    let text = b"(set-logic HORN) (declare-fun inv (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= x (* 2 y)) (inv x))))
        (assert (forall ((x Int)) (=> (and (inv x) (= x 1)) false)))";
    let chc = chc::parse(text).unwrap();
    let model = WordModel::Chc(chc.clone());
    let read = parse_words(b"even: x mod 2 = 0\ndef z := x\nz != 1", &model).unwrap();
    assert_eq!(read.lemmas[0].name.as_deref(), Some("even"));
    let mut terms = read.terms.clone();
    let all = terms.and(&read.candidates);
    assert_eq!(chc.text(&terms, all, None), "x != 1\nx mod 2 = 0\n");
    // At the start they say nothing.
    let others = &chc.predicates[0].others;
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..100 {
        let state = State::random(&chc.system, &mut random);
        let is_here = others.iter().all(|(slot, value)| state.1[*slot] == *value);
        assert!(is_here || state.holds(&terms, all));
    }
    let definitions =
        parse_words(b"(define-fun inv ((u Int)) Bool (> u 0)) (define-fun l () Bool (< x 5))", &model);
    let definitions = definitions.unwrap();
    assert_eq!(
        definitions.lemmas.iter().map(|l| (l.name.as_deref(), &*l.text)).collect::<Vec<_>>(),
        [(None, "x >= 1"), (Some("l"), "x <= 4")]
    );
}
