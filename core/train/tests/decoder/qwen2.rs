//! The decoder, generation, loss and optimiser against recordings of transformers and PyTorch.
#![allow(
    clippy::float_cmp,
    clippy::unwrap_used,
    reason = "masks are exact; a test stops where its ground is missing"
)]

use std::path::Path;

use burn::tensor::Device;
use hgpo_core::Objective;
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::LearnConfig;
use hgpo_train::executor::Sequential;
use hgpo_train::models::{Checkpoint, Precision};
use hgpo_train::objective::token_loss::{divergence, policy_term};
use hgpo_train::policy::sampling::{Sampling, sample};
use hgpo_train::policy::transformer::parameters::ParameterSubset;
use hgpo_train::policy::transformer::{DecoderPolicy, weights};
use hgpo_train::policy::{
    AdamWSettings, LossGradient, OptimizerStep, Passage, Policy as _, TokenScore,
};
use safetensors::SafeTensors;
use serde_json::Value;

use crate::tiny_models::{models, recorded_models};

pub(super) fn policy(path: &Path, device: &Device) -> DecoderPolicy {
    let checkpoint = Checkpoint::open(path).unwrap();
    DecoderPolicy::open(&checkpoint, Precision::F32, true, device, &Sequential).unwrap()
}

pub(super) fn json(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("oracle.json")).unwrap()).unwrap()
}

pub(super) fn tokens(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub(super) fn largest_difference<T: Copy + Into<f64>>(found: &[T], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(&a, b)| (a.into() - b).abs()).fold(0.0, f64::max)
}

/// A recorded tensor of whole numbers.
fn whole(file: &SafeTensors<'_>, name: &str) -> Vec<i64> {
    let data = file.tensor(name).unwrap().data().to_vec();
    data.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect()
}

/// The largest difference of a model's logits from recorded ones, over the rows that `names` says.
pub(super) fn logits_off(policy: &DecoderPolicy, recorded: &[u8], [ids, logits]: [&str; 2]) -> f64 {
    let file = SafeTensors::deserialize(recorded).unwrap();
    let width = file.tensor(ids).unwrap().shape()[1];
    let tokens: Vec<u32> = whole(&file, ids).into_iter().map(|id| id as u32).collect();
    let rows: Vec<&[u32]> = tokens.chunks(width).collect();
    let expected = weights::unpack(&file, logits, &[rows.len(), width, 512]).unwrap();
    let found = weights::read_tensor(policy.logits(&rows)).unwrap();
    let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
    largest_difference(&found, &expected)
}

#[test]
fn logits_equal_the_recorded_ones() {
    for folder in recorded_models() {
        let folder = folder.path();
        // Computed in f64 there; what f32 itself is off by was 7.9e-6.
        let models = [
            (".", "oracle.safetensors", ["forward.input_ids", "forward.logits"]),
            ("llama_tiny", "llama_tiny/oracle.safetensors", ["input_ids", "logits"]),
            ("untied", "untied/oracle.safetensors", ["input_ids", "logits"]),
            ("tiny.gguf", "tiny_gguf_oracle.safetensors", ["input_ids", "logits"]),
        ];
        for (model, recorded, names) in models {
            let recorded = std::fs::read(folder.join(recorded)).unwrap();
            let off = logits_off(&policy(&folder.join(model), &Device::flex()), &recorded, names);
            assert!(off < 2e-5, "{model} is off by {off}");
        }
    }
}

#[test]
fn rows_of_other_lengths_beside_it_change_nothing_of_a_row() {
    let folder = models();
    let folder = folder.path();
    let policy = policy(folder, &Device::flex());
    let recorded = std::fs::read(folder.join("oracle.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&recorded).unwrap();
    for side in ["left", "right"] {
        let all = |name: &str| whole(&file, &format!("padded.{side}.{name}"));
        let (ids, mask) = (all("input_ids"), all("mask"));
        let real = |row: usize| (row * 11..row * 11 + 11).filter(|&at| mask[at] == 1);
        let rows: Vec<Vec<u32>> =
            (0..3).map(|row| real(row).map(|at| ids[at] as u32).collect()).collect();
        assert!(rows.iter().any(|row| row.len() < 11));
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let recorded =
            weights::unpack(&file, &format!("padded.{side}.logits"), &[3, 11, 512]).unwrap();
        let found = weights::read_tensor(policy.logits(&rows)).unwrap();
        let width = rows.iter().map(|row| row.len()).max().unwrap();
        for row in 0..3 {
            for (place, at) in real(row).enumerate() {
                let expected: Vec<f64> =
                    recorded[at * 512..][..512].iter().map(|&x| f64::from(x)).collect();
                let off =
                    largest_difference(&found[(row * width + place) * 512..][..512], &expected);
                assert!(off < 2e-5, "{side} {row} {place}: off by {off}");
            }
        }
    }
}

#[test]
fn filters_keep_the_recorded_tokens_with_their_probabilities() {
    let folder = models();
    let folder = folder.path();
    let bytes = std::fs::read(folder.join("oracle.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let logits = weights::unpack(&file, "sampling.logits", &[512]).unwrap();
    let cases = json(folder)["sampling"].clone();
    for case in cases.as_array().unwrap() {
        let sampling = Sampling {
            temperature: case["temperature"].as_f64().unwrap(),
            top_k: case["top_k"].as_u64().unwrap() as usize,
            top_p: case["top_p"].as_f64().unwrap(),
        };
        let mut stream = Stream::new(1, Purpose::Sampling, [0, 0]);
        let mut counts = vec![0_u32; 512];
        let draws = 40_000;
        for _ in 0..draws {
            counts[sample(&logits, sampling, &mut stream).token as usize] += 1;
        }
        let kept = counts.iter().filter(|&&count| count > 0).count();
        let expected = case["n_kept"].as_u64().unwrap() as usize;
        // Without a filter the least likely ones may not come up.
        let filtered = expected < 512;
        assert!(kept <= expected && (!filtered || kept * 10 >= expected * 9), "{kept} {expected}");
        let listed = case.get("kept").or(case.get("top8")).unwrap();
        for pair in listed.as_array().unwrap() {
            let (token, share) = (pair[0].as_u64().unwrap() as usize, pair[1].as_f64().unwrap());
            let found = f64::from(counts[token]) / f64::from(draws);
            let error = (share * (1.0 - share) / f64::from(draws)).sqrt();
            assert!((found - share).abs() < 5.0 * error, "{token}: {found} {share}");
        }
    }
}

/// The largest difference of what is drawn with the cache from what the whole texts score.
pub(super) fn cache_off(policy: &DecoderPolicy) -> f64 {
    let prompts: [Vec<u32>; 2] = [vec![275, 313, 296], (0..40).map(|at| at * 12).collect()];
    let prompts = prompts.each_ref().map(Vec::as_slice);
    let mut streams = [0, 1].map(|row| Stream::new(2, Purpose::Sampling, [row, 0]));
    let responses =
        policy.generate(&prompts, Sampling::at(1.0), 24, &mut streams, &mut |_, _| false).unwrap();
    let texts: Vec<Vec<u32>> =
        responses.iter().map(|row| row.iter().map(|choice| choice.token).collect()).collect();
    let passages: Vec<Passage<'_>> =
        prompts.iter().zip(&texts).map(|(prompt, response)| Passage { prompt, response }).collect();
    let scored = policy.score(&passages, 1.0).unwrap();
    let scored: Vec<f64> = scored.iter().map(|it| it.log_probability).collect();
    let drawn: Vec<f64> = responses.iter().flatten().map(|it| it.log_probability).collect();
    largest_difference(&scored, &drawn)
}

#[test]
fn the_kv_cache_gives_the_logits_of_the_whole_text() {
    let off = cache_off(&policy(models().path(), &Device::flex()));
    assert!(off < 2e-5, "off by {off}");
}

#[test]
fn log_probabilities_and_entropies_equal_the_recorded_ones() {
    let folder = models();
    let folder = folder.path();
    let policy = policy(folder, &Device::flex());
    let cases = json(folder)["logprobs"].clone();
    let rows: Vec<_> = cases
        .as_array()
        .unwrap()
        .iter()
        .map(|case| (tokens(&case["prompt_ids"]), tokens(&case["completion_ids"]), case.clone()))
        .collect();
    // All in one batch: lengths differ, so that padding is tested too.
    let passages: Vec<Passage<'_>> =
        rows.iter().map(|(prompt, response, _)| Passage { prompt, response }).collect();
    for (temperature, name) in [(1.0, "t1.0"), (0.7, "t0.7")] {
        let scores = policy.score(&passages, temperature).unwrap();
        let expected = |kind: &str| -> Vec<f64> {
            rows.iter().flat_map(|row| numbers(&row.2[format!("{kind}_{name}")])).collect()
        };
        let of = |what: fn(&TokenScore) -> f64| scores.iter().map(what).collect::<Vec<_>>();
        let off = largest_difference(&of(|it| it.log_probability), &expected("logprobs"));
        assert!(off < 2e-5, "log-probabilities at {name} are off by {off}");
        let off = largest_difference(&of(|it| it.entropy), &expected("entropy"));
        assert!(off < 2e-5, "entropies at {name} are off by {off}");
    }
}

/// Compares greedy runs of so many tokens with those that are recorded beside a model.
pub(super) fn greedy_as_recorded(folder: &Path, most_tokens: usize) {
    let policy = policy(folder, &Device::flex());
    let runs = json(folder)["greedy"].clone();
    let runs = runs.as_array().unwrap();
    let prompts: Vec<Vec<u32>> = runs.iter().map(|run| tokens(&run["prompt_ids"])).collect();
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let mut streams = vec![Stream::new(1, Purpose::Sampling, [0, 0]); prompts.len()];
    let sampling = Sampling::at(0.0);
    let responses =
        policy.generate(&prompts, sampling, most_tokens, &mut streams, &mut |_, _| false).unwrap();
    for (response, run) in responses.iter().zip(runs) {
        let found: Vec<u32> = response.iter().map(|choice| choice.token).collect();
        assert_eq!(found, tokens(&run["new_ids"]));
    }
}

#[test]
fn greedy_generation_equals_the_recorded_runs() {
    greedy_as_recorded(models().path(), 32);
}

/// One row of the recorded batch: prompt, response, and what its tokens are compared with.
/// Prompt, response, and what its tokens are compared with.
type Row = (Vec<u32>, Vec<u32>, Vec<TokenTarget>);

/// What a response token is compared with.
#[derive(Clone, Copy)]
pub(super) struct TokenTarget {
    old: f64,
    reference: f64,
    advantage: f64,
}

fn rows(folder: &Path) -> Vec<Row> {
    let bytes = std::fs::read(folder.join("oracle.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let real = |name: &str| weights::unpack(&file, name, &[4, 19]).unwrap();
    let (ids, attended) = (whole(&file, "ppo.input_ids"), whole(&file, "ppo.attention_mask"));
    let response = real("ppo.response_mask");
    let (old, reference) = (real("ppo.old_logprobs"), real("ppo.ref_logprobs"));
    let advantage = real("ppo.advantages");
    (0..4)
        .map(|row| {
            let mut cut: Row = Row::default();
            for at in (0..20).filter(|at| attended[row * 20 + at] == 1) {
                let token = ids[row * 20 + at] as u32;
                // Entry t of the recorded tensors is about token t + 1.
                match at.checked_sub(1).map(|before| row * 19 + before) {
                    Some(entry) if response[entry] == 1.0 => {
                        cut.1.push(token);
                        cut.2.push(TokenTarget {
                            old: f64::from(old[entry]),
                            reference: f64::from(reference[entry]),
                            advantage: f64::from(advantage[entry]),
                        });
                    }
                    _ => cut.0.push(token),
                }
            }
            cut
        })
        .collect()
}

#[test]
fn three_optimiser_steps_equal_the_recorded_ones() {
    for folder in recorded_models() {
        let folder = folder.path();
        // In one graph, and layer by layer.
        three_steps(folder, false);
        three_steps(folder, true);
    }
}

pub(super) fn three_steps(folder: &Path, by_layers: bool) {
    let device = Device::flex();
    let mut policy = policy(folder, &device).with_gradient_checkpointing(by_layers);
    let objective = Objective { clip_high: 0.28, kl_coefficient: 0.01, ..Objective::default() };
    let entropy_coefficient = LearnConfig::default().entropy_coefficient;
    let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
    let mut optimizer = policy.optimizer(settings);
    let rows = rows(folder);
    let passages: Vec<Passage<'_>> =
        rows.iter().map(|(prompt, response, _)| Passage { prompt, response }).collect();
    let targets: Vec<TokenTarget> = rows.iter().flat_map(|row| row.2.clone()).collect();
    let recorded = json(folder)["ppo"]["steps"].clone();
    for step in recorded.as_array().unwrap() {
        let mut value = 0.0;
        let mut loss_gradients = |scores: &[TokenScore]| {
            let of = |(score, &target): (&TokenScore, &TokenTarget)| {
                let log_probability = score.log_probability;
                let term = policy_term(log_probability - target.old, target.advantage, &objective);
                let (kl, by_kl) =
                    divergence(objective.divergence, log_probability, target.reference);
                value += term.value + objective.kl_coefficient * kl
                    - entropy_coefficient * score.entropy;
                let by_policy = term.derivative + objective.kl_coefficient * by_kl;
                LossGradient { log_probability: by_policy, entropy: -entropy_coefficient }
            };
            scores.iter().zip(&targets).map(of).collect()
        };
        let gradient = policy.gradient(&passages, 1.0, &mut loss_gradients).unwrap();
        let divisor = targets.len() as f64;
        let update = OptimizerStep { divisor, max_grad_norm: 1.0, learning_rate: 1e-3 };
        let norm = policy.apply(gradient, &mut optimizer, update).unwrap();
        let (value, expected) = (value / divisor, step["loss"].as_f64().unwrap());
        assert!((value - expected).abs() < 1e-5, "loss {value} {expected}");
        let expected = step["grad_norm"].as_f64().unwrap();
        assert!((norm - expected).abs() < 1e-4 * expected.max(1.0), "norm {norm} {expected}");
    }
    parameters_equal(&policy, &std::fs::read(folder.join("after_step3.safetensors")).unwrap());
}

/// Asserts that parameters are near the recorded ones: all, or every eighth of each tensor.
fn parameters_equal(policy: &DecoderPolicy, recorded: &[u8]) {
    let found = weights::save(&policy.decoder, ParameterSubset::All).unwrap();
    let found = SafeTensors::deserialize(&found).unwrap();
    let recorded = SafeTensors::deserialize(recorded).unwrap();
    let values = |file: &SafeTensors<'_>, name: &str| {
        let shape = file.tensor(name).unwrap().shape().to_vec();
        weights::unpack(file, name, &shape).unwrap()
    };
    assert_eq!(found.len(), recorded.len());
    for name in found.names() {
        let (found, expected) = (values(&found, name), values(&recorded, name));
        let step = found.len() / expected.len();
        assert!([1, 8].contains(&step), "{name}");
        let found: Vec<f32> = found.into_iter().step_by(step).collect();
        let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
        let off = largest_difference(&found, &expected);
        assert!(off < 1e-4, "{name} is off by {off}");
    }
}
