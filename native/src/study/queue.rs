//! Queue of a study's runs, as many at once as there are slots for them.

use std::collections::VecDeque;
use std::fs;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use hgpo_study::summary::Status;

use super::progress::{Progress, render_run};
use super::run_process::{self, RunEnd};
use super::{StudyFolder, StudyJob, StudyPlan, StudyState};
use crate::device::DeviceChoice;
use crate::run::machine::lock;
use crate::run::storage::atomic_write;
use crate::run::{Display, Interrupt};
use crate::terminal::describe_error;

/// A place for one run at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    /// What it computes on.
    pub device: DeviceChoice,
    /// The places of the arms whose runs it computes.
    pub arms: Vec<usize>,
}

/// What runs of a study need.
#[derive(Debug)]
pub(crate) struct RunQueue<'a> {
    /// The study.
    pub plan: &'a StudyPlan,
    /// Its files.
    pub folder: &'a StudyFolder,
    /// Where runs are computed.
    pub slots: &'a [Slot],
    /// Worker threads of a run.
    pub threads: usize,
    /// Flags that say what plays an environment of one's own.
    pub environment: Vec<String>,
    /// Whether the user asked to stop.
    pub interrupt: &'a Interrupt,
    /// What is shown.
    pub display: &'a Display,
}

/// A job, how it ended, and after how many seconds.
type RunReport = (StudyJob, RunEnd, f64);

impl RunQueue<'_> {
    /// Runs jobs to their end, well or not: the seconds of those that are finished; `None` when interrupted. One that
    /// fails stops no other.
    ///
    /// # Errors
    /// Files of runs cannot be read.
    pub(crate) fn run(
        &self,
        state: &mut StudyState<'_>,
        jobs: &[StudyJob],
    ) -> anyhow::Result<Option<Vec<(StudyJob, f64)>>> {
        let waiting: Mutex<VecDeque<StudyJob>> = Mutex::new(jobs.iter().copied().collect());
        let is_needed = |slot: &&Slot| jobs.iter().any(|job| slot.arms.contains(&job.arm));
        let slots: Vec<&Slot> = self.slots.iter().filter(is_needed).take(jobs.len()).collect();
        let mut progress = Progress::new(jobs.len(), slots.len());
        let mut finished = Vec::new();
        let (sender, reports) = channel();
        if !jobs.is_empty() {
            self.display.status(|| progress.to_string(), || progress.to_string());
        }
        std::thread::scope(|scope| {
            let mut places = 0;
            for slot in slots {
                let (sender, waiting) = (sender.clone(), &waiting);
                let work = move || self.work(slot, waiting, &sender);
                let started = std::thread::Builder::new().spawn_scoped(scope, work);
                places += usize::from(started.is_ok());
            }
            if places == 0 && !jobs.is_empty() {
                anyhow::bail!("the system gives no thread to run anything in");
            }
            drop(sender);
            for (job, ended, seconds) in reports {
                self.record(state, job, &ended)?;
                finished.extend((ended == RunEnd::Finished).then_some((job, seconds)));
                progress.add(ended == RunEnd::Finished, seconds);
                self.show_progress(state, job, &progress);
            }
            Ok(())
        })?;
        self.display.clear();
        Ok((!self.interrupt.is_requested()).then_some(finished))
    }

    /// Takes the next job for this place until none is left.
    fn work(&self, slot: &Slot, waiting: &Mutex<VecDeque<StudyJob>>, sender: &Sender<RunReport>) {
        let next = || {
            let mut waiting = lock(waiting);
            let place = waiting.iter().position(|job| slot.arms.contains(&job.arm))?;
            waiting.remove(place)
        };
        while let Some(job) = next().filter(|_| !self.interrupt.is_requested()) {
            let began = Instant::now();
            let ended = self.run_job(slot, job);
            if sender.send((job, ended, began.elapsed().as_secs_f64())).is_err() {
                break;
            }
        }
    }

    /// Begins a run, or goes on with it.
    fn run_job(&self, slot: &Slot, job: StudyJob) -> RunEnd {
        let (arm, seed) = (&self.plan.arms[job.arm], self.plan.seeds()[job.seed]);
        let (root, name) = (self.folder.run(arm, seed), seed.to_string());
        if root.is_dir()
            && let Err(error) = run_process::wait_until_free(&root, self.interrupt)
        {
            return RunEnd::Failed(error.to_string());
        }
        // What is no longer true; that it was not there is as good.
        let _ = fs::remove_file(self.folder.failure(arm, seed));
        if let Some(why) = self.folder.is_foreign(arm, seed) {
            return RunEnd::Failed(why);
        }
        let begun = root.join("config.toml").is_file() || root.join("checkpoints").is_dir();
        let [root, settings, runs] = [root, self.folder.settings(arm), self.folder.arm(arm)]
            .map(|path| path.display().to_string());
        let which: &[&str] = if begun {
            &["--resume", &root]
        } else {
            &["--config", &settings, "--runs", &runs, "--name", &name, "--seed", &name]
        };
        let (device, threads) = (slot.device.to_string(), self.threads.to_string());
        let machine: &[&str] = &["--device", &device, "--threads", &threads, "--stop-with-input"];
        let environment: Vec<&str> = self.environment.iter().map(String::as_str).collect();
        run_process::run(&[&["train"], which, machine, &environment].concat(), self.interrupt)
    }

    /// Keeps the outcome of a run.
    fn record(
        &self,
        state: &mut StudyState<'_>,
        job: StudyJob,
        ended: &RunEnd,
    ) -> anyhow::Result<()> {
        let (arm, seed) = (&self.plan.arms[job.arm], self.plan.seeds()[job.seed]);
        let error = match ended {
            RunEnd::Failed(words) => {
                // On a full disk it is shown all the same, and in the summary of this process.
                let _ = atomic_write::replace(&self.folder.failure(arm, seed), words.as_bytes());
                Some(words.clone())
            }
            RunEnd::Finished => {
                // What is no longer true, another process's words too; that there were none is as good.
                let _ = fs::remove_file(self.folder.failure(arm, seed));
                None
            }
            RunEnd::Stopped => None,
        };
        state.update(job, error)?;
        // The summary is written again at the end, where its failure is one.
        if let Err(error) = state.write_soon() {
            self.display.warn(&describe_error(&error));
        }
        Ok(())
    }

    fn show_progress(&self, state: &StudyState<'_>, job: StudyJob, progress: &Progress) {
        let name = format!("{}/{}", self.plan.arms[job.arm].name, self.plan.seeds()[job.seed]);
        let run = state.run(job);
        if run.status == Status::Failed {
            let error = run.error.as_deref().unwrap_or_default();
            self.display.warn(&format!("{name} failed: {error}"));
        }
        self.display
            .status(|| progress.to_string(), || format!("{}  {progress}", render_run(&name, run)));
    }
}
