//! Products with weights by named strategies of cubek: none is tried out, so that numbers and times are the same in every
//! run.

use burn::tensor::DType;
use burn_cubecl::ops::reshape;
use burn_cubecl::tensor::CubeTensor;
use cubek::matmul::definition::{MatmulElems, MatmulGlobalElems};
use cubek::matmul::launch::launch_ref;
use cubek::matmul::multi_level::Strategy as MultiLevel;
use cubek::matmul::multi_level::components::tile::TileMatmulKind;
use cubek::matmul::multi_level::routines::batch::ordered_double_buffering::OrderedSelectionArgs;
use cubek::matmul::multi_level::routines::batch::simple::SimpleArgs;
use cubek::matmul::routine::BlueprintStrategy;
use cubek::matmul::strategy::Strategy;
use cubek::std::InputBinding;

use super::column_sum::column_sum;
use super::few_rows;
use super::launch::{elem, empty};
use super::residual::cast;
use super::swiglu;

/// Rows and columns of a result that a cube computes.
const TILE: usize = 128;
/// Cubes that keep a large adapter busy. A product of fewer is split where what is summed over is long.
const CUBES: usize = 384;
/// Rows that are few for tensor cores.
const FEW: usize = 64;
/// Summands of a part, at least.
const SUMMANDS: usize = 256;
/// Parts that a product is split into at most.
const PARTS: usize = 32;

/// The strategies that were fastest on tensor cores: of few rows one tile after the other, of more eight rows of tiles,
/// two a plane, while the next ones are loaded.
fn named(rows: usize) -> Strategy {
    if rows <= FEW {
        let args = SimpleArgs { multi_rows: false, tile_matmul: TileMatmulKind::Cmma };
        return MultiLevel::SimpleCyclicCmma(BlueprintStrategy::Inferred(args)).into();
    }
    let args = OrderedSelectionArgs {
        partition_k: Some(1),
        row_count: Some(8),
        rows_per_plane: Some(2),
        tile_matmul: TileMatmulKind::Cmma,
    };
    MultiLevel::OrderedDoubleCmma(BlueprintStrategy::Inferred(args)).into()
}

/// Number of equal parts that summands are split into, so that there are enough cubes.
fn parts_of([rows, inner, columns]: [usize; 3]) -> usize {
    let most = CUBES / (rows.div_ceil(TILE) * columns.div_ceil(TILE)).max(1);
    let most = most.min(inner / SUMMANDS).min(PARTS);
    (2..=most).rev().find(|parts| inner.is_multiple_of(*parts)).unwrap_or(1)
}

/// `[parts, ..]` of a matrix whose axis is split.
fn parted(mut matrix: CubeTensor, axis: usize, parts: usize) -> CubeTensor {
    let each = matrix.meta.shape()[axis] / parts;
    let stride = matrix.meta.strides()[axis];
    matrix.meta.shape_mut()[axis] = each;
    matrix.meta.insert(0, parts, each * stride);
    matrix
}

/// `[rows, inner] · [inner, columns]`, both of one type and either of them transposed, in a type.
pub(super) fn product(lhs: &CubeTensor, rhs: &CubeTensor, dtype: DType) -> CubeTensor {
    let [rows, inner] = [0, 1].map(|axis| lhs.meta.shape()[axis]);
    let columns = rhs.meta.shape()[1];
    if let Some(y) = few_rows::product(lhs, rhs, dtype) {
        return y;
    }
    let parts = parts_of([rows, inner, columns]);
    if parts == 1 {
        let out = empty(lhs, [rows, columns], dtype);
        launch(lhs, rhs, &out);
        return out;
    }
    let mut out = empty(lhs, [parts, rows, columns], DType::F32);
    launch(&parted(lhs.clone(), 1, parts), &parted(rhs.clone(), 0, parts), &out);
    out = reshape(out, [parts, rows * columns].into());
    cast(reshape(column_sum(out), [rows, columns].into()), dtype)
}

/// One product, or a batch of them.
fn launch(lhs: &CubeTensor, rhs: &CubeTensor, out: &CubeTensor) {
    let types =
        MatmulGlobalElems { lhs: elem(lhs.dtype), rhs: elem(rhs.dtype), out: elem(out.dtype) };
    let launch = |strategy: &Strategy| {
        let [left, right] =
            [lhs, rhs].map(|it| InputBinding::new(it.clone().binding(), elem(it.dtype)));
        let (out, mut types) = (out.clone().binding(), MatmulElems::from_globals(&types));
        launch_ref(strategy, &lhs.client, left, right, out, &mut types)
    };
    // An adapter without tensor cores of these types takes what it can.
    let rows = lhs.meta.shape()[lhs.meta.rank() - 2];
    let strategy = (lhs.dtype != DType::F32).then(|| named(rows));
    if strategy.is_none_or(|strategy| launch(&strategy).is_err())
        && let Err(error) = launch(&Strategy::default())
    {
        let (lhs, rhs) = (lhs.meta.shape(), rhs.meta.shape());
        panic!("no kernel for a product {lhs:?} x {rhs:?}: {error:?}");
    }
}

/// `silu(x · gate) · (x · up)`, all of one type.
pub(super) fn gated(
    x: &CubeTensor,
    gate: &CubeTensor,
    up: &CubeTensor,
    dtype: DType,
) -> CubeTensor {
    let fused = few_rows::gated(x, gate, up, dtype);
    fused.unwrap_or_else(|| swiglu::forward(product(x, gate, dtype), product(x, up, dtype)))
}

/// The products of x with three matrices, all of one type.
pub(super) fn three(x: &CubeTensor, weights: [&CubeTensor; 3], dtype: DType) -> [CubeTensor; 3] {
    let fused = few_rows::three(x, weights, dtype);
    fused.unwrap_or_else(|| weights.map(|weight| product(x, weight, dtype)))
}

/// The other way round, without a copy.
pub(super) fn transposed(mut matrix: CubeTensor) -> CubeTensor {
    matrix.meta.swap(0, 1);
    matrix
}

/// What the backward pass of a product needs.
#[derive(Clone)]
pub(super) struct Saved {
    x: CubeTensor,
    weight: CubeTensor,
    types: [DType; 2],
}

/// `x · weight` `[rows, columns]` in a precision, and what its backward pass needs.
pub(super) fn forward(x: CubeTensor, weight: CubeTensor, dtype: DType) -> (CubeTensor, Saved) {
    let types = [x.dtype, weight.dtype];
    let saved = Saved { x: cast(x, dtype), weight: cast(weight, dtype), types };
    (product(&saved.x, &saved.weight, dtype), saved)
}

/// The gradients of x, and of the weight if it is wanted, each in its type.
///
/// # Formula
/// ∂L/∂x = g weightᵀ; ∂L/∂weight = xᵀ g, held as the weight is.
pub(super) fn backward(
    saved: &Saved,
    flow: &CubeTensor,
    wanted: [bool; 2],
) -> [Option<CubeTensor>; 2] {
    let Saved { x, weight, types } = saved.clone();
    let is_transposed = weight.meta.strides()[0] == 1 && weight.meta.shape()[1] > 1;
    let by_x = wanted[0].then(|| product(flow, &transposed(weight), types[0]));
    let by_weight = wanted[1].then(|| {
        if is_transposed {
            return transposed(product(&transposed(flow.clone()), &x, types[1]));
        }
        product(&transposed(x), flow, types[1])
    });
    [by_x, by_weight]
}
