//! Named values of an iteration, by the names that TRL and prime-rl users know.

use hgpo_core::{Batch, Diagnostics, GroupCount, Level, Summary};
use serde_json::{Map, Value};

use super::update::UpdateReport;
use crate::config::Config;

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
    number: u64,
    batch: &Batch,
    diagnostics: &Diagnostics,
    report: &UpdateReport,
    config: &Config,
    timing: &Timing,
) -> Metrics {
    let mut metrics = Metrics::new();
    metrics.insert("iteration".into(), number.into());
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value.into());
    };
    episodes(batch, &mut put);
    groups(diagnostics, &mut metrics);
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value.into());
    };
    advantages(&diagnostics.advantage, &mut put);
    losses(report, config, &mut put);
    put("no_signal_fraction", diagnostics.no_signal_fraction);
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

fn groups(diagnostics: &Diagnostics, metrics: &mut Metrics) {
    for groups in &diagnostics.levels {
        let Some(Level(k)) = groups.level else {
            continue;
        };
        let mut put = |name: String, value: Value| {
            metrics.insert(name, value);
        };
        put(format!("group_size/level_{k}/mean"), groups.mean_size.into());
        put(format!("group_size/level_{k}/histogram"), histogram(&groups.group_sizes));
        put(format!("singleton_fraction/level_{k}"), groups.singleton_fraction.into());
        put(format!("zero_std_fraction/level_{k}"), groups.zero_std_fraction.into());
        put(format!("weight/level_{k}/mean"), groups.mean_weight.into());
        if let Some(found) = &groups.inconsistency {
            let mut put = |name: &str, value: Value| {
                metrics.insert(format!("context_inconsistency/level_{k}/{name}"), value);
            };
            put("split_fraction", found.split_fraction.into());
            put("explained", found.explained.into());
            put("by_chance", found.by_chance.into());
            put("beyond_chance", found.beyond_chance.into());
        }
    }
}

/// \[\[size, groups of that size\], …\], sizes ascending.
fn histogram(sizes: &[GroupCount]) -> Value {
    sizes.iter().map(|it| Value::from(vec![it.size, it.groups])).collect()
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
