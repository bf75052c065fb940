//! One new token a row: its key and value into the cache, in one kernel with its queries, and attention over what the
//! cache holds then, a cube for each row and head.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{
    UNITS, cube_a_row, cube_max, cube_sum, elem, empty_like, owned, packed, unit_a_value,
};

/// Tokens that are looked at between two updates of the sums: one a unit.
const TILE: usize = UNITS as usize;

/// What a decode step does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeStep {
    /// Tokens a row that the cache holds before.
    pub(crate) length: usize,
    /// Values of a head.
    pub(crate) size: usize,
    /// What queries are multiplied by.
    pub(crate) scale: f32,
    /// Whether there are biases; without, their tensors are not read.
    pub(crate) biased: bool,
}

/// A value with its bias, turned by its angle; `start` is where its head begins in the row.
#[cube]
#[expect(clippy::too_many_arguments, reason = "buffers and places of a value")]
fn turned<X: Float>(
    x: &Tensor<X>,
    bias: &Tensor<f32>,
    cosine: &Tensor<f32>,
    sine: &Tensor<f32>,
    row: usize,
    column: usize,
    width: usize,
    #[comptime] size: usize,
    #[comptime] biased: bool,
) -> f32 {
    let within = column % size;
    let half = comptime!(size / 2);
    let other = select(within < half, column + half, column - half);
    let mut value = f32::cast_from(x[row * width + column]);
    let mut partner = f32::cast_from(x[row * width + other]);
    if biased {
        value += bias[column];
        partner += bias[other];
    }
    let angle = row * size + within;
    value * cosine[angle] + select(within < half, -partner, partner) * sine[angle]
}

/// A unit a value of a row's queries, keys and values.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn place_kernel<X: Float, C: Float>(
    query: &Tensor<X>,
    key: &Tensor<X>,
    value: &Tensor<X>,
    query_bias: &Tensor<f32>,
    key_bias: &Tensor<f32>,
    value_bias: &Tensor<f32>,
    cosine: &Tensor<f32>,
    sine: &Tensor<f32>,
    asked: &mut Tensor<X>,
    keys: &mut Tensor<C>,
    values: &mut Tensor<C>,
    rows: usize,
    heads: usize,
    shared: usize,
    capacity: usize,
    length: usize,
    scale: f32,
    #[comptime] size: usize,
    #[comptime] biased: bool,
    #[define(X, C)] _types: [ElemType; 2],
) {
    let (queries, others) = (heads * size, shared * size);
    let width = queries + 2 * others;
    let row = ABSOLUTE_POS / width;
    let at = ABSOLUTE_POS % width;
    if row < rows {
        if at < queries {
            let own = turned::<X>(query, query_bias, cosine, sine, row, at, queries, size, biased);
            asked[row * queries + at] = X::cast_from(own * scale);
        } else if at < queries + others {
            let column = at - queries;
            let own = turned::<X>(key, key_bias, cosine, sine, row, column, others, size, biased);
            let place = ((row * shared + column / size) * capacity + length) * size;
            keys[place + column % size] = C::cast_from(own);
        } else {
            let column = at - queries - others;
            let mut own = f32::cast_from(value[row * others + column]);
            if biased {
                own += value_bias[column];
            }
            let place = ((row * shared + column / size) * capacity + length) * size;
            values[place + column % size] = C::cast_from(own);
        }
    }
}

/// Keeps the largest score so far, and sums that are relative to it (online softmax, Milakov and Gimelshein 2018).
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn decode_kernel<X: Float, C: Float>(
    query: &Tensor<X>,
    keys: &Tensor<C>,
    values: &Tensor<C>,
    padding: &Tensor<i32>,
    y: &mut Tensor<X>,
    rows: usize,
    heads: usize,
    shared: usize,
    capacity: usize,
    length: usize,
    #[comptime] size: usize,
    #[define(X, C)] _types: [ElemType; 2],
) {
    let place = CUBE_POS;
    if place >= rows * heads {
        terminate!();
    }
    let row = place / heads;
    let head = place % heads / (heads / shared);
    let start = (row * shared + head) * capacity * size;
    let unit = UNIT_POS as usize;
    let from = padding[row * 2] as usize;
    let until = padding[row * 2 + 1] as usize;

    let mut asked = Shared::<[f32]>::new_slice(size);
    let mut shares = Shared::<[f32]>::new_slice(comptime!(TILE));
    let mut parts = Shared::<[f32]>::new_slice(comptime!(TILE));
    if unit < size {
        asked[unit] = f32::cast_from(query[place * size + unit]);
    }
    sync_cube();

    // Units with the same remainder share a value of the result; each adds up some of the tokens.
    let lanes = comptime!(TILE / size);
    let within = unit % size;
    let lane = unit / size;
    let mut largest = f32::new(-3e38);
    let mut sum = f32::new(0.0);
    let mut mixed = f32::new(0.0);
    let mut tile = 0usize;
    while tile < length {
        let token = tile + unit;
        let mut score = f32::new(-3e38);
        if token < length && (token < from || token >= until) {
            score = f32::new(0.0);
            for at in 0..size {
                score += asked[at] * f32::cast_from(keys[start + token * size + at]);
            }
        }
        let found = cube_max(score);
        let highest = max(largest, found);
        let share = select(score > f32::new(-2e38), (score - highest).exp(), f32::new(0.0));
        shares[unit] = share;
        let shrink = (largest - highest).exp();
        let added = cube_sum(share);
        sum = sum * shrink + added;
        mixed *= shrink;
        if lane < lanes {
            let mut at = lane;
            while at < comptime!(TILE) && tile + at < length {
                mixed += shares[at] * f32::cast_from(values[start + (tile + at) * size + within]);
                at += lanes;
            }
        }
        largest = highest;
        tile += comptime!(TILE);
        sync_cube();
    }
    parts[unit] = mixed;
    sync_cube();
    if unit < size {
        let mut total = f32::new(0.0);
        for lane in 0..lanes {
            total += parts[lane * size + unit];
        }
        y[place * size + unit] = X::cast_from(total / sum);
    }
}

/// Whether heads of this size fit a cube.
pub(crate) fn fits(size: usize) -> bool {
    size > 0 && TILE.is_multiple_of(size)
}

/// What queries find, and the cache with the new key and value, in place if nothing else reads it.
///
/// The first tokens of a row of the cache `[rows, shared heads, capacity, size]` are looked at, and the new one, but not
/// the row's `padding`, `[rows, 2]`: where it begins and ends.
pub(super) fn decode(
    [query, key, value]: [CubeTensor; 3],
    [query_bias, key_bias, value_bias]: [CubeTensor; 3],
    [cosine, sine]: [CubeTensor; 2],
    [keys, values]: [CubeTensor; 2],
    padding: CubeTensor,
    step: DecodeStep,
) -> (CubeTensor, CubeTensor, CubeTensor) {
    let DecodeStep { length, size, scale, biased } = step;
    let (query, key, value) = (packed(query), packed(key), packed(value));
    let (keys, values) = (owned(keys), owned(values));
    let [rows, shared, capacity] = [0, 1, 2].map(|axis| keys.meta.shape()[axis]);
    let heads = query.meta.shape()[2] / size;
    let (asked, mixed) = (empty_like(&query), empty_like(&query));
    let (client, types) = (query.client.clone(), [elem(query.dtype), elem(keys.dtype)]);
    place_kernel::launch(
        &client,
        unit_a_value(rows * (heads + 2 * shared) * size),
        CubeDim::new_1d(UNITS),
        query.into_tensor_arg(),
        key.into_tensor_arg(),
        value.into_tensor_arg(),
        packed(query_bias).into_tensor_arg(),
        packed(key_bias).into_tensor_arg(),
        packed(value_bias).into_tensor_arg(),
        packed(cosine).into_tensor_arg(),
        packed(sine).into_tensor_arg(),
        asked.clone().into_tensor_arg(),
        keys.clone().into_tensor_arg(),
        values.clone().into_tensor_arg(),
        rows,
        heads,
        shared,
        capacity,
        length,
        scale,
        size,
        biased,
        types,
    );
    decode_kernel::launch(
        &client,
        cube_a_row(rows * heads),
        CubeDim::new_1d(UNITS),
        asked.into_tensor_arg(),
        keys.clone().into_tensor_arg(),
        values.clone().into_tensor_arg(),
        packed(padding).into_tensor_arg(),
        mixed.clone().into_tensor_arg(),
        rows,
        heads,
        shared,
        capacity,
        length + 1,
        size,
        types,
    );
    (mixed, keys, values)
}
