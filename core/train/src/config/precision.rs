//! Precision: the number formats of weights.

use serde::{Deserialize, Serialize};

/// How weights are kept in a file, or in memory, where their products are then computed alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision.
    #[default]
    F32,
    /// IEEE half precision: 11 significant bits, at most 65504.
    F16,
    /// The upper half of single precision: 8 significant bits.
    BF16,
}

impl Precision {
    /// All.
    pub const ALL: [Self; 3] = [Self::F32, Self::F16, Self::BF16];

    /// The name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
        }
    }

    /// Bytes a number.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::BF16 => 2,
        }
    }
}
