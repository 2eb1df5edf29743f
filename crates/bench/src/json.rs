//! The results for programs: one JSON object.
//!
//! `{"format": "indubit.bench", "version": 1, ...}`. Within a version, fields are added but neither removed nor changed.

use super::matrix::Matrix;
use super::result::Row;
use super::statistics::{compare, totals, virtual_best};
use serde_json::{Map, Value, json};

pub fn document(matrix: &Matrix, base: usize, is_complete: bool) -> String {
    let best = virtual_best(matrix);
    let document = json!({
        "format": "indubit.bench",
        "version": 1,
        "indubit": env!("CARGO_PKG_VERSION"),
        "complete": is_complete,
        "compared": matrix.clock.word(),
        "timeout": matrix.timeout(),
        "base": matrix.configs.get(base).map(|(name, _)| name),
        "wrong": matrix.wrong().iter().map(|wrong| matrix.explain(wrong)).collect::<Vec<_>>(),
        "best_of_all": {"solved": best.solved(), "safe": best.safe, "unsafe": best.unsafe_, "par2": best.par2},
        "configurations": (0..matrix.configs.len()).map(|c| configuration(matrix, c, base)).collect::<Vec<_>>(),
        "instances": (0..matrix.instances.len()).map(|i| instance(matrix, i)).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

fn configuration(matrix: &Matrix, config: usize, base: usize) -> Value {
    let totals = totals(matrix, config);
    let names = |instances: &[usize]| -> Vec<String> {
        instances.iter().map(|&i| matrix.instances[i].name.clone()).collect()
    };
    let comparison = compare(matrix, config, base);
    json!({
        "name": matrix.configs[config].0,
        "command": matrix.configs[config].1,
        "run": totals.run,
        "solved": totals.solved(),
        "safe": totals.safe,
        "unsafe": totals.unsafe_,
        "unique": totals.unique,
        "wrong": totals.wrong,
        "failed": totals.failed,
        "seconds": totals.seconds,
        "par2": totals.par2,
        "peak_mib": totals.peak_mib,
        "against_base": {
            "gained": names(&comparison.gained),
            "lost": names(&comparison.lost),
            "solved_by_both": comparison.n_both,
            "time_ratio": comparison.ratio,
            "par2": comparison.par2,
        },
    })
}

fn instance(matrix: &Matrix, i: usize) -> Value {
    let name = &matrix.instances[i];
    let results: Map<String, Value> = (0..matrix.configs.len())
        .filter_map(|c| Some((matrix.name(c).to_owned(), result(matrix.row(i, c)?))))
        .collect();
    json!({
        "instance": name.name,
        "family": name.family,
        "expected": name.expected.map(|e| e.word()),
        "results": results,
    })
}

fn result(row: &Row) -> Value {
    let statistics: Map<String, Value> =
        row.statistics.iter().map(|(n, v)| (n.clone(), (*v).into())).collect();
    json!({
        "result": row.ending.word(),
        "seconds": row.seconds,
        "cpu_seconds": row.cpu_seconds,
        "memory_mib": row.memory_mib,
        "timeout": row.timeout,
        "memory_limit_mib": row.memory_limit_mib,
        "exit_code": row.exit_code,
        "statistics": statistics,
        "message": row.message,
    })
}

#[cfg(test)]
mod tests {
    use super::super::matrix::tests::small;
    use super::*;

    #[test]
    fn everything_is_in_it() {
        let report: Value = serde_json::from_str(&document(&small(), 0, true)).unwrap();
        assert_eq!((&report["complete"], &report["base"]), (&true.into(), &"ic3".into()));
        assert_eq!(report["configurations"][1]["against_base"]["lost"], json!(["a/1"]));
        assert_eq!(report["instances"][2]["results"]["bmc"]["result"], "memory");
        assert_eq!(report["best_of_all"]["solved"], 3);
    }
}
