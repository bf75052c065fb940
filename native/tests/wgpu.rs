//! The wgpu path gives the CPU's numbers; skipped if there is no adapter at all.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "says which adapter it is; a test stops where its ground is missing"
)]

mod kernel_counter;
#[path = "../../core/tests/reference_data/mod.rs"]
mod reference_data;
#[path = "../../core/train/tests/tiny_models/mod.rs"]
mod tiny_models;

use std::num::NonZero;
use std::sync::Arc;

use burn::tensor::{Device, Tensor};
use hgpo_env::random::{Purpose, Stream};
use hgpo_env::suite;
use hgpo_native::device::{self, DeviceChoice, Workload};
use hgpo_native::run::{Display, Interrupt, Machine, Threads};
use hgpo_train::Host;
use hgpo_train::config::{Config, ModelConfig};
use hgpo_train::executor::Sequential;
use hgpo_train::memory::PolicySize;
use hgpo_train::models::{Checkpoint, Precision};
use hgpo_train::objective::clipped::Sample;
use hgpo_train::policy::sampling::Sampling;
use hgpo_train::policy::transformer::generation::token_sampling::LARGE;
use hgpo_train::policy::transformer::parameters::ParameterSubset;
use hgpo_train::policy::transformer::{DecoderPolicy, weights};
use hgpo_train::policy::word_tokenizer::WordTokenizer;
use hgpo_train::policy::{AdamWSettings, Passage, Policy as _, PolicyError};
use hgpo_train::trainer::{Learner as _, Trainer, initial_policy};
use hgpo_train::update::{UpdateReport, update};

use crate::kernel_counter::kernels_started;
use crate::reference_data::skipped;
use crate::tiny_models::models;

/// How far two devices may be apart.
const TOLERANCE: f64 = 1e-3;

/// Most kernels of a decode step of two layers.
const DECODE_KERNELS: usize = 20;
/// Most kernels of an update of six samples: reference, gradient and optimiser.
const UPDATE_KERNELS: usize = 300;

/// The adapter, which every test opens anew.
fn gpu() -> Option<Device> {
    match device::choose(DeviceChoice::Wgpu, Workload::LanguageModel) {
        Ok(chosen) => {
            println!("{}", chosen.reason);
            Some(chosen.device)
        }
        Err(error) => {
            println!("{error}");
            skipped(
                "numbers of graphics adapters",
                "install a driver, or mesa-vulkan-drivers without one",
            );
            None
        }
    }
}

fn config() -> Config {
    let mut config = Config {
        model: ModelConfig {
            hidden_size: 32,
            intermediate_size: 64,
            num_hidden_layers: 2,
            num_attention_heads: 4,
            num_key_value_heads: 2,
            ..ModelConfig::default()
        },
        ..Config::default()
    };
    config.environment.max_steps = 3;
    config.rollout.tasks = 1;
    config.rollout.group_size = 2;
    config.warm_start.episodes = 0;
    config
}

fn samples() -> Vec<Sample> {
    let mut stream = Stream::new(1, Purpose::Tasks, [0, 0]);
    (0..6)
        .map(|index| {
            let mut tokens = |count| (0..count).map(|_| stream.below(50) as u32).collect();
            Sample {
                prompt: tokens(5 + index),
                response: tokens(4),
                old: vec![-3.9; 4],
                advantage: if index % 2 == 0 { 1.0 } else { -1.5 },
                weight: 1.0,
            }
        })
        .collect()
}

fn log_probabilities(policy: &DecoderPolicy, samples: &[Sample]) -> Vec<f64> {
    let passages: Vec<Passage<'_>> =
        samples.iter().map(|s| Passage { prompt: &s.prompt, response: &s.response }).collect();
    let scores = policy.score(&passages, 1.0).unwrap();
    scores.iter().map(|score| score.log_probability).collect()
}

/// Log-probabilities before and after one update, and what it reports: of all weights in one graph, or
/// of adapters layer by layer.
fn learn_once(
    device: &Device,
    adapters: bool,
    micro_batch_tokens: usize,
    host: &dyn Host,
) -> (Vec<f64>, UpdateReport, Vec<f64>) {
    let (mut config, samples) = (config(), samples());
    config.learn.micro_batch_tokens = micro_batch_tokens;
    let mut policy = DecoderPolicy::new(&config.model, 50, 7, device);
    let reference = DecoderPolicy::new(&config.model, 50, 8, device);
    if adapters {
        policy = policy.adapted(&config.pretrained.lora, 9).with_gradient_checkpointing(true);
    }
    let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
    let mut optimizer = policy.optimizer(settings);
    let before = log_probabilities(&policy, &samples);
    let report =
        update(&mut policy, &reference, &mut optimizer, &samples, &config, 1, host).unwrap();
    (before, report, log_probabilities(&policy, &samples))
}

#[test]
fn updates_match_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let close = |a: f64, b: f64, what: &str| {
        assert!((a - b).abs() < TOLERANCE * b.abs().max(1.0), "{what}: {a} {b}");
    };
    for adapters in [false, true] {
        let tokens = config().learn.micro_batch_tokens;
        let (before, report, after) = learn_once(&gpu, adapters, tokens, &Sequential);
        let (cpu_before, cpu_report, cpu_after) =
            learn_once(&Device::flex(), adapters, tokens, &Sequential);
        for (a, b) in before.iter().zip(&cpu_before).chain(after.iter().zip(&cpu_after)) {
            close(*a, *b, "log-probability");
        }
        assert_ne!(before, after);
        close(report.sums.policy, cpu_report.sums.policy, "policy loss");
        close(report.sums.kl, cpu_report.sums.kl, "kl");
        close(report.sums.entropy, cpu_report.sums.entropy, "entropy");
        close(report.grad_norm, cpu_report.grad_norm, "gradient norm");
    }
}

/// Threads that share an adapter share weights and gradients as well.
#[test]
fn threads_give_the_numbers_of_one() {
    let Some(gpu) = gpu() else { return };
    let (threads, display) = (Threads::new(NonZero::new(4)), Arc::new(Display::new()));
    let machine = Machine::new(threads, Interrupt::default(), display);
    for adapters in [false, true] {
        let (_, report, after) = learn_once(&gpu, adapters, 1, &Sequential);
        for _ in 0..8 {
            let (_, of_threads, after_threads) = learn_once(&gpu, adapters, 1, &machine);
            let off = (of_threads.grad_norm - report.grad_norm).abs() / report.grad_norm;
            assert!(off < 1e-5, "{} {}", of_threads.grad_norm, report.grad_norm);
            for (a, b) in after_threads.iter().zip(&after) {
                assert!((a - b).abs() < 1e-4, "{a} {b}");
            }
        }
    }
}

/// What starting kernels costs is what small policies and single tokens take: more of them are a loss of speed.
#[test]
fn steps_start_no_more_kernels_than_these() {
    let Some(gpu) = gpu() else { return };
    let (config, samples) = (config(), samples());
    let mut policy = DecoderPolicy::new(&config.model, 50, 7, &gpu);
    let prompts: Vec<&[u32]> = samples.iter().map(|sample| sample.prompt.as_slice()).collect();
    let generation = |tokens| {
        let stream = |row| Stream::new(2, Purpose::Sampling, [row, 0]);
        let mut streams: Vec<Stream> = (0..6).map(stream).collect();
        let sampling = Sampling::at(1.0);
        policy.generate(&prompts, sampling, tokens, &mut streams, &mut |_, _| false).unwrap()
    };
    // Steps that come later are recorded, and replayed without being told.
    let [two, three] = [2, 3].map(|tokens| kernels_started(|| generation(tokens)).1);
    let reference = DecoderPolicy::new(&config.model, 50, 8, &gpu);
    let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.01 };
    let mut optimizer = policy.optimizer(settings);
    let (_, training) = kernels_started(|| {
        let host = &Sequential;
        update(&mut policy, &reference, &mut optimizer, &samples, &config, 1, host).unwrap()
    });
    println!("kernels: {} a decode step, {training} an update of six samples", three - two);
    assert!(three - two <= DECODE_KERNELS, "{}", three - two);
    assert!(training <= UPDATE_KERNELS, "{training}");
}

#[test]
fn iterations_start_as_many_kernels_as_devices_are_chosen_by() {
    let Some(gpu) = gpu() else { return };
    let config = Config { model: Config::default().model, ..config() };
    let suite = suite(&config.environment, None).unwrap();
    let words = WordTokenizer::of(suite.as_ref()).unwrap();
    let size = PolicySize::new(&config.model, words.vocabulary_size(), None);
    let (policy, format) = initial_policy::from_scratch(&config, words, &gpu).unwrap();
    let mut trainer = Trainer::new(&config, suite, format, policy).unwrap();
    let (_, counted) = kernels_started(|| trainer.iterate(&Sequential).unwrap().unwrap());
    let expected = size.kernels(&config).unwrap();
    println!("kernels of an iteration: {counted}, expected {expected}");
    assert!((0.8 * expected..1.1 * expected).contains(&(counted as f64)), "{counted} {expected}");
}

#[test]
fn the_first_iteration_has_the_loss_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let loss = |device: &Device| {
        let suite = suite(&config().environment, None).unwrap();
        let words = WordTokenizer::of(suite.as_ref()).unwrap();
        let (policy, format) = initial_policy::from_scratch(&config(), words, device).unwrap();
        let mut trainer = Trainer::new(&config(), suite, format, policy).unwrap();
        let iteration = trainer.iterate(&Sequential).unwrap().unwrap();
        iteration.metrics["loss/total"].as_f64().unwrap()
    };
    let (found, expected) = (loss(&gpu), loss(&Device::flex()));
    assert!((found - expected).abs() < TOLERANCE, "{found} {expected}");
}

#[test]
fn generation_matches_the_cpu() {
    let Some(gpu) = gpu() else { return };
    // A vocabulary that is drawn from in blocks, prompts that share a beginning, rows that leave.
    let vocabulary = LARGE + 10;
    let config = ModelConfig { hidden_size: 32, intermediate_size: 48, ..ModelConfig::default() };
    let prompts: Vec<Vec<u32>> = (0..6)
        .map(|row| (0..60).chain(row * 7..row * 9).map(|at| at * 131 % vocabulary as u32).collect())
        .collect();
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let responses = |device: &Device| {
        let policy = DecoderPolicy::new(&config, vocabulary, 3, device);
        let stream = |row| Stream::new(4, Purpose::Sampling, [row, 0]);
        let mut streams: Vec<Stream> = (0..6).map(stream).collect();
        let mut ends = |_, token: u32| token.is_multiple_of(16);
        policy.generate(&prompts, Sampling::at(1.0), 48, &mut streams, &mut ends).unwrap()
    };
    let (found, expected) = (responses(&gpu), responses(&Device::flex()));
    let lengths: Vec<usize> = expected.iter().map(Vec::len).collect();
    assert!(lengths.iter().min() < lengths.iter().max(), "{lengths:?}");
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert_eq!(found.token, expected.token);
        assert!((found.log_probability - expected.log_probability).abs() < TOLERANCE);
    }
}

#[test]
fn half_precision_matches_the_cpu() {
    let Some(gpu) = gpu() else { return };
    if !gpu.supports_dtype(Precision::F16.dtype()) {
        skipped("half precision on graphics adapters", "run where the adapter has f16");
        return;
    }
    let rows: [&[u32]; 2] = [&[3, 1, 4, 1, 5, 9, 2, 6], &[2, 7, 1]];
    let logits = |device: &Device, precision| {
        let policy = DecoderPolicy::new(&ModelConfig::default(), 50, 3, device);
        let decoder = policy.decoder.clone().computing_in(precision).stored_as_computed();
        weights::read_tensor(policy.with_decoder(decoder).logits(&rows)).unwrap()
    };
    let (found, expected) = (logits(&gpu, Precision::F16), logits(&Device::flex(), Precision::F16));
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 0.01, "{found} {expected}");
    }
    assert_ne!(found, logits(&gpu, Precision::F32));
}

#[test]
fn models_in_files_give_the_cpus_logits() {
    let Some(gpu) = gpu() else { return };
    let models = models();
    let rows: Vec<Vec<u32>> =
        [3, 17, 40].map(|length| (0..length).map(|at| at * 12 % 509).collect()).to_vec();
    let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
    for model in [".", "llama_tiny", "untied", "tiny.gguf"] {
        let checkpoint = Checkpoint::open(&models.path().join(model)).unwrap();
        let logits = |device: &Device| {
            weights::read_tensor(
                DecoderPolicy::open(&checkpoint, Precision::F32, true, device, &Sequential)
                    .unwrap()
                    .logits(&rows),
            )
            .unwrap()
        };
        let (found, expected) = (logits(&gpu), logits(&Device::flex()));
        assert_eq!(found.len(), 3 * 40 * 512);
        // Beyond a row's end they mean nothing.
        let real = |at: &usize| at / 512 % 40 < rows[at / 512 / 40].len();
        for at in (0..found.len()).filter(real) {
            let off = f64::from((found[at] - expected[at]).abs());
            assert!(off < TOLERANCE, "{model}: logit {at} is off by {off}");
        }
    }
}

#[test]
fn overflow_is_an_error() {
    let Some(gpu) = gpu() else { return };
    let samples = samples();
    let prompts: Vec<&[u32]> = samples.iter().map(|sample| sample.prompt.as_slice()).collect();
    // The large one is drawn from in blocks.
    for vocabulary in [50, LARGE + 100] {
        let policy = DecoderPolicy::new(&config().model, vocabulary, 7, &gpu);
        let large = |name: &str, shape: &[usize]| {
            let value = if name.ends_with("down_proj.weight") { 1e38 } else { 0.01 };
            Ok::<_, ()>(vec![value; shape.iter().product()])
        };
        let decoder =
            weights::fill(policy.decoder.clone(), ParameterSubset::All, &gpu, large).unwrap();
        let policy = policy.with_decoder(decoder);
        let passage = Passage { prompt: &samples[0].prompt, response: &samples[0].response };
        let said = policy.score(&[passage], 1.0).unwrap_err().to_string();
        assert!(said.contains("overflowed in f32"), "{said}");
        for temperature in [0.0, 1.0] {
            let mut streams: Vec<Stream> =
                (0..6).map(|row| Stream::new(2, Purpose::Sampling, [row, 0])).collect();
            let sampling = Sampling::at(temperature);
            let drawn = policy.generate(&prompts, sampling, 3, &mut streams, &mut |_, _| false);
            let said = drawn.unwrap_err().to_string();
            assert!(said.contains("overflowed in f32"), "{said}");
        }
    }
}

/// A tensor that the adapter has no buffer for is missed when what depends on it is read, and then only.
#[test]
fn memory_that_is_not_there_is_an_error_and_the_device_goes_on() {
    let Some(gpu) = gpu() else { return };
    let passage = Passage { prompt: &[1, 2, 3], response: &[4, 5] };
    let policy = DecoderPolicy::new(&config().model, 50, 7, &gpu);
    let expected = policy.score(&[passage], 1.0).unwrap();
    // 256 GiB.
    let large = Tensor::<2>::zeros([1 << 18, 1 << 18], &gpu);
    let said = weights::read_tensor(large.narrow(0, 0, 1).narrow(1, 0, 1)).unwrap_err();
    assert!(matches!(said, PolicyError::OutOfMemory(_)), "{said}");
    assert!(!said.to_string().contains('\n'), "{said}");
    policy.release_memory();
    assert_eq!(policy.score(&[passage], 1.0).unwrap(), expected);
}

#[test]
fn lost_devices_are_errors() {
    if gpu().is_none() {
        return;
    }
    // Another device than that of the other tests.
    let setup = device::wgsl_device(0).unwrap();
    let device = Device::wgpu_options().setup(setup.clone()).init().unwrap();
    let policy = DecoderPolicy::new(&config().model, 50, 7, &device);
    let passage = Passage { prompt: &[1, 2, 3], response: &[4, 5] };
    policy.score(&[passage], 1.0).unwrap();
    setup.device.destroy();
    let said = policy.score(&[passage], 1.0).unwrap_err();
    assert!(matches!(said, PolicyError::DeviceLost(_)), "{said}");
    assert!(!said.to_string().contains('\n'), "{said}");
}
