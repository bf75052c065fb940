//! Language model in Hugging Face's format, ready to read and write: weights, tokenizer, chat template.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use hgpo_env::files;
use hgpo_train::memory::{MemoryPart, PolicySize};
use hgpo_train::models::chat::ChatTemplates;
use hgpo_train::models::tensor_layout;
use hgpo_train::models::tokenizer::{Tokenizer, from_gguf};
use hgpo_train::models::{
    CONFIG as DESCRIPTION, Checkpoint, Description, ModelError, Precision, TensorSpec, gguf,
    is_lfs_pointer,
};
use hgpo_train::policy::transformer::parameters::ParameterSubset;
use hgpo_train::policy::transformer::{DecoderPolicy, weights};

use crate::device::Chosen;
use crate::file_digest::{FileDigest, InputFiles};
use crate::model::hub::{Download, Hub};
use crate::model::{SHARD_BYTES, Saving};
use crate::run::machine::memory_check;
use crate::run::{Display, Threads, if_exists};

/// A model with what it takes to talk to it; its weights are read last.
#[derive(Debug)]
pub(crate) struct LanguageModel {
    name: String,
    checkpoint: Checkpoint,
    /// Texts to tokens and back.
    pub tokenizer: Arc<Tokenizer>,
    /// Conversations to texts.
    pub templates: Arc<ChatTemplates>,
    /// What it takes to write it again.
    pub export: ModelExport,
}

/// Writes weights of a model's shape as a folder.
#[derive(Debug)]
pub struct ModelExport {
    description: Description,
    /// The files of its tokenizer and template, by name.
    files: Vec<NamedFile>,
}

/// A file's name in a model's folder, and its bytes.
pub(crate) type NamedFile = (String, Vec<u8>);

/// The files beside a model's weights that say what it reads and writes.
const TOKENIZER: &str = "tokenizer.json";
const CONFIG: &str = "tokenizer_config.json";
const GENERATION: &str = "generation_config.json";
const TEMPLATE: &str = "chat_template.jinja";

impl LanguageModel {
    /// Opens a folder, a GGUF file, or a model of Hugging Face's hub by its name (`OWNER/NAME`).
    ///
    /// # Errors
    /// It is not there, damaged or not supported: everything but the values of the weights is checked.
    pub(crate) fn open(name: &str, display: &Display) -> anyhow::Result<Self> {
        let path = locate(name, display, Hub::fetch)?;
        let checkpoint = Checkpoint::open(&path)?;
        let files = match checkpoint.gguf() {
            Some(file) => gguf_tokenizer(file, display)?,
            None => beside(&path)?,
        };
        let file = |wanted: &str| {
            files.iter().find(|(name, _)| name == wanted).map(|(_, bytes)| bytes.as_slice())
        };
        let (config, generation) = (file(CONFIG), file(GENERATION));
        let place = || format!("{}", path.display());
        let tokenizer =
            Tokenizer::from_files(file(TOKENIZER).unwrap_or_default(), config, generation)
                .with_context(place)?;
        let description = checkpoint.description().clone();
        tokenizer.check_against(description.vocab_size).with_context(place)?;
        let template = file(TEMPLATE).map(std::str::from_utf8).transpose();
        let template = template.context("chat_template.jinja is not UTF-8")?;
        let templates = ChatTemplates::from_files(config, template).with_context(place)?;
        let (tokenizer, templates) = (Arc::new(tokenizer), Arc::new(templates));
        let export = ModelExport { description, files };
        Ok(Self { name: name.to_owned(), checkpoint, tokenizer, templates, export })
    }

    /// The files that it is read from.
    ///
    /// # Errors
    /// Those of [`Self::open`], as far as they do not concern what is in the files, and files that cannot be read.
    pub(crate) fn input(name: &str, display: &Display) -> anyhow::Result<InputFiles> {
        let path = locate(name, display, Hub::fetch)?;
        let checkpoint = Checkpoint::open(&path)?;
        let entry = |path: &Path| {
            FileDigest::read(path).with_context(|| format!("cannot read {}", path.display()))
        };
        let mut files = BTreeMap::new();
        if checkpoint.gguf().is_some() {
            files.insert("the file".to_owned(), entry(&path)?);
        } else {
            let texts = [DESCRIPTION, TOKENIZER, CONFIG, GENERATION, TEMPLATE];
            for name in checkpoint.weight_files().into_iter().chain(texts) {
                let file = path.join(name);
                if file.exists() {
                    files.insert(name.to_owned(), entry(&file)?);
                }
            }
        }
        Ok(InputFiles { path: std::path::absolute(path)?, files })
    }

    /// Reads its weights; those that are not `trained` are held in `precision`.
    ///
    /// # Errors
    /// They cannot be read, are too large for the device, or it does not compute in that precision.
    pub(crate) fn policy(
        &self,
        precision: Precision,
        trained: bool,
        device: &Chosen,
    ) -> anyhow::Result<DecoderPolicy> {
        check_precision(precision, device)?;
        let held = if trained { Precision::F32 } else { precision };
        if device.adapter.is_none() {
            memory_check::check_parts(&[self.weights(held)])?;
        }
        let tensors = tensor_layout::tensors(self.description()).into_iter();
        if let Some(largest) = tensors.max_by_key(TensorSpec::count) {
            let takes = format!("tensor '{}' takes", largest.name);
            let remedy = "use --device cpu, another adapter or a smaller model";
            check_tensor(device, (largest.count() * held.bytes()) as u64, &takes, remedy)?;
        }
        let threads = Threads::new(None).on(device.adapter.as_ref());
        let device = &device.device;
        Ok(DecoderPolicy::open(&self.checkpoint, precision, trained, device, &threads)?)
    }

    /// What it looks like.
    pub(crate) fn description(&self) -> &Description {
        &self.export.description
    }

    /// How large it is.
    pub(crate) fn size(&self) -> PolicySize {
        PolicySize::new(&self.description().model, self.description().vocab_size, None)
    }

    /// The memory of its weights.
    pub(crate) fn weights(&self, precision: Precision) -> MemoryPart {
        let bytes = self.size().weights.saturating_mul(precision.bytes() as u64);
        MemoryPart { what: "weights", bytes, settings: "the size of the model" }
    }

    /// Checks that it can answer messages.
    ///
    /// # Errors
    /// It has no chat template.
    pub(crate) fn check_template(&self) -> anyhow::Result<()> {
        if self.templates.is_empty() {
            bail!(
                "{} has no chat template: use an instruction-tuned model (often named Instruct), \
                 or put a chat_template.jinja into its folder",
                self.name
            );
        }
        Ok(())
    }

    /// What a model looks like; of a folder or a name, nothing but `config.json` is needed.
    ///
    /// # Errors
    /// It is not there, damaged or not supported; [`ModelError::Unreachable`] if the hub would have to
    /// be asked and cannot be.
    pub(crate) fn describe(name: &str, display: &Display) -> Result<Description, ModelError> {
        Checkpoint::description_in(&locate(name, display, Hub::fetch_description)?)
    }

    /// Checks that a text of this many tokens can be read and answered.
    ///
    /// # Errors
    /// It is longer than the texts that the model was made for.
    pub(crate) fn check_length(&self, tokens: usize, answer: usize) -> anyhow::Result<()> {
        let most = self.description().max_position_embeddings;
        if tokens.saturating_add(answer) > most {
            bail!(
                "the text has {tokens} tokens and the answer may have {answer}, but the model's \
                 context is {most} tokens: shorten one of them"
            );
        }
        Ok(())
    }
}

impl ModelExport {
    /// Writes the weights of a policy, adapters added to them, as a folder that it can be opened from
    /// again and that transformers loads.
    ///
    /// # Errors
    /// The folder is there already or cannot be written.
    pub fn write(
        &self,
        policy: &DecoderPolicy,
        folder: &Path,
        precision: Precision,
    ) -> anyhow::Result<()> {
        let decoder = policy.decoder.clone().merged();
        let saving = Saving {
            description: &self.description,
            precision,
            shard_bytes: SHARD_BYTES,
            files: &self.files,
        };
        let specs = tensor_layout::tensors(&self.description).into_iter();
        let values = weights::values_of(&decoder, ParameterSubset::All);
        let tensors =
            specs.zip(values).map(|(spec, values)| Ok::<_, anyhow::Error>((spec, values?)));
        saving.write(folder, tensors)
    }
}

/// The files of the tokenizer in a GGUF file; what had to be assumed goes to standard error.
///
/// # Errors
/// It has none, or one that cannot be converted.
pub(crate) fn gguf_tokenizer(
    file: &gguf::GgufFile,
    display: &Display,
) -> anyhow::Result<Vec<NamedFile>> {
    let place = || file.name().to_owned();
    let files = from_gguf(&file.tokenizer()?).with_context(place)?;
    if let Some(assumed) = &files.assumed {
        display.warn(&format!("{}: {assumed}", file.name()));
    }
    Ok(files.named())
}

/// The files beside the weights in a folder, those that are there.
fn beside(folder: &Path) -> anyhow::Result<Vec<NamedFile>> {
    let mut files = Vec::new();
    for name in [TOKENIZER, CONFIG, GENERATION, TEMPLATE] {
        let path = folder.join(name);
        let bytes = if_exists(files::read_regular(&path))
            .with_context(|| format!("cannot read {}", path.display()))?;
        match bytes {
            Some(bytes) if is_lfs_pointer(&bytes) => {
                bail!("{}: a Git LFS pointer: run `git lfs pull` in its folder", path.display())
            }
            Some(bytes) => files.push((name.to_owned(), bytes)),
            None if name == TOKENIZER => {
                bail!("{} has no {TOKENIZER}: download that file too", folder.display())
            }
            None => {}
        }
    }
    Ok(files)
}

/// How the folder of a model is had by its name.
type Fetch = fn(&Hub, &str, &mut dyn FnMut(Download<'_>)) -> Result<PathBuf, ModelError>;

/// The folder or file that a name means. What exists is a path; a name of two parts is fetched.
fn locate(name: &str, display: &Display, fetch: Fetch) -> Result<PathBuf, ModelError> {
    let path = Path::new(name);
    let named = name.split('/').filter(|part| !part.is_empty() && !part.starts_with('.')).count();
    if path.exists() || path.is_absolute() || named != 2 || name.matches('/').count() != 1 {
        return Ok(path.to_owned());
    }
    let hub = Hub::from_environment(&|name| std::env::var(name).ok())?;
    let mut announced = String::new();
    let mut progress = |Download { file, done, size }: Download<'_>| {
        if announced != file {
            file.clone_into(&mut announced);
            display.warn(&format!("downloading {file} of {name}, {:.1} MB", size as f64 / 1e6));
        }
        if size > 0 {
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000) as usize;
            display.progress(&format!("{file}, MB"), megabytes(done), megabytes(size));
        }
    };
    let folder = fetch(&hub, name, &mut progress);
    display.clear();
    folder
}

/// Refuses a precision that the device does not compute in.
fn check_precision(precision: Precision, device: &Chosen) -> anyhow::Result<()> {
    if !device.device.supports_dtype(precision.dtype()) {
        let has = |other: &Precision| device.device.supports_dtype(other.dtype());
        let others: Vec<&str> =
            Precision::ALL.iter().filter(|it| has(it)).map(|it| it.name()).collect();
        bail!(
            "precision {}: not supported by this device ({}); use {}",
            precision.name(),
            device.reason,
            others.join(", ")
        );
    }
    Ok(())
}

/// Refuses a tensor of so many bytes if the adapter cannot hold it, before anything is read.
pub(super) fn check_tensor(
    device: &Chosen,
    bytes: u64,
    takes: &str,
    remedy: &str,
) -> anyhow::Result<()> {
    let Some(adapter) = &device.adapter else { return Ok(()) };
    let most = adapter.max_binding.min(adapter.max_buffer);
    let [needed, allowed] = [bytes, most].map(|bytes| bytes / 1_000_000);
    ensure!(
        bytes <= most,
        "{takes} {needed} MB, and {adapter} allows at most {allowed} MB: {remedy}"
    );
    Ok(())
}
