//! Groups of an iteration, and which of them are drawn again.
//!
//! Dynamic sampling (Yu et al. 2025, DAPO, arXiv 2503.14476): a group whose episodes all earned the
//! same teaches GRPO nothing, so that another task is drawn in its place. Rewards are compared exactly
//! and before any penalty, and what the last round draws is kept, as verl-agent's `filter_groups` does.

use hgpo_core::Trajectory;
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use super::episode::Episode;
use super::episode_sampler::EpisodeSampler;
use crate::TrainerError;
use crate::config::AgentRewards;
use crate::policy::Policy;

/// What was played for an iteration.
#[derive(Default)]
pub(crate) struct SampledGroups {
    /// The episodes to learn from, group by group.
    pub(crate) episodes: Vec<Episode>,
    /// The number of each episode's stream.
    pub(crate) streams: Vec<u64>,
    /// The episodes of whole teams, if those to learn from are of one agent each.
    pub(crate) of_teams: Option<Vec<Trajectory>>,
    /// Groups that were drawn again.
    pub(crate) dropped: usize,
    /// Steps of all episodes, those of groups that were drawn again included.
    pub(crate) environment_steps: usize,
}

impl<P: Policy> EpisodeSampler<'_, P> {
    /// Plays `rollout.tasks` groups of `rollout.group_size` episodes from the same start.
    pub(crate) fn sample_groups(&self, iteration: u64) -> Result<SampledGroups, TrainerError> {
        let rollout = &self.config.rollout;
        let (tasks, size) = (rollout.tasks, rollout.group_size);
        let rewards = self.config.learn.agent_rewards;
        let mut groups: Vec<Option<(Vec<Episode>, usize)>> = (0..tasks).map(|_| None).collect();
        let mut played = SampledGroups::default();
        for round in 0..=rollout.dynamic_sampling {
            let open: Vec<usize> = (0..tasks).filter(|&task| groups[task].is_none()).collect();
            let drawn = open.iter().map(|&task| (task, round * tasks + task));
            let mut episodes = self.start_groups(iteration, drawn)?;
            self.play(&mut episodes, "rollout")?;
            played.environment_steps +=
                episodes.iter().map(|episode| episode.trajectory.steps.len()).sum::<usize>();
            let mut episodes = episodes.into_iter();
            for task in open {
                let group: Vec<Episode> = episodes.by_ref().take(size).collect();
                if round == rollout.dynamic_sampling || has_signal(&group, rewards) {
                    groups[task] = Some((group, round * tasks + task));
                } else {
                    played.dropped += 1;
                }
            }
        }
        for (group, draw) in groups.into_iter().flatten() {
            for (member, episode) in group.into_iter().enumerate() {
                let stream = (draw * size + member) as u64;
                if rewards == AgentRewards::Own {
                    let of_teams = played.of_teams.get_or_insert_default();
                    of_teams.push(episode.trajectory.clone());
                }
                let parts = episode.learned_from(rewards)?;
                played.streams.extend(parts.iter().map(|_| stream));
                played.episodes.extend(parts);
            }
        }
        Ok(played)
    }

    /// The episodes of tasks at their first step, group by group; a task comes with the number of what was drawn in an
    /// iteration.
    pub(crate) fn start_groups(
        &self,
        iteration: u64,
        drawn: impl Iterator<Item = (usize, usize)>,
    ) -> Result<Vec<Episode>, TrainerError> {
        let (config, size) = (self.config, self.config.rollout.group_size);
        let seed = |draw| self.suite.training_task(config.seed, iteration, draw);
        let drawn: Vec<(usize, usize)> = drawn.collect();
        for &(_, draw) in &drawn {
            (0..size).for_each(|_| self.suite.announce(Split::Train, seed(draw)));
        }
        let group = |(task, draw): (usize, usize)| {
            let seed = seed(draw);
            (0..size).map(move |member| {
                let index = (draw * size + member) as u64;
                let stream = Stream::new(config.seed, Purpose::Sampling, [iteration, index]);
                let name = format!("g{task:02}");
                self.start(Split::Train, &name, &format!("{name}t{member}"), seed, stream)
            })
        };
        drawn.into_iter().flat_map(group).collect()
    }
}

/// Whether the rewards of its episodes differ.
fn has_signal(group: &[Episode], rewards: AgentRewards) -> bool {
    let bits = |episode: &Episode| -> Vec<u64> {
        // Zero has two signs.
        episode.sums(rewards).into_iter().map(|sum| (sum + 0.0).to_bits()).collect()
    };
    let mut all = group.iter().map(bits);
    let first = all.next();
    all.any(|one| first.as_ref().is_some_and(|first| *first != one))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Config;
    use crate::executor::Sequential;
    use crate::policy::table::TablePolicy;
    use crate::test_environment::CoinSuite;
    use crate::trainer::{Learner as _, Trainer, initial_policy};

    fn trainer(dynamic_sampling: usize, group_size: usize) -> Trainer<TablePolicy> {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.rollout.tasks = 8;
        config.rollout.group_size = group_size;
        config.rollout.dynamic_sampling = dynamic_sampling;
        let (policy, format) = initial_policy::table(&config);
        Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy).unwrap()
    }

    fn has_signal(group: &[Episode]) -> bool {
        super::has_signal(group, AgentRewards::Team)
    }

    fn played(dynamic_sampling: usize, group_size: usize) -> SampledGroups {
        trainer(dynamic_sampling, group_size).sampler(&Sequential).sample_groups(1).unwrap()
    }

    #[test]
    fn groups_without_signal_are_drawn_again_and_their_cost_counted() {
        // Two tosses of a coin agree half of the time: of 8 groups, 4 are expected to be dropped.
        let once = played(0, 2);
        assert_eq!((once.dropped, once.environment_steps), (0, 8 * 2 * 2));
        assert_eq!(once.streams, (0..16).collect::<Vec<_>>());
        let alike = once.episodes.chunks(2).filter(|group| !has_signal(group)).count();
        assert!((1..8).contains(&alike), "{alike}");
        let twice = played(1, 2);
        assert_eq!(twice.dropped, alike);
        assert_eq!(twice.environment_steps, (8 + alike) * 2 * 2);
        let often = played(40, 2);
        assert!(often.episodes.chunks(2).all(has_signal));
        assert_eq!(often.environment_steps, (8 + often.dropped) * 2 * 2);
        assert_eq!(often.episodes.len(), 16);
        let names: Vec<&str> =
            often.episodes.iter().map(|it| it.trajectory.trajectory.as_str()).collect();
        assert_eq!(names[..3], ["g00t0", "g00t1", "g01t0"]);
    }

    #[test]
    fn groups_with_a_signal_are_the_same_with_dynamic_sampling() {
        let (once, often) = (played(0, 2), played(3, 2));
        for (kept, other) in once.episodes.chunks(2).zip(often.episodes.chunks(2)) {
            let alike = (0..2).all(|it| kept[it].trajectory == other[it].trajectory);
            assert_eq!(alike, has_signal(kept));
        }
    }

    #[test]
    fn the_last_round_keeps_groups_without_signal() {
        // Groups of one never have a signal.
        let played = played(2, 1);
        assert_eq!((played.episodes.len(), played.dropped), (8, 16));
        assert_eq!(played.streams, (16..24).collect::<Vec<_>>());
    }

    #[test]
    fn metrics_count_environment_steps_and_dropped_groups() {
        let metrics = |rounds| {
            let iteration = trainer(rounds, 2).iterate(&Sequential).unwrap().unwrap();
            let number =
                |name: &str| iteration.metrics.get(name).and_then(serde_json::Value::as_f64);
            (number("steps"), number("environment_steps"), number("dropped_groups"))
        };
        assert_eq!(metrics(0), (Some(32.0), Some(32.0), None));
        let (_, steps, dropped) = metrics(1);
        assert_eq!(steps, dropped.map(|dropped| 32.0 + 4.0 * dropped));
    }
}
