//! A training with a table, from the settings of a run.

use std::error::Error;

use hgpo_train::config::Config;
use hgpo_train::executor::Sequential;
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy};
use wasm_bindgen::prelude::wasm_bindgen;

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
