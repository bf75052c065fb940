//! Study state: every run of it, and the summary that records them.

use std::time::{Duration, Instant};

use hgpo_study::summary::{ArmSummary, RunSummary, Status, StudySummary};

use super::run_status::read_run_status;
use super::{StudyFolder, StudyJob, StudyPlan};
use crate::run::storage::atomic_write;
use crate::run::storage::jsonl_log::encode;
use crate::run::storage::lock::lock_study_files;

/// The share of the time that may go into writing the summary: a large one is not written after every run.
const SHARE: u32 = 20;

/// How far a study is.
#[derive(Debug)]
pub(crate) struct StudyState<'a> {
    pub(super) plan: &'a StudyPlan,
    pub(super) folder: &'a StudyFolder,
    /// By arms, then seeds.
    runs: Vec<Vec<RunSummary>>,
    command: String,
    written: Option<(Instant, Duration)>,
}

impl<'a> StudyState<'a> {
    /// Looks at all runs. Finished ones are taken from the summary if their files are older or have gone: a
    /// study can go on from its summary alone. `command` makes the study.
    ///
    /// # Errors
    /// Files of runs cannot be read.
    pub(crate) fn open(
        plan: &'a StudyPlan,
        folder: &'a StudyFolder,
        command: String,
    ) -> anyhow::Result<Self> {
        let (before, written) = folder.read_summary()?.unzip();
        let kept = |arm: &str, seed: u64| {
            let arms = before.iter().flat_map(|study: &StudySummary| &study.arms);
            let mut runs = arms.filter(|it| it.name == arm).flat_map(|it| &it.runs);
            // A summary that was edited by hand is newer than what it records, and may be wrong.
            let is_kept = |run: &&RunSummary| run.status == Status::Finished && run.check().is_ok();
            runs.find(|run| run.seed == seed).filter(is_kept).cloned()
        };
        let of_arm = |arm: &super::PlannedArm| {
            let of_seed = |&seed: &u64| {
                let is_as_told = || !folder.has_changed(arm, seed, written);
                let kept = kept(&arm.name, seed).filter(|_| is_as_told());
                kept.map_or_else(|| Ok(read_run_status(folder, arm, seed)?), Ok)
            };
            plan.seeds().iter().map(of_seed).collect()
        };
        let runs = plan.arms.iter().map(of_arm).collect::<anyhow::Result<_>>()?;
        let command = before.as_ref().map_or(command, |study| study.command.clone());
        Ok(Self { plan, folder, runs, command, written: None })
    }

    /// The run of a job as it was seen last.
    pub(crate) fn run(&self, job: StudyJob) -> &RunSummary {
        &self.runs[job.arm][job.seed]
    }

    /// Whether that run is finished.
    pub(super) fn is_finished(&self, job: StudyJob) -> bool {
        self.run(job).status == Status::Finished
    }

    /// Those of some jobs that are not finished.
    pub(crate) fn unfinished(&self, jobs: &[StudyJob]) -> Vec<StudyJob> {
        jobs.iter().copied().filter(|&job| !self.is_finished(job)).collect()
    }

    /// The finished runs of an arm.
    pub(super) fn finished(&self, arm: usize) -> Vec<StudyJob> {
        self.plan.jobs().filter(|job| job.arm == arm && self.is_finished(*job)).collect()
    }

    /// Looks at a run again; `error` says why it failed, if it did.
    ///
    /// # Errors
    /// Its files cannot be read.
    pub(crate) fn update(&mut self, job: StudyJob, error: Option<String>) -> anyhow::Result<()> {
        let arm = &self.plan.arms[job.arm];
        let mut run = read_run_status(self.folder, arm, self.plan.seeds()[job.seed])?;
        if error.is_some() {
            (run.status, run.error) = (Status::Failed, error);
        }
        self.runs[job.arm][job.seed] = run;
        Ok(())
    }

    /// Writes the summary, unless that was done a moment ago.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write_soon(&mut self) -> anyhow::Result<()> {
        match self.written {
            Some((at, took)) if at.elapsed() < took * SHARE => Ok(()),
            _ => self.write(),
        }
    }

    /// Writes the summary, with what other processes have finished meanwhile.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        let _writing = lock_study_files(&self.folder.root)?;
        self.update_others()?;
        let path = self.folder.summary();
        atomic_write::replace(&path, &encode(&path, &self.summary()?)?)?;
        self.written = Some((Instant::now(), began.elapsed()));
        Ok(())
    }

    /// What the study has come to.
    ///
    /// # Errors
    /// None: settings have a form in JSON.
    pub(crate) fn summary(&self) -> anyhow::Result<StudySummary> {
        let arms = self.plan.arms.iter().zip(&self.runs).map(|(arm, runs)| ArmSummary {
            name: arm.name.clone(),
            settings: arm.settings.clone(),
            runs: runs.clone(),
        });
        let mut study = StudySummary {
            version: StudySummary::VERSION,
            study: self.plan.name.clone(),
            command: self.command.clone(),
            environment_steps: self.plan.file.environment_steps,
            base: serde_json::to_value(&self.plan.base)?,
            arms: arms.collect(),
        };
        study.score();
        Ok(study)
    }

    /// Runs that are dealt out to other processes may be finished.
    fn update_others(&mut self) -> anyhow::Result<()> {
        for job in self.plan.jobs() {
            let (arm, seed) = (&self.plan.arms[job.arm], self.plan.seeds()[job.seed]);
            let ended = self.folder.run(arm, seed).join("summary.json");
            if !self.is_finished(job) && ended.exists() {
                self.update(job, None)?;
            }
        }
        Ok(())
    }
}
