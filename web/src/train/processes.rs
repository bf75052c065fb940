//! The processes of an iteration that is looked into, which the page asks for task by task.

use crate::text::train as text;
use hgpo_worker::training::message::TaskProcess;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use yew::platform::pinned::oneshot::{self, Sender};
use yew::{AttrValue, Callback};

thread_local! {
    /// What knows the processes of the iteration that was looked into last, and whether that is one of a lesson.
    static PROVIDER: RefCell<Option<(bool, Callback<Asked>)>> = const { RefCell::new(None) };
}

/// Has the training of which an iteration is looked into tell its processes.
pub(super) fn provide(is_taught: bool, provider: Callback<Asked>) {
    PROVIDER.set(Some((is_taught, provider)));
}

/// Has a training tell its processes no more.
pub(super) fn withdraw(is_taught: bool) {
    PROVIDER.with_borrow_mut(|provider| drop(provider.take_if(|(own, _)| *own == is_taught)));
}

/// The process of a task of the iteration that was looked into last.
#[derive(Clone)]
pub(crate) struct IterationProcess {
    task: String,
    /// The process as text.
    pub(crate) process: AttrValue,
    /// Of every step of the task's attempts, the position of its situation.
    pub(crate) situations: Rc<Vec<Vec<Option<usize>>>>,
    /// The rollouts that these are of.
    pub(crate) rollouts: AttrValue,
}

/// What the page asks for.
pub(crate) struct Asked {
    /// The task, by its name in rollouts.
    pub(crate) task: String,
    /// What hears of its process, or why that is not known.
    answer: Sender<Result<IterationProcess, String>>,
}

impl Asked {
    /// Answers; who is gone needs to hear nothing.
    fn tell(self, found: Result<IterationProcess, String>) {
        drop(self.answer.send(found));
    }
}

/// The process of a task of the iteration that was looked into last, or why it is not known.
pub(crate) async fn process(task: String) -> Result<IterationProcess, String> {
    let (answer, found) = oneshot::channel();
    if let Some((_, provider)) = PROVIDER.with_borrow(Clone::clone) {
        provider.emit(Asked { task, answer });
    }
    found.await.unwrap_or_else(|_| Err(text::truth_is_gone(None)))
}

/// What was asked for, and what is known.
#[derive(Default)]
pub(crate) struct Processes {
    /// What waits for its turn.
    pub(crate) waiting: VecDeque<Asked>,
    /// What a lane is asked for: its number.
    at_work: Option<(usize, Asked)>,
    known: Vec<IterationProcess>,
    rollouts: AttrValue,
}

impl Processes {
    /// Forgets all that is known, as it is of other rollouts.
    pub(crate) fn begin(&mut self, rollouts: AttrValue) {
        self.known.clear();
        self.rollouts = rollouts;
    }

    /// What a lane is to be asked for next; what is known is told.
    pub(crate) fn next(&mut self) -> Option<&Asked> {
        let known = |task: &str| self.known.iter().find(|known| known.task == task).cloned();
        while let Some(known) = self.waiting.front().and_then(|asked| known(&asked.task))
            && let Some(asked) = self.waiting.pop_front()
        {
            asked.tell(Ok(known));
        }
        self.waiting.front().filter(|_| self.at_work.is_none())
    }

    /// Notes that a lane was asked for what is next.
    pub(crate) fn ask(&mut self, lane: usize) {
        self.at_work = self.waiting.pop_front().map(|asked| (lane, asked));
    }

    /// Whether a lane was asked.
    pub(crate) fn is_asked(&self, lane: usize) -> bool {
        self.at_work.as_ref().is_some_and(|(own, _)| *own == lane)
    }

    /// Tells what a lane answered.
    pub(crate) fn take(&mut self, found: Result<TaskProcess, String>) {
        let Some((_, asked)) = self.at_work.take() else { return };
        let found = found.map(|TaskProcess { process, situations }| IterationProcess {
            task: asked.task.clone(),
            process: process.into(),
            situations: situations.into(),
            rollouts: self.rollouts.clone(),
        });
        self.known.extend(found.as_ref().ok().cloned());
        asked.tell(found);
    }

    /// Tells all who wait that what they ask for is gone.
    pub(crate) fn refuse(&mut self, iteration: Option<u64>) {
        for asked in self.waiting.drain(..) {
            asked.tell(Err(text::truth_is_gone(iteration)));
        }
    }
}
