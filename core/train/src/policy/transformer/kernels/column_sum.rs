//! Sums of columns: gradients of what every row of a batch shares.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty, packed, rows_and_width, vector_width};

/// Rows that a unit adds up when there is no other pass.
const CHUNK: usize = 128;

/// A unit a vector of columns and chunk of rows; units beside each other read values beside each other.
#[cube(launch)]
fn column_sum_kernel<X: Float, N: Size>(
    x: &Tensor<Vector<X, N>>,
    sums: &mut Tensor<Vector<f32, N>>,
    rows: usize,
    vectors: usize,
    chunk: usize,
    #[define(X)] _type: ElemType,
) {
    let column = (CUBE_POS_X * CUBE_DIM + UNIT_POS) as usize;
    if column < vectors {
        let first = CUBE_POS_Y as usize * chunk;
        let mut sum = Vector::<f32, N>::new(0.0);
        for row in first..min(first + chunk, rows) {
            sum += Vector::cast_from(x[row * vectors + column]);
        }
        sums[CUBE_POS_Y as usize * vectors + column] = sum;
    }
}

/// The sum of each column of `[.., width]`, `[width]` in single precision.
///
/// Chunks of rows are added first, then their sums: always in the same order.
pub(super) fn column_sum(x: CubeTensor) -> CubeTensor {
    let mut x = packed(x);
    loop {
        let (rows, width) = rows_and_width(&x);
        let chunk = if rows <= CHUNK { rows.max(1) } else { rows.isqrt() };
        let chunks = rows.div_ceil(chunk).max(1);
        let shape = if chunks == 1 { vec![width] } else { vec![chunks, width] };
        let sums = empty(&x, shape, DType::F32);
        let vector = vector_width(&[width], &[&x, &sums]);
        let across = (width / vector).div_ceil(UNITS as usize);
        let cubes = CubeCount::Static(across as u32, chunks as u32, 1);
        let (client, types, vectors) = (x.client.clone(), elem(x.dtype), width / vector);
        let (from, to) = (x.into_tensor_arg(), sums.clone().into_tensor_arg());
        let units = CubeDim::new_1d(UNITS);
        column_sum_kernel::launch(
            &client, cubes, units, vector, from, to, rows, vectors, chunk, types,
        );
        if chunks == 1 {
            return sums;
        }
        x = sums;
    }
}
