//! When a run ends and is evaluated, and what evaluations add to the metrics.

use hgpo_env::Split;

use super::Metrics;
use crate::config::Config;

/// The splits that are evaluated, in the order they are reported.
pub const SPLITS: [Split; 2] = [Split::Seen, Split::Unseen];

impl Config {
    /// Whether training ends after so many iterations, in which so many environment steps were played.
    #[must_use]
    pub fn ends_after(&self, iteration: u64, environment_steps: u64) -> bool {
        let budget = self.learn.environment_steps;
        iteration >= self.learn.iterations || (budget != 0 && environment_steps >= budget)
    }

    /// Whether the policy is evaluated after so many iterations and environment steps: before the first, after
    /// the last, and every `evaluation.every`.
    #[must_use]
    pub fn evaluates_after(&self, iteration: u64, environment_steps: u64) -> bool {
        let every = self.evaluation.every;
        let is_due = every != 0 && iteration.is_multiple_of(every);
        iteration == 0 || is_due || self.ends_after(iteration, environment_steps)
    }
}

/// Adds the means over the evaluation seeds of a split to the metrics: the fraction of episodes that were won,
/// and the steps of an episode.
pub fn add_evaluated(metrics: &mut Metrics, split: Split, success_rate: f64, mean_length: f64) {
    if split == SPLITS[0] {
        metrics.insert("eval/success_rate".into(), success_rate.into());
    }
    let prefix = format!("eval/{}", split.name());
    metrics.insert(format!("{prefix}/success_rate"), success_rate.into());
    metrics.insert(format!("{prefix}/episode_length/mean"), mean_length.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_split_stands_for_all() {
        let mut metrics = Metrics::new();
        add_evaluated(&mut metrics, Split::Seen, 0.5, 7.0);
        add_evaluated(&mut metrics, Split::Unseen, 0.25, 8.0);
        assert_eq!(
            serde_json::to_string(&metrics).unwrap(),
            r#"{"eval/success_rate":0.5,"eval/seen/success_rate":0.5,"eval/seen/episode_length/mean":7.0,"eval/unseen/success_rate":0.25,"eval/unseen/episode_length/mean":8.0}"#
        );
    }

    #[test]
    fn evaluations_come_first_last_and_in_between() {
        let mut config = Config::default();
        config.learn.iterations = 7;
        let due = |config: &Config| -> Vec<u64> {
            (0..=7).filter(|&done| config.evaluates_after(done, 100 * done)).collect()
        };
        assert_eq!(due(&config), [0, 7]);
        config.evaluation.every = 3;
        assert_eq!(due(&config), [0, 3, 6, 7]);
        // 100 steps an iteration.
        config.learn.environment_steps = 500;
        assert_eq!(due(&config), [0, 3, 5, 6, 7]);
    }

    #[test]
    fn a_run_ends_by_its_iterations_or_its_steps_whichever_is_first() {
        let mut config = Config::default();
        config.learn.iterations = 7;
        assert!(config.ends_after(7, 0) && !config.ends_after(6, u64::MAX));
        config.learn.environment_steps = 1000;
        assert!(config.ends_after(6, 1000) && config.ends_after(7, 0));
        assert!(!config.ends_after(6, 999));
    }
}
