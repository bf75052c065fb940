//! Notes on the file that is open: how it was recorded, how it is read, and why hardly any step has an advantage.

use super::field::{Field, listed};
use crate::import::{self, Import, Log, TURN};
use crate::model::{Action, Model, Rollouts, Shared, Tab};
use crate::platform::events::now;
use crate::text;
use gloo::timers::future::sleep;
use hgpo_core::format::StateOf;
use hgpo_core::{Options, Signal, estimate};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use yew::platform::spawn_local;
use yew::prelude::*;

/// What the notes need.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct FileNotesProps {
    /// The page's state.
    pub(crate) model: Model,
    /// The file's name.
    pub(crate) name: String,
    /// Whether it was refused.
    pub(crate) is_refused: bool,
    /// Where actions go.
    pub(crate) dispatch: Callback<Action>,
}

/// How many steps have an advantage under some options; none before they are counted. A large file is counted with breaths
/// in between.
#[hook]
fn use_signal(rollouts: Option<&Shared<Rollouts>>, options: &Options) -> Option<Signal> {
    let signal = use_state_eq(|| None);
    let counted = signal.setter();
    use_effect_with((rollouts.cloned(), options.clone()), move |(rollouts, options)| {
        let is_over = Rc::new(Cell::new(false));
        let (ended, rollouts, options) = (is_over.clone(), rollouts.clone(), options.clone());
        counted.set(None);
        spawn_local(async move {
            let Some(rollouts) = rollouts else { return };
            let (mut signal, mut turn) = (Signal::default(), now());
            for task in &rollouts.tasks {
                if let Ok(estimate) = estimate(&task.batch, &options) {
                    signal.observe(&task.batch, &estimate);
                }
                if now() - turn > TURN {
                    sleep(Duration::ZERO).await;
                    turn = now();
                }
                if ended.get() {
                    return;
                }
            }
            counted.set(Some(signal));
        });
        move || is_over.set(true)
    });
    *signal
}

/// How the file is read; how it was recorded, and what there is to say of its advantages, where it was not refused.
#[function_component]
pub(crate) fn FileNotes(props: &FileNotesProps) -> Html {
    let FileNotesProps { model, name, is_refused, dispatch } = props;
    let is_read = !is_refused && import::last(name).is_some();
    let controls = &model.document.controls;
    let signal = use_signal(is_read.then_some(&model.document.rollouts), &controls.options);
    let estimator = text::called(controls.estimator());
    let lacking = signal.and_then(|signal| text::overview::without_signal(&signal, estimator));
    html! {
        <>
            if !is_refused { <p role="status">{ lacking }</p> }
            { reading(name, *is_refused, dispatch) }
            if !is_refused { { made(model, dispatch) } }
        </>
    }
}

/// How the file says it was made, the button that estimates in the same way or leads back to the settings from before,
/// and the way back to the training that it is from.
fn made(model: &Model, dispatch: &Callback<Action>) -> Html {
    let rollouts = &model.document.rollouts;
    let made = rollouts.made.as_ref();
    let said = made.and_then(|made| made.said.as_ref().ok());
    let is_in_use = model.document.recorded().is_none();
    // One button, so that the focus stays on it.
    let (name, hint, action) = if is_in_use && model.has_former_settings() {
        (text::former_settings(), text::former_settings_hint(), Action::Undo)
    } else {
        (text::as_recorded(), text::as_recorded_hint(), Action::Recorded)
    };
    let is_idle = is_in_use && action == Action::Recorded;
    html! {
        <div class="made">
            <p role="status">{ made.map(|made| text::made(made, rollouts.is_edited, is_in_use)) }</p>
            if said.is_some_and(|said| said.options.is_some()) {
                <button type="button" class="button" title={hint} aria-disabled={is_idle.then_some("true")}
                    onclick={dispatch.reform(move |_: MouseEvent| action.clone())}>
                    { name }
                </button>
            }
            if model.is_inspected() {
                <button type="button" class="button"
                    onclick={dispatch.reform(|_: MouseEvent| Action::Go(Tab::Train))}>
                    { text::back_to_training() }
                </button>
            }
        </div>
    }
}

/// How a file is read that was opened or refused: what its columns are called, and what of a conversation is the state of a step; nothing if it is not the one that was read last.
fn reading(name: &str, is_refused: bool, dispatch: &Callback<Action>) -> Html {
    let Some(log) = import::last(name) else { return Html::default() };
    let read = |set: fn(&mut Log, String)| {
        let (log, dispatch) = (log.clone(), dispatch.clone());
        Callback::from(move |value: String| {
            let mut changed = log.clone();
            set(&mut changed, value);
            if changed != log {
                import::import(Import::Rollouts(changed), dispatch.clone());
            }
        })
    };
    let state = StateOf::NAMED.iter().find(|(_, state)| *state == log.state).map(|(name, _)| *name);
    let meaning = |state: StateOf| match state {
        StateOf::LastObservation => text::last_observation(),
        StateOf::Transcript => text::transcript(),
        StateOf::ToolResult => text::tool_result(),
    };
    let states = StateOf::NAMED.map(|(name, state)| (name.to_owned(), meaning(state).to_owned()));
    let choose = read(|log, name| log.state = name.parse().unwrap_or_default());
    html! {
        <details class="reading" open={is_refused}>
            <summary>{ text::reading_log() }</summary>
            <div class="fields">
                <Field id="log-columns" label={text::log_columns()} value={log.columns.clone()}
                    described="log-columns-hint" keep={read(|log, columns| log.columns = columns)} />
                { listed("field", ["log-state", text::state_of()], states, state.unwrap_or_default(), choose) }
            </div>
            <p class="hint" id="log-columns-hint">{ text::log_columns_hint() }</p>
        </details>
    }
}
