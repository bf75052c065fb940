//! Chosen rows of a matrix, such as the vectors of tokens; backward, the gradients of a row that was chosen several times
//! are added in the order of the choices.

use burn::backend::TensorMetadata as _;
use burn::backend::ops::FloatTensorOps as _;
use burn_cubecl::CubeBackend;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, cube_a_row, cube_max, elem, packed, rows_and_width, vector_width};

/// A cube a choice: the first of a row adds up the gradients of all, in the order of the choices.
#[cube(launch)]
fn rows_backward_kernel<X: Float, N: Size>(
    flow: &Tensor<Vector<X, N>>,
    chosen: &Tensor<i32>,
    dx: &mut Tensor<Vector<X, N>>,
    count: usize,
    vectors: usize,
    #[define(X)] _type: ElemType,
) {
    let own = CUBE_POS;
    if own >= count {
        terminate!();
    }
    let tile_size = comptime!(UNITS as usize);
    let mut others = Shared::<[i32]>::new_slice(tile_size);
    let unit = UNIT_POS as usize;
    let row = chosen[own];
    let mut is_first = true;
    let mut tile = 0usize;
    while tile < count {
        let at = tile + unit;
        let other = chosen[min(at, count - 1)];
        let is_same = at < count && other == row;
        others[unit] = other;
        let before = cube_max(select(is_same && at < own, f32::new(1.0), f32::new(0.0)));
        is_first = is_first && before < 0.5;
        let found = cube_max(select(is_same, f32::new(1.0), f32::new(0.0)));
        if is_first && found > 0.5 {
            let mut column = unit;
            while column < vectors {
                let place = row as usize * vectors + column;
                let mut sum = Vector::<f32, N>::cast_from(dx[place]);
                for step in 0..min(tile_size, count - tile) {
                    if others[step] == row {
                        sum += Vector::cast_from(flow[(tile + step) * vectors + column]);
                    }
                }
                dx[place] = Vector::cast_from(sum);
                column += tile_size;
            }
        }
        sync_cube();
        tile += tile_size;
    }
}

/// Rows of `[rows, width]`, `[choices, width]`.
pub(super) fn forward(x: CubeTensor, chosen: CubeTensor) -> CubeTensor {
    CubeBackend::float_select(x, 0, chosen)
}

/// The gradient of `rows` rows from that of the chosen ones.
pub(super) fn backward(flow: CubeTensor, chosen: CubeTensor, rows: usize) -> CubeTensor {
    let (flow, chosen) = (packed(flow), packed(chosen));
    let (count, width) = rows_and_width(&flow);
    let (device, dtype) = (flow.device(), flow.dtype.into());
    let dx = CubeBackend::float_zeros([rows, width].into(), &device, dtype);
    let vector = vector_width(&[width], &[&flow, &dx]);
    let (client, types) = (flow.client.clone(), elem(flow.dtype));
    rows_backward_kernel::launch(
        &client,
        cube_a_row(count),
        CubeDim::new_1d(UNITS),
        vector,
        flow.into_tensor_arg(),
        chosen.into_tensor_arg(),
        dx.clone().into_tensor_arg(),
        count,
        width / vector,
        types,
    );
    dx
}
