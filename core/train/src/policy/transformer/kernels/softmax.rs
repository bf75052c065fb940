//! Softmax of attention's scores, each row over what its token may look at: a row a cube, forward and backward.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{
    UNITS, cube_a_row, cube_max, cube_sum, elem, empty_like, packed, rows_and_width,
};

#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn softmax_kernel<X: Float>(
    scores: &Tensor<X>,
    last: &Tensor<i32>,
    shares: &mut Tensor<X>,
    rows: usize,
    width: usize,
    tokens: usize,
    rows_of_one: usize,
    placed: usize,
    #[define(X)] _type: ElemType,
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let place = (row / rows_of_one) % placed * tokens + row % tokens;
    let seen = last[place] as usize + 1;
    let start = row * width;
    let mut largest = f32::new(-3e38);
    let mut at = UNIT_POS as usize;
    while at < seen {
        largest = max(largest, f32::cast_from(scores[start + at]));
        at += CUBE_DIM as usize;
    }
    let largest = cube_max(largest);
    let mut sum = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < seen {
        sum += (f32::cast_from(scores[start + at]) - largest).exp();
        at += CUBE_DIM as usize;
    }
    let share = 1.0 / cube_sum(sum);
    let mut at = UNIT_POS as usize;
    while at < width {
        let mut found = f32::new(0.0);
        if at < seen {
            found = (f32::cast_from(scores[start + at]) - largest).exp() * share;
        }
        shares[start + at] = X::cast_from(found);
        at += CUBE_DIM as usize;
    }
}

#[cube(launch)]
fn softmax_backward_kernel<X: Float>(
    shares: &Tensor<X>,
    flow: &Tensor<X>,
    dscores: &mut Tensor<X>,
    rows: usize,
    width: usize,
    #[define(X)] _type: ElemType,
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let start = row * width;
    let mut products = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < width {
        products += f32::cast_from(shares[start + at]) * f32::cast_from(flow[start + at]);
        at += CUBE_DIM as usize;
    }
    let common = cube_sum(products);
    let mut at = UNIT_POS as usize;
    while at < width {
        let share = f32::cast_from(shares[start + at]);
        let own = f32::cast_from(flow[start + at]);
        dscores[start + at] = X::cast_from(share * (own - common));
        at += CUBE_DIM as usize;
    }
}

/// The softmax of scores `[rows, heads, group · tokens, seen]`, of which a token looks at those up to its
/// last, `[rows or 1, tokens]`.
pub(super) fn forward(scores: CubeTensor, last: CubeTensor) -> CubeTensor {
    let (scores, last) = (packed(scores), packed(last));
    let (rows, width) = rows_and_width(&scores);
    let (placed, tokens) = rows_and_width(&last);
    let rows_of_one = rows / scores.meta.shape()[0].max(1);
    let shares = empty_like(&scores);
    let (client, types) = (scores.client.clone(), elem(scores.dtype));
    softmax_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        scores.into_tensor_arg(),
        last.into_tensor_arg(),
        shares.clone().into_tensor_arg(),
        rows,
        width,
        tokens,
        rows_of_one,
        placed,
        types,
    );
    shares
}

/// The gradient of the scores from the shares and theirs.
///
/// # Formula
/// ∂L/∂s = p (g − Σ p g), p the shares and g = ∂L/∂p.
pub(super) fn backward(shares: CubeTensor, flow: CubeTensor) -> CubeTensor {
    let (shares, flow) = (packed(shares), packed(flow));
    let (rows, width) = rows_and_width(&shares);
    let dscores = empty_like(&shares);
    let (client, types) = (shares.client.clone(), elem(shares.dtype));
    softmax_backward_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        shares.into_tensor_arg(),
        flow.into_tensor_arg(),
        dscores.clone().into_tensor_arg(),
        rows,
        width,
        types,
    );
    dscores
}
