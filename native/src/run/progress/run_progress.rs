//! Run progress: iterations and environment steps done, and those left.

use hgpo_train::config::{Config, LearnConfig};

/// Iterations and environment steps, done and to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunProgress<'a> {
    learn: &'a LearnConfig,
    iteration: u64,
    environment_steps: u64,
}

impl<'a> RunProgress<'a> {
    /// What lies ahead after so many iterations, in which so many environment steps were played.
    pub(crate) fn new(config: &'a Config, iteration: u64, environment_steps: u64) -> Self {
        Self { learn: &config.learn, iteration, environment_steps }
    }

    /// Iterations left, if those to come play as many steps as those so far.
    pub(crate) fn iterations_left(&self) -> f64 {
        let Self { learn, iteration, environment_steps } = self;
        let by_iterations = learn.iterations.saturating_sub(*iteration) as f64;
        let each = *environment_steps as f64 / *iteration as f64;
        if learn.environment_steps == 0 || !each.is_normal() {
            return by_iterations;
        }
        let steps = learn.environment_steps.saturating_sub(*environment_steps) as f64;
        by_iterations.min((steps / each).ceil())
    }
}

impl std::fmt::Display for RunProgress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { learn, iteration, environment_steps } = self;
        let iterations = learn.iterations;
        let width = iterations.to_string().len();
        match learn.environment_steps {
            0 => write!(f, "{iteration:>width$}/{iterations}"),
            budget => write!(f, "{iteration:>width$} ({environment_steps}/{budget} steps)"),
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;

    #[test]
    fn run_ends_with_iterations_or_steps_whichever_is_first() {
        let mut config = Config::default();
        config.learn.iterations = 10;
        assert_eq!(RunProgress::new(&config, 4, 400).iterations_left(), 6.0);
        config.learn.environment_steps = 650; // 100 an iteration: after the seventh
        let progress = RunProgress::new(&config, 4, 400);
        assert_eq!(
            (progress.iterations_left(), progress.to_string()),
            (3.0, " 4 (400/650 steps)".into())
        );
        assert_eq!(RunProgress::new(&config, 7, 700).iterations_left(), 0.0);
        assert_eq!(RunProgress::new(&config, 0, 0).iterations_left(), 10.0);
        config.learn.environment_steps = 650_000;
        assert_eq!(RunProgress::new(&config, 4, 400).iterations_left(), 6.0);
    }
}
