//! The editor of the chosen step and its trajectory.

use super::table::{NAME_FIELD, STATE_FIELD};
use crate::{
    explore::view::field::Field,
    model::{Cell, Edit, Refusal, Task, number},
    platform::focus,
    text,
    view::element::{button, element, fixed, option, plain, select, tick, word, written},
};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// How many states are offered to choose from.
const OFFERED: usize = 100;

/// What the editor needs.
pub(super) struct Editor<'a> {
    pub(super) task: &'a Task,
    /// The chosen step.
    pub(super) cell: Cell,
    /// Whether it is open.
    pub(super) is_open: bool,
    /// The last change that could not be made, and why.
    pub(super) refused: Option<(Cell, Refusal)>,
    /// Where changes go.
    pub(super) act: &'a Callback<Edit>,
    /// Opens the editor at a field, or closes it.
    pub(super) edit: &'a Callback<Option<&'static str>>,
}

/// The editor beside the chosen step: fields for what the step holds, buttons for what can be done
/// with it.
pub(super) fn editor(props: &Editor<'_>) -> Html {
    let Editor { task, cell, edit, .. } = props;
    let name = text::step_name(&task.rows()[cell.row].trajectory, cell.step);
    let name = plain("b", vec![written(text::edit_step(&name))]);
    let hint = element("span", "hint", vec![word(text::keep_hint())]);
    let leave = {
        let (edit, cell) = ((*edit).clone(), *cell);
        Callback::from(move |()| {
            edit.emit(None);
            focus::focus(&focus::id(cell));
        })
    };
    let known = [("class", "button close"), ("aria-label", text::close())];
    let close = button(&known, Vec::new(), leave.reform(|_| ()), vec![word("\u{2715}")]);
    let parts = vec![
        part(text::step_part(), step_fields(props), step_tools(props)),
        part(text::attempt_part(), attempt_fields(props), attempt_tools(props)),
    ];
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        // What is typed is taken back first.
        if event.key() == "Escape" && !focus::is_typing(&event) {
            leave.emit(());
        }
    });
    html! {
        <div class="editor" role="dialog" aria-label={text::edit()} hidden={!props.is_open} {onkeydown}>
            { element("div", "editor-head", vec![name, hint, close]) }
            { element("div", "parts", parts) }
        </div>
    }
}

/// What can be changed of the step, or of its attempt.
fn part(name: &'static str, fields: Html, tools: Html) -> Html {
    let legend = element("legend", "unseen", vec![word(name)]);
    let fields = element("div", "fields", vec![fields]);
    plain("fieldset", vec![legend, fields, element("div", "tools", vec![tools])])
}

/// A field whose text becomes a change of the step.
fn field(
    props: &Editor<'_>,
    (id, label): (&'static str, &'static str),
    value: impl Into<AttrValue>,
    edit: fn(Cell, String) -> Edit,
) -> Html {
    let (act, cell) = (props.act.clone(), props.cell);
    let keep = Callback::from(move |text| act.emit(edit(cell, text)));
    let list = (id == STATE_FIELD).then_some("states");
    let is_number = id == "edit-reward";
    let is_wrong = match props.refused {
        Some((_, Refusal::Reward)) => is_number,
        Some((_, Refusal::Name)) => id == NAME_FIELD,
        _ => false,
    };
    let described = is_wrong.then_some("edit-problem");
    html! { <Field key={id} {id} {label} value={value.into()} {cell} {list} {is_number} {is_wrong} {described} {keep} /> }
}

fn step_fields(props: &Editor<'_>) -> Html {
    let Editor { task, cell, act, .. } = props;
    let step = task.step(*cell);
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let has_more = step.agent.is_some() || step.context.is_some();
    let (act, cell) = ((*act).clone(), *cell);
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            act.emit(Edit::Valid(cell, input.checked()));
        }
    });
    let valid = tick(&[("type", "checkbox")], Vec::new(), step.valid, onchange);
    html! {
        <>
            { field(props, (STATE_FIELD, text::state()), task.state(cell).text.clone(), Edit::State) }
            <datalist id="states">
                { for task.states.iter().take(OFFERED).map(|state| html! { <option value={state.text.clone()} /> }) }
            </datalist>
            { field(props, ("edit-action", text::action()), optional(&step.action), Edit::Action) }
            { field(props, ("edit-reward", text::reward()), number::short(step.reward, 9), Edit::Reward) }
            { element("label", "field flag", vec![valid, plain("span", vec![word(text::field_valid())])]) }
            <details class="more" open={has_more}>
                <summary title={text::more_fields_hint()}>{ text::more_fields() }</summary>
                <div class="fields">
                    { field(props, ("edit-agent", text::field_agent()), optional(&step.agent), Edit::Agent) }
                    { field(props, ("edit-summary", text::field_summary()), optional(&step.context), Edit::Context) }
                </div>
            </details>
        </>
    }
}

fn attempt_fields(props: &Editor<'_>) -> Html {
    let Editor { task, cell, act, .. } = props;
    let (row, own) = (cell.row, &task.rows()[cell.row]);
    let act = (*act).clone();
    let onchange = Callback::from(move |event: Event| {
        if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
            act.emit(Edit::Success(row, list.value().parse().ok()));
        }
    });
    let option = |value: &str, success: Option<bool>, words: &str| {
        option(value.to_owned(), words.to_owned(), own.success == success)
    };
    let options = vec![
        option("true", Some(true), text::success()),
        option("false", Some(false), text::failure()),
        option("", None, text::outcome_unknown()),
    ];
    let list = select(&[("id", "edit-outcome")], Vec::new(), onchange, options);
    let outcome = plain("span", vec![word(text::field_outcome())]);
    let rename = |cell: Cell, name| Edit::Rename(cell.row, name);
    let name = field(props, (NAME_FIELD, text::attempt_name()), own.trajectory.clone(), rename);
    [name, element("label", "field", vec![outcome, list])].into_iter().collect()
}

/// What a button does, its picture, and what it is called and says of itself.
type Tool = (Edit, &'static str, (&'static str, &'static str));

fn tools(props: &Editor<'_>, tools: &[Tool]) -> Html {
    tools.iter().map(|(edit, icon, words)| tool(props, edit.clone(), icon, *words)).collect()
}

/// A button that makes a change.
fn tool(
    props: &Editor<'_>,
    edit: Edit,
    icon: &'static str,
    (name, hint): (&'static str, &'static str),
) -> Html {
    let act = props.act.clone();
    let onclick = Callback::from(move |_| act.emit(edit.clone()));
    let path = fixed("path", &[("d", icon)], Vec::new());
    let picture = fixed("svg", &[("viewBox", "0 0 16 16"), ("aria-hidden", "true")], vec![path]);
    button(&[("class", "tool"), ("title", hint)], Vec::new(), onclick, vec![picture, word(name)])
}

fn step_tools(props: &Editor<'_>) -> Html {
    let cell = props.cell;
    tools(
        props,
        &[
            (Edit::Insert(cell), "M8 3v10M3 8h10", (text::insert_after(), text::insert_hint())),
            (
                Edit::Earlier(cell),
                "M13 8H3l4-4M3 8l4 4",
                (text::step_earlier(), text::earlier_hint()),
            ),
            (Edit::Later(cell), "M3 8h10l-4-4M13 8l-4 4", (text::step_later(), text::later_hint())),
            (
                Edit::Split(cell),
                "M8 2v12M5 5 2 8l3 3M11 5l3 3-3 3",
                (text::split_here(), text::split_hint()),
            ),
            (Edit::Delete(cell), "M4 4l8 8M12 4l-8 8", (text::delete_step(), text::delete_hint())),
        ],
    )
}

fn attempt_tools(props: &Editor<'_>) -> Html {
    let row = props.cell.row;
    tools(
        props,
        &[
            (Edit::Up(row), "M8 13V3L4 7M8 3l4 4", (text::attempt_up(), text::up_hint())),
            (Edit::Down(row), "M8 3v10l-4-4M8 13l4-4", (text::attempt_down(), text::down_hint())),
            (
                Edit::Duplicate(row),
                "M3 3h7v7H3zM6 10v3h7V6h-3",
                (text::duplicate_attempt(), text::duplicate_hint()),
            ),
            (
                Edit::Merge(row),
                "M3 3v4h10v6M10 10l3 3 2-3",
                (text::merge_attempts(), text::merge_hint()),
            ),
            (
                Edit::Remove(row),
                "M4 4l8 8M12 4l-8 8",
                (text::remove_attempt(), text::remove_hint()),
            ),
            (Edit::Add, "M8 3v10M3 8h10", (text::add_attempt(), text::add_hint())),
        ],
    )
}
