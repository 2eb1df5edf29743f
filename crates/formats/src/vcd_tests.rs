use super::*;
use indubit_system::{Name, Signal};
use indubit_term::Sort;

#[test]
fn golden() {
    let mut model = BitSystem::new();
    model.add_input("in 1");
    let low = model.add_latch("n[0]", Some(false));
    let high = model.add_latch("n[1]", Some(false));
    let odd = model.add_latch("", Some(true));
    model.set_next(low, !low);
    model.set_next(high, low);
    model.set_next(odd, odd);
    model.outputs.push(Signal { lit: high, name: Some("n[0]".into()) });
    model.add_bad("$end", high);
    let trace = Trace::finite(vec![false, false, true], vec![vec![false], vec![true], vec![true]]);
    assert_eq!(
        write(&model, "my model.aag", &trace),
        "\
$version Indubit $end
$timescale 1 ns $end
$scope module \\my_model.aag $end
$var integer 32 ! step $end
$var wire 1 \" in_1 $end
$var reg 2 # n [1:0] $end
$var reg 1 $ l2 $end
$var wire 1 % \\n[0] $end
$scope module bads $end
$var wire 1 & \\$end $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b0 !
0\"
b00 #
1$
0%
0&
$end
#1
b1 !
1\"
b01 #
#2
b10 !
b10 #
1%
1&
#3
"
    );
}

#[test]
fn the_loop_of_a_lasso_is_shown_three_times() {
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let a = model.add_latch("a", Some(false));
    model.set_next(a, i);
    model.justice.push(Justice { lits: vec![a, !a], name: None });
    model.justice.push(Justice { lits: vec![a], name: Some("seen".into()) });
    model.fairness.push(Signal { lit: i, name: None });
    let inputs = [false, true, false].map(|value| vec![value]).to_vec();
    let text = write(&model, "m", &Trace { initial: vec![false], inputs, loops_to: Some(1) });
    assert!(
        text.starts_with("$comment the run repeats steps 1 to 2 for ever; they are shown 3 times $end\n")
    );
    let found = read_back(&text);
    let values = |name: &str| found[name].1.join(" ");
    assert_eq!(values("lasso.round"), "b00 b01 b01 b10 b10 b11 b11");
    assert_eq!((values("i"), values("a")), ("0 1 0 1 0 1 0".into(), "0 0 1 0 1 0 1".into()));
    assert_eq!((values("justice.seen"), values("fairness.f0")), (values("a"), values("i")));
    assert_eq!(values("justice.\\j0.1"), "1 1 0 1 0 1 0");
}

#[test]
fn codes_are_distinct() {
    let codes: HashSet<String> = (0..20_000).map(code).collect();
    assert_eq!(codes.len(), 20_000);
    assert!(codes.iter().all(|c| c.bytes().all(|b| b.is_ascii_graphic())));
}

#[test]
fn names_are_legal_and_distinct() {
    let mut taken = HashSet::new();
    let mut name = |s: &str| reference(s, &mut taken);
    assert_eq!(name("a_b1"), "a_b1");
    assert_eq!(name("a_b1"), "a_b1_2");
    assert_eq!(name("u1.count"), "\\u1.count");
    assert_eq!(name("\\u1.x"), "\\u1.x");
    assert_eq!(name("7up"), "\\7up");
    assert_eq!(name(""), "_");
    assert_eq!(name("\\"), "\\\\");
    let odd = Name::new(*b"\xff\x01 z").to_string();
    assert_eq!(name(&odd), "___z");
}

/// What a waveform says: of each variable `scope.name`, its width, and its values step by step.
fn read_back(text: &str) -> HashMap<String, (usize, Vec<String>)> {
    let (head, body) = text.split_once("$enddefinitions $end\n").unwrap();
    let (mut scopes, mut names) = (Vec::new(), HashMap::new());
    for line in head.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["$scope", "module", name, "$end"] => scopes.push(name),
            ["$upscope", "$end"] => drop(scopes.pop().unwrap()),
            ["$var", kind, width, code, name, ref range @ .., "$end"] => {
                let width: usize = width.parse().unwrap();
                let is_vector = width > 1 && !matches!(kind, "real" | "integer");
                assert_eq!(range.len(), usize::from(is_vector), "{line}");
                let name = [&scopes[1..], &[name]].concat().join(".");
                assert!(names.insert(code, (name, width)).is_none(), "{line}");
            }
            ["$comment", .., "$end"] => (),
            _ => assert!(line.starts_with("$version") || line.starts_with("$timescale"), "{line}"),
        }
    }
    assert!(scopes.is_empty());
    let mut now: HashMap<&str, &str> = HashMap::new();
    let mut found: HashMap<String, (usize, Vec<String>)> = HashMap::new();
    let mut time: Option<usize> = None;
    for line in body.lines().filter(|line| !matches!(*line, "$dumpvars" | "$end")) {
        if let Some(next) = line.strip_prefix('#') {
            for (code, (name, width)) in names.iter().filter(|_| time.is_some()) {
                found.entry(name.clone()).or_insert((*width, vec![])).1.push(now[code].to_owned());
            }
            let next: usize = next.parse().unwrap();
            assert_eq!(next, time.map_or(0, |time| time + 1));
            time = Some(next);
            continue;
        }
        let (value, code) = match line.as_bytes()[0] {
            b'b' | b'r' => line.split_once(' ').unwrap(),
            _ => line.split_at(1),
        };
        let is_known = |c: char| matches!(c, '0' | '1');
        let width = names[code].1;
        match value.strip_prefix('b') {
            Some(digits) if code != "!" => assert_eq!(digits.chars().filter(|&c| is_known(c)).count(), width),
            None if !value.starts_with('r') => assert!(width == 1 && value.chars().all(is_known), "{line}"),
            _ => (),
        }
        // Only what changes is written.
        assert_ne!(now.insert(code, value), Some(value), "{line}");
    }
    found
}

/// A number in two's complement.
fn signed(value: &str) -> BigInt {
    let digits = value.trim_start_matches('b');
    let unsigned = BigInt::parse_bytes(digits.as_bytes(), 2).unwrap();
    if digits.starts_with('1') { unsigned - (BigInt::from(1) << digits.len()) } else { unsigned }
}

#[test]
fn specifications_are_in_the_waveform() {
    let mut model = BitSystem::new();
    let go = model.add_input("go");
    let up = model.add_latch("up", Some(false));
    model.set_next(up, go);
    model.add_cover("was up", up);
    let id = indubit_system::PropertyId::Invar(0);
    model.specs.push(Property::new(id, "down", indubit_system::Claim::Always(!up)));
    let trace = Trace::finite(vec![false], vec![vec![true], vec![false], vec![false]]);
    let found = read_back(&write(&model, "m", &trace));
    assert_eq!(found["up"], (1, ["0", "1", "0"].map(String::from).to_vec()));
    assert_eq!(found["properties.was_up"].1, ["0", "1", "0"]);
    assert_eq!(found["properties.down"].1, ["1", "0", "1"]);
}

#[test]
fn golden_of_words() {
    let mut system = WordSystem::new();
    let x = system.add_state("a number", Sort::Int).current;
    for (name, sort) in [("r", Sort::Real), ("v", Sort::BitVec(4)), ("one", Sort::BitVec(1))] {
        system.add_state(name, sort);
    }
    let go = system.add_input("go", Sort::Bool);
    let zero = system.terms.int(0);
    let (natural, negative) = (system.terms.ge(x, zero), system.terms.lt(x, zero));
    let natural = system.terms.or(&[natural, go]);
    system.add_invar("natural", natural);
    system.add_cover("below", negative);
    let real = |n: i32, d: i32| Value::Real(BigRational::new(n.into(), d.into()));
    let row = |x: i32, r: Value, v: u32| vec![Value::int(x), r, Value::bits(4, v), Value::bits(1, v)];
    let trace = WordTrace {
        states: vec![row(0, real(0, 1), 5), row(3, real(-1, 4), 5), row(-4, real(1, 3), 14)],
        inputs: [true, true, false].map(|go| vec![Value::Bool(go)]).to_vec(),
        loops_to: None,
    };
    assert_eq!(
        write_words(&system, &[], "m.vmt", &trace, &|_, _| None),
        "\
$version Indubit $end
$timescale 1 ns $end
$scope module \\m.vmt $end
$var integer 32 ! step $end
$var wire 1 \" go $end
$var reg 3 # a_number [2:0] $end
$var real 64 $ r $end
$var reg 4 % v [3:0] $end
$var reg 1 & one $end
$scope module properties $end
$var wire 1 ' natural $end
$var wire 1 ( below $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b0 !
1\"
b000 #
r0.0 $
b0101 %
1&
1'
0(
$end
#1
b1 !
b011 #
r-0.25 $
#2
b10 !
0\"
b100 #
r0.3333333333333333 $
b1110 %
0&
0'
1(
#3
"
    );
}

#[test]
fn widths_and_rounding() {
    let width = |n: i64| signed_width(&BigInt::from(n));
    assert_eq!([0, -1, 1, -2, 2, 127, -128, 128, -129].map(width), [1, 1, 2, 2, 3, 8, 8, 9, 9]);
    let ten = |n: u32| BigInt::from(10).pow(n);
    let ratio = |a: BigInt, b: BigInt| rounded(&BigRational::new(a, b));
    assert_eq!(ratio(ten(400) + 1, ten(399)), 10.0);
    assert_eq!(ratio(ten(400), 3.into()), f64::MAX);
    assert_eq!(ratio(-ten(400), 3.into()), f64::MIN);
    assert_eq!(ratio(1.into(), ten(400)), 0.0);
    assert_eq!([ratio((-7).into(), 2.into()), ratio(0.into(), 1.into())], [-3.5, 0.0]);
    assert_eq!(ratio(123_456_789.into(), ten(4)), 12345.6789);
}

/// Waveforms of examples, with values at random (a waveform need not be a run), say what the values are.
#[test]
fn examples_are_read_back() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut rng = fastrand::Rng::with_seed(1);
    let mut n_read = 0;
    for path in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let model = match crate::model::read(&path) {
            Ok(crate::model::Model::Words(model)) => model,
            _ => continue,
        };
        n_read += 1;
        let system = model.system();
        let mut value = |var: Term| match system.terms.sort(var) {
            Sort::Bool => Value::Bool(rng.bool()),
            Sort::Int => Value::int(rng.i64(-1_000_000..1_000_000) >> rng.u32(0..20)),
            Sort::Real => Value::Real(BigRational::new(rng.i32(-50..50).into(), 8.into())),
            Sort::BitVec(width) => Value::bits(width, rng.u32(..)),
            Sort::Array(_) => unreachable!("no example has arrays"),
        };
        let states = (0..9).map(|_| system.states.iter().map(|v| value(v.current)).collect()).collect();
        let inputs = (0..9).map(|_| system.inputs.iter().map(|&i| value(i)).collect()).collect();
        let trace: WordTrace = WordTrace::finite(states, inputs);
        let found = read_back(&write_words(system, &[], "title", &trace, &|_, _| None));
        let n_claims: usize = system.properties.iter().map(|p| p.claim.formulas().len()).sum();
        assert_eq!(found.len(), 1 + system.states.len() + system.inputs.len() + n_claims);
        let mut taken = HashSet::new();
        for (i, var) in system.states.iter().enumerate() {
            let name = reference(system.state_name(i), &mut taken);
            let (width, values) = &found[&name];
            let mut widest = 1;
            for (row, shown) in trace.states.iter().zip(values) {
                match &row[i] {
                    Value::Bool(bit) => assert_eq!(*shown, u8::from(*bit).to_string()),
                    Value::Int(number) => {
                        assert_eq!(signed(shown), *number);
                        widest = widest.max(signed_width(number));
                    }
                    Value::Real(number) => {
                        let parsed: f64 = shown.strip_prefix('r').unwrap().parse().unwrap();
                        assert_eq!(BigRational::new(((parsed * 8.0) as i64).into(), 8.into()), *number);
                    }
                    Value::Bits { value, .. } => {
                        assert_eq!(BigUint::parse_bytes(&shown.as_bytes()[1..], 2).as_ref(), Some(value));
                    }
                    Value::Array(_) => unreachable!("no example has arrays"),
                }
            }
            if system.terms.sort(var.current) == Sort::Int {
                assert_eq!(*width, widest);
            }
        }
        let claimed = |name: &str| name.starts_with("properties.");
        let n_good = found
            .iter()
            .filter(|(name, _)| claimed(name))
            .map(|(_, (_, values))| values.len())
            .sum::<usize>();
        assert_eq!(n_good, 9 * n_claims);
    }
    assert!(n_read >= 8, "{n_read}");
}

#[test]
fn elements_of_arrays_that_change_are_shown() {
    let mut system = WordSystem::new();
    let sort = Sort::array(Sort::BitVec(40), Sort::BitVec(2)).unwrap();
    system.add_state("m", sort);
    let Value::Array(mut table) = Value::zero(sort) else { unreachable!() };
    let before = Value::Array(table.clone());
    table.set(Value::bits(40, 5u32), Value::bits(2, 3u32));
    let states = vec![vec![before], vec![Value::Array(table)]];
    let trace = WordTrace::finite(states, vec![vec![], vec![]]);
    let found = read_back(&write_words(&system, &[], "title", &trace, &|_, _| None));
    let (width, values) = found.iter().find(|(name, _)| name.contains('5')).expect("an element").1;
    assert_eq!((*width, &values[..]), (2, &["b00".to_owned(), "b11".to_owned()][..]));
}
