//! Launch of kernels: buffers, numbers of cubes, types, sums and maxima over a cube.

use burn::backend::TensorMetadata as _;
use burn::tensor::{DType, Shape};
use burn_cubecl::kernel::into_contiguous;
use burn_cubecl::ops::numeric::empty_device_contiguous_dtype;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

/// Units of a cube that has a row to itself. Every adapter of wgpu has cubes of this size.
pub(super) const UNITS: u32 = 256;
/// Cubes along one axis, of which adapters allow at least 65,535.
const CUBES: usize = 1 << 15;

/// The type of values in a kernel.
pub(super) fn elem(dtype: DType) -> ElemType {
    burn::backend::cubecl::dtype_to_elem_type(dtype)
}

/// A buffer of a shape beside another tensor, with nothing in it yet.
pub(super) fn empty(beside: &CubeTensor, shape: impl Into<Shape>, dtype: DType) -> CubeTensor {
    let (client, device) = (beside.client.clone(), beside.device.clone());
    empty_device_contiguous_dtype(client, device, shape.into(), dtype)
}

/// A buffer of the shape and type of another.
pub(super) fn empty_like(tensor: &CubeTensor) -> CubeTensor {
    empty(tensor, tensor.shape(), tensor.dtype)
}

/// The tensor with values in row-major order: the tensor itself, unless it is a view.
pub(super) fn packed(tensor: CubeTensor) -> CubeTensor {
    into_contiguous(tensor)
}

/// The tensor in a buffer that nothing else reads: its own, if that is so already.
pub(super) fn owned(tensor: CubeTensor) -> CubeTensor {
    let tensor = packed(tensor);
    if tensor.is_contiguous_buffer() && tensor.can_mut() { tensor } else { tensor.copy() }
}

/// Number of rows, and values in each, of a tensor whose last axis is a row.
pub(super) fn rows_and_width(tensor: &CubeTensor) -> (usize, usize) {
    let shape = tensor.shape();
    let width = shape[shape.num_dims() - 1];
    (shape.num_elements() / width.max(1), width)
}

/// Values that a unit reads and writes at once: four, if axes are multiples of that and buffers begin at one.
pub(super) fn vector_width(sizes: &[usize], tensors: &[&CubeTensor]) -> usize {
    let begins = tensors.iter().all(|it| it.handle.offset_start.unwrap_or(0).is_multiple_of(16));
    if begins && sizes.iter().all(|size| size.is_multiple_of(4)) { 4 } else { 1 }
}

/// The width of vectors of packed tensors of one shape, and the number of them in each.
pub(super) fn vectors(tensor: &CubeTensor, others: &[&CubeTensor]) -> (usize, usize) {
    let count = tensor.shape().num_elements();
    let width = vector_width(&[count], &[&[tensor], others].concat());
    (width, count / width)
}

/// A cube for each row, of which the last few may have none.
pub(super) fn cube_a_row(rows: usize) -> CubeCount {
    let across = rows.clamp(1, CUBES);
    CubeCount::Static(across as u32, rows.div_ceil(across) as u32, 1)
}

/// A unit for each value, of which the last few may have none.
pub(super) fn unit_a_value(values: usize) -> CubeCount {
    cube_a_row(values.div_ceil(UNITS as usize))
}

/// Units that share a row of some vectors, so that each has about four of them.
pub(super) fn units_a_row(vectors: usize) -> usize {
    vectors.div_ceil(4).next_power_of_two().clamp(8, UNITS as usize)
}

/// The sum of a number over each `units` units that follow each other in a cube, or the largest of them; all units of the
/// cube have to take part.
#[cube]
fn reduced(value: f32, #[comptime] units: usize, #[comptime] is_sum: bool) -> f32 {
    let mut parts = Shared::<[f32]>::new_slice(comptime!(UNITS as usize));
    let unit = UNIT_POS as usize;
    parts[unit] = value;
    sync_cube();
    let mut width = comptime!(units / 2).runtime();
    while width > 0 {
        if unit % units < width {
            let other = parts[unit + width];
            parts[unit] =
                if comptime!(is_sum) { parts[unit] + other } else { max(parts[unit], other) };
        }
        sync_cube();
        width /= 2;
    }
    let result = parts[unit / units * units];
    sync_cube();
    result
}

/// The sum over each `units` units of a cube.
#[cube]
pub(super) fn group_sum(value: f32, #[comptime] units: usize) -> f32 {
    reduced(value, units, true)
}

/// The largest over each `units` units of a cube.
#[cube]
pub(super) fn group_max(value: f32, #[comptime] units: usize) -> f32 {
    reduced(value, units, false)
}

/// The sum over the units of a cube.
#[cube]
pub(super) fn cube_sum(value: f32) -> f32 {
    reduced(value, comptime!(UNITS as usize), true)
}

/// The largest over the units of a cube.
#[cube]
pub(super) fn cube_max(value: f32) -> f32 {
    reduced(value, comptime!(UNITS as usize), false)
}
