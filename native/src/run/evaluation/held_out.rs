//! Held-out evaluation of a trained policy: every attempt at every task, and success by split, kind and seed.

use std::collections::BTreeMap;

use hgpo_env::{Split, Suite};
use hgpo_evidence::{Bootstrap, Interval, Scores, mean, pass_at_k, sample_deviation};
use hgpo_train::TrainerError;
use hgpo_train::policy::sampling::Sampling;
use hgpo_train::trainer::agent_play::{AgentMeans, AgentPlay};
use hgpo_train::trainer::{EvaluationPlan, Learner};
use serde::Serialize;

use crate::run::Machine;

/// What is examined: every combination of temperatures, splits and seeds.
#[derive(Clone, Debug)]
pub(crate) struct HeldOutPlan {
    /// Sampling temperatures; 0 takes the most likely token.
    pub temperatures: Vec<f64>,
    /// Only the most likely tokens are drawn whose probabilities add up to this; 1: all.
    pub top_p: f64,
    /// Which tasks.
    pub splits: Vec<Split>,
    /// Seeds of tasks and sampling.
    pub seeds: Vec<u64>,
    /// Tasks per split and seed.
    pub tasks: usize,
    /// Attempts per task.
    pub attempts: usize,
}

/// What was found of a run, as its file holds it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RunEvaluation {
    /// Version of this format.
    pub version: u32,
    /// The run's folder, or the language model that no run has trained.
    pub run: String,
    /// Environment.
    pub environment: String,
    /// Estimator that it was trained with; none of a language model that no run has trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimator: Option<String>,
    /// Language model that it began as; empty for none.
    pub model: String,
    /// Seed of its training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Iterations that the policy had learned.
    pub iteration: u64,
    /// Where it was played, and why there.
    pub device: String,
    /// The panel that the tasks are; none if they were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<PanelDigest>,
    /// Tasks per split and seed.
    pub tasks: usize,
    /// Attempts per task.
    pub attempts: usize,
    /// Only the most likely tokens were drawn whose probabilities add up to this; 1: all.
    pub top_p: f64,
    /// Each temperature and split.
    pub results: Vec<SplitEvaluation>,
}

/// A panel, and what its tasks are.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PanelDigest {
    /// Its name.
    pub name: &'static str,
    /// SHA-256 of its tasks.
    pub digest: String,
}

/// Success at a temperature, in a split. Rates are shares from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SplitEvaluation {
    /// Sampling temperature.
    pub temperature: f64,
    /// Which tasks.
    pub split: Split,
    /// Mean over tasks and attempts, which is avg@k of k attempts.
    pub success_rate: f64,
    /// Sample standard deviation over the seeds; none with one seed.
    pub standard_deviation: Option<f64>,
    /// The mean, and between what it is expected with other tasks (95 %, bootstrap over the tasks of all seeds).
    pub over_tasks: Interval,
    /// The same with other seeds (bootstrap over the seeds).
    pub over_seeds: Interval,
    /// Probability that one of k attempts succeeds, by k: 1, 2, 4, … and all attempts.
    #[serde(rename = "pass_at")]
    pub pass_at: BTreeMap<usize, f64>,
    /// Mean steps of an episode.
    #[serde(rename = "episode_length/mean")]
    pub mean_length: f64,
    /// Mean of how much of its task an episode did, from 0 to 1.
    #[serde(rename = "score/mean")]
    pub mean_score: f64,
    /// Success by kind of task, if the environment has kinds.
    pub kinds: BTreeMap<&'static str, KindSuccess>,
    /// What each agent did, if there are several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, AgentMeans>,
    /// Every seed.
    pub seeds: Vec<SeedSuccess>,
}

/// Success in a kind of task.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct KindSuccess {
    /// Tasks of all seeds.
    pub tasks: usize,
    /// Mean over its tasks and their attempts, and between what it is expected with other tasks.
    pub success: Interval,
}

/// What was played with one seed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SeedSuccess {
    /// The seed.
    pub seed: u64,
    /// Mean over its tasks and their attempts.
    pub success_rate: f64,
    /// Attempts that were won, task by task.
    pub won: Vec<usize>,
}

impl RunEvaluation {
    /// Version of the format.
    pub(crate) const VERSION: u32 = 1;
}

/// Plays all of a plan; `None` when interrupted.
///
/// # Errors
/// When the device fails.
pub(crate) fn evaluate(
    learner: &dyn Learner,
    suite: &dyn Suite,
    plan: &HeldOutPlan,
    machine: &Machine,
) -> Result<Option<Vec<SplitEvaluation>>, TrainerError> {
    let kinds: Vec<_> = plan.splits.iter().map(|&split| task_kinds(suite, plan, split)).collect();
    let mut outcomes = Vec::new();
    for &temperature in &plan.temperatures {
        for (&split, kinds) in plan.splits.iter().zip(&kinds) {
            let attempts =
                |&seed| play_attempts(learner, plan, (temperature, split, seed), machine);
            let played: Option<Vec<_>> =
                plan.seeds.iter().map(attempts).collect::<Result<_, _>>()?;
            let Some(played) = played else { return Ok(None) };
            outcomes.push(summarise_split(plan, (temperature, split), kinds, &played));
        }
    }
    Ok(Some(outcomes))
}

/// The kind of every task of a split, seed by seed, if the suite has kinds.
fn task_kinds(suite: &dyn Suite, plan: &HeldOutPlan, split: Split) -> Vec<Option<&'static str>> {
    let of = |seed| move |place| suite.kind(split, suite.evaluation_task(split, seed, place));
    plan.seeds.iter().flat_map(|&seed| (0..plan.tasks).map(of(seed))).collect()
}

/// All attempts of a seed.
#[derive(Debug)]
struct Attempts {
    seed: u64,
    /// Attempts won, task by task.
    won: Vec<usize>,
    /// Means over all episodes.
    length: f64,
    score: f64,
    agents: BTreeMap<String, AgentPlay>,
}

fn play_attempts(
    learner: &dyn Learner,
    plan: &HeldOutPlan,
    (temperature, split, seed): (f64, Split, u64),
    machine: &Machine,
) -> Result<Option<Attempts>, TrainerError> {
    let (won, agents) = (vec![0; plan.tasks], BTreeMap::new());
    let mut all = Attempts { seed, won, length: 0.0, score: 0.0, agents };
    for attempt in 0..plan.attempts as u64 {
        let sampling = Sampling { top_p: plan.top_p, ..Sampling::at(temperature) };
        let exam = EvaluationPlan { split, seed, tasks: plan.tasks, attempt, sampling };
        let Some(found) = learner.evaluate(&exam, machine)? else { return Ok(None) };
        for (won, episode) in all.won.iter_mut().zip(&found.trajectories) {
            *won += usize::from(episode.success == Some(true));
        }
        AgentPlay::add_all(&mut all.agents, &found.trajectories);
        all.length += found.mean_length / plan.attempts as f64;
        all.score += found.mean_score / plan.attempts as f64;
    }
    Ok(Some(all))
}

/// What the attempts of all seeds come to.
fn summarise_split(
    plan: &HeldOutPlan,
    (temperature, split): (f64, Split),
    kinds: &[Option<&'static str>],
    played: &[Attempts],
) -> SplitEvaluation {
    let rate = |won: &usize| *won as f64 / plan.attempts.max(1) as f64;
    let of_seed = |it: &Attempts| SeedSuccess {
        seed: it.seed,
        success_rate: mean_of(&it.won.iter().map(rate).collect::<Vec<_>>()),
        won: it.won.clone(),
    };
    let seeds: Vec<SeedSuccess> = played.iter().map(of_seed).collect();
    let rates: Vec<f64> = seeds.iter().map(|it| it.success_rate).collect();
    let won: Vec<usize> = played.iter().flat_map(|it| it.won.iter().copied()).collect();
    let tasks: Vec<f64> = won.iter().map(rate).collect();
    let mut by_kind: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for (kind, &rate) in kinds.iter().zip(&tasks) {
        if let Some(kind) = kind {
            by_kind.entry(kind).or_default().push(rate);
        }
    }
    let pass = |k: usize| {
        let of = |&won: &usize| pass_at_k(plan.attempts, won, k);
        let each: Vec<f64> = won.iter().map(of).collect::<Option<_>>()?;
        Some((k, mean_of(&each)))
    };
    let means = |of: fn(&Attempts) -> f64| mean_of(&played.iter().map(of).collect::<Vec<_>>());
    let of_kind = |(kind, rates): (&'static str, Vec<f64>)| {
        (kind, KindSuccess { tasks: rates.len(), success: interval_of(&rates) })
    };
    let mut agents: BTreeMap<String, AgentPlay> = BTreeMap::new();
    for (name, of) in played.iter().flat_map(|it| &it.agents) {
        *agents.entry(name.clone()).or_default() += *of;
    }
    let episodes = plan.seeds.len() * plan.tasks * plan.attempts;
    SplitEvaluation {
        temperature,
        split,
        success_rate: mean_of(&tasks),
        standard_deviation: sample_deviation(&rates),
        over_tasks: interval_of(&tasks),
        over_seeds: interval_of(&rates),
        pass_at: attempt_counts(plan.attempts).filter_map(pass).collect(),
        mean_length: means(|it| it.length),
        mean_score: means(|it| it.score),
        kinds: by_kind.into_iter().map(of_kind).collect(),
        agents: agents.into_iter().map(|(name, of)| (name, of.means(episodes))).collect(),
        seeds,
    }
}

/// 1, 2, 4, … and all.
fn attempt_counts(all: usize) -> impl Iterator<Item = usize> {
    let powers = std::iter::successors(Some(1_usize), |k| k.checked_mul(2));
    powers.take_while(move |&k| k < all).chain(std::iter::once(all))
}

pub(crate) fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The mean and its interval; of no values, nothing is expected.
pub(crate) fn interval_of(values: &[f64]) -> Interval {
    let of = |scores: Scores| Bootstrap::default().interval(&scores, mean);
    Scores::single_task(values).map_or(Interval { point: 0.0, low: 0.0, high: 0.0 }, of)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use hgpo_train::config::Config;

    use super::*;

    #[test]
    fn attempts_are_averaged_over_tasks_and_seeds() {
        let suite = hgpo_env::suite(&Config::default().environment, None).unwrap();
        let plan = HeldOutPlan {
            temperatures: vec![0.5],
            top_p: 1.0,
            splits: vec![Split::Seen],
            seeds: vec![1, 2],
            tasks: 2,
            attempts: 4,
        };
        let played = |seed, won: [usize; 2], length| Attempts {
            seed,
            won: won.to_vec(),
            length,
            score: 0.5,
            agents: BTreeMap::new(),
        };
        let played = [played(1, [4, 2], 3.0), played(2, [0, 2], 5.0)];
        let kinds = task_kinds(suite.as_ref(), &plan, Split::Seen);
        let found = summarise_split(&plan, (0.5, Split::Seen), &kinds, &played);
        // Tasks 1, 1/2, 0, 1/2; seeds 3/4 and 1/4, whose deviation is √(2 · 1/16) = √(1/8).
        assert_eq!((found.success_rate, found.mean_length, found.mean_score), (0.5, 4.0, 0.5));
        assert_eq!(found.seeds.iter().map(|it| it.success_rate).collect::<Vec<_>>(), [0.75, 0.25]);
        assert!((found.standard_deviation.unwrap() - 0.125_f64.sqrt()).abs() < 1e-12);
        assert_eq!((found.over_seeds.low, found.over_seeds.high), (0.25, 0.75));
        let tasks = found.over_tasks;
        assert!(tasks.point == 0.5 && tasks.low > 0.0 && tasks.high < 1.0, "{tasks:?}");
        // 2 of 4 won: a pair holds one with 1 - 1/6, four with certainty.
        assert_eq!(found.pass_at.keys().copied().collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(found.pass_at[&1], 0.5);
        let pairs = (1.0 + 2.0 * (5.0 / 6.0)) / 4.0;
        assert!((found.pass_at[&2] - pairs).abs() < 1e-12 && found.pass_at[&4] == 0.75);
        let kinds: usize = found.kinds.values().map(|it| it.tasks).sum();
        assert_eq!(kinds, 4, "every task of chores has a kind");
        let of_kinds = found.kinds.values().map(|it| it.success.point * it.tasks as f64);
        assert!((of_kinds.sum::<f64>() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn attempt_counts_end_with_all_attempts() {
        let of = |all| attempt_counts(all).collect::<Vec<_>>();
        assert_eq!([of(1), of(2), of(5)], [vec![1], vec![1, 2], vec![1, 2, 4, 5]]);
    }
}
