//! `indubit engines`: what there is.

use crate::args::{Engines, TextFormat};
use crate::exit::{Code, Failure};
use crate::terminal::{self, Paint};
use indubit::ENGINES;
use serde_json::json;

pub fn run(args: &Engines) -> Result<Code, Failure> {
    match args.format {
        TextFormat::Human => terminal::stdout(&human(Paint::for_stdout()))?,
        TextFormat::Json => terminal::stdout(&json())?,
    }
    Ok(Code::Done)
}

fn human(paint: Paint) -> String {
    let mut text = String::new();
    for engine in ENGINES {
        let ability = if engine.proves { "proves and finds bugs" } else { "finds bugs only" };
        text += &format!("{}  {} ({ability})\n", paint.bold(&format!("{:<5}", engine.name)), engine.summary);
        for paper in engine.paper.split("; ") {
            text += &format!("       {}\n", paint.dim(paper));
        }
    }
    text
}

fn json() -> String {
    let engines: Vec<_> = ENGINES
        .iter()
        .map(|e| json!({"name": e.name, "summary": e.summary, "proves": e.proves, "paper": e.paper}))
        .collect();
    format!("{:#}\n", json!({"format": "indubit.engines", "version": 1, "engines": engines}))
}
