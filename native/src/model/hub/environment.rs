//! Environment variables of Hugging Face's tools, as those read them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hgpo_train::models::ModelError;

use super::{Hub, PATIENCE};
use crate::run::environment::cache_home;

impl Hub {
    /// The hub that the environment describes, as `huggingface_hub` and transformers read it: `HF_ENDPOINT`;
    /// `HF_HUB_OFFLINE` or `TRANSFORMERS_OFFLINE`; the cache in `HF_HUB_CACHE`, by default `hub` in `HF_HOME`; the token
    /// in `HF_TOKEN` or in the file `HF_TOKEN_PATH`, by default `token` in `HF_HOME`, where a login saves it (not with
    /// `HF_HUB_DISABLE_IMPLICIT_TOKEN`). `HF_HOME` is by default `huggingface` in `XDG_CACHE_HOME` or in the home
    /// folder's `.cache`.
    ///
    /// # Errors
    /// No folder can be found for the cache; a token is there that cannot be read.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let path = |name: &str| set(name).map(|value| expand_home(&value));
        let yes = |name: &str| {
            set(name).is_some_and(|it| ["1", "true", "yes", "on"].contains(&&*it.to_lowercase()))
        };
        let caches = || cache_home(path("XDG_CACHE_HOME"));
        let home = path("HF_HOME").or_else(|| Some(caches()?.join("huggingface")));
        let below = |name: &str| home.as_ref().map(|home| home.join(name));
        let no_cache = || ModelError::Hub {
            model: "cache".to_owned(),
            problem: "no home folder for the model cache; set HF_HOME".to_owned(),
        };
        let cache = path("HF_HUB_CACHE").or_else(|| below("hub")).ok_or_else(no_cache)?;
        let saved = path("HF_TOKEN_PATH").or_else(|| below("token"));
        let saved = saved.filter(|_| !yes("HF_HUB_DISABLE_IMPLICIT_TOKEN"));
        let token = match (set("HF_TOKEN"), saved) {
            (None, Some(file)) => saved_token(&file)?,
            (token, _) => token,
        };
        Ok(Self {
            endpoint: set("HF_ENDPOINT").unwrap_or_else(|| "https://huggingface.co".to_owned()),
            cache: std::path::absolute(cache).map_err(ModelError::read("the model cache"))?,
            offline: yes("HF_HUB_OFFLINE") || yes("TRANSFORMERS_OFFLINE"),
            token,
            patience: PATIENCE,
        })
    }
}

/// A path whose first part may stand for the home folder.
fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(below), Some(home)) => home.join(below),
        _ => PathBuf::from(path),
    }
}

/// The token that a login has saved.
fn saved_token(file: &Path) -> Result<Option<String>, ModelError> {
    let token = match std::fs::read_to_string(file) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        token => token.map_err(ModelError::read(&file.display().to_string()))?,
    };
    Ok(Some(token.trim().to_owned()).filter(|token| !token.is_empty()))
}
