//! A number that is set by a slider.

use web_sys::HtmlInputElement;
use yew::prelude::*;

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

fn number(event: &Event) -> Option<f64> {
    event.target_dyn_into::<HtmlInputElement>()?.value().parse().ok()
}

/// The slider, with its number beside its name.
#[function_component]
pub(crate) fn Slider(props: &SliderProps) -> Html {
    let SliderProps { id, label, hint, restarts, range, value, written, set } = props;
    let draft = use_state_eq(|| None::<f64>);
    use_effect_with(*value, {
        let draft = draft.setter();
        move |_| draft.set(None)
    });
    let oninput = {
        let draft = draft.setter();
        Callback::from(move |event: InputEvent| draft.set(number(&event)))
    };
    let onchange = {
        let (draft, set) = (draft.setter(), set.clone());
        Callback::from(move |event: Event| {
            draft.set(None);
            if let Some(value) = number(&event) {
                set.emit(value);
            }
        })
    };
    let shown = draft.unwrap_or(*value);
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
