//! Sampler of episodes: a policy that plays the tasks of a run, with the run's settings.

use hgpo_core::Trajectory;
use hgpo_env::random::Stream;
use hgpo_env::{Split, Suite};

use super::collect::collect;
use super::episode::{Episode, Turn};
use super::prompt_format::PromptFormat;
use crate::config::Config;
use crate::host::check_interrupted;
use crate::policy::sampling::Sampling;
use crate::policy::{Policy, PolicyError};
use crate::{Host, TrainerError};

/// Is told how many responses are done, those that an ended episode did not need included; an error if the episodes are
/// not to go on.
pub(crate) type KeepGoing<'a> = dyn Fn(usize) -> Result<(), PolicyError> + Sync + 'a;

/// A policy, the tasks that it plays, how it plays them, and where.
#[derive(Clone, Copy)]
pub(crate) struct EpisodeSampler<'a, P> {
    pub(crate) config: &'a Config,
    pub(crate) suite: &'a dyn Suite,
    pub(crate) format: &'a dyn PromptFormat,
    pub(crate) policy: &'a P,
    pub(crate) sampling: Sampling,
    pub(crate) host: &'a dyn Host,
}

impl<P: Policy> EpisodeSampler<'_, P> {
    /// An episode of a task at its first step.
    pub(crate) fn start(
        &self,
        split: Split,
        task: &str,
        name: &str,
        seed: u64,
        stream: Stream,
    ) -> Result<Episode, TrainerError> {
        let environment = self.unless_stopped(self.suite.start(split, seed).map_err(Into::into))?;
        let instruction = environment.instruction().into();
        let trajectory = Trajectory {
            environment: Some(self.suite.name().to_owned()),
            seed: Some(seed),
            extra: [("instruction".to_owned(), instruction)].into_iter().collect(),
            ..Trajectory::new(task, name, Vec::new())
        };
        Ok(Episode::new(environment, trajectory, stream))
    }

    /// Plays episodes to their end.
    pub(crate) fn play(&self, episodes: &mut [Episode], phase: &str) -> Result<(), TrainerError> {
        let total = episodes.len().saturating_mul(self.config.environment.max_steps);
        self.play_with_progress(episodes, &|responses| self.host.progress(phase, responses, total))
    }

    /// Plays episodes to their end; `progress` is told how many responses are done, at most `environment.max_steps` an episode.
    pub(crate) fn play_with_progress(
        &self,
        episodes: &mut [Episode],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<(), TrainerError> {
        let policy = self.policy.acting_policy();
        let acting = EpisodeSampler { policy: policy.as_ref(), ..*self };
        collect(&acting, episodes, &|responses| {
            progress(responses);
            check_interrupted(self.host)
        })
    }

    /// Takes the step of a turn.
    pub(crate) fn act(&self, episode: &mut Episode, turn: Turn) -> Result<(), TrainerError> {
        let is_invalid = self.config.environment.inadmissible_is_invalid;
        self.unless_stopped(episode.act(turn, self.format, is_invalid))
    }

    /// What an environment did; one outside this process may have failed because the user asked to stop.
    pub(super) fn unless_stopped<T>(
        &self,
        found: Result<T, TrainerError>,
    ) -> Result<T, TrainerError> {
        if found.is_err() {
            check_interrupted(self.host)?;
        }
        found
    }

    /// Where an episode is after turns that were played before.
    pub(crate) fn replay(
        &self,
        mut episode: Episode,
        turns: &[Turn],
    ) -> Result<Episode, TrainerError> {
        for turn in turns {
            self.act(&mut episode, turn.clone())?;
        }
        Ok(episode)
    }
}
