//! The page's worker (`web/worker`): asked for when something is first asked of it.

use gloo::{events::EventListener, utils::document};
use std::{cell::RefCell, collections::VecDeque};
use wasm_bindgen::JsCast;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// Takes an answer; nothing where the worker cannot be had, or broke down: in browsers without
/// workers that are modules, for one.
type Done = Box<dyn FnOnce(Option<String>)>;

struct Running {
    worker: Worker,
    _listeners: [EventListener; 2],
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
    /// Who waits for an answer, in the order of their requests, which is that of the answers.
    static WAITING: RefCell<VecDeque<Done>> = const { RefCell::new(VecDeque::new()) };
}

/// Sends a request, and calls back with the answer, both JSON.
pub(crate) fn ask(request: &str, done: impl FnOnce(Option<String>) + 'static) {
    WAITING.with_borrow_mut(|waiting| waiting.push_back(Box::new(done)));
    let sent = RUNNING.with_borrow_mut(|running| {
        if running.is_none() {
            *running = start();
        }
        running.as_ref().is_some_and(|it| it.worker.post_message(&request.into()).is_ok())
    });
    if !sent {
        give_up();
    }
}

/// Starts the worker that the page names.
fn start() -> Option<Running> {
    let named = document().query_selector("meta[name=hgpo-worker]").ok()??;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&named.get_attribute("content")?, &options).ok()?;
    let answered = EventListener::new(&worker, "message", |event| {
        let answer = event.dyn_ref::<MessageEvent>().and_then(|it| it.data().as_string());
        let first = WAITING.with_borrow_mut(VecDeque::pop_front);
        if let Some(done) = first {
            done(answer);
        }
    });
    let broken = EventListener::new(&worker, "error", |_| give_up());
    Some(Running { worker, _listeners: [answered, broken] })
}

/// Ends the worker; whoever waits gets nothing. The next request starts another one.
fn give_up() {
    if let Some(Running { worker, .. }) = RUNNING.take() {
        worker.terminate();
    }
    for done in WAITING.take() {
        done(None);
    }
}
