//! Sessions of jobs: a job may ask questions in between, so each runs on a thread of its own and waits for the answers.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use hgpo_native::run::Threads;
use hgpo_train::policy::PolicyError;
use hgpo_train::policy::remote::RemoteWorker;

/// What is heard from a job.
#[derive(Debug)]
pub(crate) enum Event {
    /// A question; the next word is taken for the answer.
    Asks(Vec<u8>),
    /// What it came to.
    Done(Vec<u8>),
}

/// The bytes that say which it is, at the end.
const ASKS: u8 = 0;
const DONE: u8 = 1;

impl Event {
    pub(crate) fn write(self) -> Vec<u8> {
        let (mut bytes, which) = match self {
            Self::Asks(bytes) => (bytes, ASKS),
            Self::Done(bytes) => (bytes, DONE),
        };
        bytes.push(which);
        bytes
    }

    pub(crate) fn read(mut bytes: Vec<u8>) -> Option<Self> {
        match bytes.pop()? {
            ASKS => Some(Self::Asks(bytes)),
            DONE => Some(Self::Done(bytes)),
            _ => None,
        }
    }
}

/// The jobs that wait for an answer.
pub(crate) struct JobSessions {
    pub(crate) work: Arc<dyn RemoteWorker>,
    open: Mutex<BTreeMap<u64, JobSession>>,
}

/// A job on its thread.
struct JobSession {
    answers: Sender<Vec<u8>>,
    events: Receiver<Result<Event, PolicyError>>,
}

impl JobSessions {
    pub(crate) fn new(work: Arc<dyn RemoteWorker>) -> Self {
        Self { work, open: Mutex::default() }
    }

    /// Begins the job of a new number, or answers what that of a known one has asked; waits for what it says.
    ///
    /// # Errors
    /// Why the job could not be done.
    pub(crate) fn say(
        &self,
        number: u64,
        weights: u64,
        message: Vec<u8>,
    ) -> Result<Event, PolicyError> {
        let waiting = self.open().remove(&number);
        let talk = match waiting {
            Some(talk) => {
                // A job that has failed meanwhile says so below.
                let _ = talk.answers.send(message);
                talk
            }
            None => self.begin(weights, message)?,
        };
        let event = talk.events.recv().unwrap_or_else(|_| {
            Err(failed("a worker failed where it should not: please report what it was told"))
        })?;
        if matches!(event, Event::Asks(_)) {
            self.open().insert(number, talk);
        }
        Ok(event)
    }

    /// Nobody answers this job any more: it ends when it asks or has asked.
    pub(crate) fn leave(&self, number: u64) {
        self.open().remove(&number);
    }

    fn begin(&self, weights: u64, job: Vec<u8>) -> Result<JobSession, PolicyError> {
        let (answers, to_job) = channel();
        let (said, events) = channel();
        let place = Arc::clone(&self.work);
        let work = move || {
            let mut answer = |question: &[u8]| {
                let asked = said.send(Ok(Event::Asks(question.to_vec())));
                asked.ok().and_then(|()| to_job.recv().ok()).ok_or(PolicyError::Stopped)
            };
            let done = place.run_job(weights, &job, &mut answer).map(Event::Done);
            // Nobody may be there any more.
            let _ = said.send(done);
        };
        // Jobs are done side by side: each has one thread, for its large products too.
        let run = move || Threads::new(Some(NonZero::<usize>::MIN)).within(work);
        let started = thread::Builder::new().name("hgpo-job".into()).spawn(run);
        started.map_err(|error| failed(&format!("no thread to work on: {error}")))?;
        Ok(JobSession { answers, events })
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, JobSession>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(reason: &str) -> PolicyError {
    PolicyError::Workers(reason.to_owned())
}
