//! Residual sums of two types: a unit a vector of values.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty_like, packed, unit_a_value, vectors};

#[cube(launch)]
fn residual_kernel<X: Float, Y: Float, N: Size>(
    x: &Tensor<Vector<X, N>>,
    y: &Tensor<Vector<Y, N>>,
    sum: &mut Tensor<Vector<X, N>>,
    count: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let at = ABSOLUTE_POS;
    if at < count {
        sum[at] = x[at] + Vector::cast_from(y[at]);
    }
}

/// `x + y` in the type of x.
pub(super) fn forward(x: CubeTensor, y: CubeTensor) -> CubeTensor {
    let (x, y) = (packed(x), packed(y));
    let sum = empty_like(&x);
    let (width, count) = vectors(&x, &[&y, &sum]);
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(y.dtype)]);
    residual_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        width,
        x.into_tensor_arg(),
        y.into_tensor_arg(),
        sum.clone().into_tensor_arg(),
        count,
        types,
    );
    sum
}

/// The tensor in another type.
pub(super) fn cast(x: CubeTensor, dtype: DType) -> CubeTensor {
    burn_cubecl::kernel::cast(x, dtype)
}
