//! Groups of one task played again and again, with the true advantage of every step.
//!
//! V(h) is the mean discounted return of continuations that the policy plays from a history h on, with
//! its memory of h, and 0 at the end of an episode; every history that two groups met is valued once,
//! and no other. Where the environment draws no chance, everything after h and an action a lies in
//! what follows: Q(h, a) = r + γ V(h'), so that A*(h, a) = r + γ V(h') − V(h), and its variance as an
//! estimate is γ² var V(h') + var V(h).
//!
//! Where chance has a part, next states are averaged over: Q(h, a) is the mean discounted return of
//! continuations that begin before a, take it, draw what it leads to anew, and go on; A* is
//! Q(h, a) − V(h), and its variance var Q(h, a) + var V(h). What chance hid in h is averaged over as
//! well: continuations begin in turn in the states of all episodes that met h.
//!
//! Rewards are the environment's: there is no penalty for invalid responses in them.

mod histories;
pub mod plan;

use hgpo_core::{Batch, Discount, Statistics, StdRule, TrueAdvantage};
use hgpo_env::Split;
use hgpo_env::random::{Purpose, Stream};

use self::histories::{Histories, Passage};
use self::plan::{Plan, StudiedGroup, StudiedTask};
use super::restarts::return_of;
use super::trainer::Trainer;
use super::{Host, LearnError};
use crate::policy::Policy;
use crate::rollout::collect;
use crate::rollout::episode::{Episode, Turn};

/// Continuations that run at once: enough to fill every batch, few enough to be held in memory.
pub const CONTINUATIONS: usize = 4096;

/// V(h): the mean over the continuations, and its variance.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    mean: f64,
    variance: f64,
}

/// Plays and values the groups of the task with this number; `None` when interrupted.
pub(super) fn study<P: Policy>(
    trainer: &Trainer<P>,
    plan: &Plan,
    task: usize,
    host: &dyn Host,
) -> Result<Option<StudiedTask>, LearnError> {
    let size = trainer.config.rollout.group_size;
    let starts =
        (0..plan.groups.saturating_mul(size)).map(|index| trainer.start(plan, task, index));
    let mut episodes: Vec<Episode> = starts.collect::<Result<_, _>>()?;
    let temperature = trainer.config.rollout.temperature;
    if !trainer.play(&mut episodes, temperature, &format!("task {} play", task + 1), host)? {
        return Ok(None);
    }
    // As it knows states from training: it does not learn from what a study plays.
    trainer.value_by_critic(&mut episodes)?;
    let histories = Histories::of(&episodes, size);
    let Some(values) = trainer.values(plan, task, &episodes, &histories, host)? else {
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
        let (mut trajectories, truth): (Vec<_>, Vec<_>) = played.by_ref().take(size).unzip();
        trainer.embed_where_compared(&mut trajectories)?;
        groups.push(StudiedGroup { batch: Batch::new(trajectories)?, truth: truth.concat() });
    }
    Ok(Some(StudiedTask { groups, histories: histories.open().count() }))
}

impl<P: Policy> Trainer<P> {
    /// An episode of a study's task.
    fn start(&self, plan: &Plan, task: usize, index: usize) -> Result<Episode, LearnError> {
        let seed = Stream::new(plan.seed, Purpose::StudyTasks, [task as u64, 0]).word();
        let stream = Stream::new(plan.seed, Purpose::StudyPlay, [task as u64, index as u64]);
        let (group, member) =
            (index / self.config.rollout.group_size, index % self.config.rollout.group_size);
        let name = format!("t{task:02}");
        self.episode(Split::Train, &name, &format!("{name}g{group:03}t{member}"), seed, stream)
    }

    /// V of every history that needs one, 0 where the episode is over, and Q of every action that
    /// chance has a part in; `None` when interrupted.
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
            let of = |&place: &usize| self.continuations(plan, task, episodes, (histories, place));
            let parts: Vec<Vec<Episode>> = part.iter().map(of).collect::<Result<_, _>>()?;
            let mut continuations: Vec<Episode> = parts.into_iter().flatten().collect();
            let keep_going = |finished: usize| {
                host.progress(&phase, done + finished / plan.rollouts, open.len());
                !host.interrupted()
            };
            let executor = host.executor();
            let (policy, format) = (self.policy.acting(), self.format.as_ref());
            if !collect(policy.as_ref(), format, &mut continuations, how, executor, &keep_going)? {
                return Ok(None);
            }
            for (&history, continuations) in part.iter().zip(continuations.chunks(plan.rollouts)) {
                values[history] = Some(value(plan.discount, continuations));
            }
            done += part.len();
        }
        Ok(Some(values))
    }

    /// Continuations of a history, or of an action that chance has a part in.
    fn continuations(
        &self,
        plan: &Plan,
        task: usize,
        episodes: &[Episode],
        (histories, place): (&Histories, usize),
    ) -> Result<Vec<Episode>, LearnError> {
        let visits = histories.visits(place);
        let visits = &visits[..visits.len().min(plan.rollouts)];
        let replayed = |&visit| self.replay(plan, task, episodes, visit);
        let there: Vec<Episode> = visits.iter().map(replayed).collect::<Result<_, _>>()?;
        let continued = |rollout: usize| {
            let index = (place * plan.rollouts + rollout) as u64;
            let stream = Stream::new(plan.seed, Purpose::StudyOracle, [task as u64, index]);
            let mut continued = there[rollout % there.len()].continued(stream);
            if let Some((episode, step)) = histories.action(place) {
                self.take(&mut continued, &episodes[episode].turns[step])?;
            }
            Ok(continued)
        };
        (0..plan.rollouts).map(continued).collect()
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
            self.take(&mut replayed, turn)?;
        }
        Ok(replayed)
    }

    /// Answers as was answered before.
    pub(super) fn take(&self, episode: &mut Episode, turn: &Turn) -> Result<(), LearnError> {
        let strict = self.config.environment.inadmissible_is_invalid;
        Ok(episode.act(turn.clone(), self.format.as_ref(), strict)?)
    }
}

/// Mean discounted return of the continuations.
fn value(discount: Discount, continuations: &[Episode]) -> Value {
    let returns: Vec<f64> = continuations.iter().map(|it| return_of(it, discount)).collect();
    let found = Statistics::of(&returns, StdRule::Sample);
    Value { mean: found.mean, variance: found.std * found.std / returns.len() as f64 }
}

/// r + γ V(h') − V(h) along the way of an episode, and Q(h, a) − V(h) where chance has a part: where
/// both are known.
fn truth(
    discount: Discount,
    rewards: impl Iterator<Item = f64>,
    way: &[Passage],
    values: &[Option<Value>],
) -> Vec<Option<TrueAdvantage>> {
    let discount = discount.get();
    let of = |(reward, &Passage { before, action, after }): (f64, &Passage)| {
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
    use crate::coin::Coin;
    use crate::config::{Config, EnvironmentConfig, RolloutConfig};
    use crate::executor::Sequential;
    use crate::learn::{Learner as _, start};
    use crate::policy::table::TablePolicy;

    #[test]
    fn an_advantage_is_what_the_step_adds_to_the_value() {
        // γ = 1/2: 0 + 4/2 − 1 = 1 with variance 8/4 + 1 = 3; at the end 10 + 0 − 4 = 6 with 8.
        let value = |mean, variance| Some(Value { mean, variance });
        let values = [value(1.0, 1.0), value(4.0, 8.0), value(0.0, 0.0), None];
        let half = Discount::new(0.5).unwrap();
        let of = |way: &[usize]| {
            let passage =
                |ends: &[usize]| Passage { before: ends[0], action: ends[1], after: ends[1] };
            let way: Vec<Passage> = way.windows(2).map(passage).collect();
            truth(half, [0.0, 10.0].into_iter(), &way, &values)
        };
        let expected = [(1.0, 3.0), (6.0, 8.0)];
        let expected = expected.map(|(value, variance)| Some(TrueAdvantage { value, variance }));
        assert_eq!(of(&[0, 1, 2]), expected);
        assert_eq!(of(&[0, 3, 2]), [None, None]);
        // By chance: Q − V = 4 − 1 = 3 with variance 8 + 1 = 9, whatever came of it.
        let by_chance = [Passage { before: 0, action: 1, after: 2 }];
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
        let (policy, format) = start::table(&config);
        Trainer::new(&config, suite, format, policy).unwrap()
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
            assert_eq!(way.len(), episode.turns.len());
            for (turn, passage) in episode.turns.iter().zip(way) {
                // Nothing is left to chance here: an action is what it leads to.
                assert_eq!(passage.action, passage.after);
                let [visit] = histories.visits(passage.before) else { panic!("one visit") };
                let there = trainer.replay(&plan, 0, &episodes, *visit).unwrap();
                let stream = Stream::new(1, Purpose::StudyOracle, [0, 0]);
                let continued = there.continued(stream);
                assert_eq!(continued.prompt(trainer.format.as_ref()).unwrap(), turn.prompt);
                assert!(continued.trajectory.steps.is_empty());
            }
            assert!(histories.is_over(way[way.len() - 1].after));
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
        let suite = std::sync::Arc::new(Coin { shown });
        let (policy, format) = start::table(&config);
        let trainer = Trainer::new(&config, suite, format, policy).unwrap();
        let plan = Plan { rollouts: 128, ..plan() };
        let found = trainer.study(&plan, 0, &Sequential).unwrap().unwrap();
        let truths: Vec<_> = found.groups.into_iter().flat_map(|group| group.truth).collect();
        let of = |step| truths.iter().skip(step).step_by(2).flatten().copied().collect();
        [of(0), of(1)]
    }

    #[test]
    fn chance_is_averaged_over() {
        // γ = 1/2, 8 for heads: V(start) = Q(start, a) = 8/2 · 1/2 = 2 whatever is done, so that
        // A = 0, where what came of one toss would give ±2. A return is 0 or 4 with variance 4, so
        // that the variance of A is 2 · 4/128 = 1/16: within 5 standard deviations, 1.25.
        for shown in [true, false] {
            let [first, second] = by_chance(shown);
            assert!(first.len() >= 24 && second.len() >= 4, "{} {}", first.len(), second.len());
            for TrueAdvantage { value, variance } in first {
                assert!(value.abs() < 1.25 && (variance * 16.0 - 1.0).abs() < 0.2, "{value}");
            }
            // What follows the toss is certain where it is seen; where it is not, V(h) and Q(h, a)
            // are means over the same states.
            for TrueAdvantage { value, variance } in second {
                assert!(value.abs() < 1e-12, "{value}");
                assert!(!shown || variance.abs() < 1e-12, "{variance}");
            }
        }
    }
}
