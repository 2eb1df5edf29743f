//! Modules become instances, and declarations variables.

use super::elaborate::{
    Definition, Elaborator, Entry, Instance, MOST_VARIABLES, Target, Tree, VarType, Variable,
};
use super::evaluate::Context;
use super::parser::children;
use super::slips;
use super::syntax::{Declared, Expr, ExprId, Part, Section, Type, Word};
use super::values::{Constant, Encoding, Symbol, Val};
use crate::Error;
use crate::lemmas::similar;
use indubit_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A model has at most so many instances, and they are nested at most so deep.
const MOST_INSTANCES: usize = 1 << 14;
const DEEPEST: usize = 100;

/// Are there numbers without bounds in the file?
pub(super) fn has_unbounded(file: &super::syntax::File) -> bool {
    fn is_unbounded(r#type: &Type) -> bool {
        match r#type {
            Type::Integer | Type::Real | Type::IntegerArray(_) => true,
            Type::Array(_, _, element) | Type::WordArray(_, element) => is_unbounded(element),
            Type::Boolean | Type::Enumeration(_) | Type::Range(..) | Type::Word { .. } => false,
        }
    }
    let parts = file.modules.iter().flat_map(|module| &module.parts);
    let declared = parts.filter_map(|part| match part {
        Part::Variable { declared: Declared::Type(r#type), .. } => Some(r#type),
        _ => None,
    });
    let mut written = file.nodes.iter().filter_map(|node| match &node.expr {
        Expr::Type(r#type) => Some(&**r#type),
        Expr::Real(_) => Some(&Type::Real),
        _ => None,
    });
    let mut declared = declared;
    declared.any(is_unbounded) || written.any(is_unbounded)
}

/// A variable that is declared, in its instance.
struct Declaration {
    instance: usize,
    part: usize,
}

impl Elaborator<'_> {
    /// Whoever asks for a specification by its name means one.
    fn check_names_of_specifications(&self, parts: &[Part]) -> Result<(), Error> {
        let mut seen: FxHashMap<&Word, usize> = FxHashMap::default();
        for part in parts {
            let (Part::Spec { name: Some(name), at, .. } | Part::Compute { name: Some(name), at, .. }) = part
            else {
                continue;
            };
            if let Some(first) = seen.insert(name, *at) {
                let found = format!("a second specification `{name}`");
                let line = self.line(first);
                let expected = format!("another name; the first one is in line {line}");
                return Err(self.error_at(*at, found, expected));
            }
        }
        Ok(())
    }
    /// Make instances of `main` and of what is in it, and variables of what they declare.
    pub fn flatten(&mut self) -> Result<(), Error> {
        let file = self.file.clone();
        let mut modules: FxHashMap<&Word, usize> = FxHashMap::default();
        for (index, module) in file.modules.iter().enumerate() {
            if modules.insert(&module.name, index).is_some() {
                let found = format!("a second module `{}`", module.name);
                return Err(self.error_at(module.at, found, "modules with different names"));
            }
            let mut seen = FxHashSet::default();
            if let Some(twice) = module.parameters.iter().find(|p| !seen.insert(*p)) {
                let found = format!("a second parameter `{twice}`");
                return Err(self.error_at(module.at, found, "parameters with different names"));
            }
            self.check_names_of_specifications(&module.parts)?;
        }
        let Some(&main) = modules.get(&Word::from("main")) else {
            let names: Vec<&str> = file.modules.iter().map(|module| &*module.name).collect();
            let close = slips::meant("main", &names);
            let at = file.modules.iter().find(|module| close == Some(&*module.name)).map(|module| module.at);
            let found = match close {
                Some(close) => format!("module `{close}`, but no module `main`"),
                None => "no module `main`".into(),
            };
            return Err(self.error_at(
                at.unwrap_or(self.text.len()),
                found,
                "one, in which everything else is",
            ));
        };
        if !file.modules[main].parameters.is_empty() {
            let found = "parameters of module `main`";
            return Err(self.error_at(file.modules[main].at, found, "none"));
        }
        for module in &file.modules {
            self.gather_constants(&module.parts);
        }
        let mut declarations = Vec::new();
        self.instance(main, String::new(), None, false, &modules, &mut declarations)?;
        self.define_inside()?;
        if self.names.instances.iter().enumerate().any(|(i, instance)| instance.process != 0 && i != 0) {
            self.make_selector();
        }
        for declaration in declarations {
            self.declare(&declaration)?;
        }
        Ok(())
    }
    /// Definitions of names in other instances: `DEFINE a.b := …`.
    fn define_inside(&mut self) -> Result<(), Error> {
        let file = self.file.clone();
        for scope in 0..self.names.instances.len() {
            for part in &file.modules[self.names.instances[scope].module].parts {
                let Part::Define { inside: Some(inside), name, at, body } = part else { continue };
                let Some(Target::Instance(instance)) = self.target(*inside, scope)? else {
                    return Err(self.error(
                        *inside,
                        self.shown(*inside),
                        "an instance, in which a name is defined",
                    ));
                };
                let definition = self.define(instance, name, *at, *body, scope, false);
                let names = &mut self.names.instances[instance].names;
                if names.insert(name.clone(), Entry::Definition(definition)).is_some() {
                    let found = format!("`{name}`, which is declared already");
                    return Err(self.error_at(*at, found, "names that differ"));
                }
            }
        }
        Ok(())
    }
    fn gather_constants(&mut self, parts: &[Part]) {
        let file = self.file.clone();
        let mut of_type = |r#type: &Type| {
            let mut r#type = r#type;
            while let Type::Array(_, _, element) | Type::WordArray(_, element) | Type::IntegerArray(element) =
                r#type
            {
                r#type = element;
            }
            if let Type::Enumeration(elements) = r#type {
                let names = elements.iter().filter_map(|&e| match file.expr(e) {
                    Expr::Name(name) => Some(name.clone()),
                    _ => None,
                });
                self.names.constants.extend(names);
            }
        };
        for part in parts {
            if let Part::Variable { declared: Declared::Type(r#type), .. } = part {
                of_type(r#type);
            }
        }
        for part in parts {
            if let Part::Constants(names) = part {
                self.names.constants.extend(names.iter().cloned());
            }
        }
    }
    fn instance(
        &mut self,
        module: usize,
        path: String,
        parent: Option<usize>,
        is_process: bool,
        modules: &FxHashMap<&Word, usize>,
        declarations: &mut Vec<Declaration>,
    ) -> Result<usize, Error> {
        let file = self.file.clone();
        let this = self.names.instances.len();
        let depth = parent.map_or(0, |p| self.names.instances[p].depth + 1);
        let process = match parent {
            _ if is_process => this,
            Some(parent) => self.names.instances[parent].process,
            None => 0,
        };
        let names = FxHashMap::default();
        self.names.instances.push(Instance { module, path: path.clone(), parent, depth, process, names });
        for (index, part) in file.modules[module].parts.iter().enumerate() {
            let (name, at, entry) = match part {
                Part::Variable { name, at, declared: Declared::Type(_), .. } => {
                    declarations.push(Declaration { instance: this, part: index });
                    (name, *at, Entry::Variable(Tree::Open))
                }
                Part::Variable {
                    name,
                    at,
                    declared: Declared::Instance { module, module_at, actuals, is_process },
                    ..
                } => {
                    let Some(&child) = modules.get(module) else {
                        let close = similar(module.as_bytes(), modules.keys().map(|n| n.as_bytes()));
                        let advice = close.first().map_or(String::new(), |c| {
                            format!("; did you mean `{}`?", String::from_utf8_lossy(c))
                        });
                        let advice = slips::word(module).unwrap_or(advice);
                        let expected = format!("a type, or the name of a module{advice}");
                        return Err(self.error_at(
                            *module_at,
                            format!("`{module}`, which is no module"),
                            expected,
                        ));
                    };
                    let mut around = Some(this);
                    while let Some(instance) = around {
                        if self.names.instances[instance].module == child {
                            let found = format!("module `{module}` inside itself");
                            return Err(self.error_at(*module_at, found, "no recursion"));
                        }
                        around = self.names.instances[instance].parent;
                    }
                    let parameters = &file.modules[child].parameters;
                    if parameters.len() != actuals.len() {
                        let found = format!("{} parameters of `{module}`", actuals.len());
                        let declared: Vec<&str> = parameters.iter().map(|name| &**name).collect();
                        let expected = match &declared[..] {
                            [] => "none".to_owned(),
                            all => format!("{}: {module}({})", all.len(), all.join(", ")),
                        };
                        return Err(self.error_at(*module_at, found, expected));
                    }
                    if self.names.instances.len() >= MOST_INSTANCES || depth >= DEEPEST {
                        let expected =
                            format!("at most {MOST_INSTANCES} instances, nested at most {DEEPEST} times");
                        return Err(self.error_at(*module_at, "too many instances", expected));
                    }
                    let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
                    let instance =
                        self.instance(child, path, Some(this), *is_process, modules, declarations)?;
                    for (parameter, &actual) in parameters.iter().zip(actuals) {
                        let definition =
                            self.define(instance, parameter, file.node(actual).at, actual, this, true);
                        let names = &mut self.names.instances[instance].names;
                        if names.insert(parameter.clone(), Entry::Definition(definition)).is_some() {
                            let found = format!("`{parameter}`, which is a parameter already");
                            return Err(self.error_at(file.modules[child].at, found, "names that differ"));
                        }
                    }
                    (name, *at, Entry::Instance(instance))
                }
                Part::Define { inside: None, name, at, body } => {
                    let definition = self.define(this, name, *at, *body, this, false);
                    (name, *at, Entry::Definition(definition))
                }
                _ => continue,
            };
            if self.names.instances[this].names.insert(name.clone(), entry).is_some() {
                let found = format!("`{name}`, which is declared already");
                return Err(self.error_at(at, found, "names that differ"));
            }
            if self.names.constants.contains(name) {
                let found = format!("`{name}`, which is a symbol of an enumeration, too");
                return Err(self.error_at(at, found, "names that differ from those of symbols"));
            }
        }
        Ok(this)
    }
    fn define(
        &mut self,
        owner: usize,
        name: &Word,
        at: usize,
        body: ExprId,
        scope: usize,
        is_parameter: bool,
    ) -> usize {
        let path = &self.names.instances[owner].path;
        let name = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        self.names.definitions.push(Definition { name, at, body, scope, is_parameter });
        self.names.definitions.len() - 1
    }
    /// An input that says which process runs.
    fn make_selector(&mut self) {
        let all = self.names.instances.iter().enumerate();
        let processes = all.filter(|(i, instance)| instance.process == *i).map(|(i, _)| i);
        self.names.processes = processes.collect();
        let name = |&process: &usize| match &*self.names.instances[process].path {
            "" => Constant::Name("main".into()),
            path => Constant::Name(path.into()),
        };
        let domain = Arc::new(self.names.processes.iter().map(name).collect::<Vec<_>>());
        let r#type = VarType::Symbols(Arc::clone(&domain));
        let term = self.variable("_process_selector_", &r#type, Section::Ivar);
        self.names.selector = Some(Symbol { term, domain });
    }
    fn declare(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let file = self.file.clone();
        let instance = declaration.instance;
        let module = self.names.instances[instance].module;
        let Part::Variable { section, name, at, declared: Declared::Type(r#type) } =
            &file.modules[module].parts[declaration.part]
        else {
            unreachable!("only variables are declared");
        };
        self.prepare_type(r#type, instance)?;
        let r#type = self.var_type(*at, r#type, instance)?;
        let path = &self.names.instances[instance].path;
        let full = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let tree = self.tree(&full, &r#type, *section, *at)?;
        self.names.instances[instance].names.insert(name.clone(), Entry::Variable(tree));
        Ok(())
    }
    fn prepare_type(&mut self, r#type: &Type, scope: usize) -> Result<(), Error> {
        let cx = Context { scope, next: false };
        match r#type {
            Type::Range(low, high) => {
                self.prepare(*low, cx)?;
                self.prepare(*high, cx)
            }
            Type::Array(low, high, element) => {
                self.prepare(*low, cx)?;
                self.prepare(*high, cx)?;
                self.prepare_type(element, scope)
            }
            Type::Word { width, .. } => self.prepare(*width, cx),
            Type::WordArray(width, element) => {
                self.prepare(*width, cx)?;
                self.prepare_type(element, scope)
            }
            _ => Ok(()),
        }
    }
    fn tree(&mut self, name: &str, r#type: &VarType, section: Section, at: usize) -> Result<Tree, Error> {
        if self.names.variables.len() > MOST_VARIABLES {
            let expected = format!("at most {MOST_VARIABLES}");
            return Err(self.error_at(at, "too many variables", expected));
        }
        match r#type {
            VarType::Elements(low, n, element) => {
                let items: Result<Vec<Tree>, Error> = (0..*n)
                    .map(|i| self.tree(&format!("{name}[{}]", low + i as i64), element, section, at))
                    .collect();
                Ok(Tree::Many(*low, Arc::new(items?)))
            }
            one => {
                self.variable(name, one, section);
                Ok(Tree::One(self.names.variables.len() - 1))
            }
        }
    }
    fn variable(&mut self, name: &str, r#type: &VarType, section: Section) -> Term {
        let sort = r#type.sort(self.encoding);
        let current = self.terms.var(name, sort);
        // What never changes is its own next value, and an input has none.
        let next = match section {
            Section::Var => self.terms.var(&format!("{name}.next"), sort),
            Section::Ivar | Section::Frozen => current,
        };
        let (name, r#type) = (name.to_owned(), r#type.clone());
        let index = self.names.variables.len();
        self.names.by_term.extend([(current, index), (next, index)]);
        self.names.variables.push(Variable { name, r#type, section, current, next });
        current
    }

    // Definitions.

    /// The value of a definition, or its next value.
    pub fn definition(&mut self, index: usize, next: bool) -> Result<Val, Error> {
        if let Some((value, fails)) = self.known.get(&(index, next)).cloned() {
            self.fails = self.terms.or(&[self.fails, fails]);
            return Ok(value);
        }
        let Definition { body, scope, .. } = self.names.definitions[index];
        let outer = std::mem::replace(&mut self.fails, self.never);
        let value = self.value(body, Context { scope, next })?;
        let fails = self.fails;
        self.known.insert((index, next), (value.clone(), fails));
        self.fails = self.terms.or(&[outer, fails]);
        Ok(value)
    }
    /// Look at the definitions that an expression needs, those first that others need: chains of them may be long.
    pub fn prepare(&mut self, root: ExprId, cx: Context) -> Result<(), Error> {
        enum Visit {
            Enter(usize, bool),
            Leave(usize, bool),
        }
        let mut open: FxHashSet<(usize, bool)> = FxHashSet::default();
        let needed = self.needed(root, cx)?;
        let mut visits: Vec<Visit> =
            needed.into_iter().rev().map(|(d, next)| Visit::Enter(d, next)).collect();
        while let Some(visit) = visits.pop() {
            match visit {
                Visit::Enter(index, next) if self.known.contains_key(&(index, next)) => (),
                Visit::Enter(index, next) => {
                    if !open.insert((index, next)) {
                        let Definition { at, name, .. } = &self.names.definitions[index];
                        let found = format!("`{name}`, which is defined by itself");
                        return Err(self.error_at(*at, found, "definitions that are not circular"));
                    }
                    visits.push(Visit::Leave(index, next));
                    let Definition { body, scope, .. } = self.names.definitions[index];
                    let needed = self.needed(body, Context { scope, next })?;
                    visits.extend(needed.into_iter().rev().map(|(d, next)| Visit::Enter(d, next)));
                }
                Visit::Leave(index, next) => {
                    let outer = std::mem::replace(&mut self.fails, self.never);
                    self.definition(index, next)?;
                    self.fails = outer;
                    open.remove(&(index, next));
                }
            }
        }
        Ok(())
    }
    /// The definitions that an expression mentions.
    fn needed(&self, root: ExprId, cx: Context) -> Result<Vec<(usize, bool)>, Error> {
        let mut found = Vec::new();
        let mut open = vec![(root, cx.next)];
        while let Some((id, next)) = open.pop() {
            let expr = self.file.expr(id);
            if let Expr::Name(_) | Expr::Dot(..) = expr {
                if let Some(Target::Definition(index)) = self.target(id, cx.scope)? {
                    found.push((index, next));
                }
                continue;
            }
            let next = next || matches!(expr, Expr::Next(_));
            children(expr, |child| open.push((child, next)));
        }
        Ok(found)
    }
    /// What a variable of a type can be, if its bits can be more.
    pub fn in_type(&mut self, r#type: &VarType, term: Term) -> Term {
        let terms = &mut self.terms;
        let (range, values) = match r#type {
            VarType::Range(range, values) => (range.clone(), values.clone()),
            VarType::Symbols(domain) => (Encoding::codes(domain), None),
            _ => return terms.bool(true),
        };
        if let Some(values) = values {
            let constants: Vec<Term> =
                values.iter().map(|v| self.encoding.constant(terms, v, &range)).collect();
            let any: Vec<Term> = constants.into_iter().map(|c| terms.eq(term, c)).collect();
            return terms.or(&any);
        }
        if !self.encoding.unbounded && range.len().is_some_and(|n| Some(n) == 1u64.checked_shl(range.width()))
        {
            return terms.bool(true);
        }
        let number = super::values::Number { term, range: None };
        if self.encoding.unbounded {
            return self.is_within(&number, &range);
        }
        let width = range.width();
        let everything = super::values::Range::of_words(width, range.is_signed());
        let number = super::values::Number { term, range: Some(everything) };
        self.is_within(&number, &range)
    }
}
