//! Precision of weights in safetensors: names and conversions of the number formats.

use std::fmt;

use half::slice::HalfFloatSliceExt as _;
use half::{bf16, f16};

pub use crate::config::Precision;

impl Precision {
    /// The names of all, for messages.
    pub(super) const NAMES: &'static str = "F32, F16 or BF16";

    /// The name in `config.json`: `float32`, `float16` or `bfloat16`.
    #[must_use]
    pub fn torch_name(self) -> &'static str {
        match self {
            Self::F32 => "float32",
            Self::F16 => "float16",
            Self::BF16 => "bfloat16",
        }
    }

    /// The format of that name in `config.json`, which older files spell `torch.float32`.
    #[must_use]
    pub fn from_torch_name(name: &str) -> Option<Self> {
        match name.strip_prefix("torch.").unwrap_or(name) {
            "float32" | "float" => Some(Self::F32),
            "float16" | "half" => Some(Self::F16),
            "bfloat16" => Some(Self::BF16),
            _ => None,
        }
    }

    /// The numbers of little-endian bytes; what is left over of them is no number.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Vec<f32> {
        let mut values = vec![0.0; bytes.len() / self.bytes()];
        self.decode_into(bytes, &mut values);
        values
    }

    /// The same into a place for them; if bytes or places are left over, they stay as they are.
    pub fn decode_into(self, bytes: &[u8], values: &mut [f32]) {
        match self {
            Self::F32 => {
                for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
                    *value = f32::from_le_bytes(*bytes);
                }
            }
            Self::BF16 => {
                for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
                    *value = bf16::from_le_bytes(*bytes).to_f32();
                }
            }
            Self::F16 => {
                // Many at once: the processor is asked what it can do once a call.
                const MANY: usize = 64;
                let mut halves = [f16::ZERO; MANY];
                for (values, bytes) in values.chunks_mut(MANY).zip(bytes.chunks(2 * MANY)) {
                    let pairs = bytes.as_chunks().0;
                    let count = pairs.len().min(values.len());
                    for (half, pair) in halves.iter_mut().zip(pairs) {
                        *half = f16::from_le_bytes(*pair);
                    }
                    halves[..count].convert_to_f32_slice(&mut values[..count]);
                }
            }
        }
    }

    /// Little-endian bytes of numbers, rounded to the nearest, ties to even.
    #[must_use]
    pub fn encode(self, values: &[f32]) -> Vec<u8> {
        match self {
            Self::F32 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::F16 => {
                values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()).collect()
            }
            Self::BF16 => {
                values.iter().flat_map(|value| bf16::from_f32(*value).to_le_bytes()).collect()
            }
        }
    }

    /// The first number that is finite, but not in this format.
    #[must_use]
    pub fn too_large(self, values: &[f32]) -> Option<f32> {
        let lost = |value: &f32| {
            let kept = match self {
                Self::F32 => *value,
                Self::F16 => f16::from_f32(*value).to_f32(),
                Self::BF16 => bf16::from_f32(*value).to_f32(),
            };
            value.is_finite() && !kept.is_finite()
        };
        values.iter().copied().find(lost)
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_to_the_nearest_and_ties_to_even() {
        // Between 1 and 2, f16 has steps of 2^-10 and bf16 of 2^-7.
        for (precision, step) in [(Precision::F16, 1.0 / 1024.0), (Precision::BF16, 1.0 / 128.0)] {
            let values = [1.0, 1.0 + 0.5 * step, 1.0 + 1.5 * step, 1.0 + 0.6 * step, -3.5];
            let kept = precision.decode(&precision.encode(&values));
            assert_eq!(kept, [1.0, 1.0, 1.0 + 2.0 * step, 1.0 + step, -3.5], "{precision}");
            assert_eq!(precision.encode(&values).len(), 5 * precision.bytes());
        }
        let values = [f32::MIN_POSITIVE, -0.1, f32::MAX];
        assert_eq!(Precision::F32.decode(&Precision::F32.encode(&values)), values);
    }

    #[test]
    fn values_beyond_a_precision_are_found() {
        // Half of a step of 32 beyond the largest f16 is rounded up, out of range.
        assert_eq!(Precision::F16.too_large(&[65504.0, f32::INFINITY, -65520.0]), Some(-65520.0));
        assert_eq!(Precision::BF16.too_large(&[65520.0, 1e38]), None);
        assert_eq!(Precision::BF16.too_large(&[f32::MAX]), Some(f32::MAX));
    }
}
