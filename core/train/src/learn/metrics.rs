//! Named values of an iteration, by the names that TRL and prime-rl users know.

use hgpo_core::{Batch, Diagnostics, Level, Summary};
use serde_json::{Map, Value};

use super::groups::Played;
use super::update::UpdateReport;
use crate::config::{Config, RolloutConfig};

/// Names and values in a fixed order.
pub type Metrics = Map<String, Value>;

/// Clock readings of an iteration, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) start: f64,
    pub(super) collected: f64,
    pub(super) estimated: f64,
    pub(super) updated: f64,
}

/// What an iteration cost beyond the steps that it learned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    environment_steps: usize,
    dropped_groups: Option<usize>,
}

impl Cost {
    pub(super) fn of(played: &Played, rollout: &RolloutConfig) -> Self {
        let dropped_groups = (rollout.dynamic_sampling > 0).then_some(played.dropped);
        Self { environment_steps: played.environment_steps, dropped_groups }
    }
}

/// What the warm start reports.
pub(super) fn warm_start(steps: usize, loss: f64, seconds: f64) -> Metrics {
    let mut metrics = Metrics::new();
    metrics.insert("warm_start/steps".into(), steps.into());
    metrics.insert("warm_start/loss".into(), loss.into());
    metrics.insert("seconds/warm_start".into(), seconds.into());
    metrics
}

/// What one iteration reports.
pub(super) fn iteration(
    (number, cost): (u64, Cost),
    batch: &Batch,
    diagnostics: &Diagnostics,
    report: &UpdateReport,
    config: &Config,
    timing: &Timing,
) -> Metrics {
    let mut metrics = Metrics::new();
    metrics.insert("iteration".into(), number.into());
    metrics.insert("environment_steps".into(), cost.environment_steps.into());
    if let Some(dropped) = cost.dropped_groups {
        metrics.insert("dropped_groups".into(), dropped.into());
    }
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value.into());
    };
    episodes(batch, &mut put);
    groups(diagnostics, &mut put);
    advantages(&diagnostics.advantage, &mut put);
    losses(report, config, &mut put);
    put("learning_rate", config.learn.learning_rate_of(number));
    let seconds = timing.updated - timing.start;
    put("tokens_per_second", report.sums.tokens / seconds.max(1e-9));
    put("seconds/rollout", timing.collected - timing.start);
    put("seconds/advantage", timing.estimated - timing.collected);
    put("seconds/update", timing.updated - timing.estimated);
    metrics
}

fn episodes(batch: &Batch, put: &mut impl FnMut(&str, f64)) {
    let episodes = batch.trajectories();
    let count = episodes.len().max(1) as f64;
    let steps = episodes.iter().map(|t| t.steps.len()).sum::<usize>() as f64;
    let reward: f64 = episodes.iter().flat_map(|t| &t.steps).map(|step| step.reward).sum();
    let won = episodes.iter().filter(|t| t.success == Some(true)).count() as f64;
    let invalid = episodes.iter().flat_map(|t| &t.steps).filter(|step| !step.valid).count() as f64;
    put("reward/mean", reward / count);
    put("success_rate", won / count);
    put("episode_length/mean", steps / count);
    put("invalid_fraction", invalid / steps.max(1.0));
    put("steps", steps);
}

fn groups(diagnostics: &Diagnostics, put: &mut impl FnMut(&str, f64)) {
    for level in &diagnostics.levels {
        let Some(Level(k)) = level.level else {
            continue;
        };
        put(&format!("group_size/level_{k}/mean"), level.mean_size);
        put(&format!("singleton_fraction/level_{k}"), level.singleton_fraction);
        put(&format!("zero_std_fraction/level_{k}"), level.zero_std_fraction);
        put(&format!("weight/level_{k}/mean"), level.mean_weight);
    }
}

fn advantages(advantage: &Summary, put: &mut impl FnMut(&str, f64)) {
    put("advantage/mean", advantage.mean);
    put("advantage/std", advantage.std);
    put("advantage/min", advantage.min);
    put("advantage/max", advantage.max);
}

fn losses(report: &UpdateReport, config: &Config, put: &mut impl FnMut(&str, f64)) {
    let sums = &report.sums;
    let tokens = sums.tokens.max(1.0);
    let (policy, kl, entropy) = (sums.policy / tokens, sums.kl / tokens, sums.entropy / tokens);
    put("kl", kl);
    put("entropy", entropy);
    put("clip_fraction/low", sums.clipped_low / tokens);
    put("clip_fraction/high", sums.clipped_high / tokens);
    put("grad_norm", report.grad_norm);
    put("loss/policy", policy);
    put("loss/kl", kl);
    put(
        "loss/total",
        policy + config.learn.kl_coefficient * kl - config.learn.entropy_coefficient * entropy,
    );
}
