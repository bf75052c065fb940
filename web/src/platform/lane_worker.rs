//! The workers that learn: one for each lane, begun when it is first asked.

use super::script::call;
use gloo::events::{EventListener, EventListenerOptions};
use hgpo_worker::training::message::{Answer, Request};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker};
use yew::Callback;

/// A worker, which ends when this is dropped.
pub(crate) struct LaneWorker {
    worker: Worker,
    _listeners: [EventListener; 2],
}

impl LaneWorker {
    /// Begins a worker as the page does; `answered` hears its answers, or that it broke. None if the
    /// browser has no module workers.
    pub(crate) fn begin(answered: &Callback<Option<Answer>>) -> Option<Self> {
        let worker = call("hgpoWorker", &[&"hgpo-lane".into()])?.dyn_into::<Worker>().ok()?;
        let (answered, broken) = (answered.clone(), answered.clone());
        let heard = move |event: &Event| {
            let answer = event.dyn_ref().map(MessageEvent::data).and_then(|data| data.as_string());
            answered.emit(answer.and_then(|text| serde_json::from_str(&text).ok()));
        };
        let options = EventListenerOptions::enable_prevent_default();
        let broke = move |event: &Event| {
            event.prevent_default();
            broken.emit(None);
        };
        let listeners = [
            EventListener::new(&worker, "message", heard),
            EventListener::new_with_options(&worker, "error", options, broke),
        ];
        Some(Self { worker, _listeners: listeners })
    }

    /// Asks the worker; tells whether it could be asked.
    pub(crate) fn ask(&self, request: &Request) -> bool {
        let Ok(text) = serde_json::to_string(request) else { return false };
        self.worker.post_message(&JsValue::from(text)).is_ok()
    }
}

impl Drop for LaneWorker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
