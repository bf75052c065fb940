//! The editor of the chosen step and its trajectory.

use super::table::{NAME_FIELD, STATE_FIELD, TableProps};
use crate::explore::view::field::{Field, listed};
use crate::model::{Cell, Edit, EditKind, Refusal, number};
use crate::platform::focus;
use crate::text::{self, named};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// How many states are offered to choose from.
const OFFERED: usize = 100;

/// The editor beside the chosen step: fields for what the step holds, buttons for what can be done
/// with it. The last change may have been `refused`.
pub(super) fn editor(props: &TableProps, refused: Option<Refusal>, is_open: bool) -> Html {
    let TableProps { task, selected: cell, edit, .. } = props;
    let cell = *cell;
    let name = text::step_name(&task.rows()[cell.row].trajectory, cell.step);
    let leave = edit.reform(move |()| {
        focus::focus(&focus::id(cell));
        None
    });
    let close = leave.reform(|_: MouseEvent| ());
    let onkeydown = move |event: KeyboardEvent| {
        // What is typed is taken back first.
        if event.key() == "Escape" && !focus::is_typing(&event) {
            leave.emit(());
        }
    };
    html! {
        <div class="editor" role="dialog" aria-label={text::edit()} hidden={!is_open} {onkeydown}>
            <div class="editor-head">
                <b>{ text::edit_step(&name) }</b>
                <span class="hint">{ text::keep_hint() }</span>
                <button type="button" class="button close" aria-label={text::close()} onclick={close}>
                    { "\u{2715}" }
                </button>
            </div>
            <div class="parts">
                { step_part(props, refused) }
                { attempt_part(props, refused) }
            </div>
        </div>
    }
}

/// A field whose text becomes a change of the step.
fn field(
    (props, refused): (&TableProps, Option<Refusal>),
    id: &'static str,
    label: &'static str,
    value: impl Into<AttrValue>,
    change: fn(String) -> EditKind,
) -> Html {
    let cell = props.selected;
    let at = if id == NAME_FIELD { Cell { step: 0, ..cell } } else { cell };
    let keep = props.act.reform(move |text| Edit(at, change(text)));
    let list = (id == STATE_FIELD).then_some("states");
    let is_number = id == "edit-reward";
    let is_wrong = match refused {
        Some(Refusal::Reward) => is_number,
        Some(Refusal::Name) => id == NAME_FIELD,
        _ => false,
    };
    let described = is_wrong.then_some("edit-problem");
    html! {
        <Field key={id} {id} {label} value={value.into()} {cell} {list} {is_number} {is_wrong} {described}
            {keep} />
    }
}

/// A button that makes a change.
fn tool(props: &TableProps, edit: Edit, icon: &'static str, both: &'static str) -> Html {
    let (name, hint) = named(both);
    html! {
        <button type="button" class="tool" title={hint}
            onclick={props.act.reform(move |_: MouseEvent| edit.clone())}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d={icon} /></svg>
            { name }
        </button>
    }
}

/// What can be changed of the step.
fn step_part(props: &TableProps, refused: Option<Refusal>) -> Html {
    let TableProps { task, selected: cell, act, .. } = props;
    let (cell, editor) = (*cell, (props, refused));
    let step = task.step(cell);
    let text_of = |text: &Option<String>| text.clone().unwrap_or_default();
    let tool = |change, icon, both| tool(props, Edit(cell, change), icon, both);
    let onchange = act.reform(move |event: Event| {
        let is_valid = event.target_unchecked_into::<HtmlInputElement>().checked();
        Edit(cell, EditKind::Valid(is_valid))
    });
    let has_more = step.agent.is_some() || step.context.is_some();
    let (state, reward) = (&task.state(cell).text, number::short(step.reward, 9));
    html! {
        <fieldset>
            <legend class="unseen">{ text::step_part() }</legend>
            <div class="fields">
                { field(editor, STATE_FIELD, text::state(), state, EditKind::State) }
                <datalist id="states">
                    { for task.states.iter().take(OFFERED).map(|state| {
                        html! { <option value={&state.text} /> }
                    }) }
                </datalist>
                { field(editor, "edit-action", text::action(), text_of(&step.action), EditKind::Action) }
                { field(editor, "edit-reward", text::reward(), reward, EditKind::Reward) }
                <label class="field flag">
                    <input type="checkbox" checked={step.valid} {onchange} />
                    <span>{ text::field_valid() }</span>
                </label>
                <details class="more" open={has_more}>
                    <summary title={text::more_fields_hint()}>{ text::more_fields() }</summary>
                    <div class="fields">
                        { field(editor, "edit-agent", text::field_agent(), text_of(&step.agent), EditKind::Agent) }
                        { field(editor, "edit-summary", text::field_summary(), text_of(&step.context), EditKind::Context) }
                    </div>
                </details>
            </div>
            <div class="tools">
                { tool(EditKind::Insert, "M8 3v10M3 8h10", text::insert_after()) }
                { tool(EditKind::Earlier, "M13 8H3l4-4M3 8l4 4", text::step_earlier()) }
                { tool(EditKind::Later, "M3 8h10l-4-4M13 8l-4 4", text::step_later()) }
                { tool(EditKind::Split, "M8 2v12M5 5 2 8l3 3M11 5l3 3-3 3", text::split_here()) }
                { tool(EditKind::Delete, "M4 4l8 8M12 4l-8 8", text::delete_step()) }
            </div>
        </fieldset>
    }
}

/// What can be changed of the step's attempt.
fn attempt_part(props: &TableProps, refused: Option<Refusal>) -> Html {
    let TableProps { task, selected: cell, act, .. } = props;
    let (row, own) = (cell.row, &task.rows()[cell.row]);
    let choose = act
        .reform(move |success: String| Edit::of_row(row, EditKind::Success(success.parse().ok())));
    let success = own.success.map_or_else(String::new, |success| success.to_string());
    let outcomes =
        [("true", text::success()), ("false", text::failure()), ("", text::outcome_unknown())];
    let outcomes = outcomes.map(|(value, name)| (value.to_owned(), name.to_owned()));
    let tool = |change, icon, both| tool(props, Edit::of_row(row, change), icon, both);
    html! {
        <fieldset>
            <legend class="unseen">{ text::attempt_part() }</legend>
            <div class="fields">
                { field((props, refused), NAME_FIELD, text::attempt_name(), own.trajectory.clone(), EditKind::Rename) }
                { listed("field", ["edit-outcome", text::field_outcome()], outcomes, success, choose) }
            </div>
            <div class="tools">
                { tool(EditKind::Up, "M8 13V3L4 7M8 3l4 4", text::attempt_up()) }
                { tool(EditKind::Down, "M8 3v10l-4-4M8 13l4-4", text::attempt_down()) }
                { tool(EditKind::Duplicate, "M3 3h7v7H3zM6 10v3h7V6h-3", text::duplicate_attempt()) }
                { tool(EditKind::Merge, "M3 3v4h10v6M10 10l3 3 2-3", text::merge_attempts()) }
                { tool(EditKind::Remove, "M4 4l8 8M12 4l-8 8", text::remove_attempt()) }
                { tool(EditKind::Add, "M8 3v10M3 8h10", text::add_attempt()) }
            </div>
        </fieldset>
    }
}
