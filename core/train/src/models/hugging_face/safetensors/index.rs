//! Index of a model in several safetensors files: `model.safetensors.index.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::models::{ModelError, strict_json};

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
        let index: Self = strict_json::parse(bytes).map_err(|error| {
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
