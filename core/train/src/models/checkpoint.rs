//! Checkpoint: a model's description and weights, in whichever files they are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

use hgpo_env::files::{Bytes, Files, ListedFile, join};

use super::hugging_face::safetensors::SafetensorsIndex;
use super::hugging_face::{peft_adapter, safetensors};
use super::tensor_layout;
use super::tensor_layout::{EMBEDDING, HEAD};
use super::{ByteSource, Description, ModelError, TensorRows, TensorSpec, gguf};

/// The file of a model in a single one.
pub const SINGLE: &str = "model.safetensors";

/// The file of the description.
pub const CONFIG: &str = "config.json";

/// A tensor of older files that is computed here.
const COMPUTED: &str = ".rotary_emb.inv_freq";

/// A model whose files are open; weights are read when they are asked for.
#[derive(Debug)]
pub struct Checkpoint {
    description: Description,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    Single(safetensors::SafetensorsFile),
    Sharded {
        name: String,
        index: SafetensorsIndex,
        files: BTreeMap<String, safetensors::SafetensorsFile>,
    },
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
        if let Some(problem) = peft_adapter::problem(files, folder, listed) {
            return Err(no_model(files, folder, &problem));
        }
        let weights = if let Some(index) = open(SafetensorsIndex::FILE)? {
            let has_single = listed.iter().any(|it| it.name == SINGLE);
            sharded(&index, has_single, &open)?
        } else {
            let nothing = "neither model.safetensors nor model.safetensors.index.json; convert \
                           weights of other formats first";
            let single = open(SINGLE)?.ok_or_else(|| no_model(files, folder, nothing))?;
            Weights::Single(safetensors::SafetensorsFile::open(single)?)
        };
        Ok(Self { description, weights })
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
            Weights::Single(_) | Weights::Sharded { .. } => None,
        }
    }

    /// The names of the files in the folder that weights are read from; of a GGUF file, none.
    #[must_use]
    pub fn weight_files(&self) -> Vec<&str> {
        match &self.weights {
            Weights::Single(_) => vec![SINGLE],
            Weights::Sharded { files, .. } => {
                files.keys().map(String::as_str).chain([SafetensorsIndex::FILE]).collect()
            }
            Weights::Gguf(_) => Vec::new(),
        }
    }

    /// All weights, one tensor at a time, in the order of [`tensor_layout::tensors`] and in the layout of
    /// Hugging Face. Names, shapes and types of all of them are checked before any is read.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors of `description`. The items are errors if a
    /// tensor cannot be read.
    pub fn parameters<'a>(
        &'a self,
        description: &'a Description,
    ) -> Result<impl Iterator<Item = Result<(TensorSpec, Vec<f32>), ModelError>> + 'a, ModelError>
    {
        let specs = tensor_layout::tensors(description);
        self.check(description, &specs)?;
        Ok(specs.into_iter().map(|spec| {
            let values = self.rows(&spec, description)?.to_vec();
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
    pub fn rows(
        &self,
        spec: &TensorSpec,
        description: &Description,
    ) -> Result<TensorRows, ModelError> {
        match &self.weights {
            Weights::Single(file) => file.rows(spec),
            Weights::Sharded { name, index, files } => shard(name, index, files, spec)?.rows(spec),
            Weights::Gguf(file) => file.rows(spec, description),
        }
    }

    /// The file that a tensor is in; the index of several files if none of them has it.
    pub(super) fn file_of(&self, name: &str) -> &str {
        match &self.weights {
            Weights::Single(file) => file.name(),
            Weights::Gguf(file) => file.name(),
            Weights::Sharded { name: index_name, index, files } => {
                let file = index.shard(name).and_then(|shard| files.get(shard));
                file.map_or(index_name, safetensors::SafetensorsFile::name)
            }
        }
    }

    /// Whether the files hold a tensor of a Hugging Face name.
    pub(super) fn holds(&self, name: &str) -> bool {
        match &self.weights {
            Weights::Single(file) => file.info(name).is_some(),
            Weights::Sharded { files, .. } => files.values().any(|it| it.info(name).is_some()),
            // There, a head means that the embedding is none.
            Weights::Gguf(_) => false,
        }
    }

    /// The error of a tensor that holds no number at a place.
    #[must_use]
    pub fn not_finite(&self, spec: &TensorSpec, value: f32, place: usize) -> ModelError {
        let file = self.file_of(&spec.name).to_owned();
        ModelError::NotFinite { file, name: spec.name.clone(), value, place }
    }

    /// Checks names, shapes and types of all tensors. None is read, but for a head beside an embedding that
    /// is the head: both have to be the same.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors `specs`, which are those of `description`.
    pub fn check(&self, description: &Description, specs: &[TensorSpec]) -> Result<(), ModelError> {
        let fits = |spec: &TensorSpec, file: &safetensors::SafetensorsFile| {
            file.check(spec).map_err(|error| error.of_vocabulary(spec))
        };
        match &self.weights {
            Weights::Single(file) => {
                specs.iter().try_for_each(|spec| fits(spec, file))?;
                no_surplus(description, specs, [file])?;
            }
            Weights::Sharded { name, index, files } => {
                for spec in specs {
                    fits(spec, shard(name, index, files, spec)?)?;
                }
                no_surplus(description, specs, files.values())?;
                no_copies(index, files)?;
            }
            Weights::Gguf(file) => file.check(specs)?,
        }
        self.check_tied_head(description)
    }

    /// Checks that a head in the files of a model whose embedding is its head is that embedding. If it is
    /// another one, transformers 4 leaves it out and transformers 5 uses it: two different models.
    ///
    /// # Errors
    /// The head has other values, or another shape; one of the two cannot be read.
    fn check_tied_head(&self, description: &Description) -> Result<(), ModelError> {
        if !description.model.tie_word_embeddings || !self.holds(HEAD) {
            return Ok(());
        }
        let Some(embedding) =
            tensor_layout::tensors(description).into_iter().find(|it| it.name == EMBEDDING)
        else {
            return Ok(());
        };
        let head = TensorSpec { name: HEAD.to_owned(), ..embedding.clone() };
        let own = self.rows(&head, description).map_err(|error| error.of_vocabulary(&head))?;
        if own.same_values(&self.rows(&embedding, description)?) {
            return Ok(());
        }
        Err(ModelError::TiedHead { file: self.file_of(HEAD).to_owned() })
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
        no_model(files, folder, &peft_adapter::problem(files, folder, listed).unwrap_or(problem))
    })?;
    Description::parse(config.name(), &whole(&config)?)
}

fn no_model(files: &dyn Files, path: &str, problem: &str) -> ModelError {
    ModelError::NoModel { path: files.place(path), problem: problem.to_owned() }
}

fn whole(source: &ByteSource) -> Result<Bytes, ModelError> {
    source.read(0, source.length())
}

fn sharded(
    source: &ByteSource,
    has_single: bool,
    open: &dyn Fn(&str) -> Result<Option<ByteSource>, ModelError>,
) -> Result<Weights, ModelError> {
    let name = source.name().to_owned();
    let index = SafetensorsIndex::parse(&name, &whole(source)?)?;
    if has_single && !index.shards().contains(SINGLE) {
        // Transformers would read the other one.
        let problem =
            format!("{SINGLE} is beside it: two models in one folder; delete one of them");
        return Err(ModelError::unsupported(&name, problem));
    }
    let mut files = BTreeMap::new();
    for shard in index.shards() {
        let absent = || ModelError::Shard {
            index: name.clone(),
            shard: shard.to_owned(),
            name: index.tensor_in(shard).unwrap_or_default().to_owned(),
        };
        let file = safetensors::SafetensorsFile::open(open(shard)?.ok_or_else(absent)?)?;
        files.insert(shard.to_owned(), file);
    }
    Ok(Weights::Sharded { name, index, files })
}

/// The file that a tensor is in.
fn shard<'a>(
    name: &str,
    index: &SafetensorsIndex,
    files: &'a BTreeMap<String, safetensors::SafetensorsFile>,
    spec: &TensorSpec,
) -> Result<&'a safetensors::SafetensorsFile, ModelError> {
    let found = index.shard(&spec.name).and_then(|shard| files.get(shard));
    found.ok_or_else(|| ModelError::missing(name, &spec.name))
}

/// Refuses a tensor that is in another file than the index says: it would be read from either, by one program or
/// another.
fn no_copies(
    index: &SafetensorsIndex,
    files: &BTreeMap<String, safetensors::SafetensorsFile>,
) -> Result<(), ModelError> {
    for (shard, file) in files {
        let listed = |name: &String| index.shard(name) == Some(shard) || name.ends_with(COMPUTED);
        if let Some(name) = file.tensors().into_iter().find(|name| !listed(name)) {
            let place = match index.shard(&name) {
                Some(shard) => format!("says that it is in {shard}"),
                None => "does not have it".to_owned(),
            };
            let problem = format!(
                "tensor '{name}' is here, but the index {place}: files of two models are mixed; download the \
                 model again"
            );
            return Err(ModelError::unsupported(file.name(), problem));
        }
    }
    Ok(())
}

/// Weights without a place would be weights of a model that computes something else. A head beside
/// an embedding that is the head, and what is computed here, are passed over:
/// [`Checkpoint::check_tied_head`] compares the two.
fn no_surplus<'a>(
    description: &Description,
    specs: &[TensorSpec],
    files: impl IntoIterator<Item = &'a safetensors::SafetensorsFile>,
) -> Result<(), ModelError> {
    let known: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let tied = description.model.tie_word_embeddings;
    let passed = |name: &str| name.ends_with(COMPUTED) || (tied && name == HEAD);
    for file in files {
        let mut names = file.tensors().into_iter();
        if let Some(name) = names.find(|name| !known.contains(name.as_str()) && !passed(name)) {
            return Err(ModelError::Surplus { file: file.name().to_owned(), name });
        }
    }
    Ok(())
}
