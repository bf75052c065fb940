//! Controls: a slider, and a list to choose from.

use crate::explore::view::field::listed;
use crate::platform::events::act_on;
use crate::train::model::Action;
use crate::view::slider::use_slider;
use yew::prelude::*;

/// A choice: its value in the page, its name, and what making it does.
pub(crate) type Choice = (String, String, Option<Action>);

/// A list to choose from: identity, name, choices, and the value of the one that is made.
pub(crate) fn pick(
    id: &str,
    label: &str,
    choices: Vec<Choice>,
    made: &str,
    dispatch: &Callback<Action>,
) -> Html {
    let options: Vec<(String, String)> =
        choices.iter().map(|(value, name, _)| (value.clone(), name.clone())).collect();
    let choose = act_on(dispatch, move |chosen: &String| {
        choices.iter().find(|(value, ..)| value == chosen)?.2.clone()
    });
    listed("pick", [id, label], options, made.to_owned(), choose)
}

/// What a slider needs.
#[derive(Properties, PartialEq)]
pub(crate) struct SliderProps {
    /// Its identity in the page.
    pub(crate) id: AttrValue,
    /// What it is called.
    pub(crate) label: AttrValue,
    /// What it does.
    pub(crate) hint: AttrValue,
    /// Whether a change begins again.
    #[prop_or_default]
    pub(crate) restarts: bool,
    /// The least, the most, and a notch.
    pub(crate) range: [f64; 3],
    /// The number.
    pub(crate) value: f64,
    /// The number as it is written.
    pub(crate) written: Callback<f64, String>,
    /// Where it goes once it is let go.
    pub(crate) set: Callback<f64>,
}

/// The slider, with its number beside its name.
#[function_component]
pub(crate) fn Slider(props: &SliderProps) -> Html {
    let SliderProps { id, label, hint, restarts, range, value, written, set } = props;
    let (shown, oninput, onchange) = use_slider(*value, set);
    let text = written.emit(shown);
    let [least, most, notch] = range.map(|number| number.to_string());
    html! {
        <label class={classes!("dial", restarts.then_some("restarts"))} title={hint.clone()}>
            <span>{ label }</span>
            <output for={id.clone()}>{ &text }</output>
            <input {id} type="range" min={least} max={most} step={notch} value={shown.to_string()}
                aria-valuetext={text} aria-description={hint.clone()} {oninput} {onchange} />
        </label>
    }
}
