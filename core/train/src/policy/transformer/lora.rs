//! LoRA: a linear layer that a low-rank adapter can be put beside.

use burn::module::{Module, Param};
use burn::nn::{Initializer, Linear, LinearConfig};
use burn::tensor::{Device, FloatDType, Tensor, TensorData};
use hgpo_env::random::Stream;

#[cfg(feature = "gpu")]
use super::kernels::tensors as kernels;
use super::operations::{between, has_kernels, product, swiglu};
use crate::config::{LoraConfig, Precision};

/// Adds a product of two thin matrices to a linear layer (LoRA, Hu et al. 2022).
#[derive(Module, Debug)]
pub struct LoraAdapter {
    /// `[input, rank]`.
    down: Param<Tensor<2>>,
    /// `[rank, output]`.
    up: Param<Tensor<2>>,
    scale: f64,
}

/// x W + b, and with an adapter + (alpha / rank · x A) B.
///
/// If its precision is not single, x W + b is computed in it from rounded x, W and b, whatever
/// precision W is held in; x and the result are single.
#[derive(Module, Debug)]
pub struct AdaptableLinear {
    weight: Param<Tensor<2>>,
    bias: Option<Param<Tensor<1>>>,
    pub(super) adapter: Option<LoraAdapter>,
    #[module(skip)]
    pub(super) precision: Precision,
}

impl Precision {
    /// The type of tensors.
    #[must_use]
    pub fn dtype(self) -> FloatDType {
        match self {
            Self::F32 => FloatDType::F32,
            Self::F16 => FloatDType::F16,
            Self::BF16 => FloatDType::BF16,
        }
    }
}

impl AdaptableLinear {
    /// A layer of zeros, until [`super::weights`] sets it: random numbers would be thrown away.
    pub(super) fn new(input: usize, output: usize, bias: bool, device: &Device) -> Self {
        let Linear { weight, bias } = LinearConfig::new(input, output)
            .with_bias(bias)
            .with_initializer(Initializer::Zeros)
            .init(device);
        Self { weight, bias, adapter: None, precision: Precision::F32 }
    }

    pub(super) fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        if has_kernels(&x.device()) {
            let (y, bias) = self.forward_without_bias(x);
            let dtype = y.dtype();
            return bias.map_or(y.clone(), |bias| y + bias.cast(dtype).unsqueeze());
        }
        let dtype = self.precision.dtype();
        let bias = self.bias.as_ref().map(|bias| bias.val().cast(dtype));
        let change = self.adapter.as_ref().map(|adapter| adapter.forward(x.clone()));
        let y = burn::tensor::module::linear(x.cast(dtype), self.weight.val().cast(dtype), bias);
        let y = y.cast(FloatDType::F32);
        match change {
            Some(change) => y + change,
            None => y,
        }
    }

    /// What the layer makes of x without its bias, and the bias if that is left to be added. On a graphics adapter all
    /// products are computed in the layer's precision, those of the adapter, too.
    pub(super) fn forward_without_bias(&self, x: Tensor<3>) -> (Tensor<3>, Option<Tensor<1>>) {
        if !has_kernels(&x.device()) {
            return (self.forward(x), None);
        }
        let (dtype, held) = (self.precision.dtype(), between(self.precision, &x.device()));
        let [rows, tokens, input] = x.dims();
        let x = x.reshape([rows * tokens, input]);
        let change = self.adapter.as_ref().map(|LoraAdapter { down, up, scale }| {
            let up = up.val().mul_scalar(*scale);
            product(product(x.clone(), down.val(), dtype), up, dtype)
        });
        let y = product(x, self.weight.val(), dtype);
        let y = change.map_or(y.clone(), |change| y + change).cast(held);
        let output = y.dims()[1];
        (y.reshape([rows, tokens, output]), self.bias.as_ref().map(Param::val))
    }

    /// What three layers make of x without their biases, and those.
    #[cfg(feature = "gpu")]
    pub(super) fn three(
        layers: [&Self; 3],
        x: Tensor<3>,
    ) -> ([Tensor<3>; 3], [Option<Tensor<1>>; 3]) {
        if !layers.iter().all(|layer| layer.is_plain(&x)) {
            let made = layers.map(|layer| layer.forward_without_bias(x.clone()));
            let biases = [0, 1, 2].map(|at| made[at].1.clone());
            return (made.map(|(y, _)| y), biases);
        }
        let ([rows, tokens, input], dtype) = (x.dims(), layers[0].precision.dtype());
        let weights = layers.map(|layer| layer.weight.val());
        let y = kernels::three(x.reshape([rows * tokens, input]), weights, dtype);
        let biases = layers.map(|layer| layer.bias.as_ref().map(Param::val));
        (y.map(|y| y.reshape([rows as isize, tokens as isize, -1])), biases)
    }

    /// `silu(gate x) · up x`.
    pub(super) fn gated(gate: &Self, up: &Self, x: Tensor<3>) -> Tensor<3> {
        #[cfg(feature = "gpu")]
        if [gate, up].iter().all(|it| it.is_plain(&x) && it.bias.is_none()) {
            let [rows, tokens, input] = x.dims();
            let weights = [gate, up].map(|it| it.weight.val());
            let x = x.reshape([rows * tokens, input]);
            let y = kernels::gated(x, weights, gate.precision.dtype());
            return y.reshape([rows as isize, tokens as isize, -1]);
        }
        swiglu(gate.forward(x.clone()), up.forward(x))
    }

    /// Whether all that it does to x is one product by a kernel, without a graph.
    #[cfg(feature = "gpu")]
    fn is_plain(&self, x: &Tensor<3>) -> bool {
        let device = x.device();
        let is_held = between(self.precision, &device) == self.precision.dtype();
        has_kernels(&device) && !device.is_autodiff() && self.adapter.is_none() && is_held
    }

    /// Holds the weights in the precision that they are used in.
    pub(super) fn hold(&mut self) {
        let dtype = self.precision.dtype();
        self.weight = self.weight.clone().map(|weight| weight.cast(dtype));
    }

    /// Puts an adapter beside the layer. It changes nothing yet: A is drawn uniformly from
    /// ±1/√input, B is 0 (as in PEFT).
    pub(super) fn adapt(&mut self, config: &LoraConfig, stream: &mut Stream) {
        let device = self.weight.val().device();
        let [input, output] = self.weight.val().dims();
        let bound = 1.0 / (input as f64).sqrt();
        let drawn: Vec<f32> = (0..input * config.rank)
            .map(|_| ((2.0 * stream.uniform() - 1.0) * bound) as f32)
            .collect();
        let down = Tensor::from_data(TensorData::new(drawn, [input, config.rank]), &device);
        self.adapter = Some(LoraAdapter {
            down: Param::from_tensor(down),
            up: Param::from_tensor(Tensor::zeros([config.rank, output], &device)),
            scale: config.alpha / config.rank as f64,
        });
    }

    /// Adds the adapter's product to the weights, and takes it away.
    pub(super) fn merge(&mut self) {
        if let Some(LoraAdapter { down, up, scale }) = self.adapter.take() {
            let product = down.val().matmul(up.val()).mul_scalar(scale);
            self.weight = self.weight.clone().map(|weight| {
                let held = weight.dtype();
                (weight.cast(FloatDType::F32) + product).cast(held)
            });
        }
    }
}

impl LoraAdapter {
    fn forward(&self, x: Tensor<3>) -> Tensor<3> {
        let linear =
            |x, weight: &Param<Tensor<2>>| burn::tensor::module::linear::<3>(x, weight.val(), None);
        linear(linear(x, &self.down).mul_scalar(self.scale), &self.up)
    }
}
