//! Scripts on random models against NuSMV, where that is installed: its verdicts, its texts of formulas, its numbers of properties and of states.
//!
//! `INDUBIT_RANDOM=2000 cargo test -p indubit-cli --test cli nusmv` takes so many models, from `INDUBIT_SEED` on.

use crate::common::Scratch;
use fastrand::Rng;
use std::path::Path;
use std::process::{Command, Stdio};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A variable: its name, its type, and constants of it.
type Variable = (String, &'static str, &'static [&'static str]);

const TYPES: [(&str, &[&str]); 4] = [
    ("boolean", &["TRUE", "FALSE"]),
    ("0..3", &["0", "1", "2", "3"]),
    ("{red, green, blue}", &["red", "green", "blue"]),
    ("unsigned word[2]", &["0ud2_0", "0ud2_1", "0ud2_2", "0ud2_3"]),
];

struct Generator {
    random: Rng,
    variables: Vec<Variable>,
}

impl Generator {
    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.random.usize(..all.len())]
    }
    fn atom(&mut self) -> String {
        let (name, r#type, constants) = self.variables[self.random.usize(..self.variables.len())].clone();
        let constant = self.of(constants);
        match r#type {
            "boolean" => self.of(&[&name, &format!("{name} = {constant}"), &format!("!{name}")]).to_owned(),
            "{red, green, blue}" => format!("{name} {} {constant}", self.of(&["=", "!="])),
            _ => format!("{name} {} {constant}", self.of(&["=", "!=", "<", ">="])),
        }
    }
    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.u8(..3) == 0 {
            return self.atom();
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.of(&["!", "&", "|", "->", "<->", "xor"]) {
            "!" => format!("!({a})"),
            sign => format!("(({a}) {sign} ({b}))"),
        }
    }
    fn ltl(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.u8(..6) == 0 {
            return self.formula(1);
        }
        let (a, b) = (self.ltl(depth - 1), self.ltl(depth - 1));
        match self.random.u8(..5) {
            0 | 1 => format!("{} ({a})", self.of(&["G", "F", "X", "O", "H", "Y", "Z", "F [0,2]", "H [1,1]"])),
            2 => format!("{} ({a})", self.of(&["G F", "F G", "G", "F"])),
            3 => format!("(({a}) {} ({b}))", self.of(&["U", "V", "S", "T"])),
            _ => format!("(({a}) {} ({b}))", self.of(&["&", "|", "->", "<->"])),
        }
    }
    fn ctl(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.u8(..6) == 0 {
            return self.formula(1);
        }
        let (a, b) = (self.ctl(depth - 1), self.ctl(depth - 1));
        match self.random.u8(..5) {
            0..3 => {
                format!("{} ({a})", self.of(&["EX", "AX", "EF", "AF", "EG", "AG", "ABF 0..2", "EBG 1..2"]))
            }
            3 => format!("{} [({a}) U ({b})]", self.of(&["A", "E"])),
            _ => format!("(({a}) {} ({b}))", self.of(&["&", "|", "->", "<->"])),
        }
    }
    fn next(&mut self, variable: &Variable) -> String {
        let (name, r#type, constants) = variable;
        let constant = self.of(constants);
        let moved = match *r#type {
            "boolean" => self.formula(1),
            "0..3" => format!("({name} + 1) mod 4"),
            "{red, green, blue}" => "{red, blue}".to_owned(),
            _ => format!("{name} + 0ud2_1"),
        };
        self.of(&[constant, name, &moved, &moved]).to_owned()
    }
}

fn model(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let variable = |i: usize, random: &mut Rng| {
        let (r#type, constants) = TYPES[random.usize(..TYPES.len())];
        (format!("v{i}"), r#type, constants)
    };
    let variables: Vec<Variable> = (0..random.usize(2..5)).map(|i| variable(i, &mut random)).collect();
    let mut g = Generator { random, variables: variables.clone() };
    let mut text = String::from("MODULE main\nVAR\n");
    variables.iter().for_each(|(name, r#type, _)| text += &format!("  {name} : {};\n", r#type));
    text += &format!("  m : cell({}); n : cell(m.z);\n", g.formula(1));
    for name in ["m.z", "n.z"] {
        g.variables.push((name.into(), TYPES[0].0, TYPES[0].1));
    }
    text += &format!("IVAR i : boolean;\nDEFINE d := {};\nASSIGN\n", g.formula(2));
    for variable in &variables {
        let (name, _, constants) = variable;
        if g.random.u8(..3) > 0 {
            text += &format!("  init({name}) := {};\n", g.of(constants));
        }
        if g.random.u8(..6) > 0 {
            let condition = if g.random.bool() { "i".to_owned() } else { g.formula(1) };
            let (yes, no) = (g.next(variable), g.next(variable));
            text += &format!("  next({name}) := case {condition} : {yes}; TRUE : {no}; esac;\n");
        }
    }
    g.variables.push(("d".into(), TYPES[0].0, TYPES[0].1));
    match g.random.u8(..8) {
        0 => text += &format!("TRANS {} -> next(v0) = v0;\n", g.formula(1)),
        1 => text += &format!("INVAR {};\n", g.formula(1)),
        2 | 3 => text += &format!("FAIRNESS {};\n", g.formula(1)),
        _ => (),
    }
    for _ in 0..g.random.usize(1..4) {
        text += &format!("LTLSPEC {};\nINVARSPEC {};\nCTLSPEC {};\n", g.ltl(3), g.formula(2), g.ctl(3));
    }
    text + "MODULE cell(x)\nVAR z : boolean;\nASSIGN init(z) := FALSE; next(z) := x;\nINVARSPEC NAME c := z -> x;\nLTLSPEC G F z;\n"
}

/// What NuSMV says; none if it is not there.
fn nusmv(arguments: &[&Path]) -> Option<String> {
    let output = Command::new("NuSMV").args(arguments).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Lines of verdicts, sorted: NuSMV begins with formulas about few variables.
fn verdicts(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().filter(|line| line.starts_with("-- ")).collect();
    lines.sort_unstable();
    lines
}

/// Lists of properties, and what there is to say about states, but for the states that are chosen as examples.
fn listed(text: &str) -> Vec<&str> {
    let is_one = |line: &&str| {
        line.contains(" :")
            || line.contains("  [")
            || line.starts_with("system")
            || line.starts_with("reachable")
            || line.starts_with("The transition")
    };
    text.lines().filter(is_one).collect()
}

#[test]
fn random_models() {
    let scratch = Scratch::new();
    let script = scratch.write("script", "go\nshow_property\nprint_reachable_states\ncheck_fsm\nquit\n");
    let first = number("INDUBIT_SEED", 0);
    for seed in first..first + number("INDUBIT_RANDOM", 25) {
        let model = scratch.write(&format!("{seed}.smv"), model(seed));
        let dcx = Path::new("-dcx");
        let Some(theirs) = nusmv(&[dcx, &model]) else { return };
        let ours = indubit!["nuxmv", "-dcx", &model].with_code(0);
        let text = std::fs::read_to_string(&model).unwrap();
        assert_eq!(verdicts(&ours.stdout), verdicts(&theirs), "seed {seed}:\n{text}");
        let source = Path::new("-source");
        let theirs = nusmv(&[source, &script, &model]).unwrap_or_default();
        let ours = indubit!["nuxmv", source, &script, &model].with_code(0);
        assert_eq!(listed(&ours.stdout), listed(&theirs), "seed {seed}:\n{text}");
    }
}
