//! Clipped objective (PPO): the policy term, the divergence and the entropy of every token of an iteration's samples.

use std::sync::atomic::{AtomicUsize, Ordering};

use hgpo_core::token_loss::{divergence, log_ratios, policy_term};
use hgpo_core::{Aggregation, Statistics, StdRule};

use super::Loss;
use crate::Host;
use crate::config::{Config, LearnConfig};
use crate::policy::{LossGradient, TokenScore};
use crate::rollout::episode::Turn;

/// Added to the standard deviation before dividing by it.
const EPSILON: f64 = 1e-8;

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
    /// How much the step's loss counts beside those of others.
    pub weight: f64,
}

impl Sample {
    /// A step that was played, with its advantage and the weight 1.
    #[must_use]
    pub fn new(turn: Turn, advantage: f64) -> Self {
        Self {
            prompt: turn.prompt,
            response: turn.response.iter().map(|choice| choice.token).collect(),
            old: turn.response.iter().map(|choice| choice.log_probability).collect(),
            advantage,
            weight: 1.0,
        }
    }
}

/// The advantages of a batch with mean 0 and standard deviation 1.
///
/// # Formula
/// (A − mean) / (σ + 1e-8) over all steps of the batch, each counted once however long its response is
/// and whether it kept the format or not; σ is the population standard deviation. If all are equal
/// (σ within rounding of 0), each becomes 0.
#[must_use]
pub fn normalize(advantages: &[f64]) -> Vec<f64> {
    let batch = Statistics::of(advantages, StdRule::Population);
    advantages.iter().map(|&it| batch.deviation(it) / (batch.std + EPSILON)).collect()
}

/// What a sum of weighted losses is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossCount {
    /// Response tokens.
    pub tokens: f64,
    /// Responses.
    pub responses: f64,
}

/// Sums over response tokens of what the metrics report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossSums {
    /// Tokens and responses.
    pub count: LossCount,
    /// Policy term, as it is aggregated.
    pub policy: f64,
    /// Divergence from the reference.
    pub kl: f64,
    /// The same, as it is aggregated.
    pub loss_kl: f64,
    /// Entropy, in nats.
    pub entropy: f64,
    /// The same, as it is aggregated.
    pub loss_entropy: f64,
    /// Tokens whose ratio was clipped from below, with effect.
    pub clipped_low: f64,
    /// Tokens whose ratio was clipped from above, with effect.
    pub clipped_high: f64,
}

impl LossSums {
    /// Adds another batch.
    pub fn add(&mut self, other: &Self) {
        self.count.tokens += other.count.tokens;
        self.count.responses += other.count.responses;
        self.policy += other.policy;
        self.kl += other.kl;
        self.loss_kl += other.loss_kl;
        self.entropy += other.entropy;
        self.loss_entropy += other.loss_entropy;
        self.clipped_low += other.clipped_low;
        self.clipped_high += other.clipped_high;
    }
}

/// The weight of each token's loss in the sum, for a response of so many tokens.
fn weight(aggregation: Aggregation, tokens: usize) -> f64 {
    match aggregation {
        Aggregation::Responses => 1.0 / tokens.max(1) as f64,
        Aggregation::Tokens | Aggregation::Constant => 1.0,
    }
}

/// What the sum of weighted losses, and so the gradient, is divided by, which is over so many tokens and responses.
///
/// # Formula
/// `tokens`: Σ|y|. `responses`: B, each token weighs 1/|y|. `constant`: B · L (arXiv 2503.20783, with verl's count of
/// responses: `loss_agg_mode=seq-mean-token-sum-norm`), L the most tokens that a response may have.
#[must_use]
pub fn gradient_divisor(config: &Config, count: LossCount) -> f64 {
    match config.learn.objective.aggregation {
        Aggregation::Responses => count.responses,
        Aggregation::Constant => count.responses * config.rollout.max_response_tokens as f64,
        Aggregation::Tokens => count.tokens,
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
    /// The objective of an iteration's samples, whose progress the host is told; `reference` is what the reference says
    /// of every passage, if the loss holds it.
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

    /// # Formula
    /// L = w (policy term + β divergence − η entropy) at each token of the response of every sample, w the weight of the
    /// aggregation times that of the sample.
    fn loss_gradients(
        &self,
        passage: usize,
        scores: &[TokenScore],
        report: &mut LossSums,
    ) -> Vec<LossGradient> {
        let LearnConfig { objective, entropy_coefficient, .. } = self.config;
        let of_token = weight(objective.aggregation, scores.len());
        let reference = self.reference.map(|of| of[passage].as_slice());
        let mut loss_gradients = vec![LossGradient::default(); scores.len()];
        for sample in self.sets[passage].iter().map(|&index| &self.samples[index]) {
            let weight = of_token * sample.weight;
            let own = scores.iter().zip(&sample.old).map(|(it, old)| it.log_probability - old);
            let log_ratios = log_ratios(objective.ratio, own);
            let tokens = scores.iter().zip(log_ratios).zip(&mut loss_gradients);
            for (at, ((score, log_ratio), gradient)) in tokens.enumerate() {
                let term = policy_term(log_ratio, sample.advantage, objective);
                let (kl, by_kl) = reference.map_or((0.0, 0.0), |of| {
                    divergence(objective.divergence, score.log_probability, of[at].log_probability)
                });
                let by_log_probability = term.derivative + objective.kl_coefficient * by_kl;
                gradient.log_probability += weight * by_log_probability;
                gradient.entropy += weight * -entropy_coefficient;
                report.count.tokens += 1.0;
                report.policy += weight * term.value;
                report.kl += kl;
                report.loss_kl += weight * kl;
                report.entropy += score.entropy;
                report.loss_entropy += weight * score.entropy;
                report.clipped_low += f64::from(u8::from(term.clipped_low));
                report.clipped_high += f64::from(u8::from(term.clipped_high));
            }
            report.count.responses += 1.0;
        }
        let done = self.scored.fetch_add(1, Ordering::Relaxed) + 1;
        // What did not fit into memory is scored again.
        let total = self.sets.len() * self.config.epochs;
        self.host.progress("update", done.min(total), total);
        loss_gradients
    }
}

#[cfg(test)]
mod tests {
    use hgpo_core::{Objective, Ratio};

    use super::*;
    use crate::executor::Sequential;

    /// Two responses of different length, scored by a policy that has changed.
    fn samples() -> [(Sample, Vec<TokenScore>, Vec<TokenScore>); 2] {
        let sample = |old: &[f64], now: &[f64], reference: &[f64], advantage| {
            let scores = |of: &[f64]| {
                of.iter()
                    .map(|&log_probability| TokenScore { log_probability, entropy: 0.5 })
                    .collect()
            };
            let response = (0..old.len() as u32).collect();
            let sample =
                Sample { prompt: vec![1], response, old: old.to_vec(), advantage, weight: 1.0 };
            (sample, scores(now), scores(reference))
        };
        [
            sample(&[-1.0, -2.0], &[-0.95, -2.02], &[-1.1, -1.7], 1.5),
            sample(
                &[-0.3, -1.4, -2.2, -0.1],
                &[-0.5, -1.3, -2.3, -0.2],
                &[-0.4, -1.0, -3.0, -0.2],
                -2.0,
            ),
        ]
    }

    /// The gradients of both responses, and the sums.
    fn learned(
        learn: &LearnConfig,
        of: &[(Sample, Vec<TokenScore>, Vec<TokenScore>)],
    ) -> (Vec<LossGradient>, LossSums) {
        let samples: Vec<Sample> = of.iter().map(|it| it.0.clone()).collect();
        let reference: Vec<Vec<TokenScore>> = of.iter().map(|it| it.2.clone()).collect();
        let sets: Vec<Vec<usize>> = (0..of.len()).map(|it| vec![it]).collect();
        let reference = learn.objective.has_divergence_in_loss().then_some(&reference[..]);
        let loss = ClippedObjective::new(&samples, &sets, reference, learn, &Sequential);
        let mut sums = LossSums::default();
        let each = of.iter().enumerate();
        let found = each.flat_map(|(at, it)| loss.loss_gradients(at, &it.1, &mut sums)).collect();
        (found, sums)
    }

    /// The loss as it is reported, over what it is a mean of.
    fn value(learn: &LearnConfig, of: &[(Sample, Vec<TokenScore>, Vec<TokenScore>)]) -> f64 {
        let sums = learned(learn, of).1;
        sums.policy + learn.objective.kl_coefficient * sums.loss_kl
            - learn.entropy_coefficient * sums.loss_entropy
    }

    #[test]
    fn loss_gradients_are_derivatives_of_the_value() {
        for ratio in Ratio::ALL {
            for aggregation in Aggregation::ALL {
                let objective = Objective {
                    ratio: *ratio,
                    aggregation: *aggregation,
                    kl_coefficient: 0.3,
                    ..Objective::default()
                };
                let learn =
                    LearnConfig { objective, entropy_coefficient: 0.25, ..LearnConfig::default() };
                let (gradients, _) = learned(&learn, &samples());
                for (place, (response, token)) in
                    [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3)].into_iter().enumerate()
                {
                    let moved = |step: f64| {
                        let mut moved = samples();
                        moved[response].1[token].log_probability += step;
                        value(&learn, &moved)
                    };
                    let rise = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    let found = gradients[place].log_probability;
                    assert!(
                        (found - rise).abs() < 1e-6,
                        "{ratio} {aggregation} {place}: {found} {rise}"
                    );
                }
            }
        }
    }

    #[test]
    fn responses_weigh_as_they_are_aggregated() {
        let of = |aggregation| {
            let objective = Objective { aggregation, ..Objective::default() };
            let learn = LearnConfig { objective, ..LearnConfig::default() };
            let config = Config { learn, ..Config::default() };
            let (gradients, sums) = learned(&config.learn, &samples());
            (gradients, sums, gradient_divisor(&config, sums.count))
        };
        let (tokens, sums, divisor) = of(Aggregation::Tokens);
        assert_eq!((sums.count.tokens, sums.count.responses, divisor), (6.0, 2.0, 6.0));
        let (responses, means, divisor) = of(Aggregation::Responses);
        assert_eq!((means.count, divisor), (sums.count, 2.0));
        let (constant, same, divisor) = of(Aggregation::Constant);
        // Responses times the 8 tokens that one may have.
        assert_eq!((&constant, same, divisor), (&tokens, sums, 16.0));
        for (place, length) in [2.0, 2.0, 4.0, 4.0, 4.0, 4.0].into_iter().enumerate() {
            let (mean, sum) = (responses[place].log_probability, tokens[place].log_probability);
            assert!((mean * length - sum).abs() < 1e-12);
        }
        assert_eq!((means.kl, means.entropy), (sums.kl, sums.entropy));
        assert!((means.loss_entropy - 1.0).abs() < 1e-12, "half a nat in each of two responses");
    }

    #[test]
    fn two_responses_are_brought_to_one_number() {
        // Responses of 2 and 4 tokens whose losses are 1 and 2 a token; at most 8 tokens.
        let of = |aggregation| {
            let sum = [(2, 1.0), (4, 2.0)]
                .map(|(tokens, loss)| tokens as f64 * weight(aggregation, tokens) * loss);
            let objective = Objective { aggregation, ..Objective::default() };
            let learn = LearnConfig { objective, ..LearnConfig::default() };
            let config = Config { learn, ..Config::default() };
            let count = LossCount { tokens: 6.0, responses: 2.0 };
            sum.iter().sum::<f64>() / gradient_divisor(&config, count)
        };
        // (2 · 1 + 4 · 2) / 6, (1 + 2) / 2, (2 · 1 + 4 · 2) / (2 · 8).
        let expected = [10.0 / 6.0, 1.5, 0.625];
        for (aggregation, expected) in Aggregation::ALL.iter().zip(expected) {
            assert!((of(*aggregation) - expected).abs() < 1e-12, "{aggregation}");
        }
    }

    #[test]
    fn advantages_get_mean_zero_and_deviation_one() {
        // Mean 1, deviations −3, −1, 1, 3, of mean square 5.
        let std = 5f64.sqrt() + 1e-8;
        let expected = [-3.0, -1.0, 1.0, 3.0].map(|it| it / std);
        assert_eq!(normalize(&[-2.0, 0.0, 2.0, 4.0]), expected);
        // The scale does not matter, but for what is added to it.
        for (large, small) in normalize(&[-2e6, 0.0, 2e6, 4e6]).iter().zip(expected) {
            assert!((large - small).abs() < 1e-8, "{large} {small}");
        }
    }

    #[test]
    fn equal_advantages_become_zero() {
        assert_eq!(normalize(&[0.3; 7]), [0.0; 7]);
        assert_eq!(normalize(&[0.1 + 0.2, 0.3]), [0.0; 2]);
        assert_eq!(normalize(&[5.0]), [0.0]);
        assert!(normalize(&[]).is_empty());
    }
}
