//! The bits of the advantages of rollouts, under every estimator and every value of its options, the
//! metrics of a training with a table, the answers of the page's worker, and what the page reads of a file.
//!
//! The same code runs on the host (the program beside this library, and `hgpo train`) and as wasm; the
//! tests in `scripts/wasm` compare what both say, line by line.

use hgpo_core::{
    Batch, Declaration, Discount, Estimator, Kind, Options, Signal, Trajectory, estimate, format,
};
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy};
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Write as _;
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
    for (name, estimator) in variants() {
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

/// Variants of an estimator with many options changed.
const MIXED: u64 = 12;

/// The estimators, with how they differ from the default as a name.
fn variants() -> Vec<(String, Estimator)> {
    let mut variants = Vec::new();
    for default in Estimator::all() {
        let name = default.name();
        variants.push((name.to_owned(), default.clone()));
        for option in default.declarations() {
            for value in values(&option) {
                let only = |it: &Declaration| (it.name == option.name).then(|| value.clone());
                variants.extend(chosen(name, only));
            }
        }
        for seed in 0..MIXED {
            let mut stream = Stream::new(seed, Purpose::Sampling, [0, 0]);
            variants.extend(chosen(name, |option| {
                let values = values(option);
                values.get(stream.below((2 * values.len()).max(1))).cloned()
            }));
        }
    }
    variants
}

/// The estimator of these choices, if they are any.
fn chosen(
    name: &str,
    choose: impl FnMut(&Declaration) -> Option<Value>,
) -> Option<(String, Estimator)> {
    let estimator = Estimator::with_choices(name, choose).ok()?;
    let changed = Value::Object(estimator.changed());
    let inside = estimator.get("inside").map(|inside| format!(" {inside}")).unwrap_or_default();
    Some((format!("{name}{inside} {changed}"), estimator))
}

/// Values of an option that are unlike each other.
fn values(option: &Declaration) -> Vec<Value> {
    match option.kind {
        Kind::Integer { .. } => [0, 1, 4].map(Value::from).into(),
        Kind::Number { most: 1.0, .. } => [0.0, 0.37, 0.83].map(Value::from).into(),
        Kind::Number { .. } => [0.0, 0.6, 1.7].map(Value::from).into(),
        Kind::Flag => vec![true.into()],
        Kind::Choice(names) => names.iter().map(|&name| name.into()).collect(),
        Kind::Estimator => Estimator::NAMES.iter().map(|&name| name.into()).collect(),
        _ => Vec::new(),
    }
}
