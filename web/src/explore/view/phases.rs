//! The steps through the arithmetic: back, play, forward, and each part by name.

use crate::model::{Action, Phase};
use crate::platform::keys;
use crate::text;
use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// How long each part stays while playing, in milliseconds.
const PAUSE: u32 = 2500;

/// Whether it plays: then it goes on by itself; a timer exists only then.
#[hook]
fn use_play(phase: Option<Phase>, dispatch: &Callback<Action>) -> UseStateHandle<bool> {
    let playing = use_state_eq(|| false);
    let (setter, dispatch) = (playing.setter(), dispatch.clone());
    use_effect_with((*playing, phase), move |(playing, phase)| {
        let next = Phase::after(*phase);
        if *playing && next.is_none() {
            setter.set(false);
        }
        let timer = (*playing && next.is_some())
            .then(|| Timeout::new(PAUSE, move || dispatch.emit(Action::Phase(next))));
        move || drop(timer)
    });
    playing
}

/// The bar of the steps, with what the part does, in words.
#[hook]
pub(super) fn use_phases(
    phase: Option<Phase>,
    sentence: &'static str,
    dispatch: &Callback<Action>,
) -> Html {
    let playing = use_play(phase, dispatch);
    let (back, forward) = (Phase::before(phase), Phase::after(phase));
    // What a reader does by hand ends the play.
    let go = use_callback(
        (playing.setter(), dispatch.clone()),
        |to: Option<Phase>, (playing, dispatch)| {
            playing.set(false);
            dispatch.emit(Action::Phase(to));
        },
    );
    let turn = use_callback(
        (playing.clone(), forward, dispatch.clone()),
        |(), (playing, forward, dispatch)| {
            let starts = !**playing;
            if starts && forward.is_none_or(|next| next == Phase::Returns) {
                dispatch.emit(Action::Phase(Some(Phase::Returns)));
            }
            playing.set(starts);
        },
    );
    let pressed = use_callback(
        (back, forward, go.clone(), turn.clone()),
        |key: String, (back, forward, go, turn)| match &*key {
            "[" => go.emit(*back),
            "]" => go.emit(*forward),
            "p" | "P" => turn.emit(()),
            _ => {}
        },
    );
    keys::use_keys(pressed);
    let go = |to: Option<Phase>| go.reform(move |_: MouseEvent| to);
    // A button with a sign, which a key does as well.
    let mover = |class: &'static str, name: &'static str, key: &'static str, sign, onclick| {
        html! {
            <button type="button" {class} aria-label={name} aria-keyshortcuts={key}
                title={text::with_key(name, key)} {onclick}>
                { sign }
            </button>
        }
    };
    let (sign, play) =
        if *playing { ("\u{275a}\u{275a}", text::pause()) } else { ("\u{25b6}", text::play()) };
    let station = |each: Phase| {
        let is_now = phase == Some(each);
        let class = match phase {
            _ if is_now => "station now done",
            Some(phase) if each > phase => "station",
            _ => "station done",
        };
        html! {
            <li>
                <button type="button" {class} aria-current={is_now.then_some("step")}
                    onclick={go(Some(each))}>
                    { text::phase(each).0 }
                </button>
            </li>
        }
    };
    html! {
        <div class="phases" role="group" aria-label={text::step_through()}>
            <div class="transport">
                { mover("button", text::back(), "[", "\u{2039}", go(back)) }
                { mover("button play", play, "p", sign, turn.reform(|_: MouseEvent| ())) }
                { mover("button", text::forward(), "]", "\u{203a}", go(forward)) }
            </div>
            <ol class="stations">{ for Phase::ALL.map(station) }</ol>
            <button type="button" class="button all" aria-pressed={phase.is_none().to_string()}
                onclick={go(None)}>
                { text::whole() }
            </button>
            <p class="sentence" aria-live="polite">{ sentence }</p>
        </div>
    }
}
