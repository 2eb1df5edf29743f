//! `indubit info`: what is in a model.

mod words;

use crate::args::TextFormat;
use crate::exit::{Code, Failure};
use crate::kinds::{self, Model};
use crate::properties::Listed;
use crate::terminal::{self, Paint, count, printable};
use clap::Args;
use indubit::BitSystem;
use indubit::logic::Lit;
use indubit::system::Influence;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Info {
    /// The model: AIGER (ASCII or binary), VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

pub fn run(args: &Info) -> Result<Code, Failure> {
    let paint = Paint::for_stdout();
    let text = match (kinds::read(&args.model)?, args.format) {
        (Model::Bits(system), TextFormat::Human) => human(&args.model, &system, &Facts::new(&system), paint),
        (Model::Bits(system), TextFormat::Json) => json(&args.model, &system, &Facts::new(&system)),
        (Model::Words(model), TextFormat::Human) => words::human(&args.model, &model, paint),
        (Model::Words(model), TextFormat::Json) => words::json(&args.model, &model),
    };
    terminal::stdout(&text)?;
    Ok(Code::Done)
}

/// What has to be computed.
struct Facts {
    resets: [(&'static str, usize); 4],
    named: usize,
    properties: Vec<(Listed, [usize; 3])>,
}

impl Facts {
    fn new(system: &BitSystem) -> Facts {
        let n =
            |f: &dyn Fn(&indubit::system::Latch) -> bool| system.latches().iter().filter(|l| f(l)).count();
        let resets = [
            ("0", n(&|l| l.reset == Lit::FALSE)),
            ("1", n(&|l| l.reset == Lit::TRUE)),
            ("uninitialised", n(&|l| l.is_uninitialised())),
            ("function", n(&|l| l.has_reset_function())),
        ];
        let inputs = system.inputs().iter().map(|s| &s.name);
        let named = inputs.chain(system.latches().iter().map(|l| &l.name)).flatten().count();
        let mut cones = Influence::new(system);
        let constraints = || system.constraints.iter().map(|c| c.lit);
        let all = system.properties();
        let cones = all.iter().map(|property| {
            let is_live = property.claim.target().is_none();
            let fairness = system.fairness.iter().map(|f| f.lit).filter(|_| is_live);
            cones.size(constraints().chain(fairness).chain(property.claim.formulas().iter().copied()))
        });
        let properties = Listed::all(&all).into_iter().zip(cones).collect();
        Facts { resets, named, properties }
    }
}

fn human(path: &Path, system: &BitSystem, facts: &Facts, paint: Paint) -> String {
    let sizes = [
        count(system.inputs().len(), "input", "inputs"),
        count(system.latches().len(), "latch", "latches"),
        count(system.aig().n_ands(), "gate", "gates"),
    ];
    let mut text = format!("{}: {}\n", paint.bold(&terminal::path(path)), sizes.join(", "));
    let mut line = |heading: &str, value: String| {
        text += &format!("{heading:<12} {value}\n");
    };
    let resets = facts.resets.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| match *kind {
        "function" => format!("{n} by a function"),
        kind @ ("0" | "1") => format!("{n} to {kind}"),
        kind => format!("{n} {kind}"),
    });
    let resets: Vec<String> = resets.collect();
    if !resets.is_empty() {
        line("resets", resets.join(", "));
    }
    let sections = [
        (system.outputs.len(), "output", "outputs"),
        (system.bads.len(), "bad", "bads"),
        (system.constraints.len(), "constraint", "constraints"),
        (system.justice.len(), "justice", "justice"),
        (system.fairness.len(), "fairness", "fairness"),
    ];
    let sections = sections.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(n, one, many));
    let sections: Vec<String> = sections.collect();
    line("sections", if sections.is_empty() { "none".into() } else { sections.join(", ") });
    let n = system.inputs().len() + system.latches().len();
    line("names", format!("{} of {n} inputs and latches", facts.named));
    if !system.comment.is_empty() {
        let comment = String::from_utf8_lossy(&system.comment);
        let first: String = printable(comment.lines().next().unwrap_or_default()).chars().take(80).collect();
        let more = if comment.lines().count() > 1 { " …" } else { "" };
        line("comment", format!("{first}{more}"));
    }
    if facts.properties.is_empty() {
        return text + "no property: nothing to check\n";
    }
    text += &format!("\n{}\n", count(facts.properties.len(), "property", "properties"));
    for (property, [inputs, latches, gates]) in &facts.properties {
        let note = match property.kind() {
            "output" => ", an output that must stay 0",
            "justice" => ", justice: cannot be checked yet",
            _ => "",
        };
        let cone = [
            count(*inputs, "input", "inputs"),
            count(*latches, "latch", "latches"),
            count(*gates, "gate", "gates"),
        ];
        let cone = paint.dim(&format!("depends on {}", cone.join(", ")));
        text += &format!("{:>4}  {}{note}  {cone}\n", property.index, paint.bold(&property.title()));
    }
    text
}

fn json(path: &Path, system: &BitSystem, facts: &Facts) -> String {
    let properties = facts.properties.iter().map(|(p, [inputs, latches, gates])| {
        json!({
            "index": p.index,
            "id": p.id.to_string(),
            "name": p.name,
            "kind": p.kind(),
            "claim": p.claim.to_string(),
            "cone": {"inputs": inputs, "latches": latches, "gates": gates},
        })
    });
    let resets = facts.resets.iter().map(|&(kind, n)| (kind.to_string(), n.into()));
    let document = json!({
        "format": "indubit.info",
        "version": 1,
        "path": path.display().to_string(),
        "inputs": system.inputs().len(),
        "latches": system.latches().len(),
        "gates": system.aig().n_ands(),
        "outputs": system.outputs.len(),
        "bads": system.bads.len(),
        "constraints": system.constraints.len(),
        "justice": system.justice.len(),
        "fairness": system.fairness.len(),
        "resets": Value::Object(resets.collect()),
        "names": facts.named,
        "comment_bytes": system.comment.len(),
        "properties": properties.collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}
