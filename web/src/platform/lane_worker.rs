//! The workers that learn: one for each lane, begun when it is first asked.

use gloo::utils::window;
use hgpo_worker::training::message::{Answer, Request};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Event, MessageEvent, Worker,
    js_sys::{Function, Reflect},
};
use yew::Callback;

/// A worker, which ends when this is dropped.
pub(crate) struct LaneWorker {
    worker: Worker,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _broken: Closure<dyn FnMut(Event)>,
}

impl LaneWorker {
    /// Begins a worker as the page does; `answered` hears its answers, or that it broke. None if the
    /// browser has no module workers.
    pub(crate) fn begin(answered: &Callback<Option<Answer>>) -> Option<Self> {
        let begin = Reflect::get(&window(), &"hgpoWorker".into()).ok()?;
        let begin = begin.dyn_into::<Function>().ok()?;
        let worker = begin.call1(&JsValue::NULL, &"hgpo-lane".into()).ok()?;
        let worker = worker.dyn_into::<Worker>().ok()?;
        let heard = Closure::new({
            let answered = answered.clone();
            move |event: MessageEvent| {
                let text = event.data().as_string().unwrap_or_default();
                answered.emit(serde_json::from_str(&text).ok());
            }
        });
        let broken = Closure::new({
            let answered = answered.clone();
            move |event: Event| {
                event.prevent_default();
                answered.emit(None);
            }
        });
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(broken.as_ref().unchecked_ref()));
        Some(Self { worker, _heard: heard, _broken: broken })
    }

    /// Asks the worker; tells whether it could be asked.
    pub(crate) fn ask(&self, request: &Request) -> bool {
        let Ok(text) = serde_json::to_string(request) else { return false };
        self.worker.post_message(&JsValue::from(text)).is_ok()
    }
}

impl Drop for LaneWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
