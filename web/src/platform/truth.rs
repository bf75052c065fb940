//! The estimates beside the truth: a script of the page shows them, which is fetched when it is first
//! needed (`web/worker/truth.js`).

use super::{fetched, overview::call};
use crate::{
    model::{Action, Cell, Controls, Task, key_of},
    text,
};
use wasm_bindgen::{JsValue, closure::Closure};
use web_sys::js_sys::Array;
use yew::Callback;

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
    fetched::await_in(PLACE);
    let words = [process, text::spoken().tag(), &controls.written(), &task.written()];
    let numbers = [cell.row, cell.step];
    let given = words.map(JsValue::from).into_iter().chain(numbers.map(JsValue::from));
    let _ = call("hgpoTruth", &[given.collect::<Array>().as_ref(), change.as_ref()]);
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
