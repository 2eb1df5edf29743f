//! `indubit convert`: the same model in another format, or with one property.

use crate::args::{Arrays, DesignArgs, parted};
use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::kinds::{Model, Presented};
use crate::output;
use crate::properties::{self, Listed};
use crate::terminal;
use clap::Args;
use indubit::formats::as_words::as_words;
use indubit::formats::model::WordModel;
use indubit::formats::{aiger, btor2, chc, ctl_file, smv, vmt};
use indubit::system::{ARRAY_BITS, Product};
use indubit::term::{BlastError, MAX_ARRAY_BITS, Term};
use indubit::{BitSystem, Bits, Claim, ClaimKind, Property, PropertyId, WordSystem, Words};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  indubit convert model.aig model.aag                  binary to ASCII, names and comments kept
  indubit convert model.aig single.aig --property 3    what a certificate for b3 of several is for
  indubit convert model.vmt model.smt2                 a transition system over words as Horn clauses
  indubit convert clauses.smt2 model.vmt               and the other way round
  indubit convert model.btor2 model.aig                bit-vectors, and arrays that fit, as bits
  indubit convert model.aig model.smv                  any model as a module for NuSMV and nuXmv
  indubit convert top.sv fifo.v model.btor2 --top top --reset rst_n=0    a design in Verilog, by the Yosys that is installed";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Convert {
    /// The model: AIGER (ASCII or binary), BTOR2, Verilog (by Yosys, one file or several), SMV, VMT or CHC; - is standard input. Then the file to write; its extension says how: .aag (ASCII
    /// AIGER), .aig (binary), .btor2 or .btor, .smv, .vmt or .smt2 (CHC); AIGER has bits only, BTOR2 bit-vectors and arrays; - is ASCII AIGER or VMT on standard output
    #[arg(value_names = ["IN", "OUT"], num_args = 2.., required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub design: DesignArgs,
    #[command(flatten)]
    pub arrays: Arrays,
    /// Keep only this property: of AIGER a bad-state property, as the only bad signal, and the constraints; from BTOR2 to BTOR2 lines keep their numbers, which a certificate for it has
    #[arg(long, value_name = "N|NAME", conflicts_with = "cover")]
    pub property: Option<String>,
    /// Keep only the question whether this can be reached, as a bad state: what a witness or a certificate for a cover is about
    #[arg(long, value_name = "FORMULA")]
    pub cover: Option<String>,
    /// Keep only the question whether this formula of temporal logic holds: in SMV and VMT as it is, in other formats about the model with what watches it (docs/LTL.md): as a bad state if a
    /// finite run can violate it, and else as justice
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "cover"])]
    pub ltl: Option<String>,
    /// Keep only the question whether this formula of computation tree logic holds: in SMV as it is, and with AIGER as a file of formulas beside it (docs/CTL.md)
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["property", "cover", "ltl"])]
    pub ctl: Option<String>,
    /// With a formula of temporal logic: as justice in any case, as a ranked proof has it
    #[arg(long)]
    pub justice: bool,
}

/// What is kept of a model.
#[derive(Clone, Copy, Default)]
pub struct Kept<'a> {
    /// Only this property.
    pub property: Option<&'a str>,
    /// Only this cover, which is added.
    pub cover: Option<&'a str>,
    /// Only this formula of temporal logic, which is added.
    pub ltl: Option<&'a str>,
    /// Only this formula of computation tree logic, which is added.
    pub ctl: Option<&'a str>,
    /// Formulas of temporal logic are questions about what is seen infinitely often, even if reachability decides them.
    pub justice: bool,
    /// Formulas of temporal logic stay what they are.
    pub formulas: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    AigerAscii,
    AigerBinary,
    Vmt,
    Chc,
    Btor2,
    Smv,
    /// ASCII AIGER or VMT, as the model is.
    Text,
}

pub fn run(args: &Convert) -> Result<Code, Failure> {
    let _guard = Guard::for_signals()?;
    if args.design.show_all(&args.files)? {
        return Ok(Code::Done);
    }
    // Before reading: the request may be wrong whatever the model is.
    let (.., path) = parted(&args.files)?;
    format(path)?;
    let (model, path) = args.design.read_all(&args.files)?;
    let (property, cover, ltl) = (args.property.as_deref(), args.cover.as_deref(), args.ltl.as_deref());
    let ctl = args.ctl.as_deref();
    let what = Kept { property, cover, ltl, ctl, justice: args.justice, formulas: false };
    let is_whole = property.is_none() && cover.is_none() && ltl.is_none() && ctl.is_none();
    let Written { contents, formulas } = written(model, what, args.arrays.limit(), path)?;
    output::save(path, &contents)?;
    if let Some(text) = formulas {
        beside(args, path, &text, is_whole)?;
    }
    Ok(Code::Done)
}

/// Write formulas beside a circuit. Where the formulas of the model that was read are, they stay as they are.
fn beside(args: &Convert, path: &Path, text: &str, is_whole: bool) -> Result<(), Failure> {
    let name = path.with_extension("ctl");
    if path == Path::new("-") {
        terminal::stderr(
            "warning: formulas of computation tree logic are not written: they stand in a file beside a circuit, and standard output has none\n",
        );
        return Ok(());
    }
    let (input, ..) = parted(&args.files)?;
    let own = args.design.formulas(input).and_then(|own| own.canonicalize().ok());
    if own.is_some() && name.canonicalize().ok() == own {
        if is_whole {
            return Ok(());
        }
        let message = format!("{}: cannot write this file: it is read in the same run", name.display());
        return Err(Failure::bad_input(message).with_hint("give the output another name"));
    }
    output::save(&name, text.as_bytes())
}

/// A model as it is written.
struct Written {
    contents: Vec<u8>,
    /// The file of formulas beside it.
    formulas: Option<String>,
}

impl From<Vec<u8>> for Written {
    fn from(contents: Vec<u8>) -> Written {
        Written { contents, formulas: None }
    }
}

/// A model, with what is [`kept`] of it, as it is written to a file of this name.
pub fn converted(model: Model, what: Kept<'_>, array_bits: u64, output: &Path) -> Result<Vec<u8>, Failure> {
    Ok(written(model, what, array_bits, output)?.contents)
}

fn written(model: Model, what: Kept<'_>, array_bits: u64, output: &Path) -> Result<Written, Failure> {
    let format = format(output)?;
    let has_formulas = match format {
        Format::Smv | Format::Vmt => true,
        Format::Text => matches!(model, Model::Words(_)),
        _ => false,
    };
    let what = Kept { formulas: has_formulas && !what.justice, ..what };
    match kept(model, what)? {
        Model::Bits(system) => bits(&system, format, output),
        Model::Words(WordModel::Btor2(model)) if what.property.is_some() && format == Format::Btor2 => {
            let own = model.system.properties.first().map(|p| p.id);
            let single = own.and_then(|id| btor2::certificate::subject(&model, id));
            single.map_or_else(|| words(&model.system, format, array_bits, output), |own| Ok(own.into()))
        }
        Model::Words(model) => words(model.system(), format, array_bits, output),
    }
}

/// The model with one property or one cover only, or as it is. A cover becomes what must not happen, and a formula of temporal logic what its product says.
pub fn kept(mut model: Model, what: Kept<'_>) -> Result<Model, Failure> {
    match &mut model {
        Model::Bits(system) => {
            if let Some(index) = position::<Bits>(system, what)? {
                let is_formula = |p: &Property| matches!(p.claim, Claim::Ltl(_) | Claim::Ctl(_));
                match system.property(index).filter(is_formula) {
                    Some(formula) => *system = system.with_spec(formula),
                    None => *system = single(system, index),
                }
            }
        }
        Model::Words(words) => {
            if let Some(index) = position::<Words>(words, what)? {
                let system = words.system_mut();
                let mut property = system.properties.swap_remove(index);
                if let Claim::Reachable(goal) = property.claim {
                    property.claim = Claim::Always(system.terms.not(goal));
                }
                system.properties = vec![property];
            }
        }
    }
    Ok(model)
}

/// The position of the property that is kept, if not all are; a cover or a formula is added for that, and watched.
fn position<K: Presented>(model: &mut K::Model, what: Kept<'_>) -> Result<Option<usize>, Failure> {
    let index = match what {
        Kept { property: Some(wanted), .. } => {
            Some(properties::find(&Listed::all(&K::properties(K::system(model))), wanted)?)
        }
        Kept { cover: Some(text), .. } => Some(properties::add_cover::<K>(model, text)?),
        Kept { ltl: Some(text), .. } => Some(properties::add_ltl::<K>(model, text)?),
        Kept { ctl: Some(text), .. } => Some(properties::add_ctl::<K>(model, text)?),
        _ => None,
    };
    let product = if what.formulas { None } else { Product::<K>::of(K::system(model)) };
    let Some(product) = product else { return Ok(index) };
    let safety = index.and_then(|index| product.safety(index)).filter(|_| !what.justice);
    let mut system = product.system;
    if safety.is_none() {
        // Reachability alone does not decide these the other way round.
        K::specs(&mut system).retain(|p| !matches!(p.id, PropertyId::LtlSafety(_)));
    }
    *model = K::with_system(model, system);
    Ok(safety.or(index))
}

/// The model with one of its properties only, and the constraints: what evidence for one of several is about.
fn single(system: &BitSystem, index: usize) -> BitSystem {
    indubit::formats::certificate::subject(system, &system.properties()[index]).into_owned()
}

fn bits(system: &BitSystem, format: Format, path: &Path) -> Result<Written, Failure> {
    let is_circuit = matches!(format, Format::AigerAscii | Format::AigerBinary | Format::Text);
    let with_formulas = if is_circuit { ctl_file::write(system) } else { None };
    let (system, formulas) = match &with_formulas {
        Some((system, formulas)) => (system, Some(formulas.clone())),
        None => (system, None),
    };
    match format {
        Format::AigerAscii | Format::Text => Ok(Written { contents: aiger::write_ascii(system), formulas }),
        Format::AigerBinary => Ok(Written { contents: aiger::write_binary(system), formulas }),
        Format::Vmt | Format::Chc | Format::Btor2 | Format::Smv => {
            let words = as_words(system).map_err(|why| {
                Failure::bad_input(format!("{}: {why}", path.display()))
                    .with_hint("name the output .aag or .aig")
            })?;
            self::words(&words, format, ARRAY_BITS, path)
        }
    }
}

fn words(system: &WordSystem, format: Format, array_bits: u64, path: &Path) -> Result<Written, Failure> {
    let is_said = |p: &Property<Term>| match format {
        Format::Chc => p.claim.is_about_reachability(),
        Format::Vmt | Format::Text => p.claim.kind() != ClaimKind::Ctl,
        _ => true,
    };
    if let Some(property) = system.properties.iter().find(|p| !is_said(p)) {
        let what = match property.claim.kind() {
            ClaimKind::Ctl => "a formula of branching time",
            _ => "about what happens for ever",
        };
        let name = if format == Format::Chc { "CHC" } else { "VMT" };
        let message =
            format!("{}: `{}` is {what}, which {name} does not have", path.display(), property.label());
        return Err(Failure::bad_input(message)
            .with_hint("name the output .smv; or keep one other property by --property"));
    }
    // BTOR2 has names for other nodes than variables.
    let names = if format == Format::Btor2 { Cow::Borrowed(system) } else { system.with_stored_names() };
    let system = &*names;
    match format {
        Format::Vmt | Format::Text => Ok(vmt::write(system).into_bytes().into()),
        Format::Chc => Ok(chc::write(system).into_bytes().into()),
        Format::Btor2 => btor2::write(system).map(|text| text.into_bytes().into()).map_err(|why| {
            Failure::bad_input(format!("{}: {why}", path.display()))
                .with_hint("name the output .vmt or .smt2 (CHC)")
        }),
        Format::Smv => smv::write(system).map(|text| text.into_bytes().into()).map_err(|why| {
            Failure::bad_input(format!("{}: {why}", path.display()))
                .with_hint("name the output .vmt, which has all sorts of SMT-LIB")
        }),
        Format::AigerAscii | Format::AigerBinary => {
            let circuit = indubit::system::blast(system, array_bits).map_err(|error| {
                let hint = match &error {
                    BlastError::TooLarge { sort, .. } if sort.n_bits().is_some_and(|n| n <= MAX_ARRAY_BITS) => {
                        "--array-bits N makes bits of larger arrays; or name the output .btor2, .vmt or .smt2 (CHC)"
                    }
                    _ => "name the output .vmt or .smt2 (CHC)",
                };
                Failure::bad_input(format!("{}: a model of words cannot be AIGER: {error}", path.display()))
                    .with_hint(hint)
            })?;
            bits(&circuit.system.in_sections(), format, path)
        }
    }
}

/// The writer of circuits for a file with this extension.
pub fn writer(path: &Path) -> Result<fn(&BitSystem) -> Vec<u8>, Failure> {
    match format(path) {
        Ok(Format::AigerAscii | Format::Text) => Ok(aiger::write_ascii),
        Ok(Format::AigerBinary) => Ok(aiger::write_binary),
        _ => Err(no_format(path, "name the output .aag (ASCII AIGER) or .aig (binary AIGER)")),
    }
}

fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|e| e.to_str()) {
        _ if path == Path::new("-") => Ok(Format::Text),
        Some("aag") => Ok(Format::AigerAscii),
        Some("aig") => Ok(Format::AigerBinary),
        Some("vmt") => Ok(Format::Vmt),
        Some("smt2") => Ok(Format::Chc),
        Some("btor2" | "btor") => Ok(Format::Btor2),
        Some("smv") => Ok(Format::Smv),
        _ => Err(no_format(
            path,
            "name the output .aag (ASCII AIGER) or .aig (binary AIGER), .btor2, .smv, of words .vmt or .smt2 (CHC)",
        )),
    }
}

fn no_format(path: &Path, hint: &str) -> Failure {
    Failure::bad_input(format!("{}: the extension does not say which format", path.display())).with_hint(hint)
}
