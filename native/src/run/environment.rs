//! Environment of a run: its suite, with the data that this takes from the machine.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use hgpo_env::files::{Bytes, Files, Folder, ListedFile, Pieces, ReadSeek, Unfinished};
use hgpo_env::registry::{self, Entry};
use hgpo_env::{EnvError, EnvironmentConfig, Suite};
use hgpo_train::config::Config;

use crate::file_digest::{FileDigest, InputFiles};
use crate::run::Interrupt;
use crate::run::external_environment::{self, ExternalInput, ExternalOptions};
use crate::run::machine::lock;
use crate::terminal::show_on_stderr;

/// What an environment depends on outside a run's folder.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentInputs {
    /// The data that was read.
    pub(crate) data: Option<InputFiles>,
    /// What plays it.
    pub(crate) external: Option<ExternalInput>,
}

/// What may play an environment of one's own: what the command line or Python says, and what the run recorded.
#[derive(Clone, Debug, Default)]
pub struct ExternalSource {
    /// What was said.
    pub options: ExternalOptions,
    /// What was recorded.
    pub recorded: Option<ExternalInput>,
    /// Says when the user asks to stop.
    pub interrupt: Interrupt,
}

/// The entry of an environment, of one's own too.
///
/// # Errors
/// Names those that there are.
pub(crate) fn entry(name: &str) -> Result<&'static Entry, EnvError> {
    if name == external_environment::NAME {
        return Ok(&external_environment::ENTRY);
    }
    Ok(registry::entry(name)?)
}

/// The suite that a run learns in, which has what its estimator looks at, and what it was opened with.
///
/// # Errors
/// When the environment's name is unknown, a setting does not make sense, or the data is missing or broken; and as
/// [`Config::suits`].
pub fn training_suite(
    config: &Config,
    external: &ExternalSource,
) -> anyhow::Result<(Arc<dyn Suite>, EnvironmentInputs)> {
    let (suite, inputs) = suite(&config.environment, external)?;
    config.suits(suite.as_ref())?;
    Ok((suite, inputs))
}

/// The suite that a configuration names, reading the folder that its variable names. What is made of large
/// data once is kept there, or in `hgpo/data` of the caches if it cannot be written. With it, the data that was read.
///
/// # Errors
/// When the name is unknown, a setting does not make sense, the data is missing or broken, or what would play it
/// may not or does not.
pub(crate) fn suite(
    config: &EnvironmentConfig,
    external: &ExternalSource,
) -> anyhow::Result<(Arc<dyn Suite>, EnvironmentInputs)> {
    let ExternalSource { options, recorded, interrupt } = external;
    if config.name == external_environment::NAME {
        config.validate().map_err(EnvError::from)?;
        let (recorded, interrupt) = (recorded.as_ref(), interrupt.clone());
        let opened = external_environment::open(options, recorded, config.max_steps, interrupt);
        let (suite, external) = opened?;
        return Ok((suite, EnvironmentInputs { data: None, external: Some(external) }));
    }
    options.refuse(&config.name)?;
    let root = entry(&config.name)?.data.and_then(|data| std::env::var_os(data.variable));
    let data = root.map(|root| {
        let folder = Folder::new(&root).with_progress(show_on_stderr);
        let named = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty());
        let caches = cache_home(named.map(PathBuf::from));
        let folder = match caches.map(|caches| caches.join("hgpo/data")) {
            Some(cache) => folder.with_cache(&cache),
            None => folder,
        };
        DataFiles::new(folder, root.as_ref())
    });
    let files = data.clone().map(|it| Arc::new(it) as Arc<dyn Files>);
    let suite = hgpo_env::suite(config, files)?;
    Ok((suite, EnvironmentInputs { data: data.map(|it| it.input()), external: None }))
}

/// The folder of caches: the one that `XDG_CACHE_HOME` has named, or the home folder's `.cache`.
pub(crate) fn cache_home(named: Option<PathBuf>) -> Option<PathBuf> {
    named.or_else(|| Some(std::env::home_dir()?.join(".cache")))
}

/// A folder of data. A file that is read again must not have changed.
#[derive(Clone)]
struct DataFiles {
    folder: Folder,
    path: PathBuf,
    read: Arc<Mutex<BTreeMap<String, FileDigest>>>,
}

impl DataFiles {
    /// The files of a folder.
    fn new(folder: Folder, path: &Path) -> Self {
        // A folder that is not there is refused when it is read.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { folder, path, read: Arc::default() }
    }

    /// The files that were read so far.
    fn input(&self) -> InputFiles {
        InputFiles { path: self.path.clone(), files: lock(&self.read).clone() }
    }

    fn note(&self, path: &str, entry: &FileDigest) -> io::Result<()> {
        let mut entries = lock(&self.read);
        if *entries.entry(path.to_owned()).or_insert_with(|| entry.clone()) == *entry {
            return Ok(());
        }
        let problem = "it has changed since it was first read; start again";
        Err(io::Error::new(ErrorKind::InvalidData, problem))
    }
}

impl Files for DataFiles {
    fn list(&self, folder: &str) -> io::Result<Vec<ListedFile>> {
        self.folder.list(folder)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.folder.read(path)?;
        self.note(path, &FileDigest::of(&bytes))?;
        Ok(bytes)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn ReadSeek>> {
        let mut file = self.folder.open(path)?;
        self.note(path, &FileDigest::sampled(&mut *file)?)?;
        Ok(file)
    }

    fn pieces(&self, path: &str) -> io::Result<Box<dyn Pieces>> {
        self.folder.pieces(path)
    }

    /// What is mapped is made from files that were opened before, and tells by their digest; unless there are none.
    fn map(&self, path: &str) -> io::Result<Bytes> {
        let bytes = self.folder.map(path)?;
        if lock(&self.read).is_empty() {
            self.note(path, &FileDigest::sampled(&mut io::Cursor::new(&*bytes))?)?;
        }
        Ok(bytes)
    }

    fn create(&self, path: &str) -> io::Result<Box<dyn Unfinished>> {
        self.folder.create(path)
    }

    fn tell(&self, progress: &str) {
        self.folder.tell(progress);
    }

    fn place(&self, path: &str) -> String {
        self.folder.place(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_between_two_readings_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("a.json"), "one").unwrap();
        std::fs::write(root.join("b.json"), "two").unwrap();
        let files = DataFiles::new(Folder::new(root), root);
        assert_eq!(files.read("a.json").unwrap(), b"one");
        assert!(files.open("b.json").is_ok() && files.open("b.json").is_ok());
        let InputFiles { path, files: read } = files.input();
        assert_eq!((path.as_path(), read.len()), (root, 2));
        assert_eq!(read["a.json"], FileDigest::of(b"one"));
        std::fs::write(root.join("a.json"), "six").unwrap();
        std::fs::write(root.join("b.json"), "ten").unwrap();
        assert!(files.read("a.json").unwrap_err().to_string().contains("has changed"));
        assert!(files.open("b.json").err().unwrap().to_string().contains("has changed"));
    }
}
