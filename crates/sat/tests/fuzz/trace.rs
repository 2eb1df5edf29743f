//! Calls of a solver as data, and as text that can be pasted into a file of `tests/regressions/`.
//!
//! The first line of the text says which solver and how it is tuned, then comes one call a line:
//!
//! ```text
//! solver rel order buckets restart 1 eliminate off seed 0 reduce 0 glue 0 waste 0 part 99 poll 1 simplify 1
//! clause 1 -2            add a clause
//! and 3 1 -2             define 3 as the conjunction of 1 and -2
//! solve -3 1             solve under assumptions
//! with 1 2 : -3          the same, with a temporary clause before the colon
//! unassign 1 4           after a model: which of these leaves do not matter?
//! limit 50               give up on each query after 50 ticks; `limit off` ends that
//! clone                  go on with a clone
//! switch 1               go on with solver 1: 0 is the first one, 1 its first clone
//! cancel 3               raise the flag, after so many derivations where they can be counted
//! ```

use indubit_sat::{OrderKind, RestartKind, Tuning};
use std::fmt;

/// A literal: a variable from 1 on, negative for its negation.
pub type Number = i32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Clause(Vec<Number>),
    And([Number; 3]),
    Solve {
        temporary: Option<Vec<Number>>,
        assumptions: Vec<Number>,
    },
    /// Variables; those that are no leaves of the circuit are passed over.
    Unassign(Vec<Number>),
    Limit(Option<u64>),
    Clone,
    Switch(usize),
    Cancel(u64),
}

impl Op {
    /// The literals that may be left out.
    pub fn lists(&mut self) -> Vec<&mut Vec<Number>> {
        match self {
            Op::Clause(lits) | Op::Unassign(lits) => vec![lits],
            Op::Solve { temporary, assumptions } => temporary.iter_mut().chain([assumptions]).collect(),
            _ => Vec::new(),
        }
    }
}

/// Which solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `RelSolver` inside cones.
    Rel,
    /// `RelSolver` over everything.
    Whole,
    Cdcl,
    /// `Cdcl` with its derivations recorded and checked.
    Proof,
    Cadical,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Rel, "rel"),
    (Kind::Whole, "whole"),
    (Kind::Cdcl, "cdcl"),
    (Kind::Proof, "proof"),
    (Kind::Cadical, "cadical"),
];
const BY_GLUE: &str = "glue";
const OFF: &str = "off";
const ON: &str = "on";
const ORDERS: [(OrderKind, &str); 2] = [(OrderKind::Buckets, "buckets"), (OrderKind::Heap, "heap")];

#[derive(Clone, Debug)]
pub struct Trace {
    pub kind: Kind,
    pub tuning: Tuning,
    pub ops: Vec<Op>,
}

fn joined(lits: &[Number]) -> String {
    lits.iter().map(|l| format!(" {l}")).collect()
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Clause(lits) => write!(f, "clause{}", joined(lits)),
            Op::And(lits) => write!(f, "and{}", joined(lits)),
            Op::Solve { temporary: None, assumptions } => write!(f, "solve{}", joined(assumptions)),
            Op::Solve { temporary: Some(clause), assumptions } => {
                write!(f, "with{} :{}", joined(clause), joined(assumptions))
            }
            Op::Unassign(vars) => write!(f, "unassign{}", joined(vars)),
            Op::Limit(None) => write!(f, "limit off"),
            Op::Limit(Some(ticks)) => write!(f, "limit {ticks}"),
            Op::Clone => write!(f, "clone"),
            Op::Switch(n) => write!(f, "switch {n}"),
            Op::Cancel(n) => write!(f, "cancel {n}"),
        }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = KINDS.iter().find(|k| k.0 == self.kind).expect("all kinds are listed").1;
        let Tuning {
            order,
            restarts,
            decay,
            eliminate,
            eliminate_after,
            seed,
            reduce,
            glue,
            waste,
            part,
            poll,
            simplify,
            justify,
            subsume,
        } = self.tuning;
        let order = ORDERS.iter().find(|o| o.0 == order).expect("all orders are listed").1;
        let restarts = match restarts {
            RestartKind::Luby { interval } => interval.to_string(),
            RestartKind::Glue => BY_GLUE.into(),
        };
        let eliminate = if eliminate { eliminate_after.to_string() } else { OFF.into() };
        write!(f, "solver {kind} order {order} restart {restarts} decay {decay} eliminate {eliminate} ")?;
        write!(f, "seed {seed} reduce {reduce} glue {glue} waste {waste} part {part} poll {poll} ")?;
        let justify = if justify { ON } else { OFF };
        writeln!(f, "simplify {simplify} subsume {subsume} justify {justify}")?;
        self.ops.iter().try_for_each(|op| writeln!(f, "{op}"))
    }
}

/// The trace in a text; lines that begin with `#` are comments.
pub fn parse(text: &str) -> Option<Trace> {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let words: Vec<&str> = lines.next()?.split_whitespace().collect();
    let field = |name: &str| words.chunks(2).find(|pair| pair[0] == name)?.get(1).copied();
    let number = |name: &str| field(name)?.parse::<u64>().ok();
    let kind = KINDS.iter().find(|k| Some(k.1) == field("solver"))?.0;
    let restarts = match field("restart")? {
        BY_GLUE => RestartKind::Glue,
        interval => RestartKind::Luby { interval: interval.parse().ok()? },
    };
    let (eliminate, eliminate_after) = match field("eliminate")? {
        OFF => (false, Tuning::default().eliminate_after),
        after => (true, after.parse().ok()?),
    };
    let tuning = Tuning {
        order: ORDERS.iter().find(|o| Some(o.1) == field("order"))?.0,
        restarts,
        decay: field("decay")?.parse().ok()?,
        eliminate,
        eliminate_after,
        seed: number("seed")?,
        reduce: number("reduce")?,
        glue: number("glue")? as u32,
        waste: number("waste")? as usize,
        part: number("part")? as usize,
        poll: number("poll")?,
        simplify: number("simplify")?,
        subsume: number("subsume")? as usize,
        justify: field("justify")? == ON,
    };
    let ops: Option<Vec<Op>> = lines.map(parse_op).collect();
    Some(Trace { kind, tuning, ops: ops? })
}

fn parse_op(line: &str) -> Option<Op> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let numbers = |text: &str| -> Option<Vec<Number>> {
        text.split_whitespace().map(|w| w.parse().ok().filter(|&n: &Number| n != 0)).collect()
    };
    Some(match name {
        "clause" => Op::Clause(numbers(rest)?),
        "and" => Op::And(numbers(rest)?.try_into().ok()?),
        "solve" => Op::Solve { temporary: None, assumptions: numbers(rest)? },
        "with" => {
            let (clause, assumptions) = rest.split_once(':')?;
            Op::Solve { temporary: Some(numbers(clause)?), assumptions: numbers(assumptions)? }
        }
        "unassign" => Op::Unassign(numbers(rest)?),
        "limit" if rest == "off" => Op::Limit(None),
        "limit" => Op::Limit(Some(rest.parse().ok()?)),
        "clone" => Op::Clone,
        "switch" => Op::Switch(rest.parse().ok()?),
        "cancel" => Op::Cancel(rest.parse().ok()?),
        _ => return None,
    })
}
