//! Interpolants as lemmas (seed 003) are at work, and P1–P4 hold with them.

#[test]
fn interpolants_become_lemmas() {
    for engine in ["ic3", "quip"] {
        let core = crate::tally::counted(engine, &["generalize=core"]);
        assert_eq!(core("queries for an interpolant"), 0);
        for settings in [&["generalize=interpolant"][..], &["generalize=interpolant", "internal-signals=on"]]
        {
            let n = crate::tally::counted(engine, settings);
            assert!(n("interpolants") > 0 && n("interpolants") < n("queries for an interpolant"));
            assert!(n("further lemmas of interpolants") > 0);
            // What leads to the same place is excluded at once. Quip has obligations to push all these lemmas.
            assert!(engine == "quip" || n("obligations") < core("obligations"));
        }
    }
}
