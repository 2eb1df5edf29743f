//! `indubit engines`: what there is.

use crate::args::{Engines, PORTFOLIO, PORTFOLIO_SUMMARY, TextFormat};
use crate::exit::{Code, Failure};
use crate::terminal::{self, Paint};
use indubit::{ENGINES, Options, SWITCHES, WORD_ENGINES};
use serde_json::json;

pub fn run(args: &Engines) -> Result<Code, Failure> {
    match args.format {
        TextFormat::Human => {
            let paint = Paint::for_stdout();
            let options = if args.options { switches(paint) } else { String::new() };
            terminal::stdout(&(human(paint) + &options))?;
        }
        TextFormat::Json => terminal::stdout(&json())?,
    }
    Ok(Code::Done)
}

fn human(paint: Paint) -> String {
    let mut text = entry(PORTFOLIO, &format!("{PORTFOLIO_SUMMARY} (the default)"), "", paint);
    text += "\nFor bits (AIGER; VMT and CHC if there are only Booleans and bit-vectors):\n";
    for engine in ENGINES {
        text += &entry(engine.name, &summary(engine.summary, engine.proves), engine.paper, paint);
    }
    text += "\nFor words (VMT and CHC):\n";
    for engine in WORD_ENGINES {
        text += &entry(engine.name, &summary(engine.summary, engine.proves), engine.paper, paint);
    }
    text
}

fn summary(summary: &str, proves: bool) -> String {
    format!("{summary} ({})", if proves { "proves and finds bugs" } else { "finds bugs only" })
}

fn entry(name: &str, summary: &str, papers: &str, paint: Paint) -> String {
    let mut text = format!("{}  {summary}\n", paint.bold(&format!("{name:<6}")));
    for paper in papers.split("; ").filter(|paper| !paper.is_empty()) {
        text += &format!("        {}\n", paint.dim(paper));
    }
    text
}

fn switches(paint: Paint) -> String {
    let defaults = Options::default();
    let mut text = String::from("\nOptions, as in --option generalize=mic:\n");
    for switch in SWITCHES {
        let value = switch.get(&defaults);
        text += &format!("{}={value}  {}\n", paint.bold(switch.name), switch.help);
        text +=
            &format!("       {}\n", paint.dim(&format!("{}: {}", switch.engines.join(", "), switch.choices)));
    }
    text
}

fn json() -> String {
    let entry = |name: &str, summary: &str, proves: bool, paper: &str| json!({"name": name, "summary": summary, "proves": proves, "paper": paper});
    let engines: Vec<_> = ENGINES.iter().map(|e| entry(e.name, e.summary, e.proves, e.paper)).collect();
    let words: Vec<_> = WORD_ENGINES.iter().map(|e| entry(e.name, e.summary, e.proves, e.paper)).collect();
    let defaults = Options::default();
    let options: Vec<_> = SWITCHES
        .iter()
        .map(|s| json!({"name": s.name, "help": s.help, "engines": s.engines, "choices": s.choices, "default": s.get(&defaults)}))
        .collect();
    let report = json!({"format": "indubit.engines", "version": 1, "engines": engines, "word_engines": words, "options": options});
    format!("{report:#}\n")
}
