//! `hgpo train`, in an environment of Python's or with workers that Python provides.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use hgpo_native::cli::train::embedded::{EmbeddedTraining, Embedder};
use hgpo_native::run::Interrupt;
use hgpo_native::run::policy::remote_worker::VERSION;
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit, PyValueError};
use pyo3::prelude::*;

use crate::devices::quiet_drivers;
use crate::environment::PythonEnvironment;
use crate::exceptions::python_error;
use crate::interruptible::interruptible;
use crate::worker_pool::PythonWorkerPool;

/// The command that messages name.
pub(crate) const COMMAND: &str = "python -m hgpo.ray";

/// The version of this package, down to the commit: that of a run and of those who work for it have to be the same.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    VERSION
}

/// A run with the options of `hgpo train`, whose work is done by others.
///
/// Parameters
/// ----------
/// arguments : options of `hgpo train`.
///
/// Raises
/// ------
/// SystemExit : if the options are wrong, or ask for help, after saying so.
#[pyclass(frozen, module = "hgpo_train")]
pub(crate) struct Training {
    training: Arc<EmbeddedTraining>,
}

#[pymethods]
impl Training {
    #[new]
    fn new(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Self> {
        match EmbeddedTraining::parse(COMMAND, arguments) {
            Ok(training) => Ok(Self { training: Arc::new(training) }),
            Err(usage) => {
                let stream = if usage.status == 0 { "stdout" } else { "stderr" };
                let stream = py.import("sys")?.getattr(stream)?;
                stream.call_method1("write", (usage.text,))?;
                Err(PySystemExit::new_err(usage.status))
            }
        }
    }

    /// The device that was asked for.
    #[getter]
    fn device(&self) -> String {
        self.training.device().to_string()
    }

    /// Trains, or resumes. The first Ctrl-C saves and stops, the second stops at once.
    ///
    /// Parameters
    /// ----------
    /// crew : those who work: an object with the attribute `jobs` and the methods `begin(start)`,
    ///     `publish(weights, data)`, `withdraw(weights)`, `engage(weights)` and `stop()`; what `engage` gives has
    ///     `say(message)` and `close()`.
    /// flags : what to add to the command that goes on with the run.
    ///
    /// Returns
    /// -------
    /// int : the exit status: 0, or 130 if it was stopped.
    ///
    /// Raises
    /// ------
    /// ValueError : settings that do not make sense.
    /// RuntimeError : everything else, with what to do.
    fn run(&self, py: Python<'_>, crew: &Bound<'_, PyAny>, flags: String) -> PyResult<u8> {
        quiet_drivers(py)?;
        let pool = Arc::new(PythonWorkerPool::new(crew)?);
        let interrupt = Interrupt::default();
        let crew = Some(Arc::clone(&pool) as _);
        let workers = Embedder { crew, interrupt: interrupt.clone(), flags };
        let training = Arc::clone(&self.training);
        let stop = |py: Python<'_>| {
            interrupt.stop();
            pool.stop(py)
        };
        let done = interruptible(py, Some(&stop), move || training.run(&workers))?;
        done.map(|end| end.status).map_err(|error| python_error(&error))
    }
}

/// Trains, or resumes, as `hgpo train` does; in an environment of Python's, if one is given.
///
/// Parameters
/// ----------
/// environment : called without arguments, gives an environment with Gymnasium's `reset(seed=...)` and `step(action)`
///     whose observations are texts, as for `hgpo.environment.serve`; it is called for as many as play at a time.
/// preset : settings that are built in, by their name.
/// config : a TOML file of settings, in place of a preset.
/// set : settings one by one, such as ["estimator=gigpo"].
/// model : a language model, as for `--model`.
/// seed : of the training.
/// name : of the run.
/// resume : a run to go on with, by its folder or its name, in place of a preset, a model, a seed and a name.
/// device : "auto" (the faster one for this policy), "cpu", "wgpu", "wgpu:N".
/// threads : as many as the machine runs at once by default; on a graphics adapter, one.
/// agents : the names of all agents, if several share an episode.
/// environment_changed : whether a run may go on although its environment is not what it began with.
///
/// Returns
/// -------
/// str : the folder of the run.
///
/// Raises
/// ------
/// ValueError : settings that do not make sense.
/// RuntimeError : everything else, with what to do.
/// KeyboardInterrupt : after Ctrl-C, once what was learned is saved.
#[pyfunction]
#[pyo3(signature = (environment = None, *, preset = None, config = None, set = Vec::new(), model = None, seed = None,
    name = None, resume = None, device = "auto", threads = None, agents = Vec::new(), environment_changed = false))]
#[expect(clippy::too_many_arguments, reason = "each has its name in Python")]
pub(crate) fn train(
    py: Python<'_>,
    environment: Option<Bound<'_, PyAny>>,
    preset: Option<String>,
    config: Option<PathBuf>,
    set: Vec<String>,
    model: Option<PathBuf>,
    seed: Option<u64>,
    name: Option<String>,
    resume: Option<PathBuf>,
    device: &str,
    threads: Option<usize>,
    agents: Vec<String>,
    environment_changed: bool,
) -> PyResult<PathBuf> {
    quiet_drivers(py)?;
    let number = |number: Option<u64>| number.map(|it| it.to_string().into());
    let flags: [(&str, Option<OsString>); 8] = [
        ("--preset", preset.map(Into::into)),
        ("--config", config.map(Into::into)),
        ("--model", model.map(Into::into)),
        ("--seed", number(seed)),
        ("--name", name.map(Into::into)),
        ("--resume", resume.map(Into::into)),
        ("--device", Some(device.into())),
        ("--threads", number(threads.map(|it| it as u64))),
    ];
    let set = set.into_iter().map(|text| ("--set", Some(OsString::from(text))));
    let given =
        flags.into_iter().chain(set).filter_map(|(flag, value)| Some([flag.into(), value?]));
    let changed = environment_changed.then(|| "--environment-changed".into());
    let parsed = EmbeddedTraining::parse("hgpo", given.flatten().chain(changed));
    let mut training = parsed.map_err(|usage| PyValueError::new_err(usage.text))?;
    if let Some(factory) = environment {
        training = training.with_environment(Arc::new(PythonEnvironment::new(&factory, agents)?));
    }
    let embedder = Embedder::default();
    let interrupt = embedder.interrupt.clone();
    let stop = |_: Python<'_>| {
        interrupt.stop();
        Ok(())
    };
    let done = interruptible(py, Some(&stop), move || training.run(&embedder))?;
    let end = done.map_err(|error| python_error(&error))?;
    match end.folder {
        Some(folder) if end.status == 0 => Ok(folder),
        _ => Err(PyKeyboardInterrupt::new_err("stopped and saved")),
    }
}
