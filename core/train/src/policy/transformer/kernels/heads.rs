//! Heads of queries, keys and values: bias added, turned by rotary angles, scaled, and put into head-major order, by one
//! kernel.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::column_sum::column_sum;
use super::launch::{UNITS, elem, empty, packed, rows_and_width, unit_a_value};

/// What is done on the way; without a bias or angles, the tensors in their places are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HeadSteps {
    /// Whether a bias is added.
    pub(crate) biased: bool,
    /// Whether they are turned.
    pub(crate) rotated: bool,
}

/// A unit a value of `[rows, tokens, heads · size]`, which goes to `[rows, heads, tokens, size]`.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn heads_kernel<X: Float>(
    x: &Tensor<X>,
    bias: &Tensor<f32>,
    cosine: &Tensor<f32>,
    sine: &Tensor<f32>,
    y: &mut Tensor<X>,
    scale: f32,
    count: usize,
    tokens: usize,
    heads: usize,
    size: usize,
    placed: usize,
    #[comptime] biased: bool,
    #[comptime] rotated: bool,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let within = at % size;
        let head = at / size % heads;
        let token = at / (size * heads) % tokens;
        let row = at / (size * heads * tokens);
        let column = head * size + within;
        let mut value = f32::cast_from(x[at]);
        if biased {
            value += bias[column];
        }
        if rotated {
            let half = size / 2;
            let other = select(within < half, within + half, within - half);
            let mut turned = f32::cast_from(x[at - within + other]);
            if biased {
                turned += bias[head * size + other];
            }
            let angle = (row % placed * tokens + token) * size + within;
            value = value * cosine[angle] + select(within < half, -turned, turned) * sine[angle];
        }
        y[((row * heads + head) * tokens + token) * size + within] = X::cast_from(value * scale);
    }
}

/// The other way round: a unit a value of the gradient of x.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn heads_backward_kernel<X: Float>(
    flow: &Tensor<X>,
    cosine: &Tensor<f32>,
    sine: &Tensor<f32>,
    dx: &mut Tensor<X>,
    scale: f32,
    count: usize,
    tokens: usize,
    heads: usize,
    size: usize,
    placed: usize,
    #[comptime] rotated: bool,
    #[define(X)] _type: ElemType,
) {
    let at = ABSOLUTE_POS;
    if at < count {
        let within = at % size;
        let head = at / size % heads;
        let token = at / (size * heads) % tokens;
        let row = at / (size * heads * tokens);
        let from = ((row * heads + head) * tokens + token) * size;
        let mut value = f32::cast_from(flow[from + within]);
        if rotated {
            let half = size / 2;
            let other = select(within < half, within + half, within - half);
            let angle = (row % placed * tokens + token) * size;
            let turned = f32::cast_from(flow[from + other]) * sine[angle + other];
            value = value * cosine[angle + within] + select(within < half, turned, -turned);
        }
        dx[at] = X::cast_from(value * scale);
    }
}

/// Heads `[rows, heads, tokens, size]` of `[rows, tokens, heads · size]`; angles are `[rows or 1, 1, tokens, size]`.
pub(super) fn forward(
    x: CubeTensor,
    bias: CubeTensor,
    cosine: CubeTensor,
    sine: CubeTensor,
    size: usize,
    scale: f32,
    steps: HeadSteps,
) -> CubeTensor {
    let (x, bias, cosine, sine) = (packed(x), packed(bias), packed(cosine), packed(sine));
    let [rows, tokens, width] = [0, 1, 2].map(|axis| x.meta.shape()[axis]);
    let placed = cosine.meta.shape()[0];
    let y = empty(&x, [rows, width / size, tokens, size], x.dtype);
    let (client, types, count) = (x.client.clone(), elem(x.dtype), rows * tokens * width);
    heads_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        x.into_tensor_arg(),
        bias.into_tensor_arg(),
        cosine.into_tensor_arg(),
        sine.into_tensor_arg(),
        y.clone().into_tensor_arg(),
        scale,
        count,
        tokens,
        width / size,
        size,
        placed,
        steps.biased,
        steps.rotated,
        types,
    );
    y
}

/// The gradients of x, and of the bias if it is wanted.
///
/// # Formula
/// A turn is undone by the opposite angle: ∂L/∂`x_j` = g_j cos + g_{j + size/2} sin for the first half of a head, and
/// g_j cos − g_{j − size/2} sin for the second; ∂L/∂bias = Σ over tokens ∂L/∂x.
pub(super) fn backward(
    flow: CubeTensor,
    cosine: CubeTensor,
    sine: CubeTensor,
    scale: f32,
    rotated: bool,
    with_bias: bool,
) -> (CubeTensor, Option<CubeTensor>) {
    let (flow, cosine, sine) = (packed(flow), packed(cosine), packed(sine));
    let [rows, heads, tokens, size] = [0, 1, 2, 3].map(|axis| flow.meta.shape()[axis]);
    let placed = cosine.meta.shape()[0];
    let dx = empty(&flow, [rows, tokens, heads * size], flow.dtype);
    let (client, types) = (flow.client.clone(), elem(flow.dtype));
    let (values, width) = rows_and_width(&flow);
    let count = values * width;
    heads_backward_kernel::launch(
        &client,
        unit_a_value(count),
        CubeDim::new_1d(UNITS),
        flow.into_tensor_arg(),
        cosine.into_tensor_arg(),
        sine.into_tensor_arg(),
        dx.clone().into_tensor_arg(),
        scale,
        count,
        tokens,
        heads,
        size,
        placed,
        rotated,
        types,
    );
    let bias = with_bias.then(|| column_sum(dx.clone()));
    (dx, bias)
}
