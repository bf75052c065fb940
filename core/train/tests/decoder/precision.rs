//! Products in half precision: close to single ones, the same however weights are held, and with
//! gradients in single precision.

use burn::tensor::Device;
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::{LoraConfig, ModelConfig, Precision};
use hgpo_train::policy::sampling::Sampling;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::transformer::parameters::{ParameterSubset, parameters};
use hgpo_train::policy::transformer::weights::read_tensor;
use hgpo_train::policy::{
    AdamWSettings, LossGradient, OptimizerStep, Passage, Policy as _, TokenScore,
};

const VOCABULARY: usize = 50;
const PROMPT: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
const RESPONSE: [u32; 5] = [5, 3, 5, 8, 9];
/// Numbers of half precision have 11 significant bits, or 8; a dozen products of them follow on each
/// other here.
const HALVES: [(Precision, f32); 2] = [(Precision::F16, 0.005), (Precision::BF16, 0.04)];

fn policy(precision: Precision) -> DecoderPolicy {
    let config = ModelConfig {
        hidden_size: 24,
        intermediate_size: 40,
        num_hidden_layers: 3,
        tie_word_embeddings: precision == Precision::F16,
        ..ModelConfig::default()
    };
    DecoderPolicy::new(&config, VOCABULARY, 5, &Device::flex())
}

fn computing_in(policy: &DecoderPolicy, precision: Precision) -> DecoderPolicy {
    policy.with_decoder(policy.decoder.clone().computing_in(precision))
}

fn logits(policy: &DecoderPolicy) -> Vec<f32> {
    read_tensor(policy.logits(&[&PROMPT])).expect("readable")
}

fn largest(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0, |largest, value| largest.max(value.abs()))
}

#[test]
fn logits_are_close_to_single_ones_however_weights_are_held() {
    for (precision, tolerance) in HALVES {
        let single = policy(precision);
        let half = computing_in(&single, precision);
        let (expected, found) = (logits(&single), logits(&half));
        assert_eq!(found, logits(&half.stored_as_computed()));
        let off = largest(found.iter().zip(&expected).map(|(a, b)| a - b));
        let size = largest(expected.iter().copied());
        assert!(off > 0.0 && off < tolerance * size, "{precision:?}: {off} of {size}");
        let types = |policy: &DecoderPolicy| {
            let list = parameters(&policy.decoder, ParameterSubset::All);
            list.iter().map(|it| it.values.dtype().size()).sum::<usize>()
        };
        assert!(types(&half.stored_as_computed()) < types(&half));
    }
}

/// Those of minus the log-probability.
fn loss_gradients(scores: &[TokenScore]) -> Vec<LossGradient> {
    vec![LossGradient { log_probability: -1.0, entropy: 0.0 }; scores.len()]
}

#[test]
fn gradients_are_close_to_single_ones() {
    let passages = [Passage { prompt: &PROMPT, response: &RESPONSE }];
    for (precision, tolerance) in HALVES {
        let single = policy(precision);
        let lora = LoraConfig { rank: 2, ..LoraConfig::default() };
        for adapters in [false, true] {
            let prepare = |policy: &DecoderPolicy| {
                let decoder = policy.decoder.clone();
                let adapted = || decoder.clone().stored_as_computed().with_adapters(&lora, 3);
                policy.with_decoder(if adapters { adapted() } else { decoder.clone() })
            };
            let gradient = |policy: &DecoderPolicy, by_layers| -> Vec<f32> {
                let policy = policy.clone().with_gradient_checkpointing(by_layers);
                let gradient =
                    policy.gradient(&passages, 1.0, &mut loss_gradients).expect("a gradient");
                gradient.into_iter().flat_map(|it| read_tensor(it).expect("readable")).collect()
            };
            let expected = gradient(&prepare(&single), false);
            let size = largest(expected.iter().copied());
            for by_layers in [false, true] {
                let found = gradient(&prepare(&computing_in(&single, precision)), by_layers);
                let off = largest(found.iter().zip(&expected).map(|(a, b)| a - b));
                assert!(
                    off > 0.0 && off < 2.0 * tolerance * size,
                    "{precision:?}: {off} of {size}"
                );
            }
        }
    }
}

#[test]
fn a_gradient_that_is_divided_by_many_tokens_does_not_vanish() {
    let norm = |mut policy: DecoderPolicy| {
        let passages = [Passage { prompt: &PROMPT, response: &RESPONSE }];
        let gradient = policy.gradient(&passages, 1.0, &mut loss_gradients).expect("a gradient");
        let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
        let mut optimizer = policy.optimizer(settings);
        let update = OptimizerStep { divisor: 1e8, max_grad_norm: 1.0, learning_rate: 1e-3 };
        policy.apply(gradient, &mut optimizer, update).expect("an update")
    };
    let single = policy(Precision::F16);
    let (half, single) = (norm(computing_in(&single, Precision::F16)), norm(single));
    assert!((half / single - 1.0).abs() < 0.01, "{half} {single}");
}

#[test]
fn sampled_tokens_get_the_same_scores() {
    for (precision, tolerance) in HALVES {
        let half = computing_in(&policy(precision), precision).stored_as_computed();
        let mut streams = [Stream::new(1, Purpose::Sampling, [0, 0])];
        let drawn = half
            .generate(&[&PROMPT], Sampling::at(1.0), 20, &mut streams, &mut |_, _| false)
            .expect("the device gives logits back");
        let response: Vec<u32> = drawn[0].iter().map(|choice| choice.token).collect();
        let passage = Passage { prompt: &PROMPT, response: &response };
        let scores = half.score(&[passage], 1.0).expect("readable");
        for (choice, score) in drawn[0].iter().zip(scores) {
            let off = (choice.log_probability - score.log_probability).abs();
            assert!(off < f64::from(tolerance), "{precision:?}: {off}");
        }
    }
}

#[test]
fn adapters_are_merged_into_weights_that_stay_half() {
    let lora = LoraConfig { rank: 2, ..LoraConfig::default() };
    let half = computing_in(&policy(Precision::BF16), Precision::BF16).stored_as_computed();
    let merged = half.with_decoder(half.decoder.clone().with_adapters(&lora, 3).merged());
    // New adapters change nothing.
    assert_eq!(logits(&merged), logits(&half));
}
