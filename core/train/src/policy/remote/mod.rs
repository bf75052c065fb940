//! Remote policy: workers elsewhere answer its prompts, score its passages and compute its gradients; it
//! learns here.
//!
//! Training with it is training with the policy that is inside: jobs are those that threads would do, and
//! their results are put together in the same order ([`crate::executor`]), so that the same machines give the
//! same bytes, however many they are and whichever of them goes away on the way. The optimiser's step is made
//! here alone; workers are given the weights that it led to, before their next job.

mod messages;
mod policy;
#[cfg(test)]
mod tests;
mod worker;
mod worker_pool;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use self::messages::{Job, JobResult, Question, Reply};
pub(crate) use self::messages::{decode, encode};
pub use self::worker::{PolicyWorker, RemoteWorker};
pub use self::worker_pool::{AnswerQuestion, JobError, WorkerPool};
use super::{Policy, PolicyError};

/// Workers that may be lost over one job: if there are more, the job itself is to blame.
const MAX_LOST_WORKERS: usize = 8;

/// A policy whose weights and gradients can be written as bytes and come back as they were, bit by bit.
pub trait PortablePolicy: Policy {
    /// What it has learned.
    ///
    /// # Errors
    /// When the device does not give the weights back, or they are no numbers any more.
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError>;

    /// The policy with what another one has learned, that began as this one did.
    ///
    /// # Errors
    /// The bytes are damaged, or of another policy.
    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError>;

    /// A gradient as bytes.
    ///
    /// # Errors
    /// When the device does not give it back.
    fn write_gradient(gradient: Self::Gradient) -> Result<Vec<u8>, PolicyError>;

    /// A gradient that [`PortablePolicy::write_gradient`] has written.
    ///
    /// # Errors
    /// The bytes are damaged, or of another policy.
    fn read_gradient(&self, bytes: &[u8]) -> Result<Self::Gradient, PolicyError>;
}

/// A policy and the workers that it has.
#[derive(Clone)]
pub struct RemotePolicy<P> {
    policy: P,
    weights: Arc<PublishedWeights>,
}

/// Weights that workers know by their number.
struct PublishedWeights {
    number: u64,
    is_reference: bool,
    workers: Arc<dyn WorkerPool>,
    is_published: Mutex<bool>,
}

impl<P: PortablePolicy> RemotePolicy<P> {
    /// A policy for which a pool of workers works from now on.
    pub fn new(policy: P, workers: Arc<dyn WorkerPool>) -> Self {
        Self { policy, weights: PublishedWeights::new(workers, false) }
    }

    /// The same workers with other weights.
    fn with(&self, policy: P, is_reference: bool) -> Self {
        Self {
            policy,
            weights: PublishedWeights::new(Arc::clone(&self.weights.workers), is_reference),
        }
    }

    /// Runs a job, again if a worker is lost. What it asks for is asked for once: the second worker is given
    /// the answers that the first one had.
    fn run(
        &self,
        job: &Job,
        answer: &mut dyn FnMut(Question) -> Result<Reply, PolicyError>,
    ) -> Result<JobResult, PolicyError> {
        self.weights.publish(&self.policy)?;
        let job = encode(job)?;
        let mut given: Vec<Vec<u8>> = Vec::new();
        let mut last = String::new();
        for _ in 0..MAX_LOST_WORKERS {
            let mut asked = 0;
            let mut known = |question: &[u8]| {
                if asked == given.len() {
                    given.push(encode(&answer(decode(question)?)?)?);
                }
                asked += 1;
                Ok(given[asked - 1].clone())
            };
            match self.weights.workers.run_job(self.weights.number, &job, &mut known) {
                Ok(done) => {
                    return match decode(&done)? {
                        JobResult::Failed(error) => Err(error),
                        done => Ok(done),
                    };
                }
                Err(JobError::Failed(error)) => return Err(error),
                Err(JobError::Lost(reason)) => last = reason,
            }
        }
        Err(PolicyError::Workers(format!(
            "{MAX_LOST_WORKERS} workers went away over the same job: {last}"
        )))
    }
}

impl PublishedWeights {
    fn new(workers: Arc<dyn WorkerPool>, is_reference: bool) -> Arc<Self> {
        /// Numbers are given once a process.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { number, is_reference, workers, is_published: Mutex::new(false) })
    }

    /// Has the weights of the policy ready for workers, once.
    fn publish(&self, policy: &impl PortablePolicy) -> Result<(), PolicyError> {
        let mut is_published = self.is_published.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_published {
            let bytes = serde_bytes::ByteBuf::from(policy.write_weights()?);
            self.workers.publish(self.number, encode(&(self.is_reference, bytes))?)?;
            *is_published = true;
        }
        Ok(())
    }
}

impl Drop for PublishedWeights {
    fn drop(&mut self) {
        if *self.is_published.get_mut().unwrap_or_else(PoisonError::into_inner) {
            self.workers.withdraw(self.number);
        }
    }
}
