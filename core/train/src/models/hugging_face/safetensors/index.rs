//! The files of a model in safetensors: a single one, or several with an index, `model.safetensors.index.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::SafetensorsFile;
use crate::models::hugging_face::strict_json;
use crate::models::tensor_layout::{EMBEDDING, HEAD};
use crate::models::{ByteSource, Description, ModelError, TensorSpec};

/// The file of a model in a single one.
pub const SINGLE: &str = "model.safetensors";

/// A tensor of older files that is computed here.
const COMPUTED: &str = ".rotary_emb.inv_freq";

/// Which file each tensor is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SafetensorsIndex {
    /// Totals; of use to other readers only.
    #[serde(default)]
    metadata: Totals,
    weight_map: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Totals {
    #[serde(default)]
    total_size: u64,
}

impl SafetensorsIndex {
    /// The name of the file in a model's folder.
    pub const FILE: &str = "model.safetensors.index.json";

    /// An index of tensors, each with its file, whose values take `total_size` bytes.
    #[must_use]
    pub fn new(tensors: impl IntoIterator<Item = (String, String)>, total_size: u64) -> Self {
        let weight_map = tensors.into_iter().collect();
        Self { metadata: Totals { total_size }, weight_map }
    }

    /// Reads the bytes of an index; errors name it `file`.
    ///
    /// # Errors
    /// It is not such a file, or names files outside of the model's folder.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, ModelError> {
        let index: Self = strict_json(bytes).map_err(|error| {
            ModelError::damaged(file, format!("not an index of weights: {error}"))
        })?;
        match index.weight_map.iter().find(|(_, shard)| shard.contains(['/', '\\', ':'])) {
            Some((tensor, shard)) => {
                let problem =
                    format!("tensor '{tensor}' is in '{shard}', which is not a plain file name");
                Err(ModelError::damaged(file, problem))
            }
            None => Ok(index),
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Names and numbers can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The files, sorted.
    #[must_use]
    pub fn shards(&self) -> BTreeSet<&str> {
        self.weight_map.values().map(String::as_str).collect()
    }

    /// The file that a tensor is in.
    #[must_use]
    pub fn shard(&self, tensor: &str) -> Option<&str> {
        self.weight_map.get(tensor).map(String::as_str)
    }

    /// The first of a file's tensors.
    #[must_use]
    pub fn tensor_in(&self, shard: &str) -> Option<&str> {
        let found = self.weight_map.iter().find(|(_, in_shard)| *in_shard == shard);
        found.map(|(tensor, _)| tensor.as_str())
    }
}

/// The open files of a model.
#[derive(Debug)]
pub(in crate::models) struct SafetensorsFiles {
    /// What errors call the file, or the index of several.
    pub(in crate::models) name: String,
    pub(in crate::models) index: Option<SafetensorsIndex>,
    /// By their names in the folder.
    pub(in crate::models) files: BTreeMap<String, SafetensorsFile>,
}

impl SafetensorsFiles {
    /// The single file of a model.
    pub(in crate::models) fn single(source: ByteSource) -> Result<Self, ModelError> {
        let name = source.name().to_owned();
        let files = BTreeMap::from([(SINGLE.to_owned(), SafetensorsFile::open(source)?)]);
        Ok(Self { name, index: None, files })
    }

    /// The files that an index names, each of which `open` opens.
    pub(in crate::models) fn sharded(
        source: &ByteSource,
        has_single: bool,
        open: &dyn Fn(&str) -> Result<Option<ByteSource>, ModelError>,
    ) -> Result<Self, ModelError> {
        let name = source.name().to_owned();
        let index = SafetensorsIndex::parse(&name, &source.read_all()?)?;
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
            let file = SafetensorsFile::open(open(shard)?.ok_or_else(absent)?)?;
            files.insert(shard.to_owned(), file);
        }
        Ok(Self { name, index: Some(index), files })
    }

    /// The file that a tensor is in.
    pub(in crate::models) fn file(&self, tensor: &str) -> Result<&SafetensorsFile, ModelError> {
        let found = match &self.index {
            Some(index) => index.shard(tensor).and_then(|shard| self.files.get(shard)),
            None => self.files.values().next(),
        };
        found.ok_or_else(|| ModelError::missing(&self.name, tensor))
    }

    /// What errors call that file; the index of several if none of them has the tensor.
    pub(in crate::models) fn file_name(&self, tensor: &str) -> &str {
        self.file(tensor).map_or(&self.name, SafetensorsFile::name)
    }

    /// Checks that these tensors of a model are there, and no others.
    pub(in crate::models) fn check(
        &self,
        description: &Description,
        specs: &[TensorSpec],
    ) -> Result<(), ModelError> {
        for spec in specs {
            let found = self.file(&spec.name)?.tensor_info(spec);
            found.map_err(|error| error.of_vocabulary(spec))?;
        }
        let tied = description.model.tie_word_embeddings;
        self.no_surplus(specs, tied)?;
        if let Some(index) = &self.index {
            self.no_copies(index)?;
        }
        let has_head = self.files.values().any(|file| file.info(HEAD).is_some());
        if tied && has_head { self.check_tied_head(description) } else { Ok(()) }
    }

    /// Checks that a head in the files of a model whose embedding is its head is that embedding. If it is
    /// another one, transformers 4 leaves it out and transformers 5 uses it: two different models.
    fn check_tied_head(&self, description: &Description) -> Result<(), ModelError> {
        let shape = vec![description.vocab_size, description.model.hidden_size];
        let embedding = TensorSpec { name: EMBEDDING.to_owned(), shape };
        let head = TensorSpec { name: HEAD.to_owned(), ..embedding.clone() };
        let rows = |spec: &TensorSpec| self.file(&spec.name)?.rows(spec);
        let own = rows(&head).map_err(|error| error.of_vocabulary(&head))?;
        if own.same_values(&rows(&embedding)?) {
            return Ok(());
        }
        Err(ModelError::TiedHead { file: self.file_name(HEAD).to_owned() })
    }

    /// Refuses a tensor that is in another file than the index says: it would be read from either, by one program or
    /// another.
    fn no_copies(&self, index: &SafetensorsIndex) -> Result<(), ModelError> {
        for (shard, file) in &self.files {
            let listed =
                |name: &String| index.shard(name) == Some(shard) || name.ends_with(COMPUTED);
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
    /// [`Self::check_tied_head`] compares the two.
    fn no_surplus(&self, specs: &[TensorSpec], tied: bool) -> Result<(), ModelError> {
        let known: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let passed = |name: &str| name.ends_with(COMPUTED) || (tied && name == HEAD);
        for file in self.files.values() {
            let mut names = file.tensors().into_iter();
            if let Some(name) = names.find(|name| !known.contains(name.as_str()) && !passed(name)) {
                return Err(ModelError::Surplus { file: file.name().to_owned(), name });
            }
        }
        Ok(())
    }
}
