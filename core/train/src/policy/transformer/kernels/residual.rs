//! Residual sums of two types: a unit a value.

use burn::backend::TensorMetadata as _;
use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty_like, packed, unit_a_value};

#[cube(launch)]
fn residual_kernel<X: Float, Y: Float>(
    x: &Tensor<X>,
    y: &Tensor<Y>,
    sum: &mut Tensor<X>,
    count: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let at = ABSOLUTE_POS;
    if at < count {
        sum[at] = x[at] + X::cast_from(y[at]);
    }
}

/// `x + y` in the type of x.
pub(super) fn forward(x: CubeTensor, y: CubeTensor) -> CubeTensor {
    let (x, y) = (packed(x), packed(y));
    let (sum, count) = (empty_like(&x), x.shape().num_elements());
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(y.dtype)]);
    residual_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
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
