//! Products with weights by named strategies of cubek: none is tried out, so that numbers and times are the same in every
//! run.

use burn::tensor::DType;
use burn_cubecl::tensor::CubeTensor;
use cubek::matmul::definition::{MatmulElems, MatmulGlobalElems};
use cubek::matmul::launch::launch_ref;
use cubek::matmul::multi_level::Strategy as MultiLevel;
use cubek::matmul::multi_level::components::tile::TileMatmulKind;
use cubek::matmul::multi_level::routines::batch::simple::SimpleArgs;
use cubek::matmul::routine::BlueprintStrategy;
use cubek::matmul::strategy::Strategy;
use cubek::std::InputBinding;

use super::launch::{elem, empty};
use super::residual::cast;

/// The strategy that was fastest on tensor cores: of one row, down projections without a stage; of more, tiles with
/// several rows a plane.
fn named([rows, inner, columns]: [usize; 3]) -> Option<Strategy> {
    match rows {
        1 if inner > columns => Some(MultiLevel::Gemm(BlueprintStrategy::default()).into()),
        ..64 => None,
        _ => {
            let args = SimpleArgs { multi_rows: true, tile_matmul: TileMatmulKind::Cmma };
            Some(MultiLevel::SimpleCyclicCmma(BlueprintStrategy::Inferred(args)).into())
        }
    }
}

/// `[rows, inner] · [inner, columns]`, both of one type and either of them transposed, in a type.
pub(super) fn product(lhs: &CubeTensor, rhs: &CubeTensor, dtype: DType) -> CubeTensor {
    let [rows, inner] = [0, 1].map(|axis| lhs.meta.shape()[axis]);
    let columns = rhs.meta.shape()[1];
    let out = empty(lhs, [rows, columns], dtype);
    let types = MatmulGlobalElems { lhs: elem(lhs.dtype), rhs: elem(rhs.dtype), out: elem(dtype) };
    let launch = |strategy: &Strategy| {
        let [left, right] =
            [lhs, rhs].map(|it| InputBinding::new(it.clone().binding(), elem(it.dtype)));
        let (out, mut types) = (out.clone().binding(), MatmulElems::from_globals(&types));
        launch_ref(strategy, &lhs.client, left, right, out, &mut types)
    };
    // An adapter without tensor cores of these types takes what it can.
    let is_named = lhs.dtype != DType::F32;
    let strategy = named([rows, inner, columns]).filter(|_| is_named);
    if strategy.is_none_or(|strategy| launch(&strategy).is_err()) {
        if let Err(error) = launch(&Strategy::default()) {
            panic!("no kernel for a product {rows} x {inner} x {columns}: {error:?}");
        }
    }
    out
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
/// ∂L/∂x = g weightᵀ; ∂L/∂weight = xᵀ g.
pub(super) fn backward(
    saved: &Saved,
    flow: &CubeTensor,
    wanted: [bool; 2],
) -> [Option<CubeTensor>; 2] {
    let Saved { x, weight, types } = saved.clone();
    let x = transposed(x);
    [
        wanted[0].then(|| product(flow, &transposed(weight), types[0])),
        wanted[1].then(|| product(&x, flow, types[1])),
    ]
}
