//! The path of circuits.

use crate::path::{Context, Path, Way, way_of_circuit};
use crate::plan::{Entry, Plan, Team};
use crate::tidy;
use crate::verdict::Error;
use indubit_certify::{Solving, check_together};
use indubit_engines::{EngineId, EngineInfo};
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{BitSystem, Bits, Claim, Conclusion, Invariant, Proof};

/// Quip first, which solves most, and then what differs most from it.
pub(crate) const PORTFOLIO: &[Entry] = &[
    Entry::new(1, EngineId::Quip, &[]),
    Entry::new(3, EngineId::Bmc, &[]),
    Entry::new(4, EngineId::Ic3, &[]),
    Entry::new(1, EngineId::Ic3, &[]).apart(),
    Entry::new(1, EngineId::Kind, &[]),
];

/// For each thread more than there are of these, one of them in another way, or with another seed.
pub(crate) const MORE: &[Entry] = &[
    Entry::new(1, EngineId::Ic3, &["internal-signals=on"]),
    Entry::new(1, EngineId::Ic3, &["cores-by-activity=on"]),
    Entry::new(1, EngineId::Bmc, &["bmc-step=10"]),
    Entry::new(1, EngineId::Quip, &["order=deepest"]),
    Entry::new(1, EngineId::Ic3, &["generalize=ctg"]).apart(),
    Entry::new(1, EngineId::Quip, &["cores-by-activity=on"]),
    Entry::new(1, EngineId::Ic3, &["restart=1000"]),
];

/// For liveness: who decides most first, and who finds lassos.
const LIVENESS: &[Entry] = &[
    Entry::new(4, EngineId::Klive, &[]),
    Entry::new(3, EngineId::Lasso, &[]),
    Entry::new(2, EngineId::Rlive, &[]),
    Entry::new(2, EngineId::Klive, &["live-quip=off"]),
    Entry::new(1, EngineId::Fair, &[]),
    Entry::new(1, EngineId::L2s, &[]),
];

/// Decision diagrams are for circuits of few latches, and have a good part of the time there: what they decide, they mostly decide soon. What liveness to safety
/// decides of these, others do as well.
const LIVENESS_OF_FEW: &[Entry] = &[
    Entry::new(4, EngineId::Klive, &[]),
    Entry::new(4, EngineId::Bdd, &[]),
    Entry::new(2, EngineId::Rlive, &[]),
    Entry::new(2, EngineId::Lasso, &[]),
    Entry::new(1, EngineId::Klive, &["live-quip=off"]),
    Entry::new(1, EngineId::Fair, &[]),
];

/// All who may be in a portfolio.
pub(crate) const TABLES: &[&[Entry]] = &[PORTFOLIO, MORE, LIVENESS, LIVENESS_OF_FEW];

/// So many latches are few.
const FEW: usize = 160;

/// Who decides liveness of a circuit.
pub(crate) fn liveness(circuit: &BitSystem) -> &'static [Entry] {
    if circuit.latches().len() <= FEW { LIVENESS_OF_FEW } else { LIVENESS }
}

/// IC3 gets through more easy properties than Quip.
pub(crate) const SHARING: EngineId = EngineId::Ic3;

impl Path for Bits {
    type Lemmas = Invariant;

    fn team(context: &Context<'_, Bits>, plan: &Plan) -> Team {
        plan.team::<Bits>(PORTFOLIO, MORE, liveness(context.system), SHARING)
    }
    fn fit(_: &Context<'_, Bits>, _: usize, team: &Team) -> Result<Team, Error<Bits>> {
        Ok(team.clone())
    }
    fn way<'c>(
        context: &'c Context<'_, Bits>,
        property: usize,
        engine: &'static EngineInfo,
    ) -> Option<Way<'c, Bits>> {
        way_of_circuit(context.system, property, engine)
    }
    fn shared_circuit<'c>(context: &'c Context<'_, Bits>) -> Option<&'c BitSystem> {
        Some(context.system)
    }
    fn raise(_: &Context<'_, Bits>, _: usize, conclusion: Conclusion, _: &Run<'_>) -> Ask<Conclusion> {
        Ok(conclusion)
    }
    fn check_together(
        context: &Context<'_, Bits>,
        properties: &[usize],
        proof: &Proof,
        run: &Run<'_>,
    ) -> Option<Proof> {
        let goals: Option<Vec<Lit>> =
            properties.iter().map(|&p| context.properties[p].claim.target()).collect();
        let claims: Vec<&Claim> = properties.iter().map(|&p| &context.properties[p].claim).collect();
        let proof = tidy::soon(run, |own| tidy::bits::shorter(context.system, &claims, proof, own))
            .unwrap_or_else(|| proof.clone());
        let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
        let Proof::Inductive(invariant) = &proof else { return None };
        let checked = check_together(context.system, &goals?, invariant, by);
        matches!(checked, Ok(Ok(()))).then_some(proof)
    }
    fn shorter(context: &Context<'_, Bits>, property: usize, proof: &Proof, run: &Run<'_>) -> Option<Proof> {
        tidy::bits::shorter(context.system, &[&context.properties[property].claim], proof, run)
    }
}
