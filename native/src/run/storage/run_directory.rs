//! Run directory: where the files of a run are, and its settings.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use hgpo_train::config::Config;

use super::atomic_write;
use super::run_names::{is_name, numbered_names, run_name};
use crate::run::checkpoint::manifest::Manifest;
use crate::run::{Checkpoint, Checkpoints, FolderLock, RunError};
use crate::settings::{SettingsError, SettingsLayers};
use crate::terminal::quote_path;

/// The folder `runs/<name>/` of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDirectory {
    /// The folder itself.
    pub(crate) root: PathBuf,
}

impl RunDirectory {
    /// The file of a run's inputs, which its checkpoints have, too.
    pub const INPUTS: &str = "inputs.json";
    /// The file of a run's changes of settings.
    pub(crate) const CHANGES: &str = "changes.jsonl";

    /// Makes the folder of a new run: `name`, or the [`run_name`] of its settings with the first free
    /// suffix of none, `-2`, `-3`, ….
    ///
    /// # Errors
    /// The name is taken or holds a path separator; the folder cannot be made.
    pub(crate) fn create(
        runs: &Path,
        name: Option<&str>,
        config: &Config,
    ) -> Result<Self, RunError> {
        atomic_write::make_folder(runs)?;
        let Some(name) = name else { return Self::first_free(runs, config) };
        let refuse = |reason: &str| RunError::Name { name: name.into(), reason: reason.into() };
        if !is_name(name) {
            return Err(refuse(
                "use letters, digits and -_.+=,@%, and do not begin with a dot or hyphen",
            ));
        }
        let root = runs.join(name);
        if Self::make(runs, &root)? || never_began(&root) {
            return Ok(Self { root });
        }
        Err(refuse("this run exists already; choose another name, or continue it with --resume"))
    }

    fn first_free(runs: &Path, config: &Config) -> Result<Self, RunError> {
        let stem = run_name(config);
        for root in numbered_names(&stem).map(|name| runs.join(name)) {
            if Self::make(runs, &root)? {
                return Ok(Self { root });
            }
        }
        Err(RunError::Name { name: stem, reason: "all names with a number are taken".into() })
    }

    /// Makes a folder of a run; false if its name is taken.
    fn make(runs: &Path, root: &Path) -> Result<bool, RunError> {
        match fs::create_dir(root) {
            Ok(()) => atomic_write::synchronise(runs).map(|()| true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(RunError::write(root)(error)),
        }
    }

    /// Finds a run by its path or by its name under `runs`.
    ///
    /// # Errors
    /// There is no such run.
    pub(crate) fn find(runs: &Path, name: &str) -> Result<Self, RunError> {
        let found = [PathBuf::from(name), runs.join(name)]
            .into_iter()
            .map(|root| Self { root })
            // Checkpoints have the settings, too.
            .find(|run| run.config().is_file() || run.checkpoints().is_dir())
            .ok_or_else(|| RunError::Missing { name: name.into(), runs: runs.into() })?;
        if found.root.join(Manifest::FILE).is_file() {
            let run = found.root.ancestors().nth(2).unwrap_or(runs).to_owned();
            return Err(RunError::Checkpoint { path: found.root, run });
        }
        Ok(found)
    }

    /// Removes the folder of a new run that could not begin.
    pub(crate) fn remove(&self) {
        // The failure that led here is the one to report; a folder with other files in it stays.
        for name in [self.config(), self.inputs(), self.root.join(FolderLock::FILE)] {
            let _ = fs::remove_file(name);
        }
        let _ = fs::remove_dir(&self.root);
    }

    /// The resolved settings.
    pub(crate) fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The files outside this folder that the run depends on.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.root.join(Self::INPUTS)
    }

    /// One JSON object a change of settings.
    pub(crate) fn changes(&self) -> PathBuf {
        self.root.join(Self::CHANGES)
    }

    /// One JSON object an iteration.
    pub(crate) fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// The folder of the metrics as TensorBoard reads them.
    pub(crate) fn events(&self) -> PathBuf {
        self.root.join("tensorboard")
    }

    /// One JSON object an evaluation: before, during and after reinforcement learning.
    pub(crate) fn evaluations(&self) -> PathBuf {
        self.root.join("evaluations.jsonl")
    }

    /// The trajectories of one iteration.
    pub(crate) fn traces(&self, iteration: u64) -> PathBuf {
        self.root.join("traces").join(format!("iteration_{iteration:06}.rollouts.jsonl"))
    }

    /// The iteration of a trace, by the name of its file.
    pub(crate) fn trace_iteration(file: &str) -> Option<u64> {
        file.strip_prefix("iteration_")?.strip_suffix(".rollouts.jsonl")?.parse().ok()
    }

    /// The folder of checkpoints.
    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// The trained language model after an iteration, as a Hugging Face model folder.
    pub(crate) fn model(&self, iteration: u64) -> PathBuf {
        self.root.join(format!("model_{iteration:06}"))
    }

    /// The learning curves.
    pub(crate) fn curves(&self) -> PathBuf {
        self.root.join("curves.svg")
    }

    /// Where bias and variance of advantages under its policy are written: the first of `bias`, `bias-2`,
    /// `bias-3`, … that is free.
    pub(crate) fn bias(&self) -> PathBuf {
        let mut folders = numbered_names("bias").map(|name| self.root.join(name));
        folders.find(|folder| !folder.exists()).unwrap_or_else(|| self.root.join("bias"))
    }

    /// The outcome of the run.
    pub(crate) fn summary(&self) -> PathBuf {
        self.root.join("summary.json")
    }
}

/// Whether a folder holds no more than a start leaves that was killed before it wrote its settings.
fn never_began(root: &Path) -> bool {
    let left = |name: &str| name == FolderLock::FILE || name == ".config.toml.partial";
    fs::read_dir(root).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|it| it.file_name().to_str().is_some_and(left)))
    })
}

/// Reads the settings of a run.
///
/// # Errors
/// They cannot be read, or contradict each other.
pub(crate) fn read_settings(directory: &RunDirectory) -> anyhow::Result<Config> {
    read_settings_layers(directory)?.resolve().context("the settings of the run")
}

/// Reads the settings of a run as layers: what its file lacks, because it was cut short or lost, is what it was when the
/// newest checkpoint was made.
///
/// # Errors
/// They cannot be read.
pub(crate) fn read_settings_layers(directory: &RunDirectory) -> anyhow::Result<SettingsLayers> {
    let mut settings = SettingsLayers::defaults();
    let config = directory.config();
    let newest = Checkpoints::new(directory.checkpoints(), 1).newest()?;
    let kept = newest.and_then(|checkpoint| {
        let name = checkpoint.path.join(Checkpoint::SETTINGS).display().to_string();
        Some((name, checkpoint.settings()?))
    });
    if let Some((name, text)) = &kept {
        settings.apply_document(name, text)?;
    }
    match (settings.apply_file(&config), &kept) {
        (Err(SettingsError::Read { reason, .. }), Some(_))
            if reason.kind() == ErrorKind::NotFound => {}
        (Err(error), Some((name, _))) => {
            anyhow::bail!(
                "{error}; to restore the settings of the newest checkpoint: cp {} {}",
                quote_path(Path::new(name)),
                quote_path(&config)
            )
        }
        (read, _) => read?,
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_names_describe_the_run_and_never_overwrite() {
        let runs = tempfile::tempdir().unwrap();
        let config = Config::default();
        let names: Vec<_> = (0..3)
            .map(|_| RunDirectory::create(runs.path(), None, &config).unwrap().root)
            .map(|root| root.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["chores-hgpo-seed1", "chores-hgpo-seed1-2", "chores-hgpo-seed1-3"]);
    }

    #[test]
    fn chosen_names_must_be_free_and_valid() {
        let runs = tempfile::tempdir().unwrap();
        let create = |name| RunDirectory::create(runs.path(), Some(name), &Config::default());
        // A start that was killed at once is begun again.
        assert_eq!(create("first").unwrap(), create("first").unwrap());
        fs::write(runs.path().join("first/config.toml"), "").unwrap();
        assert!(create("first").unwrap_err().to_string().contains("--resume"));
        for name in [
            "",
            "a/b",
            "..",
            ".hidden",
            "-n",
            "a b",
            "two\nlines",
            "$(reboot)",
            "a\u{1b}[2J",
            "a\\b",
        ] {
            assert!(matches!(create(name), Err(RunError::Name { .. })), "{name}");
        }
    }
}
