//! Writing SMV: any system as one module `main`.
//!
//! **Inputs.** What constraints, fairness or specifications say of an input is about a step, and `IVAR` has no value where no step follows. Such inputs are `VAR`s that nothing determines; then a
//! state of the module is a state and the inputs of its step. Others are `IVAR`.
//!
//! **Constraints** are `INVAR`. A run of the module is one along which all constraints hold, its last step included, and so are the finite runs that decide a bad state of AIGER or BTOR2 (`c U (c & b)`)
//! and the infinite ones that decide justice. A state may be left without successor; `INVARSPEC` and `LTLSPEC` have the same meaning all the same: states are reached by finite runs, and formulas are about infinite ones.
//!
//! **Terms** that occur more than once, or deep inside of others, are definitions, `_1`, `_2`, …. Words are unsigned.

use super::lexer::{self, MOST_BITS};
use super::show::word;
use crate::ctl_text;
use crate::ltl_text::{self, Written, assuming};
use indubit_system::{Claim, Ctl, Ltl, WordSystem};
use indubit_term::{Op, Scalar, Sort, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A specification has at most so many characters.
const LONGEST: usize = 1 << 24;

/// Expressions that are nested deeper become definitions.
const DEEPEST: usize = 24;
/// A text that is longer becomes a definition, too.
const LONG: usize = 1 << 12;

/// The system as SMV. An error names what SMV cannot say.
///
/// ```
/// use indubit_formats::smv;
/// use indubit_system::WordSystem;
/// use indubit_term::Sort;
/// let mut system = WordSystem::new();
/// let x = system.add_state("u0.x", Sort::Bool);
/// system.trans = system.terms.eq(x.next, x.current);
/// let holds = system.terms.not(x.current);
/// system.add_invar("low", holds);
/// let text = smv::write(&system).unwrap();
/// assert!(text.contains("next(\"u0.x\") := \"u0.x\";") && text.contains("INVARSPEC NAME low := !\"u0.x\";"), "{text}");
/// ```
pub fn write(system: &WordSystem) -> Result<String, String> {
    let mut terms = system.terms.clone();
    let (functions, relation) = system.functions(&mut terms);
    let currents: FxHashSet<Term> = system.states.iter().map(|v| v.current).collect();
    let (resets, initially) = terms.definitions(system.init, &currents, |value| value);
    let claims: Vec<Vec<Term>> =
        system.properties.iter().map(|p| excused(&mut terms, system, &p.claim)).collect();
    // What claims of justice have in common is said once.
    let justice = |claim: &Claim<Term>| match claim {
        Claim::Justice(signals) => signals.starts_with(&system.fairness),
        _ => true,
    };
    let is_common = system.properties.iter().all(|p| justice(&p.claim));
    let seen = system.constraints.iter().map(|c| c.holds).chain(system.fairness.iter().copied());
    let seen: Vec<Term> = seen.chain(claims.iter().flatten().copied()).collect();
    let of_state: FxHashSet<Term> = terms.variables(&seen).into_iter().collect();
    let roots = functions.values().chain(resets.values()).copied().chain([relation, initially]);
    let mut writer = Writer::new(&terms, &roots.chain(seen).collect::<Vec<_>>());

    let mut declarations: [String; 2] = Default::default();
    for state in &system.states {
        let name = writer.declare(state.current, &mut declarations[0])?;
        writer.texts.insert(state.next, Text { text: format!("next({name})"), depth: 0 });
    }
    for &input in &system.inputs {
        writer.declare(input, &mut declarations[usize::from(!of_state.contains(&input))])?;
    }
    let mut body = String::new();
    let mut assignments = String::new();
    for state in &system.states {
        let name = writer.text(state.current)?;
        if let Some(&reset) = resets.get(&state.current) {
            line(&mut assignments, format_args!("  init({name}) := {};", writer.text(reset)?));
        }
        if let Some(&function) = functions.get(&state.next) {
            line(&mut assignments, format_args!("  next({name}) := {};", writer.text(function)?));
        }
    }
    if !assignments.is_empty() {
        body = format!("ASSIGN\n{assignments}");
    }
    for (section, formula) in [("INIT", initially), ("TRANS", relation)] {
        for conjunct in terms.conjuncts(formula) {
            line(&mut body, format_args!("{section} {};", writer.text(conjunct)?));
        }
    }
    for constraint in &system.constraints {
        line(&mut body, format_args!("INVAR {};", writer.text(constraint.holds)?));
    }
    for &often in system.fairness.iter().filter(|_| is_common) {
        line(&mut body, format_args!("JUSTICE {};", writer.text(often)?));
    }
    let mut specifications = Names::default();
    for (property, own) in system.properties.iter().zip(&claims) {
        let name = specifications.fresh(&property.label());
        let fairness: &[Term] = if is_common { &[] } else { &system.fairness };
        let skipped = if is_common { system.fairness.len() } else { 0 };
        let mut ltl = |formula: &Ltl<Term>| {
            let text = writer.ltl(formula)?;
            let text = text.ok_or_else(|| format!("`{}` is too long as a text", property.label()))?;
            Ok::<_, String>(format!("LTLSPEC NAME {name} := {text};"))
        };
        let text = match &property.claim {
            Claim::Always(_) => format!("INVARSPEC NAME {name} := {};", writer.text(own[0])?),
            Claim::Ltl(formula) if fairness.is_empty() => ltl(formula)?,
            Claim::Ltl(formula) => ltl(&assuming(fairness, Some(formula)))?,
            Claim::Justice(signals) => ltl(&assuming(&signals[skipped..], None))?,
            // There is no such specification: whoever asks for one has its formula.
            Claim::Reachable(goal) => {
                let text = writer.text(*goal)?;
                let name = writer.names.fresh(&property.label());
                format!("-- Can this be reached? It is a cover.\nDEFINE {name} := {text};")
            }
            Claim::Ctl(_) if !is_common => {
                return Err(format!(
                    "`{}` is about the fairness of the system, which is not that of its justice",
                    property.label()
                ));
            }
            Claim::Ctl(formula) => {
                let text = writer.ctl(formula)?;
                let text = text.ok_or_else(|| format!("`{}` is too long as a text", property.label()))?;
                format!("CTLSPEC NAME {name} := {text};")
            }
        };
        line(&mut body, format_args!("{text}"));
    }
    let mut text = String::from("MODULE main\n");
    for (section, declarations) in ["VAR", "IVAR"].into_iter().zip(declarations) {
        if !declarations.is_empty() {
            let _ = write!(text, "{section}\n{declarations}");
        }
    }
    if !writer.definitions.is_empty() {
        let _ = write!(text, "DEFINE\n{}", writer.definitions);
    }
    Ok(text + &body)
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    writeln!(text, "{what}").expect("memory takes everything");
}

/// The formulas of a claim. What must hold always does not say again that constraints may be broken: they hold in each state.
fn excused(terms: &mut Terms, system: &WordSystem, claim: &Claim<Term>) -> Vec<Term> {
    let Claim::Always(holds) = *claim else { return claim.formulas().to_vec() };
    if system.constraints.is_empty() {
        return vec![holds];
    }
    let constraints: FxHashSet<Term> =
        system.constraints.iter().flat_map(|c| terms.conjuncts(c.holds)).collect();
    let bad = terms.not(holds);
    let mut bad = terms.conjuncts(bad);
    bad.retain(|part| !constraints.contains(part));
    let bad = terms.and(&bad);
    vec![terms.not(bad)]
}

/// Names that are identifiers of SMV, in quotes if they have to be, each different.
#[derive(Default)]
struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    fn fresh(&mut self, name: &str) -> String {
        let is_quoted = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
        let bare = if is_quoted { &name[1..name.len() - 1] } else { name };
        let bare: String =
            bare.chars().map(|c| if c == '"' || !(' '..='~').contains(&c) { '_' } else { c }).collect();
        let bare = if bare.is_empty() { "_".to_owned() } else { bare };
        for n in 1.. {
            let candidate = if n == 1 { bare.clone() } else { format!("{bare}_{n}") };
            let candidate = match !is_quoted && lexer::is_name(&candidate) {
                true => candidate,
                false => format!("\"{candidate}\""),
            };
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
        unreachable!("numbers do not end")
    }
}

#[derive(Clone)]
struct Text {
    text: String,
    depth: usize,
}

/// Expressions, and what they stand for.
struct Writer<'t> {
    terms: &'t Terms,
    names: Names,
    texts: FxHashMap<Term, Text>,
    /// Terms that are written more than once.
    shared: FxHashSet<Term>,
    definitions: String,
    n_definitions: usize,
}

impl<'t> Writer<'t> {
    fn new(terms: &'t Terms, roots: &[Term]) -> Writer<'t> {
        let (mut once, mut shared) = (FxHashSet::default(), FxHashSet::default());
        let mut use_of = |term: Term| {
            if !once.insert(term) {
                shared.insert(term);
            }
        };
        roots.iter().copied().for_each(&mut use_of);
        for term in terms.cone(roots) {
            terms.args(term).iter().copied().for_each(&mut use_of);
        }
        let (names, texts, definitions) = Default::default();
        Writer { terms, names, texts, shared, definitions, n_definitions: 0 }
    }
    fn declare(&mut self, variable: Term, declarations: &mut String) -> Result<String, String> {
        let given = self.terms.name(variable).unwrap_or_default();
        let sort = sort(self.terms.sort(variable)).map_err(|why| format!("`{given}` is {why}"))?;
        let name = self.names.fresh(given);
        line(declarations, format_args!("  {name} : {sort};"));
        self.texts.insert(variable, Text { text: name.clone(), depth: 0 });
        Ok(name)
    }
    /// The text of a term, which can be an operand of anything.
    fn text(&mut self, root: Term) -> Result<String, String> {
        let texts = &self.texts;
        for term in self.terms.cone_above(&[root], |term| texts.contains_key(&term)) {
            if self.texts.contains_key(&term) {
                continue;
            }
            let args = self.terms.args(term);
            let depth = 1 + args.iter().map(|arg| self.texts[arg].depth).max().unwrap_or(0);
            let parts: Vec<&str> = args.iter().map(|arg| &*self.texts[arg].text).collect();
            let mut made = Text { text: expression(self.terms, term, &parts)?, depth };
            // Some operators have an operand in several places of their text.
            let is_long = depth > DEEPEST || made.text.len() > LONG;
            if !args.is_empty() && (self.shared.contains(&term) || is_long) {
                self.n_definitions += 1;
                let name = self.names.fresh(&format!("_{}", self.n_definitions));
                line(&mut self.definitions, format_args!("  {name} := {};", made.text));
                made = Text { text: name, depth: 0 };
            }
            self.texts.insert(term, made);
        }
        Ok(self.texts[&root].text.clone())
    }
    /// The atoms of a formula.
    fn atoms(&mut self, atoms: &[Term]) -> Result<Vec<String>, String> {
        atoms.iter().map(|&atom| self.text(atom)).collect()
    }
    fn ltl(&mut self, formula: &Ltl<Term>) -> Result<Option<String>, String> {
        let atoms = self.atoms(formula.atoms())?;
        let write = |written: Written, parts: &[&str]| {
            let one = |operator: &str| format!("{operator} ({})", parts[0]);
            let two = |operator: &str| format!("({} {operator} {})", parts[0], parts[1]);
            match written {
                Written::Constant(value) => truth(value).to_owned(),
                Written::Atom(number) => atoms[number as usize].clone(),
                Written::Not => format!("!({})", parts[0]),
                Written::And => two("&"),
                Written::Or => two("|"),
                Written::Implies => two("->"),
                Written::Iff => two("<->"),
                Written::Next => one("X"),
                Written::Finally => one("F"),
                Written::Globally => one("G"),
                Written::Until => format!("(({}) U ({}))", parts[0], parts[1]),
                Written::Release => format!("(({}) V ({}))", parts[0], parts[1]),
                Written::Yesterday => one("Y"),
                Written::WeakYesterday => one("Z"),
                Written::Once => one("O"),
                Written::Historically => one("H"),
                Written::Since => format!("(({}) S ({}))", parts[0], parts[1]),
                Written::Triggered => format!("(({}) T ({}))", parts[0], parts[1]),
            }
        };
        Ok(ltl_text::text(formula, LONGEST, write, |text| text))
    }
    fn ctl(&mut self, formula: &Ctl<Term>) -> Result<Option<String>, String> {
        let atoms = self.atoms(formula.atoms())?;
        let atom = |number: u32| atoms[number as usize].clone();
        let write = |written: ctl_text::Written, parts: &[&str]| {
            ctl_text::spelled(ctl_text::Style::Smv, written, parts, &atom)
        };
        Ok(ctl_text::text(formula, ctl_text::Part::new(formula.root()), LONGEST, write))
    }
}

fn truth(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// A type, or what there is no type for.
fn sort(sort: Sort) -> Result<String, String> {
    Ok(match sort {
        Sort::Bool => "boolean".into(),
        Sort::Int => "integer".into(),
        Sort::Real => "real".into(),
        Sort::BitVec(width) if width > MOST_BITS => {
            return Err(format!("a word of {width} bits, and SMV has at most {MOST_BITS} here"));
        }
        Sort::BitVec(width) => format!("unsigned word[{width}]"),
        Sort::Array(array) => {
            let index = match array.index {
                Scalar::BitVec(width) => format!("word[{width}]"),
                Scalar::Int => "integer".into(),
                Scalar::Bool | Scalar::Real => {
                    return Err(format!(
                        "an array over {}, and SMV has those over words and integers",
                        Sort::from(array.index)
                    ));
                }
            };
            format!("array {index} of {}", self::sort(array.element.into())?)
        }
    })
}

/// A constant.
fn constant(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Bool(value) => truth(*value).into(),
        Value::Int(value) if *value < 0.into() => format!("({value})"),
        Value::Int(value) => value.to_string(),
        Value::Real(value) => {
            let text = match value.is_integer() {
                true => format!("{value}.0"),
                false => super::show::real(value),
            };
            if text.starts_with('-') { format!("({text})") } else { text }
        }
        Value::Bits { width, value } => word(*width, value, false),
        Value::Array(table) => {
            let mut text =
                format!("CONSTARRAY({}, {})", sort(Sort::Array(table.sort()))?, constant(table.others())?);
            for (index, element) in table.entries() {
                text = format!("WRITE({text}, {}, {})", constant(index)?, constant(element)?);
            }
            text
        }
    })
}

/// An operator and its operands.
fn expression(terms: &Terms, term: Term, parts: &[&str]) -> Result<String, String> {
    let args = terms.args(term);
    let joined = |operator: &str| format!("({})", parts.join(&format!(" {operator} ")));
    let zero =
        |of: Term| terms.sort(of).width().map_or(String::new(), |width| word(width, &0u32.into(), false));
    // Division by zero is a mistake in SMV, and so is a shift by more than the width.
    let divisor = || {
        let one = terms.sort(args[1]).width().map_or(String::new(), |width| word(width, &1u32.into(), false));
        format!("({} = {} ? {one} : {})", parts[1], zero(args[1]), parts[1])
    };
    let amount = || {
        let width = terms.sort(args[1]).width().unwrap_or(1);
        let most = word(width, &width.into(), false);
        // A word of one bit is never shifted by more.
        if width == 1 { parts[1].to_owned() } else { format!("({0} > {most} ? {most} : {0})", parts[1]) }
    };
    Ok(match terms.op(term) {
        Op::Const => constant(terms.value(term).expect("a constant has a value"))?,
        // Variables that are not of the system are none of a well-formed one.
        Op::Var => {
            return Err(format!("`{}` is no variable of the system", terms.name(term).unwrap_or_default()));
        }
        Op::Not | Op::BvNot => format!("!{}", parts[0]),
        Op::And | Op::BvAnd => joined("&"),
        Op::Or | Op::BvOr => joined("|"),
        Op::Eq if terms.sort(args[0]) == Sort::Bool => joined("<->"),
        Op::Eq => joined("="),
        Op::Ite => format!("({} ? {} : {})", parts[0], parts[1], parts[2]),
        Op::Le => joined("<="),
        Op::Lt | Op::BvUlt => joined("<"),
        Op::Add | Op::BvAdd => joined("+"),
        Op::Mul | Op::BvMul => joined("*"),
        // The remainder is not negative in SMT-LIB, and has the sign of the dividend in SMV.
        Op::Mod => remainder(parts),
        Op::Div => format!("(({} - {}) / {})", parts[0], remainder(parts), parts[1]),
        Op::ToReal => parts[0].to_owned(),
        Op::ToInt => format!("floor({})", parts[0]),
        Op::BvXor => joined("xor"),
        Op::BvNeg => format!("(- {})", parts[0]),
        Op::BvUdiv | Op::BvUrem => {
            let (sign, by_zero) = match terms.op(term) {
                Op::BvUdiv => ("/", format!("!{}", zero(args[1]))),
                _ => ("mod", parts[0].to_owned()),
            };
            match terms.value(args[1]).and_then(Value::as_bits) {
                Some(divisor) if divisor.bits() == 0 => by_zero,
                Some(_) => format!("({} {sign} {})", parts[0], parts[1]),
                None => {
                    let (by, zero) = (parts[1], zero(args[1]));
                    format!("({by} = {zero} ? {by_zero} : {} {sign} {})", parts[0], divisor())
                }
            }
        }
        Op::BvShl => format!("({} << {})", parts[0], amount()),
        Op::BvLshr => format!("({} >> {})", parts[0], amount()),
        Op::BvAshr => format!("unsigned(signed({}) >> {})", parts[0], amount()),
        Op::BvSlt => format!("(signed({}) < signed({}))", parts[0], parts[1]),
        Op::Concat => joined("::"),
        Op::Extract { high, low } => format!("({})[{high}:{low}]", parts[0]),
        Op::SignExtend(by) => format!("unsigned(extend(signed({}), {by}))", parts[0]),
        Op::Select => format!("READ({}, {})", parts[0], parts[1]),
        Op::Store => format!("WRITE({}, {}, {})", parts[0], parts[1], parts[2]),
        Op::ConstArray(array) => format!("CONSTARRAY({}, {})", sort(Sort::Array(array))?, parts[0]),
    })
}

fn remainder(parts: &[&str]) -> String {
    let (a, b) = (parts[0], parts[1]);
    let size = b.strip_prefix("(-").and_then(|b| b.strip_suffix(')')).unwrap_or(b);
    format!("(({a} mod {b}) < 0 ? ({a} mod {b}) + {size} : {a} mod {b})")
}
