//! `indubit info`: what is in a model.

mod bits;
mod words;

use crate::args::{DesignArgs, TextFormat, more_verilog};
use crate::exit::{Code, Failure};
use crate::kinds::Model;
use crate::terminal::{self, Paint, count};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct Info {
    /// The model: AIGER (ASCII or binary), BTOR2, Verilog (by Yosys), SMV, VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// More files of a design in Verilog
    #[arg(value_name = "MORE", value_parser = more_verilog)]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub design: DesignArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

/// What there is to say about a model.
struct About {
    sizes: String,
    /// Headings, and what stands after them.
    lines: Vec<(&'static str, String)>,
    /// The number of each property, what it is called, what else it is, and what it depends on.
    properties: Vec<(u64, String, &'static str, String)>,
    /// What programs get.
    details: Value,
}

pub fn run(args: &Info) -> Result<Code, Failure> {
    if args.design.show(&args.model, &args.more)? {
        return Ok(Code::Done);
    }
    let about = match args.design.read(&args.model, &args.more)? {
        Model::Bits(system) => bits::about(&system),
        Model::Words(model) => words::about(&model),
    };
    terminal::stdout(&match args.format {
        TextFormat::Human => human(args, &about, Paint::for_stdout()),
        TextFormat::Json => {
            let path = args.model.display().to_string();
            let mut document = json!({"format": "indubit.info", "version": 1, "path": path});
            terminal::extend(&mut document, about.details);
            format!("{document:#}\n")
        }
    })?;
    Ok(Code::Done)
}

/// The files beside a model that names come from, and what there is to be said against some.
fn maps(used: &[String], notes: &[String]) -> Vec<(&'static str, String)> {
    let names = used.iter().map(|map| terminal::printable(map)).collect::<Vec<_>>().join(" and ");
    let used = (!names.is_empty()).then_some(("maps", names));
    used.into_iter().chain(notes.iter().map(|note| ("note", terminal::printable(note)))).collect()
}

fn human(args: &Info, about: &About, paint: Paint) -> String {
    let mut text = format!("{}: {}\n", paint.bold(&terminal::path(&args.model)), about.sizes);
    for (heading, value) in &about.lines {
        text += &format!("{heading:<12} {value}\n");
    }
    if about.properties.is_empty() {
        return text + "no property: nothing to check\n";
    }
    text += &format!("\n{}\n", count(about.properties.len(), "property", "properties"));
    for (number, title, note, dependence) in &about.properties {
        text += &format!("{number:>4}  {}{note}  {}\n", paint.bold(title), paint.dim(dependence));
    }
    text
}
