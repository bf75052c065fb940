//! AdamW of one parameter in place, and the sum of squares of its gradient.

use burn::backend::TensorMetadata as _;
use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::prelude::*;

use super::launch::{UNITS, cube_sum, empty, owned, packed, unit_a_value};

/// Cubes that share the squares of a gradient.
const PARTS: usize = 256;

/// The numbers of one step of AdamW.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdamWStep {
    /// What gradients are multiplied by.
    pub(crate) scale: f32,
    /// Decay of the first moment.
    pub(crate) beta_1: f32,
    /// Decay of the second moment.
    pub(crate) beta_2: f32,
    /// Learning rate over 1 − β₁ᵗ.
    pub(crate) rate: f32,
    /// 1 / (1 − β₂ᵗ).
    pub(crate) correction_2: f32,
    /// What the weights are multiplied by: 1 − learning rate · weight decay.
    pub(crate) decay: f32,
    /// Floor of the denominator.
    pub(crate) epsilon: f32,
}

#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and numbers of a kernel")]
fn adamw_kernel(
    weights: &mut Tensor<f32>,
    first: &mut Tensor<f32>,
    second: &mut Tensor<f32>,
    gradient: &Tensor<f32>,
    count: usize,
    scale: f32,
    beta_1: f32,
    beta_2: f32,
    rate: f32,
    correction_2: f32,
    decay: f32,
    epsilon: f32,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let own = gradient[at] * scale;
        let mean = beta_1 * first[at] + (1.0 - beta_1) * own;
        let square = beta_2 * second[at] + (1.0 - beta_2) * own * own;
        first[at] = mean;
        second[at] = square;
        let change = rate * mean / ((square * correction_2).sqrt() + epsilon);
        weights[at] = weights[at] * decay - change;
    }
}

#[cube(launch)]
fn squares_kernel(x: &Tensor<f32>, sums: &mut Tensor<f32>, count: usize) {
    let mut sum = f32::new(0.0);
    let mut at = ABSOLUTE_POS;
    while at < count {
        sum += x[at] * x[at];
        at += CUBE_COUNT * CUBE_DIM as usize;
    }
    let total = cube_sum(sum);
    if UNIT_POS == 0 {
        sums[CUBE_POS] = total;
    }
}

/// One step: the weights and moments after it, in the buffers that they were in if nothing else reads these.
pub(super) fn step(
    weights: CubeTensor,
    first: CubeTensor,
    second: CubeTensor,
    gradient: CubeTensor,
    numbers: AdamWStep,
) -> (CubeTensor, CubeTensor, CubeTensor) {
    let (weights, first, second) = (owned(weights), owned(first), owned(second));
    let gradient = packed(gradient);
    let (client, count) = (weights.client.clone(), weights.shape().num_elements());
    adamw_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        weights.clone().into_tensor_arg(),
        first.clone().into_tensor_arg(),
        second.clone().into_tensor_arg(),
        gradient.into_tensor_arg(),
        count,
        numbers.scale,
        numbers.beta_1,
        numbers.beta_2,
        numbers.rate,
        numbers.correction_2,
        numbers.decay,
        numbers.epsilon,
    );
    (weights, first, second)
}

/// Sums of squares of parts of a tensor, `[parts]`.
pub(super) fn squares(x: CubeTensor) -> CubeTensor {
    let x = packed(x);
    let count = x.shape().num_elements();
    let parts = count.div_ceil(UNITS as usize).clamp(1, PARTS);
    let sums = empty(&x, [parts], DType::F32);
    let client = x.client.clone();
    let cubes = CubeCount::Static(parts as u32, 1, 1);
    let (from, to) = (x.into_tensor_arg(), sums.clone().into_tensor_arg());
    squares_kernel::launch(&client, cubes, CubeDim::new_1d(UNITS), from, to, count);
    sums
}
