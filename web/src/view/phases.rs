//! The steps through the arithmetic: back, play, forward, and each part by name.

use crate::{
    model::{Action, Phase},
    platform::keys,
    text,
};
use gloo::timers::callback::Timeout;
use yew::prelude::*;

/// How long each part stays while playing, in milliseconds.
const PAUSE: u32 = 2500;

/// Goes on by itself while it plays; a timer exists only then.
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

/// Moves through the parts by hand: what a reader does by hand ends the play.
#[derive(Clone, PartialEq)]
struct Moves {
    phase: Option<Phase>,
    playing: UseStateHandle<bool>,
    dispatch: Callback<Action>,
}

impl Moves {
    fn to(&self, phase: Option<Phase>) {
        self.playing.set(false);
        self.dispatch.emit(Action::Phase(phase));
    }

    fn play_or_pause(&self) {
        let starts = !*self.playing;
        if starts && Phase::after(self.phase).is_none_or(|next| next == Phase::Returns) {
            self.dispatch.emit(Action::Phase(Some(Phase::Returns)));
        }
        self.playing.set(starts);
    }

    fn on_key(&self, key: &str) {
        match key {
            "[" => self.to(Phase::before(self.phase)),
            "]" => self.to(Phase::after(self.phase)),
            "p" | "P" => self.play_or_pause(),
            _ => {}
        }
    }
}

/// The bar of the steps, with what the part does, in words.
#[hook]
pub(super) fn use_phases(
    phase: Option<Phase>,
    sentence: &'static str,
    dispatch: &Callback<Action>,
) -> Html {
    let playing = use_play(phase, dispatch);
    let moves = Moves { phase, playing: playing.clone(), dispatch: dispatch.clone() };
    let pressed = use_callback(moves.clone(), |key: String, moves: &Moves| moves.on_key(&key));
    keys::use_keys(pressed);
    let go = |to: Option<Phase>| {
        let moves = moves.clone();
        Callback::from(move |_: MouseEvent| moves.to(to))
    };
    let (play, play_name) =
        if *playing { ("\u{275a}\u{275a}", text::pause()) } else { ("\u{25b6}", text::play()) };
    let on_play = {
        let moves = moves.clone();
        Callback::from(move |_: MouseEvent| moves.play_or_pause())
    };
    html! {
        <div class="phases" role="group" aria-label={text::step_through()}>
            <div class="transport">
                <button type="button" class="button" aria-label={text::back()} title={text::with_key(text::back(), "[")} aria-keyshortcuts="["
                    onclick={go(Phase::before(phase))}>{ "\u{2039}" }</button>
                <button type="button" class="button play" aria-label={play_name} title={text::with_key(play_name, "p")} aria-keyshortcuts="p"
                    onclick={on_play}>{ play }</button>
                <button type="button" class="button" aria-label={text::forward()} title={text::with_key(text::forward(), "]")} aria-keyshortcuts="]"
                    onclick={go(Phase::after(phase))}>{ "\u{203a}" }</button>
            </div>
            <ol class="stations">
                { for Phase::ALL.into_iter().map(|each| station(each, phase, go(Some(each)))) }
            </ol>
            <button type="button" class="button all" aria-pressed={if phase.is_none() { "true" } else { "false" }}
                onclick={go(None)}>{ text::whole() }</button>
            <p class="sentence" aria-live="polite">{ sentence }</p>
        </div>
    }
}

/// A part by name.
fn station(each: Phase, phase: Option<Phase>, onclick: Callback<MouseEvent>) -> Html {
    let is_now = phase == Some(each);
    let is_done = phase.is_none_or(|phase| each <= phase);
    html! {
        <li>
            <button type="button" {onclick} class={classes!("station", is_now.then_some("now"), is_done.then_some("done"))}
                aria-current={is_now.then_some("step")}>{ text::phase_name(each) }</button>
        </li>
    }
}
