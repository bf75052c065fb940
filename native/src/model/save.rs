//! Model folders that Hugging Face's transformers loads, and how they are written; also from a GGUF file.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use hgpo_train::models::hugging_face::safetensors::{SafetensorsIndex, write_header};
use hgpo_train::models::{
    CONFIG, Checkpoint, Description, ModelError, Precision, SINGLE, TensorSpec, tensor_layout,
};

use crate::run::storage::atomic_write;
use crate::run::storage::lock::lock_file;

/// Bytes of values beyond which weights are split into several files, as transformers splits them.
pub const SHARD_BYTES: u64 = 5_000_000_000;

/// What is written beside the weights, and how they are kept.
#[derive(Clone, Copy, Debug)]
pub struct Saving<'a> {
    /// Shape and special tokens.
    pub description: &'a Description,
    /// How weights are kept; they are rounded to the nearest, ties to even.
    pub precision: Precision,
    /// Bytes of values beyond which weights are split: [`SHARD_BYTES`].
    pub shard_bytes: u64,
    /// Further files by name, such as `tokenizer.json`.
    pub files: &'a [(String, Vec<u8>)],
}

impl Saving<'_> {
    /// Writes the folder from the tensors of [`tensor_layout::tensors`], in that order. All of it is
    /// written beside the folder first, so that it is either whole or absent.
    ///
    /// # Errors
    /// The folder is there already, something cannot be written, or a tensor is not the next of
    /// the description or too large for the precision; nothing is then left.
    pub fn write<E: From<ModelError>>(
        &self,
        folder: &Path,
        tensors: impl IntoIterator<Item = Result<(TensorSpec, Vec<f32>), E>>,
    ) -> Result<(), E> {
        let (partial, _held) = prepare(folder)?;
        let written = self
            .write_files(&partial, &mut tensors.into_iter())
            .and_then(|()| Ok(put_in_place(&partial, folder)?));
        if written.is_err() {
            // Half a model is of no use; the first error is the one to report.
            let _ = fs::remove_dir_all(&partial);
        }
        written
    }

    fn write_files<E: From<ModelError>>(
        &self,
        folder: &Path,
        tensors: &mut dyn Iterator<Item = Result<(TensorSpec, Vec<f32>), E>>,
    ) -> Result<(), E> {
        let shards = self.shards();
        let mut in_file = Vec::new();
        for (number, specs) in shards.iter().enumerate() {
            let name = shard_name(number, shards.len());
            self.write_shard(&folder.join(&name), specs, tensors)?;
            in_file.extend(specs.iter().map(|spec| (spec.name.clone(), name.clone())));
        }
        if let Some(tensor) = tensors.next() {
            let found = format!("tensor '{}'", tensor?.0.name);
            let expected = "no further tensor".to_owned();
            return Err(ModelError::Order { found, expected }.into());
        }
        let mut texts = vec![(CONFIG.to_owned(), self.description.to_json(self.precision))];
        if shards.len() > 1 {
            let values = shards.iter().flatten().map(|spec| spec.count() as u64).sum::<u64>();
            let index = SafetensorsIndex::new(in_file, values * self.precision.bytes() as u64);
            texts.push((SafetensorsIndex::FILE.to_owned(), index.to_json()));
        }
        if let Some(text) = self.description.to_generation_json() {
            texts.push(("generation_config.json".to_owned(), text));
        }
        let ours = texts.iter().map(|(name, text)| (name, text.as_bytes()));
        let given = self.files.iter().map(|(name, bytes)| (name, bytes.as_slice()));
        // After ours, so that what the caller knows better is kept.
        for (name, bytes) in ours.chain(given) {
            let path = folder.join(name);
            atomic_write::write_synchronised(&path, bytes).map_err(ModelError::write(&path))?;
        }
        Ok(())
    }

    /// The tensors of each file.
    fn shards(&self) -> Vec<Vec<TensorSpec>> {
        let mut shards: Vec<Vec<TensorSpec>> = vec![Vec::new()];
        let mut start = 0;
        for spec in tensor_layout::tensors(self.description) {
            let bytes = spec.count() * self.precision.bytes();
            if start > 0 && (start + bytes) as u64 > self.shard_bytes {
                shards.push(Vec::new());
                start = 0;
            }
            if let Some(last) = shards.last_mut() {
                last.push(spec);
            }
            start += bytes;
        }
        shards
    }

    fn write_shard<E: From<ModelError>>(
        &self,
        path: &Path,
        specs: &[TensorSpec],
        tensors: &mut dyn Iterator<Item = Result<(TensorSpec, Vec<f32>), E>>,
    ) -> Result<(), E> {
        let header = write_header(specs, self.precision).map_err(|error| {
            ModelError::unsupported(&path.display().to_string(), error.to_string())
        })?;
        let mut file = File::create(path).map_err(ModelError::write(path))?;
        file.write_all(&header).map_err(ModelError::write(path))?;
        for spec in specs {
            let values = self.next_values(spec, tensors)?;
            let bytes = self.precision.encode(&values);
            file.write_all(&bytes).map_err(ModelError::write(path))?;
        }
        file.sync_all().map_err(ModelError::write(path))?;
        Ok(())
    }

    /// The values of the next tensor, which has to be `spec`.
    fn next_values<E: From<ModelError>>(
        &self,
        spec: &TensorSpec,
        tensors: &mut dyn Iterator<Item = Result<(TensorSpec, Vec<f32>), E>>,
    ) -> Result<Vec<f32>, E> {
        let expected = format!("tensor '{}' with shape {:?}", spec.name, spec.shape);
        let Some(tensor) = tensors.next() else {
            return Err(ModelError::Order { found: "nothing".to_owned(), expected }.into());
        };
        let (found, values) = tensor?;
        if found != *spec || values.len() != spec.count() {
            let found = format!("tensor '{}'", found.name);
            return Err(ModelError::Order { found, expected }.into());
        }
        let Some(value) = self.precision.too_large(&values) else { return Ok(values) };
        let (name, precision) = (found.name, self.precision);
        Err(ModelError::TooLarge { name, value, precision }.into())
    }
}

/// The name that transformers gives a file of several.
fn shard_name(number: usize, count: usize) -> String {
    if count == 1 {
        return SINGLE.to_owned();
    }
    format!("model-{:05}-of-{count:05}.safetensors", number + 1)
}

/// Makes the folder that is written to before it takes its own name, and holds it, if the system can.
fn prepare(folder: &Path) -> Result<(PathBuf, Option<File>), ModelError> {
    let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if folder.file_name().is_none() || folder.exists() && !is_empty {
        return Err(ModelError::Exists { folder: folder.display().to_string() });
    }
    let partial = atomic_write::partial(folder);
    if partial.exists() {
        // Of a process that was stopped, unless one holds it.
        drop(lock_folder(&partial, folder)?);
        fs::remove_dir_all(&partial).map_err(ModelError::write(&partial))?;
    }
    fs::create_dir_all(&partial).map_err(ModelError::write(&partial))?;
    let held = lock_folder(&partial, folder)?;
    Ok((partial, held))
}

/// Holds the folder that `folder` is made in until it is closed; none if the system cannot open folders.
fn lock_folder(partial: &Path, folder: &Path) -> Result<Option<File>, ModelError> {
    let Ok(file) = File::open(partial) else { return Ok(None) };
    if lock_file(&file).map_err(ModelError::write(partial))? {
        return Ok(Some(file));
    }
    let problem = "another process is writing it: wait for it to end, or stop it";
    Err(ModelError::write(folder)(std::io::Error::new(ErrorKind::WouldBlock, problem)))
}

fn put_in_place(partial: &Path, folder: &Path) -> Result<(), ModelError> {
    let synchronise =
        |folder: &Path| atomic_write::synchronise_folder(folder).map_err(ModelError::write(folder));
    synchronise(partial)?;
    if folder.exists() {
        fs::remove_dir(folder).map_err(ModelError::write(folder))?;
    }
    fs::rename(partial, folder).map_err(ModelError::write(folder))?;
    synchronise(atomic_write::parent_folder(folder))
}

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
    let tensors = checkpoint.parameters()?.enumerate().map(|(index, tensor)| {
        progress(index + 1, count);
        tensor
    });
    let files = tokenizer_files;
    Saving { description, precision, shard_bytes: SHARD_BYTES, files }.write(folder, tensors)
}
