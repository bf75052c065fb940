//! Trainer in this process, whole or by the parts of its iterations.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hgpo_core::Aggregation;
use hgpo_native::allocator::keep_freed_memory;
use hgpo_native::device::{self, Workload};
use hgpo_native::run::environment::{CommandSource, training_suite};
use hgpo_native::run::policy::{learner, pretrained};
use hgpo_native::run::{Display, Inputs, Interrupt, Machine, RunDirectory, Threads};
use hgpo_native::settings::SettingsLayers;
use hgpo_train::TrainerError;
use hgpo_train::config::Config;
use hgpo_train::objective::clipped::LossCount;
use hgpo_train::trainer::by_hand::LearnerByHand;
use hgpo_train::trainer::{Metrics, SPLITS};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::devices;
use crate::exceptions::python_error;
use crate::interruptible::interruptible;
use crate::step_columns::{columns_of_attempts, samples_from_columns};

/// A policy in training, as `hgpo train` trains it, without a run's folder.
///
/// `warm_start`, `iterate` and `evaluate` are those of a run. The parts of an iteration are there one by one: `play`,
/// `gradient`, `sum`, `apply`, `end_iteration`, so that advantages can be anybody's and shares of the work anywhere.
///
/// Parameters
/// ----------
/// preset : settings that are built in, by their name.
/// config : a TOML file of settings, in place of a preset.
/// set : settings one by one, such as ["estimator=gigpo"].
/// seed : of the training.
/// device : "auto" (the faster one for this policy), "cpu", "wgpu", "wgpu:N".
/// threads : as many as the machine runs at once by default; on a graphics adapter, one.
///
/// Raises
/// ------
/// ValueError : settings that do not make sense.
/// RuntimeError : an environment or a model that is not to be had, or does not fit in memory.
///
/// Examples
/// --------
/// >>> trainer = Trainer("gridworld", set=["rollout.tasks=2"])
/// >>> steps = trainer.play([0, 1])
/// >>> gradient, report = trainer.gradient({**steps, "advantages": [1.0] * len(steps["rewards"])})
/// >>> norm = trainer.apply(gradient, report["tokens"])
/// >>> trainer.end_iteration()
/// >>> trainer.iteration
/// 1
#[pyclass(frozen, module = "hgpo_train")]
pub(crate) struct Trainer {
    config: Config,
    inputs: Inputs,
    device: String,
    threads: Threads,
    parts: Arc<Mutex<Box<dyn LearnerByHand>>>,
}

#[pymethods]
impl Trainer {
    #[new]
    #[pyo3(signature = (preset = None, *, config = None, set = Vec::new(), seed = None, device = "auto", threads = None))]
    fn new(
        py: Python<'_>,
        preset: Option<&str>,
        config: Option<PathBuf>,
        set: Vec<String>,
        seed: Option<u64>,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let choice = devices::parse_device(py, device)?;
        let opened = py.detach(|| {
            let config = settings(preset, config, &set, seed)?;
            keep_freed_memory();
            pretrained::prepare_memory(&config);
            let (suite, environment) = training_suite(&config, &CommandSource::default())?;
            let threads = Threads::new(threads.and_then(NonZero::new));
            let chosen = device::choose(choice, Workload::run(&config, threads.count()))?;
            let (threads, display) = (threads.on(chosen.adapter.as_ref()), Display::new());
            let inputs = Inputs::of(&config, environment, &display)?;
            let (parts, _) = learner::open_learner(
                &config,
                suite,
                &chosen,
                threads.count(),
                &display,
                (None, &inputs),
                None,
            )?;
            let parts = Arc::new(Mutex::new(parts));
            Ok(Self { config, inputs, device: chosen.reason, threads, parts })
        });
        opened.map_err(|error: anyhow::Error| python_error(&error))
    }

    /// All settings, as TOML.
    #[getter]
    fn settings(&self) -> PyResult<String> {
        toml::to_string(&self.config).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Where it is computed, and why there.
    #[getter]
    fn device(&self) -> &str {
        &self.device
    }

    /// Iterations done.
    #[getter]
    fn iteration(&self) -> u64 {
        locked(&self.parts).iteration()
    }

    /// Numbers that are trained, as far as they are known.
    #[getter]
    fn trained_count(&self) -> usize {
        locked(&self.parts).trained_count()
    }

    /// Imitates scripted play, as a run begins; gives what was measured.
    fn warm_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let metrics = self.done(py, |parts, host| parts.warm_start(host))?;
        dictionary(py, &metrics)
    }

    /// Makes one iteration; gives its metrics.
    fn iterate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let iteration = self.done(py, |parts, host| parts.iterate(host))?;
        dictionary(py, &iteration.metrics)
    }

    /// Plays held-out tasks ("seen" or "unseen"), named by a seed; gives success, steps and score of an episode.
    #[pyo3(signature = (split = "seen", seed = 123))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        split: &str,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = SPLITS.into_iter().find(|it| it.name() == split);
        let split = found.ok_or_else(|| {
            PyValueError::new_err(format!("split {split:?}: choose \"seen\" or \"unseen\""))
        })?;
        let found = self.done(py, move |parts, host| parts.evaluate_split(split, seed, host))?;
        let told = PyDict::new(py);
        told.set_item("episodes", found.episodes)?;
        told.set_item("success_rate", found.successes as f64 / found.episodes.max(1) as f64)?;
        told.set_item("episode_length", found.mean_length)?;
        told.set_item("score", found.mean_score)?;
        Ok(told)
    }

    /// Plays the groups of tasks of the next iteration, by their numbers.
    ///
    /// Returns
    /// -------
    /// dict : columns with one entry per step, by the names of `hgpo.advantages`: task, trajectory, state, rewards, action,
    ///     valid, success; and prompt, response, log_probabilities: what the policy read and wrote.
    fn play<'py>(&self, py: Python<'py>, tasks: Vec<usize>) -> PyResult<Bound<'py, PyDict>> {
        let attempts = self.done(py, move |parts, host| parts.play(&tasks, host))?;
        columns_of_attempts(py, &attempts)
    }

    /// The gradient of the clipped objective at steps: columns prompt, response, log_probabilities and advantages.
    ///
    /// Returns
    /// -------
    /// (bytes, dict) : the gradient, summed over response tokens, and these sums: tokens, responses, policy, kl, entropy,
    ///     clipped_low, clipped_high.
    fn gradient<'py>(
        &self,
        py: Python<'py>,
        samples: &Bound<'py, PyAny>,
    ) -> PyResult<(Vec<u8>, Bound<'py, PyDict>)> {
        let samples = samples_from_columns(samples)?;
        let (bytes, sums) = self.done(py, move |parts, host| parts.gradient(&samples, host))?;
        let told = PyDict::new(py);
        told.set_item("tokens", sums.count.tokens as usize)?;
        told.set_item("responses", sums.count.responses as usize)?;
        told.set_item("policy", sums.policy)?;
        told.set_item("kl", sums.kl)?;
        told.set_item("entropy", sums.entropy)?;
        told.set_item("clipped_low", sums.clipped_low)?;
        told.set_item("clipped_high", sums.clipped_high)?;
        Ok((bytes, told))
    }

    /// The sum of gradients, in their order.
    fn sum(&self, py: Python<'_>, gradients: Vec<Vec<u8>>) -> PyResult<Vec<u8>> {
        self.done(py, move |parts, _| parts.sum(&gradients).map(Some))
    }

    /// A step of the optimiser against a gradient that is summed over so many response tokens (and responses, which
    /// `learn.aggregation` other than `tokens` divides by); gives the norm of the mean before it is clipped. If that is
    /// not finite, nothing has changed.
    #[pyo3(signature = (gradient, tokens, responses = None))]
    fn apply(
        &self,
        py: Python<'_>,
        gradient: Vec<u8>,
        tokens: usize,
        responses: Option<usize>,
    ) -> PyResult<f64> {
        let aggregation = self.config.learn.objective.aggregation;
        if responses.is_none() && aggregation != Aggregation::Tokens {
            return Err(PyValueError::new_err(format!(
                "learn.aggregation={aggregation} divides by responses: pass the sum of the reports' `responses`, too"
            )));
        }
        let count =
            LossCount { tokens: tokens as f64, responses: responses.unwrap_or_default() as f64 };
        self.done(py, move |parts, _| parts.apply(&gradient, count).map(Some))
    }

    /// Counts an iteration that was made of its parts.
    fn end_iteration(&self) {
        locked(&self.parts).end_iteration();
    }

    /// Everything that another trainer of the same settings needs to go on: files of a checkpoint, by their names.
    fn state(&self, py: Python<'_>) -> PyResult<BTreeMap<String, Vec<u8>>> {
        let inputs = self.inputs.write()?;
        self.done(py, |parts, _| {
            let mut files: BTreeMap<_, _> =
                inputs.map(|it| (RunDirectory::INPUTS.to_owned(), it)).into_iter().collect();
            let mut write = |name: &str, bytes: Vec<u8>| {
                files.insert(name.to_owned(), bytes);
                Ok(())
            };
            parts.save(&mut write)?;
            Ok(Some(files))
        })
    }

    /// Goes on from the state of another trainer, or from the files of a checkpoint.
    ///
    /// Raises
    /// ------
    /// RuntimeError : if a file is missing, damaged or of other settings, or the language model, the briefing or the
    ///     data is not what that trainer had; the trainer is then to be made anew.
    fn restore(&self, py: Python<'_>, state: BTreeMap<String, Vec<u8>>) -> PyResult<()> {
        if let Some(text) = state.get(RunDirectory::INPUTS) {
            let recorded = Inputs::parse(text).map_err(|error| python_error(&error.into()))?;
            self.inputs.check(Some(&recorded)).map_err(|error| python_error(&error.into()))?;
        }
        self.done(py, move |parts, _| {
            let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
            let mut read = |name: &str| state.get(name).cloned().ok_or_else(missing);
            parts.restore(&mut read).map(Some)
        })
    }
}

impl Trainer {
    /// Long work, without the interpreter's lock, which Ctrl-C stops.
    fn done<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn LearnerByHand, &Machine) -> Result<Option<T>, TrainerError>
        + Send
        + 'static,
    ) -> PyResult<T> {
        let (interrupt, display) = (Interrupt::default(), Arc::new(Display::silent()));
        let host = Machine::new(self.threads.clone(), interrupt.clone(), display);
        let parts = Arc::clone(&self.parts);
        let stop = |_: Python<'_>| {
            interrupt.stop();
            Ok(())
        };
        let found = interruptible(py, Some(&stop), move || work(locked(&parts).as_mut(), &host))?;
        let found = found.map_err(|error| python_error(&error.into()))?;
        found.ok_or_else(|| PyKeyboardInterrupt::new_err("stopped"))
    }
}

fn locked(parts: &Mutex<Box<dyn LearnerByHand>>) -> MutexGuard<'_, Box<dyn LearnerByHand>> {
    parts.lock().unwrap_or_else(PoisonError::into_inner)
}

fn settings(
    preset: Option<&str>,
    config: Option<PathBuf>,
    set: &[String],
    seed: Option<u64>,
) -> anyhow::Result<Config> {
    let mut settings = SettingsLayers::defaults();
    if let Some(preset) = preset {
        settings.apply_preset(preset)?;
    }
    if let Some(file) = config {
        settings.apply_file(&file)?;
    }
    settings.apply_assignments(set)?;
    if let Some(seed) = seed {
        settings.apply_seed(seed)?;
    }
    Ok(settings.resolve()?)
}

/// Names and values as Python's.
fn dictionary<'py>(py: Python<'py>, metrics: &Metrics) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(metrics);
    let text = text.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
