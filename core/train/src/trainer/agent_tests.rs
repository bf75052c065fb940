//! Second moments of agents' advantages in training, against what the normalisation makes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use hgpo_core::{Estimator, STD_EPSILON, Statistics, StdRule, Trajectory};

use super::{Learner as _, Trainer, initial_policy};
use crate::config::{Config, PolicyKind};
use crate::executor::Sequential;

/// The mean square over each agent's rows: with one normalisation (σ_k² + (μ_k − μ)²) / (σ + ε)², with one for each
/// agent σ_k² / (σ_k + ε)², in every task; a σ of 0 gives 0.
fn expected(trajectories: &[Trajectory], rule: StdRule, apart: bool) -> BTreeMap<String, f64> {
    let mut tasks: BTreeMap<&str, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    for trajectory in trajectories {
        let score: f64 = trajectory.steps.iter().map(|step| step.reward).sum();
        let rows = tasks.entry(&trajectory.task).or_default();
        for step in &trajectory.steps {
            rows.entry(step.agent.as_deref().unwrap()).or_default().push(score);
        }
    }
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for agents in tasks.values() {
        let all = Statistics::of(&agents.values().flatten().copied().collect::<Vec<_>>(), rule);
        for (name, scores) in agents {
            let own = Statistics::of(scores, StdRule::Population);
            let of = if apart { Statistics::of(scores, rule) } else { all };
            let moment = if of.std > 0.0 {
                (own.std.powi(2) + (own.mean - of.mean).powi(2)) / (of.std + STD_EPSILON).powi(2)
            } else if apart && scores.len() == 1 {
                // The public code's group of one row keeps its score.
                scores[0].powi(2)
            } else {
                0.0
            };
            let sum = sums.entry((*name).to_owned()).or_default();
            *sum = (sum.0 + moment * scores.len() as f64, sum.1 + scores.len() as f64);
        }
    }
    sums.into_iter().map(|(name, (sum, count))| (name, sum / count)).collect()
}

#[test]
fn second_moments_in_training_are_those_of_the_normalisation() {
    for (environment, steps) in [("countdown-team", 12), ("library", 10), ("guide-and-walker", 20)]
    {
        for (estimator, std) in [
            ("grpo", "population"),
            ("grpo", "sample"),
            ("dr-mas", "population"),
            ("dr-mas", "sample"),
        ] {
            let mut config = Config::default();
            config.policy.kind = PolicyKind::Table;
            (config.environment.name, config.environment.max_steps) = (environment.into(), steps);
            (config.warm_start.episodes, config.learn.invalid_penalty) = (0, 0.0);
            config.estimator = Estimator::default_named(estimator).unwrap();
            config.estimator.set("std", std.into()).unwrap();
            let rule = if std == "sample" { StdRule::Sample } else { StdRule::Population };
            let suite = hgpo_env::suite(&config.environment, None).unwrap();
            let (policy, format) = initial_policy::table(&config);
            let mut trainer = Trainer::new(&config, Arc::clone(&suite), format, policy).unwrap();
            let mut has_signal = false;
            for _ in 0..3 {
                let iteration = trainer.iterate(&Sequential).unwrap().unwrap();
                let expected = expected(&iteration.trajectories, rule, estimator == "dr-mas");
                for (name, expected) in expected {
                    let key = format!("agent/{name}/advantage_second_moment");
                    let found = iteration.metrics[&key].as_f64().unwrap();
                    let close = (found - expected).abs() <= 1e-9 * expected.max(1e-6);
                    assert!(close, "{environment} {estimator} {std} {name}: {found} {expected}");
                    has_signal |= found > 0.0;
                }
            }
            assert!(has_signal, "{environment}: nothing was won");
        }
    }
}
