//! The bits of the advantages of rollouts, under every estimator and every value of its options, the
//! metrics of a training with a table, the answers of the page's worker, and what the page reads of a file.
//!
//! The same code runs on the host (the program beside this library, and `hgpo train`) and as wasm; the
//! tests in `scripts/wasm` compare what both say, line by line.

mod variants;

use std::error::Error;
use std::fmt::Write as _;

use hgpo_core::{Batch, Discount, Options, Signal, Trajectory, estimate, format};
use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy};
use serde_json::json;
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

/// What the page makes of a file's bytes, with columns named as on the command line, as a JSON object: `advantages`, the
/// lines that it saves with the default estimator, and `remarks` on rows that may be wrong; or `refused`, why it does not
/// open the file.
#[wasm_bindgen]
#[must_use]
pub fn page(file: &[u8], columns: &str) -> String {
    let named = if columns.is_empty() { Ok(format::Columns::default()) } else { columns.parse() };
    let layout = named.map(|columns| format::Layout { columns, ..format::Layout::default() });
    let layout = layout.map_err(|why| why.to_string());
    match layout.and_then(|layout| format::read_log(file, &layout)) {
        Ok((_, trajectories, noticed)) => {
            // None would be a defect of the page: it reads what is no batch.
            let (advantages, signal) = advantages(trajectories).unzip();
            let remarks: Vec<String> = noticed
                .remarks()
                .chain(signal.and_then(|signal: Signal| signal.remark()))
                .collect();
            json!({"advantages": advantages, "remarks": remarks}).to_string()
        }
        Err(why) => json!({"refused": why}).to_string(),
    }
}

fn advantages(trajectories: Vec<Trajectory>) -> Option<(String, Signal)> {
    let batch = Batch::new(trajectories).ok()?;
    let estimate = estimate(&batch, &Options::default()).ok()?;
    let mut lines = Vec::new();
    format::write_advantages(&mut lines, &batch, &estimate).ok()?;
    let mut signal = Signal::default();
    signal.observe(&batch, &estimate);
    Some((String::from_utf8(lines).ok()?, signal))
}

/// The metrics of all iterations of a run whose `config.toml` this is, one JSON object a line; what
/// went wrong as text, if something did.
#[wasm_bindgen]
#[must_use]
pub fn training(config: &str) -> String {
    metrics(config).unwrap_or_else(|error| format!("{error}\n"))
}

fn metrics(config: &str) -> Result<String, Box<dyn Error>> {
    let config: Config = toml::from_str(config)?;
    let suite = hgpo_env::suite(&config.environment, None)?;
    let (policy, format) = initial_policy::table(&config);
    let mut trainer = Trainer::new(&config, suite, format, policy)?;
    trainer.warm_start(&Sequential)?;
    let mut lines = String::new();
    while trainer.iteration() < config.learn.iterations {
        let iteration = trainer.iterate(&Sequential)?.ok_or("nobody stops it")?;
        lines += &serde_json::to_string(&iteration.metrics)?;
        lines.push('\n');
    }
    Ok(lines)
}
