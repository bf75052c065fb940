//! Listing of a model on the hub: its version, its files, how long they are and their digests.

use std::path::Path;

use serde::Deserialize;

use hgpo_train::models::hugging_face::safetensors::SafetensorsIndex;
use hgpo_train::models::{CONFIG, SINGLE};

/// Files that are fetched if the model has them, beside description and weights.
const BESIDE: [&str; 5] = [
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
];

/// The files of a model that are fetched, shards apart.
pub(super) fn fetched_files() -> impl Iterator<Item = &'static str> {
    [CONFIG, SINGLE, SafetensorsIndex::FILE].into_iter().chain(BESIDE)
}

/// A model at one version. It comes from whoever answers at the hub's address, so that nothing in it
/// becomes part of a path before it is checked.
#[derive(Debug, Deserialize)]
pub(super) struct Listing {
    /// The version: a commit.
    pub sha: String,
    siblings: Vec<RemoteFile>,
}

/// A file as the hub lists it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RemoteFile {
    #[serde(rename = "rfilename")]
    name: String,
    /// Its length in bytes, if the hub states it.
    pub size: Option<u64>,
    /// Git's name of a small file's contents.
    #[serde(rename = "blobId")]
    blob: Option<String>,
    /// What the hub says of a large file.
    lfs: Option<LargeFile>,
}

#[derive(Debug, Deserialize)]
struct LargeFile {
    #[serde(alias = "oid")]
    sha256: String,
}

impl Listing {
    /// Checks what becomes part of paths.
    ///
    /// # Errors
    /// What is none.
    pub(super) fn check(&self) -> Result<(), String> {
        if !is_version(&self.sha) {
            return Err(format!("answered '{}' instead of a version", self.sha));
        }
        let odd = |file: &&RemoteFile| file.sha256().is_some_and(|it| !is_hexadecimal(it, 64));
        let wrong =
            |file: &RemoteFile| Err(format!("did not answer with a SHA-256 of {}", file.name));
        self.siblings.iter().find(odd).map_or(Ok(()), wrong)
    }

    /// The file of a name.
    pub(super) fn file(&self, name: &str) -> Option<&RemoteFile> {
        self.siblings.iter().find(|file| file.name == name)
    }

    /// Whether the weights are in several files, which an index names.
    pub(super) fn is_split(&self) -> bool {
        self.file(SafetensorsIndex::FILE).is_some()
    }

    /// The files to fetch, shards apart. Weights come last: if they are there, all is.
    ///
    /// # Errors
    /// The model lacks one that is needed.
    pub(super) fn files_to_fetch(&self) -> Result<Vec<&'static str>, String> {
        let weights = if self.is_split() { SafetensorsIndex::FILE } else { SINGLE };
        for needed in [CONFIG, weights] {
            if self.file(needed).is_none() {
                return Err(format!("it has no {needed}; {}", self.instead()));
            }
        }
        let beside = BESIDE.into_iter().filter(|name| self.file(name).is_some());
        Ok([CONFIG].into_iter().chain(beside).chain([weights]).collect())
    }

    /// What to do about a model that cannot be used, by the files that it has in the place of others.
    fn instead(&self) -> &'static str {
        let is_gguf = |file: &RemoteFile| {
            Path::new(&file.name).extension().is_some_and(|end| end.eq_ignore_ascii_case("gguf"))
        };
        if self.file("adapter_config.json").is_some() {
            "it is a PEFT adapter: merge it into the model that its adapter_config.json names, and use the \
             merged folder"
        } else if self.siblings.iter().any(is_gguf) {
            "it has GGUF files: download one of them and name that file"
        } else {
            "choose a model with weights in safetensors"
        }
    }
}

impl RemoteFile {
    /// What the name of contents in the cache says of them; none if it is no digest.
    pub(super) fn of_blob(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let large = is_hexadecimal(name, 64).then(|| LargeFile { sha256: name.to_owned() });
        let blob = is_hexadecimal(name, 40).then(|| name.to_owned());
        (large.is_some() || blob.is_some()).then(|| Self { lfs: large, blob, ..Self::default() })
    }

    /// The SHA-256 of its contents, if the hub states it.
    pub(super) fn sha256(&self) -> Option<&str> {
        self.lfs.as_ref().map(|it| it.sha256.as_str())
    }

    /// Git's name of its contents, if the hub states that.
    pub(super) fn git_name(&self) -> Option<&str> {
        self.blob.as_deref().filter(|name| self.lfs.is_none() && is_hexadecimal(name, 40))
    }

    /// The name that Hugging Face's tools keep its contents under, if it is known before they are
    /// here.
    pub(super) fn blob(&self) -> Option<&str> {
        self.sha256().or_else(|| self.git_name())
    }
}

/// Whether a text can be a version: it becomes the name of a folder.
pub(super) fn is_version(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.chars().all(|it| it.is_ascii_alphanumeric())
}

/// Whether a text can be the name of a file in a model's folder, and of nothing elsewhere.
pub(super) fn is_plain(name: &str) -> bool {
    let is_known = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    (1..=128).contains(&name.len()) && !name.starts_with('.') && name.chars().all(is_known)
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod tests {
    use serde_json::json;

    use super::Listing;

    #[test]
    fn models_without_weights_are_refused_with_what_they_have_instead() {
        let refused = |files: &[&str]| {
            let files: Vec<_> = files.iter().map(|name| json!({ "rfilename": name })).collect();
            let listing = json!({ "sha": "a", "siblings": files });
            serde_json::from_value::<Listing>(listing).unwrap().files_to_fetch().unwrap_err()
        };
        let adapter = refused(&["adapter_config.json", "adapter_model.safetensors"]);
        assert!(adapter.starts_with("it has no config.json; it is a PEFT adapter"), "{adapter}");
        let gguf = refused(&["config.json", "model-Q4_K_M.gguf"]);
        assert!(gguf.contains("no model.safetensors; it has GGUF files: download one"), "{gguf}");
        let other = refused(&["config.json", "pytorch_model.bin"]);
        assert!(other.ends_with("choose a model with weights in safetensors"), "{other}");
    }
}
