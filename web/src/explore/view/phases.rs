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
    let (back, forward) = (Phase::before(phase), Phase::after(phase));
    let (play, play_name) =
        if *playing { ("\u{275a}\u{275a}", text::pause()) } else { ("\u{25b6}", text::play()) };
    let on_play = {
        let moves = moves.clone();
        Callback::from(move |_: MouseEvent| moves.play_or_pause())
    };
    html! {
        <div class="phases" role="group" aria-label={text::step_through()}>
            <div class="transport">
                { mover("button", text::back(), "[", go(back), "\u{2039}") }
                { mover("button play", play_name, "p", on_play, play) }
                { mover("button", text::forward(), "]", go(forward), "\u{203a}") }
            </div>
            <ol class="stations">
                { for Phase::ALL.map(|each| station(each, phase, go(Some(each)))) }
            </ol>
            <button type="button" class="button all" aria-pressed={phase.is_none().to_string()} onclick={go(None)}>
                { text::whole() }
            </button>
            <p class="sentence" aria-live="polite">{ sentence }</p>
        </div>
    }
}

/// A button with a sign, which a key does as well.
fn mover(
    class: &'static str,
    name: &'static str,
    key: &'static str,
    onclick: Callback<MouseEvent>,
    sign: &'static str,
) -> Html {
    html! {
        <button type="button" {class} aria-label={name} aria-keyshortcuts={key} title={text::with_key(name, key)}
            {onclick}>
            { sign }
        </button>
    }
}

/// A part by name.
fn station(each: Phase, phase: Option<Phase>, onclick: Callback<MouseEvent>) -> Html {
    let is_now = phase == Some(each);
    let class = match phase {
        _ if is_now => "station now done",
        Some(phase) if each > phase => "station",
        _ => "station done",
    };
    html! {
        <li>
            <button type="button" {class} aria-current={is_now.then_some("step")} {onclick}>
                { text::phase_name(each) }
            </button>
        </li>
    }
}
