//! Study folder: where the files of a study are.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail, ensure};
use hgpo_study::StudyFile;
use hgpo_study::summary::StudySummary;
use hgpo_train::config::Config;

use super::{PlannedArm, StudyPlan};
use crate::run::checkpoint::setting_changes;
use crate::run::storage::atomic_write;
use crate::run::storage::lock::lock_study_files;
use crate::run::{RunDirectory, if_exists};
use crate::terminal::quote_path;

/// The folder of a study, `runs/<study>/` if nothing else is asked for.
#[derive(Clone, Debug)]
pub(crate) struct StudyFolder {
    /// The folder itself.
    pub root: PathBuf,
}

impl StudyFolder {
    /// The study's file in its folder, complete.
    pub(crate) const STUDY: &str = "study.toml";
    /// The file of settings that a study begins with, in its folder.
    pub(crate) const BASE: &str = "base.toml";

    /// Makes the folder, or finds it as it was made: with the study's file, that of its base, and the settings of
    /// every arm.
    ///
    /// # Errors
    /// Another study is there; a file cannot be read or written.
    pub(crate) fn prepare(&self, plan: &StudyPlan, base: Option<&str>) -> anyhow::Result<()> {
        atomic_write::make_folder(&self.root)?;
        let _writing = lock_study_files(&self.root)?;
        let path = self.root.join(Self::STUDY);
        let mut file = plan.file.clone();
        file.name = Some(plan.name.clone());
        file.config = base.map(|_| Self::BASE.to_owned());
        let there = if_exists(fs::read_to_string(&path))
            .with_context(|| format!("cannot read {}", path.display()))?;
        if let Some(text) = &there {
            self.compare(&file, base, text)?;
        } else {
            self.check_empty()?;
            if let Some(base) = base {
                atomic_write::replace(&self.root.join(Self::BASE), base.as_bytes())?;
            }
        }
        for arm in plan.arms.iter().filter(|arm| !self.settings(arm).exists()) {
            let settings = toml::to_string(&arm.config)?;
            atomic_write::replace(&self.settings(arm), settings.as_bytes())?;
        }
        if there.is_none() {
            // Last: what has it is complete.
            atomic_write::replace(&path, file.to_toml().as_bytes())?;
        }
        Ok(())
    }

    /// Checks that a study is the one whose file is there.
    fn compare(&self, file: &StudyFile, base: Option<&str>, text: &str) -> anyhow::Result<()> {
        let path = self.root.join(Self::STUDY);
        let there = StudyFile::read(&path.display().to_string(), text)?;
        let base_there = fs::read_to_string(self.root.join(Self::BASE)).ok();
        let other_base = || format!("`config` is another file than {}", Self::BASE);
        let base_differs = there.config.is_some() && base_there.as_deref() != base;
        let difference = file.difference(&there).or_else(|| base_differs.then(other_base));
        if let Some(difference) = difference {
            bail!(
                "{}: another study has this name: {difference}; choose a name with --name, or move that folder \
                 away",
                quote_path(&self.root)
            );
        }
        Ok(())
    }

    /// Refuses to write between the files of somebody else: of a run that has the study's name, above all.
    fn check_empty(&self) -> anyhow::Result<()> {
        let run = RunDirectory::find(Path::new(""), &self.root.to_string_lossy());
        let root = quote_path(&self.root);
        ensure!(run.is_err(), "{root}: a run has this name: choose another one with --name");
        Ok(())
    }

    /// The folder of an arm's runs.
    pub(crate) fn arm(&self, arm: &PlannedArm) -> PathBuf {
        self.root.join(&arm.name)
    }

    /// The settings of an arm.
    pub(crate) fn settings(&self, arm: &PlannedArm) -> PathBuf {
        self.arm(arm).join("settings.toml")
    }

    /// The folder of a run.
    pub(crate) fn run(&self, arm: &PlannedArm, seed: u64) -> PathBuf {
        self.arm(arm).join(seed.to_string())
    }

    /// Why a run failed, if it did.
    pub(crate) fn failure(&self, arm: &PlannedArm, seed: u64) -> PathBuf {
        self.arm(arm).join(format!("{seed}.error"))
    }

    /// The outcome of the study.
    pub(crate) fn summary(&self) -> PathBuf {
        self.root.join("summary.json")
    }

    /// What the study had come to when that was written last, and when that was; none if nothing was written.
    ///
    /// # Errors
    /// It cannot be read: finished runs whose folders are gone would be run again.
    pub(crate) fn read_summary(&self) -> anyhow::Result<Option<(StudySummary, SystemTime)>> {
        let path = self.summary();
        let text = if_exists(fs::read(&path));
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let Some(text) = text else { return Ok(None) };
        let written = fs::metadata(&path)?.modified()?;
        let refused = |problem: String| {
            anyhow::anyhow!(
                "{}: {problem}; restore it from a backup, or move it away to have it written anew from the \
                 folders of the runs",
                path.display()
            )
        };
        let study: StudySummary =
            serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))?;
        if study.version != StudySummary::VERSION {
            let (found, known) = (study.version, StudySummary::VERSION);
            return Err(refused(format!("version {found}, and this program knows {known}")));
        }
        Ok(Some((study, written)))
    }

    /// Whether a file of a run that its summary comes from is not as it was then; one whose folder has gone is.
    pub(crate) fn has_changed(
        &self,
        arm: &PlannedArm,
        seed: u64,
        then: Option<SystemTime>,
    ) -> bool {
        let root = self.run(arm, seed);
        let is_later = |name: &str| {
            let modified = fs::metadata(root.join(name)).and_then(|it| it.modified()).ok();
            modified.is_none_or(|at| then.is_none_or(|then| at > then))
        };
        let files = ["config.toml", "metrics.jsonl", "evaluations.jsonl", "summary.json"];
        root.exists() && files.into_iter().any(is_later)
    }

    /// Why a run's folder is not this study's to write to: it was begun with other settings. One whose settings
    /// are cut short is the trainer's to judge.
    pub(crate) fn is_foreign(&self, arm: &PlannedArm, seed: u64) -> Option<String> {
        let root = self.run(arm, seed);
        let text = fs::read_to_string(root.join("config.toml")).ok()?;
        let begun: Config = toml::from_str(&text).ok()?;
        let again = || format!("move {} away to run it again", root.display());
        if begun != (Config { seed, ..arm.config.clone() }) {
            return Some(format!("its settings are not the study's: {}", again()));
        }
        match setting_changes::read(&root.join(RunDirectory::CHANGES)) {
            Err(error) => Some(format!("{error}: {}", again())),
            Ok(changes) => changes
                .first()
                .map(|it| format!("its settings have changed on the way ({it}): {}", again())),
        }
    }
}
