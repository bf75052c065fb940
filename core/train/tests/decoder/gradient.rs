//! Gradients: layer by layer as in one graph, split as whole, of adapters as of weights.

use burn::tensor::{Device, Tensor};
use hgpo_env::random::{Purpose, Stream};
use hgpo_train::config::{LoraConfig, ModelConfig};
use hgpo_train::executor::Sequential;
use hgpo_train::objective::Loss;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::transformer::parameters::{ParameterSubset, parameters, replace};
use hgpo_train::policy::transformer::weights;
use hgpo_train::policy::transformer::weights::read_tensor;
use hgpo_train::policy::{
    AdamWSettings, LossGradient, OptimizerStep, Passage, Policy as _, TokenScore,
};
use hgpo_train::update::micro_batches::MicroBatches;

const VOCABULARY: usize = 50;

fn policy(tied: bool) -> DecoderPolicy {
    let config = ModelConfig {
        hidden_size: 24,
        intermediate_size: 40,
        num_hidden_layers: 3,
        tie_word_embeddings: tied,
        ..ModelConfig::default()
    };
    DecoderPolicy::new(&config, VOCABULARY, 5, &Device::flex())
}

fn lora(rank: usize) -> LoraConfig {
    LoraConfig { rank, alpha: 6.0, ..LoraConfig::default() }
}

/// With adapters of which no half is 0.
fn adapted(policy: &DecoderPolicy, config: &LoraConfig) -> DecoderPolicy {
    let decoder = policy.decoder.clone().with_adapters(config, 3);
    let mut stream = Stream::new(9, Purpose::Weights, [0, 0]);
    let drawn = |count: usize, stream: &mut Stream| {
        let values: Vec<f32> = (0..count).map(|_| 0.1 * stream.normal() as f32).collect();
        Tensor::<1>::from_data(values.as_slice(), &Device::flex())
    };
    let list = parameters(&decoder, ParameterSubset::Adapters);
    let values = list.iter().map(|it| drawn(it.shape.iter().product(), &mut stream)).collect();
    policy.with_decoder(replace(decoder, ParameterSubset::Adapters, values))
}

/// Prompts and responses of several lengths.
fn texts() -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut stream = Stream::new(7, Purpose::Tasks, [0, 0]);
    let mut tokens = |count: usize| (0..count).map(|_| stream.below(VOCABULARY) as u32).collect();
    [(5, 3), (9, 1), (2, 6), (7, 4), (4, 4), (11, 2)]
        .map(|(prompt, response)| (tokens(prompt), tokens(response)))
        .to_vec()
}

fn passages(texts: &[(Vec<u32>, Vec<u32>)]) -> Vec<Passage<'_>> {
    texts.iter().map(|(prompt, response)| Passage { prompt, response }).collect()
}

/// Something that depends on every score in a way of its own: Σ (log² π / 10 − log π − e^H / 100).
struct Mixed;

impl Mixed {
    fn value(scores: &[TokenScore]) -> f64 {
        let of = |score: &TokenScore| {
            let TokenScore { log_probability, entropy } = *score;
            0.1 * log_probability * log_probability - log_probability - 0.01 * entropy.exp()
        };
        scores.iter().map(of).sum()
    }
}

impl Loss for Mixed {
    type Report = f64;

    fn loss_gradients(
        &self,
        _: usize,
        scores: &[TokenScore],
        report: &mut f64,
    ) -> Vec<LossGradient> {
        *report += Self::value(scores);
        let of = |score: &TokenScore| LossGradient {
            log_probability: 0.2 * score.log_probability - 1.0,
            entropy: -0.01 * score.entropy.exp(),
        };
        scores.iter().map(of).collect()
    }
}

/// The gradient in one graph or layer by layer, and the loss.
fn gradient(policy: &DecoderPolicy, temperature: f64, by_layers: bool) -> (Vec<Tensor<1>>, f64) {
    let (texts, mut value) = (texts(), 0.0);
    let policy = policy.clone().with_gradient_checkpointing(by_layers);
    let mut loss_gradients = |scores: &[TokenScore]| Mixed.loss_gradients(0, scores, &mut value);
    let gradient =
        policy.gradient(&passages(&texts), temperature, &mut loss_gradients).expect("a gradient");
    (gradient, value)
}

fn values(tensors: Vec<Tensor<1>>) -> Vec<Vec<f32>> {
    tensors.into_iter().map(|tensor| read_tensor(tensor).expect("readable")).collect()
}

fn assert_close(found: &[Vec<f32>], expected: &[Vec<f32>], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    let mut largest = 0_f32;
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= tolerance, "{found} {expected}");
            largest = largest.max(expected.abs());
        }
    }
    assert!(largest > 100.0 * tolerance, "all are about 0: {largest}");
}

#[test]
fn layer_by_layer_gives_what_one_graph_gives() {
    for tied in [true, false] {
        let whole = policy(tied);
        for policy in [adapted(&whole, &lora(3)), whole] {
            let (expected, value) = gradient(&policy, 0.8, false);
            let (found, same) = gradient(&policy, 0.8, true);
            assert!((value - same).abs() < 1e-4, "{value} {same}");
            assert_close(&values(found), &values(expected), 2e-4);
        }
    }
}

#[test]
fn the_gradient_is_the_derivative_of_the_loss() {
    let texts = texts();
    let policy = adapted(&policy(true), &lora(2));
    let gradient = values(gradient(&policy, 1.0, true).0);
    // Along the gradient itself the loss rises by its squared norm.
    let squared: f32 = gradient.iter().flatten().map(|it| it * it).sum();
    let at = |step: f32| {
        let list = parameters(&policy.decoder, ParameterSubset::Adapters).into_iter();
        let moved = list.zip(&gradient).map(|(parameter, gradient)| {
            let way = Tensor::<1>::from_data(gradient.as_slice(), &Device::flex());
            parameter.values + way.mul_scalar(step)
        });
        let moved = replace(policy.decoder.clone(), ParameterSubset::Adapters, moved.collect());
        Mixed::value(&policy.with_decoder(moved).score(&passages(&texts), 1.0).unwrap())
    };
    let step = 0.01 / squared.sqrt();
    let gradient = (at(step) - at(-step)) / (2.0 * f64::from(step));
    let expected = f64::from(squared);
    assert!((gradient / expected - 1.0).abs() < 0.02, "{gradient} {expected}");
}

#[test]
fn an_update_does_not_depend_on_how_the_mini_batch_is_split() {
    let texts = texts();
    let updated = |size: usize, tokens: usize, by_layers: bool| {
        let mut policy = policy(true).with_gradient_checkpointing(by_layers);
        let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
        let mut optimizer = policy.optimizer(settings);
        let (gradient, _) = MicroBatches { size, tokens }
            .gradient(&policy, &passages(&texts), &[0, 1, 2, 3, 4, 5], 1.0, &Mixed, &Sequential)
            .unwrap();
        let update = OptimizerStep { divisor: 20.0, max_grad_norm: 1e9, learning_rate: 1e-3 };
        policy.apply(gradient.unwrap(), &mut optimizer, update).unwrap()
    };
    let whole = updated(6, 1000, false);
    assert!(whole > 0.1);
    for (size, tokens, by_layers) in
        [(1, 1000, false), (2, 1000, false), (6, 20, false), (6, 1, false), (3, 30, true)]
    {
        let split = updated(size, tokens, by_layers);
        assert!((split / whole - 1.0).abs() < 1e-4, "{size} {tokens} {split} {whole}");
    }
}

fn scored(policy: &DecoderPolicy) -> Vec<f64> {
    let scores = policy.score(&passages(&texts()), 1.0).expect("readable");
    scores.iter().map(|score| score.log_probability).collect()
}

#[test]
fn adapters_begin_without_effect_and_can_be_merged_and_taken_away() {
    let base = policy(true);
    let fresh = base.with_decoder(base.decoder.clone().with_adapters(&lora(4), 1));
    assert_eq!(scored(&fresh), scored(&base));
    // q, k, v, o: 24 + 24, 24 + 12, 24 + 12, 24 + 24; gate, up, down: 24 + 40 each; 3 layers.
    assert_eq!(fresh.trained_count(), 3 * 4 * (48 + 36 + 36 + 48 + 3 * 64));

    let adapted = adapted(&base, &lora(4));
    let changed = scored(&adapted);
    let difference =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference(&changed, &scored(&base)) > 0.05);
    let merged = base.with_decoder(adapted.decoder.clone().merged());
    assert!(difference(&changed, &scored(&merged)) < 1e-5);
    assert!(!merged.decoder.is_adapted());
    let stripped = base.with_decoder(adapted.decoder.clone().without_adapters());
    assert_eq!(scored(&stripped), scored(&base));
}

#[test]
fn adapters_are_kept_under_the_names_of_peft() {
    let base = policy(true);
    let some = LoraConfig { targets: vec!["q_proj".into(), "down_proj".into()], ..lora(2) };
    let adapted = adapted(&base, &some);
    let bytes = weights::save(&adapted.decoder, ParameterSubset::Adapters).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(file.len(), 3 * 2 * 2);
    let prefix = "base_model.model.model.layers.2";
    let shape = |name: &str| file.tensor(&format!("{prefix}.{name}")).unwrap().shape().to_vec();
    assert_eq!(shape("self_attn.q_proj.lora_A.weight"), [2, 24]);
    assert_eq!(shape("self_attn.q_proj.lora_B.weight"), [24, 2]);
    assert_eq!(shape("mlp.down_proj.lora_A.weight"), [2, 40]);

    let fresh = base.decoder.clone().with_adapters(&some, 1);
    let loaded = weights::load(fresh, ParameterSubset::Adapters, &bytes, &Device::flex()).unwrap();
    assert_eq!(scored(&base.with_decoder(loaded)), scored(&adapted));
    let other = base.decoder.clone().with_adapters(&lora(2), 1);
    let error =
        weights::load(other, ParameterSubset::Adapters, &bytes, &Device::flex()).unwrap_err();
    assert!(error.to_string().contains("k_proj.lora_A.weight"), "{error}");
}
