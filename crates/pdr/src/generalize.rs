//! Inductive generalization: from a blocked cube to one with fewer literals that is blocked as well
//! (seed 000, listing 3, line 26; seed 003, "manually drop parts of s").

use crate::activity::Activity;
use crate::{Answer, Level, Query, RelInd, ask};
use indubit_logic::Cube;
use indubit_run::Ask;

/// A subcube of `cube` that is inductive relative to `F[level-1]` and without initial states, and from which
/// no single literal can be dropped (`mic` in Bradley's paper): each attempt that succeeds continues with
/// its unsatisfiable core.
///
/// Requires: `cube` itself is inductive relative to `F[level-1]` and meets no initial state.
pub(crate) fn generalize<O: RelInd>(
    oracle: &mut O,
    activity: &Activity,
    level: Level,
    mut cube: Cube,
) -> Ask<Cube> {
    let mut order = cube.lits().to_vec();
    activity.sort_ascending(&mut order);
    for lit in order {
        if cube.len() == 1 || !cube.contains(lit) {
            continue;
        }
        let candidate = cube.without(lit);
        if oracle.meets_init(&candidate)? {
            continue;
        }
        if let Answer::Inductive(core) = ask(oracle, Query::Relative, level, &candidate)? {
            cube = core.into_cube();
        }
    }
    Ok(cube)
}
