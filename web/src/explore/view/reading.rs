//! How a file of rollouts is read: what its columns are called, and what of a conversation is the state of a step.

use super::field::{Field, listed};
use crate::import::{self, Import, Log};
use crate::model::Action;
use crate::text;
use hgpo_core::format::StateOf;
use yew::prelude::*;

/// How a file is read that was opened or refused; nothing if it is not the one that was read last.
pub(super) fn reading(name: &str, is_refused: bool, dispatch: &Callback<Action>) -> Html {
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
