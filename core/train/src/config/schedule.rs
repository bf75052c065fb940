//! Learning rate over the iterations: a rise, then a schedule.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::LearnConfig;

/// How the learning rate changes from the first iteration to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Not at all.
    Constant,
    /// It falls on a line to `final_learning_rate_fraction` of it.
    #[default]
    Linear,
    /// It falls to the same along half a period of a cosine: slowly, fast, slowly.
    Cosine,
}

impl Schedule {
    /// The share of the learning rate at a share of the run, both from 0 to 1.
    ///
    /// # Formula
    /// `constant`: 1; `linear`: 1 − (1 − f) p; `cosine`: f + (1 − f) (1 + cos π p) / 2 (SGDR, arXiv 1608.03983, equation 5,
    /// without restarts), where f is the share that is left in the end.
    #[must_use]
    pub fn share(self, progress: f64, last: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Linear => 1.0 - (1.0 - last) * progress,
            Self::Cosine => last + (1.0 - last) * 0.5 * (1.0 + libm::cos(PI * progress)),
        }
    }
}

impl LearnConfig {
    /// The learning rate of an iteration, counted from 1.
    #[must_use]
    pub fn learning_rate_of(&self, iteration: u64) -> f64 {
        let last = self.iterations.saturating_sub(1).max(1) as f64;
        let progress = (iteration.saturating_sub(1) as f64 / last).min(1.0);
        let rise = iteration as f64 / self.warmup_iterations.max(1) as f64;
        let share = self.schedule.share(progress, self.final_learning_rate_fraction);
        self.learning_rate * rise.min(1.0) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(schedule: Schedule) -> LearnConfig {
        LearnConfig {
            iterations: 11,
            learning_rate: 1.0,
            warmup_iterations: 0,
            final_learning_rate_fraction: 0.5,
            schedule,
            ..LearnConfig::default()
        }
    }

    fn check(learn: &LearnConfig, expected: [(u64, f64); 4]) {
        for (iteration, expected) in expected {
            let rate = learn.learning_rate_of(iteration);
            assert!((rate - expected).abs() < 1e-12, "{iteration}: {rate}, not {expected}");
        }
    }

    #[test]
    fn the_learning_rate_falls_as_the_schedule_says_and_then_stays() {
        check(&learn(Schedule::Linear), [(1, 1.0), (6, 0.75), (11, 0.5), (20, 0.5)]);
        check(&learn(Schedule::Constant), [(1, 1.0), (6, 1.0), (11, 1.0), (20, 1.0)]);
        // A quarter of the way: cos 45° = √½.
        let quarter = 0.75 + 0.25 * 0.5_f64.sqrt();
        let cosine = LearnConfig { iterations: 9, ..learn(Schedule::Cosine) };
        check(&cosine, [(1, 1.0), (3, quarter), (5, 0.75), (9, 0.5)]);
    }

    #[test]
    fn each_schedule_rises_first() {
        let rising = |schedule| LearnConfig { warmup_iterations: 4, ..learn(schedule) };
        check(&rising(Schedule::Linear), [(1, 0.25), (2, 0.475), (4, 0.85), (6, 0.75)]);
        check(&rising(Schedule::Constant), [(1, 0.25), (2, 0.5), (4, 1.0), (6, 1.0)]);
        let cosine = LearnConfig { iterations: 9, ..rising(Schedule::Cosine) };
        check(&cosine, [(1, 0.25), (5, 0.75), (9, 0.5), (99, 0.5)]);
    }
}
