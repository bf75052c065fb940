//! Metrics of an iteration, by the names that TRL and prime-rl users know.

use hgpo_core::{Diagnostics, GroupCount, Level, Trajectory};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::objective::clipped::gradient_divisor;
use crate::rollout::episode::INFO;
use crate::update::UpdateReport;
use crate::update::divergence_in_reward::DivergenceInReward;

/// Names and values in a fixed order.
pub type Metrics = Map<String, Value>;

/// Clock readings of an iteration, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationTiming {
    pub(super) start: f64,
    pub(super) collected: f64,
    pub(super) estimated: f64,
    pub(super) updated: f64,
}

/// What an iteration cost beyond the steps that it learned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationCost {
    pub(super) environment_steps: usize,
    pub(super) dropped_groups: Option<usize>,
    pub(super) divergence: DivergenceInReward,
}

fn put(metrics: &mut Metrics, name: &str, value: impl Into<Value>) {
    metrics.insert(name.to_owned(), value.into());
}

/// What the warm start reports.
pub(super) fn warm_start(steps: usize, loss: f64, seconds: f64) -> Metrics {
    let mut metrics = Metrics::new();
    put(&mut metrics, "warm_start/steps", steps);
    put(&mut metrics, "warm_start/loss", loss);
    put(&mut metrics, "seconds/warm_start", seconds);
    metrics
}

/// What one iteration reports.
pub(super) fn iteration(
    (number, cost): (u64, IterationCost),
    played: &[Trajectory],
    diagnostics: &Diagnostics,
    report: &UpdateReport,
    config: &Config,
    timing: &IterationTiming,
) -> Metrics {
    let mut metrics = Metrics::new();
    put(&mut metrics, "iteration", number);
    let objective = &config.learn.objective;
    let count = played.len().max(1) as f64;
    let subtracted = objective.kl_coefficient * cost.divergence.sum / count;
    episodes(played, subtracted, &mut metrics);
    if objective.has_divergence_in_reward() {
        put(&mut metrics, "reward/divergence", subtracted);
        put(&mut metrics, "kl", cost.divergence.per_token());
    }
    put(&mut metrics, "environment_steps", cost.environment_steps as f64);
    if let Some(dropped) = cost.dropped_groups {
        put(&mut metrics, "dropped_groups", dropped as f64);
    }
    groups(diagnostics, &mut metrics);
    let advantage = &diagnostics.advantage;
    put(&mut metrics, "advantage/mean", advantage.mean);
    put(&mut metrics, "advantage/std", advantage.std);
    put(&mut metrics, "advantage/min", advantage.min);
    put(&mut metrics, "advantage/max", advantage.max);
    losses(report, config, &mut metrics);
    put(&mut metrics, "no_signal_fraction", diagnostics.no_signal_fraction);
    put(&mut metrics, "learning_rate", config.learn.learning_rate_of(number));
    let seconds = timing.updated - timing.start;
    put(&mut metrics, "tokens_per_second", report.sums.count.tokens / seconds.max(1e-9));
    put(&mut metrics, "seconds/rollout", timing.collected - timing.start);
    put(&mut metrics, "seconds/advantage", timing.estimated - timing.collected);
    put(&mut metrics, "seconds/update", timing.updated - timing.estimated);
    metrics
}

/// What the environment says of episodes, whose rewards were lowered by so much each.
fn episodes(episodes: &[Trajectory], subtracted: f64, metrics: &mut Metrics) {
    let count = episodes.len().max(1) as f64;
    let steps = episodes.iter().map(|t| t.steps.len()).sum::<usize>() as f64;
    let reward: f64 = episodes.iter().flat_map(|t| &t.steps).map(|step| step.reward).sum();
    let won = episodes.iter().filter(|t| t.success == Some(true)).count() as f64;
    let invalid = episodes.iter().flat_map(|t| &t.steps).filter(|step| !step.valid).count() as f64;
    put(metrics, "reward/mean", reward / count + subtracted);
    put(metrics, "success_rate", won / count);
    put(metrics, "episode_length/mean", steps / count);
    put(metrics, "invalid_fraction", invalid / steps.max(1.0));
    put(metrics, "steps", steps);
    let infos = || episodes.iter().filter_map(|t| t.extra.get(INFO)?.as_object());
    for name in infos().flat_map(Map::keys) {
        let key = [INFO, "/", name].concat();
        if !metrics.contains_key(&key) {
            let values = || infos().filter_map(|info| info.get(name)?.as_f64());
            put(metrics, &key, values().sum::<f64>() / values().count().max(1) as f64);
        }
    }
}

fn groups(diagnostics: &Diagnostics, metrics: &mut Metrics) {
    for groups in &diagnostics.levels {
        let Some(Level(k)) = groups.level else {
            continue;
        };
        put(metrics, &format!("group_size/level_{k}/mean"), groups.mean_size);
        put(metrics, &format!("group_size/level_{k}/histogram"), histogram(&groups.group_sizes));
        put(metrics, &format!("singleton_fraction/level_{k}"), groups.singleton_fraction);
        put(metrics, &format!("zero_std_fraction/level_{k}"), groups.zero_std_fraction);
        put(metrics, &format!("weight/level_{k}/mean"), groups.mean_weight);
        if let Some(found) = &groups.inconsistency {
            for (name, value) in [
                ("split_fraction", Some(found.split_fraction)),
                ("explained", found.explained),
                ("by_chance", found.by_chance),
                ("beyond_chance", found.beyond_chance),
            ] {
                put(metrics, &format!("context_inconsistency/level_{k}/{name}"), value);
            }
        }
    }
}

/// \[\[size, groups of that size\], …\], sizes ascending.
fn histogram(sizes: &[GroupCount]) -> Value {
    sizes.iter().map(|it| Value::from(vec![it.size, it.groups])).collect()
}

/// What the updates of an iteration report.
pub(super) fn losses(report: &UpdateReport, config: &Config, metrics: &mut Metrics) {
    let (sums, objective) = (&report.sums, &config.learn.objective);
    let tokens = sums.count.tokens.max(1.0);
    // As the loss is aggregated.
    let divisor = gradient_divisor(config, sums.count).max(1.0);
    let (policy, kl, entropy) =
        (sums.policy / divisor, sums.loss_kl / divisor, sums.loss_entropy / divisor);
    // If neither the loss nor rewards hold it, the divergence is not measured.
    if objective.has_divergence_in_loss() {
        put(metrics, "kl", sums.kl / tokens);
    }
    put(metrics, "entropy", sums.entropy / tokens);
    put(metrics, "clip_fraction/low", sums.clipped_low / tokens);
    put(metrics, "clip_fraction/high", sums.clipped_high / tokens);
    put(metrics, "grad_norm", report.grad_norm);
    put(metrics, "loss/policy", policy);
    if objective.has_divergence_in_loss() {
        put(metrics, "loss/kl", kl);
    }
    put(
        metrics,
        "loss/total",
        policy + objective.kl_coefficient * kl - config.learn.entropy_coefficient * entropy,
    );
}

#[cfg(test)]
mod tests {
    use hgpo_core::{Batch, Discount, Options, diagnostics, format};
    use serde_json::json;

    use super::*;

    #[test]
    fn group_metrics_are_reported_per_level() {
        let door = include_str!("../../../../assets/presets/inconsistent.rollouts.jsonl");
        let batch = Batch::new(format::read(door.as_bytes()).unwrap()).unwrap();
        let options = Options { discount: Discount::new(1.0).unwrap(), ..Options::default() };
        let mut metrics = Metrics::new();
        groups(&diagnostics(&batch, &options).unwrap(), &mut metrics);
        // Four attempts are in the hall 5 times, at the desk 3, at the door 6, and once at the bell.
        assert_eq!(metrics["group_size/level_0/mean"], json!(3.75));
        assert_eq!(
            metrics["group_size/level_0/histogram"],
            json!([[1, 1], [3, 1], [5, 1], [6, 1]])
        );
        // Level 1: hall-desk 3, desk-door 3, hall-door 2; door-door, door-hall and door-bell once.
        assert_eq!(metrics["group_size/level_1/histogram"], json!([[1, 3], [2, 1], [3, 2]]));
        // The door is split, the desk is not (core/tests/core/inconsistency.rs has the sums of squares).
        let of = |level, name| &metrics[&format!("context_inconsistency/level_{level}/{name}")];
        assert_eq!(of(1, "split_fraction"), &json!(0.5));
        for name in ["explained", "by_chance"] {
            assert!((of(1, name).as_f64().unwrap() - 0.4).abs() < 1e-12);
        }
        assert!(of(1, "beyond_chance").as_f64().unwrap().abs() < 1e-12);
        // The returns at level 2 are all 10.
        assert_eq!(of(2, "split_fraction"), &json!(1.0));
        for name in ["explained", "by_chance", "beyond_chance"] {
            assert_eq!(of(2, name), &Value::Null);
        }
        assert!(!metrics.keys().any(|key| key.starts_with("context_inconsistency/level_0")));
    }
}
