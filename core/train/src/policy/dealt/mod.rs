//! A policy whose work others do: it answers prompts, scores passages and finds gradients elsewhere, and
//! learns here.
//!
//! Training with it is training with the policy that is inside: jobs are those that threads would do, and
//! their results are put together in the same order ([`crate::executor`]), so that the same machines give the
//! same bytes, however many they are and whichever of them goes away on the way. The optimiser's step is made
//! here alone; workers are given the weights that it led to, before their next job.

mod crew;
mod message;
mod portable;
#[cfg(test)]
mod tests;
mod workplace;

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hgpo_env::random::Stream;

pub use self::crew::{Answer, Crew, WorkError};
use self::message::{Done, Job, Question, Reply};
pub use self::portable::Portable;
pub(crate) use self::portable::{read, write};
pub use self::workplace::{Work, Workplace};
use super::requests::{Generation, Request, Requests};
use super::sampling::{Choice, Sampling};
use super::{
    AdamWSettings, Passage, Policy, PolicyError, ReadFile, Slopes, TokenScore, Update, WriteFile,
};

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

/// What a worker says that was asked for something else.
fn unexpected() -> PolicyError {
    PolicyError::Workers("a worker answered something else than it was asked".into())
}

fn no_question(_: Question) -> Result<Reply, PolicyError> {
    Err(unexpected())
}

impl<P: Portable> Policy for Dealt<P> {
    type Gradient = P::Gradient;
    type Optimizer = P::Optimizer;

    fn respond(
        &self,
        generation: Generation,
        requests: &mut dyn Requests,
    ) -> Result<(), PolicyError> {
        let Generation { sampling, max_tokens, batch_size } = generation;
        let mut prompts = BTreeMap::new();
        let asked = waiting(requests, &mut prompts);
        let job =
            Job::Respond { requests: asked, drawing: sampling.into(), max_tokens, batch_size };
        let mut next = |question| {
            let Question::Next { id, response, stream } = question else {
                return Err(unexpected());
            };
            let (prompt, response) =
                (prompts.remove(&id).ok_or_else(unexpected)?, message::choices(response));
            for choice in &response {
                requests.ends(id, choice.token);
            }
            let goes_on = requests.take(Request { id, prompt, stream: *stream }, response);
            Ok(Reply::Next { goes_on, requests: waiting(requests, &mut prompts) })
        };
        match self.done(&job, &mut next)? {
            Done::Answered => Ok(()),
            _ => Err(unexpected()),
        }
    }

    /// Responses end where the format of the run says, which is what `ends` is told after all.
    fn generate(
        &self,
        prompts: &[&[u32]],
        sampling: Sampling,
        max_tokens: usize,
        streams: &mut [Stream],
        ends: &mut dyn FnMut(usize, u32) -> bool,
    ) -> Result<Vec<Vec<Choice>>, PolicyError> {
        let asked = prompts.iter().zip(&*streams);
        let asked = asked.map(|(prompt, stream)| (prompt.to_vec(), stream.clone())).collect();
        let job = Job::Generate { prompts: asked, drawing: sampling.into(), max_tokens };
        let Done::Responses(found) = self.done(&job, &mut no_question)? else {
            return Err(unexpected());
        };
        if found.len() != prompts.len() {
            return Err(unexpected());
        }
        let mut responses = Vec::with_capacity(found.len());
        for (row, ((response, after), stream)) in found.into_iter().zip(streams).enumerate() {
            *stream = after;
            let response = message::choices(response);
            for choice in &response {
                ends(row, choice.token);
            }
            responses.push(response);
        }
        Ok(responses)
    }

    fn score(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
    ) -> Result<Vec<TokenScore>, PolicyError> {
        let job = Job::Score { passages: message::texts(passages), temperature };
        match self.done(&job, &mut no_question)? {
            Done::Scores(scores) => Ok(message::scores(scores)),
            _ => Err(unexpected()),
        }
    }

    fn gradient(
        &self,
        passages: &[Passage<'_>],
        temperature: f64,
        slopes: &mut Slopes<'_>,
    ) -> Result<Self::Gradient, PolicyError> {
        let job = Job::Gradient { passages: message::texts(passages), temperature };
        let mut answer = |question| match question {
            Question::Slopes(scores) => {
                let slopes = slopes(&message::scores(scores));
                Ok(Reply::Slopes(message::pairs_of_slopes(&slopes)))
            }
            Question::Next { .. } => Err(unexpected()),
        };
        match self.done(&job, &mut answer)? {
            Done::Gradient(bytes) => self.policy.read_gradient(&bytes),
            _ => Err(unexpected()),
        }
    }

    fn embed(&self, texts: &[&[u32]]) -> Result<Option<Vec<Vec<f64>>>, PolicyError> {
        self.policy.embed(texts)
    }

    fn add(sum: Self::Gradient, more: Self::Gradient) -> Self::Gradient {
        P::add(sum, more)
    }

    fn optimizer(&self, settings: AdamWSettings) -> Self::Optimizer {
        self.policy.optimizer(settings)
    }

    fn apply(
        &mut self,
        gradient: Self::Gradient,
        optimizer: &mut Self::Optimizer,
        update: Update,
    ) -> Result<f64, PolicyError> {
        let norm = self.policy.apply(gradient, optimizer, update)?;
        *self = self.with(self.policy.clone(), false);
        Ok(norm)
    }

    /// Workers make that copy.
    fn acting(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    fn reference(&self) -> Self {
        self.with(self.policy.reference(), true)
    }

    fn settled(self) -> Result<Self, PolicyError> {
        let Self { policy, weights } = self;
        Ok(Self {
            policy: policy.settled()?,
            weights: Weights::new(Arc::clone(&weights.crew), false),
        })
    }

    fn trained_count(&self) -> usize {
        self.policy.trained_count()
    }

    fn step_count(optimizer: &Self::Optimizer) -> i32 {
        P::step_count(optimizer)
    }

    fn save(
        &self,
        reference: &Self,
        optimizer: &Self::Optimizer,
        write: &mut WriteFile<'_>,
    ) -> Result<(), PolicyError> {
        self.policy.save(&reference.policy, optimizer, write)
    }

    fn load(
        &mut self,
        reference: &mut Self,
        optimizer: &mut Self::Optimizer,
        step_count: i32,
        read: &mut ReadFile<'_>,
    ) -> Result<(), PolicyError> {
        self.policy.load(&mut reference.policy, optimizer, step_count, read)?;
        *self = self.with(self.policy.clone(), false);
        *reference = self.with(reference.policy.clone(), true);
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self.policy.as_any()
    }
}

/// That of the policy inside.
impl<P: Portable> Portable for Dealt<P> {
    fn write_weights(&self) -> Result<Vec<u8>, PolicyError> {
        self.policy.write_weights()
    }

    fn with_weights(&self, bytes: &[u8]) -> Result<Self, PolicyError> {
        Ok(self.with(self.policy.with_weights(bytes)?, false))
    }

    fn write_gradient(gradient: Self::Gradient) -> Result<Vec<u8>, PolicyError> {
        P::write_gradient(gradient)
    }

    fn read_gradient(&self, bytes: &[u8]) -> Result<Self::Gradient, PolicyError> {
        self.policy.read_gradient(bytes)
    }
}

/// What waits, taken; prompts are kept until they are answered.
fn waiting(
    requests: &mut dyn Requests,
    prompts: &mut BTreeMap<usize, Vec<u32>>,
) -> Vec<message::Asked> {
    let mut asked = Vec::new();
    while let Some(request) = requests.next() {
        prompts.insert(request.id, request.prompt.clone());
        asked.push(request.into());
    }
    asked
}
