//! Dequantization of tensors and of blocks of 32 values.

use super::dequantize_k::{self, half};
use super::tensor_type::TensorType;
use crate::models::Precision;

/// Values a block.
const BLOCK: usize = 32;

/// The values of whole blocks; bytes that are left over give none.
///
/// # Formula
/// Q4_0: d (q − 8). Q4_1, Q5_1: d q + m. Q5_0: d (q − 16). Q8_0: d q. In these d and m are a
/// block's half-precision scale and least value, q an integer of 4, 5 or 8 bits. Of 4 bits, byte j
/// has value j in its lower and value j + 16 in its upper half; the fifth bits are in a word of
/// their own. The types whose names end in K have 256 values in 8 or 16 parts, each with its own
/// scale s and least value m: Q4_K, Q5_K: (d s) q − (d′ m). Q6_K: d s (q − 32).
#[must_use]
pub fn dequantize(kind: TensorType, bytes: &[u8]) -> Vec<f32> {
    let mut values = vec![0.0; bytes.len() / kind.block_bytes() * kind.block_values()];
    decode(kind, bytes, &mut values);
    values
}

/// The same into a place for them; if bytes or places are left over, they stay as they are.
pub fn decode(kind: TensorType, bytes: &[u8], values: &mut [f32]) {
    match kind {
        TensorType::F32 => Precision::F32.decode_into(bytes, values),
        TensorType::F16 => Precision::F16.decode_into(bytes, values),
        TensorType::BF16 => Precision::BF16.decode_into(bytes, values),
        TensorType::Q4_0 => each(bytes, values, q4_0),
        TensorType::Q4_1 => each(bytes, values, q4_1),
        TensorType::Q5_0 => each(bytes, values, q5_0),
        TensorType::Q5_1 => each(bytes, values, q5_1),
        TensorType::Q8_0 => each(bytes, values, q8_0),
        TensorType::Q4_K => each(bytes, values, dequantize_k::q4_k),
        TensorType::Q5_K => each(bytes, values, dequantize_k::q5_k),
        TensorType::Q6_K => each(bytes, values, dequantize_k::q6_k),
    }
}

/// The values of each block of `BYTES` bytes.
fn each<const BYTES: usize, const VALUES: usize>(
    bytes: &[u8],
    values: &mut [f32],
    block: impl Fn(&[u8; BYTES]) -> [f32; VALUES],
) {
    for (values, bytes) in values.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
        *values = block(bytes);
    }
}

/// Values j of the lower and j + 16 of the upper halves of 16 bytes.
fn nibbles(bytes: &[u8], value: impl Fn(usize, u8) -> f32) -> [f32; BLOCK] {
    std::array::from_fn(|j| {
        let byte = bytes[j % 16];
        value(j, if j < 16 { byte & 0x0f } else { byte >> 4 })
    })
}

/// The fifth bit of value j, in its place.
fn fifth(block: &[u8], at: usize, j: usize) -> u8 {
    (block[at + j / 8] >> (j % 8) & 1) << 4
}

fn q4_0(block: &[u8; 18]) -> [f32; BLOCK] {
    let scale = half(block, 0);
    nibbles(&block[2..], |_, q| f32::from(q.cast_signed() - 8) * scale)
}

fn q4_1(block: &[u8; 20]) -> [f32; BLOCK] {
    let (scale, least) = (half(block, 0), half(block, 2));
    nibbles(&block[4..], |_, q| f32::from(q) * scale + least)
}

fn q5_0(block: &[u8; 22]) -> [f32; BLOCK] {
    let scale = half(block, 0);
    nibbles(&block[6..], |j, q| f32::from((q | fifth(block, 2, j)).cast_signed() - 16) * scale)
}

fn q5_1(block: &[u8; 24]) -> [f32; BLOCK] {
    let (scale, least) = (half(block, 0), half(block, 2));
    nibbles(&block[8..], |j, q| f32::from(q | fifth(block, 4, j)) * scale + least)
}

fn q8_0(block: &[u8; 34]) -> [f32; BLOCK] {
    let scale = half(block, 0);
    std::array::from_fn(|j| f32::from(block[2 + j].cast_signed()) * scale)
}
