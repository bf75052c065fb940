//! Worker pool in Python: an object with the methods `begin`, `publish`, `withdraw` and `engage`.

use hgpo_train::policy::PolicyError;
use hgpo_train::policy::remote::{AnswerQuestion, JobError, WorkerPool};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::exceptions::{policy_error, work_error};
use crate::job_sessions::Event;

/// A worker pool that Python provides.
pub(crate) struct PythonWorkerPool {
    jobs: usize,
    crew: Py<PyAny>,
}

impl PythonWorkerPool {
    pub(crate) fn new(crew: &Bound<'_, PyAny>) -> PyResult<Self> {
        let jobs = crew.getattr("jobs")?.extract::<usize>()?.max(1);
        Ok(Self { jobs, crew: crew.clone().unbind() })
    }

    /// Says that the user asked to stop: nobody is waited for any more.
    pub(crate) fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.crew.call_method0(py, "stop").map(drop)
    }
}

impl WorkerPool for PythonWorkerPool {
    fn jobs(&self) -> usize {
        self.jobs
    }

    fn begin(&self, start: Vec<u8>) -> Result<(), PolicyError> {
        call(&self.crew, "begin", (start,)).map(drop).map_err(policy_error)
    }

    fn publish(&self, weights: u64, bytes: Vec<u8>) -> Result<(), PolicyError> {
        call(&self.crew, "publish", (weights, bytes)).map(drop).map_err(policy_error)
    }

    fn withdraw(&self, weights: u64) {
        // If it fails, memory is lost and nothing else.
        let _ = call(&self.crew, "withdraw", (weights,));
    }

    fn run_job(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<Vec<u8>, JobError> {
        let worker = call(&self.crew, "engage", (weights,))?;
        let done = talk(&worker, job, answer);
        call(&worker, "close", ())?;
        done
    }
}

/// What a method gives.
fn call(
    object: &Py<PyAny>,
    method: &str,
    arguments: impl for<'py> PyCallArgs<'py>,
) -> Result<Py<PyAny>, JobError> {
    Python::attach(|py| {
        object.call_method1(py, method, arguments).map_err(|error| work_error(py, &error))
    })
}

/// Talks with a worker until the job is done.
fn talk(
    worker: &Py<PyAny>,
    job: &[u8],
    answer: &mut AnswerQuestion<'_>,
) -> Result<Vec<u8>, JobError> {
    let say = |message: &[u8]| {
        Python::attach(|py| {
            let said = worker.call_method1(py, "say", (message,));
            let heard = said.and_then(|it| Ok(it.bind(py).cast::<PyBytes>()?.as_bytes().to_vec()));
            heard.map_err(|error| work_error(py, &error))
        })
    };
    let mut heard = say(job)?;
    loop {
        match Event::read(heard) {
            Some(Event::Done(done)) => return Ok(done),
            Some(Event::Asks(question)) => heard = say(&answer(&question)?)?,
            None => {
                let problem = "a worker said nothing".to_owned();
                return Err(JobError::Failed(PolicyError::Workers(problem)));
            }
        }
    }
}
