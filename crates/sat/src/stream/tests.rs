//! What was recorded is what is replayed, and no bytes make the reader panic.

use super::{HEADER, Rebuilt, Recorded, Stream, replay};
use crate::{Cadical, Cdcl, Circuit, Config, RelConfig, RelSolver, Solve, SolveWith, Unassign};
use indubit_logic::{Lit, Var};
use indubit_run::{Cancel, Sink};
use std::io::Write;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn lit(code: u32) -> Lit {
    Lit::from_code(code)
}

/// A few events of every kind, with a large variable among them.
fn recording() -> Vec<u8> {
    let bytes = Bytes::default();
    let sink = Sink::new(Box::new(bytes.clone()));
    for _ in 0..2 {
        let solver = RelSolver::new(&Cancel::new(), RelConfig::default());
        let mut first = Recorded::new(solver.clone(), Some(&sink));
        first.define_and(lit(20_000).var(), lit(2), lit(5));
        let mut second = first.clone();
        let mut third = second.beside(solver);
        second.add_clause(&[lit(2), lit(6)]);
        assert_eq!(second.solve(&[lit(20_001), lit(6)]), Ok(true));
        second.unassign(&mut vec![lit(6)]);
        assert_eq!(second.solve_with(&[lit(3)], &[lit(20_000)]), Ok(false));
        assert_eq!(third.solve_with(&[lit(3)], &[lit(20_000)]), Ok(true));
        assert_eq!(first.solve(&[lit(20_000), lit(8)]), Ok(true));
    }
    assert!(sink.finish().is_ok());
    bytes.0.lock().unwrap().clone()
}

#[test]
fn every_solver_gives_the_recorded_answers() {
    let stream = Stream::read(&recording()).unwrap();
    assert_eq!(stream.n_queries(), 8);
    let config = RelConfig::default();
    let cadical = || Cadical::new(Config::Default, &Cancel::new());
    for report in [
        replay(&stream, true, || RelSolver::new(&Cancel::new(), config)),
        replay(&stream, false, || RelSolver::new(&Cancel::new(), RelConfig { cones: false, ..config })),
        replay(&stream, true, || Rebuilt::new(|| Cdcl::new(&Cancel::new(), 0))),
        replay(&stream, true, || Rebuilt::new(cadical)),
    ] {
        let report = report.unwrap();
        assert_eq!((report.satisfiable, report.unsatisfiable, report.disagreements), (6, 2, 0));
        assert_eq!(report.core_lits, 2);
    }
}

#[test]
fn damaged_files_are_refused() {
    let good = recording();
    let error = |bytes: &[u8]| Stream::read(bytes).unwrap_err().to_string();
    assert!(error(b"").contains("`indubit queries 1` at byte 0"));
    assert!(error(&good[..good.len() - 1]).contains("cut off"));
    assert!(error(&[HEADER.as_bytes(), &[77]].concat()).contains("a tag at byte 18"));
    assert!(error(&[HEADER.as_bytes(), &[4, 0]].concat()).contains("number of a solver"));
    assert!(error(&[HEADER.as_bytes(), &[1, 4, 0, 1, 3]].concat()).contains("a literal before"));
    assert!(error(&[HEADER.as_bytes(), &[1, 3, 0, 1, 4, 0]].concat()).contains("two fanins"));
    assert!(
        error(&[HEADER.as_bytes(), &[1, 4, 0, 255, 255, 255, 255, 255, 1]].concat()).contains("five bytes")
    );
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        let mut bytes = good.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(HEADER.len()..bytes.len());
            bytes[at] = rng.u8(..);
        }
        if let Ok(stream) = Stream::read(&bytes) {
            assert!(stream.lits.iter().all(|l| l.var() <= Var::from_index(bytes.len())));
        }
    }
}
