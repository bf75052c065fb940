//! Models by name, from Hugging Face's hub or its cache on this machine.
//!
//! Whoever answers at the hub's address (a mirror, a proxy) is not trusted with paths: versions and
//! digests are checked before they name anything, and contents are compared with what was listed.

mod cache;
mod connection;
mod download;
mod environment;
mod integrity;
mod listing;
mod refusal;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hgpo_train::models::hugging_face::safetensors::SafetensorsIndex;
use hgpo_train::models::{CONFIG, ModelError, SINGLE};

use self::cache::ModelFolder;
use self::connection::{Connection, ListingError};
use self::download::{DownloadError, RequestedFile};
use self::integrity::{CheckDepth, is_intact};
use self::listing::{Listing, RemoteFile, is_plain};
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
    /// Bytes of the whole file; 0 if the hub does not state them.
    pub size: u64,
}

/// How much of a model is fetched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All that is needed to run it.
    Model,
    /// Its `config.json`.
    Description,
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
    /// The folder of a model, `OWNER/NAME`, with all files that are needed; those that are not
    /// there yet are fetched, and `progress` is called with how far it is. Without a connection, a model that
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
            return self.cached(model);
        }
        match self.fetch_newest(model, Extent::Model, progress) {
            // A model that is there does not need the hub, whatever it answers.
            Err(error) => self.cached(model).map_err(|_| error),
            done => done,
        }
    }

    /// The folder of a model, `OWNER/NAME`, with its `config.json`, which may be all that is there. It is
    /// asked for only if none was fetched before.
    ///
    /// # Errors
    /// [`ModelError::Unreachable`] if the hub is neither to be asked nor answers; else those of
    /// [`Self::fetch`].
    pub fn fetch_description(
        &self,
        model: &str,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<PathBuf, ModelError> {
        check_name(model)?;
        let kept = ModelFolder::new(&self.cache, model);
        let is_kept = |folder: &PathBuf| {
            let unlisted = RemoteFile::default();
            is_intact(&folder.join(CONFIG), &unlisted, CheckDepth::Quick).unwrap_or(false)
        };
        if let Some(folder) = kept.newest().filter(is_kept) {
            return Ok(folder);
        }
        if self.offline {
            let remedy = "unset HF_HUB_OFFLINE to fetch its config.json";
            let problem = format!("not in {}; {remedy}", self.cache.display());
            return Err(ModelError::Unreachable { model: model.to_owned(), problem });
        }
        self.fetch_newest(model, Extent::Description, progress)
    }

    /// The folder of a model that was fetched before.
    fn cached(&self, model: &str) -> Result<PathBuf, ModelError> {
        let remedy = "download it once while online (without HF_HUB_OFFLINE)";
        let newest = ModelFolder::new(&self.cache, model).newest();
        let folder = newest.filter(|folder| has_all_weights(folder)).ok_or_else(|| {
            hub_error(model, &format!("incomplete in {}; {remedy}", self.cache.display()))
        })?;
        let Some(file) = find_changed_file(&folder)? else { return Ok(folder) };
        let problem = "has changed since the download: its digest differs";
        Err(hub_error(model, &format!("{} {problem}; {remedy}", file.display())))
    }

    /// Asks the hub for the newest version and fetches what is not there of it.
    fn fetch_newest(
        &self,
        model: &str,
        extent: Extent,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<PathBuf, ModelError> {
        let (connection, listing) = self.fetch_listing(model)?;
        let kept = ModelFolder::new(&self.cache, model);
        let folder = kept.snapshot(&listing.sha);
        // A model that training would refuse is refused.
        let all = listing.files_to_fetch().map_err(|problem| hub_error(model, &problem))?;
        let wanted = if extent == Extent::Model { &all[..] } else { &[CONFIG] };
        self.fetch_files(&connection, &listing, model, wanted, progress)?;
        if extent == Extent::Model && listing.is_split() {
            let index = index_of(&folder)?;
            let shards: Vec<&str> = index.shards().into_iter().collect();
            self.fetch_files(&connection, &listing, model, &shards, progress)?;
        }
        kept.note(&listing.sha).map_err(ModelError::write(&self.cache))?;
        Ok(folder)
    }

    /// Asks the hub what a model has at its newest version.
    fn fetch_listing(&self, model: &str) -> Result<(Connection, Listing), ModelError> {
        let connection = Connection::new(&self.endpoint, self.token.clone(), self.patience);
        match connection.listing(model) {
            Ok(listing) => Ok((connection, listing)),
            Err(ListingError { problem, answered: true }) => Err(self.refusal(model, &problem)),
            Err(ListingError { problem, answered: false }) => {
                let problem = self.with_address(&problem);
                Err(ModelError::Unreachable { model: model.to_owned(), problem })
            }
        }
    }

    /// Fetches those of the files that are not there.
    fn fetch_files(
        &self,
        connection: &Connection,
        listing: &Listing,
        model: &str,
        files: &[&str],
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<(), ModelError> {
        let kept = ModelFolder::new(&self.cache, model);
        let folder = kept.snapshot(&listing.sha);
        for &file in files {
            if !is_plain(file) {
                let problem = format!("'{file}' is not an allowed file name");
                return Err(hub_error(model, &problem));
            }
            let unlisted = RemoteFile::default();
            let told = listing.file(file).unwrap_or(&unlisted);
            if is_intact(&folder.join(file), told, CheckDepth::Quick).unwrap_or(false) {
                continue;
            }
            let wanted = RequestedFile { model, version: &listing.sha, file, told };
            self.fetch_file(connection, &kept, &wanted, progress)?;
        }
        Ok(())
    }

    /// Fetches a file, unless its contents are there for another version, and gives it its name.
    fn fetch_file(
        &self,
        connection: &Connection,
        kept: &ModelFolder,
        wanted: &RequestedFile<'_>,
        progress: &mut dyn FnMut(Download<'_>),
    ) -> Result<(), ModelError> {
        let RequestedFile { model, version, file, told } = *wanted;
        let there = told
            .blob()
            .filter(|blob| is_intact(&kept.blob(blob), told, CheckDepth::Whole).unwrap_or(false));
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
            DownloadError::Hub(problem) | DownloadError::Broken(problem) => {
                self.refusal(model, &problem)
            }
            DownloadError::Disk(error) => disk(error),
        })
    }

    /// What the hub refuses, by its address: without who asks, which may be part of it.
    fn refusal(&self, model: &str, problem: &str) -> ModelError {
        hub_error(model, &self.with_address(problem))
    }

    fn with_address(&self, problem: &str) -> String {
        format!("{}: {problem}", without_user(&self.endpoint))
    }
}

fn hub_error(model: &str, problem: &str) -> ModelError {
    ModelError::Hub { model: model.to_owned(), problem: problem.to_owned() }
}

/// Names are put into addresses and paths.
fn check_name(model: &str) -> Result<(), ModelError> {
    let parts: Vec<&str> = model.split('/').collect();
    if parts.len() <= 2 && parts.iter().all(|part| is_plain(part)) {
        return Ok(());
    }
    Err(hub_error(model, "neither a folder nor a model name; write OWNER/NAME"))
}

fn index_of(folder: &Path) -> Result<SafetensorsIndex, ModelError> {
    let path = folder.join(SafetensorsIndex::FILE);
    let name = path.display().to_string();
    SafetensorsIndex::parse(&name, &fs::read(&path).map_err(ModelError::read(&name))?)
}

/// A file of a model that is not what was fetched.
fn find_changed_file(folder: &Path) -> Result<Option<PathBuf>, ModelError> {
    let mut files: Vec<String> = listing::fetched_files().map(str::to_owned).collect();
    if folder.join(SafetensorsIndex::FILE).exists() {
        files.extend(index_of(folder)?.shards().into_iter().map(str::to_owned));
    }
    for path in files.iter().map(|file| folder.join(file)).filter(|path| path.exists()) {
        let name = path.display().to_string();
        let intact = is_intact(&path, &RemoteFile::default(), CheckDepth::Quick);
        if !intact.map_err(ModelError::read(&name))? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Whether the weights that a folder should have are all in it.
fn has_all_weights(folder: &Path) -> bool {
    if !folder.join(SafetensorsIndex::FILE).exists() {
        return folder.join(SINGLE).exists();
    }
    let all_there =
        |index: SafetensorsIndex| index.shards().iter().all(|shard| folder.join(shard).exists());
    index_of(folder).is_ok_and(all_there)
}
