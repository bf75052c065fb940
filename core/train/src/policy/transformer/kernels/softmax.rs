//! Softmax of attention's scores, each row over what its token may look at: some units a row, forward and
//! backward.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{
    UNITS, elem, empty_like, group_max, group_sum, packed, rows_and_width, unit_a_value,
    units_a_row, vector_width,
};

/// Units beyond the last row compute that row, too.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn softmax_kernel<X: Float, N: Size>(
    scores: &Tensor<Vector<X, N>>,
    last: &Tensor<i32>,
    shares: &mut Tensor<Vector<X, N>>,
    rows: usize,
    vectors: usize,
    tokens: usize,
    rows_of_one: usize,
    placed: usize,
    #[comptime] units: usize,
    #[comptime] width: usize,
    #[define(X)] _type: ElemType,
) {
    let lane = UNIT_POS as usize % units;
    let row = min(ABSOLUTE_POS / units, rows - 1);
    let place = (row / rows_of_one) % placed * tokens + row % tokens;
    let seen = last[place] as usize + 1;
    let start = row * vectors;
    let mut largest = f32::new(-3e38);
    let mut at = lane;
    while at < vectors && at * width < seen {
        let values = Vector::<f32, N>::cast_from(scores[start + at]);
        #[unroll]
        for part in 0..width {
            let value = select(at * width + part < seen, values.extract(part), f32::new(-3e38));
            largest = max(largest, value);
        }
        at += units;
    }
    let largest = group_max(largest, units);
    let mut sum = f32::new(0.0);
    let mut at = lane;
    while at < vectors && at * width < seen {
        let values = Vector::<f32, N>::cast_from(scores[start + at]);
        #[unroll]
        for part in 0..width {
            let share = (values.extract(part) - largest).exp();
            sum += select(at * width + part < seen, share, f32::new(0.0));
        }
        at += units;
    }
    let share = 1.0 / group_sum(sum, units);
    let mut at = lane;
    while at < vectors {
        let values = Vector::<f32, N>::cast_from(scores[start + at]);
        let mut found = Vector::<f32, N>::new(0.0);
        #[unroll]
        for part in 0..width {
            let own = (values.extract(part) - largest).exp() * share;
            found.insert(part, select(at * width + part < seen, own, f32::new(0.0)));
        }
        shares[start + at] = Vector::cast_from(found);
        at += units;
    }
}

#[cube(launch)]
fn softmax_backward_kernel<X: Float, N: Size>(
    shares: &Tensor<Vector<X, N>>,
    flow: &Tensor<Vector<X, N>>,
    dscores: &mut Tensor<Vector<X, N>>,
    rows: usize,
    vectors: usize,
    #[comptime] units: usize,
    #[define(X)] _type: ElemType,
) {
    let lane = UNIT_POS as usize % units;
    let row = min(ABSOLUTE_POS / units, rows - 1);
    let start = row * vectors;
    let mut products = Vector::<f32, N>::new(0.0);
    let mut at = lane;
    while at < vectors {
        let share = Vector::<f32, N>::cast_from(shares[start + at]);
        products += share * Vector::cast_from(flow[start + at]);
        at += units;
    }
    let common = Vector::<f32, N>::new(group_sum(products.vector_sum(), units));
    let mut at = lane;
    while at < vectors {
        let share = Vector::<f32, N>::cast_from(shares[start + at]);
        let own = Vector::<f32, N>::cast_from(flow[start + at]);
        dscores[start + at] = Vector::cast_from(share * (own - common));
        at += units;
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
    let vector = vector_width(&[width], &[&scores, &shares]);
    let units = units_a_row(width / vector);
    let (client, types) = (scores.client.clone(), elem(scores.dtype));
    softmax_kernel::launch(
        &client,
        unit_a_value(rows * units),
        CubeDim::new_1d(UNITS),
        vector,
        scores.into_tensor_arg(),
        last.into_tensor_arg(),
        shares.clone().into_tensor_arg(),
        rows,
        width / vector,
        tokens,
        rows_of_one,
        placed,
        units,
        vector,
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
    let vector = vector_width(&[width], &[&shares, &flow, &dscores]);
    let units = units_a_row(width / vector);
    let (client, types) = (shares.client.clone(), elem(shares.dtype));
    softmax_backward_kernel::launch(
        &client,
        unit_a_value(rows * units),
        CubeDim::new_1d(UNITS),
        vector,
        shares.into_tensor_arg(),
        flow.into_tensor_arg(),
        dscores.clone().into_tensor_arg(),
        rows,
        width / vector,
        units,
        types,
    );
    dscores
}
