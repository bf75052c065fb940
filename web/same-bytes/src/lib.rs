//! The bits of the advantages of rollouts, under every estimator and every value of its options, the
//! metrics of a training with a table, the answers of the page's worker, and what the page reads of a file.
//!
//! The same code runs on the host (the program beside this library, and `hgpo train`) and as wasm; the
//! tests in `scripts/wasm` compare what both say, line by line.

mod page;
mod training;
mod variants;

pub use page::page;
pub use training::training;

use std::fmt::Write as _;

use hgpo_core::{Batch, Discount, Options, estimate, format};
use wasm_bindgen::prelude::wasm_bindgen;

/// What the page's worker answers.
#[wasm_bindgen]
#[must_use]
pub fn worker(request: &str) -> String {
    hgpo_worker::process::answer(request)
}

/// A line for every trajectory and every variant of the estimators: the variant, task and
/// trajectory, and the bits of its returns and advantages. A refusal is a line as well.
#[wasm_bindgen]
#[must_use]
pub fn bits(rollouts: &str, discount: f64, invalid_penalty: f64) -> String {
    let mut text = String::new();
    let batch = format::read(rollouts.as_bytes()).and_then(Batch::new);
    let (batch, discount) = match (batch, Discount::new(discount)) {
        (Ok(batch), Ok(discount)) => (batch, discount),
        (Err(error), _) | (_, Err(error)) => return format!("{error}\n"),
    };
    for (name, estimator) in variants::all() {
        let options = Options { discount, invalid_penalty, estimator };
        let estimate = match estimate(&batch, &options) {
            Ok(estimate) => estimate,
            Err(error) => {
                write_line(&mut text, &format!("{name}: {error}"), &[]);
                continue;
            }
        };
        for (index, trajectory) in batch.trajectories().iter().enumerate() {
            let place = format!("{name} {}/{}:", trajectory.task, trajectory.trajectory);
            let numbers = [&estimate.returns[index][..], &estimate.advantages[index]].concat();
            write_line(&mut text, &place, &numbers);
        }
    }
    text
}

fn write_line(text: &mut String, start: &str, numbers: &[f64]) {
    text.push_str(start);
    for number in numbers {
        // Writing to a string does not fail.
        let _ = write!(text, " {:016x}", number.to_bits());
    }
    text.push('\n');
}
