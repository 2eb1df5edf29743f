//! Functions as unions of cubes, none of which can be left out (S. Minato, *Fast Generation of Irredundant Sum-of-Products Forms from Binary Decision Diagrams*, SASIMI 1992).

use crate::{Bdd, Diagrams, Halt};

/// Values of some variables, those that come first in the order last.
pub type Cube = Vec<(u32, bool)>;

/// Cubes as they are found.
struct Cover {
    cubes: Vec<Cube>,
    most: usize,
}

impl Diagrams {
    /// Cubes that cover at least one function and at most another one, which the first implies; none if there are more than so many.
    pub fn cover(&mut self, least: Bdd, at_most: Bdd, most: usize) -> Result<Option<Vec<Cube>>, Halt> {
        let mut cover = Cover { cubes: Vec::new(), most };
        Ok(self.cover_into(least, at_most, &mut cover)?.map(|_| cover.cubes))
    }
    /// What the cubes that were added cover.
    fn cover_into(&mut self, least: Bdd, at_most: Bdd, cover: &mut Cover) -> Result<Option<Bdd>, Halt> {
        if least == Bdd::FALSE {
            return Ok(Some(Bdd::FALSE));
        }
        if at_most == Bdd::TRUE {
            cover.cubes.push(Cube::new());
            return Ok((cover.cubes.len() <= cover.most).then_some(Bdd::TRUE));
        }
        let level = self.level_of(least).min(self.level_of(at_most));
        let var = self.order[level as usize];
        let ([l1, l0], [u1, u0]) = (self.children(least, level), self.children(at_most, level));
        // What only cubes with a value of the variable can cover.
        let mut halves = [Bdd::FALSE; 2];
        for (half, value, l, u, other) in [(0, true, l1, u1, u0), (1, false, l0, u0, u1)] {
            let first = cover.cubes.len();
            let needed = self.minus(l, other)?;
            let Some(covered) = self.cover_into(needed, u, cover)? else { return Ok(None) };
            cover.cubes[first..].iter_mut().for_each(|cube| cube.push((var, value)));
            halves[half] = covered;
        }
        let [c1, c0] = halves;
        let (left1, left0) = (self.minus(l1, c1)?, self.minus(l0, c0)?);
        let (left, both) = (self.or(left1, left0)?, self.and(u1, u0)?);
        let Some(shared) = self.cover_into(left, both, cover)? else { return Ok(None) };
        let (high, low) = (self.or(c1, shared)?, self.or(c0, shared)?);
        self.make(var, high, low).map(Some)
    }
}
