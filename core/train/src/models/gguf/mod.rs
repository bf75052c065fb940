//! GGUF, the format of llama.cpp: metadata, tokenizer and (often quantised) tensors in one file.
//!
//! Versions 2 and 3, little endian. Source of the format: `docs/gguf.md` of the ggml project; of the
//! block formats: `dequantize_row_*` in its `ggml-quants.c`.

pub mod dequantize;
mod dequantize_k;
mod description;
mod header_reader;
mod metadata;
mod rope_scaling;
mod tensor_directory;
pub(super) mod tensor_type;
mod tokenizer_metadata;

pub use self::metadata::{Metadata, MetadataValue};
pub use self::tensor_directory::TensorInfo;
pub use self::tensor_type::TensorType;
pub use self::tokenizer_metadata::TokenizerMetadata;

use std::collections::BTreeSet;

use hgpo_env::files::Bytes;

use self::header_reader::HeaderReader;
use self::tensor_directory::TensorDirectory;
use super::tensor_layout::{is_rotated, name_in_gguf};
use super::{ByteSource, Description, ModelError, TensorRows, TensorSpec};

/// First bytes of every file.
pub const MAGIC: [u8; 4] = *b"GGUF";

/// Tensor of the stretched rotary frequencies; its numbers go into the description.
const ROPE_FREQUENCIES: &str = "rope_freqs.weight";

/// A GGUF file: metadata and names in memory, values where they are.
#[derive(Debug)]
pub struct GgufFile {
    source: ByteSource,
    metadata: Metadata,
    directory: TensorDirectory,
}

impl GgufFile {
    /// Reads the metadata and the list of tensors, and checks them against the file's length.
    ///
    /// # Errors
    /// It cannot be read, is no GGUF file, damaged, or of a version that is not read.
    pub fn open(source: ByteSource) -> Result<Self, ModelError> {
        let mut reader = HeaderReader::new(&source);
        let (tensors, entries) = begin(&mut reader)?;
        let metadata = Metadata::read(&mut reader, entries)?;
        let directory = TensorDirectory::read(&mut reader, tensors, &metadata)?;
        Ok(Self { source, metadata, directory })
    }

    /// What errors call the file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Everything that the file says about itself.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Names of the tensors in the file, in its order.
    pub fn tensors(&self) -> impl Iterator<Item = &str> {
        self.directory.tensors.keys().map(String::as_str)
    }

    /// Shape, type and place of a tensor by its name in the file.
    #[must_use]
    pub fn info(&self, name: &str) -> Option<&TensorInfo> {
        self.directory.tensors.get(name)
    }

    /// Checks that the file has these tensors and no others.
    ///
    /// # Errors
    /// Names the first tensor that is missing, left over, or has another shape or type.
    pub fn check(&self, specs: &[TensorSpec]) -> Result<(), ModelError> {
        let mut known = BTreeSet::from([ROPE_FREQUENCIES.to_owned()]);
        for spec in specs {
            self.tensor_info(spec)?;
            known.insert(name_in_gguf(&spec.name));
        }
        match self.tensors().find(|name| !known.contains(*name)) {
            Some(name) => {
                Err(ModelError::Surplus { file: self.name().to_owned(), name: name.to_owned() })
            }
            None => Ok(()),
        }
    }

    /// The rows of a tensor in the layout of Hugging Face, checked first.
    ///
    /// # Errors
    /// It is missing, has another shape or a type that is not read, or the file cannot be read.
    pub fn rows(
        &self,
        spec: &TensorSpec,
        description: &Description,
    ) -> Result<TensorRows, ModelError> {
        let (info, kind) = self.tensor_info(spec)?;
        let bytes = self.bytes(info)?;
        let turned = description.architecture.family().interleaved && is_rotated(&spec.name);
        let interleaved = turned.then(|| description.model.head_dim());
        Ok(TensorRows::new(bytes, kind, &spec.shape, interleaved))
    }

    fn bytes(&self, info: &TensorInfo) -> Result<Bytes, ModelError> {
        self.source.read(self.directory.start + info.offset, info.bytes)
    }

    fn tensor_info(&self, spec: &TensorSpec) -> Result<(&TensorInfo, TensorType), ModelError> {
        let (file, name) = (self.name().to_owned(), name_in_gguf(&spec.name));
        let Some(info) = self.info(&name) else {
            return Err(ModelError::Missing { file, name });
        };
        if info.shape != spec.shape {
            let (found, expected) = (info.shape.clone(), spec.shape.clone());
            return Err(ModelError::Shape { file, name, found, expected });
        }
        match TensorType::find(info.type_number) {
            Some(kind) => Ok((info, kind)),
            None => Err(ModelError::Type {
                file,
                name,
                found: tensor_type::unread_name(info.type_number),
                known: TensorType::NAMES,
            }),
        }
    }
}

/// Magic, version, and the numbers of tensors and of entries of metadata.
fn begin(reader: &mut HeaderReader<'_>) -> Result<(u64, u64), ModelError> {
    let file = reader.source.name();
    if reader.array::<4>()? != MAGIC {
        return Err(ModelError::damaged(file, "byte 0: not a GGUF file"));
    }
    let problem = match reader.u32()? {
        2 | 3 => return Ok((reader.u64()?, reader.u64()?)),
        version if version.swap_bytes() < 0x1_0000 && version >= 0x1_0000 => {
            "big-endian GGUF is not supported; use a little-endian file".to_owned()
        }
        version => format!("GGUF version {version} is not supported; use 2 or 3"),
    };
    Err(ModelError::unsupported(file, problem))
}
