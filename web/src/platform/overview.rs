//! The overview: a module of its own, which a script of the page fetches when it is first needed.

use crate::{
    model::{Action, Cell, Model, Rollouts, Shared, Tab},
    text,
};
use gloo::utils::window;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::js_sys::{Array, Function, Reflect};
use yew::Callback;

/// What answers to the overview as long as it is kept.
pub(crate) type Answer = Closure<dyn Fn(JsValue, JsValue, JsValue) -> JsValue>;

/// Answers by what is given: a task is asked for, a step is to be opened (task, attempt, time), or a file
/// was read (name, rollouts or null, what is to be told about them or why there are none); true once files
/// were taken over, false where the overview cannot be had, which is said of what it is `about`.
pub(crate) fn answer(
    rollouts: Option<Shared<Rollouts>>,
    about: &str,
    dispatch: Callback<Action>,
) -> Answer {
    let about = about.to_owned();
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
                _ => Action::Refuse {
                    name: about.clone(),
                    message: text::overview_missing().to_owned(),
                },
            },
        };
        dispatch.emit(action);
        JsValue::UNDEFINED
    })
}

/// Has the overview read a file, as it knows every format.
pub(crate) fn read(name: &str, file: &str, dispatch: &Callback<Action>) {
    let answer = answer(None, name, dispatch.clone()).into_js_value();
    overview("read", &Array::of2(&name.into(), &file.into()), &answer);
}

/// Has the overview make a file of a kind, a name, a content, settings and more; tells whether the reader has
/// it.
pub(crate) fn hand_over(given: Vec<String>, done: Callback<bool>) {
    let given: Array = given.into_iter().map(JsValue::from).collect();
    let done = Closure::once_into_js(move |is_made: bool| done.emit(is_made));
    overview("hand_over", &given, &done);
}

/// What is open: name, settings, and number of tasks.
pub(crate) fn told(model: &Model) -> JsValue {
    let document = &model.document;
    let tasks = document.rollouts.tasks.len();
    let settings = document.controls.written();
    Array::of3(&document.source.title().into(), &settings.into(), &tasks.into()).into()
}

/// Calls a function of the overview.
pub(crate) fn overview(name: &str, given: &JsValue, answer: &JsValue) {
    call("hgpoOverview", &[&name.into(), given, answer]);
}

/// Calls a function that `index.html` has put beside the page, which fetches what it needs.
pub(super) fn call(name: &str, given: &[&JsValue]) {
    let script = Reflect::get(&window(), &name.into());
    if let Some(script) = script.ok().and_then(|script| script.dyn_into::<Function>().ok()) {
        // What goes wrong is answered.
        let _ = script.apply(&JsValue::NULL, &given.iter().copied().collect());
    }
}
