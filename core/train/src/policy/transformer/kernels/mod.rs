//! Kernels for graphics adapters: what a layer does between its products, each in one launch.
//!
//! What they compute is written in plain tensor operations in [`super::operations`], which is also what runs on the CPU;
//! tests compare both. None needs subgroups, so that software adapters run the same code.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::similar_names,
    clippy::used_underscore_binding,
    reason = "what kernels cannot call, and names that their macro makes"
)]

mod adamw;
mod column_sum;
mod decode;
mod differentiable;
mod few_rows;
mod heads;
mod launch;
mod product;
pub(super) mod replay;
mod residual;
mod rms_norm;
mod rows;
mod softmax;
mod swiglu;
pub(super) mod tensors;
#[cfg(test)]
mod tests;
mod token_scores;

use burn::backend::tensor::{FloatTensor, IntTensor};
use burn::backend::{Backend, backend_extension};
use burn::tensor::{Bytes, DType};
use burn_cubecl::CubeBackend;

pub(super) use self::adamw::AdamWStep;
pub(super) use self::decode::{DecodeStep, fits};
use self::heads::HeadSteps;

/// Operations with a backward pass.
#[backend_extension(Cube, Autodiff)]
pub(super) trait Differentiable: Backend {
    /// `x · weight` `[rows, columns]` in a precision, and the gradient of the weight in its own.
    fn product(x: FloatTensor<Self>, weight: FloatTensor<Self>, dtype: DType) -> FloatTensor<Self>;

    /// See [`super::operations::normalized`].
    fn rms_norm(
        x: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
        epsilon: f32,
        dtype: DType,
    ) -> FloatTensor<Self>;

    /// `x + y`, y in another type.
    fn residual(x: FloatTensor<Self>, y: FloatTensor<Self>) -> FloatTensor<Self>;

    /// Chosen rows of a matrix.
    fn rows(x: FloatTensor<Self>, chosen: IntTensor<Self>) -> FloatTensor<Self>;

    /// `silu(gate) · up`.
    fn swiglu(gate: FloatTensor<Self>, up: FloatTensor<Self>) -> FloatTensor<Self>;

    /// Heads `[rows, heads, tokens, size]` of `[rows, tokens, heads · size]`.
    fn heads(
        x: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        cosine: FloatTensor<Self>,
        sine: FloatTensor<Self>,
        size: usize,
        scale: f32,
        steps: HeadSteps,
    ) -> FloatTensor<Self>;

    /// Softmax of scores `[rows, heads, group · tokens, seen]`, up to the last token that each token looks at.
    fn causal_softmax(scores: FloatTensor<Self>, last: IntTensor<Self>) -> FloatTensor<Self>;

    /// Log-probability and entropy of targets, in the first two of the numbers of each row.
    fn token_scores(
        logits: FloatTensor<Self>,
        targets: IntTensor<Self>,
        coldness: f32,
    ) -> FloatTensor<Self>;

    /// A number whose gradient by x is `flow`; it is 0 itself.
    fn seeded(x: FloatTensor<Self>, flow: FloatTensor<Self>) -> FloatTensor<Self>;
}

/// Operations without a backward pass: of generation, and of the optimiser.
#[backend_extension(Cube)]
pub(super) trait Final: Backend {
    /// The products of x with three matrices in a precision.
    fn three(
        x: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        third: FloatTensor<Self>,
        dtype: DType,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>);

    /// `silu(x · gate) · (x · up)` in a precision.
    fn gated(
        x: FloatTensor<Self>,
        gate: FloatTensor<Self>,
        up: FloatTensor<Self>,
        dtype: DType,
    ) -> FloatTensor<Self>;

    /// `x + y`, and its RMS norm.
    fn residual_norm(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
        epsilon: f32,
        dtype: DType,
    ) -> (FloatTensor<Self>, FloatTensor<Self>);

    /// Queries, keys and values `[rows, 1, heads · size]` of one new token a row, with their biases and angles: what
    /// its queries find in the cache once its key and value are there, `[rows, 1, heads · size]`, and the cache.
    #[allow(clippy::too_many_arguments, reason = "projections, their biases, and the cache")]
    fn decode(
        query: FloatTensor<Self>,
        key: FloatTensor<Self>,
        value: FloatTensor<Self>,
        query_bias: FloatTensor<Self>,
        key_bias: FloatTensor<Self>,
        value_bias: FloatTensor<Self>,
        cosine: FloatTensor<Self>,
        sine: FloatTensor<Self>,
        keys: FloatTensor<Self>,
        values: FloatTensor<Self>,
        places: IntTensor<Self>,
        step: DecodeStep,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>);

    /// A tensor with other values in its buffer, also for all that share it.
    fn overwritten(x: IntTensor<Self>, values: Vec<i32>) -> IntTensor<Self>;

    /// Weights and moments after a step, in place if nothing else reads them.
    fn adamw_step(
        weights: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        gradient: FloatTensor<Self>,
        numbers: AdamWStep,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>);

    /// `sums` `[tensors, parts]` with the sums of squares of parts of a tensor in one row, in place if nothing else reads
    /// it.
    fn squares(x: FloatTensor<Self>, sums: FloatTensor<Self>, row: usize) -> FloatTensor<Self>;
}

impl Final for CubeBackend {
    fn three(
        x: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        third: FloatTensor<Self>,
        dtype: DType,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>) {
        let weights = [first, second, third].map(|it| residual::cast(it, dtype));
        product::three(&residual::cast(x, dtype), weights.each_ref(), dtype).into()
    }

    fn gated(
        x: FloatTensor<Self>,
        gate: FloatTensor<Self>,
        up: FloatTensor<Self>,
        dtype: DType,
    ) -> FloatTensor<Self> {
        let [x, gate, up] = [x, gate, up].map(|it| residual::cast(it, dtype));
        product::gated(&x, &gate, &up, dtype)
    }

    fn residual_norm(
        x: FloatTensor<Self>,
        y: FloatTensor<Self>,
        gamma: FloatTensor<Self>,
        epsilon: f32,
        dtype: DType,
    ) -> (FloatTensor<Self>, FloatTensor<Self>) {
        rms_norm::residual(x, y, gamma, epsilon, dtype)
    }

    fn overwritten(x: IntTensor<Self>, values: Vec<i32>) -> IntTensor<Self> {
        x.client.write(&x.handle, Bytes::from_elems(values));
        x
    }

    fn adamw_step(
        weights: FloatTensor<Self>,
        first: FloatTensor<Self>,
        second: FloatTensor<Self>,
        gradient: FloatTensor<Self>,
        numbers: AdamWStep,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>) {
        adamw::step(weights, first, second, gradient, numbers)
    }

    fn decode(
        query: FloatTensor<Self>,
        key: FloatTensor<Self>,
        value: FloatTensor<Self>,
        query_bias: FloatTensor<Self>,
        key_bias: FloatTensor<Self>,
        value_bias: FloatTensor<Self>,
        cosine: FloatTensor<Self>,
        sine: FloatTensor<Self>,
        keys: FloatTensor<Self>,
        values: FloatTensor<Self>,
        places: IntTensor<Self>,
        step: DecodeStep,
    ) -> (FloatTensor<Self>, FloatTensor<Self>, FloatTensor<Self>) {
        let (new, biases) = ([query, key, value], [query_bias, key_bias, value_bias]);
        decode::decode(new, biases, [cosine, sine], [keys, values], places, step)
    }

    fn squares(x: FloatTensor<Self>, sums: FloatTensor<Self>, row: usize) -> FloatTensor<Self> {
        adamw::squares(x, sums, row)
    }
}
