//! The objective: clipped policy gradient, divergence from the reference, entropy.

use burn::tensor::{Device, Tensor, TensorData};

use crate::config::LearnConfig;

/// Differences of log-probabilities are bounded by this before the exponential of the divergence.
const MAX_DIFFERENCE: f64 = 10.0;

/// What each response token of a batch is compared with.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Log-probability when the token was drawn.
    pub old: Vec<f64>,
    /// Log-probability under the reference policy.
    pub reference: Vec<f64>,
    /// Advantage of the token's step.
    pub advantage: Vec<f64>,
}

/// The loss summed over response tokens; divide by their number for the token mean.
///
/// # Formula
/// With r = exp(log π − log π_old), A the advantage, d = log π_ref − log π clamped to ±10:
/// `policy` = max(−A r, −A clip(r, 1−ε_low, 1+ε_high)), for A < 0 at most −A c (dual clip c);
/// `kl` = `e^d` − d − 1 (k3); loss = Σ policy + β Σ kl − η Σ entropy
/// (verl's `compute_policy_loss` and `low_var_kl`).
#[must_use]
pub fn total(
    log_probabilities: &Tensor<1>,
    entropies: Tensor<1>,
    targets: &Targets,
    config: &LearnConfig,
) -> Tensor<1> {
    let device = log_probabilities.device();
    let constant = |values: &[f64]| constant(values, &device);
    let advantage = constant(&targets.advantage);
    let ratio = (log_probabilities.clone() - constant(&targets.old)).exp();
    let clipped = ratio.clone().clamp(1.0 - config.clip_low, 1.0 + config.clip_high);
    let pessimistic = (advantage.clone().neg() * ratio).max_pair(advantage.clone().neg() * clipped);
    // Where A ≥ 0 the bound is never reached: −A r ≤ 0 ≤ bound.
    let bound: Vec<f64> = targets
        .advantage
        .iter()
        .map(|&a| if a < 0.0 { -a * config.dual_clip } else { f64::from(f32::MAX) })
        .collect();
    let policy = pessimistic.min_pair(constant(&bound));

    let difference = (constant(&targets.reference) - log_probabilities.clone())
        .clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE);
    let divergence = difference.clone().exp() - difference.add_scalar(1.0);

    policy.sum() + divergence.sum().mul_scalar(config.kl_coefficient)
        - entropies.sum().mul_scalar(config.entropy_coefficient)
}

fn constant(values: &[f64], device: &Device) -> Tensor<1> {
    let values: Vec<f32> = values.iter().map(|&value| value as f32).collect();
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

/// Sums over response tokens of what the metrics report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Response tokens.
    pub tokens: f64,
    /// Policy term.
    pub policy: f64,
    /// Divergence from the reference (k3).
    pub kl: f64,
    /// Entropy, in nats.
    pub entropy: f64,
    /// Tokens whose ratio was clipped from below, with effect.
    pub clipped_low: f64,
    /// Tokens whose ratio was clipped from above, with effect.
    pub clipped_high: f64,
}

impl Sums {
    /// The same terms as [`total`], in f64 on the host, for the metrics.
    #[must_use]
    pub fn of(
        log_probabilities: &[f32],
        entropies: &[f32],
        targets: &Targets,
        config: &LearnConfig,
    ) -> Self {
        let mut sums = Self::default();
        for (index, (&log_probability, &entropy)) in
            log_probabilities.iter().zip(entropies).enumerate()
        {
            let (old, reference, advantage) =
                (targets.old[index], targets.reference[index], targets.advantage[index]);
            let log_probability = f64::from(log_probability);
            let ratio = (log_probability - old).exp();
            let clipped = ratio.clamp(1.0 - config.clip_low, 1.0 + config.clip_high);
            let mut policy = (-advantage * ratio).max(-advantage * clipped);
            if advantage < 0.0 {
                policy = policy.min(-advantage * config.dual_clip);
            }
            let difference = (reference - log_probability).clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE);
            sums.tokens += 1.0;
            sums.policy += policy;
            sums.kl += difference.exp() - difference - 1.0;
            sums.entropy += f64::from(entropy);
            sums.clipped_low += f64::from(u8::from(advantage < 0.0 && ratio < clipped));
            sums.clipped_high += f64::from(u8::from(advantage > 0.0 && ratio > clipped));
        }
        sums
    }

    /// Adds another batch.
    pub fn add(&mut self, other: &Self) {
        self.tokens += other.tokens;
        self.policy += other.policy;
        self.kl += other.kl;
        self.entropy += other.entropy;
        self.clipped_low += other.clipped_low;
        self.clipped_high += other.clipped_high;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loss of one token with log π = ln(ratio), old and reference 0, without entropy.
    fn loss(ratio: f64, advantage: f64, kl_coefficient: f64) -> f64 {
        let config =
            LearnConfig { kl_coefficient, entropy_coefficient: 0.0, ..LearnConfig::default() };
        let device = Device::flex();
        let log_probability = constant(&[ratio.ln()], &device);
        let targets = Targets { old: vec![0.0], reference: vec![0.0], advantage: vec![advantage] };
        let entropies = constant(&[0.0], &device);
        let on_device = total(&log_probability, entropies, &targets, &config).into_scalar::<f32>();
        let sums = Sums::of(&[ratio.ln() as f32], &[0.0], &targets, &config);
        let on_host = sums.policy + kl_coefficient * sums.kl;
        assert!((f64::from(on_device) - on_host).abs() < 1e-5, "{on_device} {on_host}");
        on_host
    }

    #[test]
    fn clips_follow_the_definition() {
        let close = |value: f64, expected: f64| {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        };
        close(loss(1.1, 2.0, 0.0), -2.2); // inside
        close(loss(1.5, 2.0, 0.0), -2.4); // above, A > 0: clipped at 1.2
        close(loss(0.5, 2.0, 0.0), -1.0); // below, A > 0: the pessimistic side is unclipped
        close(loss(0.5, -2.0, 0.0), 1.6); // below, A < 0: clipped at 0.8
        close(loss(5.0, -2.0, 0.0), 6.0); // far above, A < 0: dual clip at 3
        close(loss(2.0, 0.0, 1.0), 0.5 + 2f64.ln() - 1.0); // k3 with d = −ln 2
    }
}
