//! The properties of the frames that make IC3 right (P1–P4 of Bradley, VMCAI 2011, as Wolff numbers them), checked by brute queries.

use crate::frames::Frames;
use crate::{Answer, INFINITE, Level, Query, RelInd, ask};
use indubit_run::Ask;

/// Check P1–P4 after a level is done and the next one, `depth`, is open; a violation is a bug and panics with its
/// name. P3 is not yet true of `depth` itself and above.
///
/// P2, `F[i] ⇒ F[i+1]`, holds by the delta encoding. If `F∞` has lemmas of others, those may rest on what is not known here, and P4
/// is not checked of it.
pub(crate) fn check<O: RelInd>(oracle: &mut O, frames: &Frames, depth: Level, has_taken: bool) -> Ask<()> {
    for lemma in frames.at_least(1).map(|l| &l.cube) {
        assert!(!oracle.meets_init(lemma)?, "P1: the lemma excluding {lemma:?} excludes an initial state");
    }
    for level in 0..depth {
        assert!(oracle.bad(level)?.is_none(), "P3: F[{level}] contains a bad state");
    }
    for level in (1..=frames.top()).chain((!has_taken).then_some(INFINITE)) {
        for &id in frames.delta(level) {
            let lemma = &frames.get(id).cube;
            // F[level-1] is the weakest frame from which the lemma claims to follow; for F∞ that is F∞. The lemma itself is
            // in it, so that this is plain consecution, not relative induction.
            let answer = ask(oracle, Query::Push, level, lemma)?;
            assert!(
                matches!(answer, Answer::Inductive(_)),
                "P4: a step from F[{}] leads into {lemma:?}, which F[{level}] excludes",
                level - 1
            );
        }
    }
    Ok(())
}
