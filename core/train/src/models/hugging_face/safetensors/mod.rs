//! Safetensors: named tensors after a header of JSON, in one file or several with an index.

mod index;

use std::collections::HashMap;

use ::safetensors::SafeTensorError;
use ::safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::models::gguf::TensorType;
use crate::models::hugging_face::strict_json;
use crate::models::{ByteSource, ModelError, Precision, TensorRows, TensorSpec};

pub(in crate::models) use self::index::SafetensorsFiles;
pub use self::index::{SINGLE, SafetensorsIndex};

/// Longest header that is read; larger ones are refused by other readers too.
const LONGEST_HEADER: u64 = 100_000_000;

/// Bytes of the header's length.
const PREFIX: u64 = 8;

/// A safetensors file: its header in memory, its values where they are.
#[derive(Debug)]
pub struct SafetensorsFile {
    source: ByteSource,
    metadata: Metadata,
    /// Where the values begin.
    start: u64,
}

impl SafetensorsFile {
    /// Reads the header and checks it against the file's length.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or shorter or longer than its header says.
    pub fn open(source: ByteSource) -> Result<Self, ModelError> {
        let prefix = source.read(0, PREFIX)?;
        let length = prefix.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let left = source.length() - PREFIX;
        if length > left.min(LONGEST_HEADER) {
            let problem = format!(
                "byte 0: a header of {length} bytes, but {left} bytes follow and at most \
                 {LONGEST_HEADER} are read"
            );
            return Err(ModelError::damaged(source.name(), problem));
        }
        let header = source.read(PREFIX, length)?;
        let metadata: Metadata = strict_json(&header).map_err(|error| {
            ModelError::damaged(source.name(), format!("header at byte {PREFIX}: {error}"))
        })?;
        let start = PREFIX + length;
        let (described, there) = (metadata.data_len() as u64, source.length() - start);
        if described != there {
            let problem = format!(
                "its header describes {described} bytes of values, but {there} follow at byte {start}"
            );
            return Err(ModelError::damaged(source.name(), problem));
        }
        Ok(Self { source, metadata, start })
    }

    /// What errors call the file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Names of the tensors, sorted.
    #[must_use]
    pub fn tensors(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort_unstable();
        names
    }

    /// Shape and place of a tensor.
    #[must_use]
    pub fn info(&self, name: &str) -> Option<&TensorInfo> {
        self.metadata.info(name)
    }

    /// The rows of a tensor, checked first.
    ///
    /// # Errors
    /// It is missing, has another shape or a type that is not read, or the file cannot be read.
    pub fn rows(&self, spec: &TensorSpec) -> Result<TensorRows, ModelError> {
        let (info, kind) = self.tensor_info(spec)?;
        let (from, to) = info.data_offsets;
        let bytes = self.source.read(self.start + from as u64, (to - from) as u64)?;
        Ok(TensorRows::new(bytes, kind, &spec.shape, None))
    }

    /// Checks that a tensor is there with the shape and a type that can be read.
    fn tensor_info(&self, spec: &TensorSpec) -> Result<(&TensorInfo, TensorType), ModelError> {
        let (file, name) = (self.name().to_owned(), spec.name.clone());
        let Some(info) = self.metadata.info(&name) else {
            return Err(ModelError::missing(&file, &name));
        };
        if info.shape != spec.shape {
            let (found, expected) = (info.shape.clone(), spec.shape.clone());
            return Err(ModelError::Shape { file, name, found, expected });
        }
        let kind = match info.dtype {
            Dtype::F32 => TensorType::F32,
            Dtype::F16 => TensorType::F16,
            Dtype::BF16 => TensorType::BF16,
            other => {
                let (found, known) = (other.to_string(), Precision::NAMES);
                return Err(ModelError::Type { file, name, found, known });
            }
        };
        Ok((info, kind))
    }
}

/// Length and header of a file whose tensors follow one another, padded to eight bytes.
///
/// # Errors
/// The header cannot be built.
pub fn write_header(
    specs: &[TensorSpec],
    precision: Precision,
) -> Result<Vec<u8>, SafeTensorError> {
    let dtype = match precision {
        Precision::F32 => Dtype::F32,
        Precision::F16 => Dtype::F16,
        Precision::BF16 => Dtype::BF16,
    };
    let mut end = 0;
    let info = |spec: &TensorSpec| {
        let start = end;
        end += spec.count() * precision.bytes();
        let info = TensorInfo { dtype, shape: spec.shape.clone(), data_offsets: (start, end) };
        (spec.name.clone(), info)
    };
    // Transformers refuses files that do not name the layout of their tensors.
    let format = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    let metadata = Metadata::new(Some(format), specs.iter().map(info).collect())?;
    let mut header = serde_json::to_vec(&metadata).map_err(SafeTensorError::JsonError)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    Ok(bytes)
}
