//! Expressions of SMV, by operator precedence.
//!
//! From what binds least: `->` (from the right), `<->`, `? :`, `|` `xor` `xnor`, `&`, temporal operators of two operands, temporal operators of one,
//! comparisons, `in`, `union`, `a..b`, shifts, `+` `-`, `*` `/` `mod`, `::`, and what stands in front: `!` and `-`. So `!a = b` is `(!a) = b`,
//! and `G x = 1` is `G (x = 1)`.

use super::lexer::Token;
use super::parser::Parser;
use super::syntax::{Dyad, Expr, ExprId, Infix, Modal};
use crate::Error;

/// No expression is nested deeper.
pub(super) const MOST_NESTED: u32 = 500;

const IMPLIES: u8 = 1;
const IFF: u8 = 2;
const CHOICE: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const DYAD: u8 = 6;
const MODAL: u8 = 7;
const COMPARISON: u8 = 8;
const IN: u8 = 9;
const UNION: u8 = 10;
const RANGE: u8 = 11;
const SHIFT: u8 = 12;
const SUM: u8 = 13;
const PRODUCT: u8 = 14;
const CONCAT: u8 = 15;

/// An operator between operands.
enum Between {
    Infix(Infix),
    Dyad(Dyad),
    Range,
    Choice,
}

fn between(token: &Token) -> Option<(Between, u8)> {
    // Other tools call release so.
    if matches!(token, Token::Name(name) if &**name == "R") {
        return Some((Between::Dyad(Dyad::V), DYAD));
    }
    let (Token::Sign(text) | Token::Word(text)) = token else { return None };
    let (infix, level) = match *text {
        "->" => (Infix::Implies, IMPLIES),
        "<->" => (Infix::Iff, IFF),
        "?" => return Some((Between::Choice, CHOICE)),
        "|" => (Infix::Or, OR),
        "xor" => (Infix::Xor, OR),
        "xnor" => (Infix::Xnor, OR),
        "&" => (Infix::And, AND),
        "U" => return Some((Between::Dyad(Dyad::U), DYAD)),
        "V" => return Some((Between::Dyad(Dyad::V), DYAD)),
        "S" => return Some((Between::Dyad(Dyad::S), DYAD)),
        "T" => return Some((Between::Dyad(Dyad::T), DYAD)),
        "=" => (Infix::Eq, COMPARISON),
        "!=" => (Infix::Ne, COMPARISON),
        "<" => (Infix::Lt, COMPARISON),
        "<=" => (Infix::Le, COMPARISON),
        ">" => (Infix::Gt, COMPARISON),
        ">=" => (Infix::Ge, COMPARISON),
        "in" => (Infix::In, IN),
        "union" => (Infix::Union, UNION),
        ".." => return Some((Between::Range, RANGE)),
        "<<" => (Infix::Shl, SHIFT),
        ">>" => (Infix::Shr, SHIFT),
        "+" => (Infix::Add, SUM),
        "-" => (Infix::Sub, SUM),
        "*" => (Infix::Mul, PRODUCT),
        "/" => (Infix::Div, PRODUCT),
        "mod" => (Infix::Mod, PRODUCT),
        "::" => (Infix::Concat, CONCAT),
        _ => return None,
    };
    Some((Between::Infix(infix), level))
}

fn modal(word: &str) -> Option<Modal> {
    Some(match word {
        "X" => Modal::X,
        "F" => Modal::F,
        "G" => Modal::G,
        "Y" => Modal::Y,
        "Z" => Modal::Z,
        "H" => Modal::H,
        "O" => Modal::O,
        "EX" => Modal::EX,
        "AX" => Modal::AX,
        "EF" | "EBF" => Modal::EF,
        "AF" | "ABF" => Modal::AF,
        "EG" | "EBG" => Modal::EG,
        "AG" | "ABG" => Modal::AG,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression.
    pub fn expression(&mut self) -> Result<ExprId, Error> {
        self.above(IMPLIES)
    }
    /// What can be a bound of a range.
    pub fn bound(&mut self) -> Result<ExprId, Error> {
        self.above(SHIFT)
    }
    /// An expression whose operators bind at least so much.
    fn above(&mut self, least: u8) -> Result<ExprId, Error> {
        self.enter()?;
        let mut left = self.operand()?;
        while let Some((operator, level)) = between(&self.peek().token) {
            if level < least || (self.in_path_formula && matches!(operator, Between::Dyad(Dyad::U))) {
                break;
            }
            let at = self.next().start;
            left = match operator {
                Between::Infix(Infix::Implies) => {
                    let right = self.above(IMPLIES)?;
                    self.infix(Infix::Implies, left, right, at)?
                }
                Between::Infix(infix) => {
                    let right = self.above(level + 1)?;
                    self.infix(infix, left, right, at)?
                }
                Between::Dyad(dyad) => {
                    let right = self.above(MODAL)?;
                    self.make(Expr::Dyad(dyad, None, left, right), at)?
                }
                Between::Range => {
                    let right = self.above(SHIFT)?;
                    self.make(Expr::Range(left, right), at)?
                }
                Between::Choice => {
                    let yes = self.outside_paths(Parser::expression)?;
                    self.expect(":", "of `? :`")?;
                    let no = self.above(CHOICE)?;
                    self.make(Expr::Choice(left, yes, no), at)?
                }
            };
        }
        self.leave();
        Ok(left)
    }
    /// A chain of an associative operator is one expression.
    fn infix(&mut self, infix: Infix, left: ExprId, right: ExprId, at: usize) -> Result<ExprId, Error> {
        let is_chain = matches!(infix, Infix::And | Infix::Or | Infix::Add | Infix::Union | Infix::Concat);
        let is_whole = !self.is_in_parentheses(left);
        if let Expr::Infix(same, operands) = &mut self.file.nodes[left.0 as usize].expr
            && is_chain
            && is_whole
            && *same == infix
        {
            operands.push(right);
            return self.grown(left, right);
        }
        self.make(Expr::Infix(infix, vec![left, right]), at)
    }
    fn operand(&mut self) -> Result<ExprId, Error> {
        let at = self.peek().start;
        match self.peek().token.clone() {
            Token::Sign(sign @ ("!" | "-")) => {
                self.next();
                self.enter()?;
                let is_temporal = matches!(self.peek().token, Token::Word(word) if modal(word).is_some() || matches!(word, "A" | "E"));
                let operand = if is_temporal && sign == "!" { self.temporal()? } else { self.operand()? };
                self.leave();
                let made = if sign == "!" { Expr::Not(operand) } else { Expr::Minus(operand) };
                self.make_from(made, at, at)
            }
            Token::Word(word) if modal(word).is_some() || matches!(word, "A" | "E") => self.temporal(),
            _ => self.postfix(),
        }
    }
    /// A temporal operator with its operand, which is temporal or a comparison.
    fn temporal(&mut self) -> Result<ExprId, Error> {
        let at = self.peek().start;
        let Token::Word(word) = self.peek().token else { return self.postfix() };
        let Some(operator) = modal(word) else { return self.path_formula() };
        self.next();
        let bounds = match word {
            "EBF" | "ABF" | "EBG" | "ABG" => Some(self.steps()?),
            "F" | "G" | "H" | "O" if self.is_sign("[") => {
                self.next();
                let from = self.bound()?;
                self.expect(",", "between the bounds of a temporal operator")?;
                let to = self.bound()?;
                self.expect("]", "behind the bounds of a temporal operator")?;
                Some((from, to))
            }
            _ => None,
        };
        let operand = self.above(MODAL)?;
        self.make_from(Expr::Modal(operator, bounds, operand), at, at)
    }
    /// `a..b`.
    fn steps(&mut self) -> Result<(ExprId, ExprId), Error> {
        let from = self.bound()?;
        self.expect("..", "between the bounds of a temporal operator")?;
        Ok((from, self.bound()?))
    }
    /// `E [p U q]`, `A [p BU a..b q]`.
    fn path_formula(&mut self) -> Result<ExprId, Error> {
        let at = self.peek().start;
        let dyad = if self.is_word("A") { Dyad::AU } else { Dyad::EU };
        self.next();
        self.expect("[", "behind a quantifier over paths, as in A [p U q]")?;
        let outer = std::mem::replace(&mut self.in_path_formula, true);
        let left = self.expression()?;
        let bounds = if self.is_word("BU") {
            self.next();
            Some(self.steps()?)
        } else if self.is_word("U") {
            self.next();
            None
        } else {
            return Err(self.unexpected("`U` or `BU`, as in A [p U q]"));
        };
        let right = self.expression()?;
        self.in_path_formula = outer;
        self.expect("]", "behind what is quantified over paths")?;
        self.make_from(Expr::Dyad(dyad, bounds, left, right), at, at)
    }
    /// `U` belongs to `A [p U q]` only directly inside the brackets.
    fn outside_paths<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let outer = std::mem::replace(&mut self.in_path_formula, false);
        let result = inner(self);
        self.in_path_formula = outer;
        result
    }
    /// Something with its fields, elements and bits.
    pub fn postfix(&mut self) -> Result<ExprId, Error> {
        let start = self.peek().start;
        let mut base = self.primary()?;
        loop {
            let at = self.peek().start;
            if self.is_sign(".") {
                self.next();
                let field = self.name("the name of something in an instance")?;
                base = self.make_from(Expr::Dot(base, field), at, start)?;
            } else if self.is_sign("[") {
                self.next();
                let first = self.outside_paths(Parser::expression)?;
                if self.is_sign(":") {
                    self.next();
                    let low = self.outside_paths(Parser::expression)?;
                    self.expect("]", "behind the bits of a word")?;
                    base = self.make_from(Expr::Slice(base, first, low), at, start)?;
                } else {
                    self.expect("]", "behind an index")?;
                    base = self.make_from(Expr::Index(base, first), at, start)?;
                }
            } else {
                return Ok(base);
            }
        }
    }
    fn primary(&mut self) -> Result<ExprId, Error> {
        let at = self.peek().start;
        let simple = match self.peek().token.clone() {
            Token::Int(number) => Some(Expr::Int(number)),
            Token::Real(number) => Some(Expr::Real(number)),
            Token::Bits { signed, width, value } => Some(Expr::Bits { signed, width, value }),
            Token::Word("TRUE") => Some(Expr::Bool(true)),
            Token::Word("FALSE") => Some(Expr::Bool(false)),
            Token::Word("self") => Some(Expr::Itself),
            _ => None,
        };
        if let Some(simple) = simple {
            self.next();
            return self.make_from(simple, at, at);
        }
        match self.peek().token.clone() {
            Token::Name(name) => {
                self.next();
                if !self.is_sign("(") {
                    return self.make_from(Expr::Name(name), at, at);
                }
                let arguments = self.arguments()?;
                self.make_from(Expr::Call(name, arguments), at, at)
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.outside_paths(Parser::expression)?;
                self.expect(")", "that closes the parenthesis")?;
                self.set_parentheses(inner, at);
                Ok(inner)
            }
            Token::Word("next") => {
                self.next();
                self.expect("(", "behind `next`")?;
                let inner = self.outside_paths(Parser::expression)?;
                self.expect(")", "that closes `next(`")?;
                self.make_from(Expr::Next(inner), at, at)
            }
            Token::Word("case") => self.case(),
            Token::Sign("{") => {
                self.next();
                let elements = self.list("}", "a set")?;
                self.make_from(Expr::Set(elements), at, at)
            }
            Token::Sign("[") => {
                self.next();
                let elements = self.list("]", "an array")?;
                self.make_from(Expr::List(elements), at, at)
            }
            Token::Word("array" | "boolean" | "integer" | "real" | "word") => {
                let r#type = self.r#type()?;
                self.make_from(Expr::Type(Box::new(r#type)), at, at)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }
    /// Expressions between commas up to `end`, at least one.
    fn list(&mut self, end: &'static str, what: &str) -> Result<Vec<ExprId>, Error> {
        let mut elements = vec![self.outside_paths(Parser::expression)?];
        while self.is_sign(",") {
            self.next();
            elements.push(self.outside_paths(Parser::expression)?);
        }
        self.expect(end, &format!("or `,` in {what}"))?;
        Ok(elements)
    }
    /// `(a, b)`, or `()`.
    pub fn arguments(&mut self) -> Result<Vec<ExprId>, Error> {
        self.expect("(", "before arguments")?;
        if self.is_sign(")") {
            self.next();
            return Ok(Vec::new());
        }
        self.list(")", "a list of arguments")
    }
    fn case(&mut self) -> Result<ExprId, Error> {
        let at = self.next().start;
        let mut branches = Vec::new();
        while !self.is_word("esac") {
            if self.is_section() {
                let line = self.line(at);
                return Err(self.unexpected(&format!("`esac`, which ends the `case` of line {line}")));
            }
            let condition = self.outside_paths(Parser::expression)?;
            self.expect(":", "behind a condition of `case`")?;
            let value = self.outside_paths(Parser::expression)?;
            self.expect(";", "behind a value of `case`")?;
            branches.push((condition, value));
        }
        if branches.is_empty() {
            return Err(self.unexpected("a condition and a value in `case`"));
        }
        self.next();
        self.make_from(Expr::Case(branches), at, at)
    }
}
