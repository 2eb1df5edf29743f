//! What there is to know about Indubit itself: engines with their options, completions, manual pages.

use crate::args::{Cli, PORTFOLIO, PORTFOLIO_SUMMARY, TextFormat};
use crate::exit::{Code, Failure};
use crate::output;
use crate::terminal::{self, Paint};
use clap::{Args, CommandFactory};
use indubit::{ClaimKind, ENGINES, EngineInfo, Options, Proves, SWITCHES, Switch, engine};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct Engines {
    /// What --option can switch, too: of all engines, or of this one
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "all")]
    pub options: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct Man {
    /// The directory for the pages: one for each command
    #[arg(value_name = "DIRECTORY")]
    pub directory: PathBuf,
}

/// `indubit engines`.
pub fn engines(args: &Engines) -> Result<Code, Failure> {
    let paint = Paint::for_stdout();
    let wanted = args.options.as_deref().filter(|&name| name != "all").map(named).transpose()?;
    let text = match (args.format, wanted) {
        (TextFormat::Json, wanted) => json(wanted),
        (TextFormat::Human, Some(engine)) => switches(Some(engine), paint),
        (TextFormat::Human, None) if args.options.is_none() => list(paint),
        (TextFormat::Human, None) => list(paint) + &switches(None, paint),
    };
    terminal::stdout(&text)?;
    Ok(Code::Done)
}

fn named(name: &str) -> Result<&'static EngineInfo, Failure> {
    engine(name).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|e| e.name).collect();
        Failure::bad_input(format!("there is no engine `{name}`"))
            .with_hint(format!("there are {}", names.join(", ")))
    })
}

fn list(paint: Paint) -> String {
    let mut text = entry(PORTFOLIO, &format!("{PORTFOLIO_SUMMARY} (the default)"), "", paint);
    text += "\nOver bits (AIGER; other models if all is made of bits, as it is in Verilog), and over words (BTOR2, SMV, VMT and CHC):\n";
    for engine in ENGINES {
        let summary = format!("{} ({})", engine.summary, abilities(engine));
        text += &entry(engine.name, &summary, engine.paper, paint);
    }
    text
}

/// What an engine proves, over what it works on: bits, words, bits if it is about liveness, and bits if it is about branching time.
fn proves(engine: &EngineInfo) -> [Option<Proves>; 4] {
    let EngineInfo { bits, words, live, branching, .. } = engine;
    let (bits, words) = (bits.as_ref().map(|e| e.proves), words.as_ref().map(|e| e.proves));
    [bits, words, live.as_ref().map(|e| e.proves), branching.map(|_| Proves::Ranks)]
}

/// `bits: proves and finds bugs; words: finds bugs only`.
fn abilities(engine: &EngineInfo) -> String {
    let words = if engine.claims.contains(&ClaimKind::Always) { "words" } else { "liveness over words" };
    let kinds = ["bits", words, "liveness over bits", "CTL over bits"].into_iter().zip(proves(engine));
    let ability = |(kind, proves): (&str, Option<Proves>)| {
        let what = if proves? == Proves::Nothing { "finds bugs only" } else { "proves and finds bugs" };
        Some(format!("{kind}: {what}"))
    };
    kinds.filter_map(ability).collect::<Vec<_>>().join("; ")
}

fn entry(name: &str, summary: &str, papers: &str, paint: Paint) -> String {
    let mut text = format!("{}  {summary}\n", paint.bold(&format!("{name:<6}")));
    for paper in papers.split("; ").filter(|paper| !paper.is_empty()) {
        text += &format!("        {}\n", paint.dim(paper));
    }
    text
}

/// The options of an engine, or of all.
fn switches(engine: Option<&EngineInfo>, paint: Paint) -> String {
    let defaults = Options::default();
    let mut text = match engine {
        None => String::from("\nOptions, as in --option generalize=mic:\n"),
        Some(engine) => format!("Options of {}, as in --option NAME=VALUE:\n", engine.name),
    };
    for switch in switches_of(engine) {
        let value = switch.get(&defaults);
        text += &format!("{}={value}  {}\n", paint.bold(switch.name), switch.help);
        let choices = format!("{}: {}", heeding(switch, engine), switch.choices);
        text += &format!("       {}\n", paint.dim(&choices));
    }
    text
}

/// What an engine heeds, or any.
fn switches_of(engine: Option<&EngineInfo>) -> impl Iterator<Item = &'static Switch> {
    let is_of = move |s: &&Switch| engine.is_none_or(|e| s.is_for(e.id));
    SWITCHES.iter().filter(is_of)
}

/// Who heeds a switch: `ic3, quip over bits; quip over words`; of one engine only over what.
fn heeding(switch: &Switch, engine: Option<&EngineInfo>) -> String {
    let kinds = [("bits", switch.bits), ("words", switch.words)];
    let kind = |(kind, engines): (&str, &[indubit::EngineId])| {
        let names = engines.iter().filter(|id| engine.is_none_or(|e| e.id == **id));
        let names: Vec<&str> = names.map(|id| id.info().name).collect();
        match (names.is_empty(), engine) {
            (true, _) => None,
            (false, Some(_)) => Some(format!("over {kind}")),
            (false, None) => Some(format!("{} over {kind}", names.join(", "))),
        }
    };
    kinds.into_iter().filter_map(kind).collect::<Vec<_>>().join("; ")
}

/// All engines and options, or one engine and its options.
fn json(wanted: Option<&EngineInfo>) -> String {
    let entry = |e: &EngineInfo, proves: Proves| {
        let claims: Vec<String> = e.claims.iter().map(ToString::to_string).collect();
        let proves = proves != Proves::Nothing;
        json!({"name": e.name, "summary": e.summary, "proves": proves, "claims": claims, "paper": e.paper})
    };
    let [bits, words, live, branching] = [0, 1, 2, 3].map(|kind| -> Vec<Value> {
        let engines = ENGINES.iter().filter(|e| wanted.is_none_or(|wanted| wanted.id == e.id));
        engines.filter_map(|e| Some(entry(e, proves(e)[kind]?))).collect()
    });
    let defaults = Options::default();
    let names = |ids: &[indubit::EngineId]| ids.iter().map(|id| id.info().name).collect::<Vec<_>>();
    let options: Vec<Value> = switches_of(wanted)
        .map(|s| json!({"name": s.name, "help": s.help, "engines": names(s.bits), "word_engines": names(s.words), "choices": s.choices, "default": s.get(&defaults)}))
        .collect();
    let report = json!({
        "format": "indubit.engines", "version": 1, "engines": bits, "word_engines": words, "live_engines": live, "ctl_engines": branching,
        "options": options,
    });
    format!("{report:#}\n")
}

/// `indubit completions`.
pub fn completions(args: &Completions) -> Result<Code, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "indubit", &mut script);
    terminal::stdout(&String::from_utf8_lossy(&script))?;
    Ok(Code::Done)
}

/// `indubit man`: a page for the program and one for each of its commands.
pub fn man(args: &Man) -> Result<Code, Failure> {
    let program = Cli::command();
    let page = |command: clap::Command, name: String| -> Result<(), Failure> {
        let path = args.directory.join(format!("{name}.1"));
        let mut text = Vec::new();
        let man = clap_mangen::Man::new(command).title(name.to_uppercase());
        man.render(&mut text).map_err(Failure::internal)?;
        output::save(&path, &text)
    };
    for command in program.get_subcommands() {
        page(command.clone(), format!("indubit-{}", command.get_name()))?;
    }
    page(program.clone(), "indubit".into())?;
    let pages = terminal::count(1 + program.get_subcommands().count(), "page", "pages");
    terminal::stdout(&format!("{pages} written to {}\n", terminal::path(&args.directory)))?;
    Ok(Code::Done)
}
