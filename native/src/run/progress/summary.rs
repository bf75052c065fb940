//! Summary of a run: `summary.json`, and the table at its end.

use std::fmt::Write as _;

use hgpo_train::config::Config;
use hgpo_train::trainer::SPLITS;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::cost::RunCost;
use crate::run::evaluation::records::{Evaluations, MeanSuccess};
use crate::run::storage::atomic_write;
use crate::run::{MetricsHistory, RunDirectory, RunError};

/// The numbers that outlive a run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    run: String,
    environment: String,
    estimator: String,
    seed: u64,
    device: String,
    parameters: usize,
    iterations: u64,
    environment_steps: u64,
    #[serde(rename = "seconds/training")]
    seconds: f64,
    #[serde(flatten)]
    cost: RunCost,
    evaluations: Map<String, Value>,
}

impl Summary {
    /// Gathers the summary of a finished run.
    #[must_use]
    pub fn new(
        directory: &RunDirectory,
        config: &Config,
        device: &str,
        parameters: usize,
        history: &MetricsHistory,
        evaluations: &Evaluations,
        cost: RunCost,
    ) -> Self {
        let iterations = history.iterations();
        let by_split = SPLITS.map(|split| {
            let (before, after) = (evaluations.at(0, split), evaluations.at(iterations, split));
            (split.name().to_owned(), json!({"before": before, "after": after}))
        });
        Self {
            run: directory.root().display().to_string(),
            environment: config.environment.name.clone(),
            estimator: config.estimator.name().to_owned(),
            seed: config.seed,
            device: device.into(),
            parameters,
            iterations,
            environment_steps: history.environment_steps(),
            seconds: history.seconds(),
            cost,
            evaluations: by_split.into_iter().collect(),
        }
    }

    /// Writes `summary.json`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, directory: &RunDirectory) -> Result<(), RunError> {
        let path = directory.summary();
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| RunError::write(&path)(error.into()))?;
        text.push(b'\n');
        atomic_write::replace(&path, &text)
    }

    /// Seconds that the iterations took, evaluations apart.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Success before and after, a line a split.
#[must_use]
pub fn table(evaluations: &Evaluations, iterations: u64) -> String {
    let mut text = format!("{:<8}{:<18}{:<18}steps of an episode", "success", "before", "after");
    for split in SPLITS {
        let (before, after) = (evaluations.at(0, split), evaluations.at(iterations, split));
        let rate = |of: Option<MeanSuccess>| of.map_or_else(|| "-".into(), |of| of.to_string());
        let length = |of: Option<MeanSuccess>| {
            of.map_or_else(|| "-".into(), |of| format!("{:.1}", of.mean_length))
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n{:<8}{:<18}{:<18}{} before, {} after",
            split.name(),
            rate(before),
            rate(after),
            length(before),
            length(after)
        );
    }
    if evaluations.left_out() > 0 {
        text += "\n(evaluations with other tasks, seeds or temperature, made before these settings were \
                 changed, are left out)";
    }
    text
}
