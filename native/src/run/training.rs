//! Training run from its settings to its table: warm start, iterations, evaluations, checkpoints.

use std::time::{SystemTime, UNIX_EPOCH};

use hgpo_train::config::{Config, MetricsLog};
use hgpo_train::policy::write_file;
use hgpo_train::trainer::{Iteration, Learner, SPLITS, add_evaluated, render_trace};
use hgpo_train::{Host as _, TrainerError};

use super::checkpoint::checkpoints::{Checkpoint, Checkpoints};
use super::evaluation::records::{Best, EvaluationRecord, Evaluations};
use super::plots::learning_curves_svg;
use super::progress::display::duration;
use super::progress::messages;
use super::progress::metrics_history::phase_seconds;
use super::progress::run_progress::RunProgress;
use super::progress::summary::{self, RunCost, Summary, peak_memory};
use super::storage::atomic_write;
use super::storage::event_log::EventLog;
use super::{Inputs, LockedRun, Machine, MetricsHistory, RunDirectory, RunEnd, RunError};
use crate::device::{self, Chosen};

/// Iterations after which the time of a run is estimated.
const MEASURED: u64 = 5;
/// Seconds that are worth an estimate.
const WORTH_AN_ESTIMATE: f64 = 30.0;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrainingOutcome {
    /// All iterations and evaluations are done.
    Finished,
    /// The user stopped it; everything done is saved.
    Interrupted,
}

/// A run in progress.
pub(crate) struct Training<'a> {
    directory: &'a RunDirectory,
    config: &'a Config,
    inputs: Inputs,
    device: &'a Chosen,
    machine: &'a Machine,
    resume: &'a str,
    pub(crate) learner: Box<dyn Learner>,
    checkpoints: Checkpoints,
    saved: Option<u64>,
    pub(crate) history: MetricsHistory,
    pub(crate) evaluations: Evaluations,
    events: Option<EventLog>,
    cost: RunCost,
}

impl<'a> Training<'a> {
    /// Opens a run: at its newest checkpoint, if any, or at its start, which is what the learner is given at.
    /// What its files hold from after the checkpoint is taken back. `resume` is the command that goes on with
    /// it once it has stopped.
    ///
    /// # Errors
    /// A checkpoint that cannot be used, files that cannot be read or written.
    pub(crate) fn open(
        run: &'a LockedRun,
        config: &'a Config,
        inputs: Inputs,
        mut learner: Box<dyn Learner>,
        device: &'a Chosen,
        machine: &'a Machine,
        resume: &'a str,
    ) -> anyhow::Result<Self> {
        let (directory, newest) = (&run.directory, run.newest.as_ref());
        let checkpoints = Checkpoints::new(directory.checkpoints(), config.checkpoint.keep);
        if let Some(checkpoint) = newest {
            checkpoints.restore(checkpoint, learner.as_mut())?;
        }
        let iteration = learner.iteration();
        let history = MetricsHistory::open(&directory.metrics(), iteration)?;
        let evaluations =
            Evaluations::open(&directory.evaluations(), iteration, &config.evaluation)?;
        let events = (config.checkpoint.log == MetricsLog::Tensorboard)
            .then(|| EventLog::open(&directory.events(), &directory.metrics(), iteration));
        let saved = newest.map(|checkpoint| checkpoint.iteration);
        inputs.write_to(directory)?;
        Ok(Self {
            directory,
            config,
            inputs,
            device,
            machine,
            resume,
            learner,
            checkpoints,
            saved,
            history,
            evaluations,
            events: events.transpose()?,
            cost: RunCost { threads: machine.threads.count(), ..RunCost::default() },
        })
    }

    /// Runs to the end, or until the user stops it.
    ///
    /// # Errors
    /// Files that cannot be written, or learning that fails; what was saved before stays.
    pub(crate) fn run(&mut self) -> anyhow::Result<TrainingOutcome> {
        self.set_early_end();
        if !self.warm_start()? {
            return Ok(TrainingOutcome::Interrupted);
        }
        let outcome = loop {
            if !self.evaluate_if_due()? {
                break TrainingOutcome::Interrupted;
            }
            self.keep_best()?;
            if self.ended().is_some() {
                break TrainingOutcome::Finished;
            }
            match self.learner.iterate(self.machine) {
                Ok(Some(iteration)) => {
                    self.set_early_end();
                    self.record_iteration(iteration)?;
                }
                Ok(None) => break TrainingOutcome::Interrupted,
                // Nothing was learned from what could not be played: what was before it is saved.
                Err(error @ TrainerError::Environment(_)) => {
                    self.save()?;
                    return Err(error.into());
                }
                Err(error) => return Err(error.into()),
            }
        };
        self.save()?;
        self.draw_curves()?;
        if outcome == TrainingOutcome::Finished {
            atomic_write::replace_json(&self.directory.summary(), &self.summary())?;
        }
        Ok(outcome)
    }

    /// What ended the run; none if it has not ended.
    pub(crate) fn ended(&self) -> Option<RunEnd> {
        let steps = self.history.environment_steps();
        RunEnd::of(self.config, self.learner.iteration(), steps, self.evaluations.records())
    }

    /// The best evaluation so far, if its checkpoint is kept.
    pub(crate) fn best(&self) -> Option<Best> {
        self.evaluations.best(self.config.checkpoint.best)
    }

    /// Saves what was just found to be the best: whoever goes on from a checkpoint then never stands before the best.
    fn keep_best(&mut self) -> anyhow::Result<()> {
        let is_now = |best: Best| best.iteration == self.learner.iteration();
        if self.best().is_some_and(is_now) { self.save() } else { Ok(()) }
    }

    /// The outcome of the run.
    fn summary(&self) -> Summary {
        let (config, iterations) = (self.config, self.history.iterations());
        Summary {
            run: self.directory.root.display().to_string(),
            environment: config.environment.name.clone(),
            estimator: config.estimator.name().to_owned(),
            seed: config.seed,
            device: self.device.reason.clone(),
            parameters: self.learner.trained_count(),
            iterations,
            environment_steps: self.history.environment_steps(),
            ended: self.ended().map(RunEnd::name),
            best: self.best(),
            seconds: self.history.seconds(),
            cost: RunCost {
                process: self.machine.seconds(),
                peak_memory_bytes: peak_memory(),
                ..self.cost.clone()
            },
            evaluations: summary::evaluations_by_split(&self.evaluations, iterations),
        }
    }

    /// What to say when the run stops.
    pub(crate) fn farewell(&self) -> String {
        messages::describe_stop(self.resume, self.saved)
    }

    /// Lets the machine end the process at once while there is nothing that a stop should save.
    fn set_early_end(&self) {
        let is_saved = self.saved.unwrap_or_default() == self.learner.iteration();
        self.machine.may_end(is_saved.then(|| self.farewell()));
    }

    /// Imitation before the first iteration, unless a checkpoint holds its result; false when
    /// interrupted.
    fn warm_start(&mut self) -> anyhow::Result<bool> {
        if self.saved.is_some() {
            return Ok(true);
        }
        let display = &self.machine.display;
        let started = self.machine.seconds();
        display.progress("warm start", 0, 1);
        let Some(metrics) = self.learner.warm_start(self.machine)? else {
            return Ok(false);
        };
        let took = self.machine.seconds() - started;
        self.cost.warm_start = Some(took);
        let took = duration(took);
        match metrics.get("warm_start/loss").and_then(serde_json::Value::as_f64) {
            Some(loss) => display.line(&format!("warm start: loss {loss:.3} in {took}")),
            None => display.line("warm start: left out"),
        }
        self.save()?;
        Ok(true)
    }

    /// Evaluates if the settings ask for it and it was not done; false when interrupted.
    fn evaluate_if_due(&mut self) -> anyhow::Result<bool> {
        let at = self.learner.iteration();
        if !self.config.evaluates_after(at, self.history.environment_steps()) {
            return Ok(true);
        }
        let (mut measured, started) = (false, self.machine.seconds());
        for split in SPLITS {
            for &seed in &self.config.evaluation.seeds {
                if self.evaluations.contains(at, split, seed) {
                    continue;
                }
                let Some(found) = self.learner.evaluate_split(split, seed, self.machine)? else {
                    return Ok(false);
                };
                let record = EvaluationRecord::new(at, &self.config.evaluation, &found);
                self.machine.display.line(&messages::render_evaluation(&record));
                self.evaluations.append(record)?;
                measured = true;
            }
        }
        self.cost.evaluation += self.machine.seconds() - started;
        self.amend_metrics(at, measured)?;
        Ok(true)
    }

    /// Puts the means over the evaluation seeds into the line of the iteration, unless they are there
    /// and nothing was measured since.
    fn amend_metrics(&mut self, at: u64, measured: bool) -> Result<(), RunError> {
        let name = "eval/success_rate";
        if self.history.last().is_none_or(|line| line.contains_key(name) && !measured) {
            return Ok(());
        }
        let measured = SPLITS.map(|split| (split, self.evaluations.at(at, split)));
        self.history.amend_last(|line| {
            for (split, measured) in measured {
                let Some(measured) = measured else { continue };
                add_evaluated(line, split, measured.mean, measured.mean_length);
            }
        })?;
        self.log_last(|name| name.starts_with("eval/"))
    }

    /// Logs what the last line has of the names that are wanted, if a log is kept.
    fn log_last(&mut self, is_wanted: impl Fn(&str) -> bool) -> Result<(), RunError> {
        let (Some(events), Some(line)) = (&mut self.events, self.history.last()) else {
            return Ok(());
        };
        events.append(line, is_wanted)
    }

    /// Writes what an iteration did: metrics, traces, checkpoint, a line for the reader.
    fn record_iteration(&mut self, iteration: Iteration) -> anyhow::Result<()> {
        let Iteration { number, mut metrics, trajectories, samples, .. } = iteration;
        metrics.insert("seconds/iteration".into(), phase_seconds(&metrics).into());
        metrics.insert("time".into(), unix_time().into());
        self.history.append(metrics)?;
        self.log_last(|_| true)?;
        self.show_iteration(number);
        let steps = self.history.environment_steps();
        // Whether patience ends the run is said by the evaluation that follows.
        let may_end = self.config.learn.patience > 0 && self.config.evaluates_after(number, steps);
        let last = may_end || self.config.ends_after(number, steps);
        let due = |every: u64| last || (every != 0 && number.is_multiple_of(every));
        let is_asked = self.machine.takes_save_request();
        if due(self.config.checkpoint.traces_every) {
            let path = self.directory.traces(number);
            let has_tokens = self.config.trace.tokens;
            let records = has_tokens.then(|| self.learner.token_records(samples, self.machine));
            let text = render_trace(self.config, number, &trajectories, records.transpose()?)?;
            atomic_write::replace(&path, &text)?;
        }
        if due(self.config.checkpoint.every) || is_asked {
            self.save()?;
            self.draw_curves()?;
        }
        if is_asked {
            self.machine.display.line(&messages::describe_save(number));
        }
        Ok(())
    }

    /// Shows the iteration that was just recorded.
    fn show_iteration(&self, number: u64) {
        let (Some(line), Some(each)) = (self.history.last(), self.history.recent_seconds()) else {
            return;
        };
        let display = &self.machine.display;
        let progress = RunProgress::new(self.config, number, self.history.environment_steps());
        display.status(
            || messages::render_status(&progress, line, &self.history, each),
            || messages::render_iteration(&progress, line, each),
        );
        let left = progress.iterations_left() * each;
        if number == MEASURED && left >= WORTH_AN_ESTIMATE {
            display.line(&messages::describe_time_left(MEASURED, left));
        }
    }

    fn save(&mut self) -> anyhow::Result<()> {
        let iteration = self.learner.iteration();
        if self.saved != Some(iteration) {
            // A checkpoint that outlives a power cut must find the lines of its iterations.
            self.history.log.synchronise()?;
            self.evaluations.log.synchronise()?;
            atomic_write::synchronise(&self.directory.root)?;
            let settings = toml::to_string(self.config).map_err(std::io::Error::other);
            let settings = settings.map_err(RunError::write(&self.directory.config()))?;
            let inputs = self.inputs.write().map_err(RunError::write(&self.directory.inputs()))?;
            let best = self.best().map(|best| best.iteration);
            self.checkpoints.save(iteration, best, |write| {
                write_file(write, Checkpoint::SETTINGS, settings.into_bytes())?;
                if let Some(inputs) = inputs {
                    write_file(write, RunDirectory::INPUTS, inputs)?;
                }
                let device = device::name(self.device.adapter.as_ref());
                write_file(write, Checkpoint::DEVICE, device.into_bytes())?;
                self.learner.save(write)
            })?;
            self.saved = Some(iteration);
            self.set_early_end();
        }
        Ok(())
    }

    fn draw_curves(&self) -> Result<(), RunError> {
        let Self { config, history, evaluations, .. } = self;
        let (estimator, environment) = (config.estimator.name(), &config.environment.name);
        let title = format!("{estimator} on {environment}, seed {}", config.seed);
        learning_curves_svg::draw(&self.directory.curves(), &title, history, evaluations)
    }
}

fn unix_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
