//! End of a run: what ended it, from its settings and from what it has done.

use hgpo_train::config::Config;

use super::evaluation::records::{Best, EvaluationRecord};
use super::{MetricsHistory, RunDirectory, RunError};

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RunEnd {
    /// `learn.iterations`.
    Iterations,
    /// `learn.environment_steps`.
    EnvironmentSteps,
    /// `learn.patience`, as this evaluation was better than all after it.
    Patience(Best),
}

impl RunEnd {
    /// What ends a run after so many iterations, in which so many environment steps were played and these evaluations
    /// made; none if it goes on.
    pub(crate) fn of(
        config: &Config,
        iteration: u64,
        environment_steps: u64,
        evaluations: &[EvaluationRecord],
    ) -> Option<Self> {
        let learn = &config.learn;
        if iteration >= learn.iterations {
            return Some(Self::Iterations);
        }
        if config.ends_after(iteration, environment_steps) {
            return Some(Self::EnvironmentSteps);
        }
        if learn.patience == 0 {
            return None;
        }
        let best = Best::among(evaluations, &config.evaluation, config.best_by());
        best.filter(|best| best.since >= learn.patience).map(Self::Patience)
    }

    /// The same of a run that stands after so many iterations, from its files.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn read(
        directory: &RunDirectory,
        config: &Config,
        iteration: u64,
    ) -> Result<Option<Self>, RunError> {
        let steps = MetricsHistory::count_environment_steps(&directory.metrics(), iteration)?;
        let mut evaluations = EvaluationRecord::read(&directory.evaluations())?;
        evaluations.retain(|record| record.iteration <= iteration);
        Ok(Self::of(config, iteration, steps, &evaluations))
    }

    /// What the summary of a run calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Iterations => "iterations",
            Self::EnvironmentSteps => "environment_steps",
            Self::Patience(_) => Self::PATIENCE,
        }
    }

    /// What the summary calls an early end.
    pub(crate) const PATIENCE: &str = "patience";
}
