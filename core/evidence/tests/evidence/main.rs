//! Statistics as their users see them.
#![allow(clippy::float_cmp, reason = "exact ends and hand-derived numbers are what is tested")]

mod bootstrap;
mod by_hand;
mod curves;
mod hostile;
mod properties;
mod rliable;

use hgpo_evidence::Scores;

/// Scores of runs on one task.
fn single(scores: &[f64]) -> Scores {
    Scores::single_task(scores).expect("valid")
}

/// Scores of runs (rows) on tasks (columns).
fn rows<const TASKS: usize>(rows: &[[f64; TASKS]]) -> Scores {
    Scores::new(rows.iter().map(|row| row.to_vec()).collect()).expect("valid")
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-12 * (1.0 + expected.abs())
}
