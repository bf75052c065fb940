//! A model's description and weights, in whichever files they are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

use hgpo_env::files::{Bytes, Files, ListedFile, join};

use super::layout::{self, HEAD};
use super::safetensors::Index;
use super::{Description, ModelError, Rows, Source, Spec, adapter, gguf, safetensors};

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
    Single(safetensors::File),
    Sharded { name: String, index: Index, files: BTreeMap<String, safetensors::File> },
    Gguf(Box<gguf::File>),
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
        let source = Source::open(files, path)?.ok_or_else(absent)?;
        if source.length() < 4 || *source.read(0, 4)? != gguf::MAGIC {
            let other = "not a GGUF file; to use a Hugging Face model, name its folder";
            return Err(no_model(files, path, other));
        }
        Self::from_gguf(gguf::File::open(source)?)
    }

    fn in_folder(
        files: &dyn Files,
        folder: &str,
        listed: &[ListedFile],
    ) -> Result<Self, ModelError> {
        let open = |name: &str| Source::open(files, &join(folder, name));
        let description = described(files, folder, listed)?;
        if let Some(problem) = adapter::problem(files, folder, listed) {
            return Err(no_model(files, folder, &problem));
        }
        let weights = if let Some(index) = open(Index::FILE)? {
            let has_single = listed.iter().any(|it| it.name == SINGLE);
            sharded(&index, has_single, &open)?
        } else {
            let nothing = "neither model.safetensors nor model.safetensors.index.json; convert \
                           weights of other formats first";
            let single = open(SINGLE)?.ok_or_else(|| no_model(files, folder, nothing))?;
            Weights::Single(safetensors::File::open(single)?)
        };
        Ok(Self { description, weights })
    }

    /// A model in a GGUF file.
    ///
    /// # Errors
    /// Its metadata is incomplete or describes what is not supported.
    pub fn from_gguf(file: gguf::File) -> Result<Self, ModelError> {
        Ok(Self { description: file.description()?, weights: Weights::Gguf(Box::new(file)) })
    }

    /// What the files say about the model.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The GGUF file, where it is one.
    #[must_use]
    pub fn gguf(&self) -> Option<&gguf::File> {
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
                files.keys().map(String::as_str).chain([Index::FILE]).collect()
            }
            Weights::Gguf(_) => Vec::new(),
        }
    }

    /// All weights, one tensor at a time, in the order of [`layout::tensors`] and in the layout of
    /// Hugging Face. Names, shapes and types of all of them are checked before any is read.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors of `description`. The items are errors where a
    /// tensor cannot be read.
    pub fn parameters<'a>(
        &'a self,
        description: &'a Description,
    ) -> Result<impl Iterator<Item = Result<(Spec, Vec<f32>), ModelError>> + 'a, ModelError> {
        let specs = layout::tensors(description);
        self.check(description, &specs)?;
        Ok(specs.into_iter().map(|spec| {
            let values = self.rows(&spec, description)?.to_vec();
            match values.iter().position(|value| !value.is_finite()) {
                Some(place) => Err(self.not_finite(&spec, values[place], place)),
                None => Ok((spec, values)),
            }
        }))
    }

    /// One tensor of [`layout::tensors`], in the layout of Hugging Face. Several threads can read at once.
    ///
    /// # Errors
    /// It is missing, has another shape or a type that is not read, or the file cannot be read.
    pub fn rows(&self, spec: &Spec, description: &Description) -> Result<Rows, ModelError> {
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
                file.map_or(index_name, safetensors::File::name)
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
    pub fn not_finite(&self, spec: &Spec, value: f32, place: usize) -> ModelError {
        let file = self.file_of(&spec.name).to_owned();
        ModelError::NotFinite { file, name: spec.name.clone(), value, place }
    }

    /// Checks names, shapes and types of all tensors. None is read, but for a head beside an embedding that
    /// is the head: both have to be the same.
    ///
    /// # Errors
    /// The files do not hold exactly the tensors `specs`, which are those of `description`.
    pub fn check(&self, description: &Description, specs: &[Spec]) -> Result<(), ModelError> {
        let fits = |spec: &Spec, file: &safetensors::File| {
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
}

/// What `config.json` in a folder says.
fn described(
    files: &dyn Files,
    folder: &str,
    listed: &[ListedFile],
) -> Result<Description, ModelError> {
    let config = Source::open(files, &join(folder, CONFIG))?.ok_or_else(|| {
        let is_gguf = |name: &&str| Path::new(name).extension().is_some_and(|it| it == "gguf");
        let problem = match listed.iter().map(|it| it.name.as_str()).filter(is_gguf).min() {
            Some(name) => {
                let file = files.place(&join(folder, name));
                format!("no config.json, but a GGUF file: use {file}")
            }
            None => "no config.json: not a Hugging Face model folder".to_owned(),
        };
        no_model(files, folder, &adapter::problem(files, folder, listed).unwrap_or(problem))
    })?;
    Description::parse(config.name(), &whole(&config)?)
}

fn no_model(files: &dyn Files, path: &str, problem: &str) -> ModelError {
    ModelError::NoModel { path: files.place(path), problem: problem.to_owned() }
}

fn whole(source: &Source) -> Result<Bytes, ModelError> {
    source.read(0, source.length())
}

fn sharded(
    source: &Source,
    has_single: bool,
    open: &dyn Fn(&str) -> Result<Option<Source>, ModelError>,
) -> Result<Weights, ModelError> {
    let name = source.name().to_owned();
    let index = Index::parse(&name, &whole(source)?)?;
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
        let file = safetensors::File::open(open(shard)?.ok_or_else(absent)?)?;
        files.insert(shard.to_owned(), file);
    }
    Ok(Weights::Sharded { name, index, files })
}

/// The file that a tensor is in.
fn shard<'a>(
    name: &str,
    index: &Index,
    files: &'a BTreeMap<String, safetensors::File>,
    spec: &Spec,
) -> Result<&'a safetensors::File, ModelError> {
    let found = index.shard(&spec.name).and_then(|shard| files.get(shard));
    found.ok_or_else(|| ModelError::missing(name, &spec.name))
}

/// Refuses a tensor that is in another file than the index says: it would be read from either, by one program or
/// another.
fn no_copies(index: &Index, files: &BTreeMap<String, safetensors::File>) -> Result<(), ModelError> {
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
    specs: &[Spec],
    files: impl IntoIterator<Item = &'a safetensors::File>,
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
