//! One new token a row: its key and value into the cache, and attention of its queries over what the cache holds then, a
//! cube for each row and head.

use burn_cubecl::tensor::CubeTensor;
use cubecl::ir::ElemType;
use cubecl::prelude::*;

use super::launch::{
    UNITS, cube_a_row, cube_max, cube_sum, elem, empty_like, owned, packed, vector_width,
};

/// Tokens that are looked at between two updates of the sums: one a unit.
const TILE: usize = UNITS as usize;

/// What a decode step does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeStep {
    /// Values of a head.
    pub(crate) size: usize,
    /// What queries are multiplied by.
    pub(crate) scale: f32,
    /// Whether there are biases; without, their tensors are not read.
    pub(crate) biased: bool,
}

/// A vector of values with their biases, turned by their angles; `column` is its place among the vectors of the row.
#[cube]
#[expect(clippy::too_many_arguments, reason = "buffers and places of a vector")]
fn turned<X: Float, N: Size>(
    x: &Tensor<Vector<X, N>>,
    bias: &Tensor<Vector<f32, N>>,
    cosine: &Tensor<Vector<f32, N>>,
    sine: &Tensor<Vector<f32, N>>,
    row: usize,
    column: usize,
    width: usize,
    position: usize,
    #[comptime] vectors: usize,
    #[comptime] biased: bool,
) -> Vector<f32, N> {
    let within = column % vectors;
    let half = comptime!(vectors / 2);
    let is_first = within < half;
    let other = select(is_first, column + half, column - half);
    let mut value = Vector::<f32, N>::cast_from(x[row * width + column]);
    let mut partner = Vector::<f32, N>::cast_from(x[row * width + other]);
    if biased {
        value += bias[column];
        partner += bias[other];
    }
    let angle = position * vectors + within;
    let sign = Vector::<f32, N>::new(select(is_first, f32::new(-1.0), f32::new(1.0)));
    value * cosine[angle] + sign * partner * sine[angle]
}

/// Keeps the largest score so far, and sums that are relative to it (online softmax, Milakov and Gimelshein 2018); the
/// new token comes first.
#[cube(launch)]
#[expect(clippy::too_many_arguments, reason = "buffers and sizes of a kernel")]
fn decode_kernel<X: Float, C: Float, N: Size>(
    query: &Tensor<Vector<X, N>>,
    key: &Tensor<Vector<X, N>>,
    value: &Tensor<Vector<X, N>>,
    query_bias: &Tensor<Vector<f32, N>>,
    key_bias: &Tensor<Vector<f32, N>>,
    value_bias: &Tensor<Vector<f32, N>>,
    cosine: &Tensor<Vector<f32, N>>,
    sine: &Tensor<Vector<f32, N>>,
    keys: &mut Tensor<Vector<C, N>>,
    values: &mut Tensor<Vector<C, N>>,
    places: &Tensor<i32>,
    y: &mut Tensor<Vector<X, N>>,
    rows: usize,
    heads: usize,
    shared: usize,
    capacity: usize,
    scale: f32,
    #[comptime] vectors: usize,
    #[comptime] biased: bool,
    #[define(X, C)] _types: [ElemType; 2],
) {
    let place = CUBE_POS;
    if place >= rows * heads {
        terminate!();
    }
    let row = place / heads;
    let group = heads / shared;
    let head = place % heads / group;
    let start = (row * shared + head) * capacity * vectors;
    let unit = UNIT_POS as usize;
    let from = places[row * 4] as usize;
    let until = places[row * 4 + 1] as usize;
    let position = places[row * 4 + 2] as usize;
    let length = places[row * 4 + 3] as usize;

    let mut asked = Shared::<[Vector<f32, N>]>::new_slice(vectors);
    let mut new = Shared::<[Vector<f32, N>]>::new_slice(vectors);
    let mut shares = Shared::<[f32]>::new_slice(comptime!(TILE));
    let mut parts = Shared::<[Vector<f32, N>]>::new_slice(comptime!(TILE));
    let mut score = f32::new(0.0);
    if unit < vectors {
        let column = place % heads * vectors + unit;
        let width = heads * vectors;
        let own = turned::<X, N>(
            query, query_bias, cosine, sine, row, column, width, position, vectors, biased,
        );
        // Rounded as they are held.
        let own = Vector::<X, N>::cast_from(own * Vector::new(scale));
        asked[unit] = Vector::cast_from(own);
        let column = head * vectors + unit;
        let width = shared * vectors;
        let found = turned::<X, N>(
            key, key_bias, cosine, sine, row, column, width, position, vectors, biased,
        );
        let new_key = Vector::<C, N>::cast_from(found);
        let mut found = Vector::<f32, N>::cast_from(value[row * width + column]);
        if biased {
            found += value_bias[column];
        }
        let new_value = Vector::<C, N>::cast_from(found);
        new[unit] = Vector::cast_from(new_value);
        score = (asked[unit] * Vector::cast_from(new_key)).vector_sum();
        // Of the cubes that share a head, one writes.
        if place % heads % group == 0 {
            keys[start + length * vectors + unit] = new_key;
            values[start + length * vectors + unit] = new_value;
        }
    }

    // Units with the same remainder share a vector of the result; each adds up some of the tokens.
    let lanes = comptime!(TILE / vectors);
    let within = unit % vectors;
    let lane = unit / vectors;
    let mut largest = cube_sum(score);
    let mut sum = f32::new(1.0);
    let mut mixed = new[within] * Vector::new(select(lane == 0, f32::new(1.0), f32::new(0.0)));
    let mut tile = 0usize;
    while tile < length {
        let token = tile + unit;
        let at = start + min(token, length - 1) * vectors;
        let mut products = Vector::<f32, N>::new(0.0);
        #[unroll]
        for step in 0..vectors {
            products += asked[step] * Vector::cast_from(keys[at + step]);
        }
        let is_seen = token < length && (token < from || token >= until);
        let score = select(is_seen, products.vector_sum(), f32::new(-3e38));
        let found = cube_max(score);
        let highest = max(largest, found);
        let share = select(is_seen, (score - highest).exp(), f32::new(0.0));
        shares[unit] = share;
        let shrink = (largest - highest).exp();
        // What is summed up has been written by all.
        let added = cube_sum(share);
        sum = sum * shrink + added;
        mixed *= Vector::new(shrink);
        #[unroll]
        for step in 0..vectors {
            let at = lane + step * lanes;
            let from = start + min(tile + at, length - 1) * vectors;
            mixed += Vector::new(shares[at]) * Vector::cast_from(values[from + within]);
        }
        largest = highest;
        tile += comptime!(TILE);
        sync_cube();
    }
    parts[unit] = mixed;
    sync_cube();
    if unit < vectors {
        let mut total = Vector::<f32, N>::new(0.0);
        for lane in 0..lanes {
            total += parts[lane * vectors + unit];
        }
        y[place * vectors + unit] = Vector::cast_from(total / Vector::new(sum));
    }
}

/// Whether heads of this size fit a cube.
pub(crate) fn fits(size: usize) -> bool {
    size > 1 && TILE.is_multiple_of(size)
}

/// What queries find, and the cache with the new key and value, in place if nothing else reads it.
///
/// `places` `[rows, 4]` say of each row where its padding begins and ends, which tokens of the cache `[rows, shared heads,
/// capacity, size]` nothing looks at; which row of the tables has the angles of the new token; and how many tokens the
/// cache holds before.
pub(super) fn decode(
    [query, key, value]: [CubeTensor; 3],
    [query_bias, key_bias, value_bias]: [CubeTensor; 3],
    [cosine, sine]: [CubeTensor; 2],
    [keys, values]: [CubeTensor; 2],
    places: CubeTensor,
    step: DecodeStep,
) -> (CubeTensor, CubeTensor, CubeTensor) {
    let DecodeStep { size, scale, biased } = step;
    let (query, key, value) = (packed(query), packed(key), packed(value));
    let (keys, values) = (owned(keys), owned(values));
    let [rows, shared, capacity] = [0, 1, 2].map(|axis| keys.meta.shape()[axis]);
    let heads = query.meta.shape()[2] / size;
    let mixed = empty_like(&query);
    let [query_bias, key_bias, value_bias] = [query_bias, key_bias, value_bias].map(packed);
    let (cosine, sine) = (packed(cosine), packed(sine));
    let all = [&query, &key, &value, &query_bias, &key_bias, &value_bias, &cosine, &sine];
    let all = [&all[..], &[&keys, &values, &mixed]].concat();
    // A vector's partner is half a head away.
    let width = vector_width(&[size / 2], &all);
    let (client, types) = (query.client.clone(), [elem(query.dtype), elem(keys.dtype)]);
    decode_kernel::launch(
        &client,
        cube_a_row(rows * heads),
        CubeDim::new_1d(UNITS),
        width,
        query.into_tensor_arg(),
        key.into_tensor_arg(),
        value.into_tensor_arg(),
        query_bias.into_tensor_arg(),
        key_bias.into_tensor_arg(),
        value_bias.into_tensor_arg(),
        cosine.into_tensor_arg(),
        sine.into_tensor_arg(),
        keys.clone().into_tensor_arg(),
        values.clone().into_tensor_arg(),
        packed(places).into_tensor_arg(),
        mixed.clone().into_tensor_arg(),
        rows,
        heads,
        shared,
        capacity,
        scale,
        size / width,
        biased,
        types,
    );
    (mixed, keys, values)
}
