//! What is claimed about a system, and what that is called.

use crate::{Ctl, Ltl, Name};
use indubit_logic::Lit;
use std::fmt;

/// What a property is called by its format: the section it is in, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyId {
    /// A bad-state property of AIGER, `b<i>`.
    Bad(usize),
    /// An output of an old AIGER file that stands for a bad state, `o<i>`.
    Output(usize),
    /// A justice property of AIGER, `j<i>`.
    Justice(usize),
    /// An invariant property of a system over words, `p<i>`. Numbers need not be all from 0.
    Invar(u64),
    /// A cover, `cover<i>`.
    Cover(usize),
    /// A formula of linear temporal logic, `ltl<i>`.
    Ltl(usize),
    /// That no finite run violates such a formula, `ltl<i>.safety`.
    LtlSafety(usize),
    /// A formula of branching temporal logic, `ctl<i>`.
    Ctl(usize),
}

impl fmt::Display for PropertyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyId::Bad(i) => write!(f, "b{i}"),
            PropertyId::Output(i) => write!(f, "o{i}"),
            PropertyId::Justice(i) => write!(f, "j{i}"),
            PropertyId::Invar(i) => write!(f, "p{i}"),
            PropertyId::Cover(i) => write!(f, "cover{i}"),
            PropertyId::Ltl(i) => write!(f, "ltl{i}"),
            PropertyId::LtlSafety(i) => write!(f, "ltl{i}.safety"),
            PropertyId::Ctl(i) => write!(f, "ctl{i}"),
        }
    }
}

/// The kinds of claims there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// Something holds in every step of every run.
    Always,
    /// Something holds in some step of some run.
    Reachable,
    /// No run sees some things infinitely often.
    Justice,
    /// All infinite runs that are fair satisfy a formula of linear temporal logic.
    Ltl,
    /// All initial states satisfy a formula of branching temporal logic.
    Ctl,
}

impl ClaimKind {
    /// The words of a verdict: that the claim is true, and that it is not.
    pub fn words(self) -> [&'static str; 2] {
        match self {
            ClaimKind::Always => ["safe", "unsafe"],
            ClaimKind::Reachable => ["reached", "unreachable"],
            ClaimKind::Justice | ClaimKind::Ltl | ClaimKind::Ctl => ["holds", "fails"],
        }
    }
}

impl fmt::Display for ClaimKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ClaimKind::Always => "always",
            ClaimKind::Reachable => "cover",
            ClaimKind::Justice => "justice",
            ClaimKind::Ltl => "ltl",
            ClaimKind::Ctl => "ctl",
        })
    }
}

/// What is claimed about the runs of a system, by formulas about one step: edges of a circuit, or terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<F = Lit> {
    /// It holds in every step of every run.
    Always(F),
    /// It holds in some step of some run: a cover.
    Reachable(F),
    /// No run sees each of these infinitely often: AIGER's justice.
    Justice(Vec<F>),
    /// All infinite runs that see each fairness of the system infinitely often satisfy this.
    Ltl(Ltl<F>),
    /// All initial states satisfy this, where paths are the infinite runs that see each fairness of the system infinitely often.
    Ctl(Ctl<F>),
}

impl<F> Claim<F> {
    /// Its kind.
    pub fn kind(&self) -> ClaimKind {
        match self {
            Claim::Always(_) => ClaimKind::Always,
            Claim::Reachable(_) => ClaimKind::Reachable,
            Claim::Justice(_) => ClaimKind::Justice,
            Claim::Ltl(_) => ClaimKind::Ltl,
            Claim::Ctl(_) => ClaimKind::Ctl,
        }
    }
    /// The words of a verdict: that the claim is true, and that it is not.
    pub fn words(&self) -> [&'static str; 2] {
        self.kind().words()
    }
    /// Does a trace to a step decide it, or a proof that there is none? Liveness needs more than that.
    pub fn is_about_reachability(&self) -> bool {
        matches!(self, Claim::Always(_) | Claim::Reachable(_))
    }
    /// The formulas it is made of.
    pub fn formulas(&self) -> &[F] {
        match self {
            Claim::Always(formula) | Claim::Reachable(formula) => std::slice::from_ref(formula),
            Claim::Justice(formulas) => formulas,
            Claim::Ltl(formula) => formula.atoms(),
            Claim::Ctl(formula) => formula.atoms(),
        }
    }
}

impl Claim<Lit> {
    /// The edge of the circuit whose reachability decides the claim, if there is one.
    pub fn target(&self) -> Option<Lit> {
        match *self {
            Claim::Always(good) => Some(!good),
            Claim::Reachable(goal) => Some(goal),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => None,
        }
    }
}

/// A property of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<F = Lit> {
    /// What its format calls it. No other property of the system has the same.
    pub id: PropertyId,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The line of its source, counted from 1, if its format knows.
    pub line: Option<usize>,
    /// Where it stands in what the file was made of, such as `fifo.sv:16`, if the file says so.
    pub source: Option<Name>,
    /// What it says.
    pub claim: Claim<F>,
}

impl<F> Property<F> {
    /// A property with a name.
    pub fn new(id: PropertyId, name: &str, claim: Claim<F>) -> Property<F> {
        Property { id, name: Some(name.into()), line: None, source: None, claim }
    }
    /// The name if there is one, else the identifier.
    pub fn label(&self) -> String {
        self.name.as_ref().map_or_else(|| self.id.to_string(), Name::to_string)
    }
    /// `overflow (b3)`, or `b3` if it has no name.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.id),
            None => self.id.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_properties_are_called() {
        let mut property: Property = Property::new(PropertyId::Bad(3), "overflow", Claim::Always(Lit::TRUE));
        assert_eq!((property.label(), property.title()), ("overflow".into(), "overflow (b3)".into()));
        property.name = None;
        assert_eq!((property.label(), property.title()), ("b3".into(), "b3".into()));
        assert_eq!(property.claim.target(), Some(Lit::FALSE));
        let ids = [PropertyId::Output(1), PropertyId::Justice(2), PropertyId::Invar(3), PropertyId::Cover(4)];
        assert_eq!(ids.map(|id| id.to_string()), ["o1", "j2", "p3", "cover4"]);
    }
}
