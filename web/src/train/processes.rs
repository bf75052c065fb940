//! The processes of an iteration that is looked into, which the page asks for task by task.

use crate::text::train as text;
use hgpo_worker::training::message::TaskProcess;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use wasm_bindgen::JsValue;
use web_sys::js_sys::Function;
use yew::Callback;

thread_local! {
    /// What knows the processes of the reader's own training, and of a lesson's.
    static PROVIDERS: RefCell<[Option<Callback<Asked>>; 2]> = RefCell::default();
    /// Whether the iteration that was looked into last is one of a lesson.
    static IS_TAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Has training tell its processes, or no more.
pub(super) fn provide(is_taught: bool, provider: Option<Callback<Asked>>) {
    PROVIDERS.with_borrow_mut(|providers| providers[usize::from(is_taught)] = provider);
}

/// Turns to the training of which an iteration is looked into.
pub(super) fn turn_to(is_taught: bool) {
    IS_TAUGHT.set(is_taught);
}

/// Tells the process of a task of the iteration that was looked into last, by `answer(process, situations, rollouts)`:
/// the process as text, of every step of the task's attempts the position of its situation as JSON, and the rollouts;
/// or `answer(null, why)`.
pub(crate) fn process(task: String, answer: Function) {
    let asked = Asked { task, answer };
    let place = usize::from(IS_TAUGHT.get());
    match PROVIDERS.with_borrow(|providers| providers[place].clone()) {
        Some(provider) => provider.emit(asked),
        None => asked.refuse(&text::truth_is_gone(None)),
    }
}

/// What the page asks for.
pub(crate) struct Asked {
    /// The task, by its name in rollouts.
    pub(crate) task: String,
    /// What hears of it: the process as text, the situations of its steps as JSON, and the rollouts that these
    /// are of; or nothing, and why.
    pub(crate) answer: Function,
}

/// What is known of a task, as the page takes it.
struct Known {
    task: String,
    process: JsValue,
    situations: JsValue,
}

/// What was asked for, and what is known.
#[derive(Default)]
pub(crate) struct Processes {
    /// What waits for its turn.
    pub(crate) waiting: VecDeque<Asked>,
    /// What a lane is asked for: its number.
    at_work: Option<(usize, Asked)>,
    known: Vec<Known>,
    rollouts: JsValue,
}

impl Processes {
    /// Forgets all that is known, as it is of other rollouts.
    pub(crate) fn begin(&mut self, rollouts: &str) {
        self.known.clear();
        self.rollouts = rollouts.into();
    }

    /// What a lane is to be asked for next; what is known is told.
    pub(crate) fn next(&mut self) -> Option<&Asked> {
        while let Some(asked) = self.waiting.front() {
            let Some(known) = self.known.iter().find(|known| known.task == asked.task) else {
                break;
            };
            known.tell(asked, &self.rollouts);
            self.waiting.pop_front();
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
        match found {
            Ok(TaskProcess { process, situations }) => {
                let situations = serde_json::to_string(&situations).unwrap_or_default();
                let known = Known {
                    task: asked.task.clone(),
                    process: process.into(),
                    situations: situations.into(),
                };
                known.tell(&asked, &self.rollouts);
                self.known.push(known);
            }
            Err(why) => asked.refuse(&why),
        }
    }

    /// Tells all who wait that what they ask for is gone.
    pub(crate) fn refuse(&mut self, iteration: Option<u64>) {
        for asked in self.waiting.drain(..) {
            asked.refuse(&text::truth_is_gone(iteration));
        }
    }
}

impl Known {
    fn tell(&self, asked: &Asked, rollouts: &JsValue) {
        // Who is gone needs to hear nothing.
        drop(asked.answer.call3(&JsValue::NULL, &self.process, &self.situations, rollouts));
    }
}

impl Asked {
    /// Tells why there is nothing to be told.
    pub(crate) fn refuse(&self, why: &str) {
        drop(self.answer.call2(&JsValue::NULL, &JsValue::NULL, &why.into()));
    }
}
