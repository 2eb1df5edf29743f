use super::*;
use indubit_logic::Clause;

fn model() -> (BitSystem, [Lit; 4]) {
    let mut model = BitSystem::new();
    let lits = ["a", "b", "c", "d e"].map(|n| model.add_latch(n, None));
    (model, lits)
}

fn text(model: &BitSystem, clauses: &[&[Lit]]) -> String {
    let mut invariant = Invariant::new(model.aig().n_vars());
    for clause in clauses {
        invariant.add(Clause::new(clause.iter().copied()));
    }
    write(model, &invariant, None)
}

#[test]
fn lemmas_are_merged_and_sorted() {
    let (model, [a, b, c, d]) = model();
    let clauses: &[&[Lit]] = &[
        &[c, !a, b],
        &[!a, b],
        &[!d],
        &[b, a, b],
        &[a, !b],
        &[c, !d],
        &[!c, d],
        &[c, !c],
        &[!b, !a],
        &[c, Lit::FALSE],
        &[Lit::TRUE, a],
    ];
    // They contradict each other, and so each of them is shown.
    assert_eq!(text(&model, clauses), "c = 1\n\"d e\" = 0\na != b\na = b\nc = \"d e\"\n!a | b | c\n");
    assert_eq!(text(&model, &[]), "true\n");
    assert_eq!([a, !d, Lit::TRUE].map(|l| formula(&model, l, None)), ["a\n", "!\"d e\"\n", "true\n"]);
    assert_eq!(text(&model, &[&[]]), "false\n");
    assert_eq!(text(&model, &[&[!a, !c]]), "!a | !c\n");
}

#[test]
fn what_shorter_lemmas_say_is_left_out() {
    let (model, [a, b, c, d]) = model();
    let clauses: &[&[Lit]] = &[&[!a], &[a, b, c], &[b, c, d], &[!a, d], &[c, d, !b], &[!b, !c]];
    assert_eq!(text(&model, clauses), "a = 0\nb != c\n!b | c | \"d e\"\n");
    // A literal that is false now makes another one true.
    assert_eq!(text(&model, &[&[!a], &[a, !b], &[b, c], &[c, d]]), "a = 0\nb = 0\nc = 1\n");
}

#[test]
fn gates_are_formulas() {
    let (mut model, [a, b, c, d]) = model();
    let g = model.aig_mut().and(a, !b);
    let named = model.aig_mut().and(a, b);
    model.add_bad("both", named);
    let x = model.aig_mut().xor(c, d);
    assert_eq!(text(&model, &[&[!g, c]]), "!a | b | c\n");
    assert_eq!(text(&model, &[&[g, c]]), "c | (a & !b)\n");
    assert_eq!(text(&model, &[&[!named]]), "both = 0\n");
    assert_eq!(text(&model, &[&[x]]), "c != \"d e\"\n");
    assert_eq!(text(&model, &[&[!x, a]]), "a | (c = \"d e\")\n");
    let mut invariant = Invariant::new(model.aig().n_vars());
    let h = invariant.and(g, c);
    let k = invariant.and(!h, d);
    invariant.add(Clause::new([k]));
    invariant.and(k, Lit::TRUE);
    assert_eq!(write(&model, &invariant, None), "\"d e\" = 1\n!a | b | !c\n");
}

#[test]
fn constants_vanish_and_pairs_become_comparisons() {
    let (model, [a, b, c, d]) = model();
    let mut invariant = Invariant::new(model.aig().n_vars());
    let (p, q) = (invariant.and(a, Lit::TRUE), invariant.and(b, Lit::FALSE));
    let both = invariant.and(p, c);
    let neither = invariant.and(!a, !c);
    let end = invariant.and(!neither, d);
    let differ = invariant.and(!both, end);
    invariant.add(Clause::new([differ, b, q]));
    assert_eq!(write(&model, &invariant, None), "b | ((a != c) & \"d e\")\n");
    invariant.add(Clause::new([p]));
    invariant.add(Clause::new([q, !q]));
    assert_eq!(write(&model, &invariant, None), "a = 1\nb | ((a != c) & \"d e\")\n");
}

#[test]
fn long_formulas_get_names_and_long_invariants_a_note() {
    let mut model = BitSystem::new();
    let latches: Vec<Lit> = (0..40).map(|_| model.add_latch("", None)).collect();
    let all = model.aig_mut().and_all(latches.iter().copied());
    let clauses: Vec<Vec<Lit>> = latches.iter().map(|&l| vec![l, all]).collect();
    let mut invariant = Invariant::new(model.aig().n_vars());
    for clause in clauses {
        invariant.add(Clause::new(clause));
    }
    let text = write(&model, &invariant, Some(5));
    assert!(text.starts_with("l0 | gate"), "{text}");
    assert!(text.contains("… 35 more lemmas\nwhere gate"), "{text}");
    // A chain that shares everything must not be written out exponentially often.
    let mut chain = latches[0];
    for i in 0..200 {
        let left = model.aig_mut().and(chain, latches[i % 40]);
        let right = model.aig_mut().and(!chain, latches[(i + 1) % 40]);
        chain = model.aig_mut().or(left, right);
    }
    let mut invariant = Invariant::new(model.aig().n_vars());
    invariant.add(Clause::new([chain]));
    let text = write(&model, &invariant, None);
    assert!(text.len() < 60_000, "{}", text.len());
    let text = formula(&model, chain, Some(3));
    assert!(text.contains("\nwhere gate") && text.ends_with("… more definitions\n"), "{text}");
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn lemmas_are_counted_as_they_are_printed() {
    let mut model = BitSystem::new();
    let latches: Vec<_> = (0..20).map(|i| model.add_latch(&format!("where{i}"), None)).collect();
    let mut parity = latches[0];
    for &latch in &latches[1..] {
        parity = model.aig_mut().xor(parity, latch);
    }
    let mut invariant = Invariant::new(model.aig().n_vars());
    // Two clauses that are one lemma, a clause that needs definitions, and many short ones.
    invariant.add(Clause::new([latches[0], latches[1]]));
    invariant.add(Clause::new([!latches[0], !latches[1]]));
    invariant.add(Clause::new([parity, latches[2], latches[3]]));
    for &latch in &latches[4..] {
        invariant.add(Clause::new([latch]));
    }
    for limit in [None, Some(5), Some(1)] {
        let text = write(&model, &invariant, limit);
        assert_eq!(n_lemmas(&text), 18, "{text}");
    }
    assert!(write(&model, &invariant, None).contains("\nwhere gate"));
}
