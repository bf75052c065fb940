//! Environment of a run: its suite, with the data that this takes from the machine.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use hgpo_env::files::{Files, Folder};
use hgpo_env::registry::entry;
use hgpo_env::{EnvError, EnvironmentConfig, Suite};
use hgpo_train::config::{Config, ConfigError};

use super::DataFiles;
use crate::file_digest::InputFiles;
use crate::terminal::escape_control_characters;

/// Why there is nothing to act in.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A setting does not make sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The environment cannot be opened.
    #[error(transparent)]
    Environment(#[from] EnvError),
}

/// The suite that a run learns in, which has what its estimator looks at, and the data that it was opened with.
///
/// # Errors
/// As [`suite`], and [`Config::suits`].
pub fn training_suite(config: &Config) -> Result<(Arc<dyn Suite>, Option<InputFiles>), SuiteError> {
    let (suite, data) = suite(&config.environment)?;
    config.suits(suite.as_ref())?;
    Ok((suite, data))
}

/// The suite that a configuration names, reading the folder that its variable names. What is made of large
/// data once is kept there, or in the cache if it cannot be written. With it, the data that was read.
///
/// # Errors
/// When the name is unknown, a setting does not make sense, or the data is missing or broken.
pub fn suite(config: &EnvironmentConfig) -> Result<(Arc<dyn Suite>, Option<InputFiles>), EnvError> {
    let root = entry(&config.name)?.data.and_then(|data| std::env::var_os(data.variable));
    let data = root.map(|root| {
        let folder = Folder::new(&root).with_progress(show_progress);
        let folder = match cache_folder() {
            Some(cache) => folder.with_cache(&cache),
            None => folder,
        };
        DataFiles::new(folder, root.as_ref())
    });
    let files = data.clone().map(|it| Arc::new(it) as Arc<dyn Files>);
    let suite = hgpo_env::suite(config, files)?;
    Ok((suite, data.map(|it| it.input())))
}

/// The folder of the cache: `hgpo/data` in `XDG_CACHE_HOME` or the home folder's `.cache`.
fn cache_folder() -> Option<PathBuf> {
    let set = std::env::var_os("XDG_CACHE_HOME").filter(|value| !value.is_empty());
    let caches = set.map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
    Some(caches.join("hgpo/data"))
}

fn show_progress(progress: &str) {
    // Whoever does not want to know it has closed it.
    let _ = writeln!(std::io::stderr().lock(), "{}", escape_control_characters(progress));
}
