use super::*;
use indubit_aig::simulate;
use indubit_logic::Var;

/// Latches `x` (three bits), `y` (three bits), `a`, `b` and an input `go`.
fn model() -> BitSystem {
    let mut model = BitSystem::new();
    for name in ["x[0]", "x[1]", "x[2]", "y[0]", "y[1]", "y[2]", "a", "b"] {
        model.add_latch(name, Some(false));
    }
    model.add_input("go");
    let (a, go) = (Lit::positive(model.latches()[6].var), model.inputs()[0].lit);
    let both = model.aig_mut().and(a, go);
    model.add_bad("both", both);
    model
}

/// The values of all lemmas, for each state and input of the model.
fn values(model: &BitSystem, candidates: &Invariant) -> Vec<Vec<bool>> {
    let mut aig = model.aig().clone();
    let edges = candidates.build(&mut aig, |_, var| Lit::positive(var));
    let n = model.latches().len() + model.inputs().len();
    let leaves: Vec<Var> =
        model.latches().iter().map(|l| l.var).chain(model.inputs().iter().map(|i| i.lit.var())).collect();
    (0..1u32 << n)
        .map(|number| {
            let mut values = vec![false; aig.n_vars()];
            leaves.iter().enumerate().for_each(|(i, leaf)| values[leaf.index()] = number >> i & 1 == 1);
            simulate::propagate_bools(&aig, &mut values);
            edges.iter().map(|&edge| simulate::value(&values, edge)).collect()
        })
        .collect()
}

/// Does the text mean what the function says of x, y, a, b and go?
#[track_caller]
fn means(text: &str, expected: fn(i64, i64, bool, bool, bool) -> bool) {
    let model = model();
    let lemmas = parse(text.as_bytes(), &model).unwrap();
    for (n, found) in (0i64..).zip(values(&model, &lemmas.candidates)) {
        let [a, b, go] = [6, 7, 8].map(|i| n >> i & 1 == 1);
        let (x, y) = (n & 7, n >> 3 & 7);
        assert_eq!(found.last(), Some(&expected(x, y, a, b, go)), "{text}: x = {x}, y = {y}, {a} {b} {go}");
    }
}

fn signed(x: i64) -> i64 {
    if x >= 4 { x - 8 } else { x }
}

#[test]
fn formulas_mean_what_they_say() {
    means("a", |_, _, a, _, _| a);
    means("!a | b & go", |_, _, a, b, go| !a || b && go);
    means("a -> b -> go", |_, _, a, b, go| !a || !b || go);
    means("a <-> b xor not go", |_, _, a, b, go| a == (b ^ !go));
    means("a ^ b | both", |_, _, a, b, go| (a ^ b) || a && go);
    means("a = b && go = 1 || @l6 != @i0", |_, _, a, b, go| a == b && go || a != go);
    means("!!(a and (b or false))", |_, _, a, b, _| a && b);
    means("l6 == b0", |_, _, a, _, go| a == (a && go));
    means("x = y", |x, y, _, _, _| x == y);
    means("x < y -> x[2:1] <= y[2:1]", |x, y, _, _, _| x >= y || x / 2 <= y / 2);
    means("x[1] = 0b1", |x, _, _, _, _| x >> 1 & 1 == 1);
    means("signed(x) >= 0", |x, _, _, _, _| signed(x) >= 0);
    means("signed(x) >= -3 & -signed(x[2:0]) > y", |x, y, _, _, _| signed(x) >= -3 && -signed(x) > y);
    means("signed(x) < y", |x, y, _, _, _| signed(x) < y);
    means("x + 1 <= y", |x, y, _, _, _| x < y);
    means("x + y + x - 3 = 0xb - (x - y)", |x, y, _, _, _| x + y + x - 3 == 11 - (x - y));
    means("x - y < a + go", |x, y, a, _, go| x - y < i64::from(a) + i64::from(go));
    means("def s := x + y\ndef t := s + s\n\n t > 9 -- twice", |x, y, _, _, _| 2 * (x + y) > 9);
    means("def x := signed(x)\nneg: x < 0", |x, _, _, _, _| signed(x) < 0);
    means("x >= 0", |_, _, _, _, _| true);
    means("0", |_, _, _, _, _| false);
    means("(x = 3) = a", |x, _, a, _, _| (x == 3) == a);
}

#[test]
fn lemmas_have_names_texts_and_lines() {
    let text = "\u{feff}# head\r\nfirst: a & b # end\r\n\r\n  \"odd one\" : !a\n`a`";
    let lemmas = parse(text.as_bytes(), &model()).unwrap();
    let lemma =
        |name: Option<&str>, text: &str, line| Lemma { name: name.map(Into::into), text: text.into(), line };
    assert_eq!(
        lemmas.lemmas,
        [lemma(Some("first"), "a & b", 2), lemma(Some("odd one"), "!a", 4), lemma(None, "`a`", 5)]
    );
    let nothing = parse(b"", &model()).unwrap();
    assert!(nothing.lemmas.is_empty() && nothing.candidates.is_trivial());
}

#[test]
fn errors_have_a_place_and_advice() {
    let message = |text: &str| parse(text.as_bytes(), &model()).unwrap_err().to_string();
    for (text, expected) in [
        (
            "a\na & goo",
            "line 2, column 5: found `goo`, expected the name of a signal or a definition (is it go?)",
        ),
        ("a & zebra", "(`indubit simulate` shows all names)"),
        (
            "x & a",
            "column 1: found `x`, a number of 3 bits, expected a single bit or a formula; compare it, as in x != 0",
        ),
        ("!(x)", "found `(x)`, a number of 3 bits"),
        ("x + 1", "found `x + 1`, a number, expected a formula"),
        ("x[3]", "found `x[3]`, expected bits from 2 down to 0"),
        ("x[5:1] = 0", "expected bits from 2 down to 0"),
        ("a b", "column 3: found `b`, expected an operator between two formulas"),
        ("a &", "column 4: found the end of the line, expected a formula"),
        ("(a | b", "column 7: found the end of the line, expected `)` for the `(` in column 1"),
        ("a)", "column 2: found `)`, expected nothing that was not opened"),
        ("()", "column 2: found `)`, expected a signal"),
        ("a = b = go", "column 7: found `=`, expected parentheses around one of two comparisons"),
        ("name:", "column 6: found the end of the line, expected a formula"),
        ("def", "a definition, as in def NAME := FORMULA"),
        ("def s = a", "column 7: found `=`, expected `:=`"),
        ("def s :=", "expected a formula"),
        ("def s := a\ndef s := b", "line 2, column 5: found a second definition of this name"),
        ("signed(a)", "expected a vector of signals in parentheses"),
        ("signed x >= 0", "expected a vector of signals in parentheses"),
        ("@l99", "expected a position that the model has"),
        ("a => b", "found `=>`"),
    ] {
        let found = message(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn nesting_is_no_matter_of_the_stack() {
    let deep = format!("{}a{}", "!(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(parse(deep.as_bytes(), &model()).unwrap().lemmas.len(), 1);
    let long = format!("{}a", "a -> !b ^ ".repeat(100_000));
    assert!(parse(long.as_bytes(), &model()).is_ok());
    let unbalanced = "(".repeat(500_000);
    assert!(parse(unbalanced.as_bytes(), &model()).is_err());
}

#[test]
fn what_would_not_fit_into_memory_is_refused() {
    // Each line doubles the number: it has as many bits as there are lines.
    let mut text = String::from("def n0 := x + 1\n");
    for i in 0..6000 {
        text += &format!("def n{} := n{i} + n{i} + a\n", i + 1);
    }
    let error = parse(text.as_bytes(), &model()).unwrap_err().to_string();
    assert!(error.contains("found numbers or formulas that are too large, expected smaller ones"), "{error}");
}

#[test]
fn random_bytes_are_no_panic() {
    let seeds: &[&[u8]] =
        &[b"def x := signed(x) + 1 # c", b"n: x[2:0] <= y -> a <-> \"b\" ^ @l3 & 0x1f", b"!(a|b)!=1"];
    let mut state = 1u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let model = model();
    for _ in 0..20_000 {
        let mut text = seeds[random(seeds.len())].to_vec();
        for _ in 0..=random(4) {
            let at = random(text.len());
            match random(4) {
                0 => text[at] = random(256) as u8,
                1 => drop(text.remove(at)),
                2 => text.insert(at, b"()[]:=<>!&|-+\"\n@0x"[random(18)]),
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                break;
            }
        }
        if let Ok(lemmas) = parse(&text, &model) {
            assert_eq!(lemmas.lemmas.len(), lemmas.candidates.clauses().len());
        }
    }
}

#[test]
fn what_is_written_is_read_back() {
    let mut model = BitSystem::new();
    // Names that are odd, used twice, absent, or look like something else.
    for name in ["d e", "same", "same", "", "l3", "gate7", "not", "x[7:0]"] {
        model.add_latch(name, None);
    }
    let latches: Vec<Lit> = model.latches().iter().map(|l| Lit::positive(l.var)).collect();
    model.push_input(Some(indubit_system::Name::new([0xff, b' '])));
    let input = model.inputs()[0].lit;
    let mut chain = model.aig_mut().and(input, latches[0]);
    model.add_bad("same", chain);
    for i in 0..30 {
        let part = model.aig_mut().and(chain, latches[i % 8]);
        let other = model.aig_mut().and(!chain, latches[(i + 3) % 8]);
        chain = model.aig_mut().or(part, !other);
    }
    let mut invariant = Invariant::new(model.aig().n_vars());
    let gate = invariant.and(chain, !latches[5]);
    let mut more = gate;
    for i in 0..20 {
        more = invariant.and(!more, latches[(3 * i) % 8] ^ (i % 3 == 0));
    }
    invariant.add(Clause::new([!latches[1], latches[2], latches[3], input]));
    invariant.add(Clause::new([gate, latches[4], !latches[6]]));
    invariant.add(Clause::new([!more, latches[7]]));
    invariant.add(Clause::new([!latches[0]]));
    let text = write(&model, &invariant, "one\ntwo");
    assert!(text.starts_with("# one\n# two\ndef gate_"), "{text}");
    let back = parse(text.as_bytes(), &model).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let all = |values: Vec<Vec<bool>>| values.iter().map(|v| v.iter().all(|&b| b)).collect::<Vec<_>>();
    assert_eq!(all(values(&model, &invariant)), all(values(&model, &back.candidates)), "{text}");
}
