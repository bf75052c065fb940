//! A policy in training, and how it plays.

use std::sync::Arc;

use hgpo_core::Trajectory;
use hgpo_env::random::Stream;
use hgpo_env::{Split, Suite};

use super::critic::Critic;
use super::embedding::embed;
use super::{Host, LearnError};
use crate::config::Config;
use crate::policy::{AdamWSettings, Policy};
use crate::rollout::episode::Episode;
use crate::rollout::prompt::Format;
use crate::rollout::{PlaySettings, collect};

/// A policy in training, with everything that a resumed run needs.
pub struct Trainer<P: Policy> {
    pub(super) config: Config,
    pub(super) suite: Arc<dyn Suite>,
    pub(super) format: Arc<dyn Format>,
    pub(super) policy: P,
    /// What the policy is compared with, so that it does not stray from where it began.
    pub(super) reference: P,
    pub(super) optimizer: P::Optimizer,
    /// What states are worth, where a critic is asked for; none before it has learned.
    pub(super) critic: Option<Critic>,
    pub(super) iteration: u64,
}

impl<P: Policy> Trainer<P> {
    /// A trainer at iteration 0, before the warm start.
    ///
    /// # Errors
    /// When a setting does not make sense.
    pub fn new(
        config: &Config,
        suite: Arc<dyn Suite>,
        format: Arc<dyn Format>,
        policy: P,
    ) -> Result<Self, LearnError> {
        config.validate()?;
        Ok(Self {
            config: config.clone(),
            suite,
            format,
            reference: policy.reference(),
            optimizer: policy.optimizer(AdamWSettings::from(&config.learn)),
            policy,
            critic: None,
            iteration: 0,
        })
    }

    /// An episode of a task at its first step.
    pub(super) fn episode(
        &self,
        split: Split,
        task: &str,
        name: &str,
        seed: u64,
        stream: Stream,
    ) -> Result<Episode, LearnError> {
        let environment = self.suite.start(split, seed)?;
        let instruction = environment.instruction().into();
        let trajectory = Trajectory {
            environment: Some(self.suite.name().to_owned()),
            seed: Some(seed),
            extra: [("instruction".to_owned(), instruction)].into_iter().collect(),
            ..Trajectory::new(task, name, Vec::new())
        };
        Ok(Episode::new(environment, trajectory, stream))
    }

    /// Plays episodes to their end; false when interrupted.
    pub(super) fn play(
        &self,
        episodes: &mut [Episode],
        temperature: f64,
        phase: &str,
        host: &dyn Host,
    ) -> Result<bool, LearnError> {
        let play = self.at_temperature(temperature);
        let total = episodes.len();
        let keep_going = |finished| {
            host.progress(phase, finished, total);
            !host.interrupted()
        };
        let (policy, format) = (self.policy.acting(), self.format.as_ref());
        Ok(collect(policy.as_ref(), format, episodes, play, host.executor(), &keep_going)?)
    }

    /// Gives steps an embedding where the estimator compares them by it: that of the reference, which
    /// stays the same in every iteration.
    pub(super) fn embed_where_compared(
        &self,
        trajectories: &mut [Trajectory],
    ) -> Result<(), LearnError> {
        if self.config.estimator.reads_embeddings() {
            embed(&self.reference, self.format.as_ref(), trajectories)?;
        }
        Ok(())
    }

    /// How this run plays.
    pub(super) fn at_temperature(&self, temperature: f64) -> PlaySettings {
        PlaySettings {
            temperature,
            max_response_tokens: self.config.rollout.max_response_tokens,
            batch_size: self.config.rollout.batch_size,
            batches: self.config.rollout.batches,
            inadmissible_is_invalid: self.config.environment.inadmissible_is_invalid,
        }
    }
}
