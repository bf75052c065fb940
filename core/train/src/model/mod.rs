//! Language models in files: their shape and weights, and what they read and write.
//!
//! A [`Description`] says what a model looks like, [`layout`] lists the tensors that it then has,
//! and a [`Checkpoint`] reads them one at a time: from a folder of Hugging Face (`config.json` and
//! safetensors, in one file or several) or from a GGUF file. Nothing holds a whole model in memory.
//! What comes from a file is checked against the file's size before memory is asked for it.
//!
//! With the feature `language-models`: `tokenizer` turns texts into tokens and back, `chat`
//! conversations into texts. With `files`: models are opened by path.

mod adapter;
#[cfg(feature = "language-models")]
pub mod chat;
mod checkpoint;
pub mod description;
mod error;
#[cfg(feature = "files")]
mod folder;
pub mod gguf;
pub mod layout;
mod precision;
mod rows;
pub mod safetensors;
mod source;
mod tied_head;
#[cfg(feature = "language-models")]
pub mod tokenizer;
pub mod unique;

pub use checkpoint::{CONFIG, Checkpoint, SINGLE};
pub use description::{Architecture, Description, Family};
pub use error::ModelError;
pub use layout::Spec;
pub use precision::Precision;
pub use rows::Rows;
pub use source::{Source, is_lfs_pointer};
