//! Critic: values of states, learned from returns, one a step.
//!
//! # Formula
//! V(s) = w · φ(s), with w the minimum of Σ keepⁱ (R − w · φ)² + ridge |w|² over all steps that were
//! learned from, i iterations ago each; R is the discounted return of the rewards that are learned from
//! (the environment's, less the divergence from the reference if `learn.divergence_in_reward`), without the
//! penalty for invalid responses. For a table φ tells memories apart (1 for the step's own, 0 for
//! every other), so that V is the mean return of a memory, drawn a little towards 0. For a transformer φ
//! is the mean of the last layer's vectors over the prompt, and 1, by the policy as it was after the
//! warm start.
//!
//! So the critic costs no optimiser and no second network, and is exact in what it is given; but its
//! features do not learn. PPO's own critic (Schulman et al. 2017) is a network with a value per token.

mod least_squares;
mod means;

use hgpo_core::{Statistics, StdRule};
use serde::{Deserialize, Serialize};

use self::least_squares::LeastSquares;
use self::means::Means;
use crate::TrainerError;
use crate::config::{Config, CriticConfig, CriticKind};
use crate::distinct::distinct;
use crate::policy::{Policy, PolicyError};
use crate::rollout::episode::Episode;

/// A critic: what it has learned of states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Critic {
    /// Of memories that share nothing.
    Means(Means),
    /// Of features.
    LeastSquares(LeastSquares),
}

/// What an iteration's steps are to the critic, in their order.
enum Features {
    Memories(Vec<Vec<u32>>),
    Vectors(Vec<Vec<f64>>),
}

impl Critic {
    /// Its name in a checkpoint.
    pub(crate) const FILE: &str = "critic.json";

    /// One that knows nothing of such steps.
    fn new(seen: &Features) -> Self {
        match seen {
            Features::Memories(_) => Self::Means(Means::default()),
            Features::Vectors(_) => Self::LeastSquares(LeastSquares::default()),
        }
    }

    /// V of each step's state, and what the critic comes to after an iteration's steps.
    fn learned(
        self,
        seen: &Features,
        returns: &[f64],
        settings: &CriticConfig,
    ) -> (Vec<f64>, Self) {
        match (self, seen) {
            (Self::Means(mut means), Features::Memories(memories)) => {
                let value = |memory: &Vec<u32>| means.value(memory, settings.ridge);
                let values = memories.iter().map(value).collect();
                means.learn(memories, returns, settings.keep);
                (values, Self::Means(means))
            }
            (Self::LeastSquares(mut fit), Features::Vectors(vectors)) => {
                let values = fit.values(vectors, settings.ridge);
                fit.learn(vectors, returns, settings.keep);
                (values, Self::LeastSquares(fit))
            }
            // Another kind of policy: nothing is known of its steps.
            _ => Self::new(seen).learned(seen, returns, settings),
        }
    }
}

/// Gives every step the value that a critic has for its state, a new one if there is none yet.
/// Features are the reference's, which stay the same in every iteration. Gives the critic after these steps, and the
/// share of their returns' variance that it foresaw before.
pub(crate) fn estimate_values<P: Policy>(
    critic: Option<&Critic>,
    config: &Config,
    reference: &P,
    episodes: &mut [Episode],
) -> Result<Option<(Critic, f64)>, TrainerError> {
    let settings = &config.critic;
    if settings.kind == CriticKind::None {
        return Ok(None);
    }
    let discount = config.options()?.discount;
    let returns: Vec<f64> = episodes.iter().flat_map(|it| it.returns(discount)).collect();
    let seen = features(reference, episodes)?;
    let critic = critic.cloned().unwrap_or_else(|| Critic::new(&seen));
    let (values, critic) = critic.learned(&seen, &returns, settings);
    let explained_variance = explained_variance(&returns, &values);
    let steps = episodes.iter_mut().flat_map(|it| &mut it.trajectory.steps);
    for (step, value) in steps.zip(values) {
        step.state_value = Some(value);
    }
    Ok(Some((critic, explained_variance)))
}

fn features<P: Policy>(reference: &P, episodes: &[Episode]) -> Result<Features, PolicyError> {
    let turns = episodes.iter().flat_map(|it| &it.turns);
    let prompts: Vec<&[u32]> = turns.map(|turn| turn.prompt.as_slice()).collect();
    // Attempts at one task start alike and meet again: what is equal is read once.
    let (different, of) = distinct(prompts.iter().copied());
    Ok(match reference.embed(&different)? {
        Some(vectors) => Features::Vectors(of.into_iter().map(|it| vectors[it].clone()).collect()),
        None => Features::Memories(prompts.into_iter().map(<[u32]>::to_vec).collect()),
    })
}

/// 1 − Var(R − V) / Var(R): 1 if every return was foreseen, 0 if none was, and if all returns
/// are equal.
fn explained_variance(returns: &[f64], values: &[f64]) -> f64 {
    let left: Vec<f64> = returns.iter().zip(values).map(|(r, v)| r - v).collect();
    let [left, all] = [&left[..], returns].map(|it| Statistics::of(it, StdRule::Population).std);
    if all > 0.0 { 1.0 - (left / all) * (left / all) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::executor::Sequential;
    use crate::policy::table::TablePolicy;
    use crate::test_environment::CoinSuite;
    use crate::trainer::{Iteration, Learner as _, Trainer, initial_policy};
    use crate::values::bias_study::BiasStudyPlan;

    fn trainer() -> Trainer<TablePolicy> {
        let mut config = Config::default();
        config.warm_start.episodes = 0;
        config.critic.kind = CriticKind::LeastSquares;
        let (policy, format) = initial_policy::table(&config);
        Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy).unwrap()
    }

    /// The value of each state in an iteration.
    fn values(iteration: &Iteration) -> BTreeMap<String, f64> {
        let steps = iteration.trajectories.iter().flat_map(|it| &it.steps);
        steps.map(|step| (step.state.clone(), step.state_value.unwrap())).collect()
    }

    #[test]
    fn critic_values_approach_mean_returns() {
        let mut trainer = trainer();
        let mut last = BTreeMap::new();
        for number in 0..8 {
            last = values(&trainer.iterate(&Sequential).unwrap().unwrap());
            if number == 0 {
                assert!(last.values().all(|value| value.abs() < 1e-12), "{last:?}");
            }
        }
        // 0.85 · 8 / 2 = 3.4, 8 and 0; the ridge of 1 draws several hundred visits by a part in hundred.
        let expected = [("heads", 8.0), ("start", 3.4), ("tails", 0.0)];
        for ((state, value), (name, expected)) in last.iter().zip(expected) {
            assert_eq!(state, name);
            assert!((value - expected).abs() < 0.3, "{state}: {value}");
        }
    }

    #[test]
    fn gae_compares_returns_with_critic_values() {
        let mut config = Config::default();
        let recorded =
            r#"{"name":"composed","state_value":"recorded","credit":"gae","among":"nothing"}"#;
        config.estimator = serde_json::from_str(recorded).unwrap();
        let refused = config.validate().unwrap_err().to_string();
        assert!(
            refused.starts_with("setting 'estimator.state_value': nothing records"),
            "{refused}"
        );
        config.warm_start.episodes = 0;
        config.critic.kind = CriticKind::LeastSquares;
        let (policy, format) = initial_policy::table(&config);
        let mut trainer =
            Trainer::new(&config, Arc::new(CoinSuite { shown: true }), format, policy).unwrap();
        let spread = |trainer: &mut Trainer<TablePolicy>| {
            let metrics = trainer.iterate(&Sequential).unwrap().unwrap().metrics;
            metrics["advantage/std"].as_f64().unwrap()
        };
        let first = spread(&mut trainer);
        let last = (0..8).map(|_| spread(&mut trainer)).last().unwrap();
        // Before it knows anything, returns count as they are; then only the luck of the toss is left.
        assert!(last < 0.8 * first, "{first} {last}");
    }

    #[test]
    fn critic_values_the_steps_of_a_study_and_learns_nothing_from_them() {
        let mut trainer = trainer();
        for _ in 0..8 {
            trainer.iterate(&Sequential).unwrap();
        }
        let discount = trainer.config.options().unwrap().discount;
        let plan = BiasStudyPlan { seed: 4, tasks: 1, groups: 4, rollouts: 2, discount };
        let before = trainer.state.critic.clone();
        let found = trainer.study_task(&plan, 0, &Sequential).unwrap().unwrap();
        let values: BTreeMap<String, f64> = found
            .groups
            .iter()
            .flat_map(|group| group.batch.trajectories())
            .flat_map(|it| &it.steps)
            .map(|step| (step.state.clone(), step.state_value.unwrap()))
            .collect();
        for (name, expected) in [("heads", 8.0), ("start", 3.4), ("tails", 0.0)] {
            assert!((values[name] - expected).abs() < 0.3, "{values:?}");
        }
        assert_eq!(trainer.state.critic, before);
    }

    #[test]
    fn explained_variance_is_the_share_of_variance_foreseen() {
        // Deviations of the returns: ±2, of mean square 4; of what is left: ±1, of mean square 1.
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        is(explained_variance(&[2.0, 6.0], &[1.0, 3.0]), 0.75);
        is(explained_variance(&[2.0, 6.0], &[5.0, 5.0]), 0.0);
        is(explained_variance(&[2.0, 2.0], &[5.0, 1.0]), 0.0);
    }

    #[test]
    fn restored_critics_continue_as_if_never_stopped() {
        let mut undisturbed = trainer();
        undisturbed.iterate(&Sequential).unwrap();
        let mut files = BTreeMap::new();
        let mut write = |name: &str, bytes: Vec<u8>| {
            files.insert(name.to_owned(), bytes);
            Ok(())
        };
        undisturbed.save(&mut write).unwrap();
        let mut restored = trainer();
        let mut read = |name: &str| Ok(files[name].clone());
        restored.restore(&mut read).unwrap();
        let next = |trainer: &mut Trainer<TablePolicy>| {
            trainer.iterate(&Sequential).unwrap().unwrap().trajectories
        };
        assert_eq!(next(&mut restored), next(&mut undisturbed));
    }
}
