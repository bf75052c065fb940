//! Run progress: iterations and environment steps done, and those left.

use hgpo_train::config::Config;

/// Iterations and environment steps, done and to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunProgress {
    iteration: u64,
    iterations: u64,
    environment_steps: u64,
    /// 0 if the run ends by iterations alone.
    budget: u64,
}

impl RunProgress {
    /// What lies ahead after so many iterations, in which so many environment steps were played.
    pub(crate) fn new(config: &Config, iteration: u64, environment_steps: u64) -> Self {
        let learn = &config.learn;
        Self {
            iteration,
            iterations: learn.iterations,
            environment_steps,
            budget: learn.environment_steps,
        }
    }

    /// Iterations left, if those to come play as many steps as those so far.
    pub(crate) fn left(&self) -> f64 {
        let by_iterations = self.iterations.saturating_sub(self.iteration) as f64;
        let each = self.environment_steps as f64 / self.iteration as f64;
        if self.budget == 0 || !each.is_normal() {
            return by_iterations;
        }
        let steps = self.budget.saturating_sub(self.environment_steps) as f64;
        by_iterations.min((steps / each).ceil())
    }
}

impl std::fmt::Display for RunProgress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { iteration, iterations, environment_steps, budget } = self;
        let width = iterations.to_string().len();
        match budget {
            0 => write!(f, "{iteration:>width$}/{iterations}"),
            _ => write!(f, "{iteration:>width$} ({environment_steps}/{budget} steps)"),
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
        assert_eq!(RunProgress::new(&config, 4, 400).left(), 6.0);
        config.learn.environment_steps = 650; // 100 an iteration: after the seventh
        let progress = RunProgress::new(&config, 4, 400);
        assert_eq!((progress.left(), progress.to_string()), (3.0, " 4 (400/650 steps)".into()));
        assert_eq!(RunProgress::new(&config, 7, 700).left(), 0.0);
        assert_eq!(RunProgress::new(&config, 0, 0).left(), 10.0);
        config.learn.environment_steps = 650_000;
        assert_eq!(RunProgress::new(&config, 4, 400).left(), 6.0);
    }
}
