//! AdamW of one parameter in place, and the sum of squares of its gradient.

use burn_cubecl::tensor::CubeTensor;
use cubecl::prelude::*;

use super::launch::{UNITS, cube_sum, owned, packed, unit_a_value, vectors};

/// Cubes that share the squares of a gradient.
pub(super) const PARTS: usize = 1024;

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
fn adamw_kernel<N: Size>(
    weights: &mut Tensor<Vector<f32, N>>,
    first: &mut Tensor<Vector<f32, N>>,
    second: &mut Tensor<Vector<f32, N>>,
    gradient: &Tensor<Vector<f32, N>>,
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
        let own = gradient[at] * Vector::new(scale);
        let mean = Vector::new(beta_1) * first[at] + Vector::new(1.0 - beta_1) * own;
        let square = Vector::new(beta_2) * second[at] + Vector::new(1.0 - beta_2) * own * own;
        first[at] = mean;
        second[at] = square;
        let spread = (square * Vector::new(correction_2)).sqrt() + Vector::new(epsilon);
        weights[at] = weights[at] * Vector::new(decay) - Vector::new(rate) * mean / spread;
    }
}

#[cube(launch)]
fn squares_kernel<N: Size>(
    x: &Tensor<Vector<f32, N>>,
    sums: &mut Tensor<f32>,
    count: usize,
    start: usize,
) {
    let mut sum = Vector::<f32, N>::new(0.0);
    let mut at = ABSOLUTE_POS;
    while at < count {
        sum += x[at] * x[at];
        at += CUBE_COUNT * CUBE_DIM as usize;
    }
    let total = cube_sum(sum.vector_sum());
    if UNIT_POS == 0 {
        sums[start + CUBE_POS] = total;
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
    let (width, count) = vectors(&weights, &[&first, &second, &gradient]);
    let client = weights.client.clone();
    adamw_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        width,
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

/// `sums` `[tensors, PARTS]` with the sums of squares of parts of a tensor in one row.
pub(super) fn squares(x: CubeTensor, sums: CubeTensor, row: usize) -> CubeTensor {
    let (x, sums) = (packed(x), owned(sums));
    let (width, count) = vectors(&x, &[]);
    let parts = count.div_ceil(UNITS as usize).clamp(1, PARTS);
    let client = x.client.clone();
    let cubes = CubeCount::Static(parts as u32, 1, 1);
    let (units, from, to) = (CubeDim::new_1d(UNITS), x.into_tensor_arg(), sums.clone());
    squares_kernel::launch(
        &client,
        cubes,
        units,
        width,
        from,
        to.into_tensor_arg(),
        count,
        row * PARTS,
    );
    sums
}
