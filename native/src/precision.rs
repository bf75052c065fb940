//! Precision of weights, as an option of a command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use hgpo_train::models::Precision;

/// A format, by its name in settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrecisionChoice(pub Precision);

impl ValueEnum for PrecisionChoice {
    fn value_variants<'a>() -> &'a [Self] {
        const { &[Self(Precision::F32), Self(Precision::F16), Self(Precision::BF16)] }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Precision::F32 => "Single precision",
            Precision::F16 => "Half precision: 11 significant bits, at most 65504",
            Precision::BF16 => "bfloat16: 8 significant bits, the range of single precision",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}
