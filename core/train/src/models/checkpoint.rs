//! Checkpoint: a model's description and weights, in whichever files they are.

use std::io::ErrorKind;
use std::path::Path;

use hgpo_env::files::{Files, ListedFile, join};
use serde_json::Value;

use super::hugging_face::safetensors::{SINGLE, SafetensorsFiles, SafetensorsIndex};
use super::{ByteSource, Description, ModelError, TensorRows, TensorSpec, gguf, tensor_layout};

/// The file of the description.
pub const CONFIG: &str = "config.json";

/// The file that says what a PEFT adapter is.
const ADAPTER: &str = "adapter_config.json";

/// A model whose files are open; weights are read when they are asked for.
#[derive(Debug)]
pub struct Checkpoint {
    description: Description,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    Safetensors(SafetensorsFiles),
    Gguf(Box<gguf::GgufFile>),
}

impl Checkpoint {
    /// Opens the model in a Hugging Face model folder, or in a GGUF file.
    ///
    /// # Errors
    /// There is none, a file of it is missing, damaged or cannot be read, or describes what is not
    /// supported; the error says what to do.
    pub fn find(files: &dyn Files, path: &str) -> Result<Self, ModelError> {
        match files.list(path) {
            Ok(listed) => Self::in_folder(files, path, &listed),
            Err(error)
                if [ErrorKind::NotADirectory, ErrorKind::NotFound].contains(&error.kind()) =>
            {
                Self::in_file(files, path)
            }
            Err(reason) => Err(ModelError::Read { file: files.place(path), reason }),
        }
    }

    /// What the model in a Hugging Face model folder or a GGUF file looks like. Of a folder, `config.json`
    /// is read and nothing else has to be there.
    ///
    /// # Errors
    /// There is no description, it cannot be read, or it describes what is not supported.
    pub fn describe(files: &dyn Files, path: &str) -> Result<Description, ModelError> {
        match files.list(path) {
            Ok(listed) => described(files, path, &listed),
            Err(_) => Ok(Self::find(files, path)?.description),
        }
    }

    fn in_file(files: &dyn Files, path: &str) -> Result<Self, ModelError> {
        let absent = || no_model(files, path, "no such file or folder");
        let source = ByteSource::open(files, path)?.ok_or_else(absent)?;
        if source.length() < 4 || *source.read(0, 4)? != gguf::MAGIC {
            let other = "not a GGUF file; to use a Hugging Face model, name its folder";
            return Err(no_model(files, path, other));
        }
        Self::from_gguf(gguf::GgufFile::open(source)?)
    }

    fn in_folder(
        files: &dyn Files,
        folder: &str,
        listed: &[ListedFile],
    ) -> Result<Self, ModelError> {
        let open = |name: &str| ByteSource::open(files, &join(folder, name));
        let description = described(files, folder, listed)?;
        if let Some(problem) = adapter_problem(files, folder, listed) {
            return Err(no_model(files, folder, &problem));
        }
        let weights = if let Some(index) = open(SafetensorsIndex::FILE)? {
            let has_single = listed.iter().any(|it| it.name == SINGLE);
            SafetensorsFiles::sharded(&index, has_single, &open)?
        } else {
            let nothing = "neither model.safetensors nor model.safetensors.index.json; convert \
                           weights of other formats first";
            let single = open(SINGLE)?.ok_or_else(|| no_model(files, folder, nothing))?;
            SafetensorsFiles::single(single)?
        };
        Ok(Self { description, weights: Weights::Safetensors(weights) })
    }

    /// A model in a GGUF file.
    ///
    /// # Errors
    /// Its metadata is incomplete or describes what is not supported.
    pub fn from_gguf(file: gguf::GgufFile) -> Result<Self, ModelError> {
        Ok(Self { description: file.description()?, weights: Weights::Gguf(Box::new(file)) })
    }

    /// What the files say about the model.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The GGUF file, if it is one.
    #[must_use]
    pub fn gguf(&self) -> Option<&gguf::GgufFile> {
        match &self.weights {
            Weights::Gguf(file) => Some(file),
            Weights::Safetensors(_) => None,
        }
    }

    /// The names of the files in the folder that weights are read from; of a GGUF file, none.
    #[must_use]
    pub fn weight_files(&self) -> Vec<&str> {
        match &self.weights {
            Weights::Safetensors(weights) => {
                let index = weights.index.as_ref().map(|_| SafetensorsIndex::FILE);
                weights.files.keys().map(String::as_str).chain(index).collect()
            }
            Weights::Gguf(_) => Vec::new(),
        }
    }

    /// All weights, one tensor at a time, in the order of [`tensor_layout::tensors`] and in the layout of
    /// Hugging Face. Names, shapes and types of all of them are checked before any is read.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors of the description. The items are errors if a
    /// tensor cannot be read.
    pub fn parameters(
        &self,
    ) -> Result<impl Iterator<Item = Result<(TensorSpec, Vec<f32>), ModelError>>, ModelError> {
        Ok(self.tensors()?.into_iter().map(|spec| {
            let values = self.rows(&spec)?.to_vec();
            match values.iter().position(|value| !value.is_finite()) {
                Some(place) => Err(self.not_finite(&spec, values[place], place)),
                None => Ok((spec, values)),
            }
        }))
    }

    /// One tensor of [`tensor_layout::tensors`], in the layout of Hugging Face. Several threads can read at once.
    ///
    /// # Errors
    /// It is missing, has another shape or a type that is not read, or the file cannot be read.
    pub fn rows(&self, spec: &TensorSpec) -> Result<TensorRows, ModelError> {
        match &self.weights {
            Weights::Safetensors(weights) => weights.file(&spec.name)?.rows(spec),
            Weights::Gguf(file) => file.rows(spec, &self.description),
        }
    }

    /// The error of a tensor that holds no number at a place.
    #[must_use]
    pub fn not_finite(&self, spec: &TensorSpec, value: f32, place: usize) -> ModelError {
        let file = match &self.weights {
            Weights::Safetensors(weights) => weights.file_name(&spec.name),
            Weights::Gguf(file) => file.name(),
        };
        ModelError::NotFinite { file: file.to_owned(), name: spec.name.clone(), value, place }
    }

    /// All tensors, whose names, shapes and types are checked. None is read, but for a head beside an embedding
    /// that is the head: both have to be the same.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors of the description.
    pub fn tensors(&self) -> Result<Vec<TensorSpec>, ModelError> {
        let specs = tensor_layout::tensors(&self.description);
        match &self.weights {
            Weights::Safetensors(weights) => weights.check(&self.description, &specs)?,
            Weights::Gguf(file) => file.check(&specs)?,
        }
        Ok(specs)
    }
}

#[cfg(feature = "files")]
impl Checkpoint {
    /// Opens the model in a Hugging Face model folder, or in a GGUF file.
    ///
    /// # Errors
    /// As [`Self::find`].
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let (files, name) = hgpo_env::files::Folder::around(path);
        Self::find(&files, &name)
    }

    /// What the model in a Hugging Face model folder or a GGUF file looks like; weights are not needed.
    ///
    /// # Errors
    /// As [`Self::describe`].
    pub fn description_in(path: &Path) -> Result<Description, ModelError> {
        let (files, name) = hgpo_env::files::Folder::around(path);
        Self::describe(&files, &name)
    }
}

/// What `config.json` in a folder says.
fn described(
    files: &dyn Files,
    folder: &str,
    listed: &[ListedFile],
) -> Result<Description, ModelError> {
    let config = ByteSource::open(files, &join(folder, CONFIG))?.ok_or_else(|| {
        let is_gguf = |name: &&str| Path::new(name).extension().is_some_and(|it| it == "gguf");
        let problem = match listed.iter().map(|it| it.name.as_str()).filter(is_gguf).min() {
            Some(name) => {
                let file = files.place(&join(folder, name));
                format!("no config.json, but a GGUF file: use {file}")
            }
            None => "no config.json: not a Hugging Face model folder".to_owned(),
        };
        no_model(files, folder, &adapter_problem(files, folder, listed).unwrap_or(problem))
    })?;
    Description::parse(config.name(), &config.read_all()?)
}

fn no_model(files: &dyn Files, path: &str, problem: &str) -> ModelError {
    ModelError::NoModel { path: files.place(path), problem: problem.to_owned() }
}

/// What is wrong with a folder that holds an adapter, which is no model by itself, and what to do.
fn adapter_problem(files: &dyn Files, folder: &str, listed: &[ListedFile]) -> Option<String> {
    listed.iter().find(|it| it.name == ADAPTER)?;
    let base = match adapter_base(files, folder) {
        Some(base) => format!("the model '{base}'"),
        None => "another model".to_owned(),
    };
    Some(format!(
        "{ADAPTER} says that it is a PEFT adapter of {base}, not a model; merge the two and use the new \
         folder: in Python, `AutoPeftModelForCausalLM.from_pretrained(ADAPTER).merge_and_unload()\
         .save_pretrained(NEW)`, and copy the tokenizer's files (if it is merged already, delete {ADAPTER})"
    ))
}

/// The model that an adapter belongs to, if its file says so.
fn adapter_base(files: &dyn Files, folder: &str) -> Option<String> {
    let config = ByteSource::open(files, &join(folder, ADAPTER)).ok()??;
    let bytes = config.read_all().ok()?;
    let config: Value = serde_json::from_slice(&bytes).ok()?;
    config.get("base_model_name_or_path")?.as_str().map(str::to_owned)
}
