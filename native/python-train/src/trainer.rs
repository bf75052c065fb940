//! Trainer in this process, whole or by the parts of its iterations.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hgpo_core::Aggregation;
use hgpo_native::allocator::keep_freed_memory;
use hgpo_native::device::{self, Workload};
use hgpo_native::run::environment::{ExternalSource, training_suite};
use hgpo_native::run::external_environment::ExternalOptions;
use hgpo_native::run::policy::{learner, pretrained};
use hgpo_native::run::{Display, Inputs, Interrupt, Machine, ModelExport, RunDirectory, Threads};
use hgpo_train::TrainerError;
use hgpo_train::config::Config;
use hgpo_train::models::Precision;
use hgpo_train::objective::clipped::LossCount;
use hgpo_train::policy::transformer::DecoderPolicy;
use hgpo_train::policy::{Passage, TokenScore};
use hgpo_train::trainer::SPLITS;
use hgpo_train::trainer::by_hand::LearnerByHand;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::devices;
use crate::environment::PythonEnvironment;
use crate::exceptions::python_error;
use crate::interruptible::interruptible;
use crate::settings::AskedSettings;
use crate::step_columns::{
    columns_of_attempts, columns_of_responses, dictionary, passages_from_columns, prompts_from,
    samples_from_columns, trajectories_from_columns,
};

/// A policy in training, as `hgpo train` trains it, without a run's folder.
///
/// `warm_start`, `iterate` and `evaluate` are those of a run. The parts of an iteration are there one by one, for loops of
/// one's own: `play`, or `respond` to prompts; `score`; `estimate`; `update`. An update in shares of the work is
/// `gradient`, `sum`, `apply`, `end_iteration`.
///
/// Parameters
/// ----------
/// preset : settings that are built in, by their name.
/// config : a TOML file of settings, in place of a preset.
/// set : settings one by one, such as ["estimator=gigpo"].
/// seed : of the training.
/// device : "auto" (the faster one for this policy), "cpu", "wgpu", "wgpu:N".
/// threads : as many as the machine runs at once by default; on a graphics adapter, one.
/// environment : what makes environments, as for `train`, in place of a built-in one.
/// agents : the names of all agents, if several share an episode of it.
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
    export: Option<ModelExport>,
    /// An iteration, and how many responses were asked for in it.
    asked: Mutex<(u64, u64)>,
}

#[pymethods]
impl Trainer {
    #[new]
    #[pyo3(signature = (preset = None, *, config = None, set = Vec::new(), seed = None, device = "auto", threads = None,
        environment = None, agents = Vec::new()))]
    #[expect(clippy::too_many_arguments, reason = "each has its name in Python")]
    fn new(
        py: Python<'_>,
        preset: Option<String>,
        config: Option<PathBuf>,
        set: Vec<String>,
        seed: Option<u64>,
        device: &str,
        threads: Option<usize>,
        environment: Option<Bound<'_, PyAny>>,
        agents: Vec<String>,
    ) -> PyResult<Self> {
        let choice = devices::parse_device(py, device)?;
        let player = environment.map(|it| PythonEnvironment::new(&it, agents)).transpose()?;
        let asked = AskedSettings { preset, config, set, seed, is_external: player.is_some() };
        let player = player.map(|it| Arc::new(it) as _);
        let options = ExternalOptions { player, answer_time: Duration::MAX, ..Default::default() };
        let source = ExternalSource { options, ..Default::default() };
        let opened = py.detach(|| {
            let config = asked.resolve()?;
            keep_freed_memory();
            pretrained::prepare_memory(&config);
            let (suite, environment) = training_suite(&config, &source)?;
            let threads = Threads::new(threads.and_then(NonZero::new));
            let chosen = device::choose(choice, Workload::run(&config, threads.count()))?;
            let (threads, display) = (threads.on(chosen.adapter.as_ref()), Display::new());
            let inputs = Inputs::of(&config, environment, &display)?;
            let (parts, export) = learner::open_learner(
                &config,
                suite,
                &chosen,
                threads.count(),
                &display,
                (None, &inputs),
                None,
            )?;
            let parts = Arc::new(Mutex::new(parts));
            let (device, asked) = (chosen.reason, Mutex::default());
            Ok(Self { config, inputs, device, threads, parts, export, asked })
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

    /// Responses of the policy to prompts, each a text (said by a user), a list of messages with role and content, or a
    /// list of tokens. They are drawn with `rollout.temperature`, up to `rollout.max_response_tokens`, by the trainer's
    /// seed.
    ///
    /// Returns
    /// -------
    /// dict : columns with one entry per prompt: prompt, response, log_probabilities, and text of a language model.
    fn respond<'py>(
        &self,
        py: Python<'py>,
        prompts: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let prompts = prompts_from(&prompts)?;
        let iteration = self.iteration();
        let first = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let first = if asked.0 == iteration { asked.1 } else { 0 };
            *asked = (iteration, first + prompts.len() as u64);
            first
        };
        let found = self.done(py, move |parts, host| parts.respond(prompts, first, host))?;
        columns_of_responses(py, found)
    }

    /// The log-probabilities of response tokens, as the policy sees them now or, with `reference`, as the policy that it
    /// is compared with does: columns prompt and response.
    #[pyo3(signature = (samples, *, reference = false))]
    fn score(
        &self,
        py: Python<'_>,
        samples: &Bound<'_, PyAny>,
        reference: bool,
    ) -> PyResult<Vec<Vec<f64>>> {
        let texts = passages_from_columns(samples)?;
        let scores = self.done(py, move |parts, host| {
            let passage = |(prompt, response)| Passage { prompt, response };
            let passages: Vec<_> = texts.iter().map(|(a, b)| passage((&**a, &**b))).collect();
            parts.score(&passages, reference, host)
        })?;
        let of = |tokens: Vec<_>| tokens.iter().map(|it: &TokenScore| it.log_probability).collect();
        Ok(scores.into_iter().map(of).collect())
    }

    /// The advantages of steps by the estimator of the settings: columns task, trajectory, state and rewards, and valid,
    /// action or agent if there are any, as `play` gives them. The steps of a trajectory are in their order.
    fn estimate(&self, py: Python<'_>, steps: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let (trajectories, rows) = trajectories_from_columns(steps)?;
        let found = self.done(py, move |parts, _| parts.estimate(trajectories).map(Some))?;
        let mut advantages = vec![0.0; rows.len()];
        for (row, advantage) in rows.into_iter().zip(found) {
            advantages[row] = advantage;
        }
        Ok(advantages)
    }

    /// All updates of an iteration, as the settings `learn` say, from columns prompt, response, log_probabilities and
    /// advantages; counts the iteration, and gives its metrics.
    fn update<'py>(
        &self,
        py: Python<'py>,
        samples: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let samples = samples_from_columns(samples)?;
        if samples.is_empty() {
            return Err(PyValueError::new_err("there are no steps to learn from"));
        }
        let metrics = self.done(py, move |parts, host| parts.update(samples, host))?;
        dictionary(py, &metrics)
    }

    /// Writes the language model in training as a folder that transformers and `hgpo chat` load.
    ///
    /// Raises
    /// ------
    /// ValueError : if the policy is no language model, or those of a team.
    /// RuntimeError : if the folder is there already, or cannot be written.
    fn save_model(&self, folder: PathBuf) -> PyResult<()> {
        let parts = locked(&self.parts);
        match (&self.export, parts.policy().downcast_ref::<DecoderPolicy>()) {
            (Some(export), Some(policy)) => {
                export.write(policy, &folder, Precision::F32).map_err(|error| python_error(&error))
            }
            (export, _) => Err(PyValueError::new_err(match export {
                Some(_) => "the agents have several language models: state() has their files",
                None => "the policy is no language model: state() has its files",
            })),
        }
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
