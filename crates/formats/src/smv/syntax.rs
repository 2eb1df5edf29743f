//! What a file of SMV says, before anything is looked up.
//!
//! Expressions are nodes in one list, each after those it is made of.

use indubit_term::{BigInt, BigRational, BigUint};
use std::sync::Arc;

/// A name as it is written.
pub(super) type Word = Arc<str>;

/// The place of an expression in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ExprId(pub u32);

/// Operators of two operands or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    Union,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Concat,
}

/// Temporal operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modal {
    X,
    F,
    G,
    Y,
    Z,
    H,
    O,
    EX,
    AX,
    EF,
    AF,
    EG,
    AG,
}

/// Temporal operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dyad {
    U,
    V,
    S,
    T,
    /// `E [p U q]`.
    EU,
    /// `A [p U q]`.
    AU,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Bool(bool),
    Int(BigInt),
    Real(BigRational),
    Bits {
        signed: bool,
        width: u32,
        value: BigUint,
    },
    Name(Word),
    Itself,
    Dot(ExprId, Word),
    Index(ExprId, ExprId),
    /// `w[high:low]`.
    Slice(ExprId, ExprId, ExprId),
    Not(ExprId),
    Minus(ExprId),
    /// Of the associative ones a chain is one expression.
    Infix(Infix, Vec<ExprId>),
    Choice(ExprId, ExprId, ExprId),
    Case(Vec<(ExprId, ExprId)>),
    Set(Vec<ExprId>),
    Range(ExprId, ExprId),
    Call(Word, Vec<ExprId>),
    Next(ExprId),
    /// A type where an expression stands: `CONSTARRAY(array integer of integer, 0)`.
    Type(Box<Type>),
    /// `[1, 2, 3]`, in a definition.
    List(Vec<ExprId>),
    Modal(Modal, Option<(ExprId, ExprId)>, ExprId),
    Dyad(Dyad, Option<(ExprId, ExprId)>, ExprId, ExprId),
}

/// A node with where it begins and ends.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub expr: Expr,
    /// The operator, or else the beginning.
    pub at: usize,
    pub start: usize,
    pub end: usize,
    /// How deep it is.
    pub depth: u32,
}

/// A type.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Boolean,
    Integer,
    Real,
    Enumeration(Vec<ExprId>),
    Range(ExprId, ExprId),
    Word {
        signed: bool,
        width: ExprId,
    },
    /// `array a..b of T`.
    Array(ExprId, ExprId, Box<Type>),
    /// `array word[n] of T`.
    WordArray(ExprId, Box<Type>),
    /// `array integer of T`.
    IntegerArray(Box<Type>),
}

/// What is declared to be a variable.
#[derive(Clone, Debug)]
pub(super) enum Declared {
    Type(Type),
    Instance { module: Word, module_at: usize, actuals: Vec<ExprId>, is_process: bool },
}

/// Which section a variable is declared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// `VAR`.
    Var,
    /// `IVAR`.
    Ivar,
    /// `FROZENVAR`.
    Frozen,
}

/// What an assignment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum When {
    Now,
    Init,
    Next,
}

/// What a specification claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecKind {
    Invariant,
    Ltl,
    Ctl,
}

/// A part of a module.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Variable {
        section: Section,
        name: Word,
        at: usize,
        declared: Declared,
    },
    Define {
        /// The instance whose name it is, if it is not this one's.
        inside: Option<ExprId>,
        name: Word,
        at: usize,
        body: ExprId,
    },
    Constants(Vec<Word>),
    /// All that is in another module, without parameters.
    Isa(Word, usize),
    Assign {
        when: When,
        target: ExprId,
        value: ExprId,
    },
    Init(ExprId),
    Trans(ExprId),
    Invar(ExprId),
    Fairness(ExprId),
    Compassion(ExprId, ExprId),
    /// How many steps there are between the two, at least or at most.
    Compute {
        is_least: bool,
        name: Option<Word>,
        parts: [ExprId; 2],
        at: usize,
    },
    Spec {
        kind: SpecKind,
        name: Option<Word>,
        body: ExprId,
        at: usize,
    },
}

/// A module.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub name: Word,
    pub at: usize,
    pub parameters: Vec<Word>,
    pub parts: Vec<Part>,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub nodes: Vec<Node>,
    pub modules: Vec<Module>,
}

impl File {
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.node(id).expr
    }
}
