//! Tensor types of GGUF files.

/// A type that is read here, with its number in the format. Quantised values come in blocks with a scale of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types, reason = "the names in the format")]
pub enum TensorType {
    /// Single precision.
    F32 = 0,
    /// Half precision.
    F16 = 1,
    /// The upper half of single precision.
    BF16 = 30,
    /// 4 bits, a scale.
    Q4_0 = 2,
    /// 4 bits, a scale and a least value.
    Q4_1 = 3,
    /// 5 bits, a scale.
    Q5_0 = 6,
    /// 5 bits, a scale and a least value.
    Q5_1 = 7,
    /// 8 bits, a scale.
    Q8_0 = 8,
    /// 4 bits, scales and least values of 6 bits with a scale of their own.
    Q4_K = 12,
    /// 5 bits, scales and least values of 6 bits with a scale of their own.
    Q5_K = 13,
    /// 6 bits, scales of 8 bits with a scale of their own.
    Q6_K = 14,
}

impl TensorType {
    /// All types, for messages.
    pub(super) const NAMES: &'static str =
        "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K or Q6_K";

    /// The type with this number in the format, if it is read here.
    #[must_use]
    pub fn find(number: u32) -> Option<Self> {
        use TensorType::{BF16, F16, F32, Q4_0, Q4_1, Q4_K, Q5_0, Q5_1, Q5_K, Q6_K, Q8_0};
        let all = [F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K];
        all.into_iter().find(|&kind| kind as u32 == number)
    }

    /// Values a block.
    #[must_use]
    pub fn block_values(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::BF16 => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => 32,
            Self::Q4_K | Self::Q5_K | Self::Q6_K => 256,
        }
    }

    /// Bytes a block.
    #[must_use]
    pub fn block_bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q5_1 => 24,
            Self::Q8_0 => 34,
            Self::Q4_K => 144,
            Self::Q5_K => 176,
            Self::Q6_K => 210,
        }
    }
}

/// The name of a type that is not read here, by its number in the format.
pub(super) fn unread_name(number: u32) -> String {
    let name = match number {
        9 => "Q8_1",
        10 => "Q2_K",
        11 => "Q3_K",
        15 => "Q8_K",
        16 => "IQ2_XXS",
        17 => "IQ2_XS",
        18 => "IQ3_XXS",
        19 => "IQ1_S",
        20 => "IQ4_NL",
        21 => "IQ3_S",
        22 => "IQ2_S",
        23 => "IQ4_XS",
        24 => "I8",
        25 => "I16",
        26 => "I32",
        27 => "I64",
        28 => "F64",
        29 => "IQ1_M",
        34 => "TQ1_0",
        35 => "TQ2_0",
        39 => "MXFP4",
        _ => return format!("number {number}"),
    };
    name.to_owned()
}
