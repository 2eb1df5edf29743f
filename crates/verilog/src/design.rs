//! What is to be elaborated, and the script that does it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An input that is held at a value in the first step and released after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    /// The name of the input, which is a single bit.
    pub input: String,
    /// Its value while the design is reset.
    pub active: bool,
}

/// A design.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// The module at the top; the one that no other one instantiates if it is not said.
    pub top: Option<String>,
    /// How it is reset.
    pub resets: Vec<Reset>,
    /// The clock, if the design has several: the others are taken to tick with it.
    pub clock: Option<String>,
    /// Clocks are inputs that change as they like: a step is a moment, and not a tick.
    pub multiclock: bool,
    /// Who reads the files; if nobody is named, first Yosys itself and then slang.
    pub reader: Option<Reader>,
}

/// Who reads the files of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The reader of Yosys: Verilog, a part of SystemVerilog, and `s_eventually`.
    Yosys,
    /// slang, in a Yosys that has it: all of SystemVerilog that can be synthesized, and hardly more of `assert property` than Booleans.
    Slang,
}

/// How a script reads the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Verilog,
    SystemVerilog,
    Slang,
}

/// Is it a file of Verilog, by its name?
pub fn is_verilog(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["v", "sv", "vh", "svh"].iter().any(|known| e == *known))
}

/// A path in a script, which is in quotes if it has to be.
fn quoted(path: &str) -> String {
    if path.contains([' ', '\t', ';', '#']) { format!("\"{path}\"") } else { path.to_owned() }
}

/// Memories of so many words (two to this) whose addresses are wider than they need become registers: Yosys would let them wrap around.
const MOST_REGISTERS: u32 = 12;

impl Design {
    /// Verilog proper has fewer keywords: `bit` may be a name there.
    pub(crate) fn is_system_verilog(&self) -> bool {
        self.files.iter().any(|file| file.extension().is_some_and(|e| e == "sv" || e == "svh"))
    }
    /// The languages to try, one after the other. Words such as `bit` are names in Verilog; some who call a file .v write SystemVerilog all the same.
    pub(crate) fn languages(&self) -> Vec<Language> {
        use Language::{Slang, SystemVerilog, Verilog};
        let own: &[Language] =
            if self.is_system_verilog() { &[SystemVerilog] } else { &[Verilog, SystemVerilog] };
        match self.reader {
            Some(Reader::Yosys) => own.to_vec(),
            Some(Reader::Slang) => vec![Slang],
            None => [own, &[Slang]].concat(),
        }
    }
    /// The script that is tried first, with `design.btor2` as what it writes.
    pub fn shown(&self) -> String {
        self.script("design", "indubit_properties.v", self.languages()[0])
    }
    /// The script for Yosys, which writes `out.btor2` and beside it lists of what is remarkable; `map` says how properties become bad states.
    pub(crate) fn script(&self, out: &str, map: &str, language: Language) -> String {
        let files: Vec<String> = self.files.iter().map(|f| quoted(&f.to_string_lossy())).collect();
        let (out, map) = (quoted(out), quoted(map));
        let mut text = String::new();
        let mut line = |text_line: &str| {
            text.push_str(text_line);
            text.push('\n');
        };
        let files = files.join(" ");
        match language {
            Language::Verilog => line(&format!("read_verilog -formal {files}")),
            Language::SystemVerilog => line(&format!("read_verilog -sv -formal {files}")),
            Language::Slang => {
                let top = self.top.as_ref().map_or(String::new(), |top| format!("--top {top} "));
                // One that is made for browsers has no threads.
                line(&format!("read_slang -j 1 --no-synthesis-define -D FORMAL {top}{files}"));
            }
        }
        match &self.top {
            Some(top) => line(&format!("hierarchy -check -top {top}")),
            None => line("hierarchy -check -auto-top"),
        }
        line("proc");
        line("# Properties without a label get names that tell where they are in the hierarchy.");
        line("select -set props t:$assert t:$assume t:$cover t:$live t:$fair t:$check");
        line("rename -enumerate -pattern unnamed_% @props");
        line("flatten");
        line("# All wires of the design keep their names.");
        line("setattr -set keep 1 w:*");
        line("opt_clean");
        line("# What there is to be told: clocks, edges, latches.");
        line("select -set clocked t:$*ff* t:$mem* t:$check r:TRG_WIDTH=1 %i");
        line(&format!("select -write {out}.clocks @clocked %ci1:+[CLK,WR_CLK,RD_CLK,TRG] w:* %i"));
        line(&format!(
            "select -write {out}.negedge @clocked r:CLK_POLARITY=1'0 r:TRG_POLARITY=1'0 %u %i t:$memrd* %d"
        ));
        line(&format!("select -write {out}.latches t:$dlatch t:$adlatch t:$dlatchsr t:$sr"));
        line(&format!("dump -o {out}.enumerations w:* a:enum_value_* %i"));
        if self.multiclock {
            line("# What is known of clocks goes by their names, in the model, too.");
            line("select -set clocks @clocked %ci1:+[CLK,WR_CLK,RD_CLK,TRG] w:* %i");
            line("rename -enumerate -pattern clock_% @clocks");
            line(&format!("dump -o {out}.cells @clocked t:$assert t:$assume t:$cover t:$live t:$fair"));
        } else {
            line("# A property fails in the step it is about, not in the one after.");
            line("select -set props t:$assert t:$assume t:$cover t:$live t:$fair t:$check");
            line("select -set samplers w:*$formal$* %ci1 t:$dff %i");
            line(&format!(
                "select -write {out}.late t:$check r:TRG_WIDTH=1 %i r:TRG_ENABLE=1 %i @samplers %co2 t:$assert t:$cover %u %i %u"
            ));
            line("chformal -early @props @samplers");
            line("setparam -set TRG_ENABLE 0 t:$check r:TRG_WIDTH>1 %i");
        }
        line("# Memories are arrays, except where Yosys would let addresses wrap around or begin elsewhere.");
        line("memory_collect");
        line("select -set scalar t:$mem_v2 r:OFFSET!=0 %i");
        for bits in 1..=MOST_REGISTERS {
            line(&format!(
                "select -set scalar @scalar t:$mem_v2 r:ABITS>{bits} %i r:SIZE<={} %i",
                1u32 << bits
            ));
        }
        line(&format!(
            "select -write {out}.wraps t:$mem_v2 r:ABITS>{MOST_REGISTERS} %i r:SIZE>{} %i",
            1u32 << MOST_REGISTERS
        ));
        line("memory_map @scalar");
        line(if self.multiclock { "clk2fflogic" } else { "async2sync" });
        line("# Assumptions, covers and liveness come as bad states with telling names.");
        line(&format!("techmap -map {map} t:$assume t:$cover t:$live t:$fair"));
        line("dffunmap");
        line("opt_clean");
        line(&format!("write_btor {out}.btor2"));
        text
    }
}

/// How properties become bad states with names that say what they are.
pub(crate) fn map() -> String {
    /// What a bad state is called, and when it is one: not A while EN.
    type Bad = (&'static str, &'static str, &'static str);
    let mut text = String::new();
    let cells: [(&str, &[Bad]); 4] = [
        ("cover", &[("cover", "!A", "EN")]),
        ("assume", &[("assume", "A", "EN")]),
        ("live", &[("live.from", "!EN", "1'b1"), ("live.goal", "!A", "1'b1")]),
        ("fair", &[("fair.from", "!EN", "1'b1"), ("fair.goal", "!A", "1'b1")]),
    ];
    for (cell, names) in cells {
        let _ = writeln!(text, "module \\${cell} (input A, input EN);");
        for (name, a, en) in names {
            let _ = writeln!(text, "  \\$assert \\_TECHMAP_REPLACE_.{name} (.A({a}), .EN({en}));");
        }
        let _ = writeln!(text, "endmodule");
    }
    text
}
