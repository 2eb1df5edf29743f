//! Counterexamples over words: a table for people, and lines for programs, which [`parse`] reads.

use crate::lemmas::similar;
use crate::model::beginning;
use crate::signals::is_made_up;
use crate::smtlib::expressions::{Expressions, Id, Kind, shortened};
use crate::smtlib::literal;
use crate::smtlib::names::Names;
use crate::table::{Group, Table};
use crate::told::{Teller, Told};
use crate::trace_table::{Options, headline, lasso_headline, unnamed, unnamed_hidden};
use crate::{Error, Place as At, word_text};
use indubit_system::{Property, WordSystem, WordTrace};
use indubit_term::{ArraySort, BigRational, Sort, Symbol, Table as Elements, Term, Value};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What is said of a state instead of the values of its variables.
pub type Place<'p> = dyn Fn(&[Value]) -> String + 'p;

/// The table of `trace`, which decides a property of `system`. After the first step it has only
/// what changes. With `place`, a state is what that says of it; `tell` says what values are called.
pub fn table(
    system: &WordSystem,
    property: &Property<Term>,
    trace: &WordTrace,
    place: Option<&Place<'_>>,
    tell: &Teller<'_>,
    options: Options,
) -> String {
    let last = trace.states.len().saturating_sub(1);
    let Some(begin) = trace.loops_to else {
        return headline(property, last)
            + "\n"
            + &steps(system, &property.label(), trace, place, tell, options);
    };
    let seen = first_seen(system, property.claim.formulas(), trace, begin);
    let note = |step: usize| {
        let here = |(i, at): (usize, &Option<usize>)| (*at == Some(step)).then(|| format!("signal {i}"));
        let here: Vec<String> = seen.iter().enumerate().filter_map(here).collect();
        match (seen.len(), here.is_empty()) {
            (_, true) => None,
            (1, false) => Some(format!("sees {}", property.label())),
            (_, false) => Some(format!("sees {} of {}", here.join(", "), property.label())),
        }
    };
    lasso_headline(property, begin, last) + "\n" + &run_table(system, &note, trace, place, tell, options)
}

/// In which step of a loop each signal is first seen.
fn first_seen(system: &WordSystem, signals: &[Term], trace: &WordTrace, begin: usize) -> Vec<Option<usize>> {
    let mut seen = vec![None; signals.len()];
    for step in begin..trace.states.len().min(trace.inputs.len()) {
        let value = trace.values_at(system, step);
        for (seen, &signal) in seen.iter_mut().zip(signals) {
            if seen.is_none() && system.terms.holds(signal, &value) == Ok(true) {
                *seen = Some(step);
            }
        }
    }
    seen
}

/// The steps of a trace alone, with what is to be said of the last one.
pub fn steps(
    system: &WordSystem,
    note: &str,
    trace: &WordTrace,
    place: Option<&Place<'_>>,
    tell: &Teller<'_>,
    options: Options,
) -> String {
    let last = trace.states.len().saturating_sub(1);
    run_table(system, &|step| (step == last).then(|| note.to_owned()), trace, place, tell, options)
}

/// The steps of any run; `note` says what is remarkable about one.
pub fn run_table(
    system: &WordSystem,
    note: &dyn Fn(usize) -> Option<String>,
    trace: &WordTrace,
    place: Option<&Place<'_>>,
    tell: &Teller<'_>,
    options: Options,
) -> String {
    let mut text = String::new();
    // What nothing mentions, and what is there for a property only, are left out.
    let mut roots = vec![system.init, system.trans];
    roots.extend(system.properties.iter().flat_map(|p| p.claim.formulas()));
    let mentioned = system.terms.variables(&roots);
    let name = |var: Term| system.terms.name(var).unwrap_or_default();
    let is_mentioned = |var: Term| !name(var).starts_with('.') && mentioned.binary_search(&var).is_ok();
    let is_named = |var: Term| !system.unnamed.contains(&var) && !is_made_up(name(var));
    let currents: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let has_names = |vars: &[Term]| vars.iter().any(|&var| is_mentioned(var) && is_named(var));
    let hides = unnamed_hidden([has_names(&currents), has_names(&system.inputs)]);
    let mut n_unnamed = 0;
    let mut chosen = |vars: &[Term], hides: bool| -> Vec<usize> {
        let all = (0..vars.len()).filter(|&i| options.all || is_mentioned(vars[i]));
        let (shown, hidden): (Vec<usize>, Vec<usize>) =
            all.partition(|&i| options.all || !hides || is_named(vars[i]));
        n_unnamed += hidden.len();
        shown
    };
    let which = [chosen(&currents, hides[0]), chosen(&system.inputs, hides[1])];
    let names = |which: &[usize], vars: &[Term]| which.iter().map(|&i| name(vars[i]).to_owned()).collect();
    let states = match place {
        Some(_) => Group::new("at", vec![String::new()]),
        None => Group::new("state", names(&which[0], &currents)),
    };
    let groups = [states, Group::new("inputs", names(&which[1], &system.inputs))];
    let mut table = Table::new(groups, String::clone, "--witness", options);
    let meant = system.meant_values(trace);
    let rows = meant.iter().zip(&trace.inputs);
    let cell =
        |var: Term, value: &Value| tell(var, value).map_or_else(|| word_text::value(value), Told::text);
    let shown = |which: &[usize], vars: &[Term], values: &[Value]| {
        which.iter().map(|&i| cell(vars[i], &values[i])).collect::<Vec<String>>()
    };
    let values = |(states, inputs): (&Vec<Value>, &Vec<Value>)| {
        let states = place.map_or_else(|| shown(&which[0], &currents, states), |place| vec![place(states)]);
        [states, shown(&which[1], &system.inputs, inputs)]
    };
    table.set_loop(trace.loops_to);
    table.steps(&mut text, rows, values, note);
    unnamed(&mut text, n_unnamed);
    text
}

/// The trace as text, one expression a line, all values in SMT-LIB's notation:
///
/// ```text
/// (violated |the property| 1)
/// (state 0 (x 0) (y (- 1)))
/// (inputs 0 (i true))
/// (state 1 (x 1) (y (/ 1.0 2.0)))
/// (inputs 1 (i false))
/// ```
///
/// The first line has the property and the step in which it is violated. Names are those that writing the system as VMT
/// gives its variables. A system without inputs has no lines about them.
pub fn write(system: &WordSystem, property: &str, trace: &WordTrace) -> String {
    let symbols = symbols(system);
    let name = Symbol(property);
    let mut text = format!("(violated {name} {})\n", trace.states.len().saturating_sub(1));
    for (step, (states, inputs)) in trace.states.iter().zip(&trace.inputs).enumerate() {
        for (what, symbols, values) in [("state", &symbols[0], states), ("inputs", &symbols[1], inputs)] {
            if what == "inputs" && symbols.is_empty() {
                continue;
            }
            let _ = write!(text, "({what} {step}");
            for (symbol, value) in symbols.iter().zip(values) {
                let _ = write!(text, " ({symbol} {value})");
            }
            text.push_str(")\n");
        }
    }
    text
}

/// The symbols of state variables and of inputs.
fn symbols(system: &WordSystem) -> [Vec<String>; 2] {
    let mut names = Names::default();
    let mut symbols: [Vec<String>; 2] = Default::default();
    for var in &system.states {
        symbols[0].push(names.add(&system.terms, var.current));
        names.add(&system.terms, var.next);
    }
    symbols[1].extend(system.inputs.iter().map(|&input| names.add(&system.terms, input)));
    symbols
}

/// Is it meant to be what [`write()`] writes?
pub fn is_trace(bytes: &[u8]) -> bool {
    let list = bytes[beginning(bytes)..].strip_prefix(b"(").unwrap_or_default();
    list[beginning(list)..].starts_with(b"violated")
}

/// Read what [`write()`] has written about `system`, or somebody else: the label of the property, and the trace. Whether it is a trace of the
/// system, and violates the property, is not looked at.
///
/// Values of a row may come in any order, each of them once. A label that no property has is returned as it is.
///
/// ```
/// use indubit_formats::word_trace::{parse, write};
/// use indubit_system::WordSystem;
/// use indubit_term::Sort;
/// let mut system = WordSystem::new();
/// system.add_state("x", Sort::Int);
/// let text = "(violated small 1)\n(state 0 (x 0))\n(state 1 (x (- 7)))\n";
/// let (property, trace) = parse(text.as_bytes(), &system)?;
/// assert_eq!((&*property, write(&system, &property, &trace)), ("small", text.to_owned()));
/// let error = parse(b"(violated small 0) (state 0 (x true))", &system).unwrap_err().to_string();
/// assert_eq!(error, "line 1, column 32: found `true`, expected a value of sort Int");
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8], system: &WordSystem) -> Result<(String, WordTrace), Error> {
    let e = Expressions::parse(bytes)?;
    let Some((&first, rows)) = e.roots().split_first() else {
        return Err(Error::new(At::None, "an empty file", "(violated PROPERTY STEP)"));
    };
    let (property, last) = match *e.list(first) {
        [word, name, step] if e.is_word(word, "violated") && e.symbol(name).is_some() => {
            (e.text(name), literal::index(&e, step)? as usize)
        }
        _ => return Err(e.error(first, "(violated PROPERTY STEP)")),
    };
    let named = |label: &String| symbol_text(&Symbol(label).to_string()) == property;
    let label = system.properties.iter().map(|p| p.label()).find(named);
    let symbols = symbols(system);
    let current: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let mut groups = vec![Row::new("state", &symbols[0], &current)];
    if !system.inputs.is_empty() {
        groups.push(Row::new("inputs", &symbols[1], &system.inputs));
    }
    let end = || At::in_text(bytes, bytes.len());
    let mut trace = WordTrace::default();
    let mut rows = rows.iter();
    for step in 0..=last {
        for group in &groups {
            let expected = || format!("({} {step} (NAME VALUE) ...)", group.what);
            let row = *rows.next().ok_or_else(|| Error::new(end(), "the end of the file", expected()))?;
            let pairs = match *e.list(row) {
                [word, number, ref pairs @ ..]
                    if e.is_word(word, group.what) && literal::index(&e, number) == Ok(step as u32) =>
                {
                    pairs
                }
                _ => return Err(e.error(row, expected())),
            };
            let values = group.values(system, &e, row, pairs)?;
            if group.what == "state" { trace.states.push(values) } else { trace.inputs.push(values) }
        }
        // Without inputs there are no lines about them.
        trace.inputs.resize(step + 1, Vec::new());
    }
    match rows.next() {
        Some(&more) => Err(e.error(more, format!("the end of the file: step {last} is the last one"))),
        None => Ok((label.unwrap_or_else(|| property.to_owned()), trace)),
    }
}

/// A symbol without its bars.
fn symbol_text(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

/// What a row of a trace is to have.
struct Row<'s> {
    what: &'static str,
    variables: &'s [Term],
    /// Positions by name.
    names: FxHashMap<&'s str, usize>,
}

impl<'s> Row<'s> {
    fn new(what: &'static str, symbols: &'s [String], variables: &'s [Term]) -> Row<'s> {
        let names = symbols.iter().enumerate().map(|(i, symbol)| (symbol_text(symbol), i)).collect();
        Row { what, variables, names }
    }
    fn values(
        &self,
        system: &WordSystem,
        e: &Expressions<'_>,
        row: Id,
        pairs: &[Id],
    ) -> Result<Vec<Value>, Error> {
        let mut values: Vec<Option<Value>> = vec![None; self.variables.len()];
        for &pair in pairs {
            let &[name, value] = e.list(pair) else { return Err(e.error(pair, "a name with a value")) };
            let text = e.symbol(name).ok_or_else(|| e.error(name, "the name of a variable"))?;
            let Some(&i) = self.names.get(text) else {
                let names = self.names.keys().map(|name| name.as_bytes());
                let what = if self.what == "state" { "a state variable" } else { "an input" };
                let advice = similar(text.as_bytes(), names).first().map(|n| String::from_utf8_lossy(n));
                let advice = advice.map_or(String::new(), |name| format!("; is it `{}`?", shortened(&name)));
                return Err(e.error(name, format!("the name of {what}{advice}")));
            };
            let sort = system.terms.sort(self.variables[i]);
            let value =
                constant(e, value, sort)?.ok_or_else(|| e.error(value, format!("a value of sort {sort}")))?;
            if values[i].replace(value).is_some() {
                return Err(Error::new(
                    e.place(name),
                    format!("a second value of `{}`", shortened(text)),
                    "one value for each variable",
                ));
            }
        }
        if let Some(missing) = values.iter().position(Option::is_none) {
            let name = self.names.iter().find(|(_, i)| **i == missing).map_or("", |(name, _)| name);
            let found = format!("no value of `{}`", shortened(name));
            return Err(Error::new(e.place(row), found, "a value for each variable"));
        }
        Ok(values.into_iter().flatten().collect())
    }
}

/// A value of this sort in SMT-LIB's notation, if it is one.
fn constant(e: &Expressions<'_>, id: Id, sort: Sort) -> Result<Option<Value>, Error> {
    let value = match sort {
        Sort::Bool => {
            ["false", "true"].iter().position(|word| e.is_word(id, word)).map(|i| Value::Bool(i == 1))
        }
        Sort::BitVec(_) if e.kind(id) == Kind::List => literal::indexed_constant(e, id)?,
        Sort::BitVec(_) => literal::literal(e, id)?,
        Sort::Int => number(e, id, MOST_NESTED)?,
        Sort::Real => number(e, id, MOST_NESTED)?.and_then(|n| n.as_rational()).map(Value::Real),
        Sort::Array(array) => stored(e, id, array)?.map(Value::Array),
    };
    Ok(value.filter(|value| value.sort() == sort))
}

/// An array: `(store ((as const SORT) ELEMENT) INDEX ELEMENT)`, with any number of stores.
fn stored(e: &Expressions<'_>, id: Id, sort: ArraySort) -> Result<Option<Elements>, Error> {
    let (mut stores, mut below) = (Vec::new(), id);
    while let [word, array, index, element] = *e.list(below)
        && e.is_word(word, "store")
    {
        stores.push((index, element));
        below = array;
    }
    let [head, others] = *e.list(below) else { return Ok(None) };
    let [r#as, r#const, _] = *e.list(head) else { return Ok(None) };
    if !e.is_word(r#as, "as") || !e.is_word(r#const, "const") {
        return Ok(None);
    }
    let Some(others) = constant(e, others, sort.element.into())? else { return Ok(None) };
    let mut table = Elements::constant(sort, others);
    for (index, element) in stores.into_iter().rev() {
        let (index, element) =
            (constant(e, index, sort.index.into())?, constant(e, element, sort.element.into())?);
        let (Some(index), Some(element)) = (index, element) else { return Ok(None) };
        table.set(index, element);
    }
    Ok(Some(table))
}

/// As in `(- (/ (- 3) 2))`.
const MOST_NESTED: usize = 3;

/// A number, or a negated one or a quotient, which may be nested so deep. A quotient is a real.
fn number(e: &Expressions<'_>, id: Id, depth: usize) -> Result<Option<Value>, Error> {
    let inner = |id: Id| if depth == 0 { Ok(None) } else { number(e, id, depth - 1) };
    let real = |value: Value| value.as_rational();
    Ok(match *e.list(id) {
        [] => literal::literal(e, id)?.filter(|value| value.sort().is_number()),
        [minus, of] if e.is_word(minus, "-") => {
            let negated = |value: Value| Some(Value::number(value.sort(), -value.as_rational()?));
            inner(of)?.and_then(negated)
        }
        [slash, above, below] if e.is_word(slash, "/") => {
            let (above, below) = (inner(above)?.and_then(real), inner(below)?.and_then(real));
            let below = below.filter(|below| *below != BigRational::default());
            above.zip(below).map(|(above, below)| Value::Real(above / below))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::{BigRational, Sort};

    fn example() -> (WordSystem, WordTrace) {
        let mut system = WordSystem::new();
        system.add_state("x", Sort::Int);
        system.add_state("a time", Sort::Real);
        let go = system.add_input("go", Sort::Bool);
        let x = system.states[0].current;
        let time = system.states[1].current;
        let (whole, zero) = (system.terms.to_real(x), system.terms.bool(false));
        let is_late = system.terms.le(whole, time);
        // Something mentions all of them.
        system.trans = system.terms.or(&[go, is_late, zero]);
        let half = |n: i32| Value::Real(BigRational::new(n.into(), 2.into()));
        let states = vec![
            vec![Value::int(0), half(0)],
            vec![Value::int(-1), half(3)],
            vec![Value::int(-1), half(3)],
            vec![Value::int(7), half(3)],
        ];
        let inputs = [true, true, true, false].map(|go| vec![Value::Bool(go)]).to_vec();
        (system, WordTrace::finite(states, inputs))
    }

    #[test]
    fn people_see_what_changes() {
        let (system, trace) = example();
        let truth = system.terms.clone().bool(true);
        let property =
            Property::new(indubit_system::PropertyId::Invar(0), "p", indubit_system::Claim::Always(truth));
        assert_eq!(
            table(&system, &property, &trace, None, &|_, _| None, Options::default()),
            "\
p (p0) is violated in step 3

step 0
  state    x = 0  a time = 0
  inputs   go = true
step 1
  state    x = -1  a time = 3/2
step 2: nothing changes
step 3: p
  state    x = 7
  inputs   go = false
"
        );
    }

    /// All sorts, odd names, and numbers of every kind.
    fn odd() -> (WordSystem, WordTrace) {
        let mut system = WordSystem::new();
        let ratio = |n: i64, d: i64| Value::Real(BigRational::new(n.into(), d.into()));
        let variables = [
            ("", Value::Bool(true)),
            ("a b", Value::int(-12)),
            ("x", ratio(-3, 7)),
            ("x", ratio(-3, 1)),
            ("and", Value::bits(8, 0x0fu32)),
            ("p|q\\r", Value::bits(5, 0x15u32)),
            ("line\nbreak", Value::int(-1_000_000_007_000_000_000i64)),
            ("3", Value::int(0)),
            ("\u{e9};(", ratio(7, 1)),
            ("state", Value::bits(65, 3u32)),
        ];
        let mut row = Vec::new();
        for (name, value) in variables {
            system.add_state(name, value.sort());
            row.push(value);
        }
        system.add_input("x.next", Sort::Real);
        system.add_input("let", Sort::Bool);
        let truth = system.terms.bool(true);
        system.add_invar("no | bar", truth);
        let zeros: Vec<Value> = row.iter().map(|value| Value::zero(value.sort())).collect();
        let inputs = [1, -2, 3].map(|n| vec![ratio(n, 4), Value::Bool(n > 0)]).to_vec();
        (system, WordTrace::finite(vec![row.clone(), zeros, row], inputs))
    }

    #[test]
    fn what_is_written_is_read() {
        for ((system, trace), property) in
            [(example(), "p q"), (odd(), "no | bar"), (odd(), "unknown"), (odd(), "")]
        {
            let text = write(&system, property, &trace);
            assert_eq!(parse(text.as_bytes(), &system), Ok((property.to_owned(), trace)), "{text}");
        }
        // Without inputs, and without variables.
        let mut system = WordSystem::new();
        let mut trace = WordTrace::finite(vec![vec![]; 3], vec![vec![]; 3]);
        assert_eq!(parse(write(&system, "p", &trace).as_bytes(), &system), Ok(("p".into(), trace.clone())));
        system.add_state("x", Sort::Int);
        trace.states.iter_mut().for_each(|row| row.push(Value::int(-1)));
        assert_eq!(parse(write(&system, "p", &trace).as_bytes(), &system), Ok(("p".into(), trace)));
    }

    #[test]
    fn traces_are_known_by_their_beginning() {
        let (system, trace) = example();
        assert!(is_trace(write(&system, "p", &trace).as_bytes()) && is_trace(b"; here\n ( ; it\nviolated"));
        for other in ["", "violated", "(define-fun violated () Bool true)", "; (violated", "("] {
            assert!(!is_trace(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn other_notations_are_read() {
        let (system, trace) = example();
        let text = "; somebody else's\n(violated |p| 3) (state 0 (|a time| 0) (|x| 0))(inputs 0 (go true))
            (state 1 (x (- 1)) (|a time| (/ 3 2))) (inputs 1 (go true)) (state 2 (x (- 1)) (|a time| 1.50))
            (inputs 2 (go true)) (state 3 (x 7) (|a time| (- (/ (- 3) 2)))) (inputs 3 (go false))";
        assert_eq!(parse(text.as_bytes(), &system), Ok(("p".into(), trace)));
        let mut vectors = WordSystem::new();
        vectors.add_state("v", Sort::BitVec(8));
        let (_, trace) = parse(b"(violated p 0) (state 0 (v (_ bv5 8)))", &vectors).unwrap();
        assert_eq!(trace.states, [[Value::bits(8, 5u32)]]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (system, _) = example();
        let fails = |text: &str, expected: &str| {
            let error = parse(text.as_bytes(), &system).unwrap_err().to_string();
            assert_eq!(error, expected, "{text}");
        };
        let head = "(violated p 1)\n(state 0 (x 0) (|a time| 0.0))\n(inputs 0 (go true))\n";
        fails("", "found an empty file, expected (violated PROPERTY STEP)");
        fails("(unsat)", "line 1, column 1: found `(unsat ...)`, expected (violated PROPERTY STEP)");
        fails("(violated p x)", "line 1, column 13: found `x`, expected an index: a number below 2^32");
        fails(head, "line 4, column 1: found the end of the file, expected (state 1 (NAME VALUE) ...)");
        let with = |row: &str| format!("{head}{row}");
        fails(
            &with("(state 2)"),
            "line 4, column 1: found `(state ...)`, expected (state 1 (NAME VALUE) ...)",
        );
        fails(
            &with("(state 1 (x 0))"),
            "line 4, column 1: found no value of `a time`, expected a value for each variable",
        );
        fails(
            &with("(state 1 (x 0) (|atime| 0.0))"),
            "line 4, column 17: found `atime`, expected the name of a state variable; is it `a time`?",
        );
        fails(
            &with("(state 1 (x 0) (x 0))"),
            "line 4, column 17: found a second value of `x`, expected one value for each variable",
        );
        fails(&with("(state 1 (x 0 1))"), "line 4, column 10: found `(x ...)`, expected a name with a value");
        fails(&with("(state 1 (x 0.0))"), "line 4, column 13: found `0.0`, expected a value of sort Int");
        fails(
            &with("(state 1 (x (/ 1 2)))"),
            "line 4, column 13: found `(/ ...)`, expected a value of sort Int",
        );
        fails(
            &with("(state 1 (x (- 1.0)))"),
            "line 4, column 13: found `(- ...)`, expected a value of sort Int",
        );
        fails(
            &with("(state 1 (x (+ 1 2)))"),
            "line 4, column 13: found `(+ ...)`, expected a value of sort Int",
        );
        fails(
            &with("(state 1 (x 1) (|a time| (/ 1 0)))"),
            "line 4, column 26: found `(/ ...)`, expected a value of sort Real",
        );
        let all = with("(state 1 (x 1) (|a time| 1.5)) (inputs 1 (go 1))");
        fails(&all, "line 4, column 46: found `1`, expected a value of sort Bool");
        let all = all.replace("(go 1)", "(go true)");
        fails(
            &format!("{all}\n(exit)"),
            "line 5, column 1: found `(exit ...)`, expected the end of the file: step 1 is the last one",
        );
        // Not as much memory as it claims to need.
        fails(
            "(violated p 4294967295)",
            "line 1, column 24: found the end of the file, expected (state 0 (NAME VALUE) ...)",
        );
        let deep = format!("(violated p 0) (state 0 (x {}1{}))", "(- ".repeat(100_000), ")".repeat(100_000));
        assert!(parse(deep.as_bytes(), &system).is_err());
    }

    #[test]
    fn mutations_never_panic() {
        let (system, trace) = odd();
        let text = write(&system, "p", &trace).into_bytes();
        let words: Vec<&[u8]> = text.split(|b| b" ()\n".contains(b)).filter(|w| !w.is_empty()).collect();
        let nasty: [&[u8]; 8] =
            [b"(", b")", b"|", b"-", b"/", b"0", b"(_ bv1 99999)", b"99999999999999999999"];
        let mut n_read = 0;
        for seed in 0..3000 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let mut mutant = text.clone();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(0..mutant.len());
                let end = (at + rng.usize(0..12)).min(mutant.len());
                match rng.u32(0..4) {
                    0 => mutant[at] = rng.u8(..),
                    1 => drop(mutant.drain(at..end)),
                    2 => drop(mutant.splice(at..end, rng.choice(&words).unwrap().to_vec())),
                    _ => drop(mutant.splice(at..end, rng.choice(&nasty).unwrap().to_vec())),
                }
                if mutant.is_empty() {
                    mutant.push(b'(');
                }
            }
            match parse(&mutant, &system) {
                Ok((_, read)) => {
                    n_read += 1;
                    assert_eq!(read.states.len(), read.inputs.len());
                    let text = write(&system, "p", &read);
                    assert_eq!(parse(text.as_bytes(), &system), Ok(("p".into(), read)), "seed {seed}");
                }
                Err(error) => assert!(error.to_string().len() < 500, "seed {seed}: {error}"),
            }
        }
        assert!(n_read > 30, "{n_read}");
    }

    #[test]
    fn programs_see_everything() {
        let (system, mut trace) = example();
        trace.states.truncate(2);
        trace.inputs.truncate(2);
        assert_eq!(
            write(&system, "p q", &trace),
            "\
(violated |p q| 1)
(state 0 (x 0) (|a time| 0.0))
(inputs 0 (go true))
(state 1 (x (- 1)) (|a time| (/ 3.0 2.0)))
(inputs 1 (go true))
"
        );
    }
}
