//! Waveforms: a trace as a Value Change Dump (IEEE 1364-2005, section 18) for any wave viewer.
//!
//! One unit of time is one step of the model. Inputs, latches, outputs, bad states and constraints have a scope
//! each, because AIGER lets two sections use the same name; bits of a vector are one variable. The format is
//! small, and names and code points must be under our control, so the writer is our own rather than a crate's.

use crate::signals::{self, Word};
use indubit_system::{BitSystem, Trace};
use std::collections::HashSet;
use std::fmt::Write;

/// The waveform of `trace`, a trace of `model`, under the title `title` (the model's file name).
pub fn write(model: &BitSystem, title: &str, trace: &Trace) -> String {
    let scopes = [
        ("inputs", "wire", signals::inputs(model)),
        ("latches", "reg", signals::latches(model)),
        ("outputs", "wire", signals::edges('o', &model.outputs)),
        ("bads", "wire", signals::edges('b', &model.bads)),
        ("constraints", "wire", signals::edges('c', &model.constraints)),
    ];
    let mut text = String::from("$version Indubit $end\n$timescale 1 ns $end\n");
    let _ = writeln!(text, "$scope module {} $end", reference(title, &mut HashSet::new()));
    let _ = writeln!(text, "$var integer 32 {} step $end", code(0));
    let mut words: Vec<Word> = Vec::new();
    for (scope, kind, members) in scopes {
        if members.is_empty() {
            continue;
        }
        let _ = writeln!(text, "$scope module {scope} $end");
        let mut taken = HashSet::new();
        for word in members {
            let name = reference(&word.base, &mut taken);
            let range = word.range.map_or(String::new(), |(high, low)| format!(" [{high}:{low}]"));
            let _ = writeln!(
                text,
                "$var {kind} {} {} {name}{range} $end",
                word.bits.len(),
                code(words.len() + 1)
            );
            words.push(word);
        }
        text.push_str("$upscope $end\n");
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    dump(&mut text, model, trace, &words);
    text
}

fn dump(text: &mut String, model: &BitSystem, trace: &Trace, words: &[Word]) {
    let mut shown: Vec<Option<Vec<bool>>> = vec![None; words.len()];
    let mut n_steps = 0;
    for values in signals::replay(model, trace) {
        let _ = writeln!(text, "#{n_steps}");
        if n_steps == 0 {
            text.push_str("$dumpvars\n");
        }
        let _ = writeln!(text, "b{n_steps:b} {}", code(0));
        for (i, (word, shown)) in words.iter().zip(&mut shown).enumerate() {
            let value = Some(word.value(&values));
            if value != *shown {
                let digits = word.value(&values).into_iter().map(|b| if b { '1' } else { '0' });
                if word.bits.len() == 1 {
                    text.extend(digits);
                } else {
                    text.push('b');
                    text.extend(digits);
                    text.push(' ');
                }
                text.push_str(&code(i + 1));
                text.push('\n');
                *shown = value;
            }
        }
        if n_steps == 0 {
            text.push_str("$end\n");
        }
        n_steps += 1;
    }
    // So that viewers show the last step as long as the others.
    let _ = writeln!(text, "#{n_steps}");
}

/// The short code of variable `index`: digits are the printable characters `!` to `~`.
fn code(mut index: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'!' + (index % 94) as u8));
        index /= 94;
        if index == 0 {
            return text;
        }
        index -= 1;
    }
}

/// The name as a reference that is legal and new in its scope: a plain identifier as it is, anything else as a
/// Verilog escaped identifier, with `_` for what even that does not allow.
fn reference(name: &str, taken: &mut HashSet<String>) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut legal: String =
        name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect::<String>();
    if legal.is_empty() {
        legal.push('_');
    }
    if !legal.bytes().all(plain) || legal.starts_with(|c: char| c.is_ascii_digit()) {
        // A name that Yosys or another tool has escaped already keeps its single backslash.
        legal = format!("\\{}", legal.strip_prefix('\\').filter(|l| !l.is_empty()).unwrap_or(&legal));
    }
    let mut unique = legal.clone();
    let mut n = 1;
    while !taken.insert(unique.clone()) {
        n += 1;
        unique = format!("{legal}_{n}");
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_system::{Name, Signal};

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
        let trace =
            Trace { initial: vec![false, false, true], inputs: vec![vec![false], vec![true], vec![true]] };
        assert_eq!(
            write(&model, "my model.aag", &trace),
            "\
$version Indubit $end
$timescale 1 ns $end
$scope module \\my_model.aag $end
$var integer 32 ! step $end
$scope module inputs $end
$var wire 1 \" in_1 $end
$upscope $end
$scope module latches $end
$var reg 2 # n [1:0] $end
$var reg 1 $ l2 $end
$upscope $end
$scope module outputs $end
$var wire 1 % \\n[0] $end
$upscope $end
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
}
