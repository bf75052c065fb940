//! A policy whose work others do: it answers prompts, scores passages and finds gradients elsewhere, and
//! learns here.
//!
//! Training with it is training with the policy that is inside: jobs are those that threads would do, and
//! their results are put together in the same order ([`crate::executor`]), so that the same machines give the
//! same bytes, however many they are and whichever of them goes away on the way. The optimiser's step is made
//! here alone; workers are given the weights that it led to, before their next job.

mod messages;
mod policy;
mod portable;
#[cfg(test)]
mod tests;
mod worker;
mod worker_pool;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use self::messages::{Done, Job, Question, Reply};
pub use self::portable::Portable;
pub(crate) use self::portable::{read, write};
pub use self::worker::{Work, Workplace};
pub use self::worker_pool::{Answer, Crew, WorkError};
use super::PolicyError;

/// Workers that may go away over one job: more, and it is the job that they go away of.
const LOST: usize = 8;

/// A policy and those who work for it.
#[derive(Clone)]
pub struct Dealt<P> {
    policy: P,
    weights: Arc<Weights>,
}

/// Weights that workers know by their number.
struct Weights {
    number: u64,
    is_reference: bool,
    crew: Arc<dyn Crew>,
    is_published: Mutex<bool>,
}

impl<P: Portable> Dealt<P> {
    /// A policy for which a crew works from now on.
    pub fn new(policy: P, crew: Arc<dyn Crew>) -> Self {
        Self { policy, weights: Weights::new(crew, false) }
    }

    /// The same crew with other weights.
    fn with(&self, policy: P, is_reference: bool) -> Self {
        Self { policy, weights: Weights::new(Arc::clone(&self.weights.crew), is_reference) }
    }

    /// Has a job done, again where a worker goes away. What it asks for is asked for once: the second worker is
    /// told what the first one was.
    fn done(
        &self,
        job: &Job,
        answer: &mut dyn FnMut(Question) -> Result<Reply, PolicyError>,
    ) -> Result<Done, PolicyError> {
        self.weights.publish(&self.policy)?;
        let job = write(job)?;
        let mut given: Vec<Vec<u8>> = Vec::new();
        let mut told = String::new();
        for _ in 0..LOST {
            let mut asked = 0;
            let mut known = |question: &[u8]| {
                if asked == given.len() {
                    given.push(write(&answer(read(question)?)?)?);
                }
                asked += 1;
                Ok(given[asked - 1].clone())
            };
            match self.weights.crew.work(self.weights.number, &job, &mut known) {
                Ok(done) => {
                    return match read(&done)? {
                        Done::Failed(problem) => Err(problem.into()),
                        done => Ok(done),
                    };
                }
                Err(WorkError::Failed(error)) => return Err(error),
                Err(WorkError::Lost(reason)) => told = reason,
            }
        }
        Err(PolicyError::Workers(format!("{LOST} workers went away over the same job: {told}")))
    }
}

impl Weights {
    fn new(crew: Arc<dyn Crew>, is_reference: bool) -> Arc<Self> {
        /// Numbers are given once a process.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { number, is_reference, crew, is_published: Mutex::new(false) })
    }

    /// Has the weights of the policy ready for workers, once.
    fn publish(&self, policy: &impl Portable) -> Result<(), PolicyError> {
        let mut is_published = self.is_published.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_published {
            let bytes = serde_bytes::ByteBuf::from(policy.write_weights()?);
            self.crew.publish(self.number, write(&(self.is_reference, bytes))?)?;
            *is_published = true;
        }
        Ok(())
    }
}

impl Drop for Weights {
    fn drop(&mut self) {
        if *self.is_published.get_mut().unwrap_or_else(PoisonError::into_inner) {
            self.crew.withdraw(self.number);
        }
    }
}
