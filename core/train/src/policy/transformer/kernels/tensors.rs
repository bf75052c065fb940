//! Kernels on tensors: what [`super::super::operations`] hands over.

use burn::backend::Dispatch;
use burn::nn::RmsNorm;
use burn::tensor::{DType, FloatDType, Int, Tensor};

use super::super::attention::Angles;
use super::super::operations::Heads;
use super::adamw::PARTS;
use super::heads::HeadSteps;
use super::{AdamWStep, DecodeStep, Differentiable as _, Final as _};

/// `x · weight` in a precision.
pub(in super::super) fn product(
    x: Tensor<2>,
    weight: Tensor<2>,
    precision: FloatDType,
) -> Tensor<2> {
    let (x, weight) = (x.into_dispatch(), weight.into_dispatch());
    Tensor::from_dispatch(Dispatch::product(x, weight, precision.into()))
}

/// See [`super::super::lora::AdaptableLinear::three`].
pub(in super::super) fn three(
    x: Tensor<2>,
    weights: [Tensor<2>; 3],
    precision: FloatDType,
) -> [Tensor<2>; 3] {
    let [first, second, third] = weights.map(Tensor::into_dispatch);
    let y = Dispatch::three(x.into_dispatch(), first, second, third, precision.into());
    <[_; 3]>::from(y).map(Tensor::from_dispatch)
}

/// See [`super::super::lora::AdaptableLinear::gated`].
pub(in super::super) fn gated(
    x: Tensor<2>,
    [gate, up]: [Tensor<2>; 2],
    precision: FloatDType,
) -> Tensor<2> {
    let [x, gate, up] = [x, gate, up].map(Tensor::into_dispatch);
    Tensor::from_dispatch(Dispatch::gated(x, gate, up, precision.into()))
}

/// See [`super::super::operations::normalized`].
pub(in super::super) fn normalized<const D: usize>(
    norm: &RmsNorm,
    x: Tensor<D>,
    dtype: FloatDType,
) -> Tensor<D> {
    let (x, gamma) = (x.into_dispatch(), norm.gamma.val().into_dispatch());
    Tensor::from_dispatch(Dispatch::rms_norm(x, gamma, norm.epsilon as f32, dtype.into()))
}

/// See [`super::super::operations::residual_norm`].
pub(in super::super) fn residual_norm(
    x: Tensor<3>,
    y: Tensor<3>,
    norm: &RmsNorm,
    dtype: FloatDType,
) -> (Tensor<3>, Tensor<3>) {
    let [x, y] = [x, y].map(Tensor::into_dispatch);
    let (gamma, epsilon) = (norm.gamma.val().into_dispatch(), norm.epsilon as f32);
    let (sum, normed) = Dispatch::residual_norm(x, y, gamma, epsilon, DType::from(dtype));
    (Tensor::from_dispatch(sum), Tensor::from_dispatch(normed))
}

/// See [`super::super::operations::residual`].
pub(in super::super) fn residual(x: Tensor<3>, y: Tensor<3>) -> Tensor<3> {
    Tensor::from_dispatch(Dispatch::residual(x.into_dispatch(), y.into_dispatch()))
}

/// See [`super::super::operations::select_rows`].
pub(in super::super) fn rows(x: Tensor<2>, chosen: Tensor<1, Int>) -> Tensor<2> {
    Tensor::from_dispatch(Dispatch::rows(x.into_dispatch(), chosen.into_dispatch()))
}

/// See [`super::super::operations::swiglu`].
pub(in super::super) fn swiglu(gate: Tensor<3>, up: Tensor<3>) -> Tensor<3> {
    Tensor::from_dispatch(Dispatch::swiglu(gate.into_dispatch(), up.into_dispatch()))
}

/// See [`Heads::of`].
pub(in super::super) fn heads(y: Tensor<3>, heads: Heads<'_>) -> Tensor<4> {
    let steps = HeadSteps { biased: heads.bias.is_some(), rotated: heads.angles.is_some() };
    // What is not read still has to be a buffer.
    let nothing = || Tensor::<4>::zeros([1, 1, 1, 1], &y.device().inner());
    let (cosine, sine) = heads.angles.map_or_else(|| (nothing(), nothing()), Angles::tables);
    let bias = heads.bias.unwrap_or_else(|| nothing().reshape([1]));
    let scale = heads.scale.unwrap_or(1.0) as f32;
    let [cosine, sine] = [cosine, sine].map(Tensor::into_dispatch);
    let (y, bias) = (y.into_dispatch(), bias.into_dispatch());
    Tensor::from_dispatch(Dispatch::heads(y, bias, cosine, sine, heads.size, scale, steps))
}

/// See [`super::super::operations::shares`].
pub(in super::super) fn causal_softmax(scores: Tensor<4>, last: Tensor<2, Int>) -> Tensor<4> {
    let (scores, last) = (scores.into_dispatch(), last.into_dispatch());
    Tensor::from_dispatch(Dispatch::causal_softmax(scores, last))
}

/// See [`super::super::operations::token_scores`].
pub(in super::super) fn token_scores(
    logits: Tensor<2>,
    targets: Tensor<1, Int>,
    temperature: f64,
) -> [Tensor<1>; 2] {
    let (logits, targets) = (logits.into_dispatch(), targets.into_dispatch());
    let scores = Dispatch::token_scores(logits, targets, (1.0 / temperature) as f32);
    let scores = Tensor::<2>::from_dispatch(scores);
    [0, 1].map(|number| scores.clone().narrow(1, number, 1).squeeze_dim(1))
}

/// See [`super::super::operations::seeded`].
pub(in super::super) fn seeded(x: Tensor<3>, flow: Tensor<3>) -> Tensor<1> {
    Tensor::from_dispatch(Dispatch::seeded(x.into_dispatch(), flow.into_dispatch()))
}

/// What one new token a row finds in the cache, `[rows, 1, heads · size]`, and the cache with it: of the projections and
/// biases of queries, keys and values.
pub(in super::super) fn decode(
    [query, key, value]: [Tensor<3>; 3],
    biases: [Option<Tensor<1>>; 3],
    angles: &Angles,
    [keys, values]: [Tensor<4>; 2],
    places: Tensor<2, Int>,
    step: DecodeStep,
) -> (Tensor<3>, [Tensor<4>; 2]) {
    let (cosine, sine) = angles.tables();
    let nothing = || cosine.clone().slice([0..1, 0..1, 0..1, 0..1]).reshape([1]);
    let [query_bias, key_bias, value_bias] =
        biases.map(|bias| bias.unwrap_or_else(nothing).into_dispatch());
    let [query, key, value] = [query, key, value].map(Tensor::into_dispatch);
    let (cosine, sine) = (cosine.into_dispatch(), sine.into_dispatch());
    let [keys, values] = [keys, values].map(Tensor::into_dispatch);
    let places = places.into_dispatch();
    let (mixed, keys, values) = Dispatch::decode(
        query, key, value, query_bias, key_bias, value_bias, cosine, sine, keys, values, places,
        step,
    );
    (Tensor::from_dispatch(mixed), [keys, values].map(Tensor::from_dispatch))
}

/// Puts other values into the buffer of a tensor, also for all that share it.
pub(in super::super) fn overwrite<const D: usize>(x: &Tensor<D, Int>, values: Vec<i32>) {
    let _ = Dispatch::overwritten(x.clone().into_dispatch(), values);
}

/// See [`super::super::adamw::AdamW::update`].
pub(in super::super) fn adamw_step(
    [weights, first, second, gradient]: [Tensor<1>; 4],
    numbers: AdamWStep,
) -> [Tensor<1>; 3] {
    let [weights, first, second, gradient] =
        [weights, first, second, gradient].map(Tensor::into_dispatch);
    let (weights, first, second) = Dispatch::adamw_step(weights, first, second, gradient, numbers);
    [weights, first, second].map(Tensor::from_dispatch)
}

/// Squares whose sum is that of the squares of all tensors.
pub(in super::super) fn squares(all: &[Tensor<1>]) -> Tensor<1> {
    let mut sums = Tensor::<2>::zeros([all.len(), PARTS], &all[0].device()).into_dispatch();
    for (row, tensor) in all.iter().enumerate() {
        sums = Dispatch::squares(tensor.clone().into_dispatch(), sums, row);
    }
    Tensor::<2>::from_dispatch(sums).flatten(0, 1)
}
