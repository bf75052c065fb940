//! Checkpoints: folders that are either whole or absent.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use hgpo_train::TrainerError;
use hgpo_train::policy::{PolicyError, WriteFile};
use hgpo_train::trainer::Learner;

use super::manifest::Manifest;
use crate::file_digest::FileDigest;
use crate::run::storage::atomic_write;
use crate::run::storage::run_names::numbered_names;
use crate::run::{RunError, if_exists};

/// The folder of a run's checkpoints, of which the newest are kept.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints {
    folder: PathBuf,
    keep: usize,
}

/// One whole checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Iterations done when it was saved.
    pub iteration: u64,
    /// Its folder.
    pub path: PathBuf,
}

impl Checkpoint {
    /// Its file of the settings that it was made with.
    pub(crate) const SETTINGS: &str = Manifest::SETTINGS;
    /// Its file of the device that trained it.
    pub(crate) const DEVICE: &str = "device.txt";

    /// The device that trained it; none in checkpoints of before it was kept.
    pub(crate) fn device(&self) -> Option<String> {
        String::from_utf8(self.read(Self::DEVICE).ok()?).ok()
    }

    /// The settings that it was made with; none in checkpoints of before they were kept, and if
    /// they are not what was saved.
    pub(crate) fn settings(&self) -> Option<String> {
        let manifest = Manifest::read(&self.path).ok()??;
        let text = fs::read_to_string(self.path.join(Self::SETTINGS)).ok()?;
        (manifest.files.get(Self::SETTINGS)? == &FileDigest::of(text.as_bytes())).then_some(text)
    }

    /// The bytes of one of its files.
    ///
    /// # Errors
    /// The file cannot be read; the error names it.
    pub(crate) fn read(&self, name: &str) -> std::io::Result<Vec<u8>> {
        fs::read(self.path.join(name))
            .map_err(|error| std::io::Error::new(error.kind(), format!("{name}: {error}")))
    }
}

impl Checkpoints {
    /// The checkpoints in `folder`, of which the newest `keep` (at least one) are kept.
    pub(crate) fn new(folder: PathBuf, keep: usize) -> Self {
        Self { folder, keep: keep.max(1) }
    }

    /// All whole checkpoints, oldest first.
    ///
    /// # Errors
    /// The folder cannot be read; that it does not exist is no error.
    pub(crate) fn list(&self) -> Result<Vec<Checkpoint>, RunError> {
        let entries =
            if_exists(fs::read_dir(&self.folder)).map_err(RunError::read(&self.folder))?;
        let mut found = Vec::new();
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(RunError::read(&self.folder))?.path();
            let name = path.file_name().and_then(OsStr::to_str);
            let number = name.and_then(|name| name.strip_prefix("iteration_")?.parse().ok());
            found.extend(number.map(|iteration| Checkpoint { iteration, path }));
        }
        found.sort_by_key(|checkpoint| checkpoint.iteration);
        Ok(found)
    }

    /// The newest whole checkpoint.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn newest(&self) -> Result<Option<Checkpoint>, RunError> {
        self.find(None)
    }

    /// The whole checkpoint of an iteration; the newest if none is named.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn find(&self, iteration: Option<u64>) -> Result<Option<Checkpoint>, RunError> {
        let is_wanted = |one: &Checkpoint| iteration.is_none_or(|wanted| one.iteration == wanted);
        Ok(self.list()?.into_iter().rfind(is_wanted))
    }

    /// What a whole checkpoint, found as [`Self::find`] does, is used for; `None` if there is none. A run that
    /// goes on training removes its older checkpoints: if the newest went while it was used, the next is.
    ///
    /// # Errors
    /// The folder cannot be read; what its use ends with.
    pub(crate) fn with<T>(
        &self,
        iteration: Option<u64>,
        mut used: impl FnMut(&Checkpoint) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        let mut found = self.find(iteration)?;
        while let Some(checkpoint) = found {
            let error = match used(&checkpoint) {
                Ok(result) => return Ok(Some(result)),
                Err(error) => error,
            };
            found = self.find(iteration)?;
            if found.as_ref().is_none_or(|found| *found == checkpoint) {
                return Err(error);
            }
        }
        Ok(None)
    }

    /// Saves a checkpoint, then removes those that are too old, but for that of the iteration `best`. The files are
    /// written into a folder of another name, which takes its own name when all of them are on the disk.
    ///
    /// # Errors
    /// Something cannot be written; the checkpoints there were are then untouched.
    pub(crate) fn save(
        &self,
        iteration: u64,
        best: Option<u64>,
        contents: impl FnOnce(&mut WriteFile<'_>) -> Result<(), TrainerError>,
    ) -> anyhow::Result<()> {
        let path = self.folder.join(format!("iteration_{iteration:06}"));
        let partial = atomic_write::partial(&path);
        atomic_write::make_folder(&self.folder)?;
        remove(&partial)?;
        let written = write_folder(&partial, iteration, contents)
            .and_then(|()| Ok(remove(&path)?))
            .and_then(|()| Ok(fs::rename(&partial, &path).map_err(RunError::write(&path))?));
        if written.is_err() {
            // Half a checkpoint only takes space; the first error is the one to report.
            let _ = remove(&partial);
        }
        written?;
        atomic_write::synchronise(&self.folder)?;
        Ok(self.prune(best)?)
    }

    /// Puts what a checkpoint holds into a trainer that begins as that of its run did.
    ///
    /// # Errors
    /// The checkpoint cannot be used; the error says what to do.
    pub(crate) fn restore(
        &self,
        checkpoint: &Checkpoint,
        learner: &mut dyn Learner,
    ) -> Result<(), RunError> {
        learner
            .restore(&mut |name| checkpoint.read(name))
            .map_err(|error| self.corrupt(checkpoint, &error.to_string()))
    }

    /// Checks that a checkpoint is what was saved.
    ///
    /// # Errors
    /// What differs, and what to do.
    pub(crate) fn verify(&self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        Manifest::verify(&checkpoint.path, checkpoint.iteration)
            .map_err(|reason| self.corrupt(checkpoint, &reason))
    }

    /// The newest checkpoint that is what was saved and whose iterations are all among the `recorded`
    /// ones. Newer ones that are not are given another name, and `say` is called. `None` if there
    /// never was a checkpoint.
    ///
    /// # Errors
    /// No checkpoint can be used: what is wrong with the newest.
    pub(crate) fn newest_usable(
        &self,
        recorded: u64,
        say: &dyn Fn(&str),
    ) -> Result<Option<Checkpoint>, RunError> {
        let mut unusable = Vec::new();
        for checkpoint in self.list()?.into_iter().rev() {
            let Err(reason) = usable(&checkpoint, recorded) else {
                for (newer, reason) in &unusable {
                    let to = set_aside(newer)?;
                    let (from, back) = (newer.path.display(), checkpoint.iteration);
                    say(&format!(
                        "{from} cannot be used: {reason}; moved to {}, and the run goes back to iteration \
                         {back}",
                        to.display()
                    ));
                }
                return Ok(Some(checkpoint));
            };
            unusable.push((checkpoint, reason));
        }
        match unusable.first() {
            None => Ok(None),
            Some((newest, reason)) => Err(RunError::Corrupt {
                path: newest.path.clone(),
                reason: reason.clone(),
                remedy: "restore the file from a backup or start a new run".into(),
            }),
        }
    }

    fn corrupt(&self, checkpoint: &Checkpoint, reason: &str) -> RunError {
        let mut all = self.list().unwrap_or_default().into_iter();
        let older = all.rfind(|other| other.iteration < checkpoint.iteration);
        let remedy = match older {
            Some(older) => {
                format!("delete that folder to go back to iteration {}", older.iteration)
            }
            None => "restore it from a backup or start a new run".into(),
        };
        RunError::Corrupt { path: checkpoint.path.clone(), reason: reason.into(), remedy }
    }

    fn prune(&self, best: Option<u64>) -> Result<(), RunError> {
        let all = self.list()?;
        let surplus = all.len().saturating_sub(self.keep);
        let mut old = all.iter().take(surplus);
        old.try_for_each(|old| if Some(old.iteration) == best { Ok(()) } else { remove(&old.path) })
    }
}

fn write_folder(
    path: &Path,
    iteration: u64,
    contents: impl FnOnce(&mut WriteFile<'_>) -> Result<(), TrainerError>,
) -> anyhow::Result<()> {
    fs::create_dir(path).map_err(RunError::write(path))?;
    let mut manifest = Manifest { iteration, files: BTreeMap::new() };
    let mut write = |name: &str, bytes: Vec<u8>| {
        manifest.files.insert(name.to_owned(), FileDigest::of(&bytes));
        atomic_write::write_synchronised(&path.join(name), &bytes)
    };
    contents(&mut write).map_err(|error| match error {
        TrainerError::Policy(PolicyError::Write { name, source }) => {
            RunError::write(&path.join(name))(source).into()
        }
        error => anyhow::Error::from(error),
    })?;
    let name = path.join(Manifest::FILE);
    serde_json::to_vec(&manifest)
        .map_err(std::io::Error::from)
        .and_then(|bytes| atomic_write::write_synchronised(&name, &bytes))
        .map_err(RunError::write(&name))?;
    Ok(atomic_write::synchronise(path)?)
}

/// Checks that a checkpoint is what was saved and belongs to so many recorded iterations.
fn usable(checkpoint: &Checkpoint, recorded: u64) -> Result<(), String> {
    Manifest::verify(&checkpoint.path, checkpoint.iteration)?;
    if checkpoint.iteration > recorded {
        return Err(format!("metrics.jsonl has complete lines for only {recorded} iterations"));
    }
    Ok(())
}

/// Takes a checkpoint that cannot be used out of the way, without losing it; its new place.
fn set_aside(checkpoint: &Checkpoint) -> Result<PathBuf, RunError> {
    let named = |end: &str| checkpoint.path.with_extension(end);
    let mut places = numbered_names("unusable").map(|end| named(&end));
    let to = places.find(|path| !path.exists()).unwrap_or_else(|| named("unusable"));
    fs::rename(&checkpoint.path, &to).map_err(RunError::write(&to))?;
    Ok(to)
}

fn remove(folder: &Path) -> Result<(), RunError> {
    if_exists(fs::remove_dir_all(folder)).map(drop).map_err(RunError::write(folder))
}

#[cfg(test)]
mod tests {
    use hgpo_train::policy::write_file;

    use super::*;

    fn save(checkpoints: &Checkpoints, iteration: u64, file: &str) -> anyhow::Result<()> {
        checkpoints
            .save(iteration, None, |write| Ok(write_file(write, file, vec![iteration as u8; 16])?))
    }

    #[test]
    fn newest_checkpoints_are_kept_and_partial_ones_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 2);
        assert_eq!(checkpoints.newest().unwrap(), None);
        for iteration in [0, 10, 20] {
            save(&checkpoints, iteration, "policy.safetensors").unwrap();
        }
        fs::create_dir(folder.path().join("checkpoints/.iteration_000030.partial")).unwrap();
        let kept: Vec<u64> =
            checkpoints.list().unwrap().iter().map(|checkpoint| checkpoint.iteration).collect();
        assert_eq!(kept, [10, 20]);
        let newest = checkpoints.newest().unwrap().unwrap();
        assert_eq!(newest.read("policy.safetensors").unwrap(), [20; 16]);
        let error = newest.read("trainer.json").unwrap_err().to_string();
        assert!(error.starts_with("trainer.json: "), "{error}");
    }

    #[test]
    fn the_best_is_kept_beside_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 1);
        let save = |iteration, best| {
            let contents = |write: &mut WriteFile<'_>| Ok(write_file(write, "a", vec![0])?);
            checkpoints.save(iteration, Some(best), contents).unwrap();
            checkpoints.list().unwrap().iter().map(|it| it.iteration).collect::<Vec<_>>()
        };
        assert_eq!(save(10, 10), [10]);
        assert_eq!(save(20, 10), [10, 20]);
        assert_eq!(save(30, 10), [10, 30]);
        assert_eq!(save(40, 40), [40]);
    }

    #[test]
    fn checkpoints_removed_while_read_give_way_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 1);
        let read = |checkpoint: &Checkpoint| Ok(checkpoint.read("policy.safetensors")?[0]);
        assert_eq!(checkpoints.with(None, read).unwrap(), None);
        save(&checkpoints, 1, "policy.safetensors").unwrap();
        let found = checkpoints.with(None, |checkpoint| {
            if checkpoint.iteration < 3 {
                save(&checkpoints, checkpoint.iteration + 1, "policy.safetensors").unwrap();
            }
            read(checkpoint)
        });
        assert_eq!(found.unwrap(), Some(3));
        let mut tries = 0;
        let failed = checkpoints.with(None, |checkpoint| -> anyhow::Result<()> {
            tries += 1;
            Err(checkpoint.read("other").unwrap_err().into())
        });
        assert!(failed.is_err() && tries == 1);
    }

    #[test]
    fn failed_saves_leave_the_last_good_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 1);
        save(&checkpoints, 1, "policy.safetensors").unwrap();
        let unwritable = save(&checkpoints, 2, "no/such/folder").unwrap_err();
        assert!(matches!(unwritable.downcast(), Ok(RunError::Write { .. })));
        assert_eq!(checkpoints.newest().unwrap().unwrap().iteration, 1);
        assert!(!folder.path().join("checkpoints/.iteration_000002.partial").exists());
    }
}
