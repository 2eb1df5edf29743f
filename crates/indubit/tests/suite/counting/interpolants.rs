//! Interpolants as lemmas (docs/IC3.md) are at work, and P1–P4 hold with them.

use indubit::EngineId;

#[test]
fn interpolants_become_lemmas() {
    for engine in [EngineId::Ic3, EngineId::Quip] {
        let core = super::tally::counted(engine, &["generalize=core"]);
        assert_eq!(core("queries for an interpolant"), 0);
        for settings in [&["generalize=interpolant"][..], &["generalize=interpolant", "internal-signals=on"]]
        {
            let n = super::tally::counted(engine, settings);
            assert!(n("interpolants") > 0 && n("interpolants") < n("queries for an interpolant"));
            assert!(n("further lemmas of interpolants") > 0);
            // What leads to the same place is excluded at once. Quip has obligations to push all these lemmas.
            assert!(engine == EngineId::Quip || n("obligations") < core("obligations"));
        }
    }
}
