//! Sums of columns: gradients of what every row of a batch shares.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty, packed, rows_and_width};

/// Rows that a unit adds up: fewer are more units at once, more are fewer passes.
const CHUNK: usize = 64;

/// A unit a column and chunk of rows; units beside each other read values beside each other.
#[cube(launch)]
fn column_sum_kernel<X: Float>(
    x: &Tensor<X>,
    sums: &mut Tensor<f32>,
    rows: usize,
    width: usize,
    chunk: usize,
    #[define(X)] _type: ElemType,
) {
    let column = (CUBE_POS_X * CUBE_DIM + UNIT_POS) as usize;
    if column < width {
        let first = CUBE_POS_Y as usize * chunk;
        let mut sum = f32::new(0.0);
        for step in 0..chunk {
            if first + step < rows {
                sum += f32::cast_from(x[(first + step) * width + column]);
            }
        }
        sums[CUBE_POS_Y as usize * width + column] = sum;
    }
}

/// The sum of each column of `[.., width]`, `[width]` in single precision.
///
/// Chunks of rows are added first, then their sums: always in the same order.
pub(super) fn column_sum(x: CubeTensor) -> CubeTensor {
    let mut x = packed(x);
    loop {
        let (rows, width) = rows_and_width(&x);
        let chunks = rows.div_ceil(CHUNK).max(1);
        let shape = if chunks == 1 { vec![width] } else { vec![chunks, width] };
        let sums = empty(&x, shape, DType::F32);
        let cubes = CubeCount::Static(width.div_ceil(UNITS as usize) as u32, chunks as u32, 1);
        let (client, types) = (x.client.clone(), elem(x.dtype));
        let (from, to) = (x.into_tensor_arg(), sums.clone().into_tensor_arg());
        let units = CubeDim::new_1d(UNITS);
        column_sum_kernel::launch(&client, cubes, units, from, to, rows, width, CHUNK, types);
        if chunks == 1 {
            return sums;
        }
        x = sums;
    }
}
