//! The comparison of estimators, which the overview's module draws.

use super::{fetched, overview::overview};
use crate::{
    model::{Action, Cell, Controls, ESTIMATOR, Shared, Task, estimators},
    text,
};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsValue, closure::Closure};
use web_sys::js_sys::Array;
use yew::Callback;

/// The name of the place that it is drawn in.
pub(crate) const PLACE: &str = "comparison";

/// What answers to the module as long as it is kept.
pub(crate) type Answer = Closure<dyn Fn(JsValue, JsValue, JsValue) -> JsValue>;

/// What is compared.
#[derive(Default)]
pub(crate) struct Compared {
    /// How often it has changed.
    version: u32,
    /// The task, and the settings of the chosen estimator and of others.
    shown: Option<(Shared<Task>, Controls)>,
}

impl Compared {
    /// Goes on with what may be another task or other settings.
    pub(crate) fn turn_to(&mut self, shown: &(Shared<Task>, Controls)) {
        if self.shown.as_ref() != Some(shown) {
            self.version += 1;
            self.shown = Some(shown.clone());
        }
    }

    /// Has the module show it with a step that is chosen, and maybe another that is pointed at.
    pub(crate) fn show(&self, selected: Cell, hovered: Option<Cell>, answer: &Answer) {
        fetched::await_in(PLACE);
        let cells = [selected].into_iter().chain(hovered);
        let places = cells.flat_map(|cell| [cell.row as u32, cell.step as u32]);
        let given: Array = std::iter::once(self.version).chain(places).map(JsValue::from).collect();
        overview("compare", &given, answer.as_ref());
    }

    /// What the module asks for: attempts, the settings of every estimator, the name of the chosen one, and
    /// the words for how often an attempt counts.
    fn describe(&self) -> JsValue {
        let Some((task, controls)) = &self.shown else { return JsValue::UNDEFINED };
        let chosen = controls.estimator();
        let of = |name: &str| {
            if name == chosen {
                Some(controls.written())
            } else {
                let other = controls.with(ESTIMATOR, name)?;
                other.options.check(&task.batch).ok()?;
                Some(other.written())
            }
        };
        let methods: Vec<String> = estimators().filter_map(of).collect();
        let methods = ["[", &methods.join(","), "]"].concat();
        let key = "episode_statistics";
        let words = [text::control(key).label, text::value(key, "trajectories")];
        let attempts = task.written();
        let told = [attempts.as_str(), &methods, chosen].into_iter().chain(words);
        told.map(JsValue::from).collect::<Array>().into()
    }
}

/// Answers by what is given: nothing asks what to show, a step is pointed at or, with true, chosen, null
/// points at none, and false says that the module cannot be had.
pub(crate) fn answer(
    compared: Rc<RefCell<Compared>>,
    dispatch: Callback<Action>,
    missing: Callback<()>,
) -> Answer {
    Closure::new(move |first: JsValue, second: JsValue, third: JsValue| {
        let number = |value: &JsValue| value.as_f64().map(|number| number as usize);
        match (number(&first), number(&second)) {
            (Some(row), Some(step)) => {
                let cell = Cell { row, step };
                dispatch.emit(if third.is_truthy() {
                    Action::Select(cell)
                } else {
                    Action::Hover(Some(cell))
                });
            }
            _ if first.is_null() => dispatch.emit(Action::Hover(None)),
            _ if first.is_undefined() => return compared.borrow().describe(),
            _ => missing.emit(()),
        }
        JsValue::UNDEFINED
    })
}
