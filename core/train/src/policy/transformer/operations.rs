//! Operations between products with weights.
//!
//! Each is written in plain tensor operations, which the CPU runs and which say what is computed. On a graphics adapter,
//! the kernels in `kernels/` compute the same, each in one launch.

use burn::nn::{Embedding, RmsNorm};
use burn::tensor::activation::{log_softmax, silu, softmax};
use burn::tensor::{Device, FloatDType, Int, Tensor};

use super::attention::{Angles, Mask};
#[cfg(feature = "gpu")]
use super::kernels::tensors as kernels;
use crate::config::Precision;

/// Whether tensors on a device are computed by kernels.
pub(super) fn has_kernels(device: &Device) -> bool {
    cfg!(feature = "gpu") && *device != Device::flex()
}

/// What vectors between products are held in: half precision where kernels read it and products take it.
pub(super) fn between(precision: Precision, device: &Device) -> FloatDType {
    if precision == Precision::F16 && has_kernels(device) {
        FloatDType::F16
    } else {
        FloatDType::F32
    }
}

/// `x · weight` in a precision, which both are rounded to.
pub(super) fn product(x: Tensor<2>, weight: Tensor<2>, precision: FloatDType) -> Tensor<2> {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) {
        return kernels::product(x, weight, precision);
    }
    x.cast(precision).matmul(weight.cast(precision))
}

/// `x / rms(x) · γ` in a type, and no finite number if the mean square is beyond single precision. Divided by an
/// infinite root, vectors of large numbers would become zeros, and the model's answer a uniform distribution that looks
/// like any other.
///
/// # Formula
/// rms(x) = √(mean(x²) + ε); 0 · rms(x) is added, which is 0 or NaN (Zhang and Sennrich 2019).
pub(super) fn normalized<const D: usize>(
    norm: &RmsNorm,
    x: Tensor<D>,
    dtype: FloatDType,
) -> Tensor<D> {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) {
        return kernels::normalized(norm, x, dtype);
    }
    let root = (x.clone().square().mean_dim(D - 1) + norm.epsilon).sqrt();
    let root = root.clone() + root.mul_scalar(0.0);
    ((x / root) * norm.gamma.val().unsqueeze()).cast(dtype)
}

/// `x + y`, y in any type, and its norm in one.
pub(super) fn residual_norm(
    x: Tensor<3>,
    y: Tensor<3>,
    norm: &RmsNorm,
    dtype: FloatDType,
) -> (Tensor<3>, Tensor<3>) {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) && !x.device().is_autodiff() {
        return kernels::residual_norm(x, y, norm, dtype);
    }
    let sum = residual(x, y);
    (sum.clone(), normalized(norm, sum, dtype))
}

/// `x + y`, y in any type.
pub(super) fn residual(x: Tensor<3>, y: Tensor<3>) -> Tensor<3> {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) && x.dtype() != y.dtype() {
        return kernels::residual(x, y);
    }
    x + y
}

/// The vectors `[rows, tokens, size]` of tokens.
pub(super) fn embedded(embedding: &Embedding, tokens: Tensor<2, Int>) -> Tensor<3> {
    #[cfg(feature = "gpu")]
    if has_kernels(&tokens.device()) {
        let ([rows, tokens_a_row], weight) = (tokens.dims(), embedding.weight.val());
        let size = weight.dims()[1];
        return kernels::rows(weight, tokens.flatten(0, 1)).reshape([rows, tokens_a_row, size]);
    }
    embedding.forward(tokens)
}

/// Chosen rows of a matrix.
pub(super) fn select_rows(x: Tensor<2>, chosen: Tensor<1, Int>) -> Tensor<2> {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) {
        return kernels::rows(x, chosen);
    }
    x.select(0, chosen)
}

/// `silu(gate) · up`.
pub(super) fn swiglu(gate: Tensor<3>, up: Tensor<3>) -> Tensor<3> {
    #[cfg(feature = "gpu")]
    if has_kernels(&gate.device()) {
        return kernels::swiglu(gate, up);
    }
    silu(gate) * up
}

/// How heads are made of a projection `[rows, tokens, heads · size]`.
pub(super) struct Heads<'a> {
    /// Values of a head.
    pub(super) size: usize,
    /// Added first.
    pub(super) bias: Option<Tensor<1>>,
    /// Norm of each head.
    pub(super) norm: Option<&'a RmsNorm>,
    /// What they are turned by.
    pub(super) angles: Option<&'a Angles>,
    /// What they are multiplied by at the end.
    pub(super) scale: Option<f64>,
}

impl Heads<'_> {
    /// Heads `[rows, heads, tokens, size]`.
    pub(super) fn of(self, y: Tensor<3>) -> Tensor<4> {
        #[cfg(feature = "gpu")]
        if self.norm.is_none() && has_kernels(&y.device()) {
            return kernels::heads(y, self);
        }
        let dtype = y.dtype();
        let [rows, tokens, width] = y.dims();
        let y = match self.bias {
            Some(bias) => y.cast(FloatDType::F32) + bias.unsqueeze(),
            None => y.cast(FloatDType::F32),
        };
        let heads = y.reshape([rows, tokens, width / self.size, self.size]).swap_dims(1, 2);
        let heads = match self.norm {
            Some(norm) => normalized(norm, heads, FloatDType::F32),
            None => heads,
        };
        let heads = self.angles.map_or(heads.clone(), |angles| angles.rotate(heads));
        let heads = match self.scale {
            Some(scale) => heads.mul_scalar(scale),
            None => heads,
        };
        heads.cast(dtype)
    }
}

/// The shares `[rows, shared heads, group · tokens, seen]` of scores, with which values are mixed.
pub(super) fn shares(scores: Tensor<4>, mask: &Mask) -> Tensor<4> {
    match mask {
        #[cfg(feature = "gpu")]
        Mask::Last(last) => kernels::causal_softmax(scores, last.clone()),
        // Without a cache there is no padding in it.
        #[cfg(feature = "gpu")]
        Mask::Places(_) => softmax(scores, 3),
        Mask::Bias(bias) => {
            let shape @ [rows, shared, stacked, seen] = scores.dims();
            let tokens = bias.dims()[3];
            let scores = scores.reshape([rows, shared, stacked / tokens, tokens, seen]);
            let bias = bias.clone().cast(scores.dtype());
            softmax(scores + bias, 4).reshape(shape)
        }
    }
}

/// Log-probability of each target under softmax(logits / temperature), and the entropy of that distribution.
pub(super) fn token_scores(
    logits: Tensor<2>,
    targets: Tensor<1, Int>,
    temperature: f64,
) -> [Tensor<1>; 2] {
    #[cfg(feature = "gpu")]
    if has_kernels(&logits.device()) {
        return kernels::token_scores(logits, targets, temperature);
    }
    let count = targets.dims()[0];
    let log_all = log_softmax(logits.div_scalar(temperature), 1);
    let log_probabilities = log_all.clone().gather(1, targets.unsqueeze_dim(1));
    let entropies = (log_all.clone().exp() * log_all).sum_dim(1).neg();
    [log_probabilities.reshape([count]), entropies.reshape([count])]
}

/// A number whose gradient by x is `flow`.
pub(super) fn seeded(x: Tensor<3>, flow: Tensor<3>) -> Tensor<1> {
    #[cfg(feature = "gpu")]
    if has_kernels(&x.device()) {
        return kernels::seeded(x, flow);
    }
    (x * flow).sum()
}

/// Squares whose sum is that of the squares of all tensors.
pub(super) fn squares(all: &[Tensor<1>]) -> Tensor<1> {
    #[cfg(feature = "gpu")]
    if let Some(first) = all.first()
        && has_kernels(&first.device())
    {
        return kernels::squares(all);
    }
    Tensor::cat(all.iter().map(|x| x.clone().square().sum()).collect(), 0)
}

#[cfg(test)]
mod tests {
    use burn::nn::RmsNormConfig;

    use super::*;

    #[test]
    fn overflow_is_not_a_number_and_all_else_is_as_it_was() {
        let device = Device::flex();
        let norm = RmsNormConfig::new(2).with_epsilon(1e-6).init(&device);
        let values = |x: Tensor<2>| x.try_into_vec_as::<f32>().expect("readable");
        let normalized = |x| normalized(&norm, x, FloatDType::F32);
        let usual = Tensor::<2>::from_data([[3.0, -4.0], [0.0, 0.0], [1e18, 2.0]], &device);
        assert_eq!(values(normalized(usual.clone())), values(norm.forward(usual)));
        let large = Tensor::<2>::from_data([[1e38, 1.0], [f32::INFINITY, 1.0]], &device);
        // What would be hidden.
        assert_eq!(values(norm.forward(large.clone()))[..2], [0.0, 0.0]);
        assert!(values(normalized(large)).iter().all(|value| value.is_nan()));
    }
}
