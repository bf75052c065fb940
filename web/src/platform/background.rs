//! Background workers: what takes longer than a frame, answered as JSON.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::window;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::futures::JsFuture;
use web_sys::js_sys::{Function, Promise, Reflect};
use web_sys::{Event, MessageEvent, Worker};
use yew::Callback;

/// A worker, which ends when this is dropped.
pub(crate) struct BackgroundWorker {
    worker: Worker,
    _listeners: [EventListener; 2],
}

impl BackgroundWorker {
    /// Begins a worker by the name that the page has for it; `answered` hears its answers, or that it broke. None if
    /// the browser has no module workers.
    pub(crate) fn begin<A>(name: &str, answered: &Callback<Option<A>>) -> Option<Self>
    where
        A: DeserializeOwned + 'static,
    {
        let worker = call("hgpoWorker", &[&name.into()])?.dyn_into::<Worker>().ok()?;
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
    pub(crate) fn ask(&self, request: &str) -> bool {
        self.worker.post_message(&JsValue::from(request)).is_ok()
    }
}

impl Drop for BackgroundWorker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// Calls one of them, which fetches what it needs.
pub(super) fn call(name: &str, given: &[&JsValue]) -> Option<JsValue> {
    let script = Reflect::get(&window(), &name.into()).ok()?.dyn_into::<Function>().ok()?;
    script.apply(&JsValue::NULL, &given.iter().copied().collect()).ok()
}

/// Calls a function of the page's script at once, and gives what it promises; none where it breaks its promise.
pub(super) fn asked(
    name: &str,
    given: &[&JsValue],
) -> impl Future<Output = Option<JsValue>> + use<> {
    let promise = call(name, given).and_then(|given| given.dyn_into::<Promise>().ok());
    async { JsFuture::from(promise?).await.ok() }
}

/// Asks for the style sheet of what is fetched late; whether it came.
pub(crate) fn late_styles() -> impl Future<Output = bool> {
    let styles = asked("hgpoStyle", &[]);
    async { styles.await.is_some() }
}

/// Has the page's service worker keep what trains, for when there is no network.
pub(crate) fn keep_training() {
    // Without it, there is none where there is no network.
    let _ = call("hgpoKeep", &[]);
}
