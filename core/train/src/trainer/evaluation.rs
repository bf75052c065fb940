//! Evaluation on held-out tasks: when it is due, how tasks are played, and what the metrics have of it.

use hgpo_core::Trajectory;
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use super::Metrics;
use crate::TrainerError;
use crate::config::Config;
use crate::policy::Policy;
use crate::policy::sampling::Sampling;
use crate::rollout::episode::Episode;
use crate::rollout::episode_sampler::EpisodeSampler;

/// How held-out tasks are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationPlan {
    /// Which tasks.
    pub split: Split,
    /// Names the tasks and the sampling.
    pub seed: u64,
    /// Tasks, one episode each.
    pub tasks: usize,
    /// Which attempt at them, from 0: attempts differ in what is drawn, not in the tasks.
    pub attempt: u64,
    /// How tokens are drawn.
    pub sampling: Sampling,
}

/// Success on held-out tasks.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Which tasks.
    pub split: Split,
    /// Names the tasks and the sampling.
    pub seed: u64,
    /// Episodes played, one a task.
    pub episodes: usize,
    /// Episodes that completed their task.
    pub successes: usize,
    /// Steps an episode.
    pub mean_length: f64,
    /// How much of its task an episode did, from 0 to 1: 0 or 1 if the environment tells no more.
    pub mean_score: f64,
    /// The episodes.
    pub trajectories: Vec<Trajectory>,
}

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

/// Plays held-out tasks without learning.
pub(super) fn evaluate<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    plan: &EvaluationPlan,
) -> Result<Evaluation, TrainerError> {
    let &EvaluationPlan { split, seed, tasks, attempt, sampling } = plan;
    // The first attempt is what it was when there was no other.
    let drawn = (attempt << 8) | split as u64;
    let task_seed = |task| sampler.suite.evaluation_task(split, seed, task);
    (0..tasks).for_each(|task| sampler.suite.announce(split, task_seed(task)));
    let mut episodes: Vec<Episode> = (0..tasks)
        .map(|task| {
            let stream = Stream::new(seed, Purpose::Sampling, [drawn, task as u64]);
            let (name, attempt) = (format!("t{task:03}"), attempt.to_string());
            sampler.start(split, &name, &attempt, task_seed(task), stream)
        })
        .collect::<Result<_, _>>()?;
    EpisodeSampler { sampling, ..*sampler }.play(&mut episodes, "evaluate")?;
    let steps: usize = episodes.iter().map(|e| e.trajectory.steps.len()).sum();
    let score: f64 = episodes.iter().map(Episode::score).sum();
    Ok(Evaluation {
        split,
        seed,
        episodes: episodes.len(),
        successes: episodes.iter().filter(|e| e.won).count(),
        mean_length: steps as f64 / episodes.len().max(1) as f64,
        mean_score: score / episodes.len().max(1) as f64,
        trajectories: episodes.into_iter().map(|e| e.trajectory).collect(),
    })
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
    fn metrics_of_the_first_split_stand_for_all() {
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
        // 100 steps per iteration.
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
