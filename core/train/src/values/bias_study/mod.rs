//! Study of bias: groups of one task, played again and again, with the true advantage of every step.
//!
//! V(h) is the mean discounted return of continuations that the policy plays from a history h on, with
//! its memory of h, and 0 at the end of an episode; every history that two groups met is valued once,
//! and no other. If the environment draws no chance, everything after h and an action a lies in
//! what follows: Q(h, a) = r + γ V(h'), so that A*(h, a) = r + γ V(h') − V(h), and its variance as an
//! estimate is γ² var V(h') + var V(h).
//!
//! If chance has a part, next states are averaged over: Q(h, a) is the mean discounted return of
//! continuations that begin before a, take it, draw what it leads to anew, and go on; A* is
//! Q(h, a) − V(h), and its variance var Q(h, a) + var V(h). What chance hid in h is averaged over as
//! well: continuations begin in turn in the states of all episodes that met h.
//!
//! Rewards are the environment's: there is no penalty for invalid responses in them.

mod histories;

use hgpo_core::{Batch, Discount, Statistics, StdRule, TrueAdvantage};
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use self::histories::{Histories, HistoryStep};
use super::critic::{self, Critic};
use super::play_continuations;
use crate::TrainerError;
use crate::config::{AgentRewards, ConfigError};
use crate::policy::Policy;
use crate::rollout::episode::Episode;
use crate::rollout::episode_sampler::EpisodeSampler;
use crate::rollout::state_embedding::embed_states;

/// What is played of each task.
#[derive(Clone, Copy, Debug)]
pub struct BiasStudyPlan {
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
pub struct BiasStudyTask {
    /// The groups.
    pub groups: Vec<BiasStudyGroup>,
    /// Distinct histories that were valued, and actions whose outcome is left to chance.
    pub histories: usize,
}

/// One group.
#[derive(Clone, Debug)]
pub struct BiasStudyGroup {
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

/// A task of a study: who plays it, what is played of it, and its number.
struct TaskStudy<'a, P> {
    sampler: &'a EpisodeSampler<'a, P>,
    plan: &'a BiasStudyPlan,
    task: usize,
}

/// Plays and values the groups of the task with this number. A critic values states as it knows them from
/// training: it does not learn from what a study plays.
pub(crate) fn study_task<P: Policy>(
    sampler: &EpisodeSampler<'_, P>,
    reference: &P,
    critic: Option<&Critic>,
    plan: &BiasStudyPlan,
    task: usize,
) -> Result<BiasStudyTask, TrainerError> {
    let config = sampler.config;
    if config.learn.agent_rewards == AgentRewards::Own {
        let reason =
            "a study values states by the reward of the team: study a run that learns from it";
        return Err(ConfigError::new("learn.agent_rewards", reason).into());
    }
    let size = config.rollout.group_size;
    let studied = TaskStudy { sampler, plan, task };
    let all = 0..plan.groups.saturating_mul(size);
    all.clone().for_each(|_| sampler.suite.announce(Split::Train, studied.seed()));
    let starts = all.map(|index| studied.start(index));
    let mut episodes: Vec<Episode> = starts.collect::<Result<_, _>>()?;
    sampler.play(&mut episodes, &format!("task {} play", task + 1))?;
    critic::estimate_values(critic, config, reference, &mut episodes)?;
    let histories = Histories::of(&episodes, size);
    let values = studied.values(&episodes, &histories)?;
    let with_truth = |(index, episode): (usize, Episode)| {
        let rewards = episode.trajectory.steps.iter().map(|step| step.reward);
        let truth = truth(plan.discount, rewards, &histories.ways[index], &values);
        (episode.trajectory, truth)
    };
    let mut played = episodes.into_iter().enumerate().map(with_truth);
    let mut groups = Vec::with_capacity(plan.groups);
    for _ in 0..plan.groups {
        let (mut trajectories, truth): (Vec<_>, Vec<_>) = played.by_ref().take(size).unzip();
        if config.estimator.reads_embeddings() {
            embed_states(reference, sampler.format, &mut trajectories)?;
        }
        groups.push(BiasStudyGroup { batch: Batch::new(trajectories)?, truth: truth.concat() });
    }
    Ok(BiasStudyTask { groups, histories: histories.open().count() })
}

impl<P: Policy> TaskStudy<'_, P> {
    /// The seed of the task.
    fn seed(&self) -> u64 {
        Stream::new(self.plan.seed, Purpose::StudyTasks, [self.task as u64, 0]).word()
    }

    /// An episode of the task, by its number.
    fn start(&self, index: usize) -> Result<Episode, TrainerError> {
        let Self { sampler, plan, task } = self;
        let stream = Stream::new(plan.seed, Purpose::StudyPlay, [*task as u64, index as u64]);
        let size = sampler.config.rollout.group_size;
        let (group, member) = (index / size, index % size);
        let name = format!("t{task:02}");
        sampler.start(
            Split::Train,
            &name,
            &format!("{name}g{group:03}t{member}"),
            self.seed(),
            stream,
        )
    }

    /// V of every history that needs one, 0 if the episode is over, and Q of every action that
    /// chance has a part in.
    fn values(
        &self,
        episodes: &[Episode],
        histories: &Histories,
    ) -> Result<Vec<Option<Value>>, TrainerError> {
        let Self { sampler, plan, task } = self;
        let over = |history| histories.is_over(history).then(Value::default);
        let mut values: Vec<Option<Value>> = (0..histories.count()).map(over).collect();
        let open: Vec<usize> = histories.open().collect();
        let phase = format!("task {} values", task + 1);
        let continuations = |place| self.continuations(episodes, histories, place);
        let found = |place: usize, continuations: &[Episode]| {
            values[place] = Some(value(plan.discount, continuations));
        };
        let places = (&open[..], plan.rollouts);
        play_continuations(sampler, places, continuations, found, &phase)?;
        Ok(values)
    }

    /// Continuations of a history, or of an action that chance has a part in.
    fn continuations(
        &self,
        episodes: &[Episode],
        histories: &Histories,
        place: usize,
    ) -> Result<Vec<Episode>, TrainerError> {
        let Self { sampler, plan, task } = self;
        let visits = histories.visits(place);
        let visits = &visits[..visits.len().min(plan.rollouts)];
        // Reached by the responses of the episode.
        let replayed = |&(episode, steps): &(usize, usize)| {
            sampler.replay(self.start(episode)?, &episodes[episode].turns[..steps])
        };
        let there: Vec<Episode> = visits.iter().map(replayed).collect::<Result<_, _>>()?;
        let continued = |rollout: usize| {
            let index = (place * plan.rollouts + rollout) as u64;
            let stream = Stream::new(plan.seed, Purpose::StudyOracle, [*task as u64, index]);
            let mut continued = there[rollout % there.len()].continued(stream);
            if let Some((episode, step)) = histories.action(place) {
                sampler.act(&mut continued, episodes[episode].turns[step].clone())?;
            }
            Ok(continued)
        };
        (0..plan.rollouts).map(continued).collect()
    }
}

/// Mean discounted return of the continuations.
fn value(discount: Discount, continuations: &[Episode]) -> Value {
    let returns: Vec<f64> = continuations.iter().map(|it| it.first_return(discount)).collect();
    let found = Statistics::of(&returns, StdRule::Sample);
    Value { mean: found.mean, variance: found.std * found.std / returns.len() as f64 }
}

/// r + γ V(h') − V(h) along the way of an episode, and Q(h, a) − V(h) if chance has a part: if
/// both are known.
fn truth(
    discount: Discount,
    rewards: impl Iterator<Item = f64>,
    way: &[HistoryStep],
    values: &[Option<Value>],
) -> Vec<Option<TrueAdvantage>> {
    let discount = discount.get();
    let of = |(reward, &HistoryStep { before, action, after }): (f64, &HistoryStep)| {
        let (before, outcome) = (values[before]?, values[action]?);
        if action != after {
            let variance = outcome.variance + before.variance;
            return Some(TrueAdvantage { value: outcome.mean - before.mean, variance });
        }
        Some(TrueAdvantage {
            value: reward + discount * outcome.mean - before.mean,
            variance: discount * discount * outcome.variance + before.variance,
        })
    };
    rewards.zip(way).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, EnvironmentConfig, RolloutConfig};
    use crate::executor::Sequential;
    use crate::policy::table::TablePolicy;
    use crate::test_environment::CoinSuite;
    use crate::trainer::{Learner as _, Trainer, initial_policy};

    #[test]
    fn true_advantages_are_differences_of_values() {
        // γ = 1/2: 0 + 4/2 − 1 = 1 with variance 8/4 + 1 = 3; at the end 10 + 0 − 4 = 6 with 8.
        let value = |mean, variance| Some(Value { mean, variance });
        let values = [value(1.0, 1.0), value(4.0, 8.0), value(0.0, 0.0), None];
        let half = Discount::new(0.5).unwrap();
        let of = |way: &[usize]| {
            let passage =
                |ends: &[usize]| HistoryStep { before: ends[0], action: ends[1], after: ends[1] };
            let way: Vec<HistoryStep> = way.windows(2).map(passage).collect();
            truth(half, [0.0, 10.0].into_iter(), &way, &values)
        };
        let expected = [(1.0, 3.0), (6.0, 8.0)];
        let expected = expected.map(|(value, variance)| Some(TrueAdvantage { value, variance }));
        assert_eq!(of(&[0, 1, 2]), expected);
        assert_eq!(of(&[0, 3, 2]), [None, None]);
        // By chance: Q − V = 4 − 1 = 3 with variance 8 + 1 = 9, whatever came of it.
        let by_chance = [HistoryStep { before: 0, action: 1, after: 2 }];
        let found = truth(half, [7.0].into_iter(), &by_chance, &values);
        assert_eq!(found, [Some(TrueAdvantage { value: 3.0, variance: 9.0 })]);
    }

    /// A policy of chance on episodes of three steps, in which nothing can be won.
    fn trainer() -> Trainer<TablePolicy> {
        let config = Config {
            environment: EnvironmentConfig { max_steps: 3, ..EnvironmentConfig::default() },
            rollout: RolloutConfig { group_size: 3, ..RolloutConfig::default() },
            ..Config::default()
        };
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        let (policy, format) = initial_policy::table(&config);
        Trainer::new(&config, suite, format, policy).unwrap()
    }

    fn plan() -> BiasStudyPlan {
        let discount = Discount::new(0.5).unwrap();
        BiasStudyPlan { seed: 4, tasks: 1, groups: 2, rollouts: 2, discount }
    }

    #[test]
    fn replayed_histories_give_the_same_prompts_and_continue_alone() {
        let (trainer, plan) = (trainer(), plan());
        let sampler = &trainer.sampler(&Sequential);
        let studied = TaskStudy { sampler, plan: &plan, task: 0 };
        let mut episodes: Vec<Episode> = (0..6).map(|i| studied.start(i).unwrap()).collect();
        sampler.play(&mut episodes, "play").unwrap();
        let histories = Histories::of(&episodes, 3);
        for (index, episode) in episodes.iter().enumerate() {
            let way = &histories.ways[index];
            assert_eq!(way.len(), episode.turns.len());
            for (turn, passage) in episode.turns.iter().zip(way) {
                // Nothing is left to chance here: an action is what it leads to.
                assert_eq!(passage.action, passage.after);
                let [visit] = histories.visits(passage.before) else { panic!("one visit") };
                let (start, turns) = (studied.start(visit.0).unwrap(), &episodes[visit.0].turns);
                let there = sampler.replay(start, &turns[..visit.1]).unwrap();
                let stream = Stream::new(1, Purpose::StudyOracle, [0, 0]);
                let continued = there.continued(stream);
                assert_eq!(continued.prompt(sampler.format).unwrap(), turn.prompt);
                assert!(continued.trajectory.steps.is_empty());
            }
            assert!(histories.is_over(way[way.len() - 1].after));
        }
    }

    #[test]
    fn studied_groups_have_a_true_advantage_per_step() {
        let found = trainer().study_task(&plan(), 0, &Sequential).unwrap().unwrap();
        assert_eq!(found.groups.len(), 2);
        for group in &found.groups {
            assert_eq!(group.batch.trajectories().len(), 3);
            assert_eq!(group.batch.step_count(), group.truth.len());
        }
        // Nothing is ever won, and all agree on that.
        let known = found.groups.iter().flat_map(|group| group.truth.iter().flatten());
        assert!(known.clone().all(|truth| (truth.value, truth.variance) == (0.0, 0.0)));
        assert!(found.histories >= 1);
    }

    /// The advantages of the first and the second step in a world of chance.
    fn by_chance(shown: bool) -> [Vec<TrueAdvantage>; 2] {
        let config = Config {
            rollout: RolloutConfig { group_size: 24, ..RolloutConfig::default() },
            ..Config::default()
        };
        let suite = std::sync::Arc::new(CoinSuite { shown });
        let (policy, format) = initial_policy::table(&config);
        let trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let plan = BiasStudyPlan { rollouts: 128, ..plan() };
        let found = trainer.study_task(&plan, 0, &Sequential).unwrap().unwrap();
        let truths: Vec<_> = found.groups.into_iter().flat_map(|group| group.truth).collect();
        let of = |step| truths.iter().skip(step).step_by(2).flatten().copied().collect();
        [of(0), of(1)]
    }

    #[test]
    fn true_advantages_average_over_chance() {
        // γ = 1/2, 8 for heads: V(start) = Q(start, a) = 8/2 · 1/2 = 2 whatever is done, so that
        // A = 0, while what came of one toss would give ±2. A return is 0 or 4 with variance 4, so
        // that the variance of A is 2 · 4/128 = 1/16: within 5 standard deviations, 1.25.
        for shown in [true, false] {
            let [first, second] = by_chance(shown);
            assert!(first.len() >= 24 && second.len() >= 4, "{} {}", first.len(), second.len());
            for TrueAdvantage { value, variance } in first {
                assert!(value.abs() < 1.25 && (variance * 16.0 - 1.0).abs() < 0.2, "{value}");
            }
            // What follows the toss is certain if it is seen; if it is not, V(h) and Q(h, a)
            // are means over the same states.
            for TrueAdvantage { value, variance } in second {
                assert!(value.abs() < 1e-12, "{value}");
                assert!(!shown || variance.abs() < 1e-12, "{variance}");
            }
        }
    }
}
