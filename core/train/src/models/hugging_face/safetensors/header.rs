//! Header of a safetensors file, as it is written.

use std::collections::HashMap;

use ::safetensors::SafeTensorError;
use ::safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::models::{Precision, TensorSpec};

/// A tensor in a file that is to be written: its spec and its first byte after the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorEntry {
    /// Name and shape.
    pub spec: TensorSpec,
    /// Where its values begin.
    pub start: usize,
}

/// Length and header of a file whose tensors follow one another, padded to eight bytes.
///
/// # Errors
/// The header cannot be built.
pub fn write_header(
    entries: &[TensorEntry],
    precision: Precision,
) -> Result<Vec<u8>, SafeTensorError> {
    let dtype = match precision {
        Precision::F32 => Dtype::F32,
        Precision::F16 => Dtype::F16,
        Precision::BF16 => Dtype::BF16,
    };
    let info = |entry: &TensorEntry| {
        let end = entry.start + entry.spec.count() * precision.bytes();
        let data_offsets = (entry.start, end);
        let info = TensorInfo { dtype, shape: entry.spec.shape.clone(), data_offsets };
        (entry.spec.name.clone(), info)
    };
    // Transformers refuses files that do not name the layout of their tensors.
    let format = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    let metadata = Metadata::new(Some(format), entries.iter().map(info).collect())?;
    let mut header = serde_json::to_vec(&metadata).map_err(SafeTensorError::JsonError)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    Ok(bytes)
}
