//! Sampler of episodes: a policy that plays the tasks of a run, with the run's settings.

use hgpo_core::Trajectory;
use hgpo_env::random::Stream;
use hgpo_env::{Split, Suite};

use super::collect::collect;
use super::episode::{Episode, Turn};
use super::prompt_format::{PromptError, PromptFormat};
use crate::config::Config;
use crate::policy::Policy;
use crate::{Host, TrainerError};

/// Is told how many episodes are finished; whether to go on.
pub(super) type KeepGoing<'a> = dyn Fn(usize) -> bool + Sync + 'a;

/// A policy, the tasks that it plays, and how it plays them.
#[derive(Clone, Copy)]
pub(crate) struct EpisodeSampler<'a, P> {
    pub(crate) config: &'a Config,
    pub(crate) suite: &'a dyn Suite,
    pub(crate) format: &'a dyn PromptFormat,
    pub(crate) policy: &'a P,
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
    pub(crate) fn play(
        &self,
        episodes: &mut [Episode],
        temperature: f64,
        phase: &str,
        host: &dyn Host,
    ) -> Result<bool, TrainerError> {
        let total = episodes.len();
        let keep_going = |finished| {
            host.progress(phase, finished, total);
            !host.interrupted()
        };
        self.play_while(episodes, temperature, host, &keep_going)
    }

    /// Plays episodes to their end, as long as it is to go on; false when it was not.
    pub(crate) fn play_while(
        &self,
        episodes: &mut [Episode],
        temperature: f64,
        host: &dyn Host,
        keep_going: &KeepGoing<'_>,
    ) -> Result<bool, TrainerError> {
        let policy = self.policy.acting_policy();
        let acting = EpisodeSampler { policy: policy.as_ref(), ..*self };
        collect(&acting, episodes, temperature, host.executor(), keep_going)
    }

    /// Takes the step of a turn.
    pub(crate) fn act(&self, episode: &mut Episode, turn: Turn) -> Result<(), PromptError> {
        episode.act(turn, self.format, self.config.environment.inadmissible_is_invalid)
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
