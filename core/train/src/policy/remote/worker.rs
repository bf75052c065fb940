//! Where jobs are done: the other end of a [`super::Dealt`] policy.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::messages;
use super::messages::{Done, Job, Question, Reply};
use super::portable::{Portable, read, write};
use super::worker_pool::Answer;
use crate::policy::requests::{Generation, Request, Requests};
use crate::policy::sampling::Choice;
use crate::policy::{PolicyError, Slope, TokenScore};
use crate::rollout::prompt::{Ending, Format};

/// What a worker of any policy can do.
pub trait Work: Send + Sync {
    /// Takes weights, by their number, and drops all others but those of `kept`.
    ///
    /// # Errors
    /// They are damaged, or of another policy than that of the settings.
    fn hold(&self, weights: u64, bytes: &[u8], kept: &[u64]) -> Result<(), PolicyError>;

    /// Does a job with weights that are held. What it has to know in between it asks for; where nobody
    /// answers any more, it ends early.
    ///
    /// # Errors
    /// The job cannot be read, or these weights are not held. Why it could not be done is part of what it
    /// came to.
    fn work(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut Answer<'_>,
    ) -> Result<Vec<u8>, PolicyError>;
}

/// A policy as a run starts with, and as it has become.
pub struct Workplace<P> {
    start: Mutex<P>,
    format: Arc<dyn Format>,
    held: Mutex<BTreeMap<u64, Arc<Held<P>>>>,
}

/// A policy as it learns and, once it is asked for, as it plays.
struct Held<P> {
    policy: P,
    acting: OnceLock<P>,
}

impl<P: Portable> Workplace<P> {
    /// A place to work with a policy, as the settings of a run make it.
    pub fn new(policy: P, format: Arc<dyn Format>) -> Self {
        Self { start: Mutex::new(policy), format, held: Mutex::default() }
    }

    fn done(&self, held: &Held<P>, job: Job, answer: &mut Answer<'_>) -> Result<Done, PolicyError> {
        Ok(match job {
            Job::Generate { prompts, sampling, max_tokens } => {
                let (prompts, mut streams): (Vec<_>, Vec<_>) = prompts.into_iter().unzip();
                let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
                let mut endings = self.endings(prompts.len());
                let mut ends = |row: usize, token| endings[row].push(token);
                let found = held.acting().generate(
                    &prompts,
                    sampling,
                    max_tokens,
                    &mut streams,
                    &mut ends,
                )?;
                Done::Responses(found.into_iter().zip(streams).collect())
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
                held.acting().respond(generation, &mut asked)?;
                asked.failed.map_or(Ok(Done::Answered), Err)?
            }
            Job::Score { passages, temperature } => {
                Done::Scores(held.policy.score(&messages::passages(&passages), temperature)?)
            }
            Job::Gradient { passages, temperature } => {
                let mut failed = None;
                let mut slopes = |scores: &[TokenScore]| {
                    slopes(scores, answer).unwrap_or_else(|error| {
                        failed = Some(error);
                        vec![Slope::default(); scores.len()]
                    })
                };
                let passages = messages::passages(&passages);
                let gradient = held.policy.gradient(&passages, temperature, &mut slopes)?;
                failed.map_or(Ok(()), Err)?;
                Done::Gradient(P::write_gradient(gradient)?)
            }
        })
    }

    fn endings(&self, count: usize) -> Vec<Box<dyn Ending + '_>> {
        (0..count).map(|_| self.format.ending()).collect()
    }
}

/// Asks for the slopes at scores.
fn slopes(scores: &[TokenScore], answer: &mut Answer<'_>) -> Result<Vec<Slope>, PolicyError> {
    let question = Question::Slopes(scores.to_vec());
    match read(&answer(&write(&question)?)?)? {
        Reply::Slopes(slopes) if slopes.len() == scores.len() => Ok(slopes),
        _ => Err(PolicyError::Workers("asked for slopes, and was told something else".into())),
    }
}

impl<P: Portable> Work for Workplace<P> {
    fn hold(&self, weights: u64, bytes: &[u8], kept: &[u64]) -> Result<(), PolicyError> {
        lock(&self.held).retain(|it, _| kept.contains(it));
        let (is_reference, bytes): (bool, serde_bytes::ByteBuf) = read(bytes)?;
        let mut start = lock(&self.start);
        let mut policy = start.with_weights(&bytes)?;
        if is_reference {
            policy = policy.reference();
        } else {
            // What both share is made once.
            *start = policy.clone();
        }
        let held = Held { policy, acting: OnceLock::new() };
        lock(&self.held).insert(weights, Arc::new(held));
        Ok(())
    }

    fn work(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut Answer<'_>,
    ) -> Result<Vec<u8>, PolicyError> {
        let held = lock(&self.held).get(&weights).cloned();
        let held = held.ok_or_else(|| {
            PolicyError::Workers(format!("weights {weights} are not here: hold them first"))
        })?;
        let done = self.done(&held, read(job)?, answer);
        write(&done.unwrap_or_else(|error| Done::Failed(error.into())))
    }
}

impl<P: Portable> Held<P> {
    /// As it plays.
    fn acting(&self) -> &P {
        self.acting.get_or_init(|| match self.policy.acting() {
            Cow::Borrowed(policy) => policy.clone(),
            Cow::Owned(policy) => policy,
        })
    }
}

/// Requests, of which each answer may bring another.
struct Responding<'a, 'b> {
    format: &'a dyn Format,
    waiting: VecDeque<Request>,
    endings: BTreeMap<usize, Box<dyn Ending + 'a>>,
    answer: &'a mut Answer<'b>,
    failed: Option<PolicyError>,
}

impl Responding<'_, '_> {
    fn wait(&mut self, requests: Vec<Request>) {
        for asked in requests {
            self.endings.insert(asked.id, self.format.ending());
            self.waiting.push_back(asked);
        }
    }

    fn next_of(&mut self, request: Request, response: Vec<Choice>) -> Result<bool, PolicyError> {
        let Request { id, stream, .. } = request;
        let question = Question::Next { id, response, stream: Box::new(stream) };
        match read(&(self.answer)(&write(&question)?)?)? {
            Reply::Next { goes_on, requests } => {
                self.wait(requests);
                Ok(goes_on)
            }
            Reply::Slopes(_) => {
                Err(PolicyError::Workers("asked for prompts, and was told slopes".into()))
            }
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
        self.endings.get_mut(&id).is_some_and(|ending| ending.push(token))
    }

    fn take(&mut self, request: Request, response: Vec<Choice>) -> bool {
        self.next_of(request, response).unwrap_or_else(|error| {
            self.failed = Some(error);
            false
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
