//! Which inputs lead where: functions of the state, found one input after the other. An input is true where no step is left with it false, whatever the later ones are; with that it is replaced in the
//! steps, and the next one has its turn.

use crate::diagrams::space::Space;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};

/// How a set of states goes on to where it is to go: along rings.
pub(super) struct Chain {
    /// For each input when it is true.
    pub inputs: Vec<Bdd>,
    /// The digits of the number of the ring that a state is in, the least significant first.
    pub rank: Vec<Bdd>,
}

impl Space<'_> {
    /// Inputs for the states of `domain`, each of which has one of these steps. All that is found is held; the operands are.
    pub(super) fn choose(&mut self, steps: Bdd, domain: Bdd) -> Ask<Vec<Bdd>> {
        let base = self.slot();
        let work = self.slot();
        let steps = self.ask(&[steps], |all| all.restrict(steps, domain))?;
        let mut steps = self.set(work, steps);
        let support = self.all.support(steps);
        let mut open: Vec<u32> =
            self.inputs.iter().copied().filter(|input| support.binary_search(input).is_ok()).collect();
        let mut chosen = vec![Bdd::FALSE; self.inputs.len()];
        // Those that come last in the order are replaced first: little is below them.
        open.sort_unstable_by_key(|&input| self.all.position(input));
        while let Some(input) = open.pop() {
            let at = self.slot();
            let mut sides = [Bdd::TRUE; 2];
            let mut possible = [Bdd::TRUE; 2];
            for value in [false, true] {
                let literal = self.ask(&[], |all| all.cube_of([(input, value)]))?;
                let side = self.ask(&[literal], |all| all.cofactor(steps, literal))?;
                sides[usize::from(value)] = self.hold(side);
                let cube = self.ask(&[], |all| all.cube(open.iter().copied()))?;
                let states = self.ask(&[cube], |all| all.exists(side, cube))?;
                possible[usize::from(value)] = self.hold(states);
            }
            let both = self.and(possible[0], possible[1])?;
            let matters = self.minus(domain, both)?;
            let value = match self.ask(&[matters], |all| all.and(matters, possible[1]))? {
                Bdd::FALSE => Bdd::FALSE,
                _ => self.ask(&[matters], |all| all.restrict(possible[1], matters))?,
            };
            self.hold(value);
            let left = self.if_then_else(value, sides[1], sides[0])?;
            let left = self.ask(&[left], |all| all.restrict(left, domain))?;
            self.release_from(at);
            steps = self.set(work, left);
            if let Some(i) = self.inputs.iter().position(|&v| v == input) {
                chosen[i] = self.hold(value);
            }
        }
        self.release_from(base);
        chosen.iter().for_each(|&f| {
            self.hold(f);
        });
        Ok(chosen)
    }
    /// Where the first holds the second, elsewhere the third. They are held.
    pub(super) fn if_then_else(&mut self, condition: Bdd, then: Bdd, otherwise: Bdd) -> Ask<Bdd> {
        if then == otherwise {
            return Ok(then);
        }
        let then = self.and(condition, then)?;
        let otherwise = self.ask(&[then, otherwise], |all| all.minus(otherwise, condition))?;
        self.or(then, otherwise)
    }
    /// Inputs that lead from each ring into those before it; from the first one they are given. The rings are held, and what is found is.
    pub(super) fn chain(&mut self, first: Vec<Bdd>, rings: &[Bdd], run: &mut Run<'_>) -> Ask<Chain> {
        let base = self.slot();
        let mut inputs = first;
        let mut inside = rings[0];
        for &ring in &rings[1..] {
            run.checkpoint()?;
            run.spend(1);
            let at = self.slot();
            self.set(at, inside);
            inputs.iter().for_each(|&f| {
                self.hold(f);
            });
            let steps = self.steps_into(inside, ring)?;
            self.hold(steps);
            let next = self.choose(steps, ring)?;
            let more = self.or(inside, ring)?;
            self.hold(more);
            for (f, next) in inputs.iter_mut().zip(next) {
                let both = self.if_then_else(inside, *f, next)?;
                *f = self.hold(both);
            }
            inside = more;
            let keep: Vec<Bdd> = inputs.clone();
            self.release_from(at);
            keep.into_iter().chain([inside]).for_each(|f| {
                self.hold(f);
            });
        }
        let rank = self.digits(rings, inside)?;
        let found: Vec<Bdd> = inputs.iter().chain(&rank).copied().collect();
        self.release_from(base);
        found.into_iter().for_each(|f| {
            self.hold(f);
        });
        Ok(Chain { inputs, rank })
    }
    /// The digits of the numbers of disjoint sets, where nothing depends on what they are outside of `care`. They are held; the operands are.
    pub(super) fn digits(&mut self, sets: &[Bdd], care: Bdd) -> Ask<Vec<Bdd>> {
        let last = sets.len().saturating_sub(1);
        let n_digits = usize::BITS - last.leading_zeros();
        let mut digits = Vec::new();
        for digit in 0..n_digits {
            let with = (0..sets.len()).filter(|k| k >> digit & 1 == 1).map(|k| sets[k]);
            digits.push(self.union_in(care, with)?);
        }
        Ok(digits)
    }
}
