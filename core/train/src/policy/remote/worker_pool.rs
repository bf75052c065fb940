//! Worker pool: those who work for a remote policy.

use crate::policy::PolicyError;

/// Answers a question that is asked in the middle of a job.
pub type AnswerQuestion<'a> = dyn FnMut(&[u8]) -> Result<Vec<u8>, PolicyError> + 'a;

/// Workers elsewhere, each with a [`super::PolicyWorker`]. What passes between them and [`super::RemotePolicy`] is
/// bytes, which a pool does not read.
pub trait WorkerPool: Send + Sync {
    /// How many jobs are done at once, as far as is known.
    fn jobs(&self) -> usize;

    /// Says what workers start from, before any of them is asked for anything.
    ///
    /// # Errors
    /// None of them can be had.
    fn begin(&self, start: Vec<u8>) -> Result<(), PolicyError>;

    /// Has the weights ready that a number names, for workers to fetch.
    ///
    /// # Errors
    /// There is no place for them.
    fn publish(&self, weights: u64, bytes: Vec<u8>) -> Result<(), PolicyError>;

    /// Nobody will ask for these weights any more.
    fn withdraw(&self, weights: u64);

    /// Has a job done with these weights by a worker who is free, and waits for one.
    ///
    /// # Errors
    /// [`JobError::Lost`] if the worker went away on the way; all others are the job's.
    fn run_job(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<Vec<u8>, JobError>;
}

/// Why a job was not done.
#[derive(Debug)]
pub enum JobError {
    /// The worker went away: somebody else can do it. Says what became known of that.
    Lost(String),
    /// Nobody can.
    Failed(PolicyError),
}

impl From<PolicyError> for JobError {
    fn from(error: PolicyError) -> Self {
        Self::Failed(error)
    }
}
