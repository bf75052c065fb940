//! Worker for a run of another process.

use hgpo_native::allocator::keep_freed_memory;
use hgpo_native::device::{self, Workload};
use hgpo_native::run::Display;
use hgpo_native::run::policy::pretrained;
use hgpo_native::run::policy::remote_worker::WorkerSetup;
use hgpo_train::policy::PolicyError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::devices;
use crate::exceptions::python_error;
use crate::job_sessions::JobSessions;

/// Works for a run: a policy as the run's was at its start, which takes weights by their numbers and does jobs with
/// them.
///
/// Parameters
/// ----------
/// start : what the run's crew was given to begin with.
/// device : where the policy is; as `--device` of `hgpo train`.
/// jobs : how many are done at once at most.
///
/// Raises
/// ------
/// RuntimeError : if the run's version of this package is another one, or the policy cannot be had here.
#[pyclass(frozen, module = "hgpo_train")]
pub(crate) struct Worker {
    sessions: JobSessions,
    device: String,
}

#[pymethods]
impl Worker {
    #[new]
    #[pyo3(signature = (start, device = "auto", jobs = 1))]
    fn new(py: Python<'_>, start: &[u8], device: &str, jobs: usize) -> PyResult<Self> {
        let choice = devices::parse_device(py, device)?;
        let start = start.to_vec();
        let opened = py.detach(|| {
            keep_freed_memory();
            let beginning = WorkerSetup::read(&start)?;
            let config = beginning.config()?;
            pretrained::prepare_memory(&config);
            let chosen = device::choose(choice, Workload::run(&config, jobs.max(1)))?;
            let work = beginning.open_worker(&chosen, jobs.max(1), &Display::new())?;
            Ok((work, chosen.reason))
        });
        let (work, device) = opened.map_err(|error: anyhow::Error| python_error(&error))?;
        Ok(Self { sessions: JobSessions::new(work.into()), device })
    }

    /// Where it works, and why there.
    #[getter]
    fn device(&self) -> &str {
        &self.device
    }

    /// Takes weights, and drops those that are not among `kept`.
    ///
    /// Raises
    /// ------
    /// RuntimeError : if they are none of this policy.
    fn hold(&self, py: Python<'_>, weights: u64, data: &[u8], kept: Vec<u64>) -> PyResult<()> {
        let data = data.to_vec();
        py.detach(|| self.sessions.work.load_weights(weights, &data, &kept)).map_err(failed)
    }

    /// Begins a job, or answers what it has asked; gives what it says next.
    ///
    /// Raises
    /// ------
    /// RuntimeError : if the job cannot be read, or these weights are not held.
    fn say(&self, py: Python<'_>, talk: u64, weights: u64, message: &[u8]) -> PyResult<Vec<u8>> {
        let message = message.to_vec();
        let event = py.detach(|| self.sessions.say(talk, weights, message)).map_err(failed)?;
        Ok(event.write())
    }

    /// Ends a job that nobody answers any more.
    fn leave(&self, talk: u64) {
        self.sessions.leave(talk);
    }
}

fn failed(error: PolicyError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
