//! Clipped objective (PPO): ratio, clip, dual clip, divergence and entropy of a token, over the samples of
//! an iteration.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Loss;
use crate::Host;
use crate::config::LearnConfig;
use crate::policy::{LossGradient, TokenScore};
use crate::rollout::episode::Turn;

/// Differences of log-probabilities are bounded by this before the exponential of the divergence.
const MAX_DIFFERENCE: f64 = 10.0;

/// One step of an episode, as the optimiser sees it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tokens read.
    pub prompt: Vec<u32>,
    /// Tokens written.
    pub response: Vec<u32>,
    /// Log-probability of each token when it was drawn.
    pub old: Vec<f64>,
    /// Advantage of the step, the same for all its tokens.
    pub advantage: f64,
}

impl Sample {
    /// A step that was played, with its advantage.
    #[must_use]
    pub fn new(turn: Turn, advantage: f64) -> Self {
        Self {
            prompt: turn.prompt,
            response: turn.response.iter().map(|choice| choice.token).collect(),
            old: turn.response.iter().map(|choice| choice.log_probability).collect(),
            advantage,
        }
    }
}

/// What a response token is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenTarget {
    /// Log-probability when the token was drawn.
    pub old: f64,
    /// Log-probability under the reference policy.
    pub reference: f64,
    /// Advantage of the token's step.
    pub advantage: f64,
}

/// The terms of the clipped objective at one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenLoss {
    /// Policy term.
    pub policy: f64,
    /// Divergence from the reference (k3).
    pub kl: f64,
    /// Derivatives of the whole, entropy included.
    pub gradient: LossGradient,
    /// The ratio was clipped from below, with effect.
    pub clipped_low: bool,
    /// The ratio was clipped from above, with effect.
    pub clipped_high: bool,
}

/// The clipped objective of one token.
///
/// # Formula
/// With r = exp(log π − log π_old), A the advantage, d = log π_ref − log π clamped to ±10:
/// `policy` = max(−A r, −A clip(r, 1−ε_low, 1+ε_high)), for A < 0 at most −A c (dual clip c);
/// `kl` = `e^d` − d − 1 (k3); loss = Σ policy + β Σ kl − η Σ entropy
/// (verl's `compute_policy_loss` and `low_var_kl`). Its derivatives: −A r if the ratio is not clipped
/// with effect, else 0; β (1 − `e^d`) inside the clamp, else 0; −η.
#[must_use]
pub fn clipped_token_loss(
    log_probability: f64,
    target: TokenTarget,
    config: &LearnConfig,
) -> TokenLoss {
    let TokenTarget { old, reference, advantage } = target;
    let ratio = libm::exp(log_probability - old);
    let bounded = ratio.clamp(1.0 - config.clip_low, 1.0 + config.clip_high);
    let (free, held) = (-advantage * ratio, -advantage * bounded);
    let bound = if advantage < 0.0 { -advantage * config.dual_clip } else { f64::INFINITY };
    let policy = free.max(held).min(bound);
    let is_free = free >= held && free <= bound;

    let difference = reference - log_probability;
    let clamped = difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE);
    let growth = libm::exp(clamped);
    let by_kl = if difference.abs() <= MAX_DIFFERENCE { 1.0 - growth } else { 0.0 };
    TokenLoss {
        policy,
        kl: growth - clamped - 1.0,
        gradient: LossGradient {
            log_probability: if is_free { free } else { 0.0 } + config.kl_coefficient * by_kl,
            entropy: -config.entropy_coefficient,
        },
        clipped_low: advantage < 0.0 && ratio < bounded,
        clipped_high: advantage > 0.0 && ratio > bounded,
    }
}

/// Sums over response tokens of what the metrics report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossSums {
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

impl LossSums {
    /// Adds a token.
    pub fn token(&mut self, loss: &TokenLoss, entropy: f64) {
        self.tokens += 1.0;
        self.policy += loss.policy;
        self.kl += loss.kl;
        self.entropy += entropy;
        self.clipped_low += f64::from(u8::from(loss.clipped_low));
        self.clipped_high += f64::from(u8::from(loss.clipped_high));
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

/// The clipped objective: the scores of a passage are compared with the targets of each of its samples.
pub(crate) struct ClippedObjective<'a> {
    samples: &'a [Sample],
    /// The samples of each passage.
    sets: &'a [Vec<usize>],
    /// Of every passage, what the reference says of its tokens; none if the loss does not hold it.
    reference: Option<&'a [Vec<TokenScore>]>,
    config: &'a LearnConfig,
    host: &'a dyn Host,
    scored: AtomicUsize,
}

impl<'a> ClippedObjective<'a> {
    /// The objective of an iteration, whose progress the host is told.
    pub(crate) fn new(
        samples: &'a [Sample],
        sets: &'a [Vec<usize>],
        reference: Option<&'a [Vec<TokenScore>]>,
        config: &'a LearnConfig,
        host: &'a dyn Host,
    ) -> Self {
        Self { samples, sets, reference, config, host, scored: AtomicUsize::new(0) }
    }
}

impl Loss for ClippedObjective<'_> {
    type Report = LossSums;

    fn loss_gradients(
        &self,
        passage: usize,
        scores: &[TokenScore],
        report: &mut LossSums,
    ) -> Vec<LossGradient> {
        let mut loss_gradients = vec![LossGradient::default(); scores.len()];
        for sample in self.sets[passage].iter().map(|&index| &self.samples[index]) {
            let references = self.reference.map(|of| &of[passage]);
            for (at, (score, gradient)) in scores.iter().zip(&mut loss_gradients).enumerate() {
                let target = TokenTarget {
                    old: sample.old[at],
                    // Without a reference there is no divergence from it.
                    reference: references.map_or(score, |of| &of[at]).log_probability,
                    advantage: sample.advantage,
                };
                let loss = clipped_token_loss(score.log_probability, target, self.config);
                gradient.log_probability += loss.gradient.log_probability;
                gradient.entropy += loss.gradient.entropy;
                report.token(&loss, score.entropy);
            }
        }
        let done = self.scored.fetch_add(1, Ordering::Relaxed) + 1;
        self.host.progress("update", done, self.sets.len() * self.config.epochs);
        loss_gradients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(kl_coefficient: f64) -> LearnConfig {
        LearnConfig { kl_coefficient, entropy_coefficient: 0.25, ..LearnConfig::default() }
    }

    /// One token of a ratio, with a reference whose log-probability is 0.
    fn at(ratio: f64, advantage: f64, kl_coefficient: f64) -> TokenLoss {
        let target = TokenTarget { old: 0.0, reference: 0.0, advantage };
        clipped_token_loss(ratio.ln(), target, &config(kl_coefficient))
    }

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value} {expected}");
    }

    #[test]
    fn clipped_losses_follow_the_definition() {
        // (ratio, advantage, policy term, its derivative by log π)
        let cases = [
            (1.1, 2.0, -2.2, -2.2), // inside
            (1.5, 2.0, -2.4, 0.0),  // above, A > 0: clipped at 1.2
            (0.5, 2.0, -1.0, -1.0), // below, A > 0: the pessimistic side is unclipped
            (0.5, -2.0, 1.6, 0.0),  // below, A < 0: clipped at 0.8
            (1.5, -2.0, 3.0, 3.0),  // above, A < 0: unclipped
            (5.0, -2.0, 6.0, 0.0),  // far above, A < 0: dual clip at 3
        ];
        for (ratio, advantage, policy, gradient) in cases {
            let found = at(ratio, advantage, 0.0);
            close(found.policy, policy);
            close(found.gradient.log_probability, gradient);
            close(found.gradient.entropy, -0.25);
        }
        let flags = |ratio, advantage| {
            let found = at(ratio, advantage, 0.0);
            (found.clipped_low, found.clipped_high)
        };
        assert_eq!(flags(0.5, -2.0), (true, false));
        assert_eq!(flags(1.5, 2.0), (false, true));
        assert_eq!(flags(0.5, 2.0), (false, false));
    }

    #[test]
    fn divergence_from_the_reference_is_k3() {
        // log π = ln 2, reference 0: d = −ln 2, e^d = 1/2, k3 = 1/2 + ln 2 − 1, derivative 1 − 1/2.
        let found = at(2.0, 0.0, 1.0);
        close(found.kl, 0.5 + 2f64.ln() - 1.0);
        close(found.gradient.log_probability, 0.5);
        // Beyond the clamp nothing changes any more.
        let far = clipped_token_loss(
            -20.0,
            TokenTarget { reference: -1.0, old: -20.0, advantage: 0.0 },
            &config(1.0),
        );
        close(far.kl, 10f64.exp() - 11.0);
        close(far.gradient.log_probability, 0.0);
    }

    #[test]
    fn loss_gradients_are_derivatives_of_the_value() {
        let config = config(0.3);
        let value = |log_probability: f64, target| {
            let found = clipped_token_loss(log_probability, target, &config);
            found.policy + config.kl_coefficient * found.kl
        };
        let step = 1e-6;
        for old in [-3.0, -1.1, -0.9, -0.2] {
            for advantage in [-1.5, 0.0, 2.0] {
                let target = TokenTarget { old, reference: -1.7, advantage };
                let gradient = clipped_token_loss(-1.0, target, &config).gradient.log_probability;
                let rise = value(-1.0 + step, target) - value(-1.0 - step, target);
                assert!((gradient - rise / (2.0 * step)).abs() < 1e-6, "{old} {advantage}");
            }
        }
    }
}
