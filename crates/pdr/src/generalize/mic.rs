//! Dropping literals one by one (`mic` and `down` in Bradley's paper).

use super::Effort;
use crate::{Answer, Level, Pdr, Query, RelInd, ask};
use indubit_logic::{Cube, Lit};
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// A subcube of `cube` that is inductive relative to `F[level-1]` and without initial states, and from which no single
    /// literal could be dropped: each attempt that succeeds continues with its unsatisfiable core.
    ///
    /// Requires: `cube` itself is inductive relative to `F[level-1]` and meets no initial state.
    pub(crate) fn mic(
        &mut self,
        level: Level,
        mut cube: Cube,
        parent: Option<&Cube>,
        effort: Effort,
        run: &mut Run<'_>,
    ) -> Ask<Cube> {
        let mut kept: Vec<Lit> = Vec::new();
        for lit in self.drop_order(&cube, parent) {
            if cube.len() == 1 || !cube.contains(lit) {
                continue;
            }
            run.checkpoint()?;
            match self.down(level, cube.without(lit), &cube, &kept, effort, run)? {
                Some(smaller) => cube = smaller,
                None => kept.push(lit),
            }
        }
        Ok(cube)
    }

    /// A subcube of `cube` that is inductive relative to `F[level-1]`, with all literals that are `kept`, if one is found.
    /// `whole` is the cube before the literal was dropped.
    pub(crate) fn down(
        &mut self,
        level: Level,
        mut cube: Cube,
        whole: &Cube,
        kept: &[Lit],
        effort: Effort,
        run: &mut Run<'_>,
    ) -> Ask<Option<Cube>> {
        let mut n_ctgs = 0;
        loop {
            if self.oracle.meets_init(&cube)? || self.excludes_reached(&cube) {
                return Ok(None);
            }
            // A join needs the state that stands in the way.
            if !effort.joins && self.failed_drops.refutes(level, &cube) {
                self.counts.refuted += 1;
                return Ok(None);
            }
            self.counts.drops += 1;
            let cti = match ask(&mut self.oracle, Query::Relative, level, &cube)? {
                Answer::Inductive(core) => {
                    let core = core.into_cube();
                    return Ok(Some(self.admit(core, &cube)));
                }
                Answer::Cti(cti) => cti,
            };
            if self.config.failed_drops {
                self.failed_drops.remember(level, whole, &cti);
            }
            if effort.depth == 0 || level == 1 || n_ctgs == effort.ctgs && !effort.joins {
                return Ok(None);
            }
            let state = effort.joins.then(|| Cube::new(cti.state()));
            if n_ctgs < effort.ctgs {
                let ctg = cti.lift()?.cube;
                if self.block_ctg(level - 1, ctg, effort, &mut effort.predecessors.clone(), run)? {
                    n_ctgs += 1;
                    continue;
                }
            }
            let Some(state) = state else { return Ok(None) };
            let joined = Cube::new(cube.lits().iter().copied().filter(|&l| state.contains(l)));
            if joined.len() == cube.len() || !kept.iter().all(|&l| joined.contains(l)) {
                return Ok(None);
            }
            n_ctgs = 0;
            cube = joined;
        }
    }
}
