//! Reading BTOR2.

use super::line::{Line, Word};
use super::operators::{Node, OPERATORS, Takes, apply};
use crate::lemmas::similar;
use crate::signals::is_made_up;
use crate::yosys::Ywb;
use crate::{Error, load};
use indubit_system::{Claim, Clock, Name, Property, PropertyId, WordSystem, WordVar};
use indubit_term::{BigInt, BigUint, MAX_WIDTH, Op, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::path::Path;

/// A model of BTOR2.
#[derive(Clone, Debug)]
pub struct Btor2 {
    /// The transition system. Its state variables and inputs are in the order of the file, its properties first bad states, then justice.
    pub system: WordSystem,
    /// The number of the node that each state variable of the file is.
    pub states: Vec<u64>,
    /// The number of the node that each input is.
    pub inputs: Vec<u64>,
    /// The initial value of each state variable, if the file says it.
    pub inits: Vec<Option<Term>>,
    /// The next value of each state variable, if the file says it.
    pub nexts: Vec<Option<Term>>,
    /// Other nodes that have names.
    pub signals: Vec<(String, Term)>,
    /// What values of bit-vectors are called where the design that it was made of has an enumeration.
    pub enumerations: FxHashMap<Term, FxHashMap<Value, String>>,
    /// What is suspicious about where the file comes from.
    pub notes: Vec<String>,
    /// The file, if the system is what it says and no more.
    pub file: Option<Vec<u8>>,
    /// Where its variables are in the design that it was made of, if a map says so.
    pub map: Option<Box<Ywb>>,
    /// The files beside the model that some names come from.
    pub maps: Vec<String>,
    /// The clocks of the design that it was made of, as far as they are known.
    pub clocks: Vec<Clock>,
    /// The labels of properties with a clock, which the model decides in the step that they are about, and the design when the clock has ticked.
    pub late: HashSet<String>,
}

/// Is it meant to be BTOR2? Its first line is a number and then a word.
pub fn is_recognized(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&b| b == b'\n').map(|text| Line::new(0, text));
    let first = lines.find_map(|mut line| Some((line.next()?, line.next())));
    first.is_some_and(|(id, tag)| {
        id.bytes.iter().all(u8::is_ascii_digit) && tag.is_some_and(|tag| tag.bytes[0].is_ascii_alphabetic())
    })
}

/// Read a model from a file.
pub fn read(path: &Path) -> Result<Btor2, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Read a model from the contents of a file.
///
/// ```
/// let model = indubit_formats::btor2::parse(
///     b"1 sort bitvec 8
///       2 state 1 count
///       3 zero 1
///       4 init 1 2 3
///       5 inc 1 2
///       6 next 1 2 5
///       7 sort bitvec 1
///       8 ones 1
///       9 eq 7 2 8
///       10 bad 9 full ; counter.v:7",
/// )?;
/// assert_eq!((model.system.state_name(0), model.system.properties[0].title()), ("count", "full (b0)".into()));
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<Btor2, Error> {
    let mut reader = Reader::default();
    for (i, text) in bytes.split(|&b| b == b'\n').enumerate() {
        let mut line = Line::new(i + 1, text);
        if let Some(id) = line.next() {
            reader.line(id, line, i + 1)?;
        }
    }
    Ok(Btor2 { file: Some(bytes.to_vec()), ..reader.finish() })
}

/// What a number in the file stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Sort(Sort),
    Node(Node),
    /// A line that is neither.
    Other,
}

#[derive(Default)]
struct Reader {
    system: WordSystem,
    state_ids: Vec<u64>,
    input_ids: Vec<u64>,
    meanings: FxHashMap<u64, Meaning>,
    last: u64,
    /// The position of each state variable, by its number.
    states: FxHashMap<u64, usize>,
    inits: Vec<Option<Term>>,
    nexts: Vec<Option<Term>>,
    signals: Vec<(String, Term)>,
    /// Variables without a symbol that are called by another node, with what tells how well that name fits: the least one fits best.
    lent: FxHashMap<Term, Fit>,
    constraints: Vec<(Option<Name>, Term)>,
    fair: Vec<Term>,
    /// What must not become true, or not infinitely often all of it, with the names and lines of properties.
    bad: Vec<(Label, Term)>,
    justice: Vec<(Label, Vec<Term>)>,
}

/// Does a name belong to a choice between a variable and a constant, and not to the variable itself; and how many instances are around it?
type Fit = (bool, usize);

/// What a property is called, and where it is.
struct Label {
    name: Option<Name>,
    line: usize,
    source: Option<Name>,
}

impl Label {
    fn property(self, id: PropertyId, claim: Claim<Term>) -> Property<Term> {
        Property { id, name: self.name, line: Some(self.line), source: self.source, claim }
    }
}

fn name(symbol: Option<&[u8]>) -> Option<Name> {
    symbol.map(Name::new)
}

impl Reader {
    fn line(&mut self, id: Word<'_>, mut line: Line<'_>, number: usize) -> Result<(), Error> {
        let expected = "the number of the line, which is greater than those before";
        let id = match id.number::<u64>(expected)? {
            id if id > self.last => id,
            _ => return Err(id.error(expected)),
        };
        self.last = id;
        let tag = line.word("what the line is: sort, input, state, an operator, ...")?;
        let meaning = match tag.text() {
            "sort" => Meaning::Sort(self.sort(&mut line)?),
            "input" | "state" => {
                let sort = self.known_sort(&mut line)?;
                let is_state = tag.text() == "state";
                let symbol = line.symbol()?.map(|s| String::from_utf8_lossy(s).into_owned());
                let is_unnamed = symbol.is_none();
                let name = symbol.unwrap_or_else(|| format!("{}{id}", tag.text()));
                let term = if is_state {
                    self.states.insert(id, self.system.states.len());
                    self.state_ids.push(id);
                    self.inits.push(None);
                    self.nexts.push(None);
                    self.system.add_state(&name, sort).current
                } else {
                    self.input_ids.push(id);
                    self.system.add_input(&name, sort)
                };
                if is_unnamed {
                    self.system.unnamed.insert(term);
                }
                return self.define(id, Meaning::Node(Node::of_term(&self.system.terms, term)));
            }
            "one" | "ones" | "zero" | "const" | "constd" | "consth" => {
                Meaning::Node(self.constant(tag, &mut line)?)
            }
            "init" | "next" => {
                self.assignment(tag, &mut line)?;
                Meaning::Other
            }
            "constraint" | "bad" | "fair" | "output" => {
                let node = line.word("the number of a node")?;
                let mut value = self.node(node)?;
                if tag.text() == "output" {
                    if let Some(symbol) = line.symbol()? {
                        let term = value.term(&mut self.system.terms);
                        self.signal(symbol, term);
                    }
                    return self.define(id, Meaning::Other);
                }
                if value.sort != Sort::BitVec(1) {
                    return Err(node.error_about(format!("a node of sort {}", value.sort), "a single bit"));
                }
                let truth = value.truth(&mut self.system.terms);
                self.keep(node, value);
                let (name, source) = (name(line.symbol()?), name(line.comment));
                match tag.text() {
                    "constraint" => self.constraints.push((name, truth)),
                    "bad" => self.bad.push((Label { name, line: number, source }, truth)),
                    _ => self.fair.push(truth),
                }
                return self.define(id, Meaning::Other);
            }
            "justice" => {
                let count = line.word("the number of signals")?;
                let n: usize = count.number("the number of signals")?;
                if n == 0 || n > line.n_left() {
                    let found = format!("{n} signals in a line with {}", line.n_left());
                    return Err(count.error_about(found, "the number of signals, and then these"));
                }
                let mut signals = Vec::new();
                for _ in 0..n {
                    let node = line.word("the number of a node")?;
                    let mut value = self.node(node)?;
                    if value.sort != Sort::BitVec(1) {
                        return Err(
                            node.error_about(format!("a node of sort {}", value.sort), "a single bit")
                        );
                    }
                    signals.push(value.truth(&mut self.system.terms));
                }
                let (name, source) = (name(line.symbol()?), name(line.comment));
                self.justice.push((Label { name, line: number, source }, signals));
                return self.define(id, Meaning::Other);
            }
            _ => Meaning::Node(self.operation(tag, &mut line)?),
        };
        let symbol = line.symbol()?;
        if let (Some(symbol), Meaning::Node(mut node)) = (symbol, meaning) {
            let term = node.term(&mut self.system.terms);
            self.signal(symbol, term);
        }
        self.define(id, meaning)
    }
    /// A node has a name. Yosys names registers by others that are the same: an output, or what an asynchronous reset makes of one.
    fn signal(&mut self, symbol: &[u8], term: Term) {
        let name = String::from_utf8_lossy(symbol).into_owned();
        let WordSystem { terms, states, unnamed, .. } = &mut self.system;
        let behind = match (terms.op(term), terms.args(term)) {
            (Op::Ite, &[_, a, b]) if terms.value(a).is_some() => b,
            (Op::Ite, &[_, a, b]) if terms.value(b).is_some() => a,
            _ => term,
        };
        // Of several names, the one nearest to the top is shown; any name of the variable itself goes before that of a choice, which may be another signal altogether.
        let fit: Fit = (behind != term, name.matches('.').count());
        let worse = self.lent.get(&behind).filter(|&&lent| lent > fit);
        if (unnamed.contains(&behind) || worse.is_some()) && !is_made_up(&name) {
            let state = states.iter().find(|v| v.current == behind);
            // A choice has its name among the signals already.
            let was_own = worse.is_some_and(|&(is_choice, _)| !is_choice);
            let before = was_own.then(|| terms.name(behind).map(str::to_owned)).flatten();
            // What is chosen between a free value and a constant is another thing than that value.
            if state.is_some() || behind == term {
                unnamed.remove(&behind);
                terms.rename(behind, &name);
                self.lent.insert(behind, fit);
            }
            if let Some(state) = state {
                terms.rename(state.next, &format!("{name}.next"));
            }
            if behind == term {
                self.signals.extend(before.map(|name| (name, term)));
            }
        }
        if terms.name(term) != Some(&name) {
            self.signals.push((name, term));
        }
    }
    fn define(&mut self, id: u64, meaning: Meaning) -> Result<(), Error> {
        self.meanings.insert(id, meaning);
        Ok(())
    }
    /// Remember what a node is as a formula.
    fn keep(&mut self, word: Word<'_>, node: Node) {
        if let Ok(id) = word.number::<u64>("") {
            self.meanings.insert(id, Meaning::Node(node));
        }
    }

    fn sort(&mut self, line: &mut Line<'_>) -> Result<Sort, Error> {
        let kind = line.word("bitvec or array")?;
        match kind.text() {
            "bitvec" => {
                let word = line.word("a width")?;
                let expected = format!("a width from 1 to {MAX_WIDTH}");
                match word.number::<u32>(&expected)? {
                    width if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::BitVec(width)),
                    _ => Err(word.error(expected)),
                }
            }
            "array" => {
                let (index, element) = (self.known_sort(line)?, self.known_sort(line)?);
                let expected = "bit-vectors as indices and as elements";
                let sort = Sort::array(index, element).filter(|_| element.scalar().is_some());
                sort.ok_or_else(|| kind.error_about("an array of arrays", expected))
            }
            _ => Err(kind.error("bitvec or array")),
        }
    }
    fn known_sort(&self, line: &mut Line<'_>) -> Result<Sort, Error> {
        let word = line.word("the number of a sort")?;
        match self.meanings.get(&word.number::<u64>("the number of a sort")?) {
            Some(Meaning::Sort(sort)) => Ok(*sort),
            _ => Err(word.error("the number of a sort that is there before")),
        }
    }
    fn node(&mut self, word: Word<'_>) -> Result<Node, Error> {
        let (digits, negated) = match word.bytes.strip_prefix(b"-") {
            Some(digits) => (digits, true),
            None => (word.bytes, false),
        };
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let id: Option<u64> = is_number.then(|| word.text().trim_start_matches('-').parse().ok()).flatten();
        match id.and_then(|id| self.meanings.get_mut(&id)) {
            Some(Meaning::Node(node)) if negated && matches!(node.sort, Sort::Array(_)) => {
                Err(word.error_about("the negation of an array", "a bit-vector"))
            }
            Some(Meaning::Node(node)) if negated => Ok(node.not(&mut self.system.terms)),
            Some(Meaning::Node(node)) => Ok(*node),
            _ => Err(word.error("the number of a node that is there before")),
        }
    }
    fn constant(&mut self, tag: Word<'_>, line: &mut Line<'_>) -> Result<Node, Error> {
        let at = line.clone().word("the number of a sort")?;
        let sort = self.known_sort(line)?;
        let Some(width) = sort.width() else {
            return Err(at.error_about("an array", "the sort of a bit-vector"));
        };
        let value: BigUint = match tag.text() {
            "zero" => BigUint::default(),
            "one" => BigUint::from(1u32),
            "ones" => (BigUint::from(1u32) << width) - 1u32,
            _ => {
                let word = line.word("a value")?;
                digits(tag, word, width)?
            }
        };
        let term = self.system.terms.constant(Value::bits(width, value));
        Ok(Node::of_term(&self.system.terms, term))
    }
    fn assignment(&mut self, tag: Word<'_>, line: &mut Line<'_>) -> Result<(), Error> {
        let sort = self.known_sort(line)?;
        let state = line.word("the number of a state")?;
        let position =
            state.number::<u64>("the number of a state").ok().and_then(|id| self.states.get(&id).copied());
        let position = position.ok_or_else(|| state.error("the number of a state"))?;
        let WordVar { current, .. } = self.system.states[position];
        let expected = self.system.terms.sort(current);
        if sort != expected {
            return Err(
                state.error_about(format!("a state of sort {expected}"), format!("one of sort {sort}"))
            );
        }
        let word = line.word("the number of a node")?;
        let mut node = self.node(word)?;
        let terms = &mut self.system.terms;
        let mut value = node.term(terms);
        // An array has the same element everywhere.
        if let (Sort::Array(array), "init") = (sort, tag.text())
            && node.sort == Sort::from(array.element)
        {
            value = terms.const_array(array, value);
        } else if node.sort != sort {
            return Err(
                word.error_about(format!("a node of sort {}", node.sort), format!("one of sort {sort}"))
            );
        }
        let place = if tag.text() == "init" { &mut self.inits[position] } else { &mut self.nexts[position] };
        match place.replace(value) {
            None => Ok(()),
            Some(_) => {
                let found = format!("a second `{}` of a state", tag.text());
                Err(state.error_about(found, "one at most"))
            }
        }
    }
    fn operation(&mut self, tag: Word<'_>, line: &mut Line<'_>) -> Result<Node, Error> {
        let Some(&(name, takes)) = OPERATORS.iter().find(|(name, _)| *name == tag.text()) else {
            return Err(tag.error(unknown(tag)));
        };
        let at = line.clone().word("the number of a sort")?;
        let sort = self.known_sort(line)?;
        let n_args = match takes {
            Takes::One | Takes::Wider | Takes::Slice => 1,
            Takes::Choice | Takes::Write => 3,
            _ => 2,
        };
        let mut words = Vec::new();
        let mut args = Vec::new();
        for _ in 0..n_args {
            let word = line.word("the number of a node")?;
            args.push(self.node(word)?);
            words.push(word);
        }
        let mut numbers = Vec::new();
        for _ in 0..usize::from(takes == Takes::Wider) + 2 * usize::from(takes == Takes::Slice) {
            numbers.push(line.word("a number")?.number::<u32>("a number")?);
        }
        let sorts: Vec<Sort> = args.iter().map(|arg| arg.sort).collect();
        let result = result(takes, name, &sorts, &numbers).map_err(|expected| {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            let numbers = numbers.iter().map(|n| format!(", {n}")).collect::<String>();
            words[0].error_about(format!("`{name}` of {}{numbers}", sorts.join(" and ")), expected)
        })?;
        if result != sort {
            return Err(
                at.error_about(format!("sort {sort}"), format!("sort {result}, which `{name}` gives here"))
            );
        }
        Ok(apply(&mut self.system.terms, name, &mut args, &numbers))
    }

    fn finish(mut self) -> Btor2 {
        let system = &mut self.system;
        let (mut init, mut trans) = (Vec::new(), Vec::new());
        let mut late = Vec::new();
        for (i, WordVar { current, next }) in system.states.clone().into_iter().enumerate() {
            if let Some(value) = self.inits[i] {
                let is = system.terms.eq(current, value);
                // An initial value that depends on inputs is a matter of the first step.
                let is_late = system.stranger(&system.terms, value).is_some();
                if is_late { late.push(is) } else { init.push(is) }
            }
            if let Some(value) = self.nexts[i] {
                trans.push(system.terms.eq(next, value));
            }
        }
        if !late.is_empty() {
            let WordVar { current, next } = system.add_state(".first", Sort::Bool);
            init.push(current);
            trans.push(system.terms.not(next));
            let all = system.terms.and(&late);
            self.constraints.push((None, system.terms.implies(current, all)));
        }
        (system.init, system.trans) = (system.terms.and(&init), system.terms.and(&trans));
        for (name, holds) in std::mem::take(&mut self.constraints) {
            system.add_constraint(name, holds);
        }
        for (i, (label, bad)) in std::mem::take(&mut self.bad).into_iter().enumerate() {
            let bad = system.constrained(bad);
            let claim = Claim::Always(system.terms.not(bad));
            system.properties.push(label.property(PropertyId::Bad(i), claim));
        }
        system.fairness.clone_from(&self.fair);
        for (i, (label, signals)) in std::mem::take(&mut self.justice).into_iter().enumerate() {
            let claim = Claim::Justice(self.fair.iter().copied().chain(signals).collect());
            system.properties.push(label.property(PropertyId::Justice(i), claim));
        }
        let named = |v: &WordVar| Some((system.terms.name(v.current)?, v.current));
        let lent = system.states.iter().filter(|v| self.lent.contains_key(&v.current));
        let lent: FxHashMap<&str, Term> = lent.filter_map(named).collect();
        let wire = |(name, term): &(String, Term)| {
            let state = lent.get(&name[..]).copied()?;
            (state != *term).then_some((state, *term))
        };
        system.wires = self.signals.iter().filter_map(wire).collect();
        let Reader { system, state_ids: states, input_ids: inputs, inits, nexts, signals, .. } = self;
        Btor2 {
            system,
            states,
            inputs,
            inits,
            nexts,
            signals,
            enumerations: FxHashMap::default(),
            notes: Vec::new(),
            file: None,
            map: None,
            maps: Vec::new(),
            clocks: Vec::new(),
            late: HashSet::new(),
        }
    }
}

/// The sort of the result of an operator, or what it takes instead.
fn result(takes: Takes, name: &str, args: &[Sort], numbers: &[u32]) -> Result<Sort, &'static str> {
    let bit = Sort::BitVec(1);
    let is_truth = matches!(name, "iff" | "implies" | "eq" | "neq" | "redand" | "redor" | "redxor")
        || matches!(name, "sgt" | "ugt" | "sgte" | "ugte" | "slt" | "ult" | "slte" | "ulte")
        || matches!(name, "saddo" | "uaddo" | "sdivo" | "udivo" | "smulo" | "umulo" | "ssubo" | "usubo");
    let wide = |width: u64| match u32::try_from(width) {
        Ok(width) if width <= MAX_WIDTH => Ok(Sort::BitVec(width)),
        _ => Err("a bit-vector of at most 65536 bits"),
    };
    let widths: Vec<Option<u32>> = args.iter().map(|sort| sort.width()).collect();
    match (takes, args, &widths[..]) {
        (Takes::One, _, &[Some(width)]) => Ok(if is_truth { bit } else { Sort::BitVec(width) }),
        (Takes::One, ..) => Err("a bit-vector"),
        (Takes::Wider, _, &[Some(width)]) => wide(u64::from(width) + u64::from(numbers[0])),
        (Takes::Wider, ..) => Err("a bit-vector, and by how many bits it becomes wider"),
        (Takes::Slice, _, &[Some(width)]) if numbers[1] <= numbers[0] && numbers[0] < width => {
            Ok(Sort::BitVec(numbers[0] - numbers[1] + 1))
        }
        (Takes::Slice, ..) => Err("a bit-vector, its upper and its lower bit"),
        // A product is made twice as wide to see whether it overflows.
        (Takes::Two, _, &[Some(a), Some(b)]) if a == b && (2 * a <= MAX_WIDTH || !name.ends_with("mulo")) => {
            Ok(if is_truth { bit } else { args[0] })
        }
        (Takes::Two, ..) => Err("two bit-vectors of one width"),
        (Takes::Pair, _, &[Some(a), Some(b)]) => wide(u64::from(a) + u64::from(b)),
        (Takes::Pair, ..) => Err("two bit-vectors"),
        (Takes::Same, [a, b], _) if a == b => Ok(bit),
        (Takes::Same, ..) => Err("two nodes of one sort"),
        (Takes::Bits, [a, b], _) if *a == bit && *b == bit => Ok(bit),
        (Takes::Bits, ..) => Err("two bits"),
        (Takes::Choice, [c, a, b], _) if *c == bit && a == b => Ok(*a),
        (Takes::Choice, ..) => Err("a bit, and two nodes of one sort"),
        (Takes::Read, [Sort::Array(array), index], _) if *index == array.index.into() => {
            Ok(array.element.into())
        }
        (Takes::Read, ..) => Err("an array, and an index of its sort"),
        (Takes::Write, [Sort::Array(array), index, element], _)
            if *index == array.index.into() && *element == array.element.into() =>
        {
            Ok(args[0])
        }
        (Takes::Write, ..) => Err("an array, and an index and an element of its sorts"),
    }
}

/// What stands behind `const`, `constd` or `consth`.
fn digits(tag: Word<'_>, word: Word<'_>, width: u32) -> Result<BigUint, Error> {
    let radix = match tag.text() {
        "const" => 2,
        "constd" => 10,
        _ => 16,
    };
    let expected = || format!("a number of {width} bits to the base {radix}");
    let (digits, negative) = match word.bytes.strip_prefix(b"-").filter(|_| radix == 10) {
        Some(digits) => (digits, true),
        None => (word.bytes, false),
    };
    // Longer ones cannot fit, and take long to be read.
    let is_number = digits.iter().all(u8::is_ascii_alphanumeric) && digits.len() <= MAX_WIDTH as usize;
    let value = is_number.then(|| BigUint::parse_bytes(digits, radix)).flatten();
    let value = value.ok_or_else(|| word.error(expected()))?;
    let most = BigUint::from(1u32) << width;
    if negative {
        // Down to the least number with a sign.
        let half = &most >> 1;
        if value > half {
            return Err(word.error(expected()));
        }
        return Ok((BigInt::from(most.clone()) - BigInt::from(value)).magnitude() % most);
    }
    if value < most { Ok(value) } else { Err(word.error(expected())) }
}

/// What is expected instead of a tag that nobody knows.
fn unknown(tag: Word<'_>) -> String {
    const TAGS: &[&str] = &[
        "sort",
        "input",
        "state",
        "init",
        "next",
        "constraint",
        "bad",
        "fair",
        "output",
        "justice",
        "one",
        "ones",
        "zero",
        "const",
        "constd",
        "consth",
    ];
    let tags = TAGS.iter().chain(OPERATORS.iter().map(|(name, _)| name)).map(|name| name.as_bytes());
    let advice = similar(tag.bytes, tags).first().map(|name| String::from_utf8_lossy(name).into_owned());
    let advice = advice.map_or(String::new(), |name| format!("; is it `{name}`?"));
    format!(
        "sort, input, state, init, next, constraint, bad, justice, fair, output, a constant or an operator{advice}"
    )
}
