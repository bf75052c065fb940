//! RMS norm: a row a cube, forward and backward.

use burn::backend::TensorMetadata as _;
use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::column_sum::column_sum;
use super::launch::{UNITS, cube_a_row, cube_sum, elem, empty, packed, rows_and_width};

/// What a row is multiplied by: 1 / rms, or if the mean square is beyond single precision so much that the row is, too.
#[cube]
fn scale_of(squares: f32, width: usize, epsilon: f32) -> f32 {
    let mean = squares / width as f32;
    select(mean < f32::new(3e38), 1.0 / (mean + epsilon).sqrt(), f32::new(3e38))
}

#[cube(launch)]
fn rms_norm_kernel<X: Float, Y: Float>(
    x: &Tensor<X>,
    gamma: &Tensor<f32>,
    y: &mut Tensor<Y>,
    rows: usize,
    width: usize,
    epsilon: f32,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let start = row * width;
    let mut squares = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < width {
        let value = f32::cast_from(x[start + at]);
        squares += value * value;
        at += CUBE_DIM as usize;
    }
    let scale = scale_of(cube_sum(squares), width, epsilon);
    let mut at = UNIT_POS as usize;
    while at < width {
        y[start + at] = Y::cast_from(f32::cast_from(x[start + at]) * scale * gamma[at]);
        at += CUBE_DIM as usize;
    }
}

/// dx, and in `shares` each row's part in the gradient of gamma.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn rms_norm_backward_kernel<X: Float, Y: Float>(
    x: &Tensor<X>,
    gamma: &Tensor<f32>,
    flow: &Tensor<Y>,
    dx: &mut Tensor<X>,
    shares: &mut Tensor<f32>,
    rows: usize,
    width: usize,
    epsilon: f32,
    #[comptime] with_shares: bool,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let start = row * width;
    let mut squares = f32::new(0.0);
    let mut products = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < width {
        let value = f32::cast_from(x[start + at]);
        squares += value * value;
        products += value * f32::cast_from(flow[start + at]) * gamma[at];
        at += CUBE_DIM as usize;
    }
    let scale = scale_of(cube_sum(squares), width, epsilon);
    let common = cube_sum(products) * scale * scale / width as f32;
    let mut at = UNIT_POS as usize;
    while at < width {
        let value = f32::cast_from(x[start + at]);
        let own = f32::cast_from(flow[start + at]);
        dx[start + at] = X::cast_from((own * gamma[at] - value * common) * scale);
        if with_shares {
            shares[start + at] = own * value * scale;
        }
        at += CUBE_DIM as usize;
    }
}

#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn residual_norm_kernel<Y: Float, Z: Float>(
    x: &Tensor<f32>,
    y: &Tensor<Y>,
    gamma: &Tensor<f32>,
    sum: &mut Tensor<f32>,
    normed: &mut Tensor<Z>,
    rows: usize,
    width: usize,
    epsilon: f32,
    #[define(Y, Z)] _types: [ElemType; 2],
) {
    let row = CUBE_POS;
    if row >= rows {
        terminate!();
    }
    let start = row * width;
    let mut squares = f32::new(0.0);
    let mut at = UNIT_POS as usize;
    while at < width {
        let value = x[start + at] + f32::cast_from(y[start + at]);
        sum[start + at] = value;
        squares += value * value;
        at += CUBE_DIM as usize;
    }
    let scale = scale_of(cube_sum(squares), width, epsilon);
    let mut at = UNIT_POS as usize;
    while at < width {
        normed[start + at] = Z::cast_from(sum[start + at] * scale * gamma[at]);
        at += CUBE_DIM as usize;
    }
}

/// `x / rms(x) · γ` of each row, in a type of its own.
pub(super) fn forward(x: CubeTensor, gamma: CubeTensor, epsilon: f32, dtype: DType) -> CubeTensor {
    let (x, gamma) = (packed(x), packed(gamma));
    let (rows, width) = rows_and_width(&x);
    let y = empty(&x, x.shape(), dtype);
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(dtype)]);
    rms_norm_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        x.into_tensor_arg(),
        gamma.into_tensor_arg(),
        y.clone().into_tensor_arg(),
        rows,
        width,
        epsilon,
        types,
    );
    y
}

/// `x + y` in single precision, and its norm.
pub(super) fn residual(
    x: CubeTensor,
    y: CubeTensor,
    gamma: CubeTensor,
    epsilon: f32,
    dtype: DType,
) -> (CubeTensor, CubeTensor) {
    let (x, y, gamma) = (packed(x), packed(y), packed(gamma));
    let (rows, width) = rows_and_width(&x);
    let (sum, normed) = (empty(&x, x.shape(), DType::F32), empty(&x, x.shape(), dtype));
    let (client, types) = (x.client.clone(), [elem(y.dtype), elem(dtype)]);
    residual_norm_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        x.into_tensor_arg(),
        y.into_tensor_arg(),
        gamma.into_tensor_arg(),
        sum.clone().into_tensor_arg(),
        normed.clone().into_tensor_arg(),
        rows,
        width,
        epsilon,
        types,
    );
    (sum, normed)
}

/// The gradients of x, and of γ if it is wanted, from that of the result.
///
/// # Formula
/// With r = 1 / rms(x) and g = ∂L/∂y: ∂L/∂x = r (g γ − x r² · mean(g γ x)); ∂L/∂γ = Σ over rows g x r.
pub(super) fn backward(
    x: CubeTensor,
    gamma: CubeTensor,
    flow: CubeTensor,
    epsilon: f32,
    with_gamma: bool,
) -> (CubeTensor, Option<CubeTensor>) {
    let (x, gamma, flow) = (packed(x), packed(gamma), packed(flow));
    let (rows, width) = rows_and_width(&x);
    let dx = empty(&x, x.shape(), x.dtype);
    let shares = empty(&x, if with_gamma { x.shape() } else { [1].into() }, DType::F32);
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(flow.dtype)]);
    rms_norm_backward_kernel::launch(
        &client,
        cube_a_row(rows),
        CubeDim::new_1d(UNITS),
        x.into_tensor_arg(),
        gamma.into_tensor_arg(),
        flow.into_tensor_arg(),
        dx.clone().into_tensor_arg(),
        shares.clone().into_tensor_arg(),
        rows,
        width,
        epsilon,
        with_gamma,
        types,
    );
    (dx, with_gamma.then(|| column_sum(shares)))
}
