//! What lemmas about a model of words can speak of: its state variables or, for clauses, the arguments of each predicate.

use super::lexer::spell_word;
use super::names::{similar, split_index};
use crate::model::WordModel;
use crate::smtlib::elaborate::Meaning;
use crate::smtlib::names::is_no_function;
use indubit_term::{BigInt, Scalar, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// A predicate of the clauses; of a transition system `state`, all of it.
pub(super) struct Spot<'m> {
    pub name: &'m str,
    /// The names of its arguments, and the state variables that they are.
    pub parameters: Vec<(&'m str, Term)>,
    /// The formula that the system is here.
    pub at: Term,
    /// Is the formula about a step that may be here, and not about all that are?
    is_cover: bool,
    names: HashMap<&'m [u8], Vec<Term>>,
}

/// All of them, at least one.
pub(super) struct Places<'m> {
    pub spots: Vec<Spot<'m>>,
    /// What a lemma cannot be about, and why.
    strangers: HashMap<&'m str, (Term, &'static str)>,
    /// What a design calls values of its variables: numbers, and several if a name has another value elsewhere.
    symbols: HashMap<&'m str, Vec<BigInt>>,
    /// The names of what a lemma cannot be about, and why, by the variable.
    names: FxHashMap<Term, (&'m str, &'static str)>,
}

/// What is wrong with a name: more about it, and what was expected.
pub(super) struct Unclear {
    pub found: String,
    pub expected: String,
}

impl<'m> Places<'m> {
    /// For lemmas, which are about all states. `terms` are those of the system; they become more.
    pub fn of_lemmas(model: &'m WordModel, terms: &mut Terms) -> Places<'m> {
        Places::new(model, terms, false)
    }
    /// For covers, which are about one step, with its inputs. `terms` are those of the system; they become more.
    pub fn of_covers(model: &'m WordModel, terms: &mut Terms) -> Places<'m> {
        Places::new(model, terms, true)
    }
    fn new(model: &'m WordModel, terms: &mut Terms, is_cover: bool) -> Places<'m> {
        let system = model.system();
        let truth = terms.bool(true);
        let mut spots = Vec::new();
        if let WordModel::Chc(chc) = model {
            for predicate in &chc.predicates {
                let arguments = predicate.slots.iter().zip(&predicate.parameters);
                let parameters =
                    arguments.map(|(&s, (name, _))| (&**name, system.states[s].current)).collect();
                let parts: Vec<Term> = predicate
                    .others
                    .iter()
                    .map(|(slot, value)| {
                        let value = terms.constant(value.clone());
                        terms.eq(system.states[*slot].current, value)
                    })
                    .collect();
                spots.push(Spot::new(&predicate.name, parameters, terms.and(&parts), is_cover));
            }
        }
        if spots.is_empty() {
            // Lemmas are about what is stored; everything else is about the design, as its names have it.
            let meant = |state: Term| if is_cover { system.meant(state) } else { state };
            let states =
                (0..system.states.len()).map(|i| (system.state_name(i), meant(system.states[i].current)));
            let inputs = (0..system.inputs.len()).map(|i| (system.input_name(i), system.inputs[i]));
            let inputs = inputs.filter(|_| is_cover);
            let mut spot = Spot::new("state", states.chain(inputs).collect(), truth, is_cover);
            for (name, term) in model.signals() {
                let same = spot.names.entry(name.as_bytes()).or_default();
                // What a variable is called, a term that is made of it may be called, too.
                if !same.contains(term) && !same.iter().any(|&other| terms.is_var(other)) {
                    same.push(*term);
                }
            }
            spots.push(spot);
        }
        let name = |t: Term| system.terms.name(t).unwrap_or_default();
        let nexts = system.states.iter().map(|v| (name(v.next), (v.next, "a next value")));
        let inputs = system.inputs.iter().map(|&input| (name(input), (input, "an input")));
        let inputs = inputs.filter(|_| !is_cover);
        let strangers: HashMap<&str, (Term, &str)> = nexts.chain(inputs).collect();
        let names = strangers.iter().map(|(&name, &(variable, what))| (variable, (name, what))).collect();
        let mut symbols: HashMap<&str, Vec<BigInt>> = HashMap::new();
        for (value, symbol) in model.enumerations() {
            let numbers = symbols.entry(symbol).or_default();
            let number = value.as_bits().map(|bits| BigInt::from(bits.clone()));
            numbers.extend(number.filter(|number| !numbers.contains(number)));
        }
        Places { spots, strangers, symbols, names }
    }
    /// A variable in a term that a lemma cannot be about, and what it is.
    pub fn stranger(&self, term: Term, terms: &Terms) -> Option<(&'m str, &'static str)> {
        terms.variables(&[term]).iter().find_map(|variable| self.names.get(variable)).copied()
    }
    /// `p`, `q` or `r`.
    pub fn predicates(&self) -> String {
        let names: Vec<String> = self.spots.iter().map(|spot| spell_word(spot.name)).collect();
        some_of(&names, " or ")
    }
    /// What names mean in SMT-LIB that is about one of the places; functions stay what they are.
    pub fn symbols(&self, spot: &Spot<'m>) -> impl Iterator<Item = (&'m str, Meaning)> {
        let strangers = self.strangers.iter().map(|(&name, &(variable, _))| (name, variable));
        let is_clear = |(name, _): &&(&'m str, Term)| spot.names[name.as_bytes()].len() == 1;
        let own: Vec<(&'m str, Term)> = spot.parameters.iter().filter(is_clear).copied().collect();
        let all = strangers.chain(own).filter(|(name, _)| is_no_function(name));
        all.map(|(name, variable)| (name, Meaning::Term(variable)))
    }
    /// What a name, or a part of a vector, stands for in one of the places.
    pub fn find(
        &self,
        spot: usize,
        name: &[u8],
        range: Option<(u32, u32)>,
        terms: &mut Terms,
    ) -> Result<Term, Unclear> {
        let spot = &self.spots[spot];
        let written = match range {
            Some((high, low)) => [name, format!("[{high}:{low}]").as_bytes()].concat(),
            None => name.to_vec(),
        };
        match spot.names.get(&written[..]).map(Vec::as_slice) {
            Some(&[term]) => return self.spoken_of(term, terms).map(|()| term),
            Some(_) => {
                let expected = "names that differ; `indubit convert` gives every variable one of its own";
                return Err(Unclear {
                    found: ", the name of several variables".into(),
                    expected: expected.into(),
                });
            }
            None => (),
        }
        let part = match range {
            Some((high, low)) => Some((name, high, low)),
            None => split_index(name).map(|(base, index)| (base, index, index)),
        };
        if let Some((base, high, low)) = part
            && let Some(&[variable]) = spot.names.get(base).map(Vec::as_slice)
        {
            self.spoken_of(variable, terms)?;
            return match terms.sort(variable) {
                Sort::BitVec(width) if high < width && low <= high => Ok(terms.extract(high, low, variable)),
                Sort::BitVec(width) => {
                    let expected = format!("bits from {} down to 0", width - 1);
                    Err(Unclear { found: String::new(), expected })
                }
                Sort::Array(array) if high == low => {
                    let index = match array.index {
                        Scalar::BitVec(width) if width >= 32 || high >> width == 0 => {
                            Some(terms.bits(width, high))
                        }
                        Scalar::Int => Some(terms.int(high)),
                        _ => None,
                    };
                    let expected = || format!("an index of sort {}", Sort::from(array.index));
                    let index =
                        index.ok_or_else(|| Unclear { found: String::new(), expected: expected() })?;
                    Ok(terms.select(variable, index))
                }
                sort => {
                    let found = format!(", a part of something of sort {sort}");
                    Err(Unclear { found, expected: "parts of bit-vectors only".into() })
                }
            };
        }
        match str::from_utf8(&written).ok().and_then(|name| self.symbols.get(name)).map(Vec::as_slice) {
            Some([number]) => Ok(terms.int(number.clone())),
            Some(_) => Err(Unclear {
                found: ", which the design calls several values".into(),
                expected: "the number of the value".into(),
            }),
            None => Err(self.unknown(spot, &written)),
        }
    }
    /// Is it something that a lemma can be about? What has a name may depend on inputs.
    fn spoken_of(&self, term: Term, terms: &Terms) -> Result<(), Unclear> {
        match self.stranger(term, terms) {
            None => Ok(()),
            Some((name, what)) => {
                let found = format!(", which depends on `{name}`, {what}");
                Err(Unclear { found, expected: "what current values of state variables determine".into() })
            }
        }
    }
    fn unknown(&self, spot: &Spot<'_>, name: &[u8]) -> Unclear {
        let text = str::from_utf8(name).unwrap_or_default();
        if let Some((_, what)) = self.strangers.get(text) {
            let expected = "current values of state variables only".into();
            return Unclear { found: format!(", {what}"), expected };
        }
        let spell = |name: &[u8]| spell_word(str::from_utf8(name).unwrap_or_default());
        let similar: Vec<String> = similar(name, spot.names.keys().copied()).into_iter().map(spell).collect();
        let advice = match &similar[..] {
            [] if spot.parameters.is_empty() => "there are none here".into(),
            [] => {
                let all: Vec<String> = spot.parameters.iter().map(|(name, _)| spell_word(name)).collect();
                format!("there are {}", some_of(&all, " and "))
            }
            names => format!("is it {}?", names.join(" or ")),
        };
        let what = if self.spots.len() > 1 { "an argument" } else { "a state variable" };
        Unclear { found: String::new(), expected: format!("the name of {what} or a definition ({advice})") }
    }
}

/// The names as a list that is not too long.
fn some_of(names: &[String], last: &str) -> String {
    const MOST: usize = 8;
    match names {
        [first @ .., end] if !first.is_empty() && names.len() <= MOST => {
            format!("{}{last}{end}", first.join(", "))
        }
        _ if names.len() > MOST => format!("{}, ...", names[..MOST].join(", ")),
        _ => names.concat(),
    }
}

impl<'m> Spot<'m> {
    fn new(name: &'m str, parameters: Vec<(&'m str, Term)>, at: Term, is_cover: bool) -> Spot<'m> {
        let mut names: HashMap<&[u8], Vec<Term>> = HashMap::new();
        for (name, variable) in &parameters {
            names.entry(name.as_bytes()).or_default().push(*variable);
        }
        Spot { name, parameters, at, is_cover, names }
    }
    /// The lemma, or the cover, that a formula over its arguments is.
    pub fn lemma(&self, terms: &mut Terms, formula: Term) -> Term {
        if self.is_cover { terms.and(&[self.at, formula]) } else { terms.implies(self.at, formula) }
    }
}

#[cfg(test)]
mod tests {
    use crate::btor2;
    use crate::lemmas::add_word_cover;
    use crate::model::WordModel;
    use indubit_system::Claim;
    use indubit_term::Value;
    use rustc_hash::FxHashMap;

    #[test]
    fn values_have_the_names_of_the_design() {
        let mut model =
            btor2::parse(b"1 sort bitvec 2\n2 sort bitvec 3\n3 state 1 s\n4 state 2 t\n").unwrap();
        let named = |width: u32, values: &[(u32, &str)]| -> FxHashMap<Value, String> {
            values.iter().map(|&(n, name)| (Value::bits(width, n), name.to_owned())).collect()
        };
        let [s, t] = [0, 1].map(|i| model.system.states[i].current);
        model.enumerations.insert(s, named(2, &[(0, "IDLE"), (2, "DONE"), (3, "t")]));
        model.enumerations.insert(t, named(3, &[(0, "IDLE"), (5, "DONE"), (6, "LAST")]));
        let mut model = WordModel::Btor2(Box::new(model));
        let mut said = |cover: &str| {
            add_word_cover(&mut model, cover).map_err(|error| error.to_string())?;
            let property = model.system().properties.last().expect("it was added");
            let Claim::Reachable(goal) = property.claim else { unreachable!("it is a cover") };
            Ok::<String, String>(model.system().terms.display(goal).to_string())
        };
        for (by_name, by_number) in [("s = IDLE", "s = 0"), ("IDLE = t", "t = 0"), ("t = LAST", "t = 6")] {
            assert_eq!(said(by_name), said(by_number));
        }
        // Which of the two? And what is a signal is no value.
        assert!(said("s = DONE").unwrap_err().contains("which the design calls several values"));
        assert!(said("s = LAS").unwrap_err().contains("expected the name of a state variable"));
        assert_eq!(said("t = s"), said("s = t"));
    }
}
