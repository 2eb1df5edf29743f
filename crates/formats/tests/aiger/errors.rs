//! Bad AIGER files: each kind of mistake is located, and the message says what was found and what was expected.

use indubit_formats::aiger::{parse, read};
use std::path::Path;

/// The file is refused with exactly this message.
#[track_caller]
fn refused(file: impl AsRef<[u8]>, message: &str) {
    match parse(file.as_ref()) {
        Ok(_) => panic!("accepted, instead of: {message}"),
        Err(error) => assert_eq!(error.to_string(), message),
    }
}

#[test]
fn files_that_are_not_there() {
    let missing = read(Path::new("no/such/model.aag")).unwrap_err();
    assert_eq!(missing.to_string(), "no/such/model.aag: cannot read this file: there is no such file");
    let directory = read(Path::new("src")).unwrap_err();
    assert_eq!(directory.to_string(), "src: cannot read this file: it is a directory, not a file");
}

#[test]
fn the_path_comes_first() {
    let path = std::env::temp_dir().join(format!("indubit-bad-{}.aag", std::process::id()));
    indubit_formats::save(&path, b"aag 1 1 0 0 0\n3\n").unwrap();
    let error = read(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    let start = format!("{}:2:1: found literal 3, which is negated", path.display());
    assert!(error.to_string().starts_with(&start), "{error}");
}

#[test]
fn files_that_are_not_aiger() {
    let expected = "an AIGER model, which starts with `aag` (ASCII) or `aig` (binary)";
    refused("", &format!("found an empty file, expected {expected}"));
    refused("btor", &format!("line 1, column 1: found `btor`, expected {expected}"));
    refused("\x7fELF", &format!("line 1, column 1: found byte 0x7f, expected {expected}"));
    refused("aa", &format!("line 1, column 1: found `aa`, expected {expected}"));
    refused(b"\x1f\x8b\x08\0", &format!("found a file compressed with gzip, expected {expected}"));
}

#[test]
fn headers() {
    refused(
        "aag",
        "line 1, column 4: found the end of the file, expected a space and the maximal variable (M)",
    );
    refused("aag1 1 0 0 0\n", "line 1, column 4: found `1`, expected a space and the maximal variable (M)");
    refused(
        "aag 1 1 0\n",
        "line 1, column 10: found the end of the line, expected a space and the number of outputs (O)",
    );
    refused("aag 1 x 0 0 0\n", "line 1, column 7: found `x`, expected the number of inputs (I)");
    refused("aag 1 -1 0 0 0\n", "line 1, column 7: found `-1`, expected the number of inputs (I)");
    refused("aag 1  1 0 0 0\n", "line 1, column 7: found a space, expected the number of inputs (I)");
    refused(
        "aag 1 1k 0 0 0\n",
        "line 1, column 8: found `k`, expected a space and the number of latches (L)",
    );
    refused(
        "aag 0 0 0 0 0 0 0 0 0 0\n",
        "line 1, column 22: found a space, expected the end of the line after the header's numbers (at most nine)",
    );
    refused(
        "aag 0 0 0 0 0",
        "line 1, column 14: found the end of the file, \
         expected the end of the line after the header's numbers (at most nine)",
    );
    refused(
        "aag 0 0 0 0 0 \n",
        "line 1, column 15: found the end of the line, expected the number of bad states (B)",
    );
}

#[test]
fn headers_that_contradict_themselves() {
    refused(
        "aag 1 1 1 0 0\n",
        "line 1, column 5: found a maximal variable of 1, \
         expected at least the sum 1 + 1 + 0 of inputs, latches and AND gates",
    );
    for m in [1, 3] {
        refused(
            format!("aig {m} 1 1 0 0\n2\n"),
            &format!(
                "line 1, column 5: found a maximal variable of {m}, \
                 expected the sum 1 + 1 + 0 of inputs, latches and AND gates"
            ),
        );
    }
    refused(
        "aag 1073741823 0 0 0 0\n",
        "line 1, column 5: found a maximal variable of 1073741823, expected at most 1073741822",
    );
    // Numbers beyond 64 bits count as the largest there is.
    refused(
        format!("aag 1{} 0 0 0 0\n", "0".repeat(30)),
        "line 1, column 5: found a maximal variable of more than 64 bits, expected at most 1073741822",
    );
    refused(
        "aag 5 18446744073709551615 1 0 0\n",
        "line 1, column 5: found a maximal variable of 5, \
         expected at least the sum 18446744073709551615 + 1 + 0 of inputs, latches and AND gates",
    );
}

#[test]
fn counts_that_lie_cost_no_memory() {
    let end = "found the end of the file, expected";
    refused(
        "aag 1073741822 1073741822 0 0 0\n2\n",
        &format!("line 3, column 1: {end} the literal of input 1 (the header announces 1073741822)"),
    );
    refused(
        "aig 1073741822 1073741822 0 0 0\n",
        "line 1, column 1: found 1073741822 inputs claimed by the header, \
         expected no more than 1048576 in a file of this length",
    );
    refused(
        "aig 1073741822 0 1073741822 0 0\n0\n",
        &format!("line 3, column 1: {end} the next state of latch 1 (the header announces 1073741822)"),
    );
    refused(
        "aig 1073741822 0 0 0 1073741822\n",
        &format!("byte 32: {end} a delta from 1 to 2 for gate 2 (AND 0; the header announces 1073741822)"),
    );
    for (section, kind) in [
        (" ", "output"),
        (" 0 0 ", "bad state"),
        (" 0 0 0 ", "constraint"),
        (" 0 0 0 0 0 ", "fairness constraint"),
    ] {
        let huge = u64::MAX;
        let rest = if section == " " { " 0" } else { "" };
        refused(
            format!("aag 0 0 0{section}{huge}{rest}\n1\n"),
            &format!("line 3, column 1: {end} the literal of {kind} 1 (the header announces {huge})"),
        );
    }
    refused(
        "aag 0 0 0 0 0 0 0 99999999999\n1\n",
        &format!("line 3, column 1: {end} the size of justice property 1 (the header announces 99999999999)"),
    );
    refused(
        "aag 0 0 0 0 0 0 0 2\n1\n99999999999\n0\n1\n",
        &format!("line 6, column 1: {end} literal 1 of the 99999999999 of justice property 1"),
    );
}

#[test]
fn literals() {
    refused(
        "aag 1 1 0 1 0\n4\n2\n",
        "line 2, column 1: found literal 4, expected at most 3, since the header's maximal variable is 1",
    );
    refused(
        "aig 1 0 1 0 0\n2 4\n",
        "line 2, column 3: found literal 4, expected at most 3, since the header's maximal variable is 1",
    );
    refused(
        "aag 1 1 0 1 0\n2\n99999999999999999999999\n",
        "line 3, column 1: found literal 99999999999999999999999, \
         expected at most 3, since the header's maximal variable is 1",
    );
    refused(
        "aag 1 1 0 1 0\n2\nx\n",
        "line 3, column 1: found `x`, expected the literal of output 0 (the header announces 1)",
    );
    refused(
        "aag 1 1 0 1 0\n2\n2x\n",
        "line 3, column 2: found `x`, \
         expected the end of the line after the literal of output 0 (the header announces 1)",
    );
    refused(
        "aag 1 1 0 1 0\n2 \n2\n",
        "line 2, column 2: found a space, \
         expected the end of the line after the literal of input 0 (the header announces 1)",
    );
    refused(
        "aag 1 0 1 0 0\n2\n",
        "line 2, column 2: found the end of the line, expected a space and the next state of latch 0",
    );
    refused(
        "aag 1 0 1 0 0\n2 2 0 0\n",
        "line 2, column 6: found a space, expected the end of the line after latch 0",
    );
    refused(
        "aag 3 2 0 0 1\n2\n4\n6 2\n",
        "line 4, column 4: found the end of the line, expected a space and a literal that AND gate 0 conjoins",
    );
    // A literal that may have been cut off is not believed.
    refused(
        "aag 3 2 0 0 1\n2\n4\n6 2 4",
        "line 4, column 6: found the end of the file, expected the end of the line after AND gate 0",
    );
}

#[test]
fn definitions() {
    let input = "the literal of input 0 (the header announces 1) to be even, not 0, and not defined before";
    refused(
        "aag 1 1 0 0 0\n3\n",
        &format!("line 2, column 1: found literal 3, which is negated (odd), expected {input}"),
    );
    refused(
        "aag 1 1 0 0 0\n0\n",
        &format!("line 2, column 1: found literal 0, a constant, expected {input}"),
    );
    let definition = "(the header announces 1) to be even, not 0, and not defined before";
    refused(
        "aag 2 1 1 0 0\n2\n2 2\n",
        &format!(
            "line 3, column 1: found literal 2, which is defined already, expected the literal of latch 0 {definition}"
        ),
    );
    for (lhs, problem) in [(5, "which is negated (odd)"), (1, "a constant"), (2, "which is defined already")]
    {
        refused(
            format!("aag 3 1 0 0 1\n2\n{lhs} 2 2\n"),
            &format!(
                "line 3, column 1: found literal {lhs}, {problem}, expected the literal of AND gate 0 {definition}"
            ),
        );
    }
    refused(
        "aag 4 1 0 0 2\n2\n4 2 2\n4 2 2\n",
        "line 4, column 1: found literal 4, which is defined already, expected the literal of AND gate 1 \
         (the header announces 2) to be even, not 0, and not defined before",
    );
}

#[test]
fn undefined_variables() {
    let undefined = |code: u32| {
        format!(
            "found literal {code}, whose variable is not defined, \
             expected a constant or the literal of an input, latch or AND gate"
        )
    };
    refused("aag 9 1 1 0 0\n2\n4 8\n", &format!("line 3, column 3: {}", undefined(8)));
    refused("aag 9 1 1 0 0\n2\n4 2 9\n", &format!("line 3, column 5: {}", undefined(9)));
    refused("aag 9 1 0 2 0\n2\n2\n18\n", &format!("line 4, column 1: {}", undefined(18)));
    refused("aag 9 1 0 1 0 2\n2\n2\n2\n7\n", &format!("line 5, column 1: {}", undefined(7)));
    refused("aag 9 1 0 0 0 0 1\n2\n6\n", &format!("line 3, column 1: {}", undefined(6)));
    refused("aag 9 1 0 0 0 0 0 2\n2\n1\n1\n2\n6\n", &format!("line 6, column 1: {}", undefined(6)));
    refused("aag 9 1 0 0 0 0 0 1 2\n2\n1\n3\n3\n6\n", &format!("line 6, column 1: {}", undefined(6)));
    refused("aag 9 1 0 0 2\n2\n4 2 2\n6 5 12\n", &format!("line 4, column 5: {}", undefined(12)));
    // The same without a table of all variables.
    refused("aag 900000000 1 0 0 1\n2\n4 12 2\n", &format!("line 3, column 3: {}", undefined(12)));
}

#[test]
fn cyclic_gates() {
    refused(
        "aag 2 1 0 0 1\n2\n4 2 5\n",
        "line 3, column 1: found AND gate 4, which depends on itself, expected AND gates without cycles",
    );
    refused(
        "aag 4 1 0 1 3\n2\n8\n8 2 2\n4 8 7\n6 2 4\n",
        "line 6, column 1: found AND gate 6, which depends on itself, expected AND gates without cycles",
    );
}

#[test]
fn cyclic_resets() {
    let expected = "expected reset functions without cycles";
    refused(
        "aag 2 1 1 0 0\n2\n4 4 5\n",
        &format!("line 3, column 5: found a reset function of latch 0 that depends on itself, {expected}"),
    );
    refused(
        "aag 4 1 2 0 1\n2\n4 4 1\n6 6 8\n8 2 7\nl1 state\n",
        &format!(
            "line 4, column 5: found a reset function of latch 1 (`state`) that depends on itself, {expected}"
        ),
    );
    refused(
        "aig 2 0 2 0 0\n2 4\n2 2\n",
        &format!("line 2, column 3: found a reset function of latch 0 that depends on itself, {expected}"),
    );
    // Latch 1 is on the cycle; latch 0 only leads there.
    refused(
        "aag 2 0 2 0 0\n2 2 4\n4 4 5\n",
        &format!("line 3, column 5: found a reset function of latch 1 that depends on itself, {expected}"),
    );
}

#[test]
fn binary_gates() {
    let gate = |delta: &[u8]| [b"aig 3 2 0 0 1\n".as_slice(), delta].concat();
    let expected = "for gate 6 (AND 0; the header announces 1)";
    refused(
        gate(&[]),
        &format!("byte 14: found the end of the file, expected a delta from 1 to 6 {expected}"),
    );
    refused(
        gate(&[0x80]),
        &format!("byte 15: found the end of the file, expected a delta from 1 to 6 {expected}"),
    );
    refused(
        gate(&[2]),
        &format!("byte 15: found the end of the file, expected a delta from 0 to 4 {expected}"),
    );
    refused(gate(&[0, 0]), &format!("byte 14: found delta 0, expected a delta from 1 to 6 {expected}"));
    refused(gate(&[7, 0]), &format!("byte 14: found delta 7, expected a delta from 1 to 6 {expected}"));
    refused(gate(&[2, 5]), &format!("byte 15: found delta 5, expected a delta from 0 to 4 {expected}"));
    let long = "a number of more than 32 bits";
    for bytes in [[0xff, 0xff, 0xff, 0xff, 0x1f, 0], [0x80; 6]] {
        refused(gate(&bytes), &format!("byte 14: found {long}, expected a delta from 1 to 6 {expected}"));
    }
    // Six bytes that hold a small number are no better.
    refused(
        gate(&[0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 0]),
        &format!("byte 14: found {long}, expected a delta from 1 to 6 {expected}"),
    );
}

#[test]
fn binary_text_parts_have_lines() {
    refused("aig 2 1 1 0 0\n2x\n", "line 2, column 2: found `x`, expected the end of the line after latch 0");
    refused(
        "aig 1 1 0 1 0\n",
        "line 2, column 1: found the end of the file, expected the literal of output 0 (the header announces 1)",
    );
}

#[test]
fn symbols() {
    let model = |rest: &str| format!("aag 1 1 0 1 0\n2\n2\n{rest}");
    let expected = "a symbol (`i0 name`, or l, o, b, c, j, f), a comment (`c`) or the end of the file";
    refused(model("x0 name\n"), &format!("line 4, column 1: found `x0`, expected {expected}"));
    refused(model("\n"), &format!("line 4, column 1: found the end of the line, expected {expected}"));
    refused(model("2\n"), &format!("line 4, column 1: found `2`, expected {expected}"));
    refused(model("i1 name\n"), "line 4, column 1: found `i1`, expected an index up to 0, the last input");
    refused(
        model("i99999999999999999999999 name\n"),
        "line 4, column 1: found `i99999999999999999999999`, expected an index up to 0, the last input",
    );
    refused(
        model("b0 name\n"),
        "line 4, column 1: found `b0`, expected no such symbol, since there is no bad state",
    );
    refused(
        model("i name\n"),
        "line 4, column 2: found a space, expected the index of the input that the symbol names",
    );
    refused(
        model("i0\n"),
        "line 4, column 3: found the end of the line, expected a space and the symbol's name",
    );
    refused(model("i0x\n"), "line 4, column 3: found `x`, expected a space and the symbol's name");
    refused(
        model("i0 a\no0 b\ni0 c\n"),
        "line 6, column 1: found a second symbol for input 0, expected at most one",
    );
    // Behind binary gates there are no lines any more.
    refused(
        "aig 2 1 0 0 1\n\x02\x02i0 ok\ni7 bad\n",
        "byte 22: found `i7`, expected an index up to 0, the last input",
    );
    refused("aig 2 1 0 0 1\n\x02\x02\0", &format!("byte 16: found byte 0x00, expected {expected}"));
}
