//! Writing BTOR2.

use indubit_system::{Claim, Name, WordSystem};
use indubit_term::{ArraySort, Element, Op, Scalar, Sort, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The system as BTOR2: next values that `trans` says are functions, others are inputs, and what else it says of steps is a constraint behind each. An error names what BTOR2 cannot
/// say: numbers.
pub fn write(system: &WordSystem) -> Result<String, String> {
    let mut terms = system.terms.clone();
    let (functions, relation) = system.functions(&mut terms);
    let currents: FxHashSet<Term> = system.states.iter().map(|v| v.current).collect();
    let (resets, initially) = terms.definitions(system.init, &currents, |value| value);
    let truth = terms.bool(true);
    let mut writer = Writer::new(&terms);
    for &input in &system.inputs {
        writer.variable("input", input)?;
    }
    for state in &system.states {
        // The value has to be there before its state.
        let reset = resets.get(&state.current).copied();
        let value = match reset.and_then(|reset| terms.value(reset)) {
            // One element for all indices.
            Some(Value::Array(table)) if table.entries().len() == 0 => Some(writer.constant(table.others())?),
            _ => reset.map(|reset| writer.node(reset)).transpose()?,
        };
        // A name that means something else than what is stored comes as the name of an output.
        let id = match system.wires.contains_key(&state.current) {
            true => writer.unnamed("state", state.current)?,
            false => writer.variable("state", state.current)?,
        };
        if let Some(value) = value {
            let sort = writer.sort(terms.sort(state.current))?;
            writer.line(format_args!("init {sort} {id} {value}"));
        }
    }
    // Next values that nothing says, if something mentions them.
    let mentioned: FxHashSet<Term> = terms.variables(&[relation]).into_iter().collect();
    for state in &system.states {
        if !functions.contains_key(&state.next) && mentioned.contains(&state.next) {
            writer.variable("input", state.next)?;
        }
    }
    for state in &system.states {
        let next = match functions.get(&state.next) {
            Some(&function) => Some(function),
            None => mentioned.contains(&state.next).then_some(state.next),
        };
        if let Some(next) = next {
            let sort = writer.sort(terms.sort(state.current))?;
            let (id, value) = (writer.nodes[&state.current], writer.node(next)?);
            writer.line(format_args!("next {sort} {id} {value}"));
        }
    }
    let bit = |writer: &mut Writer<'_>| writer.sort(Sort::BitVec(1));
    // What else holds initially, and of steps, is about a state that knows whether it is the first one, and one that knows whether the step was one.
    if initially != truth {
        let sort = bit(&mut writer)?;
        let one = writer.line(format_args!("one {sort}"));
        let first = writer.line(format_args!("state {sort} .first"));
        writer.line(format_args!("init {sort} {first} {one}"));
        writer.line(format_args!("next {sort} {first} -{one}"));
        let holds = writer.node(initially)?;
        let holds = writer.line(format_args!("implies {sort} {first} {holds}"));
        writer.line(format_args!("constraint {holds} .init"));
    }
    if relation != truth {
        let sort = bit(&mut writer)?;
        let one = writer.line(format_args!("one {sort}"));
        let ok = writer.line(format_args!("state {sort} .ok"));
        writer.line(format_args!("init {sort} {ok} {one}"));
        let holds = writer.node(relation)?;
        writer.line(format_args!("next {sort} {ok} {holds}"));
        writer.line(format_args!("constraint {ok} .trans"));
    }
    for constraint in &system.constraints {
        let holds = writer.node(constraint.holds)?;
        writer.line(format_args!("constraint {holds}{}", behind(constraint.name.as_ref())));
    }
    // Claims list the fairness of the system before their own signals; where one does not, all of them say all.
    let justice = |p: &indubit_system::Property<Term>| match &p.claim {
        Claim::Justice(signals) => signals.starts_with(&system.fairness),
        _ => true,
    };
    let fairness: &[Term] = if system.properties.iter().all(justice) { &system.fairness } else { &[] };
    for &often in fairness {
        let often = writer.node(often)?;
        writer.line(format_args!("fair {often}"));
    }
    for property in &system.properties {
        let mut name = behind(property.name.as_ref());
        if let Some(source) = &property.source {
            name += &format!(" ; {}", source.to_string().replace('\n', " "));
        }
        match &property.claim {
            Claim::Always(good) => {
                let bad = writer.negated(*good)?;
                writer.line(format_args!("bad {bad}{name}"));
            }
            Claim::Justice(signals) => {
                let mut ids = String::new();
                let own = &signals[fairness.len()..];
                for &signal in own {
                    let _ = write!(ids, " {}", writer.node(signal)?);
                }
                writer.line(format_args!("justice {}{ids}{name}", own.len()));
            }
            // A cover is an output: BTOR2 has no other place for it.
            Claim::Reachable(goal) => {
                let goal = writer.node(*goal)?;
                writer.line(format_args!("output {goal}{name}"));
            }
            // BTOR2 has no temporal logic; whoever wants such a claim written makes a product of it.
            Claim::Ltl(_) | Claim::Ctl(_) => continue,
        }
    }
    for state in &system.states {
        if let (Some(&wire), Some(name)) = (system.wires.get(&state.current), terms.name(state.current)) {
            let wire = writer.node(wire)?;
            writer.line(format_args!("output {wire} {}", word(name)));
        }
    }
    Ok(writer.text)
}

/// A symbol behind what a line says, as one word.
fn behind(name: Option<&Name>) -> String {
    name.map_or(String::new(), |name| format!(" {}", word(&name.to_string())))
}

fn word(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c == ';', "_")
}

/// Lines, and what they stand for.
pub(super) struct Writer<'t> {
    terms: &'t Terms,
    pub text: String,
    /// The number of the last line.
    pub last: u64,
    pub sorts: FxHashMap<Sort, u64>,
    pub nodes: FxHashMap<Term, u64>,
    /// Are there states that stand for constant arrays?
    pub has_constant_arrays: bool,
}

impl<'t> Writer<'t> {
    pub fn new(terms: &'t Terms) -> Writer<'t> {
        Writer {
            terms,
            text: String::new(),
            last: 0,
            sorts: FxHashMap::default(),
            nodes: FxHashMap::default(),
            has_constant_arrays: false,
        }
    }
    pub fn line(&mut self, what: std::fmt::Arguments<'_>) -> u64 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {what}", self.last);
        self.last
    }
    pub fn sort(&mut self, sort: Sort) -> Result<u64, String> {
        // What is true or false is a bit.
        let sort = match sort {
            Sort::Bool => Sort::BitVec(1),
            Sort::Array(ArraySort { index, element: Element::Scalar(element) }) => {
                let bits = |scalar| if scalar == Scalar::Bool { Scalar::BitVec(1) } else { scalar };
                Sort::Array(ArraySort { index: bits(index), element: bits(element).into() })
            }
            sort => sort,
        };
        if let Some(&id) = self.sorts.get(&sort) {
            return Ok(id);
        }
        let id = match sort {
            Sort::BitVec(width) => self.line(format_args!("sort bitvec {width}")),
            Sort::Array(array @ ArraySort { element: Element::Scalar(_), .. }) => {
                let (index, element) = (self.sort(array.index.into())?, self.sort(array.element.into())?);
                self.line(format_args!("sort array {index} {element}"))
            }
            _ => return Err(format!("BTOR2 has bit-vectors and arrays of them, and nothing of sort {sort}")),
        };
        self.sorts.insert(sort, id);
        Ok(id)
    }
    pub fn variable(&mut self, tag: &str, variable: Term) -> Result<u64, String> {
        let name = self.terms.name(variable).map(word).unwrap_or_default();
        self.declared(tag, variable, &name)
    }
    /// A variable without its name.
    fn unnamed(&mut self, tag: &str, variable: Term) -> Result<u64, String> {
        self.declared(tag, variable, "")
    }
    fn declared(&mut self, tag: &str, variable: Term, name: &str) -> Result<u64, String> {
        let sort = self.sort(self.terms.sort(variable))?;
        let space = if name.is_empty() { "" } else { " " };
        let id = self.line(format_args!("{tag} {sort}{space}{name}"));
        self.nodes.insert(variable, id);
        Ok(id)
    }
    /// The node of the negation of a formula.
    fn negated(&mut self, formula: Term) -> Result<u64, String> {
        if self.terms.op(formula) == Op::Not {
            return self.node(self.terms.args(formula)[0]);
        }
        let (sort, id) = (self.sort(Sort::Bool)?, self.node(formula)?);
        Ok(self.line(format_args!("not {sort} {id}")))
    }
    /// The node of a term.
    pub fn node(&mut self, root: Term) -> Result<u64, String> {
        let nodes = &self.nodes;
        for term in self.terms.cone_above(&[root], |t| nodes.contains_key(&t)) {
            if !self.nodes.contains_key(&term) {
                let id = self.term(term)?;
                self.nodes.insert(term, id);
            }
        }
        Ok(self.nodes[&root])
    }
    /// A term whose arguments have nodes.
    fn term(&mut self, term: Term) -> Result<u64, String> {
        let terms = self.terms;
        let sort = self.sort(terms.sort(term))?;
        let args: Vec<u64> = terms.args(term).iter().map(|arg| self.nodes[arg]).collect();
        let name = match terms.op(term) {
            Op::Var => {
                return Err(format!("the variable `{}` is no part of the system", terms.display(term)));
            }
            Op::Const => {
                let value = terms.value(term).expect("a constant has a value");
                return self.constant(value);
            }
            Op::And | Op::Or => {
                let name = if terms.op(term) == Op::And { "and" } else { "or" };
                let mut all = args[0];
                for next in &args[1..] {
                    all = self.line(format_args!("{name} {sort} {all} {next}"));
                }
                return Ok(all);
            }
            Op::Extract { high, low } => {
                return Ok(self.line(format_args!("slice {sort} {} {high} {low}", args[0])));
            }
            Op::SignExtend(n) => return Ok(self.line(format_args!("sext {sort} {} {n}", args[0]))),
            Op::ConstArray(_) => {
                let found = terms.display(term).short();
                return Err(format!(
                    "BTOR2 has constant arrays with constant elements only, and not `{found}`"
                ));
            }
            Op::Not | Op::BvNot => "not",
            Op::Eq => "eq",
            Op::Ite => "ite",
            Op::BvAnd => "and",
            Op::BvOr => "or",
            Op::BvXor => "xor",
            Op::BvNeg => "neg",
            Op::BvAdd => "add",
            Op::BvMul => "mul",
            Op::BvUdiv => "udiv",
            Op::BvUrem => "urem",
            Op::BvShl => "sll",
            Op::BvLshr => "srl",
            Op::BvAshr => "sra",
            Op::BvUlt => "ult",
            Op::BvSlt => "slt",
            Op::Concat => "concat",
            Op::Select => "read",
            Op::Store => "write",
            Op::Le | Op::Lt | Op::Add | Op::Mul | Op::Div | Op::Mod | Op::ToReal | Op::ToInt => {
                return Err(format!(
                    "BTOR2 has no numbers, and `{}` is about some",
                    terms.display(term).short()
                ));
            }
        };
        let args = args.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        Ok(self.line(format_args!("{name} {sort} {args}")))
    }
    fn constant(&mut self, value: &Value) -> Result<u64, String> {
        let sort = self.sort(value.sort())?;
        Ok(match value {
            Value::Bool(b) => self.line(format_args!("{} {sort}", if *b { "one" } else { "zero" })),
            Value::Bits { value, .. } if value.bits() == 0 => self.line(format_args!("zero {sort}")),
            Value::Bits { value, .. } => self.line(format_args!("constd {sort} {value}")),
            Value::Array(table) => {
                let others = self.constant(table.others())?;
                let mut array = self.const_array(table.sort(), others)?;
                for (index, element) in table.entries() {
                    let (index, element) = (self.constant(index)?, self.constant(element)?);
                    array = self.line(format_args!("write {sort} {array} {index} {element}"));
                }
                array
            }
            Value::Int(_) | Value::Real(_) => return Err(format!("BTOR2 has no numbers such as {value}")),
        })
    }
    /// BTOR2 has constant arrays as initial values only: a state that never changes is one.
    fn const_array(&mut self, array: ArraySort, element: u64) -> Result<u64, String> {
        self.has_constant_arrays = true;
        let sort = self.sort(Sort::Array(array))?;
        let state = self.line(format_args!("state {sort}"));
        self.line(format_args!("init {sort} {state} {element}"));
        self.line(format_args!("next {sort} {state} {state}"));
        Ok(state)
    }
}
