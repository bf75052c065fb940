//! Models by name, from Hugging Face's hub or its cache on this machine.
//!
//! Whoever answers at the hub's address (a mirror, a proxy) is not trusted with paths: versions and
//! digests are checked before they name anything, and contents are compared with what was listed.

mod cache;
mod connection;
mod contents;
mod download;
mod intact;
mod listing;
mod refusal;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hgpo_train::model::safetensors::Index;
use hgpo_train::model::{ModelError, SINGLE};

use self::cache::ModelFolder;
use self::connection::Connection;
use self::download::{Failure, Wanted};
use self::intact::{Care, is_intact};
use self::listing::{RemoteFile, is_plain};
use self::refusal::without_user;

/// For how long the hub may be silent, unless somebody says otherwise.
const PATIENCE: Duration = Duration::from_mins(1);

/// How far the download of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Bytes that are there.
    pub done: u64,
    /// Bytes of the whole file; 0 where the hub does not tell.
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
    /// For how long the hub may be silent.
    pub patience: Duration,
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
            patience: PATIENCE,
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
        let remedy = "fetch it once with a connection (and without HF_HUB_OFFLINE)";
        let newest = ModelFolder::new(&self.cache, model).newest();
        let folder = newest.filter(|folder| is_whole(folder)).ok_or_else(|| {
            failed(model, &format!("not all of it is in {}; {remedy}", self.cache.display()))
        })?;
        match changed(&folder)? {
            Some(file) => {
                let problem = "is not what was fetched, by the digest that it is called by";
                Err(failed(model, &format!("{} {problem}; {remedy}", file.display())))
            }
            None => Ok(folder),
        }
    }

    /// Asks the hub for the newest version and fetches what is not there of it.
    fn update(
        &self,
        model: &str,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<PathBuf, ModelError> {
        let token = self.token.clone().or_else(|| self.saved_token());
        let connection = Connection::new(&self.endpoint, token, self.patience);
        let listing = connection.listing(model).map_err(|problem| self.refused(model, &problem))?;
        let kept = ModelFolder::new(&self.cache, model);
        let folder = kept.snapshot(&listing.sha);
        let mut fetch = |file: &str| {
            if !is_plain(file) {
                let problem = format!("'{file}' is no name of a file that is fetched");
                return Err(failed(model, &problem));
            }
            let unlisted = RemoteFile::default();
            let told = listing.file(file).unwrap_or(&unlisted);
            if is_intact(&folder.join(file), told, Care::Quick).is_ok_and(|is_intact| is_intact) {
                return Ok(());
            }
            let wanted = Wanted { model, version: &listing.sha, file, told };
            self.fetch_file(&connection, &kept, &wanted, progress)
        };
        for file in listing.wanted().map_err(|problem| failed(model, &problem))? {
            fetch(file)?;
        }
        if listing.is_split() {
            index_of(&folder)?.shards().into_iter().try_for_each(&mut fetch)?;
        }
        kept.note(&listing.sha).map_err(ModelError::write(&self.cache))?;
        Ok(folder)
    }

    /// Fetches a file, unless its contents are there for another version, and gives it its name.
    fn fetch_file(
        &self,
        connection: &Connection,
        kept: &ModelFolder,
        wanted: &Wanted<'_>,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<(), ModelError> {
        let Wanted { model, version, file, told } = *wanted;
        let there = told.blob().filter(|blob| {
            is_intact(&kept.blob(blob), told, Care::Whole).is_ok_and(|is_intact| is_intact)
        });
        let disk = ModelError::write(&self.cache);
        let arrive = || {
            let path = kept.incomplete(version, file)?;
            let digest = download::fetch(connection, wanted, &path, progress)?;
            let blob = told.blob().unwrap_or(&digest).to_owned();
            fs::rename(path, kept.blob(&blob))?;
            Ok(blob)
        };
        let blob = there.map_or_else(arrive, |blob| Ok(blob.to_owned()));
        let linked = blob.and_then(|blob| Ok(kept.link(&blob, version, file)?));
        linked.map_err(|failure| match failure {
            Failure::Hub(problem) => self.refused(model, &problem),
            Failure::Disk(error) => disk(error),
        })
    }

    /// The token that Hugging Face's tools save beside the cache.
    fn saved_token(&self) -> Option<String> {
        let token = fs::read_to_string(self.cache.parent()?.join("token")).ok()?;
        Some(token.trim().to_owned()).filter(|token| !token.is_empty())
    }

    /// What the hub refuses, by its address: without who asks, which may be part of it.
    fn refused(&self, model: &str, problem: &str) -> ModelError {
        failed(model, &format!("{}: {problem}", without_user(&self.endpoint)))
    }
}

fn failed(model: &str, problem: &str) -> ModelError {
    ModelError::Hub { model: model.to_owned(), problem: problem.to_owned() }
}

/// Names are put into addresses and paths.
fn check_name(model: &str) -> Result<(), ModelError> {
    let parts: Vec<&str> = model.split('/').collect();
    if parts.len() <= 2 && parts.iter().all(|part| is_plain(part)) {
        return Ok(());
    }
    Err(failed(model, "no folder, and no name of a model; write OWNER/NAME"))
}

fn index_of(folder: &Path) -> Result<Index, ModelError> {
    let path = folder.join(Index::FILE);
    let name = path.display().to_string();
    Index::parse(&name, &fs::read(&path).map_err(ModelError::read(&name))?)
}

/// A file of a model that is not what was fetched.
fn changed(folder: &Path) -> Result<Option<PathBuf>, ModelError> {
    let mut files: Vec<String> = listing::known().map(str::to_owned).collect();
    if folder.join(Index::FILE).exists() {
        files.extend(index_of(folder)?.shards().into_iter().map(str::to_owned));
    }
    for path in files.iter().map(|file| folder.join(file)).filter(|path| path.exists()) {
        let name = path.display().to_string();
        let intact = is_intact(&path, &RemoteFile::default(), Care::Quick);
        if !intact.map_err(ModelError::read(&name))? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Whether the weights that a folder should have are all in it.
fn is_whole(folder: &Path) -> bool {
    if !folder.join(Index::FILE).exists() {
        return folder.join(SINGLE).exists();
    }
    let all_there = |index: Index| index.shards().iter().all(|shard| folder.join(shard).exists());
    index_of(folder).is_ok_and(all_there)
}
