//! Sliders, which say what is under their thumb while that is on its way.

use std::str::FromStr;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What a slider shows, given the value that is set: the one under its thumb while that moves. What hears it move, and
/// let go, upon which the value goes to `set`.
#[hook]
pub(crate) fn use_slider<T>(
    value: T,
    set: &Callback<T>,
) -> (T, Callback<InputEvent>, Callback<Event>)
where
    T: Copy + PartialEq + FromStr + 'static,
{
    let draft = use_state_eq(|| None::<T>);
    use_effect_with(value, {
        let draft = draft.setter();
        move |_| draft.set(None)
    });
    let read = |event: &Event| event.target_dyn_into::<HtmlInputElement>()?.value().parse().ok();
    let (moved, left, set) = (draft.setter(), draft.setter(), set.clone());
    let oninput = Callback::from(move |event: InputEvent| moved.set(read(&event)));
    let onchange = Callback::from(move |event: Event| {
        left.set(None);
        if let Some(value) = read(&event) {
            set.emit(value);
        }
    });
    (draft.unwrap_or(value), oninput, onchange)
}
