//! How a design in Verilog becomes a model.

use crate::exit::Failure;
use crate::terminal;
use clap::{Args, ValueEnum};
use indubit::formats::ctl_file;
use indubit::formats::model::{Model, WordModel};
use indubit_verilog::{Design, Reader, Reset, elaborate, is_verilog};
use std::path::{Path, PathBuf};

/// What a design needs to become a model.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Verilog")]
pub struct DesignArgs {
    /// The module at the top [default: the one that no other one has in it]
    #[arg(long, value_name = "MODULE")]
    pub top: Option<String>,
    /// Hold this input at a value in the first step and release it after that, as in rst_n=0; assertions count from then on. May be repeated
    #[arg(long, value_name = "INPUT=VALUE", value_parser = reset)]
    pub reset: Vec<Reset>,
    /// The clock of a design with several: the others are taken to tick with it
    #[arg(long, value_name = "INPUT")]
    pub clock: Option<String>,
    /// For several clocks: each of them changes as it likes, and a step is a moment, not a tick; --reset holds until each clock has ticked, and none stops for ever
    #[arg(long, conflicts_with = "clock")]
    pub multiclock: bool,
    /// Who reads the files: Yosys itself, or slang, which newer ones have [default: Yosys, and slang where that does not understand]
    #[arg(long, value_name = "READER")]
    pub reader: Option<ReaderArg>,
    /// Print the script for Yosys that makes the model, and nothing else
    #[arg(long)]
    pub show_yosys: bool,
    /// AIGER: the formulas of computation tree logic that are claimed, as IImc writes them (docs/CTL.md) [default: the file beside the model that is called like it, with the extension .ctl; none is no
    /// file]
    #[arg(long, value_name = "FILE", help_heading = None::<&'static str>)]
    pub ctl_file: Option<PathBuf>,
}

/// A reader of Verilog, by name.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderArg {
    /// Verilog, a part of SystemVerilog, and s_eventually
    Yosys,
    /// All of SystemVerilog that can be synthesized; of assert property hardly more than Booleans
    Slang,
}

/// One more file of a design.
pub fn more_verilog(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_verilog(&path) {
        Ok(path)
    } else {
        Err("more files are for a design in Verilog, and called .v or .sv".into())
    }
}

fn reset(text: &str) -> Result<Reset, String> {
    match text.split_once('=') {
        Some((input, "0")) if !input.is_empty() => Ok(Reset { input: input.into(), active: false }),
        Some((input, "1")) if !input.is_empty() => Ok(Reset { input: input.into(), active: true }),
        _ => Err("an input and its value while it is active, as in rst_n=0".into()),
    }
}

impl DesignArgs {
    /// Is anything said that is for Verilog only?
    fn is_given(&self) -> bool {
        self.top.is_some()
            || !self.reset.is_empty()
            || self.clock.is_some()
            || self.multiclock
            || self.reader.is_some()
            || self.show_yosys
    }
    fn design(&self, path: &Path, more: &[PathBuf]) -> Design {
        let files = [path.to_path_buf()].into_iter().chain(more.iter().cloned()).collect();
        let DesignArgs { top, reset, clock, multiclock, reader, .. } = self.clone();
        let reader = reader.map(|reader| match reader {
            ReaderArg::Yosys => Reader::Yosys,
            ReaderArg::Slang => Reader::Slang,
        });
        Design { files, top, resets: reset, clock, multiclock, reader }
    }
    /// Refuse what is for Verilog only, for a file that is something else.
    pub fn refuse(&self, path: &Path, more: &[PathBuf]) -> Result<(), Failure> {
        if !self.is_given() && more.is_empty() {
            return Ok(());
        }
        let message = format!(
            "{}: several files, --top, --reset, --clock, --multiclock, --reader and --show-yosys are for Verilog",
            path.display()
        );
        Err(Failure::bad_input(message).with_hint("Verilog is called .v or .sv"))
    }
    /// A model from a file, or from the files of a design.
    pub fn read(&self, path: &Path, more: &[PathBuf]) -> Result<Model, Failure> {
        if !is_verilog(path) {
            self.refuse(path, more)?;
            let mut model = crate::kinds::read(path)?;
            self.add_formulas(&mut model, path)?;
            return Ok(model);
        }
        self.refuse_formulas(path)?;
        let model = elaborate(&self.design(path, more)).map_err(|error| {
            let failure = Failure::bad_input(error.message);
            match error.hint {
                Some(hint) => failure.with_hint(hint),
                None => failure,
            }
        })?;
        Ok(Model::Words(WordModel::Btor2(Box::new(model))))
    }
    /// The file of formulas about a model that was read from here, if there is one.
    pub fn formulas(&self, path: &Path) -> Option<PathBuf> {
        match &self.ctl_file {
            Some(file) => (file != Path::new("none")).then(|| file.clone()),
            None if path == Path::new("-") => None,
            None => ctl_file::beside(path),
        }
    }
    /// Only of a circuit there are formulas in a file of their own.
    fn refuse_formulas(&self, path: &Path) -> Result<(), Failure> {
        if self.ctl_file.is_none() {
            return Ok(());
        }
        let message = format!("{}: --ctl-file is for AIGER", path.display());
        Err(Failure::bad_input(message).with_hint("--ctl FORMULA is for all models"))
    }
    /// Add the formulas that are claimed of a circuit to it.
    pub fn add_formulas(&self, model: &mut Model, path: &Path) -> Result<(), Failure> {
        let Model::Bits(circuit) = model else {
            return self.refuse_formulas(path);
        };
        let Some(file) = self.formulas(path) else { return Ok(()) };
        ctl_file::read(&file, circuit).map(drop).map_err(|error| {
            let hint = match &self.ctl_file {
                Some(_) => "docs/CTL.md says how formulas are written there",
                None => "it stands beside the model; docs/CTL.md says how formulas are written there, and --ctl-file none leaves it out",
            };
            Failure::bad_input(error.to_string()).with_hint(hint)
        })
    }
    /// The script for the files of a design, if that is what is wanted.
    pub fn shown(&self, path: &Path, more: &[PathBuf]) -> Option<String> {
        (self.show_yosys && is_verilog(path)).then(|| self.design(path, more).shown())
    }
    /// A model from the files of a command whose last one is something else, and that one.
    pub fn read_all<'f>(&self, files: &'f [PathBuf]) -> Result<(Model, &'f Path), Failure> {
        let (model, more, last) = parted(files)?;
        Ok((self.read(model, more)?, last))
    }
    /// Print the script for the files of a command whose last one is something else, if that is what is wanted.
    pub fn show_all(&self, files: &[PathBuf]) -> Result<bool, Failure> {
        let (model, more, _) = parted(files)?;
        self.show(model, more)
    }
    /// Print the script for a design, if that is what is wanted.
    pub fn show(&self, path: &Path, more: &[PathBuf]) -> Result<bool, Failure> {
        match self.shown(path, more) {
            Some(script) => terminal::stdout(&script).map(|()| true),
            None => Ok(false),
        }
    }
}

/// The model, more files of a design, and the last one.
pub fn parted(files: &[PathBuf]) -> Result<(&Path, &[PathBuf], &Path), Failure> {
    let [model, more @ .., last] = files else {
        return Err(Failure::bad_input("there have to be two files at least"));
    };
    for file in more {
        if !is_verilog(file) || !is_verilog(model) {
            let message = format!("{}: more files are for a design in Verilog", file.display());
            return Err(Failure::bad_input(message).with_hint("Verilog is called .v or .sv"));
        }
    }
    Ok((model, more, last))
}
