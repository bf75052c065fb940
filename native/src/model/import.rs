//! Import of a GGUF file as a Hugging Face model folder.

use std::path::Path;

use hgpo_train::models::{Checkpoint, ModelError, Precision, tensor_layout};

use super::{SHARD_BYTES, Saving};

/// Writes the model of a checkpoint as a Hugging Face model folder, with quantised weights
/// dequantised, in `precision`. `tokenizer_files` are put beside them by name;
/// `progress` is called with the tensors done, and of how many, after each.
///
/// # Errors
/// The model cannot be read, or the folder not written; then nothing is left of it.
pub fn import(
    checkpoint: &Checkpoint,
    folder: &Path,
    precision: Precision,
    tokenizer_files: &[(String, Vec<u8>)],
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), ModelError> {
    let description = checkpoint.description();
    let count = tensor_layout::tensors(description).len();
    let tensors = checkpoint.parameters(description)?.enumerate().map(|(index, tensor)| {
        progress(index + 1, count);
        tensor
    });
    let files = tokenizer_files;
    Saving { description, precision, shard_bytes: SHARD_BYTES, files }.write(folder, tensors)
}
