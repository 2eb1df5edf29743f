//! What a proof about a formula of computation tree logic has to meet.

/// One of the conditions that sets of states have to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Initial states are in the invariant.
    InvariantInitially,
    /// Steps stay in the invariant.
    InvariantKept,
    /// Where an operator is said to hold, so is what is inside.
    Inside,
    /// The inputs that are chosen keep the constraints.
    ChosenInputs,
    /// The chosen step leads to where what is inside the operator holds.
    ChosenInside,
    /// The chosen step leads to where a fair path begins.
    ChosenFair,
    /// The chosen step leads to where the operator is said to hold.
    ChosenStays,
    /// The rank gets smaller in the chosen step, or the signal is seen in it.
    ChosenCloser,
    /// Where `EX` is said not to hold, no step leads to where what is inside may hold.
    NoStep,
    /// Where `EU` is said not to hold, its goal is said not to hold.
    NoGoal,
    /// Where `EU` is said not to hold, it does not a step later.
    NoWay,
    /// Where `EG` is said not to hold, paths are stuck.
    Stuck,
    /// The formula is said to hold in all initial states that have a fair path.
    Decides,
}

impl Condition {
    /// What is wrong if it is not met.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Condition::InvariantInitially => "an initial state is outside of it",
            Condition::InvariantKept => "a step leads out of it",
            Condition::Inside => "a state is said to satisfy it in which what is inside may be false",
            Condition::ChosenInputs => {
                "a state is said to satisfy it, and the inputs that are chosen there violate a constraint"
            }
            Condition::ChosenInside => {
                "a state is said to satisfy it, and the step that is chosen there leads to one in which what is inside may be false"
            }
            Condition::ChosenFair => {
                "a state is said to satisfy it, and the step that is chosen there leads to one that may have no fair path"
            }
            Condition::ChosenStays => {
                "a state is said to satisfy it, and the step that is chosen there leads to one that is not said to"
            }
            Condition::ChosenCloser => {
                "a state is said to satisfy it, and the step that is chosen there does not come closer to what has to be seen"
            }
            Condition::NoStep => {
                "a state is said not to satisfy it, and has a step to one in which what is inside may be true"
            }
            Condition::NoGoal => "a state is said not to satisfy it in which its goal may be true",
            Condition::NoWay => {
                "a state is said not to satisfy it, and has a step to one that may satisfy it"
            }
            Condition::Stuck => {
                "a state is said not to satisfy it, and nothing says that paths from there are stuck"
            }
            Condition::Decides => "an initial state may have a fair path and not satisfy it",
        }
    }
}
