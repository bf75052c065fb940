//! Dequantization of K-quants: blocks of 256 values with scales that are quantised too.

use half::f16;

/// Values a block.
const BLOCK: usize = 256;

/// The half-precision number at a byte of a block.
pub(super) fn half(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Scale and least value of part j of eight, 6 bits each, packed into 12 bytes: of the first four
/// parts the lower bits of bytes j and j + 4; of the others 4 bits in byte j + 4 and 2 in the upper
/// bits of bytes j − 4 and j.
fn scale_and_least(packed: &[u8], j: usize) -> (u8, u8) {
    if j < 4 {
        return (packed[j] & 63, packed[j + 4] & 63);
    }
    let scale = packed[j + 4] & 0x0f | packed[j - 4] >> 6 << 4;
    (scale, packed[j + 4] >> 4 | packed[j] >> 6 << 4)
}

/// d s q − d′ m, where `q(part, j)` is value j of a part of 32.
fn scaled(block: &[u8], q: impl Fn(usize, usize) -> u8) -> [f32; BLOCK] {
    let (scale, least) = (half(block, 0), half(block, 2));
    let mut values = [0.0; BLOCK];
    for (part, values) in values.chunks_exact_mut(32).enumerate() {
        let (part_scale, part_least) = scale_and_least(&block[4..16], part);
        let (scale, least) = (scale * f32::from(part_scale), least * f32::from(part_least));
        for (j, value) in values.iter_mut().enumerate() {
            *value = scale * f32::from(q(part, j)) - least;
        }
    }
    values
}

/// 4 bits of value j of a part: two parts share 32 bytes, the even one has the lower halves.
fn nibble(bytes: &[u8], part: usize, j: usize) -> u8 {
    let byte = bytes[part / 2 * 32 + j];
    if part.is_multiple_of(2) { byte & 0x0f } else { byte >> 4 }
}

pub(super) fn q4_k(block: &[u8; 144]) -> [f32; BLOCK] {
    scaled(block, |part, j| nibble(&block[16..], part, j))
}

pub(super) fn q5_k(block: &[u8; 176]) -> [f32; BLOCK] {
    // Byte j has the fifth bits of value j of all eight parts.
    scaled(block, |part, j| nibble(&block[48..], part, j) | (block[16 + j] >> part & 1) << 4)
}

pub(super) fn q6_k(block: &[u8; 210]) -> [f32; BLOCK] {
    let scale = half(block, 208);
    std::array::from_fn(|at| {
        // Two halves of 128 values; in each, four parts of 32 share 64 bytes of lower bits and 32 of
        // upper bits; scales are for 16 values.
        let (side, part, j) = (at / 128, at % 128 / 32, at % 32);
        let low = block[side * 64 + part % 2 * 32 + j];
        let low = if part < 2 { low & 0x0f } else { low >> 4 };
        let high = block[128 + side * 32 + j] >> (2 * part) & 3;
        let part_scale = f32::from(block[192 + at / 16].cast_signed());
        scale * part_scale * f32::from((low | high << 4).cast_signed() - 32)
    })
}
