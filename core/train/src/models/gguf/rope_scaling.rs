//! RoPE scaling, as GGUF files state it.

use super::metadata::{ArchitectureEntries, Metadata};
use super::{GgufFile, ROPE_FREQUENCIES, dequantize};
use crate::config::{ModelConfig, RopeScaling, RopeType};
use crate::models::{ModelError, TensorSpec};

/// Largest relative difference between a divisor in a file, in single precision, and its formula.
const TOLERANCE: f64 = 1e-4;

/// Entry of the factor.
const FACTOR: &str = "rope.scaling.factor";

/// Scaling as llama.cpp reads it: linear by the factor in the metadata unless a type says otherwise; that of
/// Llama 3 is a tensor of divisors, one a frequency.
pub(super) fn scaling(
    file: &GgufFile,
    entries: &ArchitectureEntries<'_>,
    model: &ModelConfig,
) -> Result<Option<RopeScaling>, ModelError> {
    const KIND: &str = "rope.scaling.type";
    entries.only("rope.scaling.attn_factor", Metadata::float, 1.0)?;
    let kind = entries.metadata.text(&entries.name(KIND))?;
    let linear = match (kind, factor(entries)?) {
        (Some("none"), _) | (None, None) => None,
        (Some("linear"), None) => return Err(entries.field_error(FACTOR, "is missing")),
        (None | Some("linear"), Some((name, factor))) => {
            let scaling = RopeScaling { factor, ..RopeScaling::default() };
            Some((name, scaling)).filter(|_| factor.total_cmp(&1.0).is_ne())
        }
        (Some(other), _) => {
            let problem = format!("'{other}' is not supported here; use none or linear");
            return Err(entries.field_error(KIND, problem));
        }
    };
    match (llama_3(file, model)?, linear) {
        (Some(_), Some((name, _))) => {
            let problem = format!("is not supported beside the tensor '{ROPE_FREQUENCIES}'");
            Err(entries.field_error(name, problem))
        }
        (stretched, linear) => Ok(stretched.or(linear.map(|(_, scaling)| scaling))),
    }
}

/// The factor and the entry that says it; the older entry counts without the newer one, and 0 is none.
fn factor(entries: &ArchitectureEntries<'_>) -> Result<Option<(&'static str, f64)>, ModelError> {
    for name in [FACTOR, "rope.scale_linear"] {
        if let Some(factor) = entries.float(name)? {
            return Ok(Some((name, factor)).filter(|_| factor != 0.0));
        }
    }
    Ok(None)
}

/// Finds the factor, which slow frequencies are divided by, and compares all others with what it
/// gives: files do not have the bounds, which were the same in all models of this kind.
fn llama_3(file: &GgufFile, model: &ModelConfig) -> Result<Option<RopeScaling>, ModelError> {
    if file.info(ROPE_FREQUENCIES).is_none() {
        return Ok(None);
    }
    let shape = vec![model.head_dim() / 2];
    let spec = TensorSpec { name: ROPE_FREQUENCIES.to_owned(), shape };
    let (info, kind) = file.tensor_info(&spec)?;
    let divisors = dequantize::dequantize(kind, &file.bytes(info)?);
    let factor = divisors.iter().copied().fold(0.0, f32::max);
    let scaling = RopeScaling {
        rope_type: RopeType::Llama3,
        factor: factor.into(),
        ..RopeScaling::default()
    };
    let plain = model.rotary_frequencies();
    let stretched = ModelConfig { rope_scaling: Some(scaling.clone()), ..model.clone() };
    let expected = plain.iter().zip(stretched.rotary_frequencies()).map(|(f, g)| f / g);
    let close = |(found, expected): (&f32, f64)| {
        (f64::from(*found) - expected).abs() <= TOLERANCE * expected
    };
    if divisors.iter().zip(expected).all(close) {
        return Ok(Some(scaling));
    }
    let problem = "the rotary frequencies are not scaled as in Llama 3";
    Err(ModelError::unsupported(file.name(), format!("tensor '{ROPE_FREQUENCIES}': {problem}")))
}
