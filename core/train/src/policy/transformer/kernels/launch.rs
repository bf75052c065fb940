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

/// A cube for each row, of which the last few may have none.
pub(super) fn cube_a_row(rows: usize) -> CubeCount {
    let across = rows.clamp(1, CUBES);
    CubeCount::Static(across as u32, rows.div_ceil(across) as u32, 1)
}

/// A unit for each value, of which the last few may have none.
pub(super) fn unit_a_value(values: usize) -> CubeCount {
    cube_a_row(values.div_ceil(UNITS as usize))
}

/// The sum of a number over the units of a cube; all of them have to take part.
#[cube]
pub(super) fn cube_sum(value: f32) -> f32 {
    let mut parts = Shared::<[f32]>::new_slice(comptime!(UNITS as usize));
    parts[UNIT_POS as usize] = value;
    sync_cube();
    let mut width = comptime!(UNITS / 2).runtime();
    while width > 0 {
        if UNIT_POS < width {
            let other = parts[(UNIT_POS + width) as usize];
            parts[UNIT_POS as usize] += other;
        }
        sync_cube();
        width /= 2;
    }
    let total = parts[0];
    sync_cube();
    total
}

/// The largest of a number over the units of a cube; all of them have to take part.
#[cube]
pub(super) fn cube_max(value: f32) -> f32 {
    let mut parts = Shared::<[f32]>::new_slice(comptime!(UNITS as usize));
    parts[UNIT_POS as usize] = value;
    sync_cube();
    let mut width = comptime!(UNITS / 2).runtime();
    while width > 0 {
        if UNIT_POS < width {
            let other = parts[(UNIT_POS + width) as usize];
            parts[UNIT_POS as usize] = max(parts[UNIT_POS as usize], other);
        }
        sync_cube();
        width /= 2;
    }
    let largest = parts[0];
    sync_cube();
    largest
}
