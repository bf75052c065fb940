//! Equal steps are scored once, and each still counts.

#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use burn::tensor::Device;
use hgpo_train::config::{Config, ModelConfig};
use hgpo_train::executor::Sequential;
use hgpo_train::objective::clipped::Sample;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::{AdamWSettings, Passage, Policy as _};
use hgpo_train::update::{UpdateReport, update};

fn policy(seed: u64) -> DecoderPolicy {
    let model = ModelConfig { hidden_size: 32, intermediate_size: 32, ..ModelConfig::default() };
    DecoderPolicy::new(&model, 50, seed, &Device::flex())
}

/// A step whose old log-probabilities are those of the policy: every ratio is 1.
fn step(prompt: &[u32], response: &[u32], advantage: f64) -> Sample {
    let passage = Passage { prompt, response };
    let old = policy(7).score(&[passage], 1.0).unwrap();
    Sample {
        prompt: prompt.to_vec(),
        response: response.to_vec(),
        old: old.iter().map(|score| score.log_probability).collect(),
        advantage,
        weight: 1.0,
    }
}

fn first(advantage: f64) -> Sample {
    step(&[3, 1, 4, 1, 5], &[9, 2, 6], advantage)
}

fn second(advantage: f64) -> Sample {
    step(&[2, 7, 1, 8], &[2, 8], advantage)
}

/// What one update reports, and the log-probabilities of both steps after it.
fn learn(samples: &[Sample]) -> (UpdateReport, Vec<f64>) {
    let config = Config::default();
    let mut policy = self::policy(7);
    let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
    let mut optimizer = policy.optimizer(settings);
    let report =
        update(&mut policy, &self::policy(8), &mut optimizer, samples, &config, 10, &Sequential)
            .unwrap();
    let (first, second) = (first(0.0), second(0.0));
    let passages =
        [&first, &second].map(|step| Passage { prompt: &step.prompt, response: &step.response });
    let scores = policy.score(&passages, 1.0).unwrap();
    (report, scores.iter().map(|score| score.log_probability).collect())
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-5 * b.abs().max(1.0), "{a} {b}");
}

#[test]
fn steps_that_all_come_twice_teach_what_they_teach_once() {
    let once = learn(&[first(1.5), second(-1.0)]);
    let twice = learn(&[first(1.5), second(-1.0), second(-1.0), first(1.5)]);
    assert_eq!((once.0.updates, twice.0.updates), (1, 1));
    close(twice.0.grad_norm, once.0.grad_norm);
    close(twice.0.sums.count.tokens, 2.0 * once.0.sums.count.tokens);
    close(twice.0.sums.policy, 2.0 * once.0.sums.policy);
    close(twice.0.sums.kl, 2.0 * once.0.sums.kl);
    close(twice.0.sums.entropy, 2.0 * once.0.sums.entropy);
    for (twice, once) in twice.1.iter().zip(&once.1) {
        assert!((twice - once).abs() < 1e-4, "{twice} {once}");
    }
}

#[test]
fn equal_steps_with_opposite_advantages_cancel() {
    let cancelled = learn(&[first(2.0), first(-2.0), second(0.0)]);
    let silent = learn(&[first(0.0), first(0.0), second(0.0)]);
    let loud = learn(&[first(2.0), first(2.0), second(0.0)]);
    close(cancelled.0.grad_norm, silent.0.grad_norm);
    assert!(loud.0.grad_norm > 2.0 * silent.0.grad_norm);
    // The mean ratio is 1: the policy term is −Σ A over the tokens.
    close(loud.0.sums.policy, -12.0);
    close(cancelled.0.sums.policy, 0.0);
}
