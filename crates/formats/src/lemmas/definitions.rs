//! Lemmas as SMT-LIB: definitions, as `--invariant` and solvers for Horn clauses write them.
//!
//! `(define-fun NAME () Bool F)` over the names of the model is a lemma. A definition with the name and the sorts of a predicate (of a
//! transition system: `state`, over all state variables in their order) says what holds there. Each conjunct is a lemma of its own.
//! Other definitions can be used in those that follow.

use super::Lemma;
use super::places::{Places, Spot};
use crate::smtlib::elaborate::{Elaborator, Meaning};
use crate::smtlib::expressions::{Expressions, Id, Kind, shortened};
use crate::smtlib::script::Command;
use crate::{Error, word_text};
use indubit_term::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

const DEFINITIONS: &[&str] = &["define-fun", "define-const", "define-sort"];

/// Is the text a list of definitions?
pub(super) fn are_definitions(text: &[u8]) -> bool {
    let mut rest = text;
    let mut n_open = 0;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest {
            [b';', ..] => rest.splitn(2, |&b| b == b'\n').nth(1).unwrap_or_default(),
            [b'(', inside @ ..] => {
                n_open += 1;
                inside
            }
            // The answer of a solver, and perhaps a word in front of its model.
            [b's', b'a', b't', inside @ ..] if n_open == 0 => inside,
            _ => match rest.strip_prefix(b"model").filter(|_| n_open == 1) {
                Some(inside) => inside,
                None => return n_open > 0 && DEFINITIONS.iter().any(|d| rest.starts_with(d.as_bytes())),
            },
        };
    }
}

/// The lemmas that definitions are, and their formulas.
pub(super) fn read(
    text: &[u8],
    places: &Places<'_>,
    terms: &mut Terms,
) -> Result<(Vec<Lemma>, Vec<Term>), Error> {
    let expressions = Expressions::parse(text)?;
    let mut elaborator = Elaborator::with_terms(&expressions, std::mem::take(terms));
    if let [spot] = &places.spots[..] {
        elaborator.symbols.extend(places.symbols(spot));
    }
    let mut reader = Reader {
        elaborator,
        places,
        defined: FxHashSet::default(),
        functions: Vec::new(),
        counted: (0, 1),
        lemmas: Vec::new(),
        candidates: Vec::new(),
    };
    let e = &expressions;
    let roots = match e.roots() {
        [answer, roots @ ..] if e.is_word(*answer, "sat") => roots,
        roots => roots,
    };
    let commands = match roots {
        // As a solver prints a model: in parentheses, perhaps with the word.
        [model] => match e.list(*model) {
            [word, commands @ ..] if e.is_word(*word, "model") => commands,
            commands @ [first, ..] if e.kind(*first) == Kind::List => commands,
            _ => roots,
        },
        roots => roots,
    };
    commands.iter().try_for_each(|&command| reader.command(command))?;
    reader.check_uses(commands)?;
    *terms = reader.elaborator.terms;
    Ok((reader.lemmas, reader.candidates))
}

struct Reader<'e, 't, 'p> {
    elaborator: Elaborator<'e, 't>,
    places: &'p Places<'p>,
    /// The predicates that were defined.
    defined: FxHashSet<usize>,
    /// What is neither a lemma nor about a predicate: lemmas are to use it.
    functions: Vec<Id>,
    /// A byte of the text, and its line.
    counted: (usize, usize),
    lemmas: Vec<Lemma>,
    candidates: Vec<Term>,
}

impl Reader<'_, '_, '_> {
    fn command(&mut self, id: Id) -> Result<(), Error> {
        let e = self.elaborator.e;
        let command = e.list(id).first().and_then(|&head| e.symbol(head)).unwrap_or_default();
        if !DEFINITIONS.contains(&command) {
            return Err(e.error(id, "definitions only, as in (define-fun NAME () Bool FORMULA)"));
        }
        if let &[_, symbol, parameters, sort, body] = e.list(id)
            && command == "define-fun"
            && self.elaborator.sort(sort)? == Sort::Bool
            && let Some(spot) = self.predicate(symbol, parameters)?
        {
            return self.about(spot, id, [symbol, parameters, body]);
        }
        let defined = self.elaborator.command(id)?;
        let (Some(&symbol), Some(&body)) = (e.list(id).get(1), e.list(id).last()) else { return Ok(()) };
        let term = match self.elaborator.symbols.get(e.symbol(symbol).unwrap_or_default()) {
            Some(&Meaning::Term(term)) if command != "define-sort" => {
                // With several predicates it cannot be a lemma.
                self.functions.extend((self.places.spots.len() > 1).then_some(symbol));
                term
            }
            Some(&Meaning::Function { body, .. }) => {
                self.functions.push(symbol);
                body
            }
            _ => return Ok(()),
        };
        self.check(body, term)?;
        if let (Command::Defined(name), [spot]) = (defined, &self.places.spots[..])
            && self.elaborator.terms.sort(term) == Sort::Bool
        {
            for conjunct in self.conjuncts(body) {
                let term = self.elaborator.term(conjunct)?;
                self.add(spot, id, Some(name.to_owned()), term);
            }
        }
        Ok(())
    }
    /// A function that nobody uses may be meant to be a predicate.
    fn check_uses(&self, commands: &[Id]) -> Result<(), Error> {
        if self.functions.is_empty() {
            return Ok(());
        }
        let e = self.elaborator.e;
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        let mut open = commands.to_vec();
        while let Some(id) = open.pop() {
            open.extend(e.list(id));
            if let Some(symbol) = e.symbol(id) {
                *uses.entry(symbol).or_default() += 1;
            }
        }
        let is_unused = |&&symbol: &&Id| e.symbol(symbol).is_some_and(|name| uses.get(name) == Some(&1));
        match self.functions.iter().find(is_unused) {
            None => Ok(()),
            Some(&symbol) => {
                let found = format!("a definition of {} that nothing uses", e.show(symbol));
                let expected =
                    format!("lemmas that use it, or the name of a predicate: {}", self.places.predicates());
                Err(self.elaborator.error(symbol, found, expected))
            }
        }
    }
    /// The parts of `(and …)`, as they stand: one that is wrong does not take the others with it.
    fn conjuncts(&self, body: Id) -> Vec<Id> {
        let e = self.elaborator.e;
        let mut found = Vec::new();
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            match e.list(id) {
                [and, parts @ ..] if e.is_word(*and, "and") && !parts.is_empty() => {
                    open.extend(parts.iter().rev());
                }
                _ => found.push(id),
            }
        }
        found
    }
    /// The predicate with this name and these sorts.
    fn predicate(&self, symbol: Id, parameters: Id) -> Result<Option<usize>, Error> {
        let e = self.elaborator.e;
        let name = e.symbol(symbol).unwrap_or_default();
        let Some(found) = self.places.spots.iter().position(|spot| spot.name == name) else {
            return Ok(None);
        };
        let (given, wanted) = (e.list(parameters), &self.places.spots[found].parameters);
        if given.is_empty() && !wanted.is_empty() && self.places.spots.len() == 1 {
            // A lemma like others, by the names of the model.
            return Ok(None);
        }
        let terms = &self.elaborator.terms;
        let mut fits = given.len() == wanted.len();
        for (&pair, &(_, variable)) in given.iter().zip(wanted) {
            // What is wrong with it otherwise is said where it is bound.
            if let &[_, sort] = e.list(pair) {
                fits &= self.elaborator.sort(sort)? == terms.sort(variable);
            }
        }
        if fits {
            return Ok(Some(found));
        }
        let sorts: Vec<String> = wanted.iter().map(|&(_, v)| terms.sort(v).to_string()).collect();
        let expected = format!("{} of them, of sorts {}", sorts.len(), sorts.join(" "));
        Err(self.elaborator.error(parameters, format!("other parameters of `{}`", shortened(name)), expected))
    }
    /// What holds where the system is at a predicate.
    fn about(&mut self, spot: usize, id: Id, parts: [Id; 3]) -> Result<(), Error> {
        let [symbol, parameters, body] = parts;
        if !self.defined.insert(spot) {
            let found = format!("a second definition of {}", self.elaborator.e.show(symbol));
            return Err(self.elaborator.error(symbol, found, "every predicate to be defined once"));
        }
        let (names, bound) = self.elaborator.bind_parameters(parameters)?;
        let mut formulas = Vec::new();
        for conjunct in self.conjuncts(body) {
            let formula = self.elaborator.term(conjunct)?;
            formulas.push(self.elaborator.coerce(conjunct, formula, Sort::Bool)?);
            self.check(conjunct, formula)?;
        }
        self.elaborator.unbind(&names);
        let spot = &self.places.spots[spot];
        let variables = spot.parameters.iter().map(|&(_, variable)| variable);
        let map: FxHashMap<Term, Term> = bound.into_iter().zip(variables).collect();
        let name = (self.places.spots.len() > 1).then(|| spot.name.to_owned());
        for formula in formulas {
            let formula = self.elaborator.terms.substitute(formula, &map);
            self.add(spot, id, name.clone(), formula);
        }
        Ok(())
    }
    /// Is the term about current values only?
    fn check(&self, at: Id, term: Term) -> Result<(), Error> {
        match self.places.stranger(term, &self.elaborator.terms) {
            None => Ok(()),
            Some((name, what)) => {
                let found = format!("`{}`, {what}", shortened(name));
                Err(self.elaborator.error(at, found, "current values of state variables only"))
            }
        }
    }
    /// A formula as a lemma, or what it is the conjunction of.
    fn add(&mut self, spot: &Spot<'_>, at: Id, name: Option<String>, formula: Term) {
        let line = self.line(at);
        let terms = &mut self.elaborator.terms;
        // Variables that predicates share have names of their own there.
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for &(name, variable) in &spot.parameters {
            if terms.name(variable) != Some(name) {
                names.insert(variable, terms.var(name, terms.sort(variable)));
            }
        }
        for conjunct in terms.conjuncts(formula) {
            let shown = terms.substitute(conjunct, &names);
            let text = word_text::line(terms, shown);
            self.lemmas.push(Lemma { name: name.clone(), text, line });
            self.candidates.push(spot.lemma(terms, conjunct));
        }
    }
    /// The line of a command; these come in their order.
    fn line(&mut self, at: Id) -> usize {
        let (before, line) = self.counted;
        let offset = self.elaborator.e.offset(at);
        let text = &self.elaborator.e.bytes()[before..offset];
        self.counted = (offset, line + text.iter().filter(|&&b| b == b'\n').count());
        self.counted.1
    }
}
