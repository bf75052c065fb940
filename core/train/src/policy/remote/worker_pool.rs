//! Those who work for a policy.

use crate::policy::PolicyError;

/// Gives what is asked in the middle of a job: takes a question and answers it.
pub type Answer<'a> = dyn FnMut(&[u8]) -> Result<Vec<u8>, PolicyError> + 'a;

/// Workers elsewhere, each with a [`super::Workplace`]. What passes between them and [`super::Dealt`] is
/// bytes, which a crew does not read.
pub trait Crew: Send + Sync {
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
    /// [`WorkError::Lost`] where the worker went away on the way; all others are the job's.
    fn work(&self, weights: u64, job: &[u8], answer: &mut Answer<'_>)
    -> Result<Vec<u8>, WorkError>;
}

/// Why a job was not done.
#[derive(Debug)]
pub enum WorkError {
    /// The worker went away: somebody else can do it. Says what became known of that.
    Lost(String),
    /// Nobody can.
    Failed(PolicyError),
}

impl From<PolicyError> for WorkError {
    fn from(error: PolicyError) -> Self {
        Self::Failed(error)
    }
}
