//! Groups of one task played again and again, with the true advantage of every step.
//!
//! The environment is deterministic, so that after a history h and an action a everything lies in
//! what follows: Q(h, a) = r + γ V(h'), with V = 0 at the end of an episode. V(h) is the mean
//! discounted return of continuations that the policy plays from h on, with its memory of h; every
//! history that two groups met is valued once, and no other. So A*(h, a) = r + γ V(h') − V(h), and its variance as an
//! estimate is γ² var V(h') + var V(h). Rewards are the environment's: there is no penalty for
//! invalid responses in them.

mod histories;

use hgpo_core::{Batch, Discount, Statistics, StdRule, TrueAdvantage, discounted_returns};
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use self::histories::Histories;
use super::trainer::Trainer;
use super::{Host, LearnError};
use crate::rollout::collect;
use crate::rollout::episode::Episode;

/// Continuations that run at once: enough to fill every batch, few enough to be held in memory.
const CONTINUATIONS: usize = 4096;

/// What is played of each task.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Names the tasks, the play and the continuations.
    pub seed: u64,
    /// Tasks.
    pub tasks: usize,
    /// Groups a task, each of the run's group size.
    pub groups: usize,
    /// Continuations a history.
    pub rollouts: usize,
    /// γ of the true values.
    pub discount: Discount,
}

/// The groups of one task.
#[derive(Clone, Debug)]
pub struct StudiedTask {
    /// The groups.
    pub groups: Vec<StudiedGroup>,
    /// Distinct histories that were valued.
    pub histories: usize,
}

/// One group.
#[derive(Clone, Debug)]
pub struct StudiedGroup {
    /// Its trajectories.
    pub batch: Batch,
    /// The true advantage of every row whose history and action another group met too.
    pub truth: Vec<Option<TrueAdvantage>>,
}

/// V(h): the mean over the continuations, and its variance.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    mean: f64,
    variance: f64,
}

impl Trainer {
    /// Trajectories of a group.
    #[must_use]
    pub fn group_size(&self) -> usize {
        self.config.rollout.group_size
    }

    /// Plays and values the groups of the task with this number, as in training: its tasks, its
    /// temperature, its prompts. `None` when interrupted.
    ///
    /// # Errors
    /// When the device fails.
    pub fn study(
        &self,
        plan: &Plan,
        task: usize,
        host: &dyn Host,
    ) -> Result<Option<StudiedTask>, LearnError> {
        let size = self.group_size();
        let starts = (0..plan.groups * size).map(|index| self.start(plan, task, index));
        let mut episodes: Vec<Episode> = starts.collect::<Result<_, _>>()?;
        let temperature = self.config.rollout.temperature;
        if !self.play(&mut episodes, temperature, &format!("task {} play", task + 1), host)? {
            return Ok(None);
        }
        let histories = Histories::of(&episodes, size);
        let Some(values) = self.values(plan, task, &episodes, &histories, host)? else {
            return Ok(None);
        };
        let with_truth = |(index, episode): (usize, Episode)| {
            let rewards = episode.trajectory.steps.iter().map(|step| step.reward);
            let truth = truth(plan.discount, rewards, histories.way(index), &values);
            (episode.trajectory, truth)
        };
        let mut played = episodes.into_iter().enumerate().map(with_truth);
        let mut groups = Vec::with_capacity(plan.groups);
        for _ in 0..plan.groups {
            let (trajectories, truth): (Vec<_>, Vec<_>) = played.by_ref().take(size).unzip();
            groups.push(StudiedGroup { batch: Batch::new(trajectories)?, truth: truth.concat() });
        }
        Ok(Some(StudiedTask { groups, histories: histories.open().count() }))
    }

    /// An episode of a study's task.
    fn start(&self, plan: &Plan, task: usize, index: usize) -> Result<Episode, LearnError> {
        let seed = Stream::new(plan.seed, Purpose::StudyTasks, [task as u64, 0]).word();
        let stream = Stream::new(plan.seed, Purpose::StudyPlay, [task as u64, index as u64]);
        let (group, member) = (index / self.group_size(), index % self.group_size());
        let name = format!("t{task:02}");
        self.episode(Split::Train, &name, &format!("{name}g{group:03}t{member}"), seed, stream)
    }

    /// V of every history that needs one, 0 where the episode is over; `None` when interrupted.
    fn values(
        &self,
        plan: &Plan,
        task: usize,
        episodes: &[Episode],
        histories: &Histories,
        host: &dyn Host,
    ) -> Result<Option<Vec<Option<Value>>>, LearnError> {
        let over = |history| histories.is_over(history).then(Value::default);
        let mut values: Vec<Option<Value>> = (0..histories.count()).map(over).collect();
        let open: Vec<usize> = histories.open().collect();
        let how = self.at_temperature(self.config.rollout.temperature);
        let phase = format!("task {} values", task + 1);
        let mut done = 0;
        for part in open.chunks((CONTINUATIONS / plan.rollouts).max(1)) {
            let mut continuations = Vec::with_capacity(part.len() * plan.rollouts);
            for &history in part {
                let there = self.replay(plan, task, episodes, histories.example(history))?;
                continuations.extend((0..plan.rollouts).map(|rollout| {
                    let index = (history * plan.rollouts + rollout) as u64;
                    let index = [task as u64, index];
                    there.continued(Stream::new(plan.seed, Purpose::StudyOracle, index))
                }));
            }
            let keep_going = |finished: usize| {
                host.progress(&phase, done + finished / plan.rollouts, open.len());
                !host.interrupted()
            };
            let executor = host.executor();
            let (policy, format) = (self.policy().held(), self.format.as_ref());
            if !collect(&policy, format, &mut continuations, how, executor, &keep_going)? {
                return Ok(None);
            }
            for (&history, continuations) in part.iter().zip(continuations.chunks(plan.rollouts)) {
                values[history] = Some(value(plan.discount, continuations));
            }
            done += part.len();
        }
        Ok(Some(values))
    }

    /// The place after the first `steps` steps of an episode, reached by its own responses.
    fn replay(
        &self,
        plan: &Plan,
        task: usize,
        episodes: &[Episode],
        (episode, steps): (usize, usize),
    ) -> Result<Episode, LearnError> {
        let mut replayed = self.start(plan, task, episode)?;
        for turn in &episodes[episode].turns[..steps] {
            let strict = self.config.environment.inadmissible_is_invalid;
            replayed.act(turn.clone(), self.format.as_ref(), strict)?;
        }
        Ok(replayed)
    }
}

/// Mean discounted return of the continuations.
fn value(discount: Discount, continuations: &[Episode]) -> Value {
    let of = |episode: &Episode| {
        let rewards: Vec<f64> = episode.trajectory.steps.iter().map(|step| step.reward).collect();
        discounted_returns(&rewards, discount).first().copied().unwrap_or(0.0)
    };
    let returns: Vec<f64> = continuations.iter().map(of).collect();
    let found = Statistics::of(&returns, StdRule::Sample);
    Value { mean: found.mean, variance: found.std * found.std / returns.len() as f64 }
}

/// r + γ V(h') − V(h) along the histories of an episode, where both are known.
fn truth(
    discount: Discount,
    rewards: impl Iterator<Item = f64>,
    way: &[usize],
    values: &[Option<Value>],
) -> Vec<Option<TrueAdvantage>> {
    let discount = discount.get();
    let of = |(reward, ends): (f64, &[usize])| {
        let (before, after) = (values[ends[0]]?, values[ends[1]]?);
        Some(TrueAdvantage {
            value: reward + discount * after.mean - before.mean,
            variance: discount * discount * after.variance + before.variance,
        })
    };
    rewards.zip(way.windows(2)).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, EnvironmentConfig, ModelConfig, RolloutConfig};
    use crate::executor::Sequential;
    use crate::learn::Start;

    #[test]
    fn an_advantage_is_what_the_step_adds_to_the_value() {
        // γ = 1/2: 0 + 4/2 − 1 = 1 with variance 8/4 + 1 = 3; at the end 10 + 0 − 4 = 6 with 8.
        let value = |mean, variance| Some(Value { mean, variance });
        let values = [value(1.0, 1.0), value(4.0, 8.0), value(0.0, 0.0), None];
        let half = Discount::new(0.5).unwrap();
        let of = |way: &[usize]| truth(half, [0.0, 10.0].into_iter(), way, &values);
        let expected = [(1.0, 3.0), (6.0, 8.0)];
        let expected = expected.map(|(value, variance)| Some(TrueAdvantage { value, variance }));
        assert_eq!(of(&[0, 1, 2]), expected);
        assert_eq!(of(&[0, 3, 2]), [None, None]);
    }

    /// A policy of chance on episodes of four steps.
    fn trainer() -> Trainer {
        let config = Config {
            environment: EnvironmentConfig { max_steps: 4, ..EnvironmentConfig::default() },
            model: ModelConfig { hidden_size: 16, num_hidden_layers: 1, ..ModelConfig::default() },
            rollout: RolloutConfig { group_size: 3, ..RolloutConfig::default() },
            ..Config::default()
        };
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        Trainer::new(&config, suite, Start::Scratch(None), &burn::tensor::Device::default())
            .unwrap()
    }

    fn plan() -> Plan {
        let discount = Discount::new(0.5).unwrap();
        Plan { seed: 4, tasks: 1, groups: 2, rollouts: 2, discount }
    }

    #[test]
    fn a_replayed_history_asks_what_was_asked_and_goes_on_by_itself() {
        let (trainer, plan) = (trainer(), plan());
        let mut episodes: Vec<Episode> =
            (0..6).map(|i| trainer.start(&plan, 0, i).unwrap()).collect();
        assert!(trainer.play(&mut episodes, 1.0, "play", &Sequential).unwrap());
        let histories = Histories::of(&episodes, 3);
        for (index, episode) in episodes.iter().enumerate() {
            let way = histories.way(index);
            assert_eq!(way.len(), episode.turns.len() + 1);
            for (turn, &history) in episode.turns.iter().zip(way) {
                let there =
                    trainer.replay(&plan, 0, &episodes, histories.example(history)).unwrap();
                let stream = Stream::new(1, Purpose::StudyOracle, [0, 0]);
                let continued = there.continued(stream);
                assert_eq!(continued.prompt(trainer.format.as_ref()).unwrap(), turn.prompt);
                assert!(continued.trajectory.steps.is_empty());
            }
            assert!(histories.is_over(way[way.len() - 1]));
        }
    }

    #[test]
    fn every_group_has_its_trajectories_and_a_truth_a_step() {
        let found = trainer().study(&plan(), 0, &Sequential).unwrap().unwrap();
        assert_eq!(found.groups.len(), 2);
        for group in &found.groups {
            assert_eq!(group.batch.trajectories().len(), 3);
            assert_eq!(group.batch.step_count(), group.truth.len());
        }
        // Chance writes no action in the format: nothing is ever won, and all agree on that.
        let known = found.groups.iter().flat_map(|group| group.truth.iter().flatten());
        assert!(known.clone().all(|truth| (truth.value, truth.variance) == (0.0, 0.0)));
        assert!(found.histories >= 1);
    }
}
