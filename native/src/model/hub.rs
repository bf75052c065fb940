//! Models by name, from Hugging Face's hub or its cache on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use hf_hub::api::Progress;
use hf_hub::api::sync::{Api, ApiBuilder, ApiError};
use hf_hub::{Cache, Repo};

use hgpo_train::model::safetensors::Index;
use hgpo_train::model::{CONFIG, ModelError, SINGLE};

/// Files that are fetched where the model has them, beside description and weights.
const BESIDE: [&str; 5] = [
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "chat_template.jinja",
];

/// How far the download of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Bytes that are there.
    pub done: u64,
    /// Bytes of the whole file.
    pub size: u64,
}

/// Where models are fetched from and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hub {
    /// Address of the hub.
    pub endpoint: String,
    /// Folder that files are kept in, in the layout that Hugging Face's own tools share.
    pub cache: PathBuf,
    /// Whether only the cache is used.
    pub offline: bool,
    /// Proof of who asks, for models that are not open to all.
    pub token: Option<String>,
}

impl Hub {
    /// The hub that the environment describes: `HF_ENDPOINT`, `HF_HUB_OFFLINE`, `HF_TOKEN`, and the
    /// cache in `HF_HUB_CACHE`, `HF_HOME`/hub or the home folder's `.cache/huggingface/hub`.
    ///
    /// # Errors
    /// No folder can be found for the cache.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let cache = set("HF_HUB_CACHE")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(set("HF_HOME")?).join("hub")))
            .or_else(|| Some(std::env::home_dir()?.join(".cache/huggingface/hub")));
        let no_cache = || ModelError::Hub {
            model: "cache".to_owned(),
            problem: "there is no home folder to keep models in; set HF_HOME".to_owned(),
        };
        let cache = std::path::absolute(cache.ok_or_else(no_cache)?)
            .map_err(ModelError::read("the cache of models"))?;
        let yes =
            |value: String| ["1", "true", "yes", "on"].contains(&value.to_lowercase().as_str());
        Ok(Self {
            endpoint: set("HF_ENDPOINT").unwrap_or_else(|| "https://huggingface.co".to_owned()),
            cache,
            offline: set("HF_HUB_OFFLINE").is_some_and(yes),
            token: set("HF_TOKEN"),
        })
    }

    /// The folder of a model, `OWNER/NAME`, with all files that are needed; those that are not
    /// there yet are fetched, and `progress` is told how far. Without a connection, a model that
    /// was fetched before is used.
    ///
    /// # Errors
    /// There is no such model, it has no weights that are read here, or it cannot be fetched.
    pub fn fetch(
        &self,
        model: &str,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<PathBuf, ModelError> {
        check_name(model)?;
        if self.offline {
            return self.kept(model);
        }
        match self.update(model, progress) {
            // A model that is there does not need the hub, whatever it answers.
            Err(error) => self.kept(model).map_err(|_| error),
            done => done,
        }
    }

    /// The folder of a model that was fetched before.
    fn kept(&self, model: &str) -> Result<PathBuf, ModelError> {
        let kept = Cache::new(self.cache.clone()).model(model.to_owned());
        let folder = kept.get(CONFIG).and_then(|file| Some(file.parent()?.to_owned()));
        folder.filter(|folder| is_whole(folder)).ok_or_else(|| {
            let cache = self.cache.display();
            failed(
                model,
                &format!(
                    "not all of it is in {cache}; fetch it once with a connection (and without \
                 HF_HUB_OFFLINE)"
                ),
            )
        })
    }

    /// Asks the hub for the newest version and fetches what is not there of it.
    fn update(
        &self,
        model: &str,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<PathBuf, ModelError> {
        let refused = |error: ApiError| self.refused(model, &error);
        let cache = Cache::new(self.cache.clone());
        let kept = cache.model(model.to_owned());
        let api = self.api(cache).map_err(refused)?.repo(Repo::model(model.to_owned()));
        let info = api.info().map_err(refused)?;
        // It becomes the name of a folder.
        if !info.sha.chars().all(|it| it.is_ascii_alphanumeric()) {
            return Err(failed(model, &format!("{} answered with no version", self.endpoint)));
        }
        let folder = kept.pointer_path(&info.sha);
        let there: Vec<&str> = info.siblings.iter().map(|file| file.rfilename.as_str()).collect();
        let mut fetch = |file: &str| {
            if folder.join(file).exists() {
                return Ok(());
            }
            let reporter = Reporter { file: file.to_owned(), done: 0, size: 0, progress };
            api.download_with_progress(file, reporter).map(|_| ()).map_err(refused)
        };
        for file in wanted(model, &there)? {
            fetch(file)?;
        }
        if there.contains(&Index::FILE) {
            index_of(&folder)?.shards().into_iter().try_for_each(&mut fetch)?;
        }
        kept.create_ref(&info.sha).map_err(ModelError::write(&self.cache))?;
        Ok(folder)
    }

    fn refused(&self, model: &str, error: &ApiError) -> ModelError {
        let remedy = "check the name and the connection, and for a model that is not open to all \
                      put a token into HF_TOKEN";
        failed(model, &format!("{} answered: {error}; {remedy}", self.endpoint))
    }

    fn api(&self, cache: Cache) -> Result<Api, ApiError> {
        let token = self.token.clone().or_else(|| cache.token());
        ApiBuilder::from_cache(cache)
            .with_endpoint(self.endpoint.trim_end_matches('/').to_owned())
            .with_token(token)
            .with_progress(false)
            .build()
    }
}

/// Tells a caller how far a download is.
struct Reporter<'a> {
    file: String,
    done: u64,
    size: u64,
    progress: &'a mut dyn FnMut(Download<'_>),
}

impl Progress for Reporter<'_> {
    fn init(&mut self, size: usize, _: &str) {
        (self.done, self.size) = (0, size as u64);
    }

    fn update(&mut self, size: usize) {
        self.done += size as u64;
        (self.progress)(Download { file: &self.file, done: self.done, size: self.size });
    }

    fn finish(&mut self) {}
}

fn failed(model: &str, problem: &str) -> ModelError {
    ModelError::Hub { model: model.to_owned(), problem: problem.to_owned() }
}

/// Names are put into addresses and paths.
fn check_name(model: &str) -> Result<(), ModelError> {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|it| it.is_ascii_alphanumeric() || "-_.".contains(it))
    };
    let parts: Vec<&str> = model.split('/').collect();
    if parts.len() <= 2 && parts.iter().all(|part| plain(part)) {
        return Ok(());
    }
    Err(failed(model, "no folder, and no name of a model; write OWNER/NAME"))
}

/// The files to fetch of those that a model has, shards apart. Weights come last: where they are
/// there, all is.
fn wanted<'a>(model: &str, there: &[&'a str]) -> Result<Vec<&'a str>, ModelError> {
    let weights = if there.contains(&Index::FILE) { Index::FILE } else { SINGLE };
    for needed in [CONFIG, weights] {
        if !there.contains(&needed) {
            let problem = format!("it has no {needed}; choose one with weights in safetensors");
            return Err(failed(model, &problem));
        }
    }
    let is_wanted = |file: &&str| *file == CONFIG || BESIDE.contains(file);
    Ok(there.iter().copied().filter(is_wanted).chain([weights]).collect())
}

fn index_of(folder: &Path) -> Result<Index, ModelError> {
    let path = folder.join(Index::FILE);
    let name = path.display().to_string();
    Index::parse(&name, &fs::read(&path).map_err(ModelError::read(&name))?)
}

/// Whether the weights that a folder should have are all in it.
fn is_whole(folder: &Path) -> bool {
    if !folder.join(Index::FILE).exists() {
        return folder.join(SINGLE).exists();
    }
    let all_there = |index: Index| index.shards().iter().all(|shard| folder.join(shard).exists());
    index_of(folder).is_ok_and(all_there)
}
