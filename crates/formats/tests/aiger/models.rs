//! What AIGER files mean: goldens, corner cases of the format, and round trips of random systems.

use crate::support::{assert_round_trips, assert_same, random_system};
use fastrand::Rng;
use indubit_formats::aiger::{parse, write_ascii, write_binary};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Name};

/// A toggle flip-flop with enable and reset, gates listed before their fanins.
const TOGGLE: &str = "aag 7 2 1 2 4
2
4
6 8
6
7
8 4 10
10 13 15
12 2 6
14 3 7
i0 enable
i1 reset
l0 Q
o0 Q
o1 !Q
c
toggle
";

/// Every section of version 1.9 and every kind of reset.
const FULL: &str = "aag 8 2 4 1 2 2 1 2 2
2
4
6 14
8 7 1
10 11 10
12 16 15
16
14
9
1
2
0
2
4
6
12
16 15 8
14 5 3
i0 a b
l3 with function
o0 out
b1 second
c0 always
j1 never
j0 often
f1 fair
c
any
thing";

fn ids(system: &BitSystem) -> Vec<String> {
    system.properties().iter().map(|p| p.id.to_string()).collect()
}

#[test]
fn toggle_is_read_sorted_and_written() {
    let system = parse(TOGGLE.as_bytes()).unwrap();
    assert_eq!((system.inputs().len(), system.latches().len(), system.aig().n_ands()), (2, 1, 4));
    assert_eq!(ids(&system), ["o0", "o1"]);
    // Q toggles when enabled and not reset.
    for (q, enable, reset, next) in
        [(false, true, true, true), (true, true, true, false), (true, true, false, false)]
    {
        let values = system.evaluate(&[q], &[enable, reset]);
        assert_eq!(system.next_state(&values), [next]);
    }
    let written = "aag 7 2 1 2 4
2
4
6 14
6
7
8 7 3
10 6 2
12 11 9
14 12 4
i0 enable
i1 reset
l0 Q
o0 Q
o1 !Q
c
toggle
";
    assert_eq!(String::from_utf8(write_ascii(&system)).unwrap(), written);
    assert_eq!(
        write_binary(&system),
        b"aig 7 2 1 2 4\n14\n6\n7\n\x01\x04\x04\x04\x01\x02\x02\x08i0 enable\ni1 reset\nl0 Q\no0 Q\no1 !Q\nc\ntoggle\n"
    );
}

#[test]
fn every_section_is_read_and_written() {
    let system = parse(FULL.as_bytes()).unwrap();
    assert_eq!(ids(&system), ["b0", "b1", "j0", "j1"]);
    assert_eq!(system.input_label(0), "a b");
    assert_eq!(system.latch_label(3), "with function");
    let latches = system.latches();
    assert_eq!(latches[0].reset, Lit::FALSE);
    assert_eq!(latches[1].reset, Lit::TRUE);
    assert!(latches[2].is_uninitialised() && latches[3].has_reset_function());
    assert_eq!(system.bads[1].name, Some(Name::from("second")));
    assert_eq!(system.constraints[0].name, Some(Name::from("always")));
    assert_eq!(system.justice.iter().map(|j| j.lits.len()).collect::<Vec<_>>(), [2, 0]);
    assert_eq!(system.justice[0].name, Some(Name::from("often")));
    assert_eq!(system.fairness[1].name, Some(Name::from("fair")));
    assert_eq!(system.comment, b"any\nthing");
    let written = "aag 8 2 4 1 2 2 1 2 2
2
4
6 14
8 7 1
10 11 10
12 16 15
16
14
9
1
2
0
2
4
6
12
14 5 3
16 15 8
i0 a b
l3 with function
o0 out
b1 second
c0 always
j0 often
j1 never
f1 fair
c
any
thing
";
    assert_eq!(String::from_utf8(write_ascii(&system)).unwrap(), written);
    let again = parse(written.as_bytes()).unwrap();
    assert_round_trips(&again, &mut Rng::with_seed(1));
}

#[test]
fn small_files_of_the_format_description() {
    for text in [
        "aag 0 0 0 0 0\n",
        "aag 0 0 0 1 0\n0\n",
        "aag 0 0 0 1 0\n1\n",
        "aag 1 1 0 1 0\n2\n3\n",
        "aag 3 2 0 1 1\n2\n4\n7\n6 5 3\n",
        "aag 1 0 1 2 0\n2 3\n2\n3\n",
        "aag 1 0 1 0 0 1\n2 3 2\n2\n",
        "aag 1 1 0 0 0 0 1\n2\n2\n",
    ] {
        let system = parse(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(write_ascii(&system)).unwrap(), text);
        assert_round_trips(&system, &mut Rng::with_seed(1));
    }
}

#[test]
fn variables_may_have_gaps_and_positions_count() {
    let text = "aag 1000000000 2 1 1 2\n2000000000\n84\n6 10 6\n11\n10 84 2000000\n2000000 2000000000 7\n";
    let system = parse(text.as_bytes()).unwrap();
    let dense = "aag 5 2 1 1 2\n2\n4\n6 10 6\n11\n8 7 2\n10 8 4\n";
    assert_eq!(String::from_utf8(write_ascii(&system)).unwrap(), dense);
}

#[test]
fn gates_are_neither_simplified_nor_shared() {
    let text = "aag 5 1 0 0 4\n2\n4 2 2\n6 3 2\n8 1 0\n10 2 2\n";
    let system = parse(text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(write_ascii(&system)).unwrap(), text);
    // The order of the two literals is kept in the system, and normalised in files.
    let system = parse(b"aag 3 2 0 0 1\n2\n4\n6 2 4\n").unwrap();
    let (_, fanins) = system.aig().ands().next().unwrap();
    assert_eq!(fanins.map(Lit::code), [2, 4]);
}

#[test]
fn empty_bads_fall_back_to_outputs_and_justice_alone_does_not() {
    let old = parse(b"aag 1 1 0 1 0\n2\n2\n").unwrap();
    let explicit = parse(b"aag 1 1 0 1 0 0 0 0 0\n2\n2\n").unwrap();
    let constrained = parse(b"aag 1 1 0 1 0 0 1\n2\n2\n3\n").unwrap();
    for system in [&old, &explicit, &constrained] {
        assert!(system.outputs_are_bad());
        assert_eq!(ids(system), ["o0"]);
    }
    assert_eq!(write_ascii(&explicit), write_ascii(&old));
    let live = parse(b"aag 1 1 0 1 0 0 0 1\n2\n2\n1\n2\n").unwrap();
    assert_eq!(ids(&live), ["j0"]);
    assert_eq!(ids(&parse(&write_ascii(&live)).unwrap()), ["j0"]);
    assert_eq!(ids(&parse(&write_binary(&live)).unwrap()), ["j0"]);
}

#[test]
fn windows_line_ends_are_accepted() {
    let rng = &mut Rng::with_seed(1);
    for text in [TOGGLE, FULL] {
        let windows = text.replace('\n', "\r\n");
        let (mut unix, mut from_windows) =
            (parse(text.as_bytes()).unwrap(), parse(windows.as_bytes()).unwrap());
        // Comments are kept byte by byte.
        assert_eq!(
            from_windows.comment,
            String::from_utf8(unix.comment).unwrap().replace('\n', "\r\n").as_bytes()
        );
        unix.comment = Vec::new();
        from_windows.comment = Vec::new();
        assert_same(&unix, &from_windows, rng);
    }
    let binary = b"aig 3 1 1 1 1 1\r\n6 1\r\n6\r\n7\r\n\x02\x01i0 x\r\nc\r\nhello";
    let system = parse(binary).unwrap();
    assert_eq!(write_binary(&system), b"aig 3 1 1 1 1 1\n6 1\n6\n7\n\x02\x01i0 x\nc\nhello\n");
}

#[test]
fn names_are_bytes() {
    let text = b"aag 2 2 0 0 0\n2\n4\ni1 \xff\xfe a\r b \ni0 \n";
    let system = parse(text).unwrap();
    assert_eq!(system.inputs()[1].name, Some(Name::new(*b"\xff\xfe a\r b ")));
    assert_eq!(system.inputs()[0].name, None, "an empty symbol is no symbol");
    // Line breaks cannot be part of a symbol in a file.
    let mut system = BitSystem::new();
    system.add_input("a\nb\r");
    assert_eq!(write_ascii(&system), b"aag 1 1 0 0 0\n2\ni0 a b \n");
    // A last symbol may lack its line end.
    assert_eq!(parse(b"aag 1 1 0 0 0\n2\ni0 last").unwrap().input_label(0), "last");
}

#[test]
fn comments_are_kept() {
    let comment = |text: &[u8]| parse(text).unwrap().comment;
    assert_eq!(comment(b"aag 0 0 0 0 0\n"), b"");
    assert_eq!(comment(b"aag 0 0 0 0 0\nc\n"), b"");
    assert_eq!(comment(b"aag 0 0 0 0 0\nc"), b"");
    assert_eq!(comment(b"aag 0 0 0 0 0\nc\n\nc\ni0 x\n\xff\0"), b"\nc\ni0 x\n\xff\0");
    // Some tools go on right behind the `c`.
    assert_eq!(comment(b"aag 0 0 0 0 0\nc by hand\nmore\n"), b" by hand\nmore\n");
    // A digit makes it the symbol of a constraint.
    let system = parse(b"aag 0 0 0 0 0 0 1\n1\nc0 c\nc\nc0 c\n").unwrap();
    assert_eq!((system.constraints[0].name.clone(), system.comment), (Some("c".into()), b"c0 c\n".to_vec()));
}

#[test]
fn the_contents_decide_about_the_format() {
    let path = std::env::temp_dir().join(format!("indubit-aiger-{}.aig", std::process::id()));
    indubit_formats::save(&path, TOGGLE.as_bytes()).unwrap();
    let system = indubit_formats::aiger::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(system.aig().n_ands(), 4);
}

#[test]
fn a_million_gates_are_no_trouble() {
    let mut system = BitSystem::new();
    let mut lits = vec![system.add_input("a"), system.add_input("b")];
    let mut rng = Rng::with_seed(1);
    for i in 0..1_000_000 {
        let other = lits[rng.usize(0..lits.len())];
        let gate = system.aig_mut().raw_and(!lits[i + 1], other);
        lits.push(gate);
    }
    system.add_bad("last", lits[lits.len() - 1]);
    let binary = write_binary(&system);
    let start = std::time::Instant::now();
    let read = parse(&binary).unwrap();
    // About 0.05 s; the limit only catches what is not linear.
    assert!(start.elapsed().as_secs() < 5);
    assert_eq!(write_binary(&read), binary);
    assert_eq!(write_binary(&parse(&write_ascii(&read)).unwrap()), binary);
}

#[test]
fn random_systems_round_trip() {
    let mut rng = Rng::with_seed(20_260_101);
    for _ in 0..2000 {
        assert_round_trips(&random_system(&mut rng), &mut rng);
    }
}

/// The system in ASCII with variables numbered at random, with gaps, and gates in any order.
fn scramble(system: &BitSystem, rng: &mut Rng) -> Vec<u8> {
    let n_vars = system.aig().n_vars();
    let max_var = rng.usize(1..4) * n_vars + rng.usize(0..3);
    let mut names: Vec<usize> = (1..=max_var).collect();
    rng.shuffle(&mut names);
    names.insert(0, 0);
    let code = |lit: Lit| (2 * names[lit.var().index()] + usize::from(lit.is_negated())).to_string();

    let mut lines: Vec<String> = system.inputs().iter().map(|i| code(i.lit)).collect();
    for latch in system.latches() {
        lines.push([Lit::positive(latch.var), latch.next, latch.reset].map(code).join(" "));
    }
    for signals in [&system.outputs, &system.bads, &system.constraints] {
        lines.extend(signals.iter().map(|s| code(s.lit)));
    }
    lines.extend(system.justice.iter().map(|j| j.lits.len().to_string()));
    lines.extend(system.justice.iter().flat_map(|j| &j.lits).map(|&lit| code(lit)));
    lines.extend(system.fairness.iter().map(|s| code(s.lit)));
    let mut gates: Vec<String> =
        system.aig().ands().map(|(gate, [a, b])| [Lit::positive(gate), a, b].map(code).join(" ")).collect();
    rng.shuffle(&mut gates);

    let counts = [system.inputs().len(), system.latches().len(), system.outputs.len(), gates.len()];
    let more = [system.bads.len(), system.constraints.len(), system.justice.len(), system.fairness.len()];
    let header: Vec<String> = [max_var].iter().chain(&counts).chain(&more).map(usize::to_string).collect();
    lines.insert(0, format!("aag {}", header.join(" ")));
    lines.append(&mut gates);
    let text = lines.iter().flat_map(|line| [line.as_bytes(), b"\n"]).flatten().copied();
    // Symbols and comment as the writer has them.
    let written = write_ascii(system);
    let tail = written.split_inclusive(|&b| b == b'\n').skip(lines.len()).flatten();
    text.chain(tail.copied()).collect()
}

#[test]
fn scrambled_ascii_files_mean_the_same() {
    let mut rng = Rng::with_seed(20_260_102);
    for _ in 0..1000 {
        let system = random_system(&mut rng);
        let scrambled = scramble(&system, &mut rng);
        assert_same(&system, &parse(&scrambled).unwrap(), &mut rng);
    }
}
