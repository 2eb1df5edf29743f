//! `indubit engines`: what there is.

use crate::args::{Engines, PORTFOLIO, PORTFOLIO_SUMMARY, TextFormat};
use crate::exit::{Code, Failure};
use crate::terminal::{self, Paint};
use indubit::{ENGINES, Options, SWITCHES};
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
    let name = |name: &str| paint.bold(&format!("{name:<5}"));
    let mut text = format!("{}  {PORTFOLIO_SUMMARY} (the default)\n", name(PORTFOLIO));
    for engine in ENGINES {
        let ability = if engine.proves { "proves and finds bugs" } else { "finds bugs only" };
        text += &format!("{}  {} ({ability})\n", name(engine.name), engine.summary);
        for paper in engine.paper.split("; ") {
            text += &format!("       {}\n", paint.dim(paper));
        }
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
    let engines: Vec<_> = ENGINES
        .iter()
        .map(|e| json!({"name": e.name, "summary": e.summary, "proves": e.proves, "paper": e.paper}))
        .collect();
    let defaults = Options::default();
    let options: Vec<_> = SWITCHES
        .iter()
        .map(|s| json!({"name": s.name, "help": s.help, "engines": s.engines, "choices": s.choices, "default": s.get(&defaults)}))
        .collect();
    let report = json!({"format": "indubit.engines", "version": 1, "engines": engines, "options": options});
    format!("{report:#}\n")
}
