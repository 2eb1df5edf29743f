//! Operations on functions. Each recurses over the variables in their order, and remembers what it has found.

use crate::cache::Operation;
use crate::{Bdd, Diagrams, Halt};

type Result = std::result::Result<Bdd, Halt>;

impl Diagrams {
    /// Both.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Result {
        let (f, g) = (f.min(g), f.max(g));
        match f {
            Bdd::TRUE => return Ok(g),
            Bdd::FALSE => return Ok(Bdd::FALSE),
            _ if f == g => return Ok(f),
            _ if f == !g => return Ok(Bdd::FALSE),
            _ => (),
        }
        let question = (Operation::And, f, g, Bdd::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        self.step()?;
        let level = self.level_of(f).min(self.level_of(g));
        let ([f1, f0], [g1, g0]) = (self.children(f, level), self.children(g, level));
        let (high, low) = (self.and(f1, g1)?, self.and(f0, g0)?);
        let result = self.make(self.order[level as usize], high, low)?;
        self.cache.put(question, result);
        Ok(result)
    }
    /// One or the other.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Result {
        Ok(!self.and(!f, !g)?)
    }
    /// The first and not the second.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Result {
        self.and(f, !g)
    }
    /// Not both are the same.
    pub fn xor(&mut self, f: Bdd, g: Bdd) -> Result {
        let negated = f.is_negated() ^ g.is_negated();
        let (f, g) = (f.regular().min(g.regular()), f.regular().max(g.regular()));
        if f == Bdd::TRUE {
            return Ok((!g).xor(negated));
        }
        if f == g {
            return Ok(Bdd::FALSE.xor(negated));
        }
        let question = (Operation::Xor, f, g, Bdd::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known.xor(negated));
        }
        self.step()?;
        let level = self.level_of(f).min(self.level_of(g));
        let ([f1, f0], [g1, g0]) = (self.children(f, level), self.children(g, level));
        let (high, low) = (self.xor(f1, g1)?, self.xor(f0, g0)?);
        let result = self.make(self.order[level as usize], high, low)?;
        self.cache.put(question, result);
        Ok(result.xor(negated))
    }
    /// For some values of the variables of `cube`.
    pub fn exists(&mut self, f: Bdd, cube: Bdd) -> Result {
        self.and_exists(f, Bdd::TRUE, cube)
    }
    /// Both, for some values of the variables of `cube`.
    pub fn and_exists(&mut self, f: Bdd, g: Bdd, cube: Bdd) -> Result {
        let (f, g) = (f.min(g), f.max(g));
        if f == Bdd::FALSE || f == !g {
            return Ok(Bdd::FALSE);
        }
        if f == Bdd::TRUE && g.is_const() {
            return Ok(g);
        }
        let level = self.level_of(f).min(self.level_of(g));
        // Variables that come before those of both functions quantify nothing.
        let mut cube = cube;
        while self.level_of(cube) < level {
            cube = self.nodes[cube.node()].high;
        }
        if cube == Bdd::TRUE {
            return self.and(f, g);
        }
        let question = (Operation::AndExists, f, g, cube);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        self.step()?;
        let ([f1, f0], [g1, g0]) = (self.children(f, level), self.children(g, level));
        let result = if self.level_of(cube) == level {
            let rest = self.nodes[cube.node()].high;
            match self.and_exists(f1, g1, rest)? {
                Bdd::TRUE => Bdd::TRUE,
                high => {
                    let low = self.and_exists(f0, g0, rest)?;
                    self.or(high, low)?
                }
            }
        } else {
            let (high, low) = (self.and_exists(f1, g1, cube)?, self.and_exists(f0, g0, cube)?);
            self.make(self.order[level as usize], high, low)?
        };
        self.cache.put(question, result);
        Ok(result)
    }
    /// A function that is the same where `care` is true, and often smaller (O. Coudert, J. C. Madre, ICCAD 1990).
    pub fn restrict(&mut self, f: Bdd, care: Bdd) -> Result {
        if f.is_const() || care == Bdd::TRUE || care == Bdd::FALSE {
            return Ok(f);
        }
        let question = (Operation::Restrict, f, care, Bdd::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        self.step()?;
        let (of_f, of_care) = (self.level_of(f), self.level_of(care));
        let [c1, c0] = self.children(care, of_f.min(of_care));
        let result = if of_care < of_f {
            let either = self.or(c1, c0)?;
            self.restrict(f, either)?
        } else {
            let [f1, f0] = self.children(f, of_f);
            match (c1, c0) {
                (Bdd::FALSE, _) => self.restrict(f0, c0)?,
                (_, Bdd::FALSE) => self.restrict(f1, c1)?,
                _ => {
                    let (high, low) = (self.restrict(f1, c1)?, self.restrict(f0, c0)?);
                    self.make(self.order[of_f as usize], high, low)?
                }
            }
        };
        self.cache.put(question, result);
        Ok(result)
    }
    /// What a function is for the values that a cube of variables and negated variables gives.
    pub fn cofactor(&mut self, f: Bdd, cube: Bdd) -> Result {
        if f.is_const() {
            return Ok(f);
        }
        let level = self.level_of(f);
        let mut cube = cube;
        while self.level_of(cube) < level {
            cube = self.cube_rest(cube).1;
        }
        if cube == Bdd::TRUE {
            return Ok(f);
        }
        let question = (Operation::Cofactor, f, cube, Bdd::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        self.step()?;
        let [f1, f0] = self.children(f, level);
        let result = if self.level_of(cube) == level {
            let (value, rest) = self.cube_rest(cube);
            self.cofactor(if value { f1 } else { f0 }, rest)?
        } else {
            let (high, low) = (self.cofactor(f1, cube)?, self.cofactor(f0, cube)?);
            self.make(self.order[level as usize], high, low)?
        };
        self.cache.put(question, result);
        Ok(result)
    }
    /// The value of the first variable of a cube, and the other ones.
    fn cube_rest(&self, cube: Bdd) -> (bool, Bdd) {
        let [high, low] = self.children(cube, self.level_of(cube));
        if high == Bdd::FALSE { (false, low) } else { (true, high) }
    }
    /// A way to replace variables by others, for [`rename`](Self::rename).
    pub fn map(&mut self, pairs: impl IntoIterator<Item = (u32, u32)>) -> usize {
        let mut map: Vec<u32> = (0..self.order.len() as u32).collect();
        for (from, to) in pairs {
            map[from as usize] = to;
        }
        self.maps.push(map);
        self.maps.len() - 1
    }
    /// With variables replaced. A variable and the one that takes its place are in one block, and a function depends on one variable of a block only.
    pub fn rename(&mut self, f: Bdd, map: usize) -> Result {
        if f.is_const() {
            return Ok(f);
        }
        let negated = f.is_negated();
        let f = f.regular();
        let question = (Operation::Rename, f, Bdd(map as u32), Bdd::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known.xor(negated));
        }
        self.step()?;
        let node = self.nodes[f.node()];
        let (high, low) = (self.rename(node.high, map)?, self.rename(node.low, map)?);
        let result = self.make(self.maps[map][node.var as usize], high, low)?;
        self.cache.put(question, result);
        Ok(result.xor(negated))
    }
}
