//! Document length, as Lucene stores it: in a byte.
//!
//! Source: `org.apache.lucene.util.SmallFloat.intToByte4` of Lucene 8: lengths below 24 as they are,
//! longer ones, less 24, with four significant bits.

const K1: f32 = 0.9;
const B: f32 = 0.4;

/// Lengths that are kept exactly: 255 less the code of the largest 32-bit number.
const FREE: u32 = 255 - code(i32::MAX as u32) as u32;

/// Four significant bits, and how far they are shifted.
const fn code(length: u32) -> u8 {
    let bits = 32 - length.leading_zeros();
    if bits < 4 {
        return length as u8;
    }
    let shift = bits - 4;
    // The highest bit goes without saying.
    ((length >> shift & 7) | (shift + 1) << 3) as u8
}

const fn decode(code: u8) -> u32 {
    let bits = code as u32 & 7;
    match (code as u32 >> 3).checked_sub(1) {
        None => bits,
        Some(shift) => (bits | 8) << shift,
    }
}

/// A length as a byte.
pub(super) fn to_byte(length: u32) -> u8 {
    let length = length.min(i32::MAX as u32);
    if length < FREE { length as u8 } else { FREE as u8 + code(length - FREE) }
}

/// The length that a byte stands for.
pub(super) fn of_byte(byte: u8) -> u32 {
    let code = u32::from(byte);
    if code < FREE { code } else { FREE + decode(byte - FREE as u8) }
}

/// `n` by the byte of a length.
pub(super) fn norms(all: u64, documents: usize) -> [f32; 256] {
    let mean = (all as f64 / documents.max(1) as f64) as f32;
    let norm = |byte: u8| 1.0 / (K1 * ((1.0 - B) + B * of_byte(byte) as f32 / mean));
    std::array::from_fn(|byte| norm(byte as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lengths_are_exact_and_long_ones_rounded_down_to_four_bits() {
        assert_eq!(FREE, 24);
        for length in 0..40 {
            assert_eq!(of_byte(to_byte(length)), length);
        }
        // 41 - 24 = 17 = 0b10001, of which 0b1000 are kept: 16 + 24.
        assert_eq!([40, 41, 42].map(|length| of_byte(to_byte(length))), [40, 40, 42]);
        // 1000 - 24 = 976 = 0b1111010000, of which 0b1111 are kept: 960 + 24.
        assert_eq!(of_byte(to_byte(1000)), 984);
        assert_eq!(to_byte(u32::MAX), 255);
        assert!((0..=255).map(of_byte).is_sorted());
    }
}
