//! Controls: a slider, and a list to choose from.

use crate::explore::view::field::{listed, use_slider};
use crate::platform::dom::find;
use crate::platform::events::act_on;
use crate::platform::keys::use_keys;
use crate::text::train as text;
use crate::train::model::{Action, Model, Speed};
use crate::view::menu::segmented;
use web_sys::{Element, HtmlInputElement};
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

/// What the key needs that plays and pauses.
#[derive(Clone, Properties, PartialEq)]
struct PlayKeyProps {
    is_playing: bool,
    dispatch: Callback<Action>,
}

/// The key that plays and pauses while training is shown, also in lessons and before a room.
#[function_component]
fn PlayKey(props: &PlayKeyProps) -> Html {
    let pressed = use_callback(props.clone(), |key: String, props| {
        // The same key of a Korean keyboard.
        let is_it = matches!(&*key, "p" | "P" | "\u{3154}");
        if is_it && find::<Element>("#train:not([hidden])").is_some() {
            props.dispatch.emit(Action::Play(!props.is_playing));
        }
    });
    use_keys(pressed);
    Html::default()
}

/// The bar.
pub(crate) fn bar(model: &Model, dispatch: &Callback<Action>) -> Html {
    let iteration = model.iteration();
    let act = |action: Action| dispatch.reform(move |_: MouseEvent| action.clone());
    let is_playing = model.is_playing();
    let (play, mark) = if is_playing {
        (text::pause().to_owned(), "\u{2759}\u{2759}")
    } else {
        (text::play(model.until()), "\u{25b6}")
    };
    let back = act_on(dispatch, |event: &InputEvent| {
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        value.parse().ok().map(Action::GoTo)
    });
    let speeds = Speed::ALL.map(|it| (Action::Speed(it), text::speed(it), model.speed == it));
    let last = model.last().max(model.target);
    // What needs something to be played keeps its place, and is not to be seen before.
    let later = (last == 0).then_some("later");
    html! {
        <section class={classes!("training-bar", later)} aria-label={text::bar()}>
            <PlayKey {is_playing} {dispatch} />
            <div class="bar-rest">
                { segmented("training-speed", ["unseen", text::speed_label()], speeds, dispatch) }
                <button type="button" class="button" id="training-seeds" onclick={act(Action::OtherSeeds)} title={text::other_seeds_hint()}>{ text::other_seeds() }</button>
                <button type="button" class="button inspect" id="training-inspect" disabled={model.target == 0} onclick={act(Action::Inspect)}>{ text::inspect() }</button>
            </div>
            <div class="bar-main">
                <button type="button" class="button play" id="training-play" aria-keyshortcuts="p" onclick={act(Action::Play(!is_playing))}>
                    <span aria-hidden="true">{ mark }</span>{ play }
                </button>
                <button type="button" class="button" id="training-once" disabled={is_playing} onclick={act(Action::Once)}>{ text::once() }</button>
                <button type="button" class="button" id="training-again" disabled={model.target == 0} onclick={act(Action::Again)} title={text::again_hint()}>{ text::again() }</button>
                <label class="way">
                    <span>{ text::iteration() }</span>
                    <input id="training-way" type="range" min="0" max={last.to_string()} value={iteration.to_string()} disabled={last == 0} oninput={back} />
                    <output>{ text::of_iterations(iteration, last) }</output>
                </label>
            </div>
            <p class="unseen" role="status">{ text::status(model) }</p>
        </section>
    }
}
