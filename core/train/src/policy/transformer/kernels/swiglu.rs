//! SwiGLU's product of gate and up: a unit a vector of values, forward and backward.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty_like, packed, unit_a_value, vectors};

/// 1 / (1 + e⁻ˣ).
#[cube]
pub(super) fn sigmoid<N: Size>(x: Vector<f32, N>) -> Vector<f32, N> {
    let one = Vector::<f32, N>::new(1.0);
    one / (one + (-x).exp())
}

#[cube(launch)]
fn swiglu_kernel<X: Float, N: Size>(
    gate: &Tensor<Vector<X, N>>,
    up: &Tensor<Vector<X, N>>,
    y: &mut Tensor<Vector<X, N>>,
    count: usize,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let g = Vector::<f32, N>::cast_from(gate[at]);
        y[at] = Vector::cast_from(g * sigmoid::<N>(g) * Vector::cast_from(up[at]));
    }
}

#[cube(launch)]
fn swiglu_backward_kernel<X: Float, N: Size>(
    gate: &Tensor<Vector<X, N>>,
    up: &Tensor<Vector<X, N>>,
    flow: &Tensor<Vector<X, N>>,
    dgate: &mut Tensor<Vector<X, N>>,
    dup: &mut Tensor<Vector<X, N>>,
    count: usize,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let g = Vector::<f32, N>::cast_from(gate[at]);
        let own = Vector::<f32, N>::cast_from(flow[at]);
        let u = Vector::<f32, N>::cast_from(up[at]);
        let s = sigmoid::<N>(g);
        let one = Vector::<f32, N>::new(1.0);
        dgate[at] = Vector::cast_from(own * u * s * (one + g * (one - s)));
        dup[at] = Vector::cast_from(own * g * s);
    }
}

/// `silu(gate) · up`.
pub(super) fn forward(gate: CubeTensor, up: CubeTensor) -> CubeTensor {
    let (gate, up) = (packed(gate), packed(up));
    let y = empty_like(&gate);
    let (width, count) = vectors(&gate, &[&up, &y]);
    let (client, types) = (gate.client.clone(), elem(gate.dtype));
    swiglu_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        width,
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
    let (dgate, dup) = (empty_like(&gate), empty_like(&gate));
    let (width, count) = vectors(&gate, &[&up, &flow, &dgate, &dup]);
    let (client, types) = (gate.client.clone(), elem(gate.dtype));
    swiglu_backward_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        width,
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
