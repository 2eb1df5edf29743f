//! Modules of SMV and what is in them.

use super::expressions::MOST_NESTED;
use super::lexer::{Spot, Token, tokens};
use super::slips;
use super::syntax::{Declared, Expr, ExprId, File, Module, Node, Part, Section, SpecKind, Type, When, Word};
use crate::error::show;
use crate::{Error, Place};

/// The words that begin a section.
#[rustfmt::skip]
const SECTIONS: &[&str] = &[
    "MODULE", "VAR", "IVAR", "FROZENVAR", "DEFINE", "CONSTANTS", "ASSIGN", "INIT", "TRANS", "INVAR", "FAIRNESS", "JUSTICE", "COMPASSION", "INVARSPEC",
    "LTLSPEC", "CTLSPEC", "SPEC", "ISA", "COMPUTE",
];

/// What stands between tokens and the syntax.
pub(super) struct Parser<'t> {
    text: &'t [u8],
    tokens: Vec<Spot>,
    at: usize,
    pub file: File,
    /// How many expressions are open.
    open: u32,
    /// Expressions that stand in parentheses.
    parenthesized: Vec<bool>,
    /// Directly inside `A [ … ]`, where `U` is no operator of linear temporal logic.
    pub in_path_formula: bool,
}

/// A whole file.
pub(super) fn file(text: &[u8]) -> Result<File, Error> {
    let mut parser = Parser::new(text)?;
    while parser.peek().token != Token::End {
        parser.module()?;
    }
    parser.inherit()?;
    Ok(parser.file)
}

/// All modules together have at most so many parts.
const MOST_PARTS: usize = 1 << 20;

/// One expression and nothing else, added to those of a file.
pub(super) fn alone(text: &[u8], file: File) -> Result<(File, ExprId), Error> {
    let mut parser = Parser::new(text)?;
    parser.parenthesized = vec![false; file.nodes.len()];
    parser.file = file;
    let root = parser.expression()?;
    if parser.is_sign(";") {
        parser.next();
    }
    match parser.peek().token {
        Token::End => Ok((parser.file, root)),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

impl<'t> Parser<'t> {
    fn new(text: &'t [u8]) -> Result<Parser<'t>, Error> {
        let (file, parenthesized) = Default::default();
        let tokens = tokens(text)?;
        Ok(Parser { text, tokens, at: 0, file, open: 0, parenthesized, in_path_formula: false })
    }
    /// The token that is next, which is the end behind the last one.
    pub fn peek(&self) -> &Spot {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }
    fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].token
    }
    pub fn next(&mut self) -> Spot {
        let spot = self.peek().clone();
        self.at += 1;
        spot
    }
    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().token, Token::Sign(other) if other == sign)
    }
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek().token, Token::Word(other) if other == word)
    }
    /// Does a section begin here, or has the file ended?
    pub fn is_section(&self) -> bool {
        match self.peek().token {
            Token::Word(word) => SECTIONS.contains(&word),
            Token::End => true,
            _ => false,
        }
    }
    /// The line of a place.
    pub fn line(&self, at: usize) -> usize {
        Place::in_text(self.text, at).line()
    }
    fn is_name(&self, name: &str) -> bool {
        matches!(&self.peek().token, Token::Name(other) if **other == *name)
    }
    /// The error that something else is expected here.
    pub fn unexpected(&self, expected: &str) -> Error {
        let spot = self.peek();
        let found = match &spot.token {
            Token::End => "the end of the file".into(),
            Token::Word(word) => format!("`{word}`"),
            _ => show(&self.text[spot.start..spot.end]),
        };
        let reserved = matches!(&spot.token, Token::Word(_)) && expected.contains("name");
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let advice = match reserved {
            true => Some("; this word is reserved".into()),
            false => slips::advice(self.text, before, spot),
        };
        let expected = format!("{expected}{}", advice.unwrap_or_default());
        Error::new(Place::in_text(self.text, spot.start), found, expected)
    }
    pub fn expect(&mut self, sign: &'static str, why: &str) -> Result<(), Error> {
        match self.is_sign(sign) {
            true => {
                self.next();
                Ok(())
            }
            false => Err(self.unexpected(&format!("`{sign}` {why}"))),
        }
    }
    pub fn name(&mut self, what: &str) -> Result<Word, Error> {
        match self.peek().token.clone() {
            Token::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }
    pub fn enter(&mut self) -> Result<(), Error> {
        self.open += 1;
        if self.open > MOST_NESTED { Err(self.too_deep(self.peek().start)) } else { Ok(()) }
    }
    pub fn leave(&mut self) {
        self.open -= 1;
    }
    fn too_deep(&self, at: usize) -> Error {
        let found = format!("an expression nested more than {MOST_NESTED} times");
        let expected = "parts of it in `DEFINE`";
        Error::new(Place::in_text(self.text, at), found, expected)
    }
    /// A new expression whose operator is at a place, and which begins with its first operand.
    pub fn make(&mut self, expr: Expr, at: usize) -> Result<ExprId, Error> {
        let first = match &expr {
            Expr::Infix(_, operands) => operands[0],
            Expr::Dyad(_, _, first, _) | Expr::Range(first, _) | Expr::Choice(first, ..) => *first,
            _ => unreachable!("only operators between operands are made so"),
        };
        let start = self.file.node(first).start;
        self.make_from(expr, at, start)
    }
    pub fn make_from(&mut self, expr: Expr, at: usize, start: usize) -> Result<ExprId, Error> {
        let mut below = 0;
        children(&expr, |child| below = below.max(self.file.node(child).depth));
        let depth = below + 1;
        if depth > MOST_NESTED {
            return Err(self.too_deep(at));
        }
        let end = self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].end;
        self.file.nodes.push(Node { expr, at, start, end, depth });
        self.parenthesized.push(false);
        Ok(ExprId(self.file.nodes.len() as u32 - 1))
    }
    /// An expression that has got one more operand.
    pub fn grown(&mut self, whole: ExprId, part: ExprId) -> Result<ExprId, Error> {
        let (depth, end) = (self.file.node(part).depth + 1, self.file.node(part).end);
        let node = &mut self.file.nodes[whole.0 as usize];
        (node.depth, node.end) = (node.depth.max(depth), end);
        if node.depth > MOST_NESTED { Err(self.too_deep(self.file.node(part).at)) } else { Ok(whole) }
    }
    pub fn is_in_parentheses(&self, id: ExprId) -> bool {
        self.parenthesized[id.0 as usize]
    }
    /// What is in parentheses is one operand, and begins and ends with them.
    pub fn set_parentheses(&mut self, id: ExprId, start: usize) {
        self.parenthesized[id.0 as usize] = true;
        let node = &mut self.file.nodes[id.0 as usize];
        (node.start, node.end) = (start, self.tokens[self.at.saturating_sub(1)].end);
    }

    fn module(&mut self) -> Result<(), Error> {
        if !self.is_word("MODULE") {
            return Err(self.unexpected("`MODULE`"));
        }
        self.next();
        let at = self.peek().start;
        let name = self.name("the name of a module")?;
        let mut parameters = Vec::new();
        if self.is_sign("(") {
            self.next();
            while !self.is_sign(")") {
                parameters.push(self.name("the name of a parameter")?);
                if !self.is_sign(")") {
                    self.expect(",", "or `)` behind a parameter")?;
                }
            }
            self.next();
        }
        let mut parts = Vec::new();
        while !self.is_word("MODULE") && self.peek().token != Token::End {
            self.section(&mut parts)?;
        }
        self.file.modules.push(Module { name, at, parameters, parts });
        Ok(())
    }
    /// `ISA m` stands for all that is in module `m`.
    fn inherit(&mut self) -> Result<(), Error> {
        let is_isa = |part: &Part| matches!(part, Part::Isa(..));
        // Each round copies what has no `ISA` itself; who is left then is in a circle.
        loop {
            let modules = &self.file.modules;
            let open = |module: &Module| module.parts.iter().any(is_isa);
            let Some(first) = modules.iter().position(open) else { return Ok(()) };
            let error = |at: usize, found: String, expected: &str| {
                Err(Error::new(Place::in_text(self.text, at), found, expected))
            };
            let mut changed = None;
            for (index, module) in modules.iter().enumerate() {
                let Some(place) = module.parts.iter().position(is_isa) else { continue };
                let Part::Isa(name, at) = &module.parts[place] else { unreachable!("it is one") };
                let Some(other) = modules.iter().find(|m| m.name == *name) else {
                    return error(*at, format!("`{name}`, which is no module"), "the name of a module");
                };
                if !other.parameters.is_empty() {
                    return error(*at, format!("module `{name}`, which has parameters"), "one without");
                }
                if !open(other) {
                    changed = Some((index, place, other.parts.clone()));
                    break;
                }
            }
            let n_parts: usize = modules.iter().map(|m| m.parts.len()).sum();
            let Some((index, place, parts)) = changed.filter(|_| n_parts <= MOST_PARTS) else {
                return error(
                    modules[first].at,
                    "modules that are made of each other by `ISA`".into(),
                    "no circle",
                );
            };
            self.file.modules[index].parts.splice(place..=place, parts);
        }
    }
    /// The error that no section begins here, behind a part of the module.
    fn no_section(&self, token: &Token, before: Option<&Part>) -> Error {
        let section = "a section such as `VAR`, `ASSIGN` or `INVARSPEC`";
        let is_assigned = *token == Token::Sign(":=");
        self.unexpected(&match (token, before) {
            (Token::Name(name), _) if slips::meant(name, SECTIONS).is_some() => {
                format!("{section}; did you mean `{}`?", slips::meant(name, SECTIONS).unwrap_or_default())
            }
            (_, Some(Part::Spec { name: None, .. })) if is_assigned => {
                "a specification, which has its name as in `NAME live := G F x`".into()
            }
            (_, Some(Part::Init(_) | Part::Trans(_) | Part::Invar(_))) if is_assigned => {
                "`=`, which compares; `:=` stands in `ASSIGN` and `DEFINE`".into()
            }
            (Token::Word("init" | "next"), _) => format!("{section}; assignments stand in `ASSIGN`"),
            _ => section.into(),
        })
    }
    /// The error that a name that begins a line of a section is followed by something else than it should be: it may be the next section, mistyped.
    fn expect_after(
        &mut self,
        name: Option<(&str, usize)>,
        sign: &'static str,
        why: &str,
    ) -> Result<(), Error> {
        let is_entry = self.is_sign(":") || self.is_sign(":=") || self.is_sign("=");
        let meant = name
            .filter(|_| !is_entry && !self.is_sign(","))
            .and_then(|(name, at)| Some((slips::meant(name, SECTIONS)?, at)));
        match (meant, name) {
            (Some((meant, at)), Some((name, _))) => {
                let found = format!("`{name}`, which begins no section");
                Err(Error::new(
                    Place::in_text(self.text, at),
                    found,
                    format!("`{meant}`, if that is meant, or `{sign}` after a name"),
                ))
            }
            _ => self.expect(sign, why),
        }
    }
    fn section(&mut self, parts: &mut Vec<Part>) -> Result<(), Error> {
        let word = match &self.peek().token {
            Token::Word(word) => *word,
            token => return Err(self.no_section(token, parts.last())),
        };
        let refused = match word {
            "PSLSPEC" => Some("`LTLSPEC` or `INVARSPEC`: formulas of PSL are not supported"),
            "MDEFINE" => Some("`DEFINE`: `MDEFINE` is not supported"),
            "MIRROR" | "PRED" | "PREDICATES" | "CONSTRAINT" | "PARSYNTH" => {
                Some("another section: this one is not supported")
            }
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(self.unexpected(refused));
        }
        if !SECTIONS.contains(&word) {
            return Err(self.no_section(&Token::Word(word), parts.last()));
        }
        let at = self.next().start;
        match word {
            "VAR" => self.variables(Section::Var, parts)?,
            "IVAR" => self.variables(Section::Ivar, parts)?,
            "FROZENVAR" => self.variables(Section::Frozen, parts)?,
            "DEFINE" => {
                while let Token::Name(_) = self.peek().token {
                    let at = self.peek().start;
                    let target = self.postfix()?;
                    let (inside, name) = match self.file.expr(target).clone() {
                        Expr::Name(name) => (None, name),
                        Expr::Dot(instance, name) => (Some(instance), name),
                        _ => {
                            let expected = "a name, or that of something in an instance";
                            return Err(Error::new(
                                Place::in_text(self.text, at),
                                "what cannot be defined",
                                expected,
                            ));
                        }
                    };
                    let first = inside.is_none().then_some((&*name, at));
                    self.expect_after(first, ":=", "behind the name of a definition")?;
                    let body = self.expression()?;
                    self.expect(";", "behind a definition")?;
                    parts.push(Part::Define { inside, name, at, body });
                }
            }
            "CONSTANTS" => {
                let mut names = Vec::new();
                while !self.is_sign(";") {
                    match self.peek().token {
                        Token::Int(_) => drop(self.next()),
                        _ => names.push(self.name("the name of a constant")?),
                    }
                    if !self.is_sign(";") {
                        self.expect(",", "or `;` behind a constant")?;
                    }
                }
                self.next();
                parts.push(Part::Constants(names));
            }
            "ASSIGN" => self.assignments(parts)?,
            "ISA" => {
                let at = self.peek().start;
                let module = self.name("the name of a module")?;
                self.optional_semicolon();
                parts.push(Part::Isa(module, at));
            }
            "COMPASSION" => {
                self.expect("(", "behind `COMPASSION`")?;
                let first = self.expression()?;
                self.expect(",", "between the two formulas of `COMPASSION`")?;
                let second = self.expression()?;
                self.expect(")", "behind the two formulas of `COMPASSION`")?;
                self.optional_semicolon();
                parts.push(Part::Compassion(first, second));
            }
            "COMPUTE" => {
                let name = self.spec_name()?;
                let is_least = self.is_word("MIN");
                if !self.is_word("MIN") && !self.is_word("MAX") {
                    return Err(self.unexpected("`MIN` or `MAX` behind `COMPUTE`"));
                }
                self.next();
                self.expect("[", "behind `MIN` or `MAX`")?;
                let first = self.expression()?;
                self.expect(",", "between the two formulas of `COMPUTE`")?;
                let second = self.expression()?;
                self.expect("]", "behind the two formulas of `COMPUTE`")?;
                self.optional_semicolon();
                parts.push(Part::Compute { is_least, name, parts: [first, second], at });
            }
            "INVARSPEC" | "LTLSPEC" | "CTLSPEC" | "SPEC" => {
                let kind = match word {
                    "INVARSPEC" => SpecKind::Invariant,
                    "LTLSPEC" => SpecKind::Ltl,
                    _ => SpecKind::Ctl,
                };
                let name = self.spec_name()?;
                let body = self.expression()?;
                self.optional_semicolon();
                parts.push(Part::Spec { kind, name, body, at });
            }
            _ => {
                let body = self.expression()?;
                self.optional_semicolon();
                parts.push(match word {
                    "INIT" => Part::Init(body),
                    "TRANS" => Part::Trans(body),
                    "INVAR" => Part::Invar(body),
                    _ => Part::Fairness(body),
                });
            }
        }
        Ok(())
    }
    /// `NAME n :=`, if it is there.
    fn spec_name(&mut self) -> Result<Option<Word>, Error> {
        if !self.is_word("NAME") {
            return Ok(None);
        }
        self.next();
        let name = self.name("the name of a specification")?;
        self.expect(":=", "behind the name of a specification")?;
        Ok(Some(name))
    }
    fn optional_semicolon(&mut self) {
        if self.is_sign(";") {
            self.next();
        }
    }
    fn variables(&mut self, section: Section, parts: &mut Vec<Part>) -> Result<(), Error> {
        while let Token::Name(_) = self.peek().token {
            let at = self.peek().start;
            let name = self.name("the name of a variable")?;
            self.expect_after(Some((&*name, at)), ":", "behind the name of a variable")?;
            let declared = self.declared(section)?;
            self.expect(";", "behind a declaration")?;
            parts.push(Part::Variable { section, name, at, declared });
        }
        Ok(())
    }
    fn declared(&mut self, section: Section) -> Result<Declared, Error> {
        let is_process = self.is_word("process");
        if is_process {
            self.next();
        }
        let is_instance = match (self.ahead(0), self.ahead(1)) {
            (Token::Name(name), Token::Word("word")) if matches!(&**name, "signed" | "unsigned") => false,
            (Token::Name(_), Token::Sign(";" | "(")) => true,
            _ => is_process,
        };
        if !is_instance {
            return self.r#type().map(Declared::Type);
        }
        if section != Section::Var {
            return Err(self.unexpected("a type, for instances of modules stand in `VAR`"));
        }
        let module_at = self.peek().start;
        let module = self.name("the name of a module")?;
        let actuals = if self.is_sign("(") { self.arguments()? } else { Vec::new() };
        Ok(Declared::Instance { module, module_at, actuals, is_process })
    }
    pub fn r#type(&mut self) -> Result<Type, Error> {
        self.enter()?;
        let found = self.type_inside();
        self.leave();
        found
    }
    fn type_inside(&mut self) -> Result<Type, Error> {
        let is_signed = self.is_name("signed");
        if is_signed || self.is_name("unsigned") {
            self.next();
            if !self.is_word("word") {
                return Err(self.unexpected("`word[N]`"));
            }
        }
        let Token::Word(word) = self.peek().token else {
            if self.is_sign("{") {
                self.next();
                let mut elements = Vec::new();
                loop {
                    elements.push(self.bound_or_range()?);
                    if !self.is_sign(",") {
                        break;
                    }
                    self.next();
                }
                self.expect("}", "or `,` in an enumeration")?;
                return Ok(Type::Enumeration(elements));
            }
            let low = self.bound()?;
            self.expect("..", "in a range such as 0..7")?;
            return Ok(Type::Range(low, self.bound()?));
        };
        match word {
            "boolean" => self.next_is(Type::Boolean),
            "integer" => self.next_is(Type::Integer),
            "real" => self.next_is(Type::Real),
            "word" => {
                let width = self.width()?;
                Ok(Type::Word { signed: is_signed, width })
            }
            "array" => {
                self.next();
                if self.is_word("word") {
                    let width = self.width()?;
                    return Ok(Type::WordArray(width, Box::new(self.element()?)));
                }
                if self.is_word("integer") {
                    self.next();
                    return Ok(Type::IntegerArray(Box::new(self.element()?)));
                }
                let low = self.bound()?;
                self.expect("..", "in the bounds of an array")?;
                let high = self.bound()?;
                Ok(Type::Array(low, high, Box::new(self.element()?)))
            }
            "clock" => Err(self.unexpected("another type: clocks are not supported")),
            _ => Err(self.unexpected("a type")),
        }
    }
    fn next_is(&mut self, r#type: Type) -> Result<Type, Error> {
        self.next();
        Ok(r#type)
    }
    fn element(&mut self) -> Result<Type, Error> {
        if !self.is_word("of") {
            return Err(self.unexpected("`of` and the type of the elements"));
        }
        self.next();
        self.r#type()
    }
    /// `word [ N ]`.
    fn width(&mut self) -> Result<ExprId, Error> {
        self.next();
        self.expect("[", "and a width behind `word`")?;
        let width = self.expression()?;
        self.expect("]", "behind the width of a word")?;
        Ok(width)
    }
    fn bound_or_range(&mut self) -> Result<ExprId, Error> {
        let low = self.bound()?;
        if !self.is_sign("..") {
            return Ok(low);
        }
        let at = self.next().start;
        let high = self.bound()?;
        self.make(Expr::Range(low, high), at)
    }
    fn assignments(&mut self, parts: &mut Vec<Part>) -> Result<(), Error> {
        loop {
            let when = match self.peek().token {
                Token::Word("init") => When::Init,
                Token::Word("next") => When::Next,
                Token::Name(_) | Token::Word("self") => When::Now,
                _ => return Ok(()),
            };
            let at = self.peek().start;
            let mut first = None;
            let target = if when == When::Now {
                let target = self.postfix()?;
                if let Expr::Name(name) = self.file.expr(target) {
                    first = Some(name.clone());
                }
                target
            } else {
                self.next();
                self.expect("(", "and a variable")?;
                let target = self.postfix()?;
                self.expect(")", "behind the variable that is assigned")?;
                target
            };
            self.expect_after(first.as_deref().map(|name| (name, at)), ":=", "in an assignment")?;
            let value = self.expression()?;
            self.expect(";", "behind an assignment")?;
            parts.push(Part::Assign { when, target, value });
        }
    }
}

/// The expressions that one is made of.
pub(super) fn children(expr: &Expr, mut each: impl FnMut(ExprId)) {
    match expr {
        Expr::Bool(_)
        | Expr::Int(_)
        | Expr::Real(_)
        | Expr::Bits { .. }
        | Expr::Name(_)
        | Expr::Itself
        | Expr::Type(_) => (),
        Expr::Dot(a, _) | Expr::Not(a) | Expr::Minus(a) | Expr::Next(a) => each(*a),
        Expr::Index(a, b) | Expr::Range(a, b) => [*a, *b].into_iter().for_each(each),
        Expr::Slice(a, b, c) | Expr::Choice(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
        Expr::Infix(_, all) | Expr::Set(all) | Expr::Call(_, all) | Expr::List(all) => {
            all.iter().copied().for_each(each);
        }
        Expr::Case(branches) => branches.iter().flat_map(|&(a, b)| [a, b]).for_each(each),
        Expr::Modal(_, bounds, a) => {
            bounds.iter().flat_map(|&(x, y)| [x, y]).chain([*a]).for_each(each);
        }
        Expr::Dyad(_, bounds, a, b) => {
            bounds.iter().flat_map(|&(x, y)| [x, y]).chain([*a, *b]).for_each(each);
        }
    }
}
