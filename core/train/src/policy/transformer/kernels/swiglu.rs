//! SwiGLU's product of gate and up: a unit a value, forward and backward.

use burn::backend::TensorMetadata as _;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty_like, packed, unit_a_value};

#[cube]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cube(launch)]
fn swiglu_kernel<X: Float>(
    gate: &Tensor<X>,
    up: &Tensor<X>,
    y: &mut Tensor<X>,
    count: usize,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let g = f32::cast_from(gate[at]);
        y[at] = X::cast_from(g * sigmoid(g) * f32::cast_from(up[at]));
    }
}

#[cube(launch)]
fn swiglu_backward_kernel<X: Float>(
    gate: &Tensor<X>,
    up: &Tensor<X>,
    flow: &Tensor<X>,
    dgate: &mut Tensor<X>,
    dup: &mut Tensor<X>,
    count: usize,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let g = f32::cast_from(gate[at]);
        let own = f32::cast_from(flow[at]);
        let s = sigmoid(g);
        dgate[at] = X::cast_from(own * f32::cast_from(up[at]) * s * (1.0 + g * (1.0 - s)));
        dup[at] = X::cast_from(own * g * s);
    }
}

/// `silu(gate) · up`.
pub(super) fn forward(gate: CubeTensor, up: CubeTensor) -> CubeTensor {
    let (gate, up) = (packed(gate), packed(up));
    let (y, count) = (empty_like(&gate), gate.shape().num_elements());
    let (client, types) = (gate.client.clone(), elem(gate.dtype));
    swiglu_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        gate.into_tensor_arg(),
        up.into_tensor_arg(),
        y.clone().into_tensor_arg(),
        count,
        types,
    );
    y
}

/// The gradients of gate and up from that of the result.
///
/// # Formula
/// With s = σ(gate) and g = ∂L/∂y: ∂L/∂gate = g · up · s (1 + gate (1 − s)); ∂L/∂up = g · gate · s.
pub(super) fn backward(
    gate: CubeTensor,
    up: CubeTensor,
    flow: CubeTensor,
) -> (CubeTensor, CubeTensor) {
    let (gate, up, flow) = (packed(gate), packed(up), packed(flow));
    let (dgate, dup, count) = (empty_like(&gate), empty_like(&gate), gate.shape().num_elements());
    let (client, types) = (gate.client.clone(), elem(gate.dtype));
    swiglu_backward_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        gate.into_tensor_arg(),
        up.into_tensor_arg(),
        flow.into_tensor_arg(),
        dgate.clone().into_tensor_arg(),
        dup.clone().into_tensor_arg(),
        count,
        types,
    );
    (dgate, dup)
}
