//! Pool of processes that play one environment (or of other channels to what does): requests with their answers, and
//! what takes the place of a process that was lost.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::channel::{Channel, Connector};
use super::protocol::{Answer, Hello, Request, VERSION};
use crate::run::Interrupt;
use crate::run::machine::lock;
use crate::terminal::show_on_stderr;

/// How often it is asked whether the user wants to stop.
const OFTEN: Duration = Duration::from_millis(100);

/// Processes, each of which plays several episodes.
pub(super) struct Pool {
    /// What the first process said of itself.
    pub(super) hello: Hello,
    connector: Arc<dyn Connector>,
    patience: Patience,
    slots: Vec<Mutex<Slot>>,
    episodes: AtomicU64,
}

/// How long answers are waited for.
#[derive(Clone)]
pub(super) struct Patience {
    pub(super) answer_time: Duration,
    /// Says when the user asks to stop.
    pub(super) interrupt: Interrupt,
}

/// The place of a process.
struct Slot {
    /// None if its successor could not be started.
    process: Option<Box<dyn Channel>>,
    /// Processes that were here before.
    generation: u64,
    sent: u64,
    /// Requests without an answer, in their order.
    waiting: VecDeque<u64>,
    /// Answers that nobody has taken yet.
    answers: BTreeMap<u64, Answer>,
}

/// Where an episode is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    slot: usize,
    generation: u64,
    /// Its number there.
    pub(super) episode: u64,
}

/// A request that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) place: Place,
    id: u64,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Lost {
    /// The process was lost before, over another episode.
    Before,
    /// The process was lost over this request, and why.
    Over(String),
    /// The user asked to stop.
    Stopped,
}

impl Pool {
    /// Starts processes.
    ///
    /// # Errors
    /// One cannot be started, or speaks otherwise.
    pub(super) fn start(
        connector: Arc<dyn Connector>,
        processes: usize,
        patience: Patience,
    ) -> Result<Self, String> {
        let mut hello = None;
        let mut slots = Vec::new();
        for _ in 0..processes {
            let (process, said) = greet(connector.as_ref(), &patience)?;
            hello.get_or_insert(said);
            slots.push(Mutex::new(Slot {
                process: Some(process),
                generation: 0,
                sent: 0,
                waiting: VecDeque::new(),
                answers: BTreeMap::new(),
            }));
        }
        let hello = hello.ok_or("no process is to play it")?;
        Ok(Self { hello, connector, patience, slots, episodes: AtomicU64::new(0) })
    }

    /// A place for an episode: the processes take turns.
    pub(super) fn place(&self) -> Place {
        let episode = self.episodes.fetch_add(1, Ordering::Relaxed);
        let slot = episode as usize % self.slots.len();
        Place { slot, generation: lock(&self.slots[slot]).generation, episode }
    }

    /// A place for another episode in the same process.
    pub(super) fn beside(&self, place: Place) -> Place {
        Place { episode: self.episodes.fetch_add(1, Ordering::Relaxed), ..place }
    }

    /// Whether the process of a place is still there.
    pub(super) fn has(&self, place: Place) -> bool {
        lock(&self.slots[place.slot]).generation == place.generation
    }

    /// Sends a request to where an episode is played.
    pub(super) fn send(&self, place: Place, request: Request<'_>) -> Ticket {
        let mut slot = lock(&self.slots[place.slot]);
        slot.sent += 1;
        let id = slot.sent;
        if slot.generation == place.generation
            && let Some(process) = &mut slot.process
        {
            let has_answer = !matches!(request, Request::Close { .. });
            process.send(request.line(id));
            if has_answer {
                slot.waiting.push_back(id);
            }
        }
        Ticket { place, id }
    }

    /// Waits for the answer to a request. A process that does not give it is replaced.
    ///
    /// # Errors
    /// The process was lost.
    pub(super) fn receive(&self, Ticket { place, id }: Ticket) -> Result<Answer, Lost> {
        let mut slot = lock(&self.slots[place.slot]);
        if slot.generation != place.generation {
            return Err(Lost::Before);
        }
        loop {
            if let Some(answer) = slot.answers.remove(&id) {
                return Ok(answer);
            }
            let is_next = slot.waiting.front() == Some(&id);
            if let Err(reason) = slot.read_answer(&self.patience) {
                if self.patience.interrupt.is_requested() {
                    return Err(Lost::Stopped);
                }
                self.replace(place.slot, &mut slot, &reason);
                return Err(if is_next { Lost::Over(reason) } else { Lost::Before });
            }
        }
    }

    /// Puts a new process in the place of one that was lost.
    fn replace(&self, place: usize, slot: &mut MutexGuard<'_, Slot>, reason: &str) {
        let (number, all) = (place + 1, self.slots.len());
        show_on_stderr(&format!(
            "process {number} of {all} of the environment: {reason}; another takes its place, and its episodes are \
             played again up to where they were"
        ));
        slot.generation += 1;
        slot.waiting.clear();
        slot.answers.clear();
        if let Some(mut process) = slot.process.take() {
            process.kill();
        }
        match greet(self.connector.as_ref(), &self.patience) {
            Ok((process, _)) => slot.process = Some(process),
            Err(reason) => {
                show_on_stderr(&format!("process {number} of {all} of the environment: {reason}"));
            }
        }
    }
}

impl Slot {
    /// Reads one answer and puts it where it is looked for.
    fn read_answer(&mut self, patience: &Patience) -> Result<(), String> {
        let process = self.process.as_mut().ok_or("it could not be started again")?;
        let answer = Answer::parse(&patience.receive(process.as_mut())?)?;
        match self.waiting.pop_front() {
            Some(id) if id == answer.id => {
                self.answers.insert(id, answer);
                Ok(())
            }
            expected => {
                let expected = expected.map_or_else(|| "none".to_owned(), |id| id.to_string());
                Err(format!("it answered request {}, and {expected} was next", answer.id))
            }
        }
    }
}

impl Patience {
    /// The next line of a channel.
    ///
    /// # Errors
    /// There is none in time, or before the user asks to stop, or what plays is of no more use.
    fn receive(&self, channel: &mut dyn Channel) -> Result<Vec<u8>, String> {
        let start = Instant::now();
        loop {
            let left = self.answer_time.saturating_sub(start.elapsed());
            if let Some(line) = channel.receive(left.min(OFTEN))? {
                return Ok(line);
            }
            if self.interrupt.is_requested() {
                return Err("the user asked to stop".to_owned());
            }
            if left.is_zero() {
                return Err(format!(
                    "it gave no answer within {} s",
                    self.answer_time.as_secs_f64()
                ));
            }
        }
    }
}

/// Starts a process and agrees on the protocol.
fn greet(
    connector: &dyn Connector,
    patience: &Patience,
) -> Result<(Box<dyn Channel>, Hello), String> {
    let mut process = connector.connect()?;
    process.send(Request::Hello { protocol: VERSION }.line(0));
    let hello: Result<Hello, String> =
        patience.receive(process.as_mut()).and_then(|line| Answer::parse(&line)?.read());
    match hello {
        Ok(hello) if hello.protocol == VERSION => Ok((process, hello)),
        found => {
            process.kill();
            Err(match found {
                Ok(Hello { protocol, .. }) => format!(
                    "it speaks version {protocol} of the protocol, and this program version {VERSION}: update one of \
                     them"
                ),
                Err(reason) => reason,
            })
        }
    }
}
