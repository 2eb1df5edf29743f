//! What differs between kinds of systems on the way from a question to a checked verdict. Everything else is written once, over [`Path`].

use crate::circuit::OnCircuit;
use crate::plan::{Plan, Team};
use crate::verdict::Error;
use indubit_certify::Certify;
use indubit_engines::{Branch, EngineInfo, Implementation, Supported, Switched};
use indubit_run::{Ask, Run};
use indubit_system::{
    ARRAY_BITS, BitSystem, Bits, Blasted, Branching, Claim, Conclusion, Kind, Proof, Property,
};

/// A kind of systems whose properties can be decided.
///
/// It is implemented for [`Bits`](indubit_system::Bits) and [`Words`](indubit_system::Words), and cannot be for others.
pub trait Decidable: Path {}

impl<K: Path> Decidable for K {}

/// A system, and what is made of it once for all of its properties.
pub struct Context<'s, K: Path> {
    pub(crate) system: &'s K::System,
    /// What it is as a circuit, if it is none and has only bits.
    pub(crate) circuit: Option<Blasted>,
    pub(crate) properties: Vec<Property<K::Formula>>,
    /// How many bits an array may have to become latches.
    pub(crate) array_bits: u64,
}

impl<'s, K: Path> Context<'s, K> {
    pub(crate) fn new(system: &'s K::System) -> Result<Context<'s, K>, Error<K>> {
        Context::with_arrays(system, ARRAY_BITS)
    }
    /// Arrays of at most so many bits become latches.
    pub(crate) fn with_arrays(system: &'s K::System, array_bits: u64) -> Result<Context<'s, K>, Error<K>> {
        K::validate(system).map_err(Error::Malformed)?;
        let circuit = K::circuit(system, array_bits);
        Ok(Context { system, circuit, properties: K::properties(system), array_bits })
    }
    pub(crate) fn property(&self, index: usize) -> Result<&Property<K::Formula>, Error<K>> {
        let available = self.properties.len();
        self.properties.get(index).ok_or(Error::NoSuchProperty { index, available })
    }
}

/// Does the system go the way of circuits, so that engines for bits work on it, if arrays of at most so many bits do?
pub fn is_circuit<K: Decidable>(system: &K::System, array_bits: u64) -> bool {
    Context::<K>::with_arrays(system, array_bits).is_ok_and(|context| K::shared_circuit(&context).is_some())
}

/// How an engine gets at a question.
pub enum Way<'c, K: Kind> {
    /// As a circuit, with preprocessing, and back.
    Circuit(&'c BitSystem, OnCircuit),
    /// As the graph of its states, for a formula of computation tree logic.
    Graph(Box<Branching>, Branch),
    /// As it is.
    Direct(Box<K::Problem>, &'static Implementation<K>),
}

/// How an engine gets at a property of a circuit, if it can.
pub(crate) fn way_of_circuit<'c, K: Kind>(
    circuit: &'c BitSystem,
    property: usize,
    engine: &'static EngineInfo,
) -> Option<Way<'c, K>> {
    let claim = circuit.property(property)?.claim;
    if let Claim::Ctl(formula) = &claim {
        return Some(Way::Graph(Box::new(Branching::new(circuit, formula)), engine.branching?));
    }
    Some(Way::Circuit(circuit, OnCircuit::new(engine, claim.kind())?))
}

/// The steps of the way.
pub trait Path: Supported + Switched + Certify {
    /// Formulas about states that somebody has at hand.
    type Lemmas: Clone;

    /// What a system is as a circuit, if it is none and has only bits, in arrays at most so many.
    fn circuit(_: &Self::System, _array_bits: u64) -> Option<Blasted> {
        None
    }
    /// Those who are to work on it.
    fn team(context: &Context<'_, Self>, plan: &Plan) -> Team;
    /// Those of a team who can do something about this property.
    fn fit(context: &Context<'_, Self>, property: usize, team: &Team) -> Result<Team, Error<Self>>;
    /// How an engine gets at a property, if it can.
    fn way<'c>(
        context: &'c Context<'_, Self>,
        property: usize,
        engine: &'static EngineInfo,
    ) -> Option<Way<'c, Self>>;
    /// The circuit for an engine that decides all properties at once, if there is one.
    fn shared_circuit<'c>(context: &'c Context<'_, Self>) -> Option<&'c BitSystem>;
    /// What a conclusion about the circuit says about the system.
    fn raise(
        context: &Context<'_, Self>,
        property: usize,
        conclusion: Conclusion<Bits>,
        run: &Run<'_>,
    ) -> Ask<Conclusion<Self>>;
    /// What a conclusion about a question that was asked as it is says about the system.
    fn raise_direct(_: &Self::Problem, conclusion: Conclusion<Self>) -> Conclusion<Self> {
        conclusion
    }
    /// One check of a proof about the circuit for several properties, if there is such a check: the proof about the system, if it passes.
    fn check_together(
        context: &Context<'_, Self>,
        properties: &[usize],
        proof: &Proof,
        run: &Run<'_>,
    ) -> Option<Self::Proof>;
    /// A proof that says less, if one is found.
    fn shorter(
        context: &Context<'_, Self>,
        property: usize,
        proof: &Self::Proof,
        run: &Run<'_>,
    ) -> Option<Self::Proof>;
}
