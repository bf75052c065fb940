//! The overview: a module of its own, which a script of the page fetches when it is first needed.

use super::fetched;
use crate::{
    model::{Action, Cell, Controls, Rollouts, Shared, Tab},
    text,
};
use gloo::utils::window;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::js_sys::{Array, Function, Reflect};
use yew::Callback;

/// The name of the place that it is drawn in.
pub(crate) const PLACE: &str = "overview";

/// What answers to the overview as long as it is kept.
pub(crate) type Answer = Closure<dyn Fn(JsValue, JsValue, JsValue) -> JsValue>;

/// Answers by what is given: a task is asked for, a step is to be opened (task, attempt, time), or a file
/// was read (name, rollouts or null, what is to be told about them or why there are none); true once files
/// were taken over, false where the overview cannot be had.
pub(crate) fn answer(
    rollouts: Option<Shared<Rollouts>>,
    dispatch: Callback<Action>,
    missing: Callback<()>,
) -> Answer {
    Closure::new(move |first: JsValue, second: JsValue, third: JsValue| {
        let number = |value: &JsValue| value.as_f64().map(|number| number as usize);
        let action = match (number(&first), number(&second), number(&third)) {
            (Some(task), Some(row), Some(step)) => Action::Find(task, Cell { row, step }),
            (Some(task), ..) => {
                let task = rollouts.as_ref().and_then(|rollouts| rollouts.tasks.get(task));
                return task.map(|task| task.written()).into();
            }
            _ => match [&first, &second, &third].map(JsValue::as_string) {
                [Some(name), Some(text), Some(noticed)] => Action::Load { name, text, noticed },
                [Some(name), None, Some(message)] => Action::Refuse { name, message },
                _ if first.is_truthy() => Action::Go(Tab::Overview),
                _ => {
                    missing.emit(());
                    return JsValue::UNDEFINED;
                }
            },
        };
        dispatch.emit(action);
        JsValue::UNDEFINED
    })
}

/// Shows what is open: its name, its rollouts and settings.
pub(crate) fn show(title: &str, rollouts: &Rollouts, controls: &Controls, answer: &Answer) {
    fetched::await_in(PLACE);
    let (settings, tasks) = (controls.written(), rollouts.tasks.len());
    let told = Array::of3(&title.into(), &settings.into(), &tasks.into());
    overview("show", &told, answer.as_ref());
}

/// Ends what is shown.
pub(crate) fn hide() {
    overview("hide", &JsValue::NULL, &JsValue::NULL);
}

/// Has the overview read a file, as it knows every format.
pub(crate) fn read(name: &str, content: &JsValue, dispatch: &Callback<Action>) {
    let file = Array::of2(&name.into(), content);
    import(&FileImport { function: "read", name: name.to_owned(), files: file }, dispatch);
}

/// Has the overview take files of runs.
pub(crate) fn add(files: Array, dispatch: &Callback<Action>) {
    import(&FileImport { function: "add", name: text::overview().to_owned(), files }, dispatch);
}

/// An import of files by the overview.
#[derive(Clone)]
struct FileImport {
    function: &'static str,
    name: String,
    files: Array,
}

thread_local! {
    /// The last import that failed because the overview could not be loaded.
    static FAILED_IMPORT: RefCell<Option<FileImport>> = const { RefCell::new(None) };
}

/// Imports files; remembers the import if the overview cannot be loaded.
fn import(request: &FileImport, dispatch: &Callback<Action>) {
    let missing = {
        let (request, dispatch) = (request.clone(), dispatch.clone());
        Callback::from(move |()| {
            FAILED_IMPORT.set(Some(request.clone()));
            dispatch.emit(Action::NotRead(request.name.clone()));
        })
    };
    let answer = answer(None, dispatch.clone(), missing).into_js_value();
    overview(request.function, &request.files, &answer);
}

/// Repeats the last import that failed because the overview could not be loaded.
pub(crate) fn retry_import(dispatch: &Callback<Action>) {
    if let Some(request) = FAILED_IMPORT.take() {
        import(&request, dispatch);
    }
}

/// Has the overview make a file of a kind, a name, a content, settings and more; tells whether the reader has
/// it, or none where the overview cannot be had.
pub(crate) fn hand_over(given: Vec<String>, done: Callback<Option<bool>>) {
    let given: Array = given.into_iter().map(JsValue::from).collect();
    let done = Closure::once_into_js(move |made: JsValue| {
        done.emit(made.as_string().map(|made| made == "made"));
    });
    overview("hand_over", &given, &done);
}

/// Calls a function of the overview.
pub(super) fn overview(name: &str, given: &JsValue, answer: &JsValue) {
    // What goes wrong is answered.
    let _ = call("hgpoOverview", &[&name.into(), given, answer]);
}

/// Calls a function that `index.html` has put beside the page, which fetches what it needs.
pub(super) fn call(name: &str, given: &[&JsValue]) -> Option<JsValue> {
    let script = Reflect::get(&window(), &name.into()).ok()?.dyn_into::<Function>().ok()?;
    script.apply(&JsValue::NULL, &given.iter().copied().collect()).ok()
}
