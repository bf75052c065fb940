//! Worker: the other end of a [`super::RemotePolicy`], where jobs are done.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::messages::{Job, JobResult, Question, Reply, decode, encode};
use super::worker_pool::AnswerQuestion;
use super::{PortablePolicy, messages};
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::SampledToken;
use crate::policy::{LossGradient, PolicyError, TokenScore};
use crate::rollout::prompt_format::{PromptFormat, StopCondition};

/// What a worker of any policy can do.
pub trait RemoteWorker: Send + Sync {
    /// Takes weights, by their number, and drops all others but those of `kept`.
    ///
    /// # Errors
    /// They are damaged, or of another policy than that of the settings.
    fn load_weights(&self, weights: u64, bytes: &[u8], kept: &[u64]) -> Result<(), PolicyError>;

    /// Does a job with weights that are held. What it has to know in between it asks for; if nobody
    /// answers any more, it ends early.
    ///
    /// # Errors
    /// The job cannot be read, or these weights are not held. Why it could not be done is part of what it
    /// came to.
    fn run_job(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<Vec<u8>, PolicyError>;
}

/// A policy as a run starts with, and as it has become.
pub struct PolicyWorker<P> {
    start: Mutex<P>,
    format: Arc<dyn PromptFormat>,
    loaded: Mutex<BTreeMap<u64, Arc<LoadedPolicy<P>>>>,
}

/// A policy as it learns and, once it is asked for, as it plays.
struct LoadedPolicy<P> {
    policy: P,
    acting: OnceLock<P>,
}

impl<P: PortablePolicy> PolicyWorker<P> {
    /// A place to work with a policy, as the settings of a run make it.
    pub fn new(policy: P, format: Arc<dyn PromptFormat>) -> Self {
        Self { start: Mutex::new(policy), format, loaded: Mutex::default() }
    }

    fn run(
        &self,
        held: &LoadedPolicy<P>,
        job: Job,
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<JobResult, PolicyError> {
        Ok(match job {
            Job::Generate { prompts, sampling, max_tokens } => {
                let (prompts, mut streams): (Vec<_>, Vec<_>) = prompts.into_iter().unzip();
                let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
                let mut endings: Vec<_> =
                    prompts.iter().map(|_| self.format.stop_condition()).collect();
                let mut ends = |row: usize, token| endings[row](token);
                let found = held.acting_policy().generate(
                    &prompts,
                    sampling,
                    max_tokens,
                    &mut streams,
                    &mut ends,
                )?;
                JobResult::Responses(found.into_iter().zip(streams).collect())
            }
            Job::Respond { requests, sampling, max_tokens, batch_size } => {
                let generation = Generation { sampling, max_tokens, batch_size };
                let mut asked = Responding {
                    format: self.format.as_ref(),
                    waiting: VecDeque::new(),
                    endings: BTreeMap::new(),
                    answer,
                    failed: None,
                };
                asked.wait(requests);
                held.acting_policy().respond(generation, &mut asked)?;
                asked.failed.map_or(Ok(JobResult::Answered), Err)?
            }
            Job::Score { passages, temperature } => {
                JobResult::Scores(held.policy.score(&messages::passages(&passages), temperature)?)
            }
            Job::Gradient { passages, temperature } => {
                let mut failed = None;
                let mut loss_gradients = |scores: &[TokenScore]| {
                    loss_gradients(scores, answer).unwrap_or_else(|error| {
                        failed = Some(error);
                        vec![LossGradient::default(); scores.len()]
                    })
                };
                let passages = messages::passages(&passages);
                let gradient = held.policy.gradient(&passages, temperature, &mut loss_gradients)?;
                failed.map_or(Ok(()), Err)?;
                JobResult::Gradient(P::write_gradient(gradient)?)
            }
        })
    }
}

/// Asks for the gradients of the loss at scores.
fn loss_gradients(
    scores: &[TokenScore],
    answer: &mut AnswerQuestion<'_>,
) -> Result<Vec<LossGradient>, PolicyError> {
    let question = Question::LossGradients(scores.to_vec());
    match decode(&answer(&encode(&question)?)?)? {
        Reply::LossGradients(loss_gradients) if loss_gradients.len() == scores.len() => {
            Ok(loss_gradients)
        }
        _ => Err(PolicyError::Workers(
            "asked for gradients of the loss, and was answered something else".into(),
        )),
    }
}

impl<P: PortablePolicy> RemoteWorker for PolicyWorker<P> {
    fn load_weights(&self, weights: u64, bytes: &[u8], kept: &[u64]) -> Result<(), PolicyError> {
        lock(&self.loaded).retain(|it, _| kept.contains(it));
        let (is_reference, bytes): (bool, serde_bytes::ByteBuf) = decode(bytes)?;
        let mut start = lock(&self.start);
        let mut policy = start.with_weights(&bytes)?;
        if is_reference {
            policy = policy.reference();
        } else {
            // What both share is made once.
            *start = policy.clone();
        }
        let held = LoadedPolicy { policy, acting: OnceLock::new() };
        lock(&self.loaded).insert(weights, Arc::new(held));
        Ok(())
    }

    fn run_job(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<Vec<u8>, PolicyError> {
        let held = lock(&self.loaded).get(&weights).cloned();
        let held = held.ok_or_else(|| {
            PolicyError::Workers(format!("weights {weights} are not here: hold them first"))
        })?;
        let done = self.run(&held, decode(job)?, answer);
        encode(&done.unwrap_or_else(JobResult::failed))
    }
}

impl<P: PortablePolicy> LoadedPolicy<P> {
    /// As it plays.
    fn acting_policy(&self) -> &P {
        self.acting.get_or_init(|| match self.policy.acting_policy() {
            Cow::Borrowed(policy) => policy.clone(),
            Cow::Owned(policy) => policy,
        })
    }
}

/// Requests, of which each answer may bring another.
struct Responding<'a, 'b> {
    format: &'a dyn PromptFormat,
    waiting: VecDeque<Request>,
    endings: BTreeMap<usize, StopCondition<'a>>,
    answer: &'a mut AnswerQuestion<'b>,
    failed: Option<PolicyError>,
}

impl Responding<'_, '_> {
    fn wait(&mut self, requests: Vec<Request>) {
        for asked in requests {
            self.endings.insert(asked.id, self.format.stop_condition());
            self.waiting.push_back(asked);
        }
    }

    fn next_of(
        &mut self,
        request: Request,
        response: Vec<SampledToken>,
    ) -> Result<bool, PolicyError> {
        let Request { id, stream, .. } = request;
        let question = Question::Next { id, response, stream: Box::new(stream) };
        match decode(&(self.answer)(&encode(&question)?)?)? {
            Reply::Next { goes_on, requests } => {
                self.wait(requests);
                Ok(goes_on)
            }
            Reply::LossGradients(_) => Err(PolicyError::Workers(
                "asked for prompts, and was answered gradients of the loss".into(),
            )),
        }
    }
}

impl Requests for Responding<'_, '_> {
    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn next(&mut self) -> Option<Request> {
        self.waiting.pop_front()
    }

    fn ends(&mut self, id: usize, token: u32) -> bool {
        self.endings.get_mut(&id).is_some_and(|ending| ending(token))
    }

    fn take(&mut self, request: Request, response: Vec<SampledToken>) -> bool {
        self.next_of(request, response).unwrap_or_else(|error| {
            self.failed = Some(error);
            false
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
