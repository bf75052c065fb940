//! Errors of reading or writing a model: what is wrong, where, and what to do.

use std::io;

use super::tensor_layout::{EMBEDDING, HEAD};
use super::{Architecture, Precision, TensorSpec};

/// A model that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file cannot be read.
    #[error("cannot read {file}: {reason}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        reason: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {file}: {reason}")]
    Write {
        /// The file.
        file: String,
        /// What the system says.
        reason: io::Error,
    },
    /// A folder or file is not a model that can be read.
    #[error("cannot open the model {path}: {problem}")]
    NoModel {
        /// What was given.
        path: String,
        /// What is missing, and what to do.
        problem: String,
    },
    /// A file is not what it says it is.
    #[error("{file} is damaged: {problem}; download it again")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong, and at which byte.
        problem: String,
    },
    /// A field or an entry of metadata has no meaning here.
    #[error("{file}: '{field}': {problem}")]
    Field {
        /// The file.
        file: String,
        /// Name of the field.
        field: String,
        /// What is wrong, and what is supported.
        problem: String,
    },
    /// The architecture is another.
    #[error("{file}: unsupported architecture '{found}'; use {}", Architecture::names())]
    Architecture {
        /// The file.
        file: String,
        /// Name in the file.
        found: String,
    },
    /// The kind of file or its version is not read here.
    #[error("{file}: {problem}")]
    Unsupported {
        /// The file.
        file: String,
        /// What is not supported, and what is.
        problem: String,
    },
    /// A tensor is absent.
    #[error("{file}: tensor '{name}' is missing: the weights do not belong to this architecture")]
    Missing {
        /// The file, or the index of several.
        file: String,
        /// Name of the tensor, as in the file.
        name: String,
    },
    /// A head of its own is absent, or an embedding is not said to be the head.
    #[error(
        "{file}: tensor '{HEAD}' is missing: if the model's embedding is its output head, set \
         \"tie_word_embeddings\": true in config.json, otherwise download the whole model"
    )]
    NoHead {
        /// The file, or the index of several.
        file: String,
    },
    /// A head stands beside an embedding that is to be the head, and is another one.
    #[error(
        "{file}: tensor '{HEAD}' differs from '{EMBEDDING}', but config.json says that they are the same; \
         set \"tie_word_embeddings\": false in config.json to use the head, or delete that tensor"
    )]
    TiedHead {
        /// The file of the head.
        file: String,
    },
    /// A tensor is left over.
    #[error("{file}: unexpected tensor '{name}': the weights belong to another architecture")]
    Surplus {
        /// The file.
        file: String,
        /// Name of the tensor, as in the file.
        name: String,
    },
    /// A file of several is absent.
    #[error("{index}: tensor '{name}' is in {shard}, which is missing; download that file too")]
    Shard {
        /// The index that names the file.
        index: String,
        /// The file that is absent.
        shard: String,
        /// A tensor that should be in it.
        name: String,
    },
    /// A tensor has another shape than the model asks for.
    #[error("{file}: tensor '{name}' has shape {found:?}, but the configuration says {expected:?}")]
    Shape {
        /// The file.
        file: String,
        /// Name of the tensor, as in the file.
        name: String,
        /// Shape in the file.
        found: Vec<usize>,
        /// Shape that the description asks for.
        expected: Vec<usize>,
    },
    /// A tensor has numbers of a type that is not read here.
    #[error("{file}: tensor '{name}' has unsupported type {found}; use {known}")]
    Type {
        /// The file.
        file: String,
        /// Name of the tensor, as in the file.
        name: String,
        /// Type in the file.
        found: String,
        /// Types that are read.
        known: &'static str,
    },
    /// The embedding has another number of tokens than the description says.
    #[error(
        "{file}: tensor '{name}' has rows for {found} tokens, but the configuration says \
         {expected}: weights and configuration belong to different models"
    )]
    Vocabulary {
        /// The file.
        file: String,
        /// Name of the tensor, as in the file.
        name: String,
        /// Rows in the file.
        found: usize,
        /// Size of the vocabulary in the description.
        expected: usize,
    },
    /// A tensor holds what is no number.
    #[error(
        "{file}: tensor '{name}' contains {value} at index {place}: the file is damaged; download it \
         again, or ask whoever trained the model"
    )]
    NotFinite {
        /// The file.
        file: String,
        /// Name of the tensor.
        name: String,
        /// The first such value.
        value: f32,
        /// Where it is.
        place: usize,
    },
    /// A weight is too large for the precision that was asked for.
    #[error("tensor '{name}' contains {value}, out of range for {precision}; use bf16 or f32")]
    TooLarge {
        /// Name of the tensor.
        name: String,
        /// The weight.
        value: f32,
        /// The precision asked for.
        precision: Precision,
    },
    /// The tensors given are not those of the description.
    #[error("found {found} where the configuration says {expected}")]
    Order {
        /// The tensor given.
        found: String,
        /// The tensor asked for.
        expected: String,
    },
    /// The place to write to is taken.
    #[error("{folder} already exists; choose another folder or delete it")]
    Exists {
        /// The folder.
        folder: String,
    },
    /// A model could not be had by its name.
    #[error("model {model}: {problem}")]
    Hub {
        /// Name of the model.
        model: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Nobody can be asked for a model by its name.
    #[error("model {model}: {problem}")]
    Unreachable {
        /// Name of the model.
        model: String,
        /// Why not, and what to do.
        problem: String,
    },
}

impl ModelError {
    /// Says of an embedding with other rows that the vocabulary is another.
    pub(super) fn of_vocabulary(self, spec: &TensorSpec) -> Self {
        match self {
            Self::Shape { file, name, found, expected }
                if [EMBEDDING, HEAD].contains(&spec.name.as_str())
                    && found.len() == 2
                    && found[1..] == expected[1..] =>
            {
                Self::Vocabulary { file, name, found: found[0], expected: expected[0] }
            }
            other => other,
        }
    }

    /// The error of a tensor that is absent: without a head, the description may be what is wrong.
    pub(super) fn missing(file: &str, name: &str) -> Self {
        let file = file.to_owned();
        if name == HEAD {
            Self::NoHead { file }
        } else {
            Self::Missing { file, name: name.to_owned() }
        }
    }

    pub(super) fn damaged(file: &str, problem: impl Into<String>) -> Self {
        Self::Damaged { file: file.to_owned(), problem: problem.into() }
    }

    pub(super) fn field(file: &str, field: &str, problem: impl Into<String>) -> Self {
        Self::Field { file: file.to_owned(), field: field.to_owned(), problem: problem.into() }
    }

    /// Something in a file that is not supported, and what is.
    #[must_use]
    pub fn unsupported(file: &str, problem: impl Into<String>) -> Self {
        Self::Unsupported { file: file.to_owned(), problem: problem.into() }
    }

    /// Makes the error of a file that cannot be read.
    pub fn read(file: &str) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |reason| Self::Read { file, reason }
    }

    /// Makes the error of a file or folder that cannot be written.
    pub fn write(file: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.display().to_string();
        move |reason| Self::Write { file, reason }
    }
}
