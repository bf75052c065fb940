//! Log-probability and entropy of a token under softmax(logits / temperature): a row of logits a cube, forward and
//! backward, without a second array as large as the logits but for their gradient.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{
    UNITS, cube_a_row, cube_max, cube_sum, elem, empty, empty_like, packed, rows_and_width,
    unit_a_value,
};

/// Numbers of a row: log-probability, entropy, and the logarithm of the sum of exponentials.
pub(super) const NUMBERS: usize = 3;

#[cube(launch)]
fn token_scores_kernel<X: Float>(
    logits: &Tensor<X>,
    targets: &Tensor<i32>,
    scores: &mut Tensor<f32>,
    coldness: f32,
    rows: usize,
    width: usize,
    #[define(X)] _type: ElemType,
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let start = row * width;
    let mut largest = f32::new(-3e38);
    let mut at = UNIT_POS as usize;
    while at < width {
        largest = max(largest, f32::cast_from(logits[start + at]) * coldness);
        at += CUBE_DIM as usize;
    }
    let largest = cube_max(largest);
    let mut sum = f32::new(0.0);
    let mut weighed = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < width {
        let below = f32::cast_from(logits[start + at]) * coldness - largest;
        let share = below.exp();
        sum += share;
        weighed += share * below;
        at += CUBE_DIM as usize;
    }
    let sum = cube_sum(sum);
    let weighed = cube_sum(weighed);
    if UNIT_POS == 0 {
        let target = f32::cast_from(logits[start + targets[row] as usize]) * coldness;
        let log_sum = sum.ln();
        scores[row * 3] = target - largest - log_sum;
        scores[row * 3 + 1] = log_sum - weighed / sum;
        scores[row * 3 + 2] = largest + log_sum;
    }
}

#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn token_scores_backward_kernel<X: Float>(
    logits: &Tensor<X>,
    targets: &Tensor<i32>,
    scores: &Tensor<f32>,
    flow: &Tensor<f32>,
    dlogits: &mut Tensor<X>,
    coldness: f32,
    count: usize,
    width: usize,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let row = at / width;
        let log_share = f32::cast_from(logits[at]) * coldness - scores[row * 3 + 2];
        let share = log_share.exp();
        let hit = select(at % width == targets[row] as usize, 1.0f32, 0.0f32);
        let of_probability = flow[row * 3] * (hit - share);
        let of_entropy = flow[row * 3 + 1] * share * (log_share + scores[row * 3 + 1]);
        dlogits[at] = X::cast_from((of_probability - of_entropy) * coldness);
    }
}

/// Scores `[rows, NUMBERS]` of logits `[rows, vocabulary]`; `coldness` is 1 / temperature.
pub(super) fn forward(logits: CubeTensor, targets: CubeTensor, coldness: f32) -> CubeTensor {
    let (logits, targets) = (packed(logits), packed(targets));
    let (rows, width) = rows_and_width(&logits);
    let scores = empty(&logits, [rows, NUMBERS], DType::F32);
    let (client, types) = (logits.client.clone(), elem(logits.dtype));
    token_scores_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        logits.into_tensor_arg(),
        targets.into_tensor_arg(),
        scores.clone().into_tensor_arg(),
        coldness,
        rows,
        width,
        types,
    );
    scores
}

/// The gradient of the logits from those of the scores' first two numbers.
///
/// # Formula
/// With a = ∂L/∂log π, b = ∂L/∂H and c = 1 / temperature: ∂L/∂`z_v` = c (a (1[v = y] − p_v) − b p_v (log p_v + H)).
pub(super) fn backward(
    logits: CubeTensor,
    targets: CubeTensor,
    scores: CubeTensor,
    flow: CubeTensor,
    coldness: f32,
) -> CubeTensor {
    let (logits, targets, flow) = (packed(logits), packed(targets), packed(flow));
    let (rows, width) = rows_and_width(&logits);
    let dlogits = empty_like(&logits);
    let (client, types, count) = (logits.client.clone(), elem(logits.dtype), rows * width);
    token_scores_backward_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        logits.into_tensor_arg(),
        targets.into_tensor_arg(),
        scores.into_tensor_arg(),
        flow.into_tensor_arg(),
        dlogits.clone().into_tensor_arg(),
        coldness,
        count,
        width,
        types,
    );
    dlogits
}
