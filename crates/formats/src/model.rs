//! Models of any kind: what a file is, its contents say.

use crate::btor2::{self, Btor2};
use crate::chc::{self, Chc};
use crate::error::show;
use crate::smtlib::expressions::{Expressions, Id};
use crate::smtlib::names::Names;
use crate::smv::{self, Smv};
use crate::told::Told;
use crate::trace_table::Options;
use crate::{Error, Place, aiger, load, vmt, word_text, word_trace, yosys};
use indubit_system::{BitSystem, Claim, Property, WordProof, WordSystem, WordTrace};
use indubit_term::{Term, Terms, Value};
use rustc_hash::FxHashSet;
use std::path::Path;

/// A model.
#[derive(Clone, Debug)]
pub enum Model {
    /// Of bits: AIGER.
    Bits(BitSystem),
    /// Of words: VMT, CHC, BTOR2 or SMV.
    Words(WordModel),
}

/// A model of words.
#[derive(Clone, Debug)]
pub enum WordModel {
    /// A transition system.
    Vmt(WordSystem),
    /// Clauses, as a transition system.
    Chc(Chc),
    /// A transition system of bit-vectors and arrays.
    Btor2(Box<Btor2>),
    /// Modules in the language of NuSMV and nuXmv.
    Smv(Smv),
}

/// Read a model from a file, with the names that [maps](crate::yosys) beside it have.
pub fn read(path: &Path) -> Result<Model, Error> {
    let mut model = parse_named(&load(path)?, path).map_err(|error| error.with_path(path))?;
    model.use_maps(path);
    Ok(model)
}

/// Is a file of this name meant to be SMV? Its contents say so; where they begin like no model at all, its name does.
pub fn is_smv(bytes: &[u8], path: &Path) -> bool {
    let is_called_so = path.extension().is_some_and(|extension| extension == "smv");
    let is_circuit = [b"aag", b"aig"].iter().any(|magic| bytes.starts_with(*magic));
    let begins = bytes.get(beginning(bytes));
    smv::is_recognized(bytes)
        || is_called_so
            && !is_circuit
            && !is_smtlib(bytes)
            && !begins.is_some_and(|byte| byte.is_ascii_digit())
}

/// Read a model from the contents of a file of this name, which matters only for what is wrong with a model in SMV that does not begin as one.
pub fn parse_named(bytes: &[u8], path: &Path) -> Result<Model, Error> {
    match is_smv(bytes, path) {
        true => smv::parse(bytes).map(|model| Model::Words(WordModel::Smv(model))),
        false => parse(bytes),
    }
}

/// Read a model from the contents of a file: AIGER begins with `aag` or `aig`, BTOR2 with a number, SMV with `MODULE`, everything else is SMT-LIB, which is CHC if its logic is
/// HORN, and else VMT.
///
/// ```
/// use indubit_formats::model::{Model, WordModel, parse};
/// assert!(matches!(parse(b"aag 0 0 0 0 0\n"), Ok(Model::Bits(_))));
/// assert!(matches!(parse(b"(set-logic HORN) (assert (=> true true))"), Ok(Model::Words(WordModel::Chc(_)))));
/// assert!(parse(b"hello").unwrap_err().to_string().contains("expected an AIGER model"));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Model, Error> {
    if [b"aag", b"aig"].iter().any(|magic| bytes.starts_with(*magic)) {
        return aiger::parse(bytes).map(Model::Bits);
    }
    let start = beginning(bytes);
    if bytes.get(start).is_some_and(u8::is_ascii_digit) {
        return btor2::parse(bytes).map(|model| Model::Words(WordModel::Btor2(Box::new(model))));
    }
    if smv::is_recognized(bytes) {
        return smv::parse(bytes).map(|model| Model::Words(WordModel::Smv(model)));
    }
    if !is_smtlib(bytes) {
        let expected = "an AIGER model, which starts with `aag` (ASCII) or `aig` (binary), BTOR2, which starts with a number, SMV, which starts with `MODULE`, or SMT-LIB (VMT or CHC), which starts with `(`";
        return Err(Error::new(Place::in_text(bytes, start), show(&bytes[start..]), expected));
    }
    let expressions = Expressions::parse(bytes)?;
    let logic = logic(&expressions);
    let model = match logic.is_some_and(|logic| expressions.is_word(logic, "HORN")) {
        true => WordModel::Chc(chc::parse(bytes)?),
        false => {
            let no_horn = |error| not_called_horn(&expressions, logic).unwrap_or(error);
            WordModel::Vmt(vmt::parse(bytes).map_err(no_horn)?)
        }
    };
    Ok(Model::Words(model))
}

/// Is it meant to be SMT-LIB?
pub fn is_smtlib(bytes: &[u8]) -> bool {
    bytes.get(beginning(bytes)) == Some(&b'(')
}

/// Where comments and spaces end.
pub(crate) fn beginning(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at),
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// The logic of `(set-logic LOGIC)`.
fn logic(e: &Expressions<'_>) -> Option<Id> {
    e.roots().iter().find_map(|&root| match *e.list(root) {
        [command, logic] if e.is_word(command, "set-logic") => Some(logic),
        _ => None,
    })
}

/// The error that clauses are not said to be clauses: an assertion applies a predicate that is declared, which VMT does not have.
fn not_called_horn(e: &Expressions<'_>, logic: Option<Id>) -> Option<Error> {
    let predicate = |&root: &Id| match *e.list(root) {
        [command, name, sorts, sort] if e.is_word(command, "declare-fun") && e.is_word(sort, "Bool") => {
            e.symbol(name).filter(|_| !e.list(sorts).is_empty())
        }
        _ => None,
    };
    let predicates: FxHashSet<&str> = e.roots().iter().filter_map(predicate).collect();
    let applies = |formula: Id| {
        let mut open = vec![formula];
        while let Some(id) = open.pop() {
            if e.list(id).first().and_then(|&head| e.symbol(head)).is_some_and(|n| predicates.contains(n)) {
                return true;
            }
            open.extend(e.list(id));
        }
        false
    };
    let clause = e.roots().iter().copied().find(|&root| match *e.list(root) {
        [command, formula] => e.is_word(command, "assert") && applies(formula),
        _ => false,
    })?;
    Some(match logic {
        None => {
            let expected = "the line `(set-logic HORN)` before them, which is missing";
            Error::new(e.place(clause), "what looks like Horn clauses", expected)
        }
        Some(logic) => {
            let found = format!("logic {} of what looks like Horn clauses", e.show(logic));
            Error::new(e.place(logic), found, "`(set-logic HORN)`")
        }
    })
}

impl Model {
    /// Use the maps that stand beside the file the model was read from, if there are some.
    pub fn use_maps(&mut self, path: &Path) {
        match self {
            Model::Bits(model) => yosys::name_bits(path, model),
            Model::Words(WordModel::Btor2(model)) => yosys::name_btor2(path, model),
            Model::Words(_) => (),
        }
    }
}

impl WordModel {
    /// Terms that have names besides the variables.
    pub fn signals(&self) -> &[(String, Term)] {
        match self {
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Smv(_) => &[],
            WordModel::Btor2(model) => &model.signals,
        }
    }
    /// The transition system.
    pub fn system(&self) -> &WordSystem {
        match self {
            WordModel::Vmt(system) => system,
            WordModel::Chc(chc) => &chc.system,
            WordModel::Btor2(model) => &model.system,
            WordModel::Smv(model) => &model.system,
        }
    }
    /// The transition system, to add properties to it.
    pub fn system_mut(&mut self) -> &mut WordSystem {
        match self {
            WordModel::Vmt(system) => system,
            WordModel::Chc(chc) => &mut chc.system,
            WordModel::Btor2(model) => &mut model.system,
            WordModel::Smv(model) => &mut model.system,
        }
    }
    /// What in the model makes it say less than it seems to.
    pub fn suspicions(&self) -> Vec<String> {
        let system = self.system();
        let mut suspicions = Vec::new();
        match self {
            WordModel::Btor2(model) => suspicions.extend(model.notes.iter().cloned()),
            WordModel::Smv(model) => suspicions.extend(model.notes.iter().cloned()),
            WordModel::Vmt(_) | WordModel::Chc(_) => (),
        }
        if matches!(self, WordModel::Chc(chc) if chc.n_queries == 0) {
            suspicions.push(
                "there is no query, a clause whose head is false: nothing is asked, and the answer is `safe` whatever the clauses say"
                    .into(),
            );
        }
        let free = system.unconstrained();
        if let (Some(&first), WordModel::Vmt(_)) = (free.first(), self) {
            let more = if free.len() > 1 { format!(" and {} more", free.len() - 1) } else { String::new() };
            suspicions.push(format!(
                "no step says what the next value of `{}`{more} is: it can be anything (what never changes has a step `(= x.next x)`)",
                system.state_name(first)
            ));
        }
        suspicions
    }
    /// An invariant for people, as [`word_text::write`] does it; of clauses it says what holds of each predicate.
    pub fn text(&self, terms: &Terms, invariant: Term, limit: Option<usize>) -> String {
        match self {
            WordModel::Vmt(_) | WordModel::Btor2(_) => word_text::write(terms, invariant, limit),
            WordModel::Chc(chc) => chc.text(terms, invariant, limit),
            WordModel::Smv(model) => model.text(terms, invariant, limit),
        }
    }
    /// A formula about one step, in one line.
    pub fn formula(&self, formula: Term) -> String {
        let text = match self {
            WordModel::Smv(model) => model.text(&self.system().terms, formula, None),
            WordModel::Vmt(_) | WordModel::Btor2(_) | WordModel::Chc(_) => {
                word_text::line(&self.system().terms, formula)
            }
        };
        let lines: Vec<&str> = text.lines().collect();
        lines.join(" & ")
    }
    /// A counterexample for people, as [`word_trace::table`] does it; where clauses have several places, it says which one a state is about.
    pub fn table(&self, property: &Property<Term>, trace: &WordTrace, options: Options) -> String {
        let place = self.place();
        word_trace::table(
            self.system(),
            property,
            trace,
            place.as_deref(),
            &|var, value| self.tell(var, value),
            options,
        )
    }
    /// A step that breaks a formula, or a state in which it is false, for people; `broken` stands at the last moment.
    pub fn step(&self, trace: &WordTrace, broken: &str, options: Options) -> String {
        let tell = |var: Term, value: &Value| self.tell(var, value);
        word_trace::steps(self.system(), broken, trace, self.place().as_deref(), &tell, options)
    }
    /// Any run, for people; `note` says what is remarkable about a step.
    pub fn run_table(
        &self,
        trace: &WordTrace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        let tell = |var: Term, value: &Value| self.tell(var, value);
        word_trace::run_table(self.system(), note, trace, self.place().as_deref(), &tell, options)
    }
    /// What the type of a variable is called: its sort, unless the model has types of its own.
    pub fn type_name(&self, variable: Term) -> String {
        match self {
            WordModel::Smv(model) => model.type_name(variable),
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Btor2(_) => {
                self.system().terms.sort(variable).to_string()
            }
        }
    }
    /// What a value of a variable is called, where that is not how it is encoded.
    pub fn tell(&self, variable: Term, value: &Value) -> Option<Told> {
        match self {
            WordModel::Smv(model) => model.tell(variable, value),
            WordModel::Btor2(model) => {
                let name = model.enumerations.get(&variable)?.get(value)?;
                // Waveforms keep the bits: that is what whoever compares them with a simulation has there.
                Some(Told::Name(name.clone()))
            }
            WordModel::Vmt(_) | WordModel::Chc(_) => None,
        }
    }
    /// What values are called beside that, by the variable.
    pub fn enumerations(&self) -> impl Iterator<Item = (&Value, &str)> {
        let all = if let WordModel::Btor2(model) = self { Some(&model.enumerations) } else { None };
        all.into_iter().flat_map(|all| all.values().flatten()).map(|(value, name)| (value, &**name))
    }
    /// What is said of a state instead of the values of its variables, if clauses have several places.
    fn place(&self) -> Option<Box<word_trace::Place<'_>>> {
        match self {
            WordModel::Chc(chc) if chc.predicates.iter().any(|p| !p.others.is_empty()) => {
                Some(Box::new(|state: &[Value]| chc.place(state)))
            }
            _ => None,
        }
    }
    /// Proofs, each with the position of its property, as definitions in SMT-LIB: of the predicates of the clauses, or of one predicate `state`
    /// over the state variables, which is what [`chc::write`] makes of the system; of SMV they are lemmas in its own language, if it can say them. They say all that the proofs say; proofs of all queries are a
    /// model of the clauses. `None` if one of them has no invariant.
    pub fn definitions(&self, proofs: &[(usize, &WordProof)]) -> Option<String> {
        let system = self.system();
        let invariants: Option<Vec<(&Terms, Term)>> =
            proofs.iter().map(|&(property, proof)| invariant(system, property, proof)).collect();
        let (terms, invariant) = system.conjunction(&invariants?)?;
        Some(match self {
            WordModel::Smv(model) => {
                model.lemmas(&terms, invariant).unwrap_or_else(|| state_definition(system, &terms, invariant))
            }
            WordModel::Vmt(_) | WordModel::Btor2(_) => state_definition(system, &terms, invariant),
            WordModel::Chc(chc) => chc.model(&terms, invariant),
        })
    }
}

/// The invariant that a proof of a property is.
fn invariant<'p>(system: &'p WordSystem, property: usize, proof: &'p WordProof) -> Option<(&'p Terms, Term)> {
    match proof {
        WordProof::Inductive { terms, invariant } => {
            system.stranger(terms, *invariant).is_none().then_some((terms, *invariant))
        }
        WordProof::KInductive { k: 1, simple_path: false } => {
            let Claim::Always(holds) = system.properties.get(property)?.claim else { return None };
            system.stranger(&system.terms, holds).is_none().then_some((&system.terms, holds))
        }
        WordProof::KInductive { .. } | WordProof::Ends { .. } | WordProof::Ranked(_) => None,
    }
}

fn state_definition(system: &WordSystem, terms: &Terms, invariant: Term) -> String {
    let mut names = Names::default();
    names.reserve(&["state"]);
    let parameter = |var: Term| format!("({} {})", names.add(terms, var), terms.sort(var));
    let parameters: Vec<String> = system.states.iter().map(|v| v.current).map(parameter).collect();
    let name = |var: Term| names.get(var);
    let body = terms.display(invariant).with_names(&name).sharing();
    format!("(define-fun state ({}) Bool {body})\n", parameters.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::Sort;

    #[test]
    fn contents_decide() {
        let vmt =
            b"; a comment\n (declare-fun x () Int) (declare-fun y () Int) (define-fun s () Int (! x :next y))
            (define-fun i () Bool (! (= x 0) :init true)) (define-fun t () Bool (! (= x y) :trans true))";
        assert!(matches!(parse(vmt), Ok(Model::Words(WordModel::Vmt(_)))));
        let horn = b"(set-info :x |set-logic|)\n(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))";
        assert!(matches!(parse(horn), Ok(Model::Words(WordModel::Chc(_)))));
        let binary = parse(b"\x7fELF").unwrap_err();
        assert_eq!(binary.place(), Place::Line { line: 1, column: 1 });
        assert!(parse(b"").unwrap_err().to_string().contains("the end of the file"));
        assert!(parse(b"; nothing").unwrap_err().to_string().contains("the end of the file"));
    }

    #[test]
    fn clauses_that_do_not_say_so() {
        let clauses = "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (p x))))\n";
        let error = |text: &str| parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error(clauses),
            "line 2, column 1: found what looks like Horn clauses, expected the line `(set-logic HORN)` before them, which is missing"
        );
        assert_eq!(
            error(&format!("(set-logic LIA)\n{clauses}")),
            "line 1, column 12: found logic `LIA` of what looks like Horn clauses, expected `(set-logic HORN)`"
        );
        assert!(parse(format!("(set-logic HORN)\n{clauses}").as_bytes()).is_ok());
        // Other mistakes are what they are.
        assert!(error("(declare-fun f (Int) Int) (assert (= (f 0) 1))").contains("uninterpreted function"));
        assert!(error("(declare-fun b () Bool) (assert (=> b b false))").contains(":init and :trans"));
        assert!(error(&format!("{clauses})")).contains("a command or the end"));
    }

    #[test]
    fn an_invariant_is_a_definition() {
        let mut system = WordSystem::new();
        let x = system.add_state("x", Sort::Int).current;
        let odd = system.add_state("state", Sort::Bool).current;
        let mut terms = system.terms.clone();
        let zero = terms.int(0);
        let above = terms.ge(x, zero);
        let invariant = terms.or(&[odd, above]);
        let proof = WordProof::Inductive { terms, invariant };
        let text = WordModel::Vmt(system.clone()).definitions(&[(0, &proof)]);
        assert_eq!(
            text.as_deref(),
            Some("(define-fun state ((x Int) (state.1 Bool)) Bool (or state.1 (>= x 0)))\n")
        );
        let deep = WordProof::KInductive { k: 2, simple_path: false };
        assert_eq!(WordModel::Vmt(system).definitions(&[(0, &proof), (1, &deep)]), None);
    }
}
