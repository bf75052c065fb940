//! What training is driven with: play, pause, one iteration, how fast, again, and the way back.

use crate::platform::events::act_on;
use crate::text::train as text;
use crate::train::model::{Action, Model, Speed};
use crate::view::menu::segmented;
use web_sys::HtmlInputElement;
use yew::prelude::*;

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
    html! {
        <section class="training-bar" aria-label={text::bar()}>
            <div class="bar-rest">
                { segmented("training-speed", ["unseen", text::speed_label()], speeds, dispatch) }
                <button type="button" class="button" id="training-seeds" onclick={act(Action::OtherSeeds)} title={text::other_seeds_hint()}>{ text::other_seeds() }</button>
                <button type="button" class="button inspect" id="training-inspect" disabled={model.target == 0} onclick={act(Action::Inspect)}>{ text::inspect() }</button>
            </div>
            <div class="bar-main">
                <button type="button" class="button play" id="training-play" onclick={act(Action::Play(!is_playing))}>
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
