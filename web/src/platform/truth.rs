//! The estimates beside the truth: a script of the page shows them, which is fetched when it is first
//! needed (`web/worker/truth.js`).

use super::script::call;
use crate::model::{Action, Cell, Controls, Task, key_of};
use crate::{late, text};
use gloo::utils::{document, window};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::js_sys::{Array, Function, Reflect};
use yew::Callback;
use yew::platform::spawn_local;

/// The name of the place that it is shown in.
pub(crate) const PLACE: &str = "truth";

/// What takes attempts that were drawn anew, the name of an option and its value, or false where something
/// cannot be had, as long as it is kept.
pub(crate) type Change = Closure<dyn Fn(JsValue, JsValue)>;

/// Shows the truth of a step in the page's place for it; the process is that of an example, or of the training
/// where it has no name.
pub(crate) fn show(
    (process, task, controls): (&str, &Task, &Controls),
    cell: Cell,
    change: &Change,
) {
    if let Some(place) = document().get_element_by_id(PLACE)
        && place.first_child().is_none()
    {
        place.set_inner_html(&["<p class=hint role=status>", text::on_its_way(), "</p>"].concat());
    }
    let words = [process, text::spoken().tag(), &controls.written(), &task.written()];
    let numbers = [cell.row, cell.step];
    let given = words.map(JsValue::from).into_iter().chain(numbers.map(JsValue::from));
    let _ = call("hgpoTruth", &[given.collect::<Array>().as_ref(), change.as_ref()]);
}

/// Has the script find the processes of the training: it calls `hgpoProcess(task, answer)`, which answers false where
/// training cannot be had.
pub(crate) fn provide_processes() {
    let provide = Closure::<dyn Fn(String, Function)>::new(|task, answer: Function| {
        spawn_local(async move {
            match late::fetch().await {
                Some(late) => (late.process)(task, answer),
                None => drop(answer.call1(&JsValue::NULL, &JsValue::FALSE)),
            }
        });
    });
    // Without it, the script says that it cannot be had.
    let _ = Reflect::set(&window(), &"hgpoProcess".into(), &provide.into_js_value());
}

/// Takes what the script has to say.
pub(crate) fn change(dispatch: Callback<Action>, missing: Callback<()>) -> Change {
    Closure::new(move |key: JsValue, text: JsValue| {
        let (Some(key), Some(text)) = (key.as_string(), text.as_string()) else {
            return missing.emit(());
        };
        dispatch.emit(match key_of(&key) {
            Some(key) => Action::Set(key, text),
            None => Action::Redraw(text),
        });
    })
}
