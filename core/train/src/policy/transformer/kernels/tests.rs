//! Kernels against plain tensor operations on the CPU: values and gradients, at odd lengths, one row, shared heads.

use std::sync::OnceLock;

use burn::nn::{RmsNorm, RmsNormConfig};
use burn::tensor::{Device, DeviceKind, FloatDType, Gradients, Int, Tensor, TensorData};
use hgpo_env::random::{Purpose, Stream};

use super::super::DecoderPolicy;
use super::super::attention::{Angles, Mask, mix};
use super::super::operations::{self, Heads};
use super::super::weights::read_tensor;
use super::DecodeStep;
use super::replay::{Replay, Work};
use super::tensors::overwrite;
use crate::config::ModelConfig;
use crate::policy::Policy as _;
use crate::policy::requests::LONG;
use crate::policy::sampling::Sampling;
use crate::wgsl::wgsl_setup;

/// The adapter, if there is one, and the CPU.
fn devices() -> Option<[Device; 2]> {
    static OPENED: OnceLock<Option<Device>> = OnceLock::new();
    let gpu = OPENED.get_or_init(|| pollster::block_on(open())).clone()?;
    Some([gpu, Device::flex()])
}

/// The adapter that wgpu prefers; with WGSL if it is software, whose driver crashes with SPIR-V.
async fn open() -> Option<Device> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await.ok()?;
    let options = Device::wgpu_options();
    let opened = match adapter.get_info().device_type {
        wgpu::DeviceType::Cpu => options.setup(wgsl_setup(instance, adapter).await.ok()?).init(),
        _ => options.device_kind(DeviceKind::DefaultDevice).init(),
    };
    opened.ok()
}

fn drawn<const D: usize>(shape: [usize; D], seed: u64, device: &Device) -> Tensor<D> {
    let mut stream = Stream::new(seed, Purpose::Weights, [0, 0]);
    let values: Vec<f32> = (0..shape.iter().product()).map(|_| stream.normal() as f32).collect();
    Tensor::from_data(TensorData::new(values, shape), device)
}

fn whole<const D: usize>(values: Vec<i32>, shape: [usize; D], device: &Device) -> Tensor<D, Int> {
    Tensor::from_data(TensorData::new(values, shape), device)
}

/// Compares what an operation makes on both devices, and its gradients by all leaves.
fn compare<const D: usize>(what: &str, make: impl Fn(&Device) -> (Tensor<D>, Vec<Tensor<1>>)) {
    let Some(devices) = devices() else { return };
    let found = devices.map(|device| {
        let device = device.autodiff();
        let (output, leaves) = make(&device);
        let output = output.cast(FloatDType::F32);
        let weights = drawn(output.dims(), 99, &device);
        let gradients: Gradients = (output.clone() * weights).sum().backward();
        let gradient = |leaf: &Tensor<1>| leaf.grad(&gradients).expect("it takes part");
        let values = |x: Tensor<1>| read_tensor(x).expect("readable");
        let count = output.dims().iter().product::<usize>();
        let mut all = vec![values(output.inner().reshape([count]))];
        all.extend(leaves.iter().map(|leaf| values(gradient(leaf))));
        all
    });
    for (index, (found, expected)) in found[0].iter().zip(&found[1]).enumerate() {
        assert_eq!(found.len(), expected.len());
        for (at, (a, b)) in found.iter().zip(expected).enumerate() {
            assert!((a - b).abs() < 2e-4 * b.abs().max(1.0), "{what}, {index}, {at}: {a} {b}");
        }
    }
}

/// A leaf of a flat tensor.
fn leaf(count: usize, seed: u64, device: &Device) -> Tensor<1> {
    drawn([count], seed, device).require_grad()
}

fn norm(gamma: &Tensor<1>) -> RmsNorm {
    let size = gamma.dims()[0];
    let mut norm = RmsNormConfig::new(size).with_epsilon(1e-6).init(&gamma.device());
    norm.gamma = norm.gamma.map(|_| gamma.clone());
    norm
}

#[test]
fn rms_norms_match_the_cpu() {
    for [rows, width] in [[1, 7], [5, 33], [70, 896]] {
        compare("rms norm", |device| {
            let (x, gamma) = (leaf(rows * width, 1, device), leaf(width, 2, device));
            let y = operations::normalized(
                &norm(&gamma),
                x.clone().reshape([1, rows, width]),
                FloatDType::F32,
            );
            (y, vec![x, gamma])
        });
    }
}

#[test]
fn residuals_and_their_norms_match_the_cpu() {
    compare("residual norm", |device| {
        let leaves = [leaf(3 * 50, 1, device), leaf(3 * 50, 2, device), leaf(50, 3, device)];
        let [x, y] = [0, 1].map(|at| leaves[at].clone().reshape([1, 3, 50]));
        let (sum, normed) = operations::residual_norm(x, y, &norm(&leaves[2]), FloatDType::F32);
        (Tensor::cat(vec![sum, normed], 0), leaves.to_vec())
    });
}

#[test]
fn fused_residuals_without_a_graph_match_the_cpu() {
    let Some(devices) = devices() else { return };
    let [found, expected] = devices.map(|device| {
        let [x, y] = [1, 2].map(|seed| drawn([1, 3, 50], seed, &device));
        let gamma = drawn([50], 3, &device);
        let (sum, normed) = operations::residual_norm(x, y, &norm(&gamma), FloatDType::F32);
        read_tensor(Tensor::cat(vec![sum, normed], 0)).unwrap()
    });
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5));
}

#[test]
fn swiglus_match_the_cpu() {
    for count in [1, 255, 1000] {
        compare("swiglu", |device| {
            let (gate, up) = (leaf(count, 1, device), leaf(count, 2, device));
            let [x, y] = [&gate, &up].map(|it| it.clone().reshape([1, 1, count]));
            (operations::swiglu(x, y), vec![gate, up])
        });
    }
}

#[test]
fn heads_match_the_cpu() {
    for (rows, tokens, heads, biased, rotated, placed) in
        [(1, 1, 1, false, false, 1), (2, 5, 3, true, true, 1), (3, 7, 2, false, true, 3)]
    {
        compare("heads", |device| {
            let size = 6;
            let width = heads * size;
            let (x, bias) = (leaf(rows * tokens * width, 1, device), leaf(width, 2, device));
            let positions: Vec<Vec<usize>> =
                (0..placed).map(|row| (row..row + tokens).collect()).collect();
            let angles = Angles::new(&positions, &[1.0, 0.3, 0.1], &device.clone().inner());
            let scale = rotated.then_some(0.4);
            let made = Heads {
                size,
                bias: biased.then(|| bias.clone()),
                norm: None,
                angles: rotated.then_some(&angles),
                scale,
            };
            let y = made.of(x.clone().reshape([rows, tokens, width]));
            (y, if biased { vec![x, bias] } else { vec![x] })
        });
    }
}

#[test]
fn shares_match_the_cpu() {
    let (rows, shared, group, tokens, seen) = (2, 2, 3, 5, 300);
    compare("shares", |device| {
        let x = leaf(rows * shared * group * tokens * seen, 1, device);
        let last = |row: usize, token: usize| (row * 7 + token * 61) as i32;
        let all = (0..rows).flat_map(|row| (0..tokens).map(move |token| last(row, token)));
        let plain = device.clone().inner();
        let mask = if operations::has_kernels(device) {
            Mask::Last(whole(all.collect(), [rows, tokens], &plain))
        } else {
            let hide =
                |last: i32| (0..seen as i32).map(move |at| if at > last { -1e9 } else { 0.0 });
            let bias: Vec<f32> = all.flat_map(hide).collect();
            let shape = [rows, 1, 1, tokens, seen];
            Mask::Bias(Tensor::from_data(TensorData::new(bias, shape), &plain))
        };
        let scores = x.clone().reshape([rows, shared, group * tokens, seen]);
        (operations::shares(scores, &mask), vec![x])
    });
}

#[test]
fn token_scores_match_the_cpu() {
    for [rows, vocabulary] in [[1, 9], [3, 1000]] {
        compare("token scores", |device| {
            let x = leaf(rows * vocabulary, 1, device);
            let targets = (0..rows).map(|row| (row * 4 % vocabulary) as i32).collect();
            let targets = whole(targets, [rows], &device.clone().inner());
            let logits = x.clone().mul_scalar(2.0).reshape([rows, vocabulary]);
            let scores = operations::token_scores(logits, targets, 0.7);
            (Tensor::cat(scores.to_vec(), 0), vec![x])
        });
    }
}

#[test]
fn seeds_are_gradients() {
    let Some([gpu, _]) = devices() else { return };
    let x = drawn([1, 3, 4], 1, &gpu).autodiff().require_grad();
    let flow = drawn([1, 3, 4], 2, &gpu);
    let gradients = operations::seeded(x.clone(), flow.clone()).backward();
    let found = read_tensor(x.grad(&gradients).unwrap()).unwrap();
    assert_eq!(found, read_tensor(flow).unwrap());
}

#[test]
fn squares_add_up() {
    let Some(devices) = devices() else { return };
    let [found, expected] = devices.map(|device| {
        let all = [1, 300, 100_001].map(|count| drawn([count], 1, &device));
        let squares = read_tensor(operations::squares(&all)).unwrap();
        squares.iter().map(|&square| f64::from(square)).sum::<f64>()
    });
    assert!((found - expected).abs() < 1e-5 * expected, "{found} {expected}");
}

/// One row, as many as a cube has, more, and a product that is split.
#[test]
fn products_match_the_cpu() {
    for [rows, inner, columns] in
        [[1, 7, 5], [1, 130, 36], [16, 64, 33], [64, 40, 8], [65, 33, 9], [70, 2048, 130]]
    {
        for is_transposed in [false, true] {
            compare(&format!("{rows} x {inner} x {columns}, {is_transposed}"), |device| {
                let (x, weight) = (leaf(rows * inner, 1, device), leaf(inner * columns, 2, device));
                let shaped = if is_transposed {
                    weight.clone().reshape([columns, inner]).transpose()
                } else {
                    weight.clone().reshape([inner, columns])
                };
                let scaled = x.clone().mul_scalar(1.0 / (inner as f64).sqrt());
                let scaled = scaled.reshape([rows, inner]);
                (operations::product(scaled, shaped, FloatDType::F32), vec![x, weight])
            });
        }
    }
}

#[test]
fn fused_products_match_the_cpu() {
    let Some([gpu, cpu]) = devices() else { return };
    for (rows, inner, columns) in [(1, 9, [8, 4, 12]), (5, 600, [33, 5, 70]), (70, 20, [8; 3])] {
        let make = |device: &Device| {
            let x = drawn([rows, inner], 1, device).mul_scalar(0.1);
            let weight = |at| drawn([inner, columns[at]], 2 + at as u64, device);
            (x, [0, 1, 2].map(weight))
        };
        let (x, weights) = make(&gpu);
        let gate = [0, 0].map(|at| weights[at].clone());
        let gated = super::tensors::gated(x.clone(), gate, FloatDType::F32);
        let three = super::tensors::three(x, weights, FloatDType::F32);
        let (x, weights) = make(&cpu);
        let expected = weights.map(|weight| x.clone().matmul(weight));
        let up: Tensor<3> = expected[0].clone().unsqueeze();
        let expected_gated = operations::swiglu(up.clone(), up).squeeze_dim::<2>(0);
        let found = three.into_iter().chain([gated]);
        for (found, expected) in found.zip(expected.into_iter().chain([expected_gated])) {
            assert_eq!(found.dims(), expected.dims());
            near(&read_tensor(found).unwrap(), &read_tensor(expected).unwrap());
        }
    }
}

fn near(found: &[f32], expected: &[f32]) {
    for (at, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{at}: {a} {b}");
    }
}

/// Some of them several times, far apart.
#[test]
fn chosen_rows_match_the_cpu() {
    for (rows, width, choices) in [(1, 1, 1), (7, 12, 5), (90, 33, 1000)] {
        compare("rows", |device| {
            let x = leaf(rows * width, 1, device);
            let chosen = (0..choices).map(|at| (at * at % rows) as i32).collect();
            let chosen = whole(chosen, [choices], &device.clone().inner());
            (operations::select_rows(x.clone().reshape([rows, width]), chosen), vec![x])
        });
    }
}

#[test]
fn new_tokens_find_what_they_find_on_the_cpu() {
    let Some(devices) = devices() else { return };
    for (rows, heads, shared, size, length, biased) in
        [(1, 1, 1, 2, 1, false), (2, 6, 2, 8, 300, true), (3, 4, 4, 64, 700, true)]
    {
        let [found, expected] = devices.clone().map(|device| {
            let new = |heads: usize, seed| drawn([rows, 1, heads * size], seed, &device);
            let projections = [new(heads, 1), new(shared, 2), new(shared, 3)];
            let bias = |heads: usize, seed| biased.then(|| drawn([heads * size], seed, &device));
            let biases = [bias(heads, 4), bias(shared, 5), bias(shared, 6)];
            let frequencies: Vec<f64> = (0..size / 2).map(|at| 1.0 / (at + 1) as f64).collect();
            let cache = [7, 8].map(|seed| drawn([rows, shared, length + 3, size], seed, &device));
            // Rows have 0, 1, 2, … tokens of padding.
            let padding = (0..rows).map(|row| length / 3..length / 3 + row);
            let scale = 1.0 / (size as f64).sqrt();
            if operations::has_kernels(&device) {
                let place = |(row, it): (usize, std::ops::Range<usize>)| {
                    [it.start, it.end, length + row, length].map(|at| at as i32)
                };
                let places = padding.enumerate().flat_map(place).collect();
                let places = whole(places, [rows, 4], &device);
                let all = [(0..length + rows).collect()];
                let angles = Angles::new(&all, &frequencies, &device);
                let step = DecodeStep { size, scale: scale as f32, biased };
                let (mixed, cache) =
                    super::tensors::decode(projections, biases, &angles, cache, places, step);
                let cache = cache.map(|all| all.narrow(2, 0, length + 1));
                return (mixed.flatten::<1>(0, 2), Tensor::cat(cache.to_vec(), 0));
            }
            let positions: Vec<Vec<usize>> = (0..rows).map(|row| vec![length + row]).collect();
            let angles = Angles::new(&positions, &frequencies, &device);
            let [query, key, value] = [0, 1, 2].map(|at| {
                let heads = Heads {
                    size,
                    bias: biases[at].clone(),
                    norm: None,
                    angles: (at < 2).then_some(&angles),
                    scale: (at == 0).then_some(scale),
                };
                heads.of(projections[at].clone())
            });
            let [keys, values] = cache.map(|all| all.narrow(2, 0, length));
            let keys = Tensor::cat(vec![keys, key], 2);
            let values = Tensor::cat(vec![values, value], 2);
            let hide = |it: std::ops::Range<usize>| {
                (0..=length).map(move |at| if it.contains(&at) { -1e9 } else { 0.0 })
            };
            let bias: Vec<f32> = padding.flat_map(hide).collect();
            let bias = TensorData::new(bias, [rows, 1, 1, 1, length + 1]);
            let mask = Mask::Bias(Tensor::from_data(bias, &device));
            let mixed = mix(query, keys.clone(), values.clone(), &mask);
            (mixed.flatten::<1>(0, 3), Tensor::cat(vec![keys, values], 0))
        });
        near(&read_tensor(found.0).unwrap(), &read_tensor(expected.0).unwrap());
        near(&read_tensor(found.1).unwrap(), &read_tensor(expected.1).unwrap());
    }
}

#[test]
fn recorded_steps_read_what_is_written_between_them() {
    let Some([gpu, _]) = devices() else { return };
    let (numbers, weights) = (whole(vec![1, 2, 3], [3], &gpu), drawn([3], 1, &gpu));
    let step = || numbers.clone().float() * weights.clone() + 1.0;
    let jobs = [(); 2].map(|()| Work::begin());
    assert!(Replay::record(&gpu, step).is_none(), "beside another job");
    drop(jobs);
    let recorded = Replay::record(&gpu, step).expect("recorded");
    let weights = read_tensor(weights.clone()).unwrap();
    for round in 0..3 {
        overwrite(&numbers, vec![round, 5 * round, -round]);
        #[expect(unsafe_code, reason = "numbers and weights are alive, and nothing else runs")]
        // SAFETY: as said.
        let found = read_tensor(unsafe { recorded.replay() }.clone()).unwrap();
        let expected = [round, 5 * round, -round].map(|number| number as f32);
        let expected = expected.iter().zip(&weights).map(|(a, b)| a * b + 1.0);
        near(&found, &expected.collect::<Vec<_>>());
    }
}

/// Rows of several lengths, some of which end early, and steps that are recorded.
#[test]
fn responses_match_the_cpu() {
    let Some(devices) = devices() else { return };
    let config = ModelConfig { hidden_size: 32, intermediate_size: 48, ..ModelConfig::default() };
    let prompts: Vec<Vec<u32>> =
        (0..4).map(|row| (0..5 + row * 9).map(|at| at * 31 % 50).collect()).collect();
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let [found, expected] = devices.map(|device| {
        let policy = DecoderPolicy::new(&config, 50, 3, &device);
        let stream = |row| Stream::new(4, Purpose::Sampling, [row, 0]);
        let mut streams: Vec<Stream> = (0..4).map(stream).collect();
        let mut ends = |_, token: u32| token.is_multiple_of(16);
        policy.generate(&prompts, Sampling::at(1.0), LONG, &mut streams, &mut ends).unwrap()
    });
    assert!(expected.iter().any(|response| response.len() > 8), "some steps are recorded");
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.token, expected.token);
            assert!((found.log_probability - expected.log_probability).abs() < 1e-4);
        }
    }
}
