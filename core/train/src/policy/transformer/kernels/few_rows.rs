//! Products of few rows with a matrix: each value of the matrix is read once for up to 16 rows, as fast as memory gives
//! them, and the matrix is never copied.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{UNITS, elem, empty, packed, vector_width};
use super::swiglu::sigmoid;

/// Rows at most: their sums are held in registers, and of more of them tensor cores are faster.
const ROWS: usize = 16;
/// Units whose values lie beside each other in a row of the matrix: a sector of memory in half precision.
const ACROSS: usize = 4;
/// Units that share a row of a matrix whose columns are wanted.
const ALONG: usize = 16;
/// Loads that a unit has under way at once.
const AHEAD: usize = 8;
/// Cubes along an axis, which adapters allow.
const CUBES: usize = 65_535;

/// The sum over the units `lane · apart + rest` of a cube, in the unit whose lane is 0.
#[cube]
fn add_lanes<N: Size>(
    parts: &mut Shared<[Vector<f32, N>]>,
    sum: Vector<f32, N>,
    lane: usize,
    #[comptime] lanes: usize,
    #[comptime] apart: usize,
) -> Vector<f32, N> {
    let unit = UNIT_POS as usize;
    sync_cube();
    parts[unit] = sum;
    sync_cube();
    let mut half = comptime!(lanes / 2).runtime();
    while half > 0 {
        if lane < half {
            let other = parts[unit + half * apart];
            parts[unit] += other;
        }
        sync_cube();
        half /= 2;
    }
    parts[unit]
}

/// silu(gate) · up, both rounded as if they had been written down.
#[cube]
fn gated_value<Y: Float, N: Size>(gate: Vector<f32, N>, up: Vector<f32, N>) -> Vector<f32, N> {
    let gate = Vector::<f32, N>::cast_from(Vector::<Y, N>::cast_from(gate));
    let up = Vector::<f32, N>::cast_from(Vector::<Y, N>::cast_from(up));
    gate * sigmoid::<N>(gate) * up
}

/// Sums of a unit's products of up to `tile` rows with a vector of columns of a matrix `[inner, columns]`: units beside
/// each other read values beside each other, and 64 of them share a column.
#[cube]
fn products_across<X: Float, N: Size>(
    x: &Tensor<X>,
    weight: &Tensor<Vector<X, N>>,
    column: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    #[comptime] tile: usize,
) -> Array<Vector<f32, N>> {
    let lanes = comptime!(UNITS as usize / ACROSS);
    let lane = UNIT_POS as usize / comptime!(ACROSS);
    // Units beyond the last column read it, too.
    let read = min(column, columns - 1);
    let mut sums = Array::<Vector<f32, N>>::new(tile);
    let steps = inner.div_ceil(comptime!(lanes * AHEAD));
    for step in 0..steps {
        let start = step * comptime!(lanes * AHEAD) + lane;
        #[unroll]
        for ahead in 0..AHEAD {
            let at = start + ahead * lanes;
            let inside = min(at, inner - 1);
            let value = Vector::<f32, N>::cast_from(weight[inside * columns + read]);
            #[unroll]
            for row in 0..tile {
                let own = f32::cast_from(x[min(row, rows - 1) * inner + inside]);
                sums[row] += Vector::new(select(at < inner, own, f32::new(0.0))) * value;
            }
        }
    }
    sums
}

/// A vector of columns of x · weight for each four units of a cube, the `cube`th of that matrix.
#[cube]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn write_across<X: Float, Y: Float, N: Size>(
    x: &Tensor<X>,
    weight: &Tensor<Vector<X, N>>,
    y: &mut Tensor<Vector<Y, N>>,
    parts: &mut Shared<[Vector<f32, N>]>,
    cube: usize,
    rows: usize,
    inner: usize,
    columns: usize,
    #[comptime] tile: usize,
) {
    let lanes = comptime!(UNITS as usize / ACROSS);
    let lane = UNIT_POS as usize / comptime!(ACROSS);
    let column = cube * comptime!(ACROSS) + UNIT_POS as usize % comptime!(ACROSS);
    let sums = products_across::<X, N>(x, weight, column, rows, inner, columns, tile);
    #[unroll]
    for row in 0..tile {
        let sum = add_lanes::<N>(parts, sums[row], lane, lanes, comptime!(ACROSS));
        if lane == 0 && column < columns && row < rows {
            y[row * columns + column] = Vector::cast_from(sum);
        }
    }
}

#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn across_kernel<X: Float, Y: Float, N: Size>(
    x: &Tensor<X>,
    weight: &Tensor<Vector<X, N>>,
    y: &mut Tensor<Vector<Y, N>>,
    rows: usize,
    inner: usize,
    columns: usize,
    #[comptime] tile: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let mut parts = Shared::<[Vector<f32, N>]>::new_slice(comptime!(UNITS as usize));
    let cube = CUBE_POS_X as usize;
    write_across::<X, Y, N>(x, weight, y, &mut parts, cube, rows, inner, columns, tile);
}

/// The products of x with three matrices, one after the other.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn three_kernel<X: Float, Y: Float, N: Size>(
    x: &Tensor<X>,
    weight_1: &Tensor<Vector<X, N>>,
    weight_2: &Tensor<Vector<X, N>>,
    weight_3: &Tensor<Vector<X, N>>,
    y_1: &mut Tensor<Vector<Y, N>>,
    y_2: &mut Tensor<Vector<Y, N>>,
    y_3: &mut Tensor<Vector<Y, N>>,
    rows: usize,
    inner: usize,
    columns_1: usize,
    columns_2: usize,
    columns_3: usize,
    #[comptime] tile: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let mut parts = Shared::<[Vector<f32, N>]>::new_slice(comptime!(UNITS as usize));
    let cube = CUBE_POS_X as usize;
    let second = columns_1.div_ceil(comptime!(ACROSS));
    let third = second + columns_2.div_ceil(comptime!(ACROSS));
    if cube < second {
        write_across::<X, Y, N>(x, weight_1, y_1, &mut parts, cube, rows, inner, columns_1, tile);
    } else if cube < third {
        let cube = cube - second;
        write_across::<X, Y, N>(x, weight_2, y_2, &mut parts, cube, rows, inner, columns_2, tile);
    } else {
        let cube = cube - third;
        write_across::<X, Y, N>(x, weight_3, y_3, &mut parts, cube, rows, inner, columns_3, tile);
    }
}

/// silu(x · gate) · (x · up).
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn gated_kernel<X: Float, Y: Float, N: Size>(
    x: &Tensor<X>,
    gate: &Tensor<Vector<X, N>>,
    up: &Tensor<Vector<X, N>>,
    y: &mut Tensor<Vector<Y, N>>,
    rows: usize,
    inner: usize,
    columns: usize,
    #[comptime] tile: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let lanes = comptime!(UNITS as usize / ACROSS);
    let lane = UNIT_POS as usize / comptime!(ACROSS);
    let column = CUBE_POS_X as usize * comptime!(ACROSS) + UNIT_POS as usize % comptime!(ACROSS);
    let mut parts = Shared::<[Vector<f32, N>]>::new_slice(comptime!(UNITS as usize));
    let gates = products_across::<X, N>(x, gate, column, rows, inner, columns, tile);
    let ups = products_across::<X, N>(x, up, column, rows, inner, columns, tile);
    #[unroll]
    for row in 0..tile {
        let gate = add_lanes::<N>(&mut parts, gates[row], lane, lanes, comptime!(ACROSS));
        let up = add_lanes::<N>(&mut parts, ups[row], lane, lanes, comptime!(ACROSS));
        if lane == 0 && column < columns && row < rows {
            let found = gated_value::<Y, N>(gate, up);
            y[row * columns + column] = Vector::cast_from(found);
        }
    }
}

/// Matrices `[columns, inner]`: units beside each other read a row of them, which is a column of the result.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn along_kernel<X: Float, Y: Float, N: Size>(
    x: &Tensor<Vector<X, N>>,
    weight: &Tensor<Vector<X, N>>,
    y: &mut Tensor<Y>,
    rows: usize,
    inner: usize,
    columns: usize,
    #[comptime] tile: usize,
    #[define(X, Y)] _types: [ElemType; 2],
) {
    let unit = UNIT_POS as usize;
    let lane = unit % comptime!(ALONG);
    let column = CUBE_POS_X as usize * comptime!(UNITS as usize / ALONG) + unit / comptime!(ALONG);
    let read = min(column, columns - 1) * inner;
    let mut sums = Array::<Vector<f32, N>>::new(tile);
    let steps = inner.div_ceil(comptime!(ALONG * AHEAD));
    for step in 0..steps {
        let start = step * comptime!(ALONG * AHEAD) + lane;
        #[unroll]
        for ahead in 0..AHEAD {
            let at = start + ahead * comptime!(ALONG);
            let inside = min(at, inner - 1);
            let mut value = Vector::<f32, N>::cast_from(weight[read + inside]);
            value *= Vector::new(select(at < inner, f32::new(1.0), f32::new(0.0)));
            #[unroll]
            for row in 0..tile {
                let own = x[min(row, rows - 1) * inner + inside];
                sums[row] += Vector::<f32, N>::cast_from(own) * value;
            }
        }
    }
    let mut parts = Shared::<[Vector<f32, N>]>::new_slice(comptime!(UNITS as usize));
    #[unroll]
    for row in 0..tile {
        let sum = add_lanes::<N>(&mut parts, sums[row], lane, comptime!(ALONG), 1usize);
        if lane == 0 && column < columns && row < rows {
            y[row * columns + column] = Y::cast_from(sum.vector_sum());
        }
    }
}

fn cubes(across: usize) -> Option<CubeCount> {
    (across <= CUBES).then_some(CubeCount::Static(across as u32, 1, 1))
}

/// How kernels of some rows are started.
struct Launch {
    rows: usize,
    inner: usize,
    tile: usize,
}

impl Launch {
    /// Of x `[rows, inner]`, if there are few rows.
    fn of(x: &CubeTensor) -> Option<Self> {
        let [rows, inner] = [0, 1].map(|axis| x.meta.shape()[axis]);
        let tile = rows.next_power_of_two();
        (rows <= ROWS).then_some(Self { rows, inner, tile })
    }
}

/// `[rows, inner] · [inner, columns]` of one type, the matrix row-major or transposed; `None` for more rows, and for
/// matrices that are too wide.
pub(super) fn product(x: &CubeTensor, weight: &CubeTensor, dtype: DType) -> Option<CubeTensor> {
    let launch = Launch::of(x)?;
    let Launch { rows, inner, tile } = launch;
    let columns = weight.meta.shape()[1];
    let strides = weight.meta.strides();
    let is_transposed = strides[0] == 1 && strides[1] == inner && columns > 1;
    let (x, y) = (packed(x.clone()), empty(x, [rows, columns], dtype));
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(dtype)]);
    let units = CubeDim::new_1d(UNITS);
    if is_transposed {
        let width = vector_width(&[inner], &[&x, weight]);
        along_kernel::launch(
            &client,
            cubes(columns.div_ceil(UNITS as usize / ALONG))?,
            units,
            width,
            x.into_tensor_arg(),
            weight.clone().into_tensor_arg(),
            y.clone().into_tensor_arg(),
            rows,
            inner / width,
            columns,
            tile,
            types,
        );
        return Some(y);
    }
    let weight = packed(weight.clone());
    let width = vector_width(&[columns], &[&weight, &y]);
    across_kernel::launch(
        &client,
        cubes((columns / width).div_ceil(ACROSS))?,
        units,
        width,
        x.into_tensor_arg(),
        weight.into_tensor_arg(),
        y.clone().into_tensor_arg(),
        rows,
        inner,
        columns / width,
        tile,
        types,
    );
    Some(y)
}

/// The products of x with three row-major matrices; `None` where [`product`] gives none.
pub(super) fn three(
    x: &CubeTensor,
    weights: [&CubeTensor; 3],
    dtype: DType,
) -> Option<[CubeTensor; 3]> {
    let launch = Launch::of(x)?;
    let weights = weights.map(|weight| packed(weight.clone()));
    let columns = [0, 1, 2].map(|at| weights[at].meta.shape()[1]);
    let y = columns.map(|columns| empty(x, [launch.rows, columns], dtype));
    let x = packed(x.clone());
    let all: Vec<&CubeTensor> = weights.iter().chain(&y).collect();
    let width = vector_width(&columns, &all);
    let vectors = columns.map(|columns| columns / width);
    let cubes = cubes(vectors.iter().map(|vectors| vectors.div_ceil(ACROSS)).sum())?;
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(dtype)]);
    let [weight_1, weight_2, weight_3] = weights.map(CubeTensor::into_tensor_arg);
    let [y_1, y_2, y_3] = y.clone().map(CubeTensor::into_tensor_arg);
    three_kernel::launch(
        &client,
        cubes,
        CubeDim::new_1d(UNITS),
        width,
        x.into_tensor_arg(),
        weight_1,
        weight_2,
        weight_3,
        y_1,
        y_2,
        y_3,
        launch.rows,
        launch.inner,
        vectors[0],
        vectors[1],
        vectors[2],
        launch.tile,
        types,
    );
    Some(y)
}

/// silu(x · gate) · (x · up), of row-major matrices; `None` where [`product`] gives none.
pub(super) fn gated(
    x: &CubeTensor,
    gate: &CubeTensor,
    up: &CubeTensor,
    dtype: DType,
) -> Option<CubeTensor> {
    let launch = Launch::of(x)?;
    let [x, gate, up] = [x, gate, up].map(|it| packed(it.clone()));
    let columns = gate.meta.shape()[1];
    let y = empty(&x, [launch.rows, columns], dtype);
    let width = vector_width(&[columns], &[&gate, &up, &y]);
    let (client, types) = (x.client.clone(), [elem(x.dtype), elem(dtype)]);
    gated_kernel::launch(
        &client,
        cubes((columns / width).div_ceil(ACROSS))?,
        CubeDim::new_1d(UNITS),
        width,
        x.into_tensor_arg(),
        gate.into_tensor_arg(),
        up.into_tensor_arg(),
        y.clone().into_tensor_arg(),
        launch.rows,
        launch.inner,
        columns / width,
        launch.tile,
        types,
    );
    Some(y)
}
