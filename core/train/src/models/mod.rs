//! Language models in files: their shape and weights, and what they read and write.
//!
//! A [`Description`] says what a model looks like, [`tensor_layout`] lists the tensors that it then has,
//! and a [`Checkpoint`] reads them one at a time: from a folder of Hugging Face (`config.json` and
//! safetensors, in one file or several) or from a GGUF file. Nothing holds a whole model in memory.
//! What comes from a file is checked against the file's size before memory is asked for it.
//!
//! With the feature `language-models`: `tokenizer` turns texts into tokens and back, `chat`
//! conversations into texts. With `files`: models are opened by path.

mod architecture;
mod byte_source;
#[cfg(feature = "language-models")]
pub mod chat;
mod checkpoint;
mod error;
pub mod gguf;
pub mod hugging_face;
mod precision;
pub mod tensor_layout;
mod tensor_rows;
#[cfg(feature = "language-models")]
pub mod tokenizer;

pub use self::architecture::{Architecture, Description, Family};
pub use self::byte_source::{ByteSource, is_lfs_pointer};
pub use self::checkpoint::{CONFIG, Checkpoint};
pub use self::error::ModelError;
pub use self::hugging_face::safetensors::SINGLE;
pub use self::precision::Precision;
pub use self::tensor_layout::TensorSpec;
pub use self::tensor_rows::TensorRows;

/// What a panic said, if it was a text.
#[cfg(feature = "language-models")]
fn panic_text(panic: &(dyn std::any::Any + Send)) -> Option<&str> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
}
