//! BTOR2: what is read, what is written, what is refused.

use crate::support::assert_same;
use fastrand::Rng;
use indubit_formats::btor2;
use indubit_system::{Claim, WordSystem};
use indubit_term::{Op, Sort, Value};
use std::path::{Path, PathBuf};

fn parse(text: &str) -> WordSystem {
    btor2::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}")).system
}

fn refused(text: &str, expected: &str) {
    let error = btor2::parse(text.as_bytes()).expect_err(text);
    assert_eq!(error.to_string(), expected);
}

/// The value of an operator for constants, by what the file says about a bad state.
fn value_of(operator: &str, widths: &[u32], result: u32, args: &[u64], numbers: &str) -> u64 {
    let mut text = String::new();
    let mut sorts = widths.to_vec();
    sorts.push(result);
    for (i, width) in sorts.iter().enumerate() {
        text += &format!("{} sort bitvec {width}\n", i + 1);
    }
    let n = sorts.len();
    for (i, arg) in args.iter().enumerate() {
        text += &format!("{} constd {} {arg}\n", n + 1 + i, i + 1);
    }
    let ids: Vec<String> = (0..args.len()).map(|i| (n + 1 + i).to_string()).collect();
    let id = n + args.len() + 1;
    text += &format!(
        "{id} {operator} {n} {}{numbers}\n{} state {n} s\n{} next {n} {} {id}\n",
        ids.join(" "),
        id + 1,
        id + 2,
        id + 1
    );
    let system = parse(&text);
    let (found, _) = {
        let mut terms = system.terms.clone();
        let next = system.states[0].next;
        terms.definitions(system.trans, &[next].into_iter().collect(), |_| true)
    };
    let value = system.terms.evaluate(found[&system.states[0].next], &|_| unreachable!("constants only"));
    let value = value.expect("it can be evaluated");
    value.as_bits().expect("a bit-vector").try_into().expect("it is small")
}

#[test]
fn operators_mean_what_the_format_says() {
    let signed = |a: u64, w: u32| if a >> (w - 1) & 1 == 1 { a as i64 - (1 << w) } else { a as i64 };
    for w in [1u32, 2, 3, 4] {
        let mask = (1u64 << w) - 1;
        for (a, b) in (0..=mask).flat_map(|a| (0..=mask).map(move |b| (a, b))) {
            let (sa, sb) = (signed(a, w), signed(b, w));
            let fits = |n: i64| (-(1 << (w - 1))..(1 << (w - 1))).contains(&n);
            let turn = b as u32 % w;
            let rotated = |n: u32| ((a << n) | (a >> (w - n))) & mask;
            let shifted = if b >= w.into() { 0 } else { a << b };
            let table: &[(&str, u64)] = &[
                ("and", a & b),
                ("nand", !(a & b)),
                ("or", a | b),
                ("nor", !(a | b)),
                ("xor", a ^ b),
                ("xnor", !(a ^ b)),
                ("add", a + b),
                ("sub", a.wrapping_sub(b)),
                ("mul", a * b),
                ("udiv", a.checked_div(b).unwrap_or(mask)),
                ("urem", if b == 0 { a } else { a % b }),
                ("sdiv", if b == 0 { if sa < 0 { 1 } else { mask } } else { (sa / sb) as u64 }),
                ("srem", if b == 0 { a } else { (sa % sb) as u64 }),
                ("smod", if b == 0 { a } else { (((sa % sb) + sb) % sb) as u64 }),
                ("sll", shifted),
                ("srl", if b >= w.into() { 0 } else { a >> b }),
                ("sra", (sa >> b.min(63)) as u64),
                ("rol", rotated(turn)),
                ("ror", rotated((w - turn) % w)),
            ];
            for &(name, expected) in table {
                assert_eq!(value_of(name, &[w, w], w, &[a, b], ""), expected & mask, "{name} {w} {a} {b}");
            }
            let table: &[(&str, bool)] = &[
                ("eq", a == b),
                ("neq", a != b),
                ("ult", a < b),
                ("ulte", a <= b),
                ("ugt", a > b),
                ("ugte", a >= b),
                ("slt", sa < sb),
                ("slte", sa <= sb),
                ("sgt", sa > sb),
                ("sgte", sa >= sb),
                ("uaddo", a + b > mask),
                ("usubo", a < b),
                ("umulo", a * b > mask),
                ("udivo", false),
                ("saddo", !fits(sa + sb)),
                ("ssubo", !fits(sa - sb)),
                ("smulo", !fits(sa * sb)),
                ("sdivo", b != 0 && !fits(sa / sb)),
            ];
            for &(name, expected) in table {
                assert_eq!(
                    value_of(name, &[w, w], 1, &[a, b], ""),
                    u64::from(expected),
                    "{name} {w} {a} {b}"
                );
            }
            assert_eq!(value_of("concat", &[w, w], 2 * w, &[a, b], ""), a << w | b);
        }
        for a in 0..=mask {
            let sa = signed(a, w);
            let table: &[(&str, u32, u64, &str)] = &[
                ("not", w, !a & mask, ""),
                ("inc", w, (a + 1) & mask, ""),
                ("dec", w, a.wrapping_sub(1) & mask, ""),
                ("neg", w, a.wrapping_neg() & mask, ""),
                ("redand", 1, u64::from(a == mask), ""),
                ("redor", 1, u64::from(a != 0), ""),
                ("redxor", 1, u64::from(a.count_ones() % 2), ""),
                ("uext", w + 2, a, " 2"),
                ("uext", w, a, " 0"),
                ("sext", w + 2, sa as u64 & ((1 << (w + 2)) - 1), " 2"),
                ("slice", 1, a >> (w - 1), &format!(" {0} {0}", w - 1)),
            ];
            for (name, result, expected, numbers) in table {
                assert_eq!(value_of(name, &[w], *result, &[a], numbers), *expected, "{name} {w} {a}");
            }
        }
    }
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(value_of("implies", &[1, 1], 1, &[a, b], ""), u64::from(a <= b));
        assert_eq!(value_of("iff", &[1, 1], 1, &[a, b], ""), u64::from(a == b));
        assert_eq!(value_of("ite", &[1, 1, 1], 1, &[a, b, 1], ""), if a == 1 { b } else { 1 });
        assert_eq!(value_of("ite", &[1, 3, 3], 3, &[a, 5, 2], ""), if a == 1 { 5 } else { 2 });
    }
}

const MEMORY: &str = "\
; a memory that is written and read
1 sort bitvec 2
2 sort bitvec 8
3 sort array 1 2
4 sort bitvec 1
5 zero 2
6 state 3 mem
7 init 3 6 5
8 input 1 address
9 input 2 data
10 write 3 6 8 9
11 next 3 6 10
12 read 2 6 8
13 consth 2 ff
14 eq 4 12 13
15 ult 4 9 13
16 constraint 15 small
17 bad 14 all ones ; memory.sv:7.5-7.20
18 state 4
19 justice 2 14 -18 often ; memory.sv:9
20 fair 18
21 output 12 q
";

#[test]
fn a_file_with_everything() {
    refused(MEMORY, "line 18, column 15: found `ones`, expected the end of the line, or `;` and a comment");
    let text = MEMORY.replace("all ones", "all_ones");
    let model = btor2::parse(text.as_bytes()).unwrap();
    let system = &model.system;
    system.validate().unwrap();
    assert_eq!((system.states.len(), system.inputs.len(), system.constraints.len()), (2, 2, 1));
    assert_eq!((&model.states[..], &model.inputs[..]), (&[6, 18][..], &[8, 9][..]));
    let sort = Sort::array(Sort::BitVec(2), Sort::BitVec(8)).unwrap();
    assert_eq!(system.terms.sort(system.states[0].current), sort);
    let titles: Vec<String> = system.properties.iter().map(|p| p.title()).collect();
    assert_eq!(titles, ["all_ones (b0)", "often (j0)"]);
    assert_eq!(system.properties[0].source.as_ref().unwrap().to_string(), "memory.sv:7.5-7.20");
    let Claim::Justice(signals) = &system.properties[1].claim else { panic!("{:?}", system.properties[1]) };
    assert_eq!(signals.len(), 3);
    // The state variable without next value is free in each step.
    assert_eq!(system.unconstrained(), [1]);
    let written = btor2::write(system).unwrap();
    assert_same(system, &parse(&written), &mut Rng::with_seed(0));
    assert_eq!(
        btor2::write(&parse(&written)).unwrap(),
        btor2::write(&parse(&btor2::write(&parse(&written)).unwrap())).unwrap()
    );
}

#[test]
fn initial_values_may_depend_on_inputs_and_states() {
    let system = parse(
        "1 sort bitvec 4\n2 input 1 i\n3 state 1 a\n4 state 1 b\n5 init 1 4 3\n6 state 1 c\n7 init 1 6 2\n",
    );
    assert_eq!((system.state_name(3), system.constraints.len()), (".first", 1));
    let [a, b] = [0, 1].map(|i| system.states[i].current);
    let init = system.terms.conjuncts(system.init);
    assert!(init.iter().any(|&t| system.terms.op(t) == Op::Eq && system.terms.args(t) == [a, b]));
}

#[test]
fn what_is_wrong_is_named() {
    refused("1 sort bitvec 0", "line 1, column 15: found `0`, expected a width from 1 to 65536");
    refused(
        "1 sort bitvec 8\n1 zero 1",
        "line 2, column 1: found `1`, expected the number of the line, which is greater than those before",
    );
    refused(
        "1 sort bitvec 8\n2 inpu 1",
        "line 2, column 3: found `inpu`, expected sort, input, state, init, next, constraint, bad, justice, fair, output, a constant or an operator; is it `input`?",
    );
    refused(
        "1 sort bitvec 8\n2 input 1\n3 bad 2",
        "line 3, column 7: found a node of sort (_ BitVec 8), expected a single bit",
    );
    refused(
        "1 sort bitvec 8\n2 input 1\n3 eq 1 2 2",
        "line 3, column 6: found sort (_ BitVec 8), expected sort (_ BitVec 1), which `eq` gives here",
    );
    refused(
        "1 sort bitvec 8\n2 const 1 12",
        "line 2, column 11: found `12`, expected a number of 8 bits to the base 2",
    );
    refused(
        "1 sort bitvec 3\n2 constd 1 -5",
        "line 2, column 12: found `-5`, expected a number of 3 bits to the base 10",
    );
    refused(
        "1 sort bitvec 1\n2 input 1\n3 justice 9 2",
        "line 3, column 11: found 9 signals in a line with 1, expected the number of signals, and then these",
    );
    refused(
        "1 sort bitvec 8\n2 add 1",
        "line 2, column 8: found the end of the line, expected the number of a node",
    );
    refused(
        "1 sort bitvec 8\n2 sort bitvec 4\n3 input 1\n4 input 2\n5 add 1 3 4",
        "line 5, column 9: found `add` of (_ BitVec 8) and (_ BitVec 4), expected two bit-vectors of one width",
    );
    refused(
        "1 sort bitvec 8\n2 sort array 1 1\n3 state 2\n4 state 2\n5 sort bitvec 1\n6 eq 5 3 -4",
        "line 6, column 10: found the negation of an array, expected a bit-vector",
    );
    refused(
        "1 sort bitvec 8\n2 state 1\n3 zero 1\n4 init 1 2 3\n5 init 1 2 3",
        "line 5, column 10: found a second `init` of a state, expected one at most",
    );
    assert!(btor2::parse(b"1 sort bitvec 4\n2 constd 1 -8\n").is_ok());
}

#[test]
fn witnesses_are_read_again() {
    let model = btor2::parse(MEMORY.replace("all ones", "all_ones").as_bytes()).unwrap();
    let text =
        "sat\nb0\n#0\n1 1 free#0\n@0\n0 10 address@0\n1 00000011 data@0\n#1\n1 0\n@1\n0 10\n1 x0000000\n.\n";
    let (id, trace) = btor2::witness::parse(text.as_bytes(), &model).unwrap();
    assert_eq!((id.to_string(), trace.states.len()), ("b0".to_owned(), 2));
    let Value::Array(memory) = &trace.states[1][0] else { panic!("{trace:?}") };
    assert_eq!(*memory.get(&Value::bits(2, 2u32)), Value::bits(8, 3u32));
    let written = btor2::witness::write(&model, &model.system.properties[0], &trace);
    assert_eq!(btor2::witness::parse(written.as_bytes(), &model).unwrap(), (id, trace));
    for (wrong, expected) in [
        ("sat\nb0\n", "line 3, column 1: found the end of the file, expected `.`, the end of the witness"),
        ("sat\nb0\n@1\n.", "line 3, column 1: found `@1`, expected `#0` or `@0`, the next step"),
        ("sat\nb0\n@0\n7 1\n.", "line 4, column 1: found `7`, expected the position of an input, below 2"),
        (
            "sat\nb0\n@0\n0 111\n.",
            "line 4, column 3: found `111`, expected a binary number of sort (_ BitVec 2)",
        ),
        ("sat\n@0\n.", "line 2, column 1: found `@0`, expected a property, such as `b0` or `j0`"),
    ] {
        assert_eq!(
            btor2::witness::parse(wrong.as_bytes(), &model).unwrap_err().to_string(),
            expected,
            "{wrong}"
        );
    }
}

fn files_below(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => files_below(&path, files),
            Some("btor2" | "btor") => files.push(path),
            _ => (),
        }
    }
}

/// Written and read again, every file of the sets is the same.
#[test]
fn files_of_the_corpus_are_read() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    if let Some(corpus) = here.ancestors().map(|a| a.join("shared/bench/btor2")).find(|c| c.is_dir()) {
        files_below(&corpus, &mut files);
    }
    files_below(&here.join("../../examples"), &mut files);
    files.sort();
    let mut rng = Rng::with_seed(1);
    for path in files {
        let model = btor2::read(&path).unwrap_or_else(|error| panic!("{error}"));
        model.system.validate().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let written =
            btor2::write(&model.system).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again =
            btor2::parse(written.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if again.system.states.len() == model.system.states.len() {
            assert_same(&model.system, &again.system, &mut rng);
        }
        if let Some(directory) = std::env::var_os("INDUBIT_WRITE_BTOR2") {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            std::fs::write(Path::new(&directory).join(name + ".btor2"), written).unwrap();
        }
    }
}

/// Changed bytes and lines of files: an error or a model, never a panic.
#[test]
fn mutated_files_are_read_or_refused() {
    let n: u64 = std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let tags = [
        "ite", "read", "write", "slice", "sext", "concat", "init", "next", "bad", "justice", "constd",
        "smulo", "rol", "redxor",
    ];
    for seed in 0..n {
        let rng = &mut Rng::with_seed(seed);
        let mut lines: Vec<Vec<String>> =
            MEMORY.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
        for _ in 0..rng.usize(1..5) {
            let i = rng.usize(0..lines.len());
            let j = rng.usize(0..lines[i].len());
            match rng.u8(0..5) {
                0 => lines[i][j] = rng.i32(-25..25).to_string(),
                1 => lines[i][j] = tags[rng.usize(0..tags.len())].into(),
                2 => drop(lines[i].remove(j)),
                3 => lines[i].insert(j, rng.u64(..).to_string()),
                _ => lines[i][j].push(char::from(rng.u8(32..127))),
            }
            if lines[i].is_empty() {
                lines[i].push(String::new());
            }
        }
        let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        if let Ok(model) = btor2::parse(text.join("\n").as_bytes()) {
            assert_eq!(model.system.validate(), Ok(()), "seed {seed}");
            if let Ok(written) = btor2::write(&model.system) {
                assert!(btor2::parse(written.as_bytes()).is_ok(), "seed {seed}: {written}");
            }
        }
    }
}
